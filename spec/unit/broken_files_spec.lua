-- Files as editors and attackers leave them: always a result or diagnostics, in linear time. The sizes are so large that quadratic
-- code would not end. `make fuzz` runs many more mutations than this sample.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local bodies = dofile(support.root .. "fuzz/bodies.lua")

local MUTATIONS, LEVELS, LONG, EVERY = support.sample(1000, 3000), 1000000, support.sample(2000000, 4000000), support.sample(3, 1)

local function check_all(list)
  for _, source in ipairs(list) do
    local ok, message = pcall(bodies.check, source)
    assert.is_true(ok, tostring(message) .. "\n" .. source)
  end
end

describe("a broken file", function()
  it("gives its readable parts, or diagnostics, after any change", function()
    local failures = bodies.run(bodies.sources {}, MUTATIONS, 1, function(source, message, number)
      print(("source %d: %s\n%s"):format(number, message, source))
    end)
    assert.equal(0, failures)
  end)

  it("may end anywhere", function()
    local list = {}
    local whole = 'a = [for k, v in { x = 1.5e3, (b) = "é${c.d[0]}" } : "${~ k }%{ if v > 2 ~}y%{ else }n%{ endif }" if !v]\n' ..
      'dynamic "rule" {\n  for_each = var.list[*].id\n  iterator = it\n  content {\n    text = <<-EOT\n      one ${it.value}\n    EOT\n' ..
      '  }\n}\nservice web "one" { port = f(80, x...) /* c */ } # end\n"quoted" {}\n'
    for i = 0, #whole, EVERY do list[#list + 1] = whole:sub(1, i) end
    for i = 1, #whole, EVERY do list[#list + 1] = whole:sub(i) end
    check_all(list)
  end)

  it("keeps the parts before and after the mistake", function()
    local body, err, partial = hcl.parse 'a = 1\nb = [1,\nc {\n  d = 2\n}\n\ne = = 3\nf = 4\ng "x" {\n  h = 5\n'
    assert.is_nil(body)
    assert.truthy(err[1])
    assert.equal(1, partial.attributes.a:eval())
    body, err, partial = hcl.parse 'a = 1\ne = = 3\nf = 4\ng "x" {\n  h = 5\n'
    assert.is_nil(body)
    assert.truthy(err[1])
    assert.equal(4, partial.attributes.f:eval())
    assert.same({ "x" }, partial.blocks[1].labels)
    assert.equal(5, partial.blocks[1].body.attributes.h:eval())
  end)

  it("keeps the parts before a part that nests too deeply", function()
    local body, err, partial = hcl.parse('a = 1\nb "x" {\n  c = 2\n  d {\n    e = 3\n    f = ' .. ("["):rep(2000) .. "\n")
    assert.is_nil(body)
    assert.equal("limit.depth", err[1].code)
    assert.equal(1, partial.attributes.a:eval())
    local b = partial.blocks[1]
    assert.same({ "x" }, b.labels)
    assert.equal(2, b.body.attributes.c:eval())
    assert.equal(3, b.body.blocks[1].body.attributes.e:eval())
    assert.is_nil(b.body.blocks[1].body.attributes.f)
  end)
end)

describe("a hostile file", function()
  local function first_code(source)
    local body, err = hcl.parse(source, { filename = "hostile.hcl" })
    if body then return nil end
    assert.is_true(#tostring(err) > 0)
    return err[1].code
  end

  it("may nest a million levels deep", function()
    for _, piece in ipairs { "[", "(", "{a=", '"${', "f(", "-", "a[", "[for a in " } do
      assert.equal("limit.depth", first_code("a = " .. piece:rep(LEVELS)), piece)
    end
    assert.equal("limit.depth", first_code(("a {\n"):rep(LEVELS)))
    assert.equal("limit.depth", first_code(("a {\n"):rep(LEVELS) .. ("}\n"):rep(LEVELS)))
    assert.truthy(first_code(("a {"):rep(LEVELS)))
    assert.truthy(first_code(("}"):rep(LEVELS)))
  end)

  it("may be one long line", function()
    local x, e = ("x"):rep(LONG), ("é"):rep(LONG / 2)
    for _, source in ipairs {
      x .. " = 1", 'a = "' .. e .. '"', "a = [" .. ("1,"):rep(LONG / 2) .. "]", "# " .. x, "a = b" .. (".c"):rep(LONG / 8),
    } do
      assert.is_nil(first_code(source))
    end
    for _, source in ipairs {
      x, 'a = "' .. x, e, 'a = "' .. e .. '"' .. (" @"):rep(100), ("/*"):rep(LONG / 2), ('"'):rep(LONG / 8), "a = <<A\n" .. e,
    } do
      assert.truthy(first_code(source))
    end
  end)

  it("may have 100,000 mistakes: a hundred are shown, the rest counted", function()
    local mistakes = { "a = 1\n", "= 1\n", "a%d = @\n", "a%d = 1 2\n", 'a%d = "x\n', "b { c = 1, d = 2 }\n", 'a%d = "\\q"\n', "}\n" }
    for _, line in ipairs(mistakes) do
      local lines = {}
      for i = 1, 100000 do lines[i] = line:format(i) end
      local body, err = hcl.parse(table.concat(lines))
      assert.is_nil(body)
      assert.is_true(#err <= 100)
      assert.is_true(#tostring(err) < 100000)
    end
  end)
end)
