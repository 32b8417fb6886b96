/* command.h: what the command needs of the core besides the module: replacing a file, references step by step, whether a
** stream is a terminal.
** Memory: Lua's.
** Errors: nil and a message for files; misuse raises. */
#ifndef HX_BINDING_COMMAND_H
#define HX_BINDING_COMMAND_H

#include "binding/state.h"

void hx_open_command(lua_State *L);

#endif
