-- Evaluates what is known before the walks: constants, and values made from `const` variables and local values. The sources of modules may
-- use these.
local core = require "hclexpr.core"
local Findings = require "hclexpr.terraform.language.findings"
local naming = require "hclexpr.terraform.language.naming"
local reading = require "hclexpr.terraform.read.reading"
local references = require "hclexpr.terraform.read.references"
local dependencies = require "hclexpr.terraform.read.dependencies"

local constants = {}

-- Returns the local values that an Expression or Body refers to.
local function locals_in(config, object)
  local found = {}
  for _, ref in ipairs(references.of(object)) do
    local d = ref.kind == "local" and config.folder.locals[ref.name]
    if d then found[#found + 1] = d end
  end
  return found
end

-- Returns the early values of a Config. They are made on first use, because most are never needed.
local function begun(config)
  if not config.early then
    local var, unknown = {}, core.unknown "any"
    for name, d in pairs(config.folder.variables) do
      var[name] = config.const_values[name] or d.value_type and core.unknown(core.type_of_parts("plain", { d.value_type })) or unknown
    end
    -- Anything else with a name gets its value later.
    local scope = core.scope { parent = config.early_scope, lookup = function() return unknown end }
    config.early = { var = var, ["local"] = {}, loops = {}, scope = scope, checked = {},
                     path = { module = config.path, root = config.paths.root, cwd = config.paths.cwd } }
  end
  return config.early
end

local function evaluate(config, expression)
  local known = config.early
  return expression:value({ var = known.var, ["local"] = known["local"], path = known.path }, known.scope)
end

-- Records the cycle of local values at the end of a path, where each is needed by the one before it. `last` is the value that closes the
-- cycle.
local function note_loop(known, path, last)
  local loop = {}
  for _, d in ipairs(path) do
    if d == last or loop[1] then loop[#loop + 1] = d end
  end
  for _, d in ipairs(loop) do known.loops[d] = known.loops[d] or loop end
end

-- Evaluates the local values that an expression needs, the innermost first. A value that needs itself is unknown.
local function need(config, expression)
  local known, stack, path = begun(config), {}, {}
  local values, open = known["local"], {}
  local function push(of)
    for _, d in ipairs(locals_in(config, of)) do
      if open[d] then note_loop(known, path, d) else stack[#stack + 1] = d end
    end
  end
  push(expression)
  while #stack > 0 do
    local d = stack[#stack]
    local own = d.arguments.value.expression
    if values[d.name] == nil then
      values[d.name], open[d], path[#path + 1] = core.unknown "any", true, d
      push(own)
    else
      stack[#stack] = nil
      if open[d] then
        open[d], path[#path] = nil, nil
        values[d.name] = evaluate(config, own) or values[d.name]
      end
    end
  end
end

--- Prepares a Config. `values` has the values of its const variables by name.
---@param config hclexpr.module.Config
---@param values table<string, hclexpr.Value>
---@param loader { scope?: hclexpr.Scope, paths: { root: string, cwd: string } }
function constants.begin(config, values, loader)
  config.const_values, config.early_scope, config.paths = values, loader.scope, loader.paths
end

local kinds = { variable = true, ["local"] = true, path = true }

--- Returns the first reference to something that can't be known in advance, or nil. Wrong references are in `faults`.
---@param expression hclexpr.Expression
---@param without_path? boolean whether path.NAME counts as such a reference, too
---@return hclexpr.module.Reference?
---@return hclexpr.module.Fault[] faults
function constants.later(expression, without_path)
  local faults, first, word = {}, nil, nil
  for _, ref in ipairs(references.with_places(expression)) do
    if ref.fault then faults[#faults + 1] = ref.fault
    elseif ref.kind == "none" then word = word or ref
    elseif not kinds[ref.kind] or without_path and ref.kind == "path" then first = first or ref end
  end
  return first or word, faults -- reference: the name of a type is checked last
end

--- Returns the value of an expression. It is unknown if it needs anything that isn't known yet.
---@param config hclexpr.module.Config
---@param expression hclexpr.Expression
---@return hclexpr.Value? value
---@return hclexpr.Diagnostics? err
function constants.value(config, expression)
  local literal = expression:literal()
  if literal ~= nil then return core.value(literal) end
  local faults = references.check(expression, { folder = config.folder, known = {}, count = true, each = true })
  if faults then return nil, references.diagnostics(expression, faults, config) end
  need(config, expression)
  return evaluate(config, expression)
end

--- Returns the value of an expression that determines the tree: a source, a version, or the value of a const variable.
---@param config hclexpr.module.Config
---@param expression hclexpr.Expression
---@return hclexpr.Value? value
---@return hclexpr.Diagnostics? err
function constants.value_for_tree(config, expression)
  config.makes_tree = config.makes_tree or expression:literal() == nil
  return constants.value(config, expression)
end

-- Returns true if a local value is free of mistakes. Adds its mistakes to findings, once.
local function check_local(config, d, findings)
  local known, own = begun(config), d.arguments.value.expression
  local sound = known.checked[d]
  if sound ~= nil then return sound end
  local value, err = constants.value(config, own)
  local loop = known.loops[d]
  findings.within = config
  if value == nil then findings:add(err)
  elseif loop and #loop == 1 then reading.tell_itself(findings, d, config)
  elseif loop and not loop.reported then
    local names = {}
    for i, of in ipairs(loop) do names[i] = naming.within(config.address, of.address) end
    findings:add(Findings.circle(names))
    loop.reported = true
  end
  findings.within = nil
  known.checked[d] = value ~= nil and not loop
  return known.checked[d]
end

--- Reports mistakes in the local values that objects use, each once. Reference: local values are evaluated while modules are searched, so
--- later mistakes aren't reported beside theirs.
---@param config hclexpr.module.Config
---@param objects (hclexpr.Expression|hclexpr.Body)[] parts of the module
---@param findings hclexpr.Findings
---@return boolean sound
function constants.check_locals(config, objects, findings)
  local seen, queue, sound = {}, {}, true
  local function push(object)
    for _, d in ipairs(locals_in(config, object)) do
      if not seen[d] then seen[d], queue[#queue + 1] = true, d end
    end
  end
  for _, object in ipairs(objects) do push(object) end
  for _, d in ipairs(queue) do
    sound = check_local(config, d, findings) and sound
    push(d.arguments.value.expression)
  end
  return sound
end

--- Reports mistakes in the local values that the calls of a tree use.
---@param root hclexpr.module.Config
---@param scope_of fun(folder: hclexpr.module.Folder): hclexpr.Scope
---@return hclexpr.Diagnostics?
function constants.wrong_locals(root, scope_of)
  local findings = Findings.new(true)
  for _, config in ipairs(dependencies.modules(root)) do
    local folder = config.folder
    config.early, config.early_scope = nil, scope_of(folder)
    for _, name in ipairs(dependencies.outline(folder).calls) do
      constants.check_locals(config, folder.calls[name].bodies, findings)
    end
  end
  return findings:diagnostics()
end

return constants
