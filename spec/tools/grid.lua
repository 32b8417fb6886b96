-- Cases without answers for the reference (spec/tools/oracle), one JSON line each; the same seed gives the same on every Lua.
--
--   LUA grid.lua arguments PER_CALL SEED          each built-in that the reference has, with what may go wrong in each position: unknown,
--                                                 null and marked values, boundaries, other kinds; then PER_CALL draws of all positions at once
--   LUA grid.lua neighbours COUNT SEED FILE ...   recorded cases with one token changed
--   LUA grid.lua pairs SEED                       choices between two values of all kinds, comparisons, and lists and keys made of both
--   LUA grid.lua characters COUNT SEED            texts of characters of each kind, cut and turned round
--   LUA grid.lua encodings                        each byte, and pairs of bytes at the bounds of tables, in each encoding of textdecodebase64()
--   LUA grid.lua gather EVERY FILE                their answers as few cases: all that is defined in one text for each encoding, read and
--                                                 written; of what isn't, each EVERYth
--   LUA grid.lua edges                            numbers at the bounds of exponents, templates that fail, ends of texts in YAML, what
--                                                 is known of a text that goes on, nearly ends of heredocs, each of many
--                                                 arguments, sets of characters in patterns, sets of near
--                                                 numbers, numbers in all forms of format(), two
--                                                 things at once that an encoding refuses, characters of
--                                                 all kinds beside each other in encodings, texts that
--                                                 begin often as what is looked for, sets of each kind,
--                                                 long numbers near to each other
--   LUA grid.lua networks, LUA grid.lua patterns  addresses where networks end and patterns for files, for Terraform's console
--   LUA grid.lua dynamics                         dynamic blocks whose parts fail
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
  '""', '" "', '"a"', '"ab"', '"aab"', '"a,b,,c"', '"\\n"', '"a\\r\\n"', '"\\u00e9"', '"e\\u0301a"', '"12"', '"-0x7f"', '"%d"', '"%s%s"',
  '"%%"',
  '"(a)(b)?"', '"[a-"', '"null"', '"1.50"', '"tRUE"', "us", "s", "sensitive(us)", '"\\U0001f600x"', '"a b  c"', '"aaaaaaaaaaaaaaaab"',
}
local COLLECTIONS = {
  "[]", "[[]]", "[null]", "[u]", "[s]", "sl", 'sensitive(["a"])', '["a"]', '["b", "a", "b"]', '["", null, "a"]', "[1, 2, 2.5]", "[1, true]",
  "[[1], [2, [3]]]", '[["a"], sl]', '[["a"], ul, ["b"]]', "ul", "uset", "um", "tolist([])", "toset([])", "tomap({})", 'toset(["b", "a"])',
  'toset(["a", us])', "toset([s])", "tolist([us, us])", "{}", "{ a = 1 }", '{ b = "x", a = s }', "{ a = u }", "sm",
  "tomap({ a = us })",
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

-- All short texts of what matters in base64: digits, padding, ends of lines, and what doesn't belong there.
local function base64_texts()
  local out, from = { "" }, 1
  for _ = 1, 4 do
    local to = #out
    for i = from, to do
      for _, c in ipairs { "A", "=", "\\n", "-" } do out[#out + 1] = out[i] .. c end
    end
    from = to + 1
  end
  for _, x in ipairs { "AAAA", "Zm9v", "Zm8=", "Zg==" } do
    for _, y in ipairs { "=", "==", "A", "A=", "AA", "AA=", "AA==", "\\r\\n", "AA=\\n=", "AAA=" } do out[#out + 1] = x .. y end
  end
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
    if name == "textdecodebase64" then
      for _, x in ipairs(base64_texts()) do with { ('"%s"'):format(x), '"UTF-8"' } end
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

-- ---- pairs --------------------------------------------------------------------------------------------------------------

local TOGETHER = {
  "true ? %s : %s", "false ? %s : %s", 'unknown("bool") ? %s : %s', "sensitive(true) ? %s : %s", "coalescelist(%s, %s)", "[%s, %s][*]",
  "toset([%s, %s])", "concat(%s, %s)", "contains([%s], %s)", "[for v in [%s, %s] : v if v != null]", "{ (%s) = %s }", '"${%s}-${%s}"',
  "%s[%s]", "element(%s, %s)", "%s && %s", "%s < %s", "!(%s) || %s", "flatten([%s, %s])", "merge(%s, %s)", "setunion(%s, %s)",
}

local function pairs_of_values(seed)
  local all, number = {}, 0
  for _, list in ipairs { COLLECTIONS, ANY, { "1", "2.5", '"1"', "true", "un", "us", "s", "sn" } } do
    for _, x in ipairs(list) do all[#all + 1] = x end
  end
  draw = support.random(seed)
  for _, form in ipairs(TOGETHER) do
    for _, x in ipairs(all) do
      for _ = 1, form:find "%?" and 4 or 1 do
        local source = form:format(x, pick(all))
        number = number + 1
        local case = { id = ("pairs/%05d"):format(number), src = source, vars = with_variables(source) }
        if not source:find "toset.*sensitive" then say(case) end
      end
    end
  end
end

-- ---- neighbours ---------------------------------------------------------------------------------------------------------

local WORDS = {
  "true", "false", "null", "0", "1", "-1", "2", "10", '""', '"a"', "[]", "{}", "[1]", "{ a = 1 }", 'unknown("string")', 'unknown("any")',
  "sensitive(1)", 'sensitive("x")', "sensitive([1])",
}
local SIGNS = {
  "(", ")", "[", "]", "{", "}", ",", ".", "*", "[*]", "...", "=", "==", "=>", ":", "?", "+", "-", "!", "&&", "<", ">=", '"', "\n", "#", "~",
  "$", "%{", "${",
}
local CHARACTERS = {
  "", "0", "1", "9", "a", "Z", " ", "-", "+", ".", ":", ",", "%", "\\\\", "\\n", "\\t", "/", "_", "=", "\195\169", "\\u00e9",
}

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
local function askable(case, src)
  if case.mode == "type" or src:find 'unknown%([^"]' then return false end -- the runner needs a value, the oracle a type's name
  -- Known differences (doc/differences.md): columns of lone marks and of texts that go on, infinities, comparisons drawn by lot.
  if src:find "[\128-\255]" or src:find "/ 0" or src:find "[om]u [!=]=" or src:find "::" then return false end
  if (case.mode or ""):find "json" and src:find "\n" or src:find '"[^"\n]*\n' or src:find "unknown.*%[%d+%]s" then return false end
  local all = src
  for _, text in pairs(case.vars or {}) do all = all .. text end
  if all:find "sensitive" and (all:find "to%l+%s*%(" or all:find "convert") then return false end
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
  for _ = 1, count * 20 do -- few sources have few neighbours
    if n == count then return end
    local case = pick(cases)
    local src = #case.src > 0 and #case.src < 400 and pick(CHANGES)(case.src, draw(#case.src))
    if src and src ~= case.src and not seen[src] and askable(case, src) then
      n, seen[src] = n + 1, true
      say { id = ("near/%d-%05d"):format(seed, n), src = src, vars = case.vars, mode = case.mode, type = case.type, schema = case.schema }
    end
  end
end

-- ---- characters ---------------------------------------------------------------------------------------------------------

-- Some of each class of Unicode's clusters and normal forms, and others that programs take for special.
local POINTS = {
  0x00, 0x09, 0x0a, 0x0d, 0x20, 0x41, 0x7f, 0x85, 0xa0, 0xad, 0xdf, 0xe9, 0x130, 0x1c5,
  0x300, 0x301, 0x323, 0x600, 0x903, 0x93f, 0xe33, 0x1100, 0x1161, 0x11a8, 0x1e9e, 0x200b, 0x200c, 0x200d,
  0x2028, 0x212a, 0x231a, 0x2764, 0xac00, 0xac01, 0xd7ff, 0xe000, 0xfe0f, 0xfeff, 0xfffd, 0xffff, 0x10000, 0x1f1e6,
  0x1f1ff, 0x1f3fb, 0x1f468, 0x1f600, 0xe0020, 0x10ffff,
}

local function characters(count, seed)
  draw = support.random(seed)
  local function text(n)
    local out = {}
    for i = 1, n do
      local point = pick(POINTS)
      out[i] = (point > 0xffff and "\\U%08x" or "\\u%04x"):format(point)
    end
    return '"' .. table.concat(out) .. '"'
  end
  local FORMS = {
    "strrev(%s)", "substr(%s, 1, 1)", "substr(%s, 0, 2)", "upper(%s)", "lower(%s)", "title(%s)", 'format("%%-4s|", %s)',
    'format("%%.2q", %s)', "trimspace(%s)", 'split("", %s)', "jsonencode(%s)", "yamlencode(%s)", 'regexall(".", %s)', "sort([%s, %s])",
    "toset([%s, %s])", "%s == %s",
  }
  for n = 1, count do
    local src = pick(FORMS):gsub("%%s", function() return text(draw(4)) end):gsub("%%%%", "%%")
    say { id = ("characters/%d-%05d"):format(seed, n), src = src }
  end
end

-- ---- encodings ----------------------------------------------------------------------------------------------------------

local DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

local function base64(bytes)
  return (bytes:gsub("..?.?", function(s)
    local a, b, c = s:byte(1, 3)
    local n, out = a * 65536 + (b or 0) * 256 + (c or 0), {}
    for i = 1, 4 do
      local digit = math.floor(n / 64 ^ (4 - i)) % 64 + 1
      out[i] = i <= #s + 1 and DIGITS:sub(digit, digit) or "="
    end
    return table.concat(out)
  end))
end

local function say_decode(name, bytes)
  local id = "encodings/" .. name .. "/" .. bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end)
  say { id = id, src = ('textdecodebase64("%s", "%s")'):format(base64(bytes), name) }
end

local BOUNDS = {
  0x00, 0x20, 0x21, 0x22, 0x30, 0x31, 0x39, 0x3a, 0x3f, 0x40, 0x5b, 0x5c, 0x7e, 0x7f, 0x80, 0x81, 0x9e, 0x9f, 0xa0, 0xa1, 0xa2, 0xc6,
  0xdf, 0xe0, 0xfc, 0xfd, 0xfe, 0xff,
}

local function encodings()
  local char = string.char
  for name in support.read(support.root .. "csrc/fn/encode_text.c"):gmatch '[{(] ?"([%w_-]+)[^"]*", [&"]' do
    for byte = 0, 255 do say_decode(name, char(byte)) end
    local around = name:find "^iso%-2022" and { "\27$B", "\27(B" } or name:find "^hz" and { "~{", "~}" } or { "", "" }
    local pairs_too = not (name:find "^windows" or name:find "^ibm" or name:find "^iso%-8859" or name:find "^koi" or name:find "^mac")
    for lead = around[1] == "" and 128 or 0, pairs_too and 255 or 0 do
      for _, trail in ipairs(BOUNDS) do
        say_decode(name, around[1] .. char(lead, trail) .. around[2])
        if name == "euc-jp" then say_decode(name, char(0x8f, lead, trail)) end
        if name == "gb18030" then
          for _, third in ipairs { 0x80, 0x81, 0xfe, 0xff } do
            for _, fourth in ipairs { 0x2f, 0x30, 0x39, 0x3a } do say_decode(name, char(lead, trail, third, fourth)) end
          end
        end
      end
    end
  end
end

local function bytes_of(hex) return (hex:gsub("%x%x", function(c) return string.char(tonumber(c, 16)) end)) end

local function gather(every, path)
  local names, read, written, wrong = {}, {}, {}, 0
  for line in io.lines(path) do
    local case = cjson.decode(line)
    local name, hex = case.id:match "/(.-)/(%x*)$"
    if not read[name] then names[#names + 1], read[name], written[name] = name, {}, {} end
    if case.want.errors then
      wrong = wrong + 1
      if wrong % every == 0 then say { id = case.id, src = case.src } end
    else
      table.insert(read[name], bytes_of(hex))
      table.insert(written[name], case.want.value)
    end
  end
  for _, name in ipairs(names) do
    for from = 1, #read[name], 400 do
      local to = math.min(from + 399, #read[name])
      local text = table.concat(written[name], "", from, to):gsub('[%z\1-\31"\\$%%]', "")
      local id = ("encodings/%s/%%s/%d"):format(name, from)
      local bytes = base64(table.concat(read[name], "", from, to))
      say { id = id:format "read", src = ('textdecodebase64("%s", "%s")'):format(bytes, name) }
      say { id = id:format "written", src = ('textencodebase64("%s", "%s")'):format(text, name) }
    end
  end
end

-- ---- edges --------------------------------------------------------------------------------------------------------------

-- Exponents where a number of so many bits becomes too large or too small, and where an exponent itself does.
local function exponents(say_source)
  local mantissas = {
    "1", "9", "123456789012345678", "999999999999999999", "1234567890123456789", ("9"):rep(19), "1" .. ("0"):rep(19), ("7"):rep(25),
    ("1"):rep(40), ("9"):rep(100), ("3"):rep(300), "0." .. ("0"):rep(30) .. "5", "1." .. ("7"):rep(50), "0." .. ("9"):rep(20),
    ("0"):rep(20) .. "1" .. ("2"):rep(19),
  }
  for _, m in ipairs(mantissas) do
    local fraction = #(m:match "%.(%d*)" or "")
    local bits = math.ceil(math.log(tonumber((m:gsub("%.", "")))) / math.log(2))
    for off = -3, 3 do
      say_source(("%se%.0f == 0"):format(m, 2147483647 - bits + fraction + off))
      say_source(("%se-%.0f == 0"):format(m, 2147483648 + bits - fraction + off))
    end
  end
  for _, exponent in ipairs { "9223372036854775807", "9223372036854775808", "18446744073709551616", "18446744073709551618" } do
    say_source("0e" .. exponent)
    say_source("0e-" .. exponent)
    say_source("1e" .. exponent)
  end
  for _, n in ipairs { "0e-9223372036854775809", "0.0e4294967296", "1e+2147483646 == 0", "1e00000000000000000000002 == 100" } do
    say_source(n)
  end
  for last = 4, 8 do
    say_source("1e429496729" .. last .. " == 0")
    say_source("1e-429496729" .. last .. " == 0")
  end
end

-- Templates of which a part fails, where it would be seen what is known of them all the same.
local function failing(say_source)
  local templates = {
    '"t${nope}"', '"${nope}a"', '"t${x}${nope}"', '"t${nope}${x}"', '"${x}b${nope}c"', '"t%{ if nope }b%{ endif }c"',
    '"t%{ if x == 1 }${nope}%{ endif }c"', '"t%{ for q in nope }b%{ endfor }c"', '"t%{ for q in [nope] }b${q}%{ endfor }c"',
    '"t${"b${nope}"}c"', '"t${s}${nope}${s}"', '"t${upper(nope)}b"', '"${k}a${nope}"', '"t${nope}b${nope}c"', '"t${[]}b"', '"t${null}b"',
    '"t${k}${[]}${x}"', '"t${s}${[]}"', '"t${[nope][0]}"', '"t${x}${upper("b${nope}")}"', '"t${x}"', '"t${x}${k}"',
  }
  for _, t in ipairs(templates) do
    for _, around in ipairs {
      '%s == "zz" ? nope1 : nope2', "%s != null ? nope1 : nope2", "upper(%s)", "[%s, nope2]", "try(%s, 1)", "can(%s)", "{ (%s) = nope1 }",
      '"x${%s}y${nope2}"', 'substr(%s, 0, 1) == "a" ? nope1 : 2', 'format("%%s-%%s", %s, nope1)', "%s",
      "[for v in [%s] : jsondecode(v) + 1]", '[for v in [%s] : v == "zz" ? nope1 : nope2]',
    } do say_source(around:format(t)) end
  end
end

-- What a text may end with that YAML takes for the end of a line, or of a document.
local function endings(say_source)
  local tails = {
    "", "\\n", "\\r", "\\u0085", "\\u2028", "\\u2029", " ", "\\n\\n", "\\t", "x\\u2028", "\\u2029\\u2029", "\\n...", "\\n...\\n",
    "\\u2028...", "\\u2029...\\n", "...\\n", "\\n---", "\\r\\n", "\\uFEFF",
  }
  for _, text in ipairs { "", "a", "...", "a\\nb", "a: b", "#", "  a\\nb", "a\\u2028b", "---", "-", "'a", "1", "a\\n\\n" } do
    for _, tail in ipairs(tails) do
      say_source(('yamlencode("%s%s")'):format(text, tail))
      say_source(('yamlencode(["%s%s", { k = "%s%s" }])'):format(text, tail, text, tail))
    end
  end
end

-- What is known of a text before what isn't: it may go on with a mark, or a cluster may, and only 128 bytes are kept.
local function prefixes(say_source)
  local kinds = {
    "e", "\\u00e9", "e\\u0301", "\\u0344", "\\u0301", "\\u0323", "\\u1ec7", "\\u1100", "\\uac00", "\\uac01", "\\u11a8",
    "\\U0001f468", "\\u200d", "\\U0001f1e9", "\\ufe0f", "\\r", "\\n", " ", "\\u0915", "\\u094d", "\\u212b", "\\u0e33",
    "\\u0600", "\\u0340",
  }
  for _, c in ipairs(kinds) do
    say_source('"x' .. c .. '${x}"')
    for _, d in ipairs(kinds) do say_source('"x' .. c .. d .. '${x}"') end
    for n = 122, 128 do say_source('"' .. ("a"):rep(n) .. c .. 'z${x}"') end
  end
  for _, marks in ipairs { "\\u0301", "\\u0323\\u0301", "\\u0344" } do
    for _, n in ipairs { 1, 2, 28, 29, 30, 31, 32, 33, 40 } do say_source('"xe' .. marks:rep(n) .. '${x}"') end
  end
end

-- What in a heredoc is nearly its end, behind and before all that may stand there.
local function heredocs(say_source)
  local before = {
    "", "a", " ", "${1}", "$", "$$", "%", "$${", "%%{", "%{ if true }", "%{ endif }", "${1~}", "%{ if true ~}\n", "a\n", "${1}\n",
    "$\n", "\n", "\r\n",
  }
  for _, first in ipairs(before) do
    for _, nearly in ipairs { "EOT", " EOT", "EOT ", "EOTx", "xEOT" } do
      for _, last in ipairs { "", "b", "${2}", "$", "\nEOT" } do
        for _, opening in ipairs { "<<EOT\n", "<<-EOT\n " } do
          say_source(opening .. first .. nearly .. last .. "\nEOT\n")
        end
      end
    end
  end
end

-- Each argument of functions that take many, one at a time: unknown, null, marked, or with such an element.
local function rests(say_source)
  local function each(call, plain, others)
    for n = 2, 3 do
      for at = 1, n do
        for _, other in ipairs(others) do
          local list = {}
          for i = 1, n do list[i] = i == at and other or plain end
          say_source(call:format(table.concat(list, ", ")))
        end
      end
    end
  end
  local lists = {
    "ul", "u", "null", "sl", "[u]", "[us]", '[sensitive("x")]', "[null]", "[]", "tolist([us])", 'ephemeral(["b"])', "1",
  }
  each('join("-", %s)', '["a", "bc"]', lists)
  each("concat(%s)", '["a"]', lists)
  each("coalescelist(%s)", "[]", lists)
  local sets = { "uset", "u", "null", "toset(sl)", "toset([us])", 'toset([sensitive("x")])', "toset([])", 'toset(["x", us])', '["q"]' }
  for _, call in ipairs { "setunion(%s)", "setintersection(%s)", "setsubtract(%s)", "setproduct(%s)" } do
    each(call, 'toset(["a", "b"])', sets)
  end
  each("merge(%s)", "{ a = 1 }", { "um", "u", "null", "sm", "{ b = u }", "{ a = s }", "{}", 'tomap({ a = "y" })', "[]" })
  local numbers = { "un", "u", "null", "sn", '"3"', "-1", '"x"', "1e400", "ephemeral(3)" }
  for _, call in ipairs { "max", "min" } do each(call .. "(%s)", "2", numbers) end
  each('format("%%s-%%v-%%s-%%s", %s)', '"a"', { "us", "u", "null", "s", "[u]", "1", "[]" })
  each('formatlist("%%s-%%v-%%s-%%s", %s)', '["a", "b"]', { "ul", "u", "null", "sl", "[u, 1]", "us", '["a"]', "1", "[]" })
  each("zipmap(%s)", '["a", "b"]', { "ul", "sl", "[us, 1]", "[]", '["a"]', "null" })
end

-- Sets of characters in patterns as an end of a range; base64 in YAML with padding of all lengths; texts that
-- YAML writes with escapes, near the column where it breaks a line.
local function letters(say_source)
  for _, class in ipairs { "d", "D", "s", "S", "w", "W", "pL", "p{Greek}", "n", "x41", "Q", "b", "-", "]" } do
    for _, range in ipairs {
      "[\\\\%s-a]", "[a-\\\\%s]", "[\\\\%s-]", "[-\\\\%s]", "[^\\\\%s-z]", "[a\\\\%s-z]", "[\\\\%s-\\\\pL]", "[\\\\%s-[:alpha:]]",
    } do
      local pattern = range:format(class)
      for _, text in ipairs { "-", "a", "5", " ", "Z" } do say_source(('regexall("%s", "%s")'):format(pattern, text)) end
    end
  end
  for _, digits in ipairs { "", "Q", "QQ", "QUE", "QUFB", "QUFBQQ" } do
    for padding = 0, 5 do say_source(('yamldecode("!!binary \\"%s%s\\"")'):format(digits, ("="):rep(padding))) end
  end
  for _, c in ipairs {
    "\\u2027", "\\u2028", "\\u2029", "\\u202a", "\\u00a0", "\\u0085", "\\ufffd", "\\U00010000", "\\u00ff", "\\u0100", "\\u07ff", "\\u0800",
  } do
    for n = 60, 84, 3 do say_source(('yamlencode("\\ufeff%s%s %s b")'):format(c, ("a"):rep(n), c)) end
    say_source(('yamlencode("\\ufeff%s")'):format((c .. " "):rep(30)))
  end
end

-- Addresses where networks end. The language has no such functions: real Terraform answers these, one on each line of its console.
local function networks()
  local addresses = {
    "::", "::1", "::ffff:0:0", "::ffff:ffff:ffff", "::fffe:ffff:ffff", "::1:0:0:0", "::fffe:0:0", "1::", "0:1::", "0:0:1::", "0:0:0:1::",
    "0:0:0:0:1::", "0:0:0:0:2::", "1:0:0:0:1::", "ffff::", "fffe::", "8000::", "::8000:0:0:0", "::1:ffff:0:0", "1::ffff:0:0", "1::1:0:0:0",
    "0.0.0.0", "0.0.0.1", "10.0.0.0", "128.0.0.0", "255.255.255.255", "255.255.255.0", "254.0.0.0", "1.2.3.4",
  }
  for _, address in ipairs(addresses) do
    local lengths = address:find(":", 1, true) and "0, 15, 16, 63, 64, 79, 80, 95, 96, 97, 112, 127, 128"
      or "0, 1, 7, 8, 15, 16, 24, 30, 31, 32"
    local calls = {}
    for _, bits in ipairs { "1", "1, 1", "4, 1", "16, 16, 16" } do calls[#calls + 1] = ('join(" ", cidrsubnets(p, %s))'):format(bits) end
    for _, n in ipairs { -17, -16, -15, 15, 16 } do calls[#calls + 1] = ("cidrsubnet(p, 4, %d)"):format(n) end
    for _, call in ipairs { "cidrsubnet(p, 8, 255)", "cidrsubnet(p, 1, 1)", "cidrhost(p, -1)", "cidrhost(p, 1)", "cidrnetmask(p)" } do
      calls[#calls + 1] = call
    end
    for i, call in ipairs(calls) do calls[i] = ('try(%s, "-")'):format(call) end
    print(('jsonencode([for p in [for n in [%s] : "%s/${n}"] : [%s]])'):format(lengths, address, table.concat(calls, ", ")))
  end
end

-- Patterns of three pieces for files, over the names in fixtures/globs; for Terraform's console, too.
local function patterns()
  local pieces = { "a", "b", "?", "*", "**", "[ab]", "[^a]", "[a-b]", "{a,ab}", "{a*,}", "\\\\a", "/" }
  for _, first in ipairs(pieces) do
    for _, second in ipairs(pieces) do
      local list = { first .. second }
      for _, third in ipairs(pieces) do list[#list + 1] = first .. second .. third end
      print(('jsonencode([for p in ["%s"] : try(join(",", fileset("globs", p)), "error")])'):format(table.concat(list, '", "')))
    end
  end
end

-- `dynamic` blocks whose parts fail, in each other's company. Where `for_each` is a secret the reference shows it in labels: that isn't
-- asked.
local function dynamics()
  local number, vars = 0, { x = 'unknown("string")', l = 'unknown("list(string)")' }
  for _, each in ipairs {
    "[1, 2]", "[]", "{ a = 1 }", 'toset(["x"])', "null", "1", '"a"', "nope", "[nope]", "[1, nope]", "x", "l", "sensitive([1])", "[x]",
    "[null]",
    "true ? nope : [1]", "try(nope, [1])", "tolist(null)", "[1][5]", "{ a = nope }",
  } do
    for _, labels in ipairs {
      "", '  labels = ["a"]\n', "  labels = [nope2]\n", "  labels = [x]\n", "  labels = null\n", "  labels = [item.value]\n",
    } do
      local contents = { "k = item.value", "k = nope3", "k = item.nope4", "k = 1 + {}" }
      for _, content in ipairs(each:find "^sens" and labels:find "value" and {} or contents) do
        number = number + 1
        local src = ('dynamic "item" {\n  for_each = %s\n%s  content {\n    %s\n  }\n}\n'):format(each, labels, content)
        say { id = ("dynamics/%d"):format(number), mode = "dynamic", src = src, vars = vars }
      end
    end
    for _, rest in ipairs {
      "", "  content {\n    k = nope2\n  }\n  content {\n    k = nope3\n  }\n", "  other = nope2\n  content {}\n",
      '  iterator = "x"\n  content {\n    k = x.value\n  }\n', "  content {\n    k = 1\n  }\n  labels = nope2\n",
      "  more {}\n  content {}\n", '  labels = ["a", nope2]\n',
      "  content {\n    k = 1\n    dynamic \"inner\" {\n      for_each = item.value\n    }\n  }\n",
    } do
      number = number + 1
      local src = ('dynamic "item" {\n  for_each = %s\n%s}\n'):format(each, rest)
      say { id = ("dynamics/%d"):format(number), mode = "dynamic", src = src, vars = vars }
    end
  end
end

-- Sets of numbers of different precision that lie next to each other: some have the same text, and are equal.
local function sets(say_source)
  for _, sign in ipairs { "", "-" } do
    local pool = {}
    for _, n in ipairs { "0.1", "0.100000000000000003", "0.1000000000000000055511151231257827", "0.30000000000000004", "0.3" } do
      pool[#pool + 1] = sign .. n
      pool[#pool + 1] = ("pow(%s%s, 1)"):format(sign, n)
      pool[#pool + 1] = ("%s1 / (1 / %s)"):format(sign, n)
    end
    for i, a in ipairs(pool) do
      for k = i + 1, #pool do
        local b = pool[k]
        for j = 1, 2 do
          local c, d = pool[(i * 7 + k * 3 * j) % #pool + 1], pool[(i * k + j) % #pool + 1]
          say_source(("toset([%s, %s]) == toset([%s, %s])"):format(a, b, c, d))
        end
        say_source(("toset([%s, %s]) == toset([%s, %s])"):format(a, b, pool[(i + 1) % #pool + 1], b))
      end
    end
  end
end

-- Numbers in all forms of format(), with precisions around the number of their digits.
local function forms(say_source)
  local verbs = {}
  for _, verb in ipairs { "g", "G", "e", "E", "f" } do
    for _, flags in ipairs { "", "+", " ", "-12", "012", "#" } do verbs[#verbs + 1] = "%%" .. flags .. "[1]" .. verb end
    for _, precision in ipairs { 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 16, 20, 21, 22 } do
      verbs[#verbs + 1] = "%%." .. precision .. "[1]" .. verb
    end
  end
  local all = table.concat(verbs, "|"):gsub("%%%%", "%%")
  for _, n in ipairs {
    "0", "1", "-1", "9.5", "10", "99.95", "100000", "123456", "999999", "1000000", "1234567", "1e20", "123456789012345678901", "1e21",
    "1e22",
    "123456789012345678901234567890", "0.1", "0.0001", "0.00001", "0.000123456", "0.00009999999", "1e-10", "1.5", "2.5", "0.5", "999999.5",
    "9999995", "1 / 3", "-2 / 3", "1e300", "1e-300", "4503599627370496.5", "-0.0000001", "1.0e5", "31.4e9",
  } do
    say_source(('format("%s", %s)'):format(all, n))
    say_source(('format("%%v|%%s|%%q|%%10v|%%-10s|%%#v", %s, %s, %s, %s, %s, %s)'):format(n, n, n, n, n, n))
    for _, verb in ipairs {
      "%d", "%+d", "%08d", "%-8d", "%x", "%X", "%#x", "%o", "%b", "%t", "%.3d", "%12.5d",
      "%18446744073709551616d", "%18446744073709551617X", "%18446744073709551616g", "%.18446744073709551626f", "%99999999999999999999e",
    } do
      say_source(('format("%s", %s)'):format(verb, n))
    end
  end
end

-- Two things in one value that an encoding refuses or waits for.
local function faults(say_source)
  local things = {
    "u", "un", "us", "s", "null",
    "pow(2, 1e12)", "-pow(2, 1e12)", '"\\u0001"', "sensitive(u)", "sensitive(pow(2, 1e12))", "ephemeral(us)", "ul",
    "[]", "{ a = u }", "[pow(2, 1e12)]", "1e400",
  }
  for _, encode in ipairs { "jsonencode", "yamlencode", "toset" } do
    for _, x in ipairs(things) do
      say_source(("%s(%s)"):format(encode, x))
      for _, y in ipairs(things) do say_source(("%s([%s, %s])"):format(encode, x, y)) end
    end
  end
end

-- Characters of all kinds beside each other, in the encodings where one byte isn't one character: what comes first may say how the next
-- is read.
local function mixtures(say_source)
  local kinds = {
    "a", "~", "\194\165", "\195\169", "\206\177", "\239\189\177", "\227\130\162", "\230\188\162", "\237\149\156", "\226\130\172",
  }
  for _, name in ipairs {
    "utf-16", "utf-16be", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr", "gbk", "gb18030", "hz-gb-2312", "big5",
  } do
    for i, x in ipairs(kinds) do
      for k = i, #kinds do
        local y = kinds[k]
        say_source(('textencodebase64("%s%s%s%s", "%s")'):format(x, y, y, x, name))
      end
    end
  end
end

-- Texts that begin many times as what is looked for does, with it at their end or without it.
local function searches(say_source)
  for _, size in ipairs { 1, 2, 15, 16, 17, 18, 31, 40 } do
    for _, times in ipairs { 1, 63, 64, 65, 66, 67, 130 } do
      for _, between in ipairs { "", "c" } do
        local many, wanted = ("a"):rep(size), ("a"):rep(size) .. "b"
        local text = ('join("%s", concat([for i in range(%d) : "%s"], ["%sd%s"]))'):format(between, times, many, wanted, many)
        say_source(('[for part in split("%s", join("%s", [%s, "%s"])) : substr(part, -9, 9)]'):format(wanted, between, text, wanted))
      end
    end
  end
end

-- Sets of each kind of elements beside each other.
local function equalities(say_source)
  local elements = {
    '"a"', '"b"', '""', "true", "false", "1", "2", "0.1", "0.100000000000000003", "null", '["a"]', '["b"]', "[1]", "[0.1]",
    "[0.100000000000000003]", "[]", "[null]", "{ a = 1 }", "{ a = 2 }", "{ a = null }", '{ a = "1" }', "{ b = 1 }", "[toset([1, 2])]",
    "[toset([1, 3])]",
  }
  for i, x in ipairs(elements) do
    for k = i, #elements do
      say_source(("toset([%s]) == toset([%s])"):format(x, elements[k]))
      local z = elements[(i * 5 + k * 3) % #elements + 1]
      say_source(("toset([%s, %s]) != toset([%s, %s])"):format(x, z, z, elements[k]))
    end
  end
end

-- Matches of nothing, which never lie within a character.
local function empties(say_source)
  for _, pattern in ipairs { "", "x*", "\\\\B", "\\\\b", "\\\\b|\\\\B", "$", "^|\\\\B", "(a|)", "(?:\\\\B)(a?)" } do
    for _, text in ipairs { "\195\169", "a\195\169a", "\230\188\162\195\169 x", "\240\159\152\128", "" } do
      say_source(('[regexall("%s", "%s"), try(regex("%s", "%s"), "none")]'):format(pattern, text, pattern, text))
    end
  end
end

-- Numbers of more than 64 bits whose difference is little, or nothing, and products of long and short ones.
local function wides(say_source)
  local starts = {
    "36893488147419103233", "340282366920938463463374607431768211455", "0.1", "18446744073709551617.5",
    "12345678901234567890.12345678901234567",
    "1606938044258990275541962092341162602522202993782792835301377", "1.5e-30",
  }
  for _, a in ipairs(starts) do
    for _, change in ipairs { "0", "2", "0.5", "1e-40", a, "1e60", "1e300" } do
      local b = ("(%s + %s)"):format(a, change)
      say_source(("[%s - %s, %s - %s, %s + %s, -%s + %s]"):format(a, b, b, a, a, b, b, a))
      say_source(("[%s * %s, %s * %s, %s %% %s, %s / %s]"):format(a, b, b, a, b, a, a, b))
    end
  end
  for _, power in ipairs {
    "pow(2, -1060.5)", "pow(10, -310.5)", "pow(2, -1074.5)", "pow(2, 1023.5)", "pow(0.5, 1030.25)", "log(pow(2, -1060), 2)",
  } do
    say_source(power)
  end
end

local function edges()
  local unknown = 'unknown("string")'
  local vars = { failing = { x = unknown, s = 'sensitive("s")', k = '"k"' }, prefixes = { x = unknown } }
  local kinds = {
    { "exponents", exponents }, { "failing", failing }, { "endings", endings }, { "prefixes", prefixes }, { "heredocs", heredocs },
    { "rests", rests }, { "letters", letters }, { "sets", sets }, { "forms", forms },
    { "faults", faults }, { "mixtures", mixtures }, { "searches", searches },
    { "equalities", equalities }, { "wides", wides }, { "empties", empties },
  }
  for _, kind in ipairs(kinds) do
    local n, name = 0, kind[1]
    kind[2](function(source)
      n = n + 1
      local own = (name == "rests" or name == "faults") and with_variables(source)
      say { id = ("edges/%s/%d"):format(name, n), src = source, vars = own or vars[name] }
    end)
  end
end

-- ---- keep ---------------------------------------------------------------------------------------------------------------

-- What tells answers apart: an error and how many, or the type with what is unknown and marked.
local function kind_of(case)
  local want = case.want
  local call = (case.mode or "expr") .. " " .. (case.src:match "^[%a_][%w_]*%(" or "")
  if want.errors then return call .. " " .. #want.errors .. " errors" end
  local text = cjson.encode { want.value, want.type } -- numbers and texts vary
  local known = text:find("$unknown", 1, true) and " unknown " or " known "
  return call .. known .. (want.marks and "marked " or "") .. cjson.encode { want.type }
end

local function keep(most, files)
  local seen = {}
  for _, path in ipairs(files) do
    for line in io.lines(path) do
      local ok, case = pcall(cjson.decode, line)
      local kind = ok and case.want and kind_of(case)
      if kind and not (kind:find "^json" and case.want.errors and #case.want.errors > 1) then
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
elseif arg[1] == "pairs" then pairs_of_values(tonumber(arg[2]))
elseif arg[1] == "characters" then characters(tonumber(arg[2]), tonumber(arg[3]))
elseif arg[1] == "encodings" then encodings()
elseif arg[1] == "edges" then edges()
elseif arg[1] == "networks" then networks()
elseif arg[1] == "patterns" then patterns()
elseif arg[1] == "dynamics" then dynamics()
elseif arg[1] == "gather" then gather(tonumber(arg[2]), arg[3])
else keep(tonumber(arg[2]), rest(3)) end
