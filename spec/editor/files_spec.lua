-- What the service knows about a folder while files appear, change and disappear: in the editor, unsaved, and on disk.
local service = require "hclexpr.service"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local dir, workspace

local function path(name) return dir .. "/" .. name end

-- A workspace with files, all of them open.
local function open(files)
  dir = support.folder(files)
  workspace = service.new { roots = { dir } }
  for _, name in ipairs(support.keys(files)) do workspace:open(path(name), files[name]) end
end

local function ask(name, file) return workspace[name](workspace, path(file)) end

local function finish()
  while workspace:pending() do workspace:work(1) end
end

-- Writes or removes a file that isn't open, and notifies the service.
local function on_disk(name, text)
  if text then support.write(path(name), text) else os.remove(path(name)) end
  workspace:touch(path(name))
end

local function first_inlay(file)
  finish()
  return (ask("inlays", file)[1] or {}).text
end

describe("the service", function()
  after_each(function() support.remove(dir) end)

  it("notices changes in the folders that a module calls, unsaved, saved and on disk", function()
    local function output(name, value) return ('output "%s" {\n  value = %s\n}\n'):format(name, value) end
    local main = 'module "m" {\n  source = "./m"\n}\nlocals {\n  a = [module.m.a]\n}\n'
    open { ["main.tf"] = main, ["m/main.tf"] = output("a", "1"), ["n/n.tf"] = output("a", "5") }
    local function shown()
      finish()
      for _, problem in ipairs(ask("diagnostics", "main.tf")) do
        if problem.severity == "error" then return problem.code end
      end
      return ask("inlays", "main.tf")[1].text
    end
    assert.equal("= [1]", shown())
    workspace:change(path "m/main.tf", output("b", "1"))
    assert.equal("reference.attribute", shown())
    workspace:change(path "m/main.tf", output("a", "2"))
    assert.equal("= [2]", shown())
    workspace:close(path "m/main.tf")
    assert.equal("= [1]", shown())
    on_disk("m/main.tf", output("a", "3"))
    assert.equal("= [3]", shown())
    -- Another file of the folder; then another folder, which is also edited.
    on_disk("m/more.tf", 'output "c" {\n  value = 4\n}\n')
    workspace:change(path "main.tf", (main:gsub("m%.a", "m.c")))
    assert.equal("= [4]", shown())
    workspace:change(path "main.tf", (main:gsub("%./m", "./n")))
    assert.equal("= [5]", shown())
    workspace:change(path "n/n.tf", output("a", "6"))
    assert.equal("= [6]", shown())
  end)

  it("notices changes in everything that a module reads", function()
    local files = {
      ["main.tf"] = 'variable "v" {}\nmodule "m" {\n  source = "./m"\n}\nlocals {\n'
        .. '  a = join(" ", concat([local.j, var.v, module.m.a, file("a.txt")], tolist(fileset(".", "*.txt"))))\n}\n',
      ["m/main.tf"] = 'output "a" {\n  value = local.c\n}\n', ["m/x.tf.json"] = '{"locals":{"c":1}}', ["a.txt"] = "1",
      ["x.tf.json"] = '{"locals":{"j":1}}', ["terraform.tfvars.json"] = '{"v":1}',
    }
    dir = support.folder(files)
    workspace = service.new { roots = { dir } }
    workspace:open(path "main.tf", files["main.tf"])
    local function shown() return first_inlay("main.tf") end
    local function disk(name, text)
      on_disk(name, text)
      return shown()
    end
    local function edit(name, text)
      workspace:change(path(name), text)
      return shown()
    end
    assert.equal('= "1 1 1 1 a.txt"', shown())
    assert.equal('= "2 1 1 1 a.txt"', disk("x.tf.json", '{"locals":{"j":2}}'))
    assert.equal('= "2 2 1 1 a.txt"', disk("terraform.tfvars.json", '{"v":2}'))
    assert.equal('= "2 2 2 1 a.txt"', disk("m/x.tf.json", '{"locals":{"c":2}}'))
    assert.equal('= "2 2 2 2 a.txt"', disk("a.txt", "2"))
    assert.equal('= "2 2 2 2 a.txt b.txt"', disk("b.txt", "2"))
    assert.equal('= "2 2 2 2 a.txt"', disk "b.txt")
    assert.equal('= "3 2 2 2 a.txt"', edit("x.tf.json", '{"locals":{"j":3}}'))
    assert.equal('= "4 2 2 2 a.txt"', edit("x.tf.json", '{"locals":{"j":4}}'))
    assert.equal('= "4 3 2 2 a.txt"', edit("terraform.tfvars.json", '{"v":3}'))
    assert.equal('= "4 3 3 2 a.txt"', edit("m/x.tf.json", '{"locals":{"c":3}}'))
    workspace:close(path "x.tf.json")
    assert.equal('= "2 3 3 2 a.txt"', shown())
    -- A folder disappears, and returns with another text.
    assert.is_true(support.runs(("mv '%s/m' '%s/gone'"):format(dir, dir)))
    workspace:close(path "m/x.tf.json")
    workspace:touch(path "m")
    assert.is_nil(shown())
    assert.is_true(support.runs(("mv '%s/gone' '%s/m'"):format(dir, dir)))
    support.write(path "m/main.tf", 'output "a" {\n  value = 7\n}\n')
    workspace:touch(path "m")
    assert.equal('= "2 3 7 2 a.txt"', shown())
  end)

  it("notices changes in folders beside the caller's, and of closed callers", function()
    local function lib(value)
      return 'variable "v" {}\noutput "o" {\n  value = [var.v, local.n]\n}\nlocals {\n  n = ' .. value .. "\n}\n"
    end
    local function app(value) return 'module "lib" {\n  source = "../lib"\n  v = ' .. value .. "\n}\nlocals {\n  a = module.lib.o\n}\n" end
    dir = support.folder { ["app/main.tf"] = app(1) }
    workspace = service.new { roots = { dir } }
    local function shown(file)
      finish()
      for _, problem in ipairs(ask("diagnostics", file)) do
        if problem.severity ~= "hint" then return problem.severity .. " " .. problem.code end
      end
      return ((ask("inlays", file) or {})[1] or {}).text
    end
    workspace:open(path "app/main.tf", app(1))
    assert.equal("warning missing", shown "app/main.tf")
    assert.is_true(support.runs(("mkdir '%s/lib'"):format(dir)))
    on_disk("lib/main.tf", lib(2))
    assert.equal("= [1, 2]", shown "app/main.tf")
    on_disk("lib/main.tf", lib(3))
    assert.equal("= [1, 3]", shown "app/main.tf")
    workspace:open(path "lib/main.tf", lib(4))
    assert.equal("= [1, 4]", shown "app/main.tf")
    assert.equal("= [1, 4]", shown "lib/main.tf")
    on_disk("lib/more.tf", 'output "p" {\n  value = 5\n}\n')
    workspace:change(path "app/main.tf", (app(1):gsub("lib%.o", "lib.p")))
    assert.equal("= 5", shown "app/main.tf")
    -- After a caller is closed, its content on disk counts, and may change there.
    workspace:change(path "app/main.tf", app(6))
    assert.equal("= [6, 4]", shown "lib/main.tf")
    workspace:close(path "app/main.tf")
    assert.equal("= [1, 4]", shown "lib/main.tf")
    on_disk("app/main.tf", app(7))
    assert.equal("= [7, 4]", shown "lib/main.tf")
    workspace:change(path "lib/main.tf", lib(8))
    assert.equal("= [7, 8]", shown "lib/main.tf")
    -- The folder is gone, except for another file that is open.
    workspace:open(path "app/notes.txt", "")
    os.remove(path "app/main.tf")
    workspace:touch(path "app/main.tf")
    assert.equal("= [ (no value given), 8 ]", shown "lib/main.tf")
  end)

  it("shows the errors of a called module at the call if no open file shows them", function()
    local function call(source) return 'module "m" {\n  source = "' .. source .. '"\n}\n' end
    dir = support.folder { ["b/main.tf"] = call "../c", ["c/main.tf"] = "locals {\n  q = local.nope\n}\n" }
    workspace = service.new { roots = { dir } }
    workspace:open(path "a/main.tf", call "../b")
    local function shown(file)
      finish()
      for _, problem in ipairs(ask("diagnostics", file)) do
        local first = problem.severity == "error" and problem.message:match "^[^:]*: [^:]*"
        if first then return ("%d %s %s"):format(problem.start, problem.code, first) end
      end
    end
    assert.equal("0 module.undeclared In ../c/main.tf, line 2: Undeclared name", shown "a/main.tf")
    workspace:open(path "c/main.tf", support.read(path "c/main.tf"))
    assert.is_nil(shown "a/main.tf")
    assert.equal("15 module.undeclared Undeclared name: No local value \"nope\" is declared in the root module.", shown "c/main.tf")
    workspace:change(path "c/main.tf", "")
    workspace:close(path "c/main.tf")
    assert.truthy(shown "a/main.tf")
    -- A cycle of modules is reported in none of them.
    workspace:open(path "c/main.tf", call "../a")
    for _, file in ipairs { "a/main.tf", "c/main.tf" } do
      assert.truthy(shown(file):find "^0 module.loop In %.%./[abc]/main.tf, line 1: ")
    end
    workspace:change(path "c/main.tf", "")
    assert.is_nil(shown "a/main.tf")
  end)

  it("notices changes through symbolic links, and in texts that functions read", function()
    dir = support.folder {
      ["s/main.tf"] = 'module "m" {\n  source = "../l"\n}\nlocals {\n'
        .. '  a = join(" ", concat([local.o, module.m.o, file("../d/x.tfvars")], tolist(fileset("../d", "*.tf"))))\n}\n',
      ["c/common.tf"] = "locals {\n  o = 1\n}\n", ["m/main.tf"] = 'output "o" {\n  value = 1\n}\n', ["d/x.tfvars"] = "1", ["d/x.tf"] = "",
    }
    if not support.runs(("ln -s ../c/common.tf '%s/s/o.tf' && ln -s m '%s/l'"):format(dir, dir)) then return end
    workspace = service.new { roots = { dir }, module = { filesystem = dir } }
    workspace:open(path "s/main.tf", support.read(path "s/main.tf"))
    local function shown() return first_inlay("s/main.tf") end
    local function disk(name, text)
      on_disk(name, text)
      return shown()
    end
    assert.equal('= "1 1 1 x.tf"', shown())
    assert.equal('= "2 1 1 x.tf"', disk("c/common.tf", "locals {\n  o = 2\n}\n"))
    assert.equal('= "2 2 1 x.tf"', disk("m/main.tf", 'output "o" {\n  value = 2\n}\n'))
    assert.equal('= "2 2 2 x.tf"', disk("d/x.tfvars", "2"))
    assert.equal('= "2 2 2 x.tf y.tf"', disk("d/y.tf", ""))
    assert.equal('= "2 2 2 x.tf"', disk "d/y.tf")
    disk "m/main.tf"
    assert.equal('= "2 3 2 x.tf"', disk("m/other.tf", 'output "o" {\n  value = 3\n}\n'))
    -- The link's target is replaced by another folder.
    assert.is_true(support.runs(("mv '%s/m' '%s/gone'"):format(dir, dir)))
    workspace:touch(path "m")
    assert.is_nil(shown())
    assert.is_true(support.runs(("mv '%s/gone' '%s/m'"):format(dir, dir)))
    support.write(path "m/other.tf", 'output "o" {\n  value = 4\n}\n')
    workspace:touch(path "m")
    assert.equal('= "2 4 2 x.tf"', shown())
  end)

  it("knows the declarations and uses in files of JSON syntax", function()
    open {
      ["main.tf"] = 'variable "a" {}\nvariable "b" {}\nvariable "c" {}\nlocals {\n  l = 1\n}\n',
      ["terraform.tfvars"] = "z = 1\na = 1\ny = 1\n",
      ["x.tf.json"] = '{"variable":{"z":{}},"output":{"p":{"value":["${var.a}${local.l}","${var.bc}"]}}}',
    }
    finish()
    local found = {}
    for _, file in ipairs { "main.tf", "terraform.tfvars" } do
      for _, problem in ipairs(ask("diagnostics", file)) do
        found[#found + 1] = problem.code .. " " .. (problem.message:match "variable (%w+)" or problem.message)
      end
    end
    assert.same({ "unused b", "unused c", "undeclared y" }, found)
  end)

  it("has the schema of the required provider, also in files of JSON syntax", function()
    local function provider(type) return { resource_schemas = { own_a = { block = { attributes = {
      n = { type = type, optional = true } } } } } } end
    local schemas = { provider_schemas = {
      ["registry.terraform.io/hashicorp/own"] = provider "string", ["example.com/x/own"] = provider "bool",
      ["registry.terraform.io/x/own"] = provider "number",
    } }
    local main = 'resource "own_a" "a" {\n  n = 1\n}\n'
    for _, row in ipairs {
      { "x.tf", 'terraform {\n  required_providers {\n    own = {\n      # source = "hashicorp/own"\n      "source" = "X/Own"\n'
        .. "    }\n  }\n}\n" },
      { "x.tf.json", '{"terraform":{"required_providers":{"own":{"source":"x/own"}}}}' },
      { "x.tf.json", '{"terraform":[{"required_providers":[{"own":{"source":"registry.terraform.io/x/own"}}]}]}' },
      { "x.tf.json", '{"terraform":{"required_providers":{"own":{"source":"example.com/x/own"}}}}', "bool" },
      { "x.tf.json", '{"terraform":{"required_providers":{"own":"1.0"}}}', "string" },
      { "x.tf.json", '{"terraform":[1,{"required_providers":[null,{"own":{"source":["x"]}}]}]}', "string" },
    } do
      if dir then support.remove(dir) end
      dir = support.folder { ["main.tf"] = main, [row[1]] = row[2] }
      workspace = service.new { schemas = schemas }
      workspace:open(path "main.tf", main)
      local shown = workspace:hover(path "main.tf", #'resource "own_a" "a" {\n  ').text
      assert.truthy(shown:find("n: " .. (row[3] or "number"), 1, true), row[2] .. shown)
    end
  end)

  it("renames also in files of JSON syntax, variable files and tests, or not at all", function()
    local test = 'variables {\n  v = 3\n}\nrun "a" {\n  assert {\n    condition     = local.a == var.v && output.o == run.a.o\n'
      .. '    error_message = "x"\n  }\n}\nrun "other" {\n  module {\n    source = "./m"\n  }\n  variables {\n    v = 1\n  }\n  assert {\n'
      .. '    condition     = output.o == var.v\n    error_message = "x"\n  }\n}\nrun "b" {\n  expect_failures = [var.v]\n  assert {\n'
      .. '    condition     = run.other.o == 1\n    error_message = "x"\n  }\n}\n'
    open {
      ["main.tf"] = 'locals {\n  a = 1\n}\nvariable "v" {}\noutput "o" {\n  value = local.a\n}\n',
      ["x.tf.json"] = '{"output":{"p":{"value":"\\"é\\" ${local.a} ${var.v}","description":"of local.a"}},'
        .. '"locals":{"b":"${upper(var.v)}"}}',
      ["terraform.tfvars.json"] = '{"v":2,"w":"v"}', ["tests/t.tftest.hcl"] = test,
    }
    local function renamed(name, file)
      local edits, why = workspace:rename(path "main.tf", support.read(path "main.tf"):find('["%s]' .. name .. '["%s]'), "new")
      if not edits then return why:gsub("^.*/", "") end
      local text = support.read(path(file))
      local list = edits[path(file)] or {}
      for i = #list, 1, -1 do text = text:sub(1, list[i].start) .. list[i].text .. text:sub(list[i].stop + 1) end
      return text
    end
    assert.equal('{"new":2,"w":"v"}', renamed("v", "terraform.tfvars.json"))
    assert.equal((support.read(path "x.tf.json"):gsub("var%.v", "var.new")), renamed("v", "x.tf.json"))
    local wanted = test:gsub("v = 3", "new = 3"):gsub("var%.v &&", "var.new &&"):gsub("%[var%.v%]", "[var.new]")
    assert.equal(wanted, renamed("v", "tests/t.tftest.hcl"))
    wanted = test:gsub("output%.o == run%.a%.o", "output.new == run.a.new")
    assert.equal(wanted, renamed("o", "tests/t.tftest.hcl"))
    -- It isn't known which of two places is meant.
    assert.equal("x.tf.json names it in a way that can't be renamed: rename it there by hand first.", renamed("a", "main.tf"))
  end)

  it("renames variables and outputs of modules also in calls of JSON syntax, or not at all", function()
    local call = '{"module":{"a":[{"source":"./m","v":"${local.v}"}],"b":{"source":"./other","v":1}},'
      .. '"output":{"x":{"value":"${module.a.o}${module.b.o}"}}}'
    local main = "locals {\n  all = [module.a.o, module.b.o, module.c[0].o, module.d.o]\n}\nmodule \"d\" {\n  source = \"./m\"\n}\n"
    local function open_with(more)
      if dir then support.remove(dir) end
      local files = {
        ["m/main.tf"] = 'variable "v" {}\noutput "o" {\n  value = var.v\n}\n', ["other/main.tf"] = 'variable "v" {}\noutput "o" {}\n',
        ["main.tf"] = main, ["x.tf.json"] = call, ["y.tf.json"] = more,
      }
      open(files)
    end
    local function renamed(name, file)
      local edits, why = workspace:rename(path "m/main.tf", support.read(path "m/main.tf"):find('"' .. name .. '"'), "new")
      if not edits then return why:gsub("^.*/", "") end
      local text, list = support.read(path(file)), edits[path(file)] or {}
      for i = #list, 1, -1 do text = text:sub(1, list[i].start) .. list[i].text .. text:sub(list[i].stop + 1) end
      return text
    end
    open_with '{"module":{"c":{"source":"./m","count":1}}}'
    assert.equal((call:gsub('"v":"', '"new":"')), renamed("v", "x.tf.json"))
    assert.equal((call:gsub("module%.a%.o", "module.a.new")), renamed("o", "x.tf.json"))
    local wanted = main:gsub("module%.a%.o", "module.a.new"):gsub("%[0%]%.o", "[0].new"):gsub("module%.d%.o", "module.d.new")
    assert.equal(wanted, renamed("o", "main.tf"))
    local refused = "y.tf.json names it in a way that can't be renamed: rename it there by hand first."
    open_with '{"module":{"c":{"source":"./m","count":1,"\\u0076":1}},"locals":{"c":"${module.c[0] .o}"}}'
    assert.equal(refused, renamed("v", "x.tf.json"))
    assert.equal(refused, renamed("o", "x.tf.json"))
    -- Also of all instances.
    main = 'locals {\n  all = [module.c[*].o, module.c[var.i].o.x, module.c[*].o[*].y, (module.d[*].o)]\n}\n'
      .. 'module "d" {\n  source = "./m"\n  count  = 2\n}\n'
    call = '{"output":{"x":{"value":"${module.d[*].o}${[for x in module.d[*].o[0] : module.d[var.o].o.o]}${module.d.*.o}"},'
      .. '"y":{"value":["${module.c[0].o}","${local.o}","${module.d[*].oo}"]}}}'
    open_with '{"module":{"c":{"source":"./m","count":1}}}'
    wanted = main:gsub("%]%.o", "].new")
    assert.equal(wanted, renamed("o", "main.tf"))
    wanted = call:gsub("([%]*]%.)o%f[%W]", "%1new")
    assert.equal(wanted, renamed("o", "x.tf.json"))
    for _, loose in ipairs { "[for m in module.c : m.o]", "values(module.c)[*].o", "module.c [*].o" } do
      open_with('{"module":{"c":{"source":"./m","count":1}},"locals":{"c":"${' .. loose .. '}"}}')
      assert.equal(refused, renamed("o", "x.tf.json"), loose)
    end
  end)

  it("has the values and errors of a file that was never saved", function()
    open { ["other.tf"] = "locals {\n  a = 1\n}\n" }
    local text = "locals {\n  b = local.a + 1\n  c = [][0]\n}\n"
    local function codes(file)
      local found = {}
      for i, problem in ipairs(ask("diagnostics", file)) do found[i] = problem.code end
      return table.concat(found, " ")
    end
    for _, file in ipairs { "new.tf", "later/new.tf" } do
      workspace:open(path(file), text)
      finish()
      local alone = file == "later/new.tf"
      assert.equal(not alone and "= 2" or nil, (ask("inlays", file)[1] or {}).text)
      assert.truthy(codes(file):find("reference.index", 1, true), codes(file))
    end
    -- It is saved unchanged.
    support.write(path "new.tf", text)
    workspace:touch(path "new.tf")
    finish()
    assert.equal("= 2", ask("inlays", "new.tf")[1].text)
    -- And dropped.
    os.remove(path "new.tf")
    workspace:close(path "new.tf")
    workspace:touch(path "new.tf")
    workspace:open(path "other.tf", "locals {\n  a = local.b\n}\n")
    finish()
    assert.truthy(codes "other.tf":find "undeclared", codes "other.tf")
  end)

  it("keeps the values of a file that doesn't parse while other files change", function()
    open { ["a.tf"] = "locals {\n  a = 1\n}\n", ["b.tf"] = "locals {\n  b = local.a + 1\n}\n" }
    finish()
    workspace:change(path "a.tf", "locals {\n  a = (\n}\n")
    for _, name in ipairs { "c.tf", "d.tf", "e.tf" } do
      workspace:open(path(name), "# " .. name)
      finish()
      assert.equal("= 2", (ask("inlays", "b.tf")[1] or {}).text, name)
    end
  end)

  it("rejects unknown options", function()
    dir = support.folder {}
    assert.has_error(function() service.new { root = { dir } } end,
      "bad argument #1 to 'new' (unknown option 'root'; did you mean 'roots'?)")
  end)
end)
