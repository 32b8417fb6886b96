-- The files of a configuration: the given ones and, if the unit is the folder, the others of their folder.
local core = require "hclexpr.core"
local description = require "hclexpr.languages.description"
local files = require "hclexpr.files"

local sources = {}

---@class hclexpr.languages.Source
---@field path? string
---@field text? string nil: it can't be read
---@field body? hclexpr.Body of the text, once it is parsed
---@field err? hclexpr.Diagnostics why
---@field syntax "native"|"json"

-- Makes the error for a folder without files of a language: otherwise nothing would be read, and nothing would be wrong.
local function of_empty_folder(out, dir)
  local named = out.files[1] and "no file in it is named " .. table.concat(out.files, " or ")
    or "it is a folder, and the description names no files: files = { \"*.x.hcl\" }"
  return { path = dir, syntax = "native", err = core.diagnose("LOAD_FAILED", nil, nil, ("%s: %s"):format(dir, named)) }
end

local function join(dir, name)
  if dir == "" then return name end
  return dir:find "[/\\]$" and dir .. name or dir .. "/" .. name
end

local function read(path)
  local text, err = files.read(path)
  return { path = path, text = text, err = err, syntax = files.syntax_of(path) }
end

-- Lists the files of a language in a folder, by name; nil if the folder can't be listed.
local function list(out, dir)
  local names, found = core.list_folder(nil, dir == "" and "." or dir), {}
  if not names then return nil end
  for _, name in ipairs(names) do
    if description.suits(out, name) then found[#found + 1] = join(dir, name) end
  end
  table.sort(found)
  return found
end

-- Returns the files that a path means: the file itself; for a folder, or if the unit is the folder, all files of the folder.
local function unit_of(out, path)
  local within = list(out, path)
  if within then return within end
  if out.unit ~= "folder" or not description.suits(out, path) then return { path } end
  local beside = list(out, path:match "^(.-)[^/\\]*$") or {}
  for _, other in ipairs(beside) do
    if other == path then return beside end
  end
  return { path }
end

-- The mistake in the argument `files`, or nil.
local function fault(given)
  if type(given) == "string" then return nil end
  if type(given) ~= "table" then
    return ("a path or an array of files expected, got %s"):format(given == nil and "no value" or type(given))
  end
  for i, part in ipairs(given) do
    local fine = type(part) == "string" or type(part) == "table" and type(part.text) == "string"
      and (part.path == nil or type(part.path) == "string")
    if not fine then return ("element %d must be a path, or { path = ..., text = ... }"):format(i) end
  end
end

--- Reads the argument `files`: a path, which may mean several files (unit_of), or an array of paths and of { path, text }. Returns nil and
--- the mistake if it is wrong.
---@param out hclexpr.languages.Description
---@param given string|(string|{ path?: string, text: string })[]
---@return hclexpr.languages.Source[]?
---@return string? fault
function sources.of(out, given)
  local wrong = fault(given)
  if wrong then return nil, wrong end
  local all = {}
  if type(given) == "string" then
    for i, path in ipairs(unit_of(out, given)) do all[i] = read(path) end
    return all[1] and all or { of_empty_folder(out, given) }
  end
  for i, part in ipairs(given) do
    if type(part) == "string" then all[i] = read(part)
    else all[i] = { path = part.path, text = part.text, syntax = part.syntax or files.syntax_of(part.path or "") } end
  end
  return all
end

return sources
