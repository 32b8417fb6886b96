-- hclexpr console: expressions typed one after the other, with the names of a Terraform folder.
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local answers = lazy "hclexpr.terraform.module.answers"
local check = require "hclexpr.check"
local folders = require "hclexpr.cli.folders"
local hcl = require "hclexpr"
local layout = lazy "hclexpr.cli.layout"
local missing_lines = lazy "hclexpr.cli.missing_lines"
local naming = require "hclexpr.terraform.language.naming"
local shell = require "hclexpr.cli.shell"
local sorted = require("hclexpr.util").sorted
local type_text = require("hclexpr.util").type_text
local values = require "hclexpr.cli.values"

local console = {
  arguments = "[DIR]",
  summary = "type expressions, with the names of a Terraform folder",
  examples = { "console infra", "console -var-file=prod.tfvars <questions.txt" },
  statuses = { [1] = "a line of piped input is wrong" },
  help = [[
Prints the value of each expression that you type. The names are those of the configuration in DIR (default: the current folder), with their
values in the state or, without a state, their planned values. Needs no `init`, and locks nothing.

An expression continues on the next line while a bracket is open. :help lists the commands that begin with a colon. Piped input is answered
line by line. On a terminal it reports errors in the folder first, otherwise when an answer depends on one. It lists things that the folder
lacks, such as modules that were never fetched, once; their values are unknown.
]],
  options = {
    { "-module ADDRESS", [[use the names of that module: 'module.net["a"]']] },
    { "-scope ADDRESS", field = "module" },
    folders.options,
  },
}

---@class hclexpr.cli.Session
---@field dir string
---@field given table
---@field module? hclexpr.Module nil: the folder can't be read
---@field where? { module: string }
---@field typed boolean sources are typed at a terminal
---@field failed boolean something was wrong
---@field outside table<string, true> the named files that are outside of the granted folders
---@field reported? boolean the folder's problems were reported, or it has none

-- Evaluation

local function show_error(session, err)
  session.failed = true
  folders.report(err)
end

-- Reports the folder's problems, once.
local function tell_problems(session)
  if session.reported then return end
  session.reported = true
  local _, problems = session.module:plan()
  folders.report(problems)
end

-- Reports the folder's problems if the evaluation met one. They come from a plan, which would be too much work for each answer.
local function tell_found(session)
  if session.module and answers.has_found(session.module) then tell_problems(session) end
end

-- Evaluates a source, in the folder or by itself; returns the Value or nil, and Diagnostics.
local function value_of(session, source)
  if session.module then return session.module:value(source, session.where) end
  local expression, err = hcl.compile(source)
  if not expression then return nil, err end
  return expression:value(nil, session.scope)
end

local function evaluate(session, source)
  local v, err, partial = value_of(session, source)
  local before = session.reported
  tell_found(session)
  if partial and session.reported and not before then session.failed = true -- its mistake is among those just reported
  elseif err then show_error(session, err) end
  return v
end

local function answer(session, source)
  local v = evaluate(session, source)
  if v then shell.product(values.show(v), "\n") end
  missing_lines.report_outside(session.module and session.module:missing(), session.outside)
end

local function open(session)
  local module, err = folders.open(session.dir, session.given, folders.of_values)
  session.module, session.failed = module, session.failed or err ~= nil
  folders.report(err)
  if not session.typed then folders.tell_empty(session.dir) end -- without a terminal this comes with all other problems
  session.reported = not module or err ~= nil
  if not session.typed and module and not err then folders.report(module.problems) end
  if session.typed and module then tell_problems(session) end
end

-- Commands

local commands = {}

-- Returns the number of a terminal's lines, except those for the prompt and the typed text.
local function screenful() return math.max(5, (tonumber(os.getenv "LINES") or 24) - 4) end

-- Shows as many lines as the terminal has, the number of the others, and how to see them.
local function show(lines, way)
  local n = math.min(#lines, screenful())
  if n < #lines then n = n - 1 end
  for i = 1, n do shell.write(lines[i], "\n") end
  if n < #lines then shell.write(("… and %d more: %s\n"):format(#lines - n, way)) end
end

local function refuse(session, message)
  session.failed = true
  shell.warn(message)
end

local function needs_folder(session)
  if session.module then return true end
  refuse(session, "it needs a folder")
end

-- All declarations, by address.
local function declared(session)
  local all = {}
  for i, a in ipairs(session.module:addresses()) do all[i] = a.address end
  return all
end

-- Finds the address that was meant by a full address, with or without an instance's key, or by the last name of exactly one address.
-- Reports an unknown name, and returns nil.
local function address_of(session, name)
  local all, near, plain = declared(session), {}, naming.without_keys(name)
  for _, address in ipairs(all) do
    if address == name or address == plain then return address end
    if address:sub(-#plain - 1) == "." .. plain then near[#near + 1] = address end
  end
  if #near == 1 then return near[1] end
  if near[1] then return refuse(session, ("%s may be %s"):format(name, table.concat(near, ", "))) end
  local meant = core.suggest(name, all)
  refuse(session, name == "" and "the name of something declared belongs after it, such as local.a; :names lists them"
    or ("nothing is declared as %s: %s"):format(name, meant and "did you mean " .. meant .. "?" or ":names lists what is"))
end

-- Shows the neighbours of an address, in a direction of the graph.
local function show_near(session, name, method)
  local address = needs_folder(session) and address_of(session, name)
  if not address then return end
  local found = session.module[method](session.module, address)
  if found[1] then show(found, "hclexpr graph draws it") else shell.write("nothing\n") end
end

commands.help = { "", "this", function()
  shell.write "Type an expression to see its value: upper(var.name), local.a, [for k, v in module.m : k]\n"
  for _, name in ipairs(sorted(commands)) do
    local command = commands[name]
    shell.write((":%-8s %-12s %s\n"):format(name, command[1], command[2]))
  end
end }

commands.type = { "EXPRESSION", "the type of its value", function(session, source)
  local v = evaluate(session, source)
  if v then shell.write(type_text(v), "\n") end
end }

commands.explain = { "EXPRESSION", "why an expression or address has its value", function(session, source)
  local tree, err
  if session.module then
    tree, err = check.readable(session.module:explain(source, session.where))
  else
    tree, err = hcl.compile(source)
    if tree then tree, err = check.readable(tree:explain(nil, session.scope)) end
  end
  tell_found(session)
  if tree then shell.write(layout.wrap_columns(tostring(tree), shell.width "stdout"), "\n") end
  if err then show_error(session, err) end
end }

commands.deps = { "NAME", "the names that NAME needs, such as :deps local.a", function(session, name)
  show_near(session, name, "dependencies")
end }

commands.users = { "NAME", "the names that need NAME", function(session, name)
  show_near(session, name, "dependents")
end }

-- No line is indented further.
local DEEPEST = 20

-- Returns a line for an address and one for each address that it needs, directly or not, indented by depth. The needs of each address are
-- listed once.
local function tree_lines(module, address)
  local lines, seen, stack = {}, {}, { { address, 0 } }
  while stack[1] do
    local at, depth = stack[#stack][1], stack[#stack][2]
    stack[#stack] = nil
    local needs = seen[at] and {} or module:dependencies(at)
    lines[#lines + 1] = ("  "):rep(math.min(depth, DEEPEST)) .. at .. (seen[at] and seen[at] > 0 and " …" or "")
    seen[at] = #needs
    for i = #needs, 1, -1 do stack[#stack + 1] = { needs[i], depth + 1 } end
  end
  return lines
end

local function graph_lines(module)
  local lines = {}
  for line in module:graph({ format = "mermaid" }):gmatch "[^\n]+" do lines[#lines + 1] = line end
  return lines
end

commands.graph = { "[NAME]", "everything that NAME needs, as a tree; without NAME, the folder's graph for Mermaid", function(session, name)
  if not needs_folder(session) then return end
  local address = name ~= "" and address_of(session, name)
  if address then show(tree_lines(session.module, address), ":graph of one of these")
  elseif name == "" then show(graph_lines(session.module), ":graph NAME, or hclexpr graph for all") end
end }

commands.names = { "[PREFIX]", "the declared names; with PREFIX, those that begin with it", function(session, prefix)
  if not needs_folder(session) then return end
  local found = {}
  for _, address in ipairs(declared(session)) do
    if address:sub(1, #prefix) == prefix or address:match("[^.]*$"):sub(1, #prefix) == prefix then found[#found + 1] = address end
  end
  if found[1] then return show(found, ":names PREFIX") end
  refuse(session, prefix == "" and "nothing is declared" or "nothing is declared that begins with " .. prefix)
end }

commands.module = { "[ADDRESS]", "use the names of that module; without ADDRESS, those of the folder", function(session, address)
  local before = session.where
  session.where = address ~= "" and { module = address } or nil
  if not evaluate(session, "null") then session.where = before end
end }

commands.reload = { "", "read the folder again", open }

commands.quit = { "", "leave, as does the end of the input", function(session) session.done = true end }

local function run_command(session, line)
  local name, rest = line:match "^:(%S*)%s*(.-)%s*$"
  local command = commands[name == "scope" and "module" or name]
  if command then return command[3](session, rest) end
  session.failed = true
  local names = {}
  for known in pairs(commands) do names[#names + 1] = known end
  local meant = core.suggest(name, names)
  shell.warn(("unknown command :%s: use %s"):format(name, meant and ":" .. meant or ":help for a list"))
end

-- Adds the newline that the last line of a heredoc needs, and that users don't type after the last line.
local function ended(source) return source:find "<<" and source .. "\n" or source end

local function take(session, source)
  if source:find "^%s*$" or source:find "^%s*#" then return end
  if source:find "^%s*:" then return run_command(session, source:match "^%s*(.*)$") end
  if source:find "^%s*help%s*$" or source:find "^%s*%?%s*$" then return run_command(session, ":help") end
  if source:find "^%s*exit%s*$" or source:find "^%s*quit%s*$" then
    session.done = true
    return
  end
  answer(session, ended(source))
end

-- Input

-- Would more lines complete the source? If so, a bracket or heredoc is open, and the mistake is that the source ends.
local function is_open(source)
  if source:find "^%s*[:#]" then return false end
  local expression, err = hcl.compile(ended(source))
  if expression then return false end
  ---@cast err -?
  if err[1].code == "syntax.bracket" or source:find "<<%-?[%w_-]+%s*$" then return true end
  local at_end = err[1].range ~= nil and err[1].range.start.byte >= #source:match "^(.-)%s*$"
  return at_end and (source:find "[%(%[{]" or source:find "<<%-?[%w_-]+\n") ~= nil
end

-- Returns the candidates for the word at the cursor: names of the folder, and functions.
local function completions(session)
  local words = {}
  for name in pairs(hcl.functions()) do words[#words + 1] = name .. "(" end
  for _, a in ipairs(session.module and session.module:addresses() or {}) do
    if a.module == "" then words[#words + 1] = a.address end
  end
  for _, word in ipairs { "path.module", "path.root", "path.cwd", "terraform.workspace" } do words[#words + 1] = word end
  table.sort(words)
  return words
end

local function candidates(session, word, before)
  local found = {}
  if before:find "^%s*:$" then
    for name in pairs(commands) do if name:sub(1, #word) == word then found[#found + 1] = name end end
  else
    for _, name in ipairs(completions(session)) do
      if name:sub(1, #word) == word then found[#found + 1] = name end
    end
  end
  table.sort(found)
  return found
end

-- Returns the length of the common beginning of two texts, in bytes of whole characters.
local function common_length(a, b)
  local n = 0
  while n < #a and a:byte(n + 1) == b:byte(n + 1) do n = n + 1 end
  while n > 0 and (a:find("^[\128-\191]", n + 1) or b:find("^[\128-\191]", n + 1)) do n = n - 1 end
  return n
end

-- Lays out words in columns of a terminal.
local function in_columns(words)
  local width, lines = 0, {}
  for _, word in ipairs(words) do width = math.max(width, #word + 2) end
  local columns = math.max(1, math.floor(80 / width))
  for i, word in ipairs(words) do
    local last = i % columns == 0 or i == #words
    lines[#lines + 1] = word .. (last and "\n" or (" "):rep(width - #word))
  end
  return (table.concat(lines):gsub("\n$", ""))
end

-- Makes the function that completes the text before the cursor. It returns the common continuation of all candidates; or nil and, if there
-- are several, their list.
local function completer(session)
  return function(line)
    local before, word = line:match "^(.-)([^%s\"'`@$><=;|&{(,)}%[%]+*/%%!?:-]*)$"
    local found = candidates(session, word, before)
    if not found[1] then return nil end
    local n = #found[1]
    for _, name in ipairs(found) do n = math.min(n, common_length(found[1], name)) end
    if n > #word then return found[1]:sub(#word + 1, n) end
    return nil, #found > 1 and in_columns(found) or nil
  end
end

-- Returns three functions for a terminal: read(prompt), which returns a line, or false if Ctrl-C left it; add(source), which adds to the
-- history; and guard, which calls a function like pcall, but lets Ctrl-C raise an error in it.
local function terminal(session)
  local has_editor, editor = pcall(require, "hclexpr.line_edit")
  if not has_editor then
    return function(prompt)
      shell.write(prompt)
      shell.flush()
      return io.read "*l"
    end, function() end, pcall
  end
  local add, complete = require("hclexpr.cli.history").open(editor), completer(session)
  editor.start()
  return function(prompt)
    shell.flush()
    return editor.read(prompt, complete)
  end, add, editor.guard
end

-- Reads one source, over several lines while the source is incomplete; nil at the end of the input, "" if Ctrl-C left the source.
local function read_source(read)
  local source = read "> "
  while source and is_open(source) do
    local more = read ". "
    if more == false then source = false end
    if not more then break end
    source = source .. "\n" .. more
  end
  if source ~= false then return source end
  shell.write "\n"
  return ""
end

-- Takes a source so that an interrupt, or a bug of ours, ends only its evaluation.
local function take_guarded(session, source, guard)
  local ok, raised = guard(take, session, source)
  if ok then return end
  if shell.is_stop(raised) then error(raised, 0) end
  local words, is_bug = shell.explain(raised)
  if not is_bug and not (session.typed and words == "interrupted") then error(raised, 0) end
  session.failed = true
  shell.flush()
  shell.warn(words)
end

local function converse(session)
  local read, add, guard = terminal(session)
  shell.write(("hclexpr %s, %s; help lists the commands\n"):format(hcl.version, session.dir))
  while not session.done do
    local source = read_source(read)
    if not source then break end
    if source:find "%S" then add(source) end
    take_guarded(session, source, guard)
  end
  return shell.OK
end

local function answer_lines(session)
  while not session.done do
    local line, why = shell.read_line()
    if why then shell.fail(why) end
    if not line then break end
    take_guarded(session, line, pcall)
  end
  return session.failed and shell.BAD_INPUT or shell.OK
end

function console.run(args)
  local given, rest = shell.arguments(args, console)
  local session = { given = given, failed = false, outside = {}, dir = folders.one(rest) }
  session.where = given.module and { module = given.module } or nil
  session.scope = hcl.scope { limits = given.limits, console = true }
  session.typed = core.is_terminal "stdin" and core.is_terminal "stdout"
  take_guarded(session, ":reload", pcall) -- reads the folder for the first time
  return (session.typed and converse or answer_lines)(session)
end

return console
