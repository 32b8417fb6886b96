-- Polls of a source that would never end, and answers that are larger than rules.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../../support.lua")
local here = support.here()
local server = dofile(here .. "server.lua")
local host = dofile(here .. "../host.lua")

local lacking = server.lacking()
if lacking then
  support.note(lacking .. ": looks of rules not tested in nginx")
  return
end

describe("a look of resty.hclexpr", function()
  it("ends by its deadline, whatever a custom store waits for, and reports it", function()
    local folder = support.temporary_folder()
    local nginx = assert(server.start(([[{
      deadline = 0.3,
      store = (function()
        -- Only what the file `waits` names waits.
        local function wait(name)
          local file = io.open "%s/waits"
          local waits = file and file:read "*a"
          if file then file:close() end
          if waits == name then ngx.sleep(1000) end
          while waits == name .. " by and by" do ngx.sleep(0.01) end
          return waits
        end
        return {
          version = function() return wait "version" == "read" and "v2" or "v1" end,
          read = function(version)
            wait "read"
            return ('tag = "%%s"\nallow = true\n'):format(version == "v1" and "mine" or "yours")
          end,
          report = function()
            ngx.shared.rules:delete "edge:reported" -- at each poll
            wait "report"
            return true
          end,
        }
      end)() }]]):format(folder), { folder = folder }))
    nginx:settled "mine"
    for _, name in ipairs { "version", "version by and by", "read", "report" } do
      support.write(folder .. "/waits.new", name)
      assert(os.rename(folder .. "/waits.new", folder .. "/waits"))
      assert.is_true(nginx:waits_for("/status", "store=the look took more than 0.3 seconds"), nginx:log())
      os.remove(folder .. "/waits")
      assert.is_true(nginx:waits_for("/status", "store=ok"))
    end
    assert.is_true(nginx:logged "the look took more than 0.3 seconds" >= 4)
    nginx:stop()
  end)

  it("reports a source without room in its dictionary, once", function()
    local nginx = assert(server.start [[{
      store = {
        version = function()
          local n = ngx.shared.seen:incr("looks", 1, 0)
          if n == 5 then
            for size = 16, 0, -1 do
              local i = 0
              repeat i = i + 1 until not ngx.shared.rules:safe_set(size .. "x" .. i, ("y"):rep(2 ^ size))
            end
          end
          if n < 6 then return "v1" end
          return nil, "no answer for ages"
        end,
        read = function() return 'tag = "one"\nallow = true\n' end,
      } }]])
    assert.is_true(nginx:waits_for("/workers", "store=no answer for ages"), nginx:get "/workers")
    nginx:looks(20)
    local said = nginx:logged "no answer for ages"
    assert.is_true(said >= 1 and said <= 2, "each worker says it once: " .. said)
    local about = nginx:get "/workers"
    assert.matches('hclexpr_store_up{rules="edge"} 0', about, 1, true)
    -- The reason may be any text, so no label contains it.
    assert.is_nil(about:find '[,{]%l+="[^"]*no answer')
    nginx:stop()
  end)

  it("loads a version when the dictionary has room, and reports the lack of room once", function()
    local folder = support.temporary_folder()
    local nginx = assert(server.start(([[{
      store = {
        version = function()
          local dict, seen = ngx.shared.rules, ngx.shared.seen
          local function is_time(name)
            local file = io.open("%s/" .. name)
            if file then file:close() end
            return file and seen:add(name, true)
          end
          if is_time "full" then
            for size = 16, 8, -1 do
              local i = 0
              repeat i = i + 1 until not dict:safe_set(size .. "x" .. i, ("y"):rep(2 ^ size))
            end
          elseif is_time "room" then
            for size = 16, 8, -1 do
              for i = 1, 100000 do
                if not dict:get(size .. "x" .. i) then break end
                dict:delete(size .. "x" .. i)
              end
            end
            dict:flush_expired()
          end
          return seen:get "full" and "v2" or "v1"
        end,
        read = function(version) return ('tag = "%%s"\nallow = true\n'):format(version) .. ("#" .. (" "):rep(98) .. "\n"):rep(300) end,
      } }]]):format(folder), { folder = folder }))
    nginx:settled "v1"
    support.write(folder .. "/full", "")
    assert.is_true(nginx:waits_for("/workers", "no room"), nginx:get "/workers")
    assert.matches(" v1", nginx:get "/rule", 1, true)
    support.write(folder .. "/room", "")
    nginx:settled "v2"
    assert.is_true(nginx:logged "is rejected" <= 2, nginx:log())
    assert.is_true(nginx:waits_for("/metrics", 'hclexpr_rejected{rules="edge"} 0'))
    nginx:stop()
  end)

  local no_redis = not server.redis_client() and "no client for Redis"
    or not support.runs "luajit -e 'require [[socket]]'" and "no luajit with the module socket"
  if no_redis then return support.note(no_redis .. ": what pretends to be Redis not tested") end

  it("ends, and reads no more than rules may have, whatever Redis sends", function()
    local port = server.free_port()
    local false_redis = server.run(string.format("luajit './%sfalse_redis.lua' %d >/dev/null 2>&1 & echo $!", here, port))
    host.ends_with_us(false_redis, string.format("grep -q false_redis /proc/%s/cmdline", false_redis))
    local expected = {
      drip = "the look took more than 0.5 seconds", stall = "the look took more than 0.5 seconds", big = "over 8454144 bytes",
      line = "a line of over 4096 bytes", many = "an array of over 100 elements", nested = "over 100 lines",
      lot = "an array of", bytes = "over 8454144 bytes",
    }
    for key, fault in pairs(expected) do
      local folder = support.temporary_folder()
      support.write(folder .. "/last.hcl", '# hclexpr: version 1-0\ntag = "kept"\nallow = true\n')
      local source = "{ deadline = 0.5, store = require('resty.hclexpr.redis').new('redis://127.0.0.1:%d/0/%s', { timeout = 0.9 }), "
        .. "keep = '%s/last.hcl' }"
      local nginx = assert(server.start(source:format(port, key, folder), { folder = folder }))
      assert.is_true(nginx:waits_for("/status", fault), key .. ": " .. nginx:get "/status")
      assert.is_true(nginx:waits_for("/metrics", 'hclexpr_store_up{rules="edge"} 0'), key)
      local before = nginx:open_files()
      nginx:looks(2)
      assert.is_true(nginx:open_files() <= before + 2, key)
      assert.matches("1-0 kept", nginx:get "/rule", 1, true)
      nginx:stop()
    end
    server.run("kill " .. false_redis)
  end)
end)
