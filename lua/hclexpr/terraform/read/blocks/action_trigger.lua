-- Reads action_trigger blocks in the lifecycle of a resource.
local core = require "hclexpr.core"
local places = require "hclexpr.places"
local reading = require "hclexpr.terraform.read.reading"
local references = require "hclexpr.terraform.read.references"
local rows = require "hclexpr.terraform.language.rows"
local constant_expressions = require "hclexpr.terraform.read.constant_expressions"

local action_trigger = {}

local events = {}
for _, order in ipairs { "before", "after" } do
  for _, what in ipairs { "create", "update", "destroy" } do events[order .. "_" .. what] = true end
end

local function fault(p, text, ...)
  p.reader.findings:report("MODULE_STATIC", constant_expressions.place(p), text, ...)
end

local function read_events(reader, attribute)
  local seen = {}
  for _, p in ipairs(attribute and reading.list(reader, attribute) or {}) do
    local word = constant_expressions.keyword(p)
    if not word or not events[word] then
      fault(p, "An event is before_ or after_ and create, update or destroy: after_create.")
    elseif seen[word] then
      fault(p, "%s is in this list already.", word)
    else
      seen[word], seen[#seen + 1] = true, word
    end
  end
  return seen
end

-- Returns the action that an element names; if it doesn't name exactly one, reports that and returns nil. Reference: a report about a JSON
-- string doesn't include the quotes.
local function read_action(p, expression)
  local found, place = {}, p.reader.json and places.of_expression(expression) or constant_expressions.place(p)
  local function refuse(text, ...) p.reader.findings:report("MODULE_STATIC", place, text, ...) end
  for _, traversal in ipairs(core.traversals(expression)) do
    local root = traversal.steps[1].text
    if root == "action" then
      local ref, why = references.read(traversal)
      if why then return refuse("%s", why.text) end
      found[#found + 1] = ref
    elseif root ~= "count" and root ~= "each" then
      return refuse("Only actions of this module, count and each may be named here, not %s.", traversal.path)
    end
  end
  if #found == 1 then return { key = found[1].key, expression = expression, place = place } end
  refuse("This names %s. Name one action: action.type.name", #found == 0 and "no action" or "several actions")
end

--- Reads an action_trigger block.
---@param reader hclexpr.module.Reader
---@param block hclexpr.Block
---@param row hclexpr.language.Block
---@return hclexpr.module.Trigger
function action_trigger.read(reader, block, row)
  local arguments = reading.level(reader, block.body, row)
  local made = { block = block, events = read_events(reader, arguments.events), condition = arguments.condition, actions = {} }
  local list = arguments.actions and reading.list(reader, arguments.actions) or {}
  reading.until_wrong(reader, list, function(p, expression)
    made.actions[#made.actions + 1] = read_action(p, expression)
  end)
  local failure = arguments.on_failure
  made.on_failure = failure and (constant_expressions.keyword(constant_expressions.of(reader, failure)) or "") or "halt"
  if failure and not rows.words(row, "on_failure")[made.on_failure] then
    reader.findings:report("MODULE_STATIC", places.of_attribute(failure), "on_failure is halt, taint or continue.")
  end
  if #list == 0 then reader.findings:report("MODULE_BLOCK", places.of_block(block), "An action_trigger needs actions: actions = [...]") end
  if next(made.events) == nil then
    reader.findings:report("MODULE_BLOCK", places.of_block(block), "An action_trigger needs events: events = [after_create]")
  end
  return made
end

--- Reports actions in a resource's triggers that its folder doesn't declare.
---@param declaration hclexpr.module.Declaration
---@param findings hclexpr.Findings
function action_trigger.check_declared(declaration, findings)
  local all = declaration.folder.actions
  for _, made in ipairs(declaration.action_triggers) do
    for _, called in ipairs(made.actions) do
      if not all[called.key] then
        findings:report("MODULE_UNDECLARED", called.place, "No %s is declared in this module.%s", called.key,
          references.near(called.key, all) or "")
        return -- reference: only the first one of a resource
      end
    end
  end
end

return action_trigger
