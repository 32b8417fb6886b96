-- Names: the shapes of `var`, `local`, `module`, `data`, resources, `each`, `count`, `self`, `caller`, `path` and iterators of `dynamic`
-- blocks at a position. Each shape is computed on first use.
local core = require "hclexpr.core"
local folders = require "hclexpr.editor.folders"
local heads = require "hclexpr.terraform.read.heads"
local infer = require "hclexpr.editor.infer"
local language = require "hclexpr.terraform.language.language"
local shape = require "hclexpr.editor.shape"

local names = {}

---@class hclexpr.service.Vocabulary the declarations and names of a language; Terraform's is below, others are in described.lua
---@field heads? fun(body: hclexpr.Body, found: fun(head: table, block: hclexpr.Block)) calls found for each declaration in a body, like heads.each
---@field of fun(folder: hclexpr.service.Folder, d: hclexpr.service.Declaration): hclexpr.service.Shape returns the shape of a declaration
---@field about fun(d: hclexpr.service.Declaration): table returns a description of a declaration, for the field `info` of a shape
---@field root fun(env: hclexpr.service.Env, name: string): hclexpr.service.Shape? returns the shape of a root name
---@field words string[] root names that lead to declarations
---@field starts fun(env: hclexpr.service.Env): string[] returns root names that exist without a declaration
---@field top? hclexpr.service.Layer the allowed content of a file; nil: it depends on the file
---@field functions? table<string, hclexpr.FunctionInfo|false> functions of the program that reads the language
---@field has? fun(name: string): boolean returns true if a built-in function exists in the language; nil: all exist
---@field description? hclexpr.languages.Description the description of a described language
---@field whole? boolean true: the files of a folder belong together
local terraform = { words = { "var", "local", "module", "data" } }

local roots

-- Makes an origin from the ranges of a block or attribute and of its name.
local function span(document, range, name_range)
  return infer.origin(document, range.start.byte, range.stop.byte, name_range and name_range.start.byte, name_range
    and name_range.stop.byte)
end

--- Returns the origin of a declaration.
---@param d hclexpr.service.Declaration
---@return hclexpr.service.Origin
function names.origin(d)
  local made = infer.origin(d.document, d.start, d.stop, d.name_start, d.name_stop)
  made.declaration = d
  return made
end

-- Environments

-- Adds the iterators of `dynamic` blocks to an environment; `blocks` are in order from the outermost.
local function iterators(env, blocks)
  local bound = env.names
  for i, block in ipairs(blocks) do
    local label, inner = block.labels[1], blocks[i + 1]
    if block.type == "dynamic" and label and inner and inner.type == "content" then
      local attributes, outer = block.body.attributes, env
      local name = attributes.iterator and attributes.iterator.expression:source() or label
      local place = attributes.iterator and attributes.iterator.expression:range() or block.label_ranges[1]
      local made = {}
      for known, make in pairs(bound) do made[known] = make end
      made[name] = function()
        local value, key = shape.any, shape.any
        local each = attributes.for_each
        if each then value, key = infer.of(outer, env.document:tree(each.expression)):each() end
        local origin = span(env.document, place)
        return shape.new("object", {
          origin = origin, info = { iterator = true }, order = { "key", "value" },
          attributes = { key = key:with { origin = origin, info = {} }, value = value:with { origin = value.origin or origin } },
        })
      end
      bound = made
      env = infer.within(env, { names = bound })
    end
  end
  return env
end

--- Makes the environment of a position in a document.
---@param folder hclexpr.service.Folder
---@param document hclexpr.service.Document
---@param blocks hclexpr.Block[] the blocks around the position, the outermost first
---@param attribute? hclexpr.Attribute the attribute whose expression contains the position
---@return hclexpr.service.Env
function names.env(folder, document, blocks, attribute)
  local env = { document = document, folder = folder, blocks = blocks, attribute = attribute, names = {}, root = names.root }
  return iterators(env, blocks)
end

-- Returns the shape of an attribute's expression.
local function of_attribute(folder, document, blocks, attribute)
  return infer.of(names.env(folder, document, blocks, attribute), document:tree(attribute.expression))
end

-- Blocks by their schemas

local function push(list, value)
  local made = {}
  for i, element in ipairs(list) do made[i] = element end
  made[#made + 1] = value
  return made
end

local of_blocks

-- Returns the blocks of a type in bodies, including the contents of `dynamic` blocks. The field `blocks` of each has the block and
-- the blocks around it.
local function written_blocks(bodies, type)
  local found = {}
  for _, written in ipairs(bodies) do
    for _, block in ipairs(written.body.blocks) do
      if block.type == type then
        found[#found + 1] = { body = block.body, blocks = push(written.blocks, block), head = block }
      elseif block.type == "dynamic" and block.labels[1] == type then
        for _, content in ipairs(block.body.blocks) do
          if content.type == "content" then
            found[#found + 1] = { body = content.body, blocks = push(push(written.blocks, block), content), head = content,
              generated = true }
          end
        end
      end
    end
  end
  return found
end

local function of_nested(folder, document, row, type, bodies, origin)
  local written = written_blocks(bodies, type)
  local first = written[1]
  local place = first and span(document, first.head.range, first.head.type_range) or origin
  local nesting = row.nesting_mode
  if nesting == "single" or nesting == "group" then return of_blocks(folder, document, row.block, written, place) end
  local element = function() return of_blocks(folder, document, row.block, written, place) end
  local made = shape.collection(nesting == "map" and "map" or nesting == "set" and "set" or "list", element, { origin = place,
    info = { block = true } })
  if made.kind == "list" and first and not first.generated then
    made.items = {}
    for i, one in ipairs(written) do
      made.items[i - 1] = function() return of_blocks(folder, document, row.block, { one }, span(document, one.head.range,
        one.head.type_range)) end
    end
  end
  return made
end

local function info_of(row)
  return { description = row.description, required = row.required, optional = row.optional, computed = row.computed,
    sensitive = row.sensitive,
           deprecated = row.deprecated and (row.deprecation_message or "It is deprecated.") or nil }
end

local nested_kinds = { list = "list", set = "set", map = "map" }

--- Returns the shape of an attribute by its row in a schema.
---@param row table
---@param origin? hclexpr.service.Origin
---@return hclexpr.service.Shape
function names.of_row(row, origin)
  local nested = row.nested_type
  if type(nested) ~= "table" then return shape.of_json(row.type, { origin = origin, info = info_of(row) }) end
  local inner = shape.new("object", { origin = origin, attributes = {}, order = {} })
  for name, part in pairs(nested.attributes or {}) do
    inner.order[#inner.order + 1] = name
    inner.attributes[name] = function() return names.of_row(part, origin) end
  end
  table.sort(inner.order)
  local kind = nested_kinds[nested.nesting_mode]
  if kind then return shape.collection(kind, inner, { origin = origin, info = info_of(row) }) end
  inner.info = info_of(row)
  return inner
end

local function set_by(bodies, name)
  for i = #bodies, 1, -1 do
    local attribute = bodies[i].body.attributes[name]
    if attribute then return attribute, bodies[i].blocks end
  end
end

-- Returns the shape of an attribute: of its type, refined by the expression if a body sets it.
local function of_argument(folder, document, bodies, name, typed, origin)
  local attribute, blocks = set_by(bodies, name)
  if not attribute then return typed:with { origin = origin } end
  local written = of_attribute(folder, document, blocks, attribute)
  return shape.refined(typed, written):with { origin = span(document, attribute.range, attribute.name_range), info = typed.info }
end

-- Returns the shape of bodies by a schema. `origin` is used for attributes that no body sets.
function of_blocks(folder, document, schema, bodies, origin)
  local made = shape.new("object", { origin = origin, attributes = {}, order = {} })
  for name, row in pairs(schema.attributes or {}) do
    if not row.unread then made.order[#made.order + 1] = name end -- others can't be read by expressions
    made.attributes[name] = function() return of_argument(folder, document, bodies, name, names.of_row(row), origin) end
  end
  for type, row in pairs(schema.block_types or {}) do
    made.order[#made.order + 1] = type
    made.attributes[type] = function() return of_nested(folder, document, row, type, bodies, origin) end
  end
  table.sort(made.order)
  return made
end

local meta = { count = true, for_each = true, provider = true, depends_on = true }

-- Returns the shape of bodies without a known schema: it has what the bodies set.
local function of_written(folder, document, bodies, origin)
  local made = shape.new("object", { origin = origin, attributes = {}, order = {}, info = { open = true } })
  for _, written in ipairs(bodies) do
    for name in pairs(written.body.attributes) do
      if not meta[name] and not made.attributes[name] then
        made.order[#made.order + 1] = name
        made.attributes[name] = function() return of_argument(folder, document, bodies, name, shape.any, origin) end
      end
    end
    for _, block in ipairs(written.body.blocks) do
      local type = block.type == "dynamic" and block.labels[1] or block.type
      if type ~= "lifecycle" and type ~= "provisioner" and type ~= "connection" and not made.attributes[type] then
        made.order[#made.order + 1] = type
        made.attributes[type] = function()
          local found = written_blocks(bodies, type)
          return shape.collection("list", function() return of_written(folder, document, found, origin) end,
                                  { origin = found[1] and span(document, found[1].head.range, found[1].head.type_range) or origin })
        end
      end
    end
  end
  if not made.attributes.id then
    made.order[#made.order + 1] = "id"
    made.attributes.id = shape.new("any", { origin = origin })
  end
  table.sort(made.order)
  return made
end

-- Declarations

-- Returns the shape of a declaration's instances: a list for `count`, a map for `for_each`, otherwise the single instance.
local function repeated(folder, d, one, declared)
  local attributes = d.block.body.attributes
  if attributes.count then return shape.collection("list", one, declared) end
  if attributes.for_each then
    local made = shape.collection("map", one, declared)
    local env = names.env(folder, d.document, { d.block })
    made.list = function() return infer.of(env, d.document:tree(attributes.for_each.expression)):names() end
    return made
  end
  return one():with(declared)
end

--- Returns the shape of one instance of a resource or data source.
---@param folder hclexpr.service.Folder
---@param d hclexpr.service.Declaration
---@return hclexpr.service.Shape
function names.instance(folder, d)
  local bodies = { { body = d.block.body, blocks = { d.block } } }
  local range = d.block.open_brace_range or d.block.label_ranges[2]
  local head = infer.origin(d.document, range.start.byte, range.stop.byte)
  local row = folder:schema_of_block(d.block, d.mode)
  local made = row and of_blocks(folder, d.document, row.block, bodies, head) or of_written(folder, d.document, bodies, head)
  return made:with { origin = names.origin(d) }
end

local declared = {}

function declared.variable(folder, d)
  local attributes = d.block.body.attributes
  local env = names.env(folder, d.document, { d.block })
  local typed = attributes.type and infer.of_type(env, d.document:tree(attributes.type.expression)) or shape.any
  local written = attributes.default and infer.of(env, d.document:tree(attributes.default.expression))
  return shape.refined(typed, written)
end

declared["local"] = function(folder, d)
  return of_attribute(folder, d.document, { d.block }, d.attribute)
end

function declared.output(folder, d)
  local attributes = d.block.body.attributes
  if attributes.value then return of_attribute(folder, d.document, { d.block }, attributes.value) end
  return shape.any
end

function declared.module(folder, d)
  local child = folder:child(d.block)
  return repeated(folder, d, function()
    return shape.new("object", {
      origin = names.origin(d), find = function(name) return child and names.of_address(child, "output." .. name) end,
      info = { open = not child },
      list = function() return child and child:names "output" or {} end,
    })
  end, {})
end

local function of_resource(folder, d)
  return repeated(folder, d, function() return names.instance(folder, d) end, {})
end

declared.resource, declared.data, declared.ephemeral = of_resource, of_resource, of_resource

function declared.provider() return shape.new "object" end
declared.check, declared.action = declared.provider, declared.provider

function terraform.of(folder, d) return declared[d.word](folder, d) end

function terraform.about(d)
  local attributes = d.word ~= "local" and d.block.body.attributes or {}
  return { description = heads.text(attributes.description), deprecated = heads.text(attributes.deprecated),
           sensitive = attributes.sensitive and core.written(attributes.sensitive) or nil }
end

--- Returns the vocabulary of a folder's files.
---@param folder hclexpr.service.Folder
---@return hclexpr.service.Vocabulary
function names.vocabulary(folder) return folder.vocabulary or terraform end

--- Returns the shape of a declaration.
---@param folder hclexpr.service.Folder
---@param d hclexpr.service.Declaration
---@return hclexpr.service.Shape
function names.of(folder, d)
  local vocabulary = names.vocabulary(folder)
  local made, info = infer.once(folder, d, function() return vocabulary.of(folder, d) end), vocabulary.about(d)
  info.declaration, info.open = d, made.info.open
  return made:with { origin = names.origin(d), info = info }
end

--- Returns the shape of the declaration with an address, or nil.
---@param folder hclexpr.service.Folder
---@param address string
---@return hclexpr.service.Shape?
function names.of_address(folder, address)
  local d = folder:find(address)
  return d and names.of(folder, d)
end

-- Roots

-- Makes a function that returns the shape of a root name whose attributes are the declarations of a kind.
local function space(prefix, kind)
  return function(env)
    return shape.new("object", {
      info = { space = kind }, find = function(name) return names.of_address(env.folder, prefix .. name) end,
      list = function() return env.folder:names(kind) end,
    })
  end
end

-- Returns the shape whose attributes are the resources of a type, by name; nil without such resources.
local function of_type(env, mode, prefix, type)
  if not env.folder:names(mode, type)[1] then return nil end
  return shape.new("object", {
    info = { space = mode, type = type }, find = function(name) return names.of_address(env.folder, prefix .. type .. "." .. name) end,
    list = function() return env.folder:names(mode, type) end,
  })
end

local function types_of(prefix, mode)
  return function(env)
    return shape.new("object", {
      info = { space = mode, types = true }, find = function(type) return of_type(env, mode, prefix, type) end,
      list = function()
        local found, seen = {}, {}
        for _, d in ipairs(env.folder:all(mode)) do
          if not seen[d.type] then found[#found + 1] = d.type end
          seen[d.type] = true
        end
        return found
      end,
    })
  end
end

local function fixed(name)
  return function()
    local made = shape.new("object", { attributes = {}, order = {} })
    for i, row in ipairs(language.names[name]) do
      made.order[i] = row[1]
      made.attributes[row[1]] = shape.new("string", { info = { description = row[2], builtin = true } })
    end
    made.info = { builtin = true, space = name }
    return made
  end
end

-- Returns the argument `count` or `for_each` of the outermost block at a position, or nil; and the block.
local function repetition(env, name)
  local block = env.blocks[1]
  return block and block.body.attributes[name], block
end

roots = {
  var = space("var.", "variable"), ["local"] = space("local.", "local"), module = space("module.", "module"),
  data = types_of("data.", "data"), ephemeral = types_of("ephemeral.", "ephemeral"), action = types_of("action.", "action"),
  path = fixed "path", terraform = fixed "terraform",
}

function roots.count(env)
  local attribute = repetition(env, "count")
  if not attribute then return nil end
  local origin = span(env.document, attribute.range, attribute.name_range)
  return shape.new("object", {
    origin = origin, info = { builtin = true }, order = { "index" },
    attributes = { index = shape.new("number", { origin = origin, info = { description = "The number of the instance, from 0." } }) },
  })
end

function roots.each(env)
  local attribute, block = repetition(env, "for_each")
  if not attribute then return nil end
  local origin = span(env.document, attribute.range, attribute.name_range)
  local outer = names.env(env.folder, env.document, { block })
  return shape.new("object", {
    origin = origin, info = { builtin = true }, order = { "key", "value" },
    attributes = {
      key = shape.new("string", { origin = origin, info = { description = "The key of the instance." } }),
      value = function()
        local value = infer.of(outer, env.document:tree(attribute.expression)):each()
        return value:with { origin = origin, info = { description = "The element of the instance.", element = value.origin } }
      end,
    },
  })
end

-- Nested blocks of a resource in which `self` means its existing object.
local where_self = { postcondition = true, provisioner = true, connection = true }

function roots.self(env)
  local block, inner = env.blocks[1], false
  for i = 2, #env.blocks do inner = inner or where_self[env.blocks[i].type] end
  if not inner or not folders.modes[block.type] or block.type == "action" or not block.labels[2] then return nil end
  for _, d in ipairs(folders.declared(env.document)) do
    if d.block == block then return names.instance(env.folder, d) end
  end
end

-- Returns true if a resource's block triggers the action of this type and name.
local function triggers(block, type, name)
  for _, lifecycle in ipairs(block.body.blocks) do
    for _, trigger in ipairs(lifecycle.type == "lifecycle" and lifecycle.body.blocks or {}) do
      local attribute = trigger.type == "action_trigger" and trigger.body.attributes.actions
      for _, traversal in ipairs(attribute and core.traversals(attribute.expression) or {}) do
        local steps = traversal.steps
        if steps[3] and steps[1].text == "action" and steps[2].text == type and steps[3].text == name then return true end
      end
    end
  end
  return false
end

-- `caller` has the shape of the first resource that triggers the action.
function roots.caller(env)
  local block = env.blocks[1]
  if not block or block.type ~= "action" or not block.labels[2] then return nil end
  for _, d in ipairs(env.folder:all "resource") do
    if triggers(d.block, block.labels[1], block.labels[2]) then return names.instance(env.folder, d) end
  end
end

function terraform.starts() return { "each", "count", "self", "caller", "path", "terraform" } end

function terraform.root(env, name)
  if roots[name] then return roots[name](env) end
  return of_type(env, "resource", "", name)
end

--- Returns the shape of a root name; nil if nothing declares it.
---@param env hclexpr.service.Env
---@param name string
---@return hclexpr.service.Shape?
function names.root(env, name)
  if env.folder.alone then return names.alone(env, name) end
  return names.vocabulary(env.folder).root(env, name)
end

--- Returns the shape of a root name in a file outside of modules: an attribute in a block around the position or of the file; in a
--- template, one of the given values. An argument never means itself: only the file's program knows which other value of that name is
--- meant.
---@param env hclexpr.service.Env
---@param name string
---@return hclexpr.service.Shape?
function names.alone(env, name)
  if env.folder.given then return env.folder.given:get(name) end
  for i = #env.blocks, 0, -1 do
    local body = i > 0 and env.blocks[i].body or env.document.body
    local attribute = body and body.attributes[name]
    if attribute then
      if env.attribute and env.attribute.range.start.byte == attribute.range.start.byte then return nil end
      local blocks = {}
      for k = 1, i do blocks[k] = env.blocks[k] end
      local origin = span(env.document, attribute.range, attribute.name_range)
      return of_attribute(env.folder, env.document, blocks, attribute):with { origin = origin, info = { argument = true } }
    end
  end
end

-- Functions that described.lua uses, too.
names.span, names.of_attribute, names.of_blocks, names.repeated = span, of_attribute, of_blocks, repeated
names.variable, names.about, names.each = declared.variable, terraform.about, roots.each

return names
