-- Text for people at the width of a terminal: lines end between words, and columns stay columns.
--
-- Help is written as it reads in the source: lines of a paragraph belong together, and indented lines stay as they are.
local wrap = require "hclexpr.wrap"

local layout = {}

local LEAST = 20 -- the fewest columns of a text to the right of a name

local columns = wrap.width

layout.wrap, layout.wrap_columns = wrap.text, wrap.columns

--- Wraps the lines of a text to a width, except lines that begin with white space.
---@param text string
---@param width integer
---@return string
function layout.wrap_lines(text, width)
  return (text:gsub("[^\n]+", function(line) return line:find "^%s" and line or layout.wrap(line, width) end))
end

---@class hclexpr.cli.layout.Item
---@field kind "text"|"option"|"verbatim"|"blank"
---@field text string
---@field name? string of an option: how it is written

--- Splits a text of help into its parts.
---@param text string
---@return hclexpr.cli.layout.Item[]
function layout.items(text)
  local items = {}
  for line in text:gsub("%s+$", ""):gmatch "([^\n]*)\n?" do
    local last = items[#items]
    if line == "" then items[#items + 1] = { kind = "blank", text = "" }
    elseif line:find "^%S" and last and last.kind == "text" then last.text = last.text .. " " .. line
    else items[#items + 1] = { kind = line:find "^%s" and "verbatim" or "text", text = line } end
  end
  while items[1] and items[#items].kind == "blank" do items[#items] = nil end
  return items
end

--- Lays out rows of two columns: the second is wrapped, and begins below the first if the first is too long.
---@param rows { [1]: string, [2]: string }[]
---@param width integer
---@return string[] lines
function layout.rows(rows, width)
  local widest, lines = 0, {}
  local most = math.max(10, math.min(34, math.floor(width / 3)))
  for _, row in ipairs(rows) do
    if columns(row[1]) <= most then widest = math.max(widest, columns(row[1])) end
  end
  if widest == 0 then widest = 8 end
  local at = 2 + widest + 2
  local wide = math.max(width, at + LEAST)
  for _, row in ipairs(rows) do
    local first, own = row[1], columns(row[1])
    if own <= widest then
      first = "  " .. first .. (" "):rep(widest - own + 2)
    else
      first = "  " .. layout.wrap(first, width, 6, 2) .. "\n" .. (" "):rep(at)
    end
    lines[#lines + 1] = first .. layout.wrap(row[2], wide, at, at)
  end
  return lines
end

--- Writes the parts of help, wrapped to a width.
---@param items hclexpr.cli.layout.Item[]
---@param width integer
---@return string
function layout.help(items, width)
  local lines, rows = {}, {}
  local function flush()
    for _, line in ipairs(rows[1] and layout.rows(rows, width) or {}) do lines[#lines + 1] = line end
    rows = {}
  end
  for _, item in ipairs(items) do
    if item.kind == "option" then
      rows[#rows + 1] = { item.name, item.text }
    else
      flush()
      lines[#lines + 1] = item.kind == "text" and layout.wrap(item.text, width) or item.text
    end
  end
  flush()
  return table.concat(lines, "\n") .. "\n"
end

return layout
