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

-- The owners of keys. A real gateway asks a database.
local users = {
  ["key-of-ada"] = { name = "ada", plan = "gold" }, ["key-of-eve"] = { name = "eve", plan = "free" },
}
gateway.stranger = { name = "", plan = "" }

function gateway.user()
  return users[ngx.var.http_x_key or ""] or gateway.stranger
end

-- Clients that may see why a request was refused: the reason names rules and the values they saw. A real gateway checks a role.
local operators = { ["key-of-grace"] = true }

-- The answer to a refused client, with the reason for operators.
local function refusal(rules, text, expression)
  if not operators[ngx.var.http_x_operator or ""] then return text end
  local tree, _, partial = rules:explain(expression)
  return text .. tostring(tree or partial) .. "\n"
end

--- Reads the rules: in init_by_lua.
function gateway.init(options)
  options.schema, options.types = gateway.schema, gateway.types
  gateway.rules = assert(resty.new(options))
end

-- If a rule fails, the request is refused: the reason is for the log, not for the client. If the client is the cause, as with bytes that
-- aren't UTF-8, nothing is logged: any client could fill the log.
local function value(rules, expression)
  local result, err, bad_request = rules:eval(expression)
  if result ~= nil then return result end
  if bad_request then return ngx.exit(400) end
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
  local rules, why = gateway.rules:request { user = gateway.user(), region = "eu-1" }
  if not rules then return refuse(503, why .. "\n") end
  ngx.ctx.rules = rules
  local config = rules.config
  local access = config.access
  if value(rules, access.allow) ~= true then
    return refuse(403, refusal(rules, value(rules, access.refusal), access.allow))
  end
  for _, limit in ipairs(config.limit) do
    if value(rules, limit.when) == true and gateway.exceeds(limit.name, value(rules, limit.key), limit.requests, limit.window) then
      return refuse(429, "too many requests\n")
    end
  end
  for _, route in ipairs(config.route) do
    if value(rules, route.when) == true then
      ngx.ctx.upstream = value(rules, route.to)
      return
    end
  end
  return refuse(404, "no route\n")
end

--- In place of proxy_pass to the target of the routes.
function gateway.content()
  ngx.say("served by ", ngx.ctx.upstream)
end

function gateway.header_filter()
  local rules = ngx.ctx.rules
  if not rules then return end
  for _, header in ipairs(rules.config.header) do
    ngx.header[header.name] = (rules:eval(header.value))
  end
end

return gateway
