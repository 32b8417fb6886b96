-- Evaluating: hcl.eval, render, compile and the methods of an Expression.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

describe("hcl.eval", function()
  it("and hcl.render take the place of the source, for diagnostics", function()
    local _, err = hcl.eval("1 + x", nil, nil, { filename = "rules.conf", line = 7, column = 3 })
    assert.same({ "rules.conf", 7, 7 }, { err[1].range.filename, err[1].range.start.line, err[1].range.start.column })
    _, err = hcl.render("a ${x}", nil, nil, { filename = "t.tftpl" })
    assert.same({ "t.tftpl", 1, 5 }, { err[1].range.filename, err[1].range.start.line, err[1].range.start.column })
    assert.equal(8, hcl.eval("2 * x", { x = 4 }, nil, { filename = "a" }))
    local ok, why = pcall(hcl.eval, "1", nil, nil, { file = "a" })
    assert.is_false(ok)
    assert.truthy(why:find("bad argument #4 to 'eval' (unknown option 'file'; did you mean 'filename'?)", 1, true), why)
  end)

  it("calls a hook that counts instructions, again and again", function()
    local calls, jit = 0, rawget(_G, "jit")
    if jit then jit.off() end
    debug.sethook(function() calls = calls + 1 end, "", 1000)
    local n = hcl.eval "length([for i in range(1000) : [for k in range(200) : i * k]])"
    debug.sethook()
    if jit then jit.on() end
    assert.equal(1000, n)
    assert.truthy(calls > 20, calls)
  end)

  it("and hcl.render take limits of the call, which narrow the scope's", function()
    local scope = hcl.scope { limits = { steps = 1000 }, functions = { f = function() return 1 end } }
    for _, run in ipairs { hcl.eval, function(source, ...) return hcl.render("${length(" .. source .. ")}", ...) end } do
      assert.truthy(run("[for x in range(f() * 50) : x]", {}, scope))
      local value, err = run("[for x in range(f() * 50) : x]", {}, scope, { limits = { steps = 20 } })
      assert.is_nil(value)
      assert.equal("limit.steps", err[1].code)
      assert.equal("limit.steps", select(2, run("[for x in range(5000) : x]", {}, scope, { limits = { steps = 1e7 } }))[1].code)
      assert.equal("limit.source", select(2, run("[1, 2, 3, 4]", nil, nil, { limits = { source = 5 } }))[1].code)
      assert.has_error(function() run("[1]", nil, nil, { limits = { stps = 5 } }) end)
    end
  end)

  it("gives the value of an expression over Lua tables", function()
    assert.equal("Hello, JUAN!", hcl.eval('"Hello, ${upper(name)}!"', { name = "juan" }))
    assert.same({ "A" }, hcl.eval('[for s in list : upper(s) if s != ""]', { list = { "a", "" } }))
  end)

  it("gives false as a value and nil with diagnostics for bad input", function()
    assert.equal(false, hcl.eval "1 > 2")
    local v, err = hcl.eval "1 +"
    assert.is_nil(v)
    assert.equal("error", err[1].severity)
    assert.equal("reference.unknown", support.code(hcl.eval "nope"))
  end)

  it("walks Lua tables along the path, and counts from 0", function()
    local vars = { var = { net = { subnets = { { id = "a" }, { id = "b" } } } } }
    assert.equal("b", hcl.eval("var.net.subnets[1].id", vars))
    assert.equal("b", hcl.eval('var["net"].subnets[n].id', { var = vars.var, n = 1 }))
    assert.equal("a", hcl.eval("var.net.subnets.0.id", vars))
  end)

  it("takes the same steps for any kind of variables", function()
    local t = { a = 7, b = 3, flag = true, s = "x" }
    for _, source in ipairs {
      "1", "var.a", "var.a > 3 && var.b < 10 || !var.flag", 'var.s == "x" ? var.a : var.b', "var.a / 3 + 1",
      '"%{ if var.flag }on%{ else }off%{ endif }"', "var.a + length(var.s)", "[for i in [1, 2] : i + var.a]",
      'lookup(var, "s", "none")', 'lookup(var, "t", "none")', "length(var) > 3 ? var.a / 2 : 1", "var.a / 2 + var.b / 4 - 1",
    } do
      local e, last = hcl.assert(hcl.compile(source)), false
      for steps = 1, 40 do
        local limits = { steps = steps }
        local bound = hcl.scope { variables = { var = hcl.value(t) }, limits = limits }
        local first, again = e:eval(nil, bound) ~= nil, e:eval(nil, bound) ~= nil
        assert.equal(first, again, source)
        assert.equal(first, e:eval({ var = t }, hcl.scope { limits = limits }) ~= nil, source)
        assert.is_true(first or not last, source)
        assert.equal("limit.steps", first and "limit.steps" or support.code(e:eval(nil, bound)))
        last = first
      end
      assert.is_true(last, source)
    end
  end)

  -- If a scope has its own functions, calls take the slow path.
  local function scopes_of(variables, steps)
    local limits = { steps = steps }
    return hcl.scope { variables = variables, limits = limits },
      hcl.scope { variables = variables, limits = limits, functions = { other = function() return 1 end } }
  end

  it("takes the same steps for calls, whatever else the scope has", function()
    local list = {}
    for i = 1, 100 do list[i] = i end
    local variables = { var = hcl.value { list = list, object = { a = 1, list = list }, n = 7 } }
    for _, source in ipairs {
      "length(var.list)", "length(var.object) + var.n / 2", 'lookup(var.object, "a", var.list)', 'lookup(var.object, "b", var.n)',
      '[for x in slice(var.list, 0, 3) : lookup(var.object, "a", x)]',
    } do
      local e, passed = hcl.assert(hcl.compile(source)), 0
      for steps = 1, 80 do
        local plain, other = scopes_of(variables, steps)
        local expected = e:eval(nil, other) ~= nil
        for _ = 1, 2 do assert.equal(expected, e:eval(nil, plain) ~= nil, source .. " with steps = " .. steps) end
        if expected then passed = passed + 1 end
      end
      -- A list of 100 numbers weighs 1,600 bytes: six steps besides those of the instructions.
      assert.is_true(passed > 0 and passed < 74, source)
    end
  end)

  -- Results are those of tools/oracle/ask, except for marks: an element has its own.
  it("calls functions alike, whatever else the scope has", function()
    local variables = {
      o = hcl.value { a = "x", n = 1, t = { 1, 2 }, secret = hcl.sensitive "y", none = hcl.null },
      m = hcl.value({ a = "x" }, "map(string)"),
      set = hcl.value({ "a", "b" }, "set(string)"),
      unknown = hcl.value { a = hcl.unknown "string" },
    }
    local answers = {
      ['lookup(o, "a", "z")'] = "x", ['lookup(o, "b", "z")'] = "z", ['lookup(o, "b", 5)'] = 5, ['lookup(o, "n")'] = 1,
      ['length(lookup(o, "t", []))'] = 2, ['length(lookup(o, "u", [1]))'] = 1, ['lookup(m, "a", "z")'] = "x",
      ['lookup(m, "b", "z")'] = "z", ['lookup(m, "b", 5)'] = "5", ['lookup(m, "a")'] = "x", ['lookup(o, o.none == null ? "a" : "b")'] = "x",
      ['lookup(o, "none", 1) == null'] = true, ['lookup({ "1" = "one" }, o.n, "z")'] = "one", ["length(o)"] = 5, ["length(m)"] = 1,
      ["length(set)"] = 2, ["length(o.t)"] = 2, ["length([])"] = 0, ["length({})"] = 0,
      ["length(unknown)"] = 1, ["length([unknown.a])"] = 1, ["5 / 2 - 1"] = 1.5, ["o.n / 4 + o.n / 4"] = 0.5, ["o.n / 3 * 3 == o.n"] = true,
    }
    local fails = {
      ['lookup(o, "b")'] = "call.argument", ['lookup(m, "b")'] = "call.failed", ['lookup(m, "a", [])'] = "call.argument",
      ["lookup(o.t, 0, 1)"] = "call.argument", ['lookup(o, "a", 1, 2)'] = "call.failed", ["length(o.n)"] = "call.failed",
      ["length(null)"] = "call.argument",
    }
    for i, scope in ipairs { scopes_of(variables) } do
      for source, expected in pairs(answers) do
        local e = hcl.assert(hcl.compile(source))
        for _ = 1, 2 do assert.equal(expected, hcl.assert(e:eval(nil, scope)), source .. " in scope " .. i) end
      end
      for source, code in pairs(fails) do
        local e = hcl.assert(hcl.compile(source))
        for _ = 1, 2 do assert.equal(code, support.code(e:eval(nil, scope)), source .. " in scope " .. i) end
      end
      local secret = hcl.assert(hcl.assert(hcl.compile 'lookup(o, "secret", "z")'):value(nil, scope))
      assert.same({ "sensitive" }, secret:marks())
      local unknown = hcl.assert(hcl.assert(hcl.compile 'lookup(unknown, "a", "z")'):value(nil, scope))
      assert.is_false(unknown:is_known())
    end
  end)

  it("parses under the limits of the scope", function()
    local scope = hcl.scope { limits = { source = 10 } }
    assert.equal("limit.source", support.code(hcl.eval("1 + 1 + 1 + 1 + 1", nil, scope)))
    assert.equal(3, hcl.eval("1 + 2", nil, scope))
  end)
end)

describe("hcl.render", function()
  it("renders a bare template", function()
    assert.equal("port 8080\n", hcl.render("port ${port}\n", { port = 8080 }))
    assert.equal("a,b,", hcl.render("%{ for x in xs }${x},%{ endfor }", { xs = { "a", "b" } }))
  end)

  it("gives text even if the template is a single interpolation", function()
    assert.equal("5", hcl.render("${n}", { n = 5 }))
    assert.equal("render.type", support.code(hcl.render("${xs}", { xs = { 1, 2 } })))
  end)

  it("gives a Value if the text is unknown or marked, unless the scope says otherwise", function()
    assert.equal("(sensitive value)", tostring(hcl.render("key ${k}", { k = hcl.sensitive "hush" })))
    assert.is_false(hcl.render("key ${k}", { k = hcl.unknown "string" }):is_known())
    local scope = hcl.scope { convert = { sensitive = "reveal", unknown = "error" } }
    assert.equal("key hush", hcl.render("key ${k}", { k = hcl.sensitive "hush" }, scope))
    assert.equal("result.unknown", support.code(hcl.render("key ${k}", { k = hcl.unknown "string" }, scope)))
  end)
end)

describe("hcl.compile", function()
  it("takes options", function()
    local e = hcl.assert(hcl.compile("a ${b} c", { syntax = "template", filename = "x.tpl", line = 3, column = 5 }))
    assert.equal("a 1 c", e:eval { b = 1 })
    assert.equal("x.tpl", e:range().filename)
    local _, err = e:eval {}
    assert.equal(3, err[1].range.start.line)
    assert.equal(9, err[1].range.start.column)
    assert.equal(4, err[1].range.start.byte)
  end)

  it("gives nil and all diagnostics of a broken source", function()
    local e, err = hcl.compile("[1, +, 2", { filename = "f.hcl" })
    assert.is_nil(e)
    assert.is_true(#err >= 1)
    assert.equal("f.hcl", err[1].range.filename)
  end)

  it("limits nesting", function()
    local deep = ("("):rep(2000) .. "1" .. (")"):rep(2000)
    local e, err = hcl.compile(deep)
    assert.is_nil(e)
    assert.equal("limit.depth", err[1].code)
    e = hcl.assert(hcl.compile(deep, { limits = { depth = 3000 } }))
    assert.equal(1, e:eval())
    assert.equal(1, hcl.eval(("("):rep(900) .. "1" .. (")"):rep(900)))
  end)

  it("accepts flat chains of any length", function()
    assert.equal(100001, hcl.eval("1" .. (" + 1"):rep(100000)))
  end)
end)

describe("Expression", function()
  it("tests rules", function()
    local rule = hcl.assert(hcl.compile 'request.method == "GET" && startswith(request.path, "/api/")')
    assert.equal(true, rule:test { request = { method = "GET", path = "/api/x" } })
    assert.equal(false, rule:test { request = { method = "GET", path = "/x" } })
  end)

  it("converts a rule's answer and looks through marks", function()
    local e = hcl.assert(hcl.compile "x")
    assert.equal(true, e:test { x = "true" })
    assert.equal(false, e:test { x = hcl.sensitive(false) })
    local codes = { [hcl.null] = "test.null", [hcl.unknown "bool"] = "test.unknown", [5] = "test.type" }
    for x, code in pairs(codes) do
      local v, err = e:test { x = x }
      assert.is_nil(v)
      assert.equal(code, err[1].code)
    end
  end)

  it("gives exact values", function()
    local v = hcl.assert(hcl.assert(hcl.compile "1 / 3"):value())
    -- From the oracle: 512 bits, rounded to nearest.
    assert.equal("0." .. ("3"):rep(154) .. "5", v:text())
    assert.equal("number", v:type():kind())
  end)

  it("lists references", function()
    local e = hcl.assert(hcl.compile 'var.list[0] + a.b["k"] + [for x in c.d : x.y + z][0]')
    local refs = e:references()
    assert.same({ "var.list[0]", 'a.b["k"]', "c.d", "z" }, support.paths(refs))
    assert.equal("var", refs[1].root)
    assert.same({ "list", 0 }, refs[1].steps)
    assert.equal(0, refs[1].range.start.byte)
    assert.equal(11, refs[1].range.stop.byte)
  end)

  it("lists references with any index, at a cost of their source's size", function()
    local function step(index)
      local e = hcl.assert(hcl.compile("t[" .. index .. "]"))
      local ref = e:references()[1]
      assert.equal(ref.steps[1], e:ast().steps[1])
      return ref.steps[1], ref.path
    end
    for index, path in pairs {
      ["1e1000000"] = "t[1e1000000]", ["1E+1000000"] = "t[1e1000000]", ["1e-400"] = "t[1e-400]", ["1.25e400"] = "t[1.25e400]",
      ["0.99999999999999999999999"] = "t[0.99999999999999999999999]",
    } do
      local v, text = step(index)
      assert.equal("userdata", type(v))
      assert.equal(path, text)
      assert.is_true(hcl.assert(hcl.eval("v == " .. index, { v = v })))
    end
    for index, n in pairs { ["1e20"] = 1e20, ["0.5"] = 0.5, ["1e3"] = 1000, ["2.0"] = 2, ["9007199254740992"] = 2 ^ 53 } do
      assert.equal(n, (step(index)))
    end
    local last = step "9007199254740993"
    if math.type then assert.equal(math.tointeger(2 ^ 53) + 1, last) else assert.equal("9007199254740993", last:text()) end
    local many = hcl.assert(hcl.compile("[" .. ("t[1e1000000],"):rep(3000) .. "]")):references()
    assert.equal(3000, #many)
    assert.equal("t[1e1000000]", many[3000].path)
  end)

  it("lists functions", function()
    local uses = hcl.assert(hcl.compile "upper(lower(x))"):functions()
    assert.equal("upper", uses[1].name)
    assert.equal("lower", uses[2].name)
    assert.equal(0, uses[1].range.start.byte)
  end)

  it("gives its source, range, warnings and literal value", function()
    local e = hcl.assert(hcl.compile " 1 + 2 ")
    assert.equal(" 1 + 2 ", e:source())
    assert.equal(1, e:range().start.byte)
    assert.equal(6, e:range().stop.byte)
    assert.is_nil(e:warnings())
    assert.equal(3, e:literal())
    assert.is_nil(hcl.assert(hcl.compile "a"):literal())
  end)

  it("shows its tree", function()
    local tree = hcl.assert(hcl.compile "a.b ? f(1, [2]) : -c"):ast()
    assert.equal("conditional", tree.kind)
    assert.equal("traversal", tree.condition.kind)
    assert.equal("a", tree.condition.root)
    assert.same({ "b" }, tree.condition.steps)
    assert.equal("call", tree.yes.kind)
    assert.equal("f", tree.yes.name)
    assert.equal("1", tree.yes.args[1].text)
    assert.equal("tuple", tree.yes.args[2].kind)
    assert.equal("unary", tree.no.kind)
    assert.equal("-", tree.no.operator)
    assert.equal(0, tree.range.start.byte)
    local loop = hcl.assert(hcl.compile "{ for k, v in xs : k => [v]... if v }"):ast()
    assert.equal("for", loop.kind)
    assert.equal("xs", loop.collection.root)
    assert.equal("k", loop.key.root)
    assert.equal("tuple", loop.value.kind)
    assert.equal("v", loop.condition.root)
    loop = hcl.assert(hcl.compile "[for v in xs : [v] if v]"):ast()
    assert.is_nil(loop.key)
    assert.equal("tuple", loop.value.kind)
    assert.equal("v", loop.condition.root)
    -- It is a copy: changes to it don't affect the expression.
    local e = hcl.assert(hcl.compile "1 + 2")
    e:ast().left.text = "5"
    assert.equal("1", e:ast().left.text)
    assert.equal(3, e:eval())
    local chain = hcl.assert(hcl.compile("1" .. (" + 1"):rep(20000))):ast()
    assert.equal("binary", chain.kind)
  end)
end)

describe("hcl.assert", function()
  it("returns its arguments, or raises the report as a string", function()
    assert.equal(false, (hcl.assert(false)))
    assert.equal(3, select("#", hcl.assert(1, nil, 2)))
    local ok, message = pcall(hcl.assert, hcl.eval "nope")
    assert.is_false(ok)
    assert.equal("string", type(message))
    assert.truthy(message:find("nope", 1, true))
  end)
end)

describe("hcl.functions", function()
  it("describes built-ins", function()
    local upper = hcl.functions "upper"
    assert.equal("upper", upper.name)
    assert.equal(1, #upper.params)
    assert.equal("string", upper.returns)
    assert.is_nil(hcl.functions "nope")
    local all = hcl.functions()
    for _, name in ipairs { "upper", "lower", "length", "keys", "merge", "try", "can" } do assert.equal(name, all[name].name) end
  end)
end)
