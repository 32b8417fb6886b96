-- No diagnostic shows a marked value, for any name of the mark and any place: texts, keys, elements, results of functions.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local lacking = support.lacking(hcl)

local SECRET, NUMBER = "XSECRETX", 918273645

local function texts_of(err)
  local texts = { tostring(err) }
  for _, d in ipairs(err) do
    texts[#texts + 1] = d.summary .. d.detail
    for _, v in ipairs(d.values) do texts[#texts + 1] = v.path .. v.text end
  end
  for _, d in ipairs(err:lsp()) do texts[#texts + 1] = d.message end
  for _, d in ipairs(err:vim()) do texts[#texts + 1] = d.message end
  return table.concat(texts, "\n")
end

local function assert_hidden(what, err)
  local text = texts_of(err)
  assert.is_nil(text:find(SECRET, 1, true), what .. ": " .. text)
  assert.is_nil(text:find(tostring(NUMBER), 1, true), what .. ": " .. text)
end

local function variables(mark)
  local function marked(x, type)
    return hcl.mark(type and hcl.value(x, type) or x, mark)
  end
  return {
    s = marked(SECRET), n = marked(NUMBER), l = marked { SECRET, SECRET }, ll = marked { { SECRET } }, e = { marked(SECRET) },
    o = marked { [SECRET] = SECRET, k = NUMBER }, inside = { a = marked { [SECRET] = 1 } },
    m = marked({ [SECRET] = SECRET }, "map(string)"), set = marked({ SECRET }, "set(string)"),
    u = marked(hcl.unknown("object({ " .. SECRET .. " = string })")), ts = marked { "${a." .. SECRET .. "}" },
  }
end

local function echo(...) return ... end

local scope = hcl.scope {
  functions = {
    plain = echo,
    fail = hcl.func { params = { { name = "x" } }, impl = function(x) return nil, "bad " .. tostring(x), 1 end },
    number = hcl.func { params = { { name = "x" } }, returns = "number", impl = echo },
    map = hcl.func { params = { { name = "x" } }, returns = "map(number)", impl = function(x) return { [tostring(x)] = x } end },
    mixed = hcl.func { params = { { name = "x" } }, impl = function(x) return { 1, [tostring(x)] = 2 } end },
    typed = hcl.func {
      params = { { name = "x" } }, returns = function(x) return nil, "no type for " .. tostring(x:lua()) end, impl = echo,
    },
  },
}

local sources = {
  "s + 1", "n + {}", "-s", "s ? 1 : 2", "s[0]", "l[s]", "l[n]", "o.k.x", "{ a = 1 }[s]", "[1][n]", "o[s].x", "inside.a.b", "u.b",
  -- elements of a marked value have no mark of their own
  "[for x in l : x + 1]", "[for x in ll : [for y in x : y + 1]]", "[for x in l : nope[x]]", "[for k, v in o : k + 1]",
  "{ for k, v in m : \"a\" => k... if v }", "{ for x in l : x => 1 }", "[for x in l : tonumber(x)]", "[for x in l : { a = 1 }[x]]",
  "[for x in l : x.y]", "l[*].y", "ll[*][0].y", "o.*.y", "[for x in l : \"${x.y}\"]", "[for x in l : regex(\"(\", x)]",
  "[for x in l : lookup({ a = 1 }, x)]", "[for x in l : cidrhost(x, 1)]", "[for x in set : x + 1]", "[for x in e : x + 1]",
  "\"%{ for x in l }${x + 1}%{ endfor }\"", "[for x in l : try(x + 1)]", "[for x in l : x ? 1 : 2]",
  -- names of attributes are data, too, if they were keys
  "true ? o : tolist([1])", "true ? [o] : [{ a = 1 }]", "tomap(o)", "convert(o, map(number))", "convert(m, map(number))",
  "convert(inside, object({ a = map(bool) }))", "convert(u, map(list(string)))", "transpose(o)", "merge(o, [1])", "lookup(o, \"q\")",
  -- Lua functions
  "fail(s)", "fail(n)", "number(s)", "map(s)", "mixed(s)", "typed(s)", "[for x in l : fail(x)]", "[for x in l : number(x)]",
  "[for x in l : mixed(x)]", "plain(s) + 1",
  -- functions that quote the value they reject
  "bcrypt(\"a\", n)", "range(n, n, 0)", "parseint(s, 99)", "formatdate(s, s)", "jsondecode(s)", "yamldecode(\"[${s}\")", "format(s, 1)",
  "templatestring(s, {})", "[for t in ts : templatestring(t, {})]", "[for t in ts : templatestring(t, { a = {} })]",
  "[for t in [\"$${a + 1}\"] : templatestring(t, { a = s })]", "zipmap([s], [])", "file(s)", "timeadd(s, s)", "nope(s)",
}

for _, mark in ipairs { "sensitive", "ephemeral", "my-own" } do
  describe("a marked value " .. mark, function()
    local vars = variables(mark)
    for _, source in ipairs(sources) do
      it("isn't shown: " .. source, function()
        local v, err = hcl.eval(source, vars, scope)
        if v == nil then assert_hidden(source, err) end
      end)
    end

    it("isn't shown within a marked value", function()
      local inner = hcl.mark(hcl.value { [SECRET] = { SECRET } }, mark)
      local outer = { a = hcl.mark(hcl.value { [SECRET] = inner }, mark) }
      for _, type in ipairs { "map(map(string))", "map(map(map(string)))", "map(map(map(number)))", "map(map(map(list(number))))" } do
        local v, err = hcl.type(type):convert(outer)
        assert.is_nil(v)
        assert_hidden(type, err)
      end
    end)

    it("isn't shown by Values and types", function()
      for _, name in ipairs { "s", "n", "l", "o", "m", "set", "inside", "u" } do
        for _, type in ipairs { "number", "list(number)", "map(number)", "map(list(bool))", "object({ a = string })", "tuple([bool])" } do
          local v, err = hcl.value({ vars[name] }, "list(" .. type .. ")")
          if v == nil then assert_hidden(name .. " to " .. type, err) end
          v, err = hcl.type(type):convert(vars[name])
          if v == nil then assert_hidden(name .. " to " .. type, err) end
        end
      end
    end)

    it("isn't rendered", function()
      assert.is_nil(tostring(vars.s):find(SECRET, 1, true))
      assert.is_nil(tostring(hcl.value { vars.o }):find(SECRET, 1, true))
      assert.is_false((pcall(vars.s.text, vars.s)))
    end)

    it("is unchanged once the mark is removed", function()
      assert.equal(SECRET, vars.s:unmark():text())
      local _, err = hcl.eval("s + 1", { s = vars.s:unmark() })
      assert.truthy(tostring(err):find(SECRET, 1, true))
    end)
  end)
end

-- Each with two expressions for x, both of which the function rejects. The messages about them differ, in a count or a place.
local telling = {
  { "one(x)", '["a", "b"]', '["a", "b", "c"]' }, { "one(toset(x))", '["a", "b"]', '["a", "b", "c"]' },
  { "sort(x)", '["a", null]', '[null, "a"]' }, { "sum(x)", "[1, null]", "[null, 1]" }, { "sum(x)", '[1, "x"]', '["x", true]' },
  { 'join("-", x)', '["a", null]', '[null, "a"]' }, { "zipmap(x, [1])", '["a", "b"]', "[]" },
  { "zipmap(x, [1, true])", '["a", null]', '[null, "a"]' }, { 'matchkeys(x, ["k"], [])', "[1, 2]", "[]" },
  { 'matchkeys([1, 2], x, ["k"])', '["k"]', "[]" }, { "slice(x, 0, 7)", "[1]", "[1, 2]" },
  { 'formatlist("%s%s", x, ["b", "c"])', '["a"]', "[]" }, { 'formatlist("%d", x)', '["1", "x"]', '["x", "1"]' },
  { 'format(x, "a")', '"ab%33d"', '"%7d"' }, { 'format(x, "a")', '"ab%;"', '"%-?"' }, { 'format(x, "a")', '"%s%s"', '"%[7]s"' },
  { 'format(x, "a")', '"%y"', '"%z"' }, { 'formatlist(x, ["a"])', '"%s%s"', '"%[7]s"' },
  { 'formatlist(x, ["b"], ["c"])', '"%s"', '"-"' }, { "csvdecode(x)", [["a,b\n1\n"]], [["a,b\n1,2\n\n1,2,3\n"]] },
  { "csvdecode(x)", [["a,a\n"]], [["a,b,b\n"]] }, { "csvdecode(x)", [["a,b\n1,\"\n"]], [["a\n1\n\"\n"]] },
  { "jsondecode(x)", '"[1, 2"', '"[1, 2, 3"' }, { "yamldecode(x)", '"a: [1, 2"', [["\n\na: [1, 2"]] },
  { "urldecode(x)", '"ab%2"', '"%2"' }, { 'textencodebase64(x, "us-ascii")', '"abé"', '"é"' },
  { 'textdecodebase64(x, "us-ascii")', '"YWLDqQ=="', '"w6k="' }, { "bcrypt(x)", '"' .. ("a"):rep(80) .. '"', '"' .. ("a"):rep(90) .. '"' },
  { 'formatdate(x, "2031-04-09T07:05:03Z")', '"Y"', '"hhh"' }, { "tobool(join(\",\", x))", '["a", "b"]', '["a"]' },
  { "flatten(convert(x, list(bool)))", 'tolist(["true", "no"])', 'tolist(["no"])' }, { 'fileset(".", x)', '"["', '"[a"' },
  { "upper(x...)", '["a", "b"]', '["a", "b", "c"]' }, { "substr(x...)", '["a"]', '["a", 1]' },
  { "convert(x, tuple([string]))", '["a", "b"]', '["a", "b", "c"]' }, { "convert(x, list(number))", "[1, {}]", "[1, 2, {}]" },
  { "convert(x, tuple([number, number]))", "[[], 1]", "[1, []]" },
}

describe("the number of elements of a marked value, and the places in it,", function()
  local files = hcl.scope { filesystem = "spec" }

  local function message(source, x)
    local v, err = hcl.eval(source, { x = x }, files)
    assert.is_nil(v, source)
    return err[1].detail
  end

  for _, case in ipairs(telling) do
    local source, x, y = case[1], case[2], case[3]
    it("aren't shown: " .. source .. " of " .. x, function()
      if lacking(source) then return end
      local a, b = hcl.assert(hcl.eval(x)), hcl.assert(hcl.eval(y))
      assert.are_not.equal(message(source, a), message(source, b))
      assert.equal(message(source, hcl.sensitive(a)), message(source, hcl.sensitive(b)))
      local inside = "[for x in xs : " .. source .. "]"
      local _, first = hcl.eval(inside, { xs = hcl.sensitive { a } }, files)
      local _, second = hcl.eval(inside, { xs = hcl.sensitive { b } }, files)
      assert.equal(first[1].detail, second[1].detail)
    end)
  end

  it("is reported if another argument is marked", function()
    assert.truthy(message('format("%d", x)', hcl.sensitive "a"):find("%d", 1, true))
  end)
end)

describe("the text of an argument of a recorded call that fails", function()
  local has_cjson, cjson = pcall(require, "cjson")

  local function message(f, args)
    local v, err = f:value(args)
    return v == nil and err[1].detail or ""
  end

  -- Its arguments as variables: the call of them, their names, values, values marked, and texts in the source.
  local function parts(source, call)
    local names, args, marked, texts = {}, {}, {}, {}
    for i, a in ipairs(call.args) do
      local text = source:sub(a.range.start.byte + 1, a.range.stop.byte)
      local e = hcl.compile(text)
      names[i], texts[i] = "x" .. i, text:gsub('^"(.*)"$', "%1")
      args[names[i]] = e and e:value()
      marked[names[i]] = args[names[i]] and hcl.sensitive(args[names[i]])
    end
    return hcl.compile(call.name .. "(" .. table.concat(names, ", ") .. ")"), names, args, marked, texts
  end

  -- Texts that are in the message for one argument only: they disappear if all are marked, and no other argument has them.
  local function is_telling(texts, i, plain, covered)
    local text = texts[i]
    if #text < 2 or not plain:find(text, 1, true) or covered:find(text, 1, true) then return false end
    for k, other in ipairs(texts) do
      if k ~= i and other:find(text, 1, true) then return false end
    end
    return true
  end

  it("isn't shown if that argument is marked", function()
    if not has_cjson then return end
    local tried = 0
    for _, name in ipairs { "cases/func_cidr", "cases/func_time", "cases/func_strargs", "bulk/func_grid" } do
      for line in io.lines(("%sspec/conformance/%s.jsonl"):format(support.root, name)) do
        local case = line:find('"errors"', 1, true) and not line:find('"vars"', 1, true) and cjson.decode(line)
        local call = case and hcl.compile(case.src)
        call = call and call:ast()
        if call and call.kind == "call" and call.args[2] then
          local f, names, args, marked, texts = parts(case.src, call)
          local plain, covered = message(f, args), message(f, marked)
          for i, x in ipairs(names) do
            if is_telling(texts, i, plain, covered) then
              local value = args[x]
              args[x], tried = marked[x], tried + 1
              assert.is_nil(message(f, args):find(texts[i], 1, true), case.src)
              args[x] = value
            end
          end
        end
      end
    end
    assert.is_true(tried > 300)
  end)
end)

describe("the content of a marked for_each", function()
  local source = [[
dynamic "b" {
  for_each = x
  content {
    c = b.value + 1
    t = b.value
    s {
      c = b.value.q
      f = fail(b.value)
      t = b.value
    }
    dynamic "e" {
      for_each = [1, 2]
      labels   = [e.value]
      content {
        c = "${b.value}" + e.value
      }
    }
  }
}
]]
  local any = { c = {}, f = {}, t = {} }
  local schema = { blocks = { b = { schema = { attributes = any, blocks = {
    s = { schema = { attributes = any } }, e = { labels = { "n" }, schema = { attributes = any } },
  } } } } }
  local typed = { blocks = { b = { schema = { attributes = { t = { type = "number" } }, blocks = {
    s = { schema = { attributes = { t = { type = "number" } } } }, e = { labels = { "n" }, nesting = "map", schema = {} },
  } } } } }

  local function bodies()
    local body, x = hcl.assert(hcl.parse(source)), { x = hcl.sensitive { SECRET } }
    local expanded = hcl.assert(body:expand(x, scope))
    return { expanded, hcl.assert(body:content(schema, x, scope)), hcl.assert(expanded:expand()) }
  end

  local function evaluate_all(body)
    local failed = 0
    for name, attribute in pairs(body.attributes) do
      local v, err = attribute:eval({}, scope)
      if v == nil then
        failed = failed + 1
        assert_hidden(name, err)
      end
    end
    for _, block in ipairs(body.blocks) do failed = failed + evaluate_all(block.body) end
    return failed
  end

  it("isn't shown by the blocks that it generates, nor by those in them", function()
    -- b.c, b.s.c, b.s.f and both b.e.c fail.
    for _, body in ipairs(bodies()) do assert.equal(5, evaluate_all(body)) end
  end)

  it("isn't shown by bodies that are decoded later", function()
    for _, body in ipairs(bodies()) do
      for _, s in ipairs { schema, typed } do
        local v, err = body:decode(s, {}, scope)
        assert.is_nil(v)
        assert_hidden("decode", err)
      end
    end
  end)

  it("isn't shown by specifications", function()
    for _, case in ipairs {
      { "t = b.value", 'attr {\n name = "t"\n type = number\n }' },
      { "t = b.value + 1", 'attr {\n name = "t"\n type = any\n }' },
      { "s {\n t = b.value\n }", 'block {\n block_type = "s"\n attr {\n name = "t"\n type = number\n }\n }' },
      { "s {\n t = b.value\n }", 'block_attrs {\n block_type = "s"\n element_type = number\n }' },
      { "s {\n t = b.value\n }",
        'transform {\n block {\n block_type = "s"\n attr {\n name = "t"\n type = string\n }\n }\n result = nested + 1\n }' },
      { 'dynamic "e" {\n for_each = [1, 2]\n labels = [b.value]\n content {}\n }',
        'block_map {\n block_type = "e"\n labels = ["n"]\n literal {\n value = 1\n }\n }' },
      { 'dynamic "e" {\n for_each = [1]\n labels = [b.value]\n content {}\n }',
        'transform {\n block_tuple {\n block_type = "e"\n block_label {\n index = 0\n name = "n"\n }\n }\n result = nested[0] + 1\n }' },
    } do
      local spec = hcl.assert(hcl.spec('block_tuple {\n block_type = "b"\n ' .. case[2] .. "\n}\n"))
      local body = hcl.assert(hcl.parse('dynamic "b" {\n for_each = x\n content {\n ' .. case[1] .. "\n }\n}\n"))
      local v, err = spec:decode(body, { x = hcl.sensitive { SECRET } })
      assert.is_nil(v, case[2])
      assert.is_nil(tostring(err):find("Unexpected", 1, true), tostring(err))
      assert_hidden(case[2], err)
    end
  end)
end)

describe("an unmarked value", function()
  it("is shown beside a marked one, and after it", function()
    local vars = variables "sensitive"
    vars.open = { "plain text" }
    local _, err = hcl.eval("[[for x in l : x], [for y in open : y + 1]]", vars)
    assert.truthy(tostring(err):find("plain text", 1, true))
    _, err = hcl.eval("[for x in open : x + 1]", vars)
    assert.truthy(tostring(err):find("plain text", 1, true))
  end)

  it("is shown if only the key of the path follows a secret", function()
    local _, err = hcl.value({ a = { b = hcl.sensitive "x" } }, "object({ a = object({ b = number }) })")
    assert.truthy(tostring(err):find('attribute "b"', 1, true))
  end)
end)
