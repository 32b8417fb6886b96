-- Functions of the program that ask the configuration which calls them: answers, circles, other coroutines.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local language = require "hclexpr.language"

local farm = language {
  name = "farm",
  functions = { ask = { params = { { name = "address", type = "string" } }, returns = "any" } },
  blocks = {
    locals = language.locals(),
    host = { labels = { "name" }, address = "host.{name}", for_each = true, attributes = {
      port = { type = "number", default = 80 }, next = "any", again = { default_from = "self.next" },
      keep = { type = "expression", types = { x = "number" } },
    }, blocks = { check = { attributes = { path = "any" } } } },
    strict = { labels = { "name" }, attributes = { port = "number" }, validation = {
      { condition = 'self.port < ask("host.a.port")', error_message = "no" } } },
  },
}

-- Opens a text whose function `ask` is `act`, which is given the configuration and the address.
local function open(text, act)
  local conf
  conf = farm:open({ { path = "a.hcl", text = text } }, { functions = { ask = function(address) return act(conf, address) end } })
  return conf
end

local function value(conf, address)
  local found, err = conf:eval(address)
  if err then return nil, tostring(err[1].detail) end
  return found
end

local chain = [[
host "a" {
  next = ask("host.b.next")
}
host "b" {
  next = host.c.next
}
host "c" {
  next = ask("host.a.next")
}
]]

describe("a callback that asks its own configuration", function()
  it("is answered", function()
    local calls = 0
    local text = 'host "a" {\n  next = ask("host.b.next")\n}\nhost "b" {\n  next = ask("host.b.port") + 1\n}\n'
    local conf = open(text, function(conf, address)
      calls = calls + 1
      return value(conf, address)
    end)
    assert.equal(81, conf:eval "host.a.next")
    assert.equal(81, conf:values().host[1].next)
    assert.equal(2, calls)
  end)

  it("learns of a circle, with its addresses", function()
    local conf = open(chain, value)
    local values, err = conf:values()
    assert.is_nil(values)
    assert.equal("call.failed", err[1].code)
    local text = tostring(err):gsub("%s+", " ")
    assert.matches("host.a.next depends on itself: a function that it calls asks for it, host.a.next → host.c.next → host.a.next", text, 1,
      true)
    for _, source in ipairs { "host.a.next", "host.a", "host.a.again", "local.x", "host" } do
      local itself = open('locals {\n  x = host.a.next\n}\nhost "a" {\n  next = ask("' .. source .. '")\n}\n', value)
      local _, why = value(itself, "host.a.next")
      assert.matches("host.a.next depends on itself: a function that it calls asks for it", why, 1, true)
    end
  end)

  it("may go on without an answer, and the next question has one", function()
    local told
    local conf = open('host "a" {\n  next = ask("host.b.next")\n}\nhost "b" {\n  next = host.a.next\n}\n', function(conf, address)
      local found, err = conf:value(address)
      told = err
      return found or 7
    end)
    assert.equal(7, conf:eval "host.a.next")
    assert.equal("module.cycle", told[1].code)
    assert.equal("a.hcl", told[1].range.filename)
    assert.equal(2, told[1].range.start.line)
    assert.equal(7, conf:eval "host.b.next")
    assert.equal(7, conf:values().host[2].next)
  end)

  it("learns of one by all questions", function()
    for _, act in ipairs {
      function(conf) return conf:values() end, function(conf) return conf:validate() end, function(conf) return conf:get "host.a" end,
      function(conf) return conf:get "host" end, function(conf) return conf:explain "host.a.next" end,
      function(conf) return conf:order "host" end, function(conf) return conf:value("self.next", { filename = "a.hcl", byte = 14 }) end,
    } do
      local conf = open('host "a" {\n  next = ask("")\n  keep = x + host.a.next\n}\n', function(conf)
        local _, err = act(conf)
        return nil, err[1].detail
      end)
      local _, err = conf:values()
      assert.matches("host.a.next depends on itself", tostring(err), 1, true)
    end
  end)

  it("learns of one in for_each, in blocks that are made, and in rules", function()
    local rows = {
      { 'host "a" {\n  for_each = ask("host.a")\n}\n', "host.a.for_each depends on itself" },
      { 'host "a" {\n  for_each = { x = 1 }\n  next     = ask("host.a")\n}\n', "host.a.next depends on itself" },
      { 'host "a" {\n  dynamic "check" {\n    for_each = ask("host.a.check")\n    content {}\n  }\n}\n', "depends on itself" },
      { 'host "a" {\n  dynamic "check" {\n    for_each = [1]\n    content {\n      path = ask("host.a.check")\n    }\n  }\n}\n',
        "depends on itself" },
    }
    for _, row in ipairs(rows) do
      local _, err = open(row[1], value):values()
      assert.matches(row[2], tostring(err), 1, true)
    end
    local conf = open('host "a" {}\nstrict "b" {\n  port = 8\n}\n', function(conf, address)
      local all, err = conf:values()
      assert.is_nil(all)
      assert.matches("the test of rules depends on itself", tostring(err), 1, true)
      return value(conf, address)
    end)
    assert.equal(8, assert(conf:values()).strict[1].port)
  end)

  it("may raise, and is called anew", function()
    local fails = true
    local conf = open(chain:gsub('"host.a.next"', '"host.c.port"'), function(conf, address)
      if address == "host.c.port" and fails then error "away" end
      return value(conf, address)
    end)
    for _ = 1, 3 do assert.has_error(function() conf:eval "host.b.next" end) end
    assert.has_error(function() conf:values() end)
    fails = false
    assert.equal(80, conf:eval "host.a.next")
    assert.equal(80, conf:values().host[1].next)
  end)

  it("may ask without end, until the stack has no room for more", function()
    local asked = 0
    local conf
    conf = open('locals {\n  a = ask("")\n}\n', function()
      asked = asked + 1
      return conf:eval(("ask(%q)"):format(asked))
    end)
    -- Each question looks for those around it; with a look at the whole stack, this takes minutes.
    local fine = pcall(conf.eval, conf, 'ask("")')
    assert.is_true(not fine or asked > 0)
  end)

  it("spends what the first question may", function()
    local text = 'locals {\n  all = [for n in range(20) : ask("length([for n in range(100) : n])")]\n}\nhost "a" {}\n'
    local function limited(act, steps)
      local conf
      conf = farm:open({ { text = text } }, { limits = { steps = steps }, functions = {
        ask = function(address) return act(conf, address) end,
      } })
      return conf
    end
    local function apart(conf, address)
      local thread = coroutine.create(value)
      return select(2, assert(coroutine.resume(thread, conf, address)))
    end
    local function endless(conf) return value(conf, 'ask("")') end
    for _, act in ipairs { value, apart } do
      for question, name in pairs {
        ["local.all"] = "eval", ['[for n in range(20) : ask("length([for n in range(100) : n])")]'] = "value",
      } do
        local conf = limited(act, 20000)
        assert.truthy(conf[name](conf, question))
        conf = limited(act, 2000)
        local found, err = conf[name](conf, question)
        assert.is_nil(found)
        assert.matches("steps", tostring(err), 1, true)
        assert.equal(100, conf:eval "length([for n in range(100) : n])") -- the next question has its own again
      end
    end
    local found, err = limited(endless, 2000):eval 'ask("")'
    assert.is_nil(found)
    assert.matches("steps", tostring(err), 1, true)
  end)

  it("may ask in a coroutine of its own, and yield", function()
    local conf = open(chain, function(conf, address)
      coroutine.yield(address)
      local thread = coroutine.create(function() return value(conf, address) end)
      local last
      while coroutine.status(thread) ~= "dead" do last = { assert(coroutine.resume(thread)) } end
      return last[2], last[3]
    end)
    local asked, ended = {}, nil
    local thread = coroutine.create(function() return value(conf, "host.a.next") end)
    while coroutine.status(thread) ~= "dead" do
      local _, first, why = assert(coroutine.resume(thread))
      ended = why or first
      asked[#asked + 1] = first
    end
    assert.matches("host.a.next → host.c.next → host.a.next", ended, 1, true)
    assert.same({ "host.b.next" }, asked)
  end)

  it("from another coroutine is refused while it waits", function()
    local conf = open('host "a" {\n  next = ask("x")\n}\nhost "b" {\n  next = host.a.next\n}\n', function() return coroutine.yield() end)
    local thread = coroutine.create(function() return conf:eval "host.b.next" end)
    assert(coroutine.resume(thread))
    assert.has_error(function() conf:eval "host.b.next" end, "host.a.next is being worked out by another coroutine, whose callback waits. "
      .. "Ask again once that has ended, or open the files once for each.")
    assert.equal(80, conf:eval "host.a.port")
    assert.same({ true, 5 }, { coroutine.resume(thread, 5) })
    assert.equal(5, conf:eval "host.b.next")
  end)

  it("begins anew where the coroutine was given up", function()
    local waits = true
    local conf = open('host "a" {\n  next = ask("x")\n}\n', function() return waits and coroutine.yield() or 6 end)
    assert(coroutine.resume(coroutine.create(function() return conf:eval "host.a.next" end)))
    waits = false
    for _ = 1, 3 do collectgarbage() end
    assert.equal(6, conf:eval "host.a.next")
  end)
end)

describe("random descriptions, files and callbacks", function()
  it("give values or diagnostics, and nothing that a torn file may change", function()
    local found, right = dofile(support.root .. "fuzz/languages.lua").run(120, 1, function(text) assert.equal("", text) end)
    assert.equal(0, found)
    assert.is_true(right > 20)
  end)
end)
