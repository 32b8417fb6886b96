-- The gateway of gateway.hcl with its decisions in Lua: to compare, and to measure against. Changing one needs a reload.
local gateway = require "gateway"

local by_hand = {}

local function refuse(status, text)
  ngx.status = status
  ngx.print(text)
  return ngx.exit(200)
end

local function starts_with(text, prefix) return text:sub(1, #prefix) == prefix end

local methods = { GET = true, POST = true }

local function route(path, user)
  if path == "/healthz" then return "local" end
  if starts_with(path, "/api/") and methods[ngx.req.get_method()] then return user.plan == "gold" and "dedicated" or "shared" end
  return "web-eu-1"
end

function by_hand.access()
  local user, path = gateway.user(), ngx.var.uri
  ngx.ctx.user = user
  if user.plan == "" and not starts_with(path, "/public/") then
    return refuse(403, string.format("no entry for %s to %s\n", user.name == "" and "strangers" or user.name, path))
  end
  if user.plan == "free" and starts_with(path, "/api/") and gateway.exceeds("by hand", user.name, 3, 60) then
    return refuse(429, "too many requests\n")
  end
  ngx.ctx.upstream = route(path, user)
end

function by_hand.content()
  ngx.say("served by ", ngx.ctx.upstream)
end

function by_hand.header_filter()
  local user, trace = ngx.ctx.user, ngx.req.get_headers()["x-trace"]
  if not user then return end
  if type(trace) == "table" then trace = trace[1] end
  ngx.header["X-Served-For"] = trace and user.name .. "/" .. trace or user.name
end

return by_hand
