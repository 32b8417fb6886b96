-- Checks without values, for expr:check and body:check. An expression is evaluated with unknown values of the types that its names will
-- have (csrc/binding/host/host_check.c). This finds every mistake that occurs whatever the values are, in every branch.
local core = require "hclexpr.core"
local check = require "hclexpr.check"
local clause = require("hclexpr.findings").clause
local driver = require "hclexpr.driver"

local typecheck = {}

local evaluate = driver.method(core.check)

---@class hclexpr.CheckOptions
---@field returns? hclexpr.Type|string a type that the result must convert to

-- Returns the Type for a Type or a constraint text; or nil and what is wrong.
local function type_of(t)
  if getmetatable(t) == core.classes.Type then return t end
  if type(t) ~= "string" then return nil, string.format("a Type or constraint text expected, got %s", type(t)) end
  local made, err = core.type(t)
  if not made then return nil, err[1].detail end
  return made
end
typecheck.type_of = type_of

--- Makes the variables of a check: by name, unknown values of the given types. `types` maps names to Types, constraint texts or Values. A
--- Value is used as it is, but the check looks only at its type; an open object may have further attributes. Wrong types raise an error at
--- the caller of the public method.
---@param n integer
---@param types table<string, hclexpr.Type|string|hclexpr.Value>
---@return table<string, hclexpr.Value> variables
function typecheck.unknowns(n, types)
  if type(types) ~= "table" then check.bad(n, "check", "table expected, got %s", types == nil and "no value" or type(types)) end
  local variables = {}
  for name, t in next, types do
    if type(name) ~= "string" then check.bad(n, "check", "names are strings, not %s", type(name)) end
    if getmetatable(t) == core.classes.Value then
      variables[name] = t
    else
      local made, why = type_of(t)
      if not made then check.bad(n, "check", "%s: %s", name, why) end
      variables[name] = core.unknown(made)
    end
  end
  return variables
end

typecheck.options = { returns = true }

--- Returns the Type from the option `returns`, or nil; raises errors like typecheck.unknowns.
---@param n integer
---@param options hclexpr.CheckOptions
---@return hclexpr.Type? returns
function typecheck.returns(n, options)
  if options.returns == nil then return nil end
  local made, why = type_of(options.returns)
  if not made then check.bad(n, "check", "option 'returns': %s", why) end
  return made
end

local plain = { string = true, number = true, bool = true }

--- Returns true if the type is a primitive type, such as string, and the value has it. This compares only kinds, so it makes no Type.
---@param value hclexpr.Value
---@param type hclexpr.Type
---@return boolean
function typecheck.is_plain(value, type)
  local kind = type:kind()
  return plain[kind] ~= nil and core.kind(value) == kind
end

-- Evaluates an expression with unknown variables, and converts the result to `returns`; or returns nil and what is wrong.
local function value_of(expression, variables, scope, returns)
  local value, err = evaluate(expression, variables, scope)
  if value == nil then return nil, err end
  if not returns or typecheck.is_plain(value, returns) or value:type() == returns then return value end
  local converted, why = returns:convert(value)
  if converted ~= nil then return converted end
  ---@cast why -?
  return nil, core.diagnose("CHECK_RETURNS", expression, expression:range(), "The result has the wrong type: " .. clause(why))
end

--- Returns what is wrong with an expression for all values of the variables; nil if it may succeed.
---@param expression hclexpr.Expression
---@param variables table<string, hclexpr.Value>
---@param scope? hclexpr.Scope
---@param returns? hclexpr.Type
---@return hclexpr.Diagnostics? err
function typecheck.fault(expression, variables, scope, returns)
  return select(2, value_of(expression, variables, scope, returns))
end

--- Returns the Type of an expression's result with unknown variables, after conversion to `returns`.
---@param expression hclexpr.Expression
---@param variables table<string, hclexpr.Value>
---@param scope? hclexpr.Scope
---@param returns? hclexpr.Type
---@return hclexpr.Type? type
---@return hclexpr.Diagnostics? err
function typecheck.run(expression, variables, scope, returns)
  local value, err = value_of(expression, variables, scope, returns)
  if value == nil then return nil, err end
  return core.type_of_parts("plain", { value:type() })
end

return typecheck
