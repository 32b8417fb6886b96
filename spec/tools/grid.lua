-- Cases without answers for the reference (spec/tools/oracle), one JSON line each; the same seed gives the same on every Lua.
--
--   LUA grid.lua arguments PER_CALL SEED          each built-in that the reference has, with what may go wrong in each position: unknown,
--                                                 null and marked values, boundaries, other kinds; then PER_CALL draws of all positions at once
--   LUA grid.lua neighbours COUNT SEED FILE ...   recorded cases with one token changed
--   LUA grid.lua keep MOST FILE ...               answered lines, without those that tell nothing new: at most MOST of a call or a mode
--                                                 with the same kind of answer
--
-- spec/README.md tells how the recorded files were made. (With hclexpr and cjson on the path.)
local cjson = require "cjson"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local draw

local function pick(list) return list[draw(#list)] end

-- ---- arguments ----------------------------------------------------------------------------------------------------------

-- What the oracle has of the language's library where Terraform has its own, and what takes no plain values. The oracle's conversions to
-- lists and maps gather the marks of elements, the recorded cases' leave them where they are.
local OTHERS = { length = true, lookup = true, replace = true, convert = true, try = true, can = true, tolist = true, tomap = true }
local library = {}
for name in support.read(support.root .. "spec/tools/oracle/library.go"):match "var library.*$":gmatch '"([%w_]+)": ' do
  if not OTHERS[name] then library[name] = true end
end

local ANY = {
  "null", "u", 'unknown("string")', 'unknown("number")', 'unknown("bool")', 'unknown("list(string)")', 'unknown("map(number)")',
  'unknown("set(string)")', 'unknown("tuple([number, string])")', 'unknown("object({ a = string })")', "sensitive(null)", "sensitive(u)",
  'sensitive(unknown("string"))', "tostring(null)", "tonumber(null)", '""', "0", "true", "[]", "{}", "s", "sl", "sm", "[s]",
  'tolist(["b", "a", "b"])', 'toset(["b", "a"])', "tomap({ a = 1, b = 2 })", "[1, null]", "[u, 1]", "{ a = u, b = null }", "ephemeral(s)",
}
local NUMBERS = {
  "0", "1", "-1", "2", "3", "4", "5", "10", "0.5", "-1.5", "2.5", '"7"', '"0x1"', '" 1"', "16", "36", "37", "62", "63", "64", "127", "128",
  "255", "256", "65535", "65536", "2147483647", "2147483648", "4294967295", "4294967296", "9007199254740993", "9223372036854775807",
  "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "1e30", "1e-30", "un", "sn",
}
local STRINGS = {
  '""', '" "', '"a"', '"ab"', '"aab"', '"a,b,,c"', '"\\n"', '"a\\r\\n"', '"\\u00e9"', '"e\\u0301a"', '"12"', '"-0x7f"', '"%d"', '"%s%s"', '"%%"',
  '"(a)(b)?"', '"[a-"', '"null"', '"1.50"', '"tRUE"', "us", "s", "sensitive(us)", '"\\U0001f600x"', '"a b  c"', '"aaaaaaaaaaaaaaaab"',
}
local COLLECTIONS = {
  "[]", "[[]]", "[null]", "[u]", "[s]", "sl", 'sensitive(["a"])', '["a"]', '["b", "a", "b"]', '["", null, "a"]', "[1, 2, 2.5]", "[1, true]",
  "[[1], [2, [3]]]", '[["a"], sl]', '[["a"], ul, ["b"]]', "ul", "uset", "um", "tolist([])", "toset([])", "tomap({})", 'toset(["b", "a"])',
  'toset(["a", us])', "toset([s])", "tolist([us, us])", "{}", "{ a = 1 }", '{ b = "x", a = s }', "{ a = u }", "sm", "tomap({ a = us })",
  'tomap({ a = "x", b = "y" })', "{ a = [1], b = [] }", "{ a = null }", "ut", "uo", "tolist([null])", "sensitive(ul)",
  "ephemeral(sl)", "toset([[1], [2]])", "[{ a = 1 }, { a = 2 }]", "[{ a = 1 }, { b = 2 }]",
}
local VARIABLES = {
  u = 'unknown("any")', us = 'unknown("string")', un = 'unknown("number")', ul = 'unknown("list(string)")', uset = 'unknown("set(string)")',
  um = 'unknown("map(string)")', ut = 'unknown("tuple([number, string])")', uo = 'unknown("object({ a = string })")',
  s = 'sensitive("x")', sn = "sensitive(2)", sl = 'sensitive(["p", "q"])', sm = 'sensitive({ a = "x", b = ephemeral("y") })',
}

local SMALL = {}
for i = 1, 23 do SMALL[i] = NUMBERS[i] end

local function pool_of(name, param, example)
  local kind = param.type
  if kind == "number" then return name == "indent" and SMALL or NUMBERS end -- the reference has no limit of memory
  if kind == "string" then return STRINGS end
  if kind:find "^bool" then return { "true", "false", '"true"', "null", "u" } end
  if kind == "any" and example:find '^["%-%d]' then return example:find '^"' and STRINGS or NUMBERS end
  return COLLECTIONS
end

-- The variables that a source names.
local function with_variables(source)
  local vars, any = {}, false
  for name in source:gsub('"[^"]*"', ""):gmatch "%a+" do
    if VARIABLES[name] then vars[name], any = VARIABLES[name], true end
  end
  return any and vars or nil
end

local function say(case) io.write(cjson.encode(case), "\n") end

local function say_call(id, name, arguments)
  local source = name .. "(" .. table.concat(arguments, ", ") .. ")"
  say { id = id, src = source, vars = with_variables(source) }
end

-- The written arguments of a row's example.
local function example_of(hcl, row)
  local node = hcl.compile(row.example):ast()
  if node.kind ~= "call" or node.name ~= row.name then return nil end
  local out = {}
  for i, a in ipairs(node.args or {}) do out[i] = row.example:sub(a.range.start.byte + 1, a.range.stop.byte) end
  return out
end

local function arguments(per_call, seed)
  local hcl = require "hclexpr"
  local number = 0
  draw = support.random(seed)
  for _, name in ipairs(support.keys(library)) do
    local row = hcl.functions()[name]
    local example = row and example_of(hcl, row)
    local function with(changes)
      local out = {}
      for i, a in ipairs(example) do out[i] = changes[i] or a end
      number = number + 1
      say_call(("grid/%05d"):format(number), name, out)
    end
    for i, a in ipairs(example or {}) do
      local pool = pool_of(name, row.params[i] or row.variadic, a)
      for _, list in ipairs { pool, ANY } do
        for _, x in ipairs(list) do with { [i] = x } end
      end
    end
    for _ = 1, example and per_call or 0 do
      local changes = {}
      for i, a in ipairs(example) do
        local pool = draw(8) == 1 and ANY or pool_of(name, row.params[i] or row.variadic, a)
        if draw(4) > 1 then changes[i] = pick(pool) end
      end
      with(changes)
    end
  end
end

-- ---- neighbours ---------------------------------------------------------------------------------------------------------

local WORDS = {
  "true", "false", "null", "0", "1", "-1", "2", "10", '""', '"a"', "[]", "{}", "[1]", "{ a = 1 }", 'unknown("string")', 'unknown("any")',
  "sensitive(1)", 'sensitive("x")', "sensitive([1])",
}
local SIGNS = { "(", ")", "[", "]", "{", "}", ",", ".", "*", "[*]", "...", "=", "==", "=>", ":", "?", "+", "-", "!", "&&", "<", ">=", '"', "\n", "#", "~", "$", "%{", "${" }
local CHARACTERS = { "", "0", "1", "9", "a", "Z", " ", "-", "+", ".", ":", ",", "%", "\\\\", "\\n", "\\t", "/", "_", "=", "\195\169", "\\u00e9" }

local function replaced(s, from, to, by) return s:sub(1, from - 1) .. by .. s:sub(to + 1) end

local CHANGES = {
  -- a number, by one or ten times
  function(s, at)
    local from, to = s:find("%d+", at)
    local n = from and to - from < 15 and tonumber(s:sub(from, to))
    return n and replaced(s, from, to, ("%d"):format(pick { n + 1, math.max(0, n - 1), n * 10, 0 }))
  end,
  -- a character within a text
  function(s, at)
    local from, to = s:find('"[^"\\]+"', at)
    if not from then return nil end
    local i = from + draw(to - from - 1)
    return replaced(s, i, i - draw(2) + 1, pick(CHARACTERS))
  end,
  -- a word, or a whole text
  function(s, at)
    local from, to = s:find('%f["%w][%w_]+', at)
    return from and replaced(s, from, to, pick(WORDS))
  end,
  function(s, at)
    local from, to = s:find('"[^"\\]*"', at)
    return from and replaced(s, from, to, pick(WORDS))
  end,
  -- a sign becomes another, goes, or comes
  function(s, at)
    local from = s:find("[^%w%s\"]", at)
    return from and replaced(s, from, from, draw(2) == 1 and "" or pick(SIGNS))
  end,
  function(s, at) return replaced(s, at, at - 1, pick(SIGNS)) end,
}

-- Does the oracle answer as Terraform, in little memory?
local function askable(src)
  for name in src:gmatch "([%a_][%w_:]*)%s*%(" do
    if not library[name] and name ~= "tolist" and name ~= "tomap" and name ~= "convert" then return false end
  end
  return support.is_utf8(src) and not src:find "[%%%(][^%(]*%d%d%d%d%d"
end

local function neighbours(count, seed, files)
  draw = support.random(seed)
  local cases = {}
  for _, path in ipairs(files) do
    for line in io.lines(path) do
      local case = cjson.decode(line)
      if not case.want.errors or draw(4) == 1 then cases[#cases + 1] = case end
    end
  end
  local n, seen = 0, {}
  while n < count do
    local case = pick(cases)
    local src = #case.src > 0 and #case.src < 400 and pick(CHANGES)(case.src, draw(#case.src))
    if src and src ~= case.src and not seen[src] and askable(src) then
      n, seen[src] = n + 1, true
      say { id = ("near/%d-%05d"):format(seed, n), src = src, vars = case.vars, mode = case.mode, type = case.type, schema = case.schema }
    end
  end
end

-- ---- keep ---------------------------------------------------------------------------------------------------------------

-- What tells answers apart: an error and how many, or the type with what is unknown and marked.
local function kind_of(case)
  local want = case.want
  local call = (case.mode or "expr") .. " " .. (case.src:match "^[%a_][%w_]*%(" or "")
  if want.errors then return call .. " " .. #want.errors .. " errors" end
  local text = cjson.encode { want.value, want.type } -- numbers and texts vary
  return call .. (text:find("$unknown", 1, true) and " unknown " or " known ") .. (want.marks and "marked " or "") .. cjson.encode { want.type }
end

local function keep(most, files)
  local seen = {}
  for _, path in ipairs(files) do
    for line in io.lines(path) do
      local ok, case = pcall(cjson.decode, line)
      local kind = ok and case.want and kind_of(case)
      if kind then
        seen[kind] = (seen[kind] or 0) + 1
        if seen[kind] <= most then io.write(line, "\n") end
      end
    end
  end
end

local function rest(first)
  local out = {}
  for i = first, #arg do out[#out + 1] = arg[i] end
  return out
end

if arg[1] == "arguments" then arguments(tonumber(arg[2]), tonumber(arg[3]))
elseif arg[1] == "neighbours" then neighbours(tonumber(arg[2]), tonumber(arg[3]), rest(4))
else keep(tonumber(arg[2]), rest(3)) end
