-- How the time of functions on collections grows with ten times the input, up to 100,000 elements. The goal is at most 40 times as
-- long: linear, except for caches. The first line shows a table in hand-written Lua. There are two ways to measure, for two questions:
--   warm  One call after the other, the best of many. 10,000 elements then stay in a core's own cache and 100,000 don't, so this
--         compares two caches as much as the work.
--   cold  Before each call, so much other memory is read that none of the data or code is in any cache. Both sizes are seen for
--         the first time, like most data of a request, so this shows how the work itself grows. The fixed cost of a call
--         (its code and state come from memory as well) would lower the ratio: so a call on one element, just as cold, is
--         measured with the others and subtracted from both.
-- The machine is slower at times, so both sizes are measured in turn, and their ratio is that of one round: with warm caches the round in
-- which both together took least; with the few cold ones the round with the median of the ratios.
-- Ends with status 1 if a goal is missed in either way.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local SMALL, LARGE, MOST = 10000, 100000, 40
-- Rounds with warm caches, and the seconds of calls that each has for each size.
local WARM_ROUNDS, WARM_SECONDS = 250, 0.002
-- Rounds with cold caches, and the bytes read before each call: a multiple of the largest caches.
local COLD_ROUNDS, EVICTED = 15, 200 * 2 ^ 20
-- Two equal cold calls differ by this much, so a smaller time can't be distinguished from zero: a call that reads no element takes that.
local LEAST = 5e-6

local scope = hcl.scope { limits = { steps = 1e12, memory = 2 ^ 33, output = 2 ^ 33 } }

-- All keys have the same length, so ten times the input is ten times the bytes.
local function inputs(n)
  local texts, others, nested, object = {}, {}, {}, {}
  for i = 1, n do
    texts[i] = ("item %07d"):format(i * 7919 % n)
    others[i] = ("item %07d"):format(i * 7919 % n + math.floor(n / 2))
    nested[i] = hcl.array { texts[i], others[i] }
    object[texts[i]] = i
  end
  return {
    plain = texts, texts = hcl.value(texts, "list(string)"), others = hcl.value(others, "list(string)"), nested = hcl.value(nested),
    set = hcl.value(texts, "set(string)"), other = hcl.value(others, "set(string)"), object = hcl.value(object),
  }
end

local EXPRESSIONS = {
  "length(distinct(texts))", "length(setunion(set, other))", "length(setintersection(set, other))", "length(setsubtract(set, other))",
  'contains(texts, "none")', "length(flatten(nested))", "length(merge(object, { a = 1 }, object))", "length(concat(texts, others))",
  "length(toset(texts))", "length(keys(object))", "length(values(object))", "length(sort(texts))", "length(reverse(texts))",
  "length(compact(texts))", "length(zipmap(texts, others))", 'index(texts, texts[length(texts) - 1])',
}

-- Seconds for one call, measured over a long enough time.
local function seconds(call, ...)
  local count, start = 0, os.clock()
  local stop
  repeat
    call(...)
    count, stop = count + 1, os.clock()
  until stop - start >= WARM_SECONDS
  return (stop - start) / count
end

local one, small, large = inputs(1), inputs(SMALL), inputs(LARGE)

local function warm(call)
  local a, b = math.huge, math.huge
  for _ = 1, WARM_ROUNDS do
    local x, y = seconds(call, small), seconds(call, large)
    if x * LARGE / SMALL + y < a * LARGE / SMALL + b then
      a, b = x, y
    end
  end
  return a, b
end

local other = ("x"):rep(EVICTED)

local function seconds_cold(call, variables)
  assert(not other:find("y", 1, true))
  local start = os.clock()
  call(variables)
  return os.clock() - start
end

local function median(list, less)
  table.sort(list, less)
  return list[#list // 2 + 1]
end

local function cold(call)
  local nothing, rounds = {}, {}
  for i = 1, COLD_ROUNDS do
    nothing[i] = seconds_cold(call, one)
    rounds[i] = { seconds_cold(call, small), seconds_cold(call, large) }
  end
  local base = median(nothing)
  for _, round in ipairs(rounds) do
    for k = 1, 2 do
      round[k] = math.max(round[k] - base, LEAST)
    end
  end
  return table.unpack(median(rounds, function(a, b) return a[2] / a[1] < b[2] / b[1] end))
end

local within = { 0, 0 } -- expressions, by the way of measuring

local function line(name, call, counted)
  local shown = {}
  for i, way in ipairs { warm, cold } do
    local a, b = way(call)
    local missed = b / a > MOST
    if not missed and counted then within[i] = within[i] + 1 end
    shown[i] = ("%9.4f %9.4f %8.1f %6.1f%s"):format(a * 1e3, b * 1e3, b / LARGE * 1e9, b / a, missed and "*" or " ")
  end
  print(("%-42s %s  %s"):format(name, shown[1], shown[2]))
end

print(("%-42s %-36s  %s"):format("", "warm", "cold"))
local titles = ("%9d %9d %8s %6s "):format(SMALL, LARGE, "ns each", "ratio")
print(("%-42s %s  %s"):format("ms for elements:", titles, titles))
line("distinct in Lua", function(variables) return support.distinct(variables.plain) end, false)
for _, source in ipairs(EXPRESSIONS) do
  local expression = hcl.assert(hcl.compile(source))
  line(source, function(variables) hcl.assert(expression:eval(variables, scope)) end, true)
end
print(("Within %d times: %d of %d warm, %d of %d cold (* over it)"):format(MOST, within[1], #EXPRESSIONS, within[2], #EXPRESSIONS))
if math.min(within[1], within[2]) < #EXPRESSIONS then os.exit(1) end
