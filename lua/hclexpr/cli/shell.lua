-- Shared by the commands: their arguments, files, output, and the ways to end.
local core = require "hclexpr.core"
local jsontext = require("hclexpr.lazy") "hclexpr.json.text"
local option_rows = require "hclexpr.cli.options"

local shell = { OK = 0, BAD_INPUT = 1, BAD_USAGE = 2, INCOMPLETE = 3 }

local NARROWEST, WIDEST = 20, 10000 -- the most columns that are believed of a terminal

-- The metatable of errors that end a command early: cli.lua shows their message, and exits with their status.
local Stop = {}

--- Ends with a status, and a message on standard error if one is given.
---@param status integer
---@param message? string
function shell.stop(status, message)
  error(setmetatable({ status = status, message = message }, Stop), 0)
end

---@param raised any
---@return boolean
function shell.is_stop(raised)
  return getmetatable(raised) == Stop
end

--- Ends with bad input.
---@param message? string
function shell.fail(message)
  shell.stop(shell.BAD_INPUT, message and "hclexpr: " .. message)
end

--- Ends with bad usage.
---@param message string
function shell.bad_usage(message)
  shell.stop(shell.BAD_USAGE, "hclexpr: " .. message)
end

-- Errors that Lua itself raises when it is interrupted, or runs out of memory.
local outside = { ["not enough memory"] = "not enough memory", ["interrupted!"] = "interrupted" }

--- Describes an unplanned error in one line, never with a traceback: it came from outside, or it is a bug of ours.
---@param raised any
---@return string words
---@return boolean is_bug
function shell.explain(raised)
  for words, message in pairs(outside) do
    if tostring(raised):find(words, 1, true) then return message, false end
  end
  return "internal error: " .. tostring(raised):gsub("%s*\n.*", ""), true
end

--- Calls act, and returns its result; or nil and the words for a bug of ours. Other errors pass through.
---@param act function
---@param ... any
---@return any result
---@return string? words
function shell.guard(act, ...)
  local ok, result = pcall(act, ...)
  if ok then return result end
  if shell.is_stop(result) then error(result, 0) end
  local words, is_bug = shell.explain(result)
  if not is_bug then error(result, 0) end
  return nil, words
end

-- Output. The commands write only with the functions below (spec/unit/terminal_spec), because names of files and texts of others may
-- contain characters that control a terminal. Only products are written as they are.

--- Makes text safe for a terminal, by escapes for control characters.
---@param text string
---@return string
function shell.plain(text)
  return core.is_plain(text) and text or core.plain(text)
end

--- Makes a name safe for a terminal, on one line.
---@param name string
---@return string
function shell.plain_name(name)
  return core.plain(name, true)
end

-- Ends the command if output fails; without a message if the reader has gone, as `head` does.
local function check_output(ok, err)
  if not ok then shell.fail(not tostring(err):find "Broken pipe" and "can't write: " .. tostring(err) or nil) end
end

--- Writes a product to standard output, byte by byte: a formatted or rendered text, JSON, or text that is plain already.
---@param ... string
function shell.product(...)
  check_output(io.stdout:write(...))
end

--- Writes JSON to standard output: what write(writer) writes.
---@param indent? string nil: all on one line
---@param write fun(writer: hclexpr.cli.Writer)
function shell.product_json(indent, write)
  local writer = jsontext.writer { indent = indent }
  write(writer)
  shell.product(writer:text(), "\n")
end

--- Writes an object whose fields write(writer, of) writes.
---@param indent? string
---@param write fun(writer: hclexpr.cli.Writer, of: any)
---@param of? any
function shell.product_object(indent, write, of)
  shell.product_json(indent, function(writer) writer:object(nil, write, of) end)
end

--- Writes the JSON of a Value.
---@param value hclexpr.Value
---@param indent? string
function shell.product_value(value, indent)
  shell.product_json(indent, function(writer)
    local ok, why = jsontext.write(writer, value)
    if not ok then shell.fail(why) end
  end)
end

--- Writes what the command says to standard output.
---@param ... string|number
function shell.write(...)
  shell.product(shell.plain(table.concat { ... }))
end

function shell.flush()
  check_output(io.stdout:flush())
end

--- Writes text that needs no escapes to standard error: JSON, or text that is plain already.
---@param ... string
function shell.say_product(...)
  io.stderr:write(...)
end

--- Returns the number of columns for text that people read: COLUMNS, or the terminal's number, or 80.
---@param stream "stdout"|"stderr"
---@return integer
function shell.width(stream)
  local said = tonumber(os.getenv "COLUMNS" or "")
  local width = said and said >= 1 and said == math.floor(said) and said or core.terminal_width(stream) or 80
  return math.max(NARROWEST, math.min(width, WIDEST))
end

--- Writes the command's own text to standard error.
---@param text string
function shell.say(text)
  shell.say_product(require("hclexpr.cli.layout").wrap_lines(shell.plain(text), shell.width "stderr"), "\n")
end

--- Returns true if colours are wanted: on terminals, unless the user declined them (no-color.org).
---@param stream "stdout"|"stderr"
function shell.wants_colours(stream)
  local none = os.getenv "NO_COLOR"
  return core.is_terminal(stream) and (none == nil or none == "") and os.getenv "TERM" ~= "dumb"
end

--- Shows one of the command's own messages on standard error, without ending the command.
---@param message string
function shell.warn(message)
  shell.say("hclexpr: " .. message)
end

-- The options of the running command, and the options that were given.
local options_now, given_now = {}, {}

--- Says which option shows everything, for a report that has only the first few; nil: the command has no such option, or it was given.
---@return string?
function shell.way_to_all()
  return options_now.all and not given_now.all and "-all shows them" or nil
end

--- Writes text for people, wrapped at the width of standard output; lines that begin with white space aren't wrapped.
---@param text string
function shell.write_text(text)
  shell.write(require("hclexpr.cli.layout").wrap_lines(shell.plain(text), shell.width "stdout"), "\n")
end

--- Shows Diagnostics on standard error.
---@param err hclexpr.Diagnostics
function shell.report(err)
  local options = { color = shell.wants_colours "stderr", width = shell.width "stderr", all = shell.way_to_all() }
  shell.say_product(err:report(options), "\n")
  require("hclexpr.cli.option_hints").tell(err, options_now, given_now, shell.warn)
end

--- Returns the value, or ends the command with the report of err.
---@generic T
---@param value T?
---@param err? hclexpr.Diagnostics|string
---@return T
function shell.must(value, err)
  if value ~= nil then return value end
  if type(err) ~= "table" then shell.fail(tostring(err)) end
  shell.report(err)
  return shell.stop(shell.BAD_INPUT)
end

-- Files. "-" is standard input.

---@param name string
---@return string
function shell.display_name(name)
  return name == "-" and "standard input" or name
end

-- The most bytes of a file, which only something like /dev/zero exceeds, and the bytes that are read at once.
local MOST, PIECE = 2 ^ 28, 2 ^ 20

-- Reads everything in a file, up to the limit.
local function read_all(file)
  local pieces, size = {}, 0
  repeat
    local piece, err = file:read(PIECE)
    if err then return nil, err end
    pieces[#pieces + 1] = piece
    size = size + #(piece or "")
    if size > MOST then return nil, "it is larger than may be read at once" end
  until not piece
  return table.concat(pieces)
end

--- Returns why a named pipe is not opened: it may have no writer, and opening it would wait for one. nil: the name is of another file, or
--- of a pipe of the shell such as <(…), which has a writer.
---@param name string
---@return string? why
function shell.pipe_fault(name)
  if name:find "^/dev/" or name:find "^/proc/" or not core.is_pipe(name) then return nil end
  return shell.plain_name(name) .. ": it is a named pipe, which may have no writer; give it as standard input"
end

--- Reads a whole file; or returns nil and why it can't be read.
---@param name string
---@param found? boolean it was found in a folder, where only regular files are read; a named one may be a pipe of the shell's
---@return string? text
---@return string? why
function shell.try_read(name, found)
  if name == "" then return nil, "the name of a file is empty" end
  local fault = not found and shell.pipe_fault(name)
  if fault then return nil, fault end
  local text, err
  if found then
    text, err = core.read_file(nil, name)
  elseif name == "-" then
    text, err = read_all(io.stdin)
  else
    local file, why = io.open(name, "rb")
    if not file then return nil, why end
    text, err = read_all(file)
    file:close()
  end
  if not text then return nil, string.format("%s: %s", shell.plain_name(shell.display_name(name)), err or "can't be read") end
  if text:find "%z" then return nil, shell.plain_name(shell.display_name(name)) .. ": this is not a text: it has a NUL" end
  return text
end

--- Reads the next line of standard input; nil at its end, and the reason if it can't be read.
---@return string? line
---@return string? why
function shell.read_line()
  local line, why = io.stdin:read "*l"
  return line, why and shell.display_name "-" .. ": " .. why
end

---@param name string
---@return string
function shell.read(name)
  local text, why = shell.try_read(name)
  return text or shell.fail(why)
end

--- Makes the options of hcl.parse and hcl.compile for a file: the end of its name decides the syntax.
---@param name string
---@param limits hclexpr.Limits
---@return { filename: string, syntax: "native"|"json", limits: hclexpr.Limits }
function shell.parse_options(name, limits)
  return { filename = shell.display_name(name), syntax = require("hclexpr.files").syntax_of(name), limits = limits }
end

---@param name string
---@param limits hclexpr.Limits
---@return hclexpr.Body? body
---@return hclexpr.Diagnostics? err
function shell.parse(name, limits)
  return require("hclexpr").parse(shell.read(name), shell.parse_options(name, limits))
end

-- Arguments

--- Returns ". Did you mean x?", or "". prefix: a text before the name.
---@param name string
---@param names string[]
---@param prefix? string
---@return string
function shell.did_you_mean(name, names, prefix)
  local near = core.suggest(name, names)
  return near and string.format(". Did you mean %s%s?", prefix or "", near) or ""
end

local function unknown_option(arg, options)
  local names = { "help" }
  for name in pairs(options) do
    if #name > 1 then names[#names + 1] = name end
  end
  local near = shell.did_you_mean(arg:match "^%-+([^=]*)", names, arg:match "^%-%-?")
  shell.bad_usage(string.format("unknown option %s; write -- before an argument that begins so%s", arg, near))
end

-- Returns the option that an argument names, and the value that comes with it: --name=value, -name=value, -n value, -nvalue.
local function match_option(arg, options)
  local name, value = arg:match "^%-%-?(%a[%w-]*)=(.*)$"
  name = name or arg:match "^%-%-?(%a[%w-]*)$"
  if name and options[name] then return name, value end
  local letter = arg:match "^%-(%a)"
  if letter and options[letter] then return letter, arg:sub(3) end
  return nil, name or arg
end

local truths = { ["true"] = true, ["false"] = false }

local function take(option, given, value)
  local into = option.into and given[option.into] or given
  if option.act then option.act(into, value) else into[option.field] = value end
end

local function truth(name, option, value)
  if option.words[value] and truths[value] == nil then return value end
  local on = value == nil or truths[value]
  if on == nil then shell.bad_usage(string.format("--%s is true or false, not %s", name, value)) end
  return on
end

-- Returns the result for a command line without options: empty tables for the fields that options fill.
local function nothing_given(options)
  local given = {}
  for _, option in pairs(options) do
    if option.into then given[option.into] = {} end
  end
  return given
end

--- Goes through a command's arguments: options do what their rows say (options.lua), in their order. Everything after "--" is rest.
---@param args string[]
---@param command { options?: table }
---@return table given
---@return string[] rest
function shell.arguments(args, command)
  local _, options = option_rows.of(command)
  local given, rest, i, open = nothing_given(options), {}, 1, true
  options_now, given_now = options, given
  while args[i] do
    local arg = args[i]
    if not open or not arg:find "^%-[%a-]" then
      rest[#rest + 1] = arg
    elseif arg == "--" then
      open = false
    else
      local name, value = match_option(arg, options)
      if not name then unknown_option(arg, options) end
      local option = options[name]
      if not option.value then
        value = truth(name, option, value)
      elseif value == nil then
        i = i + 1
        value = args[i] or shell.bad_usage("a value belongs after " .. arg)
      end
      take(option, given, value)
    end
    i = i + 1
  end
  return given, rest
end

--- Returns the only remaining argument; ends the command unless exactly one remains. hint: how to give the argument.
---@param rest string[]
---@param what string
---@param hint string
---@return string
function shell.one(rest, what, hint)
  if #rest ~= 1 then shell.bad_usage(string.format("expected one %s, got %d arguments; %s", what, #rest, hint)) end
  return rest[1]
end

--- Handles each remaining argument (at least one), even after one failed; returns the exit status.
---@param rest string[]
---@param what string
---@param run fun(name: string): boolean true: success
---@return integer
function shell.all(rest, what, run)
  if #rest == 0 then shell.bad_usage("expected " .. what) end
  local status = shell.OK
  for _, name in ipairs(rest) do
    if not run(name) then status = shell.BAD_INPUT end
  end
  return status
end

return shell
