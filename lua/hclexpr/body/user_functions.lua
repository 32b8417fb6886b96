-- Functions that a text defines, as in HCL's user function extension: function "name" { params = [a, b] variadic_param = rest result = … }.
local core = require "hclexpr.core"
local places = require "hclexpr.places"

---@class hclexpr.user_functions.Context the context in which the results of functions are evaluated
---@field scope hclexpr.Scope
---@field depth? integer how deeply calls are nested, in a scope with a budget; nil: the functions are from another text, and can't call each other

local user_functions = {}

--- The kind of block for the schema of core.level.
user_functions.block = { type = "function", labels = { "name" }, nesting = 0 }

local schema = {
  attributes = { { name = "params", required = true }, { name = "variadic_param" }, { name = "result", required = true } },
  blocks = {},
}

-- CALL_STEPS are charged for each call, because its evaluation takes time in addition to its steps. DEEPEST limits the nesting of calls,
-- which takes memory of Lua's stack.
local CALL_STEPS, DEEPEST = 30, 100

-- Returns the word that an expression consists of, or nil. The word may also be a string, as in JSON syntax.
local function word_of(tree)
  if tree.kind == "traversal" and #tree.steps == 0 then return tree.root end
  if tree.kind == "string" and tree.text:find "^[%a_][%w_-]*$" then return tree.text end
end

local function read_params(findings, attribute)
  local tree, params = attribute.expression:ast(), {}
  if tree.kind ~= "tuple" then
    findings:report("SPEC_ARGUMENT", places.of_attribute(attribute), "params must be names in brackets: [a, b].")
    return nil
  end
  for i, element in ipairs(tree.elements) do
    params[i] = word_of(element)
    if not params[i] then
      findings:report("SPEC_ARGUMENT", { object = attribute.expression, range = element.range }, "A parameter is a plain name.")
      return nil
    end
  end
  return params
end

local function read_rest(findings, attribute)
  local word = word_of(attribute.expression:ast())
  if not word then findings:report("SPEC_ARGUMENT", places.of_attribute(attribute), "variadic_param must be a plain name.") end
  return word
end

-- Describes an error in a function of another text, with its position there.
local function failure(name, err)
  local first = err[1]
  local place = first.range and string.format(" (%s line %d)", first.range.filename or "its specification", first.range.start.line) or ""
  return string.format("%s failed%s: %s", name, place, first.detail)
end

-- Evaluates a function's result with the arguments as named values. Returns the value; or nil and Diagnostics, or a message if the function
-- is from another text.
local function evaluate(name, result, variables, context)
  if not context.depth then
    local value, err = result:value(variables, context.scope)
    if value == nil then return nil, failure(name, err) end
    return value
  end
  if context.depth >= DEEPEST then
    return nil, core.diagnose("LIMIT_DEPTH", result, result:range(), "Functions call each other more than 100 deep.")
  end
  context.depth = context.depth + 1
  core.spend(context.scope, CALL_STEPS, 0)
  local value, err = result:value(variables, context.scope)
  context.depth = context.depth - 1
  return value, err
end

-- Makes a Function that evaluates an expression, with the arguments as named values.
local function define(name, params, rest, result, context)
  local function call(...)
    local given, variables = { ... }, {}
    for i, param in ipairs(params) do variables[param] = given[i] end
    if rest then
      local others = setmetatable({}, core.array_mt)
      for i = #params + 1, select("#", ...) do others[#others + 1] = given[i] end
      variables[rest] = others
    end
    local value, err = evaluate(name, result, variables, context)
    if value == nil then return nil, err end
    for _, argument in ipairs(given) do
      -- If an argument is unknown, the result is an unknown value of the type that was found.
      if not argument:is_known() then return core.unknown(value:type()) end
    end
    return value
  end
  local rows = {}
  for i, param in ipairs(params) do rows[i] = { name = param, type = "any", unknown = true } end
  return core.func {
    params = rows, variadic = rest and { name = rest, type = "any", unknown = true } or nil, values = true, impl = call,
  }
end

--- Reads a block `function "name"`, and adds the Function to a table by name.
---@param findings hclexpr.Findings
---@param block hclexpr.Block
---@param defined table<string, hclexpr.Function>
---@param context hclexpr.user_functions.Context read when a function is called, so its scope may be set later
function user_functions.read(findings, block, defined, context)
  local content, err = core.level(block.body, schema)
  if err then return findings:add(err) end
  local params, rest = read_params(findings, content.attributes.params), content.attributes.variadic_param
  rest = rest and read_rest(findings, rest)
  if not params or (content.attributes.variadic_param and not rest) then return end
  local name = block.labels[1]
  if not core.is_function_name(name) then return end -- the reference accepts such a name, too, but the function can't be called
  defined[name] = define(name, params, rest, content.attributes.result.expression, context)
end

return user_functions
