-- hclexpr plan: what a Terraform folder comes to: resources, outputs, checks.
local core = require "hclexpr.core"
local folders = require "hclexpr.cli.folders"
local jsontext = require "hclexpr.cli.jsontext"
local missing = require "hclexpr.cli.missing"
local plan_text = require "hclexpr.cli.plan_text"
local shell = require "hclexpr.cli.shell"

local plan = {
  arguments = "[DIR]",
  summary = "evaluate a Terraform folder: resources, outputs, checks",
  examples = { "plan -var-file=prod.tfvars", "plan -state terraform.tfstate -json infra >plan.json" },
  help = [[
Evaluates the configuration in DIR (the current folder) as a plan would, offline, and prints what would be done with what the state has:
resources to create (+), update (~), replace (-/+) or destroy (-), data, checks and changes of outputs. What only a provider knows is
"(known after apply)". If anything is wrong, what is known is printed all the same, and the exit status is 1;
3 where nothing is wrong, but a module or the value of a variable was missing.

  -json                   print it as JSON: null where a value is unknown or sensitive, with `unknown` and `sensitive` saying where
]] .. folders.help,
}

local function sorted_keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

local function write_resource(writer, r)
  writer:field("address", r.address)
  for _, name in ipairs { "mode", "type", "name", "module" } do
    if r[name] and r[name] ~= "" then writer:field(name, r[name]) end
  end
  if r.key then writer:field("key", r.key) end
  folders.write_value(writer, r.value)
end

local function write_json(result, problems)
  local writer = jsontext.writer { indent = "  " }
  writer:open "{"
  if result then
    writer:objects("resources", write_resource, result.resources)
    writer:key "outputs"
    writer:open "{"
    for _, name in ipairs(sorted_keys(result.outputs)) do writer:object(name, folders.write_value, result.outputs[name]) end
    writer:close "}"
    writer:object("checks", function(_, checks)
      for _, address in ipairs(sorted_keys(checks)) do writer:field(address, checks[address]) end
    end, result.checks)
    missing.write(writer, result.missing)
  end
  folders.write_diagnostics(writer, { problems, result and result.warnings }, 2)
  writer:close "}"
  shell.product(writer:text(), "\n")
end

function plan.run(args)
  local options, given = folders.options()
  local dir = folders.one(shell.arguments(args, options))
  local module, err = folders.open(dir, given, not given.json and folders.of_values or nil)
  local result, problems, partial
  if module then result, problems, partial = module:plan() else problems = err end
  local seen = result or partial
  if given.json then
    write_json(seen, problems)
  else
    local text, warnings = seen and plan_text.of(seen, result ~= nil) or "", seen and seen.warnings
    shell.product(text)
    shell.flush()
    local more = problems and #problems > 0 or warnings and #warnings > 0
    if more and text ~= "" and core.is_terminal "stderr" then shell.say "" end
    folders.report(problems, warnings)
  end
  if not result then return shell.BAD_INPUT end
  return missing.decides(result.missing) and shell.INCOMPLETE or shell.OK
end

return plan
