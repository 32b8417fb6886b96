-- Reads targets: addresses of what a plan is limited to or replaces, and those of overrides in test files.
local addresses = require "hclexpr.terraform.read.addresses"
local check = require "hclexpr.check"
local core = require "hclexpr.core"
local naming = require "hclexpr.terraform.language.naming"
local constant_expressions = require "hclexpr.terraform.read.constant_expressions"

local targets = {}

---@class hclexpr.module.Target
---@field kind "module"|"managed"|"data"|"ephemeral"|"list"
---@field path string[] the names of the calls that lead to the target
---@field steps { name: string, key: integer|string|false }[] the calls with keys
---@field address? string of a resource in its module: "aws_instance.web", "data.aws_ami.a"
---@field instance? integer|string|false of a resource: its key
---@field key string the whole address; equal targets have the same key

--- Reads the steps of an address as a target; returns nil and the mistake if they aren't one.
---@param steps table[]
---@return hclexpr.module.Target?
---@return { range: hclexpr.Range, text: string }? why
function targets.of_steps(steps)
  local calls, at, why = addresses.calls(steps)
  if why then return nil, { range = why.range or steps[at].range, text = why.text } end
  local path, module = {}, naming.module(calls)
  for i, call in ipairs(calls) do path[i] = call.name end
  if not steps[at] then return { kind = "module", path = path, steps = calls, key = module } end
  local found, wrong = addresses.resource(steps, at)
  if not found then return nil, wrong end
  local address = naming.resource(found.mode, found.type, found.name)
  return { kind = found.mode, path = path, steps = calls, address = address, instance = found.key,
           key = module .. "." .. naming.instance(address, found.key) }
end

--- Reads a part of an expression as a target; returns nil and the mistake if it isn't one.
---@param p hclexpr.module.Part
---@return hclexpr.module.Target?
---@return { range: hclexpr.Range, text: string }? why
function targets.read(p)
  local traversal = constant_expressions.traversal(p)
  if not traversal then
    return nil, { range = p.range, text = "A target is the address of a resource or a module: aws_instance.web, module.a" }
  end
  return targets.of_steps(traversal.steps)
end

--- Reads the address in a text as a target; returns nil and the mistake if it isn't one.
---@param text string
---@return hclexpr.module.Target?
---@return string? why
function targets.of_text(text)
  local expression = check.possible(core.compile(text))
  local is_path = expression and expression:ast().kind == "traversal"
  if not is_path then return nil, "Write the address of a resource, an instance or a module: aws_instance.web[0], module.a" end
  local traversal = core.traversals(expression)[1]
  local target, why = targets.of_steps(traversal.steps)
  return target, why and why.text
end

--- Returns true if a target exists in a tree of modules.
---@param config? hclexpr.module.Config
---@param target hclexpr.module.Target
---@return boolean
function targets.exists(config, target)
  for _, name in ipairs(target.path) do config = config and config.children[name] end
  return config ~= nil and (target.kind == "module" or config.folder.resources[target.address] ~= nil)
end

return targets
