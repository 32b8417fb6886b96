-- Plans as JSON, compared with `terraform show -json` for the same folders and states (planjson/*.json, recorded from 1.17-dev).
local core = require "hclexpr.core"
local documents = require "hclexpr.terraform.schema.documents"
local hcl = require "hclexpr"
local here = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$"
local support = dofile(here .. "../support.lua")
local differences = dofile(here .. "differences.lua")
local recorded = dofile(here .. "recorded.lua")

local function decode(text)
  return (assert(documents.decode(text)))
end

local folder_of = support.folder

-- The plan of a case, and what is wrong.
local function plan_of(case, options)
  local schemas = case.schemas
  if type(schemas) == "string" then schemas = decode(support.read(here .. "schemas/" .. schemas .. ".json")) end
  local module = hcl.assert(hcl.module(folder_of(case.files), { settings = case.settings, state = case.state, schemas = schemas,
                                                                variables = case.variables }))
  for name, value in pairs(case.options or {}) do options[name] = value end
  local plan, err, partial = module:plan_json(options)
  return plan or partial, plan == nil and err or nil
end

-- Where errors are, each once: of a list of places, or of Diagnostics.
local function places_of(list)
  local found = {}
  for _, one in ipairs(list or {}) do
    local range = type(one) ~= "string" and one.range
    local place = range and ("%s:%d:%d"):format(range.filename:match "[^/]*$", range.start.line, range.start.column)
    if type(one) == "string" then found[one:match "[^/]*$"] = true elseif one.severity == "error" then found[place or ""] = true end
  end
  return support.keys(found)
end

describe("plans as JSON", function()
  for name in ([[builtin_functions chain_of_moves checks checks_not_reached configuration constants_of_operators data_after_errors
                 data_not_checked data_that_waits data_waits_for_what_goes destroyed_conditions destroyed_data destroyed_moves
                 destroyed_moves_of_nothing destroyed_nothing destroyed_outputs destroyed_prevented destroyed_prevented_target
                 destroyed_targets destroyed_with_errors errors forgotten_after_moves forgotten_module ignored_changes ignored_secrets
                 ignored_unknown_map ignored_until_replaced imported imported_already imported_module imported_wrongly invocations
                 invocations_against_state invocations_with_errors json_syntax moved moved_by_count moved_data moved_data_not_targeted
                 moved_modules moves_blocked needs_after_errors nested_modules not_expanded null_inputs null_outputs only_moved
                 outputs_change prevented prevented_after_moves prevented_rest refreshed_absent refreshed_data_absent refreshed_data_fewer
                 refreshed_data_more refreshed_data_other refreshed_data_same refreshed_data_waits refreshed_needs refreshed_order
                 replacement secret_nulls sensitive sensitive_state shapes shapes_changed shapes_ignored state_without_objects store
                 store_ignored store_replaced tainted targeted_data_goes targets_of_triggers trigger_of_another_type triggers_of_what_goes
                 types what_goes what_goes_with_errors]]):gmatch "%S+" do
    it("are as Terraform's: " .. name, function()
      local case = decode(support.read(here .. "planjson/" .. name .. ".json"))
      local text, err = plan_of(case, { reveal = true, time = 0, text = true })
      if case.errors then assert.same(places_of(case.errors), places_of(err)) end
      if case.plan == nil then return assert.is_nil(text) end
      assert.equal((core.value_json(plan_of(case, { reveal = true, time = 0 }), 0, 0)), text)
      local found = decode(text)
      found.timestamp, found.terraform_version = nil, "*"
      if found.prior_state then found.prior_state.terraform_version = "*" end
      assert.same({}, differences.list(differences.normal(case.plan), differences.normal(found)))
    end)
  end

  -- Recorded from 1.11.4, while the language here is that of 1.17: these differ in any plan.
  local of_versions = {
    { "relevant_attributes%.1%.attribute%.2: \"o\" but nothing$", "Steps after outputs of remote states had no type `any`." },
    { "^removed[%l_]* .*%.planned_values%.", "What is only forgotten was among the values that are planned." },
    { "^target_removed .*%.planned_values%.", "The same." },
    { "^data_sources %-refresh%-only: %.applyable: false but true$", "Changed data didn't count for a plan that only refreshes." },
    { "^precondition_fails_with_moves %-refresh%-only: %.applyable: true but false$", "New dependencies in the state counted for it." },
    { "^update_null .*%.output", "The output of terraform_data for an input that becomes null was unknown." },
  }

  local function is_of_versions(text)
    for _, row in ipairs(of_versions) do
      if text:find(row[1]) then
        row.used = true
        return true
      end
    end
  end

  -- terraform_data had no block `store`.
  local function without_store(x)
    if type(x) ~= "table" or x == core.null then return x end
    if x.store == core.null then x.store = nil end
    for _, element in pairs(x) do without_store(element) end
    return x
  end

  -- The differences of one plan.
  local function compare_plan(situation, want)
    local m, _, readable = hcl.module(situation.dir, situation.options)
    local text, _, partial = (m or readable):plan_json(recorded.with_plan_options({ reveal = true, time = 0, text = true }, situation))
    text = text or partial
    local there = want ~= nil and want ~= core.null
    if not text or not there then return (text ~= nil) == there and {} or { there and "a plan is missing" or "a plan is more" } end
    local found = without_store(decode(text))
    found.timestamp, found.terraform_version, want.timestamp = nil, "*", nil
    if found.prior_state then found.prior_state.terraform_version = "*" end
    return differences.list(differences.normal(want), differences.normal(found))
  end

  -- `make test` runs every nth.
  local SAMPLE = 9

  it("are as Terraform's, whatever options the plan has", function()
    local plans, scratch, n, unexpected = {}, support.temporary_folder(), 0, {}
    for line in io.lines(here .. "plan_options/plans.jsonl") do
      n = n + 1
      if support.whole or n % SAMPLE == 0 then
        local plan = decode(line)
        plans[plan.name .. " " .. plan.options] = plan
      end
    end
    local compared = 0
    for _, folder in ipairs(recorded.all { plan_options = true }) do
      for _, situation in ipairs(folder.situations(scratch)) do
        local title = folder.name .. " " .. situation.given
        compared = compared + (plans[title] and 1 or 0)
        for _, what in ipairs(plans[title] and compare_plan(situation, plans[title].plan) or {}) do
          local text = title .. ": " .. what
          if not is_of_versions(text) then unexpected[#unexpected + 1] = text end
        end
      end
    end
    assert.equal("", table.concat(unexpected, "\n"))
    assert.is_true(compared >= (support.whole and 445 or 45), compared)
    for _, row in ipairs(support.whole and of_versions or {}) do assert.is_true(row.used, "nothing differs like " .. row[1]) end
  end)

  local secret = { files = { ["main.tf"] = [[
variable "key" {
  sensitive = true
  default   = "hush-1"
}
variable "given" {
  sensitive = true
}
resource "terraform_data" "a" {
  input = { key = var.key, list = [var.given, 1], set = toset([var.key, "b"]) }
}
resource "terraform_data" "was" {
  input = sensitive("hush-3")
}
module "m" {
  source = "./m"
  key    = "hush-4"
}
locals {
  secret = upper(var.key)
}
output "out" {
  value     = "hush-5"
  sensitive = true
}
output "keyed" {
  value     = { for k in [var.key] : k => terraform_data.a.id }
  sensitive = true
}
resource "terraform_data" "keyed" {
  input = { for k in [var.key] : k => terraform_data.a.id }
}
output "more" {
  value     = [terraform_data.a.input, terraform_data.a.id]
  sensitive = true
}
]], ["m/main.tf"] = 'variable "key" {\n  sensitive = true\n}\noutput "key" {\n  value     = var.key\n  sensitive = true\n}\n' },
    settings = { "given=hush-2" }, state = {
      version = 4,
      outputs = { out = { value = "hush-6", type = "string", sensitive = true }, more = { value = "hush-7", type = "string" } },
      resources = { { mode = "managed", type = "terraform_data", name = "was", provider = 'provider["terraform.io/builtin/terraform"]',
                      instances = { { attributes = { id = "i", input = { value = "hush-3", type = "string" },
                                                     output = { value = "hush-3", type = "string" } } } } } },
    } }

  it("hide sensitive values", function()
    local json = assert(plan_of(secret, { full = true }))
    local text = core.value_json(json, 0, 0)
    assert.is_nil(text:lower():find "hush")
    assert.is_nil(core.value_json(assert(hcl.assert(hcl.module(folder_of(secret.files), { settings = secret.settings })):outputs_json()), 0,
      0):lower():find "hush")
    assert.equal("null", json:get("variables"):get("key"):get("value"):is_null() and "null")
    local change = json:get("resource_changes"):get(0):get "change"
    assert.equal("true", change:get("after_sensitive"):get("input"):get("key"):text())
    text = core.value_json(assert(plan_of(secret, { reveal = true })), 0, 0)
    for i = 1, 7 do assert.truthy(text:find("hush-" .. i, 1, true), i) end
  end)

  it("hide values that a host marks, and nested attributes that a schema marks", function()
    local function text(options, given)
      return core.value_json(assert(plan_of(given, options)), 0, 0)
    end
    local given = { files = { ["main.tf"] = 'variable "v" {}\n' }, variables = { v = { x = hcl.sensitive "hush", y = 1 } } }
    assert.truthy(text({}, given):find('"variables":{"v":{"value":{"x":null,"y":1}}}', 1, true))
    assert.truthy(text({ reveal = true }, given):find("hush", 1, true))
    local function nested(mode)
      return { optional = true, nested_type = { nesting_mode = mode, attributes = {
        n = { type = "number", optional = true }, key = { type = "string", optional = true, sensitive = true } } } }
    end
    given = { files = { ["main.tf"] = 'resource "x_y" "a" {\n  one = { n = 1, key = "hush" }\n  list = [{ key = "hush" }]\n'
      .. '  map = { k = { key = "hush" } }\n  only = "hush"\n}\n', ["b.tf.json"] = '{ "resource": { "x_y": { "b": { "one": '
      .. '"${{ key = \\"hush\\" }}", "list": [{ "key": "hush" }], "map": null } } } }' },
      schemas = { provider_schemas = { ["hashicorp/x"] = { resource_schemas = { x_y = { block = { attributes = {
        one = nested "single", list = nested "list", map = nested "map", only = { type = "string", optional = true, write_only = true },
      } } } } } } } }
    assert.is_nil(text({}, given):find("hush", 1, true))
    assert.truthy(text({}, given):find('"list":{"constant_value":[{"key":null}]}', 1, true))
    assert.truthy(text({}, given):find('"one":{"constant_value":{"key":null,"n":1}}', 1, true))
    assert.truthy(text({ reveal = true }, given):find('"only":{"constant_value":"hush"}', 1, true))
  end)

  it("leave out unknown values, secret or not", function()
    local json = assert(plan_of { files = { ["main.tf"] = 'resource "terraform_data" "a" {}\nresource "terraform_data" "b" {\n'
      .. '  input = [sensitive(terraform_data.a.id), 1]\n  triggers_replace = sensitive(terraform_data.a.id)\n}\n' } })
    local change = decode((core.value_json(json:get("resource_changes"):get(1):get "change", 0, 0)))
    assert.is_nil(change.after.triggers_replace)
    assert.same({ { core.null, 1 }, { true, false }, true }, { change.after.input, change.after_unknown.input,
                                                               change.after_sensitive.triggers_replace })
  end)

  -- As Terraform 1.17-dev writes them in a plan.
  it("have constraints of versions in order, each once", function()
    for text, wanted in pairs {
      ["< 3.0, >= 1.0.0, >= 1.0"] = ">= 1.0.0, < 3.0.0",
      ["< 1.0.0, ~> 1.0, != 1.0.0, <= 1.0.0, > 1.0.0, 1.0.0, ~> 1.0.0, >= 1.0.0"] =
        "> 1.0.0, >= 1.0.0, 1.0.0, ~> 1.0.0, ~> 1.0, <= 1.0.0, < 1.0.0, != 1.0.0",
      [">= 1.10.0, >= 1.9.0, >= 1.9.0-beta, = 1.9.0"] = ">= 1.9.0-beta, >= 1.9.0, 1.9.0, >= 1.10.0",
      [">= 1.0.0-rc1, >= 1.0.0-beta.11, >= 1.0.0-beta, >= 1.0.0-beta.2, >= 1.0.0-beta.a, >= 1.0.0"] =
        ">= 1.0.0-beta, >= 1.0.0-rc1, >= 1.0.0-beta.2, >= 1.0.0-beta.11, >= 1.0.0-beta.a, >= 1.0.0",
      [">= 2.1.0, >= 1.2.0, >= 1.10.0, >= 1.2.3, >= 1.2.1, > 1.2.0"] =
        "> 1.2.0, >= 1.2.0, >= 1.2.1, >= 1.2.3, >= 1.10.0, >= 2.1.0",
      [">= 1.0.0+b, >= 1.0.0+a, >= 1.0.0"] = ">= 1.0.0, >= 1.0.0+a, >= 1.0.0+b",
      ["1, 1.0, = 1.0.0, ~> 1"] = "1.0.0, ~> 1.0",
    } do
      local json = assert(plan_of { files = { ["main.tf"] = 'terraform {\n  required_providers {\n    cloud = {\n'
        .. '      source  = "example.com/acme/cloud"\n      version = "' .. text .. '"\n    }\n  }\n}\nprovider "cloud" {}\n' } })
      assert.equal(wanted, json:get("configuration"):get("provider_config"):get("cloud"):get("version_constraint"):text())
    end
  end)

  it("have local values by their modules, on request", function()
    local files = { ["main.tf"] = 'locals {\n  n = 1 + 1\n  list = [null, "x"]\n  id = terraform_data.a.id\n}\n'
      .. 'resource "terraform_data" "a" {}\nmodule "m" {\n  source = "./m"\n  count = 2\n  i = count.index\n}\n'
      .. 'module "none" {\n  source = "./none"\n}\n',
      ["m/main.tf"] = 'variable "i" {}\nlocals {\n  twice = var.i * 2\n}\n', ["none/main.tf"] = "" }
    local locals = assert(plan_of({ files = files }, { full = true })):get("hclexpr"):get "locals"
    assert.same({ [""] = { n = 2, list = { core.null, "x" } }, ["module.m[0]"] = { twice = 0 }, ["module.m[1]"] = { twice = 2 } },
      decode((core.value_json(locals, 0, 0))))
  end)

  -- An instance of terraform_data as a state has it.
  local function state_of(input, key, module)
    return { version = 4, outputs = {}, resources = { { mode = "managed", type = "terraform_data", name = "a", module = module,
      provider = 'provider["terraform.io/builtin/terraform"]',
      instances = { { index_key = key, attributes = { id = "i", input = input, output = input } } } } } }
  end

  it("survive any state", function()
    local files = { ["main.tf"] = 'resource "terraform_data" "a" {\n  input = { x = sensitive("hush"), l = [sensitive(1)] }\n}\n' }
    for _, input in ipairs { { value = true, type = "bool" }, { value = { x = 1, l = { k = 2 } }, type = { "map", "dynamic" } }, "\255",
                             { value = { "a" }, type = { "set", "string" } }, { value = {}, type = { "object", { l = "nothing" } } } } do
      local json = plan_of({ files = files, state = state_of(input) }, { full = true })
      assert.equal("update", json:get("resource_changes"):get(0):get("change"):get("actions"):get(0):text())
    end
    for _, key in ipairs { "\255", -1, 0.5, { 1 }, "a]" } do
      assert.truthy(plan_of { files = files, state = state_of({ value = 1, type = "number" }, key) })
    end
    for _, module in ipairs { "module", "x", "module.a[", 'module.a["k"].b', "module.m" } do
      local json = plan_of { files = files, state = state_of({ value = 1, type = "number" }, nil, module) }
      assert.equal(2, #json:get "resource_changes")
    end
  end)

  it("delete nothing if the number of instances is unknown", function()
    local files = { ["main.tf"] = 'variable "n" {}\nresource "terraform_data" "a" {\n  count = var.n\n}\n' }
    local module = hcl.assert(hcl.module(folder_of(files), { state = state_of({ value = 1, type = "number" }, 0), missing = "unknown" }))
    assert.is_nil(assert(module:plan_json()):get "resource_changes")
  end)

  it("have imported objects before them, even if they have no plan", function()
    -- As in Terraform for the same folders.
    local import = 'import {\n  to = terraform_data.im\n  id = "i"\n}\nresource "terraform_data" "a" {}\n'
    local fails = 'precondition {\n  condition = path.module != "."\n  error_message = "No."\n}\n'
    for body, expected in pairs {
      ["input = terraform_data.a.id\nlifecycle {\n  ignore_changes = [input]\n}"] = "i, terraform_data.a",
      ["input = terraform_data.a.id"] = "i, -", ["depends_on = [terraform_data.a]"] = "i, terraform_data.a",
      ["lifecycle {\n" .. fails .. "}"] = "i, -", ["input = terraform_data.im.id"] = "nothing",
    } do
      local source = import .. 'resource "terraform_data" "im" {\n' .. body .. "\n}\n"
      local json = plan_of { files = { ["main.tf"] = source } }
      local prior = json:lua().prior_state
      local row = prior and prior.values.root_module.resources[1]
      assert.equal(expected, row and ("%s, %s"):format(row.values.id, (row.depends_on or {})[1] or "-") or "nothing", body)
    end
  end)

  it("delete undeclared objects in a module that failed", function()
    local function row(name)
      return { module = "module.m", mode = "managed", type = "terraform_data", name = name,
               provider = 'provider["terraform.io/builtin/terraform"]', instances = { { schema_version = 0, attributes = { id = name } } } }
    end
    local p = { mode = "managed", type = "terraform_data", name = "p", provider = 'provider["terraform.io/builtin/terraform"]',
                instances = { { schema_version = 0, status = "tainted", attributes = { id = "p" } } } }
    local json = plan_of {
      files = {
        ["main.tf"] = 'resource "terraform_data" "p" {\n  lifecycle {\n    prevent_destroy = true\n  }\n}\n'
          .. 'module "m" {\n  source = "./m"\n  depends_on = [terraform_data.p]\n}\n',
        ["m/main.tf"] = 'resource "terraform_data" "stays" {}\n',
      },
      state = { version = 4, resources = { p, row "gone", row "stays" } },
    }
    local found = {}
    for i, change in ipairs(json:lua().resource_changes) do
      found[i] = change.address .. " " .. table.concat(change.change.actions, " ") .. " " .. change.action_reason
    end
    assert.same({ "terraform_data.p delete create replace_because_tainted",
                  "module.m.terraform_data.gone delete delete_because_no_resource_config" }, found)
  end)

  it("don't exist if moves are wrong", function()
    local files = { ["main.tf"] = 'moved {\n  from = terraform_data.a\n  to = terraform_data.b\n}\nresource "terraform_data" "a" {}\n' }
    local json, err = plan_of { files = files }
    assert.is_nil(json)
    assert.equal("module.address", err[1].code)
  end)

  it("give triggers as the reason of a create if one of them changes", function()
    local json = assert(plan_of { files = { ["main.tf"] = [[
resource "terraform_data" "c" {
  count = 2
  input = 1
}
resource "terraform_data" "d" {
  count = 2
  lifecycle {
    replace_triggered_by = [terraform_data.c[count.index].input]
  }
}
resource "terraform_data" "e" {
  lifecycle {
    replace_triggered_by = [terraform_data.c[1].id]
  }
}
import {
  to = terraform_data.c[1]
  id = "i"
}
]] } })
    local found = {}
    for _, change in ipairs(json:get("resource_changes"):lua()) do
      found[change.address] = table.concat(change.change.actions, " ") .. " " .. (change.action_reason or "")
    end
    assert.same({ ["terraform_data.c[0]"] = "create ", ["terraform_data.c[1]"] = "update ", ["terraform_data.d[0]"] = "create ",
                  ["terraform_data.d[1]"] = "create replace_by_triggers", ["terraform_data.e"] = "create " }, found)
  end)

  -- The statuses in checks by address, of objects and of their instances.
  local function statuses(files)
    local found = {}
    for _, of in ipairs(decode((core.value_json(assert(plan_of { files = files }):get "checks", 0, 0)))) do
      found[of.address.to_display] = of.status
      for _, instance in ipairs(of.instances or {}) do found[instance.address.to_display] = instance.status end
    end
    return found
  end

  it("have checks of modules without instances, which pass once the module is evaluated", function()
    local called = 'variable "v" {}\ncheck "c" {\n  assert {\n    condition     = var.v > 0\n    error_message = "x"\n  }\n}\n'
    local files = { ["m/main.tf"] = called .. 'module "inner" {\n  source = "../i"\n  v      = var.v\n}\n', ["i/main.tf"] = called,
                    ["terraform.tfvars"] = 'n = "text"\n', ["main.tf"] = [[
variable "n" {
  type = object({ a = number })
}
module "none" {
  source = "./m"
  count  = 0
  v      = var.n.a
}
module "open" {
  source   = "./m"
  for_each = var.n.a > 1 ? toset([]) : toset(["a"])
  v        = 1
}
module "one" {
  source = "./m"
  v      = var.n.a
}
]] }
    assert.same({ ["module.none.check.c"] = "pass", ["module.none.module.inner.check.c"] = "pass", ["module.open.check.c"] = "unknown",
                  ["module.open.module.inner.check.c"] = "unknown", ["module.one.check.c"] = "unknown",
                  ["module.one.module.inner.check.c"] = "unknown" }, statuses(files))
  end)

  it("have unknown postconditions if an argument fails before them", function()
    assert.same({ ["terraform_data.r"] = "unknown", ["terraform_data.r[0]"] = "unknown", ["terraform_data.r[1]"] = "pass",
                  ["terraform_data.before"] = "pass" }, statuses { ["main.tf"] = [[
variable "l" {
  default = ["a", "b"]
}
resource "terraform_data" "r" {
  count = 2
  input = count.index == 0 ? one(var.l) : "x"
  lifecycle {
    precondition {
      condition     = count.index < 9
      error_message = "x"
    }
    postcondition {
      condition     = self.input != "z"
      error_message = "y"
    }
  }
}
resource "terraform_data" "before" {
  input = one(var.l)
  lifecycle {
    precondition {
      condition     = path.module != ""
      error_message = "x"
    }
  }
}
]] })
  end)

  -- As in Terraform 1.17, whose language evaluates both sides of "&&" and "||".
  it("have a constant beside irrelevant names", function()
    local files, wanted = { "" }, {}
    for i, case in ipairs { { "false && var.on", "false" }, { "var.on || true", "true" }, { "var.on ? 2 : 2", "2" },
      { 'true ? "x" : path.module', '"x"' }, { "[var.on, 1][1]", "1" }, { "{ a = var.on, b = 2 }.b", "2" },
      { "var.on ? null : null", "null" }, { "[for x in [] : var.on]", "[]" },
      { "length(var.l) > 0 ? 3 : 3", "3" }, { "var.on ? 1 : 2" }, { "var.on == var.on" },
      { '"a${var.on}"' }, { "[1, var.on]" }, { "length(var.l) * 0" }, { "var.on" } } do
      files[#files + 1] = ("output \"o%d\" {\n  value = %s\n}\n"):format(i, case[1])
      wanted["o" .. i] = case[2] or "none"
    end
    local json = assert(plan_of { files = { ["main.tf"] = 'variable "on" {\n  default = true\n}\nvariable "l" {\n  default = []\n}\n'
      .. table.concat(files) } })
    local found = {}
    for name, output in json:get("configuration"):get("root_module"):get("outputs"):pairs() do
      local value = output:get("expression"):get "constant_value"
      found[name] = value and core.value_json(value, 0, 0) or "none"
      assert.truthy(output:get("expression"):get "references", name)
    end
    assert.same(wanted, found)
  end)

  -- As Terraform prints it.
  it("have the shape of known values, with false for elements of a list without parts", function()
    local json = assert(plan_of { files = { ["main.tf"] = [=[
variable "lists" {
  type    = list(list(number))
  default = [[1, 2], null, []]
}
variable "maps" {
  type    = map(list(string))
  default = { a = ["x"], b = null }
}
variable "objects" {
  type    = set(object({ l = list(string), n = number }))
  default = [{ l = ["x"], n = 1 }, { l = null, n = 2 }]
}
resource "terraform_data" "a" {
  input = {
    lists   = var.lists
    maps    = var.maps
    objects = var.objects
    mixed   = [null, "x", [null], {}, { a = null, b = [true] }]
    empty   = tolist([])
    none    = null
    texts   = toset(["a", "b"])
  }
}
]=] } })
    local shape = '{"empty":[],"lists":[[false,false],false,[]],"maps":{"a":[false]},"mixed":[false,false,[false],{},{"b":[false]}],'
      .. '"objects":[{"l":[false]},{}],"texts":[false,false]}'
    local change = json:get("resource_changes"):get(0):get "change"
    for _, name in ipairs { "after_unknown", "after_sensitive" } do
      assert.equal(shape, (core.value_json(change:get(name):get "input", 0, 0)))
    end
  end)

  it("are written resource by resource", function()
    local trees = require "hclexpr.terraform.show.json.trees"
    local alive, most = setmetatable({}, { __mode = "k" }), 0
    local function make(i)
      local tree, n = { i = i }, 0
      alive[tree] = true
      collectgarbage()
      for _ in pairs(alive) do n = n + 1 end
      most = math.max(most, n)
      return tree
    end
    local tree = trees.object { a = trees.object { list = trees.list({ 1, 2, 3, 4 }, make) }, b = {}, none = trees.list {} }
    assert.equal('{"a":{"list":[{"i":1},{"i":2},{"i":3},{"i":4}]},"b":{}}', trees.text(tree))
    assert.is_true(most <= 2)
    assert.equal(trees.text(tree), (core.value_json(trees.value(tree), 0, 0)))
  end)

  it("have no text for values that JSON lacks, and say where", function()
    local files = { ["main.tf"] = 'module "m" {\n  source = "./m"\n  v      = [1 / 0]\n}\n', ["m/main.tf"] = 'variable "v" {}\n' }
    local text, err = plan_of({ files = files }, { text = true })
    assert.is_nil(text)
    assert.equal("module.json", err[1].code)
    assert.truthy(err[1].detail:find("configuration.root_module.module_calls.m.expressions.v.constant_value[0] is infinite", 1, true))
  end)

  it("show values that only a provider knows", function()
    local json = assert(plan_of({ files = { ["main.tf"] = 'resource "cloud_host" "a" {\n  name = "x"\n}\ndata "cloud_zone" "z" {}\n' } },
      { full = true }))
    assert.equal("false", json:get("complete"):text())
    local missing = decode((core.value_json(json:get("hclexpr"):get "missing", 0, 0)))
    assert.same({ { address = "data.cloud_zone.z", missing = "schema" }, { address = "data.cloud_zone.z", missing = "data" },
                  { address = "cloud_host.a", missing = "schema" } }, differences.normal(missing))
    assert.equal("x", json:get("resource_changes"):get(1):get("change"):get("after"):get("name"):text())
  end)

  it("have a variable whose rule depends on a failed one", function()
    local files = { ["main.tf"] = 'variable "bad" {\n  default = []\n  validation {\n    condition     = var.bad[0] == "x"\n'
      .. '    error_message = "x"\n  }\n}\nvariable "waits" {\n  default = "a"\n  validation {\n    condition     = var.waits == "b"\n'
      .. '    error_message = jsonencode(var.bad)\n  }\n}\n' }
    local none, err, json = hcl.assert(hcl.module(folder_of(files), {})):plan_json()
    assert.is_nil(none)
    assert.truthy(err)
    local checks = decode((core.value_json(json:get "checks", 0, 0)))
    for i, name in ipairs { "var.bad", "var.waits" } do
      local instances = { { address = { to_display = name }, status = "unknown" } }
      assert.same({ "unknown", instances }, { checks[i].status, differences.normal(checks[i].instances) })
    end
  end)

  it("don't exist if nothing can be planned", function()
    local json, err = plan_of { files = { ["main.tf"] = 'variable "v" {}\noutput "o" {\n  value = var.v\n}\n' } }
    assert.is_nil(json)
    assert.equal("module.input_missing", err[1].code)
  end)

  it("have outputs by the state, or as planned", function()
    local files = { ["main.tf"] = 'resource "terraform_data" "a" {}\noutput "o" {\n  value = [1, terraform_data.a.id]\n}\n'
      .. 'output "s" {\n  value     = "hush"\n  sensitive = true\n}\n' }
    local dir = folder_of(files)
    local function outputs(options, state)
      return decode((core.value_json(hcl.assert(hcl.module(dir, { state = state })):outputs_json(options), 0, 0)))
    end
    local all = outputs()
    assert.same({ sensitive = true, type = "dynamic", value = core.null }, all.s)
    assert.same({ sensitive = false, type = { "tuple", { "number", "string" } }, value = { 1, core.null }, unknown = { false, true } },
      all.o)
    assert.equal("hush", outputs({ reveal = true }).s.value)
    assert.same({ k = { sensitive = false, type = "number", value = 5 } },
      outputs(nil, { version = 4, outputs = { k = { value = 5, type = "number" } }, resources = {} }))
  end)
end)
