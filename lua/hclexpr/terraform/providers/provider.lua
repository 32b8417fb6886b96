-- Providers answer the questions of planning. This file has their contract, and the answers of an unknown provider, whose resources are
-- open objects.
--
-- Each declaration has one provider, which registry.lua finds once: this one, or one of schema.lua (a file of schemas), imported.lua
-- (schemas that the user imported), bundled.lua (facts that hclexpr includes) or builtin.lua. callback.lua adds the host's answers to a
-- provider; mock.lua answers for an instance instead of a provider. A provider doesn't report anything and doesn't know who asks: it
-- returns values and findings.
local certain = require("hclexpr.check").certain
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local functions = lazy "hclexpr.terraform.providers.functions"
local prepared_schemas = lazy "hclexpr.terraform.schema.prepared_schemas"
local proposed_new = lazy "hclexpr.terraform.providers.proposed_new"
local bundled_schemas = lazy "hclexpr.terraform.read.bundled_schemas"

---@class hclexpr.provider.Request an instance of a resource that a provider is asked about
---@field address string
---@field declaration hclexpr.module.Declaration
---@field instance hclexpr.module.Instance the instance of its module
---@field key integer|string|false
---@field schema? table the `block` in the row of its type
---@field written table<string, hclexpr.Value>|hclexpr.Value the configuration: values by name, or with a schema one Value
---@field config? hclexpr.Value the configuration as a Value, made by Provider.config
---@field seen? hclexpr.Value of a replacement: the configuration without the ignored changes
---@field attributes? table<string, hclexpr.Attribute> the written ones, if it has a schema
---@field prior? table<string, hclexpr.Value> the existing object, even if it is replaced
---@field ids? table<string, hclexpr.Value> the ids by which instances are imported, by address

---@class hclexpr.provider.Context what a provider may use of a walk
---@field scope hclexpr.Scope for functions and readable files
---@field lenient boolean missing parts are unknown
---@field applies boolean it is an apply after a plan, so the values of new objects are known

---@class hclexpr.provider.Finding why something is rejected, or a warning
---@field text string
---@field row? string the row of its diagnostic; nil if the resource's provider fails
---@field reason? string the reason in its diagnostic
---@field path? string[] the argument to blame, after the names of the blocks around it
---@field place? hclexpr.findings.Place instead of a path; without both, the place is the end of the resource's body
---@field unknown? { name: string, so: string } the argument must be known, but may be unknown if something is missing
---@field warns? boolean

---@class hclexpr.Provider
---@field source string "hashicorp/random"
---@field origin "file"|"imported"|"builtin"|"bundled"|"none" where its schemas come from
---@field document? table its schemas in the form of a document
---@field answers boolean the provider knows what becomes of a resource; otherwise everything that only a provider knows is unknown
---@field identities boolean its resources may be imported by an identity
local Provider = { origin = "none", answers = false, identities = true }
Provider.__index = Provider

--- Makes a kind of provider. It inherits the methods that it lacks.
---@param base? table the kind it inherits from; nil: Provider
---@return table
function Provider.kind(base)
  local kind = setmetatable({}, base or Provider)
  kind.__index = kind
  return kind
end

---@param source string
---@return hclexpr.Provider
function Provider.new(source)
  return setmetatable({ source = source }, Provider)
end

--- Returns the row of a declaration in a file of schemas, with its "block", and whether the file has the provider.
---@param declaration hclexpr.module.Declaration of a resource, action or provider
---@return table?
---@return boolean known
function Provider:row(declaration) -- luacheck: ignore 212
  return nil, false
end

--- Returns the row of a type in a file of schemas, for objects of a state that aren't declared.
---@param mode "managed"|"data"
---@param type string
---@return table?
function Provider:row_of_type(mode, type) -- luacheck: ignore 212
  return nil
end

--- Returns where the schema of a declaration comes from.
---@param declaration hclexpr.module.Declaration
---@return "file"|"imported"|"builtin"|"bundled"|"none"
function Provider:origin_of(declaration)
  return self:row(declaration) and self.origin or "none"
end

--- Returns the unknown values of the attributes of a declaration without a row, by name; nil if their types are unknown.
---@param declaration hclexpr.module.Declaration
---@return table<string, hclexpr.Value>?
function Provider:types(declaration) -- luacheck: ignore 212
  return nil
end

--- Returns true if an attribute of a new resource is always unknown until an apply, so that the provider needn't be asked.
---@param schema? table of its type
---@param name any
---@return boolean
function Provider:is_late(schema, name)
  return bundled_schemas.is_late(self.source, schema, name)
end

--- Returns the functions of the provider by name; "*" is for any other name.
---@param has fun(name: string): boolean whether the host has a function of this name
---@return table<string, hclexpr.Function>
function Provider:functions(has) -- luacheck: ignore 212
  return { ["*"] = functions.any }
end

--- Returns what is wrong with arguments that fit their schema.
---@param declaration hclexpr.module.Declaration
---@param config hclexpr.Value
---@param attributes table<string, hclexpr.Attribute>
---@return hclexpr.provider.Finding[]? findings nil without mistakes
function Provider:validate(declaration, config, attributes) -- luacheck: ignore 212
  return nil
end

-- Makes blocks unknown that aren't written, if anything in them is computed. Old providers may compute such blocks, and their schemas don't
-- say which.
local function leave_blocks(prepared, config, prior, values)
  for name, wanted in pairs(prepared.blocks) do
    local given = config:get(name):unmark()
    if wanted.inner.computed and (wanted.nesting == "list" or wanted.nesting == "set") and given:is_known() and #given == 0 then
      values[name] = prior and prior[name] or prepared_schemas.unknown(wanted)
    end
  end
end

--- Plans a managed resource. `prior` is the existing object, which may be updated; without it, a new object is planned. If the method
--- doesn't return values, it returns one of:
--- - paths: these attributes force a replacement; the caller asks again without `prior`;
--- - findings: the configuration is rejected.
---@param request hclexpr.provider.Request
---@param prior? table<string, hclexpr.Value>
---@param context hclexpr.provider.Context
---@return table<string, hclexpr.Value>? values
---@return string[][]? paths the attributes that force a replacement
---@return hclexpr.provider.Finding[]? findings
function Provider:propose(request, prior, context) -- luacheck: ignore 212
  local values = proposed_new.of(request, prior)
  local prepared = request.schema and prepared_schemas.of(request.schema)
  if prepared and prepared.old then leave_blocks(prepared, request.config, prior, values) end
  return values
end

--- Reads a data source whose configuration is known. With the outcome "unread", the returned values are used or, if none are returned,
--- those in the state.
---@param request hclexpr.provider.Request
---@param context hclexpr.provider.Context
---@return table<string, hclexpr.Value>? values
---@return "read"|"unread"|"refused" outcome
---@return hclexpr.provider.Finding[]? findings
function Provider:read(request, context) -- luacheck: ignore 212
  return nil, "unread"
end

--- Opens an ephemeral resource and returns its values.
---@param request hclexpr.provider.Request
---@return table<string, hclexpr.Value>? values nil if it can't be opened
---@return hclexpr.provider.Finding[]? findings
function Provider.open(_, request)
  return proposed_new.of(request, nil, nil, true)
end

--- Returns the values that an import gives, or nil if they are unknown until the object is read.
---@param schema? table of its type
---@param id hclexpr.Value
---@return table<string, hclexpr.Value>?
function Provider:import(schema, id) -- luacheck: ignore 212
  return nil
end

--- Returns the arguments as a Value. Without a schema, the Value has blocks as they are written.
---@param request hclexpr.provider.Request
---@return hclexpr.Value
function Provider.config(request)
  request.config = request.config or certain(core.as_written(certain(core.value(request.written))))
  return request.config
end

return Provider
