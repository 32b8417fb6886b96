-- The files that a workspace knows: those open in the editor, and those read from disk for an answer. A document is parsed on first use. A
-- change of the text makes a new document.
local core = require "hclexpr.core"
local Files = require "hclexpr.terraform.read.files"
local hcl = require "hclexpr"
local sorted = require("hclexpr.util").sorted
local sources = require "hclexpr.terraform.tree.sources"
local text = require "hclexpr.editor.text"

---@class hclexpr.service.Document
---@field path string
---@field dir string the folder of the file; "" is the folder that relative paths start from
---@field name string
---@field kind "terraform"|"tfvars"|"template"|"plain"|"json"|"described"
---@field vocabulary? hclexpr.service.Vocabulary the vocabulary of its described language
---@field text string
---@field version? integer|string
---@field open boolean
---@field stamp integer a number that differs between all texts of all documents
local Document = {}
Document.__index = Document

-- Functions that compute fields of a document on first use, from its text.
local made = {}

function made.lines(self) return text.lines(self.text) end

-- Returns { body = the readable part of the body, err = Diagnostics }. For a template, or if nothing is readable, `body` is false.
function made.parsed(self)
  if self.kind == "template" then
    local _, err = hcl.compile(self.text, { filename = self.path, syntax = "template" })
    return { body = false, err = err }
  end
  local held = self.held
  held[#held + 1] = self
  local body, err, readable = hcl.parse(self.text, { filename = self.path, syntax = self.kind == "json" and "json" or "native" })
  return { body = body or readable or false, err = err }
end

function made.body(self) return self.parsed.body end

--- Returns the folders of module calls, if the document is .terraform/modules/modules.json.
function made.modules(self) return sources.installed(self.text) end

-- Makes the cache of syntax trees, by expression.
function made.trees() return {} end

function Document.__index(self, key)
  local method = rawget(Document, key)
  if method then return method end
  local make = made[key]
  if not make then return nil end
  local value = make(self)
  rawset(self, key, value)
  return value
end

--- Returns the syntax tree of an expression of this document, which is made once.
---@param expression hclexpr.Expression
---@return table
function Document:tree(expression)
  local trees = self.trees
  local tree = trees[expression]
  if not tree then
    tree = expression:ast()
    trees[expression] = tree
  end
  return tree
end

--- Returns true if the document parses without errors.
---@return boolean
function Document:is_sound()
  for _, d in ipairs(self.parsed.err or {}) do
    if d.severity == "error" then return false end
  end
  return true
end

-- The fields that depend on parsing a text. They are dropped together, to free memory.
local KEPT = { "parsed", "body", "trees", "lines", "declared_here", "mentioned_here", "lexed_here", "inner_here" }

---@class hclexpr.service.Documents
---@field options hclexpr.service.Options
---@field by_path table<string, hclexpr.service.Document|false>
---@field folders table<string, string[]> names of files by folder
---@field roots table<string, true>
---@field stamp integer the stamp of the newest text
---@field open_in table<string, integer> how many files are open in a folder
---@field languages? hclexpr.service.Languages described languages
---@field edits integer the number of changes in the editor or on disk
---@field linked table<string, table<string, true>> by real path: the paths with symbolic links through which it was read
---@field reading? boolean true: some text may call functions that read configuration files
---@field others integer the number of changes on disk to files that only functions may read
local Documents = {}
Documents.__index = Documents

---@param options hclexpr.service.Options
---@return hclexpr.service.Documents
function Documents.new(options)
  return setmetatable({ options = options, by_path = {}, folders = {}, roots = {}, open_in = {}, stamp = 0, edits = 0, others = 0,
    shared = {}, schemas = {}, held = {}, linked = {} },
    Documents)
end

local function kind_of(name)
  if name:find "%.json$" then return "json" end
  if name:find "%.tf$" or name:find "%.tofu$" then return "terraform" end
  if name:find "%.tfvars$" then return "tfvars" end
  if name:find "%.tftpl$" then return "template" end
  return "plain"
end

local function split(path)
  local dir, name = path:match "^(.*)/([^/]*)$"
  if not dir then return "", path end
  return dir == "" and "/" or dir, name
end

--- Splits a path into folder and name.
Documents.split = split

--- Returns the path of a name in a folder.
---@param dir string
---@param name string
---@return string
function Documents.join(dir, name)
  if dir == "" then return name end
  return dir:find "/$" and dir .. name or dir .. "/" .. name
end

local function next_stamp(self)
  self.stamp = self.stamp + 1
  return self.stamp
end

-- A text that contains one of these may read configuration files by functions: the end of a quoted file name, or a function that lists
-- files.
local READING = { '.tf"', '.tofu"', '.tfvars"', '.tf.json"', '.tofu.json"', '.tfvars.json"', "fileset" }

local function note_reading(self, source)
  for i = 1, self.reading and 0 or #READING do self.reading = self.reading or source:find(READING[i], 1, true) ~= nil end
end

local function new_document(self, path, source, open, version)
  local dir, name = split(path)
  note_reading(self, source)
  local kind = kind_of(name)
  local vocabulary = self.languages and (kind == "plain" or kind == "json") and self.languages:find(name) or nil
  if vocabulary and kind == "plain" then kind = "described" end
  return setmetatable({ path = path, dir = dir, name = name, kind = kind, vocabulary = vocabulary, text = source, open = open,
                        version = version, stamp = next_stamp(self), held = self.held }, Document)
end

-- Adds a path to the list of names in its folder, if that list was read.
local function list_name(self, path)
  local dir, name = split(path)
  local names = self.folders[dir]
  for _, known in ipairs(names or {}) do
    if known == name then return end
  end
  if names then
    names[#names + 1] = name
    table.sort(names)
  end
end

-- Drops the results of parsing a text. Every key press makes a new text, and the results take about twenty times the memory of the text.
local function release(self, document)
  if not document then return end
  for _, name in ipairs(KEPT) do rawset(document, name, nil) end
  for i = #self.held, 1, -1 do
    if self.held[i] == document then table.remove(self.held, i) end
  end
end

-- Counts the open files of a folder: some questions are about all folders with open files.
local function count_open(self, path, by)
  local dir = split(path)
  local n = (self.open_in[dir] or 0) + by
  self.open_in[dir] = n > 0 and n or nil
end

-- Makes the document of an open file, in place of an older one.
local function put_open(self, path, source, version)
  local old = self.by_path[path]
  release(self, old)
  if not (old and old.open) then count_open(self, path, 1) end
  self.by_path[path] = new_document(self, path, source, true, version)
end

local function edited(self) self.edits = self.edits + 1 end

--- Replaces the described languages. An open file may then belong to another language; all other files are read again.
---@param languages? hclexpr.service.Languages
function Documents:set_languages(languages)
  edited(self)
  self.languages, self.shared = languages, {}
  local known = self.by_path
  self.by_path = {}
  for path, document in pairs(known) do
    release(self, document)
    if document and document.open then self.by_path[path] = new_document(self, path, document.text, true, document.version) end
  end
  next_stamp(self)
end

--- Marks the results of evaluation as outdated.
function Documents:renew() edited(self) end

function Documents:open(path, source, version)
  edited(self)
  put_open(self, path, source, version)
  list_name(self, path)
end

function Documents:change(path, changes, version)
  edited(self)
  local old = self.by_path[path]
  local source = old and old.text or ""
  if type(changes) == "string" then
    source = changes
  else
    for _, change in ipairs(changes) do source = text.replace(source, change.start, change.stop, change.text) end
  end
  put_open(self, path, source, version or old and old.version)
  if not old then list_name(self, path) end
end

function Documents:close(path)
  edited(self)
  local old = self.by_path[path]
  release(self, old)
  if old and old.open then count_open(self, path, -1) end
  self.by_path[path] = nil
  self.folders[split(path)] = nil
  self.shared = { below = self.shared.below } -- the folders of a new stamp are made anew, so these would only keep memory
  next_stamp(self)
end

-- Returns true if a name is that of a configuration file or a file of variables.
local function is_text(name)
  return name:find "%.tf$" or name:find "%.tofu$" or name:find "%.tfvars$" or name:find "%.tf%.json$" or name:find "%.tofu%.json$"
    or name:find "%.tfvars%.json$"
end

local function forget(self, path)
  local known = self.by_path[path]
  if known and known.open then return end
  release(self, known)
  self.by_path[path] = nil
end

-- Forgets a path and everything below it, because the path may have been a folder before.
local function forget_below(self, path)
  local within = Documents.join(path, "")
  for _, list in ipairs { self.by_path, self.folders } do
    local below = {}
    for other in pairs(list) do
      if other == path or other:sub(1, #within) == within then below[#below + 1] = other end
    end
    for _, other in ipairs(below) do
      if list == self.folders then list[other] = nil else forget(self, other) end
    end
  end
end

-- Links

-- Resolves the links in a path, even if its last part doesn't exist.
local function real_path(path)
  local real = core.real_path(path)
  if real then return real end
  local whole = core.absolute_path(path)
  local dir, name = split(whole)
  local home = core.real_path(dir)
  return home and Documents.join(home, name) or whole
end

-- Notes the real path of a path with links.
local function note_link(self, path)
  local real = real_path(path)
  if real == core.absolute_path(path) then return end
  self.linked[real] = self.linked[real] or {}
  self.linked[real][path] = true
end

-- Forgets files that were read through links to this path. If the path wasn't a file, also those below it.
local function forget_links(self, path, was_file)
  local real = real_path(path)
  if real ~= path then
    forget(self, real)
    self.folders[split(real)] = nil
  end
  if next(self.linked) == nil then return end
  local within, dir = Documents.join(real, ""), split(real)
  local function forget_all(others)
    for other in pairs(others or {}) do
      self.folders[other], self.folders[split(other)] = nil, nil
      forget(self, other)
    end
  end
  for other in pairs(self.linked[dir] or {}) do self.folders[other] = nil end
  forget_all(self.linked[real])
  for known, others in pairs(was_file and {} or self.linked) do
    if known:sub(1, #within) == within then forget_all(others) end
  end
end

--- Notes that a path changed on disk. Unless the file is open, its content is forgotten.
function Documents:touch(path)
  edited(self)
  local was_file = self.by_path[path]
  if was_file then forget(self, path) else forget_below(self, path) end
  forget_links(self, path, was_file)
  local dir, name = split(path)
  self.folders[dir] = nil
  self.shared = {}
  if self.reading or not is_text(name) then self.others = self.others + 1 end
  if path:find "%.json$" or name == ".hclexpr" then self.schemas = {} end
  next_stamp(self)
end

-- Adds or removes a folder of the workspace.
local function set_root(self, dir, is_one)
  self.roots[dir] = is_one
  self.shared = {}
  edited(self)
end

function Documents:add_root(dir) set_root(self, dir, true) end

function Documents:remove_root(dir) set_root(self, dir, nil) end

-- Raises an error because a function in an option returned a value of the wrong type.
local function refuse(option, given, path, wanted)
  error(("hclexpr: the option %s gave a %s for %s, not %s"):format(option, type(given), path, wanted), 0)
end

local function read(self, path)
  local ask = self.options.read
  if not ask then return (core.read_file(nil, path)) end
  local given = ask(path)
  if given and type(given) ~= "string" then refuse("read", given, path, "a string") end
  return given
end

local function list(self, dir)
  local ask = self.options.list
  if not ask then return core.list_folder(nil, dir == "" and "." or dir) or {} end
  local given = ask(dir) or {}
  if type(given) ~= "table" then refuse("list", given, dir, "a table of names") end
  for _, name in ipairs(given) do
    if type(name) ~= "string" then refuse("list", name, dir, "names alone") end
  end
  return given
end

-- The largest number of parsed texts to keep between two questions. The results of parsing take about twenty times the memory of the text.
local MOST_HELD = 64

--- Prepares for a question: if too many texts are parsed, drops the results except for files in the same folder.
---@param asked? hclexpr.service.Document the document that the question is about
function Documents:trim(asked)
  local held = self.held
  if #held <= MOST_HELD then return end
  local kept = {}
  for _, document in ipairs(held) do
    if asked and document.dir == asked.dir and self.by_path[document.path] == document then
      kept[#kept + 1] = document
    else
      for _, name in ipairs(KEPT) do rawset(document, name, nil) end
    end
  end
  for i = 1, #held do held[i] = kept[i] end
end

--- Returns a document, open or read from disk; nil if the file doesn't exist.
---@param path string
---@return hclexpr.service.Document?
function Documents:get(path)
  local known = self.by_path[path]
  if known == nil then
    local source = read(self, path)
    if not self.options.read then note_link(self, path) end
    known = source and new_document(self, path, source, false) or false
    self.by_path[path] = known
  end
  return known or nil
end

--- Returns the names in a folder.
---@param dir string
---@return string[]
function Documents:names(dir)
  local names = self.folders[dir]
  if not names then
    names = {}
    for i, name in ipairs(list(self, dir)) do names[i] = name end
    if not self.options.list and dir ~= "" then note_link(self, dir) end
    self.folders[dir] = names
    for _, name in ipairs(self:open_names(dir)) do list_name(self, Documents.join(dir, name)) end
  end
  return names
end

--- Returns the documents of a folder's module, in order of their names.
---@param dir string
---@return hclexpr.service.Document[]
function Documents:module(dir)
  local found = {}
  for _, name in ipairs(Files.configuration(self:names(dir))) do
    if kind_of(name) == "terraform" then found[#found + 1] = self:get(Documents.join(dir, name)) end
  end
  return found
end

--- Returns all documents that contribute to a folder's module, including JSON and files of variables.
---@param dir string
---@return hclexpr.service.Document[]
function Documents:texts(dir)
  local names, found = self:names(dir), {}
  local function add(name) found[#found + 1] = self:get(Documents.join(dir, name)) end
  for _, name in ipairs(Files.configuration(names)) do add(name) end
  for _, name in ipairs(names) do
    if name:find "%.tfvars$" or name:find "%.tfvars%.json$" then add(name) end
  end
  return found
end

--- Returns the documents of a folder's files in a described language, in order of their names.
---@param dir string
---@param vocabulary hclexpr.service.Vocabulary
---@return hclexpr.service.Document[]
function Documents:of_language(dir, vocabulary)
  local found = {}
  for _, name in ipairs(self:names(dir)) do
    if self.languages:find(name) == vocabulary then found[#found + 1] = self:get(Documents.join(dir, name)) end
  end
  return found
end

--- Returns the documents of a folder's *.tfvars files.
---@param dir string
---@return hclexpr.service.Document[]
function Documents:values(dir)
  local found = {}
  for _, name in ipairs(self:names(dir)) do
    if kind_of(name) == "tfvars" then found[#found + 1] = self:get(Documents.join(dir, name)) end
  end
  return found
end

--- Returns the names of a folder's open files.
---@param dir string
---@return string[]
function Documents:open_names(dir)
  local found = {}
  for _, document in pairs(self.by_path) do
    if document and document.open and document.dir == dir then found[#found + 1] = document.name end
  end
  return found
end

--- Returns all folders that have an open file, sorted.
---@return string[]
function Documents:open_folders()
  return sorted(self.open_in)
end

return Documents
