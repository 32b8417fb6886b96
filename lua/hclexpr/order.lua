-- Orders the nodes of a graph so that each comes after the nodes that it needs, and finds cycles.
local order = {}

--- Calls visit(node) for each node, after all that it needs. Among nodes that need each other no order exists: for such a group it calls
--- circle(component). Nodes for which skip(node) is true are left out. Tarjan's algorithm with its own stack.
---@param graph hclexpr.module.Graph
---@param roots hclexpr.module.Node[]
---@param skip fun(node: hclexpr.module.Node): boolean? asked before a node is entered
---@param visit fun(node: hclexpr.module.Node)
---@param circle fun(component: hclexpr.module.Node[])
function order.each(graph, roots, skip, visit, circle)
  -- Tarjan's two numbers of each node; `index` is 0 for nodes that are done or left out.
  local index, low = {}, {}
  local stack, height, n = {}, 0, 0
  -- The path from a root to the current node: for each node on it the node, its needs, and how many of its needs were visited.
  local path, lists, nexts, depth = {}, {}, {}, 0
  local function enter(node)
    local number = node.number
    n, depth, height = n + 1, depth + 1, height + 1
    index[number], low[number] = n, n
    path[depth], lists[depth], nexts[depth], stack[height] = node, graph:needs(node), 0, node
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
  -- Visits the needs of the last node on the path, up to the first unvisited one.
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

--- Returns a cycle among nodes that need each other, as short as possible, from the node that comes first.
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
