-- Bodies: hcl.parse, hcl.decode, hcl.load, and the fields of Body, Attribute and Block. These objects are read-only, but the tables in
-- their fields aren't. Fields are computed when they are read (csrc/binding/objects/body.c).
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local Findings = lazy "hclexpr.findings"
local check = require "hclexpr.check"
local typecheck = lazy "hclexpr.typecheck"
local declarations = lazy "hclexpr.body.declarations"
local decoding = lazy "hclexpr.body.decoding"
local bound = require "hclexpr.body.bound"
local driver = require "hclexpr.driver"
local body_evaluation = require "hclexpr.body.evaluation"
local files = lazy "hclexpr.files"
local fields = require "hclexpr.fields"
local schemas = lazy "hclexpr.body.schema"

---@class hclexpr.Attribute
---@field name string
---@field expression hclexpr.Expression
---@field range hclexpr.Range
---@field name_range hclexpr.Range
local Attribute = core.classes.Attribute

---@class hclexpr.Block
---@field type string
---@field labels string[]
---@field body hclexpr.Body
---@field range hclexpr.Range from the type to the closing brace
---@field type_range hclexpr.Range
---@field label_ranges hclexpr.Range[]
---@field open_brace_range hclexpr.Range
---@field close_brace_range hclexpr.Range

---@class hclexpr.Body
---@field attributes table<string, hclexpr.Attribute>
---@field blocks hclexpr.Block[]
---@field references fun(self: hclexpr.Body): hclexpr.Reference[]
---@field calls fun(self: hclexpr.Body): hclexpr.Call[] the calls in all expressions; `functions` is the old name of this method
---@field traversals fun(self: hclexpr.Body): hclexpr.Traversal[] the references, with the range of every step
---@field range fun(self: hclexpr.Body, start?: integer, stop?: integer): hclexpr.Range the range of the body, or the range between two byte offsets
---@field at fun(self: hclexpr.Body, byte: integer): hclexpr.Place? the innermost syntax element at a byte; nil for JSON, and for expanded or merged bodies
local Body = core.classes.Body

-- Makes the methods and fields of a class visible on its objects, and returns the table of methods. `names` lists the fields for messages.
-- If this module is loaded again in the same state, the class is prepared already, and this returns its table of methods.
local function show(kind, names)
  local class = core.classes[kind]
  if class.methods then return class.methods end
  local methods = fields.methods_of(class)
  class.__index = core.shows(kind, methods, fields.missing, names)
  fields.seal(class, kind)
  class.methods = methods
  return methods
end

---@class hclexpr.Body
local body = show("Body", { "attributes", "blocks" })

show("Block", { "type", "labels", "body", "range", "type_range", "label_ranges", "open_brace_range", "close_brace_range" })

local evaluate, expand = body_evaluation.evaluate, body_evaluation.expand

---@class hclexpr.Attribute
local attribute = show("Attribute", { "name", "expression", "range", "name_range" })

--- Returns the attribute's exact value.
---@param variables? table
---@param scope? hclexpr.Scope
---@return hclexpr.Value?, hclexpr.Diagnostics?
function attribute:value(variables, scope)
  check.self("value", "Attribute", self, getmetatable(self) == Attribute)
  check.run(1, "value", variables, scope)
  return self.expression:value(bound.run(self, "value", variables, scope))
end

--- Returns the attribute's value as a Lua value.
---@param variables? table
---@param scope? hclexpr.Scope
---@return any, hclexpr.Diagnostics?
function attribute:eval(variables, scope)
  check.self("eval", "Attribute", self, getmetatable(self) == Attribute)
  check.run(1, "eval", variables, scope)
  return self.expression:eval(bound.run(self, "eval", variables, scope))
end

--- Tests the attribute as a rule: returns true or false; a null or unknown result is an error.
---@param variables? table
---@param scope? hclexpr.Scope
---@return boolean?, hclexpr.Diagnostics?
function attribute:test(variables, scope)
  check.self("test", "Attribute", self, getmetatable(self) == Attribute)
  check.run(1, "test", variables, scope)
  return self.expression:test(bound.run(self, "test", variables, scope))
end

--- Explains the attribute's value, as expr:explain does.
---@param variables? table
---@param scope? hclexpr.Scope
---@param options? hclexpr.ExplainOptions
---@return hclexpr.Explanation?, hclexpr.Diagnostics?
function attribute:explain(variables, scope, options)
  check.self("explain", "Attribute", self, getmetatable(self) == Attribute)
  check.run(1, "explain", variables, scope)
  variables, scope = bound.run(self, "explain", variables, scope)
  return self.expression:explain(variables, scope, options)
end

local function decode_table(self, schema, variables, scope)
  local result, err, expression = evaluate(core.eval, self, schema, true, variables, scope)
  if result == nil then return nil, err end
  core.close_expression(expression)
  return result
end

local named -- the expression `v`, compiled on first use

-- Converts a Value to Lua data with the scope's conversions.
local function data_of(value, scope)
  named = named or assert(core.read("v", "native"))
  local variables = { v = value }
  return driver.continue(named, variables, scope, core.eval(named, variables, scope))
end

-- Decodes the body; returns the exact Value and the Lua data, or nil and Diagnostics.
local function decode_both(self, prepared, run)
  local value, wrong = evaluate(core.expression_value, self, prepared, true, run.variables, run.scope)
  if value == nil then return nil, nil, wrong end
  local values, err = data_of(value, run.scope)
  return value, values, err
end

-- Decodes by a schema with rules, like decode_table. Broken rules are reported together with wrong types and missing arguments.
local function decode_tested(self, prepared, run)
  local value, values, err = decode_both(self, prepared, run)
  if values == nil then
    local loose = schemas.loosen(prepared)
    run.expand = function() return expand(self, loose, run.variables, run.scope) end
    value, values = decode_both(self, loose, run)
    return nil, Findings.join(err, values ~= nil and decoding.test(loose, value, values, run) or nil)
  end
  err = decoding.test(prepared, value, values, run)
  if err then return nil, err end
  return values
end

-- Decodes like decode_table, and adds what the schema or options want besides values (see body/decoding.lua). To find Attributes, it
-- expands `dynamic` blocks first. If that fails, decoding reports all mistakes. If decoding then succeeds, for example because a callback
-- failed only once, this still returns the error of the expansion, because expressions can't be kept without it.
local function decode_asked(self, prepared, variables, scope, asked)
  local run = {
    variables = variables, scope = scope, expand = function() return expand(self, prepared, variables, scope) end,
    data_of = function(value) return (data_of(value, scope)) end,
  }
  local why
  if asked.expressions or asked.ranges then
    run.content, why = run.expand()
    asked.pause()
  end
  local from = run.content or self
  local values, err
  if asked.rules then
    values, err = decode_tested(from, prepared, run)
  else
    values, err = decode_table(from, prepared, variables, scope)
  end
  if values == nil then return nil, err end
  if why and not run.content then return nil, why end
  asked.pause()
  if run.content then decoding.add(values, run.content, prepared, asked) end
  return values
end

--- Returns the body with its `dynamic` blocks replaced by the blocks they generate, whose attributes know their iterators. A body of JSON
--- syntax is returned unchanged, because only a schema says which properties are blocks: use `content`.
---@param variables? table
---@param scope? hclexpr.Scope
---@return hclexpr.Body? body
---@return hclexpr.Diagnostics? err
function body:expand(variables, scope)
  check.self("expand", "Body", self, getmetatable(self) == Body)
  check.run(1, "expand", variables, scope)
  if core.needs_schema(self) then return self end
  return expand(self, nil, variables, scope)
end

--- Returns the parts of the body that the schema names, and reads the blocks in it by their own schemas; `dynamic` blocks are expanded. In
--- JSON syntax the schema says which properties are blocks.
---@param schema hclexpr.Schema
---@param variables? table
---@param scope? hclexpr.Scope
---@return hclexpr.Body? body
---@return hclexpr.Diagnostics? err everything that is missing or unexpected
function body:content(schema, variables, scope)
  check.self("content", "Body", self, getmetatable(self) == Body)
  local prepared = schemas.read(1, "content", schema)
  check.run(2, "content", variables, scope)
  return expand(self, prepared, variables, scope)
end

-- Decodes by a prepared schema (see body/schema.lua). `asked` says which extras are wanted: rules, kept expressions, ranges.
local function decode_by(self, prepared, asked, variables, scope, pause)
  if not asked then return decode_table(self, prepared, variables, scope) end
  asked.pause = pause or function() end
  return decode_asked(self, prepared, variables, scope, asked)
end

local decode_options = { ranges = "boolean", pause = "function" }

--- Returns the body's values by a schema: types are converted, defaults filled in, and blocks nested as the schema says.
---@param schema hclexpr.Schema
---@param variables? table
---@param scope? hclexpr.Scope
---@param options? { ranges?: boolean, pause?: fun() } with ranges, hcl.range_of finds the places of decoded values;
--- pause is called between the steps of a decode that keeps expressions or ranges, and may yield
---@return table? values
---@return hclexpr.Diagnostics? err
function body:decode(schema, variables, scope, options)
  check.self("decode", "Body", self, getmetatable(self) == Body)
  local prepared, asked = schemas.read(1, "decode", schema)
  check.run(2, "decode", variables, scope)
  local o = check.options(4, "decode", options, decode_options)
  if o.ranges then
    asked = asked or {}
    asked.ranges = true
  end
  return decode_by(self, prepared, asked, variables, scope, o.pause)
end

--- Returns the Type that decode's result will have, given only the types of the named values. It checks all expressions of the body like
--- `expr:check`, including those that the schema keeps.
---@param schema? hclexpr.Schema nil: the body is read as by hcl.decode
---@param types table<string, hclexpr.Type|string|hclexpr.Value> of the named values
---@param scope? hclexpr.Scope
---@param options? hclexpr.CheckOptions
---@return hclexpr.Type? type
---@return hclexpr.Diagnostics? err
function body:check(schema, types, scope, options)
  check.self("check", "Body", self, getmetatable(self) == Body)
  local prepared = schema ~= nil and schemas.read(1, "check", schema) or nil
  local variables = typecheck.unknowns(2, types)
  check.run(2, "check", types, scope)
  local returns = typecheck.returns(4, check.options(4, "check", options, typecheck.options))
  local expression, err = core.lower(self, prepared, true)
  if expression == nil then return nil, err end
  return typecheck.run(expression, variables, scope, returns)
end

-- Decodes to an exact Value, for the command line.
local function decode_value(self, variables, scope, schema)
  local prepared, asked
  if schema then prepared, asked = schemas.read(4, "decode_value", schema) end
  if asked then
    local values, err = decode_by(self, prepared, asked, variables, scope)
    if values == nil then return nil, err end
  end
  local value, err = evaluate(core.expression_value, self, prepared, true, variables, scope)
  if value == nil then return nil, err end
  return value
end

local parse_options = { filename = "string", syntax = { "native", "json" }, limits = "limits", line = "position", column = "position" }

-- The functions below implement hcl.parse, hcl.decode and hcl.load; lua/hclexpr.lua documents them.
local function parse(source, options)
  check.type(1, "parse", source, "string")
  local o = check.options(2, "parse", options, parse_options)
  return core.parse(source, o)
end

---@type table<string, string|string[]>
local source_options = { schema = "table", declarations = "boolean" }
for name, kind in pairs(parse_options) do source_options[name] = kind end

local load_options = {
  schema = "table", declarations = "boolean", syntax = parse_options.syntax, limits = "limits",
}

-- Decodes with the names that the body declares (see body/declarations.lua). A declared value that fails is reported only once, even if
-- many expressions use it.
local function decode_declared(parsed, variables, scope, by)
  local rest, wrong, own = declarations.take(parsed, variables, scope)
  if rest == nil then return nil, wrong end
  local values, err = decode_by(rest, by.prepared, by.asked, nil, own)
  if values == nil then return nil, Findings.join(err) end
  return values
end

-- Reads and evaluates a whole source. The scope's limits apply unless the options have limits. `by` has the prepared schema.
local function decode_source(source, variables, scope, o, by)
  local limits = o.limits
  if limits == nil and scope ~= nil then limits = core.scope_limits(scope) end
  local parsed, err = core.parse(source, {
    filename = o.filename, line = o.line, column = o.column, limits = limits, syntax = o.syntax,
  })
  if parsed == nil then return nil, err end
  if o.declarations then return decode_declared(parsed, variables, scope, by) end
  return decode_by(parsed, by.prepared, by.asked, variables, scope)
end

local function decode(source, variables, scope, options)
  check.type(1, "decode", source, "string")
  check.run(2, "decode", variables, scope)
  local o, by = check.options(4, "decode", options, source_options), {}
  if o.schema then by.prepared, by.asked = schemas.read(4, "decode", o.schema) end
  return decode_source(source, variables, scope, o, by)
end

local function load(path, variables, scope, options)
  check.type(1, "load", path, "string")
  check.run(2, "load", variables, scope)
  local given, by = check.options(4, "load", options, load_options), {}
  if given.schema then by.prepared, by.asked = schemas.read(4, "load", given.schema) end
  local source, err = files.read(path)
  if not source then return nil, err end
  local o = { filename = path, syntax = given.syntax or files.syntax_of(path), limits = given.limits, declarations = given.declarations }
  return decode_source(source, variables, scope, o, by)
end

return { parse_options = parse_options, parse = parse, decode = decode, load = load, decode_value = decode_value }
