-- The files of a configuration: an array of given files, or the files that a path means.
local core = require "hclexpr.core"
local description = require "hclexpr.languages.description"
local files = require "hclexpr.files"

local sources = {}

---@class hclexpr.languages.Source
---@field path? string
---@field text? string nil: it can't be read
---@field body? hclexpr.Body of the text, once it is parsed
---@field err? hclexpr.Diagnostics why the file can't be read
---@field syntax "native"|"json"

-- Makes the error for a folder without files of a language. Without the error, a wrong folder would look like an empty configuration.
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

--- Reads a file that was found in a folder, where a name may also be that of a pipe or a device: only regular files are read.
---@param path string
---@return hclexpr.languages.Source
function sources.found(path)
  local text, why = core.read_file(nil, path)
  local err = not text and core.diagnose("LOAD_FAILED", nil, nil, ("%s: %s"):format(path, why)) or nil
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

-- Reads the files that a path means: all files of the folder, if the path or the unit is a folder; otherwise the file itself.
local function read_unit(out, path)
  local found = list(out, path)
  if not found and out.unit == "folder" and description.suits(out, path) then
    local beside = list(out, path:match "^(.-)[^/\\]*$") or {}
    for _, other in ipairs(beside) do
      if other == path then found = beside end
    end
  end
  if not found then return { read(path) } end
  for i, one in ipairs(found) do found[i] = sources.found(one) end
  return found
end

local syntaxes = { native = true, json = true }

-- Returns the mistake in the argument `files`, or nil.
local function fault(given)
  if type(given) == "string" then return nil end
  if type(given) ~= "table" then
    return ("a path or an array of files expected, got %s"):format(given == nil and "no value" or type(given))
  end
  for i, part in ipairs(given) do
    local fine = type(part) == "string" or type(part) == "table" and type(part.text) == "string"
      and (part.path == nil or type(part.path) == "string") and (part.syntax == nil or syntaxes[part.syntax])
    if not fine then return ("element %d must be a path, or { path = ..., text = ... }"):format(i) end
  end
end

--- Reads the argument `files`: a path, which may mean several files (read_unit), or an array of paths and of { path, text }. Returns nil and
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
    all = read_unit(out, given)
    return all[1] and all or { of_empty_folder(out, given) }
  end
  for i, part in ipairs(given) do
    if type(part) == "string" then all[i] = read(part)
    else all[i] = { path = part.path, text = part.text, syntax = part.syntax or files.syntax_of(part.path or "") } end
  end
  return all
end

return sources
