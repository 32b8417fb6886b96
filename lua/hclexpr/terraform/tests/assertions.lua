-- Judges the assertions of a run about the results of its module.
local conditions = require "hclexpr.terraform.evaluate.conditions"
local core = require "hclexpr.core"
local references = require "hclexpr.terraform.read.references"

local assertions = {}

--- Returns the range of the first steps of a traversal.
---@param steps table[]
---@param last integer
---@return hclexpr.Range
function assertions.name_range(steps, last)
  local first, stop = steps[1].range, (steps[last] or steps[#steps]).range.stop
  return { filename = first.filename, start = first.start, stop = stop }
end

-- Readers of names that only assertions have. Each returns the value of a name, or nil and the mistake.
local readers = {}

function readers.output(self, steps)
  local name = steps[2] and steps[2].text
  local folder = self.walk.root.config.folder
  if not name or not folder.outputs[name] then
    return nil, ("No output %s is declared in %s.%s"):format(core.quote(name or "?"), self.walk.root.config.place,
      name and references.near(name, folder.outputs) or "")
  end
  local value = self.outputs[name]
  return value == nil and core.unknown "any" or value
end

function readers.run(self, steps)
  local name = steps[2] and steps[2].text
  local outputs = name and self.names.outputs[name]
  if outputs then return outputs end
  return nil, ("No run %s comes before this one in the file."):format(core.quote(name or "?"))
end

function readers.check()
  return nil, "A check has no value. To expect its failure, name it in expect_failures."
end

local function reserved(_, steps)
  return nil, ("\"%s\" is reserved. If it is the type of a resource, write resource.%s."):format(steps[1].text, steps[1].text), 1
end
readers.plan, readers.state = reserved, reserved

local words = { output = "output", run = "run", check = "check" }

-- Adds to `variables` those names in an expression that only assertions have. If names are wrong, reports them and returns false.
local function add_names(self, expression, variables)
  local sound = true
  local function fault(steps, last, text)
    self.walk.findings:report("MODULE_TEST_RUN", { object = expression, range = assertions.name_range(steps, last) }, "%s", text)
    sound = false
  end
  for _, traversal in ipairs(core.traversals(expression)) do
    local steps = traversal.steps
    local root, step = steps[1].text, steps[2]
    if readers[root] then
      local value, why, last = readers[root](self, steps)
      if value ~= nil then
        variables[words[root]] = variables[words[root]] or {}
        variables[words[root]][step.text] = value
      else
        fault(steps, last or 2, why)
      end
    elseif root == "var" and step and not self.folder.variables[step.text] then
      local own = self.own[step.text]
      if own ~= nil then
        self.extra[step.text] = own
        rawset(self.declared, step.text, { kind = "variable", name = step.text })
      end
    end
  end
  return sound
end

local evaluated = { resource = true, variable = true, ["local"] = true }

local function had_turn(walk, node)
  if node.kind == "resource" then return walk.root.resources[node.declaration.address] ~= nil end
  local outcome = walk:outcome(node)
  return outcome ~= nil and outcome ~= "skipped"
end

-- Reports names of objects that have no values because they weren't evaluated or are ephemeral.
local function check_turns(self, expression)
  local sound = true
  local function fault(ref, text)
    self.walk.findings:report("MODULE_TEST_RUN", { object = expression, range = ref.range }, text, ref.key)
    sound = false
  end
  for _, ref in ipairs(references.with_places(expression)) do
    local node = evaluated[ref.kind] and self.walk.graph:node(self.walk.root.config, ref.key)
    if node and ref.mode == "ephemeral" then
      fault(ref, "%s has a value only while a plan is made.")
      fault(ref, "%s can't be used in an assertion: ephemeral resources have no lasting value.")
    elseif node and not had_turn(self.walk, node) then
      fault(ref, "%s isn't known: plan_options.target leaves it out, or something before it failed.")
    end
  end
  return sound
end

-- Returns the context in which the names of assertions are checked: that of the module, with the test's variables.
local function context_of(self, module)
  self.declared = setmetatable({}, { __index = self.folder.variables })
  local folder = setmetatable({ variables = self.declared }, { __index = self.folder })
  return { folder = folder, schema_of = module.evaluation.schema_of, check_steps = module.evaluation.check_steps,
           known = setmetatable({}, { __mode = "k" }) }
end

local function judge_one(self, rule, context)
  local variables, sound = {}, true
  self.extra = {}
  for _, attribute in ipairs { rule.error_message, rule.condition } do
    sound = add_names(self, attribute.expression, variables) and sound
    sound = check_turns(self, attribute.expression) and sound
  end
  if next(self.extra) ~= nil then
    local all = {}
    for name, value in pairs(self.walk.root.names.var) do all[name] = value end
    for name, value in pairs(self.extra) do all[name] = value end
    variables.var = all
  end
  local frame = { instance = self.walk.root, context = context, variables = variables }
  if sound then return conditions.check(self.walk, rule, frame, "run") end
  -- Reports the mistakes in names that aren't specific to tests.
  for _, found in ipairs((references.check_together({ rule.condition.expression, rule.error_message.expression }, context))) do
    references.report(self.walk.findings, found[1], { found[2] }, self.walk.root.config)
  end
  return "error"
end

local function is_written(steps)
  return steps[2] ~= nil and steps[2].kind == "attr"
end

-- Reports mistakes in how names are written in the assertions. Returns true if there were any; then the assertions aren't judged.
local function check_written(self, rules)
  local sound = true
  local function fault(expression, range, text)
    self.walk.findings:report("MODULE_TEST_RUN", { object = expression, range = range }, "%s", text)
    sound = false
  end
  for _, rule in ipairs(rules) do
    for _, attribute in ipairs { rule.condition, rule.error_message } do
      local expression = attribute.expression
      for _, traversal in ipairs(core.traversals(expression)) do
        local steps = traversal.steps
        local root = steps[1].text
        if readers[root] == reserved then
          local _, why = reserved(self, steps)
          fault(expression, steps[1].range, why)
        elseif readers[root] and not is_written(steps) then
          fault(expression, (steps[2] or steps[1]).range, ("A name belongs after %s: %s.NAME."):format(root, root))
        end
      end
      for _, ref in ipairs(references.with_places(expression)) do
        if ref.fault then fault(expression, ref.fault.range, ref.fault.text) end
      end
    end
  end
  return not sound
end

local statuses = { pass = "pass", fail = "fail", unknown = "error", error = "error" }

--- Judges the assertions of a run and returns the run's status. Mistakes are added to the walk's findings.
---@param walk hclexpr.module.Walk
---@param work hclexpr.module.tests.Work
---@param outputs table<string, hclexpr.Value>
---@return "pass"|"fail"|"error"
function assertions.judge(walk, work, outputs)
  local self = { walk = walk, names = work.names, outputs = outputs, own = work.own, folder = walk.root.config.folder }
  if check_written(self, work.run.rules) then return "error" end
  local context, status = context_of(self, walk.module), "pass"
  for _, rule in ipairs(work.run.rules) do
    local one = statuses[judge_one(self, rule, context)]
    if one == "error" or one == "fail" and status == "pass" then status = one end
  end
  return status
end


return assertions
