-- Short sources that ask for a lot: each ends with a diagnostic, before the work is done.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

-- Generous, for slow machines and sanitizers: the work itself would take minutes or more, or all memory.
local SECONDS = 2

local big = ("x"):rep(100000)
local list = {}
for i = 1, 1000 do list[i] = i end
local variables = { big = big, list = list }

local function timed(source, more)
  local start = os.clock()
  local v, err = hcl.eval(source, more or variables)
  local took = os.clock() - start
  assert(took < SECONDS, source .. " took " .. took .. " s")
  return v, err
end

-- It is a limit that stops these …
local function limited(sources, more)
  for _, source in ipairs(sources) do
    local v, err = timed(source, more)
    assert(v == nil, source .. " has a value")
    assert(err[1].code:find "^limit%.", source .. ": " .. err[1].code)
  end
end

-- … and these fail for what they are, as in the reference.
local function refused(sources)
  for _, source in ipairs(sources) do
    local v, err = timed(source)
    assert(v == nil, source .. " has a value")
    assert(not err[1].code:find "^limit%.", source .. ": " .. err[1].code)
  end
end

describe("the cost is charged before it is spent: ", function()
  it("widths and precisions of format", function()
    limited {
      'format("%999999999d", 1)', 'format("%.999999999f", 1)', 'format("%999999999s", "a")', 'format("%0999999999d", 1)',
      'format("%-999999999q", "a")', 'formatlist("%99999999d", list)', 'format("%b", 1e99999999)',
    }
    refused { 'format("%[999999999]d", 1)' }
  end)

  it("indent", function() limited { 'indent(1e9, "a\\nb")', 'indent(1e18, "a\\nb")', 'indent(100000, join("\\n", list))' } end)

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
    for _, source in ipairs {
      "pow(2, 1e12)", "pow(1.0000001, 1e15)", "pow(pow(2, 100000), 100000)", "1e999999999 + 1", "floor(1e999999999)",
      "ceil(1e-999999999)", "log(1e999999999, 2)", "1e99999999 % 7", "1e99999999 == 1e99999998", 'jsondecode("1e999999999")',
      'yamldecode("1e999999999")', 'tonumber("1e999999999") + 1', "parseint(big, 36)", 'format("%v", 1e99999999)',
    } do
      timed(source)
    end
  end)

  it("repetition in patterns", function()
    refused {
      'regex("a{1000}{1000}", big)', 'regex("(((((a{1000}){1000}){1000}){1000}){1000})", big)',
      'regexall("((x{100}){100}){100}", big)',
    }
  end)

  it("patterns that other libraries need exponential time for", function()
    for _, source in ipairs { 'regexall("(x+x+)+y", big)', 'replace(big, "/(x*)*y/", "z")', 'regexall("^(x|xx)*y$", big)' } do
      timed(source)
    end
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
        assert.is_nil((timed(source, { text = text })))
      end
    end
  end)

  it("in gzip", function()
    if not (support.has "gzip" and support.has "base64") then
      support.note "cost_spec: gzip or base64 is not installed: the bomb is passed over"
      return
    end
    limited({ "base64gunzip(bomb)" }, { bomb = support.output "head -c 200000000 /dev/zero | gzip -9 | base64 | tr -d '\\n'" })
  end)
end)
