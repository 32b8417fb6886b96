-- Checks the rules of open objects (csrc/value/unknown.h): random expressions over an open object, and over completions of it.
-- If a completion evaluates, the open object does; its known results are the same; no mark of a part is lost; its facts about an
-- unknown result are true.   LUA open.lua ROUNDS SEED   (hclexpr on the path). Prints each expression that breaks a rule.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local M = {}

local draw
local function chance(percent) return draw(100) <= percent end
local function pick(list) return list[draw(#list)] end

-- ---- values -------------------------------------------------------------------------------------------------------------

local SECRET, EXTRA = "sensitive", "extra" -- the mark of parts, and that of additions in a completion

local function unknown(...) return assert(hcl.unknown(...)) end
local function value(...) return assert(hcl.value(...)) end

-- Elements of sequences of unknown kind: in order, out of order, repeated, one, and one that isn't known.
local TEXTS_OF = {
  function() return { "a", "s" } end, function() return { "s", "a" } end, function() return { "s", "a", "s" } end,
  function() return { "x" } end, function() return { 1, 2 } end, function() return { 10, 9 } end, function() return { 2, 2 } end,
  function() return { "a", unknown "string" } end, function() return { true } end, function() return { { open = { a = "only" } } } end,
}

-- Parts by name. A nested open object is a table { open = parts }, so that it is completed, too; blocks are { items = { … } },
-- sequences also have a form.
local PARTS = {
  a = function() return "text" end,
  b = function() return pick { "7", "", "true", "t" } end,
  n = function() return 3 end,
  s = function() return hcl.mark("hush", SECRET) end,
  l = function() return hcl.array { "x", "y" } end,
  d = function() return { x = "in", y = hcl.mark(1, SECRET) } end,
  u = function() return unknown(pick { "any", "string", "list(string)", "number" }) end,
  z = function() return hcl.null end,
  t = function() return pick { true, false } end,
  m = function() return value({ k = "v" }, "map(string)") end,
  q = function() return hcl.mark({ w = { hcl.mark("deep", SECRET) } }, SECRET) end,
  e = function() return { open = { a = "inner", s = hcl.mark(pick { "x", 2 }, SECRET) } } end,
  g = function() return { items = { { open = { a = "only", s = hcl.mark("hush", SECRET) } } } } end,
  h = function() return { items = { { open = { a = "one" } }, { open = { a = pick { "one", "two" }, s = hcl.mark(1, SECRET) } } } } end,
  f = function() return hcl.array { { open = { a = "first" } }, { open = { a = "second", s = hcl.mark("hush", SECRET) } } } end,
  c = function() return { items = pick(TEXTS_OF)(), form = pick { "sequence", "list" } } end,
  o = function() return { items = { { open = { a = "listed" } }, { open = { a = pick { "listed", "other" } } } }, form = "sequence" } end,
}
local TEXTS = {
  a = PARTS.a, b = PARTS.b, s = PARTS.s,
  n = function() return "9" end, l = function() return hcl.mark("l", SECRET) end, x = function() return "ex" end,
}

-- Additions in completions.
local ADDED = {
  function() return hcl.null end, function() return unknown "any" end, function() return "added" end, function() return 5 end,
  function() return true end, function() return hcl.array { 1, "2" } end, function() return hcl.array {} end,
  function() return { a = 1 } end, function() return { a = "k", x = { a = "y" } } end,
  function() return value({ "p", "q" }, "list(string)") end, function() return value({ a = 1 }, "map(number)") end,
  function() return value({ "p", "q" }, "set(string)") end, function() return hcl.array { { a = "z" } } end,
  function() return unknown "string" end, function() return hcl.mark("marked", EXTRA) end,
  function() return hcl.mark({ a = hcl.mark(1, EXTRA) }, EXTRA) end, function() return "3" end, function() return "" end,
}

local NAMES = { "a", "b", "n", "s", "l", "d", "u", "z", "t", "m", "q", "e", "f", "g", "h", "c", "o", "x", "k", "v" }

local function some_parts()
  local parts, from = {}, chance(30) and TEXTS or PARTS
  for _, name in ipairs(NAMES) do
    if from[name] and chance(45) then parts[name] = from[name]() end
  end
  return parts, from == TEXTS
end

-- The value of parts in which `make` makes each { open = … }.
local function built(x, make)
  if type(x) ~= "table" then return x end
  if x.open then return make(x.open) end
  if x.items then return make(nil, built(hcl.array(x.items), make), x.form) end
  local out = getmetatable(x) and hcl.array {} or {}
  for k, v in pairs(x) do out[k] = built(v, make) end
  return out
end

local function open(parts, items, form)
  return unknown("any", { attributes = not items and built(parts, open) or nil, items = items, form = form })
end

-- Completions have all names that expressions use; some lack half of them.
local lacks, alone
local function closed(parts, items, form)
  if form then return hcl.value(items, pick { "any", "list(any)", form == "sequence" and "set(any)" or "any" }) or value(items) end
  if items then return items[2] == nil and alone and items[1] or items end
  local out = built(parts, closed)
  for _, name in ipairs(NAMES) do
    if out[name] == nil and not (lacks and chance(50)) then out[name] = pick(ADDED)() end
  end
  return value(out)
end

local function map_of(parts)
  local out = built(parts, closed)
  for _, name in ipairs(NAMES) do
    if out[name] == nil and not (lacks and chance(50)) then
      out[name] = pick { "added", "5", "", "true", hcl.null, unknown "string", hcl.mark("marked", EXTRA) }
    end
  end
  return value(out, "map(string)")
end

-- ---- expressions --------------------------------------------------------------------------------------------------------

local VARIABLES = {
  any = unknown "any", text = unknown "string", flag = unknown "bool", uo = unknown "object({ a = string, n = number })",
  um = unknown "map(string)", ul = unknown "list(string)", sec = hcl.mark("a", EXTRA), zs = value(hcl.null, "string"),
}

local TYPES = { "string", "list(string)", "map(string)", "map(any)", "any", "list(any)", "set(any)", "object({ a = string })",
  "object({ a = optional(string, \"w\"), x = optional(number, 1) })", "map(object({ a = string }))", "list(object({ a = string }))",
  "object({ e = object({ a = string }), zz = optional(string) })", "tuple([any])",
  "set(string)", "set(object({ a = string }))", "object({ a = any, s = any })",
  "object({})", "bool", "number", "map(map(string))" }

local FUNCTIONS = {}
do
  local left_out = { bcrypt = true, uuid = true, timestamp = true, plantimestamp = true, uuidv5 = true, rsadecrypt = true,
    try = true, can = true, convert = true, type = true, sensitive = true, assumenotnull = true, issensitive = true }
  for name in pairs(hcl.functions()) do
    if not left_out[name] and not name:find "^file" and not name:find "^template" and not name:find "::" then
      FUNCTIONS[#FUNCTIONS + 1] = name
    end
  end
  table.sort(FUNCTIONS)
end
-- Expressions that inspect their operand.
local LIKELY = { "merge", "lookup", "keys", "values", "length", "element", "one", "concat", "zipmap", "flatten", "coalesce",
  "tolist", "tomap", "toset", "jsonencode", "yamlencode", "contains", "index", "distinct", "reverse", "slice", "setunion", "setproduct",
  "coalescelist", "compact", "nonsensitive", "sensitive", "ephemeralasnull", "join", "format", "formatlist", "tostring", "sum", "max",
  "transpose", "matchkeys", "chunklist", "alltrue", "sort", "replace", "assumeequal", "csvencode" }

local expression

local function object(depth)
  local items = {}
  for i = 1, draw(3) - 1 do items[i] = pick { "a", "n", "x", "k", "e", "zz", '"s"', "(o.a)" } .. " = " .. expression(depth) end
  return "{ " .. table.concat(items, ", ") .. " }"
end

local function tuple(depth)
  local items = {}
  for i = 1, draw(4) - 1 do items[i] = expression(depth) end
  return "[" .. table.concat(items, ", ") .. "]"
end

local function call(depth)
  local name, arguments = pick(chance(75) and LIKELY or FUNCTIONS), {}
  for i = 1, pick { 1, 1, 1, 2, 2, 3 } do arguments[i] = expression(depth) end
  return name .. "(" .. table.concat(arguments, ", ") .. (chance(6) and "..." or "") .. ")"
end

local LEAVES = {
  function() return "o" end, function() return "o" end, function() return "o" end,
  function() return "o." .. pick(NAMES) end, function() return "o." .. pick(NAMES) end, function() return 'o["' .. pick(NAMES) .. '"]' end,
  function() return "o[*]." .. pick(NAMES) end, function() return "o.e." .. pick { "a", "s", "x" } end, function() return "o.f[0].a" end,
  function() return pick { "o.g", "o.g[0]", "o.g[0].a", "o.g.a", "o.g[*].a", "o.h", "o.h[1].a", "o.h[*].a", "length(o.h)" } end,
  function() return pick { "o.c", "o.c[0]", "o.c[*]", "length(o.c)", "o.o", "o.o[0].a", "o.o[*].a", "one(o.c)", "sort(o.c)",
  "concat(o.c)" } end,
  function() return "o.f[*]." .. pick { "a", "s", "x" } end,
  function() return pick { '"a"', '"s"', '"x"', "0", "1", "true", "null", "[]", "{}", '"%s-%v"', '","', "{ a = 1 }", '{ a = "w" }',
    "{ a = 1, zz = true }", '["a", "s"]', "tomap({ a = 1 })", 'tomap({ a = "w", s = "r" })', 'tolist(["a"])', 'toset(["a"])', "null" } end,
  function() return pick { "any", "text", "flag", "uo", "um", "ul", "sec", "zs" } end,
}

local FORMS = {
  tuple, object, call, call, call, call,
  function(d) return expression(d) .. "." .. pick(NAMES) end,
  function(d) return expression(d) .. "[" .. expression(d) .. "]" end,
  function(d) return expression(d) .. "[*]." .. pick(NAMES) end,
  function(d) return expression(d) .. ".*." .. pick(NAMES) end,
  function(d) return expression(d) .. "[*]" end,
  function(d) return "(" .. pick { "true", "false", "flag", expression(d) } .. " ? " .. expression(d) .. " : " .. expression(d) .. ")" end,
  function(d) return "(" .. pick { "true", "false" } .. " ? " .. expression(d) .. " : " .. expression(d) .. ")" end,
  function(d) return "(" .. expression(d) .. pick { " == ", " != " } .. pick { "null", expression(d) } .. ")" end,
  function(d) return "(" .. expression(d) .. pick { " && ", " + ", " < " } .. expression(d) .. ")" end,
  function(d) return "[for v in " .. expression(d) .. " : " .. expression(d) .. (chance(25) and " if " .. expression(d) or "") .. "]" end,
  function(d) return "[for k, v in " .. expression(d) .. " : " .. pick { "v", "k", "v.a", expression(d) } .. "]" end,
  function(d) return "{for k, v in " .. expression(d) .. " : k => " .. expression(d) .. (chance(20) and "..." or "") .. "}" end,
  function(d) return "{for v in " .. expression(d) .. " : " .. expression(d) .. " => v}" end,
  function(d) return '"<${' .. expression(d) .. '}>"' end,
  function(d) return '"${' .. expression(d) .. '}"' end,
  function(d) return '"%{for v in ' .. expression(d) .. '}${v}%{endfor}"' end,
  function(d) return '"%{if ' .. expression(d) .. '}${' .. expression(d) .. '}%{else}no%{endif}"' end,
  function(d) return "try(" .. expression(d) .. ", " .. expression(d) .. ")" end,
  function(d) return "can(" .. expression(d) .. ")" end,
  function(d) return "convert(" .. expression(d) .. ", " .. pick(TYPES) .. ")" end,
}

function expression(depth)
  if depth <= 0 or chance(15) then return pick(LEAVES)() end
  return pick(FORMS)(depth - 1)
end

-- ---- the rules --------------------------------------------------------------------------------------------------------------

local function has(v, mark)
  for _, name in ipairs(v:marks()) do
    if name == mark then return true end
  end
  return false
end

-- The parts of an unmarked value, by key, or nil; and those of an open object.
local function parts_of(v)
  local open_parts = not v:is_known() and (v:refinements().attributes or v:refinements().items)
  if open_parts then v = open_parts end
  if not v:is_known() or v:is_null() or not ({ list = 1, set = 1, tuple = 1, map = 1, object = 1 })[v:type():kind()] then return nil end
  local out = {}
  for k, part in v:pairs() do out[k] = part end
  return out
end

-- Is there a secret in v that no mark covers yet?
local function secret_in(v)
  if has(v, SECRET) then return true end
  for _, part in pairs(parts_of(v:unmark()) or {}) do
    if secret_in(part) then return true end
  end
  return false
end

-- A later operation may drop the mark of an unknown value, by the reference's rules: it is required only for a single operation.
local shallow
-- Beside an unknown of any type a value stays as it is, by the reference's rules, though both may get another type later, and a result
-- that isn't chosen counts with its type if it could be evaluated. That is ignored if a conditional isn't alone.
local lax

-- Why can't u, an unmarked unknown, become v?
local function outside(u, v)
  local r, type_of_u, type_of_v = u:refinements(), tostring(u:type()), tostring(v:type())
  if v:is_null() then return r.not_null and "null, where the open object says that it isn't" end
  if type_of_u ~= "any" and type_of_v ~= "any" and type_of_u ~= type_of_v and not type_of_u:find("any", 1, true)
    and not type_of_v:find("any", 1, true) and not lax then
    return "the type is " .. type_of_v .. ", where the open object says " .. type_of_u
  end
  if not v:is_known() then return nil end
  local kind = v:type():kind()
  if kind == "string" and r.prefix and v:text():sub(1, #r.prefix) ~= r.prefix then return "another beginning" end
  if kind == "number" and (r.min and v < r.min or r.max and r.max < v) then return "out of bounds" end
  if r.min_length and #v < r.min_length or r.max_length and #v > r.max_length then return "another length" end
end

-- Why does `got`, the open object's answer, not match `whole`, a completion's? nil if it does.
local function breach(got, whole, covered)
  covered = covered or has(got, SECRET)
  local open_answer = not got:unmark():is_known()
  if has(whole, SECRET) and not covered and (shallow or not open_answer) then return "a mark is lost" end
  got, whole = got:unmark(), whole:unmark()
  if open_answer then
    local why = outside(got, whole)
    if why then return why end
    local open_parts, parts = parts_of(got), parts_of(whole)
    if got:refinements().form == "sequence" and whole:type():kind() == "set" then return nil end
    local only = open_parts and got:refinements().items and whole:type():kind() == "object"
    if only then return breach(open_parts[0], whole, covered) end
    if open_parts and whole:is_known() then
      if not parts then return "no object" end
      for name, part in pairs(open_parts) do
        if not parts[name] then return "no part " .. name end
        local wrong = breach(part, parts[name], covered)
        if wrong then return name .. ": " .. wrong end
      end
    end
    for name, part in pairs(parts or {}) do
      if shallow and not (open_parts and open_parts[name]) and not covered and secret_in(part) then return "a mark inside is lost" end
    end
    return nil
  end
  if not whole:is_known() then return nil end -- parts that a completion leaves open
  if got:is_null() ~= whole:is_null() then return "null or not" end
  if got:is_null() then return nil end
  local kind, whole_kind = got:type():kind(), whole:type():kind()
  if kind ~= whole_kind then return not lax and "a " .. kind .. " where it is a " .. whole_kind end
  local ours, theirs = parts_of(got), parts_of(whole)
  if not ours and lax and kind == "bool" then return nil end -- can() of an expression that fails only for a completion
  if not ours then return got ~= whole and "another value: " .. tostring(got) .. ", not " .. tostring(whole) or nil end
  if kind == "set" then return nil end -- elements have no names to compare by
  for k, part in pairs(ours) do
    if theirs[k] == nil then return "an element " .. k .. " too many" end
    local why = breach(part, theirs[k], covered)
    if why then return k .. ": " .. why end
  end
  for k in pairs(theirs) do
    if ours[k] == nil then return "an element " .. k .. " too few" end
  end
end

local scope = hcl.scope { console = true }

local function answer(expr, o)
  local variables = {}
  for k, v in pairs(VARIABLES) do variables[k] = v end
  variables.o = o
  return expr:value(variables, scope)
end

-- A control: the completion with unknown additions, or an object whose other names are unknown. If a rule fails for one of these as well,
-- the reference's rules for unknown values are the cause.
local function control(parts, whole, all)
  if type(parts) ~= "table" then return parts end
  if parts.items then
    local kind, out = whole:type():kind(), hcl.array {}
    if parts.form and kind ~= "tuple" then return whole end
    if kind ~= "tuple" then return control(parts.items[1], whole, all) end
    for i, item in ipairs(parts.items) do out[i] = control(item, whole:get(i - 1), all) end
    return out
  end
  local inner, out = parts.open or parts, {}
  for k, part in pairs(inner) do out[k] = control(part, whole:get(type(k) == "number" and k - 1 or k), all) end
  if not parts.open then return getmetatable(parts) and hcl.array(out) or out end
  if all then
    for _, k in ipairs(NAMES) do
      if out[k] == nil then out[k] = unknown "any" end
    end
    return value(out)
  end
  for k in whole:pairs() do
    if out[k] == nil then out[k] = unknown "any" end
  end
  return value(out, whole:type():kind() == "map" and "map(string)" or nil)
end

--- One round: the source, and what is wrong, or nil; choose(n) returns a random number from 1 to n.
function M.round(choose)
  draw = choose
  local parts, all_texts = some_parts()
  local depth = draw(4)
  local source = expression(depth)
  shallow = depth == 1 and not (source:find "for " and source:find "o[%.%[]\"?[hco]")
  lax = depth > 1 and (source:find("?", 1, true) or source:find("can(", 1, true))
  local expr = hcl.compile(source)
  if not expr then return source end
  local o = open(parts)
  local got, err = answer(expr, o)
  for _ = 1, 5 do
    -- Loops over a single block treat it as an element, though it may be the object itself.
    lacks, alone = chance(25), chance(50) and not source:find "for " and not source:find "%*"
    local whole = all_texts and chance(40) and map_of(parts) or closed(parts)
    local want = answer(expr, whole)
    local why = want and (not got and "an error: " .. tostring(err[1].detail) or got and breach(got, want))
    if (lax or source:find "o[%.%[]\"?[gco]") and not got and err[1].detail:find "^Both results of a conditional" then why = nil end
    local function kept(all)
      local usual = answer(expr, control({ open = parts }, whole, all))
      return usual and not breach(usual, want)
    end
    if why and kept(false) and (not (lacks or whole:type():kind() == "map") or kept(true)) then return source, why, o, whole, want, got end
  end
  return source
end

function M.run(rounds, first, report)
  local wrong = 0
  for i = first, first + rounds - 1 do
    local source, why, o, whole, want, got = M.round(support.random(i * 7919 % 2147483646 + 1))
    if why then
      wrong = wrong + 1
      report(i, source, why, o, whole, want, got)
    end
  end
  return wrong
end

if arg and arg[0] and arg[0]:find "open%.lua$" then
  local function shown(v) return v and tostring(v:lua { sensitive = "reveal" } and v) or "error" end
  local rounds, first = tonumber(arg[1] or 1000), tonumber(arg[2] or 1)
  local wrong = M.run(rounds, first, function(seed, source, why, o, whole, want, got)
    print(("seed %d: %s\n  %s"):format(seed, source, why))
    if arg[3] then
      print(("  o = %s\n  completed %s\n  gives %s\n  not %s"):format(tostring(o), shown(whole), shown(want), shown(got)))
    end
  end)
  print(("%d rounds, %d breaches"):format(rounds, wrong))
  os.exit(wrong == 0)
end

return M
