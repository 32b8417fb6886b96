-- Warns of uses of deprecated outputs of modules, and of deprecated attributes and types of resources. Their values carry a mark for this.
-- A report removes the mark, so that a local value made from such a value doesn't warn again.
local copied = require("hclexpr.util").copied
local core = require "hclexpr.core"
local prepared_schemas = require("hclexpr.lazy") "hclexpr.terraform.schema.prepared_schemas"

local deprecation = {}

local MARK = "deprecated"

-- Marking

local function is_there(value)
  local plain = value:unmark()
  return plain:is_known() and not plain:is_null() and plain or nil
end

local function with_marks(value, marks)
  for _, mark in ipairs(marks) do value = value:mark(mark) end
  return value
end

-- Returns a copy of a composite value with each element replaced by change(element, key).
local function rebuild(plain, change)
  local kind = core.kind(plain)
  local listed = kind == "list" or kind == "tuple" or kind == "set"
  local made, n = listed and setmetatable({}, core.array_mt) or {}, 0
  for key, element in plain:pairs() do
    n = n + 1
    made[listed and n or key] = change(element, key)
  end
  return core.value(made, kind ~= "object" and kind ~= "tuple" and plain:type() or nil) or plain
end

local mark_object

local function mark_part(wanted, value)
  if wanted.inner and wanted.inner.deprecated then
    local single = wanted.nesting == "single" or wanted.nesting == "group"
    if single then
      value = mark_object(wanted.inner, value)
    else
      local plain = is_there(value)
      value = plain and with_marks(rebuild(plain, function(element) return mark_object(wanted.inner, element) end), value:marks()) or value
    end
  end
  return wanted.row.deprecated and value:mark(MARK) or value
end

function mark_object(prepared, value)
  local plain = is_there(value)
  if not plain then return value end
  return with_marks(rebuild(plain, function(element, name)
    local wanted = prepared.attributes[name] or prepared.blocks[name]
    return wanted and mark_part(wanted, element) or element
  end), value:marks())
end

--- Returns the value of an output as its caller sees it: marked if the output is deprecated.
---@param declaration hclexpr.module.Declaration
---@param value hclexpr.Value
---@return hclexpr.Value
function deprecation.of_output(declaration, value)
  return declaration.deprecated and value:mark(MARK) or value
end

--- Returns the value of a resource with marks on the parts that its schema calls deprecated.
---@param schema? table
---@param value hclexpr.Value
---@return hclexpr.Value
function deprecation.mark(schema, value)
  if not schema then return value end
  local prepared = prepared_schemas.of(schema)
  if prepared.deprecated then value = mark_object(prepared, value) end
  return schema.deprecated and value:mark(MARK) or value
end

-- Unmarking

-- Removes the mark from a value and everything in it. Calls found(path) for each removed mark.
local function strip(value, path, found)
  local marks = core.marks_within(value)
  if not marks then return value end
  local plain, others = value:unmark(), {}
  for _, mark in ipairs(value:marks()) do
    if mark == MARK then found(path) else others[#others + 1] = mark end
  end
  if is_there(plain) and core.marks_within(plain) then
    plain = rebuild(plain, function(element, key)
      local inner = copied(path)
      inner[#inner + 1] = key
      return strip(element, inner, found)
    end)
  end
  return with_marks(plain, others)
end

local function has_it(value, within)
  for _, mark in ipairs(within and core.marks_within(value) or value:marks()) do
    if mark == MARK then return true end
  end
  return false
end

-- Returns the text of an object's key, or nil if the key isn't constant.
local function key_text(tree)
  if tree.kind == "key" then tree = tree.inner end
  return tree.kind == "string" and tree.text or tree.kind == "traversal" and #tree.steps == 0 and tree.root or nil
end

local function step_into(tree, key)
  if tree.kind == "tuple" then return tree.elements[key + 1] end
  if tree.kind ~= "object" then return nil end
  for i = 1, #tree.items, 2 do
    if key_text(tree.items[i]) == key then return tree.items[i + 1] end
  end
end

-- Returns the place of an element of an expression's value. If the expression doesn't show the element, returns the place of the innermost
-- part around the element.
local function place_at(expression, path)
  local tree = #path > 0 and expression:ast()
  local range = expression:range()
  for _, key in ipairs(path) do
    tree = tree and step_into(tree, key)
    if not tree then break end
    range = tree.range
  end
  return { object = expression, range = range }
end

-- Warns of each deprecated part in the value of an expression, once for each place. Reference: uses outside of modules, such as in
-- assertions of tests, aren't reported.
local function warn(walk, expression, paths)
  local within = walk.findings.within
  if not within or within.config.quiet or walk:has_warned(expression) then return end
  local seen = {}
  for _, path in ipairs(paths) do
    local place = place_at(expression, path)
    local key = place.range.start.byte .. "-" .. place.range.stop.byte
    if not seen[key] then
      seen[key] = true
      walk.findings:report("MODULE_DEPRECATED_VALUE", place, "This comes from a deprecated output, resource or attribute. Its "
        .. "documentation may name a replacement.")
    end
  end
end

--- Reports a value that comes from something deprecated, and removes the marks.
---@param walk hclexpr.module.Walk
---@param expression hclexpr.Expression
---@param value hclexpr.Value
---@param within? boolean look at the elements of the value, too
---@param later? function[] gets the report as a function, which is called if nothing else is wrong
---@return hclexpr.Value value without the marks that were reported
function deprecation.take(walk, expression, value, within, later)
  if not walk.evaluation.deprecations or not has_it(value, within) then return value end
  local paths = {}
  if within then
    value = strip(value, {}, function(path) paths[#paths + 1] = path end)
  else
    local others = {}
    for _, mark in ipairs(value:marks()) do
      if mark ~= MARK then others[#others + 1] = mark end
    end
    value, paths[1] = with_marks(value:unmark(), others), {}
  end
  if later then later[#later + 1] = function() warn(walk, expression, paths) end
  else warn(walk, expression, paths) end
  return value
end

--- Returns a value without the marks of deprecation.
---@param value hclexpr.Value
---@return hclexpr.Value
function deprecation.strip(value)
  return has_it(value, true) and strip(value, {}, function() end) or value
end

return deprecation
