-- Functions for the specs of hosts: programs that load the module by absolute paths, and their output.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local M = {}

--- The output of a shell command, with errors, without the last newline.
function M.run(command)
  return (support.output(command .. " 2>&1"):gsub("\n$", ""))
end

--- The root of the repository, from /.
M.root = M.run("cd './" .. support.root .. "' && pwd")

--- A free port of loopback with three free ports after it, which no other call returns. Drawn from the system: specs of
--- several processes start servers in the same second.
function M.free_port()
  local port
  repeat
    -- Below those that the system gives to clients.
    port = 20000 + 4 * (tonumber(M.run "od -An -N2 -tu2 /dev/urandom") % 3000)
  until not support.runs(string.format("bash -c 'exec 3<>/dev/tcp/127.0.0.1/%d' 2>/dev/null", port))
  return port
end

--- Seconds between two polls, and the number of polls: enough for a busy machine, since only a failure uses them all.
M.PAUSE, M.LOOKS = 0.05, 2400

--- Runs a command until it succeeds, for a long time; returns whether it did.
function M.wait(command)
  return support.runs(string.format("for i in $(seq %d); do { %s; } >/dev/null 2>&1 && exit 0; sleep %g; done; exit 1", M.LOOKS, command,
    M.PAUSE))
end

--- The same for a function.
function M.until_so(is_so)
  for _ = 1, M.LOOKS do
    if is_so() then return true end
    M.run("sleep " .. M.PAUSE)
  end
  return false
end

--- Ends a process when this one has ended. is_it: a command that checks whether the number is still that process.
function M.ends_with_us(pid, is_it)
  local watch = "us=$PPID; (while kill -0 $us; do %s || exit; sleep 1; done; %s && kill %s) >/dev/null 2>&1 &"
  os.execute(watch:format(is_it, is_it, pid))
end

--- The paths of Lua modules and of the C module of the test build for a Lua.
function M.module_paths(lua)
  return M.root .. "/lua/?.lua;;", M.root .. "/build/test/" .. lua .. "/?.so;;"
end

return M
