-- Checks that need the values: expressions that the program keeps, rules of blocks, rules of variables.
local core = require "hclexpr.core"
local rows = require("hclexpr.terraform.language.diagnostics").rows
local bound = require "hclexpr.body.bound"
local evaluation = require "hclexpr.languages.evaluation"
local places = require "hclexpr.places"
local references = require "hclexpr.languages.references"
local typecheck = require "hclexpr.typecheck"

local rules = {}

-- Used in place of every empty list.
local none = {}

-- ---- kept expressions -----------------------------------------------------------------------------------------------------

-- Returns the names and limits that all kept expressions of a configuration share. The limits apply to each evaluation.
local function home_of(conf)
  if not conf.home then
    local options = {}
    for name, value in next, conf.scope_options do options[name] = value end
    conf.home = { scope = core.scope(options), options = options, within = setmetatable({}, { __mode = "k" }) }
  end
  return conf.home
end

-- Returns the names of a kept expression for its check: those of its block, and the names that the program gives as unknown values.
local function names_for_check(argument, own)
  local names = {}
  for name, value in next, own do names[name] = value end
  for name, value in next, argument.types do names[name] = value end
  return names
end

-- Makes another Attribute of the same source, because each instance of a block binds its own.
local function again(record, name)
  local schema = { attributes = { { name = name } }, blocks = {}, partial = true }
  return core.level(record.block.body, schema).attributes[name]
end

-- Reports what is wrong with a kept expression whatever values its names get. own: the names of its block, or nil. Returns true if nothing
-- is wrong.
local function check_kept(conf, record, argument, own)
  local names = own and names_for_check(argument, own) or argument.types
  local expression = core.field(record.arguments[argument.name], "expression")
  local wrong = typecheck.fault(expression, names, conf.scope, argument.returns)
  core.close_expression(expression)
  if wrong then
    record.failed = true
    conf.findings:add(wrong)
  end
  return not wrong
end

-- Binds a kept expression after checking its names and evaluating what it needs. Returns a diagnostic if a callback blocks that.
local function bind(conf, record, argument)
  local attribute = record.arguments[argument.name]
  local needs = {}
  local relative, err = references.add(conf, record, attribute, needs, argument)
  if err then
    record.failed = true
    conf.findings:add(err)
    return
  end
  local blocked = needs[1] and evaluation.run(conf, needs)
  if blocked then return blocked end
  for _, node in ipairs(needs) do
    if node.state ~= "done" then
      record.failed = true
      return
    end
  end
  local home = home_of(conf)
  local instances = record.instances or none
  if not instances[1] then
    local any = core.unknown "any"
    check_kept(conf, record, argument, { self = any, parent = any, each = any })
    return
  end
  if not relative then
    check_kept(conf, record, argument)
    conf.unbound[argument] = conf.unbound[argument] or { types = argument.types, home = home }
    bound.bind(attribute, conf.unbound[argument])
    return
  end
  for i, instance in ipairs(instances) do
    local its, names = i > 1 and again(record, argument.name) or attribute, evaluation.names_of(instance)
    if not check_kept(conf, record, argument, names) then return end
    bound.bind(its, { types = argument.types, names = names, home = home })
    instance.result[argument.name] = its
  end
end

local function each_kept(conf, record)
  if not record.kept or record.bound then return end
  for _, argument in ipairs(record.kept) do
    local blocked = bind(conf, record, argument)
    if blocked then return blocked end
  end
  record.bound = true
end

local function visit(conf, record, act)
  local stack = { record }
  while #stack > 0 do
    local at = table.remove(stack)
    if conf then conf:breathe() end
    act(conf, at)
    for i = #at.inner, 1, -1 do stack[#stack + 1] = at.inner[i] end
    for _, node in ipairs(at.expansions or none) do
      for _, holder in ipairs(node.records or none) do stack[#stack + 1] = holder end
    end
  end
end

--- Checks the expressions that blocks keep, and binds them: their names are those of the file.
---@param conf hclexpr.languages.Configuration
---@param only? table<hclexpr.languages.Record, true> only those of these blocks
---@return hclexpr.Diagnostics? blocked a callback asks for the value that it computes
function rules.kept(conf, only)
  if not only then return visit(conf, conf.root, each_kept) end
  for record in next, only do
    local blocked = each_kept(conf, record)
    if blocked then return blocked end
  end
end

-- ---- rules ----------------------------------------------------------------------------------------------------------------

-- Returns the message of a failed rule, without sensitive values.
local function message_of(value, err)
  if value == nil then return "Its message can't be made: " .. err[1].detail end
  if core.marks_within(value) then return "The message isn't shown, since it has a value that is sensitive." end
  if not value:is_known() or value:is_null() then return "The rule doesn't hold." end
  return value:text()
end

-- Returns true if an expression of a rule can be evaluated in a block: its names are right, and nothing that it needs has failed.
local function ready(conf, record, expression, described)
  local needs = {}
  local _, err = references.add(conf, record, expression, needs, nil, described)
  if err then
    conf.findings:add(err)
    return false
  end
  evaluation.run(conf, needs)
  for _, node in ipairs(needs) do
    if node.state ~= "done" then return false end
  end
  return true
end

local function test_rule(conf, record, rule)
  if not ready(conf, record, rule.condition, true) or not ready(conf, record, rule.error_message, true) then return end
  for _, instance in ipairs(record.instances or none) do
    local names = evaluation.names_of(instance)
    local value, err = rule.condition:value(names, conf.scope)
    if value == nil then
      conf.findings:report(rows.MODULE_CONDITION, places.of_block(record.block), "The rule %s can't be evaluated here: %s",
        rule.condition:source(), err[1].detail)
    elseif value:is_known() then
      local holds = not value:is_null() and core.value(value:unmark(), "bool")
      if not holds or holds:text() ~= "true" then
        local message = message_of(rule.error_message:value(names, conf.scope))
        conf.findings:report(rows.MODULE_LANGUAGE_RULE, places.of_block(record.block), "%s", message)
      end
    end
  end
end

local function failed_within(record)
  local failed = false
  visit(nil, record, function(_, at) failed = failed or at.failed end)
  return failed
end

local function test_record(conf, record)
  local kind = record.kind
  if not kind or not kind.validation[1] or record.types or failed_within(record) then return end
  for _, rule in ipairs(kind.validation) do test_rule(conf, record, rule) end
end

-- Tests the `validation` blocks of a variable.
local function test_variable(conf, declared)
  if declared.node.state ~= "done" then return end
  for _, block in ipairs(declared.rules) do
    local condition, message = block.body.attributes.condition, block.body.attributes.error_message
    if not condition or not message then
      conf.findings:report(rows.MODULE_RULE, places.of_block(block), "A rule has a condition and an error_message.")
    elseif ready(conf, nil, condition.expression) and ready(conf, nil, message.expression) then
      local value, err = condition:value(nil, conf.scope)
      if value == nil then
        conf.findings:add(err)
      elseif value:is_known() then
        local holds = not value:is_null() and core.value(value:unmark(), "bool")
        if not holds or holds:text() ~= "true" then
          conf.findings:report(rows.MODULE_VALIDATION, places.of_attribute(condition), "%s", message_of(message:value(nil, conf.scope)))
        end
      end
    end
  end
end

--- Tests the rules of blocks and variables.
---@param conf hclexpr.languages.Configuration
function rules.test(conf)
  if conf.ruled[1] then visit(conf, conf.root, test_record) end
  for _, declared in ipairs(conf.declared) do
    if declared.rules then test_variable(conf, declared) end
  end
end

return rules
