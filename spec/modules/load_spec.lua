-- Loading of modules: mistakes are reported at the recorded places; values of variables; hostile folders.
local cjson = require "cjson"
local core = require "hclexpr.core"
local Findings = require "hclexpr.terraform.language.findings"
local hcl = require "hclexpr"
local inputs = require "hclexpr.terraform.tree.inputs"
local open_module = require "hclexpr.terraform.module"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local here = support.here()

-- With parts that a program doesn't see.
local function inside(dir, options) return open_module(dir, options, true) end

-- Recorded cases

-- The records' names for mistakes that are found before anything is evaluated.
local loading = {
  "^duplicate ", "^missing base ", "^missing .* to override$", "^can't override", "^invalid default value for variable$",
  "^invalid .* name$",
  "^reserved block type", "^unsupported terraform core version$", "^module uses experimental features$",
  "^invalid .*module source address$",
  "^unknown module source$", "^module not installed$", "^const variables must be known$", "^zero assert blocks$",
  "^invalid [a-z]+ expression$", "^invalid variable validation condition$", "^invalid reference in precondition$",
  "^postconditions are not allowed$", "^invalid combination", "^invalid \"moved\" addresses$", "^unsuitable value type$",
  "^extraneous label for",
  "^missing name for", "^variables not allowed$", "^function calls not allowed$", "^invalid type specification$",
  "^invalid default value for optional", "^attribute redefined$", "^unterminated", "^missing item separator$",
}

local function is_of_loading(errors)
  for _, e in ipairs(errors or {}) do
    for _, pattern in ipairs(loading) do
      -- The key of an action's instance is checked while a folder is evaluated.
      if e.about:find(pattern) and e.about ~= "invalid index expression" then return true end
    end
  end
  return false
end

local function cases()
  local pipe = assert(io.popen("find '" .. here .. "cases' '" .. here .. "providers' -name case.json | sort"))
  local list = {}
  for path in pipe:lines() do
    local case = cjson.decode(support.read(path))
    local dir = path:gsub("/case%.json$", "") .. "/module"
    list[#list + 1] = { name = path:match "([^/]+/[^/]+)/case%.json$", case = case, dir = case.root and dir .. "/" .. case.root or dir }
  end
  pipe:close()
  return list
end

local function place_of(range, dir)
  if not range then return "-" end
  local name = range.filename
  if name:sub(1, #dir + 1) == dir .. "/" then name = name:sub(#dir + 2) end
  return ("%s %d:%d-%d:%d"):format(name, range.start.line, range.start.column, range.stop.line, range.stop.column)
end

local function as_set(list)
  local seen, all = {}, {}
  for _, place in ipairs(list) do
    if not seen[place] then all[#all + 1] = place end
    seen[place] = true
  end
  table.sort(all)
  return table.concat(all, "\n")
end

-- Reports of the reference without a place.
local placeless = { ["Provider not configured"] = true }

local function places(err, dir, severity)
  local list = {}
  for _, d in ipairs(err or {}) do
    if d.severity == (severity or "error") then list[#list + 1] = placeless[d.summary] and "-" or place_of(d.range, dir) end
  end
  return as_set(list)
end

local function recorded(errors)
  local list = {}
  for i, e in ipairs(errors or {}) do list[i] = e.at and ("%s %d:%d-%d:%d"):format(support.unpack(e.at)) or "-" end
  return as_set(list)
end

local function settings_of(run)
  local settings = {}
  for i, s in ipairs(run.settings or {}) do settings[i] = s.setting or { file = s.file } end
  return settings
end

-- Reports of the reference for a file's syntax beyond its mistakes: we report a mistake once.
local told_again = { ["unknown/syntax_errors"] = "\nother.tf 3:2-4:1" }

describe("recorded folders", function()
  local all = cases()
  assert(#all > 200)

  local function check(one)
    it(one.name .. " reports what is wrong with its files", function()
      local m, err, readable = inside(one.dir)
      local errors = one.case.validate.errors
      if is_of_loading(errors) then assert.is_nil(m) end
      if not m then assert.equal(recorded(errors), places(err, one.dir) .. (told_again[one.name] or "")) end
      for _, a in ipairs((m or readable):addresses()) do assert(a.range.filename and a.name_range.start) end
    end)
  end

  -- Only validate reads test files.
  for _, one in ipairs(all) do
    if not one.name:find "^tests/" then check(one) end
  end
end)

-- Reports of a plan about values before it evaluates anything.
local of_values = {
  "^no value for required variable$", "^invalid %-var option$", "^failed to read variables file$", "^value for undeclared variable$",
  "^extra characters after expression$", "^missing expression$", "^duplicate attribute definition$", "^incorrect json value type$",
}

local function is_of_values(errors)
  for _, e in ipairs(errors or {}) do
    for _, pattern in ipairs(of_values) do
      if e.about:find(pattern) then return true end
    end
  end
  return false
end

local function has_errors(err) return places(err, "") ~= "" end

describe("recorded values", function()
  local n = 0
  for _, one in ipairs(cases()) do
    for _, run in ipairs(one.case.runs) do
      if is_of_values(run.plan.errors) then
        n = n + 1
        it(one.name .. ": " .. run.name, function()
          local m, _, readable = inside(one.dir, { settings = settings_of(run), environment = run.environment or {} })
          local module = m or readable
          local told = has_errors(module.input_problems) and module.input_problems or module.problems
          assert.equal(recorded(run.plan.errors), places(told, one.dir))
        end)
      elseif not is_of_loading(run.plan.errors) then
        it(one.name .. ": " .. run.name .. " has values", function()
          local m, err, readable = inside(one.dir, { settings = settings_of(run), environment = run.environment or {} })
          local module = m or readable
          assert.is_false(has_errors(module.input_problems))
          local findings = Findings.new(true)
          for name, d in pairs(module.root.folder.variables) do inputs.convert(d, module.inputs[name] or {}, findings) end
          local known = {}
          for _, e in ipairs(run.plan.errors or {}) do
            known[e.at and ("%s %d:%d-%d:%d"):format(support.unpack(e.at)) or "-"] = true
          end
          for _, d in ipairs(findings:diagnostics() or {}) do assert(known[place_of(d.range, one.dir)], tostring(err) .. d.detail) end
        end)
      end
    end
  end
  assert(n > 10)
end)

-- Folders made here

local function quoted(path) return "'" .. path:gsub("'", "'\\''") .. "'" end

local folder = support.folder

local function codes(err)
  local list = {}
  for i, d in ipairs(err or {}) do list[i] = d.code end
  return table.concat(list, " ")
end

local function open(files, options)
  local dir = folder(files)
  local m, err, readable = inside(dir, options)
  return m or readable, err, dir
end

local function text_of(m, name)
  local d = m.root.folder.variables[name]
  local findings = Findings.new()
  local value = inputs.convert(d, m.inputs[name] or {}, findings)
  return value and tostring(value) or tostring(findings:diagnostics())
end

describe("values", function()
  local variables = { ["main.tf"] = 'variable "v" { default = "default" }\n', ["terraform.tfvars"] = 'v = "terraform.tfvars"',
                      ["terraform.tfvars.json"] = '{"v": "terraform.tfvars.json"}', ["9.auto.tfvars"] = 'v = "9.auto"',
                      ["10.auto.tfvars.json"] = '{"v": "10.auto"}', ["x.tfvars"] = 'v = "x"' }

  local function given(names, options)
    local files = {}
    for name in ("main.tf " .. names):gmatch "%S+" do files[name] = variables[name] end
    return text_of(open(files, options), "v")
  end

  it("override each other in the order of their sources", function()
    local environment = { TF_VAR_v = "environment" }
    assert.equal('"default"', given "")
    assert.equal('"environment"', given("", { environment = environment }))
    assert.equal('"terraform.tfvars"', given("terraform.tfvars", { environment = environment }))
    assert.equal('"terraform.tfvars.json"', given "terraform.tfvars terraform.tfvars.json")
    assert.equal('"9.auto"', given "terraform.tfvars terraform.tfvars.json 10.auto.tfvars.json 9.auto.tfvars")
    assert.equal('"x"', given("9.auto.tfvars x.tfvars", { settings = { "v=first", { file = "x.tfvars" } } }))
    assert.equal('"last"', given("x.tfvars", { settings = { { file = "x.tfvars" }, "v=last" } }))
    assert.equal("3", given("", { settings = { "v=last", { name = "v", value = 3 } } }))
    assert.equal("true", given("", { settings = { { name = "v", value = 3 } }, variables = { v = true } }))
  end)

  it("come from a function in place of an environment", function()
    assert.equal('"TF_VAR_v"', given("", { environment = function(name) return name end }))
    assert.equal('"default"', given("", { environment = function() return nil end }))
  end)

  it("of undeclared variables are reported, except for those of the environment", function()
    local m, err, _ = open({ ["main.tf"] = "", ["terraform.tfvars"] = "a = 1\nb = 2\nc = 3\nd = 4\n" },
      { environment = { TF_VAR_z = "1" } })
    assert.is_nil(err)
    assert.equal(3, #m.problems)
    for _, d in ipairs(m.problems) do assert.equal("warning", d.severity) end
    _, err = open({ ["main.tf"] = "" }, { settings = { "a=1" } })
    assert.equal("module.input_undeclared", codes(err))
    _, err = open({ ["main.tf"] = "" }, { variables = { a = 1 } })
    assert.equal("module.input_undeclared", codes(err))
  end)

  it("in variable files can't be declared by blocks", function()
    local _, err = open { ["main.tf"] = "", ["terraform.tfvars"] = 'variable "a" {}\n' }
    assert.equal("module.block", codes(err))
  end)

  it("named like fields of Lua tables are nothing special", function()
    local m = open({ ["main.tf"] = 'variable "order" {}\nvariable "names" {}\nvariable "rows" {}\n' },
      { settings = { "order=1", "names=2", "rows=3" } })
    assert.equal('"1" "2" "3"', text_of(m, "order") .. " " .. text_of(m, "names") .. " " .. text_of(m, "rows"))
  end)

  it("of secrets aren't shown in errors", function()
    local m = open({ ["main.tf"] = 'variable "s" {\n  type = number\n  sensitive = true\n}\n', ["terraform.tfvars"] = 's = "hunter2"\n' })
    local text = text_of(m, "s")
    assert.is_nil(text:find("hunter2", 1, true), text)
  end)

  it("that options don't allow raise an error", function()
    for _, settings in ipairs { { 1 }, { {} }, { { name = "a" } }, { { file = 1 } } } do
      assert.error(function() inside(".", { settings = settings }) end)
    end
    assert.error(function() inside(".", { nope = 1 }) end)
    assert.error(function() inside(".", { environment = 1 }) end)
    assert.error(function() inside(".", { scope = {} }) end)
    assert.error(function() inside(1) end)
    local dir = support.folder { ["main.tf"] = 'variable "n" {}\nmodule "m" {\n  source = "a/b/c"\n}\n' }
    for named, options in pairs {
      ["'environment' must give a string or nil for TF_VAR_n, not a number"] = { environment = { TF_VAR_n = 1 } },
      ["'environment' must give a string or nil for TF_VAR_n, not a boolean"] = { environment = function() return false end },
      ["'source' must give a string or nil for a/b/c, not a table"] = { source = function() return {} end },
    } do
      local ok, why = pcall(function() return hcl.assert(inside(dir, options)):eval "var.n" end)
      assert.is_false(ok)
      assert.truthy(tostring(why):find(named, 1, true), tostring(why))
    end
    support.remove(dir)
  end)
end)

describe("secrets", function()
  -- Terraform shows neither a text for a sensitive variable nor a sensitive number of instances.
  it("aren't shown by reports about them", function()
    local source = [[
variable "l" {
  type      = list(number)
  sensitive = true
  default   = []
}
variable "e" {
  type      = number
  ephemeral = true
  default   = 1
}
variable "n" {
  sensitive = true
  default   = 0
}
resource "terraform_data" "r" { count = var.n }
]]
    local dir = folder { ["main.tf"] = source }
    for _, setting in ipairs { "l=[4711", "l=s4711", 'l=["s4711"]', "l=[4711\"", "e=s4711", "n=-4711", "n=4711e9" } do
      local m, err, readable = inside(dir, { settings = { setting } })
      local _, wrong = (m or readable):plan()
      assert.is_nil(m and err, setting)
      assert.truthy(wrong, setting)
      assert.is_nil(tostring(wrong):find("4711", 1, true), tostring(wrong))
    end
  end)
end)

describe("overrides", function()
  it("replace what they set and keep the rest", function()
    local m, err = open {
      ["main.tf"] = [[
variable "a" {
  default   = "base"
  sensitive = true
}
locals { x = 1 }
output "o" {
  value       = 1
  description = "base"
}
resource "t_r" "r" {
  count = 1
  input = 1
  lifecycle {
    create_before_destroy = true
    ignore_changes        = [input]
  }
}
]],
      ["z_override.tf"] = [[
variable "a" { default = "z" }
locals { x = 26 }
]],
      ["override.tf"] = [[
variable "a" { default = "plain" }
output "o" { value = 2 }
resource "t_r" "r" {
  count = 2
  lifecycle {
    prevent_destroy = true
    ignore_changes  = all
  }
}
]],
    }
    assert.is_nil(err)
    local f = m.root.folder
    assert.is_true(f.variables.a.sensitive)
    assert.equal("z", f.variables.a.default:text())
    assert.equal("26", tostring(f.locals.x.arguments.value:value()))
    assert.equal("2", tostring(f.outputs.o.arguments.value:value()))
    local r = f.resources["t_r.r"]
    assert.equal("2", tostring(r.arguments.count:value()))
    assert.equal(2, #r.bodies)
    assert.is_true(r.lifecycle.create_before_destroy)
    assert.is_true(r.lifecycle.prevent_destroy)
    assert.equal("all", r.lifecycle.ignore_changes)
  end)

  it("of actions replace the number and the provider, and add to the configuration", function()
    local m, err = open {
      ["main.tf"] = 'provider "t" {\n  alias = "one"\n}\nprovider "t" {\n  alias = "two"\n}\n'
        .. 'action "t_a" "a" {\n  provider = t.one\n  config {\n    x = 1\n  }\n}\n'
        .. 'action "t_a" "b" {\n  provider = t.one\n}\naction "t_a" "c" {\n  config {\n    x = 1\n  }\n}\n',
      ["override.tf"] = 'action "t_a" "a" {\n  count = 2\n}\naction "t_a" "b" {\n  provider = t.two\n  config {\n    x = 1\n  }\n}\n'
        .. 'action "t_a" "c" {\n  provider = t.two\n  config {\n    y = 1\n  }\n}\n',
    }
    assert.is_nil(err)
    local found = {}
    for _, name in ipairs { "a", "b", "c" } do
      local d = m.root.folder.declared["action.t_a." .. name]
      found[name] = { d.provider.key, #d.bodies, d.config ~= nil, d.arguments.count and tostring(d.arguments.count:value()) }
    end
    assert.same({ a = { "t.one", 1, true, "2" }, b = { "t.two", 1, true }, c = { "t.two", 2, true } }, found)
  end)

  it("can't change depends_on, nor hold moved and import blocks or checks", function()
    local _, err = open {
      ["main.tf"] = 'resource "t_r" "r" {}\ncheck "c" {\n  assert {\n    condition = path.root != ""\n'
        .. '    error_message = "x"\n  }\n}\n',
      ["override.tf"] = [[
resource "t_r" "r" { depends_on = [t_r.q] }
moved {
  from = t_r.a
  to   = t_r.b
}
check "c" {}
]],
    }
    assert.equal("module.override module.override module.override", codes(err))
  end)
end)

describe("the tree of modules", function()
  it("reads a folder once for all its calls", function()
    local reads = {}
    local dir = folder {
      ["main.tf"] = 'module "a" { source = "./m" }\nmodule "b" { source = "./x/../m" }\n', ["m/main.tf"] = "locals { x = 1 }\n",
    }
    local m = assert(inside(dir, { read = function(path) reads[path] = (reads[path] or 0) + 1 end }))
    assert.equal(1, reads[dir .. "/m/main.tf"])
    assert.equal(m.root.children.a.folder, m.root.children.b.folder)
    assert.equal("m", m.root.children.a.path)
    assert.equal("module.b", m.root.children.b.address)
  end)

  it("finds fetched modules, and those that the option names", function()
    local files = {
      ["main.tf"] = 'module "v" {\n  source = "a/b/c"\n  version = "~> 1.0"\n}\n'
        .. 'module "w" { source = "git::https://example.com/w.git" }\n',
      [".terraform/modules/modules.json"] = '{"Modules":[{"Key":"","Source":"","Dir":"."},'
        .. '{"Key":"v","Source":"a/b/c","Dir":".terraform/modules/v"}]}',
      [".terraform/modules/v/main.tf"] = 'output "o" { value = 1 }\n',
    }
    local m, err = open(files)
    assert.equal("module.missing", codes(err))
    assert.equal(".terraform/modules/v", m.root.children.v.path)
    assert.is_nil(m.root.children.w)
    local other, asked = folder { ["main.tf"] = "locals { x = 1 }\n" }, {}
    m, err = open(files, { source = function(source, version)
      asked[#asked + 1] = source .. " " .. tostring(version)
      return source:find "^git" and other or nil
    end })
    assert.is_nil(err)
    assert.equal("a/b/c ~> 1.0, git::https://example.com/w.git nil", table.concat(asked, ", "))
    assert.equal(other, m.root.children.w.folder.dir)
  end)

  it("ends where a module calls itself", function()
    local m, err, _ = open {
      ["main.tf"] = 'module "a" { source = "./a" }\n', ["a/main.tf"] = 'module "b" { source = "../a/." }\nlocals { x = 1 }\n',
    }
    assert.equal("module.loop", codes(err))
    assert(m.root.children.a.folder.locals.x)
    _, err = open { ["main.tf"] = 'module "a" { source = "./a" }\n', ["a/main.tf"] = 'module "b" { source = "../" }\n' }
    assert.equal("module.loop", codes(err))
  end)

  it("ends before it is too large", function()
    local files = { ["main.tf"] = "" }
    for i = 1, 16 do
      local name = i == 1 and "main.tf" or ("m%d/main.tf"):format(i)
      local source = i == 1 and "./m2" or ("../m%d"):format(i + 1)
      files[name] = ('module "a" { source = "%s" }\nmodule "b" { source = "%s" }\n'):format(source, source)
    end
    files["m17/main.tf"] = ""
    local _, err = open(files)
    assert.equal("limit.modules", codes(err))
  end)

  it("reports missing configurations of providers", function()
    local child = 'terraform {\n  required_providers {\n    x = {\n      source = "a/x"\n'
      .. '      configuration_aliases = [x.one]\n    }\n  }\n}\n'
    local function told(call, provider)
      local _, err, dir = open { ["main.tf"] = call .. (provider or ""), ["m/main.tf"] = child }
      return codes(err) .. " " .. places(err, dir)
    end
    local required = 'terraform {\n  required_providers { x = { source = "a/x" } }\n}\n'
    assert.equal("module.provider main.tf 1:1-1:11", told 'module "m" { source = "./m" }\n')
    local passing = 'module "m" {\n  source = "./m"\n  providers = { x.one = x.two }\n}\n'
    assert.equal("module.provider -", told(passing, required))
    local _, absent, dir = open { ["main.tf"] = passing .. required, ["m/main.tf"] = child }
    assert.equal("main.tf 3:25-3:26", place_of(absent[1].range, dir))
    assert.truthy(absent[1].detail:find("the option providers of hcl.module", 1, true))
    for _, name in ipairs { "x.two", "*" } do
      assert.is_nil(select(2, open({ ["main.tf"] = passing .. required, ["m/main.tf"] = child }, { providers = { name } })))
    end
    assert.truthy(select(2, open({ ["main.tf"] = passing .. required, ["m/main.tf"] = child }, { providers = { "x.three" } })))
    assert.has_error(function() inside(".", { providers = { 1 } }) end)
    assert.equal("module.provider main.tf 3:25-3:26", told(passing, 'provider "x" { alias = "two" }\n'))
    assert.equal(" ", told(passing, required .. 'provider "x" { alias = "two" }\n'))
  end)

  it("reports missing and unexpected arguments of a call", function()
    local _, err = open {
      ["main.tf"] = 'module "a" {\n  source = "./a"\n  y = 1\n}\n', ["a/main.tf"] = 'variable "x" {}\n',
    }
    assert.equal("body.argument", codes(err))
    _, err = open { ["main.tf"] = 'module "a" {\n  source = "./a"\n}\n', ["a/main.tf"] = 'variable "x" {}\n' }
    assert.equal("module.required", codes(err))
  end)
end)

describe("hostile folders", function()
  it("leave the rest usable", function()
    local m, err = open { ["a.tf"] = "locals { a = [1, }\n", ["b.tf"] = "locals { b = 1 }\n", ["c.tf.json"] = '{"locals": {"c": 1}}' }
    assert(#err > 0)
    assert(m.root.folder.locals.b and m.root.folder.locals.c)
  end)

  it("with files that can't be read say so", function()
    local dir = folder { ["main.tf"] = "locals { a = 1 }\n", ["terraform.tfvars"] = "" }
    os.execute(("cd %s && mkdir f.tf .x && ln -s nowhere l.tf && mkfifo p.tf && ln -s loop.tf loop.tf"):format(quoted(dir)))
    local m, err, readable = inside(dir)
    assert.is_nil(m)
    assert.equal("module.file module.file module.file", codes(err))
    assert(readable.root.folder.locals.a)
  end)

  it("that aren't there give a diagnostic", function()
    local m, err, readable = inside "/nonexistent/folder"
    assert.is_nil(m)
    assert.is_nil(readable)
    assert.equal("module.folder", codes(err))
    for _, name in ipairs { "a\0b", "a\255" } do
      m, err = inside(name)
      assert.is_nil(m)
      assert.equal("module.folder", codes(err))
    end
  end)

  it("report which versions of a state are supported", function()
    for said, version in pairs { ["of version 5"] = 5, ["of version 0"] = 0, ["whose version isn't a number"] = {} } do
      local _, err = open({ ["main.tf"] = "" }, { state = { version = version } })
      assert.truthy(err[1].detail:find("It is a state file " .. said .. ", but only versions 1 to 4 can be read.", 1, true), err[1].detail)
    end
  end)

  it("report a state that OpenTofu encrypted as encrypted", function()
    local _, err = open({ ["main.tf"] = "", ["s"] = '{ "serial": 1, "meta": {}, "encrypted_data": "x", "encryption_version": "v0" }' },
      { state = "s" })
    assert.truthy(err[1].detail:find("It is encrypted by OpenTofu. `tofu state pull` prints", 1, true), err[1].detail)
  end)

  it("get messages that quote bytes that aren't text", function()
    for _, name in ipairs { "state", "schemas" } do
      local _, err = open({ ["main.tf"] = "" }, { [name] = "a\255" })
      assert.truthy(err[1].detail:find('a\239\191\189" can\'t be read', 1, true), err[1].detail)
    end
    local _, wrong = open({ ["main.tf"] = "" }, { settings = { "a\255" } })
    assert.truthy(wrong[1].detail:find("a\239\191\189", 1, true))
    local m = open { ["main.tf"] = "locals { a = 1 }\n" }
    local value, err = m:value("local.a", { module = "module.a\255" })
    assert.is_nil(value)
    assert.equal("module.scope", codes(err))
  end)

  it("don't lead out of the granted folders", function()
    local outside = folder { ["main.tf"] = 'output "secret" { value = "hunter2" }\n', ["x.tfvars"] = "v = 1\n" }
    local dir = folder { ["main.tf"] = ('variable "v" {}\nmodule "a" { source = "../%s" }\n'):format(outside:match "[^/]*$") }
    os.execute(("ln -s %s/main.tf %s/link.tf"):format(quoted(outside), quoted(dir)))
    local seen = {}
    local m, err, readable = inside(dir, { scope = hcl.scope { filesystem = dir } })
    local _
    assert.is_nil(m)
    for _, d in ipairs(err) do seen[#seen + 1] = d.code end
    assert.equal("module.file", table.concat(seen, " ")) -- an error of the root: errors of its calls are reported after it is corrected
    assert.is_nil(readable.root.children.a)
    assert.is_nil(readable.root.folder.outputs.secret)
    os.remove(dir .. "/link.tf")
    _, err = inside(dir, { scope = hcl.scope { filesystem = dir } })
    assert.equal("module.missing", codes(err))
    assert(inside(dir)) -- without a grant, sibling folders are ordinary
    _, err = inside(dir, { scope = hcl.scope { filesystem = dir }, settings = { { file = outside .. "/x.tfvars" } } })
    assert.equal("module.file", codes(err))
    _, err = inside(dir, { scope = hcl.scope { filesystem = outside } })
    assert.equal("module.folder", codes(err))
  end)

  it("with many declarations are read completely", function()
    local lines = { "locals {", "  l0 = 1" }
    for i = 1, 20000 do lines[#lines + 1] = ("  l%d = local.l%d + 1"):format(i, i - 1) end
    lines[#lines + 1] = "}\n"
    local m = open { ["main.tf"] = table.concat(lines, "\n") }
    assert.equal(20001, #m:addresses())
  end)
end)

describe("declarations", function()
  it("are listed with their places", function()
    local m, _, dir = open {
      ["main.tf"] = 'variable "v" { type = list(string) }\nmodule "m" { source = "./m" }\n',
      ["m/main.tf"] = 'data "x_y" "z" {}\nlocals { l = 1 }\n',
    }
    local lines = {}
    for i, a in ipairs(m:addresses()) do
      lines[i] = ("%s %s %s %s %s"):format(a.address, a.kind, a.path, tostring(a.type), place_of(a.name_range, dir))
    end
    assert.same({
      "var.v variable . list(string) main.tf 1:10-1:13",
      "module.m module . nil main.tf 2:8-2:11",
      "module.m.data.x_y.z resource m x_y m/main.tf 1:12-1:15",
      "module.m.local.l local m nil m/main.tf 2:10-2:11",
    }, lines)
  end)

  it("read the text of files that are being edited", function()
    local dir = folder { ["main.tf"] = "locals { a = 1 }\n" }
    local m = assert(inside(dir, { read = function(path) return path:find "main.tf" and "locals { b = 2 }\n" or nil end }))
    assert.is_nil(m.root.folder.locals.a)
    assert(m.root.folder.locals.b)
  end)

  it("include unsaved files, even if the folder doesn't exist yet", function()
    local dir = folder { ["main.tf"] = "locals { a = 1 }\n" }
    local texts = { ["main.tf"] = "locals { b = 2 }\n", ["more.tf"] = "locals { c = local.b + var.d }\nvariable \"d\" {}\n",
                    ["a.auto.tfvars"] = "d = 3\n" }
    for _, where in ipairs { dir, dir .. "/new" } do
      local m = hcl.assert(inside(where, {
        read = function(path) return texts[path:match "[^/]*$"] end,
        list = function(listed) return listed == where and support.keys(texts) or nil end,
      }))
      assert.equal(5, m:eval "local.c")
      assert.is_nil((m:value "local.a"))
    end
    for kind, given in pairs { number = 5, boolean = { false }, table = { {} } } do
      assert.has_error(function() inside(dir, { list = function() return given end }) end,
        ("hclexpr: the option list gave a %s for %s, not a table of names"):format(kind, dir))
    end
  end)

  it("of JSON syntax are the same", function()
    local m, err = open { ["main.tf.json"] = cjson.encode {
      variable = { v = { type = "list(string)", default = { "${x}" }, description = "${y}" } },
      resource = { t_r = { r = {
        depends_on = { "t_r.q" }, lifecycle = { ignore_changes = "all" }, provider = "aws.west", ["for_each"] = "${var.v}",
      } } },
      locals = { l = "${var.v}" }, provider = { aws = { alias = "west" } },
    } }
    assert.is_nil(err)
    local f = m.root.folder
    assert.equal('tolist([\n  "${x}",\n])', (tostring(f.variables.v.default):gsub("%$%${", "${")))
    local r = f.resources["t_r.r"]
    assert.equal("t_r.q", r.depends_on[1].path)
    assert.equal("aws.west", r.provider.key)
    assert.equal("all", r.lifecycle.ignore_changes)
    assert(f.locals.l and core.traversals(f.locals.l.arguments.value.expression)[1].path == "var.v")
  end)
end)
