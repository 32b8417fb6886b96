-- Reads variable blocks.
local clause = require("hclexpr.findings").clause
local core = require "hclexpr.core"
local language = require "hclexpr.terraform.language.language"
local places = require "hclexpr.places"
local reading = require "hclexpr.terraform.read.reading"
local rows = require "hclexpr.terraform.language.rows"
local type_constraints = require "hclexpr.terraform.read.type_constraints"

local variable = {}

-- The row of module calls; the names of their arguments can't name variables.
local call = language.file.blocks.module

local function is_reserved(name)
  return rows.arguments(call)[name] ~= nil or call.blocks[name] ~= nil
end

local function check_name(reader, block)
  local name = block.labels[1]
  if is_reserved(name) then
    reader.findings:report("MODULE_RESERVED", { object = block, range = block.label_ranges[1] }, "%s has a meaning of its own in a "
      .. "module call, so no variable can have this name.", name)
  end
end

-- Reports a validation rule whose condition doesn't refer to the variable itself.
local function check_rule(reader, name, rule)
  local found = false
  if not rule.condition then return end
  reading.each_reference(rule, function(attribute, ref)
    found = found or attribute == rule.condition and ref.kind == "variable" and ref.name == name
    return found
  end)
  if found then return end
  reader.findings:report("MODULE_RULE", places.of_attribute(rule.condition), "The condition of a validation of %s must use var.%s, the "
    .. "value that it tests.", name, name)
end

local function invalid_default(reader, place, why)
  reader.findings:report("MODULE_DEFAULT", place, "%s", why)
end

-- Returns the default value, converted to the variable's type; after a mistake, which is reported, an unknown value. In an override without
-- a type the default is converted later, to the type of the original variable.
local function read_default(reader, d)
  local attribute = d.arguments.default
  local value = reading.constant(reader, attribute)
  if value == nil then return core.unknown "any" end
  if d.value_type then
    local converted, err = d.value_type:convert(value)
    if converted == nil then
      invalid_default(reader, places.of_attribute(attribute), "The default doesn't fit the type: " .. clause(err, true) .. ".")
      return core.unknown "any"
    end
    value = converted
  end
  if d.nullable == false and value:is_null() then
    invalid_default(reader, places.of_attribute(attribute), "With nullable = false the default can't be null.")
  end
  return value
end

local function check_const(reader, d)
  for _, mark in ipairs { "sensitive", "ephemeral" } do
    if d.const and d[mark] then
      reader.findings:report("MODULE_CONSTANT", places.head_of(d), "A variable can't be const and %s, because const values are read "
        .. "first, and shown.", mark)
    end
  end
end

local nested = {}

function nested.validation(reader, d, block, row)
  local rule = reading.rule(reader, block, row)
  if not rule then return end
  check_rule(reader, d.name, rule)
  d.rules[#d.rules + 1] = rule
end

local function read(reader, block, row)
  local d, blocks = reading.begin(reader, block, row)
  local arguments = d.arguments
  check_name(reader, block)
  if arguments.type then d.value_type, d.parsed = type_constraints.read_variable(reader, arguments.type)
  elseif not reader.override then d.value_type, d.parsed = type_constraints.any, false end
  check_const(reader, d)
  if arguments.default then d.default = read_default(reader, d) end
  reading.nested(reader, d, blocks, row, nested)
  return d
end

-- Applies an override. Reference: the optional() defaults of the original type stay; those of the new type are ignored.
local function override(reader, base, d)
  if d.default ~= nil then base.default = d.default end
  if d.parsed ~= nil then base.parsed = d.parsed end
  if d.value_type then base.value_type = core.type_with_defaults(d.value_type, base.value_type) end
  if base.default == nil then return end
  local converted, err = base.value_type:convert(base.default)
  if converted == nil then
    invalid_default(reader, places.head_of(d), "After this override the default doesn't fit the type: " .. clause(err, true) .. ".")
    return
  end
  base.default = converted
  if base.nullable == false and converted:is_null() then
    invalid_default(reader, places.head_of(d), "With nullable = false the default can't be null.")
  end
end

function variable.declare(reader, block, row)
  reading.settle(reader, read(reader, block, row), row, override)
end

return variable
