-- Progress: how far a long question has come, told to the option `progress` about twenty times a second.
local progress = {}

-- Seconds between two reports, and the nodes between two looks at the clock.
local PAUSE, NODES = 0.05, 16

---@class hclexpr.module.Meter
---@field tell fun(done: integer, total: integer)
---@field done integer
---@field total integer
---@field ticks integer
---@field last number when something was told, or the question was asked
---@field told boolean
---@field pause number seconds between two reports: those of PAUSE, or what a part of the library that slices work asks for

--- A meter of a question; nil: nobody wants to know.
---@param module hclexpr.Module
---@param total integer nodes that have their turn
---@return hclexpr.module.Meter?
function progress.begin(module, total)
  local tell = module.options.progress
  return tell and { tell = tell, done = 0, total = total, ticks = 0, last = os.clock(), told = false,
                    pause = module.pause or PAUSE } or nil
end

--- Counts nodes that had their turn. Calls without one, for parts of it, just give the chance to tell.
---@param meter hclexpr.module.Meter
---@param nodes integer
function progress.tick(meter, nodes)
  meter.done, meter.ticks = meter.done + nodes, meter.ticks + 1
  if meter.ticks % NODES ~= 0 then return end
  local now = os.clock()
  if now - meter.last < meter.pause then return end
  meter.last, meter.told = now, true
  -- A node may have its turn twice: then the estimate was too low.
  meter.tell(math.min(meter.done, meter.total - 1), meter.total)
end

--- Tells the end, where anything was told before.
---@param meter hclexpr.module.Meter
function progress.finish(meter)
  if meter.told then meter.tell(meter.total, meter.total) end
end

return progress
