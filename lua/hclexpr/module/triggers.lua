-- What is wrong with replace_triggered_by once the instances are planned: an element must name one that is.
local core = require "hclexpr.core"
local places = require "hclexpr.places"
local references = require "hclexpr.module.references"

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
  return next(expansion.instances) ~= nil
end

--- Checks the elements for an instance, whose address is only told.
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
      local wanted = ref.instance
      if own then wanted = key end
      if not is_planned(instance.resources[ref.key], wanted) then
        -- Reference: at no place.
        walk.findings:report("MODULE_REFERENCE", {}, "%s is to be replaced with %s, which has no such instance.", address, ref.key)
        sound = false
      end
    end
  end
  return sound
end

return triggers
