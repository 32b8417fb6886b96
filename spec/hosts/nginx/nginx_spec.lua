-- The module inside nginx: a rule compiled in init_by_lua decides in the access phase of two workers, and a function called within
-- a `for` expression does cosocket I/O.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../../support.lua")
local here = support.here()
local host = dofile(here .. "../host.lua")

local function lua_module()
  for _, folder in ipairs { "/usr/share/nginx/modules", "/usr/lib/nginx/modules", "/usr/lib64/nginx/modules" } do
    if support.exists(folder .. "/ngx_http_lua_module.so") then return folder end
  end
end

local modules = support.has "nginx" and support.has "curl" and lua_module()
if not modules then
  support.note "nginx with its Lua module, or curl, is not installed: not tested in nginx"
  return
end

local function fill(template, values)
  return (template:gsub("@(%u+[_%u]*)@", values))
end

describe("nginx", function()
  local folder, port, conf

  local function get(path) return host.run("curl -s -m 60 'http://127.0.0.1:" .. port .. path .. "'") end
  local function status(path, more)
    return host.run("curl -s -m 60 -o /dev/null -w '%{http_code}' " .. (more or "") .. " 'http://127.0.0.1:" .. port .. path .. "'")
  end

  setup(function()
    folder = support.temporary_folder()
    local lua_path, lua_cpath = host.module_paths "jit"
    local values = {
      PREFIX = folder, LUA_PATH = lua_path, LUA_CPATH = lua_cpath,
      MODULES = "load_module " .. modules .. "/ndk_http_module.so;\nload_module " .. modules .. "/ngx_http_lua_module.so;",
      USER = host.run "id -u" == "0" and "user root;" or "",
    }
    conf = folder .. "/nginx.conf"
    local said
    -- A port may be in use: try a few.
    for _ = 1, 5 do
      port = host.free_port()
      values.PORT = tostring(port)
      support.write(conf, fill(support.read(here .. "nginx.conf"), values))
      said = host.run("nginx -p '" .. folder .. "' -c '" .. conf .. "'")
      if not said:find "bind%(%) to" then break end
    end
    assert.is_nil(said:find "%[emerg%]", said)
    -- The master writes its number, then starts the workers.
    assert(host.wait("[ $(pgrep -c -P $(cat '" .. folder .. "/nginx.pid')) = 2 ]"))
    local pid = support.read(folder .. "/nginx.pid"):match "%d+"
    host.ends_with_us(pid, ("[ \"$(cat '%s/nginx.pid')\" = %s ]"):format(folder, pid))
  end)

  teardown(function()
    host.run("nginx -p '" .. folder .. "' -c '" .. conf .. "' -s stop")
    -- The folder is removed after the master has ended.
    host.wait("! test -e '" .. folder .. "/nginx.pid'")
    support.remove(folder)
  end)

  it("decides in the access phase", function()
    assert.are.equal("200", status "/guarded?key=open")
    assert.are.equal("403", status "/guarded?key=shut")
    assert.are.equal("403", status("/guarded?key=open", "-X POST -d x"))
  end)

  it("reports missing data of a rule", function()
    local text = get "/guarded"
    assert.matches("access.hcl line 1", text, 1, true)
    text = get "/broken"
    assert.matches("metod", text, 1, true)
    assert.matches("method", text, 1, true)
    assert.matches("^^^", text, 1, true)
  end)

  it("serves from both workers", function()
    local pids, n = {}, 0
    for _ = 1, 40 do
      local pid = get("/guarded?key=open"):match "welcome from (%d+)"
      if pid and not pids[pid] then
        pids[pid] = true
        n = n + 1
      end
      if n == 2 then break end
      -- Simultaneous connections are spread.
      host.run("for i in 1 2 3 4 5 6 7 8; do curl -s -m 60 'http://127.0.0.1:" .. port .. "/quotas' >/dev/null & done; wait")
    end
    assert.is_true(n >= 1)
    local workers = host.run("pgrep -c -P $(cat '" .. folder .. "/nginx.pid')")
    assert.are.equal("2", workers)
  end)

  it("lets a function in a for expression do cosocket I/O", function()
    assert.are.equal("ada=300 alan=400 grace=500", get "/quotas")
  end)

  it("keeps suspended evaluations of many requests apart", function()
    local text = host.run("for i in 1 2 3 4 5 6 7 8 9 10 11 12; do curl -s -m 60 'http://127.0.0.1:" .. port ..
      "/quotas' & done; wait")
    local n = 0
    for line in text:gmatch "[^\n]+" do
      assert.are.equal("ada=300 alan=400 grace=500", line)
      n = n + 1
    end
    assert.are.equal(12, n)
    local log = support.read(folder .. "/error.log")
    assert.is_nil(log:find "%[error%]", log)
  end)
end)
