-- Attributes with names of their own: the expressions that a configuration of a language keeps. They are evaluated like any Attribute, but
-- a caller can only give the names that the language declares for them, so that no caller replaces what the file defines.
local check = require "hclexpr.check"
local core = require "hclexpr.core"

---@class hclexpr.bound.Binding
---@field types table<string, hclexpr.Value> the names that may be given
---@field names? table<string, any> what the Attribute's block adds
---@field home hclexpr.bound.Home

---@class hclexpr.bound.Home what the bound Attributes of a configuration have in common
---@field scope hclexpr.Scope
---@field options table the scope's, without a parent
---@field within table<hclexpr.Scope, hclexpr.Scope> the same within scopes of callers

local bound = {}

local bindings = setmetatable({}, { __mode = "k" })

--- Binds an Attribute.
---@param attribute hclexpr.Attribute
---@param binding hclexpr.bound.Binding
function bound.bind(attribute, binding)
  bindings[attribute] = binding
end

--- Is an Attribute bound?
---@param attribute hclexpr.Attribute
---@return boolean
function bound.is(attribute)
  return bindings[attribute] ~= nil
end

--- Returns the named values and the scope with which an Attribute is evaluated.
---@param attribute hclexpr.Attribute
---@param method string its name, for messages
---@param variables? table of the caller
---@param scope? hclexpr.Scope
---@return table? variables
---@return hclexpr.Scope? scope
function bound.run(attribute, method, variables, scope)
  local binding = bindings[attribute]
  if not binding then return variables, scope end
  for name in next, variables or {} do
    if binding.types[name] == nil then check.bad(1, method, "no name '%s' is declared for this expression", tostring(name)) end
  end
  local home = binding.home
  if scope == nil then
    scope = home.scope
  else
    local within = home.within[scope]
    if not within then
      home.options.parent = scope
      within = core.scope(home.options)
      home.options.parent, home.within[scope] = nil, within
    end
    scope = within
  end
  if not binding.names then return variables, scope end
  local all = {}
  for name, value in next, binding.names do all[name] = value end
  for name, value in next, variables or {} do all[name] = value end
  return all, scope
end

return bound
