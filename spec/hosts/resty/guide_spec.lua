-- doc/openresty.md by copy and paste: its shell blocks in a new folder, one after the other, and what their comments promise.
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
  it("does what it says", function()
    local guide = support.read(support.root .. "doc/openresty.md")
    local folder, port = support.temporary_folder(), tostring(host.free_port())
    local blocks = {}
    for block in guide:gmatch "```sh\n(.-)```" do blocks[#blocks + 1] = block end
    local script = table.concat(blocks, "\n"):gsub("8080", port)
    script = script:gsub("/usr/share/nginx/modules", (server.modules():gsub("%%", "%%%%")))
    -- A person waits for a while; here what is waited for comes when it comes.
    local comes = { ("curl -s http://127.0.0.1:%s/ | grep -q good"):format(port), "grep -q 'is rejected' edge/logs/error.log" }
    script = script:gsub("sleep 1%.5", function() return "until " .. table.remove(comes, 1) .. "; do sleep 0.05; done" end)
    assert.are.equal(0, #comes)
    -- As root, workers may not read a folder of root's.
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
end)
