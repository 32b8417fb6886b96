-- hclexpr validate: reports mistakes in a Terraform folder that don't depend on its inputs.
local core = require "hclexpr.core"
local folders = require "hclexpr.cli.folders"
local missing_lines = require("hclexpr.lazy") "hclexpr.cli.missing_lines"
local shell = require "hclexpr.cli.shell"

local validate = {
  arguments = "[DIR]",
  summary = "check a Terraform folder without its inputs",
  examples = { "validate", "validate -json envs/prod" },
  statuses = { [1] = "something is wrong with the configuration" },
  help = [[
Reports all mistakes in the configuration in DIR (default: the current folder) and in the local modules that it calls, as
`terraform validate` does, without providers, network or `init`. On a terminal it prints "Success!" if it finds no mistake.
]],
  options = {
    { "-json", "print the mistakes in the format of `terraform validate -json`" },
    { "-test-directory PATH", "the folder of test files; default: tests" },
    folders.options,
  },
}

local FORMAT = "1.0"

--- Prints what is wrong as JSON.
---@param ok boolean
---@param lists (hclexpr.Diagnostics|nil)[]
---@param n integer how many
---@param missing_rows table[] what is missing
---@param dir? string names of files begin here; nil: as given
function validate.print_json(ok, lists, n, missing_rows, dir)
  local counts = { error = 0, warning = 0 }
  for i = 1, n do
    for _, d in ipairs(lists[i] or {}) do counts[d.severity] = counts[d.severity] + 1 end
  end
  shell.product_object("  ", function(writer)
    writer:field("format_version", FORMAT)
    writer:raw_field("valid", tostring(ok))
    writer:field("error_count", counts.error)
    writer:field("warning_count", counts.warning)
    folders.write_diagnostics(writer, lists, n, dir)
    missing_lines.write(writer, missing_rows)
  end)
end

--- Reports what is wrong, or passes it to `sink`; returns the exit status.
---@param dir string
---@param given table
---@param kinds? table<string, true> kinds of missing parts to report; nil: all that keep declarations from being checked
---@param sink? fun(problems?: hclexpr.Diagnostics)
---@return integer
function validate.check(dir, given, kinds, sink)
  given.stateless = true
  local module, err = folders.open(dir, given, not given.json and (kinds or folders.of_declarations) or nil)
  folders.tell_empty(dir, module)
  local ok, problems
  if module then ok, problems = module:validate() else problems = err end
  if sink then
    sink(problems)
  elseif given.json then
    validate.print_json(ok == true, { problems }, 1, module and module:missing() or {}, dir)
  else
    folders.report(problems)
    missing_lines.report_outside(module and module:missing())
    if ok and core.is_terminal "stdout" then shell.write_text "Success! Nothing is wrong with this configuration." end
  end
  return ok and shell.OK or shell.BAD_INPUT
end

function validate.run(args)
  local given, rest = shell.arguments(args, validate)
  return validate.check(folders.one(rest), given)
end

return validate
