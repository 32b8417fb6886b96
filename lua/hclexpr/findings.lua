-- Findings: diagnostics collected from many calls, joined to one Diagnostics at the end.
local core = require "hclexpr.core"
local places = require "hclexpr.places"

---@class hclexpr.Findings
---@field within? hclexpr.module.Instance|hclexpr.module.Config
---@field resource? string the address of an instance in there, of several
local Findings = {}
Findings.__index = Findings

-- So many lists are put together in one from time to time: of a body with a million errors the core keeps a hundred and a count.
local JOIN_AT = 200

--- wide: in the end each place has a character, as the reference shows places of modules.
---@param wide? boolean
---@return hclexpr.Findings
function Findings.new(wide)
  return setmetatable({ lists = {}, added = 0, wide = wide }, Findings)
end

--- Takes Diagnostics in. If they are `within` a module, the calls that lead there are added.
---@param err hclexpr.Diagnostics
function Findings:add(err)
  local lists, chain = self.lists, self.within and places.of_calls(self.within, self.resource)
  if chain then err = core.join_diagnostics({ err }, false, chain) end
  self.added = self.added + 1
  lists[#lists + 1] = err
  if #lists >= JOIN_AT then self.lists = { core.join_diagnostics(lists) } end
end

--- Takes in what another list has.
---@param findings hclexpr.Findings
function Findings:add_all(findings)
  local all = findings:diagnostics()
  if all then self:add(all) end
end

--- Reports a row of csrc/base/diag_list.h by its name, at a place.
---@param name string
---@param place hclexpr.Place
---@param text string
function Findings:report(name, place, text, ...)
  self:add(core.diagnose(name, place.object, place.range, string.format(text, ...), place.context, place.values))
end

--- How often something was added: compare two calls to see if anything was added between them.
---@return integer
function Findings:count()
  return self.added
end

--- All as Diagnostics; nil if there are none.
---@return hclexpr.Diagnostics?
function Findings:diagnostics()
  return core.join_diagnostics(self.lists, self.wide)
end

--- Several Diagnostics as one, in this order, wide as of new; nil: there are none.
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

return Findings
