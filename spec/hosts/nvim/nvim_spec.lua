-- The module inside headless Neovim: it evaluates, and vim.diagnostic accepts its diagnostics.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../../support.lua")
local host = dofile(support.here() .. "../host.lua")

if not support.has "nvim" then
  support.note "Neovim is not installed: not tested there"
  return
end

describe("Neovim", function()
  local said = {}

  setup(function()
    local lua_path, lua_cpath = host.module_paths "jit"
    local folder = support.temporary_folder()
    local text = host.run(("cd '%s' && HOME='%s' XDG_STATE_HOME='%s' LUA_PATH='%s' LUA_CPATH='%s' timeout 300 " ..
      "nvim --headless -u NONE -i NONE -n -c 'luafile %s'"):format(folder, folder, folder, lua_path, lua_cpath,
      host.root .. "/spec/hosts/nvim/probe.lua"))
    for name, value in text:gmatch "([%a]+)=([^\r\n]*)" do said[name] = value end
    support.remove(folder)
    assert.is_nil(said.failed, text)
  end)

  it("evaluates", function()
    assert.are.equal("Hello, NVIM!", said.eval)
    assert.are.equal("true", said["nil"])
  end)

  it("shows diagnostics of a broken buffer", function()
    assert.is_true(tonumber(said.count) >= 1)
    assert.are.equal("true", said.severity)
    assert.are.equal("true", said.inside)
  end)

  it("counts columns in bytes", function()
    -- `"é" == nope`: four bytes of the string, then ` == `.
    assert.are.equal("8", said.column)
    assert.are.equal("12", said["end"])
  end)

  it("lets a function wait for the event loop", function()
    assert.matches("2, 4, 6", said.waited, 1, true)
    assert.are.equal("dead", said.status)
  end)

  it("loads nothing of the current folder", function()
    local folder = support.folder { ["main.tf"] = "", ["hclexpr/core.lua"] = "io.open('loaded', 'w'):close()" }
    support.write(folder .. "/hclexpr/core.so", "no object")
    local script = "lua local hcl, why = require('hclexpr.nvim').load() io.write(tostring(hcl and hcl.eval '1 + 1' or why))"
    local printed = host.run(("cd '%s' && env -u LUA_PATH -u LUA_CPATH HOME='%s' XDG_STATE_HOME='%s' timeout 300 nvim --headless "
      .. "-u NONE -i NONE -n --cmd 'set rtp^=%s' -c %q -c qa"):format(folder, folder, folder, host.root, script))
    assert.is_false(support.exists(folder .. "/loaded"), printed)
    assert.is_nil(printed:find("no object", 1, true), printed)
    support.remove(folder)
  end)
end)
