-- Writes into cases of spec/modules/planjson what Terraform says of them:
--   lua5.4 tools/terraform/record.lua ASK spec/modules/planjson/NAME.json …      ASK: the program that main.go makes
-- A case has the files of a folder, the state before and options of the plan. One with the key `before`, a list of folders' files, gets the
-- state that an apply of these leaves, and loses the key.
local core = require "hclexpr.core"
local documents = require "hclexpr.terraform.schema.documents"
local root = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../../"
local support = dofile(root .. "spec/support.lua")
local differences = dofile(root .. "spec/modules/differences.lua")

local function ask(program, question)
  local scratch = support.temporary_folder()
  support.write(scratch .. "/question", differences.text_of(question) .. "\n")
  assert(support.runs(("'%s' <'%s/question' >'%s/answer'"):format(program, scratch, scratch)))
  local answer = assert(documents.decode(support.read(scratch .. "/answer")))
  support.remove(scratch)
  return answer
end

local function places_of(findings)
  local found = setmetatable({}, core.array_mt)
  for _, finding in ipairs(findings) do
    local at = finding.at
    if finding.severity == "error" then found[#found + 1] = at and ("%s:%d:%d"):format(at[1], at[2], at[3]) or "" end
  end
  table.sort(found)
  return found
end

local function record(program, path)
  local case = assert(documents.decode(support.read(path)))
  local o = case.options or {}
  local question = { dir = support.folder(case.files), state = case.state, destroy = o.destroy, refresh_only = o.refresh_only,
                     no_refresh = o.refresh == false, targets = o.targets, replace = o.replace }
  if case.before then
    question.before = setmetatable({}, core.array_mt)
    for i, files in ipairs(case.before) do question.before[i] = support.folder(files) end
  end
  local answer = ask(program, question)
  assert(answer.applied, "the folders before can't be applied")
  case.state, case.before = case.before and answer.state or case.state, nil
  case.plan, case.errors = answer.plan, places_of(answer.findings)
  if case.errors[1] == nil then case.errors = nil end
  if case.plan and case.plan ~= core.null then
    case.plan.timestamp, case.plan.terraform_version = nil, "*"
    if case.plan.prior_state then case.plan.prior_state.terraform_version = "*" end
  end
  support.write(path, differences.text_of(case) .. "\n")
end

for i = 2, #arg do record(arg[1], arg[i]) end
