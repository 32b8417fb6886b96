-- Places: what Findings:report takes: an object whose source it is, and a Range in it.
local core = require "hclexpr.core"

local places = {}

function places.of_expression(expression)
  return { object = expression, range = expression:range() }
end

--- An attribute's expression, shown with its name.
function places.of_attribute(attribute)
  local range = attribute.expression:range()
  return { object = attribute.expression, range = range, context = { start = attribute.name_range.start, stop = range.stop } }
end

--- The first token of an attribute's expression: where a constant of a specification isn't what it should be.
function places.of_constant(attribute)
  local place = places.of_attribute(attribute)
  place.range = core.start_range(attribute.expression)
  return place
end

--- A block's head: its type and labels.
function places.of_block(block)
  return { object = block, range = block.head_range }
end

--- A place in words, for messages: "main.hcl line 3".
function places.words(range)
  return (range.filename and range.filename .. " " or "") .. "line " .. range.start.line
end

return places
