-- vars.json with its lists in a random order (always the same), so that keys made from them are not sorted.
--   LUA shuffle.lua vars.json >shuffled.json
local cjson = require "cjson"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local variables, draw = cjson.decode(support.read(arg[1])), support.random(42)
for _, name in ipairs { "users", "nums", "names20", "subnets" } do
  local list = variables.var[name]
  for i = #list, 2, -1 do
    local j = draw(i)
    list[i], list[j] = list[j], list[i]
  end
end
io.write(cjson.encode(variables), "\n")
