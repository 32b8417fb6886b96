-- Types and type constraints.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

describe("hcl.type", function()
  it("reads under limits", function()
    assert.equal("limit.source", support.code(hcl.type("list(string)", { limits = { source = 11 } })))
    assert.equal("limit.depth", support.code(hcl.type("list(list(list(string)))", { limits = { depth = 2 } })))
    assert.equal("list(string)", tostring(hcl.type("list(string)", { limits = { source = 12, depth = 2 } })))
  end)

  it("gives a Type as it is", function()
    local t = hcl.type "list(string)"
    assert.equal(t, hcl.type(t))
    assert.equal(t, hcl.type(t, { limits = { depth = 1 } }))
    assert.has_error(function() hcl.type(t, { limit = {} }) end)
    assert.has_error(function() hcl.type(hcl.value(1)) end, "bad argument #1 to 'type' (string expected, got userdata)")
  end)

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

  -- The Types of words are cached; those of other texts are made again.
  it("by a word gives the same as another text of that type", function()
    for word, other in pairs { any = " any", string = " string", number = " number", bool = " bool" } do
      for _ = 1, 3 do
        assert.equal(tostring(hcl.type(other)), tostring(hcl.unknown(word):type()), word)
        assert.is_true(hcl.unknown(word) == hcl.unknown(other), word)
        assert.equal(tostring(hcl.value("1", other)), tostring(hcl.value("1", word)), word)
        collectgarbage()
      end
    end
    for _ = 1, 2 do assert.equal("type.constraint", support.code(hcl.unknown "strin")) end
    assert.is_nil((hcl.unknown "dynamic"))
  end)

  it("survives the value that it belongs to", function()
    local types, wanted = {}, {}
    for i = 1, 200 do
      local value = hcl.value { ["name_" .. i] = { i, "x", { deep = true } } }
      types[i], wanted[i] = value:type(), ("object({ name_%d = tuple([number, string, object({ deep = bool })]) })"):format(i)
      value:close()
    end
    collectgarbage()
    for i = 1, 200 do hcl.value { ["other_" .. i] = { { "x" } } } end
    for i = 1, 200 do assert.equal(wanted[i], tostring(types[i])) end
  end)

  it("writes constraint syntax that reads back", function()
    for _, source in ipairs { "string", "list(map(number))", "tuple([bool,any])", "object({a=string,b=optional(number)})" } do
      local t = hcl.assert(hcl.type(source))
      assert.is_true(t == hcl.type(tostring(t)))
    end
    -- Each has only one form.
    assert.equal("tuple([bool, any])", tostring(hcl.type "tuple([bool,any])"))
    assert.equal("object({ a = string, b = optional(number) })", tostring(hcl.type "object({a=string,b=optional(number)})"))
    assert.equal("map(set(list(string)))", tostring(hcl.type "map(set(list(string)))"))
  end)

  it("compares", function()
    assert.is_true(hcl.type "list(string)" == hcl.type "list(string)")
    assert.is_false(hcl.type "list(string)" == hcl.type "set(string)")
    assert.is_true(hcl.value { 1 }:type() == hcl.type "tuple([number])")
  end)

  it("reports errors with their places", function()
    local t, err = hcl.type "list(strin)"
    assert.is_nil(t)
    assert.equal(5, err[1].range.start.byte)
    assert.equal("string", type(tostring(err)))
    t, err = hcl.type "list("
    assert.is_nil(t)
    assert.truthy(err[1])
  end)
end)

describe("a default", function()
  it("that fails is reported at its place", function()
    for default, want in pairs { ['1 + "x"'] = "operator.operand 35", ["[][0]"] = "reference.index 33" } do
      local t, err = hcl.type(("object({ a = optional(number, %s) })"):format(default))
      assert.is_nil(t)
      assert.equal(want, err[1].code .. " " .. err[1].range.start.column, default)
    end
  end)
end)

describe("t:convert", function()
  it("applies defaults", function()
    local t = hcl.assert(hcl.type "object({ a = string, b = optional(number, 3), c = optional(string) })")
    local v = hcl.assert(t:convert { a = 1 })
    assert.same({ a = "1", b = 3, c = hcl.null }, v:lua())
  end)

  it("accepts Values", function()
    assert.equal("5", hcl.type "string":convert(hcl.value(5)):text())
    assert.same({ "sensitive" }, hcl.type "string":convert(hcl.sensitive(5)):marks())
  end)

  it("returns nil and a reason without a place", function()
    local v, err = hcl.type "list(number)":convert { "a" }
    assert.is_nil(v)
    assert.equal("value.convert", err[1].code)
    assert.is_nil(err[1].range)
  end)

  it("gives the reason in a sentence, and decode specifications within theirs", function()
    local why = ' number is required, not "x".'
    assert.equal("A" .. why, select(2, hcl.value("x", "number"))[1].detail)
    assert.equal('Attribute "a": element 1: a' .. why, select(2, hcl.value({ a = { 1, "x" } }, "object({ a = list(number) })"))[1].detail)
    local spec = hcl.assert(hcl.spec 'attr {\n  name = "a"\n  type = number\n}')
    assert.truthy(select(2, spec:decode(hcl.parse 'a = "x"'))[1].detail:find("type: a" .. why, 1, true))
  end)

  -- The message gives the place of the part that doesn't fit, and then the same text as for that part alone.
  it("gives the same reason for a part within others as for the part alone, after its place", function()
    local function said(data, type)
      local v, err = hcl.eval("convert(x, " .. type .. ")", { x = data })
      assert.is_nil(v, type)
      return assert(err[1].detail:match "^convert%(%): argument 1, value: It can't be converted to [^:]+: (.*)%.$", err[1].detail)
    end
    local around = {
      { 'attribute "w": ', "object({ a = string, w = %s, z = optional(number) })", function(x) return { a = "", w = x, y = 1 } end },
      { "element 1: ", "tuple([string, %s])", function(x) return { "", x } end },
      { "element 1: ", "list(%s)", function(x, fits) return { fits, x } end },
      { "element 1: ", "set(%s)", function(x, fits) return { fits, x } end },
      { 'element "k": ', "map(%s)", function(x, fits) return { a = fits, k = x } end },
    }
    local parts = {
      { { 1 }, "number", 1 }, { { a = 1 }, "bool", true }, { { 1, 2 }, "string", "" }, { {}, "tuple([string])", { "" } },
      { { 1, 2, 3 }, "tuple([string])", { "" } }, { { b = 1 }, "object({ a = any })", { a = 1 } }, { "", "list(string)", { "" } },
      { {}, "object({ a = any, b = string })", { a = 1, b = "" } },
    }
    for _, part in ipairs(parts) do
      local x, type, fits = part[1], part[2], part[3]
      local alone = said(x, type)
      for _, outer in ipairs(around) do
        local data, whole = outer[3](x, fits), outer[2]:format(type)
        assert.equal(outer[1] .. alone, said(data, whole))
        for _, outermost in ipairs(around) do
          assert.equal(outermost[1] .. outer[1] .. alone, said(outermost[3](data, outer[3](fits, fits)), outermost[2]:format(whole)))
        end
      end
    end
  end)

  it("names the part in which the two results of a conditional differ, however deep it lies", function()
    local draw = support.random(11)
    for _ = 1, 200 do
      local one, two, place = "1", "[]", ""
      for _ = 1, draw(4) do
        -- A list is the common type of a list and a tuple.
        local at = draw(2)
        if draw(2) == 1 then
          one, two = ("[[1], true, %s]"):format(one), ("[tolist([1]), true, %s]"):format(two)
          place = "element 2: " .. place
        else
          one, two = ("{ b = [1], k%d = %s }"):format(at, one), ("{ b = tolist([1]), k%d = %s }"):format(at, two)
          place = ('attribute "k%d": '):format(at) .. place
        end
      end
      local _, err = hcl.eval(("true ? %s : %s"):format(one, two))
      assert.truthy(err[1].detail:find(": " .. place .. "a number is required, not a tuple.", 1, true), one .. " " .. err[1].detail)
    end
  end)

  it("names the mismatched part, all missing attributes, and no secret", function()
    local function detail(type, data)
      local v, err = hcl.type(type):convert(data)
      assert.is_nil(v)
      return err[1].detail
    end
    for source, case in pairs {
      ["object({ port = list(number) })"] = { { port = { 1, "x" } }, '"port"', "element 1", '"x"' },
      ["map(list(bool))"] = { { flags = { "maybe" } }, '"flags"', "element 0", '"maybe"' },
      ["object({ host = string, port = number, user = optional(string) })"] = { { user = "u" }, '"host"', '"port"' },
      ["tuple([string, number])"] = { { "a", "b" }, "Element 1: ", '"b"' },
    } do
      local text = detail(source, case[1])
      for i = 2, #case do assert.truthy(text:find(case[i], 1, true), source .. ": " .. text) end
    end
    assert.is_nil(detail("object({ host = string, user = optional(string) })", {}):find('"user"', 1, true))
    assert.is_nil(detail("list(number)", { hcl.sensitive "hunter2" }):find("hunter2", 1, true))
  end)
end)
