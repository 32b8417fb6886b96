-- How the time of functions on collections grows: ten times the input, up to 100,000 elements, may take 13 times as long at most.
-- RUNS (7): the best of so many is told. Ends with status 1 where one takes longer.
local hcl = require "hclexpr"

local RUNS = tonumber(os.getenv "RUNS") or 7
local SMALL, LARGE, MOST = 10000, 100000, 13

local scope = hcl.scope { limits = { steps = 1e12, memory = 2 ^ 33, output = 2 ^ 33 } }

-- All keys are of one length, so that ten times the input is ten times the bytes.
local function inputs(n)
  local texts, others, nested, object = {}, {}, {}, {}
  for i = 1, n do
    texts[i] = ("item %07d"):format(i * 7919 % n)
    others[i] = ("item %07d"):format(i * 7919 % n + n / 2)
    nested[i] = hcl.array { texts[i], others[i] }
    object[texts[i]] = i
  end
  return {
    texts = hcl.value(texts, "list(string)"), others = hcl.value(others, "list(string)"), nested = hcl.value(nested),
    set = hcl.value(texts, "set(string)"), other = hcl.value(others, "set(string)"), object = hcl.value(object),
  }
end

local EXPRESSIONS = {
  "length(distinct(texts))", "length(setunion(set, other))", "length(setintersection(set, other))", "length(setsubtract(set, other))",
  'contains(texts, "none")', "length(flatten(nested))", "length(merge(object, { a = 1 }, object))", "length(concat(texts, others))",
  "length(toset(texts))", "length(keys(object))", "length(values(object))", "length(sort(texts))", "length(reverse(texts))",
  "length(compact(texts))", "length(zipmap(texts, others))", 'index(texts, texts[length(texts) - 1])',
}

-- Seconds for one evaluation, over long enough a time to be measured.
local function seconds(expression, variables)
  local count, start, stop = 0, os.clock(), nil
  repeat
    hcl.assert(expression:eval(variables, scope))
    count, stop = count + 1, os.clock()
  until stop - start >= 0.02
  return (stop - start) / count
end

-- Both sizes by turns, and the best of each: whatever else the machine does only makes it slower.
local function best(expression, small, large)
  local a, b = math.huge, math.huge
  for _ = 1, RUNS do
    a, b = math.min(a, seconds(expression, small)), math.min(b, seconds(expression, large))
  end
  return a, b
end

local small, large = inputs(SMALL), inputs(LARGE)
local slow = 0
print(("%-46s %12s %12s %8s"):format("ms for elements:", SMALL, LARGE, "ratio"))
for _, source in ipairs(EXPRESSIONS) do
  local a, b = best(hcl.assert(hcl.compile(source)), small, large)
  local ratio = b / a
  local note = ""
  if ratio > MOST then slow, note = slow + 1, "  more than " .. MOST end
  print(("%-46s %12.4f %12.4f %8.1f%s"):format(source, a * 1e3, b * 1e3, ratio, note))
end
if slow > 0 then os.exit(1) end
