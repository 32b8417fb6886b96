-- `require` for files that are loaded on first use. A hook or a lack of memory may end the loading. Lua 5.1 marks a file
-- as begun, and after such an end would refuse it for good: here the marks (userdata, or in LuaJIT odd numbers) are removed, so that the
-- next call loads it.
local loaded = package.loaded

local function forget_begun()
  local begun = {}
  for name, made in pairs(loaded) do
    local ours = type(name) == "string" and name:find "^hclexpr%."
    if ours and type(made) ~= "table" and type(made) ~= "function" then begun[#begun + 1] = name end
  end
  for _, name in ipairs(begun) do loaded[name] = nil end
end

---@param name string
---@return any
return function(name)
  local fine, made = pcall(require, name)
  if fine then return made end
  forget_begun()
  error(made, 0)
end
