-- Loads the C core, hclexpr/core.so, by package.cpath. Without this file `require "hclexpr.core"` would first look for a Lua file, even
-- in the current folder, which may be a freshly cloned repository of someone else.

local function is_relative(path) return not (path:find "^[/\\]" or path:find "^%a:[/\\]") end

-- Entries of package.cpath that depend on the current folder are used only if this file itself was found by such an entry, as in a
-- checkout.
local source = debug.getinfo(1, "S").source
local looks_here = source:sub(1, 1) == "@" and is_relative(source:sub(2))

local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

local name, asked = ("hclexpr.core"):gsub("%.", package.config:sub(1, 1)), {}
for template in package.cpath:gmatch "[^;]+" do
  local path = template:gsub("%?", name)
  if looks_here or not is_relative(path) then
    if exists(path) then return assert(package.loadlib(path, "luaopen_hclexpr_core"))() end
    asked[#asked + 1] = "\n\tno file '" .. path .. "'"
  end
end
error("module 'hclexpr.core' not found:" .. table.concat(asked), 0)
