-- Imports schemas from a package of bindings (a wheel or a tgz), or from the output of `terraform providers schema -json`, into the user's
-- folder (imported.lua). Nothing in a package is run. Only the resulting file is written, in one step.
local archives = require "hclexpr.terraform.schema.archives"
local bindings = require "hclexpr.terraform.schema.bindings"
local core = require "hclexpr.core"
local documents = require "hclexpr.terraform.schema.documents"
local import_folder = require "hclexpr.terraform.schema.import_folder"
local imported = require "hclexpr.terraform.schema.imported"
local jsontext = require "hclexpr.json.text"
local naming = require "hclexpr.terraform.language.naming"
local sorted = require("hclexpr.util").sorted

local importing = {}

-- The limits for decoding a source map or a row.
local limits = { steps = 1e8, memory = 2 ^ 28, output = 2 ^ 28 }

-- Packages

local MAP = "\n//# sourceMappingURL=data:application/json;base64,"

-- Returns the sources in the source map of a compiled file, or nil.
local function sources_of(text)
  local _, at = text:find(MAP, 1, true)
  local bytes = at and core.base64_bytes(text:match("^[^\n]*", at + 1))
  local map = bytes and core.json_decode(bytes, limits)
  return type(map) == "table" and type(map.sourcesContent) == "table" and map.sourcesContent or nil
end

local function word(x) return type(x) == "string" and x:match "^[%w_./@+-]+$" or nil end

local function put(provider, part, name, row)
  provider.parts[part] = provider.parts[part] or {}
  provider.parts[part][name] = row
end

-- Makes rows from the declarations in one folder of a package.
local function finish(package, group)
  local provider = package.provider
  provider.source, provider.version = provider.source or group.source, provider.version or word(group.version)
  for _, of in ipairs(group.types) do
    local row = bindings.row(group, package.counted, of)
    if row then put(provider, of.kind, of.kind == "provider" and "provider" or of.type, row) end
  end
end

-- Adds a file's declarations to those of its folder. A folder is for one type, whose structs may be in separate files. A file that doesn't
-- need others is finished immediately.
local function add_file(package, name, text)
  local dir, alone = name:match "^package/lib/([^/]+)/", true
  local group = package.groups[dir] or { structs = {}, types = {} }
  for _, source in ipairs(sources_of(text) or {}) do
    if type(source) == "string" then
      bindings.read(group, package.counted, source)
      alone = alone and not source:find "\n[^\n]*from '%./"
    end
  end
  if alone and group.types[1] and not package.groups[dir] then finish(package, group) else package.groups[dir] = group end
end

local function is_wanted(name)
  return name == "package/package.json" or name:find "^package/lib/[^/]+/.*%.js$" ~= nil
end

local function describe(provider, about)
  if type(about) ~= "table" then return end
  provider.license = word(about.license)
  provider.package = word(about.name) and word(about.name) .. (word(about.version) and " " .. about.version or "")
end

-- Reads the provider in the bindings of a tgz file.
local function read_tgz(bytes)
  local provider = { partial = true, parts = {} }
  local package = { provider = provider, groups = {}, counted = { parts = 0, rows = 0 } }
  local fine, why = archives.tgz(bytes, is_wanted, function(name, text)
    if name == "package/package.json" then describe(provider, core.json_decode(text, limits)) else add_file(package, name, text) end
    return true
  end)
  if not fine then return nil, why end
  for _, dir in ipairs(sorted(package.groups)) do finish(package, package.groups[dir]) end
  if not provider.source or not next(provider.parts) then return nil, "it holds no bindings of a provider" end
  return { provider }
end

local function read_wheel(file)
  local entries, why = archives.zip(file)
  if not entries then return nil, why end
  for _, entry in ipairs(entries) do
    if entry.name:find "/_jsii/[^/]*%.tgz$" then
      local bytes
      bytes, why = archives.unzip(file, entry)
      if not bytes then return nil, why end
      return read_tgz(bytes)
    end
  end
  return nil, "it holds no bindings of a provider"
end

-- Documents

local function read_document(text)
  local document, why = documents.decode(text)
  if not document then return nil, why end
  if type(document.provider_schemas) ~= "table" then
    return nil, "it is neither a package nor what `terraform providers schema -json` prints"
  end
  local found = {}
  for _, name in ipairs(sorted(document.provider_schemas)) do
    local raw, provider = document.provider_schemas[name], { source = naming.with_other_host(name), parts = {} }
    for _, part in ipairs(imported.PARTS) do
      local rows = type(raw) == "table" and raw[part]
      if part == "provider" then rows = { provider = rows } end
      for key, row in pairs(type(rows) == "table" and rows or {}) do
        if type(key) == "string" and type(row) == "table" then put(provider, part, key, row) end
      end
    end
    if naming.without_host(name) ~= naming.BUILTIN and next(provider.parts) then found[#found + 1] = provider end
  end
  if not found[1] then return nil, "it has no schemas of providers" end
  return found
end

local MOST_TEXT, PIECE = 2 ^ 28, 2 ^ 16

-- Reads the rest of a file without using its length, because it may be a pipe or a device.
local function read_rest(file, head)
  local pieces, size = { head }, 0
  repeat
    local piece, why = file:read(PIECE)
    if why then return nil, why end
    pieces[#pieces + 1] = piece
    size = size + #(piece or "")
    if size > MOST_TEXT then return nil, ("it has more than %.0f bytes"):format(MOST_TEXT) end
  until not piece
  return table.concat(pieces)
end

--- Reads the providers that a file describes; returns nil and the reason if that fails.
---@param path string
---@return table[]?
---@return string?
function importing.read(path)
  -- Pipes of a shell, such as <(...), are files in /dev/fd, and always have a writer.
  if not path:find "^/dev/" and core.is_pipe(path) then return nil, "it is a named pipe, which may have no writer: name a file" end
  local file, why = io.open(path, "rb")
  if not file then return nil, (why:gsub("^" .. path:gsub("%p", "%%%0") .. ": ", "")) end
  local head, fault = file:read(2)
  local found, bytes
  if not head then
    found, why = nil, fault or "it is empty"
  elseif head ~= "PK" then
    bytes, why = read_rest(file, head)
    if bytes and head == "\31\139" then found, why = read_tgz(bytes) elseif bytes then found, why = read_document(bytes) end
  elseif file:seek "end" then
    found, why = read_wheel(file)
  else
    found, why = nil, "it is a package in a pipe: save it as a file"
  end
  file:close()
  return found, why
end

-- Writing

local function row_text(row)
  local value = core.value(row)
  local writer = jsontext.writer {}
  if not value or not jsontext.write(writer, value) then return nil end
  return writer:text()
end

local HEAD, PLACE = "%s %d %012d\n", "%012d %012d"

-- Returns the text of a provider's file in two parts: its first line and index, and its rows.
local function text_of(provider)
  local lines, rows, at = { "source " .. provider.source }, {}, 0
  for _, field in ipairs { "version", "package", "license" } do
    if provider[field] then lines[#lines + 1] = field .. " " .. provider[field] end
  end
  if provider.partial then lines[#lines + 1] = "partial sensitive write_only deprecated" end
  local places = {}
  for _, part in ipairs(imported.PARTS) do
    for _, name in ipairs(sorted(provider.parts[part] or {})) do
      local text = name:find "^[%w_-]+$" and row_text(provider.parts[part][name])
      if text then
        places[#places + 1] = { part .. " " .. name, at, #text }
        rows[#rows + 1], at = text, at + #text
      end
    end
  end
  -- Positions have a fixed width, so that the length of the text before the rows is known first.
  local size = #table.concat(lines, "\n") + 1
  for _, place in ipairs(places) do size = size + #place[1] + #PLACE:format(0, 0) + 2 end
  local before = #HEAD:format(imported.HEAD, size, 0) + size
  for _, place in ipairs(places) do lines[#lines + 1] = place[1] .. " " .. PLACE:format(before + place[2], place[3]) end
  return HEAD:format(imported.HEAD, size, before + at) .. table.concat(lines, "\n") .. "\n", table.concat(rows)
end

-- Makes a folder and the folders that contain it.
local function make_folder(path)
  if core.list_folder(nil, path) then return true end
  local parent = path:match "^(.+)/[^/]+/*$"
  if parent then make_folder(parent) end
  return core.make_folder(path)
end

--- Stores a provider in a folder, replacing an existing file; returns nil and the reason if that fails.
---@param folder string
---@param provider table one that importing.read returned
---@return string? path
---@return string?
function importing.keep(folder, provider)
  local path = import_folder.path(folder, provider.source)
  if not path then return nil, core.quote(provider.source) .. " is not the source of a provider" end
  local made, why = make_folder(folder)
  if not made then return nil, ("the folder %s can't be made: %s"):format(folder, why) end
  local new = ("%s.%d-%d.new"):format(path, os.time(), math.floor(core.clock() * 1e6) % 1e6)
  local file
  file, why = io.open(new, "wb")
  if not file then return nil, why end
  local fine
  fine, why = file:write(text_of(provider))
  local closed, late = file:close()
  if fine and closed then fine, why = os.rename(new, path) else fine, why = nil, why or late end
  if not fine then
    os.remove(new)
    return nil, why
  end
  return path
end

--- Removes the imported schemas of a provider; returns nil and the reason if that fails.
---@param folder string
---@param source string
---@return true?
---@return string?
function importing.remove(folder, source)
  local path = import_folder.path(folder, source)
  if not path then return nil, "it is not the source of a provider" end
  return os.remove(path)
end

return importing
