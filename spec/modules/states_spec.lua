-- States of modules, and of other folders that data sources read, beyond the recorded folders.
local hcl = require "hclexpr"
local making = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "making.lua")
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local module, opened, text, codes, place = making.module, making.opened, making.text, making.codes, making.place
local schemas, plain, state_file = making.schemas, making.plain, making.state_file

describe("a state", function()
  it("may be of an older version", function()
    -- Terraform: the types of outputs are those of their values: a list or map if all elements have the same type; shown by `show -json`.
    local outputs = {
      o = { type = "string", value = "1", sensitive = true }, l = { type = "list", value = { "a", "b" } }, m = { value = { a = "b" } },
      t = { type = "list", value = { "a", 1 } }, n = { value = { { "a" }, { "b" } } }, k = { value = { { "a" }, { "b", "c" } } },
    }
    local types = { o = "string", l = "list(string)", m = "map(string)", t = "tuple([string, number])", n = "list(list(string))",
                    k = "tuple([tuple([string]), tuple([string, string])])" }
    for version = 2, 3 do
      local m = opened("", { state = { version = version, modules = { { path = { "root" }, outputs = outputs } } } })
      local found = hcl.assert(m:outputs())
      for name, expected in pairs(types) do assert.are.equal(expected, tostring(found[name]:unmark():type()), name) end
      assert.are.equal("(sensitive value)", tostring(found.o))
    end
    local m = opened("", { state = { version = 1, modules = { { outputs = { a = "x" } } } } })
    assert.are.equal('"x"', tostring(hcl.assert(m:outputs()).a))
  end)

  it("has flat attributes in older versions, typed by the schema", function()
    local attributes = {
      id = "i", size = "3", ["tags.%"] = "2", ["tags.a"] = "x", ["tags.b.c"] = "y", ["list.#"] = "2", ["list.0"] = "p", ["list.1"] = "q",
    }
    local function state(version)
      local resources = {
        ["acme_thing.a"] = { provider = "provider.acme", primary = { id = "i", attributes = attributes } },
        ["acme_thing.n.0"] = { primary = { id = "n0" }, deposed = { { id = "old" } } },
        ["acme_thing.n.1"] = { primary = { id = "n1", tainted = true } },
        ["data.acme_thing.d"] = { primary = { id = "d" } },
      }
      return { version = version, modules = {
        { path = { "root" }, resources = resources },
        { path = { "root", "m" }, resources = { ["acme_thing.in"] = { primary = { id = "in" } } } },
      } }
    end
    local source = {
      ["main.tf"] = [=[
        resource "acme_thing" "a" {
          size = 3
          list = ["p", "q"]
          tags = { a = "x", "b.c" = "y" }
        }
        resource "acme_thing" "n" { count = 2 }
        module "m" { source = "./m" }
      ]=],
      ["m/main.tf"] = 'resource "acme_thing" "in" {}\noutput "id" { value = acme_thing.in.id }\n',
    }
    for _, given in ipairs { schemas(plain), false } do
      local m = opened(source, { schemas = given or nil, state = state(3) })
      local plan, actions = hcl.assert(m:plan()), {}
      for _, rows in ipairs { plan.resources, plan.gone } do
        for _, r in ipairs(rows) do actions[#actions + 1] = r.address .. " " .. r.action .. (r.deposed and " " .. r.deposed or "") end
      end
      table.sort(actions)
      assert.are.equal("acme_thing.a no-op, acme_thing.n[0] delete 00000001, acme_thing.n[0] no-op, acme_thing.n[1] replace, "
        .. "module.m.acme_thing.in no-op", (table.concat(actions, ", ")))
      assert.are.equal('"i"', text(m, "acme_thing.a.id"))
      assert.are.equal('"n0"', text(m, "acme_thing.n[0].id"))
      assert.are.equal('"in"', text(m, "module.m.id"))
    end
  end)

  it("has maps in versions before 3 as lists with names, and doesn't report empty ones", function()
    local m = opened('resource "acme_thing" "a" {}', { state = { version = 2, modules = { { path = { "root" }, resources = {
      ["acme_thing.a"] = { primary = { attributes = {
        ["tags.#"] = "1", ["tags.a"] = "x", ["list.#"] = "1", ["list.0"] = "p", ["no.#"] = "0" } } },
    } } } } })
    assert.are.equal('"x"', text(m, "acme_thing.a.tags.a"))
    assert.are.equal('"p"', text(m, "acme_thing.a.list[0]"))
    assert.are.equal("(known after apply)", text(m, "acme_thing.a.no"))
  end)

  it("is missing if a file has no text", function()
    local m = opened({ ["main.tf"] = "output \"a\" {\n  value = 1\n}\n", ["s"] = "" }, { state = "s" })
    assert.are.same({ "1" }, { tostring(hcl.assert(m:outputs()).a) })
  end)

  it("is rejected if it is invalid", function()
    -- Terraform rejects all of these, too.
    local function output(value, of_type) return state_file({}, { a = { value = value, type = of_type } }) end
    for _, state in ipairs {
      { version = 5 }, {}, "no/such/file", { version = 3, modules = { { path = { "x" } } } }, { version = 3, serial = -1 },
      { version = 3, modules = { { path = { "root", "a b" } } } },
      { version = 2, modules = { { path = { "root" }, resources = { a = {} } } } },
      output(1, "nonsense"), output("x", "number"), output("x"), output(nil, "string"),
      output({ a = 1, b = 2 }, { "object", { a = "number" } }),
      output({ 1 }, { "list" }), output({ "a" }, { "tuple", { "string", "string" } }), output({}, { "list", { "lists", "string" } }),
    } do
      local m, err = module("locals {\n  a = 1\n}\n", { state = state })
      assert.is_nil(m)
      assert.are.equal("module.file", codes(err))
    end
  end)

  describe("of another folder, its outputs", function()
    -- Terraform: outputs of version 4 have types, those of version 3 are lists, maps and strings; a state may have none.
    it("have their outputs", function()
      local m = opened({
        ["main.tf"] = [[
          data "terraform_remote_state" "none" {
            backend = "local"
            config  = { path = "none.tfstate" }
          }
          data "terraform_remote_state" "old" {
            backend = "local"
            config  = { path = "old.tfstate" }
          }
        ]],
        ["none.tfstate"] = '{ "version": 4, "serial": 1 }',
        ["old.tfstate"] = [[{ "version": 3, "modules": [
          { "path": ["root", "m"], "outputs": { "x": { "type": "string", "value": "inner" } } },
          { "path": ["root"], "outputs": { "a": { "type": "string", "value": "v" }, "l": { "type": "list", "value": ["x"] } } } ] }]],
      })
      hcl.assert(m:plan())
      assert.are.equal("{}", text(m, "data.terraform_remote_state.none.outputs"))
      assert.are.equal('"v"', text(m, "data.terraform_remote_state.old.outputs.a"))
      assert.are.equal("list(string)", text(m, "type(data.terraform_remote_state.old.outputs.l)"))
    end)

    it("are unknown if they may not be read, like files", function()
      -- Terraform reads them, wherever they are.
      local home = support.folder {
        ["net/terraform.tfstate"] = '{ "version": 4, "outputs": { "o": { "value": "v", "type": "string" } } }',
        ["app/main.tf"] = 'data "terraform_remote_state" "r" {\n  backend = "local"\n  config = { path = "../net/terraform.tfstate" }\n}\n'
          .. 'output "o" {\n  value = data.terraform_remote_state.r.outputs.o\n}\n',
        ["secret/main.tf"] = 'data "terraform_remote_state" "r" {\n  backend = "local"\n  config = { path = sensitive("../HUSH") }\n}\n',
        ["place/main.tf"] = 'data "terraform_remote_state" "r" {\n  backend = "local"\n  workspace = "../../../net"\n}\n',
      }
      local m = hcl.assert(hcl.module(home .. "/app", { missing = "unknown" }))
      local plan = hcl.assert(m:plan())
      assert.is_false(plan.outputs.o:is_known())
      assert.are.equal("read", plan.resources[1].action)
      local row = m:missing()[1]
      assert.are.equal("outside terraform.tfstate 3", row.kind .. " " .. row.name:match "[^/]*$" .. " " .. row.range.start.line)
      assert.are.equal("main.tf", row.range.filename:match "[^/]*$")
      assert.is_true((m:validate()))
      assert.are.equal("v", hcl.assert(hcl.module(home .. "/app", { missing = "unknown", filesystem = home })):eval "output.o")
      local _, err = hcl.assert(hcl.module(home .. "/app")):plan()
      assert.are.equal("module.data", codes(err))
      for folder, name in pairs { secret = "(sensitive value)", place = "terraform.tfstate" } do
        m = hcl.assert(hcl.module(home .. "/" .. folder, { missing = "unknown" }))
        hcl.assert(m:plan())
        assert.are.equal(name, m:missing()[1].name:match "[^/]*$")
      end
    end)

    it("are the callback's values if no state can be read", function()
      local files = {
        ["main.tf"] = [[
          data "terraform_remote_state" "far" {
            backend = "s3"
            config  = { bucket = "b", key = "k", region = "r" }
          }
          data "terraform_remote_state" "sealed" {
            backend = "local"
            config  = { path = "sealed.tfstate" }
          }
          output "o" { value = [data.terraform_remote_state.far.outputs.a, data.terraform_remote_state.sealed.outputs.a] }
        ]],
        ["sealed.tfstate"] = '{ "encrypted_data": "x", "encryption_version": "v0" }',
      }
      local function resource(r) return { outputs = { a = r.name } } end
      local plan = hcl.assert(opened(files, { missing = "unknown", resource = resource }):plan())
      assert.is_nil(plan.warnings)
      assert.are.equal('[\n  "far",\n  "sealed",\n]', tostring(plan.outputs.o))
      plan = hcl.assert(opened(files, { missing = "unknown" }):plan())
      assert.are.equal("module.data", codes(plan.warnings))
      assert.truthy(plan.warnings[1].detail:find("is encrypted by OpenTofu", 1, true))
      local _, err = opened(files):plan()
      assert.are.equal("module.data", codes(err))
    end)

    it("have the defaults without their marks", function()
      -- Terraform shows them.
      local plan = hcl.assert(opened({
        ["main.tf"] = [[
          data "terraform_remote_state" "r" {
            backend  = "local"
            config   = { path = "s" }
            defaults = { a = sensitive(1) }
          }
          output "o" { value = data.terraform_remote_state.r.outputs }
        ]],
        s = '{ "version": 4 }',
      }):plan())
      assert.are.equal('{\n  "a" = 1\n}', tostring(plan.outputs.o))
    end)

    it("are rejected without showing a secret path, at the workspace if one is named", function()
      local source = 'variable "p" {\n  default = "S3KRIT"\n  sensitive = true\n}\n'
        .. 'data "terraform_remote_state" "a" {\n  backend = "local"\n%s\n}\n'
      local _, err = opened(source:format "config = { path = var.p }"):plan()
      assert.are.equal("5:35", place(err[1]))
      assert.is_nil(tostring(err):find("S3KRIT", 1, true))
      _, err = opened(source:format '  workspace = "w"'):plan()
      assert.are.equal("7:15", place(err[1]))
    end)
  end)
end)
