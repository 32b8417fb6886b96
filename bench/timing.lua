-- Time measurement of the benchmarks. RUNS (7): runs for each figure.
local M = {}

local RUNS = tonumber(os.getenv "RUNS" or 7)

--- Seconds for a call in each of RUNS runs, each at least `long` seconds. `before` is called before each, untimed.
function M.calls(f, long, before)
  local function run(n)
    local start = os.clock()
    for _ = 1, n do f() end
    return os.clock() - start
  end
  local n, times = 1, {}
  while run(n) <= long do n = n * 2 end
  for i = 1, RUNS do
    if before then before() end
    times[i] = run(n) / n
  end
  return times
end

--- The median, best and worst of times, each converted.
function M.spread(times, convert)
  table.sort(times)
  return convert(times[math.floor(#times / 2) + 1]), convert(times[1]), convert(times[#times])
end

return M
