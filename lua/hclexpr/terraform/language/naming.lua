-- Names as Terraform writes them: addresses of instances, and the provider that a local name means by itself.
local core = require "hclexpr.core"

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

-- The provider that a name stands for by itself.
function naming.implied(name)
  return name == "terraform" and "builtin/terraform" or "hashicorp/" .. name
end

return naming
