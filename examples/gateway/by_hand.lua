-- The gateway of gateway.hcl with its decisions in Lua: to compare, and to measure against. Changing one needs a reload. Like the
-- rules, it also rejects texts that aren't UTF-8 and too many headers, and counts decisions and their time.
local clock = require "resty.hclexpr.clock"
local gateway = require "gateway"

local by_hand = { counts = { decisions = 0, seconds = 0 } }

local function refuse(status, text)
  ngx.status = status
  ngx.print(text)
  return ngx.exit(200)
end

-- Is a client's text UTF-8?
local function is_text(bytes)
  return ngx.re.find(bytes, "^", "jou") ~= nil
end

-- A function whose calls are counted.
local function counted(f)
  local counts = by_hand.counts
  return function()
    local started = clock()
    counts.decisions = counts.decisions + 1
    local result = f()
    counts.seconds = counts.seconds + (clock() - started)
    return result
  end
end

local function starts_with(text, prefix) return text:sub(1, #prefix) == prefix end

local methods = { GET = true, POST = true }

local function route(path, user)
  if path == "/healthz" then return "local" end
  if starts_with(path, "/api/") and methods[ngx.req.get_method()] then return user.plan == "gold" and "dedicated" or "shared" end
  return "web-eu-1"
end

by_hand.access = counted(function()
  local user, path = gateway.user(), ngx.var.uri
  if not is_text(path) then return ngx.exit(400) end
  ngx.ctx.user = user
  if user.plan == "" and not starts_with(path, "/public/") then
    return refuse(403, string.format("no entry for %s to %s\n", user.name == "" and "strangers" or user.name, path))
  end
  if user.plan == "free" and starts_with(path, "/api/") and gateway.exceeds("by hand", user.name, 3, 60) then
    return refuse(429, "too many requests\n")
  end
  ngx.ctx.upstream = route(path, user)
end)

function by_hand.content()
  ngx.say("served by ", ngx.ctx.upstream)
end

local MAX_HEADERS = 1000

by_hand.header_filter = counted(function()
  local user = ngx.ctx.user
  if not user then return end
  local headers, cut = ngx.req.get_headers(MAX_HEADERS)
  if cut then return end
  local trace = rawget(headers, "x-trace")
  if type(trace) == "table" then trace = trace[1] end
  if trace and not is_text(trace) then return end
  ngx.header["X-Served-For"] = trace and user.name .. "/" .. trace or user.name
end)

return by_hand
