-- Finds what is at a position, and what it means. All questions about positions share this module. It finds the blocks and the argument
-- around a byte, what the language and the provider's schema allow there, and the shape of each step of a reference.
local ast = require "hclexpr.ast"
local folders = require "hclexpr.editor.folders"
local hcl = require "hclexpr"
local infer = require "hclexpr.editor.infer"
local language = require "hclexpr.terraform.language.language"
local names = require "hclexpr.editor.names"
local schema_form = require "hclexpr.terraform.language.schema_form"
local shape = require "hclexpr.editor.shape"

local cursor = {}

---@class hclexpr.service.Here
---@field workspace hclexpr.service.Workspace
---@field document hclexpr.service.Document
---@field folder hclexpr.service.Folder
---@field byte integer
---@field node table the syntax node from body:at
---@field blocks hclexpr.Block[] the blocks around the byte, the outermost first; on the head of a block, that block is the last one
---@field attribute? hclexpr.Attribute
local Here = {}
cursor.methods = Here
Here.__index = Here

-- The blocks and the argument around a byte

local function block_at(body, start)
  for _, block in ipairs(body.blocks) do
    if block.range.start.byte == start then return block end
  end
end

local function attribute_at(body, node)
  local named = body.attributes[node.name]
  if named and named.range.start.byte == node.start then return named end
end

-- Sets the fields `blocks` and `attribute` by following the parents of the node at the cursor.
local function find_around(here)
  local chain, node = {}, here.node
  while node do
    chain[#chain + 1] = node
    node = node.parent
  end
  local body = here.document.body
  for i = #chain, 1, -1 do
    local at = chain[i]
    if at.kind == "block" and body then
      local block = block_at(body, at.start)
      if not block then return end
      here.blocks[#here.blocks + 1] = block
      body = block.body
    elseif at.kind == "attribute" and body then
      here.attribute = attribute_at(body, at)
      here.attribute_node = at
      return
    end
  end
end

-- Returns the node for a position outside of all blocks. On an indented line after a block without a closing brace, this is the body of
-- that block, because the user probably continues it; otherwise it is `node`.
local function within_open_block(document, byte, node)
  local before = document.text:sub(1, byte)
  local margin = before:match "\n([ \t]+)$"
  local last = margin and before:find "%S%s*$"
  local at = last and document.body:at(last)
  while at and at.kind ~= "block" do at = at.parent end
  if not at or at.close then return node end
  return { kind = "body", start = at.start, stop = byte, parent = at }
end

--- Returns the cursor at a byte of a document; nil if its syntax has no positions.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@param byte integer
---@return hclexpr.service.Here?
function cursor.at(workspace, document, byte)
  infer.begin()
  local body = document.body
  if not body or document.kind == "json" then return nil end
  byte = math.max(0, math.min(byte, #document.text))
  local node = body:at(byte)
  if not node then return nil end
  if node.kind == "body" and not node.parent then node = within_open_block(document, byte, node) end
  local here = setmetatable({ workspace = workspace, document = document, folder = folders.of(workspace, document), byte = byte,
    node = node,
                              blocks = {} }, Here)
  find_around(here)
  return here
end

-- Layers: the allowed contents of a body. A layer has a row for each attribute and block type that the language or a provider's schema
-- allows.

---@class hclexpr.service.Layer
---@field attributes table<string, table>
---@field block_types table<string, table>
---@field open? boolean true: anything is allowed
---@field description? string
---
--- In `block_types`, a nested block of the language has a field `row` (terraform/language/rows.lua); one of a provider has none.

local dynamic = { block = schema_form.of(language.dynamic), labels = language.dynamic.labels, nesting_mode = "list",
                  row = language.dynamic }
local requirement = {
  optional = true, description = language.requirement.about,
  nested_type = { nesting_mode = "single", attributes = schema_form.attributes(language.requirement) },
}

-- Makes a layer of a module's variables. They are the arguments of module calls, and of files that set variables.
local function of_variables(folder)
  local layer = { attributes = {}, block_types = {} }
  for _, d in ipairs(folder:all "variable") do
    local made = names.of(folder, d)
    layer.attributes[d.name] = { variable = d, shape = made, description = made.info.description, deprecated = made.info.deprecated
      and true,
                                 deprecation_message = made.info.deprecated, required = not d.block.body.attributes.default or nil,
                                 optional = d.block.body.attributes.default and true or nil }
  end
  return layer
end

local function of_module(folder, block)
  local child = folder:child(block)
  return child and of_variables(child) or { attributes = {}, block_types = {}, open = true }
end

local function no_language() return { { attributes = {}, block_types = {}, open = true } } end

-- Functions by the field `rest` of a block's row. Each returns the layer of what the block may contain in addition to the language's layer.
local rest = {}

-- The layer depends on the type of the resource or action, which may be a label of the block around this one.
function rest.type(folder, block, outer)
  local of = block.labels[1] and block or outer
  local row = folder:schema_of_block(of, folders.modes[of.type])
  return row and row.block or { attributes = {}, block_types = {}, open = true }
end

rest.variables = of_module

function rest.configuration(folder, block)
  local known = folder:provider(block.labels[1] or "")
  return known and known.provider and known.provider.block or { attributes = {}, block_types = {}, open = true }
end

-- Returns a layer for required_providers: an argument for each provider's local name.
function rest.requirements(folder)
  local layer = { attributes = {}, block_types = {} }
  for _, name in ipairs(folder:provider_names()) do layer.attributes[name] = requirement end
  return layer
end

local function find_block(layers, type)
  for _, layer in ipairs(layers) do
    local row = layer.block_types and layer.block_types[type]
    if row then return row end
  end
end

-- Returns true if `dynamic` blocks may generate blocks of these layers: only layers from a provider's schema allow that.
local function has_dynamic(layers)
  for i = 2, #layers do
    if layers[i].block_types and next(layers[i].block_types) or layers[i].open then return true end
  end
  return false
end

-- Returns the layers inside a block, given the layers around it; nil if nothing is known about the block.
local function descend(folder, layers, block, blocks, i)
  local outer = blocks[i - 1]
  if block.type == "dynamic" and (layers.generates or has_dynamic(layers)) then
    return { dynamic.block, target = { layers = layers, row = find_block(layers, block.labels[1] or "") } }
  end
  if block.type == "content" and outer and outer.type == "dynamic" and layers.target then
    local row = layers.target.row
    return { row and row.block or { attributes = {}, block_types = {}, open = true }, generates = true }
  end
  local row = find_block(layers, block.type)
  if not row then return nil end
  local more = row.row and rest[row.row.rest]
  if more then return { row.block, more(folder, block, outer) } end
  local by_label = row.by_label and row.by_label[block.labels[1]]
  local generates = not row.row and (not folder.vocabulary or not row.declares and next(row.block.block_types) ~= nil)
  return { by_label or row.block, generates = generates }
end

--- Returns the allowed contents of the innermost of these blocks; nil if nothing is known about it.
---@param folder hclexpr.service.Folder
---@param document hclexpr.service.Document
---@param blocks hclexpr.Block[]
---@param upto? integer the number of blocks to descend into; default all
---@return hclexpr.service.Layer[]?
function cursor.layers(folder, document, blocks, upto)
  if document.kind == "tfvars" and #blocks == 0 then return { of_variables(folder) } end
  local top = document.vocabulary and document.vocabulary.top or document.kind == "terraform" and schema_form.of(language.of(document.path))
  if not top then return no_language() end
  ---@type hclexpr.service.Layer[]?
  local layers = { top }
  for i = 1, upto or #blocks do
    layers = descend(folder, layers, blocks[i], blocks, i)
    if not layers then return nil end
  end
  return layers
end

--- Returns the allowed contents of the body at the cursor.
---@param upto? integer
---@return hclexpr.service.Layer[]?
function Here:layers(upto) return cursor.layers(self.folder, self.document, self.blocks, upto) end

--- Returns the row of an argument in layers, or nil.
---@param layers? hclexpr.service.Layer[]
---@param name string
---@return table?
function cursor.argument_row(layers, name)
  for _, layer in ipairs(layers or {}) do
    local row = layer.attributes and layer.attributes[name]
    if row then return row end
  end
end

--- Returns the row of a block type in layers, or nil. `dynamic` has a row wherever blocks can be generated.
---@param layers? hclexpr.service.Layer[]
---@param type string
---@return table?
function cursor.block_row(layers, type)
  local row = layers and find_block(layers, type)
  if row then return row end
  if type == "dynamic" and layers and (layers.generates or has_dynamic(layers)) then return dynamic end
end

--- Returns the expected shape of an argument's value.
---@param row? table
---@return hclexpr.service.Shape
function cursor.wanted(row)
  if not row then return shape.any end
  if row.shape then return row.shape end
  if type(row.type) == "table" or row.nested_type then return names.of_row(row) end
  local word, inner = (row.type or ""):match "^(%l+)%((%l+)%)$"
  if word then return shape.of_json { word, inner } end
  return shape.of_json(row.type)
end

-- Functions by the kind of a node. Each returns the shape expected of a child, given the shape expected of the node.
local steps_to = {}

function steps_to.object(node, of) return node.key and of:get(node.key) or (of:each()) end
function steps_to.tuple(node, of) return of.items and of:get((node.index or 1) - 1) or (of:each()) end
function steps_to.parens(_, of) return of end
steps_to.wrap, steps_to.conditional = steps_to.parens, steps_to.parens

--- Returns the shape that the argument's row expects of the expression at a node; nil if nothing is known. At a key of an object, this is
--- the shape of that object.
---@param node table a place within the argument's expression
---@return hclexpr.service.Shape?
function Here:wanted_at(node)
  local chain, at = {}, node
  while at and at.kind ~= "attribute" do
    chain[#chain + 1] = at
    at = at.parent
  end
  if not at then return nil end
  local row = cursor.argument_row(self:layers(), at.name)
  local of = row and cursor.wanted(row)
  for i = #chain - 1, 1, -1 do
    local step = of and steps_to[chain[i + 1].kind]
    of = step and step(chain[i], of)
  end
  return of
end

--- Returns the constant key of an object at the cursor, written as a word or in quotes; otherwise nil.
---@return table?
function Here:key()
  local node = self.node
  while node and (node.kind == "step" or node.kind == "traversal" or node.kind == "string") do node = node.parent end
  return node and node.kind == "key" and node.text and node or nil
end

-- Names around an expression

--- Returns the environment for a child of a node: inside a `for` or splat it has more names.
---@param env hclexpr.service.Env
---@param node table
---@param name string the field of the node that has the child
---@return hclexpr.service.Env
function cursor.enter(env, node, name)
  if node.kind == "for" and name ~= "collection" then return infer.loop(env, node) end
  if node.kind == "splat" and name == "each" then
    return infer.within(env, { item = function()
      local source = infer.of(env, node.source)
      if source.kind == "object" then return source end
      return (source:each())
    end })
  end
  return env
end

-- Returns the environment for the bytes from start to stop in a tree; and, if a node has exactly these bytes, that node with its
-- environment.
local function env_within(env, tree, start, stop)
  local node, exact = tree, nil
  while node do
    local range = node.range
    if range.start.byte == start and range.stop.byte == stop then exact = exact or { node = node, env = env } end
    local inner, name
    ast.each_child(node, function(child, field)
      local r = child.range
      if r.start.byte <= start and stop <= r.stop.byte and not (inner
        and r.stop.byte - r.start.byte > inner.range.stop.byte - inner.range.start.byte) then
        inner, name = child, field
      end
    end)
    if inner then env = cursor.enter(env, node, name) end
    node = inner
  end
  return env, exact
end

--- Returns the environment at the cursor or at other bytes; and, if a node of the expression's tree has exactly these bytes, that node with
--- its environment.
---@param start? integer
---@param stop? integer
---@return hclexpr.service.Env
---@return { node: table, env: hclexpr.service.Env }?
function Here:env(start, stop)
  local env = names.env(self.folder, self.document, self.blocks, self.attribute)
  if not self.attribute then return env end
  return env_within(env, self.document:tree(self.attribute.expression), start or self.byte, stop or start or self.byte)
end

-- References

-- Functions by the type in an argument's row. Each returns a lookup function for the root names in that argument.
local special = {}

local function provider_space(folder)
  return function(name)
    local d = folder:find("provider." .. name)
    local source = folder:required_providers()[name]
    local places = folder.required_places and folder.required_places[name]
    local known, aliases = folder:provider(name), folder:aliases(name)
    if not (d or source or known or aliases[1]) then return nil end
    local origin = d and names.origin(d) or places and infer.origin(places.document, places.start, places.stop, places.name_start,
      places.name_stop)
    return shape.new("object", {
      origin = origin, info = { declaration = d, provider = name, space = "provider" },
      find = function(alias)
        for _, one in ipairs(aliases) do
          if one.alias == alias then
            if one.declaration then return names.of(folder, one.declaration) end
            return shape.new("object", { origin = infer.origin(one.document, one.start, one.stop, one.name_start, one.name_stop) })
          end
        end
      end,
      list = function()
        local found = {}
        for i, one in ipairs(aliases) do found[i] = one.alias end
        return found
      end,
    })
  end
end

function special.provider(here) return provider_space(here.folder) end
special["map of provider"] = special.provider

special["list of argument"] = function(here)
  local block = here.blocks[1]
  for _, d in ipairs(folders.declared(here.document)) do
    if d.block == block and d.mode then
      local of = names.instance(here.folder, d)
      return function(name) return of:get(name) end
    end
  end
end

-- Words in a type aren't names of values.
function special.type() return function() return nil end end

--- Returns a function that looks up the root of a reference at the cursor, if roots there aren't named values; otherwise nil.
---@return (fun(name: string): hclexpr.service.Shape?)?
function Here:special()
  local attribute = self.attribute_node
  local row = attribute and not self.folder.alone and cursor.argument_row(self:layers(), attribute.name)
  local find = row and special[row.type]
  return find and find(self) or nil
end

---@class hclexpr.service.Resolved
---@field shapes table<integer, hclexpr.service.Shape?> the shapes of the steps, from 1; for relative steps, [0] is the shape of the value before them
---@field steps table[] the steps, as in body:at

-- Returns the shapes of a reference's steps from number `from` on, given the shape before them.
local function walk(first, steps, from)
  local shapes, of = {}, first
  for i = from, #steps do
    local step = steps[i]
    local key = step.text
    if step.step == "number" then key = tonumber(step.text) elseif step.step == "constant" then key = false end
    of = of and infer.step(of, key)
    if not of then break end
    shapes[i] = of
  end
  return shapes
end

--- Returns the shapes of a reference's steps.
---@param node table a place of kind "traversal" or "relative"
---@return hclexpr.service.Resolved
function Here:resolve(node)
  local env, exact = self:env(node.start, node.stop)
  if node.kind == "traversal" then
    local find = self:special()
    local root
    if find then root = find(node.root) else root = infer.root(env, node.root) end
    local shapes = walk(root, node.steps, 2)
    shapes[1] = root
    return { shapes = shapes, steps = node.steps }
  end
  local source
  if exact and exact.node.source then
    source = infer.of(exact.env, exact.node.source)
  else
    -- The expression is broken, so the part before the steps is parsed by itself, at its own position. After a splat, the steps belong to
    -- an element.
    local from, stop = node, node.steps[1] and node.steps[1].start or self.node.start
    while from.role == "each" and from.parent do from = from.parent end
    local expression = hcl.compile((" "):rep(from.start) .. self.document.text:sub(from.start + 1, stop))
    source = expression and infer.of(env, expression:ast())
    if source and from ~= node then source = source:each() end
  end
  local shapes = walk(source or shape.any, node.steps, 1)
  shapes[0] = source
  return { shapes = shapes, steps = node.steps }
end

--- Returns the reference at the cursor and the number of the step there, or nil. An empty step after a dot counts as a step.
---@return table? node
---@return integer? index
function Here:reference()
  local node = self.node
  if node.kind == "step" and node.parent and node.parent.steps then
    return node.parent, node.index or #node.parent.steps + 1
  end
  if node.steps then return node, #node.steps end
end

--- Returns the shape of the step at the cursor. If the step is a root that only names a group, such as `var`, returns the shape of the last
--- known step. If the step isn't known, the first result is nil.
---@return hclexpr.service.Shape? of
---@return table? node
---@return integer? index the number of the step that has this shape
---@return hclexpr.service.Resolved?
function Here:referred()
  local node, index = self:reference()
  if not node then return nil end
  local resolved = self:resolve(node)
  local shapes = resolved.shapes
  local of = shapes[index]
  if of and of.info.space and not of.info.builtin then
    for i = #node.steps, index, -1 do
      if shapes[i] then return shapes[i], node, i, resolved end
    end
  end
  if of then return of, node, index, resolved end
  return nil, node, index, resolved
end

return cursor
