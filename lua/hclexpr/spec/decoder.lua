-- Decodes bodies by a node of a specification. The kinds (kinds.lua) share these functions.
local clause = require("hclexpr.findings").clause
local core = require "hclexpr.core"
local levels = require "hclexpr.spec.levels"
local places = require "hclexpr.places"

local decoder = {}

--- Adds to `names` the labels that specs of the same body ask for.
---@param node hclexpr.spec.Node
---@param names string[]
function decoder.add_label_names(node, names)
  local first, asked, last = #names, {}, -1
  levels.each(node, function(spec)
    if not spec.kind.inside_block then return end
    asked[spec.index] = spec.name or "label " .. (first + spec.index + 1)
    last = math.max(last, spec.index)
  end)
  for i = 0, last do names[#names + 1] = asked[i] or "label " .. (first + i + 1) end
end

--- Returns the blocks of a type in a body.
---@param at hclexpr.spec.Level
---@param type string
---@return hclexpr.Block[]
function decoder.blocks_of(at, type)
  local found = {}
  for _, block in ipairs(at.content.blocks) do
    if block.type == type then found[#found + 1] = block end
  end
  return found
end

local function labels_of(block, skip)
  local labels = {}
  for i = skip + 1, #block.labels do
    labels[i - skip] = { text = block.labels[i], range = block.label_ranges[i], block = block }
  end
  return labels
end

--- Decodes a block that a node looks for. Returns its Value and the level where the block was decoded. The first `skip` labels are the
--- node's own.
---@param at hclexpr.spec.Level
---@param node hclexpr.spec.Node
---@param block hclexpr.Block
---@param skip integer
---@return hclexpr.Value? value
---@return hclexpr.spec.Level inner
function decoder.decode_block(at, node, block, skip)
  local inner = levels.enter(at.run, block.body, node.body, labels_of(block, skip), at.reported)
  at.inner[node] = at.inner[node] or inner
  return node.body.kind.decode(node.body, inner), inner
end

--- Decodes another spec of the same body; nil if any mistake was reported, even one that leaves a value.
---@param node hclexpr.spec.Node
---@param at hclexpr.spec.Level
---@return hclexpr.Value?
function decoder.decode_sound(node, at)
  local before = at.run.findings:count()
  local value = node.kind.decode(node, at)
  if at.run.findings:count() == before then return value end
end

--- Adds the attributes that a node evaluates in its body to `found`.
---@param node hclexpr.spec.Node
---@param at hclexpr.spec.Level
---@param found hclexpr.Attribute[]
function decoder.add_uses(node, at, found)
  if node.kind.uses then node.kind.uses(node, at, found) end
  for _, item in ipairs(node.items) do decoder.add_uses(item, at, found) end
end

--- Adds the attributes that a node evaluates in the body of a block that the node looks for to `found`.
---@param node hclexpr.spec.Node
---@param at hclexpr.spec.Level
---@param block hclexpr.Block
---@param found hclexpr.Attribute[]
function decoder.add_uses_of_block(node, at, block, found)
  decoder.add_uses(node.body, levels.enter(at.run, block.body, node.body, {}), found)
end

--- Makes the Value of Lua data with Values in it; nil: the data is too large, which was reported.
---@param at hclexpr.spec.Level
---@param data any
---@return hclexpr.Value?
function decoder.make(at, data)
  local value, err = core.value(data)
  if value == nil then at.run.findings:add(err) end
  return value
end

--- Evaluates an attribute, and converts its Value to a type; nil: a mistake was reported.
---@param run hclexpr.spec.Run
---@param attribute hclexpr.Attribute
---@param type hclexpr.Type
---@return hclexpr.Value?
function decoder.attribute_value(run, attribute, type)
  -- A new Expression, which is closed after use: with a thousand blocks the collector would free them too late.
  local expression = core.attribute_field(attribute, "expression")
  local value, err = expression:value(run.variables, run.scope)
  core.close_expression(expression)
  local secret = core.attribute_field(attribute, "secret")
  if secret then run.secrets = run.secrets + 1 end
  if value == nil then
    run.findings:add(err)
    return nil
  end
  local converted
  converted, err = type:convert(value)
  if converted == nil then
    local why = secret and "" or ": " .. clause(err --[[@as hclexpr.Diagnostics]], true)
    run.findings:report("SPEC_ATTRIBUTE_TYPE", places.of_attribute(attribute), "The value of %s doesn't fit its type%s.", attribute.name,
      why)
  end
  return converted
end

--- Returns all attributes of a block that must contain nothing else; reports other items.
---@param at hclexpr.spec.Level
---@param block hclexpr.Block
---@return hclexpr.Attribute[]
function decoder.only_attributes(at, block)
  local stray = block.body.blocks[1]
  if stray then
    at.run.findings:report("SPEC_BLOCK_STRAY", { object = stray, range = stray.type_range }, "A block of type %s takes only "
      .. "arguments. Write %s = { ... } for an object.", block.type, stray.type)
  end
  return levels.attributes_of(block.body)
end

--- Decodes a body, or several read as one, by a node.
---@param node hclexpr.spec.Node
---@param list hclexpr.Body[]
---@param run hclexpr.spec.Run
---@return hclexpr.Value? value
---@return hclexpr.Diagnostics? err
function decoder.decode(node, list, run)
  local value = node.kind.decode(node, levels.enter_all(run, list, node))
  local err = run.findings:diagnostics()
  if err then return nil, err end
  return value
end

--- Returns the attributes that are evaluated when bodies are decoded by a node.
---@param node hclexpr.spec.Node
---@param list hclexpr.Body[]
---@param run hclexpr.spec.Run
---@return hclexpr.Attribute[]
function decoder.attributes(node, list, run)
  local found = {}
  decoder.add_uses(node, levels.enter_all(run, list, node), found)
  return found
end

return decoder
