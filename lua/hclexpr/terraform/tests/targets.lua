-- Targets: addresses of what blocks override_resource, override_data and override_module stand for.
local naming = require "hclexpr.terraform.language.naming"
local static = require "hclexpr.terraform.read.static"

local targets = {}

---@class hclexpr.module.tests.Target
---@field kind "module"|"managed"|"data"|"ephemeral"|"list"
---@field path string[] the names of the calls that lead to it
---@field address? string of a resource in its module: "aws_instance.web", "data.aws_ami.a"
---@field key string the whole address; targets with the same key are the same

local reserved = {}
for word in ("count each local module path self terraform var template lazy arg"):gmatch "%S+" do reserved[word] = true end

local function fault(first, last, text)
  return nil, { range = { filename = first.range.filename, start = first.range.start, stop = last.range.stop }, text = text }
end

local function is_key(step)
  return step.kind == "number" or step.kind == "key"
end

local function key_text(step)
  return step.kind == "number" and "[" .. step.text .. "]" or ("[%q]"):format(step.text)
end

-- The steps of calls at the beginning: names, their text, and the step behind; nil and what is wrong.
local function module_path(steps)
  local path, words, at = {}, {}, 1
  while steps[at] and steps[at].text == "module" and not is_key(steps[at]) do
    local name = steps[at + 1]
    if not name or name.kind ~= "attr" then
      return fault(name or steps[at], name or steps[at], "Behind module belongs the name of a call: module.NAME")
    end
    path[#path + 1], words[#words + 1] = name.text, "module." .. name.text
    at = at + 2
    if steps[at] and is_key(steps[at]) then
      words[#words] = words[#words] .. key_text(steps[at])
      at = at + 1
    end
  end
  return path, table.concat(words, "."), at
end

-- A resource, from a step on.
local function resource(steps, at)
  local first, last, mode = steps[at], steps[#steps], "managed"
  if reserved[first.text] then
    return fault(first, last, first.text .. " is not a type of resources. One that is called so is resource." .. first.text)
  end
  if naming.modes[first.text] then mode, at = naming.modes[first.text], at + 1 end
  local type, name, key = steps[at], steps[at + 1], steps[at + 2]
  if not name then return fault(steps[math.min(at, #steps)], last, "A resource has a type and a name: TYPE.NAME") end
  if is_key(type) then return fault(type, type, "The type of a resource belongs here.") end
  if name.kind ~= "attr" then return fault(name, name, "The name of a resource belongs here.") end
  if steps[at + 3] then return fault(steps[at + 3], steps[at + 3], "A target ends with the resource or its instance.") end
  if key and not is_key(key) then return fault(key, key, "An instance is named in brackets: [0] or [\"key\"]") end
  local address = naming.resource(mode, type.text, name.text)
  return mode, address, address .. (key and key_text(key) or "")
end

--- What the steps of an address name; nil, and what is wrong with them: { range, text }.
---@param steps table[]
---@return hclexpr.module.tests.Target?
---@return { range: hclexpr.Range, text: string }? why
function targets.of_steps(steps)
  local path, words, at = module_path(steps)
  if not path then return nil, words end
  if not steps[at] then return { kind = "module", path = path, key = words } end
  local kind, address, whole = resource(steps, at)
  if not kind then return nil, address end
  return { kind = kind, path = path, address = address, key = words .. "." .. whole }
end

--- What a part of an expression names; nil, and what is wrong with it: { range, text }.
---@param p hclexpr.module.Part
---@return hclexpr.module.tests.Target?
---@return { range: hclexpr.Range, text: string }? why
function targets.read(p)
  local traversal = static.traversal(p)
  if not traversal then
    return nil, { range = p.range, text = "A target is the address of a resource or a module: aws_instance.web, module.a" }
  end
  return targets.of_steps(traversal.steps)
end

--- Is it there in a tree of modules?
---@param config? hclexpr.module.Config
---@param target hclexpr.module.tests.Target
---@return boolean
function targets.exists(config, target)
  for _, name in ipairs(target.path) do config = config and config.children[name] end
  return config ~= nil and (target.kind == "module" or config.folder.resources[target.address] ~= nil)
end

return targets
