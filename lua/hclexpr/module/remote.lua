-- terraform_remote_state: the outputs of another folder's state file. Only the backend "local" is known; others need the `resource`
-- callback.
local core = require "hclexpr.core"
local certain = require("hclexpr.check").certain
local late = require "hclexpr.late"
local places = require "hclexpr.places"

local remote = {}

-- Backends that there are. What a folder of another one holds is for the callback to say.
local backends = {}
for name in ("azurerm consul cos gcs http inmem kubernetes local oci oss pg remote s3 cloud"):gmatch "%S+" do backends[name] = true end

local function known_text(value)
  local plain = value:unmark()
  return plain:is_known() and not plain:is_null() and plain:text() or nil
end

--- Checks the arguments as far as they are known.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param config hclexpr.Value
---@param attributes table<string, hclexpr.Attribute>
---@return boolean sound
function remote.check(walk, declaration, config, attributes)
  local sound = true
  local function refuse(name, text, ...)
    walk.findings:report("MODULE_CONFIGURED", attributes[name] and places.of_attribute(attributes[name]) or
      { object = declaration.block, range = declaration.block.open_brace_range }, text, ...)
    sound = false
  end
  local backend = known_text(config:get "backend")
  if backend and not backends[backend] then refuse("backend", "There is no backend %s.", core.quote(backend)) end
  for _, name in ipairs { "config", "defaults" } do
    local value = config:get(name):unmark()
    local kind = value:type():kind()
    if kind ~= "dynamic" and kind ~= "object" and kind ~= "map" then refuse(name, "%s must be an object.", name) end
  end
  return sound
end

-- Where the state of a workspace lies. Second: may it be shown?
local function state_path(config, workspace)
  local given = config:get "config"
  local shown = not core.marks_within(given) and not core.marks_within(config:get "workspace")
  given = given:unmark()
  local function part(name)
    local value = not given:is_null() and given:get(name)
    return value and known_text(value)
  end
  if workspace and workspace ~= "default" then
    return (part "workspace_dir" or "terraform.tfstate.d") .. "/" .. workspace .. "/terraform.tfstate", shown
  end
  return part "path" or "terraform.tfstate", shown
end

local state_source = certain(core.compile [=[{
  version = try(tonumber(state.version), 0)
  outputs = try(state.outputs, one([for m in state.modules : m.outputs if m.path == ["root"]]), {})
}]=])
local text_source, data_source = certain(core.compile "file(path)"), certain(core.compile "try(jsondecode(text), null)")
-- What version 3 says of a value.
local types = { list = certain(core.type "list(any)"), map = certain(core.type "map(any)") }

-- The values of a state file's outputs, with their types; those of version 3 have none.
local function read_outputs(walk, path, shown)
  local text, err = text_source:value({ path = path }, walk.scope)
  if text == nil then return nil, "There is no state" .. (shown and ": " .. err[1].detail:gsub("^file%(%)[^\"]*", "") or " there.") end
  local state = certain(state_source:value { state = certain(data_source:value { text = text }) })
  local version, values = state:get("version"):lua(), {}
  if version ~= 3 and version ~= 4 then
    return nil, "What stands " .. (shown and "in " .. core.quote(path) or "there") .. " is no state of version 4 or 3."
  end
  for name, output in state:get("outputs"):pairs() do
    local written = output:get("type"):lua()
    local type = version == 3 and types[written] or late("hclexpr.module.shaping").type(written)
    values[name], err = type:convert(output:get "value")
    if values[name] == nil then return nil, err[1].detail end
  end
  return values
end

--- Reads the outputs into what is planned.
---@param planned hclexpr.module.Planned
---@return boolean? read
---@return string? why not
---@return string? name the argument to blame
function remote.read(planned)
  local config, values = planned.config, planned.values
  if not config:is_wholly_known() then return true end
  local backend = known_text(config:get "backend")
  if backend ~= "local" then
    planned.unread = true
    return true
  end
  local outputs = {}
  local defaults = config:get("defaults"):unmark()
  if not defaults:is_null() then
    for name, value in defaults:pairs() do outputs[name] = value end
  end
  local workspace = known_text(config:get "workspace")
  local read, why = read_outputs(planned.walk, state_path(config, workspace))
  if not read then return nil, why, workspace and "workspace" or nil end
  for name, value in pairs(read) do outputs[name] = value end
  values.outputs = core.value(outputs)
  return true
end

return remote
