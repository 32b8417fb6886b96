-- Copies documents, leaving out parts of the wrong form as if they were absent. Output of other programs, and tables of a host, may have
-- any form.
local core = require "hclexpr.core"
local modes = require "hclexpr.terraform.language.modes"

local wellformed = {}

-- A shape is a function (x, depth, seen) that returns the sound parts of x, or nil. `seen` has what each shape made of each table, or false
-- while that is being made, because a table may be part of itself or of several tables. `seen` is nil for tables that were just decoded,
-- which don't share parts.

local DEEPEST = 100

local function apply(shape, x, depth, seen)
  if type(x) ~= "table" then return shape(x) end
  if depth > DEEPEST then return nil end
  if not seen then return shape(x, depth + 1) end
  local of_shape = seen[shape] or {}
  seen[shape] = of_shape
  if of_shape[x] == nil then
    of_shape[x] = false
    of_shape[x] = shape(x, depth + 1, seen)
  end
  return of_shape[x] or nil
end

local function text(x) if type(x) == "string" then return x end end
local function flag(x) if type(x) == "boolean" then return x end end
local function number(x) if type(x) == "number" and x == x then return x end end
local function whole(x) if type(x) == "number" and x == math.floor(x) and math.abs(x) < 2^53 then return x end end
local is_name = core.name_columns
local function name_of(x) if type(x) == "string" and is_name(x) then return x end end
local function key(x) return text(x) or number(x) end

local function one_of(words)
  local known = {}
  for word in words:gmatch "%a+" do known[word] = true end
  return function(x) if type(x) == "string" and known[x] then return x end end
end

-- Returns the shape of an object. Any of its fields may be missing, except `needed`. The shape visits the fields that the object has,
-- because most objects have few.
local function record(fields, needed)
  return function(x, depth, seen)
    if type(x) ~= "table" then return nil end
    local made = {}
    for name, part in next, x do
      local shape = fields[name]
      if shape then made[name] = apply(shape, part, depth, seen) end
    end
    if needed and made[needed] == nil then return nil end
    return made
  end
end

local function list(shape)
  return function(x, depth, seen)
    if type(x) ~= "table" then return nil end
    local made = {}
    for i = 1, #x do made[#made + 1] = apply(shape, rawget(x, i), depth, seen) end
    return made
  end
end

-- Returns the shape of a map whose keys pass a test.
local function map(shape, is_key)
  return function(x, depth, seen)
    if type(x) ~= "table" then return nil end
    local made = {}
    for name, part in next, x do
      if type(name) == "string" and (not is_key or is_key(name)) then made[name] = apply(shape, part, depth, seen) end
    end
    return made
  end
end

-- Numbers that Lua can't represent are Values with their own class.
local is_value = { [core.classes.Value] = true, [core.classes.Number] = true }

-- The shape of any JSON data.
local function data(x, depth, seen)
  local kind = type(x)
  if kind == "string" or kind == "boolean" or x == core.null or is_value[getmetatable(x)] then return x end
  if kind ~= "table" then return number(x) end
  local made = setmetatable({}, getmetatable(x) == core.array_mt and core.array_mt or nil)
  for name, part in next, x do
    if key(name) ~= nil then made[name] = apply(data, part, depth, seen) end
  end
  return made
end

-- States

local output = record { value = data, type = data, sensitive = flag }
local outputs = map(output)

local shown_module = {
  address = text,
  resources = list(record {
    mode = text, type = name_of, name = name_of, index = key, values = data, sensitive_values = data, tainted = flag, provider_name = text,
    deposed_key = text, depends_on = list(text),
  }),
}
shown_module.child_modules = list(record(shown_module))

local values = record { outputs = outputs, root_module = record(shown_module) }

local state = record {
  version = key, format_version = key, outputs = outputs, values = values, prior_state = record { values = values },
  resources = list(record {
    mode = text, type = name_of, name = name_of, module = text, provider = text,
    instances = list(record { index_key = key, attributes = data, sensitive_attributes = data, status = text, deposed = text,
                              dependencies = list(text), create_before_destroy = flag, flat = flag }),
  }),
}

-- Schemas

local kinds = one_of "list set map"

local function type_of(x, depth, seen)
  if type(x) ~= "table" then return text(x) end
  local kind, inner = x[1], x[2]
  if kinds(kind) then return { kind, apply(type_of, inner, depth, seen) or "dynamic" } end
  if kind == "object" then return { kind, apply(map(type_of), inner, depth, seen) or {} } end
  if kind == "tuple" then return { kind, apply(list(type_of), inner, depth, seen) or {} } end
  return "dynamic"
end

local attribute = {
  type = type_of, optional = flag, required = flag, computed = flag, sensitive = flag, deprecated = flag, write_only = flag,
  description = text, deprecation_message = text, open = flag, loose = flag,
}
attribute.nested_type = record({ nesting_mode = one_of "single group list set map", attributes = map(record(attribute), is_name) },
                               "nesting_mode")

local block = { attributes = map(record(attribute), is_name), deprecated = flag, description = text,
                deprecation_message = text }
local block_record = record(block)
local function inner_block(x, depth, seen)
  return type(x) == "table" and block_record(x, depth, seen) or {}
end

-- Returns the shape of a record with a block. A missing block becomes an empty one.
local function with_block(fields, needed)
  local shape = record(fields, needed)
  return function(x, depth, seen)
    local made = shape(x, depth, seen)
    if made then made.block = made.block or {} end
    return made
  end
end
block.block_types = map(with_block({
  nesting_mode = one_of "single group list set map", min_items = whole, max_items = whole, block = inner_block,
}, "nesting_mode"), is_name)

local row = with_block { block = inner_block, version = whole }

local parameter = record { name = text, type = type_of, is_nullable = flag, description = text }
local functions = map(record { parameters = list(parameter), variadic_parameter = parameter, return_type = type_of, summary = text,
                               description = text }, is_name)

-- Returns rows that are copied on first use, because a provider may have a thousand rows. `x` is a table of rows, or a function that
-- returns the row of a name.
local function lazily(x, part, complete)
  return setmetatable({}, { __index = function(made, name)
    local is_read = type(x) == "function"
    local given = is_read and x(name) or type(x) == "table" and rawget(x, name)
    local found = apply(row, given, 1, not is_read and {} or nil) or false
    if found and complete then complete(found, name, part) end
    made[name] = found
    return found
  end })
end

--- Copies the sound parts of a state.
---@param x table
---@return table
function wellformed.state(x)
  return apply(state, x, 1, {}) --[[@as table]]
end

--- Copies the sound outputs of a state.
---@param x any
---@return table<string, { value: any, type: any, sensitive?: boolean }>?
function wellformed.outputs(x)
  return apply(outputs, x, 1, {}) --[[@as table]]
end

--- Copies the sound parts of a provider's schemas.
---@param x table the row of the provider itself, and the rows of each part; each may be a function
---@param complete? fun(row: table, name: string, part: string) changes the row of a type on its first use
---@return table
function wellformed.provider(x, complete)
  local provider = rawget(x, "provider")
  local made = { provider = type(provider) ~= "function" and apply(row, provider, 1, {}) or nil,
                 functions = apply(functions, rawget(x, "functions"), 1, {}) or {} }
  for _, mode in pairs(modes) do
    if mode.schemas then made[mode.schemas] = lazily(rawget(x, mode.schemas), mode.schemas, complete) end
  end
  if type(provider) ~= "function" then return made end
  return setmetatable(made, { __index = function(_, part)
    if part ~= "provider" then return nil end
    made.provider = apply(row, provider(), 1) or false
    return made.provider
  end })
end

return wellformed
