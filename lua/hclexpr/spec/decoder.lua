-- Functions for decoding a body by a node of a specification. All kinds of nodes (kinds.lua) use them.
local clause = require("hclexpr.findings").clause
local core = require "hclexpr.core"
local levels = require "hclexpr.spec.levels"
local places = require "hclexpr.places"

local decoder = {}

--- Adds to `names` a name for each label of a block that the specs for its body read.
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

--- Decodes a block that a node looks for. Returns its Value, and the level at which it was decoded. The first `skip` labels belong to the
--- node itself.
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

--- Decodes another spec of the same body; nil if a mistake was reported, even if there is a value.
---@param node hclexpr.spec.Node
---@param at hclexpr.spec.Level
---@return hclexpr.Value?
function decoder.decode_sound(node, at)
  local before = at.run.findings:count()
  local value = node.kind.decode(node, at)
  if at.run.findings:count() == before then return value end
end

--- Adds to `found` the attributes of a body that a node evaluates.
---@param node hclexpr.spec.Node
---@param at hclexpr.spec.Level
---@param found hclexpr.Attribute[]
function decoder.add_uses(node, at, found)
  if node.kind.uses then node.kind.uses(node, at, found) end
  for _, item in ipairs(node.items) do decoder.add_uses(item, at, found) end
end

--- Adds to `found` the attributes that a node evaluates in a block that it looks for.
---@param node hclexpr.spec.Node
---@param at hclexpr.spec.Level
---@param block hclexpr.Block
---@param found hclexpr.Attribute[]
function decoder.add_uses_of_block(node, at, block, found)
  decoder.add_uses(node.body, levels.enter(at.run, block.body, node.body, {}), found)
end

--- Makes the Value of Lua data that may contain Values; nil if the data is too large, after reporting that.
---@param at hclexpr.spec.Level
---@param data any
---@return hclexpr.Value?
function decoder.make(at, data)
  local value, err = core.value(data)
  if value == nil then at.run.findings:add(err) end
  return value
end

--- Evaluates an attribute, and converts its Value to a type; nil after reporting a mistake.
---@param run hclexpr.spec.Run
---@param attribute hclexpr.Attribute
---@param type hclexpr.Type
---@return hclexpr.Value?
function decoder.attribute_value(run, attribute, type)
  -- The Expression is new, and closed after use: for a thousand blocks the garbage collector would free them too late.
  local expression = core.field(attribute, "expression")
  local value, err = expression:value(run.variables, run.scope)
  core.close_expression(expression)
  local secret = core.field(attribute, "secret")
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

--- Returns all attributes of a block that may contain nothing else; reports the first block inside it, if there is one.
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

--- Decodes a body by a node, or several bodies that are read as one.
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
