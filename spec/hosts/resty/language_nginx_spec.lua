-- Rules of a described language in nginx, from a file and from Redis: requests, changes, mistakes, and versions that the command publishes.
-- The language is the one of doc/openresty.md.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../../support.lua")
local here = support.here()
local server = dofile(here .. "server.lua")
local host = dofile(here .. "../host.lua")

local lacking = server.lacking()
if lacking then
  support.note(lacking .. ": rules of a described language not tested in nginx")
  return
end

local text = [[
locals {
  team = "mail-${region}"
}
upstream "mail" {
  host  = "mail.example.org"
  port  = upstream.users.port + 1
  token = secret("mail")
}
upstream "users" {
  host = "users.example.org"
}
route "/mail" {
  to   = upstream.mail
  when = startswith(request.path, "/mail") && user == local.team
}
route "/users" {
  to   = upstream.users
  when = request.path == "/users"
}
]]

local function replace(path, source)
  support.write(path .. ".new", source)
  assert(os.rename(path .. ".new", path))
end

-- A folder with the description.
local function new_folder()
  local folder = support.temporary_folder()
  support.write(folder .. "/gate.lua", assert(support.read(support.root .. "doc/openresty.md"):match "```lua gate.lua\n(.-)```"))
  return folder
end

local function start(folder, source)
  return assert(server.start(source, { folder = folder, conf = here .. "language.conf" }))
end

describe("rules of a language in nginx", function()
  local nginx, redis, folder
  after_each(function()
    if nginx then nginx:stop() end
    if redis then redis:stop() end
    nginx, redis = nil, nil
  end)

  it("answer requests, change with their file, and stay where that has a mistake", function()
    folder = new_folder()
    local path = folder .. "/edge.gate.hcl"
    support.write(path, text)
    nginx = start(folder, ("{ file = '%s' }"):format(path))
    assert.matches("^%x+ /mail mail.example.org:81 hush%-mail", nginx:get "/mail/1?user=mail-eu")
    assert.matches("^%x+ none", nginx:get "/mail/1?user=ann")
    assert.matches("^%x+ /users users.example.org:80 nil", nginx:get "/users")

    replace(path, (text:gsub('"users.example.org"', '"users.example.org"\n  port = 8000')))
    assert.is_true(nginx:waits_for("/mail?user=mail-eu", "mail.example.org:8001"))
    local version = nginx:get("/users"):match "^%x+"

    for i, row in ipairs { { "upstream.mail\n", "upstream.mial\n", 'Did you mean "upstream.mail"?' },
      { "request.path ==", "request.pat ==", 'Did you mean "path"?' }, { '"users.example.org"', "upstream.mail.host", "sound" } } do
      local from, to = row[1]:gsub("%p", "%%%0"), row[2]:gsub("%%", "%%%%")
      replace(path, (text:gsub(from, to, 1)))
      assert.is_true(nginx:waits_for("/status", row[3]), nginx:get "/status")
      if i < 3 then assert.equal(version .. " /users users.example.org:8000 nil", (nginx:get("/users"):gsub("%s+$", ""))) end
    end
    assert.is_true(nginx:waits_for("/users", "mail.example.org:80"))
    nginx:reload()
    assert.matches("/users mail.example.org:80", nginx:get "/users", 1, true)
  end)

  it("come from Redis, where the command publishes what the language allows", function()
    local missing = server.lacking("redis-server", "redis-cli")
      or not pcall(require, "redis") and "the Lua module redis is not installed"
      or not server.redis_client() and "neither resty.redis nor nginx.redis is installed"
    if missing then
      support.note(missing .. ": rules of a described language from Redis not tested")
      return
    end
    redis = dofile(here .. "redis_server.lua").start(nil, "secret")
    folder = new_folder()
    local lua_path, lua_cpath = host.module_paths "jit"
    local function publish(source)
      support.write(folder .. "/new.hcl", source)
      return server.run(("HCLEXPR_REDIS_PASSWORD=secret LUA_PATH='%s' LUA_CPATH='%s' timeout 120 luajit -e %q /dev/null publish -language "
        .. "%s/gate.lua --wait %s/new.hcl %s"):format(lua_path, lua_cpath, "os.exit(require('hclexpr.cli').main({unpack(arg)}))", folder,
        folder, redis:url "edge"))
    end
    nginx = start(folder, ("{ store = require('resty.hclexpr.redis').new('%s', { timeout = 0.3 }) }"):format(redis:url("edge", "secret")))
    assert.matches("no version", nginx:get "/users")
    assert.matches("version 1", publish(text), 1, true)
    assert.is_true(nginx:waits_for("/mail?user=mail-eu", "/mail mail.example.org:81 hush-mail"))

    local said = publish((text:gsub("upstream.users\n", "upstream.user\n")))
    assert.matches('Did you mean "upstream.users"?', said, 1, true)
    assert.matches("nothing was published", said, 1, true)
    assert.matches("users.example.org:80", nginx:get "/users", 1, true)

    assert.matches("version 2", publish((text:gsub('"users.example.org"', '"new.example.org"'))), 1, true)
    assert.is_true(nginx:waits_for("/users", "/users new.example.org:80"))
  end)
end)
