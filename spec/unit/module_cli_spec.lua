-- The commands over Terraform folders: validate, plan, outputs, graph and the console, as processes.
local core = require "hclexpr.core"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local hcl = require "hclexpr"
local cli = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../command.lua")
local file, run, prints, fails = cli.file, cli.run, cli.prints, cli.fails
local has_cjson, cjson = pcall(require, "cjson")

local main = [[
variable "n" {
  type    = number
  default = 2
}
variable "password" {
  type      = string
  sensitive = true
  default   = "hush"
}
locals {
  double = var.n * 2
  line   = "a"
}
resource "terraform_data" "x" {
  count = var.n
  input = local.double
}
output "double" {
  value = local.double
}
output "secret" {
  value     = { key = var.password }
  sensitive = true
}
check "size" {
  assert {
    condition     = local.double < 10
    error_message = "Too large."
  }
}
]]

describe("hclexpr over a folder", function()
  local dir
  setup(function()
    cli.begin()
    dir = file("good/main.tf", main):match "^(.*)/"
    file("five.tfvars", "n = 5\n")
    file("bad/main.tf", 'output "a" {\n  value = local.nope\n}\nlocals {\n  b = upper(var.c)\n}\n')
    file("cycle/main.tf", "locals {\n  b = upper(local.c)\n  c = local.b\n}\n")
  end)
  teardown(cli.finish)

  it("reads a state only if it matters", function()
    -- Terraform validates and tests without one, and treats a file without text as missing.
    local main_tf = 'output "a" {\n  value = 1\n}\n'
    for name, state in pairs { none = "", sealed = '{ "encrypted_data": "x", "encryption_version": "v0" }', torn = "{" } do
      local at = file("state-" .. name .. "/main.tf", main_tf):match "^(.*)/"
      file("state-" .. name .. "/terraform.tfstate", state)
      file("state-" .. name .. "/a.tftest.hcl", 'run "a" {}\n')
      prints("", { "validate", at })
      prints("a.tftest.hcl... in progress\n  run \"a\"... pass\na.tftest.hcl... pass\n\nSuccess! 1 passed, 0 failed.\n", { "test", at })
      if name == "none" then prints("a = 1\n", { "outputs", at })
      else fails(1, { "plan", at }, "terraform.tfstate", name == "sealed" and "-state FILE names another state" or "JSON") end
    end
  end)

  it("accepts configurations of providers from outside", function()
    -- As with Terragrunt, which generates their blocks.
    local at = file("outside/main.tf", 'resource "aws_vpc" "v" {\n  provider = aws.west\n}\n'):match "^(.*)/"
    fails(1, { "validate", at }, "main.tf line 2, column 14", "-provider NAME says that a configuration is passed")
    for _, name in ipairs { "aws.west", "*" } do
      local status, _, err = run { "validate", "-provider", name, at }
      assert.same({ 0 }, { status }, err)
    end
  end)

  it("continues after an internal error, and reports it at the end", function()
    local at = file("bug/main.tf", 'output "a" {\n  value = 1\n}\n'):match "^(.*)/"
    for _, name in ipairs { "a", "b" } do
      file("bug/" .. name .. ".tftest.hcl", 'run "first" {}\nrun "broken" {}\nrun "last" {}\n')
    end
    local init = [[LUA_INIT='
      local running, answers = require "hclexpr.terraform.tests.running", require "hclexpr.terraform.module.answers"
      local run, value = running.run, answers.value
      function running.run(work, ...)
        return run(work.run.name == "broken" and work.test.path:find "a.tftest" and 1 or work, ...)
      end
      function answers.value(self, source, ...) return value(self, source == "broken" and {} or source, ...) end
    ' ]]
    local status, out, err = run({ "test", at }, { env = init })
    assert.equal(1, status)
    for _, line in ipairs { 'run "broken"... fail', 'run "last"... skip', "b.tftest.hcl... pass",
                           "Failure! 4 passed, 1 failed, 1 skipped." } do
      assert.truthy(out:find(line, 1, true), out)
    end
    assert.truthy(err:find("internal error", 1, true), err)
    status, out, err = run({ "console", at }, { env = init, input = "1 + 1\nbroken\noutput.a\n" })
    assert.same({ 1, "2\n1\n" }, { status, out })
    assert.truthy(err:find("hclexpr: internal error: ", 1, true), err)
  end)

  it("validates", function()
    prints("", { "validate", dir })
    prints("", { "check", dir })
    fails(1, { "validate", cli.folder .. "/bad" }, "main.tf line 2, column 11", "nope")
    fails(1, { "check", cli.folder .. "/bad" }, "nope", "main.tf line 5")
    fails(1, { "validate", cli.folder .. "/cycle" }, "local.b", "local.c")
    for _, command in ipairs { "validate", "plan", "outputs", "graph", "test", "console" } do
      fails(1, { command, cli.folder .. "/none" }, "/none", "it does not exist")
      fails(1, { command, dir .. "/main.tf" }, "it is a file, not a folder")
    end
    fails(1, { "plan", "-source", "a=" .. dir .. "/main.tf", dir }, "it is a file, not a folder")
    fails(2, { "validate", dir, dir }, "one folder")
    fails(2, { "validate", "-vra", "x", dir }, "-vra")
    local status, out = run { "validate", "-json", cli.folder .. "/bad" }
    assert.equal(1, status)
    if not has_cjson then return end
    local report = cjson.decode(out)
    assert.is_false(report.valid)
    assert.equal("error", report.diagnostics[1].severity)
    assert.equal("main.tf", report.diagnostics[1].range.filename)
    assert.same({ "1.0", #report.diagnostics, 0 }, { report.format_version, report.error_count, report.warning_count })
    -- Terraform: a value from the command line is in no file.
    local listed = file("listed/main.tf", 'variable "l" {\n  type = list(string)\n}\n'):match "^(.*)/"
    report = cjson.decode((select(2, run { "validate", "-json", "-var", "l=[", listed })))
    assert.equal("<value for var.l>", report.diagnostics[1].range.filename)
  end)

  it("knows outputs by name in the console", function()
    local status, out, err = run({ "console", dir }, { input = "output.double + 1\noutput.secret\nkeys(output)\noutput.duoble\n" })
    assert.equal(1, status)
    assert.equal('5\n(sensitive value)\n[\n  "double",\n  "secret",\n]\n', out)
    assert.truthy(err:find('No output "duoble" is declared in the root module. Did you mean "double"?', 1, true), err)
  end)

  it("reads files beside the folder if that is granted", function()
    file("conf/common.json", '{ "region": "eu" }')
    local env = file("envs/dev/main.tf",
      'output "region" {\n  value = jsondecode(file("${path.module}/../../conf/common.json")).region\n}\n'):match "^(.*)/"
    fails(1, { "outputs", "-strict", env }, "it is outside the granted folders",
      "-filesystem DIR lets functions read DIR too")
    for command, status in pairs { outputs = 0, validate = 0, plan = 3 } do
      local got, out, err = run { command, env }
      assert.equal(status, got, command .. out .. err)
      local _, times = err:gsub("%-filesystem DIR", "")
      assert.equal(1, times, err)
      assert.truthy(err:find("conf/common.json", 1, true), err)
    end
    for _, granted in ipairs { "/conf", "/." } do
      prints('region = "eu"\n', { "outputs", "-filesystem", cli.folder .. granted, env })
    end
    fails(1, { "outputs", "-strict", "-filesystem", cli.folder .. "/envs", env }, "it is outside the granted folders")
    fails(1, { "outputs", "-filesystem", cli.folder .. "/none", env }, "No such file")
  end)

  it("prints outputs", function()
    prints('double = 4\nsecret = (sensitive value)\n', { "outputs", dir })
    prints("6\n", { "outputs", dir, "double", "-var", "n=3" })
    prints("6\n", { "outputs", "--var=n=3", dir, "double" })
    fails(1, { "outputs", dir, "none" }, "no output is named none")
    fails(1, { "outputs", dir, "duoble" }, "did you mean double?")
    fails(1, { "outputs", "double" }, "no output or folder is named double")
  end)

  it("prints an output of the current folder by its name alone", function()
    local here = support.output "pwd":gsub("\n", "")
    local function absolute(path) return (path:gsub("[^;]+", function(part) return part:find "^/" and part or here .. "/" .. part end)) end
    local script = 'local main = require("hclexpr.cli").main\nmain { "outputs", "double" }\nmain { "outputs", "-raw", "double" }'
    assert.equal("4\n4", support.output(("cd %s && LUA_PATH=%s LUA_CPATH=%s %s -e %s"):format(cli.quote(dir),
      cli.quote(absolute(package.path)), cli.quote(absolute(package.cpath)), cli.quote(cli.program), cli.quote(script))))
    prints("4", { "outputs", "-raw", dir, "double" })
    prints("4\n", { "outputs", "-json", dir, "double" })
    prints("null\n", { "outputs", "-json", dir, "secret" })
    prints('{\n  "key": "hush"\n}\n', { "outputs", "-json", "-reveal", dir, "secret" })
    fails(1, { "outputs", "-raw", dir, "secret" }, "the output secret is sensitive", "-reveal prints it")
    fails(1, { "outputs", "-raw", "-reveal", dir, "secret" }, "-raw prints a string, number or bool: use -json")
    fails(2, { "outputs", "-raw", dir }, "-name says which")
    fails(2, { "outputs", "-reveal", dir, "double" }, "-reveal is for")
    assert.truthy((select(2, run { "outputs", "-json", "-reveal", dir })):find("hush", 1, true))
    fails(1, { "outputs", dir, "-var", "m=1" }, '"m"')
    local status, out = run { "outputs", "-json", dir }
    assert.equal(0, status)
    assert.is_nil(out:find("hush", 1, true))
    if has_cjson then
      local all = cjson.decode(out)
      assert.same({ sensitive = false, type = "number", value = 4 }, all.double)
      assert.same({ sensitive = true, type = "dynamic", value = cjson.null }, all.secret)
    end
  end)

  it("reads OpenTofu's files, each instead of the one of Terraform with its name", function()
    local tofu = file("tofu/main.tofu", 'output "x" {\n  value = local.a\n}\n'):match "^(.*)/"
    file("tofu/main.tf", 'output "terraform" {\n  value = 0\n}\n')
    file("tofu/a.tofu.json", '{ "locals": { "a": 1 } }')
    file("tofu/a.tf.json", '{ "locals": { "a": 2 } }')
    file("tofu/b_override.tofu", 'output "y" {\n  value = "${path.module == path.root}"\n}\n')
    file("tofu/b_override.tf", 'output "nothing" {}\n')
    file("tofu/b.tf", 'output "y" {\n  value = 3\n}\n')
    prints("x = 1\ny = true\n", { "outputs", tofu })
    prints("Changes to outputs:\n  + x = 1\n  + y = true\n\nPlan: 0 to add, 0 to change, 0 to destroy.\n", { "plan", tofu })
    prints("", { "validate", tofu })
    prints("1\n", { "console", tofu }, { input = "local.a\n" })
  end)

  -- Expected: the issue's table of missing things.
  it("finds a schema file, and lists types without a schema", function()
    local part = file("infra/live/main.tf", 'resource "shop_cert" "c" { domain = 7 }\nresource "random_pet" "p" {}\n'):match "^(.*)/"
    local status, out = run { "schemas", part }
    assert.equal(0, status)
    assert.truthy(out:find "^hashicorp/random  bundled\nhashicorp/shop    none\n")
    assert.truthy(out:find("terraform providers schema -json >.hclexpr/schemas.json", 1, true))
    file("infra/.hclexpr/schemas.json", '{"provider_schemas":{"hashicorp/shop":{"resource_schemas":{"shop_cert":{"block":{"attributes":{'
      .. '"domain":{"type":"string","required":true},"id":{"type":"string","computed":true}}}}}}}}')
    prints("hashicorp/random  bundled\nhashicorp/shop    file\n", { "schemas", part })
    prints('"7"\n', { "console", part }, { input = "shop_cert.c.domain\n" })
    if not has_cjson then return end
    file("infra/live/own.tf", "resource \"terraform_data\" \"d\" {\n  input = shop_cert.c\n}\n")
    file("infra/.hclexpr/schemas.json", (support.read(part .. "/../.hclexpr/schemas.json"):gsub('^{"provider_schemas":{',
      '%0"registry.example/acme/unused":{},')))
    local _, text = run { "schemas", "-json", part }
    local found = cjson.decode(text)
    assert.same({ { source = "hashicorp/random", schema = "bundled" }, { source = "hashicorp/shop", schema = "file" } }, found.providers)
    assert.equal("1.0", found.format_version)
    local types = {}
    for name, provider in pairs(found.provider_schemas) do types[name] = next(provider.resource_schemas) end
    assert.same({ ["hashicorp/shop"] = "shop_cert", ["terraform.io/builtin/terraform"] = "terraform_data" }, types)
    local own = found.provider_schemas["terraform.io/builtin/terraform"].resource_schemas.terraform_data
    assert.same({ 0, { type = "string", computed = true } }, { own.version, own.block.attributes.id })
    -- Read again it gives the same plan.
    local _, plan = run { "plan", "-json=values", part }
    local origins = {}
    for _, r in ipairs(cjson.decode(plan).resources) do origins[r.address] = r.schema end
    assert.same({ ["random_pet.p"] = "bundled", ["shop_cert.c"] = "file", ["terraform_data.d"] = "builtin" }, origins)
    local _, again = run { "plan", "-json=values", part, "-schemas", file("infra/printed.json", text) }
    assert.equal(plan, again)
    assert.truthy(plan:find("terraform_data.d", 1, true))
  end)

  it("reports a folder without configuration", function()
    local empty = file("nothing/notes.txt", "x = 1\n"):match "^(.*)/"
    file("nothing/.hidden.tf", "x = \n")
    -- Terraform's commands end the same way.
    for _, name in ipairs { "outputs", "validate", "graph", "check", "console" } do
      local status, _, err = run { name, empty }
      assert.same({ name, 0, ("hclexpr: %s holds no configuration: no file *.tf, *.tofu, *.tf.json or *.tofu.json\n"):format(empty) },
        { name, status, err })
    end
    fails(1, { "plan", empty }, "Empty folder", "*.tofu")
  end)

  it("reports errors found by a plan once", function()
    local wrong = file("wrong/main.tf", [[
variable "n" {
  default = 1
  validation {
    condition     = var.n > 1
    error_message = "It is small."
  }
}
check "c" {
  assert {
    condition     = var.n == 2
    error_message = "is ${sensitive("hush")}"
  }
}
]]):match "^(.*)/"
    local status, _, err = run { "plan", wrong }
    local heads = {}
    for head in err:gmatch "(%u%l+: [^\n]*)\n  on" do heads[#heads + 1] = head end
    assert.equal(1, status)
    assert.same({ "Warning: Message with a secret", "Error: Invalid value of a variable" }, heads)
  end)

  it("prints the same JSON each time", function()
    local half = file("half/main.tf", [[
resource "terraform_data" "x" {}
output "o" {
  value     = [sensitive("hush"), terraform_data.x.id]
  sensitive = true
}
]]):match "^(.*)/"
    -- Lua's hashes use a new seed in each process.
    for _ = 1, 8 do
      local _, out = run { "plan", "-json=values", half }
      assert.truthy(out:find('"unknown".*"sensitive"', (assert(out:find('"outputs"', 1, true)))), out)
    end
  end)

  it("explains in the console", function()
    local status, out, err = run({ "console", dir }, { input = ':explain local.double\n:explain var.password\n:explain var.zz\n' })
    assert.equal(1, status)
    assert.equal('4\n  local.double  4    main.tf:11\n    var.n * 2   4\n      var.n     2    default, main.tf:3\n'
      .. '(sensitive value)\n  var.password  (sensitive value)    default, main.tf:8\n', out)
    assert.matches('No variable "zz"', err, 1, true)
  end)

  it("finds variable files from the folder of the shell", function()
    local status, out = run({ "outputs", dir, "double", "-var-file", cli.folder .. "/five.tfvars" })
    assert.same({ 0, "10\n" }, { status, out })
  end)

  it("reads named files from anywhere, and found ones only if regular", function()
    local odd = file("odd/main.tf", 'variable "v" {}\noutput "o" { value = var.v }\n'):match "^(.*)/"
    local status, out = run({ "outputs", odd, "o", "-var-file=/dev/stdin" }, { input = "v = 5\n" })
    assert.same({ 0, "5\n" }, { status, out })
    if not support.runs(("mkfifo '%s/pipe.tf' '%s/terraform.tfstate' 2>/dev/null"):format(odd, odd)) then return end
    for _, args in ipairs { { "check", "-recursive", odd }, { "fmt", "-check", "-recursive", odd }, { "validate", odd } } do
      fails(1, args, "it is not a regular file")
    end
    assert(support.runs(("rm '%s/pipe.tf'"):format(odd)))
    fails(1, { "plan", odd, "-var", "v=1" }, "terraform.tfstate\" can't be read: it is not a regular file")
    assert(support.runs(("mv '%s/terraform.tfstate' '%s/waits'"):format(odd, odd)))
    fails(1, { "test", "-var-file", odd .. "/waits", odd }, "waits can't be read: it is not a regular file")
    if not support.exists "/dev/zero" then return end
    assert(support.runs(("ln -s /dev/zero '%s/zero.tf'"):format(odd)))
    fails(1, { "check", "-recursive", odd }, "it is not a regular file")
    fails(1, { "check", odd .. "/zero.tf" }, "it is larger than may be read at once")
  end)

  it("plans", function()
    local status, out, err = run { "plan", dir }
    assert.same({ 0, "" }, { status, err })
    assert.truthy(out:find("  # terraform_data.x[0] will be created\n", 1, true), out)
    assert.truthy(out:find('      + id     = (known after apply)\n', 1, true), out)
    assert.truthy(out:find("check.size: passed\n", 1, true), out)
    assert.truthy(out:find("\nPlan: 2 to add, 0 to change, 0 to destroy.\n$"), out)
    assert.is_nil(out:find("hush", 1, true))
    status, out, err = run { "plan", dir, "-var", "n=5" }
    assert.equal(0, status)
    assert.truthy(out:find("check.size: failed: Too large.\n", 1, true), out)
    assert.truthy(err:find("Too large.", 1, true), err)
    status, out = run { "plan", dir, "-json=values" }
    assert.equal(0, status)
    if not has_cjson then return end
    local plan = cjson.decode(out)
    assert.equal("terraform_data.x[1]", plan.resources[2].address)
    assert.equal(1, plan.resources[2].key)
    local within = file("within/main.tf", 'module "m" {\n  source = "./m"\n}\ndata "acme_zone" "z" {}\n'):match "^(.*)/"
    file("within/m/main.tf", 'resource "terraform_data" "a" {}\n')
    local found = {}
    for _, r in ipairs(cjson.decode((select(2, run { "plan", within, "-json=values" }))).resources) do
      found[r.address] = { r.mode, r.type, r.name, r.module }
    end
    assert.same({ ["data.acme_zone.z"] = { "data", "acme_zone", "z" },
                  ["module.m.terraform_data.a"] = { "managed", "terraform_data", "a", "module.m" } }, found)
    assert.is_true(plan.resources[2].unknown.id)
    assert.equal(4, plan.resources[2].value.input)
    assert.same({ ["check.size"] = "pass" }, plan.checks)
    plan = cjson.decode((select(2, run { "plan", dir, "-json=values", "-var", "n=5" })))
    assert.same({ ["local.double"] = "10" }, plan.diagnostics[1].values)
  end)

  it("marks in short JSON what is open, and what has no schema", function()
    local part = file("open/main.tf", [[
resource "shop_thing" "a" {
  name = "x"
  key  = sensitive("hush")
  rule { port = 80 }
}
output "all" {
  sensitive = true
  value     = [shop_thing.a, nonsensitive(1)]
}
output "rules" { value = { of = shop_thing.a.rule, id = shop_thing.a.id } }
resource "terraform_data" "known" { input = 1 }
]]):match "^(.*)/"
    local status, out = run { "plan", "-json=values", part }
    assert.equal(0, status)
    assert.is_nil(out:find("hush", 1, true))
    if not has_cjson then return end
    local plan = cjson.decode(out)
    assert.same({ false, 80 }, { plan.resources[1].schema, plan.resources[1].value.rule[1].port })
    assert.equal("builtin", plan.resources[2].schema)
    local rules = plan.outputs.rules
    assert.same({ 80, true, true }, { rules.value.of[1].port, rules.open.of, rules.unknown.id })
    assert.is_nil(rules.unknown.of)
  end)

  it("plans as JSON, like Terraform", function()
    local status, out = run { "plan", "-json", dir }
    assert.equal(0, status)
    assert.is_nil(out:find("hush", 1, true))
    assert.is_nil(out:find("hclexpr", 1, true))
    assert.truthy((select(2, run { "plan", "-json", "-reveal", dir })):find("hush", 1, true))
    assert.truthy((select(2, run { "plan", "-json=full", dir })):find('"hclexpr":{"diagnostics":[]', 1, true))
    fails(2, { "plan", "-json=all", dir }, "--json is true or false")
    fails(1, { "plan", "-json", cli.folder .. "/bad" }, "nope")
    local wrong = file("wrong/main.tf", 'data "cloud_zone" "z" {}\noutput "o" {\n  value = data.cloud_zone.z.id\n}\n'
      .. 'check "c" {\n  assert {\n    condition     = data.cloud_zone.z.id == "z1"\n    error_message = "Where is it?"\n  }\n}\n')
    local data = file("data.json", '{ "data.cloud_zone.z": { "id": "z1" } }')
    status, out = run { "plan", "-json", "-data", data, (wrong:match "^(.*)/") }
    assert.equal(0, status)
    assert.truthy(out:find('"after":"z1"', 1, true), out)
    fails(1, { "plan", "-data", wrong, dir }, "file of data")
    if not has_cjson then return end
    status, out = run { "plan", "-json", "-var", "n=5", dir }
    assert.equal(0, status)
    local plan = cjson.decode(out)
    assert.same({ "1.2", true, true, false }, { plan.format_version, plan.applyable, plan.complete, plan.errored })
    assert.same({ "create" }, plan.resource_changes[5].change.actions)
    assert.same({ { message = "Too large." } }, plan.checks[1].instances[1].problems)
  end)

  it("searches for variable files in the folder, too", function()
    file("good/ten.tfvars", "n = 10\n")
    prints("20\n", { "outputs", dir, "double", "-var-file=ten.tfvars" })
    fails(1, { "outputs", dir, "double", "-var-file=eleven.tfvars" }, "eleven.tfvars can't be read")
  end)

  it("draws graphs", function()
    local status, out = run { "graph", dir }
    assert.equal(0, status)
    assert.truthy(out:find '^digraph' and out:find('"output.double" -> "local.double"', 1, true), out)
    status, out = run { "graph", "-format=mermaid", "-kinds=resource,variable", dir }
    assert.equal(0, status)
    assert.truthy(out:find "^flowchart" and out:find("terraform_data.x", 1, true), out)
    assert.is_nil(out:find("local.double", 1, true))
    fails(2, { "graph", "-format=dto", dir }, "dot")
    fails(2, { "graph", "-kinds=resorce", dir }, "resorce", "did you mean resource?")
    fails(2, { "graph", "-kinds=variable,modules", dir }, "modules", "variable, local, output, module")
    fails(2, { "graph", "-kinds=", dir }, "-kinds names no kind")
    if has_cjson then
      status, out = run { "graph", "-json", "-kinds=variable,output", dir }
      assert.equal(0, status)
      local found = false
      for _, edge in ipairs(cjson.decode(out).edges) do found = found or edge.from == "output.double" and edge.to == "var.n" end
      assert.is_true(found)
    end
    if support.output "command -v dot" ~= "" then
      status, out = run { "graph", "-format=svg", dir }
      assert.equal(0, status)
      assert.truthy(out:find("<svg", 1, true))
    end
  end)
end)

describe("hclexpr console", function()
  local dir
  setup(function()
    cli.begin()
    dir = file("good/main.tf", main):match "^(.*)/"
  end)
  teardown(cli.finish)

  it("answers piped input, line by line", function()
    local status, out, err = run({ "console", dir }, { input = 'local.double + 1\n\n# nothing\n:type var.n\nupper("x")\nvar.password\n' })
    assert.same({ 0, "5\nnumber\n\"X\"\n(sensitive value)\n", "" }, { status, out, err })
  end)

  it("ends with 1 after an error, but continues", function()
    local status, out, err = run({ "console", dir }, { input = "nope.x\n1 + 1\n:tpye 1\n" })
    assert.same({ 1, "2\n" }, { status, out })
    assert.truthy(err:find("nope", 1, true))
    assert.truthy(err:find("unknown command :tpye: use :type", 1, true), err)
  end)

  it("reports errors in the folder when they concern an answer", function()
    local part = file("part/main.tf", 'locals {\n  fine  = 1\n  wrong = upper()\n  next  = local.wrong\n}\n'):match "^(.*)/"
    local status, out, err = run({ "console", part }, { input = "local.fine\n" })
    assert.same({ 0, "1\n", "" }, { status, out, err })
    for _, source in ipairs { "local.wrong", "[local.next]" } do
      local _, _, told = run({ "console", part }, { input = "local.fine\n" .. source .. "\nlocal.fine\n" })
      local _, times = told:gsub("upper%(%) takes 1 argument", "")
      assert.equal(1, times, told)
    end
  end)

  it("has the names of a named module", function()
    local part = file("within/main.tf", 'module "m" {\n  source = "./m"\n}\n'):match "^(.*)/"
    file("within/m/main.tf", "locals {\n  x = 3\n}\n")
    for _, option in ipairs { "-module", "-scope" } do
      prints("3\n", { "console", part, option, "module.m" }, { input = "local.x\n" })
    end
  end)

  it("prints the output that -name names, whatever folders there are", function()
    local part = file("named/main.tf", 'output "b" {\n  value = 5\n}\noutput "c" {\n  value = "x"\n}\n'):match "^(.*)/"
    file("named/b/notes.txt", "")
    for _, command in ipairs { "outputs", "output" } do
      prints("5\n", { command, "-name", "b", part })
      prints("x", { command, "-raw", "-name=c", part })
      prints('"x"\n', { command, "-json", part, "-name", "c" })
      prints('"x"\n', { command, part, "c" })
      fails(1, { command, "-name", "d", part }, 'no output is named d')
      fails(2, { command, "-name", "b", part, "c" }, "expected a folder alone beside -name")
      fails(2, { command, "-raw", part }, "-name says which")
    end
    assert.equal((select(2, run { "outputs", "--help" })), (select(2, run { "help", "output" })))
  end)

  it("gives no value for expressions that need a broken part", function()
    local part = file("broken/main.tf",
      'locals {\n  fine = 1\n  bad  = tonumber("x")\n}\noutput "o" {\n  value = [local.bad]\n}\n'):match "^(.*)/"
    local status, out, err = run({ "console", part }, { input = "local.bad\nlocal.fine\noutput.o\n" })
    assert.same({ 1, "1\n" }, { status, out })
    assert.truthy(err:find("a number is required", 1, true))
    local m = select(3, hcl.module(part)) or hcl.module(part)
    local value, why = m:eval "local.bad"
    assert.is_nil(value)
    assert.truthy(tostring(why):find("a number is required", 1, true))
    local partial
    value, why, partial = m:value "local.bad"
    assert.is_nil(value)
    assert.same({ "(known after apply)", true }, { tostring(partial), why ~= nil })
    assert.equal(1, m:eval "local.fine")
  end)

  it("has commands", function()
    local _, out = run({ "console", dir }, { input = ":deps local.double\n:users var.n\n:names\n:help\n:quit\n1\n" })
    assert.truthy(out:find "^var.n\nlocal.double\n")
    assert.truthy(out:find("check.size\n", 1, true))
    assert.truthy(out:find(":reload", 1, true))
    assert.is_nil(out:find "\n1\n$")
  end)

  it("keeps its scope if a module is missing", function()
    local _, out = run({ "console", dir }, { input = ":module module.nope\nvar.n\n" })
    local _, before = run({ "console", dir }, { input = "var.n\n" })
    assert.equal(before, out)
    assert.truthy(before:find "%d")
  end)

  it("shows a screenful", function()
    local lines = {}
    for i = 1, 300 do lines[i] = ("  n%d = %s"):format(i, i > 1 and "local.n" .. i - 1 or "1") end
    lines = { "locals {", table.concat(lines, "\n"), "  all = [local.n1, local.n2]", "}", 'resource "terraform_data" "one" {}\n' }
    local wide = file("wide/main.tf", table.concat(lines, "\n")):match "^(.*)/"
    for line, wanted in pairs {
      [":names"] = "\nlocal.n19\n… and 283 more: :names PREFIX\n", [":names all"] = "local.all\n", [":names local.n300"] = "local.n300\n",
      [":graph local.n300"] = "local.n300\n  local.n299\n    local.n298\n", [":graph"] = " more: :graph NAME, or hclexpr graph for all\n",
      [":deps all"] = "local.n1\nlocal.n2\n", [":deps n1"] = "nothing\n",
      [':deps one["a]b"]'] = "nothing\n", ["help"] = ":deps     NAME", [" ? "] = ":names    [PREFIX]",
    } do
      local status, out, err = run({ "console", wide }, { input = line .. "\n" })
      assert.same({ 0, "" }, { status, err })
      assert.truthy(out:find(wanted, 1, true), out)
      local _, n = out:gsub("\n", "")
      assert.is_true(n <= 20, line)
    end
    local wrong = { [":deps n"] = "nothing is declared as n:", [":names zz"] = "begins with zz", [":deps"] = ":names lists them" }
    for line, wanted in pairs(wrong) do
      local status, _, err = run({ "console", wide }, { input = line .. "\n" })
      assert.equal(1, status)
      assert.truthy(err:find(wanted, 1, true), err)
    end
  end)

  it("reads a folder for another version of the language", function()
    local pinned = file("pinned/main.tf", 'terraform {\n  required_version = ">= 1.12, < 1.13"\n}\noutput "a" {\n  value = 1\n}\n')
      :match "^(.*)/"
    file("pinned/a.tftest.hcl", 'run "r" {\n  assert {\n    condition     = output.a == 1\n    error_message = "no"\n  }\n}\n')
    local words = "The folder requires Terraform >= 1.12, < 1.13, but hclexpr evaluates the language of 1.17.0."
    for _, name in ipairs { "validate", "plan", "outputs", "test", "console", "graph" } do
      local status, out, err = run({ name, pinned }, { input = "output.a\n" })
      assert.same({ name, 0 }, { name, status })
      local _, times = err:gsub("%s+", " "):gsub(words:gsub("%p", "%%%0"), "")
      assert.same({ name, 1 }, { name, times })
      assert.truthy(err:find("Warning: ", 1, true), err)
      if name == "console" then assert.equal("1\n", out) end
      if name == "outputs" then assert.equal("a = 1\n", out) end
    end
    for _, name in ipairs { "validate", "plan", "outputs", "test" } do
      local status, _, err = run { name, "-strict", pinned }
      assert.same({ name, 1 }, { name, status })
      assert.truthy(err:find("Error: ", 1, true) and err:find("without -strict it is evaluated all the same", 1, true), err)
    end
  end)

  it("reports a broken link, and why keys are missing", function()
    local part = file("link/main.tf", 'output "a" {\n  value = var.x\n}\n'):match "^(.*)/"
    assert(support.runs("ln -s ../nowhere/variables.tf '" .. part .. "/variables.tf'"))
    local _, _, err = run { "outputs", part }
    assert.truthy(err:find("variables.tf can't be read. Undeclared names aren't reported", 1, true), err)
    assert.is_nil(err:find("syntax error", 1, true))
    local keys = file("unkeyed/main.tf", 'resource "aws_x" "y" {}\nresource "aws_x" "z" {\n  for_each = toset(aws_x.y.arns)\n}\n')
      :match "^(.*)/"
    for _, options in ipairs { {}, { "-strict" } } do
      local status, out, warned = run { "plan", keys, options[1] }
      assert.equal(0, status)
      assert.truthy(out:find("Plan: 1 to add, 0 to change, 0 to destroy, and resources whose instances aren't known.", 1, true), out)
      assert.truthy(warned:gsub("%s+", " "):find("for_each comes from aws_x.y.arns, which only its provider knows, so", 1, true), warned)
    end
  end)

  it("answers in a folder of errors", function()
    local wrong = file("errors/main.tf", 'locals {\n  a = 1\n  b = local.c\n  c = local.b\n  d = upper()\n}\noutput "o" {}\nmodule "m" {\n'
      .. '  source = "./none"\n}\n'):match "^(.*)/"
    local status, out, err = run({ "console", wrong }, { input = 'upper("a")\nlocal.a\nmodule.m.x\nlocal.b\nlocal.d\n' })
    assert.same({ 1, '"A"\n1\n(known after apply)\n' }, { status, out })
    assert.truthy(err:find("Missing", 1, true), err)
    assert.truthy(err:find("local.c", 1, true), err)
  end)

  it("works without a Terraform folder", function()
    local empty = file("empty/note.txt", ""):match "^(.*)/"
    local status, out = run({ "console", empty }, { input = "1 + 1\n" })
    assert.same({ 0, "2\n" }, { status, out })
    local gone, answers, err = run({ "console", cli.folder .. "/gone" }, { input = ":names\n:explain 1 + 1\nexit\n3\n" })
    assert.same({ 1, "2\n" }, { gone, answers })
    assert.truthy(err:find("it needs a folder", 1, true), err)
    for _, line in ipairs { ":graph", ":graph local.a", ":deps local.a", ":users local.a" } do
      local _, said, why = run({ "console", cli.folder .. "/gone" }, { input = line .. "\n3\n" })
      assert.same({ "3\n", 1 }, { said, select(2, why:gsub("it needs a folder", "")) }, line)
    end
  end)

  -- What a person sees: util-linux's script gives the process a terminal.
  local function typed(keys)
    local input = file("keys", keys)
    local line = ("cd %s && NO_COLOR=1 TERM=dumb HOME=%s script -qec %s /dev/null <%s"):format(cli.root, cli.quote(cli.folder),
      cli.quote(cli.line .. " console " .. dir), cli.quote(input))
    return (support.output(line):gsub("\r", ""))
  end

  it("continues over several lines while a bracket is open, on a terminal", function()
    if not support.has_terminal() then return support.note "the console is not tested on a terminal (util-linux's script)" end
    local shown = typed "[1,\n2 +\n3]\nlocal.double\n:quit\n"
    assert.truthy(shown:find("hclexpr %d+%.%d+%.%d+"), shown)
    assert.truthy(shown:find("%[\n  1,\n  5,\n%]"), shown)
    assert.truthy(shown:find("\n>? ?4\n"), shown) -- after the prompt if no line editor ends the line
  end)

  it("finds variable files for tests from the current folder, or else from their folder", function()
    local tested = support.folder { ["main.tf"] = 'variable "a" {}\noutput "o" { value = var.a }\n', ["v.tfvars"] = "a = 2\n",
      ["a.tftest.hcl"] = 'run "r" {\n  command = plan\n  assert {\n    condition     = output.o == 2\n    error_message = "no"\n  }\n}\n' }
    for _, name in ipairs { "v.tfvars", tested .. "/v.tfvars", "./v.tfvars" } do
      local status, out = run { "test", "-var-file=" .. name, tested }
      assert.equal(0, status, name)
      assert.truthy(out:find("1 passed, 0 failed", 1, true), out)
    end
    for _, name in ipairs { "nope.tfvars", tested .. "/nope.tfvars", "/nope.tfvars" } do
      local status, _, err = run { "test", "-var-file=" .. name, tested }
      assert.equal(1, status, name)
      assert.truthy(err:find("\n" .. (name:find "^/" and name or tested .. "/" .. name) .. " can't be read", 1, true), err)
    end
    if support.exists "/dev/full" then
      for _, option in ipairs { "-junit-xml", "-lcov" } do
        local status, _, err = run { "test", "-var", "a=2", option, "/dev/full", tested }
        assert.same({ 1, true }, { status, err:find("can't write /dev/full", 1, true) ~= nil }, option)
      end
    end
    support.remove(tested)
  end)

  it("hides the shape of a partly unknown hidden value", function()
    local _, out = run { "plan", "-json=values", (file("shape/main.tf", 'variable "k" {\n  default   = "hush"\n  sensitive = true\n}\n'
      .. 'resource "terraform_data" "a" {}\nresource "x_y" "b" {}\noutput "o" {\n  sensitive = true\n'
      .. "  value     = { for k in [var.k] : k => [terraform_data.a.id, x_y.b] }\n}\n"):match "^(.*)/") }
    assert.is_nil(out:find("hush", 1, true))
    local output = core.json_decode(out).outputs.o
    assert.same({ true, true }, { output.unknown, output.sensitive })
  end)

  it("prints JSON and XML for any bytes in the names of files", function()
    local odd = support.folder { ["a\255.tf"] = "locals {\n  a = =\n}\n" }
    local _, out = run { "validate", "-json", odd }
    assert.equal("a\239\191\189.tf", core.json_decode(out).diagnostics[1].range.filename)
    support.write(odd .. "/a\255.tf", 'resource "terraform_data" "a" {}\noutput "o" { value = 2 }\n')
    _, out = run { "plan", "-json=full", odd }
    assert.equal("a\239\191\189.tf", core.json_decode(out).hclexpr.origins["terraform_data.a"].filename:match "[^/]*$")
    support.write(odd .. "/t\255.tftest.hcl", 'run "r" {\n  command = plan\n}\n')
    _, out = run { "test", "-json", "-junit-xml=" .. odd .. "/out.xml", odd }
    for line in out:gmatch "[^\n]+" do assert.equal("table", type(core.json_decode(line))) end
    assert.truthy(support.read(odd .. "/out.xml"):find('<testsuite name="t\239\191\189.tftest.hcl"', 1, true))
    support.remove(odd)
  end)

  it("plans as its options say", function()
    local asked = file("asked/main.tf", 'resource "terraform_data" "a" {}\nresource "terraform_data" "b" {}\n'):match "^(.*)/"
    file("asked/terraform.tfstate", [[
{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "outputs": {}, "resources": [{"mode": "managed",
"type": "terraform_data", "name": "a", "provider": "provider[\"terraform.io/builtin/terraform\"]", "instances": [{"schema_version": 0,
"attributes": {"id": "i", "input": null, "output": null, "triggers_replace": null}}]}]}]])
    local function last(...)
      local status, out, err = run { "plan", asked, ... }
      return status, out:match "([^\n]*)\n$", err:match "[^\n]*"
    end
    assert.same({ 0, "Plan: 1 to add, 0 to change, 0 to destroy.", "" }, { last() })
    assert.same({ 0, "Plan: 0 to add, 0 to change, 1 to destroy.", "" }, { last "-destroy" })
    assert.same({ 0, "No changes.", "" }, { last "-refresh-only" })
    assert.same({ 0, "No changes.", "Warning: Only a part is planned" }, { last "-target=terraform_data.a" })
    assert.same({ 0, "Plan: 2 to add, 0 to change, 1 to destroy.", "" }, { last("-replace", "terraform_data.a", "-refresh=true") })
    assert.same({ 0, "Plan: 2 to add, 0 to change, 1 to destroy.", "Warning: Only a part is planned" },
      { last("-replace=terraform_data.a", "-target", "terraform_data.a", "-target=terraform_data.b", "-refresh=false") })
    local _, json = run { "plan", "-json", "-destroy", asked }
    assert.truthy(json:find('"actions":["delete"]', 1, true))
    fails(2, { "plan", asked, "-destroy", "-refresh-only" }, "-destroy and -refresh-only don't go together")
    fails(2, { "plan", asked, "-refresh-only", "-refresh=false" }, "-refresh-only and -refresh=false")
    fails(2, { "plan", asked, "-json", "-destroy", "-replace=terraform_data.a" }, "-destroy and -replace")
    fails(2, { "plan", asked, "-target=var.v" }, '-target: "var.v" is not an address to plan')
    fails(2, { "plan", asked, "-replace", "module.m" }, '-replace: "module.m" is not an address to replace')
    fails(2, { "plan", asked, "-target" }, "a value belongs after -target")
  end)
end)
