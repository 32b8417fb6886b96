-- doc/openresty.md by copy and paste: runs its shell blocks in a new folder one after the other, and checks the promises in their comments.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../../support.lua")
local here = support.here()
local server = dofile(here .. "server.lua")
local host = dofile(here .. "../host.lua")

local lacking = server.lacking()
if lacking then
  support.note(lacking .. ": the guide for OpenResty not tested")
  return
end

describe("doc/openresty.md", function()
  it("works as written", function()
    local guide = support.read(support.root .. "doc/openresty.md")
    local folder, port = support.temporary_folder(), tostring(host.free_port())
    local blocks = {}
    for block in guide:gmatch "```sh\n(.-)```" do blocks[#blocks + 1] = block end
    local script = table.concat(blocks, "\n"):gsub("8080", port)
    script = script:gsub("/usr/share/nginx/modules", (server.modules():gsub("%%", "%%%%")))
    -- A person waits for some time; the spec waits until the event.
    local comes = { ("curl -s http://127.0.0.1:%s/ | grep -q good"):format(port), "grep -q 'is rejected' edge/logs/error.log" }
    script = script:gsub("sleep 1%.5", function() return "until " .. table.remove(comes, 1) .. "; do sleep 0.05; done" end)
    assert.are.equal(0, #comes)
    -- If run by root, workers may not read a folder of root's.
    if host.run "id -u" == "0" then script = script:gsub("events {}", "user root; events {}") end
    support.write(folder .. "/script", "cd '" .. folder .. "'\n" .. script)
    local lua_path, lua_cpath = host.module_paths "jit"
    local said = server.run(string.format("LUA_PATH='%s' LUA_CPATH='%s' timeout 300 sh '%s/script'", lua_path, lua_cpath, folder))
    local at = 1
    for _, line in ipairs { "hello 127.0.0.1\n", "403\n", "good day, 127.0.0.1\n", "good day, 127.0.0.1\n", 'Did you mean "path"?',
      'hclexpr_rejected{rules="edge"} 1' } do
      local _, stop = said:find(line, at, true)
      assert.truthy(stop, line .. " in:\n" .. said)
      at = stop
    end
    support.remove(folder)
  end)

  it("lists the phases in which a function may wait", function()
    local guide, wanted = support.read(support.root .. "doc/openresty.md"), {}
    local may = guide:match "\n| in | a function that waits |\n|[-|]+\n| ([^|]*) | delays"
    local raises = guide:match "\n| ([^|\n]*) | makes [^|\n]* raise"
    for name in may:gmatch "`([^`]+)`" do wanted[name:gsub("_by_lua$", "")] = "true" end
    for name in raises:gmatch "`([^`]+)`" do wanted[name:gsub("_by_lua$", "")] = "false" end
    assert.is_true(#support.keys(wanted) >= 14)

    local folder = support.temporary_folder()
    local secure = support.has "openssl"
    if secure then
      server.run(("cd '%s' && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout key.pem -out cert.pem -subj /CN=a"):format(folder))
    else
      support.note "openssl is not installed: ssl_certificate_by_lua not tested"
      wanted.ssl_certificate = nil
    end
    local phases = support.keys(wanted)
    local function block(phase, more) return ("%s_by_lua_block { probe '%s' %s }\n"):format(phase, phase, more or "") end
    support.write(folder .. "/phases.conf", [[
@MODULES@
daemon on;
pid @PREFIX@/nginx.pid;
error_log @PREFIX@/error.log notice;
@USER@
events {}
http {
  access_log off;
  client_body_temp_path @PREFIX@/body;
  proxy_temp_path @PREFIX@/proxy;
  fastcgi_temp_path @PREFIX@/fastcgi;
  uwsgi_temp_path @PREFIX@/uwsgi;
  scgi_temp_path @PREFIX@/scgi;
  lua_package_path "@LUA_PATH@";
  lua_package_cpath "@LUA_CPATH@";
  lua_shared_dict seen 1m;
  init_by_lua_block {
    local hcl = require "hclexpr"
    local rule = hcl.assert(hcl.compile "waits(1) > 0")
    local scope = hcl.scope { functions = { waits = function() ngx.sleep(0.001) return 10 end } }
    function probe(phase)
      local ok, said = pcall(rule.test, rule, {}, scope)
      ngx.shared.seen:add(phase, tostring(ok and said))
    end
    probe "init"
  }
  ]] .. block "init_worker" .. block "exit_worker" .. [[
  upstream balanced {
    server 127.0.0.1:1;
    ]] .. block "balancer" .. [[
  }
  server {
    listen 127.0.0.1:@PORT@;
    ]] .. block "server_rewrite" .. [[
    location /all {
      ]] .. block("set", "return ''"):gsub("lua_block", "lua_block $x") .. block "rewrite" .. block "access"
        .. block("content", "ngx.timer.at(0, function() probe 'ngx.timer' end) ngx.say 'ok'") .. block "header_filter"
        .. block "body_filter" .. block "log" .. [[
    }
    location /balanced { proxy_pass http://balanced; }
    location /seen { content_by_lua_block {
      for _, phase in ipairs(ngx.shared.seen:get_keys(0)) do ngx.say(phase, "=", ngx.shared.seen:get(phase), ";") end
    } }
  }
  ]] .. (secure and [[
  server {
    listen 127.0.0.1:@NEXT@ ssl;
    ssl_certificate @PREFIX@/cert.pem;
    ssl_certificate_key @PREFIX@/key.pem;
    ]] .. block "ssl_certificate" .. [[
    location / { return 204; }
  }
  ]] or "") .. [[
}
]])
    local nginx = assert(server.start("", { folder = folder, conf = folder .. "/phases.conf" }))
    assert.equal("ok", nginx:get "/all")
    nginx:get "/balanced"
    if secure then host.run(("curl -s -k -m 60 'https://127.0.0.1:%s/'"):format(nginx.values.NEXT)) end
    nginx:signal "HUP" -- the worker exits; another one shows the shared dictionary
    for _, phase in ipairs(phases) do
      local found, said = nginx:waits_for("/seen", phase .. "=" .. wanted[phase])
      assert.truthy(found, phase .. " is not " .. wanted[phase] .. ": " .. nginx:get "/seen" .. tostring(said))
    end
    nginx:stop()
  end)
end)
