-- Checks names in the form of domain names: names of providers, and of the hosts of modules and providers.
local hosts = {}

--- Returns true if a text is a label: letters, digits, and single dashes between them.
---@param text string
---@param more? string other characters allowed between letters and digits, as in a set of a Lua pattern
---@return boolean
function hosts.is_label(text, more)
  local between = "[-" .. (more or "") .. "]"
  return text:find("^[%w%-\128-\255" .. (more or "") .. "]+$") ~= nil and not text:find("^" .. between) and not text:find(between .. "$")
    and not text:find("--", 1, true)
end

--- Returns true if a text is the name of a host, perhaps with a port.
---@param text string
---@return boolean
function hosts.is_host(text)
  local name, port = text:match "^([^:]*):?(.*)$"
  if text:find ":" and not (port:find "^%d+$" and #port <= 5 and tonumber(port) <= 65535) then return false end
  for label in (name:gsub("([^.])%.$", "%1") .. "."):gmatch "([^.]*)%." do
    local plain = label:find "^[%w%-\128-\255]+$" and not label:find "^%-" and not label:find "%-$"
    if not plain or label:sub(3, 4) == "--" then return false end
  end
  return true
end

return hosts
