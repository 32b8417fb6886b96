-- hclexpr check: what is wrong in configuration files, or in a Terraform folder.
local Findings = require "hclexpr.findings"
local null_comparisons = require "hclexpr.cli.null_comparisons"
local bundle = require "hclexpr.bundle"
local core = require "hclexpr.core"
local calls = require "hclexpr.calls"
local hcl = require "hclexpr"
local language = require("hclexpr.lazy") "hclexpr.cli.language"
local inputs = require "hclexpr.cli.inputs"
local recursive = require "hclexpr.cli.recursive"
local shell = require "hclexpr.cli.shell"
local types = require "hclexpr.cli.types"
local validate = require("hclexpr.lazy") "hclexpr.cli.validate"

local check = {
  arguments = "[-recursive] [-language FILE] [--functions FILE] [--rules] [--types FILE] FILES|DIR",
  summary = "report what is wrong in configuration files",
  examples = { "check -recursive .", "check --types request.types rules.hcl" },
  statuses = { [1] = "something is wrong in a file, or it can't be read" },
  help = [[
Reads each file (as JSON if its name ends in .json) and reports its mistakes on standard error: syntax, unknown functions, wrong numbers of
arguments. It knows the functions that the file itself or --functions defines. In files of Packer, Terragrunt, Nomad and BuildKit,
recognized by their names, it reports no unknown function. It evaluates nothing, so it doesn't check templates in strings of JSON. To check
a Terraform folder as a whole, use hclexpr validate.

With --rules, --types or --schema it also checks all expressions, as hclexpr publish does: names, attributes, arguments, types, in every
branch. A folder is then read as one file. The command doesn't know the option `absent` of the rules. So it warns of a comparison that
absent = "null" makes true if the request lacks the compared value.

With -language it checks the files against the description: arguments, references, types, rules. Functions and names of the program are
unknown values. If the language's unit is the folder, checking a file also reads the other files of its folder. Without FILES it checks the
description itself.
]],
  options = {
    { "-json", "print the mistakes of all files in the format of `hclexpr validate -json`" },
    inputs.language, recursive.option, inputs.functions, types.options, inputs.limit,
  },
}

local function report(findings, given)
  local found = findings:diagnostics()
  if found then given.sink(found) end
  return not Findings.has_errors(found)
end

-- Returns the Body of a file; or, after a report, nil and the readable part, or nil alone if the file can't be read.
local function parse(name, given, findings, found)
  local text, why = shell.try_read(name, found)
  if not text then
    if given.json then findings:add(core.diagnose("LOAD_FAILED", nil, nil, why .. "."))
    else shell.warn(why --[[@as string]]) end
    return nil
  end
  local body, err, readable = hcl.parse(text, shell.parse_options(name, given.limits))
  if err then findings:add(err) end
  return body, readable
end

-- Checks the expressions of a body; with a schema in the same way as a node reads the body (resty/hclexpr/decode.lua).
local function check_expressions(body, given)
  if given.schema then
    local config, err = body:decode(given.schema, nil, given.scope)
    if not config then return err end
  end
  return select(2, body:check(given.schema, given.types, given.scope))
end

local function check_body(body, name, given, findings)
  null_comparisons.check(body, findings)
  if not given.types then return calls.check(body, name, findings, given.functions) end
  local err = check_expressions(body, given)
  if err then findings:add(err) end
end

--- Reports what is wrong in a file; true if it is sound.
---@param name string
---@param given hclexpr.cli.Given
---@param found? boolean the file was found in a folder
---@return boolean
function check.is_sound(name, given, found)
  local findings = Findings.new()
  local body, readable = parse(name, given, findings, found)
  if not body and not readable and findings:count() == 0 then return false end
  if body then check_body(body, name, given, findings) elseif readable then calls.check(readable, name, findings, given.functions) end
  return report(findings, given)
end

--- Reports what is wrong in several regular files, which are read as one body; true if they are sound.
---@param names string[]
---@param given hclexpr.cli.Given
---@return boolean
function check.are_sound(names, given)
  local findings, bodies, sound = Findings.new(), {}, true
  for _, name in ipairs(names) do
    local body = parse(name, given, findings, true)
    sound = sound and body ~= nil
    bodies[#bodies + 1] = body
  end
  if sound then
    local body, err = hcl.merge(bodies, { limits = given.limits })
    if body then check_body(body, "", given, findings) else findings:add(err) end
  end
  return report(findings, given) and sound
end

-- Checks files of a described language. Each path is opened with the other files of its configuration.
local function check_described(lang, names, given)
  return shell.all(names, "files", function(name)
    local sound = true
    for _, conf in ipairs(language.open(lang, name, { limits = given.limits })) do
      local err = conf:problems()
      if err then given.sink(err) end
      sound = sound and not Findings.has_errors(err)
    end
    return sound
  end)
end

-- Returns the files of a folder of rules. For any other folder, returns the configuration files in it.
local function files_in(folder)
  return bundle.list(folder) or recursive.files_in(folder)
end

function check.run(args)
  local o, names = shell.arguments(args, check)
  local described = o.language and language.read(o.language)
  if described and o.recursive then shell.bad_usage "-language takes files and folders; -recursive is for files by themselves" end
  local given, lists = types.given(o), {}
  given.json = o.json
  if o.json then given.sink = function(found) lists[#lists + 1] = found end end
  if described then
    local status = names[1] and check_described(described, names, given) or shell.OK
    if o.json then validate.print_json(status == shell.OK, lists, #lists, {}) end
    return status
  end
  local function is_sound(name, folder) return check.is_sound(name, given, folder ~= nil) end
  local status = recursive.all(names, "files", o.recursive, is_sound, function(dir)
    if given.types then return check.are_sound(files_in(dir), given) end
    local whole = { settings = {}, sources = {}, limits = given.limits }
    return validate.check(dir, whole, not o.json and require("hclexpr.cli.folders").of_names or {}, o.json and given.sink) == shell.OK
  end)
  if o.json then validate.print_json(status == shell.OK, lists, #lists, {}) end
  return status
end

return check
