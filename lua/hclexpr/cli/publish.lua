-- hclexpr publish: a new version of rules for all nodes.
local bundle = require "hclexpr.bundle"
local check = require "hclexpr.cli.check"
local core = require "hclexpr.core"
local shell = require "hclexpr.cli.shell"
local store = require "hclexpr.cli.store"

local publish = {
  arguments = "FILE|DIR URL",
  summary = "make rules the newest version of all nodes",
  help = [[
Checks FILE, or the files of DIR whose names end in .hcl or .json, as hclexpr check does, and refuses what fails. Then it stores them as one
version with a number, which is printed. The last 20 versions are kept.

  --note TEXT             what is new, for hclexpr fleet
  --function NAME         a function that nodes have beside the built-in ones; may be given several times

]] .. store.help,
}

local function names_of(path)
  local names = core.list_folder(nil, path)
  if not names then return { path } end
  local found = {}
  for _, name in ipairs(names) do
    if name:find "^[^.#].*%.hcl$" or name:find "^[^.#].*%.json$" then found[#found + 1] = path .. "/" .. name end
  end
  if not found[1] then shell.fail("no file in " .. path .. " has a name that ends in .hcl or .json") end
  return found
end

local function read_all(path, functions)
  local files, sound = {}, true
  for i, name in ipairs(names_of(path)) do
    sound = check.is_sound(name, {}, functions) and sound
    if sound then files[i] = { name = name:match "[^/]*$", text = shell.read(name) } end
  end
  if not sound then shell.fail "nothing was published" end
  return files
end

function publish.run(args)
  local o, functions = { note = "" }, {}
  local rest = shell.arguments(args, {
    note = shell.text(o, "note"), ["function"] = { value = function(name) functions[#functions + 1] = name end },
  })
  if #rest ~= 2 then shell.bad_usage "expected a file or folder, and a URL as redis://127.0.0.1:6379/0/edge" end
  local text = bundle.pack(read_all(rest[1], functions))
  local version, why = store.open(rest[2]):publish(text, o.note)
  if not version then shell.fail(why) end
  shell.write("version ", tostring(version), "\n")
end

return publish
