-- Callbacks: functions of the host that a module calls while it reads or evaluates. They may yield and raise. What they mustn't is ask
-- the module, which is in the middle of something.
local callbacks = {}

local create, resume, status, yield = coroutine.create, coroutine.resume, coroutine.status, coroutine.yield

-- Each runs in a coroutine of its own, so that its end is seen however it ends: pcall would keep it from yielding in Lua 5.1. Yields are
-- handed on.
local function follow(module, thread, ok, ...)
  if ok and status(thread) ~= "dead" then return follow(module, thread, resume(thread, yield(...))) end
  module.waiting.thread = nil
  if not ok then error((...), 0) end
  return ...
end

-- The same function, with which the module knows that it waits for it.
local function guarded(module, name, fn)
  return function(...)
    local thread
    -- An interrupted module mustn't wait for what never began: so the thread says itself that it did.
    thread = create(function(...)
      module.waiting.thread, module.waiting.name = thread, name
      return fn(...)
    end)
    return follow(module, thread, resume(thread, ...))
  end
end

--- Options with their callbacks guarded.
---@param module hclexpr.Module
---@param options table
---@return table
function callbacks.of(module, options)
  local made = {}
  for name, x in pairs(options) do made[name] = type(x) == "function" and guarded(module, name, x) or x end
  -- Who gave up a coroutine in which a callback yielded, and dropped it, may ask again.
  module.waiting = setmetatable({}, { __mode = "v" })
  return made
end

--- The name of the callback that a module waits for; nil: none.
---@param module hclexpr.Module
---@return string?
function callbacks.waiting(module)
  local thread = module.waiting.thread
  -- It may have ended, and an interrupt kept that from being noted.
  return thread and status(thread) ~= "dead" and module.waiting.name or nil
end

return callbacks
