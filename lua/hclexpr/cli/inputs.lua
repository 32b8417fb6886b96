-- What commands that evaluate take besides a file: named values, and what the scope grants. Options are named as those of hcl.scope, so
-- that what diagnostics say of a scope is what --help has.
local core = require "hclexpr.core"
local shell = require "hclexpr.cli.shell"

local inputs = {}

-- Limits

inputs.limit_help = [[
  --limit NAME=N          steps, memory, depth, output or source: another limit than the usual one; N may be 1e9
]]

--- The option --limit, which fills a table of limits.
---@param limits hclexpr.Limits
function inputs.limit_option(limits)
  return { value = function(text)
    local name, number = text:match "^(%a+)=(.+)$"
    if not name then shell.bad_usage("--limit takes NAME=N, not " .. text) end
    limits[name] = tonumber(number) or number
    local fault = core.limits_fault(limits)
    if fault then shell.bad_usage(string.format("--limit %s: %s", text, fault)) end
  end }
end

-- The options

--- Text of --help for all that inputs.options gives.
inputs.help = [[
  --var NAME=VALUE        a named value: an expression, or text where it is none
  --var-file FILE         named values from a file of arguments, such as terraform.tfvars
  --env                   the environment: env.NAME, null where it isn't set; env("NAME") as Packer has it, "" there
  --functions FILE        functions that FILE defines: function "name" { params = [a, b], result = a + b }, on lines of their own
  --filesystem DIR        file() and its like may read what is in that folder; else they read nothing
  --plan-timestamp TIME   what plantimestamp() gives, such as 2026-01-01T00:00:00Z
  --clock=false           no timestamp(); --random=false: no uuid() and bcrypt()
]] .. inputs.limit_help

--- Ends the command for the option --filesystem with a folder that isn't there: no file would be found, and no set of files either.
---@param dir string
function inputs.check_folder(dir)
  local opened, why = io.open(dir .. "/.")
  if dir == "" or not opened then
    shell.fail(string.format("--filesystem: %s", dir == "" and "the name of a folder is missing" or why:gsub("/%.: ", ": ")))
  end
  opened:close()
end

local function variables() return require "hclexpr.cli.variables" end

local function grant_environment(scope)
  local others = scope.lookup
  scope.functions = scope.functions or {}
  function scope.lookup(reference)
    if reference.root ~= "env" then return others and others(reference) end
    local name = reference.steps[1]
    if type(name) == "string" then return os.getenv(name) or core.null, 1 end
    return nil, "The environment is read by name, as env.HOME."
  end
  scope.functions.env = core.func {
    params = { { name = "name", type = "string" } }, returns = "string", impl = function(name) return os.getenv(name) or "" end,
  }
end

--- The options of a command that evaluates, and what becomes of them: given.limits, and all else for inputs.take.
---@return table options
---@return { limits: hclexpr.Limits } given
function inputs.options()
  local given = { limits = {}, scope = {}, values = {}, functions = {} }
  local values, scope = given.values, given.scope
  return {
    var = { value = function(text) values[#values + 1] = variables().named(text) end },
    ["var-file"] = { value = function(name)
      values[#values + 1] = function(into, ...) variables().read(name, into, ...) end
    end },
    env = shell.flag(given, "env"), functions = { value = function(name) given.functions[#given.functions + 1] = name end },
    filesystem = shell.text(scope, "filesystem"), ["plan-timestamp"] = shell.text(scope, "plan_timestamp"),
    clock = shell.flag(scope, "clock"), random = shell.flag(scope, "random"),
    limit = inputs.limit_option(given.limits),
  }, given
end

--- The named values, later ones before earlier ones of that name, and the scope: once all options were read, for values that are
--- expressions are evaluated in it.
---@param given table
---@param console? boolean
---@return table variables
---@return hclexpr.Scope scope
---@return table<string, string> origins
function inputs.take(given, console)
  local o, named, origins = given.scope, {}, {}
  if o.filesystem then inputs.check_folder(o.filesystem) end
  local fault = o.plan_timestamp and core.timestamp_fault(o.plan_timestamp)
  if fault then shell.fail(string.format("--plan-timestamp: %s is no time. %s", o.plan_timestamp, fault)) end
  o.limits, o.console = given.limits, console
  if given.env then grant_environment(o) end
  local scope = core.scope(o)
  for _, name in ipairs(given.functions) do scope = variables().functions(name, scope, given.limits) end
  for _, add in ipairs(given.values) do add(named, scope, given.limits, origins) end
  return named, scope, origins
end

return inputs
