-- The name `request`: each part of it, and requests of hostile clients.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../../support.lua")
local server = dofile(support.here() .. "server.lua")

local lacking = server.lacking()
if lacking then
  support.note(lacking .. ": requests not tested in nginx")
  return
end

describe("request", function()
  local nginx

  setup(function()
    local folder = support.temporary_folder()
    support.write(folder .. "/edge.hcl", 'tag = "one"\nallow = true\n')
    nginx = assert(server.start("{ file = '" .. folder .. "/edge.hcl', body_limit = 2000 }", { folder = folder }))
  end)
  teardown(function() if nginx then nginx:stop() end end)

  -- The result of an expression in the content phase, both with and without a plan.
  local function value(expression, path, more)
    return nginx:get("/eval" .. (path or ""), string.format("-g -H 'X-Expression: %s' %s", expression, more or ""))
  end

  it("has the request line, the client and the host", function()
    assert.are.equal('"GET"', value "request.method")
    assert.are.equal('"PUT"', value("request.method", "", "-X PUT"))
    assert.are.equal('"http"', value "request.scheme")
    assert.are.equal('"example.org"', value("request.host", "", "-H 'Host: Example.org:81'"))
    assert.are.equal(tostring(nginx.port), value "request.port")
    assert.are.equal('"/eval/a b"', value("request.path", "/x/../a%20b?q=1"))
    assert.are.equal('"/eval/x/../a%20b"', value("request.raw_path", "/x/../a%20b?q=1", "--path-as-is"))
    assert.are.equal('"127.0.0.1"', value "request.client.ip")
    assert.are.equal("true", value "request.client.port > 0")
    assert.are.equal("true", value "length(request.id) == 32 && request.id == request.id")
    assert.are.equal("true", value 'timecmp(request.time, "2020-01-01T00:00:00Z") > 0')
    assert.are.equal('"ada"', value "user.name")
  end)

  it("has headers, arguments and cookies by name, the first of several, and null for absent ones", function()
    assert.are.equal('"one"', value('request.headers["x-a"]', "", "-H 'X-A: one' -H 'x-a: two'"))
    assert.are.equal('["one", "two"]', value('request.headers_all["x-a"]', "", "-H 'X-A: one' -H 'x-a: two'"))
    assert.are.equal("null", value 'request.headers["x-a"]')
    -- A computed name works like a literal one.
    assert.are.equal('"one"', value('request.headers["X-${lower("A")}"]', "", "-H 'X-A: one'"))
    assert.are.equal("null", value 'request.headers["x-${lower("A")}"]')
    assert.are.equal('"web"', value('request.query[join("", ["te", "am"])]', "?team=web"))
    assert.are.equal("null", value("request.headers.x_a", "", "-H 'X-A: one'"))
    assert.are.equal('"1"', value("request.query.a", "?a=1&a=2&b&c="))
    assert.are.equal('["1", "2"]', value("request.query_all.a", "?a=1&a=2"))
    assert.are.equal('["", "", null]', value("[request.query.b, request.query.c, request.query.d]", "?b&c="))
    assert.are.equal('{ a = "x y", b = "" }', value("request.query", "?a=x%20y&b="))
    assert.are.equal('["1", "2=3", null]', value("[request.cookies.a, request.cookies.b, request.cookies.c]", "",
      "-H 'Cookie: a=1; b=2=3; a=9; c'"))
  end)

  it("fails by default, and as the option absent says, if the client left something out, by eval and by test", function()
    local function absent(expression, more)
      local said = nginx:fields("/absent" .. (more and "?a=1" or ""), string.format("-g -H 'X-Expression: %s' %s", expression, more or ""))
      assert.are.equal(said.error, said.default)
      return said
    end
    for _, name in ipairs { 'request.headers["x-team"]', "request.query.team", "request.cookies.team" } do
      local trap = absent(name .. ' != "blocked"')
      assert.are.equal("true nil true", trap.null)
      assert.are.equal("true nil", trap.nulltested)
      assert.are.equal("reference.absent true", trap.defaulttested)
      assert.are.equal("test.unknown true", trap.unknowntested)
      assert.are.equal("reference.absent true reference.absent", trap.error)
      assert.are.equal("result.unknown true test.unknown", trap.unknown)
      local same = absent(name .. ' == "blocked"')
      assert.are.equal("false nil false", same.null)
      assert.are.equal("reference.absent true reference.absent", same.error)
      assert.are.equal("result.unknown true test.unknown", same.unknown)
      local bare = absent(name)
      assert.are.equal("null nil test.null", bare.null)
      assert.are.equal("test.null nil", bare.nulltested)
      assert.are.equal("reference.absent true reference.absent", bare.error)
      assert.are.equal("result.unknown true test.unknown", bare.unknown)
      local given = absent('try(' .. name .. ', "none") != "blocked"')
      assert.are.equal("true nil true", given.error)
    end
    for _, word in ipairs { "null", "error", "unknown" } do
      assert.are.equal("true nil true", absent('request.headers["x-team"] != "blocked"', "-H 'X-Team: web'")[word])
      assert.are.equal("false nil false", absent('request.headers["x-team"] != "blocked"', "-H 'X-Team: blocked'")[word])
      assert.are.equal("true nil true", absent('lookup(request.headers, "x-team", "none") != "blocked"')[word])
    end
  end)

  it("has a body of bounded length in phases that can read it", function()
    assert.are.equal('"hello"', value("request.body", "", "-d hello"))
    assert.are.equal("1500", value("length(request.body)", "", "-d " .. ("x"):rep(1500)))
    assert.matches("body_limit", value("request.body", "", "-d " .. ("x"):rep(3000)), 1, true)
    assert.matches("body_limit", value("request.body", "", "-H 'Transfer-Encoding: chunked' -d " .. ("x"):rep(3000)), 1, true)
    assert.are.equal('""', value "request.body")
    local late = nginx:get("/late", "-D - -H 'X-Expression: request.body' -d hello")
    assert.matches("can't be read in the header_filter phase", late, 1, true)
  end)

  it("has the response only in later phases", function()
    local late = nginx:get("/late", [[-D - -H 'X-Expression: "${request.response.status} ${request.response.headers["x-kind"]}"']])
    assert.matches('X-Value: "202 late"', late, 1, true)
    assert.matches("The content phase has no response yet", value "request.response.status", 1, true)
  end)

  it("reports an unknown part", function()
    assert.matches("method", value "request.metod", 1, true)
    assert.matches("ip and port", value "request.client.mac", 1, true)
  end)

  it("has a value or a clear diagnostic for any bytes of a client", function()
    local long = ("h"):rep(8000)
    assert.are.equal("8000", value('length(request.headers["x-long"])', "", "-H 'X-Long: " .. long .. "'"))
    local cookies = {}
    for i = 1, 100 do cookies[i] = "c" .. i .. "=" .. i end
    assert.are.equal('"99"', value("request.cookies.c99", "", "-b '" .. table.concat(cookies, "; ") .. "'"))
    assert.matches("UTF%-8", value('request.headers["x-bad"]', "", "-H \"X-Bad: $(printf 'a\\377b')\""))
    assert.matches("UTF%-8", value("request.query.a", "?a=%ff"))
    assert.matches("UTF%-8", value("request.path", "/%ff"))
    -- A part that isn't text affects only the expressions that read it.
    assert.are.equal('"GET"', value("request.method", "/%ff?a=%ff"))
    assert.are.equal('"1"', value("request.query.b", "?a=%ff&b=1"))
    assert.are.equal('"a\\u0000b"', value("request.query.a", "?a=a%00b"))
    local arguments = {}
    for i = 1, 10000 do arguments[i] = "a" .. i .. "=1" end
    local file = support.temporary_file('url = "' .. nginx:url "/eval?" .. table.concat(arguments, "&") .. '"\n')
    local text = server.run(string.format("curl -s -m 10 -H 'X-Expression: request.query.a9999' -K '%s'", file))
    os.remove(file)
    assert.matches("more than 1000 arguments", text, 1, true)
    assert.are.equal("200", nginx:code "/rule")
  end)

  describe("of a client who wants to hold a worker up", function()
    -- A text of a kind with some length. nginx has room for 128 KB in each line.
    local kinds = {
      blanks = function(n) return (" "):rep(n) end,
      ["spaces before"] = function(n) return (" "):rep(n) .. "y" end,
      ["spaces within"] = function(n) return "x" .. (" "):rep(n) .. "y" end,
      ["spaces after"] = function(n) return "xy" .. (" "):rep(n) end,
      ["alternate spaces"] = function(n) return ("x "):rep(n / 2) end,
      ["tabs and spaces"] = function(n) return "x" .. (" \t"):rep(n / 2) .. "y" end,
      letters = function(n) return ("x"):rep(n) end,
    }
    for _, repeated in ipairs { "=", ";", ",", '"', "%", "%2", "&", "/", "../", "a=", "=;", " =", " ;", "=\"", "\\", "+", ":", "[" } do
      kinds[repeated .. " again and again"] = function(n) return repeated:rep(math.floor(n / #repeated)) end
    end

    local function escaped(text)
      return (text:gsub("[^%w]", function(c) return string.format("%%%02X", c:byte()) end))
    end

    -- The places of a text, and expressions that read it there.
    local places = {
      { "the value of a cookie", { "request.cookies" }, header = function(text) return "Cookie: a=" .. text .. "; b=1" end },
      { "the name of a cookie", { "request.cookies.b" }, header = function(text) return "Cookie: b" .. text .. "=1" end },
      { "all of a cookie", { "request.cookies" }, header = function(text) return "Cookie: " .. text end },
      { "a header", { 'request.headers["x-a"]', "request.headers_all" }, header = function(text) return "X-A: x" .. text end },
      { "several headers", { "request.cookies", "request" }, header = function(text)
        local one = text:sub(1, math.floor(#text / 3))
        return "Cookie: a=" .. one .. "\nCookie: " .. one .. "\nCookie: b" .. one
      end },
      { "forwarded addresses", { 'request.headers["x-forwarded-for"]' },
        header = function(text) return "X-Forwarded-For: 10.0.0.1" .. text end },
      { "an argument", { "request.query.a", "request.query_all" }, path = function(text) return "?a=" .. escaped(text) end },
      { "all arguments", { "request.query" }, path = function(text) return "?" .. text:gsub("[^%w=&;+%%/,]", "%%20") end },
      { "the path", { "request.path", "request.raw_path" }, path = function(text) return "/" .. escaped(text) end },
    }

    -- Processor time in seconds of a worker for an expression on each of some texts, all sent by one curl.
    local function costs(place, asked)
      local config = {}
      for i, one in ipairs(asked) do
        local headers = nginx.folder .. "/headers" .. i
        local header = place.header and place.header(one.text) or "X-None: 1"
        support.write(headers, "X-Expression: " .. one.expression .. "\n" .. header .. "\n")
        config[i] = string.format('silent\nmax-time = 10\npath-as-is\ngloboff\nurl = "%s"\nheader = "@%s"\nwrite-out = "\\n--\\n"\n',
          nginx:url("/cost" .. (place.path and place.path(one.text) or "")), headers)
      end
      support.write(nginx.folder .. "/curl", table.concat(config, "next\n"))
      local out = {}
      for said in server.run(string.format("curl -K '%s/curl'", nginx.folder)):gmatch "(.-)\n%-%-" do
        -- Requests that nginx itself rejects reach no rule; a client without an answer waits for it.
        out[#out + 1] = tonumber(said:match "seconds=(%S+)") or said:find "<html>" and 0 or math.huge
      end
      assert.are.equal(#asked, #out)
      return out
    end

    -- 16 times the size; quadratic code takes 256 times as long. Other processes may run, so the shortest of several times counts.
    local function are_linear(place, some)
      local asked = {}
      for _, name in ipairs(some) do
        for _, expression in ipairs(place[2]) do
          asked[#asked + 1] = { expression = expression, text = kinds[name](2000), name = name .. ", " .. expression }
          asked[#asked + 1] = { expression = expression, text = kinds[name](32000) }
        end
      end
      for round = 1, 3 do
        local seconds, slow = costs(place, asked), {}
        for i = 1, #asked, 2 do
          local one, other = asked[i], asked[i + 1]
          one.least, other.least = math.min(one.least or math.huge, seconds[i]), math.min(other.least or math.huge, seconds[i + 1])
          if other.least > 80 * math.max(one.least, 0.00005) then
            slow[#slow + 1], slow[#slow + 2] = one, other
            assert.is_true(round < 3, string.format("%s: %g s, then %g s", one.name, one.least, other.least))
          end
        end
        asked = slow
        if #asked == 0 then return end
      end
    end

    -- At each place a sample of the kinds, so that all kinds appear somewhere.
    local ONE_IN, names = support.sample(3, 1), support.keys(kinds)
    for number, place in ipairs(places) do
      it("reads " .. place[1] .. " in linear time", function()
        local some = {}
        for i = number % ONE_IN + 1, #names, ONE_IN do some[#some + 1] = names[i] end
        are_linear(place, some)
      end)
    end
  end)

  it("reports whether the client is the cause of a failed rule", function()
    local function bad(expression, path, more)
      local said = nginx:fields("/cost" .. (path or ""), string.format("-g -H 'X-Expression: %s' %s", expression, more or ""))
      assert.are.equal("true", said.fails, expression)
      return said.bad
    end
    local header = "-H \"X-Bad: $(printf 'a\\377b')\" -H \"Cookie: a=$(printf '\\377')\""
    for _, expression in ipairs { "request.path", 'startswith(request.path, "/")', '"${request.path}"', "upper(request.path)" } do
      assert.are.equal("true", bad(expression, "/%ff"))
    end
    for _, expression in ipairs { 'request.headers["x-bad"]', "request.headers", "request.headers_all", "request", "request.cookies.a",
      "[for name, value in request.cookies : value]", 'lookup(request.headers, "x-bad", null)', 'request[lower("COOKIES")]' } do
      assert.are.equal("true", bad(expression, "", header))
    end
    for _, expression in ipairs { "request.query.a", "request.query", "request.query_all" } do
      assert.are.equal("true", bad(expression, "?a=%ff"))
    end
    assert.are.equal("true", bad("request.query", "?%ff=1"))
    assert.are.equal("true", bad("request.body", "", "-d " .. ("x"):rep(3000)))
    assert.are.equal("true", bad("request.body", "", "-d \"$(printf '\\377')\""))
    assert.are.equal("true", bad("request.query.a", "?" .. ("a&"):rep(1001)))
    -- The rule is the cause, whatever the client sends.
    assert.are.equal("nil", bad("request.metod", "/%ff?a=%ff", header))
    assert.are.equal("nil", bad("nobody", "/%ff?a=%ff", header))
    assert.are.equal("nil", bad("1 + [request.method]", "/%ff?a=%ff", header))
    assert.are.equal("nil", bad("request.response"))
  end)
end)
