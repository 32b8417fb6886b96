-- m:explain shows why a value of a module is what it is. It follows named values to their sources: where a tree of expr:explain ends at a
-- name, the tree of the named value follows.
local core = require "hclexpr.core"
local explain = require "hclexpr.explain.tree"
local meanings = require "hclexpr.terraform.instance.meanings"
local references = require "hclexpr.terraform.read.references"
local text = require "hclexpr.explain.text"
local unknown_cause = require "hclexpr.terraform.instance.unknown_cause"

local explaining = {}

local DEEPEST = 10 -- the longest chain of named values that is followed

-- Returns the place of an object or Range in words. Paths of files in the module's folder are relative to it.
local function place_of(walk, object)
  local range = object and (object.range or object)
  if not range then return nil end
  local place, dir = text.place(range), walk.module.dir .. "/"
  return place:sub(1, #dir) == dir and place:sub(#dir + 1) or place
end

-- Returns in words where a root variable's value comes from: what set it, its default, or that it isn't given.
local function of_root_variable(walk, declaration)
  local given, default = walk.run:given()[declaration.name], declaration.arguments.default
  if given and given.place then return place_of(walk, given.place.range) end
  if given and given.source then return (given.source:gsub("^the ", "")) end
  if default then return "default, " .. place_of(walk, default) end
  return "not given, " .. place_of(walk, declaration.block.head_range)
end

-- Returns in words where a name's value comes from, or nil if no place is known. `meaning` is the first of the name's meanings
-- (instance/meanings.lua).
local function origin_of(walk, ref, config, meaning)
  local folder = config.folder
  local variable = ref.kind == "variable" and folder.variables[ref.name]
  if variable and not config.parent then return of_root_variable(walk, variable) end
  local declared = variable or ref.kind == "resource" and references.resource_in(folder, ref.key)
  local place = meaning and meaning.place
  if variable and place and place == variable.arguments.default then return "default, " .. place_of(walk, place) end
  if place then return place_of(walk, place) end
  return declared and place_of(walk, declared.block.head_range) or nil
end

-- Notes on names of missing things, by kind. Only a name whose value is wholly unknown gets one.
local notes = { provider = "not configured", data = "not read", module = "its module isn't here", file = "not declared" }

local LATER = "%(known after apply%)"

local function is_lacking(made)
  return made.value ~= nil and not core.is_marked(made.value) and not made.value:is_wholly_known()
end

-- Returns true if there are causes and all are missing things. If a provider or an apply determines some part, the value is known after
-- apply.
local function is_missing(causes)
  for _, cause in ipairs(causes.list) do
    if cause.kind == "provider" then return false end
  end
  return causes.list[1] ~= nil and not causes.later
end

-- Notes where an unknown value comes from, unless the value is marked. ask(deep) returns the causes of the value, with `deep` also those of
-- its parts. `own` is the cause if the name itself is missing.
local function note_cause(made, ask, own)
  if not is_lacking(made) then return end
  made.missing = is_missing(ask(true))
  local cause = not (made.value:is_known() or text.known_parts(made.value)) and ask(false).list[1]
  if not cause then return end
  made.missing = made.missing or cause.kind ~= "provider"
  if made.note and not made.note:find "^because of " then return end
  made.note = own and notes[own.kind] or not own and "because of " .. cause.name or nil
end

-- Replaces "known after apply" by "unknown" in values whose unknown parts all come from missing things. Returns true if that holds for the
-- given node's value.
local function show_missing(made)
  local missing, others = made.missing, false
  made.missing = nil
  for _, child in ipairs(made.children) do
    local is_part = is_lacking(child) or child.kind == "turn"
    local found = show_missing(child)
    if missing == nil and is_part and found then missing = true end
    others = others or is_part and not found
  end
  if made.kind ~= "traversal" and others then missing = false end
  if missing and is_lacking(made) then
    made.summary = (made.summary or text.of_value(made.value)):gsub(LATER, "unknown")
  end
  return missing or false
end

-- Returns true if the tree of the expression that gives a named value may be shown. If the value is marked but the tree's value isn't, the
-- declaration or a schema hides the value, so the tree stays hidden too.
local function is_shown(made, tree)
  local hidden = made.value and core.is_marked(made.value)
  return not hidden or tree.value and core.is_marked(tree.value)
end

local tree_of

-- Returns the origin of a named value. At the first use of the name, adds the tree of the expression that gives the value to the name's
-- node.
local function follow(walk, ref, home, made, state, depth)
  local config = home.frame.instance.config
  local meaning = meanings.of(walk, ref, home)[1]
  local origin = origin_of(walk, ref, config, meaning)
  local expression = meaning and meaning.place and meaning.home and getmetatable(meaning.object) == core.classes.Expression
    and ref.kind ~= "count" and ref.kind ~= "call" and meaning.object
  if expression then
    local seen = state.seen[meaning.key]
    state.seen[meaning.key] = true
    if seen and not state.plain[meaning.key] then made.note = "see above" end
    if not seen and depth < DEEPEST then
      local tree, err = tree_of(walk, expression, meaning.home, state, depth + 1)
      state.err = state.err or err
      if tree and is_shown(made, tree) and (#tree.children > 0 or tree.kind == "traversal" or tree.error) then
        made.children = { tree }
        -- The name failed for the reason that its children show.
        if tree.failed or made.error then made.value, made.error, made.failed = nil, nil, true end
      else
        state.plain[meaning.key] = true
      end
    end
  end
  note_cause(made, function(deep) return unknown_cause.of_name(walk, ref, home, deep) end, meaning and meaning.cause)
  return origin
end

function tree_of(walk, expression, home, state, depth, scope)
  local refs, frame = {}, home.frame
  for _, ref in ipairs(references.with_places(expression)) do refs[ref.traversal.steps[1].range.start.byte] = ref end
  local tree, err = explain.tree(expression, frame.variables, scope or frame.instance.scope, function(reference, made)
    local ref = refs[reference.range.start.byte]
    if not ref then return nil end
    return follow(walk, ref, home, made, state, depth)
  end, state.strip)
  if tree and tree.kind ~= "traversal" then
    note_cause(tree, function(deep) return unknown_cause.of(walk, expression, home, {}, deep) end)
  end
  return tree, err
end

--- Makes the tree of an expression in which names have their values. The second result is Diagnostics if the expression fails.
---@param walk hclexpr.module.Walk
---@param expression hclexpr.Expression
---@param home hclexpr.module.Home
---@param scope hclexpr.Scope
---@param strip? fun(value: hclexpr.Value): hclexpr.Value
---@return hclexpr.Explanation? tree
---@return hclexpr.Diagnostics? err
function explaining.tree(walk, expression, home, scope, strip)
  local state = { seen = {}, plain = {}, strip = strip }
  local tree, err = tree_of(walk, expression, home, state, 1, scope)
  if tree then
    show_missing(tree)
    explain.forget(tree)
  end
  return tree, state.err or err
end

return explaining
