-- Configuration files: what they hold, and what their names say.
local core = require "hclexpr.core"

local files = {}

--- The text of a file, or nil and Diagnostics.
---@param path string
---@return string? text
---@return hclexpr.Diagnostics? err
function files.read(path)
  local file, why = io.open(path, "rb")
  local text
  if file then
    text, why = file:read "*a"
    file:close()
  end
  if text then return text end
  return nil, core.diagnose("LOAD_FAILED", nil, nil, file and path .. ": " .. why or why)
end

--- The syntax by the end of the name.
---@param path string
---@return "native"|"json"
function files.syntax_of(path)
  return path:find "%.json$" and "json" or "native"
end

return files
