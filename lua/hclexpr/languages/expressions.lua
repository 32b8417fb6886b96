-- The expressions of a description: defaults, values and rules. They are compiled when the language is described, and checked with the
-- types of the names that they see.
local core = require "hclexpr.core"
local typecheck = require "hclexpr.typecheck"

local expressions = {}

-- The type of `self`. It lacks references and kept expressions, which have no value to read.
local function type_of_self(level, kind)
  local parts = {}
  for _, label in ipairs(kind and kind.labels or {}) do parts[label] = core.type "string" end
  for _, a in ipairs(level.argument_list) do
    if not (a.kept or a.ref or a.refs) then parts[a.name] = a.type or core.type "any" end
  end
  for _, inner in ipairs(level.kind_list) do parts[inner.type] = core.type "any" end
  return core.type_of_parts("object", parts)
end

-- The names that the expressions of a body see, with unknown values. Addresses have any type here: they are checked when a file is read.
local function names_in(out, level, kind)
  local any = core.unknown "any"
  local names = { self = core.unknown(type_of_self(level, kind)), parent = any, each = any }
  for head in pairs(out.heads) do names[head] = any end
  for name, value in pairs(out.names) do names[name] = value end
  return names
end

-- The argument if an expression reads through a reference or a kept expression, such as self.to.port.
local function through_reference(expression, level)
  for _, reference in ipairs(expression:references()) do
    local argument = reference.root == "self" and level.arguments[reference.steps[1]]
    if argument and (argument.ref or argument.refs or argument.kept) then return argument end
  end
end

local function compile(out, level, kind, text, options, refuse)
  local expression, err = core.compile(text, { syntax = options.syntax })
  if not expression then refuse("%s", err[1].detail) end
  local argument = through_reference(expression, level)
  if argument then
    refuse("self.%s can't be read here: it is %s", argument.name, argument.kept and "an expression that is kept" or "a reference")
  end
  local scope = core.scope { functions = out.stubs, stdlib = out.stdlib }
  local _, wrong = typecheck.run(expression, names_in(out, level, kind), scope, options.returns)
  if wrong then refuse("%s", wrong[1].detail) end
  return expression
end

--- Compiles the expression that gives an argument its value. `refuse` raises an error.
---@param out hclexpr.languages.Description
---@param level hclexpr.languages.Level
---@param kind? hclexpr.languages.Kind the kind of the block; nil: the argument is at the top of a file
---@param text string
---@param type? hclexpr.Type
---@param refuse fun(message: string, ...: any)
---@return hclexpr.Expression
function expressions.value(out, level, kind, text, type, refuse)
  return compile(out, level, kind, text, { returns = type }, refuse)
end

--- Compiles a rule of a block. `refuse` raises an error about a field.
---@param out hclexpr.languages.Description
---@param kind hclexpr.languages.Kind
---@param rule { condition: string, error_message: string }
---@param refuse fun(field: string, message: string, ...: any)
---@return { condition: hclexpr.Expression, error_message: hclexpr.Expression }
function expressions.rule(out, kind, rule, refuse)
  return {
    condition = compile(out, kind.level, kind, rule.condition, { returns = core.type "bool" },
      function(...) refuse("condition", ...) end),
    error_message = compile(out, kind.level, kind, rule.error_message, { syntax = "template", returns = core.type "string" },
      function(...) refuse("error_message", ...) end),
  }
end

--- Rejects names in the `types` of kept expressions that the language already defines.
---@param out hclexpr.languages.Description
---@param refuse fun(path: string, message: string, ...: any)
function expressions.names_of_kept(out, refuse)
  local seen = {}
  local function visit(level)
    if seen[level] then return end
    seen[level] = true
    for _, a in ipairs(level.argument_list) do
      for name in pairs(a.types or {}) do
        if out.heads[name] or out.names[name] then
          refuse(a.path .. ".types." .. name, "expressions of the language have a name '%s' already", name)
        end
      end
    end
    for _, kind in ipairs(level.kind_list) do visit(kind.level) end
  end
  visit(out.level)
end

return expressions
