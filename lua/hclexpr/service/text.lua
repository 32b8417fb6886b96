-- Texts as editors count them: lines, and places in a line in bytes, UTF-16 units or code points.
local text = {}

--- The byte offsets at which lines begin.
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

-- How many units a code point has, by its first byte.
local widths = {
  ["utf-16"] = function(byte) return byte >= 240 and 2 or 1 end,
  ["utf-32"] = function() return 1 end,
}

-- The bytes of the code point that begins with a byte. Bytes that begin none count as one each.
local function size_of(byte)
  return byte < 0xC0 and 1 or byte < 0xE0 and 2 or byte < 0xF0 and 3 or 4
end

--- The line of a byte, from 0.
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

--- Line and character of a byte, from 0.
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
  local before = source:sub(start + 1, byte)
  if not width or not before:find "[\128-\255]" then return line, #before end
  local units, at = 0, 1
  while at <= #before do
    local first = before:byte(at)
    units, at = units + width(first), at + size_of(first)
  end
  return line, units
end

--- The byte of a line and character, from 0. What lies behind a line is its end; what lies behind the text the text's.
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
  local width = widths[encoding]
  local content = source:sub(start + 1, stop)
  character = math.max(0, character)
  if not width or not content:find "[\128-\255]" then return math.min(start + character, stop) end
  local units, at = 0, 1
  while at <= #content and units < character do
    local first = content:byte(at)
    units, at = units + width(first), at + size_of(first)
  end
  return math.min(start + at - 1, stop)
end

--- A text with a part replaced.
---@param source string
---@param start integer
---@param stop integer
---@param new string
---@return string
function text.replace(source, start, stop, new)
  return source:sub(1, start) .. new .. source:sub(stop + 1)
end

return text
