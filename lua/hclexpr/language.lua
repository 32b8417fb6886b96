-- Languages of your own: `require "hclexpr.language"`. A description says what files may hold: blocks with addresses, arguments,
-- references. The description is data; the program gives functions and named values when it loads files. See doc/languages.md.
require "hclexpr" -- adds the methods to the core's objects
local check = require "hclexpr.check"
local configuration = require "hclexpr.languages.configuration"
local description = require "hclexpr.languages.description"
local fields = require "hclexpr.fields"
local lazy = require "hclexpr.lazy"
local sources = require "hclexpr.languages.sources"

---@class hclexpr.language.Options a description
---@field name string
---@field description? string a text for readers
---@field files? string[] patterns for the names of the language's files, such as "*.gate.hcl"
---@field unit? "file"|"folder" what is evaluated together: each file by itself, or all files of a folder; default "file"
---@field types? table<string, hclexpr.Type|string|hclexpr.Value> types of the named values that the program gives when it loads files
---@field functions? table<string, hclexpr.languages.Signature> the program's functions
---@field stdlib? boolean|string[] which built-in functions may be called; default all
---@field attributes? table<string, hclexpr.language.Attribute|hclexpr.Type|string> arguments outside of blocks; a string is a type constraint
---@field blocks? table<string, hclexpr.language.Block>

---@class hclexpr.language.Block
---@field description? string
---@field labels? string[] names of the labels
---@field address? string a pattern with each label, such as "upstream.{name}"
---@field duplicates? "error"|"last" what happens to blocks with the same address: an error (default), or the last one wins
---@field for_each? boolean the block may have instances
---@field nesting? "list"|"set"|"map"|"single" default "list"
---@field min? integer
---@field max? integer
---@field attributes? table<string, hclexpr.language.Attribute|hclexpr.Type|string>
---@field blocks? table<string, hclexpr.language.Block>
---@field schema? hclexpr.Schema replaces `attributes` and `blocks`
---@field validation? { condition: string, error_message: string }[] a condition is an expression with `self`; a message is a template

---@class hclexpr.language.Attribute: hclexpr.SchemaAttribute
---@field ref? string|string[] the argument is the address of a block of this kind, or of one of these kinds
---@field refs? string|string[] the argument is a collection of such addresses
---@field cycles? boolean with ref or refs: blocks may refer to each other in a cycle
---@field default_from? string an expression with `self` whose value is the default
---@field value_from? string an expression with `self` whose value the argument always has: files can't set it
---@field types? table<string, hclexpr.Type|string|hclexpr.Value> types of the named values that the program gives a kept expression when it evaluates it
---@field deprecated? boolean|string true; or a text that says what to write instead

---@class hclexpr.Language
local Language = {}

local language = {}

local function new(source, name)
  local made = setmetatable({}, Language)
  description.read(made, source, name)
  return made
end

--- Returns a kind of block that declares local values: `locals { a = 1 }` is read as local.a.
---@return hclexpr.language.Block
function language.locals()
  return description.declaration "locals"
end

--- Returns a kind of block that declares variables: `variable "a" { type = number }` is read as var.a; the option `variables` has its
--- value.
---@return hclexpr.language.Block
function language.variables()
  return description.declaration "variables"
end

---@class hclexpr.language.LoadOptions
---@field names? table<string, any> the values of the names in the language's `types`
---@field functions? table<string, function> implementations of the language's functions
---@field variables? table<string, any> values of variables that the files declare
---@field environment? table<string, string>|fun(name: string): string? environment variables, for TF_VAR_name; default none
---@field filesystem? string|string[]|false as for hcl.scope
---@field scope? hclexpr.Scope
---@field limits? hclexpr.Limits

local decode_options = { filename = "string", syntax = { "native", "json" } }
for name, kind in next, configuration.options do decode_options[name] = kind end

-- Opens the files in a method's argument. Raises an error if the argument is wrong.
local function open(self, name, given, options)
  local its = description.of(self)
  if not its then check.raise(3, ("calling '%s' on bad self (Language expected, got %s)"):format(name, type(self))) end
  local list, fault = sources.of(its, given)
  if not list then check.bad(1, name, "%s", fault) end
  return configuration.open(its, list, options, 2, name)
end

--- Opens files as a configuration that answers questions, even if files are broken. Raises an error if the program doesn't give a named
--- value or function that the language needs.
---@param files string|(string|{ path?: string, text: string })[] a path, or an array of paths and texts, where later ones win if the kind of block has duplicates = "last"
---@param options? hclexpr.language.LoadOptions
---@return hclexpr.Configuration
function Language:open(files, options)
  local o = check.options(2, "open", options, configuration.options)
  return configuration.show(open(self, "open", files, o))
end

--- Evaluates files. Returns their values as tables, by kinds of blocks and names of arguments.
---@param files string|(string|{ path?: string, text: string })[]
---@param options? hclexpr.language.LoadOptions
---@return table? values
---@return hclexpr.Diagnostics? err
function Language:load(files, options)
  local o = check.options(2, "load", options, configuration.options)
  local values, err = open(self, "load", files, o):values()
  if values == nil then return nil, err end
  return values
end

--- Evaluates a text, and returns its values like `load`.
---@param text string
---@param options? hclexpr.language.LoadOptions may also have `filename` and `syntax`
---@return table? values
---@return hclexpr.Diagnostics? err
function Language:decode(text, options)
  check.type(1, "decode", text, "string")
  local o = check.options(2, "decode", options, decode_options)
  local values, err = open(self, "decode", { { path = o.filename, text = text, syntax = o.syntax } }, o):values()
  if values == nil then return nil, err end
  return values
end

--- Returns the address of a block that was loaded; nil if it has none.
---@param block table
---@return string?
function Language:address(block)
  check.self("address", "Language", self, description.of(self))
  check.type(1, "address", block, "table")
  return configuration.address_of(block)
end

--- Writes Markdown that documents a plain schema, in the form of `lang:document()`.
---@param schema hclexpr.Schema
---@param title? string the heading of the page
---@return string
function language.document(schema, title)
  lazy.load("hclexpr.body.schema").read(1, "document", schema)
  check.type(2, "document", title, "string", true)
  return lazy.load("hclexpr.languages.document").of_schema(schema, title)
end

--- Writes Markdown that documents the language's files: each block with an example, arguments, types, defaults and rules; and functions.
---@param title? string the heading of the page; default: the language's name
---@return string
function Language:document(title)
  local its = description.of(self)
  check.self("document", "Language", self, its)
  check.type(1, "document", title, "string", true)
  return lazy.load("hclexpr.languages.document").of_language(its, title)
end

-- Fields of `extend` whose tables are merged with the language's; other fields replace those of the language.
local joined = { blocks = true, attributes = true, functions = true, types = true }
local extend_options = { blocks = "table", attributes = "table", functions = "table", types = "table", name = "string",
                         description = "string", files = "table" }

--- Makes a language with more blocks, arguments, functions and named values. A name that the language already has raises an error.
---@param more { blocks?: table, attributes?: table, functions?: table, types?: table, name?: string, description?: string, files?: string[] }
---@return hclexpr.Language
function Language:extend(more)
  local its = description.of(self)
  check.self("extend", "Language", self, its)
  check.type(1, "extend", more, "table")
  check.options(1, "extend", more, extend_options)
  local source = {}
  for field, value in next, its.source do source[field] = value end
  for field, value in next, more do
    source[field] = value
    if joined[field] then
      source[field] = {}
      for name, part in next, its.source[field] or {} do source[field][name] = part end
      for name, part in next, value do
        if source[field][name] ~= nil then check.fail(1, "extend", ("the language has %s.%s already"):format(field, tostring(name))) end
        source[field][name] = part
      end
    end
  end
  return new(source, "extend")
end

fields.guard(Language, "Language", true)
fields.seal(Language, "Language")

return setmetatable(language, {
  --- Checks a description and makes a language of it. A wrong description raises an error, which names the path in it.
  ---@param source hclexpr.language.Options
  ---@return hclexpr.Language
  __call = function(_, source)
    check.type(1, "language", source, "table")
    return new(source, "language")
  end,
})
