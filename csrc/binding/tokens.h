/* tokens.h: hcl.tokens.
** Memory: Lua's; the tokens are gathered in a home that is then released.
** Errors: raises for want of memory. */
#ifndef HX_BINDING_TOKENS_H
#define HX_BINDING_TOKENS_H

#include "binding/compat.h"

void hx_open_tokens(lua_State *L);

#endif
