-- Schemas of providers: the output of `terraform providers schema -json`, from `.hclexpr/schemas.json` in a folder or one above it, or from
-- the file in the editor's settings. Each file is read once for all folders. Imported schemas are used for other providers.
local builtin_schemas = require "hclexpr.terraform.schema.builtin"
local core = require "hclexpr.core"
local Documents = require "hclexpr.editor.documents"
local import_folder = require "hclexpr.terraform.schema.import_folder"
local imported = require("hclexpr.lazy") "hclexpr.terraform.schema.imported"
local imported_schemas = require("hclexpr.lazy") "hclexpr.terraform.read.imported_schemas"
local modes = require "hclexpr.terraform.language.modes"
local documents = require "hclexpr.terraform.schema.documents"
local module_schemas = require "hclexpr.terraform.read.schemas"
local wellformed = require "hclexpr.terraform.schema.wellformed"

local schema_files = {}

local reader = {}
function reader.read(_, path) return core.read_file(nil, path) end

-- Returns { document, err } for a schema file: its content, or the error in it; nil if the file is missing.
local function load(shared, path)
  local known = shared["schemas " .. path]
  if known == nil then
    known = false
    if core.read_file(nil, path) then
      local made, err = documents.read(reader, path, "file of schemas", module_schemas)
      known = { document = made, err = err }
    end
    shared["schemas " .. path] = known
  end
  return known or nil
end

local function above(dir)
  if dir == "" or dir == "." or dir == "/" then return nil end
  return (Documents.split(dir))
end

local function find(workspace, dir)
  local shared, given = workspace.documents.schemas, workspace.options.schemas
  if type(given) == "table" then return { document = given } end
  if given then return load(shared, given) end
  while dir do
    local found = load(shared, Documents.join(dir, ".hclexpr/schemas.json"))
    if found then return found end
    dir = above(dir)
  end
end

--- Returns the content of the schema file for a folder; nil if the file is missing or broken.
---@param workspace hclexpr.service.Workspace
---@param dir string
---@return table? document
---@return hclexpr.Diagnostics? err
function schema_files.document(workspace, dir)
  local known = find(workspace, dir)
  if known then return known.document, known.err end
end

-- Returns the names of a provider's types by mode, and whether they are deprecated. The schemas themselves are read later, because there
-- may be thousands.
local function list(raw)
  local listed = {}
  for mode, names in pairs(modes) do
    listed[mode] = {}
    local all = names.schemas and raw[names.schemas]
    for name, row in pairs(type(all) == "table" and all or {}) do
      local block = type(name) == "string" and type(row) == "table" and row.block
      if block then listed[mode][name] = { deprecated = type(block) == "table" and block.deprecated == true } end
    end
  end
  return listed
end

local function index_of(document)
  local function with_lists(provider, raw)
    local made = { listed = list(raw) }
    for part, value in pairs(provider) do made[part] = value end
    return made
  end
  return module_schemas.by_source(document, with_lists(builtin_schemas.provider, builtin_schemas.provider), function(raw)
    return with_lists(wellformed.provider(raw), raw)
  end)
end

-- For imported schemas, the names of types are read for a mode on first use. They don't show whether a type is deprecated.
local NOTHING = {}
local function list_imported(of)
  return setmetatable({}, { __index = function(listed, mode)
    local part, names = modes[mode].schemas, {}
    if part then
      for name in imported.names(of, part) do names[name] = NOTHING end
    end
    listed[mode] = names
    return names
  end })
end

-- Adds the imported schemas of providers that an index lacks. Each file is opened on first use.
local function add_imported(index, folder)
  for _, source in ipairs(imported.sources(folder)) do
    if rawget(index, source) == nil then
      index[source] = setmetatable({}, { __index = function(made, part)
        local provider = imported_schemas.provider(folder, source)
        if part == "listed" then made[part] = provider and list_imported(provider.imported) or list {}
        else made[part] = provider and provider[part] end
        return rawget(made, part)
      end })
    end
  end
end

local indexes = setmetatable({}, { __mode = "k" })

-- The number of seconds between two checks for new imported schemas.
local LOOK = 2

--- Returns a text that changes when schemas are imported or removed; "" if imported schemas aren't used.
---@param workspace hclexpr.service.Workspace
---@return string stamp
---@return string? folder
function schema_files.imported(workspace)
  local folder = workspace.options.installed and import_folder.find(workspace.options.installed)
  if not folder then return "" end
  local looked, now = workspace.documents.imported, core.clock()
  if not looked or now - looked.at > LOOK then
    looked = { at = now, stamp = imported.stamp(folder) }
    workspace.documents.imported = looked
  end
  return looked.stamp, folder
end

--- Returns schemas by the sources of their providers. The field `listed` of each has the names of types by mode.
---@param workspace hclexpr.service.Workspace
---@param dir string
---@return table<string, table>
function schema_files.index(workspace, dir)
  local document = schema_files.document(workspace, dir)
  local stamp, folder = schema_files.imported(workspace)
  local known = indexes[document or schema_files]
  if not known or known.stamp ~= stamp then
    known = { stamp = stamp, index = index_of(document) }
    if stamp ~= "" then add_imported(known.index, folder) end
    indexes[document or schema_files] = known
  end
  return known.index
end

return schema_files
