-- Changed modules compared with newly read ones: recorded modules (spec/modules/cases) are edited step by step by m:change, and queried,
-- and after each edit compared with a module that reads the same texts.   LUA changes.lua COUNT SEED [FOLDER ...]   (hclexpr on the path)
-- COUNT edits; FOLDERs have further cases. Prints each kind of difference once, with both answers and the texts before and after.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local M = {}

-- ---- material -----------------------------------------------------------------------------------------------------------

-- A module of a case: its root folder, and its sources by path.
local function read_case(path, files)
  local root = support.read(path .. "/case.json"):match '"root"%s*:%s*"([^"]*)"' or ""
  local case = { name = path, dir = path .. "/module", paths = {}, texts = {} }
  for step in root:gmatch "[^/]+" do
    if step ~= "." then case.dir = case.dir .. "/" .. step end
  end
  for _, file in ipairs(files) do
    case.paths[#case.paths + 1], case.texts[file] = file, support.read(file)
  end
  return case
end

-- The cases below folders, and the words and blocks of all their sources.
local function read_material(folders)
  local material = { cases = {}, words = {}, blocks = {} }
  for _, folder in ipairs(folders) do
    local files = {}
    for _, file in ipairs(support.lines(("find '%s' -path '*/module/*' -name '*.tf' | sort"):format(folder))) do
      local path = file:match "^(.*)/module/"
      while path and not support.exists(path .. "/case.json") do path = path:match "^(.*)/module/" end
      if path then
        files[path] = files[path] or {}
        table.insert(files[path], file)
      end
    end
    for _, path in ipairs(support.keys(files)) do
      local case = read_case(path, files[path])
      if case.paths[1] then material.cases[#material.cases + 1] = case end
      for _, file in ipairs(case.paths) do
        local text = case.texts[file]
        for word in text:gmatch "[%w_%.]+" do material.words[#material.words + 1] = word end
        for block in (text .. "\n"):gmatch "(%a[^\n]*{\n.-\n}\n)" do material.blocks[#material.blocks + 1] = block end
      end
    end
  end
  return material
end

-- ---- edits --------------------------------------------------------------------------------------------------------------

-- Each makes another text from one, as a person types, pastes and deletes.
local function edits_of(material, random)
  local function word() return material.words[random(#material.words)] end
  local function sometimes(one_in, pattern, other)
    return function(text)
      return (text:gsub(pattern, function(found)
        if random(one_in) == 1 then return other(found) end
      end))
    end
  end
  local function append(text) return text .. "\n" .. material.blocks[random(#material.blocks)] end
  return {
    append, append,
    sometimes(25, "[%w_]+", word),
    sometimes(4, "%d+", function() return tostring(random(9)) end),
    sometimes(6, '"%w*"', function() return '"' .. word():gsub("%W", "") .. '"' end),
    function(text)
      local at = random(#text + 1) - 1
      return text:sub(1, at) .. word() .. text:sub(at + 1)
    end,
    function(text)
      local at = random(#text + 1) - 1
      return text:sub(1, at) .. text:sub(at + random(11))
    end,
    function(text)
      local first, last = text:find("%a[^\n]*{\n.-\n}\n", random(#text + 1))
      return first and text:sub(1, first - 1) .. text:sub(last + 1) or text
    end,
    function(text) return "\n" .. text end,
  }
end

-- ---- the answers of a module ------------------------------------------------------------------------------------------------

local function add_errors(lines, what, err)
  for _, d in ipairs(err or {}) do
    local r = d.range
    local place = r and ("%s:%d-%d"):format(r.filename, r.start.byte, r.stop.byte) or ""
    lines[#lines + 1] = table.concat({ what, d.severity, d.code, d.summary, d.detail, place, d.chain or "" }, " ")
  end
end

local function add_plan(lines, plan)
  for _, r in ipairs(plan.resources) do lines[#lines + 1] = "resource " .. r.address .. " " .. tostring(r.value) end
  for _, name in ipairs(support.keys(plan.outputs)) do
    local value = plan.outputs[name]
    lines[#lines + 1] = ("output %s %s %s"):format(name, tostring(value), tostring(value:type()))
  end
  for _, name in ipairs(support.keys(plan.checks)) do
    local check = plan.checks[name]
    lines[#lines + 1] = "check " .. name .. " " .. check.status .. " " .. table.concat(check.messages, "; ")
  end
  add_errors(lines, "warning", plan.warnings)
end

--- All answers of a module, one per line. err: came with it when it was opened or changed.
function M.describe(m, err)
  local lines = {}
  add_errors(lines, "open", err)
  if not m then return lines end
  add_errors(lines, "validate", (select(2, m:validate())))
  local plan, wrong, partial = m:plan()
  add_errors(lines, "plan", wrong)
  if plan or partial then add_plan(lines, plan or partial) end
  for _, row in ipairs(m:addresses()) do
    lines[#lines + 1] = ("address %s in %s"):format(row.address, row.module)
    if row.module == "" then lines[#lines + 1] = "needs " .. table.concat(m:dependencies(row.address) or {}, " ") end
  end
  return lines
end

-- ---- one module, some edits ---------------------------------------------------------------------------------------------

-- A path without the steps to itself and back.
local function plain(path)
  local count
  path = path:gsub("/%./", "/")
  repeat path, count = path:gsub("/[^/]+/%.%./", "/", 1) until count == 0
  return path
end

local function options_of(texts)
  return {
    read = function(path) return texts[plain(path)] end,
    scope = hcl.scope { clock = false, random = false, limits = { steps = 2e6 } },
  }
end

--- The first lines that differ, or nil.
function M.difference(a, b)
  local at = 1
  while a[at] and a[at] == b[at] do at = at + 1 end
  if a[at] or b[at] then return a[at] or "(nothing)", b[at] or "(nothing)" end
end

-- Edits a module step by step. finding: called with the last edit, and the answers of the changed and the new module if they differ.
local function session(finding, case, edits, material, random)
  local texts = {}
  for path, text in pairs(case.texts) do texts[path] = text end
  local m, _, readable = hcl.module(case.dir, options_of(texts))
  m = m or readable
  while m and finding.steps < 12 and not finding.changed do
    finding.steps = finding.steps + 1
    if random(2) == 1 then m:plan() end
    if random(3) == 1 then m:eval("local." .. material.words[random(#material.words)]) end
    local path = case.paths[random(#case.paths)]
    local before = texts[path]
    local after = random(5) == 1 and case.texts[path] or edits[random(#edits)](before)
    finding.path, finding.before, finding.after = path, before, after
    local sound, err = m:change(path, after)
    texts[path] = after
    local changed = M.describe(m, not sound and err or nil)
    local fresh, wrong, rest = hcl.module(case.dir, options_of(texts))
    finding.changed, finding.fresh = M.difference(changed, M.describe(fresh or rest, wrong))
  end
end

-- Findings of one kind have the same beginning.
local function kind_of(finding)
  local function head(line) return (line:match "^%S+ ?%S* ?%S*":gsub("%d+", "N")) end
  return finding.raised or head(finding.changed) .. " | " .. head(finding.fresh)
end

--- Makes at least so many edits; passes each finding to `report`, those of one kind once. Returns the number of edits and of findings.
function M.run(count, seed, folders, report)
  local material = read_material(folders)
  local random, made, found, seen = support.random(seed), 0, 0, {}
  local edits = edits_of(material, random)
  while made < count do
    local case = material.cases[random(#material.cases)]
    local finding = { case = case.name, steps = 0 }
    local fine, raised = pcall(session, finding, case, edits, material, random)
    if not fine then finding.raised = tostring(raised) end
    made = made + math.max(finding.steps, 1)
    local kind = (finding.raised or finding.changed) and kind_of(finding)
    if kind then found = found + 1 end
    if kind and not seen[kind] then
      seen[kind] = true
      report(finding)
    end
  end
  return made, found
end

--- A finding as a text.
function M.show(f)
  local what = f.raised and "  raised:  " .. f.raised or ("  changed: %s\n  fresh:   %s"):format(f.changed, f.fresh)
  return ("%s\n%s\n--- %s before\n%s\n--- after\n%s"):format(f.case, what, f.path or "", f.before or "", f.after or "")
end

if arg and arg[0] and arg[0]:find "changes%.lua$" then
  -- A dependence on the order in which Lua keeps tables is a difference, too.
  dofile(support.root .. "fuzz/shuffled.lua")(tonumber(arg[2]))
  local folders = { support.root .. "spec/modules/cases" }
  for i = 3, #arg do folders[#folders + 1] = arg[i] end
  local made, found = M.run(tonumber(arg[1]), tonumber(arg[2]), folders, function(finding) print(M.show(finding)) end)
  print(("%d edits, %d differences"):format(made, found))
  os.exit(found == 0)
end

return M
