-- Finds the names that have values at a place in a file: those of the module that the file belongs to; count, each and self of the block at
-- the place; iterators of `dynamic` blocks; and names of `for`. If there are several instances or elements, the first one counts. A name
-- without an instance, or whose value fails, is unknown, because editors ask while people still write.
local ast = require "hclexpr.ast"
local folders = require "hclexpr.terraform.read.folder"
local frames = require "hclexpr.terraform.instance.frames"
local dependencies = require "hclexpr.terraform.read.dependencies"

local place = {}

local function contains(range, byte)
  return range.start.byte <= byte and byte < range.stop.byte
end

-- Modules

local function has_file(folder, path)
  for _, file in ipairs(folder.files) do
    if file.path == path then return true end
  end
  return false
end

--- Returns the first module of the tree that a file belongs to, or nil. Callers come before the modules that they call.
---@param root hclexpr.module.Config
---@param path string
---@return hclexpr.module.Config?
function place.config(root, path)
  for _, config in ipairs(dependencies.modules(root)) do
    if has_file(config.folder, path) then return config end
  end
end

--- Returns the first instance of a module, or nil if the module has no instances.
---@param walk hclexpr.module.Walk
---@param config hclexpr.module.Config
---@return hclexpr.module.Instance?
function place.instance(walk, config)
  if not config.parent then return walk.root end
  local parent = place.instance(walk, config.parent)
  if not parent then return nil end
  local node = walk.graph:node(config.parent, config.call.address)
  if not node then return nil end
  walk:evaluate { node }
  local expansion = parent.children[config.name]
  return expansion and expansion.instances[expansion.keys[1]]
end

-- Blocks

local function outer_first(a, b)
  if a.start ~= b.start then return a.start < b.start end
  return a.stop > b.stop
end

-- Returns the ranges of a folder's declarations and their overrides by file, in the order of their starts. The `furthest` of a range is the
-- largest end among it and those before it. The ranges are computed once, because an editor asks for one place after another.
local function parts_of(folder)
  local parts = folder.cache.parts
  if parts then return parts end
  parts = {}
  local function add(range, declaration, body, expression)
    local list = parts[range.filename] or {}
    parts[range.filename] = list
    list[#list + 1] = { start = range.start.byte, stop = range.stop.byte, declaration = declaration, body = body, expression = expression }
  end
  for _, declaration in ipairs(folders.declarations(folder)) do
    local attribute, block = declaration.attribute, declaration.block
    if attribute then add(attribute.range, declaration, nil, attribute.expression) end
    for _, body in ipairs(declaration.bodies or {}) do
      local range = body:range()
      if range.filename ~= declaration.file.path then add(range, declaration, body) end
    end
    if block then add(block.range, declaration, block.body) end
  end
  for _, list in pairs(parts) do
    table.sort(list, outer_first)
    local furthest = 0
    for _, part in ipairs(list) do
      furthest = math.max(furthest, part.stop)
      part.furthest = furthest
    end
  end
  folder.cache.parts = parts
  return parts
end

-- Returns the innermost declaration at a place, and its body or expression there.
local function declaration_at(folder, path, byte)
  local list = parts_of(folder)[path] or {}
  local low, high = 0, #list -- list[low] begins at or before the byte, list[high + 1] after it
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if list[middle].start <= byte then low = middle else high = middle - 1 end
  end
  while low > 0 and byte < list[low].furthest do
    local part = list[low]
    if byte < part.stop then return part.declaration, part.body, part.expression end
    low = low - 1
  end
end

local kinds = { resource = "resources", action = "resources", call = "children" }

-- Returns the first resource that triggers an action, or nil.
local function caller_of(folder, action)
  local callers = dependencies.callers(folder, action.address)
  for _, address in ipairs(dependencies.steps(folder).resources) do
    if callers[address] then return folder.resources[address] end
  end
end

-- Returns a frame with count, each and self as in the first instance of a declaration.
local function frame_of(walk, instance, declaration)
  local home = kinds[declaration.kind]
  if declaration.kind == "check" then return frames.of_check(walk, instance, declaration) end
  if not home then return frames.plain(walk, instance) end
  walk:evaluate { walk.graph:node(instance.config, declaration.address) or nil }
  local expansion = instance[home][declaration.kind == "call" and declaration.name or declaration.address]
  local key = expansion and expansion.keys[1]
  local frame
  if walk.mode == "validate" or key == nil then
    frame = frames.unknown_key(walk, instance, declaration.arguments.count ~= nil, declaration.arguments.for_each ~= nil)
  else
    frame = frames.of_key(walk, instance, key, expansion.values and expansion.values[key])
  end
  if declaration.kind == "call" then return frame end
  if declaration.kind == "action" then
    declaration = caller_of(instance.config.folder, declaration)
    if not declaration then return frame end
    walk:evaluate { walk.graph:node(instance.config, declaration.address) or nil }
    expansion = instance.resources[declaration.address]
    key = expansion and expansion.keys[1]
  end
  local self = key ~= nil and expansion.instances[key]
  return frames.with_self(walk, frame, declaration, self or frames.unknown)
end

-- Names

-- Returns a copy of a frame with more names and their values.
local function with(frame, names)
  local variables = {}
  for _, list in ipairs { frame.variables or {}, names } do
    for name, value in pairs(list) do variables[name] = value end
  end
  local bound = {}
  for name in pairs(frame.bound or {}) do bound[name] = true end
  for name in pairs(names) do bound[name] = true end
  return { instance = frame.instance, context = frame.context, variables = variables, bound = bound, lookup = frame.lookup }
end

local function text_of(expression, range)
  local start = expression:range().start.byte
  return expression:source():sub(range.start.byte - start + 1, range.stop.byte - start)
end

-- Returns the key and the value of the first element of the collection at a range of an expression. Both are unknown if the collection is
-- unknown or empty.
local function first_element(value_of, frame, expression, range)
  local source = ("[for key, value in (%s\n) : [key, value]][0]"):format(text_of(expression, range))
  local pair = value_of(source, frame)
  local plain = pair and pair:unmark()
  if not plain or not plain:is_known() then return frames.unknown, frames.unknown end
  local key, value = plain:get(0), plain:get(1)
  for _, mark in ipairs(pair:marks()) do key, value = key:mark(mark), value:mark(mark) end
  return key, value
end

-- Returns the frame with the names of each `for` around a byte of an expression.
local function within_expression(value_of, frame, expression, byte)
  local at = expression:ast()
  while at do
    local inner
    ast.each_child(at, function(child)
      if contains(child.range, byte) then inner = child end
    end)
    if at.kind == "for" and inner ~= at.collection then
      local key, value = first_element(value_of, frame, expression, at.collection.range)
      local names = { [at.value_name] = value }
      if at.key_name then names[at.key_name] = key end
      frame = with(frame, names)
    end
    at = inner
  end
  return frame
end

-- Returns the frame, with the iterator of a block added if the block is `dynamic` and the byte is in its `labels` or content.
local function within_dynamic(value_of, frame, block, byte)
  local attributes, label = block.body.attributes, block.labels[1]
  if block.type ~= "dynamic" or not label or not attributes.for_each then return frame end
  for name, attribute in pairs(attributes) do
    if name ~= "labels" and contains(attribute.range, byte) then return frame end
  end
  local expression = attributes.for_each.expression
  local key, value = first_element(value_of, frame, expression, expression:range())
  return with(frame, { [attributes.iterator and attributes.iterator.expression:source() or label] = { key = key, value = value } })
end

local function within_body(value_of, frame, body, byte)
  for _, attribute in pairs(body.attributes) do
    if contains(attribute.range, byte) then return within_expression(value_of, frame, attribute.expression, byte) end
  end
  for _, block in ipairs(body.blocks) do
    if contains(block.range, byte) then return within_body(value_of, within_dynamic(value_of, frame, block, byte), block.body, byte) end
  end
  return frame
end

--- Returns the frame of a place in a file of an instance's module. If the place isn't in a declaration, it is the instance's frame.
---@param walk hclexpr.module.Walk
---@param instance hclexpr.module.Instance
---@param path string
---@param byte integer
---@param value_of fun(source: string, frame: hclexpr.module.Frame): hclexpr.Value? evaluates a source
---@return hclexpr.module.Frame
---@return hclexpr.module.Declaration? declaration a declaration that may have several instances; the frame has the key of the first
function place.frame(walk, instance, path, byte, value_of)
  local declaration, body, expression = declaration_at(instance.config.folder, path, byte)
  if not declaration then return frames.plain(walk, instance) end
  local frame = frame_of(walk, instance, declaration)
  local several = kinds[declaration.kind] and declaration or nil
  if expression then return within_expression(value_of, frame, expression, byte), several end
  return within_body(value_of, frame, body, byte), several
end

return place
