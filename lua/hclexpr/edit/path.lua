-- Paths of hcl.edit: reads text as steps, and finds the places in a body that steps name.
--
-- A path names a block by its type and labels, separated by dots; then blocks inside it in the same way; and finally an attribute. A name
-- that contains a dot, a bracket or a space is written in brackets like a JSON string: resource["a.b"]. A number in brackets, counted from
-- 0, chooses among several blocks with the same names: ingress[1]. Labels before the number may be left out: resource[2] is the third
-- resource. A table of steps works too: { "resource", "a.b", "web", 0 }.
local core = require "hclexpr.core"

---@class hclexpr.edit.Place what a path names: an attribute, a block, or, without both, the body itself
---@field body hclexpr.Body the body that holds the item
---@field owner? hclexpr.Block the block that has `body`; nil for the outermost body
---@field trail integer[] the numbers of the blocks that lead to `body`, from the outside in
---@field attribute? hclexpr.Attribute
---@field block? hclexpr.Block
---@field inner_trail? integer[] the trail of the body inside the item
---@field from? integer the number of the step that names the attribute or the block's type

local path = {}

-- Reading

-- Reads a quoted string; `at` is the position of its opening quote. Returns the string and the position after it; nil if it is broken.
local function read_string(text, at)
  local stop = at
  local quoted
  repeat
    stop = text:find('["\\]', stop + 1)
    if not stop then return nil end
    quoted = text:sub(stop, stop) == '"'
    if not quoted then stop = stop + 1 end
  until quoted
  return core.json_decode(text:sub(at, stop)), stop + 1
end

-- Reads the step that begins at a position of the text. Returns the position after it, and the step; nil if no step begins there.
local function read_step(text, at)
  local number, stop = text:match("^%[(%d+)%]()", at)
  if number then return stop, tonumber(number) end
  if text:sub(at, at + 1) == '["' then
    local name, after = read_string(text, at + 1)
    if name == nil or text:sub(after, after) ~= "]" then return nil end
    return after + 1, name
  end
  if at > 1 then
    if text:sub(at, at) ~= "." then return nil end
    at = at + 1
  end
  local name, after = text:match('^([^%.%[%]"%s]+)()', at)
  return after, name
end

--- Reads the steps of a path, or returns nil and the position, from 1, of the first step that can't be read.
---@param text hclexpr.Path
---@return (string|integer)[]? steps
---@return integer? at
function path.read(text)
  local steps, at = {}, 1
  if type(text) == "table" then
    -- `next` copies the fields without calling metamethods.
    for i, step in next, text do steps[i] = step end
    return steps
  end
  while at <= #text do
    local stop, step = read_step(text, at)
    if stop == nil then return nil, at end
    steps[#steps + 1], at = step, stop
  end
  return steps
end

local function show_step(step, first)
  if type(step) == "number" then return string.format("[%.0f]", step) end -- %.0f, because a step may be larger than Lua's integers
  if step == "" or step:find '[%.%[%]"%s%c]' then return "[" .. core.quote(step) .. "]" end
  return (first and "" or ".") .. step
end

--- Writes steps as a path: all of them, or the first n.
---@param steps (string|integer)[]
---@param n? integer
---@return string
function path.show(steps, n)
  local parts = {}
  for i = 1, n or #steps do parts[i] = show_step(steps[i], i == 1) end
  return table.concat(parts)
end

-- Finding. A search is { steps, found = places, missed, blocks_only }. `missed` describes the failed step that came furthest in the path:
-- { at = its number, names = names that would fit there, inside = true if it goes into an attribute, few or many = the number of matching
-- blocks if that is too small or too large }.

-- Notes that a step found nothing. `name` is a name that would fit instead. Returns a table to which the caller may add more: `missed`, or
-- a table without effect if another step came further.
local function miss(search, at, name)
  if at < search.missed.at then return {} end
  if at > search.missed.at then search.missed = { at = at, names = {} } end
  local missed = search.missed
  missed.names[#missed.names + 1] = name
  return missed
end

-- Finds the blocks of a step's type whose labels match the next steps. Returns groups of their numbers, by the number of the step after the
-- last matching label; and a sorted list of these step numbers.
local function group_blocks(search, body, i)
  local steps, groups, order = search.steps, {}, {}
  for _, item in ipairs(core.body_outline(body)) do
    if item.block == steps[i] then
      local n, labels = 0, item.labels
      while n < #labels and steps[i + n + 1] == labels[n + 1] do n = n + 1 end
      local after = i + n + 1
      if n == #labels or type(steps[after]) == "number" then
        if not groups[after] then
          groups[after] = {}
          order[#order + 1] = after
        end
        table.insert(groups[after], item.number)
      else
        miss(search, after, labels[n + 1])
      end
    end
  end
  table.sort(order)
  return groups, order
end

local find

-- Continues the search inside a block, or notes the block as found. i: the step that names the block's type; after: the step after its
-- names.
local function enter(search, place, i, number, after)
  local block, inner = place.body.blocks[number], {}
  for n, outer in ipairs(place.trail) do inner[n] = outer end
  inner[#inner + 1] = number
  if after <= #search.steps then return find(search, { body = block.body, owner = block, trail = inner }, after) end
  table.insert(search.found, {
    body = place.body, owner = place.owner, trail = place.trail, block = block, inner_trail = inner, from = i,
  })
end

local function find_blocks(search, place, i)
  local steps = search.steps
  local groups, order = group_blocks(search, place.body, i)
  for _, after in ipairs(order) do
    local group, number = groups[after], steps[after]
    if type(number) == "number" then
      if group[number + 1] then enter(search, place, i, group[number + 1], after + 1) else miss(search, after).few = #group end
    elseif #group == 1 then
      enter(search, place, i, group[1], after)
    else
      miss(search, after - 1).many = #group
    end
  end
  return #order > 0
end

function find(search, place, i)
  local name = search.steps[i]
  local attribute = place.body.attributes[name]
  local last = i == #search.steps and not search.blocks_only
  if last and attribute then
    table.insert(search.found, { body = place.body, owner = place.owner, trail = place.trail, attribute = attribute, from = i })
    return
  end
  if find_blocks(search, place, i) then return end
  miss(search, i).inside = attribute ~= nil
  for _, item in ipairs(core.body_outline(place.body)) do miss(search, i, item.block or (last and item.attribute) or nil) end
end

-- Explaining

local function distinct(names)
  local seen, list = {}, {}
  for _, name in ipairs(names) do
    if not seen[name] then list[#list + 1] = name end
    seen[name] = true
  end
  table.sort(list)
  return list
end

local function list_of(names)
  local shown = {}
  for i = 1, math.min(#names, 8) do shown[i] = core.quote(names[i]) end
  return table.concat(shown, ", ") .. (#names > 8 and ", …" or "")
end

local function blocks_are(n)
  return n == 1 and "One block is" or string.format("%d blocks are", n)
end

-- Says that a name is missing, and suggests or lists existing names.
local function explain_name(step, where, names)
  local near = core.suggest(step, names)
  local rest = near and " Did you mean " .. core.quote(near) .. "?" or #names > 0 and " There are: " .. list_of(names) .. "." or ""
  return string.format("%s has no %s.%s", where, core.quote(step), rest)
end

-- Says why a search found nothing. Returns the name of a diagnostic and its text.
local function explain(search)
  local steps, missed = search.steps, search.missed
  local at, names = missed.at, distinct(missed.names)
  local whole, here = path.show(steps, at - 1), path.show(steps, math.min(at, #steps))
  if missed.many then
    return "EDIT_AMBIGUOUS", string.format("%s named %s. Say which by its number: %s[0] for the first, %s[%d] for the last.",
      blocks_are(missed.many), here, here, here, missed.many - 1)
  end
  if missed.few then
    return "EDIT_PATH", string.format("%s named %s, counted from 0, so %s is out of range.", blocks_are(missed.few), whole, here)
  end
  if at > #steps then
    return "EDIT_PATH", string.format("%s isn't the whole name of a block: its next label follows, one of %s.", whole, list_of(names))
  end
  if missed.inside then return "EDIT_PATH", here .. " is an attribute, and a path ends with one. Set it as a whole." end
  if type(steps[at]) == "number" then return "EDIT_PATH", "Write a number only after the name of a block." end
  return "EDIT_PATH", explain_name(steps[at], at > 1 and whole or "The source", names)
end

local function explain_several(search)
  return "EDIT_AMBIGUOUS", string.format("%s can be read in %d ways, since blocks there have different numbers of labels. "
    .. "Say which by its number, after the block's type: %s[0]", path.show(search.steps), #search.found, path.show(search.steps, 1))
end

--- Finds the only place in a body that the steps name; or returns nil, the name of a diagnostic and its text. With `blocks_only`,
--- attributes are ignored.
---@param body hclexpr.Body
---@param steps (string|integer)[]
---@param blocks_only? boolean
---@return hclexpr.edit.Place? place
---@return string? name
---@return string? text
function path.find(body, steps, blocks_only)
  if #steps == 0 then return { body = body, trail = {}, inner_trail = {} } end
  local search = { steps = steps, found = {}, missed = { at = 0, names = {} }, blocks_only = blocks_only }
  find(search, { body = body, trail = {} }, 1)
  if #search.found == 1 then return search.found[1] end
  if #search.found > 1 then return nil, explain_several(search) end
  return nil, explain(search)
end

--- Returns the body that a trail leads to, and the Block of this body; nil if the trail doesn't exist in the body.
---@param body hclexpr.Body
---@param trail integer[]
---@return hclexpr.Body? body
---@return hclexpr.Block? owner
function path.follow(body, trail)
  local owner
  for _, number in ipairs(trail) do
    owner = body.blocks[number]
    if not owner then return nil end
    body = owner.body
  end
  return body, owner
end

return path
