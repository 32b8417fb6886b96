-- The command as a process under the Lua of this run, for specs: what it prints, where, and its exit status.
local assert = require "luassert"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "support.lua")

local program = support.program
local command = { program = program, line = ("'%s' -l hclexpr '%sbin/hclexpr'"):format(program, support.root) }

function command.quote(s)
  return "'" .. s:gsub("'", "'\\''") .. "'"
end

local quote = command.quote
command.root = quote(support.root == "" and "." or support.root)

--- Makes the folder for files and output: command.folder.
function command.begin()
  command.folder = support.temporary_folder()
  support.write(command.folder .. "/stdout", "")
  support.write(command.folder .. "/stderr", "")
  return command.folder
end

function command.finish() support.remove(command.folder) end

--- Writes a file in the folder; its path.
function command.file(name, text)
  local inside = name:match "^(.*)/"
  if inside then support.output(("mkdir -p '%s/%s'"):format(command.folder, inside)) end
  support.write(command.folder .. "/" .. name, text)
  return command.folder .. "/" .. name
end

--- Runs a command line without wrapping: status, output, errors. Options: input, env (before the command), redirect (after)
function command.run(args, options)
  local o, words, folder = options or {}, {}, command.folder
  for i, a in ipairs(args) do words[i] = quote(a) end
  local input = command.file("stdin", o.input or "")
  local line = ("cd %s && COLUMNS=1000 %s %s %s <%s %s"):format(command.root, o.env or "", command.line,
    table.concat(words, " "), quote(input), o.redirect or (">%s 2>%s"):format(quote(folder .. "/stdout"), quote(folder .. "/stderr")))
  local status = tonumber(support.output("(" .. line .. "); echo $?"):match "(%d+)%s*$")
  return status, support.read(folder .. "/stdout"), support.read(folder .. "/stderr")
end

function command.prints(text, args, options)
  local status, out, err = command.run(args, options)
  assert.equal("", err)
  assert.equal(0, status)
  assert.equal(text, out)
end

--- Asserts that a command fails with the status, prints nothing on standard output, and prints all of the words on standard error.
function command.fails(status, args, ...)
  local options
  local words = { ... }
  if type(words[1]) == "table" then options = table.remove(words, 1) end
  local got, out, err = command.run(args, options)
  assert.equal(status, got, err)
  assert.equal("", out)
  assert.is_nil(err:find("traceback", 1, true))
  assert.is_nil(err:find("internal error", 1, true), err)
  for _, word in ipairs(words) do assert.truthy(err:find(word, 1, true), word .. " in " .. err) end
end

return command
