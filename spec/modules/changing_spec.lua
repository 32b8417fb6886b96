-- m:change: what it evaluates again, and that a changed module equals a newly read one.
local hcl = require "hclexpr"
local making = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "making.lua")
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local folder, codes = support.folder, making.codes

  describe("a module changed", function()
  local function module(files, options)
    local dir = folder(files)
    return hcl.assert(hcl.module(dir, options)), dir
  end

    local source = [[
      variable "a" { default = 1 }
      locals {
        x = var.a + 1
        y = local.x * 2
      }
      module "m" {
        source = "./m"
        n      = local.y
      }
      resource "thing" "one" { input = "still" }
      output "o" { value = module.m.out }
      output "p" { value = thing.one.seen }
    ]]
    local inner = 'variable "n" {}\noutput "out" { value = var.n + 1 }\n'

    local function changing()
      local asked = 0
      local m, dir = module({ ["main.tf"] = source, ["m/main.tf"] = inner, ["other.tf"] = "locals { z = 1 }\n" }, {
        resource = function()
          asked = asked + 1
          return { seen = asked }
        end,
      })
      return m, dir, function() return asked end
    end

    it("evaluates again what depends on it, and nothing else", function()
      local m, dir, asked = changing()
      assert.are.equal("5", hcl.assert(m:plan()).outputs.o:text())
      assert.is_true(m:change(dir .. "/main.tf", (source:gsub("%* 2", "* 10"))))
      local plan = hcl.assert(m:plan())
      assert.are.equal("21", plan.outputs.o:text())
      assert.are.equal("1", plan.outputs.p:text())
      assert.are.equal(1, asked())
      assert.is_true(m:change(dir .. "/main.tf", (source:gsub("still", "moved"))))
      assert.are.equal("2", hcl.assert(m:plan()).outputs.p:text())
    end)

    it("isn't read again after a mistake in what a call is given", function()
      local m, dir, asked = changing()
      assert.is_true(m:change(dir .. "/main.tf", (source:gsub("%* 2", "* [1]"))))
      assert.are.equal("operator.operand", select(2, m:plan())[1].code)
      local before = asked()
      assert.is_true(m:change(dir .. "/main.tf", (source:gsub("%* 2", "* 10"))))
      assert.are.equal("21", hcl.assert(m:plan()).outputs.o:text())
      assert.are.equal(before, asked())
    end)

    -- All facts about a module, in words.
    local function told(m, err)
      if not m then return tostring(err) end
      local plan, wrong, partial = m:plan()
      local words = { tostring(wrong or plan.warnings), tostring(select(2, m:validate())) }
      for _, r in ipairs((plan or partial).resources) do words[#words + 1] = r.address .. r.range.start.line end
      for name, value in pairs((plan or partial).outputs) do words[#words + 1] = name .. "=" .. tostring(value) end
      for _, a in ipairs(m:addresses()) do words[#words + 1] = a.address .. " " .. a.range.start.line .. " " .. a.name_range.start.byte end
      table.sort(words)
      return table.concat(words, "\n")
    end

    -- Changes each line of a file, one after the other, and changes it back.
    local function as_fresh(files, name)
      local list, dir = {}, folder(files)
      for line in files[name]:gmatch "[^\n]*\n" do list[#list + 1] = line end
      local path, now = dir .. "/" .. name, nil
      local function read(of) return of == path and now or support.read(of) end
      local m = hcl.assert(hcl.module(dir))
      told(m)
      for i = 1, #list do
        for kind, instead in ipairs { "", "\n" .. list[i], (list[i]:gsub("%d", "7")), list[i] .. "locals { z = 2 }\n", list[i] } do
          -- The sample makes one kind of change to each line, and undoes it.
          if support.whole or kind == 5 or kind == i % 4 + 1 then
            local changed = {}
            for j = 1, #list do changed[j] = j == i and instead or list[j] end
            now = table.concat(changed)
            local sound, err = m:change(path, now)
            local fresh, wrong = hcl.module(dir, { read = read })
            assert.equal(told(fresh, wrong), told(sound and m, err), now)
          end
        end
      end
    end

    it("equals a newly read one, wherever the change is", function()
      local check = 'check "c" {\n  assert {\n    condition     = local.y == 0\n    error_message = "not ${local.y}"\n  }\n}\n'
      as_fresh({ ["main.tf"] = source .. check, ["m/main.tf"] = inner, ["other.tf"] = "locals { z = 1 }\n" }, "main.tf")
    end)

    it("warns about parts that a change makes deprecated", function()
      local m, dir = module { ["main.tf"] = 'module "m" {\n  source = "./m"\n}\noutput "o" { value = module.m.out }\n',
        ["m/main.tf"] = 'output "out" {\n  value = 1\n}\n' }
      assert.is_nil(hcl.assert(m:plan()).warnings)
      assert.is_true(m:change(dir .. "/m/main.tf", 'output "out" {\n  value = 1\n  deprecated = "use none"\n}\n'))
      assert.equal("module.deprecated", codes(hcl.assert(m:plan()).warnings))
      assert.is_true(m:change(dir .. "/m/main.tf", 'output "out" {\n  value = 1\n}\n'))
      assert.is_nil(hcl.assert(m:plan()).warnings)
    end)

    -- Expected: as recorded from Terraform, which warns in its validation and for each instance.
    it("warns about arguments for each instance, though their bodies are read once", function()
      local m, dir = module { ["main.tf"] = 'module "m" {\n  source = "./m"\n}\n'
          .. 'resource "terraform_data" "r" {\n  count = 2\n  input = { a = module.m.out }\n}\n',
        ["m/main.tf"] = 'output "out" {\n  value = 1\n  deprecated = "use none"\n}\n' }
      local function lines()
        local list = {}
        for i, d in ipairs(hcl.assert(m:plan()).warnings or {}) do list[i] = d.range.start.line end
        return list
      end
      assert.same({ 6, 6, 6 }, lines())
      assert.is_true(m:change(dir .. "/main.tf", 'module "m" {\n  source = "./m"\n}\n'
        .. 'resource "terraform_data" "r" {\n  count = 2\n  input = { a = 1 }\n}\n'))
      assert.same({}, lines())
    end)

    it("equals a newly read one if outputs of a module come and go", function()
      as_fresh({
        ["main.tf"] = 'module "m" {\n  source   = "./m"\n  for_each = { a = 1, b = 2 }\n  n        = each.value\n}\n'
          .. 'output "o" { value = { for k, one in module.m : k => one.double } }\noutput "all" { value = module.m }\n',
        ["m/main.tf"] = [[
variable "n" { type = number }
output "double" {
  type  = number
  value = var.n * 2
}
output "list" { value = [var.n, 1] }
]],
      }, "m/main.tf")
    end)

    it("equals a newly read one if modules of one folder depend on each other", function()
      as_fresh({
        ["main.tf"] = 'module "first" {\n  source = "./m"\n}\nmodule "second" {\n  source = "./m"\n  tag    = module.first.tag\n}\n'
          .. 'output "o" { value = module.second.tag }\n',
        ["m/main.tf"] = [[
variable "tag" { default = "t" }
locals {
  long = "${var.tag}1"
}
resource "terraform_data" "x" {
  for_each = toset([local.long])
  input    = "${var.tag}:${each.key}"
}
output "tag" { value = join(",", [for x in terraform_data.x : x.input]) }
]],
      }, "m/main.tf")
    end)

    it("equals a newly read one if there is a cycle", function()
      as_fresh({ ["main.tf"] = [[
resource "terraform_data" "a" { input = terraform_data.b.id }
resource "terraform_data" "b" { input = terraform_data.a.id }
output "o" { value = 1 }
]] }, "main.tf")
    end)

    it("equals a newly read one if a provider changes", function()
      as_fresh({ ["main.tf"] = [[
resource "terraform_data" "a" {
  provider = nobody
  input    = 1
}
output "o" { value = terraform_data.a.input }
]] }, "main.tf")
    end)

    it("is collected when nothing references it", function()
      local kept = setmetatable({}, { __mode = "k" })
      local function use()
        local m, dir = changing()
        hcl.assert(m:plan())
        assert(m:change(dir .. "/main.tf", (source:gsub("%* 2", "* 10"))))
        m:eval "local.y"
        kept[m] = true
      end
      -- The module keeps no objects that only a stack or trace of LuaJIT references: each use has its own stack, and traces are flushed.
      for _ = 1, 3 do assert(coroutine.resume(coroutine.create(use))) end
      if jit then jit.flush() end
      support.collect()
      assert.is_nil((next(kept)))
    end)

    it("adds and removes names", function()
      local m, dir = changing()
      assert.is_true(m:change(dir .. "/other.tf", "locals { z = local.late }\n"))
      assert.are.equal("module.undeclared", codes(select(2, m:validate())))
      assert.is_true(m:change(dir .. "/main.tf", (source:gsub("locals {", "locals {\n late = 7\n"))))
      assert.is_true((m:validate()))
      assert.are.equal(7, m:eval "local.z")
      assert.is_true(m:change(dir .. "/main.tf", source))
      assert.are.equal("module.undeclared", codes(select(2, m:plan())))
      m, dir = module { ["main.tf"] = "locals { a = 1 }\n", ["other.tf"] = "locals {\n  x = local.late\n  y = [local.late]\n}\n" }
      assert.are.equal("module.undeclared module.undeclared", codes(select(2, m:validate())))
      assert.is_true(m:change(dir .. "/main.tf", "locals {\n  late = 7\n  a = 1\n}\n"))
      assert.are.same({ "local.x", "local.y" }, m:dependents "local.late")
      assert.are.same({ 7, { 7 } }, { m:eval "local.x", m:eval "local.y" })
    end)

    it("changes inside a module that is called", function()
      local m, dir = changing()
      assert.are.equal(5, m:eval "module.m.out")
      assert.is_true(m:change(dir .. "/m/main.tf", (inner:gsub("%+ 1", "+ 100"))))
      assert.are.equal(104, m:eval "module.m.out")
      assert.are.equal("104", hcl.assert(m:plan()).outputs.o:text())
    end)

    it("uses the provider that another file of the folder names", function()
      local thing = 'resource "mine_thing" "a" {\n  name = "x"\n}\n'
      local block = { attributes = { name = { type = "string", required = true }, size = { type = "number", computed = true } } }
      local m, dir = module({
        ["main.tf"] = thing,
        ["versions.tf"] = 'terraform {\n  required_providers {\n    mine = { source = "acme/other" }\n  }\n}\n',
      }, { schemas = { provider_schemas = { ["acme/other"] = { resource_schemas = { mine_thing = { block = block } } } } } })
      assert.are.equal("module.attribute", codes(select(2, m:value "mine_thing.a.length")))
      assert.is_true(m:change(dir .. "/main.tf", (thing:gsub('"x"', '"y"'))))
      assert.are.equal("y", m:eval "mine_thing.a.name")
      assert.are.equal("module.attribute", codes(select(2, m:value "mine_thing.a.length")))
    end)

    it("knows a file by any path that leads to it", function()
      local m, dir = changing()
      local from_here = ("../"):rep(50) .. dir:sub(2)
      for i, path in ipairs { dir .. "/./main.tf", dir .. "/m/../main.tf", from_here .. "/main.tf" } do
        assert.is_true(m:change(path, (source:gsub("%* 2", "* " .. 10 * i))))
        assert.are.equal(20 * i, m:eval "local.y", path)
        assert.are.equal(20 * i, m:eval("var.n", { path = path:gsub("main.tf$", "m/main.tf") }))
      end
    end)

    it("finds new cycles, and their removal", function()
      local m, dir = changing()
      assert.are.equal(4, m:eval "local.y")
      assert.is_true(m:change(dir .. "/main.tf", (source:gsub("var.a %+ 1", "local.y"))))
      assert.are.equal("module.cycle", codes(select(2, m:value "local.y")))
      assert.is_true(m:change(dir .. "/main.tf", source))
      assert.are.equal(4, m:eval "local.y")
    end)

    it("accepts new calls and broken texts", function()
      local m, dir = changing()
      assert.is_true(m:change(dir .. "/other.tf", 'module "n" {\n  source = "./m"\n  n = 10\n}\n'))
      assert.are.equal(11, m:eval "module.n.out")
      local ok, err = m:change(dir .. "/other.tf", "locals {\n")
      assert.is_nil(ok)
      assert.are.equal(dir .. "/other.tf", err[1].range.filename)
      assert.is_true(m:change(dir .. "/other.tf"))
      assert.are.equal(1, m:eval "local.z")
    end)

    it("reports mistakes at their new places", function()
      local m, dir = changing()
      assert.is_true(m:change(dir .. "/other.tf", "locals { z = local.nope }\n"))
      assert.are.equal(1, select(2, m:validate())[1].range.start.line)
      assert.is_true(m:change(dir .. "/other.tf", "\n\nlocals { z = local.nope }\n"))
      assert.are.equal(3, select(2, m:validate())[1].range.start.line)
    end)

  it("adds names with the first resource of a type, and removes them with the last", function()
    for _, kind in ipairs { "terraform_data", "thing" } do
      local one = ('resource "%s" "a" { input = 1 }\noutput "o" { value = %s.a.input }\n'):format(kind, kind)
      local m, dir = module "locals { x = 1 }\n"
      hcl.assert(m:plan())
      for _ = 1, 2 do
        assert.is_true(m:change(dir .. "/main.tf", one))
        assert.equal("1", hcl.assert(m:plan()).outputs.o:text())
        assert.is_true(m:change(dir .. "/main.tf", "locals { x = 1 }\n"))
        assert.equal(0, #hcl.assert(m:plan()).resources)
      end
    end
  end)

  it("finds a cycle that several changes made, and one of rules", function()
    local m, dir = module "locals { a = 1 }\n"
    assert.equal(1, m:eval "local.a")
    for _, text in ipairs { "# x\nlocals {\na = local.b\nb = local.a\n}\n", "locals {\na = local.b\nb = local.a\n}\n" } do
      assert.is_true(m:change(dir .. "/main.tf", text))
    end
    assert.equal("module.cycle", codes(select(2, m:value "local.a")))
    local rule = 'variable "%s" {\n default = 1\n validation {\n condition = var.a == var.b\n error_message = "Not alike."\n }\n}\n'
    m, dir = module(rule:format "a" .. 'variable "b" { default = 1 }\n')
    assert.equal(1, m:eval "var.a")
    assert.is_true(m:change(dir .. "/main.tf", rule:format "a" .. rule:format "b"))
    assert.equal("module.cycle", codes(select(2, m:value "var.a")))
  end)

    -- After a change the module gives the same answers as one that reads the new text.
    local function agrees(before, after, more)
      more = more or {}
      local text = before
      local files = { ["main.tf"] = before }
      for path, other in pairs(more) do files[path] = other end
      local dir = folder(files)
      local options = { read = function(path) return path == dir .. "/main.tf" and text or nil end }
      local m = hcl.assert(hcl.module(dir, options))
      m:plan()
      m:validate()
      text = after
      local _, err = m:change(dir .. "/main.tf", after)
      local fresh, wrong, readable = hcl.module(dir, options)
      fresh = fresh or readable
      assert.are.equal(tostring(wrong), tostring(err))
      for _, question in ipairs { "validate", "plan" } do
        assert.are.equal(tostring((select(2, fresh[question](fresh)))), tostring((select(2, m[question](m)))))
        assert.are.equal(fresh:graph { format = "dot" }, m:graph { format = "dot" })
      end
      return err or select(2, m:plan())
    end

    it("adds a file that isn't on disk, and removes it", function()
      local m, dir = module { ["main.tf"] = "locals {\n  a = 1\n}\n", ["net/a.tf"] = "" }
      assert.equal(1, m:eval "local.a")
      assert.is_true(m:change(dir .. "/more.tf", "locals {\n  b = local.a + 1\n}\n"))
      assert.equal(2, m:eval "local.b")
      assert.is_true(m:change(dir .. "/net/more.tf", "locals {\n  c = 1\n}\n"))
      assert.is_true(m:change(dir .. "/more.tf", "locals {\n  b = local.a + 2\n}\n"))
      assert.equal(3, m:eval "local.b")
      assert.is_true(m:change(dir .. "/more.tf"))
      assert.equal("module.undeclared", codes(select(2, m:value "local.b")))
      assert.equal("module.undeclared", codes(select(2, m:value "local.c")))
    end)

    it("forgets an import that was removed", function()
      assert.is_nil(agrees('locals { a = 1 }\nimport {\n  to = terraform_data.x\n  id = "1"\n}\nresource "terraform_data" "x" {}\n',
                           "locals { a = 1 }\n"))
    end)

    it("has no removed names, even in blocks before the change", function()
      local files = { ["m/main.tf"] = 'variable "n" {}\noutput "o" { value = var.n }\n' }
      local before = 'module "m" {\n  source   = "./m"\n  for_each = toset(["k"])\n  n        = "${each.key}${local.y}"\n}\n'
        .. 'resource "terraform_data" "r" {\n  count = 1\n  input = [count.index, local.y]\n  lifecycle {\n    postcondition {\n'
        .. '      condition     = self.id != local.y\n      error_message = "It is."\n    }\n  }\n}\n'
        .. 'check "c" {\n  assert {\n    condition     = local.y == "a"\n    error_message = "It is."\n  }\n}\nlocals {\n  y = "a"\n}\n'
      assert.are.equal("module.undeclared", codes(agrees(before, (before:gsub("  y =", "  z =")), files)):match "^%S+")
      assert.is_nil(agrees((before:gsub("  y =", "  y = 1 +")), before, files))
    end)

    it("notices a version that no longer matches", function()
      local text = 'terraform { required_version = ">= 0.13" }\nlocals { a = 1 }\n'
      assert.are.equal("module.version", codes(agrees(text, (text:gsub("0%.13", "99")))))
    end)

    it("resolves a source again if its local value or variable changes", function()
      local text = 'locals { dir = "./m" }\nmodule "m" { source = local.dir }\n'
      assert.are.equal("module.missing", codes(agrees(text, (text:gsub("/m", "/n")), { ["m/main.tf"] = "" })))
      text = 'variable "dir" {\n  const = true\n  default = "./m"\n}\nmodule "m" { source = var.dir }\n'
      assert.are.equal("module.missing", codes(agrees(text, (text:gsub("/m", "/n")), { ["m/main.tf"] = "" })))
    end)

    it("suggests current names, and knows the current types", function()
      agrees("output \"a\" { value = local.name }\nlocals { nmae = 1 }\n", "output \"a\" { value = local.name }\nlocals { b = 1 }\n")
      agrees('output "a" { value = terraform_data(1) }\nresource "terraform_data" "x" {}\n', 'output "a" { value = terraform_data(1) }\n')
    end)

    it("notices a resource whose provider is not declared", function()
      local text = 'provider "random" { alias = "west" }\nresource "random_pet" "x" { provider = random.west }\n'
      assert.are.equal("module.provider", codes(agrees(text, (text:gsub("= random.west", "= random.east")))))
    end)

    it("finds no names in arguments that the schema doesn't have, wherever they move", function()
      local text = 'resource "terraform_data" "x" {\n  foo = var.nope\n}\n'
      assert.are.equal("body.argument", codes(agrees(text, "\n" .. text)))
    end)

    it("resolves a source made of local values again, even if others form a cycle", function()
      local text = 'locals {\n  a = local.b\n  b = local.a\n  c = "./m"\n}\nmodule "m" { source = local.c }\n'
      assert.are.equal("module.missing", codes(agrees(text, (text:gsub("/m", "/n")), { ["m/main.tf"] = "" })))
    end)

    it("leaves instances of modules in removed instances", function()
      local text = 'variable "list" { default = ["a", "b"] }\nmodule "m" {\n  source = "./m"\n  for_each = toset(var.list)\n}\n'
      assert.is_nil(agrees(text, (text:gsub('"a"', '"c"')), {
        ["m/main.tf"] = 'module "deep" {\n  source = "../deep"\n  count = 2\n  x = "${count.index}"\n}\n',
        ["deep/main.tf"] = 'variable "x" {}\noutput "x" { value = { name = var.x }.name }\n',
      }))
    end)

    it("answers like a newly read one after random edits", function()
      local changes = dofile(support.root .. "fuzz/changes.lua")
      local found = {}
      local cases = support.root .. "spec/modules/cases"
      changes.run(support.sample(200, 600), 7, { cases }, function(finding) found[#found + 1] = changes.show(finding) end)
      assert.are.same({}, found)
    end)
end)
