-- What is known before anything is evaluated: constants, and what is made of `const` variables and local values. Sources of modules
-- may be such.
local core = require "hclexpr.core"
local references = require "hclexpr.module.references"

local early = {}

-- The local values that an expression names.
local function locals_in(config, expression)
  local found = {}
  for _, ref in ipairs(references.of(expression)) do
    local d = ref.kind == "local" and config.folder.locals[ref.name]
    if d then found[#found + 1] = d end
  end
  return found
end

-- What is known of a Config. Most are never asked.
local function begun(config)
  if not config.early then
    local var, unknown = {}, core.unknown "any"
    for name in pairs(config.folder.variables) do var[name] = config.const_values[name] or unknown end
    config.early = { var = var, ["local"] = {}, open = {}, path = { module = config.path, root = "." } }
  end
  return config.early
end

local function evaluate(config, expression)
  local known = config.early
  return expression:value({ var = known.var, ["local"] = known["local"], path = known.path }, config.early_scope)
end

-- Evaluates the local values that an expression needs, the innermost first. One that needs itself is not known.
local function need(config, expression)
  local known, stack = begun(config)["local"], {}
  local function push(of) for _, d in ipairs(locals_in(config, of)) do stack[#stack + 1] = d end end
  push(expression)
  while #stack > 0 do
    local d = stack[#stack]
    local own = d.arguments.value.expression
    if known[d.name] == nil then
      known[d.name] = core.unknown "any"
      config.early.open[d.name] = true
      push(own)
    else
      stack[#stack] = nil
      if config.early.open[d.name] then
        config.early.open[d.name] = nil
        known[d.name] = evaluate(config, own) or known[d.name]
      end
    end
  end
end

--- Prepares a Config. values: of its const variables, by name.
---@param config hclexpr.module.Config
---@param values table<string, hclexpr.Value>
---@param scope? hclexpr.Scope
function early.begin(config, values, scope)
  config.const_values, config.early_scope = values, scope
end

--- The value of an expression, unknown where it needs what is not known yet.
---@param config hclexpr.module.Config
---@param expression hclexpr.Expression
---@return hclexpr.Value? value
---@return hclexpr.Diagnostics? err
function early.value(config, expression)
  local literal = expression:literal()
  if literal ~= nil then return core.value(literal) end
  local faults = references.check(expression, { folder = config.folder, known = {} })
  if faults then return nil, references.diagnostics(expression, faults, config) end
  need(config, expression)
  return evaluate(config, expression)
end

return early
