-- Functions that specs and related programs share: places, files, other programs, diagnostics, coroutines, random numbers. It needs
-- neither the module nor a library, so that a tool can run before anything is built. A file in a folder of spec/ loads it by
--
--   local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
--
-- which works for any working directory and any paths of modules.
local M = {}

-- Lua 5.1 has it as a global.
M.unpack = table.unpack or unpack

-- A library that busted needs adds functions to older Luas. They are removed, so that specs notice if our code uses them.
if _VERSION == "Lua 5.1" then
  table.pack, table.unpack = nil, nil -- luacheck: ignore 122
  if not rawget(_G, "jit") then package.searchpath = nil end -- luacheck: ignore 122
end
if _VERSION < "Lua 5.4" then rawset(_G, "warn", nil) end

-- ---- places -------------------------------------------------------------------------------------------------------------

--- The folder of the calling file, with a slash at its end; "" is the working directory.
function M.here()
  return debug.getinfo(2, "S").source:match "^@(.-)[^/]*$"
end

-- Without parts that go down and up again: messages name a path as a person would write it.
local function simplified(path)
  local n
  repeat path, n = path:gsub("[^/.]+/%.%./", "", 1) until n == 0
  return path
end

--- The root of the repository, like here().
M.root = simplified(M.here() .. "../")

--- The Lua that runs this, to start other processes.
M.program = os.getenv "HCLEXPR_PROGRAM" or arg and arg[-1] or "lua"

-- ---- files --------------------------------------------------------------------------------------------------------------

--- All bytes of a file.
function M.read(path)
  local f = assert(io.open(path, "rb"))
  local text = f:read "*a"
  f:close()
  return text
end

function M.write(path, text)
  local f = assert(io.open(path, "wb"))
  assert(f:write(text))
  f:close()
end

function M.exists(path)
  local f = io.open(path)
  if f then f:close() end
  return f ~= nil
end

--- A new file that holds text; its name ends with `ending` if given. The caller removes it.
function M.temporary_file(text, ending)
  local path = os.tmpname()
  if ending then
    os.remove(path)
    path = path .. ending
  end
  M.write(path, text)
  return path
end

local made

--- A new folder, in /tmp if the name of TMPDIR has special characters: specs write it into commands. busted removes it after the file;
--- otherwise the caller does.
function M.temporary_folder()
  local place = (os.getenv "TMPDIR" or ""):find "[^%w/._+-]" and "TMPDIR=/tmp " or ""
  local dir = M.output(place .. "mktemp -d"):gsub("\n$", "")
  if not made then
    made = {}
    local busted = package.loaded.busted
    if type(busted) == "table" then
      busted.subscribe({ "suite", "end" }, function()
        for _, folder in ipairs(made) do M.remove(folder) end
        return nil, true -- later subscribers are called, too
      end)
    end
  end
  made[#made + 1] = dir
  return dir
end

--- A temporary folder with these files, by their paths; a text is the content of main.tf.
function M.folder(files)
  local dir = M.temporary_folder()
  for path, text in pairs(type(files) == "table" and files or { ["main.tf"] = files }) do
    local sub = path:match "^(.*)/[^/]*$"
    if sub then assert(M.runs("mkdir -p '" .. dir .. "/" .. sub .. "'")) end
    M.write(dir .. "/" .. path, text)
  end
  return dir
end

--- Removes a file, or a folder and its contents.
function M.remove(path)
  assert(M.runs("rm -rf '" .. path .. "'"))
end

-- ---- sample sizes -----------------------------------------------------------------------------------------------------------

--- WHOLE=1 (`make test-all`): run everything, not samples.
M.whole = (os.getenv "WHOLE" or "") ~= ""

local share, shares = (os.getenv "SHARE" or "1/1"):match "^(%d+)/(%d+)$"

--- The size of a sample in `make test`, and in `make test-all`; `few`: in `make test` under all Luas after the first.
function M.sample(some, all, few) return M.whole and all or few and shares ~= "1" and few or some end

--- SHARE=2/3: every third recorded case, from the second on. tools/suite divides the cases among some Luas. Without SHARE all are run.
M.all_cases = shares == "1"

--- Does this run include the nth of the recorded cases?
function M.takes(n) return (n - share) % shares == 0 end

-- ---- other programs -----------------------------------------------------------------------------------------------------

--- Does a shell command succeed? Lua 5.1 returns its status, later Luas return true.
function M.runs(command)
  local ok = os.execute(command)
  return ok == true or ok == 0
end

--- The output of a shell command.
function M.output(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

--- The output as a list of lines.
function M.lines(command)
  local out = {}
  for line in M.output(command):gmatch "[^\n]+" do out[#out + 1] = line end
  return out
end

--- Is a program installed?
function M.has(program)
  return M.runs("command -v " .. program .. " >/dev/null 2>&1")
end

--- Can util-linux's script give a program a terminal? A container may have no terminals.
function M.has_terminal()
  return M.output("LD_PRELOAD= script --version 2>/dev/null"):find("util-linux", 1, true) ~= nil
    and M.runs "LD_PRELOAD= script -qec true /dev/null >/dev/null 2>&1 </dev/null"
end

--- Reports what was not tested and why. tools/suite shows such lines.
function M.note(text)
  print("\nnote: " .. text)
end

--- Calls a function with streams that replace those of `io`; `input` is its whole input. Returns its first result, and what it
--- wrote to standard output and standard error. io.write() and print() are not captured.
function M.with_streams(input, f, ...)
  local function writer(to)
    return {
      write = function(_, ...)
        to[#to + 1] = table.concat { ... }
        return true
      end,
      flush = function() return true end,
    }
  end
  local function use(stdin, stdout, stderr)
    rawset(io, "stdin", stdin)
    rawset(io, "stdout", stdout)
    rawset(io, "stderr", stderr)
  end
  local stdin, stdout, stderr, out, err = io.stdin, io.stdout, io.stderr, {}, {}
  local at = 1
  local function read(_, what)
    if at > #input then return what == "*a" and "" or nil end
    local from, newline = at, what == "*l" and input:find("\n", at, true)
    at = newline and newline + 1 or type(what) == "number" and at + what or #input + 1
    return input:sub(from, newline and newline - 1 or at - 1)
  end
  use({ read = read }, writer(out), writer(err))
  local ok, result = pcall(f, ...)
  use(stdin, stdout, stderr)
  assert(ok, result)
  return result, table.concat(out), table.concat(err)
end

-- ---- data ---------------------------------------------------------------------------------------------------------------

--- The keys of a table, sorted.
function M.keys(t)
  local out = {}
  for key in pairs(t) do out[#out + 1] = key end
  table.sort(out)
  return out
end

--- Joins lines into a text, each with a line end.
function M.text(...)
  return table.concat({ ... }, "\n") .. "\n"
end

-- The byte patterns of characters beyond ASCII.
local FORMS = {
  "[\194-\223][\128-\191]", "\224[\160-\191][\128-\191]", "[\225-\236\238\239][\128-\191][\128-\191]", "\237[\128-\159][\128-\191]",
  "\240[\144-\191][\128-\191][\128-\191]", "[\241-\243][\128-\191][\128-\191][\128-\191]", "\244[\128-\143][\128-\191][\128-\191]",
}

--- Is a string well-formed UTF-8?
function M.is_utf8(s)
  for _, form in ipairs(FORMS) do s = s:gsub(form, "x") end
  return not s:find "[\128-\255]"
end

--- The elements of a list, without duplicates.
function M.distinct(list)
  local seen, out = {}, {}
  for i = 1, #list do
    local x = list[i]
    if not seen[x] then
      seen[x], out[#out + 1] = true, x
    end
  end
  return out
end

--- Are two tables equal at any depth?
function M.equal(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for k, v in pairs(a) do if not M.equal(v, b[k]) then return false end end
  for k in pairs(b) do if a[k] == nil then return false end end
  return true
end

--- A random number generator: returns a function that gives a number from 1 to n. The same seed (1 or more) gives the same numbers on
--- every Lua, unlike math.random: Park and Miller's generator, exact in doubles and in integers.
function M.random(seed)
  return function(n)
    seed = seed * 16807 % 2147483647
    return seed % n + 1
  end
end

--- The result of f while the clock is frozen: an answer must not depend on the load of the machine.
function M.without_time(f, ...)
  local clock = os.clock
  os.clock = function() return 0 end -- luacheck: ignore 122
  local answers = { pcall(f, ...) }
  os.clock = clock -- luacheck: ignore 122
  assert(answers[1], answers[2])
  return M.unpack(answers, 2, 5)
end

--- Collects all garbage, including what finalizers release.
function M.collect()
  collectgarbage()
  collectgarbage()
end

--- Collects garbage until count() no longer falls, and returns it. Lua 5.1 needs one cycle for each weak table whose value has a key of
--- another.
function M.settled(count)
  local now, before
  repeat
    M.collect()
    before, now = now, count()
  until before and now >= before
  return now
end

-- ---- data of a size -----------------------------------------------------------------------------------------------------

--- An array of f(1) … f(n).
function M.listed(n, f)
  local t = {}
  for i = 1, n do t[i] = f(i) end
  return t
end

--- The same values, by keys of eight letters.
function M.keyed(n, f)
  local t = {}
  for i = 1, n do t[("k%07d"):format(i)] = f(i) end
  return t
end

--- Elements for these: a number, a text of eight letters (unsorted), an object of eight attributes.
function M.number(i) return i end
function M.text_8(i) return ("s%07d"):format(i * 7919 % 1000003) end
function M.wide(i) return { a = i, b = i, c = i, d = i, e = i, f = i, g = i, h = i } end

-- ---- results of the module ------------------------------------------------------------------------------------------------

--- The value of a call; if the call fails, the partial value, and why.
function M.readable(value, err, partial)
  if value == nil then return partial, err end
  return value, err
end

--- The codes of the diagnostics of a call that must fail: codes(hcl.eval(…)).
function M.codes(value, err)
  assert(value == nil, "it has a value")
  local out = {}
  for i, d in ipairs(err) do out[i] = d.code end
  return out
end

--- The first of them.
function M.code(value, err)
  return M.codes(value, err)[1]
end

--- The paths of references.
function M.paths(references)
  local out = {}
  for i, r in ipairs(references) do out[i] = r.path end
  return out
end

--- Optional libraries of a build: a call that needs each, and the built-ins that need it. Text in ASCII doesn't need utf8proc.
--- (GMP, the last of them, only makes large numbers faster.)
M.libraries = {
  { name = "utf8proc", call = 'upper("\195\169")' },
  { name = "RE2", call = 'regex("a", "a")', "regex", "regexall" },
  { name = "libyaml", call = "yamlencode(1)", "yamlencode", "yamldecode" },
  { name = "OpenSSL", call = 'md5("")', "md5", "sha1", "sha256", "sha512", "base64sha256", "base64sha512", "filemd5", "filesha1",
    "filesha256", "filesha512", "filebase64sha256", "filebase64sha512", "uuidv5", "rsadecrypt" },
  { name = "libcrypt", call = 'bcrypt("a", 4)', "bcrypt" },
  { name = "zlib", call = 'base64gzip("")', "base64gzip", "base64gunzip" },
  { name = "iconv", call = 'textencodebase64("a", "us-ascii")', "textencodebase64", "textdecodebase64" },
}

--- Do diagnostics begin with one that reports a missing library of this build?
function M.tell_of_lack(err)
  return type(err) == "table" and err[1] and err[1].detail:find("This build of hclexpr has no", 1, true) ~= nil
end

--- Returns a function and a boolean. The function returns the name of a library or built-in that a source needs and this build lacks, or
--- nil. The source may be a table with sources, or with their results. The boolean is true if this build has all libraries.
function M.lacking(hcl)
  local missing, characters, complete = {}, true, true
  for _, library in ipairs(M.libraries) do
    local _, err = hcl.eval(library.call)
    if M.tell_of_lack(err) then
      for _, name in ipairs(library) do missing[name] = true end
      characters = characters and library.name ~= "utf8proc"
      complete = false
    end
  end
  local function lacking(source)
    if type(source) == "table" then
      for key, x in pairs(source) do
        local name = lacking(key) or lacking(x)
        if name then return name end
      end
    end
    if type(source) ~= "string" then return nil end
    if not characters and (source:find "[\128-\255]" or source:find "\\[uU]%x") then return "utf8proc" end
    for name in source:gmatch "([%a_][%w_]*)%s*%(" do
      -- Unicode's own encodings need no tables.
      local tables = not name:find "^text%l+base64$" or not source:lower():find '"utf%-'
      if missing[name] and tables then return name end
      if name == "replace" and missing.regex and source:find('"/', 1, true) then return "regex" end
    end
  end
  return lacking, complete
end

-- ---- coroutines ---------------------------------------------------------------------------------------------------------

--- A coroutine of fn that has reached its first yield, and the yielded value.
function M.suspended(fn)
  local co = coroutine.create(fn)
  local ok, yielded = coroutine.resume(co)
  assert(ok, yielded)
  assert(coroutine.status(co) == "suspended", "it did not wait")
  return co, yielded
end

--- Runs fn in a coroutine to its end, and answers each yield with answer(yielded). Returns its first two results.
function M.drive(fn, answer)
  local co = coroutine.create(fn)
  local ok, first, second = coroutine.resume(co)
  while coroutine.status(co) == "suspended" do ok, first, second = coroutine.resume(co, answer(first)) end
  assert(ok, first)
  return first, second
end

return M
