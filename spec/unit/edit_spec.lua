-- hcl.edit: only the edited item changes, every other byte stays.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local function edit(source, options)
  return hcl.assert(hcl.edit(source, options))
end

-- The text after changes: { method, path, argument }.
local function after(source, ...)
  local e = edit(source)
  for _, step in ipairs { ... } do assert.equal(e, hcl.assert(e[step[1]](e, step[2], step[3]))) end
  return tostring(e)
end

-- The code and text of a change that fails and changes nothing.
local function fails(source, method, path, argument)
  local e = edit(source)
  local got, err = e[method](e, path, argument)
  assert.is_nil(got)
  assert.equal(source, tostring(e))
  return err[1].code, err[1].detail
end

local main = [[
# Copyright

# the region
region = "eu-1" # home
name   = "x"

/* servers */
# the web server
resource "aws_instance" "web" {
  # image
  ami   = "x" # latest
  count = 1

  ebs {
    size = 1
  }
  ebs {
    size = 2
  }

  lifecycle { prevent_destroy = true }
  empty {}
}

resource "aws_instance" "a.b" {
}
]]

-- main with one part replaced.
local function with(from, to)
  local start, stop = main:find(from, 1, true)
  assert.is_nil(main:find(from, stop + 1, true))
  return main:sub(1, start - 1) .. to .. main:sub(stop + 1)
end

describe("edit:set", function()
  it("replaces an expression and nothing else", function()
    assert.equal(with('"eu-1"', "var.region"), after(main, { "set", "region", "var.region" }))
    assert.equal(with('ami   = "x"', "ami   = [1]"), after(main, { "set", "resource.aws_instance.web.ami", " [1]\n" }))
    assert.equal(with("prevent_destroy = true", "prevent_destroy = false"),
      after(main, { "set", "resource.aws_instance.web.lifecycle.prevent_destroy", "false" }))
    assert.equal("a = f(x) /* c */\n", after("a = (1\n+ 2) /* c */\n", { "set", "a", "f(x)" }))
    assert.equal("a = 1\nb = 2\n", after("a = <<E\nx\nE\nb = 2\n", { "set", "a", "1" }))
  end)

  it("adds an attribute below the last one, its equals sign below the others'", function()
    assert.equal(with("count = 1\n", "count = 1\n  key   = 2\n"), after(main, { "set", "resource.aws_instance.web.key", "2" }))
    assert.equal(with("count = 1\n", "count = 1\n  longer = 2\n"), after(main, { "set", "resource.aws_instance.web.longer", "2" }))
    assert.equal(with('name   = "x"\n', 'name   = "x"\nnew    = 1\n'), after(main, { "set", "new", "1" }))
    assert.equal(with('"a.b" {\n', '"a.b" {\n  x = 1\n'), after(main, { "set", 'resource.aws_instance["a.b"].x', "1" }))
    assert.equal("a = 1\nb = 2\n", after("a = 1", { "set", "b", "2" }))
    assert.equal("a = 1\n", after("", { "set", "a", "1" }))
    assert.equal("b {\n  a = 1\n\n  c {\n  }\n}\n", after("b {\n  c {\n  }\n}\n", { "set", "b.a", "1" }))
    assert.equal("b {\n  # note\n  a = 1\n}\n", after("b {\n  # note\n}\n", { "set", "b.a", "1" }))
    assert.equal("b {\n\ta = {\n\t}\n\tc = 1\n}\n", after("b {\n\ta = {\n\t}\n}\n", { "set", "b.c", "1" }))
    assert.equal("b {}\n\na = 1\n", after("b {}\n", { "set", "a", "1" }))
  end)

  it("opens blocks of one line if necessary", function()
    assert.equal("b {\n  a = 2 # c\n}\n", after("b { a = 1 }\n", { "set", "b.a", "2 # c" }))
    assert.equal(with("empty {}", "empty {\n    a = 1\n  }"), after(main, { "set", "resource.aws_instance.web.empty.a", "1" }))
    assert.equal("b {\n  a = 1\n  c = 2\n}\n", after("b { a = 1 }\n", { "set", "b.c", "2" }))
    assert.equal("b {\n  a = <<E\nx\nE\n}\n", after("b { a = 1 }\n", { "set", "b.a", "<<E\nx\nE\n" }))
    assert.equal("b {\n  a = [\n    1,\n  ]\n}\n", after("b { a = 1 }\n", { "set", "b.a", "[\n  1,\n]" }))
    -- One level more than the items around it; otherwise as in the first block that is indented; otherwise two spaces.
    local far, put = "z {\n    q = 1\n}\n", "{ x = 1 }\n"
    assert.equal(far .. "a {\n\tb {\n\t\tx = 1\n\t\ty = 2\n\t}\n}\n", after(far .. "a {\n\tb " .. put .. "}\n", { "set", "a.b.y", "2" }))
    assert.equal(far .. "a {\n  b {\n    c {\n      x = 1\n      y = 2\n    }\n  }\n}\n",
      after(far .. "a {\n  b {\n    c " .. put .. "  }\n}\n", { "set", "a.b.c.y", "2" }))
    assert.equal(" y { q = 1 }\n" .. far .. "a {\n    x = 1\n    y = 2\n}\n",
      after(" y { q = 1 }\n" .. far .. "a " .. put, { "set", "a.y", "2" }))
    assert.equal("y {\n}\na {\n  x = 1\n  y = 2\n}\n", after("y {\n}\na " .. put, { "set", "a.y", "2" }))
  end)

  it("moves the lines of a value to their place, but not those of heredocs", function()
    assert.equal("b {\n  c {\n    a = {\n      x = 1\n    }\n  }\n}\n",
      after("b {\n  c {\n    a = 1\n  }\n}\n", { "set", "b.c.a", "{\n  x = 1\n}" }))
    assert.equal("b {\n  a = {\n    x = 1\n  }\n}\n", after("b {\n  a = 1\n}\n", { "set", "b.a", "{\n        x = 1\n      }" }))
    local value = "{\n  x = <<E\n  deep\nE\n  y = 1\n}"
    local text = after("b {\n  a = 1\n}\n", { "set", "b.a", value })
    assert.equal("b {\n  a = {\n    x = <<E\n  deep\nE\n    y = 1\n  }\n}\n", text)
    assert.equal("  deep\n", hcl.decode(text).b[1].a.x)
    assert.equal("b = <<-E\n    x\n  E\n # c\n", after("b = 1 # c\n", { "set", "b", "<<-E\n    x\n  E" }))
  end)

  it("puts expressions of several lines in parentheses", function()
    assert.equal("a = (1 +\n  2)\n", after("a = 0\n", { "set", "a", "1 +\n  2" }))
    assert.equal("a = [\n]\n", after("a = 0\n", { "set", "a", "[\n]" }))
  end)

  it("accepts only one whole expression", function()
    for _, source in ipairs { "", "1 +", "1\nb = 2", "1 }", "x = 1", '"${', "1, 2", "<<E\nx\n" } do
      assert.truthy((fails("a = 0\nb {}\n", "set", "a", source)):find "^syntax%.")
    end
  end)

  it("sets no block, and nothing in a value", function()
    assert.equal("edit.path", (fails(main, "set", "resource.aws_instance.web", "1")))
    assert.equal("edit.path", (fails(main, "set", "region.x", "1")))
    assert.equal("edit.name", (fails(main, "set", "resource", "1")))
    assert.equal("edit.name", (fails(main, "set", '["a b"]', "1")))
    assert.equal("edit.path", (fails(main, "set", "", "1")))
    assert.equal("edit.path", (fails(main, "set", "resource[0]", "1")))
  end)
end)

describe("a path into values", function()
  local source = [[
m "sg" {
  rules = {
    https = { port = 443, name = "x" } # keep
    http = {
      port = 80, // p
      note = "n",
    }
  }
  tags = {
    Name  = "a"
    Other = "b" # c
  }
  list  = [{ a = 1 }, 2]
  empty = {}
  call  = merge(var.x, { a = 1 })
}
]]

  local function with_value(from, to)
    local start, stop = source:find(from, 1, true)
    return source:sub(1, start - 1) .. to .. source:sub(stop + 1)
  end

  it("sets existing parts, and adds missing ones", function()
    for _, c in ipairs {
      { "port = 443", "port = 8443", "m.sg.rules.https.port", 8443 },
      { 'name = "x" }', 'name = "x", new = "text" }', "m.sg.rules.https.new", hcl.value "text" },
      { '"n",\n', '"n",\n      new  = [1, 2],\n', "m.sg.rules.http.new", { 1, 2 } },
      { '"b" # c\n', '"b" # c\n    X     = var.x\n', "m.sg.tags.X", "var.x" },
      { '"b" # c\n', '"b" # c\n    "a b" = true\n', 'm.sg.tags["a b"]', true },
      { "a = 1 }, 2", "a = null }, 2", { "m", "sg", "list", 0, "a" }, hcl.null },
      { ", 2]", ", { b = 1 }]", "m.sg.list[1]", "{ b = 1 }" },
      { "empty = {}", "empty = { x = 1 }", "m.sg.empty.x", 1 },
      { "empty = {}", 'empty = { "for" = 1 }', "m.sg.empty.for", 1 },
      { "empty = {}", 'empty = { "null" = 1 }', "m.sg.empty.null", 1 },
      { '"n",\n', '"n",\n      new  = {\n        a = 1\n      },\n', "m.sg.rules.http.new", { a = 1 } },
    } do
      assert.equal(with_value(c[1], c[2]), after(source, { "set", c[3], c[4] }))
    end
  end)

  it("gets and removes", function()
    assert.equal("80", edit(source):get "m.sg.rules.http.port")
    assert.equal("{ a = 1 }", edit(source):get "m.sg.list[0]")
    assert.equal(with_value('    Name  = "a"\n', ""), after(source, { "remove", "m.sg.tags.Name" }))
    assert.equal(with_value("port = 443, ", ""), after(source, { "remove", "m.sg.rules.https.port" }))
    assert.equal(with_value(', name = "x"', ""), after(source, { "remove", "m.sg.rules.https.name" }))
    assert.equal(with_value("[{ a = 1 }, 2]", "[2]"), after(source, { "remove", "m.sg.list[0]" }))
    assert.equal(with_value("[{ a = 1 }, 2]", "[{ a = 1 }]"), after(source, { "remove", "m.sg.list[1]" }))
  end)

  it("finds keys that are words of the language", function()
    local words = "x = { null = 1, true = 2, a = 3 }\n"
    assert.equal("x = { null = 4, true = 2, a = 3 }\n", after(words, { "set", "x.null", 4 }))
    assert.equal("x = { null = 1, a = 3 }\n", after(words, { "remove", "x.true" }))
  end)

  it("reports where it ends", function()
    for p, text in pairs {
      ["m.sg.call.a"] = "m.sg.call is not written as an object or tuple that could have a. Set it as a whole.",
      ["m.sg.tags.no.deep"] = "m.sg.tags is an object that has no no.", ["m.sg.list[7]"] = "m.sg.list is a tuple that has no [7].",
      ["m.sg.list[1000000000000000]"] = "m.sg.list is a tuple that has no [1000000000000000].",
      ["m.sg.tags.Name.x"] = "m.sg.tags.Name is not written as an object or tuple that could have x. Set it as a whole.",
    } do
      assert.same({ "edit.path", text }, { fails(source, "set", p, 1) })
    end
    assert.same({ "edit.path", "m.sg.tags.no is missing, so it can't be removed." }, { fails(source, "remove", "m.sg.tags.no") })
    assert.equal("edit.path", (fails(source, "get", "m.sg.tags.no")))
    for _, p in ipairs { "m.sg.tags.\255", { "m", "sg", "tags", "\255" } } do
      assert.same({ "edit.path", 'The path "m.sg.tags.\239\191\189" has bytes that aren\'t UTF-8, and so names nothing.' },
        { fails(source, "set", p, 1) })
    end
  end)

  it("aligns the equals sign of a new item with the one above, if the name leaves room", function()
    assert.equal("x = {\n  abc  = 1\n  d    = 2\n}\n", after("x = {\n  abc  = 1\n}\n", { "set", "x.d", 2 }))
    assert.equal("x = {\n  abc = 1\n  def = 2\n}\n", after("x = {\n  abc = 1\n}\n", { "set", "x.def", 2 }))
    assert.equal("x = {\n  a = 1\n  longer = 2\n}\n", after("x = {\n  a = 1\n}\n", { "set", "x.longer", 2 }))
  end)

  -- Objects in any layout, with comments and commas anywhere: after each change the value is as after the same change in Lua.
  it("keeps the rest of the value, whatever the layout", function()
    local random = support.random(4711)
    local function one_of(list) return list[random(#list)] end
    local function write(object, level)
      local lines_apart, parts = random(2) == 1, {}
      for key, v in pairs(object) do
        local value = type(v) == "table" and write(v, level + 1) or tostring(v)
        local name = one_of { key, '"' .. key .. '"' }
        local text = name .. one_of { " = ", "=", "   =  ", " : " } .. value
        if lines_apart then
          text = one_of { "", "\n", "# c\n" } .. ("  "):rep(level) .. text .. one_of { "", ",", " ,", "/* c */" }
            .. one_of { "", " # d", " // d" } .. "\n"
        else
          text = text .. one_of { ",", " , ", "/* , */," }
        end
        parts[#parts + 1] = text
      end
      local body = table.concat(parts)
      if not lines_apart then return "{ " .. (random(2) == 1 and body:gsub(",%s*$", "") or body) .. " }" end
      return "{\n" .. body .. "}"
    end
    for _ = 1, 150 do
      local model = {}
      for i = 1, random(4) - 1 do model["k" .. i] = random(3) == 1 and { a = i, b = 2 } or i end
      local e = edit("x = " .. write(model, 1) .. " # end\n")
      for _ = 1, 3 do
        local key = "k" .. random(5)
        local inner = type(model[key]) == "table" and random(2) == 1 and one_of { "a", "b", "c" }
        local p, at = "x." .. key .. (inner and "." .. inner or ""), inner and model[key] or model
        local name, before = inner or key, tostring(e)
        if random(3) > 1 then
          at[name] = random(100)
          hcl.assert(e:set(p, at[name]))
        elseif at[name] ~= nil then
          at[name] = nil
          hcl.assert(e:remove(p))
        end
        local got = hcl.assert(hcl.decode(tostring(e)))
        assert.same({ x = model }, got, before .. " -> " .. tostring(e))
        assert.equal(" # end\n", tostring(e):sub(-7))
      end
    end
  end)
end)

describe("edit:remove", function()
  it("removes empty lines that don't belong there", function()
    local a, x, y = "a = 1\n", "# of x\nb x {\n  c = 1\n}\n", "b y {\n}\n"
    for _, case in ipairs {
      { a .. "\n" .. x .. "\n" .. y, "b.y", a .. "\n" .. x }, { a .. "\n" .. x .. "\n" .. y, "b.x", a .. "\n" .. y },
      { a .. "\n" .. x .. "\n" .. y, "a", x .. "\n" .. y }, { "\n" .. x .. "\n", "b.x", "" }, { "# head\n\n" .. x, "b.x", "# head\n" },
      { x .. "\n\n" .. y:sub(1, -2), "b.y", x }, { x .. "\n" .. y .. "\n# tail\n", "b.y", x .. "\n# tail\n" },
      { x .. " \n" .. y .. "\t", "b.y", x },
      { a .. "\n\n" .. x .. "\n" .. y, "b.x", a .. "\n\n" .. y }, { a .. "\n" .. x .. y, "b.x", a .. "\n" .. y },
      { a .. x .. "\n" .. y, "b.x", a .. "\n" .. y },
      { "o {\n  a = 1\n\n  # of b\n  b = 2\n}\n", "o.b", "o {\n  a = 1\n}\n" },
      { "o {\n  a = 1\n\n  b {\n  }\n}\n", "o.a", "o {\n  b {\n  }\n}\n" },
      { "o { # x\n\n  b {\n  }\n\n}\n", "o.b", "o { # x\n}\n" }, { "a = 1\n\nm = <<E\n\nE\n\nb = 1\n", "b", "a = 1\n\nm = <<E\n\nE\n" },
      { "m = {\n  a = 1\n\n  b = 2\n}\n", "m.b", "m = {\n  a = 1\n}\n" }, { "m = [\n  1,\n\n  2,\n]\n", "m[0]", "m = [\n  2,\n]\n" },
      { "m = {\n  a = 1\n\n  b = 2\n\n  c = 3\n}\n", "m.b", "m = {\n  a = 1\n\n  c = 3\n}\n" },
    } do
      assert.equal(case[3], after(case[1], { "remove", case[2] }))
      assert.equal((case[3]:gsub("\n", "\r\n")), after((case[1]:gsub("\n", "\r\n")), { "remove", case[2] }))
    end
  end)

  it("removes an item with its comments", function()
    assert.equal(with('# the region\nregion = "eu-1" # home\n', ""), after(main, { "remove", "region" }))
    assert.equal(with('  # image\n  ami   = "x" # latest\n', ""), after(main, { "remove", "resource.aws_instance.web.ami" }))
    assert.equal(with('\nresource "aws_instance" "a.b" {\n}\n', ""), after(main, { "remove", 'resource.aws_instance["a.b"]' }))
    assert.equal(with("  ebs {\n    size = 1\n  }\n", ""), after(main, { "remove", "resource.aws_instance.web.ebs[0]" }))
    assert.equal(with("{ prevent_destroy = true }", "{}"), after(main, { "remove", "resource.aws_instance.web.lifecycle.prevent_destroy" }))
    assert.equal("a = 1\n", after("a = 1\nb = 2", { "remove", "b" }))
    assert.equal("", after("a = <<E\nx\nE\n", { "remove", "a" }))
  end)

  -- As in the reference's writer: whole lines of # and // comments right above belong to the item.
  it("leaves other comments", function()
    assert.equal("# far\n\nb = 2\n", after("# far\n\n# near\n// too\na = 1 /* x */ # y\nb = 2\n", { "remove", "a" }))
    assert.equal("/* block\n# comment */\nb = 2\n", after("/* block\n# comment */\na = 1\nb = 2\n", { "remove", "a" }))
    assert.equal("b { # brace\n}\n", after("b { # brace\n  a = 1\n}\n", { "remove", "b.a" }))
    assert.equal("a = 1 # its own\n", after("a = 1 # its own\nb = 2\n", { "remove", "b" }))
    assert.equal("a = <<E\n# text\nE\n", after("a = <<E\n# text\nE\nb = 2\n", { "remove", "b" }))
    assert.equal("b { /* x */ }\n", after("b { /* x */ a = 1 }\n", { "remove", "b.a" }))
    assert.equal("\239\187\191b = 2\n", after("\239\187\191a = 1\nb = 2\n", { "remove", "a" }))
  end)
end)

describe("edit:append", function()
  it("adds at the end of a body", function()
    assert.equal(main .. '\noutput "x" {\n  value = 1\n}\n', after(main, { "append", "", 'output "x" {\n  value = 1\n}' }))
    assert.equal(main .. "# end\n", after(main, { "append", "", "# end" }))
    assert.equal(with('"a.b" {\n', '"a.b" {\n  x = {\n    y = 1\n  }\n'),
      after(main, { "append", 'resource.aws_instance["a.b"]', "x = {\n  y = 1\n}\n" }))
    assert.equal("b {\n  a = 1\n  c = 2\n}\n", after("b {\n  a = 1\n}\n", { "append", "b", "\n\n    c = 2\n" }))
    assert.equal("b {\n  a = 1\n\n  c {\n    d = <<E\n x\nE\n  }\n}\n",
      after("b { a = 1 }\n", { "append", "b", "c {\n  d = <<E\n x\nE\n}\n" }))
    assert.equal("a = 1\n\nb {}\n", after("a = 1", { "append", "", "b {}" }))
    assert.equal(main, after(main, { "append", "", " \n" }))
  end)

  it("accepts only whole items", function()
    for _, source in ipairs { "a", "a = ", "}", "b {", "a = 1 b = 2", "b }\nc {" } do
      assert.truthy((fails("b {\n}\n", "append", "b", source)):find "^syntax%.")
    end
    assert.equal("syntax.duplicate", (fails(main, "append", "", "region = 1")))
    assert.equal("edit.path", (fails(main, "append", "region", "a = 1")))
  end)
end)

describe("edit:rename", function()
  it("renames by the last name", function()
    assert.equal(with("region =", "zone   ="), after(main, { "rename", "region", "zone" }))
    assert.equal("b=1\n", after("a=1\n", { "rename", "a", "b" }))
    assert.equal(with('ami   = "x"', 'image = "x"'), after(main, { "rename", "resource.aws_instance.web.ami", "image" }))
    assert.equal(with("count = 1", "n     = 1"), after(main, { "rename", "resource.aws_instance.web.count", "n" }))
    assert.equal(with('"web"', '"app.1"'), after(main, { "rename", "resource.aws_instance.web", "app.1" }))
    assert.equal(with("empty {}", "full {}"), after(main, { "rename", "resource.aws_instance.web.empty", "full" }))
    assert.equal(with('resource "aws_instance" "a.b"', 'data "aws_instance" "a.b"'), after(main, { "rename", "resource[1]", "data" }))
    assert.equal("r x y {}\n", after("r a y {}\n", { "rename", "r.a[0]", "x" }))
    assert.equal('r "x y" {}\n', after("r a {}\n", { "rename", "r.a", "x y" }))
    assert.equal('r "$${x}" {}\n', after("r a {}\n", { "rename", "r.a", "${x}" }))
  end)

  it("rejects invalid names", function()
    assert.equal("edit.name", (fails(main, "rename", "region", "name")))
    assert.equal("edit.name", (fails(main, "rename", "region", "a b")))
    assert.equal("edit.name", (fails(main, "rename", "resource[0]", "1")))
    assert.equal("edit.name", (fails(main, "rename", "resource.aws_instance.web", "\255")))
    assert.equal("edit.path", (fails(main, "rename", "", "x")))
  end)
end)

describe("a path", function()
  local blocks = 'b {}\nb "x" {}\nb "x" "y" {}\nb {}\nd "i" {\n  content {\n    v = 1\n  }\n}\n'

  it("finds blocks by type, labels and number", function()
    assert.equal('b "x" {}', edit(blocks):get "b.x")
    assert.equal('b "x" "y" {}', edit(blocks):get "b.x.y")
    assert.equal('b "x" "y" {}', edit(blocks):get "b[2]")
    assert.equal("b {}", edit(blocks):get { "b", 3 })
    assert.equal("1", edit(blocks):get "d.i.content.v")
    assert.equal("1", edit(blocks):get 'd["i"]["content"].v')
    assert.equal("1", edit(blocks):get { "d", "i", "content", 0, "v" })
    assert.equal(blocks, edit(blocks):get "")
  end)

  it("prefers an attribute to blocks of its name", function()
    assert.equal("1", edit "a = 1\na {\n}\n":get "a")
    assert.equal("a {\n}", edit "a = 1\na {\n}\n":get "a[0]")
  end)

  it("reports errors in it", function()
    for _, case in ipairs {
      { "edit.path", "regoin", 'Did you mean "region"' }, { "edit.path", "resource.aws_instance.wbe.ami", 'Did you mean "web"' },
      { "edit.path", "resource.aws_instance", '"a.b", "web"' }, { "edit.ambiguous", "resource.aws_instance.web.ebs.size", "2 blocks" },
      { "edit.path", "resource.aws_instance.web.ebs[2].size", "counted from 0" }, { "edit.path", "region.x", "not written as an object" },
      { "edit.path", "a..b", "character 2" }, { "edit.path", 'a["b', "character 2" }, { "edit.path", "a b", "character 2" },
      { "edit.path", 'a["\\x"]', "character 2" }, { "edit.path", "resource.aws_instance.web.ebs[99999999999999999999]", "counted from 0" },
      { "edit.path", "[0]", "number" }, { "edit.path", "region[0]", "not written as an object" },
    } do
      local code, detail = fails(main, "remove", case[2])
      assert.equal(case[1], code)
      assert.truthy(detail:find(case[3], 1, true), detail)
    end
    assert.equal("edit.ambiguous", (fails("b {\n  x = 1\n}\nb x {}\n", "remove", "b.x")))
  end)

  it("raises an error if its type is wrong", function()
    local e = edit "a = 1\n"
    assert.error_matches(function() e:set(1, "1") end, "bad argument #1 to 'set'")
    assert.error_matches(function() e:set({ "a", 0.5 }, "1") end, "bad argument #1 to 'set'")
    for _, p in ipairs { { "a", x = 1 }, { [2] = "a" }, { "a", nil, "b" }, { "a", 2 ^ 60 }, { "a", 1 / 0 } } do
      assert.error_matches(function() e:get(p) end, "bad argument #1 to 'get'")
    end
    assert.error_matches(function() e:set("a") end, "bad argument #2 to 'set'")
    assert.error_matches(function() e.remove("a") end, "bad self")
    assert.error_matches(function() hcl.edit(1) end, "bad argument #1 to 'edit'")
    assert.error_matches(function() hcl.edit("", { nope = 1 }) end, "nope")
  end)
end)

describe("hcl.edit", function()
  it("keeps line ends", function()
    assert.equal("a = 1\r\nb = 2\r\nc {\r\n  d = 1\r\n}\r\n", after("a = 1\r\nc {\r\n}\r\n", { "set", "b", "2" }, { "set", "c.d", "1" }))
    assert.equal("a {\r\n}\r\n\r\nb {}\r\n", after("a {\r\n}\r\n", { "append", "", "b {}" }))
    assert.equal("b = 2\r\n", after("# c\r\na = 1\r\nb = 2\r\n", { "remove", "a" }))
  end)

  it("works on the sound parts of a broken source", function()
    local broken = "a = 1\nb = = 2\nc {\n  d = 1\n  e = \n}\n"
    assert.equal("a = 3\nb = = 2\nc {\n  d = 4\n  e = \n}\n", after(broken, { "set", "a", "3" }, { "set", "c.d", "4" }))
    assert.equal("b = = 2\nc {\n  e = \n}\n", after(broken, { "remove", "a" }, { "remove", "c.d" }))
    local line = "b { a = 1 }\nc = = 2\n"
    assert.equal("b { a = 3 }\nc = = 2\n", after(line, { "set", "b.a", "3" }))
    assert.equal("edit.broken", (fails("b { a = 1 x }\n", "set", "b.a", "3")))
    assert.equal("edit.broken", (fails("a = 1 x\n", "set", "a", "3")))
    assert.equal("edit.broken", (fails(broken, "set", "b", "3")))
    assert.equal("edit.broken", (fails(broken, "set", "c.e", "3")))
    assert.equal("edit.broken", (fails(broken, "remove", "c")))
    assert.equal("edit.broken", (fails("a = 1\nb = [1,\nc = 2\n", "set", "b", "3")))
    assert.equal("edit.broken", (fails("b {\n  a = 1\n", "set", "b.c", "3")))
  end)

  it("treats any number of spaces alone as nothing", function()
    for _, blank in ipairs { " ", "\t", "\n" } do
      assert.equal("a = 1\n", after("a = 1\n", { "append", "", blank:rep(300000) }))
    end
  end)

  it("refuses JSON", function()
    for _, case in ipairs { { '{"a": 1}' }, { " [1]" }, { "a = 1", { filename = "x.tf.json" } }, { "a = 1", { syntax = "json" } } } do
      assert.equal("edit.json", support.code(hcl.edit(case[1], case[2])))
    end
  end)

  it("obeys limits", function()
    assert.equal("limit.source", support.code(hcl.edit("a = 12345", { limits = { source = 3 } })))
  end)
end)

-- Changes at random places of real files: the item is as wanted, and nothing else has changed.
describe("random changes", function()
  local random, unpack = support.random(20262), support.unpack

  -- All items: { steps, source of an attribute, range }.
  local function items_of(body, steps, items)
    for name, attribute in pairs(body.attributes) do
      items[#items + 1] = { steps = { unpack(steps) }, source = attribute.expression:source(), item = attribute }
      table.insert(items[#items].steps, name)
    end
    local numbers = {}
    for _, block in ipairs(body.blocks) do
      local inner = { unpack(steps) }
      inner[#inner + 1] = block.type
      inner[#inner + 1] = numbers[block.type] or 0
      numbers[block.type] = inner[#inner] + 1
      items[#items + 1] = { steps = inner, block = true, item = block }
      items_of(block.body, inner, items)
    end
    return items
  end

  local function key(item)
    local parts = {}
    for i, step in ipairs(item.steps) do parts[i] = tostring(step) end
    return table.concat(parts, "/") .. (item.block and " {}" or " = " .. item.source)
  end

  -- The number of items that are in only one list.
  local function differences(before, now)
    local n, gone, new = {}, 0, 0
    for _, item in ipairs(before) do n[key(item)] = (n[key(item)] or 0) + 1 end
    for _, item in ipairs(now) do n[key(item)] = (n[key(item)] or 0) - 1 end
    for _, count in pairs(n) do
      if count > 0 then gone = gone + count else new = new - count end
    end
    return gone, new
  end

  local function pick(items, blocks)
    local from = random(#items)
    for i = from, from + #items do
      local item = items[i % #items + 1]
      if blocks == (item.block ~= nil) then return item end
    end
  end

  local function check(text)
    local e = edit(text)
    local before = items_of(hcl.assert(hcl.parse(text)), {}, {})
    if #before == 0 then return end
    local attribute, block = pick(before, false), pick(before, true)
    local values = { "zz[1]", "{\n  a = 1\n}", "<<E\n  x\nE\n", "1 # c" }
    if attribute then
      local start, stop = attribute.item.expression:range().start.byte, attribute.item.range.stop.byte
      hcl.assert(e:set(attribute.steps, "zz[1]"))
      assert.equal(text:sub(1, start) .. "zz[1]" .. text:sub(stop + 1), tostring(e))
      hcl.assert(e:set(attribute.steps, values[random(#values)]))
      local gone, new = differences(before, items_of(hcl.assert(hcl.parse(tostring(e))), {}, {}))
      assert.is_true(gone <= 1 and new <= 1)
    end
    e = edit(text)
    local steps = { unpack(block and block.steps or {}) }
    steps[#steps + 1] = "zz_new"
    hcl.assert(e:set(steps, values[random(#values)]))
    assert.same({ 0, 1 }, { differences(before, items_of(hcl.assert(hcl.parse(tostring(e))), {}, {})) })
    hcl.assert(e:remove(steps))
    assert.same({ 0, 0 }, { differences(before, items_of(hcl.assert(hcl.parse(tostring(e))), {}, {})) })
    hcl.assert(e:append(block and block.steps or "", "zz_b {\n  x = 1\n}"))
    assert.same({ 0, 2 }, { differences(before, items_of(hcl.assert(hcl.parse(tostring(e))), {}, {})) })
  end

  it("change nothing else", function()
    for _ = 1, 60 do
      check(main)
      check((main:gsub("\n", "\r\n")))
    end
  end)

  it("change nothing else in the corpus", function()
    local corpus = os.getenv "CORPUS_DIR" or support.root .. "../shared/corpus"
    local files = support.lines("find '" .. corpus .. "' -name '*.tf' -size -40k 2>/dev/null | sort")
    if #files == 0 then support.note("edits are not tried on the corpus: it isn't there") end
    for n, name in ipairs(files) do
      if n % 25 == 0 then check(support.read(name)) end
    end
  end)
end)
