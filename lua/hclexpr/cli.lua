-- The hclexpr command: the module in a shell. Each command is a module of hclexpr/cli/:
--   arguments, summary   what the list of commands shows
--   help                 the text of --help, after its first line
--   run(args)            does it; returns a status, or nothing for success
local hcl = require "hclexpr"
local shell = require "hclexpr.cli.shell"

local names = {
  "eval", "render", "fmt", "json", "decode", "refs", "check", "functions", "validate", "plan", "outputs", "graph", "console",
  "publish", "rollback", "fleet",
}

local function command_of(name)
  for _, known in ipairs(names) do
    if known == name then return require("hclexpr.cli." .. name) end
  end
end

local function show_usage()
  local rows = {}
  for i, name in ipairs(names) do
    local command = command_of(name)
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
  lines[#lines + 1] = "FILE may be - for standard input. Exit status: 0; 1 for bad input; 2 for bad usage."
  return table.concat(lines, "\n") .. "\n"
end

-- Often a file is given where a command belongs.
local function no_command(name)
  local known = { "help", "version" }
  for i, command in ipairs(names) do known[i + 2] = command end
  local near = shell.did_you_mean(name, known)
  local file = near == "" and io.open(name)
  if file then
    file:close()
    near = ". This is a file: hclexpr check " .. name .. " reports what is wrong in it"
  end
  shell.bad_usage("no command " .. name .. "; see: hclexpr help" .. near)
end

local function show_help(name)
  if name == "help" or name == "version" then return shell.write(show_usage()) end
  local command = command_of(name) or no_command(name)
  shell.write("usage: hclexpr ", name, " ", command.arguments, "\n\n", command.help)
end

local builtin = {}

function builtin.help(args)
  if args[1] then return show_help(args[1]) end
  shell.write(show_usage())
end

function builtin.version()
  shell.write("hclexpr ", hcl.version, "\n")
end

local aliases = { ["--help"] = "help", ["-help"] = "help", ["-h"] = "help", ["--version"] = "version" }

-- Does an argument ask for help? After "--" none does.
local function asks_for_help(args)
  for _, arg in ipairs(args) do
    if arg == "--" then return false end
    if aliases[arg] == "help" then return true end
  end
  return false
end

local function run(name, args)
  if builtin[name] then return builtin[name](args) end
  local command = command_of(name)
  if not command then no_command(name) end
  if asks_for_help(args) then return show_help(name) end
  return command.run(args)
end

-- What Lua itself raises when it is told to stop, or has no memory left.
local outside = { ["not enough memory"] = "not enough memory", ["interrupted!"] = "interrupted" }

-- What was raised, as a message and a status. Anything but a planned end is a bug of ours: one line, never a traceback.
local function explain(raised, name)
  if not shell.is_stop(raised) then
    for words, message in pairs(outside) do
      if tostring(raised):find(words, 1, true) then return "hclexpr: " .. message, shell.BAD_INPUT end
    end
    return "hclexpr: internal error: " .. tostring(raised):gsub("%s*\n.*", ""), shell.BAD_INPUT
  end
  local message = raised.message
  if message and raised.status == shell.BAD_USAGE and command_of(name) then
    message = message .. string.format("\nSee: hclexpr %s --help", name)
  end
  return message, raised.status
end

--- Runs a command line; returns the exit status.
---@param args string[]
---@return integer
local function main(args)
  local name = aliases[args[1]] or args[1]
  local rest = {}
  for i = 2, #args do rest[i - 1] = args[i] end
  if not name then
    io.stderr:write(show_usage())
    return shell.BAD_USAGE
  end
  local ok, result = pcall(function()
    local status = run(name, rest)
    shell.flush()
    return status
  end)
  if ok then return result or shell.OK end
  local message, status = explain(result, name)
  pcall(io.stdout.flush, io.stdout)
  if message then io.stderr:write(message, "\n") end
  return status
end

return { main = main }
