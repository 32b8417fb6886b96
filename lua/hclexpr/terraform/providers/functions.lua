-- Functions of providers. A schema gives the types of their results, but not the values. A host that can compute these gives functions in
-- its scope.
local core = require "hclexpr.core"
local typed_values = require "hclexpr.terraform.schema.typed_values"

local functions = {}

local function parameter(row)
  return { name = row.name or "value", type = typed_values.type(row.type), null = row.is_nullable == true }
end

--- Makes a function with an unknown result from the function's row in a file of schemas.
---@param row table
---@return hclexpr.Function
function functions.stand_in(row)
  local params, unknown = {}, core.unknown(typed_values.type(row.return_type))
  for i, given in ipairs(row.parameters or {}) do params[i] = parameter(given) end
  return core.func { params = params, variadic = row.variadic_parameter and parameter(row.variadic_parameter) or nil, values = true,
                     impl = function() return unknown end }
end

--- A function that takes any arguments and returns unknown, for functions without a schema.
functions.any = core.func {
  params = {}, variadic = { name = "arguments", null = true, unknown = true, dynamic = true }, values = true,
  impl = function() return core.unknown("any", { untyped = true }) end,
}

return functions
