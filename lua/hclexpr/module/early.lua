-- What is known before anything is evaluated: constants, and what is made of `const` variables and local values. Sources of modules
-- may be such.
local core = require "hclexpr.core"
local Findings = require "hclexpr.findings"
local references = require "hclexpr.module.references"
local wants = require "hclexpr.module.wants"

local early = {}

-- The local values that an Expression or Body names.
local function locals_in(config, object)
  local found = {}
  for _, ref in ipairs(references.of(object)) do
    local d = ref.kind == "local" and config.folder.locals[ref.name]
    if d then found[#found + 1] = d end
  end
  return found
end

-- What is known of a Config. Most are never asked.
local function begun(config)
  if not config.early then
    local var, unknown = {}, core.unknown "any"
    for name, d in pairs(config.folder.variables) do
      var[name] = config.const_values[name] or d.value_type and core.unknown(core.type_of_parts("plain", { d.value_type })) or unknown
    end
    -- All else that can be named has values later.
    local scope = core.scope { parent = config.early_scope, lookup = function() return unknown end }
    config.early = { var = var, ["local"] = {}, open = {}, scope = scope, checked = {},
                     path = { module = config.path, root = config.paths.root, cwd = config.paths.cwd } }
  end
  return config.early
end

local function evaluate(config, expression)
  local known = config.early
  return expression:value({ var = known.var, ["local"] = known["local"], path = known.path }, known.scope)
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
---@param loader { scope?: hclexpr.Scope, paths: { root: string, cwd: string } }
function early.begin(config, values, loader)
  config.const_values, config.early_scope, config.paths = values, loader.scope, loader.paths
end

local kinds = { variable = true, ["local"] = true, path = true }

--- The first reference to what can't be known beforehand, whatever it is; nil: there is none.
---@param expression hclexpr.Expression
---@return hclexpr.module.Reference?
function early.later(expression)
  for _, ref in ipairs(references.with_places(expression)) do
    if not ref.fault and not kinds[ref.kind] then return ref end
  end
end

--- The value of an expression, unknown where it needs what is not known yet.
---@param config hclexpr.module.Config
---@param expression hclexpr.Expression
---@return hclexpr.Value? value
---@return hclexpr.Diagnostics? err
function early.value(config, expression)
  local literal = expression:literal()
  if literal ~= nil then return core.value(literal) end
  local faults = references.check(expression, { folder = config.folder, known = {}, count = true, each = true })
  if faults then return nil, references.diagnostics(expression, faults, config) end
  need(config, expression)
  return evaluate(config, expression)
end

--- Adds what is wrong with the local values that the arguments of a call are made of, each once. Reference: they are evaluated while modules
--- are looked for, so whoever is told of them is told of nothing that comes later.
---@param config hclexpr.module.Config of the caller
---@param call hclexpr.module.Declaration
---@param findings hclexpr.Findings
---@return boolean sound
function early.check_locals(config, call, findings)
  local known, seen, queue, sound = begun(config).checked, {}, {}, true
  local function push(object)
    for _, d in ipairs(locals_in(config, object)) do
      if not seen[d] then seen[d], queue[#queue + 1] = true, d end
    end
  end
  for _, body in ipairs(call.bodies) do push(body) end
  for _, d in ipairs(queue) do
    local own = d.arguments.value.expression
    if known[d] == nil then
      local value, err = early.value(config, own)
      known[d] = value ~= nil
      findings.within = config
      if value == nil then findings:add(err) end
    end
    sound = sound and known[d]
    push(own)
  end
  return sound
end

--- The same for all calls of a tree, as its folders are now.
---@param root hclexpr.module.Config
---@param scope_of fun(folder: hclexpr.module.Folder): hclexpr.Scope
---@return hclexpr.Diagnostics?
function early.wrong_locals(root, scope_of)
  local findings, queue = Findings.new(true), { root }
  for _, config in ipairs(queue) do
    local folder = config.folder
    config.early, config.early_scope = nil, scope_of(folder)
    for _, name in ipairs(wants.steps(folder).calls) do
      early.check_locals(config, folder.calls[name], findings)
      queue[#queue + 1] = config.children[name]
    end
  end
  return findings:diagnostics()
end

return early
