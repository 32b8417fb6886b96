-- Which properties of a body in JSON are blocks: by a schema, by what is known of Terraform's files, or by how they look.
local schemas = require "hclexpr.schema"

local shapes = {}

---@class hclexpr.json.Shape
---@field blocks table<string, { labels: integer, shape: hclexpr.json.Shape }>
---@field words table<string, true> arguments whose strings are expressions
---@field guesses? "blocks"|"labels" of names that are not in `blocks`: arrays of objects are blocks; objects around such arrays, too

-- Looks

local function is_blocks(node)
  if node.kind ~= "tuple" or #node.elements == 0 then return false end
  for _, element in ipairs(node.elements) do
    if element.kind ~= "object" then return false end
  end
  return true
end

local function is_labels(node)
  if node.kind ~= "object" or #node.items == 0 then return false end
  for i = 2, #node.items, 2 do
    if not (is_blocks(node.items[i]) or is_labels(node.items[i])) then return false end
  end
  return true
end

local guessed = { blocks = {}, words = {}, guesses = "labels" }
local labelled, unlabelled = { shape = guessed }, { labels = 0, shape = guessed }

-- What a block within blocks of a known type is, whose own type isn't known.
local loose = { blocks = {}, words = {}, guesses = "blocks" }
local inside = { labels = 0, shape = loose }

--- How the blocks of a property are read, or nil: it is an argument.
---@param shape hclexpr.json.Shape
---@param name string
---@param value table
---@return { labels?: integer, shape: hclexpr.json.Shape }?
function shapes.block_of(shape, name, value)
  local known = shape.blocks[name]
  if known then return known end
  if not shape.guesses then return nil end
  if shape.guesses == "blocks" then return is_blocks(value) and inside or nil end
  return is_blocks(value) and unlabelled or is_labels(value) and labelled or nil
end

--- How the content of a block of native syntax is read, for a block that its looks give away.
---@param shape hclexpr.json.Shape
---@param type string
---@return hclexpr.json.Shape
function shapes.inside(shape, type)
  local known = shape.blocks[type]
  return known and known.shape or guessed
end

-- Terraform's files

local function set(names)
  local out = {}
  for name in (names or ""):gmatch "%S+" do out[name] = true end
  return out
end

-- blocks: type = { labels, shape }.
local function shape(blocks, words, guesses)
  local out = { blocks = {}, words = set(words), guesses = guesses }
  for type, row in pairs(blocks) do out.blocks[type] = { labels = row[1], shape = row[2] } end
  return out
end

local function terraform()
  local plain = shape {}
  local condition = { 0, plain }
  local lifecycle = shape({
    precondition = condition, postcondition = condition, action_trigger = { 0, shape({}, "events actions") },
  }, "ignore_changes replace_triggered_by")
  local connection = { 0, loose }
  local provisioner = shape({ connection = connection }, "when on_failure", "blocks")
  local object = shape({ lifecycle = { 0, lifecycle }, provisioner = { 1, provisioner }, connection = connection },
    "depends_on provider", "blocks")
  -- The content of `dynamic` blocks is such a body, too.
  local generated = shape({ content = { 0, loose } }, "iterator")
  object.blocks.dynamic, loose.blocks.dynamic = { labels = 1, shape = generated }, { labels = 1, shape = generated }
  local data = { 2, object }
  local moved = shape({ lifecycle = { 0, plain }, provisioner = { 1, provisioner }, connection = connection }, "from to provider")
  return shape {
    resource = { 2, object }, data = data, ephemeral = { 2, object }, action = { 2, shape({ config = { 0, loose } }, "provider") },
    provider = { 1, loose }, locals = { 0, plain },
    variable = { 1, shape({ validation = condition }, "type") },
    output = { 1, shape({ precondition = condition, postcondition = condition }, "depends_on type") },
    module = { 1, shape({}, "depends_on providers") },
    check = { 1, shape({ data = data, assert = condition }) },
    moved = { 0, moved }, removed = { 0, moved }, import = { 0, moved },
    terraform = { 0, shape({
      backend = { 1, loose }, cloud = { 0, shape { workspaces = { 0, plain } } }, provider_meta = { 1, loose }, state_store = { 1, loose },
      required_providers = { 0, shape({}, "configuration_aliases") },
    }, "experiments language") },
  }
end

-- Schemas

local function of_schema(schema, known)
  if known[schema] then return known[schema] end
  local out = { blocks = {}, words = {} }
  known[schema] = out
  for type, block in next, schema.blocks or {} do
    out.blocks[type] = { labels = #(block.labels or {}), shape = block.schema and of_schema(block.schema, known) or loose }
  end
  return out
end

--- The shape that the option `schema` names; nil: it is none.
---@param schema any
---@return hclexpr.json.Shape?
function shapes.of(schema)
  if schema == nil then return guessed end
  if schema == "terraform" then return terraform() end
  if schema == "attributes" then return shape {} end
  if type(schema) ~= "table" then return nil end
  schemas.read(2, "from_json", schema)
  return of_schema(schema, {})
end

return shapes
