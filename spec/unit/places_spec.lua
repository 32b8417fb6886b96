-- body:at, hcl.tokens, traversals: what is at each place.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local bodies = dofile(support.root .. "fuzz/bodies.lua")

-- The place at the "|" in a source, from inside out: each kind with its text or name, and its role in the place around it.
local function chain(marked)
  local at = marked:find("|", 1, true) - 1
  local source = marked:gsub("|", "", 1)
  local body, _, partial = hcl.parse(source)
  local place, out = (body or partial):at(at), {}
  while place.parent do
    if place.kind == "block" then
      assert(not place.open or source:sub(place.open + 1, place.open + 1) == "{", marked)
      assert(not place.close or source:sub(place.close + 1, place.close + 1) == "}", marked)
    end
    local text = place.text or place.name or place.root or place.type
    out[#out + 1] = place.kind .. (text and ":" .. text or "") .. (place.role and "/" .. place.role .. (place.index or "") or "") ..
      (place.argument and "(" .. place.argument or "")
    place = place.parent
  end
  return table.concat(out, " ")
end

local cases = {
  -- names and values
  { "|a = 1", "attribute_name:a attribute:a" },
  { "a| = 1", "attribute_name:a attribute:a" },
  { "a =| 1", "attribute:a" },
  { "a = 1|\n", "number/expression attribute:a" },
  { "a = 1 |\n", "attribute:a" },
  { "a = 1\n|", "" },
  { "a = 1 \t\r|\n", "attribute:a" },
  { "a = 1 /* c */ |\n", "" },
  { "b {\n} |\n", "" },
  { "a = tr|ue", "bool/expression attribute:a" },
  { 'a = "x|"', "string/expression attribute:a" },
  { "a = v.w|.x", "step:w traversal:v/expression attribute:a" },
  { "a = |v.w", "step:v traversal:v/expression attribute:a" },
  { 'a = v["k|"]', "step:k traversal:v/expression attribute:a" },
  { "a = v[w|].x", "step:w traversal:w/key index/source relative/expression attribute:a" },
  { "a = v[w].x|", "step:x relative/expression attribute:a" },
  { "a = v.*.x|", "step:x relative/each splat/expression attribute:a" },
  { "a = x + |y * z", "step:y traversal:y/left binary/right binary/expression attribute:a" },
  { "a = !x|", "step:x traversal:x/operand unary/expression attribute:a" },
  { "a = c ? x| : y", "step:x traversal:x/yes conditional/expression attribute:a" },
  { "a = (x|)", "step:x traversal:x/inner parens/expression attribute:a" },
  { "a = [x, y|]", "step:y traversal:y/element2 tuple/expression attribute:a" },
  { "a = [x, |]", "tuple/expression attribute:a" },
  -- calls
  { "a = upp|er(x)", "function:upper call:upper/expression attribute:a" },
  { "a = f(|)", "call:f/expression(1 attribute:a" },
  { "a = f(x|, y)", "step:x traversal:x/argument1 call:f/expression(1 attribute:a" },
  { "a = f(x,| y)", "call:f/expression(2 attribute:a" },
  { "a = f(x, y, |z)", "step:z traversal:z/argument3 call:f/expression(3 attribute:a" },
  { "a = f(x /* , */ ,| y)", "call:f/expression(2 attribute:a" },
  { "a = f(g(x, |y), z)", "step:y traversal:y/argument2 call:g/argument1(2 call:f/expression(1 attribute:a" },
  { "a = f(x)|", "call:f/expression attribute:a" },
  { "a = ns::f|(x)", "function:ns::f call:ns::f/expression attribute:a" },
  -- objects
  { "a = { b| = c }", "step:b traversal:b/inner key:b/key1 object/expression attribute:a" },
  { "a = { b = c| }", "step:c traversal:c/value1 object/expression attribute:a" },
  { "a = { b = c, d = { e = f| } }", "step:f traversal:f/value1 object/value2 object/expression attribute:a" },
  -- for
  { "a = [for k|, v in x : k]", "name:k/key for/expression attribute:a" },
  { "a = [for k, v| in x : k]", "name:v/value for/expression attribute:a" },
  { "a = [for v in x| : v]", "step:x traversal:x/collection for/expression attribute:a" },
  { "a = [for v in x : v| if v]", "step:v traversal:v/value for/expression attribute:a" },
  { "a = [for v in x : v if v|]", "step:v traversal:v/condition for/expression attribute:a" },
  { "a = {for k, v in x : k| => v}", "step:k traversal:k/key for/expression attribute:a" },
  -- templates
  { 'a = "x ${b.c|} y"', "step:c traversal:b/part2 template/expression attribute:a" },
  { 'a = "x| ${b.c} y"', "text/part1 template/expression attribute:a" },
  { 'a = "${b|}"', "step:b traversal:b/inner wrap/expression attribute:a" },
  { "a = <<E\nx ${b|}\nE\n", "step:b traversal:b/part2 template/expression attribute:a" },
  { 'a = "%{ for k, v| in x }y%{ endfor }"', "name:v/value for/loop join/part1 template/expression attribute:a" },
  -- bodies
  { 'r|es "a" b {\n}\n', "type:res block:res" },
  { 'res "a|" b {\n}\n', "label:a block:res" },
  { 'res "a" b| {\n}\n', "label:b block:res" },
  { 'res "a" b {\n  |\n}\n', "body block:res" },
  { 'res "a" b {\n  x = |y\n}\n', "step:y traversal:y/expression attribute:x body block:res" },
  { "a = 1 # co|mment\nb = 2\n", "comment" },
  { "# co|mment\nb = 2\n", "comment" }, { ",/* c|# c\n/* c */+", "comment" },
  { 'a = "x # c| ${b}"', "text/part1 template/expression attribute:a" },
  { "a = <<E\n# x| ${b}\nE\n", "text/part1 template/expression attribute:a" },
  { 'a = "# c|"', "string/expression attribute:a" },
  { 'res "a # b|" {\n}\n', "label:a # b block:res" },
  { "b {\n  /* x| */\n}\n", "comment body block:b" },
  -- half-typed
  { "a \n  x = 1|\n}\n", "number/expression attribute:x body block:a" },
  { 'a "l"\n  x = 1|\n}\n', "number/expression attribute:x body block:a" },
  { "a {\n  x = 1|\n", "number/expression attribute:x body block:a" },
  { "re|", "word:re" },
  { "re|\nb = 1\n", "word:re" },
  { "b {\n  re|\n}\n", "word:re body block:b" },
  { "a = |", "attribute:a" },
  { "a = |\nb = 1\n", "attribute:a" },
  { "a = v.|", "step: traversal:v/expression attribute:a" },
  { "a = (v \t\r\n.|)\nb = 1\n", "step: traversal:v/inner parens/expression attribute:a" },
  { "a = v.|\nb = 1\n", "step: traversal:v/expression attribute:a" },
  { "a = v|.\nb = 1\n", "step:v traversal:v/expression attribute:a" },
  { "a = v.w.|\nb = 1\n", "step: traversal:v/expression attribute:a" },
  { "a = v[0].|\nb = 1\n", "step: traversal:v/expression attribute:a" },
  { "a = f(x).|\nb = 1\n", "step: relative/expression attribute:a" },
  { "a = f(x|).\nb = 1\n", "step:x traversal:x/argument1 call:f/source(1 relative/expression attribute:a" },
  { "a = v[*].|\nb = 1\n", "step: relative/each splat/expression attribute:a" },
  { "a = v.*.|\nb = 1\n", "step: relative/each splat/expression attribute:a" },
  { "a = v[*].w.|\nb = 1\n", "step: relative/each splat/expression attribute:a" },
  { "a = f(1, |", "call:f/expression(2 attribute:a" },
  { "a = f(1, |\nb = 1\n", "call:f/expression(2 attribute:a" },
  { "a = f(1, v.|\nb = 1\n", "step: traversal:v/argument2 call:f/expression(2 attribute:a" },
  { "b {\n  a = f(g(1), [v.|\n}\n", "step: traversal:v/element1 tuple/argument2 call:f/expression(2 attribute:a body block:b" },
  { 'a = "${v.|\nb = 1\n', "step: traversal:v/inner wrap/expression attribute:a" },
  { 'a = "x ${f(|}"\nb = 1\n', "call:f/part2(1 template/expression attribute:a" },
  { "a = [for s in v.w : s.|\nb = 1\n", "step: traversal:s/value for/expression attribute:a" },
  { "a = [for s in v.w : s.x if s.|]\nb = 1\n", "step: traversal:s/condition for/expression attribute:a" },
  { "a = { b = v.| }\nc = 1\n", "step: traversal:v/value1 object/expression attribute:a" },
  { "a = {\n  b|\n}\n", "step:b traversal:b/inner key:b/key1 object/expression attribute:a" },
  { "a = x == |\nb = 1\n", "binary/expression attribute:a" },
  { 'res "|', "label: block:res" },
  { 'res "|\n}\n', "label: block:res" },
  { 'res "a" "b|\n', "label:b block:res" },
  { 'res "a" |', "block:res" },
}

local KEYWORDS = { ["for"] = true, ["in"] = true, ["if"] = true, ["else"] = true, ["endif"] = true, ["endfor"] = true }

describe("body:at", function()
  for _, case in ipairs(cases) do
    it((case[1]:gsub("\n", "⏎")), function()
      local got = chain(case[1])
      assert.equal(case[2], got)
    end)
  end

  it("has the fields of each kind", function()
    local source = 'r "a" {\n  x = [for k, v in s : { w = v.id[0], n = "é" }]\n}\n'
    local body = hcl.assert(hcl.parse(source))
    local step = body:at(source:find("id", 1, true))
    assert.same({ 3 - 1, "attr", "id", source:find(".id", 1, true) - 1, source:find(".id", 1, true) + 2 },
      { step.index, step.step, step.text, step.start, step.stop })
    local steps = {}
    for i, s in ipairs(step.parent.steps) do steps[i] = s.step .. " " .. s.text .. " " .. source:sub(s.start + 1, s.stop) end
    assert.same({ "root v v", "attr id .id", "number 0 [0]" }, steps)
    assert.equal("w", step.parent.key)
    local loop = step.parent.parent.parent
    assert.same({ "for", "k", "v" }, { loop.kind, loop.key_name.text, loop.value_name.text })
    assert.equal("v", source:sub(loop.value_name.start + 1, loop.value_name.stop))
    local block = loop.parent.parent.parent
    assert.same({ "block", "r", "{", "}" }, { block.kind, block.type, source:sub(block.open + 1, block.open + 1),
      source:sub(block.close + 1, block.close + 1) })
    assert.same({ "a" }, block.labels)
    local range = body:range(step.start, step.stop)
    assert.same({ 2, step.start, step.stop }, { range.start.line, range.start.byte, range.stop.byte })
  end)

  it("works for files of native syntax", function()
    assert.is_nil(hcl.parse('{"a": 1}', { syntax = "json" }):at(1))
    assert.is_nil(hcl.assert(hcl.merge { hcl.parse "a = 1", hcl.parse "b = 1" }):at(1))
    local body = hcl.parse "a = 1\n"
    for _, bad in ipairs { -1, 7, 0.5 } do assert.has_error(function() body:at(bad) end) end
    assert.has_error(function() body:range(3, 2) end)
  end)

  it("answers at every byte of a file: each place covers it, within the place around it", function()
    local source = support.read(support.root .. "examples/infra/main.tf") .. support.read(support.root .. "examples/gateway/gateway.hcl")
      .. "/* a\n * b */ last = 1 /* c */\n// d"
    local body = hcl.assert(hcl.parse(source))
    local kinds, starts, stops = hcl.tokens(source)
    local token = 1
    for byte = 0, #source do
      bodies.check_place(body, byte, #source)
      while token < #kinds and stops[token] <= byte do token = token + 1 end
      -- Within a comment, or a name that isn't a word of the language, body:at finds just that.
      local place, word = body:at(byte), source:sub(starts[token] + 1, stops[token])
      if starts[token] < byte and byte < stops[token] then
        if kinds[token] == "comment" then -- whose token includes the newline
          local stop = stops[token] - (word:find "\n$" and 1 or 0)
          assert.same({ "comment", starts[token], stop }, { place.kind, place.start, place.stop }, "byte " .. byte)
        end
        local names = place.text or place.kind == word or place.kind == "bool"
        if kinds[token] == "name" and not KEYWORDS[word] then assert.truthy(names, "byte " .. byte) end
      end
    end
  end)
end)

describe("hcl.tokens", function()
  local function words(source, options)
    local kinds, starts, stops = hcl.tokens(source, options)
    local out = {}
    for i, kind in ipairs(kinds) do out[i] = kind .. " " .. source:sub(starts[i] + 1, stops[i]):gsub("\n", "⏎") end
    return table.concat(out, "|")
  end

  it("has all words of a source", function()
    assert.equal('name a|= =|number 1|comment # c⏎|name b|open_quote "|text x|close_quote "|{ {|newline ⏎|} }',
      words 'a = 1 # c\nb "x" {\n}')
    assert.equal("name a|= =|heredoc <<E⏎|text x |${ ${~|name v|} ~}|text ⏎|heredoc_end E|newline ⏎",
      words "a = <<E\nx ${~ v ~}\nE\n")
    assert.equal('name a|= =|open_quote "|%{ %{|name if|name b|} }|text c|%{ %{|name endif|} }|close_quote "',
      words 'a = "%{ if b }c%{ endif }"')
    assert.equal("name a|invalid ;|name b|invalid @", words "a; b @")
    assert.equal("text a |${ ${|name b|} }", words("a ${b}", { syntax = "template" }))
    assert.equal("name a|== ==|... ...|=> =>|:: ::|? ?", words "a == ... => :: ?")
  end)

  it("accepts any bytes", function()
    local draw = support.random(3)
    for _ = 1, 300 do
      local bytes = {}
      for i = 1, draw(60) do bytes[i] = string.char(draw(256) - 1) end
      bodies.check_tokens(table.concat(bytes))
      bodies.check_tokens(table.concat(bytes), "template")
    end
  end)
end)

describe("places of references", function()
  it("exist for each step, and for names of loops", function()
    local source = 'x = [for k, v in a.b["c"][0] : v.d]\n'
    local body = hcl.assert(hcl.parse(source))
    local expression = body.attributes.x.expression
    for _, list in ipairs { body:traversals(), expression:traversals() } do
      assert.equal(1, #list)
      local out = {}
      for i, step in ipairs(list[1].steps) do
        out[i] = ("%s %s %s"):format(step.kind, step.text, source:sub(step.range.start.byte + 1, step.range.stop.byte))
      end
      assert.equal('a.b["c"][0]', list[1].path)
      assert.same({ "root a a", "attr b .b", 'key c ["c"]', "number 0 [0]" }, out)
    end
    local ast = expression:ast()
    assert.same({ 9, 12 }, { ast.key_range.start.byte, ast.value_range.start.byte })
    assert.same({ 31, 32 }, { ast.value.step_ranges[1].start.byte, ast.value.step_ranges[2].start.byte })
  end)
end)

describe("the argument of a call at a byte", function()
  -- By the commas between the parenthesis and the byte; nothing on the name and after the call.
  it("is numbered by commas, however broken the call is", function()
    local arguments = { "", "x", " x ", "1", '"s"', "x.y", "x +", "[1]", " " }
    local n = 0
    local function try(inner, close)
      local source = "a = f(" .. inner .. close .. "\n"
      local body, _, partial = hcl.parse(source)
      local last = (source:find(")", 1, true) or #source) - 1
      for at = #"a = ", #source - 1 do
        local place = (body or partial):at(at)
        while place and place.kind ~= "call" do place = place.parent end
        if at <= #"a = f" or at > last then
          assert.is_nil(place and place.argument, source .. at)
        elseif place then
          local _, commas = source:sub(#"a = f(" + 1, at):gsub(",", "")
          assert.equal(1 + commas, place.argument, source .. at)
          n = n + 1
        end
      end
    end
    for _, first in ipairs(arguments) do
      for _, second in ipairs(arguments) do
        for _, close in ipairs { ")", "", ",)", ",", ", x)" } do try(first .. "," .. second, close) end
        try(first, ")")
        try(first, "")
      end
    end
    assert.is_true(n > 1500, n)
  end)
end)
