-- Lists everything with conditions, and the results, for the JSON of plans.
local conditions = require "hclexpr.terraform.evaluate.conditions"
local copied = require("hclexpr.util").copied
local value_parts = require "hclexpr.terraform.show.json.value_parts"
local naming = require "hclexpr.terraform.language.naming"

local checks = {}

local kinds = { variable = "var", output = "output_value", resource = "resource", check = "check" }

local function add_instance(walk, list, instance, d, key)
  local address = naming.within(instance.address, naming.instance(d.address, key))
  local problems = nil
  if walk.messages[address] then
    problems = value_parts.list()
    local messages = copied(walk.messages[address])
    table.sort(messages)
    for i, message in ipairs(messages) do problems[i] = { message = message } end
  end
  list[#list + 1] = {
    address = { to_display = address, module = instance.address ~= "" and instance.address or nil, instance_key = key or nil },
    status = walk.checks[address] or "unknown", problems = problems,
  }
end

-- Returns true if something with conditions counts as evaluated. A variable does if it has a value, whatever its rules say; a check does
-- unless the targets leave it out. In a destroy plan only the root's outputs count, and only without targets; the plan deletes them even
-- without a refresh.
local function is_there(walk, node)
  local d, of = node.declaration, walk.run
  if of.mode == "destroy" and (d.kind ~= "output" or of.targets or node.config.parent) then return false end
  if d.kind == "check" then return not of.targets or of.targets.nodes[node] ~= nil end
  local outcome = walk:outcome(d.kind == "variable" and walk.graph:node(node.config, d.address) or node)
  return outcome ~= "skipped" and (outcome ~= nil or of.mode == "destroy")
end

-- Returns the known instances of an object with conditions; the list is empty if the object wasn't evaluated.
local function instances_of(walk, node)
  local list, d = value_parts.list(), node.declaration
  for _, instance in ipairs(is_there(walk, node) and walk.instances[node.config] or {}) do
    local expansion = d.kind == "resource" and (instance.resources[d.address] or { keys = {} })
    for _, key in ipairs(expansion and expansion.keys or { false }) do add_instance(walk, list, instance, d, key) end
  end
  table.sort(list, function(a, b) return a.address.to_display < b.address.to_display end)
  return list
end

--- Lists everything with conditions, sorted by address.
---@param walk hclexpr.module.Walk
---@return table[]
function checks.list(walk)
  local made = value_parts.list()
  for _, node in ipairs(walk.graph:of_list "checked") do
    local d, of = node.declaration, instances_of(walk, node)
    local status = of[1] and "pass" or conditions.of_none(walk, node)
    for _, one in ipairs(of) do status = conditions.worse(status, one.status) end
    made[#made + 1] = {
      address = { kind = kinds[d.kind], name = d.name, mode = d.mode, type = d.type, to_display = naming.within(node.config.address,
        d.address), module = node.config.address ~= "" and node.config.address or nil },
      status = status, instances = of[1] and of or nil,
    }
  end
  table.sort(made, function(a, b) return a.address.to_display < b.address.to_display end)
  return made
end

return checks
