-- The time of a step, the process memory for a byte of `memory`, and the Lua data for a byte of `output`: the most expensive work of each
-- kind. Steps and bytes are the smallest limits that suffice. Times are processor times, the shortest of several, without the copy of
-- a result, which `limits.output` bounds. Memory is that of a separate process.
-- LUA limits.lua [WORDS]   (hclexpr on the path; WORDS: only sources that contain them)
-- Ends with status 1 if a step covers more than NANOSECONDS, or a byte more than doc/api.md says.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local NANOSECONDS, TIMES = 100, 7
-- Below this, a process takes that memory anyway.
local LEAST = 2 ^ 20
local N = tonumber(os.getenv "SIZE") or 20000
local ROUNDS = tonumber(os.getenv "RUNS") or 15
local ample = { steps = 1e12, memory = 2 ^ 40, output = 2 ^ 40 }

local listed, keyed, number, text_8, wide = support.listed, support.keyed, support.number, support.text_8, support.wide

local function given(source, t) return hcl.assert(hcl.assert(hcl.compile(source)):value({ t = t }, hcl.scope { limits = ample })) end

local DATA = {
  numbers = function() return hcl.value(listed(N, number), "list(number)") end,
  texts = function() return hcl.value(listed(N, text_8), "list(string)") end,
  fractions = function() return hcl.value(listed(N, function(i) return i + 0.37 end), "list(number)") end,
  lists = function() return hcl.value(listed(N, function(i) return { i } end), "list(list(number))") end,
  records = function() return hcl.value(listed(N, function(i) return { a = text_8(i), b = i } end)) end,
  set = function() return hcl.value(listed(N, number), "set(number)") end,
  tuple = function() return hcl.value(listed(N, number)) end,
  map = function() return hcl.value(keyed(N, number), "map(number)") end,
  object = function() return hcl.value(keyed(N, number)) end,
  text = function() return hcl.value(("x"):rep(8 * N)) end,
  lines = function() return hcl.value(("some words and 1\n"):rep(N)) end,
  commas = function() return hcl.value(("a,"):rep(N)) end,
  accents = function() return hcl.value(("\195\169"):rep(4 * N)) end,
  mixed = function() return hcl.value(("a\204\129\240\159\152\128"):rep(N)) end,
  zipped = function() return given("base64gzip(t)", ("some words and 1\n"):rep(N)) end,
  base64 = function() return hcl.value(("AAAA"):rep(N)) end,
  json = function() return hcl.value("[" .. ('{"a":1.5,"b":"x"},'):rep(N) .. "1]") end,
  yaml = function() return hcl.value(("- a: 1\n  b: [x, 'y']\n"):rep(N)) end,
  csv = function() return hcl.value("a,b\n" .. ('1,"2"\n'):rep(N)) end,
  long = function() return given("parseint(t, 16)", ("f"):rep(2000)) end,
  few = function() return hcl.value(listed(math.floor(N / 20), number), "list(number)") end,
  host_list = function() return listed(N, number) end,
  host_object = function() return keyed(N, number) end,
  host_rows = function() return listed(N, wide) end,
  host_text = function() return ("x"):rep(8 * N) end,
  host_accents = function() return ("\195\169"):rep(4 * N) end,
}

local function data_of(source)
  local out = {}
  for name in source:gmatch "[%a_][%w_]*" do
    if DATA[name] then out[name] = DATA[name]() end
  end
  return out
end

-- Of data of a size.
local WORK = {
  "[for x in numbers : x]", "[for x in map : x]", "[for x in numbers : -x]", "[for x in fractions : x * x]", "[for x in fractions : x / 3]",
  "{ for x in texts : x => x }", "{ for i, x in texts : x => i... }", '[for x in texts : "${x}-${x}"]',
  "[for x in numbers : x % 7 == 0 ? x : 0]",
  "[for x in records : x.a]", "records[*].a", "[for x in records : merge(x, { c = 1 })]", "[for x in records : { a = x.b }]",
  "length(numbers)", "contains(texts, \"none\")", "contains(lists, [-1])", "index(numbers, length(numbers))", "sum(fractions)",
  "max(fractions...)",
  "numbers == concat(numbers, [])", "records == concat(records, [])", "set == setunion(set, [])", "map == merge(map, {})",
  "sort(texts)", "distinct(texts)", "distinct(lists)", "distinct(records)", "toset(texts)", "toset(fractions)", "toset(lists)",
  "tolist(tuple)",
  "tomap(object)", "setunion(set, numbers)", "setintersection(set, numbers)", "setsubtract(set, numbers)", "setproduct(few, few)[0]",
  "flatten(lists)", "flatten([numbers, lists])", "merge(map, object)", "keys(map)", "values(map)", "zipmap(texts, numbers)",
  "compact(texts)",
  "chunklist(numbers, 1)", "reverse(numbers)", "slice(numbers, 1, 9)", "matchkeys(texts, texts, [\"none\"])", "transpose({ a = texts })",
  "one([texts])", "coalescelist([], texts)", "alltrue([for x in numbers : true])", 'lookup(map, "none", 1)', "range(length(numbers))",
  'join(",", texts)', 'split(",", commas)', 'replace(text, "x", "yz")', 'replace(commas, "/a(,)/", "$1b")', "upper(text)", "upper(accents)",
  "title(lines)", "strrev(mixed)", "length(mixed)", "substr(mixed, 5, 9)", '"${mixed}x"', "trimspace(text)", 'trim(text, "x")',
  "indent(2, lines)",
  "chomp(lines)", 'startswith(text, "y")', 'format("%s %s", text, lines)', 'formatlist("%s %d", texts, numbers)',
  "[for x in fractions : tostring(x)]",
  '[for x in numbers : format("%08.3f %q", x, "a")]', 'regexall("[a-z]+ (\\\\d)", lines)', 'regexall("x", text)', 'regex("(x|y)*z?", text)',
  '[for x in texts : regex("(\\\\d)(\\\\d+)", x)]', "jsonencode(records)", "jsonencode(texts)", "jsonencode(accents)", "jsondecode(json)",
  "yamlencode(records)", "yamldecode(yaml)", "csvdecode(csv)", "base64encode(text)", "base64decode(base64)", "base64gzip(lines)",
  "base64gunzip(zipped)", "urlencode(accents)", "md5(text)", "sha512(text)", "textencodebase64(text, \"UTF-16LE\")",
  "[for x in numbers : long * long]",
  "[for x in numbers : long + x]", "[for x in few : long / 7]", "[for x in few : long == long + 1]", "[for x in few : tostring(long)]",
  "[for x in numbers : pow(x, 2)]",
  "[for x in numbers : parseint(x, 10)]", '[for x in numbers : cidrsubnet("10.0.0.0/8", 8, x % 256)]', "[for x in numbers : can(x.y)]",
  "[for x in numbers : try(x.y, nope, 1)]", "[for x in numbers : can(regex(\"(\", \"a\"))]", "[for x in texts : can(tonumber(x))]",
  "[for x in texts : sensitive(x)]", "sensitive(texts)[*]", "[for x in records : nonsensitive(sensitive(x))]",
  'templatestring("%{ for x in xs }${x},%{ endfor }", { xs = texts })', "host_list", "host_object", "host_rows", "host_text",
  "host_accents",
  "[for x in host_rows : x.a]", "[for x in host_rows : x]", "length(host_object)",
}

-- Small calls, in a loop: the cost of a call itself.
local CALLS = {
  'base64gzip("a")', 'base64gunzip("H4sIAAAAAAAA/wEAAP//AAAAAAAAAAA=")', 'md5("a")', 'sha512("a")', 'textencodebase64("a", "UTF-16LE")',
  'textencodebase64("aé", "cp037")', 'textdecodebase64("0g==", "windows-1258")', 'yamldecode("a: 1")', 'yamlencode({ a = 1 })',
  'jsondecode("[1]")',
  'csvdecode("a\\n1")', 'regex("(a*)+", "baa")', 'regexall("[a-z]+", "ab 1 cd")', 'replace("a1", "/[0-9]/", "b")', 'format("%5.2f", 1.5)',
  'formatdate("YYYY-MM-DD", "2020-01-01T00:00:00Z")', 'timeadd("2020-01-01T00:00:00Z", "1h")', "uuid()", 'uuidv5("dns", "a")',
  "timestamp()",
  'cidrsubnets("10.0.0.0/8", 4, 4)', 'cidrhost("fd00::/64", 5)', "setunion([[x]], [[9]])", "setproduct([1, 2], [3])",
  "tomap({ a = x, b = 2 })",
  'matchkeys(["a", "b"], ["x", "y"], ["x"])', "chunklist([1, 2, 3], 2)", "transpose({ a = [1] })", "concat([x], [2])",
  "flatten([[x], [2]])", "merge({ a = x }, { b = 1 })",
  "pow(2, 0.5)", "log(x + 2, 3)", "x / 3", "1e100 * x", "floor(x / 7)", "parseint(\"ff\", 16)", 'tonumber("1e20")',
  "x == null ? x : nope", "can(nope)",
  "can(local.nope)", "try(x.nope, 1)", "can(nope(1))", 'can(upper())', "can(tonumber(\"a\"))", "can([1][2])", "can({ a = 1 }.b)",
  'can("${[]}")',
  "type(x)", "convert({}, object({ a = optional(number, 1) }))", "convert([{}, { a = 2 }], list(object({ a = optional(number, 7) })))",
  'templatestring("$${a}", { a = x })', 'fileset(".", "*")', 'rsadecrypt("a", "b") == 1', 'bcrypt("a", 4)', "sensitive(x)",
  'urlencode("a b")',
  -- Objects that another argument at each call opens or compiles.
  'textencodebase64("a", ["ISO-2022-JP", "Big5", "EUC-KR", "macintosh", "cp037"][x % 5])',
  'textdecodebase64("YQ==", ["ISO-2022-JP", "Shift_JIS", "EUC-KR", "Big5", "GBK"][x % 5])',
  'can(regex("[\\\\p{L}${x % 90}]", "b"))', 'replace("b", "/a${x % 90}/", "c")', 'base64sha256("${x}")',
  'can(formatdate(["YYYY", "hh:mm", "EEEE"][x % 3], "2020-01-01T00:00:00Z"))',
  'startswith("abc", "a")', 'title("a b")', 'strrev("ab")', 'abspath("a")', 'dirname("a/b")', 'pathexpand("~")', 'core::upper("a")',
  "[x, x, x]", "{ a = x }",
  '"${x} ${x}"', '"%{ if true }a%{ endif }"', "x > 1 && x < 5", "[for y in [1, 2] : y]", "[x][0]", "{ a = x }.a", "tostring(x)", "x...",
  "-x", "!true",
}

local function compiled(source)
  local expression = hcl.compile(source)
  return expression and { source = source, expression = expression, data = data_of(source) }
end

local function scope_of(limits)
  local all = {}
  for name, most in pairs(ample) do all[name] = limits and limits[name] or most end
  return hcl.scope { limits = all, filesystem = support.here() .. "../spec/conformance/fixtures" }
end

local function fits(work, limits, method) return work.expression[method or "value"](work.expression, work.data, scope_of(limits)) ~= nil end

-- The smallest limit that suffices, to half a percent.
local function least(work, limit, method)
  local low, high = 0, 256
  while not fits(work, { [limit] = high }, method) do low, high = high, high * 2 end
  while high - low > math.max(1, high / 200) do
    local middle = math.floor((low + high) / 2)
    if fits(work, { [limit] = middle }, method) then high = middle else low = middle end
  end
  return high
end

local function seconds(work)
  local best, scope = math.huge, scope_of()
  for _ = 1, ROUNDS do
    collectgarbage()
    local start = os.clock()
    work.expression:value(work.data, scope)
    best = math.min(best, os.clock() - start)
  end
  return best
end

local missed = 0

local function line(figure, goal, counted, what)
  if figure > goal then missed = missed + 1 end
  print(("  %8.2f%s  %10d  %s"):format(figure, figure > goal and " *" or "  ", counted, what))
  io.stdout:flush()
end

local function measure(source, shown)
  local work = compiled("[for made in [" .. source .. "] : 1]")
  if not work or not fits(work) then return end
  local steps = least(work, "steps")
  line(seconds(work) / steps * 1e9, NANOSECONDS, steps, shown)
end

local function resident() return tonumber(support.read "/proc/self/statm":match "^%d+ (%d+)") * 4096 end

-- In a separate process: the growth of its memory, and the count of `memory`.
local function print_memory(source)
  local work = compiled(source)
  fits(compiled(source:gsub("[%a_]+", function(name) return DATA[name] and "few" end)) or work)
  collectgarbage()
  local before = resident()
  local kept = work.expression:value(work.data, scope_of())
  local took = resident() - before
  print(kept and took or 0, least(work, "memory"))
end

local MEMORY = {
  "[for x in numbers : x]", "[for x in numbers : [x]]", "[for x in numbers : { a = x }]", "{ for x in texts : x => x }",
  "{ for i, x in texts : x => i... }",
  "toset(texts)", "toset(lists)", "distinct(records)", "setunion(set, numbers)", "merge(map, object)", "chunklist(numbers, 1)",
  "jsondecode(json)", "yamldecode(yaml)",
  "csvdecode(csv)", 'split(",", commas)', 'regexall("[a-z]+ (\\\\d)", lines)', "zipmap(texts, numbers)", "setproduct(few, few)",
  'replace(text, "x", "yz")',
  "base64gzip(lines)", "[for x in texts : upper(x)]", "[for x in fractions : x / 3]", "[for x in few : long * long]", "host_list",
  "host_object", "host_rows", "host_text",
  "flatten(lists)", "transpose({ a = texts })", "jsonencode(records)", "yamlencode(records)", "[for x in texts : sensitive(x)]",
  "tolist(tuple)", "sort(texts)",
}

if arg[1] == "--memory" then return print_memory(arg[2]) end

local function is_asked(source) return not arg[1] or source:find(arg[1], 1, true) end

print("a step, nanoseconds (goal <= " .. NANOSECONDS .. "); steps")
for _, source in ipairs(WORK) do
  if is_asked(source) then measure(source, source) end
end
for _, source in ipairs(CALLS) do
  if is_asked(source) then measure("[for x in few : " .. source .. "]", source .. ", each") end
end

print(("memory of the process for a byte of `memory` (goal <= %d); bytes"):format(TIMES))
for _, source in ipairs(MEMORY) do
  local command = is_asked(source) and ("%s '%s' --memory '%s'"):format(support.program, arg[0], source)
  local took, counted = (command and support.output(command) or ""):match "(%d+)%s+(%d+)"
  if took then line(took / counted, tonumber(took) < LEAST and math.huge or TIMES, counted, source) end
end

print "Lua's memory for a byte of `output`"
for _, source in ipairs { "numbers", "texts", "map", "object", "text", "lists", "records", "accents" } do
  local work = is_asked(source) and compiled(source)
  if work then
    collectgarbage()
    local before = collectgarbage "count"
    local kept = work.expression:eval(work.data, scope_of())
    local took = (collectgarbage "count" - before) * 1024
    line(took / least(work, "output", "eval"), math.huge, kept and took or 0, source)
  end
end
os.exit(missed == 0 and 0 or 1)
