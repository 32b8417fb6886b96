-- Inlays: values to show after expressions that aren't literals: local values, outputs, and arguments of modules and resources; in a
-- described language, all arguments that have values.
local lazy = require "hclexpr.lazy"
local markdown = require "hclexpr.editor.markdown"
local shorten = require("hclexpr.util").shorten
local folder_values = require "hclexpr.editor.folder_values"

local inlays = {}

-- The longest inlay, in bytes; and the largest number of inlays in an answer.
local LONGEST, MOST = 60, 200

local shown = { locals = true, output = true, module = true, resource = true, data = true }
local meta = { source = true, version = true, providers = true, depends_on = true, provider = true, for_each = true, description = true }

local function is_plain(expression)
  return #expression:references() == 0 and #expression:calls() == 0
end

-- Returns the text of an expression's value; false if the value isn't known, or the expression contains neither names nor calls.
local function text_of(workspace, document, block, name, expression)
  if is_plain(expression) then return false end
  local source = block and block.type == "locals" and "local." .. name or expression:source()
  return folder_values.shown(workspace, document, expression:range().start.byte, source) or false
end

-- Makes a key for an argument of Terraform from everything except its position, because edits move it.
local function key_of(document, block, name, expression)
  return table.concat({ document.path, block.type, table.concat(block.labels, "."), name, expression:source() }, "\0")
end

local function add(found, expression, text)
  local short = shorten(text, LONGEST)
  found[#found + 1] = { at = expression:range().stop.byte, text = "= " .. short, tooltip = short ~= text and markdown.code(text) or nil }
end

-- Returns the attributes of a body in order.
local function in_order(body)
  local list = {}
  for name, attribute in pairs(body.attributes) do
    local range = attribute.range
    list[#list + 1] = { name = name, start = range.start.byte, stop = range.stop.byte, expression = attribute.expression }
  end
  table.sort(list, function(a, b) return a.start < b.start end)
  return list
end

-- Returns the index of the first block that ends after a byte. This is a binary search: the blocks are in the order of the file, and there
-- may be ten thousand of them.
local function first_after(blocks, byte)
  local low, high = 1, #blocks + 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if blocks[middle].range.stop.byte > byte then high = middle else low = middle + 1 end
  end
  return low
end

-- Calls act(block, name, expression) for each argument between two positions in a body of a described language, until it returns true.
-- `layer` has the allowed contents of the body.
local function each_described(body, layer, block, start, stop, act)
  for _, one in ipairs(in_order(body)) do
    local row = layer.attributes[one.name]
    local has_value = row and not row.unread or layer.open
    local is_within = one.start < stop and one.stop > start
    if has_value and is_within and act(block, one.name, one.expression) then return true end
  end
  local blocks = body.blocks
  for i = first_after(blocks, start), #blocks do
    local inner = blocks[i]
    if inner.range.start.byte >= stop then return end
    local row = layer.block_types[inner.type]
    local shows = row and row.declares ~= "variables"
    if shows and each_described(inner.body, row.block, inner, start, stop, act) then return true end
  end
end

-- Calls act(block, name, expression) for each expression between two positions that may have an inlay.
local function each(document, start, stop, act)
  if document.vocabulary then
    if document.body then each_described(document.body, document.vocabulary.top, nil, start, stop, act) end
    return
  end
  for _, block in ipairs(document.body and document.body.blocks or {}) do
    local range = block.range
    if shown[block.type] and range.start.byte < stop and range.stop.byte > start then
      for _, one in ipairs(in_order(block.body)) do
        local is_shown = not meta[one.name] and (block.type ~= "output" or one.name == "value")
        if is_shown and one.start < stop and one.stop > start then act(block, one.name, one.expression) end
      end
    end
  end
end

--- Evaluates the expressions of a document that may have an inlay, and stores the texts of their values.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@param texts table<string, string|false> the table to store the texts in
---@param breathe fun() called after each expression
function inlays.prepare(workspace, document, texts, breathe)
  each(document, 0, #document.text, function(block, name, expression)
    texts[key_of(document, block, name, expression)] = text_of(workspace, document, block, name, expression)
    breathe()
  end)
end

function inlays.inlays(workspace, document, start, stop)
  local found = {}
  if document.kind ~= "terraform" and not document.vocabulary then return found end
  local known, deadline = lazy.load("hclexpr.editor.background").shown(workspace, document)
  each(document, start or 0, stop or #document.text, function(block, name, expression)
    if #found >= MOST then return true end
    local text
    if os.clock() > deadline then
      text = block and known[key_of(document, block, name, expression)]
    else
      text = text_of(workspace, document, block, name, expression)
    end
    if text then add(found, expression, text) end
  end)
  return found
end

return inlays
