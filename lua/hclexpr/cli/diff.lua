-- The differences of two texts line by line, as `diff -u` shows them. For texts that have their newlines at the same places of their
-- sequence, as a source and its layout have: the n-th line of one is the n-th line of the other, and nothing has to be searched.

local CONTEXT = 3

local function lines_of(text)
  local lines = {}
  for line in text:gmatch "[^\n]*\n?" do
    if line ~= "" then lines[#lines + 1] = line end
  end
  return lines
end

-- The numbers of the lines that differ.
local function changes_of(old, new)
  local changes = {}
  for i = 1, math.max(#old, #new) do
    if old[i] ~= new[i] then changes[#changes + 1] = i end
  end
  return changes
end

local function add(out, sign, line)
  if not line then return end
  out[#out + 1] = sign
  out[#out + 1] = line
  if line:sub(-1) ~= "\n" then out[#out + 1] = "\n\\ No newline at end of file\n" end
end

-- Lines [first, last] of both; of neighbours that differ the old ones come first.
local function add_hunk(out, old, new, first, last)
  out[#out + 1] = string.format("@@ -%d,%d +%d,%d @@\n", first, math.min(last, #old) - first + 1, first,
    math.min(last, #new) - first + 1)
  local i = first
  while i <= last do
    local from = i
    while i <= last and old[i] ~= new[i] do i = i + 1 end
    for n = from, i - 1 do add(out, "-", old[n]) end
    for n = from, i - 1 do add(out, "+", new[n]) end
    if i <= last then add(out, " ", old[i]) end
    i = i + 1
  end
end

--- The differences, or "" if there are none.
---@param name string as both texts are called
---@param old_text string
---@param new_text string
---@return string
local function diff(name, old_text, new_text)
  local old, new = lines_of(old_text), lines_of(new_text)
  local changes, count = changes_of(old, new), math.max(#old, #new)
  if #changes == 0 then return "" end
  local out = { "--- old/", name, "\n+++ new/", name, "\n" }
  local k = 1
  while k <= #changes do
    local first = changes[k]
    while changes[k + 1] and changes[k + 1] - changes[k] <= 2 * CONTEXT do k = k + 1 end
    add_hunk(out, old, new, math.max(first - CONTEXT, 1), math.min(changes[k] + CONTEXT, count))
    k = k + 1
  end
  return table.concat(out)
end

return diff
