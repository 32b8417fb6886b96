-- Formatting: the changes that lay out a file as `hclexpr fmt` does, line by line, so that a cursor keeps its place.
local hcl = require "hclexpr"
local text = require "hclexpr.service.text"

local formatting = {}

local function line_at(source, lines, i) return source:sub(lines[i] + 1, lines[i + 1] or #source) end

-- The changes of single lines. Formatting changes only blanks within lines, so both texts have the same ones.
local function by_line(old, old_lines, new, new_lines, first, last)
  local changes = {}
  for i = first, last do
    local before, after = line_at(old, old_lines, i), line_at(new, new_lines, i)
    if before ~= after then changes[#changes + 1] = { start = old_lines[i], stop = old_lines[i] + #before, text = after } end
  end
  return changes
end

function formatting.format(_, document, start, stop)
  if document.kind == "json" then return {} end
  local made = hcl.format(document.text)
  if not made or made == document.text then return {} end
  local lines, new_lines = document.lines, text.lines(made)
  if #lines ~= #new_lines then return start and {} or { { start = 0, stop = #document.text, text = made } } end
  local first = start and text.line_of(lines, start) + 1 or 1
  local last = stop and text.line_of(lines, math.max(start or 0, stop - 1)) + 1 or #lines
  return by_line(document.text, lines, made, new_lines, first, last)
end

return formatting
