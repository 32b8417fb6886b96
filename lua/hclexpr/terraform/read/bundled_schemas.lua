-- hclexpr includes facts about small providers, so that resources have types and marks without a file of schemas. The facts never reject a
-- name: if they lack an argument of a resource, or an attribute that an expression reads, the resource counts as one without a schema.
local core = require "hclexpr.core"
local bundled_facts = require("hclexpr.lazy") "hclexpr.terraform.schema.bundled_facts"
local naming = require "hclexpr.terraform.language.naming"
local references = require "hclexpr.terraform.read.references"

local bundled_schemas = {}

local function of_names(names)
  local sources = {}
  for name in names:gmatch "%a+" do sources["hashicorp/" .. name] = true end
  return sources
end

-- The providers whose facts are included. The file of facts is loaded only for these.
local small = of_names "archive cloudinit local null random template time tls"
-- The providers that set all their computed attributes during an apply.
local late = of_names "local null random"

--- Returns true if hclexpr includes facts about a provider.
---@param source string "hashicorp/random"
---@return boolean
function bundled_schemas.knows(source) return small[source] == true end

--- Returns true if an attribute of a new resource is always unknown until an apply, so that its provider needn't be asked.
---@param source string of its provider
---@param schema? table of its type
---@param name any
---@return boolean
function bundled_schemas.is_late(source, schema, name)
  local row = late[source] and schema and schema.attributes and schema.attributes[name]
  return row ~= nil and row ~= false and row.computed == true and not row.optional
end

local fits

local function fits_blocks(block, body)
  for _, inner in ipairs(body.blocks) do
    local is_dynamic = inner.type == "dynamic"
    local wanted = (block.block_types or {})[is_dynamic and inner.labels[1] or inner.type]
    local bodies = {}
    for i, content in ipairs(is_dynamic and inner.body.blocks or { inner }) do bodies[i] = content.body end
    if not wanted or not fits(wanted.block, bodies) then return false end
  end
  return true
end

-- Returns true if facts name everything in bodies and the bodies have all required parts. In JSON syntax, where blocks are properties, only
-- the first level is checked.
function fits(block, bodies)
  local needed = {}
  for name, row in pairs(block.attributes) do needed[name] = row.required end
  for _, body in ipairs(bodies) do
    for name in pairs(body.attributes) do
      local row = block.attributes[name]
      local is_block = core.needs_schema(body) and (block.block_types or {})[name]
      if not is_block and not (row and (row.required or row.optional)) then return false end
      needed[name] = nil
    end
    if not core.needs_schema(body) and not fits_blocks(block, body) then return false end
  end
  return next(needed) == nil
end

-- Returns the attribute of a resource, or of `self`, that a reference reads, or nil.
local function asked(ref)
  local step = ref.traversal.steps[ref.rest]
  return step and (step.kind == "attr" or step.kind == "key") and step.text or nil
end

local function add(names, key, ref)
  local name = asked(ref)
  if not name then return end
  names[key] = names[key] or {}
  names[key][name] = true
end

-- Returns the names of the attributes that expressions of a folder read from resources, by the resources' keys.
local function names_in(folder)
  local names = folder.cache.asked_names
  if names then return names end
  names = {}
  for _, file in ipairs(folder.files) do
    for _, block in ipairs(file.blocks) do
      local own = block.type == "resource" and block.labels[2] and block.labels[1] .. "." .. block.labels[2]
      for _, ref in ipairs(references.of(block.body)) do
        if ref.kind == "resource" and ref.key then add(names, ref.key, ref)
        elseif ref.kind == "self" and own then add(names, own, ref) end
      end
    end
  end
  folder.cache.asked_names = names
  return names
end

local function has(block, name)
  return block.attributes[name] ~= nil or (block.block_types or {})[name] ~= nil
end

-- Returns true if facts name all arguments of a resource and all attributes that expressions read from it.
local function know(facts_of_type, declaration)
  if not fits(facts_of_type.block, declaration.bodies) then return false end
  for name in pairs(names_in(declaration.folder)[declaration.address] or {}) do
    if not has(facts_of_type.block, name) then return false end
  end
  return true
end

local function facts_of(source, part, type)
  local rows = bundled_schemas.knows(source) and bundled_facts[source][part]
  return rows and rows[type] or nil
end

--- Returns the facts about a resource in the form of a row of schema files; nil if the facts are absent or incomplete.
---@param declaration hclexpr.module.Declaration
---@param source string of its provider
---@param part string the part of schema files for resources of its mode
---@return table?
function bundled_schemas.row(declaration, source, part)
  local known = declaration.small
  if known ~= nil then return known or nil end
  local of_type = facts_of(source, part, declaration.type)
  declaration.small = of_type and know(of_type, declaration) and of_type or false
  return declaration.small or nil
end

local complete

-- Replaces the attributes of a block by the facts, for a schema that lacks marks.
local function replace(block, known)
  for name, row in pairs(known.attributes) do
    local given = block.attributes[name]
    block.attributes[name] = { description = given and given.description }
    for field, x in pairs(row) do block.attributes[name][field] = x end
  end
  for name, row in pairs(known.block_types or {}) do
    block.block_types = block.block_types or {}
    if block.block_types[name] then complete(block.block_types[name].block, row.block, true)
    else block.block_types[name] = row end
  end
end

function complete(block, known, partial)
  block.attributes = block.attributes or {}
  if partial then return replace(block, known) end
  for name, row in pairs(known.attributes) do
    local given = block.attributes[name]
    if given and row.sensitive then given.sensitive = true end
  end
end

--- Completes a row of schemas by the facts about its type, if any. Marks attributes that the facts call sensitive; if the schema lacks all
--- marks (`partial`), replaces its attributes by the facts.
---@param row table the row, which is changed
---@param source string
---@param part string
---@param type string
---@param partial boolean
function bundled_schemas.complete(row, source, part, type, partial)
  local known = facts_of(naming.without_host(source), part, type)
  if known then complete(row.block, known.block, partial) end
end

--- Returns the names of attributes that facts call sensitive in a type, or nil. This also serves resources that the facts don't fit, and
--- objects of a state that aren't declared.
---@param source string
---@param type string
---@return table<string, true>?
function bundled_schemas.secrets(source, type)
  local found
  source = naming.without_host(source)
  for _, rows in pairs(bundled_schemas.knows(source) and bundled_facts[source] or {}) do
    local of_type = rows[type]
    for name, row in pairs(of_type and of_type.block.attributes or {}) do
      if row.sensitive then
        found = found or {}
        found[name] = true
      end
    end
  end
  return found
end

--- Returns true if an object reads a name that the facts about a resource lack.
---@param folder hclexpr.module.Folder
---@param object hclexpr.Body|hclexpr.Expression
---@return boolean
function bundled_schemas.strays(folder, object)
  for _, ref in ipairs(references.of(object)) do
    local of = ref.kind == "resource" and folder.resources[ref.key]
    if of and of.small ~= nil then
      local name = asked(ref)
      if name and not (of.small and has(of.small.block, name)) then return true end
    end
  end
  return false
end

return bundled_schemas
