-- hclexpr outputs: the outputs of a Terraform folder.
local folders = require "hclexpr.cli.folders"
local jsontext = require "hclexpr.cli.jsontext"
local shell = require "hclexpr.cli.shell"
local values = require "hclexpr.cli.values"

local outputs = {
  arguments = "[DIR [NAME]]",
  summary = "print the outputs of a Terraform folder",
  help = [[
Prints the outputs of the configuration in DIR (the current folder): of the state, else as planned. With a NAME, that one alone. Exit
status 1 if anything is wrong with what they need.

  -json                   print them as JSON: null where a value is unknown or sensitive, with `unknown` and `sensitive` saying where
]] .. folders.help,
}

-- The one of that name, or all. Why one has no value may have been reported.
local function choose(all, name, reported)
  if not name then return all end
  if not all[name] then shell.stop(shell.BAD_INPUT, not reported and "hclexpr: no output is named " .. name or nil) end
  return { [name] = all[name] }
end

local function write_json(names, all)
  local writer = jsontext.writer { indent = "  " }
  writer:open "{"
  for _, name in ipairs(names) do writer:object(name, folders.write_value, all[name]) end
  writer:close "}"
  shell.write(writer:text(), "\n")
end

function outputs.run(args)
  local options, given = folders.options()
  local rest = shell.arguments(args, options)
  if #rest > 2 then shell.bad_usage("expected a folder and the name of an output, got " .. #rest .. " arguments") end
  local module, err = folders.open(rest[1] or ".", given)
  local all
  if module then all, err = module:outputs() end
  folders.report(err)
  if not all then return shell.BAD_INPUT end
  all = choose(all, rest[2], err)
  local names = {}
  for name in pairs(all) do names[#names + 1] = name end
  table.sort(names)
  if given.json then write_json(names, all) else
    for _, name in ipairs(names) do shell.write(rest[2] and "" or name .. " = ", values.show(all[name]), "\n") end
  end
  return err and shell.BAD_INPUT or shell.OK
end

return outputs
