-- Wraps text to a width; lines end between words.
local wrap = {}

-- Returns the width of a text in columns, approximated by its number of code points.
local function columns(text)
  return select(2, text:gsub("[^\128-\191]", ""))
end
wrap.width = columns

--- Wraps a paragraph. Words longer than a line stay whole.
---@param text string
---@param width integer
---@param indent? integer the number of spaces before the second and later lines
---@param used? integer the number of columns already taken in the first line
---@return string
function wrap.text(text, width, indent, used)
  local parts, column, empty = {}, used or 0, true
  for blanks, word in text:gmatch "(%s*)(%S+)" do
    local size = columns(word)
    if not empty and column + #blanks + size > width then
      parts[#parts + 1] = "\n" .. (" "):rep(indent or 0)
      blanks, column = "", indent or 0
    end
    parts[#parts + 1] = blanks .. word
    column, empty = column + #blanks + size, false
  end
  return table.concat(parts)
end

--- Wraps each line of a text by itself, such as the lines of an explanation. Continuation lines are indented further.
---@param text string
---@param width integer
---@return string
function wrap.columns(text, width)
  return (text:gsub("[^\n]+", function(line)
    local indent = math.min(#line:match "^ *" + 4, math.floor(width / 2))
    return wrap.text(line, width, indent)
  end))
end

--- Wraps like wrap.columns, and also cuts words that are longer than a line.
---@param text string
---@param width integer
---@return string
function wrap.narrow(text, width)
  return (wrap.columns(text, width):gsub("[^\n]+", function(line)
    if columns(line) <= width then return nil end
    local at = 1
    for _ = 1, width - 1 do at = line:find("[^\128-\191]", at + 1) end
    return line:sub(1, at - 1) .. "…"
  end))
end

return wrap
