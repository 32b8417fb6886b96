-- Decides which properties of a JSON body are blocks: by a schema, by Terraform's vocabulary, or by the form of their values.
local lazy = require "hclexpr.lazy"
local language = lazy "hclexpr.terraform.language.language"
local rows = lazy "hclexpr.terraform.language.rows"

local shapes = {}

---@class hclexpr.json.Shape
---@field blocks table<string, { labels: integer, shape: hclexpr.json.Shape }>
---@field words table<string, true> names of arguments whose strings are expressions
---@field keys? table<string, true> names of attributes, inside arguments, whose strings are expressions
---@field guesses? "blocks"|"labels" how to read names that aren't in `blocks`: arrays of objects are blocks; with "labels", objects around such arrays have labels
---@field others? { labels: integer, shape: hclexpr.json.Shape } how to read blocks whose names are not in `blocks`

-- Guessing by the form of values

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

-- The shape of a block of unknown type inside a block of known type; also of a block whose row in a schema has no schema of its own.
local loose = { blocks = {}, words = {}, guesses = "blocks" }
local inside = { labels = 0, shape = loose }

--- Says how to read the blocks of a property; nil if the property is an argument.
---@param shape hclexpr.json.Shape
---@param name string
---@param value table
---@return { labels?: integer, shape: hclexpr.json.Shape }?
function shapes.block_of(shape, name, value)
  local known = shape.blocks[name]
  if known then return known end
  if not shape.guesses then return nil end
  if shape.guesses == "blocks" then return is_blocks(value) and (shape.others or inside) or nil end
  return is_blocks(value) and unlabelled or is_labels(value) and labelled or nil
end

--- Returns the shape for the content of a block in native syntax. The block's type may be unknown.
---@param shape hclexpr.json.Shape
---@param type string
---@return hclexpr.json.Shape
function shapes.inside(shape, type)
  local known = shape.blocks[type]
  return known and known.shape or guessed
end

-- Terraform's files

-- Values of a row's field `rest` that allow blocks of unknown types. There, properties that look like blocks are blocks, and `dynamic`
-- generates blocks.
local loosely = { type = true, configuration = true, label = true }

local function of_row(row, known)
  local made = known[row]
  if made then return made end
  made = { blocks = {}, words = {}, guesses = loosely[row.rest] and "blocks" or nil }
  known[row] = made
  for _, argument in ipairs(rows.arguments(row)) do made.words[argument.name] = rows.is_name(argument) or nil end
  local function add(type, inner) made.blocks[type] = { labels = inner.labels and #inner.labels or 0, shape = of_row(inner, known) } end
  for type, inner in pairs(row.blocks or {}) do add(type, inner) end
  if made.guesses then
    add("dynamic", language.dynamic)
    made.others = { labels = 0, shape = of_row(language.dynamic.blocks.content, known) }
  end
  if row.rest == "requirements" then made.keys = of_row(language.requirement, known).words end
  return made
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

--- Returns the shape of bodies for a schema or a dialect; without both, the form of values decides.
---@param by? hclexpr.Schema|"terraform"|"attributes"
---@return hclexpr.json.Shape
function shapes.of(by)
  if by == nil then return guessed end
  if by == "terraform" then return of_row(language.file, {}) end
  if by == "attributes" then return { blocks = {}, words = {} } end
  return of_schema(by, {})
end

return shapes
