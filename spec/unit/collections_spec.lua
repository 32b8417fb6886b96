-- Functions over large collections, against the same in plain Lua: sorting and hashing take other ways as there is more data.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local distinct, random = support.distinct, support.random(1)

-- Texts of several kinds: short, with prefixes that many share, with one that goes on for long, in order, in pieces that are.
local KINDS = {
  function() return string.char(96 + random(26)) end,
  function(i) return ("item %d"):format(i * 7919 % 1000) end,
  function() return ("subnet-"):rep(random(6)) .. random(300) end,
  function() return ("x"):rep(random(60)) end,
  function() return ("long "):rep(200) .. random(50) end,
  function(i) return ("%06d"):format(i) end,
  function(i) return ("%06d"):format(i % 500) end,
}

local function texts(kind, n)
  local out = {}
  for i = 1, n do out[i] = KINDS[kind](i) end
  return out
end

local function sorted(list)
  local out = {}
  for i, x in ipairs(list) do out[i] = x end
  table.sort(out)
  return out
end

local function chosen(a, b, wanted)
  local there, out = {}, {}
  for _, x in ipairs(b) do there[x] = true end
  for _, x in ipairs(sorted(distinct(a))) do
    if (there[x] or false) == wanted then out[#out + 1] = x end
  end
  return out
end

local function joined(a, b)
  local out = {}
  for _, x in ipairs(a) do out[#out + 1] = x end
  for _, x in ipairs(b) do out[#out + 1] = x end
  return out
end

local function plain(list)
  local out = {}
  for i = 1, #list do out[i] = list[i] end
  return out
end

local function eval(source, variables)
  return plain(hcl.assert(hcl.eval(source, variables)))
end

for kind = 1, #KINDS do
  for _, n in ipairs { 0, 1, 12, 13, 100, 3000 } do
    it(("agree with plain Lua: texts of kind %d, %d of them"):format(kind, n), function()
      local a, b = hcl.array(texts(kind, n)), hcl.array(texts(kind, n + 7))
      assert.same(sorted(a), eval("sort(a)", { a = a }))
      assert.same(sorted(distinct(a)), eval("toset(a)", { a = a }))
      assert.same(distinct(a), eval("distinct(a)", { a = a }))
      assert.same(sorted(distinct(joined(a, b))), eval("setunion(a, b)", { a = a, b = b }))
      assert.same(sorted(distinct(joined(a, b))), eval("setunion(b, [], a, slice(b, 0, 3))", { a = a, b = b }))
      assert.same(chosen(a, b, true), eval("setintersection(a, b)", { a = a, b = b }))
      assert.same(chosen(a, b, false), eval("setsubtract(a, b)", { a = a, b = b }))
      assert.same(sorted(distinct(a)), eval("keys(zipmap(a, a))", { a = a }))
      assert.same(sorted(distinct(joined(a, b))), eval("values(merge(zipmap(a, a), {}, zipmap(b, b)))",
        { a = a, b = b }))
    end)
  end
end

describe("numbers", function()
  local list, other = {}, {}
  for i = 1, 2000 do
    list[i] = random(3000) - 1500
    other[i] = i % 3 == 0 and random(3000) - 1500 or random(3000) / 4
  end

  it("are sorted as numbers in sets", function()
    assert.same(sorted(distinct(list)), eval("toset(a)", { a = list }))
    assert.same(sorted(distinct(other)), eval("toset(a)", { a = other }))
  end)

  it("are found again, whole or not", function()
    for _, pair in ipairs { { list, other }, { other, list }, { list, list } } do
      local a, b = pair[1], pair[2]
      assert.same(chosen(a, b, true), eval("setintersection(a, b)", { a = a, b = b }))
      assert.same(chosen(a, b, false), eval("setsubtract(a, b)", { a = a, b = b }))
      assert.same(sorted(distinct(joined(a, b))), eval("setunion(a, b)", { a = a, b = b }))
    end
  end)
end)

it("a null, an empty set and one of another type among sets of strings", function()
  assert.same({ "a", "b", hcl.null }, eval('setunion(["b", null], ["a"], [])', {}))
  assert.same({ "1", "2" }, eval('setintersection(["2", "1", "3"], [1, 2])', {}))
  assert.same({ hcl.null }, eval('setsubtract(["a", null], ["a"])', {}))
end)

-- In ASCII Lua's own functions know the cases, which they are asked about in the C locale.
it("upper and lower of every length", function()
  local text = ("aZ@[`{zA m-09\127\1"):rep(3)
  for from = 1, 16 do
    for to = from - 1, from + 24 do
      local s = text:sub(from, to)
      assert.same({ s:upper(), s:lower() }, eval("[upper(s), lower(s)]", { s = s }))
      assert.same({ s:upper() .. "\195\137", s:lower() .. "\195\169" }, eval("[upper(s), lower(s)]", { s = s .. "\195\169" }))
    end
  end
end)
