-- Texts as editors count them: lines, and positions in a line in bytes, UTF-16 units or code points.
local text = {}

--- Returns the byte offsets at which lines begin.
---@param source string
---@return integer[]
function text.lines(source)
  local starts, at, find = { 0 }, 1, string.find
  while true do
    local newline = find(source, "\n", at, true)
    if not newline then return starts end
    starts[#starts + 1] = newline
    at = newline + 1
  end
end

-- The number of units of a code point in each encoding, given its first byte.
local widths = {
  ["utf-16"] = function(byte) return byte >= 240 and 2 or 1 end,
  ["utf-32"] = function() return 1 end,
}

-- Returns the number of bytes of a code point, given its first byte. A byte that can't be the first one counts as one.
local function size_of(byte)
  return byte < 0xC0 and 1 or byte < 0xE0 and 2 or byte < 0xF0 and 3 or 4
end

--- Makes a pattern that finds texts in lower case with these bytes in this order, and anything between them. Matching takes one pass.
---@param letters string in lower case
---@return string
function text.in_order(letters)
  return "^" .. letters:gsub(".", function(letter)
    local byte = letter == "\0" and "%z" or letter:gsub("%p", "%%%0")
    return "[^" .. byte .. "]*" .. byte
  end)
end

--- Returns the line of a byte, from 0.
---@param lines integer[]
---@param byte integer
---@return integer
function text.line_of(lines, byte)
  local low, high = 1, #lines
  while low < high do
    local middle = math.floor((low + high + 1) / 2)
    if lines[middle] <= byte then low = middle else high = middle - 1 end
  end
  return low - 1
end

-- Counting units begins at the start of the line. A long line has marks about every STRIDE bytes, made on first use, and counting begins at
-- the mark before the position. So the positions of all bytes of a text take time proportional to its size, even if its lines are long.
local STRIDE = 256

-- Counts the units of source[at, stop), but at most `most` of them. Returns their number, and the offset where counting ended, which is
-- after stop if a code point crosses it. If given, `marks` receives marks: offsets with the number of units before them.
local function count(source, at, stop, width, most, marks)
  local units, next_mark = 0, at + STRIDE
  while at < stop and units < most do
    if marks and at >= next_mark then
      marks[#marks + 1] = { at = at, units = units }
      next_mark = at + STRIDE
    end
    local first = source:byte(at + 1)
    units, at = units + width(first), at + size_of(first)
  end
  return units, at
end

local no_marks = {}

-- Returns the marks of a line; nil if each byte of the line is a unit.
local function marks_of(source, lines, line, encoding)
  local start, stop = lines[line + 1], lines[line + 2] or #source
  if stop - start <= STRIDE then return source:sub(start + 1, stop):find "[\128-\255]" and no_marks end
  local long = lines[encoding] or {}
  lines[encoding] = long
  if long[line] == nil then
    local content = source:sub(start + 1, stop)
    long[line] = content:find "[\128-\255]" ~= nil and {}
    if long[line] then count(source, start, stop, widths[encoding], math.huge, long[line]) end
  end
  return long[line] or nil
end

-- Returns the last mark in which `field` is at most `value`; nil if all marks are later.
local function mark_before(marks, field, value)
  local low, high = 0, #marks
  while low < high do
    local middle = math.floor((low + high + 1) / 2)
    if marks[middle][field] <= value then low = middle else high = middle - 1 end
  end
  return marks[low]
end

--- Returns the line and character of a byte, both from 0.
---@param source string
---@param lines integer[]
---@param byte integer
---@param encoding "utf-8"|"utf-16"|"utf-32"
---@return integer line
---@return integer character
function text.position(source, lines, byte, encoding)
  byte = math.max(0, math.min(byte, #source))
  local line = text.line_of(lines, byte)
  local start, width = lines[line + 1], widths[encoding]
  local marks = width and marks_of(source, lines, line, encoding)
  if not marks then return line, byte - start end
  local mark = mark_before(marks, "at", byte) or { at = start, units = 0 }
  return line, mark.units + count(source, mark.at, byte, width, math.huge)
end

--- Returns the byte of a line and character, both from 0. A character after the end of a line means that end; a line after the last one
--- means the end of the text.
---@param source string
---@param lines integer[]
---@param line integer
---@param character integer
---@param encoding "utf-8"|"utf-16"|"utf-32"
---@return integer
function text.byte(source, lines, line, character, encoding)
  if line < 0 then return 0 end
  local start = lines[line + 1]
  if not start then return #source end
  local stop = lines[line + 2] and lines[line + 2] - 1 or #source
  if stop > start and source:byte(stop) == 13 then stop = stop - 1 end
  character = math.max(0, character)
  local width = widths[encoding]
  local marks = width and marks_of(source, lines, line, encoding)
  if not marks then return math.min(start + character, stop) end
  local mark = mark_before(marks, "units", character) or { at = start, units = 0 }
  local _, at = count(source, mark.at, stop, width, character - mark.units)
  return math.min(at, stop)
end

--- Replaces a part of a text.
---@param source string
---@param start integer
---@param stop integer
---@param new string
---@return string
function text.replace(source, start, stop, new)
  return source:sub(1, start) .. new .. source:sub(stop + 1)
end

return text
