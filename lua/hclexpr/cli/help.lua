-- What the command tells about its commands.
local shell = require "hclexpr.cli.shell"

local help = {}

--- The list of commands.
---@param names string[]
---@return string
function help.usage(names)
  local rows = {}
  for i, name in ipairs(names) do
    local command = require("hclexpr.cli." .. name)
    rows[i] = { name .. " " .. command.arguments, command.summary }
  end
  rows[#rows + 1] = { "help [COMMAND]", "this, or what a command does and takes" }
  rows[#rows + 1] = { "version", "the version" }
  local width = 0
  for _, row in ipairs(rows) do width = math.max(width, #row[1]) end
  local lines = { "usage: hclexpr COMMAND [ARGUMENTS]", "" }
  for _, row in ipairs(rows) do
    lines[#lines + 1] = "  " .. row[1] .. string.rep(" ", width - #row[1]) .. "  " .. row[2]
  end
  lines[#lines + 1] = ""
  lines[#lines + 1] = "FILE may be - for standard input. Exit status: 0; 1 for bad input; 2 for bad usage; 3 for a plan of a\n"
    .. "folder that lacks something, and for files that fmt -check would change."
  return table.concat(lines, "\n") .. "\n"
end

--- Ends with bad usage. Often a file is given where a command belongs.
---@param name string
---@param names string[]
function help.no_command(name, names)
  local known = { "help", "version" }
  for i, command in ipairs(names) do known[i + 2] = command end
  local near = shell.did_you_mean(name, known)
  local file = near == "" and not shell.pipe_fault(name) and io.open(name)
  if file then
    file:close()
    near = ". This is a file: hclexpr check " .. name .. " reports what is wrong in it"
  end
  shell.bad_usage("no command " .. name .. "; see: hclexpr help" .. near)
end

--- Shows the list, or what a command does.
---@param name? string
---@param names string[]
function help.show(name, names)
  if name == nil or name == "help" or name == "version" then return shell.write(help.usage(names)) end
  for _, known in ipairs(names) do
    if known == name then
      local command = require("hclexpr.cli." .. name)
      return shell.write("usage: hclexpr ", name, " ", command.arguments, "\n\n", command.help)
    end
  end
  help.no_command(name, names)
end

return help
