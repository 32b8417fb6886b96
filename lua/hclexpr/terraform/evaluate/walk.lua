-- A walk evaluates nodes in the order of the graph; a node is evaluated when its turn comes. In the mode "validate", a walk visits each
-- Config once, without the values of variables and resources. In the mode "plan", it visits each instance of a Config.
--
-- The names of an instance hold the values of its nodes. A node's reports are kept with the node, so that a change of the sources can
-- remove both. If a node failed, the nodes that need it are skipped without a report.
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local conditions = lazy "hclexpr.terraform.evaluate.conditions"
local dependencies = require "hclexpr.terraform.read.dependencies"
local deprecation = lazy "hclexpr.terraform.instance.deprecation"
local driver = require "hclexpr.driver"
local Findings = require "hclexpr.terraform.language.findings"
local instances = require "hclexpr.terraform.instance.instances"
local order = require "hclexpr.order"
local places = require "hclexpr.places"
local progress = lazy "hclexpr.terraform.evaluate.progress"
local references = require "hclexpr.terraform.read.references"
local naming = require "hclexpr.terraform.language.naming"

local value_of = core.expression_value

local none = {}

---@class hclexpr.module.Walk
---@field run hclexpr.Run the settings of this walk: state, inputs and requests such as targets
local Walk = {}
Walk.__index = Walk

-- Each kind of node has a row of functions. run(walk, step, instance) evaluates the node and returns whether it is sound. finish checks all
-- instances when they have been run. blank(walk, step, instance) puts an unknown value in place of a failed one, and skip does so if a need
-- failed. forget removes the value. renew replaces outputs by their new declarations. The functions get the node, or the step that similar
-- nodes share: a step that succeeds doesn't need a node.
local modules = lazy "hclexpr.terraform.evaluate.nodes.modules"
local rows = setmetatable({
  resource = lazy "hclexpr.terraform.evaluate.nodes.resources", action = lazy "hclexpr.terraform.evaluate.nodes.actions",
}, { __index = function(_, kind) return modules[kind] end })
for kind, row in pairs(require "hclexpr.terraform.evaluate.nodes.named_values") do rows[kind] = row end

---@param of hclexpr.Run
---@param mode "validate"|"plan"
---@return hclexpr.module.Walk
function Walk.new(of, mode)
  local module = of.module
  local walk = setmetatable({ run = of, module = module, evaluation = module.evaluation, graph = module.evaluation.graph, mode = mode,
                              scope = module.evaluation.scope, found = {}, outcomes = {}, instances = {}, checks = {}, messages = {},
                              invocations = {}, stuck = {}, cycles = {}, findings = Findings.new(), failed = false, uncharged = 0,
                              exhausted = false, meter = false }, Walk)
  walk.pauses = module.options.pause ~= nil or module.options.progress ~= nil
  -- The statuses of variables whose validation rules were checked for their defaults, by declaration (nodes/named_values.lua).
  walk.verdicts = setmetatable({}, { __mode = "k" })
  -- Without values all instances of a module are alike, so they share their names, and the results for one hold for all.
  if mode == "validate" then walk.shared, walk.twins, walk.quiet_twins, walk.whole = {}, {}, {}, {} end
  walk.root = instances.new(walk, module.root)
  walk.instances[module.root] = { walk.root }
  return walk
end

--- Returns the value of an expression in a frame. If it can't be evaluated, reports that and returns nil.
---@param expression hclexpr.Expression
---@param frame hclexpr.module.Frame
---@param deprecated? "within"|"kept"|"untold" within: reports deprecated uses and removes their marks from the value and all its elements;
--- kept: reports them but keeps the marks; untold: only removes the marks; nil: as within, but not for elements
---@return hclexpr.Value?
function Walk:value(expression, frame, deprecated)
  local context = frame.context
  if context.known[expression] ~= false then
    local faults = references.check(expression, context)
    if faults then
      references.report(self.findings, expression, faults, frame.instance.config)
      return nil
    end
  end
  local variables, scope = frame.variables, frame.instance.scope
  local value, more = value_of(expression, variables, scope)
  if more then
    local err = more
    if value ~= nil then value, err = driver.continue(expression, variables, scope, value, more) end
    if value == nil then
      self.findings:add(err)
      return nil
    end
  end
  if not self.evaluation.deprecations then return value end
  if deprecated == "untold" then return deprecation.strip(value) end
  local taken = deprecation.take(self, expression, value, deprecated == "within")
  return deprecated == "kept" and value or taken
end

--- In a validate walk, records a warning about an expression and returns false. In a plan, returns true if the warning was recorded, so
--- that it isn't repeated.
---@param expression hclexpr.Expression
---@return boolean
function Walk:has_warned(expression)
  local warned = self.evaluation.warned
  if self.mode == "validate" then warned[expression] = true end
  return self.mode == "plan" and warned[expression] ~= nil
end

--- Sets the status of an object that is checked, such as a resource with conditions. Of several statuses the worst one counts.
---@param address string
---@param status string
---@param message? string of a condition that failed
function Walk:check(address, status, message)
  self.checks[address] = conditions.worse(self.checks[address], status)
  if not message or message == "" then return end
  local messages = self.messages[address] or {}
  self.messages[address], messages[#messages + 1] = messages, message
end

--- Reports that a condition of the object with an address failed, unless a test expects the failure.
---@param address string
---@param row string
---@param place hclexpr.findings.Place
---@param text string
function Walk:fails(address, row, place, text, ...)
  local reported, findings = self.run:row_of(address, row)
  if findings then findings.within = self.findings.within end
  if reported then (findings or self.findings):report(reported, place, text, ...) end
end

-- Nodes

-- Kinds of nodes that a validate walk evaluates once for all modules of a folder.
local shared_kinds = { ["local"] = true, output = true, resource = true, action = true, check = true }

-- Returns the outcomes that the modules of a folder share, by key. Only for a validate walk: a plan doesn't share outcomes. Modules in
-- which deprecated uses aren't reported share a table of their own.
local function twins_of(walk, config)
  local twins, folder = config.quiet and walk.quiet_twins or walk.twins, config.folder
  local outcomes = twins[folder]
  if not outcomes then
    outcomes = {}
    twins[folder] = outcomes
  end
  return outcomes
end

-- Returns the outcomes of a Config's nodes, by key.
local function outcomes_of(walk, config)
  local outcomes = walk.outcomes[config]
  if not outcomes then
    outcomes = core.table_for(dependencies.outline(config.folder).total)
    walk.outcomes[config] = outcomes
  end
  return outcomes
end

--- Returns the outcome of a node, or nil if it wasn't evaluated yet.
---@param node hclexpr.module.Node
---@return "done"|"failed"|"skipped"|nil
function Walk:outcome(node)
  local outcomes = self.outcomes[node.config]
  return outcomes and outcomes[node.key]
end

local function may_run(walk, config, key)
  for _, needed in ipairs(walk.graph:needs(walk.graph:node(config, key))) do
    if walk:outcome(needed) ~= "done" then return false end
  end
  return true
end

-- Calls one function of a node's row, such as "skip", for each instance of its module.
local function pass(walk, config, step, what)
  local act = rows[step.kind][what]
  if not act then return end
  for _, instance in ipairs(walk.instances[config] or none) do act(walk, step, instance) end
end

-- The steps (limits.steps) that a node costs per instance besides its evaluation, and how many steps are charged at once.
local NODE_STEPS, LUMP = 10, 640

-- Ends the walk at a node if limits.steps or limits.memory is exhausted. The limits hold for all evaluations of a question (core.budget).
local function end_if_spent(walk, config, step)
  local steps_left, memory_left = core.spend(walk.scope, 0, 0)
  if walk.exhausted or steps_left > 0 and memory_left > 0 then return end
  local limits = core.scope_limits(walk.scope, true)
  local place, name = places.head_of(step.declaration), steps_left > 0 and "memory" or "steps"
  walk.exhausted = Findings.diagnose(steps_left > 0 and "MODULE_MEMORY" or "MODULE_STEPS", place.object, place.range, ("The module "
    .. "exceeded limits.%s, which is %.0f, at %s. Make it do less, or raise the limit."):format(
    name, limits[name], naming.within(config.address, step.key)))
  walk.failed = true
end

-- How many parts of nodes, such as instances, are counted between two calls of the option `pause`.
local CHANCE = 4

--- Counts a part of a long operation; calls the option `pause` after every few parts.
---@param share? number how much the part counts: 1 for a planned instance, less for reading an instance or a table entry
function Walk:breathe(share)
  local breathe = self.module.options.pause
  if not breathe then return end
  local parts = (self.parts or 0) + (share or 1)
  self.parts = parts < CHANCE and parts or 0
  if parts >= CHANCE then breathe() end
end

--- Charges steps and bytes for work that isn't evaluation. Returns false if a limit is exhausted.
---@param steps number
---@param memory number
---@return boolean
function Walk:charge(steps, memory)
  local steps_left, memory_left = core.spend(self.scope, steps, memory)
  return steps_left > 0 and memory_left > 0
end

-- Counts a part of a node; after every few parts, lets the host do other work.
local function pause(walk)
  if walk.meter then progress.tick(walk.meter, 0) else walk:breathe() end
end

-- Evaluates a step of a Config in all its instances; returns the outcome.
local function run(walk, turns, step)
  local row, of_config, findings, evaluation, sound = rows[step.kind], turns.instances, walk.findings, walk.evaluation, true
  local evaluate = row.run
  evaluation.turn, evaluation.turn_in = step, turns.config
  for i = 1, #of_config do -- not ipairs, which takes a thousand instructions for one instance
    local instance = of_config[i]
    findings.within = instance
    if walk.pauses then pause(walk) end
    if not evaluate(walk, step, instance) then
      if row.blank then row.blank(walk, step, instance) end
      sound = false
    end
  end
  local config = turns.config
  if row.finish then
    findings.within = config
    sound = row.finish(walk, walk.graph:node(config, step.key)) and sound
  end
  if findings.added > 0 then walk.found[walk.graph:node(config, step.key)], walk.findings = findings, Findings.new() end
  if sound then return "done" end
  walk.failed = true
  end_if_spent(walk, config, step)
  return "failed"
end

-- Charges the steps of visited nodes, many nodes at a time.
local function charge_nodes(walk, config, step)
  local steps = walk.uncharged
  walk.uncharged = 0
  if not walk:charge(steps, 0) then end_if_spent(walk, config, step) end
end

-- Visits a step of a Config: a node, or the part that similar nodes share. Everything that it needs was visited before.
local function visit(walk, turns, step)
  local key, twins = step.key, turns.twins
  if walk.pauses and walk.meter then progress.tick(walk.meter, 1) end
  local uncharged = walk.uncharged + turns.cost
  walk.uncharged = uncharged
  if uncharged >= LUMP then charge_nodes(walk, turns.config, step) end
  if walk.failed and (walk.exhausted or not may_run(walk, turns.config, key)) then
    turns.outcomes[key] = "skipped"
    pass(walk, turns.config, step, "skip")
  elseif twins and shared_kinds[step.kind] then
    local outcome = twins[key] or run(walk, turns, step)
    turns.outcomes[key], twins[key] = outcome, outcome
  else
    turns.outcomes[key] = run(walk, turns, step)
  end
end

-- Makes the record that visits of a Config's steps use. instances: the Config's known instances; twins: the outcomes that all Configs of
-- its folder share, or nil; cost: what a visit costs, in steps.
local function turns_of(walk, config)
  local of_config = walk.instances[config] or none
  return { config = config, instances = of_config, cost = NODE_STEPS * #of_config, outcomes = outcomes_of(walk, config),
           twins = walk.twins and twins_of(walk, config) }
end

local function visit_node(walk, node)
  visit(walk, turns_of(walk, node.config), node)
end

-- Records a cycle, a group of nodes that need each other. All of them fail, because none can be evaluated first.
local function enter_cycle(walk, component)
  walk.cycles[#walk.cycles + 1] = component
  walk.failed = true
  for _, node in ipairs(component) do
    outcomes_of(walk, node.config)[node.key] = "failed"
    pass(walk, node.config, node, "blank")
  end
end

-- Records that the visits have ended: later evaluations don't belong to a node.
local function end_turns(walk)
  walk.running, walk.evaluation.turn = false, nil
end

--- Evaluates nodes after everything that they need. Nodes that were evaluated before keep their outcome.
---@param nodes hclexpr.module.Node[]
function Walk:evaluate(nodes)
  self.running = true
  order.each(self.graph, nodes, function(node) return self:outcome(node) ~= nil end,
    function(node) visit_node(self, node) end, function(component) enter_cycle(self, component) end)
  if nodes[1] then charge_nodes(self, nodes[1].config, nodes[1]) end
  end_turns(self)
end

-- Makes the record of turns_of for a Config whose steps are visited in sequence. In a validate walk all modules of a folder are alike:
-- after a sound one, the others take its outcomes for the nodes that they share.
local function entered(walk, config, made)
  local turns = turns_of(walk, config)
  turns.steps, turns.at = made.steps, 0
  if turns.twins and not walk.failed and walk.whole[turns.twins] then
    setmetatable(turns.outcomes, { __index = turns.twins })
    turns.steps = made.inputs
  end
  return turns
end

-- Evaluates the steps of a tree of modules in the order of its folders' sequences.
local function run_sequences(walk, sequences)
  local root = walk.module.root
  local stack = { entered(walk, root, sequences[root.folder]) }
  local function leave(top)
    stack[#stack] = nil
    if top.twins and not walk.failed then walk.whole[top.twins] = true end
    local call, above = top.config.call, stack[#stack]
    if not above then return end
    local step = dependencies.step(above.config.folder, call.address .. " (close)")
    if above.outcomes[step.key] == nil then visit(walk, above, step) end
  end
  local top = stack[1]
  while top do
    local steps, outcomes, child = top.steps, top.outcomes, nil
    for i = top.at + 1, #steps do
      local step = steps[i]
      if outcomes[step.key] == nil then visit(walk, top, step) end
      if step.kind == "call" then
        top.at, child = i, top.config.children[step.declaration.name]
        if child then break end
      end
    end
    if child then stack[#stack + 1] = entered(walk, child, sequences[child.folder]) else leave(top) end
    top = stack[#stack]
  end
end

--- Evaluates all nodes.
function Walk:evaluate_all()
  local sequences = not self.failed and self.graph:sequences()
  if not sequences then return self:evaluate(self.graph:all()) end
  self.running = true
  run_sequences(self, sequences)
  charge_nodes(self, self.module.root, dependencies.steps(self.module.root.folder).list[1])
  end_turns(self)
end

--- Forgets the value, the reports and the outcome of a node.
---@param node hclexpr.module.Node
function Walk:forget(node)
  outcomes_of(self, node.config)[node.key], self.found[node], self.evaluation.outside[node] = nil, nil, nil
  self.causes = nil
  if self.twins then
    local twins = twins_of(self, node.config)
    twins[node.key], self.whole[twins] = nil, nil
  end
  -- The close node of a module doesn't forget the results of checks in the module.
  for _, instance in ipairs(node.kind ~= "close" and self.instances[node.config] or none) do
    local address = naming.within(instance.address, node.declaration.address)
    for checked in pairs(self.checks) do
      local own = checked == address or checked:sub(1, #address + 1) == address .. "["
      if own then self.checks[checked], self.messages[checked] = nil, nil end
    end
  end
  pass(self, node.config, node, "forget")
end

--- Updates what depends on the declarations of a module that has changed. (A plan needs no update, because its outputs are put into the
--- call's value one by one.)
---@param config hclexpr.module.Config of the module
function Walk:renew_module(config)
  if self.mode ~= "validate" then return end
  self.whole[twins_of(self, config)] = nil
  if config.parent then pass(self, config.parent, self.graph:node(config.parent, config.call.address), "renew") end
end

--- Returns the report of a cycle: nodes that need each other.
---@param graph hclexpr.module.Graph
---@param component hclexpr.module.Node[]
---@return hclexpr.Diagnostics
function Walk.cycle(graph, component)
  if component.report then return component.report end
  local names, at = {}, {}
  for i, node in ipairs(order.circle(graph, component)) do
    local range = node.declaration and places.head_of(node.declaration).range
    names[i], at[i] = graph.id(node), range and (" (%s:%d)"):format(range.filename, range.start.line)
  end
  component.report = Findings.circle(names, at)
  return component.report
end

--- Returns the reports of all cycles among nodes, or nil if they have no cycle.
---@param graph hclexpr.module.Graph
---@param nodes hclexpr.module.Node[]
---@return hclexpr.Diagnostics?
function Walk.cycles_in(graph, nodes)
  local lists = {}
  order.each(graph, nodes, function() graph.breathe() end, function() end, function(component)
    lists[#lists + 1] = Walk.cycle(graph, component)
  end)
  return core.join_diagnostics(lists, true)
end

--- Returns true if the walk has found anything to report so far.
---@return boolean
function Walk:has_found()
  return self.failed or next(self.found) ~= nil
end

-- Sorts the reports of a module's nodes within each file. Needed because a resource also reports mistakes in its import blocks, which may
-- be anywhere.
local function by_place(list)
  local group = 0
  for i, row in ipairs(list) do
    local last = list[i - 1]
    local together = last and last.config == row.config and last.range and row.range and last.range.filename == row.range.filename
    group = together and group or group + 1
    row.group, row.byte = group, row.range and row.range.start.byte or 0
  end
  table.sort(list, function(a, b)
    if a.group ~= b.group then return a.group < b.group end
    return a.byte < b.byte or a.byte == b.byte and a.at < b.at
  end)
  return list
end

--- Returns all reports in source order, or nil if nothing was reported.
---@return hclexpr.Diagnostics?
function Walk:diagnostics()
  local lists = {}
  for _, component in ipairs(self.cycles) do lists[#lists + 1] = Walk.cycle(self.graph, component) end
  if self.exhausted then lists[#lists + 1] = self.exhausted end
  -- With a cycle or an exhausted limit nothing else is reported, because most of it would be a consequence.
  if #lists > 0 then return core.join_diagnostics(lists) end
  local found = {}
  for i, node in ipairs(next(self.found) and self.graph:all() or none) do
    local list = self.found[node] and self.found[node]:diagnostics()
    if list then found[#found + 1] = { list = list, config = node.config, range = list[1].range, at = i } end
  end
  for i, row in ipairs(by_place(found)) do lists[i] = row.list end
  return core.join_diagnostics(lists, true)
end

return Walk
