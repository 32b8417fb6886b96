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
---@field name? string the missing name, or the name whose value is absent or invalid
---@field reason? string a stable word that distinguishes causes with one code: doc/api.md lists them
---@field range? hclexpr.Range nil where no source is involved
---@field context? hclexpr.Range a larger range that includes `range`
---@field chain? string lines that name the templates or modules leading to the place
---@field values { path: string, text: string }[] the named values involved; marked values are withheld

---@class hclexpr.Diagnostics an array; tostring returns a report with source snippets
---@operator concat(any): string
---@field [integer] hclexpr.Diagnostic
---@field report fun(self: hclexpr.Diagnostics, options?: { color?: boolean, width?: integer }): string the report of tostring, with terminal colours if asked for, wrapped to `width` columns (default 100)
---@field lsp fun(self: hclexpr.Diagnostics, encoding?: "utf-16"|"utf-8"): table[] in the form of the Language Server Protocol; default "utf-16"
---@field vim fun(self: hclexpr.Diagnostics): table[] in the form of vim.diagnostic.set

---@class hclexpr.Limits
---@field steps? number about one step for each instruction and element; default 10,000,000
---@field memory? number bytes of values; default 64 MiB
---@field depth? number levels of nesting, 10,000 at most; default 1,000
---@field output? number bytes of the result: its strings, and 16 for each element; default 16 MiB
---@field source? number bytes of a source; default 64 MiB

---@class hclexpr.Convert
---@field null? any the replacement for null; "omit" leaves out object keys whose value is null; default hcl.null
---@field big? "value"|"string"|"float"|"error" for a whole number that Lua can't hold exactly; default "value"
---@field sensitive? "value"|"reveal"|"error" for marked values; default "value"
---@field unknown? "value"|"error" for unknown values; default "value"
---@field array_mt? table|false metatable of lists, sets and tuples; default hcl.array_mt
---@field object_mt? table metatable of maps and objects; default none

---@class hclexpr.Reference
---@field path string as a source writes it: `var.list[0]`
---@field root string
---@field steps (string|number|hclexpr.Value)[] the steps after the root; indexes count from 0, and an index that no Lua number can hold is a Value
---@field range hclexpr.Range

---@class hclexpr.Traversal a reference as it is written
---@field path string
---@field root string
---@field range hclexpr.Range
---@field steps { kind: "root"|"attr"|"key"|"number"|"constant", text: string, range: hclexpr.Range }[] the root first

---@class hclexpr.Place the node at a byte, from body:at; doc/api.md lists the fields of each kind
---@field kind string
---@field start_byte integer from 0; `start` is the old name of this field
---@field stop_byte integer exclusive; `stop` is the old name of this field
---@field parent? hclexpr.Place nil for the body itself
---@field role? string its role in its parent, such as "condition"
---@field index? integer its position in its parent, from 1; for a step, its position in the reference

---@class hclexpr.Call
---@field name string
---@field range hclexpr.Range the range of the function's name
---@field argument_count? integer the number of arguments as written; nil if the call is broken; `arguments` is the old name of this field
---@field spread boolean true if the last argument is spread by `...`

---@class hclexpr.Scope the result of hcl.scope

---@class hclexpr.Lazy the result of hcl.lazy

---@class hclexpr.Function the result of hcl.func

---@class hclexpr.Parameter
---@field name? string for messages
---@field type? hclexpr.Type|string default: any type
---@field null? boolean true: null arguments are passed to the function
---@field unknown? boolean true: unknown arguments are passed to the function
---@field dynamic? boolean true: arguments without a known type are passed to the function
---@field marked? boolean true: marked arguments are passed to the function
---@field description? string

---@class hclexpr.FunctionInfo
---@field name string
---@field params hclexpr.ParameterInfo[]
---@field variadic? hclexpr.ParameterInfo the parameter for all further arguments
---@field returns string a type constraint
---@field summary string
---@field description string
---@field example string an expression
---@field capability? "filesystem"|"clock"|"random" the scope option that allows the function

---@class hclexpr.ParameterInfo
---@field name string
---@field type string a type constraint
---@field null? true null arguments are passed to the function
---@field unknown? true unknown arguments are passed to the function
---@field dynamic? true arguments without a known type are passed to the function
---@field marked? true marked arguments are passed to the function

---@class hclexpr.Refinements the known facts of an unknown value
---@field not_null? boolean
---@field prefix? string
---@field min? number|hclexpr.Value lower bound of a number; v:refinements returns it as a Value
---@field min_inclusive? boolean default true
---@field max? number|hclexpr.Value upper bound of a number; v:refinements returns it as a Value
---@field max_inclusive? boolean default true
---@field min_length? integer lower bound of a collection's length
---@field max_length? integer upper bound of a collection's length
---@field attributes? table<string, any>|hclexpr.Value only for the type any: the known attributes of an object or map, which may have others; v:refinements returns them as an object Value
---@field items? any[]|hclexpr.Value only for the type any: the elements of a list or set; if there is one element, the value may be that element instead; v:refinements returns them as a tuple Value

---@class hclexpr.Type tostring returns its constraint; `==` compares types
---@field convert fun(self: hclexpr.Type, x: any): hclexpr.Value?, hclexpr.Diagnostics? converts x to the type and fills in defaults
---@field json fun(self: hclexpr.Type): string such as `["list","string"]`
---@field kind fun(self: hclexpr.Type): string such as "list"; "dynamic" for any

---@class hclexpr.Value `==` compares type and value, `<` and `<=` compare known numbers; using a closed Value is an error
---@operator len: integer
---@operator concat(any): string
---@field type fun(self: hclexpr.Value): hclexpr.Type
---@field is_known fun(self: hclexpr.Value): boolean true even if elements of the value are unknown
---@field is_null fun(self: hclexpr.Value): boolean
---@field is_wholly_known fun(self: hclexpr.Value): boolean
---@field marks fun(self: hclexpr.Value): string[] the marks on the value itself, not on its elements, sorted
---@field unmark fun(self: hclexpr.Value, name?: string): hclexpr.Value removes this mark from the value itself; without a name, removes all its marks
---@field mark fun(self: hclexpr.Value, name: string): hclexpr.Value adds a mark
---@field refinements fun(self: hclexpr.Value): hclexpr.Refinements? nil for a known value; raises for an unknown value with marks
---@field get fun(self: hclexpr.Value, key: integer|string): hclexpr.Value? indexes count from 0; nil if the element is missing
---@field pairs fun(self: hclexpr.Value): fun(): (integer|string)?, hclexpr.Value? indexes count from 0; raises for a value that can't have elements
---@field lua fun(self: hclexpr.Value, convert?: hclexpr.Convert): any, hclexpr.Diagnostics?
---@field text fun(self: hclexpr.Value): string the text of a number, string or bool; huge numbers have an exponent; raises for other values and for marked ones
---@field json fun(self: hclexpr.Value, options?: { indent?: integer|false }): string?, hclexpr.Diagnostics? JSON text with exact numbers
---@field close fun(self: hclexpr.Value) frees the value's memory now

---@class hclexpr.Expression
---@field references fun(self: hclexpr.Expression): hclexpr.Reference[] the named values that the expression depends on
---@field traversals fun(self: hclexpr.Expression): hclexpr.Traversal[] the references, with the range of every step
---@field calls fun(self: hclexpr.Expression): hclexpr.Call[] the calls in the expression; `functions` is the old name of this method
---@field source fun(self: hclexpr.Expression): string
---@field range fun(self: hclexpr.Expression): hclexpr.Range
---@field warnings fun(self: hclexpr.Expression): hclexpr.Diagnostics?
---@field ast fun(self: hclexpr.Expression): table a tree of nodes with kind, range, and children by field name
---@field eval fun(self: hclexpr.Expression, variables?: table, scope?: hclexpr.Scope): any, hclexpr.Diagnostics? the Lua value
---@field test fun(self: hclexpr.Expression, variables?: table, scope?: hclexpr.Scope): boolean?, hclexpr.Diagnostics? for rules: a null or unknown result is an error
---@field value fun(self: hclexpr.Expression, variables?: table, scope?: hclexpr.Scope): hclexpr.Value?, hclexpr.Diagnostics? exact and typed
local Expression = core.classes.Expression

Expression.eval = driver.method(core.eval)
Expression.test = driver.method(core.test)
Expression.value = driver.method(core.expression_value)

--- Returns the Type that the result will have, given only the types of the named values. It finds every mistake that doesn't depend on
--- values, in all branches. It doesn't call functions and lookups of the scope.
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

--- Explains the value by a tree with the values of its parts, readable as text. If the evaluation fails, the tree is the third result.
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

--- Returns the Lua value if the expression needs no scope, otherwise nil.
---@return any
function Expression:literal()
  check.self("literal", "Expression", self, getmetatable(self) == Expression)
  if not core.is_constant(self) then return nil end
  return (check.possible(self:eval()))
end

local json_options = { indent = "indent" }

-- Returns the JSON text of a Value, or nil and Diagnostics.
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

--- Compiles an expression, which you can then evaluate any number of times.
---@type fun(source: string, options?: { filename?: string, line?: integer, column?: integer, byte?: integer, syntax?: "native"|"template"|"json", limits?: hclexpr.Limits }): hclexpr.Expression?, hclexpr.Diagnostics?
hcl.compile = core.compile

local once_options = { filename = "string", line = "number", column = "number", limits = "limits" }

-- Compiles a source with its place in a file.
local function read_at(options, source, syntax, limits)
  local at = { filename = options.filename, line = options.line, column = options.column, syntax = syntax, limits = limits }
  return core.compile(source, at)
end

-- Compiles a source and runs it once, under the limits of the scope and those of the call.
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
---@param options? { filename?: string, line?: integer, column?: integer, limits?: hclexpr.Limits } as for hcl.eval
---@return (string|hclexpr.Value)? text a Value if it is unknown or marked, unless the scope's `convert` says otherwise
---@return hclexpr.Diagnostics? err
function hcl.render(template, variables, scope, options)
  check.type(1, "render", template, "string")
  check.run(2, "render", variables, scope)
  if options ~= nil then check.options(4, "render", options, once_options) end
  return run(core.render, template, "template", variables, scope, options)
end

--- Returns its arguments. If the first is nil, raises an error instead: the second as text, such as the report of Diagnostics.
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

--- Makes a Function from a Lua function and its declared parameters: arguments are checked and converted before each call.
---@type fun(options: { params?: hclexpr.Parameter[], variadic?: hclexpr.Parameter, returns?: hclexpr.Type|string|function, values?: boolean, impl: function, summary?: string, description?: string, example?: string }): hclexpr.Function
hcl.func = core.func

-- A Lazy has no other fields: code that reads tables relies on a Lazy being a table that contains only a function.
fields.guard(core.classes.Lazy, "Lazy", false)
function core.classes.Lazy.__newindex()
  error("a Lazy has no fields", 2)
end

--- Makes a Lazy: a value in data that is computed once, when an evaluation first needs it.
---@param fn fun(): any
---@return hclexpr.Lazy
function hcl.lazy(fn)
  check.type(1, "lazy", fn, "function")
  return setmetatable({ fn }, core.classes.Lazy)
end

--- Returns the Value of a Lua value, converted to a type if one is given.
---@type fun(x: any, type?: hclexpr.Type|string): hclexpr.Value?, hclexpr.Diagnostics?
hcl.value = core.value

--- Returns a value that is not known yet. Refinements that don't fit the type raise an error.
---@type fun(type: hclexpr.Type|string, refinements?: hclexpr.Refinements): hclexpr.Value?, hclexpr.Diagnostics?
hcl.unknown = core.unknown

--- Returns the Value of x, marked as sensitive.
---@type fun(x: any): hclexpr.Value?, hclexpr.Diagnostics?
hcl.sensitive = core.sensitive

--- Returns the Value of x with a mark.
---@type fun(x: any, name: string): hclexpr.Value?, hclexpr.Diagnostics?
hcl.mark = core.mark

--- Marks t as an array, so that it is a tuple even if it is empty, and returns it.
---@generic T: table
---@param t T
---@return T
function hcl.array(t)
  check.type(1, "array", t, "table")
  return setmetatable(t, core.array_mt)
end

local type_options = { limits = "limits" }

--- Reads a type constraint. Returns a Type unchanged.
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

--- Formats a source in the canonical layout: only spaces between tokens change. Broken sources are formatted too.
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

--- Returns the tokens of a source in three arrays, comments and newlines included. Starts and stops are byte offsets from 0. Any bytes are
--- accepted as a source.
---@param source string
---@param options? { syntax?: "native"|"template" }
---@return string[] kinds
---@return integer[] starts
---@return integer[] stops exclusive
function hcl.tokens(source, options)
  check.type(1, "tokens", source, "string")
  return core.tokens(source, check.options(2, "tokens", options, token_options).syntax == "template")
end

--- Returns the description of a built-in function, or nil for an unknown name. Without a name, returns all descriptions by name.
---@overload fun(): table<string, hclexpr.FunctionInfo>
---@param name string
---@return hclexpr.FunctionInfo?
function hcl.functions(name)
  check.type(1, "functions", name, "string", true)
  return core.functions(name)
end

--- Reads a specification, which says what a body may hold and which value it becomes.
---@param source string
---@param options? { filename?: string, syntax?: "native"|"json", line?: integer, column?: integer, limits?: hclexpr.Limits }
---@return hclexpr.Spec? spec
---@return hclexpr.Diagnostics? err
function hcl.spec(source, options)
  return lazy.load("hclexpr.spec")(source, options)
end

--- Returns HCL source for a Lua value or Value.
---
--- By default the source is an expression, and `hcl.eval` returns the same value for it. Keys of objects are sorted, and numbers are exact.
--- A Value keeps its type: a set becomes `toset([…])`, an empty list of strings `convert([], list(string))`.
---
--- With `attributes_only` or `blocks` the source is a body, as in a file: a line `name = …` for each key, which `hcl.decode` reads
--- back as the same table. It contains only data, because such files may not call functions: lists and sets become `[…]`.
--- `blocks` says which keys are blocks, by a schema in the form of `body:decode` or by its part `blocks` alone. The data of a block
--- type has a shape that `hcl.decode` or `body:decode` returns: an array of tables, below a level of tables for each label; the same
--- array with labels as fields of the tables; or a single table. `indent` is the number of spaces for each level, by default 2, as in
--- the formatter; `false` puts each value on one line.
---@param x any
---@param options? { indent?: integer|false, blocks?: hclexpr.Schema|table<string, hclexpr.SchemaBlock>, attributes_only?: boolean, limits?: hclexpr.Limits }
---@return string? source
---@return hclexpr.Diagnostics? err
function hcl.encode(x, options)
  return lazy.load("hclexpr.body.encode")(x, options)
end

--- Converts native syntax to JSON syntax without evaluating it, in the order of the source. Literal values stay, templates become strings,
--- and other expressions become "${…}". Blocks become arrays of objects, below a level of objects for each label. `indent` is the number of
--- spaces for each level, by default 2; `false` writes all on one line. With `syntax = "json"` the source is JSON already, and is only
--- formatted. With `dialect = "terraform"` references and types are written "aws.west" instead of "${aws.west}" where Terraform reads
--- such a string as a reference or type.
---@param source string
---@param options? { filename?: string, syntax?: "native"|"json", dialect?: "terraform", indent?: integer|false, limits?: hclexpr.Limits }
---@return string? json
---@return hclexpr.Diagnostics? err
function hcl.to_json(source, options)
  check.type(1, "to_json", source, "string")
  return lazy.load("hclexpr.json.writing")(source, options)
end

--- Converts JSON syntax to native syntax. JSON doesn't show what is a block: by default an array of objects becomes blocks, and the keys of
--- objects around such an array become labels. Either `schema`, in the form of `body:decode`, or `dialect` changes this: "terraform"
--- converts as Terraform reads its files, and "attributes" makes no blocks.
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
--- A path names a block by its type and labels, then an attribute: `resource.aws_instance.web.ami`. Nested blocks follow in the same way.
--- Put a label that isn't a plain word in brackets and quotes, `resource["a.b"].web`; a number in brackets chooses among several blocks of
--- that name, from 0: `ingress[1].from_port`. A table of steps works too: `{ "resource", "a.b", "web" }`. `dynamic` blocks are
--- like other blocks.
---
--- Each method except `get` returns the edit, so that calls can be chained. After a mistake a method returns nil and what is wrong, and the
--- text is unchanged.
---@param source string
---@param options? { filename?: string, syntax?: "native"|"json", limits?: hclexpr.Limits }
---@return hclexpr.Edit? edit
---@return hclexpr.Diagnostics? err
function hcl.edit(source, options)
  return lazy.load("hclexpr.edit")(source, options)
end

--- Merges several files into one body, such as those of a folder conf.d. Blocks follow each other in the order of the bodies; an attribute
--- that two bodies set is an error, which names both. Diagnostics name places in the original files. The bodies must be whole files from
--- hcl.parse, all in the same syntax.
---@param bodies hclexpr.Body[]
---@param options? { limits?: hclexpr.Limits }
---@return hclexpr.Body? body
---@return hclexpr.Diagnostics? err
---@return hclexpr.Body? partial what could still be read
function hcl.merge(bodies, options)
  return lazy.load("hclexpr.body.merge")(bodies, options)
end

--- Finds where a decoded value comes from. `values` is a table from `body:decode` with the option `ranges`; names and indexes lead to the
--- value. Returns the Range of the value, or of the nearest item around it, and then its Attribute, Block or Body, for hcl.diagnostic.
--- Returns nil for other tables.
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

--- Makes Diagnostics with one diagnostic of your own. If you give an object, the report shows its source: the range, or by default the
--- whole object.
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
---@field refresh? boolean false: don't read data and evaluate outputs before planning to destroy
---@field targets? string[] addresses of resources, instances and modules: plan only these and what they need
---@field replace? string[] addresses of instances to replace

---@class hclexpr.PlanJSONOptions: hclexpr.PlanOptions
---@field reveal? boolean true: show sensitive values, which are null otherwise
---@field full? boolean true: add the key `hclexpr` with local values, origins, missing parts and diagnostics
---@field time? number the timestamp in seconds since 1970; default now
---@field text? boolean true: return JSON text instead of a Value

---@class hclexpr.Plan
---@field outputs table<string, hclexpr.Value>
---@field resources { address: string, mode: string, type: string, name: string, key?: integer|string, module: string, value: hclexpr.Value, range: hclexpr.Range, schema: "file"|"imported"|"builtin"|"bundled"|"none" }[]
---@field checks table<string, { status: "pass"|"fail"|"unknown"|"error", messages: string[] }> by address
---@field warnings? hclexpr.Diagnostics
---@field missing { kind: "module"|"variable"|"provider"|"file"|"outside"|"schema"|"version", name: string, range?: hclexpr.Range, way: string, source?: string }[] what the folder lacks, each thing once

---@class hclexpr.Module
---@field validate fun(self: hclexpr.Module): true?, hclexpr.Diagnostics? checks the folder for all possible inputs; after true come warnings
---@field plan fun(self: hclexpr.Module, options?: hclexpr.PlanOptions): hclexpr.Plan?, hclexpr.Diagnostics?, hclexpr.Plan? the last result is the part that could be planned
---@field value fun(self: hclexpr.Module, source: string, where?: hclexpr.Where): hclexpr.Value?, hclexpr.Diagnostics?, hclexpr.Value? if a named value failed, the last result has unknown parts instead, as in a console
---@field eval fun(self: hclexpr.Module, source: string, where?: hclexpr.Where): any, hclexpr.Diagnostics? like value, but returns a Lua value
---@field explain fun(self: hclexpr.Module, source: string, where?: hclexpr.Where): hclexpr.Explanation?, hclexpr.Diagnostics?, hclexpr.Explanation? explains the value of an expression or an address
---@field outputs fun(self: hclexpr.Module): table<string, hclexpr.Value>?, hclexpr.Diagnostics?, table<string, hclexpr.Value>? from the state, or without a state as planned
---@field plan_json fun(self: hclexpr.Module, options?: hclexpr.PlanJSONOptions): hclexpr.Value|string|nil, hclexpr.Diagnostics?, hclexpr.Value|string|nil in the form of terraform show -json
---@field outputs_json fun(self: hclexpr.Module, options?: { reveal?: boolean }): hclexpr.Value?, hclexpr.Diagnostics?, hclexpr.Value? in the form of terraform output -json
---@field test fun(self: hclexpr.Module, options?: { filter?: string[], report?: function, coverage?: boolean }): table?, hclexpr.Diagnostics? runs the tests of the folder
---@field missing fun(self: hclexpr.Module): table[] what the folder lacks, in the form of the plan's field
---@field addresses fun(self: hclexpr.Module): table[] all declarations: address, kind, module, dir, range, name_range, type
---@field dependencies fun(self: hclexpr.Module, address: string): string[]?, hclexpr.Diagnostics? the addresses that `address` needs
---@field dependents fun(self: hclexpr.Module, address: string): string[]?, hclexpr.Diagnostics? the addresses that need `address`
---@field graph fun(self: hclexpr.Module, options?: { kinds?: string[], format?: "dot"|"mermaid" }): table|string nodes and edges, or their text
---@field reload fun(self: hclexpr.Module): true?, hclexpr.Diagnostics? reads all files again
---@field change fun(self: hclexpr.Module, path: string, text?: string): true?, hclexpr.Diagnostics? replaces the text of a file; nil: uses the file on disk again

---@class hclexpr.ModuleOptions
---@field settings? (string|{ file: string }|{ name: string, value: any })[] values of variables in order, later ones win: "name=text" as for -var, a file as for -var-file
---@field variables? table<string, any> values by name; they win over all others
---@field environment? table<string, string>|fun(name: string): string? the environment variables to look for TF_VAR_name in; default none
---@field workspace? string default "default"
---@field filesystem? string a folder that functions such as file may read in addition to the modules' folders
---@field providers? string[] provider configurations that a caller passes to the folder, such as "aws.west"; "*" allows any
---@field test_dir? string the subfolder with tests; default "tests"
---@field state? string|table a state: the path of a file, or its content
---@field resource? fun(r: table): any, string? answers instead of a provider for a resource or data source
---@field schemas? string|table the output of `terraform providers schema -json`: a path, or the table; "installed" uses imported schemas
---@field installed? boolean|string use imported schemas for providers that `schemas` lacks; a string: their folder
---@field missing? "unknown"|"error" how to treat missing modules and variables without a value; default "error"
---@field source? fun(source: string, version?: string): string? the folder of a module whose source isn't a local path
---@field read? fun(path: string): string? the text of a file that is being edited; nil: the file is read from disk
---@field list? fun(dir: string): string[]? names of files in a folder that aren't on disk yet
---@field progress? fun(done: integer, total: integer) called now and then during a long plan or validate, and once at its end
---@field pause? fun() called often while files are read and evaluated; it may yield
---@field scope? hclexpr.Scope functions, limits and capabilities; its `filesystem` restricts which folders may be opened

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

-- The Lua files for bodies are loaded when a field of a body is first read: a program without bodies doesn't need them.
for _, name in ipairs { "Body", "Attribute", "Block" } do fields.load_later(core.classes[name], "hclexpr.body") end

--- Parses a source of attributes and blocks.
---@param source string
---@param options? { filename?: string, syntax?: "native"|"json", line?: integer, column?: integer, limits?: hclexpr.Limits }
---@return hclexpr.Body? body
---@return hclexpr.Diagnostics? err
---@return hclexpr.Body? partial what could still be read
function hcl.parse(source, options)
  return lazy.load("hclexpr.body").parse(source, options)
end

--- Returns a configuration's values as a plain table: attributes by name; blocks of one type with the same labels as an array of tables,
--- inside one level of tables for each label; `dynamic` blocks expanded. With a `schema` the values are those of body:decode.
---
--- With `declarations`, expressions may use what the file declares: functions of blocks `function "name" { params, variadic_param, result
--- }`, names of blocks `variables` and `variable "name"` (`name` and `var.name`), and local.name of `locals`. A value in the argument
--- `variables` replaces a declared variable's default. Blocks of functions and variables are left out of the result.
---@param source string
---@param variables? table
---@param scope? hclexpr.Scope
---@param options? { filename?: string, syntax?: "native"|"json", line?: integer, column?: integer, limits?: hclexpr.Limits, schema?: hclexpr.Schema, declarations?: boolean }
---@return table? values
---@return hclexpr.Diagnostics? err
function hcl.decode(source, variables, scope, options)
  return lazy.load("hclexpr.body").decode(source, variables, scope, options)
end

--- Decodes a file as hcl.decode decodes a source. The syntax is JSON if the name ends in ".json" and no other syntax is given.
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
