-- A frame is the context in which an expression is evaluated: an instance of a module, the names that only this place has (`count`, `each`,
-- `self`), and a Context, which says before evaluation which of these names exist.
local core = require "hclexpr.core"
local certain = require("hclexpr.check").certain

---@class hclexpr.module.Frame
---@field instance hclexpr.module.Instance
---@field context hclexpr.module.Context
---@field variables? table count, each and self, and the names in `bound`
---@field lookup? fun(ref: table): any, integer? gives values of names that are found nowhere else
---@field bound? table<string, true> names of `for` and iterators

local frames = {}

local unknown_number, unknown_string = certain(core.unknown "number"), certain(core.unknown "string")
local unknown_any = certain(core.unknown "any")
frames.unknown = unknown_any
--- The value of a missing part. Its type is unknown, too.
frames.missing = certain(core.unknown("any", { untyped = true }))

-- Contexts are few and shared, so that the results of checks in a context hold for all instances. A folder holds its contexts by their
-- owners. One weak table for all folders would keep them forever in Lua 5.1, because a context refers to its folder. Runs of tests, each
-- with its own view of a module, share the contexts of one graph.

---@param module hclexpr.Module
---@param folder hclexpr.module.Folder
---@param names { count?: boolean, each?: boolean, self?: hclexpr.module.Declaration, source?: hclexpr.module.Declaration }
---@return hclexpr.module.Context
local function context_of(module, folder, names)
  local owner = names.self or names.source or folder
  local cache = folder.cache
  cache.contexts = cache.contexts or {}
  local of_owner = cache.contexts[owner]
  if not of_owner then
    of_owner = {}
    cache.contexts[owner] = of_owner
  end
  local key = (names.count and 1 or 0) + (names.each and 2 or 0) + (names.self and 4 or 0)
  local context = of_owner[key]
  if not context or context.graph ~= module.evaluation.graph then
    context = { graph = module.evaluation.graph, folder = folder, count = names.count, each = names.each, self = names.self,
                source = names.source, schema_of = module.evaluation.schema_of, check_steps = module.evaluation.check_steps,
                known = setmetatable({}, { __mode = "k" }) }
    of_owner[key] = context
  end
  return context
end

--- Forgets what was computed for a folder that has changed. Frames keep their contexts, but the contexts forget their results.
---@param folder hclexpr.module.Folder
function frames.forget(folder)
  local contexts = folder.cache.contexts
  for _, of_owner in pairs(contexts or {}) do
    for _, context in pairs(of_owner) do context.known = setmetatable({}, { __mode = "k" }) end
  end
  folder.cache = { contexts = contexts }
end

--- Returns the frame of an instance that has only the names of its module.
---@param walk hclexpr.module.Walk
---@param instance hclexpr.module.Instance
---@return hclexpr.module.Frame
function frames.plain(walk, instance)
  if not instance.frame then
    instance.frame = { instance = instance, context = context_of(walk.module, instance.config.folder, {}) }
  end
  return instance.frame
end

--- Makes a frame with the names of an instance of a resource or call.
---@param walk hclexpr.module.Walk
---@param instance hclexpr.module.Instance
---@param key integer|string|false
---@param value? hclexpr.Value|string of `each`
---@return hclexpr.module.Frame
function frames.of_key(walk, instance, key, value)
  if key == false then return frames.plain(walk, instance) end
  local counted = type(key) == "number"
  local variables = counted and { count = { index = key } } or { each = { key = key, value = value } }
  return { instance = instance, variables = variables,
           context = context_of(walk.module, instance.config.folder, { count = counted, each = not counted }) }
end

--- Makes a frame with unknown keys: `count`, `each`, or both for the arguments of a call.
---@param walk hclexpr.module.Walk
---@param instance hclexpr.module.Instance
---@param counted boolean
---@param each boolean
---@return hclexpr.module.Frame
function frames.unknown_key(walk, instance, counted, each)
  if not counted and not each then return frames.plain(walk, instance) end
  return { instance = instance, context = context_of(walk.module, instance.config.folder, { count = counted, each = each }),
           variables = { count = counted and { index = unknown_number } or nil,
                         each = each and { key = unknown_string, value = unknown_any } or nil } }
end

--- Returns a copy of a frame with values for `self` and `caller`.
---@param walk hclexpr.module.Walk
---@param frame hclexpr.module.Frame
---@param declaration hclexpr.module.Declaration
---@param value any
---@return hclexpr.module.Frame
function frames.with_self(walk, frame, declaration, value)
  local old = frame.variables or {}
  return { instance = frame.instance, variables = { count = old.count, each = old.each, self = value, caller = value },
           context = context_of(walk.module, frame.context.folder, { count = frame.context.count, each = frame.context.each,
                                                                     self = declaration }) }
end

--- Makes a frame for the assertions of a check. They may refer to the check's data source.
---@param walk hclexpr.module.Walk
---@param instance hclexpr.module.Instance
---@param declaration hclexpr.module.Declaration
---@return hclexpr.module.Frame
function frames.of_check(walk, instance, declaration)
  return { instance = instance, context = context_of(walk.module, instance.config.folder, { source = declaration }) }
end

return frames
