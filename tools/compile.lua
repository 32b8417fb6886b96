-- Compiles the Lua layer for the Lua that runs this: lua tools/compile.lua OUT PLACE, in the project's folder. Messages will name the
-- files of PLACE. OUT, which bin/hclexpr reads, begins with a line that has the bytes of an index: of each module a line with its name, where
-- it begins behind the index, and its bytes.
local out, place = ...
local index, chunks, at = "\n", {}, 0
local pipe = assert(io.popen "find lua -name '*.lua' | LC_ALL=C sort")
for path in pipe:lines() do
  local name = path:match "^lua/(.*)%.lua$"
  local file = assert(io.open(path, "rb"))
  local chunk = string.dump(assert(load(file:read "*a", "@" .. place .. "/" .. name .. ".lua")))
  file:close()
  index = index .. ("%s %d %d\n"):format((name:gsub("/", ".")), at, #chunk)
  chunks[#chunks + 1] = chunk
  at = at + #chunk
end
pipe:close()
local file = assert(io.open(out, "wb"))
assert(file:write(#index, "\n", index, table.concat(chunks)))
assert(file:close())
