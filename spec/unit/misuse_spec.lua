-- Misuse of the API raises an error that names the argument or option.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local function raises(what, fn, ...)
  local ok, message = pcall(fn, ...)
  assert.is_false(ok, what)
  assert.equal("string", type(message))
  assert.truthy(message:find(what, 1, true), message)
  assert.is_nil(message:find("#0", 1, true))
end

local e = hcl.assert(hcl.compile "1")

describe("misuse", function()
  it("of sources", function()
    raises("#1", hcl.eval, 5)
    raises("#1", hcl.eval)
    raises("#1", hcl.render, {})
    raises("#1", hcl.compile, nil)
    raises("#1", hcl.compile, 1)
    raises("#1", hcl.type, 1)
    raises("#1", hcl.parse, true)
  end)

  it("of a scope's functions and times", function()
    local f = function() return 1 end
    for _, name in ipairs { "", "a b", "1x", "::a", "a::", "a:::b", "a:b", "-a", "a.b" } do
      raises("functions['" .. name .. "'] could not be called", hcl.scope, { functions = { [name] = f } })
    end
    for _, name in ipairs { "a", "_", "a-b", "a::b", "core::\195\169::c_1" } do
      assert.equal(1, hcl.eval(name .. "()", nil, hcl.scope { functions = { [name] = f } }))
    end
    for _, time in ipairs { "", "today", "2026-01-01", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-01T00:00:00" } do
      raises("plan_timestamp must be a time such as", hcl.scope, { plan_timestamp = time })
    end
    raises("plan_timestamp must be a string", hcl.scope, { plan_timestamp = 5 })
  end)

  it("of results of a scope's functions is reported with their place", function()
    local function told(source, options, what)
      local ok, message = pcall(hcl.eval, source, nil, hcl.scope(options))
      assert.is_false(ok)
      local _, callback = next(options)
      local place = "misuse_spec.lua:" .. debug.getinfo(callback, "S").linedefined .. ": "
      assert.truthy(message:find(place, 1, true), message)
      assert.truthy(message:find(what, 1, true), message)
    end
    local function give(...)
      local n, results = select("#", ...), { ... }
      return function() return support.unpack(results, 1, n) end
    end
    told("timestamp()", { clock = give "noon" }, "bad result of 'clock' (seconds since 1970 expected, got string)")
    told("timestamp()", { clock = give() }, "got nothing)")
    told("timestamp()", { clock = give(2 ^ 60) }, "(seconds since 1970 expected, got 1.15")
    told("uuid()", { random = give "short" }, "bad result of 'random' (string of length 16 expected, got string of length 5)")
    told("uuid()", { random = give {} }, "(string of length 16 expected, got table)")
    told("a.b.c", { lookup = give({}, "x") }, "bad result of 'lookup' (number of steps from 0 to 2 after the value expected, got string)")
    told("a.b.c", { lookup = give({}, 3) }, "got 3)")
    local returns = give(true)
    local ok, message = pcall(hcl.eval, "f(1)", nil, hcl.scope { functions = { f = hcl.func {
      params = { { name = "x" } }, returns = returns, impl = give(1) } } })
    assert.is_false(ok)
    local what = "bad result of 'returns' of 'f' %(Type or constraint text expected, got boolean%)"
    assert.truthy(message:find("misuse_spec.lua:%d+: " .. what), message)
    -- A C function has no line.
    ok, message = pcall(hcl.eval, "uuid()", nil, hcl.scope { random = string.upper })
    assert.is_false(ok)
    assert.truthy(message:find("^bad result of 'random'"), message)
  end)

  it("of a function's options is blamed on the call", function()
    assert.error_matches(function() hcl.func { impl = print, nope = 1 } end, "bad argument #1 to '.-func' %(unknown option 'nope'")
    assert.error_matches(function() hcl.func { impl = 1 } end, "bad argument #1 to '.-func' %(impl must be a function")
  end)

  it("of a function's documentation is blamed", function()
    for _, field in ipairs { "summary", "description", "example" } do
      assert.error_matches(function() hcl.func { impl = print, [field] = 1 } end, "summary, description and example must be strings")
    end
  end)

  it("is blamed on the argument and the line of the caller", function()
    local function message(fn) return select(2, pcall(fn)) end
    local module = hcl.assert(hcl.module(support.root .. "examples/infra", { settings = { "region=eu-1" } }))
    local here, spec, edit = "misuse_spec.lua:", hcl.spec 'attr {\n  name = "a"\n}', hcl.edit "a = 1\n"
    for text, fn in pairs {
      ["#1 to 'eval'"] = function() e:eval(5) end,
      ["#2 to 'test'"] = function() e:test(nil, {}) end,
      ["#2 to 'value'"] = function() e:value(nil, 5) end,
      ["#2 to 'compile'"] = function() hcl.compile("1", { line = 0 }) end,
      ["#1 to 'compile' (string expected, got no value)"] = function() hcl.compile() end,
      ["#2 to 'compile' (table expected, got string)"] = function() hcl.compile("1", "template") end,
      ["#2 to 'compile' (unknown option 'nme')"] = function() hcl.compile("1", { nme = 1 }) end,
      ["#2 to 'compile' (unknown option '1')"] = function() hcl.compile("1", { "template" }) end,
      ["#4 to 'eval' (unknown option 'true')"] = function() hcl.eval("1", nil, nil, { [true] = 1 }) end,
      ["#2 to 'compile' (option 'filename' must be a string, not a number)"] = function() hcl.compile("1", { filename = 1 }) end,
      ["#2 to 'compile' (option 'column' must be a whole number from 1 on)"] = function() hcl.compile("1", { column = 0 / 0 }) end,
      ["#2 to 'compile' (option 'syntax' must be \"native\", \"template\" or \"json\")"] = function()
        hcl.compile("1", { syntax = "json\0" })
      end,
      ["#2 to 'compile' (option 'limits' must be a table, not a number)"] = function() hcl.compile("1", { limits = 1 }) end,
      ["#2 to 'parse' (option 'line' must be a whole number"] = function() hcl.parse("", { line = -5 }) end,
      ["#2 to 'parse' (option 'column' must be a whole number"] = function() hcl.parse("", { column = 0 / 0 }) end,
      ["#4 to 'decode' (option 'syntax' must be \"native\" or \"json\""] = function() hcl.decode("", nil, nil, { syntax = "yaml" }) end,
      ["#3 to 'eval'"] = function() hcl.eval("1", nil, {}) end,
      ["#1 to 'render'"] = function() hcl.render() end,
      ["#1 to 'type'"] = function() hcl.type(nil) end,
      ["#1 to 'functions' (string expected, got number)"] = function() hcl.functions(5) end,
      ["#1 to 'scope'"] = function() hcl.scope() end,
      ["#2 to 'unknown'"] = function() hcl.unknown("string", { min = 1 }) end,
      ["#1 to 'value' (value expected, got nil; null is hcl.null)"] = function() hcl.value() end,
      ["#1 to 'sensitive' (value expected, got nil; null is hcl.null)"] = function() hcl.sensitive(nil) end,
      ["#1 to 'mark' (value expected, got nil; null is hcl.null)"] = function() hcl.mark(nil, "m") end,
      ["#2 to 'eval'"] = function() e:eval(nil, hcl.value(1)) end,
      ["#2 to 'compile' (limits.steps must be a number from 0 on)"] = function() hcl.compile("1", { limits = { steps = -1 } }) end,
      ["#2 to 'parse' (limits.depth must be a number from 0 on)"] = function() hcl.parse("", { limits = { depth = 0 / 0 } }) end,
      ["#4 to 'decode' (limits.output must be"] = function() hcl.decode("", nil, nil, { limits = { output = "5" } }) end,
      ["#2 to 'type' (limits must be a table"] = function() hcl.type("any", { limits = 5 }) end,
      ["#2 to 'format' (unknown option limits.x"] = function() hcl.format("", { limits = { x = 5 } }) end,
      ["#2 to 'spec' (unknown option limits.x"] = function() hcl.spec("", { limits = { x = 5 } }) end,
      ["#2 to 'edit' (unknown option limits.x"] = function() hcl.edit("", { limits = { x = 5 } }) end,
      ["#2 to 'encode' (unknown option limits.x"] = function() hcl.encode(1, { limits = { x = 5 } }) end,
      ["#2 to 'encode' (schema.blocks.b: a table"] = function() hcl.encode({}, { blocks = { b = 1 } }) end,
      ["#2 to 'encode' (schema.blocks.b: no field of a schema is named 'true'"] = function()
        hcl.encode({}, { blocks = { b = { [true] = 1 } } })
      end,
      ["#2 to 'encode' (option 'indent' must be a number of spaces from 0 to 16, or false)"] = function()
        hcl.encode({}, { indent = 17 })
      end,
      ["#2 to 'from_json' (schema.attributes: names are strings, not number)"] = function()
        hcl.from_json("{}", { schema = { attributes = { {} } } })
      end,
      ["#2 to 'encode' (schema.blocks: names are strings, not boolean)"] = function() hcl.encode({}, { blocks = { [true] = {} } }) end,
      ["#2 to 'from_json' (schema: no field of a schema is named 'x'; write attributes = { x = { ... } })"] = function()
        hcl.from_json("{}", { schema = { x = 1 } })
      end,
      ["#2 to 'encode' (options 'blocks' and 'attributes_only' exclude each other)"] = function()
        hcl.encode({}, { blocks = {}, attributes_only = true })
      end,
      ["#1 to 'encode' (value expected, got nil; null is hcl.null)"] = function() hcl.encode(nil) end,
      ["#2 to 'from_json' (option 'dialect' must be \"terraform\" or \"attributes\")"] = function()
        hcl.from_json("{}", { schema = "x" })
      end,
      ["#1 to 'decode' (Body or array of Bodies expected, got table)"] = function() spec:decode {} end,
      ["#1 to 'decode' (Body or array of Bodies expected, got number)"] = function() spec:decode(5) end,
      ["#1 to 'decode' (array of Bodies expected, with a string in it)"] = function() spec:decode { hcl.parse "", "x" } end,
      ["#2 to 'decode' (table expected, got number)"] = function() spec:decode(hcl.parse "", 5) end,
      ["#3 to 'decode' (scope expected, got table"] = function() spec:decode(hcl.parse "", {}, {}) end,
      ["#1 to 'attributes' (Body or array"] = function() spec:attributes(5) end,
      ["#1 to 'calls' (array of Bodies expected, with a number in it)"] = function() spec:functions { hcl.parse "", 5 } end,
      ["#1 to 'set' (string"] = function() edit:set(5, 1) end,
      ["#2 to 'set' (source or value expected, got nil; null is hcl.null)"] = function() edit:set "a" end,
      ["#2 to 'to_json' (option 'dialect' must be \"terraform\")"] = function() hcl.to_json("", { schema = "x" }) end,
      ["#2 to 'module' (option 'state' must be a string or table, not a number)"] = function() hcl.module(".", { state = 1 }) end,
      ["#2 to 'module' (option 'missing' must be \"unknown\" or \"error\")"] = function() hcl.module(".", { missing = "?" }) end,
      ["#2 to 'module' (option 'scope' must be a scope, not a table; make one with hcl.scope)"] = function()
        hcl.module(".", { scope = {} })
      end,
      ["#1 to 'validate' (unknown option 'strict')"] = function() module:validate { strict = true } end,
      ["#1 to 'plan' (table expected, got string)"] = function() module:plan "-out" end,
      ["#1 to 'reload' (table expected, got boolean)"] = function() module:reload(true) end,
      ["#1 to 'plan_json' (unknown option 'revael'; did you mean 'reveal'?)"] = function() module:plan_json { revael = true } end,
      ["#1 to 'outputs_json' (option 'reveal' must be a boolean"] = function() module:outputs_json { reveal = 1 } end,
      ["#2 to 'module' (option 'settings': element 1 must be"] = function() hcl.module(".", { settings = { 5 } }) end,
      ["#2 to 'module' (option 'variables': its keys must be names"] = function() hcl.module(".", { variables = { 5 } }) end,
      ["#1 to 'func' (params[1].type must be"] = function() hcl.func { impl = print, params = { { type = 1 } } } end,
      ['#1 to \'scope\' (convert.big must be "value", "string", "float" or "error")'] = function() hcl.scope { convert = { big = 1 } } end,
      ['#1 to \'scope\' (the only string that convert.null may be is "omit")'] = function() hcl.scope { convert = { null = "" } } end,
    } do
      local got = message(fn)
      assert.truthy(got:find(here, 1, true), got)
      assert.truthy(got:find("bad argument " .. text, 1, true), got)
    end
  end)

  it("of an object's methods is blamed on the line of the caller", function()
    local body, edit = hcl.parse "a = 1", hcl.edit "a = 1\n"
    local attribute, spec = body.attributes.a, hcl.spec 'attr {\n  name = "a"\n}'
    for i, fn in ipairs {
      function() attribute:value(5) end, function() attribute:eval(5) end, function() local x = attribute:eval(5) return x end,
    } do
      local got = select(2, pcall(fn))
      assert.truthy(got:find("^[^\n]*misuse_spec.lua:%d+: bad argument #1 to '%l+' %(table expected, got number%)"), i .. got)
    end
    for class, methods in pairs {
      Expression = { e.literal }, Attribute = { attribute.value, attribute.eval }, Spec = { spec.decode, spec.type },
      Module = { hcl.module(support.root .. "examples/infra", { missing = "unknown" }).plan },
      Body = { body.expand, body.content, body.decode }, Edit = { edit.set, edit.get },
    } do
      for _, method in ipairs(methods) do
        local got = select(2, pcall(function() method(5, {}) end))
        local text = "misuse_spec.lua:%%d+: calling '%%l+' on bad self %%(%s expected, got number; methods are called with a colon%%)"
        assert.truthy(got:find(text:format(class)), got)
      end
    end
    for name, object in pairs { Body = body, Attribute = attribute } do
      for _, key in ipairs { "x", true } do
        local got = select(2, pcall(function() object[key] = 1 end))
        assert.truthy(got:find("misuse_spec.lua:%d+: attempt to set field '" .. tostring(key) .. "' of a read%-only " .. name), got)
      end
    end
  end)

  it("of places", function()
    raises("line", hcl.compile, "1", { line = 0 })
    raises("line", hcl.compile, "1", { line = 1.5 })
    raises("column", hcl.compile, "1", { column = -1 })
  end)

  it("of variables and scopes", function()
    raises("#2", hcl.eval, "1", 5)
    raises("#2", e.eval, e, "x")
    raises("scope", hcl.eval, "1", nil, {})
    raises("Scope expected", e.eval, e, nil, {})
    raises("Scope expected", e.test, e, {}, { variables = {} })
    raises("Expression expected", e.eval, {})
    raises("Expression expected", e.value, hcl.value(1))
  end)

  -- doc/api.md lists the types of each option: every other type is rejected, with the argument and the name of the option.
  it("of each option's type", function()
    local body, every = hcl.parse "a = 1", {}
    local calls = {
      ["hcl.eval"] = { 4, function(o) hcl.eval("1", nil, nil, o) end },
      ["hcl.render"] = { 4, function(o) hcl.render("1", nil, nil, o) end },
      ["hcl.decode"] = { 4, function(o) hcl.decode("", nil, nil, o) end }, ["hcl.load"] = { 4, function(o) hcl.load("x", nil, nil, o) end },
      ["hcl.merge"] = { 2, function(o) hcl.merge({ body }, o) end }, ["hcl.module"] = { 2, function(o) hcl.module("/none", o) end },
      ["expr:check"] = { 3, function(o) e:check({}, nil, o) end }, ["expr:explain"] = { 3, function(o) e:explain(nil, nil, o) end },
      ["body:decode"] = { 4, function(o) body:decode({}, nil, nil, o) end },
      ["body:check"] = { 4, function(o) body:check({}, {}, nil, o) end }, ["m:test"] = { 1 },
    }
    for _, name in ipairs { "compile", "tokens", "type", "parse", "to_json", "from_json", "format", "encode", "spec", "edit" } do
      calls["hcl." .. name] = { 2, function(o) hcl[name](name == "type" and "any" or "", o) end }
    end
    local words = { string = "string", text = "string", path = "string", integer = "number", boolean = "boolean", table = "table",
      array = "table", ["function"] = "function", ["false"] = "boolean" }
    local values = { ["string"] = "\0", ["number"] = 0.5, ["boolean"] = true, ["table"] = {}, ["function"] = print }
    local n, section = 0, nil
    local function try(call, option, takes)
      for type, value in pairs(values) do
        if not takes:find("%f[%w]" .. type .. "%f[%W]") then
          n = n + 1
          local ok, message = pcall(call[2], { [option] = value })
          local what = section .. " " .. option .. " " .. type .. ": " .. tostring(message)
          assert.is_false(ok, what)
          local number, name = message:match "bad argument #(%d) to '([^']*)' %("
          assert.truthy(number == tostring(call[1]) and (name == "?" or name == section:match "[.:](.*)"), what)
          assert.truthy(message:find("%f[%w_]" .. option .. "%f[^%w_]"), what)
        end
      end
    end
    for line in support.read(support.here() .. "../../doc/api.md"):gmatch "[^\n]+" do
      section = line:match "^##" and (line:match "^### `([%w_.:]+)`$" or "") or section
      local names, kinds, meaning = line:match "^| ([^|]*options[^|]*) | ([^|]*) | [^|]* | (.*) |$"
      local takes = (kinds or ""):gsub("%w+", words)
      for name in (names or ""):gmatch "`options%.([%w_]+)`" do
        if section == "" then every[name] = takes end
        if calls[section] and calls[section][2] then try(calls[section], name, every[name] or takes) end
      end
      for name in (names == "`options`" and meaning or ""):gmatch "`([%w_]+)`" do
        if calls[section] and every[name] then try(calls[section], name, every[name]) end
      end
    end
    assert.is_true(n > 150, n)
  end)

  it("of options", function()
    raises("'nme'", hcl.compile, "1", { nme = 1 })
    raises("filename", hcl.compile, "1", { filename = 1 })
    raises("syntax", hcl.compile, "1", { syntax = "yaml" })
    raises("limits.step", hcl.compile, "1", { limits = { step = 1 } })
    raises("#1", hcl.scope)
    for text, options in pairs {
      ["limits.steps"] = { limits = { steps = "many" } }, ["'variable'"] = { variable = {} }, variables = { variables = 1 },
      lookup = { lookup = {} }, ["functions.f"] = { functions = { f = 1 } }, nope = { stdlib = { "nope" } },
      stdlib = { stdlib = { upper = true } }, parent = { parent = {} }, ["convert.nul"] = { convert = { nul = 1 } },
      ["convert.big"] = { convert = { big = "huge" } }, ["convert.array_mt"] = { convert = { array_mt = 1 } }, clock = { clock = 1 },
      console = { console = 1 }, random = { random = 1 }, filesystem = { filesystem = 1 }, absent = { absent = 1 },
      plan_timestamp = { plan_timestamp = 1 },
    } do
      raises("bad argument #1 to", hcl.scope, options)
      raises(text, hcl.scope, options)
    end
  end)

  it("of functions", function()
    local many = {}
    for i = 1, 17 do many[i] = {} end
    raises("#1", hcl.func, print)
    raises("impl", hcl.func, { params = {} })
    for text, options in pairs {
      impl = { impl = 1 }, ["params must be"] = { params = 1 }, ["params must be an array"] = { params = { x = {} } },
      ['(params[1].type: "lost" is not a type'] = { params = { { type = "lost(string)" } } },
      ["params[1]"] = { params = { { nam = "x" } } },
      ["params[2] must be a table, not a number"] = { params = { {}, 1 } }, ["params has more than"] = { params = many },
      ["variadic must be a table"] = { variadic = 1 }, null = { params = { { null = "yes" } } }, returns = { returns = 5 },
      prams = { prams = {} },
    } do
      options.impl = options.impl or print
      raises("bad argument #1 to", hcl.func, options)
      raises(text, hcl.func, options)
    end
  end)

  it("of values", function()
    raises("#1", hcl.value)
    raises("#1", hcl.sensitive)
    raises("#2", hcl.mark, 1)
    raises("#2", hcl.value, 1, 5)
    raises("#1", hcl.unknown)
    raises("not_nul", hcl.unknown, "string", { not_nul = true })
    raises("prefix", hcl.unknown, "number", { prefix = "a" })
    raises("min_length", hcl.unknown, "string", { min_length = 1 })
    raises("min_length", hcl.unknown, "list(string)", { min_length = 1.5 })
    raises("max", hcl.unknown, "number", { min = 2, max = 1 })
    raises("max", hcl.unknown, "number", { min = 1, max = 1, max_inclusive = false })
    raises("max_length", hcl.unknown, "set(string)", { min_length = 2, max_length = 1 })
    raises("#1", hcl.lazy, 5)
    raises("#1", hcl.array, 5)
    local v = hcl.value { 1 }
    raises("#2", v.lua, v, 5)
    raises("convert.x", v.lua, v, { x = 1 })
    raises("number or string", v.get, v, {})
    raises("Value expected", v.get, e, 1)
    raises("known", function() return #hcl.unknown "list(string)" end)
    raises("elements", function() return hcl.value(1):pairs() end)
    raises("null is hcl.null", function() return hcl.type("string"):convert(nil) end)
    local attribute = hcl.parse("a = 1").attributes.a
    raises("table expected", attribute.test, attribute, 5)
    raises("Attribute expected", attribute.test, v)
    for _, method in ipairs { "text", "type", "marks", "pairs", "lua", "unmark", "is_null" } do
      raises("(Value expected, got n", function() v[method]() end) -- no value, or nil
    end
  end)

  -- What a metatable says about keys and length would differ between Luas.
  it("tables of options, schemas and paths are read without metamethods", function()
    local mt = { __pairs = {}, __len = function() return 3 end }
    local function with(t) return setmetatable(t, mt) end
    raises("unknown option 'nme'", hcl.compile, "1", with { nme = 1 })
    local schema = with { attributes = with { a = with {} }, blocks = with { b = with { labels = { "n" } } } }
    local body = hcl.assert(hcl.parse('a = 1\nb "x" {\n}\n', with { filename = "f" }))
    assert.same({ a = 1, b = { { n = "x" } } }, hcl.assert(body:decode(schema)))
    local edit = hcl.assert(hcl.edit "a = 1\nb = 2\n")
    assert.equal("2", hcl.assert(edit:get(with { "b" })))
    assert.equal("edit.path", support.code(edit:get(setmetatable({ "c" }, { __len = function() return 0 end }))))
  end)

  it("of suspended evaluations is found", function()
    local core = require "hclexpr.core"
    raises("Evaluation expected", core.resume, e)
    raises("Evaluation expected", core.need, nil)
  end)
end)

describe("hostile calls", function()
  it("end in results, diagnostics or errors that blame the caller: a sample of fuzz/calls.lua", function()
    local failed = {}
    dofile(support.root .. "fuzz/calls.lua").run(150, 1, function(seed, message) failed[#failed + 1] = seed .. ": " .. message end)
    assert.same({}, failed)
  end)
end)
