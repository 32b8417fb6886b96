-- Rules of a described language, in a LuaJIT with enough of nginx' library: their results, and rejected ones.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../../support.lua")
local without_nginx = dofile(support.here() .. "without_nginx.lua")
if not without_nginx.can then
  support.note "no LuaJIT: rules of a described language not tested"
  return
end

local language = require "hclexpr.language"
local request_type = require "hclexpr.fleet.request_type"

local function describe_edge(types)
  return language {
    name = "edge", types = { region = "string" },
    functions = { secret = { params = { { name = "name", type = "string" } }, returns = "string" } },
    blocks = {
      locals = language.locals(), variable = language.variables(),
      upstream = { labels = { "name" }, address = "upstream.{name}", attributes = { host = "string", token = "string" } },
      route = { labels = { "path" }, attributes = {
        to = { ref = "upstream", required = true }, when = { type = "expression", returns = "bool", types = types },
      } },
    },
  }
end

local edge = describe_edge { request = request_type, user = "string" }

local text = [[
locals {
  team = "mail-${region}"
}
variable "port" { type = number }
upstream "mail" {
  host  = "mail.example.org:${var.port}"
  token = secret("mail")
}
route "/admin" {
  to   = upstream.mail
  when = request.path == "/admin" && user == local.team && upstream.mail.token == "hush-mail"
}
route "/" {
  to   = upstream.mail
  when = local.team == "mail-eu"
}
route "/team" {
  to   = upstream.mail
  when = request.headers["x-team"] == "mail"
}
]]

describe("rules of a language", function()
  local version, texts, calls, go_on, rules

  local function new(more)
    local options = {
      name = "edge", dict = "rules", node = "here", language = edge, names = { region = "eu" }, variables = { port = 81 },
      functions = { secret = function(name)
        calls = calls + 1
        return "hush-" .. name
      end },
      store = { version = function() return version end, read = function(name) return texts[name] end },
    }
    for key, value in pairs(more or {}) do options[key] = value or nil end
    local made, why = require("resty.hclexpr").new(options)
    return made, why
  end

  before_each(function()
    version, texts, calls = "v1", { v1 = text }, 0
    go_on = without_nginx.begin()
  end)
  after_each(without_nginx.finish)

  local function begin()
    rules = assert(new())
    rules:start()
    go_on(true)
    return assert(rules:config())
  end

  it("are its values, with expressions that know the file and the request", function()
    local config = begin()
    local admin, any = config.route[1], config.route[2]
    assert.equal("mail.example.org:81", admin.to.host)
    assert.equal(config.upstream[1], admin.to)
    assert.equal(1, calls)
    assert.is_true(rules:test(admin.when, { user = "mail-eu" }))
    assert.is_false(rules:test(admin.when, { user = "ann" }))
    assert.is_true(rules:test(any.when))
    assert.matches("local.team", tostring(rules:explain(admin.when, { user = "ann" })), 1, true)
    assert.is_true(rules:request({ user = "mail-eu" }):eval(admin.when))
    assert.equal(1, calls) -- it is called once, when rules are loaded
    assert.has_error(function() admin.to.hots = "other" end)
  end)

  it("fail if a part is absent, and accept no other names", function()
    local config = begin()
    local value, err, bad = rules:test(config.route[3].when)
    assert.is_nil(value)
    assert.equal("reference.absent", err[1].code)
    assert.is_true(bad)
    local fine, why = pcall(rules.test, rules, config.route[2].when, { ["local"] = { team = "other" } })
    assert.is_false(fine)
    assert.matches("no name 'local' is declared for this expression", why, 1, true)
  end)

  it("are checked by the language before they are used", function()
    begin()
    local mistakes = {
      { "to   = upstream.mail", "to   = upstream.mial", 'Did you mean "upstream.mail"?' },
      { "request.path", "request.pat", 'Did you mean "path"?' },
      { 'variable "port"', 'variable "prt"', 'Did you mean "prt"?' },
      { 'secret("mail")', "secret()", "secret" },
    }
    for i, row in ipairs(mistakes) do
      version = "w" .. i
      texts[version] = text:gsub(row[1]:gsub("%p", "%%%0"), (row[2]:gsub("%%", "%%%%")), 1)
      go_on(true)
      local rejected = assert(rules:status().rejected, row[2])
      assert.equal(version, rejected.version)
      assert.matches(row[3], rejected.report, 1, true)
      assert.equal("v1", select(2, rules:config()))
    end
    version, texts.v2 = "v2", text:gsub("local.team ==", "local.team !=")
    go_on(true)
    assert.equal("v2", select(2, rules:config()))
    assert.is_false(rules:test(rules:config().route[2].when))
  end)

  it("are looked for again soon if the system's clock is set back", function()
    rules = assert(new { interval = 0.05 })
    rules:start()
    go_on(true, 86400)
    version, texts.v2 = "v2", texts.v1
    local clock = require "resty.hclexpr.clock"
    local ends = clock() + 0.1
    repeat until clock() > ends
    go_on(true, -3600)
    assert.equal("v2", select(2, rules:config()))
  end)

  it("need the options of the language, and none that it sets itself", function()
    local other = describe_edge { request = "object({ path = string })" }
    local rows = {
      { { schema = {} }, "option 'schema' can't be given with a language" },
      { { types = { user = "string" } }, "option 'types' can't be given with a language" },
      { { lookup = function() end }, "option 'lookup' can't be given with a language" },
      { { language = false }, "one of the options 'schema' and 'language'" },
      { { language = false, schema = {} }, "option 'names' goes with a language" },
      { { language = { name = "edge" } }, "option 'language' must be a language" },
      { { language = other }, "blocks.route.attributes.when.types.request: nodes have a type of their own" },
      { { language = language { name = "edge", types = { request = "string" } } }, "no request is there when rules are loaded" },
      { { functions = false }, "option 'functions': 'secret' is missing" },
      { { names = { region = "eu", regoin = "eu" } }, "the language has no name 'regoin'" },
    }
    for _, row in ipairs(rows) do
      local fine, why = pcall(new, row[1])
      assert.is_false(fine, row[2])
      assert.matches(row[2], why, 1, true)
      assert.matches("language_spec.lua", why, 1, true)
      assert.matches("bad argument #1 to 'new'", why, 1, true)
    end
  end)
end)
