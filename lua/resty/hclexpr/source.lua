-- Sources of rules: a file, a folder, or a store. Each is `{ version = fn, read = fn, report = fn or nil }`:
--
--   version()       → the newest version; or nil, the reason, and true if later polls give the same result, as for a missing file
--   read(version)   → its text (hclexpr/bundle.lua); or nil, the reason, and true as for version()
--   report(node, status)
--
-- The version of a file is the digest of its bytes, because its times don't show reliably whether it has changed.
local bundle = require "hclexpr.bundle"
local core = require "hclexpr.core"

local source = {}

local MAX_BYTES = bundle.MAX_BYTES
-- Seconds to wait before reading a changed file, because it may still be being written.
local SETTLES = 0.05
-- The system's error number for a missing file.
local ENOENT = 2

local function read_file(path)
  local text, why = core.read_file(nil, path)
  if not text then return nil, string.format("%s: %s", path, why) end
  if #text > MAX_BYTES then
    return nil, string.format("%s has %d bytes, and rules may have %d", path, #text, MAX_BYTES)
  end
  if not text:find "%S" then return nil, path .. " is empty" end
  return { name = path:match "[^/]*$", text = text }
end

local function read_folder(path)
  local paths, why = bundle.list(path)
  if not paths then return nil, why end
  local files, bytes = {}, 0
  for i, name in ipairs(paths) do
    files[i], why = read_file(name)
    if why then return nil, why end
    bytes = bytes + #files[i].text
  end
  if bytes > MAX_BYTES then return nil, string.format("the files of %s have %d bytes, and rules may have %d", path, bytes, MAX_BYTES) end
  return files
end

--- Reads the text of a file or of a folder's files; or returns nil and the reason.
---@param options { file?: string, folder?: string }
---@return string? text
---@return string? why
function source.text(options)
  if options.folder then
    local files, why = read_folder(options.folder)
    return files and bundle.pack(files), why
  end
  local file, why = read_file(options.file)
  return file and bundle.pack { file }, why
end

--- Returns the version of a text.
---@param text string
---@return string
function source.digest(text)
  return ngx.md5(text):sub(1, 12)
end

--- Makes the source for a file or folder.
---@param options { file?: string, folder?: string }
function source.of_files(options)
  return {
    version = function()
      local text, why = source.text(options)
      if not text then return nil, why, true end
      return source.digest(text)
    end,
    read = function(version)
      ngx.sleep(SETTLES)
      local text, why = source.text(options)
      if text and source.digest(text) ~= version then return nil, "it is being written" end
      return text, why
    end,
  }
end

-- The file `keep`: the last good text of a store's version. Its first line names the version.

--- Writes the last good text to the file `keep`, completely or not at all, readable only by this user. Returns nil and the reason on
--- failure.
---@param path string
---@param version string
---@param text string
function source.keep(path, version, text)
  return core.keep_file(path, string.format("# hclexpr: version %s\n%s", version, text))
end

-- Returns true if no file exists at a path.
local function is_absent(path)
  local file, _, number = io.open(path)
  if file then file:close() end
  return not file and number == ENOENT
end

--- Returns the kept text and its version; or nil, the reason, and true if nothing has been kept yet.
---@param path string
---@return string? text
---@return string version_or_why
---@return boolean? absent
function source.kept(path)
  local text, why = core.read_file(nil, path)
  if not text then return nil, string.format("%s: %s", path, why), is_absent(path) end
  local _, stop, version = text:find "^# hclexpr: version ([^\n]*)\n"
  if not stop then return text, source.digest(text) end
  return text:sub(stop + 1), version
end

return source
