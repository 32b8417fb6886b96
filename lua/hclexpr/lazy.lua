-- Files that are loaded on first use. `lazy "hclexpr.x"` is a table in place of the file's, which loads it when a field is first read;
-- `lazy.load "hclexpr.x"` is `require`, for what is loaded late.
local loaded = package.loaded

-- Lua 5.1 marks a file as begun, and after a loading that a hook or a lack of memory ended would refuse it for good: here the marks
-- (userdata, or in LuaJIT odd numbers) are removed, so that the next call loads it.
local function forget_begun()
  local begun = {}
  for name, made in pairs(loaded) do
    local ours = type(name) == "string" and name:find "^hclexpr%."
    if ours and type(made) ~= "table" and type(made) ~= "function" then begun[#begun + 1] = name end
  end
  for _, name in ipairs(begun) do loaded[name] = nil end
end

local lazy = {}

---@param name string
---@return any
function lazy.load(name)
  local fine, made = pcall(require, name)
  if fine then return made end
  forget_begun()
  error(made, 0)
end

local function stand_in(_, name)
  return setmetatable({}, {
    __index = function(self, key)
      local value = lazy.load(name)[key]
      self[key] = value
      return value
    end,
  })
end

---@overload fun(name: string): any
return setmetatable(lazy, { __call = stand_in })
