-- What is wrong with replace_triggered_by once the instances are planned: an element must name one that is.
local core = require "hclexpr.core"
local leaving = require "hclexpr.terraform.plan.leaving"
local places = require "hclexpr.places"
local references = require "hclexpr.terraform.read.references"
local typed_values = require "hclexpr.terraform.schema.typed_values"

local triggers = {}

-- The reference to a resource in an element, and the key that it takes of the instance it is for: none (nil), that instance's own (true),
-- or one that isn't known here (false).
local function parts_of(expression)
  local tree = expression:ast()
  if tree.kind == "relative" then tree = tree.source end
  local index, own = tree.kind == "index" and tree.key, nil
  if index then own = index.kind == "traversal" and #index.steps == 1 and (index.root == "each" or index.root == "count") end
  for _, traversal in ipairs(core.traversals(expression)) do
    local ref = references.read(traversal)
    if ref and ref.kind == "resource" then return ref, own end
  end
end

local function is_planned(expansion, wanted)
  if not expansion or expansion.mode == "unknown" then return true end
  if wanted ~= nil then return expansion.instances[wanted] ~= nil end
  for _, key in ipairs(expansion.keys) do
    if expansion.instances[key] ~= nil then return true end
  end
  return false
end

--- Checks the elements for an instance; `address` is for messages alone.
---@param walk hclexpr.module.Walk
---@param expressions hclexpr.Expression[]
---@param instance hclexpr.module.Instance
---@param key integer|string|false
---@param address string
---@return boolean sound
function triggers.check(walk, expressions, instance, key, address)
  local sound = true
  for _, expression in ipairs(expressions) do
    local ref, own = parts_of(expression)
    local declaration = ref and references.resource_in(instance.config.folder, ref.key)
    if ref and not declaration then
      walk.findings:report("MODULE_UNDECLARED", places.of_expression(expression), "No resource %s is declared in %s.", ref.key,
        instance.config.place)
      sound = false
    elseif ref and own ~= false and ref.mode == "managed" then
      local wanted
      if own then wanted = key else wanted = ref.instance end
      local node = walk.graph:node(instance.config, ref.key) --[[@as hclexpr.module.Node]] -- of what is declared
      if not is_planned(instance.resources[ref.key], wanted) and not leaving.any(walk, node, instance, wanted) then
        -- Reference: at no place.
        walk.findings:report("MODULE_REFERENCE", {}, "%s is to be replaced with %s, which has no such instance.", address, ref.key)
        sound = false
      end
    end
  end
  return sound
end

-- The values of an attribute and of what is below, without marks; nil: it isn't there.
local function at_steps(value, steps, from)
  for i = from, #steps do
    value = value:unmark()
    if not value:is_known() then return value end
    if value:is_null() or typed_values.is_primitive(value:type():kind()) then return nil end
    value = value:get(steps[i].kind == "number" and tonumber(steps[i].text) or steps[i].text)
    if value == nil then return nil end
  end
  return typed_values.bare(value)
end

-- Does an instance change, or what steps lead to in it?
local function changes(expansion, key, steps, from)
  local note = expansion.noted and expansion.noted[key]
  if not note or note.action ~= "update" and note.action ~= "replace" then return false end
  local value = expansion.instances[key]
  if not steps[from] or getmetatable(value) ~= core.classes.Value then return true end
  return at_steps(core.value(note.before), steps, from) ~= at_steps(value, steps, from)
end

--- Is there a change among what an instance is to be replaced with?
---@param walk hclexpr.module.Walk
---@param expressions hclexpr.Expression[]
---@param instance hclexpr.module.Instance
---@param key integer|string|false
---@return boolean
function triggers.changed(walk, expressions, instance, key)
  for _, expression in ipairs(walk.module.run.state and expressions or {}) do
    local ref, own = parts_of(expression)
    local expansion = ref and instance.resources[ref.key]
    local tree = expression:ast()
    local steps, from = ref and ref.traversal.steps, ref and ref.rest
    if own ~= nil then
      steps, from = {}, 1
      for i, step in ipairs(tree.kind == "relative" and tree.steps or {}) do
        steps[i] = { kind = type(step) == "string" and "attr" or "number", text = tostring(step) }
      end
    end
    ---@type integer|string|false|nil
    local wanted = ref and ref.instance
    if own then wanted = key end
    if wanted == nil and steps and steps[from] then wanted = false end
    for _, one in ipairs(expansion and own ~= false and expansion.keys or {}) do
      if (wanted == nil or wanted == one) and changes(expansion, one, steps, from) then return true end
    end
  end
  return false
end

return triggers
