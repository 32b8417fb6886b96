-- Reads the declared types of variables and outputs.
local core = require "hclexpr.core"
local check = require "hclexpr.check"
local lazy = require "hclexpr.lazy"
local places = require "hclexpr.places"
local constant_expressions = lazy "hclexpr.terraform.read.constant_expressions"

local type_constraints = {}

--- Returns the Type that an argument describes; if it isn't a type, reports that and returns nil.
---@param reader hclexpr.module.Reader
---@param attribute hclexpr.Attribute
---@return hclexpr.Type?
function type_constraints.read(reader, attribute)
  local expression = attribute.expression
  local literal = reader.json and expression:literal()
  if type(literal) == "string" then
    -- Places in the JSON string are places in the file.
    local range = expression:range()
    local compiled = check.possible(core.compile(literal, places.options(range)))
    expression = compiled or expression
  end
  local made, err = core.expression_type(expression)
  if made then return made end
  -- A mistake that covers the whole text is reported at the whole string, quotes included.
  local range, place = expression:range(), err[1].range
  local whole = expression ~= attribute.expression and place.start.byte == range.start.byte and place.stop.byte == range.stop.byte
  if whole then reader.findings:report("MODULE_TYPE", places.of_attribute(attribute), "%s", err[1].detail) else reader.findings:add(err) end
end

-- The types that most variables have, made once: making them for 36 variables took 0.6 % of the time in which a console answers.
local plain = {}
for _, name in ipairs { "any", "bool", "number", "string" } do plain[name] = check.certain(core.type(name)) end

--- The type of variables and outputs without a declared type.
type_constraints.any = plain.any

-- Old names of types; all elements have one type, which may be any.
local short = { list = "list(any)", map = "map(any)" }

--- Returns the Type in a variable's argument, which may have an old name; after a mistake, which is reported, `any`. The second result is
--- true if a text given for the variable is an expression.
---@param reader hclexpr.module.Reader
---@param attribute hclexpr.Attribute
---@return hclexpr.Type
---@return boolean parsed
function type_constraints.read_variable(reader, attribute)
  local source = attribute.expression:source()
  if plain[source] then return plain[source], source == "any" end
  ---@type string?
  local word = source
  -- A source that begins with a letter is neither quoted nor JSON, so its syntax tree isn't needed.
  if not source:find "^%l" then
    local p = constant_expressions.of(reader, attribute)
    if constant_expressions.is_quoted(p) then
      reader.findings:report("MODULE_TYPE", places.of_attribute(attribute), "Write a type without quotes, such as string or "
        .. "list(string).")
      return plain.any, p.tree.text ~= "string"
    end
    word = constant_expressions.keyword(p)
  end
  if word and short[word] then return check.certain(core.type(short[word])), true end
  local made = type_constraints.read(reader, attribute)
  if not made then return plain.any, true end
  local kind = made:kind()
  return made, not (kind == "string" or kind == "number" or kind == "bool")
end

return type_constraints
