-- Reads addresses of resources and modules in moved, removed and import blocks.
local check = require "hclexpr.check"
local core = require "hclexpr.core"
local Findings = require "hclexpr.terraform.language.findings"
local references = require "hclexpr.terraform.read.references"
local constant_expressions = require "hclexpr.terraform.read.constant_expressions"
local naming = require "hclexpr.terraform.language.naming"
local places = require "hclexpr.places"

local addresses = {}

---@class hclexpr.module.Address
---@field what "module"|"resource"
---@field module string "" or "module.a.module.b", without keys
---@field steps { name: string, key: integer|string|false }[] the calls in `module`, with keys
---@field key? integer|string|false of the instance of a resource
---@field mode? "managed"|"data"|"ephemeral"
---@field type? string
---@field name? string

local function fault(p, range, text, ...)
  p.reader.findings:report("MODULE_ADDRESS", { object = p.expression, range = range }, text, ...)
end

--- Returns true if a step of a traversal is the key of an instance.
---@param step? table
---@return boolean
function addresses.is_key(step)
  return step ~= nil and step.kind ~= "attr" and step.kind ~= "root"
end

local is_key = addresses.is_key

-- Words that can't begin an address.
local others = {}
for word in ("count each local module path self terraform var template lazy arg"):gmatch "%S+" do others[word] = true end

-- Words that may precede the type in a `removed` block, each with the mode that it means.
local removed_modes = { data = "data" }

--- Reads the module calls at the beginning of an address: module.a["k"].module.b.
---@param steps table[] of a traversal
---@return { name: string, key: integer|string|false, at?: table }[] calls at: the step that is the key
---@return integer next the index of the first step after the calls
---@return { range?: hclexpr.Range, text: string }? why why the calls are wrong; the range is nil if something is missing at the end
function addresses.calls(steps)
  local calls, i = {}, 1
  while steps[i] and steps[i].text == "module" and not is_key(steps[i]) do
    local name, after = steps[i + 1], steps[i + 2]
    if not name or name.kind ~= "attr" then
      return calls, i, { range = name and name.range, text = "The name of a module call belongs after \"module.\"." }
    end
    local at, key, why = is_key(after) and after or nil, nil, nil
    if at then key, why = references.instance_key(at) end
    if why then return calls, i, why end
    calls[#calls + 1] = { name = name.text, key = key or false, at = at }
    i = i + (at and 3 or 2)
  end
  return calls, i
end

-- Reads and checks the module calls of an address. Returns them and the index after them; or reports a mistake and returns nil.
local function read_calls(p, traversal, no_keys)
  local calls, i, why = addresses.calls(traversal.steps)
  for _, call in ipairs(no_keys and calls or {}) do
    if call.at then return fault(p, call.at.range, "This block is for all instances: remove the key.") end
  end
  if not why then return calls, i end
  return fault(p, why.range or traversal.range, why.text)
end

local function refuse(from, to, text)
  return nil, { range = { filename = from.range.filename, start = from.range.start, stop = to.range.stop }, text = text }
end

--- Reads the resource or instance at the end of an address, from step i on.
---@param steps table[] of a traversal
---@param i integer
---@param no_keys? boolean reject keys, as in `removed` blocks, which mean all instances
---@return { mode: string, type: string, name: string, key: integer|string|false }?
---@return { range: hclexpr.Range, text: string }? why the address is wrong
function addresses.resource(steps, i, no_keys)
  local first, last = steps[i], steps[#steps]
  if others[first.text] and not no_keys then
    return refuse(first, last, first.text .. " can't begin an address of a resource. For a type of this name write resource." .. first.text)
  end
  local mode = (no_keys and removed_modes or naming.modes)[first.text]
  if mode then i = i + 1 end
  local type, name, key, own = steps[i], steps[i + 1], steps[i + 2], false
  if not name then return refuse(type or first, last, "The address of a resource has its type and its name: terraform_data.a") end
  if is_key(type) then return refuse(type, type, "The type of a resource belongs here.") end
  if is_key(name) then return refuse(name, name, "The name of a resource belongs here.") end
  if key then
    if no_keys then return refuse(key, key, "This block is for all instances: remove the key.") end
    local more = steps[i + 3] or not is_key(key) and key
    if more then return refuse(more, more, "An address ends with the name of a resource, or with its key.") end
    local why
    own, why = references.instance_key(key)
    if why then return nil, why end
  end
  return { mode = mode or "managed", type = type.text, name = name.text, key = own }
end

--- Reads a reference as an address; if it isn't one, reports why and returns nil.
---@param p hclexpr.module.Part
---@param traversal table
---@param options { no_keys?: boolean }
---@return hclexpr.module.Address?
function addresses.read(p, traversal, options)
  local calls, i = read_calls(p, traversal, options.no_keys)
  if not calls then return nil end
  local names = {}
  for n, call in ipairs(calls) do names[n] = { name = call.name } end
  local module = naming.module(names)
  if not traversal.steps[i] then return { what = "module", module = module, steps = calls } end
  local found, why = addresses.resource(traversal.steps, i, options.no_keys)
  if not found then return fault(p, why.range, why.text) end
  return { what = "resource", module = module, steps = calls, mode = found.mode, type = found.type, name = found.name, key = found.key }
end

--- Returns the full address without keys that an Address means in a module.
---@param module string the module's address
---@param address hclexpr.module.Address
---@return string
function addresses.within(module, address)
  module = naming.within(module, address.module)
  if address.what == "module" then return module end
  return naming.within(module, naming.resource(address.mode, address.type, address.name))
end

-- Returns the steps of a tree, except the root of a traversal or the source of a relative one.
local function steps_of(expression, tree)
  local steps, first = {}, tree.kind == "traversal" and 1 or 0
  local source, before = expression:source(), expression:range().start.byte
  for i, step in ipairs(tree.steps) do
    local range = tree.step_ranges[first + i]
    local written, kind = source:sub(range.start.byte - before + 1, range.stop.byte - before), "number"
    if type(step) == "string" then kind = written:find "^%." and "attr" or written:find '"' and "key" or "constant" end -- [true]
    steps[i] = { kind = kind, text = tostring(step), range = range }
  end
  return steps
end

-- Returns all steps of a tree except indexes that aren't constant: a[b].c gives a.c. Returns nil if the tree isn't a reference.
local function static_steps(expression, tree)
  if tree.kind == "index" then return static_steps(expression, tree.collection) end
  local steps
  if tree.kind == "relative" then steps = static_steps(expression, tree.source)
  elseif tree.kind == "traversal" then steps = { { kind = "root", text = tree.root, range = tree.step_ranges[1] } } end
  for _, step in ipairs(steps and steps_of(expression, tree) or {}) do steps[#steps + 1] = step end
  return steps
end

--- Reads the address of a resource, whose keys may be any expressions; if a part isn't one, reports that and returns nil.
---@param p hclexpr.module.Part
---@return hclexpr.module.Address?
---@return hclexpr.Expression? expression
function addresses.read_dynamic(p)
  local expression = p.reader.json and constant_expressions.expression(p) or not p.reader.json and p.expression or nil
  local steps = expression and static_steps(expression, expression:ast())
  if not steps then
    fault(p, p.range, "The address of a resource belongs here: terraform_data.a")
    return nil
  end
  local range = { filename = p.range.filename, start = steps[1].range.start, stop = steps[#steps].range.stop }
  local address = addresses.read(p, { steps = steps, range = range }, {})
  if not address or address.what == "resource" then return address, expression end
  fault(p, range, "A resource in the module belongs after its name: %s.terraform_data.a", address.module)
  return nil
end

local compiled = setmetatable({}, { __mode = "k" })

-- Compiles an index as an expression of its own, once. Returns nil and diagnostics if the index is wrong.
local function compiled_key(expression, range)
  local known = compiled[expression] or {}
  compiled[expression] = known
  local at = range.start.byte
  if not known[at] then
    local before = expression:range().start.byte
    local key, err = core.compile(expression:source():sub(at - before + 1, range.stop.byte - before),
      places.options(range))
    if not key then return nil, err end
    known[at] = key
  end
  return known[at]
end

-- Returns Diagnostics of a key, which was compiled by itself, as diagnostics of the whole expression.
local function placed(expression, err)
  local all
  for _, d in ipairs(err) do all = Findings.join(all, Findings.diagnose(d, expression, d.range, d.detail)) end
  return all
end

-- Returns the key that an index evaluates to with the values of `each`; or nil and what is wrong, such as an unknown key. Reference: other
-- names and functions aren't allowed.
local function index_key(expression, tree, each)
  local range = tree.range
  local function wrong(text) return nil, Findings.diagnose("MODULE_ADDRESS", expression, range, text) end
  local key, err = compiled_key(expression, range)
  if key and key:calls()[1] then return wrong "The address of an import can't call functions." end
  local value
  if key then value, err = key:value { each = each } end
  if not value then return nil, placed(expression, err) end
  local marked = core.is_marked(value)
  value = value:unmark()
  local kind = not value:is_null() and core.kind(value)
  key = kind == "string" and value:text() or kind == "number" and tonumber(value:text())
  if not key or type(key) == "number" and key % 1 ~= 0 then return wrong "The key of an instance must be a string or a whole number." end
  if marked then return wrong "The key is sensitive, but the address would show it." end
  return key
end

-- Returns the text of an address with its keys, nil, and the last key or false. If a key is wrong, returns nil and diagnostics.
---@return string?, hclexpr.Diagnostics?, integer|string|false|nil
local function text_of(expression, tree, each)
  if tree.kind == "index" then
    local text, err = text_of(expression, tree.collection, each)
    if not text then return nil, err end
    local key, why = index_key(expression, tree.key, each)
    if key == nil then return nil, why end
    return naming.instance(text, key), nil, key
  end
  ---@type string?, hclexpr.Diagnostics?, integer|string|false|nil
  local text, err, key = tree.root, nil, false
  if tree.kind == "relative" then text, err, key = text_of(expression, tree.source, each) end
  if not text then return nil, err end
  for _, step in ipairs(steps_of(expression, tree)) do
    if step.kind == "attr" then text, key = text .. "." .. step.text, false
    else
      key = references.instance_key(step)
      ---@cast key -?
      text = naming.instance(text, key)
    end
  end
  return text, nil, key
end

--- Returns the address of a resource's instance with the keys that `each` gives; or nil and what is wrong with a key.
---@param expression hclexpr.Expression that read_dynamic() found to be an address
---@param each? table
---@return string? address
---@return hclexpr.Diagnostics? err
---@return integer|string|false|nil key
function addresses.text(expression, each)
  local text, err, key = text_of(expression, expression:ast(), each)
  return text and text:gsub("^resource%.", "") or nil, err, key
end

--- Splits the address of a module instance: 'module.a["k"].module.b' gives { { name = "a", key = "k" }, { name = "b", key = false } }.
--- Returns nil for any other text.
---@param address string
---@return { name: string, key: integer|string|false }[]?
function addresses.module_steps(address)
  local expression = check.possible(core.compile(address))
  local traversal = expression and core.traversals(expression)[1]
  if not traversal or traversal.path ~= address then return nil end
  local calls, after, why = addresses.calls(traversal.steps)
  return not (why or traversal.steps[after]) and calls or nil
end

return addresses
