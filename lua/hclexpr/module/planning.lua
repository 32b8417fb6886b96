-- Planning: what a resource is like after its configuration is known, as far as that can be said without its provider.
--
-- plan gives the value of one instance. What a schema doesn't tell comes from the `resource` callback of the module; the built-in types have
-- rows of their own.
local blocks = require "hclexpr.module.blocks"
local core = require "hclexpr.core"
local frames = require "hclexpr.module.frames"
local instances = require "hclexpr.module.instances"
local places = require "hclexpr.places"

local planning = {}

---@class hclexpr.module.Planned what a planner gets and may change
---@field walk hclexpr.module.Walk
---@field declaration hclexpr.module.Declaration
---@field address string
---@field config table<string, hclexpr.Value> the arguments, by name
---@field attributes table<string, hclexpr.Attribute> those that are written
---@field values table<string, hclexpr.Value> what is planned


--- The value of a resource of which nothing is known but its schema.
---@param schema table
---@return hclexpr.Value
function planning.unknown(schema)
  local prepared, values = blocks.prepare(schema), {}
  for name, wanted in pairs(prepared.attributes) do values[name] = core.unknown(wanted.type) end
  for name, wanted in pairs(prepared.blocks) do values[name] = core.unknown(wanted.type or wanted.inner.type) end
  return (core.value(values))
end

local function is_null(value)
  local plain = value:unmark()
  return plain:is_known() and plain:is_null()
end
planning.is_null = is_null

-- What the configuration says, and what only the provider can say as unknown.
local function from_config(schema, config)
  local prepared, values = blocks.prepare(schema), {}
  for name, wanted in pairs(prepared.attributes) do
    local value = config:get(name)
    if wanted.row.computed and is_null(value) then value = core.unknown(wanted.type) end
    if wanted.row.sensitive then value = value:mark "sensitive" end
    values[name] = value
  end
  for name in pairs(prepared.blocks) do values[name] = config:get(name) end
  return values
end

-- What the `resource` callback gives replaces what is planned. false: it refused, and that was reported.
local function ask(walk, declaration, instance, key, address, config, values)
  local callback = walk.module.options.resource
  if not callback then return nil end
  local answer, message = callback { address = address, mode = declaration.mode, type = declaration.type, name = declaration.name,
                                     key = key or nil, module = instance.address, config = config }
  if answer == nil and message ~= nil then
    local row = declaration.container and "MODULE_DATA_CHECK" or "MODULE_DATA"
    walk.findings:report(row, { object = declaration.block, range = declaration.block.open_brace_range }, "%s: %s", address,
      tostring(message))
    return false
  end
  if answer == nil then return nil end
  local value = core.value(answer)
  for name, part in value:pairs() do
    if values[name] ~= nil or not walk.module.schema_of(declaration) then values[name] = part end
  end
  return true
end

local rows = {}

-- terraform_data: its output is its input, once it is there.
function rows.terraform_data(planned)
  local values = planned.values
  values.id = core.unknown("string", { not_null = true })
  local input = values.input:unmark()
  values.output = is_null(input) and input or core.unknown(input:type())
  return planning.plan_store(planned)
end

-- Its block `store` keeps a copy of an input that isn't kept itself.
function planning.plan_store(planned)
  local store = planned.values.store
  if is_null(store) then return true end
  local part = {}
  for name, value in store:pairs() do part[name] = value end
  for _, name in ipairs { "sensitive", "replace" } do
    if not part[name]:unmark():is_known() then return false, name .. " of the block store must be known before the apply." end
  end
  local input = part.input:unmark()
  local secret = not is_null(part.sensitive) and part.sensitive:unmark():text() == "true"
  local stored = is_null(input) and core.value(core.null) or core.unknown(input:type())
  if is_null(input) and not is_null(part.version) then stored = core.value(core.null) end
  part.input = core.value(core.null)
  part.output = secret and core.value(core.null) or stored
  part.sensitive_output = (secret and stored or core.value(core.null)):mark "sensitive"
  planned.values.store = core.value(part)
  return true
end

function rows.terraform_remote_state(planned)
  return require("hclexpr.module.remote").read(planned)
end

--- Checks the arguments of a resource without planning it.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param frame hclexpr.module.Frame
---@return boolean sound
function planning.validate(walk, declaration, frame)
  local schema = walk.module.schema_of(declaration)
  local config, attributes = blocks.evaluate(walk, declaration, schema, frame, declaration.mode ~= "ephemeral")
  if config == nil then return false end
  local check = planning.checks[declaration.type]
  if schema and check then return check(walk, declaration, config, attributes) end
  return true
end

-- What the built-in types refuse beyond their schema.
planning.checks = {
  terraform_data = function(walk, declaration, config)
    for _, name in ipairs { "id", "output" } do
      if not is_null(config:get(name)) then
        walk.findings:report("MODULE_CONFIGURED", {}, "%s: %s is what the resource says, not what it is told. Take the argument out.",
          declaration.address, name)
        return false
      end
    end
    return true
  end,

  terraform_remote_state = function(walk, declaration, config, attributes)
    return require("hclexpr.module.remote").check(walk, declaration, config, attributes)
  end,
}

local function refuse(walk, declaration, why, name, attributes)
  local row = declaration.container and "MODULE_DATA_CHECK" or "MODULE_DATA"
  local attribute = name and attributes[name]
  local place = attribute and places.of_attribute(attribute)
    or { object = declaration.block, range = declaration.block.open_brace_range }
  walk.findings:report(row, place, "%s", why)
end

--- The planned value of one instance; nil: something is wrong, and was reported. Without a schema it is a table { open = true,
--- values = { name = Value } }: all other attributes are unknown.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param instance hclexpr.module.Instance
---@param key integer|string|false
---@param address string
---@param frame hclexpr.module.Frame
---@return any
function planning.plan(walk, declaration, instance, key, address, frame)
  local schema = walk.module.schema_of(declaration)
  local config, attributes = blocks.evaluate(walk, declaration, schema, frame, declaration.mode ~= "ephemeral")
  if config == nil then return nil end
  if declaration.mode == "ephemeral" then return frames.unknown:mark "ephemeral" end
  local check = planning.checks[declaration.type]
  if schema and check and not check(walk, declaration, config, attributes) then return nil end
  local values = schema and from_config(schema, config) or config
  local row = schema and rows[declaration.type]
  if row then
    local planned = { walk = walk, declaration = declaration, address = address, config = config, attributes = attributes, values = values }
    local ok, why, name = row(planned)
    if not ok then
      refuse(walk, declaration, why, name, attributes)
      if not declaration.container then return nil end
      -- A check that can't read its data source has failed, and nothing else.
      walk:check(instances.within(instance.address, declaration.container.address), "fail")
    end
  elseif ask(walk, declaration, instance, key, address, schema and config or core.value(config), values) == false then
    return nil
  end
  if not schema then return { open = true, values = values } end
  return (core.value(values))
end

return planning
