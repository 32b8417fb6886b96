-- Variables that a file declares: their types, values and rules.
local clause = require("hclexpr.findings").clause
local core = require "hclexpr.core"
local rows = require("hclexpr.terraform.language.diagnostics").rows
local check = require "hclexpr.check"
local places = require "hclexpr.places"
local sorted = require("hclexpr.util").sorted

local variables = {}

-- Returns the type constraint of a variable, with the defaults of its attributes; nil: any type. In JSON syntax it is written as a string.
local function type_of(declared)
  local attribute = declared.arguments.type
  if not attribute then return nil end
  local text = attribute.expression:literal()
  if type(text) == "string" then return core.type(text) end
  return core.expression_type(attribute.expression)
end

local bool = check.certain(core.type "bool")

-- Returns true if an argument of the block is true, and `default` if the argument is missing; or nil and Diagnostics.
local function flag(declared, name, default)
  local attribute = declared.arguments[name]
  if not attribute then return default end
  local value, err = attribute.expression:value()
  if value == nil then return nil, err end
  local converted = bool:convert(value:unmark())
  if converted and converted:is_known() and not converted:is_null() then return converted:lua() end
  local place = places.of_attribute(attribute)
  return nil, core.diagnose(rows.MODULE_CONSTANT, place.object, place.range, name .. " must be a constant bool here.")
end

local function from_environment(conf, name)
  local environment = conf.options.environment
  if not environment then return nil end
  if type(environment) == "function" then return check.given("environment", "TF_VAR_" .. name, environment("TF_VAR_" .. name)) end
  return check.given("environment", "TF_VAR_" .. name, environment["TF_VAR_" .. name])
end

local plain = { string = true, number = true, bool = true }

-- Returns the value of a text from the environment. The text is an expression if the variable's type isn't string, number or bool.
local function of_text(text, wanted)
  if not wanted or plain[wanted:kind()] then return core.value(text) end
  local expression, err = core.compile(text)
  if not expression then return nil, err end
  return expression:value()
end

-- Describes a value that a variable can't have. from: the attribute of the default, or words about what gives the value.
local function mismatch(declared, err, from)
  local is_default = type(from) ~= "string"
  local place = is_default and places.of_attribute(from) or places.of_block(declared.block)
  local what = is_default and "The default of " .. declared.address or ("The value of %s, given by %s,"):format(declared.address, from)
  return nil, core.diagnose(rows.MODULE_INPUT, place.object, place.range, ("%s doesn't fit its type: %s"):format(what, clause(err)))
end

-- Returns the given value of a variable, or its default, and where that comes from. Without both, returns an unknown value if conf.checking
-- is set, and otherwise nil and Diagnostics.
local function given(conf, declared, wanted)
  local name = declared.name
  local value, err = conf.options.variables and conf.options.variables[name]
  if value ~= nil then
    value, err = core.value(value)
    return value, err or "the option 'variables'"
  end
  local text = from_environment(conf, name)
  if text then
    value, err = of_text(text, wanted)
    return value, err or "TF_VAR_" .. name
  end
  local default = declared.arguments.default
  if default then
    value, err = default.expression:value(nil, conf.scope)
    return value, err or default
  end
  if conf.checking then return core.unknown(wanted or "any") end
  local place = places.of_block(declared.block)
  return nil, core.diagnose(rows.MODULE_INPUT_MISSING, place.object, place.range,
    ("The variable \"%s\" has no default, and no value is given: give one by the option 'variables'."):format(name))
end

--- Returns the value of a variable; or nil and the diagnostics.
---@param conf hclexpr.languages.Configuration
---@param declared hclexpr.languages.Declared
---@return hclexpr.Value?
---@return hclexpr.Diagnostics?
function variables.value(conf, declared)
  local wanted, err = type_of(declared)
  if err then return nil, err end
  local value, from = given(conf, declared, wanted)
  if value == nil then return nil, from end
  local nullable, sensitive
  nullable, err = flag(declared, "nullable", true)
  if err then return nil, err end
  if value:is_null() and not nullable then
    local default = declared.arguments.default
    if not default then return mismatch(declared, { { detail = "It is null, and the variable isn't nullable." } }, from) end
    value, err = default.expression:value(nil, conf.scope)
    if value == nil then return nil, err end
    from = default
  end
  if wanted then
    local fitting, why = wanted:convert(value)
    if fitting == nil then return mismatch(declared, why, from) end
    value = fitting
  end
  sensitive, err = flag(declared, "sensitive", false)
  if err then return nil, err end
  return sensitive and value:mark "sensitive" or value
end

--- Reports values for variables that no file declares.
---@param conf hclexpr.languages.Configuration
function variables.check_given(conf)
  if conf.torn then return end -- unreadable text may declare them
  local known, names = {}, {}
  for _, declared in ipairs(conf.declared) do
    if declared.kind.declares == "variables" then
      known[declared.name] = true
      names[#names + 1] = declared.name
    end
  end
  for _, name in ipairs(sorted(conf.options.variables or {})) do
    if not known[name] then
      local near = core.suggest(tostring(name), names)
      conf.findings:report(rows.MODULE_UNDECLARED_INPUT, {},
        "A value is given for %s by the option 'variables', but no file declares it. %s", core.quote(tostring(name)),
        near and ("Did you mean %s?"):format(core.quote(near)) or "Declare it, or leave the value out.")
    end
  end
end

return variables
