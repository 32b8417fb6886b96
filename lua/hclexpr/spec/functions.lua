-- The functions that expressions of a specification itself may call.
local clause = require("hclexpr.findings").clause
local core = require "hclexpr.core"
local certain = require("hclexpr.check").certain

local functions = {}

-- Built-in functions that have the same meaning in specifications.
local builtins = { "abs", "concat", "jsondecode", "jsonencode", "lower", "max", "min", "substr", "upper" }

-- Makes a function of one argument, `v`, whose result an expression computes.
local function by_expression(type, returns, source)
  local expression = assert(core.compile(source))
  return core.func {
    params = { { name = "value", type = type } },
    returns = returns,
    values = true,
    impl = function(v)
      local result, err = expression:value { v = v }
      if result == nil then return nil, err[1].detail end
      return result
    end,
  }
end

local collections = { list = true, set = true, map = true, object = true, tuple = true }

local length = core.func {
  params = { { name = "collection", type = "any" } },
  returns = "number",
  values = true,
  impl = function(v)
    local kind = core.kind(v)
    if collections[kind] then return #v end
    return nil, string.format("a collection belongs here, but this is a %s; strlen counts the characters of a string", kind), 1
  end,
}

local any_list = certain(core.type "list(any)")

-- Returns the first argument that isn't null, converted to the type that all arguments have in common.
local coalesce = core.func {
  variadic = { name = "values", type = "any", null = true, unknown = true, dynamic = true },
  values = true,
  impl = function(...)
    if select("#", ...) == 0 then return nil, "at least one argument is needed" end
    local typed = setmetatable({}, core.array_mt)
    for _, v in ipairs { ... } do
      if core.kind(v) ~= "dynamic" or not v:is_known() then typed[#typed + 1] = v end -- a null without a type is left out
    end
    local list, err = any_list:convert(certain(core.value(typed)))
    if list == nil then return nil, "the arguments have no common type: " .. clause(err) end
    for _, v in list:pairs() do
      if not v:is_known() or not v:is_null() then return v end
    end
    return nil, "all arguments are null"
  end,
}

-- Returns true if v[key] exists.
local function has_index(v, key)
  local kind, key_kind = core.kind(v), core.kind(key)
  if kind == "list" or kind == "tuple" then
    local n = key_kind == "number" and key:lua()
    return type(n) == "number" and n % 1 == 0 and n >= 0 and n < #v
  end
  return key_kind == "string" and v:get(key:text()) ~= nil
end

local indexed = { list = true, map = true, object = true, tuple = true }

local hasindex = core.func {
  params = { { name = "collection", type = "any" }, { name = "key", type = "any" } },
  returns = "bool",
  values = true,
  impl = function(v, key)
    local kind = core.kind(v)
    if not indexed[kind] then return nil, string.format("only lists, tuples, maps and objects have indexes, but this is a %s", kind), 1 end
    return has_index(v, key)
  end,
}

local own = {
  coalesce = coalesce,
  hasindex = hasindex,
  int = by_expression("number", "number", "v < 0 ? ceil(v) : floor(v)"),
  length = length,
  reverse = by_expression("string", "string", "strrev(v)"),
  strlen = by_expression("string", "number", "length(v)"),
}

--- Makes a scope for a specification's own expressions; `limits` are as for hcl.scope.
---@param limits? hclexpr.Limits
---@return hclexpr.Scope
function functions.new_scope(limits)
  return core.scope { stdlib = builtins, functions = own, limits = limits }
end

functions.scope = functions.new_scope()

return functions
