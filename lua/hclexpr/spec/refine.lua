-- The kind `refine`: what is known about a value in advance. An unknown value gets these refinements, and a known one must obey them.
local core = require "hclexpr.core"
local decoder = require "hclexpr.spec.decoder"

-- Return the larger or smaller of two numbers; either may be nil.
local function larger(a, b) return (a == nil or (b ~= nil and b > a)) and b or a end
local function smaller(a, b) return (a == nil or (b ~= nil and b < a)) and b or a end

-- Functions that combine two refinements of an unknown value, by name.
local joins = {
  not_null = function(a, b) return a or b end,
  prefix = function(a, b) return a ~= nil and #a > #b and a or b end,
  min = larger,
  max = smaller,
  min_length = larger,
  max_length = smaller,
}

-- Returns true if a refinement applies to values of a kind. For example, a prefix doesn't apply to numbers.
local function fits(name, kind)
  if name == "prefix" then return kind == "string" end
  if name == "min" or name == "max" then return kind == "number" end
  if name == "min_length" or name == "max_length" then return kind == "list" or kind == "set" or kind == "map" end
  return kind ~= "dynamic"
end

local function refined(node, value)
  local known, kind = value:refinements() or {}, core.kind(value)
  for name, join in pairs(joins) do
    if node[name] ~= nil and fits(name, kind) then known[name] = join(known[name], node[name]) end
  end
  return core.unknown(value:type(), known)
end

-- Functions that check a known value against a refinement, by name. Each returns nil, or the end of the sentence "The value …".
local checks = {
  prefix = function(value, prefix)
    if value:text():sub(1, #prefix) ~= prefix then return string.format('must begin with "%s"', prefix) end
  end,
  min = function(value, min)
    if value < min then return "must be at least " .. tostring(min) end
  end,
  max = function(value, max)
    if value > max then return "must be at most " .. tostring(max) end
  end,
  min_length = function(value, n)
    if #value < n then return string.format("must have at least %d elements", n) end
  end,
  max_length = function(value, n)
    if #value > n then return string.format("must have at most %d elements", n) end
  end,
}

local function complaint(node, value)
  if value:is_null() then return node.not_null and "must not be null" or nil end
  local kind = core.kind(value)
  for _, name in ipairs { "prefix", "min", "max", "min_length", "max_length" } do
    local wrong = node[name] ~= nil and fits(name, kind) and checks[name](value, node[name])
    if wrong then return wrong end
  end
end

local function remark(value, marks)
  for _, mark in ipairs(marks) do value = value:mark(mark) end
  return value
end

return {
  arguments = { not_null = "flag", prefix = "text", min = "number", max = "number", min_length = "count", max_length = "count" },
  nested = "one",
  type = function(node) return node.items[1].kind.type(node.items[1]) end,
  decode = function(node, at)
    local value = decoder.decode_sound(node.items[1], at)
    if value == nil then return nil end
    local marks, bare = value:marks(), value:unmark()
    if not bare:is_known() then return remark(refined(node, bare), marks) end
    local wrong = complaint(node, bare)
    if not wrong then return value end
    local place = node.items[1].kind.place(node.items[1], at) or at.missing
    at.run.findings:report("SPEC_REFINE", place, "The value %s.", wrong)
  end,
  place = function(node, at) return node.items[1].kind.place(node.items[1], at) end,
}
