-- hcl.to_json and hcl.from_json. The meaning of an expression's JSON is compared with the reference's answers for the expression itself.
local cjson = require "cjson"
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local runner = dofile(support.root .. "spec/conformance/runner.lua")
local lines = support.text

local function json(source, options)
  options = options or {}
  if options.indent == nil then options.indent = false end
  return hcl.assert(hcl.to_json(source, options))
end

local function native(source, options) return hcl.assert(hcl.from_json(source, options)) end

-- Names in one object that are equal after evaluation, which JSON can't express.
local function has_equal_names(source)
  return source:find "{%s*1[%.-]0 =.* 1 =" or source:find "%(foo%) =.* bar =" or source:find '%(lower%("A"%)%)'
    or source:find "{é = .*e\204\129 ="
end

describe("hcl.to_json", function()
  it("has the form of hcl2json", function()
    assert.equal('{"variable":{"region":[{"type":"${string}"}]},"resource":{"shop_host":{"h":[{"name":"web-${var.region}",'
      .. '"tags":"${merge(local.tags, { a = 1 })}"}]}}}', json(lines('variable "region" {', "  type = string", "}", "",
      'resource "shop_host" "h" {', '  name = "web-${var.region}"', "  tags = merge(local.tags, { a = 1 })", "}")))
  end)

  it("has the meaning that the reference gives the source", function()
    local asked, n = 0, 0
    for _, name in ipairs {
      "literals", "operators", "conditionals", "templates", "for_splat_index", "calls", "language_corners", "unknown_marks",
    } do
      local cases = {}
      for line in io.lines(runner.case_file(name)) do
        n = n + 1
        local case = support.takes(n) and cjson.decode(line) or { mode = "left to another Lua" }
        local plain = (case.mode or "expr") == "expr" and case.want and not case.want.errors and not has_equal_names(case.src)
        local text = plain and hcl.to_json("x = " .. case.src .. "\n", { indent = false })
        if text then
          case.mode, case.written, case.src = "jsonexpr", case.src, text:match '^{"x":(.*)}$'
          cases[#cases + 1] = case
        end
      end
      for _, case in ipairs(cases) do
        local result, why = runner.run(case)
        if result ~= "skipped" then
          asked = asked + 1
          assert.equal("passed", result, case.written .. "\n" .. case.src .. "\n" .. tostring(why))
        end
      end
    end
    assert.is_true(asked > (support.all_cases and 2000 or 500), asked)
  end)

  it("keeps the order of the source, and blocks of a type together", function()
    assert.equal('{"z":1,"b":{"x":[{"n":1},{"n":3}],"y":[{"n":2}]},"a":2,"c":[{}]}',
      json(lines("z = 1", 'b "x" {', "  n = 1", "}", 'b "y" {', "  n = 2", "}", "a = 2", 'b "x" {', "  n = 3", "}", "c {", "}")))
    -- Within a block the order may matter, as for provisioners.
    assert.equal('{"r":[{"p":[{"x":[{"n":1}]},{"y":[{}]},{"x":[{"n":2}]}],"q":{"x":[{},{}],"y":[{}]}}]}',
      json(lines("r {", 'p "x" {', "  n = 1", "}", 'p "y" {', "}", 'p "x" {', "  n = 2", "}", 'q "x" {', "}", 'q "x" {', "}",
        'q "y" {', "}", "}")))
  end)

  it("keeps numbers exact, whatever their form", function()
    assert.equal('{"a":123456789012345678901234567890.0120,"b":-0.5,"c":7,"d":1e400,"e":1e5}',
      json(lines("a = 123456789012345678901234567890.0120", "b = -0.5", "c = 007", "d = 1e400", "e = 1.e5")))
  end)

  it("has the requested form, and doesn't change JSON", function()
    assert.equal('{\n  "a": [\n    1\n  ]\n}', (hcl.to_json "a = [1]"))
    assert.equal('{\n "a": 1\n}', json("a = 1", { indent = 1 }))
    assert.equal("{}", json "")
    assert.equal('{"b":"x${1}","a":[1.50,null,true],"b":{}}',
      json('{"b": "x${1}", "a": [1.50, null, true],\n "b": {}}', { syntax = "json" }))
  end)

  it("reports what JSON can't express, and errors", function()
    local text, err = hcl.to_json("a {\n}\na = 1\n", { filename = "x.tf" })
    assert.is_nil(text)
    assert.same({ "encode.body", 3 }, { err[1].code, err[1].range.start.line })
    assert.equal("x.tf", select(2, hcl.to_json("a = (", { filename = "x.tf" }))[1].range.filename)
    assert.equal("limit.source", support.code(hcl.to_json("a = 1", { limits = { source = 2 } })))
    assert.is_false(pcall(hcl.to_json, "a = 1", { indent = -1 }))
    assert.is_false(pcall(hcl.to_json, 1))
  end)

  it("accepts deep sources", function()
    for _, pair in ipairs { { "[", "]" }, { "(", ")" }, { "{a=", "}" }, { '"a${', '}"' } } do
      local source = "x = " .. pair[1]:rep(900) .. "1" .. pair[2]:rep(900) .. "\n"
      local text = hcl.to_json(source)
      if text then assert.is_not_nil(hcl.from_json(text)) end
    end
    local blocks = ("a {\n"):rep(400) .. ("}\n"):rep(400)
    assert.equal(json(blocks), json(native(json(blocks))))
  end)
end)

describe("hcl.from_json", function()
  it("is the reverse", function()
    local source = lines("a = 1.50", 'b = "x ${y} $${z} %%{w} \\n"', "", 'c "d" "e f" {', "  g = h[0]", "", "  i {", "    j = [true, null]",
      "  }", "", "  i {}", "", "  k = {", '    "l m" = -1', "    (n)   = 2", "  }", "}")
    assert.equal(source, native(json(source)))
  end)

  it("returns the written text, in meaning", function()
    for _, source in ipairs {
      'a = <<E\n x ${y}\n  %{ if z ~}\n q\n%{ endif }\nE\n', 'a = " ${~ n ~} "\n', 'a = "${n}"\n', 'a = "\\u0024${n} %%{x} $${y}"\n',
      'a = c ? 1 : <<E\nx\nE\n', "a = f(1, # c\n  2)\n", 'a = "%{ for i, v in m }${i}=${v}, %{ endfor }"\n', 'a = "\239\187\191x"\n',
      'a = "%{ if x }50%%{ else }$${%{ endif }"\n', "a = { b = 1, b = 2 }\n", 'a = "\\\\ \\" \\t é \226\128\168"\n',
      "a = [for x in y : x\n if z]\n",
    } do
      local function bare(text) return (text:gsub("%s", "")) end -- within expressions the formatter decides the layout
      local text = json(source)
      assert.equal(bare(text), bare(json(native(text))))
    end
  end)

  it("quotes keys that begin something else", function()
    assert.equal(lines("a = {", '  "for"  = 1', '  "null" = 2', '  "a b"  = 3', "  forty  = 4", "}"),
      native '{"a": {"for": 1, "null": 2, "a b": 3, "forty": 4}}')
  end)

  it("recognizes blocks by their form, by a schema, or by Terraform's language", function()
    local source = '{"r": {"x": {"y": [{"n": 1}]}}, "s": [{"n": 1}], "t": {"n": 1}}'
    assert.equal(lines('r "x" "y" {', "  n = 1", "}", "", "s {", "  n = 1", "}", "", "t = {", "  n = 1", "}"), native(source))
    local n = { attributes = { n = {} } }
    local r = { labels = { "a" }, schema = { attributes = { y = {} } } }
    local schema = { attributes = { s = {} }, blocks = { r = r, t = { schema = n } } }
    assert.equal(lines('r "x" {', "  y = [", "    {", "      n = 1", "    },", "  ]", "}", "", "s = [", "  {", "    n = 1", "  },", "]", "",
      "t {", "  n = 1", "}"), native(source, { schema = schema }))
    assert.is_nil(native(source, { dialect = "attributes" }):find '[a-z] "')
  end)

  -- Terraform 1.17-dev plans the same for both.
  it("knows Terraform's files, in both directions", function()
    local source = lines('resource "a" "b" {', "  c          = d.e", "  depends_on = [f.g]", "  tags = {", "    h = 1", "  }", "",
      "  lifecycle {", '    ignore_changes = [tags, x["y"]]', "  }", "", "  disk {", "    size = 1", "  }", "",
      '  dynamic "z" {', "    for_each = [1]",
      "    iterator = it", "", "    content {", "      v = it.value", "    }", "  }", "", '  provisioner "local-exec" {',
      "    when = destroy", "  }", "}", "", 'variable "v" {', "  type = list(string)", "  default = [", "    {", "      w = 1", "    },",
      "  ]", "}")
    local text = [[{"resource":{"a":{"b":[{"c":"${d.e}","depends_on":["f.g"],"tags":{"h":1},]]
      .. [["lifecycle":[{"ignore_changes":["tags","x[\"y\"]"]}],"disk":[{"size":1}],]]
      .. [["dynamic":{"z":[{"for_each":[1],"iterator":"it","content":[{"v":"${it.value}"}]}]},]]
      .. [["provisioner":{"local-exec":[{"when":"destroy"}]}}]}},"variable":{"v":[{"type":"list(string)","default":[{"w":1}]}]}}]]
    assert.equal(text, json(source, { dialect = "terraform" }))
    assert.equal(source, native(text, { dialect = "terraform" }))
    -- Single objects are blocks if their type is known.
    local single = text:gsub('%[({"v":"${it.value}"})%]', "%1"):gsub('%[({"when":"destroy"})%]', "%1"):gsub('%[({"type".*})%]}}$', "%1}}")
    assert.is_true(#single == #text - 6)
    assert.equal(source, native(single, { dialect = "terraform" }))
  end)

  -- Terraform 1.17-dev rejects "${shop.east}" and "${continue}" here, in quotes and braces.
  it("knows names within requirements of providers, and words of triggers", function()
    local source = lines("terraform {", "  required_providers {", "    shop = {", '      source                = "acme/shop"',
      "      configuration_aliases = [shop.east]", "    }", "  }", "}", "", 'resource "a" "b" {', "  lifecycle {", "    action_trigger {",
      "      events     = [after_create]", "      actions    = [action.c.d]", "      on_failure = continue", "    }", "  }", "}")
    local text = [[{"terraform":[{"required_providers":[{"shop":{"source":"acme/shop","configuration_aliases":["shop.east"]}}]}],]]
      .. [["resource":{"a":{"b":[{"lifecycle":[{"action_trigger":[{"events":["after_create"],"actions":["action.c.d"],]]
      .. [["on_failure":"continue"}]}]}]}}}]]
    assert.equal(text, json(source, { dialect = "terraform" }))
    assert.equal(source, native(text, { dialect = "terraform" }))
  end)

  it("keeps comments, and properties of an array of objects together", function()
    assert.equal(lines("# one", "# two", "a = 1", "b = 2", "", "c {}"), native '[{"//": "one\\ntwo", "a": 1}, {"b": 2, "c": [{}]}]')
  end)

  it("reports what native syntax can't express", function()
    for source, column in pairs {
      ['{"a b": 1}'] = 2, ['{"a": "${"}'] = 7, ['{"a": 1, "a": 2}'] = 10, ['[1]'] = 2, ['{"a b": [{}]}'] = 2,
      ['{"a": {"b": [{"c d": 1}]}}'] = 15, ['{"a": {"b": 1, "b": 2}}'] = 16,
    } do
      local text, err = hcl.from_json(source, { filename = "x.json" })
      assert.is_nil(text)
      assert.same({ "json.native", "x.json", column }, { err[1].code, err[1].range.filename, err[1].range.start.column })
    end
    assert.equal("json.native", support.code(hcl.from_json('{"resource": {"a": 1}}', { dialect = "terraform" })))
    assert.equal("limit.source", support.code(hcl.from_json("{}", { limits = { source = 1 } })))
    assert.is_not_nil(select(2, hcl.from_json "{"))
    for _, schema in ipairs { "tofu", 1, { block = {} } } do assert.is_false(pcall(hcl.from_json, "{}", { schema = schema })) end
    assert.is_false(pcall(hcl.from_json, "{}", { dialect = "tofu" }))
    assert.error_matches(function() hcl.from_json("{}", { dialect = "terraform", schema = {} }) end, "exclude each other", 1, true)
    assert.error_matches(function() hcl.to_json("", { schema = {} }) end, "option 'dialect' must be \"terraform\"", 1, true)
    -- The name before 1.0.
    assert.equal("a = [\n  {},\n]\n", hcl.from_json('{"a": [{}]}', { schema = "attributes" }))
    assert.equal('{"output":{"o":[{"depends_on":["var.a"]}]}}',
      hcl.to_json('output "o" {\n  depends_on = [var.a]\n}\n', { schema = "terraform", indent = false }))
  end)
end)
