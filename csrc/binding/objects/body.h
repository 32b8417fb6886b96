/* body.h: bodies: attributes and blocks with their places, expanded and decoded bodies. The expression of an Attribute is compiled when it
** is first evaluated.
** Memory: Body, Attribute and Block share the unit of their source. Those of an expanded body keep the values of its iterators.
** Errors: after parse errors, nil, Diagnostics and a Body of the readable parts, if there are any, are returned. */
#ifndef HX_BINDING_OBJECTS_BODY_H
#define HX_BINDING_OBJECTS_BODY_H

#include "binding/state/state.h"
#include "config/schema.h"

/* Returns the unit of the Body, Attribute or Block at i, or NULL for other types. */
hx_unit *hx_body_unit(lua_State *L, int i);
/* Returns the node of the Body that is argument arg, and sets *unit. *home: the home of the values from its `dynamic` blocks, or NULL; the
** pointer home itself may be NULL. */
const hx_node *hx_check_body(lua_State *L, int arg, hx_unit **unit, hx_home **home);
/* Returns the node of the Block that is argument arg, and sets *unit and *home, as hx_check_body does. */
const hx_node *hx_check_block(lua_State *L, int arg, hx_unit **unit, hx_home **home);
/* Returns the tree of the Expression, of the Attribute's expression, or of the Body that is argument arg, and sets *unit. */
const hx_node *hx_check_depends(lua_State *L, int arg, hx_unit **unit);
/* Returns argument arg, which must be the offset of a byte of the source, or of its end. */
uint32_t hx_check_offset(lua_State *L, int arg, const hx_source *src);
/* Pushes a Body for a node of the unit's tree. */
void hx_body_push(lua_State *L, hx_unit *unit, const hx_node *body);
/* Pushes a table of the Attributes among the items of a BODY by name, and an array of its Blocks in source order. They keep home,
** which may be NULL. */
void hx_items_push(lua_State *L, hx_unit *unit, hx_home *home, const hx_node *items);
/* Pushes the parts of a level that was read by a schema: two equal tables, by name, of the arguments that are literals, where the schema
** has them as such; the other Attributes by name, or nil; an array of the Blocks, or nil. The first table has room for `names` names, the
** second one for the level's arguments and `more`. */
void hx_content_push(lua_State *L, hx_unit *unit, hx_home *home, const hx_node *items, const hx_schema *schema, int names,
                     int more);
/* Pushes an array of the texts of a BLOCK's labels. */
void hx_labels_push(lua_State *L, const hx_node *block);

#endif
