-- Starts nginx with nginx.conf of this folder, sends requests, and stops it. The caller must stop it; after a killed run it ends by itself.
local here = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$"
local support = dofile(here .. "../../support.lua")
local host = dofile(here .. "../host.lua")

local M = {}

--- What nginx, its Lua module or another program lacks, in words; nil if nothing is missing.
function M.lacking(...)
  for _, program in ipairs { "nginx", "curl", ... } do
    if not support.has(program) then return program .. " is not installed" end
  end
  if not M.modules() then return "nginx has no Lua module" end
end

function M.modules()
  for _, folder in ipairs { "/usr/share/nginx/modules", "/usr/lib/nginx/modules", "/usr/lib64/nginx/modules" } do
    if support.exists(folder .. "/ngx_http_lua_module.so") then return folder end
  end
end

-- RESTY_REDIS: a folder with resty/redis.lua, OpenResty's own client, to use instead of Debian's.
local resty_redis = os.getenv "RESTY_REDIS" and os.getenv "RESTY_REDIS" .. "/?.lua;" or ""

--- Is there a client for Redis that nginx can use?
function M.redis_client()
  if resty_redis ~= "" then return resty_redis end
  return package.searchpath and (package.searchpath("resty.redis", package.path) or package.searchpath("nginx.redis", package.path))
end

local function fill(template, values)
  return (template:gsub("@(%u+[_%u]*)@", values))
end

local PAUSE, LOOKS = host.PAUSE, host.LOOKS

-- Requests a path from a port until the answer contains all of some texts, at most so many times; prints that answer. Uses only the shell:
-- starting curl takes more processor time than everything else here.
local ASK = [=[
port=$1 path=$2 times=$3 pause=$4; shift 4
for ((i = 0; i < times; i++)); do
  said=$({ printf 'GET %s HTTP/1.0\r\n\r\n' "$path" >&3; timeout 30 cat <&3; } 3<>/dev/tcp/127.0.0.1/$port)
  said=${said#*$'\r\n\r\n'} has_all=yes
  for text; do [[ $said == *"$text"* ]] || has_all=; done
  if [ $has_all ]; then printf '%s' "$said"; exit; fi
  sleep $pause
done 2>/dev/null]=]

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

---@class spec.Nginx
local Nginx = {}
Nginx.__index = Nginx

--- Starts nginx. source: Lua text of the options for the source of rules; environment: of a shell. Returns nil and the output if it
--- doesn't start. directives: additional ones for nginx.conf.
function M.start(source, o)
  o = o or {}
  local folder = o.folder or support.temporary_folder()
  local lua_path, lua_cpath = host.module_paths(o.lua or "jit")
  local self = setmetatable({ folder = folder, conf = folder .. "/nginx.conf", source = source }, Nginx)
  local said
  for _ = 1, 5 do
    self.port = host.free_port()
    self.values = {
      PREFIX = folder, LUA_PATH = resty_redis .. lua_path, DIRECTIVES = o.directives or "",
      LUA_CPATH = lua_cpath, PORT = tostring(self.port), SOURCE = source,
      HERE = host.run("cd './" .. here .. "' && pwd"),
      MODULES = "load_module " .. M.modules() .. "/ndk_http_module.so;\nload_module " .. M.modules() .. "/ngx_http_lua_module.so;",
      USER = host.run "id -u" == "0" and "user root;" or "",
      -- Of examples/gateway.
      FOLDER = folder, ROOT = host.root, BUILD = "build/test/jit", NEXT = tostring(self.port + 1), METRICS = tostring(self.port + 2),
    }
    support.write(self.conf, fill(support.read(o.conf or here .. "nginx.conf"), self.values))
    said = host.run(string.format("%s nginx -p '%s/' -c '%s' -e '%s/error.log'", o.environment or "", folder, self.conf, folder))
    if not said:find "bind%(%) to" then break end
  end
  local refused = said:find "%[emerg%]" or said:find "%[error%]"
  if refused or not host.wait("test -s '" .. folder .. "/nginx.pid'") then return nil, said .. self:log() end
  self.pid = host.run("cat '" .. folder .. "/nginx.pid'")
  host.ends_with_us(self.pid, string.format("[ \"$(cat '%s/nginx.pid')\" = %s ]", folder, self.pid))
  return self
end

function Nginx:log()
  return support.exists(self.folder .. "/error.log") and support.read(self.folder .. "/error.log") or ""
end

--- The number of times that the log contains a plain text.
function Nginx:logged(text)
  local _, n = self:log():gsub(text:gsub("%p", "%%%0"), "")
  return n
end

function Nginx:url(path) return "http://127.0.0.1:" .. self.port .. path end

local function ask(self, path, times, ...)
  local words = { quoted(ASK), "ask", self.port, quoted(path), times, PAUSE }
  for _, text in ipairs { ... } do words[#words + 1] = quoted(text) end
  return host.run("bash -c " .. table.concat(words, " "))
end

--- The body of an answer. more: options of curl.
function Nginx:get(path, more)
  if not more then return ask(self, path, 1) end
  return host.run(string.format("curl -s -m 60 %s '%s'", more or "", self:url(path)))
end

function Nginx:code(path, more)
  return host.run(string.format("curl -s -m 60 -o /dev/null -w '%%{http_code}' %s '%s'", more or "", self:url(path)))
end

-- Lines name=value of both workers, or of the one that answers, by worker.
local function fields(text)
  local out = {}
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    local name, value = line:match "^(%l+)=(.*)$"
    if name then out[name] = value end
  end
  return out
end

function Nginx:fields(path, more) return fields(self:get(path, more)) end

--- The status of each worker (probes.about), by worker.
function Nginx:workers()
  local out = {}
  for said in (self:get "/workers" .. "\n\n"):gmatch "(worker=.-)\n\n" do
    local one = fields(said)
    out[one.worker] = one
  end
  assert(out["0"] and out["1"], "a worker says nothing of itself")
  return out
end

--- Waits until the source was polled so many times more.
function Nginx:looks(n)
  local function looks() return tonumber(self:fields "/seen".looks) end
  local before = looks()
  assert(host.until_so(function() return looks() >= before + n end), "nobody looks at the source")
end

--- Starts so many clients that request a path so many times each; returns a function that waits for them and returns all answers' lines.
function Nginx:load(path, clients, times)
  local out = self.folder .. "/answers"
  os.execute(string.format("(for i in $(seq %d); do curl -s -m 60 '%s?[1-%d]' >'%s.'$i & done; wait; touch '%s.done') >/dev/null 2>&1 &",
    clients, self:url(path), times, out, out))
  return function()
    assert(host.wait("test -e '" .. out .. ".done'"), "clients still wait for answers")
    local lines = {}
    for i = 1, clients do
      for line in support.read(out .. "." .. i):gmatch "[^\n]+" do lines[#lines + 1] = line end
    end
    host.run("rm -f '" .. out .. "'.*")
    return lines
  end
end

--- Waits until all workers run the version with a tag; returns that version.
function Nginx:settled(tag)
  local found, status = self:waits_for("/status", "tag=" .. tag)
  assert(found, self:log())
  local version = fields(status).version
  local worker = 'worker="%d",version="' .. version .. '"'
  assert(ask(self, "/metrics", LOOKS, worker:format(0), worker:format(1)) ~= "", self:get "/metrics")
  return version
end

--- Waits until the log contains a plain text so many times.
function Nginx:waits_for_log(text, times)
  assert(host.until_so(function() return self:logged(text) >= times end), self:log())
  assert(self:logged(text) == times, self:log())
end

--- Reloads, and waits until only new workers are left.
function Nginx:reload()
  local old = self:worker_pids()
  self:signal "HUP"
  assert(host.wait("! kill -0 " .. table.concat(old, " && ! kill -0 ")), "workers of before are still there")
  assert(host.wait("[ $(pgrep -c -P " .. self.pid .. ") = 2 ]"))
end

--- Kills workers, and waits until others have replaced them.
function Nginx:kill(pids)
  host.run("kill -KILL " .. table.concat(pids, " "))
  local others = string.format("pgrep -P %s | grep -vxE '%s' | wc -l", self.pid, table.concat(pids, "|"))
  assert(host.wait(string.format("[ $(%s) = 2 ]", others)))
end

--- The number of files and sockets that the workers have open.
function Nginx:open_files()
  local n = 0
  for _, pid in ipairs(self:worker_pids()) do n = n + tonumber(host.run("ls /proc/" .. pid .. "/fd | wc -l")) end
  return n
end

--- Waits until the workers have no more files and sockets open than that.
function Nginx:closes(most)
  assert(host.until_so(function() return self:open_files() <= most end), "files and sockets stay open")
end

--- Waits until a location's text contains a plain text; returns whether it does, and that text.
function Nginx:waits_for(path, text)
  local said = ask(self, path, LOOKS, text)
  return said ~= "", said
end

function Nginx:worker_pids()
  return support.lines("pgrep -P " .. self.pid)
end

function Nginx:signal(name) host.run(string.format("kill -%s %s", name, self.pid)) end

function Nginx:stop()
  host.run("kill -TERM " .. self.pid)
  -- The file with its number disappears last; a process that isn't a child can't be waited for.
  if not host.wait("! test -e '" .. self.folder .. "/nginx.pid'") then host.run("kill -KILL " .. self.pid) end
  support.remove(self.folder)
end

M.run, M.wait, M.free_port, M.here = host.run, host.wait, host.free_port, here
return M
