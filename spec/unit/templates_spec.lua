-- templatefile and templatestring: programs that the machine runs on its own stack, with their own names.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local FILES = support.root .. "spec/conformance/fixtures"

local function scope(more)
  local options = { filesystem = FILES }
  for k, v in pairs(more or {}) do options[k] = v end
  return hcl.scope(options)
end

local function fail(source, variables, with)
  local v, err = hcl.eval(source, variables, with or scope())
  assert(v == nil, source .. " has a value")
  assert.equal(1, #err)
  return err
end

-- The places that a report shows, outermost first: "file line column".
local function places(err)
  local out = {}
  for where, line, column in tostring(err):gmatch "\n +[io]n (.-) ?line (%d+), column (%d+)" do
    out[#out + 1] = (where == "" and "" or where .. " ") .. line .. ":" .. column
  end
  return out
end

describe("the variables of a template", function()
  it("are only the given ones", function()
    local with = scope { variables = { name = "of the scope", greeting = "Hello, ${name}!" } }
    assert.equal("Hello, Ada!", hcl.eval('templatestring(greeting, { name = "Ada" })', { name = "of the call" }, with))
    for _, vars in ipairs { "{}", "{ nome = 1 }" } do
      local err = fail("templatestring(greeting, " .. vars .. ")", { name = "of the call" }, with)
      assert.truthy(err[1].detail:find('"name"', 1, true))
    end
  end)

  it("don't stay afterwards", function()
    local with = scope { variables = { t = "${x}", x = "outside" } }
    assert.equal("in outside in", hcl.eval('"${templatestring(t, { x = "in" })} ${x} ${templatestring(t, { x = "in" })}"', nil, with))
  end)

  it("are hidden by those of a loop in it, and come back", function()
    assert.equal("12out\n", hcl.eval('templatefile("tmpl/loop-scope.tftpl", { xs = [1, 2], x = "out\\n" })', nil, scope()))
  end)

  it("may be a map, a different one each time", function()
    local with = scope { variables = { t = "${a}-${b}" } }
    local texts = hcl.eval("[for i in [1, 2, 3] : templatestring(t, tomap({ a = i, b = i + 1 }))]", nil, with)
    assert.equal("1-2 2-3 3-4", table.concat(texts, " "))
  end)

  it("must have names that can be written", function()
    local err = fail("templatestring(t, { \"a b\" = 1 })", nil, scope { variables = { t = "" } })
    assert.truthy(err[1].detail:find('"a b"', 1, true))
    err = fail("templatestring(t, { \"a\\nb\" = 1 })", nil, scope { variables = { t = "" } })
    assert.truthy(err[1].detail:find([["a\nb"]], 1, true), "a name is shown as it is written")
  end)
end)

describe("a mistake in a template", function()
  it("is shown in its file, under the call that led there", function()
    local err = fail '1 + templatefile("tmpl/number.tftpl", { n = "x" })'
    assert.same({ "1:5", "tmpl/number.tftpl 1:3" }, places(err))
    assert.truthy(tostring(err):find("${n * 2}", 1, true))
    assert.equal(1, err[1].range.start.line)
    assert.equal(5, err[1].range.start.column)
  end)

  it("is reported if it is the first of several, with the number of the others", function()
    for n = 1, 3 do
      local err = fail('templatestring(t, { x = "y" })', { t = ("${x * 2} "):rep(n) })
      assert.equal(n > 1 and tostring(n - 1) or nil, err[1].detail:match "(%d+) more")
    end
  end)

  it("counts lines from the template's own beginning", function()
    local err = fail("\n\n templatestring(t, { m = {} })", nil, scope { variables = { t = 'a\nb ${lookup(m, "k")}' } })
    assert.same({ "3:2", "the template 2:12" }, places(err))
  end)

  it("of syntax, too", function()
    assert.same({ "1:1", "tmpl/broken.tftpl 1:7" }, places(fail 'templatefile("tmpl/broken.tftpl", {})'))
  end)

  it("is not quoted if the template is sensitive", function()
    local with = scope { variables = { t = hcl.sensitive "the secret ${upper([])}" } }
    assert.is_nil(tostring(fail("templatestring(t, {})", nil, with)):find("secret", 1, true))
    with = scope { variables = { t = "${upper([word])}" } }
    local err = fail('templatestring(t, { word = w })', { w = hcl.sensitive "xyzzy" }, with)
    assert.is_nil(tostring(err):find("xyzzy", 1, true))
  end)

  it("is caught by try and can, and reports nothing then", function()
    local with = scope { variables = { t = "${x.y}" } }
    assert.equal("none", hcl.eval('try(templatestring(t, { x = 1 }), "none")', nil, with))
    assert.is_false(hcl.eval("can(templatestring(t, { x = 1 }))", nil, with))
    assert.is_true(hcl.eval("can(templatestring(t, { x = { y = 1 } }))", nil, with))
  end)
end)

describe("templates within templates", function()
  it("are rejected, with the place in the inner one", function()
    local err = fail 'templatefile("tmpl/recurse.tftpl", {})'
    assert.same({ "1:1", "tmpl/recurse.tftpl 1:3" }, places(err))
    fail("templatefile(\"tmpl/inner-string.tftpl\", { t = \"x\" })")
    local with = scope { variables = { t = "${templatestring(u, {})}", f = '${file("hello.txt")}' } }
    fail('templatestring(t, { u = "${1}" })', nil, with)
    -- A template given as text reads no files; one from a file does.
    fail("templatestring(f, {})", nil, with)
    assert.truthy(hcl.eval('templatefile("tmpl/reads.tftpl", {})', nil, scope()):find "^<.+>\n?$")
  end)

  it("run one after the other, and the text of one may be the variable of the next", function()
    local source = "name"
    for _ = 1, 100 do source = "templatestring(t, { x = " .. source .. " })" end
    local with = scope { variables = { t = "<${x}>", name = "Ada" } }
    assert.equal(("<"):rep(100) .. "Ada" .. (">"):rep(100), hcl.eval(source, nil, with))
  end)
end)

describe("a template that nests", function()
  -- Levels of parentheses around a number, in a template.
  local function nested(levels) return "${" .. ("("):rep(levels) .. "1" .. (")"):rep(levels) .. "}" end

  it("goes as deep as an expression", function()
    assert.equal("1", hcl.eval("templatestring(t, {})", { t = nested(900) }))
  end)

  it("too deeply gives a diagnostic, as in an expression", function()
    fail("templatestring(t, {})", { t = nested(5000) })
    fail("templatestring(t, {})", { t = nested(1000000) })
    assert.equal("limit.depth", support.code(hcl.compile(nested(5000), { syntax = "template" })))
  end)

  it("in loops reaches the limits of the evaluation that called it", function()
    local with = scope { variables = { t = "%{ for a in xs }%{ for b in xs }%{ for c in xs }%{ endfor }%{ endfor }%{ endfor }" } }
    local err = fail("templatestring(t, { xs = range(1000) })", nil, with)
    assert.truthy(err[1].code:find "^limit%.")
  end)
end)

describe("a Lua function called from a template", function()
  local with = scope {
    variables = { t = "${a}: ${ask(a)}%{ for x in xs } ${ask(x)}%{ endfor }" },
    functions = { ask = function(x) return (coroutine.yield(x)) end },
  }

  it("may yield, as often as it likes", function()
    local asked = {}
    local v = support.drive(function() return hcl.eval('upper(templatestring(t, { a = "q", xs = ["r", "s"] }))', nil, with) end, function(x)
      asked[#asked + 1] = x
      return x .. x
    end)
    assert.same({ "q", "r", "s" }, asked)
    assert.equal("Q: QQ RR SS", v)
  end)

  it("in two evaluations at once", function()
    local function start(letter)
      return coroutine.wrap(function() return hcl.eval("templatestring(t, { a = letter, xs = [] })", { letter = letter }, with) end)
    end
    local first, second = start "a", start "b"
    assert.equal("a", first())
    assert.equal("b", second())
    assert.equal("a: 1", first "1")
    assert.equal("b: 2", second "2")
  end)

  it("may evaluate a template itself", function()
    local inner = scope { variables = { u = "[${n}]" } }
    local outer = scope {
      variables = { t = "${again(3)}" },
      functions = { again = function(n) return hcl.eval("templatestring(u, { n = n })", { n = n }, inner) end },
    }
    assert.equal("[3]", hcl.eval("templatestring(t, {})", nil, outer))
  end)

  it("raises its own error through the template", function()
    local mine = {}
    local raising = scope { variables = { t = "${bad()}" }, functions = { bad = function() error(mine) end } }
    local ok, why = pcall(hcl.eval, "templatestring(t, {})", nil, raising)
    assert.is_false(ok)
    assert.equal(mine, why)
    assert.equal(2, hcl.eval("1 + 1", nil, raising))
  end)

  it("don't change diagnostics reported around them, whatever is tried in them", function()
    local expr = hcl.compile '[a.zz, templatestring(t, { q = 1 }), -"another text, and it is a long one"]'
    local template = '${try(q.x + "uuuuuuuuuuuuuuuuu", q + "y", 5)}'
    for _ = 1, 3 do
      local _, err = expr:eval { a = { b = 1 }, t = template }
      assert.equal(2, #err)
      assert.truthy(err[1].detail:find('"zz"', 1, true), err[1].detail)
      assert.truthy(err[2].detail:find('"another text, and it is a long one"', 1, true), err[2].detail)
    end
  end)
end)
