-- Writes the C file that holds the Lua files of the module: those below lua/ that a page can use, and play.lua.
-- usage: lua embed.lua NAME=PATH...
local out = {}
local function put(...) out[#out + 1] = string.format(...) end

put "/* Made by embed.lua. */\n#include <stddef.h>\ntypedef struct play_file { const char *name, *chunk, *text; size_t size; } play_file;\n"
local rows = {}
for i, given in ipairs(arg) do
  local name, path = given:match "^([^=]+)=(.+)$"
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  put("static const unsigned char text_%d[] = {", i)
  out[#out + 1] = (text:gsub(".", function(c) return c:byte() .. "," end))
  put "0};\n"
  rows[i] = string.format('{ "%s", "=%s", (const char *)text_%d, %d },\n', name, name, i, #text)
end
put("static const play_file play_files[] = {\n%s{ NULL, NULL, NULL, 0 } };\n", table.concat(rows))
io.write(table.concat(out))
