-- Checks steps into a resource's attributes by its schema, before values are known.
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local prepared_schemas = lazy "hclexpr.terraform.schema.prepared_schemas"

local attribute_paths = {}

local function names_of(prepared)
  local names = {}
  for name in pairs(prepared.attributes) do names[#names + 1] = name end
  for name in pairs(prepared.blocks) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local function fault(step, text, ...)
  return { row = "MODULE_ATTRIBUTE", range = step.range, text = text:format(...) }
end

-- Functions that step into types in the form of JSON. Each returns the type to which the step leads, or nil and a fault.
local into = {}

local function element(inner, what)
  return function(json, step)
    if step.kind == "attr" then
      return nil, fault(step, "This is a %s, so it has no attribute \"%s\". Choose an element by an index, or take all with [*].", what,
        step.text)
    elseif not tonumber(step.text) then
      return nil, fault(step, "This is a %s, and its elements are numbered. %s is not a number.", what, core.quote(step.text))
    end
    return inner(json, step)
  end
end

into.list = element(function(json) return json[2] end, "list")
into.tuple = element(function(json, step)
  local part = type(json[2]) == "table" and json[2][tonumber(step.text) + 1]
  if part ~= nil then return part end
  return nil, fault(step, "No element has the key %s.", step.text)
end, "tuple")

function into.map(json) return json[2] end

function into.set(_, step)
  return nil, fault(step, "The elements of a set have no keys. Select some with for and if.")
end

function into.object(json, step)
  local part = type(json[2]) == "table" and json[2][step.text]
  if part ~= nil then return part end
  return nil, fault(step, "This object has no attribute \"%s\".", step.text)
end

--- Returns the type to which a step leads in a type in the form of JSON. Returns nil and a fault if the step is wrong, and nil alone if
--- only an evaluation shows whether the step is wrong.
---@param json any
---@param step table
---@return any json
---@return hclexpr.module.Fault?
function attribute_paths.step(json, step)
  if json == "dynamic" or json == nil then return nil end
  local kind = type(json) == "table" and json[1] or json
  if into[kind] then return into[kind](json, step) end
  return nil, fault(step, "This is a %s, which has neither attributes nor elements.", tostring(kind))
end

local function check_type(json, list, at, found)
  local why
  while json ~= nil and list[at] do
    json, why = attribute_paths.step(json, list[at])
    if why then return found(why) end
    at = at + 1
  end
end

-- Functions for kinds of nested blocks. Each returns the index of the first step after those that choose a block, or nil if the steps end
-- there or are wrong.
local nested = {}

function nested.single(_, at) return at end
nested.group = nested.single
function nested.map(list, at) return list[at] and at + 1 end

function nested.set(list, at, name, found)
  if not list[at] then return nil end
  found(fault(list[at], "Blocks %s are a set, whose elements have no keys. Select some with for and if.", name))
end

function nested.list(list, at, name, found)
  if not list[at] then return nil end
  if list[at].kind ~= "attr" then return at + 1 end
  found(fault(list[at], "Blocks %s are a list. Choose one: %s[0].%s", name, name, list[at].text))
end

--- Reports the first step that can't exist in a value of the schema. Returns the row of the attribute at which the steps end, or nil if
--- they end elsewhere.
---@param schema table
---@param list table[]
---@param from integer
---@param found fun(fault: hclexpr.module.Fault)
---@return table? row
function attribute_paths.check(schema, list, from, found)
  local prepared, at = prepared_schemas.of(schema), from
  while at and list[at] do
    local step = list[at]
    if step.kind ~= "attr" and step.kind ~= "root" then
      local name = step.kind == "key" and step.text or "NAME"
      return found(fault(step, "Only an attribute can be chosen here, with a dot in front: .%s", name))
    end
    local attribute, block = prepared.attributes[step.text], prepared.blocks[step.text]
    if attribute then
      check_type(attribute.json, list, at + 1, found)
      return not list[at + 1] and attribute.row or nil
    end
    if not block then
      local near = core.suggest(step.text, names_of(prepared))
      return found(fault(step, "Resources of this type have no attribute \"%s\".%s", step.text,
        near and (" Did you mean \"%s\"?"):format(near) or ""))
    end
    prepared, at = block.inner, nested[block.nesting](list, at + 1, step.text, found)
  end
end

return attribute_paths
