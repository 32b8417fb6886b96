-- Argument checks: misuse raises as Lua's own library does, naming the argument.
local check = {}

function check.fail(n, name, message)
  error(string.format("bad argument #%d to '%s' (%s)", n, name, message), 3)
end

-- Raises unless value is of the Lua type (or nil where it is optional).
function check.type(n, name, value, wanted, optional)
  local got = type(value)
  if got == wanted or (optional and value == nil) then return value end
  error(string.format("bad argument #%d to '%s' (%s expected, got %s)", n, name, wanted, value == nil and "no value" or got), 3)
end

-- Raises unless options is nil or a table that has only the fields of `known`: name = Lua type, or true for any.
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
    if wanted ~= true and type(value) ~= wanted then
      error(string.format("bad argument #%d to '%s' (option '%s' must be a %s, not a %s)", n, name, key, wanted, type(value)), 3)
    end
  end
  return options
end

return check
