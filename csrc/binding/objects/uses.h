/* uses.h: the named values and functions that an expression or body uses, as Lua tables.
** Memory: Lua's; computed in a home that is released at the end.
** Errors: raises if Lua is out of memory. */
#ifndef HX_BINDING_OBJECTS_USES_H
#define HX_BINDING_OBJECTS_USES_H

#include "binding/state/state.h"

/* Pushes the references as expr:references() returns them. */
int hx_references_push(lua_State *L, hx_unit *u, const hx_node *root);
/* Pushes the references for our own Lua files: each step is a table { kind =, text =, range = }. read: see core.traversals. */
int hx_traversals_push(lua_State *L, hx_unit *u, const hx_node *root, bool read);
/* Pushes the uses of functions as expr:functions() returns them. */
int hx_function_uses_push(lua_State *L, hx_unit *u, const hx_node *root);
/* Pushes two bools: whether there are references, and whether there are uses of functions. */
int hx_uses_push(lua_State *L, hx_unit *u, const hx_node *root);
/* Returns the kind of a step, as a word. */
const char *hx_step_word(const hx_step *s);
/* Returns the name of a CALL, in the home `work`. */
hx_str hx_call_name_in(lua_State *L, hx_home *work, const hx_source *src, const hx_node *call);
/* Pushes an array of steps[0 … n): names as text, indexes as numbers. */
void hx_steps_push(lua_State *L, const hx_step *steps, uint32_t n);
/* Pushes { root =, steps =, path =, range = } for steps[0 … n) of u's source. */
void hx_reference_push(lua_State *L, hx_unit *u, const hx_step *steps, uint32_t n, hx_range range, hx_str path);

#endif
