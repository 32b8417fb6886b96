-- expr:check and body:check: mistakes that don't depend on the data, found without data.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local codes = support.codes

local TYPES = {
  user = [[object({ name = string, age = optional(number), groups = set(string), tags = map(string),
                    cars = list(object({ id = string, doors = number })) })]],
  n = hcl.type "number",
  any = "any",
  pair = "tuple([string, number])",
}

local function called() error "a function of the script was called" end

local SCOPE = hcl.scope {
  variables = {
    config = { off = hcl.null, empty = {}, users = { { name = "a" }, { name = "b" } }, later = hcl.lazy(called), region = "eu" },
    lazy = called,
    bound = hcl.value {
      a = 1, list = {}, o = { p = { q = true } }, texts = hcl.value({ "a" }, "list(string)"),
      lists = hcl.assert(hcl.value({ hcl.array {} }, "list(tuple([]))")),
    },
  },
  functions = {
    plain = called,
    typed = hcl.func { params = { { name = "x", type = "string" } }, returns = "number", impl = called },
    by_function = hcl.func { params = { { name = "x", type = "string" } }, returns = called, impl = called },
  },
  clock = called,
  random = called,
}

local function check(source, options, scope)
  return hcl.assert(hcl.compile(source)):check(TYPES, scope or SCOPE, options)
end

-- By expression: its type, or the codes of its errors.
local function each(cases)
  for source, want in pairs(cases) do
    local found, err = check(source)
    if type(want) == "string" then
      assert.equal(want, found and tostring(found) or tostring(err), source)
    else
      assert.is_nil(found, source)
      assert.same(want, codes(found, err), source)
    end
  end
end

describe("expr:check", function()
  it("uses the elements of a set as its keys, and typed Values by their types", function()
    each {
      ["[for k, v in user.groups : upper(k)]"] = "list(string)",
      ["[for k, v in user.groups : k.x]"] = { "reference.attribute" },
      ["[for k, v in user.tags : k.x]"] = { "reference.attribute" },
      ["[for k, v in user.cars : k.x]"] = { "reference.attribute" },
      ["bound.texts[0]"] = "string", ["bound.texts[0].x"] = { "reference.attribute" }, ["bound.lists[0][0]"] = "any",
    }
  end)

  it("gives the type of the result", function()
    each {
      ["user.name"] = "string",
      ["user.age + 1"] = "number",
      ['"${user.name}-${n}"'] = "string",
      ["user.cars[0].id"] = "string",
      ["user.cars[*].doors"] = "list(number)",
      ["user.tags.x"] = "string",
      ["n > 1 ? user.name : null"] = "string",
      ["pair[1]"] = "number",
      ["any.x.y"] = "any",
      ["contains(user.groups, \"a\") && n > 1"] = "bool",
      ["user"] = "object({ age = number, cars = list(object({ doors = number, id = string })), groups = set(string), name = string, "
        .. "tags = map(string) })",
    }
    assert.is_true(check "user.name" == hcl.type "string")
  end)

  it("finds misspelt names, attributes and functions", function()
    each { ["user.nmae"] = { "reference.attribute" }, ["usr.name"] = { "reference.unknown" }, ['uper("x")'] = { "call.unknown" },
           ["user.cars[0].dors"] = { "reference.attribute" }, ["user.cars[n].dors"] = { "reference.attribute" },
           ["user.cars[*].dors"] = { "reference.attribute" }, ["any[*].x[nosuch]"] = { "reference.unknown" } }
    local _, err = check "user.nmae"
    assert.truthy(err[1].detail:find('Did you mean "name"?', 1, true))
    assert.equal(5, err[1].range.start.column)
  end)

  it("finds wrong types and arguments", function()
    each { ['1 + [n]'] = { "operator.operand" }, ["length(n)"] = { "call.failed" }, ["upper()"] = { "call.count" },
           ["user.cars ? 1 : 2"] = { "condition.type" }, ['"a${user.cars}"'] = { "template.value" }, ["typed([])"] = { "call.argument" },
           ["typed()"] = { "call.count" }, ["[for x in n : x]"] = { "for.collection" }, ["user.name.x"] = { "reference.attribute" },
           ["n ? 1 : 2"] = { "condition.type" }, ['"%{ for c in user.cars }${c}%{ endfor }"'] = { "template.value" },
             ['join(",", [for c in user.cars : c])'] = { "call.argument" } }
  end)

  it("checks both sides of conditionals and logic, whatever the condition", function()
    each { ["true ? 1 : user.nmae"] = { "reference.attribute" }, ["false ? uper(1) : 1"] = { "call.unknown" },
           ['n > 1 ? user.nmae : uper("a")'] = { "reference.attribute", "call.unknown" },
           ["false && user.nmae"] = { "reference.attribute" }, ["true || nosuch"] = { "reference.unknown" },
           ["nosuch && nosuch2"] = { "reference.unknown", "reference.unknown" },
           ['config.region == "us" ? nosuch : 1'] = { "reference.unknown" },
           ['"%{ if n > 1 }${nosuch}%{ endif }"'] = { "reference.unknown" } }
  end)

  it("checks the bodies of all loops, even over empty collections", function()
    each { ["[for g in user.groups : g.x]"] = { "reference.attribute" }, ["[for c in user.cars : c.dors]"] = { "reference.attribute" },
           ["[for c in user.cars : c.id if c.nosuch]"] = { "reference.attribute" }, ["[for c in user.cars : nosuch if false]"] = {
             "reference.unknown" },
           ["{ for k, v in user.tags : k => uper(v) }"] = { "call.unknown" }, ["{ for k, v in user.tags : k.x => v }"] = {
             "reference.attribute" },
           ["{ for c in user.cars : c.id => c.dors... }"] = { "reference.attribute" }, ["[for x in [] : nosuch]"] = { "reference.unknown" },
           ["[for k, v in {} : nosuch]"] = { "reference.unknown" }, ["[for x in any : nosuch]"] = { "reference.unknown" },
           ["[for g in user.groups : [for c in user.cars : c.x]]"] = { "reference.attribute" },
           ['"%{ for c in user.cars }${c.x}%{ endfor }"'] = { "reference.attribute" },
           ['[for x in [1, "a", true] : nosuch + x.y]'] = { "reference.unknown", "reference.attribute" },
           ["[for i, c in user.cars : i.x]"] = { "reference.attribute" }, ["{ for c in user.cars : c => 1 }"] = { "for.key" } }
    each { ["[for c in user.cars : c.id]"] = "list(string)", ["{ for k, v in user.tags : k => n }"] = "map(number)",
           ["[for x in [1, 2] : x + 1]"] = "list(number)", ['[for x in [1, "a"] : x]'] = "any",
             ["[for x in pair : upper(x)]"] = "list(string)",
           ["n > 1 ? [for c in user.cars : c.id] : []"] = "list(string)", ["[for i, c in user.cars : i + 1]"] = "list(number)",
           ["[for c in user.cars : c.id if c.doors > 3]"] = "list(string)", ["{ for c in user.cars : c.id => c... }"] = "any" }
  end)

  it("reports errors that no data prevents in try() and can(), and no others", function()
    each { ["try(user.nmae, 1)"] = { "reference.attribute" }, ["can(uper(1))"] = { "call.unknown" }, ["try(1, nosuch)"] = {
      "reference.unknown" },
           ["try(upper(), 1)"] = { "call.count" } }
    each { ["try(any.x.y, n)"] = "any", ["try(user.tags.x, user.name)"] = "string", ['can(tonumber("x"))'] = "bool",
      ["try(user.cars[9], null)"] = "any",
           ["try(config.absent, 1)"] = "any", ["try(bound.absent, 1)"] = "any", ["can(user.age)"] = "bool" }
    for _, source in ipairs { "user", "user.cars", "user.cars[0]", "pair", "config.users", "config.users[0]", "config.users[0].name",
      "bound.o", "bound.o.p", "bound.o.p.q" } do
      each { ["try(" .. source .. ", " .. source .. ")"] = tostring(check(source)) }
    end
  end)

  it("uses the types of the scope's values, and calls nothing", function()
    each { ["plain(1, n)"] = "any", ['typed("a") + 1'] = "number", ['by_function("a")'] = "any", ["lazy.a.b"] = "any",
      ["config.later.x"] = "any",
           ["config.region"] = "string", ["bound.a"] = "number", ["timestamp()"] = "string", ["uuid()"] = "string",
           ["config.off.level"] = "any", ["config.empty.x"] = "any", ["config.empty[0].y"] = "any", ["bound.list[3]"] = "any",
           ["config.off != null ? config.off.level : 1"] = "any", ["[for u in config.users : u.name]"] = "list(string)",
           ["config.nosuch"] = { "reference.attribute" }, ["bound.nosuch"] = { "reference.attribute" },
           ["[for u in config.users : u.nmae]"] = { "reference.attribute" } }
    local lookup = hcl.scope { lookup = called, parent = SCOPE }
    assert.equal("any", tostring(check("what.ever", nil, lookup)))
    assert.equal("string", tostring(check("user.name", nil, lookup)))
    assert.same({ "reference.attribute" }, codes(check("user.nmae", nil, lookup)))
  end)

  it("checks the result against a type", function()
    assert.equal("bool", tostring(check('user.name == "x"', { returns = "bool" })))
    assert.equal("bool", tostring(check("user.name", { returns = hcl.type "bool" })))
    assert.equal("any", tostring(check("any", { returns = "any" })))
    local found, err = check("user.cars", { returns = "bool" })
    assert.same({ "check.returns" }, codes(found, err))
    assert.equal(1, err[1].range.start.column)
    assert.truthy(err[1].detail:find("wrong type: a bool is required", 1, true))
    assert.same({ "check.returns" }, codes(check("n > 1", { returns = "number" })))
  end)

  it("changes nothing for evaluations in the same scope", function()
    local scope = hcl.scope { variables = { a = { b = 1 } }, functions = { f = function() return 2 end } }
    local expression = hcl.compile "a.b + f()"
    for _ = 1, 3 do
      assert.equal("number", tostring(expression:check({}, scope)))
      assert.equal(3, expression:eval(nil, scope))
    end
  end)

  it("obeys limits", function()
    assert.same({ "limit.steps" }, codes(check("[for a in user.cars : [for b in user.cars : a.id]]", nil, hcl.scope { limits = {
      steps = 5 } })))
  end)

  it("raises errors for misuse", function()
    local expression = hcl.compile "1"
    for _, case in ipairs {
      { "#1 to 'check' %(table expected, got no value%)" }, { "#1 to 'check' %(table expected, got string%)", "x" },
      { "#1 to 'check' %(a: \"strin\" is not a type", { a = "strin" } }, { "#1 to 'check' %(a: a Type or constraint text", { a = 1 } },
      { "#1 to 'check' %(names are strings", { "string" } }, { "#2 to 'check' %(scope expected", {}, {} },
      { "#3 to 'check' %(unknown option 'retrns'; did you mean 'returns'", {}, nil, { retrns = "bool" } },
      { "#3 to 'check' %(option 'returns': \"boo\" is not a type", {}, nil, { returns = "boo" } },
    } do
      local ok, message = pcall(function() expression:check(case[2], case[3], case[4]) end)
      assert.is_false(ok)
      assert.truthy(message:find(case[1]), message)
      assert.truthy(message:find("check_spec.lua", 1, true), message)
    end
  end)
end)

local RULES = {
  attributes = { allow = { type = "expression", returns = "bool", required = true }, limit = { type = "number", default = 5 } },
  blocks = { route = { labels = { "name" }, schema = { attributes = { when = { type = "expression", returns = "bool" }, to = {
    type = "string" } } } } },
}

describe("body:check", function()
  local function body(text) return hcl.assert(hcl.parse(text, { filename = "rules.hcl" })) end

  it("checks all expressions by a schema, including kept ones", function()
    local found = hcl.assert(body('allow = n > 1\nroute "a" {\n  when = user.name == "x"\n  to = user.name\n}\n'):check(RULES, TYPES))
    assert.equal("object({ allow = bool, limit = number, route = tuple([object({ name = string, to = string, when = bool })]) })",
      tostring(found))
    local nothing, err = body('allow = user.cars\nroute "a" {\n  when = n > 1 ? user.nmae : true\n  to = user.cars\n}\n'):check(RULES,
      TYPES)
    assert.is_nil(nothing)
    assert.same({ "body.type", "reference.attribute", "body.type" }, codes(nothing, err))
    assert.equal("rules.hcl", err[2].range.filename)
    assert.equal(3, err[2].range.start.line)
    assert.same({ "body.missing" }, codes(body "":check(RULES, TYPES)))
  end)

  it("checks without a schema", function()
    assert.equal("object({ a = number, b = tuple([object({ c = string })]) })",
      tostring(hcl.assert(body("a = n\nb {\n  c = user.name\n}\n"):check(nil, TYPES))))
    assert.same({ "reference.unknown", "reference.attribute" }, codes(body("a = m\nb {\n  c = user.nmae\n}\n"):check(nil, TYPES)))
    local json = hcl.parse('{ "a": "${user.nmae}", "b": "${n}" }', { syntax = "json" })
    assert.same({ "reference.attribute" }, codes(json:check(nil, TYPES)))
  end)

  it("checks what dynamic blocks generate, with their iterators", function()
    local text = 'allow = true\ndynamic "route" {\n  for_each = %s\n  labels = [route.%s]\n'
      .. "  content {\n    when = route.value.%s > 1\n  }\n}\n"
    assert.same({ "reference.attribute" }, codes(body(text:format("user.cars", "value.id", "dors")):check(RULES, TYPES)))
    assert.same({ "reference.attribute" }, codes(body(text:format("user.cars", "value.di", "doors")):check(RULES, TYPES)))
    assert.same({ "reference.attribute" }, codes(body(text:format("[]", "value.id", "x[nosuch.y]")):check(RULES, {
      nosuch = "object({})" })))
    assert.equal("object({ allow = bool, limit = number, route = any })",
      tostring(hcl.assert(body(text:format("user.cars", "value.id", "doors")):check(RULES, TYPES))))
  end)

  it("raises errors for misuse", function()
    local ok, message = pcall(function() body "":check(nil, nil) end)
    assert.is_false(ok)
    assert.truthy(message:find("check_spec.lua:%d+: bad argument #2 to 'check'"), message)
  end)
end)

describe('type = "expression"', function()
  -- Expanding comes before decoding: a failure in only one of them must not leave rules without their conditions.
  it("is never left out after a callback fails once", function()
    local body = hcl.assert(hcl.parse 'dynamic "r" {\n  for_each = f()\n  content {\n    when = x\n  }\n}\nr {\n  when = y\n}\n')
    local schema = { blocks = { r = { schema = { attributes = { when = { type = "expression" } } } } } }
    local calls, failing = 0, 1
    local scope = hcl.scope { functions = { f = function()
      calls = calls + 1
      if calls == failing then return nil, "not now" end
      return { 1 }
    end } }
    for n = 1, 3 do
      calls, failing = 0, n
      local values, err = body:decode(schema, nil, scope)
      if n <= calls then
        assert.is_nil(values)
        assert.matches("not now", tostring(err), 1, true)
      else
        assert.equal("y", values.r[2].when.expression:source())
      end
    end
  end)

  it("keeps attributes unevaluated until a rule is needed", function()
    local text = [[
allow = n > limit
limit = 2 + 1
route "a" {
  when = n == 1
}
dynamic "route" {
  for_each = ["x", "y"]
  labels = ["${route.value}!"]
  content {
    when = route.value == name
    to = route.value
  }
}
]]
    local rules = hcl.assert(hcl.parse(text, { filename = "rules.hcl" }):decode(RULES))
    assert.equal("hclexpr.Attribute", tostring(rules.allow):match "^[%w.]+")
    assert.is_true(rules.allow:eval { n = 4, limit = rules.limit })
    assert.is_false(rules.allow.expression:test { n = 1, limit = rules.limit })
    assert.is_true(rules.allow:test { n = 4, limit = rules.limit })
    local held, err = rules.allow:test { n = hcl.unknown "number", limit = rules.limit }
    assert.same({ "test.unknown", 1 }, { held == nil and err[1].code, err[1].range.start.line })
    assert.is_false(rules.route[2].when:test { name = "y" })
    assert.is_true(rules.route[1].when:eval { n = 1 })
    assert.same({ "y!", "y", true }, { rules.route[3].name, rules.route[3].to, rules.route[3].when:eval { name = "y" } })
    assert.is_false(rules.route[2].when:eval { name = "y" })
    assert.equal(10, rules.route[3].when.range.start.line)
    assert.equal("bool", tostring(rules.route[3].when.expression:check({ name = "string" }, nil, { returns = "bool" })))
  end)

  it("finds blocks in every nesting, and in JSON", function()
    local inner = { attributes = { when = { type = "expression" } } }
    local schema = { blocks = { one = { nesting = "single", schema = inner }, by = { labels = { "a", "b" }, nesting = "map",
      schema = inner },
                                many = { schema = { blocks = { deep = { schema = inner } } } } } }
    local native = 'one {\n  when = x\n}\nby "a" "b" {\n  when = y\n}\nmany {}\nmany {\n  deep {\n    when = z\n  }\n}\n'
    local json = '{ "one": { "when": "${x}" }, "by": { "a": { "b": { "when": "${y}" } } }, "many": [{}, { "deep": { "when": "${z}" } }] }'
    for _, body in ipairs { hcl.parse(native), (hcl.parse(json, { syntax = "json" })) } do
      local t = hcl.assert(body:decode(schema))
      assert.same({ 1, 2, 3 }, { t.one.when:eval { x = 1 }, t.by.a.b.when:eval { y = 2 }, t.many[2].deep[1].when:eval { z = 3 } })
    end
  end)

  it("reports missing items together with all other errors", function()
    assert.same({ "body.missing" }, codes(hcl.parse("limit = 1\n"):decode(RULES)))
    assert.same({ "body.missing", "reference.unknown", "body.argument" }, codes(hcl.parse("limit = x\nother = 1\n"):decode(RULES)))
  end)

  it("raises errors for invalid schemas", function()
    local kept = { attributes = { x = { type = "expression" } } }
    for path, schema in pairs {
      ["schema.attributes.x.default"] = { attributes = { x = { type = "expression", default = 1 } } },
      ["schema.attributes.x.returns"] = { attributes = { x = { type = "bool", returns = "bool" } } },
      ["schema.blocks.b.nesting"] = { blocks = { b = { nesting = "set", schema = kept } } },
    } do
      local ok, message = pcall(function() hcl.parse(""):decode(schema) end)
      assert.is_false(ok)
      assert.truthy(message:find(path, 1, true), message)
    end
  end)

  it("accepts open objects: their other attributes are unknown", function()
    local request = hcl.unknown("any", { attributes = {
      method = hcl.unknown "string", path = "/known", tags = { team = "web" }, secret = hcl.sensitive "x",
      inner = hcl.unknown("any", { attributes = { n = 1 } }),
    } })
    local wanted = {
      ["request.method"] = "string", ["request.path"] = "string", ["request.inner.n"] = "number", ["request.other.deep"] = "any",
      ["request.tags.team"] = "string", ['request["oth${request.path}"]'] = "any", ["request.inner.m + 1"] = "number",
      ['request.path == "/known" ? 1 : "b"'] = "string",
      ["request.secret"] = "string", ["merge(request, { a = 1 }).a"] = "number",
    }
    local wrong = { ["request.tags.taem"] = "attribute", ["request.path.x"] = "attribute", ["request.inner.n.x"] = "attribute" }
    local scopes = { { { request = request } }, { {}, hcl.scope { variables = { request = request } } } }
    for _, given in ipairs(scopes) do
      for source, type in pairs(wanted) do
        local made = hcl.assert(hcl.assert(hcl.compile(source)):check(given[1], given[2]))
        assert.equal(type, tostring(made), source)
      end
      for source in pairs(wrong) do
        assert.is_nil((hcl.assert(hcl.compile(source)):check(given[1], given[2])), source)
      end
      -- The value known now may change: no branch is left out.
      assert.is_nil((hcl.assert(hcl.compile 'request.path == "/known" ? "a" : "a".b'):check(given[1], given[2])))
    end
    local body = hcl.assert(hcl.parse "a = request.other\nb = request.path\n")
    assert.equal("object({ a = any, b = string })", tostring(hcl.assert(body:check(nil, { request = request }))))
    assert.has_error(function() hcl.assert(hcl.compile "a"):check { a = 1 } end)
  end)
end)
