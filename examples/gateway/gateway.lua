-- A gateway whose decisions are in gateway.hcl. nginx.conf calls `access`, `content` and `header_filter`; by_hand.lua is the same in Lua.
local resty = require "resty.hclexpr"

local gateway = {}

local function returns(type) return { type = "expression", returns = type, required = true } end

gateway.schema = {
  blocks = {
    access = { nesting = "single", min = 1, schema = { attributes = { allow = returns "bool", refusal = returns "string" } } },
    route = { labels = { "name" }, min = 1, schema = { attributes = { when = returns "bool", to = returns "string" } } },
    limit = { labels = { "name" }, schema = { attributes = {
      when = returns "bool", key = returns "string",
      requests = { type = "number", required = true }, window = { type = "number", default = 60 },
    } } },
    header = { labels = { "name" }, schema = { attributes = { value = returns "string" } } },
  },
}

gateway.types = { user = "object({ name = string, plan = string })", region = "string" }

-- Who has which key. A real gateway asks a database.
local users = {
  ["key-of-ada"] = { name = "ada", plan = "gold" }, ["key-of-eve"] = { name = "eve", plan = "free" },
}
gateway.stranger = { name = "", plan = "" }

function gateway.user()
  return users[ngx.var.http_x_key or ""] or gateway.stranger
end

-- Who may be told why a request was refused: the reason names rules and what they saw. A real gateway looks for a role.
local operators = { ["key-of-grace"] = true }

-- What a refused client reads, and for operators why.
local function refusal(text, expression, names)
  if not operators[ngx.var.http_x_operator or ""] then return text end
  return text .. tostring((gateway.rules:explain(expression, names))) .. "\n"
end

--- Reads the rules: in init_by_lua.
function gateway.init(options)
  options.schema, options.types = gateway.schema, gateway.types
  gateway.rules = assert(resty.new(options))
end

-- A rule that fails closes the door: the reason is for the log, not for the client.
local function value(expression, variables)
  local result, err = gateway.rules:eval(expression, variables)
  if result ~= nil then return result end
  ngx.log(ngx.ERR, tostring(err))
  return ngx.exit(500)
end

local function refuse(status, text)
  ngx.status = status
  ngx.print(text)
  return ngx.exit(200)
end

--- Is a limit exceeded?
function gateway.exceeds(name, key, limit, window)
  local counts = ngx.shared.counts
  local slot = string.format("%s:%s:%d", name, key, math.floor(ngx.time() / window))
  return counts:incr(slot, 1, 0, window) > limit
end

function gateway.access()
  local config, why = gateway.rules:config()
  if not config then return refuse(503, why .. "\n") end
  local names = { user = gateway.user(), region = "eu-1" }
  ngx.ctx.names = names
  local access = config.access
  if value(access.allow, names) ~= true then
    return refuse(403, refusal(value(access.refusal, names), access.allow, names))
  end
  for _, limit in ipairs(config.limit) do
    if value(limit.when, names) == true and gateway.exceeds(limit.name, value(limit.key, names), limit.requests, limit.window) then
      return refuse(429, "too many requests\n")
    end
  end
  for _, route in ipairs(config.route) do
    if value(route.when, names) == true then
      ngx.ctx.upstream = value(route.to, names)
      return
    end
  end
  return refuse(404, "no route\n")
end

--- Stands for proxy_pass to what the routes chose.
function gateway.content()
  ngx.say("served by ", ngx.ctx.upstream)
end

function gateway.header_filter()
  local config, names = gateway.rules:config(), ngx.ctx.names
  if not (config and names) then return end
  for _, header in ipairs(config.header) do
    ngx.header[header.name] = (gateway.rules:eval(header.value, names))
  end
end

return gateway
