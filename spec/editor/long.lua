-- The long form of the editor's specs: a session of minutes with the language server as a process. It types the recorded workspaces key by
-- key at a typist's pace, and sends the requests of editors. Files are saved, renamed in, formatted, closed, opened again, and changed by
-- others on disk. Every minute, a new server with the same texts has to give the same answers.
--   LUA long.lua [MINUTES [SEED [FOLDER]]]   (the module for this Lua is in build/test; FOLDER: a large module that is edited, too)
-- HASTE=1 types without pauses. The report goes to standard output; the exit status is 1 if something was lost.
local here = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$"
local support = dofile(here .. "../support.lua")
local host = dofile(here .. "../hosts/host.lua")
local lua_path, lua_cpath = host.module_paths(rawget(_G, "jit") and "jit" or _VERSION:match "%d.%d")
package.path, package.cpath = lua_path:gsub(";;", ";") .. package.path, lua_cpath:gsub(";;", ";") .. package.cpath

local Client = dofile(here .. "client.lua")
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local json = require "hclexpr.lsp.json"
local material = dofile(here .. "material.lua")

local MINUTES, SEED, FOLDER = tonumber(arg[1]) or 3, tonumber(arg[2]) or 1, arg[3]
local HASTE = os.getenv "HASTE"
local TICK = 0.05 -- seconds; a typist needs one to five for each key
local CHECK = 60 -- seconds between checks; in haste, keys
local PLACES = 40 -- of a check

local random = support.random(SEED)
local command = ("env LUA_PATH=\"%s\" LUA_CPATH=\"%s\" %s -l hclexpr %s/bin/hclexpr lsp"):format(lua_path, lua_cpath, support.program,
  host.root)
local root = support.temporary_folder()
local started = core.clock()

local function one_in(n) return random(n) == 1 end
local function any(list) return list[random(#list)] end

-- ---- counts ---------------------------------------------------------------------------------------------------------------

local counts = { keys = 0, saved = 0, renamed = 0, ["laid out"] = 0, completed = 0, opened = 0, closed = 0, ["changed on disk"] = 0,
  ["changed by actions"] = 0, checks = 0, ["of them with values"] = 0,
  ["answers compared"] = 0 }
local answers, faults, samples = {}, {}, {}

local function count(what) counts[what] = counts[what] + 1 end

local function fault(...)
  faults[#faults + 1] = (...):format(select(2, ...))
  if #faults <= 20 then print(faults[#faults]) end
end

-- ---- the typist -----------------------------------------------------------------------------------------------------------

local metronome = HASTE and io.popen "yes" or io.popen(("while echo && sleep %g; do :; done 2>/dev/null"):format(TICK))

local function pause(ticks)
  if HASTE then return end
  for _ = 1, ticks do metronome:read "*l" end
end

local server = Client.start(command)
local times, works = {}, {} -- of answers: wall-clock time, and processor time

-- Sends a request and measures its time; a cancelled request also counts as answered.
local function ask(method, params)
  local before = server:processor()
  local result, err, seconds = server:ask(method, params)
  local worked = server:processor() - before
  local row = answers[method] or { n = 0, longest = 0, worked = 0, sum = 0 }
  answers[method] = row
  row.n, row.sum = row.n + 1, row.sum + worked
  row.longest, row.worked = math.max(row.longest, seconds), math.max(row.worked, worked)
  times[#times + 1], works[#works + 1] = seconds, worked
  if err and err.code ~= -32803 then fault("%s: %s", method, err.message) end
  if result ~= json.null then return result end
end

-- ---- texts and places -----------------------------------------------------------------------------------------------------

local documents, paths = {}, {} -- the open documents: by path, and in order

local function uri(path) return { uri = "file://" .. path } end

-- The number of UTF-16 units in a text.
local function units(text)
  return #text:gsub("[\240-\247]", "  "):gsub("[\128-\191]", "")
end

local function position(text, byte)
  local before = text:sub(1, byte)
  local _, line = before:gsub("\n", "")
  return { line = line, character = units(before:match "[^\n]*$") }
end

local function byte_of(text, place)
  local at = 1
  for _ = 1, place.line do at = (text:find("\n", at, true) or #text) + 1 end
  local n = 0
  while n < place.character do
    local character = text:match("^[%z\1-\127\192-\255][\128-\191]*", at)
    at, n = at + #character, n + units(character)
  end
  return at - 1
end

local function at(path, byte) return { textDocument = uri(path), position = position(documents[path].text, byte) } end

local function change(path, start, stop, text)
  local document = documents[path]
  document.version = document.version + 1
  local from, to = position(document.text, start), position(document.text, stop)
  document.text = document.text:sub(1, start) .. text .. document.text:sub(stop + 1)
  server:notify("textDocument/didChange", {
    textDocument = { uri = "file://" .. path, version = document.version },
    contentChanges = json.array { { range = { start = from, ["end"] = to }, text = text } },
  })
end

-- Applies edits of one text, the last first.
local function apply(path, edits)
  local list = {}
  for i, edit in ipairs(edits) do
    local text = documents[path].text
    list[i] = { start = byte_of(text, edit.range.start), stop = byte_of(text, edit.range["end"]), text = edit.newText }
  end
  table.sort(list, function(a, b) return a.start > b.start end)
  for _, edit in ipairs(list) do change(path, edit.start, edit.stop, edit.text) end
end

-- ---- files ------------------------------------------------------------------------------------------------------------------

local function watched(path, kind)
  server:notify("workspace/didChangeWatchedFiles", { changes = json.array { { uri = "file://" .. path, type = kind } } })
end

local function write(path, text)
  local kind = support.exists(path) and 2 or 1
  support.write(path, text)
  watched(path, kind)
end

local function open(path, text)
  documents[path] = { text = text, version = 1 }
  paths[#paths + 1] = path
  server:open(path, text)
  count "opened"
end

local function save(path)
  write(path, documents[path].text)
  server:notify("textDocument/didSave", { textDocument = uri(path) })
  count "saved"
end

local function close(path)
  documents[path] = nil
  for i = #paths, 1, -1 do if paths[i] == path then table.remove(paths, i) end end
  server:notify("textDocument/didClose", { textDocument = uri(path) })
  server.published["file://" .. path] = nil
  count "closed"
end

-- Changes in files that may be open or not, as editors make them.
local function apply_all(edit, what)
  for where, edits in pairs(edit.changes) do
    local path = where:gsub("^file://", "")
    local shut = not documents[path]
    if shut then open(path, support.read(path)) end
    apply(path, edits)
    if shut then
      save(path)
      close(path)
    end
  end
  count(what)
end

-- ---- requests -----------------------------------------------------------------------------------------------------------

local function whole(text)
  return { start = { line = 0, character = 0 }, ["end"] = position(text, #text) }
end

-- Requests that editors send for a file while the user pauses.
local function rest(path, byte)
  local params, place = { textDocument = uri(path) }, at(path, byte)
  for _, name in ipairs { "semanticTokens/full", "documentSymbol", "foldingRange" } do ask("textDocument/" .. name, params) end
  ask("textDocument/documentHighlight", place)
  ask("textDocument/inlayHint", { textDocument = params.textDocument, range = whole(documents[path].text) })
  return ask("textDocument/codeAction", {
    textDocument = params.textDocument, range = { start = place.position, ["end"] = place.position },
    context = { diagnostics = json.array {} },
  })
end

-- The requests after a typed character. Returns how many bytes of the remaining text a candidate has inserted.
local function offered(path, byte, still)
  local list = ask("textDocument/completion", at(path, byte))
  if not one_in(4) then return 0 end
  for _, item in ipairs(list.items) do
    local edit, text = item.textEdit, documents[path].text
    local start, stop = byte_of(text, edit.range.start), byte_of(text, edit.range["end"])
    local new = edit.newText:sub(byte - start + 1)
    if stop == byte and #new > 0 and still:sub(1, #new) == new and edit.newText:sub(1, byte - start) == text:sub(start + 1, byte) then
      change(path, start, stop, edit.newText)
      count "completed"
      return #new
    end
  end
  return 0
end

-- Types a text at a place; returns the place after it, which moves with the bytes that follow it.
local function type_text(path, byte, text)
  local from = 1
  while from <= #text do
    local key = text:match("^\n *", from) or text:match("^[%z\1-\127\192-\255][\128-\191]*", from)
    if one_in(25) then
      change(path, byte, byte, any { "x", "}", '"', "${", ".", "\n" })
      pause(random(5))
      ask("textDocument/completion", at(path, byte))
      change(path, byte, byte + (documents[path].text:sub(byte + 1, byte + 2) == "${" and 2 or 1), "")
      count "keys"
    end
    change(path, byte, byte, key)
    count "keys"
    byte, from = byte + #key, from + #key
    if key == "(" or key == "," then ask("textDocument/signatureHelp", at(path, byte)) end
    if key:find '[."%[%a_]' then
      local written = offered(path, byte, text:sub(from))
      byte, from = byte + written, from + written
    end
    pause(one_in(40) and 10 + random(30) or random(5))
  end
  return byte
end

-- ---- other edits ------------------------------------------------------------------------------------------------------------

local wanders = {}

function wanders.look(path)
  for _ = 1, 5 do
    local place = at(path, random(#documents[path].text + 1) - 1)
    ask("textDocument/hover", place)
    pause(random(10))
    local found = ask("textDocument/definition", place)
    if found and found[1] then
      local references = { textDocument = place.textDocument, position = place.position, context = { includeDeclaration = true } }
      ask("textDocument/references", references)
    end
  end
  ask("workspace/symbol", { query = any { "", "a", "na", "x", "local" } })
end

function wanders.rename(path)
  for _ = 1, 10 do
    local place = at(path, random(#documents[path].text + 1) - 1)
    local found = ask("textDocument/prepareRename", place)
    if found then
      local other = found.placeholder:find "_new$" and found.placeholder:gsub("_new$", "") or found.placeholder .. "_new"
      local edit = ask("textDocument/rename", { textDocument = place.textDocument, position = place.position, newName = other })
      if edit then return apply_all(edit, "renamed") end
    end
  end
end

function wanders.format(path)
  local edits = ask("textDocument/formatting", { textDocument = uri(path), options = { tabSize = 2, insertSpaces = true } })
  if not edits then return end
  apply(path, edits)
  count "laid out"
end

function wanders.save(path) save(path) end

function wanders.reopen(path)
  save(path)
  close(path)
  pause(random(20))
  open(path, support.read(path))
end

-- Deletes a line, and types it again; or undoes that.
function wanders.edit(path)
  local text = documents[path].text
  local byte = random(#text + 1) - 1
  local start = #text:sub(1, byte):match "^(.-)[^\n]*$"
  local line = text:match("^[^\n]*", start + 1)
  for n = #line, 1, -1 do
    if line:byte(n) < 128 or line:byte(n) >= 192 then
      change(path, start + n - 1, start + #line, "")
      line = line:sub(1, n - 1)
      count "keys"
      pause(1)
      if one_in(20) then break end
    end
  end
  line = text:match("^[^\n]*", start + 1):sub(#line + 1)
  local stop = start + #text:match("^[^\n]*", start + 1) - #line
  if one_in(2) then change(path, stop, stop, line) else type_text(path, stop, line) end
end

function wanders.act(path)
  local list = rest(path, random(#documents[path].text + 1) - 1)
  if list and list[1] then apply_all(any(list).edit, "changed by actions") end
end

-- Another program checks out another version of a closed file, and then the former one again.
function wanders.checkout(path)
  local other = path:gsub("[^/]*$", "other.tf")
  if documents[other] then return end
  if support.exists(other) and one_in(2) then
    os.remove(other)
    watched(other, 3)
  else
    write(other, any {
      "locals {\n  from_disk = 1\n}\n", 'variable "env" {}\n', "locals {\n  from_disk = \n", "", 'output "of_disk" {\n  value = 1\n}\n',
    })
  end
  count "changed on disk"
end

local names = support.keys(wanders)

-- ---- checks -----------------------------------------------------------------------------------------------------------------

local last_check, sampled = 0, started

local function sample()
  local processor = server:processor()
  local minute = (core.clock() - started) / 60
  samples[#samples + 1] = { minute = minute, memory = server:memory(), handles = server:handles(), processor = processor }
end

-- Do all files of the folders with open files parse? For a broken text the server keeps its knowledge of the former text.
local function all_sound()
  for _, path in ipairs(paths) do
    for _, file in ipairs(support.lines(("ls '%s'"):format(path:match "^(.*)/"))) do
      local known = path:match "^(.*/)" .. file
      if file:find "%.tf$" and not (documents[known] or hcl.parse(support.read(known))) then return false end
    end
    if path:find "%.tf" and not hcl.parse(documents[path].text) then return false end
  end
  return true
end

local function place_of(path)
  local text = documents[path].text
  local place = at(path, random(#text + 1) - 1)
  place.context, place.newName, place.range = { includeDeclaration = true, diagnostics = json.array {} }, "other_name", whole(text)
  return place
end

local everywhere = { "semanticTokens/full", "documentSymbol", "foldingRange", "inlayHint", "codeAction", "formatting" }
local somewhere = { "hover", "completion", "signatureHelp", "definition", "references", "documentHighlight", "prepareRename", "rename" }
-- Requests whose answers show values.
local of_values = { inlayHint = true, codeAction = true, hover = true, completion = true }

local function by_sort(a, b) return (a.sortText or "") .. a.label < (b.sortText or "") .. b.label end

-- Editors sort candidates.
local function answer_of(one, method, params)
  local result, err = one:ask("textDocument/" .. method, params)
  if method == "completion" then table.sort(result.items, by_sort) end
  return err or result
end

-- Sends the same request to both servers; later again if the answers differ, since values arrive with time.
local function compare(fresh, method, params)
  count "answers compared"
  local ours, theirs
  for round = 1, 50 do
    ours, theirs = answer_of(server, method, params), answer_of(fresh, method, params)
    if support.equal(ours, theirs) then return end
    os.execute("sleep " .. round / 10)
  end
  fault("a fresh server answers otherwise: %s %s\n  %s\n  %s", method, json.encode(params), json.encode(ours), json.encode(theirs))
end

local function published_alike(fresh)
  for _, path in ipairs(paths) do
    local where = "file://" .. path
    if not support.equal(server.published[where] or {}, fresh.published[where] or {}) then return false, where end
  end
  return true
end

local function check()
  count "checks"
  local sound = all_sound()
  local fresh = Client.start(command)
  fresh:initialize(root)
  for _, path in ipairs(paths) do fresh:open(path, documents[path].text) end
  if sound then
    count "of them with values"
    local alike, where
    for round = 1, 50 do
      -- Diagnostics that they published before they answer.
      server:ask("workspace/symbol", { query = "?" })
      fresh:ask("workspace/symbol", { query = "?" })
      alike, where = published_alike(fresh)
      if alike then break end
      os.execute("sleep " .. round / 10)
    end
    if not alike then
      fault("a fresh server publishes otherwise: %s\n  %s\n  %s", where, json.encode(server.published[where]),
        json.encode(fresh.published[where]))
    end
  end
  for _, path in ipairs(paths) do
    local params = place_of(path)
    for _, method in ipairs(everywhere) do
      if sound or not of_values[method] then compare(fresh, method, params) end
    end
  end
  for _ = 1, PLACES do
    local params = place_of(any(paths))
    for _, method in ipairs(somewhere) do
      if sound or not of_values[method] then compare(fresh, method, params) end
    end
  end
  local status, errors = fresh:stop()
  if status ~= 0 or errors ~= "" then fault("the fresh server ended with %d: %s", status, errors) end
end

local function is_over() return core.clock() - started > MINUTES * 60 end

-- ---- the session ----------------------------------------------------------------------------------------------------------

-- Between two blocks: another edit.
local function wander(path)
  if documents[path].text ~= "" then
    rest(path, #documents[path].text)
    wanders[any(names)](any(paths))
  end
  local now = HASTE and counts.keys or core.clock() - started
  if now - last_check > CHECK then
    check()
    last_check = HASTE and now or core.clock() - started
  end
  if core.clock() - sampled > math.max(MINUTES * 60 / 40, 1) then
    sample()
    sampled = core.clock()
  end
end

local function make_folder(dir, row)
  for name in pairs(row.files) do support.runs(("mkdir -p '%s/%s'"):format(dir, name:match "^(.*)/" or "")) end
  if not row.schemas then return end
  support.runs(("mkdir -p '%s/.hclexpr'"):format(dir))
  write(dir .. "/.hclexpr/schemas.json", json.encode(material.schemas(row.schemas)))
end

-- The bytes of a block after the place from.
local function next_block(text, from)
  local stop = text:find("\n}\n", from, true)
  return text:sub(from, stop and stop + 2 or #text)
end

local function write_workspace(row, dir)
  make_folder(dir, row)
  for _, name in ipairs(support.keys(row.files)) do
    local path, text, from = dir .. "/" .. name, row.files[name], 1
    open(path, "")
    while from <= #text and not is_over() do
      local block = next_block(text, from)
      from = from + #block
      type_text(path, #documents[path].text, block)
      wander(path)
      if not documents[path] then open(path, support.read(path)) end
    end
    if not is_over() then save(path) end
  end
end

local function leave_workspace(dir)
  for i = #paths, 1, -1 do
    if paths[i]:sub(1, #dir + 1) == dir .. "/" then close(paths[i]) end
  end
  for _, path in ipairs(support.lines(("find '%s' -type f"):format(dir))) do
    os.remove(path)
    watched(path, 3)
  end
  support.remove(dir)
end

local rows = material.rows "cases/workspaces.jsonl"
for _, row in ipairs(material.rows "providers/workspaces.jsonl") do rows[#rows + 1] = row end

server:initialize(root)
if FOLDER then
  support.runs(("cp -RL '%s' '%s/large' && chmod -R u+w '%s/large'"):format(FOLDER, root, root))
  open(root .. "/large/main.tf", support.read(root .. "/large/main.tf"))
end
sample()
local written = {}
while not is_over() do
  local dir = ("%s/w%d"):format(root, #written + 1)
  written[#written + 1] = dir
  write_workspace(any(rows), dir)
  if #written > 2 then leave_workspace(written[#written - 2]) end
end
for _, dir in ipairs(written) do
  if support.exists(dir) then leave_workspace(dir) end
end
sample()
if #server.faults > 0 then fault("the server logged: %s", table.concat(server.faults, "; ")) end
local seconds = core.clock() - started
local processor = server:processor()
local status, errors = server:stop()
if status ~= 0 or errors ~= "" then fault("the server ended with %s: %s", tostring(status), errors) end
metronome:close()
support.remove(root)

-- ---- report -----------------------------------------------------------------------------------------------------------------

-- Memory and open files after everything has been used once, and at the end.
local early, late = samples[math.ceil(#samples / 4)], samples[#samples]
local most = 0
for _, one in ipairs(samples) do most = math.max(most, one.memory) end
if late.memory > 1.5 * early.memory + 20 then fault("memory grows: %.0f MB, then %.0f MB", early.memory, late.memory) end
if late.handles > samples[1].handles then fault("handles stay open: %d, then %d", samples[1].handles, late.handles) end

print(("%.0f minutes, %d workspaces; processor %.0f s"):format(seconds / 60, #written, processor))
for _, what in ipairs(support.keys(counts)) do print(("  %-20s %d"):format(what, counts[what])) end
for what, list in pairs { ["by the clock"] = times, ["of the processor"] = works } do
  table.sort(list)
  print(("%d answers, %s: median %.2f ms, 99.9 %% within %.1f ms, longest %.1f ms"):format(#list, what, list[math.ceil(#list / 2)] * 1000,
    list[math.ceil(#list * 0.999)] * 1000, list[#list] * 1000))
end
for _, method in ipairs(support.keys(answers)) do
  local row = answers[method]
  print(("  %-34s %6d; of the processor: mean %.2f ms, longest %.1f ms; by the clock: longest %.1f ms"):format(method, row.n,
    row.sum / row.n * 1000, row.worked * 1000, row.longest * 1000))
end
for _, one in ipairs(samples) do
  print(("  minute %5.1f: %5.1f MB, %d files open, %.1f s of the processor"):format(one.minute, one.memory, one.handles, one.processor))
end
print(("memory: %.1f MB early, %.1f MB at most, %.1f MB at the end; faults: %d"):format(early.memory, most, late.memory, #faults))
os.exit(#faults == 0 and 0 or 1)
