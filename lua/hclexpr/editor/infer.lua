-- Inference: finds the shape of an expression from its syntax tree and the names around it. It evaluates nothing, so it also works for
-- broken text, and for values that only a provider knows.
local own_functions = require "hclexpr.editor.own_functions"
local hcl = require "hclexpr"
local shape = require "hclexpr.editor.shape"

local infer = {}

---@class hclexpr.service.Env the environment of an expression: the names that it may use
---@field document hclexpr.service.Document
---@field folder hclexpr.service.Folder
---@field blocks hclexpr.Block[] the blocks around it, the outermost first
---@field attribute? hclexpr.Attribute the attribute that has the expression
---@field names table<string, fun(): hclexpr.service.Shape> names that `for` and iterators define
---@field root fun(env: hclexpr.service.Env, name: string): hclexpr.service.Shape? looks up other root names (names.lua)
---@field item? fun(): hclexpr.service.Shape inside a splat: the current element

-- Names refer to expressions that contain names; in a broken configuration a name may refer to itself. So inference follows a chain of
-- names to at most the depth DEEPEST, and visits at most MOST nodes for a question.
local DEEPEST, MOST = 60, 50000
local depth, visited = 0, 0
local question, cut = 0, false -- cut: a shape of this question may lack parts, because of these limits or a name that refers to itself

--- Begins a question, and resets the counters, because an error may have ended the previous question anywhere.
function infer.begin() depth, visited, question, cut = 0, 0, question + 1, false end

--- Continues the same question with another expression. Keeps the cached shapes of declarations only if they are complete.
function infer.continue()
  if cut then infer.begin() else depth, visited = 0, 0 end
end

--- Returns the shape of a declaration, which is computed once per question. While it is being computed, it counts as `any`, because the
--- declaration may refer to itself.
---@param folder hclexpr.service.Folder the folder that caches the shape
---@param declaration hclexpr.service.Declaration
---@param make fun(): hclexpr.service.Shape
---@return hclexpr.service.Shape
function infer.once(folder, declaration, make)
  local known = folder.shapes
  if not known or known.question ~= question then
    known = { question = question }
    folder.shapes = known
  end
  local found = known[declaration]
  if found then return found end
  if found == false then
    cut = true
    return shape.any
  end
  known[declaration] = false
  found = make()
  known[declaration] = found
  return found
end

local function within(env, more)
  local made = {}
  for key, value in pairs(env) do made[key] = value end
  for key, value in pairs(more) do made[key] = value end
  return made
end

infer.within = within

--- Makes an origin from byte offsets.
---@param document hclexpr.service.Document
---@param start integer
---@param stop integer
---@param name_start? integer
---@param name_stop? integer
---@return hclexpr.service.Origin
function infer.origin(document, start, stop, name_start, name_stop)
  return { document = document, path = document.path, start = start, stop = stop, name_start = name_start or start,
           name_stop = name_stop or stop }
end

--- Returns the environment with the names of a `for` added.
---@param env hclexpr.service.Env
---@param node table
---@return hclexpr.service.Env
function infer.loop(env, node)
  local names, value, key = {}, nil, nil
  for name, make in pairs(env.names) do names[name] = make end
  local function element()
    if not value then value, key = infer.of(env, node.collection):each() end
    return value, key
  end
  local function named(range, which)
    local origin = range and infer.origin(env.document, range.start.byte, range.stop.byte)
    return function()
      local made = select(which, element())
      return made:with { origin = origin, info = { loop = true, element = made.origin } }
    end
  end
  if node.value_name then names[node.value_name] = named(node.value_range, 1) end
  if node.key_name then names[node.key_name] = named(node.key_range, 2) end
  return within(env, { names = names })
end

-- Steps

local function constant_key(node)
  if node.kind == "number" then return tonumber(node.text) end
  if node.kind == "string" then return node.text end
  if node.kind == "parens" then return constant_key(node.inner) end
end

--- Returns the shape after one step; nil if it isn't known. A step that isn't constant leads to any element.
---@param of hclexpr.service.Shape
---@param step string|integer|any
---@return hclexpr.service.Shape?
function infer.step(of, step)
  if type(step) == "string" or type(step) == "number" then
    if of.kind == "set" then return nil end
    if type(step) == "string" and of.kind == "list" and tonumber(step) then step = tonumber(step) end
    return of:get(step)
  end
  return (of:each())
end

local function follow(of, steps)
  for _, step in ipairs(steps) do
    of = of and infer.step(of, step)
  end
  return of
end

--- Returns the shape of a root name; nil if it isn't known.
---@param env hclexpr.service.Env
---@param name string
---@return hclexpr.service.Shape?
function infer.root(env, name)
  local known = env.names[name]
  if known then return known() end
  return env.root(env, name)
end

-- Calls: functions whose results have shapes that depend on the arguments.

local function argument(env, node, i)
  local at = node.args and node.args[i]
  return at and infer.of(env, at) or shape.any
end

local function list_of(kind)
  return function(env, node)
    local of = argument(env, node, 1)
    return shape.collection(kind, function() return (of:each()) end)
  end
end

local function same_as(i)
  return function(env, node) return argument(env, node, i) end
end

local function element_of(env, node) return (argument(env, node, 1):each()) end

local function merged(env, node)
  local made = shape.new("object", { attributes = {}, order = {} })
  for i = 1, #(node.args or {}) do
    local of = argument(env, node, i)
    for _, name in ipairs(of:names()) do
      if not made.attributes[name] then made.order[#made.order + 1] = name end
      made.attributes[name] = function() return of:get(name) end
    end
    if of.kind == "map" then made.kind, made.element = "map", of.element end
  end
  return made
end

local function flat(env, node)
  local of = argument(env, node, 1)
  return shape.collection("list", function()
    local element = of:each()
    for _ = 1, DEEPEST do -- limited, because a list in a broken configuration may contain itself
      if element.kind ~= "list" and element.kind ~= "set" and element.kind ~= "tuple" then break end
      element = element:each()
    end
    return element
  end)
end

local function first_known(env, node)
  for i = 1, #(node.args or {}) do
    local of = argument(env, node, i)
    if of.kind ~= "any" and of.kind ~= "null" then return of end
  end
  return shape.any
end

local function keys(_, _) return shape.collection("list", shape.new "string") end

local function looked_up(env, node)
  local of, key = argument(env, node, 1), node.args and node.args[2] and constant_key(node.args[2])
  return key and of:get(key) or (of:each())
end

local calls = {
  values = list_of "list", tolist = list_of "list", sort = list_of "list", reverse = list_of "list", distinct = list_of "list",
  compact = list_of "list", slice = list_of "list", concat = list_of "list", toset = list_of "set",
  setunion = list_of "set", setintersection = list_of "set", setsubtract = list_of "set", matchkeys = list_of "list",
  tomap = same_as(1), sensitive = same_as(1), nonsensitive = same_as(1), ephemeralasnull = same_as(1),
  try = first_known, coalesce = first_known, coalescelist = first_known, element = element_of, one = element_of,
  lookup = looked_up, merge = merged, flatten = flat, keys = keys,
  zipmap = function(env, node)
    local of = argument(env, node, 2)
    return shape.collection("map", function() return (of:each()) end)
  end,
}

local function call(env, node)
  local name = (node.name or ""):gsub("^core::", "")
  if calls[name] then return calls[name](env, node) end
  local row = infer.function_row(env, name)
  if row and row.json then return shape.of_json(row.json) end
  local constraint = row and row.returns and hcl.type(row.returns)
  return constraint and shape.of_type(constraint) or shape.any
end

--- Returns the description of a function of the language, a provider, the file itself or the program that reads the file; or nil.
---@param env { folder: hclexpr.service.Folder, document: hclexpr.service.Document }
---@param name string
---@return table?
function infer.function_row(env, name)
  local provider, called = name:match "^provider::([^:]+)::(.+)$"
  local own = own_functions.may_call(env.folder) and own_functions.all(env.folder.workspace, env.document)[name]
  if own ~= nil and own ~= false then return own end
  if not provider then
    local called_by, has = name:gsub("^core::", ""), env.folder.vocabulary and env.folder.vocabulary.has
    return (not has or has(called_by)) and hcl.functions(called_by) or nil
  end
  local known = env.folder:provider(provider)
  local row = known and known.functions and known.functions[called]
  if not row then return nil end
  local params = {}
  for i, given in ipairs(row.parameters or {}) do
    params[i] = { name = given.name or "value", type = shape.of_json(given.type):describe(), description = given.description }
  end
  local rest = row.variadic_parameter
  return { name = name, params = params, json = row.return_type, returns = shape.of_json(row.return_type):describe(),
           variadic = rest and { name = rest.name or "more", type = shape.of_json(rest.type):describe() } or nil,
           summary = row.summary or "", description = row.description or "" }
end

-- Expressions

local number, text, bool = shape.new "number", shape.new "string", shape.new "bool"
local numeric = { ["+"] = true, ["-"] = true, ["*"] = true, ["/"] = true, ["%"] = true }

local kinds = {
  number = function() return number end, bool = function() return bool end, string = function() return text end,
  template = function() return text end, join = function() return text end, null = function() return shape.new "null" end,
  call = call,
}

function kinds.wrap(env, node) return infer.of(env, node.inner) end
kinds.parens = kinds.wrap

function kinds.traversal(env, node)
  return follow(infer.root(env, node.root), node.steps)
end

function kinds.relative(env, node)
  return follow(infer.of(env, node.source), node.steps)
end

function kinds.item(env) return env.item and env.item() end

function kinds.index(env, node)
  local of = infer.of(env, node.collection)
  return infer.step(of, constant_key(node.key) or false)
end

function kinds.splat(env, node)
  local source = infer.of(env, node.source)
  local plural = source.kind == "list" or source.kind == "set" or source.kind == "tuple" or source.kind == "any"
  local function item()
    if plural then return (source:each()) end
    return source
  end
  return shape.collection("list", function() return infer.of(within(env, { item = item }), node.each) end)
end

function kinds.conditional(env, node)
  local yes = infer.of(env, node.yes)
  if yes.kind ~= "any" and yes.kind ~= "null" then return yes end
  return infer.of(env, node.no)
end

function kinds.binary(_, node) return numeric[node.operator] and number or bool end

function kinds.unary(_, node) return node.operator == "-" and number or bool end

function kinds.tuple(env, node)
  local made = shape.new("tuple", { items = {} })
  for i, element in ipairs(node.elements or {}) do
    local range = element.range
    made.items[i - 1] = function()
      local of = infer.of(env, element)
      return of:with { origin = of.info.declaration and of.origin or infer.origin(env.document, range.start.byte, range.stop.byte) }
    end
  end
  return made
end

--- Returns the constant name of an object's key; nil if the key is computed.
---@param node table a node of kind "key"
---@return string?
function infer.key_name(node)
  local inner = node.inner
  if not inner then return nil end
  if inner.kind == "string" then return inner.text end
  if inner.kind == "number" then return inner.text end
  if inner.kind == "traversal" and not node.forced and #inner.steps == 0 then return inner.root end
end

function kinds.object(env, node)
  local made = shape.new("object", { attributes = {}, order = {} })
  local items = node.items or {}
  for i = 1, #items - 1, 2 do
    local key, value = items[i], items[i + 1]
    local name = infer.key_name(key)
    if name and not made.attributes[name] then
      made.order[#made.order + 1] = name
      made.attributes[name] = function()
        local start, stop = key.range.start.byte, key.range.stop.byte
        local quoted = key.inner.kind == "string" and 1 or 0
        return infer.of(env, value):with { origin = infer.origin(env.document, start, value.range.stop.byte, start + quoted,
          stop - quoted) }
      end
    end
  end
  return made
end

kinds["for"] = function(env, node)
  local inner = infer.loop(env, node)
  local function value() return infer.of(inner, node.value) end
  if not node.key then return shape.collection("list", value) end
  if node.grouped then return shape.collection("map", shape.collection("list", value)) end
  return shape.collection("map", value)
end

--- Returns the shape of an expression.
---@param env hclexpr.service.Env
---@param node? table a node of expr:ast()
---@return hclexpr.service.Shape
function infer.of(env, node)
  local kind = node and kinds[node.kind]
  visited = visited + 1
  if not kind then return shape.any end
  if depth >= DEEPEST or visited > MOST then
    cut = true
    return shape.any
  end
  depth = depth + 1
  local of = kind(env, node)
  depth = depth - 1
  return of or shape.any
end

-- Type constraints

local type_words = { string = "string", number = "number", bool = "bool", any = "any" }
local of_type

local function object_type(env, node)
  local made, items = shape.new("object", { attributes = {}, order = {} }), node.items or {}
  for i = 1, #items - 1, 2 do
    local key, value = items[i], items[i + 1]
    local name = infer.key_name(key)
    if name then
      made.order[#made.order + 1] = name
      made.attributes[name] = function()
        local start = key.range.start.byte
        local of = of_type(env, value)
        return of:with { origin = infer.origin(env.document, start, value.range.stop.byte, start, key.range.stop.byte) }
      end
    end
  end
  return made
end

local type_calls = {}

function type_calls.object(env, node)
  local inner = node.args and node.args[1]
  return inner and inner.kind == "object" and object_type(env, inner) or shape.new "object"
end

function type_calls.tuple(env, node)
  local made, inner = shape.new("tuple", { items = {} }), node.args and node.args[1]
  for i, element in ipairs(inner and inner.elements or {}) do
    made.items[i - 1] = function()
      return of_type(env, element):with { origin = infer.origin(env.document, element.range.start.byte, element.range.stop.byte) }
    end
  end
  return made
end

function type_calls.optional(env, node)
  local inner = of_type(env, node.args and node.args[1])
  return inner:with { info = { optional = true } }
end

for _, kind in ipairs { "list", "set", "map" } do
  type_calls[kind] = function(env, node)
    local inner = node.args and node.args[1]
    return shape.collection(kind, function() return inner and of_type(env, inner) or shape.any end)
  end
end

--- Returns the shape that a type constraint describes.
---@param env hclexpr.service.Env
---@param node? table
---@return hclexpr.service.Shape
function of_type(env, node)
  if not node then return shape.any end
  if node.kind == "traversal" then return shape.new(type_words[node.root] or "any") end
  if node.kind == "call" and type_calls[node.name] then return type_calls[node.name](env, node) end
  if node.kind == "call" or node.kind == "string" then return shape.new(type_words[node.text] or node.name or "any") end
  return shape.any
end

infer.of_type = of_type

return infer
