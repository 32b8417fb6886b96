/* crypto.h: the one function of the theme in a file of its own, crypto_rsa.c.
** Memory: results in call->cx->arena.
** Errors: reported by hx_fail*. */
#ifndef HX_FN_CRYPTO_H
#define HX_FN_CRYPTO_H

#include "vm/fn.h"

hx_val hx_fn_rsadecrypt(hx_call *call, const hx_val *args);

#endif
