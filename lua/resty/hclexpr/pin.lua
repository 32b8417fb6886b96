-- Pins one version for a whole request, its subrequests and its log phase: the first call chooses the current version.
--
-- The data for a request, its *memo*, is in `ngx.ctx`. But a subrequest has its own `ngx.ctx`, and an internal redirect clears it. Then the
-- memo of the main request is found by the number of the connection and the number of the request on it, which a subrequest shares with the
-- main request. The tables by these numbers are weak; the ngx.ctx of the main request keeps its memo until the request ends.
--
-- Each call of nginx' API costs more than an evaluation, so each function here reads `ngx.ctx` at most once.
local get_phase = ngx.get_phase
local new_table = require "table.new"

local pin = {}

local SLOT = "hclexpr"

-- Phases without a request, except init.
local outside = {
  init_worker = true, timer = true, exit_worker = true, ssl_cert = true, ssl_session_fetch = true, ssl_session_store = true,
  ssl_client_hello = true,
}

local Weak = { __mode = "v" }
local connections = setmetatable({}, Weak)

-- Makes the memo of a request. Its field `main` is the memo of the main request; resty/hclexpr/request.lua uses the other fields.
local function new_memo(ctx)
  local var, memo = ngx.var, new_table(0, 8)
  local connection, number = var.connection, var.connection_requests
  local mains = connections[connection]
  if not mains then
    mains = setmetatable({}, Weak)
    connections[connection] = mains
  end
  memo.request, memo.mains = new_table(0, 8), mains
  memo.main = mains[number] or memo
  mains[number] = memo.main
  ctx[SLOT] = memo
  return memo
end

-- True once init_by_lua has ended. That phase comes before all others, and has no ngx.ctx.
local had_init = false

--- Returns the memo of the current request: a table that is kept until the request ends; nil outside of requests.
---@return table? memo
function pin.memo()
  if not had_init then
    if get_phase() == "init" then return nil end
    had_init = true
  end
  local ctx = ngx.ctx
  local memo = ctx[SLOT]
  if memo or outside[get_phase()] then return memo end
  return new_memo(ctx)
end

--- Returns the version of rules that a request sees: the one that was current when this was first called in the request, or nil if none
--- existed then. Outside of requests, returns the current version or nil.
---@param rules table
---@param memo? table
---@return table? version
function pin.version(rules, memo)
  if not memo then return rules.current end
  local main = memo.main
  local version = main[rules]
  if version == nil then
    version = rules.current or false
    main[rules] = version
  end
  return version or nil
end

return pin
