-- A state has the existing objects. It is read from a state file, or from the output of `terraform show -json`.
local addresses = require "hclexpr.terraform.read.addresses"
local copied = require("hclexpr.util").copied
local core = require "hclexpr.core"
local instances = require "hclexpr.terraform.instance.instances"
local lazy = require "hclexpr.lazy"
local prepared_schemas = lazy "hclexpr.terraform.schema.prepared_schemas"
local bundled_schemas = lazy "hclexpr.terraform.read.bundled_schemas"
local sorted = require("hclexpr.util").sorted
local state_files = lazy "hclexpr.terraform.read.state_files"
local typed_values = lazy "hclexpr.terraform.schema.typed_values"
local wellformed = lazy "hclexpr.terraform.schema.wellformed"
local naming = require "hclexpr.terraform.language.naming"

---@class hclexpr.module.State
---@field entries table<string, table<integer|string|false, table>> by address without key, then by key
---@field managed table[] the entries of managed resources, in document order
---@field data table[] all other entries, in document order
---@field deposed table[] entries of objects that are only waiting to be destroyed, each with its deposed key
---@field left table<string, table<integer|string|false, table[]>> the deposed entries by the address and key of their instance
---@field hollow { module: string, address: string }[] resources without objects, as a failed apply leaves them
---@field outputs table<string, { value: any, type: any, sensitive: boolean }>
---@field by_place? table<string, table[]> the results of entries_of
---@field modules? table<string, true> addresses of modules that have objects
---@field root hclexpr.module.Config
---@field wrapped boolean values of the type `any` contain their type, as in a state file
---@field moves { path: string[], from: hclexpr.module.Address, to: hclexpr.module.Address }[]
local State = {}
State.__index = State

-- Returns x if it is a table, and an empty table otherwise. Needed because a state may contain anything.
local function tabled(x)
  return type(x) == "table" and x or {}
end

-- Returns the key of an instance, or false if it lacks a key; nil if an instance can't have such a key.
local function key_of(key)
  if type(key) == "number" then return key >= 0 and key < 2 ^ 53 and key == math.floor(key) and key or nil end
  if type(key) ~= "string" then return false end
  return core.is_text(key) and key or nil
end

local function add(state, module, row, key, entry)
  key = key_of(key)
  if type(row.type) ~= "string" or type(row.name) ~= "string" or key == nil then return end
  module = type(module) == "string" and module or ""
  local declared = naming.resource(row.mode, row.type, row.name)
  local address = naming.within(module, declared)
  entry.module, entry.address, entry.key, entry.type, entry.name = module, declared, key, row.type, row.name
  entry.mode = row.mode
  entry.provider = row.provider or row.provider_name
  if entry.deposed then
    state.deposed[#state.deposed + 1] = entry
    local of_address = state.left[address] or {}
    state.left[address] = of_address
    local left = of_address[key] or {}
    of_address[key --[[@as any]]], entry.left, left[#left + 1] = left, left, entry
    return
  end
  local of_address = state.entries[address] or {}
  state.entries[address] = of_address
  -- If several objects have the same place, the first one counts. An object that is still to be destroyed follows the one that replaced it.
  if of_address[key] then return end
  of_address[key --[[@as any]]] = entry
  local list = state[row.mode == "managed" and "managed" or "data"]
  list[#list + 1] = entry
end

-- The output of `terraform show -json`

local function read_module(state, module)
  for _, row in ipairs(tabled(module.resources)) do
    row = tabled(row)
    add(state, module.address, row, row.index, { values = tabled(row.values), secrets = row.sensitive_values, tainted = row.tainted == true,
                                                 deposed = row.deposed_key, depends_on = row.depends_on })
  end
  for _, child in ipairs(tabled(module.child_modules)) do read_module(state, tabled(child)) end
end

local function read_shown(state, document)
  local shown = tabled(document.values or tabled(document.prior_state).values)
  state.outputs = tabled(shown.outputs)
  read_module(state, tabled(shown.root_module))
end

-- A state file

-- Returns the key in a step of a path { type, value = "a" }, or in an index { type, value = { value = 0 } }; nil if it isn't a key. Keys of
-- lists count from one.
local function step_key(step)
  local key = tabled(step).value
  if type(key) == "table" then key = key.value end
  return type(key) == "number" and key + 1 or type(key) == "string" and key or nil
end

-- Turns a list of secret paths into a tree: a.b gives { a = { b = true } }. If a path lacks steps or a step can't be read, everything below
-- it is secret.
local function secrets_of(paths)
  local found = {}
  for _, path in ipairs(tabled(paths)) do
    local at, key = found, "all"
    for _, step in ipairs(tabled(path)) do
      local inner = step_key(step)
      if at[key] == true or inner == nil then break end
      at[key] = at[key] or {}
      at, key = at[key], inner
    end
    at[key] = true
  end
  return found.all
end

local function read_file(state, document)
  state.wrapped, state.outputs = true, tabled(document.outputs)
  for _, row in ipairs(tabled(document.resources)) do
    row = tabled(row)
    if type(row.type) == "string" and type(row.name) == "string" and tabled(row.instances)[1] == nil then
      local module = type(row.module) == "string" and row.module or ""
      table.insert(state.hollow, { module = module, address = naming.resource(row.mode, row.type, row.name) })
    end
    for _, one in ipairs(tabled(row.instances)) do
      add(state, row.module, row, one.index_key, { values = tabled(one.attributes), secrets = secrets_of(one.sensitive_attributes),
                                                   tainted = one.status == "tainted", deposed = one.deposed ~= "" and one.deposed or nil,
                                                   depends_on = one.dependencies, flat = one.flat,
                                                   early = one.create_before_destroy == true })
    end
  end
end

-- Moves

local function add_moves(moves, config, path)
  for _, d in ipairs(config.folder.others) do
    if d.kind == "moved" and d.from and d.to then moves[#moves + 1] = { path = path, from = d.from, to = d.to } end
  end
  for _, name in ipairs(sorted(config.children)) do
    local child = config.children[name]
    local inner = copied(path)
    inner[#inner + 1] = name
    add_moves(moves, child, inner)
  end
end

-- A place in the tree of modules is { steps = { name, key }[], address = that of a resource in the last step, key }.

local function is_within(path, steps)
  for i, name in ipairs(path) do
    if not steps[i] or steps[i].name ~= name then return false end
  end
  return true
end

local function address_of(target)
  return naming.resource(target.mode, target.type, target.name)
end

-- Undoes a move: returns the place before the move, or nil if this move didn't lead to the place. If neither address of the move has a key,
-- it moves all instances.
local function undo(move, place)
  local n, to, from = #move.path, move.to, move.from
  if not is_within(move.path, place.steps) then return nil end
  local whole = to.what == "module"
  for i, step in ipairs(to.steps) do
    local at = place.steps[n + i]
    if not at or at.name ~= step.name then return nil end
    local open = whole and i == #to.steps and step.key == false and #from.steps > 0 and from.steps[#from.steps].key == false
    if at.key ~= step.key and not open then return nil end
  end
  local open_key
  if whole then
    if to.steps[#to.steps].key == false and from.steps[#from.steps].key == false then open_key = place.steps[n + #to.steps].key end
  else
    if #place.steps ~= n + #to.steps or place.address ~= address_of(to) then return nil end
    if to.key == false and from.key == false then open_key = place.key elseif place.key ~= to.key then return nil end
  end
  local steps = {}
  for i = 1, n do steps[i] = place.steps[i] end
  for _, step in ipairs(from.steps) do steps[#steps + 1] = { name = step.name, key = step.key } end
  if not whole then
    local key = from.key
    if open_key ~= nil then key = open_key end
    return { steps = steps, address = address_of(from), key = key }
  end
  if open_key ~= nil then steps[#steps].key = open_key end
  for i = n + #to.steps + 1, #place.steps do steps[#steps + 1] = place.steps[i] end
  return { steps = steps, address = place.address, key = place.key }
end

-- The largest number of consecutive moves that are followed. A longer chain must be a cycle.
local MOVES_MAX = 100

-- Returns the state's entries for an instance: its object, and the list of its deposed objects. Either may be nil.
local function at(state, address, key)
  local of_address, left = state.entries[address], state.left[address]
  return of_address and of_address[key], left and left[key]
end

-- Returns the state's entries for a place, or for the same resource with another key.
local function at_place(state, place, key)
  if key == nil then key = place.key end
  return at(state, naming.within(naming.module(place.steps), place.address), key)
end

-- Returns the set of addresses of modules that have objects.
local function modules_of(state)
  if not state.modules then
    state.modules = {}
    for _, entries in ipairs { state.managed, state.data, state.deposed } do
      for _, entry in ipairs(entries) do state.modules[entry.module] = true end
    end
  end
  return state.modules
end

-- Returns true if a move moves a whole module to a place where a module with objects exists. Reference: the module isn't moved then.
local function leads_to_module(state, move, place)
  local n = #move.path + #move.to.steps
  return move.to.what == "module" and #place.steps >= n and modules_of(state)[naming.module(place.steps, n)] == true
end

-- Returns true if a place to which a move leads is occupied. Reference: an object isn't moved there.
local function is_occupied(state, move, place)
  local is_taken, is_left = at_place(state, place)
  return is_taken ~= nil or is_left ~= nil or leads_to_module(state, move, place)
end

-- The largest number of places that are searched. Moves may lead to a place in several ways, and may be cyclic.
local PLACES_MAX = 200

-- Returns the entries for a place or, if the state lacks them, for another place from which moves lead to it.
local function find(state, place, seen)
  local address = naming.place(place)
  if seen[address] or seen.n == PLACES_MAX then return nil end
  seen[address], seen.n = true, seen.n + 1
  local entry, left = at_place(state, place)
  if entry or left then return entry, left end
  for _, move in ipairs(state.moves) do
    local before = not leads_to_module(state, move, place) and undo(move, place)
    if before then entry, left = find(state, before, seen) end
    if entry or left then return entry, left end
  end
end

-- Returns true if a move names the resource of a place.
local function names(move, place)
  local n = #move.path
  for _, target in ipairs { move.from, move.to } do
    local same = target.what ~= "module" and #place.steps == n + #target.steps and place.address == address_of(target)
      and is_within(move.path, place.steps)
    for i, step in ipairs(same and target.steps or {}) do
      local other = place.steps[n + i]
      same = same and other.name == step.name and other.key == step.key
    end
    if same then return true end
  end
  return false
end

local function is_named(state, place)
  for _, move in ipairs(state.moves) do
    if names(move, place) then return true end
  end
  return false
end

-- Returns the entries of a resource whose `count` was added or removed. Reference: its object becomes the first instance, or the only one,
-- unless a move names the resource. Returns nil for any other place.
local function implied(state, place, mode)
  local other
  if mode == "count" and place.key == 0 then other = false elseif mode == "single" then other = 0 else return nil end
  if is_named(state, place) then return nil end
  return at_place(state, place, other)
end

-- Returns the place to which an object moves because the `count` of its resource was added or removed; nil if it stays.
local function implied_place(state, place)
  local config = state.root
  for _, step in ipairs(place.steps) do config = config and config.children[step.name] end
  local declaration = config and config.folder.resources[place.address]
  local arguments, key = declaration and declaration.arguments, nil
  if not arguments then return nil end
  if arguments.count and place.key == false then key = 0 end
  if not arguments.count and not arguments.for_each and place.key == 0 then key = false end
  if key == nil or is_named(state, place) then return nil end
  local is_taken, is_left = at_place(state, place, key)
  return not is_taken and not is_left and { steps = place.steps, address = place.address, key = key } or nil
end

-- Returns both entries of a resource's instance, and the instance's place.
local function of_instance(state, instance, declaration, mode, key)
  local place = { steps = instances.steps(instance), address = declaration.address, key = key }
  local entry, left = find(state, place, { n = 0 })
  if not entry and not left then entry, left = implied(state, place, mode) end
  return entry, left, place
end

-- Questions

--- Makes a state of objects that were planned by this module.
---@param module hclexpr.Module
---@param entries table<string, table<integer|string|false, table>> as in a State, but with Values: { made = { name = Value } }
---@return hclexpr.module.State
function State.of(module, entries)
  local state = setmetatable({
    entries = entries, outputs = {}, managed = {}, data = {}, deposed = {}, left = {}, hollow = {}, wrapped = true, moves = {},
    root = module.root,
  }, State)
  add_moves(state.moves, module.root, {})
  return state
end

--- Makes a State of a document.
---@param module hclexpr.Module
---@param document table
---@return hclexpr.module.State
function State.new(module, document)
  local state = setmetatable({ entries = {}, managed = {}, data = {}, deposed = {}, left = {}, hollow = {}, outputs = {}, wrapped = false,
                               moves = {}, root = module.root }, State)
  document = wellformed.state(document)
  if document.version ~= nil and document.format_version == nil then read_file(state, document) else read_shown(state, document) end
  add_moves(state.moves, module.root, {})
  return state
end

-- Counts the instances in a document, which may contain anything; modules may even contain themselves.
local function count_of(document)
  local n, seen = 0, {}
  local stack = { document, tabled(tabled(document.values or tabled(document.prior_state).values).root_module) }
  while stack[1] do
    local module = tabled(table.remove(stack))
    if not seen[module] then
      seen[module] = true
      for _, row in ipairs(tabled(module.resources)) do
        local list = tabled(row).instances
        n = n + (type(list) == "table" and #list or 1)
      end
      for _, child in ipairs(tabled(module.child_modules)) do stack[#stack + 1] = child end
    end
  end
  return n
end

-- State files may be empty: an interrupted apply leaves empty ones.
State.may_be_empty = true

--- Returns a document in the form of version 4, or in the form that `terraform show -json` prints; nil and the reason if the document is
--- wrong or too large.
---@param document table
---@param files hclexpr.module.Files
---@return table?
---@return string? why
---@return string? reason
function State.accept(document, files)
  local made, why, reason = state_files.read(document)
  if not made then return nil, "It " .. why, reason end
  local too_many = files:hold(count_of(made), "instances in its state")
  if too_many then return nil, too_many end
  local is_file = made.format_version == nil
  local shown = tabled(made.values or tabled(made.prior_state).values)
  why = select(2, state_files.outputs(is_file and made.outputs or shown.outputs, is_file))
  if why then return nil, "It " .. why end
  return made
end

--- Returns the state's entry for an instance of a resource, or nil. If the entry is tainted, the object must be replaced.
---@param instance hclexpr.module.Instance
---@param declaration hclexpr.module.Declaration
---@param mode string of the resource's expansion
---@param key integer|string|false
---@return table? entry
function State:entry(instance, declaration, mode, key)
  return (of_instance(self, instance, declaration, mode, key)) or nil
end

--- Returns true if the state is empty.
---@return boolean
function State:is_empty()
  return next(self.entries) == nil and not self.deposed[1] and not self.hollow[1] and next(self.outputs) == nil
end

--- Returns the address of an entry in the state, before moves.
---@param entry table
---@return string
function State.address(entry)
  return naming.within(entry.module, naming.instance(entry.address, entry.key))
end

--- Returns the source of an entry's provider, with its host.
---@param entry table
---@return string
function State.provider(entry)
  local given = entry.provider or ""
  return given:match 'provider%["([^"]*)"%]' or given ~= "" and given or naming.with_host(naming.implied(naming.of_type(entry.type)))
end

--- Returns the places of deposed objects, which move with their instances. `places` has them by the lists of deposed entries. `from` has,
--- for an instance without another entry, the address where its deposed objects were.
---@param walk hclexpr.module.Walk
---@return table<table, { steps: table[], address: string, key: integer|string|false }> places
---@return table<string, string> from
function State:left_behind(walk)
  local found, from = {}, {}
  if not self.deposed[1] then return found, from end
  for _, node in ipairs(walk.graph:of_list "resources") do
    local declaration = node.declaration
    for _, instance in ipairs(walk.instances[node.config] or {}) do
      local expansion = instance.resources[declaration.address]
      for _, key in ipairs(expansion and expansion.keys or {}) do
        local entry, left, place = of_instance(self, instance, declaration, expansion.mode, key)
        if left then
          found[left] = place
          local was = State.address(left[1])
          local is = naming.within(instance.address, naming.instance(declaration.address, key))
          if not entry and was ~= is then from[is] = was end
        end
      end
    end
  end
  return found, from
end

local collections = { list = true, set = true, map = true }
local whole_object

-- Adds nested blocks that a block in a state lacks, because the state may have been made with another version of the schema. Reference: for
-- a provider, a list, set or map of such blocks is empty, not null.
local function whole(x, wanted)
  local is_many = collections[wanted.nesting]
  if x == nil and is_many then return wanted.nesting ~= "map" and setmetatable({}, core.array_mt) or {} end
  if type(x) ~= "table" or next(wanted.inner.blocks) == nil then return x end
  if not is_many then return whole_object(x, wanted.inner) end
  local made = setmetatable({}, getmetatable(x))
  for key, element in pairs(x) do made[key] = type(element) == "table" and whole_object(element, wanted.inner) or element end
  return made
end

function whole_object(x, prepared)
  local made = {}
  for name, part in pairs(x) do made[name] = part end
  for name, wanted in pairs(prepared.blocks) do made[name] = whole(x[name], wanted) end
  return made
end

--- Returns the values of an entry by a schema, or without a schema as the state has them.
---@param entry table
---@param schema? table
---@return table<string, hclexpr.Value>
function State:values(entry, schema)
  local values = {}
  if entry.made then
    for name, value in pairs(entry.made) do values[name] = value end
    return values
  end
  local hidden = not schema and bundled_schemas.secrets(State.provider(entry), entry.type)
  local function secrets(name)
    return entry.secrets == true or hidden and hidden[name] or tabled(entry.secrets)[name]
  end
  if not schema then
    for name, x in pairs(entry.values) do values[name] = typed_values.value(x, "dynamic", nil, secrets(name), self.wrapped) end
    return values
  end
  local prepared = prepared_schemas.of(schema)
  -- A value that doesn't fit was made with another version of the schema, so it is unknown.
  local function put(name, wanted, x)
    values[name] = typed_values.value(x, wanted.json, wanted.type, secrets(name), self.wrapped) or prepared_schemas.unknown(wanted)
  end
  for name, wanted in pairs(prepared.attributes) do put(name, wanted, entry.values[name]) end
  for name, wanted in pairs(prepared.blocks) do put(name, wanted, whole(entry.values[name], wanted)) end
  return values
end

--- Returns the place of an entry after all moves.
---@param entry table
---@param steps { name: string, key: integer|string|false }[] the path to its module
---@return { steps: table[], address: string, key: integer|string|false }
function State:moved(entry, steps)
  local place, i = { steps = steps, address = entry.address, key = entry.key }, 0
  while i < MOVES_MAX do
    local after, blocked
    for _, move in ipairs(self.moves) do
      after = undo({ path = move.path, from = move.to, to = move.from }, place)
      if after and not is_occupied(self, move, after) then break end
      after, blocked = nil, blocked or after ~= nil -- another move may lead elsewhere
    end
    if not after then return i == 0 and not blocked and implied_place(self, place) or place end
    place, i = after, i + 1
  end
  return place
end

--- Returns the place of an entry after all moves as the address of its module, the address in that module, and the key.
---@param entry table
---@param steps { name: string, key: integer|string|false }[]
---@param place? { steps: table[], address: string, key: integer|string|false } its place, if it is known
---@return string module
---@return string address
---@return integer|string|false key
function State:moved_address(entry, steps, place)
  place = place or self:moved(entry, steps)
  return naming.module(place.steps), place.address, place.key
end

--- Returns the existing objects of a resource, and the places to which moves lead them.
---@param address string of the resource, without keys
---@return { entry: table, place: { steps: table[], address: string, key: integer|string|false } }[]
function State:entries_of(address)
  if not self.by_place then
    self.by_place = {}
    for _, entries in pairs(self.entries) do
      for _, entry in pairs(entries) do
        local place = self:moved(entry, addresses.module_steps(entry.module) or {})
        local key = naming.without_keys(naming.place(place))
        local list = self.by_place[key] or {}
        self.by_place[key], list[#list + 1] = list, { entry = entry, place = place }
      end
    end
    for _, list in pairs(self.by_place) do
      table.sort(list, function(a, b) return State.address(a.entry) < State.address(b.entry) end)
    end
  end
  return self.by_place[address] or {}
end

--- Returns the outputs of the state by name.
---@return table<string, hclexpr.Value>
function State:output_values()
  local values = {}
  for name, output in pairs(self.outputs) do
    output = tabled(output)
    local json = output.type or "dynamic"
    values[name] = typed_values.value(output.value, json, typed_values.type(json), output.sensitive == true, self.wrapped)
  end
  return values
end

-- Returns the attributes of a resource's value by name, or nil. Without a schema they are the known parts of an open object.
local function attributes_of(value)
  local plain = value and value:unmark()
  if not plain then return nil end
  local known = plain
  if not plain:is_known() then known = (plain:refinements() or {}).attributes end
  if not known then return nil end
  local made = {}
  for name, part in known:pairs() do made[name] = part end
  return made
end

--- Returns the state after an apply: the objects that the walk made, and the old ones of failed instances and of what the targets leave
--- out.
---@param walk hclexpr.module.Walk
---@param before? hclexpr.module.State
---@return hclexpr.module.State
function State.after(walk, before)
  local entries, targets = {}, walk.run.targets
  for _, node in ipairs(walk.graph:of_list "resources") do
    local declaration = node.declaration
    for _, instance in ipairs(declaration.mode == "managed" and walk.instances[node.config] or {}) do
      local address = naming.within(instance.address, declaration.address)
      local expansion = (not targets or targets.nodes[node]) and instance.resources[declaration.address]
      local of_address = expansion and {} or before and before.entries[address]
      for _, key in ipairs(expansion and expansion.keys or {}) do
        local made = attributes_of(expansion.instances[key])
        if made then
          of_address[key --[[@as any]]] = {
            made = made, module = instance.address, address = declaration.address, key = key, type = declaration.type,
            name = declaration.name,
          }
        elseif before then of_address[key --[[@as any]]] = before:entry(instance, declaration, expansion.mode, key) end
      end
      entries[address] = of_address
    end
  end
  for address, kept in pairs(targets and before and before.entries or {}) do entries[address] = entries[address] or kept end
  return State.of(walk.module, entries)
end

return State
