-- Progress: the option `progress` is called about twenty times a second with the part of a long question that is done; and the chances that
-- the option `breathe` gets to do something else.
local progress = {}

-- Seconds between two reports; the number of nodes between two looks at the clock, and between two chances.
local PAUSE, NODES, CHANCE = 0.05, 16, 4

---@class hclexpr.module.Meter
---@field tell? fun(done: integer, total: integer)
---@field breathe? fun() the host may do something else
---@field done integer
---@field total integer
---@field ticks integer
---@field last number when something was reported, or the question was asked
---@field told boolean

--- A meter for a question; nil: it isn't asked for.
---@param module hclexpr.Module
---@param total integer nodes that have their turn
---@return hclexpr.module.Meter?
function progress.begin(module, total)
  local o = module.options
  return { tell = o.progress, breathe = o.pause, done = 0, total = total, ticks = 0, last = os.clock(), told = false }
end

-- Reports the progress, if that is due.
local function report(meter)
  if not meter.tell or meter.ticks % NODES ~= 0 then return end
  local now = os.clock()
  if now - meter.last < PAUSE then return end
  meter.last, meter.told = now, true
  -- A node may have its turn twice: then the estimate was too low.
  meter.tell(math.min(meter.done, meter.total - 1), meter.total)
end

--- Counts nodes that had their turn. Calls with 0, for parts of a node, only give the chance to report.
---@param meter hclexpr.module.Meter
---@param nodes integer
function progress.tick(meter, nodes)
  meter.done, meter.ticks = meter.done + nodes, meter.ticks + 1
  if meter.breathe and meter.ticks % CHANCE == 0 then meter.breathe() end
  report(meter)
end

--- Counts one more instance of a node, each as much as a node.
---@param meter hclexpr.module.Meter
function progress.instance(meter)
  meter.done, meter.ticks = meter.done + 1, meter.ticks + 1
  report(meter)
end

--- Has instances of a node count as well.
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
