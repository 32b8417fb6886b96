-- Relations between blocks: an order in which each block comes after the blocks that it refers to, and cycles of references.
local rows = require("hclexpr.terraform.language.diagnostics").rows
local evaluation = require "hclexpr.languages.evaluation"
local order = require "hclexpr.order"
local places = require "hclexpr.places"
local references = require "hclexpr.languages.references"

local relations = {}

-- Returns the block at the top of a file around a block, or the block itself. Around a generated block is a holder (evaluation.lua), which
-- takes the place of a block.
local function top_of(record)
  while record.parent and record.parent.kind do record = record.parent.record or record.parent end
  return record
end

local function each_in(record, act)
  local stack = { record }
  while #stack > 0 do
    local at = table.remove(stack)
    act(at)
    for _, inner in ipairs(at.inner) do stack[#stack + 1] = inner end
    for _, node in ipairs(at.expansions or {}) do
      for _, holder in ipairs(node.records or {}) do stack[#stack + 1] = holder end
    end
  end
end

--- Calls act(record, argument) for each block that the references of a block name.
---@param conf hclexpr.languages.Configuration
---@param record hclexpr.languages.Record
---@param act fun(record: hclexpr.languages.Record, argument: hclexpr.languages.Argument)
function relations.add_targets(conf, record, act)
  for _, node in next, record.nodes do
    for _, target in ipairs(node.targets or {}) do
      if target.record then act(target.record, node.argument) end
      for _, other in ipairs(target.kinds and conf:blocks_of(target.kinds) or {}) do act(other, node.argument) end
    end
  end
end

-- Adds the blocks that the references of a block, and of the blocks inside it, name. allowed: include arguments that allow cycles.
local function add_references(conf, found, record, allowed)
  each_in(record, function(at)
    relations.add_targets(conf, at, function(other, argument)
      if allowed or not (argument.cycles and other.kind == record.kind) then found[#found + 1] = other end
    end)
  end)
end

-- Adds the blocks whose values the expressions of a block need.
local function add_needs(conf, found, record)
  local seen, stack = {}, {}
  each_in(record, function(at)
    for _, node in next, at.nodes do stack[#stack + 1] = node end
    stack[#stack + 1] = at.key_node
  end)
  while #stack > 0 do
    local node = table.remove(stack)
    if not seen[node] then
      seen[node] = true
      local owner = node.record.level and top_of(node.record)
      if owner and owner ~= record and owner.kind and not node.kinds then
        found[#found + 1] = owner
      else
        if node.attribute and node.what ~= "reference" then
          references.each_block(conf, node.attribute, function(other)
            if other ~= record then found[#found + 1] = other end
          end)
        end
        for _, needed in ipairs(node.needs or {}) do stack[#stack + 1] = needed end
      end
    end
  end
end

-- Makes a graph of blocks for hclexpr.order. collect(record) returns the blocks that a block needs.
local function graph_of(collect)
  local needs = {}
  local graph = {}
  function graph.needs(_, record)
    needs[record] = needs[record] or collect(record)
    return needs[record]
  end
  graph.id = evaluation.name_of_record
  return graph
end

local function number(conf)
  for i, record in ipairs(conf.root.inner) do record.number = i end
end

--- Returns the instances of the blocks of a kind. Each block comes after the blocks that it refers to; otherwise they keep their written order.
---@param conf hclexpr.languages.Configuration
---@param kind hclexpr.languages.Kind
---@return hclexpr.languages.Instance[]
function relations.order(conf, kind)
  local list = {}
  local function add(record)
    if record.kind ~= kind or record.hidden then return end
    for _, instance in ipairs(record.instances) do list[#list + 1] = instance end
  end
  number(conf)
  local graph = graph_of(function(record)
    local found = {}
    add_references(conf, found, record, true)
    add_needs(conf, found, record)
    return found
  end)
  order.each(graph, conf.root.inner, function() return false end, add, function(component)
    table.sort(component, function(a, b) return a.number < b.number end)
    for _, record in ipairs(component) do add(record) end
  end)
  return list
end

-- Returns the attribute in which a block names another block.
local function reference_to(record, other)
  local found
  each_in(record, function(at)
    for _, node in next, at.nodes do
      for _, target in ipairs(node.targets or {}) do
        if target.record and top_of(target.record) == other and not node.argument.cycles then found = found or node.attribute end
      end
    end
  end)
  return found
end

local function report(conf, circle)
  local names = {}
  for i, record in ipairs(circle) do names[i] = evaluation.name_of_record(record) end
  local way = circle[2] and "These refer to each other in a circle: %s. Leave out one of the references."
    or "%s refers to itself. Leave out the reference."
  if circle[2] then names[#names + 1] = names[1] end
  local attribute = reference_to(circle[1], circle[2] or circle[1])
  local place = attribute and places.of_attribute(attribute) or places.of_block(circle[1].block)
  conf.findings:report(rows.MODULE_CYCLE, place, way, table.concat(names, " → "))
end

-- Returns true if a block refers to itself in an argument that doesn't allow cycles.
local function refers_to_itself(graph, record)
  for _, other in ipairs(graph:needs(record)) do
    if other == record then return true end
  end
  return false
end

-- Adds the kinds that references in a level, and in the levels inside it, may name.
local function add_kinds(found, level, seen)
  if seen[level] then return end
  seen[level] = true
  for _, a in ipairs(level.argument_list) do
    for _, kind in ipairs(a.ref or a.refs or {}) do found[#found + 1] = kind end
  end
  for _, kind in ipairs(level.kind_list) do add_kinds(found, kind.level, seen) end
end

-- Returns true if references from the blocks of a kind may lead back to it.
local function leads_back(kind)
  local seen, stack = {}, {}
  add_kinds(stack, kind.level, {})
  while #stack > 0 do
    local other = table.remove(stack)
    if other == kind then return true end
    if not seen[other] then
      seen[other] = true
      add_kinds(stack, other.level, {})
    end
  end
  return false
end

-- By description: true if its references can form a cycle at all.
local circles = setmetatable({}, { __mode = "k" })

local function may_circle(out)
  if circles[out] == nil then
    circles[out] = false
    for _, kind in ipairs(out.level.kind_list) do
      if leads_back(kind) then circles[out] = true break end
    end
  end
  return circles[out]
end

--- Reports cycles of references, unless their arguments allow them.
---@param conf hclexpr.languages.Configuration
function relations.check(conf)
  if not may_circle(conf.description) then return end
  number(conf)
  local graph = graph_of(function(record)
    local found = {}
    add_references(conf, found, record, false)
    return found
  end)
  order.each(graph, conf.root.inner, function() return false end, function(record)
    if refers_to_itself(graph, record) then report(conf, { record }) end
  end, function(component) report(conf, order.circle(graph, component)) end)
end

return relations
