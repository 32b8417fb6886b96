-- Lua tables where only a text, a number or a bool is allowed: the error gives the kind and the number of elements, and
-- their contents are not read. The message is the same as for the same data as a Value.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local has_testing, testing = pcall(require, "hclexpr.testing")

-- All fields of diagnostics, as text.
local function told(err)
  local out = {}
  for i = 1, #err do
    local d = err[i]
    local at, around = d.range, d.context
    out[#out + 1] = table.concat({ d.code, d.summary, d.detail, at.start.byte, at.stop.byte, around.start.byte,
      around.stop.byte }, " | ")
    for _, v in ipairs(d.values) do out[#out + 1] = v.path .. " = " .. v.text end
  end
  return table.concat(out, "\n")
end

local function fails(source, variables, scope)
  local v, err = hcl.eval(source, variables, scope)
  assert(v == nil, source .. " has a value")
  return err
end

local function numbers(n)
  local t = {}
  for i = 1, n do t[i] = i end
  return t
end

local function keys(n)
  local t = {}
  for i = 1, n do t["k" .. i] = { i } end
  return t
end

-- Operations that accept no collection. x is the table itself.
local refusing = {
  "upper(x)", "abs(x)", 'join(x, ["a"])', "max(1, x)", 'substr("abc", x, x)', "!x", "-x", "x + 1", "1 - x", "x * x", "x < 1", "2 >= x",
  "x && true", "false || x", '"a${x}"', '"${x}${x}"', '"${x + 1}-${upper(x)}"', "[upper(x), lower(x)]", "upper((x))", 'upper("${x}")',
  "[for e in [1, 2] : e + x]", '"%{ for e in [1] }${x}%{ endfor }"', 'try(upper(x), lower(x))', "upper(x, nope)", '"${x}${nope}"',
  "o.x + 1", "upper(o[k])", "upper(o[k + 0])", "upper(l[0])", "upper(l[i])", "[for e in l : upper(e)]", "[for e in l : -e]",
  '[for e in rows : "-${e.x}"]', "rows[*].x + 1", "[for e in rows : upper(e.x)]", "[for e in rows : e.o.x + 1]", "length(x) + x",
  "[upper(x), x]", "[x == 1, upper(x)]", "{ a = x.y, b = upper(x) }",
}

local function variables(x)
  return { x = x, k = "x", i = 0, o = { x = x }, l = { x, x }, rows = { { x = x, o = { x = x } }, { x = x, o = { x = x } } } }
end

local function everything()
  describe("the report about a table", function()
    local tables = {
      {}, { 1 }, numbers(3), numbers(100), { { 1 }, { a = 1 } }, { a = 1 }, { a = 1, b = "x", c = { d = { true } } }, keys(40),
      { hcl.null }, { a = hcl.null }, { ["e\204\129"] = 1, ["\195\188"] = 2 }, hcl.array {}, hcl.array { 1 },
    }
    for number, t in ipairs(tables) do
      it("is the same as for a Value, table " .. number, function()
        local bound = {}
        for name, v in pairs(variables(t)) do bound[name] = hcl.value(v) end
        for _, source in ipairs(refusing) do
          assert.equal(told(fails(source, bound)), told(fails(source, variables(t))), source)
        end
      end)
    end

    it("gives its kind, and the number of elements of a tuple", function()
      local expected = {
        { {}, "empty object" }, { hcl.array {}, "empty tuple" }, { { 7 }, "tuple with 1 element" }, { numbers(9), "tuple with 9 elements" },
        { { a = 7 }, "object" }, { keys(9), "object" },
      }
      for _, case in ipairs(expected) do
        for _, source in ipairs { "upper(x)", "x + 1", "-x" } do
          local err = fails(source, { x = case[1] })
          assert.truthy(err[1].detail:find(case[2], 1, true), err[1].detail)
          assert.equal("x", err[1].values[1].path)
          assert.equal(case[2], err[1].values[1].text)
        end
      end
    end)
  end)

  describe("the content of a rejected table", function()
    local function untouched()
      error "asked for"
    end
    local cyclic = {}
    cyclic.a = cyclic
    local inside = {
      lazy = { a = hcl.lazy(untouched) }, deep = { a = { b = hcl.lazy(untouched) } }, ["function"] = { a = untouched }, cycle = cyclic,
      nan = { a = 0 / 0 }, text = { a = "\255" }, rows = { { hcl.lazy(untouched) } }, object = { a = io.stdout },
    }
    for name, t in pairs(inside) do
      it("isn't read: " .. name, function()
        for _, source in ipairs { "upper(x)", "x + 1", '"a${x}"', "!x", "upper(o.x)", "upper(l[i])", "[for e in l : upper(e)]" } do
          local err = fails(source, variables(t))
          assert.truthy(err[1].code == "call.argument" or err[1].code:find "^operator" or err[1].code:find "^template", source .. told(err))
        end
        assert.equal("none", hcl.eval('try(upper(x), -x, "none")', variables(t)))
        assert.equal(false, hcl.eval('can("a${x}")', variables(t)))
      end)
    end

    it("isn't converted: it may be more than memory allows", function()
      local large = {}
      for i = 1, 50 do large[i] = ("x"):rep(10000) end
      local scope = hcl.scope { limits = { memory = 100000 } }
      assert.equal("limit.memory", fails("[x]", { x = large }, scope)[1].code)
      assert.equal("call.argument", fails("upper(x)", { x = large }, scope)[1].code)
      assert.equal("call.argument", fails("[for e in x : upper(e)]", { x = { large } }, scope)[1].code)
    end)

    it("shows no secret", function()
      for _, mark in ipairs { "sensitive", "ephemeral", "my-own" } do
        local secret = hcl.mark("XSECRETX", mark)
        for _, t in ipairs { { a = secret }, { secret }, { a = { b = { secret } } }, { hcl.lazy(function() return secret end) } } do
          for _, source in ipairs(refusing) do
            assert.is_nil(told(fails(source, variables(t))):find("XSECRETX", 1, true), source)
          end
        end
        -- The number of its elements isn't secret, as length() shows, unless the whole is marked.
        for _, x in ipairs { { a = secret, b = 1 }, hcl.value { a = secret, b = 1 } } do
          assert.equal(2, hcl.eval("length(x)", { x = x }))
          assert.truthy(fails("upper(x)", { x = x })[1].detail:find("not an object.", 1, true))
        end
        local whole = hcl.mark(hcl.value { 1, 2 }, mark)
        assert.is_nil(told(fails("upper(x)", { x = whole })):find("2 elem", 1, true))
        assert.is_nil(told(fails("[for e in x : upper(e)]", { x = hcl.mark(hcl.value { { 1, 2 } }, mark) })):find("2 elem", 1, true))
      end
    end)
  end)

  describe("tables that are read nevertheless", function()
    it("are those whose keys aren't strings", function()
      for _, t in ipairs { { [2] = 1 }, { [0] = 1 }, { [1.5] = 1 }, { [true] = 1 } } do
        for _, source in ipairs { "upper(x)", "x + 1", '"a${x}"' } do
          local code = fails(source, { x = t })[1].code
          assert.truthy(code == "data.keys" or code == "data.hole", code)
        end
      end
    end)

    it("are lazy values, nulls, and those with a metatable", function()
      local lazy = { x = hcl.lazy(function() return coroutine.yield "x" end) }
      local function value(answer)
        return support.drive(function() return hcl.eval("upper(x)", lazy) end, function() return answer end)
      end
      assert.equal("A", value "a")
      local _, err = value { "a", "b" }
      assert.truthy(err[1].detail:find("tuple with 2 elements", 1, true), err[1].detail)
      _, err = value(hcl.value { a = 1 })
      assert.truthy(err[1].detail:find("not an object.", 1, true), err[1].detail)
      local null = {}
      local scope = hcl.scope { convert = { null = null } }
      for _, source in ipairs { "upper(x)", "upper(l[0])", "[for e in l : upper(e)]" } do
        assert.truthy(fails(source, { x = null, l = { null } }, scope)[1].detail:find("must not be null", 1, true))
        assert.truthy(fails(source, { x = {}, l = { {} } }, scope)[1].detail:find("empty object", 1, true))
      end
      local odd = setmetatable({ a = 1 }, { __index = { b = 2 } })
      assert.truthy(fails("upper(x)", { x = odd })[1].detail:find("not an object.", 1, true))
    end)

    it("are arguments of functions that replace built-ins", function()
      local scope = hcl.scope { functions = {
        upper = function(t) return type(t) == "table" and #t .. t[#t] or "text " .. tostring(t) end,
        abs = hcl.func { params = { { name = "n", type = "number" } }, returns = "number", impl = function(n) return n + 100 end },
      } }
      local function list()
        return { 1, hcl.lazy(function() return coroutine.yield "z" end) }
      end
      local expected = {
        ["upper(x)"] = "2z", ["upper(x.y)"] = "2z", ["upper(l[0])"] = "2z", ["upper(l[i])"] = "2z", ["upper(l[i + 0])"] = "2z",
        ["upper(o.x)"] = "2z", ["upper((x))"] = "2z", ['"${upper(x)}-${upper("a")}"'] = "2z-text a", ["upper(l[*][1])"] = "2z",
        ['join(",", [for e in l : upper(e)])'] = "2z,2z", ['join(",", [for e in rows : upper(e.x)])'] = "2z,2z",
        ['join(",", [for e in rows : upper(e.o.x)])'] = "2z,2z", ["[upper(x), abs(1)][0]"] = "2z", ["try(lower(x), upper(x))"] = "2z",
      }
      for source, answer in pairs(expected) do
        local v = variables(list())
        if source == "upper(x.y)" then v.x = { y = list() } end
        if source == "upper(l[*][1])" then
          v.l = { { 1, 5 }, { 2, "z" } }
        end
        assert.equal(answer, support.drive(function() return hcl.eval(source, v, scope) end, function(x) return x end), source)
      end
      assert.truthy(fails("abs(x)", { x = { 1 } }, scope)[1].detail:find("tuple with 1 element", 1, true))
      assert.truthy(fails("lower(x)", { x = { 1 } }, scope)[1].detail:find("tuple with 1 element", 1, true))
      assert.truthy(fails("x + 1", { x = { 1 } }, scope)[1].detail:find("tuple with 1 element", 1, true))
    end)

    it("are those that are needed for something else, too", function()
      local x = { a = "b", c = hcl.lazy(function() return "d" end) }
      assert.same({ a = "b", c = "d" }, hcl.eval('[try(upper(x), 0), x][1]', { x = x }))
      assert.same({ a = "b", c = "d" }, hcl.eval('[x, try(-x, "${x}-", 0)][0]', { x = x }))
      assert.equal(true, hcl.eval('x == { a = "b", c = "d" } && !can(upper(x)) && length(x) == 2', { x = x }))
      assert.same({ { a = 1 } }, hcl.eval("[for e in l : try(upper(e), e)]", { l = { { a = 1 } } }))
      assert.same({ { 1 }, "A" }, hcl.eval("[for e in l : try(upper(e.x), e.x)]", { l = { { x = { 1 } }, { x = "a" } } }))
    end)
  end)

  it("names rows that fail, and keeps the others", function()
    local list, fail = {}, 0
    for i = 1, 150 do
      list[i] = i % 3 == 0 and { id = { i } } or { id = "n" .. i }
      if i % 5 == 0 then
        local row = list[i]
        list[i] = hcl.lazy(function() return row end)
      end
      if i % 3 == 0 then fail = fail + 1 end
    end
    local err = fails("[for e in l : upper(e.id)]", { l = list })
    assert.equal(fail, #err)
    for i = 1, fail do assert.truthy(err[i].detail:find("a tuple with 1 element.", 1, true), err[i].detail) end
    assert.equal(fail, #fails("[for e in l : upper(e.nope)]", { l = { support.unpack(list, 1, fail) } }))
    local ids = hcl.assert(hcl.eval('[for e in l : try(upper(e.id), "-")]', { l = list }))
    for i = 1, 150 do assert.equal(i % 3 == 0 and "-" or "N" .. i, ids[i]) end
  end)

  it("isn't complete if an element itself is wrong: that is reported", function()
    local wrong = { { a = hcl.lazy(function() return nil, "no luck" end) }, { a = function() end }, { a = 0 / 0 }, { a = "\255" } }
    local codes = { "lazy.failed", "data.type", "data.number", "data.text" }
    for i, x in ipairs(wrong) do
      local sources = {
        "upper(x[k])", "x[k] + 1", '"a${x[k]}"', "[x[k]]", "x[k].b", "x[k] ? 1 : 2", "upper(x.a)", "upper(lookup(x, k))",
      }
      for _, source in ipairs(sources) do
        assert.equal(codes[i], fails(source, { x = x, k = "a" })[1].code, source)
      end
    end
  end)
end

describe("A table where only a scalar will do", everything)

describe("The same, suspended at each instruction", function()
  if not has_testing then return pending "not a test build" end
  local was
  setup(function() was = testing.stutter(true) end)
  teardown(function() testing.stutter(was) end)
  everything()
end)
