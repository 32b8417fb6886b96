-- An expression that fails again and again with what is bound in its scope soon writes no texts any more, since they are known: what it
-- reports then is just what it reported the first time. Every recorded case that fails is tried.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local hcl = require "hclexpr"
local here = support.here()
local runner = dofile(here .. "runner.lua")
local has_testing, testing = pcall(require, "hclexpr.testing")
testing = has_testing and testing

local FILES = {
  "literals", "operators", "conditionals", "templates", "for_splat_index", "calls", "unknown_marks", "fuzz", "func_collection",
  "func_corners",
}
local MORE = {
  "func_convert", "func_crypto", "func_encoding", "func_files", "func_format", "func_json", "func_numeric", "func_regex", "func_strings",
  "func_strargs", "func_templatestring", "func_time", "func_yaml",
}
-- The functions' own messages come from the core, and diagnostics have two forms in Lua: from 5.2 on, and for 5.1 and LuaJIT. So one Lua of
-- each form has all of them.
if _VERSION == "Lua 5.4" or rawget(_G, "jit") then
  for _, name in ipairs(MORE) do FILES[#FILES + 1] = name end
end

-- All that diagnostics say, as text.
local function told(err)
  local out = { tostring(err) }
  for i = 1, #err do
    local d = err[i]
    local places = {}
    for _, name in ipairs { "range", "context" } do
      local r = d[name]
      places[#places + 1] = r and ("%d-%d"):format(r.start.byte, r.stop.byte) or "none"
    end
    out[#out + 1] = table.concat({ d.severity, d.code, d.summary, d.detail, places[1], places[2] }, " | ")
    for _, v in ipairs(d.values) do out[#out + 1] = v.path .. " = " .. v.text end
  end
  return table.concat(out, "\n")
end

describe("What fails again and again", function()
  for _, name in ipairs(FILES) do
    it("reports the same each time: " .. name, function()
      local failed = 0
      runner.each_bound(runner.case_file(name), function(expr, scope, case)
        local first
        for time = 1, 4 do
          local v, err = expr:value(nil, scope)
          if v ~= nil then
            assert.is_nil(first, case.id .. " failed before and works now")
            break
          end
          first = first or told(err)
          if told(err) ~= first then assert.equal(first, told(err), ("%s, time %d"):format(case.id, time)) end
          failed = failed + 1
        end
      end)
      assert.is_true(failed > 0 or not runner.complete)
    end)
  end

  -- Room for what texts are made from is short: those that come later are written at once, and must read the same.
  local function texts(err)
    local out = {}
    for i = 1, #err do
      local said = { err[i].detail }
      for _, v in ipairs(err[i].values) do said[#said + 1] = v.path .. " = " .. v.text end
      out[i] = table.concat(said, "\n")
    end
    return out
  end

  for _, name in ipairs(FILES) do
    it("reports the same beside many others: " .. name, function()
      runner.each_bound(runner.case_file(name), function(expr, scope, case)
        if case.mode or case.src:find "[\n#]" or case.src:find("//", 1, true) then return end
        local many = hcl.compile("[" .. ("(" .. case.src .. "),\n"):rep(25) .. "]")
        local v, one = expr:value(nil, scope)
        if v ~= nil or not many or #one > 20 then return end
        local _, all = many:value(nil, scope)
        local wanted, got = texts(one), texts(all)
        for i, text in ipairs(got) do
          if text ~= wanted[(i - 1) % #wanted + 1] then assert.equal(wanted[(i - 1) % #wanted + 1], text, case.id) end
        end
      end)
    end)
  end

  local expr = hcl.compile "var.list[9] + var.a"

  it("ends at the same limit each time", function()
    local object = {}
    for i = 1, 800 do object["key" .. i] = i end
    local limited = hcl.compile "true ? 1 : m.keyx" -- what isn't taken costs steps, too
    for _, steps in ipairs { 20, 50, 100, 150, 1000 } do
      local scope, first = hcl.scope { variables = { m = hcl.value(object) }, limits = { steps = steps } }, nil
      for _ = 1, 6 do
        local v, err = limited:eval(nil, scope)
        local got = v or err[1].code
        first = first or got
        assert.equal(first, got)
      end
    end
  end)

  it("reports what is so in the scope it is given", function()
    local scopes = {
      hcl.scope { variables = { var = hcl.value { list = { 1 }, a = 1 } } },
      hcl.scope { variables = { var = hcl.value { list = { 1, 2, 3 }, a = 1 } } },
      hcl.scope { variables = { var = hcl.value { list = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, a = 1 } } },
    }
    local last = { "index 0", "index 2" }
    for _, at in ipairs { 1, 1, 1, 2, 2, 2, 1, 3, 2, 3, 1, 1, 3, 3, 1, 2, 1, 2, 2, 3 } do
      local v, err = expr:eval(nil, scopes[at])
      if at == 3 then
        assert.equal(11, v)
      else
        assert.truthy(err[1].detail:find(last[at], 1, true), err[1].detail)
        assert.equal(1, #err)
      end
    end
    for _ = 1, 3 do
      local _, err = expr:eval({ var = { list = { 1, 2 }, a = 1 } }, scopes[1])
      assert.truthy(err[1].detail:find("index 1", 1, true), err[1].detail)
    end
  end)

  it("reports what is wrong for the call that is made", function()
    local scope = hcl.scope { variables = { a = hcl.value { 3 } } }
    local rule = hcl.compile "a[0] + 0"
    for _ = 1, 3 do
      local _, err = rule:test(nil, scope)
      assert.equal("test.type", err[1].code)
      assert.equal(3, rule:eval(nil, scope))
    end
  end)

  it("reports anew what may be answered otherwise", function()
    local now = 0
    local scope = hcl.scope { clock = function() now = now + 1 return now end }
    local clock = hcl.compile "timestamp() + 1"
    for second = 1, 4 do
      local _, err = clock:eval(nil, scope)
      assert.truthy(tostring(err):find(("1970-01-01T00:00:0%dZ"):format(second), 1, true), tostring(err))
    end
  end)

  it("gives objects of their own", function()
    local scope = hcl.scope { variables = { var = hcl.value { list = { 1 }, a = 1 } } }
    local errs = {}
    for i = 1, 5 do errs[i] = select(2, expr:eval(nil, scope)) end
    errs[4][1].detail = "changed"
    errs[4].note = "mine"
    errs[4][2] = "added"
    errs[3][1] = nil
    assert.is_nil(errs[3][1])
    assert.equal(0, #errs[3])
    for _, i in ipairs { 2, 5 } do
      assert.equal(1, #errs[i])
      assert.is_nil(errs[i].note)
      assert.equal("reference.index", errs[i][1].code)
      assert.truthy(errs[i]:lsp()[1])
      local n = 0
      for _, d in ipairs(errs[i]) do n = n + #d.values end
      assert.equal(1, n)
    end
    assert.equal("mine", errs[4].note)
    assert.has_error(function() errs[5].report(errs[5][1]) end)
  end)

  it("is not confused by finalizers that evaluate", function()
    local scope = hcl.scope { variables = { list = hcl.value { 1 } } }
    local rules, firsts, wrong = {}, {}, {}
    for i = 1, 40 do
      rules[i] = hcl.compile(("list[%d]"):format(i))
      firsts[i] = told(select(2, rules[i]:eval(nil, scope)))
    end
    local function try(i)
      local _, err = rules[i]:eval(nil, scope)
      if told(err) ~= firsts[i] then wrong[#wrong + 1] = i end
    end
    for round = 1, 2000 do
      local finalizer = function()
        for i = 1, 3 do try((round * 7 + i) % 40 + 1) end
      end
      if newproxy then getmetatable(newproxy(true)).__gc = finalizer else setmetatable({}, { __gc = finalizer }) end
      try(round % 40 + 1)
    end
    support.collect()
    assert.same({}, wrong)
  end)

  it("survives that memory fails", function()
    if not testing then return pending "not a test build" end
    local scope = hcl.scope { variables = { var = hcl.value { list = { 1 }, a = 1 } } }
    local long = hcl.compile "[for x in range(500) : x + var.list[9] * 1000000007]"
    for _, e in ipairs { expr, long } do
      local first = told(select(2, e:eval(nil, scope)))
      for n = 1, 40 do
        testing.fail_after(n)
        local ok, v, err = pcall(e.eval, e, nil, scope)
        testing.fail_after(0)
        if ok then
          assert.is_nil(v)
          assert.truthy(err[1].code == "memory" or told(err) == first)
        end
        assert.equal(first, told(select(2, e:eval(nil, scope))))
      end
    end
  end)
end)
