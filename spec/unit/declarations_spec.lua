-- What a file declares for its own expressions: functions, variables, locals. The rules are those of hcl's extension for functions, and of
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

  it("take further arguments by variadic_param", function()
    local all = lines('function "all" {', " params = [first]", " variadic_param = rest", " result = [first, rest]", "}")
    assert.same({ x = { 1, { 2, "c" } }, y = { 1, {} } }, decode(all .. 'x = all(1, 2, "c")\ny = all(1)\n'))
    assert.equal("call.count 6", complaints(all .. "x = all()\n"))
  end)

  it("see the call's names, what the file declares, and each other", function()
    local source = lines('variable "TAG" {', '  default = "v1"', "}",
      'function "tag" {', " params = [name]", ' result = full("${name}:${TAG}")', "}",
      'function "full" {', " params = [s]", ' result = "${host}/${s}"', "}", 'target "app" {', '  tags = [tag("app")]', "}")
    assert.same({ target = { app = { { tags = { "me/app:v1" } } } } }, decode(source, { host = "me" }))
    assert.equal("me/app:v2", decode(source, { host = "me", TAG = "v2" }).target.app[1].tags[1])
  end)

  it("say where they fail", function()
    assert.equal("operator.operand 3", complaints(lines('function "f" {', " params = [n]", " result = n + 1", "}", 'x = f("a")')))
    assert.equal("call.unknown 3", complaints(lines('function "f" {', " params = [n]", " result = nope(n)", "}", "x = f(1)")))
    assert.equal("spec.argument 2", complaints(lines('function "f" {', " params = [1]", " result = 1", "}")))
    assert.equal("body.missing 1", complaints(lines('function "f" {', " params = []", "}")))
  end)

  it("show nothing of a marked argument", function()
    local _, err = decode(lines('function "f" {', " params = [n]", " result = tonumber(n)", "}", "x = f(s)"), { s = hcl.sensitive "hush" })
    assert.equal("call.failed", err[1].code)
    assert.is_nil(tostring(err):find("hush", 1, true))
    local v = decode(lines('function "f" {', " params = [n]", ' result = "${n}!"', "}", "x = f(s)"), { s = hcl.sensitive "hush" }).x
    assert.same({ "sensitive" }, v:marks())
  end)

  it("may wait where a function of the host does", function()
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
  it("are named, and values of it", function()
    assert.same({ locals = { { a = 1, b = 2 } } }, decode(lines("locals {", "  b = local.a + 1", "  a = 1", "}")))
    assert.equal(3, decode(lines('local "a" {', "  expression = 3", "}", "x = local.a")).x)
  end)

  it("don't depend on themselves", function()
    assert.equal("module.cycle 3", complaints(lines("locals {", "  a = local.b", "  b = local.a", "}")))
    local chain = { "locals {" }
    for i = 200, 1, -1 do chain[#chain + 1] = ("  a%d = local.a%d"):format(i, i - 1) end
    assert.equal("limit.depth 103", complaints(table.concat(chain, "\n") .. "\n  a0 = 1\n}\n"))
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

  it("are blocks like others where nobody asked for them", function()
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

  it("is misuse where it is none", function()
    for _, options in ipairs { { schema = 5 }, { schema = { attributs = {} } }, { nonsense = 1 }, { declarations = 1 } } do
      assert.has_error(function() hcl.load("none.hcl", nil, nil, options) end)
      assert.has_error(function() hcl.decode("", nil, nil, options) end)
    end
  end)
end)
