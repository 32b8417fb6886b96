-- Values of variables: those that a root is given, and how a value becomes a variable's.
local inputs = {}

--- The value of a variable that it is given; nil and what is wrong.
---@param declaration hclexpr.module.Declaration
---@param value hclexpr.Value
---@return hclexpr.Value? value
---@return hclexpr.Diagnostics? err
function inputs.convert(declaration, value)
  return declaration.value_type:convert(value)
end

function inputs.const_values(_, folder)
  local values = {}
  for name, d in pairs(folder.variables) do
    if d.const then values[name] = d.default end
  end
  return values
end

function inputs.collect(_, _)
  return {}, nil
end

return inputs
