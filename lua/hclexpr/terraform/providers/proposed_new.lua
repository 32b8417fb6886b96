-- Merges a configuration with the prior object into the planned value, by the schema. Parts that only the provider determines keep their
-- value, come from a mock, or are unknown. The marks of the schema are added.
--
-- Nested blocks are merged in the same way. A new block corresponds to the old one at the same place in a list, or with the same key in a
-- map; in a set, to an old one that the configuration could describe.
local core = require "hclexpr.core"
local prepared_schemas = require "hclexpr.terraform.schema.prepared_schemas"
local typed_values = require "hclexpr.terraform.schema.typed_values"
local written = require "hclexpr.terraform.providers.written"

local proposed_new = {}

local function is_there(value)
  local plain = value and value:unmark()
  return plain and plain:is_known() and not plain:is_null() and plain or nil
end

local object

-- Returns a copy of a collection in which each element is merged with its prior element. before(key, element) returns the prior element, or
-- nil.
local function rebuild(inner, value, before, fill)
  local plain = value:unmark()
  local kind = core.kind(plain)
  local keyed = kind == "map" or kind == "object"
  local made = keyed and {} or setmetatable({}, core.array_mt)
  for key, element in plain:pairs() do
    local new = object(inner, element, before(key, element), fill)
    if keyed then made[key] = new else made[#made + 1] = new end
  end
  local result = core.value(made, plain:type()) or value
  for _, mark in ipairs(value:marks()) do result = result:mark(mark) end
  return result
end

-- Returns true if a prior value may be the same element of a set as one in the configuration.
local function fits(prepared, config, prior)
  local now, before = is_there(config), is_there(prior)
  if not now or not before then return false end
  for name, wanted in pairs(prepared.attributes) do
    local element = now:get(name)
    local left_out = wanted.row.computed and element:is_null()
    if not left_out and typed_values.bare(element) ~= typed_values.bare(before:get(name)) then return false end
  end
  for name in pairs(prepared.blocks) do
    if typed_values.bare(now:get(name)) ~= typed_values.bare(before:get(name)) then return false end
  end
  return true
end

local function by_key(inner, value, prior, fill)
  local before = is_there(prior)
  return rebuild(inner, value, function(key) return before and before:get(key) end, fill)
end

local nestings = { list = by_key, map = by_key }

function nestings.single(inner, value, prior, fill) return object(inner, value, prior, fill) end
nestings.group = nestings.single

function nestings.set(inner, value, prior, fill)
  local left = {}
  local before = is_there(prior)
  if before then
    for _, element in before:pairs() do left[#left + 1] = element end
  end
  return rebuild(inner, value, function(_, element)
    for i, old in ipairs(left) do
      if fits(inner, element, old) then return table.remove(left, i) end
    end
  end, fill)
end

-- Returns the planned value of a write-only argument: null with the marks of the configuration. The provider gets the argument, but nothing
-- stores it.
local function forget(wanted, value)
  local null = prepared_schemas.null(wanted)
  for _, mark in ipairs(value:marks()) do
    if mark ~= "ephemeral" then null = null:mark(mark) end
  end
  return null
end

local function part(wanted, value, prior, open, fill, name)
  if wanted.row.write_only then value = forget(wanted, value) end
  if wanted.row.computed and value:is_null() then
    value = prior or fill and fill:value(name, wanted) or prepared_schemas.unknown(wanted)
  elseif wanted.nesting and not wanted.inner.plain and is_there(value) then
    value = nestings[wanted.nesting](wanted.inner, value, prior, fill and fill:within(name))
  end
  return open and value or typed_values.mark(value, wanted.row)
end

--- Merges an object with its prior value; returns the planned parts by name.
---@param prepared hclexpr.module.Prepared
---@param config hclexpr.Value an object of the schema
---@param prior? hclexpr.Value its prior value; nil if it is new
---@param open? boolean without the schema's marks
---@param fill? { value: function, within: function } gives values instead of the provider (mock_values.lua)
---@return table<string, hclexpr.Value>
function proposed_new.parts(prepared, config, prior, open, fill)
  local values, before = {}, is_there(prior)
  for _, list in ipairs { prepared.attributes, prepared.blocks } do
    for name, wanted in pairs(list) do
      values[name] = part(wanted, config:get(name), before and before:get(name), open, fill, name)
    end
  end
  return values
end

function object(prepared, value, prior, fill)
  local plain = is_there(value)
  if not plain then return value end
  local made = core.value(proposed_new.parts(prepared, plain, prior, nil, fill))
  for _, mark in ipairs(value:marks()) do made = made:mark(mark) end
  return made
end

-- Returns true if a written value is wholly known, has no marks, and is the value in the state. Then it is planned as it is.
local function is_as_before(value, before)
  return before and not before:is_null() and not core.marks_within(value) and value:is_wholly_known() and value == typed_values.bare(before)
end

-- Merges a configuration without a schema.
local function open_parts(request, prior, fill)
  local values, body = {}, request.declaration.bodies[1]
  for name, value in pairs(prior or {}) do values[name] = value end
  for name, value in pairs(request.written) do
    if written.is_block(request, name) then values[name] = value
    else values[name] = is_as_before(value, values[name]) and value or written.planned(name, value, body) or values[name] end
  end
  if fill then fill:add(values) end
  return values
end

--- Returns the planned values of an instance by name.
---@param request hclexpr.provider.Request
---@param prior? table<string, hclexpr.Value> its prior values; nil if it is new
---@param fill? table as in proposed_new.parts
---@param open? boolean
---@return table<string, hclexpr.Value>
function proposed_new.of(request, prior, fill, open)
  if not request.schema then return open_parts(request, prior, fill) end
  return proposed_new.parts(prepared_schemas.of(request.schema), request.config, prior and core.value(prior) or nil, open, fill)
end

--- Makes attributes unknown that the configuration of an unread data source doesn't set. Old providers fill in such attributes, and
--- Terraform checks only their types.
---@param prepared hclexpr.module.Prepared
---@param values table<string, hclexpr.Value> of the data source; they are changed
function proposed_new.leave_open(prepared, values)
  for name, wanted in pairs(prepared.attributes) do
    local value = values[name]
    if value:unmark():is_null() and not wanted.row.write_only then
      values[name] = typed_values.mark(prepared_schemas.unknown(wanted), wanted.row)
    end
  end
end

--- Returns the parts of an object in which nothing is set.
---@param prepared hclexpr.module.Prepared
---@return table<string, hclexpr.Value>
function proposed_new.nothing(prepared)
  local values = {}
  for _, list in ipairs { prepared.attributes, prepared.blocks } do
    for name, wanted in pairs(list) do values[name] = prepared_schemas.null(wanted) end
  end
  return values
end

-- Ignored changes: differences between the configuration and the prior value

-- Returns the attribute, element or key to which a step leads in a value, or nil.
local function led_to(value, step)
  local plain = is_there(value)
  if not plain then return nil end
  local kind = core.kind(plain)
  if step.kind == "attr" then return kind == "object" and plain:get(step.text) or nil end
  if step.kind == "key" then return kind == "map" and plain:get(step.text) or nil end
  return (kind == "list" or kind == "tuple") and plain:get(tonumber(step.text)) or nil
end

-- Returns a copy of a value with another element at a step.
local function with_element(value, step, new)
  local plain = value:unmark()
  local kind = core.kind(plain)
  local listed = kind == "list" or kind == "tuple"
  local made, wanted = listed and setmetatable({}, core.array_mt) or {}, listed and tonumber(step.text) or step.text
  for key, element in plain:pairs() do made[listed and key + 1 or key] = key == wanted and new or element end
  local result = core.value(made, (kind == "list" or kind == "map") and plain:type() or nil) or plain
  for _, mark in ipairs(value:marks()) do result = result:mark(mark) end
  return result
end

-- Returns a copy of a map where a key has its prior element, or is removed if it had none.
local function with_old_key(value, prior, key)
  local plain, before = value:unmark(), is_there(prior)
  if not plain:is_known() then return value end
  local made, old = {}, before and before:get(key)
  if not plain:is_null() then
    for name, element in plain:pairs() do made[name] = element end
  end
  made[key] = old
  if plain:is_null() and not old then return value end
  local result = core.value(made, plain:type()) or plain
  for _, mark in ipairs(value:marks()) do result = result:mark(mark) end
  return result
end

-- Returns a value with its prior part at a path. Reference: nothing is ignored if the path doesn't exist now or before, or leads to an
-- unknown map. If the path ends with a key, the value there should be a map; for any other value, the whole prior value is used.
local function ignore(value, prior, steps, at)
  local step = steps[at]
  if not step then return core.kind(value) == "map" and not value:is_known() and value or prior end
  if step.kind == "key" and not steps[at + 1] then
    return core.kind(value) == "map" and with_old_key(value, prior, step.text) or prior
  end
  local now, before = led_to(value, step), led_to(prior, step)
  if not now or not before then return value end
  return with_element(value, step, ignore(now, before, steps, at + 1))
end

--- Returns a configuration with the prior values of everything that ignore_changes names.
---@param config table<string, hclexpr.Value>
---@param prior fun(name: string): hclexpr.Value?
---@param ignored "all"|table[]|nil traversals
---@return table<string, hclexpr.Value>
function proposed_new.ignore(config, prior, ignored)
  if not ignored then return config end
  local made = {}
  for name, value in pairs(config) do made[name] = ignored == "all" and prior(name) or value end
  if type(ignored) ~= "table" then return made end
  for _, traversal in ipairs(ignored) do
    local name = traversal.steps[1].text
    local before = prior(name)
    if made[name] and before then made[name] = ignore(made[name], before, traversal.steps, 2) end
  end
  return made
end

return proposed_new
