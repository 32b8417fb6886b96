-- Answers questions about a module (plan, value, eval, explain, missing, outputs) and reports the mistakes in its files.
local lazy = require "hclexpr.lazy"
local actions = lazy "hclexpr.terraform.plan.actions"
local addresses = lazy "hclexpr.terraform.read.addresses"
local place = lazy "hclexpr.terraform.module.place"
local planned_changes = lazy "hclexpr.terraform.plan.changes"
local check = require "hclexpr.check"
local instance_cycles = lazy "hclexpr.terraform.plan.instance_cycles"
local conditions = require "hclexpr.terraform.evaluate.conditions"
local config_tree = require "hclexpr.terraform.tree.config"
local core = require "hclexpr.core"
local deprecation = lazy "hclexpr.terraform.instance.deprecation"
local constants = require "hclexpr.terraform.tree.constants"
local explaining = lazy "hclexpr.terraform.module.explaining"
local Findings = require "hclexpr.terraform.language.findings"
local frames = require "hclexpr.terraform.instance.frames"
local Graph = require "hclexpr.terraform.graph.graph"
local impure = require "hclexpr.terraform.instance.impure"
local instances = require "hclexpr.terraform.instance.instances"
local missing = lazy "hclexpr.terraform.tree.missing"
local orphans = lazy "hclexpr.terraform.plan.orphans"
local moves = lazy "hclexpr.terraform.module.moves"
local plan_options = lazy "hclexpr.terraform.module.plan_options"
local progress = lazy "hclexpr.terraform.evaluate.progress"
local references = require "hclexpr.terraform.read.references"
local Run = require "hclexpr.terraform.run.run"
local registry = require "hclexpr.terraform.providers.registry"
local shown_plan = lazy "hclexpr.terraform.show.plan"
local sorted = require("hclexpr.util").sorted
local State = lazy "hclexpr.terraform.plan.state"
local attribute_paths = lazy "hclexpr.terraform.schema.attribute_paths"
local target_addresses = lazy "hclexpr.terraform.read.target_addresses"
local unknown_cause = lazy "hclexpr.terraform.instance.unknown_cause"
local Walk = require "hclexpr.terraform.evaluate.walk"
local naming = require "hclexpr.terraform.language.naming"

local answers = {}

-- Makes the scope that all evaluations share, with one budget for all. Its functions may read files in the root's folder, the other folders
-- that were read, and options.filesystem, in this order.
local function scope_of(module)
  local host, loader = module.options.scope, module.loader
  local functions = impure.functions(host)
  local scope = core.scope { parent = host, functions = functions }
  module.evaluation.before_plan = impure.before_plan(functions)
  local granted = { module.home or module.root.folder.key }
  for key, folder in pairs(loader.folders) do
    if folder and key ~= granted[1] then granted[#granted + 1] = key end
  end
  granted[#granted + 1] = module.options.filesystem
  core.grant_folders(scope, granted)
  if module.lenient then core.note_outside(scope, missing.noter(module)) end
  core.budget(scope)
  return scope
end

-- Returns a function that finds the scope for a folder's sources. The scope has the functions of the providers that the folder requires.
local function scope_finder(module)
  local scopes = setmetatable({}, { __mode = "k" })
  return function(folder)
    if not scopes[folder] then
      local functions = next(folder.required_providers) ~= nil and registry.functions_of(module, folder) or nil
      scopes[folder] = functions and core.scope { parent = module.evaluation.scope, functions = functions } or module.evaluation.scope
    end
    return scopes[folder]
  end
end

-- Prepares a module whose files are loaded: makes its Evaluation with the graph, the scopes, and the functions that find providers.
---@param module hclexpr.Module
function answers.begin(module)
  local evaluation = {
    graph = Graph.new(module.root, module.options.pause), walks = {}, outside = {}, warned = setmetatable({}, { __mode = "k" }),
    check_steps = function(...) return attribute_paths.check(...) end,
  }
  module.evaluation = evaluation
  registry.prepare(module)
  evaluation.usual = Run.new(module, { state = module.documents.state and State.new(module, module.documents.state) or nil })
  evaluation.scope = scope_of(module)
  evaluation.scope_of = scope_finder(module)
  module.begun = true
end

-- Returns the walk of a mode ("validate" or "plan") that questions and plans without options share. Makes a new one at the first use, or if
-- a callback's error or a limit ended the last one.
local function walk_of(module, mode)
  local walk = module.evaluation.walks[mode]
  if not walk or walk.running or walk.exhausted then
    walk = Walk.new(module.evaluation.usual, mode)
    module.evaluation.walks[mode] = walk
  end
  return walk
end

-- Returns the walk of a run. Only the walks of the usual run are kept; any other run gets a new one.
local function walk_for(of, mode)
  return of == of.module.evaluation.usual and walk_of(of.module, mode) or Walk.new(of, mode)
end

-- Evaluates everything that the walk's run needs; returns the findings.
---@return hclexpr.Diagnostics? found
local function finish(walk, meter)
  walk.meter = meter
  local targets = walk.mode == "plan" and walk.run.targets
  if targets then walk:evaluate(targets.list) else walk:evaluate_all() end
  walk.meter = false
  return walk:diagnostics()
end

-- Returns true if any folder has declarations in a list: "actions", or "others" for blocks such as `moved`.
local function has(module, list)
  for _, folder in pairs(module.loader.folders) do
    if folder and next(folder[list]) ~= nil then return true end
  end
  return false
end

-- Checks the module of a run by a validate walk, which doesn't know the inputs. `loaded` has the problems of its files. Returns true if the
-- module is sound, otherwise nil; then the findings.
local function check_all(of, loaded, meter)
  local module = of.module
  if Findings.has_errors(loaded) then return nil, loaded end
  local absent = has(module, "actions") and actions.unknown_types(module)
  if absent then return nil, Findings.join(loaded, absent) end
  local others = has(module, "others")
  absent = others and moves.without_module(module.root)
  if absent then return nil, Findings.join(loaded, absent) end
  local walk = walk_for(of, "validate")
  local found = Findings.join(loaded, finish(walk, meter))
  if others then found = Findings.join(found, moves.without_target(walk)) end
  if not Findings.has_errors(found) then return true, found end
  local first = constants.wrong_locals(module.root, module.evaluation.scope_of)
  return nil, first and Findings.join(loaded, first) or found
end

-- Calls act(module, meter, of) and reports its progress. `walks` says how often act visits all nodes.
---@return any, any, any
local function metered(module, walks, act, of)
  local o = module.options
  local meter = (o.progress or o.pause) and progress.begin(module, o.progress and walks * #module.evaluation.graph:all() or 0)
  local a, b, c = act(module, meter, of)
  if meter then progress.finish(meter) end
  return a, b, c
end

--- Reports everything that is wrong regardless of the inputs, except in test files.
---@return true? sound
---@return hclexpr.Diagnostics? err only warnings if it is sound
function answers:_validate_files()
  return metered(self, 1, function(module, meter) return check_all(module.evaluation.usual, module.problems, meter) end)
end

--- Reports what is wrong with a module when a run uses it, apart from mistakes in its files.
---@param of hclexpr.Run
---@return hclexpr.Diagnostics?
function answers.check(of)
  return select(2, check_all(of))
end

-- Plans

-- Adds the statuses of the walk's conditions by address. A declaration that has conditions but lacks instances gets a status by its
-- declared address: it passed, or was never reached.
local function add_checks(walk, checks)
  local declared = {}
  for address, status in pairs(walk.checks) do
    checks[address] = status
    declared[naming.without_keys(address)] = true
  end
  for _, node in ipairs(walk.graph:of_list "checked") do
    local address = naming.within(node.config.address, node.declaration.address)
    if not declared[address] then checks[address] = conditions.of_none(walk, node) end
  end
end

local untyped = check.certain(core.value(core.null))

-- Returns a value; a typed null becomes an untyped one with the same marks. Reference: a null output doesn't have a type in a plan.
local function without_type(value)
  if not value:is_null() then return value end
  local made = untyped
  for _, mark in ipairs(value:marks()) do made = made:mark(mark) end
  return made
end

local function plan_of(walk, warnings)
  local all, resources, gone = shown_plan.resources(walk)
  local plan = { outputs = {}, changes = all, resources = resources, gone = gone, checks = {}, warnings = warnings,
                 missing = missing.list(walk.module) }
  for name, value in pairs(planned_changes.planned_outputs(walk)) do plan.outputs[name] = without_type(value) end
  plan.output_changes = planned_changes.outputs(walk, plan.outputs)
  add_checks(walk, plan.checks)
  plan.messages = {} -- the field had this name before 1.0
  for address, messages in pairs(walk.messages) do plan.messages[address] = messages end
  for address, status in pairs(plan.checks) do plan.checks[address] = { status = status, messages = plan.messages[address] or {} } end
  return plan
end

local function nothing(module)
  return { outputs = {}, changes = {}, resources = {}, gone = {}, checks = {}, messages = {}, output_changes = {},
           missing = missing.list(module) }
end

-- Plans what can be planned despite mistakes. The plan is empty if the run destroys, if parts are unreadable, or if the files have errors
-- and the option `missing` isn't "unknown".
local function partial(of, meter)
  local module = of.module
  if of.mode == "destroy" or module.unreadable or (not module.lenient and Findings.has_errors(module.problems)) then
    return nothing(module)
  end
  local walk = walk_for(of, "plan")
  finish(walk, meter)
  return plan_of(walk)
end

-- Prepares a destroy plan: first refreshes the existing objects, if any. Returns the findings, and true if they rule out a plan. Reference:
-- only errors of the refresh are reported, and the results of its conditions are dropped.
local function destroyed(walk, meter)
  local state = walk.run.state
  local found = state and walk.run.refresh and not state:is_empty() and finish(walk, meter) or nil
  local wrong = has(walk.module, "others") and moves.wrong(walk) or found
  if Findings.has_errors(wrong) then return wrong, true end
  walk.checks, walk.messages = {}, {}
  return orphans.prevented(walk)
end

-- Returns the addresses of a resource's instances if the given address lacks a key but the instances have keys; otherwise an empty list.
local function replaceable(walk, address)
  local target, list = target_addresses.of_text(address), {}
  local instance = target and instances.at(walk.root, target.steps)
  local expansion = instance and target and target.instance == false and instance.resources[target.address]
  for _, key in ipairs(expansion and expansion.keys or {}) do list[#list + 1] = key ~= false and naming.instance(address, key) or nil end
  return list
end

-- Reports each address to replace that lacks the key of an instance; returns nil if all are complete.
local function unreplaced(walk)
  local findings = Findings.new(true)
  for _, address in ipairs(sorted(walk.run.replaced)) do
    local keys = replaceable(walk, address)
    if keys[1] then
      findings:report("MODULE_REPLACED_NOTHING", {}, "%s has several instances, so it can't be replaced as a whole. Name one of "
        .. "them: %s", address, table.concat(keys, ", "))
    end
  end
  return findings:diagnostics()
end

-- Returns a warning that the plan is partial, or nil for a run without targets.
local function targeted(of)
  return of.targets and Findings.diagnose("MODULE_TARGETED", nil, nil, "Only the targets and their dependencies are planned, so "
    .. "changes may be missing. Targets are for exceptions: make a full plan afterwards.") or nil
end

-- Evaluates what a plan needs and returns the findings. The second result is true if no plan can be made, the third if not even a partial
-- plan can be made.
local function planned(walk, meter)
  local module, of = walk.module, walk.run
  local removed = has(module, "others") and moves.not_removed(module.root)
  if removed then return removed, true end
  local outside = of.targets and moves.outside(of)
  if outside then return outside, true, true end
  if of.mode == "destroy" then return destroyed(walk, meter) end
  local found = finish(walk, meter)
  if next(of.replaced) then found = Findings.join(found, unreplaced(walk)) end
  if has(module, "others") then
    -- Reference: other mistakes are left out, because they may follow from wrong moves.
    local wrong, without_target = moves.wrong(walk), moves.without_target(walk)
    if wrong then return Findings.join(wrong, without_target), true end
    found = Findings.join(found, without_target)
  end
  local sound = not Findings.has_errors(found)
  if sound and has(module, "resources") then found = Findings.join(found, instance_cycles.wrong(walk)) end
  return found
end

--- Evaluates a module as the plan of a run does; returns the walk and its findings.
---@param of hclexpr.Run
---@return hclexpr.module.Walk
---@return hclexpr.Diagnostics?
function answers.try(of)
  local walk = walk_for(of, "plan")
  return walk, (planned(walk))
end

-- Makes the walk of a plan; returns it with its errors or warnings. If mistakes rule out a plan, returns nil and the mistakes; the third
-- result is true if they rule out a partial plan too.
local function walk_plan(self, meter, of)
  local given = self.input_problems
  if Findings.has_errors(given) then return nil, given end
  if Findings.has_errors(self.problems) then return nil, self.problems end
  local sound, err = check_all(self.evaluation.usual, self.problems, meter)
  if not sound then return nil, err end
  if #self.root.folder.files == 0 then
    return nil, Findings.diagnose("MODULE_EMPTY", nil, nil, ("The folder %s has no files *.tf, *.tofu, *.tf.json or *.tofu.json, so "
      .. "there is nothing to plan."):format(core.quote(self.dir)))
  end
  local walk = walk_for(of, "plan")
  local found, none, nor_part = planned(walk, meter)
  found = Findings.join(found, targeted(of))
  if none then return nil, Findings.join(err, found), nor_part end
  return walk, Findings.join(Findings.join(err, found), planned_changes.lost(walk))
end

local function plan(self, meter, of)
  local walk, found, nothing_at_all = walk_plan(self, meter, of)
  if not walk then return nil, found, nothing_at_all and nothing(self) or partial(of, meter) end
  if Findings.has_errors(found) then return nil, found, plan_of(walk) end
  return plan_of(walk, found)
end

--- Makes the walk of a plan for other files; returns nil if nothing could be planned.
---@param self hclexpr.Module
---@param options table of the plan, checked (plan_options.known)
---@return hclexpr.module.Walk?
---@return hclexpr.Diagnostics? err what is wrong, or warnings
function answers.walk(self, options)
  local of, err = plan_options.run(self, options)
  if not of then return nil, err end
  return metered(self, 2, walk_plan, of)
end

--- Evaluates the whole module as a plan does.
---@param options? { destroy?: boolean, refresh_only?: boolean, refresh?: boolean, targets?: string[], replace?: string[] }
---@return hclexpr.Plan? plan
---@return hclexpr.Diagnostics? err
---@return hclexpr.Plan? plan what was planned before errors stopped it
function answers:plan(options)
  local of, err = self.evaluation.usual, nil
  if options ~= nil then of, err = plan_options.run(self, check.options(1, "plan", options, plan_options.known)) end
  if not of then return nil, err end
  return metered(self, 2, plan, of)
end

-- Single values

local function refuse_module(address)
  return nil, Findings.diagnose("MODULE_SCOPE", nil, nil, ("No module instance has the address %s. The instances of a call with count "
    .. "or for_each need their key: module.a[0], module.b[\"k\"]."):format(core.quote(address)))
end

-- Returns the module instance of an address after evaluating the calls that lead to it, or nil if the instance doesn't exist.
local function instance_of(walk, address)
  local instance = walk.root
  for _, step in ipairs(address == "" and {} or addresses.module_steps(address) or { { name = "", key = false } }) do
    local node = walk.graph:node(instance.config, naming.call(step.name))
    if node then walk:evaluate { node } end
    local expansion = instance.children[step.name]
    instance = expansion and expansion.instances[step.key]
    if not instance then return nil end
  end
  return instance
end

local unevaluated = {
  variable = function(names, ref) return names.var[ref.name] == nil end,
  ["local"] = function(names, ref) return names["local"][ref.name] == nil end,
  resource = function(_, ref, instance)
    local declaration = references.resource_in(instance.config.folder, ref.key)
    return instances.home(instance.all, declaration)[ref.name] == nil
  end,
}

-- Returns the errors that keep a module from answering any question, or nil. They include cycles: the nodes of a cycle can't be evaluated,
-- and which other nodes need them isn't known. With the option missing = "unknown", a module answers questions that don't depend on the
-- errors, unless a broken part matters to everything.
local function refusal(module)
  if module.lenient and not module.unreadable then return nil end
  if Findings.has_errors(module.problems) then return module.problems end
  local graph, unchecked = module.evaluation.graph, module.evaluation.unchecked
  if unchecked then
    local nodes = {}
    for node in pairs(unchecked) do
      if graph:node(node.config, node.key) == node then nodes[#nodes + 1] = node end
    end
    module.evaluation.cycles = Walk.cycles_in(graph, nodes) or false
    module.evaluation.unchecked = nil
  elseif module.evaluation.cycles == nil then
    module.evaluation.cycles = Walk.cycles_in(graph, graph:all()) or false
  end
  return module.evaluation.cycles or nil
end

-- Rejects a result of type() inside another value. Reference: such a result can only be shown by itself.
local function check_type_call(value)
  if core.kind(value) == "capsule" then return nil end
  for _, mark in ipairs(core.marks_within(value) or {}) do
    if mark == "type" then
      return Findings.diagnose("MODULE_TYPE_CALL", nil, nil, "type() must be the whole expression: its result can only be "
        .. "shown.")
    end
  end
end

-- Returns faults for names of ephemeral resources; nil without such names or if the run has a state. Reference: their values are gone once a
-- plan is made.
local function expired(walk, expression)
  local faults = {}
  for _, ref in ipairs(walk.run.state and {} or references.with_places(expression)) do
    if ref.mode == "ephemeral" then
      faults[#faults + 1] = { row = "MODULE_UNEVALUATED", range = ref.range, text = ("%s has a value only while a plan is made. Ask for "
        .. "something that is made of it."):format(ref.key) }
    end
  end
  return #faults > 0 and faults or nil
end

local function first_error(err)
  for _, d in ipairs(err or {}) do
    if d.severity == "error" then return d end
  end
end

-- Lists the mistakes in evaluated nodes and in everything that these need; returns nil if they include no errors.
local function faults_below(walk, nodes)
  local seen, stack, wrong, lists = {}, nodes, {}, {}
  while #stack > 0 do
    local node = table.remove(stack)
    if not seen[node] then
      seen[node] = true
      if walk.failed and walk.found[node] then wrong[#wrong + 1] = node end
      for _, needed in ipairs(walk.graph:needs(node)) do stack[#stack + 1] = needed end
    end
  end
  -- Several mistakes are reported in the order of the sources.
  for _, node in ipairs(wrong[2] and walk.graph:all() or wrong) do
    local found = seen[node] and walk.found[node]
    if found then lists[#lists + 1] = found:diagnostics() end
  end
  for _, component in ipairs(walk.cycles) do
    if seen[component[1]] then lists[#lists + 1] = Walk.cycle(walk.graph, component) end
  end
  if walk.exhausted then lists = { walk.exhausted } end
  local err = core.join_diagnostics(lists, true)
  return Findings.has_errors(err) and err or nil
end

-- Lists the names that weren't evaluated because something that they need failed. Each report names the first mistake.
local function not_reached(walk, nodes, expression, instance)
  local faults, cause = {}, nil
  for _, ref in ipairs(references.with_places(expression)) do
    local is_missing = unevaluated[ref.kind]
    if is_missing and references.is_declared(instance.config.folder, ref) and is_missing(instance.names, ref, instance) then
      cause = cause or first_error(faults_below(walk, nodes))
      local at = cause and cause.range
      local what = at and ("Something that it needs failed in %s line %d: %s."):format(at.filename, at.start.line, cause.summary)
        or cause and ("Something that it needs failed: %s."):format(cause.summary)
        or "Something that it needs failed: validate or plan reports it."
      faults[#faults + 1] = { row = "MODULE_UNEVALUATED", range = ref.range, text = ("%s was not evaluated. %s"):format(ref.key, what) }
    end
  end
  return #faults > 0 and faults or nil
end

local function faults_of(walk, expression, frame)
  references.of(expression, frame.bound)
  local faults = references.check(expression, frame.context) or expired(walk, expression)
  if faults then return faults end
  local instance = frame.instance
  if instance.config.folder.unsure then
    missing.assume(instance.config.folder, expression, instance.names, instance.all, instances.home)
  end
  local nodes = walk.graph:named(expression, instance.config)
  walk:evaluate(nodes)
  local unreached = not_reached(walk, nodes, expression, frame.instance)
  if unreached then return unreached end
  return nil, walk.failed and faults_below(walk, nodes) or nil
end

-- Returns true if anything in a module was evaluated. Reference: if the variables of a module failed, and with them everything in it, no
-- expression can be evaluated there.
local function is_reached(walk, instance)
  if not instance.parent then return true end
  local nodes = walk.graph:inner_nodes(instance.config)
  for _, node in ipairs(nodes) do
    walk:evaluate { node }
    if walk:outcome(node) ~= "skipped" then return true end
  end
  return #nodes == 0
end

local function compiled(source)
  local expression, err = core.compile(source, { filename = "console" })
  return expression, err and Findings.join(err)
end

-- Returns the scope in which a console evaluates expressions of a frame.
local function console_of(frame)
  local instance = frame.instance
  instance.console = instance.console or core.scope { parent = instance.scope, console = true }
  if not frame.lookup then return instance.console end
  return core.scope { parent = instance.console, lookup = frame.lookup }
end

-- Explains why output.NAME has no value: returns err if the output is declared, otherwise Diagnostics that it isn't.
local function without_value(expression, traversal, folder, err)
  local name = traversal.steps[2].text
  if folder.outputs[name] then return err end
  local near = core.suggest(name, sorted(folder.outputs))
  return Findings.diagnose("MODULE_UNDECLARED", expression, traversal.range, ("No output %s is declared in the root module.%s"):format(
    core.quote(name), near and (" Did you mean %s?"):format(core.quote(near)) or ""))
end

-- Returns the frame, with the name `output` added if an expression in the root reads outputs; or nil and diagnostics if an output has no
-- value. A console in the root has that name; the module's own expressions don't.
local function with_outputs(walk, frame, expression)
  local named = {}
  for _, traversal in ipairs(core.traversals(expression)) do
    if traversal.steps[1].text == "output" then named[#named + 1] = traversal end
  end
  if not named[1] or frame.instance.parent then return frame end
  local outputs, err = check.readable(walk.module:outputs())
  if not outputs then return nil, err end
  for _, traversal in ipairs(named) do
    local step = traversal.steps[2]
    if step and step.kind == "attr" and outputs[step.text] == nil then
      return nil, without_value(expression, traversal, frame.instance.config.folder, err)
    end
  end
  local variables, bound = { output = outputs }, { output = true }
  for name, value in pairs(frame.variables or {}) do variables[name] = value end
  for name in pairs(frame.bound or {}) do bound[name] = true end
  return { instance = frame.instance, context = frame.context, lookup = frame.lookup, variables = variables, bound = bound }
end

local function value_in(walk, frame, source)
  local expression, err = compiled(source)
  if expression == nil then return nil, err end
  local inner, wrong = with_outputs(walk, frame, expression)
  if not inner then return nil, wrong end
  local faults, failed = faults_of(walk, expression, inner)
  if faults then return nil, references.diagnostics(expression, faults, inner.instance.config) end
  local value, why = expression:value(inner.variables, console_of(inner))
  if value == nil then return nil, Findings.join(why) end
  local used = check_type_call(value)
  if used then return nil, used end
  if walk.evaluation.deprecations then value = deprecation.strip(value) end
  return Findings.results(value, failed)
end

-- Returns the first instance of the module that a file belongs to, and the walk with its values. The walk is a validate walk if a plan has
-- no such instance or evaluates nothing in it. Returns nil if no module has the file.
local function instance_of_file(module, path)
  local config = place.config(module.root, path)
  if not config then return nil end
  for _, mode in ipairs { "plan", "validate" } do
    local walk = walk_of(module, mode)
    local instance = place.instance(walk, config)
    if instance and (mode == "validate" or is_reached(walk, instance)) then return instance, walk end
  end
end

-- Returns the frame of a place, the walk with its values, and the declaration whose key the frame uses; or nil if the module's instance
-- doesn't exist or nothing in it was evaluated.
local function frame_of(module, where)
  local instance, walk
  local path = where.filename and config_tree.file_at(module.loader, where.filename)
  if path and not where.module then instance, walk = instance_of_file(module, path) end
  if not instance then
    walk = walk_of(module, "plan")
    instance = instance_of(walk, where.module or "")
    if not instance or not is_reached(walk, instance) then return nil end
  end
  ---@cast walk -?
  if not (path and where.byte) then return frames.plain(walk, instance), walk end
  local frame, several = place.frame(walk, instance, path, where.byte, function(source, inner)
    return (check.readable(value_in(walk, inner, source)))
  end)
  return frame, walk, several
end

local where_options = { module = "string", filename = "string", byte = "number" }
local where_aliases = { scope = "module", path = "filename" }

-- Evaluates a source and returns shaped(value, err). Methods call it as a tail call, so that an error of misuse names the method's caller.
local function answer(module, name, source, where, shaped)
  check.type(1, name, source, "string")
  where = check.options(2, name, where, where_options, where_aliases)
  local refused = refusal(module)
  if refused then return nil, refused end
  local frame, walk = frame_of(module, where)
  if not frame then return refuse_module(where.module or "") end
  return shaped(value_in(walk, frame, source))
end

--- Returns true if the module has anything to report in what it read and evaluated so far.
---@param module hclexpr.Module
---@return boolean
function answers.has_found(module)
  local walk = module.begun and module.evaluation.walks.plan
  return module.problems ~= nil or module.input_problems ~= nil or walk and walk:has_found() or false
end

--- Returns the value of an expression as a console shows it.
---@param source string
---@param where? hclexpr.Where
---@return hclexpr.Value? value
---@return hclexpr.Diagnostics? err
---@return hclexpr.Value? partial unknown where a name failed
function answers:value(source, where)
  return answer(self, "value", source, where, function(...) return ... end)
end

--- Returns the value of an expression as plain Lua data, or nil if anything that the expression needs is wrong.
---@param source string
---@param where? hclexpr.Where
---@return any value
---@return hclexpr.Diagnostics? err
function answers:eval(source, where)
  return answer(self, "eval", source, where, function(value, err)
    if value == nil then return nil, err end
    return value:lua()
  end)
end

-- Splits the address of an output, such as module.a.output.b, into the address of the module's instance and the output's name. Such an
-- address isn't an expression.
local function output_address(source)
  local scope, name = source:match "^%s*(module%..-)%.output%.([%w_-]+)%s*$"
  if scope then return scope, name end
  return "", source:match "^%s*output%.([%w_-]+)%s*$"
end

-- Returns the expression of an output, its frame and its walk if the source is the output's address; otherwise nil.
local function output_of(module, source)
  local scope, name = output_address(source)
  if not name then return nil end
  local walk = walk_of(module, "plan")
  local instance = instance_of(walk, scope)
  if not instance then return nil end
  local declaration = instance.config.folder.outputs[name]
  local value = declaration and declaration.arguments.value
  if value then return value.expression, frames.plain(walk, instance), walk end
end

-- Finds what to explain: the expression of an output, or the source as an expression at a place. Returns the expression, or nil and
-- diagnostics; then the home of the expression (its frame and declaration) and the walk.
---@return hclexpr.Expression?, hclexpr.Diagnostics?, hclexpr.module.Home?, hclexpr.module.Walk?
local function explained(module, source, where)
  local expression, frame, walk = output_of(module, source)
  if expression then return expression, nil, { frame = frame }, walk end
  local several
  frame, walk, several = frame_of(module, where)
  if not frame then return refuse_module(where.module or "") end
  local read, err = compiled(source)
  if read == nil then return nil, err end
  local inner, wrong = with_outputs(walk, frame, read)
  if not inner then return nil, wrong end
  return read, nil, { frame = inner, declaration = several }, walk
end

--- Explains why an expression, or anything with an address, has its value.
---@param source string
---@param where? hclexpr.Where
---@return hclexpr.Explanation? tree
---@return hclexpr.Diagnostics? err
---@return hclexpr.Explanation? partial
function answers:explain(source, where)
  check.type(1, "explain", source, "string")
  where = check.options(2, "explain", where, where_options, where_aliases)
  local refused = refusal(self)
  if refused then return nil, refused end
  local expression, err, home, walk = explained(self, source, where)
  if not expression then return nil, err end
  ---@cast home -?
  local frame = home.frame
  references.of(expression, frame.bound)
  local faults = references.check(expression, frame.context) or expired(walk, expression)
  if faults then return nil, references.diagnostics(expression, faults, frame.instance.config) end
  -- If a name failed, the explanation leads from the name to the mistake.
  local failed
  faults, failed = faults_of(walk, expression, frame)
  local tree, why = explaining.tree(walk, expression, home, console_of(frame), self.evaluation.deprecations and deprecation.strip)
  why = why or faults and references.diagnostics(expression, faults, frame.instance.config) or failed
  return Findings.results(tree, why)
end

--- Returns the causes why a value at a place, or an output, is unknown; nil if something is wrong with the question.
---@param source string
---@param where? hclexpr.Where
---@return hclexpr.module.Causes?
function answers:_causes(source, where)
  if refusal(self) then return nil end
  local expression, frame, walk = output_of(self, source)
  if not expression then
    expression = compiled(source)
    frame, walk = frame_of(self, where or {})
  end
  if not expression or not frame then return nil end
  if faults_of(walk, expression, frame) then return nil end
  return unknown_cause.of(walk, expression, { frame = frame }, {}, true)
end

--- Lists what the folder lacks.
---@return hclexpr.module.Missing[]
function answers:missing()
  return missing.list(self)
end

--- Returns the root's outputs by name: from the state if the module has one, otherwise as planned. Outputs without a value are left out.
---@return table<string, hclexpr.Value>? outputs
---@return hclexpr.Diagnostics? err what is wrong with what they need
---@return table<string, hclexpr.Value>? partial those that have a value
function answers:outputs()
  local refused = refusal(self)
  if refused then return nil, refused end
  local state = self.evaluation.usual.state
  if state then return state:output_values() end
  local walk, nodes = walk_of(self, "plan"), {}
  for name in pairs(self.root.folder.outputs) do nodes[#nodes + 1] = self.evaluation.graph:node(self.root, "output." .. name) end
  walk:evaluate(nodes)
  local outputs = {}
  for name, value in pairs(walk.root.outputs or {}) do outputs[name] = value end
  for _, list in ipairs { self.input_problems or {}, self.problems or {} } do
    if Findings.has_errors(list) then return nil, list, outputs end
  end
  return Findings.results(outputs, faults_below(walk, nodes))
end

return answers
