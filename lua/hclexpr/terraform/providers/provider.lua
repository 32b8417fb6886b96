-- Providers: what planning asks them. This file has the contract, and the answers of an unknown provider, whose resources are open objects.
--
-- A declaration has one provider, which registry.lua finds once: this one, or schema.lua (a file of schemas), imported.lua (schemas that
-- the user imported), bundled.lua (bundled facts), builtin.lua. callback.lua adds what the host says to a provider; mock.lua answers for an
-- instance instead of one. A provider reports nothing and doesn't know who plans: it returns values and findings.
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
---@field instance hclexpr.module.Instance of its module
---@field key integer|string|false
---@field schema? table the block of the provider's row of the type
---@field written table<string, hclexpr.Value>|hclexpr.Value the configuration: by name, or by a schema a Value of all
---@field config? hclexpr.Value the configuration as a Value: Provider.config
---@field seen? hclexpr.Value of a replacement: the configuration without the changes that are ignored
---@field attributes? table<string, hclexpr.Attribute> those that are written, by a schema
---@field prior? table<string, hclexpr.Value> the existing object, even if it is replaced
---@field ids? table<string, hclexpr.Value> by which instances are imported, by address

---@class hclexpr.provider.Context what a provider may use of a walk
---@field scope hclexpr.Scope of functions, and of the files that may be read
---@field lenient boolean what is missing is unknown
---@field applies boolean it is an apply after a plan: values of new objects are known

---@class hclexpr.provider.Finding why something is rejected, or a warning
---@field text string
---@field row? string of its diagnostic; nil: that of a resource whose provider fails
---@field reason? string of its diagnostic
---@field path? string[] the argument to blame, after the blocks around it
---@field place? hclexpr.findings.Place instead of a path; without both: the end of the resource's body
---@field unknown? { name: string, so: string } the argument must be known; what is missing excuses it
---@field warns? boolean

---@class hclexpr.Provider
---@field source string "hashicorp/random"
---@field origin "file"|"imported"|"builtin"|"bundled"|"none" where its schemas come from
---@field document? table its schemas, as a document of several providers has them
---@field answers boolean it says what becomes of a resource; if not, what only a provider knows isn't known before it runs
---@field identities boolean its resources may be imported by an identity
local Provider = { origin = "none", answers = false, identities = true }
Provider.__index = Provider

--- Makes a kind of providers, which inherits the methods that it lacks.
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

--- The row of a declaration in a file of schemas, with its "block"; second: does the file have the provider?
---@param declaration hclexpr.module.Declaration of a resource, action or provider
---@return table?
---@return boolean known
function Provider:row(declaration) -- luacheck: ignore 212
  return nil, false
end

--- The row of a type in a file of schemas, for objects of a state that nothing declares.
---@param mode "managed"|"data"
---@param type string
---@return table?
function Provider:row_of_type(mode, type) -- luacheck: ignore 212
  return nil
end

--- Says where the schema of a declaration comes from.
---@param declaration hclexpr.module.Declaration
---@return "file"|"imported"|"builtin"|"bundled"|"none"
function Provider:origin_of(declaration)
  return self:row(declaration) and self.origin or "none"
end

--- The unknown values of attributes of a declaration without a row, by name; nil: their types aren't known.
---@param declaration hclexpr.module.Declaration
---@return table<string, hclexpr.Value>?
function Provider:types(declaration) -- luacheck: ignore 212
  return nil
end

--- Is an attribute of a new resource known only after an apply, whatever a provider would answer?
---@param schema? table of its type
---@param name any
---@return boolean
function Provider:is_late(schema, name)
  return bundled_schemas.is_late(self.source, schema, name)
end

--- The functions that the provider has, by name; "*" is for any other name.
---@param has fun(name: string): boolean does the host have one of this name?
---@return table<string, hclexpr.Function>
function Provider:functions(has) -- luacheck: ignore 212
  return { ["*"] = functions.any }
end

--- Says what is wrong with arguments that fit their schema.
---@param declaration hclexpr.module.Declaration
---@param config hclexpr.Value
---@param attributes table<string, hclexpr.Attribute>
---@return hclexpr.provider.Finding[]? findings nil: nothing
function Provider:validate(declaration, config, attributes) -- luacheck: ignore 212
  return nil
end

-- Leaves blocks that aren't written unknown, if something in them is computed: old providers may compute such blocks, and their schemas
-- don't say which.
local function leave_blocks(prepared, config, prior, values)
  for name, wanted in pairs(prepared.blocks) do
    local given = config:get(name):unmark()
    if wanted.inner.computed and (wanted.nesting == "list" or wanted.nesting == "set") and given:is_known() and #given == 0 then
      values[name] = prior and prior[name] or prepared_schemas.unknown(wanted)
    end
  end
end

--- Plans a managed resource. prior: the existing object, which may be changed; nil: a new one is made. Without values it returns one of:
--- - paths: they force a replacement; the caller asks again, without prior;
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

--- Reads a data source whose configuration is known. "unread" with values: these are taken instead. "unread" without values: the state's
--- are taken.
---@param request hclexpr.provider.Request
---@param context hclexpr.provider.Context
---@return table<string, hclexpr.Value>? values
---@return "read"|"unread"|"refused" outcome
---@return hclexpr.provider.Finding[]? findings
function Provider:read(request, context) -- luacheck: ignore 212
  return nil, "unread"
end

--- Opens an ephemeral resource: its values.
---@param request hclexpr.provider.Request
---@return table<string, hclexpr.Value>? values nil: it can't be opened
---@return hclexpr.provider.Finding[]? findings
function Provider.open(_, request)
  return proposed_new.of(request, nil, nil, true)
end

--- The values that an import gives; nil: they aren't known before the object is read.
---@param schema? table of its type
---@param id hclexpr.Value
---@return table<string, hclexpr.Value>?
function Provider:import(schema, id) -- luacheck: ignore 212
  return nil
end

--- The arguments as a Value. Without a schema they are rarely needed; blocks are then as written.
---@param request hclexpr.provider.Request
---@return hclexpr.Value
function Provider.config(request)
  request.config = request.config or certain(core.as_written(certain(core.value(request.written))))
  return request.config
end

return Provider
