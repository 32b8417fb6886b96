-- Computes declared values that need each other. Each is computed once, when it is first needed; their order in the source doesn't matter.
-- A value that is needed while another one is being computed is evaluated inside that evaluation. At the greatest depth a needed value is
-- put off instead: the evaluations around it end without an answer, the value is computed first, and then they begin again.
local core = require "hclexpr.core"
local copied = require("hclexpr.util").copied
local rows = require("hclexpr.terraform.language.diagnostics").rows

---@class hclexpr.settling.Value
---@field name string the name in sources, such as local.a
---@field place hclexpr.Place
---@field work fun(): hclexpr.Value?, hclexpr.Diagnostics?
---@field value? hclexpr.Value
---@field err? hclexpr.Diagnostics
---@field running? boolean
---@field waits? boolean it waits for values that were put off
---@field round? integer the last round in which the value was put off, or needed one that was put off
---@field before? hclexpr.settling.Value if the value was put off: the outermost value that was being computed then
---@field through? hclexpr.settling.Value[] if the value was put off: all values that were being computed then, in order

---@class hclexpr.settling.Settling
---@field way hclexpr.settling.Value[] the values being computed now; each is needed by the one before it
---@field put_off hclexpr.settling.Value[]
---@field blocked boolean true if the value being computed needs one that was put off
---@field round integer the number of the current round of `settle`; each round computes one value
---@field cycles hclexpr.Diagnostics[] the diagnostics of the cycles found so far
---@field later? hclexpr.Diagnostics the reason given while a value is put off; it is never shown

local settling = {}

-- The greatest depth of nested evaluations.
local DEEPEST = 40

-- The largest number of values that the message of a cycle names.
local NAMED = 200

-- The largest number of cycles to report.
local CYCLES = 20

---@return hclexpr.settling.Settling
function settling.new()
  return { way = {}, put_off = {}, blocked = false, round = 0, cycles = {} }
end

-- Makes the diagnostic for a cycle, at the value whose name sorts first.
local function cycle(circle)
  local first, names = 1, {}
  for i, value in ipairs(circle) do
    if value.name < circle[first].name then first = i end
  end
  for i = 0, #circle do
    if i < NAMED or i >= #circle - 1 then names[#names + 1] = circle[(first - 1 + i) % #circle + 1].name
    elseif i == NAMED then names[#names + 1] = "…" end
  end
  local at = circle[first]
  return core.diagnose(rows.MODULE_CYCLE, at.place.object, at.place.range,
    ("%s depends on itself%s."):format(at.name, #circle > 1 and ": " .. table.concat(names, " → ") or ""))
end

-- Returns the cycle that begins at a value and goes through the values that need it, up to the one being computed.
local function circle_from(way, value)
  local parts, n = { way }, way[1]
  while not value.running and n ~= value do
    table.insert(parts, 1, n.through)
    n = n.before
  end
  local circle, found = {}, false
  for _, part in ipairs(parts) do
    for _, other in ipairs(part) do
      found = found or other == value
      if found then circle[#circle + 1] = other end
    end
  end
  return circle
end

-- Ends the evaluation of a value that needs one that was put off. The error is never shown, because the evaluation begins again.
local function blocked(self, value)
  self.blocked, value.round = true, self.round
  self.later = self.later or core.diagnose("LIMIT_DEPTH", value.place.object, value.place.range, "")
  return nil, self.later
end

local function run(self, value)
  local way, outer = self.way, self.blocked
  way[#way + 1], value.running, self.blocked = value, true, false
  local result, err = value.work()
  way[#way], value.running = nil, nil
  if self.blocked then return blocked(self, value) end
  -- Every name that needs the value gets the same diagnostics. Joining marks them, so that they are reported only once.
  if err then err = core.join_diagnostics { err } end
  value.value, value.err, self.blocked = result, err, outer
  return result, err
end

local function put_off(self, value)
  value.before, value.through = self.way[1], copied(self.way)
  self.put_off[#self.put_off + 1] = value
  return blocked(self, value)
end

-- Computes a value, and all values that are put off meanwhile.
local function settle(self, value)
  local stack = { value }
  while #stack > 0 do
    local last = stack[#stack]
    self.put_off, self.round, self.blocked = {}, self.round + 1, false
    if last.value == nil and not last.err then run(self, last) end
    last.waits = self.put_off[1] ~= nil
    if not last.waits then stack[#stack] = nil end
    for _, other in ipairs(self.put_off) do stack[#stack + 1] = other end
  end
  self.blocked = false
  return value.value, value.err
end

--- Returns a declared value, and computes it first if necessary; or returns nil and what is wrong.
---@param self hclexpr.settling.Settling
---@param value hclexpr.settling.Value
function settling.get(self, value)
  if value.value ~= nil or value.err then return value.value, value.err end
  if #self.way == 0 then return settle(self, value) end
  if value.running or value.waits then
    -- Finding a cycle takes time proportional to its length. After CYCLES searches the first diagnostics are used again, because further
    -- cycles are mostly the same.
    local i = #self.cycles % CYCLES + 1
    if not self.cycles[i] then self.cycles[i] = cycle(circle_from(self.way, value)) end
    return nil, self.cycles[i]
  end
  if value.round == self.round then return blocked(self, value) end
  -- An evaluation that needs a value that was put off begins again anyway. So its other needs are put off too, and are computed first.
  if self.blocked or #self.way == DEEPEST then return put_off(self, value) end
  return run(self, value)
end

return settling
