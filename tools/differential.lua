-- Writes this checkout's answers for every recorded folder and state, to compare two checkouts.
--   LUA tools/differential.lua write OUT [SET...]     one file for each folder: validate, text, API, JSON, tests
--   LUA tools/differential.lua compare OUT OUT        counts differing sections by view and shows the first of each; status 1 if any differ
-- Sets are those of spec/modules/recorded.lua. The output depends neither on the time, the Lua nor the place of the checkout.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local recorded = dofile(support.root .. "spec/modules/recorded.lua")

local core, hcl -- only where needed: comparing works without a build

-- ---- writing --------------------------------------------------------------------------------------------------------------

local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', function(c) return ("\\%03d"):format(c:byte()) end) .. '"'
end

-- Of values with their types, marks and unknown parts.
local function value_text(v)
  local marks = v:marks()
  if marks[1] then
    table.sort(marks)
    return "<" .. table.concat(marks, " ") .. ">(" .. value_text(v:unmark()) .. ")"
  end
  if not v:is_known() then return tostring(v) .. ":" .. v:type():json() end
  if v:is_null() then return "null:" .. v:type():json() end
  local kind = v:type():kind()
  if kind == "string" then return quoted(v:text()) end
  if kind == "number" or kind == "bool" or kind == "capsule" then return tostring(v) end
  local parts = {}
  for key, element in v:pairs() do
    local at = (kind == "map" or kind == "object") and ("%s = "):format(key) or ""
    parts[#parts + 1] = at .. value_text(element)
  end
  return kind .. "{" .. table.concat(parts, ", ") .. "}"
end

local function is_value(x) return type(x) == "userdata" end

local function place(range)
  if not range then return "-" end
  return ("%s:%d:%d-%d:%d"):format(range.filename or "", range.start.line, range.start.column, range.stop.line, range.stop.column)
end

-- References to the schema of a row, or to its tree, aren't part of the plan.
local hidden = { declaration = true, of = true }

local function key_text(key) return type(key) == "number" and ("[%d]"):format(key) or tostring(key) end

local function put(out, indent, name, x)
  local edge = indent .. name .. ": "
  if is_value(x) then out[#out + 1] = edge .. value_text(x)
  elseif type(x) == "number" then out[#out + 1] = edge .. ("%.14g"):format(x)
  elseif type(x) ~= "table" then out[#out + 1] = edge .. tostring(x)
  elseif x.start and x.stop then out[#out + 1] = edge .. place(x)
  elseif name == "shape" then
    out[#out + 1] = edge .. (x.written and "written " or "") .. table.concat(support.keys(x.block_types or {}), " ")
  else
    out[#out + 1] = edge
    local keys = {}
    for key in pairs(x) do keys[#keys + 1] = key end
    table.sort(keys, function(a, b)
      if type(a) == type(b) then return a < b end
      return type(a) == "number"
    end)
    for _, key in ipairs(keys) do
      if not hidden[key] then put(out, indent .. "  ", key_text(key), x[key]) end
    end
  end
end

-- Answers whose order differs from run to run; each is a bug to fix in the product.
local varying = {
  { "a generated value of %S+, and", "a generated value of …, and" }, -- the first of several attributes
}

local function steady(text)
  for _, row in ipairs(varying) do text = text:gsub(row[1], row[2]) end
  return text
end

local function put_diagnostics(out, name, err, sorted)
  out[#out + 1] = name .. ":"
  local lines = {}
  for i, d in ipairs(err or {}) do
    lines[i] = ("  %s %s %s: %s: %s"):format(place(d.range), d.severity, tostring(d.code), d.summary or "", steady(d.detail or ""))
  end
  if sorted then table.sort(lines) end
  for _, line in ipairs(lines) do out[#out + 1] = line end
end

-- ---- the views --------------------------------------------------------------------------------------------------------------

local views = {}

function views.validate(m, out)
  local ok, found = m:validate()
  out[#out + 1] = tostring(ok)
  put_diagnostics(out, "found", found)
end

function views.text(m, out, situation)
  local plan, _, partial = m:plan(situation.plan_options)
  out[#out + 1] = recorded.plan_text(plan or partial, plan ~= nil)
end

function views.api(m, out, situation)
  local plan, err, partial = m:plan(situation.plan_options)
  out[#out + 1] = plan and "whole" or "partial"
  put_diagnostics(out, "errors", err)
  local shown, warnings = {}, nil
  for key, x in pairs(plan or partial or {}) do
    if key == "warnings" then warnings = x elseif key ~= "changes" then shown[key] = x end
  end
  -- The rows of resources and of deletions, in one order.
  for _, r in ipairs((plan or partial or {}).changes or {}) do out[#out + 1] = "change " .. r.address .. " " .. (r.deposed or "") end
  put_diagnostics(out, "warnings", warnings)
  put(out, "", "plan", shown)
  local outputs, wrong, part = m:outputs()
  put(out, "", "outputs", outputs or part or {})
  put_diagnostics(out, "outputs wrong", wrong)
  put(out, "", "missing", m:missing())
  put(out, "", "wrong", m:graph().wrong or {})
end

function views.json(m, out, situation)
  local json, err, partial = m:plan_json(recorded.with_plan_options({ reveal = true, time = 0 }, situation))
  json = json or partial
  out[#out + 1] = json and core.value_json(json, 1, 0) or "nothing"
  put_diagnostics(out, "found", err)
end

function views.tests(m, out, situation)
  if not situation.filter and situation.name ~= "tests" then return end
  local result, err = m:test { filter = situation.filter }
  put_diagnostics(out, "errors", err)
  if not result then return end
  out[#out + 1] = ("%s %d %d %d %d"):format(result.status, result.passed, result.failed, result.errored, result.skipped)
  put_diagnostics(out, "suite", result.diagnostics)
  for _, file in ipairs(result.files) do
    out[#out + 1] = "file " .. file.path .. " " .. file.status
    put_diagnostics(out, "of the file", file.diagnostics)
    for _, run in ipairs(file.runs) do
      out[#out + 1] = ("run %s %s %s %s"):format(run.name, tostring(run.command), run.status, place(run.range))
      put(out, "", "outputs", run.outputs or {})
      -- Missing expected failures have no order.
      put_diagnostics(out, "of the run", run.diagnostics, true)
    end
  end
end

local order = { "validate", "text", "api", "json", "tests" }

-- An unusable folder gives nil, err; otherwise a module, whose errors validate and plan report.
local function write_situation(out, situation, clean)
  situation.options.scope = hcl.scope { plan_timestamp = "2026-01-01T00:00:00Z", clock = function() return 0 end,
                                        random = function(n) return ("\1"):rep(n) end }
  for _, view in ipairs(order) do
    local lines = {}
    local ok, why = pcall(function()
      local m, err, readable = hcl.module(situation.dir, situation.options)
      if m or readable then views[view](m or readable, lines, situation)
      elseif view == "validate" then put_diagnostics(lines, "unreadable", err) end
    end)
    if not ok then lines[#lines + 1] = "raised: " .. tostring(why) end
    if lines[1] then
      out[#out + 1] = ("==== %s: %s"):format(situation.name, view)
      out[#out + 1] = clean(table.concat(lines, "\n"))
    end
  end
end

local function literally(text) return (text:gsub("%p", "%%%0")) end

-- Removes places from texts: of the folder, the scratch folder, the checkout.
local function cleaner(scratch)
  local places, here = {}, support.output "pwd -P":gsub("\n$", "")
  local root = support.output("cd '" .. (support.root == "" and "." or support.root) .. "' && pwd -P"):gsub("\n$", "")
  for _, path in ipairs { scratch, root, (root:gsub("/[^/]*$", "")), support.root ~= "" and support.root or nil, here } do
    places[#places + 1] = literally(path)
  end
  return function(text)
    for i, path in ipairs(places) do text = text:gsub(path, "<" .. i .. ">") end
    return text
  end
end

local function write(to, ...)
  core, hcl = require "hclexpr.core", require "hclexpr"
  math.random = function() return 1 end -- luacheck: ignore 122 (mocks of tests draw their values)
  local sets
  for i = 1, select("#", ...) do
    sets = sets or {}
    sets[select(i, ...)] = true
  end
  local scratch = support.temporary_folder()
  local clean, number = cleaner(scratch), 0
  support.remove(to)
  assert(support.runs("mkdir -p '" .. to .. "'"))
  for _, folder in ipairs(recorded.all(sets)) do
    local out = {}
    local ok, list = pcall(folder.situations, scratch .. "/" .. folder.set)
    if ok then for _, situation in ipairs(list) do write_situation(out, situation, clean) end
    else out[1] = "unreadable: " .. clean(tostring(list)) end
    support.write(("%s/%s+%s.txt"):format(to, folder.set, (folder.name:gsub("/", "+"))), table.concat(out, "\n") .. "\n")
    number = number + 1
  end
  support.remove(scratch)
  print(("%d folders in %s"):format(number, to))
end

-- ---- comparing ------------------------------------------------------------------------------------------------------------

local function sections(path)
  local found, name = {}, nil
  if not support.exists(path) then return found end
  for line in support.read(path):gmatch "[^\n]*" do
    name = line:match "^==== (.*)$" or name or "all"
    found[name] = found[name] or {}
    table.insert(found[name], line)
  end
  return found
end

local FIRST = 3 -- so many differences of each view are shown

local function compare(one, other)
  local names, counts, different = {}, {}, false
  for _, dir in ipairs { one, other } do
    assert(support.runs("test -d '" .. dir .. "'"), "no such folder: " .. dir)
    for _, file in ipairs(support.lines("ls '" .. dir .. "'")) do names[file] = true end
  end
  for _, file in ipairs(support.keys(names)) do
    local a, b, all = sections(one .. "/" .. file), sections(other .. "/" .. file), {}
    for _, list in ipairs { a, b } do for name in pairs(list) do all[name] = true end end
    for _, name in ipairs(support.keys(all)) do
      local x, y, view = a[name] or {}, b[name] or {}, name:match "%w+$"
      local at = 1
      while x[at] and x[at] == y[at] do at = at + 1 end
      if x[at] or y[at] then
        counts[view], different = (counts[view] or 0) + 1, true
        if counts[view] <= FIRST then
          print(("%s, %s, line %d:\n  - %s\n  + %s"):format(file, name, at, x[at] or "(nothing)", y[at] or "(nothing)"))
        end
      end
    end
  end
  for _, view in ipairs(support.keys(counts)) do print(("%s: %d sections differ"):format(view, counts[view])) end
  if not different then print "no difference" end
  os.exit(different and 1 or 0)
end

local acts = { write = write, compare = compare }
local act = acts[arg[1] or ""] or error "differential.lua write OUT [SET...] | compare OUT OUT"
assert(arg[2] and (arg[3] or arg[1] == "write"), "a folder is needed")
act(support.unpack(arg, 2))
