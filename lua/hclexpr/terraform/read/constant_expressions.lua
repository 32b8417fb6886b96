-- Reads expressions that are never evaluated: keywords, references, and lists and maps of these. In JSON syntax they are in strings.
local core = require "hclexpr.core"
local places = require "hclexpr.places"

local constant_expressions = {}

--- Part of an expression: `tree` is a node of expression:ast().
---@class hclexpr.module.Part
---@field reader hclexpr.module.Reader
---@field expression hclexpr.Expression that contains the part
---@field tree table
---@field range hclexpr.Range
---@field text? string the text of a reference written in quotes
---@field broken? boolean the reference is followed by other text, which was reported
---@field starts table the references of the expression, cached on first use

-- Returns the range of a node. In JSON syntax the node of a template is the text between the quotes, but this range includes the quotes.
local function range_of(reader, tree)
  local range = tree.range
  if not reader.json or (tree.kind ~= "wrap" and tree.kind ~= "template") then return range end
  local start, stop = range.start, range.stop
  return {
    filename = range.filename, start = { line = start.line, column = start.column - 1, byte = start.byte - 1 },
    stop = { line = stop.line, column = stop.column + 1, byte = stop.byte + 1 },
  }
end

local function part(reader, expression, tree, starts)
  return { reader = reader, expression = expression, tree = tree, range = range_of(reader, tree), starts = starts }
end

---@param reader hclexpr.module.Reader
---@param attribute hclexpr.Attribute
---@return hclexpr.module.Part
function constant_expressions.of(reader, attribute)
  return part(reader, attribute.expression, attribute.expression:ast(), {})
end

---@param p hclexpr.module.Part
---@return hclexpr.findings.Place
function constant_expressions.place(p)
  return { object = p.expression, range = p.range }
end

--- Returns true if a part is a text in quotes in native syntax.
---@param p hclexpr.module.Part
---@return boolean
function constant_expressions.is_quoted(p)
  return not p.reader.json and (p.tree.kind == "string" or p.tree.kind == "template" or p.tree.kind == "wrap")
end

-- Compiles the expression in a JSON string or in quotes; returns nil and diagnostics if that fails. Its ranges are those in the source; in
-- native syntax the part begins with a quote, so the text begins one byte later.
local function expression_in(p, text)
  return core.compile(text, places.options(p.range, p.reader.json and 0 or 1))
end

local words = { null = true, ["true"] = true, ["false"] = true }

-- Returns the reference in a text in the form of core.traversals, or nil for other texts. A reference may begin with a word such as null.
local function traversal_in(p, text)
  local blank, word = text:match "^(%s*)([%w_]+)"
  local hidden = words[word] and "_" .. word:sub(2)
  local found = expression_in(p, hidden and blank .. hidden .. text:sub(#blank + #word + 1) or text)
  local traversal = found and found:ast().kind == "traversal" and core.traversals(found)[1]
  if not traversal then return nil end
  if hidden then traversal.steps[1].text, traversal.path = word, word .. traversal.path:sub(#word + 1) end
  return traversal
end

-- Returns the references of an expression by the byte where they start.
local function by_start(expression)
  local all = {}
  for _, traversal in ipairs(core.traversals(expression)) do all[traversal.range.start.byte] = traversal end
  return all
end

-- Makes a reference from a node that the core doesn't treat as one: a key of an object, or a name that begins with a word such as null.
local function traversal_of_tree(tree)
  local root, steps = tree.root, tree.steps
  if tree.kind == "relative" then tree = tree.source end
  if tree.kind == "null" then root = "null" elseif tree.kind == "bool" then root = tostring(tree.value) end
  if not root then return nil end
  local made = { { kind = "root", text = root, range = tree.range } }
  for i, step in ipairs(steps or {}) do
    made[i + 1] = { kind = type(step) == "string" and "attr" or "number", text = tostring(step), range = tree.range }
  end
  return { range = tree.range, steps = made }
end

--- Returns a part as a reference, { range, steps = { { kind, text, range }... } }, or nil if it isn't one.
---@param p hclexpr.module.Part
---@return table? traversal
function constant_expressions.traversal(p)
  local tree = p.tree
  if p.text then return traversal_in(p, p.text) end
  if tree.kind == "key" then tree = tree.inner end
  if p.reader.json then return tree.kind == "string" and traversal_in(p, tree.text) or nil end
  if tree.kind == "traversal" then
    p.starts.all = p.starts.all or by_start(p.expression)
    local known = p.starts.all[tree.range.start.byte]
    if known then return known end
  end
  return traversal_of_tree(tree)
end

--- Returns the source text of a part's node.
---@param p hclexpr.module.Part
---@return string
function constant_expressions.text_of(p)
  local from, range = p.expression:range().start.byte, p.tree.range
  return p.expression:source():sub(range.start.byte - from + 1, range.stop.byte - from)
end

--- Compiles a part as an expression of its own. Returns nil if a JSON value isn't a string with an expression, with diagnostics if its text
--- is wrong.
---@param p hclexpr.module.Part
---@return hclexpr.Expression?
---@return hclexpr.Diagnostics? err
function constant_expressions.expression(p)
  if p.reader.json then
    if p.tree.kind == "string" then return expression_in(p, p.tree.text) end
    if p.tree.kind == "wrap" then return expression_in(p, constant_expressions.text_of(p)) end
    return nil
  end
  local text = constant_expressions.text_of(p)
  -- A heredoc ends with its newline.
  if text:sub(1, 2) == "<<" then text = text .. "\n" end
  return core.compile(text, places.options(p.range))
end

--- Returns the place of a range in the result of constant_expressions.expression. In native syntax it is a place in the whole expression.
---@param p hclexpr.module.Part
---@param expression hclexpr.Expression
---@param range hclexpr.Range
---@return hclexpr.findings.Place
function constant_expressions.place_in(p, expression, range)
  return { object = p.reader.json and expression or p.expression, range = range }
end

--- Returns the keyword that a part consists of, or nil.
---@param p hclexpr.module.Part
---@return string?
function constant_expressions.keyword(p)
  local tree = p.tree
  if p.text then return core.name_columns(p.text) and p.text or nil end
  if tree.kind == "key" then tree = tree.inner end
  if tree.kind == "traversal" then return #tree.steps == 0 and tree.root or nil end
  if p.reader.json and tree.kind == "string" and core.name_columns(tree.text) then return tree.text end
  return nil
end

--- Returns the elements of a literal list, or nil for other parts.
---@param p hclexpr.module.Part
---@return hclexpr.module.Part[]?
function constant_expressions.list(p)
  if p.tree.kind ~= "tuple" then return nil end
  local all = {}
  for i, element in ipairs(p.tree.elements) do all[i] = part(p.reader, p.expression, element, p.starts) end
  return all
end

--- Returns the keys and values of a literal object, { key, value } each, or nil for other parts.
---@param p hclexpr.module.Part
---@return hclexpr.module.Part[][]?
function constant_expressions.pairs(p)
  if p.tree.kind ~= "object" then return nil end
  local all = {}
  for i = 1, #p.tree.items, 2 do
    all[#all + 1] = {
      part(p.reader, p.expression, p.tree.items[i], p.starts), part(p.reader, p.expression, p.tree.items[i + 1], p.starts),
    }
  end
  return all
end

--- Removes the quotes around a reference, which old sources have, and warns of them. Other parts are returned unchanged.
---@param p hclexpr.module.Part
---@param what string "reference" or "keyword"
---@return hclexpr.module.Part
function constant_expressions.unquoted(p, what)
  local tree = p.tree.kind == "key" and p.tree.inner or p.tree
  if p.reader.json or tree.kind ~= "string" then return p end
  local _, err = expression_in(p, tree.text)
  if err then p.reader.findings:add(err) end
  p.reader.findings:report("MODULE_QUOTED", constant_expressions.place(p), "Write the %s without quotes: %s", what, tree.text)
  return { reader = p.reader, expression = p.expression, tree = tree, range = p.range, text = tree.text, starts = {},
           broken = err ~= nil and tree.text:find "^%s*[%a_\128-\255]" ~= nil }
end

return constant_expressions
