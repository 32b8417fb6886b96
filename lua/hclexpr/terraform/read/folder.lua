-- Reads the files of a folder into declarations. Mistakes are collected, and the rest stays usable.
local core = require "hclexpr.core"
local Files = require "hclexpr.terraform.read.files"
local Findings = require "hclexpr.terraform.language.findings"
local language = require "hclexpr.terraform.language.language"
local lazy = require "hclexpr.lazy"
local places = require "hclexpr.places"
local reading = require "hclexpr.terraform.read.reading"

local folder = {}

-- The modules in blocks/ that read each type of block. A module is loaded when the first block of its type is read.
local readers = {}
for type, row in pairs(language.file.blocks) do readers[type] = lazy("hclexpr.terraform.read.blocks." .. (row.read_by or type)) end

--- Parses a file. Returns its readable part as a body, or nil; then whether the file is JSON, and its text.
---@param made hclexpr.module.Folder gets the mistakes
---@param files hclexpr.module.Files
---@param path string
---@param limits? hclexpr.Limits
---@return hclexpr.Body?
---@return boolean?
---@return string?
function folder.parse(made, files, path, limits)
  local text, why = files:read(path)
  if not text then
    made.findings:report("MODULE_FILE", {}, "%s can't be read: %s.", path, why)
    made.torn[#made.torn + 1], made.unread[path] = path, true
    return nil
  end
  local json = path:sub(-5) == ".json"
  local body, err, readable = core.parse(text, { filename = path, limits = limits, syntax = json and "json" or "native" })
  if err then made.findings:add(err) end
  if not body then made.torn[#made.torn + 1] = path end
  return body or readable, json, text
end

-- Reads a file into a folder. `kept` is the number of blocks to skip at its start.
local function read_file(made, files, path, override, limits, kept)
  local torn = #made.torn
  local body, json, text = folder.parse(made, files, path, limits)
  if not body then return end
  local file = { path = path, override = override, text = text, blocks = {}, order = {}, torn = #made.torn > torn }
  made.files[#made.files + 1] = file
  local reader = { folder = made, file = file, findings = made.findings, json = json, override = override, files = files }
  local row = language.of(path)
  local _, blocks = reading.level(reader, body, row)
  if not reading.hold(reader, blocks, places.of_block) then return end
  file.blocks = blocks
  for i = (kept or 0) + 1, #blocks do
    reader.at = i
    files:breathe(i)
    local block, type = blocks[i], blocks[i].type
    readers[type].declare(reader, block, row.blocks[type])
  end
end

--- Makes a folder without files.
---@param dir string
---@return hclexpr.module.Folder
function folder.new(dir)
  local made = {
    dir = dir, files = {}, required_providers = {}, required_at = {}, required_rows = {}, provider_aliases = {}, versions = {},
    others = {}, declared = {}, torn = {}, unread = {}, cache = {}, findings = Findings.new(true),
  }
  for _, row in pairs(language.file.blocks) do
    if row.list then made[row.list] = {} end
  end
  return made
end

--- Returns all declarations of a folder in the order of the sources.
---@param made hclexpr.module.Folder
---@return hclexpr.module.Declaration[]
function folder.declarations(made)
  local all = {}
  for _, file in ipairs(made.files) do
    for _, declaration in ipairs(file.order) do all[#all + 1] = declaration end
  end
  return all
end

--- Reads a file as if it were the only one of its folder.
---@param dir string
---@param path string
---@param files hclexpr.module.Files
---@param limits? hclexpr.Limits
---@param kept? integer the number of blocks to skip at its start
---@return hclexpr.module.Folder
function folder.read_file(dir, path, files, limits, kept)
  local made = folder.new(dir)
  read_file(made, files, path, false, limits, kept)
  return made
end

--- Reads a folder.
---@param dir string
---@param files hclexpr.module.Files
---@param limits? hclexpr.Limits
---@return hclexpr.module.Folder? made nil: the folder can't be listed
---@return string? why
function folder.read(dir, files, limits)
  local names, why = files:list(dir)
  if not names then return nil, why end
  local made = folder.new(dir)
  local before, overrides = Files.join(dir, ""), {}
  for _, name in ipairs(Files.configuration(names)) do
    local path = before .. name
    if Files.is_override(name) then overrides[#overrides + 1] = path else read_file(made, files, path, false, limits) end
  end
  local torn = #made.torn
  for _, path in ipairs(overrides) do read_file(made, files, path, true, limits) end
  made.torn_override = #made.torn > torn
  if made.settings then readers.terraform.finish(made) end
  return made
end

return folder
