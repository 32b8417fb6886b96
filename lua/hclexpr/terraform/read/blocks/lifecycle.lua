-- Reads lifecycle blocks of resources, data sources and ephemeral resources.
local core = require "hclexpr.core"
local places = require "hclexpr.places"
local reading = require "hclexpr.terraform.read.reading"
local references = require "hclexpr.terraform.read.references"
local constant_expressions = require "hclexpr.terraform.read.constant_expressions"
local attribute_paths = require "hclexpr.terraform.schema.attribute_paths"
local action_trigger = require("hclexpr.lazy") "hclexpr.terraform.read.blocks.action_trigger"

local lifecycle = {}

-- Reads ignore_changes: "all", or references that each begin with an attribute of the resource.
local function ignore_changes(reader, attribute)
  local whole = constant_expressions.of(reader, attribute)
  if constant_expressions.keyword(whole) == "all" then return "all" end
  local all = {}
  local star
  for _, element in ipairs(reading.list(reader, attribute)) do
    if element.tree.kind == "string" and element.tree.text == "*" then
      reader.findings:report("MODULE_STATIC", places.of_attribute(attribute), "To ignore all changes, write ignore_changes = all")
      star = element
    else
      local p = constant_expressions.unquoted(element, "reference")
      local traversal = constant_expressions.traversal(p)
      if traversal then
        traversal.expression = attribute.expression
        all[#all + 1] = traversal
      else
        reading.not_static(p)
      end
    end
  end
  if star and #all > 0 then
    reader.findings:report("MODULE_STATIC", constant_expressions.place(star),
                           "List single attributes or write all, but not both.")
  end
  return star and "all" or all
end

local function trigger_fault(p, text, ...)
  p.reader.findings:report("MODULE_STATIC", constant_expressions.place(p), text, ...)
end

-- Words that can't begin a reference to a resource.
local others = {}
for word in ("count each data ephemeral local module path self terraform var action list template lazy arg"):gmatch "%S+" do
  others[word] = true
end

-- Checks an element of replace_triggered_by: it must name one resource, and may use count.index or each.key.
local function check_trigger(p, expression)
  local resources = 0
  for _, traversal in ipairs(core.traversals(expression)) do
    local root, own = traversal.steps[1].text, traversal.steps[2] and traversal.steps[2].text
    local _, why = references.read(traversal)
    if why then return trigger_fault(p, "%s", why.text) end
    if root == "each" or root == "count" then
      local wanted = root == "each" and "key" or "index"
      if own ~= wanted then trigger_fault(p, "Only %s.%s may be used here.", root, wanted) end
    elseif not others[root] or root == "data" or root == "ephemeral" then
      resources = resources + 1
    else
      trigger_fault(p, "Only resources, count.index and each.key may be named here, not %s.", traversal.path)
    end
  end
  if resources ~= 1 then trigger_fault(p, "This names %s. Name one resource, or one attribute of it.", resources == 0 and "no resource"
    or "several resources") end
end

local function replace_triggered_by(reader, attribute)
  local all = { expressions = {}, parts = {} }
  reading.until_wrong(reader, reading.list(reader, attribute), function(p, expression)
    check_trigger(p, expression)
    all.expressions[#all.expressions + 1], all.parts[#all.parts + 1] = expression, p
    for _, traversal in ipairs(core.traversals(expression)) do all[#all + 1] = traversal end
  end)
  return all
end

-- Reports conditions that name their own resource. A precondition can't, because the object doesn't exist yet; a postcondition must use
-- `self`.
local function check_self(reader, d, rule)
  local prefix = d.mode == "managed" and {} or { d.mode }
  local i, j = #prefix + 1, #prefix + 2
  reading.each_reference(rule, function(attribute, ref)
    local steps = ref.traversal.steps
    if not steps[j] or (prefix[1] and steps[1].text ~= prefix[1]) then return false end
    if steps[i].text ~= d.type or steps[j].text ~= d.name then return false end
    reader.findings:report("MODULE_RULE", places.of_attribute(attribute), "A %s of %s can't refer to it by name. %s", rule.kind, d.address,
      rule.kind == "postcondition" and "Write self." or "It doesn't exist yet: refer to the values that its arguments use.")
    return true
  end)
end

local nested = {}

function nested.action_trigger(reader, d, block, row)
  if row.reserved then
    reader.findings:report("MODULE_BLOCK", { object = block, range = block.type_range }, "Only resources have an action_trigger.")
    return
  end
  d.action_triggers = d.action_triggers or {}
  d.action_triggers[#d.action_triggers + 1] = action_trigger.read(reader, block, row)
end

function nested.precondition(reader, d, block, row)
  local rule = reading.rule(reader, block, row)
  if not rule then return end
  check_self(reader, d, rule)
  d.rules[#d.rules + 1] = rule
end

nested.postcondition = nested.precondition

--- Reads a lifecycle block into d.lifecycle, d.rules and d.action_triggers.
---@param reader hclexpr.module.Reader
---@param d hclexpr.module.Declaration
---@param block hclexpr.Block
---@param row hclexpr.language.Block
function lifecycle.read(reader, d, block, row)
  local arguments, blocks = reading.level(reader, block.body, row)
  local made = {}
  d.lifecycle = made
  reading.refuse_reserved(reader, arguments, row, "MODULE_STRAY", "%s is only for managed resources: this one is read, never created or "
    .. "destroyed.")
  reading.constants(reader, made, arguments, row)
  reading.take_enabled(reader, d, arguments.enabled)
  if arguments.ignore_changes then made.ignore_changes = ignore_changes(reader, arguments.ignore_changes) end
  if arguments.replace_triggered_by then
    made.replace_triggered_by = replace_triggered_by(reader, arguments.replace_triggered_by)
  end
  reading.nested(reader, d, blocks, row, nested)
end

--- Checks the paths in ignore_changes against the schema.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param block table the schema
---@return boolean sound
function lifecycle.check(walk, declaration, block)
  local ignored, sound = declaration.lifecycle and declaration.lifecycle.ignore_changes, true
  for _, traversal in ipairs(type(ignored) == "table" and ignored or {}) do
    local row = attribute_paths.check(block, traversal.steps, 1, function(why)
      walk.findings:report(why.row, { object = traversal.expression, range = why.range }, "%s", why.text)
      sound = false
    end)
    -- Reference: the warning's place is the type of the resource, and after a mistake the warning is left out.
    if sound and row and row.computed and not row.optional then
      walk.findings:report("MODULE_IGNORED_ARGUMENT", { object = declaration.block, range = declaration.block.label_ranges[1] },
        "The provider sets %s, so no plan changes it. Remove it from ignore_changes.",
        traversal.steps[#traversal.steps].text)
    end
  end
  return sound
end

--- Merges the lifecycle block of an override: each of its arguments replaces the earlier one. Reference: replace_triggered_by can't be
--- overridden.
---@param base? table
---@param new table
---@param row hclexpr.language.Block
---@return table
function lifecycle.merge(base, new, row)
  local all = {}
  for name, value in pairs(base or {}) do all[name] = value end
  reading.override_constants(all, new, row)
  local ignored = new.ignore_changes
  if ignored == "all" or (ignored and #ignored > 0 and all.ignore_changes ~= "all") then all.ignore_changes = ignored end
  return all
end

return lifecycle
