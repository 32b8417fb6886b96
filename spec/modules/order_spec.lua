-- The order in which Lua iterates over a table differs between processes: no answer depends on it.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local program = support.program

local sources = {
  ["a.tf"] = [[
    resource "terraform_data" "u" {
      triggers_replace = [terraform.applying]
      input            = terraform.applying
    }
    resource "acme_thing" "t" {
      b = terraform.applying
      a = terraform.applying
      c {
        x = terraform.applying
      }
      d {
        x = terraform.applying
      }
    }]],
  ["b/b.tf"] = [[
    module "m" {
      source    = "./m"
      providers = { net = net.a, web = web.a }
    }
    module "k" {
      source    = "./m"
      providers = { net = net.b }
    }
    provider "net" {
      alias = "a"
    }]],
  ["c/c.tf"] = 'module "m" { source = "./m" }\n',
  ["d/d.tf"] = [[
    resource "terraform_data" "d" { for_each = toset(["a"]) }
    import {
      for_each = toset(["k", "l", "m", "n"])
      to       = terraform_data.d[each.key]
      id       = "x"
    }]],
  ["c/m/m.tf"] = 'variable "x" {}\nvariable "y" {}\nvariable "a" {}\nvariable "b" {}\n',
  ["b/m/m.tf"] = 'resource "net_host" "h" {}\nresource "web_host" "h" {}\n',
}

local script = [[
  dofile(%q)(7)
  local hcl = require "hclexpr"
  local texts = {}
  for i = 1, 12 do
    local said = {}
    for _, dir in ipairs { "/", "/b", "/c", "/d" } do
      local m, err, readable = hcl.module(%q .. dir)
      local _, more = (m or readable):validate()
      local _, last = (m or readable):plan()
      said[#said + 1] = tostring(err) .. tostring(more) .. tostring(last)
    end
    texts[i] = table.concat(said, "\n")
    if texts[i] ~= texts[1] then print(texts[1], "\n--- and then\n", texts[i]) break end
  end
  print(#texts[1] > 1000, #texts)]]

describe("what is wrong with a folder", function()
  it("is reported in one order, however Lua keeps tables", function()
    local dir = support.folder(sources)
    support.write(dir .. "/ask.lua", script:format(support.root .. "fuzz/shuffled.lua", dir))
    local said = support.output(("%s '%s/ask.lua' 2>&1"):format(program, dir))
    support.remove(dir)
    assert.equal("true\t12", (said:gsub("%s*$", "")))
  end)
end)

-- Most trees of modules are ordered folder by folder (graph/sequence.lua), the others node by node (order.lua).
describe("both orders of a module", function()
  local Graph = require "hclexpr.terraform.graph.graph"
  local by_folder = Graph.sequences

  teardown(function() Graph.sequences = by_folder end)

  -- The answers of a module about a folder, in one text.
  local function said(dir)
    local lines, m, err, readable = {}, hcl.module(dir, { missing = "unknown" })
    m = m or readable
    lines[1] = tostring(err)
    lines[2] = tostring(select(2, m:validate()))
    local plan, wrong, partial = m:plan()
    plan, lines[3] = plan or partial, tostring(wrong)
    for _, r in ipairs(plan and plan.changes or {}) do
      lines[#lines + 1] = ("%s %s %s"):format(r.action, r.address, tostring(r.value))
    end
    for _, list in ipairs { plan and plan.outputs or {}, plan and plan.checks or {} } do
      local names = {}
      for name, value in pairs(list) do names[#names + 1] = name .. " = " .. tostring(type(value) == "table" and value.status or value) end
      table.sort(names)
      lines[#lines + 1] = table.concat(names, "\n")
    end
    return table.concat(lines, "\n")
  end

  it("give the same answers", function()
    local folders, n, sequences = support.lines("ls -d spec/modules/cases/*/*/module"), 0, 0
    for i = 1, #folders, support.sample(3, 1) do
      local dir = folders[i]
      function Graph:sequences()
        local found = by_folder(self)
        n, sequences = n + 1, sequences + (found and 1 or 0)
        return found
      end
      local one = said(dir)
      function Graph.sequences() return false end
      assert.equal(said(dir), one, dir)
    end
    -- The comparison compares something: most folders are ordered by folders, some are not.
    assert.is_true(sequences > n / 2 and sequences < n, sequences .. " of " .. n)
  end)

  -- Terraform skips everything that uses a failed provider configuration.
  it("configure a provider before the modules that use it", function()
    local dir = support.folder {
      ["main.tf"] = 'module "a" {\n  source = "./m"\n}\nmodule "b" {\n  source = "./m"\n  providers = { acme = acme.x }\n}\n'
        .. 'provider "acme" {\n  region = upper(["a"])\n}\nprovider "acme" {\n  alias  = "x"\n  region = upper(["x"])\n}\n',
      ["m/main.tf"] = 'terraform {\n  required_providers {\n    acme = { source = "hashicorp/acme" }\n  }\n}\n'
        .. 'module "in" {\n  source = "./in"\n}\n',
      ["m/in/main.tf"] = 'resource "acme_thing" "t" {\n  name = upper([])\n}\n',
    }
    for _, sequences in ipairs { by_folder, function() return false end } do
      Graph.sequences = sequences
      local _, err = hcl.assert(hcl.module(dir)):plan()
      local lines = {}
      for i, d in ipairs(err) do lines[i] = d.range.filename:match "[^/]+$" .. ":" .. d.range.start.line end
      assert.equal("main.tf:9 main.tf:13", table.concat(lines, " "))
    end
    support.remove(dir)
  end)

  it("let modules feed each other by single outputs", function()
    local dir = support.folder {
      ["main.tf"] = 'module "a" {\n  source = "./m"\n  y      = module.b.x\n}\nmodule "b" {\n  source = "./m"\n  y      = module.a.one\n}\n'
        .. 'output "o" {\n  value = [module.a.x, module.b.x, module.c.z]\n}\nmodule "c" {\n  source = "./n"\n  y      = module.c.one\n}\n',
      ["m/main.tf"] = 'variable "y" {}\noutput "one" {\n  value = 1\n}\noutput "x" {\n  value = var.y + 1\n}\n',
      ["n/main.tf"] = 'variable "y" {}\noutput "one" {\n  value = 1\n}\noutput "z" {\n  value = var.y + 1\n}\n',
    }
    Graph.sequences = by_folder
    local plan = hcl.assert(hcl.assert(hcl.module(dir)):plan())
    support.remove(dir)
    assert.same({ 3, 2, 2 }, plan.outputs.o:lua())
  end)
end)
