-- The results of the rounds of `run`: medians over them, compared with goals.
local M = { missed = 0 }

--- The lines of a file, or none if it is missing.
function M.lines_of(path)
  local f = io.open(path)
  if not f then return function() end end
  return f:lines()
end

--- what[id] = median over the rounds of the medians of OUT/NAME.<round>.txt. `read(line)` returns an id and a number, or nothing.
function M.load(out, name, read)
  local seen = {}
  for round = 1, 99 do
    local any = false
    for line in M.lines_of(("%s/%s.%d.txt"):format(out, name, round)) do
      any = true
      local id, median = read(line)
      if id then
        seen[id] = seen[id] or {}
        table.insert(seen[id], tonumber(median))
      end
    end
    if not any then break end
  end
  for id, list in pairs(seen) do
    table.sort(list)
    seen[id] = list[math.floor((#list + 1) / 2)]
  end
  return seen
end

--- Prints a figure with its goal, and counts missed goals.
function M.goal(text, value, bound, at_least)
  if not value then
    print(("  %-78s not measured"):format(text))
    return
  end
  local good
  if at_least then good = value >= bound else good = value <= bound end
  if not good then M.missed = M.missed + 1 end
  print(("  %-78s %7.2f  (goal %s %.4g) %s"):format(text, value, at_least and "at least" or "at most", bound, good and "" or "MISSED"))
end

return M
