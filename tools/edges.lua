-- The edge cases of the language that grid.lua asks the reference: kinds of sources by name, in order. Each kind gets a function, and
-- calls it with every source.

-- Exponents at which a number of so many bits becomes too large or too small, and at which an exponent itself does.
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

-- Templates with a failing part, where their refinements would still be visible.
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

-- Ends of a text that YAML takes for the end of a line, or of a document.
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

-- The known prefix of a text before an unknown part: the text may continue with a mark or within a cluster, and only 128 bytes are kept.
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

-- Almost complete ends of heredocs, after and before every possible neighbour.
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

-- Character classes in patterns as an end of a range; base64 in YAML with padding of all lengths; texts that
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

-- Sets of numbers of different precision that are close to each other: some have the same text, and are equal.
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

-- Two parts in one value that an encoding rejects or waits for.
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

-- Adjacent characters of all kinds, in encodings where one byte isn't one character: the first may decide how the next
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

-- Texts with many prefixes of the searched text, with or without that text at the end.
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

-- Sets with adjacent elements of each kind.
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

-- Empty matches, which never occur within a character.
local function empties(say_source)
  for _, pattern in ipairs { "", "x*", "\\\\B", "\\\\b", "\\\\b|\\\\B", "$", "^|\\\\B", "(a|)", "(?:\\\\B)(a?)" } do
    for _, text in ipairs { "\195\169", "a\195\169a", "\230\188\162\195\169 x", "\240\159\152\128", "" } do
      say_source(('[regexall("%s", "%s"), try(regex("%s", "%s"), "none")]'):format(pattern, text, pattern, text))
    end
  end
end

-- Numbers of more than 64 bits with a small or no difference, and products of long and short ones.
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

-- Results of pow() have fewer bits than other whole numbers.
local function roundings(say_source)
  local powers = { "pow(2, 3)", "pow(3, 33)", "pow(2, 52)", "pow(2, 53)", "pow(2, 62)", "pow(2, 63)", "-pow(3, 33)", "pow(1, 1)",
  "pow(10, 15)" }
  for _, a in ipairs(powers) do
    for _, b in ipairs(powers) do say_source(("[%s + %s, %s - %s, %s * %s, %s / %s, %s %% %s]"):format(a, b, a, b, a, b, a, b, a, b)) end
  end
end

-- Parts of Korean syllables, and their neighbours in the tables, in each order.
local function syllables(say_source)
  local parts = {
    "e", "\\u1100", "\\u1112", "\\u1113", "\\u1161", "\\u1175", "\\u1176", "\\u11a7", "\\u11a8", "\\u11c2", "\\u11c3", "\\uac00", "\\uac01",
    "\\u0301", "\\u0327",
  }
  for _, a in ipairs(parts) do
    for _, b in ipairs(parts) do
      local all = {}
      for i, c in ipairs(parts) do all[i] = a .. b .. c end
      say_source('["' .. table.concat(all, '", "') .. '"]')
    end
  end
end

-- Question marks in YAML, and other beginnings of a word between brackets.
local function questions(say_source)
  for _, text in ipairs {
    "[a?b]", "[a ?b]", "{a?: 1}", "[?a]", "[a, ?b]", "[a?]", "{?a}", "[a ? b]", "[a-b]", "[- a]", "[-a]", "[:a]", "[a:b]", "[a: b]",
    "{a:b}", "[!a]",
    "[&a b]", "[%a]", "[@a]", "[`a]", "[a, ]", "[, a]", "[a,, b]", "{a}", "{a, b}", "{: a}", "{a: }", "[[a]b]", "[a]b", "{a: b}c",
    "[a #b]", "[a#b]",
  } do
    say_source(('jsonencode(yamldecode("%s"))'):format(text))
  end
end

-- Words in YAML that are numbers, or almost.
local function words(say_source)
  local starts = { "0x", "0X", "0o", "0O", "0b", "0B", "0", "0z", "00", "1x", ".", "" }
  local ends = {
    "", "0", "1", "7", "8", "9", "f", "g", "1f", "12", "10", "_1", "1_", "1_0", "1.5", "1e3", "ffffffffffffffff", "10000000000000000",
    "7777777777777777777777", ("1"):rep(64), ("1"):rep(65), " 1", "-1",
  }
  for _, first in ipairs(starts) do
    local all = {}
    for _, sign in ipairs { "", "-", "+" } do
      for _, rest in ipairs(ends) do all[#all + 1] = ('jsonencode(yamldecode("%s%s%s"))'):format(sign, first, rest) end
    end
    for from = 1, #all, 3 do
      local some = {}
      for i = from, math.min(from + 2, #all) do some[#some + 1] = "try(" .. all[i] .. ', "none")' end
      say_source("[" .. table.concat(some, ", ") .. "]")
    end
  end
end

-- Numbers in texts, with exponents at the bounds of integers, or outside them.
local function exponents_in_texts(say_source)
  for _, reader in ipairs { "tonumber", "jsondecode", "yamldecode" } do
    for _, mantissa in ipairs { "0e", "1e", "0.5e-", "-1e-", "0x1p", "0x1p-" } do
      local all = {}
      for _, bound in ipairs { "2147483648", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551618" } do
        all[#all + 1] = ('try(%s("%s%s") == 0, "none")'):format(reader, mantissa, bound)
      end
      say_source("[" .. table.concat(all, ", ") .. "]")
    end
  end
end

-- Sigils that open nothing at the end of a heredoc's line, and marks that trim the next one's beginning.
local function sigils(say_source)
  local function all_of(form, before, after)
    local list = {}
    for _, next_line in ipairs { "b", "${~ x}", "  %{~ if true }b%{ endif }" } do
      list[#list + 1] = form .. "\n  a" .. before .. after .. next_line .. "\nE\n"
    end
    return table.concat(list, ", ")
  end
  for _, sigil in ipairs { "$", "%" } do
    for _, character in ipairs { "", "a", " ", "$", "\r", "\195\169" } do
      for _, newline in ipairs { "\n", "\r\n" } do
        local before = sigil .. character
        say_source("[for x in [1] : [" .. all_of("<<E", before, newline) .. ", " .. all_of("<<-E", before, newline) .. "]]")
      end
    end
  end
end

-- Characters in order, many of them unassigned, in the classes of assigned and unassigned ones.
local function unassigned(say_source)
  for _, range in ipairs { { 0x370, 0x1380 }, { 0xA640, 0xABFF }, { 0x10000, 0x10B00 }, { 0x1EE00, 0x1FBFF } } do
    for from = range[1], range[2], 0x300 do
      local all = {}
      for cp = from, math.min(from + 0x2FF, range[2]) do all[#all + 1] = utf8.char(cp) end
      say_source(('[for c in ["p{Cn}", "P{Assigned}"] : join("|", regexall("\\\\${c}+", "%s"))]'):format(table.concat(all)))
    end
  end
end

return {
  { "exponents", exponents }, { "failing", failing }, { "endings", endings }, { "prefixes", prefixes }, { "heredocs", heredocs },
  { "rests", rests }, { "letters", letters }, { "sets", sets }, { "forms", forms }, { "faults", faults }, { "mixtures", mixtures },
  { "searches", searches }, { "equalities", equalities }, { "wides", wides }, { "empties", empties },
  { "roundings", roundings }, { "questions", questions }, { "syllables", syllables }, { "words", words },
  { "exponents_in_texts", exponents_in_texts }, { "sigils", sigils }, { "unassigned", unassigned },
}
