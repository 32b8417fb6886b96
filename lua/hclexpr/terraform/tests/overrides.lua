-- Finds the mock or override in a test file that answers for an instance instead of its provider.

local overrides = {}

---@class hclexpr.module.tests.Double
---@field values? hclexpr.Value
---@field attribute? hclexpr.Attribute the attribute with the values
---@field during "plan"|"apply"
---@field override boolean

-- The names in expressions of mocks and overrides. They are empty: such expressions may only call functions, because their values are
-- stored.
local names = { var = {}, run = {} }

--- Returns the value of a mock or an override, or nil if it has no values. If the values are wrong, reports that and returns nil.
---@param one table { values = Attribute? }
---@param scope hclexpr.Scope
---@param findings hclexpr.Findings
---@return hclexpr.Value?
function overrides.value(one, scope, findings)
  if not one.values then return nil end
  if one.value == nil then
    local value, err = one.values.expression:value(names, scope)
    if value == nil then findings:add(err) end
    one.value = value
  end
  return one.value
end

-- Makes a Double from a value that was evaluated before: test_providers.lua checks mocks, running.lua overrides.
local function made(one, during, override)
  return { values = one.value, attribute = one.values, during = one.during or during or "apply", override = override }
end

--- Returns the Double for an instance of a resource or data source: of an override, of the mock, or without values if the mock has none for
--- the type; nil if the provider itself answers.
---@param lists table[] overrides by target: those of the run, of the file, of the mock
---@param mock? table the mock of its provider
---@param declaration hclexpr.module.Declaration
---@param module string
---@param address string of the instance in its module
---@return hclexpr.module.tests.Double?
function overrides.find(lists, mock, declaration, module, address)
  for _, key in ipairs { address, address ~= declaration.address and declaration.address or nil } do
    for _, list in ipairs(lists) do
      local one = list[module .. "." .. key]
      if one then return made(one, mock and list == mock.overrides and mock.during, true) end
    end
  end
  if not mock then return nil end
  local kind = declaration.mode == "data" and "mock_data" or "mock_resource"
  local own = mock[kind][declaration.type] or mock.shared and mock.shared[kind][declaration.type]
  if own then return made(own, mock.during, false) end
  return { during = "apply", override = false }
end

--- Returns the override of a module's instance, or nil.
---@param lists table[]
---@param address string
---@param whole string the address without its key
---@return table?
function overrides.of_module(lists, address, whole)
  for _, key in ipairs { address, whole } do
    for _, list in ipairs(lists) do
      local one = list[key]
      if one and one.target.kind == "module" then return one end
    end
  end
end

return overrides
