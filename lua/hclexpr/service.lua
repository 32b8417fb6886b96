-- The language service: answers an editor's questions about configuration files while they are being written. It consists of plain
-- functions that take a workspace, a path and a position; it knows no protocol and no editor. A position is a byte offset from 0, and
-- `stop` is exclusive. The host converts lines and columns (editor/text.lua helps). Each topic has a file in editor/, which is loaded on
-- first use. Questions about broken text, or about a path that isn't open, never fail: their answer is empty.
--
-- The host chooses the paths when it opens files. The Terraform files of a folder form one module. For a described language, the
-- description says whether the files of a folder belong together. Any other file is by itself. A template (.tftpl) may use the names that
-- calls of templatefile() pass to it.
local check = require "hclexpr.check"
local Documents = require "hclexpr.editor.documents"
local lazy = require "hclexpr.lazy"

---@class hclexpr.service.Span
---@field path string
---@field start integer a byte offset from 0
---@field stop integer exclusive

---@class hclexpr.service.Options
---@field schemas? string|table output of `terraform providers schema -json`: the path of a file, or the table; nil: `.hclexpr/schemas.json` of a
--- folder or of one above it
---@field installed? boolean|string also use schemas that `hclexpr schemas -import` keeps, for providers that the file lacks; a string is the
--- folder that has them
---@field read? fun(path: string): string? returns the text of a file that isn't open; without this option, files are read from disk
---@field list? fun(dir: string): string[]? returns the names in a folder; without this option, folders are read from disk
---@field module? table options of hcl.module for evaluating folders: `settings`, `workspace`, `environment`, `state`
---@field vars? string|string[] files of variables, such as "prod.tfvars"; later ones win. A relative path begins at a module's folder or at one
--- of `roots`. A file applies to the module in its folder or up to three folders above; other files apply to each module that no other
--- calls
---@field functions? string|string[]|table<string, table|function|true> functions of the program that reads the edited files, for files that are
--- by themselves: paths of files with blocks `function "name"`; or, by name, options of hcl.func without `impl`, or a function or true for
--- a function that takes any arguments
---@field languages? hclexpr.Language[] described languages, as `language { … }` returns them; file names decide which applies (doc/languages.md)
---@field roots? string[] folders of the workspace, which are searched for calls of modules; add_root adds more

---@class hclexpr.service.Problem a diagnostic
---@field start integer
---@field stop integer
---@field severity "error"|"warning"|"hint"
---@field code string a code of doc/diagnostics.md, or one of the service: "unused", "undeclared", "type", "missing"
---@field message string
---@field tags? string[] "unnecessary", "deprecated"

---@class hclexpr.service.Item a candidate for completion
---@field label string
---@field kind string a row of editor/kinds.lua
---@field detail? string the candidate's type, in a few words
---@field documentation? string Markdown
---@field start integer the start of the text that the item replaces
---@field stop integer
---@field insert string the replacement
---@field filter? string the text that an editor compares with the typed text; default: the label
---@field snippet? boolean true: `insert` is a snippet with fields such as ${1:name}
---@field sort? string a sort key for editors
---@field deprecated? boolean

---@class hclexpr.service.Hover
---@field start integer
---@field stop integer
---@field text string Markdown

---@class hclexpr.service.Target where something is declared
---@field path string
---@field start integer the start of the whole declaration
---@field stop integer
---@field name_start integer the start of the name in it
---@field name_stop integer

---@class hclexpr.service.Symbol
---@field name string
---@field detail? string
---@field kind string a row of editor/kinds.lua
---@field start integer
---@field stop integer
---@field name_start integer
---@field name_stop integer
---@field path? string the file, for symbols of a workspace
---@field children? hclexpr.service.Symbol[]

---@class hclexpr.service.Token
---@field start integer
---@field stop integer exclusive; on the same line as start
---@field type string a word of hclexpr.service.token_types
---@field modifiers? string[]

---@class hclexpr.service.Change
---@field start integer
---@field stop integer
---@field text string

---@alias hclexpr.service.Edits table<string, hclexpr.service.Change[]> by path; the changes are in order of their positions

---@class hclexpr.service.Action
---@field title string
---@field kind "quickfix"|"refactor.extract"|"refactor.inline"
---@field edits hclexpr.service.Edits
---@field code? string the code of the diagnostic that the action corrects
---@field preferred? boolean

---@class hclexpr.service.Signature
---@field label string
---@field documentation string
---@field parameters { start: integer, stop: integer, documentation?: string }[] byte offsets in the label
---@field active? integer the number of the parameter at the cursor, from 1

---@class hclexpr.service.Inlay a value that an editor shows after an expression
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
  --- The types of semantic tokens, named as in the Language Server Protocol.
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

--- Opens a file with the text that the editor has. If it is open already, replaces its text.
---@param path string
---@param text string
---@param version? integer|string the editor's version of the text
function Workspace:open(path, text, version) self.documents:open(path, text, version) end

--- Gives an open file another text, or applies changes in order: the positions of each change refer to the text before that change.
---@param path string
---@param changes string|hclexpr.service.Change[]
---@param version? integer|string
function Workspace:change(path, changes, version) self.documents:change(path, changes, version) end

--- Closes a file: from now on the service reads it from disk.
---@param path string
function Workspace:close(path)
  self.documents:close(path)
  lazy.load("hclexpr.editor.background").close(self, (Documents.split(path)))
end

--- Notes that a file or folder was changed, created or removed on disk.
---@param path string
function Workspace:touch(path) self.documents:touch(path) end

--- Returns the text of a file, open or on disk; nil if it doesn't exist.
---@param path string
---@return string?
function Workspace:text(path)
  local document = self.documents:get(path)
  return document and document.text
end

--- Adds a folder of the workspace.
---@param dir string
function Workspace:add_root(dir) self.documents:add_root(dir) end

---@param dir string
function Workspace:remove_root(dir) self.documents:remove_root(dir) end

--- Sets the files of variables like the option `vars`; nil means only those that Terraform reads by itself.
---@param files? string|string[]
function Workspace:set_vars(files)
  self.options.vars = files
  self.documents:renew()
end

--- Sets the functions of the program like the option `functions`; nil means no functions.
---@param functions? string|string[]|table<string, table|function|true>
function Workspace:set_functions(functions)
  self.options.functions = functions
  self.documents:renew()
end

--- Sets the described languages like the option `languages`; nil means no languages.
---@param list? hclexpr.Language[]
function Workspace:set_languages(list)
  self.options.languages = list
  self.documents:set_languages(list and lazy.load("hclexpr.editor.languages").new(list))
end

-- Questions. Each is answered by the function of the same name in a file of editor/.

-- The largest text, in bytes, for which questions are answered. For a larger text an editor gets only diagnostics, because other answers
-- would take longer than a user waits after a key press.
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
--- Returns the diagnostics of a file. With `syntax`, these are only mistakes in its own text, found immediately. Otherwise they include
--- what is known about its folder so far; `work` finds more.
---@field diagnostics fun(self, path: string, syntax?: boolean): hclexpr.service.Problem[]?
--- Returns candidates for completion at a position.
---@field complete fun(self, path: string, byte: integer): hclexpr.service.Item[]?
--- Describes what is at a position: name, type, value, origin, and the description in its schema.
---@field hover fun(self, path: string, byte: integer): hclexpr.service.Hover?
--- Returns the declaration of the name at a position.
---@field definition fun(self, path: string, byte: integer): hclexpr.service.Target[]?
--- Returns all references to the name at a position; with `declaration`, also the declaration itself.
---@field references fun(self, path: string, byte: integer, declaration?: boolean): hclexpr.service.Span[]?
--- Returns all occurrences, in this file, of the name at a position; `write` is true for its declaration.
---@field highlights fun(self, path: string, byte: integer): { start: integer, stop: integer, write: boolean }[]?
--- Returns the name at a position if it can be renamed; otherwise nil and a message.
---@field rename_at fun(self, path: string, byte: integer): { start: integer, stop: integer, name: string }?, string?
--- Returns the changes that rename the name at a position in all files that use it, perhaps with a message about files left out;
--- or nil and a message if it can't be renamed.
---@field rename fun(self, path: string, byte: integer, name: string): hclexpr.service.Edits?, string?
--- Returns the content of a file as a tree.
---@field symbols fun(self, path: string): hclexpr.service.Symbol[]?
---@field folding fun(self, path: string): hclexpr.service.Fold[]?
--- Returns semantic tokens in order, of the whole file or between two positions.
---@field tokens fun(self, path: string, start?: integer, stop?: integer): hclexpr.service.Token[]?
--- Describes the function whose arguments are being written at a position.
---@field signature fun(self, path: string, byte: integer): hclexpr.service.Signature?
--- Returns values to show after expressions between two positions.
---@field inlays fun(self, path: string, start?: integer, stop?: integer): hclexpr.service.Inlay[]?
--- Returns the actions that are possible between two positions.
---@field actions fun(self, path: string, start: integer, stop: integer): hclexpr.service.Action[]?
--- Returns the changes that format a file, or its lines between two positions.
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

--- Returns all declarations in the workspace's open folders whose names contain the letters of `query` in this order.
---@param query string
---@return hclexpr.service.Symbol[]
function Workspace:workspace_symbols(query) return lazy.load("hclexpr.editor.symbols").all(self, query) end

-- Background work, which may take longer than a user waits after a key press: it validates and evaluates folders in slices.

--- Returns true if background work is left to do.
---@return boolean
function Workspace:pending() return lazy.load("hclexpr.editor.background").pending(self) end

--- Works for about this many seconds. Returns the paths of open files whose diagnostics may have changed, or nil.
---@param seconds number
---@return string[]?
function Workspace:work(seconds)
  return lazy.load("hclexpr.editor.background").work(self, seconds, function(...) lazy.load("hclexpr.editor.inlays").prepare(...) end)
end

--- Returns the last internal error that ended the evaluation of a folder, for a log. Each error is returned once. A folder with such an
--- error has no values.
---@return string? fault
function Workspace:fault() return lazy.load("hclexpr.editor.background").fault(self) end

return service
