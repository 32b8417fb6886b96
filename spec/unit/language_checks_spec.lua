-- Mistakes in files of a described language that no evaluation reaches, and configurations opened without their program.
dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local configuration = require "hclexpr.languages.configuration"
local description = require "hclexpr.languages.description"
local hcl = require "hclexpr"
local language = require "hclexpr.language"

local garden = language {
  name = "garden", types = { zone = "string", beds = "map(number)" },
  functions = {
    rain = { params = { { name = "where", type = "string" } }, returns = "number" },
    now = { params = {}, returns = "string" },
  },
  blocks = {
    locals = language.locals(), variable = language.variables(),
    valve = { labels = { "name" }, address = "valve.{name}", for_each = true, attributes = {
      pin = { type = "number", default = 1 }, open = "any",
      when = { type = "expression", returns = "bool", types = { hour = "number", days = "list(string)" } },
    }, blocks = { hose = { attributes = { length = "any", when = { type = "expression", types = { hour = "number" } } } } } },
  },
}

local function source(text) return { { path = "a.hcl", text = text, syntax = "native" } } end

local function check(text, options) return configuration.check(description.of(garden), source(text), options) end

local given = { names = { zone = "z", beds = {} }, functions = { rain = function() return 1 end, now = function() return "" end } }

-- The code of the one mistake in a text, found without the program, when it is opened, and when it is loaded; nil: it is sound.
local function fault(text)
  local conf = garden:open(source(text), given)
  local opened, loaded = select(2, conf:validate()), select(2, garden:load(source(text), given))
  local found = {}
  for i, err in pairs { select(2, check(text):validate()) or false, opened or false, loaded or false } do
    assert.equal(err and 1, err and #err, tostring(err))
    found[i] = err and err[1].code
  end
  assert.equal(found[1], found[2])
  assert.equal(found[1], found[3])
  return found[1] or nil
end

-- Places that an evaluation may leave out: %s is a call that gives a number.
local POSITIONS = {
  "true || %s > 1", "false && %s > 1", "false ? %s : 2", "true ? 2 : %s", "[for n in [] : %s]", "[for n in [] : n if %s > 1]",
  "{ for n in [] : %s => n }", "{ for n in [] : n => %s }", '"%%{ if false }${%s}%%{ endif }"', '"%%{ for n in [] }${%s}%%{ endfor }"',
  "true || !(%s > 1)", "true || [%s] == []", "true || { a = %s } == {}", "false && [1, 2][%s] == 1", "true || max(%s, 1) > 1",
  "true || -%s > 1", "true || [{ x = 1 }][*].x == %s", "try(1, %s)", "can(false && %s > 1)", "true || max([%s]...) > 1",
}

local CALLS = { ['rian("bed")'] = "call.unknown", ["rain()"] = "call.count", ['rain("a", "b")'] = "call.count", ["now(1)"] = "call.count",
                ["abs()"] = "call.count", ['rain("bed")'] = false }

describe("calls that nothing reaches", function()
  it("are checked in values", function()
    for _, position in ipairs(POSITIONS) do
      for call, code in pairs(CALLS) do
        local expression = position:format(call)
        assert.equal(code or nil, fault("locals {\n  x = " .. expression .. "\n}\n"), expression)
      end
    end
  end)

  it("are checked in expressions that blocks keep", function()
    for _, position in ipairs(POSITIONS) do
      for call, code in pairs(CALLS) do
        local expression = position:format(call)
        assert.equal(code or nil, fault('valve "a" {\n  hose {\n    when = ' .. expression .. "\n  }\n}\n"), expression)
      end
    end
  end)

  it("are checked wherever an expression is", function()
    for _, text in ipairs {
      'valve "a" {\n  pin = true ? 1 : rian(1)\n}\n', 'valve "a" {\n  for_each = true ? {} : rian(1)\n}\n',
      'valve "a" {\n  for_each = {}\n  open = rian(each.key)\n}\n', 'valve "a" {\n  for_each = beds\n  open = rian(each.key)\n}\n',
      'valve "a" {\n  for_each = {}\n  when = hour > rian(self.pin)\n}\n', 'valve "a" {\n  for_each = beds\n  when = hour > rian(1)\n}\n',
      'valve "a" {\n  hose {\n    length = false && rian(parent.pin)\n  }\n}\n',
      'valve "a" {\n  dynamic "hose" {\n    for_each = []\n    content {\n      length = rian(hose.value)\n    }\n  }\n}\n',
      'variable "v" {\n  default = true ? 1 : rian(2)\n}\n',
      'variable "v" {\n  default = 1\n  validation {\n    condition = true || rian(var.v)\n    error_message = "no"\n  }\n}\n',
    } do
      assert.equal("call.unknown", fault(text), text)
    end
  end)

  it("are checked for a single question, and nothing is called", function()
    local function never() error "called" end
    local conf = garden:open(source 'locals {\n  x = 2\n  y = rain("a") < 2 && rian("a")\n  z = local.y\n}\n',
      { names = given.names, functions = { rain = never, now = never } })
    assert.equal(2, conf:eval "local.x")
    for _, question in ipairs { "local.y", "local.z", "true || rian(1)" } do
      local value, err = conf:eval(question)
      assert.is_nil(value)
      assert.equal("call.unknown", err[1].code)
    end
  end)
end)

describe("names that nothing declares", function()
  it("are compared with those declared a hundred times at most", function()
    local core, compared, text = require "hclexpr.core", 0, {}
    for i = 1, 300 do text[i] = ('valve "v%d" {\n  open = valve.w%d.pin\n}\n'):format(i, i) end
    local suggest = core.suggest
    core.suggest = function(...)
      compared = compared + 1
      return suggest(...)
    end
    local _, err = garden:load(source(table.concat(text)), given)
    core.suggest = suggest
    assert.equal(100, #err)
    assert.matches('Did you mean "valve.v', err[1].detail, 1, true)
    assert.equal(100, compared)
  end)
end)

describe("an expression that a block keeps", function()
  local function when(expression, more)
    return fault((more or "") .. 'valve "a" {\n  when = ' .. expression .. "\n}\n")
  end

  it("is checked by the types of its names", function()
    for expression, code in pairs {
      ["hour + 8 && true"] = "operator.operand", ["true || hour + 8"] = "operator.operand", ["!hour"] = "operator.operand",
      ["hour < 8 ? true : hour && true"] = "operator.operand", ["hour"] = "check.returns",
      ['"%{ if hour }a%{ endif }" == ""'] = "condition.type",
      ["[for d in days : d.x] == []"] = "reference.attribute", ["hour < 8 && hour.x"] = "reference.attribute",
      ["false && zone[0]"] = "reference.index", ["self.pin && true"] = "operator.operand", ["valve.a.pin && true"] = "operator.operand",
    } do
      assert.equal(code, when(expression), expression)
    end
  end)

  it("may guard what other data would lack", function()
    for _, expression in ipairs {
      "local.t != null && local.t.port == 1", "length(local.l) > 0 && local.l[0] == 1", "try(local.o.b, true)", "can(local.o.b)",
      "hour < 8 && rain(zone) < 3", "contains(days, zone) || self.pin > hour", "null",
    } do
      assert.is_nil(when(expression, "locals {\n  t = null\n  l = []\n  o = { a = 1 }\n}\n"), expression)
    end
  end)

  it("is checked once it is asked for", function()
    local conf = garden:open(source 'valve "a" {\n  when = hour && true\n}\nvalve "b" {}\n', given)
    assert.equal(1, conf:get "valve.b".pin)
    assert.equal(1, conf:eval "valve.a.pin")
    local block, err = conf:get "valve.a"
    assert.is_nil(block)
    assert.equal("operator.operand", err[1].code)
  end)
end)

describe("configuration.check", function()
  it("opens files without the program, whose names and functions are unknown", function()
    local conf = check 'locals {\n  z = zone\n  n = rain(zone)\n  u = upper(now())\n  known = length("abc")\n}\n'
    assert.is_true(conf:validate())
    for address, type in pairs { z = "string", n = "number", u = "string" } do
      local value = hcl.assert(conf:value("local." .. address))
      assert.is_false(value:is_known())
      assert.equal(type, tostring(value:type()))
    end
    assert.equal(3, conf:eval "local.known")
  end)

  it("checks what depends on these", function()
    local _, err = check('locals {\n  x = zone + [1]\n}\nvalve "a" {\n  pin = now()\n  open = rain([1])\n}\n'):validate()
    local codes = {}
    for i, d in ipairs(err) do codes[i] = d.code end
    table.sort(codes)
    assert.same({ "call.argument", "operator.operand" }, codes) -- a string may be a number's text
  end)

  it("gives no unknown value to its caller", function()
    local values = check('valve "a" {\n  pin = rain("x")\n  open = 2\n}\nvalve "b" {\n  for_each = beds\n}\n'):values()
    assert.same({ { name = "a", open = 2 } }, { { name = values.valve[1].name, open = values.valve[1].open, pin = values.valve[1].pin } })
    assert.equal(1, #values.valve)
  end)

  it("leaves unknown what unknown instances hold", function()
    local conf = check 'valve "a" {\n  for_each = beds\n  pin      = each.value\n}\nlocals {\n  x = valve.a["k"].pin\n}\n'
    assert.is_true(conf:validate())
    assert.is_false(conf:value("local.x"):is_known())
    assert.equal("module.undeclared", fault('valve "a" {\n  for_each = beds\n}\nlocals {\n  x = valve.b.pin\n}\n'))
  end)

  it("leaves the values of blocks inside unknown instances alone", function()
    local inside = 'locals {\n  x = 1\n}\nvalve "a" {\n  for_each = beds\n  hose {\n    length = %s\n  }\n}\n'
    for _, length in ipairs { "local.x + 1", "each.value" } do assert.is_true(check(inside:format(length)):validate()) end
    local _, err = check(inside:format "nobody"):validate()
    assert.equal("reference.unknown", err[1].code)
  end)

  it("takes defaults of variables, and needs no values", function()
    local text = 'variable "a" {\n  type = number\n}\nvariable "b" {\n  default = 2\n}\n'
    local conf = check(text .. 'variable "c" {\n  default = [1]\n  type    = string\n}\n')
    local value = conf:value "var.a"
    assert.is_false(value:is_known())
    assert.equal("number", tostring(value:type()))
    assert.equal(2, conf:eval "var.b")
    local _, err = conf:validate()
    assert.equal("module.input", err[1].code)
    assert.equal(7, check(text, { variables = { a = 7 } }):eval "var.a")
  end)

  it("obeys limits", function()
    local _, err = check("locals {\n  x = [for n in range(1000) : n]\n}\n", { limits = { steps = 500 } }):validate()
    assert.equal("limit.steps", err[1].code)
  end)
end)
