-- The JSON syntax: expressions and bodies.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local characters = not support.lacking(hcl) "\195\169"
local paths = support.paths

local function compile(source, options)
  options = options or {}
  options.syntax = "json"
  return hcl.compile(source, options)
end

local function eval(source, variables, scope)
  local expr, err = compile(source)
  if not expr then return nil, err end
  return expr:eval(variables, scope)
end

local function place(d)
  return { d.range.start.line, d.range.start.column, d.range.start.byte, d.range.stop.byte }
end

describe("an expression in JSON", function()
  it("gives the values of JSON", function()
    assert.same({ a = { 1, true, "x", hcl.null }, b = {} }, eval '{"a": [1, true, "x", null], "b": {}}')
    assert.equal(hcl.null, eval "null")
    assert.equal("tuple", compile("[]"):value():type():kind())
    assert.equal("object", compile("{}"):value():type():kind())
  end)

  it("has templates in strings and in names", function()
    local variables = { n = 2, list = { "a", "b" }, key = "k" }
    assert.equal(2, eval('"${n}"', variables))
    assert.equal("n is 2", eval('"n is ${n}"', variables))
    assert.same({ "a", "b" }, eval('"${list}"', variables))
    assert.same({ k = 1, ["k-2"] = "3" }, eval('{"${key}": 1, "${key}-${n}": "%{ if true }3%{ endif }"}', variables))
    assert.equal("${n}", eval('"$${n}"', variables))
    assert.equal(2, eval('"\\u0024\\u007bn}"', variables))
  end)

  it("keeps numbers exactly", function()
    assert.equal("1267650600228229401496703205377", compile("1267650600228229401496703205377"):value():text())
    assert.equal("0.1", compile("0.1"):value():text())
    assert.equal("-0", compile("-0"):value():text())
  end)

  it("decodes escapes and normalises", function()
    assert.equal('\8\12\n\r\t"\\/', eval [["\b\f\n\r\t\"\\\/"]])
    assert.equal("\195\169", eval '"\\u00e9"')
    local accented = characters and "\195\169" or "e\204\129"
    assert.equal(accented, eval '"e\204\129"')
    assert.equal(accented, eval '"e\\u0301"')
    assert.equal("\240\159\152\128", eval '"\\ud83d\\ude00"')
    assert.equal("\239\191\189x", eval '"\\ud83dx"')
    assert.equal("\239\191\189", eval '"\255"')
    assert.same({ [accented] = 1 }, eval '{"e\204\129": 1}')
  end)

  it("rejects duplicate names", function()
    for _, source in ipairs { '{"a": 1, "a": 2}', '{"a": 1, "${"a"}": 2}' } do
      local v, err = eval((source:gsub('"a"}', '\\"a\\"}')))
      assert.is_nil(v)
      assert.equal(1, #err)
      assert.equal("object.key", err[1].code)
      assert.equal(9, err[1].range.start.byte)
    end
  end)

  it("points at errors", function()
    for source, want in pairs {
      ['{"a": 1,}'] = { "json.comma", 1, 8, 7, 8 },
      ['{"a": tru}'] = { "json.value", 1, 7, 6, 9 },
      ['{"a" = 1}'] = { "json.colon", 1, 6, 5, 6 },
      ["[1"] = { "json.bracket", 1, 1, 0, 1 },
      ["01"] = { "json.number", 1, 1, 0, 2 },
      ["1 2"] = { "json.extra", 1, 3, 2, 3 },
      ["// x"] = { "json.comment", 1, 1, 0, 1 },
      ["'a'"] = { "json.value", 1, 1, 0, 1 },
      ["\t\t@"] = { "json.value", 1, 5, 2, 3 },
    } do
      local v, err = compile(source)
      assert.is_nil(v)
      assert.equal(want[1], err[1].code, source)
      assert.same({ want[2], want[3], want[4], want[5] }, place(err[1]), source)
    end
  end)

  it("suggests the intended word", function()
    local _, err = compile "[flase]"
    assert.truthy(err[1].detail:find('"false"', 1, true))
  end)

  it("points into strings", function()
    local v, err = eval '["ok",\n "\195\164 ${nope}"]'
    assert.is_nil(v)
    assert.same({ 2, 7, 14, 18 }, place(err[1]))
    assert.truthy(tostring(err):find("\n    |       ^^^^\n", 1, true))
  end)

  it("shows places after escapes where they are written", function()
    -- The range is the reference's: as far after the quote as if the escape were one character.
    local v, err = eval '"\\u00e9 ${nope}"'
    assert.is_nil(v)
    assert.same({ 1, 6, 6, 10 }, place(err[1]))
    assert.truthy(tostring(err):find('1 | "\\u00e9 ${nope}"\n    |           ^^^^', 1, true))
    assert.same({ line = 0, character = 10 }, err:lsp()[1].range.start)
  end)

  it("counts the characters of long strings, also of lines in them", function()
    -- After the quote 1,000 lines of three bytes, 1,000 characters of two, and "${".
    local source = '"' .. ("ab\\n"):rep(1000) .. ("\\u00e9"):rep(1000) .. '${nope}"'
    local v, err = eval(source)
    assert.is_nil(v)
    assert.same({ 1001, 1003, 5003, 5007 }, place(err[1]))
    local start = hcl.assert(compile(source)):references()[1].range.start
    assert.same({ 1001, 1003, 5003 }, { start.line, start.column, start.byte })
    local at = hcl.assert(compile('"' .. ("x"):rep(3000) .. "\\n${" .. (" "):rep(1500) .. 'y}"')):references()[1].range.start
    assert.same({ 2, 1503 }, { at.line, at.column })
  end)

  it("reports all invalid templates at once", function()
    local v, err = compile '["${", "${1 +}", "fine ${x}"]'
    assert.is_nil(v)
    assert.equal(2, #err)
  end)

  it("lists references, functions and its tree", function()
    local expr = hcl.assert(compile '{"${a.b}": ["x", "${upper(c[0])}"], "plain": "${[for d in e : d]}"}')
    assert.same({ "a.b", "c[0]", "e" }, paths(expr:references()))
    assert.same({ "upper" }, { expr:functions()[1].name })
    local tree = expr:ast()
    assert.equal("object", tree.kind)
    assert.equal("wrap", tree.items[1].inner.kind)
    assert.equal("wrap", tree.items[2].elements[2].kind)
    assert.equal("string", tree.items[3].inner.kind)
  end)

  it("is read from a string in escapes, too", function()
    local expr = hcl.assert(compile '"\\u0024{a[\\"k\\"]}"')
    assert.same({ 'a["k"]' }, paths(expr:references()))
    assert.equal(5, expr:eval { a = { k = 5 } })
  end)

  it("is constant without templates", function()
    assert.same({ 1 }, compile("[1]"):literal())
    assert.is_nil(compile('["${x}"]'):literal())
  end)

  it("accepts no other syntax", function()
    assert.has_error(function() hcl.compile("1", { syntax = "yaml" }) end)
    assert.has_error(function() hcl.parse("1", { syntax = "template" }) end)
  end)
end)

describe("nesting in JSON", function()
  local function nested(n) return ("["):rep(n) .. ("]"):rep(n) end

  it("may be a thousand levels deep", function()
    assert.is_not_nil(compile(nested(1000)))
    local v, err = compile(nested(1001))
    assert.is_nil(v)
    assert.equal("limit.depth", err[1].code)
    assert.equal(1000, err[1].range.start.byte)
  end)

  it("is limited by the options", function()
    assert.is_nil((compile("[[[1]]]", { limits = { depth = 2 } })))
    assert.is_not_nil((compile("[[1]]", { limits = { depth = 2 } })))
  end)

  it("of a million levels is reported", function()
    for _, source in ipairs { ("["):rep(1e6), ('{"a":'):rep(1e6), ("[{"):rep(5e5) } do
      local v, err = compile(source)
      assert.is_nil(v)
      assert.is_not_nil(err[1])
    end
  end)
end)

describe("a body in JSON", function()
  local body = hcl.assert(hcl.parse([[
{
  "//": "what this is",
  "name": "x-${n}",
  "list": [1, "${n}"],
  "block": { "//": "kept", "a": "${b}" }
}
]], { syntax = "json", filename = "main.json" }))

  it("has its properties as attributes", function()
    assert.same({ "block", "list", "name" }, support.keys(body.attributes))
    assert.same({}, body.blocks)
    assert.equal("x-1", body.attributes.name:eval { n = 1 })
    assert.same({ 1, 2 }, body.attributes.list:eval { n = 2 })
    assert.same({ ["//"] = "kept", a = 3 }, body.attributes.block:eval { b = 3 })
  end)

  it("knows where they are", function()
    local a = body.attributes.name
    assert.equal("main.json", a.range.filename)
    assert.equal(3, a.name_range.start.line)
    assert.equal(3, a.name_range.start.column)
    assert.equal(9, a.name_range.stop.column)
    assert.equal('"x-${n}"', a.expression:source())
    assert.equal(a.expression:range().stop.byte, a.range.stop.byte)
  end)

  it("lists references", function()
    assert.same({ "n", "n", "b" }, paths(body:references()))
  end)

  it("reports errors in a template when it is evaluated", function()
    local other = hcl.assert(hcl.parse('{"a": "${", "b": ["${nope}", "${1 +}"], "c": 1}', { syntax = "json" }))
    assert.equal(1, other.attributes.c:eval())
    local v, err = other.attributes.a:eval()
    assert.is_nil(v)
    assert.equal(9, err[1].range.start.byte)
    v, err = other.attributes.b:eval()
    assert.is_nil(v)
    assert.equal(2, #err)
    assert.is_nil(other.attributes.b.expression:warnings())
    assert.same({}, other.attributes.a.expression:references())
  end)

  it("reports a name that occurs twice", function()
    local other = hcl.assert(hcl.parse('{"a": 1, "a": 2}', { syntax = "json" }))
    assert.equal(1, other.attributes.a:eval())
    local v, err = other.attributes[""]:eval()
    assert.is_nil(v)
    assert.equal(9, err[1].range.start.byte)
  end)

  it("may be an array, whose properties only a schema can sort out", function()
    local other = hcl.assert(hcl.parse('[{"a": 1}]', { syntax = "json" }))
    assert.equal("json.body", support.code(other.attributes[""]:eval()))
  end)

  it("rejects anything else", function()
    for _, source in ipairs { "1", '"x"', "null", "" } do
      local v, err, partial = hcl.parse(source, { syntax = "json" })
      assert.is_nil(v)
      assert.equal("json.root", err[#err].code)
      assert.is_nil(partial)
    end
  end)

  it("returns the readable parts of a broken source", function()
    local none, err, partial = hcl.parse('{"a": 1, "b": tru}', { syntax = "json" })
    assert.is_nil(none)
    assert.equal(1, #err)
    assert.equal(1, partial.attributes.a:eval())
  end)
end)

describe("the items of a body in JSON", function()
  local names = {}
  for i = 1, 100 do names[i] = ('"some_name_%d": 1'):format(i) end
  local source = '{"a": 1, ' .. table.concat(names, ", ") .. "}"

  it("are made under the limits of the source, which raise errors", function()
    local body = hcl.assert(hcl.parse(source, { syntax = "json", filename = "x.json", limits = { memory = 100 } }))
    for _, ask in ipairs { function() return body.attributes end, function() return body:references() end } do
      local ok, message = pcall(ask)
      assert.is_false(ok)
      assert.truthy(message:find("x.json line 1, column 1:", 1, true), message)
      assert.truthy(message:find("limits.memory", 1, true), message)
    end
  end)

  it("are made once, however often you ask", function()
    local body = hcl.assert(hcl.parse(source, { syntax = "json", limits = { memory = 20000 } }))
    for _ = 1, 1000 do assert.same({}, body:references()) end
    assert.equal(1, body.attributes.a:eval())
  end)
end)

describe("a body in JSON, by a schema", function()
  local schema = {
    attributes = { name = { type = "string", required = true }, count = { type = "number", default = 3 } },
    blocks = {
      listener = { schema = { attributes = { port = { type = "number" } } } },
      route = { labels = { "host", "path" }, schema = { attributes = { to = { type = "string" } } } },
    },
  }

  local function decode(source, variables)
    return hcl.assert(hcl.parse(source, { syntax = "json" })):decode(schema, variables)
  end

  local function codes(err)
    local out = {}
    for i, d in ipairs(err) do out[i] = d.code .. " " .. d.range.start.byte end
    return out
  end

  it("has blocks in objects, arrays and levels of labels", function()
    assert.same({
      name = "web", count = 3,
      listener = { { port = 80 }, { port = 443 } },
      route = {
        { host = "a", path = "/", to = "one" }, { host = "a", path = "/x", to = "two" }, { host = "a", path = "/x", to = "three" },
        { host = "b", path = "/" },
      },
    }, decode([[{
      "//": "a comment", "name": "${n}", "count": null,
      "listener": [{"port": 80}, {"port": "${400 + 43}"}],
      "route": [{"a": {"/": {"to": "one"}, "/x": [{"to": "two"}, {"to": "three"}]}}, {"b": {"/": {"to": null}}}]
    }]], { n = "web" }))
  end)

  it("may be an array of objects", function()
    assert.same({ name = "a", count = 1, listener = { { port = 1 } }, route = {} },
      decode '[{"name": "a"}, {"count": 1}, {"listener": {"port": 1}}]')
  end)

  it("treats null as no block", function()
    assert.same({ name = "a", count = 3, listener = {}, route = {} }, decode '{"name": "a", "listener": null}')
  end)

  it("has labels as written, never templates", function()
    assert.same({ { host = "${x}", path = "%{", to = "y" } }, decode('{"name": "a", "route": {"${x}": {"%{": {"to": "y"}}}}').route)
  end)

  it("has dynamic blocks", function()
    assert.same({ { port = 1 }, { port = 2 } }, decode([[{"name": "a", "dynamic": {"listener": {
      "for_each": "${ports}", "iterator": "p", "content": {"port": "${p.value}"}}}}]], { ports = { 1, 2 } }).listener)
  end)

  it("reports missing, unexpected, duplicate and wrongly formed items", function()
    for source, want in pairs {
      ["{}"] = { "body.missing 1" },
      ['{"name": 1, "nam": 2}'] = { "json.property 12" },
      ['{"name": 1, "name": 2}'] = { "syntax.duplicate 12" },
      ['{"name": 1, "listener": 5}'] = { "json.body 24" },
      ['{"name": 1, "route": {"a": {}}}'] = { "json.label 27" },
      ['{"name": 1, "listener": {"prt": 1}}'] = { "json.property 25" },
    } do
      local v, err = decode(source)
      assert.is_nil(v, source)
      assert.same(want, codes(err), source)
    end
    local _, err = decode '{"name": 1, "listener": {"prt": 1}}'
    assert.truthy(err[1].detail:find('"port"', 1, true))
  end)

  it("has exact places", function()
    local content = hcl.assert(hcl.assert(hcl.parse('{"name": "a",\n "listener": [{"port": 1}]}', { syntax = "json" })):content(schema))
    local block = content.blocks[1]
    assert.same({ 15, 25 }, { block.type_range.start.byte, block.type_range.stop.byte })
    assert.equal(27, block.open_brace_range.start.byte)
    assert.same({ 1, 7 }, { content.attributes.name.name_range.start.byte, content.attributes.name.name_range.stop.byte })
  end)
end)

describe("any bytes", function()
  it("are JSON or diagnostics", function()
    local good = '{"a": ["x${n}\\u00e9", {"b\\n": -1.5e3}], "\195\169": null}'
    for i = 0, #good do
      local v, err = compile(good:sub(1, i))
      assert.is_true(v ~= nil or err[1] ~= nil)
      for _, byte in ipairs { "\0", "\"", "\\", "\255", "{", "]", "\n" } do
        v, err = compile(good:sub(1, i) .. byte .. good:sub(i + 1))
        assert.is_true(v ~= nil or #tostring(err) > 0)
      end
    end
  end)
end)

describe("a mistake in a string with escapes", function()
  -- The part that the carets of a report mark.
  local function marked(text)
    local line, carets = text:match "\n  1 | ([^\n]*)\n    | ( *%^+)\n"
    return line:sub(carets:find "%^", #carets)
  end

  it("is shown where it is written, whatever comes before and after it", function()
    local escapes = { "\\n", '\\"', "\\\\", "\\/", "\\t", "\\b", "\\u0041", "\\u00e9", "\\u20ac", "\\ud83d\\ude00", "x", " ", "$", "%" }
    local draw = support.random(9)
    local function some()
      local out = {}
      for i = 1, draw(5) - 1 do out[i] = escapes[draw(#escapes)] end
      return (table.concat(out):gsub("[$%%]+$", ""))
    end
    for _ = 1, 300 do
      local source = ('{"k": ["%s${nope}%s${upper(other)}%s${[1][7]}%s"]}'):format(some(), some(), some(), some())
      local v, err = hcl.assert(hcl.compile(source, { syntax = "json" })):eval()
      assert.is_nil(v)
      assert.equal(3, #err, source)
      local told = {}
      for report in tostring(err):gmatch "Error:.-%^\n" do told[#told + 1] = marked(report) end
      assert.same({ "nope", "other", "[7]" }, told, source)
    end
  end)
end)
