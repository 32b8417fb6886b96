-- The names around a place of a file: m:value(source, { path =, byte = }).
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local files = {
  ["main.tf"] = [[
resource "terraform_data" "keyed" {
  for_each = { b = 20, a = 10 }
  input    = [for i, item in range(3, 5) : "${i}-${item}-${each.key}" if item > 0]
  lifecycle {
    postcondition {
      condition     = self.input != []
      error_message = "Empty."
    }
  }
}

resource "aws_x" "counted" {
  count = 2
  name  = "n${count.index}"
  dynamic "rule" {
    for_each = { p = [1, 2], q = [3] }
    iterator = turn
    content {
      key = turn.key
      dynamic "deep" {
        for_each = turn.value
        content {
          text = "%{ for z in [deep.value] }<${z}>%{ endfor }"
        }
      }
    }
  }
}

resource "terraform_data" "none" {
  count = 0
  input = "none ${count.index}"
}

locals {
  nested = { for k, v in { n = { inner = 7 } } : k => { for a, b in v : upper(a) => b } }
  secret = [for s in sensitive(["x"]) : "secret ${s}"]
  empty  = [for e in [] : "empty ${e}"]
  broken = [for b in split(var.odd, 1, 2) : "broken ${b}"]
  lines  = [
    for l in
    ["first"] # the only one
    : "line ${l}"
  ]
}

variable "odd" { default = "," }

check "it" {
  data "aws_y" "read" { name = "within" }
  assert {
    condition     = data.aws_y.read.name == "asserted"
    error_message = "No."
  }
}

module "called" {
  source   = "./called"
  for_each = toset(["two", "one"])
  word     = each.value
}

module "absent" {
  source = "./absent"
  count  = 0
}
]],
  ["over_override.tf"] = [[
resource "aws_x" "counted" {
  name = "over ${count.index}"
}
]],
  ["data.tf.json"] = '{ "locals": { "j": "${[for n in [5, 6] : n + 1]}" } }',
  ["called/main.tf"] = 'variable "word" {}\nlocals { parts = [for c in split("", var.word) : "part ${c}"] }\n',
  ["absent/main.tf"] = 'locals { given = [for c in ["a"] : "given ${c}"] }\n',
}

describe("the names around a place", function()
  local dir, m

  setup(function()
    dir = support.temporary_folder()
    assert(support.runs(("mkdir '%s/called' '%s/absent'"):format(dir, dir)))
    for path, text in pairs(files) do support.write(dir .. "/" .. path, text) end
    -- One function call is wrong, so the module as a whole is invalid; parts that can be read still answer.
    m = hcl.assert(hcl.module(dir))
  end)

  local function place(path, text)
    local at = assert(files[path]:find(text, 1, true), "no " .. text)
    return { path = dir .. "/" .. path, byte = at - 1 }
  end

  local function answers(expected, source, text, path)
    local value, err = m:value(source, place(path or "main.tf", text))
    assert.are.equal(expected, value ~= nil and tostring(value) or err[1].code)
  end

  it("are those of for, with its first element", function()
    answers("0", "i", '"${i}-')
    answers("3", "item", "item > 0")
    answers("module.reference", "item", "range(3")
    answers('[\n  "n",\n  "inner",\n  7,\n]', "[k, a, b]", "upper(a)")
    answers('"n"', "k", "v : upper")
    answers("module.reference", "a", "v : upper")
    answers('"<1>"', '"<${z}>"', "<${z}>")
    answers('"line first"', '"line ${l}"', "line ${")
    answers("6", "n + 1", "n + 1", "data.tf.json")
  end)

  it("are those of a resource, with its first instance", function()
    answers('"a"', "each.key", "each.key}")
    answers("10", "each.value", "each.key}")
    answers('"0-3-a"', "self.input[0]", "self.input")
    answers("module.context", "count.index", "each.key}")
    answers("0", "count.index", "count.index}")
    answers("0", "count.index", "count.index", "over_override.tf")
    answers('"over 0"', "self.name", "n${count")
  end)

  it("are those of dynamic blocks", function()
    answers('"p"', "turn.key", "turn.key")
    answers("module.undeclared", "turn.key", "{ p = [1")
    answers("1", "turn.value[0]", "turn.value")
    answers("[\n  1,\n  \"p\",\n]", "[deep.value, turn.key]", "deep.value")
    answers("module.undeclared", "deep.value", "turn.value")
  end)

  it("are those of a call, and of the module that the file belongs to", function()
    answers('"one"', "each.value", "each.value\n}")
    answers('"one"', "var.word", "parts", "called/main.tf")
    answers('"o"', "c", "part ${c}", "called/main.tf")
    answers('"a"', "c", "given ${c}", "absent/main.tf")
  end)

  it("are those of a check", function()
    answers("(known after apply)", "data.aws_y.read.other", "data.aws_y.read.name")
    answers("module.reference", "data.aws_y.read.name", "nested")
  end)

  it("have no known value without an element or instance", function()
    answers("(known after apply)", "e", "empty ${e}")
    answers("(known after apply)", "b", "broken ${b}")
    answers("(known after apply)", "count.index", "none ${")
    answers("(known after apply)", "self.other", "n${count")
  end)

  it("keep secrets", function()
    answers("(sensitive value)", "s", "secret ${s}")
  end)

  it("are those of the module if nothing is known about the place", function()
    local main = dir .. "/main.tf"
    for _, where in ipairs { { path = main, byte = 1e6 }, { path = "nowhere.tf", byte = 3 }, { path = main }, {} } do
      assert.are.equal('","', tostring(hcl.assert(m:value("var.odd", where))))
    end
  end)

  it("are those of the given instance", function()
    local where = place("called/main.tf", "part ${c}")
    where.module = 'module.called["two"]'
    assert.are.equal("t", m:eval("c", where))
  end)

  -- An editor asks at each value that it shows.
  it("aren't searched in all declarations each time", function()
    local lines = {}
    for i = 1, 50 do lines[i] = ("  a%d = tonumber(\"x%d\")"):format(i, i) end
    local wide = support.folder("locals {\n" .. table.concat(lines, "\n") .. "\n}\n")
    local module, all = hcl.assert(hcl.module(wide)), 0
    module:plan()
    local folders, Graph = require "hclexpr.terraform.read.folder", require "hclexpr.terraform.graph.graph"
    local declarations, nodes = folders.declarations, Graph.all
    folders.declarations = function(...)
      all = all + 1
      return declarations(...)
    end
    Graph.all = function(...)
      all = all + 1
      return nodes(...)
    end
    local wrong = 0
    for i = 1, 50 do
      local value, err = module:value("local.a" .. i, { filename = wide .. "/main.tf", byte = 10 + 20 * i })
      if value == nil and err[1].range.start.line == i + 1 then wrong = wrong + 1 end
    end
    folders.declarations, Graph.all = declarations, nodes
    assert.equal(50, wrong)
    assert.is_true(all < 5, all)
  end)

  it("require a valid place", function()
    assert.error(function() m:value("1", { path = 1 }) end)
    assert.error(function() m:value("1", { pth = "x" }) end)
    assert.error(function() m:value() end)
  end)
end)
