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

--- A text that others stored, on one line.
---@param text any
---@return string
function store.plain(text)
  return shell.plain_name(tostring(text or ""))
end

--- A node's stored report, as lines after a margin.
---@param report string?
---@return string
function store.quoted(report)
  local lines = {}
  for line in (report or ""):gmatch "[^\n]+" do lines[#lines + 1] = "    " .. store.plain(line) .. "\n" end
  return table.concat(lines)
end

--- A moment as text.
---@param seconds number|string?
---@return string
function store.time(seconds)
  return os.date("!%Y-%m-%dT%H:%M:%SZ", math.floor(tonumber(seconds) or 0)) --[[@as string]]
end

return store
