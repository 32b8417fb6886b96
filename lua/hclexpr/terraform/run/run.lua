-- Runs: what a walk follows beside its module: the state, values of variables, and requests (a plan that destroys, a part of the plan,
-- replacements). Each plan has a Run, and so has each run of a test file, which adds functions for what it replaces and expects.
local core = require "hclexpr.core"
local impure = require("hclexpr.lazy") "hclexpr.terraform.instance.impure"

---@class hclexpr.Run
---@field module hclexpr.Module
---@field mode "normal"|"destroy"|"refresh-only"
---@field refresh boolean objects are refreshed: a destruction begins with a plan that reads them
---@field targets? hclexpr.Targets only the targets, and what they need
---@field replaced table<string, true> addresses of instances to replace
---@field state? hclexpr.module.State the existing objects
---@field inputs? table<string, hclexpr.module.Input> values of the root's variables; nil: those of the module
---@field applies boolean this is an apply after a plan: functions such as timestamp() have results
---@field covers boolean evaluations note which way conditionals go
---@field applying hclexpr.Value the value of terraform.applying
---@field keeps_outputs boolean the root's outputs are kept, so none may be ephemeral
---@field configured? table<string, true> keys of the root's provider blocks that another configuration replaces
---@field provider_for? fun(request: hclexpr.provider.Request, own: hclexpr.Provider): hclexpr.Provider answers for an instance
---@field outputs_for? fun(config: hclexpr.module.Config, instance: hclexpr.module.Instance, key: integer|string|false):
---table<string, hclexpr.Value>? outputs given for a module's instance, instead of its own
---@field row_for? fun(address: string, row: string): string?, hclexpr.Findings? as row_of
---@field unknown_text? fun(said?: string): string the text for an assertion that isn't known
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

--- The values given to the root's variables, by name.
---@return table<string, hclexpr.module.Input>
function Run:given()
  return self.inputs or self.module.inputs
end

--- The scope of a folder's sources in this run: an apply and coverage need their own.
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

--- Is a failure only a warning, because the run refreshes (a destroy does that first)? Reference: except outputs' checks in the apply that
--- follows.
---@param row string
---@param address string
---@return boolean
function Run:only_warns(row, address)
  if self.mode == "normal" or not when_refreshing[row] then return false end
  return not (self.applies and ("." .. address):find "%.output%.[^.]+$")
end

--- The row by which a failure is reported; nil: it isn't reported. Second: the findings that get the report; nil: those of the walk.
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
