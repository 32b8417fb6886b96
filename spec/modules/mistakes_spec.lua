-- Single mistakes in the declarations of folders and their test files, in native syntax, JSON and overrides. mistakes.jsonl has small
-- folders, and the places of errors and warnings from Terraform 1.17-dev: from `terraform validate -json`, without reports that only ask
-- for `terraform init`; from `terraform plan -json` for `planned`; or from init, without columns. If Terraform also reports a misspelt
-- or wrongly labelled item as missing, that is in `again`. Some folders have many mistakes of a kind: steps into resources, schemas, rules.
local hcl = require "hclexpr"
local json = require "hclexpr.lsp.json"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local here = support.here()

-- The place as Terraform gave it: without the end, or columns, if it gave none.
local function shortened(found, wanted)
  local start = wanted:match ":$" and "^%l+ %S+ %d+:" or wanted:match " %d+:%d+$" and "^%l+ %S+ %d+:%d+"
  return start and found:match(start) or found
end

-- Do the bytes of a place in ASCII text match its line and column?
local function has_its_byte(text, place)
  local start = 0
  for _ = 2, place.line do start = text:find("\n", start + 1, true) or -1 end
  return place.byte == start + place.column - 1
end

-- A provider's schemas by the name of their file.
local function schemas(name) return (assert(json.decode(support.read(here .. "schemas/" .. name .. ".json")))) end

describe("a mistake in a folder", function()
  local root, cases = nil, {}

  setup(function()
    local dirs = {}
    root = support.temporary_folder()
    for line in io.lines(here .. "mistakes.jsonl") do
      local case = assert(json.decode(line))
      cases[#cases + 1], dirs[#dirs + 1] = case, ("'%s/%d'"):format(root, #cases + 1)
    end
    assert(support.runs("mkdir " .. table.concat(dirs, " ")))
  end)

  it("is reported at its place", function()
    local differences = {}
    for i, case in ipairs(cases) do
      local dir, found = ("%s/%d"):format(root, i), {}
      for name, text in pairs(case.files) do
        local within = name:match "^(.*)/"
        if within then assert(support.runs(("mkdir -p '%s/%s'"):format(dir, within))) end
        support.write(dir .. "/" .. name, text)
      end
      local module, err = hcl.module(dir, { schemas = case.schemas and schemas(case.schemas) })
      if module then
        local good, why = module[case.planned and "plan" or "validate"](module)
        err = why or case.planned and good.warnings
      end
      for k, d in ipairs(err or {}) do
        local at = d.summary ~= "Provider not configured" and d.range or nil -- the reference reports that without a place
        local place = at and ("%s %d:%d-%d:%d"):format(at.filename:sub(#dir + 2), at.start.line, at.start.column, at.stop.line,
          at.stop.column)
        found[k] = d.severity .. " " .. (place or "-")
        local text = at and case.files[at.filename:sub(#dir + 2)]
        if text and not text:find "[\128-\255]" then
          assert.is_true(has_its_byte(text, at.start) and has_its_byte(text, at.stop), case.name .. " " .. place)
        end
        assert.is_true(#d.summary > 0 and not (d.summary .. d.detail):find("%%[sdq]"), case.name)
      end
      table.sort(found)
      for k, place in ipairs(case.wrong) do found[k] = shortened(found[k] or "", place) end
      local got, wanted = table.concat(found, ", "), table.concat(case.wrong, ", ")
      if got ~= wanted then differences[#differences + 1] = ("%s: %s, not %s"):format(case.name, got, wanted) end
    end
    assert.equal("", table.concat(differences, "\n"))
    assert.is_true(#cases > 600)
  end)
end)

describe("what a resource's schema requires", function()
  local rule = { nesting_mode = "list", min_items = 1, block = { attributes = { port = { type = "number", required = true } } } }
  local one = { nesting_mode = "single", min_items = 1, block = { attributes = {} } }
  local given = { provider_schemas = { ["registry.example.com/hashicorp/acme"] = { resource_schemas = { acme_thing = { block = {
    attributes = { name = { type = "string", required = true } }, block_types = { rule = rule, one = one },
  } } } } } }

  it("isn't missing if it is misspelt or otherwise wrong", function()
    local RULE, ONE, NAME = "  rule {\n    port = 1\n  }\n", "  one {}\n", '  name = "x"\n'
    for _, case in ipairs {
      { '  nmae = "x"\n' .. RULE .. ONE, "body.argument 2:3" }, { "  nam {\n  }\n" .. NAME .. RULE .. ONE, "body.block 2:3" },
      { "  rle {\n    port = 1\n  }\n" .. NAME .. ONE, "body.block 2:3" },
      { '  rule "x" {\n    port = 1\n  }\n' .. NAME .. ONE, "body.label 2:8" },
      { "  rule = []\n" .. NAME .. ONE, "body.argument 2:3" }, { "  rule {\n    prt = 1\n  }\n" .. NAME .. ONE, "body.argument 3:5" },
      { NAME .. RULE .. "  on {}\n", "body.block 6:3" }, { NAME .. RULE .. '  one "x" {}\n', "body.label 6:7" },
      { NAME .. ONE, "module.argument 1:27" }, { "  zzz {}\n" .. NAME .. ONE, "body.block 2:3 module.argument 1:27" },
    } do
      local dir, found = support.folder { ["main.tf"] = 'resource "acme_thing" "a" {\n' .. case[1] .. "}\n" }, {}
      local _, err = hcl.assert(hcl.module(dir, { schemas = given })):validate()
      support.remove(dir)
      for i, d in ipairs(err) do found[i] = ("%s %d:%d"):format(d.code, d.range.start.line, d.range.start.column) end
      assert.equal(case[2], table.concat(found, " "), case[1])
    end
  end)

  it("is counted with the number's form of the word", function()
    local text = 'resource "acme_thing" "a" {\n  name = "x"\n}\n'
    for least, wanted in pairs { "at least 1 block rule. Add one.", "at least 2 blocks rule. Add more." } do
      local block = { attributes = { name = { type = "string", required = true } }, block_types = {
        rule = { nesting_mode = "list", min_items = least, block = { attributes = {} } } } }
      local with = { provider_schemas = { ["registry.example.com/hashicorp/acme"] = {
        resource_schemas = { acme_thing = { block = block } } } } }
      local dir = support.folder { ["main.tf"] = text }
      local _, err = hcl.assert(hcl.module(dir, { schemas = with })):validate()
      support.remove(dir)
      assert.matches(wanted, tostring(err), 1, true)
    end
  end)
end)

describe("a step that a resource's schema lacks", function()
  local inner = { attributes = { port = { type = "number", optional = true } } }
  local given = { provider_schemas = { ["registry.example.com/hashicorp/acme"] = { resource_schemas = { acme_thing = { block = {
    attributes = {
      l = { type = { "list", "string" }, optional = true }, t = { type = { "tuple", { "string" } }, optional = true },
      s = { type = { "set", "string" }, optional = true }, o = { type = { "object", { a = "string" } }, optional = true },
      m = { type = { "map", "string" }, optional = true }, name = { type = "string", optional = true },
    },
    block_types = { many = { nesting_mode = "list", block = inner }, few = { nesting_mode = "set", block = inner },
                    one = { nesting_mode = "single", block = inner }, named = { nesting_mode = "map", block = inner } },
  } } } } } }

  it("is reported, with what to do instead", function()
    local outputs, wanted = { 'resource "acme_thing" "a" {}\n' }, {}
    for step, words in pairs {
      nmae = 'Did you mean "name"?', zzz = 'no attribute "zzz".', ["name.x"] = "a string", ["l.x"] = "by an index",
      ['l["x"]'] = '"x" is not a number',
      ["l[0].x"] = "a string", ["t[1]"] = "key 1", ["t[0].x"] = "a string", ["s[0]"] = "with for",
      ["o.b"] = 'no attribute "b"', ["m.a.b"] = "a string",
      ["many.port"] = "many[0].port", ["many[0].prot"] = 'Did you mean "port"?', ["few[0]"] = "with for",
      ["one.prot"] = 'Did you mean "port"?',
      ['one["port"]'] = ": .port", ["one[0]"] = ": .NAME", ["named.x.prot"] = 'Did you mean "port"?',
    } do
      outputs[#outputs + 1] = ('output "o%d" {\n  value = acme_thing.a.%s\n}\n'):format(#outputs, step)
      wanted[#wanted + 1] = words
    end
    for i, right in ipairs { "l[0]", "t[0]", "o.a", "m.any", "s", "many[0].port", "one.port", "named.x.port", "few", "many", "named" } do
      outputs[#outputs + 1] = ('output "r%d" {\n  value = acme_thing.a.%s\n}\n'):format(i, right)
    end
    local dir = support.folder { ["main.tf"] = table.concat(outputs) }
    local _, err = hcl.assert(hcl.module(dir, { schemas = given })):validate()
    support.remove(dir)
    assert.equal(#wanted, #err)
    for i, words in ipairs(wanted) do
      assert.equal("module.attribute", err[i].code)
      assert.is_truthy(err[i].detail:find(words, 1, true), words .. " in " .. err[i].detail)
    end
  end)
end)

describe("a name that nothing has", function()
  it("is reported, with a similar one", function()
    local declared, outputs, wanted = {}, {}, {}
    for _, name in ipairs { "alpha", "beta", "gamma" } do
      declared[#declared + 1] = ('variable "v_%s" { default = 1 }\nlocals {\n  l_%s = 1\n}\nmodule "m_%s" {\n  source = "./m"\n}\n'
        .. 'data "terraform_remote_state" "d_%s" {\n  backend = "local"\n}\n'):gsub("%%s", name)
    end
    for wrong, words in pairs {
      ["var.v_alhpa"] = 'Did you mean "v_alpha"?', ["var.v_bta"] = 'Did you mean "v_beta"?', ["var.zzz"] = 'variable "zzz" {} declares it',
      ["local.l_gama"] = 'Did you mean "l_gamma"?', ["local.l_aplha"] = 'Did you mean "l_alpha"?', ["local.zzz"] = "in the root module.",
      ["module.m_beat"] = 'Did you mean "m_beta"?', ["module.m_gmma.x"] = 'Did you mean "m_gamma"?', ["module.zzz"] = "in the root module.",
      ["path.moduel"] = 'Did you mean "module"?', ["path.rot"] = 'Did you mean "root"?', ["path.zzz"] = '"zzz".',
      ["terraform_remote_state.d_beta.outputs"] = "Did you mean data.terraform_remote_state.d_beta?",
      ["module.m_beta.fisrt"] = 'Did you mean "first"?', ["module.m_beta.secnd"] = 'Did you mean "second"?',
    } do
      outputs[#outputs + 1] = ('output "o%d" {\n  value = %s\n}\n'):format(#outputs, wrong)
      wanted[#wanted + 1] = words
    end
    local dir = support.folder { ["main.tf"] = table.concat(outputs) .. table.concat(declared),
                                 ["m/main.tf"] = 'output "first" { value = 1 }\noutput "second" { value = 1 }\n' }
    local _, err = hcl.assert(hcl.module(dir)):validate()
    support.remove(dir)
    local found = {}
    for i, d in ipairs(err) do found[i] = d.detail end
    for i, words in ipairs(wanted) do assert.is_truthy((found[i] or ""):find(words, 1, true), words .. " in " .. tostring(found[i])) end
    assert.equal(#wanted, #found)
  end)
end)

describe("a dynamic block beside one whose for_each names what isn't declared", function()
  local inner = { attributes = { create = { type = "string", optional = true } } }
  local block = { attributes = {}, block_types = { timeouts = { nesting_mode = "single", block = inner },
                                                  keyed = { nesting_mode = "map", block = inner } } }
  local given = { provider_schemas = { ["registry.example.com/hashicorp/acme"] = {
    resource_schemas = { acme_thing = { block = block } } } } }

  -- The places of mistakes after a block without elements.
  local function places(blocks)
    local dir, found = support.folder { ["main.tf"] = 'resource "acme_thing" "a" {\n  dynamic "timeouts" {\n'
      .. "    for_each = try(terraform_data.nope.x, [])\n    content {}\n  }\n" .. blocks .. "}\n" }, {}
    local _, err = hcl.assert(hcl.module(dir, { schemas = given })):validate()
    support.remove(dir)
    for i, d in ipairs(err) do found[i] = ("%d:%d"):format(d.range.start.line, d.range.start.column) end
    return table.concat(found, " ")
  end

  -- Recorded from Terraform 1.11.4 with the blocks "timeouts" of a resource.
  it("has its own mistakes reported", function()
    assert.equal("3:20 9:16", places '  dynamic "timeouts" {\n    for_each = ["a"]\n    content {\n      create = var.nope\n    }\n  }\n')
  end)

  -- Expected: by Terraform's documentation the labels are evaluated for each generated block.
  it("has the labels of any number of elements evaluated", function()
    for list, wanted in pairs { ["[]"] = "3:20", ['["a"]'] = "3:20 8:26", ['["a", "b"]'] = "3:20 8:26" } do
      local text = '  dynamic "keyed" {\n    for_each = ' .. list .. "\n    labels   = [upper(1, 2)]\n    content {}\n  }\n"
      assert.equal(wanted, places(text), list)
    end
  end)
end)
