-- Writes the commands of make as a compilation database, for clangd and others: make -nB V=1 module | LUA compile_commands.lua FOLDER
local folder = arg[1]
local function quoted(s) return '"' .. s:gsub('[\\"]', "\\%0") .. '"' end

local rows = {}
for line in io.lines() do
  local object, source = line:match " %-c %-o (%S+) (%S+)$"
  if object then
    rows[#rows + 1] = ('  { "directory": %s, "file": %s, "output": %s, "command": %s }'):format(
      quoted(folder), quoted(source), quoted(object), quoted(line))
  end
end
print("[\n" .. table.concat(rows, ",\n") .. "\n]")
