-- m:explain: why a value of a module is what it is, through named values to their sources: where a tree of expr:explain ends at a name,
-- the tree of the named value follows.
local core = require "hclexpr.core"
local explain = require "hclexpr.explain.tree"
local frames = require "hclexpr.terraform.instance.frames"
local references = require "hclexpr.terraform.read.references"
local text = require "hclexpr.explain.text"

local explaining = {}

local DEEPEST = 10 -- named values that lead to one another

-- Where an object or Range is; files are named from the module's folder on.
local function place_of(walk, object)
  local range = object and (object.range or object)
  if not range then return nil end
  local place, dir = text.place(range), walk.module.dir .. "/"
  return place:sub(1, #dir) == dir and place:sub(#dir + 1) or place
end

-- What a name means: an expression, and the frame it is evaluated in; and where it comes from, in words.
local sources = {}

-- A variable of the root is given a value, or has its default.
local function of_root_variable(walk, declaration)
  local given, default = walk.module.inputs[declaration.name], declaration.arguments.default
  if given and given.place then return place_of(walk, given.place.range) end
  if given and given.source then return (given.source:gsub("^the ", "")) end
  if default then return "default, " .. place_of(walk, default) end
  return "not given, " .. place_of(walk, declaration.block.head_range)
end

function sources.variable(walk, ref, instance)
  local declaration = instance.config.folder.variables[ref.name]
  if not declaration then return nil end
  if not instance.parent then return of_root_variable(walk, declaration) end
  local given = instance.config.arguments[ref.name]
  if given then return place_of(walk, given), given.expression, instance.call_frame end
  local default = declaration.arguments.default
  return default and "default, " .. place_of(walk, default) or place_of(walk, declaration.block.head_range)
end

sources["local"] = function(walk, ref, instance)
  local declaration = instance.config.folder.locals[ref.name]
  if not declaration then return nil end
  local attribute = declaration.attribute
  return place_of(walk, attribute), attribute.expression, frames.plain(walk, instance)
end

function sources.output(walk, ref, instance)
  local expansion = instance.children[ref.name]
  local child = expansion and expansion.instances[ref.instance or false]
  local declaration = child and child.config.folder.outputs[ref.output]
  if not declaration then return nil end
  local value = declaration.arguments.value
  return place_of(walk, value), value.expression, frames.plain(walk, child)
end

-- Is an argument or a block of this name written in a resource?
local function is_written(declaration, name)
  for _, body in ipairs(declaration.bodies) do
    if core.level(body).attributes[name] then return true end
    for _, block in ipairs(core.needs_schema(body) and {} or body.blocks) do
      if (block.type == "dynamic" and block.labels[1] or block.type) == name then return true end
    end
  end
  return false
end

-- An attribute that isn't known and that nobody wrote is the provider's to say.
local function note_unwritten(declaration, ref, made)
  local value, steps = made.value, ref.traversal.steps
  local step = steps[ref.rest]
  if step and step.kind ~= "attr" then step = steps[ref.rest + 1] end
  if declaration.mode ~= "managed" or made.note or not step or step.kind ~= "attr" then return end
  if value and #value:marks() == 0 and not value:is_known() and not is_written(declaration, step.text) then made.note = "not configured" end
end

function sources.resource(walk, ref, instance, made)
  local declaration = references.resource_in(instance.config.folder, ref.key)
  if declaration then note_unwritten(declaration, ref, made) end
  return place_of(walk, declaration and declaration.block.head_range)
end

local tree_of

-- Adds where a named value comes from to its node, and what it is made of, once.
local function follow(walk, ref, frame, made, state, depth)
  local find = ref.name ~= "" and sources[ref.kind]
  if not find then return nil end
  local origin, expression, inner = find(walk, ref, frame.instance, made)
  if not expression then return origin end
  local key = frame.instance.address .. " " .. ref.kind .. " " .. (ref.key or ref.name) .. " " .. (ref.output or "") .. " "
    .. tostring(ref.instance)
  if state.seen[key] then
    if not state.plain[key] then made.note = "see above" end
    return origin
  end
  state.seen[key] = true
  if depth >= DEEPEST then return origin end
  local tree, err = tree_of(walk, expression, inner, state, depth + 1)
  state.err = state.err or err
  if tree and (#tree.children > 0 or tree.kind == "traversal" or tree.error) then
    made.children = { tree }
    -- The name has no value because of what its children show.
    if tree.failed or made.error then made.value, made.error, made.failed = nil, nil, true end
  else
    state.plain[key] = true
  end
  return origin
end

function tree_of(walk, expression, frame, state, depth, scope)
  local refs = {}
  for _, ref in ipairs(references.with_places(expression)) do refs[ref.traversal.steps[1].range.start.byte] = ref end
  return explain.tree(expression, frame.variables, scope or frame.instance.scope, function(reference, made)
    local ref = refs[reference.range.start.byte]
    if not ref then return nil end
    return follow(walk, ref, frame, made, state, depth)
  end, state.strip)
end

--- The tree of an expression in a frame whose names have their values, with Diagnostics where it fails.
---@param walk hclexpr.module.Walk
---@param expression hclexpr.Expression
---@param frame hclexpr.module.Frame
---@param scope hclexpr.Scope
---@param strip? fun(value: hclexpr.Value): hclexpr.Value
---@return hclexpr.Explanation? tree
---@return hclexpr.Diagnostics? err
function explaining.tree(walk, expression, frame, scope, strip)
  local state = { seen = {}, plain = {}, strip = strip }
  local tree, err = tree_of(walk, expression, frame, state, 1, scope)
  if tree then explain.forget(tree) end
  return tree, state.err or err
end

return explaining
