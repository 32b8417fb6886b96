-- Findings: diagnostics collected from many calls, joined to one Diagnostics at the end.
local core = require "hclexpr.core"

---@class hclexpr.Findings
local Findings = {}
Findings.__index = Findings

-- This many lists are joined to one as soon as they are there: of a million errors the core keeps only a hundred and a count.
local JOIN_AT = 200

--- Makes an empty list. wide: an empty range is widened to one character in the end, as the reference shows places of modules.
---@param wide? boolean
---@return hclexpr.Findings
function Findings.new(wide)
  return setmetatable({ lists = {}, added = 0, wide = wide }, Findings)
end

--- Adds Diagnostics.
---@param err? hclexpr.Diagnostics the second result of a call whose first is nil
function Findings:add(err)
  local lists = self.lists
  self.added = self.added + 1
  lists[#lists + 1] = err
  if #lists >= JOIN_AT then self.lists = { core.join_diagnostics(lists) } end
end

--- Adds the content of another list.
---@param findings hclexpr.Findings
function Findings:add_all(findings)
  local all = findings:diagnostics()
  if all then self:add(all) end
end

-- Makes Diagnostics by a row: its name in csrc/base/diag_list.h, or a table.
Findings.diagnose = core.diagnose

--- Reports a row at a place.
---@param row string|table
---@param place hclexpr.findings.Place
---@param text string
function Findings:report(row, place, text, ...)
  self:add(self.diagnose(row, place.object, place.range, string.format(text, ...), place.context, place.values))
end

--- Returns how often something was added: compare two results to see if anything was added between them.
---@return integer
function Findings:count()
  return self.added
end

--- Returns all findings as Diagnostics, or nil without findings.
---@return hclexpr.Diagnostics?
function Findings:diagnostics()
  return core.join_diagnostics(self.lists, self.wide)
end

--- Joins several Diagnostics in this order, and widens their ranges as Findings.new says; nil if all are empty.
---@param ... hclexpr.Diagnostics?
---@return hclexpr.Diagnostics?
function Findings.join(...)
  local lists = {}
  for i = 1, select("#", ...) do
    local list = select(i, ...)
    if list then lists[#lists + 1] = list end
  end
  return core.join_diagnostics(lists, true)
end

--- Are there errors among these, not only warnings?
---@param err? hclexpr.Diagnostics
---@return boolean
function Findings.has_errors(err)
  for _, d in ipairs(err or {}) do
    if d.severity == "error" then return true end
  end
  return false
end

--- Returns the detail of the first diagnostic in a form for the middle or end of a sentence.
---@param err hclexpr.Diagnostics
---@param goes_on? boolean the sentence goes on after it
---@return string
function Findings.clause(err, goes_on)
  local text = err[1].detail:gsub("^%u", string.lower)
  return (goes_on and text:gsub("%.$", "") or text)
end

return Findings
