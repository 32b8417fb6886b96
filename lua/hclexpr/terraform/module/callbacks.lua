-- Callbacks: functions of the host that a module calls while it reads or evaluates. They may yield and raise. They must not ask the module
-- anything, because it is in the middle of something.
local callbacks = {}

local create, resume, status, yield = coroutine.create, coroutine.resume, coroutine.status, coroutine.yield

-- Each runs in its own coroutine, so that its end is noticed however it ends: pcall would keep it from yielding in Lua 5.1. Yields are
-- handed on.
local function follow(module, thread, ok, ...)
  if ok and status(thread) ~= "dead" then return follow(module, thread, resume(thread, yield(...))) end
  module.waiting.thread = nil
  if not ok then error((...), 0) end
  return ...
end

-- The same function, wrapped so that the module knows that it waits for it.
local function guarded(module, name, fn)
  return function(...)
    local thread
    -- An interrupted module mustn't wait for something that never began, so the thread itself notes that it began.
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
  -- A host that dropped a coroutine in which a callback yielded may ask again.
  module.waiting = setmetatable({}, { __mode = "v" })
  return made
end

--- The name of the callback that a module waits for; nil: none.
---@param module hclexpr.Module
---@return string?
function callbacks.waiting(module)
  local thread = module.waiting.thread
  -- It may have ended without being noted, because of an interrupt.
  return thread and status(thread) ~= "dead" and module.waiting.name or nil
end

return callbacks
