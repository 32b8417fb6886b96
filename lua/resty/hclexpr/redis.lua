-- A store of versions in Redis (hclexpr/fleet/layout.lua), through the client library of OpenResty or Debian. It needs cosockets, so it is
-- used only in timers. No message contains a password.
local Bounded = require "resty.hclexpr.bounded"
local core = require "hclexpr.core"
local layout = require "hclexpr.fleet.layout"
local urls = require "hclexpr.fleet.url"

local redis = {}

local IDLE = 60000 -- milliseconds to keep a connection open for the next poll

-- Returns the client library: OpenResty's resty.redis, or nginx.redis of Debian's lua-nginx-redis.
local function client_module()
  for _, name in ipairs { "resty.redis", "nginx.redis" } do
    local found, module = pcall(require, name)
    if found then return module end
  end
  error("resty.hclexpr.redis needs resty.redis, which OpenResty brings, or nginx.redis (Debian: lua-nginx-redis)", 3)
end

-- Returns the answer of a command; raises an error if it is missing.
local function must(answer, why)
  if answer then return answer end
  error({ message = tostring(why or "no answer") }, 0)
end

-- Prepares a new connection: TLS, password, database. A reused connection is ready, because its pool has only connections of the same user
-- and database.
local function prepare(client, place, verify)
  if must(client:get_reused_times()) > 0 then return end
  if place.tls then must(client._sock:sslhandshake(nil, place.host, verify)) end
  if place.user and place.password then
    must(client:auth(place.user, place.password))
  elseif place.password then
    must(client:auth(place.password))
  end
  if place.database ~= 0 then must(client["select"](client, place.database)) end
end

-- Calls f with a connection, and returns its result; or nil and the reason.
local function with_client(store, f)
  local place = store.place
  local client = store.module:new()
  client._sock = Bounded.new(client._sock)
  client:set_timeout(store.timeout * 1000)
  local ok, result = pcall(function()
    must(client:connect(place.host, place.port, { pool = store.pool }))
    prepare(client, place, store.verify)
    return f(client)
  end)
  if ok then
    client:set_keepalive(IDLE, 1)
    return result
  end
  pcall(client.close, client)
  local message = type(result) == "table" and result.message or "it answers nonsense: " .. tostring(result)
  return nil, string.format("%s: %s", place.shown, message)
end

-- Returns an answer that is a string; nil for others, such as null.
local function text_of(value)
  return type(value) == "string" and value or nil
end

local function version(store)
  return with_client(store, function(client)
    local answer = must(client:hget(store.place.key, "current"))
    local current = text_of(answer)
    if answer == ngx.null then must(nil, "no version was published") end
    if not (current and current:find "^%d+-%x*$") then must(nil, "its current version wasn't made by hclexpr publish") end
    return current
  end)
end

local function read(store, wanted)
  local number = wanted:match "^%d+"
  return with_client(store, function(client)
    local answer = must(client:hmget(store.place.key .. ":" .. number, "text", "sha256"))
    local text, digest = text_of(answer[1]), text_of(answer[2])
    if not text then must(nil, string.format("version %s is not there", number)) end
    local own = core.sha256(text)
    if own and own ~= digest then must(nil, string.format("version %s is not what was published: its SHA-256 differs", number)) end
    return text
  end)
end

local function report(store, node, status)
  local refused = status.rejected or {}
  return with_client(store, function(client)
    return must(client:eval(layout.report, 1, store.place.key, node, string.format("%.3f", ngx.now()), layout.TTL, "rules", status.name,
      "version", status.version or "", "since", string.format("%.3f", status.since or 0), "refused", refused.version or "", "report",
      refused.report or "", "refused_since", string.format("%.3f", refused.since or 0)))
  end)
end

--- Makes a store for the option `store` of resty.hclexpr. Options: `timeout`, the seconds that Redis may take to answer (default 1);
--- `verify`, whether to check the certificate of a rediss:// server by nginx' lua_ssl_trusted_certificate (default true).
---@param url string redis://[user:password@]host[:port]/database/key; a password may come from HCLEXPR_REDIS_PASSWORD
---@param options? { timeout?: number, verify?: boolean }
---@return resty.hclexpr.Store
function redis.new(url, options)
  local place, why = urls.read(url)
  if not place then error("bad argument #1 to 'new' (" .. why .. ")", 2) end
  local o = options or {}
  local store = { place = place, module = client_module(), timeout = o.timeout or 1, verify = o.verify ~= false }
  -- The pool's name contains a hash of user and password, because connections of other users can't be reused.
  store.pool = string.format("hclexpr:%s:%s", place.shown, ngx.md5((place.user or "") .. ":" .. (place.password or "")))
  return {
    version = function() return version(store) end,
    read = function(number) return read(store, number) end,
    report = function(node, status) return report(store, node, status) end,
  }
end

return redis
