-- Names that a file declares for its own expressions, as in several dialects of HCL: functions, variables, local values.
local core = require "hclexpr.core"
local rows = require("hclexpr.terraform.language.diagnostics").rows
local Findings = require "hclexpr.findings"
local levels = require "hclexpr.spec.levels"
local places = require "hclexpr.places"
local settling = require "hclexpr.body.settling"
local user_functions = require "hclexpr.body.user_functions"

local declarations = {}

-- Blocks that are left out of the file's values. `variables` is from HCL's extensions, `variable` from BuildKit, Packer, Nomad and
-- Terraform.
local taken = {
  attributes = {}, partial = true,
  blocks = {
    user_functions.block,
    { type = "variables", labels = {}, nesting = 0 },
    { type = "variable", labels = { "name" }, nesting = 0 },
  },
}

-- Blocks that declare names and also remain in the values.
local kept = {
  attributes = {}, partial = true,
  blocks = { { type = "locals", labels = {}, nesting = 0 }, { type = "local", labels = { "name" }, nesting = 0 } },
}

---@class hclexpr.declarations.Reader
---@field findings hclexpr.Findings
---@field given table the named values that the caller gave
---@field scope? hclexpr.Scope set once all declarations are read
---@field depth integer how deeply function calls are nested now
---@field settling hclexpr.settling.Settling
---@field functions table<string, hclexpr.Function>
---@field names table values that are also named without `var.`
---@field var table<string, hclexpr.Lazy>
---@field locals table<string, hclexpr.Lazy>

-- Makes a Lazy that computes a declared value with `work` when it is first needed. `place` is the place of the declaration.
local function lazy(reader, name, place, work)
  local value = { name = name, place = place, work = work }
  return setmetatable({ function() return settling.get(reader.settling, value) end }, core.classes.Lazy)
end

local function declare(reader, into, name, described, place, work)
  if into[name] then
    return reader.findings:report(rows.MODULE_DUPLICATE, place, "%s is declared already. Leave out one of the two.", described)
  end
  into[name] = lazy(reader, described, place, work)
end

local function of_attribute(reader, attribute)
  return function() return attribute:value(nil, reader.scope) end
end

-- Returns the type that a variable must have; nil for any type. In JSON syntax the type is written as a string.
local function type_of(attribute)
  if not attribute then return nil end
  local text = attribute.expression:literal()
  if type(text) == "string" then return core.type(text) end
  return core.expression_type(attribute.expression)
end

local function fit(name, place, value, wanted)
  local fitting, err = core.value(value, wanted)
  if fitting ~= nil then return fitting end
  return nil, core.diagnose("SPEC_ATTRIBUTE_TYPE", place.object, place.range,
    string.format('The value of the variable "%s" doesn\'t fit its type: %s', name, Findings.clause(err)))
end

local function read_variable(reader, block)
  local name, arguments, given = block.labels[1], block.body.attributes, reader.given
  local place = places.of_block(block)
  local function work()
    local wanted, err = type_of(arguments.type)
    if err then return nil, err end
    local value = given[name]
    if value == nil and not arguments.default then
      return nil, core.diagnose(rows.MODULE_INPUT_MISSING, block, place.range,
        string.format('The variable "%s" has no default, and no value is given. Give a named value "%s".', name, name))
    end
    if value == nil then value, err = arguments.default:value(nil, reader.scope) end
    if value == nil then return nil, err end
    return fit(name, place, value, wanted)
  end
  declare(reader, reader.var, name, "var." .. name, place, work)
  reader.names[name] = reader.var[name]
end

local function read_variables(reader, block)
  for _, attribute in ipairs(levels.attributes_of(block.body)) do
    local name, given = attribute.name, reader.given[attribute.name]
    local work = given == nil and of_attribute(reader, attribute) or function() return core.value(given) end
    declare(reader, reader.var, name, "var." .. name, places.of_attribute(attribute), work)
    reader.names[name] = reader.var[name]
  end
end

local function declare_local(reader, name, attribute)
  declare(reader, reader.locals, name, "local." .. name, places.of_attribute(attribute), of_attribute(reader, attribute))
end

local function read_locals(reader, block)
  for _, attribute in ipairs(levels.attributes_of(block.body)) do declare_local(reader, attribute.name, attribute) end
end

-- Reads a local value in Packer's form: `local "name" { expression = … }`.
local function read_local(reader, block)
  local attribute = block.body.attributes.expression
  if attribute then declare_local(reader, block.labels[1], attribute) end
end

local readers = {
  variable = read_variable, variables = read_variables, locals = read_locals, ["local"] = read_local,
  ["function"] = function(reader, block) user_functions.read(reader.findings, block, reader.functions, reader) end,
}

local function read(reader, body, schema)
  local content, err, rest = core.level(body, schema)
  if err then reader.findings:add(err) end
  for _, block in ipairs(content.blocks) do readers[block.type](reader, block) end
  return rest
end

--- Reads the declarations of a body. Returns the body without blocks of functions and variables, and a scope with the declared names. The
--- scope's limits apply to everything evaluated in it together, so use it for one evaluation.
---@param body hclexpr.Body
---@param variables? table the caller's named values; they replace defaults of declared variables, and are also in the scope
---@param scope? hclexpr.Scope
---@return hclexpr.Body? rest
---@return hclexpr.Diagnostics? err
---@return hclexpr.Scope? scope
---@return table<string, hclexpr.Function>? functions
function declarations.take(body, variables, scope)
  local reader = { findings = Findings.new(), given = variables or {}, depth = 0, settling = settling.new(), functions = {}, names = {},
                   var = {}, locals = {} }
  local rest = read(reader, body, taken)
  read(reader, body, kept)
  local err = reader.findings:diagnostics()
  if err then return nil, err end
  local named = {}
  if next(reader.var) then named.var = reader.var end
  if next(reader.locals) then named["local"] = reader.locals end
  for name, value in next, reader.given do named[name] = value end
  for name, value in next, reader.names do named[name] = value end
  reader.scope = core.scope { parent = scope, variables = named, functions = reader.functions }
  core.budget(reader.scope)
  return rest, nil, reader.scope, reader.functions
end

return declarations
