-- Diagnostics: what the text of a file itself says at once, and what validating its folder found.
local folders = require "hclexpr.service.folders"
local late = require "hclexpr.late"
local unused = require "hclexpr.service.unused"

local diagnostics = {}

local function problem(d, document)
  local range = d.range
  local message = d.detail ~= "" and d.summary .. ": " .. d.detail or d.summary
  if d.chain then message = message .. "\n" .. d.chain end
  return {
    start = range.start.byte, stop = range.stop.byte, severity = d.severity, code = d.code, message = message,
    suggestion = d.detail:match 'Did you mean "?([%w_.-]+)"?%?', tags = d.code:find "deprecat" and { "deprecated" } or nil,
      document = document,
  }
end

local function key_of(one) return one.start .. " " .. one.stop .. " " .. one.message end

-- Adds those that are of this document and not there yet.
local function add(found, seen, list, document)
  for _, d in ipairs(list or {}) do
    if d.range and d.range.filename == document.path and d.range.stop.byte <= #document.text then
      local one = problem(d, document)
      local key = key_of(one)
      if not seen[key] then found[#found + 1] = one end
      seen[key] = true
    end
  end
end

local words = { variable = "The variable %s", ["local"] = "The local %s", data = "The data %s" }

local function add_unused(found, workspace, document)
  for _, d in ipairs(unused.find(folders.of(workspace, document), document)) do
    found[#found + 1] = { start = d.name_start, stop = d.name_stop, severity = "hint", code = "unused", tags = { "unnecessary" },
      document = document,
                          message = words[d.kind]:format(d.name) .. " is used nowhere in this module." }
  end
end

local function by_place(a, b) return a.start < b.start end

function diagnostics.diagnostics(workspace, document, syntax)
  local found, seen = {}, {}
  add(found, seen, document.parsed.err, document)
  if document.kind == "terraform" then
    if not syntax then
      add(found, seen, late("hclexpr.service.working").found(workspace, document), document)
      add_unused(found, workspace, document)
    end
  end
  table.sort(found, by_place)
  return found
end

return diagnostics
