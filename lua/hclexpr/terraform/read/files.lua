-- Reads the files of a module: the names in a folder and the texts of files. Texts come from the disk, or from the host if they are
-- unsaved.
local core = require "hclexpr.core"

---@class hclexpr.module.Files
---@field unsaved? fun(path: string): string? text of a file that is being edited
---@field new_names? fun(dir: string): string[]? names of files that aren't on disk yet
---@field pause? fun() the option `pause`
---@field left? number how many more bytes of sources may be read
---@field room? number the bytes of limits.memory that are left for declarations
---@field memory? number limits.memory as it was set
---@field texts table<string, string> of files that were changed, by absolute path
---@field scope? hclexpr.Scope only files in the folders that this scope grants are opened; without a scope or grants, any file is
local Files = {}
Files.__index = Files

---@param options hclexpr.ModuleOptions
---@return hclexpr.module.Files
function Files.new(options)
  return setmetatable({ unsaved = options.read, new_names = options.list, scope = options.scope, pause = options.pause, texts = {} },
    Files)
end

-- How many blocks are read between two calls of the option `pause`.
local BLOCKS = 8

--- Calls the option `pause` after every few blocks.
---@param i integer the number of the block being read
function Files:breathe(i)
  if self.pause and i % BLOCKS == 0 then self.pause() end
end

--- Sets how much may be read from now on, from limits.source and limits.memory.
---@param limits hclexpr.Limits
function Files:allow(limits)
  self.left, self.room, self.memory = limits.source, limits.memory, limits.memory
end

-- How many bytes of limits.memory each declaration takes, regardless of its content. The tables and programs made from it take a few
-- kilobytes.
local BYTES_EACH = 1024

--- Counts declarations, or the contents of a state, against limits.memory. Returns a message if there are too many.
---@param n integer
---@param what string
---@return string?
function Files:hold(n, what)
  self.room = (self.room or math.huge) - n * BYTES_EACH
  if self.room >= 0 then return nil end
  return ("The module has more than %.0f %s. Each takes %d bytes of limits.memory, which is %.0f. Remove some, or raise the limit.")
    :format(self.memory / BYTES_EACH, what, BYTES_EACH, self.memory)
end

--- Sets the text of a file; nil makes the file on disk count again.
---@param path string
---@param text? string
function Files:put(path, text)
  self.texts[core.absolute_path(path)] = text
end

--- Returns the host's text of a file, or nil if the file on disk counts.
---@param path string
---@return string?
function Files:unsaved_text(path)
  return self.texts[core.absolute_path(path)] or self.unsaved and self.unsaved(path)
end

--- Reads the text of a file; returns nil and the reason if that fails.
---@param path string
---@return string? text
---@return string? why
function Files:read(path)
  local text, why = self:unsaved_text(path), nil
  if text == nil then text, why = core.read_file(self.scope, path) end
  if text == nil then return nil, why end
  if type(text) ~= "string" then return nil, string.format("the option read gave a %s for it, not a string", type(text)) end
  self.left = (self.left or math.huge) - #text
  if self.left >= 0 then return text end
  return nil, "the files of the module are larger in total than limits.source. Remove some, or raise it"
end

--- Returns true if a file exists. A link to a missing file doesn't count.
---@param path string
---@return boolean
function Files:exists(path)
  return self:unsaved_text(path) ~= nil or core.real_path(path) ~= nil
end

-- Returns the names that the option `list` gives for a folder.
local function given_names(self, dir)
  local function refuse(given)
    error(("hclexpr: the option list gave a %s for %s, not a table of names"):format(type(given), dir), 0)
  end
  local names = self.new_names and self.new_names(dir) or {}
  if type(names) ~= "table" then refuse(names) end
  for _, name in ipairs(names) do
    if type(name) ~= "string" then refuse(name) end
  end
  return names
end

--- Returns the names of files in a folder that the host knows, in any order. The files may be missing on disk.
---@param dir string
---@return string[]
function Files:unsaved_names(dir)
  local found, within = {}, Files.join(core.absolute_path(dir), "")
  for path in pairs(self.texts) do
    local name = path:sub(1, #within) == within and path:sub(#within + 1)
    if name and not name:find "/" then found[#found + 1] = name end
  end
  for _, name in ipairs(given_names(self, dir)) do found[#found + 1] = name end
  return found
end

--- Returns the names of the files in a folder, in byte order; nil and the reason if the folder can't be read and the host knows no file in
--- it.
---@param dir string
---@return string[]? names
---@return string? why
function Files:list(dir)
  local names, why = core.list_folder(self.scope, dir)
  local files, there = {}, {}
  local function add(name)
    if there[name] or name:sub(-1) == "/" then return end
    files[#files + 1], there[name] = name, true
  end
  for _, name in ipairs(names or {}) do add(name) end
  local n = #files
  for _, name in ipairs(self:unsaved_names(dir)) do add(name) end
  if #files > n then table.sort(files) end
  return (names or files[1]) and files, why
end

--- Returns the path of a file in a folder as users see it: "infra/main.tf".
---@param dir string
---@param name string
---@return string
function Files.join(dir, name)
  if dir == "" or dir == "." then return name end
  return (dir:gsub("/+$", "")) .. "/" .. name
end

--- Returns the full path of a path in options. A relative one starts in the module's folder, where Terraform would run.
---@param dir string
---@param path string
---@return string
function Files.within(dir, path)
  return path:find "^/" and path or core.clean_path(Files.join(dir, path))
end

--- Returns true if a file is ignored, as hidden files and editors' backup copies are.
---@param name string
---@return boolean
function Files.is_ignored(name)
  return name:find "^%." ~= nil or name:find "~$" ~= nil or (name:find "^#" ~= nil and name:find "#$" ~= nil)
end

-- Splits the name of a configuration file into base and ending; returns nil for other files.
local function split(name)
  for _, ending in ipairs { ".tf", ".tofu", ".tf.json", ".tofu.json" } do
    if name:sub(-#ending) == ending then return name:sub(1, -#ending - 1), ending end
  end
end

--- Chooses the configuration files among the names in a folder. As in OpenTofu, x.tofu is read instead of x.tf, and x.tofu.json instead of
--- x.tf.json.
---@param names string[]
---@return string[]
function Files.configuration(names)
  local there, found = {}, {}
  for _, name in ipairs(names) do there[name] = true end
  for _, name in ipairs(names) do
    local base, ending = split(name)
    local other = base and base .. ending:gsub("^%.tf", ".tofu")
    if base and not Files.is_ignored(name) and (other == name or not there[other]) then found[#found + 1] = name end
  end
  return found
end

--- Returns true if a configuration file is an override file by its name.
---@param name string
---@return boolean
function Files.is_override(name)
  local base = split(name)
  return base == "override" or base:find "_override$" ~= nil
end

return Files
