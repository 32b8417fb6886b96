-- Reading folders: what override files replace, names of providers, sources. Expected places are Terraform's.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

-- The problems of a list by their places in a folder, and the codes of errors: "module.provider main.tf 3:20-3:38"; warnings by code only.
local function reported(err, dir)
  local list = {}
  for _, d in ipairs(err or {}) do
    local range = d.range
    local place = range and (" %s %d:%d-%d:%d"):format(range.filename:sub(#dir + 2), range.start.line, range.start.column, range.stop.line,
      range.stop.column) or ""
    list[#list + 1] = d.severity == "error" and d.code .. place or "(" .. d.code .. place .. ")"
  end
  return table.concat(list, "; ")
end

-- The reports of validate for files, and of the plan if there is one.
local function validated(files, options)
  local dir = support.folder(files)
  local m, err, readable = hcl.module(dir, options)
  m = m or readable
  if not m then return reported(err, dir) end
  local _, problems = m:validate()
  local plan, wrong = m:plan()
  return reported(problems, dir), plan, reported(wrong, dir)
end

-- The schemas of a provider with one type of resource.
local function schemas(type, block)
  local name = type:match "^[^_]*"
  return { format_version = "1.0", provider_schemas = { ["hashicorp/" .. name] = { provider = { version = 0, block = {} },
    resource_schemas = { [type] = { version = 0, block = block } } } } }
end

local disk = { nesting_mode = "list", block = { attributes = { size = { type = "dynamic", optional = true } } } }
local host = schemas("cloud_host", {
  attributes = { id = { type = "string", computed = true }, name = { type = "string", required = true } }, block_types = { disk = disk },
})

describe("a folder read", function()
  describe("with override files", function()
    it("never checks a replaced argument", function()
      local problems, plan = validated {
        ["main.tf"] = 'resource "terraform_data" "x" {\n  input = var.nope\n  triggers_replace = local\n}\n'
          .. 'output "o" { value = terraform_data.x.input }\n',
        ["override.tf"] = 'resource "terraform_data" "x" {\n  input = "fine"\n  triggers_replace = 1\n}\n',
      }
      assert.equal("", problems)
      assert.equal("fine", plan.outputs.o:text())
    end)

    it("never checks replaced blocks, generated or not", function()
      local files = {
        ["main.tf"] = 'variable "sizes" { default = "none" }\nresource "cloud_host" "h" {\n  name = var.none\n'
          .. '  dynamic "disk" {\n    for_each = var.sizes\n    content { size = nothing.there }\n  }\n}\n'
          .. 'output "n" { value = cloud_host.h.disk }\n',
        ["override.tf"] = 'resource "cloud_host" "h" {\n  name = "x"\n  disk { size = 5 }\n}\n',
      }
      local plain = files["main.tf"]:gsub('dynamic "disk" {.-\n  }\n', "disk {\n    size = var.none\n  }\n")
      for _, base in ipairs { files["main.tf"], plain } do
        files["main.tf"] = base
        local problems, plan, wrong = validated(files, { schemas = host })
        assert.same({ "", "" }, { problems, wrong })
        assert.equal("5", plan.outputs.n:lua()[1].size .. "")
      end
    end)

    it("does so in JSON syntax", function()
      local files = {
        ["main.tf.json"] = '{"resource": {"cloud_host": {"h": {"name": "${var.none}", "dynamic": {"disk": {"for_each": "none", '
          .. '"content": {"size": "${var.none}"}}}}}}, "output": {"n": {"value": "${cloud_host.h.disk}"}}}',
        ["override.tf"] = 'resource "cloud_host" "h" {\n  name = "x"\n  disk { size = 5 }\n}\n',
      }
      local function check()
        local problems, plan, wrong = validated(files, { schemas = host })
        assert.same({ "", "" }, { problems, wrong })
        return plan.outputs.n:lua()
      end
      assert.equal(5, check()[1].size)
      files["override.tf"] = nil
      files["x_override.tf.json"] = '{"resource": {"cloud_host": {"h": [{"name": "x"}, '
        .. '{"dynamic": [{"disk": {"for_each": [], "content": {}}}]}]}}}'
      assert.same(0, #check())
    end)

    it("requires arguments in the first file, whatever an override has", function()
      local problems = validated({
        ["main.tf"] = 'resource "cloud_host" "h" {\n}\n', ["override.tf"] = 'resource "cloud_host" "h" {\n  name = "x"\n}\n',
      }, { schemas = host })
      assert.equal("body.missing main.tf 1:27-1:28", problems)
    end)

    it("takes the last of several", function()
      local problems, plan = validated({
        ["main.tf"] = 'resource "cloud_host" "h" {\n  name = var.none\n  disk { size = 1 }\n}\noutput "n" { value = cloud_host.h }\n',
        ["a_override.tf"] = 'resource "cloud_host" "h" {\n  name = "x"\n  dynamic "disk" {\n    for_each = null\n    content {}\n  }\n}\n',
        ["b_override.tf"] = 'resource "cloud_host" "h" {\n  disk { size = 2 }\n  disk { size = 3 }\n}\n',
      }, { schemas = host })
      assert.equal("", problems)
      local h = plan.outputs.n:get("disk"):lua()
      assert.same({ 2, 3 }, { h[1].size, h[2].size })
    end)
  end)

  describe("with providers", function()
    local function required(entries)
      return (validated { ["main.tf"] = "terraform {\n  required_providers {\n" .. entries .. "  }\n}\n" })
    end

    it("rejects invalid sources", function()
      assert.equal("module.provider main.tf 3:20-3:38; module.provider main.tf 4:20-4:29; module.provider main.tf 5:20-5:47; "
        .. "module.provider main.tf 6:20-6:30; module.provider main.tf 7:11-7:18", required [[
    a = { source = "host name/acme/a" }
    b = { source = "a/b/c/d" }
    c = { source = "acme/terraform-provider-c" }
    d = { source = "Acme/D_d" }
    e = { sources = "acme/e" }
]])
    end)

    it("rejects invalid provider names, in entries of each form", function()
      assert.equal("module.provider main.tf 3:16-3:24", required '    my_cloud = "~> 1.0"\n')
      assert.equal("module.provider main.tf 3:13-3:17", required '    cloud = null\n    other = { source = "acme/other" }\n')
      assert.equal("", required '    cloud = "~> ${1}.0"\n')
    end)

    it("reports a missing configuration that is passed", function()
      local function passed(before)
        return (validated({
          ["main.tf"] = 'module "m" {\n  source    = "./m"\n  providers = { cloud = cloud }\n}\n' .. before,
          ["m/main.tf"] = 'terraform {\n  required_providers {\n    cloud = { source = "hashicorp/cloud" }\n  }\n}\n'
            .. 'resource "cloud_host" "h" { name = "x" }\n',
        }, { schemas = host }))
      end
      assert.equal("(module.provider main.tf 3:25-3:30); module.provider main.tf 3:25-3:30", passed "")
      assert.equal("", passed 'provider "cloud" {}\nterraform {\n  required_providers {\n    cloud = {}\n  }\n}\n')
      assert.equal("", passed 'terraform {\n  required_providers {\n    cloud = {}\n  }\n}\n')
    end)

    it("reads names in quotes, that of null too", function()
      local problems, plan = validated({ ["main.tf"] = 'provider "null" {\n  alias = "other"\n}\nresource "null_resource" "a" {\n'
        .. '  provider = "null.other"\n}\n' }, { schemas = schemas("null_resource", { attributes = {} }) })
      assert.equal("(module.quoted main.tf 5:14-5:26)", problems)
      assert.truthy(plan)
    end)

    it("rejects types that don't begin with a provider's name", function()
      assert.equal("module.provider main.tf 1:1-1:27", (validated { ["main.tf"] = 'resource "cloud-_host" "h" {\n}\n' }))
    end)
  end)

  it("reads test files again after each change, and unsaved ones", function()
    local dir = support.folder {
      ["main.tf"] = 'output "a" { value = 1 }\n', ["tests/a.tftest.hcl"] = 'run "x" {\n  module {\n    source = "./setup"\n  }\n}\n',
      ["setup/main.tf"] = 'output "b" { value = 1 }\n',
    }
    local m = hcl.assert(hcl.module(dir, { scope = hcl.scope { limits = { source = 400 } } }))
    for _ = 1, 10 do assert.is_true((m:validate())) end
    m:change(dir .. "/tests/a.tftest.hcl", 'run "x" {\n  command = planning\n}\n')
    assert.equal("module.test tests/a.tftest.hcl 2:13-2:21", reported(select(2, m:validate()), dir))
    assert.is_truthy(m:plan())
    m:change(dir .. "/tests/a.tftest.hcl")
    m:change(dir .. "/setup/main.tf", 'output "b" { value = local.c }\n')
    assert.equal("module.undeclared setup/main.tf 1:22-1:29", reported(select(2, m:validate()), dir))
  end)

  it("survives hostile test files", function()
    local many = {}
    for i = 1, 3000 do many[i] = ('run "r%d" {\n  module {\n    source = ".%s"\n  }\n}\n'):format(i, ("/."):rep(i % 50 + 1)) end
    local files = { ["main.tf"] = 'output "a" { value = 1 }\n', ["a.tftest.hcl"] = table.concat(many) }
    assert.equal("", (validated(files)))
    local deep = ("override_module {\n  target = module%s\n}\n"):format((".module"):rep(5000))
    for _, text in ipairs { ("run "):rep(5000), ("["):rep(5000), "\0\255", deep } do
      files["a.tftest.hcl"] = text
      assert.is_true(#validated(files) > 0)
    end
  end)

  it("knows the time of the plan in a plan only", function()
    local problems, plan, wrong = validated { ["main.tf"] = 'variable "a" {\n  default = "x"\n  validation {\n    condition     = var.a == '
      .. 'plantimestamp()\n    error_message = "never"\n  }\n}\noutput "o" { value = tonumber(core::plantimestamp()) }\n' }
    assert.equal("", problems)
    assert.is_nil(plan)
    assert.equal("module.validation main.tf 1:1-1:13; call.argument main.tf 8:31-8:51", wrong)
  end)

  it("reports a wrong address of a registry at its place", function()
    for _, source in ipairs { "-bad-.example/acme/net/cloud", "a..b/acme/net/cloud", "a.b:x/acme/net/cloud", "a.xn--b/acme/net/cloud" } do
      assert.equal(("module.source main.tf 2:13-2:%d"):format(#source + 15),
        (validated { ["main.tf"] = ('module "net" {\n  source  = "%s"\n  version = "1.0.0"\n}\n'):format(source) }))
    end
  end)

  -- As Terraform 1.17-dev validates a call of each, without and with a version.
  it("recognizes addresses of modules", function()
    local sources = require "hclexpr.terraform.tree.sources"
    local long = ("a"):rep(64)
    local none = { "m", "a/b", "a/b/c/d", "hashicorp/consul/aws//../x", "hashicorp/consul/AWS", "hashicorp/consul/a-b",
      "hashicorp/-consul/aws", "hashicorp/consul-/aws", "_h/consul/aws", "localhost/a/b/c", "GitHub.com/a/b/c", "user@host:path",
      long .. "a/b/c", "a/b/" .. long .. "a", "a//b/c/d", "a/b/c/", "github.com/a", "a..b/c/d/e", "xn--.com/a/b/c", "a/b c/d" }
    local elsewhere = { "./m", "../m", ".\\m", "localhost:80/a/b/c", "github.com/a/b", "github.com/a/b/c", "bitbucket.org/a/b",
      "bitbucket.org/a/b/c", "git::https://example.com/a.git", "git@github.com:a/b.git", "git::ssh://git@github.com/a/b.git",
      "https://example.com/a.zip", "http://example.com/a.zip?x=1", "s3::https://s3.amazonaws.com/b/k.zip",
      "bucket.s3.amazonaws.com/b/k.zip", "www.googleapis.com/storage/v1/b/m.zip", "/abs/path", "C:/abs", "file:///abs",
      "hg::http://example.com/x.hg" }
    local registry = { "a/b/c", "hashicorp/consul/aws", "hashicorp/consul/aws//modules/x", "hashicorp/con-sul/aws",
      "hashi_corp/consul_x/aws", "1a/2b/3c", "app.terraform.io/a/b/c", "example.com:8080/a/b/c", "example.com/a/b/c//d",
      "gitlab.com/a/b/c", long .. "/b/c", "a/b/" .. long, "a/b/c//d//e", "a.b/c/d/e" }
    local function kind(source, versioned) return (sources.kind(source, versioned)) or "none" end
    for _, source in ipairs(none) do assert.same({ "none", "none" }, { kind(source, false), kind(source, true) }, source) end
    for _, source in ipairs(elsewhere) do
      assert.same({ source:find "^%." and "local" or "remote", "none" }, { kind(source, false), kind(source, true) }, source)
    end
    for _, source in ipairs(registry) do assert.same({ "registry", "registry" }, { kind(source, false), kind(source, true) }, source) end
  end)

  -- As Terraform 1.17 compares each with its own version.
  it("checks versions against constraints", function()
    local versions = require "hclexpr.terraform.read.versions"
    local held = { "1.17.0", "= 1.17.0", "1.17", "!= 1.17.1", "!= 1", "> 1.16.9", "> 1", ">= 1.17.0", ">= 1.17", "< 1.17.1", "< 2",
      "<= 1.17.0", "<= 1.17", "~> 1.17.0", "~> 1.17", "~> 1", "~> 1.16", "1.17.0.0", ">= 1.0, < 2.0", ">=1.0", ">= 1.0 , < 2.0",
      "v1.17.0", ">= v1.0", ">= 1.17.0+build", "= 1.17.0+build", "01.17.0", "1.017.0", " >= 1.0 ", ">=\t1.0" }
    local missed = { "1", "!= 1.17.0", "> 1.17", "> 1.17.0", ">= 1.17.1", "< 1.17.0", "< 1.17", "<= 1.16.99", "~> 1.16.0", "~> 1.18",
      "~> 1.17.1", "~> 0.17", "~> 2.0", "~> 1.17.0.0", "~> 1.16.9.9", "> 1.17.0.0", ">= 1.17.0.1", ">= 1.0,< 1.5", "!=1.17" }
    local malformed = { "== 1.17.0", "=> 1.0", "~ 1.0", ">= ", "1.", ".1", "1..2", "a", ">= 1.0,", ",", "1.x", "*", ">= 1.0 < 2.0",
      ">= 99999999999999999999", "1.17.0+" }
    local early = { "1.17.0-dev", ">= 1.17.0-alpha", "~> 1.17.0-beta1", "> 1.16.0-rc1", ">= 1.0-", "1.17.0-", "1.17.0-.a", "1.17.0rc1",
      ">= 1.16.0rc1", "> 1.17.0-dev", "< 1.17.0-dev", "<= 1.17.0-dev", "!= 1.17.0-dev" }
    local own = versions.parse "1.17.0"
    for _, text in ipairs(held) do assert.is_true(versions.allow(versions.constraints(text), own), text) end
    for _, text in ipairs(missed) do assert.is_false(versions.allow(versions.constraints(text), own), text) end
    for _, text in ipairs(malformed) do assert.is_nil(versions.constraints(text), text) end
    for _, text in ipairs(early) do
      local place = ("module.version main.tf 2:3-2:%d"):format(#text + 24)
      assert.equal(place, (validated { ["main.tf"] = ('terraform {\n  required_version = "%s"\n}\n'):format(text) }), text)
    end
  end)

  it("reports only the error of a wrong `dynamic` block, and none about iterators", function()
    local source = 'resource "shop_item" "x" {\n  rule {\n    dynamic "port" {\n      for_each = toset(nope(1))\n'
      .. '      content { n = port.value }\n    }\n  }\n  dynamic "tags" {\n    for_each = [{ key = "a" }]\n    iterator = tag\n'
      .. '    content { key = tag.value.key }\n  }\n  name = upper(1, 2)\n}\n'
    assert.equal("call.unknown main.tf 4:24-4:28; call.count main.tf 13:19-13:20", (validated { ["main.tf"] = source }))
  end)
end)
