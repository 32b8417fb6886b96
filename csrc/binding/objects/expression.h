/* expression.h: the Expression userdata: a compiled program.
** Memory: an Expression holds a reference to its unit.
** Errors: after parse errors, nil and Diagnostics are returned. */
#ifndef HX_BINDING_OBJECTS_EXPRESSION_H
#define HX_BINDING_OBJECTS_EXPRESSION_H

#include "binding/state/state.h"

typedef struct hx_expression {
  hx_unit *unit;
} hx_expression;

/* Pushes an Expression with a new unit, whose program is still to be made. of: the unit whose source the new one shares, or NULL. Raises if
** Lua is out of memory. */
hx_expression *hx_expression_new(lua_State *L, hx_unit *of);
/* Releases the unit; the Expression can't be used any more. */
void hx_expression_close(lua_State *L, hx_expression *e);
hx_expression *hx_check_expression(lua_State *L, int arg);
/* Reads filename, line, column and limits from the table of options that is argument 2. Their strings stay on the stack. */
void hx_source_options_read(lua_State *L, hx_program_options *options);
/* Makes the code of the unit's program, unless it exists. Returns false if a limit or lack of memory ends this; the program's diagnostics
** say why. */
bool hx_unit_ready(lua_State *L, hx_unit *u);

#endif
