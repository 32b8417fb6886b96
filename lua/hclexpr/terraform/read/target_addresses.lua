-- Targets: addresses to which a plan is limited, or which it replaces, and those that overrides of test files replace.
local addresses = require "hclexpr.terraform.read.addresses"
local check = require "hclexpr.check"
local core = require "hclexpr.core"
local naming = require "hclexpr.terraform.language.naming"
local references = require "hclexpr.terraform.read.references"
local constant_expressions = require "hclexpr.terraform.read.constant_expressions"

local targets = {}

---@class hclexpr.module.Target
---@field kind "module"|"managed"|"data"|"ephemeral"|"list"
---@field path string[] the names of the calls that lead to it
---@field steps { name: string, key: integer|string|false }[] the same with keys
---@field address? string of a resource in its module: "aws_instance.web", "data.aws_ami.a"
---@field instance? integer|string|false of a resource: its key
---@field key string the whole address; targets with the same key are the same

local reserved = {}
for word in ("count each local module path self terraform var template lazy arg"):gmatch "%S+" do reserved[word] = true end

local function fault(first, last, text)
  return nil, { range = { filename = first.range.filename, start = first.range.start, stop = last.range.stop }, text = text }
end

-- A resource, from a step on: its mode, address and that of its instance; or nil and what is wrong, which is second.
local function resource(steps, at)
  local first, last, mode = steps[at], steps[#steps], "managed"
  if reserved[first.text] then
    return fault(first, last, first.text .. " is not a type of resources. One that is called so is resource." .. first.text)
  end
  if naming.modes[first.text] then mode, at = naming.modes[first.text], at + 1 end
  local type, name, key = steps[at], steps[at + 1], steps[at + 2]
  if not name then return fault(steps[math.min(at, #steps)], last, "A resource has a type and a name: TYPE.NAME") end
  if addresses.is_key(type) then return fault(type, type, "The type of a resource belongs here.") end
  if name.kind ~= "attr" then return fault(name, name, "The name of a resource belongs here.") end
  if steps[at + 3] then return fault(steps[at + 3], steps[at + 3], "A target ends with the resource or its instance.") end
  if key and not addresses.is_key(key) then return fault(key, key, "An instance is named in brackets: [0] or [\"key\"]") end
  local address = naming.resource(mode, type.text, name.text)
  local own, why
  if key then own, why = references.instance_key(key) end
  if why then return nil, why end
  return mode, nil, address, own or false
end

--- The target of the steps of an address; nil, and what is wrong with them: { range, text }.
---@param steps table[]
---@return hclexpr.module.Target?
---@return { range: hclexpr.Range, text: string }? why
function targets.of_steps(steps)
  local calls, at, why = addresses.calls(steps)
  if why then return nil, { range = why.range or steps[at].range, text = why.text } end
  local path, module = {}, naming.module(calls)
  for i, call in ipairs(calls) do path[i] = call.name end
  if not steps[at] then return { kind = "module", path = path, steps = calls, key = module } end
  local kind, wrong, address, key = resource(steps, at)
  if not kind then return nil, wrong end
  return { kind = kind, path = path, steps = calls, address = address, instance = key,
           key = module .. "." .. naming.instance(address, key) }
end

--- The target of a part of an expression; nil, and what is wrong with it: { range, text }.
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

--- The target of the address in a text; nil, and what is wrong with it.
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

--- Does it exist in a tree of modules?
---@param config? hclexpr.module.Config
---@param target hclexpr.module.Target
---@return boolean
function targets.exists(config, target)
  for _, name in ipairs(target.path) do config = config and config.children[name] end
  return config ~= nil and (target.kind == "module" or config.folder.resources[target.address] ~= nil)
end

return targets
