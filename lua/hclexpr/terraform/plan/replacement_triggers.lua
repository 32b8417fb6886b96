-- Checks replace_triggered_by when the instances are planned: finds whether anything that it names changes, and reports mistakes in it.
-- Each element must name a resource, an instance or an attribute.
local core = require "hclexpr.core"
local orphans = require "hclexpr.terraform.plan.orphans"
local references = require "hclexpr.terraform.read.references"
local constant_expressions = require "hclexpr.terraform.read.constant_expressions"
local typed_values = require "hclexpr.terraform.schema.typed_values"

local replacement_triggers = {}

-- The names that a key may be, each with the argument that it requires.
local keyed = { ["count.index"] = "count", ["each.key"] = "for_each" }

-- Returns what is wrong with an element of a declaration's replace_triggered_by, and its range; nil for a correct element, such as a
-- reference with keys.
local function fault_of(declaration, tree)
  while tree.kind == "relative" do tree = tree.source end
  if tree.kind == "traversal" then return nil end
  if tree.kind ~= "index" then
    return "Name one resource or one attribute of it, with constant keys, count.index or each.key.", tree.range
  end
  local text, range = fault_of(declaration, tree.collection)
  if text then return text, range end
  local key = tree.key
  local name = key.kind == "traversal" and key.root .. "." .. tostring(key.steps[1])
  if not keyed[name] then return "A key must be a constant here, or count.index or each.key.", key.range end
  if declaration.arguments[keyed[name]] then return nil end
  return ("%s exists only in a resource with %s."):format(name, keyed[name]), key.range
end

-- Returns the reference to a resource in an element, and whether its key is that of the instance with the trigger.
local function parts_of(expression)
  local tree = expression:ast()
  for _, traversal in ipairs(core.traversals(expression)) do
    local ref = references.read(traversal)
    if ref and ref.kind == "resource" then
      return ref, tree.kind ~= "traversal" and ref.instance == nil and not ref.traversal.steps[ref.rest]
    end
  end
end

-- Returns the key of the instance that an element names, or nil if it names all instances.
local function wanted_by(ref, own, key)
  if own then return key end
  if ref.instance == nil and ref.traversal.steps[ref.rest] then return false end
  return ref.instance
end

local function is_planned(expansion, wanted)
  if not expansion or expansion.mode == "unknown" then return true end
  if wanted ~= nil then return expansion.instances[wanted] ~= nil end
  for _, key in ipairs(expansion.keys) do
    if expansion.instances[key] ~= nil then return true end
  end
  return false
end

--- Reports elements in a form that replace_triggered_by doesn't allow.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@return boolean sound
function replacement_triggers.check_forms(walk, declaration)
  local sound, all = true, declaration.lifecycle and declaration.lifecycle.replace_triggered_by
  for i, expression in ipairs(all and all.expressions or {}) do
    local text, range = fault_of(declaration, expression:ast())
    if text and range then
      walk.findings:report("MODULE_REFERENCE", constant_expressions.place_in(all.parts[i], expression, range), "%s", text)
    end
    sound = sound and not text
  end
  return sound
end

--- Checks for an instance that everything in its replace_triggered_by exists. `address` is only for messages.
---@param walk hclexpr.module.Walk
---@param all table the elements, as `expressions` and `parts`
---@param instance hclexpr.module.Instance
---@param key integer|string|false
---@param address string
---@return boolean sound
function replacement_triggers.check(walk, all, instance, key, address)
  local sound = true
  for i, expression in ipairs(all.expressions) do
    local ref, own = parts_of(expression)
    if ref and not references.resource_in(instance.config.folder, ref.key) then
      walk.findings:report("MODULE_UNDECLARED", constant_expressions.place(all.parts[i]), "No resource %s is declared in %s.", ref.key,
        instance.config.place)
      sound = false
    elseif ref and ref.mode == "managed" then
      local wanted = wanted_by(ref, own, key)
      local node = walk.graph:node(instance.config, ref.key) --[[@as hclexpr.module.Node]] -- a declared resource has a node
      if not is_planned(instance.resources[ref.key], wanted) and not orphans.any(walk, node, instance, wanted) then
        -- Reference: the report lacks a place.
        walk.findings:report("MODULE_REFERENCE", {}, "%s would be replaced with %s, which has no such instance.", address, ref.key)
        sound = false
      end
    end
  end
  return sound
end

-- Returns the value that steps lead to from a value, or nil if that part is absent.
local function at_steps(value, steps, from)
  for i = from, #steps do
    value = value:unmark()
    if not value:is_known() then return value end
    if value:is_null() or typed_values.is_primitive(core.kind(value)) then return nil end
    value = value:get(steps[i].kind == "number" and tonumber(steps[i].text) or steps[i].text)
    if value == nil then return nil end
  end
  return value
end

-- Returns true if an instance, or the part of it that steps lead to, changes. Only updates and replacements count.
local function changes(expansion, key, steps, from)
  local decision = expansion.decisions and expansion.decisions[key]
  if not decision or decision.action ~= "update" and decision.action ~= "replace" then return false end
  local value = expansion.instances[key]
  if not steps[from] or getmetatable(value) ~= core.classes.Value then return true end
  local before, after = at_steps(core.value(decision.before), steps, from), at_steps(value, steps, from)
  if not before or not after then return before ~= after end
  return typed_values.bare(before) ~= typed_values.bare(after) or not typed_values.same_secrecy(after, before)
end

--- Returns true if anything in replace_triggered_by changes. (An instance that is only created lacks a decision.)
---@param expressions hclexpr.Expression[]
---@param instance hclexpr.module.Instance
---@param key integer|string|false
---@return boolean
function replacement_triggers.changed(expressions, instance, key)
  for _, expression in ipairs(expressions) do
    local ref, own = parts_of(expression)
    local expansion = ref and instance.resources[ref.key]
    local tree = expression:ast()
    local steps, from = ref and ref.traversal.steps, ref and ref.rest
    if own then
      steps, from = {}, 1
      for i, step in ipairs(tree.kind == "relative" and tree.steps or {}) do
        steps[i] = { kind = type(step) == "string" and "attr" or "number", text = tostring(step) }
      end
    end
    local wanted = ref and wanted_by(ref, own, key)
    for _, one in ipairs(expansion and expansion.decisions and expansion.keys or {}) do
      if (wanted == nil or wanted == one) and changes(expansion, one, steps, from) then return true end
    end
  end
  return false
end

return replacement_triggers
