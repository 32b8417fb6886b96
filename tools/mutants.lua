-- How much do the specs notice? Changes one token of csrc or of lua at a time and runs the specs until one fails. Prints the surviving
-- changes with their places, and at the end 'N mutants, N killed, N survived'.
--
--   lua tools/mutants.lua [SEED [COUNT]]     (in the root of the repository)
--
-- JOBS: number of copies of the tree in build/mutants that work in parallel, so that nothing is changed here. ONLY and EXCEPT: prefixes
-- of paths, such as ONLY="lua/" or ONLY="csrc/fn/ csrc/vm/call.c". VERBOSE=1 also prints killed mutants, and the spec. LONGEST: seconds of
-- processor time, after which a mutant counts as survived.
--
-- The same seed, count and sources give the same mutants. A mutant that doesn't compile, or compiles to the same code, isn't counted.
-- Assertions of C, code of test builds, and hints to the processor are left alone. The specs run under Lua 5.4, except those of hosts.
--
-- A first run of all specs records what they enter (tools/mutants/reach.lua, reach.h). For a change in C, the spec files run that enter the
-- changed function; for a change in Lua, only the tests that enter the changed block. Records of a spec are kept in build/mutants/1/reach
-- until it or a case changes; for a source that has changed since, all tests count that enter any block of it.
local here = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$"
local support, affected = dofile(here .. "../spec/support.lua"), dofile(here .. "affected.lua")
local shared = dofile(here .. "mutants/shared.lua")
local read, write, lines = support.read, support.write, support.lines

local HOME = "build/mutants"
local BUSTED = "LUA_PATH='lua/?.lua;spec/?.lua;;' LUA_CPATH=\"$PWD/build/test/5.4/?.so;;\" HCLEXPR_LUA=5.4 " ..
  "HCLEXPR_PROGRAM=\"$(command -v lua5.4)\" timeout -k 5 %d lua5.4 \"$(command -v busted)\" -o plainTerminal %s"
local LANGUAGES = { dofile(here .. "mutants/c.lua"), dofile(here .. "mutants/lua.lua") }

local function begins(path, list)
  for _, beginning in ipairs(list) do
    if path:sub(1, #beginning) == beginning then return true end
  end
  return false
end

local function words(text) return support.lines("printf '%s\\n' " .. (text or "")) end

-- ---- what may be changed ------------------------------------------------------------------------------------------------

-- Fills the paths of each language; `chosen` says that it has any.
local function choose()
  local only, except = words(os.getenv "ONLY"), words(os.getenv "EXCEPT")
  for _, language in ipairs(LANGUAGES) do
    language.paths = {}
    for _, path in ipairs(lines(language.sources)) do
      if (#only == 0 or begins(path, only)) and not begins(path, except) and not begins(path, language.untried) then
        table.insert(language.paths, path)
      end
    end
    language.chosen = #language.paths > 0
    for _, spec in ipairs(affected.specs(language.paths)) do
      if spec:find "^spec/hosts" then language.hosts = true end
    end
  end
end

local function all_sites()
  local out = {}
  for _, language in ipairs(LANGUAGES) do
    for _, path in ipairs(language.paths) do
      for _, site in ipairs(language.changes(read(path))) do
        site.path, site.language = path, language
        out[#out + 1] = site
      end
    end
  end
  return out
end

-- The sites in random order.
local function shuffled(sites, seed)
  local random = support.random(seed)
  for _ = 1, 3 do random(2) end
  for i = 1, #sites do
    local k = i + (random(2147483646) % (#sites - i + 1))
    sites[i], sites[k] = sites[k], sites[i]
  end
  return sites
end

-- ---- specs --------------------------------------------------------------------------------------------------------------

-- Runs a part of the specs in the copy that is the working directory; returns success and seconds of processor time. `options`: of busted.
local function run(part, seconds, options, variables)
  local what = (options or "--no-keep-going") .. " " .. part.part
  local command = part.share .. (variables or "") .. " " .. BUSTED:format(60 + 10 * seconds, what)
  local out, took = lines(("(ulimit -v 8000000; ulimit -t %d; %s >mutant.log 2>&1); echo $?; times"):format(seconds, command)), 0
  for minutes, s in out[3]:gmatch "(%d+)m([%d.]+)s" do took = took + 60 * minutes + s end
  return out[1] == "0", took
end

-- A part that takes five times as long has noticed the change.
local function most(took) return 4 + math.ceil(5 * took) end

-- Does a language use a spec? Its specs are in some folders; others are left out, and those of hosts that no source needs.
local function takes(language, spec)
  if not language.chosen or not begins(spec, language.specs) then return false end
  if begins(spec, { "spec/hosts/" }) and not language.hosts then return false end
  for _, name in ipairs(language.left_out) do
    if spec:find(name, 1, true) then return false end
  end
  return true
end

-- Recorded cases that a spec runs together are divided into so many shares.
local SHARES = { ["spec/modules/modules_spec.lua"] = 8, ["spec/editor/recorded_spec.lua"] = 4 }

-- The files of specs; of the recorded cases each file or each share separately, since few of them concern a change.
local function all_parts()
  local out, recorded = {}, "spec/conformance/conformance_spec.lua"
  for _, spec in ipairs(lines "ls spec/*/*_spec.lua spec/hosts/*/*_spec.lua") do
    local part = { part = spec, spec = spec, share = "", hosts = begins(spec, { "spec/hosts/" }) }
    for i, language in ipairs(LANGUAGES) do part[i] = takes(language, spec) end
    if spec == recorded then
      for _, line in ipairs(lines(BUSTED:format(60, "--list " .. recorded))) do
        local name = line:match "conformance, %l+ [%l_]+$"
        if name then out[#out + 1] = { part = ("--filter='%s$' %s"):format(name, recorded), spec = spec, share = "", part[1], part[2] } end
      end
    elseif SHARES[spec] and (part[1] or part[2]) then
      for i = 1, SHARES[spec] do
        out[#out + 1] = { part = spec, spec = spec, share = ("SHARE=%d/%d "):format(i, SHARES[spec]), part[1], part[2] }
      end
    elseif part[1] or part[2] then
      out[#out + 1] = part
    end
  end
  return out
end

-- ---- choosing specs ---------------------------------------------------------------------------------------------------------

local C, LUA = LANGUAGES[1], LANGUAGES[2]

-- A checksum and the name of each source, one per line.
local SOURCES = ("{ %s; %s; }"):format(C.sources, LUA.sources)
local SUMS = SOURCES .. " | xargs cksum"
-- Used in place of a block: any block of a file that changed after its entries were recorded.
local ANY = shared.BLOCKS - 1

-- Files, by the number of their first block, that have changed since a part's entries were recorded.
local function changed_since(part, reach)
  local out = {}
  for line in io.lines(part.log .. ".sources") do
    if not reach.sums[line] then out[reach.base[line:match "%S+$"]] = true end
  end
  return out
end

-- Reads what a part's tests enter: `reach.of[block][part]` is a list of tests, or true if it is entered outside of them, too.
local function read_reach(reach, part)
  local changed, test, all = changed_since(part, reach), nil, 0
  local function enter(block)
    local parts = reach.of[block] or {}
    local tests = parts[part] or {}
    reach.of[block], parts[part] = parts, tests
    if tests == true then return end
    -- C records a function once, for whichever test is first.
    if test and block < shared.FIRST_OF_C then tests[#tests + 1] = tests[#tests] ~= test and test or nil else parts[part] = true end
  end
  part.tests = {}
  for line in io.lines(part.log) do
    local block, word, rest = tonumber(line), line:match "^(%l+) (.*)$"
    if block then
      local base = block - block % shared.BLOCKS
      enter(changed[base] and base + ANY or block)
    elseif word == "test" then
      test = rest
    elseif word == "end" then
      part.tests[test] = (part.tests[test] or 0) + rest
      all, test = all + rest, nil
    end
  end
  for name, seconds in pairs(part.tests) do part.tests[name] = part.took * seconds / math.max(all, 0.001) end
end

-- Knows the blocks of the copy's sources, and which tests enter them.
local function load_reach(parts)
  local reach = { base = {}, of = {}, sums = {} }
  for _, language in ipairs(LANGUAGES) do
    language.each_source(function(path, base) reach.base[path] = base end)
  end
  for _, line in ipairs(lines(SUMS)) do reach.sums[line] = true end
  for _, part in ipairs(parts) do
    if part.log then read_reach(reach, part) end
  end
  return reach
end

-- The tests of a part that enter a site's block: a list, true for all, nil for none.
local function tests_of(site, part, reach)
  local base = reach.base[site.path]
  local function of(block) return reach.of[block] and reach.of[block][part] end
  return of(base + ANY) or of(base + site.block)
end

-- The trials of a change: parts, each with the tests to run if not all, and its time.
local function trials_of(site, parts, reach)
  local out, matter = {}, {}
  for _, spec in ipairs(affected.specs { site.path }) do matter[spec] = true end
  local index = site.language == LUA and 2 or 1
  for _, part in ipairs(parts) do
    local near = matter[part.spec] or matter[part.spec:match "^spec/%l+"] or matter[part.spec:match "^spec/hosts/%l+"]
    local trial = { part = part, took = part.took, near = near }
    -- Code outside of C functions is tables, which belong to all; a few specs have no records, because they can't run with the marks.
    local all
    if part.hosts then all = near else all = not part.log or index == 1 and site.block == 0 end
    -- Code that a file runs while it loads may matter to all later tests.
    local tests = not all and tests_of(site, part, reach)
    if type(tests) == "table" and site.block > 0 and part.part == part.spec then
      trial.tests, trial.took = table.concat(tests, "\n") .. "\n", 0.3
      for _, name in ipairs(tests) do trial.took = trial.took + (part.tests[name] or 0) end
    end
    if part[index] and (all or tests) then out[#out + 1] = trial end
  end
  return out
end

-- ---- the work of one copy -----------------------------------------------------------------------------------------------

local function attempt(trial, tests, took)
  if tests then write("chosen", tests) end
  local variables = tests and "HCLEXPR_TESTS=chosen HCLEXPR_FAILED=failed"
  return run(trial.part, most(took), tests and "--no-keep-going --helper=tools/mutants/helper.lua", variables)
end

-- A test may fail by itself because it needs earlier ones, without any change: then all of its file decide.
local function fails_alone(trial, site, before, after)
  local failed = support.exists "failed" and read "failed"
  local known = trial.part.alone
  if failed and known[failed] ~= nil then return known[failed] end
  write(site.path, before)
  local passes = attempt(trial, failed or trial.tests, trial.took)
  write(site.path, after)
  if failed then known[failed] = passes end
  return passes
end

local function fails(trial, site, before, after)
  os.remove "failed"
  local passes, took = attempt(trial, trial.tests, trial.took)
  -- A failure that doesn't repeat is the machine's fault.
  if passes or attempt(trial, trial.tests, trial.took) then return false, took end
  return not trial.tests or fails_alone(trial, site, before, after) or not attempt(trial, nil, trial.part.took), took
end

-- The part that fails, or nil. Parts that killed most in the changed file, in its folder and overall, for their time, run first.
local function killer(site, trials, before, after)
  local keys = { site.path, site.path:match "^.*/", site.language.beginning }
  for _, trial in ipairs(trials) do
    local kills = trial.part.kills
    trial.worth = trial.near and 4 or 1
    for i, key in ipairs(keys) do trial.worth = trial.worth + (kills[key] or 0) * 4 ^ (4 - i) end
    trial.worth = trial.worth / (trial.took + 0.1)
  end
  table.sort(trials, function(a, b) return a.worth > b.worth end)
  local seconds, most_seconds = 0, tonumber(os.getenv "LONGEST") or math.huge
  for i, trial in ipairs(trials) do
    if seconds > most_seconds then
      site.left = #trials - i + 1
      return nil
    end
    local dead, took = fails(trial, site, before, after)
    seconds = seconds + took
    if dead then
      local kills = trial.part.kills
      for _, key in ipairs(keys) do kills[key] = (kills[key] or 0) + 1 end
      return trial.part.part
    end
  end
end

-- Returns nil for a mutant that doesn't count, otherwise false or the spec that kills it.
local function try(site, parts, reach)
  local before = read(site.path)
  local after = before:sub(1, site.from - 1) .. site.put .. before:sub(site.to + 1)
  write(site.path, after)
  local dead
  if site.language.differs(site.path, before) then
    site.trials = trials_of(site, parts, reach)
    dead = killer(site, site.trials, before, after) or false
  end
  write(site.path, before)
  site.language.restore(site.path)
  return dead
end

local function shown(text)
  text = text:gsub("%s+", " ")
  if text == "" or text == ";" then return "gone" end
  return #text > 70 and text:sub(1, 67) .. "..." or text
end

local function work(seed, count, index, jobs)
  local parts, sites = dofile "parts.lua", shuffled(all_sites(), seed)
  local reach = load_reach(parts)
  local results, tried = assert(io.open("results", "w")), 0
  for i = index, #sites, jobs do
    if tried >= count then break end
    local site = sites[i]
    local dead = try(site, parts, reach)
    if dead ~= nil then
      tried = tried + 1
      results:write(dead and "killed\n" or "survived\n"):flush()
      local text = ("%s:%d  %s -> %s"):format(site.path, site.line, shown(site.was), shown(site.shown))
      local left = #site.trials == 0 and "  (no spec gets there)" or site.left and ("  (%d specs were not tried)"):format(site.left) or ""
      if not dead then print("SURVIVED  " .. text .. left)
      elseif (os.getenv "VERBOSE" or "") ~= "" then print("killed    " .. text .. "  " .. dead) end
      io.stdout:flush()
    end
  end
  results:close()
end

-- ---- all copies ---------------------------------------------------------------------------------------------------------

local function copy_tree()
  local copy = HOME .. "/1"
  os.execute("mkdir -p " .. copy)
  for _, name in ipairs(lines "git ls-files --cached --others --exclude-standard | cut -d/ -f1 | sort -u") do
    support.remove(copy .. "/" .. name)
    os.execute("cp -Rp " .. name .. " " .. copy .. "/" .. name)
  end
  support.remove(copy .. "/build/test") -- a stopped run may have left a change there
  -- Other files that specs read beside the tree, or in its build; and existing build results.
  for _, name in ipairs { "neovim", "oracle", "specsuite", "test/5.4", "test/jit" } do
    local from, to = "build/" .. name, copy .. "/build/" .. name
    os.execute(("[ ! -d %s ] || { mkdir -p %s; cp -Rpu %s/. %s; }"):format(from, to, from, to))
  end
  os.execute("[ ! -d ../shared ] || ln -sfn ../../../shared " .. HOME .. "/shared")
  return copy
end

-- Builds the copy and runs its specs, which must pass.
local function prepare(copy, jobs)
  local inside, flags = "cd " .. copy .. " && ", LANGUAGES[1].chosen and shared.PLAIN
  assert(not LUA.hosts or support.runs(inside .. shared.make(jobs, "jit", flags)), "the copy does not build for LuaJIT")
  assert(support.runs(inside .. shared.make(jobs, "5.4", flags)), "the copy does not build")
  assert(support.runs(inside .. "lua5.4 tools/mutants.lua --time"), "the copy fails: see " .. copy .. "/mutant.log")
end

-- Runs `f` while the changeable sources are marked.
local function with_marks(f)
  local texts, jobs = {}, tonumber(os.getenv "JOBS") or 2
  for _, language in ipairs(LANGUAGES) do
    language.each_source(function(path, base)
      if not language.chosen then return end
      texts[path] = read(path)
      write(path, language.marked(texts[path], base))
    end)
  end
  local ok, err = pcall(function()
    assert(not C.chosen or C.build(jobs), "what is marked does not build")
    f()
  end)
  for path, text in pairs(texts) do write(path, text) end
  assert(not C.chosen or C.build(jobs))
  assert(ok, err)
end

-- A checksum of a command's output.
local function sum_of(command) return (support.output("(" .. command .. ") | cksum"):gsub("%s+", " ")) end

-- What a part depends on besides the sources: its file, the cases of its folder, and files that all specs share.
local function sum_parts(parts)
  local cases = {}
  for _, part in ipairs(parts) do
    local folder = part.spec:match "^spec/%l+"
    cases[folder] = cases[folder] or
      sum_of(("%s; find spec/*.lua %s -type f ! -name '*_spec.lua' -print0 | sort -z | xargs -0 cat"):format(SOURCES, folder))
    part.log = "reach/" .. (part.share .. part.part):gsub("[^%w]+", "-")
    part.sum = cases[folder] .. sum_of("cat " .. part.spec) .. tostring(part[1]) .. tostring(part[2])
  end
end

-- The time of a part when it was the same, or nil.
local function known(part)
  local text = support.exists(part.log .. ".took") and read(part.log .. ".took") or ""
  return text:sub(1, #part.sum) == part.sum and tonumber(text:sub(#part.sum + 1)) or nil
end

local function keep(part, took, sums)
  write(part.log .. ".sources", sums)
  write(part.log .. ".took", part.sum .. " " .. took)
end

-- Measures the times of parts, and records what they enter.
local function measure_marked(parts, sums)
  for _, part in ipairs(parts) do
    if not part.hosts and not known(part) then
      write(part.log, "")
      local variables = ("HCLEXPR_REACH=\"$PWD/%s\" LUA_INIT=\"@$PWD/tools/mutants/reach.lua\""):format(part.log)
      local ok, took = run(part, 900, "--helper=tools/mutants/helper.lua", variables)
      if ok then keep(part, took, sums) else os.remove(part.log) end
    end
  end
end

-- Measures all parts in the copy, and lists them in parts.lua.
local function time_parts()
  local parts, out, all_known = all_parts(), { "return {" }, true
  os.execute "mkdir -p reach"
  local sums = support.output(SUMS)
  sum_parts(parts)
  for _, part in ipairs(parts) do all_known = all_known and known(part) end
  -- nginx and Neovim ignore LUA_INIT.
  if not all_known then with_marks(function() measure_marked(parts, sums) end) end
  for _, part in ipairs(parts) do
    if not known(part) then -- a few specs can't run with the marks
      local ok, took = run(part, 900)
      if not ok then ok, took = run(part, 900) end -- a busy machine
      -- It would report every change as noticed.
      if ok then keep(part, took, sums) else print("LEFT OUT  " .. part.part .. ": it fails without a change") end
    end
    local row = "  { %s, %s, part = %q, spec = %q, share = %q, hosts = %s, log = %s, took = %f, kills = {}, alone = {} },"
    if known(part) then
      out[#out + 1] = row:format(part[1], part[2], part.part, part.spec, part.share, part.hosts or false,
        support.exists(part.log) and ("%q"):format(part.log) or "nil", known(part))
    end
  end
  out[#out + 1] = "}\n"
  write("parts.lua", table.concat(out, "\n"))
end

local function count_results(jobs)
  local n = { killed = 0, survived = 0 }
  for k = 1, jobs do
    for line in io.lines(("%s/%d/results"):format(HOME, k)) do n[line] = n[line] + 1 end
  end
  print(("%d mutants, %d killed, %d survived"):format(n.killed + n.survived, n.killed, n.survived))
end

local function main(seed, count, jobs)
  local copy = copy_tree()
  prepare(copy, jobs)
  local commands = {}
  for k = 1, jobs do
    local to = HOME .. "/" .. k
    if k > 1 then support.remove(to); os.execute("cp -Rp " .. copy .. " " .. to) end
    local share = math.floor((count + jobs - k) / jobs)
    commands[k] = ("(cd %s && lua5.4 tools/mutants.lua --work %d %d %d %d) &"):format(to, seed, share, k, jobs)
  end
  os.execute(table.concat(commands, "\n") .. "\nwait")
  count_results(jobs)
end

choose()
if arg[1] == "--time" then
  time_parts()
elseif arg[1] == "--work" then
  work(tonumber(arg[2]), tonumber(arg[3]), tonumber(arg[4]), tonumber(arg[5]))
else
  main(tonumber(arg[1]) or 1, tonumber(arg[2]) or 60, tonumber(os.getenv "JOBS") or 2)
end
