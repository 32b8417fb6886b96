-- Missing parts of a folder: with the option missing = "unknown" they are unknown and listed, and the rest has its values; otherwise they
-- are errors. Expected: the issue's table of missing things, and for "error" Terraform's reports.
local hcl = require "hclexpr"
local open_module = require "hclexpr.terraform.module"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local function open(files, options)
  local dir = support.folder(files)
  options = options or {}
  options.missing = options.missing or "unknown"
  local m, err, readable = open_module(dir, options, true)
  return m or readable, err, dir
end

-- The missing things, in words.
local function lacks(list)
  local words = {}
  for i, row in ipairs(list) do
    assert.is_true(#row.way > 0)
    words[i] = row.kind .. " " .. row.name .. (row.range and " " .. row.range.start.line or "")
  end
  return table.concat(words, ", ")
end

local function is_unknown(m, source)
  local v, err = m:value(source)
  assert.is_nil(err)
  return not v:unmark():is_known()
end

describe("a folder that lacks something", function()
  it("answers what needs no missing module, whose outputs are unknown", function()
    local m, err = open [[
module "label" {
  source = "cloudposse/label/null"
  name   = local.name
}
module "several" {
  source   = "git::https://example.com/net.git"
  for_each = { a = 1, b = 2 }
  name     = each.key
}
locals { name = "x" }
output "fixed" { value = upper("abc") }
output "id" { value = module.label.id }
output "one" { value = module.several["a"].id }
output "keys" { value = keys(module.several) }
]]
    assert.is_nil(err)
    assert.equal("module module.label 1, module module.several 5", lacks(m:missing()))
    assert.equal("A", m:eval 'upper("a")')
    local plan, wrong = m:plan()
    assert.is_nil(wrong)
    assert.equal("ABC", plan.outputs.fixed:lua())
    assert.is_false(plan.outputs.id:is_known())
    assert.is_false(plan.outputs.one:is_known())
    assert.are.same({ "a", "b" }, plan.outputs.keys:lua())
    assert.equal(lacks(m:missing()), lacks(plan.missing))
    assert.is_true(is_unknown(m, "module.label.tags.Name"))
    assert.is_true((m:validate()))
  end)

  it("lets missing modules feed each other", function()
    local m = open [[
module "a" {
  source = "example/a/null"
  b      = module.b.id
}
module "b" {
  source = "example/b/null"
  a      = module.a.name
}
output "a" { value = [module.a.id, 1] }
]]
    local plan, err = m:plan()
    assert.is_nil(err)
    assert.equal(1, plan.outputs.a:get(1):lua())
    assert.is_true(is_unknown(m, "module.b"))
  end)

  it("reports errors in arguments of a missing module", function()
    local m = open 'module "label" {\n  source = "cloudposse/label/null"\n  name   = local.nope\n}\n'
    local sound, err = m:validate()
    assert.is_nil(sound)
    assert.equal(1, #err)
    assert.equal(3, err[1].range.start.line)
  end)

  it("has unknown variables, with their types and marks", function()
    local m, err = open [[
variable "n" { type = number }
variable "s" {
  type      = string
  sensitive = true
  nullable  = false
}
output "n" { value = var.n }
output "m" {
  value     = var.s
  sensitive = true
}
output "has" { value = nonsensitive(var.s == null) }
]]
    assert.is_nil(err)
    assert.equal("variable var.n 1, variable var.s 2", lacks(m:missing()))
    local plan = assert(m:plan())
    assert.equal("number", tostring(plan.outputs.n:type()))
    assert.are.same({ "sensitive" }, plan.outputs.m:marks())
    assert.is_false(plan.outputs.has:lua())
    assert.equal("", lacks(open('variable "a" {}', { variables = { a = 1 } }):missing()))
  end)

  it("has unknown instances if they depend on that, with a warning", function()
    local m = open [[
variable "n" { type = number }
module "label" {
  source = "cloudposse/label/null"
  a      = 1
}
locals { names = module.label.names }
resource "terraform_data" "a" { count = var.n }
resource "terraform_data" "b" { for_each = toset(local.names) }
output "a" { value = length(terraform_data.a) }
]]
    local plan, err = m:plan()
    assert.is_nil(err)
    assert.equal(2, #plan.warnings)
    assert.truthy(plan.warnings[1].detail:find("var.n", 1, true))
    assert.truthy(plan.warnings[2].detail:find("module.label", 1, true))
    assert.is_false(plan.outputs.a:is_known())
    assert.equal(0, #plan.resources)
  end)

  it("is validated and planned as a called module", function()
    local text = [[
terraform {
  required_providers {
    shop = {
      source                = "acme/shop"
      configuration_aliases = [shop.east]
    }
  }
}
resource "shop_cert" "c" {
  provider = shop.east
  domain   = "x.example"
}
module "m" {
  source    = "./m"
  providers = { shop = shop.east }
}
output "domain" { value = shop_cert.c.domain }
]]
    local child = 'terraform {\n  required_providers {\n    shop = { source = "acme/shop" }\n  }\n}\n'
    local m, err = open { ["main.tf"] = text, ["m/main.tf"] = child }
    assert.is_nil(err)
    assert.is_true((m:validate()))
    assert.equal("x.example", m:plan().outputs.domain:lua())
    assert.equal("provider shop.east 3, schema acme/shop 9", lacks(m:missing()))
    local _, wrong = open({ ["main.tf"] = text, ["m/main.tf"] = child }, { missing = "error" })
    assert.equal("module.provider", wrong[1].code)
  end)

  it("answers despite errors elsewhere", function()
    local m, err = open [[
locals {
  loop = local.back
  back = local.loop
  bad  = upper(1, 2)
  fine = 2
}
output "late" {}
output "fine" { value = local.fine }
variable "v" {
  validation {
    condition = var.v > 1
  }
}
module "gone" { source = "./gone" }
]]
    assert.truthy(err)
    assert.equal(2, m:eval "local.fine")
    for _, name in ipairs { "loop", "bad" } do
      local value, why = m:eval("local." .. name)
      assert.is_nil(value)
      assert.equal("error", why[1].severity)
    end
    assert.is_true(is_unknown(m, "module.gone.x"))
    -- Beside a text, 5 would be one.
    for _, source in ipairs { "module.gone.x", "module.gone", "var.v" } do
      assert.is_true(is_unknown(m, "tolist([" .. source .. ", 5])[1]"), source)
      assert.is_true(is_unknown(m, "true ? 5 : " .. source), source)
    end
    local plan, wrong, known = m:plan()
    assert.is_nil(plan)
    assert.truthy(wrong)
    assert.equal(2, known.outputs.fine:lua())
    local _, why, outputs = m:outputs()
    assert.equal(2, outputs.fine:lua())
    assert.truthy(why)
  end)

  it("has unknown names if a file doesn't parse", function()
    local m, err = open { ["main.tf"] = [[
locals {
  a = var.gone
  b = [terraform_data.gone.id, data.shop_item.gone.id, shop_item.gone.id, module.gone.id]
  c = upper("x")
}
resource "terraform_data" "n" { count = var.elsewhere }
output "o" { value = [local.c, terraform_data.here.input, terraform_data.here.output] }
]], ["x.tf"] = 'resource "terraform_data" "here" {\n  input = 7\n  triggers_replace =\n}\nvariable "gone" {{{\n' }
    assert.equal("file", m:missing()[1].kind)
    for _, d in ipairs(err) do assert.truthy(d.range.filename:find "x%.tf$") end
    for _, name in ipairs { "local.a", "local.b[0]", "local.b[1]", "local.b[2]", "local.b[3]", "local.nowhere", "var.x.y", "shop_item.z.id",
                            "terraform_data.n" } do
      assert.is_true(is_unknown(m, name), name)
    end
    assert.equal("X", m:eval "local.c")
    local plan, wrong, known = m:plan()
    assert.is_nil(plan)
    for _, d in ipairs(wrong) do assert.truthy(d.range.filename:find "x%.tf$") end
    assert.equal("X", known.outputs.o:get(0):lua())
    assert.equal(7, known.outputs.o:get(1):lua())
    assert.is_false(known.outputs.o:get(2):is_known())
    -- Any name could be overridden.
    local broken = open { ["main.tf"] = "locals { a = 1 }\n", ["override.tf"] = "locals {{\n" }
    local value, why = broken:eval "local.a"
    assert.is_nil(value)
    assert.truthy(why)
  end)

  it("names the cause of unknown instances: what their count needs, not the rest of the resource", function()
    local m = open [[
variable "n" {}
data "shop_zones" "all" {}
resource "shop_item" "x" {
  count = length(data.shop_zones.all.names)
  name  = var.n
}
]]
    local plan = hcl.assert(m:plan())
    assert.equal("module.unread", plan.warnings[1].code)
    assert.truthy(plan.warnings[1].detail:find("count comes from data.shop_zones.all,", 1, true), plan.warnings[1].detail)
  end)

  -- The cause of each count or for_each, by the name of its resource; "error" where only an apply knows.
  local function reasons(files, options)
    local m = open(files, options)
    local plan, err = m:plan()
    local found = {}
    for _, d in ipairs(plan and plan.warnings or err or {}) do
      local text = d.range.filename:gsub("^.*/", "") .. ":" .. d.range.start.line
      found[#found + 1] = text .. " " .. (d.severity == "error" and "error" or d.detail:match "comes from ([^,]+), " or d.detail)
    end
    return table.concat(found, "\n")
  end

  local others = [=[
variable "zone" {}
variable "p" { type = string }
resource "aws_cert" "c" { domain = "a.example" }
resource "aws_x" "y" { name = var.p }
resource "aws_many" "m" {
  count = 2
  name  = var.p
  rule { port = var.p }
}
resource "aws_none" "n" { count = length(var.zone) }
resource "terraform_data" "t" { input = var.p }
resource "r" "each" {
  for_each = { a = aws_x.y.arn }
  name     = each.value
}
data "aws_d" "late" { name = var.p }
data "aws_d" "read" { name = "x" }
locals {
  options = { for d in aws_cert.c.options : d.name => { zone = var.zone } }
  both    = [{ id = aws_x.y.arn, n = var.p }, { id = "k", n = "q" }]
  name    = upper(local.deep)
  deep    = join("-", [var.p, "x"])
  off     = false
  listed  = [var.p]
  ten     = concat([for i in range(9) : { n = "n${i}" }], [{ n = var.p }])
}
resource "aws_known" "k" {
  net { family = "a" }
}
data "aws_d" "listed" { names = local.listed }
module "m" {
  source   = "./m"
  for_each = { a = 1 }
  x        = aws_x.y.arn
  z        = each.key
}
]=]
  local keyed = { -- for_each or count of a resource, and its cause
    { "for_each = { for d in aws_cert.c.options : d.name => { zone = var.zone } }", "aws_cert.c.options" },
    { "for_each = merge({ z = var.zone }, local.options)", "aws_cert.c.options" },
    { "for_each = { for b in local.both : b.id => b.n }", "aws_x.y.arn" },
    { "for_each = { for b in local.both : b.n => b.id }", "var.p" },
    { "for_each = zipmap([var.p], [var.zone])", "var.p" },
    { "for_each = { for o in flatten([for b in local.both : [{ k = b.id, v = b.n }]]) : o.k => o.v }", "aws_x.y.arn" },
    { "for_each = toset([aws_x.y.name])", "var.p" },
    { "for_each = toset(aws_many.m[*].id)", "aws_many.m[0].id" },
    { 'for_each = toset(flatten([for m in aws_many.m : [m.name, "x"]]))', "var.p" },
    { "for_each = toset([aws_many.m[1].rule[0].port])", "var.p" },
    { "for_each = toset([terraform_data.t.input])", "var.p" },
    { 'for_each = toset(["a-${local.name}"])', "var.p" },
    { 'count = var.p == "x" ? 1 : 0', "var.p" },
    { 'for_each = toset([r.each["a"].name])', "aws_x.y.arn" },
    { "for_each = toset(aws_none.n[*].name)", "var.zone" },
    { 'for_each = try(aws_known.k.net[0].family, "") == "a" ? { a = 1 } : {}', "aws_known.k.net" },
    { "for_each = toset(data.aws_d.late.ids)", "var.p" },
    { "for_each = toset(data.aws_d.read.ids)", "data.aws_d.read" },
    { "for_each = toset(data.aws_d.listed.ids)", "var.p" },
    { "for_each = local.off ? aws_none.n : {}", "var.zone" }, { "count = length(local.off ? aws_none.n : [])", "var.zone" },
    { "for_each = { for t in local.ten : t.n => 1 }", "var.p" }, { "for_each = { for k, v in local.ten : v.n => 1 if k > 8 }", "var.p" },
    { 'for_each = toset([module.m["a"].out])', "aws_x.y.arn" },
    { "for_each = toset([for k, v in module.m : v.out])", "aws_x.y.arn" },
    { 'for_each = toset(module.m["a"].ids)', 'module.m["a"].aws_sub.s[0].id' },
    { 'count = provider::aws::size("x")', "provider::aws::size()" },
  }
  local inner = [=[
variable "x" {}
variable "z" {}
resource "aws_sub" "s" {
  count = 2
  name  = var.z
}
output "out" { value = "o-${var.x}" }
output "ids" { value = [for s in aws_sub.s : s.id] }
resource "r" "inner" {
  for_each = toset([var.x])
}
]=]

  it("names the cause of unknown keys: the provider of a resource, written values, other sources, and nothing else", function()
    local text, wanted = {}, {}
    for i, row in ipairs(keyed) do
      text[i] = ('resource "r" "r%d" { %s }\n'):format(i, row[1])
      wanted[i] = ("keys.tf:%d %s"):format(i, row[2])
    end
    wanted[#wanted + 1] = "main.tf:10 var.zone"
    wanted[#wanted + 1] = "inner.tf:10 aws_x.y.arn"
    assert.equal(table.concat(wanted, "\n"), reasons {
      ["keys.tf"] = table.concat(text), ["main.tf"] = others, ["m/inner.tf"] = inner,
      ["versions.tf"] = 'terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws" }\n  }\n}\n',
    })
  end)

  it("warns about keys that only a provider knows, with and without a schema", function()
    local text = 'resource "aws_x" "y" {}\nresource "r" "s" { for_each = toset([aws_x.y.arn]) }\n'
    local schemas = { format_version = "1.0", provider_schemas = { ["registry.terraform.io/hashicorp/aws"] = { resource_schemas = {
      aws_x = { version = 0, block = { attributes = { arn = { type = "string", computed = true } } } } } } } }
    assert.equal("main.tf:2 aws_x.y.arn", reasons(text, { missing = "error" }))
    assert.equal("main.tf:2 aws_x.y.arn", reasons(text, { missing = "error", schemas = schemas }))
  end)

  -- Expected: Terraform 1.11.4, which rejects each of these with every value given; for providers, see spec/modules/providers.
  it("is an error if the instances don't depend on something missing", function()
    for _, text in ipairs { "for_each = toset([random_pet.p.id])", "count = length(null_resource.n.id)",
                            "for_each = toset([terraform_data.a.id])", "count = length(terraform_data.a.id)",
                            "for_each = { (uuid()) = var.p }", "for_each = { for k, v in { a = var.p } : terraform_data.a.id => v }" } do
      local m = open('variable "p" {}\nresource "terraform_data" "a" { input = var.p }\nresource "terraform_data" "b" { ' .. text .. " }\n"
        .. 'resource "random_pet" "p" {\n  prefix = var.p\n}\nresource "null_resource" "n" {}\n')
      local _, err = m:plan()
      assert.equal("error", (err or {})[1] and err[1].severity, text)
      assert.truthy(err[1].detail:find("known only after an apply", 1, true))
    end
  end)

  it("names data read during the apply that keys depend on", function()
    local m = open('resource "terraform_data" "a" {}\ndata "shop_zones" "z" {\n  depends_on = [terraform_data.a]\n}\n'
      .. 'data "shop_items" "i" { zone = data.shop_zones.z.id }\nresource "shop_host" "h" { for_each = toset(data.shop_items.i.ids) }\n')
    local _, err = m:plan()
    assert.equal("module.for_each", (err or {})[1] and err[1].code)
    assert.truthy(err[1].detail:find(" data.shop_zones.z is read during the apply, since something that it depends on changes.", 1, true))
  end)

  it("warns about imports whose ids depend on something missing, in the order of the source", function()
    local text = [[
variable "p" { type = string }
variable "all" { type = map(string) }
import {
  to = terraform_data.b
  id = "x/${var.p}"
}
import {
  to = terraform_data.a
  id = "y/${var.p}"
}
import {
  for_each = { k = var.p }
  to       = terraform_data.c[each.key]
  id       = each.value
}
import {
  for_each = var.all
  to       = terraform_data.d[each.key]
  id       = each.value
}
import {
  to       = shop_item.a
  identity = { name = shop_item.b.name }
}
resource "terraform_data" "a" {}
resource "terraform_data" "b" {}
resource "terraform_data" "c" { for_each = { k = 1 } }
resource "terraform_data" "d" { for_each = { k = 1 } }
resource "shop_item" "a" {}
resource "shop_item" "b" {}
]]
    assert.equal("main.tf:5 var.p\nmain.tf:9 var.p\nmain.tf:12 var.p\nmain.tf:17 var.all\nmain.tf:23 shop_item.b.name", reasons(text))
    text = 'resource "terraform_data" "a" {}\nresource "terraform_data" "b" {}\n'
      .. 'import {\n  to = terraform_data.a\n  id = terraform_data.b.id\n}\n'
    assert.equal("main.tf:5 error", reasons(text))
  end)

  it("reports that keys depend on a file outside of the granted folders", function()
    local m = open { ["out/f"] = "x", ["in/main.tf"] = [[
resource "terraform_data" "a" { for_each = fileset("${path.module}/../out", "*") }
resource "terraform_data" "b" { count = length(file("../out/f")) }
]] }
    m = hcl.assert(hcl.module(m.dir .. "/in", { missing = "unknown" }))
    local plan = hcl.assert(m:plan())
    assert.equal(2, #plan.warnings)
    for i, name in ipairs { "out/*", "out/f" } do
      local detail = plan.warnings[i].detail
      assert.truthy(detail:find(name .. ", which is outside of the folders that may be read", 1, true), detail)
    end
  end)

  it("names the cause of other values that must be known", function()
    local m = open [[
variable "p" { type = string }
variable "a" {
  default = 1
  validation {
    condition     = var.a == 1 && var.p != null || true
    error_message = "no"
  }
}
resource "terraform_data" "s" {
  store {
    input     = "x"
    sensitive = var.p == "x"
  }
}
check "c" {
  assert {
    condition     = var.p == "x"
    error_message = "low"
  }
}
]]
    local plan, found = hcl.assert(m:plan()), {}
    for i, d in ipairs(plan.warnings) do
      found[i] = d.code .. " " .. tostring(d.detail:find("comes from var.p, which has no value", 1, true) ~= nil)
    end
    table.sort(found)
    assert.equal("module.assertion true module.unknown true", table.concat(found, " "))
    m = open('variable "p" {}\nvariable "a" {\n  default = 1\n  validation {\n    condition     = var.a > 1\n'
      .. '    error_message = "no ${var.p}"\n  }\n}\n')
    local _, err = m:plan()
    assert.equal("The value breaks this rule, whose message comes from var.p, which has no value.", err[1].detail)
  end)

  it("searches for the cause of a name once, however many need it and however deep it is", function()
    local text = { 'variable "p" {}\nlocals {\n  a0 = var.p\n' }
    for i = 1, 3000 do text[#text + 1] = ('  a%d = "${local.a%d}"\n'):format(i, i - 1) end
    text[#text + 1] = "}\n"
    for i = 1, 300 do text[#text + 1] = ('resource "terraform_data" "r%d" { count = length(local.a3000) }\n'):format(i) end
    local m, asked = open(table.concat(text)), 0
    local explain = require "hclexpr.explain.tree"
    local tree = explain.tree
    explain.tree = function(...)
      asked = asked + 1
      return tree(...)
    end
    local plan = m:plan()
    explain.tree = tree
    assert.equal(300, select(2, tostring(plan.warnings):gsub("comes from var.p,", "")) + tonumber(tostring(plan.warnings)
      :match "(%d+) more" or 0))
    assert.equal(3001 + 300, asked)
  end)

  it("reads a folder for another version of the language, with one warning", function()
    local pinned = 'terraform {\n  required_version = "%s"\n}\noutput "a" {\n  value = 1\n}\n'
    local files = { ["main.tf"] = pinned:format ">= 1.12, < 1.13" .. 'module "x" { source = "./m" }\nmodule "y" { source = "./m" }\n',
                    ["m/main.tf"] = pinned:format "~> 1.5.0" }
    local m, err = open(files)
    assert.is_nil(err)
    local sound, warnings = m:validate()
    assert.is_true(sound)
    assert.equal(2, #warnings)
    for i, text in ipairs { ">= 1.12, < 1.13", "~> 1.5.0" } do
      assert.same({ "warning", "module.version" }, { warnings[i].severity, warnings[i].code })
      assert.equal(("The folder requires Terraform %s, but hclexpr evaluates the language of 1.17.0. Values are shown all the same.")
        :format(text), warnings[i].detail)
    end
    assert.equal(1, m:eval "module.y.a")
    assert.equal(2, #hcl.assert(m:plan()).warnings)
    m, err = open(files, { missing = "error" })
    assert.equal(2, #err)
    for i = 1, 2 do assert.same({ "error", "module.version" }, { err[i].severity, err[i].code }) end
    assert.is_nil((m:eval "module.y.a"))
  end)

  it("reports an unreadable file as just that", function()
    local m = open { ["main.tf"] = "output \"a\" {\n  value = var.x\n}\n", ["b.tf"] = "locals {{\n" }
    assert(support.runs("ln -s ../nowhere/variables.tf '" .. m.dir .. "/a.tf'"))
    hcl.assert(m:reload() or m)
    local unread = {}
    for _, row in ipairs(m:missing()) do
      if row.kind == "file" then unread[#unread + 1] = row.name:match "[^/]*$" .. " " .. tostring(row.unread) end
    end
    assert.equal("a.tf true, b.tf nil", table.concat(unread, ", "))
  end)

  it("says which broken file of the module may declare an undeclared name", function()
    local m = open { ["m/main.tf"] = "", ["torn/main.tf"] = 'output "o" { value = local.deep }\n', ["torn/x.tf"] = "locals {{{\n",
      ["x.tf"] = "locals {{{\n", ["main.tf"] = [[
module "m" { source = "./m" }
module "torn" { source = "./torn" }
resource "terraform_data" "a" { count = try(module.m.gone, local.gone) }
resource "terraform_data" "b" { count = module.torn.o }
]] }
    assert.is_true(is_unknown(m, "terraform_data.a"))
    assert.is_true(is_unknown(m, "terraform_data.b"))
    local text = tostring(m.evaluation.walks.plan:diagnostics()):gsub("%s+", " ")
    for _, wanted in ipairs { "local.gone, which may be declared in " .. m.dir .. "/x.tf",
                              "module.torn.local.deep, which may be declared in " .. m.dir .. "/torn/x.tf" } do
      assert.truthy(text:find(wanted, 1, true), text)
    end
  end)

  it("warns once about a problem in several calls of a module, with the number", function()
    local called = 'data "shop_zones" "all" {}\nresource "shop_item" "x" {\n  for_each = data.shop_zones.all.names\n}\n'
    local m = open { ["m/main.tf"] = called, ["main.tf"] = 'module "a" {\n  source = "./m"\n}\nmodule "b" {\n  source = "./m"\n}\n'
      .. 'module "c" {\n  source = "./m"\n}\n' }
    local text = tostring(hcl.assert(m:plan()).warnings)
    assert.equal(1, select(2, text:gsub("Instances not known", "")))
    assert.truthy(text:find("The same comes up 2 more times here, for other instances.", 1, true), text)
  end)

  it("reports an error in several calls of a module once, and other reasons separately", function()
    local m = open { ["m/main.tf"] = 'variable "f" {}\noutput "o" {\n  value = file(var.f)\n}\n', ["main.tf"] = [[
module "m" {
  source   = "./m"
  for_each = toset(["a", "b", "c", "d", "e"])
  f        = each.key == "e" ? "e.txt" : "none.txt"
}
]] }
    local plan, err = m:plan()
    assert.is_nil(plan)
    assert.equal(5, #err)
    local text = tostring(err)
    assert.equal(1, select(2, text:gsub('"none.txt" can', "")))
    assert.equal(1, select(2, text:gsub('"e.txt" can', "")))
    assert.truthy(text:find("The same comes up 3 more times here, for other instances.", 1, true), text)
  end)

  it("warns about each kind of problem at one place", function()
    local called = 'variable "n" {}\ncheck "c" {\n  assert {\n    condition     = var.n > 1\n    error_message = "low"\n  }\n}\n'
    local m = open { ["m/main.tf"] = called, ["main.tf"] = 'data "shop_zones" "all" {}\nmodule "a" {\n  source = "./m"\n'
      .. '  n      = data.shop_zones.all.n\n}\nmodule "b" {\n  source = "./m"\n  n      = 1\n}\n' }
    local text = tostring(hcl.assert(m:plan()).warnings)
    assert.truthy(text:find("Check not known yet", 1, true), text)
    assert.truthy(text:find("Check failed", 1, true), text)
    assert.is_nil(text:find("for other instances", 1, true), text)
  end)

  -- Expected: Terraform 1.11.4.
  it("treats a terraform.tfvars that is a broken link as missing, but no other file", function()
    local m = open 'variable "a" { default = 1 }\noutput "a" { value = var.a }\n'
    assert(support.runs(("cd '%s' && ln -s nowhere terraform.tfvars && ln -s nowhere terraform.tfvars.json"):format(m.dir)))
    hcl.assert(m:reload())
    assert.equal(1, hcl.assert(m:plan()).outputs.a:lua())
    assert(support.runs(("cd '%s' && ln -s nowhere b.auto.tfvars"):format(m.dir)))
    m:reload()
    assert.is_nil((m:plan()))
  end)

  it("has unknown variables if a file that sets them can't be read, such as an encrypted one", function()
    local text = [[
variable "a" { default = 1 }
variable "b" { type = string }
variable "c" { const = true }
variable "s" {
  default   = "d"
  sensitive = true
}
locals {
  fixed = [1, 2]
  both  = [var.a, "x"]
}
resource "terraform_data" "t" {
  count = var.a
}
output "given" { value = var.b }
]]
    for _, name in ipairs { "terraform.tfvars", "a.auto.tfvars", "terraform.tfvars.json" } do
      local files = { ["main.tf"] = text, [name] = "\0GITCRYPT\0\1\2\255" }
      local m, err = open(files, { settings = { "b=set" }, environment = { TF_VAR_a = "7" } })
      assert.truthy(err[1].range.filename:find(name, 1, true))
      assert.equal(2, m:eval "local.fixed[1]")
      assert.equal("x", m:eval("local.both[1]"))
      assert.equal("set", m:eval "var.b")
      for _, source in ipairs { "var.a", "var.s", "local.both[0]", "terraform_data.t" } do assert.is_true(is_unknown(m, source), source) end
      assert.same({ "sensitive" }, m:value("var.s"):marks())
      local plan, wrong, known = m:plan()
      assert.is_nil(plan)
      assert.truthy(wrong[1].range.filename:find(name, 1, true))
      assert.equal("set", known.outputs.given:lua())
      assert.equal("values " .. m.dir .. "/" .. name, lacks(m:missing()))
      m, err = open(files, { missing = "error" })
      assert.is_nil((m:eval "local.fixed"))
      assert.truthy(err[1].range.filename:find(name, 1, true))
    end
  end)

  it("names an unreadable variable file together with other wrong files", function()
    local m, err = open {
      ["main.tf"] = "variable \"a\" { default = 1 }\nresource \"terraform_data\" \"t\" { count = var.a }\n",
      ["other.tf"] = "variable \"a\" {}\n", ["terraform.tfvars"] = "a = = 2\n",
    }
    local places = {}
    for i, d in ipairs(err) do places[i] = d.range.filename:match "[^/]+$" end
    assert.same({ "terraform.tfvars", "other.tf" }, places)
    assert.is_true(is_unknown(m, "terraform_data.t"))
    assert.equal("values " .. m.dir .. "/terraform.tfvars", lacks(m:missing()))
    m:change(m.dir .. "/terraform.tfvars", "a = 2\n")
    assert.equal("", lacks(m:missing()))
    assert.equal(2, m:eval "length(terraform_data.t)")
  end)

  it("has unknown outputs of a missing state, with a warning", function()
    local text = [[
data "terraform_remote_state" "net" {
  backend = "local"
  config  = { path = "net/terraform.tfstate" }
}
output "subnets" { value = data.terraform_remote_state.net.outputs.subnets }
output "fixed" { value = 1 }
]]
    local m = open(text)
    local plan, err = m:plan()
    assert.is_nil(err)
    assert.equal("module.data warning 1", ("%s %s %d"):format(plan.warnings[1].code, plan.warnings[1].severity, #plan.warnings))
    assert.is_false(plan.outputs.subnets:is_known())
    assert.equal(1, plan.outputs.fixed:lua())
    assert.equal("read", plan.resources[1].action)
    assert.is_true(is_unknown(m, "data.terraform_remote_state.net.outputs.subnets"))
    plan, err = open(text, { missing = "error" }):plan()
    assert.is_nil(plan)
    assert.equal("module.data", err[1].code)
  end)

  it("has unknown outputs of missing modules beside it, and finds them elsewhere", function()
    local files = {
      ["main.tf"] = [[
module "vendored" {
  source = "./vendor/net"
  name   = "n"
}
module "above" {
  source   = "../nowhere"
  for_each = { a = 1 }
}
output "id" { value = module.vendored.id }
output "keys" { value = keys(module.above) }
]],
      ["copies/main.tf"] = 'variable "name" {}\noutput "id" {\n  value = var.name\n}\n',
    }
    local m, err, dir = open(files)
    assert.is_nil(err)
    assert.equal("module module.vendored 1, module module.above 5", lacks(m:missing()))
    local plan = hcl.assert(m:plan())
    assert.is_false(plan.outputs.id:is_known())
    assert.same({ "a" }, plan.outputs.keys:lua())
    assert.is_true((m:validate()))
    local copies = dir .. "/copies"
    m = open(files, { source = function(source) return source == "./vendor/net" and copies or nil end })
    assert.equal("n", m:eval "output.id")
    err = select(2, open(files, { missing = "error" }))
    assert.equal("module.missing module.missing", err[1].code .. " " .. err[2].code)
  end)

  it("has unknown values of files outside of it, and reads none of them", function()
    local files = {
      ["conf/a.txt"] = "secret of the neighbour", ["m/inside.txt"] = "in", ["m/drawn.tftpl"] = "see ${file(path)}",
      ["m/main.tf"] = [[
variable "path" {
  default   = "../conf/b.txt"
  sensitive = true
}
locals {
  text  = file("../conf/a.txt")
  twice = "${file("${path.module}/../conf/a.txt")}!"
  base  = filebase64("../conf/a.txt")
  sum   = filesha256("../conf/a.txt")
  there = fileexists("../conf/a.txt")
  names = fileset("../conf", "*.txt")
  page  = templatefile("../conf/a.txt", {})
  drawn = templatefile("drawn.tftpl", { path = "../conf/a.txt" })
  tried = try(file("../conf/a.txt"), "none")
  can   = can(file("../conf/a.txt"))
  own   = file("inside.txt")
  named = file(var.path)
}
resource "null_resource" "some" { for_each = local.names }
resource "null_resource" "perhaps" { count = local.there ? 1 : 0 }
]],
    }
    local home = support.folder(files)
    local m = hcl.assert(hcl.module(home .. "/m", { missing = "unknown" }))
    local plan = hcl.assert(m:plan())
    local outside = {}
    for _, row in ipairs(plan.missing) do
      if row.kind == "outside" then outside[#outside + 1] = row.name:match "[^/]*$" end
    end
    table.sort(outside)
    assert.are.same({ "(sensitive value)", "*.txt", "a.txt" }, outside)
    local types = { text = "string", twice = "string", base = "string", sum = "string", there = "bool", names = "set(string)",
                    page = "any", drawn = "string", tried = "any", can = "bool", named = "string" }
    for name, wanted in pairs(types) do
      local v = hcl.assert(m:value("local." .. name)):unmark()
      assert.is_false(v:is_known(), name)
      assert.equal(wanted, tostring(v:type()), name)
    end
    assert.equal("in", m:eval "local.own")
    local unread = 0
    for _, warning in ipairs(plan.warnings) do
      if warning.code == "module.unread" then
        unread = unread + 1
        assert.truthy(warning.detail:find("outside of the folders that may be read", 1, true), warning.detail)
      end
    end
    assert.equal(2, unread)
    assert.is_true((m:validate()))

    local granted = hcl.assert(hcl.module(home .. "/m", {
      missing = "unknown", filesystem = home .. "/conf", variables = { path = "inside.txt" },
    }))
    assert.equal("secret of the neighbour", granted:eval "local.tried")
    local strict = hcl.assert(hcl.module(home .. "/m"))
    local ok, err = strict:plan()
    assert.is_nil(ok)
    assert.truthy(tostring(err):find("it is outside the granted folders", 1, true))
    assert.is_nil((hcl.assert(hcl.module(home .. "/m", { missing = "unknown" })):value 'file("none.txt")'))
  end)

  -- Expected: Terraform keeps what is left out null until an apply reads; what is read now may have anything there.
  it("knows of data that a missing value lets be read now only what is written", function()
    local schemas = { format_version = "1.0", provider_schemas = { ["registry.terraform.io/hashicorp/shop"] = { data_source_schemas = {
      shop_zones = { version = 0, block = { attributes = {
        of = { type = "string", optional = true }, a = { type = "string", optional = true }, b = { type = "string", optional = true } } } },
    } } } }
    local text = 'variable "p" {}\nresource "terraform_data" "t" {}\ndata "shop_zones" "z" {\n  of = %s\n  b  = "x"\n}\n'
    for of, open_ended in pairs { ["var.p"] = true, ["terraform_data.t.id"] = false, ['"${var.p}${terraform_data.t.id}"'] = false } do
      local m = open(text:format(of), { schemas = schemas })
      assert.equal(open_ended, is_unknown(m, "data.shop_zones.z.a"), of)
      assert.equal("x", m:eval "data.shop_zones.z.b")
    end
  end)

  it("knows nothing that the complete folder doesn't", function()
    local breaches = {}
    local wrong, answered = dofile(support.root .. "fuzz/lacking.lua").run(12, 1, function(...)
      breaches[#breaches + 1] = table.concat({ ... }, "  ", 1, 3)
    end)
    assert.equal("", table.concat(breaches, "\n"))
    assert.equal(0, wrong)
    assert.is_true(answered > 40)
  end)

  it("is an error in all these cases, unless the program says otherwise", function()
    local text = 'module "label" { source = "cloudposse/label/null" }\n'
    local _, err = open(text, { missing = "error" })
    assert.equal("module.missing", err[1].code)
    local m = open('variable "a" {}\n', { missing = "error" })
    local plan, wrong = m:plan()
    assert.is_nil(plan)
    assert.equal("module.input_missing", wrong[1].code)
    assert.equal("", lacks(m:missing()))
    assert.has_error(function() hcl.module(".", { missing = "no" }) end)
  end)
end)
