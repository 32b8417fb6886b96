-- Evaluating modules, beyond the recorded folders: order, loops, changes, hostile folders, resources without schemas.
local hcl = require "hclexpr"
local making = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "making.lua")
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local folder, text, codes = support.folder, making.text, making.codes

local function module(files, options)
  local dir = folder(files)
  return hcl.assert(hcl.module(dir, options)), dir
end

describe("a module evaluated", function()
  describe("in order", function()
    it("has values whatever the order of the sources", function()
      local m = module [[
        output "o" { value = local.c }
        locals {
          c = "${local.b}!"
          b = local.a + 1
          a = var.n
        }
        variable "n" { default = 1 }
      ]]
      assert.are.equal("2!", hcl.assert(m:plan()).outputs.o:text())
      assert.are.equal("2!", m:eval "local.c")
    end)

    it("evaluates modules that feed each other", function()
      local m = module({
        ["main.tf"] = [[
          module "a" {
            source = "./m"
            x      = 1
            y      = module.b.twice_x
          }
          module "b" {
            source = "./m"
            x      = module.a.twice_x
            y      = 0
          }
          output "o" { value = module.a.y }
        ]],
        ["m/main.tf"] = [[
          variable "x" {}
          variable "y" {}
          output "twice_x" { value = 2 * var.x }
          output "y" { value = var.y }
        ]],
      })
      assert.are.equal("4", hcl.assert(m:plan()).outputs.o:text())
    end)

    it("reports a cycle with its path, and answers nothing", function()
      local m = module [[
        locals {
          a = local.b
          b = local.c
          c = local.a
          d = 1
        }
      ]]
      local ok, err = m:validate()
      assert.is_nil(ok)
      assert.are.equal("module.cycle", codes(err))
      assert.truthy(err[1].detail:find("local.a %([^ ]+main.tf:%d+%) → local.b %b() → local.c %b() → local.a%."))
      assert.is_nil(err[1].range)
      assert.are.equal("module.cycle", codes(select(2, m:value "local.d")))
      assert.are.equal("module.cycle", codes(select(2, m:plan())))
    end)

    it("reports the shortest of several cycles", function()
      for source, way in pairs {
        ["a = [local.b, local.c]\nb = local.d\nd = local.a\nc = local.a"] = "local.a → local.c → local.a.",
        ["a = [local.b, local.c]\nb = local.a\nc = local.b"] = "local.a → local.b → local.a.",
        ["a = local.b\nb = [local.c, local.d]\nc = local.d\nd = local.a"] = "local.a → local.b → local.d → local.a.",
      } do
        local _, err = module("locals {\n" .. source .. "\n}\n"):validate()
        assert.truthy(err[1].detail:gsub(" %b()", ""):find(": " .. way, 1, true), err[1].detail)
      end
    end)

    it("continues where nothing failed", function()
      local m = module [[
        locals {
          bad   = { a = 1 }.b
          worse = local.bad
          fine  = 1
        }
        output "worse" { value = local.worse }
        output "fine" { value = local.fine }
      ]]
      local plan, err = m:plan()
      assert.is_nil(plan)
      assert.are.equal("reference.attribute", codes(err))
      assert.are.equal("1", text(m, "local.fine"))
      assert.are.equal("(known after apply)", text(m, "local.bad"))
      local worse = select(2, m:value "local.worse")
      assert.are.equal("module.unevaluated", codes(worse))
      assert.truthy(worse[1].detail:find("main.tf line 2: No such attribute.", 1, true), worse[1].detail)
    end)
  end)

  describe("asked for its outputs", function()
    it("reports errors in what they need, and gives the others", function()
      local m = module [[
        locals {
          bad       = { a = 1 }.b
          unrelated = { a = 1 }.c
        }
        output "worse" { value = local.bad }
        output "fine" { value = 2 }
      ]]
      local none, err, outputs = m:outputs()
      assert.is_nil(none)
      assert.are.equal("2", outputs.fine:text())
      assert.is_nil(outputs.worse)
      local no_json, why, json = m:outputs_json()
      assert.is_nil(no_json)
      assert.are.equal(tostring(err), tostring(why))
      assert.are.same({ fine = { sensitive = false, type = "number", value = 2 } }, json:lua())
      assert.are.equal(1, #err)
      assert.truthy(err[1].detail:find('"b"', 1, true))
    end)

    it("reports no errors of other parts", function()
      local m = module "locals { unrelated = { a = 1 }.c }\noutput \"fine\" { value = 2 }\n"
      m:plan()
      local outputs, err = m:outputs()
      assert.are.equal("2", outputs.fine:text())
      assert.is_nil(err)
    end)

    it("reports which variable has no value", function()
      local _, err, outputs = module("variable \"v\" {}\noutput \"o\" { value = var.v }\noutput \"fine\" { value = 2 }\n"):outputs()
      assert.are.equal("module.input_missing", codes(err))
      assert.are.equal("2", outputs.fine:text())
    end)
  end)

  describe("in modules", function()
    local below = {
      ["main.tf"] = 'module "a" {\n  source   = "./a"\n  for_each = toset(["k", "z"])\n  n        = each.key\n}\n',
      ["a/main.tf"] = 'variable "n" {}\nmodule "b" {\n  source = "./b"\n  n      = var.n\n}\n',
      ["a/b/main.tf"] = 'variable "n" {}\noutput "o" {\n  value = tonumber(var.n)\n}\n',
    }

    it("reports the failing instance, and the calls that lead to it", function()
      local m, dir = module(below)
      local _, err = m:plan()
      assert.are.equal(2, #err)
      assert.are.equal(([[
  in module.a["k"].module.b, called at %s/a/main.tf line 2
  in module.a["k"], called at %s/main.tf line 1
]]):format(dir, dir), err[1].chain)
      assert.truthy(tostring(err):find('  in module.a["z"].module.b, called at', 1, true))
      assert.truthy(m:change(dir .. "/main.tf", "\n\n" .. below["main.tf"]))
      _, err = m:plan()
      assert.truthy(err[2].chain:find('in module.a["z"], called at ' .. dir .. "/main.tf line 3\n", 1, true))
    end)

    it("reports the failing instance of a resource", function()
      local m = module [[
        resource "terraform_data" "r" {
          for_each = toset(["1", "k"])
          input    = tonumber(each.key)
        }
        variable "v" { default = "x" }
        locals { wrong = tonumber(var.v) }
      ]]
      local _, err = m:plan()
      local chains = {}
      for i, d in ipairs(err) do chains[i] = d.chain or "none" end
      table.sort(chains)
      assert.are.same({ '  in terraform_data.r["k"]\n', "none" }, chains)
    end)

    it("reports the calls of a module whose files are wrong, and none of the root", function()
      local dir = folder {
        ["main.tf"] = 'locals { a = nope.x }\nmodule "m" {\n  source = "./m"\n}\n',
        ["m/main.tf"] = "variable x {\n  nope = 1\n}\n",
      }
      local _, err, readable = hcl.module(dir)
      assert.are.equal(("  in module.m, called at %s/main.tf line 2\n"):format(dir), err[1].chain)
      assert.truthy(readable:change(dir .. "/m/main.tf", ""))
      _, err = readable:validate()
      assert.is_nil(err[1].chain)
    end)
  end)

  describe("with rules of variables", function()
    local calls = 'module "a" {\n  source = "./m"\n}\nmodule "b" {\n  source = "./m"\n}\nmodule "c" {\n  source = "./m"\n  n = 7\n}\n'

    it("checks a default once for all modules of a folder", function()
      local asked = {}
      local scope = hcl.scope { functions = { is_fine = function(n)
        asked[#asked + 1] = n
        return true
      end } }
      local m = module({
        ["main.tf"] = calls,
        ["m/main.tf"] = 'variable "n" {\n  default = 1\n  validation {\n    condition = is_fine(var.n)\n    error_message = ""\n  }\n}\n',
      }, { scope = scope })
      local plan = hcl.assert(m:plan())
      table.sort(asked)
      assert.are.equal("1 1 7 7", table.concat(asked, " ")) -- to validate and to plan
      for _, name in ipairs { "a", "b", "c" } do assert.are.equal("pass", plan.checks["module." .. name .. ".var.n"].status) end
    end)

    it("reports for each module the value that breaks it", function()
      local m = module {
        ["main.tf"] = calls,
        ["m/main.tf"] = 'variable "n" {\n  default = 1\n  validation {\n    condition = var.n > 5\n    error_message = "No."\n  }\n}\n',
      }
      assert.are.equal("module.validation module.validation", codes(select(2, m:plan())))
    end)
  end)

  describe("of a resource without schema", function()
    local source = [[
      resource "aws_instance" "web" {
        count = 2
        ami   = "ami-${count.index}"
        ebs { size = 8 }
      }
      resource "aws_vpc" "main" {
        cidr = "10.0.0.0/16"
        lifecycle {
          postcondition {
            condition     = self.id != ""
            error_message = "No id."
          }
        }
      }
      data "aws_region" "here" {}
      locals {
        ami  = aws_instance.web[1].ami
        cidr = resource.aws_vpc.main.cidr
      }
    ]]

    it("knows configured arguments, and treats the rest as unknown", function()
      local m = module(source)
      hcl.assert(m:plan())
      assert.are.equal('"ami-1"', text(m, "local.ami"))
      assert.are.equal('"10.0.0.0/16"', text(m, "local.cidr"))
      assert.are.equal("(known after apply)", text(m, "aws_vpc.main.id"))
      assert.are.equal("(known after apply)", text(m, "data.aws_region.here.name"))
      assert.are.equal("2", text(m, "length(aws_instance.web)"))
      assert.are.equal("module.undeclared", codes(select(2, m:value "aws_vpc.other.id")))
    end)

    it("leaves null arguments to the provider", function()
      local m = module 'variable "region" { default = null }\ndata "aws_region" "here" {\n  region = var.region\n}\n'
      assert.are.equal("(known after apply)", text(m, "data.aws_region.here.region"))
    end)

    it("takes the values of the callback", function()
      local seen = {}
      local m = module(source, {
        resource = function(r)
          seen[r.address] = r.mode .. " " .. (r.config:get "cidr" and r.config:get("cidr"):text() or "-")
          if r.type == "aws_region" then return { name = "eu-1" } end
          if r.type == "aws_vpc" then return { id = "vpc-1" } end
        end,
      })
      assert.are.equal('"eu-1"', text(m, "data.aws_region.here.name"))
      assert.are.equal('"vpc-1"', text(m, "aws_vpc.main.id"))
      assert.are.equal("managed 10.0.0.0/16", seen["aws_vpc.main"])
      hcl.assert(m:plan())
      assert.are.equal("managed -", seen["aws_instance.web[1]"])
    end)

    it("fails if the callback refuses", function()
      local m = module(source, { resource = function(r) if r.mode == "data" then return nil, "no network" end end })
      local plan, err = m:plan()
      assert.is_nil(plan)
      assert.are.equal("module.data", codes(err))
      assert.truthy(err[1].detail:find("no network", 1, true))
      -- Whatever it contains.
      m = module(source, { resource = function() return nil, setmetatable({}, { __tostring = function() return "no words" end }) end })
      err = select(2, m:plan())
      assert.truthy(err[1].detail:find(": no words", 1, true), err[1].detail)
    end)
  end)

  describe("that is large or hostile", function()
    it("has a chain of 10,000 local values", function()
      local lines = { "locals {", "  l0 = 1" }
      for i = 1, 9999 do lines[#lines + 1] = ("  l%d = local.l%d + 1"):format(i, i - 1) end
      lines[#lines + 1] = '}\noutput "o" { value = local.l9999 }\n'
      local m = module(table.concat(lines, "\n"))
      assert.are.equal(10000, m:eval "local.l9999")
      assert.are.equal("10000", hcl.assert(m:plan()).outputs.o:text())
    end)

    it("rejects more instances than the limit allows", function()
      for _, argument in ipairs { "count = 1000000000", "count = 9223372036854775807" } do
        local m = module({
          ["main.tf"] = ('resource "terraform_data" "x" {\n  %s\n}\nmodule "m" {\n  source = "./m"\n  %s\n}\n'):format(argument, argument),
          ["m/main.tf"] = "",
        })
        local plan, err = m:plan()
        assert.is_nil(plan)
        assert.are.equal("limit.steps limit.steps", codes(err))
      end
    end)

    it("stays within the limits in total", function()
      local source = { "locals {" }
      for i = 1, 200 do source[#source + 1] = ("  l%d = [for x in range(1000) : x]"):format(i) end
      source[#source + 1] = "}\n"
      local text_of_it = table.concat(source, "\n")
      for name, code in pairs { steps = "limit.steps", memory = "limit.memory" } do
        local m = module(text_of_it, { scope = hcl.scope { limits = { [name] = 400000 } } })
        assert.are.equal(code, codes(select(2, m:plan())))
        -- A single one is fine.
        m = module(text_of_it, { scope = hcl.scope { limits = { [name] = 400000 } } })
        assert.are.equal(1000, #hcl.assert(m:value "local.l7"))
      end
    end)

    it("counts wrong numbers of instances among mistakes", function()
      for count, code in pairs { ["-1"] = "module.count", ["1.5"] = "module.count", ["null"] = "module.count", ["[]"] = "module.count",
                                 ["1e30"] = "module.count", ["1.00000000000000000000001"] = "module.count" } do
        local m = module('resource "terraform_data" "x" {\n  count = ' .. count .. "\n}\n")
        assert.are.equal(code, codes(select(2, m:plan())))
      end
    end)
  end)

  it("shows the values of the names in a condition that failed, except secrets", function()
    local _, err = module([[
      variable "env" {
        default = "qa"
        validation {
          condition     = contains(["dev", "prod"], var.env) && length(var.env) > 1
          error_message = "No."
        }
      }
    ]]):plan()
    assert.same({ { path = "var.env", text = '"qa"' } }, err[1].values)
    _, err = module([[
      variable "secret" {
        default   = "hidden"
        sensitive = true
      }
      resource "terraform_data" "a" {
        input = [1, 2]
        lifecycle {
          postcondition {
            condition     = self.input[1] == 3 && var.secret != ""
            error_message = "No."
          }
        }
      }
    ]]):plan()
    assert.same({ { path = "self.input[1]", text = "2" }, { path = "var.secret", text = "(sensitive value)" } }, err[1].values)
  end)

  -- Terraform: these places in `validate`. After a local value fails, expressions that name it are still checked.
  it("ignores names in parts that a schema doesn't have", function()
    local failing = 'locals { x = "a".nope }\n'
    for source, want in pairs {
      [failing .. 'resource "terraform_data" "r" {\n  nosuch = local.x\n}\n'] = "1:17 3:3",
      [failing .. 'resource "terraform_data" "r" {\n  nosuch { a = local.x }\n}\n'] = "1:17 3:3",
      [failing .. 'resource "terraform_data" "r" {\n  dynamic "store" {\n    for_each = [1]\n    content { a = local.x }\n  }\n}\n']
        = "1:17 5:15",
      [failing .. 'resource "terraform_data" "r" {\n  dynamic "nosuch" {\n    for_each = local.x\n    content {}\n  }\n}\n'] = "1:17",
      [failing .. 'provider "terraform" { nosuch = local.x }\nresource "terraform_data" "r" {}\n'] = "1:17 2:24",
      [failing .. 'resource "terraform_zork" "r" {\n  nosuch = local.x\n}\n'] = "1:17 2:10",
      -- Names in generated blocks are checked first.
      ['resource "terraform_data" "r" {\n  nosuch = 1\n  dynamic "store" {\n    for_each = [1]\n'
        .. "    content { input = local.none[store.value] }\n  }\n}\n"] = "5:23",
      ['locals { x = terraform_data.r.id }\nresource "terraform_data" "r" {\n  nosuch = local.x\n}\n'] = "3:3", -- no loop
    } do
      local _, err = module(source):validate()
      local places = {}
      for i, d in ipairs(err) do places[i] = d.range.start.line .. ":" .. d.range.start.column end
      table.sort(places)
      assert.equal(want, table.concat(places, " "), source)
    end
  end)

  it("checks provisioners by their arguments, with self for the resource", function()
    local m = module [[
      resource "terraform_data" "a" {
        input = 1
        connection { host = self.nope }
        provisioner "local-exec" { comand = "x" }
      }
      resource "terraform_data" "b" {
        provisioner "local-exec" { command = terraform_data.a.id }
      }
    ]]
    local ok, err = m:validate()
    assert.is_nil(ok)
    local lines = {}
    for i, d in ipairs(err) do lines[i] = d.range.start.line end
    table.sort(lines)
    assert.are.same({ 3, 4 }, lines)
    assert.are.equal("terraform_data.a", m:graph({ kinds = { "resource" } }).edges[1].to)
  end)

  it("evaluates a condition and its message together", function()
    local m = module [[
      check "c" {
        assert {
          condition     = var.missing == 1
          error_message = "${module.none.x}"
        }
      }
      resource "terraform_data" "a" {
        lifecycle {
          precondition {
            condition     = var.gone
            error_message = "none"
          }
        }
      }
    ]]
    local found = {}
    for _, d in ipairs(select(2, m:validate())) do found[#found + 1] = d.range.start.line .. " " .. d.code end
    table.sort(found)
    assert.are.same({ "10 module.undeclared", "4 module.undeclared", "4 reference.unknown" }, found)
  end)

  it("finds a wrong name beside the name of a type", function()
    for _, word in ipairs { "string", "number", "bool", "any" } do
      for _, syntax in ipairs { "input = [var.gone, %s]", "input = [%s, action.a.b]",
        'lifecycle {\n precondition {\n condition = %s == var.gone\n error_message = "no"\n }\n }' } do
        local m = module('resource "terraform_data" "a" {\n ' .. syntax:format(word) .. "\n}\n")
        local list = codes(select(2, m:plan()))
        assert.truthy(list:find "^module%.", list)
      end
    end
  end)

  it("rejects a star among ignored changes", function()
    local resource = 'resource "terraform_data" "r" {\n  lifecycle {\n    ignore_changes = %s\n  }\n}\n'
    for changes, want in pairs { ['["*"]'] = "module.static", ['["*", input]'] = "module.static module.static", ["all"] = "" } do
      local _, err = hcl.module(folder { ["main.tf"] = resource:format(changes) })
      assert.are.equal(want, codes(err or {}), changes)
    end
  end)

  -- Severities and lines are Terraform's.
  describe("says of a message", function()
    local MESSAGES = { ["a list"] = '["a"]', ["null"] = "tostring(null)", ["a secret"] = '"is ${sensitive("hush")}"' }
    local function said(err)
      local out = {}
      for i, d in ipairs(err) do out[i] = d.severity .. " " .. d.code .. " line " .. d.range.start.line end
      return table.concat(out, ", ")
    end
    local function planned(files)
      local plan, err = module(files):plan()
      return said(plan and plan.warnings or err)
    end

    it("its errors, in a condition", function()
      local want = {
        ["a list"] = "error module.message line 7", ["null"] = "error module.message line 7",
        ["a secret"] = "warning module.message line 7, error module.precondition line 6",
      }
      for kind, message in pairs(MESSAGES) do
        assert.are.equal(want[kind], planned('locals {\n  n = 1\n}\noutput "o" {\n  precondition {\n    condition = local.n > 1\n'
          .. "    error_message = " .. message .. "\n  }\n  value = 1\n}\n"), kind)
      end
    end)

    it("its errors, in a rule", function()
      local want = {
        ["a list"] = "error module.message line 4, error module.validation line 1", ["null"] = "error module.validation line 1",
        ["a secret"] = "error module.message line 4, error module.validation line 1",
      }
      for kind, message in pairs(MESSAGES) do
        assert.are.equal(want[kind], planned('variable "v" {\n  validation {\n    condition = var.v > 1\n    error_message = ' .. message
          .. "\n  }\n  default = 1\n}\n"), kind)
      end
    end)

    -- As in `terraform validate`, which reads no values of the root.
    it("at the variable if every value breaks the rule", function()
      assert.are.equal("error module.validation line 2", planned { ["terraform.tfvars"] = 'v = { a = "x", b = "y" }\n', ["main.tf"] = [[

variable "v" {
  type = object({ a = string, b = string })
  validation {
    condition     = length(var.v) < 2
    error_message = "Too many."
  }
}
]] })
      assert.are.equal("error module.validation line 1", planned { ["terraform.tfvars"] = "v = 3\n", ["main.tf"] = [[

variable "v" {
  type = number
  validation {
    condition     = var.v < 2
    error_message = "Too many."
  }
}
]] })
    end)

    it("without a secret that a called module is given", function()
      local _, err = module({ ["main.tf"] = 'module "m" {\n  source = "./m"\n  s = "hush"\n}\n', ["m/main.tf"] = [[
variable "s" {
  sensitive = true
  validation {
    condition     = var.s != "hush"
    error_message = "Got ${var.s}."
  }
}
]] }):plan()
      assert.are.equal("error module.message line 5, error module.validation line 3", said(err))
      assert.is_nil(tostring(err):gsub("\n[^\n]*|[^\n]*", ""):find("hush", 1, true))
    end)

    it("once what both validate and a plan find", function()
      assert.are.equal("warning module.message line 4, warning module.assertion line 3", planned('check "c" {\n  assert {\n'
        .. '    condition = terraform.workspace == "x"\n    error_message = "is ${sensitive("hush")}"\n  }\n}\n'))
    end)

    it("that it is taken as it is written, in JSON", function()
      local file = '{"variable": {"v": {"default": 1, "validation": {\n"condition": "${var.v > 1}",\n"error_message": "is ${1 + }"}}}}'
      assert.are.equal("warning module.message line 3, error module.validation line 1", planned { ["main.tf.json"] = file })
    end)
  end)

  it("reports conditions without instances as passed", function()
    local m = module({
      ["main.tf"] = 'module "m" {\n  source = "./m"\n  count = 0\n}\n',
      ["m/main.tf"] = [[
        variable "n" { default = 1 }
        output "o" {
          value = var.n
          precondition {
            condition = var.n > 5
            error_message = "small"
          }
        }
      ]],
    })
    assert.are.same({ ["module.m.output.o"] = { status = "pass", messages = {} } }, hcl.assert(m:plan()).checks)
  end)

  it("lists the conditions of an instance once, whatever its key is", function()
    local m = module [[
      resource "terraform_data" "a" {
        for_each = toset(["k]"])
        lifecycle {
          precondition {
            condition     = each.key != ""
            error_message = "empty"
          }
        }
      }
    ]]
    assert.are.same({ ['terraform_data.a["k]"]'] = { status = "pass", messages = {} } }, hcl.assert(m:plan()).checks)
  end)

  it("treats a name after a call with for_each as a key", function()
    local m = module({
      ["main.tf"] = 'module "m" {\n  source = "./m"\n  for_each = { k = 3 }\n  n = each.value\n}\n',
      ["m/main.tf"] = 'variable "n" {}\noutput "twice" { value = 2 * var.n }\n',
    })
    assert.are.equal("6", text(m, "module.m.k.twice"))
  end)

  it("answers nothing if the variables of a module failed", function()
    local m = module({
      ["main.tf"] = 'module "m" {\n  source = "./m"\n  n = "x"\n}\n',
      ["m/main.tf"] = 'variable "n" { type = number }\nlocals { a = var.n }\n',
    })
    assert.are.equal("module.scope", codes(select(2, m:value("1", { module = "module.m" }))))
  end)

  it("counts the labels that are missing", function()
    for source, wanted in pairs {
      ["variable {}"] = "takes 1 label (", ['resource "a" {}'] = "takes 2 labels (", ['locals "x" {}'] = "takes no labels,",
    } do
      local _, err = hcl.module(folder { ["main.tf"] = source .. "\n" })
      assert.truthy(tostring(err):gsub("%s+", " "):find(wanted, 1, true), tostring(err))
    end
  end)

  it("has the type of a type", function()
    local m = module "locals { a = [1] }\n"
    assert.are.equal("type", text(m, "type(type(local.a))"))
    assert.are.equal("module.type_call", codes(select(2, m:value "[type(1)]")))
    assert.are.equal("module.type_call", codes(select(2, m:value "type(1) == type(local.a)")))
    assert.are.equal("number", text(m, "try(type(1), 2)"))
    assert.are.equal("number", text(m, "{ a = [type(1)] }.a[0]"))
    assert.are.equal("true", text(m, 'can(type("a"))'))
    assert.are.equal("1", text(m, "length([type(1)])"))
    assert.are.equal("tuple([\n    type,\n])", text(m, "type([type(1)])"))
  end)

  it("answers in the scope of an instance of a module", function()
    local m = module({
      ["main.tf"] = 'module "m" {\n  source = "./m"\n  for_each = { "a b" = 1, c = 2 }\n  n = each.value\n}\n',
      ["m/main.tf"] = 'variable "n" {}\nlocals { twice = 2 * var.n }\n',
    })
    assert.are.equal("2", text(m, "local.twice", { module = 'module.m["a b"]' }))
    assert.are.equal("4", text(m, "local.twice", { module = 'module.m["c"]' }))
    assert.are.equal("4", text(m, "local.twice", { scope = 'module.m["c"]' })) -- the name before 1.0
    assert.error_matches(function() m:value("1", { scope = "", module = "" }) end, "options 'module' and 'scope' are the same", 1, true)
    assert.error_matches(function() m:value("1", { scope = 1 }) end, "option 'module' must be a string", 1, true)
    assert.error_matches(function() m:value("1", { scop = "" }) end, "unknown option 'scop'%)$")
    for _, address in ipairs { "module.m", 'module.m["x"]', "module.m[0]", "local.x", "", "module.m[" } do
      if address ~= "" then assert.are.equal("module.scope", codes(select(2, m:value("local.twice", { module = address })))) end
    end
  end)

  -- Reference: names in the content of a `dynamic` block are checked if it has elements.
  it("checks names in a dynamic block's content only if it generates blocks", function()
    local source = 'variable "v" { default = %s }\nresource "terraform_data" "x" {\n  dynamic "store" {\n'
      .. "    for_each = var.v\n    content {\n      version = %s\n    }\n  }\n}\n"
    local function outcome(elements, name)
      local dir = support.folder(source:format(elements, name))
      local m, err = hcl.module(dir)
      local ok = m and m:validate()
      local plan, wrong = nil, err
      if m then plan, wrong = m:plan() end
      support.remove(dir)
      return ok == true, plan ~= nil, wrong and wrong[1].detail
    end
    for _, name in ipairs { "var.none", "local.none", "each.key", "store.value.nope", "data.a.b.c" } do
      assert.same({ true, true }, { outcome("{}", name) })
    end
    local valid, planned, why = outcome("[1]", "var.none")
    assert.same({ true, false }, { valid, planned })
    assert.truthy(why:find('No variable "none" is declared', 1, true), why)
    assert.same({ true, true }, { outcome("[1]", "store.value") })
  end)

  it("takes a dynamic block of an override file for its blocks, whatever it expands to", function()
    local dir = support.folder {
      ["main.tf"] = 'resource "terraform_data" "x" {\n  store {\n    version = "old"\n  }\n}\n'
        .. 'output "n" { value = terraform_data.x.store == null }\n',
      ["override.tf"] = 'resource "terraform_data" "x" {\n  dynamic "store" {\n    for_each = []\n    content {}\n  }\n}\n',
    }
    assert.equal("true", hcl.assert(hcl.assert(hcl.module(dir)):plan()).outputs.n:text())
    support.remove(dir)
  end)

  it("knows the configuration without an alias among configuration_aliases", function()
    local dir = support.folder {
      ["main.tf"] = 'provider "cloud" {}\nmodule "site" {\n  source = "./site"\n  providers = { cloud = cloud }\n}\n'
        .. 'output "n" { value = module.site.n }\n',
      ["site/main.tf"] = 'terraform {\n  required_providers {\n    cloud = {\n      source = "hashicorp/cloud"\n'
        .. '      configuration_aliases = [cloud, cloud.west]\n    }\n  }\n}\noutput "n" { value = "web" }\n',
    }
    local m, err = hcl.module(dir)
    assert.is_nil(m)
    assert.truthy(tostring(err):find("cloud.west", 1, true), tostring(err))
    support.write(dir .. "/site/main.tf", (support.read(dir .. "/site/main.tf"):gsub(", cloud.west", "")))
    assert.equal("web", hcl.assert(hcl.assert(hcl.module(dir)):plan()).outputs.n:text())
    support.remove(dir)
  end)
end)
