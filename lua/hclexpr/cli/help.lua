-- The command's help.
local layout = require "hclexpr.cli.layout"
local option_rows = require "hclexpr.cli.options"
local shell = require "hclexpr.cli.shell"

local help = {}

-- The meanings of the exit statuses that all commands have, from 0 on.
help.statuses = {
  "success", "the input is wrong, or can't be read", "the usage is wrong: an unknown option, or a missing argument",
  "plan: a module, a value or a file is missing; json: a value is null or left out because only another program knows it; fmt -check: "
    .. "a file would change",
}

local function examples_of(command)
  local lines = {}
  for i, example in ipairs(command.examples or {}) do lines[i] = "  hclexpr " .. example .. "\n" end
  return lines[1] and "\nExamples:\n" .. table.concat(lines) or ""
end

--- Writes the list of commands.
---@param names string[]
---@param width integer
---@return string
function help.usage(names, width)
  local rows = {}
  for i, name in ipairs(names) do
    local command = require("hclexpr.cli." .. name)
    rows[i] = { name .. " " .. command.arguments, command.summary }
  end
  rows[#rows + 1] = { "help [COMMAND]", "this, or what a command does and takes" }
  rows[#rows + 1] = { "version", "the version" }
  local lines = layout.rows(rows, width)
  table.insert(lines, 1, "usage: hclexpr COMMAND [ARGUMENTS]\n")
  lines[#lines + 1] = "\nFILE may be - for standard input. Exit statuses:"
  local statuses = {}
  for i, meaning in ipairs(help.statuses) do statuses[i] = { tostring(i - 1), meaning } end
  for _, line in ipairs(layout.rows(statuses, width)) do lines[#lines + 1] = line end
  return table.concat(lines, "\n") .. "\n"
end

--- Ends with bad usage, because a command is unknown. Often a file is given in place of a command.
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

local function items_of(part)
  if type(part) == "string" then return layout.items(part) end
  return part.text and { { kind = "option", name = part.head, text = part.text } } or {}
end

-- Describes the statuses that a command ends with, in one sentence.
local function statuses_of(command)
  local parts = { "Exit status: 0" }
  for status = shell.BAD_INPUT, shell.INCOMPLETE do
    local meaning = command.statuses[status]
    if status == shell.BAD_USAGE then parts[#parts + 1] = "2 for bad usage"
    elseif meaning then parts[#parts + 1] = ("%d if %s"):format(status, meaning) end
  end
  return table.concat(parts, "; ") .. "."
end

--- Returns the parts of a command's help, except its usage and examples. Empty lines separate all parts except rows.
---@param command { help: string, options?: table, statuses: table<integer, string> }
---@return hclexpr.cli.layout.Item[]
function help.items(command)
  local items = layout.items(command.help)
  for _, part in ipairs((option_rows.of(command))) do
    local added = items_of(part)
    if added[1] and not (added[1].kind == "option" and items[#items].kind == "option") then
      items[#items + 1] = { kind = "blank", text = "" }
    end
    for _, item in ipairs(added) do items[#items + 1] = item end
  end
  items[#items + 1] = { kind = "blank", text = "" }
  items[#items + 1] = { kind = "text", text = statuses_of(command) }
  return items
end

--- Shows the list of commands, or the help of one.
---@param name? string
---@param names string[]
function help.show(name, names)
  local width = shell.width "stdout"
  if name == nil or name == "help" or name == "version" then return shell.write(help.usage(names, width)) end
  for _, known in ipairs(names) do
    if known == name then
      local command = require("hclexpr.cli." .. name)
      local usage = layout.wrap(("usage: hclexpr %s %s"):format(name, command.arguments), width, 7)
      return shell.write(usage, "\n\n", layout.help(help.items(command), width), examples_of(command))
    end
  end
  help.no_command(name, names)
end

return help
