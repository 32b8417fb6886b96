-- Lookups of scopes: paths and computed keys that they are asked, declared types, and what their answers cover.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local code = support.code

describe("lookup", function()
  it("gets the whole path and answers everything of its root", function()
    local asked = {}
    local scope = hcl.scope { lookup = function(ref)
      asked[#asked + 1] = ref
      return { b = { 10, 20 }, c = 5 }
    end }
    assert.equal(25, hcl.eval("a.b[1] + a.c", nil, scope))
    assert.equal(1, #asked)
    assert.equal("a", asked[1].root)
    assert.same({ "b", 1 }, asked[1].steps)
    assert.equal("a.b[1]", asked[1].path)
    assert.equal(0, asked[1].range.start.byte)
  end)

  it("answers paths that share n steps", function()
    local asked = {}
    local scope = hcl.scope { lookup = function(ref)
      asked[#asked + 1] = ref.path
      return { id = "id-" .. ref.steps[1], name = ref.steps[1] }, 1
    end }
    assert.same({ "id-web", "web", "id-db" },
      hcl.eval("[aws_instance.web.id, aws_instance.web.name, aws_instance.db.id]", nil, scope))
    assert.same({ "aws_instance.web.id", "aws_instance.db.id" }, asked)
  end)

  it("returns nil for an unknown name", function()
    local scope = hcl.scope { lookup = function() return nil end, variables = { known = 1 } }
    local v, err = hcl.eval("knwon", nil, scope)
    assert.is_nil(v)
    assert.equal("reference.unknown", err[1].code)
    assert.truthy(tostring(err):find('"known"', 1, true))
  end)

  it("accepts `t[name], n` for that, too", function()
    local scope = hcl.scope { lookup = function(ref) return ({ HOME = "/root" })[ref.steps[1]], 1 end }
    assert.equal("/root", hcl.eval("env.HOME", nil, scope))
    assert.equal("reference.unknown", support.code(hcl.eval("env.HOUSE", nil, scope)))
  end)

  it("fails with its message", function()
    local v, err = hcl.eval("a.b", nil, hcl.scope { lookup = function() return nil, "backend down" end })
    assert.is_nil(v)
    assert.equal("lookup.failed", err[1].code)
    assert.truthy(err[1].detail:find("backend down", 1, true))
    assert.equal("dflt", hcl.eval('try(a.b, "dflt")', nil, hcl.scope { lookup = function() return nil, "backend down" end }))
  end)

  it("may give Values", function()
    local scope = hcl.scope { lookup = function() return hcl.sensitive { p = 1 } end }
    assert.equal("(sensitive value)", tostring(hcl.assert(hcl.compile "s.p"):value(nil, scope)))
  end)
end)

describe("a lookup that is asked with computed keys", function()
  local asked
  local owners = hcl.scope { lookup = function(ref)
    asked[#asked + 1] = ref.path
    if ref.root == "all" then return { a = { name = "of all" }, list = { 1, 2, 3 } } end
    local id = ref.steps[1]
    if ref.root ~= "owner" or id == nil or id == "none" then return nil end
    if id == "bad" then return nil, "no owner is called " .. id end
    return { name = id, list = { { x = 1 }, { x = 2 } }, tag = hcl.sensitive { q = "hush" } }, 1
  end }
  before_each(function() asked = {} end)

  it("gets them like constant ones, with the rest of the path", function()
    local data = { h = "a", k = "name", i = 1, hs = { "a", "b", "a" }, marked = hcl.sensitive { "x", "y" } }
    for source, expected in pairs {
      ['owner[h].name'] = "a", ['(owner)[h].name'] = "a", ['owner[h]["name"]'] = "a", ['owner[h][k]'] = "a", ["owner[7].name"] = 7,
      ["owner[i + 6].name"] = 7, ["owner[-i].name"] = -1, ["owner[h].list[i].x"] = 2, ['owner["${h}b"].name'] = "ab",
      ["length(owner[h].list)"] = 2, ['lookup(owner[h], k, "")'] = "a", ["owner[owner[h].name].name"] = "a",
      ["try(owner[h].nothing, owner[h].name)"] = "a", ["h == null ? 1 : owner[h].list[0].x"] = 1, ["all[h].name"] = "of all",
      ["all.list[i]"] = 2, ["try(owner[i].name, 0)"] = 1, ["try(owner[i - 1].list[i].y, owner[0].name)"] = 0, ["can(owner[i].y)"] = false,
    } do
      assert.equal(expected, hcl.assert(hcl.eval(source, data, owners)), source)
    end
    for source, expected in pairs {
      ["owner[h].list[*].x"] = { 1, 2 }, ["[for e in owner[h].list : e.x]"] = { 1, 2 }, ["[for id in hs : owner[id].name]"] = data.hs,
      ['{ for id in hs : id => owner[id].list[i].x... if owner[id].name != "b" }'] = { a = { 2, 2 } },
    } do
      assert.same(expected, hcl.assert(hcl.eval(source, data, owners)), source)
    end
    asked = {}
    hcl.assert(hcl.eval('[owner[h].list[i].x, owner["a"][k], owner[-i].tag, owner["b"]]', data, owners))
    assert.same({ 'owner["a"].list[1].x', "owner[-1].tag", 'owner["b"]' }, asked)
  end)

  it("is asked once for the paths that its answer covers", function()
    assert.same({ "a", "a", "b", 2 },
      hcl.eval("[owner[h].name, owner[h].name, owner[g].name, owner[h].list[1].x]", { h = "a", g = "b" }, owners))
    assert.equal(2, #asked)
    asked = {}
    assert.same({ 1, 2, 3 }, hcl.eval("[for i in [0, 1, 2] : all.list[i]]", nil, owners))
    assert.same({ "all.list[0]" }, asked)
  end)

  it("comes after tables, and before the parent", function()
    local child = hcl.scope { parent = hcl.scope { variables = { owner = { none = { name = "parent" } } } }, lookup = function(ref)
      if ref.steps[1] == "a" then return { name = "child" }, 1 end
    end }
    assert.equal("child", hcl.eval("owner[h].name", { h = "a" }, child))
    assert.equal("parent", hcl.eval("owner[h].name", { h = "none" }, child))
    assert.equal("call", hcl.eval("owner[h].name", { h = "a", owner = { a = { name = "call" } } }, child))
  end)

  it("reports where a part is missing", function()
    for source, expected in pairs {
      ["owner[h].nam"] = { "reference.attribute", 8 }, ["owner[h].list[9]"] = { "reference.index", 13 },
      ["all[h].nam"] = { "reference.attribute", 6 }, ["all[g].name"] = { "reference.index", 3 },
      ["owner[b].name"] = { "lookup.failed", 0 }, ["owner[n].name"] = { "reference.unknown", 0 },
      ["owner[true].name"] = { "reference.unknown", 0 }, ["owner[{}].name"] = { "reference.unknown", 0 },
      ["owner[null].name"] = { "reference.unknown", 0 }, ["owner[nil].name"] = { "reference.index", 5 },
      ["owner[nowhere].name"] = { "reference.unknown", 6 }, ["owner[h].name[g]"] = { "reference.index", 13 },
    } do
      local data = { h = "a", g = "zzz", b = "bad", n = "none", ["nil"] = hcl.null }
      local v, err = hcl.eval(source, data, owners)
      assert.is_nil(v, source)
      assert.same({ source, expected[1], expected[2], 1 }, { source, err[1].code, err[1].range.start.byte, #err })
    end
  end)

  it("gives unknown for an unknown key, unless it answers the path before it", function()
    local function value(source)
      return hcl.assert(hcl.assert(hcl.compile(source)):value({ u = hcl.unknown "string", n = hcl.unknown "number" }, owners))
    end
    assert.is_false(value("owner[u].name"):is_known())
    assert.same({ "owner" }, asked)
    assert.is_false(value("owner[u][n].x"):is_known())
    local listed = hcl.scope { lookup = function() return hcl.value({ 1, 2 }, "list(number)") end }
    assert.equal("number", tostring(hcl.compile("l[u]"):value({ u = hcl.unknown "number" }, listed):type()))
    -- A condition is tried with unknown names before a loop: no lookup is asked for these.
    asked = {}
    assert.same({ "a" }, hcl.eval('[for id in ["a"] : id if owner[id].name == "a"]', nil, owners))
    assert.same({ 'owner["a"].name' }, asked)
  end)

  it("gives the result the key's mark, and shows neither", function()
    local data = { h = hcl.sensitive "a", b = hcl.sensitive "bad", k = "name" }
    for _, source in ipairs { "owner[h].name", "owner[h][k]", "owner[h].list[0].x", "[for e in owner[h].list : e.x][0]" } do
      local value = hcl.assert(hcl.assert(hcl.compile(source)):value(data, owners))
      assert.same({ "sensitive" }, value:marks(), source)
      assert.equal("(sensitive value)", tostring(value), source)
    end
    local odd = hcl.scope { lookup = function() return { x = { 1, y = 2 }, ["function"] = print }, 1 end }
    for source, scope in pairs { ["owner[b].name"] = owners, ["owner[b].x"] = odd, ["owner[b].function"] = odd, ["owner[b].nam"] = odd } do
      local text = tostring(select(2, hcl.eval(source, data, scope)))
      assert.is_nil(text:find("bad", 1, true), text)
    end
    local err = select(2, hcl.eval("[for id in ids : owner[id]]", { ids = hcl.sensitive { "bad" } }, owners))
    assert.is_nil(tostring(err):find("bad", 1, true), tostring(err))
  end)

  it("may yield at any place", function()
    local scope = hcl.scope { lookup = function(ref) return coroutine.yield(ref.path), #ref.steps end }
    local run = coroutine.wrap(function() return hcl.eval("[for i in [1, 2] : owner[names[i]].x[i]]", nil, scope) end)
    assert.equal("names[1]", run())
    assert.equal('owner["a"].x[1]', run "a")
    assert.equal("names[2]", run(10))
    assert.equal('owner["b"].x[2]', run "b")
    assert.same({ 10, 20 }, run(20))
  end)

  it("counts the same steps and memory as for a constant key, within limits", function()
    local small = hcl.scope { parent = owners, limits = { memory = 5e4 } }
    local long = "owner[h]" .. (".list[0]"):rep(2000)
    assert.equal("reference.attribute", code(hcl.eval(long, { h = "a" }, owners)))
    assert.equal("limit.memory", code(hcl.eval('[for i in range(1000) : owner["o${i}"].name]', nil, small)))
  end)

  it("is never called by a check, and shows its answer in an explanation", function()
    local silent = hcl.scope { lookup = function() error "asked" end }
    assert.equal("any", tostring(hcl.compile("owner[h].name"):check({ h = "string" }, silent)))
    local tree = hcl.compile("owner[h].name"):explain({ h = "a" }, owners)
    assert.equal('"a"\n  owner[h]\n    owner\n    h       "a"', (tostring(tree):gsub("%s+$", "")))
  end)

  it("treats null by the option absent", function()
    local function test(absent)
      local scope = hcl.scope { absent = absent, lookup = function() return hcl.null, 1 end }
      return hcl.compile('owner[h] == null'):test({ h = "a" }, scope)
    end
    assert.is_true(test "null")
    assert.equal("reference.absent", code(test "error"))
    assert.equal("test.unknown", code(test "unknown"))
  end)
end)

describe("lookup_types", function()
  local function never() error "it is not asked for that" end
  local declared = hcl.scope {
    lookup = function(ref) return ref.root == "env" and ref.steps[1] == "HOME" and "/root" or ref.root == "team" and never() or nil, 1 end,
    lookup_types = {
      env = "map(string)", owner = hcl.type "map(object({ name = string }))",
      open = hcl.unknown("any", { attributes = { q = hcl.unknown "string" } }),
    },
  }

  it("give a check the names that the lookup answers, and their types", function()
    for source, expected in pairs {
      ["owner[h].name"] = "string", ["env.HOME"] = "string", ["env[h]"] = "string", ["open.other.x"] = "any", ["open.q"] = "string",
      ["ownr[h].name"] = "reference.unknown", ["owner[h].nam"] = "reference.attribute", ["env.HOME.x"] = "reference.attribute",
      ["length(env) + 1"] = "number",
    } do
      local t, err = hcl.compile(source):check({ h = "string" }, declared)
      assert.equal(expected, t and tostring(t) or err[1].code, source)
    end
    for near, name in pairs { ownr = "owner", evn = "env", oppen = "open" } do
      local err = select(2, hcl.compile(near .. ".x"):check({}, declared))
      assert.truthy(err[1].detail:find(('Did you mean "%s"?'):format(name), 1, true), err[1].detail)
    end
  end)

  it("are the only names that it is asked for", function()
    assert.equal("/root", hcl.eval("env[h]", { h = "HOME" }, declared))
    local err = select(2, hcl.eval("team.x", nil, declared))
    assert.equal("reference.unknown", err[1].code)
    assert.is_nil(err[1].detail:find("lookup", 1, true))
    err = select(2, hcl.eval("env.HOUSE", nil, declared))
    assert.truthy(err[1].detail:find("lookup gave nothing", 1, true), err[1].detail)
    assert.is_nil(err[1].detail:find("Did you mean", 1, true), err[1].detail)
  end)

  it("belong to the scope's own lookup", function()
    local child = hcl.scope { parent = declared, lookup = function(ref) if ref.root == "team" then return "mine" end end }
    assert.equal("mine", hcl.eval("team", nil, child))
    assert.equal("/root", hcl.eval("env.HOME", nil, child))
  end)

  it("raise errors if they are invalid", function()
    for says, options in pairs {
      ["lookup_types.a:"] = { lookup = never, lookup_types = { a = "strng" } },
      ["lookup_types.a must be a Type or constraint text, not a number"] = { lookup = never, lookup_types = { a = 5 } },
      ["a name in lookup_types must be a string"] = { lookup = never, lookup_types = { "string" } },
      ["lookup_types must be a table"] = { lookup = never, lookup_types = 5 },
      ["lookup_types needs the option lookup"] = { lookup_types = { a = "string" } },
    } do
      local ok, why = pcall(hcl.scope, options)
      assert.is_false(ok)
      assert.truthy(why:find(says, 1, true), why)
    end
  end)
end)

describe("answers of a lookup", function()
  for _, others in ipairs { 0, 5, 200 } do
    it("each cover their own paths, beside " .. others .. " others", function()
      local asked = {}
      local answers = {
        ["a.x.y"] = { { y = 1 }, 1 }, ["a.p"] = { { p = 2, x = { y = 7 } } }, ["b[0].c"] = { { c = 3 }, 1 }, ["b[1].c"] = { { c = 4 }, 1 },
        ["c.k"] = {}, ["c.k.l"] = { { k = { l = 5 } } }, ["d.k"] = { nil, "not today" }, e = { { f = 6 }, 0 },
      }
      local function lookup(ref)
        asked[#asked + 1] = ref.path
        if ref.root:find "^o%d" then return tonumber(ref.root:sub(2)) end
        return answers[ref.path][1], answers[ref.path][2]
      end
      local list = {}
      for i = 1, others do list[i] = "o" .. i end
      local sources = {
        "a.x.y", "a.p", "a.x.y", "b[0].c", "b[1].c", 'b[0]["c"]', 'try(c.k, "none")', "c.k.l", 'try(c.k, "none")', 'try(d.k, "failed")',
        'try(d.k.l, "failed too")', "e", "e.f",
      }
      local scope = hcl.scope { lookup = lookup }
      local v = hcl.assert(hcl.eval("[[" .. table.concat(list, ",") .. "]," .. table.concat(sources, ",") .. "]", nil, scope))
      for i = 1, others do assert.equal(i, v[1][i]) end
      table.remove(v, 1)
      assert.same({ 1, 2, 1, 3, 4, 3, "none", 5, { l = 5 }, "failed", "failed too", { f = 6 }, 6 }, v)
      local rest = {}
      for _, path in ipairs(asked) do
        if not path:find "^o%d" then rest[#rest + 1] = path end
      end
      assert.same({ "a.x.y", "a.p", "b[0].c", "b[1].c", "c.k", "c.k.l", "d.k", "e" }, rest)
    end)
  end

  it("cover every path of a root, whatever is read in between", function()
    local answers = { ["c.k"] = {}, ["c.k.l"] = { { k = { l = 5 } } }, e = { { f = 6 } } }
    local scope = hcl.scope { lookup = function(ref) return answers[ref.path][1] end }
    assert.same({ "none", 5, { f = 6 }, { l = 5 } }, hcl.eval('[try(c.k, "none"), c.k.l, e, try(c.k, "none")]', nil, scope))
  end)
end)
