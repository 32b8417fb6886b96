-- Makes places: the positions in sources that Findings:report takes.
local core = require "hclexpr.core"

---@class hclexpr.findings.Place
---@field object? hclexpr.Body|hclexpr.Attribute|hclexpr.Block|hclexpr.Expression the object whose source contains the place; nil: the place is unknown
---@field range? hclexpr.Range
---@field context? hclexpr.Range
---@field values? any[] values that a diagnostic shows: paths, each followed by its Value

local places = {}

--- Returns the Range of a Body, Attribute, Block or Expression; nil for other objects.
---@param object hclexpr.Body|hclexpr.Attribute|hclexpr.Block|hclexpr.Expression
---@return hclexpr.Range?
function places.range_of(object)
  local class = getmetatable(object)
  if class == core.classes.Expression or class == core.classes.Body then return (object --[[@as hclexpr.Body]]):range() end
  if class == core.classes.Attribute or class == core.classes.Block then return (object --[[@as hclexpr.Block]]).range end
end

---@param expression hclexpr.Expression
---@return hclexpr.findings.Place
function places.of_expression(expression)
  return { object = expression, range = expression:range() }
end

--- Makes the place of an attribute's expression; reports show it together with the attribute's name.
---@param attribute hclexpr.Attribute
---@return hclexpr.findings.Place
function places.of_attribute(attribute)
  local range = attribute.expression:range()
  return { object = attribute.expression, range = range, context = { start = attribute.name_range.start, stop = range.stop } }
end

--- Makes the place of the first token of an attribute's expression, where a wrong constant in a specification is reported.
---@param attribute hclexpr.Attribute
---@return hclexpr.findings.Place
function places.of_constant(attribute)
  local place = places.of_attribute(attribute)
  place.range = core.start_range(attribute.expression)
  return place
end

--- Makes the place of a block's type and labels. Without a block, the place is empty.
---@param block? hclexpr.Block
---@return hclexpr.findings.Place
function places.of_block(block)
  return { object = block, range = block and block.head_range }
end

--- Makes the place of a declaration's head in a module.
---@param d hclexpr.module.Declaration
---@return hclexpr.findings.Place
function places.head_of(d)
  if d.block then return places.of_block(d.block) end
  return { object = d.attribute, range = d.attribute.range }
end

--- Returns a copy of a place with named values, which a diagnostic shows.
---@param place hclexpr.findings.Place
---@param values any[]
---@return hclexpr.findings.Place
function places.with_values(place, values)
  return { object = place.object, range = place.range, context = place.context, values = values }
end

--- Makes options for compiling a text inside a file, so that diagnostics show its position there.
---@param range hclexpr.Range
---@param quotes? integer the number of characters to skip at the start of the range, such as a quote
---@return table
function places.options(range, quotes)
  local start = range.start
  return { filename = range.filename, line = start.line, column = start.column + (quotes or 0), byte = start.byte + (quotes or 0) }
end

--- Describes a place in words for messages, such as "main.hcl line 3".
---@param range hclexpr.Range
---@return string
function places.words(range)
  return (range.filename and range.filename .. " " or "") .. "line " .. range.start.line
end

return places
