-- variable blocks.
local core = require "hclexpr.core"
local certain = require("hclexpr.check").certain
local places = require "hclexpr.places"
local reading = require "hclexpr.terraform.read.reading"
local type_constraints = require "hclexpr.terraform.read.type_constraints"

local variable = { labels = { "name" } }

local schema = reading.schema("description default type sensitive ephemeral nullable deprecated const", { validation = {} })

-- Names that mean something in the block of a module call.
local reserved = {}
for name in ("source version count for_each depends_on providers ignore_nested_deprecations _ lifecycle locals provider"):gmatch "%S+" do
  reserved[name] = true
end

local function check_name(reader, block)
  local name = block.labels[1]
  reading.check_name(reader, block, 1, "variable")
  if reserved[name] then
    reader.findings:report("MODULE_RESERVED", { object = block, range = block.label_ranges[1] }, "%s has a meaning of its own in the "
      .. "block of a module call, so no variable can be called so.", name)
  end
end

-- Each rule is about the variable itself.
local function check_rule(reader, name, rule)
  local found = false
  if not rule.condition then return end
  reading.each_reference(rule, function(attribute, ref)
    found = found or attribute == rule.condition and ref.kind == "variable" and ref.name == name
    return found
  end)
  if found then return end
  reader.findings:report("MODULE_RULE", places.of_attribute(rule.condition), "The condition of a validation of %s must name var.%s, "
    .. "the value that it is about.", name, name)
end

local function invalid_default(reader, place, why)
  reader.findings:report("MODULE_DEFAULT", place, "%s", why)
end

local function reason(err)
  return (err[1].detail:gsub("%.$", ""))
end

-- The default as the variable's type has it. Of an override without a type it waits for that of the base.
local function read_default(reader, d)
  local attribute = d.arguments.default
  local value = reading.constant(reader, attribute)
  if value == nil then return core.unknown "any" end
  if d.value_type then
    local converted, err = d.value_type:convert(value)
    if converted == nil then
      invalid_default(reader, places.of_attribute(attribute), "The default doesn't fit the type " .. tostring(d.value_type) .. ": "
        .. reason(err) .. ".")
      return core.unknown "any"
    end
    value = converted
  end
  if d.nullable == false and value:is_known() and value:is_null() then
    invalid_default(reader, places.of_attribute(attribute), "With nullable = false the default can't be null.")
  end
  return value
end

local function check_const(reader, d)
  for _, mark in ipairs { "sensitive", "ephemeral" } do
    if d.const and d[mark] then
      reader.findings:report("MODULE_CONSTANT", places.head_of(d), "A variable can't be const and %s: const values are read before "
        .. "anything else, and shown.", mark)
    end
  end
end

local function read(reader, block)
  local name = block.labels[1]
  local arguments, blocks = reading.level(reader, block.body, schema)
  local d = reading.declaration(reader, "variable", name, "var." .. name, block, arguments)
  check_name(reader, block)
  d.description = reading.text(reader, arguments.description)
  if arguments.type then d.value_type, d.parsed = type_constraints.read_variable(reader, arguments.type)
  elseif not reader.override then d.value_type, d.parsed = certain(core.type "any"), false end
  d.sensitive = reading.flag(reader, arguments.sensitive)
  d.ephemeral = reading.flag(reader, arguments.ephemeral)
  d.const = reading.flag(reader, arguments.const)
  check_const(reader, d)
  d.nullable = reading.flag(reader, arguments.nullable)
  if arguments.default then d.default = read_default(reader, d) end
  d.deprecated = reading.text(reader, arguments.deprecated)
  for _, inner in ipairs(blocks) do
    local rule = reading.rule(reader, inner)
    if rule then
      check_rule(reader, name, rule)
      d.rules[#d.rules + 1] = rule
    end
  end
  return d
end

-- Reference: the optional() defaults of the first type stay; those of the new one don't count.
local function override(reader, base, d)
  for _, name in ipairs { "description", "sensitive", "ephemeral", "const", "nullable", "default", "parsed" } do
    if d[name] ~= nil then base[name] = d[name] end
  end
  if d.value_type then base.value_type = core.type_with_defaults(d.value_type, base.value_type) end
  reading.merge(base, d)
  if base.default == nil then return end
  local converted, err = base.value_type:convert(base.default)
  if converted == nil then
    invalid_default(reader, places.head_of(d), "After this override the default doesn't fit the type: " .. reason(err) .. ".")
    return
  end
  base.default = converted
  if base.nullable == false and converted:is_known() and converted:is_null() then
    invalid_default(reader, places.head_of(d), "With nullable = false the default can't be null.")
  end
end

function variable.declare(reader, block)
  local d = read(reader, block)
  local known = reader.folder.variables
  if not reader.override then return reading.declare(reader, known, d.name, d, "variable") end
  local base = reading.overridden(reader, known, d.name, d, "variable")
  if base then override(reader, base, d) end
end

return variable
