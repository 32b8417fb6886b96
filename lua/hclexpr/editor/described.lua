-- Declarations and names of a described language for the editor; names.lua does the same for Terraform. Bodies become layers in the form of
-- providers' schemas, and addresses become declarations. A name is an address, `self`, `parent`, `each`, or a name that the program gives.
local core = require "hclexpr.core"
local folders = require "hclexpr.editor.folders"
local hcl = require "hclexpr"
local language = require "hclexpr.terraform.language.language"
local names = require "hclexpr.editor.names"
local own_functions = require "hclexpr.editor.own_functions"
local schema_form = require "hclexpr.terraform.language.schema_form"
local shape = require "hclexpr.editor.shape"
local sorted = require("hclexpr.util").sorted
local values = require "hclexpr.languages.values"

local document = require "hclexpr.languages.document"

local described = {}

-- Bodies in the form of providers' schemas

-- Returns a type in JSON form.
local function json_of(t) return t and core.json_decode(t:json()) or "dynamic" end

local function give_deprecation(made, of)
  made.deprecated = of.deprecated and true or nil
  made.deprecation_message = type(of.deprecated) == "string" and of.deprecated or nil
  return made
end

local function row_of(a)
  return give_deprecation({
    type = json_of(a.kept and a.returns or a.type), description = a.description, required = a.required or nil,
    optional = not a.required and not a.value_from or nil, computed = a.value_from and true or nil, names = a.types,
    refers = a.ref or a.refs, unread = not values.has_value(a), facts = document.facts(a),
  }, a)
end

-- The argument for_each, for kinds of blocks that may have instances.
local for_each = { type = "dynamic", optional = true, unread = true, description = "One instance for each element of this map or set." }

local layer_of

-- The layers of blocks that declare values, taken from Terraform's blocks.
local variable = schema_form.of(language.file.blocks.variable)
local declaring = {
  locals = schema_form.of(language.file.blocks.locals),
  variables = { description = variable.description, block_types = variable.block_types, attributes = {} },
}
for _, name in ipairs { "default", "description", "nullable", "sensitive", "type" } do
  declaring.variables.attributes[name] = variable.attributes[name]
end

local function nested(made, kind)
  local layer = kind.declares and declaring[kind.declares] or layer_of(made, kind.level)
  local block = { attributes = layer.attributes, block_types = layer.block_types, open = layer.open,
                  description = kind.description or layer.description }
  if kind.for_each then
    block.attributes = { for_each = for_each }
    for name, row in pairs(layer.attributes) do block.attributes[name] = row end
  end
  return { block = block, labels = kind.labels, nesting_mode = kind.nesting, min_items = kind.min, max_items = kind.max,
           declares = kind.declares }
end

-- Returns the layer of a body. It is made only once, because a kind may contain itself.
function layer_of(made, level)
  local layer = made[level]
  if layer then return layer end
  layer = { attributes = {}, block_types = {} }
  made[level] = layer
  for _, a in ipairs(level.argument_list) do layer.attributes[a.name] = row_of(a) end
  for _, kind in ipairs(level.kind_list) do layer.block_types[kind.type] = nested(made, kind) end
  return layer
end

-- Addresses

-- Writes an address as source text.
local function written(root, steps)
  local text = root
  for _, step in ipairs(steps) do
    text = text .. (core.name_columns(step) and "." .. step or ("[%s]"):format(hcl.encode(step)))
  end
  return text
end

-- Returns the head (terraform/read/heads.lua) of a block whose kind has an address; nil if the block lacks a label.
local function head_of(block, kind)
  local steps, labels, last = {}, {}, nil
  for i, label in ipairs(kind.labels) do labels[label] = i end
  for i, part in ipairs(kind.address.parts) do
    local at = labels[part.label]
    steps[i] = part.word or block.labels[at]
    if not steps[i] then return nil end
    last = at
  end
  return { kind = kind.type, word = "block", name = steps[#steps] or kind.address.root, address = written(kind.address.root, steps),
           block = block, replaces = kind.duplicates == "last" or nil, label = last or false,
           name_range = last and block.label_ranges[last] or block.type_range }
end

local function of_local(attribute)
  return { kind = "local", name = attribute.name, address = "local." .. attribute.name, attribute = attribute,
           name_range = attribute.name_range }
end

-- Names

-- Returns the layer of the nth of nested blocks, and the block's row in the layer around it; nil if a block is unknown.
local function layer_at(vocabulary, blocks, n)
  local layer, target, row = vocabulary.top, nil, nil
  for i = 1, n do
    local block = blocks[i]
    if block.type == "dynamic" then
      target = block.labels[1]
    else
      row = layer.block_types[block.type == "content" and target or block.type]
      if not row then return nil end
      layer, target = row.block, nil
    end
  end
  return layer, row
end

-- Returns the shape of a block for expressions: an object of its arguments, blocks and labels; nil if the block is unknown.
local function of_block(vocabulary, folder, file, blocks, n)
  local block, around, layer, row = blocks[n], {}, layer_at(vocabulary, blocks, n)
  if not row then return nil end
  for i = 1, n do around[i] = blocks[i] end
  local made = names.of_blocks(folder, file, layer, { { body = block.body, blocks = around } },
    names.span(file, block.range, block.type_range))
  for i, label in ipairs(row.labels) do
    local range = block.label_ranges[i]
    made.order[#made.order + 1] = label
    made.attributes[label] = shape.new("string", { origin = range and names.span(file, range) })
  end
  table.sort(made.order)
  return made
end

-- Returns an empty set of steps: `list` has them in order; `declared` has each step's declaration, or false if no address ends there.
local function new_steps() return { list = {}, declared = {} } end

local function add_step(steps, step, declaration)
  if steps.declared[step] == nil then steps.list[#steps.list + 1] = step end
  steps.declared[step] = steps.declared[step] or declaration
end

-- Returns the steps that may follow the beginning of an address in a document. The result is cached with the document's declarations.
local function steps_in(file, address)
  local all = folders.declared(file)
  all.steps = all.steps or {}
  local found = all.steps[address]
  if found then return found end
  found = new_steps()
  for _, d in ipairs(all) do
    local rest = d.address:sub(1, #address) == address and d.address:sub(#address + 1) or ""
    local step, stop = rest:match "^%.([^.%[]+)()"
    if not step then step, stop = rest:match '^%["(.-)"%]()' end
    if step then add_step(found, step, stop > #rest and d) end
  end
  all.steps[address] = found
  return found
end

-- Returns the steps that may follow the beginning of an address in any document of a folder.
local function steps_after(folder, address)
  local documents = folder.documents
  if #documents == 1 then return steps_in(documents[1], address) end
  local found = new_steps()
  for _, file in ipairs(documents) do
    local steps = steps_in(file, address)
    for _, step in ipairs(steps.list) do add_step(found, step, steps.declared[step]) end
  end
  return found
end

-- Returns the shape of the beginning of addresses, such as `upstream`. Its steps lead to declarations.
local function space(vocabulary, folder, address, deepest)
  local shown, steps = {}, nil
  local function all_steps()
    steps = steps or steps_after(folder, address)
    return steps
  end
  return shape.new("object", {
    info = { space = address },
    find = function(step)
      local whole = written(address, { step })
      local d = folder:find(whole)
      if d then return names.of(folder, d) end
      return deepest > 1 and space(vocabulary, folder, whole, deepest - 1) or nil
    end,
    brief = function(step)
      local d = all_steps().declared[step]
      local kind = d and d.block and vocabulary.kinds[d.kind]
      if not kind or kind.for_each or kind.declares then return nil end
      shown[kind] = shown[kind] or shape.new("object", { info = { description = kind.description, declaration = d } })
      return shown[kind]
    end,
    list = function() return all_steps().list end,
  })
end

local roots = {}

function roots.self(vocabulary, env)
  local made = env.blocks[1] and of_block(vocabulary, env.folder, env.document, env.blocks, #env.blocks)
  for _, d in ipairs(made and not env.blocks[2] and folders.declared(env.document) or {}) do
    if d.block == env.blocks[1] then return made:with { origin = names.origin(d) } end
  end
  return made
end

function roots.parent(vocabulary, env)
  local n = #env.blocks - 1
  if n > 0 and env.blocks[n].type == "dynamic" then n = n - 1 end
  return n > 0 and of_block(vocabulary, env.folder, env.document, env.blocks, n) or nil
end

function roots.each(vocabulary, env)
  local kind = env.blocks[1] and vocabulary.kinds[env.blocks[1].type]
  return kind and kind.for_each and names.each(env) or nil
end

-- Returns the shape of a single block whose address is one word: such a block has a value even if it isn't written.
local function of_unwritten(vocabulary, env, name)
  for _, kind in ipairs(vocabulary.description.heads[name] or {}) do
    if kind.nesting == "single" and not kind.address.parts[1] then
      local layer = vocabulary.top.block_types[kind.type].block
      return names.of_blocks(env.folder, env.document, layer, {}):with { info = { description = kind.description } }
    end
  end
end

-- Returns the unknown values of the names that a kept expression may use; for other arguments an empty table.
local function given_at(vocabulary, env)
  local layer = env.attribute and layer_at(vocabulary, env.blocks, #env.blocks)
  local row = layer and layer.attributes[env.attribute.name]
  return row and row.names or {}
end

local function add_names(found, named)
  for _, name in ipairs(sorted(named)) do found[#found + 1] = name end
end

-- Makes a function that says which built-in functions exist, given the option `stdlib` of hcl.scope; nil if all exist.
local function chosen(stdlib)
  if stdlib == nil or stdlib == true then return nil end
  local set = {}
  for _, name in ipairs(stdlib or {}) do set[name] = true end
  return function(name) return set[name] == true end
end

-- Returns the largest number of steps that an address has after its first word.
local function depth_of(kinds)
  local most = 1
  for _, kind in ipairs(kinds) do most = math.max(most, #kind.address.parts) end
  return most
end

--- Makes the vocabulary of a described language.
---@param of hclexpr.languages.Description
---@return hclexpr.service.Vocabulary
function described.vocabulary(of)
  local kinds = of.level.kinds
  local vocabulary = { name = of.name, description = of, whole = of.unit == "folder", kinds = kinds, top = layer_of({}, of.level),
                       functions = {}, has = chosen(of.stdlib), words = sorted(of.heads) }
  for name, options in pairs(of.functions) do vocabulary.functions[name] = own_functions.row(name, options) end

  function vocabulary.heads(body, found)
    for _, block in ipairs(body.blocks) do
      local kind = kinds[block.type]
      local head = kind and kind.declares ~= "locals" and kind.address and head_of(block, kind)
      if head then found(head, block) end
      for _, attribute in pairs(kind and kind.declares == "locals" and block.body.attributes or {}) do found(of_local(attribute), block) end
    end
  end

  function vocabulary.of(folder, d)
    if d.attribute then return names.of_attribute(folder, d.document, { d.block }, d.attribute) end
    local kind = kinds[d.kind]
    if kind.declares == "variables" then return names.variable(folder, d) end
    local function one() return of_block(vocabulary, folder, d.document, { d.block }, 1) or shape.any end
    return kind.for_each and names.repeated(folder, d, one, {}) or one()
  end

  function vocabulary.about(d)
    if d.attribute then return {} end
    return kinds[d.kind].declares and names.about(d) or { description = kinds[d.kind].description }
  end

  function vocabulary.root(env, name)
    local value = given_at(vocabulary, env)[name] or of.names[name]
    if value then return shape.of_type(value:type(), { info = { given = true } }) end
    if roots[name] then return roots[name](vocabulary, env) end
    local d = env.folder:find(name)
    if d then return names.of(env.folder, d) end
    local unwritten = of_unwritten(vocabulary, env, name)
    if unwritten then return unwritten end
    return of.heads[name] and space(vocabulary, env.folder, name, depth_of(of.heads[name])) or nil
  end

  function vocabulary.starts(env)
    local found = { "self", "parent", "each" }
    add_names(found, given_at(vocabulary, env))
    add_names(found, of.names)
    for head in pairs(of.heads) do found[#found + 1] = of_unwritten(vocabulary, env, head) and head or nil end
    return found
  end

  return vocabulary
end

return described
