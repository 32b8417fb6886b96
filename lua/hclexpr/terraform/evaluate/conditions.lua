-- Checks conditions: the validation rules of variables, preconditions, postconditions and assertions.
local clause = require("hclexpr.findings").clause
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local certain = require("hclexpr.check").certain
local deprecation = lazy "hclexpr.terraform.instance.deprecation"
local frames = require "hclexpr.terraform.instance.frames"
local instances = require "hclexpr.terraform.instance.instances"
local places = require "hclexpr.places"
local references = require "hclexpr.terraform.read.references"
local unknown_cause = lazy "hclexpr.terraform.instance.unknown_cause"

local conditions = {}

local bool, text_type = certain(core.type "bool"), certain(core.type "string")

---@class hclexpr.module.Verdict
---@field status "pass"|"fail"|"unknown"|"error"

local function report(walk, row, expression, text, ...)
  walk.findings:report(row, places.of_expression(expression), text, ...)
end

-- Returns the names in a failed condition, each followed by its value, for the report.
local function named_values(walk, condition, variables, scope)
  local list, seen = {}, {}
  for _, traversal in ipairs(core.traversals(condition)) do
    local path = traversal.path
    local expression = not seen[path] and core.compile(path)
    local value = expression and expression:value(variables, scope)
    seen[path] = true
    if value and walk.evaluation.deprecations then value = deprecation.strip(value) end
    if value then list[#list + 1], list[#list + 2] = path, value end
  end
  return list
end

-- Returns the status of a condition by its value. Reports a value that isn't true or false ("error"); the caller reports "fail".
local function judge(walk, condition, value)
  if not value:is_known() then return "unknown" end
  if value:is_null() then
    report(walk, "MODULE_CONDITION", condition, "The condition is null, but it must be true or false. Compare with null first.")
    return "error"
  end
  local converted, err = bool:convert(value)
  if converted == nil then
    report(walk, "MODULE_CONDITION", condition, "This is not a condition: %s", clause(err))
    return "error"
  end
  return converted:unmark():text() == "true" and "pass" or "fail"
end

local function trimmed(value)
  return (value:text():gsub("^%s+", ""):gsub("%s+$", ""))
end

local function secret(value)
  if instances.has_mark(value, "sensitive") then return "sensitive" end
  if instances.has_mark(value, "ephemeral") then return "ephemeral" end
end

local HIDDEN = "The message has a value that is %s, so it is not shown. Leave out the value%s."
local ways = { sensitive = ", or use nonsensitive() if it may be seen", ephemeral = "" }

local function report_no_text(walk, expression, err)
  report(walk, "MODULE_MESSAGE", expression, "The message is not a text: %s", clause(err))
end

-- Preconditions, postconditions and assertions

-- Returns the message of a condition that isn't a variable's rule, and whether the message is sound. The message is "" if it is wrong,
-- isn't known yet or mustn't be shown.
local function message_of(walk, expression, value)
  if value == nil then return "", false end
  local converted, err = text_type:convert(value)
  if converted == nil then
    report_no_text(walk, expression, err)
    return "", false
  end
  if not converted:is_known() then return "", true end
  if converted:is_null() then
    report(walk, "MODULE_MESSAGE", expression, "The message is null, but it must be a text.")
    return "", false
  end
  local why = secret(converted)
  if why then
    if not walk:has_warned(expression) then report(walk, "MODULE_MESSAGE_SECRET", expression, HIDDEN, why, ways[why]) end
    return "", true
  end
  return trimmed(converted), true
end

-- Evaluates one expression of a rule; reports a failure and returns nil. If names in the rule are wrong (`wrong`), the value is unknown. If
-- the mistake is static, the expression is evaluated without names, as in the reference, which reports such names twice.
local function part(walk, expression, frame, wrong, static)
  local value, err
  if static then
    value, err = expression:value(nil, walk.scope)
  elseif wrong then
    return frames.unknown
  else
    value, err = expression:value(frame.variables, frame.instance.scope)
  end
  if value == nil then walk.findings:add(err) end
  if value ~= nil and walk.mode == "plan" and walk.evaluation.deprecations then value = deprecation.take(walk, expression, value) end
  return value
end

-- Reports mistakes in the names of expressions that are evaluated together. Returns whether mistakes were found, and whether one of them is
-- static.
local function check_names(walk, frame, expressions)
  local faults, static = references.check_together(expressions, frame.context)
  for _, fault in ipairs(faults) do references.report(walk.findings, fault[1], { fault[2] }, frame.instance.config) end
  return #faults > 0, static
end

--- Checks the names in depends_on.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param frame hclexpr.module.Frame
---@return boolean sound
function conditions.check_depends_on(walk, declaration, frame)
  if not declaration.depends_on then return true end
  local sound = true
  for _, traversal in ipairs(declaration.depends_on) do
    -- After a mistake, it isn't checked whether the other names exist.
    local faults = references.check_whole(traversal, frame.context, sound)
    if faults then
      references.report(walk.findings, declaration.arguments.depends_on, faults, frame.instance.config)
      sound = false
    end
  end
  return sound
end

local rows = { precondition = "MODULE_PRECONDITION", postcondition = "MODULE_POSTCONDITION", assert = "MODULE_ASSERTION",
               test = "MODULE_TEST_ASSERTION" }
local words = { precondition = "precondition", postcondition = "postcondition", assert = "assertion", test = "assertion" }
local open_rows = { assert = "MODULE_ASSERTION_UNKNOWN", test = "MODULE_TEST_UNKNOWN" }

-- Evaluates a precondition, postcondition or assertion. Reports a failure, and an assertion that isn't known. Returns the status and, if
-- the status is "fail", the message, or nil if the message can't be shown.
local function status_of(walk, rule, frame, address)
  local condition, message = rule.condition.expression, rule.error_message.expression
  local wrong, static = check_names(walk, frame, { condition, message })
  if wrong and rule.kind == "test" then return "error" end
  local text, sound = message_of(walk, message, part(walk, message, frame, wrong, static))
  local value = part(walk, condition, frame, wrong, static)
  if wrong or not sound or value == nil then return "error" end
  local status = judge(walk, condition, value)
  if status == "unknown" and open_rows[rule.kind] then
    local why = unknown_cause.words(unknown_cause.of(walk, condition, { frame = frame }))
    local said = why and ("Whether this holds isn't known: it comes from %s."):format(why)
    said = rule.kind == "test" and walk.run.unknown_text(said) or said or "Whether this holds is known only after an apply."
    walk:fails(address, open_rows[rule.kind], places.of_expression(condition), "%s", said)
  elseif status == "fail" then
    local values = named_values(walk, condition, frame.variables, frame.instance.scope)
    local place = places.with_values(places.of_expression(condition), values)
    local said = text ~= "" and text or ("The %s doesn't hold, and has no message that can be shown."):format(words[rule.kind])
    walk:fails(address, rows[rule.kind], place, "%s", said)
  end
  return status, status == "fail" and text ~= "" and text or nil
end

--- Evaluates a precondition, postcondition or assertion of the object with an address. Records its status and reports a failure.
---@param walk hclexpr.module.Walk
---@param rule hclexpr.module.Rule
---@param frame hclexpr.module.Frame
---@param address string
---@return string status
function conditions.check(walk, rule, frame, address)
  local status, message = status_of(walk, rule, frame, address)
  walk:check(address, status, message)
  return status
end

--- Checks the preconditions or postconditions among rules. Returns false if one can't be judged ("error"), or fails and the run doesn't
--- treat the failure as a mere warning.
---@param walk hclexpr.module.Walk
---@param rules hclexpr.module.Rule[]
---@param kind "precondition"|"postcondition"
---@param frame hclexpr.module.Frame
---@param address string
---@return boolean
function conditions.hold(walk, rules, kind, frame, address)
  local sound = true
  for _, rule in ipairs(rules or {}) do
    if rule.kind == kind then
      local status = conditions.check(walk, rule, frame, address)
      local is_wrong = status == "error" or status == "fail" and not walk.run:only_warns(rows[kind], address)
      sound = sound and not is_wrong
    end
  end
  return sound
end

--- Checks the names and expressions of a resource's rule without values.
---@param walk hclexpr.module.Walk
---@param rule hclexpr.module.Rule
---@param frame hclexpr.module.Frame
---@return boolean sound
function conditions.validate(walk, rule, frame)
  local sound = true
  for _, attribute in ipairs { rule.condition, rule.error_message } do
    local wrong, static = check_names(walk, frame, { attribute.expression })
    local value = part(walk, attribute.expression, frame, wrong, static)
    sound = sound and not wrong and value ~= nil
  end
  return sound
end

--- Checks the names and the message of an assertion without values.
---@param walk hclexpr.module.Walk
---@param rule hclexpr.module.Rule
---@param frame hclexpr.module.Frame
---@return boolean sound
function conditions.validate_assertion(walk, rule, frame)
  local message = rule.error_message.expression
  local wrong, static = check_names(walk, frame, { rule.condition.expression, message })
  local _, sound = message_of(walk, message, part(walk, message, frame, wrong, static))
  return sound and not wrong
end

-- Validation rules of variables

-- Returns the expressions of a rule's condition and message. They are read once, because every instance of the module evaluates them.
local function expressions_of(rule)
  local both = rule.expressions
  if not both then
    both = { condition = rule.condition.expression, message = rule.error_message.expression }
    rule.expressions = both
  end
  return both
end

-- Returns the message of a failed rule for its report, or nil if it can't be shown.
local function rule_message(walk, rule, value)
  if value == nil or value:is_null() then return nil end
  local expression = rule.error_message.expression
  local converted, err = text_type:convert(value)
  if converted == nil then
    report_no_text(walk, expression, err)
    return nil
  end
  local why = secret(converted)
  if why then
    report(walk, "MODULE_VALIDATION_SECRET", expression, HIDDEN, why, ways[why])
    return nil
  end
  return trimmed(converted)
end

-- Returns true if all mistakes are in parts of a template that can't be converted to text. Reference: such a template still counts as a
-- text; after other mistakes nothing is known about it.
local function leaves_text(err)
  for _, d in ipairs(err) do
    if d.code ~= "template.value" then return false end
  end
  return true
end

-- Returns the value of a message. If it can't be evaluated, reports that and returns nil, and whether it still counts as a text. In JSON
-- syntax a message that can't be evaluated is taken as plain text.
local function message_value(walk, rule, variables, scope)
  local expression = expressions_of(rule).message
  local value, err = expression:value(variables, scope)
  if value ~= nil then return value end
  local literal = expression:source():match '^"(.*)"$'
  if literal and expression:range().filename:find "%.json$" then
    if not walk:has_warned(expression) then
      report(walk, "MODULE_MESSAGE_LITERAL", expression, "The message can't be evaluated, so it is taken as it is written: %s",
        err[1].detail)
    end
    return (core.value(literal))
  end
  walk.findings:add(err)
  return nil, leaves_text(err)
end

local function check_rule(walk, rule, frame, place, declaration, address)
  local condition, variables, scope = expressions_of(rule).condition, frame.variables, frame.instance.scope
  local value, err = condition:value(variables, scope)
  if value == nil then walk.findings:add(err) end
  local message, is_text = message_value(walk, rule, variables, scope)
  if value == nil then return "unknown", false end
  local status = judge(walk, condition, value)
  if status ~= "fail" then return status, status ~= "error" and message ~= nil end
  if message == nil and not is_text or message and not message:is_known() then
    if walk.mode == "validate" then return "unknown", message ~= nil end
    local why = message and unknown_cause.words(unknown_cause.of(walk, rule.error_message.expression, { frame = frame }))
    report(walk, "MODULE_MESSAGE", rule.error_message.expression, "%s", why and ("The value breaks this rule, whose message comes from %s.")
      :format(why) or message and "A part of the message is known only after an apply. Leave that part out."
      or "The value breaks this rule, whose message can't be evaluated.")
    return "error", false
  end
  local text, at = rule_message(walk, rule, message), places.with_values(place(), named_values(walk, condition, variables, scope))
  text = text and text ~= "" and text or "The value breaks a rule whose message can't be shown."
  walk:fails(address, "MODULE_VALIDATION", at, "%s This is a rule of the variable \"%s\", at %s.", text, declaration.name,
    places.words(condition:range()))
  return "fail", false, text
end

local ranks = { pass = 1, unknown = 2, fail = 3, error = 4 }

--- Returns the worse of two statuses.
---@param a? string
---@param b string
---@return string
function conditions.worse(a, b)
  return a and ranks[a] >= ranks[b] and a or b
end

-- Returns true if a resource is known to lack instances.
local function is_empty(walk, node)
  for _, instance in ipairs(walk.instances[node.config] or {}) do
    local expansion = instance.resources[node.declaration.address]
    if not expansion or expansion.keys[1] ~= nil then return false end
  end
  return true
end

--- Returns the status of an object whose conditions were not checked. An object without instances passed if it was evaluated; a check in a
--- module without instances passed if the module's call was evaluated. In a destroy run nothing passed.
---@param walk hclexpr.module.Walk
---@param node hclexpr.module.Node
---@return "pass"|"unknown"
function conditions.of_none(walk, node)
  local config = node.config
  local is_absent = node.kind == "check" and config.parent and not next(walk.instances[config] or {})
  local turn = is_absent and walk.graph:node(config.parent, config.call.address) or node
  local outcome = walk:outcome(turn)
  local had_turn = outcome == "done" or outcome == "failed" and node.kind == "resource" and is_empty(walk, node)
  return walk.run.mode ~= "destroy" and had_turn and "pass" or "unknown"
end

--- Checks the validation rules of a variable.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param frame hclexpr.module.Frame
---@param place fun(): hclexpr.findings.Place the place of the value
---@param address string of the variable
---@return string status
---@return boolean sound
---@return string[] messages of the rules that failed
function conditions.check_rules(walk, declaration, frame, place, address)
  local parts = {}
  for _, rule in ipairs(declaration.rules) do
    local n, of_rule = #parts, expressions_of(rule)
    parts[n + 1], parts[n + 2] = of_rule.condition, of_rule.message
  end
  local messages = {}
  if check_names(walk, frame, parts) then return "error", false, messages end
  local status, sound
  for _, rule in ipairs(declaration.rules) do
    local found, fine, message = check_rule(walk, rule, frame, place, declaration, address)
    status, sound = conditions.worse(status, found), sound ~= false and fine
    messages[#messages + 1] = message
  end
  return status, sound, messages
end

return conditions
