-- Writes the C file that holds play.lua and those Lua files of the module that it asks for, and that these ask for in turn: by a text
-- that is a file's name, as "hclexpr.body", or a folder's, as "hclexpr.terraform.read.blocks." followed by a name. usage: lua embed.lua FOLDER PLAY [NAME...], NAMEs are left out.
local folder, play = arg[1], arg[2]
local out, rows, seen = {}, {}, {}
local function put(...) out[#out + 1] = string.format(...) end
for i = 3, #arg do seen[arg[i]] = true end

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read "*a"
  if file then file:close() end
  return text
end

local function embed(name, path)
  local text = not seen[name] and read(path)
  seen[name] = true
  if not text then return end
  rows[#rows + 1] = string.format('{ "%s", "=%s", (const char *)text_%d, %d },\n', name, name, #rows + 1, #text)
  put("static const unsigned char text_%d[] = {%s0};\n", #rows, (text:gsub(".", function(c) return c:byte() .. "," end)))
  for other in text:gmatch '"(hclexpr[%w_.]*)"' do
    local place = folder .. "/" .. other:gsub("%.", "/")
    if other:sub(-1) ~= "." then embed(other, place .. ".lua") else
      for inner in io.popen("ls " .. place):read("*a"):gmatch "([%w_]+)%.lua" do embed(other .. inner, place .. inner .. ".lua") end
    end
  end
end

put "/* Made by embed.lua. */\n#include <stddef.h>\ntypedef struct play_file { const char *name, *chunk, *text; size_t size; } play_file;\n"
embed("play", play)
put("static const play_file play_files[] = {\n%s{ NULL, NULL, NULL, 0 } };\n", table.concat(rows))
io.write(table.concat(out))
