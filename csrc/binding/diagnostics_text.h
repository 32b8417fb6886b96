/* diagnostics_text.h: methods of Diagnostics that give text: reports, and the forms that editors take.
** Memory: as in diagnostics.h.
** Errors: raise for wrong arguments and for want of Lua's memory. */
#ifndef HX_BINDING_DIAGNOSTICS_TEXT_H
#define HX_BINDING_DIAGNOSTICS_TEXT_H

#include "binding/state.h"

void hx_open_diagnostics_text(lua_State *L);

#endif
