-- Makes busted run a part of the tests of a file (--helper): LuaJIT every third, another Lua the rest. tools/suite has both share out what
-- the first Lua runs whole.
local turn = 0
require("busted").subscribe({ "register", "it" }, function()
  turn = turn + 1
  return nil, (turn % 3 == 1) == (jit ~= nil)
end, { priority = 1 })
