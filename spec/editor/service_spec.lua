-- The language service on small folders: names of loops and values, and what works in broken text.
local hcl = require "hclexpr"
local kinds = require "hclexpr.editor.kinds"
local service = require "hclexpr.service"
local small = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "small.lua")
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local open, path, ask, labels, finish, at = small.open, small.path, small.ask, small.labels, small.finish, small.at

describe("the service", function()
  after_each(small.close)

  it("hints at the source of a missing module, and knows the rest", function()
    open { ["main.tf"] = [[
module "label" {
  source = "cloudposse/label/null"
  name   = local.name
  other  = local.nope
}
locals {
  name = "x"
  id   = module.label.id
  both = "${local.name}-${random_pet.p.length}"
}
resource "random_pet" "p" { length = 2 }
output "o" { value = [local.id, local.both] }
]] }
    finish()
    local told = {}
    for i, d in ipairs(ask("diagnostics", "main.tf")) do
      told[i] = d.severity .. " " .. small.workspace:text(path "main.tf"):sub(d.start + 1, d.stop)
    end
    assert.same({ 'hint "cloudposse/label/null"', "error local.nope" }, told)
    local shown = ask("hover", "main.tf", at("main.tf", "both = "))
    assert.truthy(shown.text:find("x-2", 1, true), shown.text)
  end)

  it("knows elements after loops, splats, indexes and functions", function()
    local source = [[
variable "nets" {
  type = map(object({ cidr = string, zones = list(object({ id = number })) }))
}
locals {
  made = [for name, net in var.nets : { name = name, first = net.zones[0].id }]
  doc  = jsondecode("{\"top\": {\"inner\": 1}, \"list\": [{\"kind\": 2}]}")
  one  = %s
}
]]
    for expression, wanted in pairs {
      ["local.made[0].|"] = "first", ["[for m in local.made : m.|]"] = "first", ["values(var.nets)[0].|"] = "cidr",
        ["local.made[*].|"] = "name",
      ["[for k, n in var.nets : [for z in n.zones : z.|]]"] = "id", ["merge({ a = 1 }, { b = 2 }).|"] = "b",
      ["true ? local.made[0].| : null"] = "name", ["{ a = [var.nets[\"x\"].|] }"] = "zones",
      ["one(local.made).|"] = "name", ["\"${var.nets.a.|}\""] = "cidr", ["try(local.made[0], null).|"] = "first",
      ["flatten([for n in var.nets : [n.zones]])[0].|"] = "id", ["lookup(var.nets, \"a\", null).|"] = "zones",
      ["zipmap([\"a\"], local.made).a.|"] = "first", ["tolist(local.doc.list)[0].|"] = "kind", ["local.doc.|"] = "top",
      ["local.doc.top.|"] = "inner", ["local.doc.list[0].|"] = "kind",
    } do
      local cursors = open { ["main.tf"] = source:format(expression) }
      assert.is_truthy(labels(ask("complete", "main.tf", cursors["main.tf"]))[wanted], expression)
      small.close()
    end
  end)

  it("knows the keys of objects by their argument, even half-typed", function()
    local called = { ["net/main.tf"] = 'variable "net" {\n  type = object({ cidr = string, zones = list(string) })\n}\n' }
    for _, source in ipairs { "net = { | }", "net = {\n    |\n  }", "net = {\n    z|\n  }", "net = {\n    zones = []\n    c|\n  }" } do
      called["main.tf"] = 'module "m" {\n  source = "./net"\n  ' .. source .. "\n}\n"
      local cursors = open(called)
      local found = labels(ask("complete", "main.tf", cursors["main.tf"]))
      assert.is_truthy(found.cidr and found.zones, source)
      assert.is_nil(found.upper, source)
      small.close()
    end
    called["main.tf"] = 'module "m" {\n  source = "./net"\n  net = { zo|nes = [] }\n}\n'
    local cursors = open(called)
    assert.truthy(ask("hover", "main.tf", cursors["main.tf"]).text:find("zones: list(string)", 1, true))
  end)

  it("knows the configurations of providers after the dot", function()
    local shop = 'provider "shop" {\n  alias = "west"\n}\nprovider "shop" {\n  alias = "east"\n}\n'
    local passed = 'terraform {\n  required_providers {\n    shop = {\n      source = "a/shop"\n'
      .. "      configuration_aliases = [shop.south]\n    }\n  }\n}\n"
    local module = 'module "m" {\n  source = "./net"\n  providers = { %s }\n}\n'
    for source, wanted in pairs {
      [shop .. 'resource "shop_x" "y" {\n  provider = shop.|\n}\n'] = "west east",
      [shop .. 'data "shop_x" "y" {\n  provider = shop.w|\n}\n'] = "west east",
      [shop .. module:format "shop = shop.|"] = "west east", [shop .. module:format "shop.south = shop.|"] = "west east",
      [shop .. module:format "\n    shop = shop.|\n  "] = "west east", [shop .. module:format "|"] = "shop shop.south",
      [passed .. 'resource "shop_x" "y" {\n  provider = shop.|\n}\n'] = "south",
      [passed .. 'resource "shop_x" "y" {\n  provider = |\n}\n'] = "shop shop.south",
    } do
      local cursors = open { ["main.tf"] = source, ["net/main.tf"] = passed }
      local found = {}
      for i, item in ipairs(ask("complete", "main.tf", cursors["main.tf"])) do found[i] = item.label end
      assert.same({ source, wanted }, { source, table.concat(found, " ") })
      small.close()
    end
    open { ["main.tf"] = passed .. 'resource "shop_x" "y" {\n  provider = shop.south\n}\n' }
    local target = ask("definition", "main.tf", small.workspace:text(path "main.tf"):find("south\n", 1, true) - 1)[1]
    assert.equal("south", small.workspace:text(path "main.tf"):sub(target.name_start + 1, target.name_stop))
  end)

  it("knows the resource whose trigger calls an action", function()
    local cursors = open { ["main.tf"] = 'resource "terraform_data" "other" {}\nresource "terraform_data" "web" {\n  lifecycle {\n'
      .. "    action_trigger {\n      events  = [after_create]\n      actions = [action.local_command.note]\n    }\n  }\n}\n"
      .. 'action "local_command" "note" {\n  config {\n    command = caller.|\n  }\n}\n' }
    assert.truthy(labels(ask("complete", "main.tf", cursors["main.tf"])).triggers_replace)
    assert.same(at("main.tf", '"web"') + 1, ask("definition", "main.tf", at("main.tf", "caller") + 1)[1].name_start)
  end)

  it("never offers the only known type instead of the typed one", function()
    local known = 'resource "null_resource" "a" {}\n'
    for typed, wanted in pairs {
      ["aws_"] = "", ["aws_instance"] = "", ["nul"] = "null_resource", ["nures"] = "null_resource", ["NULL"] = "null_resource",
      [""] = "null_resource terraform_data", ["null_resource_"] = "",
    } do
      for _, source in ipairs { 'resource "%s|" "b" {}\n', 'resource "%s|"\n', 'resource "%s|\n' } do
        local cursors = open { ["main.tf"] = known .. source:format(typed) }
        local found = {}
        for _, item in ipairs(ask("complete", "main.tf", cursors["main.tf"])) do
          if item.label ~= typed then found[#found + 1] = item.label end
        end
        table.sort(found)
        assert.same({ source, typed, wanted }, { source, typed, table.concat(found, " ") })
        small.close()
      end
    end
  end)

  it("knows files within calls that read them", function()
    local files = { ["net/main.tf"] = "", ["net/notes.txt"] = "", ["net/t/a.tftpl"] = "", ["net/t/b c.tftpl"] = "", ["other/x.json"] = "",
      ["net/.hidden"] = "" }
    for source, wanted in pairs {
      ['file("|")'] = "main.tf net/ other/", ['file("ne|")'] = "main.tf net/ other/", ["file(\"net/|"] = "main.tf notes.txt t/",
      ['templatefile("${path.module}/net/t/|", {})'] = "a.tftpl b c.tftpl", ['fileexists("./other/|x.js")'] = "x.json",
      ['core::filebase64("net/.|")'] = ".hidden main.tf notes.txt t/", ['file("${path.root}/other/|")'] = "x.json",
      ['[for p in ["a"] : file("${path.module}/other/|")]'] = "x.json",
      ['file("${local.a}/|")'] = "", ['upper("|")'] = "", ['"${file("net/t/|")}"'] = "a.tftpl b c.tftpl", ['file("x", "|")'] = "",
    } do
      files["main.tf"] = "locals {\n  a = " .. source .. "\n}\n"
      local cursors = open(files)
      local found = {}
      for i, item in ipairs(ask("complete", "main.tf", cursors["main.tf"])) do
        found[i] = item.label
        -- In the protocol's numbers: a folder, or a file.
        assert.equal(item.label:find "/$" and 19 or 17, kinds.item(item.kind))
      end
      assert.same({ source, wanted }, { source, table.concat(found, " ") })
      small.close()
    end
    -- Relative paths begin at the root; the typed part of a name is replaced, not the text before it.
    files["main.tf"] = 'module "net" {\n  source = "./net"\n}\n'
    files["net/main.tf"] = 'locals {\n  a = file("oth|er")\n  b = file("${path.module}/t/a.tftpl")\n  c = file("none.txt")\n}\n'
    local cursors = open(files)
    local item = labels(ask("complete", "net/main.tf", cursors["net/main.tf"]))["other/"]
    assert.same({ "other/", "oth" }, { item.insert, small.workspace:text(path "net/main.tf"):sub(item.start + 1, cursors["net/main.tf"]) })
    assert.equal("other", small.workspace:text(path "net/main.tf"):sub(item.start + 1, item.stop))
    assert.same({ { path = path "net/t/a.tftpl", start = 0, stop = 0, name_start = 0, name_stop = 0 } },
      ask("definition", "net/main.tf", at("net/main.tf", "tftpl")))
    assert.same({}, ask("definition", "net/main.tf", at("net/main.tf", "none.txt")))
  end)

  it("knows the keys of values of variables by their types", function()
    local variables = 'variable "net" {\n  type = object({\n    cidr = string, on = bool,\n'
      .. "    zones = list(object({ id = number, name = string }))\n"
      .. "  })\n}\n" .. 'variable "tags" {\n  type = map(object({ owner = string }))\n}\n'
    for source, wanted in pairs {
      ["net = { | }"] = "cidr on zones", ["net = {\n  |\n}"] = "cidr on zones", ["net = {\n  c|\n}"] = "cidr on zones",
      ["net = {\n  zones = [{ | }]\n}"] = "id name", ["net = {\n  zones = [{ id = 1 }, {\n    |\n  }]\n}"] = "id name",
      ["tags = { a = { | } }"] = "owner", ["tags = { | }"] = "", ["|"] = "net tags", ["net = {\n  on = |\n}"] = "false null true",
    } do
      for _, name in ipairs { "terraform.tfvars", "env/prod.tfvars" } do
        local cursors = open { ["main.tf"] = variables, [name] = source .. "\n" }
        local found = {}
        for i, item in ipairs(ask("complete", name, cursors[name])) do found[i] = item.label end
        table.sort(found)
        assert.same({ source, name, wanted }, { source, name, table.concat(found, " ") })
        small.close()
      end
    end
    open { ["main.tf"] = variables, ["a.tfvars"] = "net = { zones = [] }\n" }
    assert.truthy(ask("hover", "a.tfvars", at("a.tfvars", "zones")).text:find("zones: list(object", 1, true))
  end)

  it("knows the names that calls give a template", function()
    local main = 'variable "ports" {\n  type = list(object({ number = number, open = bool }))\n}\nlocals {\n'
      .. '  a = [for n in ["x"] : templatefile("${path.module}/t/app.tftpl", {\n    name = n, ports = var.ports\n  })]\n'
      .. '  b = core::templatefile("t/app.tftpl", merge({ more = true }, {}))\n  c = templatefile("t/other.tftpl", { other = 1 })\n}\n'
    for source, wanted in pairs {
      ["a ${|} b"] = "more name ports", ["a ${ na| } b\n"] = "more name ports", ["%{ for p in ports }${p.|}%{ endfor }"] = "number open",
      ["%{ for p in | }%{ endfor }"] = "more name ports", ["%{ if | }x%{ endif }"] = "more name ports", ["${ports[0].|}"] = "number open",
      ["${upper(|)}"] = "more name ports", ["a | b"] = "", ["${name}\n${ n|"] = "more name ports", ["$${ | }"] = "", ["${"] = "",
      ["%{ for p in ports }${|}%{ endfor }"] = "more name p ports",
    } do
      local cursors = open { ["main.tf"] = main, ["t/app.tftpl"] = source }
      local found = {}
      for _, item in ipairs(cursors["t/app.tftpl"] and ask("complete", "t/app.tftpl", cursors["t/app.tftpl"]) or {}) do
        if item.kind ~= "function" and item.kind ~= "keyword" then found[#found + 1] = item.label end
      end
      table.sort(found)
      assert.same({ source, wanted }, { source, table.concat(found, " ") })
      small.close()
    end
    open { ["main.tf"] = main, ["t/app.tftpl"] = "x\n%{ for p in ports }${p.open}%{ endfor }${upper(name)} ${none}\n" }
    local text = small.workspace:text(path "t/app.tftpl")
    local function on(word) return at("t/app.tftpl", word) end
    local found = ask("hover", "t/app.tftpl", on "ports")
    assert.equal("ports", text:sub(found.start + 1, found.stop))
    assert.truthy(found.text:find("ports: list(object", 1, true) and found.text:find("main.tf:6", 1, true), found.text)
    found = ask("hover", "t/app.tftpl", on "p.open")
    assert.truthy(found.text:find("name of a loop, app.tftpl:2", 1, true), found.text)
    assert.is_nil(ask("hover", "t/app.tftpl", on "none"))
    found = ask("definition", "t/app.tftpl", on "name")[1]
    assert.same({ path "main.tf", "name" }, { found.path, small.workspace:text(found.path):sub(found.name_start + 1, found.name_stop) })
    found = ask("definition", "t/app.tftpl", on "p.open")[1]
    assert.same({ path "t/app.tftpl", on "p in" }, { found.path, found.name_start })
    assert.equal("upper(", ask("signature", "t/app.tftpl", on "(name" + 1).label:sub(1, 6))
    assert.same({}, ask("diagnostics", "t/app.tftpl", true))
    small.workspace:change(path "t/app.tftpl", "é ${1 +}\n")
    found = ask("diagnostics", "t/app.tftpl", true)
    assert.same({ 1, 8 }, { #found, found[1].start })
    for _, question in ipairs { "tokens", "symbols", "folding", "format", "references", "rename_at", "inlays", "actions", "highlights" } do
      assert.is_nil(ask(question, "t/app.tftpl", 0, 0))
    end
  end)

  it("completes the names of a template by their number, however many calls give them", function()
    local function seconds(n)
      local calls, best = {}, math.huge
      for i = 1, n do calls[i] = ('  a%d = templatefile("${path.module}/t.tftpl", { x%d = 1 })\n'):format(i, i) end
      open { ["main.tf"] = "locals {\n" .. table.concat(calls) .. "}\n", ["t.tftpl"] = "${x1}" }
      for _ = 1, 3 do
        local start, items = os.clock(), ask("complete", "t.tftpl", 3)
        best = math.min(best, os.clock() - start)
        assert.is_not_nil(labels(items)["x" .. n])
      end
      small.close()
      return best
    end
    local once, more = seconds(400), seconds(3200)
    assert.is_true(more < 24 * once, ("%.3f s, %.3f s"):format(once, more))
  end)

  it("opens no file outside of the workspace, and no pipe", function()
    local files = { ["w/a.txt"] = "", ["out/b.txt"] = "" }
    local function found(source)
      files["w/main.tf"] = "locals {\n  a = " .. source .. "\n}\n"
      local cursors = open(files)
      assert(support.runs(("cd '%s/w' && mkfifo pipe && ln -s ../out link && ln -s a.txt inner"):format(small.dir)))
      local text = small.workspace:text(path "w/main.tf")
      small.workspace = service.new { roots = { path "w" } }
      small.workspace:open(path "w/main.tf", text, 1)
      local labelled, place = {}, cursors["w/main.tf"]
      for i, item in ipairs(ask("complete", "w/main.tf", place)) do labelled[i] = item.label end
      local target = ask("definition", "w/main.tf", place)[1]
      local from = #small.dir + 2
      small.close()
      return table.concat(labelled, " "), target and target.path:sub(from)
    end
    assert.equal("a.txt inner link main.tf pipe", (found 'file("|")'))
    assert.equal("a.txt inner link main.tf pipe", (found 'file("../w/|")'))
    for _, source in ipairs { 'file("../out/|")', 'file("link/|")', 'file("/|etc/passwd")', 'file("/etc/|passwd")', 'file("~/|")' } do
      assert.equal("", (found(source)))
    end
    assert.equal("w/a.txt", select(2, found 'file("a|.txt")'))
    assert.equal("w/inner", select(2, found 'file("in|ner")'))
    for _, source in ipairs { 'file("pi|pe")', 'file("link/b|.txt")', 'file("../out/b|.txt")', 'file("/dev/ze|ro")' } do
      assert.is_nil(select(2, found(source)))
    end
  end)

  it("opens files in the folder of the module and of its root, wherever the workspace is", function()
    local files = { ["r/main.tf"] = 'module "m" {\n  source = "./m"\n}\n', ["r/a.txt"] = "",
      ["r/m/b.txt"] = "", ["w/c.txt"] = "", ["x/d.txt"] = "" }
    for source, wanted in pairs {
      ['file("|")'] = "a.txt m/ main.tf", ['file("${path.module}/|")'] = "b.txt main.tf", ['file("../w/|")'] = "c.txt",
      ['file("../x/|")'] = "",
    } do
      files["r/m/main.tf"] = "locals {\n  a = " .. source .. "\n}\n"
      local cursors = open(files)
      local inner, outer = small.workspace:text(path "r/m/main.tf"), files["r/main.tf"]
      small.workspace = service.new { roots = { path "w" } }
      small.workspace:open(path "r/main.tf", outer, 1)
      small.workspace:open(path "r/m/main.tf", inner, 1)
      local labelled = {}
      for i, item in ipairs(ask("complete", "r/m/main.tf", cursors["r/m/main.tf"])) do labelled[i] = item.label end
      assert.same({ source, wanted }, { source, table.concat(labelled, " ") })
      small.close()
    end
  end)

  it("knows the allowed values of a module's settings", function()
    local resources = 'resource "aws_vpc" "v" {}\nresource "terraform_data" "t" {}\n'
    for source, wanted in pairs {
      ['backend "|" {}'] = "s3", ['backend "s3" {\n    |\n  }'] = "use_lockfile", ['backend "gcs" {\n    b|\n  }'] = "bucket",
      ['backend "remote" {\n    workspaces {\n      |\n    }\n  }'] = "prefix", ["cloud {\n    |\n  }"] = "organization",
      ["required_providers {\n    |\n  }"] = "aws", ["required_providers {\n    aws = {\n      |\n    }\n  }"] = "source",
      ["required_providers {\n    aws = {\n      v|\n    }\n  }"] = "version",
    } do
      local cursors = open { ["main.tf"] = "terraform {\n  " .. source .. "\n}\n" .. resources }
      local found = labels(ask("complete", "main.tf", cursors["main.tf"]))
      assert.is_truthy(found[wanted], source)
      assert.is_nil(found.terraform or found.dynamic, source)
      small.close()
    end
  end)

  -- Each together with a part that makes reading fail.
  it("offers only what blocks of the language may contain", function()
    local resource = 'resource "terraform_data" "a" {\n  lifecycle {\n    %s\n  }\n}\naction "x_y" "q" {\n}\n'
    local trigger = resource:format "action_trigger {\n      %s\n    }"
    for source, row in pairs {
      ['module "a" {\n  |\n}\n'] = { "ignore_nested_deprecations", "lifecycle" },
      ['provider "aws" {\n  |\n}\n'] = { "alias", "count" }, ['output "a" {\n  |\n}\n'] = { "precondition", "postcondition" },
      ['check "a" {\n  data "terraform_remote_state" "b" {\n    |\n  }\n}\n'] = { "depends_on", "for_each" },
      ['check "a" {\n  data "terraform_remote_state" "b" {\n    |\n  } \n}\n'] = { "provider", "lifecycle" },
      ['ephemeral "x_y" "b" {\n  lifecycle {\n    |\n  }\n}\n'] = { "postcondition", "ignore_changes" },
      ["terraform {\n  |\n}\n"] = { "backend", "state_store" }, [resource:format "|"] = { "destroy", "dynamic" },
      [resource:format "precondition {\n      |\n    }"] = { "condition", "dynamic" }, [trigger:format "|"] = { "on_failure", "when" },
      [trigger:format "on_failure = |"] = { "taint", "fail" }, [trigger:format "actions = [|]"] = { "action.x_y.q", "terraform_data.a" },
      ['resource "terraform_data" "a" {\n  provisioner "|" {}\n}\n'] = { "remote-exec", "chef" },
    } do
      local cursors = open { ["main.tf"] = source }
      local found = labels(ask("complete", "main.tf", cursors["main.tf"]))
      assert.is_truthy(found[row[1]], source)
      assert.is_nil(found[row[2]], source)
      small.close()
    end
  end)

  it("stops at names that refer to themselves", function()
    for _, value in ipairs { "local.a", "local.b ? local.a : local.b", "[local.a, local.b]", "{ a = local.a, b = local.b }",
      "merge(local.a, local.b)",
                             "[for x in local.a : local.b]" } do
      local cursors = open { ["main.tf"] = "locals {\n  a = " .. value .. "\n  b = " .. value .. "\n  c = local.a.|\n}\n" }
      assert.is_table(ask("complete", "main.tf", cursors["main.tf"]))
      ask("hover", "main.tf", cursors["main.tf"] - 1)
      small.close()
    end
    local cursors = open { ["app.hcl"] = "a = [b, a]\nb = a.|\n" }
    assert.is_table(ask("complete", "app.hcl", cursors["app.hcl"]))
  end)

  it("follows a name once even if many paths lead to it", function()
    local lines = {}
    for i = 1, 12 do lines[i] = ("  a%d = merge(local.a%d, local.a%d, local.a%d)\n"):format(i, i + 1, i + 1, i + 1) end
    local cursors = open { ["main.tf"] = 'data "d" "d" {}\nlocals {\n' .. table.concat(lines)
      .. "  a13 = data.d.d.value\n  b = merge(local.a1, { x = 1 })\n  c = local.b.|\n}\n" }
    assert.truthy(labels(ask("complete", "main.tf", cursors["main.tf"])).x)
  end)

  it("shows the value and where it came from", function()
    local cursors = open {
      ["main.tf"] = 'variable "n" {\n  default = 2\n}\nlocals {\n  a = [for i in range(var.n) : i * 10]\n  b = local.|a\n}\n',
    }
    local found = ask("hover", "main.tf", cursors["main.tf"])
    assert.truthy(found.text:find("= `[0, 10]`", 1, true), found.text)
    assert.truthy(found.text:find("local, main.tf:5", 1, true), found.text)
  end)

  it("shows descriptions in any notation", function()
    for _, description in ipairs { '"where it \\"runs\\""', '<<-EOT\n    where it "runs"\n  EOT' } do
      local cursors = open {
        ["main.tf"] = 'variable "n" {\n  description = ' .. description .. "\n}\nlocals {\n  a = var.|n\n}\n",
      }
      local found = ask("hover", "main.tf", cursors["main.tf"])
      assert.truthy(found.text:find('where it "runs"', 1, true), found.text)
      small.close()
    end
  end)

  it("hints at a call whose file is outside of the module, with the remedy", function()
    local main = 'locals {\n  a = file("${path.module}/../conf/a.txt")\n  b = file("inside.txt")\n  c = upper(local.a)\n  d = 1\n}\n'
      .. 'output "t" {\n  value = [local.b, local.c, local.d, templatefile("../conf/t.tftpl", { a = 1 })]\n}\n'
    local files = { ["m/main.tf"] = main, ["m/inside.txt"] = "in", ["conf/a.txt"] = "out", ["conf/t.tftpl"] = "<${a}>" }
    local function hints(options)
      open(files, options)
      finish()
      local found, folder = {}, small.dir:match "[^/]+$"
      for _, d in ipairs(ask("diagnostics", "m/main.tf")) do
        found[#found + 1] = small.workspace:text(path "m/main.tf"):sub(d.start + 1, d.stop):match "^%w+" .. " " .. d.severity
        assert.truthy(d.message:find(folder .. "/conf/", 1, true), d.message)
        assert.truthy(d.message:find("-filesystem DIR", 1, true), d.message)
      end
      return table.concat(found, ", ")
    end
    assert.equal("file hint, templatefile hint", hints())
    small.close()
    open(files)
    assert.equal("", hints { module = { filesystem = "/" } })
  end)

  it("reports a missing value if nothing else is missing", function()
    local main = 'variable "region" {\n  type = string\n}\nvariable "key" {\n  type = string\n  sensitive = true\n}\n'
      .. 'locals {\n  name = "shop-${var.region}"\n  deep = upper(local.name)\n  part = { a = var.region, b = 1 }\n'
      .. '  id = "${terraform_data.x.id}"\n  both = "${terraform_data.x.id}${var.region}"\n  hush = "x${var.key}"\n'
      .. '  twice = "${local.name}${local.name}"\n  own = var.region\n}\nresource "terraform_data" "x" {}\n'
      .. 'output "o" {\n  value = local.|name\n}\n'
    local function shown(file)
      local found = {}
      for i, inlay in ipairs(ask("inlays", file)) do found[i] = inlay.text end
      return found
    end
    local no = "= no value given for var.region"
    for _, when in ipairs { "at once", "after work" } do
      local cursors = open { ["main.tf"] = main }
      if when == "after work" then finish() end
      assert.same({ no, no, '= { "a" = (no value given), "b" = 1 }', "= no value given for var.key", no, no, no }, shown "main.tf")
      local said = ask("hover", "main.tf", cursors["main.tf"])
      assert.truthy(said.text:find("= `no value given for var.region`", 1, true))
      local own = ask("hover", "main.tf", at("main.tf", 'region" {')).text
      assert.truthy(own:find("= `no value given`", 1, true), own)
      -- A file that applies by its name.
      support.write(path "terraform.tfvars", 'region = "eu"\n')
      small.workspace:touch(path "terraform.tfvars")
      assert.equal('= "shop-eu"', shown("main.tf")[1])
      small.close()
    end
    -- The values of a called module come from its calls.
    open { ["main.tf"] = 'module "m" {\n  source = "./m"\n  v = 1\n}\n', ["m/main.tf"] = 'variable "v" {}\nlocals {\n  a = [var.v]\n}\n' }
    small.workspace:close(path "main.tf")
    assert.same({ "= [ (known after apply) ]" }, shown "m/main.tf")
  end)

  it("has values in a folder for another version of the language, with a warning", function()
    open { ["main.tf"] = 'terraform {\n  required_version = "~> 1.5.0"\n}\nlocals {\n  a = 1\n  b = local.a + 1\n}\n' }
    finish()
    local found = ask("diagnostics", "main.tf")
    assert.equal("warning", found[1].severity)
    assert.truthy(found[1].message:find("The folder requires Terraform ~> 1.5.0", 1, true), found[1].message)
    assert.same({ "= 2" }, { ask("inlays", "main.tf")[1].text })
  end)

  it("follows an attribute to its argument, within 100 columns", function()
    local word = ("x"):rep(70)
    local cursors = open { ["main.tf"] = ('variable "%s" { type = object({ %s = string, b = map(string) }) }\n'):format(word, word)
      .. "locals {\n"
      .. ('  long = merge(var.%s.b, { %s = "%s" }, { other = [for k in ["a", "b"] : upper(k)] })\n'):format(word, word, ("y "):rep(80))
      .. '  text = "' .. ("word "):rep(50) .. '"\n}\nresource "terraform_data" "a" {\n  input = local.long\n}\n'
      .. 'output "o" { value = terraform_data.a.in|put }\noutput "p" { value = local.text }\n' }
    finish()
    local text = ask("hover", "main.tf", cursors["main.tf"]).text
    assert.truthy(text:find("local.long", 1, true) and text:find("main.tf:7", 1, true), text)
    for _, place in ipairs { cursors["main.tf"], at("main.tf", "local.text") + 8, at("main.tf", "var." .. word) + 6,
                             at("main.tf", "long =") } do
      for line in ask("hover", "main.tf", place).text:gmatch "[^\n]+" do
        assert.is_true(#line:gsub("[\128-\191]", "") <= 100, line)
      end
    end
  end)

  it("shows the first values if there are too many", function()
    local lines = { "locals {" }
    for i = 1, 250 do lines[i + 1] = ("  a%d = abs(%d)"):format(i, i) end
    open { ["main.tf"] = table.concat(lines, "\n") .. "\n}\n" }
    finish()
    local found = ask("inlays", "main.tf")
    assert.truthy(found[1] and not found[250])
    for i, inlay in ipairs(found) do assert.equal("= " .. i, inlay.text) end
  end)

  it("has the values of the variable files in the settings", function()
    local main = 'variable "a" {\n  type = number\n}\nvariable "b" {\n  default = 1\n}\nlocals {\n  s = [var.a, var.b]\n}\n'
    local function shown(file) return ask("inlays", file or "main.tf")[1].text end
    for _, when in ipairs { "at once", "after work" } do
      local files = { ["main.tf"] = main, ["prod.tfvars"] = "a = 2\n", ["env/dev.tfvars"] = "a = 3\nb = 4\n",
        ["terraform.tfvars"] = "b = 9\n", ["other/app/main.tf"] = main, ["other/app/net/main.tf"] = main,
        ["v/e/r/y/far.tfvars"] = "a = 6\n" }
      files["other/app/net.tf"] = 'module "net" {\n  source = "./net"\n  a = 7\n}\n'
      open(files, { vars = "prod.tfvars" })
      local function settle()
        if when == "after work" then finish() end
      end
      settle()
      assert.equal("= [2, 9]", shown())
      small.workspace:set_vars { "prod.tfvars", "env/dev.tfvars" }
      settle()
      assert.equal("= [3, 4]", shown())
      small.workspace:change(path "env/dev.tfvars", "a = 5\n")
      settle()
      assert.equal("= [5, 9]", shown())
      -- A file applies to the module above it; a file elsewhere applies to all modules without callers.
      small.workspace:set_vars { path "prod.tfvars" }
      settle()
      assert.equal("= [2, 9]", shown())
      assert.equal('= [ (no value given), 1 ]', shown "other/app/main.tf")
      small.workspace:set_vars(path "v/e/r/y/far.tfvars")
      settle()
      assert.equal("= [6, 1]", shown "other/app/main.tf")
      assert.equal("= [7, 1]", shown "other/app/net/main.tf")
      small.workspace:set_vars()
      settle()
      assert.equal("= [ (no value given), 9 ]", shown())
      small.close()
    end
  end)

  it("shows no secret", function()
    local cursors = open {
      ["main.tf"] = 'variable "s" {\n  default   = "hunter2"\n  sensitive = true\n}\nlocals {\n  b = "x${var.s}"\n}\n'
        .. 'output "o" { value = local.|b }\n',
    }
    assert.is_nil(ask("hover", "main.tf", cursors["main.tf"]).text:find("hunter2", 1, true))
    for _, inlay in ipairs(ask("inlays", "main.tf")) do assert.is_nil(inlay.text:find("hunter2", 1, true)) end
  end)

  it("shows values after expressions, also in the calling module", function()
    open {
      ["main.tf"] = 'module "net" {\n  source = "./net"\n  bits   = 4 + length("abcd")\n}\n',
      ["net/main.tf"] = 'variable "bits" {}\nlocals {\n  wide = var.bits + 1\n  plain = 3\n}\n',
    }
    finish()
    local inlays = ask("inlays", "net/main.tf")
    assert.equal(1, #inlays)
    assert.equal("= 9", inlays[1].text)
    assert.equal("= 8", ask("inlays", "main.tf")[1].text)
  end)

  it("keeps the last values while a text is broken", function()
    open { ["main.tf"] = 'locals {\n  a = 1 + 1\n}\n', ["b.tf"] = 'locals {\n  b = local.a\n}\n' }
    finish()
    small.workspace:change(path "main.tf", 'locals {\n  a = 1 +\n}\n', 2)
    finish()
    assert.truthy(ask("hover", "b.tf", at("b.tf", "local.a") + 7).text:find("= `2`", 1, true))
    assert.equal(1, #ask("diagnostics", "main.tf"))
    small.workspace:change(path "main.tf", 'locals {\n  a = 1 + 2\n}\n', 3)
    finish()
    assert.truthy(ask("hover", "b.tf", at("b.tf", "local.a") + 7).text:find("= `3`", 1, true))
  end)

  it("includes a file that a client changes before opening it", function()
    open { ["main.tf"] = "locals {\n  a = local.b\n}\n" }
    finish()
    small.workspace:change(path "b.tf", "locals {\n  b = 1\n}\n", 1)
    finish()
    assert.equal(1, #ask("references", "b.tf", at("b.tf", "b")))
  end)

  it("looks at each declaration once to find references, however many expressions name it", function()
    local lines, all = {}, {}
    for i = 1, 30 do all[i] = "local.a" .. i end
    for i = 1, 30 do lines[i] = ("  a%d = [%s]\n"):format(i, i == 1 and "1" or table.concat(all, ", ", 1, i - 1)) end
    open { ["main.tf"] = "locals {\n" .. table.concat(lines) .. "}\n" }
    finish()
    local infer = require "hclexpr.editor.infer"
    local once, made = infer.once, 0
    infer.once = function(folder, declaration, make)
      return once(folder, declaration, function()
        made = made + 1
        return make()
      end)
    end
    local found = ask("references", "main.tf", at("main.tf", "a1 ="))
    infer.once = once
    assert.equal(29, #found)
    assert.is_true(made < 100, made)
  end)

  it("tags what is deprecated, and what nothing uses, and nothing else", function()
    open { ["m/main.tf"] = 'variable "old" {\n  default    = 1\n  deprecated = "use new"\n}\noutput "o" {\n  value = var.old\n}\n',
      ["main.tf"] = 'module "m" {\n  source = "./m"\n  old    = 2\n}\nlocals {\n  spare = module.m.nope\n}\n' }
    finish()
    local told = {}
    for i, d in ipairs(ask("diagnostics", "main.tf")) do
      told[i] = ("%s %s"):format(d.code, type(d.tags) == "table" and table.concat(d.tags, " ") or tostring(d.tags))
    end
    table.sort(told)
    assert.same({ "module.deprecated deprecated", "reference.attribute nil", "unused unnecessary" }, told)
  end)

  it("finds each use of an output once, in order, where a folder calls its module more than once", function()
    open { ["z.tf"] = "locals {\n  c = module.b.o\n}\n", ["m/main.tf"] = 'output "o" {\n  value = 1\n}\n',
      ["main.tf"] = 'module "a" {\n  source = "./m"\n}\nmodule "b" {\n  source = "./m"\n}\nlocals {\n  d = [module.b.o, module.a.o]\n}\n' }
    finish()
    local found = {}
    for i, use in ipairs(ask("references", "m/main.tf", at("m/main.tf", '"o"') + 1)) do
      found[i] = use.path:match "[^/]*$" .. ":" .. use.start
    end
    local b, a = at("main.tf", "module.b.o"), at("main.tf", "module.a.o")
    assert.same({ "main.tf:" .. b, "main.tf:" .. a, "z.tf:" .. at("z.tf", "module.b.o") }, found)
  end)

  it("uses a file of OpenTofu instead of Terraform's file of the same name", function()
    local cursors = open {
      ["main.tofu"] = 'locals {\n  a = { tofu = 1 }\n}\n', ["main.tf"] = "locals {\n  a = { terraform = 1 }\n}\n",
      ["more.tf"] = "output \"o\" {\n  value = local.a.|\n}\n",
    }
    assert.same({ "tofu" }, { ask("complete", "more.tf", cursors["more.tf"])[1].label })
  end)

  it("offers OpenTofu's features only in its files", function()
    for name, wanted in pairs { ["a.tofu"] = true, ["b.tf"] = false } do
      local cursors = open { [name] = 'resource "terraform_data" "r" {\n  lifecycle {\n    en|\n  }\n}\n' }
      local found = labels(ask("complete", name, cursors[name]))
      assert.equal(wanted, found.enabled ~= nil, name)
    end
  end)

  it("reports syntax errors at once, and the folder's errors after work", function()
    open { ["main.tf"] = 'locals {\n  a = var.missing\n  b = [1,\n}\n' }
    assert.equal(1, #ask("diagnostics", "main.tf", true))
    small.workspace:change(path "main.tf", 'locals {\n  a = var.missing\n}\noutput "o" { value = local.a }\n')
    assert.equal(0, #ask("diagnostics", "main.tf", true))
    finish()
    local found = ask("diagnostics", "main.tf")
    assert.equal(1, #found)
    assert.equal(at("main.tf", "var.missing"), found[1].start)
  end)

  it("checks variable files against the variables", function()
    open { ["main.tf"] = 'variable "n" {\n  type = number\n}\noutput "o" { value = var.n }\n', ["terraform.tfvars"] = 'n = "x"\nm = 1\n' }
    finish()
    local found = ask("diagnostics", "terraform.tfvars")
    assert.equal(2, #found)
    assert.equal("error", found[1].severity)
    assert.same({ at("terraform.tfvars", "m ="), "undeclared" }, { found[2].start, found[2].code })
    assert.same({}, ask("diagnostics", "main.tf"))
  end)

  it("forgets a deleted file, and knows a new one", function()
    open { ["main.tf"] = 'output "o" {\n  value = local.a + 1\n}\n', ["other.txt"] = "" }
    local function state()
      finish()
      local problem = ask("diagnostics", "main.tf")[1]
      local inlay = ask("inlays", "main.tf")[1]
      return problem and problem.severity, inlay and inlay.text
    end
    assert.same({ "error" }, { state() })
    support.write(path "x.tf", "locals {\n  a = 1\n}\n")
    small.workspace:touch(path "x.tf")
    assert.same({ nil, "= 2" }, { state() })
    os.remove(path "x.tf")
    small.workspace:touch(path "x.tf")
    assert.same({ "error" }, { state() })
    -- A new file may be broken: its sound parts count.
    support.write(path "y.tf", "locals {\n  a = 1\n}\nlocals {\n  b = [\n")
    small.workspace:touch(path "y.tf")
    assert.same({ nil, "= 2" }, { state() })
  end)

  it("works in slices, and stops work that an edit has made obsolete", function()
    local lines = {}
    for i = 1, 300 do lines[i] = ("  l%d = [for i in range(50) : i + %d]"):format(i, i) end
    open { ["main.tf"] = "locals {\n" .. table.concat(lines, "\n") .. "\n}\n" }
    small.workspace:work(0)
    assert.is_true(small.workspace:pending())
    small.workspace:change(path "main.tf", 'locals {\n  a = 1 + 1\n}\noutput "o" { value = local.a }\n')
    finish()
    assert.same({}, ask("diagnostics", "main.tf"))
    assert.truthy(ask("hover", "main.tf", at("main.tf", "local.a") + 7).text:find("= `2`", 1, true))
  end)

  it("reads and evaluates a module in slices", function()
    local lines = {}
    for i = 1, 50 do lines[i] = ('variable "v%d" {}\noutput "o%d" {\n  value = var.v%d\n}'):format(i, i, i) end
    open { ["main.tf"] = table.concat(lines, "\n") .. "\n" }
    local turns, sound = 0, nil
    local thread = coroutine.create(function()
      local module = hcl.assert(hcl.module(small.dir, { breathe = coroutine.yield }))
      sound = module:validate()
    end)
    while coroutine.status(thread) ~= "dead" do
      assert(coroutine.resume(thread))
      turns = turns + 1
    end
    assert.is_true(sound)
    assert.is_true(turns > 20)
  end)

  it("plans instances in slices, and checks their keys", function()
    local keys = 'toset(flatten([for i in range(40) : [for j in range(50) : "${i}-${j}"]]))'
    for _, argument in ipairs { "count = 2000", "for_each = " .. keys } do
      open { ["main.tf"] = 'resource "terraform_data" "x" {\n' .. argument .. "\n}\n" }
      local turns = 0
      local module = hcl.assert(hcl.module(small.dir, { breathe = function() turns = turns + 1 end }))
      hcl.assert(module:plan())
      assert.is_true(turns > 2000 / 4, argument .. ": " .. turns)
    end
  end)

  it("doesn't call a declaration unused that is used by name or as a whole", function()
    open { ["main.tf"] = 'variable "a" {}\nvariable "b" {}\nlocals {\n  c = var.a\n}\ndata "x" "y" {}\noutput "o" { value = local.c }\n' }
    finish()
    local found = {}
    for _, problem in ipairs(ask("diagnostics", "main.tf")) do
      if problem.code == "unused" then found[#found + 1] = problem.message:match "^The %w+ %w+" end
    end
    assert.same({ "The variable b", "The data y" }, found)
  end)
end)

describe("a workspace of many open files", function()
  -- How many instructions of Lua it takes to close the files, in thousands.
  local function cost(files)
    local workspace, counted = service.new { list = function() return {} end, read = function() end }, 0
    for i = 1, files do workspace:open(("%d/main.tf"):format(i % 10), "locals {}\n") workspace:open(i .. ".tf", "locals {}\n") end
    debug.sethook(function() counted = counted + 1 end, "", 1000)
    for i = 1, files do workspace:close(i .. ".tf") end
    debug.sethook()
    return counted
  end

  it("closes each without looking at all", function()
    if not jit then assert.is_true(cost(800) < 6 * cost(200) + 10) end -- hooks don't count compiled code
  end)

  it("knows a folder until its last file is closed", function()
    local workspace = service.new { list = function() return {} end, read = function() end }
    workspace:open("a/x.tf", "locals {\n  one = 1\n}\n")
    workspace:change("a/y.tf", "locals {\n  two = 2\n}\n")
    workspace:open("a/x.tf", "locals {\n  three = 3\n}\n")
    local function found() return #workspace:workspace_symbols "" end
    assert.equal(2, found())
    workspace:close "a/x.tf"
    assert.equal(1, found())
    workspace:close "a/x.tf"
    assert.equal(1, found())
    workspace:close "a/y.tf"
    assert.equal(0, found())
  end)
end)

describe("doc/editors.md", function()
  it("shows what happens", function()
    local guide = support.read(support.root .. "doc/editors.md")
    local code = guide:match "## From Lua.-```lua\n(.-)\n```"
    local printed, wanted = {}, {}
    for said in code:gmatch "%-%-> ([^\n]*)" do wanted[#wanted + 1] = said end
    local env = setmetatable({ print = function(...) printed[#printed + 1] = tostring((...)) end }, { __index = _G })
    local run
    if setfenv then run = setfenv(assert(loadstring(code)), env) else run = assert(load(code, "guide", "t", env)) end
    run()
    assert.is_true(#wanted > 1)
    assert.same(wanted, printed)
  end)

  it("answers at once if a value takes long, and has it after work in slices", function()
    local cursor = open { ["main.tf"] = 'resource "terraform_data" "x" {\n  count = 4000\n  in|put = count.index\n}\n' }
    -- A millisecond passes between two reads of the clock.
    local clock, now = os.clock, 0
    rawset(os, "clock", function()
      now = now + 0.001
      return now
    end)
    finally(function() rawset(os, "clock", clock) end)
    local workspace, main = small.workspace, path "main.tf"
    assert.is_nil(workspace:hover(main, cursor["main.tf"]).text:find("`0`", 1, true))
    assert.same({}, workspace:inlays(main))
    local soon = now
    local slices = 0
    while workspace:pending() do
      workspace:work(0.002)
      slices = slices + 1
    end
    -- It took far longer than the answer, and was no single piece of work.
    assert.is_true(now > 4 * soon)
    assert.is_true(slices > 50)
    assert.truthy(ask("hover", "main.tf", cursor["main.tf"]).text:find("`0`", 1, true))
    assert.equal("= 0", ask("inlays", "main.tf")[1].text)
  end)

  it("drops slow work when another key is typed", function()
    open { ["main.tf"] = 'resource "terraform_data" "x" {\n  count = 8000\n  input = count.index\n}\n' }
    for _ = 1, 5 do small.workspace:work(0.002) end
    local text = "locals {\n  a = 1\n  b = local.a + 1\n}\n"
    small.workspace:change(path "main.tf", text, 2)
    finish()
    assert.equal("= 2", ask("inlays", "main.tf")[1].text)
  end)
end)
