-- hclexpr lsp: the language server over standard input and output. While no input waits, the server continues with longer work, a slice at
-- a time.
local core = require "hclexpr.core"
local description = require("hclexpr.lazy") "hclexpr.languages.description"
local json = require "hclexpr.lsp.json"
local language = require("hclexpr.lazy") "hclexpr.cli.language"
local lsp = require "hclexpr.lsp"
local shell = require "hclexpr.cli.shell"

-- Adds the absolute path of a file, because editors may start the server in another folder.
local function add_file(files, name) files[#files + 1] = core.absolute_path(name) end

local function add_language(languages, name)
  local made = language.read(name)
  if not description.of(made).files[1] then
    shell.warn(name .. ': the description names no files, so the editor recognizes none: files = { "*.x.hcl" }')
  end
  languages[#languages + 1] = made
end

local command = {
  arguments = "",
  summary = "the language server, for editors",
  examples = { "lsp", "lsp -schemas schemas.json -var-file prod.tfvars" },
  statuses = { [1] = "standard input ends before the editor asks the server to exit" },
  help = [[
Runs the language server: the Language Server Protocol over standard input and output. Editors start it; doc/editors.md has their settings.
It offers diagnostics, completion, hover with values, definition, references, rename and more, without `init`, providers or network.
]],
  options = {
    { "-schemas FILE", "the output of `terraform providers schema -json`; default: .hclexpr/schemas.json in a folder or one above it" },
    { "-var-file FILE", "values of variables, like the setting vars; the last one counts", into = "vars", act = table.insert },
    { "-functions FILE", "functions of the program whose files you edit, like the setting functions", into = "functions",
      act = add_file },
    { "-language FILE", "a Lua file that returns the description of a language, for files of that language; may be given "
      .. "several times", into = "languages", act = add_language },
    { "-filesystem DIR", "let file() and similar functions also read files in that folder" },
    { "-stdio", "has no effect: editors pass it" },
  },
}

-- The bytes of the longest message that is accepted.
local LONGEST = 2 ^ 28
-- PAUSE: seconds without a keystroke before a folder is checked, as in nvim.lua. SLICE: seconds of that work before the next look at the
-- input.
local PAUSE, SLICE = 0.15, 0.002

-- Reads the header lines of a message, and returns the length that they state; nil: the input has ended. Lines that state nothing are
-- skipped, so that the messages after a broken one are found again.
local function read_length(input)
  local length
  while true do
    local line = input:read "*l"
    if not line then return nil end
    line = line:gsub("\r$", "")
    local n = line:lower():match "content%-length:%s*(%d+)$"
    if n then length = tonumber(n) end
    if line == "" and length then
      if length <= LONGEST then return length end
      length = nil
    end
  end
end

-- Reads the text of the next message; nil: the input has ended.
local function read_message(input)
  local length = read_length(input)
  if not length then return nil end
  if length == 0 then return "" end
  local content = input:read(length)
  return content and #content == length and content or nil
end

local function sender(output)
  return function(message)
    local content = json.encode(message)
    output:write("Content-Length: ", #content, "\r\n\r\n", content)
    output:flush()
  end
end

-- Reads all waiting input into the queue before anything is answered, because a later message may cancel an earlier one. Messages that
-- aren't JSON are answered at once. Returns false if the input has ended.
local function read_waiting(server, input, queue)
  repeat
    local content = read_message(input)
    if not content then return false end
    local message, why = json.decode(content)
    if message == nil then server:unreadable(why) else queue[#queue + 1] = message end
  until not core.wait_input(0)
  return true
end

-- Works until input waits, or nothing is left to do.
local function work(server)
  if core.wait_input(0) then return end
  while server:idle(0) do
    -- Syntax errors are reported immediately; folders wait until typing stops.
    if next(server.dirty) == nil then break end
    if core.wait_input(0) then return end
  end
  if not server.workspace or core.wait_input(PAUSE) then return end
  while server:idle(SLICE) do
    if core.wait_input(0) then return end
  end
end

--- Serves a client until it ends the session, or disappears.
---@param input file*
---@param output file*
---@param options hclexpr.service.Options
---@return integer status
function command.serve(input, output, options)
  -- Input that the core waits for must not be in one of Lua's buffers.
  input:setvbuf "no"
  local server = lsp.new(sender(output), options)
  while true do
    local queue = {}
    local more = read_waiting(server, input, queue)
    if not server:receive_all(queue) then return server.status end
    if not more then return shell.BAD_INPUT end
    work(server)
  end
end

function command.run(args)
  local given, rest = shell.arguments(args, command)
  if rest[1] then shell.bad_usage("expected no arguments, got " .. #rest) end
  return command.serve(io.stdin, io.stdout, { schemas = given.schemas, vars = given.vars[1] and given.vars or nil,
                                              functions = given.functions[1] and given.functions or nil,
                                              languages = given.languages[1] and given.languages or nil,
                                              module = { filesystem = given.filesystem } })
end

return command
