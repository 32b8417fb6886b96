-- What the specs of hosts share: programs that load the module by absolute paths, and what they say.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local M = {}

--- What a shell command prints, errors too, without the last newline.
function M.run(command)
  return (support.output(command .. " 2>&1"):gsub("\n$", ""))
end

--- The root of the repository, from /.
M.root = M.run("cd './" .. support.root .. "' && pwd")

--- The paths of Lua modules and of the C module of the test build for a Lua.
function M.module_paths(lua)
  return M.root .. "/lua/?.lua;;", M.root .. "/build/test/" .. lua .. "/?.so;;"
end

return M
