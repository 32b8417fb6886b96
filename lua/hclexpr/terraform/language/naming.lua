-- Names as Terraform writes them: addresses, and the sources of the providers that local names mean.
local core = require "hclexpr.core"
local modes = require "hclexpr.terraform.language.modes"

local naming = {}

--- An address with the key of an instance.
---@param address string
---@param key integer|string|false
---@return string
function naming.instance(address, key)
  if key == false then return address end
  if type(key) == "number" then
    local whole = key % 1 == 0 and math.abs(key) < 2 ^ 53 -- a state may have any number
    return (whole and "%s[%d]" or "%s[%.17g]"):format(address, key)
  end
  return address .. "[" .. (key:find "^[%w_-]*$" and '"' .. key .. '"' or core.quote(key)) .. "]"
end

--- An address in a module.
---@param module string the module's address, "" for the root
---@param address string "" for the module itself
---@return string
function naming.within(module, address)
  return module == "" and address or address == "" and module or module .. "." .. address
end

--- The address of a call of a module, perhaps with the key of an instance.
---@param name string
---@param key? integer|string|false
---@return string
function naming.call(name, key)
  return naming.instance("module." .. name, key or false)
end

--- The address of a module, or of an instance of it, from the calls that lead to it.
---@param steps { name: string, key?: integer|string|false }[]
---@param n? integer how many of the steps; nil: all
---@return string
function naming.module(steps, n)
  local address = ""
  for i = 1, n or #steps do address = naming.within(address, naming.call(steps[i].name, steps[i].key)) end
  return address
end

--- The address of a place in the tree of modules.
---@param place { steps: { name: string, key?: integer|string|false }[], address: string, key: integer|string|false }
---@return string
function naming.place(place)
  return naming.within(naming.module(place.steps), naming.instance(place.address, place.key))
end

--- An address without the keys of instances, which may contain brackets themselves.
---@param address string
---@return string
function naming.without_keys(address)
  if not address:find("[", 1, true) then return address end
  return (address:gsub("\\.", ""):gsub('%["[^"]*"%]', ""):gsub("%[%d+%]", ""))
end

--- The address of a resource in its module.
---@param mode string an unknown mode counts as managed
---@param type string
---@param name string
---@return string
function naming.resource(mode, type, name)
  local row = modes[mode]
  return (row and row.prefix or "") .. type .. "." .. name
end

--- Modes by the words that begin addresses of resources.
naming.modes = {}
for _, mode in ipairs { "managed", "data", "ephemeral", "list" } do naming.modes[modes[mode].word] = mode end

--- The source of the provider that a local name means.
---@param required table<string, string> sources by local names, as required_providers says
---@param name string
---@return string
function naming.source(required, name)
  return required[name] or naming.implied(name)
end

--- A source without a host: NAMESPACE/NAME.
---@param source string
---@return string
function naming.without_host(source)
  return source:match "[^/]+/[^/]+$" or source
end

--- The source of the provider that is part of the language.
naming.BUILTIN = "builtin/terraform"

--- The source that a local name means if required_providers doesn't have it.
---@param name string
---@return string
function naming.implied(name)
  return name == "terraform" and naming.BUILTIN or "hashicorp/" .. name
end

--- A source with its host.
---@param source string NAMESPACE/NAME, with a host in front if that isn't the usual one
---@return string
function naming.with_host(source)
  if source:find "/.*/" then return source end
  return (source:find "^builtin/" and "terraform.io" or "registry.terraform.io") .. "/" .. source
end

--- A source with its host left out if it is the usual one.
---@param source string
---@return string
function naming.with_other_host(source)
  local short = naming.without_host(source)
  return naming.with_host(short) == source and short or source
end

--- The local name that the type of a resource implies: the part before the first _.
---@param type string
---@return string
function naming.of_type(type)
  return (type:match "^[^_]*")
end

--- The configuration of a provider that a resource or action names, perhaps by its type.
---@param d { type: string, provider?: { name: string, alias?: string } }
---@return { name: string, alias?: string }
function naming.provider_reference(d)
  return d.provider or { name = naming.of_type(d.type) }
end

--- The local name of the provider of a resource or action, and the key of its configuration: with the alias.
---@param d { type: string, provider?: { name: string, key: string } }
---@return string name
---@return string key
function naming.provider(d)
  local given = d.provider
  if given then return given.name, given.key end
  local name = naming.of_type(d.type)
  return name, name
end

return naming
