-- Answers questions about what depends on what in a module: dependencies, dependents, and the graph of chosen kinds of nodes.
-- (read/dependencies.lua and graph/needs.lua find what an evaluation needs.)
local answers = require "hclexpr.terraform.module.answers"
local check = require "hclexpr.check"
local core = require "hclexpr.core"
local Findings = require "hclexpr.terraform.language.findings"
local listing = require "hclexpr.terraform.module.listing"
local lazy = require "hclexpr.lazy"
local order = require "hclexpr.order"
local naming = require "hclexpr.terraform.language.naming"

local relations = { begin = answers.begin }

local kind_of = { variable = "variable", ["local"] = "local", output = "output", call = "module", resource = "resource", action = "action",
                  check = "check" }

-- The kinds of nodes that a graph may show, as users name them.
local kinds_shown = { "variable", "local", "output", "module", "resource", "action", "check" }

--- Describes the mistake in a kind of nodes that a graph should show; nil for a known kind.
---@param kind any
---@return string?
function relations.kind_fault(kind)
  for _, known in ipairs(kinds_shown) do
    if kind == known then return nil end
  end
  local text = type(kind) == "string" and kind or type(kind)
  local near, last = core.suggest(text, kinds_shown), #kinds_shown
  local all = table.concat(kinds_shown, ", ", 1, last - 1) .. " or " .. kinds_shown[last]
  return ("unknown kind %s: use %s%s"):format(core.quote(text), all, near and ("; did you mean %s?"):format(near) or "")
end

-- Returns a function that says whether a node is shown. Further steps of a declaration (its validation rules, its close) aren't shown as
-- nodes of their own.
local function chosen(kinds)
  local wanted = {}
  for _, kind in ipairs(kinds) do wanted[kind] = true end
  return function(node) return wanted[kind_of[node.kind]] end
end

-- Returns the address of the declaration that a node belongs to.
local function address_of(node)
  return naming.within(node.config.address, node.declaration.address)
end

-- Sorts nodes so that each node follows those that it needs. Returns the list, each node's position in it, and the set of nodes in cycles.
local function in_order(graph, nodes)
  local sorted, position, cyclic = {}, {}, {}
  local function put(node)
    sorted[#sorted + 1] = node
    position[node] = #sorted
  end
  order.each(graph, nodes, function() return false end, put, function(component)
    for _, node in ipairs(component) do
      put(node)
      cyclic[node] = true
    end
  end)
  return sorted, position, cyclic
end

-- Returns what validate and plan have found wrong with a node so far: "cycle", "failed", or "skipped" because something that it needs
-- failed.
local function fault_of(module, node, cyclic)
  if cyclic[node] then return "cycle" end
  local found
  for _, walk in pairs(module.evaluation.walks) do
    local outcome = walk:outcome(node)
    if outcome == "failed" then return outcome end
    found = outcome == "skipped" and outcome or found
  end
  return found
end

local ranks = { cycle = 3, failed = 2, skipped = 1 }

-- Returns the faults of declarations by address. If several nodes of a declaration have faults, the worst one counts.
local function faults(module, nodes, cyclic)
  local found = {}
  for _, node in ipairs(nodes) do
    local address, fault = address_of(node), fault_of(module, node, cyclic)
    if fault and ranks[fault] > (ranks[found[address]] or 0) then found[address] = fault end
  end
  return found
end

-- Returns the shown nodes that a node needs, directly or through hidden nodes. `done` has the results for hidden nodes.
local function nearest(graph, node, shown, done)
  local found, list, stack, seen = {}, {}, {}, { [node] = true }
  local function add(needed)
    if found[needed] or needed == node then return end
    found[needed] = true
    list[#list + 1] = needed
  end
  local function visit(of)
    for _, needed in ipairs(graph:needs(of)) do
      if shown(needed) then add(needed)
      elseif done[needed] then
        for _, far in ipairs(done[needed]) do add(far) end
      elseif not seen[needed] then
        seen[needed] = true
        stack[#stack + 1] = needed
      end
    end
  end
  visit(node)
  while #stack > 0 do visit(table.remove(stack)) end
  return list
end

-- Leaves out edges that follow from others. `to` has for each node the list of nodes that it needs.
local function reduce(sorted, position, to)
  local stamp = {}
  for _, node in ipairs(sorted) do
    local list = to[node]
    if list and #list > 1 then
      -- Nodes that are later in the order come first, because they may lead to earlier nodes but never the reverse.
      table.sort(list, function(a, b) return position[a] > position[b] end)
      local kept = {}
      for _, needed in ipairs(list) do
        if stamp[needed] ~= node then
          kept[#kept + 1] = needed
          local stack = { needed }
          stamp[needed] = node
          while #stack > 0 do
            for _, further in ipairs(to[table.remove(stack)] or {}) do
              if stamp[further] ~= node then
                stamp[further] = node
                stack[#stack + 1] = further
              end
            end
          end
        end
      end
      to[node] = kept
    end
  end
end

local graph_options = { kinds = "table", format = { "dot", "mermaid" } }

--- Returns the graph of the declarations that need each other. `kinds` chooses the kinds that are shown; a path through hidden nodes
--- becomes one edge. `wrong` lists cycles and, if the module was validated or planned before, declarations that failed or were skipped. A
--- drawing shows these, and the edges between them, in colour.
---@param options? { kinds?: string[], format?: "dot"|"mermaid" }
---@return { nodes: string[], edges: { from: string, to: string }[], wrong: table<string, "cycle"|"failed"|"skipped"> }|string
function relations:graph(options)
  options = check.options(1, "graph", options, graph_options)
  for _, kind in ipairs(options.kinds or {}) do
    local fault = relations.kind_fault(kind)
    if fault then check.fail(1, "graph", "option 'kinds': " .. fault) end
  end
  local graph, nodes, shown = self.evaluation.graph, self.evaluation.graph:all(), chosen(options.kinds or kinds_shown)
  local sorted, position, cyclic = in_order(graph, nodes)
  local to, done = {}, {}
  for _, node in ipairs(sorted) do
    local list = nearest(graph, node, shown, done)
    if shown(node) then to[node] = list else done[node] = list end
  end
  reduce(sorted, position, to)
  local made = { nodes = {}, edges = {}, kinds = {}, wrong = faults(self, nodes, cyclic) }
  for _, node in ipairs(nodes) do
    if shown(node) then
      local address = address_of(node)
      made.nodes[#made.nodes + 1] = address
      made.kinds[address] = kind_of[node.kind]
      for _, needed in ipairs(to[node]) do made.edges[#made.edges + 1] = { from = address, to = address_of(needed) } end
    end
  end
  if options.format then return lazy.load("hclexpr.terraform.module.drawing")[options.format](made) end
  made.kinds = nil
  return made
end

-- Returns true if `outer` is a node of the call that makes the module of `inner`. Relations don't show that such nodes need each other.
local function is_around(outer, inner)
  return inner.config.call ~= nil and outer.declaration == inner.config.call and outer.config == inner.config.parent
end

-- Returns the nodes of the declaration with an address.
local function nodes_of(graph, address)
  local nodes = {}
  for _, step in ipairs { "", " (validation)", " (close)" } do nodes[#nodes + 1] = graph:find(address .. step) end
  return nodes
end

-- Returns the addresses of the declarations one edge away from a declaration. direction(graph, node) returns the nodes that a node needs,
-- or those that need it.
local function neighbours(module, address, direction)
  local graph, found, list = module.evaluation.graph, {}, {}
  local function visit(of)
    for _, node in ipairs(direction(graph, of)) do
      local other = address_of(node)
      if other ~= address and not found[other] and not is_around(of, node) and not is_around(node, of) then
        found[other] = true
        list[#list + 1] = other
      end
    end
  end
  for _, node in ipairs(nodes_of(graph, address)) do visit(node) end
  table.sort(list)
  return list
end

-- Returns the address of the declaration that an address means, even one with keys; or nil and Diagnostics.
local function declared(module, name, address)
  check.type(1, name, address, "string")
  local plain, all = naming.without_keys(address), {}
  if nodes_of(module.evaluation.graph, plain)[1] then return plain end
  for i, row in ipairs(listing.addresses(module)) do
    if row.address == plain then return plain end
    all[i] = row.address
  end
  local near = core.suggest(plain, all)
  return nil, Findings.diagnose("MODULE_UNDECLARED", nil, nil, ("Nothing is declared as %s.%s"):format(core.quote(address),
    near and (" Did you mean %s?"):format(core.quote(near)) or " m:addresses() lists all declarations."))
end

--- Returns the addresses of the declarations that a declaration needs directly.
---@param address string
---@return string[]? addresses
---@return hclexpr.Diagnostics? err
function relations:dependencies(address)
  local plain, err = declared(self, "dependencies", address)
  if not plain then return nil, err end
  return neighbours(self, plain, function(graph, node) return graph:needs(node) end)
end

--- Returns the addresses of the declarations that need a declaration directly.
---@param address string
---@return string[]? addresses
---@return hclexpr.Diagnostics? err
function relations:dependents(address)
  local plain, err = declared(self, "dependents", address)
  if not plain then return nil, err end
  local users = self.evaluation.graph:users()
  return neighbours(self, plain, function(_, node) return users[node] or {} end)
end

return relations
