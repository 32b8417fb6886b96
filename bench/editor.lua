-- The language service: the time of a key, an answer and a folder, and the memory of open folders.
--   LUA editor.lua CORPUS_DIR      (hclexpr on the path)
-- Times are medians of processor time in this process, without a protocol. Compared with the design's goals: see the printed lines.
local service = require "hclexpr.service"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local CORPUS = arg[1]
local KEYS = tonumber(os.getenv "RUNS" or 7) * 20
-- An established server on the same file: milliseconds from a key to its diagnostics, and memory in MB, measured once.
local THEIR_KEY, THEIR_MEMORY = 330, 46

local missed = 0

local function line(what, figure, unit, goal)
  local good = not goal or figure <= goal
  if not good then missed = missed + 1 end
  local held = goal and ("  (goal <= %g: %s)"):format(goal, good and "met" or "missed") or ""
  print(("  %-52s %9.2f %s%s"):format(what, figure, unit, held))
end

local function median(times)
  table.sort(times)
  return times[math.floor((#times + 1) / 2)] * 1000
end

local function timed(f, ...)
  local start = os.clock()
  f(...)
  return os.clock() - start
end

local function times(n, f)
  local all = {}
  for i = 1, n do all[i] = timed(f, i) end
  return all
end

-- The largest file, and its folder.
local function largest()
  local found, most = nil, 0
  for _, path in ipairs(support.lines(("find -L '%s' -name '*.tf' | sort"):format(CORPUS))) do
    local size = #support.read(path)
    if size > most then found, most = path, size end
  end
  return found, most
end

local function sum(list)
  local all = 0
  for _, x in ipairs(list) do all = all + x end
  return all
end

local function finish(workspace)
  local slices = {}
  while workspace:pending() do slices[#slices + 1] = timed(workspace.work, workspace, 0.002) end
  table.sort(slices)
  return slices
end

local function open_all(workspace, dir)
  for _, path in ipairs(support.lines(("find -L '%s' -maxdepth 1 -name '*.tf'"):format(dir))) do
    workspace:open(path, support.read(path))
  end
end

local function one_file()
  local path, size = largest()
  local dir = path:match "^(.*)/"
  local workspace = service.new { roots = { dir } }
  local random = support.random(5)
  open_all(workspace, dir)
  print(("the largest file, %.0f KB"):format(size / 1024))
  local slices = finish(workspace)
  line("validating its folder, all slices together", sum(slices) * 1000, "ms")
  line("the median slice", slices[math.floor((#slices + 1) / 2)] * 1000, "ms", 5)
  line("the longest slice", slices[#slices] * 1000, "ms", 5)
  local keys = times(KEYS, function()
    local at = random(size) - 1
    workspace:change(path, { { start = at, stop = at, text = " " } })
    workspace:diagnostics(path, true)
  end)
  line("a key to diagnostics of syntax", median(keys), "ms", THEIR_KEY / 30)
  workspace:change(path, support.read(path))
  for _, question in ipairs { "hover", "definition", "complete", "signature", "highlights" } do
    local all = times(KEYS, function() workspace[question](workspace, path, random(size) - 1) end)
    line(question, median(all), "ms", question ~= "highlights" and 2 or nil)
  end
end

local function hundred_files()
  local dir = support.temporary_folder()
  for i = 1, 100 do
    support.write(("%s/f%d.tf"):format(dir, i), (([[
variable "v#" {
  type    = object({ a = string, b = number })
  default = { a = "x", b = # }
}

locals {
  l# = [for i in range(3) : "${var.v#.a}-${i}"]
}

resource "terraform_data" "r#" {
  input = local.l#
}

output "o#" {
  value = terraform_data.r#.output
}
]]):gsub("#", tostring(i))))
  end
  local workspace = service.new { roots = { dir } }
  print "a folder of 100 files"
  line("opened, and asked for a definition", timed(function()
    open_all(workspace, dir)
    workspace:definition(dir .. "/f1.tf", 150)
  end) * 1000, "ms", 100)
  line("validated", sum(finish(workspace)) * 1000, "ms")
  support.remove(dir)
end

local function memory()
  print "all folders of the corpus, files open"
  local workspace = service.new {}
  for _, path in ipairs(support.lines(("find -L '%s' -name '*.tf' | sort"):format(CORPUS))) do
    workspace:open(path, support.read(path))
    workspace:symbols(path)
  end
  support.collect()
  line("Lua's heap", collectgarbage "count" / 1024, "MB")
  local status = io.open "/proc/self/status"
  local resident = status and status:read("*a"):match "VmRSS:%s*(%d+)"
  if resident then line("the whole process", resident / 1024, "MB", THEIR_MEMORY) end
  if status then status:close() end
end

-- Memory first: a process keeps memory that it once took.
memory()
one_file()
hundred_files()
os.exit(missed == 0 and 0 or 1)
