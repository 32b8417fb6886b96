-- Types and type constraints.
local hcl = require "hclexpr"

describe("hcl.type", function()
  it("reads constraints", function()
    assert.equal('["list","string"]', hcl.type "list(string)":json())
    assert.equal('"dynamic"', hcl.type "any":json())
    assert.equal("dynamic", hcl.type "any":kind())
    assert.equal('["map",["set","bool"]]', hcl.type "map(set(bool))":json())
    assert.equal('["tuple",["string","number"]]', hcl.type "tuple([string, number])":json())
    local t = hcl.type "object({ a = string, b = optional(number, 3) })"
    assert.equal('["object",{"a":"string","b":"number"},["b"]]', t:json())
    assert.equal("object", t:kind())
  end)

  it("writes constraint syntax that reads back", function()
    for _, source in ipairs { "string", "list(map(number))", "tuple([bool,any])", "object({a=string,b=optional(number)})" } do
      local t = hcl.assert(hcl.type(source))
      assert.is_true(t == hcl.type(tostring(t)))
    end
  end)

  it("compares", function()
    assert.is_true(hcl.type "list(string)" == hcl.type "list(string)")
    assert.is_false(hcl.type "list(string)" == hcl.type "set(string)")
    assert.is_true(hcl.value { 1 }:type() == hcl.type "tuple([number])")
  end)

  it("says what is wrong and where", function()
    local t, err = hcl.type "list(strin)"
    assert.is_nil(t)
    assert.equal(5, err[1].range.start.byte)
    assert.equal("string", type(tostring(err)))
    t, err = hcl.type "list("
    assert.is_nil(t)
    assert.truthy(err[1])
  end)
end)

describe("t:convert", function()
  it("applies defaults", function()
    local t = hcl.assert(hcl.type "object({ a = string, b = optional(number, 3), c = optional(string) })")
    local v = hcl.assert(t:convert { a = 1 })
    assert.same({ a = "1", b = 3, c = hcl.null }, v:lua())
  end)

  it("takes Values", function()
    assert.equal("5", hcl.type "string":convert(hcl.value(5)):text())
    assert.same({ "sensitive" }, hcl.type "string":convert(hcl.sensitive(5)):marks())
  end)

  it("gives nil and why without a place", function()
    local v, err = hcl.type "list(number)":convert { "a" }
    assert.is_nil(v)
    assert.equal("value.convert", err[1].code)
    assert.is_nil(err[1].range)
  end)
end)
