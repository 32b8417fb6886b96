-- Rules of a file in nginx with two workers: the answers to clients while files change, break and disappear, and while workers die.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../../support.lua")
local here = support.here()
local server = dofile(here .. "server.lua")

local lacking = server.lacking()
if lacking then
  support.note(lacking .. ": rules not tested in nginx")
  return
end

local function rules(tag, allow)
  return string.format('tag = "%s"\nallow = %s\nroute "api" {\n  when = startswith(request.path, "/api")\n}\n', tag, allow or "true")
end

-- A file is replaced as a whole, as publishers should do.
local function replace(path, text)
  support.write(path .. ".new", text)
  assert(os.rename(path .. ".new", path))
end

-- Replaces the file by the result of a command in one step, by a link.
local function replace_by(path, make)
  local other = path .. "." .. make:match "^%l+"
  server.run(string.format("rm -rf '%s'; %s '%s'; ln -s '%s' '%s.link'; mv -T '%s.link' '%s'", other, make, other, other, path, path, path))
end

describe("resty.hclexpr with a file", function()
  local nginx, path

  -- Writes rules and waits until both workers have them; returns their version.
  local function put(tag, allow)
    replace(path, rules(tag, allow))
    return nginx:settled(tag)
  end

  -- Replaces the file by something that must be rejected and reported once, while the old version stays.
  local function refuses(text, make)
    local before = nginx:fields "/status".version
    local rejections = nginx:logged "is rejected" + 1
    make()
    nginx:waits_for_log("is rejected", rejections)
    assert.is_true(nginx:waits_for("/status", text), nginx:get "/status")
    assert.are.equal("200", nginx:code "/rule")
    nginx:looks(3)
    assert.are.equal(rejections, nginx:logged "is rejected")
    assert.are.equal(before, nginx:fields "/status".version)
  end

  setup(function()
    local folder = support.temporary_folder()
    path = folder .. "/edge.hcl"
    support.write(path, rules "first")
    nginx = assert(server.start("{ file = '" .. path .. "' }", { folder = folder }))
  end)
  teardown(function() if nginx then nginx:stop() end end)

  it("answers every request while versions change and nginx reloads, and each with one version", function()
    local loads = nginx:load("/rule", 4, 250)
    for i = 1, 5 do
      put("v" .. ("x"):rep(i))
      if i % 2 == 0 then nginx:signal "HUP" end
    end
    local lines = loads()
    assert.are.equal(1000, #lines)
    for _, line in ipairs(lines) do assert.matches("^%x+ %l+$", line) end
    -- A version and the tag in its text belong together.
    local tags = {}
    for _, line in ipairs(lines) do
      local version, tag = line:match "^(%x+) (%l+)$"
      assert.are.equal(tag, tags[version] or tag)
      tags[version] = tag
    end
  end)

  it("shows one version to a request in all its phases, its subrequest and after a redirect", function()
    local before = put "before"
    os.execute(string.format("curl -s '%s' >/dev/null &", nginx:url "/long?held=1"))
    assert.is_true(nginx:waits_for("/noted?peek=1", " access="))
    local after = put "after"
    assert.are_not.equal(before, after)
    nginx:get "/release"
    assert.is_true(nginx:waits_for("/noted?peek=1", " log="))
    local noted = nginx:get "/noted"
    for _, phase in ipairs { "rewrite", "access", "content", "inner", "after", "header_filter", "body_filter", "log" } do
      assert.matches(phase .. "=" .. before, noted, 1, true)
    end
    assert.is_nil(noted:find(after, 1, true))
  end)

  it("rejects texts that aren't rules, reports that once, and continues", function()
    put "good"
    refuses("edge.hcl line 2", function() replace(path, 'tag = "broken"\nallow = request.method ==\n') end)
    refuses("no attribute", function() replace(path, rules("typo", 'request.metod == "GET"')) end)
    refuses("nobody_has_it", function() replace(path, rules("some", "nobody_has_it(1)")) end)
    refuses("bool", function() replace(path, rules("kind", "[request.path]")) end)
    refuses("edge.hcl line", function() replace(path, rules "half":sub(1, -5)) end)
    refuses("empty", function() replace(path, "") end)
    refuses("does not exist", function() os.remove(path) end)
    refuses("folder", function() replace_by(path, "mkdir") end)
    refuses("not a regular file", function() replace_by(path, "mkfifo") end)
    refuses("symbolic links", function() replace_by(path, "ln -s edge.hcl.ln") end)
    refuses("larger", function() replace_by(path, "truncate -s 100M") end)
    put "back"
    assert.is_true(nginx:waits_for("/status", "refused=nil"))
  end)

  it("forgets a rejected text when the file is as before", function()
    local version = put "steady"
    refuses("edge.hcl", function() replace(path, "tag = ") end)
    replace(path, rules "steady")
    assert.is_true(nginx:waits_for("/status", "refused=nil"))
    assert.are.equal(version, nginx:fields "/status".version)
  end)

  it("runs the newest version in all workers after a reload, a death, a pause and a late start", function()
    put "old"
    local timers = nginx:workers()
    -- A reload reads the current file.
    replace(path, rules "reloaded")
    nginx:reload()
    put "next"
    -- A killed worker restarts with the text that init_by_lua read, and catches up.
    nginx:kill(nginx:worker_pids())
    assert.matches(" next", nginx:get "/rule", 1, true)
    local newest = put "newest"
    -- A stopped worker misses versions.
    local pid = nginx:worker_pids()[1]
    server.run("kill -STOP " .. pid)
    replace(path, rules "missed")
    assert.is_true(nginx:waits_for("/status", "tag=missed"))
    replace(path, rules "last")
    assert.is_true(nginx:waits_for("/status", "tag=last"))
    server.run("kill -CONT " .. pid)
    assert.are_not.equal(newest, nginx:settled "last")
    for worker, fields in pairs(nginx:workers()) do assert.are.equal(timers[worker].timers, fields.timers) end
  end)

  it("keeps the old workers if a reload finds a broken file", function()
    local version = put "sound"
    local pids, said = nginx:worker_pids(), nginx:logged "init_by_lua error"
    replace(path, "tag = ")
    nginx:signal "HUP"
    nginx:waits_for_log("init_by_lua error", said + 1)
    nginx:looks(3)
    assert.are.same(pids, nginx:worker_pids())
    assert.are.equal(version, nginx:fields "/status".version)
    put "mended"
  end)

  it("does not start with a broken file, and reports the error", function()
    local folder = support.temporary_folder()
    support.write(folder .. "/edge.hcl", 'tag = "x"\nallow = request.methd\n')
    local none, said = server.start("{ file = '" .. folder .. "/edge.hcl' }", { folder = folder })
    assert.is_nil(none)
    assert.matches("methd", said, 1, true)
    assert.matches("method", said, 1, true)
    support.remove(folder)
  end)

  it("rejects invalid options, and writes to shared data", function()
    local folder = support.temporary_folder()
    support.write(folder .. "/edge.hcl", 'tag = "x"\nallow = true\n')
    local none, said = server.start(([[(function()
      local said, new = {}, require("resty.hclexpr").new
      for i, more in ipairs { { name = "a b" }, { dict = "none" }, { file = false }, { folder = "x" }, { schema = false }, { keep = "x" },
        { interval = 0.01 }, { deadline = 31 }, { file = false, store = {} } } do
        local o = { name = "edge", dict = "rules", file = "FILE", schema = { attributes = { tag = {}, allow = {} } } }
        for name, value in pairs(more) do o[name] = value or nil end
        said[i] = select(2, pcall(new, o))
      end
      local schema = { attributes = { tag = {}, allow = {} } }
      local config = assert(new { name = "fixed", dict = "rules", file = "FILE", schema = schema }):config()
      said[#said + 1] = select(2, pcall(function() config.added = 1 end))
      error(table.concat(said, "!"), 0)
    end)()]]):gsub("FILE", folder .. "/edge.hcl"), { folder = folder })
    assert.is_nil(none)
    local messages = {}
    for message in said:match "bad.*":gmatch "[^!]+" do messages[#messages + 1] = message end
    for i, wanted in ipairs { "'name'", "'dict'", "'store' says", "'store' says", "'schema'", "'keep'", "'interval'", "'deadline'",
      "'store' must have", "may not be changed" } do
      assert.matches(wanted, messages[i] or "", 1, true)
    end
    support.remove(folder)
  end)

  it("affects one request alone if a callback raises an error, waits, or its client goes away", function()
    put("wild", 'explode(user.name) == asleep(user.name)')
    assert.are.equal("500", nginx:code "/rule?user=bad")
    assert.are.equal("200", nginx:code "/rule?user=good")
    local before = nginx:open_files()
    server.run(string.format("for i in 1 2 3 4 5 6 7 8; do curl -s -m 0.1 '%s' & done; wait", nginx:url "/rule?user=slow"))
    assert.are.equal("200", nginx:code "/rule?user=slow")
    assert.are.equal("200", nginx:code "/rule")
    nginx:closes(before)
    -- The header phase can't wait: there the callback raises an error, and nginx leaves this client without an answer.
    local answer = nginx.folder .. "/late"
    local ask = [[curl -s -H 'X-Expression: asleep("slow")' '%s' >'%s' 2>/dev/null & echo $!]]
    local client = server.run(ask:format(nginx:url "/late", answer))
    nginx:waits_for_log("API disabled in the context of header_filter_by_lua", 1)
    assert.are.equal("202", nginx:code("/late", [[-H 'X-Expression: asleep("quick")']]))
    server.run("kill " .. client)
    assert.are.equal("", support.read(answer))
    nginx:closes(before)
    put "tame"
  end)

  it("explains why this request was refused: the values its rule saw in its version, without counting", function()
    put("why", 'user.name == "ada" && !startswith(request.path, "/why")')
    local text = nginx:get "/why?user=ada"
    assert.matches('^false\n  user.name == "ada" +true\n', text)
    assert.matches('\n  !startswith%(request.path, "/why"%) +false', text)
    assert.matches('\n +user.name +"ada"\n', text)
    assert.matches('\n +request.path +"/why"\n', text)
    assert.matches("counted=0", text, 1, true)
    assert.matches('\n +request.headers%["x%-a"%] +"b"\n',
      nginx:get("/why", [[-H 'X-A: b' -H 'X-Expression: request.headers["x-a"] == "c"']]))
    -- A failing one has a tree, too.
    assert.matches("request.metod", nginx:get("/why", "-H 'X-Expression: request.metod == user.name'"), 1, true)
    assert.matches('no attribute "nam"', nginx:get("/why", "-H 'X-Expression: user.nam'"), 1, true)
  end)

  it("binds names for all evaluations of a request", function()
    put "bound"
    local answer = nginx:fields("/bound", "-H 'X-A: b'")
    assert.are.same({ "true", "true", "ada GET /bound", "eve GET /bound", "ada 4", "Error: No such attribute" },
      { answer.early, answer.same, answer.late, answer.other, answer.asks, answer.fails })
    assert.are.equal("false", answer.tests)
    assert.matches('user.name "ada"', answer.why, 1, true)
  end)

  it("frees versions that no request uses", function()
    put "before"
    local files = nginx:open_files()
    for i = 1, 8 do put("leak" .. ("x"):rep(i)) end
    for _, fields in pairs(nginx:workers()) do
      assert.are.equal("1", fields.versions)
      assert.are.equal("2", fields.timers)
    end
    nginx:closes(files)
  end)

  it("causes no warning of nginx while it loads a version", function()
    put "calm"
    assert.are.equal(0, nginx:logged "ngx.sleep(0)")
  end)

  it("counts evaluations and failures of all workers", function()
    local status = nginx:fields "/status"
    -- Each evaluation takes at least a few instructions, and all of them no more than the time that two workers had.
    local each = tonumber(status.seconds) / tonumber(status.evaluations)
    assert.is_true(each > 1e-8 and each < 1, status.seconds)
    local text = nginx:get "/metrics"
    assert.matches('hclexpr_evaluations_total{rules="edge"} %d+', text)
    assert.matches('hclexpr_version_info{rules="edge",version="' .. status.version .. '"} 1', text, 1, true)
    assert.matches('hclexpr_rejected{rules="edge"} 0', text, 1, true)
    local age = os.time() - tonumber(text:match 'hclexpr_version_timestamp_seconds{rules="edge"} (%S+)')
    assert.is_true(age >= -1 and age < 3600, text)
    for line in text:gmatch "[^\n]+" do
      assert.is_true(line:find "^# %u+ [%l_]+ " ~= nil or line:find '^[%l_]+{rules="edge"[^}]*} [%d.e+-]+$' ~= nil, line)
    end
  end)
end)
