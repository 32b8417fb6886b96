-- For LUA_INIT: records each marked block of the Lua layer that a process enters, in the file of HCLEXPR_REACH; see lua.lua, `marked`.
local file = assert(io.open(os.getenv "HCLEXPR_REACH", "a"))
file:setvbuf "line"

HCLEXPR_HIT = setmetatable({}, { -- luacheck: ignore 111
  __newindex = function(t, block)
    rawset(t, block, 1)
    file:write(block, "\n")
  end,
  -- A line that announces what follows; all blocks are recorded again.
  __call = function(t, text)
    for block in pairs(t) do t[block] = nil end
    file:write(text, "\n")
  end,
})
