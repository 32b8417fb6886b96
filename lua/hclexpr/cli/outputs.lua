-- hclexpr outputs: the outputs of a Terraform folder.
local core = require "hclexpr.core"
local folders = require "hclexpr.cli.folders"
local jsontext = require "hclexpr.json.text"
local shell = require "hclexpr.cli.shell"
local sorted = require "hclexpr.sorted"
local values = require "hclexpr.cli.values"

local outputs = {
  arguments = "[DIR [NAME]]",
  summary = "print the outputs of a Terraform folder",
  examples = { "outputs -var region=eu-west-1", "outputs -raw infra address" },
  help = [[
Prints the outputs of the configuration in DIR (the current folder): of the state, else as planned. With a NAME, that one alone. Exit
status 1 if anything is wrong with what they need.

  -json                   print them as `terraform output -json` does, each with sensitive, type and value; null where a value is sensitive,
                          or unknown, with `unknown` saying where. With a NAME, its value alone
  -raw                    print the output NAME as it is, without quotes and newline: a string, number or bool
  -reveal                 with -json or -raw, sensitive values, too
]] .. folders.help,
}

-- The one of that name. Why it has no value may have been reported.
local function choose(all, name, reported)
  if all[name] then return all[name] end
  local names = core.suggest(name, sorted(all))
  names = names and ("; did you mean %s?"):format(names) or ""
  shell.stop(shell.BAD_INPUT, not reported and "hclexpr: no output is named " .. name .. names or nil)
end

local function write_json(value, reveal)
  local writer = jsontext.writer { indent = "  " }
  folders.write_known(writer, value, reveal)
  shell.product(writer:text(), "\n")
end

local function run_all_json(module, err, given)
  local json
  if module then json, err = module:outputs_json { reveal = given.reveal } end
  folders.report(err)
  if json then folders.print_json(json, "  ") end
  return json and not err and shell.OK or shell.BAD_INPUT
end

local function write_one(name, value, given)
  if given.raw then
    return shell.product(values.raw(value, "the output " .. name, given.reveal or "-reveal prints it."))
  end
  if given.json then return write_json(value, given.reveal) end
  shell.write(values.show(value), "\n")
end

-- A folder is the first argument, and users of Terraform give the name alone.
local function check_folder(dir)
  if dir and not core.list_folder(nil, dir) and not dir:find "[/.]" then
    shell.fail(("no folder is named %s; an output of the current folder: hclexpr outputs . %s"):format(dir, dir))
  end
end

function outputs.run(args)
  local options, given = folders.options()
  options.raw, options.reveal = shell.flag(given, "raw"), shell.flag(given, "reveal")
  local rest = shell.arguments(args, options)
  if #rest > 2 then shell.bad_usage("expected a folder and the name of an output, got " .. #rest .. " arguments") end
  local dir, wanted = rest[1], rest[2]
  if given.raw and not wanted then shell.bad_usage "-raw takes a folder and the name of one output" end
  if given.reveal and not (given.raw or given.json) then shell.bad_usage "-reveal is for -raw and -json" end
  check_folder(dir)
  local module, err = folders.open(dir or ".", given, folders.of_values)
  folders.tell_empty(dir or ".")
  if given.json and not wanted then return run_all_json(module, err, given) end
  local all
  if module then all, err = module:outputs() end
  folders.report(err)
  if not all then return shell.BAD_INPUT end
  if wanted then
    write_one(wanted, choose(all, wanted, err), given)
  else
    for _, name in ipairs(sorted(all)) do shell.write(name, " = ", values.show(all[name]), "\n") end
  end
  return err and shell.BAD_INPUT or shell.OK
end

return outputs
