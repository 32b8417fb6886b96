-- Resources of modules, beyond the recorded folders: states, the callback that replaces providers, and schemas.
local hcl = require "hclexpr"
local making = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "making.lua")
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local module, opened, text, codes, place = making.module, making.opened, making.text, making.codes, making.place
local schemas, plain, state_file = making.schemas, making.plain, making.state_file

local function row(name, instances, module_address)
  return { mode = "managed", type = "acme_thing", name = name, module = module_address, instances = instances }
end

describe("resources of a module", function()
  describe("in a state file", function()
    it("have its values, with types of the schema, and configured values", function()
      local m = opened('resource "acme_thing" "a" {\n  name = "new"\n}', {
        schemas = schemas(plain),
        state = state_file { row("a", { { attributes = { id = "i", name = "old", secret = "s", tags = {}, size = 3, list = {} } } }) },
      })
      assert.are.equal('"i"', text(m, "acme_thing.a.id"))
      assert.are.equal('"new"', text(m, "acme_thing.a.name"))
      assert.are.equal("(sensitive value)", text(m, "acme_thing.a.secret"))
      assert.are.equal("3", text(m, "acme_thing.a.size"))
      -- Neither configured nor filled in by a provider.
      assert.are.equal("tomap(null) /* of string */", text(m, "acme_thing.a.tags"))
    end)

    it("are found by their keys and modules", function()
      local m = opened({
        ["main.tf"] = [[
          resource "acme_thing" "n" { count = 2 }
          resource "acme_thing" "k" { for_each = toset(["x", "y"]) }
          module "m" {
            for_each = toset(["a"])
            source   = "./m"
          }
        ]],
        ["m/main.tf"] = 'resource "acme_thing" "in" {}',
      }, {
        schemas = schemas(plain),
        state = state_file {
          row("n", { { index_key = 0, attributes = { id = "n0" } }, { index_key = 1, attributes = { id = "n1" } } }),
          row("k", { { index_key = "x", attributes = { id = "kx" } } }),
          row("in", { { attributes = { id = "inner" } } }, 'module.m["a"]'),
        },
      })
      assert.are.equal('[\n  "n0",\n  "n1",\n]', text(m, "acme_thing.n[*].id"))
      assert.are.equal('"kx"', text(m, 'acme_thing.k["x"].id'))
      assert.are.equal("(known after apply)", text(m, 'acme_thing.k["y"].id'))
      assert.are.equal('"inner"', text(m, "acme_thing.in.id", { module = 'module.m["a"]' }))
    end)

    it("are sensitive if the state says so", function()
      local m = opened('resource "acme_thing" "a" {}', {
        state = state_file { row("a", { {
          attributes = { id = "i", tags = { a = "1", b = "2" }, list = { "x", "y" } },
          sensitive_attributes = {
            { { type = "get_attr", value = "tags" }, { type = "index", value = { value = "b", type = "string" } } },
            { { type = "get_attr", value = "list" }, { type = "index", value = { value = 0, type = "number" } } },
          },
        } }) },
      })
      assert.are.equal('{\n  "a" = "1"\n  "b" = (sensitive value)\n}', text(m, "acme_thing.a.tags"))
      assert.are.equal('[\n  (sensitive value),\n  "y",\n]', text(m, "acme_thing.a.list"))
    end)

    it("are sensitive as a whole if the state says so, or in unreadable parts", function()
      local values = { id = "SECRET" }
      local shown = { format_version = "1.0", values = { root_module = { resources = {
        { mode = "managed", type = "acme_thing", name = "a", values = values, sensitive_values = true },
      } } } }
      local paths = { {}, { { type = "index", value = { value = { "x" } } } }, 5 }
      for i = 1, #paths + 1 do
        local state = i > #paths and shown or state_file { row("a", { { attributes = values, sensitive_attributes = { paths[i] } } }) }
        for _, by in ipairs { {}, { schemas = schemas(plain) } } do
          by.state = state
          assert.are.equal("(sensitive value)", text(opened('resource "acme_thing" "a" {}', by), "acme_thing.a.id"))
        end
      end
    end)

    it("have the types that it says of values of any type", function()
      local m = opened('resource "terraform_data" "a" {\n  input = toset(["b", "a"])\n}', {
        state = state_file { { mode = "managed", type = "terraform_data", name = "a", instances = { { attributes = {
          id = "i", input = { value = { "a", "b" }, type = { "set", "string" } },
          output = { value = { "a", "b" }, type = { "set", "string" } },
        } } } } },
      })
      assert.are.equal('toset([\n  "a",\n  "b",\n])', text(m, "terraform_data.a.output"))
      assert.are.equal('"i"', text(m, "terraform_data.a.id"))
    end)

    it("are replaced if tainted, and left alone if deposed", function()
      local m = opened('resource "acme_thing" "a" {}\nresource "acme_thing" "b" {}', {
        schemas = schemas(plain),
        state = state_file {
          row("a", { { status = "tainted", attributes = { id = "bad" } } }),
          row("b", { { attributes = { id = "good" } }, { deposed = "01234567", attributes = { id = "former" } } }),
        },
      })
      assert.are.equal("(known after apply)", text(m, "acme_thing.a.id"))
      assert.are.equal('"good"', text(m, "acme_thing.b.id"))
    end)

    it("stay the first instance when they get or lose a count", function()
      local m = opened('resource "acme_thing" "a" { count = 1 }\nresource "acme_thing" "b" {}', {
        schemas = schemas(plain),
        state = state_file {
          row("a", { { attributes = { id = "single" } } }), row("b", { { index_key = 0, attributes = { id = "first" } } }),
        },
      })
      assert.are.equal('"single"', text(m, "acme_thing.a[0].id"))
      assert.are.equal('"first"', text(m, "acme_thing.b.id"))
    end)

    it("are followed through moves in a row, and into modules", function()
      local m = opened({
        ["main.tf"] = [[
          resource "acme_thing" "c" {}
          moved {
            from = acme_thing.a
            to   = acme_thing.b
          }
          moved {
            from = acme_thing.b
            to   = acme_thing.c
          }
          moved {
            from = acme_thing.out
            to   = module.m["k"].acme_thing.in
          }
          module "m" {
            for_each = toset(["k"])
            source   = "./m"
          }
        ]],
        ["m/main.tf"] = 'resource "acme_thing" "in" {}',
      }, {
        schemas = schemas(plain),
        state = state_file { row("a", { { attributes = { id = "was a" } } }), row("out", { { attributes = { id = "was out" } } }) },
      })
      assert.are.equal('"was a"', text(m, "acme_thing.c.id"))
      assert.are.equal('"was out"', text(m, "acme_thing.in.id", { module = 'module.m["k"]' }))
    end)

    it("keep ignored arguments", function()
      local m = opened([=[
        resource "acme_thing" "a" {
          name = "new"
          tags = { a = "new", added = "x" }
          list = ["p", "q"]
          lifecycle { ignore_changes = [name, tags["a"], tags["added"], list[1]] }
        }
        resource "acme_thing" "b" {
          name = "new"
          lifecycle { ignore_changes = all }
        }
        resource "acme_thing" "c" {
          tags = terraform_data.new.output
          lifecycle { ignore_changes = [tags["a"]] }
        }
        resource "terraform_data" "new" { input = {} }
      ]=], {
        schemas = schemas(plain),
        state = state_file {
          row("c", { { attributes = { id = "k", tags = { a = "old" } } } }),
          row("a", { { attributes = { id = "i", name = "old", tags = { a = "old" }, list = { "r", "s" } } } }),
          row("b", { { attributes = { id = "j", name = "old", list = { "kept" } } } }),
        },
      })
      assert.are.equal('"old"', text(m, "acme_thing.a.name"))
      assert.are.equal('tomap({\n  "a" = "old"\n})', text(m, "acme_thing.a.tags"))
      assert.are.equal('tolist([\n  "p",\n  "s",\n])', text(m, "acme_thing.a.list"))
      assert.are.equal('tolist([\n  "kept",\n])', text(m, "acme_thing.b.list"))
      -- Nothing in an unknown map can be ignored.
      assert.are.equal("(known after apply)", text(m, "acme_thing.c.tags"))
    end)

    it("keeps what terraform_data stores until its version or, without one, its input is another", function()
      local function stored(attributes)
        return { mode = "managed", type = "terraform_data", name = attributes.name, instances = { {
          attributes = { id = "i", store = { output = { value = "x", type = "string" }, version = attributes.version } },
        } } }
      end
      local one = { value = 1, type = "number" }
      local m = opened([[
        resource "terraform_data" "same" {
          store {
            input   = "y"
            version = 1
          }
        }
        resource "terraform_data" "other" {
          store {
            input     = "y"
            version   = 2
            sensitive = true
            replace   = true
          }
        }
        resource "terraform_data" "plain" {
          store { input = "x" }
        }
        resource "terraform_data" "secret" {
          store {
            input     = "x"
            sensitive = true
          }
        }
      ]], { state = state_file { stored { name = "same", version = one }, stored { name = "other", version = one },
                                 stored { name = "plain" }, stored { name = "secret" } } })
      hcl.assert(m:plan())
      -- All as Terraform answers over such a state.
      for source, expected in pairs {
        ["same.store.output"] = '"x"', ["other.store.sensitive_output"] = "(known after apply)", ["other.id"] = "(known after apply)",
        ["plain.store.output"] = '"x"', ["secret.store.output"] = "null", ["secret.store.sensitive_output"] = "(sensitive value)",
        ["secret.id"] = '"i"',
      } do
        assert.are.equal(expected, text(m, "terraform_data." .. source))
      end
      assert.are.equal('"x"', text(m, "nonsensitive(terraform_data.secret.store.sensitive_output)"))
    end)

    it("is read from a path, and its outputs are the module's", function()
      local dir = support.temporary_folder()
      local path = dir .. "/terraform.tfstate"
      support.write(path, [[{ "version": 4, "resources": [
          { "mode": "managed", "type": "acme_thing", "name": "a", "instances": [ { "attributes": { "id": "i", "list": [] } } ] } ],
        "outputs": { "old": { "value": [], "type": ["list", "string"] },
          "secret": { "value": 1, "type": "number", "sensitive": true } } }]])
      local m = opened('resource "acme_thing" "a" {}\noutput "now" { value = acme_thing.a.id }', { state = path })
      assert.are.equal("[]", text(m, "acme_thing.a.list"))
      local outputs = hcl.assert(m:outputs())
      assert.are.equal("tolist([])", tostring(outputs.old))
      assert.are.equal("(sensitive value)", tostring(outputs.secret))
      assert.is_nil(outputs.now)
      assert.are.equal("i", hcl.assert(m:plan()).outputs.now:text())
    end)
  end)

  describe("of another folder's state", function()
    local function remote(arguments) return 'data "terraform_remote_state" "r" {\n  backend = "local"\n' .. arguments .. "\n}" end

    it("have its outputs, of older versions too", function()
      for state, outputs in pairs {
        ['{ "version": 4, "outputs": { "l": { "value": ["x"], "type": ["list", "string"], "sensitive": true } } }']
          = 'tolist([\n  "x",\n])',
        ['{ "version": 3, "modules": [{ "path": ["root"], "outputs": { "l": { "value": ["x"], "type": "list" } } }, '
          .. '{ "path": ["root", "a"], "outputs": { "l": { "value": "y", "type": "string" } } }] }'] = 'tolist([\n  "x",\n])',
        ['{ "version": 4 }'] = "null",
      } do
        local m = opened { ["main.tf"] = remote 'config = { path = "${path.module}/s.tfstate" }', ["s.tfstate"] = state }
        assert.are.equal(outputs, text(m, "try(data.terraform_remote_state.r.outputs.l, null)"))
        hcl.assert(m:plan())
      end
    end)

    it("aren't read from a file if the callback gives them", function()
      local given = { outputs = { l = "given" } }
      local m = opened({ ["main.tf"] = remote 'config = { path = "../outside.tfstate" }' }, { resource = function() return given end })
      assert.are.equal('"given"', text(m, "data.terraform_remote_state.r.outputs.l"))
      assert.are.same({}, m:missing())
      -- Without an answer the file counts.
      given = nil
      m = opened({ ["main.tf"] = remote 'config = { path = "s.tfstate" }', ["s.tfstate"] = '{ "version": 4 }' },
        { resource = function() return given end })
      assert.are.equal("{}", text(m, "data.terraform_remote_state.r.outputs"))
    end)

    it("are rejected without one, and without showing secrets", function()
      -- Terraform: "Unable to find remote state", at the workspace if there is one.
      for arguments, expected in pairs {
        ['config = { path = sensitive("SECRET") }'] = "1:35", ['workspace = sensitive("SECRET")'] = "3:13", ["config = {}"] = "1:35",
      } do
        local plan, err = opened(remote(arguments)):plan()
        assert.is_nil(plan)
        assert.are.same({ "module.data", expected }, { codes(err), place(err[1]) })
        assert.is_nil(err[1].detail:find("SECRET", 1, true))
        assert.is_truthy(err[1].detail:find("No state is there", 1, true))
      end
    end)

    it("are rejected if the file isn't a state", function()
      for _, state in ipairs { "", "x", "[1]", "5", '{ "version": 99 }', '{ "version": 4, "outputs": { "a": { "value": 1 } } }',
                               '{ "version": 4, "outputs": { "a": { "value": "SECRET", "type": "number" } } }' } do
        local m = opened { ["main.tf"] = remote 'config = { path = "${path.module}/s.tfstate" }', ["s.tfstate"] = state }
        local plan, err = m:plan()
        assert.is_nil(plan)
        assert.are.equal("module.data", codes(err))
        assert.is_nil(tostring(err):find("SECRET", 1, true))
      end
    end)
  end)

  describe("asked of the callback", function()
    it("are described, and those of a state aren't asked for", function()
      local asked = {}
      local m = opened([[
        resource "acme_thing" "there" {}
        resource "acme_thing" "new" {
          count = 1
          name  = "n"
        }
        data "acme_thing" "d" { name = "x" }
      ]], {
        state = state_file { row("there", { { attributes = { id = "i" } } }) },
        resource = function(r)
          asked[#asked + 1] = ("%s %s %s %s %s %q %s"):format(r.address, r.mode, r.type, r.name, tostring(r.key), r.module,
            r.config:get("name"):text())
          return { id = r.address }
        end,
      })
      hcl.assert(m:plan())
      table.sort(asked)
      assert.are.same({ 'acme_thing.new[0] managed acme_thing new 0 "" n', 'data.acme_thing.d data acme_thing d nil "" x' }, asked)
      assert.are.equal('"acme_thing.new[0]"', text(m, "acme_thing.new[0].id"))
      assert.are.equal('"i"', text(m, "acme_thing.there.id"))
    end)

    it("may wait for the answer", function()
      local m = opened('data "acme_thing" "d" { name = "x" }\noutput "o" { value = upper(data.acme_thing.d.id) }', {
        resource = function(r) return { id = coroutine.yield(r.address) } end,
      })
      local task = coroutine.wrap(function() return hcl.assert(m:plan()) end)
      assert.are.equal("data.acme_thing.d", task())
      assert.are.equal("LATER", task("later").outputs.o:text())
    end)

    it("raise what it raises", function()
      local m = opened('data "acme_thing" "d" {}', { resource = function() error("no network", 0) end })
      local ok, why = pcall(m.plan, m)
      assert.is_false(ok)
      assert.are.equal("no network", why)
    end)

    it("fail with its message, at the body", function()
      local m = opened('data "acme_thing" "d" {\n}\noutput "o" { value = data.acme_thing.d.id }\noutput "p" { value = 1 }', {
        resource = function() return nil, "not there" end,
      })
      local plan, err, partial = m:plan()
      assert.is_nil(plan)
      assert.are.equal("module.data", codes(err))
      assert.are.equal("1:23", place(err[1]))
      assert.is_truthy(err[1].detail:find("not there", 1, true))
      assert.are.equal("1", partial.outputs.p:text())
    end)

    it("have its values by the schema", function()
      local m = opened('resource "acme_thing" "a" {}\ndata "acme_thing" "d" {}\ndata "acme_thing" "v" {}', {
        schemas = schemas(plain),
        resource = function(r)
          if r.name == "v" then return hcl.value { size = 1, secret = "q" } end
          return { size = "12", list = {}, secret = "s", nothing = 1 }
        end,
      })
      assert.are.equal("12", text(m, "data.acme_thing.d.size"))
      assert.are.equal("tolist([])", text(m, "acme_thing.a.list"))
      assert.are.equal("(sensitive value)", text(m, "acme_thing.a.secret"))
      assert.are.equal("(known after apply)", text(m, "acme_thing.a.id"))
      assert.are.equal("1", text(m, "data.acme_thing.v.size"))
      assert.are.equal("(sensitive value)", text(m, "data.acme_thing.v.secret"))
    end)

    it("are rejected if it gives invalid values", function()
      local m = opened('data "acme_thing" "d" {}', { schemas = schemas(plain), resource = function() return { size = "many" } end })
      local plan, err = m:plan()
      assert.is_nil(plan)
      assert.are.equal("module.data", codes(err))
      m = opened('data "acme_thing" "d" {}', { resource = function() return 5 end })
      local ok, why = pcall(m.plan, m)
      assert.is_false(ok)
      assert.is_truthy(why:find("gave a number for data.acme_thing.d", 1, true))
    end)

    it("keep the marks that the configuration gave them", function()
      local m = opened('data "acme_thing" "d" { tags = { a = sensitive("s"), b = "t" } }', {
        schemas = schemas(plain), resource = function() return { tags = { a = "s", b = "t" } } end,
      })
      assert.are.equal('tomap({\n  "a" = (sensitive value)\n  "b" = "t"\n})', text(m, "data.acme_thing.d.tags"))
    end)
  end)

  describe("read by nobody", function()
    it("leave instances unknown, with a warning", function()
      local m = opened({
        ["main.tf"] = [[
          data "acme_thing" "d" {}
          resource "acme_thing" "a" { count = data.acme_thing.d.size }
          module "m" {
            source   = "./m"
            for_each = toset(data.acme_thing.d.names)
          }
          output "o" { value = [acme_thing.a, module.m] }
        ]],
        ["m/main.tf"] = 'output "x" { value = 1 }',
      })
      local plan = hcl.assert(m:plan())
      assert.are.equal("module.unread module.unread", codes(plan.warnings))
      assert.are.equal("[\n  (known after apply),\n  (known after apply),\n]", tostring(plan.outputs.o))
    end)

    it("are an error if only an apply knows them, as a callback for providers may say", function()
      local source = 'resource "acme_thing" "a" {}\nresource "acme_thing" "b" { count = acme_thing.a.size }'
      local plan, err = opened(source, { resource = function() return nil end }):plan()
      assert.is_nil(plan)
      assert.are.equal("module.count", codes(err))
      assert.are.equal("module.unread", codes(hcl.assert(opened(source):plan()).warnings))
      plan, err = opened('resource "terraform_data" "a" {}\nresource "acme_thing" "b" { count = length(terraform_data.a.id) }'):plan()
      assert.is_nil(plan)
      assert.are.equal("module.count", codes(err))
    end)
  end)

  describe("with a schema", function()
    it("may have an attribute of objects written as blocks", function()
      local block = { attributes = { rule = { type = { "list", { "object", { port = "number", note = "string" } } }, optional = true,
                                              computed = true } } }
      local m = opened([[
        resource "acme_thing" "a" {
          rule { port = "80" }
          dynamic "rule" {
            for_each = ["x"]
            content { note = rule.value }
          }
        }
        resource "acme_thing" "b" { rule = [{ port = 1, note = null }] }
        resource "acme_thing" "c" {}
      ]], { schemas = schemas(block) })
      hcl.assert(m:plan())
      assert.are.equal('tolist([\n  {\n    "note" = tostring(null)\n    "port" = 80\n  },\n  {\n    "note" = "x"\n    '
        .. '"port" = tonumber(null)\n  },\n])',
        text(m, "acme_thing.a.rule"))
      assert.are.equal("1", text(m, "acme_thing.b.rule[0].port"))
      assert.are.equal("(known after apply)", text(m, "acme_thing.c.rule"))
    end)

    it("may compute unwritten blocks, if the provider is an old one", function()
      local id = { type = "string", optional = true, computed = true }
      local disk = { nesting_mode = "list", block = { attributes = { size = { type = "number", optional = true, computed = true } } } }
      local note = { nesting_mode = "list", block = { attributes = { text = { type = "string", optional = true } } } }
      local old = schemas { attributes = { id = id }, block_types = { disk = disk, note = note } }
      local source = 'resource "acme_thing" "a" {}\nresource "acme_thing" "b" {\n  disk {\n    size = 2\n  }\n}\n'
        .. 'data "acme_thing" "c" { id = acme_thing.a.id }'
      local m = opened(source, { schemas = old })
      hcl.assert(m:plan())
      -- Terraform plans root_block_device of aws_instance this way; such blocks of data that isn't read yet are empty.
      assert.are.equal("(known after apply)", text(m, "acme_thing.a.disk[0].size"))
      for source_of, n in pairs { ["acme_thing.a.note"] = "0", ["acme_thing.b.disk"] = "1", ["data.acme_thing.c.disk"] = "0" } do
        assert.are.equal(n, text(m, "length(" .. source_of .. ")"))
      end
      m = opened(source, { schemas = old, state = state_file { row("a", { { attributes = { id = "i", disk = { { size = 8 } } } } }) } })
      hcl.assert(m:plan())
      assert.are.equal("8", text(m, "acme_thing.a.disk[0].size"))
      m = opened(source, { schemas = schemas { attributes = {}, block_types = { disk = disk } } })
      assert.are.equal("0", text(m, "length(acme_thing.a.disk)"))
    end)

    it("have nested attributes, whose parts may be left out", function()
      local nested = { attributes = { a = { type = "string", required = true }, b = { type = "string", optional = true },
                                      c = { type = "string", computed = true } } }
      local function of(mode) return { nested_type = { nesting_mode = mode, attributes = nested.attributes }, optional = true } end
      local m = opened([[
        resource "acme_thing" "a" {
          one  = { a = 1 }
          many = [{ a = "x" }, { a = "y", b = "z" }]
        }
      ]], { schemas = schemas { attributes = { one = of "single", many = of "list", more = of "map" } } })
      hcl.assert(m:plan())
      assert.are.equal('{\n  "a" = "1"\n  "b" = tostring(null)\n  "c" = (known after apply)\n}', text(m, "acme_thing.a.one"))
      assert.are.equal("(known after apply)", text(m, "acme_thing.a.many[1].c"))
      assert.are.equal('"z"', text(m, "acme_thing.a.many[1].b"))
      local value, err = m:value "acme_thing.a.one.nope"
      assert.is_nil(value)
      assert.are.equal("module.attribute", codes(err))
    end)

    it("have ignored paths checked by it, in any number of resources", function()
      local block = {
        attributes = { id = { type = "string", computed = true }, name = { type = "string", optional = true },
                       tags = { type = { "map", "string" }, optional = true } },
        block_types = { disk = { nesting_mode = "list", block = { attributes = { size = { type = "number", optional = true } } } } },
      }
      local source = 'resource "acme_thing" "a" {\n  count = 0\n  lifecycle {\n    ignore_changes = [\n%s\n]\n  }\n}'
      local m = opened(source:format 'id, name, tags.a, tags["a"], disk[0].size', { schemas = schemas(block) })
      local _, err = m:validate()
      local plan, warnings = m:plan()
      -- Terraform warns at the type of the resource: "Redundant ignore_changes element".
      for _, found in ipairs { err, warnings } do
        assert.are.same({ "module.ignored", "1:10" }, { codes(found), place(found[1]) })
      end
      assert.is_not_nil(plan)
      m = opened(source:format 'nosuch,\ndisk[0].nope,\ndisk.size,\nname.x,\nid', { schemas = schemas(block) })
      plan, err = m:plan()
      assert.is_nil(plan)
      local places_of = {}
      for i, d in ipairs(err) do places_of[i] = place(d) end
      assert.are.same({ "5:1", "6:8", "7:5", "8:5" }, places_of)
    end)

    it("keep nothing of write-only values except for their marks", function()
      local block = { attributes = { password = { type = "string", optional = true, write_only = true } } }
      local m = opened([[
        variable "s" {
          default   = "SECRET"
          sensitive = true
        }
        variable "e" {
          default   = "EPHEMERAL"
          ephemeral = true
        }
        resource "acme_thing" "plain" { password = "x" }
        resource "acme_thing" "secret" { password = var.s }
        resource "acme_thing" "passing" { password = var.e }
      ]], { schemas = schemas(block) })
      hcl.assert(m:plan())
      -- Terraform answers this for password_wo of aws_db_instance, and for the input of the store of terraform_data.
      assert.are.equal("tostring(null)", text(m, "acme_thing.plain.password"))
      assert.are.equal("(sensitive value)", text(m, "acme_thing.secret.password"))
      assert.are.equal("tostring(null)", text(m, "nonsensitive(acme_thing.secret.password)"))
      assert.are.equal("tostring(null)", text(m, "acme_thing.passing.password"))
    end)

    it("report an ephemeral value in a block where the body of the resource begins", function()
      local m = opened([[
        variable "e" {
          default   = 1
          ephemeral = true
        }
        resource "terraform_data" "a" {
          dynamic "store" {
            for_each = [1]
            content { version = var.e }
          }
        }
        resource "terraform_data" "b" { input = var.e }
      ]])
      local _, err = m:plan()
      -- As in Terraform: its "Invalid use of ephemeral value" is for the block "store" there.
      assert.are.same({ "module.ephemeral module.ephemeral", "5:39", "11:49" }, { codes(err), place(err[1]), place(err[2]) })
      assert.is_truthy(err[1].detail:find("store.version", 1, true))
    end)

    it("report too few and too many blocks in them", function()
      local inner = { attributes = { x = { type = "number", optional = true } } }
      local block = { block_types = {
        need = { nesting_mode = "list", min_items = 1, block = inner }, few = { nesting_mode = "set", max_items = 1, block = inner },
        one = { nesting_mode = "single", block = inner }, keyed = { nesting_mode = "map", block = inner },
      } }
      local m = opened([[
resource "acme_thing" "a" {
  few {}
  few {}
  one {}
  one {}
}
resource "acme_thing" "b" {
  need { x = 1 }
  keyed "a" { x = 2 }
}]], { schemas = schemas(block) })
      local sound, err = m:validate()
      assert.is_nil(sound)
      local places = {}
      for i, d in ipairs(err) do places[i] = place(d) end
      table.sort(places)
      assert.are.same({ "1:27", "3:7", "5:3" }, places)
      assert.are.equal('tomap({\n  "a" = {\n    "x" = 2\n  }\n})', text(m, "acme_thing.b.keyed"))
      assert.are.equal("{\n  \"x\" = tonumber(null)\n}", text(opened('resource "acme_thing" "a" {\n  need {}\n  one {}\n}',
        { schemas = schemas(block) }), "acme_thing.a.one"))
    end)

    it("belong to the provider that a local name means", function()
      local m = opened([[
        terraform {
          required_providers { ours = { source = "hashicorp/acme" } }
        }
        resource "acme_thing" "a" {
          provider = ours
          nope     = 1
        }
      ]], { schemas = schemas(plain) })
      local sound, err = m:validate()
      assert.is_nil(sound)
      assert.are.equal(1, #err)
      assert.are.equal("6:11", place(err[1]))
    end)

    it("hide undeclared values of a state, whatever configuration they had", function()
      local provider = 'provider["registry.example.com/hashicorp/acme"]'
      for _, configured in ipairs { provider, provider .. ".east", "module.m." .. provider, "registry.example.com/hashicorp/acme" } do
        local gone = row("gone", { { attributes = { secret = "hush" } }, { deposed = "d", attributes = { secret = "hush" } } })
        gone.provider = configured
        local plan = hcl.assert(opened("", { state = state_file { gone }, schemas = schemas(plain) }):plan())
        for _, r in ipairs(plan.gone) do assert.are.equal("(sensitive value)", tostring(r.before:get "secret")) end
      end
    end)

    it("are those of their provider even if the built-in one has a type of the same name", function()
      local types = { terraform_data = { block = { attributes = { input = { type = "number", optional = true } } } },
                      terraform_remote_state = { block = { attributes = { backend = { type = "string", optional = true } } } } }
      local m = opened('terraform {\nrequired_providers {\nacme = { source = "hashicorp/acme" }\n}\n}\n'
        .. 'resource "terraform_data" "a" {\nprovider = acme\ninput = "1"\n}\n'
        .. 'data "terraform_remote_state" "s" {\nprovider = acme\nbackend = "x"\n}\n',
        { schemas = schemas(plain, { resource_schemas = types, data_source_schemas = types }) })
      assert.is_true((m:validate()))
      hcl.assert(m:plan())
      assert.are.equal('{\n  "input" = 1\n}', text(m, "terraform_data.a"))
    end)

    it("leave resources of other providers as they are", function()
      local m = opened('resource "other_thing" "a" { x = 1 }', { schemas = schemas(plain) })
      hcl.assert(m:plan())
      assert.are.equal("1", text(m, "other_thing.a.x"))
      assert.are.equal("(known after apply)", text(m, "other_thing.a.y"))
    end)

    it("survive invalid rows", function()
      local m = opened('resource "acme_thing" "a" { name = 1 }', {
        schemas = schemas { attributes = { name = { type = "string", optional = true }, odd = 4, strange = { type = { "zzz" } } },
                            block_types = { b = 3, c = { nesting_mode = "zzz" } } },
      })
      hcl.assert(m:plan())
      assert.are.equal('"1"', text(m, "acme_thing.a.name"))
    end)

    -- Those of the largest providers have more than limits.output allows an evaluation.
    it("are read from files of any size", function()
      local document = [[{ "provider_schemas": { "example.com/hashicorp/acme": { "resource_schemas": { "acme_thing": { "block": {
        "attributes": { "name": { "type": "string", "optional": true, "description": "%s" } } } } } } } }]]
      local files = { ["main.tf"] = 'resource "acme_thing" "a" { nome = 1 }', ["s.json"] = document:format(("x"):rep(17 * 2 ^ 20)) }
      local m = opened(files, { schemas = "s.json" })
      assert.are.equal("body.argument", codes(select(2, m:validate())))
    end)

    it("are rejected if the document is invalid", function()
      local m, err = module("locals {\n  a = 1\n}\n", { schemas = { format_version = "1.0" } })
      assert.is_nil(m)
      assert.are.equal("module.file", codes(err))
    end)
  end)

  -- Terraform: the null of a secret is secret.
  it("keep nothing of write-only values", function()
    local m = opened([[
      variable "s" {
        sensitive = true
        default   = "x"
      }
      resource "acme_thing" "a" {
        word = "secret"
        part { word = var.s }
      }
    ]], { schemas = schemas {
      attributes = { word = { type = "string", optional = true, write_only = true } },
      block_types = { part = { nesting_mode = "single", block = { attributes = {
        word = { type = "string", optional = true, write_only = true } } } } },
    } })
    hcl.assert(m:plan())
    assert.are.equal("true", text(m, "acme_thing.a.word == null"))
    assert.are.equal("(sensitive value)", text(m, "acme_thing.a.part.word"))
    assert.are.equal("true", text(m, "nonsensitive(acme_thing.a.part.word) == null"))
  end)

  describe("whose provider is the callback", function()
    it("have the marks of an answer in all its parts, and no value of an unknown one", function()
      local function given(answer)
        return opened('resource "acme_thing" "a" {}\noutput "o" { value = acme_thing.a.addr }', { resource = function() return answer end })
      end
      local m = given(hcl.sensitive { addr = "S3KRIT" })
      assert.are.equal("(sensitive value)", text(m, "acme_thing.a.addr"))
      assert.are.equal("module.sensitive", codes(select(2, m:plan())))
      assert.are.equal("(known after apply)", text(given(hcl.unknown "object({ addr = string })"), "acme_thing.a.addr"))
      assert.has_error(function() given(hcl.value { "x" }):plan() end,
        "hclexpr: the option resource gave a tuple for acme_thing.a, not an object")
    end)
  end)

  describe("with functions of their provider", function()
    local more = { functions = { twice = { parameters = { { name = "x", type = "string" } }, return_type = "string" } } }
    local source = [[
      terraform {
        required_providers { acme = { source = "hashicorp/acme" } }
      }
      locals { v = provider::acme::twice("a") }
    ]]

    it("have unknown values of the right type", function()
      local m = opened(source, { schemas = schemas(plain, more) })
      hcl.assert(m:plan())
      assert.are.equal("string", text(m, "type(local.v)"))
      local value, err = m:value "provider::acme::twice([])"
      assert.is_nil(value)
      assert.are.equal("call.argument", codes(err))
    end)

    it("are unknown without a schema, and wrong without such a provider", function()
      local m = opened(source .. 'output "o" { value = [provider::acme::other([], null), "known"] }')
      local plan = hcl.assert(m:plan())
      assert.are.equal('[\n  (known after apply),\n  "known",\n]', tostring(plan.outputs.o))
      assert.are.equal("(known after apply)", text(m, "provider::acme::anything()"))
      local _, err = m:value "provider::amce::twice()"
      assert.are.equal("call.unknown", codes(err))
      assert.truthy(err[1].detail:find('Did you mean the namespace "provider::acme::"?', 1, true))
      assert.falsy(opened((source:gsub("provider::acme", "provider::nope"))):validate())
    end)

    it("take those of the host, if it has them", function()
      local twice = hcl.func { params = { { name = "x", type = "string" } }, impl = function(x) return x .. x end }
      local scope = hcl.scope { functions = { ["provider::acme::twice"] = twice } }
      assert.are.equal('"aa"', text(opened(source, { schemas = schemas(plain, more), scope = scope }), "local.v"))
      assert.are.equal('"aa"', text(opened(source, { scope = scope }), "local.v"))
    end)

    it("accept one of the host without parameters, without calling it early", function()
      local called = 0
      local scope = hcl.scope { functions = { ["provider::acme::now"] = function() called = called + 1 return "noon" end } }
      local functions = { now = { return_type = "string" }, twice = more.functions.twice }
      local m = opened(source, { schemas = schemas(plain, { functions = functions }), scope = scope })
      assert.are.equal(0, called)
      assert.are.equal('"noon"', text(m, "provider::acme::now()"))
    end)
  end)
end)
