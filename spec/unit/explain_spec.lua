-- expr:explain: the results of an expression's parts, as a tree and as text. The texts here are those of doc/api.md.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local has_testing, testing = pcall(require, "hclexpr.testing")
testing = has_testing and testing

local EXAMPLE = 'var.env == "prod" ? [for s in local.subnets : s.cidr if s.public] : try(var.fallback.cidrs, [])'
local NETS = { { cidr = "10.0.1.0/24", public = true }, { cidr = "10.0.2.0/24", public = false } }

local function explain(source, variables, scope, options)
  return support.readable(hcl.assert(hcl.compile(source)):explain(variables, scope, options))
end

-- The text of the tree, by its lines.
local function text(source, variables, scope, options)
  return tostring((explain(source, variables, scope, options)))
end

local function lines(...)
  return table.concat({ ... }, "\n")
end

-- The node with this source, wherever it is.
local function find(tree, source)
  if tree.source == source and tree.kind ~= "turn" then return tree end
  for _, child in ipairs(tree.children) do
    local found = find(child, source)
    if found then return found end
  end
end

describe("expr:explain", function()
  it("prints the result of each part and the sources of names", function()
    local origins = { ["var.env"] = "prod.tfvars:1", ["local.subnets"] = { filename = "main.tf", start = { line = 12 } } }
    local options = { origin = function(reference) return origins[reference.path] end }
    local want = lines('["10.0.1.0/24"]',
      '  var.env == "prod"                              true, so the first branch',
      '    var.env                                      "prod"       prod.tfvars:1',
      "  [for s in local.subnets : s.cidr if s.public]  1 of 2 kept",
      "    local.subnets                                2 objects    main.tf:12",
      '    s = [0]   s.public true    s.cidr "10.0.1.0/24"',
      "    s = [1]   s.public false   left out",
      "  try(var.fallback.cidrs, [])                    not evaluated")
    local variables = { var = { env = "prod" }, ["local"] = { subnets = NETS } }
    assert.equal(want, text(EXAMPLE, variables, nil, options))
    -- Bound data are read in another way.
    local bound = hcl.scope { variables = { var = hcl.value { env = "prod" }, ["local"] = hcl.value { subnets = NETS } } }
    assert.equal(want, text(EXAMPLE, nil, bound, options))
  end)

  it("gives a tree of tables", function()
    local tree, err = explain("a.b + 1 > 2", { a = { b = 3 } })
    assert.is_nil(err)
    assert.equal("a.b + 1 > 2", tree.source)
    assert.equal(hcl.value(true), tree.value)
    assert.equal(1, #tree.children)
    local sum = tree.children[1]
    assert.equal(hcl.value(4), sum.value)
    assert.equal("a.b + 1", sum.source)
    assert.equal(7, sum.range.stop.byte)
    local documented = {}
    for name in ("kind range source value summary failed error note origin children"):gmatch "%l+" do documented[name] = true end
    local function check(node)
      for name in pairs(node) do assert.is_true(documented[name], name) end
      for _, child in ipairs(node.children) do check(child) end
    end
    check(explain("[for x in try(l, [1, 2]) : a.b + x + y]", { a = { b = 3 } }))
    assert.equal(hcl.value(3), sum.children[1].value)
    assert.equal("binary", sum.kind)
    assert.same({}, sum.children[1].children)
  end)

  it("returns the tree of a failure as its third result, and the report", function()
    local none, why, partial = hcl.compile("[1, nope]"):explain {}
    assert.is_nil(none)
    assert.equal("reference.unknown", why[1].code)
    assert.is_true(partial.failed)
    local tree, err = explain("upper(a.x) + 1", { a = { x = { 1, 2 } } })
    local _, want = hcl.eval("upper(a.x) + 1", { a = { x = { 1, 2 } } })
    assert.equal(tostring(want), tostring(err))
    assert.is_nil(tree.value)
    assert.is_nil(tree.error)
    local call = find(tree, "upper(a.x)")
    assert.equal(want[1].detail, call.error[1].detail)
    assert.is_nil(call.value)
    tree = explain("nope", {})
    assert.equal("reference.unknown", tree.error[1].code)
    assert.matches("^error: Nothing is named \"nope\"", tostring(tree))
  end)

  it("reports which errors try and can dropped", function()
    local tree = explain('try(v.zz, upper(v.a.b), "c")', { v = { a = 1 } })
    assert.equal(hcl.value "c", tree.value)
    local first, second = tree.children[1], tree.children[2]
    assert.equal("reference.attribute", first.error[1].code)
    assert.equal("dropped by try", first.note)
    assert.is_nil(second.error)
    assert.equal("dropped by try", second.note)
    assert.truthy(find(tree, "v.a.b").error)
    assert.matches('try%(%)', text("try(v.zz)", { v = {} }))
    tree = explain("can(v.zz)", { v = {} })
    assert.equal(hcl.value(false), tree.value)
    assert.equal("dropped by can", tree.children[1].note)
    -- Parts after the first success aren't evaluated.
    tree = explain("try(v.a, v.b)", { v = { a = 1 } })
    assert.equal("not evaluated", tree.children[2].note)
  end)

  it("reports the chosen branch, and nothing of the other", function()
    local tree = explain("a ? b.x : c", { a = false, b = {}, c = 1 })
    assert.equal("so the second branch", tree.children[1].note)
    assert.equal("not evaluated", tree.children[2].note)
    assert.is_nil(tree.children[2].error)
    assert.equal(hcl.value(1), tree.children[3].value)
    tree = explain("true ? a : b", { a = 1, b = 2 })
    assert.equal(2, #tree.children)
    assert.equal("not evaluated", tree.children[2].note)
    assert.equal("so either branch", explain("u ? a : 1", { u = hcl.unknown "bool", a = 2 }).children[1].note)
  end)

  it("reports which operand decides", function()
    local tree = explain("a && b && c.x", { a = true, b = false, c = {} })
    assert.equal(3, #tree.children)
    assert.equal("so the whole is false", tree.children[2].note)
    assert.equal("dropped, since another operand decides", tree.children[3].note)
    tree = explain("a || b", { a = false, b = true })
    assert.is_nil(tree.children[1].note)
    assert.equal("so the whole is true", tree.children[2].note)
  end)

  it("cuts loops after a few iterations", function()
    assert.equal(lines("[2, 3, 4, 5, 6, 7, 8]", "  l  [1, 2, 3, 4, 5, 6, 7]", "  x = [0]   x + 1: 2", "  x = [1]   x + 1: 3",
      "  x = [2]   x + 1: 4", "  x = [3]   x + 1: 5", "  x = [4]   x + 1: 6", "  ...       2 more turns"),
      text("[for x in l : x + 1]", { l = { 1, 2, 3, 4, 5, 6, 7 } }))
    local long = {}
    for i = 1, 20000 do long[i] = i end
    local tree = explain("[for x in l : [for y in [1, 2, 3] : [for z in [1, 2, 3] : x * y * z]]]", { l = long })
    assert.equal(7, #tree.children) -- the list, five iterations, and that there are more
    assert.equal("19995 more turns", tree.children[7].note)
    local inner = tree.children[2].children[1]
    assert.equal("for", inner.kind)
    assert.equal(3, #inner.children) -- two iterations, and that there are more
  end)

  it("shows the keys of objects, and counts grouped values", function()
    assert.equal(lines("{ b = 2 }, 1 of 2 kept", "  m  { a = 1, b = 2 }", '  k = "a"   v > 1: false   left out',
      '  k = "b"   v > 1: true    k "b"      v 2'), text("{for k, v in m : k => v if v > 1}", { m = { a = 1, b = 2 } }))
    assert.equal("2 of 3 kept", explain('{for x in l : "g" => x... if x > 1}', { l = { 1, 2, 3 } }).note)
    assert.matches('v = %["a"%]   v 1', text("[for v in m : v]", { m = { a = 1 } }))
  end)

  it("shows the failing iteration, however late it is", function()
    local list = {}
    for i = 1, 50 do list[i] = { n = i } end
    list[40] = {}
    local tree, err = explain("[for x in l : x.n]", { l = list })
    assert.equal(1, #err)
    local turn = tree.children[#tree.children]
    assert.equal("x = [39]", turn.source)
    assert.equal("reference.attribute", turn.children[1].error[1].code)
    assert.matches("%[39%]   %[%*%]%.n: error", text("l[*].n", { l = list }))
    -- A failure in an iteration is listed below it, with its parts.
    local shown = text('[for x in l : tonumber(x == 2 ? "a" : "1")]', { l = { 1, 2 } })
    assert.matches('\n    x == 2 %? "a" : "1"  "a"\n      x == 2            true, so the first branch\n        x ', shown)
  end)

  it("names the cause of an unknown or sensitive value", function()
    local tree = explain('"${a}-${b.c}"', { a = "x", b = { c = hcl.unknown "string" } })
    assert.equal("because of b.c", tree.note)
    tree = explain('upper("${a}-${b.c}")', { a = "x", b = { c = hcl.sensitive "hush" } })
    assert.equal("because of b.c", tree.note)
    assert.equal("(sensitive value), because of b.c", tostring(tree):match "^[^\n]*")
    assert.equal("because of sensitive(a)", explain("[sensitive(a)]", { a = 1 }).note)
  end)

  it("shows nothing that depends on a secret", function()
    local variables = { s = hcl.sensitive(true), l = hcl.sensitive { "XA", "XB" }, a = 1, b = 2, e = {} }
    variables.m = { hcl.sensitive(true), false }
    local tree = explain("s ? a : b", variables)
    assert.equal("hidden, since the condition is sensitive", tree.children[2].note)
    assert.equal("hidden, since the condition is sensitive", tree.children[3].note)
    assert.is_nil(tree.children[2].value)
    tree = explain('[for x in l : upper(x) if x != "XA"]', variables)
    assert.is_nil(tree.note and tree.note:find "kept")
    assert.equal(1, #tree.children)
    tree = explain("[for x in m : a if x]", variables)
    assert.equal(1, #tree.children)
    tree = explain("s || e.x", variables)
    assert.equal("hidden, since s is sensitive", tree.children[2].note)
    assert.is_nil(tree.children[2].error)
  end)

  it("explains templates, splats, indexes, constructs and functions", function()
    local tree = explain('"a%{ if a }${b}%{ endif }"', { a = true, b = 3 })
    assert.equal(hcl.value "a3", tree.value)
    assert.equal("so the first branch", find(tree, "a").note)
    tree = explain('{ (k) = l[i], "${k}2" = l[*].n, w = f(l...) }', { k = "x", i = 1, l = { { n = 1 }, { n = 2 } } },
                   hcl.scope { functions = { f = function(...) return select("#", ...) end } })
    assert.equal(hcl.value { n = 2 }, find(tree, "l[i]").value)
    assert.equal(hcl.value(1), find(tree, "i").value)
    assert.equal(hcl.value(2), find(tree, "f(l...)").value)
    assert.equal(hcl.value "x", tree.children[1].value)
    assert.is_nil(find(tree, "w"))
    assert.equal(0, #explain("convert(1, list(string))", {}, hcl.scope {}).children)
    assert.equal("7", tostring(explain("1 + 2 * 3")))
    assert.equal('"a"\n  v  "a"', text("((v))", { v = "a" }))
  end)

  it("explains JSON, attributes, and what dynamic blocks generate", function()
    local tree = hcl.compile('{"a": "${v.x}-b", "c": ["${v.y + 1}"]}', { syntax = "json" }):explain { v = { x = 1, y = 2 } }
    assert.equal(hcl.value { a = "1-b", c = { 3 } }, tree.value)
    assert.equal(hcl.value(3), find(tree, "v.y + 1").value)
    local body = hcl.assert(hcl.parse [[
      x = v.y ? 1 : 2
      dynamic "q" {
        for_each = v.l
        content {
          z = "${q.value}-${v.k}"
        }
      }
    ]])
    assert.equal("so the first branch", body.attributes.x:explain({ v = { y = true } }).children[1].note)
    local function generated(l)
      return hcl.assert(body:expand { v = { l = l } }).blocks[1].body.attributes.z:explain { v = { k = "k" } }
    end
    tree = generated { "p" }
    assert.equal(hcl.value "p-k", tree.value)
    assert.equal(hcl.value "p", tree.children[1].value)
    assert.is_nil(tostring(generated(hcl.sensitive { "PQR" })):find("PQR", 1, true))
  end)

  it("lets callbacks yield, and calls them as often", function()
    local calls = 0
    local scope = hcl.scope { functions = { f = function(x)
      calls = calls + 1
      return coroutine.yield(x)
    end } }
    local source = "f(a) + f(b) >= 3 ? f(1) : 0"
    local tree = support.drive(function()
      return explain(source, { a = 1, b = hcl.lazy(function() return coroutine.yield(2) end) }, scope)
    end, function(x) return x end)
    assert.equal(hcl.value(1), tree.value)
    assert.equal(3, calls)
    assert.equal(hcl.value(2), find(tree, "f(b)").value)
  end)

  it("counts as work", function()
    local e, variables = hcl.compile "[for x in [1, 2] : [l, l]][0][0]", { l = ("x"):rep(1000) }
    local memory, scope = 0
    repeat -- until it is enough for the value alone
      memory = memory + 50
      scope = hcl.scope { limits = { memory = memory } }
    until e:eval(variables, scope)
    local tree, err = support.readable(e:explain(variables, scope))
    assert.equal("limit.memory", err[1].code)
    assert.equal("limit.memory", tree.error[1].code)
    scope = hcl.scope { limits = { steps = 4 } }
    assert.equal(3, hcl.eval("a + b", { a = 1, b = 2 }, scope))
    tree, err = explain("a + b", { a = 1, b = 2 }, scope)
    assert.equal("limit.steps", err[1].code)
    assert.equal("limit.steps", tree.error[1].code)
  end)

  it("keeps the number of elements of large values", function()
    local list = {}
    for i = 1, 100000 do list[i] = i end
    local big = hcl.value(list)
    local scope = hcl.scope { limits = { memory = 8e6 } } -- l and s weigh 1.6 MB each time, the result of concat() 3.2 MB
    local tree, err = explain("length(concat(l, l)) + length(s) > 1 ? l : l", { l = big, s = hcl.sensitive(list) }, scope)
    assert.is_nil(err)
    assert.equal(100000, #tree.value:unmark())
    local both = find(tree, "concat(l, l)")
    assert.is_nil(both.value)
    assert.equal("200000 elements", both.summary)
    assert.matches("\n +s +%(sensitive value%)\n", tostring(tree))
  end)

  it("describes values in few words, up to their bounds", function()
    for _, letter in ipairs { "x", "é" } do
      assert.equal('"' .. letter:rep(62) .. '"', text('"' .. letter:rep(62) .. '"'))
      for _, n in ipairs { 63, 300 } do assert.equal('"' .. letter:rep(60) .. "...", text('"' .. letter:rep(n) .. '"')) end
    end
    for source, described in pairs {
      ["[[1]]"] = "1 element", ["[[1], 2]"] = "2 elements", ["[{ a = 1 }]"] = "1 object", ["[{ a = 1 }, {}]"] = "2 objects",
      ["[{ a = 1 }, 2]"] = "2 elements", ["[{}, [], 1]"] = "[{}, [], 1]", ["{ a = [1] }"] = "1 attribute",
      ['{ a = { b = 1 }, "c d" = 1 }'] = "2 attributes", ['{ "c d" = 1, e-f = true }'] = '{ "c d" = 1, e-f = true }',
      ["tomap({ a = [1] })"] = "1 key",
      ["toset([2, 1])"] = "[1, 2]", ["toset([[1]])"] = "1 element", ["[sensitive({ a = 1 }), 1]"] = "[(sensitive value), 1]",
    } do
      assert.equal(described, text(source):match "^[^\n]*":gsub(", because.*", ""), source)
    end
  end)

  it("shortens sources of an iteration", function()
    for extra, shown in pairs { [0] = "x + " .. ("1"):rep(36), [1] = "x + " .. ("1"):rep(33) .. "..." } do
      local line = text("[for x in [1] : x + " .. ("1"):rep(36 + extra) .. "]"):match "x = %[0%][^\n]*"
      assert.equal("x = [0]   " .. shown .. ": " .. ("1"):rep(35 + extra) .. "2", line)
    end
  end)

  it("describes tables without a Value in few words", function()
    local function none() end
    local function keys(n)
      local t = {}
      for i = 1, n do t["k" .. i] = i end
      return t
    end
    for described, t in pairs {
      ["1 element"] = { none }, ["2 elements"] = { { a = none }, 1 }, ["3 elements"] = { 1, { a = none }, {} },
      ["1 object"] = { { a = none } }, ["2 objects"] = { { a = none }, {} }, ["4 elements"] = { { none }, {}, {}, {} },
      ["1 key"] = { a = none }, ["2 keys"] = { a = none, b = 1 }, ["201 keys"] = keys(201), ["999 keys"] = keys(999),
      ["1000 keys and more"] = keys(1000),
    } do
      assert.equal(described, text("try(t[k], 0)", { t = t, k = "none" }):match "\n +t +([^\n]+)")
    end
  end)

  it("prints a thousand lines at most", function()
    for n, last in pairs { [1000] = "  x  true", [1001] = "  and 1 more line", [1002] = "  and 2 more lines" } do
      local printed = text(("x && "):rep(n - 1) .. "x", { x = true })
      assert.equal(last, printed:match "[^\n]*$")
      assert.equal(math.min(n, 1001), select(2, printed:gsub("\n", "")))
    end
  end)

  it("goes as deep as expressions do", function()
    local tree = explain(("x && "):rep(3000) .. "x", { x = true })
    assert.equal(3001, #tree.children)
    assert.matches("and 2001 more lines$", tostring(tree))
    assert.truthy(#text(("x + "):rep(5000) .. "x", { x = 1 }) > 0)
    assert.truthy(#text(("("):rep(900) .. "x" .. (")"):rep(900), { x = 1 }) > 0)
    assert.truthy(#text(("[x,"):rep(900) .. "x" .. ("]"):rep(900), { x = 1 }) > 0)
  end)

  it("leaves the expression as it was", function()
    local rule = hcl.compile "try(a.x, a.y)"
    for _ = 1, 3 do
      assert.equal(2, rule:eval { a = { y = 2 } })
      assert.equal(hcl.value(2), rule:explain({ a = { y = 2 } }).value)
    end
  end)

  it("is the same if suspended at each instruction", function()
    if not testing then return pending "not a test build" end
    local variables = { var = { env = "prod" }, ["local"] = { subnets = NETS } }
    local want = text(EXAMPLE, variables)
    local was = testing.stutter(true)
    local got = text(EXAMPLE, variables)
    testing.stutter(was)
    assert.equal(want, got)
  end)

  it("refuses misuse", function()
    local e = hcl.compile "1"
    assert.has_error(function() e:explain(1) end, "bad argument #1 to 'explain' (table expected, got number)")
    assert.has_error(function() e:explain({}, {}) end)
    assert.has_error(function() e:explain({}, nil, { origins = 1 }) end)
    assert.has_error(function() e:explain({}, nil, { origin = "x" }) end)
    assert.has_error(function() e.explain(1) end)
    local tree = hcl.assert(hcl.compile("[a, 1]")):explain { a = 1 }
    for _, node in ipairs { tree, tree.children[1] } do
      assert.is_nil(node.note)
      assert.is_nil(node.__jsontype)
      for _, name in ipairs { "notes", "node" } do
        assert.error_matches(function() return node[name] end, "an Explanation has no field .*; it has children, error, failed, kind")
      end
      assert.error_matches(function() node.extra = 1 end, "attempt to set field 'extra' of a read%-only Explanation")
    end
  end)
end)

-- Random expressions with marked values. The secret must not appear in a tree, in any case of its letters.
describe("A secret", function()
  local has_generator, generator = pcall(dofile, support.here() .. "../../fuzz/generate.lua")
  local SECRET, NUMBER = "xsecretx", "91827364"
  local scope = hcl.scope { functions = {
    unknown = function(type) return hcl.unknown(type) end,
    ephemeral = hcl.func { params = { { name = "x", dynamic = true, marked = true, null = true, unknown = true } }, values = true,
                           impl = function(x) return hcl.mark(x, "ephemeral") end },
  } }
  -- What the generator's own secrets are replaced by.
  local secrets = { ['"hush"'] = '"XSECRETX"', ['"gone"'] = '"XSECRETX"', ['"both"'] = '"XSECRETX"', ['"q"'] = '"XSECRETX"',
                    ['"p"'] = '"XSECRETX"', ["sensitive%(5%)"] = "sensitive(918273645)", ["sensitive%(1%)"] = "sensitive(918273645)" }

  local function variables_of(case)
    local variables = {}
    for name, source in pairs(case.vars or {}) do
      if source:find "sensitive" or source:find "ephemeral" then
        for from, to in pairs(secrets) do source = source:gsub(from, to) end
      end
      variables[name] = hcl.assert(hcl.assert(hcl.compile(source)):value(nil, scope))
    end
    return variables
  end

  local function shows(s)
    s = s:lower()
    return s:find(SECRET, 1, true) or s:find(NUMBER, 1, true)
  end

  local function leak_in(tree)
    for _, key in ipairs { "source", "note", "origin", "summary" } do
      if tree[key] and shows(tree[key]) then return key .. ": " .. tree[key] end
    end
    if tree.value and shows(tostring(tree.value)) then return "value: " .. tostring(tree.value) end
    if tree.error and shows(tostring(tree.error)) then return "error: " .. tostring(tree.error) end
    for _, child in ipairs(tree.children) do
      local found = leak_in(child)
      if found then return found end
    end
  end

  it("is in no tree of random expressions", function()
    if not has_generator then return pending "lua-cjson is missing" end
    local tried = 0
    for i = 1, support.sample(1000, 3000) do
      local case = generator.case(7, i)
      local marked = false
      for _, source in pairs(case.vars or {}) do marked = marked or source:find "sensitive" or source:find "ephemeral" end
      local expression = marked and not case.src:find "nonsensitive" and hcl.compile(case.src, { syntax = case.mode })
      if expression then
        local variables = variables_of(case)
        local value, why = expression:value(variables, scope)
        -- A function itself may remove marks from a value, as ephemeralasnull() and type() do: trees can't change that.
        if not shows(tostring(value)) and not (why and shows(tostring(why))) then
          local tree = support.readable(expression:explain(variables, scope))
          local leak = leak_in(tree)
          assert.is_nil(leak, case.src .. "\n" .. tostring(leak))
          local all = tostring(tree)
          assert.is_falsy(shows(all), case.src .. "\n" .. all)
          tried = tried + 1
        end
      end
    end
    assert.is_true(tried > support.sample(100, 300))
  end)
end)
