-- Draws a graph as text for Graphviz or Mermaid. The nodes of each module are in one box.
local core = require "hclexpr.core"

local drawing = {}

-- Splits an address such as module.a.local.b into its module and the rest: "module.a", "local.b".
local function split(address)
  local at = 1
  while true do
    local from, to = address:find("^module%.[%w_%-]+%.", at)
    if not from then break end
    at = to + 1
  end
  return at > 1 and address:sub(1, at - 2) or "", address:sub(at)
end

-- Groups nodes by module. Also returns the modules in the order of their first node.
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

-- Colours of nodes with mistakes, and of nodes that were skipped because they need such a node.
local colours = { cycle = "#c00000", failed = "#c00000", skipped = "#d07000" }

-- Returns the colour of an edge between two nodes that have mistakes or were skipped: that of the node where it ends.
local function colour_of(graph, edge)
  return graph.wrong[edge.from] and colours[graph.wrong[edge.to]]
end

local shapes = { variable = "note", ["local"] = "plaintext", output = "cds", module = "folder", resource = "box", action = "cds",
                 check = "diamond" }

--- Draws a graph as text for Graphviz.
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
      local colour = colours[graph.wrong[address]]
      out[#out + 1] = ("%s%s [label = %s, shape = %s%s];"):format(margin, core.quote(address), core.quote(name),
        shapes[graph.kinds[address]], colour and (', color = "%s", fontcolor = "%s"'):format(colour, colour) or "")
    end
    if module ~= "" then out[#out + 1] = "  }" end
  end
  for _, edge in ipairs(graph.edges) do
    local colour = colour_of(graph, edge)
    out[#out + 1] = ("  %s -> %s%s;"):format(core.quote(edge.from), core.quote(edge.to),
      colour and (' [color = "%s"]'):format(colour) or "")
  end
  out[#out + 1] = "}\n"
  return table.concat(out, "\n")
end

--- Draws a graph as text for Mermaid.
---@param graph table
---@return string
function drawing.mermaid(graph)
  local out, ids, styles = { "flowchart RL" }, {}, {}
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
  for i, edge in ipairs(graph.edges) do
    out[#out + 1] = ("  %s --> %s"):format(ids[edge.from], ids[edge.to])
    styles[#styles + 1] = colour_of(graph, edge) and ("  linkStyle %d stroke:%s"):format(i - 1, colour_of(graph, edge))
  end
  for _, address in ipairs(graph.nodes) do
    local colour = colours[graph.wrong[address]]
    styles[#styles + 1] = colour and ("  style %s stroke:%s,color:%s"):format(ids[address], colour, colour)
  end
  for _, style in ipairs(styles) do out[#out + 1] = style end
  return table.concat(out, "\n") .. "\n"
end

return drawing
