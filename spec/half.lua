-- Makes busted leave out every second test of a file (--helper): tools/suite has LuaJIT run half of what another Lua runs whole.
local turn = 0
require("busted").subscribe({ "register", "it" }, function()
  turn = turn + 1
  return nil, turn % 2 == 1
end, { priority = 1 })
