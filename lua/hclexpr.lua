-- hclexpr: the Terraform/HCL expression language for Lua. See doc/api.md.
local core = require "hclexpr.core"
local check = require "hclexpr.check"
local driver = require "hclexpr.driver"
local fields = require "hclexpr.fields"
local lazy = require "hclexpr.lazy"

---@class hclexpr
local hcl = {}

hcl.version = "1.0.0"
if core.version ~= hcl.version then
  error(("hclexpr: its Lua files are those of version %s, its core is that of %s. Install both from the same version.")
    :format(hcl.version, core.version), 0)
end

---@class hclexpr.Pos
---@field line integer from 1
---@field column integer from 1, in grapheme clusters
---@field byte integer from 0

---@class hclexpr.Range
---@field filename? string
---@field start hclexpr.Pos
---@field stop hclexpr.Pos exclusive

---@class hclexpr.Diagnostic
---@field severity "error"|"warning"
---@field code string stable: doc/diagnostics.md lists all
---@field summary string a few words
---@field detail string what is wrong, and what to do
---@field name? string what is missing by that name, or the name that an absent or invalid value is read from
---@field reason? string a stable word that distinguishes causes with one code: doc/api.md lists them
---@field range? hclexpr.Range nil where no source is involved
---@field context? hclexpr.Range holds range
---@field chain? string lines about the templates or modules that lead to the place
---@field values { path: string, text: string }[] the named values involved, marked ones withheld

---@class hclexpr.Diagnostics an array; as text a report with source snippets
---@operator concat(any): string
---@field [integer] hclexpr.Diagnostic
---@field report fun(self: hclexpr.Diagnostics, options?: { color?: boolean, width?: integer }): string as tostring, in a terminal's colours, wrapped to a width (100)
---@field lsp fun(self: hclexpr.Diagnostics, encoding?: "utf-16"|"utf-8"): table[] in the form of the Language Server Protocol; default "utf-16"
---@field vim fun(self: hclexpr.Diagnostics): table[] in the form of vim.diagnostic.set

---@class hclexpr.Limits
---@field steps? number about one for each instruction and element; default 10,000,000
---@field memory? number bytes of values; default 64 MiB
---@field depth? number levels of nesting, 10,000 at most; default 1,000
---@field output? number bytes of strings and 16 for each element of the result; default 16 MiB
---@field source? number bytes of a source; default 64 MiB

---@class hclexpr.Convert
---@field null? any what null becomes, or "omit": keys of objects with null are left out; default hcl.null
---@field big? "value"|"string"|"float"|"error" a whole number that Lua can't hold exactly; default "value"
---@field sensitive? "value"|"reveal"|"error" marked values; default "value"
---@field unknown? "value"|"error" default "value"
---@field array_mt? table|false metatable of lists, sets and tuples; default hcl.array_mt
---@field object_mt? table metatable of maps and objects; default none

---@class hclexpr.Reference
---@field path string as a source writes it: `var.list[0]`
---@field root string
---@field steps (string|number|hclexpr.Value)[] after the root; indexes from 0, as Values if Lua has no such number
---@field range hclexpr.Range

---@class hclexpr.Traversal a reference as it is written
---@field path string
---@field root string
---@field range hclexpr.Range
---@field steps { kind: "root"|"attr"|"key"|"number"|"constant", text: string, range: hclexpr.Range }[] the root first

---@class hclexpr.Place the node at a byte: see body:at. Fields by kind are in doc/api.md
---@field kind string
---@field start_byte integer from 0; `start` is an older name
---@field stop_byte integer exclusive; `stop` is an older name
---@field parent? hclexpr.Place nil: it is the body itself
---@field role? string what it is in its parent
---@field index? integer its number there, from 1; for a step its number in the reference

---@class hclexpr.Call
---@field name string
---@field range hclexpr.Range of the name
---@field argument_count? integer their number as written; `arguments` is an older name; nil: the call is broken
---@field spread boolean the last of them is spread by `...`

---@class hclexpr.Scope what hcl.scope gives

---@class hclexpr.Lazy what hcl.lazy gives

---@class hclexpr.Function what hcl.func gives

---@class hclexpr.Parameter
---@field name? string for messages
---@field type? hclexpr.Type|string none: any
---@field null? boolean the function wants to see null itself; likewise the others
---@field unknown? boolean
---@field dynamic? boolean
---@field marked? boolean
---@field description? string

---@class hclexpr.FunctionInfo
---@field name string
---@field params hclexpr.ParameterInfo[]
---@field variadic? hclexpr.ParameterInfo takes what is more
---@field returns string a type constraint
---@field summary string
---@field description string
---@field example string an expression
---@field capability? "filesystem"|"clock"|"random" the option of a scope that grants it

---@class hclexpr.ParameterInfo
---@field name string
---@field type string a type constraint
---@field null? true the function sees null itself; likewise the others
---@field unknown? true
---@field dynamic? true
---@field marked? true

---@class hclexpr.Refinements the known facts of an unknown value
---@field not_null? boolean
---@field prefix? string
---@field min? number|hclexpr.Value for a number; read from a Value it is a Value
---@field min_inclusive? boolean default true
---@field max? number|hclexpr.Value
---@field max_inclusive? boolean default true
---@field min_length? integer of a collection
---@field max_length? integer
---@field attributes? table<string, any>|hclexpr.Value known attributes of an object or map that may have others (type any only); read from a Value it is a Value
---@field items? any[]|hclexpr.Value elements of a list or set, or the only one itself (type any only); read from a Value it is a Value

---@class hclexpr.Type as text it is a constraint; `==` compares
---@field convert fun(self: hclexpr.Type, x: any): hclexpr.Value?, hclexpr.Diagnostics? defaults are filled in
---@field json fun(self: hclexpr.Type): string such as `["list","string"]`
---@field kind fun(self: hclexpr.Type): string such as "list"; of any "dynamic"

---@class hclexpr.Value `==` compares type and value, `<` and `<=` known numbers; using a closed one is an error
---@operator len: integer
---@operator concat(any): string
---@field type fun(self: hclexpr.Value): hclexpr.Type
---@field is_known fun(self: hclexpr.Value): boolean its elements may be unknown
---@field is_null fun(self: hclexpr.Value): boolean
---@field is_wholly_known fun(self: hclexpr.Value): boolean
---@field marks fun(self: hclexpr.Value): string[] its own, sorted
---@field unmark fun(self: hclexpr.Value, name?: string): hclexpr.Value without that mark of its own, or without all
---@field mark fun(self: hclexpr.Value, name: string): hclexpr.Value with one more
---@field refinements fun(self: hclexpr.Value): hclexpr.Refinements? nil: it is known; raises if it is unknown and marked
---@field get fun(self: hclexpr.Value, key: integer|string): hclexpr.Value? indexes from 0; nil: the element is missing
---@field pairs fun(self: hclexpr.Value): fun(): (integer|string)?, hclexpr.Value? indexes from 0; raises if it has no elements
---@field lua fun(self: hclexpr.Value, convert?: hclexpr.Convert): any, hclexpr.Diagnostics?
---@field text fun(self: hclexpr.Value): string of a number, string or bool; raises for other and for marked values; a huge number has an exponent
---@field json fun(self: hclexpr.Value, options?: { indent?: integer|false }): string?, hclexpr.Diagnostics? its JSON text, exact
---@field close fun(self: hclexpr.Value) frees it now

---@class hclexpr.Expression
---@field references fun(self: hclexpr.Expression): hclexpr.Reference[] the named values that it depends on
---@field traversals fun(self: hclexpr.Expression): hclexpr.Traversal[] the same, with the range of every step
---@field calls fun(self: hclexpr.Expression): hclexpr.Call[] the calls in it; `functions` is an older name
---@field source fun(self: hclexpr.Expression): string
---@field range fun(self: hclexpr.Expression): hclexpr.Range
---@field warnings fun(self: hclexpr.Expression): hclexpr.Diagnostics?
---@field ast fun(self: hclexpr.Expression): table nodes with kind, range, and children by name
---@field eval fun(self: hclexpr.Expression, variables?: table, scope?: hclexpr.Scope): any, hclexpr.Diagnostics? the Lua value
---@field test fun(self: hclexpr.Expression, variables?: table, scope?: hclexpr.Scope): boolean?, hclexpr.Diagnostics? for rules: null and unknown are errors
---@field value fun(self: hclexpr.Expression, variables?: table, scope?: hclexpr.Scope): hclexpr.Value?, hclexpr.Diagnostics? exact and typed
local Expression = core.classes.Expression

Expression.eval = driver.method(core.eval)
Expression.test = driver.method(core.test)
Expression.value = driver.method(core.expression_value)

--- The Type of the result, before there are values. It finds every mistake that doesn't depend on values, in all branches. Functions and
--- lookups of the scope aren't called.
---@param types table<string, hclexpr.Type|string|hclexpr.Value> of the named values
---@param scope? hclexpr.Scope
---@param options? hclexpr.CheckOptions
---@return hclexpr.Type? type
---@return hclexpr.Diagnostics? err
function Expression:check(types, scope, options)
  check.self("check", "Expression", self, getmetatable(self) == Expression)
  local typecheck = lazy.load "hclexpr.typecheck"
  local variables = typecheck.unknowns(1, types)
  check.run(1, "check", types, scope)
  local returns = typecheck.returns(3, check.options(3, "check", options, typecheck.options))
  return typecheck.run(self, variables, scope, returns)
end

local explain_options = { origin = "function" }

--- Explains the value: a tree of the values of its parts, readable as text. If the evaluation fails, the tree is the third result.
---@param variables? table
---@param scope? hclexpr.Scope
---@param options? hclexpr.ExplainOptions
---@return hclexpr.Explanation? tree
---@return hclexpr.Diagnostics? err
---@return hclexpr.Explanation? partial shows where it fails
function Expression:explain(variables, scope, options)
  check.self("explain", "Expression", self, getmetatable(self) == Expression)
  check.run(1, "explain", variables, scope)
  local o = check.options(3, "explain", options, explain_options)
  local explain = lazy.load "hclexpr.explain.tree"
  local tree, err = explain.tree(self, variables, scope, o.origin and function(reference) return o.origin(reference) end)
  if tree then explain.forget(tree) end
  if err then return nil, err, tree end
  return tree
end

--- The Lua value if the expression needs no scope at all, otherwise nil.
---@return any
function Expression:literal()
  check.self("literal", "Expression", self, getmetatable(self) == Expression)
  if not core.is_constant(self) then return nil end
  return (check.possible(self:eval()))
end

local json_options = { indent = "indent" }

-- The JSON text of a Value.
local function json_of(value, options)
  local class = getmetatable(value)
  check.self("json", "Value", value, class == core.classes.Value or class == core.classes.Number)
  local o = check.options(1, "json", options, json_options)
  local text, path, why = core.value_json(value, o.indent or 0, 0)
  if text then return text end
  return nil, core.diagnose("ENCODE_VALUE", nil, nil, ("The value%s %s, which JSON can't express."):format(
    path ~= "" and " at " .. path or "", why))
end

core.classes.Value.json, core.classes.Number.json = json_of, json_of

-- A Number is a Value with another layout.
for _, name in ipairs { "Number", "Value", "Type", "Expression", "Scope", "Function" } do
  local class, kind = core.classes[name], name == "Number" and "Value" or name
  fields.guard(class, kind, true)
  fields.seal(class, kind)
end

--- Reads an expression, which can be evaluated any number of times.
---@type fun(source: string, options?: { filename?: string, line?: integer, column?: integer, byte?: integer, syntax?: "native"|"template"|"json", limits?: hclexpr.Limits }): hclexpr.Expression?, hclexpr.Diagnostics?
hcl.compile = core.compile

local once_options = { filename = "string", line = "number", column = "number", limits = "limits" }

-- Compiles a source with its place in a file.
local function read_at(options, source, syntax, limits)
  local at = { filename = options.filename, line = options.line, column = options.column, syntax = syntax, limits = limits }
  return core.compile(source, at)
end

-- Compiles and runs a source once, under the scope's limits and those of the call.
local function run(entry, source, syntax, variables, scope, options)
  local limits, expression, err
  if options and options.limits then scope = core.scope { parent = scope, limits = options.limits } end
  if scope ~= nil then limits = core.scope_limits(scope) end
  if options ~= nil then
    expression, err = read_at(options, source, syntax, limits)
  else
    expression, err = core.read(source, syntax, limits)
  end
  if expression == nil then return nil, err end
  local result, why = driver.continue(expression, variables, scope, entry(expression, variables, scope))
  core.close_expression(expression)
  if result == nil then return nil, why end
  return result
end

--- Evaluates an expression.
---@param source string
---@param variables? table
---@param scope? hclexpr.Scope
---@param options? { filename?: string, line?: integer, column?: integer, limits?: hclexpr.Limits } the place of the source in diagnostics; limits of this call
---@return any value
---@return hclexpr.Diagnostics? err
function hcl.eval(source, variables, scope, options)
  check.type(1, "eval", source, "string")
  check.run(2, "eval", variables, scope)
  if options ~= nil then check.options(4, "eval", options, once_options) end
  return run(core.eval, source, "native", variables, scope, options)
end

--- Renders a bare template, such as a template file.
---@param template string
---@param variables? table
---@param scope? hclexpr.Scope
---@param options? { filename?: string, line?: integer, column?: integer, limits?: hclexpr.Limits } as of hcl.eval
---@return (string|hclexpr.Value)? text a Value if it is unknown or marked, unless the scope's `convert` says otherwise
---@return hclexpr.Diagnostics? err
function hcl.render(template, variables, scope, options)
  check.type(1, "render", template, "string")
  check.run(2, "render", variables, scope)
  if options ~= nil then check.options(4, "render", options, once_options) end
  return run(core.render, template, "template", variables, scope, options)
end

--- Returns its arguments unless the first is nil; then it raises the report of the second as a string.
---@generic T
---@param value T?
---@param ... any
---@return T value
---@return any ...
function hcl.assert(value, ...)
  if value == nil then
    local err = ...
    error(err == nil and "assertion failed!" or tostring(err), 2)
  end
  return value, ...
end

--- Prepares named values, functions, limits and conversions for reuse. Unknown options and wrong values raise.
---@type fun(options: { variables?: table, lookup?: (fun(ref: hclexpr.Reference): any, (integer|string)?), lookup_types?: table<string, hclexpr.Type|string|hclexpr.Value>, functions?: table<string, function|hclexpr.Function>, stdlib?: boolean|string[], filesystem?: string|string[]|false, clock?: boolean|(fun(): number), random?: boolean|(fun(n: integer): string), plan_timestamp?: string, limits?: hclexpr.Limits, convert?: hclexpr.Convert, parent?: hclexpr.Scope, absent?: "null"|"error"|"unknown", console?: boolean }): hclexpr.Scope
hcl.scope = core.scope

--- A Lua function with declared parameters: arguments are checked and converted first.
---@type fun(options: { params?: hclexpr.Parameter[], variadic?: hclexpr.Parameter, returns?: hclexpr.Type|string|function, values?: boolean, impl: function, summary?: string, description?: string, example?: string }): hclexpr.Function
hcl.func = core.func

-- Rejects other fields: code that reads tables relies on a Lazy being a table that contains only a function.
fields.guard(core.classes.Lazy, "Lazy", false)
function core.classes.Lazy.__newindex()
  error("a Lazy has no fields", 2)
end

--- A value in data that is computed once, when an evaluation first needs it.
---@param fn fun(): any
---@return hclexpr.Lazy
function hcl.lazy(fn)
  check.type(1, "lazy", fn, "function")
  return setmetatable({ fn }, core.classes.Lazy)
end

--- The Value of a Lua value, converted to a type if one is given.
---@type fun(x: any, type?: hclexpr.Type|string): hclexpr.Value?, hclexpr.Diagnostics?
hcl.value = core.value

--- A value that is not known yet. Refinements that don't fit the type raise.
---@type fun(type: hclexpr.Type|string, refinements?: hclexpr.Refinements): hclexpr.Value?, hclexpr.Diagnostics?
hcl.unknown = core.unknown

--- The Value of x, marked sensitive.
---@type fun(x: any): hclexpr.Value?, hclexpr.Diagnostics?
hcl.sensitive = core.sensitive

--- The Value of x with a mark.
---@type fun(x: any, name: string): hclexpr.Value?, hclexpr.Diagnostics?
hcl.mark = core.mark

--- Marks t as an array, so that an empty table is a tuple too; returns t.
---@generic T: table
---@param t T
---@return T
function hcl.array(t)
  check.type(1, "array", t, "table")
  return setmetatable(t, core.array_mt)
end

local type_options = { limits = "limits" }

--- Reads a type constraint; returns a Type as it is.
---@param source string|hclexpr.Type
---@param options? { limits?: hclexpr.Limits }
---@return hclexpr.Type? type
---@return hclexpr.Diagnostics? err
function hcl.type(source, options)
  if getmetatable(source) == core.classes.Type then
    check.options(2, "type", options, type_options)
    return source
  end
  check.type(1, "type", source, "string")
  return core.type(source, check.options(2, "type", options, type_options).limits)
end

local format_options = { filename = "string", limits = "limits", style = { "layout", "terraform" } }

--- Formats a source in the canonical layout: only spaces between tokens change. Broken sources are laid out too.
---
--- With the style "terraform" the source, unless it is broken, is also written as `terraform fmt` writes it: labels in quotes, a value
--- "${x}" as x, types of variables such as "list" as list(string).
---@param source string
---@param options? { filename?: string, style?: "layout"|"terraform", limits?: hclexpr.Limits }
---@return string? text
---@return hclexpr.Diagnostics? err
function hcl.format(source, options)
  check.type(1, "format", source, "string")
  local o = check.options(2, "format", options, format_options)
  return core.format(source, o.limits, o.filename, o.style == "terraform")
end

local token_options = { syntax = { "native", "template" } }

--- The tokens of a source in three arrays, comments and newlines included: kinds, and byte offsets from 0. Any bytes are a source.
---@param source string
---@param options? { syntax?: "native"|"template" }
---@return string[] kinds
---@return integer[] starts
---@return integer[] stops exclusive
function hcl.tokens(source, options)
  check.type(1, "tokens", source, "string")
  return core.tokens(source, check.options(2, "tokens", options, token_options).syntax == "template")
end

--- A built-in function's description, or nil if the name is unknown; without a name, those of all by name.
---@overload fun(): table<string, hclexpr.FunctionInfo>
---@param name string
---@return hclexpr.FunctionInfo?
function hcl.functions(name)
  check.type(1, "functions", name, "string", true)
  return core.functions(name)
end

--- Reads a decode specification: what a body may hold, and the value it gives.
---@param source string
---@param options? { filename?: string, syntax?: "native"|"json", line?: integer, column?: integer, limits?: hclexpr.Limits }
---@return hclexpr.Spec? spec
---@return hclexpr.Diagnostics? err
function hcl.spec(source, options)
  return lazy.load("hclexpr.spec")(source, options)
end

--- HCL source of a Lua value or Value.
---
--- By default it is an expression: `hcl.eval` of it gives the same value back. Keys of objects are sorted, and numbers are exact.
--- A Value with a type of its own keeps it: a set becomes `toset([…])`, an empty list of strings `convert([], list(string))`.
---
--- With `attributes_only` or `blocks` it is a body, such as a file holds: a line `name = …` for each key, which `hcl.decode` reads
--- back as the same table. It contains only data, because such files may not call functions: lists and sets become `[…]`.
--- `blocks` says which keys are blocks, by a schema in the form of `body:decode` or by its part `blocks` alone. The data of a block
--- type has the shape that `hcl.decode` or `body:decode` gives it: an array of tables, below a level of tables for each label; or
--- the labels are fields of the tables; or one table. `indent` is the number of spaces a level, by default 2, as in the formatter;
--- `false` puts each value on one line.
---@param x any
---@param options? { indent?: integer|false, blocks?: hclexpr.Schema|table<string, hclexpr.SchemaBlock>, attributes_only?: boolean, limits?: hclexpr.Limits }
---@return string? source
---@return hclexpr.Diagnostics? err
function hcl.encode(x, options)
  return lazy.load("hclexpr.body.encode")(x, options)
end

--- A source of native syntax as JSON, without evaluation: the same configuration in JSON syntax, in the order of the source. Literal values
--- stay, templates are strings, other expressions "${…}". Blocks are arrays of objects, below a level of objects for each label.
--- `indent` is the number of spaces a level, by default 2; `false`: all on one line. With `syntax = "json"` the source is JSON already,
--- and is laid out again. With `dialect = "terraform"` references and types that Terraform reads as such are written "aws.west", not
--- "${aws.west}".
---@param source string
---@param options? { filename?: string, syntax?: "native"|"json", dialect?: "terraform", indent?: integer|false, limits?: hclexpr.Limits }
---@return string? json
---@return hclexpr.Diagnostics? err
function hcl.to_json(source, options)
  check.type(1, "to_json", source, "string")
  return lazy.load("hclexpr.json.writing")(source, options)
end

--- A source of JSON syntax in native syntax. JSON doesn't show what is a block: by default an array of objects is blocks, and so are
--- objects around such arrays, whose names are labels. `schema`, in the form of `body:decode`, decides, or `dialect`: "terraform", as in
--- Terraform's files; "attributes": nothing is a block.
---@param source string
---@param options? { filename?: string, dialect?: "terraform"|"attributes", schema?: hclexpr.Schema, limits?: hclexpr.Limits }
---@return string? source
---@return hclexpr.Diagnostics? err
function hcl.from_json(source, options)
  check.type(1, "from_json", source, "string")
  return lazy.load("hclexpr.json.reading")(source, options)
end

--- Begins to edit a source of native syntax. It may be broken: you can edit the sound parts, as long as nothing else breaks.
---
--- A path names a block by its type and labels, then an attribute: `resource.aws_instance.web.ami`; blocks within blocks likewise.
--- Put a label that isn't a plain word in brackets and quotes, `resource["a.b"].web`; a number in brackets chooses among several blocks of
--- that name, from 0: `ingress[1].from_port`. A table of steps works too: `{ "resource", "a.b", "web" }`. `dynamic` blocks are
--- like other blocks.
---
--- Each method returns the edit, so that calls can be chained, or nil and what is wrong; the text is then unchanged.
---@param source string
---@param options? { filename?: string, syntax?: "native"|"json", limits?: hclexpr.Limits }
---@return hclexpr.Edit? edit
---@return hclexpr.Diagnostics? err
function hcl.edit(source, options)
  return lazy.load("hclexpr.edit")(source, options)
end

--- Merges several files into one body, such as those of a folder conf.d: blocks follow each other in the order of the bodies; if
--- two bodies set the same attribute, that is an error that names both. Diagnostics name each file's own places. The bodies are whole files
--- from hcl.parse, of one syntax.
---@param bodies hclexpr.Body[]
---@param options? { limits?: hclexpr.Limits }
---@return hclexpr.Body? body
---@return hclexpr.Diagnostics? err
---@return hclexpr.Body? partial what could still be read
function hcl.merge(bodies, options)
  return lazy.load("hclexpr.body.merge")(bodies, options)
end

--- The Range in the source of the value at a path of names and indexes in a table from `body:decode` with the option `ranges`, or of
--- the item around it; and that Attribute, Block or Body, for hcl.diagnostic. nil: the table wasn't decoded like that.
---@param values table
---@param ... string|integer
---@return hclexpr.Range? range
---@return (hclexpr.Attribute|hclexpr.Block|hclexpr.Body)? object
function hcl.range_of(values, ...)
  check.type(1, "range_of", values, "table")
  return lazy.load("hclexpr.body.decoding").range_of(values, ...)
end

local diagnostic_options = {
  severity = { "error", "warning" }, code = "string", reason = "string", summary = "string", detail = "string", object = true,
  range = "table",
}

--- Makes Diagnostics with one diagnostic of your own. With an object the report shows its source: at the range, or by default the whole
--- object.
---@param options { severity?: "error"|"warning", code?: string, reason?: string, summary: string, detail?: string, object?: hclexpr.Body|hclexpr.Attribute|hclexpr.Block|hclexpr.Expression, range?: hclexpr.Range }
---@return hclexpr.Diagnostics
function hcl.diagnostic(options)
  check.type(1, "diagnostic", options, "table")
  local d = check.options(1, "diagnostic", options, diagnostic_options)
  if d.summary == nil then check.fail(1, "diagnostic", "option 'summary' is missing") end
  if d.code and not d.code:find("^[%w_.-]+$") then check.fail(1, "diagnostic", "option 'code' must be words with dots between them") end
  if d.range and d.object == nil then check.fail(1, "diagnostic", "option 'range' needs 'object', whose source it is in") end
  local whole = d.object ~= nil and lazy.load("hclexpr.places").range_of(d.object)
  if whole == nil then check.fail(1, "diagnostic", "option 'object' must be a Body, Attribute, Block or Expression") end
  local row = { severity = d.severity or "error", code = d.code or "script", summary = d.summary, reason = d.reason }
  return core.diagnose(row, d.object, d.range or whole or nil, d.detail or "")
end

---@alias hclexpr.Where { module?: string, filename?: string, byte?: integer } a module by its address; or a place in a file

---@class hclexpr.PlanOptions
---@field destroy? boolean plan to destroy everything in the state
---@field refresh_only? boolean plan no changes, only the outputs and checks by the state
---@field refresh? boolean false: a plan that destroys isn't preceded by one that reads data and evaluates outputs
---@field targets? string[] addresses of resources, instances and modules: only these, with what they need
---@field replace? string[] addresses of instances to replace

---@class hclexpr.PlanJSONOptions: hclexpr.PlanOptions
---@field reveal? boolean
---@field full? boolean
---@field time? number
---@field text? boolean

---@class hclexpr.Plan
---@field outputs table<string, hclexpr.Value>
---@field resources { address: string, mode: string, type: string, name: string, key?: integer|string, module: string, value: hclexpr.Value, range: hclexpr.Range, schema: "file"|"imported"|"builtin"|"bundled"|"none" }[]
---@field checks table<string, { status: "pass"|"fail"|"unknown"|"error", messages: string[] }> by address
---@field warnings? hclexpr.Diagnostics
---@field missing { kind: "module"|"variable"|"provider"|"file"|"outside"|"schema"|"version", name: string, range?: hclexpr.Range, way: string, source?: string }[] each once

---@class hclexpr.Module
---@field validate fun(self: hclexpr.Module): true?, hclexpr.Diagnostics? whatever the inputs are; after true its warnings
---@field plan fun(self: hclexpr.Module, options?: hclexpr.PlanOptions): hclexpr.Plan?, hclexpr.Diagnostics?, hclexpr.Plan? the last: the part that could be planned
---@field value fun(self: hclexpr.Module, source: string, where?: hclexpr.Where): hclexpr.Value?, hclexpr.Diagnostics?, hclexpr.Value? the last: as a console shows it, if something failed
---@field eval fun(self: hclexpr.Module, source: string, where?: hclexpr.Where): any, hclexpr.Diagnostics? the same as a Lua value
---@field explain fun(self: hclexpr.Module, source: string, where?: hclexpr.Where): hclexpr.Explanation?, hclexpr.Diagnostics?, hclexpr.Explanation? why: of an expression or an address
---@field outputs fun(self: hclexpr.Module): table<string, hclexpr.Value>?, hclexpr.Diagnostics?, table<string, hclexpr.Value>? from the state, or otherwise as planned
---@field plan_json fun(self: hclexpr.Module, options?: hclexpr.PlanJSONOptions): hclexpr.Value|string|nil, hclexpr.Diagnostics?, hclexpr.Value|string|nil in the form of terraform show -json
---@field outputs_json fun(self: hclexpr.Module, options?: { reveal?: boolean }): hclexpr.Value?, hclexpr.Diagnostics?, hclexpr.Value? in the form of terraform output -json
---@field test fun(self: hclexpr.Module, options?: { filter?: string[], report?: function, coverage?: boolean }): table?, hclexpr.Diagnostics? runs the tests of the folder
---@field missing fun(self: hclexpr.Module): table[] what the folder lacks, as in the plan
---@field addresses fun(self: hclexpr.Module): table[] all declarations: address, kind, module, dir, range, name_range, type
---@field dependencies fun(self: hclexpr.Module, address: string): string[]?, hclexpr.Diagnostics? the addresses that it needs
---@field dependents fun(self: hclexpr.Module, address: string): string[]?, hclexpr.Diagnostics? the addresses that need it
---@field graph fun(self: hclexpr.Module, options?: { kinds?: string[], format?: "dot"|"mermaid" }): table|string nodes and edges, or their text
---@field reload fun(self: hclexpr.Module): true?, hclexpr.Diagnostics? reads all files again
---@field change fun(self: hclexpr.Module, path: string, text?: string): true?, hclexpr.Diagnostics? gives a file a new text; nil: as on disk

---@class hclexpr.ModuleOptions
---@field settings? (string|{ file: string }|{ name: string, value: any })[] values of variables in order, later ones win: "name=text" as for -var, a file as for -var-file
---@field variables? table<string, any> values by name; they win over all others
---@field environment? table<string, string>|fun(name: string): string? where TF_VAR_name is looked for; nil: nowhere
---@field workspace? string default "default"
---@field filesystem? string a folder that functions such as file may read besides those of the modules
---@field providers? string[] configurations of providers that the folder gets from outside, such as "aws.west"; "*": any
---@field test_dir? string the folder in it that has tests; default "tests"
---@field state? string|table a state: the path of a file, or its content
---@field resource? fun(r: table): any, string? the answer of a provider for a resource or data source
---@field schemas? string|table what `terraform providers schema -json` prints: a path, or the table; "installed": imported ones
---@field installed? boolean|string use imported schemas for providers that `schemas` lacks; a string: their folder
---@field missing? "unknown"|"error" how to treat missing modules and variables without a value; default "error"
---@field source? fun(source: string, version?: string): string? the folder of a module whose source isn't a local path
---@field read? fun(path: string): string? the text of a file that is being edited; nil: the file on disk counts
---@field list? fun(dir: string): string[]? names of files in a folder that aren't on disk yet
---@field progress? fun(done: integer, total: integer) called now and then during a long plan or validate, and once at its end
---@field pause? fun() called often while files are read and evaluated; it may yield
---@field scope? hclexpr.Scope functions, limits and capabilities; its `filesystem` bounds what is opened

--- Opens a folder of Terraform files and evaluates it as a whole: variables, local values, outputs, resources, modules, checks. Only
--- files are needed: no init, no provider, no network.
---@param dir string
---@param options? hclexpr.ModuleOptions
---@return hclexpr.Module? module
---@return hclexpr.Diagnostics? err
---@return hclexpr.Module? readable the readable part, if something is wrong
function hcl.module(dir, options)
  return lazy.load("hclexpr.terraform.module")(dir, options)
end

-- The files that read bodies are loaded with the first field of one: a program that reads no bodies doesn't need them.
for _, name in ipairs { "Body", "Attribute", "Block" } do fields.load_later(core.classes[name], "hclexpr.body") end

--- Reads a source of attributes and blocks.
---@param source string
---@param options? { filename?: string, syntax?: "native"|"json", line?: integer, column?: integer, limits?: hclexpr.Limits }
---@return hclexpr.Body? body
---@return hclexpr.Diagnostics? err
---@return hclexpr.Body? partial what could still be read
function hcl.parse(source, options)
  return lazy.load("hclexpr.body").parse(source, options)
end

--- A configuration's values as a plain table: attributes by name; blocks of a type as an array of tables, with a level of tables above it
--- for each of their labels; `dynamic` blocks expanded. With a `schema` the values are those of body:decode.
---
--- With `declarations` expressions know what the file declares: functions of blocks `function "name" { params, variadic_param, result }`,
--- names of blocks `variables` and `variable "name"` (`name` and `var.name`), and local.name of `locals`. A named value of the call wins
--- over a variable's default. Blocks of functions and variables are left out of the values.
---@param source string
---@param variables? table
---@param scope? hclexpr.Scope
---@param options? { filename?: string, syntax?: "native"|"json", line?: integer, column?: integer, limits?: hclexpr.Limits, schema?: hclexpr.Schema, declarations?: boolean }
---@return table? values
---@return hclexpr.Diagnostics? err
function hcl.decode(source, variables, scope, options)
  return lazy.load("hclexpr.body").decode(source, variables, scope, options)
end

--- Decodes a file as hcl.decode does a source. The file is of JSON syntax if its name ends in ".json" and no other syntax is given.
---@param path string
---@param variables? table
---@param scope? hclexpr.Scope
---@param options? { syntax?: "native"|"json", limits?: hclexpr.Limits, schema?: hclexpr.Schema, declarations?: boolean }
---@return table? values
---@return hclexpr.Diagnostics? err
function hcl.load(path, variables, scope, options)
  return lazy.load("hclexpr.body").load(path, variables, scope, options)
end

---@type lightuserdata
hcl.null = core.null
---@type table
hcl.array_mt = core.array_mt

return hcl
