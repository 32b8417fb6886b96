-- Callbacks that misbehave. `places` are the points where the library calls a user's function; `misdeeds` are what it may do there.
-- Each is tried at each place: the call gives a result or a clean error, leaks nothing, and works correctly the next time.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "support.lua")
local without_nginx = dofile(support.root .. "spec/hosts/resty/without_nginx.lua")
local lacking = support.lacking(hcl)

local M = {}

-- ---- places -----------------------------------------------------------------------------------------------------------------

---@class spec.Place
---@field proper function what a correct callback does
---@field make fun(callback: function): function, function? makes a new task, and a function that closes or changes what the task uses
---@field keeps? boolean errors of the callback become part of the answer, as in a server, and aren't raised unchanged
---@field long? boolean the task takes milliseconds
---@field waits? boolean starting the task again while the callback waits is an error

--- The places, by name.
---@type table<string, spec.Place>
M.places = {}
local places = M.places

-- The result of a call, as text.
local function text_of(value, err)
  if value == nil then return nil, err end
  local value_err
  if type(value) == "table" then value, value_err = hcl.encode(value) end
  if value == nil then return nil, value_err end
  return tostring(value)
end

-- A place in an expression: the options of its scope, and its named values. `closed` is a Value that both may use.
local function of_expression(source, proper, options, variables)
  return {
    proper = proper,
    make = function(callback)
      local held = hcl.value({ 1, 2 }, "list(number)")
      local named = variables and variables(callback, held) or {}
      named.held, named.list = held, { { n = 1 }, { n = 2 } }
      local scope = options and hcl.scope(options(callback, held))
      local expression = hcl.assert(hcl.compile(source))
      local function harm()
        held:close()
        for i = #named.list, 1, -1 do named.list[i] = nil end
        for name in pairs(named) do named[name] = nil end
        getmetatable(expression).__gc(expression)
        scope = nil
      end
      return function() return text_of(expression:eval(named, scope)) end, harm
    end,
  }
end

local function double(x) return x * 2 end

local function functions(callback) return { functions = { f = callback } } end

places["scope: function"] = of_expression("[for x in list : f(x.n)]", double, functions)
places["scope: function of one within another"] = of_expression("f(f(held[0]) + list[1].n)", double, functions)
places["scope: function of a namespace"] = of_expression("acme::f(2)", function(x, y) return (y or x) end,
  function(callback) return { functions = { ["acme::*"] = callback } } end)
places["scope: function in a branch that is dropped"] = of_expression("try(f(1), can(f(2)))", double, functions)
places["scope: lookup"] = of_expression("[a.b, a.c, held[0]]", function(ref) return ref.path, 1 end,
  function(callback) return { lookup = callback } end)
places["scope: lookup of a parent"] = of_expression("[for x in list : a[x.n]]", function() return { 5, 6, 7 } end,
  function(callback) return { parent = hcl.scope { lookup = callback } } end)
places["scope: lookup with computed keys"] = of_expression("[for x in list : a[x.n].b[held[0]]]",
  function(ref) return ref.path, #ref.steps end, function(callback) return { lookup = callback } end)
places["scope: lookup where what is absent is an error"] = of_expression("a.b", function() return { b = 1 } end,
  function(callback) return { lookup = callback, absent = "error" } end)
places["scope: clock"] = of_expression("timestamp()", function() return 1700000000 end, function(callback) return { clock = callback } end)
if not lacking 'uuidv5("dns", "a")' then
  places["scope: random"] = of_expression("[uuid(), held[0]]", function(n) return ("\7"):rep(n) end,
    function(callback) return { random = callback } end)
end
places["scope: lazy variable"] = of_expression("[for x in list : z.a + x.n]", function() return { a = 1 } end, nil,
  function(callback) return { z = callback } end)
places["scope: lazy variable of its own"] = of_expression("z.a + held[1]", function() return { a = 1 } end,
  function(callback) return { variables = { z = callback } } end)
places["lazy: in data"] = of_expression("[for x in rows : x.v + held[0]]", function() return 1 end, nil, function(callback)
  return { rows = { { v = hcl.lazy(callback) }, { v = 2 }, { v = hcl.lazy(callback) } } }
end)
places["lazy: a whole"] = of_expression("merge(data, { b = held })", function() return { a = { 1 } } end, nil, function(callback)
  return { data = { c = hcl.lazy(callback), d = { hcl.lazy(callback) } } }
end)
places["lazy: a collection's element by path"] = of_expression("data.c[1].d", function() return { 1, { d = "x" } } end, nil,
  function(callback) return { data = { c = hcl.lazy(callback) } } end)

places["func: impl"] = of_expression("f(list[0].n, held...)", function(a, b, c) return a + b + c end, function(callback)
  return { functions = { f = hcl.func { params = { { type = "number" } }, variadic = { type = "number" }, impl = callback } } }
end)
places["func: impl with Values"] = of_expression("f(list, held)", function(_, b) return b end, function(callback)
  return { functions = { f = hcl.func { params = { {}, {} }, values = true, returns = "list(number)", impl = callback } } }
end)
places["func: returns"] = of_expression("f(held[0])", function() return "string" end, function(callback)
  return { functions = { f = hcl.func { params = { { type = "number" } }, returns = callback, impl = tostring } } }
end)

-- A place whose task is `act(callback)`.
local function place(proper, act) return { proper = proper, make = act } end

places["value: a table with a function"] = place(function() return { 1 } end, function(callback)
  return function() return text_of(hcl.eval("[a.b, a.c]", { a = { b = hcl.lazy(callback), c = 1 } })) end
end)
places["expression: test"] = place(function() return true end, function(callback)
  local expression, scope = hcl.compile "f() && x", hcl.scope(functions(callback))
  return function() return text_of(expression:test({ x = true }, scope)) end
end)
places["expression: value"] = place(double, function(callback)
  local expression, scope = hcl.compile "[f(1)]", hcl.scope(functions(callback))
  return function() return text_of(expression:value(nil, scope)) end
end)
places["expression: render"] = place(double, function(callback)
  local scope = hcl.scope(functions(callback))
  return function() return text_of(hcl.render("%{ for x in [1, 2] }<${f(x)}>%{ endfor }", nil, scope)) end
end)
places["expression: templatestring"] = place(double, function(callback)
  local scope = hcl.scope(functions(callback))
  return function() return text_of(hcl.eval("templatestring(t, { x = 2 })", { t = "<${f(x)}>" }, scope)) end
end)
places["expression: a template file"] = place(function(x) return x:upper() end, function(callback)
  local scope = hcl.scope { filesystem = support.root .. "spec/conformance/fixtures", functions = { upper = callback } }
  return function() return text_of(hcl.eval('templatefile("tmpl/list.tftpl", { items = [upper("x")] })', nil, scope)) end
end)
places["expression: explanation"] = place(double, function(callback)
  local expression, scope = hcl.compile "f(a) + [for x in l : f(x)][0]", hcl.scope(functions(callback))
  return function()
    local tree, err = expression:explain({ a = 1, l = { 2 } }, scope)
    return tree and tostring(tree), err
  end
end)
places["expression: origin in an explanation"] = place(function() return "here" end, function(callback)
  local expression = hcl.compile "a + b"
  return function()
    local tree, err = expression:explain({ a = 1, b = 2 }, nil, { origin = callback })
    return tree and tostring(tree), err
  end
end)

-- ---- bodies ---------------------------------------------------------------------------------------------------------------

local BODY = 'a = f(1)\ndynamic "b" {\n  for_each = [f(2), f(3)]\n  content {\n    v = f(b.value)\n  }\n}\n'
local RULED = { attributes = { a = {} }, blocks = { b = { schema = { attributes = { v = {} } } } } }

-- A place in a body that calls f.
local function of_body(source, act)
  return place(double, function(callback)
    local body = hcl.assert(hcl.parse(source))
    return act(body, hcl.scope(functions(callback)))
  end)
end

places["body: decode"] = of_body(BODY, function(body, scope) return function() return text_of(body:decode(RULED, nil, scope)) end end)
places["body: expand"] = of_body(BODY, function(body, scope)
  return function()
    local expanded, err = body:expand(nil, scope)
    if not expanded then return nil, err end
    return text_of(expanded.blocks[2].body.attributes.v:eval(nil, scope))
  end
end)
places["body: content"] = of_body(BODY, function(body, scope)
  return function()
    local content, err = body:content(RULED, nil, scope)
    return content and tostring(#content.blocks) or nil, err
  end
end)
places["body: attribute"] = of_body("a = f(1)\n", function(body, scope)
  local attribute = body.attributes.a
  return function() return text_of(attribute:eval(nil, scope)) end
end)
places["body: check of a schema"] = place(function() return true end, function(callback)
  local body = hcl.parse 'a = 1\nb {\n  v = "x"\n}\nb {\n  v = "y"\n}\n'
  local schema = { attributes = { a = { check = callback } }, blocks = { b = { schema = { attributes = { v = { check = callback } } } } } }
  return function() return text_of(body:decode(schema)) end
end)
places["body: pause"] = place(function() end, function(callback)
  local body = hcl.parse 'a = 1\nb {\n  v = "x"\n}\nb {\n  v = "y"\n}\n'
  local schema = { attributes = { a = {} }, blocks = { b = { schema = { attributes = { v = { type = "expression" } } } } } }
  return function()
    local values, err = body:decode(schema, nil, nil, { pause = callback, ranges = true })
    if not values then return nil, err end
    return tostring(hcl.range_of(values, "b", 2, "v").start.line) .. values.b[1].v:eval()
  end
end)
places["body: declared functions"] = place(double, function(callback)
  local scope = hcl.scope(functions(callback))
  local source = 'function "g" {\n  params = [x]\n  result = f(x) + 1\n}\nlocals {\n  l = g(1)\n}\na = g(2) + local.l\n'
  return function() return text_of(hcl.decode(source, nil, scope, { declarations = true })) end
end)
places["specification: decode"] = place(double, function(callback)
  local spec = hcl.assert(hcl.spec 'block_list {\n block_type = "b"\n attr {\n name = "c"\n type = number\n }\n}\n')
  local body, scope = hcl.parse "b {\n c = f(1)\n}\nb {\n c = f(2)\n}\n", hcl.scope(functions(callback))
  return function() return text_of(spec:decode(body, nil, scope)) end
end)

-- Tables are read and written without their metamethods, so no callback runs there.
local EVENTS = { "__index", "__newindex", "__len", "__eq", "__pairs", "__ipairs", "__tostring", "__call", "__concat", "__lt", "__close" }
places["metamethods"] = place(function() end, function(callback)
  local function metatable()
    local mt = {}
    for _, event in ipairs(EVENTS) do mt[event] = callback end
    return mt
  end
  local mt = metatable()
  local function hostile(t) return setmetatable(t, mt) end
  local variables = hostile { t = hostile { a = hostile { 1, 2 } }, big = hostile {} }
  for i = 1, 300 do variables.big[i] = hostile { n = hostile { i } } end
  local explained = hcl.compile "[for x in big : x.n][0]"
  local scope = hcl.scope { variables = { u = hostile { b = 1 } }, convert = { array_mt = metatable(), object_mt = metatable() } }
  local source = "[t.a[1], [for x in t.a : x + 1], u, u.b, { c = t.a }, try(t.zz, 1), try(u.zz.y, 2)]"
  return function()
    callback()
    local value, err = hcl.eval(source, variables, scope)
    if not value then return nil, err end
    local tree = explained:explain(variables, scope)
    return text_of(hcl.value(value)) .. text_of(hcl.encode(hostile { a = hostile { 1 } })) .. tostring(tree)
  end
end)

-- ---- folders --------------------------------------------------------------------------------------------------------------

local FOLDER = {
  ["main.tf"] = [[
variable "n" { default = 2 }
locals { a = [for x in range(3) : f(x)] }
resource "terraform_data" "s" {
  count = var.n
  input = local.a[count.index]
}
resource "other_thing" "t" { a = terraform_data.s[0].input }
module "m" {
  source  = "example/m/x"
  version = "1.0.0"
  x       = local.a
}
output "o" { value = [terraform_data.s[1].input, module.m.y, other_thing.t.made] }
]],
  ["m/m.tf"] = 'variable "x" { type = list(string) }\noutput "y" { value = join("-", var.x) }\n',
  ["t.tftest.hcl"] = 'run "r" {\n command = plan\n assert {\n  condition = output.o[0] == 2\n  error_message = "no"\n }\n}\n',
}

local folder -- made on first use
local function dir()
  folder = folder or support.folder(FOLDER)
  return folder
end

local clock = os.clock

-- The module reports progress only from time to time: here the clock jumps.
local function hurried(work)
  return function()
    local now = clock()
    rawset(os, "clock", function()
      now = now + 1
      return now
    end)
    return work()
  end
end

--- Removes the files of the places.
function M.finish()
  rawset(os, "clock", clock)
  without_nginx.finish()
  if folder then support.remove(folder) end
  folder = nil
end

local proper_of_module = {
  environment = function(name) return name == "TF_VAR_n" and "2" or nil end,
  resource = function(r) return r.type == "other_thing" and { made = "x" } or nil end,
  source = function() return dir() .. "/m" end,
  read = function() end,
  progress = function() end,
  breathe = function() end,
}

-- Options of a module in which all callbacks but one are correct.
local function module_options(name, callback)
  local options = { scope = hcl.scope { functions = { f = name == "scope" and callback or double } } }
  for option, proper in pairs(proper_of_module) do options[option] = proper end
  if name ~= "scope" then options[name] = callback end
  return options
end

local function plan_text(m)
  local plan, err = m:plan()
  if not plan then return nil, err end
  local out = {}
  for i, r in ipairs(plan.resources) do out[i] = r.address end
  local outputs, why = m:outputs()
  if not outputs then return nil, why end
  return table.concat(out, " ") .. tostring(outputs.o)
end

-- A change for a module that is used again and again.
local function changes(m)
  return function()
    m:change(dir() .. "/main.tf", (FOLDER["main.tf"]:gsub("range%(3%)", "range(4)")))
    m:reload()
    m:plan()
  end
end

for name, proper in pairs(proper_of_module) do
  places["folder: " .. name] = place(proper, function(callback)
    local m, err = hcl.module(dir(), module_options(name, callback))
    assert(m, tostring(err))
    local function work()
      local read, why = m:reload()
      if not read then return nil, why end
      return plan_text(m)
    end
    return name == "progress" and hurried(work) or work, changes(m)
  end)
end
places["folder: a function of its scope"] = place(double, function(callback)
  local m = hcl.module(dir(), module_options("scope", callback))
  return function()
    local read, why = m:change(dir() .. "/main.tf", FOLDER["main.tf"])
    if not read then return nil, why end
    return plan_text(m)
  end, changes(m)
end)
places["folder: opened"] = place(proper_of_module.source, function(callback)
  return function()
    local m, err = hcl.module(dir(), module_options("source", callback))
    if not m then return nil, err end
    return text_of(m:eval "module.m.y")
  end
end)
places["folder: an explanation"] = place(double, function(callback)
  local m = hcl.module(dir(), module_options("scope", callback))
  return function()
    m:reload()
    local tree, why = m:explain "module.m.y"
    return tree and tostring(tree), why
  end, changes(m)
end)
places["folder: a test's report"] = place(function() end, function(callback)
  local m = hcl.module(dir(), module_options("progress", proper_of_module.progress))
  return function()
    local results, why = m:test { report = callback }
    if not results then return nil, why end
    return results.status
  end, changes(m)
end)
places["folder: a function while tests run"] = place(double, function(callback)
  local m = hcl.module(dir(), module_options("scope", callback))
  return function()
    local results, why = m:test()
    if not results then return nil, why end
    return results.status
  end, changes(m)
end)

-- ---- the service and the server -------------------------------------------------------------------------------------------

local function service_of(callback, name)
  local workspace = require("hclexpr.service").new { [name] = callback }
  local path = dir() .. "/main.tf"
  workspace:open(path, FOLDER["main.tf"])
  return function()
    workspace:touch(dir() .. "/m/m.tf")
    workspace:change(path, FOLDER["main.tf"] .. "# more\n")
    local all, of_other = workspace:references(path, FOLDER["main.tf"]:find("local.a[", 1, true) + 7), workspace:symbols(dir() .. "/m/m.tf")
    return all and of_other and #all .. of_other[1].name or nil, "no answer"
  end, function()
    workspace:close(path)
    workspace:open(path, FOLDER["main.tf"])
  end
end
places["service: read"] = place(function(path)
  local file = io.open(path, "rb")
  local text = file and file:read "*a"
  if file then file:close() end
  return text
end, function(callback) return service_of(callback, "read") end)
places["service: list"] = place(function() return { "main.tf" } end, function(callback) return service_of(callback, "list") end)

places["server: send"] = place(function() end, function(callback)
  local server = require("hclexpr.lsp").new(callback)
  local document = { uri = "file://" .. dir() .. "/main.tf" }
  server:receive { id = 1, method = "initialize", params = { capabilities = {} } }
  server:receive { method = "textDocument/didOpen", params = { textDocument = { uri = document.uri, text = "a = \n", version = 1 } } }
  local version = 1
  local function close() server:receive { method = "textDocument/didClose", params = { textDocument = document } } end
  return function()
    version = version + 1
    local text = version % 2 == 0 and "b = \n" or FOLDER["main.tf"]
    server:receive { method = "textDocument/didOpen", params = { textDocument = { uri = document.uri, text = text, version = version } } }
    while server:idle(1) do end
    server:receive { id = version, method = "textDocument/hover", params = { textDocument = document, position = { line = 1,
      character = 9 } } }
    return server.state
  end, close
end)

-- ---- rules ----------------------------------------------------------------------------------------------------------------

for name, proper in pairs(without_nginx.can and without_nginx.proper or {}) do
  places["rules: " .. name] = place(proper, function(callback) return without_nginx.rules(hcl, { [name] = callback }) end)
  places["rules: " .. name].keeps = name ~= "lookup" and name ~= "f"
end

for name, row in pairs(places) do
  row.waits = proper_of_module[name:match "^folder: (%l+)$"] ~= nil
  row.long = name:find "^folder" ~= nil or name:find "^serv" ~= nil
end
places["folder: a function while tests run"].keeps = true

-- ---- misdeeds ---------------------------------------------------------------------------------------------------------------

local RAISED = setmetatable({}, { __tostring = function() error "it can't be written" end })
local NOTHING = {} -- represents a raised nil

local function self_containing()
  local t = {}
  t.t = t
  return t
end

local function deep()
  local t = {}
  for _ = 1, 2000 do t = { t } end
  return t
end

--- Misdeeds of a callback. `run` belongs to this attempt: `again` (the same task), `harm` (closes or changes what the task uses; nil if
--- nothing can be) and `proper` (the correct callback). raises: the error that it raises; waits: it yields.
--- same: the result is nevertheless the correct one. given: the invalid value that it returns.
---@type table<string, { act: fun(run: table, ...): any, raises?: any, waits?: "dropped"|"late"|"closed", same?: boolean, given?: any }>
M.misdeeds = {
  ["raises a text"] = { raises = "raised by a callback", act = function() error("raised by a callback", 0) end },
  ["raises an object"] = { raises = RAISED, act = function() error(RAISED) end },
  ["raises nil"] = { raises = NOTHING, act = function() error(nil) end },
  ["yields and is dropped"] = { waits = "dropped", act = function() coroutine.yield() end },
  ["yields and answers late"] = { waits = "late", act = function(run, ...)
    coroutine.yield(nil, 1, {})
    return run.proper(...)
  end },
  ["yields while the rest is closed"] = { waits = "closed", act = function(run, ...)
    coroutine.yield()
    return run.proper(...)
  end },
  ["raises after it yielded"] = { waits = "late", raises = RAISED, act = function()
    coroutine.yield()
    error(RAISED)
  end },
  ["collects garbage"] = { same = true, act = function(run, ...)
    collectgarbage()
    return run.proper(...)
  end },
  ["collects a step"] = { same = true, act = function(run, ...)
    for _ = 1, 3 do collectgarbage "step" end
    return run.proper(...)
  end },
  ["does the same"] = { same = true, act = function(run, ...)
    pcall(run.again)
    return run.proper(...)
  end },
  ["does the same in a coroutine, left waiting"] = { same = true, act = function(run, ...)
    local first = true
    run.deed = function(...)
      if first then
        first = false
        coroutine.yield()
      end
      return run.proper(...)
    end
    coroutine.resume(coroutine.create(run.again))
    run.deed = nil
    return run.proper(...)
  end },
  ["does the same, and so on"] = { act = function(run, ...)
    local depth, given = 0, nil
    function run.deed(...)
      depth = depth + 1
      if depth < 40 then given = { pcall(run.again) } end
      return run.proper(...)
    end
    run.deed(...)
    run.deed = nil
    return run.proper(...), given and nil
  end },
  ["changes what is in use"] = { act = function(run, ...)
    pcall(run.harm or run.again)
    return run.proper(...)
  end },
}

for what, value in pairs {
  ["nan"] = 0 / 0, infinity = -1 / 0, ["bytes that are not text"] = "\255\0\254", ["a long text"] = ("x"):rep(100000),
  ["a table of mixed keys"] = { 1, a = 2, [1.5] = 3 }, ["a table within itself"] = self_containing(), ["a deep table"] = deep(),
  ["a function"] = print, ["a coroutine"] = coroutine.create(function() end), ["a file"] = io.stdout, ["a null"] = hcl.null,
  ["false"] = false,
  ["a scope"] = hcl.scope {}, ["an expression"] = hcl.compile "1", ["an unknown"] = hcl.unknown "any", ["a secret"] = hcl.sensitive "s",
  ["a Lazy"] = hcl.lazy(function() return 1 end), ["a type"] = hcl.type "string",
  ["what raises whatever is asked"] = setmetatable({}, { __index = error, __tostring = error, __len = error, __pairs = error,
    __metatable = false }),
} do
  M.misdeeds["gives " .. what] = { given = value, act = function() return value end }
  M.misdeeds["gives nil and " .. what] = { given = value, act = function() return nil, value end }
  M.misdeeds["gives more: " .. what] = { given = value, act = function(run, ...) return run.proper(...), value end }
end
M.misdeeds["gives nothing"] = { act = function() end }
M.misdeeds["gives too much"] = { act = function() return support.unpack({}, 1, 200) end }

-- ---- an attempt -----------------------------------------------------------------------------------------------------------

-- Callbacks of finished attempts: their tasks are garbage, and so are they.
local ended = setmetatable({}, { __mode = "k" })

--- Counts callbacks that are still referenced although no task uses them.
---@return string[]
function M.held()
  if jit then jit.flush() end -- compiled code references functions that it calls
  without_nginx.finish() -- and timers reference rules
  local names = {}
  support.settled(function()
    names = {}
    for _, name in pairs(ended) do names[#names + 1] = name end
    return #names
  end)
  table.sort(names)
  return names
end

-- A new task, and what its callback does the next time: run.deed at the run.at-th call.
local function begin(where)
  local run = { proper = where.proper, calls = 0 }
  local function callback(...)
    run.calls = run.calls + 1
    local deed = run.deed
    if not deed or run.at and run.calls ~= run.at then return run.proper(...) end
    if run.at then run.deed = nil end
    return deed(...)
  end
  run.again, run.harm = where.make(callback)
  return run, callback
end

local function lua_error(err)
  return type(err) == "string" and (err:find "^[^\n]*lua/[%w_/]*%.lua:%d+: " or err:find "^attempt to ") ~= nil
end

-- What is wrong with the result of an attempt, or nil.
local function judge(where, misdeed, wanted, ok, value, err)
  if ok then
    if value ~= nil then return misdeed.same and value ~= wanted and "another result: " .. tostring(value):sub(1, 300) or nil end
    if misdeed.same then return "no result: " .. tostring(err) end
    if misdeed.raises ~= nil and not where.keeps then return "nil in place of what was raised" end
    if err == nil then return "nil without a reason" end
    return lua_error(tostring(err)) and "an error of ours: " .. tostring(err) or nil
  end
  local raised = misdeed.raises
  if raised == NOTHING then raised = nil end
  if misdeed.raises ~= nil and rawequal(value, raised) then return nil end
  if misdeed.given ~= nil and rawequal(value, misdeed.given) then return nil end -- the error of the attempt to start it again
  if type(value) ~= "string" then return "another object was raised: " .. type(value) end
  if value:find "attempt to yield" then return nil end -- over a C call
  if misdeed.same then return "raised: " .. value end
  if value:find("bad result of", 1, true) then return nil end
  return lua_error(value) and "an error of ours: " .. value or nil
end

-- Does the task; callbacks that wait get the answer that the misdeed says. Returns the results of pcall, or nil if the task was dropped.
local function follow(run, misdeed)
  if not misdeed.waits then return pcall(run.again) end
  local co = coroutine.create(run.again)
  local ok, value, err = coroutine.resume(co)
  if coroutine.status(co) ~= "suspended" then return ok, value, err end
  if misdeed.waits == "dropped" then return nil end
  pcall(run.again) -- while the first one waits
  if misdeed.waits == "closed" and run.harm then pcall(run.harm) end
  while coroutine.status(co) == "suspended" do ok, value, err = coroutine.resume(co) end
  return ok, value, err
end

--- Tries a misdeed at the nth call of a place's callback. Returns what went wrong, or nil.
---@param name string
---@param what string
---@param n integer
---@return string?
function M.attempt(name, what, n)
  local where, misdeed = places[name], M.misdeeds[what]
  local run, callback = begin(where)
  local wanted, reason = run.again()
  if wanted == nil then return "it doesn't work at all: " .. tostring(reason) end
  run.calls, run.at = 0, n
  run.deed = function(...) return misdeed.act(run, ...) end
  local ok, value, err = follow(run, misdeed)
  if where.waits and misdeed.waits == "dropped" then support.collect() end -- a module waits until its coroutine is collected
  rawset(os, "clock", clock)
  local reached = run.calls >= n
  run.deed = nil
  ended[callback] = name .. ", " .. what
  local wrong = reached and ok ~= nil and judge(where, misdeed, wanted, ok, value, err) or nil
  if wrong then return wrong end
  -- Closed objects are made again.
  local fresh = run
  if misdeed.waits == "closed" or what == "changes what is in use" then fresh = begin(where) end
  local fine, again, why = pcall(fresh.again)
  if not fine or again ~= wanted then return ("then %s, %s"):format(tostring(again):sub(1, 300), tostring(why)) end
end

--- How often the task of a place calls a correct callback.
---@param name string
function M.calls(name)
  local run = begin(places[name])
  run.calls = 0
  local value, err = run.again()
  assert(value ~= nil, tostring(err))
  return run.calls
end

return M
