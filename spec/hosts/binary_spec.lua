-- One binary with the symbols of 5.1 serves both Lua 5.1 and LuaJIT, whichever headers it was built with; it exports nothing but
-- its entry points and needs no Lua library.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local host = dofile(support.here() .. "host.lua")

local function module_of(lua) return host.root .. "/build/test/" .. lua .. "/hclexpr/core.so" end

describe("the binary", function()
  for _, pair in ipairs { { "lua5.1", "jit" }, { "luajit", "5.1" } } do
    local program, built = pair[1], pair[2]
    it("built for " .. built .. " loads in " .. program, function()
      if not support.has(program) then
        support.note(program .. " is not installed: the module for " .. built .. " was not tried in it")
        return
      end
      -- `make test` runs 5.1 with the binary that was built for LuaJIT; `make nightly` leaves 5.1 out.
      if not support.exists(module_of(built)) then
        support.note("the module for " .. built .. " is not built: not tried in " .. program)
        return
      end
      local lua_path, lua_cpath = host.module_paths(built)
      local said = host.run(("LUA_PATH='%s' LUA_CPATH='%s' %s -e '%s'"):format(lua_path, lua_cpath, program,
        [[print(require("hclexpr").eval("[for n in range(3) : n * 2][2] + 0.5"))]]))
      assert.are.equal("4.5", said)
    end)
  end

  it("exports only its entry points and links no Lua", function()
    local n = 0
    for name in host.run("nm -D --defined-only '" .. module_of "jit" .. "'"):gmatch "%x+ %a ([^\n]+)" do
      assert.matches("^luaopen_hclexpr", name)
      n = n + 1
    end
    assert.is_true(n > 0)
    assert.is_nil(host.run("ldd '" .. module_of "jit" .. "'"):lower():find "liblua")
  end)
end)
