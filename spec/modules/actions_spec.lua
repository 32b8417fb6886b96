-- Actions in a folder: what they need, what a change has evaluated anew, and what an editor knows. What is wrong with them is recorded as the
-- recorded folders say (providers/actions).
local hcl = require "hclexpr"
local service = require "hclexpr.service"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local source = [==[
variable "topic" { default = "t" }
action "cloud_notify" "n" {
  for_each = toset(["a", "b"])
  config { topic = "${var.topic}-${each.key}-${caller.input}-${terraform_data.y.input}" }
}
resource "terraform_data" "x" {
  input = 7
  lifecycle {
    action_trigger {
      events    = [after_create]
      condition = local.on
      actions   = [action.cloud_notify.n["a"]]
    }
  }
}
resource "terraform_data" "y" { input = 1 }
locals { on = true }
]==]

local function codes(err)
  local list = {}
  for i, d in ipairs(err or {}) do list[i] = d.code end
  return table.concat(list, " ")
end

describe("an action", function()
  local dir, m

  local function open(text)
    dir = support.folder { ["main.tf"] = text }
    m = hcl.assert(hcl.module(dir))
  end

  after_each(function() support.remove(dir) end)

  it("is a node of the graph", function()
    open(source)
    assert.same({ "terraform_data.y", "var.topic" }, m:dependencies "action.cloud_notify.n")
    assert.same({ "action.cloud_notify.n", "local.on" }, m:dependencies "terraform_data.x")
    assert.same({ "terraform_data.x" }, m:dependents "action.cloud_notify.n")
    local edges = {}
    for _, edge in ipairs(m:graph({ kinds = { "resource", "action" } }).edges) do edges[#edges + 1] = edge.from .. ">" .. edge.to end
    table.sort(edges)
    assert.same({ "action.cloud_notify.n>terraform_data.y", "terraform_data.x>action.cloud_notify.n" }, edges)
    assert.is_truthy(m:graph({ format = "dot" }):find('"action.cloud_notify.n"', 1, true))
  end)

  it("needs nothing of what triggers it", function()
    open((source:gsub("terraform_data%.y%.input}", "terraform_data.x.input}")))
    assert.same({ "var.topic" }, m:dependencies "action.cloud_notify.n")
    local plan = hcl.assert(m:plan())
    assert.are.equal("module.caller", codes(plan.warnings))
  end)

  it("is evaluated where it is triggered, and nowhere else", function()
    open((source:gsub('default = "t"', "default = null")))
    local plan, err = m:plan()
    assert.is_nil(plan)
    assert.are.equal("template.value", codes(err))
    for _, change in ipairs { { "on = true", "on = false" }, { "after_create", "after_update" } } do
      assert.is_true(m:change(dir .. "/main.tf", (source:gsub('default = "t"', "default = null"):gsub(change[1], change[2]))))
      assert.is_truthy((m:plan()), change[2])
    end
  end)

  it("report the instance for which something is wrong", function()
    open((source:gsub("input = 7", 'count = 2\n  input = count.index == 0 ? "a" : null')))
    local _, err = m:plan()
    assert.are.equal("template.value", codes(err))
    assert.is_truthy(tostring(err):find("terraform_data.x[1]", 1, true))
  end)

  it("has its turn again after changes", function()
    open(source)
    hcl.assert(m:plan())
    for _, case in ipairs {
      { "caller.input", "caller.inputs", "module.attribute" }, { '%["a"%]%]', '["c"]]', "module.key" },
      { "%.n%[", ".m[", "module.undeclared" },
      { "local.on", "self.nope", "module.attribute" }, { "input = 1", "input = var.none", "module.undeclared" },
      { 'toset%(%["a", "b"%]%)', '{}', "module.key" }, { "after_create", "before_destroy", "module.rule" },
    } do
      m:change(dir .. "/main.tf", (source:gsub(case[1], case[2])))
      assert.are.equal(case[3], codes(select(2, m:plan())), case[2])
      m:change(dir .. "/main.tf", source)
      assert.are.equal("", codes(select(2, m:plan())))
    end
  end)

  it("has the names of an instance, and of what triggers it", function()
    open(source)
    local function value(expression)
      return tostring(hcl.assert(m:value(expression, { path = dir .. "/main.tf", byte = source:find("topic = \"", 1, true) })))
    end
    assert.are.equal('"a"', value "each.key")
    assert.are.equal("7", value "caller.input")
    assert.are.equal("7", value "self.input")
  end)

  it("is known to an editor", function()
    open(source)
    local path, workspace = dir .. "/main.tf", service.new { roots = { dir } }
    workspace:open(path, source, 1)
    while workspace:pending() do workspace:work(1) end
    local function at(text, more) return source:find(text, 1, true) - 1 + (more or 0) end
    local found = workspace:definition(path, at("cloud_notify.n[", 13))[1]
    assert.are.equal(at('n" {'), found.name_start)
    assert.is_truthy(workspace:hover(path, at("caller.input", 7)).text:find("= `7`", 1, true))
    assert.is_truthy(workspace:hover(path, at("each.key", 5)).text:find('= `"a"`', 1, true))
    local labels = {}
    for _, item in ipairs(workspace:complete(path, at("caller.input", 7))) do labels[item.label] = true end
    assert.is_true(labels.input)
  end)

  it("has the arguments of its schema in an editor", function()
    local attributes = { topic = { type = "string", optional = true, description = "Where to." } }
    local text = 'action "cloud_notify" "n" {\n  config {\n    t\n  }\n}\naction "clou" "m" {\n}\n'
    dir = support.folder { ["main.tf"] = text }
    local path, workspace = dir .. "/main.tf", service.new { roots = { dir }, schemas = { provider_schemas = {
      ["hashicorp/cloud"] = { action_schemas = { cloud_notify = { block = { attributes = attributes } } } },
    } } }
    workspace:open(path, text, 1)
    local function labels(byte)
      local found = {}
      for _, item in ipairs(workspace:complete(path, byte)) do found[#found + 1] = item.label end
      table.sort(found)
      return table.concat(found, " ")
    end
    assert.are.equal("topic", labels(text:find("t\n  }", 1, true)))
    assert.is_truthy(labels(text:find('clou"', 1, true) + 3):find("cloud_notify", 1, true))
    assert.is_truthy(workspace:hover(path, 10).text:find("provider hashicorp/cloud", 1, true))
  end)
end)
