-- Answers for terraform_remote_state, which reads the outputs in another folder's state file. Only the backend "local" is supported; others
-- need the `resource` callback.
local backends = require "hclexpr.terraform.language.backends"
local core = require "hclexpr.core"
local certain = require("hclexpr.check").certain
local documents = require "hclexpr.terraform.schema.documents"
local places = require "hclexpr.places"
local proposed_new = require "hclexpr.terraform.providers.proposed_new"
local schema_form = require "hclexpr.terraform.language.schema_form"
local sorted = require("hclexpr.util").sorted
local state_files = require "hclexpr.terraform.read.state_files"
local typed_values = require "hclexpr.terraform.schema.typed_values"

local remote_state = {}

local function known_text(value)
  local plain = value:unmark()
  return plain:is_known() and not plain:is_null() and plain:text() or nil
end

-- Returns a text in the configuration of a backend, or nil.
local function part_of(config, name)
  local value = not config:is_null() and config:get(name)
  return value and known_text(value)
end

local objects = { object = true, map = true }

-- Returns why an object can't be the configuration of a backend, or of a block in it; nil if it can.
local function misfit(row, object)
  local form, given = schema_form.of(row), {}
  for name, value in object:pairs() do given[name] = value:unmark() end
  for name in (row.needs or ""):gmatch "%S+" do
    if not given[name] then return ("needs %s"):format(name) end
  end
  for _, name in ipairs(sorted(given)) do
    local attribute, block, value = form.attributes[name], form.block_types[name], given[name]
    if not attribute and not block then return ("has no argument %s"):format(core.quote(name)) end
    if attribute and not typed_values.type(attribute.type):convert(value) then
      return ("has an argument %s of another type"):format(name)
    elseif block and block.row.is_object and not value:is_null() then
      if not objects[core.kind(value)] then return ("has an object %s"):format(name) end
      local why = misfit(block.row, value)
      if why then return ("%s in %s"):format(why, name) end
    end
  end
end

--- Returns findings about the known parts of the arguments.
---@param declaration hclexpr.module.Declaration
---@param config hclexpr.Value
---@param attributes table<string, hclexpr.Attribute>
---@return hclexpr.provider.Finding[]? findings
function remote_state.check(declaration, config, attributes)
  local findings = {}
  local function refuse(name, text, ...)
    local place = not attributes[name] and { object = declaration.block, range = declaration.block.open_brace_range } or nil
    findings[#findings + 1] = { row = "MODULE_CONFIGURED", path = { name }, place = place, text = text:format(...) }
  end
  local given = config:get "backend" --[[@as hclexpr.Value]]
  local type = known_text(given)
  local backend = backends.by_type[type == "_local" and "local" or type] or type == "cloud" and backends.cloud
  local secret = given:marks()[1] or core.marks_within(config:get "config")
  if type and not backend then
    refuse("backend", "The backend %s is unknown.", given:marks()[1] and "of this name, which is secret" or core.quote(type))
  end
  for _, name in ipairs { "config", "defaults" } do
    local value = config:get(name):unmark()
    local kind = core.kind(value)
    if kind ~= "dynamic" and not objects[kind] then refuse(name, "%s must be an object.", name)
    elseif backend and name == "config" and value:is_wholly_known() then
      local why = misfit(backend, value:is_null() and core.value {} or value)
      if why then refuse(name, "%s", secret and "The backend has another configuration." or ("The backend %s %s."):format(type, why))
      elseif backend == backends.by_type["local"] then
        for part in pairs(schema_form.attributes(backend)) do
          if part_of(value, part) == "" then refuse(nil, "%s is an empty text. Leave it out, or write a path.", part) end
        end
      end
    end
  end
  return findings[1] and findings or nil
end

-- Returns the path of the state of a workspace.
local function state_path(config, workspace)
  local given = config:get("config"):unmark()
  if workspace and workspace ~= "default" then
    return (part_of(given, "workspace_dir") or "terraform.tfstate.d") .. "/" .. workspace .. "/terraform.tfstate"
  end
  return part_of(given, "path") or "terraform.tfstate"
end

-- Reads the text of a state file; returns nil and the reason if that fails. The text is unknown if the file mustn't be read. A denied path
-- is recorded at the expression that gives the path.
local function read_text(request, context, path, secret)
  local attribute = request.attributes.config or request.attributes.workspace
  local place = attribute and places.options(attribute.expression:range()) or nil
  local value = secret and core.value(path):mark "sensitive" or path
  local text, err = certain(core.compile("file(path)", place)):value({ path = value }, context.scope)
  if text and not err then return text:unmark() end
  return nil, (err[1].detail:gsub("^file%(%): argument 1, path: ", ""))
end

-- Returns the values of a state file's outputs; nil, what is wrong with the file, and the reason for a diagnostic. The message doesn't show
-- values, because they may be secret.
local function read_outputs(text)
  local document, why = documents.decode(text)
  if not document then return nil, "can't be read as JSON: " .. why end
  local made, fault, reason = state_files.read(document)
  if not made then return nil, fault, reason end
  return state_files.outputs(made.outputs, true)
end

--- Reads the outputs; returns what Provider:read returns.
---@param request hclexpr.provider.Request
---@param context hclexpr.provider.Context
---@return table<string, hclexpr.Value>? values
---@return "read"|"unread"|"refused" outcome
---@return hclexpr.provider.Finding[]? findings
function remote_state.read(request, context)
  local config = request.config --[[@as hclexpr.Value]] -- the request has a schema
  local backend = known_text(config:get "backend")
  if backend ~= "local" and backend ~= "_local" then return nil, "unread" end
  local outputs = {}
  local defaults = config:get("defaults"):unmark()
  if not defaults:is_null() then
    for name, value in defaults:pairs() do outputs[name] = typed_values.bare(value) end -- reference: outputs lose their marks
  end
  local workspace = config:get "workspace"
  local path = state_path(config, known_text(workspace))
  local secret = core.marks_within(config:get "config") or core.marks_within(workspace)
  local text, fault = read_text(request, context, path, secret)
  if text and not text:is_known() then return nil, "unread" end
  local function refuse(why, name, reason) return nil, "refused", { { text = why, path = { name }, reason = reason } } end
  local function leave(why, name, reason)
    if not context.lenient then return refuse(why, name, reason) end
    return nil, "unread", { { row = "MODULE_DATA_CHECK", text = why .. " Its outputs are unknown.", warns = true, reason = reason } }
  end
  if not text or text:text() == "" then
    local why = secret and "the file that config and workspace name, which are secret, can't be read."
      or fault or core.quote(path) .. " is empty."
    return leave("No state is there: " .. why, known_text(workspace) and "workspace")
  end
  local read, why, reason = read_outputs(text:text())
  if not read then
    why = (secret and "The state" or core.quote(path)) .. " " .. why
    return (reason == "encrypted" and leave or refuse)(why, nil, reason)
  end
  for name, value in pairs(read) do outputs[name] = value end
  local values = proposed_new.of(request)
  values.outputs = core.value(outputs)
  return values, "read"
end

return remote_state
