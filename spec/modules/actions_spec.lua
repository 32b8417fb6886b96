-- Actions in a folder: their needs, what is evaluated again after a change, and what an editor knows. Errors in them are compared in the
-- recorded folders (providers/actions).
local hcl = require "hclexpr"
local plan_text = require "hclexpr.cli.plan_text"
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

  it("doesn't depend on its triggers", function()
    open((source:gsub("terraform_data%.y%.input}", "terraform_data.x.input}")))
    assert.same({ "var.topic" }, m:dependencies "action.cloud_notify.n")
    local plan = hcl.assert(m:plan())
    assert.are.equal("module.caller", codes(plan.warnings))
  end)

  it("is evaluated only when triggered", function()
    open((source:gsub('default = "t"', "default = null")))
    local plan, err = m:plan()
    assert.is_nil(plan)
    assert.are.equal("template.value", codes(err))
    for _, change in ipairs { { "on = true", "on = false" }, { "after_create", "after_update" } } do
      assert.is_true(m:change(dir .. "/main.tf", (source:gsub('default = "t"', "default = null"):gsub(change[1], change[2]))))
      assert.is_truthy((m:plan()), change[2])
    end
  end)

  it("report the failing instance", function()
    open((source:gsub("input = 7", 'count = 2\n  input = count.index == 0 ? "a" : null')))
    local _, err = m:plan()
    assert.are.equal("template.value", codes(err))
    assert.is_truthy(tostring(err):find("terraform_data.x[1]", 1, true))
  end)

  it("is evaluated again after changes", function()
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

  it("has the names of an instance, and of its trigger", function()
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

  local schemas = { provider_schemas = { ["hashicorp/cloud"] = {
    resource_schemas = { cloud_host = { block = { attributes = { id = { type = "string", computed = true },
                                                                name = { type = "string", optional = true } } } } },
    action_schemas = { cloud_notify = { block = { attributes = {
      topic = { type = "string", optional = true }, key = { type = "string", optional = true, sensitive = true },
      token = { type = "string", optional = true, write_only = true },
    }, block_types = { to = { nesting_mode = "list", block = { attributes = { who = { type = "string", optional = true } } } } } } } },
  } } }

  local function opened(text, options)
    dir = support.folder { ["main.tf"] = text }
    return hcl.assert(hcl.module(dir, options))
  end

  -- The actions that the resources of a plan invoke, a line for each.
  local function invoked(plan)
    local lines = {}
    for _, list in ipairs { plan.resources, plan.gone } do
      for _, r in ipairs(list) do
        for _, of in ipairs(r.invokes or {}) do
          local topic = of.config and of.config:get "topic"
          lines[#lines + 1] = ("%s %s %s %d.%d %s %s"):format(r.address, of.event, of.address, of.trigger, of.position, of.on_failure,
            topic and tostring(topic) or "-")
        end
      end
    end
    return table.concat(lines, "\n")
  end

  local triggers = [==[
resource "cloud_host" "h" {
  name = "new"
  lifecycle {
    action_trigger {
      events     = [after_update, before_create]
      condition  = COND
      actions    = [action.cloud_notify.plain, action.cloud_notify.n["a"]]
      on_failure = continue
    }
    action_trigger {
      events  = [before_update, before_destroy]
      actions = [action.cloud_notify.n["b"]]
    }
  }
}
action "cloud_notify" "plain" {}
action "cloud_notify" "n" {
  for_each = toset(["a", "b"])
  config {
    topic = "${each.key} ${caller.id}"
    key   = "hush-1"
    token = "hush-2"
    to { who = sensitive("hush-3") }
  }
}
]==]

  local function host(more)
    local instance = { schema_version = 0, attributes = { id = "i-1", name = "old" }, sensitive_attributes = {} }
    for key, value in pairs(more or {}) do instance[key] = value end
    return { version = 4, outputs = {}, resources = { { mode = "managed", type = "cloud_host", name = "h", instances = { instance },
             provider = 'provider["registry.terraform.io/hashicorp/cloud"]' } } }
  end

  local created = [[
cloud_host.h before_create action.cloud_notify.plain 1.1 continue -
cloud_host.h before_create action.cloud_notify.n["a"] 1.2 continue (known after apply)]]
  local updated = [[
cloud_host.h after_update action.cloud_notify.plain 1.1 continue -
cloud_host.h after_update action.cloud_notify.n["a"] 1.2 continue "a i-1"
cloud_host.h before_update action.cloud_notify.n["b"] 2.1 halt "b i-1"]]

  for _, case in ipairs {
    { "created", "true", nil, created }, { "created, and it isn't known whether to", "uuid() == \"\"", nil, created },
    { "created, and it isn't to", "false", nil, "" }, { "updated", "true", host(), updated },
    { "tainted", "true", host { status = "tainted" }, created .. "\n"
      .. 'cloud_host.h before_destroy action.cloud_notify.n["b"] 2.1 halt "b i-1"' },
    { "the same", "true", host { attributes = { id = "i-1", name = "new" } }, "" },
  } do
    it("is invoked by an object that is " .. case[1], function()
      local text = triggers:gsub("COND", (case[2]:gsub("%%", "%%%%")))
      assert.are.equal(case[4], invoked(hcl.assert(opened(text, { schemas = schemas, state = case[3] }):plan())))
    end)
  end

  it("is invoked by a deleted object, or gives a warning", function()
    local text = (triggers:gsub("COND", "true"):gsub('name = "new"', "count = 0"))
    local plan = hcl.assert(opened(text, { schemas = schemas, state = host { index_key = 0 } }):plan())
    assert.are.equal('cloud_host.h[0] before_destroy action.cloud_notify.n["b"] 2.1 halt "b i-1"', invoked(plan))
    local wrong = text:gsub("true", "self.name == null"):gsub("before_create", "after_create")
    m = opened(wrong, { schemas = schemas, state = host { index_key = 0 } })
    plan = hcl.assert(m:plan())
    assert.are.equal("module.uninvoked", codes(plan.warnings))
    assert.are.equal("", invoked(plan))
    m:change(dir .. "/main.tf", text)
    assert.are.equal('cloud_host.h[0] before_destroy action.cloud_notify.n["b"] 2.1 halt "b i-1"', invoked(hcl.assert(m:plan())))
  end)

  it("isn't invoked by unknown values of an import", function()
    local text = triggers:gsub("COND", "true") .. 'import {\n  to = cloud_host.h\n  id = "x"\n}\n'
    assert.are.equal("", invoked(hcl.assert(opened(text, { schemas = schemas }):plan())))
  end)

  it("is invoked with known values without schemas, and with unread data", function()
    assert.are.equal(created, invoked(hcl.assert(opened((triggers:gsub("COND", "true"))):plan())))
    local text = triggers:gsub("COND", "true"):gsub('toset%(%["a", "b"%]%)', "data.cloud_zone.z.all") .. 'data "cloud_zone" "z" {}\n'
    assert.are.equal(created, invoked(hcl.assert(opened(text):plan())))
  end)

  it("shows no secrets in a plan", function()
    m = opened((triggers:gsub("COND", "true")), { schemas = schemas })
    local list = m:plan_json():get "action_invocations"
    assert.are.equal(2, #list)
    local config = list:get(1):get "config_values"
    assert.same({ nil, nil, "null" }, { config:get "topic", nil, tostring(config:get "key") })
    assert.are.equal("true", tostring(list:get(1):get("config_sensitive"):get "key"))
    assert.are.equal("true", tostring(list:get(1):get("config_unknown"):get "topic"))
    assert.is_nil(tostring(list):find("hush", 1, true))
    assert.is_truthy(tostring(m:plan_json({ reveal = true }):get "action_invocations"):find("hush-1", 1, true))
    assert.equal([[
  # cloud_host.h will be created
  + resource "cloud_host" "h" {
      + id   = (known after apply)
      + name = "new"
    }

    # Actions before this change, in order:
    # action.cloud_notify.plain, whatever comes of it
    action "cloud_notify" "plain" {
    }
    # action.cloud_notify.n["a"], whatever comes of it
    action "cloud_notify" "n" {
        config {
            key   = (sensitive value)
            token = (write-only value)
            topic = (known after apply)

            to {
                who = (sensitive value)
            }
        }
    }

Plan: 1 to add, 0 to change, 0 to destroy. Actions: 2 to invoke.
]], plan_text.of(m:plan(), true))
  end)
end)
