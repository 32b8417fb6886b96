-- Folders: the declarations in the files of one module, the modules that it calls and those that call it, and the schemas of its providers.
-- Everything is computed again when texts change: a document keeps its own declarations, a folder asks its documents.
local core = require "hclexpr.core"
local Documents = require "hclexpr.editor.documents"
local heads = require "hclexpr.terraform.read.heads"
local language = require "hclexpr.terraform.language.language"
local modes = require "hclexpr.terraform.language.modes"
local naming = require "hclexpr.terraform.language.naming"
local lazy = require "hclexpr.lazy"
local sorted = require("hclexpr.util").sorted
local sources = require "hclexpr.terraform.tree.sources"

local folders = {}

---@class hclexpr.service.Declaration: hclexpr.module.Head
---@field word "variable"|"local"|"output"|"module"|"resource"|"data"|"ephemeral"|"action"|"provider"|"check"|"block" what its block begins
--- with; "block" in files of other languages
---@field document hclexpr.service.Document
---@field block hclexpr.Block of a local, too
---@field replaces? boolean of several with one address the last counts; nil: the first
---@field start integer
---@field stop integer
---@field name_start integer of a provider with an alias that one
---@field name_stop integer

-- Declarations

-- The span of a name without quotes.
local function inner_of(document, range)
  local start, stop = range.start.byte, range.stop.byte
  if document.text:byte(start + 1) == 34 then
    start = start + 1
    if stop > start and document.text:byte(stop) == 34 then stop = stop - 1 end
  end
  return start, stop
end

local function by_place(a, b) return a.start < b.start end

--- The declarations of a document, in order; `by_address` finds the first of an address.
---@param document hclexpr.service.Document
---@return hclexpr.service.Declaration[]
function folders.declared(document)
  local found = rawget(document, "declared_here")
  if found then return found end
  found = { by_address = {} }
  document.declared_here = found
  local each = document.vocabulary and document.vocabulary.heads or document.kind == "terraform" and heads.each
  if document.body and each then
    each(document.body, function(d, block)
      local range = (d.attribute or block).range
      d.word, d.document, d.block = d.attribute and "local" or d.word or block.type, document, block
      d.start, d.stop = range.start.byte, range.stop.byte
      local name = d.name_range or d.alias and block.body.attributes.alias.expression:range() or heads.name_range(d)
      d.name_start, d.name_stop = inner_of(document, name)
      found[#found + 1], found.by_address[d.address] = d, not d.replaces and found.by_address[d.address] or d
    end)
    table.sort(found, by_place)
  end
  return found
end

-- Folders

---@class hclexpr.service.Folder
---@field dir string
---@field workspace hclexpr.service.Workspace
---@field documents hclexpr.service.Document[]
---@field key? string of a described language: its own among folders
---@field written? hclexpr.service.Document[] of a described language: its documents, and those of JSON syntax
---@field stamp integer
---@field alone? boolean it is one file by itself
---@field vocabulary? hclexpr.service.Vocabulary of the language that its files are written in; nil: Terraform's
---@field given? hclexpr.service.Shape what a template by itself is given
---@field shapes? table what the last question knows of declarations, and its number
local Folder = {}
Folder.__index = Folder

local ABOVE = 3

--- The module whose variables a file of values in a folder may be for: that of the folder, or of one not far above it.
---@param workspace hclexpr.service.Workspace
---@param dir string
---@return hclexpr.service.Folder
function folders.of_values(workspace, dir)
  local own = folders.at(workspace, dir)
  local folder = own
  for _ = 1, ABOVE do
    if folder.documents[1] or dir == "" or dir == "/" then break end
    dir = Documents.split(dir)
    folder = folders.at(workspace, dir)
  end
  return folder.documents[1] and folder or own
end

-- Returns the Folder of a file of a described language, whose unit is the file alone or all files of its folder.
local function of_language(workspace, document)
  local documents, vocabulary = workspace.documents, document.vocabulary
  local key = vocabulary.name .. "\n" .. (vocabulary.whole and document.dir or document.path)
  local known = documents.shared[key]
  if not known or known.stamp ~= documents.stamp then
    known = setmetatable({ dir = document.dir, key = key, workspace = workspace, documents = {}, vocabulary = vocabulary }, Folder)
    known.written = vocabulary.whole and documents:of_language(document.dir, vocabulary) or { document }
    for _, one in ipairs(known.written) do
      if one.kind ~= "json" then table.insert(known.documents, one) end
    end
    known.stamp = documents.stamp -- reading files is a change, too
    documents.shared[key] = known
  end
  return known
end

--- The module that a document belongs to; a document that isn't of Terraform is alone in one.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@return hclexpr.service.Folder
function folders.of(workspace, document)
  local kind = document.kind
  if document.vocabulary then return of_language(workspace, document) end
  if kind == "terraform" then return folders.at(workspace, document.dir) end
  if kind == "tfvars" then return folders.of_values(workspace, document.dir) end
  local given = document.given and document.given(workspace)
  return setmetatable({ dir = document.dir, workspace = workspace, documents = { document }, alone = true, given = given }, Folder)
end

--- The module in a folder.
---@param workspace hclexpr.service.Workspace
---@param dir string
---@return hclexpr.service.Folder
function folders.at(workspace, dir)
  local documents = workspace.documents
  local known = documents.shared["folder " .. dir]
  if not known or known.stamp ~= documents.stamp then
    known = setmetatable({ dir = dir, workspace = workspace, documents = documents:module(dir) }, Folder)
    known.stamp = documents.stamp -- reading files counts as a change
    documents.shared["folder " .. dir] = known
  end
  return known
end

--- Returns the declaration of an address, of several the one that applies; nil: nothing declares the address.
---@param address string
---@return hclexpr.service.Declaration?
function Folder:find(address)
  local found
  for _, document in ipairs(self.documents) do
    found = folders.declared(document).by_address[address] or found
    if found and not found.replaces then return found end
  end
  return found
end

--- All declarations, or those whose blocks begin with a word, in the order of files and places.
---@param word? string
---@return hclexpr.service.Declaration[]
function Folder:all(word)
  local all = {}
  for _, document in ipairs(self.documents) do
    for _, declaration in ipairs(folders.declared(document)) do
      if not word or declaration.word == word then all[#all + 1] = declaration end
    end
  end
  return all
end

--- The names of declarations whose blocks begin with a word, in order.
---@param word string
---@param type? string of this type alone
---@return string[]
function Folder:names(word, type)
  local found = {}
  for _, d in ipairs(self:all(word)) do
    if not type or d.type == type then found[#found + 1] = d.name end
  end
  return found
end

--- All documents that the folder is made of, those of JSON syntax, too.
---@return hclexpr.service.Document[]
function Folder:texts() return self.written or self.workspace.documents:texts(self.dir) end

--- The first of the folder's files of JSON syntax, whose declarations aren't listed, that says this anywhere; nil: none does.
---@param word string
---@return hclexpr.service.Document?
function Folder:json_with(word)
  local pattern = word:gsub("%p", "%%%0") .. (word:find "[%w_-]$" and "%f[^%w_-]" or "")
  for _, document in ipairs(self:texts()) do
    if document.kind == "json" and document.text:find(pattern) then return document end
  end
end

---@param word string
---@return boolean
function Folder:is_in_json(word) return self:json_with(word) ~= nil end

-- Modules

-- Where terraform init put the module of a call of the root in this folder, or nil.
local function installed(self, name)
  local manifest = self.workspace.documents:get(Documents.join(self.dir, sources.MANIFEST))
  local dir = manifest and manifest.modules[name]
  return dir and core.clean_path(Documents.join(self.dir, dir))
end

--- Returns the folder of a source as a call in this folder writes it; nil: the folder is missing.
---@param source? string
---@param name? string of the call
---@return string? dir
function Folder:source_dir(source, name)
  if not source then return nil end
  if source:find "^%.%.?/" or source == "." or source == ".." then return core.clean_path(Documents.join(self.dir, source)) end
  return name and installed(self, name)
end

--- Returns the module that a call means; nil: the module is missing.
---@param block hclexpr.Block
---@return hclexpr.service.Folder?
function Folder:child(block)
  local dir = self:source_dir(heads.text(block.body.attributes.source), block.labels[1])
  local child = dir and folders.at(self.workspace, dir)
  return child and child.documents[1] and child or nil
end

-- Folders below a root, without hidden ones; no more than MOST.
local MOST, DEEPEST = 2000, 6

local function folders_below(documents, dir, found, depth)
  if #found >= MOST or depth > DEEPEST then return end
  found[#found + 1] = dir
  local list = documents.options.list
  if list then return end
  for _, name in ipairs(core.list_folder(nil, dir == "" and "." or dir) or {}) do
    local folder = name:match "^([^.].*)/$"
    if folder and folder ~= "node_modules" then folders_below(documents, Documents.join(dir, folder), found, depth + 1) end
  end
end

--- All known folders: those with open files, and those of the workspace.
---@param workspace hclexpr.service.Workspace
---@return string[]
function folders.known(workspace)
  local documents = workspace.documents
  local known = documents.shared.below
  if not known then
    known = {}
    for _, root in ipairs(sorted(documents.roots)) do folders_below(documents, root, known, 0) end
    documents.shared.below = known
  end
  local seen, all = {}, {}
  for _, list in ipairs { documents:open_folders(), known } do
    for _, dir in ipairs(list) do
      if not seen[dir] then
        seen[dir] = true
        all[#all + 1] = dir
      end
    end
  end
  return all
end

--- The folders of described languages that have an open file, in order.
---@param workspace hclexpr.service.Workspace
---@return hclexpr.service.Folder[]
function folders.described(workspace)
  local found, seen = {}, {}
  for _, path in ipairs(sorted(workspace.documents.by_path)) do
    local document = workspace.documents.by_path[path]
    local folder = document and document.open and document.vocabulary and folders.of(workspace, document)
    if folder and not seen[folder] then
      seen[folder] = true
      found[#found + 1] = folder
    end
  end
  return found
end

--- The calls of this folder's module, in all folders that are known.
---@return { folder: hclexpr.service.Folder, declaration: hclexpr.service.Declaration }[]
function Folder:callers()
  local found = {}
  if self.vocabulary then return found end
  for _, dir in ipairs(folders.known(self.workspace)) do
    local folder = folders.at(self.workspace, dir)
    for _, call in ipairs(folder:all "module") do
      if folder:source_dir(heads.text(call.block.body.attributes.source), call.name) == self.dir then
        found[#found + 1] = { folder = folder, declaration = call }
      end
    end
  end
  return found
end

-- Providers

-- Calls found(name, attribute, document) for each provider that required_providers lists.
local function each_required(self, found)
  for _, document in ipairs(self.documents) do
    for _, block in ipairs(document.body and document.body.blocks or {}) do
      for _, inner in ipairs(block.type == "terraform" and block.body.blocks or {}) do
        for name, attribute in pairs(inner.type == "required_providers" and inner.body.attributes or {}) do
          found(name, attribute, document)
        end
      end
    end
  end
end

-- The source in an object of required_providers, or nil.
local function source_in(tree)
  for i = 1, #(tree.items or {}) - 1, 2 do
    local key, value = tree.items[i], tree.items[i + 1]
    if key.kind == "key" then key = key.inner end
    if (key.root or key.text) == "source" and value.kind == "string" and value.text ~= "" then return value.text:lower() end
  end
end

-- Returns the objects that JSON has in place of blocks: one, or several in an array.
local function objects_of(x)
  if type(x) ~= "table" then return {} end
  return x[1] ~= nil and x or { x }
end

-- Calls found(name, source) for each provider that required_providers lists in files of JSON syntax; source is nil if it isn't given.
local function each_required_in_json(self, found)
  for _, document in ipairs(self.workspace.documents:texts(self.dir)) do
    local json = document.kind == "json" and not document.name:find "%.tfvars%.json$" and document.body
    local attribute = json and json.attributes.terraform
    for _, block in ipairs(objects_of(attribute and attribute.expression:literal())) do
      for _, inner in ipairs(objects_of(type(block) == "table" and block.required_providers)) do
        for name, row in pairs(type(inner) == "table" and inner or {}) do
          local source = type(row) == "table" and row.source
          found(name, type(source) == "string" and source or nil)
        end
      end
    end
  end
end

--- The content of required_providers: sources by local name.
---@return table<string, string>
function Folder:required_providers()
  local sources_of = rawget(self, "required")
  if sources_of then return sources_of end
  sources_of = {}
  self.required, self.required_places = sources_of, {}
  each_required(self, function(name, attribute, document)
    local range = attribute.range
    sources_of[name] = source_in(document:tree(attribute.expression)) or naming.implied(name)
    self.required_places[name] = { document = document, start = range.start.byte, stop = range.stop.byte, name_start = range.start.byte,
                                   name_stop = range.start.byte + #name }
  end)
  if not self.alone then
    each_required_in_json(self, function(name, source) sources_of[name] = source and source:lower() or naming.implied(name) end)
  end
  return sources_of
end

-- Adds the aliases that configuration_aliases of a requirement lists to `found`.
local function passed_aliases(document, attribute, found)
  local items = document:tree(attribute.expression).items or {}
  for i = 1, #items - 1, 2 do
    local inner = items[i].inner
    for _, element in ipairs(inner and inner.root == "configuration_aliases" and items[i + 1].elements or {}) do
      local range = element.step_ranges and element.step_ranges[2]
      if range and element.kind == "traversal" then
        found[#found + 1] = { document = document, provider = element.root, alias = element.steps[1], start = element.range.start.byte,
                              stop = element.range.stop.byte, name_start = range.stop.byte - #element.steps[1],
                              name_stop = range.stop.byte }
      end
    end
  end
end

--- The configurations of a provider that have an alias: those of the folder's blocks, and those that its callers pass.
---@param provider string its local name
---@return { alias: string, document: hclexpr.service.Document, declaration?: hclexpr.service.Declaration }[] places of aliases
function Folder:aliases(provider)
  local found, passed = {}, {}
  for _, d in ipairs(self:all "provider") do
    if d.name == provider and d.alias then found[#found + 1] = { alias = d.alias, document = d.document, declaration = d } end
  end
  each_required(self, function(name, attribute, document)
    if name == provider then passed_aliases(document, attribute, passed) end
  end)
  for _, one in ipairs(passed) do
    if one.provider == provider then found[#found + 1] = one end
  end
  return found
end

--- The modes of blocks.
---@type table<string, string>
folders.modes = {}
for type, row in pairs(language.file.blocks) do folders.modes[type] = row.mode end

--- Returns the schemas of a provider by its local name, or nil; and the provider's source.
---@param name string
---@return table?, string
function Folder:provider(name)
  local source = naming.with_other_host(naming.source(self:required_providers(), name))
  return self:schemas()[source], source
end

--- Local names of providers that the folder declares, configures or has resources of, and of those with known schemas, sorted.
---@return string[]
function Folder:provider_names()
  local found, seen, taken = {}, {}, {}
  local function see(name)
    if not seen[name] then found[#found + 1] = name end
    seen[name] = true
  end
  for name, source in pairs(self:required_providers()) do
    taken[naming.without_host(source)] = true
    see(name)
  end
  for source in pairs(self:schemas()) do
    if source ~= naming.BUILTIN and not taken[source] then see((source:match "[^/]+$")) end
  end
  for _, d in ipairs(self:all "provider") do see(d.name) end
  local own = self:schemas()[naming.BUILTIN]
  for mode, rows in pairs { resource = own.resource_schemas, data = own.data_source_schemas } do
    for _, d in ipairs(self:all(mode)) do
      local name = naming.of_type(d.type)
      if not rows[d.type] and not taken["hashicorp/" .. name] then see(name) end
    end
  end
  table.sort(found)
  return found
end

--- All schemas by source, and the built-in provider's.
---@return table<string, table>
function Folder:schemas() return lazy.load("hclexpr.editor.schema_files").index(self.workspace, self.dir) end

--- The schema of a type, or nil.
---@param mode "managed"|"data"|"ephemeral"|"action"
---@param type string
---@param provider? string its local name, if the block gives it
---@return table? row as schema files have it, with `block`
---@return string? source of the provider
function Folder:schema_row(mode, type, provider)
  local known, source = self:provider(provider or naming.of_type(type))
  local part = modes[mode] and modes[mode].schemas or ""
  local rows, own = known and known[part], self:schemas()[naming.BUILTIN][part]
  if rows and rows[type] then return rows[type], source end
  if own and own[type] then return own[type], naming.with_host(naming.BUILTIN) end
end

--- The schema of the block of a resource or action.
---@param block hclexpr.Block
---@param mode string
---@return table?
function Folder:schema_of_block(block, mode)
  local provider = block.body.attributes.provider
  return (self:schema_row(mode, block.labels[1] or "", provider and provider.expression:source():match "^[%w_-]+"))
end

return folders
