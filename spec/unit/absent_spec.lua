-- A scope's `absent`: the result of a name, an attribute, a key or an index whose value is null.
local hcl = require "hclexpr"

local null = hcl.null
local data = {
  request = { headers = { ["x-team"] = null, ["x-plan"] = "pro" } },
  users = { { name = "ada", team = null }, { name = "eve", team = "x" } },
  list = { "a", null }, key = "x-team", one = 1, nothing = null, empty = {},
}

-- The same data as plain tables, as answers of a lookup, and bound as Values.
local function ways(mode)
  local bound = {}
  for name, value in pairs(data) do bound[name] = hcl.value(value) end
  return {
    tables = { data, hcl.scope { absent = mode } },
    lookup = { {}, hcl.scope { absent = mode, lookup = function(ref) return data[ref.root] end } },
    values = { {}, hcl.scope { absent = mode, variables = bound } },
    inherited = { data, hcl.scope { parent = hcl.scope { absent = mode } } },
  }
end

local function each_way(mode, f)
  for name, way in pairs(ways(mode)) do f(name, way[1], way[2]) end
end

-- Expressions that read an absent value.
local reading = {
  'request.headers["x-team"] != "blocked"', 'request.headers["x-team"] == "blocked"', 'request.headers["x-team"]', "nothing",
  "nothing == null",
  'request.headers["x-team"] == nothing', "request.headers[key] != key", 'list[1] != "a"', 'list[one] != "a"', 'users[0].team != "x"',
  'users[one - 1].team != "x"', '!contains(["blocked"], request.headers["x-team"])',
  'length([for u in users : u if u.team != "blocked"]) == 2',
  'length([for u in users : 1 if u.team == u.name]) == 0', 'users[*].team != ["blocked", "x"]', 'coalesce(nothing, "a") == "a"',
  '[for i in [0, 1] : users[i].team] != ["a", "x"]', 'templatestring(key, {}) == nothing',
}

-- Expressions that read no absent value, and their results.
local whole = {
  ['request.headers["x-plan"] == "pro"'] = true, ["length(users) == 2"] = true, ["length([for x in list : x if x == null]) == 1"] = true,
  ["length(keys(request.headers))"] = 2, ["null == null"] = true, ["length(empty) == 0"] = true, ["[for u in users : u.name][0]"] = "ada",
}

describe("absent", function()
  it("is null by default", function()
    for _, mode in ipairs { "null", false } do
      each_way(mode or nil, function(_, variables, scope)
        assert.is_true(hcl.eval('request.headers["x-team"] != "blocked"', variables, scope))
        assert.is_true(hcl.eval("nothing == null", variables, scope))
        assert.equal(null, hcl.eval("users[0].team", variables, scope))
        assert.equal(null, hcl.eval("list[one]", variables, scope))
      end)
    end
  end)

  it('"error" ends whatever reads it, by eval and test, also when it is read again', function()
    each_way("error", function(name, variables, scope)
      for _, source in ipairs(reading) do
        local e = hcl.assert(hcl.compile(source))
        for _ = 1, 2 do
          local v, err = e:eval(variables, scope)
          assert.is_nil(v, name .. ": " .. source)
          assert.equal("reference.absent", err[1].code, name .. ": " .. source)
          v, err = e:test(variables, scope)
          assert.is_nil(v, name .. ": " .. source)
          assert.equal("reference.absent", err[1].code, name .. ": " .. source)
        end
      end
    end)
  end)

  it('"error" names what was read, at its place', function()
    local _, err = hcl.eval('true && request.headers["x-team"] != "blocked"', data, hcl.scope { absent = "error" })
    assert.matches('request.headers["x-team"] is null', err[1].detail, 1, true)
    assert.same({ 9, 34 }, { err[1].range.start.column, err[1].range.stop.column })
  end)

  it('"error" is what try and can take for one', function()
    each_way("error", function(_, variables, scope)
      assert.equal("none", hcl.eval('try(request.headers["x-team"], "none")', variables, scope))
      assert.is_false(hcl.eval('can(request.headers["x-team"])', variables, scope))
      assert.is_true(hcl.eval('can(request.headers["x-plan"])', variables, scope))
      assert.is_true(hcl.eval('request.headers["x-plan"] == "pro" || nothing == 1', variables, scope))
    end)
  end)

  it('"unknown" makes the answer unknown unless it does not matter', function()
    each_way("unknown", function(name, variables, scope)
      for _, source in ipairs(reading) do
        local e = hcl.assert(hcl.compile(source))
        for _ = 1, 2 do
          local v = hcl.assert(e:value(variables, scope))
          assert.is_false(v:is_wholly_known(), name .. ": " .. source)
          local _, err = e:test(variables, scope)
          assert.equal("test.unknown", err[1].code, name .. ": " .. source)
        end
      end
      assert.is_true(hcl.eval('nothing != "blocked" || true', variables, scope))
      assert.is_false(hcl.eval('nothing != "blocked" && false', variables, scope))
    end)
    local typed = { nothing = hcl.type("string"):convert(null) }
    assert.equal("string", tostring(hcl.assert(hcl.compile "nothing"):value(typed, hcl.scope { absent = "unknown" }):type()))
  end)

  it("keeps a missing key of a table an error", function()
    for _, mode in ipairs { "null", "error", "unknown" } do
      for _, source in ipairs { 'empty.x != "blocked"', 'empty["x"] == "blocked"', "empty.x", 'request.headers["y"] != "blocked"' } do
        each_way(mode, function(name, variables, scope)
          for _, method in ipairs { "eval", "test" } do
            local e = hcl.assert(hcl.compile(source))
            local v, err = e[method](e, variables, scope)
            assert.is_nil(v, name .. ": " .. source)
            assert.matches("^reference%.%l+$", err[1].code)
          end
        end)
      end
    end
  end)

  it("changes nothing if no value is absent", function()
    for _, mode in ipairs { "null", "error", "unknown" } do
      each_way(mode, function(name, variables, scope)
        for source, value in pairs(whole) do assert.same(value, hcl.assert(hcl.eval(source, variables, scope)), name .. ": " .. source) end
      end)
    end
  end)

  it("keeps marks, and shows nothing of them", function()
    local variables = { secret = hcl.sensitive(null), all = { hcl.sensitive({ a = null }) } }
    for _, source in ipairs { "secret", "all[0].a", "[for x in all : x.a][0]" } do
      local v = hcl.assert(hcl.assert(hcl.compile(source)):value(variables, hcl.scope { absent = "unknown" }))
      assert.same({ "sensitive" }, v:marks(), source)
      local _, err = hcl.eval(source, variables, hcl.scope { absent = "error" })
      assert.equal("reference.absent", err[1].code, source)
    end
  end)

  it("is one of three words", function()
    for _, word in ipairs { "nil", 1, true } do
      assert.error_matches(function() hcl.scope { absent = word } end, 'absent must be "null", "error" or "unknown"', 1, true)
    end
  end)
end)
