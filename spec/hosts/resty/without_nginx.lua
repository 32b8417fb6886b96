-- Enough of nginx' library for rules in a plain LuaJIT: one worker with a timer that runs on request, and one request at a time. For
-- specs that would end a worker, or need too many attempts for one (spec/torture.lua, spec/callbacks.lua).
local M = {}

--- Can it be used? Rules need LuaJIT.
M.can = jit ~= nil and pcall(require, "table.new")

-- A lua_shared_dict; now() counts seconds.
local function dictionary(now)
  local rows, dict = {}, {}
  local function find(key)
    local row = rows[key]
    return row and (not row.ends or row.ends > now()) and row or nil
  end
  function dict.get(_, key)
    local row = find(key)
    return row and row.value
  end
  function dict.safe_set(_, key, value, ttl)
    rows[key] = { value = value, ends = ttl and now() + ttl }
    return true
  end
  function dict.safe_add(self, key, value, ttl)
    if find(key) then return false, "exists" end
    return self:safe_set(key, value, ttl)
  end
  function dict.delete(_, key) rows[key] = nil end
  function dict.incr(self, key, n, first)
    self:safe_set(key, (self:get(key) or first) + n)
    return self:get(key)
  end
  return dict
end

-- A light thread runs when another one waits for it; a wait for two of them times out the first.
local function threads()
  local function go_on(thread) if coroutine.status(thread) == "suspended" then coroutine.resume(thread) end end
  return {
    spawn = function(f)
      local thread = coroutine.create(f)
      go_on(thread)
      return thread
    end,
    wait = function(thread) go_on(thread) end,
    kill = function() end,
  }
end

local REQUEST = {
  uri = "/admin", request_uri = "/admin?a=1", scheme = "http", host = "localhost", server_port = "80", remote_addr = "10.0.0.2",
  remote_port = "4711", request_id = "0123", connection = "1", connection_requests = 0,
}

--- Sets the global `ngx` until it is reset.
function M.begin()
  local seconds, beats = 1, {}
  local function now() return seconds end
  local function constant(x) return function() return x end end
  local every = function(_, beat)
    beats[#beats + 1] = beat
    return true
  end
  local fake = {
    ERR = 4, WARN = 5, NOTICE = 6, null = {}, ctx = {}, var = REQUEST, now = now, log = function() end, get_phase = constant "access",
    shared = { rules = dictionary(now) }, thread = threads(), config = { prefix = constant "/" },
    worker = { id = constant(0), pid = constant(1), count = constant(1) }, md5 = function(text) return ("%032x"):format(#text) end,
    timer = { at = constant(true), every = every },
    sleep = function() if coroutine.running() then coroutine.yield() end end,
    req = { get_method = constant "GET", get_headers = constant { a = "b" }, get_uri_args = constant { a = "1" }, start_time = now },
  }
  rawset(_G, "ngx", fake)
  --- Another request, some seconds later, or by other seconds as if the system's clock was set; `beat`: run the timer before it.
  return function(beat, by)
    seconds = seconds + (by or 5)
    fake.ctx = {}
    rawset(_G, "ngx", fake) -- there may have been others
    REQUEST.connection_requests = REQUEST.connection_requests + 1
    for _, f in ipairs(beat and beats or {}) do f() end
  end
end

--- Rules of a store, and a function that returns the answer to the next request: as text, with the errors of the store.
---@param hcl table
---@param given { version?: function, read?: function, report?: function, lookup?: function, f?: function } replace the correct functions
---@return fun(): string?, any
function M.rules(hcl, given)
  local go_on, proper, store = M.begin(), M.proper, {}
  for _, name in ipairs { "version", "read", "report" } do
    local f = given[name] or proper[name]
    store[name] = function(...) return f(...) end
  end
  local rules = assert(require("resty.hclexpr").new {
    name = "edge", dict = "rules", store = store, node = "here", types = { other = "object({ b = bool })" },
    schema = { blocks = { rule = { labels = { "name" }, schema = { attributes = { when = { type = "expression", returns = "bool" } } } } },
    },
    functions = { f = hcl.func { params = { { type = "string" } }, returns = "string", impl = given.f or proper.f } },
    lookup = given.lookup or proper.lookup,
  })
  rules:start()
  return function()
    go_on(true)
    local config, why = rules:config()
    if not config then return nil, why end
    local value, err = rules:eval(config.rule[1].when)
    if value == nil then return nil, err end
    local status = rules:status()
    return tostring(value) .. " " .. (status.rejected and "refused" or status.store.message or "ok")
  end
end

local versions = 0

--- The correct results of a store and a script. Each poll finds a new version.
M.proper = {
  version = function()
    versions = versions + 1
    return tostring(versions)
  end,
  read = function() return 'rule "admin" {\n  when = request.path == "/admin" && f(request.query.a) == "1" && other.b\n}\n' end,
  report = function() return true end,
  lookup = function() return { b = true } end,
  f = function(x) return x end,
}

function M.finish() rawset(_G, "ngx", nil) end

return M
