-- Evaluates nodes of actions. In a plan, the node only finds the action's instances: the action itself is evaluated where a resource
-- triggers it (plan/actions.lua). In a validate walk, the node checks an action that nothing triggers.
local actions = require "hclexpr.terraform.plan.actions"
local instances = require "hclexpr.terraform.instance.instances"
local dependencies = require "hclexpr.terraform.read.dependencies"

local node = {}

function node.run(walk, of, instance)
  local declaration = of.declaration
  if walk.mode == "validate" then
    return next(dependencies.callers(instance.config.folder, declaration.address)) ~= nil or actions.check(walk, declaration, instance)
  end
  if not actions.check_order(walk, declaration, instance) then return false end
  local expansion = instances.expand(walk, declaration, instance)
  instance.resources[declaration.address] = expansion
  return expansion ~= nil
end

function node.forget(_, of, instance)
  instance.resources[of.declaration.address] = nil
end

return node
