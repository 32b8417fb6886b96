-- The graph of a module: which declarations need which, in order and as a drawing.
local hcl = require "hclexpr"
local making = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "making.lua")
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local module = making.opened

describe("a module", function()
  describe("as a graph", function()
    local files = {
      ["main.tf"] = [[
        variable "a" { default = 1 }
        locals {
          b = var.a
          c = "${local.b} ${var.a}"
        }
        resource "terraform_data" "first" { input = local.c }
        module "m" {
          source = "./m"
          n      = terraform_data.first.output
        }
        resource "terraform_data" "last" { input = module.m.out }
        output "o" { value = terraform_data.last.id }
      ]],
      ["m/main.tf"] = [[
        variable "n" {}
        resource "terraform_data" "mid" { input = var.n }
        output "out" { value = terraform_data.mid.id }
      ]],
    }

    it("raises errors for unknown kinds and formats", function()
      local m = module(files)
      for says, options in pairs {
        ["unknown kind \"resorce\": use variable, local, output, module, resource, action or check; did you mean resource?"] =
          { kinds = { "variable", "resorce" } },
        ["unknown kind \"number\""] = { kinds = { 5 } }, ["'kinds' must be a table"] = { kinds = "resource" },
        ['must be "dot" or "mermaid"'] = { format = "svg" }, ["unknown option 'formt'; did you mean 'format'?"] = { formt = "dot" },
      } do
        local ok, why = pcall(m.graph, m, options)
        assert.is_false(ok)
        assert.truthy(why:find(says, 1, true), why)
      end
    end)

    local function edges_of(graph)
      local list = {}
      for _, edge in ipairs(graph.edges) do list[#list + 1] = edge.from .. ">" .. edge.to end
      table.sort(list)
      return table.concat(list, " ")
    end

    it("keeps paths through omitted nodes, and no redundant edge", function()
      local m = module(files)
      assert.are.equal("module.m.terraform_data.mid>terraform_data.first terraform_data.last>module.m.terraform_data.mid",
        edges_of(m:graph { kinds = { "resource" } }))
      assert.are.equal("local.b>var.a local.c>local.b", edges_of(m:graph { kinds = { "variable", "local" } })
        :gsub("module%.m%.var%.n>%S+ ?", ""):gsub(" $", ""))
      -- Also through a cycle.
      m = module { ["main.tf"] = 'resource "x_y" "b" {}\nresource "x_y" "c" {}\nresource "x_y" "a" {\n  i = local.x\n}\n'
        .. "locals {\n  x = [local.y, x_y.c]\n  y = [local.z]\n  z = [local.x, x_y.b]\n}\n" }
      assert.are.equal("x_y.a>x_y.b x_y.a>x_y.c", edges_of(m:graph { kinds = { "resource" } }))
    end)

    it("is drawn", function()
      local m = module(files)
      local dot = m:graph { format = "dot", kinds = { "resource" } }
      assert.truthy(dot:find('"terraform_data.last" -> "module.m.terraform_data.mid";', 1, true))
      assert.truthy(dot:find('label = "module.m";', 1, true))
      local mermaid = m:graph { format = "mermaid", kinds = { "resource" } }
      assert.truthy(mermaid:find("flowchart", 1, true))
      assert.truthy(mermaid:find('["terraform_data.first"]', 1, true))
    end)

    it("is drawn completely: a box for each module, with nested indentation", function()
      local m = module(files)
      local graph = m:graph()
      local want = {}
      for _, edge in ipairs(graph.edges) do want[#want + 1] = edge.from .. ">" .. edge.to end
      table.sort(want)
      for format, way in pairs {
        dot = { opens = "{$", closes = "^}", node = '^"(%S+)" %[label = "(%S+)", shape = %l+%];$', box = '^label = "(%S+)";$',
                edge = '^"(%S+)" %-> "(%S+)";$' },
        mermaid = { opens = "^subgraph", closes = "^end$", node = '^(n%d+)%["(%S+)"%]$', box = '^subgraph m%d+%["(%S+)"%]$',
                    edge = "^(n%d+) %-%-> (n%d+)$" },
      } do
        local depth, box, addresses, nodes, edges = format == "mermaid" and 1 or 0, nil, {}, {}, {}
        for margin, line in m:graph({ format = format }):gmatch "( *)([^\n]+)" do
          if line:find(way.closes) then depth, box = depth - 1, nil end
          assert.equal(line:find "^flowchart" and 0 or 2 * depth, #margin, line)
          if line:find(way.opens) then depth = depth + 1 end
          box = line:match(way.box) or box
          local id, label = line:match(way.node)
          if id then
            addresses[id] = (box and box .. "." or "") .. label
            nodes[#nodes + 1] = addresses[id]
          end
          local from, to = line:match(way.edge)
          if from then edges[#edges + 1] = addresses[from] .. ">" .. addresses[to] end
        end
        table.sort(nodes)
        table.sort(edges)
        assert.same({ support.distinct(nodes), want }, { nodes, edges })
        assert.equal(#graph.nodes, #nodes)
        if format == "dot" then
          for id, address in pairs(addresses) do assert.equal(id, address) end
        end
      end
    end)

    it("reports errors, and draws them in colour with the paths to them", function()
      local m = module [[
        locals {
          wrong = upper("a", 2)
          user  = local.wrong
          fine  = 1
          one   = local.two
          two   = local.one
        }
        output "o" { value = [local.user, local.fine] }
      ]]
      assert.same({ ["local.one"] = "cycle", ["local.two"] = "cycle" }, m:graph().wrong)
      m:validate()
      local graph = m:graph()
      assert.same({ ["local.one"] = "cycle", ["local.two"] = "cycle", ["local.wrong"] = "failed", ["local.user"] = "skipped",
        ["output.o"] = "skipped" }, graph.wrong)
      local dot, mermaid = m:graph { format = "dot" }, m:graph { format = "mermaid" }
      for _, line in ipairs { '"local.one" -> "local.two" [color', '"local.user" -> "local.wrong" [color',
        '"output.o" -> "local.user" [color', '"local.wrong" [label = "local.wrong", shape = plaintext, color',
        '"output.o" -> "local.fine";',
        '"local.fine" [label = "local.fine", shape = plaintext];' } do
        assert.truthy(dot:find(line, 1, true), line .. "\n" .. dot)
      end
      local _, nodes = mermaid:gsub("\n  style ", "")
      local _, edges = mermaid:gsub("\n  linkStyle ", "")
      assert.same({ 5, 4 }, { nodes, edges })
    end)

    it("has no errors in a correct folder, and those of each kind otherwise", function()
      local source = [[
        variable "v" {
          default = 1
          validation {
            condition     = var.v < 2
            error_message = "It is one or less."
          }
        }
        locals { l = 1 + LOCAL }
        output "o" {
          value = 1
          precondition {
            condition     = var.v == OUTPUT
            error_message = "It isn't one."
          }
        }
        resource "terraform_data" "r" {
          count = 1
          lifecycle {
            postcondition {
              condition     = self.id != RULE
              error_message = "There is one."
            }
          }
        }
        resource "terraform_data" "i" {}
        import {
          to = terraform_data.i
          id = IMPORT
        }
        check "c" {
          assert {
            condition     = var.v == CHECK
            error_message = "It isn't one."
          }
        }
        check "fails" {
          assert {
            condition     = var.v == 3
            error_message = "It isn't three."
          }
        }
      ]]
      local good = { LOCAL = "1", OUTPUT = "1", RULE = '""', IMPORT = '"x"', CHECK = "1" }
      local places = { ["local.l"] = "LOCAL", ["output.o"] = "OUTPUT", ["terraform_data.r"] = "RULE", ["terraform_data.i"] = "IMPORT",
                       ["check.c"] = "CHECK", none = "" }
      for name, place in pairs(places) do
        local filled = source:gsub("%u%u+", function(word) return word == place and '(1 + "a")' or good[word] end)
        for _, method in ipairs { "validate", "plan" } do
          local m = module(filled)
          m[method](m)
          -- Terraform: only a plan evaluates the condition of a check.
          local found = name ~= "none" and (name ~= "check.c" or method == "plan")
          assert.same(found and { [name] = "failed" } or {}, m:graph().wrong, name .. " by " .. method)
        end
      end
    end)

    it("gives neighbours", function()
      local m = module(files)
      assert.are.same({ "local.b", "var.a" }, m:dependencies "local.c")
      assert.are.same({ "terraform_data.first" }, m:dependents "local.c")
      assert.are.same({ "module.m.terraform_data.mid" }, m:dependencies "module.m.output.out")
      assert.are.same({}, m:dependencies "module.m")
      assert.are.same({ "terraform_data.last" }, m:dependents "module.m.output.out")
      assert.are.same(m:dependencies "module.m.output.out", m:dependencies 'module.m["k.\\"]"].output.out')
      for _, row in ipairs(m:addresses()) do
        assert.truthy(m:dependencies(row.address), row.address)
        assert.truthy(m:dependents(row.address), row.address)
      end
      for _, method in ipairs { "dependencies", "dependents" } do
        for address, meant in pairs { ["local.bb"] = '"local.b"', ["nonsense here"] = "m:addresses()", [""] = "m:addresses()",
          ["module.n.output.out"] = '"module.m.output.out"', ["local.c (close)"] = "" } do
          local none, err = m[method](m, address)
          assert.is_nil(none)
          assert.same({ "module.undeclared", true }, { err[1].code, err[1].detail:find(meant, 1, true) ~= nil }, err[1].detail)
        end
        assert.has_error(function() m[method](m, 1) end, "bad argument #1 to '" .. method .. "' (string expected, got number)")
      end
    end)
  end)
end)

-- Terraform's graph joins resources and configurations of providers by sources, whichever modules call these.
describe("a provider's configuration", function()
  local function names(list)
    local texts = {}
    for name, source in pairs(list) do texts[#texts + 1] = ('    %s = { source = "%s" }\n'):format(name, source) end
    table.sort(texts)
    return "terraform {\n  required_providers {\n" .. table.concat(texts) .. "  }\n}\n"
  end

  -- The planned resources: those that need a wrong configuration aren't planned.
  local function planned(root, call, child)
    local dir = support.folder {
      ["main.tf"] = names { one = "acme/p", other = "acme/q" } .. root .. 'module "m" {\n  source = "./m"\n' .. call .. "}\n",
      ["m/main.tf"] = names { two = "acme/p", q = "acme/q" } .. child,
    }
    local plan, _, partial = hcl.assert(hcl.module(dir)):plan()
    local found = {}
    for i, r in ipairs((plan or partial).resources) do found[i] = r.address end
    return table.concat(found, " ")
  end

  local wrong, child = '  a = tobool("x")\n', 'resource "two_r" "r" {}\nresource "q_r" "r" {}\n'

  it("is inherited by its source", function()
    assert.equal("module.m.q_r.r module.m.two_r.r", planned('provider "one" {\n}\n', "", child))
    assert.equal("module.m.q_r.r", planned('provider "one" {\n' .. wrong .. "}\n", "", child))
    assert.equal("module.m.two_r.r", planned('provider "other" {\n' .. wrong .. "}\n", "", child))
  end)

  it("is the one that a call passes, or the module's own", function()
    local two = 'provider "one" {\n' .. wrong .. '}\nprovider "one" {\n  alias = "a"\n}\n'
    local passed = "  providers = {\n    two = one.a\n  }\n"
    assert.equal("module.m.q_r.r module.m.two_r.r", planned(two, passed, child))
    assert.equal("module.m.q_r.r module.m.two_r.r", planned('provider "one" {\n' .. wrong .. "}\n", "", 'provider "two" {\n}\n' .. child))
  end)
end)
