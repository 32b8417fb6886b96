-- Evaluates the same policies for hclexpr's plans and for Terraform's plans of the same folders (spec/modules/planjson): the
-- answers must be the same. Arguments: the program of OPA, the command hclexpr.
local support = dofile((debug.getinfo(1, "S").source:match "^@(.-)[^/]*$") .. "../spec/support.lua")
require "hclexpr"
local core = require "hclexpr.core"
local documents = require "hclexpr.terraform.schema.documents"
local opa, command = arg[1], arg[2]
local here = support.root .. "spec/"

local function json(x)
  return (core.value_json(core.value(x), 0, 0))
end

local function answer(plan)
  local query = "'[data.plan.answer, data.main]'"
  return support.output(("'%s' eval --format values --data '%spolicies' --input '%s' %s 2>&1"):format(opa, here, plan, query))
end

local function plan_of(case, dir)
  local words = { ("cd '%s' && %s plan -json -reveal"):format(dir, command) }
  for _, setting in ipairs(case.settings or {}) do words[#words + 1] = "-var='" .. setting .. "'" end
  if case.schemas then words[#words + 1] = ('-schemas "$OLDPWD/%smodules/schemas/%s.json"'):format(here, case.schemas) end
  if case.state then
    support.write(dir .. "/state.json", json(case.state))
    words[#words + 1] = "-state state.json"
  end
  return support.output(table.concat(words, " ") .. " 2>/dev/null")
end

local wrong, n = 0, 0
for _, path in ipairs(support.lines("ls '" .. here .. "modules/planjson/'*.json")) do
  local case = assert(documents.decode(support.read(path)))
  local dir, wanted = support.folder(case.files), support.temporary_file(json(case.plan), ".json")
  local found = support.temporary_file(plan_of(case, dir), ".json")
  local a, b = answer(wanted), answer(found)
  n = n + 1
  if a ~= b or not a:find "^%s*%[" then
    wrong = wrong + 1
    print(path, "Terraform's plan gives", a, "this one", b)
  end
  os.remove(wanted)
  os.remove(found)
  support.remove(dir)
end
print(("policies: %d of %d plans give the answers that Terraform's give"):format(n - wrong, n))
os.exit(wrong == 0 and n > 0 and 0 or 1)
