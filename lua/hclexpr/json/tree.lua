-- The tree of a source of JSON syntax, as from expr:ast(), with strings and names as written: no templates.
local core = require "hclexpr.core"
local check = require "hclexpr.check"

-- The source is read as a value in another one, which adds to places and depth.
local PREFIX = '{"v":'

--- The root, the body of the source, and the distance of the tree's places from the body's; or nil and what is wrong.
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
