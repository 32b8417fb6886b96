-- The language server with any messages: files that change anywhere, requests about places that may not exist, cancelled requests,
-- files that open and close, slices of work in between; and streams of bytes instead of messages. Properties: each request
-- has one answer, and none says that the server failed; its messages are valid JSON; its edits can be made; and when all
-- files parse and no work is left, it answers like a server that never saw anything else.
local command = require "hclexpr.cli.lsp"
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local json = require "hclexpr.lsp.json"
local lsp = require "hclexpr.lsp"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local M = {}

local DIR = "/nowhere/at/all"
local NAMES = { "main.tf", "other.tf", "m/main.tf", "terraform.tfvars", "t.tftpl", "x.tf.json", "x.tftest.hcl", "app.hcl" }
local METHODS = { "completion", "hover", "signatureHelp", "definition", "references", "documentHighlight", "documentSymbol", "foldingRange",
  "semanticTokens/full", "semanticTokens/range", "inlayHint", "codeAction", "formatting", "rangeFormatting", "prepareRename", "rename",
  "declaration" }
local ODD = { -1, 2 ^ 31, 1e308, 0 / 0, "3", { 1 }, 0.5, -2 ^ 53 }

local function uri_of(name) return "file://" .. DIR .. "/" .. name end

-- ---- properties -------------------------------------------------------------------------------------------------------------

-- The editor doesn't see errors of jobs or requests: here they are findings.
local function watch_threads(act, ...)
  local plain, fault = coroutine.resume, nil
  rawset(coroutine, "resume", function(thread, ...)
    local results = { plain(thread, ...) }
    if not results[1] and type(results[2]) == "string" and not results[2]:find "not enough memory" then
      fault = fault or debug.traceback(thread, results[2])
    end
    return support.unpack(results, 1, 8)
  end)
  local results = { pcall(act, ...) }
  rawset(coroutine, "resume", plain)
  if fault then error("a thread raised: " .. fault, 0) end
  if not results[1] then error(results[2], 0) end
  return support.unpack(results, 2, 4)
end

-- Ranges begin before they end.
local function check_ranges(x, depth)
  if type(x) ~= "table" or x == json.null or depth > 12 then return end
  local start, stop = x.start, x["end"]
  if type(start) == "table" and type(stop) == "table" and start.line then
    local fine = start.line >= 0 and start.character >= 0
      and (start.line < stop.line or start.line == stop.line and start.character <= stop.character)
    if not fine then error("a range ends before it begins: " .. json.encode(x), 0) end
  end
  for _, part in pairs(x) do check_ranges(part, depth + 1) end
end

-- A server whose messages are checked; answers by id.
local function watched()
  local self = { answers = {}, asked = {} }
  self.server = lsp.new(function(message)
    local text = json.encode(message)
    local again, why = json.decode(text)
    if again == nil or json.encode(again) == "" then error("what is sent isn't JSON: " .. tostring(why) .. "\n" .. text, 0) end
    if message.method == "window/logMessage" then error(message.params.message, 0) end
    if message.error and message.error.code == lsp.errors.INTERNAL then error("internal error: " .. message.error.message, 0) end
    if not message.method and message.id ~= json.null then
      if self.answers[message.id] then error("answered twice: " .. text, 0) end
      self.answers[message.id] = message
    end
    check_ranges(message, 0)
  end, {
    read = function() return nil end, list = function() return {} end,
    module = { scope = hcl.scope { clock = false, random = false, limits = { steps = 1e6, memory = 2 ^ 25, output = 2 ^ 22 } } },
  })
  return self
end

local function asked(self, id, method, params)
  self.asked[#self.asked + 1] = id
  return { jsonrpc = "2.0", id = id, method = method, params = params }
end

local function receive(self, ...)
  self.server:receive_all { ... }
end

local function notify(self, method, params) receive(self, { jsonrpc = "2.0", method = method, params = params }) end

local function begin()
  local self = watched()
  local capabilities = { textDocument = { completion = { completionItem = { snippetSupport = true } } },
    workspace = { inlayHint = { refreshSupport = true } } }
  receive(self, asked(self, 0, "initialize", { capabilities = capabilities, rootUri = "file://" .. DIR }))
  notify(self, "initialized", {})
  return self
end

local function open(self, name, text, version)
  notify(self, "textDocument/didOpen", {
    textDocument = { uri = uri_of(name), text = text, version = version, languageId = "terraform" },
  })
end

local function check_answered(self)
  for _, id in ipairs(self.asked) do
    if not self.answers[id] then error("not answered: " .. tostring(id), 0) end
  end
end

-- ---- the same as a new one --------------------------------------------------------------------------------------------------

local function settle(self)
  local rounds = 0
  while self.server:idle(1000) do
    rounds = rounds + 1
    if rounds > 1000 then error("it never finishes its work", 0) end
  end
end

local function open_texts(self)
  local found, sound = {}, true
  for path, document in pairs(self.server.workspace.documents.by_path) do
    if document and document.open then
      found[path:sub(#DIR + 2)] = document.text
      for _, d in ipairs(document.parsed.err or {}) do sound = sound and d.severity ~= "error" end
    end
  end
  return found, sound
end

local function sorted_text(x)
  if type(x) ~= "table" or x == json.null then return json.encode(x) end
  local out, list = {}, x[1] ~= nil
  if list then
    for i, part in ipairs(x) do out[i] = sorted_text(part) end
    -- Candidates have their own sorting key.
    if out[1] and out[1]:find("sortText", 1, true) then table.sort(out) end
  else
    for _, key in ipairs(support.keys(x)) do out[#out + 1] = key .. ":" .. sorted_text(x[key]) end
  end
  return (list and "[" or "{") .. table.concat(out, ",") .. (list and "]" or "}")
end

local function compare(self, fresh, name, positions)
  local document = { uri = uri_of(name) }
  local whole = { start = { line = 0, character = 0 }, ["end"] = { line = 1e6, character = 0 } }
  local path = DIR .. "/" .. name
  if self.server.published[path] ~= fresh.server.published[path] then
    error(("diagnostics of %s: a fresh server says something else\n  %s\n  %s"):format(name, tostring(self.server.published[path]),
      tostring(fresh.server.published[path])), 0)
  end
  local n = 0
  for _, position in ipairs(positions) do
    for _, method in ipairs(METHODS) do
      n = n + 1
      local id, answers = ("%s %d %d"):format(name, #self.asked, n), {}
      for i, one in ipairs { self, fresh } do
        receive(one, asked(one, id, "textDocument/" .. method, { textDocument = document, position = position, range = whole,
          newName = "neu", context = { includeDeclaration = true } }))
        local message = one.answers[id]
        answers[i] = sorted_text { message.result, message.error }
      end
      if answers[1] ~= answers[2] then
        error(("%s at %s: a fresh server answers something else\n  %s\n  %s"):format(method, sorted_text(position), answers[1],
          answers[2]), 0)
      end
    end
  end
end

local function check_fresh(self, positions)
  settle(self)
  local texts, sound = open_texts(self)
  if not sound then return end
  local fresh = begin()
  for _, name in ipairs(support.keys(texts)) do open(fresh, name, texts[name], 1) end
  settle(fresh)
  for _, name in ipairs(support.keys(texts)) do compare(self, fresh, name, positions) end
end

-- The edits of a formatting request can be made, and made again they change nothing.
local function check_layout(self)
  for name in pairs((open_texts(self))) do
    for turn = 1, 2 do
      local id = ("layout %s %d"):format(name, turn)
      receive(self, asked(self, id, "textDocument/formatting", { textDocument = { uri = uri_of(name) }, options = {} }))
      local edits = self.answers[id].result or {}
      if turn == 2 and edits[1] then error(name .. " is laid out, and again otherwise: " .. json.encode(edits), 0) end
      for i = #edits, 1, -1 do
        notify(self, "textDocument/didChange", { textDocument = { uri = uri_of(name), version = 90 },
          contentChanges = { { range = edits[i].range, text = edits[i].newText } } })
      end
    end
  end
end

-- ---- sequences ----------------------------------------------------------------------------------------------------------

-- Numbers that bytes choose; 0 after their end.
local function chooser(bytes)
  local at = 0
  return function(n)
    at = at + 1
    return at <= #bytes and bytes:byte(at) % n or 0
  end, function() return at < #bytes end
end

local function position(choose)
  local line, character = choose(256), choose(256)
  local function odd(n) return ODD[n % #ODD + 1] end
  return { line = line < 240 and line % 30 or odd(line), character = character < 240 and character % 80 or odd(character) }
end

local function range(choose) return { start = position(choose), ["end"] = position(choose) } end

-- A part of the second text.
local function piece(choose, text)
  local from = choose(256)
  return text:sub(from + 1, from + choose(32))
end

local STEPS = {
  function(self, choose, name, text, id) -- a change
    notify(self, "textDocument/didChange", { textDocument = { uri = uri_of(name), version = id },
      contentChanges = { { range = range(choose), text = piece(choose, text) } } })
  end,
  function(self, choose, name, text, id) -- two, each within a line
    local at = position(choose)
    local to = { line = at.line, character = choose(256) }
    notify(self, "textDocument/didChange", { textDocument = { uri = uri_of(name), version = id }, contentChanges = {
      { range = { start = at, ["end"] = to }, text = piece(choose, text) },
      { range = { start = at, ["end"] = at }, text = piece(choose, text) } } })
  end,
  function(self, _, name, text) open(self, name, text, 1) end,
  function(self, _, name, text)
    notify(self, "textDocument/didChange", { textDocument = { uri = uri_of(name) }, contentChanges = { { text = text } } })
  end,
  function(self, choose, name, _, id) -- a request
    local method = METHODS[choose(#METHODS) + 1]
    receive(self, asked(self, id, "textDocument/" .. method, { textDocument = { uri = uri_of(name) }, position = position(choose),
      range = range(choose), newName = "neu" }))
  end,
  function(self, choose, name, text, id) -- one that is cancelled, or followed by another one
    local method = METHODS[choose(#METHODS) + 1]
    local params = { textDocument = { uri = uri_of(name) }, position = position(choose), range = range(choose),
      newName = piece(choose, text) }
    receive(self, asked(self, id, "textDocument/" .. method, params), { jsonrpc = "2.0", method = "$/cancelRequest",
      params = { id = choose(2) == 0 and id or ODD[choose(#ODD) + 1] } })
  end,
  function(self, choose) self.server:idle(choose(2) * 1000) end,
  function(self, _, name) notify(self, "textDocument/didClose", { textDocument = { uri = uri_of(name) } }) end,
  function(self, choose, name)
    notify(self, "workspace/didChangeWatchedFiles", { changes = { { uri = uri_of(name), type = choose(4) } } })
    notify(self, "textDocument/didSave", { textDocument = { uri = uri_of(name) } })
  end,
  function(self, choose, _, text, id) receive(self, asked(self, id, "workspace/symbol", { query = piece(choose, text) })) end,
  function(self, choose, name) -- settings, folders
    local settings = { inlays = choose(2) == 0, vars = { name, ODD[choose(#ODD) + 1] } }
    notify(self, "workspace/didChangeConfiguration", { settings = { hclexpr = settings } })
    notify(self, "workspace/didChangeConfiguration", { settings = { vars = {} } })
    local folder = { uri = "file://" .. DIR .. "/m" }
    notify(self, "workspace/didChangeWorkspaceFolders", { event = { [choose(2) == 0 and "added" or "removed"] = { folder } } })
  end,
}

--- A file's text, another text for insertions, and bytes that choose what happens.
function M.sequence(text, other, bytes)
  local clock, now, stride = os.clock, 0, 0
  rawset(os, "clock", function() now = now + stride return now end)
  local ok, fault = pcall(watch_threads, function()
    local choose, more = chooser(bytes)
    local self, id = begin(), 0
    open(self, NAMES[1], text, 1)
    while more() and id < 40 do
      id = id + 1
      local name = NAMES[1]
      if choose(4) == 1 then name = NAMES[choose(#NAMES) + 1] end
      -- Time passes within a slice, so that work is postponed.
      stride = choose(5) == 1 and 0.03 or 0
      STEPS[choose(#STEPS) + 1](self, choose, name, other, id)
    end
    stride = 0
    check_fresh(self, { position(choose) })
    check_layout(self)
    check_answered(self)
  end)
  rawset(os, "clock", clock)
  if not ok then error(fault, 0) end
end

-- ---- streams ------------------------------------------------------------------------------------------------------------

-- A file of bytes.
local function input_of(bytes)
  local at = 1
  local file = { setvbuf = function() end }
  function file.read(_, what)
    if what == "*l" then
      if at > #bytes then return nil end
      local from = at
      local stop = bytes:find("\n", at, true) or #bytes + 1
      at = stop + 1
      return bytes:sub(from, stop - 1)
    end
    local from = at
    at = at + what
    return from <= #bytes and bytes:sub(from, at - 1) or nil
  end
  return file
end

local function framed(content) return ("Content-Length: %d\r\n\r\n%s"):format(#content, content) end

--- Lines that are messages, or, if they begin with "!", raw text; then all of them as bytes.
function M.stream(lines)
  local out = {}
  for line in lines:gmatch "[^\n]+" do out[#out + 1] = line:find "^!" and line:sub(2):gsub("\\n", "\r\n") or framed(line) end
  for _, bytes in ipairs { table.concat(out), lines } do
    local sent = {}
    local output = { write = function(_, ...) sent[#sent + 1] = table.concat { ... } end, flush = function() end }
    local status = watch_threads(command.serve, input_of(bytes), output, {
      read = function() return nil end, list = function() return {} end,
    })
    if status ~= 0 and status ~= 1 then error("it ends with " .. tostring(status), 0) end
    for _, text in ipairs(sent) do
      local length, content = text:match "^Content%-Length: (%d+)\r\n\r\n(.*)$"
      local message, why = json.decode(content)
      if tonumber(length) ~= #content or message == nil then error("what is sent isn't a message: " .. tostring(why) .. "\n" .. text, 0) end
      if message.error and message.error.code == lsp.errors.INTERNAL then error("internal error: " .. message.error.message, 0) end
      -- A message that names no document is the client's own error.
      local said = message.method == "window/logMessage" and message.params.message
      if said and not said:find("textDocument.uri is missing", 1, true) then error(said, 0) end
    end
  end
  local value = core.is_text(lines) and json.decode(lines) -- bytes that aren't text are read as they are, and written as text
  if value then
    local again, why = json.decode(json.encode(value))
    if again == nil or sorted_text(again) ~= sorted_text(value) then
      error(("JSON reads back as something else: %s\n%s\n%s"):format(tostring(why), sorted_text(value), sorted_text(again)), 0)
    end
  end
end

return M
