-- Bundled facts about small providers, compared with the schema files that they are made of; what resources may still have; hosts
-- of providers; the functions of the provider that is part of the language; and checks of documents that another program wrote.
local hcl = require "hclexpr"
local bundled_schemas = require "hclexpr.terraform.read.bundled_schemas"
local wellformed = require "hclexpr.terraform.schema.wellformed"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local here = support.here()

local function open(files)
  local dir = support.folder(files)
  return assert(hcl.module(dir)), dir
end

local function lacks(m)
  local names = {}
  for i, row in ipairs(m:missing()) do names[i] = row.kind .. " " .. row.name end
  return table.concat(names, ", ")
end

describe("facts of small providers", function()
  it("are those of their schemas", function()
    if not pcall(require, "cjson") then return support.note "facts of providers are not compared (lua-cjson)" end
    local facts = dofile(here .. "../../tools/facts.lua")
    assert.equal(facts.text(), support.read(here .. "../../lua/hclexpr/terraform/schema/bundled_facts.lua"))
    for source in pairs(require "hclexpr.terraform.schema.bundled_facts") do assert.is_true(bundled_schemas.knows(source), source) end
  end)

  -- Expected: Terraform's answers with the providers (spec/modules/providers).
  it("type and mark", function()
    local m = open [[
resource "random_password" "p" { length = "12" }
resource "null_resource" "n" { triggers = { a = 1 } }
output "length" { value = random_password.p.length }
output "secret" {
  value     = random_password.p.result
  sensitive = true
}
output "trigger" { value = null_resource.n.triggers.a }
]]
    local plan = assert(m:plan())
    assert.equal("number", tostring(plan.outputs.length:type()))
    assert.equal(12, plan.outputs.length:lua())
    assert.are.same({ "sensitive" }, plan.outputs.secret:marks())
    assert.equal("string", tostring(plan.outputs.secret:type()))
    assert.equal("1", plan.outputs.trigger:lua())
    assert.equal("", lacks(m))
  end)

  it("never reject a name", function()
    for _, text in ipairs {
      'resource "random_pet" "p" { shape = "round" }\n',
      'resource "random_pet" "p" {}\noutput "o" { value = random_pet.p.shape }\n',
      'resource "random_pet" "p" {\n  dynamic "paw" {\n    for_each = [1]\n    content {}\n  }\n}\n',
      'resource "random_pet" "p" {\n  lifecycle {\n    postcondition {\n      condition     = self.shape != ""\n'
        .. '      error_message = "No."\n    }\n  }\n}\n',
      'resource "random_colour" "c" { seed = 1 }\n', 'resource "random_integer" "i" {}\n',
      'resource "random_pet" "p" { id = "x" }\n', 'provider "random" { colour = "red" }\nresource "random_pet" "p" { shape = 1 }\n',
    } do
      local m = open(text)
      assert.is_true((m:validate()), text)
      local plan = assert(m:plan())
      assert.equal(1, #plan.resources)
      assert.equal("schema hashicorp/random", lacks(m))
    end
    local m = open 'resource "random_pet" "p" { shape = "round" }\noutput "o" { value = random_pet.p.shape }\n'
    assert.equal("round", m:plan().outputs.o:lua())
  end)

  it("apply whatever else an argument refers to", function()
    for _, text in ipairs {
      'variable "v" { default = { shape = "2" } }\nresource "random_pet" "p" { length = var.v.shape }\n',
      'locals { v = { shape = "2" } }\nresource "random_pet" "p" { length = local.v.shape }\n',
      'resource "terraform_data" "d" { input = { shape = "2" } }\nresource "random_pet" "p" { length = terraform_data.d.input.shape }\n',
    } do
      local m = open(text)
      assert.equal(2, m:eval "random_pet.p.length")
      assert.equal("", lacks(m))
    end
  end)

  it("follow changes", function()
    local m, dir = open { ["main.tf"] = 'resource "random_pet" "p" { length = "2" }\n', ["out.tf"] = 'output "o" { value = 1 }\n' }
    assert.equal(2, m:eval "random_pet.p.length")
    assert.is_true((m:change(dir .. "/out.tf", 'output "o" { value = random_pet.p.shape }\n')))
    assert.is_false(m:value("random_pet.p.shape"):is_known())
    assert.equal("2", m:eval "random_pet.p.length")
    assert.is_true((m:change(dir .. "/out.tf", 'output "o" { value = random_pet.p.length }\n')))
    assert.equal(2, m:eval "random_pet.p.length")
  end)

  it("hide values of a state, declared or not, fully known or not", function()
    local dir = support.folder 'resource "random_password" "odd" {\n  length = 2\n  odd    = 1\n}\n'
    local function of(name)
      return { mode = "managed", type = "random_password", name = name, provider = 'provider["registry.terraform.io/hashicorp/random"]',
               instances = { { attributes = { id = "none", result = "hush" } } } }
    end
    local m = assert(hcl.module(dir, { state = { version = 4, resources = { of "odd", of "gone" } } }))
    local plan = assert(m:plan())
    assert.equal("(sensitive value)", tostring(plan.gone[1].before:get "result"))
    assert.equal("(sensitive value)", tostring(m:value "random_password.odd.result"))
  end)

  it("yield to a schema file of their provider", function()
    local schemas = { provider_schemas = { ["hashicorp/random"] = { resource_schemas = {
      random_pet = { block = { attributes = { shape = { type = "string", computed = true } } } },
    } } } }
    local dir = support.folder 'resource "random_pet" "p" { length = 2 }\n'
    local m = assert(hcl.module(dir, { schemas = schemas }))
    assert.is_nil((m:validate()))
  end)

  it("are named as the schema of a resource in a plan", function()
    local schemas = { provider_schemas = { ["a/shop"] = { resource_schemas = { shop_x = { block = { attributes = {} } } } } } }
    local dir = support.folder [[
terraform {
  required_providers {
    shop = { source = "a/shop" }
  }
}
resource "shop_x" "x" {}
resource "shop_other" "o" {}
resource "terraform_data" "d" {}
resource "random_pet" "p" {}
resource "random_pet" "odd" { shape = "round" }
resource "acme_x" "a" {}
data "terraform_remote_state" "r" { backend = "local" }
]]
    local m = support.readable(hcl.module(dir, { schemas = schemas, missing = "unknown" }))
    local plan, origins = support.readable(m:plan()), {}
    for _, row in ipairs(plan.resources) do origins[row.address] = row.schema end
    assert.same({ ["shop_x.x"] = "file", ["shop_other.o"] = "none", ["terraform_data.d"] = "builtin", ["random_pet.p"] = "bundled",
                  ["random_pet.odd"] = "none", ["acme_x.a"] = "none", ["data.terraform_remote_state.r"] = "builtin" }, origins)
  end)
end)

describe("providers of one name", function()
  local function folder_of(files)
    return support.folder(files)
  end

  -- Terraform's answers: it distinguishes the two, and refuses to pass one as the other.
  it("are kept apart by their hosts", function()
    local function required(name, source) return name .. ' = { source = "' .. source .. '" }\n' end
    local function of_attribute(name) return { resource_schemas = { own_x = { block = { attributes = {
      [name] = { type = "number", optional = true } } } } } } end
    local head = "terraform {\nrequired_providers {\n"
    local files = {
      ["main.tf"] = head .. required("own", "example.com/a/own") .. required("pub", "registry.terraform.io/a/own") .. '}\n}\n'
        .. 'resource "own_x" "a" { e = 1 }\nresource "own_x" "b" {\nprovider = pub\np = 1\n}\n'
        .. 'module "m" {\nsource = "./m"\nproviders = { own = own }\n}\n',
      ["m/main.tf"] = head .. required("own", "example.com/a/own") .. "}\n}\n",
    }
    local given = { provider_schemas = { ["registry.terraform.io/a/own"] = of_attribute "p", ["example.com/a/own"] = of_attribute "e" } }
    local sound, err = hcl.assert(hcl.module(folder_of(files), { schemas = given })):validate()
    assert.same({ true }, { sound, err })
    files["m/main.tf"] = head .. required("own", "a/own") .. "}\n}\n"
    sound, err = hcl.module(folder_of(files), { schemas = given })
    assert.is_nil(sound)
    assert.same({ "module.provider", 1 }, { err[1].code, #err })
    -- The only provider of its name serves any host: files of another tool have other hosts.
    files["main.tf"] = head .. required("own", "a/own") .. '}\n}\nresource "own_x" "a" { e = 1 }\n'
    given.provider_schemas["registry.terraform.io/a/own"] = nil
    assert.is_true((hcl.assert(hcl.module(folder_of(files), { schemas = given })):validate()))
    -- Of several, the first by name serves.
    for _, host in ipairs { "d.example", "f.example", "g.example", "h.example" } do
      given.provider_schemas[host .. "/a/own"] = of_attribute(host:sub(1, 1))
      given.provider_schemas["e." .. host .. "/a/own"] = of_attribute "no"
    end
    given.provider_schemas["example.com/a/own"] = nil
    files["main.tf"] = files["main.tf"]:gsub("{ e = 1 }", "{ d = 1 }")
    assert.is_true((hcl.assert(hcl.module(folder_of(files), { schemas = given })):validate()))
  end)
end)

-- Answers of Terraform 1.17-dev's console.
describe("functions of the built-in provider", function()
  local m
  setup(function()
    m = open [[
terraform {
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
resource "terraform_data" "a" {}
]]
  end)

  local function call(source) return m:value("provider::terraform::" .. source) end

  it("write expressions", function()
    for source, text in pairs {
      ['"a\\"b\\n$${y}"'] = '"a\\"b\\n$${y}"', ['[1, "a", true, null]'] = '[1, "a", true, null]', ["[]"] = "[]", ["{}"] = "{}",
      ['{ a = 1, "b c" = [2], d = {}, "1x" = { e = "f" } }'] =
        '{\n  "1x" = {\n    e = "f"\n  }\n  a     = 1\n  "b c" = [2]\n  d     = {}\n}',
      ['toset(["b", "a"])'] = '["a", "b"]', ["tomap({ a = 1 })"] = "{\n  a = 1\n}", ["-1.5"] = "-1.5",
      ["1e30"] = "1" .. ("0"):rep(30), ["1e-20"] = "0." .. ("0"):rep(19) .. "1",
    } do
      assert.equal(text, hcl.assert(call("encode_expr(" .. source .. ")")):text(), source)
    end
    for source, prefix in pairs { ["[terraform_data.a.id]"] = "[", ["{ a = terraform_data.a.id }"] = "{" } do
      local text = hcl.assert(call("encode_expr(" .. source .. ")"))
      assert.is_false(text:is_known())
      assert.equal(prefix, text:refinements().prefix)
    end
    assert.same({ "call.argument" }, support.codes(call "encode_expr(null)"))
    assert.equal("sensitive", hcl.assert(call 'encode_expr(sensitive("x"))'):marks()[1])
  end)

  it("write variable files, formatted", function()
    assert.equal('a  = 1\nbb = "x"\nc = [1, {\n  z = null\n}]\n',
      hcl.assert(call 'encode_tfvars({ a = 1, bb = "x", c = [1, { z = null }] })'):text())
    assert.equal("", hcl.assert(call "encode_tfvars({})"):text())
    assert.is_false(hcl.assert(call "encode_tfvars({ a = terraform_data.a.id })"):is_known())
    -- A value of unknown type also gives a text, never null.
    assert.equal("string", tostring(hcl.assert(call "encode_tfvars({ (terraform_data.a.id) = 1 })"):type()))
    for _, source in ipairs { '{ "a b" = 1 }', "[1]", '"x"', "null" } do
      assert.is_nil((call("encode_tfvars(" .. source .. ")")), source)
    end
  end)

  it("read such files", function()
    assert.same({ a = 1, b = "x", c = { 1, { d = hcl.null } } },
      hcl.assert(call 'decode_tfvars("a = 1\\nb = \\"x\\"\\nc = [1, { d = null }]\\n")'):lua())
    assert.same({}, hcl.assert(call 'decode_tfvars("")'):lua())
    for _, text in ipairs { "a = ", "b {}\\n", 'a = upper(\\"x\\")\\n', "a = var.x\\n", "a = 1\\na = 2\\n", "1" } do
      assert.is_nil((call('decode_tfvars("' .. text .. '")')), text)
    end
    assert.is_false(hcl.assert(call "decode_tfvars(terraform_data.a.id)"):is_known())
    assert.is_nil((call "nope(1)"))
  end)
end)

describe("a document of another program", function()
  local nan = 0 / 0

  it("keeps the valid parts of a schema", function()
    local good = { type = "string", optional = true, required = false, computed = true, sensitive = true,
                   deprecated = true, write_only = true,
                   description = "what", deprecation_message = "why" }
    local attributes = {
      good = good, types = { type = { "list", { "object", { a = { "set", "nope" }, b = 1, c = { "tuple", { "bool", { "map" }, 7 } } } } } },
      odd = { type = { "nope" }, optional = "true", required = 1, computed = {}, sensitive = 0,
      description = true, deprecation_message = {} },
      nested = { nested_type = { nesting_mode = "map", attributes = { a = { type = "bool" }, [1] = { type = "bool" } } } },
      flat = { nested_type = { nesting_mode = "nope", attributes = {} } }, ["a b"] = { type = "bool" }, text = "bool",
    }
    local blocks = { one = { nesting_mode = "single", min_items = 1, max_items = 1.5, block = "x" }, two = { nesting_mode = "pair" } }
    local read = wellformed.provider({
      provider = { version = nan, block = { attributes = 1, deprecated = "yes", description = "p" } }, functions = { f = {
        parameters = { { name = "a", type = "number", is_nullable = 1 }, "b" }, variadic_parameter = 1,
        return_type = "bool" }, ["a b"] = {} },
      resource_schemas = { r = { version = 2, block = { attributes = attributes, block_types = blocks } }, s = 1 },
      data_source_schemas = "x",
    })
    assert.same({ block = { description = "p" } }, read.provider)
    assert.same({ f = { parameters = { { name = "a", type = "number" } }, return_type = "bool" } }, read.functions)
    assert.same({ version = 2, block = {
      attributes = {
        good = good, odd = { type = "dynamic" }, flat = {},
        types = { type = { "list", { "object", { a = { "set", "nope" }, c = { "tuple", { "bool", { "map", "dynamic" } } } } } } },
        nested = { nested_type = { nesting_mode = "map", attributes = { a = { type = "bool" } } } },
      },
      block_types = { one = { nesting_mode = "single", min_items = 1, block = {} } },
    } }, read.resource_schemas.r)
    assert.is_false(read.resource_schemas.s)
    assert.is_false(read.data_source_schemas.r)
  end)

  it("keeps the valid parts of a state", function()
    local loop = { version = 4 }
    loop.outputs = { me = { value = loop, type = "string", sensitive = "no" }, [1] = {}, text = "x" }
    loop.resources = { { mode = 1, type = "a b", name = "n", tainted = true, instances = { { index_key = true, deposed = 1, status = "x",
      attributes = { n = 1 / 0, m = nan, f = print, t = { "a" } }, dependencies = { "d", 2 } } } } }
    local read = wellformed.state(loop)
    local of = read.outputs.me
    assert.equal("string", of.type)
    assert.is_nil(of.sensitive)
    assert.equal(4, of.value.version)
    assert.is_nil(of.value.outputs.me.value) -- it contains itself
    assert.same({ nil, nil }, { read.outputs[1], read.outputs.text })
    assert.same({ {
      name = "n", instances = { { status = "x", attributes = { n = 1 / 0, t = { "a" } }, dependencies = { "d" } } } } }, read.resources)
  end)
end)
