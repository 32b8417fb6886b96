-- Reports mistakes in moved, removed and import blocks that only the whole module shows: a removed or moved declaration still exists, two
-- moves contradict each other, or the target of an import isn't declared.
local Findings = require "hclexpr.terraform.language.findings"
local addresses = require "hclexpr.terraform.read.addresses"
local dependencies = require "hclexpr.terraform.read.dependencies"
local imports = require "hclexpr.terraform.plan.imports"
local places = require "hclexpr.places"
local naming = require "hclexpr.terraform.language.naming"
local sorted = require("hclexpr.util").sorted

local moves = {}

local function resource_of(address)
  return naming.resource(address.mode, address.type, address.name)
end

-- Passes the blocks of a kind to visit(config, declaration): those of a caller before those of the modules that it calls.
local function each_block(root, kind, visit)
  for _, config in ipairs(dependencies.modules(root)) do
    for _, d in ipairs(config.folder.others) do
      if d.kind == kind and d.from then visit(config, d) end
    end
  end
end

-- Removed blocks

-- Returns the declaration that an address without keys names in a Config, or nil if nothing declares it.
local function declared(config, address)
  for _, step in ipairs(address.steps) do config = config and config.children[step.name] end
  if not config then return nil end
  if address.what == "module" then return config.call end
  return config.folder.resources[resource_of(address)]
end

--- Reports resources and modules that a block removes although they are still declared. Returns nil if all is well.
---@param root hclexpr.module.Config
---@return hclexpr.Diagnostics?
function moves.not_removed(root)
  local findings = Findings.new(true)
  each_block(root, "removed", function(config, d)
    local still = declared(config, d.from)
    if still then
      findings:report("MODULE_ADDRESS", places.head_of(still), "%s is declared here, but a block at %s removes it. Delete one of the "
        .. "two.", still.address, places.words(d.block.head_range))
    end
  end)
  return findings:diagnostics()
end

-- Moved blocks

-- Returns the full address of one end of a move, and whether something with this address exists. If `exact`, an address without a key names
-- the one instance without a key; otherwise it names all instances.
local function end_of(instance, address, exact)
  local at, text, n = instance, instance.address, #address.steps
  local whole_module = address.what == "module"
  for i, step in ipairs(address.steps) do
    text = naming.within(text, naming.call(step.name, step.key))
    local expansion = at and at.children[step.name]
    local is_call = whole_module and i == n and not exact
    at = expansion and (is_call and expansion or expansion.instances[step.key]) or nil
  end
  if whole_module then return text, at ~= nil end
  local name = resource_of(address)
  text = naming.within(text, naming.instance(name, address.key))
  local expansion = at and at.resources[name]
  if not exact then return text, expansion ~= nil end
  for _, key in ipairs(expansion and expansion.keys or {}) do
    if key == address.key then return text, true end
  end
  return text, false
end

local function key_of(address)
  if address.what == "module" then return address.steps[#address.steps].key end
  return address.key
end

-- Notes in `list` that a move leads from `this` to `other`, or from `other` to `this`. Returns the place of an earlier move that
-- contradicts this one, or nil.
local function contradicted(list, this, other, d)
  local before = list[this]
  list[this] = before or { other = other, d = d }
  return before and before.other ~= other and places.words(before.d.block.head_range) or nil
end

local function check(findings, seen, instance, d)
  local exact = key_of(d.from) ~= false or key_of(d.to) ~= false
  local from, is_there = end_of(instance, d.from, exact)
  local to = end_of(instance, d.to, exact)
  local function refuse(text, ...) findings:report("MODULE_ADDRESS", places.head_of(d), text, ...) end
  if from == to then
    refuse("%s moves to itself. Delete the block, or name the new address.", from)
    return
  end
  -- An address without keys names either the one instance without a key, or a whole resource or module. The two are checked apart, except
  -- that a whole and one of its instances mustn't be moved to the same address.
  local whole = seen[not exact].to[to]
  local is_part = whole and naming.without_keys(whole.other) == naming.without_keys(from)
  seen = seen[exact]
  if is_there then refuse("%s is still declared, but it is moved. Rename its declaration to %s.", from, to) end
  local other = contradicted(seen.from, from, to, d)
  if other then refuse("%s moves to %s here, and to another address at %s. Delete one of the two.", from, to, other) end
  other = contradicted(seen.to, to, from, d) or is_part and places.words(whole.d.block.head_range)
  if other then refuse("%s comes from %s here, and from another address at %s. Delete one of the two.", to, from, other) end
end

--- Reports imports into modules that aren't called; returns nil if it finds no such import.
---@param root hclexpr.module.Config
---@return hclexpr.Diagnostics?
function moves.without_module(root)
  local findings = Findings.new(true)
  imports.check_modules(root, findings)
  return findings:diagnostics()
end

--- Reports imports of resources that aren't declared; returns nil if it finds no such import.
---@param walk hclexpr.module.Walk
---@return hclexpr.Diagnostics?
function moves.without_target(walk)
  local before, findings = walk.findings, Findings.new(true)
  walk.findings = findings
  imports.check_targets(walk)
  walk.findings = before
  return findings:diagnostics()
end

--- Reports mistakes in the moves of a plan whose instances are known; returns nil if all moves are correct.
---@param walk hclexpr.module.Walk
---@return hclexpr.Diagnostics?
function moves.wrong(walk)
  local findings = Findings.new(true)
  local seen = { [true] = { from = {}, to = {} }, [false] = { from = {}, to = {} } }
  each_block(walk.module.root, "moved", function(config, d)
    for _, instance in ipairs(d.to and walk.instances[config] or {}) do
      findings.within = instance
      check(findings, seen, instance, d)
    end
  end)
  return findings:diagnostics()
end

--- Reports moved objects whose old or new address isn't a target, or returns nil. Reference: this is reported before anything is planned.
---@param of hclexpr.Run with targets
---@return hclexpr.Diagnostics?
function moves.outside(of)
  local state, outside = of.state, {}
  for _, entries in ipairs(state and { state.managed, state.deposed, state.data } or {}) do
    for _, entry in ipairs(entries) do
      local from = { steps = addresses.module_steps(entry.module) or {}, address = entry.address, key = entry.key }
      local to = state:moved(entry, from.steps)
      for _, place in ipairs(naming.place(from) ~= naming.place(to) and { from, to } or {}) do
        if not of.targets:names(place.steps, place.address, place.key) then outside[naming.place(place)] = true end
      end
    end
  end
  local list = sorted(outside)
  if not list[1] then return nil end
  return Findings.diagnose("MODULE_TARGETS_MOVED", nil, nil, ("Moved objects must be planned, but the targets leave out %s. Add these to "
    .. "the targets, or plan without targets."):format(table.concat(list, ", ")))
end

return moves
