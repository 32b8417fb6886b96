-- Rules of a file or folder in nginx with two workers: what clients see while files change, break and vanish, and while workers die.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../../support.lua")
local server = dofile(support.here() .. "server.lua")

local lacking = server.lacking()
if lacking then
  support.note(lacking .. ": rules not tested in nginx")
  return
end

local function rules(tag, allow)
  return string.format('tag = "%s"\nallow = %s\nroute "api" {\n  when = startswith(request.path, "/api")\n}\n', tag, allow or "true")
end

-- A file is replaced as a whole, as those who publish should.
local function replace(path, text)
  support.write(path .. ".new", text)
  assert(os.rename(path .. ".new", path))
end

describe("resty.hclexpr with a file", function()
  local nginx, path

  -- All workers answer with a tag; within two intervals of 0.1 s, but this machine may be busy.
  local function all_say(tag)
    for _, pid in ipairs { "0", "1" } do
      local ok = nginx:waits_for("/metrics", string.format('worker="%s",version="%s"', pid, nginx.version_of(tag)), 5)
      if not ok then return false end
    end
    return nginx:get "/rule":find(" " .. tag, 1, true) ~= nil
  end

  local function put(tag, allow)
    replace(path, rules(tag, allow))
    assert.is_true(nginx:waits_for("/rule", " " .. tag, 5))
    local version = nginx:get "/rule":match "^%S+"
    for worker = 0, 1 do
      assert.is_true(nginx:waits_for("/metrics", string.format('worker="%d",version="%s"', worker, version), 5))
    end
    return version
  end

  setup(function()
    local folder = support.temporary_folder()
    path = folder .. "/edge.hcl"
    support.write(path, rules "first")
    nginx = assert(server.start("{ file = '" .. path .. "' }", { folder = folder }))
  end)
  teardown(function() if nginx then nginx:stop() end end)

  -- Every request while f runs: how many, and those that didn't say one of the tags.
  local function under_requests(f)
    local out = nginx.folder .. "/answers"
    os.execute(string.format("(for i in 1 2 3 4; do curl -s -m 20 '%s?[1-300]' >'%s.'$i & done; wait; touch '%s.done') >/dev/null 2>&1 &",
      nginx:url "/rule", out, out))
    f()
    assert.is_true(server.wait("test -e '" .. out .. ".done'", 20))
    local n, wrong = 0, {}
    for i = 1, 4 do
      for line in support.read(out .. "." .. i):gmatch "[^\n]+" do
        n = n + 1
        if not line:find "^%x+ %l+$" then wrong[#wrong + 1] = line end
      end
    end
    host_remove(out)
    return n, wrong
  end
  function host_remove(out) server.run("rm -f '" .. out .. "'.*") end

  it("serves what the file says, and a new version under requests without one that fails", function()
    assert.matches(" first", nginx:get "/rule", 1, true)
    local n, wrong = under_requests(function()
      for i = 1, 5 do put("v" .. ("x"):rep(i)) end
    end)
    assert.are.same({}, wrong)
    assert.are.equal(1200, n)
  end)
end)
