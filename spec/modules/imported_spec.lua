-- Schemas that a person imports: reading packages and documents, the kept files, and their effect on a folder.
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local imported = require "hclexpr.terraform.schema.imported"
local importing = require "hclexpr.terraform.schema.importing"
local service = require "hclexpr.service"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local cli = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../command.lua")
local packages = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../packages.lua")

if support.lacking(hcl) "base64gunzip()" then
  support.note "imported_spec: this build has no zlib: passed over"
  return
end

local shop = {
  source = "acme/shop", version = "1.4.2",
  types = {
    { mode = "resource", type = "shop_item", rows = {
      "id string computed+optional", "name string required", "price number optional", "sold bool computed", "tags map optional",
      "sizes string_set optional", "colours strings optional+computed", "password string optional", "token_name string optional",
      "code_wo string optional+wo", "extra any_map optional", "rule any optional+block",
      { "part", "list", "required+block", { "label string required", "serial string computed", "secret string optional" } },
      { "box", "one", "optional+block", { "width number optional" } },
      { "timeouts", "single", "optional+block", { "create string optional" } },
      { "ingress", "set", "optional+computed", { "port number optional+computed", "open bool optional+computed" } },
      { "status", "list", "computed", { "state string computed" } },
    } },
    { mode = "resource", type = "shop_rack", rows = { "id string computed",
      { "slot", "list", "optional+computed", { "port number optional+computed", "open bool optional+computed" } } } },
    { mode = "resource", type = "shop_secret", rows = { "id string computed", "data map optional",
                                                        { "option", "single", "optional", { "key string required" } } } },
    { mode = "data", type = "shop_item", rows = { "id string optional", "name string required", "url string computed" } },
    { mode = "provider", type = "shop", rows = { "alias string optional", "region string required", "api_key string optional",
      { "endpoint", "list", "optional+block", { "url string required", "path string optional" } } } },
  },
}

-- Nested attributes and their part, of all kinds.
local kinds, shelf = { "required", "optional", "optional+computed", "computed" }, { "id string computed" }
for i, outer in ipairs(kinds) do
  for k, inner in ipairs(kinds) do shelf[#shelf + 1] = { "of" .. i .. k, "list", outer, { "port number " .. inner } } end
end
table.insert(shop.types, { mode = "resource", type = "shop_shelf", rows = shelf })

local folder

local function import(bytes, ending)
  local path = support.temporary_file(bytes, ending)
  local found, why = importing.read(path)
  support.remove(path)
  return found, why
end

local wheels = {}
local function wheel(provider)
  wheels[provider] = wheels[provider] or packages.wheel(provider)
  return wheels[provider]
end

local function keep(provider)
  for _, one in ipairs(assert(import(wheel(provider), ".whl"))) do assert(importing.keep(folder, one)) end
end

local function open(files)
  local dir = support.folder(files)
  return hcl.module(dir, { installed = folder, missing = "unknown" })
end

local required = 'terraform {\n required_providers {\n  shop = {\n   source = "acme/shop"\n   version = "%s"\n  }\n }\n}\n'
local function of_shop(version, text) return open(required:format(version) .. text) end

local function codes(m)
  local found = {}
  local _, err = m:validate()
  for i, d in ipairs(err or {}) do found[i] = d.code .. " " .. d.range.start.line end
  return table.concat(found, ", ")
end

describe("imported schemas", function()
  setup(function()
    folder = support.temporary_folder() .. "/kept/schemas"
    keep(shop)
  end)
  it("are the rows of a package", function()
    local of = imported.provider(folder, "acme/shop")
    assert.same({ "acme/shop", "1.4.2", "@cdktn/provider-shop 3.0.0", "MPL-2.0", true },
      { of.source, of.version, of.package, of.license, of.partial })
    local block = of.parts.resource_schemas("shop_item").block
    local a, b = block.attributes, block.block_types
    assert.same({ computed = true, optional = true, type = "string", description = "The id of it." }, a.id)
    assert.same({ required = true, type = "string", description = "The name of it." }, a.name)
    assert.same({ computed = true, type = "bool" }, a.sold)
    assert.same({ "map", "string" }, a.tags.type)
    assert.same({ "set", "string" }, a.sizes.type)
    assert.same({ "list", "string" }, a.colours.type)
    assert.is_true(a.code_wo.write_only)
    assert.equal("dynamic", a.extra.type)
    assert.same({ optional = true, type = "dynamic", open = true }, a.rule)
    -- An old provider: its id may be set, and attributes have only types.
    assert.same({ "set", { "object", { port = "number", open = "bool" } } }, a.ingress.type)
    assert.same({ "list", { "object", { state = "string" } } }, a.status.type)
    assert.same({ "list", 1 }, { b.part.nesting_mode, b.part.min_items })
    assert.is_nil(b.part.max_items)
    assert.same({ "list", 1 }, { b.box.nesting_mode, b.box.max_items })
    assert.equal("single", b.timeouts.nesting_mode)
    assert.same({ required = true, type = "string", description = "The label of it." }, b.part.block.attributes.label)
    local option = of.parts.resource_schemas("shop_secret").block.attributes.option
    assert.same({ "single", true }, { option.nested_type.nesting_mode, option.nested_type.attributes.key.required })
    assert.same({ "string", true }, { of.parts.data_source_schemas("shop_item").block.attributes.id.type,
                                      of.parts.data_source_schemas("shop_item").block.attributes.id.optional })
    local own = of.parts.provider("provider").block.attributes
    assert.is_nil(own.alias)
    -- What a provider is configured with is given, never computed.
    local endpoint = of.parts.provider("provider").block.block_types.endpoint.block.attributes
    for row, needed in pairs { [own.region] = true, [own.api_key] = false, [endpoint.url] = true, [endpoint.path] = false } do
      assert.same({ needed, not needed, false }, { row.required or false, row.optional or false, row.computed or false })
    end
    assert.is_nil(of.parts.resource_schemas "shop_none")
  end)

  it("are read from wheels, gzipped tars and documents", function()
    local of_wheel = assert(import(wheel(shop), ".whl"))
    assert.same(of_wheel, assert(import(packages.tgz(shop), ".tgz")))
    assert.same(of_wheel[1].parts.provider, assert(import(packages.gzip(packages.tar(packages.files(shop))), ""))[1].parts.provider)
    local found = assert(import('{"provider_schemas":{"registry.terraform.io/acme/x":{"provider":{"block":{}},"resource_schemas":{"x_a":'
      .. '{"block":{"attributes":{"a":{"type":"string","required":true}}}}}}}}', ".json"))
    assert.same({ "acme/x", nil, "string" }, { found[1].source, found[1].partial,
                                               found[1].parts.resource_schemas.x_a.block.attributes.a.type })
  end)

  local good = '\nresource "shop_item" "a" {\n name = "x"\n part {\n  label = "l"\n }\n}\n'

  it("give a folder types, and report what doesn't match", function()
    local m = assert(of_shop("~> 1.0", good .. 'output "a" { value = shop_item.a.sold }\noutput "b" { value = shop_item.a.price }\n'))
    local plan = assert(m:plan())
    assert.same({ false, "bool" }, { plan.outputs.a:is_known(), plan.outputs.a:type():kind() })
    assert.is_true(plan.outputs.b:is_null())
    assert.equal("imported", plan.resources[1].schema)
    assert.equal("", codes(m))
    assert.equal("body.argument 12", codes(of_shop("~> 1.0", '\nresource "shop_item" "a" {\n name = "x"\n nmae = 1\n part {\n'
      .. '  label = "l"\n }\n}\n')))
    assert.equal("body.missing 10, module.argument 10", codes(of_shop("~> 1.0", '\nresource "shop_item" "a" {\n}\n')))
  end)

  it("cause no errors outside of the versions that a folder requires", function()
    local wrong = '\nresource "shop_item" "a" {\n name = []\n part {\n  label = "l"\n }\n}\n'
    assert.equal("module.argument 11", codes(of_shop(">= 1.4", wrong)))
    for _, version in ipairs { "~> 2.0", "1.4.1", "< 1.4" } do
      local m = of_shop(version, wrong)
      assert.equal("", codes(m))
      local row = m:missing()[1]
      assert.same({ "version", "acme/shop", "1.4.2", version }, { row.kind, row.name, row.version, row.wanted })
      assert.equal("", codes(of_shop(version, '\nresource "shop_item" "a" {\n other = 1\n}\noutput "o" {\n value = shop_item.a.what\n}\n')))
    end
    -- The types apply, and written values are known as they are without a schema.
    local plan = assert(of_shop("~> 2.0", good .. 'locals { all = shop_item.a }\noutput "a" { value = shop_item.a.sold }\n'
      .. 'output "b" { value = local.all.what }\noutput "c" { value = shop_item.a.part[0].label }\n'
      .. 'output "d" { value = shop_item.a.part[0].what }\noutput "e" { value = shop_item.a.status[3].what }\n'):plan())
    assert.same({ false, "bool" }, { plan.outputs.a:is_known(), plan.outputs.a:type():kind() })
    local shown = tostring(plan.resources[1].value)
    assert.truthy(shown:find "name")
    assert.is_nil(shown:find "sold") -- another version may lack it
    for _, name in ipairs { "b", "d", "e" } do assert.is_false(plan.outputs[name]:is_known()) end
    assert.equal("l", plan.outputs.c:text())
  end)

  it("are compared with the version of a lock file", function()
    local function errors(version)
      return codes(open { ["main.tf"] = required:format(">= 1.0") .. '\nresource "shop_item" "a" {\n}\n',
                          [".terraform.lock.hcl"] = 'provider "registry.terraform.io/acme/shop" {\n  version = "' .. version .. '"\n}\n' })
    end
    assert.equal("body.missing 10, module.argument 10", errors "1.4.0")
    assert.equal("", errors "1.5.0")
    assert.equal("", errors "2.0.0")
  end)

  -- Expected: what providers make of a state of an older version: its missing blocks count as no blocks, not as null.
  it("read a state of any version of a type's schema", function()
    local function planned(attributes)
      local dir = support.folder(required:format "~> 1.0" .. good)
      local m = assert(hcl.module(dir, { installed = folder, state = { version = 4, resources = { {
        mode = "managed", type = "shop_item", name = "a", provider = 'provider["registry.terraform.io/acme/shop"]',
        instances = { { schema_version = 3, attributes = attributes } } } } } }))
      return assert(m:plan()).resources[1]
    end
    local row = planned { id = "1", name = "x", gone = "y", part = hcl.array { { label = "l", serial = "s" } } }
    assert.equal("no-op", row.action)
    assert.equal("1", row.value:get("id"):text())
    assert.equal(0, #row.value:get "box")
    row = planned { id = "1", name = "x", sold = hcl.array { "of another type" }, part = hcl.array { { label = "l" } } }
    assert.is_false(row.value:get("sold"):is_known())
  end)

  it("leave functions open", function()
    local m = assert(of_shop("~> 1.0", '\noutput "f" {\n value = provider::shop::price(1)\n}\n'))
    assert.equal("", codes(m))
    assert.is_false(assert(m:plan()).outputs.f:is_known())
  end)

  it("leave undescribed parts open", function()
    local m = assert(of_shop("~> 1.0", '\nresource "shop_item" "a" {\n rule {\n  any { x = 1 }\n }\n}\n'
      .. 'resource "shop_other" "b" {\n y = 1\n}\noutput "o" { value = shop_other.b.z }\n'))
    assert.equal("", codes(m))
    assert.is_false(assert(m:plan()).outputs.o:is_known())
  end)

  it("may have either kind if all their parts are as optional and computed as they are", function()
    local attributes = imported.provider(folder, "acme/shop").parts.resource_schemas("shop_shelf").block.attributes
    for i, outer in ipairs(kinds) do
      for k, inner in ipairs(kinds) do
        local row = attributes["of" .. i .. k]
        local settable = outer ~= "computed"
        assert.same({ settable and i == k, settable and i ~= k }, { row.loose or false, row.nested_type ~= nil }, outer .. " of " .. inner)
      end
    end
  end)

  it("accept both notations of an attribute that may be of either kind", function()
    for _, text in ipairs { "slot {\n  port = 1\n }", "slot = [{ port = 1 }]", "slot = [{ port = 1, open = true }]" } do
      local m = assert(of_shop("~> 1.0", '\nresource "shop_rack" "a" {\n ' .. text .. '\n}\n'
        .. 'output "p" { value = shop_rack.a.slot[0].port }\n'))
      assert.equal("", codes(m))
      assert.equal("1", assert(m:plan()).outputs.p:text())
    end
    assert.equal("module.argument 11", codes(of_shop("~> 1.0", '\nresource "shop_rack" "a" {\n slot = [{ port = [] }]\n}\n')))
  end)

  it("hide possible secrets, but enforce no rules for them", function()
    local m = assert(of_shop("~> 1.0", '\nresource "shop_item" "a" {\n name = "x"\n password = "hunter2"\n token_name = "t"\n part {\n'
      .. '  label = "l"\n  secret = "hush"\n }\n}\nresource "shop_secret" "s" {\n data = { a = "hush" }\n}\n'
      .. 'output "p" { value = shop_item.a.password }\noutput "t" { value = shop_item.a.token_name }\n'
      .. 'output "is" { value = issensitive(shop_item.a.password) }\noutput "shown" { value = nonsensitive(shop_item.a.password) }\n'
      .. 'output "s" { value = shop_secret.s.data }\noutput "part" { value = shop_item.a.part[0].secret }\n'))
    assert.equal("", codes(m))
    local outputs = assert(m:plan()).outputs
    for _, name in ipairs { "p", "s", "part" } do assert.same({ "guarded" }, outputs[name]:marks()) end
    assert.same({}, outputs.t:marks())
    assert.same({ false, "bool" }, { outputs.is:is_known(), outputs.is:type():kind() })
    assert.equal("hunter2", outputs.shown:text())
    local json = hcl.eval("jsonencode(x)", { x = assert(m:plan_json()) })
    assert.is_nil(json:find("hush", 1, true))
  end)

  it("know less than the facts of small providers", function()
    keep { source = "hashicorp/local", version = "2.5.0", types = {
      { mode = "resource", type = "local_sensitive_file", rows = { "id string computed", "filename string required",
                                                                   "content string optional", "later string optional" } } } }
    local m = assert(open('resource "local_sensitive_file" "a" {\n filename = "f"\n content = "hunter2"\n}\n'
      .. 'output "o" {\n sensitive = true\n value = local_sensitive_file.a.content\n}\n'))
    assert.same({ "sensitive" }, assert(m:plan()).outputs.o:marks())
    assert.equal("", codes(open 'resource "local_sensitive_file" "a" {\n filename = "f"\n later = "x"\n}\n'))
    -- They also add blocks.
    keep { source = "hashicorp/archive", version = "2.4.0", types = {
      { mode = "data", type = "archive_file", rows = { "id string computed", "type string required", "output_path string required" } } } }
    assert.equal("", codes(open('data "archive_file" "a" {\n type = "zip"\n output_path = "a.zip"\n source {\n  content = "x"\n'
      .. '  filename = "f"\n }\n}\n')))
  end)
end)

describe("a schema that a host gives", function()
  local function plan(text, block, part)
    local dir = support.folder(text)
    local m = assert(hcl.module(dir, { schemas = { provider_schemas = { ["registry.terraform.io/hashicorp/" .. part[1]] = {
      [part[2]] = { [part[3]] = { block = { attributes = block } } } } } } }))
    local made, err = m:plan()
    support.remove(dir)
    return made, err
  end

  -- Expected: Terraform checks only the types of what a provider reads, and old ones fill in optional attributes.
  it("leaves optional arguments of data open if they aren't written", function()
    local made = assert(plan('data "shop_item" "a" {\n name = "x"\n}\noutput "id" { value = data.shop_item.a.id }\n'
      .. 'output "t" { value = "item ${data.shop_item.a.id}" }\noutput "name" { value = data.shop_item.a.name }\n',
      { id = { type = "string", optional = true }, name = { type = "string", optional = true } },
      { "shop", "data_source_schemas", "shop_item" }))
    assert.same({ false, "string" }, { made.outputs.id:is_known(), made.outputs.id:type():kind() })
    assert.is_false(made.outputs.t:is_known())
    assert.equal("x", made.outputs.name:text())
  end)

  it("has the marks of facts, too", function()
    local made = assert(plan('resource "local_sensitive_file" "a" {\n filename = "f"\n content = "hunter2"\n}\noutput "o" {\n'
      .. ' sensitive = true\n value = local_sensitive_file.a.content\n}\n', { filename = { type = "string", required = true },
      content = { type = "string", optional = true } }, { "local", "resource_schemas", "local_sensitive_file" }))
    assert.same({ "sensitive" }, made.outputs.o:marks())
  end)
end)

describe("packages that are broken, or lie", function()
  setup(function() folder = support.temporary_folder() .. "/kept" end)

  local function refused(bytes, words)
    local found, why = import(bytes, ".x")
    assert.is_nil(found)
    assert.truthy(why:find(words, 1, true), why)
  end

  it("give clear errors", function()
    refused("", "it is empty")
    refused("hello", "isn't JSON")
    refused("{}", "neither a package")
    refused("[]", "neither a package")
    refused('{"provider_schemas":{"x":1}}', "no schemas of providers")
    refused("PK", "not a whole zip archive")
    refused(packages.zip { { "a.txt", "x" } }, "no bindings of a provider")
    refused(packages.gzip "x", "too early")
    refused(packages.gzip(("x"):rep(512)), "not a tar archive")
    refused(packages.gzip(packages.tar { { "package/lib/a/index.js", "x" } }), "no bindings of a provider")
    refused(packages.gzip(packages.tar { { "package/lib/a/index.js", "x", 8 ^ 10 } }), "more than 16777216 bytes")
    local inner = { { "x/_jsii/a.tgz", packages.tgz(shop) } }
    refused(packages.zip(inner, true, function(e) e.crc = 0 end), "damaged")
    refused(packages.zip(inner, true, function(e) e.size = e.size + 1 end), "damaged")
    refused(packages.zip(inner, true, function(e) e.size = 2 ^ 32 - 1 end), "more than 268435456 bytes")
    refused(packages.zip(inner, false, function(e) e.packed = e.packed + 2 ^ 20 end), "too early")
    refused(packages.zip(inner, false, function(e) e.method = 12 end), "not supported")
    refused(packages.zip(inner, false, function(e) e.at = e.at + 1 end), "damaged")
  end)

  it("are read without their false parts", function()
    local function compiled(map) return "x\n//# sourceMappingURL=data:application/json;base64," .. map end
    local files = packages.files(shop)
    for i, map in ipairs { "!!", "e30=", hcl.eval "base64encode(jsonencode({ sourcesContent = 1 }))",
                           hcl.eval "base64encode(jsonencode({ sourcesContent = [1, null, {}] }))", hcl.eval 'base64encode("[")' } do
      files[#files + 1] = { "package/lib/lie-" .. i .. "/index.js", compiled(map) }
    end
    -- A struct that contains itself, and a path that leads outside: no file is written under a name from an archive.
    local source = packages.source(shop, { mode = "resource", type = "shop_deep", rows = {
      { "a", "list", "optional+block", { { "a", "list", "optional+block", { "x string optional" } } } } } })
    source = source:gsub("ShopDeepAAList", "ShopDeepAList")
    files[#files + 1] = { "package/lib/../../../deep/index.js", packages.compiled(source) }
    files[#files + 1] = { "../../../../evil.schemas", "x" }
    local found = assert(import(packages.gzip(packages.tar(files)), ".tgz"))
    assert.same(assert(import(packages.tgz(shop), ".tgz"))[1].parts.provider, found[1].parts.provider)
    local deep = found[1].parts.resource_schemas.shop_deep
    assert.is_true(deep == nil or deep.block.block_types.a.block.attributes.a.open)
  end)

  it("leave no file, whichever byte is changed", function()
    local whole, random = wheel(shop), support.random(7)
    for i = 1, support.sample(60, 600) do
      local at = random(#whole)
      local bytes = i % 3 == 0 and whole:sub(1, at) or whole:sub(1, at - 1) .. string.char(random(256) - 1) .. whole:sub(at + 1)
      local found, why = import(bytes, ".whl")
      assert.is_true(found ~= nil or type(why) == "string")
      for _, provider in ipairs(found or {}) do importing.keep(folder, provider) end
      for _, name in ipairs(core.list_folder(nil, folder) or {}) do assert.truthy(name:find "%.schemas$") end
    end
  end)

  it("aren't kept under names that lead elsewhere", function()
    for _, source in ipairs { "../x", "a/b/c/d", "x", "a/../b", "/etc/x", "a b/c" } do
      assert.is_nil(importing.keep(folder, { source = source, parts = { provider = { provider = { block = {} } } } }))
    end
  end)

  it("count as missing if a kept file is damaged", function()
    keep(shop)
    local path = imported.provider(folder, "acme/shop").path
    local text = support.read(path)
    for _, torn in ipairs { "", text:sub(1, 40), text:sub(1, -2), text .. "x", "hclexpr schemas 2" .. text:sub(18), ("x"):rep(500) } do
      support.write(path, torn)
      assert.is_nil(imported.provider(folder, "acme/shop"))
    end
    support.write(path, text)
    assert.equal("1.4.2", imported.provider(folder, "acme/shop").version)
  end)
end)

describe("hclexpr schemas", function()
  local env
  setup(function()
    env = { env = "HCLEXPR_SCHEMAS=" .. cli.begin() .. "/kept" }
    cli.file("a/main.tf", required:format "~> 1.0" .. 'resource "shop_item" "a" {\n}\nresource "aws_x" "x" {\n}\n')
    cli.file("p.whl", wheel(shop))
  end)
  teardown(cli.finish)

  it("imports, lists, uses and removes", function()
    local line = "acme/shop 1.4.2 from @cdktn/provider-shop 3.0.0 (MPL-2.0)\n"
    cli.prints("nothing was imported\n", { "schemas", "-list" }, env)
    cli.prints(line, { "schemas", "-import", cli.folder .. "/p.whl" }, env)
    cli.prints(line, { "schemas", "-list" }, env)
    local status, out = cli.run({ "schemas", cli.folder .. "/a" }, env)
    assert.equal(0, status)
    assert.truthy(out:find("acme/shop      imported 1.4.2\nhashicorp/aws  none\n", 1, true), out)
    assert.truthy(out:find("  pip download --no-deps cdktn-provider-aws\n  hclexpr schemas -import cdktn_provider_aws-*.whl\n", 1, true))
    cli.fails(1, { "validate", cli.folder .. "/a" }, env)
    cli.prints("", { "schemas", "-remove", "acme/shop" }, env)
    cli.fails(1, { "schemas", "-remove", "acme/shop" }, env, "nothing was imported of acme/shop")
    cli.prints("nothing was imported\n", { "schemas", "-list" }, env)
    cli.fails(1, { "schemas", "-import", cli.folder .. "/a/main.tf" }, env, "can't be imported", "isn't JSON")
  end)

  it("imports from a pipe, and from nothing else that isn't a regular file", function()
    local command = ("%s %s schemas -import"):format(env.env, cli.line)
    local function of(line)
      return support.output(("cd %s && COLUMNS=200 %s 2>&1; true"):format(cli.root, line:format(command)))
    end
    local document = '{"provider_schemas":{"registry.terraform.io/acme/piped":{"provider":{"block":{}}}}}'
    assert.equal("acme/piped\n", of("printf %%s " .. cli.quote(document) .. " | %s /dev/stdin"))
    local named = ("mkfifo '%s/f'; timeout 20 env %%s '%s/f'"):format(cli.folder, cli.folder)
    local refused_lines = {
      ["printf PK | %s /dev/stdin"] = "it is a package in a pipe", ["%s /dev/zero"] = "it has more than 268435456 bytes",
      ["%s /tmp"] = "Is a directory", [named] = "it is a named pipe",
    }
    for line, words in pairs(refused_lines) do
      local said = of(line)
      assert.truthy(said:find("can't be imported: " .. words, 1, true), said)
    end
  end)
end)

describe("an editor", function()
  it("completes imported types, even those imported while it runs", function()
    folder = support.temporary_folder() .. "/kept"
    local text = required:format "~> 1.0" .. 'resource "shop_item" "a" {\n  \n}\nresource "" "b" {\n}\n'
    local dir = support.folder(text)
    local workspace = service.new { installed = folder }
    workspace:open(dir .. "/main.tf", text)
    local function labels(at)
      local found = {}
      for _, item in ipairs(workspace:complete(dir .. "/main.tf", at)) do found[item.label] = item.detail or true end
      return found
    end
    assert.is_nil(labels(text:find "\n  \n" + 2).password)
    keep(shop)
    workspace.documents.imported = nil -- it checks every other second
    assert.truthy(labels(text:find "\n  \n" + 2).password)
    assert.truthy(labels(text:find '"" "b"').shop_secret)
    assert.truthy(workspace:hover(dir .. "/main.tf", text:find "shop_item"))
    support.remove(dir)
  end)
end)

-- If a registry answers, its packages are compared with Terraform's output for the same providers (spec/modules/schemas). Newer versions
-- have more, and may no longer require what they required.
describe("packages of the registry", function()
  local has_json, json = pcall(require, "cjson")

  local function type_of(row)
    local nested, types = row.nested_type, {}
    if not nested then return row.type end
    for name, of in pairs(nested.attributes) do types[name] = type_of(of) end
    local object = { "object", types }
    return (nested.nesting_mode == "single" or nested.nesting_mode == "group") and object or { nested.nesting_mode, object }
  end

  local function compare(path, real, mine)
    for name, row in pairs(real.attributes or {}) do
      local own = mine.attributes[name]
      assert.is_not_nil(own, path .. "." .. name)
      assert.same(type_of(row), type_of(own), path .. "." .. name)
      assert.equal(row.computed or false, own.computed or false, path .. "." .. name)
    end
    for name, row in pairs(real.block_types or {}) do
      local own = mine.block_types[name]
      assert.is_not_nil(own, path .. "." .. name)
      assert.equal(row.nesting_mode, own.nesting_mode, path .. "." .. name)
      compare(path .. "." .. name, row.block, own.block)
    end
  end

  it("have the schemas that Terraform prints", function()
    if not support.whole then return end
    local dir = support.temporary_folder()
    local ok = has_json and support.has "pip"
      and support.runs("cd " .. dir .. " && timeout 120 pip download -q --no-deps cdktn-provider-random cdktn-provider-tls >log 2>&1")
    if not ok then return support.note "no packages are downloaded (lua-cjson, pip, a network)" end
    for _, name in ipairs { "random", "tls" } do
      local found = assert(importing.read((support.output("ls " .. dir .. "/*_" .. name .. "-*.whl"):gsub("\n", ""))))
      local _, real = next(json.decode(support.read(support.here() .. "schemas/" .. name .. ".json")).provider_schemas)
      for _, part in ipairs { "resource_schemas", "data_source_schemas" } do
        for type, row in pairs(real[part] or {}) do
          assert.is_not_nil(found[1].parts[part][type], type)
          compare(type, row.block, found[1].parts[part][type].block)
        end
      end
    end
  end)
end)
