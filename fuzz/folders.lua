-- Folders whose files are any texts, one function for each kind of file: schemas, states, tests, records of modules, values of
-- variables, changes. For any texts, a module answers with results or diagnostics, twice the same, and related answers
-- agree. A violation is raised as a string. libFuzzer's targets are made from these (targets.lua).
local core = require "hclexpr.core"
local documents = require "hclexpr.terraform.schema.documents"
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local bodies = dofile(support.here() .. "bodies.lua")
local changes = dofile(support.here() .. "changes.lua")
local answered = bodies.answered

local M = {}

-- The files of the folder; their texts come from the option `read`.
local NAMES = { "main.tf", "m/main.tf", "terraform.tfvars", "terraform.tfvars.json", "x.tftest.hcl", "y.tftest.json", "mocks/x.tfmock.hcl" }
-- Files that only some inputs have are in a second folder, so that the others don't see them.
local folders = {}

local function folder_of(texts)
  local names, there = {}, {}
  for _, name in ipairs(NAMES) do
    if texts[name] then
      names[#names + 1], there[name] = name, ""
    end
  end
  local key = table.concat(names, " ")
  folders[key] = folders[key] or support.folder(there)
  return folders[key]
end

--- Removes the folders that were made.
function M.close()
  for key, dir in pairs(folders) do
    support.remove(dir)
    folders[key] = nil
  end
end

-- The same each time: without clock, without random numbers.
local function scope()
  return hcl.scope { clock = false, random = false, limits = { steps = 1e6, memory = 2 ^ 25, output = 2 ^ 22, depth = 200 } }
end

local function options_of(dir, texts, more)
  local options = {
    scope = scope(), read = function(path) return texts[path:sub(#dir + 2)] end,
  }
  for name, value in pairs(more or {}) do options[name] = value end
  return options
end

local function opened(texts, more)
  local dir = folder_of(texts)
  local m, err, readable = hcl.module(dir, options_of(dir, texts, more))
  answered("module", m, err)
  return m or readable, not m and err or nil, dir
end

local function same(what, a, b)
  local x, y = changes.difference(a, b)
  if x then error(("%s:\n  %s\n  %s"):format(what, x, y), 0) end
end

local function json_text(v, what)
  local text, path, why = core.value_json(v, 0, 0)
  if not text then error(("%s can't be written: %s %s"):format(what, path, why), 0) end
  return text
end

-- Every question to a module.
local QUESTIONS = { "var.a", "var.x", "local.a", "module.m", "output.x", "path.module", "terraform_data.a" }

local function ask(m)
  for _, source in ipairs(QUESTIONS) do
    local v, _, partial = m:value(source)
    v = v or partial
    if v then assert(#tostring(v) > 0) end
    answered("explain", m:explain(source))
  end
  assert(m:missing())
  for _, format in ipairs { "dot", "mermaid" } do assert(#m:graph({ format = format }) > 0) end
  for _, row in ipairs(m:addresses()) do
    if row.module == "" then answered("dependents", m:dependents(row.address)) end
  end
  answered("outputs", m:outputs())
  local outputs, _, part = m:outputs_json()
  outputs = outputs or part
  if outputs then json_text(outputs, "outputs_json") end
end

-- Opens a folder and collects all its answers, which must be the same when asked again and from another module. Returns the answers,
-- and the plan as JSON if there is one.
local function look(texts, more)
  local m, err, dir = opened(texts, more)
  if not m then return {} end
  local lines = changes.describe(m, err)
  ask(m)
  local plan, wrong, partial = m:plan_json { reveal = true, full = true, time = 0 }
  answered("plan_json", plan, wrong)
  plan = plan or partial
  local text = plan and json_text(plan, "the plan")
  same("asked again it answers differently", lines, changes.describe(m, err))
  same("opened again it answers differently", lines, changes.describe((opened(texts, more)), err))
  return lines, text and assert(documents.decode(text)), m, dir
end

--- Schemas of providers, and a folder for them.
function M.schemas(schemas, main)
  look({ ["main.tf"] = main, ["s.json"] = schemas }, { schemas = "s.json" })
  -- The same with missing things unknown.
  look({ ["main.tf"] = main, ["s.json"] = schemas }, { schemas = "s.json", missing = "unknown" })
end

-- A plan that is read as a state: its prior state is the same in the next plan.
local function check_read_back(texts, plan)
  if not plan.prior_state then return end
  local _, again = look(texts, { state = plan })
  if not again then return end
  local function prior(of) return json_text(core.value(of.prior_state and of.prior_state.values or {}), "the state") end
  if prior(plan) ~= prior(again) then error(("read back the state differs:\n  %s\n  %s"):format(prior(plan), prior(again)), 0) end
end

--- A state, in any of its forms, and its folder.
function M.state(state, main)
  local texts = { ["main.tf"] = main, ["s.tfstate"] = state }
  local _, plan = look(texts, { state = "s.tfstate" })
  if not plan then return end
  check_read_back({ ["main.tf"] = main }, plan)
  -- The planned values are a state as `terraform show -json` prints it.
  look({ ["main.tf"] = main }, { state = { format_version = "1.0", values = plan.planned_values } })
end

-- A list of the fetched modules, a folder that calls them, and one that may be such a module.
function M.records(records, main, called)
  local texts = { ["main.tf"] = main, ["m/main.tf"] = called, [".terraform/modules/modules.json"] = records }
  look(texts)
  look(texts, { missing = "unknown" })
end

-- The lines without warnings: the file that sets a variable depends on how the value is given.
local function without_warnings(lines)
  local out = {}
  for _, line in ipairs(lines) do
    if not line:find "^%S+ warning " then out[#out + 1] = line end
  end
  return out
end

--- Values of variables, and a folder for them: a file found by its name has the same effect as a named one.
function M.values(values, main)
  local json = values:find "^%s*{" ~= nil
  local name = json and "terraform.tfvars.json" or "terraform.tfvars"
  local found = look { ["main.tf"] = main, [name] = values }
  local named = json and "n.tfvars.json" or "n.tfvars"
  local given = look({ ["main.tf"] = main, [named] = values }, { settings = { { file = named } } })
  if not table.concat(found, "\n"):find " error " and not table.concat(given, "\n"):find " error " then
    same("a named file of values says something else", without_warnings(found), without_warnings(given))
  end
end

local STATUSES = { pass = true, fail = true, error = true, skip = true, pending = true }
local COUNTS = { pass = "passed", fail = "failed", error = "errored", skip = "skipped" } -- not for pending instances

local function tested(texts, more)
  local m = opened(texts, more)
  if not m then return {} end
  answered("validate", m:validate())
  local result, err = m:test { coverage = true }
  if not answered("test", result, err) then return {} end
  local lines, counts = {}, { passed = 0, failed = 0, errored = 0, skipped = 0 }
  for _, file in ipairs(result.files) do
    lines[#lines + 1] = file.path .. " " .. file.status
    for _, run in ipairs(file.runs) do
      if not STATUSES[run.status] then error("a run is " .. tostring(run.status), 0) end
      local count = COUNTS[run.status]
      if count then counts[count] = counts[count] + 1 end
      lines[#lines + 1] = ("run %s %s %s"):format(run.name, run.status, tostring(run.diagnostics or ""))
    end
  end
  for name, n in pairs(counts) do
    if result[name] ~= n then error(("%d runs %s, but it says %d"):format(n, name, result[name]), 0) end
  end
  local coverage = result.coverage
  if coverage and not (0 <= coverage.covered and coverage.covered <= coverage.total) then error("coverage beyond all", 0) end
  return lines
end

--- A test file, its folder, and a file of mocks.
function M.tests(test, main, mocks)
  local name = test:find "^%s*{" and "y.tftest.json" or "x.tftest.hcl"
  local texts = { ["main.tf"] = main, [name] = test, ["mocks/x.tfmock.hcl"] = mocks }
  same("tested again it answers differently", tested(texts), tested(texts))
end

--- The root's file before and after, and the file of the module beside it: a change gives the answers of a new module, back and forth.
function M.changes(before, after, called)
  local texts = { ["main.tf"] = before, ["m/main.tf"] = called }
  local m, err, dir = opened(texts)
  if not m then return end
  changes.describe(m, err)
  for _, step in ipairs { { "main.tf", after }, { "m/main.tf", before }, { "m/main.tf", called }, { "main.tf", before } } do
    local name, text = step[1], step[2]
    local sound, wrong = m:change(dir .. "/" .. name, text)
    texts[name] = text
    local changed = changes.describe(m, not sound and wrong or nil)
    local fresh, fault = opened(texts)
    same(name .. " was changed, and a fresh reading says something else", changed, changes.describe(fresh, fault))
  end
end

return M
