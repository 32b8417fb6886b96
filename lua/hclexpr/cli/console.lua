-- hclexpr console: expressions typed one after the other, with the names of a Terraform folder.
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local console_commands = lazy "hclexpr.cli.console_commands"
local console_terminal = lazy "hclexpr.cli.console_terminal"
local folders = require "hclexpr.cli.folders"
local hcl = require "hclexpr"
local sessions = require "hclexpr.cli.session"
local shell = require "hclexpr.cli.shell"

local console = {
  arguments = "[DIR]",
  summary = "type expressions, with the names of a Terraform folder",
  examples = { "console infra", "console -var-file=prod.tfvars <questions.txt" },
  statuses = { [1] = "a line of piped input is wrong" },
  help = [[
Prints the value of each expression that you type. The names are those of the configuration in DIR (default: the current folder), with their
values in the state or, without a state, their planned values. Needs no `init`, and locks nothing.

An expression continues on the next line while a bracket is open. :help lists the commands that begin with a colon. Piped input is answered
line by line. On a terminal, the console reports errors in the folder first; otherwise it reports them when an answer depends on one. Once,
it lists things that the folder lacks, such as modules that were never fetched; their values are unknown.
]],
  options = {
    { "-module ADDRESS", [[use the names of that module: 'module.net["a"]']] },
    { "-scope ADDRESS", field = "module" },
    folders.options,
  },
}

local function take(session, source)
  if source:find "^%s*$" or source:find "^%s*#" then return end
  if source:find "^%s*:" then return console_commands.run(session, source:match "^%s*(.*)$") end
  if source:find "^%s*help%s*$" or source:find "^%s*%?%s*$" then return console_commands.run(session, ":help") end
  if source:find "^%s*exit%s*$" or source:find "^%s*quit%s*$" then
    session.done = true
    return
  end
  sessions.answer(session, sessions.ended(source))
end

-- Calls act(session, source) so that an interrupt, or a bug of ours, ends only this call. guard: calls a function as pcall does.
local function guarded(guard, act, session, source)
  local ok, raised = guard(act, session, source)
  if ok then return end
  if shell.is_stop(raised) then error(raised, 0) end
  local words, is_bug = shell.explain(raised)
  if not is_bug and not (session.typed and words == "interrupted") then error(raised, 0) end
  session.failed = true
  shell.flush()
  shell.warn(words)
end

local function answer_lines(session)
  while not session.done do
    local line, why = shell.read_line()
    if why then shell.fail(why) end
    if not line then break end
    guarded(pcall, take, session, line)
  end
end

function console.run(args)
  local given, rest = shell.arguments(args, console)
  local session = { given = given, failed = false, outside = {}, dir = folders.one(rest) }
  session.where = given.module and { module = given.module } or nil
  session.scope = hcl.scope { limits = given.limits, console = true }
  session.typed = core.is_terminal "stdin" and core.is_terminal "stdout"
  guarded(pcall, sessions.open, session)
  if session.typed then
    console_terminal.converse(session, function(source, guard) guarded(guard, take, session, source) end)
    return shell.OK
  end
  answer_lines(session)
  return session.failed and shell.BAD_INPUT or shell.OK
end

return console
