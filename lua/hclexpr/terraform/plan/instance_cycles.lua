-- Reports instances of a resource that would wait for each other in an apply, because their provisioners or depends_on refer to the
-- resource. Reference: this is checked when a plan is made and nothing else is wrong.
local change = require "hclexpr.terraform.plan.change"
local Findings = require "hclexpr.terraform.language.findings"
local references = require "hclexpr.terraform.read.references"
local dependencies = require "hclexpr.terraform.read.dependencies"
local naming = require "hclexpr.terraform.language.naming"

local instance_cycles = {}

-- Returns the references of a resource to itself that matter in an apply: those in its depends_on and provisioners.
local function own_references(declaration)
  local own = {}
  local function take(ref)
    if ref and ref.kind == "resource" and ref.key == declaration.address then own[#own + 1] = ref end
  end
  for _, traversal in ipairs(declaration.depends_on or {}) do take((references.read(traversal))) end
  for _, body in ipairs(dependencies.provisioner_bodies(declaration)) do
    for _, ref in ipairs(references.of(body)) do take(ref) end
  end
  return own
end

-- Returns the keys of a resource's instances that change, in an instance of the module.
local function changing(instance, declaration)
  local expansion, keys = instance.resources[declaration.address], {}
  for _, key in ipairs(expansion and expansion.changes and expansion.keys or {}) do
    local decision = expansion.decisions and expansion.decisions[key]
    if expansion.instances[key] ~= nil and change.is_pending("managed", decision) then keys[#keys + 1] = key end
  end
  return keys
end

-- Returns the keys to which references refer. If one refers to the whole resource or to a missing key, returns all keys.
local function named(refs, keys)
  local known, wanted, found = {}, {}, {}
  for _, key in ipairs(keys) do known[key] = true end
  for _, ref in ipairs(refs) do
    if ref.instance == nil or not known[ref.instance] then return keys end
    wanted[ref.instance] = true
  end
  for _, key in ipairs(keys) do
    if wanted[key] then found[#found + 1] = key end
  end
  return found
end

local function check(walk, node, refs, findings)
  for _, instance in ipairs(walk.instances[node.config] or {}) do
    local keys, names = named(refs, changing(instance, node.declaration)), {}
    for i = 1, keys[2] ~= nil and 2 or 0 do
      names[i] = naming.within(instance.address, naming.instance(node.declaration.address, keys[i]))
    end
    if names[2] then findings:add(Findings.circle(names)) end
  end
end

--- Reports the cycles among instances in a whole plan; returns nil if it finds no cycle.
---@param walk hclexpr.module.Walk
---@return hclexpr.Diagnostics?
function instance_cycles.wrong(walk)
  local findings = Findings.new(true)
  for _, node in ipairs(walk.graph:of_list "resources") do
    local refs = node.declaration.mode == "managed" and own_references(node.declaration) or {}
    if refs[1] then check(walk, node, refs, findings) end
  end
  return findings:diagnostics()
end

return instance_cycles
