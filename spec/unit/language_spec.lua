-- Descriptions of languages: errors in one are raised, with their path.
dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local hcl = require "hclexpr"
local language = require "hclexpr.language"
local description = require "hclexpr.languages.description"

-- A language with these blocks and other fields.
local function with(blocks, more)
  local source = { name = "test", blocks = blocks }
  for key, value in pairs(more or {}) do source[key] = value end
  return source
end

-- The error in a description: its path, and the rest of the message.
local function refuses(path, words, source)
  local fine, message = pcall(language, source)
  assert.is_false(fine, path .. " is taken")
  local at, text = message:match "bad argument #1 to 'language' %((language[^:]*): (.*)%)$"
  assert.equal("language" .. (path == "" and "" or "." .. path), at, message)
  assert.truthy(text:find(words, 1, true), message)
end

local upstream = { labels = { "name" }, address = "upstream.{name}" }

describe("a description", function()
  it("is a table with a name", function()
    assert.has_error(function() language() end, "bad argument #1 to 'language' (table expected, got no value)")
    refuses("name", "a language has a name", {})
    refuses("", "no field of a language is named 'block'; did you mean 'blocks'?", { name = "x", block = {} })
    refuses("name", "a string expected, got number", { name = 1 })
  end)

  it("says how a part is written", function()
    refuses("files", 'write files = { "*.x" }', { name = "x", files = "*.x" })
    refuses("blocks.a.labels", 'write labels = { "name" }', with { a = { labels = "name" } })
    refuses("blocks", "entries are written NAME = ..., and this one has the key 1", with { { labels = { "name" } } })
    refuses("attributes", "entries are written NAME = ..., and this one has the key 1", { name = "x", attributes = { "a" } })
    refuses("types", "entries are written NAME = ..., and this one has the key 1", { name = "x", types = { "a" } })
    refuses("attributes.a", 'write type = "number"', { name = "x", attributes = { a = { "number" } } })
    refuses("attributes.a b", "can't be a name: it begins with a letter or _", { name = "x", attributes = { ["a b"] = "string" } })
    refuses("functions.f", "the program gives what it does by the option 'functions'", { name = "x", functions = { f = print } })
    refuses("functions.f", "the program gives what it does by the option 'functions'", { name = "x", functions = { f = { impl = print } } })
    refuses("functions.f.params[1]", 'a table expected, got string; write { name = "a" }',
      { name = "x", functions = { f = { params = { "a" } } } })
    refuses("functions.f.params[1]", "no field of a parameter is named 'typ'; did you mean 'type'?",
      { name = "x", functions = { f = { params = { { typ = "string" } } } } })
    refuses("functions.f.variadic.description", "a string expected", { name = "x", functions = { f = { variadic = { description = 1 } } } })
    refuses("attributes.a.one_of", "an array of values expected", { name = "x", attributes = { a = { one_of = { [2] = "a" } } } })
    refuses("blocks.l", "language.locals() and language.variables() are calls", with { l = language.locals })
    refuses("attributes.a.default", "Write hcl.array {}", { name = "x", attributes = { a = { type = "set(string)", default = {} } } })
  end)

  it("names its files, and none of Terraform's", function()
    for _, pattern in ipairs { "*.tf", "main.tf.json", "*.tfvars", "*.tftest.hcl", ".terraform.lock.hcl" } do
      refuses("files", "would claim files of Terraform", { name = "x", files = { pattern } })
    end
    refuses("files", "isn't the pattern of a file's name", { name = "x", files = { "conf/*.hcl" } })
    for _, pattern in ipairs { "x?.hcl", "*.{a,b}.hcl", "[ab].hcl" } do
      refuses("files", "only '*' has a meaning in a pattern", { name = "x", files = { pattern } })
    end
    refuses("unit", 'must be "file" or "folder", not \'all\'', { name = "x", unit = "all" })
    local out = description.of(language { name = "x", files = { "*.hcl", "*.gate.hcl" } })
    assert.equal(9, description.suits(out, "etc/edge.gate.hcl"))
    assert.equal(4, description.suits(out, "a.hcl"))
    assert.is_nil(description.suits(out, "a.txt"))
    assert.is_nil(description.suits(out, "a.tftest.hcl"))
  end)

  it("leaves to language.locals() what those blocks hold", function()
    local locals = language.locals()
    locals.min = 1
    refuses("blocks.locals.min", "language.locals() says what these blocks hold", { name = "x", blocks = { locals = locals } })
  end)

  it("knows its functions and names", function()
    refuses("functions.f", "strin", { name = "x", functions = { f = { params = { { type = "strin" } } } } })
    refuses("functions.f", "no field of a function is named 'impl'", { name = "x", functions = { f = { impl = print } } })
    refuses("types.each", "every expression has a name 'each' already", { name = "x", types = { each = "string" } })
    refuses("types.env", '"strin" is not a type', { name = "x", types = { env = "strin" } })
    refuses("stdlib", "not a built-in function", { name = "x", stdlib = { "nope" } })
  end)

  it("has kinds of blocks with their own addresses", function()
    refuses("blocks.a.address", "the block has no label 'b'", with { a = { address = "a.{b}" } })
    refuses("blocks.a.address", "the block has no label 'nam'; did you mean 'name'?",
      with { a = { labels = { "name" }, address = "a.{nam}" } })
    refuses("blocks.a.address", "the label 'n' is missing, so two blocks could have the same address; write {n} for it",
      with { a = { labels = { "n" }, address = "a" } })
    refuses("blocks.a.address", 'set nesting = "single"', with { a = { address = "a" } })
    refuses("blocks.a.address", "an address begins with a word", with { a = { labels = { "n" }, address = "{n}" } })
    refuses("blocks.a.address", "neither a word nor a label", with { a = { labels = { "n" }, address = "a..{n}" } })
    refuses("blocks.b.address", "can be the address of a block of the kind 'a', too",
      with { a = { labels = { "n" }, address = "x.{n}" }, b = { labels = { "m" }, address = "x.y.{m}" } })
    refuses("blocks.b", "can be the address of a block of the kind 'a', too", with { a = language.locals(), b = language.locals() })
    refuses("blocks.a.address", "every expression has a name 'self' already", with { a = { nesting = "single", address = "self" } })
    refuses("blocks.a.address", "one of the names that the program gives",
      with({ a = { nesting = "single", address = "env" } }, { types = { env = "any" } }))
    refuses("blocks.a.blocks.b.address", "only blocks at the top", with { a = { blocks = { b = upstream } } })
    refuses("blocks.a.duplicates", "only blocks with an address", with { a = { duplicates = "last" } })
    refuses("blocks.a.duplicates", 'must be "error" or "last"', with { a = { duplicates = "first" } })
    assert.truthy(language(with { a = { labels = { "n" }, address = "x.a.{n}" }, b = { labels = { "n" }, address = "x.b.{n}" } }))
  end)

  it("has blocks like schemas", function()
    refuses("blocks.a.nesting", 'must be "list" or "map" or "set" or "single", not \'lst\'', with { a = { nesting = "lst" } })
    refuses("blocks.a.min", "3 blocks at least, and at most 2", with { a = { min = 3, max = 2 } })
    refuses("blocks.a.min", "a whole number of blocks expected", with { a = { min = 1e300 } })
    refuses("blocks.a.labels", "an array expected, without other keys", with { a = { labels = { n = "n" } } })
    refuses("blocks.a.labels", "this one's metatable gives more elements",
      with { a = { labels = setmetatable({}, { __index = function() return "n" end }) } })
    refuses("blocks.b\255", "can't be a name", with { ["b\255"] = {} })
    refuses("blocks.a.labels", "'n' is there twice", with { a = { labels = { "n", "n" } } })
    refuses("blocks.a.labels", "'n' is the name of a label and of what", with { a = { labels = { "n" }, attributes = { n = "string" } } })
    refuses("blocks.a.schema", "not in both", with { a = { schema = {}, attributes = {} } })
    refuses("blocks.a.schema", "no field of a schema is named 'attribute'", with { a = { schema = { attribute = {} } } })
    refuses("blocks.a.blocks.b.for_each", "only blocks at the top", with { a = { blocks = { b = { for_each = true } } } })
    refuses("blocks.a.for_each", "an argument of this name", with { a = { for_each = true, attributes = { for_each = "any" } } })
    refuses("blocks.dynamic", "the language's own", with { dynamic = {} })
    refuses("blocks.a.count", "reserved", with { a = { count = true } })
    local group = { labels = { "name" } }
    group.blocks = { group = group }
    assert.truthy(language(with { group = group }))
  end)

  it("has arguments with compatible fields", function()
    local function argument(path, words, a) refuses("attributes.a" .. path, words, { name = "x", attributes = { a = a } }) end
    argument("", "no field of an argument is named 'requird'; did you mean 'required'?", { requird = true })
    argument(".computed", "reserved", { computed = true })
    argument(".type", '"strin" is not a type', "strin")
    argument(".type", 'write ref = "KIND"', "ref(upstream)")
    argument(".default", "A number is required", { type = "number", default = "x" })
    argument(".default", "a default has to be known", { default = hcl.unknown "string" })
    argument(".default", "a required argument has no default", { required = true, default = 1 })
    argument(".deprecated", "what is required can't be left out", { required = true, deprecated = "Write b." })
    argument(".default_from", "give one of the two defaults", { default = 1, default_from = "1" })
    argument(".type", "a reference is a block", { ref = "b", type = "string" })
    argument(".types", "a reference is a block", { ref = "b", types = { x = "string" } })
    argument(".types", "references are blocks", { refs = "b", types = { 1 } })
    argument(".cycles", "this is for references", { cycles = true })
    argument(".types", "this is for an expression that is kept", { types = {} })
    argument(".default", "an expression that is kept has none", { type = "expression", default = 1 })
    argument(".min", "is for arguments of type", { type = "string", min = 1 })
    argument(".min", "is more than max", { type = "number", min = 2, max = 1 })
    argument(".deprecated", "true or what to write instead", { deprecated = 1 })
  end)

  it("refers only to its own kinds", function()
    local function refers(to) return with { upstream = upstream, route = { attributes = { to = { ref = to } } } } end
    refuses("blocks.route.attributes.to.ref", "no kind of blocks is called 'upstreem'; did you mean 'upstream'?", refers "upstreem")
    refuses("blocks.route.attributes.to.ref", "have no address: give it one", refers { "upstream", "route" })
    assert.truthy(language(refers "upstream"))
    local nested = refers "check"
    nested.blocks.upstream = { labels = { "name" }, address = "upstream.{name}", blocks = { check = {} } }
    refuses("blocks.route.attributes.to.ref", "blocks of the kind 'check' are in others", nested)
  end)

  it("has circles only within a kind", function()
    local function with_cycles(kind) return with { upstream = upstream, step = { labels = { "n" }, address = "step.{n}", blocks = {
      inner = { attributes = { to = { ref = kind, cycles = true } } } } } } end
    refuses("blocks.step.blocks.inner.attributes.to.cycles", "only references to blocks of the same kind", with_cycles "upstream")
    assert.truthy(language(with_cycles { "upstream", "step" }))
  end)

  it("has expressions that are checked", function()
    local function default(text, more)
      local attributes = {
        a = { type = "number", default_from = text }, b = "string", to = { ref = "upstream" }, when = { type = "expression" },
      }
      for name, a in pairs(more or {}) do attributes[name] = a end
      return with { upstream = upstream, route = { labels = { "path" }, attributes = attributes } }
    end
    local at = "blocks.route.attributes.a.default_from"
    refuses(at, "The source ends", default "f(1")
    refuses(at, 'no attribute "nope"', default "self.nope")
    refuses(at, "self.to can't be read here: it is a reference", default "self.to.port")
    refuses(at, "self.when can't be read here: it is an expression that is kept", default "self.when")
    refuses(at, "a number is required", default "[self.b]")
    refuses(at, "nope", default "nope(1)")
    assert.truthy(language(default "length(self.path) + length(self.b)"))
    refuses(at, "self.a is this argument itself", default "self.a + 1")
    refuses(at, "each is there in blocks with for_each = true", default "length(each.key)")
    refuses("attributes.a.value_from", "these need each other, so they have no value: self.a → self.b → self.a",
      { name = "x", attributes = { a = { value_from = "self.b" }, b = { value_from = "self.a" } } })
    assert.truthy(language { name = "x", attributes = { a = { default_from = "self.b" }, b = { default_from = "self.a" } } })
    refuses("blocks.a.validation[1].condition", "a bool is required",
      with { a = { validation = { { condition = "[1]", error_message = "" } } } })
    refuses("blocks.a.validation[1]", "error_message is missing", with { a = { validation = { { condition = "true" } } } })
    refuses("blocks.a.validation[1].error_message", 'no attribute "x"',
      with { a = { validation = { { condition = "true", error_message = "${self.x}" } } } })
    local function nested(text, more)
      local inner = { attributes = { c = { default_from = text }, d = "number", to = { ref = "upstream" } },
                      blocks = { one = { nesting = "single", attributes = { e = "number" } } } }
      return with { upstream = upstream, a = {
        labels = { "name" }, for_each = more, attributes = { b = "string", ref = { ref = "upstream" } }, blocks = { inner = inner },
      } }
    end
    at = "blocks.a.blocks.inner.attributes.c.default_from"
    refuses(at, 'no attribute "x"', nested "parent.x")
    refuses(at, 'no attribute "parent"', nested "parent.parent")
    refuses(at, "parent.ref can't be read here: it is a reference", nested "parent.ref")
    refuses(at, 'no attribute "f"', nested "self.one.f")
    refuses(at, "each is there in blocks", nested "each.key")
    refuses(at, 'no attribute "keys". Did you mean "key"?', nested("each.keys", true))
    assert.truthy(language(nested('"${parent.name} ${parent.b} ${self.one.e} ${each.key} ${parent.inner[0].d}"', true)))
    refuses("blocks.a.attributes.when.types.upstream", "expressions of the language have a name 'upstream' already",
      with { upstream = upstream, a = { attributes = { when = { type = "expression", types = { upstream = "any" } } } } })
  end)

  it("is extended by missing fields", function()
    local lang = language(with { upstream = upstream })
    local more = lang:extend { blocks = { route = { attributes = { to = { ref = "upstream" } } } } }
    assert.truthy(description.of(more).level.kinds.route.level.arguments.to.ref[1] == description.of(more).level.kinds.upstream)
    assert.is_nil(description.of(lang).level.kinds.route)
    assert.has_error(function() lang:extend { blocks = { upstream = {} } } end,
      "bad argument #1 to 'extend' (the language has blocks.upstream already)")
  end)

  it("is read-only, and nothing else is accepted", function()
    local lang = language { name = "x", attributes = { a = hcl.type "string" } }
    assert.has_error(function() lang.name = "y" end, "attempt to set field 'name' of a read-only Language")
    assert.is_nil(description.of {})
  end)
end)

describe("the blocks of a language", function()
  it("have addresses of several words, whose first words are all that begins with them", function()
    local port = { port = "number" }
    local lang = language { name = "x", blocks = {
      http = { labels = { "n" }, address = "svc.http.{n}", attributes = port },
      tcp = { labels = { "n" }, address = "svc.tcp.{n}", attributes = port },
      node = { labels = { "zone", "n" }, address = "nodes.{zone}.{n}.info", attributes = port },
    } }
    local conf = lang:open { { text = 'http "a" {\n  port = 1\n}\ntcp "b" {\n  port = 2\n}\nnode "z" "c" {\n  port = 3\n}\n' } }
    for source, wanted in pairs {
      ["svc"] = '{"http":{"a":{"n":"a","port":1}},"tcp":{"b":{"n":"b","port":2}}}', ["svc.tcp"] = '{"b":{"n":"b","port":2}}',
      ["svc.http.a"] = '{"n":"a","port":1}', ["svc.tcp.b.port"] = "2", ["nodes.z"] = '{"c":{"info":{"n":"c","port":3,"zone":"z"}}}',
      ["nodes.z.c.info.port"] = "3",
    } do
      assert.equal(wanted, hcl.eval("jsonencode(v)", { v = hcl.assert(conf:value(source)) }), source)
    end
    for source, detail in pairs {
      ["svc.udp"] = "Nothing declares svc.udp.", ["svc.udp.a"] = "Nothing declares svc.udp.",
      ["svc.http.b"] = 'Nothing declares svc.http.b. Did you mean "svc.http.a"?',
      ["nodes.z.c.other"] = "Nothing declares nodes.z.c.other.",
      ["nodes.z.c.inf.port"] = 'Nothing declares nodes.z.c.inf. Did you mean "nodes.z.c.info"?',
    } do
      local none, err = conf:value(source)
      assert.is_nil(none)
      assert.equal("module.undeclared", err[1].code)
      assert.equal(detail, err[1].detail)
    end
  end)

  it("obey rules, whose messages say why", function()
    for message, detail in pairs {
      ["Port ${self.port}."] = "Port 2.", ["${self.none}"] = "The rule doesn't hold.",
      ["${element([], self.port)}"] = "Its message can't be made: element(): The list is empty, so it has "
        .. "no element at any index. Test its length() first.",
      ["${sensitive(self.name)}"] = "The message isn't shown, since it has a value that is sensitive.",
    } do
      local lang = language { name = "x", blocks = { up = { labels = { "name" }, attributes = { port = "number", none = "string" },
        validation = { { condition = "self.port < 2", error_message = message } } } } }
      local none, err = lang:decode 'up "a" {\n  port = 2\n}\nup "b" {\n  port = 1\n}\n'
      assert.is_nil(none)
      assert.same({ 1, detail, 1 }, { #err, err[1].detail, err[1].range.start.line })
    end
  end)
end)
