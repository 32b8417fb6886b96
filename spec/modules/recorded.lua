-- Recorded folders with the states and options that they were recorded with, for tools that go over all of them: the differential
-- (tools/differential.lua) and the agreement of views (agreement_spec.lua). Folders of ../shared are included if present.
local cjson = require "cjson"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local here = support.here()
local recorded = {}

-- Values that only a provider knows: the defaults that it fills in while planning, and the results of its data sources.
local defaults = {
  random_password = { lower = true, upper = true, special = true, number = true, numeric = true, min_lower = 0, min_upper = 0,
                      min_numeric = 0, min_special = 0 },
  random_pet = { length = 2, separator = "-" },
  local_file = { file_permission = "0777", directory_permission = "0777" },
  local_sensitive_file = { file_permission = "0700", directory_permission = "0700" },
  tls_private_key = { rsa_bits = 2048, ecdsa_curve = "P224" },
  tls_self_signed_cert = { early_renewal_hours = 0, is_ca_certificate = false, set_subject_key_id = false,
                           set_authority_key_id = false, ready_for_renewal = false },
}
defaults.random_string = defaults.random_password

--- The callback `resource` of a recorded run.
function recorded.provider(run)
  local read = {}
  for _, d in ipairs(run.plan and run.plan.data or {}) do read[d.address] = d.values end
  return function(r)
    if r.mode == "data" then return read[r.address] end
    local t = {}
    for k, v in pairs(defaults[r.type] or {}) do
      local given = r.config:unmark():get(k)
      if not given or given:is_known() and given:is_null() then t[k] = v end
    end
    return next(t) and t or nil
  end
end

--- The schemas that a case names, as one document, or nil. They are in a folder `schemas` above its own, or beside it (`./NAME`).
function recorded.schemas_of(case, folder)
  local names = type(case.schemas) == "string" and { case.schemas } or case.schemas
  if not names or not names[1] then return nil end
  local all = { format_version = "1.0", provider_schemas = {} }
  for _, name in ipairs(names) do
    local file = name:find "^%./" and io.open(folder .. "/" .. name)
    for _, up in ipairs { "", "/..", "/../..", "/../../..", "/../../../..", "/../../modules" } do
      file = file or io.open(folder .. up .. "/schemas/" .. name .. ".json")
    end
    local one = cjson.decode(assert(file, "no schema of " .. name):read "*a")
    file:close()
    for k, v in pairs(one.provider_schemas or {}) do all.provider_schemas[k] = v end
  end
  return all
end

--- Options of hcl.module for options of the command line; second: the filter for tests.
function recorded.options_of(words)
  local o, filter = { settings = {} }, nil
  for _, word in ipairs(words or {}) do
    local name, value = word:match "^%-([%a-]+)=(.*)$"
    if name == "var" then table.insert(o.settings, value)
    elseif name == "var-file" then table.insert(o.settings, { file = value })
    elseif name == "test-directory" then o.test_directory = value
    elseif name == "workspace" then o.workspace = value
    elseif name == "filter" then
      filter = filter or {}
      table.insert(filter, value)
    else error("an option of a case: " .. word) end
  end
  return o, filter
end

--- Options of m:plan for those of the command line, or nil.
function recorded.plan_options_of(text)
  if text == "" then return nil end
  local o = { targets = {}, replace = {} }
  for word in (text .. " -"):gmatch "(%-.-) %f[-]" do
    local name, value = word:match "^%-([%a-]+)=?(.*)$"
    if name == "target" then table.insert(o.targets, value)
    elseif name == "replace" then table.insert(o.replace, value)
    elseif name == "refresh" then o.refresh = value ~= "false"
    else o[name:gsub("-", "_")] = true end
  end
  return o
end

--- Options of m:plan_json with those of a situation's plan.
function recorded.with_plan_options(o, situation)
  for name, value in pairs(situation.plan_options or {}) do o[name] = value end
  return o
end

--- The text of a plan, as the command prints it.
function recorded.plan_text(plan, whole)
  return require("hclexpr.cli.plan_text").of(plan, whole)
end

---@class Situation
---@field name string of its folder, and its input
---@field dir string
---@field options table of hcl.module
---@field filter? string[] of tests
---@field plan_options? table of m:plan
---@field record? table what is recorded
---@field given? string the options of the plan in the record

-- Each reader returns the situations of a recorded file; `scratch` is a folder for those that have their files in the record.

local function case_situations(path)
  local folder = path:match "^(.*)/case%.json$"
  local dir = folder .. "/module"
  local cwd = support.output("cd '" .. dir .. "' && pwd -P"):gsub("\n$", ""):gsub("%%", "%%%%")
  local case = cjson.decode((support.read(path):gsub("<CWD>", cwd)))
  if case.root then dir = dir .. "/" .. case.root end
  local schemas, list = recorded.schemas_of(case, folder), {}
  if case.test then
    local o, filter = recorded.options_of(case.options)
    o.environment, o.schemas = case.environment or {}, schemas
    return { { name = "tests", dir = dir, options = o, filter = filter } }
  end
  for _, run in ipairs(case.runs or {}) do
    local settings = {}
    for i, s in ipairs(run.settings or {}) do settings[i] = s.setting or { file = s.file } end
    for _, state in ipairs { run.prior or false, run.state or false, not run.prior and "none" or false } do
      list[#list + 1] = state and {
        name = run.name .. (state == "none" and "" or state == run.prior and " before" or " after"), dir = dir, options = {
          settings = settings, environment = run.environment or {}, workspace = run.workspace, state = state ~= "none" and state or nil,
          schemas = schemas, resource = schemas and recorded.provider(run) or nil,
        } } or nil
    end
  end
  if not list[1] then list[1] = { name = "plain", dir = dir, options = { environment = {}, schemas = schemas } } end
  return list
end

local function put_files(scratch, name, files)
  local dir = scratch .. "/" .. name
  for path, text in pairs(files) do
    assert(support.runs(("mkdir -p '%s/%s'"):format(dir, path:match "^(.*)/" or "")))
    support.write(dir .. "/" .. path, text)
  end
  return dir
end

local function plan_situations(path, scratch)
  local home, name = path:match "^(.*)/([^/]*)%.json$"
  local case = cjson.decode(support.read(path))
  local o = recorded.options_of(case.options)
  o.environment, o.state, o.schemas = case.environment or {}, case.state, recorded.schemas_of(case, home)
  o.settings, o.variables = case.settings or o.settings, case.variables
  if case.data then o.resource = function(r) return r.mode == "data" and case.data[r.address] or nil end end
  local dir = case.files and put_files(scratch, name, case.files) or home .. "/../../modules/" .. case.folder
  return { { name = "plan", dir = dir, options = o } }
end

--- A record of tools/record_plans.lua: { about, steps, files, before, state, texts, plans }; see plan_text/README.md.
function recorded.read_text(path)
  local record, into, key = { files = {}, before = {}, second = {}, third = {}, texts = {}, order = {} }, nil, nil
  local lines = {}
  local function done()
    if into then into[key] = table.concat(lines, "\n") .. (lines[1] and "\n" or "") end
    lines = {}
  end
  for line in (support.read(path)):gmatch "(.-)\n" do
    local what, name = line:match "^==== (%l+) ?(.*)$"
    if what then
      done()
      into, key = record[what == "file" and "files" or what == "text" and "texts" or what], name
      if what == "state" then into, key = record, "state" end
      if what == "text" then table.insert(record.order, name) end
    elseif into then lines[#lines + 1] = line
    else
      local field, value = line:match "^(%l+): (.*)$"
      if field then record[field] = value end
    end
  end
  done()
  if record.state == "" then record.state = nil end
  return record
end

local function text_situations(path, scratch)
  local record = recorded.read_text(path)
  local o = recorded.options_of {}
  o.environment, o.state = {}, record.state and cjson.decode(record.state) or nil
  local dir, list = put_files(scratch, path:match "([^/]*)%.txt$", record.files), {}
  if record.texts[""] == nil then table.insert(record.order, 1, "") end
  for i, given in ipairs(record.order) do
    list[i] = { name = given == "" and "plan" or "plan " .. given, dir = dir, options = o, record = record, given = given,
                plan_options = recorded.plan_options_of(given) }
  end
  return list
end

local function folder_situations(path)
  local list = {}
  for _, file in ipairs(support.lines(("cd '%s' && ls -a | grep -E '(^|[.])(tfstate|state.json|before.json)$'"):format(path))) do
    local ok, state = pcall(cjson.decode, support.read(path .. "/" .. file))
    if ok then list[#list + 1] = { name = "over " .. file, dir = path, options = { environment = {}, state = state } } end
  end
  table.insert(list, 1, { name = "plain", dir = path, options = { environment = {} } })
  return list
end

local shared = support.root .. "../shared/"
local by_case, by_file = "-name case.json", "-name '*.json'"
local sources = {
  { "cases", here .. "cases", by_case, case_situations },
  { "providers", here .. "providers", by_case, case_situations },
  { "planjson", here .. "planjson", by_file, plan_situations },
  { "tests", here .. "tests/cases", by_case, case_situations },
  { "plan_text", here .. "plan_text", "-name '*.txt'", text_situations },
  { "plan_options", here .. "plan_options", "-name '*.txt'", text_situations },
  { "shared-cases", shared .. "modules/cases", by_case, case_situations },
  { "shared-providers", shared .. "modules/providers", by_case, case_situations },
  { "shared-planjson", shared .. "planjson/shared", by_file, plan_situations },
  { "shared-tests", shared .. "tests/shared", by_case, case_situations },
  { "found", shared .. "found", by_case, case_situations },
  { "found-folders", shared .. "found", "-name '*.tf' -o -name '*.tf.json'", folder_situations },
  { "corpus", shared .. "corpus", "-name '*.tf'", folder_situations },
}

--- All recorded folders, in a fixed order: `set`, `name` (the path in its set) and `situations(scratch)`, a list of Situation.
---@param sets? table<string, boolean> only these
function recorded.all(sets)
  local list = {}
  for _, source in ipairs(sources) do
    local set, top, what, read = source[1], source[2], source[3], source[4]
    local command = ("find '%s' %s 2>/dev/null"):format(top, what)
    if read == folder_situations then command = command .. " | sed 's,/[^/]*$,,' | sort -u" else command = command .. " | sort" end
    for _, path in ipairs((not sets or sets[set]) and support.lines("export LC_ALL=C; " .. command) or {}) do
      -- The folder of a case is read together with the case.
      if not (set == "found-folders" and support.exists(path .. "/../case.json")) then
        list[#list + 1] = {
          set = set, name = path:sub(#top + 2):gsub("/case%.json$", ""):gsub("%.json$", ""):gsub("%.txt$", ""), path = path,
          situations = function(scratch) return read(path, scratch) end,
        }
      end
    end
  end
  return list
end

return recorded
