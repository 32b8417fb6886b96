-- One version for a whole request, its subrequests and its log phase: the first call pins what is current then.
--
-- A pin lies in `ngx.ctx`. A subrequest has an `ngx.ctx` of its own, and an internal redirect clears it; there the pin is found by the
-- number of the connection and of the request on it, which main request and subrequests share. That table holds pins weakly: the ngx.ctx
-- of the main request keeps them, until the request ends.
local get_phase = ngx.get_phase

local pin = {}

local SLOT = "hclexpr"

-- Phases that are part of no request, or of no request yet.
local outside = {
  init = true, init_worker = true, timer = true, exit_worker = true, ssl_cert = true, ssl_session_fetch = true, ssl_session_store = true,
  ssl_client_hello = true,
}

local pins = setmetatable({}, { __mode = "v" })

--- Is there a request?
function pin.has_request()
  return not outside[get_phase()]
end

--- What this module keeps of the request: a table for everything that is remembered until its end. The fields are those of
--- resty/hclexpr/request.lua; versions are in `pins`, which subrequests share.
---@return table memo
function pin.memo()
  local ctx = ngx.ctx
  local memo = ctx[SLOT]
  if memo then return memo end
  local var = ngx.var
  local id = var.connection .. ":" .. var.connection_requests
  local shared = pins[id]
  if not shared then
    shared = {}
    pins[id] = shared
  end
  memo = { pins = shared }
  ctx[SLOT] = memo
  return memo
end

--- The version of rules that this request sees; nil: there was none when it began.
---@param rules table
---@return table? version
function pin.version(rules)
  if outside[get_phase()] then return rules.current end
  local of = pin.memo().pins
  local version = of[rules]
  if version == nil then
    version = rules.current or false
    of[rules] = version
  end
  return version or nil
end

return pin
