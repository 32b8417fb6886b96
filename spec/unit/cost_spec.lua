-- Short sources that request a lot of work: each ends with a diagnostic before the work is done. The complete work would take minutes
-- to years, or all memory: if a spec ends, it wasn't done.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local big = ("x"):rep(100000)
local list = {}
for i = 1, 1000 do list[i] = i end
local variables = { big = big, list = list }

-- Without those that call a function whose library this build lacks.
local lacking = support.lacking(hcl)
local code = support.code
local function possible(sources)
  local out = {}
  for _, source in ipairs(sources) do
    if not lacking(source) then out[#out + 1] = source end
  end
  return out
end

-- A limit stops these. The reference has no limits: it gives the value, runs out of memory, or doesn't end.
local function limited(sources, more, scope)
  for _, source in ipairs(possible(sources)) do
    local v, err = hcl.eval(source, more or variables, scope)
    assert(v == nil, source .. " has a value")
    assert(err[1].code:find "^limit%.", source .. ": " .. err[1].code)
  end
end

-- These fail by themselves: tools/oracle/ask gives an error for each, whatever steps are left.
local function refused(sources)
  for _, source in ipairs(possible(sources)) do
    local v, err = hcl.eval(source, variables)
    assert(v == nil, source .. " has a value")
    assert(not err[1].code:find "^limit%.", source .. ": " .. err[1].code)
  end
end

-- These have an answer, that of tools/oracle/ask, at no great cost.
local function answered(answers)
  for source, expected in pairs(answers) do
    if not lacking(source) then
      local v = hcl.assert(hcl.eval(source, variables))
      if type(v) == "table" then v = #v end
      assert(v == expected, source .. " is " .. tostring(v))
    end
  end
end

-- A tenth of the steps: a tenth of the time until they are used up.
local frugal = hcl.scope { limits = { steps = 1e6 } }

describe("the cost is charged before it is spent: ", function()
  it("merging if open objects may replace attributes", function()
    local attributes, little = {}, hcl.scope { limits = { steps = 1e5 } }
    for i = 1, 1000 do attributes["k" .. i] = i end
    local open, one = hcl.unknown("any", { attributes = attributes }), hcl.unknown("any", { attributes = { a = 1 } })
    limited({ "merge(open, [for x in list : one]...)" }, { open = open, one = one, list = list }, little)
  end)

  it("searching for open objects without any", function()
    local pairs_of, little = {}, hcl.scope { limits = { steps = 1e5 } }
    for i = 1, 3000 do pairs_of[i] = { i, i } end
    local data = { list = list, data = hcl.value(pairs_of), u = hcl.unknown "any" }
    limited({ "[for x in list : (true ? data : u)[0]]" }, data, little)
  end)

  -- The search for each of the other elements begins at a large one.
  it("finding elements in a set", function()
    local set = "toset(concat([for x in %s : [tonumber(x)]], [large], [for x in there : [90000 + x]]))"
    local equal = set:format "there" .. " == " .. set:format "back"
    local v = { large = {}, there = {}, back = {} }
    for i = 1, 40 do v.there[i], v.back[41 - i] = "1.00000000000000" .. 100 + i, "1.00000000000000" .. 100 + i end
    for i = 1, 20000 do v.large[i] = 2 end
    limited({ equal }, v, hcl.scope { limits = { steps = 1e5 } })
    assert.is_true(hcl.eval(equal, v))
  end)

  it("finding the greatest of long numbers", function()
    local scope, places = hcl.scope { limits = { steps = 1e5 } }, {}
    for i = 1, 5000 do places[i] = i end
    for _, name in ipairs { "max", "min" } do
      limited({ "[for n in [parseint(digits, 16)] : " .. name .. "([for x in places : n]...)]" },
        { digits = ("f"):rep(2e4), places = places }, scope)
    end
  end)

  it("evaluating defaults, all of a type together", function()
    local default = "[for a in [1, 2, 3, 4] : [for b in [1, 2, 3, 4] : [for c in [1, 2, 3, 4] : c]]]"
    local scope = hcl.scope { limits = { steps = 1000 } }
    local function source(n)
      local attributes = {}
      for i = 1, n do attributes[i] = ("a%d = optional(any, %s)"):format(i, default) end
      return "convert({}, object({ " .. table.concat(attributes, ", ") .. " }))"
    end
    assert.truthy(hcl.eval(source(1), nil, scope))
    limited({ source(8) }, nil, scope)
  end)

  it("patterns that RE2 goes through for each of their parts", function()
    local v = { groups = ("()"):rep(24000), loops = ("a*|"):rep(3000) }
    limited({ 'regexall(groups, "aaaa")' }, v)
    limited({ 'regexall(loops, "aaaa")' }, v, hcl.scope { limits = { steps = 2e5 } })
  end)

  it("finding the loop of a name", function()
    local source = {}
    for i = 1, 200 do source[i] = "[for a" .. i .. " in [] : " end
    source[201] = "[" .. ("a1, "):rep(2000) .. "1]" .. ("]"):rep(200)
    limited({ table.concat(source) }, {}, hcl.scope { limits = { steps = 1e4 } })
  end)

  -- "k" and a number: names whose hashes end in the same nine bits (spec/unit/hostile_spec.lua has more of them).
  it("making objects in which names are found slowly", function()
    local numbers = [[2016 2363 2407 3228 4582 5651 6219 6441 6617 7145 7432 8147 8361 8593 8857 8988 9021 10397 10936 11900
      12117 12237 12667 14139 14159 14184 14394 15134 15221 16139 16343 17477 17479 17854 19455 19697 20671 20773 21624 21644
      22340 23149 23572 23923 24724 24967 24968 25197 25485 25821 26010 27616 28225 28766 29691 30475 31256 32278 34899 35391
      35636 35813 36042 36621 37315 37436 37470 38948 38978 39936 41037 41719 41754 41780 42855 42882 43052 43806 44442 45022]]
    local source = {}
    for n in numbers:gmatch "%d+" do source[#source + 1] = "k" .. n end
    limited({ "length({ for k in keys : k => 1 })" }, { keys = source }, hcl.scope { limits = { steps = 1e4 } })
  end)

  it("widths and precisions of format", function()
    limited {
      'format("%999999999d", 1)', 'format("%.999999999f", 1)', 'format("%999999999s", "a")', 'format("%0999999999d", 1)',
      'format("%-999999999q", "a")', 'formatlist("%99999999d", list)', 'format("%b", 1e99999999)',
    }
    refused { 'format("%[999999999]d", 1)' }
  end)

  it("indent", function()
    limited { 'indent(1e9, "a\\nb")', 'indent(100000, join("\\n", list))' }
    assert.is_nil((hcl.eval 'indent(1e18, "a\\nb")'))
  end)

  it("range", function() refused { "range(1e9)", "range(0, 1e9, 1e-9)", "range(0, -1e30)", "[for x in range(1e12) : x]" } end)

  it("setproduct", function()
    limited {
      "setproduct(list, list, list)", "setproduct(list, list, list, list, list, list, list, list, list, list, list, list)",
      "setproduct(toset(list), toset(list), toset(list))",
    }
  end)

  it("loops in loops", function() limited { "[for x in list : [for y in list : [for z in list : big]]]" } end)

  it("join and replace", function()
    limited {
      "join(big, list)", 'join("", [for x in list : big])', 'replace(big, "x", big)', 'replace(big, "", big)',
      'replace(big, "/x/", big)', '"%{ for x in list }${big}%{ endfor }"',
    }
  end)

  it("bcrypt", function()
    limited { 'bcrypt("a", 31)', 'bcrypt("a", 20)' }
    refused { 'bcrypt("a", 1e9)', 'bcrypt("a", 32)' }
  end)

  it("subnets", function()
    refused { 'cidrsubnet("10.0.0.0/8", 1e9, 1)', 'cidrhost("10.0.0.0/8", pow(2, 4000))', 'cidrsubnets("10.0.0.0/8", list...)' }
  end)

  it("huge numbers", function()
    local huge = math.huge
    answered {
      ["pow(2, 1e12)"] = huge, ["pow(1.0000001, 1e15)"] = huge, ["pow(pow(2, 100000), 100000)"] = huge, ["1e999999999 + 1"] = huge,
      ["floor(1e999999999)"] = huge, ["ceil(1e-999999999)"] = 0, ["log(1e999999999, 2)"] = huge, ["1e99999999 % 7"] = 0,
      ["1e99999999 == 1e99999998"] = false, ['jsondecode("1e999999999")'] = huge, ['yamldecode("1e999999999")'] = huge,
      ['tonumber("1e999999999") + 1'] = huge, ["can(parseint(big, 36))"] = true,
    }
    limited { 'format("%b", 1e99999999)' }
  end)

  it("repetition in patterns", function()
    refused {
      'regex("a{1000}{1000}", big)', 'regex("(((((a{1000}){1000}){1000}){1000}){1000})", big)',
      'regexall("((x{100}){100}){100}", big)',
    }
  end)

  it("patterns that other libraries need exponential time for", function()
    answered {
      ['length(regexall("(x+x+)+y", big))'] = 0, ['replace(big, "/(x*)*y/", "z") == big'] = true,
      ['length(regexall("^(x|xx)*y$", big))'] = 0,
    }
  end)

  it("patterns that scan the rest of the text for each match", function()
    limited({ 'regexall("x*y|x", big)', 'replace(big, "/x(x*y)?/", "z")' }, nil, frugal)
    answered { ['length(regexall("x{1,9}", big))'] = 11112, ['length(regexall("\\\\w", big))'] = 100000 }
  end)

  it("patterns of many instructions on long texts", function()
    limited { 'regex("(?:[xy]*x[xy]{1000}z|[xy]*y[xy]{1000}z|[xy]*y[xy]{1000}w|[xy]*x[xy]{1000}w)", big)' }
  end)

  it("what a replacement refers to", function()
    limited {
      'replace(big, "/(x)/", join("", [for i in range(500) : "$1"]))', 'replace(big, "/(x*)/", join("", [for i in range(1000) : "$1"]))',
    }
  end)

  it("expanded arguments, and searches, in loops", function()
    for _, call in ipairs { "max(list...)", "contains(list, -1)", "sum(list)", "length(compact(list))", "list == concat(list, [0])" } do
      limited({ "length([for x in list : [for y in list : " .. call .. "]])" }, nil, frugal)
    end
  end)

  it("long texts, in loops", function()
    for _, call in ipairs {
      "length(big)", 'startswith(big, "xy")', 'replace(big, "y", "z")', "md5(big)", "strrev(big)", 'regexall("y", big)', "upper(big)",
    } do
      limited({ "length([for x in list : [for y in list : " .. call .. "]])" }, nil, frugal)
    end
  end)
end)

-- Enough for work of an ordinary size, far too little for what these are charged: without the charge each of them has its result, and
-- many of them in a loop took seconds within the default limit.
describe("what costs more than its size says: ", function()
  local function text(unit, n) return (unit):rep(n) end

  -- With so few steps each of them reaches the limit; with ten million it has an answer: a sample is checked for it.
  local turn, ONE_IN = 0, support.sample(3, 1)
  local function charged(steps, sources, data)
    local little = hcl.scope { limits = { steps = steps } }
    for _, source in ipairs(possible(sources)) do
      local v, err = hcl.eval(source, data, little)
      assert(v == nil, source .. " has a value")
      assert(err[1].code == "limit.steps", source .. ": " .. err[1].code)
      turn = turn + 1
      if turn % ONE_IN == 0 then hcl.assert(hcl.eval(source, data)) end
    end
  end

  -- Almost the same, and cheap.
  local function cheap(steps, sources, data)
    local little = hcl.scope { limits = { steps = steps } }
    for _, source in ipairs(possible(sources)) do hcl.assert(hcl.eval(source, data, little)) end
  end

  local function mixed(n)
    local t = {}
    for i = 1, n do t[i] = i % 2 == 0 and "b" or "a" end
    return table.concat(t)
  end

  it("patterns whose automaton has a state for each byte", function()
    local data = { ab = mixed(20000) }
    charged(10000, {
      'regexall("a[ab]{30}c", ab)', 'regexall("[ab]*a[ab]{12}c", ab)', 'regexall("(a|b)*a(a|b){16}c", ab)',
      'regexall("a.{60}c", ab)', 'regexall("a[ab][ab][ab][ab][ab][ab][ab][ab][ab][ab][ab][ab][ab]c", ab)',
      'regexall("(?i)A[ab]{30}C", ab)', 'regexall("(?:a?b?){20}c", ab)', 'regexall("a[^c]{30}c", ab)',
    }, data)
    cheap(50000, {
      'regexall("[a-c]+@[a-z.]+[.][a-z]{2,4}", ab)', 'regexall("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}", ab)',
      'regexall("[0-9a-f]{4}(?:-[0-9a-f]{4}){3}", ab)', 'regexall("(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}", ab)',
      'regexall("(?:ab|ba)c", ab)',
    }, data)
    cheap(500000, { '[for i in range(1000) : regex("^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$", "some-name-${i}")]' })
  end)

  it("patterns of hundreds of groups", function()
    charged(100000, { "length(regexall(p, s))" }, { p = text("()", 300), s = text("a", 40) })
    cheap(100000, { "length(regexall(p, s))" }, { p = text("(a)?", 10), s = text("a", 400) })
  end)

  it("patterns that are long when expanded, rejected or not", function()
    charged(200000, { "can(regex(p, \"a\"))" }, { p = text("x{1000}", 100) })
    charged(200000, { "can(regex(p, \"a\"))" }, { p = text("\\p{L}", 60) })
    charged(1000000, { "can(regex(p, \"a\"))" }, { p = text("(?:x{30}){30}", 2000) })
  end)

  it("patterns with many optional parts", function()
    charged(2000000, { 'length(regexall(p, "a"))' }, { p = text("a{0,1000}", 9) })
    charged(2000000, { 'length(regexall(p, "a"))' }, { p = text("a?", 9000) })
    charged(20000, { 'length(regexall(p, "a"))' }, { p = "(?:ab){0,900}" })
    cheap(20000, { 'length(regexall(p, "a"))' }, { p = text("a?", 100) .. "[a-z0-9]{0,100}" })
  end)

  it("sets of characters beyond ASCII in patterns", function()
    charged(130000, { 'length(regexall(p, "a"))' }, { p = text("\\p{L}", 20) })
    cheap(130000, { 'length(regexall(p, "a"))' }, { p = text("\\p{L}", 3) })
  end)

  it("short texts digested", function()
    charged(1800, { 'length([for i in range(200) : md5("a")])', 'length([for i in range(200) : base64sha512("a")])' })
  end)

  it("characters counted from the end", function()
    charged(20000, { "length([for i in range(10) : substr(s, -1, 1)])" }, { s = text("x", 20000) })
    cheap(20000, { "length([for i in range(10) : substr(s, 1, 1)])" }, { s = text("x", 20000) })
  end)

  it("assumed or known prefixes of unknown texts", function()
    local data = { s = text("x", 100000), u = hcl.unknown "string" }
    charged(60000, { "length([for i in range(10) : assumestringprefix(s, s)])" }, data)
    charged(60000, { 'length([for i in range(10) : format("${s}%s", u)])' }, data)
  end)

  it("texts before an unknown part, by no more than is known of the result", function()
    local source = "length([" .. ('"' .. ("${s}"):rep(40) .. '${u}"') .. "])"
    local data = { s = hcl.value(("x"):rep(2 ^ 20)), u = hcl.unknown "string" }
    assert.equal(1, hcl.assert(hcl.eval(source, data, hcl.scope { limits = { memory = 2 ^ 20 } })))
  end)

  it("long templates that are found again", function()
    charged(50000, { "length([for i in range(50) : templatestring(s, {})])" }, { s = text("x", 100000) })
  end)

  it("data of the host, from any source", function()
    local numbers, object, rows = {}, {}, {}
    for i = 1, 20000 do
      numbers[i], object["k" .. i] = i, i
      rows[i] = { a = i, b = i }
    end
    for _, data in ipairs { numbers, object, rows, { text("x", 2000000) } } do
      charged(3000, { "t", "[t, 1]", "try(t, 1)" }, { t = data })
    end
    charged(2000, { "t", "length(t)", "keys(t)" }, { t = object })
    cheap(3000, { "t[0]", "t[19999]" }, { t = numbers })
    cheap(3000, { "t.k5" }, { t = object })
    local unlike = { { a = 1 }, object }
    for i = 3, 2000 do unlike[i] = {} end
    cheap(200000, { "length(jsonencode(t))" }, { t = unlike })
  end)

  it("data of the host that isn't in form C", function()
    if lacking "\195\169" then return pending "no utf8proc" end
    local s = text("\239\183\186", 20000)
    local little = hcl.scope { limits = { steps = 3000 } }
    local function give() return s end
    for source, options in pairs {
      ["a.b"] = {}, ["c[0]"] = {}, ["c"] = {}, ["[for x in c : x]"] = {}, ["c[*].d"] = {}, ["k"] = {}, ["[for x, y in k : x]"] = {},
      ["length(k)"] = {}, ["lazy"] = {}, ["f()"] = {}, ["g()"] = {}, ["found"] = {}, ["found.x"] = {},
    } do
      options.parent = little
      options.lookup = function(ref) return ref.root == "found" and #ref.steps == 0 and s or { x = s } end
      options.functions = { f = give, g = hcl.func { returns = "string", impl = give } }
      local v, err = hcl.eval(source, { a = { b = s }, c = { s, { d = s } }, k = { [s] = 1 }, lazy = give }, hcl.scope(options))
      assert(v == nil and err[1].code == "limit.steps", source)
    end
    local _, err = hcl.render("${s}", { s = s }, little)
    assert.equal("limit.steps", err[1].code)
    -- No limit can be given here: the defaults apply.
    local much = {}
    for i = 1, 20 do much[i] = text("\239\183\186", 1000000) .. i end
    _, err = hcl.value(much)
    assert.equal("limit.steps", err[1].code)
  end)

  it("composite values compared", function()
    local deep, sets, rows = 1, {}, {}
    for _ = 1, 800 do deep = hcl.array { deep } end
    for i = 1, 1000 do
      sets[i] = "k" .. i
      rows[i] = { a = i }
    end
    local data = { deep = hcl.value(deep), set = hcl.value(sets, "set(string)"), rows = hcl.value(rows), list = hcl.value(sets) }
    charged(30000, { "length([for i in range(100) : deep == deep])" }, data)
    charged(30000, { "length([for i in range(100) : set == set])", "length([for i in range(100) : rows == rows])" }, data)
    cheap(30000, { "length([for i in range(100) : list == list])" }, data)
  end)

  it("characters that are decomposed and composed", function()
    if lacking "\195\169" then return pending "no utf8proc" end
    -- Three bytes and five: e with two marks, and alpha with three.
    charged(20000, { '"${s}x"', "upper(s)", 'join("", [s, "a"])' }, { s = hcl.value(text("\225\190\130", 10000)) })
    charged(20000, { '"${s}x"' }, { s = hcl.value(text("\239\183\186", 20000)) })
    cheap(20000, { '"${s}x"', "upper(s)" }, { s = hcl.value(text("x", 50000)) })
  end)

  it("long texts and numbers compared, and texts as keys", function()
    local long = text("x", 100000)
    local data = { a = long .. "a", b = long .. "b", s = text("f", 100000), t = { [long] = 1 }, long = long }
    data.o = hcl.value(data.t)
    for _, what in ipairs { "a == b", "a != b", "t[long]", "o[long]" } do
      charged(50000, { "length([for i in range(100) : " .. what .. "])" }, data)
    end
    for _, what in ipairs { "x == x", "x < x", "x >= x", "toset([x])" } do
      charged(500000, { "length([for x in [parseint(s, 16)] : [for i in range(1000) : [for j in range(10) : " .. what .. "]]])" }, data)
    end
    cheap(20000, { "length([for i in range(1000) : a == long])", 'length([for i in range(1000) : "same" == "name"])' }, data)
  end)

  it("large numbers that aren't kept", function()
    local loops = "[for i in range(10) : [for j in range(1000) : -x == 0]]"
    local v, err = hcl.eval("length([for x in [parseint(s, 16)] : " .. loops .. "])", { s = text("f", 60000) })
    assert.is_nil(v)
    assert.equal("limit.memory", err[1].code)
  end)

  it("numbers with large exponents", function()
    charged(50000, { "length(yamldecode(s))" }, { s = text("- 1e999\n", 4000) })
    charged(50000, { "length(jsondecode(s))" }, { s = "[" .. text("1e-999,", 4000) .. "1]" })
    cheap(50000, { "length(yamldecode(s))" }, { s = text("- 1000\n", 4000) })
  end)

  it("short texts compressed", function() charged(100000, { 'length([for i in range(200) : length(base64gzip("a"))])' }) end)

  it("maps written as YAML", function()
    local map = {}
    for i = 1, 4000 do map["k" .. i] = i end
    charged(15000, { "length(yamlencode(m))" }, { m = map })
  end)

  it("brackets that YAML has to look ahead in", function()
    charged(20000, { "can(yamldecode(s))" }, { s = text("{", 1000) })
    cheap(20000, { "can(yamldecode(s))" }, { s = text("{}", 1000) })
  end)

  it("types nested deeply", function()
    local function nested(leaf)
      for _ = 1, 800 do leaf = hcl.array { leaf } end
      return leaf
    end
    charged(50000, { "length(tolist(l))" }, { l = hcl.array { nested(1), nested "a" } })
    cheap(5000, { "length(tolist(l))" }, { l = hcl.array { nested(1) } })
  end)

  it("names that are similar to none of many", function()
    local names = {}
    for i = 1, 1000 do names["some_name_" .. i] = i end
    local source, little = "[for i in range(20) : something_else]", hcl.scope { limits = { steps = 2000 } }
    local _, err = hcl.eval(source, names, little)
    assert.equal("limit.steps", err[1].code)
    _, err = hcl.eval(source, {}, little)
    assert.equal("reference.unknown", err[1].code)
    _, err = hcl.eval(source, names)
    assert.equal("reference.unknown", err[1].code)
    -- If no suggestion will be shown, none is searched for.
    cheap(2000, { "[for i in range(20) : try(something_else, 0)]" }, names)
  end)

  it("types of wide objects", function()
    local wide = {}
    for i = 1, 1000 do wide["k" .. i] = i end
    local data, scope = { o = hcl.value(wide) }, hcl.scope { limits = { memory = 2 ^ 20 } }
    local _, err = hcl.eval("length([for i in range(200) : try(reverse(o), i)])", data, scope)
    assert.equal("limit.memory", err[1].code)
    assert.equal(10, hcl.eval("length([for i in range(10) : try(reverse(o), i)])", data, scope))
  end)

  it("long paths, and paths of many elements", function()
    local files = "spec/conformance/fixtures"
    local little, scope = hcl.scope { filesystem = files, limits = { steps = 20000 } }, hcl.scope { filesystem = files }
    local source = "length([for i in range(10) : abspath(p)])"
    local way = { p = text("caps/../", 10000) }
    assert.equal("limit.steps", code(hcl.eval(source, way, little)))
    assert.equal(10, hcl.eval(source, way, scope))
    assert.equal(10, hcl.eval('length([for i in range(10) : fileexists("hello.txt")])', nil, little))
  end)

  it("folders on the way to a file, and through links", function()
    local folder = support.temporary_folder()
    assert(support.runs(("cd %s && mkdir -p %s && ln -s %sd up"):format(folder, text("d/", 60), text("d/../", 60))))
    local little, scope = hcl.scope { filesystem = folder, limits = { steps = 3000 } }, hcl.scope { filesystem = folder }
    for _, path in ipairs { text("d/", 60) .. "x", "up/x" } do
      assert.equal("limit.steps", code(hcl.eval("fileexists(p)", { p = path }, little)))
      assert.is_false(hcl.eval("fileexists(p)", { p = path }, scope))
    end
    assert.is_false(hcl.eval('fileexists("d/x")', nil, little))
    support.remove(folder)
  end)

  it("files that are found, each by a different path", function()
    local folder = support.temporary_folder()
    for i = 1, 100 do support.write(folder .. "/" .. i .. ".txt", "") end
    local little, scope = hcl.scope { filesystem = folder, limits = { steps = 10000 } }, hcl.scope { filesystem = folder }
    assert.equal("limit.steps", code(hcl.eval('length(fileset(".", "*"))', nil, little)))
    assert.equal(100, hcl.eval('length(fileset(".", "*"))', nil, scope))
    assert.equal(10, hcl.eval('length(fileset(".", "1?.txt"))', nil, little))
    support.remove(folder)
  end)

  it("empty parts of gzip", function()
    -- Three empty files at a time.
    local files = "H4sIAAAAAAAA/wMAAAAAAAAAAAAfiwgAAAAAAAD/AwAAAAAAAAAAAB+LCAAAAAAAAP8DAAAAAAAAAAAA"
    charged(30000, { "base64gunzip(s)" }, { s = text(files, 1000) })
    cheap(30000, { "base64gunzip(s)" }, { s = text(files, 10) })
  end)

  it("invalid names of encodings", function()
    charged(4000, { 'length([for i in range(200) : can(textencodebase64("a", "none"))])' })
  end)

  it("unless the failure isn't read", function()
    assert.equal(400, hcl.eval 'length([for i in range(400) : [for j in range(1000) : can(nosuch("A"))]])')
  end)

  it("unless try() reports only the error of its last expression", function()
    local v, err = hcl.eval('[for s in ["a", "b"] : try(tonumber(s), can(tonumber(s)) ? 1 : nope, tobool(s))]', {})
    assert.is_nil(v)
    assert.equal(2, #err)
    for i, letter in ipairs { "a", "b" } do
      assert.truthy(err[i].detail:find('"tobool(s)"', 1, true) or err[i].detail:find('"s"', 1, true), err[i].detail)
      assert.truthy(err[i].detail:find('"' .. letter .. '"', 1, true), err[i].detail)
    end
    v, err = hcl.eval('[try(nope, 1), can(nope), try(nope, try(tonumber("x"), tonumber("y"))), tonumber("z")]', {})
    assert(v == nil and #err == 2)
    assert.truthy(err[1].detail:find('"y"', 1, true))
    assert.truthy(err[2].detail:find('"z"', 1, true))
    v, err = hcl.eval('try(tonumber("x"), tonumber("y"), []...)', {})
    assert.is_nil(v)
    assert.truthy(err[1].detail:find('"y"', 1, true))
    assert.same({ true, true }, hcl.eval "[can([1]...), true]")
  end)

  it("and an abort in a silent place has its text", function()
    local source = 'try([for i in range(1000) : [for j in range(1000) : upper("a")]], upper(1, 2), 1)'
    for _ = 1, 3 do
      local v, err = hcl.eval(source, {}, hcl.scope { limits = { steps = 1000 } })
      assert.is_nil(v)
      assert.equal("limit.steps", err[1].code)
    end
  end)

  it("many marks joined", function()
    local marked = {}
    for i = 1, 2000 do marked[i] = hcl.mark(i, "m" .. i) end
    charged(100000, { "l == l", "toset(l)", '"${join("", l)}"' }, { l = hcl.value(marked) })
    cheap(100000, { "length(l)", "l[7]" }, { l = hcl.value(marked) })
  end)

  it("numbers of a rejected range", function()
    charged(5000, { "[for i in range(10) : try(range(1e30), 0)]" })
  end)
end)

describe("what grows when it is read", function()
  it("in YAML, by aliases", function()
    local lines = { "a0: &a0 [x, x, x, x, x, x, x, x, x, x]" }
    for i = 1, 9 do
      local alias = "*a" .. i - 1
      lines[#lines + 1] = ("a%d: &a%d [%s]"):format(i, i, alias .. (", " .. alias):rep(9))
    end
    limited({ "yamldecode(text)", 'lookup(yamldecode(text), "a9")' }, { text = table.concat(lines, "\n") })
  end)

  it("in YAML and JSON, by nesting", function()
    for _, text in ipairs { ("["):rep(100000), ("["):rep(100000) .. ("]"):rep(100000), ('{"a":'):rep(100000) } do
      for _, source in ipairs { "jsondecode(text)", "yamldecode(text)" } do
        assert.is_nil((hcl.eval(source, { text = text })))
      end
    end
  end)

  it("in gzip", function()
    if not (support.has "gzip" and support.has "base64") then
      support.note "cost_spec: gzip or base64 is not installed: the bomb is passed over"
      return
    end
    limited({ "base64gunzip(bomb)" }, { bomb = support.output "head -c 100000000 /dev/zero | gzip -9 | base64 | tr -d '\\n'" })
  end)
end)

it("a table of lazy values is walked once or twice, not once for each of them", function()
  local n, asked, lazies = 4000, 0, {}
  local function give()
    asked = asked + 1
    return asked
  end
  for i = 1, n do lazies[i] = hcl.lazy(give) end
  for _, source in ipairs { "[x]", "[for e in x : e + 1]", "length(x)", "x[*]", "concat(x, x)[0]", "x[3999]", 'join(",", x)' } do
    asked = 0
    local v, err = hcl.eval(source, { x = lazies }, frugal)
    assert.truthy(v, source .. tostring(err))
    assert.is_true(asked <= n, source)
  end
end)
