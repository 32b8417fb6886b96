-- Finds what needs what in a folder, independently of its calls: its steps (nodes without a Config) and the wants of its expressions (needs
-- without a Config). graph/needs.lua makes the needs of nodes from them; module/relations.lua shows needs to users.
local folders = require "hclexpr.terraform.read.folder"
local prepared_schemas = require("hclexpr.lazy") "hclexpr.terraform.schema.prepared_schemas"
local references = require "hclexpr.terraform.read.references"

local dependencies = {}

-- Steps of folders

local kinds = { variable = "variable", ["local"] = "local", output = "output", call = "call", check = "check", provider = "provider",
                resource = "resource", action = "action" }

local checked_kinds = { validation = true, output = true, resource = true, check = true }

---@class hclexpr.module.Step what the nodes with one key share in all Configs of a folder
---@field key string
---@field kind string
---@field declaration hclexpr.module.Declaration

---@class hclexpr.module.Steps
---@field list hclexpr.module.Step[] in the order of the sources
---@field resources string[] keys
---@field actions string[] keys
---@field checked string[] keys of declarations with conditions

---@class hclexpr.module.Outline what is known of a folder without making its steps
---@field calls string[] names, in the order of the sources
---@field count table<string, integer> the number of declarations of each kind
---@field total integer the number of all declarations

-- Makes the step of a key; returns nil or false if the key has no step. A key is the address of a declaration, followed by "(validation)"
-- or "(close)" for a second step.
local function made_step(folder, key)
  local address, word = key:match "^(.*) %((%l+)%)$"
  local declaration = folder.declared[address or key]
  local kind = declaration and kinds[declaration.kind]
  if word == "validation" then kind = kind == "variable" and #declaration.rules > 0 and word
  elseif word then kind = kind == "call" and word end
  return kind and { key = key, kind = kind, declaration = declaration }
end

-- Returns the steps of a folder that were looked up so far, by key.
local function known_steps(folder)
  local known = folder.cache.step_of
  if not known then
    known = {}
    folder.cache.step_of = known
  end
  return known
end

--- Returns the step of a key; nil or false if the key has no step.
---@param folder hclexpr.module.Folder
---@param key string
---@return hclexpr.module.Step|false|nil
function dependencies.step(folder, key)
  local known = known_steps(folder)
  local step = known[key]
  if step == nil then
    step = made_step(folder, key) or false
    known[key] = step
  end
  return step
end

--- Counts the declarations of a folder, once. An answer of the console needs only these counts of most folders; making the steps would be
--- a thirtieth of its work.
---@param folder hclexpr.module.Folder
---@return hclexpr.module.Outline
function dependencies.outline(folder)
  local outline = folder.cache.outline
  if outline then return outline end
  local calls, count, all = {}, {}, folders.declarations(folder)
  for _, declaration in ipairs(all) do
    local kind = declaration.kind
    count[kind] = (count[kind] or 0) + 1
    if kind == "call" then calls[#calls + 1] = declaration.name end
  end
  outline = { calls = calls, count = count, total = #all }
  folder.cache.outline = outline
  return outline
end

--- Returns all steps of a folder; they are computed once.
---@param folder hclexpr.module.Folder
---@return hclexpr.module.Steps
function dependencies.steps(folder)
  local steps = folder.cache.steps
  if steps then return steps end
  steps = { list = {}, resources = {}, actions = {}, checked = {} }
  local known = known_steps(folder)
  local function add(key, kind, declaration)
    local step = { key = key, kind = kind, declaration = declaration }
    steps.list[#steps.list + 1] = step
    -- If a name is declared twice, one of the declarations gets the step.
    if folder.declared[declaration.address] == declaration then known[key] = known[key] or step end
    if checked_kinds[kind] and #declaration.rules > 0 then steps.checked[#steps.checked + 1] = key end
  end
  for _, declaration in ipairs(folders.declarations(folder)) do
    local kind, address = kinds[declaration.kind], declaration.address
    if kind then add(address, kind, declaration) end
    if kind == "variable" and #declaration.rules > 0 then add(address .. " (validation)", "validation", declaration) end
    if kind == "call" then add(address .. " (close)", "close", declaration) end
    local of_kind = kind == "resource" and steps.resources or kind == "action" and steps.actions
    if of_kind then of_kind[#of_kind + 1] = address end
  end
  folder.cache.steps = steps
  return steps
end

--- Returns the modules of a tree, callers before the modules that they call.
---@param root hclexpr.module.Config
---@return hclexpr.module.Config[]
function dependencies.modules(root)
  local found = { root }
  for _, config in ipairs(found) do
    for _, name in ipairs(dependencies.outline(config.folder).calls) do found[#found + 1] = config.children[name] end
  end
  return found
end

-- A want is a need of an expression: { key = of a node in its Config } or, for an output of a module, { call =, key = in that module }.
-- may_lack: the node may be missing. kind: the node must be of this kind, because a resource and an output may have the same name. whole:
-- the reference doesn't have the key of an instance of the call.

local wants_of = setmetatable({}, { __mode = "k" })

local none = {}

-- Functions that make the wants of a reference, by its kind. Wants with the same `id` count as one.
local want = {}

function want.variable(ref)
  local rules = ref.key .. " (validation)"
  -- Every use of a variable also waits for its validation rules.
  return { { id = ref.key, key = ref.key }, { id = rules, key = rules, may_lack = true } }
end

want["local"] = function(ref) return { { id = ref.key, key = ref.key } } end

function want.resource(ref) return { { id = ref.key, key = ref.key, kind = "resource" } } end

function want.call(ref)
  local closing = ref.key .. " (close)"
  return { { id = ref.key, key = ref.key }, { id = closing, key = closing } }
end

function want.output(ref)
  local key, whole = "output." .. ref.output, ref.instance == nil
  local id = (whole and " " or "") .. ref.name .. "." .. key
  return { { id = ref.key, key = ref.key }, { id = id, key = key, call = ref.name, whole = whole } }
end

-- Returns the wants of a reference, made once. References with the same path share one table, and thereby their wants.
local function wants_of_one(ref)
  local list = ref.wants
  if not list then
    list = want[ref.kind] and ref.name ~= "" and want[ref.kind](ref) or none
    ref.wants = list
  end
  return list
end

local function wants_for(refs)
  if #refs == 0 then return none end
  if #refs == 1 then return wants_of_one(refs[1]) end
  local list, seen = {}, {}
  for i = 1, #refs do
    local of_one = wants_of_one(refs[i])
    for j = 1, #of_one do
      local wanted = of_one[j]
      if not seen[wanted.id] then seen[wanted.id], list[#list + 1] = true, wanted end
    end
  end
  return list
end

--- Returns the wants of an Expression or Body, made once.
---@param object hclexpr.Expression|hclexpr.Body
---@return table[]
function dependencies.of(object)
  local list = wants_of[object]
  if not list then
    list = wants_for(references.of(object))
    wants_of[object] = list
  end
  return list
end

local everything = { { start = { byte = 0 }, stop = { byte = math.huge } } }

--- Returns the bodies of a resource, action or provider. From the first call on, references in parts that the schema doesn't name are
--- ignored; if the provider is known but lacks the type, all references are.
---@param declaration hclexpr.module.Declaration
---@return hclexpr.Body[]
function dependencies.bodies(declaration)
  if declaration.has_narrowed then return declaration.bodies end
  local schema, known = declaration.folder.schema_of(declaration)
  local made = schema and prepared_schemas.as_written(prepared_schemas.of(schema), declaration.bodies)
  for _, body in ipairs(known and declaration.bodies or none) do
    local found = made and {} or everything
    if made then prepared_schemas.unnamed(body, made, found) end
    if found[1] then references.leave_out(body, found) end
  end
  declaration.has_narrowed = true
  return declaration.bodies
end

--- Returns the bodies of a resource's provisioners that run at its creation, and those of their connections.
---@param declaration hclexpr.module.Declaration
---@return hclexpr.Body[]
function dependencies.provisioner_bodies(declaration)
  if not declaration.connection and not declaration.provisioners then return none end
  local bodies = {}
  local function add_connection(block)
    if block then bodies[#bodies + 1] = block.body end
  end
  add_connection(declaration.connection)
  for _, provisioner in ipairs(declaration.provisioners or {}) do
    if provisioner.when == "create" then
      for _, body in ipairs(provisioner.bodies) do bodies[#bodies + 1] = body end
      add_connection(provisioner.connection)
    end
  end
  return bodies
end

--- Returns the bodies and expressions that determine an action.
---@param declaration hclexpr.module.Declaration
---@return (hclexpr.Body|hclexpr.Expression)[]
function dependencies.parts(declaration)
  local parts = {}
  for _, body in ipairs(dependencies.bodies(declaration)) do parts[#parts + 1] = body end
  for _, name in ipairs { "count", "for_each" } do
    local attribute = declaration.arguments[name]
    if attribute then parts[#parts + 1] = attribute.expression end
  end
  return parts
end

--- Returns the addresses of the resources that trigger an action, as a set. The result may be cached: if a trigger changes, the folder is
--- read again.
---@param folder hclexpr.module.Folder
---@param key string the action's address
---@return table<string, true>
function dependencies.callers(folder, key)
  local all = folder.cache.callers
  if not all then
    all = {}
    for address, declaration in pairs(folder.resources) do
      for _, trigger in ipairs(declaration.action_triggers or none) do
        for _, called in ipairs(trigger.actions) do
          all[called.key] = all[called.key] or {}
          all[called.key][address] = true
        end
      end
    end
    folder.cache.callers = all
  end
  return all[key] or none
end

--- Returns the wants of traversals.
---@param traversals? table[]
---@return table[]
function dependencies.of_traversals(traversals)
  if not traversals then return none end
  local refs = {}
  for _, traversal in ipairs(traversals) do refs[#refs + 1] = references.read(traversal) end
  return wants_for(refs)
end

--- Returns true if blocks in a Config or in modules around it may import resources.
---@param config? hclexpr.module.Config
---@return boolean
function dependencies.may_import(config)
  while config do
    if config.folder.others[1] then return true end
    config = config.parent
  end
  return false
end

return dependencies
