-- Packs several files into one text, and unpacks them again. Versions of rules are sent in this form. The text is still HCL, because
-- comments separate the files:
--
--   # hclexpr: 42 bytes of limits.hcl
--   …42 bytes…
--
-- A text without such lines is one file.
local core = require "hclexpr.core"

local bundle = {}

--- The largest size of a text with rules; longer texts are rejected.
bundle.MAX_BYTES = 8 * 1024 * 1024

---@class hclexpr.bundle.File
---@field name string the name of the file in diagnostics
---@field text string

--- Lists the paths of a folder's files of rules, whose names end in .hcl or .json and don't begin with "." or "#". Without such a file,
--- returns nil and the reason.
---@param folder string
---@return string[]? paths
---@return string? why
function bundle.list(folder)
  local names, why = core.list_folder(nil, folder)
  if not names then return nil, string.format("%s: %s", folder, why) end
  local paths = {}
  for _, name in ipairs(names) do
    if name:find "^[^.#].*%.hcl$" or name:find "^[^.#].*%.json$" then paths[#paths + 1] = folder .. "/" .. name end
  end
  if not paths[1] then return nil, string.format("no file in %s has a name that ends in .hcl or .json", folder) end
  return paths
end

--- Packs files into one text.
---@param files hclexpr.bundle.File[]
---@return string
function bundle.pack(files)
  local parts = {}
  for i, file in ipairs(files) do
    parts[i] = string.format("# hclexpr: %d bytes of %s\n%s\n", #file.text, file.name:gsub("[%c]", "?"), file.text)
  end
  return table.concat(parts)
end

-- Reads the packed file whose first line begins at `at`. Returns the position of its end, and the file; or nil if no file begins there.
local function file_at(text, at)
  local _, stop, size, name = text:find("^# hclexpr: (%d+) bytes of ([^\n]*)\n", at)
  if not stop or #size > 10 then return nil end
  local last = stop + tonumber(size)
  if text:sub(last + 1, last + 1) ~= "\n" then return nil end
  return last + 1, { name = name, text = text:sub(stop + 1, last) }
end

--- Unpacks the files of a text. A text that isn't a bundle is a single file.
---@param text string
---@param name string the name to give a single file
---@return hclexpr.bundle.File[]
function bundle.unpack(text, name)
  local files, at = {}, 1
  repeat
    local stop, file = file_at(text, at)
    if not stop then return { { name = name, text = text } } end
    files[#files + 1], at = file, stop + 1
  until at > #text
  return files
end

return bundle
