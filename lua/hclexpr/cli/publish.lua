-- hclexpr publish: a new version of rules for all nodes.
local bundle = require "hclexpr.bundle"
local check = require "hclexpr.cli.check"
local core = require "hclexpr.core"
local layout = require "hclexpr.fleet.layout"
local inputs = require "hclexpr.cli.inputs"
local language = require("hclexpr.lazy") "hclexpr.cli.language"
local shell = require "hclexpr.cli.shell"
local store = require "hclexpr.cli.store"
local types = require "hclexpr.cli.types"

local publish = {
  arguments = "[--types FILE|-language FILE] [--wait] FILE|DIR URL",
  summary = "make rules the newest version of all nodes",
  examples = {
    "publish rules/ redis://127.0.0.1/0/rules",
    "publish --wait --note 'new limits' --types request.types rules.hcl redis://127.0.0.1/0/rules",
  },
  statuses = { [1] = "the rules are wrong, Redis doesn't answer, or with --wait a node rejects them or doesn't run them in time" },
  help = ([[
Checks FILE, or the files of DIR whose names end in .hcl or .json, as hclexpr check does, and stops if there is an error. Otherwise it
stores them as one version and prints the number of the version. The last %d versions are kept.

With -language it checks the rules against the description, which must be that of nginx.conf: arguments, references, types, and kept
expressions with their declared names. Functions and names of the program are unknown values here; each node checks the version again.
]]):format(layout.KEPT),
  options = {
    { "--note TEXT", "a note about the change, which hclexpr fleet shows" },
    { "--wait", "wait until all nodes run the version" },
    { "--timeout SECONDS", "with --wait: the longest wait (default: 60)" },
    inputs.language, types.options,
    store.help,
  },
}

-- Returns the paths of the files of rules at a path. A folder is anything that can be listed.
local function paths_of(path)
  if not core.list_folder(nil, path) then return { path } end
  local paths, why = bundle.list(path)
  return paths or shell.fail(why)
end

-- Reads the files as nodes will have them, and ends the command unless all are sound.
local function read_all(path, given, described)
  local paths = paths_of(path)
  local sound
  if described then sound = language.are_sound(described, paths, given) else sound = check.are_sound(paths, given) end
  if not sound then shell.fail "nothing was published" end
  local files = {}
  for i, name in ipairs(paths) do files[i] = { name = name:match "[^/]*$", text = shell.read(name) } end
  return files
end

-- Returns the language of the rules; nil: the option isn't given.
local function language_of(given)
  if not given.language then return nil end
  for _, name in ipairs { "rules", "types", "schema" } do
    if given[name] then shell.bad_usage(("-language and --%s exclude each other"):format(name)) end
  end
  local described = language.read(given.language)
  local fault = require("hclexpr.fleet.language").fault(require("hclexpr.languages.description").of(described))
  if fault then shell.fail(given.language .. ": " .. fault) end
  return described
end

-- Looks at the nodes' reactions to a version: returns how many run it and what the others run. Ends the command if a node rejects the
-- version or a newer version came.
local function look(client, version, id)
  local found = shell.must(client:fleet())
  if found.current ~= version then
    shell.fail(string.format("version %s is not the current one any more: %s is", version, store.plain(found.current)))
  end
  local running, others, refusals = 0, {}, {}
  for _, node in ipairs(found.nodes) do
    if node.refused == id then
      table.insert(refusals, string.format("%s rejects version %s:\n%s", store.plain(node.name), version, store.quoted(node.report)))
    elseif node.version == id then
      running = running + 1
    else
      table.insert(others, store.plain(node.name))
    end
  end
  if refusals[1] then shell.fail((table.concat(refusals, "hclexpr: "):gsub("\n$", ""))) end
  return running, others
end

-- The time between two looks. Nodes report at least every few seconds; a node that has gone is listed for half a minute.
local BETWEEN = 0.2 -- seconds

local function wait(client, version, id, timeout)
  local running, others = look(client, version, id)
  for _ = 1, timeout / BETWEEN do
    if running > 0 and not others[1] then return shell.write(running, running == 1 and " node runs it\n" or " nodes run it\n") end
    client.sleep(BETWEEN)
    running, others = look(client, version, id)
  end
  shell.fail(string.format("after %g seconds %s", timeout, others[1] and table.concat(others, ", ") .. " did not run version " .. version
    or "no node has reported: do nodes follow this URL?"))
end

function publish.run(args)
  local given, rest = shell.arguments(args, publish)
  local timeout = tonumber(given.timeout or 60)
  if not (timeout and timeout > 0 and timeout < 1e6) then shell.bad_usage("--timeout is a number of seconds, not " .. given.timeout) end
  if #rest ~= 2 then shell.bad_usage "expected a file or folder, and a URL as redis://127.0.0.1:6379/0/edge" end
  local text = bundle.pack(read_all(rest[1], types.given(given), language_of(given)))
  if #text > bundle.MAX_BYTES then
    shell.fail(string.format("nothing was published: %s has %d bytes, and rules may have %d", rest[1], #text, bundle.MAX_BYTES))
  end
  local client = store.open(rest[2])
  local version, id = client:publish(text, given.note or "")
  if not version then shell.fail(id) end
  shell.write("version ", version, "\n")
  if given.wait then
    shell.flush()
    wait(client, version, id, timeout)
  end
end

return publish
