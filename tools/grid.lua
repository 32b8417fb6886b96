-- Cases without answers for the reference (tools/oracle), one JSON line each; the same seed gives the same cases on every Lua.
--
--   LUA grid.lua arguments PER_CALL SEED          each built-in of the reference, with difficult arguments in each position: unknown,
--                                                 null and marked values, boundaries, other kinds; then PER_CALL random calls
--   LUA grid.lua neighbours COUNT SEED FILE ...   recorded cases with one token changed
--   LUA grid.lua pairs SEED                       conditionals with two values of all kinds, comparisons, and lists and keys made of both
--   LUA grid.lua characters COUNT SEED            texts of characters of each kind, cut and reversed
--   LUA grid.lua encodings                        each byte, and pairs of bytes at the bounds of tables, in each encoding of textdecodebase64()
--   LUA grid.lua gather EVERY FILE                their answers as few cases: all defined ones in one text for each encoding, read and
--                                                 written; every EVERYth of the undefined ones
--   LUA grid.lua edges                            numbers at the bounds of exponents, templates that fail, ends of texts in YAML,
--                                                 known prefixes of texts, almost complete ends of heredocs, each of many
--                                                 arguments, character classes in patterns, sets of adjacent
--                                                 numbers, numbers in all forms of format(), two parts
--                                                 that an encoding rejects, adjacent characters of
--                                                 all kinds in encodings, texts with many prefixes
--                                                 of the searched text, sets of each kind,
--                                                 long numbers with almost the same value
--   LUA grid.lua networks, LUA grid.lua patterns  addresses at the ends of networks, and patterns for files, for Terraform's console
--   LUA grid.lua dynamics                         dynamic blocks with failing parts
--   LUA grid.lua keep MOST FILE ...               answered lines, without those that add nothing new: at most MOST of a call or a mode
--                                                 with the same kind of answer
--
-- spec/README.md describes how the recorded files were made. (With hclexpr and cjson on the path.)
local cjson = require "cjson"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local draw

local function pick(list) return list[draw(#list)] end

-- ---- arguments ----------------------------------------------------------------------------------------------------------

-- Functions that differ between the oracle's library and Terraform, and those that take no plain values. The oracle's conversions to
-- lists and maps collect the marks of elements; those of the recorded cases leave them in place.
local OTHERS = { length = true, lookup = true, replace = true, convert = true, try = true, can = true, tolist = true, tomap = true }
local library = {}
for name in support.read(support.root .. "tools/oracle/library.go"):match "var library.*$":gmatch '"([%w_]+)": ' do
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

-- All short texts of characters that matter in base64: digits, padding, ends of lines, and invalid ones.
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
  -- a sign is replaced, removed or added
  function(s, at)
    local from = s:find("[^%w%s\"]", at)
    return from and replaced(s, from, from, draw(2) == 1 and "" or pick(SIGNS))
  end,
  function(s, at) return replaced(s, at, at - 1, pick(SIGNS)) end,
}

-- Does the oracle answer like Terraform, in little memory?
local function askable(case, src)
  if case.mode == "type" or src:find 'unknown%([^"]' then return false end -- the runner needs a value, the oracle a type's name
  -- Known differences (doc/contributing/differences.md): columns of single marks and of continued texts, infinities, random comparisons.
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
  for _ = 1, count * 20 do -- small sources have few neighbours
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

-- Some of each class of Unicode's clusters and normal forms, and others that programs treat specially.
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

-- ---- edges, networks, dynamic blocks ---------------------------------------------------------------------------------

-- Addresses at the ends of networks. The language's library lacks such functions: real Terraform answers these, one per console line.
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
  -- Numbers that 64 bits can't hold, with every hexadecimal digit, and at the limits of an address.
  local numbers = {
    "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
    "24197857161011715162171839636988778104", "1512366075204170929049582354406559215", "338770000845734292534325025077361652240",
    "170141183460469231731687303715884105727", "170141183460469231731687303715884105728", "340282366920938463463374607431768211455",
    "340282366920938463463374607431768211456",
  }
  for _, call in ipairs {
    'cidrhost("::/0", n)', 'cidrhost("2001:db8::/63", n)', 'cidrsubnet("::/0", 128, n)', 'cidrsubnet("::/0", 127, n)',
  } do
    local less = call:gsub("n%)", "-n)")
    print(('jsonencode([for n in [%s] : [try(%s, "-"), try(%s, "-")]])'):format(table.concat(numbers, ", "), call, less))
  end
end

-- Patterns of three pieces for files, over the names in fixtures/globs; for Terraform's console, too.
local function say_patterns(list)
  print(('jsonencode([for p in ["%s"] : try(join(",", fileset("globs", p)), "error")])'):format(table.concat(list, '", "')))
end

local function patterns()
  local pieces = { "a", "b", "?", "*", "**", "[ab]", "[^a]", "[a-b]", "{a,ab}", "{a*,}", "\\\\a", "/" }
  for _, first in ipairs(pieces) do
    for _, second in ipairs(pieces) do
      local list = { first .. second }
      for _, third in ipairs(pieces) do list[#list + 1] = first .. second .. third end
      say_patterns(list)
    end
  end
  -- Escapes, and omitted parts, within brackets and braces.
  for _, odd in ipairs {
    "[\\\\a]", "[\\\\]a]", "[a-\\\\b]", "[\\\\a-b]", "[\\\\-b]", "[^\\\\a]", "[a\\\\", "[a\\\\]", "{\\\\a,b}", "{a\\\\,b,b}",
    "{a\\\\}b,b}", "{a,\\\\", "\\\\[a",
    "[a-", "[-a]", "[a-]", "[]", "[^]", "[", "{", "{}", "{,}", "{a", "a\\\\",
  } do
    local list = {}
    for _, before in ipairs { "", "a", "*", "?", "ab/" } do
      for _, after in ipairs { "", "a", "*", "b" } do list[#list + 1] = before .. odd .. after end
    end
    say_patterns(list)
  end
end

-- `dynamic` blocks with failing parts, combined with each other. If `for_each` is a secret, the reference shows it in labels: that isn't
-- compared.
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

local function edges()
  local unknown = 'unknown("string")'
  local vars = { failing = { x = unknown, s = 'sensitive("s")', k = '"k"' }, prefixes = { x = unknown } }
  for _, kind in ipairs(dofile(support.root .. "tools/edges.lua")) do
    local n, name = 0, kind[1]
    kind[2](function(source)
      n = n + 1
      local own = (name == "rests" or name == "faults") and with_variables(source)
      say { id = ("edges/%s/%d"):format(name, n), src = source, vars = own or vars[name] }
    end)
  end
end

-- ---- keep ---------------------------------------------------------------------------------------------------------------

-- What distinguishes answers: an error and their number, or the type with its unknown and marked parts.
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
