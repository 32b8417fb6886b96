-- Configuration files: reading their text, and the syntax and style that their names imply.
local core = require "hclexpr.core"

local files = {}

-- Reads the text of a file, or returns nil and the reason. A path with a NUL is rejected, because Lua would open the part before the NUL.
local function read_all(path)
  if path == "" then return nil, "The name of the file is empty. Give its path." end
  local nul = path:find("\0", 1, true)
  if nul then
    return nil, string.format("%q contains a NUL, which a file's name can't. Leave the rest out.", path:sub(1, nul - 1))
  end
  local file, why = io.open(path, "rb")
  if not file then return nil, why end
  local text
  text, why = file:read "*a"
  file:close()
  return text, not text and path .. ": " .. why or nil
end

--- Reads the text of a file, or returns nil and Diagnostics.
---@param path string
---@return string? text
---@return hclexpr.Diagnostics? err
function files.read(path)
  local text, why = read_all(path)
  if text then return text end
  return nil, core.diagnose("LOAD_FAILED", nil, nil, why)
end

--- Returns the syntax that the end of a file's name implies.
---@param path string
---@return "native"|"json"
function files.syntax_of(path)
  return path:find "%.json$" and "json" or "native"
end

-- Patterns for names of files that `terraform fmt` or `tofu fmt` formats.
local terraform = {
  "%.tf$", "%.tofu$", "%.tfvars$", "%.tftest%.hcl$", "%.tofutest%.hcl$", "%.tfmock%.hcl$", "%.tofumock%.hcl$", "%.tfquery%.hcl$",
}

--- Returns the style of hcl.format for a file, by the end of its name.
---@param path string
---@return "terraform"|"layout"
function files.style_of(path)
  for _, ending in ipairs(terraform) do
    if path:find(ending) then return "terraform" end
  end
  return "layout"
end

return files
