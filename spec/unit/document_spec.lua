-- Documents of schemas: Markdown.
local document = require "hclexpr.languages.document"
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local command = dofile(support.root .. "spec/command.lua")

local retry = { attributes = { times = { type = "number", min = 1, max = 9, default = 3 } } }
local SCHEMA = {
  attributes = {
    zone = { type = "string", default = "eu", one_of = { "eu", "us" } },
    debug = { type = "bool", default = false },
    name = { type = "string", required = true, pattern = "^[a-z]+$", description = "Its name.\n\nIn two parts." },
    tags = { type = "map(string)" },
  },
  blocks = {
    retry = { nesting = "single", schema = retry },
    route = {
      labels = { "path" }, min = 1, schema = {
        attributes = {
          to = { type = "list(string)", required = true }, at = { type = "object({ host = string })", required = true },
          when = { type = "expression", returns = "bool", required = true },
        },
        blocks = { retry = { nesting = "single", schema = retry }, empty = { min = 2, max = 2 } },
      },
    },
  },
}

-- The places of texts, one after the other.
local function assert_order(text, ...)
  local at = 0
  for _, word in ipairs { ... } do
    local found = text:find(word, at + 1, true)
    assert.truthy(found, word .. " after byte " .. at .. " of\n" .. text)
    at = found
  end
end

describe("A document of a schema", function()
  local text = document.of_schema(SCHEMA, "app")

  it("lists required arguments first, then all in alphabetical order", function()
    assert_order(text, "# app", "Arguments:", "`name`", "`debug`", "`tags`", "`zone`", "## route", "`at`", "`to`", "`when`",
      "### route > empty", "### route > retry", "`times`", "## retry")
  end)

  it("has types, defaults, rules and descriptions", function()
    assert.truthy(text:find("- `name`: `string`, required, matches `^[a-z]+$`. Its name.\n\n  In two parts.\n", 1, true))
    assert.truthy(text:find("- `debug`: `bool`, default `false`\n", 1, true))
    assert.truthy(text:find('- `zone`: `string`, default `"eu"`, one of `"eu"` or `"us"`\n', 1, true))
    assert.truthy(text:find("- `times`: `number`, default `3`, at least 1, at most 9", 1, true))
    assert.truthy(text:find("- `when`: expression of `bool`, required", 1, true))
  end)

  it("says what expressions see", function()
    local function of(types) return document.of_schema({ attributes = { n = { type = "number" } }, types = types }) end
    assert.truthy(of({ b = "string", a = "list(number)" }):find("\n\nExpressions see `a`: `list(number)`; `b`: `string`.\n\n", 1, true))
    assert.is_nil(of({}):find("Expressions see", 1, true))
  end)

  it("shows no secret", function()
    local shown = document.of_schema({ attributes = { a = { type = "string", default = hcl.sensitive "hush" } } }, "app")
    assert.truthy(shown:find("- `a`: `string`, default a secret", 1, true))
  end)

  it("says how often blocks may occur, and nothing twice", function()
    assert_order(text, "## route", "at least 1 block.", "### route > empty", "must be 2 blocks.", "### route > retry", "at most 1 block.")
    assert_order(text, "## retry", "It holds what `route > retry` does.")
    assert.equal(1, select(2, text:gsub("`times`", "")))
  end)

  it("has examples that match the schema", function()
    local source = text:match '```hcl\n(route "path" {.-)\n```'
    local body = hcl.assert(hcl.parse(source))
    hcl.assert(body:decode { blocks = { route = SCHEMA.blocks.route } })
  end)

  it("stops if a schema contains itself", function()
    local tree = { attributes = { n = { type = "number", required = true } }, blocks = {} }
    tree.blocks.node = { min = 1, labels = { "name" }, schema = tree }
    local page = document.of_schema(tree, "tree")
    assert_order(page, "# tree", "## node", 'node "name" {\n  n = 0\n}', "### node > node", "It holds what `node` does.")
  end)

  it("escapes Markdown's special characters", function()
    local page = document.of_schema({ attributes = { a = { type = "string", pattern = "`|```" } } }, "x")
    assert.truthy(page:find("matches ````` `|``` `````", 1, true) or page:find("matches ```` `|``` ````", 1, true), page)
  end)
end)

describe("hclexpr docs", function()
  setup(command.begin)
  teardown(command.finish)

  it("prints the document of a schema", function()
    local file = command.file("app.lua", 'return { attributes = { port = { type = "number", required = true } } }')
    command.prints("# app\n\nArguments:\n\n- `port`: `number`, required\n", { "docs", "-schema", file })
    command.prints("# The app\n\nArguments:\n\n- `port`: `number`, required\n", { "docs", "-schema", file, "-title", "The app" })
  end)

  it("rejects a file without a schema", function()
    command.fails(2, { "docs" }, "-schema FILE")
    command.fails(1, { "docs", "-schema", command.file("bad.lua", "return { attributs = {} }") }, "did you mean 'attributes'?")
    command.fails(1, { "docs", "-schema", command.file("none.lua", "local x = 1") }, "it returns no table")
  end)
end)
