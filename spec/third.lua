-- Makes busted run a part of the tests of a file (--helper): LuaJIT a third, another Lua the rest. tools/suite has both share out what the
-- first Lua runs whole. A test's name says whose it is: tests that a loop over `pairs` makes come in another order in each process.
require("busted").subscribe({ "register", "it" }, function(name)
  local sum = 0
  for i = 1, #name do sum = sum + name:byte(i) end
  return nil, (sum % 3 == 1) == (jit ~= nil)
end, { priority = 1 })
