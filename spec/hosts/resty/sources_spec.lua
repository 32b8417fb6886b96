-- Sources of rules other than a file and Redis, and the example.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../../support.lua")
local here = support.here()
local server = dofile(here .. "server.lua")
local host = dofile(here .. "../host.lua")

local lacking = server.lacking()
if lacking then
  support.note(lacking .. ": sources of rules not tested in nginx")
  return
end

describe("resty.hclexpr", function()
  it("reads the files of a folder as one body, and names the broken one", function()
    local folder = support.temporary_folder()
    server.run("mkdir '" .. folder .. "/edge.d'")
    local function put(name, text) support.write(folder .. "/edge.d/" .. name, text) end
    put("a.hcl", 'tag = "one"\n')
    put("b.hcl", "allow = true\n")
    local nginx = assert(server.start("{ dir = '" .. folder .. "/edge.d' }", { folder = folder }))
    assert.matches(" one", nginx:get "/rule", 1, true)
    put("c.hcl", 'route "more" {\n  when = request.methd == "GET"\n}\n')
    assert.is_true(nginx:waits_for("/status", "c.hcl line 2"), nginx:get "/status")
    put("c.hcl", 'route "more" {\n  when = request.method == "GET"\n}\n')
    put("a.hcl", 'tag = "two"\n')
    nginx:settled "two"
    put("d.hcl", 'tag = "again"\n')
    assert.is_true(nginx:waits_for("/status", "d.hcl line 1"), nginx:get "/status")
    assert.matches(" two", nginx:get "/rule", 1, true)
    nginx:stop()
  end)

  it("loads versions from a custom store, and reports the store's errors", function()
    local nginx = assert(server.start([[{
      store = (function()
        local looks = 0
        return {
          version = function()
            looks = looks + 1
            if looks == 3 then return nil, "no answer" end
            if looks == 5 then error "it broke" end
            if looks == 7 then return "v3\n" end
            return looks < 9 and "v1" or "v2"
          end,
          read = function(version)
            return ('tag = "%s"\nallow = true\n'):format(version == "v1" and "mine" or "yours")
          end,
        }
      end)() }]]))
    assert.is_true(nginx:waits_for("/rule", "v2 yours"))
    assert.is_true(nginx:logged "no answer" >= 1)
    assert.is_true(nginx:logged "it broke" >= 1)
    assert.is_true(nginx:logged "a version is one line" >= 1)
    nginx:stop()
  end)

  it("is asked as soon as a worker starts, however long the interval; and rules answer outside of requests, too", function()
    local nginx = assert(server.start([[{
      interval = 3600,
      store = {
        -- Meanwhile the other worker polls, and finds the lock taken.
        version = function()
          ngx.sleep(0.3)
          return "v1"
        end,
        read = function() return 'tag = "mine"\nallow = true\n' end,
      } }]]))
    nginx:settled "mine"
    assert.are.equal("v1 mine", nginx:get "/rule")
    local _, said = nginx:waits_for("/outside", "timer=")
    assert.matches("init_worker=no version yet", said, 1, true)
    assert.matches("timer=[nv]", said)
    nginx:stop()
  end)

  it("keeps the previous version if the next doesn't fit, also for a worker that starts later", function()
    local folder = support.temporary_folder()
    local nginx = assert(server.start(([[{
      store = {
        version = function()
          local file = io.open "%s/two"
          if file then file:close() end
          return file and "v2" or "v1"
        end,
        read = function(version)
          return ('tag = "%%s"\nallow = true\n'):format(version) .. ("#" .. (" "):rep(98) .. "\n"):rep(version == "v2" and 39000 or 10000)
        end,
      } }]]):format(folder), { folder = folder }))
    nginx:settled "v1"
    support.write(folder .. "/two", "")
    assert.is_true(nginx:waits_for("/status", "no room"), nginx:get "/status")
    nginx:kill { nginx:worker_pids()[1] }
    nginx:settled "v1"
    for _ = 1, 20 do assert.matches(" v1", nginx:get "/rule", 1, true) end
    nginx:stop()
  end)

  it("rejects more bytes than rules may have, without reading them", function()
    local nginx = assert(server.start([[{
      store = {
        version = function() return ngx.shared.seen:incr("looks", 1, 0) < 3 and "v1" or "v2" end,
        read = function(version) return 'tag = "one"\nallow = true\n' .. (" "):rep(version == "v2" and 9 * 2 ^ 20 or 0) end,
      } }]]))
    assert.is_true(nginx:waits_for("/status", "rules may have 8388608"), nginx:get "/status")
    assert.matches("v1 one", nginx:get "/rule", 1, true)
    nginx:stop()
  end)

  it("is asked by one worker at a time, whichever worker dies", function()
    local nginx = assert(server.start([[{
      store = {
        version = function()
          local seen = ngx.shared.seen
          ngx.update_time()
          local now, before = ngx.now(), seen:get "since" or 0
          seen:set("since", now)
          -- A worker that is delayed for longer has lost the lock.
          if seen:incr("inside", 1, 0) > 1 and now - before < 0.9 then seen:incr("overlaps", 1, 0) end
          ngx.sleep(0.02)
          seen:incr("inside", -1)
          return "v1"
        end,
        read = function() return 'tag = "one"\nallow = true\n' end,
      } }]]))
    nginx:settled "one"
    nginx:reload()
    nginx:signal "HUP"
    nginx:looks(20)
    assert.are.equal("0", nginx:fields "/seen".overlaps)
    nginx:stop()
  end)

  it("loads a version even if the worker that reads it dies", function()
    local folder = support.temporary_folder()
    local nginx = assert(server.start(([[{
      deadline = 30,
      store = {
        version = function()
          local file = io.open "%s/two"
          if file then file:close() end
          return file and "v2" or "v1"
        end,
        read = function(version)
          if version == "v2" and ngx.shared.seen:add("reader", ngx.worker.pid()) then ngx.sleep(60) end
          return ('tag = "%%s"\nallow = true\n'):format(version == "v1" and "one" or "two")
        end,
      } }]]):format(folder), { folder = folder }))
    nginx:settled "one"
    support.write(folder .. "/two", "")
    assert.is_true(server.wait("curl -s '" .. nginx:url "/seen" .. "' | grep -q 'reader=[1-9]'"))
    assert.matches("v1 one", nginx:get "/rule", 1, true)
    server.run("kill -KILL " .. nginx:fields "/seen".reader)
    assert.are.equal("v2", nginx:settled "two")
    nginx:stop()
  end)

  it("rejects on a node that lacks a function what other nodes can run", function()
    local folder = support.temporary_folder()
    local path = folder .. "/edge.hcl"
    support.write(path, 'tag = "one"\nallow = true\n')
    local can = assert(server.start("{ file = '" .. path .. "' }"))
    local lacks = assert(server.start("{ file = '" .. path .. "', lacks = 'explode' }"))
    support.write(path .. ".new", 'tag = "two"\nallow = explode("x") == "x"\n')
    os.rename(path .. ".new", path)
    can:settled "two"
    assert.is_true(lacks:waits_for("/status", "explode"))
    assert.matches(" one", lacks:get "/rule", 1, true)
    can:stop()
    lacks:stop()
    support.remove(folder)
  end)

  it("has an example whose rules decide like the same gateway in Lua", function()
    local said = server.run(("BUILD=build/test/jit PORT=%d timeout 300 '%s/examples/gateway/run'"):format(host.free_port(), host.root))
    local by_rules, n = nil, 0
    for line in said:gmatch "[^\n]+" do
      local by, answer = line:match "^  by (%l+) +(.*)$"
      if by == "rules" then
        by_rules = answer
      elseif by == "hand" and not answer:find "^/docs" then
        assert.are.equal(by_rules, answer)
        n = n + 1
      end
    end
    assert.are.equal(8, n, said)
    assert.matches("by rules  /docs/intro  no key      served by web-eu-1 200", said, 1, true)
    assert.matches('Did you mean "method"', said, 1, true)
    assert.matches("no entry for strangers to /api/users\n  false\n", said, 1, true)
    assert.matches('    user.plan != ""  +false.*      user.plan  +""\n    startswith%(request.path, "/public/"%)  +false\n'
                   .. '      request.path  +"/api/users"\n', said)
  end)

  it("has an example that answers 400 to bytes that aren't text, and doesn't log them", function()
    local folder, example = support.temporary_folder(), host.root .. "/examples/gateway/"
    support.write(folder .. "/gateway.hcl", support.read(example .. "gateway.hcl"))
    local nginx = assert(server.start("", { folder = folder, conf = example .. "nginx.conf" }))
    local by_hand = { port = nginx.port + 1 }
    for _, one in ipairs { nginx, setmetatable(by_hand, { __index = nginx }) } do
      for _, path in ipairs { "/public/%ff", "/%ff", "/api/%c3%28", "/%ed%a0%80", "/public/%f4%90%80%80", "/public/%e2%82" } do
        assert.are.equal("400", one:code(path))
      end
      assert.are.equal("200", one:code "/public/%e2%82%ac?%ff=%ff")
      assert.are.equal("200", one:code("/public/", "-H \"X-Trace: $(printf '\\377')\" -H \"Cookie: $(printf 'a=\\377')\""))
    end
    assert.are.equal(0, nginx:logged "[error]")
    nginx:stop()
  end)
end)
