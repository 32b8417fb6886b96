-- Loads files on first use. `lazy "hclexpr.x"` returns a table that loads the file when a field is first read, and has its fields;
-- `lazy.load "hclexpr.x"` is a `require` for late loading.
local loaded = package.loaded

-- Removes the marks of files whose loading was begun and not finished. Lua 5.1 marks a file in package.loaded when it begins to load it. If
-- a hook or a lack of memory ends the loading, the mark (userdata, in LuaJIT an odd number) stays, and `require` would refuse the file for
-- good.
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
