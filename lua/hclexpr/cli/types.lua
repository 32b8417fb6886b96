-- What a host of rules will provide, according to the options --rules, --types and --schema: named values and functions by their types, and
-- the allowed text.
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local request_type = require "hclexpr.fleet.request_type"
local lazy = require "hclexpr.lazy"
local shell = require "hclexpr.cli.shell"
local variables = lazy "hclexpr.cli.variables"

local types = {}

types.options = {
  { "--rules", "check all expressions as rules for OpenResty. The only name is request" },
  { "--types FILE", "as --rules, with more names. FILE has a line NAME = TYPE for each value, such as user = object({ name = string }), "
    .. "and a block functions { NAME = TYPE } with the types that the host's functions return" },
  { "--schema FILE", "a Lua file that returns the schema of the rules, the same as in nginx.conf" },
}

local function type_of(attribute)
  return shell.must(core.expression_type(attribute.expression))
end

local function declared(returns)
  local anything = { null = true, unknown = true, dynamic = true }
  local result = core.unknown(returns)
  return hcl.func { variadic = anything, returns = returns, impl = function() return result end }
end

-- Reads a file of --types; ends the command if something is wrong with it.
local function read_types(name, limits)
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

--- Runs a Lua file, and returns its table; ends the command if it returns no table.
---@param name string
---@param hint string what it should return
---@return table
function types.run_file(name, hint)
  -- Loads the file as text: loadfile would take bytecode, too, which Lua runs without checking it.
  local run, why = (loadstring or load)(shell.read(name), "@" .. shell.display_name(name)) -- luacheck: ignore loadstring
  if not run then shell.fail(why) end
  local ok, result = pcall(run)
  if not ok then
    local text = tostring(result)
    shell.fail(text:sub(1, #name + 1) == name .. ":" and text or name .. ": " .. text)
  end
  if type(result) ~= "table" then shell.fail(name .. ": it returns no table: end it with " .. hint) end
  return result
end

--- Reads a file of --schema; ends the command if something is wrong with it.
---@param name string
---@param scope? hclexpr.Scope
---@return hclexpr.Schema
function types.read_schema(name, scope)
  local schema = types.run_file(name, "return { attributes = … }")
  local empty = shell.must(hcl.parse "")
  local fits, fault = pcall(empty.check, empty, schema, {}, scope)
  if not fits then shell.fail(string.format("%s: %s", name, tostring(fault))) end
  return schema
end

---@class hclexpr.cli.Given
---@field limits hclexpr.Limits
---@field functions table<string, hclexpr.FunctionInfo|false> that the option --functions gives
---@field types? table<string, hclexpr.Type> nil: no option was given, and names are not checked
---@field scope? hclexpr.Scope
---@field schema? hclexpr.Schema

--- Makes the context in which files are checked; ends the command if something is wrong with an option.
---@param given { limits?: hclexpr.Limits, functions?: string[], rules?: boolean, types?: string, schema?: string }
---@return hclexpr.cli.Given
function types.given(given)
  local limits, own = given.limits or {}, {}
  for _, name in ipairs(given.functions or {}) do variables.rows(name, limits, own) end
  if not (given.rules or given.types or given.schema) then return { limits = limits, functions = own, sink = shell.report } end
  local known, functions = {}, nil
  if given.types then known, functions = read_types(given.types, limits) end
  known.request = known.request or hcl.type(request_type)
  local scope = hcl.scope { limits = limits, functions = functions }
  for _, name in ipairs(given.functions or {}) do scope = variables.functions(name, scope, limits) end
  return { limits = limits, functions = own, types = known, scope = scope, sink = shell.report,
           schema = given.schema and types.read_schema(given.schema, scope) }
end

return types
