-- Evaluates nodes, each one once and after the nodes that it needs. The loop is plain Lua with its own stack (hclexpr.order), so callbacks
-- may yield anywhere, and a chain may be as long as memory allows. An error raised by an evaluation passes through, and its node stays
-- unevaluated.
local core = require "hclexpr.core"
local check = require "hclexpr.check"
local rows = require("hclexpr.terraform.language.diagnostics").rows
local body_evaluation = require "hclexpr.body.evaluation"
local order = require "hclexpr.order"
local places = require "hclexpr.places"
local records = require "hclexpr.languages.records"
local references = require "hclexpr.languages.references"
local schemas = require "hclexpr.languages.schemas"
local sorted = require("hclexpr.util").sorted
local values = require "hclexpr.languages.values"
local variables = require "hclexpr.languages.variables"

local evaluation = {}

-- Used in place of every empty list.
local none = {}

-- ---- needs ----------------------------------------------------------------------------------------------------------------

-- Reports that a node failed. The nodes that need it are then skipped.
local function fail(conf, node, err)
  if node.record.level then node.record.failed = true end
  node.err = err
  if err then conf.findings:add(err) end
  return false
end

local function add_expression(conf, node, from, needs, described)
  local relative, err = references.add(conf, node.record.level and node.record or nil, from, needs, nil, described)
  if err then
    node.state = "failed"
    fail(conf, node, err)
  elseif relative and not described then
    node.relative = true
  end
end

-- Functions that collect the needs of a node, by its kind.
local linkers = {}

function linkers.value(conf, node, needs)
  local default = node.argument and node.argument.default_from
  add_expression(conf, node, node.attribute, needs)
  if default then add_expression(conf, node, default, needs, true) end -- used if the value is null
end
linkers["local"], linkers.keys = linkers.value, linkers.value

function linkers.given(conf, node, needs)
  add_expression(conf, node, node.argument.default_from or node.argument.value_from, needs, true)
end

function linkers.reference(conf, node, needs)
  local targets, err = references.read(conf, node)
  if not targets then
    node.state = "failed"
    return fail(conf, node, err)
  end
  node.targets = targets
  for _, target in ipairs(targets) do
    if target.record and target.record.key_node then needs[#needs + 1] = target.record.key_node end
    if target.kinds then needs[#needs + 1] = conf:keys_of(target.kinds) end
  end
end

-- Finds what is wrong with calls in the content of a `dynamic` block, which may generate nothing.
local function check_content(conf, node, body)
  for _, name in ipairs(sorted(body.attributes)) do
    local err = references.check_calls(conf, body.attributes[name])
    if err then
      node.state = "failed"
      fail(conf, node, err)
    end
  end
  for _, block in ipairs(body.blocks) do check_content(conf, node, block.body) end
end

-- Collects the needs of `dynamic` blocks, and of written blocks of the kinds that they generate.
function linkers.blocks(conf, node, needs)
  for _, block in ipairs(node.body.blocks) do
    if block.type == "dynamic" then
      local attributes = block.body.attributes
      if attributes.for_each then add_expression(conf, node, attributes.for_each, needs) end
      if attributes.labels then references.add_loosely(conf, attributes.labels, needs) end
      for _, content in ipairs(block.body.blocks) do
        references.add_loosely(conf, content.body, needs)
        check_content(conf, node, content.body)
      end
    elseif node.types[block.type] then
      references.add_loosely(conf, block.body, needs)
    end
  end
end

function linkers.variable(conf, node, needs)
  local default = node.record.arguments.default
  if default then add_expression(conf, node, default, needs) end
end

-- Adds the nodes of a block and of the blocks inside it, except references, which have no values for expressions.
local function add_record(conf, record, needs, only)
  for _, node in next, only and none or record.nodes do
    if node.what ~= "reference" then needs[#needs + 1] = node end
  end
  if record.key_node then needs[#needs + 1] = record.key_node end
  for _, node in ipairs(record.expansions or {}) do
    if not only or node.types[only] then needs[#needs + 1] = node end
  end
  for _, inner in ipairs(record.inner) do
    if not only or inner.kind.type == only then needs[#needs + 1] = conf:whole(inner) end
  end
end

function linkers.rest() end

function linkers.whole(conf, node, needs)
  if node.kinds then
    if conf.torn then node.state = "failed" end -- unreadable text may declare more such blocks
    for _, declared in ipairs(conf.declared) do
      if node.kinds[declared.kind] then needs[#needs + 1] = declared.node end
    end
    for _, record in ipairs(conf.root.inner) do
      if node.kinds[record.kind] and not record.hidden then needs[#needs + 1] = conf:whole(record) end
    end
  else
    if node.record.torn then node.state = "failed" end -- the unreadable part may contain more values
    add_record(conf, node.record, needs, node.only)
  end
end

-- Methods of the graph for hclexpr.order.
local graph_methods = {}
graph_methods.__index = graph_methods

function graph_methods:needs(node)
  if node.needs then return node.needs end
  local needs, record = {}, node.record
  linkers[node.what](self.conf, node, needs)
  if node.what ~= "keys" and record.key_node then needs[#needs + 1] = record.key_node end
  if not needs[1] then needs = none end
  node.needs = needs
  return needs
end

function graph_methods.id(node)
  return evaluation.name(node)
end

-- ---- names for messages ---------------------------------------------------------------------------------------------------

local function name_of_record(record)
  if record.address then return record.address end
  if not record.kind then return "" end
  local parts = { record.kind.type }
  for _, label in ipairs(record.labels) do parts[#parts + 1] = core.quote(label) end
  return table.concat(parts, " ")
end
evaluation.name_of_record = name_of_record

--- Returns the name of a node for messages, such as upstream.mail.port.
---@param node hclexpr.languages.Node
---@return string
function evaluation.name(node)
  local record = node.record
  if node.kinds then return node.text end
  if not record.level then return record.address end
  local own = name_of_record(record)
  local last = node.what == "keys" and "for_each" or node.argument and node.argument.name or node.only
  if not last then return own end
  return own == "" and last or own .. "." .. last
end

-- ---- values ---------------------------------------------------------------------------------------------------------------

local function names_of(instance)
  if not instance.names then
    local parent = instance.parent
    instance.names = { self = instance.self, parent = parent and parent.self, each = instance.each }
  end
  return instance.names
end
evaluation.names_of = names_of

-- Evaluates the expression of an attribute as values.evaluate does, and explains failures in words of the language.
local function value_of(conf, attribute, names)
  local value, err = values.evaluate(conf, attribute, names)
  if value == nil then return nil, references.explain_failure(conf, attribute, err) end
  return value
end

-- Returns the value that the description gives: default, default_from or value_from. Errors name the place in the file, not in the
-- description.
local function given(conf, node, instance)
  local a = node.argument
  if a.default ~= nil then return a.default end
  local expression = a.default_from or a.value_from
  local value, err = expression:value(names_of(instance), conf.scope)
  local row = rows.MODULE_CONFIGURED
  if value ~= nil then
    value, err = values.fit(conf, a, node.record.block, value)
    row = err and err[1]
  end
  if value ~= nil or not err then return value end
  local place = places.of_block(node.record.block)
  return nil, core.diagnose(row, place.object, place.range, ("%s is %s here, and that fails: %s"):format(
    a.name, expression:source(), err[1].detail))
end

local acts = {}

function acts.value(conf, node)
  local attribute, a = node.attribute, node.argument
  for _, instance in ipairs(node.record.instances or none) do
    local value, err = value_of(conf, attribute, node.relative and names_of(instance) or nil)
    if value == nil then return fail(conf, node, err) end
    if not values.put_plain(conf, instance, a, value) then
      value = core.value(value)
      if value:is_null() and (a.default ~= nil or a.default_from) then value, err = given(conf, node, instance) end
      if value ~= nil then value, err = values.fit(conf, a, attribute, value) end
      if value ~= nil then value, err = values.put(conf, instance, a, attribute, value) end
      if value == nil then return fail(conf, node, err) end
    end
  end
  return true
end

function acts.given(conf, node)
  local a = node.argument
  for _, instance in ipairs(node.record.instances or none) do
    local value, err = given(conf, node, instance)
    if value ~= nil then value, err = values.put(conf, instance, a, node.record.block, value) end
    if value == nil then return fail(conf, node, err) end
  end
  return true
end

acts["local"] = function(conf, node)
  local value, err = value_of(conf, node.attribute)
  if value == nil then return fail(conf, node, err) end
  conf.tree["local"][node.record.name] = conf.plain and value or core.value(value)
  return true
end

function acts.variable(conf, node)
  local value, err = variables.value(conf, node.record)
  if value == nil then return fail(conf, node, err) end
  conf.tree.var[node.record.name] = value
  return true
end

function acts.whole() return true end

-- Runs after everything else is evaluated; may call functions.
function acts.rest(conf, node)
  node.act(conf)
  return true
end

-- ---- references -----------------------------------------------------------------------------------------------------------

-- The cost of each block that a reference names, and below that of each block of an instance: steps, and bytes of tables.
local REFERENCE_STEPS, REFERENCE_BYTES = 1, 16
local INSTANCE_STEPS, INSTANCE_BYTES = 10, 200

-- Charges n times a cost to the limits of the question. Returns whether anything is left of them.
local function afford(conf, n, steps, bytes)
  local steps_left, bytes_left = core.spend(conf.scope, n * steps, n * bytes)
  return steps_left > 0 and bytes_left > 0
end

-- Returns the instances that a reference names; or nil and the reason.
local function instances_of(conf, target, instance)
  if target.kinds then
    local all = {}
    for _, record in ipairs(conf:blocks_of(target.kinds)) do
      if not record.hidden then
        for _, other in ipairs(record.instances or none) do all[#all + 1] = other end
      end
    end
    return all
  end
  local key = target.key
  if target.each then key = instance.each.key end
  if key == nil then return target.record.instances end
  local other = target.record.by_key and target.record.by_key[key]
  if other then return { other } end
  return nil, references.no_instance(target.record, key)
end

local function put_reference(a, instance, found)
  if a.ref then
    instance.result[a.name] = found[1] and found[1].result
  else
    local list = setmetatable({}, core.array_mt)
    for i, other in ipairs(found) do list[i] = other.result end
    instance.result[a.name] = list
  end
end

function acts.reference(conf, node)
  local a = node.argument
  if node.targets.absent and not a.required then return true end
  if node.targets.absent then
    local place = places.of_attribute(node.attribute)
    return fail(conf, node, core.diagnose("BODY_NULL", place.object, place.range,
      ("The argument \"%s\" is required, and null counts as missing. Give it a value."):format(a.name)))
  end
  local only = not node.targets[2] and a.ref and node.targets[1]
  if only and not only.each and only.key == nil then -- the usual case: a single block
    for _, instance in ipairs(node.record.instances or none) do instance.result[a.name] = only.record.result end
    return true
  end
  for _, instance in ipairs(node.record.instances or none) do
    local all = {}
    for _, target in ipairs(node.targets) do
      local found, why = instances_of(conf, target, instance)
      if not found then
        local expression = node.attribute.expression
        return fail(conf, node, core.diagnose(rows.MODULE_INSTANCE_KEY, expression, target.range or expression:range(), why))
      end
      for _, other in ipairs(found) do all[#all + 1] = other end
      if not afford(conf, #found, REFERENCE_STEPS, REFERENCE_BYTES) then
        local place = places.of_attribute(node.attribute)
        return fail(conf, node, core.diagnose(rows.MODULE_INSTANCES, place.object, place.range,
          ("%s names %d blocks, and with the other references that is more than limits allow. Name fewer, or raise the limits."):format(
            a.name, #all)))
      end
    end
    put_reference(a, instance, all)
  end
  return true
end

-- ---- instances ------------------------------------------------------------------------------------------------------------

-- Returns the keys and values of for_each, sorted by key; or nil and the reason.
local function elements_of(value)
  if value:is_null() then return nil, "is null. Give it a map, or a set of strings." end
  if not value:is_known() then return nil, "isn't known." end
  if value:marks()[1] then return nil, "is sensitive, and keys are seen." end
  local kind = value:type():kind()
  local list = {}
  if kind == "map" or kind == "object" then
    for key, element in value:pairs() do list[#list + 1] = { key = key, value = element } end
  elseif kind == "set" then
    for _, element in value:pairs() do
      if element:marks()[1] then return nil, "is sensitive, and keys are seen." end
      if not element:is_known() or element:is_null() or element:type():kind() ~= "string" then
        return nil, ("must be a map, or a set of strings, and has %s in it."):format(
          not element:is_known() and "an unknown value" or element:is_null() and "null" or "a " .. element:type():kind())
      end
      list[#list + 1] = { key = element:text(), value = element:text() }
    end
  else
    return nil, ("must be a map, or a set of strings, and is a %s.%s"):format(kind,
      (kind == "list" or kind == "tuple") and " Use toset() for a set of it." or "")
  end
  table.sort(list, function(a, b) return a.key < b.key end)
  return list
end

-- How many blocks an instance consists of: the block itself, and all inside it.
local function count_blocks(record)
  local n, stack = 0, { record }
  while #stack > 0 do
    n = n + 1
    for _, inner in ipairs(table.remove(stack).inner) do stack[#stack + 1] = inner end
  end
  return n
end

function acts.keys(conf, node)
  local record = node.record
  local value, err = value_of(conf, node.attribute)
  if value == nil then return fail(conf, node, err) end
  value, record.instances = core.value(value), {}
  if conf.checking and not value:is_known() then
    local at, name = records.spot(conf, record)
    if at then at[name] = core.unknown "any" end
    return true
  end
  local list, why = elements_of(value)
  local place = places.of_attribute(node.attribute)
  if not list then return fail(conf, node, core.diagnose(rows.MODULE_FOR_EACH, place.object, place.range, "for_each " .. why)) end
  local size = count_blocks(record)
  if not afford(conf, #list * size, INSTANCE_STEPS, INSTANCE_BYTES) then
    return fail(conf, node, core.diagnose(rows.MODULE_INSTANCES, place.object, place.range,
      ("for_each makes %d instances%s, which is more than limits allow. Give it less, or raise the limits."):format(#list,
        size > 1 and (" of %d blocks each"):format(size) or "")))
  end
  local selves = {}
  record.by_key = {}
  for _, each in ipairs(list) do
    local instance = records.instantiate(conf, record, record.parent.instances[1], each)
    record.by_key[each.key], selves[each.key] = instance, instance.self
  end
  local at, name = records.spot(conf, record)
  if at and not record.hidden then at[name] = selves end
  return true
end

-- ---- dynamic blocks -------------------------------------------------------------------------------------------------------

-- Evaluates the nodes from number `first` on, which were made while another node was evaluated.
local function evaluate_new(conf, first)
  local fine, nodes = true, {}
  for i = first, #conf.nodes do nodes[#nodes + 1] = conf.nodes[i] end
  local blocked = evaluation.run(conf, nodes)
  for _, node in ipairs(nodes) do fine = fine and node.state == "done" end
  return fine, blocked
end

-- Notes how many blocks a body has before its `dynamic` blocks generate more. If an earlier evaluation ended with an error, its generated
-- blocks are removed first.
local function begin_again(node, instance)
  node.sizes = node.sizes or {}
  local sizes = node.sizes[instance] or {}
  node.sizes[instance] = sizes
  for type in next, node.types do
    local kind = node.record.level.kinds[type]
    if kind and kind.nesting == "single" then
      instance.self[type], instance.result[type] = values.null, nil
    else
      for _, list in ipairs { instance.self[type] or none, instance.result[type] or none } do
        sizes[list] = sizes[list] or #list
        for i = #list, sizes[list] + 1, -1 do list[i] = nil end
      end
    end
  end
end

function acts.blocks(conf, node)
  local record, fine = node.record, true
  local schema, json = schemas.of(record.level, node.types), conf.json
  node.records, conf.json = {}, node.json
  for _, instance in ipairs(record.instances or none) do
    local body, err = body_evaluation.expand(node.body, schema, names_of(instance), conf.scope)
    if not body then return fail(conf, node, err) end
    begin_again(node, instance)
    local first = #conf.nodes + 1
    local holder = { level = record.level, kind = record.kind, labels = record.labels, block = record.block, parent = instance.parent,
                     record = record, each = instance.each, inner = {}, nodes = {}, arguments = {}, self = instance.self,
                     result = instance.result, types = node.types,
                     has_each = record.has_each }
    holder.instances = { holder }
    records.generate(conf, holder, body, node.types)
    node.records[#node.records + 1] = holder
    local sound, blocked = evaluate_new(conf, first)
    if blocked then return fail(conf, node, blocked) end
    fine = sound and fine
  end
  conf.json = json
  if not fine then record.failed = true end
  return fine
end

-- ---- the walk -------------------------------------------------------------------------------------------------------------

-- The most names that the message about a cycle lists.
local NAMED = 200

local function report_cycle(conf, circle)
  local names, index = {}, nil
  for _, node in ipairs(circle) do
    if node.what == "whole" then index = index or node.kinds and node.text
    elseif #names < NAMED then names[#names + 1] = evaluation.name(node) end
  end
  local first = circle[1]
  for _, node in ipairs(circle) do
    if node.what ~= "whole" then first = node break end
  end
  names[#names + 1] = names[1]
  local record = first.record
  local attribute = first.attribute or first.what == "variable" and record.arguments.default
  local place = attribute and places.of_attribute(attribute) or places.of_block(record.block)
  local text = ("%s depends on itself%s."):format(evaluation.name(first), #names > 2 and ": " .. table.concat(names, " → ") or "")
  if index then
    text = text .. (" An index that isn't constant, or %s as a whole, needs every block of that kind."):format(index)
  end
  return fail(conf, first, core.diagnose(rows.MODULE_CYCLE, place.object, place.range, text))
end

local function is_limit(err)
  local code = err and err[1].code
  return code == "limit.steps" or code == "limit.memory" or code == "memory"
end

-- ---- callbacks that ask -----------------------------------------------------------------------------------------------

-- A callback may ask its own configuration. So while a node is evaluated, its state is a Worker: a table with a weak reference to the
-- coroutine that evaluates it, because an abandoned coroutine never ends. An error that passes through doesn't remove the Worker, so only
-- the calls of `work` on the coroutine's stack say whether the node is still being evaluated.

local worker_mt = { __mode = "v" }

local work

---@return hclexpr.languages.Worker
local function worker_of(conf)
  local thread = core.thread()
  local last = conf.worker
  if not last or last[1] ~= thread then conf.worker = setmetatable({ thread, number = last and last.number + 1 or 1 }, worker_mt) end
  return conf.worker
end

-- Finds a path of needs from one of the nodes to `wanted`; returns only `wanted` if no path leads there.
local function way_to(nodes, wanted)
  local from, queue = {}, {}
  for _, node in ipairs(nodes) do
    from[node] = true
    queue[#queue + 1] = node
  end
  for _, node in ipairs(queue) do
    if node == wanted then break end
    for _, needed in ipairs(node.needs or none) do
      if not from[needed] then
        from[needed] = node
        queue[#queue + 1] = needed
      end
    end
  end
  local way = { wanted }
  while type(from[way[1]]) == "table" do table.insert(way, 1, from[way[1]]) end
  return way
end

-- Returns the nodes that a coroutine is evaluating, from `node` inwards; nil if `node` isn't among them.
local function at_work(thread, node)
  local list = {}
  for _, other in ipairs(core.activations(thread, work)) do
    table.insert(list, 1, other)
    if other == node then return list end
  end
end

-- Adds the nodes that are evaluated in coroutines that a callback made and waits for.
local function add_later(conf, worker, chain)
  local later, seen = {}, { [worker[1]] = true }
  for _, node in ipairs(conf.nodes) do
    local other = type(node.state) == "table" and node.state
    local thread = other and other.number > worker.number and other[1]
    if thread and not seen[thread] and coroutine.status(thread) ~= "suspended" then
      seen[thread] = true
      later[#later + 1] = other
    end
  end
  table.sort(later, function(a, b) return a.number < b.number end)
  for _, other in ipairs(later) do
    local above = core.activations(other[1], work)
    for i = #above, 1, -1 do chain[#chain + 1] = above[i] end
  end
end

-- Returns, for a node with a Worker, the diagnostic if asking for the node now is a cycle; nil if an error ended its evaluation. Raises an
-- error if another coroutine evaluates the node and its callback waits, because the same question works later.
local function blocked_by(conf, node, asked)
  local thread = node.state[1]
  local chain = thread and at_work(thread, node)
  if not chain then return nil end
  if thread ~= core.thread() and coroutine.status(thread) == "suspended" then
    check.raise(2, ("%s is being worked out by another coroutine, whose callback waits. Ask again once that has ended, or open the "
      .. "files once for each."):format(evaluation.name(node)))
  end
  add_later(conf, node.state, chain)
  for _, other in ipairs(way_to(asked, node)) do chain[#chain + 1] = other end
  local names = {}
  for _, other in ipairs(chain) do
    local name = evaluation.name(other)
    if name ~= names[#names] and other.what ~= "whole" then names[#names + 1] = name end
  end
  local place = node.attribute and places.of_attribute(node.attribute) or places.of_block(node.record.block)
  return core.diagnose(rows.MODULE_CYCLE, place.object, place.range,
    ("%s depends on itself: a function that it calls asks for it%s."):format(names[1],
      #names > 2 and ", " .. table.concat(names, " → ", 1, math.min(#names, NAMED)) or ""))
end

-- Evaluates a node. core.activations finds the node as the second argument of this call.
function work(conf, node)
  node.state = conf.asked and worker_of(conf) or nil
  local fine = acts[node.what](conf, node)
  node.state = fine and "done" or "failed"
  if is_limit(node.err) then conf.spent = true end
end

local function visit(graph, node)
  local conf, state = graph.conf, node.state
  if state == "done" or state == "failed" then return end
  if state then
    graph.blocked = blocked_by(conf, node, graph.asked) or graph.blocked
    if graph.blocked then return end
  end
  conf:breathe()
  for _, needed in ipairs(node.needs) do
    if needed == node then
      node.state = "failed"
      return report_cycle(conf, { node })
    end
    if needed.state == "failed" then
      node.state = "failed"
      if node.record.level then node.record.failed = true end
      return
    end
    if needed.state ~= "done" then return end -- the needed node is blocked, so this one is as well
  end
  if conf.spent then
    node.state = "failed"
    return
  end
  work(conf, node)
end

local function is_settled(node) return node.state == "done" or node.state == "failed" end

--- Evaluates nodes and everything that they need.
---@param conf hclexpr.languages.Configuration
---@param nodes hclexpr.languages.Node[]
---@return hclexpr.Diagnostics? blocked a callback asks for the value that it computes; nodes that need that value are unevaluated
function evaluation.run(conf, nodes)
  local graph = setmetatable({ conf = conf, asked = nodes }, graph_methods)
  order.each(graph, nodes, is_settled, function(node) visit(graph, node) end, function(component)
    for _, node in ipairs(component) do
      node.state = "failed"
      if node.record.level then node.record.failed = true end
    end
    report_cycle(conf, order.circle(graph, component))
  end)
  return graph.blocked
end

--- Returns the diagnostics of nodes and of everything that they need, or nil.
---@param nodes hclexpr.languages.Node[]
---@return hclexpr.Diagnostics?
function evaluation.problems(nodes)
  local found, seen, stack = {}, {}, {}
  for i = #nodes, 1, -1 do stack[#stack + 1] = nodes[i] end
  while #stack > 0 do
    local node = table.remove(stack)
    if not seen[node] and node.state ~= "done" then -- if a node is done, so is everything that it needs
      seen[node] = true
      if node.err then found[#found + 1] = node.err end
      for _, needed in ipairs(node.needs or {}) do stack[#stack + 1] = needed end
    end
  end
  return core.join_diagnostics(found)
end

return evaluation
