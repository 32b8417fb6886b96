-- The instances of resources that a plan speaks of, in the order of Terraform's: those that are planned, and those that only the state has.
local addresses = require "hclexpr.terraform.read.addresses"
local core = require "hclexpr.core"
local instances = require "hclexpr.terraform.instance.instances"
local prepared_schemas = require "hclexpr.terraform.schema.schema_blocks"
local proposal = require "hclexpr.terraform.plan.proposal"
local providers = require "hclexpr.terraform.plan_json.providers"
local State = require("hclexpr.lazy") "hclexpr.terraform.plan.state"
local typed_values = require "hclexpr.terraform.schema.typed_values"
local values = require "hclexpr.terraform.plan_json.values"
local naming = require "hclexpr.terraform.language.naming"

local rows = {}

---@class hclexpr.planjson.Row
---@field address string
---@field module string the address of its module
---@field path { name: string, key: integer|string|false }[] the same in steps
---@field mode string
---@field type string
---@field name string
---@field key integer|string|false
---@field provider? string
---@field version integer of its schema
---@field block? table its schema
---@field parts? table<string, hclexpr.Value> what is planned; nil: it goes
---@field after? table<string, hclexpr.Value> the same with the marks of the change
---@field before? table<string, hclexpr.Value>
---@field entry? table what the state has
---@field note? hclexpr.module.Change
---@field declaration? hclexpr.module.Declaration
---@field instance? hclexpr.module.Instance of what is planned
---@field expansion? hclexpr.module.Expansion
---@field action? string what becomes of it
---@field from? string the address that the state has it by, where that is another

-- What is read of the state bears no marks of the schema.
local function with_marks(parts, block)
  if not block then return parts end
  local value = core.value(parts)
  return proposal.parts(prepared_schemas.of(block), value, value)
end

-- Order: numbers in front of texts, and no key in front of both.

local ranks = { boolean = 1, number = 2, string = 3 }

local function compare_keys(a, b)
  local x, y = ranks[type(a)], ranks[type(b)]
  if x ~= y then return x - y end
  if a == b then return 0 end
  return a < b and -1 or 1
end

local function compare_texts(a, b)
  if a == b then return 0 end
  return a < b and -1 or 1
end

local fields = { "mode", "type", "name" }

local function compare(a, b)
  if #a.path ~= #b.path then return #a.path - #b.path end
  for i, step in ipairs(a.path) do
    local found = compare_texts(step.name, b.path[i].name)
    if found == 0 then found = compare_keys(step.key, b.path[i].key) end
    if found ~= 0 then return found end
  end
  for _, field in ipairs(fields) do
    local found = compare_texts(a[field], b[field]) -- data comes before managed
    if found ~= 0 then return found end
  end
  local found = compare_keys(a.key, b.key)
  return found ~= 0 and found or compare_texts(a.entry and a.entry.deposed or "", b.entry and b.entry.deposed or "")
end

--- Sorts rows as changes are.
---@param list hclexpr.planjson.Row[]
---@return hclexpr.planjson.Row[]
function rows.sort(list)
  table.sort(list, function(a, b) return compare(a, b) < 0 end)
  return list
end

-- Planned ones

local function planned_row(walk, instance, declaration, expansion, key)
  local value, note = expansion.instances[key], expansion.noted and expansion.noted[key]
  local schema = walk.module.run.schema_row(declaration)
  local row = {
    address = naming.within(instance.address, naming.instance(declaration.address, key)), module = instance.address,
    path = instances.steps(instance), mode = declaration.mode, type = declaration.type, name = declaration.name, key = key,
    provider = providers.full_name(declaration.folder, (naming.provider(declaration))), version = schema and schema.version or 0,
    block = schema and schema.block, parts = values.parts(core.as_written(value)), note = note,
    declaration = declaration, instance = instance, expansion = expansion, entry = note and note.entry,
  }
  -- Reference: of what takes the place of another only the change has the schema's marks.
  row.after = note and note.reason and with_marks(row.parts, row.block) or row.parts
  row.before = note and note.before and with_marks(note.before, row.block)
  local entry = row.entry
  local from = entry and State.address(entry)
  row.from = from ~= row.address and from or nil
  return row
end

local function add_planned(walk, list)
  for _, node in ipairs(walk.graph:of_list "resources") do
    local declaration = node.declaration
    for _, instance in ipairs(declaration.mode ~= "ephemeral" and walk.instances[node.config] or {}) do
      local expansion = instance.resources[declaration.address]
      for _, key in ipairs(expansion and expansion.keys or {}) do
        if expansion.instances[key] ~= nil then list[#list + 1] = planned_row(walk, instance, declaration, expansion, key) end
      end
    end
  end
end

-- Those of the state

-- It is where it was moved to, if nothing else is there.
local function state_row(module, entry, taken, places)
  local provider = State.provider(entry)
  local of_provider = module.run.provider_schemas[naming.with_other_host(provider)]
  local schemas = of_provider and of_provider.resource_schemas
  local schema = schemas and schemas[entry.type]
  local steps = entry.module ~= "" and addresses.module_steps(entry.module) or nil
  local row = { address = State.address(entry), module = entry.module, path = steps or {}, mode = "managed", type = entry.type,
                name = entry.name, key = entry.key, provider = provider, version = schema and schema.version or 0,
                block = schema and schema.block, entry = entry }
  local place = places[entry.left] or module.run.state:moved(entry, row.path)
  local address = naming.within(naming.module(place.steps), naming.instance(place.address, place.key))
  if (steps or entry.module == "") and address ~= row.address and (entry.deposed or not taken[address]) then
    row.from, row.address, row.module, row.path, row.key = row.address, address, naming.module(place.steps), place.steps, place.key
    row.type, row.name = place.address:match "([^.]+)%.([^.]+)$"
  end
  row.before = with_marks(module.run.state:values(entry, row.block), row.block)
  return row
end

--- All instances: what is planned, in order; and what the state has and no plan claims.
---@param walk hclexpr.module.Walk
---@return hclexpr.planjson.Row[] planned
---@return hclexpr.planjson.Row[] left
function rows.all(walk)
  local planned, left, claimed, taken = {}, {}, {}, {}
  add_planned(walk, planned)
  for _, row in ipairs(planned) do
    if row.entry then claimed[row.entry] = true end
    taken[row.address] = true
  end
  local state = walk.module.run.state
  local places, from
  if state then places, from = state:left_behind(walk) end
  for _, row in ipairs(from and planned or {}) do row.from = row.from or from[row.address] end
  for _, list in ipairs(state and { state.managed, state.deposed } or {}) do
    for _, entry in ipairs(list) do
      if not claimed[entry] then left[#left + 1] = state_row(walk.module, entry, taken, places) end
    end
  end
  return rows.sort(planned), rows.sort(left)
end

-- Trees of modules

--- Modules with the resources of rows in them, as `planned_values` and `prior_state` have them: only those that hold some.
---@param list hclexpr.planjson.Row[]
---@param resource fun(row: hclexpr.planjson.Row): table
---@return table root
function rows.tree(list, resource)
  local root, made = {}, {}
  local function module_of(path, n)
    if n == 0 then return root end
    local address = naming.module(path, n)
    local module = made[address]
    if not module then
      local parent = module_of(path, n - 1)
      module = { address = address }
      made[address], parent.child_modules = module, parent.child_modules or values.list()
      table.insert(parent.child_modules, module)
    end
    return module
  end
  for _, row in ipairs(list) do
    local module = module_of(row.path, #row.path)
    module.resources = module.resources or values.list()
    table.insert(module.resources, resource(row))
  end
  local function by_address(a, b) return a.address < b.address end
  for _, module in pairs(made) do
    if module.child_modules then table.sort(module.child_modules, by_address) end
  end
  if root.child_modules then table.sort(root.child_modules, by_address) end
  return root
end

--- The parts of a row as they are shown: those that are secret in what it becomes, too, are so before. reveal: as they are.
---@param row hclexpr.planjson.Row
---@param parts table<string, hclexpr.Value>
---@param reveal? boolean
---@return table<string, hclexpr.Value>
function rows.shown(row, parts, reveal)
  if reveal then return parts end
  local made = {}
  for name, part in pairs(parts) do
    for _, other in ipairs { row.before or parts, row.parts or parts } do
      -- The output of terraform_data is what its input was, and bears none of its marks.
      local like = name == "output" and row.type == "terraform_data" and other.input or other[name]
      if like then part = typed_values.with_marks(part, like) end
    end
    made[name] = part
  end
  return made
end

--- What all descriptions of a resource begin with.
---@param row hclexpr.planjson.Row
---@return table
function rows.head(row)
  return { address = row.address, mode = row.mode, type = row.type, name = row.name, index = row.key or nil, provider_name = row.provider }
end

return rows
