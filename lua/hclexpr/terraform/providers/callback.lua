-- Adds the answers of the host's callback `resource` (an option of hcl.module) to a provider that can't answer itself.
local clause = require("hclexpr.findings").clause
local core = require "hclexpr.core"
local prepared_schemas = require "hclexpr.terraform.schema.prepared_schemas"
local proposed_new = require "hclexpr.terraform.providers.proposed_new"
local Provider = require "hclexpr.terraform.providers.provider"
local typed_values = require "hclexpr.terraform.schema.typed_values"

---@class hclexpr.provider.Callback: hclexpr.Provider
---@field own hclexpr.Provider
---@field ask fun(resource: table): any, any
local Callback = Provider.kind()
Callback.answers = true

---@param own hclexpr.Provider
---@param ask fun(resource: table): any, any
---@return hclexpr.provider.Callback
function Callback.new(own, ask)
  return setmetatable({ own = own, ask = ask, source = own.source, origin = own.origin, document = own.document,
                        identities = own.identities }, Callback)
end

function Callback:row(declaration) return self.own:row(declaration) end
function Callback:row_of_type(mode, type) return self.own:row_of_type(mode, type) end
function Callback:types(declaration) return self.own:types(declaration) end
function Callback:is_late(schema, name) return self.own:is_late(schema, name) end
function Callback:functions(has) return self.own:functions(has) end
function Callback:validate(declaration, config, attributes) return self.own:validate(declaration, config, attributes) end
function Callback:import(schema, id) return self.own:import(schema, id) end

-- Returns the attributes in an answer by name, each with the marks of the whole answer. An unknown or null answer gives no attributes.
local function parts_of(request, answer)
  if type(answer) == "table" then return answer end
  local parts, plain, marks = {}, answer:unmark(), answer:marks()
  if not plain:is_known() or plain:is_null() then return parts end
  local kind = core.kind(plain)
  if kind ~= "object" and kind ~= "map" then
    error(("hclexpr: the option resource gave a %s for %s, not an object"):format(kind, request.address), 0)
  end
  for name, part in plain:pairs() do
    for _, mark in ipairs(marks) do part = part:mark(mark) end
    parts[name] = part
  end
  return parts
end

-- Converts the answer for an attribute to the type in the schema and adds the marks that the configuration gave it. Returns nil and
-- Diagnostics if the answer doesn't fit.
local function answered(wanted, x, config)
  local value, err
  if getmetatable(x) == core.classes.Value then value, err = wanted.type:convert(x)
  else value, err = typed_values.value(x, wanted.json, wanted.type) end
  if value == nil then return nil, err end
  if config then value = typed_values.with_marks(value, config) end
  return typed_values.mark(value, wanted.row)
end

local function finding(text, ...)
  return { { text = text:format(...) } }
end

-- Replaces values by those that the callback returns, and returns the values. Returns nil if the callback gives no answer or a wrong one;
-- then findings, if it gave a message or a wrong value.
local function fill(self, request, values)
  local declaration = request.declaration
  local answer, message = self.ask { address = request.address, mode = declaration.mode, type = declaration.type, name = declaration.name,
    key = request.key or nil, module = request.instance.address, config = Provider.config(request) }
  if answer == nil then return nil, message ~= nil and finding("%s: %s", request.address, tostring(message)) or nil end
  if type(answer) ~= "table" and getmetatable(answer) ~= core.classes.Value then
    error(("hclexpr: the option resource gave a %s for %s, not a table or a Value"):format(type(answer), request.address), 0)
  end
  local prepared = request.schema and prepared_schemas.of(request.schema)
  for name, x in pairs(parts_of(request, answer)) do
    local wanted = prepared and (prepared.attributes[name] or prepared.blocks[name])
    if wanted then
      local value, err = answered(wanted, x, Provider.config(request):get(name))
      if value == nil then
        ---@cast err -?
        return nil, finding("%s: the value that was given for %s doesn't fit its type: %s", request.address, name,
          clause(err))
      end
      values[name] = value
    elseif not prepared then
      values[name] = core.value(x)
    end
  end
  return values
end

-- The callback isn't asked about existing objects, whose values are in the state.
function Callback:propose(request, prior, context)
  local values, paths, findings = self.own:propose(request, prior, context)
  if self.own.answers or prior or not values then return values, paths, findings end
  local _, why = fill(self, request, values)
  return values, paths, why
end

-- The callback comes first, because with its answer the provider needn't read a file.
function Callback:read(request, context)
  local read, why = fill(self, request, proposed_new.of(request))
  if read then return read, "read" end
  local values, outcome, findings = self.own:read(request, context)
  return values, outcome, outcome == "unread" and why or findings
end

function Callback:open(request)
  local values, findings = self.own:open(request)
  if not values or not Provider.config(request):is_wholly_known() then return values, findings end
  local _, why = fill(self, request, values)
  return values, why
end

return Callback
