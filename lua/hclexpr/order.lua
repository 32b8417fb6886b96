-- Order: the nodes of a graph so that each comes after what it needs, and the loops in which there is no such order.
local core = require "hclexpr.core"

local order = {}

--- The diagnostic of a circle.
---@param names string[] of what is in it, each needed by the one before
---@return hclexpr.Diagnostics
function order.diagnose(names)
  return core.diagnose("MODULE_CYCLE", nil, nil, ("These need each other, so none of them can be the first: %s → %s. Take one of the "
    .. "references out."):format(table.concat(names, " → "), names[1]))
end

--- Calls visit(component) for each group of nodes that need each other, a group after all that it needs; most are single nodes. Nodes for
--- which skip(node) is true are left out. Tarjan's algorithm with a stack of its own.
---@param graph hclexpr.module.Graph
---@param roots hclexpr.module.Node[]
---@param skip fun(node: hclexpr.module.Node): boolean?
---@param visit fun(component: hclexpr.module.Node[])
function order.each(graph, roots, skip, visit)
  -- By the numbers of nodes; `index` is 0 for those that are done or left out.
  local index, low = {}, {}
  local stack, path, nexts, depth, height, n = {}, {}, {}, 0, 0, 0
  local function enter(node)
    local number = node.number
    n, depth, height = n + 1, depth + 1, height + 1
    index[number], low[number] = n, n
    path[depth], nexts[depth], stack[height] = node, 0, node
  end
  local function leave(node)
    local number = node.number
    depth = depth - 1
    if depth > 0 then
      local above = path[depth].number
      if low[number] < low[above] then low[above] = low[number] end
    end
    if low[number] ~= index[number] then return end
    local component = {}
    repeat
      local last = stack[height]
      stack[height], height = nil, height - 1
      index[last.number] = 0
      component[#component + 1] = last
    until last == node
    visit(component)
  end
  local function meet(node, needed)
    local seen = index[needed.number]
    if seen == nil then
      if skip(needed) then index[needed.number] = 0 else enter(needed) end
    elseif seen > 0 and seen < low[node.number] then
      low[node.number] = seen
    end
  end
  for _, root in ipairs(roots) do
    if index[root.number] == nil and not skip(root) then enter(root) end
    while depth > 0 do
      local node, at = path[depth], nexts[depth] + 1
      local needed = graph:needs(node)[at]
      nexts[depth] = at
      if needed then meet(node, needed) else leave(node) end
    end
  end
end

--- A way round within nodes that need each other, as short as can be, from the one that comes first.
---@param graph hclexpr.module.Graph
---@param component hclexpr.module.Node[]
---@return hclexpr.module.Node[]
function order.circle(graph, component)
  local within, from, queue = {}, {}, {}
  for _, node in ipairs(component) do within[node] = true end
  table.sort(component, function(a, b) return graph.id(a) < graph.id(b) end)
  local start = component[1]
  queue[1] = start
  for _, node in ipairs(queue) do
    for _, needed in ipairs(graph:needs(node)) do
      if needed == start then
        local way = { node }
        while way[#way] ~= start do way[#way + 1] = from[way[#way]] end
        local circle = {}
        for i = #way, 1, -1 do circle[#circle + 1] = way[i] end
        return circle
      end
      if within[needed] and not from[needed] then
        from[needed] = node
        queue[#queue + 1] = needed
      end
    end
  end
  return component
end

return order
