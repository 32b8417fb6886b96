-- Parses a source of JSON syntax as a tree in the form of expr:ast(). Strings and names in it are unchanged, never templates.
local core = require "hclexpr.core"
local check = require "hclexpr.check"

-- The source is parsed as a value after this prefix, which shifts byte offsets and adds a level of nesting.
local PREFIX = '{"v":'

--- Returns the root of the tree, the body of the source, and the difference between their byte offsets; or nil and what is wrong.
---@param source string
---@param options { filename?: string, limits?: hclexpr.Limits }
---@return table? root
---@return hclexpr.Body|hclexpr.Diagnostics body or what is wrong
---@return integer? shift
return function(source, options)
  local limits = options.limits
  local body, err = core.parse(source, { filename = options.filename, limits = limits, syntax = "json" })
  if not body then return nil, err end
  local room = { source = #source + #PREFIX + 1, depth = math.min((limits and limits.depth or 1000) + 1, 10000) }
  local whole = check.certain(core.parse(PREFIX .. source .. "}", { limits = room, syntax = "json-literal" }))
  return whole.attributes.v.expression:ast(), body, #PREFIX
end
