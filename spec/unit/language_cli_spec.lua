-- The option -language: hclexpr check, json, eval and docs with the description of a language.
local json = require "hclexpr.lsp.json"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local command = dofile(support.root .. "spec/command.lua")

local DESCRIPTION = [[
local language = require "hclexpr.language"
return language {
  name = "gate", description = "Upstreams and routes.", files = { "*.gate.hcl" }, unit = "folder",
  functions = { secret = { params = { { name = "name", type = "string", description = "Which one." } }, returns = "string" } },
  blocks = {
    locals = language.locals(), variable = language.variables(),
    upstream = { description = "Where requests go.", labels = { "name" }, address = "upstream.{name}", attributes = {
      host = { type = "string", required = true }, port = { type = "number", default_from = "self.host == \"\" ? 0 : 80" },
      token = "string", old = { type = "string", deprecated = "write host" }, url = { type = "string", value_from = "self.host" },
    }, validation = { { condition = "self.port != 25", error_message = "No mail here." } } },
    pool = { labels = { "name" }, address = "pool.{name}", for_each = true, duplicates = "last", attributes = {
      a = { type = "number", required = true }, total = { type = "number", required = true } } },
    route = { labels = { "path" }, min = 1, attributes = {
      to = { ref = "upstream", required = true }, others = { refs = "upstream" },
      when = { type = "expression", returns = "bool", types = { request = "object({ path = string })" } },
    } },
  },
}
]]
local EDGE = [[
locals {
  base = "example.org"
}
upstream "mail" {
  host = "mail.${local.base}"
}
route "/mail" {
  to     = upstream.mail
  others = [upstream.mail]
  when   = request.path == "/"
}
]]

describe("The option -language", function()
  local description, edge

  setup(function()
    command.begin()
    description = command.file("gate.lua", DESCRIPTION)
    edge = command.file("conf/edge.gate.hcl", EDGE)
  end)
  teardown(command.finish)

  it("checks a description, and files by it", function()
    command.prints("", { "check", "-language", description })
    command.prints("", { "check", "-language", description, edge })
    command.prints("", { "check", "-language", description, command.folder .. "/conf" })
    command.fails(1, { "check", "-language", description, "-", input = "" }, { input = 'route "x" {}\n' }, 'argument "to" is required')
    local text = 'upstream "a" {\n  host = upstream.b.%s\n  port = 25\n}\nroute "/" {\n  to = upstream.a\n}\n'
    local bad = command.file("bad/a.gate.hcl", text:format "hots")
    command.file("bad/b.gate.hcl", 'upstream "b" {\n  host = secret("x")\n}\n')
    command.fails(1, { "check", "-language", description, bad }, 'Did you mean "host"?')
    command.file("bad/a.gate.hcl", text:format "host")
    command.fails(1, { "check", "-language", description, bad }, "No mail here.")
    local status, out = command.run { "check", "-json", "-language", description, bad }
    assert.equal(1, status)
    assert.equal(1, json.decode(out).error_count)
  end)

  it("finds files in folders, or says what it looks for", function()
    command.file("empty/a.txt", "")
    local folder = command.folder .. "/empty"
    for _, verb in ipairs { "check", "json" } do
      command.fails(1, { verb, "-language", description, folder }, folder .. ": no file in it is named *.gate.hcl")
    end
    for _, unit in ipairs { "file", "folder" } do
      local text = DESCRIPTION:gsub('files = { "%*.gate.hcl" }', "files = {}"):gsub('"folder"', '"' .. unit .. '"')
      local nameless = command.file(unit .. ".lua", text)
      command.fails(1, { "check", "-language", nameless, folder }, "the description names no files")
    end
  end)

  it("reads only regular files of a folder", function()
    for unit, text in pairs { folder = DESCRIPTION, file = (DESCRIPTION:gsub('unit = "folder",', "")) } do
      local described = command.file(unit .. ".lua", text)
      local folder = ("%s/pipes-%s"):format(command.folder, unit)
      assert.is_true(support.runs(("mkdir '%s' && mkfifo '%s/x.gate.hcl'"):format(folder, folder)))
      command.fails(1, { "check", "-language", described, folder }, "x.gate.hcl: it is not a regular file")
    end
  end)

  it("reads each file of a folder alone, if the unit is the file", function()
    local alone = command.file("alone.lua", (DESCRIPTION:gsub('unit = "folder"', 'unit = "file"')))
    command.file("apart/a.gate.hcl", EDGE)
    command.file("apart/b.gate.hcl", EDGE)
    command.prints("", { "check", "-language", alone, command.folder .. "/apart" })
    command.fails(1, { "check", "-language", description, command.folder .. "/apart" }, '"mail"')
  end)

  it("reports errors in a description, by their path", function()
    local wrong = command.file("wrong.lua", (DESCRIPTION:gsub('ref = "upstream"', 'ref = "upstraem"')))
    command.fails(1, { "check", "-language", wrong }, "language.blocks.route.attributes.to.ref", "did you mean 'upstream'?")
    command.fails(1, { "check", "-language", command.file("no.lua", "return {}") }, "it describes no language")
    command.fails(1, { "check", "-language", command.file("torn.lua", "return {") }, "torn.lua:")
    command.fails(1, { "check", "-language", command.folder .. "/none.lua" }, "none.lua")
    command.fails(2, { "check", "-recursive", "-language", description, "." }, "-recursive")
  end)

  it("prints values as JSON, references as addresses", function()
    local status, out, err = command.run { "json", "-language", description, edge }
    assert.equal("", err)
    assert.equal(0, status)
    assert.same({
      pool = {}, route = { { path = "/mail", to = "upstream.mail", others = { "upstream.mail" }, when = '${request.path == "/"}' } },
      upstream = { { name = "mail", host = "mail.example.org", port = 80, url = "mail.example.org" } },
    }, json.decode(out))
    command.fails(2, { "json", "-language", description, "--evaluate", edge }, "-language and --evaluate exclude each other")
  end)

  it("leaves out values that only the program knows, and shows that by the status", function()
    local file = command.file("open/a.gate.hcl", EDGE .. 'upstream "b" {\n  host = "b"\n  token = secret("b")\n}\n')
    local status, out, err = command.run { "json", "-language", description, file }
    assert.equal(3, status)
    assert.is_nil(json.decode(out).upstream[2].token)
    assert.matches("only the program knows these values, so they are left out: upstream.b.token\n", err, 1, true)
    command.prints("(unknown)\n", { "eval", "-language", description, file, "upstream.b.token" })
  end)

  it("takes values of variables", function()
    local file = command.file("var/a.gate.hcl", 'variable "z" {\n  type = string\n}\n' .. (EDGE:gsub('"example.org"', "var.z")))
    command.prints('"mail.net"\n', { "eval", "--var", "z=net", "-language", description, file, "upstream.mail.host" })
    local _, out = command.run({ "eval", "-language", description, file, "upstream.mail.host" }, { env = "TF_VAR_z=net" })
    assert.is_nil(out:find("net", 1, true))
  end)

  it("evaluates and explains in files", function()
    command.prints("81\n", { "eval", "-language", description, edge, "upstream.mail.port + 1" })
    command.prints('"mail.example.org"\n', { "eval", "-json", "-language", description, command.folder .. "/conf", "upstream.mail.host" })
    local status, out = command.run { "eval", "--explain", "-language", description, edge, "upstream.mail.host" }
    assert.equal(0, status)
    assert.truthy(out:find('local.base  "example.org"', 1, true), out)
    command.fails(2, { "eval", "-language", description, "1 + 1" }, "a PATH and an EXPRESSION")
    command.fails(1, { "eval", "-language", description, edge, "upstream.mial" }, 'Did you mean "upstream.mail"?')
    local _, _, err = command.run { "eval", "-language", description, edge, "nope.x" }
    assert.matches('Nothing is named "nope" here.\n$', err)
  end)

  it("prints the documentation", function()
    local status, out = command.run { "docs", "-language", description }
    assert.equal(0, status)
    for _, line in ipairs {
      "# gate", "Upstreams and routes.", "Files: `*.gate.hcl`. The files of a folder belong together.", "## route",
      "There must be at least 1 block.", 'route "path" {\n  to = upstream.name\n}', "- `to`: a reference to `upstream`, required",
      "- `others`: references to `upstream`",
      "there is an instance for each element, with the address `pool.{name}[\"KEY\"]`.", 'pool "name" {\n  a     = 0\n  total = 0\n}',
      "Of several with the same address the last one counts.",
      "- `when`: expression of `bool`. It sees `request`: `object({ path = string })`.", "## upstream", "Its address is `upstream.{name}`.",
      '- `port`: `number`, default `self.host == "" ? 0 : 80`', "- `old`: `string`. Deprecated: write host",
      "- `url`: `string`, always `self.host`, never written", "Rules:\n\n- `self.port != 25`: No mail here.",
      "## variable", "## Functions", "### secret", "`secret(name: string): string`", "- `name`: Which one.",
    } do
      assert.truthy(out:find(line, 1, true), line .. " in " .. out)
    end
    command.fails(2, { "docs", "-language", description, "-schema", description }, "exclude each other")
  end)
end)
