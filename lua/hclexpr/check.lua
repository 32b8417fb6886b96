-- Argument checks: misuse raises as Lua's own library does, naming the argument.
local core = require "hclexpr.core"

local check = {}

function check.fail(n, name, message)
  error(string.format("bad argument #%d to '%s' (%s)", n, name, message), 3)
end

-- Raises unless value is of the Lua type (or nil where it is optional). level: of the caller who is to blame, if that is not
-- the caller of the function that checks.
function check.type(n, name, value, wanted, optional, level)
  local got = type(value)
  if got == wanted or (optional and value == nil) then return value end
  error(string.format("bad argument #%d to '%s' (%s expected, got %s)", n, name, wanted, value == nil and "no value" or got), level or 3)
end

-- A line or column: a whole number from 1 on.
local function is_position(value)
  return type(value) == "number" and value >= 1 and value < 2 ^ 31 and value % 1 == 0
end

-- '"a", "b" or "c"', unless value is one of these.
local function none_of(words, value)
  local quoted = {}
  for i, word in ipairs(words) do
    if value == word then return nil end
    quoted[i] = '"' .. word .. '"'
  end
  return table.concat(quoted, ", ", 1, #quoted - 1) .. " or " .. quoted[#quoted]
end

-- What an option must be and isn't.
local function fault(wanted, value)
  if wanted == true then return nil end
  if wanted == "position" then return not is_position(value) and "a whole number from 1 on" or nil end
  if type(wanted) == "table" then return none_of(wanted, value) end
  if type(value) ~= wanted then return string.format("a %s, not a %s", wanted, type(value)) end
end

-- Raises unless options is nil or a table that has only the fields of `known`: name = Lua type, "position" for a line or column,
-- an array of words of which it is one, or true for any.
function check.options(n, name, options, known)
  if options == nil then return {} end
  if type(options) ~= "table" then
    error(string.format("bad argument #%d to '%s' (table expected, got %s)", n, name, type(options)), 3)
  end
  for key, value in pairs(options) do
    local wanted = known[key]
    if not wanted then
      error(string.format("bad argument #%d to '%s' (unknown option '%s')", n, name, tostring(key)), 3)
    end
    local must_be = fault(wanted, value)
    if must_be then error(string.format("bad argument #%d to '%s' (option '%s' must be %s)", n, name, key, must_be), 3) end
  end
  return options
end

-- What every evaluation takes: variables, a table or nil, as argument n, and after it a scope or nil.
function check.run(n, name, variables, scope)
  if variables ~= nil and type(variables) ~= "table" then
    error(string.format("bad argument #%d to '%s' (table expected, got %s)", n, name, type(variables)), 3)
  end
  if scope ~= nil and getmetatable(scope) ~= core.classes.Scope then
    error(string.format("bad argument #%d to '%s' (scope expected, got %s; make one with hcl.scope)", n + 1, name, type(scope)), 3)
  end
end

return check
