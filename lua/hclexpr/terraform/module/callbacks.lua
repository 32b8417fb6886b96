-- Callbacks: functions of the host that a module calls while it reads or evaluates. They may yield and raise. They must not ask the module
-- anything, because it is busy with something else.
local callbacks = {}

local create, resume, status, yield = coroutine.create, coroutine.resume, coroutine.status, coroutine.yield

-- Resumes a callback to its end and notes the end. Each callback runs in its own coroutine, so that any end is noticed: pcall would keep it
-- from yielding in Lua 5.1. What it yields is yielded on.
local function follow(module, thread, ok, ...)
  if ok and status(thread) ~= "dead" then return follow(module, thread, resume(thread, yield(...))) end
  module.waiting.thread = nil
  if not ok then error((...), 0) end
  return ...
end

-- Wraps a callback so that the module knows that it waits for it.
local function guarded(module, name, fn)
  return function(...)
    local thread
    -- An interrupted module mustn't wait for a callback that never began, so the callback's thread itself notes that it began.
    thread = create(function(...)
      module.waiting.thread, module.waiting.name = thread, name
      return fn(...)
    end)
    return follow(module, thread, resume(thread, ...))
  end
end

--- Returns a copy of options with their callbacks guarded.
---@param module hclexpr.Module
---@param options table
---@return table
function callbacks.of(module, options)
  local made = {}
  for name, x in pairs(options) do made[name] = type(x) == "function" and guarded(module, name, x) or x end
  -- Weak: a host that dropped a coroutine in which a callback yielded may ask again.
  module.waiting = setmetatable({}, { __mode = "v" })
  return made
end

--- The name of the callback that a module waits for; nil: it waits for none.
---@param module hclexpr.Module
---@return string?
function callbacks.waiting(module)
  local thread = module.waiting.thread
  -- The callback may have ended without a note, because of an interrupt.
  return thread and status(thread) ~= "dead" and module.waiting.name or nil
end

return callbacks
