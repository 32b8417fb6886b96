-- Named values given to the command: --var and --var-file.
local calls = require "hclexpr.calls"
local core = require "hclexpr.core"
local files = require "hclexpr.files"
local hcl = require "hclexpr"
local shorten = require("hclexpr.util").shorten
local shell = require "hclexpr.cli.shell"

local variables = {}

-- Returns true if an expression can use the name.
local function is_name(name)
  local expression = hcl.compile(name)
  local used = expression and expression:references()[1]
  return used ~= nil and used.root == name and used.path == name
end

-- Returns true if a text begins as only an expression does: with a bracket, a quote, a heredoc or a call.
local function begins_as_expression(text)
  return text:find '^%s*[%[{("]' or text:find "^%s*<<" or text:find "^%s*[%a_][%w_:-]*%("
end

-- Ends the command with the reason why a variable's text isn't an expression.
local function refuse(name, text, err)
  if err then shell.report(err) end
  text = shorten(text, 60, 40)
  shell.fail(string.format([[--var %s: %s looks like an expression but %s. To pass it as text, quote it: --var '%s="…"']],
    name, text, err and "isn't valid" or "can use no named values", name))
end

-- Returns the value of a variable's text: the value of an expression that needs no names, otherwise the text itself. Plain text can't be
-- meant if the text begins as only an expression does, or calls functions: then what is wrong with the expression is reported.
local function variable_value(name, text, scope, limits)
  local expression, wrong = hcl.compile(text, { filename = "--var", limits = limits })
  if begins_as_expression(text) and (not expression or #expression:references() > 0) then refuse(name, text, wrong) end
  if expression and #expression:references() == 0 then
    local value, err = expression:value(nil, scope)
    if value or #expression:calls() > 0 then return shell.must(value, err) end
  end
  local value, err = hcl.value(text)
  if value then return value end
  ---@cast err -?
  shell.fail("--var: " .. err[1].detail)
end

-- Parses a file; strings of JSON aren't templates, as in Terraform's files of variables.
local function parse_literal(name, limits)
  local syntax = files.syntax_of(name) == "json" and "json-literal" or "native"
  return core.parse(shell.read(name), { filename = shell.display_name(name), limits = limits, syntax = syntax })
end

--- Puts the content of a file into a table of variables.
---@param name string
---@param into table
---@param scope hclexpr.Scope
---@param limits hclexpr.Limits
---@param origins table<string, string> gets where each is from
function variables.read(name, into, scope, limits, origins)
  local body = shell.must(parse_literal(name, limits))
  if body.blocks[1] then
    shell.fail(string.format("%s: a file of variables has only arguments, but this one has a block %s", name, body.blocks[1].type))
  end
  for key, attribute in pairs(body.attributes) do
    into[key] = shell.must(attribute:value(nil, scope))
    origins[key] = attribute.range.filename .. ":" .. attribute.range.start.line
  end
end

-- Ends the command if a file of functions defines none.
local function check_defined(name, defined)
  if not next(defined) then shell.fail(name .. ': no functions are defined there: a block function "name" { … } defines one') end
end

--- Adds the functions that a file defines to `into`, in a form for code that doesn't call them.
---@param name string
---@param limits hclexpr.Limits
---@param into table<string, hclexpr.FunctionInfo|false>
function variables.rows(name, limits, into)
  local defined = {}
  calls.defined(shell.must(shell.parse(name, limits)), defined)
  check_defined(name, defined)
  for key, row in pairs(defined) do into[key] = row end
end

--- Makes a scope with the functions and variables that a file defines.
---@param name string
---@param scope hclexpr.Scope
---@param limits hclexpr.Limits
---@return hclexpr.Scope
function variables.functions(name, scope, limits)
  local _, err, made, defined = require("hclexpr.body.declarations").take(shell.must(shell.parse(name, limits)), nil, scope)
  if not (made and defined) then return shell.must(made, err) end
  check_defined(name, defined)
  return made
end

--- Makes a function that puts the value of an argument NAME=VALUE into a table of variables.
---@param text string
---@return fun(into: table, scope: hclexpr.Scope, limits: hclexpr.Limits, origins: table<string, string>)
function variables.named(text)
  local name, value = text:match "^([^=]+)=(.*)$"
  if not name then shell.bad_usage("--var takes NAME=VALUE, not " .. text) end
  if not is_name(name) then
    shell.bad_usage(string.format("--var: %s is not a name; values with attributes are written --var 'a={b=1}'", name))
  end
  return function(into, scope, limits, origins)
    into[name], origins[name] = variable_value(name, value, scope, limits), "--var"
  end
end

return variables
