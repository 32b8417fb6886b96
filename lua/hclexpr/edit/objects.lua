-- hcl.edit inside an attribute's value: changes members of objects and elements of tuples.
--
-- After the name of an attribute, a path continues with keys of objects and numbers of tuple elements, as long as the source contains such
-- an object or tuple. The result of a call, a loop or a name isn't in the source, so its parts can't be changed.
local core = require "hclexpr.core"
local lines = require "hclexpr.edit.lines"

local objects = {}

local margin_at, line_start, line_stop, eol_at, shift = lines.margin_at, lines.line_start, lines.line_stop, lines.eol_at, lines.shift

---@class hclexpr.edit.Member
---@field node? table the AST node of the member's value; nil: the object has no such key
---@field parent table the object or tuple
---@field at integer the position of its key in the parent's `items`, or of the element in `elements`

-- Returns the text of a key that is written as a name or string, or as null, true or false; otherwise nil.
local function key_text(item)
  local inner = item.inner
  if item.forced then return nil end
  if inner.kind == "traversal" then return #inner.steps == 0 and inner.root or nil end
  if inner.kind == "string" then return inner.text end
  if inner.kind == "null" then return "null" end
  if inner.kind == "bool" then return tostring(inner.value) end
end

local function member_of(parent, step)
  if parent.kind == "tuple" and type(step) == "number" then return { parent = parent, at = step + 1, node = parent.elements[step + 1] } end
  if parent.kind ~= "object" or type(step) ~= "string" then return nil end
  for i = 1, #parent.items, 2 do
    if key_text(parent.items[i]) == step then return { parent = parent, at = i, node = parent.items[i + 1] } end
  end
  return { parent = parent, at = #parent.items + 1 }
end

local function bare(node)
  while node and node.kind == "parens" do node = node.inner end
  return node
end

--- Finds the member of an attribute's value that the steps from number `first` on name; or returns nil and the number of the step that
--- names nothing. The last step may be a key that its object lacks.
---@param attribute hclexpr.Attribute
---@param steps (string|integer)[]
---@param first integer
---@return hclexpr.edit.Member? member
---@return integer? missed
---@return string? kind "a tuple" or "an object" if that lacks the part; nil: the step leads into another kind of value
function objects.find(attribute, steps, first)
  local node, member = attribute.expression:ast(), nil
  for i = first, #steps do
    node = bare(node)
    member = node and member_of(node, steps[i])
    if not member then return nil, i end
    if not member.node and (i < #steps or node.kind == "tuple") then return nil, i, node.kind == "tuple" and "a tuple" or "an object" end
    node = member.node
  end
  return member
end

--- Finds the object or tuple in an attribute's value that the steps from number `first` on name; nil if the value has no such part.
---@param attribute hclexpr.Attribute
---@param outer (string|integer)[]
---@param first integer
---@return table? node
function objects.node(attribute, outer, first)
  if #outer < first then return bare(attribute.expression:ast()) end
  local member = objects.find(attribute, outer, first)
  return member and bare(member.node)
end

-- Returns the offsets where a member begins and ends, its key included.
local function span_of(member)
  local parent = member.parent
  local from = parent.kind == "object" and parent.items[member.at] or parent.elements[member.at]
  return from.range.start.byte, member.node.range.stop.byte
end

-- Returns the end of the comma that follows an item, on the same line or a later one; nil if no comma follows.
local function comma_after(text, at)
  while true do
    local stop, other = line_stop(text, at)
    if other then return text:sub(stop + 1, stop + 1) == "," and stop + 1 or nil end
    if stop == at then return nil end
    at = stop
  end
end

-- Returns the key and value of an object's last item; nil if the object is empty.
local function last_of(parent)
  local items = parent.items
  return items[#items - 1], items[#items]
end

-- Returns the spaces before the `=` of a new item: aligned with the item above if that takes one line.
local function padding(text, name, key, value)
  local gap = text:sub(key.range.stop.byte + 1, value.range.start.byte):match "^( *)= *$"
  local above = text:sub(key.range.start.byte + 1, key.range.stop.byte)
  local columns, own = core.name_columns(above), core.name_columns(name)
  if not gap or not columns or not own or text:sub(value.range.start.byte + 1, value.range.stop.byte):find "\n" then return " " end
  return (" "):rep(math.max(1, columns + #gap - own))
end

-- Makes the replacement that inserts a new item on its own line, below the last item.
local function insert_line(text, name, source, key, value)
  local stop = value.range.stop.byte
  local comma = comma_after(text, stop)
  local at, margin, eol = line_stop(text, comma or stop), margin_at(text, key.range.start.byte), eol_at(text, stop)
  local line = margin .. name .. padding(text, name, key, value) .. "= " .. shift(source, margin) .. (comma and "," or "") .. eol
  return at, at, line
end

-- Makes the replacement that inserts the first item of an object, which may contain comments.
local function insert_first(text, item, parent)
  local open, close = parent.range.start.byte + 1, parent.range.stop.byte - 1
  if not text:sub(open + 1, close):find "%S" then return open, close, " " .. item .. " " end
  local line = line_start(text, close)
  if line > open and not text:sub(line + 1, close):find "%S" then
    return line, line, margin_at(text, close) .. "  " .. shift(item, margin_at(text, close) .. "  ") .. eol_at(text, close)
  end
  return close, close, (text:find("^%s", close) and "" or " ") .. item .. " "
end

-- Makes the replacement that inserts a new item on the line of the last item, after it.
local function insert_behind(text, item, value)
  local stop = value.range.stop.byte
  local comma = comma_after(text, stop)
  return comma or stop, comma or stop, (comma and " " or ", ") .. item
end

--- Makes the replacement that adds a missing member to an object. Returns the span to replace, and the new text.
---@param text string
---@param member hclexpr.edit.Member
---@param key string
---@param source string
---@return integer from
---@return integer to
---@return string new
function objects.insert(text, member, key, source)
  local parent, name = member.parent, core.key_source(key)
  local last_key, last = last_of(parent)
  if not last then return insert_first(text, name .. " = " .. source, parent) end
  local _, other = line_stop(text, comma_after(text, last.range.stop.byte) or last.range.stop.byte)
  local own = text:sub(line_start(text, last_key.range.start.byte) + 1, last_key.range.start.byte):find "^%s*$"
  if own and not other then return insert_line(text, name, source, last_key, last) end
  return insert_behind(text, name .. " = " .. source, last)
end

--- Returns the byte offsets where a member's value begins and ends.
---@param member hclexpr.edit.Member
---@return integer from
---@return integer to
function objects.value_span(member)
  return member.node.range.start.byte, member.node.range.stop.byte
end

--- Returns the span to remove for a member: its lines if it is alone on them, otherwise the member and a comma.
---@param text string
---@param member hclexpr.edit.Member
---@return integer from
---@return integer to
function objects.removal_span(text, member)
  local start, stop = span_of(member)
  local comma = comma_after(text, stop)
  local line, last, other = line_start(text, start), line_stop(text, comma or stop)
  if not other and text:sub(line + 1, start):find "^[ \t]*$" then
    local range = member.parent.range
    return lines.removal(text, line, last, (line_stop(text, range.start.byte + 1)), line_start(text, range.stop.byte - 1))
  end
  if comma then return start, text:match("^[ \t]*()", comma + 1) - 1 end
  local before = text:sub(1, start):match "^.*[^%s,]()" or start + 1
  return math.max(before - 1, member.parent.range.start.byte + 1), stop
end

return objects
