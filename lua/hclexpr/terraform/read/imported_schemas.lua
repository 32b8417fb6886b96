-- Finds imported schemas for the declarations of a module (schema/imported.lua reads their files). Such schemas may be incomplete: a type
-- that they don't list counts as one without a schema, and so does a type that is used with a block that they don't describe. If the folder
-- excludes the schema's version, the schema gives types but reports no errors.
local core = require "hclexpr.core"
local dependencies = require "hclexpr.terraform.read.dependencies"
local guarded = require "hclexpr.terraform.schema.guarded"
local import_folder = require "hclexpr.terraform.schema.import_folder"
local imported = require "hclexpr.terraform.schema.imported"
local lazy = require "hclexpr.lazy"
local naming = require "hclexpr.terraform.language.naming"
local typed_values = require "hclexpr.terraform.schema.typed_values"
local bundled_schemas = lazy "hclexpr.terraform.read.bundled_schemas"
local versions = lazy "hclexpr.terraform.read.versions"
local wellformed = require "hclexpr.terraform.schema.wellformed"

local imported_schemas = {}

--- Returns an imported provider in the form that providers have in schema documents, or nil if it wasn't imported.
---@param given true|string the folder, as for import_folder.find
---@param source string
---@return table?
function imported_schemas.provider(given, source)
  local folder = import_folder.find(given)
  local of = folder and imported.provider(folder, source) or nil
  if of and not of.made then
    local functions = {}
    for name in imported.names(of, "functions") do functions[name] = of.parts.functions(name) end
    of.made = wellformed.provider({ provider = function() return of.parts.provider "provider" end, functions = functions,
      resource_schemas = of.parts.resource_schemas, data_source_schemas = of.parts.data_source_schemas,
      ephemeral_resource_schemas = of.parts.ephemeral_resource_schemas, action_schemas = of.parts.action_schemas,
    }, function(row, name, part)
      if of.partial then guarded.add(row.block, name) end
      bundled_schemas.complete(row, source, part, name, of.partial)
    end)
    of.made.imported = of
  end
  return of and of.made
end

-- Versions

local function parsed(text) return text and versions.parse(text) end

-- Returns the version of a source in the lock file, or nil.
local function locked(module, source)
  local text = module.files:read(module.files.join(module.dir, ".terraform.lock.hcl"))
  local block = text and text:match('provider%s+"' .. naming.with_host(source):gsub("%p", "%%%0") .. '"%s*(%b{})')
  return block and block:match '\n%s*version%s*=%s*"([^"\n]*)"'
end

-- Returns true if `now` is the same as `version` or a later one that stays compatible with it.
local function is_of_series(now, version)
  local a, b = now.numbers, version.numbers
  if a[1] ~= b[1] or a[1] == 0 and a[2] ~= b[2] then return false end
  return a[2] > b[2] or a[2] == b[2] and a[3] >= b[3]
end

-- Calls found(text) for each version constraint that a folder has for a source.
local function each_constraint(folder, source, found)
  for name, row in pairs(folder.required_rows or {}) do
    if row.version and naming.source(folder.required_providers, name) == source then found(row.version) end
  end
  for _, declaration in pairs(folder.providers) do
    local attribute = declaration.arguments.version
    local text = attribute and naming.source(folder.required_providers, declaration.name) == source and attribute.expression:literal()
    if type(text) == "string" then found(text) end
  end
end

--- Returns the locked version or the constraint of an imported provider in a module, if the imported version doesn't satisfy that;
--- otherwise nil.
---@param module hclexpr.Module
---@param source string
---@param of hclexpr.schema.Imported
---@return string?
function imported_schemas.wanted(module, source, of)
  local version = parsed(of.version)
  if not version then return nil end
  local lock = locked(module, source)
  local exact = parsed(lock)
  if exact then return not is_of_series(version, exact) and lock or nil end
  local wanted
  for _, config in ipairs(dependencies.modules(module.root)) do
    each_constraint(config.folder, source, function(text)
      local constraints = versions.constraints(text)
      if constraints and not versions.allow(constraints, version) then wanted = text end
    end)
  end
  return wanted
end

-- Rows

-- Returns true if bodies have a block that the schema names but doesn't describe.
local function writes_open(block, bodies)
  for _, body in ipairs(bodies) do
    for _, inner in ipairs(core.needs_schema(body) and {} or body.blocks) do
      local is_dynamic = inner.type == "dynamic"
      local name = is_dynamic and inner.labels[1] or inner.type
      local row, contents = block.attributes and block.attributes[name], {}
      if row and row.open then return true end
      local wanted = block.block_types and block.block_types[name]
      for i, content in ipairs(is_dynamic and inner.body.blocks or { inner }) do contents[i] = content.body end
      if wanted and writes_open(wanted.block, contents) then return true end
    end
  end
  return false
end

local function row_in(provider, declaration, part)
  if declaration.kind == "provider" then return provider.provider end
  return provider[part] and provider[part][declaration.type] or nil
end

-- Returns true if a type contains objects or tuples.
local function has_object(json)
  if type(json) ~= "table" then return false end
  return json[1] == "object" or json[1] == "tuple" or has_object(json[2])
end

-- Returns unknown values for a row's attributes. Types with objects are left out, because the objects' attributes may differ in another
-- version.
local function types_in(row)
  if not row.types then
    row.types = {}
    for name, of in pairs(row.block.attributes or {}) do
      if not of.nested_type and not has_object(of.type) then row.types[name] = core.unknown(typed_values.type(of.type)) end
    end
  end
  return row.types
end

---@class hclexpr.module.ImportedRows finds the rows of imported providers for the declarations of a module
---@field module hclexpr.Module
---@field found table<hclexpr.module.Declaration, table|false>
---@field fits table<string, boolean> by source: whether the module allows the imported version
local Rows = {}
Rows.__index = Rows

---@param module hclexpr.Module
---@return hclexpr.module.ImportedRows
function imported_schemas.rows(module)
  return setmetatable({ module = module, found = {}, fits = {} }, Rows)
end

function Rows:is_wanted(provider, source)
  if self.fits[source] == nil then self.fits[source] = imported_schemas.wanted(self.module, source, provider.imported) == nil end
  return self.fits[source]
end

--- Returns the row of a declaration, or nil if the schema can't check this declaration.
---@param provider table
---@param declaration hclexpr.module.Declaration
---@param source string
---@param part? string
---@return table?
function Rows:row(provider, declaration, source, part)
  local row = self.found[declaration]
  if row == nil then
    row = self:is_wanted(provider, source) and row_in(provider, declaration, part) or false
    if row and writes_open(row.block, declaration.bodies) then row = false end
    self.found[declaration] = row
  end
  return row or nil
end

--- If the schema can't check a declaration (see Rows:row) but has a row for it, returns unknown values of that row's attributes, by name;
--- otherwise nil.
---@param provider table
---@param declaration hclexpr.module.Declaration
---@param part string
---@return table<string, hclexpr.Value>?
function Rows:types(provider, declaration, part)
  local row = self.found[declaration] == false and row_in(provider, declaration, part)
  return row and types_in(row) or nil
end

return imported_schemas
