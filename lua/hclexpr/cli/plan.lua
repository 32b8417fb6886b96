-- hclexpr plan: the plan of a Terraform folder: resources, outputs, checks.
local check = require "hclexpr.check"
local core = require "hclexpr.core"
local Findings = require "hclexpr.terraform.language.findings"
local folders = require "hclexpr.cli.folders"
local lazy = require "hclexpr.lazy"
local documents = lazy "hclexpr.terraform.schema.documents"
local missing_lines = require "hclexpr.cli.missing_lines"
local plan_options = lazy "hclexpr.terraform.module.plan_options"
local plan_text = require "hclexpr.cli.plan_text"
local shell = require "hclexpr.cli.shell"
local sorted = require("hclexpr.util").sorted

-- Reads the answers for data sources from a file, and sets the option `resource` of hcl.module.
local function set_data(given, name)
  local data, why = documents.decode(shell.read(name))
  if not data then shell.fail(("the file of data %s can't be read: %s"):format(name, why)) end
  given.resource = function(r)
    if r.mode ~= "data" then return nil end
    local found = data[r.address]
    return type(found) == "table" and found or nil
  end
end

-- The options of a plan, as m:plan takes them, and their spelling on the command line.
local asked = { destroy = "-destroy", refresh_only = "-refresh-only", refresh = "-refresh=false", targets = "-target",
                replace = "-replace" }

local plan = {
  arguments = "[DIR]",
  summary = "evaluate a Terraform folder: resources, outputs, checks",
  examples = { "plan -var-file=prod.tfvars", "plan -state terraform.tfstate -json infra >plan.json" },
  statuses = {
    [1] = "the folder has an error (known values are printed all the same)",
    [3] = "the folder has no error, but a module, the value of a variable or a file outside the folder is missing",
  },
  help = [[
Evaluates the configuration in DIR (default: the current folder) as `terraform plan` does, but offline, and prints the changes to the state:
resources to create (+), update (~), replace (-/+) or destroy (-) with the actions that these changes invoke, data, checks and changes to
outputs. A value that only a provider knows is "(known after apply)".
]],
  options = {
    { "-json", "print the plan in the format of `terraform show -json`, for tools that read it; sensitive values are null. Prints "
      .. "nothing if `validate` finds an error" },
    { "-reveal", "with -json: also print sensitive values" },
    { "-json=full", "as -json, with a key `hclexpr` for things that the format lacks: locals, missing (values that only a provider knows, "
      .. "which aren't in the plan), origins, diagnostics" },
    { "-data FILE", "a JSON file with the attributes of data sources, by address, in place of a provider's answers", act = set_data },
    { "-json=values", "print the planned values in a short form. Unknown and sensitive values are null, and `unknown` and `sensitive` say "
      .. "where; `open` says where unknown elements will be added. `schema` is the origin of the types: `file`, `builtin` or `bundled`, or "
      .. "false if arguments are as written" },
    "What to plan:",
    { "-destroy", "plan the destruction of everything in the state", into = "asked" },
    { "-target ADDR", "plan only that resource, instance or module and its dependencies, or with -destroy its dependents; may be given "
      .. "several times", into = "targets", act = table.insert },
    { "-replace ADDR", "plan to replace that instance, even if nothing in it changed; may be given several times", into = "replace",
      act = table.insert },
    { "-refresh-only", "plan no changes of resources, only outputs and checks, from the state", into = "asked" },
    { "-refresh=false", "with -destroy: read no data and evaluate no outputs first. Otherwise only depends_on in the JSON's prior "
      .. "state may change, since no provider runs", into = "asked" },
    folders.options,
  },
}

-- Returns the options of the plan among the given ones.
local function options_of(given)
  local options = given.asked
  if next(options) == nil and not given.targets[1] and not given.replace[1] then return nil end
  options.targets, options.replace = given.targets, given.replace
  local why = plan_options.wrong(options, asked)
  if why then shell.bad_usage(why) end
  return options
end

local function write_resource(writer, r)
  writer:field("address", r.address)
  for _, name in ipairs { "mode", "type", "name", "module" } do
    if r[name] and r[name] ~= "" then writer:field(name, r[name]) end
  end
  if r.key then writer:field("key", r.key) end
  -- Before 1.0 the field `schema` was false or absent.
  if r.schema == "none" then writer:raw_field("schema", "false") else writer:field("schema", r.schema) end
  folders.write_value(writer, r.value)
end

local function write_plan(writer, result, problems)
  if result then
    writer:objects("resources", write_resource, result.resources)
    writer:key "outputs"
    writer:open "{"
    for _, name in ipairs(sorted(result.outputs)) do writer:object(name, folders.write_value, result.outputs[name]) end
    writer:close "}"
    writer:object("checks", function(_, checks)
      for _, address in ipairs(sorted(checks)) do writer:field(address, checks[address].status) end
    end, result.checks)
    missing_lines.write(writer, result.missing)
  end
  folders.write_diagnostics(writer, { problems, result and result.warnings }, 2)
end

-- Prints the plan in the form of `terraform show -json`. Without a plan only the diagnostics are shown.
local function run_plan_json(module, problems, given, options)
  local json
  options = options or {}
  options.reveal, options.full, options.text = given.reveal, given.json == "full", true
  if module then json, problems = check.readable(module:plan_json(options)) end
  folders.report(problems)
  if not json then return shell.BAD_INPUT end
  shell.product(json, "\n")
  if Findings.has_errors(problems) then return shell.BAD_INPUT end
  return missing_lines.decides(module:missing()) and shell.INCOMPLETE or shell.OK
end

function plan.run(args)
  local given, rest = shell.arguments(args, plan)
  local dir, options = folders.one(rest), options_of(given)
  local module, err = folders.open(dir, given, not given.json and folders.of_values or nil)
  if given.json and given.json ~= "values" then return run_plan_json(module, err, given, options) end
  local result, problems, partial
  if module then result, problems, partial = module:plan(options) else problems = err end
  local seen = result or partial
  if given.json then
    shell.product_object("  ", function(writer) write_plan(writer, seen, problems) end)
  else
    local text, warnings = seen and plan_text.of(seen, result ~= nil) or "", seen and seen.warnings
    shell.product(text)
    shell.flush()
    local more = problems and #problems > 0 or warnings and #warnings > 0
    if more and text ~= "" and core.is_terminal "stderr" then shell.say "" end
    folders.report(problems, warnings)
    missing_lines.report_outside(seen and seen.missing or module and module:missing())
  end
  if not result then return shell.BAD_INPUT end
  return missing_lines.decides(result.missing) and shell.INCOMPLETE or shell.OK
end

return plan
