-- The language service: answers an editor's questions about configuration files while they are written. Plain functions of a workspace, a
-- path and a place; no protocol, no editor. A place is a byte offset from 0, `stop` is exclusive: lines and columns are left to the editor
-- (editor/text.lua converts). Each topic is a file of editor/, loaded on first use. Questions about broken text, or about
-- a path that isn't open, never fail: their answer is empty.
--
-- The host chooses the paths when it opens files. The Terraform files of a folder are one module; the description of a language says
-- whether its files belong together; any other file is by itself; templates (.tftpl) have the names that calls of templatefile() give them.
local check = require "hclexpr.check"
local Documents = require "hclexpr.editor.documents"
local lazy = require "hclexpr.lazy"

---@class hclexpr.service.Span
---@field path string
---@field start integer a byte offset from 0
---@field stop integer exclusive

---@class hclexpr.service.Options
---@field schemas? string|table a file, or a table, as `terraform providers schema -json` prints it; nil: `.hclexpr/schemas.json` of a folder or
--- of one above it
---@field installed? boolean|string also use schemas that `hclexpr schemas -import` keeps, for providers that the file lacks; a string: their
--- folder
---@field read? fun(path: string): string? the text of a file that isn't open; nil: it is read from disk
---@field list? fun(dir: string): string[]? the names in a folder; nil: the folder is listed
---@field module? table options of hcl.module for values: `settings`, `workspace`, `environment`, `state`
---@field vars? string|string[] files of variables, such as "prod.tfvars", later ones win: a relative path begins at a module's folder, or at one
--- of `roots`. A file is for the module in its folder or up to three above it; one elsewhere is for every module that no other calls
---@field functions? string|string[]|table<string, table|function|true> functions of the program that reads the edited files, for files by themselves:
--- files with blocks `function "name"`, or options of hcl.func by name (without `impl`; of a function, or for true, any arguments will do)
---@field languages? hclexpr.Language[] languages of files, by their names, as `language { … }` gives them (doc/languages.md)
---@field roots? string[] folders of the workspace: which modules call which is looked for in these. More may be added by add_root

---@class hclexpr.service.Problem a diagnostic
---@field start integer
---@field stop integer
---@field severity "error"|"warning"|"hint"
---@field code string doc/diagnostics.md lists them; the service's own are "unused", "undeclared", "type", "missing"
---@field message string
---@field tags? string[] "unnecessary", "deprecated"

---@class hclexpr.service.Item a candidate for completion
---@field label string
---@field kind string a row of editor/kinds.lua
---@field detail? string its type, in a few words
---@field documentation? string Markdown
---@field start integer the start of the text that the item replaces
---@field stop integer
---@field insert string the text
---@field filter? string the text that an editor compares with the typed one, if not the label
---@field snippet? boolean `insert` has ${1:places} to go to
---@field sort? string a text by which editors sort items
---@field deprecated? boolean

---@class hclexpr.service.Hover
---@field start integer
---@field stop integer
---@field text string Markdown

---@class hclexpr.service.Target where something is declared
---@field path string
---@field start integer the whole of it
---@field stop integer
---@field name_start integer its name
---@field name_stop integer

---@class hclexpr.service.Symbol
---@field name string
---@field detail? string
---@field kind string a row of editor/kinds.lua
---@field start integer
---@field stop integer
---@field name_start integer
---@field name_stop integer
---@field path? string of symbols of a workspace
---@field children? hclexpr.service.Symbol[]

---@class hclexpr.service.Token
---@field start integer
---@field stop integer it never goes over the end of a line
---@field type string a word of hclexpr.service.token_types
---@field modifiers? string[]

---@class hclexpr.service.Change
---@field start integer
---@field stop integer
---@field text string

---@alias hclexpr.service.Edits table<string, hclexpr.service.Change[]> by path, from the first to the last place

---@class hclexpr.service.Action
---@field title string
---@field kind "quickfix"|"refactor.extract"|"refactor.inline"
---@field edits hclexpr.service.Edits
---@field code? string of the diagnostic that it corrects
---@field preferred? boolean

---@class hclexpr.service.Signature
---@field label string
---@field documentation string
---@field parameters { start: integer, stop: integer, documentation?: string }[] bytes of label
---@field active? integer from 1

---@class hclexpr.service.Inlay a value that is shown after an expression
---@field at integer
---@field text string
---@field tooltip? string

---@class hclexpr.service.Fold
---@field start_line integer from 0
---@field stop_line integer
---@field kind? "comment"

---@class hclexpr.service.Workspace
---@field documents hclexpr.service.Documents
---@field options hclexpr.service.Options
local Workspace = {}
Workspace.__index = Workspace

local service = {
  --- Types of semantic tokens, as the Language Server Protocol calls them.
  token_types = { "type", "property", "variable", "function", "parameter", "keyword", "string", "number", "enumMember", "namespace",
    "comment",
                  "operator" },
  token_modifiers = { "declaration", "defaultLibrary", "deprecated", "readonly" },
}

local known = { languages = "table",
                installed = "boolean|string", schemas = "string|table", read = "function", list = "function", module = "table",
                vars = "string|table", roots = "table", functions = "string|table" }

---@param options? hclexpr.service.Options
---@return hclexpr.service.Workspace
function service.new(options)
  options = check.options(1, "new", options, known)
  local fault = options.functions ~= nil and lazy.load("hclexpr.editor.own_functions").fault(options.functions)
  if fault then check.fail(1, "new", "option 'functions' " .. fault) end
  fault = options.languages and lazy.load("hclexpr.editor.languages").fault(options.languages)
  if fault then check.fail(1, "new", "option 'languages' " .. fault) end
  local workspace = setmetatable({ options = options }, Workspace)
  workspace.documents = Documents.new(options)
  if options.languages and options.languages[1] then workspace:set_languages(options.languages) end
  for _, root in ipairs(options.roots or {}) do workspace:add_root(root) end
  return workspace
end

-- The files

--- Opens a file with the text that the editor has; one that is open gets this text.
---@param path string
---@param text string
---@param version? integer|string the editor's own, which answers may carry
function Workspace:open(path, text, version) self.documents:open(path, text, version) end

--- Gives an open file another text, or changes parts of it in order: each change's places are those of the text before it.
---@param path string
---@param changes string|hclexpr.service.Change[]
---@param version? integer|string
function Workspace:change(path, changes, version) self.documents:change(path, changes, version) end

--- Closes a file: from now on its text on disk counts.
---@param path string
function Workspace:close(path)
  self.documents:close(path)
  lazy.load("hclexpr.editor.background").close(self, (Documents.split(path)))
end

--- Notes that a file or folder was changed, made or removed on disk.
---@param path string
function Workspace:touch(path) self.documents:touch(path) end

--- Returns the text of a file, open or on disk; nil: the file doesn't exist.
---@param path string
---@return string?
function Workspace:text(path)
  local document = self.documents:get(path)
  return document and document.text
end

--- Adds a folder to the workspace.
---@param dir string
function Workspace:add_root(dir) self.documents:add_root(dir) end

---@param dir string
function Workspace:remove_root(dir) self.documents:remove_root(dir) end

--- Sets the files of variables, as the option `vars`; nil: only those that Terraform reads by itself.
---@param files? string|string[]
function Workspace:set_vars(files)
  self.options.vars = files
  self.documents:renew()
end

--- Sets the functions of the program, as the option `functions`; nil: none.
---@param functions? string|string[]|table<string, table|function|true>
function Workspace:set_functions(functions)
  self.options.functions = functions
  self.documents:renew()
end

--- Sets the described languages, as the option `languages`; nil: none.
---@param list? hclexpr.Language[]
function Workspace:set_languages(list)
  self.options.languages = list
  self.documents:set_languages(list and lazy.load("hclexpr.editor.languages").new(list))
end

-- Questions. Each is answered by the function of its name in a file of editor/.

-- The most bytes of a text for which questions are answered. For a larger one an editor only gets diagnostics: each key would take longer
-- than a user waits.
local LARGEST = 2 ^ 22

local function ask(name, file)
  Workspace[name] = function(self, path, ...)
    local document = self.documents:get(path)
    if not document or #document.text > LARGEST and name ~= "diagnostics" then return nil end
    self.documents:trim(document)
    local answer = lazy.load(document.kind == "template" and "hclexpr.editor.templates" or file)[name]
    if answer then return answer(self, document, ...) end
  end
end

---@class hclexpr.service.Workspace
--- The diagnostics of a file. `syntax`: only those of its own text, immediately; without it also those known of its folder so far:
--- `work` finds more.
---@field diagnostics fun(self, path: string, syntax?: boolean): hclexpr.service.Problem[]?
--- Candidates at a place.
---@field complete fun(self, path: string, byte: integer): hclexpr.service.Item[]?
--- Information about a place: name, type, value, origin, the description in its schema.
---@field hover fun(self, path: string, byte: integer): hclexpr.service.Hover?
--- The declaration of the thing at a place.
---@field definition fun(self, path: string, byte: integer): hclexpr.service.Target[]?
--- All references to what is declared or named at a place; `declaration`: including the declaration itself.
---@field references fun(self, path: string, byte: integer, declaration?: boolean): hclexpr.service.Span[]?
--- The other places of what is at a place in its file; `write` where it is declared.
---@field highlights fun(self, path: string, byte: integer): { start: integer, stop: integer, write: boolean }[]?
--- The name at a place that can be renamed; nil, message: it can't be.
---@field rename_at fun(self, path: string, byte: integer): { start: integer, stop: integer, name: string }?, string?
--- The changes that rename what is at a place, in all files that know it, perhaps with a message about those left out;
--- nil, message: it can't be renamed, or not like that.
---@field rename fun(self, path: string, byte: integer, name: string): hclexpr.service.Edits?, string?
--- The content of a file, as a tree.
---@field symbols fun(self, path: string): hclexpr.service.Symbol[]?
---@field folding fun(self, path: string): hclexpr.service.Fold[]?
--- Semantic tokens in order, of the whole file or between two places.
---@field tokens fun(self, path: string, start?: integer, stop?: integer): hclexpr.service.Token[]?
--- The function whose arguments are being written at a place.
---@field signature fun(self, path: string, byte: integer): hclexpr.service.Signature?
--- Values to show after expressions between two places.
---@field inlays fun(self, path: string, start?: integer, stop?: integer): hclexpr.service.Inlay[]?
--- The actions that are possible between two places.
---@field actions fun(self, path: string, start: integer, stop: integer): hclexpr.service.Action[]?
--- The changes that lay out a file, or its lines between two places.
---@field format fun(self, path: string, start?: integer, stop?: integer): hclexpr.service.Change[]?

ask("diagnostics", "hclexpr.editor.diagnostics")
ask("complete", "hclexpr.editor.completion")
ask("hover", "hclexpr.editor.hover")
ask("definition", "hclexpr.editor.definition")
ask("references", "hclexpr.editor.references")
ask("highlights", "hclexpr.editor.references")
ask("rename_at", "hclexpr.editor.rename")
ask("rename", "hclexpr.editor.rename")
ask("symbols", "hclexpr.editor.symbols")
ask("folding", "hclexpr.editor.folding")
ask("tokens", "hclexpr.editor.tokens")
ask("signature", "hclexpr.editor.signature")
ask("inlays", "hclexpr.editor.inlays")
ask("actions", "hclexpr.editor.code_actions")
ask("format", "hclexpr.editor.formatting")

--- All declarations of the workspace's open folders whose names have these letters in this order.
---@param query string
---@return hclexpr.service.Symbol[]
function Workspace:workspace_symbols(query) return lazy.load("hclexpr.editor.symbols").all(self, query) end

-- Work that takes longer than a key may: folders are validated and evaluated in slices.

--- Is there anything left to do?
---@return boolean
function Workspace:pending() return lazy.load("hclexpr.editor.background").pending(self) end

--- Works for about this many seconds. Returns the paths of open files whose diagnostics may have changed since, or nil.
---@param seconds number
---@return string[]?
function Workspace:work(seconds)
  return lazy.load("hclexpr.editor.background").work(self, seconds, function(...) lazy.load("hclexpr.editor.inlays").prepare(...) end)
end

--- Returns the last error of ours that ended the evaluation of a folder, for a log; each error is returned once. Such a folder has no
--- values.
---@return string? fault
function Workspace:fault() return lazy.load("hclexpr.editor.background").fault(self) end

return service
