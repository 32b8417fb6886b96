-- Loads files on first use. `lazy "hclexpr.x"` returns a proxy for the file's module, which loads the file when a field is first read.
-- `lazy.load "hclexpr.x"` loads the file now, like `require`.
local loaded = package.loaded

-- Removes marks of unfinished loading. Lua 5.1 marks a file in package.loaded before it loads it. If a hook or a lack of memory ends the
-- loading, the mark (userdata; in LuaJIT an odd number) remains, and `require` would reject the file from then on.
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
