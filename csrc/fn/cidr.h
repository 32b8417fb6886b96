/* cidr.h: reads and writes internet addresses and prefixes ("10.0.0.0/8").
** An IPv4 address in IPv6 form (::ffff:10.0.0.0) keeps its 128 bits and is printed as IPv4, as in the reference.
** Memory: text goes to the caller's buffer.
** Errors: readers return false. */
#ifndef HX_FN_CIDR_H
#define HX_FN_CIDR_H

#include "base/buf.h"
#include "fn/cidr_bits.h"

/* The number of bits in addresses. */
enum { HX_IPV4_BITS = 32, HX_IPV6_BITS = 128 };

typedef struct hx_ip {
  hx_bits bits;
  uint32_t width; /* HX_IPV4_BITS or HX_IPV6_BITS */
} hx_ip;

/* An address whose last width - length bits are 0. */
typedef struct hx_prefix {
  hx_ip ip;
  uint32_t length;
} hx_prefix;

bool hx_ip_read(hx_str text, hx_ip *out);
/* Reads a prefix, and clears the bits of the address beyond its length: 10.1.2.3/8 is 10.0.0.0/8. */
bool hx_prefix_read(hx_str text, hx_prefix *out);

/* Returns true if the address is an IPv4 address in IPv6 form. */
bool hx_ip_is_mapped(hx_ip ip);
/* Return an IPv4 address in IPv6 form as IPv4, others as they are. */
hx_ip hx_ip_plain(hx_ip ip);
hx_prefix hx_prefix_plain(hx_prefix p);

/* Returns the bits that a prefix of this length leaves free, as ones. */
hx_bits hx_ip_free_bits(uint32_t width, uint32_t length);
bool hx_prefix_has(hx_prefix p, hx_ip ip);

void hx_ip_write(hx_buf *b, hx_ip ip);
void hx_prefix_write(hx_buf *b, hx_prefix p);

#endif
