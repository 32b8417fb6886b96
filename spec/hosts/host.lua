-- What the specs of hosts share: programs that load the module by absolute paths, and what they say.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local M = {}

--- What a shell command prints, errors too, without the last newline.
function M.run(command)
  return (support.output(command .. " 2>&1"):gsub("\n$", ""))
end

--- The root of the repository, from /.
M.root = M.run("cd './" .. support.root .. "' && pwd")

--- A port of loopback that nobody listens on now, with the three behind it, which no other call gives. Drawn from the system: specs of
--- several processes start servers in the same second.
function M.free_port()
  local port
  repeat
    -- Below those that the system gives to clients.
    port = 20000 + 4 * (tonumber(M.run "od -An -N2 -tu2 /dev/urandom") % 3000)
  until not support.runs(string.format("bash -c 'exec 3<>/dev/tcp/127.0.0.1/%d' 2>/dev/null", port))
  return port
end

--- The paths of Lua modules and of the C module of the test build for a Lua.
function M.module_paths(lua)
  return M.root .. "/lua/?.lua;;", M.root .. "/build/test/" .. lua .. "/?.so;;"
end

return M
