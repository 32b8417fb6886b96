-- Orders the nodes of a graph so that each node comes after the nodes it needs, and finds cycles.
local order = {}

--- Calls visit(node) for each node, after the nodes it needs. Nodes that need each other have no such order: for each group of them it
--- calls circle(component) instead. Nodes for which skip(node) is true are left out. This is Tarjan's algorithm, with a stack of its own.
---@param graph hclexpr.module.Graph
---@param roots hclexpr.module.Node[]
---@param skip fun(node: hclexpr.module.Node): boolean? called before a node is entered
---@param visit fun(node: hclexpr.module.Node)
---@param circle fun(component: hclexpr.module.Node[])
function order.each(graph, roots, skip, visit, circle)
  -- Tarjan's two numbers of each node; `index` is 0 for nodes that are done or left out.
  local index, low = {}, {}
  local stack, height, n = {}, 0, 0
  -- The path from a root to the current node. For each node on it: the node, the list of its needs, and how many of these were visited.
  local path, lists, nexts, depth = {}, {}, {}, 0
  local function enter(node)
    local number, needs = node.number, graph:needs(node)
    if not needs[1] then -- it is in no cycle
      index[number] = 0
      return visit(node)
    end
    n, depth, height = n + 1, depth + 1, height + 1
    index[number], low[number] = n, n
    path[depth], lists[depth], nexts[depth], stack[height] = node, needs, 0, node
  end
  local function leave(node)
    local number = node.number
    depth = depth - 1
    if depth > 0 then
      local above = path[depth].number
      if low[number] < low[above] then low[above] = low[number] end
    end
    if low[number] ~= index[number] then return end
    if stack[height] == node then
      stack[height], height, index[number] = nil, height - 1, 0
      return visit(node)
    end
    local component = {}
    repeat
      local last = stack[height]
      stack[height], height = nil, height - 1
      index[last.number] = 0
      component[#component + 1] = last
    until last == node
    circle(component)
  end
  -- Continues with the last node on the path: enters its first need that wasn't visited, or leaves the node.
  local function advance(node)
    local needs, at, number = lists[depth], nexts[depth], node.number
    while true do
      at = at + 1
      local needed = needs[at]
      if not needed then return leave(node) end
      local seen = index[needed.number]
      if seen == nil then
        if not skip(needed) then
          nexts[depth] = at
          return enter(needed)
        end
        index[needed.number] = 0
      elseif seen > 0 and seen < low[number] then
        low[number] = seen
      end
    end
  end
  for _, root in ipairs(roots) do
    if index[root.number] == nil and not skip(root) then enter(root) end
    while depth > 0 do advance(path[depth]) end
  end
end

--- Returns a shortest cycle through the node whose id sorts first. All nodes of the component need each other.
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
