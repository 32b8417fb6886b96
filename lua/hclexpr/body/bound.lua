-- Bound attributes: expressions that a configuration of a language keeps unevaluated, with names of their own. They are used like any
-- Attribute, but a caller may give only names that the language declares for them, so no caller can replace what the file defines.
local check = require "hclexpr.check"
local core = require "hclexpr.core"

---@class hclexpr.bound.Binding
---@field types table<string, hclexpr.Value> the names that a caller may give
---@field names? table<string, any> named values that the Attribute's block adds
---@field home hclexpr.bound.Home

---@class hclexpr.bound.Home shared by all bound Attributes of a configuration
---@field scope hclexpr.Scope
---@field options table the options that made the scope, without a parent
---@field within table<hclexpr.Scope, hclexpr.Scope> by a caller's scope: a scope like `scope`, but with the caller's scope as its parent

local bound = {}

local bindings = setmetatable({}, { __mode = "k" })

--- Binds an Attribute: from now on bound.run applies the binding to it.
---@param attribute hclexpr.Attribute
---@param binding hclexpr.bound.Binding
function bound.bind(attribute, binding)
  bindings[attribute] = binding
end

--- Returns true if an Attribute is bound.
---@param attribute hclexpr.Attribute
---@return boolean
function bound.is(attribute)
  return bindings[attribute] ~= nil
end

--- Returns the named values and the scope to evaluate an Attribute with. For an Attribute that isn't bound, these are the caller's. For a
--- bound one, a name that isn't declared raises an error.
---@param attribute hclexpr.Attribute
---@param method string the name of the public method, for messages
---@param variables? table the caller's named values
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
