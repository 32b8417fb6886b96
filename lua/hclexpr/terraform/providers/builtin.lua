-- Terraform's built-in provider: terraform_data, and terraform_remote_state (remote_state.lua). Its schemas are in schema/builtin.lua.
local certain = require("hclexpr.check").certain
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local builtin_functions = lazy "hclexpr.terraform.providers.builtin_functions"
local mock_values = lazy "hclexpr.terraform.providers.mock_values"
local naming = require "hclexpr.terraform.language.naming"
local prepared_schemas = lazy "hclexpr.terraform.schema.prepared_schemas"
local proposed_new = lazy "hclexpr.terraform.providers.proposed_new"
local remote_state = lazy "hclexpr.terraform.providers.remote_state"
local Schema = require "hclexpr.terraform.providers.schema"
local builtin_schemas = require "hclexpr.terraform.schema.builtin"
local typed_values = lazy "hclexpr.terraform.schema.typed_values"

-- The built-in provider knows what becomes of its resources even before an apply. Its resources don't have identities.
local Builtin = Schema.kind(Schema)
Builtin.origin, Builtin.answers, Builtin.identities = "builtin", true, false

---@return hclexpr.provider.Schema
function Builtin.new()
  return setmetatable({ source = naming.BUILTIN, document = builtin_schemas.provider }, Builtin)
end

function Builtin.functions() return builtin_functions.all end

function Builtin.validate(_, declaration, config, attributes)
  if declaration.mode == "data" then return remote_state.check(declaration, config, attributes) end
  local findings
  for _, name in ipairs { "id", "output" } do
    if not config:get(name):is_null() then
      findings = findings or {}
      findings[#findings + 1] = { row = "MODULE_CONFIGURED", place = {}, text = ("%s: %s is set by the resource, not by its configuration. "
        .. "Remove the argument."):format(declaration.address, name) }
    end
  end
  return findings
end

function Builtin:read(request, context)
  if not request.schema then return Schema.read(self, request, context) end
  return remote_state.read(request, context)
end

-- Returns the values of an imported terraform_data: only the id is known.
function Builtin.import(_, schema, id)
  local values = proposed_new.nothing(prepared_schemas.of(schema))
  values.id = id
  return values
end

-- terraform_data

local function is_other(value, prior) return typed_values.bare(value) ~= typed_values.bare(prior) end

local unknown_id = certain(core.unknown("string", { not_null = true }))

-- Sets `output`, which is the input of the last apply, and the `id` of a new object.
local function put_output(values, prior)
  local input = values.input:unmark()
  if not prior then values.id = unknown_id end
  if prior and not is_other(input, prior.input) then values.output = typed_values.like(prior.output, values.input)
  else values.output = input:is_null() and input or core.unknown(input:type()) end
end

-- Returns the arguments of the `store` block by name, or nil if the block isn't written.
local function arguments_of(value)
  if value:is_null() then return nil end
  local parts = {}
  for name, part in value:pairs() do parts[name] = part end
  return parts
end

-- Returns the copy of its input that a `store` block stores, which is unknown if it changes. The copy changes with the block's version or,
-- without a version, with the input.
local function stored_of(part, input, before)
  local kept = before and (before.sensitive_output:is_null() and before.output or before.sensitive_output)
  kept = typed_values.like(kept and kept:unmark() or core.value(core.null), input)
  if input:is_null() and kept:is_null() then return core.value(core.null, input:type()) end
  local changed
  if part.version:is_null() then changed = is_other(input, kept)
  else changed = not before or is_other(part.version, typed_values.like(before.version, part.version)) end
  return changed and core.unknown(input:type()) or kept
end

local function must_be_known(name)
  return { { row = "MODULE_CONFIGURED", path = { "store", name }, text = name .. " of the block store must be known before the apply.",
             unknown = { name = name .. " of the block store", so = "what is stored" } } }
end

local function is_true(part, name)
  return not part[name]:is_null() and part[name]:unmark():text() == "true"
end

-- Returns true if the `store` block forces a replacement. If the replacement is certain for another reason, the block is taken from the
-- configuration without the ignored changes.
local function store_replaces(request, part, input, paths)
  local there = request.prior
  if not there then return false end
  if request.seen then
    part = arguments_of(request.seen:get "store")
    input = part and part.input:unmark()
  end
  -- Reference: if a replacement is certain for another reason, no copy counts as stored before.
  return part ~= nil and is_true(part, "replace")
    and not stored_of(part, input, not paths and arguments_of(there.store) or nil):is_known()
end

-- Fills in the `store` block. Returns the paths that force a replacement, and findings; or false if the prior object must be replaced.
local function put_store(request, values, prior, paths)
  local part = arguments_of(values.store)
  if not part then return paths end
  for _, name in ipairs { "sensitive", "replace" } do
    if not part[name]:is_known() then return paths, must_be_known(name) end
  end
  local secret, input, there = is_true(part, "sensitive"), request.config:get("store"):get("input"):unmark(), request.prior
  local stored = stored_of(part, input, prior and arguments_of(prior.store))
  if is_true(part, "replace") and not stored:is_known() then
    if prior then return false end
    values.id = core.unknown "string"
  end
  if not prior and store_replaces(request, part, input, paths) then
    paths = paths or {}
    paths[#paths + 1] = { "store", "input" }
  end
  part.output = secret and core.value(core.null) or stored
  part.sensitive_output = secret and stored or core.value(core.null)
  -- Reference: a replacement doesn't get the schema's marks.
  if prior or not there then part.sensitive_output = part.sensitive_output:mark "sensitive" end
  values.store = core.value(part)
  return paths
end

-- Turns planned values into applied ones.
local function apply(request, values)
  if not values.id:is_known() then values.id = core.value(mock_values.uuid()) end
  if not values.output:is_known() then values.output = typed_values.bare(values.input) end
  local plain = values.store:unmark()
  if plain:is_null() or not plain:is_known() then return end
  local made, input = {}, request.config:get("store"):get("input"):unmark()
  for name, value in plain:pairs() do
    made[name] = value
    if not value:is_known() then
      made[name] = input
      for _, mark in ipairs(value:marks()) do made[name] = made[name]:mark(mark) end
    end
  end
  values.store = core.value(made)
end

function Builtin:propose(request, prior, context)
  if not request.schema then return Schema.propose(self, request, prior, context) end -- of an unknown type
  local there, trigger = request.prior, (request.seen or request.config):get "triggers_replace"
  local is_new = there ~= nil and is_other(trigger, there.triggers_replace)
  local is_moot = is_new and trigger:is_null() and there.triggers_replace:is_null()
  local paths = is_new and not is_moot and { { "triggers_replace" } } or nil
  if prior and paths then return nil, paths end
  local values = proposed_new.of(request, prior)
  -- Reference: if the trigger is null as before but of another type, the id and the output become unknown, but nothing is replaced.
  local kept = not is_moot and prior or nil
  put_output(values, kept)
  local all_paths, findings = put_store(request, values, kept, paths)
  if all_paths == false then return nil, {} end
  if context.applies then apply(request, values) end
  return values, all_paths, findings
end

return Builtin
