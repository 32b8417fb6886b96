-- Reports the progress of a long question: calls the option `progress` about twenty times a second, and the option `pause` after every few
-- nodes.
local progress = {}

-- PAUSE: seconds between two reports; NODES: ticks between two readings of the clock; CHANCE: ticks between two calls of `pause`.
local PAUSE, NODES, CHANCE = 0.05, 16, 4

---@class hclexpr.module.Meter
---@field tell? fun(done: integer, total: integer)
---@field breathe? fun() the option `pause`: the host may do other work
---@field done integer
---@field total integer
---@field ticks integer
---@field last number the time of the last report, or of the start
---@field told boolean

--- Makes a meter for a question to a module. Without the options `progress` and `pause` the meter does nothing.
---@param module hclexpr.Module
---@param total integer the number of nodes that will be evaluated
---@return hclexpr.module.Meter
function progress.begin(module, total)
  local o = module.options
  return { tell = o.progress, breathe = o.pause, done = 0, total = total, ticks = 0, last = os.clock(), told = false }
end

-- Reports the progress, if a report is due.
local function report(meter)
  if not meter.tell or meter.ticks % NODES ~= 0 then return end
  local now = os.clock()
  if now - meter.last < PAUSE then return end
  meter.last, meter.told = now, true
  -- A node may be evaluated twice, so `done` may exceed the estimate.
  meter.tell(math.min(meter.done, meter.total - 1), meter.total)
end

--- Counts evaluated nodes. With nodes = 0, for a part of a node, only calls `pause` and reports, if these are due.
---@param meter hclexpr.module.Meter
---@param nodes integer
function progress.tick(meter, nodes)
  meter.done, meter.ticks = meter.done + nodes, meter.ticks + 1
  if meter.breathe and meter.ticks % CHANCE == 0 then meter.breathe() end
  report(meter)
end

--- Counts an instance of a node like one more node.
---@param meter hclexpr.module.Meter
function progress.instance(meter)
  meter.done, meter.ticks = meter.done + 1, meter.ticks + 1
  report(meter)
end

--- Adds the instances of a node to the expected total.
---@param meter hclexpr.module.Meter
---@param count integer
function progress.expect(meter, count)
  meter.total = meter.total + count
end

--- Reports the end if anything was reported before.
---@param meter hclexpr.module.Meter
function progress.finish(meter)
  if meter.told then meter.tell(meter.total, meter.total) end
end

return progress
