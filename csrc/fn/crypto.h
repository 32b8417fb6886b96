/* crypto.h: functions of the theme in files of their own: crypto_rsa.c, crypto_openssh.c.
** Memory: results in call->cx->arena.
** Errors: reported by hx_fail*. */
#ifndef HX_FN_CRYPTO_H
#define HX_FN_CRYPTO_H

#include "vm/fn.h"

hx_val hx_fn_rsadecrypt(hx_call *call, const hx_val *args, uint32_t n);

/* crypto_openssh.c: the RSA key of OpenSSH's own kind of PEM file (BIO *), an EVP_PKEY * that is the caller's to free, or NULL: it is
** none, or one with a passphrase. Uses cx->scratch. Only in builds with OpenSSL. */
void *hx_openssh_key(hx_cx *cx, void *bio);

#endif
