-- Access to versions in Redis for the command line, through the client library of Debian's lua-redis, which is used only here.
local core = require "hclexpr.core"
local layout = require "hclexpr.fleet.layout"

---@class hclexpr.fleet.Client
local Client = {}
Client.__index = Client

local TIMEOUT = 10 -- seconds for each request on a connection, however slowly the answer arrives

-- Loads the client library. Debian has it for Lua up to 5.3; Lua 5.4 can load the file for 5.3.
local function load_redis()
  local found, module = pcall(require, "redis")
  if found then return module end
  local search = package.searchpath -- luacheck: ignore 143 (5.1 lacks this function)
  local path = search and search("redis", (package.path:gsub("5%.4", "5.3")))
  return path and assert(loadfile(path))()
end

-- ---- TLS ------------------------------------------------------------------------------------------------------------------

local ALTERNATIVE_NAMES = "2.5.29.17"

local function matches(pattern, host)
  if pattern:sub(1, 2) == "*." then return host:match "^[^.]+(%..*)$" == pattern:sub(2) end
  return pattern == host
end

-- Returns true if a certificate is for a host.
local function is_for(certificate, host)
  local names = (certificate:extensions() or {})[ALTERNATIVE_NAMES] or {}
  for _, kind in ipairs { "dNSName", "iPAddress" } do
    for _, name in ipairs(names[kind] or {}) do
      if matches(name:lower(), host:lower()) then return true end
    end
  end
  return false
end

-- Sets a socket's time limits: for each wait, and for all waits of one answer together.
local function bound(socket)
  socket:settimeout(TIMEOUT)
  socket:settimeout(TIMEOUT, "t")
end

local function over_tls(socket, place)
  local found, ssl = pcall(require, "ssl")
  if not found then error("rediss:// needs luasec (Debian: lua-sec)", 0) end
  local authorities = os.getenv "SSL_CERT_FILE" or "/etc/ssl/certs/ca-certificates.crt"
  local secure, why = ssl.wrap(socket, { mode = "client", protocol = "any", verify = "peer", cafile = authorities, options = "all" })
  if not secure then error(why, 0) end
  bound(secure) -- the wrapped socket doesn't inherit the limits
  secure:sni(place.host)
  local ok
  ok, why = secure:dohandshake()
  if not ok then error("no TLS: " .. tostring(why), 0) end
  if not is_for(secure:getpeercertificate(), place.host) then error("its certificate is for another host", 0) end
  return secure
end

-- ---- connecting -----------------------------------------------------------------------------------------------------------

local LONGEST_REASON = 500

-- Returns a short message for a raised error, without the position in a library and without the client's prefixes. Its length is limited,
-- because a server may send anything.
local function reason(raised)
  -- The client library indexes or concatenates nil if an answer doesn't follow the protocol.
  if tostring(raised):find "%.lua:%d+: attempt to " then return "it answers nonsense" end
  return (tostring(raised):sub(1, LONGEST_REASON):gsub("^[^%s]+%.lua:%d+: ", ""):gsub("^redis error: ", ""):gsub("^connection error: ", ""))
end

local function connect(place)
  local redis = load_redis()
  if not redis then error("the client for Redis is missing (Debian: lua-redis)", 0) end
  local socket = require("socket").tcp()
  bound(socket)
  local ok, why = socket:connect(place.host:match "^%[(.*)%]$" or place.host, place.port)
  if not ok then error(why, 0) end
  if place.tls then socket = over_tls(socket, place) end
  local client = redis.connect { socket = socket }
  if place.user and place.password then client:auth(place.user, place.password)
  elseif place.password then client:auth(place.password) end
  client["select"](client, place.database)
  return client
end

--- Connects to a server. Returns nil and the reason on failure.
---@param place hclexpr.fleet.Place
---@return hclexpr.fleet.Client? client
---@return string? why
function Client.open(place)
  local ok, client = pcall(connect, place)
  if not ok then return nil, string.format("%s: %s", place.shown, reason(client)) end
  local made = setmetatable({ place = place, redis = client }, Client)
  return made
end

-- Runs a script. Returns its result, false if the script returned nothing, or nil and the reason.
local function run(self, script, ...)
  local ok, result = pcall(self.redis.eval, self.redis, script, 1, self.place.key, ...)
  if not ok then return nil, string.format("%s: %s", self.place.shown, reason(result)) end
  if result == nil then return false end
  return result
end

-- Returns the version number in an answer; nil if it contains something else, because the server may not be Redis.
local function number_of(answer)
  local text = type(answer) == "number" and ("%.0f"):format(answer) or answer
  return type(text) == "string" and #text < 17 and text:match "^%d+$" or nil
end

local function nonsense(self) return nil, self.place.shown .. ": it answers nonsense" end

--- Publishes a text as the newest version. Returns its number and the name that nodes use for it; or nil and the reason.
---@param text string
---@param note string
---@return string? version
---@return string? id_or_why
function Client:publish(text, note)
  local digest = core.sha256(text) or ""
  local answer, why = run(self, layout.publish, text, digest, note, tostring(os.time()), tostring(layout.KEPT))
  if answer == nil then return nil, why end
  local number = number_of(answer)
  if not number then return nonsense(self) end
  return number, string.format("%s-%s", number, digest:sub(1, 8))
end

--- Makes an older version the current one. Returns its number, false if the version is missing, or nil and the reason. If nodes rejected
--- the version, it changes nothing and returns an array: the version's number, then names of nodes and their reports alternately.
---@param version? string default: the newest version before the current one that a node has run, preferably one that no node rejected
---@param force? boolean true: accept a version that nodes rejected
---@return string|string[]|false|nil
---@return string? why
function Client:rollback(version, force)
  local answer, why = run(self, layout.rollback, tostring(version or ""), tostring(layout.KEPT), force and "1" or "")
  if not answer then return answer, why end
  if type(answer) ~= "table" then
    local number = number_of(answer)
    if number then return number end
    return nonsense(self)
  end
  for _, part in ipairs(answer) do
    if type(part) ~= "string" then return nonsense(self) end
  end
  if not number_of(answer[1]) then return nonsense(self) end
  return answer
end

--- Waits for a number of seconds.
---@param seconds number
function Client.sleep(seconds)
  require("socket").sleep(seconds)
end

-- Makes a table from an array with names and values alternately.
local function record(list, first)
  local out = {}
  for i = first, #list, 2 do out[list[i]] = list[i + 1] end
  return out
end

local function fleet_of(answer)
  local out = { current = answer[1], versions = {}, nodes = {} }
  assert(type(answer[2]) == "table" and type(answer[3]) == "table")
  for i, v in ipairs(answer[2]) do
    out.versions[i] = { version = v[1], note = v[2], time = tonumber(v[3]), sha256 = v[4], refused_by = {} }
    for name in v[5]:gmatch "[^\n]+" do table.insert(out.versions[i].refused_by, name) end
  end
  for i, fields in ipairs(answer[3]) do
    out.nodes[i] = record(fields, 2)
    out.nodes[i].name = fields[1]
  end
  return out
end

--- Returns the current version, all kept versions, and the reports of the nodes; or nil and the reason.
---@return { current: string, versions: table[], nodes: table[] }? fleet
---@return string? why
function Client:fleet()
  local answer, why = run(self, layout.fleet, tostring(layout.KEPT))
  if answer == nil then return nil, why end
  local ok, out = pcall(fleet_of, answer)
  if not ok then return nonsense(self) end
  return out
end

return Client
