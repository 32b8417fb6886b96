-- Bodies of native syntax.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local characters = not support.lacking(hcl) "\195\169"

local source = [[
region = "eu-1"

resource "aws_instance" web {
  ami   = "ami-${region}"
  count = n + 1
  tags { }
}
]]

describe("hcl.parse", function()
  local body = hcl.assert(hcl.parse(source, { filename = "main.tf" }))

  it("gives attributes by name", function()
    local a = body.attributes.region
    assert.equal("region", a.name)
    assert.equal("eu-1", a:eval())
    assert.equal("string", a:value():type():kind())
    assert.equal("main.tf", a.range.filename)
    assert.equal(0, a.name_range.start.byte)
    assert.equal(6, a.name_range.stop.byte)
    assert.equal('"eu-1"', a.expression:source())
    assert.equal(9, a.expression:range().start.byte)
    assert.is_nil(body.attributes.nope)
    assert.equal(body.attributes, body.attributes)
  end)

  it("gives blocks in order", function()
    local b = body.blocks[1]
    assert.equal(1, #body.blocks)
    assert.equal("resource", b.type)
    assert.same({ "aws_instance", "web" }, b.labels)
    assert.equal(2, #b.label_ranges)
    assert.equal(3, b.type_range.start.line)
    assert.equal(3, b.open_brace_range.start.line)
    assert.equal(7, b.close_brace_range.start.line)
    assert.equal("ami-x", b.body.attributes.ami:eval { region = "x" })
    assert.equal(3, b.body.attributes.count:eval { n = 2 })
    assert.equal("tags", b.body.blocks[1].type)
  end)

  -- reference: form C is for values; names of a body are bytes.
  it("keeps names as written", function()
    if not characters then return pending "no utf8proc" end
    local written, composed = "e\204\129", "\195\169"
    local text = ('%s = "%s"\n%s = 2\n%s "%s" "%s" {\n}\n'):format(written, written, composed, written, written, composed)
    local b = hcl.assert(hcl.parse(text))
    assert.equal(composed, b.attributes[written]:eval())
    assert.equal(2, b.attributes[composed]:eval())
    assert.equal(written, b.blocks[1].type)
    assert.same({ written, composed }, b.blocks[1].labels)
    assert.same({ [written] = { { x = 1 } } }, hcl.assert(hcl.decode(written .. " {\n x = 1\n}\n")))
    assert.is_nil((b:decode { attributes = { [composed] = {} } }))
    local v, err = hcl.parse(written .. " = 1\n" .. written .. " = 2\n")
    assert.is_nil(v)
    assert.equal("syntax.duplicate", err[1].code)
  end)

  it("lists references", function()
    local paths = support.paths(body:references())
    table.sort(paths)
    assert.same({ "n", "region" }, paths)
  end)

  it("is read-only", function()
    assert.has_error(function() body.x = 1 end)
    assert.has_error(function() body.attributes.region.name = "x" end)
    assert.has_error(function() body.blocks[1].type = "x" end)
  end)

  it("counts from the line and column where its source begins", function()
    local b = hcl.assert(hcl.parse("a = 1\nb = x\n", { filename = "x", line = 10, column = 5 }))
    local function starts(range) return range.start.line .. ":" .. range.start.column .. " " .. range.start.byte end
    assert.equal("10:5 0", starts(b.attributes.a.range))
    assert.equal("11:1 6", starts(b.attributes.b.range))
    local _, err = b.attributes.b:eval()
    assert.equal("11:5 10", starts(err[1].range))
    _, err = hcl.parse("a = \n", { line = 10, column = 5 })
    assert.equal(10, err[1].range.start.line)
  end)

  it("returns the readable parts of a broken source", function()
    local none, err, partial = hcl.parse("a = 1\nb = [1,\nc = 2\n", { filename = "x" })
    assert.is_nil(none)
    assert.equal("x", err[1].range.filename)
    assert.equal(1, partial.attributes.a:eval())
  end)

  it("reports limits when an expression is evaluated, not when it is inspected", function()
    local small = hcl.assert(hcl.parse("a = [1, 2, 3, x]", { limits = { memory = 40 } }))
    local expression = small.attributes.a.expression
    assert.same({ "x" }, support.paths(expression:references()))
    assert.equal("[1, 2, 3, x]", expression:source())
    small = hcl.assert(hcl.parse("a = [1, 2, 3]", { limits = { memory = 40 } }))
    assert.equal("limit.memory", support.code(small.attributes.a:eval()))
    assert.equal("limit.memory", support.code(small.attributes.a:value()))
  end)

  it("keeps its source alive for its parts", function()
    local a = hcl.parse("a = x.y").attributes.a
    support.collect()
    local e = a.expression
    a = nil
    collectgarbage()
    local _, err = e:eval {}
    assert.truthy(tostring(err):find("x.y", 1, true))
    assert.is_nil(a)
  end)
end)
