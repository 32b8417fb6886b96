-- Whole modules: times of plans, of one answer of the console, of large folders at ten times the size, and of a change.
--   LUA modules.lua MODULES_DIR CORPUS_DIR LUA_PROGRAM      (hclexpr on the path; the command is installed in build/bench)
-- Compared with the design's goals: see the printed lines. ROUNDS (5): how often each is measured; for times of a process the best counts,
-- for the rest the median of the ratios, since both sides of a ratio are measured in turn.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local rounds = dofile(support.here() .. "rounds.lua")

local MODULES, CORPUS, LUA = arg[1], arg[2], arg[3] or "lua5.4"
local ROUNDS = tonumber(os.getenv "ROUNDS" or 5)

local function median(list)
  table.sort(list)
  return list[math.floor((#list + 1) / 2)]
end

-- The median over rounds of the results of f.
local function ratio(f)
  local all = {}
  for i = 1, ROUNDS do all[i] = f() end
  return median(all)
end

-- Whole processes: seconds for a call of a command, by the shell's clock; the mean of CALLS, or of so many.
local CALLS = 20

local function process(command, calls)
  calls = calls or CALLS
  local loop = "s=$(date +%%s%%N); for i in $(seq %d); do %s >/dev/null 2>&1; done; echo $(($(date +%%s%%N) - s))"
  local script = loop:format(calls, command)
  local pipe = assert(io.popen(("sh -c '%s'"):format(script)))
  local taken = tonumber(pipe:read "*a")
  pipe:close()
  return taken / 1e9 / calls
end

local nothing = LUA .. ' -e ""'

local function times_nothing(command)
  return ratio(function() return process(command) / process(nothing) end)
end

-- Growth

local function lines(n, text)
  local list = {}
  for i = 1, n do list[i] = text:gsub("#%-", i - 1):gsub("#", i) end
  return table.concat(list, "\n") .. "\n"
end

local kinds = {
  { "10,000 locals in a chain", 10000, function(n)
    return { ["main.tf"] = "locals {\nl0 = 1\n" .. lines(n, "l# = local.l#- + 1") .. "}\noutput \"o\" { value = local.l" .. n .. " }\n" }
  end },
  { "10,000 instances by for_each", 10000, function(n)
    local text = 'resource "x" "y" {\n for_each = toset(flatten([for i in range(%d) : [for j in range(100) : "${i}-${j}"]]))\n'
      .. ' a = each.key\n}'
    return { ["main.tf"] = text:format(math.floor(n / 100)) }
  end },
  { "1,000 module calls", 1000, function(n)
    return { ["main.tf"] = lines(n, 'module "m#" {\n source = "./m"\n n = #\n}'),
             ["m/m.tf"] = 'variable "n" {}\nlocals {\n a = var.n + 1\n}\noutput "o" { value = local.a }\n' }
  end },
}

local limits = hcl.scope { limits = { steps = 1e12, memory = 2 ^ 33 } }

-- Freeing counts, too. Otherwise a small plan may end before the collector begins, and a large one not: then 10,000 instances took 17
-- times as long as 1,000, though each takes the same 160,000 instructions.
local function plan(dir)
  collectgarbage()
  local start = os.clock()
  hcl.assert(hcl.assert(hcl.module(dir, { scope = limits })):plan())
  collectgarbage()
  return os.clock() - start
end

for _, kind in ipairs(kinds) do
  local small, large = support.folder(kind[3](math.floor(kind[2] / 10))), support.folder(kind[3](kind[2]))
  local last
  local growth = ratio(function()
    last = plan(large)
    return last / plan(small)
  end)
  rounds.goal(("%s: times the time of a tenth (%.0f ms)"):format(kind[1], last * 1e3), growth, 12)
  support.remove(small)
  support.remove(large)
end

-- A change of one file, and then of one of its locals, in the largest folder of the corpus: the mean of CHANGES, since one takes too little
-- time for the clock, and garbage collection disturbs it.
local CHANGES = 10

local function largest()
  local pipe = assert(io.popen(("find '%s' -name '*.tf' -printf '%%s %%p\\n'"):format(CORPUS)))
  local sizes, files = {}, {}
  for line in pipe:lines() do
    local size, path = line:match "^(%d+) (.*)$"
    local dir = path:match "^(.*)/"
    sizes[dir] = (sizes[dir] or 0) + tonumber(size)
    files[dir] = files[dir] or {}
    table.insert(files[dir], path)
  end
  pipe:close()
  local best
  for dir in pairs(sizes) do
    if not best or sizes[dir] > sizes[best] then best = dir end
  end
  return best, best and files[best]
end

local function a_local(text)
  return text:match "locals%s*{%s*\n%s*([%a_][%w_]*)%s*="
end

local function change()
  local dir, files = largest()
  if not dir then return nil end
  local path, name
  for _, file in ipairs(files) do
    local text = support.read(file)
    if a_local(text) then path, name = file, a_local(text) end
  end
  local function open()
    local m, _, readable = hcl.module(dir, { scope = limits })
    return m or readable
  end
  local text = support.read(path)
  return ratio(function()
    collectgarbage()
    local start = os.clock()
    local m = open()
    local loading = os.clock() - start
    m:value("local." .. name)
    collectgarbage()
    start = os.clock()
    for turn = 1, CHANGES do
      m:change(path, text .. "\nlocals {\n  bench_" .. turn .. " = 1\n}\n")
      m:value("local." .. name)
    end
    return (os.clock() - start) / CHANGES / loading
  end), dir
end

local of_loading, where = change()
rounds.goal("m:change and one local, as a part of loading " .. (where or "?"):gsub("^.*/", ""), of_loading, 1 / 20)

-- Whole processes. The goals are fractions of the time of real Terraform, relative to a Lua that does nothing, by the times of
-- both on one machine: 2.2 s for a plan, 0.92 s for an answer, 2.2 ms for nothing. Terraform's own speed differs with its version.
local HCLEXPR = LUA .. " build/bench/installed/bin/hclexpr"

local function times_terraform(ours, theirs)
  return ratio(function() return process(theirs, 3) / process(ours) end)
end

local function processes(real)
  local planned, answer = ("%s plan -json %s"):format(HCLEXPR, real), ("echo module.label1.id | %s console %s"):format(HCLEXPR, real)
  local what, whose = "plan -json of null-label's example, a process", "one answer of its console, a process"
  rounds.goal(what .. ": times lua -e ''", times_nothing(planned), 10)
  rounds.goal(whose .. ": times lua -e ''", times_nothing(answer), 0.92 / 50 / 0.0022)
  if not support.has "terraform" then return end
  local copy = support.temporary_folder()
  assert(support.runs(("cp -R %s/../.. %s/module"):format(real, copy)))
  local enter = ("cd %s/module/examples/complete && terraform "):format(copy)
  assert(support.runs(enter .. "init >/dev/null 2>&1"))
  rounds.goal(what .. ": real Terraform's time over ours", times_terraform(planned, enter .. "plan"), 100, true)
  rounds.goal(whose .. ": real Terraform's time over ours",
    times_terraform(answer, ("echo module.label1.id | (%sconsole)"):format(enter)), 50, true)
  support.remove(copy)
end

local example = MODULES .. "/cases/real/null-label-complete/module/examples/complete"
if support.exists(example .. "/context.tf") then processes(example) end
if rounds.missed > 0 then os.exit(1) end
