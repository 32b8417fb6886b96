-- Writes names as Terraform does: addresses, and the sources of the providers that local names mean.
local core = require "hclexpr.core"
local modes = require "hclexpr.terraform.language.modes"

local naming = {}

--- Returns an address with the key of an instance.
---@param address string
---@param key integer|string|false
---@return string
function naming.instance(address, key)
  if key == false then return address end
  if type(key) == "number" then
    local whole = key % 1 == 0 and math.abs(key) < 2 ^ 53 -- a state may have any number as a key
    return (whole and "%s[%d]" or "%s[%.17g]"):format(address, key)
  end
  return address .. "[" .. (key:find "^[%w_-]*$" and '"' .. key .. '"' or core.quote(key)) .. "]"
end

--- Returns an address in a module as a full address.
---@param module string the module's address, "" for the root
---@param address string "" for the module itself
---@return string
function naming.within(module, address)
  return module == "" and address or address == "" and module or module .. "." .. address
end

--- Returns the address of a module call, perhaps with the key of an instance.
---@param name string
---@param key? integer|string|false
---@return string
function naming.call(name, key)
  return naming.instance("module." .. name, key or false)
end

--- Returns the address of a module, or of an instance of it, from the calls that lead to it.
---@param steps { name: string, key?: integer|string|false }[]
---@param n? integer how many of the steps to use; all by default
---@return string
function naming.module(steps, n)
  local address = ""
  for i = 1, n or #steps do address = naming.within(address, naming.call(steps[i].name, steps[i].key)) end
  return address
end

--- Returns the address of a place in the tree of modules.
---@param place { steps: { name: string, key?: integer|string|false }[], address: string, key: integer|string|false }
---@return string
function naming.place(place)
  return naming.within(naming.module(place.steps), naming.instance(place.address, place.key))
end

--- Returns an address without the keys of instances. Keys may contain brackets themselves.
---@param address string
---@return string
function naming.without_keys(address)
  if not address:find("[", 1, true) then return address end
  return (address:gsub("\\.", ""):gsub('%["[^"]*"%]', ""):gsub("%[%d+%]", ""))
end

--- Returns the address of a resource in its module.
---@param mode string an unknown mode counts as managed
---@param type string
---@param name string
---@return string
function naming.resource(mode, type, name)
  local row = modes[mode]
  return (row and row.prefix or "") .. type .. "." .. name
end

--- Modes by the first word in addresses of resources.
naming.modes = {}
for _, mode in ipairs { "managed", "data", "ephemeral", "list" } do naming.modes[modes[mode].word] = mode end

--- Returns the source of the provider that a local name means.
---@param required table<string, string> sources by local name, from required_providers
---@param name string
---@return string
function naming.source(required, name)
  return required[name] or naming.implied(name)
end

--- Returns a source without its host: NAMESPACE/NAME.
---@param source string
---@return string
function naming.without_host(source)
  return source:match "[^/]+/[^/]+$" or source
end

--- The source of the provider that is part of the language.
naming.BUILTIN = "builtin/terraform"

--- Returns the source of a local name that required_providers lacks.
---@param name string
---@return string
function naming.implied(name)
  return name == "terraform" and naming.BUILTIN or "hashicorp/" .. name
end

--- Returns a source with its host.
---@param source string NAMESPACE/NAME, after a host if that isn't the usual one
---@return string
function naming.with_host(source)
  if source:find "/.*/" then return source end
  return (source:find "^builtin/" and "terraform.io" or "registry.terraform.io") .. "/" .. source
end

--- Returns a source without its host if that is the usual one.
---@param source string
---@return string
function naming.with_other_host(source)
  local short = naming.without_host(source)
  return naming.with_host(short) == source and short or source
end

--- Returns the local name that a resource type implies: the part before the first _.
---@param type string
---@return string
function naming.of_type(type)
  return (type:match "^[^_]*")
end

--- Returns the provider configuration that a resource or action names, or that its type implies.
---@param d { type: string, provider?: { name: string, alias?: string } }
---@return { name: string, alias?: string }
function naming.provider_reference(d)
  return d.provider or { name = naming.of_type(d.type) }
end

--- Returns the local name of a resource's or action's provider, and the key of the configuration: "aws", or "aws.west" with an alias.
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
