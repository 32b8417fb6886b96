-- How close is the net of the specs? Changes one token of csrc at a time, builds the test module for Lua 5.4 and runs the specs until one
-- fails. What survives is printed with its place and change, and at the end 'N mutants, N killed, N survived'.
--
--   lua tools/mutants.lua [SEED [COUNT]]     (in the root of the repository)
--
-- JOBS: how many at a time, each in a copy of the tree in build/mutants, so that nothing is changed here. ONLY and EXCEPT: the beginnings
-- of paths, such as ONLY="csrc/fn/ csrc/vm/call.c". VERBOSE=1 prints killed ones, too, and by which spec.
--
-- The same seed, count and sources give the same mutants. Not counted is what doesn't compile or leaves the object file as it was; assertions,
-- what only test builds have, and hints to the processor are left alone.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local read, write, lines = support.read, support.write, support.lines

local HOME = "build/mutants"
local MAKE = "make --no-print-directory -s -j%d LUA=5.4 CONFIG=test DEPS=0 CFLAGS='-g0 -w' CXXFLAGS='-g0 -w' module"
local SPECS = { "spec/unit", "spec/conformance", "spec/modules" }
-- Left out is what asks the reference for its own time, and the dearest of all.
local LEFT_OUT = { "conformance/corpus", "conformance/specsuite", "modules/hostile" }
local BUSTED = "LUA_PATH='lua/?.lua;spec/?.lua;;' LUA_CPATH=\"$PWD/build/test/5.4/?.so;;\" HCLEXPR_LUA=5.4 " ..
  "HCLEXPR_PROGRAM=\"$(command -v lua5.4)\" timeout -k 5 %d lua5.4 \"$(command -v busted)\" --no-keep-going -o plainTerminal %s"

-- ---- tokens -------------------------------------------------------------------------------------------------------------

local TOKENS = {
  { "skip", "^//[^\n]*" }, { "skip", "^/%*.-%*/" }, { "skip", '^"[^"\\\n]*"' }, { "skip", "^'[^'\\\n]+'" },
  { "number", "^0[xX]%x+[uUlL]*" }, { "number", "^%d+%.?%d*[uUlL]*" }, { "word", "^[%a_][%w_]*" },
}
local OPERATORS = { "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "->", "++", "--", "+=", "-=", "|=", "&=", "*=", "/=" }
for _, operator in ipairs(OPERATORS) do OPERATORS[operator] = true end

-- A text or a character with escapes, which no pattern describes.
local function quoted(text, at)
  local quote, to = text:sub(at, at), at + 1
  while text:sub(to, to) ~= quote do to = to + (text:sub(to, to) == "\\" and 2 or 1) end
  return to
end

local function token_at(text, at)
  for _, form in ipairs(TOKENS) do
    local _, to = text:find(form[2], at)
    if to then return form[1], to end
  end
  if text:find("^[\"']", at) then return "skip", quoted(text, at) end
  return "operator", OPERATORS[text:sub(at, at + 1)] and at + 1 or at
end

-- Skips a line of the preprocessor with those that it goes on in; `depth` counts the conditions around what only test builds have.
local function directive(text, at, depth)
  local to = at - 1
  repeat to = text:find("\n", to + 1, true) until text:sub(to - 1, to - 1) ~= "\\"
  local line = text:sub(at, to)
  if line:find "^#%s*if" then
    depth = (depth > 0 or line:find("HX_TEST", 1, true) and not line:find("||", 1, true)) and depth + 1 or 0
  elseif line:find "^#%s*endif" and depth > 0 then
    depth = depth - 1
  elseif line:find "^#%s*else" and depth == 1 then
    depth = 0
  end
  return to, depth
end

-- The tokens of a C file: text, kind, first and last byte, and line.
local function tokens_of(text)
  local out, at, line, depth, counted = {}, 1, 1, 0, 1
  while true do
    at = text:find("%S", at)
    if not at then return out end
    local kind, to = token_at(text, at)
    if text:sub(at, at) == "#" then
      kind, to, depth = "skip", directive(text, at, depth)
    end
    if kind ~= "skip" and depth == 0 then
      line = line + select(2, text:sub(counted, at - 1):gsub("\n", ""))
      counted = at
      out[#out + 1] = { text = text:sub(at, to), kind = kind, from = at, to = to, line = line }
    end
    at = to + 1
  end
end

-- ---- what may be changed ------------------------------------------------------------------------------------------------

local SWAP = {
  ["&&"] = { "||" }, ["||"] = { "&&" }, ["=="] = { "!=" }, ["!="] = { "==" }, ["<"] = { "<=", ">=" }, [">"] = { ">=", "<=" },
  ["<="] = { "<", ">" }, [">="] = { ">", "<" }, ["+="] = { "-=" }, ["-="] = { "+=" }, ["|="] = { "&=" }, ["&="] = { "|=" },
  ["++"] = { "--" }, ["--"] = { "++" }, ["!"] = { "" }, ["true"] = { "false" }, ["false"] = { "true" }, ["break"] = { "" },
  ["continue"] = { "" },
}
-- Calls that are left alone with all their arguments.
local ALONE = { HX_ASSERT = true, HX_UNREACHABLE = true, assert = true, _Static_assert = true }
-- A statement that begins so isn't taken away.
local STAYS = {}
for word in ("return goto break continue for while if else do case default switch static const struct enum union"):gmatch "%a+" do
  STAYS[word] = true
end

-- The token that closes what token i opens.
local function closing(tokens, i)
  local depth = 0
  for k = i, #tokens do
    local t = tokens[k].text
    if t == "(" or t == "{" then depth = depth + 1 end
    if t == ")" or t == "}" then depth = depth - 1 end
    if depth == 0 then return k end
  end
  return #tokens
end

local function numbers_beside(t)
  local value, suffix = tonumber(t:match "^0[xX]%x+" or t:match "^%d+"), t:match "[uUlL]*$"
  if not value or value > 99999 or t:find(".", 1, true) then return {} end
  local out = { ("%d"):format(value + 1) .. suffix }
  if value > 0 then out[2] = ("%d"):format(value - 1) .. suffix end
  return out
end

-- Is token i, a sign, between two operands?
local function is_binary(tokens, i)
  local before = tokens[i - 1]
  return before.kind == "number" or before.kind == "word" and before.text ~= "return" or before.text == ")" or before.text == "]"
end

-- The end of the statement that begins at token i, if it is one that may go: a call or an assignment.
local function statement(tokens, i)
  local before, first = tokens[i - 1], tokens[i]
  if STAYS[first.text] or before.line == first.line or not before.text:find "^[;{})]$" then return nil end
  local second = tokens[i + 1].text
  if tokens[i + 1].kind == "word" or second == ":" or second == "*" then return nil end -- a declaration, a label
  for k = i, #tokens do
    local t = tokens[k].text
    if t == ";" then return k end
    if t == "{" or t == "}" then return nil end
  end
end

local changers = {
  number = function(add, tokens, i)
    for _, n in ipairs(numbers_beside(tokens[i].text)) do add(i, i, n) end
  end,
  word = function(add, tokens, i)
    local t = tokens[i].text
    if (t == "if" or t == "while") and tokens[i + 1].text == "(" then
      add(i + 1, closing(tokens, i + 1), "0")
      if t == "if" then add(i + 1, closing(tokens, i + 1), "1") end
    end
    local last = statement(tokens, i)
    if last then add(i, last, ";") end
  end,
  operator = function(add, tokens, i)
    local t = tokens[i].text
    if (t == "+" or t == "-") and is_binary(tokens, i) then add(i, i, t == "+" and "-" or "+") end
  end,
}

-- All changes of a file. Within data, such as tables of characters, only words and plain numbers change.
local function sites_of(path)
  local text, sites = read(path), {}
  local tokens = tokens_of(text)
  local function add(i, k, put)
    local from, to = tokens[i].from, tokens[k].to
    local was = text:sub(from, to)
    if put == "0" or put == "1" then -- the condition is still evaluated
      if tokens[i].text == "(" then put = "((void)" .. was .. ", " .. put .. ")" end
    end
    sites[#sites + 1] = { path = path, line = tokens[i].line, from = from, to = to, was = was, put = put }
  end
  local i, depth = 2, 0
  while i < #tokens do
    local t = tokens[i]
    if t.text == "{" then depth = depth + 1 elseif t.text == "}" then depth = depth - 1 end
    if ALONE[t.text] and tokens[i + 1].text == "(" then
      i = closing(tokens, i + 1)
    elseif depth > 0 then
      for _, put in ipairs(SWAP[t.text] or {}) do add(i, i, put) end
      local data = tokens[i - 1].text:find "^[{%[,=]$" and t.text:find "^0[xX]"
      if not data then changers[t.kind](add, tokens, i) end
    end
    i = i + 1
  end
  return sites
end

local function begins(path, list)
  for beginning in (list or ""):gmatch "%S+" do
    if path:sub(1, #beginning) == beginning then return true end
  end
  return false
end

-- What only the console or only tests have.
local UNTRIED = { terminal = true, testing = true }

local function all_sites()
  local out, only, except = {}, os.getenv "ONLY", os.getenv "EXCEPT"
  for _, path in ipairs(lines "ls csrc/*/*.c csrc/*/*/*.c") do
    if (not only or only == "" or begins(path, only)) and not begins(path, except) and not UNTRIED[path:match "^csrc/(%w+)/"] then
      for _, site in ipairs(sites_of(path)) do out[#out + 1] = site end
    end
  end
  return out
end

-- The sites in the order of a lot.
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

-- Runs a part of the specs in the copy that is the working directory; gives success and seconds of processor time.
local function run(part, seconds)
  local command = BUSTED:format(60 + 10 * seconds, part)
  local out, took = lines(("(ulimit -v 8000000; ulimit -t %d; %s >mutant.log 2>&1); echo $?; times"):format(seconds, command)), 0
  for minutes, s in out[3]:gmatch "(%d+)m([%d.]+)s" do took = took + 60 * minutes + s end
  return out[1] == "0", took
end

-- The files of specs; of the recorded cases each file of its own, since few of them are about what is changed.
local function all_parts()
  local out = {}
  local function add(part)
    for _, name in ipairs(LEFT_OUT) do
      if part:find(name, 1, true) then return end
    end
    out[#out + 1] = part
  end
  for _, folder in ipairs(SPECS) do
    for _, spec in ipairs(lines("ls " .. folder .. "/*_spec.lua")) do
      if not spec:find "conformance_spec" then add(spec) end
    end
  end
  local recorded = "spec/conformance/conformance_spec.lua"
  for _, line in ipairs(lines(BUSTED:format(60, "--list " .. recorded))) do
    local name = line:match "conformance, %l+ [%l_]+$"
    if name then add(("--filter='%s$' %s"):format(name, recorded)) end
  end
  return out
end

-- ---- one copy's work ----------------------------------------------------------------------------------------------------

-- The part that fails, or nil. Those come first that have killed most in the changed file, in its folder and at all for what they take.
local function killer(parts, path)
  local keys = { path, path:match "^csrc/%w+", "csrc" }
  for _, part in ipairs(parts) do
    part.worth = 1
    for i, key in ipairs(keys) do part.worth = part.worth + (part.kills[key] or 0) * 4 ^ (4 - i) end
    part.worth = part.worth / (part.took + 0.1)
  end
  table.sort(parts, function(a, b) return a.worth > b.worth end)
  for _, part in ipairs(parts) do
    if not run(part.part, part.seconds) then
      for _, key in ipairs(keys) do part.kills[key] = (part.kills[key] or 0) + 1 end
      return part.part
    end
  end
end

-- Builds the mutant; gives nil for one that doesn't count, else false or the spec that kills it.
local function try(site, parts)
  local text, object = read(site.path), "build/test/5.4/" .. site.path:sub(6) .. ".o"
  write(site.path, text:sub(1, site.from - 1) .. site.put .. text:sub(site.to + 1))
  os.execute("cp " .. object .. " kept.o")
  local differs = support.runs("ulimit -v 8000000; timeout 300 " .. MAKE:format(1) .. " >mutant.log 2>&1") and
    not support.runs("cmp -s " .. object .. " kept.o")
  local dead
  if differs then dead = killer(parts, site.path) or false end
  write(site.path, text)
  os.execute("cp kept.o " .. object .. "; touch " .. object)
  return dead
end

local function shown(text)
  text = text:gsub("%s+", " ")
  if text == "" or text == ";" then return "gone" end
  return (#text > 70 and text:sub(1, 67) .. "..." or text:gsub("^%(%(void%).*, ([01])%)$", "%1"))
end

local function work(seed, count, index, jobs)
  local parts, sites = dofile "parts.lua", shuffled(all_sites(), seed)
  local results, tried = assert(io.open("results", "w")), 0
  for i = index, #sites, jobs do
    if tried >= count then break end
    local site = sites[i]
    local dead = try(site, parts)
    if dead ~= nil then
      tried = tried + 1
      results:write(dead and "killed\n" or "survived\n"):flush()
      local put = site.put:match "^%(%(void%).*, ([01])%)$" or shown(site.put)
      local text = ("%s:%d  %s -> %s"):format(site.path, site.line, shown(site.was), put)
      if not dead then print("SURVIVED  " .. text)
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
  -- What else specs look for beside the tree, or in its build.
  os.execute("mkdir -p " .. copy .. "/build; for d in oracle specsuite; do [ ! -d build/$d ] || cp -R build/$d " .. copy .. "/build; done")
  os.execute("[ ! -d ../shared ] || ln -sfn ../../../shared " .. HOME .. "/shared")
  return copy
end

-- Builds the copy and times the parts of its specs, which have to pass. For a mutant a part may take ten times as long.
local function prepare(copy, jobs)
  assert(support.runs("cd " .. copy .. " && " .. MAKE:format(jobs)), "the copy does not build")
  assert(support.runs("cd " .. copy .. " && lua5.4 tools/mutants.lua --time"), "the copy fails: see " .. copy .. "/mutant.log")
end

-- The same in the copy.
local function time_parts()
  local out = { "return {" }
  for _, part in ipairs(all_parts()) do
    local ok, took = run(part, 600)
    assert(ok, part)
    out[#out + 1] = ("  { part = %q, took = %f, seconds = %d, kills = {} },"):format(part, took, 5 + math.ceil(took * 10))
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

if arg[1] == "--time" then
  time_parts()
elseif arg[1] == "--work" then
  work(tonumber(arg[2]), tonumber(arg[3]), tonumber(arg[4]), tonumber(arg[5]))
else
  main(tonumber(arg[1]) or 1, tonumber(arg[2]) or 60, tonumber(os.getenv "JOBS") or 2)
end
