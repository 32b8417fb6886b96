/* body.h: bodies: attributes and blocks with their places, and what is made of them: expanded bodies, decoded ones. An Attribute's
** expression is compiled when asked for.
** Memory: Body, Attribute and Block share the unit of their source; of an expanded body they keep the values of its iterators.
** Errors: parse errors are nil, diagnostics and the Body of what could be read. */
#ifndef HX_BINDING_BODY_H
#define HX_BINDING_BODY_H

#include "binding/state.h"

/* The unit that the Body, Attribute or Block at i stands in; NULL: it is none of them. */
hx_unit *hx_body_unit(lua_State *L, int i);
/* The node of the Body that is argument arg, and its unit; home: of what its `dynamic` blocks gave, or NULL; it may be NULL itself. */
const hx_node *hx_check_body(lua_State *L, int arg, hx_unit **unit, hx_home **home);
/* Pushes a Body: a node of the unit's tree. */
void hx_body_push(lua_State *L, hx_unit *unit, const hx_node *body);
/* Pushes an array of the texts of a BLOCK's labels. */
void hx_labels_push(lua_State *L, const hx_node *block);
void hx_open_body(lua_State *L);

#endif
