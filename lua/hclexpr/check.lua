-- Checks of arguments. Misuse raises an error that names the argument, like errors of Lua's own library.
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"

local check = {}
local advice

-- Moves a level past tail calls: Lua 5.1 counts a function that was left by a tail call as a level of its own, which has no line.
local function past_tail_calls(level)
  local getinfo = debug and debug.getinfo -- a host may leave out the debug library
  local info = getinfo and getinfo(level + 1, "S")
  while info and info.what == "tail" do
    level = level + 1
    info = getinfo(level + 1, "S")
  end
  return level
end

-- Raises an error about argument n of the function `name`. `level` says which caller to blame, like the level of an `error` in the function
-- that calls this one.
local function misuse(level, n, name, message, ...)
  error(string.format("bad argument #%d to '%s' (%s)", n, name, string.format(message, ...)), past_tail_calls(level + 1))
end

--- Raises an error about an argument. The blame goes to the caller of the function that calls this one.
---@param n integer
---@param name string
---@param message string
function check.fail(n, name, message)
  misuse(3, n, name, "%s", message)
end

--- Raises an error about an argument of a public method, from a function that the method calls.
---@param n integer
---@param name string
---@param message string a format
function check.bad(n, name, message, ...)
  misuse(4, n, name, message, ...)
end

--- Raises a message like `error`. Level 1 is the function that calls this one; tail calls of Lua 5.1 don't count.
---@param level integer
---@param message any
function check.raise(level, message)
  error(message, past_tail_calls(level + 1))
end

--- Raises an error if `is` is false or nil: it says whether the method `name` was called on an object of its class.
---@param name string
---@param class string
---@param self any
---@param is any
function check.self(name, class, self, is)
  if is then return end
  local text = "calling '%s' on bad self (%s expected, got %s; methods are called with a colon)"
  error(string.format(text, name, class, type(self)), past_tail_calls(3))
end

--- Raises an error unless value has the Lua type `wanted`, or is nil and optional.
---@param n integer
---@param name string
---@param value any
---@param wanted string
---@param optional? boolean
---@return any value
function check.type(n, name, value, wanted, optional)
  local got = type(value)
  if got == wanted or (optional and value == nil) then return value end
  misuse(3, n, name, "%s expected, got %s", wanted, value == nil and "no value" or got)
end

--- Raises an error unless options is nil or a table with only the fields of `known`. `known` maps each option to Lua types
--- ("string|table"), "position" for a line or column, "indent" for spaces per level or false, "scope", "limits" for a table of limits, an
--- array of allowed words, or true for anything.
---@param n integer
---@param name string
---@param options any
---@param known table<string, string|string[]|true>
---@param aliases? table<string, string> older names of options, which messages don't suggest
---@return table options
function check.options(n, name, options, known, aliases)
  if options == nil then return {} end
  if type(options) ~= "table" then misuse(3, n, name, "table expected, got %s", type(options)) end
  advice = advice or lazy.load "hclexpr.advice"
  local fault
  if aliases then options, fault = advice.renamed(options, aliases) end
  fault = fault or advice.of_options(options, known)
  if fault then misuse(3, n, name, "%s", fault) end
  return options
end

--- Checks what a function or table in an option of the host gave for a name: returns a string or nil, and raises for anything else.
---@param option string
---@param name string
---@param given any
---@return string?
function check.given(option, name, given)
  if given == nil or type(given) == "string" then return given end
  error(string.format("option '%s' must give a string or nil for %s, not a %s", option, name, type(given)), 0)
end

--- Checks the two arguments that every evaluation takes: argument n, variables, is a table or nil; argument n + 1 is a scope or nil.
---@param n integer
---@param name string
---@param variables any
---@param scope any
function check.run(n, name, variables, scope)
  if variables ~= nil and type(variables) ~= "table" then misuse(3, n, name, "table expected, got %s", type(variables)) end
  if scope ~= nil and getmetatable(scope) ~= core.classes.Scope then
    misuse(3, n + 1, name, "scope expected, got %s; make one with hcl.scope", type(scope))
  end
end

-- Every Lua and the core can express whole numbers up to this one.
local MOST = 2 ^ 31 - 1

--- Returns true if a number is a count: whole, not negative, and small enough for every Lua.
---@param n number
---@return boolean
function check.is_count(n)
  return n >= 0 and n <= MOST and n % 1 == 0
end

--- Returns the result of one of this library's functions for a text that is certainly sound. The function can then fail only for lack of
--- memory. In that case this raises an error, so that a file that is being loaded doesn't keep a missing result.
---@generic T
---@param value T?
---@param err? hclexpr.Diagnostics
---@return T
function check.certain(value, err)
  if value == nil then error(tostring(err), 0) end
  return value
end

--- Returns the result for a source or expression, for callers that don't ask why it failed. Raises an error if memory ran out, because that
--- isn't the source's fault.
---@generic T
---@param value T?
---@param err? hclexpr.Diagnostics
---@return T? value
---@return hclexpr.Diagnostics? err
function check.possible(value, err)
  if value ~= nil then return value, err end
  ---@cast err -?
  if err[1].code == "memory" then error(tostring(err), 0) end
  return nil, err
end

--- Returns the result of a call, or its usable part after an error; and the error.
---@generic T
---@param value T?
---@param err? hclexpr.Diagnostics
---@param partial? T
---@return T?
---@return hclexpr.Diagnostics?
function check.readable(value, err, partial)
  if value == nil then return partial, err end
  return value, err
end

--- Parses a source. Returns nil if it can't be read.
---@param source string
---@param options table options of core.parse
---@return hclexpr.Body?
function check.parsed(source, options)
  return (check.possible(core.parse(source, options)))
end

return check
