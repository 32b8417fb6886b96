-- Threads with small C stacks: everything that nests ends with a result or a diagnostic, and never reaches the end of the stack.
local hcl = require "hclexpr"
local testing = require "hclexpr.testing"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

-- Lua's own loader needs more stack than the smallest have: modules that calls load on first use are loaded here.
for _, name in ipairs { "edit", "body.encode", "spec", "terraform.module", "calls", "findings" } do require("hclexpr." .. name) end

-- This much of a stack must be left in the end: other machines may need the part of the reserve that this one didn't use.
local LEFT = 2048

local function nested(n, open, middle, close) return open:rep(n) .. middle .. close:rep(n) end

local function table_of(n, middle, wrap)
  local t = middle
  for _ = 1, n do t = wrap(t) end
  return t
end
local function in_array(t) return { t } end
local function in_object(t) return { a = t } end

local expressions = {
  "x", "o", "x == [x]", "x == y", "o == p", "x != null", "[x, y]", "{ a = x }", "x[0]", "o.a", "x[*]", "o[*].a", "x.*.a",
  "true ? x : y", "x == [] ? o : x", "b ? x : y", "b ? o : {}", "b ? [x] : [y, 1]", "[for v in x : v]", "{ for k, v in o : k => v }",
  "[for v in [x, y] : v if v == x]", '"${x}"', '"a${o}b"', "x + 1", "-o", "!x", "x && true", "x.foo", "o.a.b.c", "o[x]", "x[o]",
  "upper(x...)",
  "missing(x)", "upper(x)", "try(x.foo, o.foo, x)", "can(x.foo)", "try(o.b, 1)", "flatten(x)", "flatten([x, y])", "distinct([x, y, x])",
  "toset([x, y])", "toset(x)", "tolist([x, y])", "tolist(x)", "tomap({ a = x, b = y })", "tomap(o)", "tostring(x)", "tonumber(o)",
  "contains([x, y], x)", "index([x, y], x)", "concat(x, y)", "concat([x], [y])", "merge(o, p)", "merge({ a = x }, { a = y })",
  "keys(o)", "values(o)", "lookup(o, \"a\", x)", "lookup({}, \"a\", o)", "element(x, 0)", "slice([x, y], 0, 1)", "reverse([x, y])",
  "coalesce(x, y)", "coalesce(o.a, 1)", "coalescelist(x, y)", "compact(x)", "chunklist([x, y], 1)", "zipmap([\"a\"], x)",
  "setunion([x], [y])", "setintersection([x], [y])", "setsubtract([x], [y])", "setproduct([x], [y])", "setproduct(toset([x, y]), [o])",
  "sort([x])", "transpose(o)", "matchkeys([x], [y], [x])", "one(x)", "length(x)", "alltrue(x)", "sum(x)", "max(x)", "join(\",\", x)",
  "format(\"%s %v %#v\", x, o, x)", "format(\"%d\", x)", "formatlist(\"%v\", [x, y])", "jsonencode(x)", "jsonencode(o)", "yamlencode(x)",
  "yamlencode(o)", "csvdecode(x)", "nonsensitive(x)", "sensitive(x)", "sensitive(x) == sensitive(y)", "issensitive(x)",
  "jsonencode(sensitive(o))", "ephemeralasnull(x)", "ephemeralasnull([sensitive(x)])", "[sensitive(x), y] == [x, y]", "type(x)", "type(o)",
  "convert(x, list(any))", "convert(o, map(any))", "convert([x, y], set(any))", "convert(o, object({ a = any, b = optional(any) }))",
  "convert([o, p], list(object({ a = any })))", "assertequal(x, y)", "x == sensitive(x)", "toset([for v in [x, y] : v])",
  "length(setunion([[x]], [[y]], [[x]]))", "u == x", "[u, x] == [x, x]", "b ? u : x", "tolist([u, x])", "jsondecode(jsonencode(x))",
  "jsondecode(json)", "yamldecode(yaml)", "jsondecode(jsono)", "templatestring(t, { x = x })", "replace(x, o, y)", "[x, [y]] == [[x], y]",
  "tolist([[x, 1], [y]])", "tolist([{ a = x }, { b = y }])", "tomap({ a = { b = x }, c = { d = y } })", "coalesce(null, o, p)",
  "w", "w.a.a", "w[*].a", "w == null", "w == z", "[w]", "[for v in w : v]", "true ? w : z", "true ? [w] : [z]",
  "true ? [w] : []", "b ? w : z", "tolist([w, z])", "tolist([w])", "toset([w])", "tomap(w)", "tomap({ a = w, b = z })",
  "merge(w, z)", "lookup(w, \"b\", z)", "coalesce(w, z)", "jsonencode(w)", "try(w, 1)", "sensitive(w) == z",
  "ephemeralasnull([w, ephemeral])", "convert(w, map(any))",
  "length(w)",
  "convert(w, object({ a = object({ a = any }) }))", "convert([w, z], list(any))", "upper(w)", "flatten([w, [z]])",
  "tolist([o, { a = 1 }])", "defaults", "anytrue([x])", "lookup({ a = o }, \"b\", p)", "merge(o, { b = x }).b",
}

-- The other calls: each gets the depth, options with the limits, the Values made beforehand, and the scope.
local calls = {
  eval_tuple = function(n, o) return hcl.eval(nested(n, "[", "1", "]"), nil, o.scope) end,
  eval_object = function(n, o) return hcl.eval(nested(n, "{a=", "1", "}"), nil, o.scope) end,
  eval_parentheses = function(n, o) return hcl.eval(nested(n, "(", "1", ")"), nil, o.scope) end,
  eval_unary = function(n, o) return hcl.eval(("-"):rep(n) .. "1", nil, o.scope) end,
  eval_calls = function(n, o) return hcl.eval(nested(n, "abs(", "1", ")"), nil, o.scope) end,
  eval_template = function(n, o) return hcl.eval(nested(n, '"${', "1", '}"'), nil, o.scope) end,
  eval_for = function(n, o) return hcl.eval(nested(n, "[for v in [1] : ", "v", "]"), nil, o.scope) end,
  eval_conditional = function(n, o) return hcl.eval(nested(n, "true ? ", "1", " : 2"), nil, o.scope) end,
  eval_tables = function(n, o) return hcl.eval("x", { x = table_of(n, 1, in_array) }, o.scope) end,
  eval_object_tables = function(n, o) return hcl.eval("[x]", { x = table_of(n, 1, in_object) }, o.scope) end,
  eval_lazy = function(n, o)
    return hcl.eval("x", { x = table_of(math.min(n, 995), 1, function(t) return hcl.lazy(function() return t end) end) }, o.scope)
  end,
  eval_lazy_arrays = function(n, o)
    return hcl.eval("x", { x = table_of(n, 1, function(t) return { hcl.lazy(function() return t end) } end) }, o.scope)
  end,
  value_of_tuple = function(n, o)
    local e, err = hcl.compile(nested(n, "[", "1", "]"), { limits = o.limits })
    if not e then return e, err end
    return e:value(nil, o.scope)
  end,
  compile = function(n, o) return hcl.compile(nested(n, "[", "a.b[c]", "]"), { limits = o.limits }) end,
  references = function(_, o) return o.compiled:references() end,
  functions = function(_, o) return o.compiled:functions() end,
  ast = function(n, o)
    local node = o.compiled:ast()
    for _ = 1, n do node = node and (node[1] or node.items and node.items[1] or node.elements and node.elements[1]) end
    return true
  end,
  literal = function(_, o) return o.literal:literal() or true end,
  rule = function(_, o) return o.compiled:test({ a = { b = { c = 1 } }, c = "c" }, o.scope) end,
  json_expression = function(n, o)
    local e, err = hcl.compile(nested(n, "[", '"${a}"', "]"), { syntax = "json", limits = o.limits })
    if not e then return e, err end
    return e:eval({ a = 1 }, o.scope)
  end,
  render = function(n, o) return hcl.render(nested(n, "%{ if true }", "a", "%{ endif }"), nil, o.scope) end,
  value = function(n) return hcl.value(table_of(n, 1, in_array)) end,
  value_of_type = function(n) return hcl.value(table_of(n, 1, in_array), nested(n, "list(", "string", ")")) end,
  value_of_any = function(n) return hcl.value(table_of(n, { 1, "a" }, in_array), "list(any)") end,
  value_lua = function(_, o) return o.x:lua() end,
  value_lua_options = function(_, o) return o.o:lua { null = "omit", sensitive = "reveal" } end,
  value_type = function(_, o) return tostring(o.x:type()) end,
  value_tostring = function(_, o) return tostring(o.x) end,
  value_tostring_object = function(_, o) return tostring(o.o) end,
  value_equal = function(_, o) return o.x == o.y or o.o == o.p end,
  value_known = function(_, o) return o.x:is_wholly_known() end,
  value_marks = function(_, o) return o.x:mark "m" end,
  value_unmark = function(_, o) return hcl.sensitive(o.x):unmark() end,
  value_get = function(_, o) return o.x:get(0) end,
  value_pairs = function(_, o)
    for _, v in o.o:pairs() do if v == nil then return false end end
    return true
  end,
  value_of_value = function(_, o) return hcl.value { o.x, o.y } end,
  open_value = function(_, o) return hcl.value { o.w, o.z } end,
  open_equal = function(_, o) return o.w == o.z end,
  open_text = function(_, o) return tostring(o.w) end,
  open_refinements = function(_, o) return o.w:refinements() end,
  open_get = function(_, o) return o.w:get "a" end,
  open_mark = function(_, o) return hcl.sensitive(o.w) end,
  open_known = function(_, o) return o.w:is_wholly_known() end,
  open_type = function(_, o) return tostring(o.w:type()) end,
  value_converted = function(_, o) return hcl.value(o.x, "list(any)") end,
  unknown = function(_, o) return hcl.unknown(o.t) end,
  sensitive = function(_, o) return hcl.sensitive(o.x) end,
  type = function(n, o) return hcl.type(nested(n, "list(", "string", ")"), { limits = o.limits }) end,
  type_object = function(n, o) return hcl.type(nested(n, "object({a=optional(", "string", ")})"), { limits = o.limits }) end,
  type_tuple = function(n, o) return hcl.type(nested(n, "tuple([", "any", "])"), { limits = o.limits }) end,
  type_text = function(_, o) return tostring(o.t) end,
  type_json = function(_, o) return o.t:json() end,
  type_equal = function(_, o) return o.t == o.u or true end,
  type_defaults = function(n, o)
    local t, err = hcl.type(nested(n, "object({a=optional(", "string", ",null)})"), { limits = o.limits })
    if not t then return t, err end
    return t:convert(table_of(n, "b", in_object))
  end,
  type_convert = function(n, o) return o.t:convert(table_of(n, 1, in_array)) end,
  type_convert_value = function(_, o) return o.t:convert(o.x) end,
  type_convert_wrong = function(n, o) return o.t:convert(table_of(n - 1, 1, in_array)) end,
  parse = function(n, o)
    local body, err = hcl.parse(nested(n, "a {\n", "b = 1\n", "}\n"), { limits = o.limits })
    if not body then return body, err end
    return body:references()
  end,
  decode = function(n, o) return hcl.decode(nested(n, "a {\n", "b = 1\n", "}\n"), nil, o.scope) end,
  decode_labels = function(n, o) return hcl.decode("a" .. (' "b"'):rep(n) .. " {\nc = 1\n}\n", nil, o.scope) end,
  decode_json = function(n, o) return hcl.decode(nested(n, '{"a":', "1", "}"), nil, o.scope, { syntax = "json" }) end,
  decode_schema = function(n, o)
    local schema = table_of(math.min(n, 990), { attributes = { b = {} } }, function(s) return { blocks = { a = { schema = s } } } end)
    local body, err = hcl.parse(nested(n, "a {\n", "b = 1\n", "}\n"), { limits = o.limits })
    if not body then return body, err end
    return body:decode(schema, nil, o.scope)
  end,
  expand = function(n, o)
    local body, err = hcl.parse(nested(n, 'dynamic "a" {\nfor_each = [1]\ncontent {\n', "b = a.value\n", "}\n}\n"), { limits = o.limits })
    if not body then return body, err end
    return body:expand(nil, o.scope)
  end,
  content_for_each = function(_, o)
    local body = assert(hcl.parse 'dynamic "a" {\nfor_each = x\ncontent {\nb = a.value\n}\n}\n')
    return body:decode({ blocks = { a = { schema = { attributes = { b = {} } } } } }, { x = o.x }, o.scope)
  end,
  format = function(n, o) return hcl.format("a = " .. nested(n, "[\n", "1", "\n]"), { limits = o.limits }) end,
  format_blocks = function(n, o) return hcl.format(nested(n, "a {\n", "b=1\n", "}\n"), { limits = o.limits }) end,
  encode = function(n, o) return hcl.encode(table_of(n, 1, in_array), { limits = o.limits }) end,
  encode_object = function(n, o) return hcl.encode(table_of(n, 1, in_object), { limits = o.limits, indent = false }) end,
  encode_value = function(_, o) return hcl.encode(o.x, { limits = o.limits }) end,
  encode_body = function(n, o) return hcl.encode({ a = table_of(n, 1, in_object) }, { attributes_only = true, limits = o.limits }) end,
  encode_blocks = function(n, o)
    local schema = table_of(math.min(n, 990), { attributes = { b = {} } }, function(s)
      return { blocks = { a = { nesting = "single", schema = s } } }
    end)
    return hcl.encode(table_of(n, { b = 1 }, in_object), { blocks = schema, limits = o.limits })
  end,
  edit = function(n, o)
    local edit, err = hcl.edit(nested(n, "a {\n", "b = 1\n", "}\n"), { limits = o.limits })
    if not edit then return edit, err end
    return edit:set("c", nested(n, "[", "1", "]"))
  end,
  spec = function(n, o)
    local attribute = 'attr {\nname = "b"\ntype = any\n}\n'
    local spec, err = hcl.spec(nested(math.min(n, 600), 'block {\nblock_type = "a"\n', attribute, "}\n"), { limits = o.limits })
    if not spec then return spec, err end
    return spec:decode(assert(hcl.parse "a {\nb = 1\n}\n"))
  end,
  spec_object = function(n, o)
    local spec, err = hcl.spec(nested(n, "object {\na = ", "1", "\n}\n"), { limits = o.limits })
    return spec, err
  end,
  host_function = function(_, o)
    local f = hcl.func { params = { { name = "x", type = "any" } }, values = true, impl = function(v) return v end }
    return hcl.eval("f(x)", { x = o.x }, hcl.scope { functions = { f = f }, parent = o.scope })
  end,
  plain_function = function(_, o)
    return hcl.eval("f(x)", { x = o.x }, hcl.scope { functions = { f = function(v) return v end }, parent = o.scope })
  end,
  report = function(n, o)
    local _, err = hcl.eval("x + 1", { x = table_of(n, 1, in_array) }, o.scope)
    return err == nil or tostring(err) .. #err:lsp() .. #err:vim()
  end,
  report_types = function(_, o)
    local _, err = hcl.eval("b ? x : y", { b = true, x = o.x, y = o.o }, o.scope)
    return err == nil or tostring(err)
  end,
  regex = function(n, o) return hcl.eval('regex(x, "a")', { x = nested(n, "(", "a", ")") }, o.scope) end,
  number = function(n, o) return hcl.eval('x * x / 7 + parseint(x, 10)', { x = ("7"):rep(n * 4) }, o.scope) end,
  fileset = function() return hcl.eval('fileset(".", "**/*_spec.lua")', nil, hcl.scope { filesystem = support.root .. "spec" }) end,
  nothing = function() return hcl.eval "1 + 1" end,
}

-- A result, or an error that names the limit.
local function judge(name, ok, v, err)
  if ok and (v ~= nil or err == nil) then return end
  if not ok then
    assert(tostring(v):find("too little is left of the C stack", 1, true), name .. " raised: " .. tostring(v))
    return
  end
  assert(type(err) == "table" and err[1] and err[1].code, name)
end

-- Made where there is room: an expression, and Values as deep as requested, or somewhat less deep.
local function prepare(n, limits)
  local o = { limits = limits, scope = hcl.scope { limits = limits, console = true } }
  local all = hcl.scope { limits = { depth = 10000, memory = 2 ^ 28, output = 2 ^ 28 } }
  local function made(source) return hcl.assert(hcl.assert(hcl.compile(source, { limits = { depth = 10000 } })):value(nil, all)) end
  local function typed(source) return hcl.assert(hcl.type(source, { limits = { depth = 10000 } })) end
  o.x, o.y = made(nested(n, "[", "1", "]")), made(nested(n, "[", "2", "]"))
  o.o, o.p = made(nested(n, "{a=", "1", "}")), made(nested(n, "{a=", "2", "}"))
  o.t, o.u = typed(nested(n, "list(", "string", ")")), typed(nested(n, "object({a=", "any", "})"))
  -- The greatest depth of Values in Values.
  local function open(v)
    for _ = 1, math.min(n, 3000) do v = hcl.assert(hcl.unknown("any", { attributes = { a = v } })) end
    return v
  end
  o.w, o.z = open(hcl.mark("x", "ephemeral")), open(1)
  o.compiled = hcl.assert(hcl.compile(nested(n, "[", "a.b[c]", "]"), { limits = { depth = 10000 } }))
  o.literal = hcl.assert(hcl.compile(nested(n, "[", "1", "]"), { limits = { depth = 10000 } }))
  return o
end

-- With sanitizers even this stack may be too small for that depth.
local function prepared(n, limits)
  local ok, o = pcall(prepare, n, limits)
  return ok and o or prepared(math.floor(n / 2), limits)
end

local function run(kilobytes, fibre, name, f)
  local ok, results, left = testing.on_stack(kilobytes, function() return { f() } end, fibre)
  if ok == nil then return end
  judge(name, ok, ok and results[1] or results, ok and results[2])
  assert(left >= LEFT, ("%s leaves %d bytes of %d KB"):format(name, left, kilobytes))
end

-- All calls, and all expressions as data and as a Value; a sample runs each of these in one way, and the next run in the other.
local turn = 0
local function run_all(kilobytes, fibre, n, limits)
  local o = prepared(n, limits)
  turn = turn + 1
  local names = {}
  for name in pairs(calls) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    run(kilobytes, fibre, name, function() return calls[name](n, o) end)
  end
  local data = { x = o.x, y = o.y, o = o.o, p = o.p, w = o.w, z = o.z,
    ephemeral = hcl.mark(1, "ephemeral"), u = hcl.unknown "any", b = hcl.unknown "bool", t = "${jsonencode(x)}",
    json = nested(n, "[", "1", "]"), jsono = nested(n, '{"a":', "1", "}"), yaml = nested(n, "[", "1", "]") }
  for i, source in ipairs(expressions) do
    local by_turns = (i + turn) % 2
    if support.whole or by_turns == 0 then run(kilobytes, fibre, source, function() return hcl.eval(source, data, o.scope) end) end
    if support.whole or by_turns == 1 then
      run(kilobytes, fibre, source .. " as a Value", function()
        local e, err = hcl.compile(source)
        if not e then return e, err end
        return e:value(data, o.scope)
      end)
    end
  end
end

describe("a thread's stack", function()
  for _, kilobytes in ipairs { 24, 64, 128, 256 } do
    it("of " .. kilobytes .. " KB is enough for a diagnostic", function()
      run_all(kilobytes, false, 995)
      if kilobytes == 64 and support.whole then run_all(kilobytes, false, 9990, { depth = 10000 }) end
    end)
  end

  it("of this thread is not the stack of a coroutine of the host", function()
    if support.whole then run_all(64, true, 995) end
    run_all(64, true, 9990, { depth = 10000 })
  end)

  it("is the same for Lua's coroutines", function()
    for _, n in ipairs { 995, 9990 } do
      local o = prepared(n, { depth = 10000 })
      run(64, false, "coroutine", function()
        return support.unpack({ select(2, coroutine.resume(coroutine.create(function()
          return hcl.eval("[x]", { x = table_of(n, 1, in_array) }, o.scope)
        end))) }, 1, 2)
      end)
    end
  end)

  it("is enough to free Values made of Values", function()
    local ok, done = testing.on_stack(64, function()
      local v = hcl.value { 1 }
      for _ = 1, 3000 do v = hcl.value({ v }):get(0) end
      v = nil
      collectgarbage()
      collectgarbage()
      return v == nil
    end)
    if ok ~= nil then assert.same({ true, true }, { ok, done }) end
  end)

  it("gives a remedy when it is too small", function()
    local ok, err, left = testing.on_stack(64, function()
      local _, err = hcl.eval(nested(995, "[", "1", "]"))
      return err
    end)
    if left == nil then return end
    assert.is_true(ok)
    assert.equal("limit.depth", err[1].code)
    assert.truthy(err[1].detail:find("C stack", 1, true))
  end)

  it("has room again after an error", function()
    local ok, sum = testing.on_stack(64, function()
      local last
      for _ = 1, 20 do
        hcl.eval(nested(995, "[", "1", "]"))
        last = hcl.eval "[1, [2, [3]]][1][1][0]"
      end
      return last
    end)
    if ok ~= nil then assert.same({ true, 3 }, { ok, sum }) end
  end)
end)
