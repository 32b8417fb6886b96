-- Collects findings about folders. Adds to the general Findings the rows of diagnostics.lua, and the module calls that lead to a mistake.
local core = require "hclexpr.core"
local places = require "hclexpr.places"
local diagnostics = require("hclexpr.lazy") "hclexpr.terraform.language.diagnostics"
local Findings = require "hclexpr.findings"

---@class hclexpr.terraform.Findings: hclexpr.Findings
---@field within? hclexpr.module.Instance|hclexpr.module.Config
---@field resource? string the address of an instance in `within`, if its resource has several
local FolderFindings = setmetatable({}, { __index = Findings })
FolderFindings.__index = FolderFindings

-- The largest number of calls that a report lists.
local MOST_CALLS = 10

-- Returns lines for a report: the address of a resource's instance, if it is given, and the calls that lead to the module; "" if neither
-- exists.
local function calls_to(module, resource)
  local lines = { resource and ("  in %s\n"):format(resource) }
  while module.parent and #lines < MOST_CALLS do
    local call = (module.config or module).call
    lines[#lines + 1] = ("  in %s, called at %s\n"):format(module.address, places.words(call.block.head_range))
    module = module.parent
  end
  return table.concat(lines)
end

--- Makes Findings. With `wide`, a place at the end of a text has the width of one character, as for modules in the reference.
---@param wide? boolean
---@return hclexpr.terraform.Findings
function FolderFindings.new(wide)
  return setmetatable(Findings.new(wide), FolderFindings) --[[@as hclexpr.terraform.Findings]]
end

--- Returns a copy of a row with a reason (doc/api.md), for codes with several causes.
---@param name string
---@param reason? string
---@return table row
function FolderFindings.because(name, reason)
  local row = diagnostics.rows[name]
  return { severity = row.severity, code = row.code, summary = row.summary, reason = reason }
end

--- Makes Diagnostics with one diagnostic, by the name of its row.
---@param name string|table or a row
---@param object? hclexpr.Body|hclexpr.Attribute|hclexpr.Block|hclexpr.Expression
---@param range? hclexpr.Range
---@param text string
---@param context? hclexpr.Range
---@param values? any[]
---@return hclexpr.Diagnostics
function FolderFindings.diagnose(name, object, range, text, context, values)
  return core.diagnose(diagnostics.rows[name] or name, object, range, text, context, values)
end

-- If a cycle is long, its report has this many names from the beginning, and the last one.
local NAMED = 20

--- Makes the diagnostic of a cycle.
---@param names string[] of the cycle's members, each needed by the one before
---@param at? table<integer, string> the places of names, if they are known: " (main.tf:2)"
---@return hclexpr.Diagnostics
function FolderFindings.circle(names, at)
  local parts, left_out = {}, #names - NAMED - 1
  for i, name in ipairs(names) do
    if i <= NAMED or i == #names or left_out < 2 then
      parts[#parts + 1] = name .. (at and at[i] or "")
    elseif i == #names - 1 then
      parts[#parts + 1] = ("… (%d more)"):format(left_out)
    end
  end
  return FolderFindings.diagnose("MODULE_CYCLE", nil, nil, ("These depend on each other: %s → %s. Remove one of the references.")
    :format(table.concat(parts, " → "), names[1]))
end

--- Makes the results of a method from a value and Diagnostics: value, err if these are only warnings; nil, err, value after errors.
---@generic T
---@param value T
---@param err? hclexpr.Diagnostics
---@return T? value
---@return hclexpr.Diagnostics? err
---@return T? partial
function FolderFindings.results(value, err)
  if not err then return value end -- exactly one result, because print shows each
  if FolderFindings.has_errors(err) then return nil, err, value end
  return value, err
end

--- Adds Diagnostics. If the findings are `within` a module, adds to their text the calls that lead to the module.
---@param err hclexpr.Diagnostics
function FolderFindings:add(err)
  local chain = self.within and calls_to(self.within, self.resource)
  Findings.add(self, chain and core.join_diagnostics({ err }, false, chain) or err)
end

return FolderFindings
