-- The console at a terminal: sources over several lines, history, completion.
local console_commands = require "hclexpr.cli.console_commands"
local hcl = require "hclexpr"
local sessions = require "hclexpr.cli.session"
local shell = require "hclexpr.cli.shell"

local console_terminal = {}

-- Returns true if more lines may complete the source: a bracket or heredoc is open, and the mistake is that the source ends.
local function is_open(source)
  if source:find "^%s*[:#]" then return false end
  local expression, err = hcl.compile(sessions.ended(source))
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
    for _, name in ipairs(console_commands.names()) do if name:sub(1, #word) == word then found[#found + 1] = name end end
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

-- Returns three functions for a terminal: read(prompt), which returns a line, false if Ctrl-C left the line, or nil at the end of the
-- input; add(source), which adds to the history; and guard, which calls a function like pcall, but lets Ctrl-C raise an error in the
-- function. Without the line editor, guard is pcall, and add does nothing.
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

--- Answers what a person types.
---@param session hclexpr.cli.Session
---@param take fun(source: string, guard: function) answers a source; guard: calls a function as pcall does
function console_terminal.converse(session, take)
  local read, add, guard = terminal(session)
  shell.write(("hclexpr %s, %s; help lists the commands\n"):format(hcl.version, session.dir))
  while not session.done do
    local source = read_source(read)
    if not source then break end
    if source:find "%S" then add(source) end
    take(source, guard)
  end
end

return console_terminal
