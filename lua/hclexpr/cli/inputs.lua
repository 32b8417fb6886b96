-- What commands evaluate with, besides a file: named values and a scope. Options have the names of those of hcl.scope, because diagnostics
-- mention them.
local core = require "hclexpr.core"
local shell = require "hclexpr.cli.shell"

local inputs = {}

local function set_limit(limits, text)
  local name, number = text:match "^(%a+)=(.+)$"
  if not name then shell.bad_usage("--limit takes NAME=N, not " .. text) end
  limits[name] = tonumber(number) or number
  local fault = core.limits_fault(limits)
  if fault then shell.bad_usage(string.format("--limit %s: %s", text, fault)) end
end

--- The row of the option --limit, which commands without evaluation have, too.
inputs.limit = {
  "--limit NAME=N", "set a limit: steps, memory, depth, output or source. N may be written as 1e9",
  into = "limits", act = set_limit,
}

--- The row of the option -language (cli/language.lua).
inputs.language = { "-language FILE", "a Lua file that returns the description of the files' language" }

--- The row of the option --functions.
inputs.functions = {
  "--functions FILE", 'the functions that FILE defines: a block function "name" for each, with lines params = [a, b] and result = a + b',
  into = "functions", act = table.insert,
}

--- Ends the command if the folder of --filesystem is missing: otherwise functions would find no file, and sets of files would be empty.
---@param dir string
function inputs.check_folder(dir)
  if dir == "" then shell.fail "--filesystem: the name of a folder is missing" end
  local opened, why = io.open(dir .. "/.")
  if not opened then shell.fail("--filesystem: " .. tostring(why):gsub("/%.: ", ": ")) end
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

local function add_value(values, text)
  values[#values + 1] = variables().named(text)
end

local function add_file(values, name)
  values[#values + 1] = function(into, ...) variables().read(name, into, ...) end
end

--- The options for inputs.take, and the limits.
inputs.options = {
  { "--var NAME=VALUE", "a named value: an expression, otherwise plain text", into = "values", act = add_value },
  { "--var-file FILE", "named values from a file of arguments, such as terraform.tfvars", into = "values", act = add_file },
  { "--env", 'let expressions read the environment: env.NAME is null for an unset variable, and env("NAME"), as in Packer, is ""' },
  inputs.functions,
  { "--filesystem DIR", "let file() and similar functions read files in that folder; by default they read none", into = "scope" },
  { "--plan-timestamp TIME", "the result of plantimestamp(), such as 2026-01-01T00:00:00Z", into = "scope" },
  { "--clock=false", "forbid timestamp()", into = "scope" },
  { "--random=false", "forbid uuid() and bcrypt()", into = "scope" },
  inputs.limit,
}

--- Returns the named values (later ones replace earlier ones), the scope, and where each value is from. Call it after all options
--- are read, because values that are expressions are evaluated in the scope.
---@param given table of inputs.options
---@param console? boolean
---@return table variables
---@return hclexpr.Scope scope
---@return table<string, string> origins
function inputs.take(given, console)
  local o, named, origins = given.scope, {}, {}
  if o.filesystem then inputs.check_folder(o.filesystem) end
  local fault = o.plan_timestamp and core.timestamp_fault(o.plan_timestamp)
  if fault then shell.fail(string.format("--plan-timestamp: %s is not a time. %s", o.plan_timestamp, fault)) end
  o.limits, o.console = given.limits, console
  if given.env then grant_environment(o) end
  local scope = core.scope(o)
  for _, name in ipairs(given.functions) do scope = variables().functions(name, scope, given.limits) end
  for _, add in ipairs(given.values) do add(named, scope, given.limits, origins) end
  return named, scope, origins
end

return inputs
