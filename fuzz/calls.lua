-- Public calls by hostile callers: every function and method with arguments of all kinds; callbacks that raise errors, yield, change data
-- being read, start the same evaluation, close Values and collect garbage; allocations that fail.   LUA calls.lua ROUNDS SEED
-- (hclexpr and hclexpr.testing on the path). Properties: no crash; errors are strings that blame the caller, or the
-- callback's own error; nil comes with diagnostics if a call answers that way. Prints the seed of each round that fails.
local hcl = require "hclexpr"
local testing = require "hclexpr.testing"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local unpack = support.unpack

local M = {}

local draw
local function one_of(list) return list[draw(#list)] end

local OURS = {} -- the error that callbacks raise

local TEXTS = { "", "a", "1 + a.b[0]", "f(a, [for x in l : g(x)])", "${a}-${f(l)}", 'a = f(l)\nb "c" {\n  d = g(a)\n}\n', "list(string)",
  'dynamic "b" {\n  for_each = l\n  labels = [f(b.value)]\n  content {\n    v = b.value\n  }\n}\n', "object({ a = optional(string, 1) })",
  '{ for k, x in o : k => g(x)... }', "merge(o, lazy, a)", "a\0b", "\255\254", "\204\129", ("x"):rep(70000), '{"a": ["${f(1)}", null]}',
  'attr {\n  name = "a"\n  type = string\n}\n', "b.c.d", "a[", "native", "json", "value", "omit", "1e999999", "sort(l)", "lazy.b",
  "t[*].id", "templatestring(t, { a = f(1) })", "try(f(l), lazy, nothing.x)", "toset([f(1), u, m])", "../../x", "build", "string" }
local NUMBERS = { 0, -0.0, 1, -1, 0.5, 0 / 0, 1 / 0, -1 / 0, 2 ^ 53, -2 ^ 63, 2 ^ 64, 1e308, 5e-324, 100, 65536 }

local function words(text)
  local out = {}
  for word in text:gmatch "%S+" do out[#out + 1] = word end
  return out
end

local KEYS = words [[a b l o t u m lazy f filename line column syntax limits steps memory depth output source variables lookup functions
  stdlib filesystem clock random plan_timestamp convert null big sensitive unknown array_mt object_mt parent console params variadic returns
  values impl attributes blocks labels nesting min max schema required default type indent attributes_only name prefix not_null]]

local METAMETHODS = words [[__index __newindex __len __eq __lt __le __concat __tostring __pairs __call __gc __close]]

local any, objects, parked

-- A function that misbehaves, then returns anything, or its argument.
local DEEDS = {
  function() error(OURS) end,
  function() error "raised" end,
  function() if coroutine.isyieldable == nil or coroutine.isyieldable() then coroutine.yield(any(2)) end end,
  function() collectgarbage() end,
  function() objects.Value[1]:close() end,
  function() objects.variables.l, objects.variables.o = any(2), nil end,
  function() for i = #objects.variables.t, 1, -1 do objects.variables.t[i] = nil end end,
  function() return one_of(objects.Expression):eval(objects.variables, objects.Scope[1]) end,
  function() return hcl.eval(one_of(TEXTS), objects.variables, objects.Scope[1]) end,
  function() testing.fail_after(draw(20)) end,
  function() local x = one_of(objects[one_of(objects.kinds)]) getmetatable(x).__gc(x) end,
}
local nesting = 0
local function callback(...)
  if nesting > 3 then return 1 end
  nesting = nesting + 1
  local ok, err = true, nil
  if draw(3) == 1 then ok, err = pcall(one_of(DEEDS)) end
  nesting = nesting - 1
  if not ok and draw(2) == 1 then error(err, 0) end
  if draw(3) == 1 then return any(2), any(1) end
  return ...
end

-- A finalizer that collects. Lua 5.3 would do that forever while its state closes, and recursively until its C stack is used up:
-- an allocation then raises that error.
local collections, within = 0, 0
local function collect()
  collections = collections + 1
  if collections > 200 or within >= 8 then return end
  within = within + 1
  pcall(collectgarbage)
  within = within - 1
end

local MADE = {
  function() return draw(3) == 1 and nil or draw(2) == 1 end,
  function() return one_of(NUMBERS) end,
  function() return one_of(TEXTS) end,
  function() return one_of(TEXTS) end,
  function() return callback end,
  function() return one_of { hcl.null, io.stdout, coroutine.create(callback) } end,
  function() return one_of(objects[one_of(objects.kinds)]) end,
  function() return one_of(objects[one_of(objects.kinds)]) end,
  function() return draw(2) == 1 and objects.variables or objects.Scope[1] end,
  function(depth) -- a table, perhaps with keys that have a meaning, perhaps containing itself
    local t = {}
    for _ = 1, draw(4) do
      local key = draw(4) == 1 and any(0) or one_of(KEYS)
      if key ~= nil and key == key then t[key] = any(depth - 1) end
    end
    if draw(10) == 1 then t[one_of(KEYS)] = t end
    return t
  end,
  function(depth)
    local t = {}
    for i = 1, draw(4) do t[i] = any(depth - 1) end
    return t
  end,
  function(depth)
    local mt = {}
    for _, event in ipairs(METAMETHODS) do if draw(3) == 1 then mt[event] = callback end end
    mt.__gc = draw(3) == 1 and collect or nil
    return setmetatable({ a = any(depth - 1) }, mt)
  end,
  function()
    local t = { 1 }
    for _ = 1, 300 do t = { t } end
    return t
  end,
}

function any(depth)
  return MADE[depth > 0 and draw(#MADE) or draw(9)](depth)
end

local METHODS = words [[eval explain test value references functions source range warnings ast literal type is_known is_null is_wholly_known
  marks unmark mark refinements get pairs lua text close convert json kind expand content decode attributes blocks labels body expression
  name_range variables defines set remove append rename report lsp vim calls]]
local FUNCTIONS = support.keys(hcl)
for i = #FUNCTIONS, 1, -1 do
  -- load reads a file by any path, assert raises its argument.
  if type(hcl[FUNCTIONS[i]]) ~= "function" or FUNCTIONS[i] == "assert" or FUNCTIONS[i] == "load" then table.remove(FUNCTIONS, i) end
end

local function prepare()
  local value = hcl.value { 1, { a = "b" } }
  local body = hcl.parse(TEXTS[6])
  objects = {
    Expression = { hcl.compile(TEXTS[4]), hcl.compile(TEXTS[10]), hcl.compile(TEXTS[11]),
      (hcl.compile(TEXTS[5], { syntax = "template" })) },
    Value = { value, hcl.value({ "a" }, "set(string)"), hcl.unknown("list(string)", { min_length = 1 }), hcl.sensitive "s",
      hcl.value "text", hcl.value(1), hcl.unknown "any", (hcl.value({ k = 1 }, "map(any)")) },
    Type = { hcl.type "list(string)", (hcl.type(TEXTS[9])) },
    Body = { body, (hcl.parse(TEXTS[8])) }, Attribute = { body.attributes.a }, Block = { body.blocks[1] },
    Function = { hcl.func { params = { { name = "x", type = "number" } }, returns = callback, impl = callback } },
    Lazy = { hcl.lazy(callback) },
    Spec = { (hcl.spec(TEXTS[17])) }, Edit = { (hcl.edit(TEXTS[6])) },
    Diagnostics = { (select(2, hcl.compile "1 +")), (select(2, hcl.eval "a.b + c")) },
  }
  objects.variables = { a = { b = { 1, 2 } }, l = { 1, 2, 3 }, o = { x = 1, y = callback }, t = { { id = 1 }, { id = 2 } },
    m = objects.Value[4], u = hcl.unknown "string", lazy = objects.Lazy[1], call = callback, v = value }
  objects.Scope = { hcl.scope { limits = { steps = 1e5, memory = 2 ^ 23 }, lookup = callback, clock = callback, random = callback,
    variables = { v = value, t = "${a}" }, functions = { f = callback, g = hcl.func { values = true, impl = callback,
      variadic = { null = true, unknown = true, dynamic = true, marked = true } } } } }
  objects.kinds = words "Expression Value Type Body Attribute Block Function Lazy Scope Spec Edit"
end

local function call()
  local args, n, way = {}, draw(5), draw(10)
  local f
  for i = 1, n do args[i] = any(3) end
  if way <= 4 then
    f = hcl[one_of(FUNCTIONS)]
    if draw(3) > 1 then args[1], args[2], args[3] = one_of(TEXTS), objects.variables, objects.Scope[1] end
  else
    local kind = draw(12) == 1 and "Diagnostics" or one_of(objects.kinds)
    local x, name = one_of(objects[kind]), one_of(METHODS)
    local mt = getmetatable(x)
    f = way == 10 and mt and mt[one_of(METAMETHODS)] or x[name]
    if draw(15) > 1 then table.insert(args, 1, x) n = n + 1 end
    if draw(3) == 1 then args[2], args[3] = objects.variables, objects.Scope[1] end
  end
  if f ~= nil then return f(unpack(args, 1, math.max(n, #args))) end
end

-- Errors in the code of the module itself, and errors that aren't messages.
local function is_bug(err)
  if type(err) ~= "string" then return err ~= OURS end
  return err:find "^[^\n]*lua/hclexpr[%w_/]*%.lua:%d+: attempt to "
end

local function resume(co, ...)
  local results = { coroutine.resume(co, ...) }
  testing.fail_after(0)
  if not results[1] and is_bug(results[2]) then
    error(debug.traceback(co, "what was raised: " .. type(results[2]) .. " " .. tostring(results[2])), 0)
  end
  if coroutine.status(co) == "suspended" and #parked < 5 then parked[#parked + 1] = co end
  for i = 2, 3 do if type(results[i]) == "userdata" and results[i] ~= hcl.null then pcall(tostring, results[i]) end end
end

--- One round of calls; choose(n) returns a random number from 1 to n.
function M.round(choose)
  draw, parked, nesting = choose, {}, 0
  prepare()
  for _ = 1, 40 do
    local co = coroutine.create(call)
    if draw(8) == 1 then testing.fail_after(draw(60)) end
    resume(co)
    if parked[1] and draw(2) == 1 then resume(table.remove(parked, draw(#parked)), any(2), any(1)) end
  end
  if draw(20) == 1 then support.collect() end
end

--- Rounds from a seed on; returns the number of failures, and calls failed(seed, message) for each.
function M.run(rounds, seed, failed)
  local failures = 0
  for i = seed, seed + rounds - 1 do
    local ok, message = pcall(M.round, support.random(i * 7919 % 2147483646 + 1))
    testing.fail_after(0)
    if not ok then failures = failures + 1 failed(i, tostring(message)) end
  end
  return failures
end

if arg and arg[0] and arg[0]:match "calls%.lua$" then
  local rounds, seed = tonumber(arg[1] or 1000), tonumber(arg[2] or 1)
  local failures = M.run(rounds, seed, function(at, message) print(("---- seed %d\n%s"):format(at, message)) end)
  print(("calls: %d rounds from %d on, %d failed"):format(rounds, seed, failures))
  os.exit(failures == 0 and 0 or 1)
end

return M
