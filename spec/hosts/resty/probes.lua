-- What nginx.conf of these specs serves: the rules, and functions to inspect them.
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

-- Functions that misbehave for some users: they return their argument.
local function harmful(impl)
  return hcl.func { params = { { type = "string" } }, returns = "string", impl = impl }
end
local asleep = harmful(function(name)
  if name == "slow" then ngx.sleep(0.5) end
  return name
end)
local explode = harmful(function(name)
  if name == "bad" then error("exploded at " .. name, 0) end
  return name
end)

--- The rules of this nginx, from the source in the options.
function probes.rules(options)
  options.name, options.dict, options.schema = "edge", "rules", schema
  options.interval, options.absent = options.interval or 0.05, "null"
  options.types = { user = "object({ name = string })" }
  options.functions = { asleep = asleep, explode = explode }
  options.node = options.node or "node"
  if options.lacks then options.functions[options.lacks] = nil end
  options.lacks = nil
  return assert(resty.new(options))
end

-- Records what rules report outside of requests: by phase, for the first worker there. (A later one may find the version of its poll.)
function probes.outside()
  local function note()
    local sound, _, version = pcall(rules.config, rules)
    ngx.shared.seen:add(ngx.get_phase(), sound and version)
  end
  note()
  ngx.timer.at(0, note)
end

function probes.said_outside()
  for _, phase in ipairs { "init_worker", "timer" } do
    local said = ngx.shared.seen:get(phase)
    if said then ngx.say(phase, "=", said) end
  end
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

-- A request that waits until it is released.
function probes.hold()
  while ngx.var.arg_held and not ngx.shared.seen:get "released" do ngx.sleep(0.01) end
end

function probes.release() ngx.shared.seen:set("released", true) end

function probes.both()
  local before = ngx.ctx.version
  if ngx.var.arg_wait then ngx.sleep(tonumber(ngx.var.arg_wait)) end
  local config, version = rules:config()
  ngx.say(before, " ", version, " ", config.tag)
end

function probes.note(phase)
  local _, version = rules:config()
  local id = ngx.var.connection
  ngx.shared.seen:set("last", id)
  ngx.shared.seen:rpush(id, phase .. "=" .. version)
end

-- The record of the long request before.
function probes.noted()
  local seen, out = ngx.shared.seen, {}
  local id = seen:get "last"
  if ngx.var.arg_peek then
    local one = seen:rpop(id)
    seen:rpush(id, one)
    return ngx.say(" ", one)
  end
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
  -- Two ways to the same value: with a plan, and through the lookup.
  local one = show(rules:eval(expression, { user = { name = "ada" } }))
  local other = show(expression:eval(rules:variables { user = { name = "ada" } }))
  ngx.say(one == other and one or one .. " is not " .. other)
end

-- The processor time of an evaluation, and whether it fails because of the client.
function probes.cost()
  local expression = hcl.assert(hcl.compile(ngx.req.get_headers()["x-expression"]))
  local started = os.clock()
  local value, err, bad_request = rules:eval(expression)
  ngx.say("seconds=", os.clock() - started, "\nfails=", tostring(value == nil), "\nbad=", tostring(bad_request))
  ngx.say("err=", (tostring(err):gsub("\n", " ")))
end

-- The tree of the rule `allow`, and of an expression; the number of evaluations counted for them.
function probes.why()
  local before = rules:status().evaluations
  local names = { user = { name = ngx.var.arg_user or "" } }
  local tree, _, partial = rules:explain(rules:config().allow, names)
  local own = ngx.req.get_headers()["x-expression"]
  if own then tree, _, partial = rules:explain(hcl.assert(hcl.compile(own)), names) end
  ngx.say(tostring(tree or partial), "\ncounted=", rules:status().evaluations - before)
end

-- Names bound in one phase and used in two, beside calls that bind others.
function probes.bind()
  local request, why = rules:request { user = { name = "ada" } }
  if not request then
    ngx.say(why)
    return ngx.exit(200)
  end
  ngx.ctx.request = request
  ngx.ctx.early = tostring(request:eval(hcl.assert(hcl.compile 'user.name == "ada" && request.method == "GET"')))
end

function probes.bound()
  local request = ngx.ctx.request
  local config, version = rules:config()
  local both = hcl.assert(hcl.compile '"${user.name} ${request.method} ${request.path}"')
  local asks = hcl.assert(hcl.compile '"${user.name} ${length(request.headers)}"')
  ngx.say("early=", ngx.ctx.early, "\nsame=", tostring(request.config == config and request.version == version))
  ngx.say("late=", (request:eval(both)), "\nother=", (rules:eval(both, { user = { name = "eve" } })))
  ngx.say("asks=", (request:eval(asks)), "\nfails=", tostring(select(2, request:eval(hcl.assert(hcl.compile "user.nam")))):match "[^\n]*")
  ngx.say("tests=", tostring(request:test(hcl.assert(hcl.compile 'user.name == "x"'))))
  ngx.say("why=", (tostring(request:explain(both)):gsub("%s+", " ")))
end

-- The result of an expression under each option `absent`: value, kind of failure, whether the client caused it; rules:eval, then test.
local by_absent, words_of_absent = {}, { "null", "error", "unknown", "default" }
function probes.absent()
  local expression = hcl.assert(hcl.compile(ngx.req.get_headers()["x-expression"]))
  for _, absent in ipairs(words_of_absent) do
    local own = by_absent[absent]
    local value, err, bad_request = own:eval(expression)
    local tested, why = expression:test(own:variables())
    ngx.say(absent, "=", value == nil and err[1].code or tostring(value == hcl.null and "null" or value), " ", tostring(bad_request), " ",
      tested == nil and why[1].code or tostring(tested))
    local decided, wrong, bad = own:test(expression)
    ngx.say(absent, "tested=", decided == nil and wrong[1].code or tostring(decided), " ", tostring(bad))
  end
end

--- Rules for each word of `absent`, and without the option.
function probes.make_absent()
  for _, absent in ipairs(words_of_absent) do
    by_absent[absent] = assert(resty.new {
      name = "absent-" .. absent, dict = "rules", schema = schema, absent = absent ~= "default" and absent or nil,
      store = { version = function() return nil, "none" end, read = function() end },
    })
  end
end

function probes.late()
  local expression = hcl.assert(hcl.compile(ngx.req.get_headers()["x-expression"]))
  ngx.header["X-Value"] = show(rules:eval(expression)):gsub("%s+", " ")
end

function probes.status()
  local s = rules:status()
  local config = rules:config()
  local refused = s.rejected or {}
  ngx.say("version=", s.version, "\ntag=", config and config.tag, "\nstore=", s.store.up and "ok" or s.store.message)
  ngx.say("evaluations=", s.evaluations)
  ngx.say("failures=", s.failures, "\nseconds=", s.evaluation_seconds, "\nworker=", ngx.worker.id(), "\nrefused=", refused.version)
  ngx.say("report=", refused.report)
end

-- The versions that this worker had, as long as they are referenced.
local versions = setmetatable({}, { __mode = "k" })

-- The status of a worker, and the figures that a leak would increase.
local function about()
  local alive = 0
  collectgarbage()
  collectgarbage()
  for _ in pairs(versions) do alive = alive + 1 end
  local file = io.open "/proc/self/statm"
  local pages = file:read("*a"):match "^%d+ (%d+)"
  file:close()
  local s = rules:status()
  return table.concat({
    "worker=" .. ngx.worker.id(), "pid=" .. ngx.worker.pid(), "timers=" .. ngx.timer.pending_count(), "lua=" .. collectgarbage "count",
    "pages=" .. pages, "versions=" .. alive, "version=" .. tostring(s.version), "store=" .. (s.store.message or "ok"),
    "refused=" .. (s.rejected and s.rejected.report:match "[^\n]*" or ""), (rules:metrics():gsub("#[^\n]*\n", "")) }, "\n")
end

--- It is unknown which worker takes a request, so a request about all workers lets each of them answer.
function probes.begin()
  local seen, answered = ngx.shared.seen, nil
  ngx.timer.every(0.02, function()
    if rules.current then versions[rules.current] = true end
    local question = seen:get "question"
    if question == answered then return end
    answered = question
    seen:set("worker:" .. ngx.worker.id(), question .. "\n" .. about())
  end)
end

function probes.workers()
  local seen, said = ngx.shared.seen, {}
  local question = seen:incr("question", 1, 0)
  for id = 0, ngx.worker.count() - 1 do
    repeat
      local number, text = (seen:get("worker:" .. id) or "0\n"):match "^(%d+)\n(.*)$"
      if tonumber(number) >= question then said[#said + 1] = text else ngx.sleep(0.01) end
    until #said > id
  end
  ngx.say(table.concat(said, "\n\n"))
end

-- The records of polls of the source.
function probes.seen()
  ngx.say("looks=", ngx.shared.rules:get "edge:fence" or 0)
  for _, name in ipairs { "overlaps", "reader" } do ngx.say(name, "=", ngx.shared.seen:get(name) or 0) end
end

return probes
