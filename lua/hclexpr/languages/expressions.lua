-- The expressions of a description: defaults, values and rules. They are compiled when the language is described, and checked with the
-- types of the names that they see.
local core = require "hclexpr.core"
local typecheck = require "hclexpr.typecheck"
local values = require "hclexpr.languages.values"

local expressions = {}

local any, text = core.type "any", core.type "string"

-- Returns the type of a body, for `self` and `parent`, without references and kept expressions, which can't be read. kinds: the kinds whose
-- body it is. open: the bodies around it; a body that contains itself has any type there.
local function type_of_body(level, kinds, open)
  if open[level] then return any end
  open[level] = true
  local parts = {}
  for _, kind in ipairs(kinds) do
    for _, label in ipairs(kind.labels) do parts[label] = text end
  end
  for _, a in ipairs(level.argument_list) do
    if values.has_value(a) then parts[a.name] = a.type or any end
  end
  for _, inner in ipairs(level.kind_list) do
    local one = (inner.address or inner.nesting == "map") and any or type_of_body(inner.level, { inner }, open)
    parts[inner.type] = (one == any or inner.nesting == "single") and one or core.type_of_parts("list", { one })
  end
  open[level] = nil
  return core.type_of_parts("object", parts)
end

--- Returns the kinds at the top whose blocks contain a level, directly or in blocks inside them.
---@param reading hclexpr.languages.Reading
---@param level hclexpr.languages.Level
---@return hclexpr.languages.Kind[]
function expressions.outermost(reading, level)
  local found, seen, stack = {}, {}, { level }
  while #stack > 0 do
    local at = table.remove(stack)
    for _, kind in ipairs(not seen[at] and reading.owners[at] or {}) do
      local around = reading.around[kind]
      if around == reading.out.level then found[#found + 1] = kind else stack[#stack + 1] = around end
    end
    seen[at] = true
  end
  return found
end

local each = core.unknown "object({ key = string, value = any })"

-- Returns the names that expressions of a body see, with unknown values. The types of blocks with an address are only checked when a file
-- is read.
local function names_in(reading, level, kind)
  local out, names = reading.out, { self = core.unknown(type_of_body(level, { kind }, {})) }
  local around = kind and reading.around[kind]
  if around then names.parent = core.unknown(type_of_body(around, reading.owners[around], {})) end
  for _, top in ipairs(expressions.outermost(reading, level)) do names.each = names.each or top.for_each and each or nil end
  for head in pairs(out.heads) do names[head] = core.unknown "any" end
  for name, value in pairs(out.names) do names[name] = value end
  return names
end

-- Returns the reference or kept expression that an expression tries to read, and from which name: `self` or `parent`.
local function through_reference(expression, level, around)
  local levels = { self = level, parent = around }
  for _, reference in ipairs(expression:references()) do
    local argument = levels[reference.root] and levels[reference.root].arguments[reference.steps[1]]
    if argument and not values.has_value(argument) then return argument, reference.root end
  end
end

local function compile(reading, level, kind, source, options, refuse)
  local expression, err = core.compile(source, { syntax = options.syntax })
  if not expression then refuse("%s", err[1].detail) end
  local argument, root = through_reference(expression, level, kind and reading.around[kind])
  if argument then
    refuse("%s.%s can't be read here: it is %s", root, argument.name, argument.kept and "an expression that is kept" or "a reference")
  end
  local names = names_in(reading, level, kind)
  for _, reference in ipairs(expression:references()) do
    if reference.root == "each" and not names.each then refuse("each is there in blocks with for_each = true, and this isn't one") end
  end
  local scope = core.scope { functions = reading.out.stubs, stdlib = reading.out.stdlib }
  local _, wrong = typecheck.run(expression, names, scope, options.returns)
  if wrong then refuse("%s", wrong[1].detail) end
  return expression
end

-- Returns the arguments of the body that the default_from or value_from of an argument reads from `self`.
local function needs_of(level, argument)
  local found = {}
  local expression = argument.value_from or argument.default_from
  for _, reference in ipairs(expression and expression:references() or {}) do
    local other = reference.root == "self" and level.arguments[reference.steps[1]]
    if other then found[#found + 1] = other end
  end
  return found
end

--- Rejects arguments that can't have a value: a default that needs itself, and values that need each other. Defaults may name each other,
--- because a file may set one of them.
---@param level hclexpr.languages.Level
---@param refuse fun(path: string, message: string, ...: any)
function expressions.check_circles(level, refuse)
  local state = {}
  local function visit(argument, way)
    if state[argument] == "done" or not argument.value_from then return end
    way = way .. (way == "" and "self." or " → self.") .. argument.name
    if state[argument] then refuse(argument.path .. ".value_from", "these need each other, so they have no value: %s", way) end
    state[argument] = "begun"
    for _, other in ipairs(needs_of(level, argument)) do visit(other, way) end
    state[argument] = "done"
  end
  for _, argument in ipairs(level.argument_list) do
    for _, other in ipairs(needs_of(level, argument)) do
      local field = argument.value_from and "value_from" or "default_from"
      if other == argument then refuse(argument.path .. "." .. field, "self.%s is this argument itself", argument.name) end
    end
    visit(argument, "")
  end
end

--- Compiles the expression that gives an argument its value. refuse raises an error.
---@param reading hclexpr.languages.Reading
---@param level hclexpr.languages.Level
---@param kind? hclexpr.languages.Kind whose body it is; nil: a file's
---@param source string
---@param type? hclexpr.Type
---@param refuse fun(message: string, ...: any)
---@return hclexpr.Expression
function expressions.value(reading, level, kind, source, type, refuse)
  return compile(reading, level, kind, source, { returns = type }, refuse)
end

--- Compiles a rule of a block. refuse raises an error about the field that it is given.
---@param reading hclexpr.languages.Reading
---@param kind hclexpr.languages.Kind
---@param rule { condition: string, error_message: string }
---@param refuse fun(field: string, message: string, ...: any)
---@return { condition: hclexpr.Expression, error_message: hclexpr.Expression }
function expressions.rule(reading, kind, rule, refuse)
  return {
    condition = compile(reading, kind.level, kind, rule.condition, { returns = core.type "bool" },
      function(...) refuse("condition", ...) end),
    error_message = compile(reading, kind.level, kind, rule.error_message, { syntax = "template", returns = core.type "string" },
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
