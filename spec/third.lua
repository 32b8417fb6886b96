-- Makes busted run every third test of a file only (--helper): tools/suite has LuaJIT do so with what another Lua runs whole.
local turn = 0
require("busted").subscribe({ "register", "it" }, function()
  turn = turn + 1
  return nil, turn % 3 == 1
end, { priority = 1 })
