/* body.h: bodies of native syntax: attributes and blocks with their places. An Attribute's expression is compiled when asked for.
** Memory: Body, Attribute and Block share the unit of their source.
** Errors: parse errors are nil, diagnostics and the Body of what could be read. */
#ifndef HX_BINDING_BODY_H
#define HX_BINDING_BODY_H

#include "binding/state.h"

void hx_open_body(lua_State *L);

#endif
