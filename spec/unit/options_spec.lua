-- Rows of options: how they are read, and what arguments make of them.
local options = require "hclexpr.cli.options"
local shell = require "hclexpr.cli.shell"

local command = {
  options = {
    { "-s, --spec-file FILE", "text" },
    { { "-format=FORMAT", "text", field = "how" }, "between", { { "--diags json", "text" } } },
    { "-json", "text" }, { "-json=full", "text" }, { "-list=false", "text" },
    { "-var NAME=N", "text", into = "values", act = table.insert }, { "-clock", into = "scope" },
  },
}

local function given(...)
  local read, rest = shell.arguments({ ... }, command)
  return read, rest
end

describe("a row of options", function()
  it("says names, the name of the value, and words of a flag", function()
    local parts, named = options.of(command)
    assert.equal("between", parts[3])
    assert.equal(named.s, named["spec-file"])
    assert.same({ s = "-s", ["spec-file"] = "--spec-file" }, named.s.spelled)
    for name, value in pairs { s = "FILE", format = "FORMAT", diags = "json", var = "NAME=N" } do
      assert.equal(value, named[name].value)
    end
    for _, flag in ipairs { "json", "list", "clock" } do assert.is_nil(named[flag].value) end
    assert.is_nil(named.clock.text)
  end)

  it("says where a value goes", function()
    assert.same({ values = {}, scope = {} }, (given()))
    assert.same({ values = {}, scope = {}, spec_file = "b", how = "x=y", diags = "json" },
      (given("-s", "a", "--spec-file=b", "-format", "x=y", "-diags", "json")))
    assert.same({ values = { "a=1", "b=2" }, scope = { clock = false } }, (given("-var", "a=1", "--clock=false", "-var=b=2")))
    assert.same({ values = {}, scope = {}, json = "full", list = false }, (given("-json=full", "-list=false")))
    assert.same({ values = {}, scope = {}, json = true, list = true }, (given("-json", "-list=true")))
    assert.same({ "a", "-", "-json" }, select(2, given("a", "-", "--", "-json")))
  end)

  it("refuses what it doesn't say", function()
    for _, args in ipairs { { "-jsn" }, { "-json=no" }, { "-list=full" }, { "-s" } } do
      local ok, raised = pcall(given, (table.unpack or unpack)(args)) -- luacheck: ignore unpack
      assert.is_false(ok)
      assert.equal(shell.BAD_USAGE, raised.status)
    end
  end)
end)

describe("the options of a command", function()
  local fields = { [1] = true, [2] = true, into = true, field = true, act = true }

  local function check(list)
    for _, row in ipairs(list) do
      if type(row) == "table" and type(row[1]) == "string" and row[1]:find "^%-" then
        for field in pairs(row) do assert.truthy(fields[field], row[1]) end
      elseif type(row) == "table" then
        check(row)
      end
    end
  end

  for _, name in ipairs(require("hclexpr.cli").names) do
    it(name .. " are rows", function()
      local of_command = require("hclexpr.cli." .. name)
      check(of_command.options or {})
      local parts, named = options.of(of_command)
      for _, option in ipairs(parts) do
        for written in pairs(option.spelled or {}) do
          local first = named[written]
          assert.same({ first.value == nil, first.field, first.into, first.act },
            { option.value == nil, option.field, option.into, option.act }, written)
        end
      end
    end)
  end
end)
