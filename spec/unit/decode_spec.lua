-- hcl.decode, hcl.load, body:content and body:decode: configuration as Lua tables.
local hcl = require "hclexpr"
local bodies = require "hclexpr.body"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local codes = support.codes

local function decode(source, variables, scope, options)
  return hcl.assert(hcl.decode(source, variables, scope, options))
end

describe("hcl.decode", function()
  it("gives attributes by name, and blocks as arrays below their labels", function()
    assert.same({
      a = 3,
      plain = { { x = 1 }, { x = 2 } },
      resource = { aws = { web = { { ami = "x" } }, db = { { size = 3 } } }, gcp = { web = { {} } } },
    }, decode [[
a = 1 + 2
plain {
  x = 1
}
resource "aws" "web" {
  ami = "x"
}
plain {
  x = 2
}
resource "aws" "db" {
  size = 3
}
resource "gcp" "web" {}
]])
  end)

  it("expands dynamic blocks", function()
    assert.same({ b = { x = { { v = 1 } }, y = { { v = 2 } } } },
      decode('dynamic "b" {\n  for_each = m\n  labels = [b.key]\n  content {\n    v = b.value\n  }\n}\n', { m = { x = 1, y = 2 } }))
  end)

  it("distinguishes null, empty lists and empty maps", function()
    local t = decode "n = null\nl = []\nm = {}\nb {}\n"
    assert.equal(hcl.null, t.n)
    assert.equal(hcl.array_mt, getmetatable(t.l))
    assert.is_nil(getmetatable(t.m))
    assert.equal(hcl.array_mt, getmetatable(t.b))
  end)

  it("reports all errors at once", function()
    assert.same({ "reference.unknown", "reference.unknown", "body.name" },
      codes(hcl.decode "a = nope\nb {\n  c = nope\n}\nb = 1\n"))
    assert.same({ "body.label" }, codes(hcl.decode 'b "x" {}\nb {}\n'))
    assert.same({ "syntax.body" }, codes(hcl.decode "= 1\n"))
  end)

  it("reads the JSON syntax", function()
    assert.same({ a = "x-1", b = { c = { 1, true, hcl.null } } },
      decode('{"a": "x-${n}", "//": "comment", "b": {"c": [1, true, null]}}', { n = 1 }, nil, { syntax = "json" }))
  end)

  it("works under the scope's limits", function()
    assert.same({ "limit.source" }, codes(hcl.decode("a = 1", nil, hcl.scope { limits = { source = 3 } })))
    assert.same({ "limit.output" }, codes(hcl.decode('a = "0123456789"', nil, hcl.scope { limits = { output = 20 } })))
    assert.same({ "limit.steps" }, codes(hcl.decode("a = [for x in range(1000) : x]", nil, hcl.scope { limits = { steps = 500 } })))
  end)

  it("reports missing arguments of a body before unexpected ones", function()
    -- Recorded: Terraform's validate of `validation { condition { } }`.
    local schema = { attributes = { a = { type = "string", required = true }, b = { type = "string", required = true } } }
    assert.same({ "body.missing", "body.missing", "body.block" }, codes(hcl.parse("a {\n}\n"):content(schema)))
    assert.same({ "body.missing", "body.argument" }, codes(hcl.parse("c = 1\na = 1\n"):content(schema)))
    assert.same({ "body.missing" }, codes(hcl.parse("a = 1\n"):content(schema)))
  end)

  it("treats a misspelt or otherwise wrong item as the intended one", function()
    local inner = { schema = { attributes = { port = { type = "number", required = true } } }, labels = { "name" }, min = 1 }
    local schema = { attributes = { name = { type = "string", required = true } }, blocks = { listener = inner } }
    local RIGHT = 'listener "a" {\n  port = 1\n}\n'
    for _, case in ipairs {
      { 'nmae = "x"\n' .. RIGHT, "body.argument" }, { 'nam = "x"\nnmae = "y"\n' .. RIGHT, "body.argument body.argument" },
      { 'other = "x"\n' .. RIGHT, "body.missing body.argument" }, { 'nmae = "x"\nname = "x"\n' .. RIGHT, "body.argument" },
      { 'name = "x"\nlistener "a" {\n  prot = 1\n}\n', "body.argument" },
      { 'name = "x"\nlistner "a" {\n  port = 1\n}\n', "body.block" },
      { 'name = "x"\nlistener "a" "b" {\n  port = 1\n}\n', "body.label" }, { 'name = "x"\nlistener {\n  port = 1\n}\n', "body.label" },
      { 'name = "x"\nlistener = { port = 1 }\n', "body.argument" }, { 'name = "x"\n', "body.count" },
      { 'nam = "x"\n', "body.argument body.count" },
      { 'name = "x"\ndynamic "listner" {\n  for_each = []\n  content {}\n}\n', "body.block" },
      { 'name = "x"\ndynamic "listener" {\n  for_each = []\n}\n', "body.missing" },
      { '{"nmae": "x", "listener": {"a": {"port": 1}}}', "json.property" },
      { '{"name": "x", "listner": {"a": {"port": 1}}}', "json.property" },
      { '{"name": "x", "listener": {"a": {"prot": 1}}}', "json.property" }, { '{"name": "x", "listener": {"a": 5}}', "json.body" },
      { '{"z": 1, "listener": {"a": {"port": 1}}}', "body.missing json.property" },
    } do
      local body = hcl.assert(hcl.parse(case[1], { syntax = case[1]:find "^{" and "json" or nil }))
      local list = codes(body:decode(schema))
      assert.equal(case[2], table.concat(list, " "), case[1])
    end
  end)

  it("has its own limits, and counts lines from its source's first line", function()
    local wide = hcl.scope { limits = { source = 100 } }
    assert.same({ "limit.source" }, codes(hcl.decode("a = 1", nil, wide, { limits = { source = 3 } })))
    assert.same({ a = 1 }, decode("a = 1", nil, hcl.scope { limits = { source = 3 } }, { limits = { source = 100 } }))
    local _, err = hcl.decode("\na = nope", nil, nil, { filename = "x", line = 7, column = 3 })
    assert.same({ "x", 8, 5 }, { err[1].range.filename, err[1].range.start.line, err[1].range.start.column })
  end)

  it("names the labels that a block takes, five of them and no more", function()
    for n = 1, 7 do
      local names = {}
      for i = 1, n do names[i] = "l" .. i end
      local schema = { blocks = { b = { labels = names, schema = {} } } }
      local _, err = hcl.decode("b" .. (' "x"'):rep(8) .. " {}\n", nil, nil, { schema = schema })
      local shown = " (" .. table.concat(names, ", ", 1, math.min(n, 5)) .. (n > 5 and ", ...)" or ")")
      assert.truthy(err[1].detail:find(shown, 1, true), err[1].detail)
    end
  end)

  it("rejects a block's many labels below the limit of depth", function()
    assert.same({ "limit.depth" }, codes(hcl.decode("b" .. (' "x"'):rep(2000) .. " {}\n")))
  end)
end)

describe("nested blocks", function()
  -- n of them, with x = 1 in the innermost.
  local function nested(n, head)
    return (head .. " {\n"):rep(n) .. "x = 1\n" .. ("}\n"):rep(n)
  end
  -- The depth of a decoded table, following the path of the steps.
  local function count(t, ...)
    local n = 0
    while t.x ~= 1 do
      for _, step in ipairs { ... } do t = t[step] end
      n = n + 1
    end
    return n
  end
  local function schema(n, block)
    local s = { attributes = { x = {} } }
    for _ = 1, n do s = { attributes = { x = {} }, blocks = { b = block(s) } } end
    return s
  end

  it("are a level of depth each, whatever tables they become", function()
    assert.equal(1000, count(decode(nested(1000, "b")), "b", 1))
    assert.equal(1000, count(decode(nested(1000, 'b "l"')), "b", "l", 1))
    assert.same({ "limit.depth" }, codes(hcl.decode(nested(1001, "b"))))
    local tight = hcl.scope { limits = { depth = 20 } }
    local body = hcl.assert(hcl.parse(nested(21, 'b "l"')))
    assert.same({ "limit.depth" }, codes(body:decode(schema(21, function(s)
      return { schema = s, labels = { "l" }, nesting = "map" }
    end), nil, tight)))
    assert.equal(20, count(decode(nested(20, 'b "l"'), nil, tight), "b", "l", 1))
    assert.same({ "limit.depth" }, codes(hcl.decode("b {\n  x = y\n}\n", { y = { { { { 1 } } } } }, hcl.scope { limits = { depth = 4 } })))
    assert.same({ b = { { x = { { { 1 } } } } } },
      decode("b {\n  x = y\n}\n", { y = { { { 1 } } } }, hcl.scope { limits = { depth = 4 } }))
  end)

  it("are levels by a schema, and in the JSON syntax", function()
    local list = schema(1000, function(s) return { schema = s } end)
    assert.equal(1000, count(hcl.assert(hcl.assert(hcl.parse(nested(1000, "b"))):decode(list)), "b", 1))
    local function nested_json(n) return ('{"b":'):rep(n) .. '{"x":1}' .. ("}"):rep(n) end
    local json = hcl.assert(hcl.parse(nested_json(1000), { syntax = "json" }))
    assert.equal(1000, count(hcl.assert(json:decode(list)), "b", 1))
    assert.equal(1000, count(decode(nested_json(1000), nil, nil, { syntax = "json" }), "b"))
    assert.same({ "limit.depth" }, codes(hcl.parse(nested_json(1001), { syntax = "json" })))
  end)

  it("are levels if dynamic blocks generate them", function()
    local source = 'dynamic "b" {\n  for_each = [1]\n  content {\n'
    assert.equal(400, count(decode(source:rep(400) .. "x = 1\n" .. ("}\n}\n"):rep(400)), "b", 1))
  end)

  it("may be rejected for their labels, but never end the process", function()
    local labels = (' "l"'):rep(900)
    for _, decode_body in ipairs { hcl.decode, function(source) return bodies.decode_value(hcl.parse(source)) end } do
      assert.same({ "limit.depth" }, codes(decode_body(nested(1000, "b" .. labels))))
    end
  end)
end)

describe("hcl.load", function()
  it("reads a file, of JSON syntax by its name", function()
    local path = support.temporary_file("a = n\n", ".hcl")
    assert.same({ a = 1 }, hcl.load(path, { n = 1 }))
    os.remove(path)
    path = support.temporary_file('{"a": "${n}"}', ".json")
    assert.same({ a = 1 }, hcl.load(path, { n = 1 }))
    os.remove(path)
  end)

  it("names an unreadable file, or the place of an error in it", function()
    local value, err = hcl.load ""
    assert.is_nil(value)
    assert.equal("load.failed", err[1].code)
    assert.truthy(err[1].detail:find("name of the file is empty", 1, true))
    local short = support.temporary_folder() .. "/a.hcl"
    support.write(short, "a = 1")
    value, err = hcl.load(short .. "\0.json") -- Lua would open the part before the NUL
    assert.is_nil(value)
    assert.truthy(err[1].detail:find("NUL", 1, true))
    support.remove(short:match "^(.*)/")
    value, err = hcl.load "no/such/file.hcl"
    assert.is_nil(value)
    assert.equal("load.failed", err[1].code)
    assert.truthy(tostring(err):find("no/such/file.hcl", 1, true))
    local path = support.temporary_file("a = nope\n", ".hcl")
    value, err = hcl.load(path)
    os.remove(path)
    assert.is_nil(value)
    assert.equal(path, err[1].range.filename)
  end)
end)

local SERVICE = {
  attributes = { name = { type = "string", required = true }, port = { type = "number", default = 80 }, any = {} },
  blocks = {
    listener = { labels = { "id" }, schema = { attributes = { port = { type = "number" } } } },
    route = { labels = { "zone", "host" }, nesting = "map", schema = { attributes = { to = {} } } },
    tls = { nesting = "single", schema = { attributes = { cert = { type = "string", required = true } } } },
    tag = { nesting = "set", max = 3, schema = { attributes = { v = { type = "string" } } } },
  },
}

local function read(source, variables)
  return hcl.assert(hcl.parse(source)):decode(SERVICE, variables)
end

describe("body:decode", function()
  it("converts, fills in defaults, and nests blocks as the schema says", function()
    assert.same({
      name = "5", port = 81,
      listener = { { id = "a", port = 1 }, { id = "b", port = 2 } },
      route = { eu = { one = { to = "x" }, two = { to = "y" } }, us = { one = { to = "z" } } },
      tls = { cert = "c" },
      tag = { { v = "1" }, { v = "2" } },
    }, hcl.assert(read [[
name = 5
port = "81"
listener "a" { port = "1" }
listener "b" { port = 2 }
route "eu" "one" { to = "x" }
route "eu" "two" { to = "y" }
route "us" "one" { to = "z" }
tls { cert = "c" }
tag { v = 2 }
tag { v = "1" }
tag { v = 2 }
]]))
  end)

  it("gives empty collections for missing blocks, and nothing for a single one", function()
    local t = hcl.assert(read 'name = "x"\n')
    assert.equal(80, t.port)
    assert.is_nil(t.any)
    assert.is_nil(t.tls)
    assert.same({}, t.listener)
    assert.same({}, t.route)
  end)

  it("takes null for absent", function()
    assert.equal(80, hcl.assert(read 'name = "x"\nport = null\n').port)
    assert.same({ "body.missing" }, codes(read "name = null\n"))
    for _, schema in ipairs { { attributes = { b = { type = "string" } } }, { attributes = { b = {} } },
      { attributes = { b = { type = "list(number)", pattern = nil, check = function() return true end } } } } do
      assert.is_nil(hcl.decode("b = null", nil, nil, { schema = schema }).b)
      assert.is_nil(hcl.decode('{"b": null}', nil, nil, { schema = schema, syntax = "json" }).b)
      assert.is_nil(hcl.assert(hcl.parse("b = x")):decode(schema, { x = hcl.null }, nil, { ranges = true }).b)
    end
    -- In blocks, including generated ones; but not within a value, nor if null is the default.
    local inner = { blocks = { s = { schema = { attributes = { b = {}, c = { default = hcl.null } } } } } }
    local t = hcl.decode('s {\n  b = null\n}\ndynamic "s" {\n  for_each = [null, 1]\n  content {\n    b = s.value\n  }\n}\n', nil, nil,
      { schema = inner })
    assert.same({ { c = hcl.null }, { c = hcl.null }, { b = 1, c = hcl.null } }, t.s)
    assert.equal(hcl.null, hcl.decode("s {\n  b = [null]\n}", nil, nil, { schema = inner }).s[1].b[1])
    assert.equal("object({ a = number })", tostring(hcl.parse("a = 1\nb = null"):check({ attributes = { a = {}, b = {} } }, {})))
    -- It is secret that a secret is null.
    local kept = hcl.decode("b = x", { x = hcl.sensitive(hcl.null) }, nil, { schema = { attributes = { b = {} } } }).b
    assert.equal("(sensitive value)", tostring(kept))
    assert.equal(hcl.null, hcl.decode("b = null").b)
  end)

  it("collects missing, unexpected and wrongly typed items", function()
    assert.same({ "body.missing", "body.argument", "body.label", "body.label", "body.block" },
      codes(read 'other = 1\nlistener "a" "b" {}\nlistener {}\nlistner "a" {}\n'))
    assert.same({ "body.type" }, codes(read 'name = "x"\nport = "many"\n'))
    assert.same({ "body.count" }, codes(read 'name = "x"\ntls { cert = "a" }\ntls { cert = "b" }\n'))
    assert.same({ "body.count" }, codes(read('name = "x"\n' .. ("tag {}\n"):rep(4))))
    assert.same({ "body.label" }, codes(read 'name = "x"\nroute "a" "b" {}\nroute "a" "b" {}\n'))
    assert.same({ "body.block" }, codes(read 'name = "x"\nport {}\n'))
    assert.same({ "body.argument" }, codes(read 'name = "x"\ntls = 1\n'))
  end)

  it("suggests the near name", function()
    local _, err = read 'nam = "x"\n'
    assert.truthy(tostring(err):find('Did you mean "name"', 1, true))
  end)

  it("counts the blocks, and reports those that form no set", function()
    local function wrong(source, block)
      block.schema = { attributes = { v = {} } }
      local v, err = hcl.assert(hcl.parse(source)):decode { blocks = { b = block } }
      return v or err[1].code .. " line " .. err[1].range.start.line .. ": " .. err[1].detail
    end
    assert.equal('body.count line 1: Blocks of type "b" are required here: at least 2. Add what is missing.',
      wrong("b {\n}\n", { nesting = "list", min = 2 }))
    assert.equal('body.count line 1: Blocks of type "b" are required here: at least 1. Add what is missing.',
      wrong("", { nesting = "map", labels = { "k" }, min = 1 }))
    assert.same({ b = { {}, {} } }, wrong("b {}\nb {}\n", { nesting = "list", min = 2 }))
    assert.equal('body.count line 3: Blocks of type "b" are limited to 2 here, so this one is too many. Remove it, or another.',
      wrong("b {}\nb {}\nb {}\n", { nesting = "list", max = 2 }))
    assert.equal('body.type line 1: Blocks of type "b" form a set, and their arguments don\'t convert to common types. ' ..
      "Give the arguments types in the schema.", wrong("b { v = 1 }\nb { v = [] }\n", { nesting = "set" }))
  end)

  it("suggests the near name of each that is wrong", function()
    local schema, items, json = { attributes = {} }, {}, {}
    for i = 1, 50 do
      schema.attributes[("%s_name_%s"):format(("abcde"):sub(i % 5 + 1, i % 5 + 1), i)] = {}
      items[i] = ("%s_nam_%s = 1\n"):format(("abcde"):sub(i % 5 + 1, i % 5 + 1), i)
      json[i] = ('"%s": 1'):format(items[i]:match "[%w_]+")
    end
    for syntax, source in pairs { native = table.concat(items), json = "{" .. table.concat(json, ",") .. "}" } do
      local _, err = hcl.assert(hcl.parse(source, { syntax = syntax })):decode(schema)
      assert.equal(50, #err)
      for i, d in ipairs(err) do
        local near = items[i]:match("[%w_]+"):gsub("_nam_", "_name_")
        assert.equal(near, d.detail:match 'Did you mean "(.-)"', syntax)
      end
    end
  end)

  it("reports mistakes however many there are, and many names to suggest", function()
    local items, schema = {}, { attributes = {} }
    for i = 1, 100000 do items[i] = ("attribute_%d = 1\n"):format(1000000 + i * 7919 % 100003) end
    for i = 1, 1000 do schema.attributes[("attribute_%d"):format(2000000 + i * 7919)] = {} end
    local v, err = hcl.assert(hcl.parse(table.concat(items))):decode(schema)
    assert.is_nil(v)
    assert.equal(100, #err)
    for i = 1, 100 do assert.equal("body.argument", err[i].code) end
  end)

  it("never shows a sensitive value", function()
    local _, err = read('name = "x"\nport = secret\n', { secret = hcl.sensitive "hush" })
    assert.equal("body.type", err[1].code)
    assert.is_nil(tostring(err):find("hush", 1, true))
  end)

  it("accepts schemas that contain themselves", function()
    local tree = { attributes = { v = {} }, blocks = {} }
    tree.blocks.node = { schema = tree }
    assert.same({ node = { { v = 1, node = { { v = 2, node = {} } } } } },
      hcl.parse("node {\n  v = 1\n  node {\n    v = 2\n  }\n}\n"):decode(tree))
  end)

  it("raises errors for invalid schemas, naming the place", function()
    local body = hcl.parse ""
    local function misuse(schema)
      local ok, message = pcall(body.decode, body, schema)
      assert.is_false(ok)
      return message
    end
    assert.truthy(misuse { attributes = { a = { typ = 1 } } }:find("schema.attributes.a", 1, true))
    assert.truthy(misuse { attributes = { a = { type = "strin" } } }:find("schema.attributes.a.type", 1, true))
    assert.truthy(misuse { attributes = { a = { type = "number", default = "x" } } }:find("schema.attributes.a.default", 1, true))
    assert.truthy(misuse { attributes = { a = { required = true, default = 1 } } }:find("schema.attributes.a: a required", 1, true))
    assert.truthy(misuse { blocks = { b = { nesting = "tree" } } }:find("schema.blocks.b.nesting", 1, true))
    assert.truthy(misuse { blocks = { b = { nesting = "map" } } }:find("schema.blocks.b", 1, true))
    assert.truthy(misuse { blocks = { b = { min = 3, max = 1 } } }:find("schema.blocks.b.min: 3 blocks at least, and at most 1", 1, true))
    assert.truthy(misuse { blocks = { b = { nesting = "single", min = 2 } } }:find("schema.blocks.b.min: 2 blocks at least", 1, true))
    for _, labels in ipairs { { name = "id" }, { "id", [3] = "zone" } } do
      assert.truthy(misuse { blocks = { b = { labels = labels } } }:find("schema.blocks.b.labels: an array of names", 1, true))
    end
    local same_name = { labels = { "x" }, schema = { attributes = { x = {} } } }
    assert.truthy(misuse { blocks = { b = same_name } }:find("schema.blocks.b.labels", 1, true))
    assert.truthy(misuse { attributes = { a = {} }, blocks = { a = {} } }:find("schema.blocks.a", 1, true))
    assert.truthy(misuse(5):find("#1", 1, true))
    local deep = {}
    for _ = 1, 2000 do deep = { blocks = { b = { schema = deep } } } end
    assert.truthy(misuse(deep):find("levels deep", 1, true))
  end)
end)

describe("body:content", function()
  it("is a body of the items in the schema", function()
    local body = hcl.assert(hcl.parse('name = "x"\ntls { cert = c }\n'):content(SERVICE))
    assert.equal("x", body.attributes.name:eval())
    assert.equal("pem", body.blocks[1].body.attributes.cert:eval { c = "pem" })
  end)

  it("decides which properties of the JSON syntax are blocks", function()
    local source = '{"name": "x", "listener": {"a": {"port": 1}, "b": [{"port": 2}, {"port": 3}]}}'
    local body = hcl.assert(hcl.parse(source, { syntax = "json" }))
    assert.equal(0, #body.blocks)
    local blocks = hcl.assert(body:content(SERVICE)).blocks
    assert.equal(3, #blocks)
    assert.same({ "b" }, blocks[3].labels)
    assert.equal(3, blocks[3].body.attributes.port:eval())
  end)

  it("collects errors", function()
    assert.same({ "body.missing", "body.argument" }, codes(hcl.parse("other = 1\n"):content(SERVICE)))
  end)
end)

describe("rules of a schema", function()
  local patterns = not support.lacking(hcl) "regex()"
  local positive = function(x) return x > 0 or nil, "It must be positive." end
  local SCHEMA = {
    attributes = {
      level = { type = "string", one_of = { "debug", "info", "warn" }, default = "info", description = "how much is logged" },
      port = { type = "number", min = 1, max = 65535 },
      host = { type = "string", pattern = patterns and "^[a-z.]+$" or nil },
      gain = { type = "number", check = positive },
    },
    blocks = {
      list = { labels = { "name" }, schema = { attributes = { port = { type = "number", max = 10 } } } },
      set = { nesting = "set", schema = { attributes = { port = { type = "number", max = 10 } } } },
      map = { labels = { "a", "b" }, nesting = "map", schema = { attributes = { port = { type = "number", max = 10 } } } },
      single = { nesting = "single", schema = { attributes = { port = { type = "number", max = 10 } } } },
    },
  }

  local function decode_by(text, variables, scope)
    return hcl.assert(hcl.parse(text, { filename = "c.hcl" })):decode(SCHEMA, variables, scope)
  end

  -- The line and column at which a text breaks its one rule, and the message.
  local function broken(text, variables)
    local _, err = decode_by(text, variables)
    assert.equal(1, #err, tostring(err))
    assert.equal("schema.value", err[1].code)
    return ("%d:%d"):format(err[1].range.start.line, err[1].range.start.column), err[1].detail
  end

  it("let good values pass", function()
    local t = hcl.assert(decode_by('port = 80\nhost = "a.b"\ngain = 0.5\nlist "x" {\n  port = 10\n}\nset {\n  port = 1\n}\n'))
    assert.same({ "info", 80, "a.b", 0.5, 10, 1 }, { t.level, t.port, t.host, t.gain, t.list[1].port, t.set[1].port })
    assert.is_nil(hcl.assert(decode_by "port = null\nlevel = null\n").port)
  end)

  it("are checked despite other errors", function()
    local schema = {
      attributes = {
        level = { type = "string", one_of = { "dev", "prod" } }, port = { type = "number", max = 10 }, size = { required = true },
      },
      blocks = { b = { min = 1, schema = { attributes = { port = { type = "number", max = 10 } } } } },
    }
    local function places(text, variables)
      local _, err = hcl.assert(hcl.parse(text)):decode(schema, variables)
      local found = {}
      for i, d in ipairs(err) do found[i] = ("%s %d:%d"):format(d.code, d.range.start.line, d.range.start.column) end
      table.sort(found)
      return found
    end
    assert.same({ "body.type 2:8", "schema.value 1:9" }, places 'level = "x"\nport = "http"\nsize = 1\nb {}\n')
    assert.same({ "body.count 1:1", "body.missing 1:1", "schema.value 1:9", "schema.value 2:8" }, places 'level = "x"\nport = 11\n')
    assert.same({ "body.missing 1:1", "body.type 1:8", "schema.value 3:10" }, places 'port = "http"\nb {\n  port = "11"\n}\n')
    assert.same({ "body.argument 2:1", "schema.value 1:9" }, places 'level = "x"\nother = 1\nsize = 1\nb {}\n')
    assert.same({ "body.type 1:8" }, places('port = "http"\nlevel = l\nsize = 1\nb {}\n', { l = "dev" }))
  end)

  it("report errors at the value", function()
    local place, detail = broken 'port = 3\nlevel = "inof"\n'
    assert.equal("2:9", place)
    assert.equal('level must be one of "debug", "info" or "warn", and is "inof". Did you mean "info"?', detail)
    place, detail = broken("port = n\n", { n = 0 })
    assert.equal("1:8", place)
    assert.equal("port must be at least 1, and is 0.", detail)
  end)

  it("report errors in blocks of every nesting", function()
    for place, text in pairs {
      ["5:10"] = 'list "a" {\n  port = 1\n}\nlist "b" {\n  port = 11\n}\n',
      ["6:12"] = 'list "a" {}\ndynamic "list" {\n  for_each = [1, 12]\n  labels = ["x"]\n  content {\n    port = list.value\n  }\n}\n',
      ["4:10"] = "set {}\nset {\n\n  port = 40\n}\nset {\n  port = 4\n}\n",
      ["3:10"] = 'map "x" "y" {}\nmap "x" "z" {\n  port = 11\n}\n',
      ["2:10"] = "single {\n  port = 99\n}\n",
    } do
      assert.equal(place, (broken(text)))
    end
  end)

  it("are reported together", function()
    local nothing, err = decode_by 'port = 70000\nlevel = "x"\nhost = "A"\ngain = -1\nsingle {\n  port = 11\n}\n'
    assert.is_nil(nothing)
    assert.same(patterns and { 4, 3, 2, 1, 6 } or { 4, 2, 1, 6 }, (function()
      local lines = {}
      for i, d in ipairs(err) do lines[i] = d.range.start.line end
      return lines
    end)())
    assert.equal("It must be positive.", err[1].detail)
    if patterns then assert.equal('host must match the pattern "^[a-z.]+$", and is "A".', err[2].detail) end
  end)

  it("don't check unknown values, and don't show marked ones", function()
    assert.is_false(hcl.assert(decode_by("port = u\n", { u = hcl.unknown "number" })).port:is_known())
    for _, text in ipairs { 'level = s\n', patterns and 'host = s\n' or nil } do
      local _, err = decode_by(text, { s = hcl.sensitive "HUSH" })
      assert.equal("schema.value", err[1].code)
      assert.is_nil(tostring(err):find("HUSH", 1, true))
    end
    local _, err = hcl.parse("x = s\n"):decode({ attributes = { x = { check = function(v) return nil, v:unmark():text() end } } }, {
      s = hcl.sensitive "HUSH" })
    assert.is_nil(tostring(err):find("HUSH", 1, true))
  end)

  it("have diagnostics of the script's own joined, those without a place at the value", function()
    local other = hcl.parse("y = 2\n", { filename = "other.hcl" })
    local schema = { attributes = {
      a = { check = function() return nil, hcl.diagnostic { code = "own.a", summary = "A", detail = "of a" } end },
      b = { check = function() return nil, hcl.diagnostic { code = "own.b", summary = "B", object = other.attributes.y } end },
    } }
    local _, err = hcl.parse("a = 1\nb = 2\n", { filename = "c.hcl" }):decode(schema)
    assert.same({ "own.a", "own.b" }, { err[1].code, err[2].code })
    assert.same({ "c.hcl", 5, "A", "of a" }, { err[1].range.filename, err[1].range.start.column, err[1].summary, err[1].detail })
    assert.equal("other.hcl", err[2].range.filename)
  end)

  it("suggest texts alone", function()
    local _, err = hcl.parse('a = "dve"\n'):decode { attributes = { a = { one_of = { "dev", 1, hcl.null, {} } } } }
    assert.equal("schema.value", err[1].code)
    assert.matches('Did you mean "dev"?', err[1].detail, 1, true)
  end)

  it("raise errors if the schema is invalid", function()
    assert.has_error(function() hcl.parse(""):decode { blocks = { b = { min = 1e300 } } } end,
      "bad argument #1 to 'decode' (schema.blocks.b.min: a whole number of blocks expected, not 1e+300)")
    for path, attribute in pairs {
      ["x.one_of: an array"] = { one_of = {} }, ["x.one_of: [1]"] = { type = "number", one_of = { "a" } }, ["x.min: is for"] = {
        type = "string", min = 1 },
      ["x.max: a number"] = { type = "number", max = "x" }, ["x.pattern: is for"] = { pattern = "a" }, ["x.check: a function"] = {
        check = 1 },
      ["x.pattern: regexall"] = { type = "string", pattern = "(" }, ["x.default: must be at most 1"] = { type = "number", max = 1,
        default = 2 },
      ["x.description: a string"] = { description = 1 },
    } do
      local ok, message = pcall(function() hcl.parse(""):decode { attributes = { x = attribute } } end)
      assert.is_false(ok)
      assert.truthy(message:find(path, 1, true), message)
    end
  end)
end)

describe("a decode in steps", function()
  it("lets other work run between its steps", function()
    local schema = { blocks = { r = { schema = { attributes = { x = { type = "expression" } } } } } }
    local body = hcl.assert(hcl.parse(("r {\n  x = a\n}\n"):rep(50)))
    local turns, config = 0, nil
    local co = coroutine.create(function() config = hcl.assert(body:decode(schema, nil, nil, { pause = coroutine.yield })) end)
    while coroutine.status(co) ~= "dead" do
      assert(coroutine.resume(co))
      turns = turns + 1
    end
    assert.is_true(turns > 50)
    assert.equal(2, config.r[50].x:eval { a = 2 })
  end)
end)

describe("hcl.range_of", function()
  local SCHEMA = { attributes = { a = {}, b = { default = 1 } }, blocks = { l = { labels = { "name" }, schema = { attributes = { x = {} },
    blocks = { in_it = { nesting = "single" } } } },
    m = { labels = { "k" }, nesting = "map", schema = { attributes = { x = {} } } } } }
  local TEXT = 'a = { k = 1 }\nl "p" {\n  x = 1\n}\ndynamic "l" {\n  for_each = [1, 2]\n  labels = ["q"]\n'
    .. '  content {\n    x = l.value\n    in_it {}\n  }\n}\nm "z" {\n  x = 2\n}\n'
  local body = hcl.assert(hcl.parse(TEXT, { filename = "c.hcl" }))

  it("gives the place of a decoded value, and the object", function()
    local t = hcl.assert(body:decode(SCHEMA, nil, nil, { ranges = true }))
    local function line(...)
      local range, object = hcl.range_of(t, ...)
      return range.start.line, tostring(object):match "^hclexpr%.(%a+)"
    end
    assert.same({ 1, "Attribute" }, { line "a" })
    assert.same({ 1, "Attribute" }, { line("a", "k") })
    assert.same({ 2, "Block" }, { line("l", 1) })
    assert.same({ 3, "Attribute" }, { line("l", 1, "x") })
    assert.same({ 9, "Attribute" }, { line("l", 3, "x") })
    assert.same({ 10, "Block" }, { line("l", 2, "in_it") })
    assert.same({ 14, "Attribute" }, { line("m", "z", "x") })
    assert.same({ 1, "Body" }, { line() })
    assert.same({ 1, "Body" }, { line "b" })
    assert.same({ 3, "Attribute" }, { hcl.range_of(t.l[1], "x").start.line, "Attribute" })
    local _, object = hcl.range_of(t, "l", 3, "x")
    assert.truthy(tostring(hcl.diagnostic { summary = "no", object = object }):find("9 |     x = l.value", 1, true))
  end)

  it("gives the place of a set's single block, and of its content", function()
    local inner = { schema = { attributes = { x = {} } } }
    local schema = { blocks = { s = { nesting = "set", schema = { attributes = { x = {} }, blocks = { l = inner } } }, l = inner } }
    for blocks, wanted in pairs { [1] = { 2, 4, 8, 9, 1 }, [2] = { 1, 1, 14, 15, 1 } } do
      local text = "\n"
      for i = 1, blocks do text = text .. ("s {\n  x = %d\n  l {\n    x = 2\n  }\n}\n"):format(i) end
      text = text .. "l {\n  x = 3\n}\n"
      local values = hcl.assert(hcl.assert(hcl.parse(text)):decode(schema, nil, nil, { ranges = true }))
      local found = {}
      for i, path in ipairs { { "s", 1 }, { "s", 1, "l", 1 }, { "l", 1 }, { "l", 1, "x" }, { "s" } } do
        found[i] = hcl.range_of(values, support.unpack(path)).start.line
      end
      assert.same(wanted, found)
    end
  end)

  it("knows nothing of other tables", function()
    assert.is_nil(hcl.range_of(hcl.assert(body:decode(SCHEMA))))
    assert.is_nil(hcl.range_of {})
    assert.is_false((pcall(hcl.range_of, 3)))
  end)
end)
