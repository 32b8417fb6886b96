-- Addresses of resources and modules in moved, removed and import blocks.
local core = require "hclexpr.core"
local Findings = require "hclexpr.terraform.language.findings"
local static = require "hclexpr.terraform.read.static"
local naming = require "hclexpr.terraform.language.naming"

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
for word in ("count each local module path self terraform var template lazy arg"):gmatch "%S+" do others[word] = true end

-- Words in front of a type. What is removed is a resource or a data source.
local removed_modes = { data = "data" }

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
local function read_resource(p, steps, i, address, no_keys)
  local last = steps[#steps].range
  local function wrong(from, to, text)
    fault(p, { filename = from.filename, start = from.start, stop = to.stop }, text)
    return nil
  end
  local word = (no_keys and removed_modes or naming.modes)[steps[i].text]
  if others[steps[i].text] and not no_keys then return wrong(steps[i].range, last, "This word begins no address of a resource.") end
  address.mode = word or "managed"
  if word then i = i + 1 end
  local type, name = steps[i], steps[i + 1]
  if not name then return wrong((type or steps[i - 1]).range, last, "A resource is named by its type and its name: terraform_data.a") end
  if is_key(type) then return wrong(type.range, type.range, "The type of a resource belongs here.") end
  if is_key(name) then return wrong(name.range, name.range, "The name of a resource belongs here.") end
  address.what, address.type, address.name, address.key = "resource", type.text, name.text, false
  i = i + 2
  local key = steps[i]
  if not key then return address end
  if no_keys then return wrong(key.range, key.range, "All instances are meant here, so there is no key.") end
  local more = steps[i + 1] or not is_key(key) and key
  if more then return wrong(more.range, more.range, "An address ends with the name of a resource, or with its key.") end
  address.key = key_of(key)
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
  return read_resource(p, traversal.steps, i, address, options.no_keys)
end

--- What an Address means in a module, without keys.
---@param module string the module's address
---@param address hclexpr.module.Address
---@return string
function addresses.within(module, address)
  module = naming.within(module, address.module)
  if address.what == "module" then return module end
  return naming.within(module, naming.resource(address.mode, address.type, address.name))
end

-- The steps of a tree behind its root or source.
local function steps_of(expression, tree)
  local steps, first = {}, tree.kind == "traversal" and 1 or 0
  local source, before = expression:source(), expression:range().start.byte
  for i, step in ipairs(tree.steps) do
    local range = tree.step_ranges[first + i]
    local from = range.start.byte - before + 1
    local is_name = type(step) == "string" and source:sub(from, from) == "."
    steps[i] = { kind = is_name and "attr" or type(step) == "string" and "key" or "number", text = tostring(step), range = range }
  end
  return steps
end

-- All steps of a tree, without indexes that are no constants: a[b].c is a.c. nil: it is no reference.
local function static_steps(expression, tree)
  if tree.kind == "index" then return static_steps(expression, tree.collection) end
  local steps
  if tree.kind == "relative" then steps = static_steps(expression, tree.source)
  elseif tree.kind == "traversal" then steps = { { kind = "root", text = tree.root, range = tree.step_ranges[1] } } end
  for _, step in ipairs(steps and steps_of(expression, tree) or {}) do steps[#steps + 1] = step end
  return steps
end

--- The address of a resource, whose keys may be any expressions.
---@param p hclexpr.module.Part
---@return hclexpr.module.Address?
---@return hclexpr.Expression? expression
function addresses.read_dynamic(p)
  local expression = p.reader.json and static.expression(p) or not p.reader.json and p.expression
  local steps = expression and static_steps(expression, expression:ast())
  if not steps then
    fault(p, p.range, "The address of a resource belongs here: terraform_data.a")
    return nil
  end
  local range = { filename = p.range.filename, start = steps[1].range.start, stop = steps[#steps].range.stop }
  local address = addresses.read(p, { steps = steps, range = range }, {})
  if not address or address.what == "resource" then return address, expression end
  fault(p, range, "Behind the name of a module belongs a resource in it: %s.terraform_data.a", address.module)
  return nil
end

local compiled = setmetatable({}, { __mode = "k" })

-- An index as an expression, compiled once; or nil and what is wrong.
local function compiled_key(expression, range)
  local known = compiled[expression] or {}
  compiled[expression] = known
  local at = range.start.byte
  if not known[at] then
    local before = expression:range().start.byte
    local key, err = core.compile(expression:source():sub(at - before + 1, range.stop.byte - before),
      { filename = range.filename, line = range.start.line, column = range.start.column })
    if not key then return nil, err end
    known[at] = key
  end
  return known[at]
end

-- The key that an index is with what `each` has; nil: it isn't known, or is wrong: Diagnostics. Reference: no other names, and no functions.
local function index_key(expression, tree, each)
  local range = tree.range
  local function wrong(text) return nil, Findings.diagnose("MODULE_ADDRESS", expression, range, text) end
  local key, err = compiled_key(expression, range)
  if key and key:functions()[1] then return wrong "No functions can be called in the address of an import." end
  local value
  if key then value, err = key:value { each = each } end
  if not value then return nil, err end
  if not value:is_known() then return nil end
  local marked = #value:marks() > 0
  value = value:unmark()
  local kind = not value:is_null() and value:type():kind()
  if kind ~= "string" and kind ~= "number" then return wrong "The key of an instance is a text or a whole number." end
  if marked then return wrong "The key is sensitive, and would show in the address." end
  return kind == "string" and value:text() or tonumber(value:text())
end

-- An address with its keys, and the last key behind it, or false; nil: a key isn't known, or wrong, and what is wrong.
local function text_of(expression, tree, each)
  if tree.kind == "index" then
    local text, err = text_of(expression, tree.collection, each)
    if not text then return nil, err end
    local key
    key, err = index_key(expression, tree.key, each)
    if key == nil then return nil, err end
    return naming.instance(text, key), key
  end
  local text, key = tree.root, false
  if tree.kind == "relative" then text, key = text_of(expression, tree.source, each) end
  if not text then return nil, key end
  for _, step in ipairs(steps_of(expression, tree)) do
    if step.kind == "attr" then text, key = text .. "." .. step.text, false
    else
      key = key_of(step)
      text = naming.instance(text, key)
    end
  end
  return text, key
end

--- The address of an instance of a resource, with the keys that `each` makes; nil: one isn't known, or it is wrong: Diagnostics.
---@param expression hclexpr.Expression that read_dynamic() found to be an address
---@param each? table
---@return string? address
---@return integer|string|false|hclexpr.Diagnostics|nil key
function addresses.text(expression, each)
  local text, key = text_of(expression, expression:ast(), each)
  return text and text:gsub("^resource%.", "") or nil, key
end

--- The steps of an address of an instance of a module: 'module.a["k"].module.b' is { { name = "a", key = "k" }, { name = "b", key = false } };
--- nil: it is none.
---@param address string
---@return { name: string, key: integer|string|false }[]?
function addresses.module_steps(address)
  local expression = core.compile(address)
  local traversal = expression and core.traversals(expression)[1]
  if not traversal or traversal.path ~= address then return nil end
  local found, i, list = {}, 1, traversal.steps
  while list[i] do
    local name, key = list[i + 1], list[i + 2]
    if list[i].text ~= "module" or not name or name.kind ~= "attr" and i > 1 then return nil end
    local indexed = key and is_key(key)
    found[#found + 1] = { name = name.text, key = indexed and key_of(key) or false }
    i = i + (indexed and 3 or 2)
  end
  return found
end

return addresses
