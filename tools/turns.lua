-- Turns of phrase that make readers stumble. `make lint` counts them: each part of the tree has a limit, which may only fall.
-- Usage: lua tools/turns.lua [PREFIX]   (in the root of the repository) lists the places in files whose paths begin with PREFIX
local turns = {}

-- Instead write: report or say; be, lie or mean; "is not", "lacks" or "missing"; a clause of its own; until or if; after;
-- isn't one; without, or if it runs out; instead of; except; similar; correct; amount to, or the result; a client, or people who.
local WORDS = {
  "told", "tells?", "stands?", "is no", "are no", "of which", "as far as", "behind", "is none", "are none", "for want of",
  "in the place of", "but for", "comes? to", "came to", "whoever", "somebody", "its like", "its kin", "mends?", "mended", "hasn't",
  "nor does", "blanks?",
}

-- A path belongs to the first row with a prefix of it. Lower the limit when the count falls.
local LIMITS = {
  { 0, "doc/", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "spec/README.md" },
  { 6, "csrc/", "lua/", "bin/", "plugin/", "lsp/" },
  { 13, "spec/" },
  { 0, "" },
}

-- Generated texts, which are counted in their sources, and this list.
local SKIPPED = { ["doc/functions.md"] = true, ["doc/diagnostics.md"] = true, ["tools/turns.lua"] = true }

local function row_of(path)
  for _, row in ipairs(LIMITS) do
    for i = 2, #row do
      if path:sub(1, #row[i]) == row[i] then return row end
    end
  end
end

local FILES = [[find csrc lua bin spec tools bench fuzz examples plugin lsp doc *.md Makefile -type f \( \
  -name '*.md' -o -name '*.lua' -o -name '*.c' -o -name '*.h' -o -name '*.cc' -o -name '*.txt' \
  -o -name hclexpr -o -name Makefile -o -name build.mk \) | sort]]

-- The part of a line that people read: in a source its comment and its texts of several words, in other files everything.
local function prose(path, line)
  if not path:find "%.lua$" and not path:find "^csrc/" and not path:find "^bin/" then return line end
  local at = line:find "%-%-[%s-]" or line:find "/%*" or line:find "^%s*%*%*"
  local parts = { at and line:sub(at) or "" }
  for text in line:sub(1, at and at - 1 or #line):gmatch '"(.-[^\\])"' do
    if text:find "%w [%w%%]" then parts[#parts + 1] = text end
  end
  return table.concat(parts, "\n")
end

-- Calls found(path, line number, turn, line) for each turn in the tree.
local function each(support, found)
  for _, path in ipairs(support.lines(FILES)) do
    local number = 0
    for line in (SKIPPED[path] and "" or support.read(path)):gmatch "([^\n]*)\n?" do
      number = number + 1
      local lower = prose(path, line):lower()
      for _, word in ipairs(WORDS) do
        for turn in lower:gmatch("%f[%w_](" .. word .. ")%f[^%w_]") do found(path, number, turn, line) end
      end
    end
  end
end

--- Calls problem(path, line, text) for each turn where none is allowed, and once for each other part with more turns than its limit.
function turns.check(support, problem)
  local counts = {}
  each(support, function(path, number, turn)
    local row = row_of(path)
    if row[1] == 0 then return problem(path, number, ('"%s": tools/turns.lua says what to write instead'):format(turn)) end
    counts[row] = (counts[row] or 0) + 1
  end)
  for _, row in ipairs(LIMITS) do
    local count = counts[row] or 0
    if count > row[1] then
      problem(row[2] == "" and "the rest" or row[2], nil, ("%d turns of phrase, and the limit is %d: lua tools/turns.lua %s"):format(
        count, row[1], row[2]))
    end
  end
end

if arg and arg[0] and arg[0]:find "turns%.lua$" then
  each(dofile(arg[0]:match "^(.-)[^/]*$" .. "../spec/support.lua"), function(path, number, turn, line)
    if path:find(arg[1] or "", 1, true) == 1 then print(("%s:%d: %s: %s"):format(path, number, turn, line)) end
  end)
end

return turns
