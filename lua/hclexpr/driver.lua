-- Drives evaluations that need Lua: runs the callbacks and resumes the machine.
--
-- An entry of the core is a C function that evaluates. It returns its result, or nil and diagnostics, or, if it needs a callback, the
-- suspended evaluation and true. No C function is on the stack while a callback runs, so it may yield on every Lua.
local core = require "hclexpr.core"

local need, resume = core.need, core.resume

local function invoke(fn, ...)
  return fn(...)
end

-- Runs an evaluation to its end, from the first two results of its entry. The arguments keep alive everything that the evaluation needs,
-- and keep their stack slots; the core uses two slots of its own between the arguments and the callback's results.
local function continue(self, variables, scope, result, more)
  if not more then return result end
  if result == nil then return nil, more end
  return continue(self, variables, scope,
                  resume(self, variables, scope, result, nil, nil, invoke(need(self, variables, scope, result))))
end

-- Makes a method from an entry of the core. An evaluation without callbacks costs only one C call and one `if`.
local function method(entry)
  return function(self, variables, scope)
    local result, more = entry(self, variables, scope)
    if not more then return result end
    return continue(self, variables, scope, result, more)
  end
end

return { continue = continue, method = method }
