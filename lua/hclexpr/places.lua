-- Places, as Findings:report takes them.
local core = require "hclexpr.core"

---@class hclexpr.findings.Place
---@field object? hclexpr.Body|hclexpr.Attribute|hclexpr.Block|hclexpr.Expression the object whose source contains it; nil: the place is unknown
---@field range? hclexpr.Range
---@field context? hclexpr.Range
---@field values? any[] values shown with it: paths, each followed by its Value

local places = {}

--- The Range of an object; nil if it has none.
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

--- An attribute's expression, shown with its name.
---@param attribute hclexpr.Attribute
---@return hclexpr.findings.Place
function places.of_attribute(attribute)
  local range = attribute.expression:range()
  return { object = attribute.expression, range = range, context = { start = attribute.name_range.start, stop = range.stop } }
end

--- The first token of an attribute's expression, where a wrong constant of a specification is reported.
---@param attribute hclexpr.Attribute
---@return hclexpr.findings.Place
function places.of_constant(attribute)
  local place = places.of_attribute(attribute)
  place.range = core.start_range(attribute.expression)
  return place
end

--- A block's head: its type and labels; no place without a block.
---@param block? hclexpr.Block
---@return hclexpr.findings.Place
function places.of_block(block)
  return { object = block, range = block and block.head_range }
end

--- The head of a module's declaration.
---@param d hclexpr.module.Declaration
---@return hclexpr.findings.Place
function places.head_of(d)
  if d.block then return places.of_block(d.block) end
  return { object = d.attribute, range = d.attribute.range }
end

--- Returns a place with the values of names added, which a diagnostic shows.
---@param place hclexpr.findings.Place
---@param values any[]
---@return hclexpr.findings.Place
function places.with_values(place, values)
  return { object = place.object, range = place.range, context = place.context, values = values }
end

--- Makes the options for compiling a text that is in a file, so that diagnostics name its place there.
---@param range hclexpr.Range
---@param quotes? integer how many characters at the start of the range aren't part of the text
---@return table
function places.options(range, quotes)
  local start = range.start
  return { filename = range.filename, line = start.line, column = start.column + (quotes or 0), byte = start.byte + (quotes or 0) }
end

--- Names a place in words, for messages: "main.hcl line 3".
---@param range hclexpr.Range
---@return string
function places.words(range)
  return (range.filename and range.filename .. " " or "") .. "line " .. range.start.line
end

return places
