-- hclexpr plan: what a Terraform folder comes to: resources, outputs, checks.
local folders = require "hclexpr.cli.folders"
local jsontext = require "hclexpr.cli.jsontext"
local missing = require "hclexpr.cli.missing"
local shell = require "hclexpr.cli.shell"
local values = require "hclexpr.cli.values"

local plan = {
  arguments = "[DIR]",
  summary = "evaluate a Terraform folder: resources, outputs, checks",
  help = [[
Evaluates the configuration in DIR (the current folder) as a plan would, offline, and prints the planned resources, the outputs and the
state of the checks. What only a provider knows is "(known after apply)". Exit status 1 if anything is wrong, 3 if nothing is, but a module
or the value of a variable was missing.

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

local function write_text(result)
  for _, r in ipairs(result.resources) do shell.product(shell.plain(r.address), " = ", values.show(r.value), "\n\n") end
  for _, address in ipairs(sorted_keys(result.checks)) do shell.write(address, ": ", result.checks[address], "\n") end
  if next(result.checks) then shell.write "\n" end
  for _, name in ipairs(sorted_keys(result.outputs)) do shell.product(name, " = ", values.show(result.outputs[name]), "\n") end
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
    if seen then write_text(seen) end
    folders.report(problems, seen and seen.warnings)
  end
  if not result then return shell.BAD_INPUT end
  return missing.decides(result.missing) and shell.INCOMPLETE or shell.OK
end

return plan
