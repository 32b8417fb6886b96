-- hclexpr outputs: the outputs of a Terraform folder.
local check = require "hclexpr.check"
local core = require "hclexpr.core"
local folders = require "hclexpr.cli.folders"
local missing_lines = require("hclexpr.lazy") "hclexpr.cli.missing_lines"
local shell = require "hclexpr.cli.shell"
local sorted = require("hclexpr.util").sorted
local values = require "hclexpr.cli.values"

local outputs = {
  arguments = "[DIR] [-name NAME]",
  summary = "print the outputs of a Terraform folder",
  examples = { "outputs -var region=eu-west-1", "outputs -raw -name address infra" },
  statuses = { [1] = "there is an error in something that the outputs need, or -raw can't print the value" },
  help = [[
Prints the outputs of the configuration in DIR (default: the current folder): those in the state or, without a state, the planned ones.
`hclexpr output` is the same. NAME may also follow DIR, or be the only argument if no folder has that name.
]],
  options = {
    { "-name NAME", "print only that output" },
    { "-json", "print the format of `terraform output -json`: sensitive, type and value for each output. Sensitive and unknown values "
      .. "are null, and `unknown` says where. With -name, print only the value" },
    { "-raw", "with -name: print a string, number or bool without quotes and newline" },
    { "-reveal", "with -json or -raw: also print sensitive values" },
    folders.options,
  },
}

-- Returns the output of a name; ends the command if the output has no value. reported: without a message, because the reason may have been
-- reported before. alone: the name may have been meant as a folder.
local function choose(all, name, reported, alone)
  if all[name] then return all[name] end
  local names = core.suggest(name, sorted(all))
  names = names and ("; did you mean %s?"):format(names) or ""
  local what = alone and "output or folder" or "output"
  shell.stop(shell.BAD_INPUT, not reported and ("hclexpr: no %s is named %s%s"):format(what, name, names) or nil)
end

-- Reports files outside of the folder, and data that wasn't read. Both are known only after the outputs were evaluated.
local function tell_missing(module, shown)
  missing_lines.report_outside(module:missing())
  missing_lines.report_unread(module, shown or {})
end

local function run_all_json(module, err, given)
  local json
  if module then json, err = check.readable(module:outputs_json { reveal = given.reveal }) end
  folders.report(err)
  if module and json then tell_missing(module, module:outputs()) end
  if json then shell.product_value(json, "  ") end
  return json and not err and shell.OK or shell.BAD_INPUT
end

local function write_one(name, value, given)
  if given.raw then
    return shell.product(values.raw(value, "the output " .. name, given.reveal or "-reveal prints it."))
  end
  if given.json then
    return shell.product_json("  ", function(writer) folders.write_known(writer, value, given.reveal) end)
  end
  shell.write(values.show(value), "\n")
end

-- Returns the folder and the name of an output. A name alone, as users of Terraform write it, belongs to the current folder.
local function read_arguments(rest, given)
  if #rest > 2 then shell.bad_usage("expected a folder and the name of an output, got " .. #rest .. " arguments") end
  local dir, wanted = rest[1], rest[2]
  if given.name then
    if wanted then shell.bad_usage "expected a folder alone beside -name" end
    return dir or ".", given.name
  end
  if dir and not wanted and not dir:find "[/.]" and (given.raw or not core.list_folder(nil, dir)) then return ".", dir end
  if given.raw and not wanted then shell.bad_usage "-raw prints one output: -name says which" end
  return dir or ".", wanted
end

function outputs.run(args)
  local given, rest = shell.arguments(args, outputs)
  local dir, wanted = read_arguments(rest, given)
  if given.reveal and not (given.raw or given.json) then shell.bad_usage "-reveal is for -raw and -json" end
  local module, err = folders.open(dir, given, folders.of_values)
  folders.tell_empty(dir, module)
  if given.json and not wanted then return run_all_json(module, err, given) end
  local all
  if module then all, err = check.readable(module:outputs()) end
  folders.report(err or module and module.problems)
  local chosen = all and wanted and choose(all, wanted, err, not (rest[2] or given.name))
  if module then tell_missing(module, chosen and { [wanted] = chosen } or all) end
  if not all then return shell.BAD_INPUT end
  if chosen then
    write_one(wanted, chosen, given)
  else
    for _, name in ipairs(sorted(all)) do shell.write(name, " = ", values.show(all[name]), "\n") end
  end
  return err and shell.BAD_INPUT or shell.OK
end

return outputs
