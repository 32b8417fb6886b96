-- Features of OpenTofu's files, *.tofu. Expected: OpenTofu's documentation of `enabled`.
local hcl = require "hclexpr"
local making = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "making.lua")

local function open(files, options)
  local m, err, readable = making.module(files, options)
  return m or readable, err
end

local function codes(err)
  local list = {}
  for i, d in ipairs(err or {}) do list[i] = d.code .. " " .. d.range.start.line end
  return table.concat(list, ", ")
end

describe("enabled of a lifecycle", function()
  local source = [[
variable "on" { type = bool }
resource "terraform_data" "r" {
  lifecycle { enabled = var.on }
}
data "terraform_remote_state" "d" {
  backend = "local"
  config  = { path = "s.tfstate" }
  lifecycle { enabled = !!var.on }
}
ephemeral "acme_secret" "e" {
  lifecycle { enabled = terraform.applying }
}
module "m" {
  source = "./m"
  lifecycle { enabled = var.on ? true : false }
}
output "r" { value = terraform_data.r == null ? "off" : "on" }
output "d" { value = try(data.terraform_remote_state.d.outputs.a, "off") }
output "m" { value = try(module.m.x, "off") }
]]
  local files = { ["main.tofu"] = source, ["m/main.tofu"] = 'resource "terraform_data" "in" {}\noutput "x" {\n  value = "on"\n}\n',
                  ["s.tfstate"] = '{ "version": 4, "outputs": { "a": { "value": "on", "type": "string" } } }' }

  it("decides whether an instance exists; without one the name is null", function()
    for _, on in ipairs { true, false } do
      local m, err = open(files, { variables = { on = on } })
      assert.is_nil(err)
      assert.is_true((m:validate()))
      local plan = hcl.assert(m:plan())
      for _, name in ipairs { "r", "d", "m" } do assert.equal(on and "on" or "off", plan.outputs[name]:text(), name) end
      local found = {}
      for i, row in ipairs(plan.resources) do found[i] = row.address end
      assert.equal(on and "data.terraform_remote_state.d terraform_data.r module.m.terraform_data.in" or "", table.concat(found, " "))
      if not on then
        assert.equal("null null", tostring(m:value "terraform_data.r") .. " " .. tostring(m:value "module.m"))
        assert.equal("reference.null", (select(2, m:value "terraform_data.r.id"))[1].code)
      end
    end
  end)

  it("deletes the object in the state", function()
    local function row(name, module)
      return { mode = "managed", type = "terraform_data", name = name, module = module,
               provider = 'provider["terraform.io/builtin/terraform"]', instances = { { schema_version = 0, attributes = { id = "i" } } } }
    end
    local m = open(files, { variables = { on = false }, state = { version = 4, resources = { row "r", row("in", "module.m") } } })
    local found = {}
    for i, change in ipairs(hcl.assert(m:plan_json()):lua().resource_changes) do
      found[i] = change.address .. " " .. change.action_reason
    end
    assert.same({ "terraform_data.r delete_because_enabled_false", "module.m.terraform_data.in delete_because_no_module" }, found)
    -- An instance that count made stays.
    m = open(files, { variables = { on = true }, state = { version = 4, resources = { {
      mode = "managed", type = "terraform_data", name = "r", provider = 'provider["terraform.io/builtin/terraform"]',
      instances = { { index_key = 0, schema_version = 0, attributes = { id = "i" } } },
    } } } })
    assert.equal("terraform_data.r[0]", hcl.assert(m:plan()).resources[2].previous_address)
  end)

  it("must be known, and true or false", function()
    local function wrong(value, options)
      local text = 'variable "v" {}\nresource "terraform_data" "a" {}\nresource "terraform_data" "b" {\n  lifecycle {\n    enabled = '
      local m, err = open({ ["main.tofu"] = text .. value .. "\n  }\n}\n" }, options or { variables = { v = 1 } })
      if err then return codes(err) end
      local plan, found = m:plan()
      return codes(found or plan.warnings)
    end
    for _, value in ipairs { "null", "5", "[]", "sensitive(true)", "terraform.applying", 'terraform_data.a.id == "x"' } do
      assert.equal("module.count 5", wrong(value), value)
    end
    assert.equal("module.undeclared 5", wrong "var.nope")
    assert.equal("module.self 5", wrong 'terraform_data.b.id == ""')
    assert.equal("", wrong '"true"')
    assert.equal("module.unread 5", wrong("var.v", { missing = "unknown" }))
  end)

  it("excludes count and for_each, and is unknown in files of Terraform", function()
    local both = 'resource "terraform_data" "a" {\n  count = 1\n  lifecycle {\n    enabled = true\n  }\n}\n'
      .. 'module "m" {\n  source = "./m"\n  for_each = {}\n  lifecycle {\n    enabled = true\n  }\n}\n'
    assert.equal("module.stray 4, module.stray 11", codes(select(2, open { ["main.tofu"] = both, ["m/main.tofu"] = "" })))
    assert.equal("body.argument 4, module.reserved 10", codes(select(2, open { ["main.tf"] = both, ["m/main.tf"] = "" })))
  end)
end)
