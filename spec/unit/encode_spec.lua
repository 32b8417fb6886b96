-- hcl.encode: source text that gives the same value again, in the formatter's layout.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local function encode(x, options)
  return hcl.assert(hcl.encode(x, options))
end

-- The diagnostic's code, and its text.
local function fails(x, options)
  local text, err = hcl.encode(x, options)
  assert.is_nil(text)
  return err[1].code, err[1].detail
end

local function value(source)
  return hcl.assert(hcl.assert(hcl.compile(source)):value())
end

-- Equality of data. A float's shortest decimal may be a whole number that is an integer in Lua, and the same as a float.
local function same(a, b)
  if type(a) == "number" and type(b) == "number" then return a == b * 1.0 and (a ~= 0 or 1 / a == 1 / b) end
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  if getmetatable(a) ~= getmetatable(b) and next(a) == nil then return false end
  for k, v in pairs(a) do
    if not same(v, b[k]) then return false end
  end
  for k in pairs(b) do
    if a[k] == nil then return false end
  end
  return true
end

describe("hcl.encode", function()
  it("writes scalars", function()
    assert.equal("true", encode(true))
    assert.equal("false", encode(false))
    assert.equal("null", encode(hcl.null))
    assert.equal("-17", encode(-17))
    assert.equal("0.1", encode(0.1))
    assert.equal("0.3333333333333333", encode(1 / 3))
    assert.equal('"text"', encode "text")
  end)

  it("writes numbers exactly, without rows of zeros", function()
    assert.equal("9007199254740993", encode(value "9007199254740993"))
    assert.equal("1e+300", encode(1e300))
    assert.equal("5e-324", encode(5e-324))
    assert.equal("1" .. ("23456789"):rep(5), encode(value("1" .. ("23456789"):rep(5))))
    assert.equal("-0", encode(-0.0 * 1))
    for _, source in ipairs { "1 / 3", "pow(2, 0.5)", "pow(10, 30.5)", "1e1000", "-1 / 0", "1 / 0", "123456789e-200", "0.000001" } do
      assert.is_true(value(encode(value(source))) == value(source), source)
    end
  end)

  it("quotes strings", function()
    -- In the language's notation: $${ and %%{ are the openers of templates, invisible characters are escaped.
    assert.equal([["$${a} %%{b} $$${ $ % $a"]], encode "${a} %{b} $${ $ % $a")
    assert.equal([["\"\\\n\r\t\u0000\u007f"]], encode "\"\\\n\r\t\0\127")
    assert.equal('"é日本"', encode "é日本")
    for byte = 0, 127 do
      local text = "$" .. string.char(byte) .. "{" .. string.char(byte) .. "%{"
      assert.equal(text, hcl.eval(encode(text)))
    end
  end)

  it("writes arrays and objects, keys sorted, as the formatter has them", function()
    assert.equal("[]", encode(hcl.array {}))
    assert.equal("{}", encode {})
    assert.equal('[1, "a", null, [], {}]', encode({ 1, "a", hcl.null, hcl.array {}, {} }, { indent = false }))
    assert.equal('[1, "a", null]', encode { 1, "a", hcl.null })
    assert.equal([=[
{
  a     = 1
  "b c" = [1, 2]
  ccc = {
    x = [
      [1],
      {
        y = 2
      },
    ]
  }
  dd    = true
  "for" = {}
}]=], encode { ["b c"] = { 1, 2 }, a = 1, ["for"] = {}, dd = true, ccc = { x = { { 1 }, { y = 2 } } } })
    assert.equal('{ a = { b = [1] }, "for" = "x" }', encode({ ["for"] = "x", a = { b = { 1 } } }, { indent = false }))
    assert.equal("{\n    a = 1\n}", encode({ a = 1 }, { indent = 4 }))
  end)

  it("quotes keys that aren't plain words or mean something else", function()
    for _, key in ipairs { "for", "null", "true", "false", "if", "in", "a-b", "1a", "", "a.b", "${x}", "é", "a\nb" } do
      local t = { [key] = 1 }
      assert.same(t, hcl.eval(encode(t)))
    end
  end)

  it("keeps the types of Values", function()
    for _, source in ipairs {
      'toset(["b", "a"])', "tolist([1, 2])", "tomap({ a = [], b = [] })", "tolist([])", "toset([])", "tomap({})",
      "convert([], list(string))", "convert([], set(object({ a = string })))", "convert({}, map(list(number)))", "tostring(null)",
      "convert(null, object({ a = list(string) }))", "[tolist([null, true])]", "{ a = tomap({ b = toset([{ c = 1 }]) }) }", "null",
    } do
      local v = value(source)
      local again = value(encode(v))
      assert.is_true(v == again, source)
      assert.equal(v:type():json(), again:type():json())
    end
    assert.equal('toset(["a", "b"])', encode(value 'toset(["b", "a"])'))
    assert.equal('[toset(["a"])]', encode({ value 'toset(["a"])' }, { indent = false }))
  end)

  it("rejects values without source text, with their place", function()
    local cycle = {}
    cycle.c = { cycle }
    for _, case in ipairs {
      { "data.number", { a = { 0 / 0 } }, "value.a[0]" }, { "data.number", 1 / 0, "value" }, { "data.text", { a = "\255" }, "value.a" },
      { "data.type", { a = { b = print } }, "value.a.b" }, { "data.cycle", cycle, "value.c[0]" },
      { "data.keys", { a = { 1, x = 2 } }, "value.a" }, { "data.keys", { [true] = 1 }, "value" },
      { "data.hole", hcl.array { 1, nil, 3 }, "value" }, { "encode.value", { a = { hcl.sensitive "s3cret" } }, "value.a[0]" },
      { "encode.value", { ["x y"] = hcl.unknown "string" }, 'value["x y"]' },
      { "encode.value", value 'convert([], list(any))' and hcl.mark({ 1 }, "m"), "value" },
    } do
      local code, detail = fails(case[2])
      assert.equal(case[1], code)
      assert.equal(case[3] .. ":", detail:sub(1, #case[3] + 1))
      assert.is_nil(detail:find("s3cret", 1, true))
    end
  end)

  it("accepts any depth within the limit, and gives a diagnostic above", function()
    local function nested(n, key)
      local t = { [key] = 1 }
      for _ = 2, n do t = { [key] = t } end
      return t
    end
    for _, key in ipairs { 1, "a" } do
      local deep = nested(900, key)
      assert.is_true(same(deep, hcl.eval(encode(deep))))
      -- Indented to the innermost level it would be 900 lines of 900 spaces on average, and as many to close.
      assert.is_true(#encode(deep) < 20000)
      assert.equal("limit.depth", (fails(nested(1100, key))))
      assert.equal("limit.depth", (fails(nested(100000, key), { limits = { depth = 10000 } })))
      local text, err = hcl.encode(nested(9000, key), { limits = { depth = 10000 } })
      -- If Lua's own stack is smaller, that is a diagnostic, too.
      assert.is_true(text ~= nil or err[1].code == "limit.depth")
    end
  end)

  it("aligns names with as many spaces as limits.output allows", function()
    local names = { [("x"):rep(101)] = 1, y = 2, z = 3 }
    for _, blocks in ipairs { {}, { blocks = {} } } do
      local function within(output) return { blocks = blocks.blocks, limits = { output = output } } end
      assert.matches(("\n%%s*y%s = 2\n"):format((" "):rep(100)), encode(names, within(200)))
      assert.equal("limit.output", (fails(names, within(199))))
    end
  end)

  it("raises errors for misuse", function()
    assert.error_matches(function() hcl.encode() end, "bad argument #1 to 'encode'")
    assert.error_matches(function() hcl.encode(1, 2) end, "bad argument #2 to 'encode'")
    assert.error_matches(function() hcl.encode(1, { nope = 1 }) end, "unknown option 'nope'")
    for _, indent in ipairs { -1, 17, 1.5, true, "2" } do
      assert.error_matches(function() hcl.encode(1, { indent = indent }) end, "indent")
    end
    for _, indent in ipairs { 0, 16, false } do assert.equal("1", hcl.encode(1, { indent = indent })) end
    for _, place in ipairs { "line", "column" } do
      for _, number in ipairs { 0, 2 ^ 31, 1.5, "1" } do
        assert.error_matches(function() hcl.parse("", { [place] = number }) end, place)
      end
      for _, number in ipairs { 1, 2 ^ 31 - 1 } do assert.is_truthy(hcl.parse("", { [place] = number })) end
    end
    assert.error_matches(function() hcl.encode({}, { blocks = {}, attributes_only = true }) end, "exclude")
    assert.error_matches(function() hcl.encode({}, { blocks = { 1 } }) end, "schema")
    assert.error_matches(function() hcl.encode({}, { blocks = { b = { nesting = "heap" } } }) end, "nesting")
  end)
end)

describe("hcl.encode of a body", function()
  local schema = {
    blocks = {
      resource = { labels = { "type", "name" }, schema = { blocks = { disk = {}, tls = { nesting = "single" } } } },
      listener = { labels = { "id" } },
    },
  }

  it("writes a line for each attribute", function()
    assert.equal('a  = 1\nbb = [1, 2]\nccc = {\n  x = null\n}\nd = "x"\n',
      encode({ a = 1, bb = { 1, 2 }, ccc = { x = hcl.null }, d = "x" }, { attributes_only = true }))
    assert.equal("a   = { x = 1 }\nbcd = {}\n", encode({ a = { x = 1 }, bcd = {} }, { attributes_only = true, indent = false }))
    assert.equal("", encode({}, { attributes_only = true }))
  end)

  it("writes only the data of Values, since files may call no functions", function()
    local set, list = value 'toset(["x"])', value "convert([], list(string))"
    assert.equal('a = ["x"]\nb = []\n', encode({ a = set, b = list }, { attributes_only = true }))
    assert.equal("a = 1\n", encode(value "tomap({ a = 1 })", { attributes_only = true }))
  end)

  it("writes blocks as the schema says", function()
    assert.equal([[
region = "eu"

listener "a.b" {}

resource "aws" "db" {}

resource "aws" "web" {
  ami  = "x"
  tags = {}

  disk {
    size = 1
  }

  disk {}

  tls {
    cert = "c"
  }
}
]], encode({
      region = "eu", listener = { { id = "a.b" } },
      resource = { aws = { web = { { ami = "x", tags = {}, disk = { { size = 1 }, {} }, tls = { cert = "c" } } }, db = { {} } } },
    }, { blocks = schema }))
  end)

  it("accepts only the schema's blocks", function()
    assert.equal("b {\n  a = 1\n}\n", encode({ b = { { a = 1 } } }, { blocks = { b = {} } }))
    assert.equal("a = 1\n\nb {}\n\nb {}\n", encode({ a = 1, b = { {}, {} } }, { blocks = { b = {} } }))
    assert.equal("", encode({ b = hcl.array {}, c = hcl.null }, { blocks = { b = {}, c = {} } }))
    for _, list in ipairs { "[{ a = 1 }]", "tolist([{ a = 1 }])", "toset([{ a = 1 }])" } do
      assert.equal("b {\n  a = 1\n}\n", encode(value("{ b = " .. list .. " }"), { blocks = { b = {} } }))
      assert.equal("b {\n  a = 1\n}\n", encode({ b = value(list) }, { blocks = { b = {} } }))
    end
  end)

  it("is read back by hcl.decode, and by body:decode with the schema", function()
    local function b(t) return hcl.array(t) end
    local t = { n = 1.5, l = { "a", { x = hcl.null } },
      resource = { aws = { web = b { { ami = "x", disk = b { { a = 1 }, {} } } } }, gcp = { ["d.b"] = b { {} } } } }
    assert.same(t, hcl.decode(encode(t, { blocks = schema })))
    local typed = {
      attributes = { n = {} },
      blocks = {
        l = { labels = { "id" }, schema = { attributes = { port = {} } } },
        m = { labels = { "k" }, nesting = "map", schema = { attributes = { v = {} } } },
        s = { nesting = "single", schema = { attributes = { v = {} }, blocks = { e = {} } } },
      },
    }
    t = { n = 1, l = { { id = "a", port = 1 }, { id = "b" } }, m = { x = { v = 1 }, y = { v = 2 } }, s = { v = 1, e = b { {} } } }
    assert.same(t, hcl.assert(hcl.parse(encode(t, { blocks = typed }))):decode(typed))
  end)

  it("rejects values that aren't bodies, and says where", function()
    local options = { blocks = { l = { labels = { "id" } }, b = {} } }
    for _, case in ipairs {
      { "encode.body", { 1, 2 }, "value:" }, { "encode.body", "x", "value:" }, { "encode.body", { ["a b"] = 1 }, 'value["a b"]:' },
      { "encode.body", { b = { 1 } }, "value.b[0]:" }, { "encode.body", { l = { { port = 1 } } }, "value.l[0]:" },
      { "encode.body", { l = { { id = 1 } } }, "value.l[0].id:" }, { "encode.body", { [1] = 1, a = 1 }, "value:" },
      { "data.type", { a = { print } }, "value.a[0]:" }, { "encode.value", { b = { { c = hcl.sensitive(1) } } }, "value.b[0].c:" },
      { "encode.body", { b = hcl.unknown "any" }, "value.b:" }, { "encode.body", { a = 1, [true] = 1 }, "value:" },
    } do
      local code, detail = fails(case[2], options)
      assert.equal(case[1], code)
      assert.equal(case[3], detail:sub(1, #case[3]))
    end
    -- Of long names the message has the end.
    for _, name in ipairs { ("a b"):rep(100), ("\195\169 "):rep(100) } do
      local code, detail = fails({ [name] = 1 }, { attributes_only = true })
      assert.equal("encode.body", code)
      assert.truthy(support.is_utf8(detail), detail)
      assert.truthy(detail:find(name:sub(-30) .. '"]: ', 1, true), detail)
    end
    local _, about_type = fails({ ["\255"] = { {} } }, { blocks = { ["\255"] = {} } })
    assert.truthy(support.is_utf8(about_type), about_type)
    local loop = { blocks = {} }
    loop.blocks.b = { schema = loop }
    local cycle = {}
    cycle.b = { cycle }
    assert.equal("encode.body", (fails(cycle, { blocks = loop })))
  end)
end)

-- Random data: its source gives it again, and the formatter has nothing to do.
describe("random data", function()
  local strings = { "", "a", "for", "x y", "${", "%{x}", "é", "\n", "a\\\"", "-", "1", "null", "日本", "a-b", "\0\1\127" }
  local random = support.random(20260)

  local function number()
    local kind = random(5)
    if kind == 1 then return random(19) - 10 end
    if kind == 2 then return random(2 ^ 30) / 7 * 10 ^ (random(590) - 300) end
    if kind == 3 then return -random(2 ^ 30) / 2 ^ (random(41) - 1) end
    if kind == 4 then return 2 ^ (random(2097) - 1074) end
    return random(2 ^ 30) * 2 ^ 20 + random(2 ^ 20)
  end

  local function data(depth)
    local kind = random(depth > 0 and 7 or 4)
    if kind == 1 then return strings[random(#strings)] end
    if kind == 2 then return number() end
    if kind == 3 then return random(2) == 1 end
    if kind == 4 then return hcl.null end
    local t = {}
    for i = 1, random(6) - 1 do
      local key = kind == 5 and i or strings[random(#strings)]
      t[key] = data(depth - 1)
    end
    return kind == 5 and hcl.array(t) or t
  end

  -- A float's shortest decimal may be a whole number that isn't exactly a float: it stays a Value unless you ask otherwise.
  local scope = hcl.scope { convert = { big = "float" } }

  it("is given again by its source", function()
    for _ = 1, 400 do
      local x = data(4)
      for _, options in ipairs { {}, { indent = false } } do
        local source = encode(x, options)
        assert.is_true(value(source) == hcl.value(x), source)
        assert.is_true(same(x, hcl.eval(source, nil, scope)), source)
        assert.equal(source, hcl.format(source))
      end
    end
  end)

  it("is given again by a body", function()
    for _ = 1, 200 do
      local t = {}
      for i = 1, random(6) do t["key" .. ("x"):rep(random(8)) .. i] = data(3) end
      local source = encode(t, { attributes_only = true })
      assert.is_true(same(t, hcl.decode(source, nil, scope)), source)
      assert.equal(source, hcl.format(source))
    end
  end)
end)
