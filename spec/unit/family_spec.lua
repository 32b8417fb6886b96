-- Families: Values in one block of memory that share equal parts. Every value comes out as it was put in.
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local testing = require "hclexpr.testing"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local null = hcl.null

-- Values of all kinds, many of them nearly the same.
local values = {}

local function add(...) values[#values + 1] = hcl.assert(hcl.value(...)) end

add(true) add(false) add(1) add(2) add(0.5) add(0.25) add "" add "a" add "b"
add(null) add(null, "string") add(null, "list(string)") add(null, "list(number)")
add({}) add(hcl.array {})
add { "a" } add { "b" } add { "a", "b" } add { "a", 1 } add { { x = 1 }, { x = 2 } }
add { { x = 1 }, { y = 2 } }
add({ "a" }, "list(string)") add({ "b" }, "list(string)") add({ "1" }, "set(string)") add({ 1 }, "set(number)")
add({ "2", "1" }, "set(string)")
add { a = 1 } add { a = "1" } add { b = 1 } add { a = 1, b = { c = "x" } } add { b = { c = "x" }, a = 1 }
add { a = 1, b = { c = "y" } }
add({ a = 1 }, "map(number)") add({ a = 1 }, "map(string)") add({ a = null }, "map(string)")
values[#values + 1] = hcl.sensitive "a"
values[#values + 1] = hcl.sensitive "b"
values[#values + 1] = hcl.sensitive "a":mark "other"
add { a = hcl.sensitive "a", b = 1 } add { a = hcl.sensitive "b", b = 1 } add { a = "a", b = 1 }
for _, row in ipairs {
  { "any" }, { "string" }, { "number" }, { "list(string)" }, { "list(number)" }, { "object({ a = string })" },
  { "string", { not_null = true } },
  { "string", { prefix = "a" } }, { "string", { prefix = "b" } }, { "number", { min = 1 } },
  { "number", { min = 1, min_inclusive = false } },
  { "number", { min = 2, max = 3 } }, { "list(string)", { min_length = 1 } }, { "list(string)", { min_length = 1, max_length = 2 } },
  { "any", { untyped = true } }, { "any", { attributes = { a = 1 } } }, { "any", { attributes = { a = 2 } } },
  { "any", { attributes = { a = 1, b = { c = 2 } } } }, { "any", { items = { 1, 2 } } },
  { "any", { items = { 1, 3 } } },
} do
  local unknown = hcl.unknown(row[1], row[2])
  values[#values + 1] = unknown
  add { a = unknown, b = 1 }
end

-- All properties of a value, as text.
local function told(value)
  local marks, plain = table.concat(value:marks(), " "), value:unmark()
  local parts = { marks, plain:type():json(), tostring(plain) }
  local refinements = plain:refinements()
  if refinements then
    local rows = {}
    for name, x in pairs(refinements) do
      rows[#rows + 1] = name .. "=" .. (type(x) == "userdata" and told(x) or tostring(x))
    end
    table.sort(rows)
    parts[#parts + 1] = table.concat(rows, ",")
  elseif not plain:is_null() and ({ list = 1, set = 1, tuple = 1, map = 1, object = 1 })[plain:type():kind()] then
    for key, element in plain:pairs() do parts[#parts + 1] = tostring(key) .. ": " .. told(element) end
  end
  return table.concat(parts, "; ")
end

describe("a family", function()
  it("returns each value as it was added, after any other values", function()
    local texts, wrong = {}, {}
    for i, value in ipairs(values) do texts[i] = told(value) end
    for distance = 0, 3 do
      for i, value in ipairs(values) do
        local before, numbers, names = (i + distance) % #values + 1, core.family("numbers", 2), core.family("names", 2)
        numbers[0], numbers[1] = values[before], value
        names.a, names.b = values[before], value
        for _, got in ipairs { numbers, names } do
          local first, second = got == names and "a" or 0, got == names and "b" or 1
          local fine = told(got[first]) == texts[before] and told(got[second]) == texts[i]
          if not fine then wrong[#wrong + 1] = texts[before] .. " | " .. texts[i] end
        end
      end
    end
    assert.same({}, wrong)
  end)

  it("has nothing where nothing was added", function()
    local numbers, names = core.family("numbers", 3), core.family("names", 3)
    numbers[1], numbers[2] = values[1], nil
    names.a = nil
    for _, key in ipairs { 0, 2, 3, -1, 0.5, "a", true } do assert.is_nil(numbers[key]) end
    for _, key in ipairs { "a", "", 1, false } do assert.is_nil(names[key]) end
    for _, key in ipairs { 3, -1, 0.5, "a" } do
      assert.is_false(pcall(function() numbers[key] = values[1] end))
    end
    assert.is_false(pcall(function() names[1] = values[1] end))
    assert.is_false(pcall(function() names.a = 1 end))
  end)

  it("is one value", function()
    local numbers, names, gap = core.family("numbers", 5), core.family("names", 1), hcl.value "gap"
    assert.equal("[]", tostring(core.family_value(numbers, gap)))
    assert.equal("{}", tostring(core.family_value(names, gap)))
    numbers[1], numbers[3] = hcl.value "b", hcl.value "d"
    local before = core.family_value(numbers, gap)
    numbers[0] = hcl.value "a"
    assert.equal("gap b gap d", table.concat(before:lua(), " "))
    assert.equal("a b gap d", table.concat(core.family_value(numbers, gap):lua(), " "))
    for i = 1, 40 do names["k" .. i] = hcl.value(i) end
    before = core.family_value(names, gap)
    names.k1, names.more = hcl.value "new", hcl.value "more"
    assert.is_nil(before:get "more")
    assert.equal("1", before:get("k1"):text())
    assert.equal(40, #before)
    local after = core.family_value(names, gap)
    assert.equal("new", after:get("k1"):text())
    assert.equal("40", after:get("k40"):text())
    assert.equal(41, #after)
  end)

  it("has no part of a value that failed for lack of memory", function()
    local failed = 0
    for _, n in ipairs { 8, 64, 256, 1000 } do
      for allocation = 1, 3 do
        local names, four = core.family("names", n), hcl.value(4)
        for i = 1, n do names["k" .. i] = four end
        testing.fail_after(allocation)
        local put = pcall(function() names.lost = four end)
        testing.fail_after(0)
        failed = failed + (put and 0 or 1)
        assert.equal(put, names.lost ~= nil)
        names.lost = four
        assert.equal(n + 1, #core.family_value(names, four))
      end
    end
    assert.is_true(failed > 4)
  end)

  it("takes the memory that its values need, without a limit", function()
    local names, long = core.family("names", 1e6), hcl.value(("x"):rep(2 ^ 20))
    names.a = long
    assert.equal(2 ^ 20, #names.a:text())
  end)

  it("lives as long as a value of it", function()
    local value
    do
      local all = core.family("names", 1)
      all.a = hcl.value { x = { "text" } }
      value = all.a
    end
    support.collect()
    assert.equal("text", value:get("x"):get(0):text())
  end)

  it("has the instances of a resource, so that Lua's heap hardly grows with them", function()
    local function heap(text, n)
      local folder = support.folder { ["main.tf"] = text:format(n) }
      local module = hcl.assert(hcl.module(folder))
      hcl.assert(module:value "terraform_data.x")
      support.remove(folder)
      support.collect()
      local kilobytes = collectgarbage "count"
      assert.truthy(module)
      return kilobytes * 1024
    end
    for text, most in pairs {
      ['resource "terraform_data" "x" {\n count = %d\n input = count.index\n}\n'] = 100,
      ['resource "terraform_data" "x" {\n for_each = toset([for i in range(%d) : "k${i}"])\n input = each.key\n}\n'] = 200,
    } do
      heap(text, 1001) -- what is loaded and compiled once
      local one = heap(text, 1)
      local each = (heap(text, 1001) - one) / 1000
      assert.is_true(each < most, ("%.0f bytes an instance"):format(each))
    end
  end)
end)
