-- Finds the specs to run for a change, by the table of doc/contributing/tests.md.
--   git diff --name-only | LUA affected.lua      prints the specs, one per line
-- Loaded by dofile, it returns the functions that read the table.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local root = support.root == "" and "." or support.root

local M = {}

--- Does a pattern match a source: a file, with or without its ending, all files with a prefix (`*`), or a folder? A header belongs to
--- the source of its name.
function M.matches(path, pattern)
  pattern = pattern:gsub("%.", "%%."):gsub("%-", "%%-"):gsub("%*", ".*")
  return path:find("^" .. pattern .. "$") or path:find("^" .. pattern .. "%.%l+$") or (pattern:find "/$" and path:find("^" .. pattern))
    or path:gsub("%.h$", ".c"):find("^" .. pattern .. "$")
end

-- The names in backquotes, except those in parentheses.
local function names(cell)
  local list = {}
  for name in cell:gsub("%b()", ""):gmatch "`([^`]+)`" do list[#list + 1] = name end
  return list
end

--- The rows of the table. `patterns`: of sources below csrc/, lua/ or bin/; `names`: of specs, recorded cases and targets of make; `all`:
--- nearly all specs break.
function M.rows()
  local list, part = {}, support.read(support.root .. "doc/contributing/tests.md"):match "\n## When a test breaks\n(.*)$"
  for left, right in part:gmatch "\n| ([^|\n]*) | ([^|\n]*) |" do
    local row, folder = { patterns = {}, names = names(right), all = right:find "nearly all" or right:find "every one" }, nil
    -- A source without a folder is in the folder of the name before it.
    for _, name in ipairs(names(left)) do
      folder = name:match "^.*/" or folder
      row.patterns[#row.patterns + 1] = name:find "/" and name or folder .. name
    end
    list[#list + 1] = row
  end
  table.remove(list, 1)
  return list
end

--- The file or folder of a name in a row: a spec, in spec/unit unless it has a folder, or recorded cases; nil: a make target.
function M.place(name)
  if name:find "^make " then return nil end
  if name:find "_spec$" then return (name:find "/" and name or "spec/unit/" .. name) .. ".lua" end
  return name:find "/" and name or "spec/conformance/cases/" .. name .. ".jsonl"
end

-- Does one of the row's patterns match a path?
local function is_in(row, path)
  for _, pattern in ipairs(row.patterns) do
    if M.matches(path, pattern) then return true end
  end
  return false
end

-- The specs to run for a row with "nearly all".
local ANY = {
  "spec/conformance/conformance_spec.lua", "spec/unit/eval_spec.lua", "spec/unit/decode_spec.lua", "spec/modules/modules_spec.lua",
}

-- The spec that compares the table with the existing sources and specs.
local HOLDS = "spec/unit/docs_spec.lua"

-- Calls add with each spec that the rows name for a source.
local function add_by_rows(rows, path, add)
  local found = false
  for _, row in ipairs(rows) do
    if is_in(row, (path:gsub("^csrc/", ""))) then
      found = true
      for _, name in ipairs(row.names) do add(M.place(name)) end
      for _, spec in ipairs(row.all and ANY or {}) do add(spec) end
    end
  end
  if not found then add(HOLDS) end
end

-- Specs that mention a file: by the end of its path, if that has an ending.
local function users_of(path)
  path = path:match "[^/]*%.%w+$" or path
  return support.lines(("cd '%s' && grep -rlF --include='*_spec.lua' '%s' spec"):format(root, path))
end

--- The specs for some changed paths, sorted: files, and folders of specs.
function M.specs(paths)
  local found, rows = {}, M.rows()
  local function add(place)
    if place and place:find "%.jsonl$" then place = "spec/conformance/conformance_spec.lua" end
    if place then found[place] = true end
  end
  for _, path in ipairs(paths) do
    local folder = path:match "^spec/%l+"
    if path == "Makefile" or path == "csrc/build.mk" or path == "tools/install" or path:find "^rockspec/" then
      add "spec/unit/install_spec.lua"
    elseif path:find "^csrc/" or path:find "^lua/" or path:find "^bin/" then add_by_rows(rows, path, add)
    elseif path:find "_spec%.lua$" then add(support.exists(support.root .. path) and path or HOLDS)
    elseif path:find "^spec/conformance/" then add "spec/conformance/conformance_spec.lua"
    elseif path:find "^spec/unit/" or path:find "^tools/" or path:find "^fuzz/" then
      for _, spec in ipairs(users_of(path)) do add(spec) end
    elseif folder and path:find "^spec/%l+/" then add(folder)
    elseif path:find "%.md$" or path:find "^examples/" then
      add(HOLDS)
      for _, spec in ipairs(path:find "/" and {} or users_of(path)) do add(spec) end
    elseif path:find "^spec/" then add "spec/unit/eval_spec.lua" end
  end
  -- A folder includes its files.
  for place in pairs(found) do
    if found[place:match "^spec/%l+"] and place:find "^spec/%l+/" and not place:find "^spec/hosts/" then found[place] = nil end
  end
  return support.keys(found)
end

if arg and arg[0] and arg[0]:find "affected%.lua$" then
  local paths = {}
  for path in io.lines() do paths[#paths + 1] = path end
  for _, spec in ipairs(M.specs(paths)) do print(spec) end
end

return M
