-- Formatting: the changes that format a file like `hclexpr fmt`. They are made line by line, so that the cursor keeps its position.
local files = require "hclexpr.files"
local hcl = require "hclexpr"
local pairing = require "hclexpr.pairing"
local text = require "hclexpr.editor.text"

local formatting = {}

-- Returns the changes to the lines from first to last. A line without a counterpart is part of the change to its neighbour.
local function changes_of(rows, first, last)
  local changes, at, line, joined = {}, 0, 0, false
  for _, row in ipairs(rows) do
    local old, new = row.old or "", row.new or ""
    if row.old then line = line + 1 end
    if old == new or line < first or line > last then
      joined = false
    else
      local change = changes[#changes]
      if joined and not (row.old and row.new) and change.stop == at then
        change.stop, change.text = at + #old, change.text .. new
      else
        changes[#changes + 1] = { start = at, stop = at + #old, text = new }
      end
      joined = true
    end
    at = at + #old
  end
  return changes
end

--- Returns the changes that format a file. For a part of a file only spaces change, because other rewriting may cross lines.
function formatting.format(_, document, start, stop)
  if document.kind == "json" then return {} end
  local made = hcl.format(document.text, { style = start and "layout" or files.style_of(document.name) })
  if not made or made == document.text then return {} end
  local lines = document.lines
  local first, last = 0, #lines
  if start then first, last = text.line_of(lines, start) + 1, text.line_of(lines, math.max(start, stop - 1)) + 1 end
  return changes_of(pairing.lines(document.text, made), first, last)
end

return formatting
