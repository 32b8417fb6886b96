-- The languages of examples/languages, with their files.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local hcl = require "hclexpr"

local DIR = "examples/languages/"

local function described(name) return dofile(DIR .. name .. ".lua") end

local function fields(list, name)
  local found = {}
  for i, block in ipairs(list) do found[i] = block[name] end
  return found
end

describe("a described language", function()
  it("takes at most 40 lines", function()
    for _, name in ipairs { "gate", "pipeline", "alerts", "zone", "project" } do
      local _, n = support.read(DIR .. name .. ".lua"):gsub("\n", "")
      assert.is_true(n <= 40, name)
    end
  end)

  it("may be a gateway", function()
    local vault = { mail = "hush" }
    local conf = hcl.assert(described("gate"):load(DIR .. "edge.gate.hcl",
      { functions = { secret = function(name) return hcl.sensitive(vault[name]) end } }))
    local route = conf.route[1]
    assert.same({ "/mail", "mail.eu.example.org", 81 }, { route.path, route.to.host, route.to.port })
    assert.equal("hush", route.to.token:lua { sensitive = "reveal" })
    assert.is_true(route.when:test { request = { method = "GET", path = "/mail/1" } })
    assert.is_false(route.when:test { request = { method = "POST", path = "/mail/1" } })
  end)

  it("may be a pipeline", function()
    local pipeline = described("pipeline"):open(DIR .. "ci.pipeline.hcl", { names = { branch = "main" } })
    assert.is_true(pipeline:validate())
    local steps = pipeline:order "step"
    assert.same({ "build", "lint", "test", "test", "publish" }, fields(steps, "name"))
    assert.same({ "debian:12-arm64", "debian:12-amd64" }, { steps[3].image, steps[4].image })
    assert.same({ "lint", "test", "test" }, fields(steps[5].needs, "name"))
    assert.same({ 20, 10 }, { steps[1].minutes, steps[2].minutes })
  end)

  it("may be alert rules", function()
    local alerts = described "alerts"
    local rule = hcl.assert(alerts:load(DIR .. "web.alerts.hcl")).rule[1]
    assert.same({ "errors for 60 s", "to #ops" }, fields(rule.step, "message"))
    assert.same({ "warn", "page" }, fields(rule.step, "severity"))
    assert.equal("#ops", rule.team.lead.channel)
    assert.is_true(rule.when:test { metric = { errors = 10, requests = 100 } })
    assert.is_false(rule.when:test { metric = { errors = 10, requests = 20 } })
    local _, err = alerts:decode((support.read(DIR .. "web.alerts.hcl"):gsub("after = 60", "after = 6", 1)))
    assert.equal("language.rule", err[1].code)
    assert.equal("A step can't be earlier than 30 s.", err[1].detail)
  end)

  it("may be a DNS zone", function()
    local zone = hcl.assert(described("zone"):load(DIR .. "example.zone.hcl"))
    assert.same({ "cache.example.org.", "mx.example.org.", "www.example.org." }, fields(zone.host, "fqdn"))
    assert.same({ 60, 3600, 3600 }, fields(zone.host, "ttl"))
    assert.equal(zone.host[3], zone.alias[1].of)
    assert.equal("192.0.2.10", zone.mail[1].host.address)
  end)

  it("may be a project's, with a user's own file", function()
    local files = { DIR .. "team.project.hcl", DIR .. "mine.project.hcl" }
    local project = hcl.assert(described("project"):load(files, { names = { root = "/r" } }))
    assert.same({ "make test", "make -j8" }, fields(project.task, "command"))
    assert.same({ "/r", "/r/src" }, fields(project.task, "dir"))
    assert.equal(project.task[2], project.task[1].before[1])
    local formatter = project.formatter[1]
    assert.same({ { "lua-format" }, 120, false }, { formatter.command, formatter.width, formatter.on_save })
  end)
end)

describe("walks over loaded values", function()
  local steps = require "hclexpr.language" { name = "steps", blocks = { step = {
    labels = { "name" }, address = "step.{name}",
    attributes = { a = { refs = "step", cycles = true }, when = { type = "expression", types = { n = "number" } } },
  } } }

  -- Twenty levels of two references each to the same block. The last refers back to the first.
  local function diamond()
    local text = {}
    local block = 'step "s%d" {\n  a    = [step.s%d, step.s%d]\n  when = n > %d\n}\n'
    for i = 1, 20 do text[i] = block:format(i, i % 20 + 1, i % 20 + 1, i) end
    return hcl.assert(steps:decode(table.concat(text)))
  end

  it("visit each table once", function()
    local decode = dofile "lua/resty/hclexpr/decode.lua"
    assert.equal(20, #decode.collect(diamond()))
  end)

  it("stop in a cycle", function()
    local _, err = hcl.encode(diamond())
    assert.truthy(err)
    local value, why = hcl.value(diamond())
    assert.is_true(value == nil and why ~= nil)
  end)
end)
