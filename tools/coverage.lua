-- Reads gcov's counts, a JSON text on each line of the input, and prints the parts of csrc that were never reached: the files with most of
-- them, and 'N of N' lines and branches. build/unreached lists each line and branch. It fails below the goals.
--
-- A branch is one way that control can take from a line: a condition has two, `a && b` has four, a switch one for each case. Branches of
-- unreached lines count, too. Left out are branches that compilers add for exceptions (gcov's `throw`, in C++), and csrc/testing, which no
-- release has. A header is compiled into many objects: its lines are reached if they are in one of them.
local cjson = require "cjson"
local goals = { lines = 97, branches = 88 }

-- Objects of removed sources may still exist.
local function exists(path)
  local file = io.open(path)
  return file and file:close()
end

local files = {}
local function line_of(path, number)
  local file = files[path] or {}
  files[path] = file
  local line = file[number] or { count = 0, branches = {} }
  file[number] = line
  return line
end

for text in io.lines() do
  for _, file in ipairs(cjson.decode(text).files) do
    if file.file:find "^csrc/" and not file.file:find "^csrc/testing/" and exists(file.file) then
      for _, counted in ipairs(file.lines) do
        local line, n = line_of(file.file, counted.line_number), 0
        line.count = line.count + counted.count
        for _, branch in ipairs(counted.branches) do
          if not branch.throw then
            n = n + 1
            line.branches[n] = (line.branches[n] or 0) + branch.count
          end
        end
      end
    end
  end
end

-- The branches of a line that were never taken, as '2/4', and the number of all branches.
local function never(branches)
  local which = {}
  for i, count in ipairs(branches) do
    if count == 0 then which[#which + 1] = i end
  end
  return #which, #branches, table.concat(which, ",")
end

local totals, worst = { lines = 0, branches = 0, unreached = 0, untaken = 0 }, {}
local list = assert(io.open("../unreached", "w"))
local paths = {}
for path in pairs(files) do paths[#paths + 1] = path end
table.sort(paths)
for _, path in ipairs(paths) do
  local row, number = { path = path, lines = 0, branches = 0, unreached = 0, untaken = 0 }, 0
  for text in io.lines(path) do
    number = number + 1
    local line = files[path][number]
    if line then
      local untaken, all, which = never(line.branches)
      row.lines, row.branches, row.untaken = row.lines + 1, row.branches + all, row.untaken + untaken
      if line.count == 0 then row.unreached = row.unreached + 1 end
      if line.count == 0 then list:write(path, ":", number, ": never: ", text, "\n")
      elseif untaken > 0 then list:write(path, ":", number, ": ", which, " of ", all, ": ", text, "\n") end
    end
  end
  worst[#worst + 1] = row
  for name in pairs(totals) do totals[name] = totals[name] + row[name] end
end
list:close()

table.sort(worst, function(a, b)
  local of_a, of_b = a.unreached + a.untaken, b.unreached + b.untaken
  if of_a ~= of_b then return of_a > of_b end
  return a.path < b.path
end)
print "lines    branches  of"
for i = 1, math.min(20, #worst) do
  local row = worst[i]
  print(("%3d/%-4d %3d/%-5d %s"):format(row.unreached, row.lines, row.untaken, row.branches, row.path))
end
local ok = true
for _, kind in ipairs { { "lines", "unreached" }, { "branches", "untaken" } } do
  local all, missed = totals[kind[1]], totals[kind[2]]
  local reached = 100 * (all - missed) / all
  print(("%d of %d %s unreached: %.2f %% reached, the goal is %d %%"):format(missed, all, kind[1], reached, goals[kind[1]]))
  ok = ok and reached >= goals[kind[1]]
end
os.exit(ok)
