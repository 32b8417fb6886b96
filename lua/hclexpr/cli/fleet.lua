-- hclexpr fleet: which node runs which version of rules, and which nodes rejected a version.
local shell = require "hclexpr.cli.shell"
local store = require "hclexpr.cli.store"

local fleet = {
  arguments = "URL",
  summary = "show which node runs which version of rules",
  examples = { "fleet redis://127.0.0.1/0/rules", "fleet -json redis://127.0.0.1/0/rules" },
  statuses = { [1] = "a node rejects a version, or Redis doesn't answer" },
  help = [[
Lists the kept versions, with * at the current one. Then it lists each node that reported within the last half minute: its version, when it
took that version, and the version that it rejects, with the reason.
]],
  options = {
    { "-json", "print both lists as JSON" },
    store.help,
  },
}

local function write_version(writer, v)
  for _, name in ipairs { "version", "note", "sha256" } do writer:field(name, v[name] or "") end
  writer:field("time", store.time(v.time))
  if v.refused_by[1] then writer:field("refused_by", table.concat(v.refused_by, ", ")) end
end

local function write_refusal(writer, node)
  writer:field("version", node.refused)
  writer:field("since", store.time(node.refused_since))
  writer:field("report", node.report or "")
end

local function write_node(writer, node)
  for _, name in ipairs { "name", "rules", "version" } do writer:field(name, node[name] or "") end
  writer:field("since", store.time(node.since))
  writer:field("seen", store.time(node.seen))
  if node.refused ~= "" then writer:object("refused", write_refusal, node) end
end

local function write_fleet(writer, found)
  writer:field("current", found.current)
  writer:objects("versions", write_version, found.versions)
  writer:objects("nodes", write_node, found.nodes)
end

local plain = store.plain

local function show(found)
  for _, v in ipairs(found.versions) do
    local line = (v.version == found.current and "* " or "  ") .. plain(v.version) .. "  " .. store.time(v.time) .. "  " .. plain(v.note)
    if v.refused_by[1] then line = line:gsub("%s+$", "") .. "  (rejected by " .. plain(table.concat(v.refused_by, ", ")) .. ")" end
    shell.write((line:gsub("%s+$", "")), "\n")
  end
  if #found.versions == 0 then shell.write "no version was published\n" end
  for _, node in ipairs(found.nodes) do
    local version = node.version ~= "" and "version " .. plain(node.version) .. " since " .. store.time(node.since) or "no version"
    shell.write(plain(node.name), ": ", version, "\n")
    if node.refused ~= "" then
      shell.write("  rejected version ", plain(node.refused), ":\n", store.quoted(node.report))
    end
  end
end

function fleet.run(args)
  local given, rest = shell.arguments(args, fleet)
  local url = shell.one(rest, "URL", "as redis://127.0.0.1:6379/0/edge")
  local found, why = store.open(url):fleet()
  if not found then shell.fail(why) end
  if given.json then shell.product_object("  ", write_fleet, found) else show(found) end
  for _, node in ipairs(found.nodes) do
    if node.refused ~= "" then return shell.BAD_INPUT end
  end
end

return fleet
