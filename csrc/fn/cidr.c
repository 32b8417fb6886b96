/* cidr.c: functions of internet addresses and prefixes. */
#include "fn/cidr.h"

#include "fn/arguments.h"

/* A whole number of at most 128 bits in two's complement: the value is v, or -v - 1. */
typedef struct whole {
  hx_bits v;
  bool negative;
} whole;

typedef enum whole_kind { WHOLE, WHOLE_TOO_LARGE, WHOLE_NOT } whole_kind;

/* Reading arguments */

/* Returns 2 to the power of 128. A number from this on, or below its negative, can't be a host or a network. */
static hx_val number_limit(hx_cx *cx) {
  return hx_num_parse_int(cx, HX_STR("100000000000000000000000000000000"), 16);
}

static whole_kind read_whole(hx_cx *cx, const hx_val *v, whole *out) {
  int64_t i;
  if (hx_arg_whole(v, &i)) {
    *out = (whole){ { 0, (uint64_t)(i < 0 ? ~i : i) }, i < 0 };
    return WHOLE;
  }
  if (!hx_num_is_whole(v)) return WHOLE_NOT;
  bool negative = hx_num_is_negative(v);
  hx_val limit = number_limit(cx);
  if (negative) limit = hx_num_neg(cx, &limit);
  int side = hx_num_cmp(v, &limit);
  if (negative ? side < 0 : side >= 0) return WHOLE_TOO_LARGE;
  hx_str digits = hx_num_digits(cx, v, 16, false);
  hx_bits n = { 0, 0 };
  for (uint32_t k = negative ? 1 : 0; k < digits.len; k++) {
    char c = digits.p[k];
    n = hx_bits_or(hx_bits_shift(n, 4), (hx_bits){ 0, (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10) });
  }
  *out = (whole){ negative ? hx_bits_sub(n, (hx_bits){ 0, 1 }) : n, negative };
  return WHOLE;
}

/* Reads a prefix. Returns false after reporting a text that isn't a prefix. reference: most faults of these functions are blamed on
** the call. */
static bool read_prefix(hx_call *call, uint32_t i, const hx_val *v, int32_t who, hx_prefix *out) {
  if (hx_prefix_read(hx_val_str(v), out)) return true;
  hx_fail_with(call, who,
               "%s isn't an address prefix. It must be an IPv4 or IPv6 address, a \"/\" and the prefix's length, like "
               "\"10.0.0.0/8\" or \"2001:db8::/32\".",
               hx_arg_text(call, i, v));
  return false;
}

static hx_val text_of_ip(hx_cx *cx, hx_ip ip) {
  hx_buf b;
  hx_buf_init(&b, &cx->arena, 48);
  hx_ip_write(&b, ip);
  return hx_string_of(cx, hx_buf_done(&b));
}

static hx_val text_of_prefix(hx_cx *cx, hx_prefix p) {
  hx_buf b;
  hx_buf_init(&b, &cx->arena, 48);
  hx_prefix_write(&b, p);
  return hx_string_of(cx, hx_buf_done(&b));
}

/* Puts a number into an address whose lowest `shift` bits are free, as the reference does: joins the bits of the two's complement (with as
** many leading ones as needed) to the address's bits, and then removes the sign. Returns false if the address has no room for the
** number. */
static bool join_number(hx_ip *ip, whole n, uint32_t shift) {
  if (!n.negative && hx_bits_is_zero(n.v)) return true;
  if (shift > ip->width || !hx_bits_fit(n.v, ip->width - shift)) return false;
  hx_bits v = hx_bits_shift(n.v, shift);
  if (!n.negative) {
    ip->bits = hx_bits_or(ip->bits, v);
    return true;
  }
  /* -v - 1 joined to a is -(v & ~a) - 1 */
  v = hx_bits_and(hx_bits_or(v, hx_bits_low(shift)), hx_bits_not(ip->bits));
  if (hx_bits_eq(v, hx_bits_low(ip->width))) return false;
  ip->bits = hx_bits_next(v);
  return true;
}

/* cidrhost */

static hx_val fail_host(hx_call *call, const hx_val *args) {
  hx_str prefix = hx_arg_text(call, 0, &args[0]), host = hx_arg_text(call, 1, &args[1]);
  return hx_fail_call(call, "%.*s has no host number %.*s: the prefix leaves too few bits.", HX_STR_ARG(prefix), HX_STR_ARG(host));
}

/* cidrhost. Negative numbers count from the end. reference: of larger numbers only the last 64 bits, with their sign, are compared with the
** prefix's room, and for IPv4 in IPv6 form they go to the front. */
static hx_val fn_cidrhost(hx_call *call, const hx_val *args) {
  hx_prefix p;
  whole num;
  whole_kind kind = read_whole(call->cx, &args[1], &num);
  if (kind == WHOLE_NOT)
    return hx_fail_with(call, HX_BLAME_CALL, "The host number must be whole, but this is %s.", hx_arg_text(call, 1, &args[1]));
  if (!read_prefix(call, 0, &args[0], HX_BLAME_CALL, &p)) return hx_none();
  if (kind == WHOLE_TOO_LARGE) return fail_host(call, args);
  hx_bits last = hx_ip_free_bits(p.ip.width, p.length), low = { 0, num.v.lo };
  if (num.negative ? hx_bits_gt(num.v, last) : num.v.lo <= INT64_MAX && hx_bits_gt(low, last)) return fail_host(call, args);
  if (num.negative) num = (whole){ hx_bits_sub(last, num.v), false };
  uint32_t shift = hx_ip_is_mapped(p.ip) ? HX_IPV6_BITS - HX_IPV4_BITS : 0;
  if (!join_number(&p.ip, num, shift)) return fail_host(call, args);
  return text_of_ip(call->cx, p.ip);
}

/* cidrnetmask */

static hx_val fn_cidrnetmask(hx_call *call, const hx_val *args) {
  hx_prefix p;
  if (!read_prefix(call, 0, &args[0], HX_BLAME_CALL, &p)) return hx_none();
  if (hx_ip_plain(p.ip).width != HX_IPV4_BITS) {
    return hx_fail_with(call, HX_BLAME_CALL, "%s is IPv6, which has no netmasks: there is only the length.",
                        hx_arg_text(call, 0, &args[0]));
  }
  hx_bits mask = hx_bits_and(hx_bits_low(p.ip.width), hx_bits_not(hx_ip_free_bits(p.ip.width, p.length)));
  return text_of_ip(call->cx, (hx_ip){ mask, p.ip.width });
}

/* cidrsubnet */

static hx_val fail_subnet(hx_call *call, const hx_val *args) {
  hx_str prefix = hx_arg_text(call, 0, &args[0]), bits = hx_arg_text(call, 1, &args[1]), net = hx_arg_text(call, 2, &args[2]);
  return hx_fail_call(call, "%.*s has no network number %.*s when %.*s bits are added.", HX_STR_ARG(prefix), HX_STR_ARG(net),
                      HX_STR_ARG(bits));
}

/* Returns true if the new bits have room for the number. reference: only the last 64 bits of the number, without the sign, are
** compared. A negative number of bits, or more than 63, has room for any number. */
static bool has_room(whole num, int64_t newbits) {
  uint64_t low = num.negative ? num.v.lo + 1 : num.v.lo;
  return newbits < 0 || newbits > 63 || low <= (UINT64_C(1) << newbits) - 1;
}

static hx_val fn_cidrsubnet(hx_call *call, const hx_val *args) {
  hx_prefix p;
  whole num;
  int64_t newbits;
  if (!hx_arg_whole(&args[1], &newbits)) {
    return hx_fail_with(call, HX_BLAME_CALL, "The number of bits must be whole and not too large, but this is %s.",
                        hx_arg_text(call, 1, &args[1]));
  }
  whole_kind kind = read_whole(call->cx, &args[2], &num);
  if (kind == WHOLE_NOT)
    return hx_fail_with(call, HX_BLAME_CALL, "The network number must be whole, but this is %s.", hx_arg_text(call, 2, &args[2]));
  if (!read_prefix(call, 0, &args[0], HX_BLAME_CALL, &p)) return hx_none();
  if (newbits > (int64_t)(p.ip.width - p.length)) {
    hx_str prefix = hx_arg_text(call, 0, &args[0]), bits = hx_arg_text(call, 1, &args[1]);
    return hx_fail_call(call, "%.*s has only %u bits left, so it can't be extended by %.*s.", HX_STR_ARG(prefix),
                        (unsigned)(p.ip.width - p.length), HX_STR_ARG(bits));
  }
  if (kind == WHOLE_TOO_LARGE || !has_room(num, newbits)) return fail_subnet(call, args);
  /* reference: bits may be taken away as well; a length below 0 leaves no prefix, and still isn't an error */
  bool gone = newbits < -(int64_t)p.length;
  uint32_t length = gone ? 0 : (uint32_t)((int64_t)p.length + newbits);
  if (!join_number(&p.ip, num, gone ? UINT32_MAX : p.ip.width - length)) return fail_subnet(call, args);
  if (gone) return hx_string(HX_STR("<nil>"));
  return text_of_prefix(call->cx, (hx_prefix){ p.ip, length });
}

/* cidrsubnets */

#define NEWBITS_MAX 32

/* Sets *length to the prefix length that argument i asks for. Returns false after reporting a wrong argument. */
static bool read_length(hx_call *call, const hx_val *args, uint32_t i, hx_prefix p, uint32_t *length) {
  int64_t newbits;
  int32_t who = (int32_t)i;
  if (!hx_arg_whole(&args[i], &newbits)) {
    hx_fail_value(call, who, &args[i], "The number of bits must be whole, but this is %s.");
    return false;
  }
  if (newbits < 1 || newbits > NEWBITS_MAX) {
    hx_fail_value(call, who, &args[i], "A prefix can be made 1 to 32 bits longer at a time, not %s.");
    return false;
  }
  *length = p.length + (uint32_t)newbits;
  if (*length <= p.ip.width) return true;
  hx_fail_with(call, who, "%s has fewer bits left than this.", hx_arg_text(call, 0, &args[0]));
  return false;
}

/* Returns true if the address counts as the end of all addresses. reference: networks are counted up from the address before the
** prefix, and a step that reaches zero, or leaves the IPv4 addresses in IPv6 form for the next address, is the end. So prefixes
** that begin there can't be divided. */
static bool is_end(hx_ip ip) {
  const hx_bits after_mapped = { 0, UINT64_C(0x1000000000000) }, first_mapped = { 0, UINT64_C(0xffff00000000) };
  if (hx_bits_is_zero(hx_bits_and(ip.bits, hx_bits_low(ip.width)))) return true;
  return ip.width == HX_IPV6_BITS && (hx_bits_eq(ip.bits, after_mapped) || hx_bits_eq(ip.bits, first_mapped));
}

/* Sets *next to the network of that length that follows the address `last`. Returns false if p has no further one. */
static bool next_network(hx_prefix p, hx_bits last, uint32_t length, hx_ip *next) {
  hx_bits free_bits = hx_ip_free_bits(p.ip.width, length);
  *next = (hx_ip){ hx_bits_next(hx_bits_or(last, free_bits)), p.ip.width };
  return !is_end(*next) && hx_prefix_has(p, *next);
}

static hx_val fail_divided(hx_call *call, const hx_val *args, uint32_t i, hx_prefix p) {
  hx_str shown = hx_arg_text(call, 0, &args[0]);
  if (i == 1 && hx_ip_is_mapped(p.ip)) {
    return hx_fail(call, 1, "%.*s is IPv4 written as IPv6, which can't be divided. Write it as IPv4.", HX_STR_ARG(shown));
  }
  if (i == 1) {
    return hx_fail(call, 1, "%.*s begins at an address that cidrsubnets() can't begin at. Use cidrsubnet().", HX_STR_ARG(shown));
  }
  return hx_fail(call, (int32_t)i, "%.*s has no room left for this network after those before it.", HX_STR_ARG(shown));
}

static hx_val fn_cidrsubnets(hx_call *call, const hx_val *args) {
  uint32_t n = call->n;
  hx_prefix p;
  if (!read_prefix(call, 0, &args[0], 0, &p)) return hx_none();
  hx_val *out = HX_NEW_ARRAY(call->cx, hx_val, n);
  hx_bits last = hx_bits_sub(p.ip.bits, (hx_bits){ 0, 1 });
  for (uint32_t i = 1; i < n; i++) {
    hx_prefix net;
    if (!read_length(call, args, i, p, &net.length)) return hx_none();
    if (hx_ip_is_mapped(p.ip) || !next_network(p, last, net.length, &net.ip)) return fail_divided(call, args, i, p);
    last = hx_bits_or(net.ip.bits, hx_ip_free_bits(net.ip.width, net.length));
    out[i - 1] = text_of_prefix(call->cx, net);
  }
  return hx_list(call->cx, &hx_type_string, out, n - 1);
}

/* cidrcontains */

static hx_val fn_cidrcontains(hx_call *call, const hx_val *args) {
  hx_prefix outer, inner;
  if (!read_prefix(call, 0, &args[0], HX_BLAME_CALL, &outer)) return hx_none();
  if (hx_ip_read(hx_val_str(&args[1]), &inner.ip)) inner.length = inner.ip.width;
  else if (!hx_prefix_read(hx_val_str(&args[1]), &inner)) {
    return hx_fail_with(call, HX_BLAME_CALL, "%s is neither an address nor a prefix like \"10.1.0.0/16\".",
                        hx_arg_text(call, 1, &args[1]));
  }
  outer = hx_prefix_plain(outer);
  inner = hx_prefix_plain(inner);
  if (outer.ip.width != inner.ip.width) {
    return hx_fail_call(call, "One argument is IPv4, the other IPv6. Neither can contain the other.");
  }
  return hx_bool(inner.length >= outer.length && hx_prefix_has(outer, inner.ip));
}

const hx_fn hx_fns_cidr[] = {
  { .name = "cidrhost",
    .type = &hx_type_string,
    .impl = fn_cidrhost,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("prefix"), HX_NUMBER("hostnum") },
    .summary = "Returns the address of a host in a network.",
    .doc = "Hosts count from 0, which is the network's own address. Negative numbers count from the end: -1 is the last address. "
           "It works for IPv4 and IPv6.",
    .example = "cidrhost(\"10.12.112.0/20\", 268)" },
  { .name = "cidrnetmask",
    .type = &hx_type_string,
    .impl = fn_cidrnetmask,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("prefix") },
    .summary = "Converts the length of an IPv4 prefix to a netmask.",
    .doc = "The address before the \"/\" doesn't matter. IPv6 has no netmasks.",
    .example = "cidrnetmask(\"172.16.0.0/12\")" },
  { .name = "cidrsubnet",
    .type = &hx_type_string,
    .impl = fn_cidrsubnet,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("prefix"), HX_NUMBER("newbits"), HX_NUMBER("netnum") },
    .summary = "Returns one of the equal networks inside a prefix.",
    .doc = "The second argument is the number of bits by which the prefix becomes longer. The third, from 0, is the value of these "
           "bits.",
    .example = "cidrsubnet(\"172.16.0.0/12\", 4, 2)" },
  { .name = "cidrsubnets",
    .type = &hx_type_list_string,
    .impl = fn_cidrsubnets,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("prefix") },
    .rest = HX_NUMBER("newbits"),
    .summary = "Divides a prefix into consecutive networks.",
    .doc = "Each number says by how many bits, 1 to 32, the prefix of a network is longer. A network begins at the first possible "
           "address after the previous one; addresses between them stay unused.",
    .example = "cidrsubnets(\"10.1.0.0/16\", 4, 4, 8, 4)" },
  { .name = "cidrcontains",
    .type = &hx_type_bool,
    .impl = fn_cidrcontains,
    .params = { HX_TEXT("containing_prefix"), HX_TEXT("contained_ip_or_prefix") },
    .summary = "Returns true if a network contains an address or another network.",
    .doc = "Both must be IPv4, or both IPv6. This is a function of OpenTofu.",
    .example = "cidrcontains(\"192.168.0.0/16\", \"192.168.2.0/24\")" },
  { .name = NULL },
};
