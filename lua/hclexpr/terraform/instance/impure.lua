-- Functions that return a different result at each call, so that a plan doesn't know their results; and plantimestamp.
local core = require "hclexpr.core"

local impure = {}

local unknown = core.unknown("string", { not_null = true })

local function later_known() return unknown end

local always = {
  timestamp = core.func { params = {}, values = true, returns = "string", impl = later_known },
  uuid = core.func { params = {}, values = true, returns = "string", impl = later_known },
  bcrypt = core.func {
    params = { { name = "str", type = "string" } }, variadic = { name = "cost", type = "number" }, values = true, returns = "string",
    impl = later_known,
  },
}

local any_text = core.unknown "string"
local no_time = core.func { params = {}, values = true, returns = "string", impl = function() return any_text end }

-- Returns the result of a function without arguments in the host's scope; nil and diagnostics if the function fails.
local function asked(name, scope)
  local call, err = core.compile(name .. "()")
  if not call then return nil, err end
  return call:value(nil, scope)
end

-- Makes plantimestamp(). It returns the host's time of the plan, or otherwise the time of its first call by the host's clock.
local function plan_time(scope)
  local found
  return core.func { params = {}, values = true, returns = "string", impl = function()
    if not found then
      local err
      found = asked("plantimestamp", scope)
      if not found then found, err = asked("timestamp", scope) end
      if not found then return nil, err[1].detail end
    end
    return found
  end }
end

--- Returns the impure functions by name as a plan has them. Functions that the host's scope lacks are left out.
---@param scope? hclexpr.Scope
---@return table<string, hclexpr.Function>
function impure.functions(scope)
  local functions = { plantimestamp = plan_time(scope) }
  for name, fn in pairs(always) do functions[name] = fn end
  for _, name in ipairs { "plantimestamp", "timestamp", "uuid", "bcrypt" } do
    if not core.has_function(name, scope) then functions[name] = nil end
    functions["core::" .. name] = functions[name]
  end
  return functions
end

--- Returns the impure functions as an apply has them: each call returns a new result.
---@param scope? hclexpr.Scope of the host
---@return table<string, hclexpr.Function>
function impure.while_applying(scope)
  local functions = {}
  for _, name in ipairs { "timestamp", "uuid" } do
    local value = asked(name, scope)
    if value then
      functions[name] = core.func { params = {}, values = true, returns = "string", impl = function() return (asked(name, scope)) end }
      functions["core::" .. name] = functions[name]
    end
  end
  return functions
end

--- Returns the functions that differ in a validate walk, where nothing is planned.
---@param functions table<string, hclexpr.Function>
---@return table<string, hclexpr.Function>
function impure.before_plan(functions)
  local unplanned = functions.plantimestamp and no_time
  return { plantimestamp = unplanned, ["core::plantimestamp"] = unplanned }
end

return impure
