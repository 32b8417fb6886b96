-- Shared by the commands about versions in Redis: the place of the store, and times.
local Client = require "hclexpr.fleet.client"
local shell = require "hclexpr.cli.shell"
local urls = require "hclexpr.fleet.url"

local store = {}

store.help = [[
URL is redis://[user:password@]host[:port]/database/key, or rediss:// for TLS. A password may come from the environment variable
]] .. urls.PASSWORD .. [[ instead. Needs the Lua module redis (Debian: lua-redis).
]]

--- Connects to the store of a URL, or ends.
---@param text string
---@return hclexpr.fleet.Client
function store.open(text)
  local place, why = urls.read(text)
  if not place then shell.bad_usage(why --[[@as string]]) end
  return shell.must(Client.open(place))
end

--- Makes a text that others stored safe for a terminal, on one line.
---@param text any
---@return string
function store.plain(text)
  return shell.plain_name(tostring(text or ""))
end

--- Indents the lines of a node's stored report.
---@param report string?
---@return string
function store.quoted(report)
  local lines = {}
  for line in (report or ""):gmatch "[^\n]+" do lines[#lines + 1] = "    " .. store.plain(line) .. "\n" end
  return table.concat(lines)
end

--- Writes a time as text.
---@param seconds number|string?
---@return string
function store.time(seconds)
  return os.date("!%Y-%m-%dT%H:%M:%SZ", math.floor(tonumber(seconds) or 0)) --[[@as string]]
end

return store
