-- Instructions of processes and evaluations, counted by valgrind: a busy machine changes nothing. `make instructions` builds and runs it.
--   LUA instructions.lua [KEPT.txt]
-- Each figure is compared with the kept one. An increase of 5 % is an error. WRITE=1 keeps lower figures; WHY="…" also keeps higher
-- ones, with that reason.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local here = support.here()
local CORPUS = os.getenv "CORPUS_DIR" or here .. "../../shared/corpus"
local KEPT = arg[1] or here .. "instructions.txt"
local MORE = 1.05

if not support.has "valgrind" then
  print "valgrind is not installed: no instructions are counted"
  return
end

-- ---- counting -----------------------------------------------------------------------------------------------------------

local function count(command, before)
  local valgrind = "%s valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-fd=9 %s 9>&1 >/dev/null 2>&1"
  local text = support.output(valgrind:format(before or "", command))
  local n = text:match "I%s+refs:%s+([%d,]+)"
  return n and tonumber((n:gsub(",", ""))) or error(command .. ": " .. text)
end

-- The installed command, in millions.
local function process(words)
  return function() return count(("lua5.4 %s../build/bench/installed/bin/hclexpr %s"):format(here, words)) / 1e6 end
end

-- One iteration of a loop in a Lua: the difference of two lengths.
local SHORT, LONG = 1000, 6000

local function loop(lua, build, mode, source)
  local function of(turns)
    return count(("%s %sinstructions_loop.lua %s '%s' %d"):format(lua, here, mode, source, turns),
      ("LUA_PATH='%s../lua/?.lua;;' LUA_CPATH='%s../build/%s/?.so;;'"):format(here, here, build))
  end
  return (of(LONG) - of(SHORT)) / (LONG - SHORT)
end

-- Expressions whose value is a scalar, one of each kind. The figure is their mean.
local scalars = {
  "var.a * 3 + var.b / 2 - 1", "var.a > 3 && var.b < 10 || !var.flag", 'var.env == "prod" ? 3 : 1', "var.cfg.network.subnets[1].cidr",
  'lookup(var.tags, "env", "none")',
}

local function scalar(mode)
  return function()
    local sum = 0
    for _, source in ipairs(scalars) do sum = sum + loop("lua5.4", "5.4", mode, source) end
    return sum / #scalars
  end
end

local function rule()
  return loop("luajit -joff", "jit", "tables", 'var.env == "prod" && var.a > 3 && var.b < 10 && var.name != "root"')
end

-- ---- cases --------------------------------------------------------------------------------------------------------------

local folders = {}
local function folder(files)
  folders[#folders + 1] = support.folder(files)
  return folders[#folders]
end

local function resources(n)
  local list = {}
  for i = 1, n do list[i] = ('resource "terraform_data" "r%d" {\n  input = var.n + %d\n}\n'):format(i, i) end
  return 'variable "n" {}\n' .. table.concat(list)
end
local function calls(n)
  local list = {}
  for i = 1, n do list[i] = ('module "m%d" {\n  source = "./m"\n  n      = %d\n}\n'):format(i, i) end
  return table.concat(list)
end

local example = CORPUS .. "/cloudposse+terraform-null-label/examples/complete"
local of_example = support.exists(example .. "/context.tf")
local counted = folder { ["main.tf"] = 'resource "terraform_data" "a" {\n  count = 1000\n  input = count.index\n}\n' }
local question = folder { ["question"] = "module.label1.id\n" } .. "/question"
local called = folder { ["main.tf"] = calls(50), ["m/main.tf"] = resources(20) }

-- name, goal, what counts; nil: it can't be counted here.
local cases = {
  { "plan, null-label's example (M)", 130, of_example and process("plan " .. example) },
  { "plan -json, the same (M)", 190, of_example and process("plan -json " .. example) },
  { "validate, the same (M)", 70, of_example and process("validate " .. example) },
  { "an answer of the console, the same (M)", 40, of_example and process("console " .. example .. " <" .. question) },
  { "plan, count = 1000 (M)", 290, process("plan " .. counted) },
  { "plan, 50 calls of 20 resources (M)", 350, process("plan " .. called) },
  { "eval 1+1 (M)", 3.7, process "eval 1+1" },
  { "a scalar expression, bound", 1600, scalar "bound" },
  { "a scalar expression, tables", 2600, scalar "tables" },
  { "a scalar expression, tables of a scope", 2600, scalar "scope" },
  { "a rule of four comparisons, LuaJIT -joff", 3000, support.has "luajit" and rule },
}

-- ---- the kept figures ---------------------------------------------------------------------------------------------------

-- What the figures depend on besides the sources.
local function machine()
  local text = support.output "cc -dumpmachine; cc -dumpfullversion; lua5.4 -v; ldd --version 2>&1 | head -n 1"
  return (text:gsub("%s*\n%s*$", ""):gsub("%s*\n%s*", ", "))
end

local TITLE = "# Instructions: M: millions of a process, else of one evaluation (bench/instructions.lua). Then why some took more."

-- figures: by name. reasons: lines. on: the machine.
local function read_kept()
  local kept = { figures = {}, reasons = {} }
  if not support.exists(KEPT) then return kept end
  for line in io.lines(KEPT) do
    local name, figure = line:match "^([^#].-)%s+|%s+([%d.]+)$"
    if name then kept.figures[name] = tonumber(figure) end
    kept.on = kept.on or line:match "^# On (.*)$"
    if line:find "^# .+: .+, not .+: " then table.insert(kept.reasons, line) end
  end
  return kept
end

local function write_kept(kept)
  local lines = { TITLE, "# On " .. machine() }
  for _, reason in ipairs(kept.reasons) do lines[#lines + 1] = reason end
  for _, case in ipairs(cases) do
    if kept.figures[case[1]] then lines[#lines + 1] = ("%-42s | %.5g"):format(case[1], kept.figures[case[1]]) end
  end
  support.write(KEPT, table.concat(lines, "\n") .. "\n")
end

local function setting(name)
  local text = os.getenv(name)
  return text and text ~= "" and text or nil
end

local kept, why = read_kept(), setting "WHY"
local comparable, missed = kept.on == machine(), 0

local function compare(name, now, before)
  local more = comparable and before and now > before * MORE
  if more and why then table.insert(kept.reasons, ("# %s: %.5g, not %.5g: %s"):format(name, now, before, why)) end
  if more and not why then missed = missed + 1 end
  if not before or not comparable or now < before or more and why then kept.figures[name] = now end
  return more
end

for _, case in ipairs(cases) do
  local name, goal, counts = case[1], case[2], case[3]
  local before, now = kept.figures[name], counts and counts()
  local more = now and compare(name, now, before)
  print(("  %-42s %8s  (goal %5g, kept %8s)%s"):format(name, now and ("%.5g"):format(now) or "missing", goal,
    before and ("%.5g"):format(before) or "none", more and " MORE" or ""))
end
for _, path in ipairs(folders) do support.remove(path) end

if why or setting "WRITE" then
  write_kept(kept)
elseif not comparable then
  print("  The figures were kept on another machine, so none fails here. WRITE=1 keeps this one's.")
end
if missed > 0 then
  print(('  %d take over 5 %% more than kept. Make them less, or say why: make instructions WHY="…".'):format(missed))
  os.exit(1)
end
