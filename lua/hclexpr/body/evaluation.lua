-- Evaluates bodies. A body becomes one program, so a single evaluation, with its limits, callbacks and errors, computes all values.
local core = require "hclexpr.core"
local driver = require "hclexpr.driver"

local evaluation = {}

--- Evaluates a body. Returns its value, nil and the program; or nil and what is wrong.
---@param entry function core.eval or core.expression_value
---@param self hclexpr.Body
---@param schema? table a prepared schema
---@param decoded boolean true: the value has the decoded values; false: it is for core.expanded
---@param variables? table
---@param scope? hclexpr.Scope
---@return any
---@return hclexpr.Diagnostics? err
---@return hclexpr.Expression? program
function evaluation.evaluate(entry, self, schema, decoded, variables, scope)
  local expression, err = core.lower(self, schema, decoded)
  if expression == nil then return nil, err end
  local result, why = driver.continue(expression, variables, scope, entry(expression, variables, scope))
  if result == nil then return nil, why end
  return result, nil, expression
end

--- Returns the body with its `dynamic` blocks replaced by the blocks they generate.
---@param self hclexpr.Body
---@param schema? table a prepared schema
---@param variables? table
---@param scope? hclexpr.Scope
---@return hclexpr.Body? body
---@return hclexpr.Diagnostics? err
function evaluation.expand(self, schema, variables, scope)
  local value, err, expression = evaluation.evaluate(core.expression_value, self, schema, false, variables, scope)
  if value == nil then return nil, err end
  return core.expanded(expression, value)
end

return evaluation
