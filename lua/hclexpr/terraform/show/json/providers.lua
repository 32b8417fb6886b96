-- Writes providers for the JSON of plans: their full names, and the configurations that resources use.
local dependencies = require "hclexpr.terraform.read.dependencies"
local expressions = require "hclexpr.terraform.show.json.expressions"
local versions = require "hclexpr.terraform.read.versions"
local naming = require "hclexpr.terraform.language.naming"

local providers = {}

--- Returns the full name of the provider that a local name means in a folder.
---@param folder hclexpr.module.Folder
---@param name string
---@return string
function providers.full_name(folder, name)
  return naming.with_host(naming.source(folder.required_providers, name))
end

-- Versions

-- The order of constraints on the same version. "~>" with three numbers comes before "~>" with two.
local ranks = { [">"] = 1, [">="] = 2, ["="] = 3, [""] = 3, ["~>"] = 4, ["<="] = 6, ["<"] = 7, ["!="] = 8 }

local function is_of_two(c) return c.operator == "~>" and c.version.given < 3 end

local function rank(c) return is_of_two(c) and 5 or ranks[c.operator] end

local function written(c)
  local n = c.version.numbers
  local text = is_of_two(c) and ("%d.%d"):format(n[1], n[2]) or ("%d.%d.%d"):format(n[1], n[2], n[3])
  if c.version.prerelease ~= "" then text = text .. "-" .. c.version.prerelease end
  if c.version.metadata ~= "" then text = text .. "+" .. c.version.metadata end
  return (c.operator == "=" or c.operator == "") and text or c.operator .. " " .. text
end

-- Returns true if prerelease or metadata a comes before b. A text of one part comes before longer ones, then numbers come before names.
local function words_before(a, b)
  local x, more = a:match "^([^.]*)(.*)$"
  local y, others = b:match "^([^.]*)(.*)$"
  if (more == "") ~= (others == "") then return more == "" end
  if x == y and more ~= "" then return words_before(more:sub(2), others:sub(2)) end
  local number, other_number = not x:find "%D", not y:find "%D"
  if number ~= other_number then return number end
  if number and #x ~= #y then return #x < #y end
  return x < y
end

local function before(a, b)
  local v, w = a.version, b.version
  for i = 1, 3 do
    if v.numbers[i] ~= w.numbers[i] then return v.numbers[i] < w.numbers[i] end
  end
  if v.prerelease ~= w.prerelease then
    return v.prerelease ~= "" and (w.prerelease == "" or words_before(v.prerelease, w.prerelease))
  end
  if v.metadata ~= w.metadata then return words_before(v.metadata, w.metadata) end
  return rank(a) < rank(b)
end

-- Returns constraints in a canonical form, sorted and each once; nil if the texts have no constraints.
local function normal(texts)
  local all, seen, parts = {}, {}, {}
  for _, text in ipairs(texts) do
    for _, c in ipairs(versions.constraints(text) or {}) do all[#all + 1] = c end
  end
  table.sort(all, before)
  for _, c in ipairs(all) do
    local text = written(c)
    if not seen[text] then seen[text], parts[#parts + 1] = true, text end
  end
  return parts[1] and table.concat(parts, ", ") or nil
end

-- Returns the requirements of a module without those of the modules in it: { [full name] = texts of constraints }.
local function requirements(config)
  local folder, found = config.folder, {}
  local function add(full, text)
    found[full] = found[full] or {}
    table.insert(found[full], text)
  end
  for name in pairs(folder.required_providers) do
    local row = folder.required_rows[name]
    add(providers.full_name(folder, name), row and row.version)
  end
  for _, d in pairs(folder.providers) do
    local attribute = d.arguments.version
    local value = attribute and attribute.expression:literal()
    add(providers.full_name(folder, d.name), type(value) == "string" and value or nil)
  end
  for _, list in ipairs { folder.resources, folder.actions } do
    for _, d in pairs(list) do add(providers.full_name(folder, (naming.provider(d)))) end
  end
  return found
end

-- Configurations

local function key_in(config, name)
  return config.address == "" and name or config.address .. ":" .. name
end

-- Returns the key of the topmost configuration from which a module gets its own; nil if no configuration is passed from above.
local function source_of(rows, key, full)
  local found
  while key and rows[key] and rows[key].full_name == full do
    found, key = key, rows[key].parent
  end
  return found
end

local function put(rows, config, name, key, full, constraint)
  local made = { name = name, full_name = full, module_address = config.address ~= "" and config.address or nil,
                 version_constraint = constraint }
  rows[key_in(config, key)] = made
  return made
end

local function add_module(rows, config, schema_of, reveal)
  local folder, needed = config.folder, requirements(config)
  local function constraint(full) return normal(needed[full] or {}) end
  local function from_above(row, name)
    if config.parent then row.parent = source_of(rows, key_in(config.parent, name), row.full_name) end
  end
  for key, d in pairs(folder.providers) do
    local full = providers.full_name(folder, d.name)
    local row = put(rows, config, d.name, key, full, constraint(full))
    row.alias, row.expressions = d.alias, expressions.body(d.bodies, (schema_of(d)), reveal)
  end
  for name in pairs(folder.required_providers) do
    local full = providers.full_name(folder, name)
    for alias in pairs(folder.provider_aliases[name] or {}) do
      if not rows[key_in(config, alias)] then put(rows, config, name, alias, full, constraint(full)) end
    end
    if not rows[key_in(config, name)] then from_above(put(rows, config, name, name, full, constraint(full)), name) end
  end
  for full in pairs(needed) do
    local name = full:match "[^/]+$"
    if not rows[key_in(config, name)] then from_above(put(rows, config, name, name, full), name) end
  end
end

local function add_passed(rows, child)
  for _, pair in ipairs(child.call.providers or {}) do
    local full = providers.full_name(child.folder, pair.child.name)
    local row = put(rows, child, pair.child.key, pair.child.key, full)
    row.parent = source_of(rows, key_in(child.parent, pair.parent.key), full)
  end
end

--- Returns all provider configurations in a tree of modules by key, and a function that returns the key of the configuration of a resource
--- or action. Configurations that are passed from above are left out; resources then have the key of the original one. Reference: actions
--- don't.
---@param module hclexpr.Module
---@param reveal? boolean
---@return table<string, table>
---@return fun(config: hclexpr.module.Config, d: hclexpr.module.Declaration): string
function providers.configurations(module, reveal)
  local rows = {}
  for _, config in ipairs(dependencies.modules(module.root)) do
    if config.parent then add_passed(rows, config) end
    add_module(rows, config, module.evaluation.schema_of, reveal)
  end
  local made, parents = {}, {}
  for key, row in pairs(rows) do
    parents[key] = row.parent
    if not row.parent then made[key] = row end
  end
  return made, function(config, d)
    local _, name = naming.provider(d)
    local key = key_in(config, name)
    return d.kind ~= "action" and parents[key] or key
  end
end

return providers
