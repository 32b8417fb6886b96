-- Rows of options: how they are read, and how they parse arguments.
local options = require "hclexpr.cli.options"
local shell = require "hclexpr.cli.shell"
local support = require "support"

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
  it("has names, the name of the value, and words of a flag", function()
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

  it("says where to store a value", function()
    assert.same({ values = {}, scope = {} }, (given()))
    assert.same({ values = {}, scope = {}, spec_file = "b", how = "x=y", diags = "json" },
      (given("-s", "a", "--spec-file=b", "-format", "x=y", "-diags", "json")))
    assert.same({ values = { "a=1", "b=2" }, scope = { clock = false } }, (given("-var", "a=1", "--clock=false", "-var=b=2")))
    assert.same({ values = {}, scope = {}, json = "full", list = false }, (given("-json=full", "-list=false")))
    assert.same({ values = {}, scope = {}, json = true, list = true }, (given("-json", "-list=true")))
    assert.same({ "a", "-", "-json" }, select(2, given("a", "-", "--", "-json")))
  end)

  it("rejects values that it doesn't allow", function()
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

-- Options missing in doc/command.md and the usage of each command, and the words of errors. All of it comes before any file is read.
local refused = {
  { "eval", words = { "expression", "0 arguments" } }, { "eval", "1", "2", words = { "2 arguments" } },
  { "render", words = { "0 arguments" } }, { "render", "a", "b", words = { "2 arguments" } }, { "edit", words = { "0 arguments" } },
  { "edit", "a", words = { "nothing is to be" } }, { "edit", "a", "b", "--set", "x=1", words = { "2 arguments" } },
  { "edit", "a", "--set", "x", words = { "PATH=VALUE", "x" } }, { "edit", "a", "--rename", "x", words = { "PATH=NAME", "x" } },
  { "edit", "-write", "-", "--set", "x=1", words = { "-write" } }, { "edit", "-write", "--get", "x", "a", words = { "-write" } },
  { "json", words = { "0 arguments" } }, { "json", "a", "b", words = { "2 arg" } }, { "decode", "a", words = { "--spec" } },
  { "decode", "--spec=-", "-", words = { "standard input" } }, { "refs", words = { "0 arguments" } },
  { "refs", "a", "b", words = { "2 arguments" } }, { "check", words = { "files" } }, { "functions", "a", "b", words = { "one name" } },
  { "functions", "a", "b", "c", words = { "one name" } }, { "validate", "a", "b", words = { "2 arguments" } },
  { "plan", "a", "b", "c", words = { "3 arguments" } }, { "plan", "-source", "a", words = { "NAME=DIR", "a" } },
  { "outputs", "a", "b", "c", words = { "3 arguments" } }, { "outputs", "-raw", words = { "-name says which" } },
  { "outputs", "-reveal", "a", "b", words = { "-reveal" } }, { "graph", "a", "b", words = { "2 arguments" } },
  { "graph", "-format=pdf", words = { "pdf", "dot, mermaid or svg" } }, { "test", "a", "b", words = { "2 arguments" } },
  { "console", "a", "b", words = { "2 arguments" } }, { "schemas", "a", "b", words = { "2 arguments" } },
  { "fmt", "-check", "-write", words = { "-check" } }, { "fmt", "-write", "-", words = { "-write" } },
  { "fmt", "-style=mine", words = { "mine", "terraform or layout" } }, { "publish", words = { "URL" } },
  { "publish", "a", words = { "URL" } }, { "publish", "a", "b", "c", words = { "URL" } },
  { "publish", "--timeout", "0", "a", "b", words = { "seconds", "0" } },
  { "publish", "--timeout", "1e6", "a", "b", words = { "seconds" } },
  { "publish", "--timeout", "x", "a", "b", words = { "seconds", "x" } }, { "rollback", words = { "URL" } },
  { "rollback", "a", "1", "2", words = { "URL" } }, { "rollback", "a", "x", words = { "number", "x" } },
  { "fleet", words = { "0 arguments" } }, { "fleet", "a", "b", words = { "2 arguments" } }, { "lsp", "a", words = { "no arguments" } },
  { "rollback", "http://a/0/b", words = { "redis://" } }, { "fleet", "redis://a", words = { "redis://" } },
}

describe("a command line", function()
  it("is rejected before anything is done", function()
    local main = require("hclexpr.cli").main
    for _, row in ipairs(refused) do
      local line = table.concat(row, " ")
      local status, out, err = support.with_streams("", main, row)
      assert.equal(shell.BAD_USAGE, status, line)
      assert.equal("", out, line)
      for _, word in ipairs(row.words) do assert.truthy(err:find(word, 1, true), line .. ": " .. err) end
      assert.truthy(err:find("See: hclexpr " .. row[1] .. " --help", 1, true), line)
    end
  end)
end)
