-- Evaluations that need Lua: runs the callbacks and resumes the machine.
--
-- An entry of the core returns its result; or nil and diagnostics; or, where it needs a callback, the suspended
-- evaluation and true. No C function is on the stack while a callback runs, so it may yield on every Lua.
local core = require "hclexpr.core"

local need, resume = core.need, core.resume

local function invoke(fn, ...)
  return fn(...)
end

-- Takes an entry's two results to the end.
local function continue(result, more)
  if not more then return result end
  if result == nil then return nil, more end
  return continue(resume(result, invoke(need(result))))
end

-- A method out of an entry of the core: one C call and one `if` where nothing is asked of Lua.
local function method(entry)
  return function(self, variables, scope)
    local result, more = entry(self, variables, scope)
    if not more then return result end
    if result == nil then return nil, more end
    return continue(result, more)
  end
end

return { continue = continue, method = method }
