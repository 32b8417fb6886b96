-- The console's commands, which begin with a colon.
local core = require "hclexpr.core"
local check = require "hclexpr.check"
local hcl = require "hclexpr"
local layout = require("hclexpr.lazy") "hclexpr.cli.layout"
local naming = require "hclexpr.terraform.language.naming"
local sessions = require "hclexpr.cli.session"
local shell = require "hclexpr.cli.shell"
local sorted = require("hclexpr.util").sorted
local type_text = require("hclexpr.util").type_text

local console_commands = {}

-- Arguments, summary and function(session, argument) of each command.
local commands = {}

-- Returns the number of lines for an answer on a terminal. The others are for the prompt and the typed text.
local function screenful() return math.max(5, (tonumber(os.getenv "LINES") or 24) - 4) end

-- Shows as many lines as the terminal has, then the number of the remaining ones and the way to see them.
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

-- Returns the addresses of all declarations.
local function declared(session)
  local all = {}
  for i, a in ipairs(session.module:addresses()) do all[i] = a.address end
  return all
end

-- Finds the address that a name means: a full address, with or without the key of an instance, or the last part of exactly one address.
-- Reports any other name, and returns nil.
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

-- Shows the addresses that an address needs ("dependencies"), or those that need it ("dependents").
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
  local v = sessions.evaluate(session, source)
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
  sessions.tell_found(session)
  if tree then shell.write(layout.wrap_columns(tostring(tree), shell.width "stdout"), "\n") end
  if err then sessions.show_error(session, err) end
end }

commands.deps = { "NAME", "the names that NAME needs, such as :deps local.a", function(session, name)
  show_near(session, name, "dependencies")
end }

commands.users = { "NAME", "the names that need NAME", function(session, name)
  show_near(session, name, "dependents")
end }

-- The most levels of indentation.
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
  if not sessions.evaluate(session, "null") then session.where = before end
end }

commands.reload = { "", "read the folder again", sessions.open }

commands.quit = { "", "leave, as does the end of the input", function(session) session.done = true end }

--- Runs a command.
---@param session hclexpr.cli.Session
---@param line string
function console_commands.run(session, line)
  local name, rest = line:match "^:(%S*)%s*(.-)%s*$"
  local command = commands[name == "scope" and "module" or name]
  if command then return command[3](session, rest) end
  session.failed = true
  local names = {}
  for known in pairs(commands) do names[#names + 1] = known end
  local meant = core.suggest(name, names)
  shell.warn(("unknown command :%s: use %s"):format(name, meant and ":" .. meant or ":help for a list"))
end

--- The names of all commands, in any order.
---@return string[]
function console_commands.names()
  local names = {}
  for name in pairs(commands) do names[#names + 1] = name end
  return names
end

return console_commands
