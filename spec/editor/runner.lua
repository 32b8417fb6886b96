-- Sends the language service the requests that an established server answered (cases/ and providers/), without a protocol, and compares as
-- each recording says: a definition's file and line, the places of references, that hover shows a name, that our candidates include theirs,
-- that diagnostics begin on their lines. "none": nothing is declared, no error; "gap": the recorded server has no answer, but we need one.
local service = require "hclexpr.service"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local material = dofile(support.here() .. "material.lua")
local text = require "hclexpr.editor.text"

---@class Session
local Session = {}
Session.__index = Session

local function open(row)
  local dir = support.temporary_folder()
  local workspace = service.new { roots = { dir }, schemas = material.schemas(row.schemas) }
  row.files["zz.tf"] = ""
  for file, content in pairs(row.files) do
    local inside = file:match "^(.*)/"
    if inside then assert(support.runs(("mkdir -p '%s/%s'"):format(dir, inside))) end
    support.write(dir .. "/" .. file, content)
  end
  for file, content in pairs(row.files) do workspace:open(dir .. "/" .. file, content, 1) end
  return setmetatable({ dir = dir, workspace = workspace }, Session)
end

function Session:path(file) return self.dir .. "/" .. file end

function Session:byte(file, position)
  local source = self.workspace:text(self:path(file))
  return text.byte(source, text.lines(source), position.line, position.character, "utf-16")
end

-- File, line and character of a place, from 0.
function Session:place(path, byte)
  local source = self.workspace:text(path)
  local line, character = text.position(source, text.lines(source), byte, "utf-16")
  return path:sub(#self.dir + 2), line, character
end

local topics = {}

function topics.definition(session, case, note)
  local found = session.workspace:definition(session:path(case.file), session:byte(case.file, case.position))
  local agrees = #found == 0
  if case.expect == "gap" then agrees = #found > 0 end
  if case.expect == "match" then
    agrees = false
    for _, one in ipairs(found) do
      local file, line = session:place(one.path, one.name_start)
      for _, target in ipairs(case.targets) do agrees = agrees or target[1] == file and target[2] <= line and line <= target[3] end
    end
  end
  note(agrees, case.source .. " at " .. case.position.line .. ":" .. case.position.character)
end

function topics.references(session, case, note)
  local got, seen = {}, {}
  for _, span in ipairs(session.workspace:references(session:path(case.file), session:byte(case.file, case.position))) do
    local one = ("%s:%d:%d"):format(session:place(span.path, span.start))
    if not seen[one] then got[#got + 1] = one end
    seen[one] = true
  end
  if case.expect == "gap" then return note(#got > 0, case.declaration) end
  local wanted, known = {}, {}
  for _, place in ipairs(case.references) do
    local one = ("%s:%d:%d"):format(place[1], place[2], place[3])
    if not known[one] then wanted[#wanted + 1] = one end
    known[one] = true
  end
  table.sort(got)
  table.sort(wanted)
  note(table.concat(got, " ") == table.concat(wanted, " "), case.declaration .. ": " .. table.concat(got, " ") .. " not "
    .. table.concat(wanted, " "))
end

-- The second name of a reference, which an answer must contain.
local function named(source)
  if not source:find(".", 1, true) then return source end
  return (source:gsub("%]", ""):gsub("%[", "."):match "^[^.]*%.([^.]*)":gsub('"', ""))
end

function topics.hover(session, case, note)
  local found = session.workspace:hover(session:path(case.file), session:byte(case.file, case.position))
  local says = found ~= nil and found.text:find(named(case.source), 1, true) ~= nil
  if case.expect == "none" then says = true end
  note(says, case.source .. " at " .. case.position.line .. ":" .. case.position.character)
end

function topics.completion(session, case, note)
  local cursor = case.text:find("│", 1, true) - 1
  local source = case.text:gsub("│", "")
  session.workspace:change(session:path "zz.tf", source)
  local got, any = {}, false
  for _, item in ipairs(session.workspace:complete(session:path "zz.tf", cursor)) do
    got[item.label], got[item.label:match "[^.]*$"], any = true, true, true
  end
  session.workspace:change(session:path "zz.tf", "")
  if case.expect == "gap" then return note(any, case.text) end
  local lacks = {}
  for _, label in ipairs(case.labels) do
    if not got[label] and not got[label:match "[^.]*$"] then lacks[#lacks + 1] = label end
  end
  note(#lacks == 0, case.text .. " lacks " .. table.concat(lacks, " "))
end

function topics.diagnostics(session, case, note)
  while session.workspace:pending() do session.workspace:work(1) end
  local at, errors = {}, {}
  for _, problem in ipairs(session.workspace:diagnostics(session:path(case.file))) do
    local _, line = session:place(session:path(case.file), problem.start)
    at[line] = true
    if problem.severity == "error" then errors[#errors + 1] = problem.message end
  end
  if case.expect == "none" then return note(#errors == 0, case.file .. ": " .. table.concat(errors, "; ")) end
  for _, line in ipairs(case.lines) do note(at[line], case.file .. ": nothing on line " .. line) end
end

local order = { "definition", "references", "hover", "completion", "diagnostics" }

-- Sends all requests of one workspace.
local function run_workspace(row, cases, found)
  local session = open(row)
  for _, topic in ipairs(order) do
    for _, case in ipairs(cases[topic]) do
      if case.workspace == row.workspace then
        topics[topic](session, case, function(agrees, what) found(case.expect, agrees, topic .. " " .. row.workspace .. ": " .. what) end)
      end
    end
  end
  support.remove(session.dir)
end

--- Runs all workspaces of a folder, or this run's share of them; found(expect, agrees, what) is called for each fact and gap.
---@param data string
---@param found fun(expect: string, agrees: boolean, what: string)
return function(data, found)
  local cases = {}
  for _, topic in ipairs(order) do cases[topic] = material.rows(data .. "/" .. topic .. ".jsonl") end
  for number, row in ipairs(material.rows(data .. "/workspaces.jsonl")) do
    if support.takes(number) then run_workspace(row, cases, found) end
  end
end
