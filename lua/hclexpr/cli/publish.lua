-- hclexpr publish: a new version of rules for all nodes.
local bundle = require "hclexpr.bundle"
local check = require "hclexpr.cli.check"
local core = require "hclexpr.core"
local shell = require "hclexpr.cli.shell"
local store = require "hclexpr.cli.store"
local types = require "hclexpr.cli.types"

local publish = {
  arguments = "[--types FILE] FILE|DIR URL",
  summary = "make rules the newest version of all nodes",
  help = [[
Checks FILE, or the files of DIR whose names end in .hcl or .json, as hclexpr check does, and refuses what fails. Then it stores them as one
version with a number, which is printed. The last 20 versions are kept.

  --note TEXT             what is new, for hclexpr fleet
]] .. types.help .. "\n" .. store.help,
}

-- The files as nodes will have them, all of them sound. A folder is one that can be listed.
local function read_all(path, given)
  local paths, why = { path }, nil
  if core.list_folder(nil, path) then paths, why = bundle.list(path) end
  if not paths then shell.fail(why) end
  if not check.are_sound(paths, given) then shell.fail "nothing was published" end
  local files = {}
  for i, name in ipairs(paths) do files[i] = { name = name:match "[^/]*$", text = shell.read(name) } end
  return files
end

function publish.run(args)
  local o = { note = "" }
  local rest = shell.arguments(args, types.options(o, { note = shell.text(o, "note") }))
  if #rest ~= 2 then shell.bad_usage "expected a file or folder, and a URL as redis://127.0.0.1:6379/0/edge" end
  local text = bundle.pack(read_all(rest[1], types.given({}, o)))
  if #text > bundle.MAX_BYTES then
    shell.fail(string.format("nothing was published: %s has %d bytes, and rules may have %d", rest[1], #text, bundle.MAX_BYTES))
  end
  local version, why = store.open(rest[2]):publish(text, o.note)
  if not version then shell.fail(why) end
  shell.write("version ", tostring(version), "\n")
end

return publish
