-- Reads the files of imported schemas in the user's folder; importing.lua writes them.
--
-- The first line of a file has its kind, the length of its index, and the length of the whole file, in bytes. Lines of the index with two
-- words are facts about the provider. Lines with four words have a part of schema files, the name of a type, and the position and length of
-- the type's row in the file. So finding a type takes a search and one read, no matter how large the provider is.
local core = require "hclexpr.core"
local import_folder = require "hclexpr.terraform.schema.import_folder"

local imported = {}

imported.HEAD = "hclexpr schemas 1"

local LONGEST_HEAD = 64

-- Reads the index of a file, its first line, and its size; returns nil if the file isn't of this kind or is incomplete.
local function open(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local head = file:read(LONGEST_HEAD) or ""
  local of, index, whole = head:match "^([%l%d ]- %d+) (%d+) (%d+)\n"
  local text
  if of == imported.HEAD and file:seek "end" == tonumber(whole) and tonumber(index) < tonumber(whole) then
    file:seek("set", #head:match "^[^\n]*\n")
    text = file:read(tonumber(index))
  end
  file:close()
  return text and "\n" .. text, head:match "^[^\n]*", tonumber(whole)
end

-- Calls found(source, path) for each provider's file in a folder.
local function each_file(folder, found)
  for _, name in ipairs(core.list_folder(nil, folder) or {}) do
    local source = name:match("^(.*)%" .. import_folder.ENDING .. "$")
    if source then found((source:gsub("%+", "/")), folder .. "/" .. name) end
  end
end

--- Returns the sources of the imported providers.
---@param folder string
---@return string[]
function imported.sources(folder)
  local sources = {}
  each_file(folder, function(source) sources[#sources + 1] = source end)
  return sources
end

--- Returns a text that changes when something is imported or removed.
---@param folder string
---@return string
function imported.stamp(folder)
  local heads = {}
  each_file(folder, function(source, path)
    local file = io.open(path, "rb")
    heads[#heads + 1] = source .. " " .. (file and file:read(LONGEST_HEAD) or "")
    if file then file:close() end
  end)
  return table.concat(heads, "\n")
end

local function read_row(path, at, length)
  local file = io.open(path, "rb")
  local text = file and file:seek("set", at) and file:read(length)
  if file then file:close() end
  return text and core.json_decode(text, { steps = 1e8, memory = 2 ^ 28, output = 2 ^ 28 })
end

-- The facts about the provider are at the start of the index.
local LONGEST_WORDS = 1024
local function word_in(index, name) return index:sub(1, LONGEST_WORDS):match("\n" .. name .. " ([^\n]*)") end

-- Returns a function that reads the row of a type or function by its name.
local function rows_of(path, index, part, whole)
  return function(name)
    if type(name) ~= "string" or not name:find "^[%w_-]+$" then return nil end
    local _, stop = index:find("\n" .. part .. " " .. name .. " ", 1, true)
    if not stop then return nil end
    local at, length = index:match("^(%d+) (%d+)\n", stop + 1)
    at, length = tonumber(at), tonumber(length)
    return at and at + length <= whole and read_row(path, at, length) or nil
  end
end

local PARTS = { "provider", "resource_schemas", "data_source_schemas", "ephemeral_resource_schemas", "action_schemas", "functions" }
imported.PARTS = PARTS

local kept = {} -- files that were read, by path, each with its first line

---@class hclexpr.schema.Imported the content of a provider's file
---@field source string
---@field version? string
---@field package? string
---@field license? string
---@field partial boolean the schemas don't say what is sensitive, write-only or deprecated
---@field parts table<string, fun(name: string): table?> functions that read rows, by part
---@field index string
---@field path string

--- Returns the imported schemas of a provider, or nil.
---@param folder string
---@param source string
---@return hclexpr.schema.Imported?
function imported.provider(folder, source)
  local path = import_folder.path(folder, source)
  if not path then return nil end
  local index, head, whole = open(path)
  if not index then return nil end
  local known = kept[path]
  if known and known.head == head and known.made.index == index then return known.made end
  local made = { path = path, index = index, source = word_in(index, "source") or source, partial = word_in(index, "partial") ~= nil,
                 parts = {} }
  for _, word in ipairs { "version", "package", "license" } do made[word] = word_in(index, word) end
  for _, part in ipairs(PARTS) do made.parts[part] = rows_of(path, index, part, whole) end
  kept[path] = { head = head, made = made }
  return made
end

--- Returns an iterator over the names of the rows in a part.
---@param of hclexpr.schema.Imported
---@param part string
---@return fun(): string?
function imported.names(of, part)
  local index, at = of.index, of.index:find("\n" .. part .. " ", 1, true)
  local line = "^\n" .. part .. " ([%w_-]+) %d+ %d+()"
  return function()
    local name
    if at then name, at = index:match(line, at) end
    return name
  end
end

--- Lists all imported schemas.
---@param folder string
---@return hclexpr.schema.Imported[]
function imported.list(folder)
  local found = {}
  each_file(folder, function(source) found[#found + 1] = imported.provider(folder, source) end)
  return found
end

return imported
