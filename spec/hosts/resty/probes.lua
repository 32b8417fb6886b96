-- What nginx.conf of these specs serves: the rules, and looks at them from outside.
local hcl = require "hclexpr"
local resty = require "resty.hclexpr"

local probes = {}

local schema = {
  attributes = {
    tag = { type = "string", required = true },
    allow = { type = "expression", returns = "bool", required = true },
    slow = { type = "expression" },
  },
  blocks = { route = { labels = { "name" }, schema = { attributes = { when = { type = "expression", returns = "bool" } } } } },
}

local asleep = hcl.func { params = { { type = "number" } }, returns = "number", impl = function(seconds)
  ngx.sleep(seconds)
  return seconds
end }
local explode = hcl.func { params = { { type = "string" } }, returns = "string", impl = function(text)
  error("exploded at " .. text, 0)
end }

--- The rules of this nginx, from where the options say.
function probes.rules(options)
  options.name, options.dict, options.schema, options.interval = "edge", "rules", schema, 0.1
  options.types = { user = "object({ name = string })" }
  options.functions = { asleep = asleep, explode = explode }
  options.node = options.node or "node"
  if os.getenv "LACKS" then options.functions.explode = nil end
  return assert(resty.new(options))
end

function probes.allow()
  local config, why = rules:config()
  if not config then
    ngx.status = 503
    ngx.say(why)
    return ngx.exit(200)
  end
  local ok, err = rules:eval(config.allow, { user = { name = ngx.var.arg_user or "" } })
  if ok == nil then
    ngx.status = 500
    ngx.say(tostring(err))
    return ngx.exit(200)
  end
  if ok ~= true then return ngx.exit(403) end
end

-- The tag is part of the text, so it and the version belong together.
function probes.answer()
  local config, version = rules:config()
  ngx.say(version, " ", config.tag)
end

function probes.note(phase)
  local _, version = rules:config()
  local id = ngx.var.connection
  ngx.shared.seen:set("last", id)
  ngx.shared.seen:rpush(id, phase .. "=" .. version)
end

-- What the long request before noted.
function probes.noted()
  local seen, out = ngx.shared.seen, {}
  local id = seen:get "last"
  repeat
    local one = seen:lpop(id)
    out[#out + 1] = one
  until not one
  ngx.say(table.concat(out, " "))
end

local function show(value, err)
  if value == nil then return "error: " .. tostring(err) end
  return (hcl.encode(value, { indent = false }))
end

function probes.eval()
  local expression = hcl.assert(hcl.compile(ngx.req.get_headers()["x-expression"]))
  -- Both ways to the same value: with a plan, and asking.
  local one = show(rules:eval(expression, { user = { name = "ada" } }))
  local other = show(expression:eval(rules:variables { user = { name = "ada" } }))
  ngx.say(one == other and one or one .. " is not " .. other)
end

function probes.late()
  local expression = hcl.assert(hcl.compile(ngx.req.get_headers()["x-expression"]))
  ngx.header["X-Value"] = show(rules:eval(expression)):gsub("%s+", " ")
end

function probes.status()
  local s = rules:status()
  ngx.say("version=", s.version, "\nstore=", s.store, "\nevaluations=", s.evaluations, "\nfailures=", s.failures, "\nseconds=", s.seconds,
    "\nworker=", ngx.worker.id(), "\nrefused=", s.refused and s.refused.version, "\nreport=", s.refused and s.refused.report)
end

-- What a leak would make grow in this worker.
function probes.process()
  collectgarbage()
  collectgarbage()
  ngx.say("pid=", ngx.worker.pid(), "\nworker=", ngx.worker.id(), "\ntimers=", ngx.timer.pending_count(), "\nrunning=",
    ngx.timer.running_count(), "\nlua=", collectgarbage "count")
end

return probes
