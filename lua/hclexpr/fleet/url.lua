-- URLs of stores: redis://[user:password@]host[:port]/database/key, or rediss:// for TLS. If a URL has no password, the password comes from
-- the environment, so that command lines and configurations need not contain it.
local url = {}

-- The environment variable that has the password.
url.PASSWORD = "HCLEXPR_REDIS_PASSWORD"

---@class hclexpr.fleet.Place
---@field host string
---@field port integer
---@field database integer
---@field key string the prefix of all keys
---@field tls boolean
---@field user? string
---@field password? string
---@field shown string the URL without secrets, for messages

local function decoded(text)
  return (text:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end))
end

-- Reads "[user][:password]".
local function credentials(text)
  if not text then return nil, nil end
  local user, password = text:match "^([^:]*):(.*)$"
  user = decoded(user or text)
  return user ~= "" and user or nil, password and decoded(password) or nil
end

--- Reads a URL; or returns nil and what is wrong with it, without its secrets.
---@param text string
---@return hclexpr.fleet.Place? place
---@return string? why
function url.read(text)
  local scheme, rest = text:match "^(rediss?)://(.*)$"
  if not scheme then return nil, "a URL begins with redis:// or rediss://, and ends in database and key: redis://127.0.0.1:6379/0/edge" end
  local secrets, where = rest:match "^(.*)@(.*)$"
  where = where or rest
  local host, database, key = where:match "^([^/]*)/(%d+)/([%w_.:-]+)$"
  local name, port = (host or ""):match "^(.-):?(%d*)$"
  if not host or name == "" or name:find ":" and not name:find "^%[.*%]$" then
    local way = "does not end in host, database and key, as redis://127.0.0.1:6379/0/edge does"
    return nil, string.format("the URL %s://%s %s", scheme, where, way)
  end
  local user, password = credentials(secrets)
  return {
    host = name, port = tonumber(port) or 6379, database = tonumber(database), key = key, tls = scheme == "rediss", user = user,
    password = password or os.getenv(url.PASSWORD), shown = string.format("%s://%s", scheme, where),
  }
end

return url
