-- Findings: a list of diagnostics, collected from many calls and joined to one Diagnostics at the end.
local core = require "hclexpr.core"

---@class hclexpr.Findings
local Findings = {}
Findings.__index = Findings

-- When this many lists are collected, they are joined: of a million errors the core keeps only a hundred and a count.
local JOIN_AT = 200

--- Makes an empty list. With `wide`, diagnostics() widens empty ranges to one character, as Terraform shows places in modules.
---@param wide? boolean
---@return hclexpr.Findings
function Findings.new(wide)
  return setmetatable({ lists = {}, added = 0, wide = wide }, Findings)
end

--- Adds Diagnostics.
---@param err? hclexpr.Diagnostics the error that a call returned
function Findings:add(err)
  local lists = self.lists
  self.added = self.added + 1
  lists[#lists + 1] = err
  if #lists >= JOIN_AT then self.lists = { core.join_diagnostics(lists) } end
end

--- Adds the diagnostics of another list.
---@param findings hclexpr.Findings
function Findings:add_all(findings)
  local all = findings:diagnostics()
  if all then self:add(all) end
end

-- Makes Diagnostics with one diagnostic. Its first argument is the name of a row of csrc/base/diag_list.h, or a table with the same fields.
Findings.diagnose = core.diagnose

--- Adds a diagnostic of the kind `row` at a place.
---@param row string|table
---@param place hclexpr.findings.Place
---@param text string
function Findings:report(row, place, text, ...)
  self:add(self.diagnose(row, place.object, place.range, string.format(text, ...), place.context, place.values))
end

--- Returns the number of additions so far: compare two results to see if anything was added between them.
---@return integer
function Findings:count()
  return self.added
end

--- Returns all findings as Diagnostics, or nil if the list is empty.
---@return hclexpr.Diagnostics?
function Findings:diagnostics()
  return core.join_diagnostics(self.lists, self.wide)
end

--- Joins several Diagnostics in the given order, and widens empty ranges to one character. Returns nil if all arguments are nil.
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

--- Returns true if Diagnostics contain an error, not only warnings.
---@param err? hclexpr.Diagnostics
---@return boolean
function Findings.has_errors(err)
  for _, d in ipairs(err or {}) do
    if d.severity == "error" then return true end
  end
  return false
end

--- Returns the detail of the first diagnostic, worded for the middle or end of a sentence: without its capital.
---@param err hclexpr.Diagnostics
---@param goes_on? boolean true: more text follows, so the full stop is removed
---@return string
function Findings.clause(err, goes_on)
  local text = err[1].detail:gsub("^%u", string.lower)
  return (goes_on and text:gsub("%.$", "") or text)
end

return Findings
