-- What commands that evaluate take besides a file: named values, and what the scope grants. Options are named as those of hcl.scope, so
-- that what diagnostics say of a scope is what --help has.
local core = require "hclexpr.core"
local files = require "hclexpr.files"
local hcl = require "hclexpr"
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

-- Named values

-- Is it what an expression can name?
local function is_name(name)
  local expression = hcl.compile(name)
  local used = expression and expression:references()[1]
  return used ~= nil and used.root == name and used.path == name
end

-- Does it begin as nothing but an expression does: with a bracket, a quote, a heredoc, a call?
local function begins_as_expression(text)
  return text:find '^%s*[%[{("]' or text:find "^%s*<<" or text:find "^%s*[%a_][%w_:-]*%("
end

-- Ends with why a variable's text is no expression.
local function refuse(name, text, err)
  if err then shell.report(err) end
  shell.fail(string.format([[--var %s: %s begins as an expression does, but is none%s. For the text itself write quotes: --var '%s="…"']],
    name, text, err and "" or ": it sees no named values", name))
end

-- A variable's text: an expression that needs no names, else the text itself. Where it calls functions, or begins as an expression,
-- text wasn't meant.
local function variable_value(name, text, scope, limits)
  local expression, wrong = hcl.compile(text, { filename = "--var", limits = limits })
  if begins_as_expression(text) and (not expression or #expression:references() > 0) then refuse(name, text, wrong) end
  if expression and #expression:references() == 0 then
    local value, err = expression:value(nil, scope)
    if value or #expression:functions() > 0 then return shell.must(value, err) end
  end
  local value, err = hcl.value(text)
  return value or shell.fail("--var: " .. err[1].detail)
end

-- A file's Body, of which the strings are no templates if it is JSON: as files of variables are read.
local function parse_literal(name, limits)
  local syntax = files.syntax_of(name) == "json" and "json-literal" or "native"
  return core.parse(shell.read(name), shell.display_name(name), nil, nil, limits, syntax)
end

local function read_variables(name, variables, scope, limits)
  local body = shell.must(parse_literal(name, limits))
  if body.blocks[1] then
    shell.fail(string.format("%s: a file of variables holds arguments only, but there is a block %s", name, body.blocks[1].type))
  end
  for key, attribute in pairs(body.attributes) do variables[key] = shell.must(attribute:value(nil, scope)) end
end

-- The options

--- Text of --help for all that inputs.options gives.
inputs.help = [[
  --var NAME=VALUE        a named value: an expression, or text where it is none
  --var-file FILE         named values from a file of arguments, such as terraform.tfvars
  --filesystem DIR        file() and its like may read what is in that folder; else they read nothing
  --plan-timestamp TIME   what plantimestamp() gives, such as 2026-01-01T00:00:00Z
  --clock=false           no timestamp(); --random=false: no uuid() and bcrypt()
]] .. inputs.limit_help

-- Nothing in a folder that isn't there would be found: no file, and no set of files either.
local function check_folder(dir)
  local opened, why = io.open(dir .. "/.")
  if dir == "" or not opened then
    shell.fail(string.format("--filesystem: %s", dir == "" and "the name of a folder is missing" or why:gsub("/%.: ", ": ")))
  end
  opened:close()
end

local function named_value(text)
  local name, value = text:match "^([^=]+)=(.*)$"
  if not name then shell.bad_usage("--var takes NAME=VALUE, not " .. text) end
  if not is_name(name) then
    shell.bad_usage(string.format("--var: %s is no name; values with attributes are written --var 'a={b=1}'", name))
  end
  return function(variables, scope, limits) variables[name] = variable_value(name, value, scope, limits) end
end

--- The options of a command that evaluates, and what becomes of them: given.limits, and all else for inputs.take.
---@return table options
---@return { limits: hclexpr.Limits } given
function inputs.options()
  local given = { limits = {}, scope = {}, values = {} }
  local values, scope = given.values, given.scope
  return {
    var = { value = function(text) values[#values + 1] = named_value(text) end },
    ["var-file"] = { value = function(name)
      values[#values + 1] = function(variables, ...) read_variables(name, variables, ...) end
    end },
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
function inputs.take(given, console)
  local o, variables = given.scope, {}
  if o.filesystem then check_folder(o.filesystem) end
  local fault = o.plan_timestamp and core.timestamp_fault(o.plan_timestamp)
  if fault then shell.fail(string.format("--plan-timestamp: %s is no time. %s", o.plan_timestamp, fault)) end
  o.limits, o.console = given.limits, console
  local scope = hcl.scope(o)
  for _, add in ipairs(given.values) do add(variables, scope, given.limits) end
  return variables, scope
end

return inputs
