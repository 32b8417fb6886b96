-- The descriptions of the built-ins, the list of them, and that each is documented and tested.
local cjson = require "cjson"
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local read, sorted = support.read, support.keys

local here = support.here()
local conformance = here .. "../conformance/"
local answers = dofile(here .. "catalogue_answers.lua")
local lacking = support.lacking(hcl)

-- Built-ins that the reference lacks: one of its console, and some of OpenTofu's.
local EXTRAS = {
  "type", "base64gunzip", "cidrcontains", "urldecode", "assumeequal", "assumenotnull", "assumestringprefix", "assumelistlength",
  "assumelistlengthmin", "assumelistlengthmax", "assumesetlength", "assumesetlengthmin", "assumesetlengthmax", "assumemaplength",
  "assumemaplengthmin", "assumemaplengthmax",
}

local all = hcl.functions()
local reference = cjson.decode(read(conformance .. "functions.json"))
local scope = hcl.scope {
  filesystem = conformance .. "fixtures", console = true, clock = function() return 1700000000 end,
  random = function(n) return ("\7"):rep(n) end, plan_timestamp = "2031-04-09T07:05:03Z",
}

describe("the list of built-ins", function()
  it("is the reference's and the extras", function()
    local want = {}
    for name in pairs(reference) do want[name] = true end
    for _, name in ipairs(EXTRAS) do want[name] = true end
    for name in pairs(all) do assert.truthy(want[name], name .. ": the reference lacks it, and EXTRAS here, too") end
    for name in pairs(want) do assert.truthy(all[name], name .. " is missing") end
  end)

  it("has the reference's parameters", function()
    -- The types in functions.json are in the form of a type's JSON. convert()'s type argument isn't a value, and has no type.
    local function json(t) return t == "type" and "dynamic" or cjson.decode("[" .. hcl.type(t):json() .. "]")[1] end
    for name, want in pairs(reference) do
      local row = all[name]
      assert.equal(#(want.params or {}), #row.params, name)
      for i, p in ipairs(want.params or {}) do
        assert.equal(p.name, row.params[i].name, name)
        assert.same(p.type, json(row.params[i].type), name .. ", " .. p.name)
        if p.nullable then assert.is_true(row.params[i].null, name .. ", " .. p.name) end
      end
      assert.equal(want.variadic and want.variadic.name, row.variadic and row.variadic.name, name)
      if want.variadic then assert.same(want.variadic.type, json(row.variadic.type), name) end
      -- If one leaves the type open, the other may be more precise: list(any) of regexall(), the number of index().
      if row.returns ~= "any" and want.returns ~= "dynamic" then assert.same(want.returns, json(row.returns), name) end
    end
  end)

  it("has each by its name, with or without core::", function()
    for name, row in pairs(all) do
      assert.equal(name, row.name)
      assert.same(row, hcl.functions(name))
      assert.same(row, hcl.functions("core::" .. name))
    end
    assert.is_nil(hcl.functions "nosuch")
    assert.is_nil(hcl.functions "core::core::upper")
  end)

  it("leaves out list() and map(), which only say what to write instead", function()
    for name, instead in pairs { list = "tolist", map = "tomap" } do
      assert.is_nil(hcl.functions(name))
      local v, err = hcl.eval(name .. "()", nil, scope)
      assert.is_nil(v)
      assert.truthy(err[1].detail:find(instead, 1, true))
    end
  end)

  it("has type() in console scopes only", function()
    assert.equal("string", tostring(hcl.compile 'type("a")':value(nil, scope)))
    assert.equal("tuple([\n    number,\n    string,\n])", tostring(hcl.compile 'type([1, "x"])':value(nil, scope)))
    assert.equal("call.unknown", support.code(hcl.eval 'type("a")'))
  end)
end)

describe("each built-in", function()
  it("is documented: one line, more, and an example that calls it", function()
    for name, row in pairs(all) do
      for _, key in ipairs { "summary", "description", "example" } do
        assert.truthy(type(row[key]) == "string" and row[key]:find "%S", name .. " has no " .. key)
      end
      assert.is_nil(row.summary:find "\n", name)
      assert.truthy(row.summary:find "[.?]$", name .. ": " .. row.summary)
      assert.truthy(row.example:find("%f[%w_]" .. name .. "%("), name .. ": " .. row.example)
    end
  end)

  it("gives its example's answer", function()
    for name, row in pairs(all) do
      local want = assert(answers[name], name .. " has no answer in catalogue_answers.lua")
      if not lacking(row.example) then
        local v, err = hcl.compile(row.example):value(nil, scope)
        assert.is_nil(err, name .. ": " .. tostring(err))
        local w = hcl.compile(want):value(nil, scope)
        assert.equal(tostring(w), tostring(v), row.example)
        assert.equal(w:type():json(), v:type():json(), row.example)
      end
    end
    assert.same(sorted(all), sorted(answers))
  end)

  it("is called in a recorded case", function()
    local called = {}
    for _, file in ipairs(support.lines("ls '" .. conformance .. "cases'")) do
      local text = read(conformance .. "cases/" .. file)
      for name in pairs(all) do called[name] = called[name] or text:find(name .. "(", 1, true) ~= nil end
    end
    for name in pairs(all) do assert.is_true(called[name], name .. " is in no case") end
  end)
end)
