-- Results of files in a described language: values, references, instances, mistakes with their place.
dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local hcl = require "hclexpr"
local language = require "hclexpr.language"

local function lines(...) return table.concat({ ... }, "\n") .. "\n" end

local gate = language {
  name = "gate", files = { "*.gate.hcl" }, unit = "folder", types = { region = "string" },
  functions = { secret = { params = { { name = "name", type = "string" } }, returns = "string" } },
  blocks = {
    locals = language.locals(), variable = language.variables(),
    upstream = { labels = { "name" }, address = "upstream.{name}", for_each = true, attributes = {
      host = { type = "string", required = true }, tls = { type = "bool", default = false }, token = "string",
      port = { type = "number", default_from = "self.tls ? 443 : 80", min = 1 },
      url = { type = "string", value_from = '"${self.host}:${self.port}"' },
      backup = { ref = "upstream" }, tags = { type = "list(string)" }, address = { type = "string", deprecated = "Write host." },
    }, blocks = {
      check = { attributes = {
        path = { type = "string", required = true }, every = { type = "number", default_from = "parent.port", max = 190 },
      } },
      limits = { nesting = "single", attributes = { rate = { type = "number", default = 10 } } },
    }, validation = { { condition = "self.port < 9000", error_message = "${self.name} can't have port ${self.port}." } } },
    route = { labels = { "path" }, attributes = {
      to = { ref = "upstream", required = true }, mirrors = { refs = "upstream" },
      when = { type = "expression", returns = "bool", types = { request = "object({ method = string })" } },
    } },
    settings = { nesting = "single", address = "settings", attributes = { level = { type = "number", default = 3 } } },
  },
}

local given = { functions = { secret = function(name) return hcl.sensitive("hush-" .. name) end }, names = { region = "eu" } }

local function with(more)
  local options = {}
  for key, value in pairs(given) do options[key] = value end
  for key, value in pairs(more or {}) do options[key] = value end
  return options
end

local function decode(text, more) return gate:decode(text, with(more)) end

-- The codes, lines and columns of all mistakes, in their order.
local function complaints(text, more, lang)
  local values, err = (lang or gate):decode(text, with(more))
  assert.is_nil(values)
  local found = {}
  for i, d in ipairs(err) do
    found[i] = d.code .. (d.range and (" %d:%d"):format(d.range.start.line, d.range.start.column) or "")
  end
  table.sort(found)
  return table.concat(found, ", "), tostring(err)
end

local example = lines("locals {", '  base = "${region}.example.org"', "}", 'upstream "mail" {', '  host  = "mail.${local.base}"',
  "  port  = upstream.users.port + 1", '  token = secret("mail")', "}", 'upstream "users" {', '  host = "users.${local.base}"', "}",
  'route "/mail" {', "  to   = upstream.mail", '  when = request.method == "GET" && upstream.users.port == 80', "}")

describe("values", function()
  it("are tables by kinds, with labels and arguments as fields", function()
    local conf = decode(example)
    assert.equal(2, #conf.upstream)
    local mail = conf.upstream[1]
    assert.same({ "mail", "mail.eu.example.org", 81, false }, { mail.name, mail.host, mail.port, mail.tls })
    assert.equal("mail.eu.example.org:81", conf.upstream[1].url)
    assert.is_nil(conf.upstream[1].tags)
    assert.equal(3, conf.settings.level)
    assert.equal("hush-mail", conf.upstream[1].token:lua { sensitive = "reveal" })
  end)

  it("have a reference as the block's table", function()
    local conf = decode(example)
    assert.equal(conf.upstream[1], conf.route[1].to)
    assert.equal("upstream.mail", gate:address(conf.route[1].to))
    assert.is_nil(gate:address(conf.route[1]))
    assert.is_nil(gate:address {})
    assert.not_equal(conf.upstream[1], decode(example).upstream[1])
  end)

  it("have kept expressions that know the file", function()
    local when = decode(example).route[1].when
    assert.is_true(when:test { request = { method = "GET" } })
    assert.is_false(when:eval { request = { method = "POST" } })
    assert.equal("true", when:value { request = { method = "GET" } }:text())
    assert.truthy(tostring(when:explain { request = { method = "GET" } }):find("upstream.users.port", 1, true))
    assert.has_error(function() when:test { upstream = {} } end,
      "bad argument #1 to 'test' (no name 'upstream' is declared for this expression)")
    local scope = hcl.scope { variables = { upstream = { users = { port = 1 } } }, limits = { steps = 1000 } }
    assert.is_true(when:test({ request = { method = "GET" } }, scope))
  end)

  it("are the same whatever the order and the files", function()
    local blocks = {}
    for block in example:gmatch "%a[^\n]*{\n.-\n}\n" do blocks[#blocks + 1] = block end
    local wanted = decode(example)
    for _ = 1, 10 do
      for i = #blocks, 2, -1 do
        local j = math.random(i)
        blocks[i], blocks[j] = blocks[j], blocks[i]
      end
      local parts = {}
      for i, block in ipairs(blocks) do parts[i] = { path = i .. ".gate.hcl", text = block } end
      for _, conf in ipairs { decode(table.concat(blocks)), gate:load(parts, given) } do
        assert.equal(wanted.route[1].to.url, conf.route[1].to.url)
        assert.equal(2, #conf.upstream)
      end
    end
  end)

  it("are the same for JSON syntax, and back", function()
    local json = hcl.assert(hcl.to_json(example))
    assert.equal("mail.eu.example.org:81", decode(json, { syntax = "json" }).route[1].to.url)
    assert.equal("mail.eu.example.org:81", decode(hcl.assert(hcl.from_json(json))).route[1].to.url)
    local text = '{"upstream": {"a": {"host": "h"}}, "route": {"/": {"to": "upstream.a", "mirrors": ["upstream.a"]}}}'
    local conf = decode(text, { syntax = "json" })
    assert.equal(conf.upstream[1], conf.route[1].to)
    assert.equal(conf.upstream[1], conf.route[1].mirrors[1])
    assert.equal("module.undeclared 1:21", (complaints('{"route":{"/":{"to":"upstream.x"}}}', { syntax = "json" })))
    local codes = complaints('{"route":{"/":{"mirrors":   ["upstream.x"]}}}', { syntax = "json" })
    assert.matches("module.undeclared 1:30", codes, 1, true)
  end)

  it("are exact for other expressions, whatever Lua can hold", function()
    local lang = language { name = "n", blocks = {
      a = { labels = { "n" }, address = "a.{n}", attributes = { x = "number", same = "bool" } },
    } }
    local digits, whole = "0.1234567890123456789012", "9007199254740993"
    for _, written in ipairs { digits, "1 * " .. digits, whole, whole .. " + 0", "-" .. whole } do
      local conf = hcl.assert(lang:decode(lines('a "p" {', "  x = " .. written, "}", 'a "q" {', "  x    = a.p.x",
        "  same = a.p.x == " .. written, "}")))
      assert.is_true(conf.a[2].same, written)
      assert.equal(conf.a[1].x, conf.a[2].x, written)
    end
  end)

  it("that are null count as absent", function()
    local conf = decode(lines('upstream "a" {', '  host = "h"', "  tls  = null",
      "  port = upstream.a.tls ? 1 : null", "  tags = local.none", "}", "locals {", "  none = null", "}",
      'upstream "b" {', '  host = "h"', "  tls  = local.none", "  port = null", "}"))
    assert.same({ 80, false }, { conf.upstream[1].port, conf.upstream[1].tls })
    assert.same({ 80, false }, { conf.upstream[2].port, conf.upstream[2].tls })
    assert.is_nil(conf.upstream[1].tags)
  end)

  it("of nested blocks are in their block, and know it", function()
    local conf = decode(lines('upstream "a" {', '  host = "h"', "  limits {", "    rate = parent.port * 2", "  }", "  check {",
      '    path = "/"', "  }", "  check {", '    path  = "/${self.every}"', "    every = 5", "  }", "}", 'upstream "b" {', '  host = "x"',
      "  port = upstream.a.limits.rate + upstream.a.check[1].every", "}"))
    assert.equal(160, conf.upstream[1].limits.rate)
    assert.same({ { path = "/", every = 80 }, { path = "/5", every = 5 } }, conf.upstream[1].check)
    assert.equal(165, conf.upstream[2].port)
    assert.same({}, conf.upstream[2].check)
  end)

  it("of dynamic blocks are like written ones", function()
    local conf = decode(lines('upstream "a" {', '  host = "h"', "  check {", '    path = "/first"', "  }", '  dynamic "check" {',
      "    for_each = { x = upstream.b.port, y = 2 }", "    content {", '      path  = "/${check.key}"',
      "      every = check.value + local.n", "    }", "  }", "}", 'upstream "b" {', '  host = "x"', "}", "locals {", "  n = 100", "}"))
    assert.same({ { path = "/first", every = 80 }, { path = "/x", every = 180 }, { path = "/y", every = 102 } }, conf.upstream[1].check)
    assert.equal("body.block 1:1", (complaints(lines('dynamic "upstream" {', "  for_each = [1]", '  labels   = ["a"]', "  content {",
      "  }", "}"))))
  end)
end)

describe("for_each", function()
  it("makes instances, in the order of keys", function()
    local conf = decode(lines('upstream "pool" {', '  for_each = { b = 2, a = 1 }', '  host = "h-${each.key}"', "  port = each.value",
      "  check {", '    path = "/${each.key}"', "  }", "}",
      'route "/" {', '  to      = upstream.pool["b"]', "  mirrors = upstream.pool", "}",
      'route "/all" {', "  to      = upstream.pool[\"a\"]", "  mirrors = upstream", "}"))
    assert.same({ "h-a", "h-b" }, { conf.upstream[1].host, conf.upstream[2].host })
    assert.same({ "/a", "/b" }, { conf.upstream[1].check[1].path, conf.upstream[2].check[1].path })
    assert.equal(conf.upstream[2], conf.route[1].to)
    assert.same({ 2, 2 }, { #conf.route[1].mirrors, #conf.route[2].mirrors })
    assert.equal('upstream.pool["b"]', gate:address(conf.route[1].to))
  end)

  it("uses other blocks' keys and values", function()
    local conf = decode(lines('upstream "b" {', "  for_each = toset(keys(upstream.a))", "  host     = upstream.a[each.key].host",
      "  backup   = upstream.a[each.key]", "}", 'upstream "a" {', '  for_each = toset(["x", "y"])', "  host     = each.value", "}"))
    assert.same({ "x", "y", "x", "y" }, { conf.upstream[1].host, conf.upstream[2].host, conf.upstream[3].host, conf.upstream[4].host })
    assert.equal(conf.upstream[4], conf.upstream[2].backup)
  end)

  it("keeps an expression for each instance", function()
    local lang = language { name = "x", blocks = { rule = { for_each = true, labels = { "n" }, attributes = {
      when = { type = "expression", types = { n = "number" } } } } } }
    local rules = hcl.assert(lang:decode('rule "r" {\n  for_each = { a = 1, b = 2 }\n  when = n + each.value\n}\n')).rule
    assert.same({ 11, 12 }, { rules[1].when:eval { n = 10 }, rules[2].when:eval { n = 10 } })
  end)

  it("says what is wrong", function()
    local function block(text, ...) return lines('upstream "a" {', "  for_each = " .. text, '  host = "h"', "}", ...) end
    assert.equal("module.for_each 2:14", (complaints(block "[1]")))
    assert.equal("module.for_each 2:14", (complaints(block "null")))
    assert.equal("module.for_each 2:14", (complaints(block 'sensitive({ a = 1 })')))
    assert.equal("module.key 6:8", (complaints(block('{ x = 1 }', 'route "/" {', '  to = upstream.a["y"]', "}"))))
    assert.equal("module.key 6:8", (complaints(block('{ x = 1 }', 'route "/" {', "  to = upstream.a", "}"))))
    assert.equal("module.key 6:7", (complaints(block('{ x = 1 }', "locals {", "  a = upstream.a.host", "}"))))
    assert.equal("module.context 2:10", (complaints(lines('upstream "a" {', "  host = each.key", "}"))))
    local function says(words, text, ...)
      local _, err = complaints(block(text, ...))
      assert.matches(words, (err:gsub("%s+", " ")), 1, true)
    end
    says("is a tuple. Use toset() for a set of it.", "[1]")
    says("is a number.", "3")
    says("has a number in it.", "toset([1])")
    says('upstream.a has no instance "z". Its keys: "x", "y".', "{ x = 1, y = 2 }", "locals {", '  p = upstream.a["z"].port', "}")
    says('upstream.a has no instance "z". Its keys: "x", "y".', "{ x = 1, y = 2 }", 'route "/" {', '  to = upstream.a["z"]', "}")
    says('upstream.a has no instance "0". Its keys: "x".', "{ x = 1 }", "locals {", "  p = upstream.a[0].port", "}")
    says('upstream.a has no instance "z". Its for_each has no elements.', "{}", "locals {", '  p = upstream.a["z"].port', "}")
    says("upstream.b has no for_each, so it is one block. Leave out the key.", "{ x = 1 }", 'upstream "b" {', '  host = "h"', "}",
      "locals {", '  p = upstream.b["z"].port', "}")
    assert.equal("module.key 6:7", (complaints(block("{ x = 1 }", "locals {", '  a = upstream.a["y"].host', "}"))))
    assert.equal("u", decode(block("{ x = 1 }", 'upstream "b" {', '  host = try(upstream.a["y"].host, "u")', "}")).upstream[2].host)
    local _, err = complaints(block('{ for n in range(1000) : n => n }'), { limits = { steps = 10000 } })
    assert.truthy(err:find("1000 instances", 1, true), err)
  end)
end)

describe("mistakes", function()
  local mail = 'upstream "mail" {\n  host = "h"\n}\n' -- three lines

  it("have their place", function()
    for _, row in ipairs {
      { "module.duplicate 4:1", 'upstream "mail" {\n  host = "h"\n}\n' },
      { "module.undeclared 5:8", 'route "/" {\n  to = upstream.mial\n}\n' },
      { "reference.unknown 5:8", 'route "/" {\n  to = upstreem.mail\n}\n' },
      { "reference.form 5:8", 'route "/" {\n  to = true ? upstream.mail : null\n}\n' },
      { "reference.form 5:8", 'route "/" {\n  to = "upstream.mail"\n}\n' },
      { "reference.form 5:8", 'route "/" {\n  to = [upstream.mail]\n}\n' },
      { "reference.form 5:8", 'route "/" {\n  to = upstream.mail.host\n}\n' },
      { "reference.form 5:8", 'route "/" {\n  to = upstream\n}\n' },
      { "reference.form 5:8", 'route "/" {\n  to = settings\n}\n' },
      { "reference.form 5:8", 'route "/" {\n  to = upstream.mail["a"]\n}\n' },
      { "reference.form 6:29", 'route "/" {\n  to      = upstream.mail\n  mirrors = [upstream.mail, f(1)]\n}\n' },
      { "body.missing 5:8", 'route "/" {\n  to = null\n}\n' },
      { "body.missing 4:11", 'route "/" {\n}\n' },
      { "module.attribute 5:7", "locals {\n  a = upstream.mail.prot\n}\n" },
      { "reference.form 5:7", "locals {\n  a = upstream.mail.backup.host\n}\n" },
      { "module.undeclared 5:7", "locals {\n  a = local.b\n}\n" },
      { "reference.unknown 5:7", "locals {\n  a = self\n}\n" },
      { "module.cycle 5:7", "locals {\n  a = local.b\n  b = local.a\n}\n" },
      { "module.cycle 6:10", 'upstream "a" {\n  host = "h"\n  port = upstream["a"].port\n}\n' },
      { "body.type 6:10", 'upstream "a" {\n  host = "h"\n  port = "x"\n}\n' },
      { "body.type 6:10", 'upstream "a" {\n  host = "h"\n  port = [upstream.mail.port]\n}\n' },
      { "schema.value 6:10", 'upstream "a" {\n  host = "h"\n  port = upstream.mail.port - 80\n}\n' },
      { "language.written 6:3", 'upstream "a" {\n  host = "h"\n  url  = "x"\n}\n' },
      { "language.rule 4:1", 'upstream "a" {\n  host = "h"\n  port = 9000\n}\n' },
      { "body.argument 6:3", 'upstream "a" {\n  host = "h"\n  prot = 1\n}\n' },
      { "body.argument 5:3", "settings {\n  for_each = {}\n}\n" },
      { "module.name 4:10", 'variable "a b" {\n  default = 1\n}\n' },
      { "body.block 4:1", "upstreams {\n}\n" },
      { "body.label 4:10", "upstream {\n  host = \"h\"\n}\n" },
      { "body.count 8:3", 'upstream "a" {\n  host = "h"\n  limits {\n  }\n  limits {\n  }\n}\n', at = "body.count 8:3" },
      { "module.duplicate 7:7", "locals {\n  a = 1\n}\nlocals {\n  a = 2\n}\n", at = "module.duplicate 8:3" },
      { "reference.unknown 6:10", 'route "/" {\n  to   = upstream.mail\n  when = nope\n}\n' },
      { "call.unknown 5:7", "locals {\n  a = nope(1)\n}\n" },
      { "operator.operand 5:11", 'locals {\n  a = 1 + ("x" == "y")\n}\n' },
    } do
      local found, err = complaints(mail .. row[2])
      assert.equal(row.at or row[1], found, row[2] .. err)
    end
  end)

  it("say what to write instead", function()
    local function says(words, text)
      local _, err = complaints(mail .. text)
      assert.truthy((err:gsub("%s+", " ")):find(words, 1, true), err)
    end
    says('Did you mean "upstream.mail"?', 'route "/" {\n  to = upstream.mial\n}\n')
    local such_as = " Write the address of a block, such as upstream.NAME."
    local route = 'route "/" {\n  when = true\n  to   = '
    says("when is an expression that the program evaluates, so it has no value here." .. such_as, route .. "self.when\n}\n")
    says("self.path is a value of the block route, not the address of a block." .. such_as, route .. "self.path\n}\n")
    says("self has the values of the block route, and isn't the address of a block." .. such_as, route .. "self\n}\n")
    says("to is a reference, and nothing is read through one. Write the address of the block in its place.", route .. "self.to\n}\n")
    says('route has no argument "x".' .. such_as, route .. "self.x\n}\n")
    says("region is a value of the program, not the address of a block." .. such_as, route .. "region\n}\n")
    says("each.key is a value of for_each, not the address of a block." .. such_as,
      'upstream "b" {\n  for_each = { x = 1 }\n  host     = "h"\n  backup   = each.key\n}\n')
    local function to(text) return 'route "/" {\n  to = ' .. text .. "\n}\n" end
    says("to is a reference. Write the address of a block, such as upstream.NAME. A condition,", to "true ? upstream.mail : null")
    for _, text in ipairs { '"upstream.mail"', '"mail"', '"${upstream.mail}"' } do says("Write upstream.mail without quotes.", to(text)) end
    says("Write upstream.mail without brackets.", to "[upstream.mail]")
    says("Write upstream.mail without quotes.", 'route "/" {\n  to      = upstream.mail\n  mirrors = ["mail"]\n}\n')
    says("the kind upstream is expected. Write the address of a block, such as upstream.NAME.", to "settings")
    says('Nothing is named "mail" here. Did you mean "upstream.mail"?', to "mail")
    says('Nothing is named "host" here. Did you mean "self.host"?', 'upstream "a" {\n  host  = "h"\n  token = host\n}\n')
    says('Nothing is named "nil" here. For "nil" write null.', 'upstream "a" {\n  host = nil\n}\n')
    says('Nothing is named "n" here. Did you mean "local.n"?', "locals {\n  n = 1\n  m = n\n}\n")
    says("upstream.b refers to itself. Leave out the reference.", 'upstream "b" {\n  host   = "h"\n  backup = upstream.b\n}\n')
    says("A block of the kind route takes no for_each. To make several, write dynamic \"route\"",
      'route "/" {\n  for_each = {}\n  to       = upstream.mail\n}\n')
    says("A block of the kind settings takes no for_each. Write a block for each.", "settings {\n  for_each = {}\n}\n")
    says("A local value isn't a block. Write x = { ... } for an object.", "locals {\n  x {\n  }\n}\n")
    says("The argument \"port\" doesn't fit", 'upstream "b" {\n  host = "h"\n  port = "x"\n}\n')
    says("every is parent.port here, and that fails: every must be at most 190, and is 200.",
      'upstream "b" {\n  host = "h"\n  port = 200\n  check {\n    path = "/"\n  }\n}\n')
    says("Write upstream.mail.host in its place.", 'upstream "b" {\n  backup = upstream.mail\n  host   = self.backup.host\n}\n')
    says('Did you mean "port"?', "locals {\n  a = upstream.mail.prot\n}\n")
    says("local.a → local.b → local.a", "locals {\n  a = local.b\n  b = local.a\n}\n")
    says("An index that isn't constant, or upstream as a whole, needs every block of that kind.",
      'locals {\n  k = "a"\n}\nupstream "a" {\n  host = upstream[local.k].host\n}\n')
    says("a can't have port 9000.", 'upstream "a" {\n  host = "h"\n  port = 9000\n}\n')
    says("upstream.mail is declared already (line 1)", 'upstream "mail" {\n  host = "h"\n}\n')
  end)

  it("suggest no address that only begins alike", function()
    local _, err = complaints('upstream "1" {\n  host = "h"\n}\nroute "/" {\n  to = upstream.2\n}\n')
    assert.matches('Nothing declares upstream["2"].\n', err .. "\n", 1, true)
    _, err = complaints('upstream "a b" {\n  host = "h"\n}\nroute "/" {\n  to = upstream["a-b"]\n}\n')
    assert.matches('Nothing declares upstream.a-b. Did you mean upstream["a b"]?', err, 1, true)
  end)

  it("of a file that lacks an argument are at its begin", function()
    local lang = language { name = "x", attributes = { title = { type = "string", required = true } } }
    assert.equal("body.missing 1:1", (complaints("", { names = {}, functions = {} }, lang)))
    local _, err = lang:load { { path = "a.x", text = "\n" }, { path = "b.x", text = "" } }
    assert.same({ "a.x", 1 }, { err[1].range.filename, err[1].range.start.line })
  end)

  it("of syntax make nothing unknown", function()
    local codes = complaints("upstream \"a\" {\n  host = 'h'\n}\n")
    assert.is_nil(codes:find "unknown", codes)
  end)

  it("are reported once, even if others depend on them", function()
    assert.equal("call.unknown 2:7", (complaints(lines("locals {", "  a = nope()", "  b = local.a", "  c = local.b", "}",
      'upstream "x" {', "  host = local.c", "}", 'upstream "y" {', "  host = upstream.x.host", "}"))))
  end)

  it("show no sensitive values", function()
    for _, text in ipairs { "  port = tonumber(secret(\"x\"))\n", '  port = sensitive(0)\n', "  port = sensitive(9500)\n" } do
      local _, err = complaints('upstream "a" {\n  host = "h"\n' .. text .. "}\n")
      assert.is_nil(err:find("hush", 1, true), err)
      assert.is_nil(err:find("9500", 1, true) and not text:find "9500", err)
    end
    local _, err = gate:decode('upstream "a" {\n  host = "h"\n  port = local.p\n}\nlocals {\n  p = length(secret("x")) + 9992\n}\n', given)
    assert.is_nil(tostring(err):find("9998", 1, true), tostring(err))
  end)

  it("keep sound values", function()
    local text = 'upstream "a" {\n  host = "h"\n}\nupstream "b" {\n  host = nope\n}\nroute "/" {\n  to = upstream.a\n'
    local conf = gate:open({ { text = text } }, given)
    local values, err, rest = conf:values()
    assert.is_nil(values)
    assert.truthy(err[1].code:find "^syntax")
    assert.equal("h:80", rest.upstream[1].url)
    assert.equal("h", conf:get "upstream.a".host)
    assert.is_nil((conf:get "upstream.b"))
    assert.equal(80, conf:eval "upstream.a.port")
  end)

  it("are warnings for deprecated parts", function()
    local conf = gate:open({ { text = 'upstream "a" {\n  host = "h"\n  address = "x"\n}\n' } }, given)
    local fine, warnings = conf:validate()
    assert.is_true(fine)
    assert.equal("module.deprecated", warnings[1].code)
    assert.truthy(conf:values())
  end)

  it("of kept expressions are found before they are evaluated", function()
    assert.equal("reference.attribute 6:17", complaints(mail .. 'route "/" {\n  to = upstream.mail\n  when = request.path\n}\n'))
  end)
end)

describe("what the program gives", function()
  it("must exist, and be known to the language", function()
    local function fails(message, options)
      assert.has_error(function() gate:decode("", options) end, "bad argument #2 to 'decode' (" .. message .. ")")
    end
    fails("option 'names': 'region' is missing", { functions = given.functions })
    fails("option 'functions': 'secret' is missing", { names = given.names })
    fails("option 'functions': secret must be a function, not a number", with { functions = { secret = 1 } })
    fails("option 'functions': the language has no function 'other'", with { functions = { secret = print, other = print } })
    fails("option 'names': the language has no name 'zone'", with { names = { region = "x", zone = 1 } })
    fails("option 'names': region: A string is required, not a tuple.", with { names = { region = { 1 } } })
    fails("option 'names': region has to be known", with { names = { region = hcl.unknown "string" } })
    fails("unknown option 'function'; did you mean 'functions'?", with { ["function"] = {} })
    assert.has_error(function() gate:load(1, given) end, "bad argument #1 to 'load' (a path or an array of files expected, got number)")
  end)

  it("is called once for each call, and may wait", function()
    local calls, text = 0, 'locals {\n  a = secret("x")\n  b = "${local.a}${local.a}"\n}\nupstream "u" {\n  host = local.b\n}\n'
    local options = with { functions = { secret = function(name)
      calls = calls + 1
      return coroutine.yield(name)
    end } }
    local thread = coroutine.create(function() return gate:decode(text, options) end)
    local _, asked = coroutine.resume(thread)
    assert.equal("x", asked)
    local _, conf = coroutine.resume(thread, "pw")
    assert.equal("dead", coroutine.status(thread))
    assert.equal("pwpw", conf.upstream[1].host)
    assert.equal(1, calls)
  end)

  it("may fail, raise an error or return another type", function()
    local text = 'locals {\n  a = secret("x")\n}\nupstream "u" {\n  host = local.a\n}\n'
    local function giving(f) return with { functions = { secret = f } } end
    assert.equal("call.failed 2:7", (complaints(text, giving(function() return nil, "no such secret" end))))
    assert.equal("call.failed 2:7", (complaints(text, giving(function() return {} end))))
    local broken = true
    local conf = gate:open({ { text = text } }, giving(function() if broken then error({ "mine" }) end return "fine" end))
    local fine, err = pcall(conf.values, conf)
    assert.same({ false, { "mine" } }, { fine, err })
    broken = false
    assert.equal("fine", conf:values().upstream[1].host)
  end)

  it("may not be unknown", function()
    local text = 'upstream "u" {\n  host = secret("x")\n}\n'
    assert.equal("language.unknown 2:10", (complaints(text, { functions = { secret = function() return hcl.unknown "string" end } })))
  end)

  it("gives values of variables", function()
    local text = 'variable "n" {\n  type = number\n  validation {\n    condition     = var.n > 0\n    error_message = "no ${var.n}"\n'
      .. '  }\n}\nvariable "d" {\n  default = var.n + 1\n}\nupstream "u" {\n  host = "h${var.d}"\n}\n'
    assert.equal("h6", decode(text, { variables = { n = "5" } }).upstream[1].host)
    assert.equal("h8", decode(text, { environment = { TF_VAR_n = "7" } }).upstream[1].host)
    assert.equal("module.input_missing 1:1", (complaints(text)))
    local codes, err = complaints(text, { variables = { n = "x" } })
    assert.equal("module.input 1:1", codes)
    assert.matches("The value of var.n, given by the option 'variables', doesn't", err, 1, true)
    codes, err = complaints(text, { environment = { TF_VAR_n = "x" } })
    assert.equal("module.input 1:1", codes)
    assert.matches("The value of var.n, given by TF_VAR_n, doesn't", err, 1, true)
    assert.equal("module.cycle 2:13", (complaints('variable "n" {\n  default = var.n\n}\n')))
    codes, err = complaints('variable "n" {\n  type    = number\n  default = "x"\n}\n')
    assert.equal("module.input 3:13", codes)
    assert.matches("The default of var.n doesn't fit its type", err, 1, true)
    assert.equal("module.validation 4:21", (complaints(text, { variables = { n = 0 } })))
  end)

  -- Terraform's answers for variables.
  it("reads the flags of variables", function()
    local function text(default, name, flag)
      return ('variable "v" {\n  default = %s\n  %s = %s\n}\nupstream "u" {\n  host = "h"\n  tags = var.v\n}\n'):format(default, name, flag)
    end
    for flag, holds in pairs { ["true"] = true, ['"true"'] = true, ["!true"] = false, ['"false"'] = false } do
      local tags = hcl.assert(decode(text('["a"]', "sensitive", flag))).upstream[1].tags
      assert.equal(holds and "(sensitive value)" or "a", tostring(holds and tags or tags[1]), flag)
      tags = hcl.assert(decode(text('["a"]', "nullable", flag), { variables = { v = hcl.null } })).upstream[1].tags
      assert.equal(not holds and "a" or nil, tags and tags[1], flag)
    end
    for _, name in ipairs { "sensitive", "nullable" } do
      for flag, code in pairs { ["5"] = "module.constant 3", ["null"] = "module.constant 3", ['"yes"'] = "module.constant 3",
                                ["nope"] = "reference.unknown 3" } do
        assert.equal(code, (complaints(text("1", name, flag)):match "^[^:]*"), name .. " = " .. flag)
      end
    end
  end)

  it("gives no values of variables that files don't declare", function()
    local codes, report = complaints('variable "port" {\n  default = 1\n}\n', { variables = { prt = 2, zone = "a" } })
    assert.equal("module.input_undeclared, module.input_undeclared", codes)
    assert.matches('A value is given for "prt" by the option \'variables\', but no file declares it. Did you mean "port"?', report, 1, true)
    assert.matches('"zone" by the option \'variables\', but no file declares it. Declare it', report, 1, true)
    -- For a broken file the syntax error is enough.
    assert.is_nil((select(2, complaints('variable "port" {\n', { variables = { port = 2 } })):find "no file declares"))
  end)

  it("has limits for a configuration", function()
    local text = { "locals {" }
    for i = 1, 2000 do text[#text + 1] = ("  v%d = [for n in range(100) : n]"):format(i) end
    text[#text + 1] = "}\n"
    local _, err = gate:decode(table.concat(text, "\n"), with { limits = { steps = 10000 } })
    assert.equal("limit.steps", err[1].code)
    assert.equal(1, #err)
  end)

  it("counts the blocks in each instance, and those that references name", function()
    local function block(name, text) return ('upstream "%s" {\n  host = "h"\n%s}\n'):format(name, text) end
    local for_each = "  for_each = toset([for n in range(%d) : tostring(n)])\n"
    local many = block("a", for_each:format(100) .. ('  check {\n    path = "/"\n    every = 1\n  }\n'):rep(50))
    local limits = { memory = 800000 }
    local _, err = gate:decode(many, with { limits = limits })
    assert.equal("limit.steps", err[1].code)
    assert.matches("for_each makes 100 instances of 51 blocks each, which is more than limits allow.", err[1].detail, 1, true)
    local named = { block("a", for_each:format(200)) }
    for i = 1, 300 do named[#named + 1] = ('route "/%d" {\n  to      = upstream.a["1"]\n  mirrors = upstream\n}\n'):format(i) end
    _, err = gate:decode(table.concat(named), with { limits = limits })
    assert.equal("limit.steps", err[1].code)
    assert.matches("mirrors names 200 blocks, and with the other references that is more than limits allow.", err[1].detail, 1, true)
    assert.is_nil((gate:open({ { text = table.concat(named) } }, with { limits = limits }):get "route"))
    assert.equal(200, #hcl.assert(gate:decode(named[1] .. named[2], with { limits = limits })).route[1].mirrors)
  end)

  it("finds an instance without looking at all", function()
    local paired = language { name = "paired", blocks = { one = {
      labels = { "name" }, address = "one.{name}", for_each = true, attributes = { other = { ref = "one" } } } } }
    -- How many instructions of Lua it takes, in thousands.
    local function cost(n)
      local set = ("toset([for n in range(%d) : tostring(n)])"):format(n)
      local text = ('one "a" {\n  for_each = %s\n  other = one.b[each.key]\n}\none "b" {\n  for_each = %s\n}\n'):format(set, set)
      local counted = 0
      debug.sethook(function() counted = counted + 1 end, "", 1000)
      local values = hcl.assert(paired:decode(text)).one
      debug.sethook()
      assert.equal(values[n + 7], values[7].other)
      return counted
    end
    if not jit then assert.is_true(cost(1000) < 6 * cost(250) + 10) end -- hooks don't count compiled code
  end)

  it("reports a value that is larger than the limit of results, also a computed one", function()
    local large = language { name = "large", attributes = {
      a = "list(string)", b = { type = "list(string)", default_from = "local.all" },
      c = { type = "list(string)", check = function(data) return data ~= nil end },
    }, blocks = { locals = language.locals() } }
    local all = 'locals {\n  all = [for n in range(100) : "element ${n}"]\n}\n'
    for name, text in pairs { a = "a = local.all\nb = []\n", b = "", c = "c = local.all\nb = []\n" } do
      local values, err = large:decode(all .. text, { limits = { output = 500 } })
      assert.is_nil(values)
      assert.equal("limit.output", err[1].code)
      assert.matches(("The value of %s takes more than 500 bytes"):format(name), err[1].detail, 1, true)
    end
    assert.equal(100, #hcl.assert(large:decode(all .. "a = local.all\n", { limits = { output = 5000 } })).a)
    local texts = language { name = "texts", attributes = { s = "string" }, blocks = { one = { attributes = { s = "string" } } } }
    local literal, computed = '"' .. ("x"):rep(100) .. '"', '"${join("", [for n in range(50) : "xx"])}"'
    local defaults = language { name = "defaults", attributes = { c = { type = "list(string)", default = { ("x"):rep(100) } } } }
    assert.equal("limit.output", select(2, defaults:decode("", { limits = { output = 90 } }))[1].code)
    for _, source in ipairs { literal, computed } do
      for _, form in ipairs { "s = %s\n", "one {\n  s = %s\n}\n" } do
        local text = form:format(source)
        assert.equal("limit.output", select(2, texts:decode(text, { limits = { output = 90 } }))[1].code, text)
        assert.is_table((texts:decode(text, { limits = { output = 1000 } })))
      end
    end
  end)
end)

describe("a configuration", function()
  it("evaluates only what is requested", function()
    local called = 0
    local conf = gate:open({ { text = example } }, with { functions = { secret = function() called = called + 1 return "x" end } })
    assert.equal("eu.example.org", conf:get "local.base")
    assert.equal(80, conf:get "upstream.users.port")
    assert.equal(0, called)
    assert.equal("mail.eu.example.org", conf:get "upstream.mail".host)
    assert.equal(1, called)
    assert.equal(2, #conf:get "upstream")
    assert.equal("/mail", conf:get "route"[1].path)
    assert.equal("number", tostring(conf:value "upstream.mail.port":type()))
    assert.same({ "mail", "users" }, conf:eval "keys(upstream)")
    assert.truthy(tostring(conf:explain "upstream.mail.port"):find("upstream.users.port", 1, true))
    assert.equal("module.undeclared", select(2, conf:get "upstream.none")[1].code)
    assert.equal("module.undeclared", select(2, conf:eval "upstream.none.port")[1].code)
    assert.is_true(conf:validate())
    assert.equal(1, called)
  end)

  it("finds the block around a place, in each of several files", function()
    local check = '  check {\n    path = "/%s"\n  }\n'
    local function file(path, names)
      local blocks = {}
      for i, name in ipairs(names) do
        blocks[i] = ('upstream "%s" {\n  host = "%s"\n%s%s}\n'):format(name, path .. name, check:format(name .. 1), check:format(name .. 2))
      end
      return { path = path, text = table.concat(blocks, "\n") }
    end
    local one, two = file("one", { "a", "b", "c" }), file("two", { "d", "e" })
    local conf = gate:open({ one, two }, given)
    for _, found in ipairs { one, two } do
      for name in found.text:gmatch 'upstream "(%l)"' do
        local function at(source, from)
          local byte = found.text:find(from, 1, true)
          return conf:eval(source, { filename = found.path, byte = byte })
        end
        assert.equal(found.path .. name, at("self.host", '"' .. name .. '"'))
        for n = 1, 2 do
          assert.equal("/" .. name .. n .. found.path, at('"${self.path}${substr(parent.host, 0, 3)}"', name .. n))
        end
      end
      for _, byte in ipairs { found.text:find("\n\n", 1, true), #found.text } do
        assert.equal("reference.unknown", select(2, conf:eval("self.host", { filename = found.path, byte = byte }))[1].code)
      end
    end
    assert.equal("reference.unknown", select(2, conf:eval("self.host", { filename = "three", byte = 20 }))[1].code)
    local replacing = language { name = "s", blocks = {
      step = { labels = { "n" }, address = "step.{n}", duplicates = "last", attributes = { run = "string" } },
    } }
    conf = replacing:open { { path = "x", text = 'step "a" {\n  run = "a"\n}\n' }, { path = "y", text = 'step "a" {\n  run = "b"\n}\n' } }
    assert.equal("b", conf:eval("self.run", { filename = "y", byte = 3 }))
    assert.equal("reference.unknown", select(2, conf:eval("self.run", { filename = "x", byte = 3 }))[1].code)
  end)

  it("gives what expressions don't read: references, kept expressions, arguments of the file", function()
    local lang = language { name = "x", attributes = { title = "string", first = { ref = "a" }, rule = { type = "expression" } }, blocks = {
      a = { labels = { "n" }, address = "a.{n}", for_each = true,
            attributes = { to = { ref = "a" }, all = { refs = "a" }, when = { type = "expression" }, x = "number" } },
    } }
    local text = lines('title = "t${a.x.x}"', "first = a.x", "rule  = a.x.x + 1", 'a "x" {', "  x = 1", "}", 'a "y" {',
      "  for_each = { k = 2 }", "  to   = a.x", "  all  = [a.x, a.x]", "  when = each.value", "}", 'a "z" {', "  to = a.nope", "}",
      'a "w" {', "  when = nope", "}")
    local conf = lang:open { { text = text } }
    assert.equal("t1", conf:get "title")
    assert.equal(1, conf:get "first".x)
    assert.equal(2, conf:get "rule":eval())
    assert.equal(conf:get "a.x", conf:get 'a.y["k"].to')
    assert.equal(2, #conf:get 'a.y["k"].all')
    assert.is_nil((conf:get "a.x.to"))
    assert.is_nil(select(2, conf:get "a.x.to"))
    assert.same({ 3, 2 }, { conf:get "1 + 2", conf:get "a.x.x + 1" })
    assert.equal("t1", lang:open({ { text = 'title = "t1"\n' } }):get "title")
    local bare = language { name = "x", blocks = { one = { nesting = "single", attributes = { x = "number" } },
                                                   by = { nesting = "map", labels = { "n" }, attributes = { x = "number" } } } }
    local conf_of_bare = bare:open { { text = 'one {\n  x = 1\n}\nby "a" {\n  x = 2\n}\n' } }
    assert.same({ 1, 2 }, { conf_of_bare:get "one".x, conf_of_bare:get "by".a.x })
    for source, code in pairs { ["a.z.to"] = "module.undeclared", ["a.w.when"] = "reference.unknown", ['a.y["l"].to'] = "module.key",
                                ['a.y["l"]'] = "module.key", ['a.y["l"].x'] = "module.key", titel = "reference.unknown" } do
      local value, err = lang:open({ { text = text } }):get(source)
      assert.is_nil(value)
      assert.equal(code, err[1].code, source)
    end
    local _, err = lang:open({ { text = 'a "y" {\n  for_each = { k = 2 }\n}\n' } }):eval 'a.y["l"].x'
    assert.matches('a.y has no instance "l". Its keys: "k".', tostring(err), 1, true)
    _, err = lang:decode 'title = "t"\na "x" {\n  x = title\n}\n'
    assert.matches('Did you mean "parent.title"?', tostring(err), 1, true)
  end)

  it("explains the very instance, nested blocks and defaults", function()
    local conf = gate:open({ { text = lines('upstream "p" {', '  for_each = { a = 1, b = 2 }', '  host     = "h${each.value}"',
      "  check {", '    path = "/${each.key}"', "  }",
      "  check {", '    path  = "/${self.every}"', "    every = each.value * 10", "  }", "}") } }, given)
    local function shows(source, value, ...)
      local text = tostring(conf:explain(source))
      assert.equal(value, text:match "^[^\n]*", source)
      for _, part in ipairs { ... } do assert.matches(part, text, 1, true) end
    end
    shows('upstream.p["b"].host', '"h2"', "each.value  2")
    shows('upstream.p["a"].host', '"h1"', "each.value  1")
    shows('upstream.p["b"].check[0].path', '"/b"', 'each.key  "b"')
    shows('upstream.p["b"].check[1].path', '"/20"', "self.every  20")
    shows('upstream.p["a"].check[1].every', "10", "each.value  1")
    shows('upstream.p["a"].check[0].every', "80", "parent.port")
    shows('upstream.p["a"].port', "80", "self.tls  false, so the second branch")
    shows('upstream.p["a"].url', '"h1:80"', "self.host", "self.port")
    shows('upstream.p["a"].limits', "null")
    conf = gate:open({ { text = 'upstream "p" {\n  for_each = {}\n  host     = "h"\n}\n' } }, given)
    shows("upstream.p", "{}")
  end)

  it("lists addresses, and blocks in order", function()
    local conf = gate:open({ { text = example } }, given)
    local listed = {}
    for i, row in ipairs(conf:addresses()) do listed[i] = row.address .. " " .. row.kind end
    assert.same({ "local.base locals", "settings settings", "upstream.mail upstream", "upstream.users upstream" }, listed)
    local names = {}
    for i, block in ipairs(conf:order "upstream") do names[i] = block.name end
    assert.same({ "users", "mail" }, names)
    assert.has_error(function() conf:order "upstreem" end, "bad argument #1 to 'order' (the language has no kind of blocks 'upstreem')")
  end)

  it("consists of the files that belong together", function()
    local dir = os.tmpname()
    os.remove(dir)
    os.execute('mkdir "' .. dir .. '"')
    local function write(name, text)
      local file = assert(io.open(dir .. "/" .. name, "w"))
      file:write(text)
      file:close()
    end
    write("a.gate.hcl", 'upstream "a" {\n  host = local.h\n}\n')
    write("b.gate.hcl", 'locals {\n  h = "x"\n}\n')
    write("other.hcl", "nonsense {\n")
    assert.equal("x", hcl.assert(gate:load(dir .. "/a.gate.hcl", given)).upstream[1].host)
    assert.equal("x", hcl.assert(gate:load(dir, given)).upstream[1].host)
    assert.is_nil((gate:load({ dir .. "/a.gate.hcl" }, given)))
    assert.equal("load.failed", select(2, gate:load(dir .. "/none.gate.hcl", given))[1].code)
    os.execute('rm -r "' .. dir .. '"')
  end)
end)

describe("references", function()
  it("may be none, which is not the same as null", function()
    local lang = language { name = "x", blocks = { a = { labels = { "n" }, address = "a.{n}", attributes = {
      some = { refs = "a" }, must = { refs = "a", required = true },
    } } } }
    local values = hcl.assert(lang:decode 'a "x" {\n  some = null\n  must = []\n}\na "y" {\n  some = []\n  must = []\n}\n')
    assert.is_nil(values.a[1].some)
    assert.same({ {}, {} }, { values.a[1].must, values.a[2].some })
    assert.equal("body.missing 2:10", (complaints('a "x" {\n  must = null\n}\n', { names = {}, functions = {} }, lang)))
  end)

  it("are to blocks that are there at most once and have a label, too", function()
    local lang = language { name = "x", attributes = { to = { ref = "a" } },
                            blocks = { a = { labels = { "n" }, address = "a.{n}", nesting = "single" } } }
    assert.equal("x", hcl.assert(lang:decode 'to = a.x\na "x" {\n}\n').to.n)
    assert.is_nil(hcl.assert(lang:decode "").a)
  end)
end)

describe("blocks that refer to each other", function()
  local steps = language { name = "steps", blocks = { step = {
    labels = { "name" }, address = "step.{name}", duplicates = "last",
    attributes = { needs = { refs = "step" }, friends = { refs = "step", cycles = true }, run = "string" },
  } } }

  it("come in order", function()
    local conf = steps:open { { text = 'step "c" {\n  needs = [step.b, step.a]\n}\nstep "b" {\n  needs = [step.a]\n}\nstep "a" {\n}\n' } }
    local names = {}
    for i, step in ipairs(conf:order "step") do names[i] = step.name end
    assert.same({ "a", "b", "c" }, names)
  end)

  it("may do so in blocks that a dynamic block generates", function()
    local lang = language { name = "x", blocks = { step = { labels = { "name" }, address = "step.{name}", blocks = {
      wait = { attributes = { on = { ref = "step" }, ready = { type = "expression" } } },
    } } } }
    local text = lines('step "b" {', '  dynamic "wait" {', "    for_each = [1, 2]", "    content {", "      on    = step.a",
      "      ready = %s", "    }", "  }", "}", 'step "a" {', "}")
    local conf = lang:open { { text = text:format "1 + 1" } }
    local names = {}
    for i, step in ipairs(hcl.assert(conf:order "step")) do names[i] = step.name end
    assert.same({ "a", "b" }, names)
    local waits = hcl.assert(lang:open({ { text = text:format "1 + 1" } }):get "step.b").wait
    assert.same({ "a", "a", 2, 2 }, { waits[1].on.name, waits[2].on.name, waits[1].ready:eval(), waits[2].ready:eval() })
    local nothing = { names = {}, functions = {} }
    assert.equal("reference.unknown 6:15", (complaints(text:format "nope", nothing, lang)))
    assert.equal("module.cycle 12:10", (complaints(text:format "1":gsub('"a" {', '"a" {\n  wait {\n    on = step.b\n  }'), nothing, lang)))
  end)

  it("may refer in a cycle if allowed", function()
    local values = hcl.assert(steps:decode 'step "a" {\n  friends = [step.b]\n}\nstep "b" {\n  friends = [step.a, step.b]\n}\n')
    assert.equal(values.step[1], values.step[1].friends[1].friends[1])
    local nothing, two = { names = {}, functions = {} }, 'step "a" {\n  needs = [step.b]\n}\nstep "b" {\n  needs = [step.a]\n}\n'
    assert.equal("module.cycle 2:11", (complaints(two, nothing, steps)))
    assert.equal("module.cycle 2:11", (complaints('step "a" {\n  needs = [step.a]\n}\n', nothing, steps)))
  end)

  it("exist once, the last of them", function()
    local values = hcl.assert(steps:load { { text = 'step "a" {\n  run = "x"\n}\nstep "b" {\n  needs = [step.a]\n}\n' },
      { text = 'step "a" {\n  run = "y"\n}\n' } })
    assert.equal(2, #values.step)
    assert.equal("y", values.step[1].needs[1].run)
  end)
end)

describe("many blocks", function()
  it("may be a chain of any order", function()
    local n = 20000
    for _, order in ipairs({ "up", "down", "mixed" }) do
      local list = {}
      for i = 1, n do
        local at = order == "up" and i or order == "down" and n + 1 - i or (i * 7919) % n + 1
        list[at] = i == 1 and "v1 = 1" or ("v%d = local.v%d + 1"):format(i, i - 1)
      end
      local conf = gate:open({ { text = "locals {\n" .. table.concat(list, "\n") .. "\n}\n" } }, given)
      assert.equal(n, conf:get("local.v" .. n))
    end
  end)

  it("may depend on themselves in one long cycle", function()
    local list = {}
    for i = 1, 3000 do list[i] = ("v%d = local.v%d"):format(i, i % 3000 + 1) end
    assert.equal("module.cycle 2:6", (complaints("locals {\n" .. table.concat(list, "\n") .. "\n}\n")))
  end)
end)
