-- What is planned of a configuration by its schema: what it says itself; what only the provider says, as it was before or else unknown;
-- and the schema's marks.
--
-- The same holds in nested blocks. Before and now belong together there by their place in a list, by their key in a map, and in a set
-- where the configuration allows that they are the same.
local core = require "hclexpr.core"
local typed_values = require "hclexpr.terraform.schema.typed_values"

local proposal = {}

local function is_null(value)
  local plain = value:unmark()
  return plain:is_known() and plain:is_null()
end
proposal.is_null = is_null

local function is_there(value)
  local plain = value and value:unmark()
  return plain and plain:is_known() and not plain:is_null() and plain or nil
end

local object

-- Makes a value of its elements anew. before(key, element): what the element was, or nil.
local function rebuild(inner, value, before, fill)
  local plain = value:unmark()
  local kind = plain:type():kind()
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

-- May what was before be the element of a set that the configuration has now?
local function fits(prepared, config, prior)
  local now, before = is_there(config), is_there(prior)
  if not now or not before then return false end
  for name, wanted in pairs(prepared.attributes) do
    local element = now:get(name)
    local left_out = wanted.row.computed and is_null(element)
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

-- The provider gets a write-only argument, and nobody keeps it: a plan has only its marks.
local function forget(wanted, value)
  local null = core.value(core.null, wanted.type)
  for _, mark in ipairs(value:marks()) do
    if mark ~= "ephemeral" then null = null:mark(mark) end
  end
  return null
end

local function part(wanted, value, prior, open, fill, name)
  if wanted.row.write_only then value = forget(wanted, value) end
  if wanted.row.computed and is_null(value) then
    value = prior or fill and fill:value(name, wanted) or core.unknown(wanted.type)
  elseif wanted.nesting and not wanted.inner.plain and is_there(value) then
    value = nestings[wanted.nesting](wanted.inner, value, prior, fill and fill:within(name))
  end
  if wanted.row.sensitive and not open then value = value:mark "sensitive" end
  return value
end

--- The planned parts of an object, by name.
---@param prepared hclexpr.module.Prepared
---@param config hclexpr.Value an object of the schema
---@param prior? hclexpr.Value what it was before; nil: it is new
---@param open? boolean without the schema's marks
---@param fill? { value: function, within: function } gives what the provider would (tests/doubles.lua)
---@return table<string, hclexpr.Value>
function proposal.parts(prepared, config, prior, open, fill)
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
  local made = core.value(proposal.parts(prepared, plain, prior, nil, fill))
  for _, mark in ipairs(value:marks()) do made = made:mark(mark) end
  return made
end

--- The parts of an object without anything set in it.
---@param prepared hclexpr.module.Prepared
---@return table<string, hclexpr.Value>
function proposal.nothing(prepared)
  local values = {}
  for _, list in ipairs { prepared.attributes, prepared.blocks } do
    for name, wanted in pairs(list) do values[name] = core.value(core.null, wanted.type) end
  end
  return values
end

-- What the configuration says is ignored where it differs from before

local function ignore(value, prior, steps, at)
  local step = steps[at]
  if not step then return prior end
  local now, before = is_there(value), is_there(prior)
  if not now or not before then return prior or value end
  local kind = now:type():kind()
  local listed = kind == "list" or kind == "tuple"
  -- Reference: a key at the end is one of a map; of anything else all is ignored.
  if step.kind == "key" and not steps[at + 1] and kind ~= "map" then return prior end
  if kind == "set" or kind == "string" or kind == "number" or kind == "bool" then return value end
  local wanted = listed and tonumber(step.text) or step.text
  local made, found = listed and setmetatable({}, core.array_mt) or {}, false
  local function put(key, element) made[listed and key + 1 or key] = element end
  for key, element in now:pairs() do
    if key ~= wanted then
      put(key, element)
    else
      found = true
      local old = before:get(key)
      -- What was added later stays out.
      if old then put(key, ignore(element, old, steps, at + 1)) elseif listed then put(key, element) end
    end
  end
  local old = not found and not listed and before:get(wanted)
  if old then put(wanted, old) end
  local result = core.value(made, kind ~= "object" and now:type() or nil) or value
  for _, mark in ipairs(value:marks()) do result = result:mark(mark) end
  return result
end

--- The configuration with what was before in the places of ignore_changes.
---@param config table<string, hclexpr.Value>
---@param prior fun(name: string): hclexpr.Value?
---@param ignored "all"|table[]|nil traversals
---@return table<string, hclexpr.Value>
function proposal.ignore(config, prior, ignored)
  if not ignored then return config end
  local made = {}
  for name, value in pairs(config) do made[name] = ignored == "all" and prior(name) or value end
  for _, traversal in ipairs(ignored == "all" and {} or ignored) do
    local name = traversal.steps[1].text
    local before = prior(name)
    if made[name] and before then made[name] = ignore(made[name], before, traversal.steps, 2) end
  end
  return made
end

return proposal
