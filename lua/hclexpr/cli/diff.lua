-- The differences between a source and its layout, as `diff -u` shows them.
local pairing = require "hclexpr.pairing"

local CONTEXT = 3

-- Returns the numbers of the rows that differ.
local function changes_of(rows)
  local changes = {}
  for i, row in ipairs(rows) do
    if row.old ~= row.new then changes[#changes + 1] = i end
  end
  return changes
end

local function add(out, sign, line)
  if not line then return end
  out[#out + 1] = sign
  out[#out + 1] = line
  if line:sub(-1) ~= "\n" then out[#out + 1] = "\n\\ No newline at end of file\n" end
end

local function count(rows, side, first, last)
  local n = 0
  for i = first, last do
    if rows[i][side] then n = n + 1 end
  end
  return n
end

-- Returns a hunk's extent on one side, such as "3,2": its first line and its number of lines. If it has no lines on that side, gives the
-- line before it and 0.
local function extent(rows, side, before, first, last)
  local n = count(rows, side, first, last)
  return string.format("%d,%d", n == 0 and before or before + 1, n)
end

-- Adds a hunk with the rows [first, last]; of neighbouring rows that differ the old lines come first. old_before, new_before: the numbers
-- of lines before the hunk.
local function add_hunk(out, rows, first, last, old_before, new_before)
  out[#out + 1] = string.format("@@ -%s +%s @@\n", extent(rows, "old", old_before, first, last),
    extent(rows, "new", new_before, first, last))
  local i = first
  while i <= last do
    local from = i
    while i <= last and rows[i].old ~= rows[i].new do i = i + 1 end
    for n = from, i - 1 do add(out, "-", rows[n].old) end
    for n = from, i - 1 do add(out, "+", rows[n].new) end
    if i <= last then add(out, " ", rows[i].old) end
    i = i + 1
  end
end

--- Writes the differences between two texts; "" if they are equal.
---@param name string as both texts are called
---@param old_text string
---@param new_text string
---@return string
local function diff(name, old_text, new_text)
  local rows = pairing.lines(old_text, new_text)
  local changes = changes_of(rows)
  if #changes == 0 then return "" end
  local out = { "--- old/", name, "\n+++ new/", name, "\n" }
  local k, done, old_before, new_before = 1, 0, 0, 0
  while k <= #changes do
    local first = math.max(changes[k] - CONTEXT, 1)
    while changes[k + 1] and changes[k + 1] - changes[k] <= 2 * CONTEXT do k = k + 1 end
    old_before = old_before + count(rows, "old", done + 1, first - 1)
    new_before = new_before + count(rows, "new", done + 1, first - 1)
    done = first - 1
    add_hunk(out, rows, first, math.min(changes[k] + CONTEXT, #rows), old_before, new_before)
    k = k + 1
  end
  return table.concat(out)
end

return diff
