-- The hclexpr command: the module in a shell. Each command is a module of hclexpr/cli/:
--   arguments, summary   the row in the list of commands
--   help                 the beginning of the text of --help, after its first line (layout.lua describes its form)
--   options              its options, for its arguments and the rest of that text (options.lua); nil: none
--   examples             two command lines, without the program's name
--   statuses             the meaning of the exit statuses 1 and 3: "something is wrong"
--   run(args)            runs it; returns a status, or nothing for success
local core = require "hclexpr.core"
local shell = require "hclexpr.cli.shell"

local names = {
  "eval", "render", "fmt", "edit", "json", "decode", "refs", "check", "docs", "functions", "validate", "plan", "outputs", "graph",
  "test", "console", "schemas", "publish", "rollback", "fleet", "lsp",
}

local function command_of(name)
  for _, known in ipairs(names) do
    if known == name then return require("hclexpr.cli." .. name) end
  end
end

local builtin = {}

-- Help is loaded on first use.
local function help() return require "hclexpr.cli.help" end

-- Other names of commands; `output` is Terraform's name for `outputs`.
local aliases = { ["--help"] = "help", ["-help"] = "help", ["-h"] = "help", ["--version"] = "version", output = "outputs" }

function builtin.help(args)
  help().show(aliases[args[1]] or args[1], names)
end

function builtin.version()
  shell.write("hclexpr ", require("hclexpr").version, "\n")
end


-- Returns true if an argument asks for help. Arguments after "--" don't count.
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
  if not command then help().no_command(name, names) end
  if asks_for_help(args) then return help().show(name, names) end
  return command.run(args)
end

-- Returns the message and the exit status for a raised error.
local function explain(raised, name)
  if not shell.is_stop(raised) then return "hclexpr: " .. shell.explain(raised), shell.BAD_INPUT end
  local message = raised.message
  if message and raised.status == shell.BAD_USAGE and command_of(name) then
    message = message .. string.format("\nSee: hclexpr %s --help", name)
  end
  return message, raised.status
end

-- A command ends soon, so its heap may grow by ROOM, or by its own size if that is more, before the collector works: for most folders the
-- collector never runs, and the heap is at most twice as large as its data. The core sets the pause for this at each of its reports
-- (csrc/binding/state/state.c); until the first report the pause is ROOMY_PAUSE, the largest that Lua takes. The generational mode isn't
-- used, because it traverses a growing heap many times.
-- The language server keeps running, and most of its memory is in C. By default Lua 5.4 does 100 units of work for each 16 bytes. The core
-- reports its memory in steps of 64 KB, so each report would run a whole cycle in one piece; SERVER_WORK makes the steps smaller.
local ROOM, ROOMY_PAUSE = 64 * 2 ^ 20, 1000
local SERVER_PAUSE, SERVER_WORK = 150, 4

-- Lua 5.4 still has the option "setpause", but LuaLS doesn't list it there.
local collect = collectgarbage --[[@as fun(option: string, ...: number): number]]

-- Sets the collector for a command. Returns a function that restores the pause; that function is made first, because memory may run out.
-- (It doesn't restore generational mode, which would take a whole cycle.)
local function set_collector(name)
  local is_server = name == "lsp"
  local pause ---@type number
  local function restore()
    core.set_room(0)
    collect("setpause", pause)
  end
  pause = collect("setpause", is_server and SERVER_PAUSE or ROOMY_PAUSE)
  pcall(collect, "incremental", 0, is_server and SERVER_WORK or 0)
  collect "restart" -- bin/hclexpr stopped it
  core.set_room(is_server and 0 or ROOM)
  return restore
end

--- Runs a command line; returns the exit status.
---@param args string[]
---@return integer
local function main(args)
  local name = aliases[args[1]] or args[1]
  local rest = {}
  for i = 2, #args do rest[i - 1] = args[i] end
  if not name then
    shell.say_product(help().usage(names, shell.width "stderr"))
    return shell.BAD_USAGE
  end
  local restore_collector = set_collector(name)
  local ok, result = pcall(function()
    local status = run(name, rest)
    shell.flush()
    return status
  end)
  restore_collector()
  if ok then return result or shell.OK end
  local message, status = explain(result, name)
  pcall(shell.flush)
  if message then shell.say(message) end
  return status
end

return { main = main, names = names }
