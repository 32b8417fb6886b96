-- Callbacks are functions of the host that a module calls while it reads or evaluates. They may yield and raise. They must not call the
-- module's methods, because the module is busy.
local callbacks = {}

local create, resume, status, yield = coroutine.create, coroutine.resume, coroutine.status, coroutine.yield

-- Resumes a callback until it ends, and then clears module.waiting. Each callback runs in its own coroutine, so that its end is noticed
-- even after an error; pcall would keep the callback from yielding in Lua 5.1. Whatever the callback yields is passed on.
local function follow(module, thread, ok, ...)
  if ok and status(thread) ~= "dead" then return follow(module, thread, resume(thread, yield(...))) end
  module.waiting.thread = nil
  if not ok then error((...), 0) end
  return ...
end

-- Wraps a callback so that module.waiting names the callback until it ends.
local function guarded(module, name, fn)
  return function(...)
    local thread
    -- The callback's coroutine itself notes its start: an interrupted module mustn't wait for a callback that never began.
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
  -- Weak values: if a host drops a coroutine in which a callback yielded, the module no longer waits for that callback.
  module.waiting = setmetatable({}, { __mode = "v" })
  return made
end

--- Returns the name of the callback that a module waits for, or nil.
---@param module hclexpr.Module
---@return string?
function callbacks.waiting(module)
  local thread = module.waiting.thread
  -- An interrupt may have ended the callback without clearing module.waiting.
  return thread and status(thread) ~= "dead" and module.waiting.name or nil
end

return callbacks
