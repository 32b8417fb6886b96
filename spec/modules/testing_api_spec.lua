-- m:test and hclexpr test: results and output, limits, and broken files.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local hcl = require "hclexpr"

local root = support.root
local program = support.program

-- A folder with these files, given as texts.
local function folder_of(files)
  local dir = support.temporary_folder()
  for name, text in pairs(files) do
    if name:find "/" then assert(support.output(("mkdir -p '%s/%s' && echo made"):format(dir, name:match "^(.*)/")) == "made\n") end
    support.write(dir .. "/" .. name, text)
  end
  finally(function() support.remove(dir) end)
  return dir
end

local function tested(files, options, test_options)
  local dir = folder_of(files)
  local module, err, readable = hcl.module(dir, options)
  return assert(module or readable, err):test(test_options)
end

local main = 'variable "n" { default = 1 }\nresource "terraform_data" "r" { input = var.n }\n'
  .. 'output "n" { value = terraform_data.r.output }\n'

describe("m:test", function()
  it("passes errors to the option guard, for that file alone", function()
    local files = { ["main.tf"] = main, ["a.tftest.hcl"] = 'run "a" {}\n', ["b.tftest.hcl"] = 'run "b" {}\n' }
    local function report(kind, _, run) if kind == "starting" and run.name == "a" then error("raised", 0) end end
    local function guard(act, ...)
      local ok, result = pcall(act, ...)
      if ok then return result end
      return nil, tostring(result)
    end
    assert.has_error(function() tested(files, nil, { report = report }) end, "raised")
    local result = tested(files, nil, { report = report, guard = guard })
    assert.equal("error pass", result.files[1].status .. " " .. result.files[2].status)
    local d = result.files[1].diagnostics[1]
    assert.equal("module.internal", d.code)
    assert.truthy(d.detail:find("raised", 1, true))
  end)

  it("treats providers of a file without a schema as if no schemas were given", function()
    local source = 'terraform {\n  required_providers {\n    acme = { source = "x/acme" }\n  }\n}\nmodule "m" { source = "./m" }\n'
      .. 'resource "acme_a" "a" { name = "n" }\noutput "n" { value = acme_a.a.name }\n'
    local files = {
      ["main.tf"] = source, ["m/main.tf"] = 'resource "other_a" "a" {}\n',
      ["a.tftest.hcl"] = 'mock_provider "acme" {}\nmock_provider "other" {}\nrun "a" {\n  assert {\n    condition = output.n == "n"\n'
        .. '    error_message = "no"\n  }\n}\n',
      ["b.tftest.hcl"] = 'provider "acme" {}\nrun "b" {\n  command = plan\n}\n', ["c.tftest.hcl"] = 'mock_provider "amce" {}\nrun "c" {}\n',
    }
    local schemas = { provider_schemas = { ["registry.terraform.io/hashicorp/aws"] = { provider = { block = {} } } } }
    local result, statuses = tested(files, { schemas = schemas, missing = "unknown" }), {}
    for i, file in ipairs(result.files) do statuses[i] = file.status end
    assert.equal("pass pass error", table.concat(statuses, " "))
    assert.truthy(result.files[3].diagnostics[1].detail:find("hashicorp/amce", 1, true))
  end)

  it("warns about missing things in runs that apply, and in modules of runs", function()
    local files = {
      ["main.tf"] = 'module "label" { source = "acme/label/null" }\ndata "shop_zones" "all" {}\nresource "random_id" "r" {}\n'
        .. 'resource "shop_item" "x" { for_each = toset(data.shop_zones.all.names) }\nresource "shop_item" "y" { name = "y" }\n'
        .. 'resource "shop_item" "z" { for_each = toset([shop_item.y.arn]) }\n',
      ["ex/main.tf"] = 'module "label" { source = "acme/other/null" }\nmodule "m" { source = "./.." }\n',
      ["a.tftest.hcl"] = 'run "a" {}\nrun "ex" {\n  module { source = "./ex" }\n}\n',
    }
    local module = assert(hcl.module(folder_of(files), { missing = "unknown" }))
    assert.is_true((module:validate()))
    for _, run in ipairs(module:test().files[1].runs) do
      assert.equal("pass", run.status)
      assert.is_true(#run.diagnostics > 0)
      for _, d in ipairs(run.diagnostics) do assert.equal("module.unread", d.code) end
    end
    local _, err = hcl.module(folder_of(files))
    assert.equal("module.missing", err[1].code)
    files = { ["main.tf"] = main, ["a.tftest.hcl"] = 'override_resource { target = shop_item.y }\n'
      .. 'run "a" {\n  module {\n    source = "a/b/c"\n  }\n  expect_failures = [output.z]\n}\n' }
    for missing, wanted in pairs { unknown = "warning module.test", error = "error module.missing" } do
      local _, found = hcl.assert(hcl.module(folder_of(files), { missing = missing })):validate()
      assert.equal(wanted, found[1].severity .. " " .. found[1].code)
      assert.is_nil(found[2])
    end
  end)

  it("reports mistakes in modules of runs", function()
    local result = tested { ["main.tf"] = main, ["ex/main.tf"] = 'terraform {\n  required_version = "< 1.0"\n}\n',
                            ["a.tftest.hcl"] = 'run "ex" {\n  module { source = "./ex" }\n}\n' }
    local run = result.files[1].runs[1]
    assert.equal("error module.version", run.status .. " " .. run.diagnostics[1].code)
  end)

  it("reports missing expected failures as Terraform does, each at its place", function()
    local files = {
      ["main.tf"] = main .. 'check "c" {\n  assert {\n    condition = var.n == 1\n    error_message = "no"\n  }\n}\n',
      ["a.tftest.hcl"] = 'run "a" {\n  command = plan\n  expect_failures = [terraform_data.r, check.c, var.n, output.n]\n}\n',
    }
    local found = {}
    for i, d in ipairs(tested(files).files[1].runs[1].diagnostics) do
      found[i] = d.summary .. " " .. d.range.start.column .. " " .. d.detail:match "^%S+"
    end
    local missing = "Missing expected failure "
    assert.same({ missing .. "22 terraform_data.r", missing .. "40 check.c", missing .. "49 var.n", missing .. "56 output.n" }, found)
  end)

  it("accepts a folder of tests in any notation, and reads no file twice", function()
    local files = { ["main.tf"] = main, ["a.tftest.hcl"] = 'run "a" {}\n', ["deep/b.tftest.hcl"] = 'run "b" {}\n' }
    for option, paths in pairs { ["./deep/"] = "a.tftest.hcl deep/b.tftest.hcl", ["."] = "a.tftest.hcl" } do
      local found = {}
      for i, file in ipairs(tested(files, { test_directory = option }).files) do found[i] = file.path end
      assert.equal(paths, table.concat(found, " "))
    end
  end)

  -- Expected of the mock: Terraform 1.11.4, whose mocks leave computed values to the apply.
  it("warns about keys of a provider that doesn't answer, and rejects those of a mock", function()
    local run = 'run "r" {\n  command = plan\n  assert {\n    condition     = %s\n    error_message = "no"\n  }\n}\n'
    local files = { ["main.tf"] = 'resource "aws_x" "y" {}\nresource "terraform_data" "r" { for_each = toset([aws_x.y.arn]) }\n'
      .. 'output "one" { value = 1 }\n', ["a.tftest.hcl"] = run:format "output.one == 1",
      ["b.tftest.hcl"] = 'mock_provider "aws" {}\n' .. run:format "output.one == 1", ["c.tftest.hcl"] = run:format 'aws_x.y.arn == "x"' }
    local found = tested(files, { missing = "unknown" }).files
    local a, b, c = found[1].runs[1], found[2].runs[1], found[3].runs[1]
    assert.same({ "pass", "error", "error" }, { a.status, b.status, c.status })
    assert.truthy(tostring(a.diagnostics):find("for_each comes from aws_x.y.arn, which only its provider knows", 1, true))
    assert.truthy(tostring(b.diagnostics):find("The elements of this set are known only after an apply", 1, true))
    assert.truthy(tostring(c.diagnostics):gsub("%s+", " "):find("it comes from aws_x.y.arn, which only its provider knows", 1, true))
  end)

  it("rejects a folder of tests outside of the module's", function()
    local files = { ["main.tf"] = main, ["a.tftest.hcl"] = 'run "a" {}\n' }
    for _, option in ipairs { "..", "../tests", "a/../../tests", "/tmp", "" } do
      local result, err = tested(files, { test_directory = option })
      assert.is_nil(result)
      assert.equal("module.test", err[1].code)
    end
    assert.equal("pass", tested(files, { test_directory = "a/.." }).status)
  end)

  -- As in `terraform validate -test-directory=PATH`; an empty one is the folder of the module.
  it("is validated with the named folder of tests, always within the module's", function()
    local dir = folder_of { ["main.tf"] = main, ["abs/a.tftest.hcl"] = 'foo "a" {\n}\n', ["none/a"] = "" }
    for option, found in pairs { abs = "error", ["/abs"] = "error", ["./abs/"] = "error", [""] = "", ["."] = "", none = "",
      [dir] = "warning", nope = "warning", tests = "" } do
      local sound, err = hcl.assert(hcl.module(dir, { test_directory = option })):validate()
      assert.equal(found, err and err[1].severity or "", option)
      assert.equal(found ~= "error", sound == true, option)
    end
  end)

  it("returns files, runs, outputs and errors", function()
    local result = tested {
      ["main.tf"] = main,
      ["a.tftest.hcl"] = 'run "one" {\n  assert {\n    condition = output.n == 2\n    error_message = "n is ${output.n}"\n  }\n}\n'
        .. 'run "two" {\n  command = plan\n  variables { n = 1 }\n}\n',
    }
    assert.same({ "fail", 1, 1, 0, 0 }, { result.status, result.passed, result.failed, result.errored, result.skipped })
    local file = result.files[1]
    assert.same({ "a.tftest.hcl", "fail" }, { file.path, file.status })
    local one, two = file.runs[1], file.runs[2]
    assert.same({ "one", "apply", "fail", "two", "plan", "pass" }, { one.name, one.command, one.status, two.name, two.command, two.status })
    assert.equal("n is 1", one.diagnostics[1].detail)
    assert.same({ { path = "output.n", text = "1" } }, one.diagnostics[1].values)
    assert.equal("1", two.outputs.n:text())
    assert.is_nil(two.diagnostics)
  end)

  it("reports progress", function()
    local seen = {}
    tested({ ["main.tf"] = main, ["a.tftest.hcl"] = 'run "one" {}', ["tests/b.tftest.hcl"] = "" }, nil, {
      report = function(kind, file, run) seen[#seen + 1] = kind .. " " .. file.path .. (run and " " .. run.name or "") end,
    })
    assert.same({ "suite ", "file a.tftest.hcl", "starting a.tftest.hcl one", "run a.tftest.hcl one", "end a.tftest.hcl",
                  "file tests/b.tftest.hcl", "end tests/b.tftest.hcl" }, seen)
  end)

  it("keeps values without a schema unknown: no test passes by accident", function()
    local result = tested {
      ["main.tf"] = 'resource "acme_host" "h" { name = "h" }\ndata "acme_image" "i" {}',
      ["a.tftest.hcl"] = 'run "id" {\n  assert {\n    condition = acme_host.h.id != ""\n    error_message = "x"\n  }\n}',
      ["b.tftest.hcl"] = 'run "data" {\n  assert {\n    condition = data.acme_image.i.size == 0\n    error_message = "x"\n  }\n}',
      ["c.tftest.hcl"] = 'override_resource {\n  target = acme_host.h\n  values = { id = "given" }\n}\n'
        .. 'run "given" {\n  assert {\n    condition = acme_host.h.id == "given" && acme_host.h.name == "h"\n    error_message = "x"\n'
        .. '  }\n}',
    }
    assert.same({ "error", "error", "pass" }, { result.files[1].status, result.files[2].status, result.files[3].status })
    assert.equal("module.test_unknown", result.files[1].runs[1].diagnostics[1].code)
  end)

  it("overrides the instances that keys name, with any characters in keys", function()
    local function of(key, id)
      return 'override_resource {\n  target = terraform_data.a["' .. key .. '"]\n  values = { id = "' .. id .. '" }\n}\n'
    end
    local result = tested {
      ["main.tf"] = 'resource "terraform_data" "a" {\n  for_each = toset(["n\\nl", "$${d}", "k"])\n}\n'
        .. "output \"ids\" {\n  value = [for a in terraform_data.a : a.id]\n}\n",
      ["a.tftest.hcl"] = of("n\\nl", "N") .. of("$${d}", "D") .. of("k", "K")
        .. 'run "one" {\n  assert {\n    condition = output.ids == ["D", "K", "N"]\n    error_message = "x"\n  }\n}\n',
    }
    assert.equal("pass", result.files[1].status)
    local none, err = tested { ["main.tf"] = main, ["a.tftest.hcl"] = "override_module {\n  target = module.m[1.5]\n}\n" }
    assert.is_nil(none)
    assert.equal("module.test", err[1].code)
    assert.equal(20, err[1].range.start.column)
  end)

  it("asks a mock or an override instead of the callback, and the callback for the rest", function()
    local asked = {}
    local result = tested({
      ["main.tf"] = 'resource "acme_thing" "a" {}\nresource "acme_thing" "b" {}\nresource "other_thing" "c" {}\n'
        .. 'output "c" { value = other_thing.c.id }\n',
      ["a.tftest.hcl"] = 'mock_provider "acme" {}\noverride_resource {\n  target = acme_thing.b\n  values = { id = "b" }\n}\n'
        .. 'run "r" {\n  command = plan\n  assert {\n    condition = output.c == "of other_thing.c"\n    error_message = "m"\n  }\n}\n',
    }, { resource = function(r)
      asked[#asked + 1] = r.address
      return { id = "of " .. r.address }
    end })
    assert.equal("pass", result.status)
    assert.same({ "other_thing.c" }, asked)
  end)

  it("ends within limits, file by file", function()
    local loop = "length(flatten([for a in range(900) : [for b in range(900) : [for c in range(900) : a]]]))"
    local result = tested({
      ["main.tf"] = main,
      ["a.tftest.hcl"] = ('run "endless" {\n  assert {\n    condition = output.n == %s\n    error_message = "x"\n  }\n}'):format(loop),
      ["b.tftest.hcl"] = ('variables { n = %s }\nrun "endless" {}'):format(loop),
      ["c.tftest.hcl"] = 'run "fine" {}',
    }, { scope = hcl.scope { limits = { steps = 1e6 } } })
    assert.same({ "error", "error", "pass" }, { result.files[1].status, result.files[2].status, result.files[3].status })
  end)

  it("may have no more blocks than limits.memory has room for", function()
    local result, err = tested({ ["main.tf"] = main, ["a.tftest.hcl"] = ('run "r" {}\n'):rep(1000) },
      { scope = hcl.scope { limits = { memory = 1e6 } } })
    assert.is_nil(result)
    assert.equal("limit.memory", err[1].code)
  end)

  it("ends with many of everything, and with cycles", function()
    local function many(n, text)
      local all = {}
      for i = 1, n do all[i] = text:gsub("%%1", i):gsub("%%2", i % n + 1) end
      return table.concat(all)
    end
    local cases = {
      pass = { many(300, 'run "r%1" {\n  variables { n = %1 }\n}\n'),
               'mock_provider "acme" {\n' .. many(1000, 'mock_resource "acme_t%1" {\n  defaults = { a = %1 }\n}\n') .. '}\nrun "a" {}\n',
               many(500, 'override_resource {\n  target = terraform_data.r[%1]\n  values = { id = "%1" }\n}\n') .. 'run "a" {}\n' },
      error = { many(300, 'run "r%1" {\n  variables { n = run.r%2.n }\n}\n'),
                "variables {\n" .. many(500, "v%1 = var.v%2\n") .. '}\nrun "a" {\n  variables { n = var.v1 }\n}\n' },
      fail = { 'run "a" {\n' .. many(300, 'assert {\n  condition = output.n == "%1"\n  error_message = "no"\n}\n') .. "}\n" },
    }
    for status, texts in pairs(cases) do
      for _, text in ipairs(texts) do
        local result, err = tested { ["main.tf"] = main, ["a.tftest.hcl"] = text }
        assert.equal(status, assert(result, err).status)
      end
    end
  end)

  it("rejects a type's name alone as an expected failure, on which the reference crashes", function()
    local dir = folder_of {
      ["main.tf"] = main, ["a.tftest.hcl"] = 'run "r" {\n  command         = plan\n  expect_failures = [string]\n}\n',
    }
    local _, err = hcl.assert(hcl.module(dir)):validate()
    assert.equal("Only variables, outputs, checks, resources and data sources have conditions that can fail. string has "
      .. "none.", err[1].detail)
    assert.equal(22, err[1].range.start.column)
  end)

  it("returns no result if files can't be read", function()
    local texts = { "run {", "run \"a\" { command = destroy }", "\0\1\2", ("["):rep(5000), 'run "a" { module { source = "./none" } }' }
    for _, text in ipairs(texts) do
      local result, err = tested { ["main.tf"] = main, ["a.tftest.hcl"] = text }
      assert.is_nil(result)
      assert.equal("error", err[1].severity)
    end
    local result = tested { ["main.tf"] = main, ["a.tftest.hcl"] = "" }
    assert.equal("pass", result.status)
  end)

  it("shows no secrets", function()
    local result = tested {
      ["main.tf"] = 'variable "s" {\n  sensitive = true\n  default = "hush"\n}\noutput "s" {\n  value = var.s\n  sensitive = true\n}',
      ["a.tftest.hcl"] = 'run "a" {\n  assert {\n    condition = output.s == "x"\n    error_message = "it is ${output.s}"\n  }\n}',
    }
    local said = result.files[1].runs[1].diagnostics
    assert.is_nil(said:report():find("hush", 1, true))
    assert.is_nil(require("hclexpr.terraform.tests.junit").text(result):find("hush", 1, true))
    assert.equal("fail", result.status)
  end)

  it("has errors of a file itself in JUnit's form", function()
    local warning = { severity = "warning", summary = "W", detail = "w" }
    local function text(...)
      return require("hclexpr.terraform.tests.junit").text {
        status = "error", files = { { path = "a.tftest.hcl", runs = {}, diagnostics = { warning, ... } } } }
    end
    local said = text { severity = "error", summary = "S", detail = "D & d." }
    assert.matches('<testsuites.-<testsuite name="a.tftest.hcl".-'
      .. '<system%-err>S: D &amp; d%.</system%-err>\n  </testsuite>\n</testsuites>\n$', said)
    assert.is_nil(text():find("system-err", 1, true))
  end)

  -- As in Terraform's mocks (hashicorp/terraform#37939): a list of nested attributes accepts an object, too, and stays empty.
  it("accepts one object as the default of attributes and blocks, and nothing else", function()
    local string = { type = "string", computed = true }
    local function nested(mode)
      return { computed = true, nested_type = { nesting_mode = mode, attributes = { url = string, n = string } } }
    end
    local rule = { attributes = { key = string, port = { type = "number", required = true } } }
    local block = {
      attributes = { arn = string, list = nested "list", set = nested "set", map = nested "map", single = nested "single" },
      block_types = { rule = { nesting_mode = "list", block = rule } },
    }
    local schemas = { format_version = "1.0", provider_schemas = {
      ["registry.terraform.io/hashicorp/cloud"] = { resource_schemas = { cloud_thing = { version = 0, block = block } } },
    } }
    local function status(values, condition)
      local run = tested({
        ["main.tf"] = 'resource "cloud_thing" "t" {\n  rule {\n    port = 1\n  }\n}\n',
        ["a.tftest.hcl"] = 'run "r" {\n  override_resource {\n    target = cloud_thing.t\n    values = ' .. values .. "\n  }\n  assert {\n"
          .. "    condition     = " .. (condition or "cloud_thing.t.arn != null") .. '\n    error_message = "m"\n  }\n}\n',
      }, { schemas = schemas }).files[1].runs[1]
      return run.status, run.diagnostics and run.diagnostics[1].detail or ""
    end
    for values, condition in pairs {
      ['{ single = { url = "x" } }'] = 'cloud_thing.t.single.url == "x" && cloud_thing.t.single.n != null',
      ['{ list = { url = "x" } }'] = "length(cloud_thing.t.list) == 0", ['{ set = { url = "x" } }'] = "length(cloud_thing.t.set) == 0",
      ['{ map = { a = { url = "x" } } }'] = "length(cloud_thing.t.map) == 0",
      ['{ rule = { key = "K" } }'] = 'cloud_thing.t.rule[0].key == "K"',
    } do assert.equal("pass", (status(values, condition)), values) end
    for values, path in pairs { ['{ list = [{ url = "x" }] }'] = "list: ", ['{ set = [{ url = "x" }] }'] = "set: ",
      ['{ map = tomap({ a = "x" }) }'] = "map: ", ['{ single = [{ url = "x" }] }'] = "single: ",
      ['{ rule = [{ key = "K" }] }'] = "rule: ", ['{ single = { n = ["x"] } }'] = "single.n: " } do
      local found, detail = status(values)
      assert.equal("error", found, values)
      assert.truthy(detail:find(path, 1, true), detail)
    end
  end)

  -- As in Terraform: outputs are evaluated; instances are those of the state, and a missing single one is unknown.
  it("has the state's values in a run that only refreshes", function()
    local files = { ["main.tf"] = [[
variable "v" {
  default = "v"
}
resource "terraform_data" "a" {
  input = var.v
}
resource "terraform_data" "b" {
  input = one([terraform_data.a.output])
}
resource "terraform_data" "many" {
  count = var.v == "v" ? 2 : 1
}
resource "terraform_data" "named" {
  for_each = toset([var.v])
}
output "v" {
  value = var.v
}
output "a" {
  value = terraform_data.a.input
}
output "upper" {
  value = upper(terraform_data.b.id)
}
output "many" {
  value = length(terraform_data.many)
}
output "named" {
  value = join(" ", keys(terraform_data.named))
}
output "id" {
  value = try(terraform_data.many[0].id, "none")
}
]] }
    local function run(condition, more)
      return 'run "r" {\n' .. more .. '  plan_options {\n    mode = refresh-only\n  }\n  assert {\n    condition = ' .. condition
        .. '\n    error_message = "m"\n  }\n}\n'
    end
    local without, with = '  command = plan\n', '  variables {\n    v = "w"\n  }\n'
    local function status(condition, is_made)
      files["a.tftest.hcl"] = (is_made and 'run "made" {}\n' or "") .. run(condition, is_made and with or without)
      local runs = tested(files).files[1].runs
      return runs[#runs].status
    end
    for condition, found in pairs { ['output.v == "v"'] = "pass", ["output.many == 0"] = "pass", ['output.named == ""'] = "pass",
      ['output.id == "none"'] = "pass", ["terraform_data.a.input == null"] = "error", ["output.a == null"] = "error",
      ["terraform_data.a == null"] = "error", ["length(terraform_data.many) == 0"] = "pass" } do
      assert.equal(found, status(condition), condition)
    end
    for condition, found in pairs { ['output.v == "w"'] = "pass", ['output.a == "v"'] = "pass", ["output.many == 2"] = "pass",
      ['output.named == "v"'] = "pass", ['output.id != "none"'] = "pass", ["terraform_data.a.input == null"] = "fail",
      ['keys(terraform_data.named)[0] == "v"'] = "pass", ["terraform_data.many[1].id != null"] = "pass" } do
      assert.equal(found, status(condition, true), condition)
    end
  end)

  -- As in Terraform: an apply after it checks outputs, but no resources.
  it("only warns about failed conditions in a run that only refreshes", function()
    local files = { ["main.tf"] = [[
variable "v" {
  default = ""
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.v != "pre"
      error_message = "m"
    }
    postcondition {
      condition     = var.v != "post" && self.id != ""
      error_message = "m"
    }
  }
}
output "o" {
  value = var.v
  precondition {
    condition     = var.v != "out"
    error_message = "m"
  }
}
]] }
    for _, case in ipairs { { "pre", "plan", "pass", "warning" }, { "post", "plan", "pass", "warning" },
      { "out", "plan", "pass", "warning" }, { "pre", "apply", "pass", "warning" }, { "out", "apply", "error", "warning error" } } do
      files["a.tftest.hcl"] = ('run "made" {}\nrun "r" {\n  command = %s\n  variables {\n    v = "%s"\n  }\n  plan_options {\n'
        .. '    mode = refresh-only\n  }\n}\n'):format(case[2], case[1])
      local found, run = {}, tested(files).files[1].runs[2]
      for i, d in ipairs(run.diagnostics or {}) do found[i] = d.severity end
      assert.same({ case[3], case[4] }, { run.status, table.concat(found, " ") }, table.concat(case, " "))
    end
  end)

  -- As in Terraform.
  it("plans the instances that plan_options name", function()
    local files = { ["main.tf"] = [[
variable "v" {
  default = "v"
}
resource "terraform_data" "n" {
  count = 3
  input = "${var.v}${count.index}"
}
output "n" {
  value = join(" ", terraform_data.n[*].input)
}
output "ids" {
  value = terraform_data.n[*].id
}
]] }
    local function run(options, condition)
      files["a.tftest.hcl"] = 'run "made" {}\nrun "r" {\n  variables {\n    v = "w"\n  }\n  plan_options {\n    ' .. options
        .. "\n  }\n  assert {\n    condition = " .. condition .. '\n    error_message = "m"\n  }\n}\n'
      local found = tested(files).files[1].runs[2]
      return found.status, (found.diagnostics and found.diagnostics[1] or {}).detail
    end
    assert.equal("pass", (run("target = [terraform_data.n[1]]", 'output.n == "v0 w1 v2"')))
    assert.equal("pass", (run("target = [terraform_data.n]", 'output.n == "w0 w1 w2"')))
    local others = "length(setsubtract(output.ids, run.made.ids))"
    assert.equal("pass", (run("replace = [terraform_data.n[2]]", others .. " == 1")))
    local status, warning = run("replace = [terraform_data.n]", others .. " == 0")
    assert.equal("pass", status)
    assert.truthy(warning:find("Name one of them: terraform_data.n[0]", 1, true), warning)
    assert.equal("error", (run("mode = refresh-only\n    replace = [terraform_data.n[0]]", 'output.n != ""')))
  end)

  it("lists what no run reached", function()
    local result = tested({
      ["main.tf"] = 'variable "big" { default = false }\nvariable "none" { default = null }\n'
        .. 'locals {\n  size = var.big ? (var.none == null ? 1 : 2) : 3\n  never = true ? 1 : 2\n}\n'
        .. 'resource "terraform_data" "r" {\n  count = var.big ? 1 : 0\n  input = [for i in range(3) : i > 1 ? "a" : "b"]\n}\n'
        .. 'module "m" {\n  source = "./m"\n  count = local.size == 3 ? 0 : 1\n}\n'
        .. 'output "id" { value = "%{ if var.big }${terraform_data.r[0].id}%{ endif }" }\n',
      ["m/main.tf"] = 'output "x" { value = true ? 1 : 2 }',
      ["tests/setup/main.tf"] = 'output "x" { value = 1 }',
      ["a.tftest.hcl"] = 'run "small" { command = plan }\nrun "set" {\n  module { source = "./tests/setup" }\n}\n',
    }, nil, { coverage = true })
    local open = {}
    for _, file in ipairs(result.coverage.files) do
      for _, item in ipairs(file.items) do
        if not item.covered then open[#open + 1] = file.path .. ":" .. item.range.start.line .. " " .. item.kind .. " " .. item.name end
      end
    end
    assert.same({
      "m/main.tf:1 output output.x", "m/main.tf:1 yes true", "m/main.tf:1 no true", "main.tf:2 variable var.none", "main.tf:4 yes var.big",
      "main.tf:4 yes var.none == null", "main.tf:4 no var.none == null", "main.tf:5 no true", "main.tf:7 resource terraform_data.r",
      "main.tf:8 yes var.big", "main.tf:9 yes i > 1", "main.tf:9 no i > 1", "main.tf:13 no local.size == 3", "main.tf:15 yes var.big",
    }, open)
    assert.same({ 23, 9 }, { result.coverage.total, result.coverage.covered })
  end)

  it("counts the results of conditionals that were chosen", function()
    local conditional = "var.a ? (var.b ? 1 : 2) : (var.b ? 3 : 4)"
    local function run(name, a, b)
      return ('run "%s" {\n  command = plan\n  variables {\n    a = %s\n    b = %s\n  }\n}\n'):format(name, tostring(a), tostring(b))
    end
    local result = tested({
      ["main.tf"] = ('variable "a" {}\nvariable "b" {}\noutput "x" { value = %s }\noutput "y" { value = [for i in [1, 2] : %s] }\n')
        :format(conditional, conditional),
      ["a.tftest.hcl"] = run("one", true, false) .. run("two", false, true) .. run("none", "null", true),
    }, nil, { coverage = true })
    local taken = {}
    for _, item in ipairs(result.coverage.files[1].items) do
      if item.conditional then taken[#taken + 1] = item.name .. " " .. item.kind .. " " .. tostring(item.covered) end
    end
    local of_one = { "var.a yes true", "var.b yes false", "var.b no true", "var.a no true", "var.b yes true", "var.b no false" }
    for i = 1, 6 do of_one[i + 6] = of_one[i] end
    assert.same(of_one, taken)
  end)

  it("raises errors for unknown options", function()
    assert.has_error(function() tested({ ["main.tf"] = main }, nil, { filters = {} }) end)
  end)
end)

describe("hclexpr test", function()
  local function run(dir, words)
    local top = root:find "^/" and root or support.output("pwd"):gsub("\n", "") .. "/" .. root
    return (support.output(("cd '%s' && '%s' '%sbin/hclexpr' test %s 2>&1; echo \"status $?\""):format(dir, program, top, words)))
  end

  it("writes JUnit's XML, and ends with 0 or 1", function()
    local dir = folder_of {
      ["main.tf"] = main, ["a.tftest.hcl"] = 'run "good" {}',
      ["b.tftest.hcl"] = 'run "<bad>" {}', ["c.tftest.hcl"] = 'run "wrong" {\n  variables { n = var.none }\n}\nrun "after" {}',
    }
    support.write(dir .. "/b.tftest.hcl", 'run "bad" {\n  assert {\n    condition = output.n == 2\n    error_message = "<&\\">"\n  }\n}')
    assert.truthy(run(dir, "-filter=a.tftest.hcl"):find "Success! 1 passed, 0 failed%.\nstatus 0\n$")
    assert.truthy(run(dir, "-junit-xml=out.xml"):find "Failure! 1 passed, 2 failed, 1 skipped%.\nstatus 1\n$")
    local xml = support.read(dir .. "/out.xml")
    for _, line in ipairs {
      '<testcase name="good" classname="a.tftest.hcl">', '<testsuite name="b.tftest.hcl" tests="1" skipped="0" failures="1" errors="0">',
      "&lt;&amp;&quot;&gt;", '<testsuite name="c.tftest.hcl" tests="2" skipped="1" failures="0" errors="1">', "<skipped message=",
    } do
      assert.truthy(xml:find(line, 1, true), line .. " in " .. xml)
    end
  end)

  it("prints \"fail\" for a run that an error ended, as Terraform does, with the place and a remedy", function()
    local dir = folder_of { ["main.tf"] = main, ["a.tftest.hcl"] = [[
run "unknown" {
  command = plan
  assert {
    condition     = terraform_data.r.id == "a"
    error_message = "m"
  }
}
]], ["b.tftest.hcl"] = [[
run "wrong" {
  override_resource {
    target = terraform_data.r
    values = { id = ["x"] }
  }
  override_resource {
    target = terraform_data.none
  }
}
]] }
    local text = run(dir, ""):gsub("%s+", " ")
    for _, words in ipairs { 'run "unknown"... fail', 'run "wrong"... fail', "b.tftest.hcl... fail", "override_during = plan",
      " no terraform_data.none,",
      "at b.tftest.hcl line 4" } do
      assert.truthy(text:find(words, 1, true), words .. " in " .. text)
    end
    assert.is_nil(text:find("... error", 1, true))
    assert.truthy(run(dir, "-json"):find('"status":"error"', 1, true))
  end)

  it("shows the coverage, and writes it as lcov has it", function()
    local dir = folder_of {
      ["main.tf"] = 'variable "n" { default = 1 }\noutput "big" { value = var.n > 5 ? "big" : null }\n',
      ["a.tftest.hcl"] = 'run "a" { command = plan }',
    }
    local said = run(dir, "-coverage -lcov=out.info")
    local words = "Coverage: 2 of 4 (50 %)\n  main.tf:2:1: output.big has no value\n  main.tf:2:36: var.n > 5 is never true\n"
    assert.truthy(said:find(words, 1, true))
    assert.truthy(said:find "status 0\n$")
    local lcov = support.read(dir .. "/out.info")
    assert.equal("TN:\nSF:main.tf\nFN:1,var.n\nFNDA:1,var.n\nFN:2,output.big\nFNDA:0,output.big\nBRDA:2,52,0,0\nBRDA:2,52,1,1\n"
      .. "FNF:2\nFNH:1\nBRF:2\nBRH:1\nDA:1,1\nDA:2,1\nLF:2\nLH:2\nend_of_record\n", lcov)
    words = '"test_coverage":{"covered":2,"total":4,"files":[{"path":"main.tf","items":[{"kind":"variable"'
    assert.truthy(run(dir, "-coverage -json"):find(words, 1, true))
  end)

  it("finds variable files like Terraform in that folder", function()
    local dir = folder_of {
      ["in/main.tf"] = main, ["in/five.tfvars"] = "n = 5", ["six.tfvars"] = "n = 6",
      ["in/a.tftest.hcl"] = 'run "a" {\n  assert {\n    condition = output.n == 5\n    error_message = "n is ${output.n}"\n  }\n}',
    }
    assert.truthy(run(dir, "-var-file=five.tfvars in"):find "status 0\n$")
    assert.truthy(run(dir, "-var-file=six.tfvars in"):find "n is 6")
  end)
end)
