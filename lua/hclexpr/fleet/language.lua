-- Checks, for nodes and for `hclexpr publish -language`, that a language is fit for rules: only kept expressions may declare the name
-- `request`, and only with the type that it has in nodes.
local core = require "hclexpr.core"
local request_type = require "hclexpr.fleet.request_type"

local DECLARED = 'require "hclexpr.fleet.request_type"'

-- Says what is wrong with an argument at this level or below, or returns nil.
local function fault_of(level, wanted, seen)
  if seen[level] then return nil end
  seen[level] = true
  for _, a in ipairs(level.argument_list) do
    local request = a.types and a.types.request
    if request and tostring(request:type()) ~= wanted then
      return ("%s.types.request: nodes have a type of their own for it. Write request = %s"):format(a.path, DECLARED)
    end
  end
  for _, kind in ipairs(level.kind_list) do
    local fault = fault_of(kind.level, wanted, seen)
    if fault then return fault end
  end
end

return {
  --- Says why a language isn't fit for rules, or returns nil.
  ---@param out hclexpr.languages.Description
  ---@return string?
  fault = function(out)
    if out.names.request or out.heads.request then
      local path = out.names.request and "types" or "blocks"
      return path .. ".request: no request is there when rules are loaded. Declare it in `types` of an argument of type \"expression\": "
        .. "request = " .. DECLARED
    end
    return fault_of(out.level, tostring(core.type(request_type)), {})
  end,
}
