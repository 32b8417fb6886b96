-- Makes rows for the JSON of plans: changes with the parts of their values. Also sorts them into trees of modules.
local change = require "hclexpr.terraform.plan.change"
local planned_changes = require "hclexpr.terraform.plan.changes"
local core = require "hclexpr.core"
local instances = require "hclexpr.terraform.instance.instances"
local naming = require "hclexpr.terraform.language.naming"
local plan_instance = require "hclexpr.terraform.plan.plan_instance"
local prepared_schemas = require "hclexpr.terraform.schema.prepared_schemas"
local proposed_new = require "hclexpr.terraform.providers.proposed_new"
local providers = require "hclexpr.terraform.show.json.providers"
local State = require("hclexpr.lazy") "hclexpr.terraform.plan.state"
local trees = require "hclexpr.terraform.show.json.trees"
local typed_values = require "hclexpr.terraform.schema.typed_values"
local value_parts = require "hclexpr.terraform.show.json.value_parts"

local rows = {}

---@class hclexpr.planjson.Row: hclexpr.module.Change
---@field provider string
---@field parts? table<string, hclexpr.Value> the planned parts; nil if the object is deleted
---@field after? table<string, hclexpr.Value> the planned parts with the marks of the change
---@field before? table<string, hclexpr.Value>

local function add_values(walk, row)
  local before = planned_changes.before(walk, row)
  row.before = before and value_parts.parts(before)
  if not row.instance then
    row.provider = State.provider(row.entry)
    return row
  end
  row.provider = providers.full_name(row.declaration.folder, (naming.provider(row.declaration)))
  local whole = core.as_written(row.expansion.instances[row.key])
  row.parts = value_parts.parts(whole)
  row.after = row.parts
  -- Reference: the planned value of a replacement lacks the schema's marks; only its change has them.
  if row.action == "replace" and row.schema then row.after = proposed_new.parts(prepared_schemas.of(row.schema), whole, whole) end
  return row
end

--- Returns the rows of all changes in order, and those of the objects in the state that don't change.
---@param walk hclexpr.module.Walk
---@return hclexpr.planjson.Row[] all
---@return hclexpr.planjson.Row[] rest
function rows.all(walk)
  local all, left = planned_changes.all(walk)
  local list, rest = {}, {}
  for _, one in ipairs(all) do
    if one.mode ~= "ephemeral" then list[#list + 1] = add_values(walk, one) end
  end
  for i, one in ipairs(left) do rest[i] = add_values(walk, one) end
  return list, rest
end

-- Returns the row of an imported instance; nil if its values are unknown or nothing is imported.
local function imported_row(walk, instance, declaration, expansion, key)
  local schema = walk.evaluation.schema_row(declaration)
  local block, address = schema and schema.block, naming.within(instance.address, naming.instance(declaration.address, key))
  local found = plan_instance.imported(walk.module, declaration, block, expansion.ids and expansion.ids[address])
  return found and {
    address = address, module = instance.address, path = instances.steps(instance), mode = declaration.mode, type = declaration.type,
    name = declaration.name, key = key, schema = block, schema_version = schema and schema.version or 0,
    provider = providers.full_name(declaration.folder, (naming.provider(declaration))),
    before = value_parts.parts(change.object_of(found, block)),
  }
end

--- Lists rows of imported instances that weren't planned because something is wrong.
---@param walk hclexpr.module.Walk
---@return hclexpr.planjson.Row[]
function rows.only_imported(walk)
  local list, state = {}, walk.run.state
  for _, node in ipairs(walk.failed and walk.graph:of_list "resources" or {}) do
    local declaration = node.declaration
    for _, instance in ipairs(walk.instances[node.config] or {}) do
      local expansion = instance.resources[declaration.address]
      for _, key in ipairs(expansion and expansion.looked_at and expansion.keys or {}) do
        local is_there = expansion.instances[key] ~= nil or state and state:entry(instance, declaration, expansion.mode, key)
        list[#list + 1] = not is_there and imported_row(walk, instance, declaration, expansion, key) or nil
      end
    end
  end
  return list
end

-- Trees of modules

--- Makes the tree of modules with the resources of rows, as in `planned_values` and `prior_state`. It has only modules that contain
--- resources, and those in `others`.
---@param list hclexpr.planjson.Row[]
---@param resource fun(row: hclexpr.planjson.Row): table
---@param others? { name: string, key: integer|string|false }[][] the steps to each other module
---@return table root
function rows.tree(list, resource, others)
  local root, made = {}, {}
  local function module_of(path, n)
    if n == 0 then return root end
    local address = naming.module(path, n)
    local module = made[address]
    if not module then
      local parent = module_of(path, n - 1)
      module = { address = address }
      made[address], parent.child_modules = module, parent.child_modules or {}
      table.insert(parent.child_modules, module)
    end
    return module
  end
  for _, row in ipairs(list) do
    local module = module_of(row.path, #row.path)
    module.resources = module.resources or {}
    table.insert(module.resources, row)
  end
  for _, path in ipairs(others or {}) do module_of(path, #path) end
  local function by_address(a, b) return a.address < b.address end
  local function tree(module)
    local children = module.child_modules or {}
    table.sort(children, by_address)
    return trees.object { address = module.address, resources = trees.list(module.resources or {}, resource),
                          child_modules = trees.list(children, tree) } or {}
  end
  return tree(root)
end

--- Returns the parts of a row as shown. Parts that are secret after the change are also secret before it. With `reveal`, nothing is secret.
---@param row hclexpr.planjson.Row
---@param parts table<string, hclexpr.Value>
---@param reveal? boolean
---@return table<string, hclexpr.Value>
function rows.shown(row, parts, reveal)
  if reveal then return parts end
  local made, attributes = {}, row.schema and row.schema.attributes or {}
  for name, part in pairs(parts) do
    local attribute = attributes[name]
    for _, other in ipairs { row.before or parts, row.parts or parts } do
      local like = attribute and attribute.copies and other[attribute.copies] or other[name]
      if like and not rawequal(like, part) then part = typed_values.with_marks(part, like) end
    end
    made[name] = part
  end
  return made
end

--- Returns the fields at the beginning of each description of a resource.
---@param row hclexpr.planjson.Row
---@return table
function rows.head(row)
  return { address = row.address, mode = row.mode, type = row.type, name = row.name, index = row.key or nil, provider_name = row.provider }
end

return rows
