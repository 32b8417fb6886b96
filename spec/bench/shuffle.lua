-- vars.json with its lists in an order drawn by lot (always the same one), so that keys made from them do not come sorted.
--   LUA shuffle.lua vars.json >shuffled.json
local cjson = require "cjson"
local f = assert(io.open(arg[1]))
local variables = cjson.decode(f:read "*a")
f:close()
local seed = 42
local function draw(n)
  seed = (seed * 16807) % 2147483647
  return seed % n + 1
end
for _, name in ipairs { "users", "nums", "names20", "subnets" } do
  local list = variables.var[name]
  for i = #list, 2, -1 do
    local j = draw(i)
    list[i], list[j] = list[j], list[i]
  end
end
io.write(cjson.encode(variables), "\n")
