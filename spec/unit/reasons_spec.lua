-- The fields of diagnostics by which a program distinguishes causes with one code: name and reason.
local calls = require "hclexpr.calls"
local Findings = require "hclexpr.findings"
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local function fail(source, vars, scope)
  local value, err = hcl.eval(source, vars, scope)
  assert.is_nil(value)
  return err
end

describe("Diagnostics", function()
  it("say the name that they are about, and the reason where one code has several", function()
    local strict = hcl.scope { absent = "error" }
    local request = { request = { headers = { team = hcl.null }, key = "team", body = "\255" }, name = 1, template = "${o.keey}" }
    local rows = {
      { "nmae", "reference.unknown", "nmae", "similar" }, { "zzz.a", "reference.unknown", "zzz" },
      { "uper(1)", "call.unknown", "uper", "similar" }, { "frobnicate(1)", "call.unknown", "frobnicate" },
      { "len(1)", "call.unknown", "len" }, { "{ abc = 1 }.abd", "reference.attribute", "abd", "similar" },
      { 'file("x")', "call.failed", nil, "files" }, { 'abspath("a")', "call.failed", nil, "files" },
      { "plantimestamp()", "call.failed", nil, "plan_timestamp" },
      { "request.headers.team", "reference.absent", "request" }, { "request.headers[request.key]", "reference.absent", "request" },
      { "[for v in [request.headers] : v.team]", "reference.absent", "v" }, { "request.body", "data.text", "request" },
      { 'file("../x")', "call.argument", nil, "outside", hcl.scope { filesystem = support.here() } },
      { 'fileset("..", "*")', "call.failed", nil, "outside", hcl.scope { filesystem = support.here() } },
      { "timestamp()", "call.failed", nil, "clock", hcl.scope { clock = false } },
      { "uuid()", "call.failed", nil, "random", hcl.scope { random = false } },
      { 'try(1 + file("x"), file("y"))', "call.failed", nil, "files" }, { "try(nmae)", "call.failed", "nmae", "similar" },
      { "templatestring(template, { o = { key = 1 } })", "call.failed", nil, "similar" },
      { "templatestring(template, { o = sensitive({ key = 1 }) })", "call.failed" },
      { "upper()", "call.count" }, { 'upper("a" + 1)', "operator.operand" },
    }
    for _, row in ipairs(rows) do
      local d = fail(row[1], request, row[5] or strict)[1]
      assert.same({ row[1], row[2], row[3], row[4] }, { row[1], d.code, d.name, d.reason })
    end
    local made = hcl.diagnostic { summary = "Too many", reason = "many" }
    assert.equal("many", made[1].reason)
    assert.has_error(function() hcl.diagnostic { summary = "Too many", reason = 1 } end)
    local scope = hcl.scope { lookup = function() return nil, made end }
    assert.equal("many", select(2, hcl.eval("a", nil, scope))[1].reason)
  end)

  it("of described languages and of checked calls have them, too", function()
    local lang = require "hclexpr.language" { name = "x", attributes = { a = hcl.type "any" }, blocks = { port = { labels = { "name" },
      address = "port.{name}" } } }
    for name, reason in pairs { prot = "similar", zzz = false } do
      local _, err = lang:load { { path = "x.hcl", text = "a = " .. name .. ".b" } }
      assert.same({ "reference.unknown", name, reason }, { err[1].code, err[1].name, err[1].reason or false })
    end
    local findings = Findings.new()
    calls.check(hcl.assert(hcl.parse "a = [uper(1), frobnicate(1)]"), "x.hcl", findings)
    local err = findings:diagnostics()
    assert.same({ "call.unknown", "uper", "similar" }, { err[1].code, err[1].name, err[1].reason })
    assert.same({ "call.unknown", "frobnicate" }, { err[2].code, err[2].name, err[2].reason })
  end)

  it("of folders have reasons, too", function()
    local count = 'resource "terraform_data" "t" {\n  count = length(%s)\n}\n'
    local encrypted = '{ "meta": {}, "encrypted_data": "x" }'
    local rows = {
      { 'module "m" { source = "acme/a/b" }', "module.missing", "unfetched" },
      { 'module "m" { source = "./none" }', "module.missing" },
      { 'module "m" { source = "./m" }', "module.provider", nil, { ["m/main.tf"] = 'resource "a_b" "c" { provider = a.x }' } },
      { 'resource "a_b" "c" { provider = a.x }', "module.provider", "root" },
      { 'terraform { required_version = "~> 0.11" }', "module.version", "language" },
      { 'terraform { required_version = "1.2-beta" }', "module.version" },
      { "", "module.file", "encrypted", { s = encrypted }, { state = "s" } }, { "", "module.file", nil, {}, { state = "s" } },
      { 'data "terraform_remote_state" "r" {\n  backend = "local"\n  config = { path = "s" }\n}', "module.data", "encrypted",
        { s = encrypted }, { filesystem = true } },
      { 'data "a_b" "c" {}\n' .. count:format "data.a_b.c.d", "module.unread", "data", {}, { missing = "unknown" } },
      { 'variable "v" {}\n' .. count:format "var.v", "module.unread", "variable", {}, { missing = "unknown" } },
      { 'resource "a_b" "c" {}\n' .. count:format "a_b.c.d", "module.unread", "provider", {}, { missing = "unknown" } },
      { 'module "m" { source = "acme/a/b" }\n' .. count:format "module.m.d", "module.unread", "module", {}, { missing = "unknown" } },
      { count:format 'file("../x")', "module.unread", "outside", {}, { missing = "unknown" } },
    }
    for _, row in ipairs(rows) do
      local files, options = row[4] or {}, row[5]
      files["main.tf"] = row[1]
      local dir = support.folder(files)
      local module, err = hcl.module(dir, options and { missing = options.missing, state = options.state and dir .. "/s",
                                                        filesystem = options.filesystem and dir })
      if module then err = select(2, module:plan()) or module:plan().warnings end
      local found = {}
      for _, d in ipairs(err or {}) do
        if d.code == row[2] then found[#found + 1] = d.reason or false end
      end
      assert.same({ row[1], { row[3] or false } }, { row[1], found })
      support.remove(dir)
    end
  end)
end)
