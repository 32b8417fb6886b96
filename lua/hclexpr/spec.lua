-- Specifications: hcl.spec reads which parts a body may have and how they become data. Specifications are written in HCL themselves.
local core = require "hclexpr.core"
local body_api = require "hclexpr.body"
local check = require "hclexpr.check"
local fields = require "hclexpr.fields"
local Findings = require "hclexpr.findings"
local decoder = require "hclexpr.spec.decoder"
local functions = require "hclexpr.spec.functions"
local read = require "hclexpr.spec.reader"

---@class hclexpr.Spec
local Spec = {}
Spec.__name = "hclexpr.Spec"
Spec.__tostring = core.address
fields.seal(Spec, "Spec")

-- The content of each Spec, which scripts can't access.
local specs = setmetatable({}, { __mode = "k" })

--- Reads a specification.
---@param source string
---@param options? { filename?: string, syntax?: "native"|"json", line?: integer, column?: integer, limits?: hclexpr.Limits }
---@return hclexpr.Spec? spec
---@return hclexpr.Diagnostics? err
local function spec(source, options)
  check.type(1, "spec", source, "string")
  check.options(2, "spec", options, body_api.parse_options)
  local parsed, err = body_api.parse(source, options)
  if not parsed then return nil, err end
  local found
  found, err = read(parsed, options ~= nil and options.syntax == "json")
  if not found then return nil, err end
  found.body = parsed
  local self = setmetatable({}, Spec)
  specs[self] = found
  return self
end

-- Raises an error about argument n at the caller of a public method.
local function misuse(n, name, message, ...)
  check.raise(4, string.format("bad argument #%d to '%s' (%s)", n, name, string.format(message, ...)))
end

-- Returns the content of a Spec; raises an error if `self` isn't one.
local function check_spec(name, self)
  local found = specs[self]
  local text = "calling '%s' on bad self (Spec expected, got %s; methods are called with a colon)"
  if not found then check.raise(3, string.format(text, name, type(self))) end
  return found
end

-- Checks an argument that is a Body or an array of Bodies. Returns an array.
local function check_bodies(name, given)
  local list = getmetatable(given) == core.classes.Body and { given } or given
  if type(list) ~= "table" or list[1] == nil then misuse(1, name, "Body or array of Bodies expected, got %s", type(given)) end
  local bodies = {} -- not ipairs: LuaJIT's calls no __index
  while list[#bodies + 1] ~= nil do
    local one = list[#bodies + 1]
    if getmetatable(one) ~= core.classes.Body then misuse(1, name, "array of Bodies expected, with a %s in it", type(one)) end
    bodies[#bodies + 1] = one
  end
  return bodies
end

-- Returns a function that returns the scope of the specification's own expressions. If a scope is given, the result has its limits, and is
-- made when the first such expression is evaluated.
local function own_scope_of(scope)
  ---@type hclexpr.Scope?
  local own = not scope and functions.scope or nil
  return function()
    own = own or functions.new_scope(core.scope_limits(scope, true))
    return own
  end
end

-- Makes the scope for the input: the given scope, extended by the specification's variables and functions.
local function scope_of(found, scope)
  if next(found.variables) == nil and next(found.functions) == nil then return scope end
  return core.scope { parent = scope, variables = found.variables, functions = found.functions }
end

--- Decodes a body to a Value.
---@param bodies hclexpr.Body|hclexpr.Body[] a body, or several that are read as one
---@param variables? table
---@param scope? hclexpr.Scope
---@return hclexpr.Value? value
---@return hclexpr.Diagnostics? err
function Spec:decode(bodies, variables, scope)
  local found = check_spec("decode", self)
  local list = check_bodies("decode", bodies)
  check.run(2, "decode", variables, scope)
  return decoder.decode(found.root, list, {
    variables = variables,
    scope = scope_of(found, scope),
    own_scope = own_scope_of(scope),
    findings = Findings.new(),
    secrets = 0,
    expanded = {},
  })
end

--- Returns the Type of decode's result, or any if it depends on the input.
---@return hclexpr.Type
function Spec:type()
  local root = check_spec("type", self).root
  return root.kind.type(root)
end

--- Returns the attributes of a body that decode evaluates, in the order of evaluation.
---@param bodies hclexpr.Body|hclexpr.Body[]
---@return hclexpr.Attribute[]
function Spec:attributes(bodies)
  local found = check_spec("attributes", self)
  local list = check_bodies("attributes", bodies)
  return decoder.attributes(found.root, list, { scope = scope_of(found), findings = Findings.new(), expanded = {} })
end

--- Returns the calls in those attributes of a body that decode evaluates; without a body, the calls in the specification itself.
---@param bodies? hclexpr.Body|hclexpr.Body[]
---@return hclexpr.Call[]
function Spec:calls(bodies)
  local found = check_spec("calls", self)
  if bodies == nil then return found.body:calls() end
  local list, calls = check_bodies("calls", bodies), {}
  for _, attribute in ipairs(self:attributes(list)) do
    for _, call in ipairs(attribute.expression:calls()) do calls[#calls + 1] = call end
  end
  return calls
end

Spec.functions = Spec.calls -- the name of this method before 1.0

--- Returns true if the specification defines variables or functions for the input.
---@return boolean
function Spec:defines()
  local found = check_spec("defines", self)
  return next(found.variables) ~= nil or next(found.functions) ~= nil
end

--- Returns the variables that the specification defines for the input, by name.
---@return table<string, hclexpr.Value>
function Spec:variables()
  local copy = {}
  for name, value in pairs(check_spec("variables", self).variables) do copy[name] = value end
  return copy
end

fields.guard(Spec, "Spec", false)

return spec
