-- Packages of bindings, documents of schemas and kept files of imported ones, with any content. Each input is the bytes of one layer, and
-- the layers around it are valid, so checksums and compression hide no mistake. The result is kept, read back, and used by a
-- folder. A violation is raised as a string. A target of libFuzzer is made from this (targets.lua).
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local imported = require "hclexpr.terraform.schema.imported"
local importing = require "hclexpr.terraform.schema.importing"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local answered = dofile(support.here() .. "bodies.lua").answered
local packages = dofile(support.root .. "spec/packages.lua")

---@class fuzz.packages
local M = {}

local ABOUT = { "package/package.json", '{"name":"@cdktn/provider-shop","version":"3.0.0","license":"MPL-2.0"}' }
local MAP = "\n//# sourceMappingURL=data:application/json;base64,"

local function tgz(files) return packages.gzip(packages.tar(files)) end
local function wheel(bytes) return packages.zip({ { "x/_jsii/provider.tgz", bytes } }, true) end
local function base64(bytes) return hcl.eval("base64encode(s)", { s = bytes }) end

--- Ways in which an input is a layer of a package, by its first letter.
M.ways = {
  f = function(bytes) return bytes end, -- the file itself, a document too
  t = function(bytes) return packages.gzip(bytes) end,
  w = wheel,
  c = function(bytes) return tgz { ABOUT, { "package/lib/a/index.js", bytes } } end,
  m = function(bytes)
    if not support.is_utf8(bytes) then return bytes end
    return tgz { ABOUT, { "package/lib/a/index.js", "x" .. MAP .. base64(bytes) } }
  end,
  -- The sources of one type in two files of a folder.
  s = function(bytes)
    if not support.is_utf8(bytes) then return bytes end
    local a, b = bytes:match "^(.-)\n%-%-%-%-\n(.*)$"
    local files = { ABOUT, { "package/lib/a/index.js", packages.compiled(a or bytes) } }
    if b then files[3] = { "package/lib/a/b.js", packages.compiled(b) } end
    return wheel(tgz(files))
  end,
  j = function(bytes) return tgz { { "package/package.json", bytes }, { "package/lib/a/index.js", packages.compiled(M.source) } } end,
  n = function(bytes) return tgz { ABOUT, { bytes:sub(1, 99), packages.compiled(M.source) } } end,
}

--- A small provider.
M.provider = {
  source = "acme/shop", version = "1.4.2",
  types = { { mode = "resource", type = "shop_item", rows = {
    "id string computed+optional", "name string required", "tags map optional", "password string optional",
    { "part", "list", "required+block", { "label string required" } } } } },
}
M.source = packages.source(M.provider, M.provider.types[1])

local root, main -- the folder of Terraform has a file whose text comes from the option `read`
local function folder()
  root, main = root or support.temporary_folder(), main or support.folder ""
  return root .. "/kept"
end

local function empty()
  for _, name in ipairs(core.list_folder(nil, folder()) or {}) do os.remove(folder() .. "/" .. name) end
end

-- Only schema files exist, and nothing beside their folder.
local function check_places()
  for _, name in ipairs(core.list_folder(nil, folder()) or {}) do
    if not name:find "^[^/]+%.schemas$" then error("left over: " .. name, 0) end
  end
  for _, name in ipairs(core.list_folder(nil, root) or {}) do
    if name ~= "kept/" then error("written outside: " .. name, 0) end
  end
end

local MODES = { resource_schemas = "resource", data_source_schemas = "data", ephemeral_resource_schemas = "ephemeral" }
local MOST = 3

-- A folder with some of the types that a provider has.
local function folder_of(of)
  local lines = { ('terraform {\n  required_providers {\n    x = { source = "%s" }\n  }\n}\nprovider "x" {\n}\n'):format(of.source) }
  for part, word in pairs(MODES) do
    local n = 0
    for name in imported.names(of, part) do
      n = n + 1
      if n > MOST then break end
      of.parts[part](name)
      lines[#lines + 1] = ('%s "%s" "a" {\n  provider = x\n  name     = "n"\n  part {\n  }\n}\n'):format(word, name)
      if word == "resource" then lines[#lines + 1] = ('output "o%d" {\n  value = %s.a\n}\n'):format(n, name) end
    end
  end
  return table.concat(lines)
end

local function use(of)
  local text = folder_of(of)
  local m, err, readable = hcl.module(main, {
    installed = folder(), missing = "unknown", read = function(path) return path == main .. "/main.tf" and text or nil end,
    scope = hcl.scope { clock = false, random = false, limits = { steps = 1e6, memory = 2 ^ 25, output = 2 ^ 22, depth = 200 } },
  })
  answered("module", m, err)
  m = m or readable
  if not m then return end
  answered("validate", m:validate())
  local plan, wrong = m:plan()
  if answered("plan", plan, wrong) then
    for _, row in ipairs(plan.resources) do assert(not row.value or #tostring(row.value) > 0) end
  end
  answered("plan_json", m:plan_json())
  assert(m:missing())
end

local function use_kept()
  for _, of in ipairs(imported.list(folder())) do use(of) end
end

-- The schema that was read is the one that is read back.
local function check_kept(provider)
  local path, why = importing.keep(folder(), provider)
  if not path then return assert(type(why) == "string") end
  local of = imported.provider(folder(), provider.source)
  if not of then error("what was kept can't be read", 0) end
  for part, rows in pairs(provider.parts) do
    for name, row in pairs(rows) do
      local given, back = core.value(row), of.parts[part] and of.parts[part](name)
      if given and name:find "^[%w_-]+$" and core.value(back) ~= given then error(part .. " " .. name .. " is read back as another", 0) end
    end
  end
end

-- A package, or a document, in a file.
local function import(bytes)
  local path = support.temporary_file(bytes)
  local ok, found, why = pcall(importing.read, path)
  os.remove(path)
  if not ok then error(found, 0) end
  if not found then
    if type(why) ~= "string" or why == "" then error("nothing was read, without words", 0) end
    return
  end
  for _, provider in ipairs(found) do check_kept(provider) end
end

--- A kept file with any content.
local function keep_bytes(bytes)
  core.make_folder(folder())
  support.write(folder() .. "/acme+shop.schemas", bytes)
end

local sound

--- The kept file of the small provider.
---@return string
function M.kept()
  if not sound then
    local path = support.temporary_file(packages.tgz(M.provider))
    sound = support.read((assert(importing.keep(folder(), assert(importing.read(path))[1]))))
    os.remove(path)
  end
  return sound
end

-- The same with bytes at places: four characters each, three for the place.
local function torn(bytes)
  local text = M.kept()
  for place, byte in bytes:gmatch "(%d%d%d)(.)" do
    local at = tonumber(place) % #text + 1
    text = text:sub(1, at - 1) .. byte .. text:sub(at + 1)
  end
  return text
end

--- One input: a letter for the way, and the bytes.
---@param bytes string
function M.check(bytes)
  local way, rest = bytes:sub(1, 1), bytes:sub(2)
  folder()
  empty()
  if way == "k" then keep_bytes(rest)
  elseif way == "x" then keep_bytes(torn(rest))
  else import((M.ways[way] or M.ways.f)(rest)) end
  use_kept()
  check_places()
end

--- Removes the folder that inputs use.
function M.close()
  for _, dir in ipairs { root, main } do support.remove(dir) end
  root, main, sound = nil, nil, nil
end

return M
