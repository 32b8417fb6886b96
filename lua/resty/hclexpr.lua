-- resty.hclexpr: rules in OpenResty that may change while requests run. doc/openresty.md is the guide, doc/api.md the reference.
--
--   file, folder or store ──one worker at a time──→ shared dictionary ──each worker──→ compiled and checked → used by new requests
local Version = require "resty.hclexpr.version"
local check = require "hclexpr.check"
local clock = require "resty.hclexpr.clock"
local configuration = require "hclexpr.languages.configuration"
local description = require "hclexpr.languages.description"
local fleet_language = require "hclexpr.fleet.language"
local hcl = require "hclexpr"
local metrics = require "resty.hclexpr.metrics"
local pin = require "resty.hclexpr.pin"
local request = require "resty.hclexpr.request"
local source = require "resty.hclexpr.source"
local Shared = require "resty.hclexpr.shared"
local watch = require "resty.hclexpr.watch"

-- OpenResty's LuaJIT copies a table in one step. A loop here would prevent LuaJIT from compiling the whole caller.
local can_clone, clone = pcall(require, "table.clone")
if not can_clone then
  function clone(t)
    local out = {}
    for key, value in next, t do out[key] = value end
    return out
  end
end

---@class resty.hclexpr.Store
---@field version fun(): string?, string? returns the newest version; or nil and the reason
---@field read fun(version: string): string?, string? returns the text of a version; or nil and the reason
---@field report? fun(node: string, status: resty.hclexpr.Status): any, string?

---@class resty.hclexpr.Options
---@field name string a name for log lines, metrics and keys in the shared dictionary: letters, digits, - and _
---@field dict string the name of a lua_shared_dict
---@field file? string a file with rules; a relative path begins at nginx' prefix
---@field dir? string a folder; its files whose names end in .hcl or .json are read as one body
---@field store? resty.hclexpr.Store
---@field keep? string with a store: a file that keeps the last good text, to start with when the store is down
---@field schema? hclexpr.Schema says what the text may contain; attributes of type "expression" aren't evaluated
---@field language? hclexpr.Language replaces schema, types and lookup
---@field names? table<string, any> with a language: values of the names in its `types`
---@field variables? table<string, any> with a language: values of variables that the text declares
---@field types? table<string, string|hclexpr.Type> types of names in addition to `request`
---@field functions? table<string, function|hclexpr.Function>
---@field lookup? fun(ref: hclexpr.Reference): any, (integer|string)?
---@field absent? "null"|"error"|"unknown" as for hcl.scope, also for a missing header, argument or cookie; default "error"
---@field interval? number seconds between polls of the source; default 0.5
---@field deadline? number seconds for all the source's answers in one poll; default 10
---@field body_limit? integer the largest size of request.body in bytes; default 65536
---@field node? string the name of this node in the store; default: the host's name

---@class resty.hclexpr.Status
---@field name string
---@field version? string
---@field since? number seconds since 1970
---@field rejected? { version: string, report: string, since: number }
---@field store { up: boolean, message?: string } message says what is wrong
---@field evaluations integer
---@field failures integer
---@field evaluation_seconds number

---@class resty.hclexpr.Rules
local Rules = {}
Rules.__index = Rules

local known_options = {
  name = "string", dict = "string", file = "string", dir = "string", store = "table", keep = "string", schema = "table", language = "table",
  names = "table", variables = "table", types = "table", functions = "table", lookup = "function", absent = { "error", "null", "unknown" },
  interval = "number", deadline = "number", body_limit = "number",
  node = "string",
}

local older = { folder = "dir" }

local function check_options(given)
  local o = check.options(1, "new", given, known_options, older)
  if not o or not o.name or not o.name:find "^[%w_-]+$" then check.bad(1, "new", "option 'name' must be a word") end
  if not (o.dict and ngx.shared[o.dict]) then
    check.bad(1, "new", "option 'dict' must name a lua_shared_dict, not %q", tostring(o.dict))
  end
  local n = (o.file and 1 or 0) + (o.dir and 1 or 0) + (o.store and 1 or 0)
  if n ~= 1 then check.bad(1, "new", "one of the options 'file', 'dir' and 'store' says where rules come from") end
  if not (o.schema or o.language) then check.bad(1, "new", "one of the options 'schema' and 'language' says what the text may hold") end
  if o.store and not (o.store.version and o.store.read) then check.bad(1, "new", "option 'store' must have functions version and read") end
  if o.keep and not o.store then check.bad(1, "new", "option 'keep' goes with a store") end
  if o.interval and o.interval < 0.05 then check.bad(1, "new", "option 'interval' must be 0.05 seconds or more") end
  if o.deadline and not (o.deadline >= 0.1 and o.deadline <= 30) then
    check.bad(1, "new", "option 'deadline' must be 0.1 to 30 seconds")
  end
  return o
end

-- Checks the options that depend on whether a language is given. With a language, also checks that the program gives what the language
-- needs, before any text is read. Raises an error at the caller of `new`.
local function check_language(o)
  for _, name in ipairs(o.language and { "schema", "types", "lookup" } or { "names", "variables" }) do
    local why = o.language and "can't be given with a language, which says what the text holds and which names there are"
      or "goes with a language"
    if o[name] then check.bad(1, "new", "option '%s' %s", name, why) end
  end
  if not o.language then return end
  local described = description.of(o.language)
  if not described then check.bad(1, "new", "option 'language' must be a language, which require \"hclexpr.language\" makes") end
  local fault = fleet_language.fault(described)
  if fault then check.bad(1, "new", "option 'language': %s", fault) end
  return configuration.open(described, {}, { names = o.names, functions = o.functions }, 1, "new")
end

-- Returns an absolute path. Relative paths begin at nginx' prefix, as in nginx' own directives.
local function located(path)
  if not path or path:find "^/" then return path end
  return ngx.config.prefix() .. path
end

local function host_name()
  local file = io.open "/proc/sys/kernel/hostname"
  local name = file and file:read "*l"
  if file then file:close() end
  return name or "node"
end

-- Makes the lookup function of the scope: it answers `request` itself, and passes other names to the user's own lookup.
local function lookup_of(o, body_limit)
  local own = o.lookup
  return function(ref)
    if ref.root ~= "request" then
      if own then return own(ref) end
      return nil
    end
    local memo = pin.memo()
    if not memo then return nil, "This phase has no request." end
    return request.answer(memo, ref.steps, body_limit)
  end
end

local function types_of(o)
  local types = { request = hcl.assert(hcl.type(request.type)) }
  for name, t in pairs(o.types or {}) do
    local made, why = t, nil
    if type(t) == "string" then made, why = hcl.type(t) end
    if why then check.fail(1, "new", string.format("option 'types': %s: %s", name, why[1].detail)) end
    types[name] = made
  end
  return types
end

-- Returns the text to start with, its version, and the time since which it is current. Returns nil and the reason if the files can't be
-- read, and nil alone if rules come from a store and no worker has read a version yet.
local function first_text(rules)
  local shared = rules.shared:current()
  if rules.files then
    local text, why = source.text(rules.files)
    if not text then return nil, why end
    local version = source.digest(text)
    return text, version, shared and shared.version == version and shared.since or ngx.now()
  end
  -- Earlier workers run the newest version that the store had; a version in the file `keep` may be older.
  if shared then return shared.text, shared.version, shared.since end
end

-- Starts with a text, in this process and in all workers. Returns true, or nil and a report.
local function begin_with(rules, text, version, since)
  local taken, report = Version.take(rules, version, since, text, Version.no_pause)
  if not taken then return nil, report end
  local ok, why = rules.shared:publish(version, since, text)
  if not ok then return nil, why end
  rules.current = taken
  return true
end

local function begin_with_kept(rules)
  local text, version, absent = source.kept(rules.keep)
  local ok, why
  if absent then return ngx.log(ngx.NOTICE, "hclexpr ", rules.name, ": nothing is kept yet in ", rules.keep) end
  if text then ok, why = begin_with(rules, text, version, ngx.now()) else why = version end
  if not ok then ngx.log(ngx.WARN, "hclexpr ", rules.name, ": nothing that was kept can be used: ", why) end
end

local function begin(rules)
  rules.shared:drop "refused" -- because new workers may accept a version that others rejected
  local text, version, since = first_text(rules)
  if text then return begin_with(rules, text, version, since) end
  if version then return nil, version end
  if rules.keep then begin_with_kept(rules) end
  return true
end

--- Makes rules from a file, a folder or a store. Call this in init_by_lua, so that mistakes are reported before nginx starts.
---@param options resty.hclexpr.Options
---@return resty.hclexpr.Rules? rules
---@return string? report
local function new(options)
  local o = check_options(options)
  check_language(o)
  local files, absent = { file = located(o.file), folder = located(o.dir) }, o.absent or "error"
  local rules = setmetatable({
    name = o.name, node = o.node or host_name(), interval = o.interval or 0.5, deadline = o.deadline or 10,
    keep = located(o.keep), schema = o.schema, language = o.language,
    given = { names = o.names, variables = o.variables, functions = o.functions }, files = not o.store and files or nil,
    source = o.store or source.of_files(files), shared = Shared.new(o.name, ngx.shared[o.dict]), types = types_of(o),
    counts = { evaluations = 0, failures = 0, seconds = 0 },
    -- With absent = "unknown", unknown results are errors: Lua takes a Value as true, so such a rule would seem to admit the request.
    scope = hcl.scope { functions = not o.language and o.functions or nil, lookup = lookup_of(o, o.body_limit or 65536), absent = absent,
                        convert = absent == "unknown" and { unknown = "error" } or nil },
  }, Rules)
  local ok, why = begin(rules)
  if not ok then return nil, string.format("hclexpr %s: %s", rules.name, why) end
  return rules
end

--- Begins to follow changes of the source. Call this in init_worker_by_lua.
function Rules:start()
  if self.started or not ngx.worker.id() then return end
  self.started = true
  watch.begin(self)
  local function beat(premature)
    if not premature then watch.beat(self) end
  end
  assert(ngx.timer.at(0, function(premature)
    beat(premature)
    if not premature then watch.await(self) end
  end))
  assert(ngx.timer.every(self.interval, beat))
end

--- Returns the decoded text, which must not be changed, and its version. A request sees the same version from its first call to its end,
--- including subrequests and the log phase.
---@return table? config
---@return string version_or_why
function Rules:config()
  local version = pin.version(self, pin.memo())
  if not version then return nil, "no version yet" end
  return version.config, version.version
end

-- Returns the plan of an expression: which parts of the request it reads. Plans are stored in the version; Version.warm makes most of them
-- in advance.
local function plan_of(version, expression)
  local plan = version and version.plans[expression]
  if not plan then
    plan = Version.plan_of(expression)
    if version then version.plans[expression] = plan end
  end
  return plan
end

--- The rules for one request, with bound variables. All evaluations share the parts of the request that were read.
---@class resty.hclexpr.Request
---@field config table the decoded text, which must not be changed
---@field version string
local Request = {}
Request.__index = Request

-- Binds variables for a request. `names` has the variables and the parts of the request that plans have read so far; for other parts the
-- lookup is called.
local function bind(rules, variables)
  local memo, names = pin.memo(), variables and clone(variables) or {}
  if memo then names.request = memo.request end
  local pinned = pin.version(rules, memo)
  return { rules = rules, memo = memo, pinned = pinned, variables = variables, names = names, config = pinned and pinned.config,
           version = pinned and pinned.version }
end

local function names_for(self, plan)
  local memo, parts = self.memo, plan.parts
  if memo and parts and request.fill(memo, parts) then return self.names end
  return self.variables
end

-- Evaluates an expression by one of its methods, and counts the evaluation for metrics.
local function counted(self, method, expression)
  local started = clock()
  local plan, rules = plan_of(self.pinned, expression), self.rules
  local value, err = plan.expression[method](plan.expression, names_for(self, plan), rules.scope)
  local counts = rules.counts
  counts.evaluations = counts.evaluations + 1
  counts.seconds = counts.seconds + (clock() - started)
  if value == nil then
    counts.failures = counts.failures + 1
    return nil, err, request.is_bad(err)
  end
  return value
end

--- Evaluates an expression to a Lua value, with `request` and the bound variables. The third result is true if the client caused the
--- failure, for example with bytes that aren't UTF-8: answer 400.
---@param expression hclexpr.Attribute|hclexpr.Expression
---@return any value
---@return hclexpr.Diagnostics? err
---@return boolean? bad_request
function Request:eval(expression)
  return counted(self, "eval", expression)
end

--- Evaluates an expression to true or false, for decisions: null and unknown are errors. The third result is as for Request:eval.
---@param expression hclexpr.Attribute|hclexpr.Expression
---@return boolean? decision
---@return hclexpr.Diagnostics? err
---@return boolean? bad_request
function Request:test(expression)
  return counted(self, "test", expression)
end

--- Explains the value of an expression for this request, for example why the request was rejected. Metrics don't count it.
---@param expression hclexpr.Attribute|hclexpr.Expression
---@return hclexpr.Explanation? tree tostring returns lines for people
---@return hclexpr.Diagnostics? err
---@return hclexpr.Explanation? partial after a failure: a tree that shows where
function Request:explain(expression)
  local plan = plan_of(self.pinned, expression)
  return plan.expression:explain(names_for(self, plan), self.rules.scope)
end

--- Binds variables for several evaluations in this request. Use the result only in this request: a subrequest, or the target of an internal
--- redirect, must make its own.
---@param variables? table must not be changed afterwards
---@return resty.hclexpr.Request? request
---@return string? why
function Rules:request(variables)
  local bound = bind(self, variables)
  if not bound.pinned then return nil, "no version yet" end
  local made = setmetatable(bound, Request)
  return made
end

--- Evaluates an expression to a Lua value, with `request` and the given variables, like Request:eval.
---@param expression hclexpr.Attribute|hclexpr.Expression
---@param variables? table
---@return any value
---@return hclexpr.Diagnostics? err
---@return boolean? bad_request
function Rules:eval(expression, variables)
  return Request.eval(bind(self, variables), expression)
end

--- Evaluates an expression to true or false, for decisions, like Request:test.
---@param expression hclexpr.Attribute|hclexpr.Expression
---@param variables? table
---@return boolean? decision
---@return hclexpr.Diagnostics? err
---@return boolean? bad_request
function Rules:test(expression, variables)
  return Request.test(bind(self, variables), expression)
end

--- Explains the value of an expression for this request. Metrics don't count it.
---@param expression hclexpr.Attribute|hclexpr.Expression
---@param variables? table
---@return hclexpr.Explanation? tree tostring returns lines for people
---@return hclexpr.Diagnostics? err
---@return hclexpr.Explanation? partial after a failure: a tree that shows where
function Rules:explain(expression, variables)
  return Request.explain(bind(self, variables), expression)
end

--- Returns the variables and the scope, which answers `request`, for calls of your own: `expr:test(rules:variables { user = user })`.
---@param variables? table
---@return table variables
---@return hclexpr.Scope scope
function Rules:variables(variables)
  return variables or {}, self.scope
end

---@return resty.hclexpr.Status
function Rules:status()
  return metrics.status(self)
end

--- Returns status and counters in the text format of Prometheus.
---@return string
function Rules:metrics()
  return metrics.text(self)
end

return { new = new }
