-- Output of the commands over Terraform folders for missing parts of a folder, and for many mistakes of a kind: as processes.
local cli = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../command.lua")
local file, run, prints, fails = cli.file, cli.run, cli.prints, cli.fails
local has_cjson, cjson = pcall(require, "cjson")

describe("hclexpr over an incomplete folder", function()
  setup(function()
    cli.begin()
    file("bad/main.tf", 'output "a" {\n  value = local.nope\n}\nlocals {\n  b = upper(var.c)\n}\n')
  end)
  teardown(cli.finish)

  it("explains how to write texts only for values", function()
    local source = 'variable "l" { type = list(string) }\nresource "terraform_data" "b" {\n  lifecycle {\n    precondition {\n'
      .. '      condition     = self.id == ""\n      error_message = "no"\n    }\n  }\n}\n'
    local part = file("values/main.tf", source):match "^(.*)/"
    for value, wanted in pairs { ["l=[a]"] = true, ['l=["a"]'] = false } do
      local _, _, err = run { "plan", "-var", value, part }
      assert.truthy(err:find("Nothing is named", 1, true), err)
      assert.equal(wanted, err:find("-var 'NAMES=", 1, true) ~= nil)
      assert.is_nil(err:find("gives named values", 1, true))
    end
  end)

  it("lists each missing thing once, and continues", function()
    local part = file("lacks/main.tf", [[
variable "n" {}
module "label" {
  source = "cloudposse/label/null"
}
resource "shop_cert" "c" { domain = "x" }
resource "random_pet" "p" { length = 2 }
output "fixed" { value = upper("abc") }
output "late" { value = [module.label.id, var.n] }
]]):match "^(.*)/"
    local words = { plan = "for var.n,", outputs = "for var.n,", validate = "", graph = "", check = "", console = "for var.n," }
    for name, variable in pairs(words) do
      local status, out, err = run({ name, part }, { input = 'upper("a")\nmodule.label.id\nmodule.label.name\n' })
      assert.same({ name, name == "plan" and 3 or 0 }, { name, status })
      for _, word in ipairs { variable, "main.tf line 2: module.label isn't here", "-source cloudposse/label/null=DIR" } do
        local _, times = err:gsub(word:gsub("%p", "%%%0"), "")
        if word ~= "" then assert.same({ name, word, 1 }, { name, word, times }) end
      end
      local has_schema = err:find("no schema of hashicorp/shop is known", 1, true) ~= nil
      assert.same({ name, variable ~= "" or name == "validate" }, { name, has_schema })
      if name == "console" then assert.equal('"A"\n(known after apply)\n(known after apply)\n', out) end
      assert.is_nil(err:find("hashicorp/random", 1, true))
    end
    local calls = ('module "%s" {\n  source = "acme/%s/null"\n}\n'):rep(2):format("a", "x", "b", "y")
    local _, _, err = run { "validate", file("many/main.tf", calls):match "^(.*)/" }
    assert.truthy(err:gsub("%s+", " "):find("2 modules aren't here, so their outputs are unknown: module.a (acme/x/null), "
      .. "module.b (acme/y/null). terraform init fetches them, or -source SOURCE=DIR says where one is", 1, true), err)
    local unread = 'data "shop_zones" "z" {}\nresource "terraform_data" "t" { count = length(data.shop_zones.z.names) }\n'
    _, _, err = run { "plan", file("unread/main.tf", unread):match "^(.*)/" }
    assert.truthy(err:find("-data FILE has what data sources read", 1, true), err)
    local outputs = 'data "shop_zones" "z" {}\noutput "n" { value = data.shop_zones.z.names }\noutput "o" { value = 1 }\n'
    local zones = file("zones/main.tf", outputs)
    for _, row in ipairs { { true }, { true, "-json" }, { true, "-name", "n" }, { false, "-name", "o" } } do
      _, _, err = run { "outputs", zones:match "^(.*)/", row[2], row[3] }
      local has_line = err:gsub("%s+", " "):find("data.shop_zones.z wasn't read, so its attributes are unknown", 1, true) ~= nil
      assert.same({ row[3], row[1] }, { row[3], has_line })
    end
    prints('"ABC"\n', { "outputs", file("gone/main.tf", 'output "fixed" { value = upper("abc") }\n'):match "^(.*)/", "fixed" })
    local status, out = run { "outputs", part, "fixed" }
    assert.same({ 0, '"ABC"\n' }, { status, out })
    file("label/main.tf", 'output "id" { value = "i" }\n')
    status, out = run { "outputs", "-var", "n=1", "-source", "cloudposse/label/null=" .. cli.folder .. "/label", part, "late" }
    assert.same({ 0, '[\n  "i",\n  "1",\n]\n' }, { status, out })
    status = run { "plan", "-var", "n=1", "-source", "cloudposse/label/null=" .. cli.folder .. "/label", part }
    assert.equal(0, status)
    fails(1, { "plan", "-strict", part }, "Missing module")
    fails(1, { "outputs", "-strict", part, "fixed" }, "Missing module")
    fails(2, { "plan", "-source", "a", part }, "NAME=DIR")
    fails(1, { "plan", "-source", "a=" .. cli.folder .. "/none", part }, "none can't be read")
    if not has_cjson then return end
    assert.matches('"complete":false', (select(2, run { "plan", "-json", part })), 1, true)
    local _, text = run { "plan", "-json=values", part }
    local report, kinds = cjson.decode(text), {}
    for i, row in ipairs(report.missing) do kinds[i] = row.kind .. " " .. row.name end
    assert.same({ "module module.label", "variable var.n", "schema hashicorp/shop" }, kinds)
    _, text = run { "validate", "-json", part }
    assert.equal("cloudposse/label/null", cjson.decode(text).missing[1].source)
  end)

  it("lists the first few of a kind, and all with -all", function()
    local variables, outputs, calls, outside = {}, {}, {}, {}
    for i = 1, 30 do
      variables[i] = ('variable "input_%02d" {}\n'):format(i)
      outputs[i] = ("  var.input_%02d,\n"):format(i)
      calls[i] = ('module "call_%02d" {\n  source = "acme/part/null"\n}\n'):format(i)
      outside[i] = ('  fileexists("/nowhere/%02d"),\n'):format(i)
    end
    local folder = file("flood/main.tf", table.concat(variables) .. table.concat(calls) .. 'output "o" {\n  value = [\n'
      .. table.concat(outputs) .. table.concat(outside) .. "  ]\n}\n"):match "^(.*)/"
    for name, wanted in pairs {
      plan = "input call nowhere", validate = "call nowhere", outputs = "input call nowhere", console = "input call", graph = "call",
    } do
      local _, _, brief = run({ name, folder }, { input = "1\n" })
      local _, _, all = run({ name, "-all", folder }, { input = "1\n" })
      for word in wanted:gmatch "%a+" do
        local shown, whole = select(2, brief:gsub(word .. "[_/]%d%d", "")), select(2, all:gsub(word .. "[_/]%d%d", ""))
        assert.same({ name, word, 5, 30 }, { name, word, shown, whole })
      end
      assert.truthy(brief:gsub("%s+", " "):find("and 25 more (-all shows them)", 1, true), brief)
      assert.is_nil(all:find("-all", 1, true), all)
    end
    local status, out = run { "plan", "-json=values", folder }
    assert.equal(3, status)
    assert.equal(30, select(2, out:gsub('"kind": "variable"', "")))
  end)

  it("reports the first few warnings of a kind, and all with -all", function()
    local parts = { 'data "shop_zones" "z" {}\ndata "shop_zones" "y" {}\n' }
    for i = 1, 20 do
      local zones = i == 9 and "y" or "z"
      parts[i + 1] = ('resource "terraform_data" "t%d" {\n  count = length(data.shop_zones.%s.names)\n}\n'):format(i, zones)
    end
    local folder = file("warnings/main.tf", table.concat(parts)):match "^(.*)/"
    local _, _, brief = run { "plan", folder }
    assert.equal(2, select(2, brief:gsub("Instances not known", "")))
    assert.truthy(brief:find("data.shop_zones.y,", 1, true), brief)
    assert.truthy(brief:find("\n18 more like this: -all shows them.", 1, true), brief)
    assert.is_nil(brief:find("for other instances", 1, true), brief)
    local _, _, all = run { "plan", "-all", folder }
    assert.equal(20, select(2, all:gsub("Instances not known", "")))
    assert.is_nil(all:find("-all", 1, true), all)
    if not has_cjson then return end
    local _, text = run { "plan", "-json=values", folder }
    assert.equal(20, #cjson.decode(text).diagnostics)
  end)

  it("reports an error of many instances once, and its reasons up to three", function()
    local called = 'variable "name" {}\noutput "o" {\n  value = filesha256(var.name)\n}\n'
    local calls = {}
    for i = 1, 6 do
      local name = i < 5 and "same" or "other" .. i
      calls[i] = ('module "m%d" {\n  source = "./m"\n  name   = "%s.zip"\n}\n'):format(i, name)
    end
    file("errors/m/main.tf", called)
    local folder = file("errors/main.tf", table.concat(calls) .. [[
resource "terraform_data" "t" {
  count = 9
  input = file("${count.index}.txt")
}
resource "terraform_data" "u" {
  count = 2
  input = file("${count.index}.md")
}
variable "many" { default = "many.txt" }
variable "few" { default = "few.txt" }
locals {
  a = file(var.many)
  b = file(var.many)
  c = file(var.many)
  d = file(var.many)
  e = file(var.many)
  f = file(var.few)
  g = file(var.few)
}
]]):match "^(.*)/"
    local status, _, brief = run { "plan", folder }
    assert.equal(1, status)
    for _, wanted in ipairs {
      '"same.zip" can', "The same comes up 3 more times here, for other instances.", '"other5.zip" can', '"other6.zip" can',
      '"0.txt" can', '"1.txt" can', '"2.txt" can', "\n6 more like this: -all shows them.", '"0.md" can', '"1.md" can',
      "\n2 more like this: -all shows them.", "a = file", "b = file", "c = file", "f = file", "g = file",
    } do
      assert.same({ wanted, 1 }, { wanted, select(2, brief:gsub(wanted:gsub("%p", "%%%0"), "")) })
    end
    assert.is_nil(brief:find('"3.txt" can', 1, true), brief)
    local _, _, all = run { "plan", "-all", folder }
    assert.equal(1, select(2, all:gsub('"same.zip" can', "")))
    assert.truthy(all:find('"8.txt" can', 1, true), all)
    assert.is_nil(all:find("-all", 1, true), all)
    if not has_cjson then return end
    local _, text = run { "plan", "-json=values", folder }
    assert.equal(24, #cjson.decode(text).diagnostics)
  end)

  it("rejects a -source that no call has", function()
    local folder = file("stray/main.tf", 'module "a" {\n  source = "acme/part/null"\n}\nmodule "b" {\n  source = "./b"\n}\n'):match "^(.*)/"
    file("stray/b/main.tf", "")
    file("stray/there/main.tf", "")
    local there = folder .. "/there"
    for _, name in ipairs { "plan", "validate", "outputs", "graph", "console", "test", "schemas" } do
      fails(2, { name, "-source", "acme/prt/null=" .. there, folder }, "no module call has that source", "did you mean acme/part/null?")
    end
    fails(2, { "plan", "-strict", "-source", "acme/prt/null=" .. there, folder }, "did you mean acme/part/null?")
    fails(2, { "plan", "-json", "-source", "zzz=" .. there, folder }, "sources are acme/part/null")
    fails(2, { "plan", "-source", "zzz=" .. there, there }, "no module call has that source")
    fails(2, { "plan", "-source", "./b=" .. there, there }, "no module that is missing has that path")
    prints("", { "validate", "-source", "acme/part/null=" .. there, folder })
    -- A call with an unknown source may have any.
    file("unsure/main.tf", 'variable "s" {\n  const = true\n}\nmodule "a" {\n  source = var.s\n}\n')
    assert.equal(0, (run { "validate", "-source", "acme/other/null=" .. there, cli.folder .. "/unsure" }))
    -- A test run, and a call in its module, have sources, too.
    file("tested/main.tf", 'module "gone" {\n  source = "acme/gone/null"\n}\n')
    file("tested/help/main.tf", 'module "c" {\n  source = "acme/c/null"\n}\n')
    local test = 'run "%s" {\n  module {\n    source = "%s"\n  }\n}\n'
    file("tested/a.tftest.hcl", test:format("r", "acme/run/null") .. test:format("h", "./help"))
    for _, source in ipairs { "acme/run/null", "acme/c/null" } do
      local status, _, err = run { "validate", "-source", source .. "=" .. there, cli.folder .. "/tested" }
      assert.is_true(status < 2 and not err:find("no module call", 1, true), err)
    end
    fails(2, { "validate", "-source", "acme/rnu/null=" .. there, cli.folder .. "/tested" }, "did you mean acme/run/null?")
  end)
end)
