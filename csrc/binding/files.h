/* files.h: what hclexpr/module/files.lua needs of the core: folders and files, read below a granted folder, and paths as text; and
** the digest that versions of rules are told by.
** Memory: Lua's.
** Errors: nil and why, in words; misuse raises. */
#ifndef HX_BINDING_FILES_H
#define HX_BINDING_FILES_H

#include "binding/state.h"

void hx_open_files(lua_State *L);

#endif
