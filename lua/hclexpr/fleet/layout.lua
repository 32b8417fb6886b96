-- How versions and nodes lie in Redis, and the scripts that change them. A script runs whole or not at all, and nobody sees half of it.
--
--   KEY             hash: current, the version that nodes run, as 7-0f3a5c1e: its number and the beginning of its digest, since a Redis that
--                   lost its data counts from 1 again; last, the number given last
--   KEY:N           hash of version N: text, sha256, note, time
--   KEY:node:NAME   hash of what a node told; it expires
--   KEY:nodes       sorted set of nodes' names by the time of their last word
local layout = {}

-- So many versions are kept.
layout.KEPT = 20
-- A node that has told nothing for so many seconds is gone.
layout.TTL = 30

-- Keys: KEY. Arguments: text, SHA-256, note, seconds since 1970, versions to keep. Gives the number.
layout.publish = [[
local n = redis.call('HINCRBY', KEYS[1], 'last', 1)
redis.call('HSET', KEYS[1] .. ':' .. n, 'text', ARGV[1], 'sha256', ARGV[2], 'note', ARGV[3], 'time', ARGV[4])
redis.call('HSET', KEYS[1], 'current', n .. '-' .. string.sub(ARGV[2], 1, 8))
redis.call('DEL', KEYS[1] .. ':' .. (n - tonumber(ARGV[5])))
return n
]]

-- Keys: KEY. Arguments: a version, or '' for the newest one older than the current. Gives its number, or false: there is none.
layout.rollback = [[
local current = tonumber(string.match(redis.call('HGET', KEYS[1], 'current') or '0', '^%d+'))
local n = tonumber(ARGV[1])
if not n then
  n = math.min(current, 2^53) - 1
  while n > 0 and redis.call('EXISTS', KEYS[1] .. ':' .. n) == 0 and n > current - tonumber(ARGV[2]) do n = n - 1 end
end
local digest = redis.call('HGET', KEYS[1] .. ':' .. n, 'sha256')
if not digest then return false end
redis.call('HSET', KEYS[1], 'current', n .. '-' .. string.sub(digest, 1, 8))
return n
]]

-- Keys: KEY. Arguments: name of the node, seconds since 1970, time to live, then field and value by turns.
layout.report = [[
local node = KEYS[1] .. ':node:' .. ARGV[1]
redis.call('DEL', node)
redis.call('HSET', node, 'seen', ARGV[2], unpack(ARGV, 4))
redis.call('EXPIRE', node, ARGV[3])
redis.call('ZADD', KEYS[1] .. ':nodes', ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1] .. ':nodes', '-inf', ARGV[2] - ARGV[3])
return 1
]]

-- Keys: KEY. Gives current and last; arrays of number, note, time and digest of each version; arrays of name, field, value … of each node.
layout.fleet = [[
local head = redis.call('HMGET', KEYS[1], 'current', 'last')
local versions, nodes = {}, {}
local last = tonumber(head[2]) or 0
if last ~= last or last >= 2^53 then
  return redis.error_reply('the field "last" of the hash is no number of a version: set it to the newest one')
end
for back = 0, tonumber(ARGV[1]) - 1 do
  local n = last - back
  if n < 1 then break end
  n = string.format('%.0f', n)
  local v = redis.call('HMGET', KEYS[1] .. ':' .. n, 'note', 'time', 'sha256')
  if v[2] then versions[#versions + 1] = { n, v[1] or '', v[2], v[3] or '' } end
end
for _, name in ipairs(redis.call('ZRANGE', KEYS[1] .. ':nodes', 0, -1)) do
  local fields = redis.call('HGETALL', KEYS[1] .. ':node:' .. name)
  if #fields > 0 then
    table.insert(fields, 1, name)
    nodes[#nodes + 1] = fields
  end
end
return { string.match(head[1] or '', '^%d*'), versions, nodes }
]]

return layout
