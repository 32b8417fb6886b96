-- Rules that come from Redis: published, rejected, rolled back; and nodes that continue, and start, without it.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../../support.lua")
local here = support.here()
local server = dofile(here .. "server.lua")
local host = dofile(here .. "../host.lua")

local lacking = server.lacking("redis-server", "redis-cli")
if not lacking and not pcall(require, "redis") then lacking = "the Lua module redis is not installed" end
if not lacking and not server.redis_client() then lacking = "neither resty.redis nor nginx.redis is installed" end
if lacking then
  support.note(lacking .. ": rules from Redis not tested")
  return
end

local Redis = dofile(here .. "redis_server.lua")

describe("resty.hclexpr with Redis", function()
  local redis, nginx, url, folder, shown

  -- The command's output; the password is in the environment.
  local function hclexpr(...)
    local lua_path, lua_cpath = host.module_paths "jit"
    return server.run(string.format("SSL_CERT_FILE='%s/cert.pem' HCLEXPR_REDIS_PASSWORD=secret LUA_PATH='%s' LUA_CPATH='%s' "
      .. "timeout 120 luajit -e %q /dev/null %s", folder, lua_path, lua_cpath, "os.exit(require('hclexpr.cli').main({unpack(arg)}))",
      table.concat({ ... }, " ")))
  end

  -- An nginx with the rules of a URL.
  local function node(at)
    local source = "{ store = require('resty.hclexpr.redis').new('%s', { timeout = 0.3 }), keep = '%s/last.hcl' }"
    return assert(server.start(source:format(at, folder)))
  end

  local function publish(tag, allow, more)
    support.write(folder .. "/new.hcl", string.format('tag = "%s"\nallow = %s\n', tag, allow or "true"))
    return hclexpr("publish", folder .. "/new.hcl", shown, more or "")
  end

  setup(function()
    redis = Redis.start(nil, "secret")
    url, shown = redis:url("edge", "secret"), redis:url "edge"
    folder = support.temporary_folder()
    nginx = node(url)
  end)
  teardown(function()
    if nginx then nginx:stop() end
    redis:stop()
    support.remove(folder)
  end)

  it("has no version before one is published, and reports that", function()
    assert.are.equal("no version yet", nginx:get "/rule")
    assert.is_true(nginx:waits_for("/status", "no version was published"))
    assert.are.equal(1, nginx:logged "nothing is kept yet")
    assert.are.equal(0, nginx:logged "can be used")
  end)

  it("has a version on all workers when it is published, and reports it to the fleet", function()
    assert.are.equal("version 1", publish("one", nil, "--note 'the first'"))
    assert.matches("^1%-%x+$", nginx:settled "one")
    assert.is_true(server.wait("test -e '" .. folder .. "/last.hcl'"))
    local fleet = hclexpr("fleet", shown)
    assert.matches("%* 1  %d+%-%d+%-%d+T%S+  the first", fleet)
    assert.is_true(redis:waits_for("hget edge:node:node version", "1-"))
    assert.matches("node: version 1%-%x+ since", hclexpr("fleet", shown))
    assert.matches('"current": "1"', hclexpr("fleet", shown, "--json"), 1, true)
  end)

  it("publishes nothing broken", function()
    assert.matches("nothing was published", publish("two", "request.method =="), 1, true)
    assert.matches("no_such", publish("two", "no_such(1)"), 1, true)
    assert.matches("rules may have 8388608", publish("two", "true" .. (" "):rep(9 * 2 ^ 20)), 1, true)
    assert.matches("^%* 1", hclexpr("fleet", shown))
  end)

  it("checks names and types before it publishes, if a file gives them", function()
    support.write(folder .. "/types.hcl", "user = object({ name = string })\nfunctions {\n  explode = string\n}\n")
    local types = "--types '" .. folder .. "/types.hcl'"
    assert.matches('Did you mean "name"', publish("two", 'explode(user.nam) == "" && request.method == "GET"', types), 1, true)
    assert.matches('Did you mean "method"', publish("two", 'explode(user.name) == request.metod', types), 1, true)
    assert.matches("^%* 1", hclexpr("fleet", shown))
  end)

  it("rejects on the node what the node can't run, and reports the reason to the fleet", function()
    assert.are.equal("version 2", publish("two", "request.metod == \"GET\""))
    assert.is_true(nginx:waits_for("/status", "refused=2-"))
    assert.matches(" one", nginx:get "/rule", 1, true)
    assert.is_true(redis:waits_for("hget edge:node:node refused", "2-"))
    local fleet = hclexpr("fleet", shown)
    assert.matches("rejected version 2%-", fleet)
    assert.matches("metod", fleet, 1, true)
    assert.are.equal("version 1", hclexpr("rollback", shown))
    assert.is_true(nginx:waits_for("/status", "refused=nil"))
    assert.are.equal("version 3", publish "three")
    nginx:settled "three"
    assert.are.equal("version 1", hclexpr("rollback", shown, "1"))
    nginx:settled "one"
    assert.matches("version 9 is not kept", hclexpr("rollback", shown, "9"), 1, true)
  end)

  it("continues while Redis is slow, gone, or back without its data", function()
    redis:signal "STOP"
    assert.is_true(nginx:waits_for("/status", "timeout"), nginx:get "/status")
    assert.matches(" one", nginx:get "/rule", 1, true)
    redis:signal "CONT"
    assert.is_true(nginx:waits_for("/status", "store=ok"))
    publish "four"
    nginx:settled "four"
    redis:stop()
    assert.is_true(nginx:waits_for("/status", "connection refused"), nginx:get "/status")
    assert.matches(" four", nginx:get "/rule", 1, true)
    redis:run()
    assert.is_true(nginx:waits_for("/status", "no version was published"))
    assert.matches(" four", nginx:get "/rule", 1, true)
    -- It counts from 1 again, and this version 1 is another one.
    assert.are.equal("version 1", publish "five")
    nginx:settled "five"
    assert.is_true(nginx:waits_for("/status", "store=ok"))
  end)

  -- As with a full disk, except for the reason.
  it("continues if Redis accepts no writes, and reports that", function()
    redis:command "config set min-replicas-to-write 1"
    assert.matches("NOREPLICAS", publish "six", 1, true)
    assert.is_true(nginx:waits_for("/status", "NOREPLICAS"), nginx:get "/status")
    assert.matches(" five", nginx:get "/rule", 1, true)
    redis:command "config set min-replicas-to-write 0"
    assert.is_true(nginx:waits_for("/status", "store=ok"))
  end)

  it("accepts only a published version", function()
    publish "whole"
    nginx:settled "whole"
    redis:command "hset edge:9 text 'tag = 1' sha256 00"
    redis:command "hset edge current 9-00"
    assert.is_true(nginx:waits_for("/status", "SHA-256 differs"))
    redis:command "hset edge current nonsense"
    assert.is_true(nginx:waits_for("/status", "made by hclexpr publish"))
    assert.matches(" whole", nginx:get "/rule", 1, true)
    publish "next"
    nginx:settled "next"
  end)

  it("returns to the last version that ran and no node rejects, else to one that ran", function()
    local at = redis:url "back"
    local function report(name, version, refused)
      local text = support.read(support.root .. "lua/hclexpr/fleet/layout.lua"):match "layout.report = %[%[(.-)%]%]"
      support.write(folder .. "/report.lua", text)
      redis:command(("--eval %s/report.lua back , %s 1 30 version '%s' refused '%s' report no"):format(folder, name, version, refused))
    end
    local ids = {}
    for i = 1, 6 do
      support.write(folder .. "/new.hcl", ("allow = %d == 1\n"):format(i))
      assert.equal("version " .. i, hclexpr("publish", folder .. "/new.hcl", at))
      ids[i] = redis:command "hget back current"
    end
    local function rollback(...) return hclexpr("rollback", at, ...) end
    assert.matches("no older version has run on a node", rollback():gsub("%s+", " "), 1, true)
    assert.equal(ids[6], redis:command "hget back current")
    report("a", ids[1], "")
    report("b", ids[3], "")
    report("b", ids[5], "")
    report("a", "4-00000000", "") -- of a former Redis
    report("a", "9-00000000", "")
    report("a", "9-", "")
    assert.equal("0", redis:command "exists back:9")
    report("a", ids[3], ids[5])
    assert.equal("version 3", rollback())
    assert.equal("version 1", rollback())
    assert.matches("no older version has run", rollback():gsub("%s+", " "), 1, true)
    assert.equal("version 2", rollback "2")
    assert.equal("version 6", rollback "6")
    report("c", "", ids[3])
    report("c", "", ids[1])
    assert.matches("a rejected version 5", rollback "</dev/null", 1, true)
    assert.equal("version 5", rollback "--force")
  end)

  it("has commands that reject invalid version numbers, and change nothing", function()
    support.write(folder .. "/new.hcl", "allow = true\n")
    local at = redis:url "odd"
    for _, number in ipairs { "9007199254740991", "9007199254740994", "9223372036854775807", "1e300", "-5", "2.5", "words" } do
      redis:command("hset odd last " .. number .. " current x" .. number)
      assert.matches('field "last" of the hash is not the number', hclexpr("publish", folder .. "/new.hcl", at):gsub("%s+", " "), 1, true)
      assert.matches('field "current" of the hash is not the number', hclexpr("rollback", at):gsub("%s+", " "), 1, true)
      assert.equal("0", redis:command("exists odd:" .. number))
    end
  end)

  it("waits for nodes, and ends with an error while one rejects", function()
    local status = " 2>&1; echo \"status=$?\""
    assert.matches("^version %d+\n1 node runs it\nstatus=0$", publish("waited", "true", "--wait --timeout 100" .. status))
    assert.matches(" waited", nginx:get "/rule", 1, true)
    assert.matches("status=0", hclexpr("fleet", shown, status), 1, true)
    local said = publish("typo", 'request.metod == "GET"', "--wait" .. status)
    assert.matches("node rejects version %d+:\n.*metod.*status=1$", said)
    local typo = said:match "^version (%d+)"
    assert.matches(typo .. "%-%x+ node", redis:command "hkeys edge:refused")
    for _, format in ipairs { "", "--json" } do
      said = hclexpr("fleet", shown, format, status)
      assert.matches("metod", said, 1, true)
      assert.matches("status=1", said, 1, true)
    end
    said = hclexpr("publish", folder .. "/new.hcl", redis:url "other", "--wait --timeout 0.5")
    assert.matches("after 0.5 seconds no node has reported", said, 1, true)
    assert.matches("--timeout is a number of seconds", publish("none", "true", "--wait --timeout soon"), 1, true)
    publish("mended", "true", "--wait")
    assert.matches("status=0", hclexpr("fleet", shown, status), 1, true)
    -- No node rejects anything now, but that version is known.
    assert.matches("\n  " .. typo .. "  %S+ +%(rejected by node%)\n", hclexpr("fleet", shown))
    assert.matches('"refused_by": "node"', hclexpr("fleet", shown, "--json"), 1, true)
    said = hclexpr("rollback", shown, typo, "</dev/null", status)
    assert.matches("node rejected version " .. typo .. ":\n.*metod.*%-%-force goes back to version " .. typo .. ".*status=1$", said)
    nginx:settled "mended"
    -- The previous number is one that no node ran.
    assert.equal(("version %d\nstatus=0"):format(typo - 1), hclexpr("rollback", shown, "</dev/null", status))
    nginx:settled "waited"
    assert.equal(("version %d"):format(typo + 1), hclexpr("rollback", shown, typo + 1))
    nginx:settled "mended"
    if support.has "script" then
      local lua_path, lua_cpath = host.module_paths "jit"
      local command = string.format("HCLEXPR_REDIS_PASSWORD=secret LUA_PATH='%s' LUA_CPATH='%s' luajit -e \"os.exit(require('hclexpr.cli')"
        .. ".main({unpack(arg)}))\" /dev/null rollback %s %s", lua_path, lua_cpath, shown, typo)
      support.write(folder .. "/ask.sh", command .. "\n")
      said = server.run(string.format("echo n | script -qec 'sh %s/ask.sh' /dev/null", folder))
      assert.matches("all the same? [y/N]", said, 1, true)
      assert.matches("nothing was changed", said, 1, true)
      nginx:settled "mended"
    end
    assert.matches("version " .. typo .. "\nstatus=0", hclexpr("rollback", "--force", shown, typo, status), 1, true)
    assert.is_true(nginx:waits_for("/status", "refused=" .. typo .. "-"))
    publish("next", "true", "--wait")
    nginx:settled "next"
  end)

  it("starts without Redis from the kept file, and shows no password", function()
    assert.is_true(server.wait(("grep -q next '%s/last.hcl'"):format(folder)))
    redis:stop()
    local other = node(url)
    assert.matches(" next", other:get "/rule", 1, true)
    -- No one else may write the file from which a node starts.
    assert.matches("^%-rw%-%-%-%-%-%-%-", support.output(("ls -l '%s/last.hcl'"):format(folder)))
    assert.is_true(other:waits_for("/status", "connection refused"))
    assert.are.equal(0, other:logged "secret")
    other:stop()
    assert.are.equal(0, nginx:logged ":secret@")
  end)

  it("speaks TLS, and only with servers whose certificate it trusts", function()
    if not (support.has "openssl" and Redis.speaks_tls()) then
      return support.note "openssl or TLS of redis-server is missing: rediss:// not tested"
    end
    if not pcall(require, "ssl") then return support.note "luasec is not installed: rediss:// not tested" end
    server.run(string.format("cd '%s' && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout key.pem -out cert.pem"
      .. " -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1", folder))
    local secure = Redis.start(nil, "secret", folder)
    local at = secure:url "edge"
    assert.matches("^rediss:", at)
    support.write(folder .. "/new.hcl", 'tag = "tls"\nallow = true\n')
    assert.are.equal("version 1", hclexpr("publish", folder .. "/new.hcl", at))
    local source = string.format("{ store = require('resty.hclexpr.redis').new('%s', { timeout = 1 }) }", secure:url("edge", "secret"))
    local trusting = assert(server.start(source, { directives = "lua_ssl_trusted_certificate '" .. folder .. "/cert.pem';" }))
    trusting:settled "tls"
    local distrusting = assert(server.start(source))
    assert.is_true(distrusting:waits_for("/status", "certificate"), distrusting:get "/status")
    assert.are.equal("no version yet", distrusting:get "/rule")
    assert.are.equal(0, distrusting:logged "secret")
    trusting:stop()
    distrusting:stop()
    secure:stop()
  end)

  it("costs a line of the log when it is away, however the reason changes, and one when it is back", function()
    redis:run()
    publish "there"
    local one = node(url)
    one:settled "there"
    redis:signal "STOP"
    assert.is_true(one:waits_for("/status", "timeout"))
    redis:stop()
    assert.is_true(one:waits_for("/status", "connection refused"))
    redis:run()
    assert.is_true(one:waits_for("/status", "no version was published"))
    publish "back"
    one:settled "back"
    assert.is_true(one:waits_for("/status", "store=ok"))
    assert.are.equal(1, one:logged "the source can't be read")
    assert.are.equal(1, one:logged "the source answers again")
    assert.are.equal(0, one:logged "connect() failed")
    publish "next"
    one:settled "next"
    nginx:settled "next"
    assert.is_true(server.wait(("grep -q next '%s/last.hcl'"):format(folder)))
    one:stop()
    redis:stop()
  end)

  it("continues if Redis wants another password, or isn't Redis", function()
    redis:run()
    local wrong = node(redis:url("edge", "wrongword"))
    assert.is_true(wrong:waits_for("/status", "WRONGPASS"), wrong:get "/status")
    assert.matches(" next", wrong:get "/rule", 1, true)
    assert.are.equal(0, wrong:logged "wrongword")
    local nonsense = node(string.format("redis://127.0.0.1:%d/0/edge", nginx.port))
    assert.is_true(nonsense:waits_for("/status", "unknown prefix"), nonsense:get "/status")
    assert.matches(" next", nonsense:get "/rule", 1, true)
    wrong:stop()
    nonsense:stop()
  end)

  it("logs in as a user of Redis if the URL names one", function()
    redis:command "ACL SETUSER rules on '>secret' '~*' '&*' '+@all'"
    local named = redis:url("named", "secret"):gsub("//:", "//rules:")
    support.write(folder .. "/new.hcl", 'tag = "named"\nallow = true\n')
    assert.are.equal("version 1", hclexpr("publish", folder .. "/new.hcl", (named:gsub(":secret", ""))))
    local one = node(named)
    one:settled "named"
    assert.is_true(redis:waits_for("CLIENT LIST", "user=rules"))
    one:stop()
  end)

  it("has a command that gives up if a server never answers a TLS handshake", function()
    if not support.exists(folder .. "/cert.pem") then return support.note "no certificate was made: rediss:// not tested" end
    assert.matches("no TLS", hclexpr("fleet", (shown:gsub("^redis:", "rediss:"))), 1, true)
  end)
end)
