-- Pairs the lines of a source with those of its formatted text. Usually the n-th lines belong together, but a value that lost its "${ }"
-- may also have lost lines.
local pairing = {}

-- How many lines to search ahead for a place where both texts continue alike.
local REACH = 50

local function lines_of(text)
  local lines = {}
  for line in text:gmatch "[^\n]*\n?" do
    if line ~= "" then lines[#lines + 1] = line end
  end
  return lines
end

local function bare(line)
  return line and line:gsub("%s", "")
end

-- Returns how many lines to skip in each text until both continue alike; nil if they don't within REACH lines.
local function find_like(old, new, i, j)
  for sum = 1, REACH do
    for skipped = 0, sum do
      local a = bare(old[i + skipped])
      if a and a == bare(new[j + sum - skipped]) then return skipped, sum - skipped end
    end
  end
end

--- Pairs the lines of two texts as `{ old = …, new = … }`, with their newlines. `old` or `new` is missing for a line without a partner.
---@param old_text string
---@param new_text string
---@return { old?: string, new?: string }[]
function pairing.lines(old_text, new_text)
  local old, new, rows = lines_of(old_text), lines_of(new_text), {}
  local i, j, same = 1, 1, #old == #new
  local function add(a, b)
    rows[#rows + 1] = { old = a and old[i], new = b and new[j] }
    if a then i = i + 1 end
    if b then j = j + 1 end
  end
  while old[i] or new[j] do
    local gone, come
    if not same and bare(old[i]) ~= bare(new[j]) then gone, come = find_like(old, new, i, j) end
    if gone then
      for _ = 1, gone do add(true, false) end
      for _ = 1, come do add(false, true) end
    else
      add(old[i] ~= nil, new[j] ~= nil)
    end
  end
  return rows
end

return pairing
