-- A Run is what a walk follows besides its module: the state, values of variables, and requests (to destroy, to plan only a part, to
-- replace). Each plan has a Run. So does each run of a test file, which adds functions for everything that it replaces and expects.
local core = require "hclexpr.core"
local impure = require("hclexpr.lazy") "hclexpr.terraform.instance.impure"

---@class hclexpr.Run
---@field module hclexpr.Module
---@field mode "normal"|"destroy"|"refresh-only"
---@field refresh boolean objects are refreshed; a destroy run begins with a plan that reads them
---@field targets? hclexpr.Targets plan only these, and what they need
---@field replaced table<string, true> addresses of instances to replace
---@field state? hclexpr.module.State the existing objects
---@field inputs? table<string, hclexpr.module.Input> values of the root's variables instead of those of the module
---@field applies boolean this is an apply after a plan, where functions such as timestamp() have results
---@field covers boolean evaluations record the results of conditionals
---@field applying hclexpr.Value the value of terraform.applying
---@field keeps_outputs boolean the root's outputs are stored, so they mustn't be ephemeral
---@field configured? table<string, true> keys of provider blocks in the root that are replaced by other configurations
---@field provider_for? fun(request: hclexpr.provider.Request, own: hclexpr.Provider): hclexpr.Provider returns who answers for an instance
---@field outputs_for? fun(config: hclexpr.module.Config, instance: hclexpr.module.Instance, key: integer|string|false):
---table<string, hclexpr.Value>? returns given outputs of a module's instance, if any
---@field row_for? fun(address: string, row: string): string?, hclexpr.Findings? as row_of
---@field unknown_text? fun(said?: string): string returns the message for an assertion whose result is unknown
---@field scopes table<hclexpr.module.Folder, hclexpr.Scope>
local Run = {}
Run.__index = Run

---@param module hclexpr.Module
---@param options? table fields of the Run
---@return hclexpr.Run
function Run.new(module, options)
  local run = setmetatable({ module = module, mode = "normal", refresh = true, replaced = {}, applies = false, covers = false,
                             keeps_outputs = true, scopes = setmetatable({}, { __mode = "k" }) }, Run)
  for name, value in pairs(options or {}) do run[name] = value end
  run.applying = core.mark(run.applies, "ephemeral")
  return run
end

--- Returns the values given to the root's variables, by name.
---@return table<string, hclexpr.module.Input>
function Run:given()
  return self.inputs or self.module.inputs
end

--- Returns the scope of a folder's sources in this run. An apply and a run with coverage need their own scopes.
---@param folder hclexpr.module.Folder
---@return hclexpr.Scope
function Run:scope_of(folder)
  local shared = self.module.evaluation.scope_of(folder)
  if not (self.applies or self.covers) then return shared end
  local scope = self.scopes[folder]
  if not scope then
    self.functions = self.functions or self.applies and impure.while_applying(self.module.options.scope) or nil
    scope = core.scope { parent = shared, functions = self.functions }
    if self.covers then core.cover(scope) end
    self.scopes[folder] = scope
  end
  return scope
end

-- Failures

local when_refreshing = { MODULE_PRECONDITION = "MODULE_PRECONDITION_NOTED", MODULE_POSTCONDITION = "MODULE_POSTCONDITION_NOTED" }

--- Returns true if a failure is only a warning, because the run refreshes objects (a destroy run does that first). Reference: this doesn't
--- apply to the conditions of outputs in the apply that follows.
---@param row string
---@param address string
---@return boolean
function Run:only_warns(row, address)
  if self.mode == "normal" or not when_refreshing[row] then return false end
  return not (self.applies and ("." .. address):find "%.output%.[^.]+$")
end

--- Returns the row by which a failure is reported, or nil if it isn't reported; then the findings that get the report, or nil for those of
--- the walk.
---@param address string
---@param row string
---@return string?
---@return hclexpr.Findings?
function Run:row_of(address, row)
  if self:only_warns(row, address) then return not self.applies and when_refreshing[row] or nil end
  if self.row_for then return self.row_for(address, row) end
  return row
end

return Run
