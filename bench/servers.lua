-- Language servers over standard input and output, ours and an established one if it is installed (`terraform-ls`), with the same requests
-- in turn: time from a key in the largest file of the corpus to its diagnostics, answers, and memory with all of the corpus open.
--   LUA servers.lua CORPUS_DIR      (hclexpr on the path; LuaJIT, as editors run it)
local core = require "hclexpr.core"
local json = require "hclexpr.lsp.json"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local Client = dofile(support.root .. "spec/editor/client.lua")

local CORPUS = support.lines("cd '" .. arg[1] .. "' && pwd -P")[1]
local KEYS = tonumber(os.getenv "RUNS" or 7) * 3
-- The goal for our time of a key is this fraction of theirs, and for our memory of theirs.
local KEY_PART = 1 / 30
local QUESTIONS = { "hover", "definition", "completion" }

-- ---- measuring ------------------------------------------------------------------------------------------------------------

local function median(times)
  table.sort(times)
  return times[math.floor((#times + 1) / 2)] * 1000
end

local function files() return support.lines(("find -L '%s' -name '*.tf' | sort"):format(CORPUS)) end

local function largest()
  local found, most = nil, 0
  for _, path in ipairs(files()) do
    local size = #support.read(path)
    if size > most then found, most = path, size end
  end
  return found
end

-- A mistake is typed first, and removed: a server needn't report unchanged mistakes again.
local function keys(server, path)
  local uri, times = "file://" .. path, {}
  for version = 2, 2 * KEYS + 1 do
    local typed = version % 2 == 0
    local from = core.clock()
    server:notify("textDocument/didChange", {
      textDocument = { uri = uri, version = version },
      contentChanges = json.array { {
        range = { start = { line = 0, character = 0 }, ["end"] = { line = 0, character = typed and 0 or 1 } },
        text = typed and "=" or "",
      } },
    })
    server:wait(function(message)
      return message.method == "textDocument/publishDiagnostics" and message.params.uri == uri
        and (message.params.version or version) == version
    end)
    times[#times + 1] = core.clock() - from
  end
  return median(times)
end

local function questions(server, path, out)
  local random = support.random(5)
  local _, lines = support.read(path):gsub("\n", "")
  for _, question in ipairs(QUESTIONS) do
    local times = {}
    for i = 1, KEYS do
      local from = core.clock()
      server:ask("textDocument/" .. question, {
        textDocument = { uri = "file://" .. path },
        position = { line = random(lines) - 1, character = 8 },
      })
      times[i] = core.clock() - from
    end
    out[question] = median(times)
  end
end

-- A server that is working on its messages may still take memory: measure until it stays the same.
local function settled(server)
  local most, same = 0, 0
  for _ = 1, 60 do
    local now = server:memory()
    same = now > most * 1.01 and 0 or same + 1
    most = math.max(most, now)
    if same == 4 then break end
    os.execute "sleep 0.5"
  end
  return most
end

local function measured(command)
  local out, path = {}, largest()
  local server = Client.start(command)
  server:initialize(path:match "^(.*)/")
  server:open(path, support.read(path))
  out.key = keys(server, path)
  questions(server, path, out)
  server:stop()
  server = Client.start(command)
  server:initialize(CORPUS)
  for _, name in ipairs(files()) do
    server:open(name, support.read(name))
    -- Its messages are read meanwhile, before they fill the pipe.
    server:ask("textDocument/documentSymbol", { textDocument = { uri = "file://" .. name } })
  end
  out.memory = settled(server)
  server:stop()
  return out
end

-- ---- report -----------------------------------------------------------------------------------------------------------------

local ours = measured((os.getenv "HCLEXPR_PROGRAM" or "luajit") .. " bin/hclexpr lsp")
local theirs = support.has "terraform-ls" and measured "terraform-ls serve"
local missed = 0

local function line(what, unit, key, part)
  local text = ("  %-44s %8.1f %s"):format(what, ours[key], unit)
  if theirs then
    text = text .. ("   %8.1f %s theirs: %.1f times"):format(theirs[key], unit, theirs[key] / ours[key])
    if part then
      local good = ours[key] <= theirs[key] * part
      if not good then missed = missed + 1 end
      text = text .. ("  (goal >= %.0f: %s)"):format(1 / part, good and "met" or "missed")
    end
  end
  print(text)
end

print("the servers, over pipes" .. (theirs and "" or "; terraform-ls is not installed"))
line("a key to its diagnostics", "ms", "key", KEY_PART)
for _, question in ipairs(QUESTIONS) do line(question, "ms", question) end
line("memory, all of the corpus open", "MB", "memory", 1)
os.exit(missed == 0 and 0 or 1)
