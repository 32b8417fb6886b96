-- The data that workers share about rules: keys `name:…` of a shared dictionary.
--
--   slot       "a" or "b": the suffix of the two keys with the newest version that was read, compiled and checked
--   current:a  version, time and text of a version; current:b likewise
--   version:a  its version alone, for a quick check; version:b likewise
--   refused    version, time and report of the newest version, if it was rejected
--   store      what is wrong with the source; absent if nothing is
--   lock       when the lock of the worker that polls the source ends, by a clock that only moves forward
--   fence      how often the lock was taken: a worker that was delayed sees by this that another one has taken it
--   reported   the last report about this node to the store; it expires
--   evaluations, failures, microseconds   counters
--   worker:N   the version that worker N runs
--
-- Storing a text evicts nothing else from the dictionary: a text that doesn't fit is rejected.
local clock = require "resty.hclexpr.clock"

local Shared = {}
Shared.__index = Shared

---@param name string
---@param dict table
function Shared.new(name, dict)
  return setmetatable({ dict = dict, prefix = name .. ":", fence = 0 }, Shared)
end

function Shared:get(key) return self.dict:get(self.prefix .. key) end

--- Stores a value. Returns true, or nil and the reason.
function Shared:put(key, value, ttl)
  local ok, why = self.dict:safe_set(self.prefix .. key, value, ttl)
  if ok then return true end
  return nil, why
end

function Shared:drop(key) self.dict:delete(self.prefix .. key) end

function Shared:add(key, n)
  self.dict:incr(self.prefix .. key, n, 0)
end

-- Joins version, time and text to one value, so that a worker can't read the version of one and the text of another.
local function join(version, since, text) return string.format("%s\n%.3f\n%s", version, since, text) end

local function split(value)
  if not value then return nil end
  local version, since, at = value:match "^([^\n]*)\n([%d.]+)\n()"
  return { version = version, since = tonumber(since), text = value:sub(at) }
end

function Shared:empty(slot)
  self:drop("current:" .. slot)
  self:drop("version:" .. slot)
end

--- Makes a version the newest. On failure, returns nil and the reason, and the previous version stays. A dictionary frees the old value of
--- a key before it knows whether the new one fits. So the new version is stored in the other slot, and then the key `slot`, a single byte,
--- changes.
function Shared:publish(version, since, text)
  local old = self:get "slot"
  local new = old == "a" and "b" or "a"
  self:empty(new)
  local ok, why = self:put("current:" .. new, join(version, since, text))
  if ok then ok, why = self:put("version:" .. new, version) end
  if ok then ok, why = self:put("slot", new) end
  if ok and old then self:empty(old) end
  if ok then return true end
  self:empty(new)
  return nil, string.format("the shared dictionary has no room for %d bytes (%s)", #text, why)
end

-- Returns the value of a key for the newest version. If the slot changes between the two reads, tries once more.
local function newest(self, key)
  for _ = 1, 2 do
    local slot = self:get "slot"
    local value = slot and self:get(key .. ":" .. slot)
    if value then return value end
  end
end

function Shared:version() return newest(self, "version") end
---@return { version: string, since: number, text: string }?
function Shared:current() return split(newest(self, "current")) end

--- Notes that a version was rejected; shortens the report if it doesn't fit. Returns true, or nil and the reason if even that doesn't fit.
function Shared:refuse(version, since, report)
  return self:put("refused", join(version, since, report)) or self:put("refused", join(version, since, report:sub(1, 200)))
end

---@return { version: string, since: number, text: string }?
function Shared:refused() return split(self:get "refused") end

--- Takes the lock for a number of seconds. Returns false if a worker has it already, or if the dictionary has no room for it. The
--- dictionary uses the system's time: if that is set back by an hour, a key lives an hour longer. So the lock also ends by a clock that
--- only moves forward. If two workers take such a lock at once, the later one has the fence.
function Shared:lock(ttl)
  local ends = self:get "lock"
  if ends and ends <= clock() then self:drop "lock" end
  if not self.dict:safe_add(self.prefix .. "lock", clock() + ttl, ttl) then return false end
  self.fence = self.dict:incr(self.prefix .. "fence", 1, 0)
  return true
end

--- Returns true if no worker has taken the lock since this one last took it.
function Shared:holds()
  return self:get "fence" == self.fence
end

--- Extends the lock by a number of seconds, if this worker still has it.
function Shared:renew(ttl)
  if self:get "lock" and self:holds() then self:put("lock", clock() + ttl, ttl) end
end

return Shared
