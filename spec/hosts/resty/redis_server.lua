-- A Redis of one's own on loopback, without files; it goes by itself after LIFETIME.
local server = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "server.lua")

local LIFETIME = 300 -- seconds

local Redis = {}
Redis.__index = Redis

--- Starts one on a port, or on a free one.
function Redis.start(port, password)
  local self = setmetatable({ port = port or server.free_port(9), password = password }, Redis)
  self:run()
  return self
end

function Redis:run()
  local options = string.format("--port %d --bind 127.0.0.1 --save '' --appendonly no --dir /tmp --logfile ''", self.port)
  if self.password then options = options .. " --requirepass " .. self.password end
  self.pid = server.run(string.format("timeout %d redis-server %s >/dev/null 2>&1 & echo $!", LIFETIME, options))
  assert(server.wait(string.format("redis-cli -p %d ping | grep -qE 'PONG|NOAUTH'", self.port), 5), "no Redis")
end

function Redis:url(key, password)
  return string.format("redis://%s127.0.0.1:%d/1/%s", password and ":" .. password .. "@" or "", self.port, key)
end

local function cli(self, command)
  return string.format("REDISCLI_AUTH=%s redis-cli -p %d -n 1 %s", self.password or "''", self.port, command)
end

--- What a command answers.
function Redis:command(command)
  return server.run(cli(self, command))
end

--- Waits until a command's answer has a plain text.
function Redis:waits_for(command, text)
  return server.wait(cli(self, command) .. " | grep -qF -- " .. text, 5)
end

-- timeout(1) passes these on to the server, but not KILL and STOP.
function Redis:signal(name)
  server.run(string.format("kill -%s $(pgrep -P %s)", name, self.pid))
end

function Redis:stop()
  self:signal "KILL"
  server.wait(string.format("! redis-cli -p %d ping", self.port), 2)
end

return Redis
