-- Tests of folders, compared with `terraform test -json` (tests/cases/TOPIC/NAME: module/ and case.json; tests/schemas).
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local cjson = require "cjson"
local hcl = require "hclexpr"

local here = support.here()
local recorded = dofile(here .. "recorded.lua")

local function decode(path) return cjson.decode(support.read(path)) end

local function options_of(case, dir)
  local o, filter = recorded.options_of(case.options)
  o.environment, o.schemas = case.environment or {}, recorded.schemas_of(case, dir)
  return o, filter
end

-- Lines with their results, sorted. Messages from the folder itself count in full.
local Lines = {}
Lines.__index = Lines

function Lines:add(...)
  local words = {}
  for i = 1, select("#", ...) do
    local word = select(i, ...)
    words[i] = type(word) == "number" and ("%d"):format(word) or word
  end
  self[#self + 1] = table.concat(words, " ")
end

function Lines:text()
  table.sort(self)
  return table.concat(self, "\n")
end

local function place(dir, range)
  if not range then return "nowhere" end
  local name = range.filename:find "^<value for " and range.filename or range.filename:sub(#dir + 2)
  return ("%s:%d:%d-%d:%d"):format(name, range.start.line, range.start.column, range.stop.line, range.stop.column)
end

local function add_found(lines, dir, err, file, run)
  for _, d in ipairs(err or {}) do
    local range = d.summary ~= "Provider not configured" and d.range or nil -- the reference reports this without a place
    lines:add(d.severity .. "s", file or "", run or "", place(dir, range))
  end
end

local function ours(dir, case)
  local lines, o, filter = setmetatable({}, Lines), options_of(case, dir)
  local module, err, readable = hcl.module(dir, o)
  module = module or readable
  local result
  if module then result, err = module:test { filter = filter } end
  if not result then
    add_found(lines, dir, err)
    return lines:text(), nil
  end
  add_found(lines, dir, result.diagnostics)
  for _, file in ipairs(result.files) do
    lines:add("file", file.path, file.status)
    add_found(lines, dir, file.diagnostics, file.path)
    for _, run in ipairs(file.runs) do
      if run.status ~= "pending" then lines:add("run", file.path, run.name, run.status) end
      add_found(lines, dir, run.diagnostics, file.path, run.name)
    end
  end
  lines:add("summary", result.status, result.passed, result.failed, result.errored, result.skipped)
  return lines:text(), result
end

local function add_recorded(lines, found)
  for _, kind in ipairs { "errors", "warnings" } do
    for _, d in ipairs(found[kind]) do
      local at = d.at ~= cjson.null and ("%s:%d:%d-%d:%d"):format(d.at[1], d.at[2], d.at[3], d.at[4], d.at[5]) or "nowhere"
      lines:add(kind, d.file or "", d.run or "", at)
    end
  end
end

local function theirs(case)
  local lines, test = setmetatable({}, Lines), case.test
  for path, status in pairs(test.files) do lines:add("file", path, status) end
  for _, run in ipairs(test.runs) do lines:add("run", run.file, run.run, run.status) end
  add_recorded(lines, test)
  local s = test.summary
  if s ~= cjson.null then lines:add("summary", s.status, s.passed, s.failed, s.errored, s.skipped) end
  return lines:text()
end

-- Each line once: Terraform reports some mistakes twice.
local function as_set(lines)
  local seen, list = {}, {}
  for _, line in ipairs(lines) do
    if not seen[line] then seen[line], list[#list + 1] = true, line end
  end
  return Lines.text(list)
end

-- The reports of validate for a folder with its test files: ours, and theirs.
local function validated(dir, case)
  local lines, wanted, o = setmetatable({}, Lines), setmetatable({}, Lines), options_of(case, dir)
  local module, err, readable = hcl.module(dir, o)
  module = module or readable
  add_found(lines, dir, module and select(2, module:validate()) or err)
  add_recorded(wanted, case.validate)
  return as_set(lines), as_set(wanted)
end

-- Texts from the folder itself are compared as they are.
local function check_messages(case, result)
  local said = {}
  for _, file in ipairs(result.files) do
    for _, run in ipairs(file.runs) do
      for _, d in ipairs(run.diagnostics or {}) do said[#said + 1] = d.detail end
    end
  end
  local all = table.concat(said, "\n"):gsub("%s+", " ")
  for _, d in ipairs(case.test.errors) do
    local message = (d.message or ""):gsub("%s+", " ")
    assert.truthy(all:find(message, 1, true), message)
  end
end

-- A parser may continue anywhere after an argument without a value.
local exceptions = { ["files/syntax_error_in_one"] = true }

describe("tests of a folder", function()
  local cases = here .. "tests/cases"
  for _, path in ipairs(support.lines("find '" .. cases .. "' -name case.json | sort")) do
    local name = path:sub(#cases + 2, -#"/case.json" - 1)
    if not exceptions[name] then
      it("have the recorded results: " .. name, function()
        local case = decode(path)
        local said, result = ours(cases .. "/" .. name .. "/module", case)
        assert.equal(theirs(case), said)
        if result then check_messages(case, result) end
      end)
      it("are validated as recorded: " .. name, function()
        local case = decode(path)
        if not case.validate then return end
        local said, wanted = validated(cases .. "/" .. name .. "/module", case)
        assert.equal(wanted, said)
      end)
    end
  end
end)
