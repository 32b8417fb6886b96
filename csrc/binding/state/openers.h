/* openers.h: what each file of the binding adds when the module is opened (module.c): methods to classes, and functions to the table
** `core`, which is on top of the stack.
** Memory: Lua's.
** Errors: raise if Lua is out of memory. */
#ifndef HX_BINDING_STATE_OPENERS_H
#define HX_BINDING_STATE_OPENERS_H

#include "binding/state/compat.h"

void hx_open_ast(lua_State *L);
void hx_open_at(lua_State *L);
void hx_open_blocks(lua_State *L);
void hx_open_body(lua_State *L);
void hx_open_catalogue(lua_State *L);
void hx_open_command(lua_State *L);
void hx_open_diagnostics(lua_State *L);
void hx_open_diagnostics_text(lua_State *L);
void hx_open_encode(lua_State *L);
void hx_open_evaluation(lua_State *L);
void hx_open_expand(lua_State *L);
void hx_open_explain(lua_State *L);
void hx_open_expression(lua_State *L);
void hx_open_family(lua_State *L);
void hx_open_files(lua_State *L);
void hx_open_format(lua_State *L);
void hx_open_func(lua_State *L);
void hx_open_glance(lua_State *L);
void hx_open_layer(lua_State *L);
void hx_open_limits(lua_State *L);
void hx_open_listing(lua_State *L);
void hx_open_schema(lua_State *L);
void hx_open_scope(lua_State *L);
void hx_open_spec(lua_State *L);
void hx_open_threads(lua_State *L);
void hx_open_tokens(lua_State *L);
void hx_open_type(lua_State *L);
void hx_open_unknown(lua_State *L);
void hx_open_value(lua_State *L);
#ifdef HX_TEST
void hx_open_testing(lua_State *L); /* in csrc/testing */
#endif

#endif
