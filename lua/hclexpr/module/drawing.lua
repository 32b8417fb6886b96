-- Drawings: a graph as text for Graphviz or Mermaid. Nodes of a module stand in a box of its own.
local core = require "hclexpr.core"

local drawing = {}

-- The module of an address and the rest of it: "module.a", "local.b".
local function split(address)
  local at = 1
  while true do
    local from, to = address:find("^module%.[%w_%-]+%.", at)
    if not from then break end
    at = to + 1
  end
  return at > 1 and address:sub(1, at - 2) or "", address:sub(at)
end

-- Nodes by module, modules in the order of their first node.
local function by_module(graph)
  local modules, order = {}, {}
  for _, address in ipairs(graph.nodes) do
    local module = split(address)
    if not modules[module] then
      modules[module] = {}
      order[#order + 1] = module
    end
    table.insert(modules[module], address)
  end
  return modules, order
end

local shapes = { variable = "note", ["local"] = "plaintext", output = "cds", module = "folder", resource = "box", check = "diamond" }

--- Text for Graphviz.
---@param graph table
---@return string
function drawing.dot(graph)
  local out = { "digraph {", "  rankdir = RL;" }
  local modules, order = by_module(graph)
  for i, module in ipairs(order) do
    local margin = "  "
    if module ~= "" then
      out[#out + 1] = ("  subgraph cluster_%d {\n    label = %s;"):format(i, core.quote(module))
      margin = "    "
    end
    for _, address in ipairs(modules[module]) do
      local _, name = split(address)
      out[#out + 1] = ("%s%s [label = %s, shape = %s];"):format(margin, core.quote(address), core.quote(name), shapes[graph.kinds[address]])
    end
    if module ~= "" then out[#out + 1] = "  }" end
  end
  for _, edge in ipairs(graph.edges) do out[#out + 1] = ("  %s -> %s;"):format(core.quote(edge.from), core.quote(edge.to)) end
  out[#out + 1] = "}\n"
  return table.concat(out, "\n")
end

--- Text for Mermaid.
---@param graph table
---@return string
function drawing.mermaid(graph)
  local out, ids = { "flowchart RL" }, {}
  for i, address in ipairs(graph.nodes) do ids[address] = "n" .. i end
  local modules, order = by_module(graph)
  for i, module in ipairs(order) do
    local margin = "  "
    if module ~= "" then
      out[#out + 1] = ('  subgraph m%d["%s"]'):format(i, module)
      margin = "    "
    end
    for _, address in ipairs(modules[module]) do
      local _, name = split(address)
      out[#out + 1] = ('%s%s["%s"]'):format(margin, ids[address], (name:gsub('"', "#quot;")))
    end
    if module ~= "" then out[#out + 1] = "  end" end
  end
  for _, edge in ipairs(graph.edges) do out[#out + 1] = ("  %s --> %s"):format(ids[edge.from], ids[edge.to]) end
  return table.concat(out, "\n") .. "\n"
end

return drawing
