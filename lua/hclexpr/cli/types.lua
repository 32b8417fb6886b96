-- The file of --types: the named values and functions that a host will give, by their types.
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local shell = require "hclexpr.cli.shell"

local types = {}

types.help = [[
  --types FILE            NAME = TYPE for each named value, such as user = object({ name = string }), and functions { NAME = TYPE } for
                          the functions of the host, by what they return: expressions are checked with these
]]

local function type_of(attribute)
  return shell.must(core.expression_type(attribute.expression))
end

local function declared(returns)
  local anything = { null = true, unknown = true, dynamic = true }
  return hcl.func { variadic = anything, returns = returns, impl = function() end }
end

--- Reads such a file; ends if something is wrong with it.
---@param name string
---@param limits? hclexpr.Limits
---@return table<string, hclexpr.Type> types
---@return table<string, hclexpr.Function> functions
function types.read(name, limits)
  local body = shell.must(shell.parse(name, limits))
  local found, functions = {}, {}
  for key, attribute in pairs(body.attributes) do found[key] = type_of(attribute) end
  for _, block in ipairs(body.blocks) do
    if block.type ~= "functions" or block.labels[1] then
      shell.fail(string.format("%s: a file of types holds arguments and a block functions, but there is a block %s", name, block.type))
    end
    for key, attribute in pairs(block.body.attributes) do functions[key] = declared(type_of(attribute)) end
  end
  return found, functions
end

return types
