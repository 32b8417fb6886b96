-- hcl.spec: decode specifications. The reference's description of the format (hcl/v2, cmd/hcldec) defines each kind; the
-- language's own test suite runs, too (spec/conformance/specsuite_spec.lua).
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local characters = not support.lacking(hcl) "\195\169"
local lines = support.text

local function spec_of(source)
  return hcl.assert(hcl.spec(source, { filename = "spec" }))
end

local function body_of(source, syntax)
  return hcl.assert(hcl.parse(source, { filename = "main", syntax = syntax }))
end

-- The Value of a body of native syntax, or nil and why.
local function decode(spec, source, variables, scope)
  return spec_of(spec):decode(body_of(source), variables, scope)
end

local function value(...)
  return hcl.assert(decode(...))
end

-- The errors, by code and place: "body.argument 1:1".
local function complaints(result, err)
  assert.is_nil(result)
  local out = {}
  for i, d in ipairs(err) do out[i] = d.range and ("%s %d:%d"):format(d.code, d.range.start.line, d.range.start.column) or d.code end
  return out
end

describe("hcl.spec", function()
  it("reads under limits, and counts from its source's first line and column", function()
    local source = 'attr {\n  name = "a"\n  nope = 1\n}\n'
    assert.same({ "body.argument 3:3" }, complaints(hcl.spec(source)))
    assert.same({ "body.argument 22:3" }, complaints(hcl.spec(source, { line = 20, column = 9 })))
    assert.same({ "limit.source" }, { support.code(hcl.spec(source, { limits = { source = 10 } })) })
  end)
end)

describe("errors in many blocks", function()
  it("give a hundred diagnostics, and the number of the others", function()
    local spec = 'block_list {\n  block_type = "b"\n  attr {\n    name = "n"\n    type = number\n  }\n}\n'
    local _, err = decode(spec, ('b {\n  n = "x"\n}\n'):rep(350))
    assert.equal(100, #err)
    assert.truthy(tostring(err):find("250 more", 1, true))
  end)
end)

describe("a specification", function()
  describe("of attributes", function()
    local spec = lines(
      "object {", '  attr "name" {', "    type     = string", "    required = true", "  }",
      '  attr "size" {', '    name = "mb"', "    type = number", "  }", '  attr "extra" {', "  }", "}")

    it("gives them converted, and null for absent ones", function()
      local v = value(spec, 'name = 5\nmb = "12"\n')
      assert.equal("object({ extra = any, name = string, size = number })", tostring(v:type()))
      assert.same({ name = "5", size = 12, extra = hcl.null }, v:lua())
    end)

    it("reports all errors, at places of the body", function()
      assert.same({ "body.missing 1:1", "body.argument 1:1", "spec.type 2:6" }, complaints(decode(spec, 'other = "x"\nmb = [1]\n')))
      assert.same({ "reference.unknown 1:8" }, complaints(decode(spec, "name = nope\n")))
    end)

    it("suggests the intended name", function()
      local _, err = decode(spec, 'nmae = "x"\nname = "y"\n')
      assert.truthy(err[1].detail:find('"name"', 1, true))
    end)

    it("evaluates with variables and a scope", function()
      assert.equal("A-b", value(spec, 'name = "${upper(x)}-${y}"', { x = "a" }, hcl.scope { variables = { y = "b" } }):get("name"):text())
    end)
  end)

  it("puts values in order in an array", function()
    local v = value('array {\n attr {\n name = "b"\n }\n literal {\n value = upper("x")\n }\n}', "b = true\n")
    assert.equal("tuple([bool, string])", tostring(v:type()))
    assert.same({ true, "X" }, v:lua())
  end)

  describe("of blocks", function()
    local inner = 'object {\n attr "v" {\n type = string\n }\n}\n'

    it("accepts one", function()
      local spec = 'block {\n block_type = "b"\n required = true\n ' .. inner .. "}"
      assert.same({ v = "1" }, value(spec, "b {\n v = 1\n}\n"):lua())
      assert.same({ "spec.missing 1:1" }, complaints(decode(spec, "\n")))
      assert.same({ "spec.twice 3:1" }, complaints(decode(spec, "b {\n}\nb {\n}\n")))
      for source, complaint in pairs {
        ['b "x" {\n}\n'] = "body.label 1:3", ["bb {\n}\n"] = "body.block 1:1", ["b = {}\n"] = "body.argument 1:1",
      } do
        assert.same({ complaint }, complaints(decode(spec, source)))
      end
      assert.same({ "body.block 1:1", "spec.missing 1:1" }, complaints(decode(spec, "other {\n}\n")))
    end)

    it("gives null for an absent one", function()
      local v = value('block {\n block_type = "b"\n ' .. inner .. "}", "")
      assert.is_true(v:is_null())
      assert.equal("object({ v = string })", tostring(v:type()))
    end)

    it("lists them, of one type", function()
      local spec = 'block_list {\n block_type = "b"\n min_items = 1\n max_items = 2\n attr {\n name = "v"\n }\n}'
      local v = value(spec, "b {\n v = 1\n}\nb {\n v = \"x\"\n}\n")
      assert.equal("list(string)", tostring(v:type()))
      assert.same({ "1", "x" }, v:lua())
      assert.same({ "spec.count 1:1" }, complaints(decode(spec, "")))
      assert.same({ "spec.count 5:9" }, complaints(decode(spec, "b {\n}\nb {\n}\nb { v = 1 }\n")))
      assert.same({ "spec.types 1:9" }, complaints(decode(spec, "b { v = 1 }\nb { v = [] }\n")))
    end)

    -- As in the reference's sourceRange of each kind.
    it("reports blocks of different types, with the first one's value", function()
      local attr = "attr {\n  name = \"x\"\n  type = any\n}\n"
      local flat, deep = "b {\n  x = 1\n}\nb {\n  x = []\n}\n", "b {\n  i {\n    x = 1\n  }\n}\nb {\n  i {\n    x = []\n  }\n}\n"
      for nested, row in pairs {
        [attr] = { flat, "2:7" }, ["default {\n" .. attr .. "}\n"] = { flat, "2:7" },
        ["transform {\n" .. attr .. "result = nested\n}\n"] = { flat, "2:7" },
        ["block {\n  block_type = \"i\"\n" .. attr .. "}\n"] = { deep, "3:9" },
        ["block_tuple {\n  block_type = \"i\"\n" .. attr .. "}\n"] = { deep, "3:9" },
        ["block_attrs {\n  block_type = \"i\"\n  element_type = any\n}\n"] = { deep, "2:3" },
      } do
        local spec = "block_set {\n  block_type = \"b\"\n" .. nested .. "}\n"
        assert.same({ "spec.types " .. row[2] }, complaints(decode(spec, row[1])), nested)
      end
      assert.same({ "spec.types 1:1" }, complaints(decode("block_attrs {\n  block_type = \"i\"\n  element_type = any\n}\n",
        "i {\n  a = 1\n  b = []\n}\n")))
    end)

    it("gives an empty collection of the right type without blocks", function()
      assert.equal("list(object({ v = string }))", tostring(value('block_list {\n block_type = "b"\n ' .. inner .. "}", ""):type()))
      assert.equal("set(object({ v = string }))", tostring(value('block_set {\n block_type = "b"\n ' .. inner .. "}", ""):type()))
      assert.equal("map(object({ v = string }))",
        tostring(value('block_map {\n block_type = "b"\n labels = ["l"]\n ' .. inner .. "}", ""):type()))
    end)

    it("drops duplicates from a set", function()
      local v = value('block_set {\n block_type = "b"\n ' .. inner .. "}", "b { v = 2 }\nb { v = 1 }\nb { v = 2 }\n")
      assert.same({ { v = "1" }, { v = "2" } }, v:lua())
    end)

    it("keeps the types of each in a tuple", function()
      local v = value('block_tuple {\n block_type = "b"\n attr {\n name = "v"\n }\n}', "b { v = 1 }\nb { v = [true] }\n")
      assert.equal("tuple([number, tuple([bool])])", tostring(v:type()))
    end)

    it("maps them by their labels", function()
      local spec = 'block_map {\n block_type = "b"\n labels = ["kind", "name"]\n attr {\n name = "v"\n type = number\n }\n}'
      local v = value(spec, 'b "x" "one" { v = 1 }\nb "x" "two" { v = 2 }\nb "y" one { v = 3 }\n')
      assert.equal("map(map(number))", tostring(v:type()))
      assert.same({ x = { one = 1, two = 2 }, y = { one = 3 } }, v:lua())
      assert.same({ "spec.twice 2:1" }, complaints(decode(spec, 'b "x" "one" { v = 1 }\nb "x" "one" { v = 2 }\n')))
      assert.same({ "body.label 1:7" }, complaints(decode(spec, 'b "x" { v = 1 }\n')))
    end)

    it("keeps the types of each in an object by labels", function()
      local spec = 'block_object {\n block_type = "b"\n labels = ["name"]\n attr {\n name = "v"\n }\n}'
      assert.equal("object({ one = number, two = string })", tostring(value(spec, 'b "one" { v = 1 }\nb "two" { v = "x" }\n'):type()))
      assert.equal("object({})", tostring(value(spec, ""):type()))
    end)

    it("gives all arguments of one as a map", function()
      local spec = 'block_attrs {\n block_type = "b"\n element_type = string\n}'
      assert.same({ x = "1", y = "true" }, value(spec, "b {\n x = 1\n y = true\n}\n"):lua())
      assert.is_true(value(spec, ""):is_null())
      assert.equal("map(string)", tostring(value(spec, "b {\n}\n"):type()))
      assert.same({ "spec.block 2:2" }, complaints(decode(spec, "b {\n c {\n }\n}\n")))
      assert.same({ "spec.type 2:6" }, complaints(decode(spec, "b {\n x = []\n}\n")))
    end)

    it("gives their labels", function()
      local spec = lines('block_list {', '  block_type = "b"', "  object {", '    block_label "name" {', "      index = 0", "    }",
        '    attr "v" {', "    }", "  }", "}")
      assert.same({ { name = "x", v = 1 }, { name = "y", v = hcl.null } }, value(spec, 'b "x" { v = 1 }\nb "y" { }\n'):lua())
      assert.same({ "body.label 1:3" }, complaints(decode(spec, "b { }\n")))
    end)

    it("nests", function()
      local spec = 'block {\n block_type = "a"\n block_list {\n block_type = "b"\n ' .. inner .. "}\n}"
      assert.same({ { v = "x" } }, value(spec, 'a {\n b {\n  v = "x"\n }\n}\n'):lua())
      assert.same({ "body.argument 3:3" }, complaints(decode(spec, "a {\n b {\n  w = 1\n }\n}\n")))
    end)
  end)

  describe("of `dynamic` blocks", function()
    local spec = 'block_list {\n block_type = "b"\n object {\n attr "v" {\n type = string\n }\n }\n}'

    it("uses the generated blocks", function()
      assert.same({ { v = "0" }, { v = "p" }, { v = "q" } },
        value(spec, 'b { v = 0 }\ndynamic "b" {\n for_each = list\n content {\n  v = b.value\n }\n}\n', { list = { "p", "q" } }):lua())
    end)

    it("doesn't know their number if for_each is unknown", function()
      local v = value(spec, 'dynamic "b" {\n for_each = l\n content {\n }\n}\n', { l = hcl.unknown "list(string)" })
      assert.is_false(v:is_known())
      assert.equal("list(object({ v = string }))", tostring(v:type()))
    end)

    it("keeps the marks of for_each", function()
      local v = value(spec, 'dynamic "b" {\n for_each = l\n content {\n  v = "x"\n }\n}\n', { l = hcl.sensitive { "a" } })
      assert.same({ "sensitive" }, v:get(0):marks())
    end)

    it("treats an already expanded body in the same way", function()
      local strict = spec_of('object {\n attr "a" {\n required = true\n }\n block_list "all" {\n block_type = "b"\n'
        .. ' object {\n attr "v" {\n }\n }\n }\n}')
      local dynamic = 'dynamic "b" {\n for_each = l\n content {\n  v = b.value\n }\n}\n'
      local function decode_expanded(source, variables)
        local body = hcl.assert(body_of(source):expand(variables))
        support.collect()
        return strict:decode(body, {})
      end
      local v = hcl.assert(decode_expanded("a = 1\n" .. dynamic, { l = { "p", "q" } }))
      assert.same({ a = 1, all = { { v = "p" }, { v = "q" } } }, v:lua())
      v = hcl.assert(decode_expanded("a = 1\n" .. dynamic, { l = hcl.sensitive { "p" } }))
      assert.same({ "sensitive" }, v:get "all":get(0):marks())
      v = hcl.assert(decode_expanded("a = 1\n" .. dynamic, { l = hcl.unknown "list(string)" }))
      assert.is_false(v:get "all":is_known())
      assert.same({ "body.missing 1:1", "body.argument 1:1" }, complaints(decode_expanded "z = 1\n"))
      assert.same({ "body.argument 5:3" },
        complaints(decode_expanded('a = 1\ndynamic "b" {\n for_each = [1]\n content {\n  w = 1\n }\n}\n')))
    end)
  end)

  it("gives the first that isn't null", function()
    local spec = 'default {\n attr {\n name = "a"\n type = string\n }\n attr {\n name = "b"\n type = string\n }\n'
      .. ' literal {\n value = "none"\n }\n}'
    assert.equal("x", value(spec, 'a = "x"\nb = "y"\n'):text())
    assert.equal("y", value(spec, 'a = null\nb = "y"\n'):text())
    assert.equal("none", value(spec, ""):text())
  end)

  it("transforms", function()
    local spec = 'transform {\n attr {\n name = "mb"\n type = number\n }\n result = nested * 1024\n}'
    assert.equal(2048, value(spec, "mb = 2\n"):lua())
    assert.same({ "operator.failed 6:11" }, complaints(decode(spec, "")))
    -- Earlier errors aren't reported twice.
    assert.same({ "spec.type 1:6" }, complaints(decode(spec, 'mb = "x"\n')))
  end)

  it("has functions for its own expressions", function()
    for source, want in pairs {
      ['coalesce(null, "", "x")'] = "", ["hasindex([1], 0)"] = true, ["hasindex([1], 1)"] = false, ['hasindex({ a = 1 }, "a")'] = true,
      ["hasindex([1], 0.5)"] = false, ["hasindex([1], -1)"] = false, ['hasindex({ a = 1 }, "b")'] = false,
      ["hasindex({ a = 1 }, 0)"] = false,
      ["int(-1.7)"] = -1, ["int(1.7)"] = 1, ["length([1, 2])"] = 2, ['reverse("abc")'] = "cba",
      [characters and 'strlen("aé")' or 'strlen("ab")'] = 2,
      ['substr("hello", 1, 3)'] = "ell", ["max(1, 3)"] = 3, ["min(2, 1)"] = 1, ["abs(-2)"] = 2, ['upper("a")'] = "A", ['lower("A")'] = "a",
      ['jsonencode([1])'] = "[1]", ['jsondecode("2")'] = 2, ["length(concat([1], [2]))"] = 2,
    } do
      local got = value("literal {\n value = " .. source .. "\n}", ""):lua()
      assert.equal(want, got, source)
    end
    assert.same({ "call.unknown 2:10" }, complaints(hcl.spec('literal {\n value = split(",", "a")\n}')))
    for source, place in pairs { ['length("abc")'] = 18, ["hasindex(1, 0)"] = 19, ['int("a")'] = 15, ["reverse([1])"] = 18 } do
      assert.same({ "call.argument 2:" .. place }, complaints(hcl.spec("literal {\n value = " .. source .. "\n}")))
    end
    for source, why in pairs { ["coalesce(1, [])"] = "no common type", ["coalesce()"] = "at least one",
      ["coalesce(null, null)"] = "null" } do
      local _, err = hcl.spec("literal {\n value = " .. source .. "\n}")
      assert.matches(why, err[1].detail, 1, true)
    end
  end)

  it("has functions that keep types and numbers as they are", function()
    for source, want in pairs {
      ["coalesce(null, nested)"] = 'list(number) tolist([\n  12345678901234567890,\n])',
      ["coalesce(null, nested[0])"] = "number 12345678901234567890", ["int(nested[0] + 0.5)"] = "number 12345678901234567890",
      ["length(nested)"] = "number 1",
    } do
      local got = value("transform {\n attr {\n  name = \"a\"\n  type = list(number)\n }\n result = " .. source .. "\n}",
        "a = [12345678901234567890]\n")
      assert.equal(want, tostring(got:type()) .. " " .. tostring(got), source)
    end
  end)

  describe("that refines", function()
    local function refine(arguments, type)
      return "refine {\n " .. table.concat(arguments, "\n ") .. '\n attr {\n name = "a"\n type = ' .. type .. "\n }\n}"
    end

    it("adds facts to unknown values", function()
      local v = value(refine({ "not_null = true", 'prefix = "ami-"' }, "string"), "a = u\n", { u = hcl.unknown "string" })
      assert.same({ not_null = true, prefix = "ami-" }, v:refinements())
      local list = hcl.unknown("list(string)", { max_length = 3 })
      v = value(refine({ "min_length = 1" }, "list(string)"), "a = u\n", { u = hcl.sensitive(list) })
      assert.same({ "sensitive" }, v:marks())
      assert.equal(1, v:unmark():refinements().min_length)
      assert.equal(3, v:unmark():refinements().max_length)
    end)

    it("checks known values", function()
      assert.equal("ami-1", value(refine({ 'prefix = "ami-"' }, "string"), 'a = "ami-1"\n'):text())
      for _, case in ipairs {
        { { "not_null = true" }, "string", "null" }, { { 'prefix = "ami-"' }, "string", '"x"' }, { { "min = 2" }, "number", "1" },
        { { "max = 2" }, "number", "3" }, { { "min_length = 1" }, "list(string)", "[]" }, { { "max_length = 1" }, "list(any)", "[1, 2]" },
      } do
        assert.same({ "spec.refine 1:5" }, complaints(decode(refine(case[1], case[2]), "a = " .. case[3] .. "\n")), case[1][1])
      end
    end)
  end)

  describe("that defines", function()
    local spec = lines("variables {", '  region = "eu"', "}", 'function "add" {', "  params = [a, b]", "  result = a + b", "}",
      'function "all" {', "  params         = [first]", "  variadic_param = rest", "  result         = [first, rest]", "}",
      'function "bad" {', "  params = [s]", "  result = s.nope", "}", "attr {", '  name = "x"', "}")

    it("gives the input variables, which those of the call override", function()
      assert.equal("eu", value(spec, "x = region\n"):text())
      assert.equal("us", value(spec, "x = region\n", { region = "us" }):text())
    end)

    it("gives the input variables without functions, and functions without variables", function()
      assert.equal("eu", value('variables {\n region = "eu"\n}\nattr {\n name = "x"\n}\n', "x = region\n"):text())
      assert.equal(3, value('function "f" {\n params = [a]\n result = a + 1\n}\nattr {\n name = "x"\n}\n', "x = f(2)\n"):lua())
    end)

    it("gives the input functions", function()
      assert.equal(3, value(spec, "x = add(1, 2)\n"):lua())
      assert.same({ 1, { 2, "c" } }, value(spec, 'x = all(1, 2, "c")\n'):lua())
      assert.is_false(value(spec, "x = add(1, u)\n", { u = hcl.unknown "number" }):is_known())
      assert.same({ "call.count 1:10" }, complaints(decode(spec, "x = add(1)\n")))
      assert.same({ "call.failed 1:5" }, complaints(decode(spec, 'x = bad("s")\n')))
    end)

    it("describes its result", function()
      local given = spec_of(spec)
      assert.is_true(given:defines())
      local variables = given:variables()
      assert.equal("eu", variables.region:text())
      variables.region = nil
      assert.equal("eu", given:variables().region:text())
      assert.is_true(spec_of('function "f" {\n params = []\n result = 1\n}\nobject {\n}\n'):defines())
      local none = spec_of "object {\n}\n"
      assert.is_false(none:defines())
      assert.same({}, none:variables())
    end)
  end)

  it("reads JSON syntax, and is written in it", function()
    local spec = spec_of('object {\n attr "n" {\n type = number\n }\n block_map "b" {\n labels = ["l"]\n'
      .. ' attr {\n name = "v"\n type = string\n }\n }\n}')
    local v = hcl.assert(spec:decode(body_of('{"n": "${1 + 1}", "b": {"x": {"v": 1}, "y": {}}}', "json")))
    assert.same({ n = 2, b = { x = "1", y = hcl.null } }, v:lua())
    spec = hcl.assert(hcl.spec('{"object": {"attr": {"n": {"type": "number"}}}}', { syntax = "json" }))
    assert.equal(4, hcl.assert(spec:decode(body_of("n = 4\n"))):get("n"):lua())
  end)

  it("lists the attributes of a body that it evaluates", function()
    local spec = spec_of 'object {\n attr "x" {\n }\n block "b" {\n object {\n attr "y" {\n }\n }\n }\n attr "z" {\n }\n}'
    local function names(bodies)
      local out = {}
      for i, attribute in ipairs(spec:attributes(bodies)) do out[i] = attribute.name end
      table.sort(out)
      return table.concat(out, " ")
    end
    assert.equal("x y", names(body_of "b {\n y = nope\n other = 1\n}\nother = 2\nx = 1\n"))
    assert.equal("x z", names { body_of "x = 1\n", body_of "z = 1\n" })
    assert.equal("", names(body_of ""))
  end)

  it("reads several bodies as one", function()
    local spec = spec_of('object {\n attr "a" {\n required = true\n }\n attr "b" {\n required = true\n }\n'
      .. ' block_list "c" {\n object {\n }\n }\n}')
    local one, two = body_of "a = 1\nc {\n}\n", body_of "b = 2\nc {\n}\n"
    assert.same({ a = 1, b = 2, c = { {}, {} } }, hcl.assert(spec:decode { one, two }):lua())
    assert.same({ "spec.missing" }, complaints(spec:decode { one, body_of "" }))
    assert.same({ "spec.twice 1:1" }, complaints(spec:decode { one, two, body_of "b = 3\n" }))
  end)

  it("lets callbacks yield", function()
    local scope = hcl.scope { functions = { wait = function(x) return coroutine.yield(x) end } }
    local spec = spec_of('object {\n attr "a" {\n }\n block_list "b" {\n attr {\n name = "v"\n }\n }\n}')
    local body = body_of 'a = wait(1)\nb { v = wait(2) }\ndynamic "b" {\n for_each = [wait(3)]\n content {\n v = wait(b.value)\n }\n}\n'
    local v = support.drive(function() return hcl.assert(spec:decode(body, nil, scope)) end, function(x) return x * 10 end)
    assert.same({ a = 10, b = { 20, 300 } }, v:lua())
  end)

  it("gives its type", function()
    assert.equal("object({ l = list(string), n = number })",
      tostring(spec_of('object {\n attr "n" {\n type = number\n }\n block_list "l" {\n attr {\n name = "v"\n type = string\n'
        .. ' }\n }\n}'):type()))
  end)

  it("obeys the limits of the body, whatever errors it has", function()
    local items = {}
    for i = 1, 120000 do items[i] = "a" .. i .. "=1\n" end
    local body = hcl.assert(hcl.parse(table.concat(items), { limits = { memory = 1000 } }))
    assert.same({ "limit.memory" }, complaints(spec_of('attr {\n name = "x"\n}'):decode(body)))
  end)

  it("does work in proportion to the nesting of blocks", function()
    if rawget(_G, "jit") then return end -- compiled code isn't counted
    local function nested(n)
      local open = 'object {\n block "b" {\n block_type = "b"\n '
      return open:rep(n) .. 'object {\n attr "x" {\n type = number\n }\n}\n' .. (" }\n}\n"):rep(n)
    end
    local function work(n)
      local spec, body = spec_of(nested(n)), hcl.assert(hcl.parse(("b {\n"):rep(n) .. "x = 7\n" .. ("}\n"):rep(n)))
      local counted = 0
      debug.sethook(function() counted = counted + 1 end, "", 100)
      local v = hcl.assert(spec:decode(body))
      debug.sethook()
      for _ = 1, n do v = v:get "b" end
      assert.equal(7, v:get("x"):lua())
      return counted
    end
    work(2) -- what is made only once
    assert.is_true(work(240) < 3 * work(120))
  end)

  it("may define a function that no source can call", function()
    local v = value('function "a b" {\n params = []\n result = 1\n}\nattr {\n name = "x"\n}\n', "x = 5\n")
    assert.equal(5, v:lua())
  end)

  it("obeys the limits of the scope", function()
    local scope = hcl.scope { limits = { steps = 1000 } }
    assert.equal("limit.steps", support.code(decode('attr {\n name = "a"\n}', "a = [for i in range(1000) : i]\n", nil, scope)))
    -- Including the expressions of the specification.
    local loops = "[for a in nested : [for b in nested : [for c in nested : [for d in nested : d]]]]"
    assert.equal("limit.steps", support.code(decode(
      "transform {\n literal {\n value = [1, 2, 3, 4, 5, 6, 7, 8, 9]\n }\n result = " .. loops .. "\n}", "", nil, scope)))
  end)
end)

describe("a wrong specification", function()
  -- What is wrong, and where.
  for what, case in pairs {
    ["no spec"] = { "", "spec.nested 1:1" },
    ["two specs"] = { "object {\n}\nobject {\n}\n", "spec.nested 3:1" },
    ["an unknown kind"] = { "frob {\n}\n", "body.block 1:1" },
    ["an unknown argument"] = { 'attr {\n name = "a"\n nme = 1\n}\n', "body.argument 3:2" },
    ["an attribute without a name"] = { "attr {\n}\n", "spec.name 1:6" },
    ["blocks without a name"] = { "block_list {\n object {\n }\n}\n", "spec.name 1:12" },
    ["no type"] = { 'attr {\n name = "a"\n type = nope\n}\n', "type.constraint 3:9" },
    ["an invalid flag"] = { 'attr {\n name = "a"\n required = 5\n}\n', "spec.argument 3:13" },
    ["a count with a fraction"] = { 'block_list {\n block_type = "b"\n min_items = 1.5\n object {\n }\n}\n', "spec.argument 3:14" },
    ["a literal without a value"] = { "literal {\n}\n", "body.missing 1:9" },
    ["a property without a name"] = { "object {\n attr {\n }\n}\n", "body.label 2:7" },
    ["a map without labels"] = { 'block_map {\n block_type = "b"\n labels = []\n object {\n }\n}\n', "spec.name 1:11" },
    ["a map of any"] = { 'block_map {\n block_type = "b"\n labels = ["l"]\n attr {\n name = "a"\n }\n}\n', "spec.nested 1:11" },
    ["blocks without a spec"] = { 'block {\n block_type = "b"\n}\n', "spec.nested 1:7" },
    ["a label outside of a block"] = { "object {\n block_label \"l\" {\n index = 0\n }\n}\n", "spec.nested 2:2" },
    ["blocks with different labels"] = {
      'array {\n block {\n block_type = "b"\n object {\n }\n }\n block_map {\n block_type = "b"\n labels = ["l"]\n object {\n }\n }\n}\n',
      "spec.nested 7:2",
    },
    ["a parameter that isn't a name"] = { 'function "f" {\n params = [1]\n result = 1\n}\nobject {\n}\n', "spec.argument 2:12" },
    ["a syntax error"] = { "object {\n", "syntax.bracket 1:8" },
  } do
    it("reports " .. what, function()
      assert.same({ case[2] }, complaints(hcl.spec(case[1])))
    end)
  end

  it("is misuse if it isn't a text", function()
    assert.has_error(function() hcl.spec(5) end)
    assert.has_error(function() hcl.spec("object {\n}", { nope = 1 }) end)
    local spec = spec_of "object {\n}\n"
    assert.has_error(function() spec:decode("a = 1") end)
    assert.has_error(function() spec:decode {} end)
    assert.has_error(function() spec:decode(body_of "", 5) end)
    assert.has_error(function() spec:decode(body_of "", nil, {}) end)
  end)

  -- The reference: without max_items, or with 0, there may be any number.
  it("bounds the number of blocks", function()
    local blocks = "b {\n  v = 1\n}\n"
    for bounds, row in pairs {
      [""] = { 0, 5 }, ["max_items = 0"] = { 0, 5 }, ["max_items = 2"] = { 0, 2 }, ["min_items = 0"] = { 0, 5 }, ["min_items = 2"] = { 2,
        5 },
      ["min_items = 1\n max_items = 1"] = { 1, 1 },
    } do
      local spec = 'block_list {\n block_type = "b"\n ' .. bounds .. '\n attr {\n name = "v"\n type = number\n }\n}'
      for n = 0, 5 do
        local made = decode(spec, blocks:rep(n))
        assert.equal(n >= row[1] and n <= row[2], made ~= nil, bounds .. ": " .. n)
        if made then assert.equal(n, #made) end
      end
    end
  end)
end)
