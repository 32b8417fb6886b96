-- Names as Terraform writes them: addresses, and the providers that local names mean.
local core = require "hclexpr.core"
local modes = require "hclexpr.terraform.language.modes"

local naming = {}

--- An address with the key of an instance.
---@param address string
---@param key integer|string|false
---@return string
function naming.instance(address, key)
  if key == false then return address end
  if type(key) == "number" then return ("%s[%d]"):format(address, key) end
  return address .. "[" .. (key:find "^[%w_-]*$" and '"' .. key .. '"' or core.quote(key)) .. "]"
end

--- An address in a module.
---@param module string the module's address, "" for the root
---@param address string
---@return string
function naming.within(module, address)
  return module == "" and address or module .. "." .. address
end

--- The address of a resource in its module.
---@param mode string a mode that nobody knows is as managed
---@param type string
---@param name string
---@return string
function naming.resource(mode, type, name)
  local row = modes[mode]
  return (row and row.prefix or "") .. type .. "." .. name
end

--- Modes by the words that addresses of resources may begin with.
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

--- The provider that a name means by itself.
---@param name string
---@return string
function naming.implied(name)
  return name == "terraform" and "builtin/terraform" or "hashicorp/" .. name
end

return naming
