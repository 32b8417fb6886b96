/* hash.h: digests of bytes, for strings and for files.
** Memory: results in call->cx->arena.
** Errors: reported by hx_fail_call; the result is then NONE. The cost is charged beforehand. */
#ifndef HX_FN_HASH_H
#define HX_FN_HASH_H

#include "library/digest.h"
#include "vm/fn.h"

/* Makes one digest of all pieces in order. Returns its length, or 0 after reporting an error. */
uint32_t hx_hash_bytes(hx_call *call, hx_hash hash, const hx_str *pieces, uint32_t n, unsigned char out[HX_HASH_BYTES]);
/* Returns the result of a function whose row has a hx_hash as its variant: the digest in hexadecimal, or with HX_IN_BASE64 in base64. */
#define HX_IN_BASE64 0x80
hx_val hx_digest(hx_call *call, hx_str bytes);
/* Returns bytes in hexadecimal. */
hx_str hx_hex(hx_cx *cx, hx_str bytes);

#endif
