-- Writes an explanation as text. Each part has a line with columns for its source, its value, and the origin of a named value.
local core = require "hclexpr.core"

local text = {}

local WIDEST = 64 -- longest source or string, in characters
local FEW = 60 -- longest text of a collection or object that is shown in full
local IN_A_TURN = 40 -- longest source in the line of an iteration
local MOST_LINES = 1000

-- Returns the width in columns, approximated by the number of code points.
local function width(s)
  return select(2, s:gsub("[^\128-\191]", ""))
end

--- Writes a text on one line, shortened to `most` characters.
---@param s string
---@param most? integer
---@return string
function text.shortened(s, most)
  most = most or WIDEST
  s = s:gsub("%s+", " ")
  if width(s) <= most then return s end
  local at, left = 1, most - 3
  while left > 0 do
    at = (s:find("[^\128-\191]", at + 1)) or #s + 1
    left = left - 1
  end
  return s:sub(1, at - 1) .. "..."
end

--- Writes a text in quotes, shortened if it is long.
---@param s string
---@return string
function text.quote(s)
  if #s > 4 * WIDEST then s = s:sub(1, 4 * WIDEST):gsub("[\192-\255][\128-\191]*$", "") end
  return text.shortened(core.quote(s))
end

--- Returns a number and a noun, such as "1 object" or "2 objects".
---@param n integer
---@param word string
---@return string
function text.count(n, word)
  return n .. " " .. word .. (n == 1 and "" or "s")
end

--- Returns the file name and line of a range, such as "main.tf:12".
---@param range hclexpr.Range
---@return string
function text.place(range)
  return (range.filename and range.filename .. ":" or "line ") .. range.start.line
end

-- Returns the length of a table without calling a metamethod. In Lua 5.1 `#` doesn't call any for tables.
local raw_length = rawget(_G, "rawlen") or function(t) return #t end

--- Describes a table that wasn't converted to a Value, by the number of its elements or keys.
---@param t table
---@return string
function text.of_table(t)
  local elements = raw_length(t)
  if elements > 0 then
    local objects = true
    for i = 1, math.min(elements, 100) do
      local x = rawget(t, i)
      objects = objects and type(x) == "table" and raw_length(x) == 0
    end
    return text.count(elements, objects and "object" or "element")
  end
  local n = 0
  for _ in next, t do
    n = n + 1
    if n == 1000 then return "1000 keys and more" end
  end
  return text.count(n, "key")
end

local of_value

local sequences = { list = true, set = true, tuple = true }
local records = { object = "attribute", map = "key" }

--- Returns the known parts of an open object or of blocks, as an object or tuple; nil for other values.
---@param value hclexpr.Value
---@return hclexpr.Value?
local function known_parts(value)
  if core.is_marked(value) or value:is_known() then return nil end
  local known = value:refinements() --[[@as hclexpr.Refinements]]
  return known.attributes or known.items
end
text.known_parts = known_parts

-- Writes the parts of a value, if they are few and simple; otherwise returns nil.
local function parts_of(value, is_sequence)
  local list, length = {}, 0
  for key, part in value:pairs() do
    local kind = core.kind(part)
    local composite = not core.is_marked(part) and part:is_known() and not part:is_null() and (sequences[kind] or records[kind])
    if composite and #part > 0 or known_parts(part) then return nil end
    local one = of_value(part)
    if not is_sequence then
      one = (key:find "^[%a_][%w_-]*$" and key or text.quote(key)) .. " = " .. one
    end
    length = length + width(one) + 2
    if length > FEW then return nil end
    list[#list + 1] = one
  end
  return list
end

local function are_objects(value)
  local left = 100
  for _, part in value:pairs() do
    if core.is_marked(part) or not records[core.kind(part)] then return false end
    left = left - 1
    if left == 0 then break end
  end
  return true
end

-- Writes the known parts of an open object, and shows that there may be others.
local function of_open(known)
  if sequences[core.kind(known)] then return of_value(known) end
  local parts = parts_of(known, false)
  if not parts then return text.count(#known, "known attribute") .. " and others" end
  parts[#parts + 1] = "..."
  return "{ " .. table.concat(parts, ", ") .. " }"
end

--- Describes a value briefly.
---@param value hclexpr.Value
---@return string
function of_value(value)
  local known = known_parts(value)
  if known then return of_open(known) end
  if core.is_marked(value) or not value:is_known() or value:is_null() then return (tostring(value)) end
  local kind = core.kind(value)
  if kind == "string" then return text.quote(value:text()) end
  local is_sequence = sequences[kind]
  if not is_sequence and not records[kind] then return text.shortened(tostring(value)) end
  local parts = parts_of(value, is_sequence)
  if parts and is_sequence then return "[" .. table.concat(parts, ", ") .. "]" end
  if parts then return #parts == 0 and "{}" or "{ " .. table.concat(parts, ", ") .. " }" end
  if is_sequence then return text.count(#value, are_objects(value) and "object" or "element") end
  return text.count(#value, records[kind])
end
text.of_value = of_value

-- Returns the message of an error on one short line, because it may quote any text of the source.
local function message_of(err)
  return text.shortened(err[1].detail, 200)
end

-- Describes the result of a part: its value, error or note.
local function outcome(node)
  local note = node.note
  if node.error then return (note and "error, " .. note or "error") .. ": " .. message_of(node.error) end
  if node.failed then return note and "failed, " .. note or "failed" end
  local value = node.summary or node.value and of_value(node.value)
  if node.kind == "for" and note and note:find "kept$" then return note end
  if value and note then return value .. ", " .. note end
  return value or note or ""
end

local function indent(depth)
  return ("  "):rep(math.min(depth, 40))
end

local add

-- Adds the row of an iteration: the sources and results of its parts, and its note. The parts inside a failed part get rows of their own.
local function add_turn(rows, node, depth)
  local row = { left = indent(depth) .. node.source, pieces = {}, turn = true }
  for _, part in ipairs(node.children) do
    row.pieces[#row.pieces + 1] = text.shortened(part.source, IN_A_TURN) .. (part.kind == "traversal" and " " or ": ") .. outcome(part)
  end
  row.pieces[#row.pieces + 1] = node.note
  rows[#rows + 1] = row
  for _, part in ipairs(node.children) do
    if part.failed and #part.children > 0 then
      for _, child in ipairs(part.children) do add(rows, child, depth + 1) end
    end
  end
end

function add(rows, node, depth)
  if node.kind == "turn" then return add_turn(rows, node, depth) end
  rows[#rows + 1] = { left = indent(depth) .. text.shortened(node.source), shown = outcome(node), origin = node.origin }
  for _, child in ipairs(node.children) do add(rows, child, depth + 1) end
end

local function padded(s, to)
  return s .. (" "):rep(to - width(s))
end

-- Aligns the columns of consecutive iterations.
local function align_turns(rows)
  local first = 1
  while first <= #rows do
    local last, widths, label = first, {}, 0
    while rows[last] and rows[last].turn do
      label = math.max(label, width(rows[last].left))
      for i, piece in ipairs(rows[last].pieces) do widths[i] = math.max(widths[i] or 0, width(piece)) end
      last = last + 1
    end
    for r = first, last - 1 do
      local line = padded(rows[r].left, label)
      for i, piece in ipairs(rows[r].pieces) do
        line = line .. "   " .. (rows[r].pieces[i + 1] and padded(piece, math.min(widths[i], WIDEST)) or piece)
      end
      rows[r].line = line
    end
    first = math.max(last, first + 1)
  end
end

local function lines_of(rows)
  local left, shown, lines = 0, 0, {}
  align_turns(rows)
  for _, row in ipairs(rows) do
    if not row.turn then
      left = math.max(left, width(row.left))
      if row.origin then shown = math.max(shown, width(row.shown)) end
    end
  end
  for i, row in ipairs(rows) do
    local line = row.line
    if not line then
      line = padded(row.left, left) .. "  " .. row.shown
      if row.origin then line = padded(row.left, left) .. "  " .. padded(row.shown, shown) .. "    " .. row.origin end
    end
    lines[i] = line:gsub("%s+$", "")
  end
  return lines
end

--- Writes the tree as text: the value of the whole on the first line, and then a line for each part.
---@param tree hclexpr.Explanation
---@return string
function text.write(tree)
  local rows = {}
  if tree.kind == "traversal" then
    add(rows, tree, 1)
  else
    for _, child in ipairs(tree.children) do add(rows, child, 1) end
  end
  local head = tree.kind == "for" and tree.value and of_value(tree.value) .. (tree.note and ", " .. tree.note or "") or outcome(tree)
  local more = #rows - MOST_LINES
  for i = #rows, MOST_LINES + 1, -1 do rows[i] = nil end
  local lines = lines_of(rows)
  if more > 0 then lines[#lines + 1] = "  and " .. text.count(more, "more line") end
  table.insert(lines, 1, head)
  return table.concat(lines, "\n")
end

return text
