-- The command with any arguments, and the console with any lines. Properties: the status is a documented one, no Lua error is shown,
-- and standard error contains no terminal control.
local cli = require "hclexpr.cli"
local core = require "hclexpr.core"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local M = {}

local dir

local function folder(texts)
  dir = dir or support.folder { ["main.tf"] = "", ["x.tftest.hcl"] = "", ["a.hcl"] = "", ["a.json"] = "", ["t.tmpl"] = "" }
  for name, text in pairs(texts) do support.write(dir .. "/" .. name, text) end
  return dir
end

--- Removes the folder.
function M.close()
  if dir then support.remove(dir) end
  dir = nil
end

-- Bytes that a terminal would interpret.
local STEERING = { "[%z\1-\8\11-\31\127]", "\194[\128-\159]", "\226\128[\142\143\168-\174]", "\226\129[\166-\169]" }

local function check(status, err)
  if status ~= 0 and status ~= 1 and status ~= 2 and status ~= 3 then error("the status is " .. tostring(status), 0) end
  local lines = "\n" .. err
  if lines:find("\nhclexpr: internal error: ", 1, true) or lines:find("\nstack traceback:\n", 1, true) then error(err, 0) end
  for _, pattern in ipairs(STEERING) do
    if err:find(pattern) then error(("standard error steers a terminal: %q"):format(err), 0) end
  end
end

--- Lines for the console in a folder with that text.
function M.console(lines, main)
  local where = folder { ["main.tf"] = main }
  local status, out, err = support.with_streams(lines, cli.main, { "console", "--limit", "steps=1e6", where })
  check(status, err)
  -- The same lines give the same answers.
  local _, again = support.with_streams(lines, cli.main, { "console", "--limit", "steps=1e6", where })
  if out ~= again and not lines:find "time" and not lines:find "id" and not lines:find "crypt" then
    error(("the same lines give something else:\n%s\n%s"):format(out, again), 0)
  end
end

-- Left out: commands that use the network or serve, and options that run Lua code from a file or another program.
local COMMANDS = { eval = true, render = true, fmt = true, edit = true, json = true, decode = true, refs = true, check = true,
  functions = true, validate = true, plan = true, outputs = true, graph = true, test = true, schemas = true, help = true, version = true }
local RUNS = { "schema$", "schema=", "svg", "^%-%-?env" }

-- "@" at the beginning of a word, or after its "=", is the folder; no other word leads to a file.
local function word_of(line, where)
  for _, pattern in ipairs(RUNS) do
    if line:find(pattern) then return nil end
  end
  local before, inside = line:match "^(.-)@/?([%w.]*)$"
  if before and (before == "" or before:find "=$") and not inside:find("..", 1, true) then return before .. where .. "/" .. inside end
  return (line:gsub("[/\\]", "|"):gsub("^%.*$", "x"):gsub("=%.*$", "=x"))
end

-- For any arguments, only files of the folder are written.
local function guarded(where, act, ...)
  local plain = core.replace_file
  core.replace_file = function(path, ...)
    if path:sub(1, #where + 1) ~= where .. "/" or path:find("..", 1, true) then return nil, "not here" end
    return plain(path, ...)
  end
  local open = io.open
  rawset(io, "open", function(path, mode)
    local outside = path:sub(1, #where + 1) ~= where .. "/"
    if outside then return nil, path .. ": not here" end
    return open(path, mode)
  end)
  local results = { pcall(act, ...) }
  rawset(io, "open", open)
  core.replace_file = plain
  if not results[1] then error(results[2], 0) end
  return support.unpack(results, 2, 4)
end

local FILES = { "main.tf", "x.tftest.hcl", "a.hcl", "a.json", "t.tmpl" }

--- The words of a command line, one per line, the text of the folder's files, and standard input.
function M.run(words, text, input)
  local texts = {}
  for _, name in ipairs(FILES) do texts[name] = text end
  local where, args = folder(texts), {}
  for line in words:gmatch "[^\n]+" do args[#args + 1] = word_of(line, where) end
  if not COMMANDS[args[1] or ""] and not (args[1] or "-"):find "^%-" then args[1] = "eval" end
  -- Without a path some commands would read the current folder.
  args[#args + 1] = #args % 2 == 0 and where or where .. "/main.tf"
  local status, _, err = guarded(where, support.with_streams, input, cli.main, args)
  check(status, err)
end

return M
