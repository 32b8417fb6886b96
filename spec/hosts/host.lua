-- Running other programs from a spec: where things lie, folders to work in, what a program says.
local M = {}

local function output(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

-- What a shell command prints, without the last newline.
function M.run(command)
  return (output(command .. " 2>&1"):gsub("\n$", ""))
end

function M.has(program)
  return output("command -v " .. program .. " 2>/dev/null") ~= ""
end

-- The root of the repository: specs run there.
M.root = M.run "pwd"

-- The path of Lua modules and of the C module built for LuaJIT, as nginx and Neovim want them.
function M.module_paths(lua)
  return M.root .. "/lua/?.lua;;", M.root .. "/build/test/" .. lua .. "/?.so;;"
end

function M.temporary_folder()
  return M.run "mktemp -d"
end

function M.remove(folder)
  os.execute("rm -rf '" .. folder .. "'")
end

function M.write(path, text)
  local f = assert(io.open(path, "w"))
  f:write(text)
  f:close()
end

function M.read(path)
  local f = io.open(path)
  if not f then return "" end
  local text = f:read "*a"
  f:close()
  return text
end

return M
