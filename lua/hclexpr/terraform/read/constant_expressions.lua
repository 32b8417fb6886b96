-- Expressions that are read and never evaluated: words, references, lists and maps of these. In JSON syntax strings contain them.
local core = require "hclexpr.core"
local places = require "hclexpr.places"

local constant_expressions = {}

--- Part of an expression: `tree` is a node of expression:ast().
---@class hclexpr.module.Part
---@field reader hclexpr.module.Reader
---@field expression hclexpr.Expression that contains the part
---@field tree table
---@field range hclexpr.Range
---@field text? string a reference that was written in quotes
---@field broken? boolean the text goes on after the reference, which was reported
---@field starts table the references of the expression, cached on first use

-- The range of a node. In JSON syntax the node of a template is the text between the quotes; the range includes them.
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

--- Is a part a text in quotes, in native syntax?
---@param p hclexpr.module.Part
---@return boolean
function constant_expressions.is_quoted(p)
  return not p.reader.json and (p.tree.kind == "string" or p.tree.kind == "template" or p.tree.kind == "wrap")
end

-- Compiles the expression in a text of JSON syntax, or in quotes; nil and why not. Its places are those of the source; a text of native
-- syntax has a quote before it.
local function expression_in(p, text)
  return core.compile(text, places.options(p.range, p.reader.json and 0 or 1))
end

local words = { null = true, ["true"] = true, ["false"] = true }

-- The reference in a text, in the form of core.traversals; nil: the text is something else. A reference may begin with a word such as null.
local function traversal_in(p, text)
  local blank, word = text:match "^(%s*)([%w_]+)"
  local hidden = words[word] and "_" .. word:sub(2)
  local found = expression_in(p, hidden and blank .. hidden .. text:sub(#blank + #word + 1) or text)
  local traversal = found and found:ast().kind == "traversal" and core.traversals(found)[1]
  if not traversal then return nil end
  if hidden then traversal.steps[1].text, traversal.path = word, word .. traversal.path:sub(#word + 1) end
  return traversal
end

-- The references of an expression, by the byte where they start.
local function by_start(expression)
  local all = {}
  for _, traversal in ipairs(core.traversals(expression)) do all[traversal.range.start.byte] = traversal end
  return all
end

-- Makes a reference of a node that isn't one for the core: a key of an object, or a name that begins with a word such as null.
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

--- The reference that a part is, step by step: { range, steps = { { kind, text, range }... } }; nil: it isn't one.
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

--- The text of a part's node in the source.
---@param p hclexpr.module.Part
---@return string
function constant_expressions.text_of(p)
  local from, range = p.expression:range().start.byte, p.tree.range
  return p.expression:source():sub(range.start.byte - from + 1, range.stop.byte - from)
end

--- Compiles a part as an expression of its own; nil, and diagnostics if a text of JSON syntax contains none.
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

--- The place of a range in that expression. In native syntax it is a place in the file.
---@param p hclexpr.module.Part
---@param expression hclexpr.Expression
---@param range hclexpr.Range
---@return hclexpr.findings.Place
function constant_expressions.place_in(p, expression, range)
  return { object = p.reader.json and expression or p.expression, range = range }
end

--- The word that a part is; nil: it isn't a word.
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

--- The elements of a literal list; nil: the part is something else.
---@param p hclexpr.module.Part
---@return hclexpr.module.Part[]?
function constant_expressions.list(p)
  if p.tree.kind ~= "tuple" then return nil end
  local all = {}
  for i, element in ipairs(p.tree.elements) do all[i] = part(p.reader, p.expression, element, p.starts) end
  return all
end

--- The keys and values of a literal object, { key, value } each; nil: the part is something else.
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

--- Returns a part with a reference in quotes, as in old sources, without the quotes, and warns of it. Other parts are returned unchanged.
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
