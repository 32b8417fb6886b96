-- Replaces the text of a module's file (m:change). If the change affects only single declarations of values, resources or checks,
-- everything that doesn't depend on them keeps its values; after any other change the module reads all its files again. Blocks before the
-- first change aren't read again, because their places stay. (plan/change.lua decides about one instance of a plan; plan/changes.lua lists
-- a plan's changes.)
local core = require "hclexpr.core"
local dependencies = require "hclexpr.terraform.read.dependencies"
local Findings = require "hclexpr.terraform.language.findings"
local folders = require "hclexpr.terraform.read.folder"
local frames = require "hclexpr.terraform.instance.frames"
local naming = require "hclexpr.terraform.language.naming"
local module_schemas = require "hclexpr.terraform.read.schemas"
local bundled_schemas = require "hclexpr.terraform.read.bundled_schemas"
local config_tree = require "hclexpr.terraform.tree.config"

local change = {}

-- Types of blocks whose declarations can be exchanged one by one.
local simple = {
  variable = true, locals = true, output = true, resource = true, data = true, ephemeral = true, check = true, module = true,
}
local lists = { variable = "variables", ["local"] = "locals", output = "outputs", resource = "resources", check = "checks", call = "calls" }

local function file_in(folder, path)
  for _, file in ipairs(folder and folder.files or {}) do
    if file.path == path then return file end
  end
end

-- Returns the Configs that use a folder.
local function configs_of(module, folder)
  local found = {}
  for _, config in ipairs(dependencies.modules(module.root)) do
    if config.folder == folder then found[#found + 1] = config end
  end
  return found
end

-- Counts the first blocks of a file that are the same, at the same places, in another text. The rest of a block's last line must be the
-- same too.
local function unchanged(file, text)
  local old, blocks = file.text, file.blocks
  if file.path:find "%.json$" then return 0 end
  local kept, same, more = 0, 0, #blocks + 1
  while more - kept > 1 do
    local half = math.floor((kept + more) / 2)
    local stop = old:find("\n", blocks[half].range.stop.byte, true)
    if stop and old:sub(same + 1, stop) == text:sub(same + 1, stop) then kept, same = half, stop else more = half end
  end
  return kept
end

-- Returns the declarations of a file after its first `kept` blocks, by address; or nil if a later block isn't of a simple type.
local function declared(file, kept)
  local order, found = file.order, {}
  for i = kept + 1, #file.blocks do
    if not simple[file.blocks[i].type] then return nil end
  end
  for i = #order, 1, -1 do
    local declaration = order[i]
    if declaration.at <= kept then break end
    found[declaration.address] = declaration
  end
  return found
end

local function text_of(declaration)
  local range = declaration.block and declaration.block.range or declaration.attribute.range
  return declaration.file.text:sub(range.start.byte + 1, range.stop.byte)
end

-- Reads a new text after its first `kept` blocks. Returns its declarations and its file if these may replace `old`, the declarations of the
-- old text; otherwise nil.
local function exchangeable(module, folder, file, path, kept, old)
  for _, other in ipairs(folder.files) do
    if other.override then return nil end
  end
  if module.problems or not old then return nil end
  local alone = folders.read_file(folder.dir, path, module.loader.files, module.loader.limits, kept)
  if not alone.files[1] or alone.findings:count() > 0 then return nil end
  local new = declared(alone.files[1], kept)
  for address, declaration in pairs(new or {}) do
    local key = declaration.kind == "resource" and address or declaration.name
    local known = folder[lists[declaration.kind]][key]
    if known and (known.file ~= file or known.at <= kept) then return nil end
    declaration.folder = folder
  end
  return new, alone.files[1]
end

-- Adds to `ways` the facts about resources that other declarations of the folder may depend on: the names of their types and the providers
-- that they use. (The names of types of data sources always exist.)
local function ways_to(declarations, ways)
  for _, declaration in pairs(declarations) do
    if declaration.kind == "resource" then
      if declaration.mode == "managed" then ways[declaration.type] = true end
      local given = declaration.provider
      ways["provider " .. (given and given.key or "") .. " of " .. naming.of_type(declaration.type)] = true
    end
  end
  return ways
end

-- Returns true if replacing `old` by `new` changes the facts that ways_to collects.
local function moves_ways(folder, old, new)
  local stay = {}
  for address, declaration in pairs(folder.resources) do
    if not old[address] then stay[address] = declaration end
  end
  local before, after = ways_to(folder.resources, {}), ways_to(new, ways_to(stay, {}))
  for way in pairs(before) do
    if not after[way] then return true end
    after[way] = nil
  end
  return next(after) ~= nil
end

-- Returns true if local values and variables of these Configs may determine the tree of modules, as in the source of a call.
local function make_tree(configs)
  for _, config in ipairs(configs) do
    if config.makes_tree then return true end
  end
  return false
end

-- Splits the addresses in the old and the new text into changed and unchanged ones; returns nil if a change affects the whole module.
local function compare(module, folder, old, new)
  local changed, same, of_resource = {}, {}, false
  local is_root, is_fixed = folder == module.root.folder, make_tree(configs_of(module, folder))
  for address, declaration in pairs(old) do
    if new[address] and text_of(declaration) == text_of(new[address]) then same[address] = true
    else changed[address] = declaration end
  end
  for address, declaration in pairs(new) do
    if not old[address] then changed[address] = declaration end
  end
  for _, declaration in pairs(changed) do
    local kind = declaration.kind
    if kind == "call" or kind == "variable" and (not is_root or declaration.const) then return nil end
    if is_fixed and (kind == "variable" or kind == "local") then return nil end
    of_resource = of_resource or kind == "resource"
  end
  for address in pairs(changed) do
    for _, declaration in ipairs { old[address] or new[address], new[address] } do
      -- A trigger affects actions. If a resource is read by a name that the facts about its small provider lack, it counts as one without a
      -- schema.
      local content = declaration.block and declaration.block.body or declaration.attribute.expression
      if declaration.action_triggers or bundled_schemas.strays(folder, content) then return nil end
    end
  end
  if of_resource and moves_ways(folder, old, new) then return nil end
  return changed, same
end

-- Replaces the declarations of a file after its first `kept` blocks by those in `read`.
local function exchange(folder, file, read, old, new, kept)
  local order = file.order
  while order[1] and order[#order].at > kept do order[#order] = nil end
  for _, declaration in ipairs(read.order) do
    declaration.file, order[#order + 1] = file, declaration
  end
  for i = 1, kept do read.blocks[i] = file.blocks[i] end -- kept blocks have the same places
  file.text, file.blocks = read.text, read.blocks
  for address, declaration in pairs(old) do
    folder[lists[declaration.kind]][declaration.kind == "resource" and address or declaration.name] = nil
    folder.declared[address] = nil
  end
  for address, declaration in pairs(new) do
    folder[lists[declaration.kind]][declaration.kind == "resource" and address or declaration.name] = declaration
    folder.declared[address] = declaration
  end
end

-- Adds to `stale` the nodes that need one of its nodes, directly or indirectly.
local function spread(stale, users)
  local queue = {}
  for node in pairs(stale) do queue[#queue + 1] = node end
  for _, node in ipairs(queue) do
    for _, user in ipairs(users[node] or {}) do
      if not stale[user] then
        stale[user] = true
        queue[#queue + 1] = user
      end
    end
  end
end

-- Makes all walks forget the values of stale nodes and the frames of Configs.
local function forget(module, stale, configs)
  for _, walk in pairs(module.evaluation.walks) do
    for node in pairs(stale) do walk:forget(node) end
    for _, config in ipairs(configs) do
      for _, instance in ipairs(walk.instances[config] or {}) do instance.frame = nil end
    end
    walk.cycles = {}
  end
end

-- Returns the keys of the nodes of declarations. The steps are written out: with a loop over them LuaJIT 2.1.0-beta3 left out all but the
-- first, once in some 20,000 changes, and never with its compiler off. The reason is unknown.
local function keys_of(addresses)
  local keys, n = {}, 0
  for address in pairs(addresses) do
    keys[n + 1], keys[n + 2], keys[n + 3] = address, address .. " (validation)", address .. " (close)"
    n = n + 3
  end
  return keys
end

-- Returns the existing nodes of a Config that have one of the keys, and the nodes that need such a key, even a missing one.
local function touched(graph, config, keys, users, missing)
  local nodes, namers = {}, {}
  for _, key in ipairs(keys) do
    local node = (graph.nodes[config] or {})[key]
    if node then nodes[#nodes + 1] = node end
    for _, user in ipairs((missing[config] or {})[key] or {}) do namers[#namers + 1] = user end
    for _, user in ipairs(node and users[node] or {}) do namers[#namers + 1] = user end
  end
  return nodes, namers
end

-- Adds to `stale` the nodes that reported something, because the places or the suggested names in their reports may have changed. Nodes of
-- cycles are added too, because a cycle is reported where it is found.
local function add_reporting(module, stale)
  for _, walk in pairs(module.evaluation.walks) do
    for node in pairs(walk.found) do stale[node] = true end
    for _, component in ipairs(walk.cycles) do
      for _, node in ipairs(component) do stale[node] = true end
    end
  end
end

-- Gives the nodes of unchanged declarations the new declarations, whose places differ.
local function renew_declarations(graph, configs, same, new)
  for _, config in ipairs(configs) do
    for _, child in pairs(config.children) do
      local call = new[child.call.address]
      if call then
        child.call = call
        config_tree.read_arguments({ findings = Findings.new(), late = Findings.new() }, child) -- reports nothing, as before
      end
    end
    for _, key in ipairs(keys_of(same)) do
      local node = (graph.nodes[config] or {})[key]
      if node then
        local declaration = new[node.declaration.address]
        node.declaration = declaration
        -- The node's needs aren't computed again. They lack references in parts that its schema doesn't name, so such references are
        -- ignored in the new declaration, too.
        if declaration.kind == "resource" then dependencies.bodies(declaration) end
      end
    end
  end
end

-- Returns the Configs that a call made: all but the root.
local function called_of(configs)
  local called = {}
  for _, config in ipairs(configs) do
    if config.parent then called[#called + 1] = config end
  end
  return called
end

local function apply(module, folder, file, read, old, new, changed, same, kept)
  local graph, configs, stale, keys = module.evaluation.graph, configs_of(module, folder), {}, keys_of(changed)
  local users, missing = graph:users()
  exchange(folder, file, read, old, new, kept)
  frames.forget(folder)
  for _, config in ipairs(configs) do
    local nodes, namers = touched(graph, config, keys, users, missing)
    for _, node in ipairs(nodes) do stale[node] = true end
    for _, node in ipairs(namers) do
      stale[node] = true
      node.needs = nil
    end
  end
  -- The "close" node of a module needs everything that its folder declares.
  local called = called_of(configs)
  for _, config in ipairs(called) do
    local close = graph:node(config.parent, config.call.address .. " (close)")
    stale[close], close.needs = true, nil
  end
  add_reporting(module, stale)
  spread(stale, users)
  forget(module, stale, configs)
  renew_declarations(graph, configs, same, new)
  for _, config in ipairs(configs) do graph:forget(config, keys) end
  for _, walk in pairs(module.evaluation.walks) do
    for _, config in ipairs(configs) do walk:renew_module(config) end
  end
  module_schemas.watch(module, new)
  -- If the last search found no cycle, any new cycle passes through nodes that have changed since.
  if module.evaluation.cycles ~= false then
    module.evaluation.cycles = nil
  else
    local unchecked = module.evaluation.unchecked or {}
    module.evaluation.unchecked = unchecked
    for node in pairs(stale) do unchecked[node] = true end
    for _, config in ipairs(configs) do
      for _, key in ipairs(keys) do
        local node = graph:node(config, key)
        if node then unchecked[node] = true end
      end
    end
  end
end

local function has_variable(declarations)
  for _, declaration in pairs(declarations) do
    if declaration.kind == "variable" then return true end
  end
  return false
end

--- Replaces the text of a file; without a text, reads the file again. Everything that depends on the change is evaluated again on its next
--- use.
---@param path string
---@param text? string
---@return true? sound
---@return hclexpr.Diagnostics? err what is wrong with the files now
function change:change(path, text)
  self.loader.files:allow(core.scope_limits(self.options.scope))
  self.loader.files:put(path, text)
  local known, folder = config_tree.file_at(self.loader, path)
  local file = file_in(folder, known)
  if file and self.begun then
    local kept = text and unchanged(file, text) or 0
    local old = declared(file, kept)
    local new, read = exchangeable(self, folder, file, known, kept, old)
    local changed, same
    if new then changed, same = compare(self, folder, old, new) end
    if changed then
      apply(self, folder, file, read, old, new, changed, same, kept)
      if folder == self.root.folder and (has_variable(old) or has_variable(new)) then self:_read_inputs() end
      return true
    end
  end
  return self:reload()
end

return change
