-- hcl.merge: several files read as one body, each with its own places.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local codes = support.codes

local function parse(name, text, options)
  local o = options or {}
  o.filename = name
  return hcl.assert(hcl.parse(text, o))
end

-- "FILE:LINE:COLUMN:BYTE" of the start of a Range.
local function place(range)
  return ("%s:%d:%d:%d"):format(range.filename, range.start.line, range.start.column, range.start.byte)
end

local SCHEMA = {
  attributes = { x = {}, y = {}, needed = { type = "number" } },
  blocks = { server = { labels = { "name" }, nesting = "map", schema = { attributes = { port = { type = "number" } } } } },
}

local A = 'x = 1\nserver "a" {\n  port = base.port\n}\n# the end'
local B = '\239\187\191y = "ä${x}"\nserver "b" {\n  port = base.port + 1\n}'

describe("hcl.merge", function()
  it("gives a body of all files, in their order, with the places of each", function()
    local body = hcl.assert(hcl.merge { parse("a.hcl", A), parse("b.hcl", B), parse("c.hcl", "needed = 3", { line = 7, column = 4 }) })
    assert.equal("a.hcl:1:1:0", place(body.attributes.x.range))
    assert.equal("b.hcl:1:1:3", place(body.attributes.y.range))
    assert.equal("c.hcl:7:4:0", place(body.attributes.needed.range))
    assert.same({ "a.hcl:2:1:6", "b.hcl:2:1:16" }, { place(body.blocks[1].range), place(body.blocks[2].range) })
    assert.equal(4, body.blocks[2].range.stop.line)
    local references = body:references()
    assert.same({ "base.port", "x", "base.port" }, { references[1].path, references[2].path, references[3].path })
    assert.equal("b.hcl:3:10:38", place(references[3].range))
    assert.equal("a.hcl:1:1:0", place(body:range()))
  end)

  it("gives the same places as the files by themselves", function()
    local text = 'a = "\226\130\172" + n\n\n\tb = [for x in "é": y]\n'
    local alone = parse("f.hcl", text)
    local merged = hcl.assert(hcl.merge { parse("e.hcl", "e = 1\r\n"), alone, parse("g.hcl", "g = 2") })
    for name, attribute in pairs(alone.attributes) do
      assert.same(attribute.expression:range(), merged.attributes[name].expression:range())
      assert.same(attribute.expression:references(), merged.attributes[name].expression:references())
    end
  end)

  it("decodes, checks, expands like any body", function()
    local body = hcl.assert(hcl.merge { parse("a.hcl", A), parse("b.hcl", B) })
    local t = hcl.assert(body:decode(SCHEMA, { base = { port = 80 }, x = "!" }))
    assert.same({ 1, "ä!", 80, 81 }, { t.x, t.y, t.server.a.port, t.server.b.port })
    assert.equal(2, #hcl.assert(body:content(SCHEMA)).blocks)
    assert.equal(2, #hcl.assert(body:expand()).blocks)
    local _, err = body:check(SCHEMA, { base = "object({ port = number })" })
    assert.equal("b.hcl:1:9:12", place(err[1].range))
    local text = tostring(err)
    assert.truthy(text:find("on b.hcl line 1, column 9:\n  1 | y = ", 1, true), text)
    assert.truthy(hcl.spec('object {\n  attr "x" {}\n}'))
  end)

  it("names both places of a duplicate", function()
    local nothing, err, readable = hcl.merge { parse("a.hcl", A), parse("b.hcl", B), parse("z.hcl", "# x\nx = 2\n") }
    assert.is_nil(nothing)
    assert.same({ "syntax.body" }, { (err[1].code:gsub("^syntax%..*", "syntax.body")) })
    assert.equal("z.hcl:2:1:4", place(err[1].range))
    assert.truthy(err[1].detail:find("a.hcl line 1", 1, true), err[1].detail)
    assert.equal(2, #readable.blocks)
    local double = hcl.assert(hcl.merge { parse("a.hcl", 'server "a" {}\n'), parse("b.hcl", 'server "a" {}\n') })
    local _, same = double:decode(SCHEMA)
    assert.same({ "body.label" }, codes(nil, same))
    assert.equal("b.hcl", same[1].range.filename)
    assert.truthy(same[1].detail:find("a.hcl line 1", 1, true), same[1].detail)
  end)

  it("checks required items in the whole", function()
    local schema = { attributes = { a = { required = true }, b = { required = true }, c = { required = true } } }
    local body = hcl.assert(hcl.merge { parse("a.hcl", "a = 1"), parse("b.hcl", "b = 2") })
    assert.same({ "body.missing" }, codes(body:decode(schema)))
    schema.attributes.c = nil
    assert.same({ a = 1, b = 2 }, hcl.assert(body:decode(schema)))
  end)

  it("merges files of JSON", function()
    local function json(name, text) return parse(name, text, { syntax = "json" }) end
    local body = hcl.assert(hcl.merge { json("a.json", '{ "x": 1,\n "server": { "a": { "port": 1 } } }'), json("b.json",
      '{ "y": 2,\n\n "server": { "b": { "port": "${p}" } } }') })
    local t = hcl.assert(body:decode(SCHEMA, { p = 7 }))
    assert.same({ 1, 2, 1, 7 }, { t.x, t.y, t.server.a.port, t.server.b.port })
    local _, err = body:decode(SCHEMA)
    assert.equal("b.json", err[1].range.filename)
    assert.equal(3, err[1].range.start.line)
    _, err = hcl.assert(hcl.merge { json("a.json", '{ "x": 1 }'), json("b.json", '\n{ "x": 2 }') }):decode(SCHEMA)
    assert.equal("b.json:2:3:3", place(err[1].range))
    assert.truthy(err[1].detail:find("a.json line 1", 1, true), err[1].detail)
  end)

  it("merges merged bodies, and none", function()
    local once = hcl.assert(hcl.merge { parse("a.hcl", "a = 1"), parse("b.hcl", "\n\nb = 2") })
    local twice = hcl.assert(hcl.merge { once, parse("c.hcl", "c = 3") })
    assert.equal("b.hcl:3:1:2", place(twice.attributes.b.range))
    assert.equal("c.hcl:1:1:0", place(twice.attributes.c.range))
    assert.same({}, hcl.assert(hcl.merge {}):decode {})
  end)

  it("shows a script's own diagnostics where they are", function()
    local body = hcl.assert(hcl.merge { parse("a.hcl", A), parse("b.hcl", B) })
    local d = hcl.diagnostic { summary = "Taken", object = body, range = body.blocks[2].type_range }
    assert.equal("b.hcl:2:1:16", place(d[1].range))
    assert.truthy(tostring(d):find('2 | server "b" {', 1, true))
  end)

  it("rejects two syntaxes, parts of files, values that aren't bodies", function()
    local _, err = hcl.merge { parse("a.hcl", "a = 1"), parse("b.json", "{}", { syntax = "json" }) }
    assert.equal("merge.syntax", err[1].code)
    assert.equal("b.json", err[1].range.filename)
    local block = parse("a.hcl", "b {}\n").blocks[1].body
    for _, case in ipairs { { { block }, "part of a file" }, { { 3 }, "Body expected at [1], got number" }, { "x", "table expected" } } do
      local ok, message = pcall(function() hcl.merge(case[1]) end)
      assert.is_false(ok)
      assert.truthy(message:find(case[2], 1, true) and message:find("bad argument #1 to", 1, true), message)
      assert.truthy(message:find("merge_spec.lua", 1, true), message)
    end
  end)

  it("obeys the given limits", function()
    local bodies = { parse("a.hcl", "a = 1"), parse("b.hcl", "b = 2") }
    local nothing, err = hcl.merge(bodies, { limits = { source = 8 } })
    assert.same({ "limit.source" }, codes(nothing, err))
  end)
end)
