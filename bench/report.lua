-- Ratios from the outputs of `run`: medians of the rounds' medians, compared with the goals.
--   LUA report.lua OUT_DIR EXPRESSIONS.json
local cjson = require "cjson"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local out, expressions = arg[1], arg[2]

local here = support.here()
local rounds = dofile(here .. "rounds.lua")
local lines_of, goal = rounds.lines_of, rounds.goal

-- what[task][id] = median over the rounds of the medians.
local function load_rounds(name)
  local tasks = {}
  local medians = rounds.load(out, name, function(line)
    local task, id, median = line:match "^(%S+)\t(%S+)\t([%d.]+)"
    return median and task .. "\t" .. id, median
  end)
  for key, median in pairs(medians) do
    local task, id = key:match "^(%S+)\t(%S+)$"
    tasks[task] = tasks[task] or {}
    tasks[task][id] = median
  end
  return setmetatable(tasks, { __index = function() return {} end })
end

local scalar = { arith = true, logic = true, cond = true, tmpl_if = true, traverse = true, lookup = true, guard = true }
-- Lua's doubles give another answer: these are compared with Go.
local other_digits = { frac = true, bigint = true }
local function is_large(id) return id:match "1000$" ~= nil or id:match "900$" ~= nil end

local ids = {}
for i, e in ipairs(cjson.decode(support.read(expressions))) do ids[i] = e.id end

local function mean(list)
  if #list == 0 then return nil end
  local sum = 0
  for _, x in ipairs(list) do sum = sum + math.log(x) end
  return math.exp(sum / #list)
end

-- Geometric mean of ours over theirs for the ids that `wanted` selects and both have; and the worst.
local function ratio(ours, theirs, wanted)
  local list, worst, worst_id = {}, 0, "-"
  for _, id in ipairs(ids) do
    if wanted(id) and ours[id] and theirs[id] and theirs[id] > 0 then
      local r = ours[id] / theirs[id]
      list[#list + 1] = r
      if r > worst then worst, worst_id = r, id end
    end
  end
  return mean(list), worst, worst_id
end

-- The longest time of a failing evaluation, in microseconds, and its id. Failing loops work as long as others.
local function cost_of_failing(fails)
  local worst, worst_id
  for id, time in pairs(fails) do
    if id ~= "loop" and time > (worst or 0) then worst, worst_id = time, id end
  end
  return worst and worst / 1000, worst_id or "-"
end

local function small(id) return not is_large(id) and not other_digits[id] end
local function is_scalar(id) return scalar[id] end
local function all(id) return not other_digits[id] end

local function number(x)
  if not x then return "-" end
  return x < 100 and ("%.1f"):format(x) or ("%.0f"):format(x)
end

local function over(a, b) return a and b and b > 0 and ("%.2f"):format(a / b) or "-" end

local go, rust = load_rounds "go", load_rounds "rust"

local measured = {}
for _, lua in ipairs { "lua5.4", "luajit-joff" } do
  if next(load_rounds("hclexpr-" .. lua)) then measured[#measured + 1] = lua end
end

for _, lua in ipairs(measured) do
  local ours, floor = load_rounds("hclexpr-" .. lua), load_rounds("floor-" .. lua)
  print("\n" .. lua .. ": ns a call; ratios over hand-written Lua; compile over the peers' parse (more is better)")
  print(("%-14s %9s %9s %7s %9s %7s %9s %8s %8s %9s"):format("id", "by hand", "bound", "ratio", "tables", "ratio", "compile", "hcl-rs/",
    "Go/", "Go eval/"))
  for _, id in ipairs(ids) do
    local hand, bound, tables = floor.eval[id], ours.bound[id], ours.tables[id]
    print(("%-14s %9s %9s %7s %9s %7s %9s %8s %8s %9s"):format(id, number(hand), number(bound), over(bound, hand), number(tables),
      over(tables, hand), number(ours.compile[id]), over(rust.parse[id], ours.compile[id]), over(go.parse[id], ours.compile[id]),
      over(go.eval[id], bound)))
  end

  print("\n" .. lua .. ": geometric means over hand-written Lua")
  local on_54 = lua == "lua5.4"
  goal("small, bound", (ratio(ours.bound, floor.eval, small)), on_54 and 1.6 or 2)
  print(("  %-78s %7.2f"):format("small, from tables", ratio(ours.tables, floor.eval, small) or 0))
  if on_54 then
    goal("scalar group, bound", (ratio(ours.bound, floor.eval, is_scalar)), 4)
    goal("scalar group, from tables", (ratio(ours.tables, floor.eval, is_scalar)), 9)
  end
  goal("900 to 1,000 elements, bound", (ratio(ours.bound, floor.eval, is_large)), on_54 and 1.1 or 1.7)
  goal("900 to 1,000 elements, from tables", (ratio(ours.tables, floor.eval, is_large)), on_54 and 2.2 or 4)
  if on_54 then
    local _, worst, id = ratio(ours.bound, floor.eval, all)
    goal("the worst, bound (" .. id .. ")", worst > 0 and worst or nil, 6)
    for name in pairs(other_digits) do
      local theirs, mine = go.eval[name], ours.bound[name]
      goal(name .. ": Go's time over ours", theirs and mine and theirs / mine, 5, true)
    end
    local rs, g = ratio(rust.parse, ours.compile, function() return true end), ratio(go.parse, ours.compile, function() return true end)
    goal("hcl.compile from Lua: hcl-rs's parse over it", rs, 2, true)
    goal("hcl.compile from Lua: Go's parse over it", g, 12, true)
  end
  for way, fails in pairs(on_54 and { bound = ours.fails, ["from tables"] = ours.fails_tables } or {}) do
    local cost, id = cost_of_failing(fails)
    goal(("a failing evaluation that nobody reads, %s, the worst (%s), us"):format(way, id), cost, 2)
  end

  local mixed, mixed_floor = load_rounds("hclexpr-shuffled-" .. lua), load_rounds("floor-shuffled-" .. lua)
  print("\n" .. lua .. ": the same with shuffled keys")
  goal("900 to 1,000 elements, bound", (ratio(mixed.bound, mixed_floor.eval, is_large)), on_54 and 1.1 or 1.7)
  goal("900 to 1,000 elements, from tables", (ratio(mixed.tables, mixed_floor.eval, is_large)), on_54 and 2.2 or 4)
end

print "\nmemory"
for line in lines_of(out .. "/memory.txt") do
  local peak = line:match "^memory\tparse\t([%d.]+)"
  if peak then goal("peak memory of a parse, bytes a source byte", tonumber(peak), 8) end
end
dofile(here .. "report_text.lua")(out, rounds)
print(rounds.missed == 0 and "\nall goals that were measured are met" or "\n" .. rounds.missed .. " goals missed")
