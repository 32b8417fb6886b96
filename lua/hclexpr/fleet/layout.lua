-- The keys for versions and nodes in Redis, and the scripts that change them. Each script is one transaction.
--
--   KEY             hash: `current`, the name of the version that nodes run, such as 7-0f3a5c1e; `last`, the highest number so far
--   KEY:N           hash of version N: text, sha256, note, time; `ran` is 1 once a node has reported that it runs this version
--   KEY:node:NAME   hash of a node's last report; it expires
--   KEY:refused     hash: by version and node, such as "7-0f3a5c1e web-1", the beginning of that node's report, until the node runs it
--   KEY:nodes       sorted set of the names of nodes, by the time of their last report
--
-- The name of a version is its number and the beginning of its digest, because a Redis that lost its data counts from 1 again.
local layout = {}

-- The number of versions to keep.
layout.KEPT = 20
-- The number of seconds after which a node without a report is considered gone.
layout.TTL = 30

-- A function for the scripts, which reads the number of a version. The number may have been written by hand, so numbers from `most` on are
-- rejected: they aren't exact, and a loop up to them would never end.
local NUMBER = [[
local function number_of(field, most)
  local n = tonumber(string.match((redis.call('HGET', KEYS[1], field) or '0') .. '-', '^(%d+)%-'))
  if n and n < most then return n end
  return nil, redis.error_reply('the field "' .. field .. '" of the hash is not the number of a version: set it to the newest one')
end
]]

-- Publishes a version. Keys: KEY. Arguments: text, SHA-256, note, seconds since 1970, number of versions to keep. Returns the version's
-- number.
layout.publish = NUMBER .. [[
local last, fault = number_of('last', 2^53 - 1)
if not last then return fault end
local n = redis.call('HINCRBY', KEYS[1], 'last', 1)
redis.call('HSET', KEYS[1] .. ':' .. n, 'text', ARGV[1], 'sha256', ARGV[2], 'note', ARGV[3], 'time', ARGV[4])
redis.call('HSET', KEYS[1], 'current', n .. '-' .. string.sub(ARGV[2], 1, 8))
local gone = n - tonumber(ARGV[5])
redis.call('DEL', KEYS[1] .. ':' .. gone)
for _, field in ipairs(redis.call('HKEYS', KEYS[1] .. ':refused')) do
  local number = tonumber(string.match(field, '^%d+'))
  if not number or number <= gone or number >= n then redis.call('HDEL', KEYS[1] .. ':refused', field) end
end
return n
]]

-- Makes an older version the current one. Keys: KEY. Arguments: a version, or '' for the newest older version that a node has run,
-- preferably one that no node rejected; number of versions to search; '1' to accept also a rejected version. Returns the version's number;
-- or false if it is missing. If nodes rejected the version, changes nothing and returns an array: the version's number, then names of nodes
-- and their reports alternately.
layout.rollback = NUMBER .. [[
local function read(n)
  local v = redis.call('HMGET', KEYS[1] .. ':' .. string.format('%.0f', n), 'sha256', 'ran')
  if v[1] then return { number = n, id = string.format('%.0f-%s', n, string.sub(v[1], 1, 8)), ran = v[2] } end
end
local function refusals_of(version)
  local list, start = {}, version.id .. ' '
  for _, field in ipairs(redis.call('HKEYS', KEYS[1] .. ':refused')) do
    if string.sub(field, 1, #start) == start then
      list[#list + 1] = string.sub(field, #start + 1)
      list[#list + 1] = redis.call('HGET', KEYS[1] .. ':refused', field)
    end
  end
  return list
end
local version
if ARGV[1] ~= '' then
  version = read(tonumber(ARGV[1]))
else
  local current, fault = number_of('current', 2^53)
  if not current then return fault end
  for n = current - 1, math.max(1, current - tonumber(ARGV[2])), -1 do
    local older = read(n)
    if older and older.ran then
      local accepted = not refusals_of(older)[1]
      if accepted or not version then version = older end
      if accepted then break end
    end
  end
end
if not version then return false end
local number, refused = string.format('%.0f', version.number), ARGV[3] == '1' and {} or refusals_of(version)
if refused[1] then
  table.insert(refused, 1, number)
  return refused
end
redis.call('HSET', KEYS[1], 'current', version.id)
return number
]]

-- Stores a node's report. Keys: KEY. Arguments: name of the node, seconds since 1970, seconds to live, then fields and values alternately.
layout.report = [[
local node = KEYS[1] .. ':node:' .. ARGV[1]
redis.call('DEL', node)
redis.call('HSET', node, 'seen', ARGV[2], unpack(ARGV, 4))
redis.call('EXPIRE', node, ARGV[3])
local said = redis.call('HMGET', node, 'version', 'refused', 'report')
if said[1] and said[1] ~= '' then
  redis.call('HDEL', KEYS[1] .. ':refused', said[1] .. ' ' .. ARGV[1])
  local number, digest = string.match(said[1], '^(%d+)%-(%x+)$')
  local version = number and KEYS[1] .. ':' .. number
  if version and string.sub(redis.call('HGET', version, 'sha256') or '', 1, 8) == digest then redis.call('HSET', version, 'ran', 1) end
end
if said[2] and said[2] ~= '' then
  redis.call('HSET', KEYS[1] .. ':refused', said[2] .. ' ' .. ARGV[1], string.sub(said[3] or '', 1, 1000))
end
redis.call('ZADD', KEYS[1] .. ':nodes', ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1] .. ':nodes', '-inf', ARGV[2] - ARGV[3])
return 1
]]

-- Reads everything for `hclexpr fleet`. Keys: KEY. Arguments: number of versions to read. Returns the number of the current version; an
-- array of number, note, time, digest and names of rejecting nodes (one per line) for each version; and an array of name, then fields and
-- values alternately, for each node.
layout.fleet = NUMBER .. [[
local versions, nodes = {}, {}
local last, fault = number_of('last', 2^53)
if not last then return fault end
local refused = {}
for _, field in ipairs(redis.call('HKEYS', KEYS[1] .. ':refused')) do
  local id, name = string.match(field, '^(%S+) (.*)$')
  if id then refused[id] = (refused[id] and refused[id] .. '\n' or '') .. name end
end
for back = 0, tonumber(ARGV[1]) - 1 do
  local n = last - back
  if n < 1 then break end
  n = string.format('%.0f', n)
  local v = redis.call('HMGET', KEYS[1] .. ':' .. n, 'note', 'time', 'sha256')
  local id = n .. '-' .. string.sub(v[3] or '', 1, 8)
  if v[2] then versions[#versions + 1] = { n, v[1] or '', v[2], v[3] or '', refused[id] or '' } end
end
for _, name in ipairs(redis.call('ZRANGE', KEYS[1] .. ':nodes', 0, -1)) do
  local fields = redis.call('HGETALL', KEYS[1] .. ':node:' .. name)
  if #fields > 0 then
    table.insert(fields, 1, name)
    nodes[#nodes + 1] = fields
  end
end
return { string.match(redis.call('HGET', KEYS[1], 'current') or '', '^%d*'), versions, nodes }
]]

return layout
