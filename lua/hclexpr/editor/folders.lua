-- Folders: the declarations in the files of a module, the modules that it calls and that call it, and the schemas of its providers. A
-- document caches its own declarations. A folder only asks its documents, so all results follow changes of their texts.
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
---@field word "variable"|"local"|"output"|"module"|"resource"|"data"|"ephemeral"|"action"|"provider"|"check"|"block" the first word of its
--- block; for a local value "local", for other languages "block"
---@field document hclexpr.service.Document
---@field block hclexpr.Block for a local value, the `locals` block
---@field replaces? boolean true: the last declaration of an address counts; nil: the first
---@field start integer
---@field stop integer
---@field name_start integer the start of the name; for a provider with an alias, of the alias
---@field name_stop integer

-- Declarations

-- Returns the span of a name without its quotes.
local function inner_of(document, range)
  local start, stop = range.start.byte, range.stop.byte
  if document.text:byte(start + 1) == 34 then
    start = start + 1
    if stop > start and document.text:byte(stop) == 34 then stop = stop - 1 end
  end
  return start, stop
end

local function by_place(a, b) return a.start < b.start end

--- Returns the declarations of a document, in order; `by_address` in the result has the declaration that counts for each address.
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
---@field key? string for a described language: a key that differs between all folders
---@field written? hclexpr.service.Document[] for a described language: all documents, including those of JSON syntax
---@field stamp integer
---@field alone? boolean true: the folder consists of a single file
---@field vocabulary? hclexpr.service.Vocabulary the vocabulary of the described language of its files; nil for Terraform
---@field given? hclexpr.service.Shape for a template: the values that calls pass to it
---@field shapes? table shapes by declaration, cached for one question; the field `question` is the number of that question (infer.lua)
local Folder = {}
Folder.__index = Folder

local ABOVE = 3

--- Returns the module whose variables a file of values in a folder sets: the module of that folder, or of the nearest folder above it with
--- a module, at most ABOVE levels up. Without such a module, returns the folder itself, which has no documents.
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

-- Returns the Folder of a file in a described language. It has that file, or, if the language says so, all files of its folder.
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
    known.stamp = documents.stamp -- after reading files, because that counts as a change
    documents.shared[key] = known
  end
  return known
end

--- Returns the module that a document belongs to. For a document outside of modules this is a Folder with only that document.
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

--- Returns the module in a folder.
---@param workspace hclexpr.service.Workspace
---@param dir string
---@return hclexpr.service.Folder
function folders.at(workspace, dir)
  local documents = workspace.documents
  local known = documents.shared["folder " .. dir]
  if not known or known.stamp ~= documents.stamp then
    known = setmetatable({ dir = dir, workspace = workspace, documents = documents:module(dir) }, Folder)
    known.stamp = documents.stamp -- after reading files, because that counts as a change
    documents.shared["folder " .. dir] = known
  end
  return known
end

--- Returns the declaration that counts for an address; nil if there isn't one.
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

--- Returns all declarations, or those whose blocks begin with a word, in the order of files and positions.
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

--- Returns the names of declarations whose blocks begin with a word, in the order of files and positions.
---@param word string
---@param type? string return only declarations of this type
---@return string[]
function Folder:names(word, type)
  local found = {}
  for _, d in ipairs(self:all(word)) do
    if not type or d.type == type then found[#found + 1] = d.name end
  end
  return found
end

--- Returns all documents of the folder, including those of JSON syntax.
---@return hclexpr.service.Document[]
function Folder:texts() return self.written or self.workspace.documents:texts(self.dir) end

--- Returns the folder's first file of JSON syntax whose text contains a word, or nil. Declarations in these files aren't listed.
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

-- Returns the folder where terraform init put the module of a call in this folder, or nil.
local function installed(self, name)
  local manifest = self.workspace.documents:get(Documents.join(self.dir, sources.MANIFEST))
  local dir = manifest and manifest.modules[name]
  return dir and core.clean_path(Documents.join(self.dir, dir))
end

--- Returns the folder that a module call's source means: that of a local path, which may be missing, or the folder where terraform init put
--- the module. Otherwise returns nil.
---@param source? string
---@param name? string the name of the call
---@return string? dir
function Folder:source_dir(source, name)
  if not source then return nil end
  if source:find "^%.%.?/" or source == "." or source == ".." then return core.clean_path(Documents.join(self.dir, source)) end
  return name and installed(self, name)
end

--- Returns the module that a block calls; nil if the module is missing.
---@param block hclexpr.Block
---@return hclexpr.service.Folder?
function Folder:child(block)
  local dir = self:source_dir(heads.text(block.body.attributes.source), block.labels[1])
  local child = dir and folders.at(self.workspace, dir)
  return child and child.documents[1] and child or nil
end

-- Limits for searching folders below a root: the number of folders, and their depth.
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

--- Returns all known folders: those with open files, and those below the roots of the workspace.
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

--- Returns the folders of described languages that have an open file, in order.
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

--- Returns the calls of this folder's module in all known folders.
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

-- Returns the source in an object of required_providers, or nil.
local function source_in(tree)
  for i = 1, #(tree.items or {}) - 1, 2 do
    local key, value = tree.items[i], tree.items[i + 1]
    if key.kind == "key" then key = key.inner end
    if (key.root or key.text) == "source" and value.kind == "string" and value.text ~= "" then return value.text:lower() end
  end
end

-- Returns the objects that JSON has instead of blocks: a single one, or those in an array.
local function objects_of(x)
  if type(x) ~= "table" then return {} end
  return x[1] ~= nil and x or { x }
end

-- Calls found(name, source) for each provider that required_providers lists in files of JSON syntax; source may be nil.
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

--- Returns the content of required_providers: the sources of providers by local name.
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

-- Adds to `found` the aliases that configuration_aliases lists in a provider requirement.
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

--- Returns a provider's configurations with an alias: those of the folder's own blocks, and those that callers pass.
---@param provider string the provider's local name
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

--- The modes of block types, such as "managed" for `resource`.
---@type table<string, string>
folders.modes = {}
for type, row in pairs(language.file.blocks) do folders.modes[type] = row.mode end

--- Returns the schemas of a provider by its local name, or nil; and its source.
---@param name string
---@return table?, string
function Folder:provider(name)
  local source = naming.with_other_host(naming.source(self:required_providers(), name))
  return self:schemas()[source], source
end

--- Returns the local names of providers that the folder declares, configures or has resources of, and of those with known schemas, sorted.
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

--- Returns all schemas by source, including those of the built-in provider.
---@return table<string, table>
function Folder:schemas() return lazy.load("hclexpr.editor.schema_files").index(self.workspace, self.dir) end

--- Returns the schema of a type, or nil.
---@param mode "managed"|"data"|"ephemeral"|"action"
---@param type string
---@param provider? string the provider's local name, if the block gives it
---@return table? row the schema as in schema files, with `block`
---@return string? source the source of the provider
function Folder:schema_row(mode, type, provider)
  local known, source = self:provider(provider or naming.of_type(type))
  local part = modes[mode] and modes[mode].schemas or ""
  local rows, own = known and known[part], self:schemas()[naming.BUILTIN][part]
  if rows and rows[type] then return rows[type], source end
  if own and own[type] then return own[type], naming.with_host(naming.BUILTIN) end
end

--- Returns the schema of the block of a resource or action, or nil.
---@param block hclexpr.Block
---@param mode string
---@return table?
function Folder:schema_of_block(block, mode)
  local provider = block.body.attributes.provider
  return (self:schema_row(mode, block.labels[1] or "", provider and provider.expression:source():match "^[%w_-]+"))
end

return folders
