-- Finds the folder that the source of a module call means.
local check = require "hclexpr.check"
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local hosts = lazy "hclexpr.terraform.language.hosts"
local Files = require "hclexpr.terraform.read.files"

local sources = {}

-- Patterns of sources that are fetched from elsewhere. Any other unknown source is probably a path that lacks "./".
local remote = {
  "^[%a][%w+.-]*:", "^[%w]+::", "^github%.com/[^/]+/[^/]+", "^bitbucket%.org/[^/]+/[^/]+", "^git@[^/]+:", "^/",
  "%.amazonaws%.com[./]", "%.googleapis%.com/",
}

local function is_word(text)
  return #text <= 64 and text:find "^%w[%w_-]*$" ~= nil and text:find "%w$" ~= nil
end

-- Hosts of repositories, which can't be registries.
local versioned_hosts = { ["github.com"] = true, ["bitbucket.org"] = true }

-- Returns true if a source is in a registry: [HOST/]NAMESPACE/NAME/SYSTEM, followed by "//" and the path of a folder in the module if
-- needed.
local function is_registry(source)
  local inner, parts = source:match "//(.*)$", {}
  if inner and core.clean_path(inner):find "^%.%./" then return false end
  for part in (source:gsub("//.*$", "") .. "/"):gmatch "([^/]*)/" do parts[#parts + 1] = part end
  local n = #parts
  if n ~= 3 and n ~= 4 then return false end
  local host = n == 4 and parts[1]:lower()
  if host and (not hosts.is_host(host) or not host:find "%." or versioned_hosts[host]) then return false end
  return is_word(parts[n - 2]) and is_word(parts[n - 1]) and parts[n]:find "^[%l%d]+$" ~= nil and #parts[n] <= 64
end

--- Returns true if a source is a path relative to the module's own folder.
---@param source string
---@return boolean
function sources.is_local(source)
  return source:find "^%.%.?[/\\]" ~= nil
end

--- Returns the kind of a source, "local", "registry" or "remote"; or nil and what is wrong with it.
---@param source string
---@param versioned boolean whether the call has a version; only those of registries may
---@return "local"|"registry"|"remote"|nil kind
---@return string? why
function sources.kind(source, versioned)
  local is_local = sources.is_local(source)
  if versioned then
    if not is_local and is_registry(source) then return "registry" end
    return nil, "Only modules from a registry have versions: NAMESPACE/NAME/SYSTEM. Remove version, or name such a module."
  end
  if is_local then return "local" end
  if is_registry(source) then return "registry" end
  for _, pattern in ipairs(remote) do
    if source:find(pattern) then return "remote" end
  end
  return nil, string.format("%s is not the address of a module. A relative folder begins with ./ or ../, such as %s", core.quote(source),
    core.quote("./" .. source))
end

--- The file in which `terraform init` lists the folders of fetched modules. The path is relative to the root's folder.
sources.MANIFEST = ".terraform/modules/modules.json"

--- Reads the folders of fetched modules, by the names of the calls that lead to them: "a.b".
---@param text? string the text of the file sources.MANIFEST
---@return table<string, string>
function sources.installed(text)
  local body = text and core.parse(text, { filename = "modules.json", syntax = "json-literal" })
  local list = body and body.attributes.Modules
  local value = list and list.expression:eval()
  local found = {}
  for _, row in ipairs(type(value) == "table" and value or {}) do
    if type(row) == "table" and type(row.Key) == "string" and type(row.Dir) == "string" then found[row.Key] = row.Dir end
  end
  return found
end

---@class hclexpr.module.Sources
---@field files hclexpr.module.Files
---@field dir string of the root
---@field before string the prefix of paths in `dir`
---@field ask? fun(source: string, version?: string): string?
local Sources = {}
Sources.__index = Sources

---@param files hclexpr.module.Files
---@param dir string
---@param ask? fun(source: string, version?: string): string?
---@return hclexpr.module.Sources
function sources.new(files, dir, ask)
  return setmetatable({ files = files, dir = dir, before = Files.join(dir, ""), ask = ask }, Sources)
end

-- Returns two forms of a folder's path: one to open, and one for path.module, which is relative to the root.
local function from_root(self, path)
  if path:find "^/" then return path, path end
  return core.clean_path(self.before .. path), path
end

--- Returns the folder that the host gives for a source, in the two forms of from_root, or nil.
---@param source string
---@param version? string
---@return string? dir
---@return string? path
function Sources:given(source, version)
  local given = self.ask and check.given("source", source, self.ask(source, version))
  if not given then return nil end
  local root, whole = core.absolute_path(self.dir), core.absolute_path(given)
  local below = whole:sub(1, #root + 1) == root .. "/"
  return given, below and whole:sub(#root + 2) or whole
end

--- Finds the folder of a call. Returns a path to open and a path relative to the root, or nil if the folder isn't known.
---@param parent hclexpr.module.Config
---@param kind "local"|"registry"|"remote"
---@param source string
---@param version? string
---@param address string of the called module
---@return string? dir
---@return string? path
function Sources:find(parent, kind, source, version, address)
  if kind == "local" then return from_root(self, core.clean_path(parent.path .. "/" .. source:gsub("\\", "/"))) end
  local given, path = self:given(source, version)
  if given then return given, path end
  self.manifest = self.manifest or sources.installed(self.files:read(Files.join(self.dir, sources.MANIFEST)))
  local installed = self.manifest[(address:gsub("module%.", ""))]
  if installed then return from_root(self, core.clean_path(installed)) end
end

return sources
