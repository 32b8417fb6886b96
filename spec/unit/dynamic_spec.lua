-- `dynamic` blocks: expansion, and the names of their iterators. Source: "dynamic Blocks" of the language's documentation.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local function parse(source, options)
  return hcl.assert(hcl.parse(source, options))
end

local function expand(source, variables, scope)
  return hcl.assert(parse(source):expand(variables, scope))
end

local PORTS = [[
name = "web"
listener "static" {
  port = 0
}
dynamic "listener" {
  for_each = ports
  iterator = it
  labels   = ["${it.key}-x"]
  content {
    port = it.value
    all  = it
    dynamic "rule" {
      for_each = [it.value, 2]
      content {
        text = "${it.key}:${rule.value}"
      }
    }
    fixed {
      key = it.key
    }
  }
}
]]

describe("body:expand", function()
  it("replaces dynamic blocks by what they generate, in their place", function()
    local blocks = expand(PORTS, { ports = { http = 80, https = 443 } }).blocks
    assert.equal(3, #blocks)
    assert.same({ "listener", "listener", "listener" }, { blocks[1].type, blocks[2].type, blocks[3].type })
    assert.same({ "static" }, blocks[1].labels)
    assert.same({ "http-x" }, blocks[2].labels)
    assert.same({ "https-x" }, blocks[3].labels)
  end)

  it("returns attributes that know their iterators", function()
    local second = expand(PORTS, { ports = { http = 80, https = 443 } }).blocks[3].body
    assert.equal(443, second.attributes.port:eval())
    assert.same({ key = "https", value = 443 }, second.attributes.all:eval())
    assert.equal("https:443", second.blocks[1].body.attributes.text:eval())
    assert.equal("https:2", second.blocks[2].body.attributes.text:eval())
    assert.equal("https", second.blocks[3].body.attributes.key:eval())
  end)

  it("counts keys of lists from 0, and uses the elements of sets as keys", function()
    local source = 'dynamic "b" {\n  for_each = list\n  content {\n    key = b.key\n  }\n}\n'
    local function keys(list)
      local out = {}
      for i, block in ipairs(expand(source, { list = list }).blocks) do out[i] = block.body.attributes.key:eval() end
      return out
    end
    assert.same({ 0, 1 }, keys { "x", "y" })
    assert.same({ "x", "y" }, keys(hcl.assert(hcl.value({ "y", "x" }, "set(string)"))))
    assert.same({}, keys(hcl.array {}))
  end)

  it("leaves iterators out of references", function()
    assert.same({ "ports" }, support.paths(parse(PORTS):references()))
    assert.same({}, expand(PORTS, { ports = { a = 1 } }).blocks[2].body:references())
  end)

  it("makes one completely unknown block for an unknown for_each", function()
    local blocks = expand('dynamic "b" {\n  for_each = list\n  content {\n    v = 1\n    n {\n      w = 2\n    }\n  }\n}\n',
      { list = hcl.unknown "list(string)" }).blocks
    assert.equal(1, #blocks)
    assert.is_false(blocks[1].body.attributes.v:value():is_known())
    assert.is_false(blocks[1].body.blocks[1].body.attributes.w:value():is_known())
  end)

  it("checks nothing in blocks whose number is unknown", function()
    local source = 'dynamic "b" {\n  for_each = l\n  labels = ["k"]\n  content {\n    v = nope.x\n  }\n}\nb "s" {\n  v = 1\n}\n'
    for _, nesting in ipairs { "list", "set", "map" } do
      local block = { nesting = nesting, labels = { "id" }, schema = { attributes = { v = {} } } }
      local v, err = hcl.assert(hcl.parse(source)):decode({ blocks = { b = block } }, { l = hcl.sensitive(hcl.unknown "list(string)") })
      assert.is_nil(err)
      assert.truthy(v.b, nesting)
    end
  end)

  it("puts the marks of for_each on the arguments of content", function()
    local blocks = expand('dynamic "b" {\n  for_each = list\n  content {\n    v = 1\n  }\n}\n', { list = hcl.sensitive { "a" } }).blocks
    assert.same({ "sensitive" }, blocks[1].body.attributes.v:value():marks())
  end)

  -- As in the reference: see doc/contributing/differences.md, "Bodies".
  -- The reference shows such labels: see doc/contributing/differences.md.
  it("rejects labels that come from a marked for_each", function()
    local schema = { blocks = { b = { labels = { "l" }, schema = { blocks = { c = { labels = { "l" }, schema = {} } } } } } }
    local function block(label, content)
      return 'dynamic "b" {\n  for_each = x\n  labels = [' .. label .. "]\n  content {\n" .. (content or "") .. "\n  }\n}\n"
    end
    local function each(source, vars, f)
      local body = hcl.assert(hcl.parse(source))
      f(body:expand(vars))
      f(body:decode(schema, vars))
      f(body:content(schema, vars))
    end
    local function refused(line)
      return function(v, err)
        assert.is_nil(v)
        assert.same({ 1, "dynamic.label", line }, { #err, err[1].code, err[1].range.start.line })
        assert.is_nil(tostring(err):find("SECRET", 1, true))
      end
    end
    local map, list, set = hcl.sensitive { SECRET = 1 }, hcl.sensitive { "SECRET" }, hcl.value({ hcl.sensitive "SECRET" }, "set(string)")
    for _, case in ipairs {
      { "b.key", map }, { "b.value", list }, { "b.key", list }, { "b.key", set }, { '"a-${b.key}"', map }, { 'b["key"]', map },
      { "[for x in [b.value] : x][0]", list }, { "b.value.k", hcl.sensitive { { k = "SECRET" } } }, { "lookup(b, \"key\")", map },
      { "b.value", hcl.mark({ "SECRET" }, "my-own") },
    } do
      each(block(case[1]), { x = case[2] }, refused(3))
    end
    local inner = '    dynamic "c" {\n      for_each = [1]\n      labels = [LABEL]\n      content {\n      }\n    }'
    each(block('"a"', (inner:gsub("LABEL", "b.value"))), { x = list }, refused(7))
    local function made(v, err) assert(v, tostring(err)) end
    each(block('"a"', (inner:gsub("LABEL", "c.value"))), { x = list }, made)
    each(block "nonsensitive(b.value)", { x = list }, made)
    each(block "other", { x = list, other = "a" }, made)
    each(block "b.key", { x = { hcl.sensitive "SECRET" } }, made)
    assert.equal("dynamic.label", support.code(hcl.decode(block "b.key", { x = map })))
  end)

  it("leaves blocks in content without the marks of for_each", function()
    local source = 'dynamic "b" {\n  for_each = list\n  content {\n    v = 1\n    inner {\n      w = 2\n    }\n  }\n}\n'
    local content = expand(source, { list = hcl.sensitive { "a" } }).blocks[1].body
    assert.same({ "sensitive" }, content.attributes.v:value():marks())
    local w = content.blocks[1].body.attributes.w:value()
    assert.same({}, w:marks())
    assert.equal("2", w:text())
  end)

  it("names the error and its place", function()
    local function code(source, variables)
      local body, err = parse(source):expand(variables)
      assert.is_nil(body)
      return err[1].code, err[1].range.start.line
    end
    local function block(lines) return 'dynamic "b" {\n' .. lines .. "\n}\n" end
    assert.same({ "dynamic.for_each", 2 }, { code(block "for_each = null\ncontent {\n}") })
    assert.same({ "dynamic.for_each", 2 }, { code(block "for_each = 5\ncontent {\n}") })
    assert.same({ "body.missing", 1 }, { code(block "content {\n}") })
    assert.same({ "dynamic.iterator", 3 }, { code(block 'for_each = []\niterator = "x"\ncontent {\n}') })
    assert.same({ "dynamic.content", 1 }, { code(block "for_each = []") })
    assert.same({ "dynamic.content", 5 }, { code(block "for_each = []\ncontent {\n}\ncontent {\n}") })
    assert.same({ "dynamic.label", 3 }, { code(block "for_each = [1]\nlabels = [null]\ncontent {\n}") })
    assert.same({ "dynamic.label", 3 }, { code(block "for_each = [1]\nlabels = [s]\ncontent {\n}", { s = hcl.sensitive "x" }) })
    assert.same({ "dynamic.label", 3 }, { code(block "for_each = [1]\nlabels = [[]]\ncontent {\n}") })
    assert.same({ "body.label", 1 }, { code "dynamic {\n}\n" })
  end)

  it("reports the first wrong label of a block, as written, and nothing else of that block", function()
    -- The places are the reference's.
    local source = 'dynamic "b" {\nfor_each=[{}]\nlabels=[%s,"${b.value}"]\ncontent {\n  v = 1\n}\n}\n'
    local schema = { blocks = { b = { labels = { "x", "y" } } } }
    local function place(label)
      local body, err = parse(source:format(label)):content(schema)
      assert.is_nil(body)
      assert.equal(1, #err)
      return { err[1].code, err[1].range.start.byte, err[1].range.stop.byte }
    end
    assert.same({ "dynamic.label", 36, 48 }, place '"${b.value}"')
    assert.same({ "template.value", 41, 42 }, place '"l-${b}"')
    assert.same({ "reference.unknown", 36, 40 }, place "nope")
  end)

  -- Recorded from the reference.
  it("is read like the reference in corner cases", function()
    local schema = { blocks = { b = { schema = {} }, c = { labels = { "x" }, schema = {} } } }
    for source, want in pairs {
      ['dynamic "b" {\nfor_each = ["p"]\niterator = true\ncontent {\n}\n}\n'] = "",
      ['dynamic "b" {\nfor_each = ["p"]\niterator = null\ncontent {\n}\n}\n'] = "",
      ['dynamic "c" {\nfor_each = ["p"]\nlabels = "x"\ncontent {\n}\n}\n'] = "dynamic.labels 41-42",
      ['dynamic "c" {\nfor_each = ["p"]\nlabels = [for x in l : x]\ncontent {\n}\n}\n'] = "dynamic.labels 40-41",
      ['dynamic "c" {\nfor_each = ["p"]\nlabels = upper("x")\ncontent {\n}\n}\n'] = "dynamic.labels 40-46",
      ['dynamic "b" {\nfor_each = ["p"]\ncontent {\n}\ndynamic "b" {\n}\n}\n'] = "body.block 43-50",
      ['{"dynamic": {"b": {"for_each": ["p"], "iterator": "true", "content": {}}}}'] = "",
      ['{"dynamic": {"b": {"for_each": ["p"], "iterator": "t\\u0072ue", "content": {}}}}'] = "",
      ['{"dynamic": {"b": {"for_each": ["p"], "iterator": true, "content": {}}}}'] = "dynamic.iterator 50-54",
      ['{"dynamic": {"c": {"for_each": ["p"], "labels": {"a": 1}, "content": {}}}}'] = "dynamic.labels 48-49",
      ['{"dynamic": {"c": {"for_each": ["p"], "labels": "x", "content": {}}}}'] = "dynamic.labels 48-51",
      ['{"dynamic": {"b": {"for_each": ["p"], "content": {}, "dynamic": {"b": {}}}}}'] = "json.property 53-62",
      ['{"dynamic": {"b": {"for_each": ["p"], "content": {}, "dynamic": []}}}'] = "json.property 53-62",
    } do
      local v, err = parse(source, { syntax = source:find "^{" and "json" or "native" }):decode(schema, { l = { "p" } })
      local got = ""
      for _, d in ipairs(err or {}) do got = got .. ("%s %d-%d"):format(d.code, d.range.start.byte, d.range.stop.byte) end
      assert.equal(want, got, source)
      assert.equal(want == "", v ~= nil)
    end
  end)

  it("reports no errors in blocks that aren't generated", function()
    assert.equal(0, #expand('dynamic "a" {\n  for_each = []\n  content {\n    dynamic "b" {\n    }\n  }\n}\n').blocks)
  end)

  it("stays usable when everything that it came from is collected", function()
    local attribute = expand('dynamic "b" {\n  for_each = ["a${1}"]\n  content {\n    v = b\n  }\n}\n').blocks[1].body.attributes.v
    support.collect()
    assert.same({ key = 0, value = "a1" }, attribute:eval())
  end)

  it("returns a body that can be read by a schema, like any other, without for_each", function()
    local schema = { blocks = { listener = { labels = { "id" }, schema = {
      attributes = { port = { type = "string" }, all = {} },
      blocks = {
        rule = { schema = { attributes = { text = {} } } },
        fixed = { schema = { attributes = { key = {} } } },
      },
    } } } }
    local body = expand([[
dynamic "listener" {
  for_each = ports
  iterator = it
  labels   = [it.key]
  content {
    port = it.value + more
    dynamic "rule" {
      for_each = [it.value]
      content {
        text = "${it.key}:${rule.value}"
      }
    }
    fixed {
      key = it.key
    }
  }
}
]], { ports = { http = 80 } })
    local want = { listener = { { id = "http", port = "81", rule = { { text = "http:80" } }, fixed = { { key = "http" } } } } }
    assert.same(want, body:decode(schema, { more = 1 }))
    local content = hcl.assert(body:content(schema))
    assert.same(want, content:decode(schema, { more = 1 }))
    assert.same(want, hcl.assert(content:expand()):decode(schema, { more = 1 }))
    assert.same({ "more" }, support.paths(body:references()))
    assert.same({ "more" }, support.paths(content:references()))
    assert.same(want.listener[1].rule[1], content.blocks[1].body.blocks[1].body:decode { attributes = { text = {} } })
    assert.same({ "body.type" }, support.codes(body.blocks[1].body:decode({
      attributes = { port = { type = "bool" } }, blocks = schema.blocks.listener.schema.blocks }, { more = 1 })))
  end)

  it("keeps unknown values and marks when such a body is read again", function()
    local body = expand('dynamic "b" {\n  for_each = list\n  content {\n    v = 1\n  }\n}\n',
      { list = hcl.assert(hcl.unknown "list(string)"):mark "sensitive" })
    local v = hcl.assert(body.blocks[1].body:decode { attributes = { v = { type = "string" } } }).v
    assert.is_false(v:is_known())
    assert.equal("string", tostring(v:type()))
    assert.same({ "sensitive" }, v:marks())
  end)

  it("lets callbacks yield", function()
    local scope = hcl.scope { functions = { wait = function(x) return coroutine.yield(x) end } }
    local body = parse 'dynamic "b" {\n  for_each = wait(1)\n  labels = [wait(b.value)]\n  content {\n  }\n}\n'
    local co, asked = support.suspended(function() return body:expand(nil, scope) end)
    assert.equal(1, asked)
    local _
    _, asked = coroutine.resume(co, { "p", "q" })
    assert.equal("p", asked)
    coroutine.resume(co, "P")
    local ok, expanded = coroutine.resume(co, "Q")
    assert.is_true(ok)
    assert.same({ "P" }, expanded.blocks[1].labels)
    assert.same({ "Q" }, expanded.blocks[2].labels)
  end)

  it("ends at the limits", function()
    local source = 'dynamic "b" {\n  for_each = range(1000)\n  content {\n    dynamic "c" {\n      for_each = range(1000)\n' ..
      "      content {\n      }\n    }\n  }\n}\n"
    assert.equal("limit.steps", support.code(parse(source):expand(nil, hcl.scope { limits = { steps = 100000 } })))
  end)
end)

describe("dynamic blocks of the JSON syntax", function()
  it("are left for the schema that decides which properties are blocks", function()
    local source = '{"dynamic": {"b": {"for_each": [1, 2], "content": {"v": "${b.value}"}}}}'
    local schema = { blocks = { b = { schema = { attributes = { v = {} } } } } }
    local body = hcl.assert(hcl.assert(hcl.parse(source, { syntax = "json" })):expand())
    assert.same({ b = { { v = 1 }, { v = 2 } } }, body:decode(schema))
    assert.same({ v = 2 }, hcl.assert(body:content(schema)).blocks[2].body:decode { attributes = { v = {} } })
  end)

  -- Recorded from the reference, which counts the bytes of the decoded text from the quote on.
  it("blame a path used as an iterator, even if written in escapes", function()
    for string, place in pairs {
      ['"a.b"'] = "0-3", ['"  a.b"'] = "2-5", ['"\\u0061.b"'] = "0-3", ['" \\ta.b.c"'] = "2-7", ['"\\u0061[0]  "'] = "0-4",
      ['"a[\\"x\\"]"'] = "0-6", ['"a[\\"\255\\"]"'] = "0-8", ['"\\u0061 b"'] = "0-10",
    } do
      local source = '{"dynamic": {"b": {"for_each": [1], "content": {}, "iterator": ' .. string .. "}}}"
      local _, err = hcl.assert(hcl.parse(source, { syntax = "json" })):decode { blocks = { b = { schema = {} } } }
      local quote, range = source:find(string, 1, true) - 1, err[1].range
      assert.equal("dynamic.iterator", err[1].code)
      assert.equal(place, (range.start.byte - quote) .. "-" .. (range.stop.byte - quote), string)
    end
  end)

  it("may name their iterator in escapes", function()
    local source = [[{"dynamic": {"b": {"for_each": [1], "iterator": "i\u0074", "content": {"v": "${it.value}"}}}}]]
    local body = hcl.assert(hcl.parse(source, { syntax = "json" }))
    local schema = { blocks = { b = { schema = { attributes = { v = {} } } } } }
    assert.same({ b = { { v = 1 } } }, body:decode(schema))
    body = hcl.assert(hcl.parse((source:gsub("i\\u0074", "\\u0069.t")), { syntax = "json" }))
    assert.same({ "dynamic.iterator" }, support.codes(body:decode(schema)))
  end)

  it("are expanded like those of the native one", function()
    local source = '{"dynamic": {"b": {"for_each": "${list}", "labels": ["l${b.key}"], "content": {"v": "${b.value}"}}}}'
    local body = parse(source, { syntax = "json" })
    local schema = { blocks = { b = { labels = { "name" }, schema = { attributes = { v = {} } } } } }
    local blocks = hcl.assert(body:content(schema, { list = { "x", "y" } })).blocks
    assert.same({ "l0" }, blocks[1].labels)
    assert.equal("y", blocks[2].body.attributes.v:eval())
    assert.same({ b = { { name = "l0", v = "x" }, { name = "l1", v = "y" } } }, body:decode(schema, { list = { "x", "y" } }))
  end)
end)
