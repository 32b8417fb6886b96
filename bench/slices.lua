-- Slices of the language service: how long a key may wait while a folder with many instances is validated, and how that grows.
--   LUA slices.lua      (hclexpr on the path)
-- Processor time. The last folder is the largest, and its memory is shown. NUMBER (90000) of its instances; ROUNDS (3) of the ratio.
local service = require "hclexpr.service"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local rounds = dofile(support.here() .. "rounds.lua")

local ROUNDS, NUMBER = tonumber(os.getenv "ROUNDS" or 3), tonumber(os.getenv "NUMBER" or 90000)
-- The requested seconds of a slice.
local ASKED = 0.002

-- The times of the slices, sorted, and their sum.
local function validate(n)
  local text = ('resource "terraform_data" "x" {\n  count = %d\n  input = "${count.index}"\n}\n'):format(n)
    .. 'output "sum" { value = sum([for x in terraform_data.x[*].input : tonumber(x)]) }\n'
  local dir = support.folder { ["main.tf"] = text }
  local workspace, slices, sum = service.new { roots = { dir } }, {}, 0
  workspace:open(dir .. "/main.tf", text)
  collectgarbage()
  while workspace:pending() do
    local start = os.clock()
    workspace:work(ASKED)
    slices[#slices + 1] = os.clock() - start
    sum = sum + slices[#slices]
  end
  support.remove(dir)
  table.sort(slices)
  return slices, sum
end

local ratios = {}
for i = 1, ROUNDS do
  local _, small = validate(NUMBER / 9)
  local _, large = validate(NUMBER / 3)
  ratios[i] = large / small
end
table.sort(ratios)
rounds.goal(("%d instances: times the time of a third"):format(NUMBER / 3), ratios[math.floor((ROUNDS + 1) / 2)], 3.3)

local slices, sum = validate(NUMBER)
print(("  %d instances, and the sum of a splat over them: %.1f s in %d slices"):format(NUMBER, sum, #slices))
rounds.goal("the median slice, ms", slices[math.ceil(#slices / 2)] * 1e3, 3)
rounds.goal("99 of 100 slices take at most, ms", slices[math.ceil(#slices * 0.99)] * 1e3, 10)
rounds.goal("the longest slice, ms", slices[#slices] * 1e3, 50)
for line in rounds.lines_of "/proc/self/status" do
  local kilobytes = line:match "^VmHWM:%s*(%d+)"
  if kilobytes then rounds.goal("most memory, MB", kilobytes / 1024, 100) end
end
os.exit(rounds.missed == 0 and 0 or 1)
