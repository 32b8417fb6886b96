-- Checks the names in bodies after their `dynamic` blocks were expanded. Reference: first the names in `for_each` and `labels` of all such
-- blocks are checked together, then those in the resulting blocks. So names in the content of a block aren't checked if its `for_each` is
-- empty or unknown.
local core = require "hclexpr.core"
local references = require "hclexpr.terraform.read.references"

local body_names = {}

local function is_within(range, attribute)
  if not attribute then return false end
  local outer = attribute.range
  return range.start.byte >= outer.start.byte and range.stop.byte <= outer.stop.byte
end

local function iterator_of(block)
  local attribute = block.body.attributes.iterator
  return attribute and attribute.expression:ast().root or block.labels[1]
end

local part_of

-- Does the work of part_of inside a `dynamic` block.
local function generated_part(block, ref, range, names, is_fed)
  local attributes, own = block.body.attributes, {}
  for name in pairs(names) do own[name] = true end
  own[iterator_of(block)] = true
  local root = ref.traversal.steps[1].text
  if is_within(range, attributes.for_each) then return not names[root] and "head" or nil end
  if is_within(range, attributes.labels) then return not own[root] and "head" or nil end
  is_fed = is_fed or attributes.for_each ~= nil and core.traversals(attributes.for_each.expression)[1] ~= nil
  for _, content in ipairs(block.body.blocks) do
    if is_within(range, content) then return part_of(content.body, ref, range, own, is_fed) end
  end
end

-- Returns the purpose of a reference: "head" (it decides which blocks exist), "content" (it is in the content of a `dynamic` block) or
-- "plain"; nil if it names an iterator. The second result is true if names determine the number of such blocks. `names` has the iterators;
-- `is_fed` is nil outside of `dynamic` blocks.
function part_of(body, ref, range, names, is_fed)
  for _, block in ipairs(body.blocks) do
    if is_within(range, block) then
      if block.type == "dynamic" and block.labels[1] then return generated_part(block, ref, range, names, is_fed or false) end
      return part_of(block.body, ref, range, names, is_fed)
    end
  end
  if names[ref.traversal.steps[1].text] then return nil end
  return is_fed == nil and "plain" or "content", is_fed
end

-- Returns true if a range of the source is in an argument of a block that is known to exist.
local function is_there(body, range)
  for _, attribute in pairs(body.attributes) do
    if is_within(range, attribute) then return true end
  end
  for _, block in ipairs(body.blocks) do
    if not block.unknown and is_there(block.body, range) then return true end
  end
  return false
end

-- Evaluates for_each and labels of `dynamic` blocks, with no name except the iterator (in labels), and calls add(err) for their mistakes.
local function evaluate_heads(body, scope, add)
  for _, block in ipairs(body.blocks) do
    local attributes = block.body.attributes
    if block.type ~= "dynamic" then evaluate_heads(block.body, scope, add)
    elseif attributes.for_each then
      local value, err = attributes.for_each.expression:value(nil, scope)
      local plain = value and value:unmark()
      if not value then add(err)
      elseif attributes.labels and plain:is_known() and not plain:is_null() and #plain > 0 then
        value, err = attributes.labels.expression:value({ [iterator_of(block)] = core.unknown "any" }, scope)
        if not value then add(err) end
      end
    end
  end
end

local function reported(run, body, found)
  if not found then return false end
  references.report(run.walk.findings, body, found.first, run.frame.instance.config)
  if not found.static then references.report(run.walk.findings, body, found.later, run.frame.instance.config) end
  return true
end

--- Reports mistakes in the names of a body in native syntax.
---@param run hclexpr.module.blocks.Run
---@param body hclexpr.Body
---@param expanded hclexpr.Body? the body with its `dynamic` blocks expanded; nil if these are wrong in themselves
---@param add fun(err: hclexpr.Diagnostics)
---@return boolean sound
function body_names.check(run, body, expanded, add)
  local context = run.frame.context
  if not references.check(body, context) then return true end
  local heads, rest, fed = {}, {}, {}
  for _, ref in ipairs(references.with_places(body)) do
    local range = ref.range or ref.fault.range
    local part, is_fed = part_of(body, ref, range, {}, nil)
    if part == "head" then heads[#heads + 1] = ref
    elseif part == "plain" or part and not is_fed and expanded and is_there(expanded, range) then rest[#rest + 1] = ref
    elseif part and expanded and is_there(expanded, range) then fed[#fed + 1] = ref end
  end
  local made_by = references.wrong(heads, context)
  local has_names = not (made_by and made_by.static)
  for _, ref in ipairs(has_names and fed or {}) do rest[#rest + 1] = ref end
  local sound = not reported(run, body, made_by)
  if reported(run, body, references.wrong(rest, context)) then return false end
  if not has_names then evaluate_heads(body, run.walk.scope, add) end
  return sound
end

return body_names
