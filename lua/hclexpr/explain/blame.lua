-- Blame: finds the names and calls that make a value, or a part of it, unknown, in the tree of an explanation (tree.lua). Often only one
-- name of many is the reason: the keys of `{ for x in a : x.id => b }` are unknown because of `a[*].id`, never because of `b`.
--
-- A path says which part is meant. Its steps are names, numbers of elements, EACH for any element, and FLAT for any element of lists in
-- lists.
local ast = require "hclexpr.ast"
local core = require "hclexpr.core"
local text = require "hclexpr.explain.text"

local EACH, FLAT = {}, {}
local blame = { EACH = EACH, FLAT = FLAT }

---@alias hclexpr.blame.Path (string|number|table)[]

---@class hclexpr.blame.Leaf a name whose value is unknown at the path, or a call with known arguments whose result is unknown
---@field node hclexpr.Explanation
---@field path hclexpr.blame.Path the path inside the value of the node
---@field deep boolean true: unknown parts inside the value at the path count, too

-- The largest number of parts of a tree, and of elements of a value, to examine.
local MOST, ELEMENTS = 4000, 500

local sequences, records = { list = true, set = true, tuple = true }, { object = true, map = true }

-- Joins several paths to one.
local function joined(...)
  local made = {}
  for i = 1, select("#", ...) do
    for _, step in ipairs((select(i, ...))) do made[#made + 1] = step end
  end
  return made
end

local function rest(path)
  local made = {}
  for i = 2, #path do made[i - 1] = path[i] end
  return made
end

local lacks

local function lacks_any(value, path, deep, from)
  local left = ELEMENTS
  for _, part in value:pairs() do
    local inner = path[from] == FLAT and sequences[core.kind(part)] and from or from + 1
    if lacks(part, path, deep, inner) then return true end
    left = left - 1
    if left == 0 then return false end
  end
  return false
end

-- Returns true unless the path leads to a known part of an unknown value. Of unknown values, only open objects have known parts.
local function lacks_open(value, path, deep, from)
  local known, step = text.known_parts(value), path[from]
  local part = known and type(step) == "string" and records[core.kind(known)] and known:get(step)
  return not part or lacks(part, path, deep, from + 1)
end

-- Returns true if a value is unknown at the end of a path; with `deep`, also if a part inside it is unknown.
function lacks(value, path, deep, from)
  value = value:unmark()
  if not value:is_known() then return lacks_open(value, path, deep, from) end
  local step, kind = path[from], core.kind(value)
  if value:is_null() or not (sequences[kind] or records[kind]) then return false end
  if step == nil then return deep and not value:is_wholly_known() end
  if step == EACH or step == FLAT or kind == "set" then return lacks_any(value, path, deep, from) end
  if sequences[kind] == (type(step) == "string" or nil) then return false end
  local part = value:get(records[kind] and tostring(step) or step)
  return part ~= nil and lacks(part, path, deep, from + 1)
end

local rows = {} -- functions by kind of node, which examine the parts of a node that the path leads to

local function look(job, made, path, deep)
  if not made or made.failed or job.left == 0 then return end
  job.left = job.left - 1
  if made.value then
    if not lacks(made.value, path, deep, 1) then return end
  elseif not made.summary and made.kind ~= "turn" then
    return
  end
  local row = rows[made.kind] or rows.any
  row(job, made, path, deep)
end

local function add(job, made, path, deep)
  for _, leaf in ipairs(job.list) do
    if leaf.node == made and #leaf.path == #path and leaf.deep == deep then return end
  end
  job.list[#job.list + 1] = { node = made, path = path, deep = deep }
end

local function by_node(made)
  local found = {}
  for _, child in ipairs(made.children) do
    if child.node then found[child.node] = child end
  end
  return found
end

-- Examines all parts, at first only those that are unknown as a whole. Returns whether one of them is to blame.
function rows.any(job, made)
  local before = #job.list
  for _, deep in ipairs { false, true } do
    for _, child in ipairs(made.children) do look(job, child, {}, deep) end
    if #job.list > before then return true end
  end
  return false
end

function rows.traversal(job, made, path, deep)
  local bound = job.bound[made.node.root]
  if bound then return look(job, bound.made, joined(bound.path, made.node.steps, path), deep) end
  add(job, made, path, deep)
end

-- Returns the name of an object's item; nil if it is unknown, and may be any name.
local function name_of(item, child)
  local key = ast.past_wrappers(item.inner)
  if key.kind == "traversal" and not item.forced then return key.root end
  if key.kind == "string" then return key.text end
  local value = child and child.value and child.value:unmark()
  if value and value:is_known() and not value:is_null() and core.kind(value) == "string" then return value:text() end
end

function rows.object(job, made, path, deep)
  local found, items, step = by_node(made), made.node.items, path[1]
  for i = 1, #items, 2 do
    local key, value = found[ast.past_wrappers(items[i].inner)], found[ast.past_wrappers(items[i + 1])]
    look(job, key, {}, false)
    local name = name_of(items[i], key)
    if step == nil and deep then look(job, value, {}, true)
    elseif step ~= nil and (type(step) == "table" or name == nil or name == tostring(step)) then look(job, value, rest(path), deep) end
  end
end

-- Examines an element of a sequence for the path that follows the element's step.
local function look_into(job, child, path, deep)
  if not child then return end
  if path[1] == nil then
    if deep then look(job, child, {}, true) end
  elseif path[1] == FLAT and child.value and sequences[core.kind(child.value)] then look(job, child, path, deep)
  else look(job, child, rest(path), deep) end
end

function rows.tuple(job, made, path, deep)
  local found = by_node(made)
  for i, node in ipairs(made.node.nodes) do
    if type(path[1]) ~= "number" or path[1] == i - 1 then look_into(job, found[node], path, deep) end
  end
end

local function look_at_turn(job, turn, node, path, deep)
  local roles = {}
  for _, role in ipairs { "key", "value", "condition" } do
    if node[role] then roles[ast.past_wrappers(node[role])] = role end
  end
  for _, part in ipairs(turn.children) do
    if roles[part.node] == "value" then look_into(job, part, node.grouped and path[1] and rest(path) or path, deep)
    else look(job, part, {}, false) end
  end
end

-- Examines the names in a part of a loop, for iterations that the tree doesn't show.
local function look_at_names(job, part)
  local stack = { part }
  while #stack > 0 do
    local node = table.remove(stack)
    local bound = node.kind == "traversal" and job.bound[node.root]
    if bound then look(job, bound.made, joined(bound.path, node.steps), true)
    elseif node.kind == "traversal" then add(job, node, {}, true) end
    for i = #node.nodes, 1, -1 do stack[#stack + 1] = node.nodes[i] end
  end
end

rows["for"] = function(job, made, path, deep)
  local node, collection, known = made.node, made.children[1], #job.list
  if not collection or collection.node ~= node.nodes[1] then collection = nil end
  look(job, collection, {}, false)
  local before, bound = job.bound, setmetatable({}, { __index = job.bound })
  if node.value_name then bound[node.value_name] = { made = collection, path = { EACH } } end
  if node.key_name then bound[node.key_name] = { made = collection, path = {} } end
  job.bound = bound
  for _, child in ipairs(made.children) do
    if child.kind == "turn" then look_at_turn(job, child, node, path, deep) end
  end
  for _, role in ipairs(job.further and #job.list == known and { "key", "condition", "value" } or {}) do
    local is_wanted = node[role] and (role ~= "value" or path[1] ~= nil or deep)
    if is_wanted then look_at_names(job, ast.past_wrappers(node[role])) end
  end
  job.bound = before
end

function rows.splat(job, made, path, deep)
  local node, source = made.node, made.children[1]
  look(job, source, {}, false)
  if not source or path[1] == nil and not deep then return end
  local each = node.each
  local steps = each.kind == "relative" and each.source.kind == "item" and each.steps or {}
  local several = not source.value or sequences[core.kind(source.value)]
  look(job, source, joined(several and { EACH } or {}, steps, rest(path)), deep or #steps == 0 and each.kind ~= "item")
end

function rows.index(job, made, path, deep)
  local found, node = by_node(made), made.node
  local before, key_node = #job.list, ast.past_wrappers(node.key)
  local key = found[key_node]
  look(job, key, {}, false)
  if #job.list > before then return end
  local value = key and key.value and key.value:unmark()
  local step = value and value:is_known() and not value:is_null() and value:text() or not key and key_node.text or EACH
  if type(step) == "string" and (value and core.kind(value) or key_node.kind) == "number" then step = tonumber(step) end
  look(job, found[ast.past_wrappers(node.collection)], joined({ step }, path), deep)
end

function rows.relative(job, made, path, deep)
  look(job, made.children[1], joined(made.node.steps, path), deep)
end

function rows.conditional(job, made, path, deep)
  local before, found, node = #job.list, by_node(made), made.node
  look(job, found[node.nodes[1]], {}, false)
  if #job.list > before then return end
  local ruled_out
  for i = 2, 3 do
    local branch = found[node.nodes[i]]
    if branch and branch.unchosen then ruled_out = branch.unchosen else look(job, branch, path, deep) end
  end
  -- One result may make known parts of the other uncertain: if its type is unknown, so is the type of the conditional.
  if #job.list == before then look(job, ruled_out, {}, false) end
end

-- Functions whose results contain parts of their arguments. For the path to a part of the result, each row returns the path to it in an
-- argument; nil if that argument doesn't contain it.
local function same(path) return path end
local function element(path, i) return i == 1 and joined({ EACH }, path) or {} end
local passes = {
  flatten = function(path) return path[1] == EACH and joined({ FLAT }, rest(path)) or path end, one = element, element = element,
  lookup = element, zipmap = function(path, i) return i == 1 and { EACH } or path[1] and joined({ EACH }, rest(path)) or nil end,
}
for name in ("merge concat toset tolist tomap distinct reverse sort setunion setsubtract setintersection coalesce coalescelist try "
  .. "sensitive nonsensitive compact slice values"):gmatch "%S+" do
  passes[name] = same
end

function rows.call(job, made, path, deep)
  local before, pass = #job.list, passes[made.node.name:gsub("^core::", "")]
  local found = pass and by_node(made) or {}
  for i, node in ipairs(pass and made.node.nodes or {}) do
    local inner = pass(path, i)
    if inner then look(job, found[node], inner, deep) end
  end
  if #job.list == before and not rows.any(job, made) then add(job, made, {}, false) end
end

--- Returns the names and calls that make a value unknown, in the order of the source. The list is empty if the value is known, or the tree
--- doesn't show the reason.
---@param tree hclexpr.Explanation a tree before tree.forget
---@param path? hclexpr.blame.Path
---@param deep? boolean
---@return hclexpr.blame.Leaf[]
function blame.of(tree, path, deep)
  local job = { list = {}, bound = {}, left = MOST }
  look(job, tree, path or {}, deep or false)
  if job.list[1] then return job.list end
  job.left, job.further = MOST, true -- second attempt: also examine iterations that the tree doesn't show
  look(job, tree, path or {}, deep or false)
  return job.list
end

--- Returns true if a value is unknown at the end of a path; with `deep`, also if a part inside it is unknown.
---@param value hclexpr.Value
---@param path? hclexpr.blame.Path
---@param deep? boolean
---@return boolean
function blame.lacks(value, path, deep)
  return lacks(value, path or {}, deep or false, 1)
end

blame.joined, blame.rest = joined, rest

return blame
