-- Finds the user's folder of imported schemas, and the names of its files. Most users haven't imported any, so a command usually loads only
-- this file.
local naming = require "hclexpr.terraform.language.naming"

local import_folder = { ENDING = ".schemas" }

local function set(name)
  local text = os.getenv(name)
  return text ~= "" and text or nil
end

--- Returns the path of the folder, or nil if the environment doesn't give one.
---@param given? true|string a string is the path itself
---@return string?
function import_folder.find(given)
  if type(given) == "string" then return given end
  local data = set "XDG_DATA_HOME" or set "HOME" and set "HOME" .. "/.local/share"
  return set "HCLEXPR_SCHEMAS" or data and data .. "/hclexpr/schemas"
end

--- Returns the path of a provider's file, or nil if the text isn't a source.
---@param folder string
---@param source string
---@return string?
function import_folder.path(folder, source)
  local name = naming.with_other_host(source)
  if not name:find "^%w[%w_.-]*/%w[%w_.-]*$" and not name:find "^%w[%w.:-]*/%w[%w_.-]*/%w[%w_.-]*$" then return nil end
  return folder .. "/" .. name:gsub("/", "+") .. import_folder.ENDING
end

--- Returns true if a provider has a file.
---@param given true|string
---@param source string
---@return boolean
function import_folder.has(given, source)
  local folder = import_folder.find(given)
  local path = folder and import_folder.path(folder, source)
  local file = path and io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

return import_folder
