-- Declarations of a file for its own expressions: functions, variables, locals. The rules are those of hcl's function extension, and of
-- the programs whose files have such blocks.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local hcl = require "hclexpr"

local function lines(...) return table.concat({ ... }, "\n") .. "\n" end

local function decode(source, variables, options)
  local o = { declarations = true }
  for name, value in pairs(options or {}) do o[name] = value end
  return hcl.decode(source, variables, nil, o)
end

-- Codes and lines of the mistakes.
local function complaints(source, variables, options)
  local values, err = decode(source, variables, options)
  assert.is_nil(values)
  local found = {}
  for i, d in ipairs(err) do found[i] = d.code .. (d.range and " " .. d.range.start.line or "") end
  return table.concat(found, ", ")
end

describe("a file's functions", function()
  it("are called by its expressions, and left out of its values", function()
    assert.same({ x = 3 }, decode(lines('function "add" {', " params = [a, b]", " result = a + b", "}", "x = add(1, 2)")))
  end)

  it("accept further arguments by variadic_param", function()
    local all = lines('function "all" {', " params = [first]", " variadic_param = rest", " result = [first, rest]", "}")
    assert.same({ x = { 1, { 2, "c" } }, y = { 1, {} } }, decode(all .. 'x = all(1, 2, "c")\ny = all(1)\n'))
    assert.equal("call.count 6", complaints(all .. "x = all()\n"))
  end)

  it("see the call's names, the file's declarations, and each other", function()
    local source = lines('variable "TAG" {', '  default = "v1"', "}",
      'function "tag" {', " params = [name]", ' result = full("${name}:${TAG}")', "}",
      'function "full" {', " params = [s]", ' result = "${host}/${s}"', "}", 'target "app" {', '  tags = [tag("app")]', "}")
    assert.same({ target = { app = { { tags = { "me/app:v1" } } } } }, decode(source, { host = "me" }))
    assert.equal("me/app:v2", decode(source, { host = "me", TAG = "v2" }).target.app[1].tags[1])
  end)

  it("report the place of a failure", function()
    assert.equal("operator.operand 3", complaints(lines('function "f" {', " params = [n]", " result = n + 1", "}", 'x = f("a")')))
    assert.equal("call.unknown 3", complaints(lines('function "f" {', " params = [n]", " result = nope(n)", "}", "x = f(1)")))
    assert.equal("spec.argument 2", complaints(lines('function "f" {', " params = [1]", " result = 1", "}")))
    assert.equal("body.missing 1", complaints(lines('function "f" {', " params = []", "}")))
  end)

  it("show no marked argument", function()
    local _, err = decode(lines('function "f" {', " params = [n]", " result = tonumber(n)", "}", "x = f(s)"), { s = hcl.sensitive "hush" })
    assert.equal("call.failed", err[1].code)
    assert.is_nil(tostring(err):find("hush", 1, true))
    local v = decode(lines('function "f" {', " params = [n]", ' result = "${n}!"', "}", "x = f(s)"), { s = hcl.sensitive "hush" }).x
    assert.same({ "sensitive" }, v:marks())
  end)

  it("may wait if a function of the host does", function()
    local scope = hcl.scope { functions = { slow = function(n) return coroutine.yield(n) end } }
    local source = lines('function "f" {', " params = [n]", " result = slow(n) + local.a", "}", "locals {", " a = slow(5)", "}", "x = f(1)")
    local thread = coroutine.create(function() return hcl.decode(source, nil, scope, { declarations = true }) end)
    local _, asked = coroutine.resume(thread)
    while coroutine.status(thread) ~= "dead" do _, asked = coroutine.resume(thread, asked * 10) end
    assert.equal(60, asked.x)
  end)

  it("end, however they call each other", function()
    assert.equal("limit.depth 3", complaints(lines('function "f" {', " params = [n]", " result = f(n)", "}", "x = f(1)")))
    local doubling = { 'function "f0" {\n params = [n]\n result = n\n}\n' }
    for i = 1, 40 do doubling[i + 1] = ('function "f%d" {\n params = [n]\n result = f%d(n) + f%d(n)\n}\n'):format(i, i - 1, i - 1) end
    local scope = hcl.scope { limits = { steps = 100000 } }
    local _, err = hcl.decode(table.concat(doubling) .. "x = f40(1)\n", nil, scope, { declarations = true })
    assert.equal("limit.steps", err[1].code)
    assert.same({ x = 6 }, decode(lines('function "sum" {', " params = [n]", " result = n == 0 ? 0 : n + sum(n - 1)", "}", "x = sum(3)")))
  end)
end)

describe("a file's variables", function()
  it("have defaults, which named values of the call replace", function()
    local source = lines('variable "n" {', "  type = number", "  default = 1", "}", "x = [n, var.n]")
    assert.same({ x = { 1, 1 } }, decode(source))
    assert.same({ x = { 5, 5 } }, decode(source, { n = "5" }))
    assert.equal("spec.type 1", complaints(source, { n = "five" }):match "^[^,]*")
    assert.equal("module.input 1", (complaints(lines('variable "n" {', "}", "x = n")):gsub("^module.input%S*", "module.input")))
    assert.same({ x = 1 }, decode(lines('variable "unused" {', "}", "x = 1")))
  end)

  it("may lie together in a block", function()
    local source = lines("variables {", "  a = 1", "  b = a + 1", "}", "x = [b, var.a]")
    assert.same({ x = { 2, 1 } }, decode(source))
    assert.same({ x = { 11, 10 } }, decode(source, { a = 10 }))
    assert.equal("module.duplicate 4", complaints(lines("variables {", "  a = 1", "}", 'variable "a" {', "}")))
  end)
end)

describe("a file's locals", function()
  it("have names, and are values of it", function()
    assert.same({ locals = { { a = 1, b = 2 } } }, decode(lines("locals {", "  b = local.a + 1", "  a = 1", "}")))
    assert.equal(3, decode(lines('local "a" {', "  expression = 3", "}", "x = local.a")).x)
  end)

  it("don't depend on themselves", function()
    assert.equal("module.cycle 2", complaints(lines("locals {", "  a = local.b", "  b = local.a", "}")))
    assert.equal("module.cycle 2", complaints(lines("locals {", "  a = [for x in [1] : local.a]", "}")))
  end)
end)

-- The ways to write a chain of values: each names the one before it.
local function orders(n, link)
  local up, down, mixed = {}, {}, {}
  for i = 1, n do
    local line = i == 1 and "v1 = 1" or link:format(i, i - 1)
    up[i], down[n + 1 - i] = line, line
  end
  for i = 1, n do mixed[i] = up[(i * 7919) % n + 1] end
  return { up = up, down = down, mixed = mixed }
end

describe("values that need each other", function()
  local function last(listed, n) return ("locals {\n%s\n}\nx = local.v%d\n"):format(table.concat(listed, "\n"), n) end

  it("are the same in any order, to any depth", function()
    for _, link in ipairs {
      "v%d = local.v%d + 1", 'v%d = local["v${%d}"] + 1', "v%d = [for n in [1] : local.v%d + n][0]", "v%d = try(local.v%d) + 1",
      "v%d = 1 + (true ? local.v%d : 0)",
    } do
      for order, listed in pairs(orders(151, link)) do
        local values, err = decode(last(listed, 151))
        assert.equal(151, values and values.x, order .. " " .. link .. ": " .. tostring(err))
      end
    end
    for order, listed in pairs(orders(2003, "v%d = local.v%d + 1")) do assert.equal(2003, decode(last(listed, 2003)).x, order) end
  end)

  it("may be variables, and go through functions", function()
    local chained, through = {}, { 'function "next" {\n params = [n]\n result = n + local.one\n}' }
    for i = 150, 1, -1 do
      chained[#chained + 1] = ('variable "v%d" {\n default = var.v%d + 1\n}'):format(i, i - 1)
      through[#through + 1] = ('local "v%d" {\n expression = f%d()\n}'):format(i, i)
      through[#through + 1] = ('function "f%d" {\n params = []\n result = next(local.v%d)\n}'):format(i, i - 1)
    end
    assert.equal(150, decode(table.concat(chained, "\n") .. '\nvariable "v0" {\n default = 0\n}\nx = v150\n').x)
    assert.equal(150, decode(table.concat(through, "\n") .. "\nlocals {\n v0 = 0\n one = 1\n}\nx = local.v150\n").x)
  end)

  it("are evaluated once, by functions of the host that may wait", function()
    local calls = 0
    local scope = hcl.scope { functions = { f = function(n)
      calls = calls + 1
      return coroutine.yield(n)
    end } }
    local source = last(orders(30, "v%d = f(local.v%d)").down, 30)
    local run = coroutine.wrap(function() return "done", hcl.decode(source, nil, scope, { declarations = true }) end)
    local state, values = run()
    while state ~= "done" do state, values = run(state + 1) end
    assert.equal(30, values.x)
    -- Once as values of each other, and once as values of the block.
    assert.equal(2 * 29, calls)
  end)

  it("fail and form cycles within the limits, for any number of values", function()
    for want, link in pairs {
      ["reference.unknown"] = "v%d = [local.v%d, local.v%d]\n", ["module.cycle"] = "v%d = [local.v%d, local.v%d]\n",
    } do
      local listed, n = {}, 300
      for i = 1, n do listed[i] = link:format(i, i % n + 1, i * 7 % n + 1) end
      if want == "reference.unknown" then
        for i = 1, n do listed[i] = link:format(i, i + 1, i + 2) end
        listed[n + 1] = ("v%d = nope\nv%d = nope\n"):format(n + 1, n + 2)
      end
      local values, err = decode("locals {\n" .. table.concat(listed) .. "}\n")
      assert.is_nil(values)
      for _, d in ipairs(err) do
        assert.equal(want, d.code)
        assert.is_true(#d.detail < 8000)
      end
      -- A name that leads there counts once for each of the two wrong values.
      assert.is_true(tonumber(tostring(err):match "(%d+) more of them" or 0) <= 4 * n)
    end
  end)

  it("in a cycle are one error that shows the path, in any order", function()
    for _, n in ipairs { 3, 45, 150 } do
      local details = {}
      for _, listed in pairs(orders(n, "v%d = local.v%d + 1")) do
        for i, line in ipairs(listed) do
          if line == "v1 = 1" then listed[i] = ("v1 = local.v%d"):format(n) end
        end
        local _, err = decode(last(listed, n))
        assert.same({ 1, "module.cycle" }, { #err, err[1].code })
        details[err[1].detail] = true
        assert.equal(n, select(2, err[1].detail:gsub("→", "")))
      end
      local detail = next(details)
      assert.is_nil(next(details, detail))
      assert.truthy(detail:find(("local.v1 → local.v%d →"):format(n), 1, true), detail)
    end
  end)
end)

describe("declarations", function()
  it("are read in JSON syntax, too", function()
    assert.same({ x = 4, y = 2, locals = { z = 2 } }, decode([[{
      "variable": { "a": { "type": "number", "default": "3" } },
      "function": { "f": { "params": ["n"], "result": "${n + a}" } },
      "locals": { "z": 2 }, "x": "${f(1)}", "y": "${local.z}"
    }]], nil, { syntax = "json" }))
  end)

  it("go with a schema", function()
    local schema = { attributes = { x = { type = "string" }, y = { default = 5 } } }
    assert.same({ x = "3", y = 5 }, decode('variable "a" {\n default = 3\n}\nx = a\n', nil, { schema = schema }))
  end)

  it("are ordinary blocks unless they are enabled", function()
    assert.same({ variable = { a = { { default = 3 } } } }, hcl.decode 'variable "a" {\n default = 3\n}\n')
  end)
end)

describe("a schema", function()
  local schema = { attributes = { port = { type = "number", default = 80, max = 90 }, name = { type = "string", required = true } } }

  it("checks what hcl.decode and hcl.load give", function()
    assert.same({ port = 80, name = "a" }, hcl.decode('name = "a"\n', nil, nil, { schema = schema }))
    local _, err = hcl.decode("port = 99\n", nil, nil, { schema = schema, filename = "a.hcl" })
    assert.equal("a.hcl", err[1].range.filename)
    assert.equal(2, #err)
    local folder = support.temporary_folder()
    support.write(folder .. "/a.hcl", 'name = n\nport = "81"\n')
    support.write(folder .. "/a.conf", '{"name": "b"}')
    assert.same({ port = 81, name = "a" }, hcl.load(folder .. "/a.hcl", { n = "a" }, nil, { schema = schema }))
    assert.same({ port = 80, name = "b" }, hcl.load(folder .. "/a.conf", nil, nil, { schema = schema, syntax = "json" }))
    support.remove(folder)
  end)

  it("is misuse if it is invalid", function()
    for _, options in ipairs { { schema = 5 }, { schema = { attributs = {} } }, { nonsense = 1 }, { declarations = 1 } } do
      assert.has_error(function() hcl.load("none.hcl", nil, nil, options) end)
      assert.has_error(function() hcl.decode("", nil, nil, options) end)
    end
  end)
end)
