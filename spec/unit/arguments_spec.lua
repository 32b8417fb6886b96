-- What each built-in does with unknown, null, marked and odd values in every position, written or expanded from a collection by `...`: all
-- of it follows from its row. Test builds also assert that an implementation gets only arguments allowed by its row, and poison fields
-- a value doesn't have (csrc/value/value.h).
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local lacking = support.lacking(hcl)

local fixtures = support.here() .. "../conformance/fixtures"
local scope = hcl.scope {
  filesystem = fixtures, console = true, clock = function() return 1700000000 end, plan_timestamp = "2031-04-09T07:05:03Z",
  random = function(n) return ("\7"):rep(n) end,
}

-- ---- calls --------------------------------------------------------------------------------------------------------------

local function find_call(node, name)
  if node.kind == "call" and node.name == name then return node end
  for key, child in pairs(node) do
    local found = type(child) == "table" and key ~= "range" and find_call(child, name)
    if found then return found end
  end
end

local function text_of(source, range) return source:sub(range.start.byte + 1, range.stop.byte) end

-- The arguments of a built-in's example as Values, and the text of a type argument.
local function example_arguments(row)
  local call = find_call(hcl.compile(row.example):ast(), row.name)
  local out = {}
  for i, node in ipairs(call.args or {}) do
    local param = row.params[i] or row.variadic
    local text = text_of(row.example, node.range)
    if param.type == "type" then out[i] = text
    else out[i] = hcl.compile(text):value({ t = "Hi ${name}!" }, scope) or hcl.value(1) end -- try() and can() have examples that fail
  end
  if row.variadic and #out == #row.params then out[#out + 1] = hcl.value(4) end
  return out
end

-- Argument i is the name a<i>; a type is written literally. From argument `spread` on they are expanded from a collection.
local function source_of(row, arguments, spread)
  local names, rest = {}, {}
  for i, argument in ipairs(arguments) do
    local to = spread and i >= spread and rest or names
    to[#to + 1] = type(argument) == "string" and argument or "a" .. i
  end
  if spread then names[#names + 1] = "[" .. table.concat(rest, ", ") .. "]..." end
  return row.name .. "(" .. table.concat(names, ", ") .. ")"
end

local COMPOSITE = { list = true, set = true, tuple = true, map = true, object = true }

-- The elements of an unmarked value, or none if it isn't a collection.
local function elements(v)
  if COMPOSITE[v:type():kind()] and v:is_known() and not v:is_null() then return v:pairs() end
  return function() end
end

local function elements_of(v)
  local out = {}
  for _, element in elements(v) do out[#out + 1] = element end
  return out
end

local is_wholly_known
function is_wholly_known(v)
  for _, element in elements(v:unmark()) do
    if not is_wholly_known(element) then return false end
  end
  return v:is_known()
end

local function with(first, rest)
  local out = { first }
  for _, x in ipairs(rest) do out[#out + 1] = x end
  return out
end

-- All visible parts of a value, including marks and refinements.
local function seen(v)
  local marks = table.concat(v:marks(), ",")
  v = v:unmark()
  local shown = { v:type():json(), marks, tostring(v) }
  if not v:is_known() then
    for key, bound in pairs(v:refinements() or {}) do shown[#shown + 1] = key .. "=" .. tostring(bound) end
    table.sort(shown)
  end
  for key, element in elements(v) do shown[#shown + 1] = tostring(key) .. "=" .. seen(element) end
  return table.concat(shown, ";")
end

-- The names of all marks on a value and its parts, sorted.
local function marks_within(v, found)
  found = found or {}
  for _, mark in ipairs(v:marks()) do found[mark] = true end
  for _, element in elements(v:unmark()) do marks_within(element, found) end
  return support.keys(found)
end

-- ---- arguments ----------------------------------------------------------------------------------------------------------

local function value(source, variables) return assert(hcl.compile(source)):value(variables, scope) end

local TYPES = {
  "any", "string", "number", "bool", "list(string)", "set(number)", "map(string)", "list(any)", "set(any)", "map(any)", "tuple([])",
  "tuple([string, number])", "object({})", "object({ a = string, b = list(number) })", "list(object({ a = string }))", "list(list(string))",
}

-- Values that don't depend on the call.
local odd, nulls = {}, {}
for i, t in ipairs(TYPES) do
  nulls[i] = value("convert(null, " .. t .. ")")
  odd[#odd + 1] = nulls[i]
  odd[#odd + 1] = hcl.unknown(t)
  odd[#odd + 1] = hcl.sensitive(hcl.unknown(t))
end
for _, source in ipairs {
  '""', "0", "-1", "1.5", "1e100", "true", "[]", "{}", "tolist([])", "toset([])", "tomap({})", "[[]]", "[[[], {}]]", "toset([[]])",
  "sensitive(null)", "[null]", "tolist([null])", "{ a = null }", "toset([null])", 'type("a")', '[type("a")]', "sensitive([])",
  'sensitive("s")', "[sensitive(1), 2]", '{ a = sensitive("s") }', 'tolist([sensitive("a"), "b"])', 'tomap({ a = sensitive("s") })',
  '[["a"], sensitive(["b"])]', "toset([sensitive(1)])",
} do
  odd[#odd + 1] = value(source)
end
for _, source in ipairs {
  "[u]", "[u, 1]", "{ a = u }", "tolist([u, u])", "toset([u])", "tomap({ a = u })", "[sensitive(u)]", "[[u]]", "[s]", 'tolist([s, "a"])',
  'toset([s, "a"])', 'tomap({ a = s, b = "x" })', "{ a = s, b = sensitive(s) }", "[[s], s]", "[n, 1]", "toset([n, 1])", "tolist([l])",
  '[l, ["a"]]', "{ a = l }",
} do
  local unknowns = { u = hcl.unknown "any", s = hcl.unknown "string", n = hcl.unknown "number", l = hcl.unknown "list(string)" }
  odd[#odd + 1] = value(source, unknowns)
end

-- ---- the properties -----------------------------------------------------------------------------------------------------

-- Evaluates a call with `x` for argument i, if given.
local function run(call, expr, i, x)
  local variables = {}
  for k, argument in ipairs(call.arguments) do variables["a" .. k] = k == i and x or argument end
  return expr:value(variables, scope)
end

-- Each built-in of this build: its row, the arguments of its example, a literal call, and one call for each place where the
-- collection may begin.
local calls = {}
local function add_call(row, arguments)
  local call = { name = row.name, row = row, arguments = arguments, spreads = {} }
  local first = 1
  for i, argument in ipairs(arguments) do
    if type(argument) == "string" then first = i + 1 end
  end
  if row.name == "templatestring" then first = 2 end -- the template must be a reference
  call.plain = assert(hcl.compile(source_of(row, arguments)))
  for i = first, #arguments do call.spreads[#call.spreads + 1] = assert(hcl.compile(source_of(row, arguments, i))) end
  call.works = run(call, call.plain) ~= nil -- except rsadecrypt(), which would need a key
  calls[#calls + 1] = call
end
for _, name in ipairs(support.keys(hcl.functions())) do
  local row = hcl.functions(name)
  if not lacking(row.example) then
    local arguments = example_arguments(row)
    add_call(row, arguments)
    -- The same with the fewest allowed arguments.
    if row.variadic and #row.params > 0 and #arguments > #row.params then
      local fewest = {}
      for i in ipairs(row.params) do fewest[i] = arguments[i] end
      add_call(row, fewest)
    end
  end
end

-- Calls `each` with every call, position, and its parameter.
local function each_position(each)
  for _, call in ipairs(calls) do
    for i, argument in ipairs(call.arguments) do
      if type(argument) ~= "string" then each(call, i, call.row.params[i] or call.row.variadic, argument) end
    end
  end
end

local function told(call, i, x) return ("%s, argument %d: %s"):format(call.plain:source(), i, tostring(x)) end

describe("each built-in, for any arguments", function()
  it("gives the same answer for written and expanded arguments", function()
    -- Not all combinations: at each position other values.
    local turn, ONE_IN = 0, support.sample(5, 1)
    each_position(function(call, i)
      turn = turn + 1
      for j, x in ipairs(odd) do
        if (turn + j) % ONE_IN == 0 then
          local v, err = run(call, call.plain, i, x)
          local want = v and seen(v) or err[1].code
          for _, expr in ipairs(call.spreads) do
            local w, e = run(call, expr, i, x)
            assert.equal(want, w and seen(w) or e[1].code, expr:source() .. " " .. told(call, i, x))
          end
        end
      end
    end)
  end)

  it("gives an unknown value or an error for an unknown argument that its row doesn't allow", function()
    each_position(function(call, i, param, argument)
      for _, x in ipairs(odd) do
        local v = not param.unknown and not x:is_known() and run(call, call.plain, i, x)
        if v then assert.is_false(v:is_known(), told(call, i, x)) end
      end
      local v, err = run(call, call.plain, i, hcl.unknown(argument:type()))
      assert(v or not call.works, told(call, i, "unknown " .. tostring(argument:type())) .. "\n" .. tostring(err))
      if param.type == "any" and not param.dynamic then
        v = run(call, call.plain, i, hcl.unknown "any")
        assert.equal('"dynamic"', v:type():json(), told(call, i, "unknown of any type"))
      end
    end)
  end)

  it("states no fact about an unknown argument that a known one contradicts", function()
    each_position(function(call, i, _, argument)
      -- An assumption about a value may turn out wrong.
      for _, x in ipairs(call.name:find "^assume" and {} or with(argument, odd)) do
        local bare = x:unmark()
        local early = run(call, call.plain, i, hcl.unknown(bare:type()))
        local late = early and not bare:is_null() and run(call, call.plain, i, bare)
        if late and is_wholly_known(late) then
          early, late = early:unmark(), late:unmark()
          if early:is_known() and #elements_of(early) == 0 then
            assert.equal(seen(late), seen(early), told(call, i, x))
          else
            local known = not early:is_known() and early:refinements() or {}
            local text = late:type():kind() == "string" and not late:is_null() and late:text() or ""
            assert.is_false(known.not_null and late:is_null() or false, told(call, i, x))
            assert.equal(known.prefix or "", text:sub(1, #(known.prefix or "")), told(call, i, x))
            local n = #elements_of(late)
            assert.is_true(n >= (known.min_length or 0) and n <= (known.max_length or n), told(call, i, x))
          end
        end
      end
    end)
  end)

  it("rejects a null that its row doesn't allow, at its place", function()
    each_position(function(call, i, param)
      for _, x in ipairs(param.null and {} or nulls) do
        local v, err = run(call, call.plain, i, x)
        assert.is_nil(v, told(call, i, x))
        assert.equal("call.argument", err[1].code, told(call, i, x))
        assert.equal("a" .. i, text_of(call.plain:source(), err[1].range), told(call, i, x))
      end
    end)
  end)

  it("shows no marked argument in a message", function()
    local hidden, failures = {}, 0
    for i, source in ipairs {
      "31337", "-31337", "31337.5", '"31337"', '"hush31337"', '"%31337q"', '["31337"]', '[["31337"]]', '{ a = "31337" }', '{ k31337 = 1 }',
      "tolist([31337])", 'tomap({ k31337 = "31337" })', 'toset(["31337"])', '"(31337"', '"31337/33"',
    } do hidden[i] = hcl.sensitive(value(source)) end
    each_position(function(call, i)
      for _, x in ipairs(hidden) do
        local v, err = run(call, call.plain, i, x)
        if not v then
          failures = failures + 1
          assert.is_nil(tostring(err):find("31337", 1, true), tostring(err))
        end
      end
    end)
    assert.is_true(failures > 500)
  end)

  it("passes on the marks of an argument, or of its parts, unless its row asks for them", function()
    each_position(function(call, i, param, argument)
      for _, x in ipairs(odd) do
        local v = not param.marked and run(call, call.plain, i, x)
        -- reference: an unknown template, or one with untyped variables, has no marks yet.
        local open = call.name:find "^template" and v and not v:is_known() and #v:marks() == 0
        for _, mark in ipairs(v and not open and marks_within(x) or {}) do
          assert.truthy(table.concat(v:marks(), " "):find(mark, 1, true), told(call, i, x))
        end
      end
      if not param.marked and call.works then
        local plain, marked = run(call, call.plain, i, argument), run(call, call.plain, i, hcl.sensitive(argument))
        assert.truthy(table.concat(marked:marks(), " "):find("sensitive", 1, true), told(call, i, "sensitive"))
        assert.equal(seen(plain:unmark()), seen(marked:unmark()), told(call, i, "sensitive"))
      end
    end)
  end)

  -- A table is walked if the call has a Value; a lazy value in the table makes the call wait and start again.
  it("gives the same for tables, lazy tables and lazy parts as for a Value of the same data", function()
    local function lazy(x) return hcl.lazy(function() return x end) end
    local function lazy_parts(t)
      local out = {}
      for key, x in pairs(t) do out[key] = lazy(type(x) == "table" and lazy_parts(x) or x) end
      return setmetatable(out, getmetatable(t))
    end
    local others = {}
    for _, source in ipairs { "sensitive(x)", "sensitive([x])[0]", "[x]" } do others[#others + 1] = hcl.compile(source) end
    each_position(function(call, i, _, argument)
      if not COMPOSITE[argument:type():kind()] then return end
      local data = argument:lua()
      local bound = hcl.value(data)
      local forms = { data, lazy(data), lazy_parts(data), lazy(lazy_parts(data)) }
      local function compare(k, x)
        local variables = {}
        for j, other in ipairs(call.arguments) do variables["a" .. j] = j == k and x or other end
        local function result(form)
          variables["a" .. i] = form
          local v, err = call.plain:value(variables, scope)
          return v and seen(v) or tostring(err)
        end
        local want = result(bound)
        for _, form in ipairs(forms) do assert.equal(want, result(form), told(call, i, bound)) end
      end
      compare()
      for k, other in ipairs(call.arguments) do
        if k ~= i and type(other) ~= "string" then
          for _, way in ipairs(others) do compare(k, way:value { x = other }) end
          compare(k, hcl.unknown(other:type()))
          compare(k, hcl.unknown "any")
          compare(k, hcl.null)
        end
      end
    end)
  end)
end)

describe("convert()", function()
  it("accepts no type expanded from a collection", function()
    local variables = { u = hcl.unknown "any", c = value('type("a")'):unmark() }
    for source, place in pairs {
      ["convert(1, [u]...)"] = "[u]", ["convert(u, [c]...)"] = "[c]", ["convert([1, u]...)"] = "[1, u]",
      ["convert(1, tolist([u])...)"] = "tolist([u])", ["convert(1, toset([u])...)"] = "toset([u])", ["convert(1, [c]...)"] = "[c]",
      ['convert(1, [type("a")]...)'] = '[type("a")]', ["convert(1, sensitive([u])...)"] = "sensitive([u])",
      ["convert(1, [sensitive(u)]...)"] = "[sensitive(u)]", ["convert(1, [null]...)"] = "[null]", ["convert([1, null]...)"] = "[1, null]",
      ['convert(1, ["string"]...)'] = '["string"]', ["convert(u, [u]...)"] = "[u]",
      ["convert(1, [contains([], null)]...)"] = "[contains([], null)]",
    } do
      local v, err = hcl.compile(source):value(variables, scope)
      assert.is_nil(v, source)
      assert.equal(1, #err, source)
      assert.equal("call.argument", err[1].code, source)
      assert.equal(place, text_of(source, err[1].range), source)
    end
    assert.equal("1", hcl.eval("convert(1, string, []...)"))
  end)

  it("reports a type expanded from a collection together with an error in the value", function()
    local _, err = hcl.eval("convert(nosuch, [u]...)", { u = hcl.unknown "any" })
    assert.equal(2, #err)
    assert.equal("[u]", text_of("convert(nosuch, [u]...)", err[2].range))
  end)
end)
