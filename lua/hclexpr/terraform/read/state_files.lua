-- Reads state files: turns versions 1 to 3 into the form of version 4, reads the outputs of any version, and explains why other files can't
-- be read. Each such explanation (`why`) continues a sentence that begins with the name of a file, or "It".
local core = require "hclexpr.core"
local naming = require "hclexpr.terraform.language.naming"
local typed_values = require "hclexpr.terraform.schema.typed_values"
local wellformed = require "hclexpr.terraform.schema.wellformed"

local state_files = {}

-- Returns x if it is a table, and an empty table otherwise. Needed because a state file may contain anything.
local function tabled(x)
  return type(x) == "table" and x or {}
end

-- Returns the names in an object, sorted.
local function names_in(object)
  local names = {}
  for name in pairs(tabled(object)) do names[#names + 1] = type(name) == "string" and name or nil end
  table.sort(names)
  return names
end

-- Flat attributes are texts by paths: { ["a.#"] = "1", ["a.0.b"] = "x", ["tags.%"] = "1", ["tags.c.d"] = "y" }

local DEEPEST = 100

local function is_whole(text) return text:find "^[+-]?%d+$" ~= nil end

-- Returns the set of path prefixes that lead to maps: the rest of such a path is one key. Before version 3, maps had a number of elements
-- "#", as lists have.
local function maps_in(flat, version)
  local maps = {}
  for path in pairs(flat) do
    local i, depth = path:find(".", 1, true), 1
    while i and depth < DEEPEST do
      local before, step = path:sub(1, i), path:match("^[^.]*", i + 1)
      maps[before] = maps[before] or step == "%" or version < 3 and step ~= "#" and flat[before .. "#"] and not is_whole(step) or nil
      i, depth = path:find(".", i + 1, true), depth + 1
    end
  end
  return maps
end

-- Puts a text into the tree at its path.
local function put(tree, maps, path, text)
  local at, from, depth = tree, 1, 1
  while true do
    local dot = not maps[path:sub(1, from - 1)] and depth < DEEPEST and path:find(".", from, true)
    if not dot then
      at[path:sub(from)] = at[path:sub(from)] or text
      return
    end
    local step = path:sub(from, dot - 1)
    at[step] = at[step] or {}
    at, from, depth = at[step], dot + 1, depth + 1
    if type(at) ~= "table" then return end
  end
end

local function by_number(a, b)
  local m, n = tonumber(a), tonumber(b)
  if m and n and m ~= n then return m < n end
  return a < b
end

-- Turns a part of the tree into data. In a set, the numbers of the elements are hashes. Before version 3 an empty collection may be a list
-- or a map, so it is left out.
local function grown(node, version)
  if type(node) ~= "table" then return node end
  local keys, is_list = {}, node["#"] ~= nil and node["%"] == nil
  for key in pairs(node) do
    if key ~= "#" and key ~= "%" then keys[#keys + 1] = key end
    is_list = is_list and (key == "#" or is_whole(key))
  end
  if version < 3 and node["#"] and not keys[1] then return nil end
  local made = is_list and setmetatable({}, core.array_mt) or {}
  if is_list then table.sort(keys, by_number) end
  for i, key in ipairs(keys) do made[is_list and i or key] = grown(node[key], version) end
  return made
end

local function attributes_of(object, version)
  local flat, tree = {}, {}
  for path, text in pairs(tabled(object.attributes)) do
    if type(path) == "string" and type(text) == "string" then flat[path] = text end
  end
  if type(object.id) == "string" and object.id ~= "" and (flat.id or "") == "" then flat.id = object.id end
  local maps = maps_in(flat, version)
  for _, path in ipairs(names_in(flat)) do put(tree, maps, path, flat[path]) end
  return grown(tree, version)
end

-- Resources

-- Splits a resource's key, such as "aws_instance.web.0" or "data.aws_ami.one"; returns nil for other texts.
local function resource_of(key)
  local mode, rest = "managed", key
  if key:find "^data%..*%." then mode, rest = "data", key:sub(#"data." + 1) end
  local type_name, name, index = rest:match "^([^.]*)%.([^.]*)%.?(%d*)$"
  if not type_name then return nil end
  return { mode = mode, type = type_name, name = name, index_key = tonumber(index) }
end

-- Returns the source of a provider that the file names by its local name: "aws", "aws.west", "provider.aws", "module.m.provider.aws.west".
local function provider_of(given, resource)
  local name = type(given) == "string" and (given:match "provider%.([^.]+)" or given:match "^([^.]+)") or naming.of_type(resource.type)
  return name == "terraform" and naming.with_host(naming.BUILTIN) or naming.with_host(naming.implied(name))
end

local function instance_of(object, key, version, deposed)
  return { index_key = key, status = object.tainted == true and "tainted" or nil, deposed = deposed, flat = true,
           attributes = attributes_of(object, version) }
end

local function add_resources(made, module, address, version)
  local rows = {}
  for _, key in ipairs(names_in(module.resources)) do
    local given, resource = tabled(module.resources[key]), resource_of(key)
    if not resource then return nil, ("has a resource by %s, which is not an address."):format(core.quote(key)) end
    local name = naming.resource(resource.mode, resource.type, resource.name)
    local row = rows[name]
    if not row then
      row = { module = address, mode = resource.mode, type = resource.type, name = resource.name, instances = {},
              provider = ('provider["%s"]'):format(provider_of(given.provider, resource)) }
      rows[name], made[#made + 1] = row, row
    end
    local list = row.instances
    if type(given.primary) == "table" then list[#list + 1] = instance_of(given.primary, resource.index_key, version) end
    for i, left in ipairs(tabled(given.deposed)) do
      list[#list + 1] = instance_of(tabled(left), resource.index_key, version, ("%08x"):format(i))
    end
  end
  return true
end

-- Outputs

local words = { string = "string", number = "number", boolean = "bool" }

-- Returns types of data without a type, in the form of JSON: first the exact type, then one with lists or maps instead of tuples and
-- objects whose elements all have the same type. The third result is an id of the exact type; `ids` has the ids that exist already.
local function types_of(x, ids, depth)
  if type(x) ~= "table" or depth == DEEPEST then
    local word = x == core.null and "dynamic" or words[type(x)] or "number"
    return word, word, word
  end
  local is_list = getmetatable(x) == core.array_mt or x[1] ~= nil
  local parts, all, first, same = {}, {}, nil, nil
  for key, part in (is_list and ipairs or pairs)(x) do
    local exact, simple, id = types_of(part, ids, depth + 1)
    parts[key], all[#all + 1] = exact, is_list and id or core.quote(tostring(key)) .. id
    first = first or simple
    if same == nil then same = id elseif same ~= id then same = false end
  end
  if not is_list then table.sort(all) end
  local exact, whole = { is_list and "tuple" or "object", parts }, (is_list and "[" or "{") .. table.concat(all, ",")
  if not ids[whole] then ids[whole], ids.n = "#" .. ids.n, ids.n + 1 end
  return exact, same and { is_list and "list" or "map", first } or exact, ids[whole]
end

local function outputs_of(module)
  local outputs = {}
  for _, name in ipairs(names_in(module.outputs)) do
    local given = module.outputs[name]
    local value = given -- version 1 has only strings
    if type(given) == "table" then value = given.value end
    if value == nil then value = core.null end
    outputs[name] = { value = value, type = select(2, types_of(value, { n = 0 }, 1)), sensitive = tabled(given).sensitive == true }
  end
  return outputs
end

-- Versions

-- Returns the address of a module from its path in a file, or nil if the path is invalid.
local function module_of(path, version)
  if path == nil and version == 1 then return "" end
  path = tabled(path)
  if path[1] ~= "root" then return nil end
  local address = ""
  for i = 2, #path do
    if type(path[i]) ~= "string" or not core.name_columns(path[i]) then return nil end
    address = naming.within(address, "module." .. path[i])
  end
  return address
end

local function upgraded(document)
  if type(document.serial) == "number" and document.serial < 0 then return nil, "has a negative serial number." end
  local made = { version = 4, terraform_version = document.terraform_version, outputs = {}, resources = {} }
  for _, module in ipairs(tabled(document.modules)) do
    module = tabled(module)
    local address = module_of(module.path, document.version)
    if not address then return nil, "has a module with an invalid path." end
    local ok, why = add_resources(made.resources, module, address, document.version)
    if not ok then return nil, why end
    if address == "" then made.outputs = outputs_of(module) end
  end
  return made
end

local NEWEST = 4

--- Returns a document in the form of version 4, or in the form that `terraform show -json` prints; nil and the reason if the document can't
--- be read.
---@param document table
---@return table?
---@return string? why
---@return "encrypted"? reason if OpenTofu has encrypted the document
function state_files.read(document)
  local version = document.version
  if version == nil and type(document.encrypted_data) == "string" then
    return nil, "is encrypted by OpenTofu. `tofu state pull` prints it in a readable form.", "encrypted"
  elseif document.format_version ~= nil or version == NEWEST then
    return document
  elseif version == nil then
    return nil, "is neither a state file nor what `terraform show -json` prints: it has no version."
  elseif version == 1 or version == 2 or version == 3 then
    return upgraded(document)
  end
  return nil, ("is a state file %s, but only versions 1 to %d can be read. `terraform show -json` prints it in a readable form."):format(
    type(version) == "number" and "of version " .. tostring(version) or "whose version isn't a number", NEWEST)
end

--- Returns the outputs of a document by name, without marks; nil and the reason if one is wrong. The message doesn't show values, because
--- they may be secret.
---@param outputs table<string, { value: any, type: any }>
---@param is_file boolean the outputs are from a state file: each has a type, and values of the type `any` contain their own
---@return table<string, hclexpr.Value>?
---@return string? why
function state_files.outputs(outputs, is_file)
  local values = {}
  outputs = wellformed.outputs(outputs) or {}
  for _, name in ipairs(names_in(outputs)) do
    local output = outputs[name]
    local json = output.type
    if json == nil and not is_file then json = "dynamic" end
    if not typed_values.is_type(json) then return nil, ("has an output %s whose type is unknown."):format(core.quote(name)) end
    local fits = typed_values.fits(output.value, json)
    values[name] = fits and typed_values.value(output.value, json, typed_values.type(json), nil, is_file) or nil
    if not values[name] then return nil, ("has an output %s whose value doesn't fit its type."):format(core.quote(name)) end
  end
  return values
end

return state_files
