-- Languages of your own: `require "hclexpr.language"`. A description says what files hold: blocks with addresses, arguments, references.
-- The description is data; the program's functions and names are given when files are loaded. See doc/languages.md.
require "hclexpr" -- gives objects of the core their methods
local check = require "hclexpr.check"
local configuration = require "hclexpr.languages.configuration"
local description = require "hclexpr.languages.description"
local fields = require "hclexpr.fields"
local lazy = require "hclexpr.lazy"
local sources = require "hclexpr.languages.sources"

---@class hclexpr.language.Options a description
---@field name string
---@field description? string for readers
---@field files? string[] patterns of the names of its files, such as "*.gate.hcl"
---@field unit? "file"|"folder" what belongs together; default "file"
---@field types? table<string, hclexpr.Type|string|hclexpr.Value> of the names that the program gives when it loads
---@field functions? table<string, hclexpr.languages.Signature> the program's functions
---@field stdlib? boolean|string[] which built-in functions there are; default all
---@field attributes? table<string, hclexpr.language.Attribute|hclexpr.Type|string> arguments at the top; a text is a type
---@field blocks? table<string, hclexpr.language.Block>

---@class hclexpr.language.Block
---@field description? string
---@field labels? string[] names of the labels
---@field address? string such as "upstream.{name}", with each label
---@field duplicates? "error"|"last" of blocks with the same address; default "error"
---@field for_each? boolean the block may have instances
---@field nesting? "list"|"set"|"map"|"single" default "list"
---@field min? integer
---@field max? integer
---@field attributes? table<string, hclexpr.language.Attribute|hclexpr.Type|string>
---@field blocks? table<string, hclexpr.language.Block>
---@field schema? hclexpr.Schema in place of attributes and blocks
---@field validation? { condition: string, error_message: string }[] a condition is an expression with `self`, a message a template

---@class hclexpr.language.Attribute: hclexpr.SchemaAttribute
---@field ref? string|string[] the address of a block of this kind, or of one of these
---@field refs? string|string[] several of them
---@field cycles? boolean of ref and refs: blocks may refer to each other in a circle
---@field default_from? string an expression with `self`: the default
---@field value_from? string the same for what is never written
---@field types? table<string, hclexpr.Type|string|hclexpr.Value> of the names that a kept expression is given when it is evaluated
---@field deprecated? boolean|string true, or what to write instead

---@class hclexpr.Language
local Language = {}

local language = {}

local function new(source, name)
  local made = setmetatable({}, Language)
  description.read(made, source, name)
  return made
end

--- Blocks that declare local values: `locals { a = 1 }` is read as local.a.
---@return hclexpr.language.Block
function language.locals()
  return description.declaration "locals"
end

--- Blocks that declare variables: `variable "a" { type = number }` is read as var.a, and its value given by the option `variables`.
---@return hclexpr.language.Block
function language.variables()
  return description.declaration "variables"
end

---@class hclexpr.language.LoadOptions
---@field names? table<string, any> the values of the language's `types`
---@field functions? table<string, function> what its functions do
---@field variables? table<string, any> of variables that the files declare
---@field environment? table<string, string>|fun(name: string): string? gives TF_VAR_name of variables; default none
---@field filesystem? string|string[]|false as hcl.scope has it
---@field scope? hclexpr.Scope
---@field limits? hclexpr.Limits

local decode_options = { filename = "string", syntax = { "native", "json" } }
for name, kind in next, configuration.options do decode_options[name] = kind end

-- Opens the files of a method's argument; raises an error if the argument is wrong.
local function open(self, name, given, options)
  local its = description.of(self)
  if not its then check.raise(3, ("calling '%s' on bad self (Language expected, got %s)"):format(name, type(self))) end
  local list, fault = sources.of(its, given)
  if not list then check.bad(1, name, "%s", fault) end
  return configuration.open(its, list, options, 2, name)
end

--- Opens files, broken ones too, as a configuration that answers questions. Raises if names or functions that the language needs of the
--- program aren't given.
---@param files string|(string|{ path?: string, text: string })[] a path, or an array of paths and texts, where later ones win if the kind of block has duplicates = "last"
---@param options? hclexpr.language.LoadOptions
---@return hclexpr.Configuration
function Language:open(files, options)
  local o = check.options(2, "open", options, configuration.options)
  return configuration.show(open(self, "open", files, o))
end

--- Evaluates files, and returns their values: tables by kinds and arguments.
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

--- Evaluates a text, and returns its values.
---@param text string
---@param options? hclexpr.language.LoadOptions with filename and syntax
---@return table? values
---@return hclexpr.Diagnostics? err
function Language:decode(text, options)
  check.type(1, "decode", text, "string")
  local o = check.options(2, "decode", options, decode_options)
  local values, err = open(self, "decode", { { path = o.filename, text = text, syntax = o.syntax } }, o):values()
  if values == nil then return nil, err end
  return values
end

--- The address of a block that was loaded; nil: it has none.
---@param block table
---@return string?
function Language:address(block)
  check.self("address", "Language", self, description.of(self))
  check.type(1, "address", block, "table")
  return configuration.address_of(block)
end

--- Writes Markdown about what a plain schema lets files hold, in the form of `lang:document()`.
---@param schema hclexpr.Schema
---@param title? string the heading of the page
---@return string
function language.document(schema, title)
  lazy.load("hclexpr.body.schema").read(1, "document", schema)
  check.type(2, "document", title, "string", true)
  return lazy.load("hclexpr.languages.document").of_schema(schema, title)
end

--- Writes Markdown about what files of the language hold: each block with an example, arguments, types, defaults, rules, functions.
---@param title? string the heading of the page; default: the language's name
---@return string
function Language:document(title)
  local its = description.of(self)
  check.self("document", "Language", self, its)
  check.type(1, "document", title, "string", true)
  return lazy.load("hclexpr.languages.document").of_language(its, title)
end

-- Fields of extend: tables that are joined, and words that replace the language's.
local joined = { blocks = true, attributes = true, functions = true, types = true }
local extend_options = { blocks = "table", attributes = "table", functions = "table", types = "table", name = "string",
                         description = "string", files = "table" }

--- Makes a language with more blocks, arguments, functions and names. A name that the language already has raises an error.
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
  --- Checks a description and makes it a language. Whatever is wrong raises, with its path.
  ---@param source hclexpr.language.Options
  ---@return hclexpr.Language
  __call = function(_, source)
    check.type(1, "language", source, "table")
    return new(source, "language")
  end,
})
