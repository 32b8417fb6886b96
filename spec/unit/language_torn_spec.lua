-- What is known of a configuration in a described language while a file has syntax errors or can't be read.
dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local language = require "hclexpr.language"

describe("a torn file", function()
  local farm = language { name = "farm", blocks = {
    locals = language.locals(),
    host = { labels = { "name" }, address = "host.{name}", for_each = true,
             attributes = { port = { type = "number", default = 80 }, x = "any" },
             blocks = { one = { nesting = "single", attributes = { x = "any" } } } },
  } }

  it("leaves unknown what the rest of it may say", function()
    local whole = 'locals {\n  n = length(host)\n  p = host.a.port\n  x = host.a.x\n  w = host.a\n}\nhost "b" {\n  port = 1\n}\n'
    local conf = farm:open { { path = "a.hcl", text = whole }, { path = "b.hcl", text = 'host "a" {\n  x = 1\n  port = ' } }
    for _, source in ipairs { "local.n", "local.p", "local.x", "local.w", "host.a", "length(host)" } do
      local value, err = conf:eval(source)
      assert.is_nil(value, source)
      assert.matches("b.hcl", tostring(err), 1, true)
    end
    assert.equal(1, conf:eval "host.b.port")
  end)

  local layers = language { name = "layers", attributes = { level = { type = "number", default = 1 } }, blocks = {
    locals = language.locals(), variable = language.variables(),
    step = { labels = { "name" }, address = "step.{name}", duplicates = "last", attributes = { run = "any" } },
    main = { nesting = "single", address = "main", attributes = { n = { type = "number", default = 1 } } },
    user = { attributes = { of = { ref = "step" }, level = { value_from = "parent.level" } } },
  } }
  local step = 'step "a" {\n  run = 1\n}\n'

  it("may replace a block, so that nothing of it is known", function()
    for _, files in ipairs {
      { step, 'step "' }, { step, "= 1\n" }, { step .. "}\n", "" }, { step, "", 'step "b" {\n  run = [1\n}\n' }, { step, "{", json = true },
    } do
      local sources = {}
      for i, text in ipairs(files) do
        sources[i] = { path = i .. (files.json and i > 1 and ".json" or ".hcl"), text = text }
      end
      local conf = layers:open(sources)
      for _, source in ipairs { "step.a.run", "step.a", "length(step)" } do
        local value, err = conf:eval(source)
        assert.is_nil(value)
        assert.matches("isn't known: [123]%.%w+ line %d can't be read, and may declare it again%. Fix that first%.$", err[1].detail)
      end
      assert.is_nil((conf:get "step.a"))
      assert.same({}, select(3, conf:values()).step or {})
    end
    for _, files in ipairs { { "}\n" .. step }, { "}\n", step }, { 'step "a" {\n  run = [2\n}\n', step } } do
      local sources = {}
      for i, text in ipairs(files) do sources[i] = { path = i .. ".hcl", text = text } end
      assert.equal(1, layers:open(sources):eval "step.a.run")
    end
    local _, err = layers:open({ { path = "a.hcl", text = step }, "/nonexistent/b.hcl" }):eval "step.a.run"
    assert.equal("step.a isn't known: /nonexistent/b.hcl can't be read, and may declare it again. Fix that first.", err[1].detail)
    local user = { path = "b.hcl", text = "}\nuser {\n  of = step.a\n}\n" }
    assert.is_nil(select(3, layers:open({ { path = "a.hcl", text = step }, user }):values()).user[1].of)
  end)

  it("leaves unknown what isn't written in the rest", function()
    local conf = layers:open { { path = "a.hcl", text = 'user {}\nvariable "v" {\n  default = "hush"\n  sensitive = tr[' } }
    for _, source in ipairs { "main.n", "main", "var.v" } do assert.is_nil((conf:eval(source)), source) end
    assert.is_nil((conf:get "user"))
    assert.matches("main isn't known: a.hcl line 4 can't be read, and may declare it.", select(2, conf:eval "main.n")[1].detail, 1, true)
    assert.is_nil((layers:open({ { path = "a.hcl", text = 'step "a" ' } }):eval "step.a.run"))
  end)

  it("has no value of an expression that is cut", function()
    for _, text in ipairs { '"on', "[1", "[1,\n\n", "{ a = 1", "<<E\nfoo\n", "1 2", "1 @", "(1", "max(1", "true ? 1 :", '"${1' } do
      for _, rest in ipairs { "", "\n  y = 2\n}\n" } do
        local source = "locals {\n  x = " .. text .. rest
        local is_whole = text == "{ a = 1" and rest ~= "" -- the next brace ends it
        if not is_whole then assert.is_nil((layers:open({ { path = "a.hcl", text = source } }):eval "local.x"), source) end
      end
    end
    assert.is_nil((layers:open({ { path = "a.hcl", text = "locals {\n  x = 1" } }):eval "local.x"))
    assert.equal(1, layers:open({ { path = "a.hcl", text = "locals {\n  x = 1\n" } }):eval "local.x")
    assert.equal("a\n", layers:open({ { path = "a.hcl", text = "locals {\n  x = <<E\na\nE\n" } }):eval "local.x")
  end)

  it("or a whole one may generate a single block", function()
    local conf = farm:decode('host "a" {\n  dynamic "one" {\n    for_each = [5]\n    content {\n      x = one.value\n    }\n  }\n}\n')
    assert.equal(5, conf.host[1].one.x)
  end)
end)
