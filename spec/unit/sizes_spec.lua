-- The cost of work, the weight of values and the size of output: how the smallest limit that suffices grows with the size of the data,
-- compared with "What work costs" (doc/contributing/costs.md) and "Limits" (doc/api.md). A rate is a sum of terms of these tables, for one
-- more element or byte.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local lacking = support.lacking(hcl)
local N = 1536 -- hash tables of N and 2 N keys are three eighths full: hardly a probe goes past the eighth

local functions = { given = function() return 1 end }

-- The smallest limit under which a source has its value.
local function least(limit, source, data, folder)
  local expr = hcl.assert(hcl.compile(source))
  local function fits(n)
    local v, err = expr:eval(data, hcl.scope { limits = { [limit] = n }, filesystem = folder, functions = functions })
    if v ~= nil then return true end
    assert(err[1].code == "limit." .. limit, source .. ": " .. tostring(err))
  end
  local low, high = -1, 1024
  while not fits(high) do low, high = high, high * 4 end
  while high - low > 1 do
    local middle = math.floor((low + high) / 2)
    if fits(middle) then high = middle else low = middle end
  end
  return high
end

local listed, keyed, number, text_8, wide = support.listed, support.keyed, support.number, support.text_8, support.wide
local function long(i) return ("p"):rep(704) .. ("%07d"):format(i * 7919 % 1000003) end

-- Data of size n. Those with a type are Values, which cost nothing to read; host_… is read from Lua.
local DATA = {
  numbers = function(n) return hcl.value(listed(n, number), "list(number)") end,
  texts = function(n) return hcl.value(listed(n, text_8), "list(string)") end,
  longs = function(n) return hcl.value(listed(n, long), "list(string)") end,
  lists = function(n) return hcl.value(listed(n, function(i) return { i } end), "list(list(number))") end,
  records = function(n) return hcl.value(listed(n, function(i) return { a = text_8(i) } end)) end,
  maps = function(n) return hcl.value(listed(n, function(i) return { a = i } end), "list(map(number))") end,
  secrets = function(n) return hcl.value(listed(n, function(i) return hcl.sensitive(text_8(i)) end)) end,
  sequences = function(n) return hcl.value(listed(n, function(i) return { text_8(i), i } end)) end,
  set = function(n) return hcl.value(listed(n, number), "set(number)") end,
  tuple = function(n) return hcl.value(listed(n, number)) end,
  map = function(n) return hcl.value(keyed(n, number), "map(number)") end,
  object = function(n) return hcl.value(keyed(n, number)) end,
  text = function(n) return hcl.value(("x"):rep(n)) end,
  lines = function(n) return hcl.value(("\n"):rep(n)) end,
  blank = function(n) return hcl.value((" "):rep(n)) end,
  commas = function(n) return hcl.value((","):rep(n)) end,
  accents = function(n) return hcl.value(("\195\169"):rep(n / 2)) end,
  quads = function(n) return hcl.value(("AAAA"):rep(n)) end,
  json = function(n) return hcl.value("[" .. ("1,"):rep(n) .. "1]") end,
  yaml = function(n) return hcl.value(("- 1\n"):rep(n)) end,
  csv = function(n) return hcl.value("a\n" .. ("1\n"):rep(n)) end,
  open = function(n) return hcl.unknown("any", { attributes = keyed(n, number) }) end,
  blocks = function(n) return hcl.unknown("any", { items = { keyed(n, number), keyed(n, number) } }) end,
  begun = function(n) return hcl.unknown("string", { prefix = ("x"):rep(n) }) end,
  unsure = function() return hcl.unknown "bool" end,
  size = number,
  host_list = function(n) return listed(n, number) end,
  host_object = function(n) return keyed(n, number) end,
  host_lists = function(n) return listed(n, function(i) return { i } end) end,
  host_rows = function(n) return listed(n, wide) end,
  host_text = function(n) return ("x"):rep(n) end,
  host_accents = function(n) return ("\195\169"):rep(n / 2) end,
}

local function data_of(source, n)
  local out = {}
  for name in source:gmatch "[%a_]+" do
    if DATA[name] then out[name] = DATA[name](n) end
  end
  return out
end

-- tolerance: costs that don't depend on the size, such as probes of a hash table after the eighth. n: another size.
local function hold(limit, rows, tolerance, n)
  n = n or N
  for _, row in ipairs(rows) do
    local source, rate = row[1], row[2]
    if not lacking(source) and not (source:find "accents" and lacking "\195\169") then
      local got = (least(limit, source, data_of(source, 2 * n)) - least(limit, source, data_of(source, n))) / n
      assert(math.abs(got - rate) <= rate * tolerance, ("%s takes %.4f, not %.4f"):format(source, got, rate))
    end
  end
end

-- In steps: arguments, by their weight; a text as one.
local NUMBER, TEXT_8, LONG, LIST, TEXT = 16 / 256, 24 / 256, 727 / 256, 32 / 256, 1 / 64

describe("each element and byte is charged steps:", function()
  it("loops and splats", function()
    hold("steps", {
      { "[for x in numbers : x]", 1 + 1 }, { "[for k, x in map : k]", 1 + 1 }, { "[for x in set : x]", 1 + 1 }, { "numbers[*]", 1 + 1 },
      { "[for x in numbers : -x]", 1 + 2 }, { "[for x in lists : x[0]]", 1 + 1 }, { "{ for x in texts : x => x }", 1 + 3 },
    }, 0.01)
  end)

  it("arguments", function()
    hold("steps", {
      { "length(numbers)", NUMBER }, { "length(texts)", TEXT_8 }, { "length(longs)", LONG }, { "length(lists)", LIST },
      { "length(records)", (16 + 24) / 256 }, { "length(maps)", (16 + 16) / 256 }, { "length(sequences)", (16 + 24 + 16) / 256 },
      { "length(secrets)", TEXT_8 },
      { "length(map)", NUMBER },
      { "length(set)", NUMBER }, { "reverse(tuple)", NUMBER }, { "slice(numbers, 1, 2)", NUMBER }, { "element(texts, 0)", TEXT_8 },
      { "keys(map)", NUMBER }, { "values(map)", NUMBER }, { 'lookup(map, "a", 1)', NUMBER }, { "try(lists, 1)", LIST },
      { "can(lists)", LIST },
      { "sensitive(numbers)", NUMBER }, { "one([text])", 1 / 256 }, { "base64encode(text)", TEXT },
      { "chomp(text)", TEXT }, { 'trim(text, "y")', TEXT }, { 'startswith(text, "y")', TEXT }, { "basename(text)", TEXT },
      { 'join(text, [1])', TEXT }, { 'join("-", texts)', TEXT_8 + 1 / 8 }, { "urlencode(text)", TEXT + 1 / 32 },
      { "urldecode(text)", TEXT + 1 / 32 }, { "base64decode(quads)", 4 * (TEXT + 1 / 64) },
      { "indent(1, text)", TEXT }, { "tostring(text)", TEXT },
    }, 0.01)
  end)

  it("arguments that become Lua tables", function()
    hold("steps", {
      { "given(numbers)", NUMBER + 1 }, { "given(lists)", LIST + 1 + 1 }, { "given(map)", NUMBER + 1 }, { "given(text)", TEXT },
    }, 0.01)
  end)

  it("searches, sums, expanded arguments, slices", function()
    hold("steps", {
      { "contains(numbers, -1)", NUMBER + 1 / 4 }, { "contains(lists, [-1])", LIST + 1 / 4 }, { "contains(set, -1)", NUMBER + 1 / 4 },
      { 'matchkeys(texts, texts, ["none"])', 4 * TEXT_8 + 1 / 4 },
      { "sum(numbers)", NUMBER + 1 / 4 }, { "max(numbers...)", 1 / 4 }, { 'split(",", commas)', TEXT + 1 / 2 },
      { "chunklist(numbers, 1)", NUMBER + 1 / 4 }, { 'replace(text, "x", "yz")', TEXT + 1 / 2 },
      { 'replace(text, "", "-")', TEXT + 1 / 2 }, { 'replace(text, "y", "z")', TEXT }, { "indent(1, lines)", TEXT + 1 / 4 },
    }, 0.01)
  end)

  it("comparisons", function()
    hold("steps", {
      { "numbers == numbers", 2 * 16 / 256 }, { "texts != texts", 2 * 24 / 256 }, { "set == set", 2 * 16 / 64 },
      { "map == map", 2 * 16 / 64 },
      { "object == object", 2 * 16 / 64 }, { "lists == lists", 2 * 32 / 32 }, { "keys(map) == keys(map)", 2 * (NUMBER + 24 / 256) },
      { "numbers == []", NUMBER }, { 'text == "${text}"', 1 / 128 },
    }, 0.01)
  end)

  it("sets, hash tables and joins of them", function()
    hold("steps", {
      { "setunion(set, set)", 2 * (NUMBER + NUMBER + 1 / 8) }, { "setintersection(set, set)", 2 * (NUMBER + NUMBER + 1 / 8) },
      { "setsubtract(set, set)", 2 * (NUMBER + NUMBER + 1 / 8) }, { "merge(map, { a = 1 })", NUMBER + 1 / 4 },
      { "merge(map, map)", 2 * (NUMBER + 1 / 4) }, { "tomap(object)", 3 * NUMBER + 1 / 4 + 1 },
      { "distinct(numbers)", NUMBER + 1 / 8 }, { "distinct(texts)", TEXT_8 + 1 / 8 }, { "distinct(lists)", LIST + 1 },
    }, 0.06)
  end)

  it("sorting", function()
    hold("steps", { { "sort(longs)", LONG + 1 / 4 + 704 / 64 }, { "toset(longs)", 3 * LONG + 1 / 4 + 704 / 64 } }, 0.01)
  end)

  it("types and sets of composite values", function()
    hold("steps", {
      { "tolist(tuple)", 3 * NUMBER + 1 / 4 }, { "toset(lists)", 3 * LIST + 1 / 4 + 32 / 64 },
      { "tolist([tuple, tuple])", 2 * (3 * NUMBER + 1 / 4) + 1 / 8 },
    }, 0.01)
  end)

  it("known facts about unknown values", function()
    hold("steps", {
      { "length([[for k, x in open : k]])", NUMBER }, { "length([unsure ? open : open])", 2 * NUMBER },
      { "length([true ? open : open])", 3 * NUMBER + 1 / 2 }, { "length([merge(open, open)])", 3 * NUMBER + 3 / 4 },
      { "length([[for x in blocks : x]])", 2 * NUMBER }, { "length([length(blocks)])", 2 * NUMBER + 1 },
      { "length([length(begun)])", 1 / 16 },
    }, 0.06)
  end)

  it("characters", function()
    hold("steps", {
      { "length(text)", TEXT + 1 / 16 }, { "upper(text)", TEXT + 1 / 16 }, { "lower(text)", TEXT + 1 / 16 },
      { "title(text)", TEXT + 1 / 16 },
      { "strrev(text)", TEXT + 1 / 16 }, { "substr(text, 0, 1)", TEXT + 1 / 16 }, { "substr(text, -1, 1)", TEXT + 2 / 16 },
      { "trimspace(blank)", TEXT + 1 / 16 }, { "trimspace(text)", TEXT },
      { 'trim(text, "x")', TEXT + 1 / 16 }, { "length(accents)", TEXT + 1 / 8 },
      { "upper(accents)", TEXT + 1 / 8 + 1 / 16 },
      { '"${accents}x"', 1 / 16 },
    }, 0.01)
  end)

  it("encodings", function()
    hold("steps", {
      { "jsonencode(numbers)", NUMBER + 1 / 2 }, { "jsonencode(texts)", TEXT_8 + 1 / 2 }, { "jsonencode(map)", NUMBER + 1 },
      { "jsonencode(longs)", LONG + 1 / 2 + 22 }, { "jsonencode(text)", TEXT + 1 / 32 }, { "jsondecode(json)", 2 * TEXT + 1 },
      { "yamldecode(yaml)", 4 * (TEXT + 1 / 8) + 4 }, { "yamlencode(text)", TEXT + 1 / 8 }, { "csvdecode(csv)", 2 * (TEXT + 1 / 16) + 1 },
      { "md5(text)", TEXT + 1 / 8 }, { "sha512(text)", TEXT + 1 / 8 }, { "base64gzip(text)", TEXT + 1 / 4 },
    }, 0.01)
  end)

  it("data of the host", function()
    hold("steps", {
      { "host_list", 1 / 2 }, { "host_rows", 1 / 2 + 8 }, { "length(host_object)", 2 }, { "host_text", 1 / 256 },
      { "host_accents", 1 / 256 + 1 / 64 + 1 / 16 }, { "[for x in host_list : x]", 1 + 1 }, { "[for x in host_rows : x.a]", 1 + 1 },
    }, 0.01)
    -- Probes vary with the order in which Lua gives the keys: less so for many keys.
    hold("steps", { { "host_object", 4 }, { "[for k, x in host_object : k]", 2 + 1 / 4 + 1 + 1 } }, 0.06, 8 * N)
  end)
end)

it("each call is charged the steps of its kind", function()
  local folder = support.here() .. "../conformance/fixtures"
  local values = hcl.value(listed(64, number), "list(number)")
  local function steps(source) return least("steps", "[for x in numbers : " .. source .. "]", { numbers = values }, folder) end
  for _, row in ipairs {
    { 'md5("a")', 'chomp("a")', 8 }, { 'base64sha512("a")', 'chomp("a")', 8 }, { "-x + 1 - x", "-x + 1", 2 }, { "[x, x, x]", "[x, x]", 1 },
    { 'textencodebase64("a", "UTF-8")', 'startswith("a", "b")', 24 },
    { 'fileexists("nested/one.txt")', 'fileexists("hello.txt")', 64 }, { 'file("nested/deep/three.txt")', 'file("hello.txt")', 2 * 64 + 1 },
    { 'tonumber("1e100")', 'tonumber("100")', 2 * 7 }, { 'tonumber("1e127")', 'tonumber("100")', 2 * 7 },
    { 'tonumber("1e128")', 'tonumber("100")', 2 * 8 }, { "tostring(0.5)", "tostring(5)", 1 },
    { 'yamldecode("[1, 2, 3, 4]")', 'yamldecode("[1, 2]")', 2 * 4 + 1 }, { "yamlencode([1, 2, 3])", "yamlencode([1, 2])", 2 },
    { 'jsondecode("[1, 2, 3]")', 'jsondecode("[1, 2]")', 1 }, { 'csvdecode("a\\n1\\n1")', 'csvdecode("a\\n1")', 1 },
    { "jsonencode([[1]])", "jsonencode([1])", 1 }, { 'join("", ["a", x])', 'join("", ["a", "b"])', 2 + 3 }, { "uuid()", "timestamp()", 6 },
    { 'replace("a", "/(a)/", "$1$1$1")', 'replace("a", "/(a)/", "$1")', 2 },
    { 'zipmap(["a", "b"], [1, 2])', 'zipmap(["a"], [1])', 1 },
  } do
    if not lacking(row[1]) then
      local got = (steps(row[1]) - steps(row[2])) / 64
      assert(got == row[3], ("%s takes %s more than %s, not %d"):format(row[1], got, row[2], row[3]))
    end
  end
end)

it("each text encoding is opened once, even if they alternate", function()
  if lacking 'textencodebase64("a", "us-ascii")' then return pending "no iconv" end
  local function steps(call, encodings, rounds)
    local source = 'length([for i in numbers : [for e in ["%s"] : %s]])'
    return least("steps", source:format(encodings:gsub(" ", '", "'), call), { numbers = listed(rounds, number) })
  end
  local cases = { -- tables that are opened, and single-byte encodings that are asked for all characters
    { "textencodebase64('a', e)", "utf-8 utf-16", 0, 0 }, { "textencodebase64('a', e)", "macintosh koi8-r ibm866", 3, 3 },
    { "textencodebase64('a', e)", "big5 euc-kr gbk", 6, 0 }, { "textencodebase64('a', e)", "iso-2022-jp big5", 6, 0 },
    { "textdecodebase64('YQ==', e)", "iso-2022-jp shift_jis euc-kr big5 gbk cp037", 7, 1 },
  }
  for _, case in ipairs(cases) do
    local call, encodings, opened, asked = case[1]:gsub("'", '"'), case[2], case[3], case[4]
    local once, again = steps(call, encodings, 1), steps(call, encodings, 3) - steps(call, encodings, 2)
    local _, others = encodings:gsub(" ", "")
    local each = math.floor(again / (others + 1))
    assert(each >= 24 and each < 48, ("%s with %s takes %d steps"):format(call, encodings, each))
    local more = once - again - (256 * opened + 320 * asked)
    assert(more >= 0 and more < 48, ("%s with %s takes %d steps more to open"):format(call, encodings, more))
  end
end)

-- "Limits" in doc/api.md.
describe("by default", function()
  local MIB = 1024 * 1024
  local mib = hcl.value(("x"):rep(MIB))
  local function code(value, err) return value ~= nil and "fine" or err[1].code end

  it("an evaluation has ten million steps", function()
    local list = hcl.value(listed(1000, number), "list(number)")
    local source = "[for y in outer : [for x in list : -x][0]]"
    local function data(n) return { list = list, outer = hcl.value(listed(n, number), "list(number)") } end
    local each = least("steps", source, data(2)) - least("steps", source, data(1))
    local n, scope = math.floor(1e7 / each), hcl.scope { limits = { memory = 2 ^ 40 } }
    assert.equal("fine", code(hcl.eval(source, data(n - 1), scope)))
    assert.equal("limit.steps", code(hcl.eval(source, data(n + 1), scope)))
  end)

  it("memory is 64 MiB, and output 16", function()
    assert.equal("fine", code(hcl.eval("t == null", { t = ("x"):rep(64 * MIB - 1024) })))
    assert.equal("limit.memory", code(hcl.eval("t == null", { t = ("x"):rep(64 * MIB + 1) })))
    local sixteen = '"' .. ("${mib}"):rep(16)
    assert.equal("fine", code(hcl.eval(sixteen .. '"', { mib = mib })))
    assert.equal("limit.output", code(hcl.eval(sixteen .. 'x"', { mib = mib })))
  end)

  it("a source has up to 64 MiB, and is 1,000 levels deep", function()
    assert.equal("fine", code(hcl.compile((" "):rep(64 * MIB - 1) .. "1")))
    assert.equal("limit.source", code(hcl.compile((" "):rep(64 * MIB) .. "1")))
    assert.equal("fine", code(hcl.compile(("("):rep(1000) .. "1" .. (")"):rep(1000))))
    assert.equal("limit.depth", code(hcl.compile(("("):rep(1001) .. "1" .. (")"):rep(1001))))
  end)
end)

describe("each element and byte has its weight:", function()
  -- An element; a list, and a list of one element; an attribute, and an object of one.
  local E, A = 16, 32
  local L1, O1 = 16 + E, 16 + A

  it("collections", function()
    hold("memory", {
      { "[for x in numbers : x]", E }, { "numbers[*]", E }, { "reverse(numbers)", E }, { "values(map)", E }, { "keys(map)", E },
      { "sort(texts)", E },
      { "toset(numbers)", E }, { "concat(numbers, numbers)", 2 * E }, { "flatten([numbers, numbers])", 2 * E },
      { "merge(map, { a = 1 })", A },
      { "{ for k, x in map : k => x }", A }, { "[for x in numbers : [x]]", E + L1 }, { "[for x in numbers : { a = x }]", E + O1 },
      { "chunklist(numbers, 1)", E + L1 }, { "lists[*][0]", E }, { "split(\",\", commas)", E }, { 'regexall(",", commas)', E },
      { "jsondecode(json)", E }, { "yamldecode(yaml)", E }, { "csvdecode(csv)", E + O1 }, { "max(numbers...)", E }, { "compact(texts)", E },
      { "range(0, size / 8)", E / 8 }, { "host_list", E }, { "host_object", A + 8 }, { "numbers == numbers", 0 },
      { "sensitive(numbers)", 0 },
    }, 0.01)
  end)

  -- A table that is inspected weighs as an element, and so does a key that is counted.
  it("data of the host", function()
    hold("memory", {
      { "[for x in host_lists : length(x)]", E + 16 }, { "[for x in host_lists : x]", E + L1 }, { "host_lists[*][0]", E },
      { "length(host_object)", 16 }, { "[for k, x in host_object : k]", E + 16 + 8 }, { "[for x in host_rows : x.b]", E },
    }, 0.01)
  end)

  it("texts", function()
    hold("memory", {
      { "upper(text)", 1 }, { "strrev(text)", 1 }, { '"${text}-${text}"', 2 }, { 'replace(text, "x", "yz")', 2 },
      { 'format("%s", text)', 1 },
      { 'join("-", texts)', 8 + 1 }, { "jsonencode(texts)", 8 + 3 }, { "yamlencode(texts)", 8 + 5 }, { "base64encode(text)", 4 / 3 },
      { "base64decode(quads)", 3 }, { "urlencode(text)", 1 }, { "host_text", 1 }, { "substr(text, 1, -1)", 0 }, { "lower(text)", 0 },
    }, 0.01)
  end)

  it("output", function()
    hold("output", {
      { "numbers", 16 }, { "tuple", 16 }, { "set", 16 }, { "texts", 16 + 8 }, { "map", 16 + 8 }, { "object", 16 + 8 }, { "text", 1 },
      { "lists", 16 + 16 }, { "accents", 1 },
    }, 0.01)
  end)
end)
