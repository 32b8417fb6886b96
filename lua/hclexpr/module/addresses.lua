-- Addresses of resources and modules in moved, removed and import blocks.
local core = require "hclexpr.core"
local static = require "hclexpr.module.static"

local addresses = {}

---@class hclexpr.module.Address
---@field what "module"|"resource"
---@field module string "" or "module.a.module.b", without keys
---@field steps { name: string, key: integer|string|false }[] the same with keys
---@field key? integer|string|false of the instance of a resource
---@field mode? "managed"|"data"|"ephemeral"
---@field type? string
---@field name? string

local function fault(p, range, text, ...)
  p.reader.findings:report("MODULE_ADDRESS", { object = p.expression, range = range }, text, ...)
end

-- A key of an instance?
local function is_key(step)
  return step ~= nil and step.kind ~= "attr" and step.kind ~= "root"
end

-- Words that begin no address.
local others = {}
for word in ("action count each local path self terraform var template lazy arg resource list"):gmatch "%S+" do others[word] = true end

local modes = { data = "data", ephemeral = "ephemeral" }

-- The key that a step is.
local function key_of(step)
  return step.kind == "number" and tonumber(step.text) or step.text
end

-- module.a["k"].module.b in front: the index behind it, or nil and a report.
local function read_modules(p, traversal, names)
  local steps, i = traversal.steps, 1
  while steps[i] and steps[i].text == "module" and not is_key(steps[i]) do
    local name = steps[i + 1]
    if not name or name.kind ~= "attr" then
      fault(p, name and name.range or traversal.range, "Behind module. belongs the name of a module call.")
      return nil
    end
    names[#names + 1] = "module." .. name.text
    names.steps[#names.steps + 1] = { name = name.text, key = false }
    i = i + 2
    if is_key(steps[i]) then
      if names.no_keys then
        fault(p, steps[i].range, "All instances are meant here, so there is no key.")
        return nil
      end
      names.steps[#names.steps].key = key_of(steps[i])
      i = i + 1
    end
  end
  return i
end

-- What is behind the modules.
local function read_resource(p, traversal, i, address, no_keys)
  local steps = traversal.steps
  address.mode = modes[steps[i].text] or "managed"
  if address.mode ~= "managed" then i = i + 1 end
  local type, name = steps[i], steps[i + 1]
  if not type or is_key(type) or not name or name.kind ~= "attr" or others[type.text] then
    fault(p, traversal.range, "A resource is named by its type and its name: terraform_data.a")
    return nil
  end
  address.what, address.type, address.name, address.key = "resource", type.text, name.text, false
  i = i + 2
  if is_key(steps[i]) and no_keys then return fault(p, steps[i].range, "All instances are meant here, so there is no key.") end
  if steps[i + 1] or steps[i] and not is_key(steps[i]) then
    local rest = { start = (steps[i + 1] or steps[i]).range.start, stop = traversal.range.stop }
    fault(p, rest, "An address ends with the name of a resource, or with its key.")
    return nil
  end
  if steps[i] then address.key = key_of(steps[i]) end
  return address
end

--- The address that a reference is, or nil and a report.
---@param p hclexpr.module.Part
---@param traversal table
---@param options { no_keys?: boolean }
---@return hclexpr.module.Address?
function addresses.read(p, traversal, options)
  local names = { no_keys = options.no_keys, steps = {} }
  local i = read_modules(p, traversal, names)
  if not i then return nil end
  local address = { what = "module", module = table.concat(names, "."), steps = names.steps }
  if not traversal.steps[i] then return address end
  return read_resource(p, traversal, i, address, options.no_keys)
end

-- The reference before indexes that are no constants: a[b].c is a.c.
local function static_part(tree)
  if tree.kind == "traversal" then return { root = tree.root, steps = tree.steps } end
  local inner = tree.kind == "index" and tree.collection or tree.kind == "relative" and tree.source
  local found = inner and static_part(inner)
  if not found or tree.kind == "index" then return found or nil end
  local steps = {}
  for _, step in ipairs(found.steps) do steps[#steps + 1] = step end
  for _, step in ipairs(tree.steps) do steps[#steps + 1] = step end
  return { root = found.root, steps = steps }
end

--- The same where keys may be any expressions.
---@param p hclexpr.module.Part
---@return hclexpr.module.Address?
function addresses.read_dynamic(p)
  local expression = p.reader.json and static.expression(p) or not p.reader.json and p.expression
  local found = expression and static_part(expression:ast())
  if not found then
    fault(p, p.range, "The address of a resource belongs here: terraform_data.a")
    return nil
  end
  local steps = { { kind = "root", text = found.root, range = p.range } }
  for i, step in ipairs(found.steps) do
    local plain = type(step) == "string" and core.name_columns(step) ~= nil
    steps[i + 1] = { kind = plain and "attr" or "number", text = tostring(step), range = p.range }
  end
  return addresses.read(p, { steps = steps, range = p.range }, {})
end

return addresses
