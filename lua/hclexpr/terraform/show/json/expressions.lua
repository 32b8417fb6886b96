-- Writes expressions for the JSON of plans: as constants, or as the names that they refer to.
local ast = require "hclexpr.ast"
local check = require "hclexpr.check"
local certain = check.certain
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local prepared_schemas = lazy "hclexpr.terraform.schema.prepared_schemas"
local reading = require "hclexpr.terraform.read.reading"
local references = require "hclexpr.terraform.read.references"
local value_parts = require "hclexpr.terraform.show.json.value_parts"

local expressions = {}

-- Returns the text of a traversal's steps from `first` to `last`, as written.
local function text_of(steps, first, last)
  local parts = {}
  for i = first, last do
    local step = steps[i]
    local dot = i > first and "." or ""
    if step.kind == "key" then parts[#parts + 1] = "[" .. core.quote(step.text) .. "]"
    elseif step.kind == "number" then parts[#parts + 1] = "[" .. step.text .. "]"
    else parts[#parts + 1] = dot .. step.text end
  end
  return table.concat(parts)
end

-- Returns the texts of what a reference names: an instance with its key and then without it; or an output and then its module.
local function subjects(ref, first)
  local steps = ref.traversal.steps
  local whole = text_of(steps, first, ref.rest - 1)
  if ref.kind == "resource" and ref.instance ~= nil then return { whole, text_of(steps, first, ref.rest - 2) } end
  if ref.kind == "output" then return { whole, text_of(steps, first, ref.rest - 2) } end
  if ref.kind == "call" and ref.instance ~= nil then return { whole, text_of(steps, first, ref.rest - 2) } end
  return { whole }
end

-- Returns the index of the first step to show: `resource.` before a type is left out.
local function first_of(ref)
  return ref.kind == "resource" and ref.mode == "managed" and ref.traversal.steps[1].text == "resource"
    and #ref.traversal.steps > 2 and 2 or 1
end

--- Returns the text of what a reference names, without further steps: a resource, with its key if it has one, or an output of a module.
---@param ref hclexpr.module.Reference
---@return string
function expressions.subject(ref)
  return subjects(ref, first_of(ref))[1]
end

--- Returns the text of a reference with all its steps.
---@param ref hclexpr.module.Reference
---@return string
function expressions.text(ref)
  return text_of(ref.traversal.steps, first_of(ref), #ref.traversal.steps)
end

local function add_names(list, ref)
  local first, steps = first_of(ref), ref.traversal.steps
  for last = #steps, ref.rest, -1 do list[#list + 1] = text_of(steps, first, last) end
  for _, name in ipairs(subjects(ref, first)) do list[#list + 1] = name end
end

--- Lists the names in an expression: each reference, followed by the shorter names that it contains.
---@param expression hclexpr.Expression
---@return string[]
function expressions.names(expression)
  local list = value_parts.list()
  for _, ref in ipairs(references.of(expression)) do
    if ref.kind ~= "none" then add_names(list, ref) end
  end
  return list
end

-- Returns true if a node has a call, or a name that isn't bound by a loop.
local function names_any(node, bound)
  if node.kind == "call" or node.kind == "traversal" and not bound[node.root] then return true end
  local found = false
  ast.each_child(node, function(child) found = found or names_any(child, bound) end)
  return found
end

-- Finds comparisons with names in their operands and adds their ranges. `bound` has the names of loops.
local function add_open_comparisons(ranges, node, bound)
  if node.kind == "binary" and (node.operator == "==" or node.operator == "!=") and names_any(node, bound) then
    ranges[#ranges + 1] = node.range
    return
  elseif node.kind == "for" then
    bound = setmetatable({ [node.key_name or ""] = true, [node.value_name] = true }, { __index = bound })
  end
  ast.each_child(node, function(child) add_open_comparisons(ranges, child, bound) end)
end

-- Replaces comparisons with names in their operands by an unknown name. Reference: such a comparison doesn't have a value, even if the name
-- is irrelevant.
local function without_comparisons(expression)
  local text, first, ranges = expression:source(), expression:range().start.byte, {}
  if not text:find "[=!]=" then return expression end
  add_open_comparisons(ranges, expression:ast(), {})
  table.sort(ranges, function(a, b) return a.start.byte > b.start.byte end)
  for _, range in ipairs(ranges) do
    text = text:sub(1, range.start.byte - first) .. "(unknown)" .. text:sub(range.stop.byte - first + 1)
  end
  return ranges[1] and certain(core.compile(text)) or expression
end

-- Returns the value of an expression if it doesn't depend on names or results of functions; otherwise nil.
local value_without_names

do
  local anything = core.unknown "any"
  local any_function = core.func { variadic = { name = "given", dynamic = true, unknown = true, null = true }, values = true,
                                   impl = function() return anything end }
  local variables, functions, scope = { unknown = anything }, {}, core.scope { stdlib = false }

  function value_without_names(expression)
    if expression:source():find "^[%w_.-]+$" then return nil end
    for _, ref in ipairs(references.of(expression)) do variables[ref.traversal.steps[1].text] = anything end
    for _, call in ipairs(expression:calls()) do
      if not functions[call.name] then functions[call.name], scope = any_function, nil end
    end
    scope = scope or core.scope { stdlib = false, functions = functions }
    local value = check.possible(without_comparisons(expression):value(variables, scope))
    if value and value:is_wholly_known() then return value end
  end
end

--- Describes an expression: as { constant_value }, as { references }, with both if its value doesn't depend on the names, or as {} if it
--- depends only on functions. In JSON syntax its text is always given.
---@param expression hclexpr.Expression
---@return table
function expressions.tree(expression)
  local names = expressions.names(expression)
  if expression:range().filename:sub(-5) == ".json" then
    return { references = names[1] and names or nil, constant_value = reading.json_value(expression) }
  end
  if names[1] then return { references = names, constant_value = value_without_names(expression) } end
  local value = reading.evaluate(expression)
  if value == nil or not value:is_wholly_known() then return {} end
  return { constant_value = value }
end

--- Describes the expression of an argument; returns nil if it is absent or depends only on functions.
---@param attribute? hclexpr.Attribute
---@return table?
function expressions.argument(attribute)
  local made = attribute and expressions.tree(attribute.expression)
  return made and next(made) ~= nil and made or nil
end

-- Bodies

local listed = { list = true, set = true, tuple = true }
local keyed = { object = true, map = true }

local shown

-- Returns an object of a schema without its hidden parts, or null if it was written as something else.
local function shown_object(x, inner)
  if not x:is_null() and not keyed[core.kind(x)] then return core.null end
  if x:is_null() then return x end
  local made = {}
  for name, part in x:pairs() do made[name] = inner.attributes[name] and shown(part, inner.attributes[name]) or part end
  return made
end

-- Returns a constant without the parts that its attribute's schema hides.
function shown(x, wanted)
  if wanted.row.sensitive or wanted.row.guarded or wanted.row.write_only then return core.null end
  local inner, nesting = wanted.inner, wanted.nesting
  if not inner or inner.plain or x:is_null() then return x end
  if nesting == "single" or nesting == "group" then return shown_object(x, inner) end
  local kind = core.kind(x)
  if not (nesting == "map" and keyed or listed)[kind] then return core.null end
  local made = nesting == "map" and {} or value_parts.list()
  for key, element in x:pairs() do made[nesting == "map" and key or #made + 1] = shown_object(element, inner) end
  return made
end

-- Replaces the constant of an attribute by one without hidden parts, unless `reveal` is set.
local function hidden(tree, wanted, reveal)
  if not reveal and wanted and tree.constant_value ~= nil then tree.constant_value = shown(tree.constant_value, wanted) end
  return tree
end

local body_tree

-- Adds a block to those of its type, in the form for the type's nesting.
local function add_block(made, wanted, block, reveal)
  local inner = body_tree({ block.body }, wanted and wanted.inner, reveal)
  local nesting, type = wanted and wanted.nesting or "list", block.type
  if nesting == "single" or nesting == "group" then
    made[type] = inner
  elseif nesting == "map" then
    made[type] = made[type] or {}
    made[type][block.labels[1] or ""] = inner
  else
    made[type] = made[type] or value_parts.list()
    table.insert(made[type], inner)
  end
end

-- Describes an attribute that is written as blocks with these bodies. `inner` is the schema of a block.
local function written_tree(bodies, type, inner)
  local names, list = value_parts.list(), {}
  for i, body in ipairs(bodies) do
    list[i] = {}
    for name, attribute in pairs(core.level(body, inner.override).attributes) do
      for _, text in ipairs(expressions.names(attribute.expression)) do names[#names + 1] = text end
      list[i][name] = reading.evaluate(attribute.expression)
    end
    for _, name in ipairs(inner.names) do
      if list[i][name] == nil then list[i][name] = core.null end
    end
  end
  if names[1] then return { references = names } end
  local value = core.value(list, type)
  return value and value:is_wholly_known() and { constant_value = value_parts.known(value, true) } or {}
end

function body_tree(bodies, prepared, reveal)
  local made, as_blocks = {}, {}
  local written = prepared and prepared_schemas.as_written(prepared, bodies)
  for _, body in ipairs(bodies) do
    local content = prepared and core.level(body, written.override) or core.level(body)
    for name, attribute in pairs(content.attributes) do
      made[name] = hidden(expressions.tree(attribute.expression), prepared and prepared.attributes[name], reveal)
    end
    for _, block in ipairs(content.blocks) do
      local type = block.type
      if prepared and prepared.attributes[type] then
        as_blocks[type] = as_blocks[type] or {}
        table.insert(as_blocks[type], block.body)
      elseif type ~= "dynamic" then
        add_block(made, prepared and prepared.blocks[type], block, reveal)
      end
    end
  end
  for name, inside in pairs(as_blocks) do
    local attribute = prepared.attributes[name]
    made[name] = hidden(written_tree(inside, attribute.type, written.blocks[name].inner), attribute, reveal)
  end
  return made
end

--- Describes the arguments and blocks of bodies; returns nil if they are empty. Later bodies override parts of the first. Blocks generated
--- by `dynamic` blocks are left out.
---@param bodies hclexpr.Body[]
---@param schema? table without it, everything that is written is described
---@param reveal? boolean
---@return table?
function expressions.body(bodies, schema, reveal)
  local made = body_tree(bodies, schema and prepared_schemas.of(schema), reveal)
  return next(made) ~= nil and made or nil
end

--- Describes the arguments with these names; returns nil if the bodies have no such argument.
---@param bodies hclexpr.Body[]
---@param names table<string, any>
---@return table?
function expressions.arguments(bodies, names)
  local made = {}
  for name, tree in pairs(body_tree(bodies)) do
    if names[name] then made[name] = tree end
  end
  return next(made) ~= nil and made or nil
end

--- Returns the names in depends_on, or nil.
---@param d hclexpr.module.Declaration
---@return string[]?
function expressions.depends_on(d)
  local list = value_parts.list()
  for _, traversal in ipairs(d.depends_on or {}) do
    local ref = references.read(traversal)
    if ref then list[#list + 1] = expressions.subject(ref) end
  end
  return list[1] and list or nil
end

return expressions
