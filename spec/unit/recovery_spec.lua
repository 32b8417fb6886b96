-- Broken bodies: one mistake is one diagnostic, several are several, and the items around a mistake are kept.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local unpack = support.unpack

-- The content of a body as text: attributes in order with their references, blocks with their labels.
local function outline(body, out)
  local names = support.keys(body.attributes)
  table.sort(names, function(a, b) return body.attributes[a].range.start.byte < body.attributes[b].range.start.byte end)
  for _, name in ipairs(names) do
    local paths = support.paths(body.attributes[name].expression:references())
    out[#out + 1] = name .. (#paths > 0 and "=" .. table.concat(paths, "+") or "")
  end
  for _, block in ipairs(body.blocks) do
    out[#out + 1] = block.type .. (#block.labels > 0 and ":" .. table.concat(block.labels, ":") or "") .. "{"
    outline(block.body, out)
    out[#out + 1] = "}"
  end
  return out
end

local function read(source)
  local body, err, partial = hcl.parse(source)
  assert.is_nil(body, source)
  local lines = {}
  for i, d in ipairs(err) do lines[i] = d.range.start.line end
  return table.concat(lines, " "), table.concat(outline(partial, {}), " ")
end

-- Source; the lines of its diagnostics, the first at the reference's place; the readable items.
local cases = {
  -- quotes
  { 'a = "x\nb = 3\n', "1", "a b" },
  { 'a = "x ${v.w\nb = 3\n', "2", "a=v.w b" },
  { 'a = x"\nb = 3\n', "1", "a=x b" },
  { 'a = [\n  "x,\n  "y"\n]\nb = 3\n', "2", "a b" },
  { 'a = "${f("x)}"\nb = v\n', "2", "a b=v" },
  { 'resource "x "y" {\n  a = 1\n}\nb = 2\n', "1", "b resource:x :y:{ a }" },
  { 'r "x" "y {\n  a = 1\n}\nb = 2\n', "1", "b r:x:y{ a }" },
  { 'r "x\nb = 2\n', "1", "b r:x{ }" },
  -- items after a block and other signs
  { "a {\n} , b = v\nc = 2\n", "2", "b=v c a{ }" },
  { "a {\n} ) b {\n  x = 1\n}\nc = 2\n", "2", "c a{ } b{ x }" },
  -- brackets
  { 'x = [1,\nr "a" "b" {\n  y = v.z\n}\n', "2", "x r:a:b{ y=v.z }" },
  { "x = [v, w\ny = 2\n", "2", "x=v+w y" },
  { "x = f(v,\ny = 2\n", "2", "x=v y" },
  { "x = (v + w\ny = 2\n", "2", "x=v+w y" },
  { "x = v[w\ny = 2\n", "3", "x=v+w y" },
  { "b {\n  x = [1,\n}\nc {}\n", "3", "b{ x } c{ }" },
  { "b {\n  x = {\n    k = v\n  y = 2\n}\nc {\n  d = 1\n}\n", "1", "b{ x=v } c{ d }" },
  { "x = {\n  k = v\n\nr {\n  y = 1\n}\n", "4", "x=v r{ y }" },
  { "x =\n  k = v\n}\ny = 1\n", "1", "x y" },
  { "x = v]\ny = 1\n", "1", "x=v y" },
  { "x = [for s in v.w : s.a\ny = 1\n", "2", "x=v.w y" },
  { "x = {for k, s in v.w : k => s.a\ny = 1\n", "2", "x=v.w y" },
  -- half-typed items
  { "x = v.\ny = 1\n", "1", "x=v y" },
  { "x = v.w.\ny = 1\n", "1", "x=v.w y" },
  { "x = f(1, v.\ny = 1\n", "2", "x=v y" },
  { 'x = "a ${v.}"\ny = 1\n', "1", "x=v y" },
  { "x = v ? w. \ny = 1\n", "1", "x=v+w y" },
  { "x = v +\ny = 1\n", "1", "x=v y" },
  { "x = v == \ny = 1\n", "1", "x=v y" },
  { "x =\ny = 1\n", "1", "x y" },
  { "x = { a = v.w, b\ny = 1\n", "1", "x=v.w y" },
  { "x = [for s in v.w : s.\ny = 1\n", "2", "x=v.w y" },
  { "x = [v.a v.b]\ny = 1\n", "1", "x=v.a+v.b y" },
  { "x = f(v.a v.b)\ny = 1\n", "1", "x=v.a+v.b y" },
  { 'x = "%{ if v }a%{ else }${w}"\ny = 1\n', "1", "x=v+w y" },
  { "x = <<E\n  ${v.w}\ny = 1\n", "4", "x=v.w y" },
  { "l\nb = 1\n", "1", "b" },
  { "b {\n  l\n}\nc = 1\n", "2", "c b{ }" },
  { 'r "a"\ns "b" {\n  c = 1\n}\n', "1", "r:a{ } s:b{ c }" },
  -- braces of blocks
  { "a {\n  x = 1\n\nb {\n  y = 2\n}\nc = 3\n", "1", "c a{ x } b{ y }" },
  { "a {\n\nb {\n  y = 2\n}\n", "1", "a{ } b{ y }" },
  { "a \n  x = 1\n  y = 2\n}\nb {\n}\n", "1", "a{ x y } b{ }" },
  { 'a "l"\n  x = 1\n}\nb {\n}\n', "1", "a:l{ x } b{ }" },
  { 'a "l"\n{\n  x = 1\n}\nb {\n}\n', "1", "a:l{ x } b{ }" },
  { "a = {\n  x = 1\n}}\nb = 2\n", "3", "a b" },
  { "}\nb = 1\n", "1", "b" },
  { "b { x = 1\n}\nc = 2\n", "1", "c b{ x }" },
  { "b { x = 1\n  y = 2\n}\nc = 3\n", "1", "c b{ x y }" },
  { "b { x = 1, y = 2 }\nc = 3\n", "1", "c b{ x }" },
  { "b { x = v. }\nc = 3\n", "1", "c b{ x=v }" },
  { "b {\n} c {\n  x = 1\n}\n", "2", "b{ } c{ x }" },
  -- an argument without its sign
  { "o {\n  x  f(v, {\n    k = w,\n    \"l\" = 1\n  })\n  y = 1\n}\nz = 2\n", "2", "z o{ y }" },
  { "o {\n  x v.w\n  y = 1\n}\nz = 2\n", "2", "z o{ y }" }, { "x [\n  { k = 1 },\n  2,\n]\ny = 1\n", "1", "y" },
  { "x a::f({\n  k = 1\n})\ny = 1\n", "1", "y" }, { "x f([{\n  k = 1\n}])\ny = 1\n", "1", "y" },
  -- a brace on the line of the last argument
  { "o {\n  x = v }\np {\n  y = 1\n}\n", "2", "o{ x=v } p{ y }" },
  { "o {\n  p {\n    x = f(v) }\n  y = 1\n}\nz = 2\n", "3", "z o{ y p{ x=v } }" },
  { "o {\n  x = 1}\n\n# c\np {\n}\n", "2", "o{ x } p{ }" }, { "o {\n  x = v}\n  y = 1\n}\nz = 2\n", "2", "z o{ x=v y }" },
  { "o {\n  p {\n    x = 1\n  } }\nz = 2\n", "4", "z o{ p{ x } }" },
  { "o {\n  p {\n  }}\n  x = 1\n}\nz = 2\n", "3", "z o{ x p{ } }" },
  { "a {\n  o {\n    p {\n    }  }\n  x = 1\n}\nz = 2\n", "4", "z a{ x o{ p{ } } }" },
  { "o {\n  x = v}\n}\nz = 2\n", "2", "z o{ x=v }" }, { "x = v}\ny = 1\n", "1", "x=v y" },
  -- text to the left of the items around it
  { "o {\n  b {\n    c = <<-E\n    x\n    E\n == v.w\n    m = 1\n  }\n}\nq = 2\n", "6", "q o{ b{ c m } }" },
  { "o {\n  b {\n    c = 1\n+ 1\n    m = 1\n  }\n}\nq = 2\n", "4", "q o{ b{ c m } }" },
  { "o {\n  b {\n    c = 1\nword\n    m = 1\n  }\n}\nq = 2\n", "4", "q o{ b{ c m } }" },
  { "o {\n  b {\n    c = 1\n  x y\n    m = 1\n  }\n}\nq = 2\n", "4", "q o{ b{ c m x:y{ } } }" },
  { "o {\n  b {\n    c {\n    }\n]\n    m = 1\n  }\n}\nq = 2\n", "5", "q o{ b{ m c{ } } }" },
  { "o {\n  c = [\n    1,\n  ]\n? 1 : v\n  m = 1\n}\nq = 2\n", "5", "q o{ c m }" },
  -- foreign signs
  { "a = 1; b = 2\nc = 3\n", "1", "a c" },
  { "a = 'x'\nb = 2\n", "1", "a b" },
  { "a = v & w\nb = 2\n", "1", "a=v b" },
  { "a = 1.2.3\nb = 2\n", "1", "a b" },
  { '"a" = 1\nb = 2\n', "1", "b" },
  -- several mistakes
  { "a = )\nb = (\nc = v\n", "1 3", "a b c=v" },
  { 'a = "x\nb = v.\nc = [1,\nd = 2\n', "1 2 4", "a b=v c d" },
  { "a = 1;\nb = 2;\nc = 3;\n", "1 2 3", "a b c" },
  { "foo\nbar\na = 1\n", "1 2", "a" },
  { "b {\n  x = v.\n  y = [\n}\nc = )\n", "2 4 5", "c b{ x=v y }" },
  { 'a = "\\q"\nb = ["\\w", "\\x"]\n', "1 2 2", "a b" },
}

describe("a broken body", function()
  for _, case in ipairs(cases) do
    it((case[1]:gsub("\n", "⏎")), function()
      local lines, tree = read(case[1])
      assert.equal(case[2], lines)
      assert.equal(case[3], tree)
    end)
  end

  it("shows broken parts as a tree", function()
    local _, _, partial = hcl.parse "x = v.w.\n"
    local ast = partial.attributes.x.expression:ast()
    assert.equal("broken", ast.kind)
    assert.equal("v", ast.parts[1].root)
    assert.same({ "w" }, ast.parts[1].steps)
  end)

  it("has no value in broken parts", function()
    local _, _, partial = hcl.parse "x = v.\ny = v\n"
    assert.is_false(partial.attributes.x:value({ v = 1 }):is_known())
    assert.equal(1, partial.attributes.y:eval { v = 1 })
  end)
end)

-- The beginnings of diagnostics (some include the line's end, and more), and items with their places, up to the offset `to`.
local function places(source, to)
  local _, err, partial = hcl.parse(source)
  local out = {}
  local function add(what, range)
    if range.start.byte < to then out[#out + 1] = ("%s %d-%d"):format(what, range.start.byte, range.stop.byte) end
  end
  for _, d in ipairs(err or {}) do
    out[#out + 1] = d.code .. " " .. math.min(d.range.start.byte, to)
  end
  local function body(b)
    for _, name in ipairs(support.keys(b.attributes)) do
      add(name, b.attributes[name].range)
      add("value", b.attributes[name].expression:ast().range)
    end
    for _, block in ipairs(b.blocks) do
      add(block.type, block.range)
      body(block.body)
    end
  end
  body(partial)
  return out
end

describe("text between a broken item and the next one", function()
  local between = {
    "\n", "\n\n", "# c\n", "  # c = 1\n", "// c\n", "    // c {\n", "/* c */\n", "  /* c\n  d = 1 */\n", "/*\n\n*/\n", "#\n//\n/**/\n\n",
    "  /* \"${ */\n",
  }
  it("changes neither, if it is a comment or an empty line", function()
    local tried = 0
    for _, case in ipairs(cases) do
      local first, last = case[1]:match "^(.*\n)(%l = [%dv]\n)$"
      if first and first:find "^%l =" and not first:find "<<" then
        local want = places(case[1], #first)
        for _, text in ipairs(between) do
          tried = tried + 1
          local source = first .. text .. last
          assert.same(want, places(source, #first), source)
          local _, tree = read(source)
          assert.equal(case[3], tree, source)
        end
      end
    end
    assert.is_true(tried > 300)
  end)
end)

-- Files in the usual layout: examples, and the corpus beside this folder if it is there.
local function files(count, size)
  local out, all = {}, {}
  for i, name in ipairs { "infra/main.tf", "infra/net/main.tf", "gateway/gateway.hcl" } do out[i] = support.root .. "examples/" .. name end
  local corpus = os.getenv "CORPUS_DIR" or "../shared/corpus"
  local list = support.output(("find '%s' -name '*.tf' -size -%dk 2>/dev/null | sort"):format(corpus, size))
  for path in list:gmatch "[^\n]+" do all[#all + 1] = path end
  for i = 1, math.min(count, #all) do out[#out + 1] = all[math.floor((i - 1) * #all / count) + 1] end
  return out
end

local function heads(body, from, to)
  local out = {}
  for _, b in ipairs(body.blocks) do
    local around = from and b.range.start.byte <= from and to <= b.range.stop.byte
    if not around then out[#out + 1] = b.type .. " " .. table.concat(b.labels, " ") end
  end
  return out
end

-- Do two lists have the same words, equally often?
local function holds(list, words)
  local count = {}
  for _, word in ipairs(list) do count[word] = (count[word] or 0) + 1 end
  for _, word in ipairs(words) do
    count[word] = (count[word] or 0) - 1
    if count[word] < 0 then return false, word end
  end
  return true
end

local LOSSES = 15
local SIGNS = { open_quote = true, close_quote = true }
for sign in ("{}[](),"):gmatch "." do SIGNS[sign] = true end

describe("a file that lost a sign", function()
  it("has one error, and all other blocks", function()
    local draw, tried = support.random(7), 0
    for _, path in ipairs(files(40, 8)) do
      local source = support.read(path)
      local body = hcl.assert(hcl.parse(source))
      local kinds, starts, stops = hcl.tokens(source)
      local signs = {}
      for i, kind in ipairs(kinds) do if SIGNS[kind] then signs[#signs + 1] = i end end
      for _ = 1, #signs > 0 and LOSSES or 0 do
        local i = signs[draw(#signs)]
        local text = source:sub(1, starts[i]) .. source:sub(stops[i] + 1)
        local whole, err, partial = hcl.parse(text)
        if not whole then
          tried = tried + 1
          local where = ("%s without byte %d\n%s"):format(path, starts[i], tostring(err))
          assert.equal(1, #err, where)
          local all, lost = holds(heads(partial), heads(body, starts[i], stops[i]))
          assert.is_true(all, where .. "\nlost: " .. tostring(lost))
        end
      end
    end
    assert.is_true(tried > 20)
  end)

  it("has one error wherever it ends, and all blocks before", function()
    for _, path in ipairs(files(4, 2)) do
      local source = support.read(path)
      local body = hcl.assert(hcl.parse(source))
      for i = 0, #source do
        local whole, err, partial = hcl.parse(source:sub(1, i))
        if not whole then
          assert.equal(1, #err, path .. " up to " .. i)
          local before = {}
          for _, b in ipairs(body.blocks) do
            if b.range.stop.byte <= i then before[#before + 1] = b.type .. " " .. table.concat(b.labels, " ") end
          end
          assert.is_true((holds(heads(partial), before)), path .. " up to " .. i)
        end
      end
    end
  end)
end)

describe("a repeated mistake", function()
  local TURNS = support.sample(300, 1000)
  -- The total work of lookahead is limited for more than this.
  it("leaves as much of each place as a single one", function()
    for _, unit in ipairs {
      "b%d {\n  a =\n  c = v\n}\n", "b%d\n  a = v\n}\n", "x%d = [v\ny%d = v\n", 'x%d = "${v\ny%d = v\n', "x%d = f(v\ny%d = v\n",
      "b%d { a = v\n  c = v\n}\n", 'b%d "x {\n  a = v\n}\n', "b%d {} c%d {\n  a = v\n}\n",
      "b%d\n{\n  a = v\n}\n", "x%d = v v\n  y = v\nz%d = v\n",
      "x%d v\ny%d = v\n",
    } do
      local source, attributes, blocks = {}, {}, {}
      for i = 1, TURNS do
        source[i] = unit:gsub("%%d", i)
        local _, _, partial = hcl.parse(source[i])
        local text = table.concat(outline(partial, {}), " ")
        local first = text:find("[^ ]*{") or #text + 1
        attributes[i], blocks[i] = text:sub(1, first - 1):gsub(" $", ""), text:sub(first)
      end
      local _, _, partial = hcl.parse(table.concat(source))
      local want = (table.concat(attributes, " ") .. " " .. table.concat(blocks, " ")):gsub("^ +", ""):gsub(" +$", "")
      assert.equal(want, table.concat(outline(partial, {}), " "), unit)
    end
  end)
end)

describe("a mistake that continues into the next item", function()
  local LINES = {
    "a = 1", "a = 2", "b = [", "b {", "}", "]", "  a = 3", "  a = (", 'c "x" {', 'x = "${', "a = 'q'", ")", "  b = 2", "a =", "{",
    "/* a", "*/", "# c", "a = <<E", "E",
  }

  it("is reported once", function()
    local random = support.random(11)
    for _ = 1, support.sample(600, 20000) do
      local lines, told = {}, {}
      for k = 1, 2 + random(8) do lines[k] = LINES[random(#LINES)] end
      local source = table.concat(lines, "\n") .. "\n"
      local _, err = hcl.parse(source)
      for _, d in ipairs(err or {}) do
        local report = ("%s %d %d %s"):format(d.code, d.range.start.byte, d.range.stop.byte, d.detail)
        assert.is_nil(told[report], source)
        told[report] = true
      end
    end
  end)

  it("isn't reported if an invalid character is the mistake", function()
    local _, err = hcl.parse "a = 1\na = 'q'\nb = 1\nb = 2\n"
    local codes = {}
    for i, d in ipairs(err) do codes[i] = d.code .. ":" .. d.range.start.line end
    assert.same({ "syntax.character:2", "syntax.duplicate:4" }, codes)
  end)
end)

-- The reports of a source: their codes, with the first byte of each.
local function reports(source, syntax)
  local _, err = (syntax == "body" and hcl.parse or hcl.compile)(source, { syntax = syntax ~= "body" and syntax or nil })
  local out = {}
  for i, d in ipairs(err or {}) do out[i] = d.code .. " " .. d.range.start.byte end
  return table.concat(out, ", "), err and err[1]
end

describe("an interpolation within an expression", function()
  it("is reported once, with the expression to write", function()
    for expression, inner in pairs {
      ['replace(${var.ip}, ".", "-")'] = "var.ip", ["[1, ${v}]"] = "v", ["{ a = ${v}, c = 1 }"] = "v", ["${v}"] = "v",
      ["1 + ${ v.w }"] = "v.w", ["max(x[${v}], 1)"] = "v", ['"${upper(${v})}"'] = "v", ["[for x in ${v} : x]"] = "v",
      ["${v} ? 1 : 2"] = "v", ["(${v})"] = "v",
      ["upper(lower(${v}))"] = "v", ["{ a = [{ b = ${v } }] }"] = "v", ["!${v}"] = "v",
    } do
      local at = #expression:match "^(.-)%${[^u]"
      for _, case in ipairs { { expression, "native", at }, { "x = " .. expression .. "\n", "body", at + 4 } } do
        local all, first = reports(case[1], case[2])
        assert.equal("syntax.character " .. case[3], all, case[1])
        assert.is_truthy(first.detail:find("Write " .. inner .. " without ${ }.", 1, true), first.detail)
      end
      assert.same({ "syntax.character " .. at + 2 }, { (reports("${" .. expression .. "}", "template")) })
    end
  end)

  it("says what to write for keys, steps and texts", function()
    for expression, words in pairs {
      ["{ ${v} = 1 }"] = "in parentheses: (v).", ["x.${v}"] = "in brackets: [v].", ["a-${v}"] = 'or a text in quotes: "a-${v}".',
      ["${v}/${w}-x"] = 'quotes: "${v}/${w}-x".', ["${"] = "Write it without ${ }.", ["${}"] = "Write it without ${ }.",
      ["${v == w}"] = "Write v == w without ${ }.",
    } do
      local all, first = reports("x = " .. expression .. "\ny = 1\n", "body")
      assert.is_falsy(all:find ",")
      assert.is_truthy(first.detail:find(words, 1, true), first.detail)
    end
  end)

  it("keeps its references, and the calls around it their arguments", function()
    local lines, tree = read 'x = replace(${var.ip}, ".", ${v})\ny = [a-${w}]\nz = "${f(${q}, r)}"\n'
    assert.equal("1 2 3", lines)
    assert.equal("x=var.ip+v y=a-+w z=q+r", tree)
    for source, count in pairs {
      ["x = max(${v}, 1)\n"] = 2, ["x = upper(a-${v})\n"] = "torn", ["x = upper(a b)\n"] = "torn", ["x = upper('a', 'b')\n"] = "torn",
      ["x = upper(v.)\n"] = "torn", ["x = upper(a\ny = 1\n"] = "torn", ["x = upper(a, b) +\n"] = 2,
    } do
      local _, _, partial = hcl.parse(source)
      assert.equal(count, partial:functions()[1].arguments or "torn", source)
    end
  end)
end)

describe("an interpolation without its brace", function()
  it("is shown where it begins", function()
    for source, place in pairs {
      ['"${a} ${b'] = 6, ['"${a} ${b"'] = 6, ['"x ${b"'] = 3, ['f("${a} ${b", "c")'] = 8, ['"x ${"${z"'] = 6, ['"a ${b.c["d"]"'] = 3,
      ['"%{ if a }${b"'] = 10,
    } do
      assert.equal("syntax.interpolation " .. place, (reports(source, "native")))
    end
    assert.equal("syntax.interpolation 5", (reports("${a} ${b", "template")))
    assert.equal("syntax.interpolation 10", (reports('x = "${a} ${b"\ny = 1\n', "body")))
    local _, err = hcl.parse('{"a":"${b} ${c"}', { syntax = "json" })
    if not err then _, err = hcl.assert(hcl.parse('{"a":"${b} ${c"}', { syntax = "json" })).attributes.a:value({}) end
    assert.equal(11, err[1].range.start.byte)
  end)

  it("is named if its quote seems to open a string", function()
    for _, case in ipairs {
      { '"${1}${"', "native", 'Or the "${" on line 1, column 6 has' },
      { 'x = "${1}${"\ny = 1\n', "body", 'or the "${" on line 1, column 10.' },
      { '"a ${"b ${c} d', "native", 'Or the "${" on line 1, column 4 has' },
      { '"${a} %{ if "', "native", 'Or the "%{" on line 1, column 7' },
    } do
      local all, first = reports(case[1], case[2])
      assert.is_falsy(all:find ",")
      assert.is_truthy(first.detail:find(case[3], 1, true), first.detail)
    end
    for _, source in ipairs { '"a ${b} c', '"a' } do
      local _, first = reports(source, "native")
      assert.is_falsy(first.detail:find "${")
    end
  end)
end)

describe("a template with a directive too few or too many", function()
  local templates = {
    -- an end is missing: the reference's place; the open directive is named
    { "%{ for a in l ~}\n%{ if a ~}\n${a}\n%{ endfor ~}\n", "33", "line 2, column 1" },
    { "%{ for x in l }%{ if a }1%{ else }2%{ endfor }", "35", "column 16" }, { "%{ if a }%{ for x in l }y%{ endif }z", "25", "column 10" },
    { "%{ if a }%{ for x in l }y%{ else }z%{ endif }", "25", "column 10" },
    { "%{ for x in l }%{ if a }%{ endfor }%{ for x in l }%{ if a }%{ endfor }", "24 59", "column 16" },
    { "%{ if a }%{ if b }x%{ endif }", "29", "column 1" },
    -- another end is in its place
    { "%{ if a }b%{ endfor }", "10", "column 1" }, { "%{ for x in l }%{ if a }1%{ endfor }2%{ endfor }", "25", "column 16" },
    { "%{ for x in l }%{ if a }1%{ endfor }%{ if a }x%{ endif }%{ endfor }", "25", "column 16" },
    -- one too many
    { "%{ if a }b%{ endfor }c%{ endif }", "10", "column 1" }, { "%{ for x in l }b%{ endif }c%{ endfor }", "16", "column 1" },
    { "%{ if a }b%{ else }c%{ else }d%{ endif }", "20", "column 1" }, { "%{ for x in l }%{ else }%{ endfor }", "15", "column 1" },
    { "%{ endif }", "0" }, { "%{endif}%{endfor}", "0 8" },
    -- a word is wrong, or its brace is missing
    { "%{ fi a }b%{ endif }", "3" }, { "%{ if a }b%{ endfi }", "13" }, { "%{ for x of l }b%{ endfor }", "9" }, { "%{ if a", "7" },
    { "%{ if a }b${", "12" }, { "%{ if a }b%{ esle }c%{ endif }", "13" },
  }

  it("has one report for each", function()
    local function check(source, syntax, offset, want)
      local _, err = hcl.compile(source, { syntax = syntax })
      local found = {}
      for i, d in ipairs(err) do found[i] = d.range.start.byte - offset end
      assert.equal(want, table.concat(found, " "), source)
      return err[1].detail
    end
    for _, case in ipairs(templates) do
      local detail = check(case[1], "template", 0, case[2])
      if case[3] then assert.is_truthy(detail:find("on .*" .. case[3]), detail) end
      if case[1]:find "}$" then check('"' .. case[1] .. '"', "native", 1, case[2]) end
    end
  end)

  it("is read in linear time", function()
    local _, err = hcl.compile(("%{ if a }%{ endfor }"):rep(support.sample(20000, 50000)), { syntax = "template" })
    assert.equal(100, #err)
  end)
end)

describe("a hostile body", function()
  local MANY, MORE = 100000, support.sample(10000, 20000)
  -- Code that is quadratic in the number of lines would not end.
  it("has one error in brackets of each kind within each other, and everything after them", function()
    local brackets = {
      { "(", ")" }, { "[", "]" }, { "{ k = ", "}" }, { "f(", ")" }, { '"${', '}"' }, { "[for x in ", " : x]" }, { "x[", "]" },
      { "1 + (", ")" }, { '"%{ if c }${', '}%{ endif }"' },
    }
    local inner = { { "<<E\n${", "}\nE\n" }, { "", "" }, unpack(brackets) }
    for _, broken in ipairs { "1 2", "1 +", "nope.", "a ? b", "1 +* 2", ")", "]", "}", "?", "a b c", "f(1 2" } do
      for _, p in ipairs(brackets) do
        for _, q in ipairs(inner) do
          local expression = p[1] .. q[1] .. broken .. q[2] .. p[2]
          -- Text at the margin within a block ends the block.
          for _, source in ipairs { "a = %s\nb = v\n", not expression:find "\n" and "r {\n  a = %s\n}\nb = v\n" or nil } do
            source = source:format(expression)
            local body, err, partial = hcl.parse(source)
            assert(not body and #err == 1, source)
            assert(partial.attributes.b and support.paths(partial.attributes.b.expression:references())[1] == "v", source)
          end
        end
      end
    end
  end)

  it("takes linear time, whatever each line opens", function()
    for _, line in ipairs {
      "x%d = [\n", "x%d = (\n", 'x%d = "\n', 'x%d = "${\n', "x%d = <<E\n", "x%d = <<E%d\n", "x%d = f(\n", "x%d = a[\n",
      'b "x {\n', "b { a = [\n", "b { a = <<E\n", "b\n{\n", "b { a = 1\n", "x%d = /*\n", "}\n", "b\n  c\n",
      "x = [ # <<E\n", "  x%d = [\n y = 2\n",
      'b "${\n', "b {} c\n",
      "b\n\n\n\n", 'a%d = "%%{ if x }\n', "/* \nx%d = [\n", "x%d = {\n", "b {\n", "a = {\na {\n",
    } do
      local lines = {}
      for i = 1, line:find "= %[" and MANY or MORE do lines[i] = line:format(i, i) end
      local source = table.concat(lines)
      for _, text in ipairs { source, (source:gsub("\n", " ")) } do
        local body, err, partial = hcl.parse(text)
        assert.is_nil(body)
        assert.is_true(#err >= 1 and #err <= 100)
        partial:at(#text)
      end
    end
  end)
end)

-- Places are the reference's.
describe("an end of a part of a source that is read separately", function()
  it("a sign before the end of its line is text, a template without an end goes on to that of the source", function()
    for source, place in pairs {
      ['"else$\n'] = { 0, 1 }, ['b {\n  a = 1\n\n  c<<-A\nvi\rx {\n    d = {\n    }\n  }\n}\n'] = { 23, 50 },
    } do
      local _, err = hcl.parse(source)
      assert.same(place, { err[1].range.start.byte, err[1].range.stop.byte })
    end
  end)
end)
