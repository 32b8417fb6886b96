-- Starts a private Redis on loopback, without files; it ends when this process has ended.
local here = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$"
local host = dofile(here .. "../host.lua")
local server = dofile(here .. "server.lua")

local Redis = {}
Redis.__index = Redis

--- Starts one on a port, or on a free one. tls: a folder with key.pem and cert.pem; then it speaks only TLS.
function Redis.start(port, password, tls)
  local self = setmetatable({ port = port or server.free_port(), password = password, tls = tls }, Redis)
  self:run()
  return self
end

local TLS = " --port 0 --tls-port %d --tls-cert-file '%s/cert.pem' --tls-key-file '%s/key.pem' --tls-ca-cert-file '%s/cert.pem'"
  .. " --tls-auth-clients no"

-- The command line of redis-cli.
local function cli_of(self)
  return "redis-cli" .. (self.tls and string.format(" --tls --cacert '%s/cert.pem'", self.tls) or "") .. " -p " .. self.port
end

function Redis:run()
  local tls = self.tls
  local options = "--bind 127.0.0.1 --save '' --appendonly no --dbfilename hclexpr-none.rdb --dir /tmp --logfile ''"
    .. string.format(tls and TLS or " --port %d", self.port, tls, tls, tls)
  if self.password then options = options .. " --requirepass " .. self.password end
  self.pid = server.run(string.format("redis-server %s >/dev/null 2>&1 & echo $!", options))
  host.ends_with_us(self.pid, string.format("grep -q redis /proc/%s/cmdline", self.pid))
  assert(server.wait(cli_of(self) .. " ping | grep -qE 'PONG|NOAUTH'"), "no Redis")
end

--- Was the server built with TLS?
function Redis.speaks_tls()
  return server.run("redis-server --tls-port 1 --port 0 2>&1"):find "tls%-cert%-file" ~= nil
end

function Redis:url(key, password)
  return string.format("redis%s://%s127.0.0.1:%d/1/%s", self.tls and "s" or "", password and ":" .. password .. "@" or "", self.port, key)
end

local function cli(self, command)
  return string.format("REDISCLI_AUTH=%s %s -n 1 %s", self.password or "''", cli_of(self), command)
end

--- The answer to a command.
function Redis:command(command)
  return server.run(cli(self, command))
end

--- Waits until a command's answer contains a plain text.
function Redis:waits_for(command, text)
  return server.wait(cli(self, command) .. " | grep -qF -- " .. text)
end

function Redis:signal(name)
  server.run(string.format("kill -%s %s", name, self.pid))
end

function Redis:stop()
  self:signal "KILL"
  server.wait("! " .. cli_of(self) .. " ping")
end

return Redis
