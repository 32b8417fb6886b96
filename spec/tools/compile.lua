-- Compiles the Lua layer for the Lua that runs this: lua spec/tools/compile.lua OUT PLACE, in the project's folder. OUT/hclexpr/cli.luac is
-- what PLACE/hclexpr/cli.lua will be, and messages name that one.
local out, place = ...
local pipe = assert(io.popen "find lua -name '*.lua'")
for path in pipe:lines() do
  local name = path:match "^lua/(.*)%.lua$"
  local file = assert(io.open(path, "rb"))
  local chunk = assert(load(file:read "*a", "@" .. place .. "/" .. name .. ".lua"))
  file:close()
  file = assert(io.open(out .. "/" .. name .. ".luac", "wb"))
  assert(file:write(string.dump(chunk)))
  assert(file:close())
end
pipe:close()
