-- Resources without a schema: their configured values are known wherever they are used, everything else is unknown.
local hcl = require "hclexpr"
local making = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "making.lua")
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local opened = making.opened
local function text(m, source) return tostring(hcl.assert(m:value(source))) end

local FILES = {
  ["main.tf"] = [[
resource "shop_host" "h" {
  count    = 2
  name     = "n${count.index}"
  secret   = var.secret
  empty    = ""
  none     = []
  key_wo   = "kept by nobody"
  settings = { size = 7 }
}
resource "shop_net" "n" {
  for_each = { a = "10.0.0.0/24" }
  cidr     = each.value
}
resource "shop_disk" "one" { size = 3 }
data "shop_image" "i" { family = "debian" }
resource "shop_port" "p" {
  for_each = { a = 80 }
  net      = shop_net.n[each.key].cidr
}
resource "shop_host" "of" {
  for_each = shop_net.n
  cidr     = each.value.cidr
  id       = each.value.id
}
variable "secret" {
  default   = "hush"
  sensitive = true
}
variable "key" { default = "a" }
locals {
  first = shop_host.h[0]
  all   = [for h in shop_host.h : h]
}
module "m" {
  source = "./m"
  any    = shop_disk.one
  typed  = shop_disk.one
  list   = [shop_disk.one]
  each   = shop_net.n
}
output "direct" { value = shop_disk.one.size }
]],
  ["m/m.tf"] = [[
variable "any" {}
variable "typed" { type = object({ size = number, id = string, tags = optional(list(string), []) }) }
variable "list" { type = list(any) }
variable "each" { type = map(object({ cidr = string, id = string })) }
output "any" { value = var.any }
output "values" { value = [var.any.size, var.typed.size, var.list[0].size, var.each["a"].cidr] }
output "typed" { value = var.typed }
]],
}

local KNOWN = {
  ["a constant key"] = { "shop_host.h[0].name", '"n0"' },
  ["a computed key"] = { "shop_net.n[var.key].cidr", '"10.0.0.0/24"' },
  ["a splat"] = { 'join(",", shop_host.h[*].name)', '"n0,n1"' },
  ["a for"] = { '{ for k, n in shop_net.n : k => n.cidr }.a', '"10.0.0.0/24"' },
  ["a for over a list"] = { 'join(",", [for h in shop_host.h : h.name])', '"n0,n1"' },
  ["values"] = { 'join(",", values(shop_net.n)[*].cidr)', '"10.0.0.0/24"' },
  ["element"] = { "element(shop_host.h, 3).name", '"n1"' },
  ["one"] = { "one(values(shop_net.n)).cidr", '"10.0.0.0/24"' },
  ["a local"] = { "local.first.name", '"n0"' },
  ["a local with a loop"] = { "local.all[1].name", '"n1"' },
  ["a variable's argument"] = { "module.m.any.size", "3" },
  ["variables with types"] = { 'join(",", module.m.values)', '"3,3,3,10.0.0.0/24"' },
  ["each.value"] = { 'shop_host.of["a"].cidr', '"10.0.0.0/24"' },
  ["each.key"] = { 'shop_port.p["a"].net', '"10.0.0.0/24"' },
  ["a condition"] = { "(true ? shop_host.h[0] : null).name", '"n0"' },
  ["a condition with a list"] = { "(true ? [shop_disk.one] : [])[0].size", "3" },
  ["concat"] = { "concat(shop_host.h, [])[1].name", '"n1"' },
  ["lookup"] = { 'lookup(shop_net.n["a"], "cidr", null)', '"10.0.0.0/24"' },
  ["merge"] = { 'merge(shop_net.n["a"], { x = 1 }).cidr', '"10.0.0.0/24"' },
  ["try"] = { 'try(shop_net.n["a"].cidr, "")', '"10.0.0.0/24"' },
  ["the word resource"] = { "resource.shop_disk.one.size", "3" },
  ["data"] = { "data.shop_image.i.family", '"debian"' },
  ["length of instances"] = { "length(shop_host.h)", "2" },
  ["keys of instances"] = { "keys(shop_host.of)[0]", '"a"' },
  ["flatten"] = { "flatten([shop_host.h, [shop_disk.one]])[2].size", "3" },
}

describe("a resource without a schema", function()
  local m
  setup(function() m = opened(FILES) end)
  for name, row in pairs(KNOWN) do
    it("keeps its arguments after " .. name, function() assert.equal(row[2], text(m, row[1])) end)
  end

  it("has no other attribute that is known", function()
    for _, source in ipairs { "shop_disk.one.id", "shop_host.h[0].empty", "shop_host.h[0].none", "shop_host.h[0].key_wo",
      "module.m.any.id",
      'shop_host.of["a"].id', "module.m.typed.id", "module.m.typed.tags" } do
      assert.equal("(known after apply)", text(m, source), source)
    end
  end)

  it("hides what is hidden", function()
    assert.equal("(sensitive value)", text(m, "shop_host.h[0].secret"))
    assert.equal("(sensitive value)", text(m, "local.all[0].secret"))
    local plan = hcl.assert(m:plan())
    for _, resource in ipairs(plan.resources) do assert.is_nil(tostring(resource.value):find("hush", 1, true)) end
    local value = hcl.assert(m:value("jsonencode(shop_host.h)"))
    assert.same({ "sensitive" }, value:marks())
    assert.is_false(value:unmark():is_known())
  end)

  it("accepts ephemeral values, since its schema may have write-only arguments", function()
    local kept = opened [[
variable "token" {
  default   = "hush"
  ephemeral = true
}
resource "shop_secret" "s" {
  name     = "x"
  value_wo = var.token
  other    = var.token
  rule { value_wo = var.token }
}
output "name" { value = shop_secret.s.name }
]]
    assert.is_true((kept:validate()))
    assert.equal("x", hcl.assert(kept:plan()).outputs.name:lua())
    for _, source in ipairs { "shop_secret.s.value_wo", "shop_secret.s.other", "shop_secret.s.rule[0].value_wo" } do
      assert.equal("(known after apply)", text(kept, source), source)
    end
  end)

  it("is in the plan with its known values", function()
    local plan = hcl.assert(m:plan())
    for _, resource in ipairs(plan.resources) do
      if resource.address == "shop_disk.one" then assert.equal('{\n  "size" = 3\n}', tostring(resource.value)) end
    end
    assert.equal("3", tostring(plan.outputs.direct))
  end)
end)

-- The known values of a resource, after every operation that a value may go through. Unknown are values that the types of other values may
-- change ("texts"), and the order of blocks that may be a set ("listed").
local THINGS = {
  { ".name", '"n"' }, { ".ports[1]", "443", texts = false }, { ".settings.level", '"high"' },
  { ".rule[1].port", "80", texts = false, listed = false },
  { ".single[0].size", "1", texts = false }, { ".single[0].deep[0].level", "3", texts = false },
  { ".made[1].text", '"b"', texts = false, listed = false }, { '["name"]', '"n"' }, { ".single[*].size|[0]", "1", texts = false },
}

-- An expression that gives the resource. After "|" the attribute is inserted, before the rest.
local WAYS = {
  ["instances by constant keys"] = { "shop_host.h[1]", 'shop_host.k["a"]' },
  ["instances by computed keys"] = { "shop_host.h[var.one]", "shop_host.k[var.key]", "shop_host.k[keys(shop_host.k)[0]]" },
  ["splats"] = { "shop_host.h[*]|[1]", "values(shop_host.k)[*]|[0]", "one(shop_host.one[*])", "(shop_host.one[*])[0]" },
  ["for"] = {
    "[for h in shop_host.h : h][1]", "{ for k, h in shop_host.k : k => h }.a", "[for k, h in shop_host.k : h][0]",
    "{ for k, h in shop_host.k : k => h... }.a[0]", "[for h in shop_host.h : h if var.yes][0]",
  },
  ["values, element, one"] = { "values(shop_host.k)[0]", "element(shop_host.h, 3)", "one(values(shop_host.k))", "one([shop_host.one])" },
  ["other functions"] = {
    "concat(shop_host.h, [shop_host.one])[2]", "flatten([[shop_host.one]])[0]", "merge({ x = 1 }, shop_host.one)",
    "merge(shop_host.k, {}).a", 'lookup(shop_host.k, "a", null)', 'zipmap(["a"], [shop_host.one]).a', "reverse(shop_host.h)[0]",
    "slice(shop_host.h, 0, 1)[0]", "coalescelist([], [shop_host.one])[0]", "tolist([shop_host.one])[0]", "tomap({ a = shop_host.one }).a",
    "coalesce(shop_host.one, null)", "nonsensitive(sensitive(shop_host.one))", "setproduct([shop_host.one], [1])[0][0]",
  },
  ["locals"] = { "local.one", "local.all[1]", "local.wrap.a[0]", "local.loop[var.key]" },
  ["variables and outputs"] = { 'module.m["a"].any', 'values(module.m)[*].any|[0]', 'module.m["a"].map["a"]', 'module.m["a"].host' },
  ["variables with types"] = { 'module.m["a"].typed', listed = true },
  ["variables of collections"] = { 'module.m["a"].list[0]', texts = true },
  ["each.value"] = { 'module.m["a"].each' },
  ["conditions"] = { "(var.yes ? shop_host.one : null)", "(var.yes ? [shop_host.one] : [])[0]", "(var.yes ? shop_host.k : null).a" },
  ["conditions beside another"] = { "(var.yes ? shop_host.one : shop_host.h[0])", texts = true },
  ["data sources"] = { "[data.shop_host.d][0]", "merge(data.shop_host.d, {})" },
}

describe("what a resource without a schema says", function()
  local BODY = [[
  name     = "n"
  ports    = [80, 443]
  settings = { level = "high" }
  rule { port = 22 }
  rule { port = 80 }
  single {
    size = 1
    deep { level = 3 }
  }
  dynamic "made" {
    for_each = ["a", "b"]
    content { text = made.value }
  }
}
]]
  local m
  setup(function()
    m = opened {
      ["main.tf"] = 'resource "shop_host" "h" {\n  count = 2\n' .. BODY .. 'resource "shop_host" "k" {\n  for_each = { a = 1 }\n' .. BODY
        .. 'resource "shop_host" "one" {\n' .. BODY .. 'data "shop_host" "d" {\n' .. BODY .. [[
variable "one" { default = 1 }
variable "key" { default = "a" }
variable "yes" { default = true }
locals {
  one  = shop_host.one
  all  = shop_host.h
  wrap = { a = [shop_host.one] }
  loop = { for k, h in shop_host.k : k => h }
}
module "m" {
  source   = "./m"
  for_each = shop_host.k
  any      = shop_host.one
  each     = each.value
  list     = shop_host.h
  map      = shop_host.k
  typed    = shop_host.one
  inner    = { host = shop_host.one }
}
]],
      ["m/m.tf"] = [[
variable "any" {}
variable "each" {}
variable "list" { type = list(any) }
variable "map" { type = map(any) }
variable "inner" { type = object({ host = any }) }
variable "typed" {
  type = object({
    name     = string
    ports    = list(number)
    settings = object({ level = string })
    rule     = list(object({ port = number }))
    made     = list(object({ text = string }))
    single   = list(object({ size = number, deep = set(object({ level = number })) }))
  })
}
output "any" { value = var.any }
output "each" { value = var.each }
output "list" { value = var.list }
output "map" { value = var.map }
output "host" { value = var.inner.host }
output "typed" { value = merge(var.typed, { single = [for s in var.typed.single : merge(s, { deep = tolist(s.deep) })] }) }
]],
    }
  end)

  for name, ways in pairs(WAYS) do
    it("is found after " .. name, function()
      for _, way in ipairs(ways) do
        for _, thing in ipairs(THINGS) do
          local before, after = way:match "^(.*)|(.*)$"
          local path, rest = thing[1]:match "^(.*)|(.*)$"
          local source = (before or way) .. (path or thing[1])
          if before then source = "(" .. source .. ")" .. after end
          if rest then source = "(" .. source .. ")" .. rest end
          local known = not (ways.texts and thing.texts == false or ways.listed and thing.listed == false)
          assert.equal(known and thing[2] or "(known after apply)", text(m, source), source)
        end
      end
    end)
  end
end)

-- Objects and sequences as arguments: in an object a provider may have a value for attributes that are null, empty or not written, it may
-- make a map of the object, and a list or set of a sequence.
local COMPOSITE = [=[
resource "shop_host" "h" {
  account = { id = 7, name = null, note = "", list = [], key_wo = "NESTED", deep = { a = 1, key_wo = var.token } }
  peers   = [{ id = 1 }, { id = 2, key_wo = "LISTED" }]
  one     = [{ id = 1 }]
  tags    = { Name = "n" }
  typed   = tomap({ Name = "n" })
  ids     = ["b", "a", "b"]
  zones   = ["x", "y"]
  ports   = toset([80])
  odd     = [null, "", []]
  given   = var.given
  hidden  = { secret = var.secret, open = 1, empty = sensitive("") }
  rule {
    match = { path = "/", host = null, key_wo = "BLOCK" }
  }
  dynamic "made" {
    for_each = ["k"]
    content { to = { name = made.value, key_wo = "DYNAMIC" } }
  }
}
resource "shop_host" "of" {
  account = shop_host.h.account
  ids     = shop_host.h.ids
  zones   = shop_host.h.zones
  tags    = merge(shop_host.h.tags, { more = "", key_wo = "MERGED" })
}
variable "token" {
  default   = "EPHEMERAL"
  ephemeral = true
}
variable "secret" {
  default   = "SENSITIVE"
  sensitive = true
}
variable "given" {
  type    = object({ a = string, b = optional(string) })
  default = { a = "x" }
}
variable "key" { default = "id" }
locals {
  account = shop_host.h.account
  each    = [for p in shop_host.h.one : p]
}
module "m" {
  source  = "./m"
  account = shop_host.h.account
  zones   = shop_host.h.zones
  ids     = shop_host.h.ids
}
output "account" { value = shop_host.h.account }
output "zones" { value = shop_host.h.zones }
output "rule" { value = shop_host.h.rule[0].match }
]=]
local COMPOSITE_MODULE = [[
variable "account" { type = object({ id = number, name = optional(string, "default") }) }
variable "zones" { type = list(string) }
variable "ids" { type = list(string) }
output "id" { value = var.account.id }
output "name" { value = var.account.name }
output "zone" { value = var.zones[0] }
output "first" { value = var.ids[0] }
output "n" { value = length(var.ids) }
]]

-- nil: unknown.
local COMPOSITES = {
  -- written values
  ["account.id"] = "7", ["account[var.key]"] = "7", ["account.deep.a"] = "1", ["peers[1].id"] = "2", ["one[*].id|[0]"] = "1",
  ["one|one(%s).id"] = "1", ["tags.Name"] = '"n"', ["typed.Name"] = '"n"', ["ids[0]"] = '"b"', ["odd[1]"] = '""', ["given.a"] = '"x"',
  ["rule[0].match.path"] = '"/"', ["made[0].to.name"] = '"k"', ["hidden.open"] = "1", ["account|lookup(%s, \"id\", 0)"] = "7",
  ["hidden.secret"] = "(sensitive value)",
  ["hidden|issensitive(%s.empty)"] = "true", ["account|try(%s.id, 0)"] = "7", ["account|(var.key == \"\" ? null : %s).id"] = "7",
  ["account|merge(%s, { id = 8 }).id"] = "8",
  -- values that hold in each case
  ["account|%s != null"] = "true", ["account|%s == { id = 8 }"] = "false", ["tags|%s == {}"] = "false", ["tags|length(%s) > 0"] = "true",
  ["ids|contains(%s, \"a\")"] = "true", ["ids|contains(%s, \"c\")"] = "false", ["ids|join(\",\", sort(toset(%s)))"] = '"a,b"',
  ["ids|length(%s) < 4"] = "true", ["zones|length(%s)"] = "2", ["zones|join(\",\", %s)"] = '"x,y"', ["peers|length(%s)"] = "2",
  ["zones|jsonencode({ z = %s })"] = [=["{\"z\":[\"x\",\"y\"]}"]=], ["zones|flatten([%s])[1]"] = '"y"', ["ports|%s[0]"] = "80",
}
local UNKNOWN = {
  "account.name", "account.note", "account.list", "account.zz", "account.key_wo", "account.deep.key_wo", "rule[0].match.host",
  "rule[0].match.key_wo", "made[0].to.key_wo", "peers[0].name", "peers[1].key_wo", "odd[0]", "odd[2]", "given.b", "given.zz", "tags.zz",
  "typed.zz",
  "account|can(%s.name)", "account|try(%s.name, 1)", "account|lookup(%s, \"name\", 1)", "account|length(%s)", "account|keys(%s)",
  "account|%s == { id = 7, deep = { a = 1 } }", "account|jsonencode(%s)", "account|[for k, v in %s : k]", "tags|%s == { Name = \"n\" }",
  "tags|length(%s)",
  "typed|keys(%s)", "account|contains(keys(%s), \"name\")", "peers|%s[*].id", "peers|[for p in %s : p.id]", "peers|can(%s[0].name)",
  "ids|length(%s)", "ids|join(\",\", %s)", "ids|tolist(%s)[0]", "ids|%s == [\"b\", \"a\", \"b\"]",
  "ids|%s == tolist([\"b\", \"a\", \"b\"])",
  "ids|[for i in %s : i]", "ids|can(%s[0])", "zones|%s == [\"x\", \"y\"]", "zones|[for k, z in %s : k]", "zones|try(%s[0], 1)",
  "ports|%s == toset([80])",
}

local function of_host(host, path)
  local name, around = path:match "^([^|]*)|(.*)$"
  local source = host .. "." .. (name or path)
  if not around then return source end
  return around:find("%s", 1, true) and around:gsub("%%s", function() return source end) or "(" .. source .. ")" .. around
end

describe("an object or a sequence as an argument without a schema", function()
  local m
  setup(function() m = opened { ["main.tf"] = COMPOSITE, ["m/m.tf"] = COMPOSITE_MODULE } end)

  it("has its written values, and those that hold for any type", function()
    for path, answer in pairs(COMPOSITES) do assert.equal(answer, text(m, of_host("shop_host.h", path)), path) end
  end)

  it("leaves open what a schema may change", function()
    for _, path in ipairs(UNKNOWN) do
      local source = of_host("shop_host.h", path)
      assert.is_false(hcl.assert(m:value(source)):unmark():is_wholly_known(), source)
    end
  end)

  it("stays so wherever it is used", function()
    for source, answer in pairs {
      ["local.account.id"] = "7", ["local.each[0].id"] = "1", ["module.m.id"] = "7", ["module.m.zone"] = '"x"',
      ["shop_host.of.account.id"] = "7", ["shop_host.of.zones[1]"] = '"y"', ["shop_host.of.tags.Name"] = '"n"',
    } do
      assert.equal(answer, text(m, source), source)
    end
    for _,
    source in ipairs { "local.account.name", "can(local.account.zz)", "length(local.each[0])", "module.m.name", "module.m.first",
    "module.m.n",
      "shop_host.of.account.name", "shop_host.of.ids[0]", "shop_host.of.tags.more", "shop_host.of.tags.key_wo" } do
      assert.is_false(hcl.assert(m:value(source)):is_known(), source)
    end
  end)

  it("is in the plan as written, without write-only values", function()
    local plan = hcl.assert(m:plan())
    local values = {}
    for _, resource in ipairs(plan.resources) do values[resource.address] = resource.value end
    local h = values["shop_host.h"]
    assert.equal('{\n  "deep" = {\n    "a" = 1\n  }\n  "id" = 7\n  "list" = []\n  "name" = null\n  "note" = ""\n}',
    tostring(h:get "account"))
    assert.equal("set", h:get "ports":type():kind())
    assert.equal("map", h:get "typed":type():kind())
    assert.same({ "b", "a", "b" }, h:get "ids":lua())
    assert.equal('[\n  null,\n  "",\n  [],\n]', tostring(h:get "odd"))
    assert.equal('{\n  "Name" = "n"\n  "more" = ""\n}', tostring(values["shop_host.of"]:get "tags"))
    local shown = tostring(hcl.assert(m:plan_json()):get "planned_values") .. tostring(hcl.assert(m:plan_json()):get "resource_changes")
    for _, resource in ipairs(plan.resources) do shown = shown .. tostring(resource.value) end
    for name, output in pairs(plan.outputs) do shown = shown .. name .. tostring(output) end
    for _, secret in ipairs { "NESTED", "LISTED", "BLOCK", "DYNAMIC", "MERGED", "EPHEMERAL", "SENSITIVE" } do
      assert.is_nil(shown:find(secret, 1, true), secret)
    end
  end)
end)

describe("a resource whose number of instances isn't known", function()
  it("may have attributes of any type", function()
    local source = 'variable "n" { type = number }\nresource "shop_host" "h" {\n  count = var.n\n}\n'
    local m = opened({ ["main.tf"] = source }, { missing = "unknown" })
    assert.equal("(known after apply)", text(m, 'tolist([shop_host.h[0].zones, tolist(["a"])])[0]'))
  end)
end)

describe("a run after an apply, without a schema", function()
  it("changes no arguments that are written as before", function()
    local m = opened {
      ["main.tf"] = [[
resource "shop_host" "h" {
  account = { id = 7 }
  ids     = ["b", "a"]
  rule { port = 22 }
}
resource "terraform_data" "of" {
  lifecycle { replace_triggered_by = [shop_host.h] }
}
output "id" { value = terraform_data.of.id }
]],
      ["a.tftest.hcl"] = [[
mock_provider "shop" {}
run "made" {}
run "again" {
  command = plan
  assert {
    condition     = shop_host.h.account.id == 7 && output.id == run.made.id
    error_message = "It is another."
  }
}
]],
    }
    assert.equal("pass", hcl.assert(m:test()).status)
  end)
end)

describe("JSON syntax without a schema", function()
  local m
  setup(function()
    m = opened { ["main.tf.json"] = [[
{ "resource": { "shop_host": { "h": {
  "tags": { "Name": "n", "key_wo": "HUSH", "note": "" }, "rule": [{ "port": 22, "to": { "a": 1, "b": 2 } }],
  "two": [{ "port": 1 }, { "port": 2 }], "ids": ["b", "a"] } } } }
]] }
  end)

  it("has objects that may be blocks", function()
    for source, answer in pairs {
      ["shop_host.h.tags.Name"] = '"n"', ['shop_host.h.tags["Name"]'] = '"n"', ["shop_host.h.tags[0].Name"] = '"n"',
      ["shop_host.h.rule[0].port"] = "22", ["shop_host.h.rule.port"] = "22", ["shop_host.h.rule[0].to.a"] = "1",
      ["shop_host.h.rule[0].to[0].b"] = "2", ["shop_host.h.two[1].port"] = "2", ["shop_host.h.ids[0]"] = '"b"',
      ["length(shop_host.h.two)"] = "2",
    } do
      assert.equal(answer, text(m, source), source)
    end
    for _, source in ipairs { "shop_host.h.tags.key_wo", "shop_host.h.tags.note", "length(shop_host.h.rule[0].to)",
      "length(shop_host.h.tags) > 1", "try(shop_host.h.tags.Name, 1)", "shop_host.h.two[*].port", "jsonencode(shop_host.h.ids)" } do
      assert.is_false(hcl.assert(m:value(source)):is_known(), source)
    end
  end)

  it("shows them as written", function()
    local value = hcl.assert(m:plan()).resources[1].value
    assert.equal('{\n  "Name" = "n"\n  "note" = ""\n}', tostring(value:get "tags"))
    assert.equal("2", tostring(value:get "rule":get(0):get "to":get "b"))
  end)
end)

describe("nested blocks of a resource without a schema", function()
  local m
  setup(function()
    m = opened([[
resource "shop_wall" "w" {
  name = "x"
  rule {
    port = 22
    from = ["0.0.0.0/0"]
    note = ""
    key  = var.key
  }
  dynamic "rule" {
    for_each = [80, 443]
    content {
      port = rule.value
      deep { level = rule.key }
    }
  }
  single { size = 1 }
  dynamic "never" {
    for_each = []
    content { a = 1 }
  }
  dynamic "later" {
    for_each = shop_wall.other.names
    content { a = later.value }
  }
  dynamic "hidden" {
    for_each = sensitive([1])
    content { a = hidden.value }
  }
  label "one" { a = 1 }
  label "two" { a = 2 }
  lifecycle { create_before_destroy = true }
}
resource "shop_wall" "other" {}
variable "key" {
  default   = "hush"
  sensitive = true
}
]])
  end)

  it("are known items", function()
    for source, answer in pairs {
      ["shop_wall.w.rule[1].port"] = "80", ["shop_wall.w.rule[2].deep[0].level"] = "1", ["shop_wall.w.rule[2].deep.level"] = "1",
      ["shop_wall.w.single.size"] = "1", ["shop_wall.w.single[0].size"] = "1", ["one(shop_wall.w.single[*].size)"] = "1",
      ["length(shop_wall.w.rule)"] = "3", ['shop_wall.w.label["two"].a'] = "2", ["shop_wall.w.label.one.a"] = "1",
      ["[for s in shop_wall.w.single : s.size][0]"] = "1", ["shop_wall.w.rule[0].from[0]"] = '"0.0.0.0/0"',
      ["shop_wall.w.rule[0].key"] = "(sensitive value)", ["shop_wall.w.hidden[0].a"] = "(sensitive value)",
      ["issensitive(shop_wall.w.hidden[0].a)"] = "true",
    } do
      assert.equal(answer, text(m, source), source)
    end
  end)

  it("have only values that hold for a list, a set and an object", function()
    for _, source in ipairs { "shop_wall.w.rule[*].port", "shop_wall.w.rule.port", "shop_wall.w.rule[0].note", "shop_wall.w.rule[7]",
      "[for r in shop_wall.w.rule : r.port]", "shop_wall.w.never", "shop_wall.w.later", "shop_wall.w.later[0].a", "shop_wall.w.lifecycle",
      "try(shop_wall.w.rule[0].port, 1)", "shop_wall.w.single.other", "shop_wall.w.absent[0].x" } do
      assert.equal("(known after apply)", text(m, source), source)
    end
  end)

  it("are in the plan as written", function()
    local plan = hcl.assert(m:plan())
    for _, resource in ipairs(plan.resources) do
      if resource.address == "shop_wall.w" then
        local value = resource.value
        assert.same({ "hidden", "label", "later", "name", "rule", "single" }, support.keys(value:lua()))
        assert.equal("(known after apply)", tostring(value:get "later"))
        assert.equal("443", tostring(value:get "rule":get(2):get "port"))
        assert.equal('[\n  {\n    "size" = 1\n  },\n]', tostring(value:get "single"))
        assert.is_nil(tostring(value):find("hush", 1, true))
      end
    end
  end)

  it("are passed to the callback that replaces the provider", function()
    local seen
    local read = opened('data "shop_image" "i" {\n  filter { name = "a" }\n}\noutput "o" { value = data.shop_image.i.id }\n', {
      resource = function(given)
        seen = given.config:get "filter":lua()
        return { id = "image-1" }
      end,
    })
    assert.equal('"image-1"', text(read, "data.shop_image.i.id"))
    assert.same({ { name = "a" } }, seen)
  end)

  it("are unknown where JSON syntax generates them", function()
    local json = opened { ["main.tf.json"] = [[
{ "resource": { "shop_wall": { "w": {
  "name": "x", "rule": [{ "text": "b" }],
  "dynamic": [{ "rule": { "for_each": ["a"], "content": { "text": "${rule.value}" } } },
              { "peer": { "for_each": ["a"], "iterator": "it", "content": { "text": "${it.value}" } } }] } } },
  "output": { "rule": { "value": "${shop_wall.w.rule[0].text}" }, "name": { "value": "${shop_wall.w.name}" } } }
]] }
    assert.is_true((json:validate()))
    local plan = hcl.assert(json:plan())
    assert.equal("x", plan.outputs.name:lua())
    assert.is_false(plan.outputs.rule:is_known())
    assert.equal("(known after apply)", text(json, "shop_wall.w.peer"))
    assert.equal("(known after apply)", text(json, "shop_wall.w.dynamic"))
  end)

  it("of an override replace those of their type", function()
    local over = opened {
      ["main.tf"] = 'resource "shop_wall" "w" {\n  rule { port = 1 }\n  rule { port = 2 }\n  other { a = 1 }\n}\n',
      ["x_override.tf"] = 'resource "shop_wall" "w" {\n  rule { port = 3 }\n}\n',
    }
    assert.equal("3", text(over, "shop_wall.w.rule[0].port"))
    assert.equal("(known after apply)", text(over, "shop_wall.w.rule[1]"))
    assert.equal("1", text(over, "shop_wall.w.other.a"))
  end)
end)
