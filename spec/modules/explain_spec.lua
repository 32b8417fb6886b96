-- m:explain: why a value of a folder is what it is, through named values to their sources.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local files = {
  ["main.tf"] = [[
variable "env" { type = string }
variable "size" { default = 3 }
variable "token" {
  sensitive = true
  default   = "XSECRETX"
}
variable "given" {}
locals {
  subnets = [{ cidr = "10.0.1.0/24", public = true }, { cidr = var.env, public = false }]
  cidrs   = var.env == "prod" ? [for s in local.subnets : s.cidr if s.public] : [try(var.size.x, "")]
  twice   = [local.cidrs, local.cidrs]
  hidden  = "${var.token}-${var.env}"
  bad     = upper(local.subnets)
  worse   = "${local.bad}-x"
  a0 = var.env
  a1 = local.a0
  a2 = local.a1
}
module "net" {
  source   = "./net"
  for_each = { k = 1 }
  name     = local.cidrs[0]
}
resource "terraform_data" "r" { input = var.env }
output "net" { value = module.net["k"].full }
]],
  ["net/main.tf"] = 'variable "name" {}\nvariable "more" { default = 1 }\noutput "full" { value = "net-${var.name}" }\n',
  ["prod.tfvars"] = '# inputs\nenv = "prod"\n',
}

-- The node with this source.
local function find(tree, source)
  if tree.source == source then return tree end
  for _, child in ipairs(tree.children) do
    local found = find(child, source)
    if found then return found end
  end
end

describe("m:explain", function()
  local m, dir
  setup(function()
    dir = support.temporary_folder()
    assert(support.runs("mkdir '" .. dir .. "/net'"))
    for path, text in pairs(files) do support.write(dir .. "/" .. path, text) end
    m = hcl.assert(hcl.module(dir, { settings = { { file = "prod.tfvars" } }, environment = { TF_VAR_size = "7" },
                                     variables = { given = true } }))
  end)

  it("continues through locals to literal values", function()
    local tree, err = m:explain "local.cidrs"
    assert.is_nil(err)
    assert.equal("main.tf:10", tree.origin)
    assert.equal("prod.tfvars:2", find(tree, "var.env").origin)
    local subnets = find(tree, "local.subnets")
    assert.equal("main.tf:9", subnets.origin)
    assert.equal(2, #subnets.value)
    assert.truthy(find(subnets, "var.env"))
    assert.equal(table.concat({ '["10.0.1.0/24"]',
      '  local.a2      "prod"    main.tf:17',
      '    local.a1    "prod"    main.tf:16',
      '      local.a0  "prod"    main.tf:15',
      '        var.env  "prod"    prod.tfvars:2' }, "\n"):gsub("^[^\n]*", '"prod"'):gsub(" +", " "),
      (tostring(m:explain "local.a2"):gsub(" +", " ")))
  end)

  it("gives the sources of variables' values", function()
    assert.equal("prod.tfvars:2", (m:explain "var.env").origin)
    assert.equal("environment variable TF_VAR_size", (m:explain "var.size").origin)
    assert.equal("option variables.given", (m:explain "var.given").origin)
    assert.equal("default, main.tf:5", (m:explain "var.token").origin)
    assert.equal("main.tf:24", (m:explain "terraform_data.r.input").origin)
    local more = m:explain("var.more", { module = 'module.net["k"]' })
    assert.equal("default, net/main.tf:2", more.origin)
  end)

  it("says that a variable has no value", function()
    local other = support.folder 'variable "a" { type = string }\noutput "o" { value = var.a }\n'
    assert.equal("not given, main.tf:1", (hcl.assert(hcl.module(other)):explain "var.a").origin)
    support.remove(other)
  end)

  it("answers for an output that has no value argument", function()
    local other = support.folder 'output "o" {}\n'
    local _, _, readable = hcl.module(other, { missing = "unknown" })
    assert.equal("Missing argument", select(2, readable:explain "output.o")[1].summary)
    support.remove(other)
  end)

  it("goes through outputs and arguments of modules", function()
    for _, source in ipairs { 'module.net["k"].full', "output.net", 'module.net["k"].output.full' } do
      local tree = m:explain(source)
      assert.equal(hcl.value "net-10.0.1.0/24", tree.value)
      local name = find(tree, "var.name")
      assert.equal("main.tf:22", name.origin)
      assert.equal("main.tf:10", find(name, "local.cidrs[0]").origin)
      assert.equal("prod.tfvars:2", find(name, "var.env").origin)
    end
    assert.equal("net/main.tf:3", (m:explain 'module.net["k"].full').origin)
  end)

  it("goes ten named values deep, and no deeper", function()
    local chain = support.folder((function()
      local text = { "locals {\n  a0 = upper(\"x\")\n" }
      for i = 1, 30 do text[#text + 1] = ("  a%d = [local.a%d]\n"):format(i, i - 1) end
      return table.concat(text) .. "}\n"
    end)())
    for _, source in ipairs { "local.a30", "[local.a30]", "[for x in [1] : local.a30]" } do
      local tree, deepest = hcl.assert(hcl.module(chain)):explain(source), nil
      for i = 30, 0, -1 do
        if find(tree, "local.a" .. i) then deepest = i end
      end
      assert.equal(21, deepest, source)
    end
    support.remove(chain)
  end)

  it("explains each named value once", function()
    local tree = m:explain "local.twice"
    local list = tree.children[1]
    assert.truthy(#list.children[1].children > 0)
    assert.equal(0, #list.children[2].children)
    assert.equal("see above", list.children[2].note)
    assert.equal(list.children[1].value, list.children[2].value)
  end)

  it("shows no secret", function()
    for _, source in ipairs { "local.hidden", "[for s in [local.hidden] : upper(s)]", "var.token" } do
      local tree = m:explain(source)
      assert.is_nil(tostring(tree):upper():find("XSECRETX", 1, true))
      assert.matches("(sensitive value)", tostring(tree), 1, true)
    end
  end)

  it("follows a failure to its cause", function()
    local none, err, tree = m:explain "local.worse"
    assert.is_nil(none)
    assert.equal("call.argument", err[1].code)
    assert.is_nil(tree.value)
    assert.is_nil(tree.error)
    local call = find(tree, "upper(local.subnets)")
    assert.equal("call.argument", call.error[1].code)
    assert.equal("failed", tostring(tree):match "^[^\n]*")
  end)

  it("reports errors of a name that has a value nevertheless", function()
    local other = support.folder [[
variable "n" {
  default = 20
  validation {
    condition     = var.n < 10
    error_message = "too large"
  }
}
]]
    local asked = hcl.module(other)
    local none, why, value = asked:value "var.n + 1"
    local nothing, err, tree = asked:explain "var.n + 1"
    support.remove(other)
    assert.same({}, { none, nothing })
    assert.equal("21", value:text())
    assert.equal(value, tree.value)
    assert.matches("too large", tostring(why), 1, true)
    assert.equal(tostring(why), tostring(err))
  end)

  it("shows a collection or object in full up to 60 characters", function()
    for _, case in ipairs {
      { '["%s", 1]', 60, "2 elements" }, { '{ a = 1, b = "%s" }', 62, "2 attributes" },
    } do
      for extra = 0, 1 do
        local source = case[1]:format(("x"):rep(case[2] + extra - #case[1] + 2))
        local shown = tostring((m:explain(source))):match "^[^\n]*"
        assert.equal(extra == 0 and source or case[3], shown)
      end
    end
  end)

  it("rejects unknown names", function()
    local tree, err = m:explain "var.nope"
    assert.is_nil(tree)
    assert.equal("module.undeclared", err[1].code)
    tree, err = m:explain "1 +"
    assert.is_nil(tree)
    assert.truthy(err[1].code:find "^syntax")
    assert.equal("module.scope", select(2, m:explain("1", { module = "module.x" }))[1].code)
    for _, name in ipairs { "explain", "eval", "value" } do
      for n, given in ipairs { {}, { "1", { at = 1 } } } do
        local _, message = pcall(function()
          local answer = m[name](m, given[1], given[2])
          return answer
        end)
        assert.truthy(message:find(("explain_spec.lua:%%d+: bad argument #%d to '%s'"):format(n, name)), message)
      end
    end
  end)

  it("explains expressions and names of a place", function()
    local tree = m:explain("var.size + 1")
    assert.equal(hcl.value(8), tree.value)
    tree = m:explain("s.cidr", { path = dir .. "/main.tf", byte = files["main.tf"]:find("s.cidr if", 1, true) })
    assert.equal(hcl.value "10.0.1.0/24", tree.value)
  end)

  it("follows attributes of resources to their arguments, and on to what is missing", function()
    local home = support.folder { ["main.tf"] = [=[
variable "p" { type = string }
variable "secret" {
  sensitive = true
  default   = "XSECRETX"
}
locals {
  n    = "x-${var.p}"
  fine = "y"
}
resource "terraform_data" "a" {
  input = local.n
}
resource "shop_thing" "b" {
  name = local.fine
  rule { port = var.p }
}
resource "shop_thing" "each" {
  for_each = { k = local.n }
  name     = each.value
  key      = var.secret
}
resource "shop_thing" "none" {
  count = length(var.p)
}
data "shop_data" "d" { name = "x" }
module "m" {
  source = "./m"
  x      = shop_thing.b.arn
}
module "gone" { source = "acme/gone/null" }
locals { merged = merge({ a = var.p }, data.shop_data.d.tags) }
]=], ["m/main.tf"] = 'variable "x" {}\noutput "o" {\n  value = "o-${var.x}"\n}\n' }
    local module = hcl.assert(hcl.module(home, { missing = "unknown" }))
    local function explains(source, wanted)
      local lines = tostring((hcl.assert(module:explain(source)))):gsub(" +", " ")
      assert.equal(table.concat(wanted, "\n"), lines)
    end
    explains("terraform_data.a.input", { "unknown, because of var.p", " terraform_data.a.input unknown, because of var.p main.tf:11",
      " local.n unknown, because of var.p main.tf:7", ' "x-${var.p}" unknown, because of var.p', " var.p unknown not given, main.tf:1" })
    explains("shop_thing.b.name", { '"y"', ' shop_thing.b.name "y" main.tf:14', ' local.fine "y" main.tf:8' })
    explains("shop_thing.b.rule[0].port", { "unknown, because of var.p",
      " shop_thing.b.rule[0].port unknown, because of var.p main.tf:15" })
    explains("shop_thing.b.arn", { "(known after apply), not configured",
      " shop_thing.b.arn (known after apply), not configured main.tf:13" })
    explains('shop_thing.each["k"].name', { "unknown, because of var.p", ' shop_thing.each["k"].name unknown, because of var.p main.tf:19',
      " each.value unknown, because of var.p main.tf:18", " { k = local.n } { k = unknown }, because of var.p",
      " local.n unknown, because of var.p main.tf:7", ' "x-${var.p}" unknown, because of var.p', " var.p unknown not given, main.tf:1" })
    explains('shop_thing.each["k"].key', { "(sensitive value), because of var.secret",
      ' shop_thing.each["k"].key (sensitive value), because of var.secret main.tf:20',
      " var.secret (sensitive value) default, main.tf:4" })
    local at = { path = home .. "/main.tf", byte = 0 }
    for line in io.lines(at.path) do
      at.byte = at.byte + #line + 1
      if line:find "each.value" then break end
    end
    local lines = tostring((hcl.assert(module:explain("each.value", at)))):gsub(" +", " ")
    assert.truthy(lines:find("unknown, because of var.p\n each.value unknown, because of var.p main.tf:18", 1, true), lines)
    explains("shop_thing.none", { "unknown, because of var.p", " shop_thing.none unknown, because of var.p main.tf:23",
      " length(var.p) unknown, because of var.p", " var.p unknown not given, main.tf:1" })
    explains("data.shop_data.d.tags", { "unknown, not read", " data.shop_data.d.tags unknown, not read main.tf:25" })
    explains("module.gone.id", { "unknown, its module isn't here", " module.gone.id unknown, its module isn't here" })
    explains("module.m.o", { "(known after apply), because of shop_thing.b.arn",
      " module.m.o (known after apply), because of shop_thing.b.arn m/main.tf:3",
      ' "o-${var.x}" (known after apply), because of shop_thing.b.arn',
      " var.x (known after apply), because of shop_thing.b.arn main.tf:28",
      " shop_thing.b.arn (known after apply), not configured main.tf:13" })
    explains("local.merged", { "unknown, because of data.shop_data.d", " local.merged unknown, because of data.shop_data.d main.tf:31",
      " merge({ a = var.p }, data.shop_data.d.tags) unknown, because of data.shop_data.d",
      " { a = var.p } { a = unknown }", " var.p unknown not given, main.tf:1",
      " data.shop_data.d.tags unknown, not read main.tf:25" })
    explains("[local.n, local.n, uuid(), { p = var.p }]", { "4 elements, because of var.p", " local.n unknown, because of var.p main.tf:7",
      ' "x-${var.p}" unknown, because of var.p', " var.p unknown not given, main.tf:1", " local.n unknown, see above main.tf:7",
      " uuid() (known after apply)", " { p = var.p } { p = unknown }", " var.p unknown not given, main.tf:1" })
    explains("terraform_data.a.id", { "(known after apply)", " terraform_data.a.id (known after apply) main.tf:10" })
    assert.equal("unknown", (tostring((hcl.assert(module:explain "var.p"))):match "^[^\n]*"))
    support.remove(home)
  end)

  it("reports what is missing after more names than it shows", function()
    local text = { 'variable "p" {}\nlocals {\n  a0 = shop_thing.a.arn\n' }
    for i = 1, 30 do text[#text + 1] = ('  a%d = "${local.a%d}"\n'):format(i, i - 1) end
    local home = support.folder(table.concat(text) .. '}\nresource "shop_thing" "a" {}\n')
    local lines = tostring((hcl.assert(hcl.assert(hcl.module(home, { missing = "unknown" })):explain "local.a30")))
    assert.equal("(known after apply), because of shop_thing.a.arn", lines:match "^[^\n]*")
    assert.is_nil(lines:find("not configured", 1, true), lines)
    support.remove(home)
  end)

  it("keeps values hidden by a schema hidden in their parts", function()
    local home = support.folder 'locals {\n  plain = "XSECRETX"\n}\nresource "shop_thing" "a" {\n  key = "a-${local.plain}"\n}\n'
    local schemas = { format_version = "1.0", provider_schemas = { ["registry.terraform.io/hashicorp/shop"] = { resource_schemas = {
      shop_thing = { version = 0, block = { attributes = { key = { type = "string", optional = true, sensitive = true } } } } } } } }
    local module = hcl.assert(hcl.module(home, { schemas = schemas }))
    assert.is_nil(tostring((hcl.assert(module:explain "shop_thing.a.key"))):find("XSECRETX", 1, true))
    support.remove(home)
  end)

  it("shows the written arguments of resources without a schema, and that the rest isn't configured", function()
    local home = support.folder [[
resource "shop_thing" "a" {
  name = "x"
  size = var.size
  rule { port = 80 }
  dynamic "more" {
    for_each = toset([1])
    content { n = 1 }
  }
}
resource "shop_thing" "several" {
  count = 1
  key   = sensitive("XSECRETX")
}
variable "size" { type = number }
locals {
  id = shop_thing.a.id
  of = [for t in [shop_thing.a] : { n = t.name }]
}
]]
    local module = hcl.assert(hcl.module(home, { missing = "unknown" }))
    local function lines(source) return tostring((hcl.assert(module:explain(source)))) end
    local function has(source, ...)
      local text = lines(source):gsub(" +", " ")
      for _, wanted in ipairs { ... } do assert.truthy(text:find(wanted, 1, true), text) end
      assert.is_nil(text:find("XSECRETX", 1, true))
    end
    has("shop_thing.a.name", '"x"')
    has("local.id", "because of shop_thing.a.id", "shop_thing.a.id (known after apply), not configured main.tf:1")
    has("shop_thing.several[0].id", "(known after apply), not configured")
    has("shop_thing.several[0]", "{ key = (sensitive value), ... }")
    has("shop_thing.a", "4 known attributes and others")
    has("shop_thing.a.rule[0]", "{ port = 80, ... }")
    has("local.of", '{ n = "x" }')
    for _, source in ipairs { "shop_thing.a.size", "shop_thing.a.rule[1].port", "shop_thing.a.more[1]" } do
      assert.is_nil(lines(source):find("not configured", 1, true), source)
    end
    support.remove(home)
  end)
end)
