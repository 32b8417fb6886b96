-- A first day: typical errors of new users, and the messages.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

-- The error that a call raises.
local function message(fn, ...)
  local ok, raised = pcall(fn, ...)
  assert.is_false(ok)
  return tostring(raised)
end

local function count(...)
  return select("#", ...)
end

describe("results", function()
  it("of hcl.assert are its arguments", function()
    assert.equal(1, count(hcl.assert(5)))
    assert.equal(1, count(hcl.assert(false)))
    assert.same({ 3, { 1, nil, 2 } }, { count(hcl.assert(1, nil, 2)), { hcl.assert(1, nil, 2) } })
    local t = {}
    table.insert(t, hcl.assert(hcl.eval "1 + 1"))
    assert.same({ 2 }, t)
    assert.matches("first_day_spec.lua:%d+: why$", message(function() hcl.assert(nil, "why") end))
    assert.matches("assertion failed!$", message(function() hcl.assert(nil) end))
    assert.matches("Unknown name", message(function() hcl.assert(hcl.eval "x") end))
  end)

  it("of calls that succeed are one value", function()
    local body, edit = hcl.parse 'a = 1\nb "c" {\n}\n', hcl.edit "a = 1\n"
    local e, t, v = hcl.compile "a", hcl.type "number", hcl.value { 1 }
    local spec = hcl.spec 'attr {\n  name = "a"\n}'
    for i, fn in ipairs {
      function() return hcl.eval "1" end, function() return hcl.render "x" end, function() return hcl.compile "1" end,
      function() return e:eval { a = 1 } end, function() return e:test { a = true } end, function() return e:value { a = 1 } end,
      function() return t:convert(1) end, function() return v:lua() end, function() return v:get(0) end,
      function() return hcl.type "string" end, function() return hcl.value(1) end, function() return hcl.unknown "string" end,
      function() return hcl.parse "a = 1" end, function() return hcl.decode "a = 1" end, function() return hcl.format "a=1" end,
      function() return hcl.encode { a = 1 } end, function() return body:expand() end, function() return body:decode {} end,
      function() return spec:decode(body) end, function() return edit:set("a", "2") end, function() return edit:get "a" end,
    } do
      local n = count(fn())
      assert.is_true(n == 1 or (n == 2 and select(2, fn()) ~= nil), i .. ": " .. n)
    end
  end)
end)

describe("objects", function()
  local body = hcl.parse 'a = upper("x")\nb "c" {\n}\n'
  local objects = {
    Expression = hcl.compile "a", Value = hcl.value { a = 1 }, Type = hcl.type "string", Scope = hcl.scope {},
    Function = hcl.func { impl = print }, Lazy = hcl.lazy(print), Body = body, Attribute = body.attributes.a, Block = body.blocks[1],
    Spec = hcl.spec 'attr {\n  name = "a"\n}', Edit = hcl.edit "a = 1", Explanation = hcl.compile("1"):explain(),
    Module = hcl.module(support.root .. "examples/infra", { settings = { "region=eu-1" } }),
  }

  it("raise errors for unknown names", function()
    for kind, object in pairs(objects) do
      local got = message(function() return object.nonsense end)
      assert.matches("first_day_spec.lua:%d+: an? " .. kind .. " has no field 'nonsense'; [ir]", got)
      assert.is_nil(object._nonsense) -- libraries ask for such names
      assert.is_nil(object.__nonsense)
      if type(object) == "userdata" then
        assert.matches("has no field %[1%]", message(function() return object[1] end))
      else
        assert.is_nil(object[2]) -- code that walks tables reads [2] of every object
      end
    end
    assert.matches("it has ast, calls, check, eval, explain, functions", message(function() return objects.Expression.evaluate end))
    assert.matches("it has at, attributes, blocks, calls, check, content", message(function() return body.attrs end))
    assert.matches("it has addresses, change, dependencies, dependents, eval", message(function() return objects.Module.plam end))
    for _, name in ipairs { "root", "run", "options", "dir" } do
      assert.matches("a Module has no field '" .. name .. "'", message(function() return objects.Module[name] end))
    end
    assert.is_nil(next(objects.Module))
    assert.is_nil(body.attributes.nonsense) -- these are tables of names
  end)

  it("that are Values say how to read elements", function()
    local v = objects.Value
    assert.matches('read an element with v:get%("a"%); it has close, get', message(function() return v.a end))
    assert.matches("read an element with v:get%(0%)", message(function() return v[0] end))
    assert.matches("has no field 'a'", message(function() return hcl.value(5).a end))
    local big = hcl.eval "123456789012345678901234567890"
    assert.matches("a Value has no field 'a'", message(function() return big.a end))
    assert.matches("read%-only Value", message(function() big.a = 1 end))
  end)

  it("answer to names from before 1.0", function()
    for _, object in ipairs { hcl.compile "f(1, x...)", hcl.parse "a = f(1, x...)", hcl.spec 'literal {\n  value = f(1, x...)\n}' } do
      local call = object:calls()[1]
      assert.same(object:functions(), object:calls())
      assert.same({ "f", 2, 2, true }, { call.name, call.argument_count, call.arguments, call.spread })
    end
    local dir = support.folder { ["main.tf"] = "", ["t/a.tftest.hcl"] = 'run "r" {\n  command = plan\n}\n', ["tests/b.tftest.hcl"] = "" }
    for _, options in ipairs { { test_dir = "t", pause = print }, { test_directory = "t", breathe = print } } do
      local files = hcl.assert(hcl.module(dir, options):test()).files
      assert.same({ 1, "a.tftest.hcl" }, { #files, files[1].filename:match "[^/]*$" })
      assert.equal(files[1].filename, files[1].path)
    end
    assert.error_matches(function() hcl.module(dir, { breathe = 1 }) end, "option 'pause' must be a function", 1, true)
    assert.error_matches(function() hcl.module(dir, { pause = print, breathe = print }) end, "'pause' and 'breathe' are the same", 1, true)
    local place = hcl.parse("a = b.c[0]"):at(6)
    assert.same({ 5, 7, 5, 7 }, { place.start_byte, place.stop_byte, place.start, place.stop })
    assert.same({ 4, 5 }, { place.parent.steps[1].start_byte, place.parent.steps[1].stop_byte })
    assert.same({ "b", "b" }, { hcl.compile("b.c"):traversals()[1].root, hcl.parse("a = b.c"):traversals()[1].root })
    local checked = support.folder 'check "c" {\n  assert {\n    condition     = path.module == "x"\n    error_message = "No."\n  }\n}\n'
    local plan = hcl.module(checked):plan()
    assert.same({ status = "fail", messages = { "No." } }, plan.checks["check.c"])
    assert.same({ "No." }, plan.messages["check.c"])
    local m = hcl.module(checked)
    assert.same({ ".", "." }, { m:addresses()[1].dir, m:addresses()[1].path })
    for _, name in ipairs { "filename", "path" } do
      assert.equal("1", tostring(m:value("1", { [name] = checked .. "/main.tf", byte = 3 })))
    end
    support.remove(dir)
    support.remove(checked)
  end)

  it("refuse to be changed", function()
    for kind, object in pairs(objects) do
      local refused = kind == "Lazy" and "a Lazy has no fields" or "attempt to set field 'x' of a read%-only " .. kind
      assert.matches("first_day_spec.lua:%d+: " .. refused, message(function() object.x = 1 end))
    end
  end)

  it("print alike, except for those that are a text", function()
    for _, kind in ipairs { "Expression", "Scope", "Function", "Lazy", "Body", "Attribute", "Block", "Spec", "Module" } do
      assert.matches("^hclexpr%." .. kind .. ": %S+$", tostring(objects[kind]))
    end
    assert.equal("string", tostring(objects.Type))
    assert.equal("a = 1", tostring(objects.Edit))
  end)
end)

describe("calls", function()
  local source = 'a = upper("x")\nb "c" {\n  d = [for s in x : ns::f(lower(s))]\n}\ndynamic "b" {\n  for_each = keys(m)\n'
    .. '  content {\n    d = b.key\n  }\n}\n'

  local function names(list)
    local out = {}
    for i, call in ipairs(list) do
      out[i] = call.name
      assert.is_number(call.range.start.line)
    end
    return out
  end

  it("in a body are all listed", function()
    local body = hcl.parse(source)
    assert.same({ "upper", "ns::f", "lower", "keys" }, names(body:functions()))
    local range = body:functions()[2].range
    assert.equal("ns::f", source:sub(range.start.byte + 1, range.stop.byte))
    assert.same({ "ns::f", "lower" }, names(body.blocks[1].body:functions()))
    assert.same({}, names(hcl.parse(""):functions()))
    assert.same({ "upper" }, names(hcl.parse('{"a": "${upper(\\"x\\")} lower()"}', { syntax = "json" }):functions()))
    assert.matches("Body expected", message(body.functions, 5))
  end)

  it("in what a spec reads are reported, and in the spec itself", function()
    local spec = hcl.spec [[
object {
  attr "a" {}
  default "e" {
    attr {
      name = "e"
    }
    literal {
      value = lower("X")
    }
  }
}]]
    local body = hcl.parse 'a = upper("x")\nb = lower("x")\n'
    assert.same({ "upper" }, names(spec:functions(body)))
    assert.same({ "upper", "lower" }, names(spec:functions { body, hcl.parse 'e = lower("y")' }))
    assert.same({ "lower" }, names(spec:functions()))
    assert.matches("Body or array of Bodies expected", message(function() spec:functions(5) end))
    assert.matches("Spec expected", message(function() spec.functions(5, body) end))
  end)
end)

-- The detail of the last error: of an expression; of a file if it has lines.
local function detail(source, variables, scope)
  local value, err = hcl.eval(source, variables, scope)
  assert.is_nil(value)
  return err[#err].detail
end

local function file_detail(source)
  local body, err = hcl.parse(source)
  assert.is_nil(body)
  return err[#err].detail
end

local function ends(text, tail)
  assert.equal(tail, text:sub(-#tail))
end

describe("a notation of another language", function()
  it("is corrected in an expression", function()
    for source, advice in pairs {
      ["a and b"] = 'write "&&".', ["a or b"] = 'write "||".', ["not a"] = 'write "!".', ["not(a)"] = 'write "!".',
      ["true and not false"] = 'write "&&".', ["if a then b"] = "condition ? a : b.", ["a if b else c"] = "condition ? a : b.",
      ["if(a, b, c)"] = "condition ? a : b.", ["a: 5"] = 'set by "=": a = 5.', ["a = 5"] = '"=" sets one.',
      ["t2.micro"] = 'quote it: "t2.micro".', ["us-east-1"] = 'quote it: "us-east-1".', ["30s"] = 'in quotes: "30s".',
      ["[1, 30s]"] = 'in quotes: "30s".', ["10.0.0.1"] = 'in quotes: "10.0.0.1".', ["1_000"] = "without a separator: 1000000.",
      ["0x10"] = 'parseint("ff", 16) reads others.', ["a === b"] = "are equal.", ["a <> b"] = 'is written "!=".',
      ["a ?? b"] = "write coalesce(a, b).", ["a ** b"] = "write pow(a, b).", ["a .. b"] = '"${a}${b}".', [".5"] = "a digit: 0.5.",
      ["${a}"] = "Write a without ${ }.", ["nil"] = 'For "nil" write null.', ["True"] = "in lower case: true.",
      ["len(a)"] = 'Did you mean "length"?', ["size(a)"] = 'Did you mean "length"?', ["str(a)"] = 'Did you mean "tostring"?',
      ["int(a)"] = 'or "floor"?', ["filter(a)"] = "[for v in list : v if v > 0].",
      ["and(a, b)"] = 'write "&&" between the two.', ["or(a, b)"] = 'write "||" between the two.',
      ['"a" + "b"'] = 'in a template: "${a}${b}".', ["[1] + [2]"] = "by concat().",
      ["upper \"a\""] = "has parentheses: upper(...).",
      ["{ a => 1 }"] = "{for k, v in map : k => v}.",
      ["l.contains(a)"] = "contains(l, ...).", ["l[0].b.contains(a)"] = "contains(value, ...).", ["a << 2"] = "no operators on bits.",
      ["[for v in l if v : v]"] = "[for v in list : v if v > 0].", ["a mod b"] = 'write "%".', ["a is b"] = 'write "==".',
    } do
      ends(detail(source, { a = true, b = false, l = { 1 } }), advice)
    end
  end)

  it("gets the correct spelling from the first of two diagnostics", function()
    local _, err = hcl.eval "a ~= b"
    ends(err[1].detail, '"not equal" is written "!=".')
  end)

  it("is corrected in a file", function()
    for source, advice in pairs {
      ["a = b and c\n"] = 'For "and" write "&&".', ["a = not b\n"] = 'For "not" write "!".', ["a = 30s\n"] = 'in quotes: "30s".',
      ["-- a\nb = 1\n"] = 'A comment begins with "#" or "//".',
      ["a = f(b or c)\n"] = 'For "or" write "||".', ["a = [b and c]\n"] = 'For "and" write "&&".',
      ["a = hello world\n"] = 'takes quotes: "hello world".', ["a = tags.contains(b)\n"] = "contains(tags, ...).",
      ["a = b =~ c\n"] = "can(regex(pattern, text)).",
      ["a = 'x y'\n"] = 'takes double quotes: "x y".', ["a = it's\n"] = "takes double quotes.",
      ["a = <<EOT \nx\nEOT\n"] = "not even a space.",
      ["a = <<EOT # x\nx\nEOT\n"] = "not even a space.",
      ["a = <<'EOT'\nx\nEOT\n"] = "takes no quotes: <<EOT.", ["a = <<-\"EOT\"\nx\nEOT\n"] = "takes no quotes: <<EOT.",
      ["a = << EOT\nx\nEOT\n"] = "without a space: <<EOT.", ["a = <<EOT"] = "the end of the line: <<EOT.",
      ["a = { b = 5m }\n"] = 'in quotes: "5m".', ["a: 5\n"] = 'set with "=", a block has its content in braces.',
    } do
      ends(file_detail(source), advice)
    end
  end)

  it("gets no advice if none is known", function()
    ends(detail "a 5", "join the two with an operator.")
    ends(detail "[1 2]", 'but found "2".')
    ends(detail "foo", 'Nothing is named "foo" here.')
    ends(detail "foo()", 'No function is named "foo".')
    ends(detail "[ 1 2 ]", 'but found "2".')
  end)

  it("reports that a lookup gave nothing, not that text lacks quotes", function()
    local scope = hcl.scope { lookup = function() return nil end }
    ends(select(2, hcl.eval("env.HOME", nil, scope))[1].detail, "lookup gave nothing for it: for what may be absent it returns hcl.null.")
    ends(select(2, hcl.eval("nmae", { name = 1 }, scope))[1].detail, 'Did you mean "name"?')
  end)
end)

describe("a named value that is called", function()
  it("points to scope.functions", function()
    local fn = function() return 1 end
    ends(detail("f(1)", { f = fn }), "give it in scope.functions.")
    ends(detail("f(1)", nil, hcl.scope { variables = { f = fn } }), "give it in scope.functions.")
    ends(detail("f(1)", { f = 1 }, hcl.scope { stdlib = false }), "give it in scope.functions.")
    ends(detail("uper(1)", { f = fn }), 'Did you mean "upper"?')
    assert.equal(1, hcl.eval("f()", { f = 5 }, hcl.scope { functions = { f = fn } }))
  end)
end)

describe("an unclosed construct", function()
  it("reports where it was opened", function()
    for source, place in pairs {
      ["(1 + 2"] = 'The "(" before it is on line 1, column 1.',
      ["[\n  a[1"] = 'The "[" before it is on line 2, column 4.',
      ["f(1,\n  2\n  b"] = 'The "(" before it is on line 1, column 2.',
      ["[1\n 2]"] = 'The "[" before it is on line 1, column 1.',
      ["[1, "] = 'The "[" before it is on line 1, column 1.',
      ['"abc'] = "Its opening quote is on line 1, column 1.",
    } do
      ends(detail(source), place)
    end
    ends(file_detail "a = [1, 2\nb = 3\n", 'The "[" before it is on line 1, column 5.')
    ends(file_detail "a = f(1,\nb = 3\n", 'The "(" before it is on line 1, column 6.')
    ends(file_detail "a = {\n b = 1\n", 'The "{" before it is on line 1, column 5.')
    assert.matches("label, which begins on line 1, column 3%.", select(2, hcl.parse 'b "x')[1].detail)
    assert.matches("interpolation on line 2, column 2 has no", select(2, hcl.render "a\n ${b")[1].detail)
    assert.matches("end of a %%{ if } on line 2, column 1%.", select(2, hcl.render "a\n%{ if b }c")[1].detail)
    assert.matches("is on line 7, column 9%.$", select(2, hcl.compile("(1", { line = 7, column = 9 }))[1].detail)
  end)

  it("names a heredoc's marker", function()
    for marker, source in pairs { EOT = "<<EOT\nfoo\n", END_1 = "[<<-END_1\nfoo\n", X = "<<X\r\nfoo\r\nX" } do
      ends(detail(source), "ends with a line that holds only " .. marker .. ", and with its newline.")
    end
    assert.matches("heredoc begins on line 2, column 5,", file_detail "b = 1\na = <<X\nfoo\n")
  end)
end)

describe("repeated names", function()
  it("names the first", function()
    assert.matches("already in this body, on line 1%.", file_detail "a = 1\nb {\n}\na = 2\n")
    local many = {}
    for i = 1, 30 do many[i] = "a" .. i .. " = 1\n" end
    assert.matches("on line 29%.", file_detail(table.concat(many) .. "a29 = 2\n"))
    local function fault(value, err)
      assert.is_nil(value)
      return err[1].detail
    end
    local json = '{"b": 1,\n "a": 1,\n "a": 2}'
    assert.matches("on line 2%.", fault(hcl.decode(json, nil, nil, { syntax = "json" })))
    assert.matches("on line 2%.", fault(hcl.parse(json, { syntax = "json" }):decode { attributes = { a = {}, b = {} } }))
    assert.matches("the first is on line 1%)", fault(hcl.decode "a = 1\na {}\n"))
    assert.matches("the first is on line 1%)", fault(hcl.decode "a {\n}\na = 1\n"))
  end)

  it("as a block's labels shows no unrelated value", function()
    local schema = { blocks = { b = { labels = { "name" }, nesting = "map", schema = { attributes = { v = {} } } } } }
    local body = hcl.parse 'b "j" {}\nb "k" {\n  v = q.r\n}\nb "k" {\n  v = q.r\n}\n'
    local _, err = body:decode(schema, { q = { r = "elsewhere" } })
    assert.equal(1, #err)
    assert.equal("body.label", err[1].code)
    assert.matches('"b" with the same labels is on line 2%.', err[1].detail)
    assert.same({}, err[1].values)
  end)
end)

describe("types that don't fit", function()
  it("of a conditional name the part that differs", function()
    for source, reason in pairs {
      ['true ? { a = 1 } : { a = "x", b = [] }'] = 'only the second has the attribute "b"',
      ["true ? { a = 1, b = [] } : { a = 1 }"] = 'only the first has the attribute "b"',
      ["true ? { a = 1, c = {} } : { b = 1 }"] = 'only the first has the attributes "a", "c", and only the second the attribute "b"',
      ["true ? { a = { b = 1 } } : { a = { b = 1, c = [] } }"] = 'attribute "a": only the second has the attribute "c"',
      ["true ? [1, { a = 1 }] : [2, []]"] = "element 1: an object is required, not a tuple",
      ['true ? [1] : ["a", []]'] = "the first has 1 element and the second 2, and they have no type in common",
      ['true ? [1] : "a"'] = "a tuple is required, not a string",
      ["true ? sensitive({ a = 1 }) : { b = [] }"] = "one of them has attributes that the other lacks",
    } do
      assert.truthy(detail(source):find(": " .. reason .. ". ", 1, true), detail(source))
    end
  end)

  it("of a value are all reported, each with its path", function()
    local t = hcl.type "object({ a = number, b = string, c = list(bool), d = optional(number, 3), m = map(object({ x = number })) })"
    local v, err = t:convert { a = "x", c = { true, "no", {} }, d = {}, m = { k = { x = "q" }, l = {} }, z = 1 }
    assert.is_nil(v)
    local got = {}
    for i, d in ipairs(err) do
      assert.equal("value.convert", d.code)
      got[i] = d.detail:match "^[^:]+:?[^:]*"
    end
    table.sort(got)
    assert.same({
      'Attribute "a": a number is required, not "x".', 'Attribute "b" is missing.', 'Attribute "c": element 1',
      'Attribute "c": element 2', 'Attribute "d": a number is required, not an object.', 'Attribute "m": attribute "k"',
      'Attribute "m": attribute "l"',
    }, got)
    local _, two = hcl.value({ 1, "x", "y" }, "list(number)")
    assert.equal(2, #two)
    local _, whole = hcl.type("list(any)"):convert { 1, {} }
    assert.equal(1, #whole)
    assert.equal("All elements of a list must have one type.", whole[1].detail)
    local list = {}
    for i = 1, 1000 do list[i] = "x" end
    assert.equal(100, #select(2, hcl.type("list(number)"):convert(list)))
  end)

  it("of a marked value show nothing of it", function()
    local _, err = hcl.type("object({ p = object({ q = number }), s = number })"):convert {
      p = hcl.sensitive { q = "secret1" }, s = hcl.sensitive "secret2",
    }
    assert.equal(2, #err)
    assert.is_nil(tostring(err):find "secret%d")
  end)
end)

describe("a misspelt name", function()
  it("of an option is suggested", function()
    for advice, fn in pairs {
      ["(unknown option 'filenam'; did you mean 'filename'?)"] = function() hcl.compile("1", { filenam = "x" }) end,
      ["(unknown option 'variable'; did you mean 'variables'?)"] = function() hcl.scope { variable = {} } end,
      ["(unknown option convert.nul; did you mean 'null'?)"] = function() hcl.scope { convert = { nul = 1 } } end,
      ["(unknown option 'imp'; did you mean 'impl'?)"] = function() hcl.func { imp = print } end,
      ["(unknown refinement 'prefx'; did you mean 'prefix'?)"] = function() hcl.unknown("string", { prefx = "x" }) end,
      ["(unknown option 'indnt'; did you mean 'indent'?)"] = function() hcl.encode({}, { indnt = 2 }) end,
      ["(unknown option 'file'; did you mean 'filename'?)"] = function() hcl.compile("1", { file = "x" }) end, -- the beginning of it
      ["(unknown option 'set'; did you mean 'settings'?)"] = function() hcl.module("nowhere", { set = {} }) end,
      ["(unknown option 'nonsense')"] = function() hcl.parse("", { nonsense = 1 }) end,
      ["named 'typ'; did you mean 'type'?)"] = function() hcl.parse("a = 1"):decode { attributes = { a = { typ = "string" } } } end,
      ["limits.step; there are steps, memory, depth, output and source)"] = function() hcl.type("string", { limits = { step = 1 } }) end,
    } do
      ends(message(fn), advice)
    end
  end)

  it("of a method without its colon gets the colon", function()
    local expr = hcl.compile "1"
    for method, arguments in pairs { eval = {}, test = { {} }, value = {} } do
      ends(message(function() expr[method](arguments[1]) end), "; call it with a colon, as in expr:" .. method .. "())")
    end
    local v, module = hcl.value { 1 }, hcl.module(support.root .. "examples/infra", { missing = "unknown" })
    for _, call in ipairs { v.lua, v.get, v.json, module.plan, hcl.parse("").decode } do
      ends(message(function() call() end), "; methods are called with a colon)")
    end
  end)

  it("in a schema gets the correct notation", function()
    for way, schema in pairs {
      ["; write attributes = { port = { ... } })"] = { port = "number" },
      ["; write blocks = { b = { ... } })"] = { b = { attributes = {} } },
      ["; write schema = { attributes = { ... } })"] = { blocks = { b = { attributes = {} } } },
      ["; write schema = { blocks = { ... } })"] = { blocks = { b = { blocks = {} } } },
      ['; write { type = "number" })'] = { attributes = { port = "number" } },
    } do
      ends(message(function() hcl.parse(""):decode(schema) end), way)
    end
  end)

  it("of a type is suggested, and other languages' names", function()
    for source, name in pairs {
      strng = "string", int = "number", boolean = "bool", ["lst(string)"] = "list", ["array(string)"] = "list",
      ["dict(string)"] = "map", ["object({ a = float })"] = "number",
    } do
      ends(select(2, hcl.type(source))[1].detail, 'Did you mean "' .. name .. '"?')
    end
  end)
end)
