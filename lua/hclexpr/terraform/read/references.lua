-- Finds what the names in an expression refer to, and the mistakes in them that show before any value is known.
--
-- The references of an expression are read once, and checked once for a folder; both results live as long as the expression. Reading places
-- takes most of the time, so places are read only after a mistake. Mistakes are found in three stages, and each stage counts only if the
-- earlier ones found nothing: how a name is written, whether resources and calls exist ("static"), and whether a value can be obtained at
-- all ("fetch").
local core = require "hclexpr.core"
local Findings = require "hclexpr.terraform.language.findings"
local modes = require "hclexpr.terraform.language.modes"

---@class hclexpr.module.Reference
---@field kind "variable"|"local"|"call"|"output"|"resource"|"count"|"each"|"self"|"path"|"terraform"|"action"|"none"
---@field name string
---@field key? string the key, in the Config, of the node that it depends on: "var.a", "module.m", "aws_instance.web"
---@field output? string of a call's output: its name
---@field mode? string of a resource, as is type
---@field type? string
---@field instance? string|number the constant key of an instance
---@field range? hclexpr.Range of the name without the steps after it; nil if references were read without places
---@field traversal table as core.traversals gives it
---@field rest integer the first step after the name
---@field fault? hclexpr.module.Fault a mistake in how the name is written
---@field wants? table[] made by dependencies.lua

---@class hclexpr.module.Fault
---@field row string its row in diagnostics.lua
---@field range hclexpr.Range
---@field text string the message, with "@" where the module's name belongs

local references = {}

local function between(first, last)
  if not first then return nil end
  return { filename = first.filename, start = first.start, stop = last.stop }
end

local function is_index(step)
  return step.kind ~= "attr"
end

-- Readers of names: each takes a traversal and returns a reference or nil, and a fault or nil.

local function fault(range, text, ...)
  return { row = "MODULE_REFERENCE", range = range, text = select("#", ...) > 0 and text:format(...) or text }
end

-- Returns a reader of `root.name`. `kind` is the kind of the reference, `prefix` begins its key.
local function single(kind, prefix)
  return function(traversal)
    local steps = traversal.steps
    local root, step = steps[1], steps[2]
    if not step or is_index(step) then
      local name = root.text
      local ref = { kind = kind, name = "", range = root.range, traversal = traversal, rest = 2 }
      if not step then
        return ref, fault(root.range, "\"%s\" is not a value by itself. Name one of its attributes: %s.NAME.", name, name)
      end
      return ref, fault(step.range, "\"%s\" has no elements, so it takes no index. Name one of its attributes: %s.NAME.", name,
                        name)
    end
    return { kind = kind, name = step.text, key = prefix and prefix .. step.text, range = between(root.range, step.range),
             traversal = traversal, rest = 3 }
  end
end

--- Returns the constant key of an instance, a string or a whole number; or nil and a fault.
---@param step table
---@return integer|string|nil key
---@return { range: hclexpr.Range, text: string }? fault
function references.instance_key(step)
  if step.kind == "key" then return step.text end
  local n = step.kind == "number" and tonumber(step.text)
  if n and n == math.floor(n) and n < 2^53 then return n end
  return nil, fault(step.range, "The key of an instance is a whole number or a string, but this is neither.")
end

-- Reads `type.name[key]` from the step `at` on.
local function resource(traversal, at, mode)
  local steps, row = traversal.steps, modes[mode]
  local type, name = steps[at], steps[at + 1]
  if not name then
    return nil, fault(between(steps[1].range, steps[#steps].range), "\"%s\" is read as the type of a resource. Add the resource's "
      .. "name: %s.NAME. For text, use quotes.", type.text, type.text)
  end
  if at > 1 and is_index(type) then
    return nil, fault(type.range, "\"%s\" has no elements, so it takes no index. Name a type and a resource of it.", row.word)
  end
  if is_index(name) then
    return nil, fault(name.range, "A name must follow %s: %s.NAME.", row.type, type.text)
  end
  local ref = { kind = "resource", mode = mode, type = type.text, name = name.text, range = between(steps[1].range, name.range),
                key = row.prefix .. type.text .. "." .. name.text, traversal = traversal, rest = at + 2 }
  local index = steps[ref.rest]
  if index then
    ref.attribute = not is_index(index)
    if not ref.attribute then
      local key, why = references.instance_key(index)
      if key == nil then return nil, why end
      ref.instance, ref.range, ref.rest = key, between(ref.range, index.range), ref.rest + 1
    end
  end
  return ref
end

-- Returns a reader of `word.type.name`.
local function prefixed(mode)
  return function(traversal)
    local steps = traversal.steps
    if #steps < 3 then
      local word = steps[1].text
      return nil, fault(between(steps[1].range, steps[#steps].range), "Two names belong after \"%s\", a type and one of its resources: "
        .. "%s.TYPE.NAME.", word, word)
    end
    return resource(traversal, 2, mode)
  end
end

local function reserved(traversal)
  local root = traversal.steps[1]
  return nil, fault(root.range, "\"%s\" is reserved. If it is the type of a resource, write resource.%s.", root.text, root.text)
end

local function self(traversal)
  return { kind = "self", name = traversal.steps[1].text, range = traversal.steps[1].range, traversal = traversal, rest = 2 }
end

local call_name = single("call", "module.")

local function call(traversal)
  local ref, why = call_name(traversal)
  if why then return nil, why end
  local steps = traversal.steps
  local step = steps[ref.rest]
  if step and is_index(step) then
    ref.instance, why = references.instance_key(step)
    if why then return nil, why end
    ref.range, ref.rest = between(ref.range, step.range), ref.rest + 1
    step = steps[ref.rest]
  end
  if step and is_index(step) then
    return nil, fault(step.range, "This index would be a second one. The name of an output belongs after an instance of a module.")
  elseif step then
    ref.kind, ref.output, ref.range, ref.rest = "output", step.text, between(ref.range, step.range), ref.rest + 1
  end
  return ref
end

-- Reads `action.type.name[key]`.
local function action(traversal)
  local steps = traversal.steps
  local type, name = steps[2], steps[3]
  if not name then
    return nil, fault(between(steps[1].range, steps[#steps].range), "Two names belong after \"action\", a type and one of its actions: "
      .. "action.TYPE.NAME.")
  end
  for _, step in ipairs { type, name } do
    if is_index(step) then return nil, fault(step.range, "Two names must follow \"action\", but this is an index: action.TYPE.NAME.") end
  end
  local ref = { kind = "action", type = type.text, name = name.text, key = "action." .. type.text .. "." .. name.text,
                range = between(steps[1].range, name.range), traversal = traversal, rest = 4 }
  local index = steps[4]
  if index and is_index(index) then
    local key, why = references.instance_key(index)
    if key == nil then return nil, why end
    ref.instance, ref.range, ref.rest = key, between(ref.range, index.range), 5
  end
  return ref, steps[ref.rest] and fault(steps[ref.rest].range, "Actions have no attributes. Name the action alone.") or nil
end

-- Reads a name that begins with a keyword of type constraints. The keyword alone isn't a reference; the evaluator handles it.
local function type_word(traversal)
  if #traversal.steps > 1 then return resource(traversal, 1, "managed") end
end

local readers = {
  var = single("variable", "var."), ["local"] = single("local", "local."), module = call, count = single("count"), each = single("each"),
  path = single("path"), terraform = single("terraform"), self = self, caller = self, data = prefixed "data",
  resource = prefixed "managed", ephemeral = prefixed "ephemeral", list = prefixed "list", action = action,
  template = reserved, lazy = reserved, arg = reserved,
  string = type_word, number = type_word, bool = type_word, any = type_word,
}

--- Reads what a traversal refers to. Returns a reference, a fault, or both.
---@param traversal table
---@return hclexpr.module.Reference? reference
---@return hclexpr.module.Fault? fault
function references.read(traversal)
  local reader = readers[traversal.steps[1].text]
  if reader then return reader(traversal) end
  return resource(traversal, 1, "managed")
end

-- Reads a traversal as a reference, whose `fault` is a mistake in how it is written. If it refers to nothing, the kind is "none".
local function read(traversal)
  local ref, why = references.read(traversal)
  if not ref then
    ref = { kind = "none", name = "", range = not why and traversal.steps[1].range or nil, traversal = traversal, rest = 1 }
  end
  ref.fault = why
  return ref
end

-- References without places, by path: a path refers to the same thing everywhere.
local shared = setmetatable({}, { __mode = "v" })

local function without(refs, bound)
  local left = {}
  for _, ref in ipairs(refs) do
    if not bound[ref.traversal.steps[1].text] then left[#left + 1] = ref end
  end
  return left
end

-- Names that only assertions of tests have.
references.of_tests = { output = true, run = true, check = true, plan = true, state = true }

local read_of, bound_in = setmetatable({}, { __mode = "k" }), setmetatable({}, { __mode = "k" })

-- The ranges in Bodies where references are ignored.
local left_out = setmetatable({}, { __mode = "k" })

local function is_left_out(object, ref)
  local start = ref.traversal.steps[1].range.start.byte
  for _, range in ipairs(left_out[object] or {}) do
    if start >= range.start.byte and start < range.stop.byte then return true end
  end
  return false
end

--- Makes the references in some ranges of a Body ignored.
---@param object hclexpr.Body
---@param ranges hclexpr.Range[]
function references.leave_out(object, ranges)
  left_out[object] = ranges
  read_of[object] = references.with_places(object)
end

--- Returns the references of an Expression or Body, without places.
---@param object hclexpr.Expression|hclexpr.Body
---@param bound? table<string, true> names of loops and iterators; only the first call for an object uses them
---@return hclexpr.module.Reference[]
function references.of(object, bound)
  local refs = read_of[object]
  if not refs then
    refs = core.traversals(object, shared, read)
    if bound then
      bound_in[object] = bound
      refs = without(refs, bound)
    end
    read_of[object] = refs
  end
  return refs
end

--- Returns the references of an Expression or Body, with places.
---@param object hclexpr.Expression|hclexpr.Body
---@return hclexpr.module.Reference[]
function references.with_places(object)
  local refs, bound = {}, bound_in[object]
  for _, traversal in ipairs(core.traversals(object)) do
    local ref = read(traversal)
    if not is_left_out(object, ref) then refs[#refs + 1] = ref end
  end
  return bound and without(refs, bound) or refs
end

-- Checking

--- Returns a suggestion if a candidate is similar to a name: " Did you mean "a"?"
---@param name string
---@param candidates table<string, any>
---@return string?
local function near(name, candidates)
  local names = {}
  for candidate in pairs(candidates) do names[#names + 1] = candidate end
  table.sort(names)
  local found = core.suggest(name, names)
  return found and (" Did you mean \"%s\"?"):format(found) or nil
end

references.near = near

local static, fetch = {}, {}

-- Returns the declaration of the resource with a key in a folder.
function references.resource_in(folder, key)
  return folder.resources[key]
end

-- Adds the fault of an undeclared name, unless a file that can't be parsed may declare the name.
local function add_undeclared(folder, add, found)
  if not folder.unsure then add(found) end
end

local function undeclared_resource(folder, ref)
  local hint = ""
  if ref.mode == "managed" and folder.resources["data." .. ref.key] then hint = (" Did you mean data.%s?"):format(ref.key) end
  return { row = "MODULE_UNDECLARED", range = ref.range, root = ref.type,
           text = ("No %s %s is declared in @.%s"):format(modes[ref.mode].what, ref.key, hint) }
end

local function instance_fault(declaration, ref)
  local counted, each = declaration.arguments.count, declaration.arguments.for_each
  if ref.instance == nil and ref.attribute and (counted or each) then
    return { row = "MODULE_INSTANCE_KEY", range = ref.range, text = ("%s has %s, so it is several instances. Choose one, as "
      .. "%s[%s] does, or take all with [*] or a for expression."):format(ref.key, counted and "count" or "for_each", ref.key,
      counted and "count.index" or "each.key") }
  elseif ref.instance ~= nil and not counted and not each then
    return { row = "MODULE_INSTANCE_KEY", range = ref.range, text = ("%s has neither count nor for_each, so it is one object. Leave the "
      .. "index out."):format(ref.key) }
  end
end

-- Adds the faults of the steps after a resource's name, by its schema.
local function attribute_faults(declaration, ref, options, add)
  local steps = ref.traversal.steps
  local step = steps[ref.rest]
  if step and step.kind == "attr" and step.text == "count" then
    add { row = "MODULE_ATTRIBUTE", range = ref.range,
          text = ("Resources have no attribute \"count\". Use length(%s)."):format(ref.key or "...") }
    return
  end
  local schema, known = nil, false
  if options.schema_of then schema, known = options.schema_of(declaration) end
  if schema then
    options.check_steps(schema, steps, ref.rest, add)
  elseif known then
    add { row = "MODULE_TYPE_UNKNOWN", range = ref.range,
          text = ("The provider has no type %s, so this name has no value."):format(declaration.type) }
  end
end

function static.resource(folder, ref, options, add)
  local declaration = references.resource_in(folder, ref.key)
  if not declaration then
    -- The instance key of a missing resource isn't checked.
    add_undeclared(folder, add, undeclared_resource(folder, ref))
    return
  end
  local why = instance_fault(declaration, ref)
  if why then add(why) end
  if declaration.container and declaration.container ~= options.source then
    add { row = "MODULE_REFERENCE", range = ref.range, text = ("%s belongs to %s, and can't be used elsewhere."):format(ref.key,
      declaration.container.address) }
  end
  attribute_faults(declaration, ref, options, add)
end

function static.call(folder, ref, _, add)
  if folder.calls[ref.name] then return end
  add_undeclared(folder, add, { row = "MODULE_UNDECLARED", range = ref.range, text = ("No module \"%s\" is called in @.%s"):format(ref.name,
    near(ref.name, folder.calls) or "") })
end
static.output = static.call

function fetch.action(_, ref, _, add)
  add { row = "MODULE_REFERENCE", range = ref.range, text = "Actions have no values. They can only be named in the action_trigger of a "
    .. "resource." }
end

function fetch.variable(folder, ref, _, add)
  if folder.variables[ref.name] then return end
  local hint = near(ref.name, folder.variables) or (" A block variable \"%s\" {} declares it."):format(ref.name)
  add_undeclared(folder, add, { row = "MODULE_UNDECLARED", range = ref.range,
                                text = ("No variable \"%s\" is declared in @.%s"):format(ref.name, hint) })
end

fetch["local"] = function(folder, ref, _, add)
  if folder.locals[ref.name] then return end
  add_undeclared(folder, add, { row = "MODULE_UNDECLARED", range = ref.range,
                                text = ("No local value \"%s\" is declared in @.%s"):format(ref.name,
    near(ref.name, folder.locals) or "") })
end

local function attributes(word, names, removed)
  return function(_, ref, _, add)
    if names[ref.name] then return end
    local text = removed and removed[ref.name] or ("\"%s\" has no attribute \"%s\".%s"):format(word, ref.name, near(ref.name, names) or "")
    add { row = "MODULE_ATTRIBUTE", range = ref.range, text = text }
  end
end

fetch.path = attributes("path", { cwd = true, module = true, root = true })
fetch.terraform = attributes("terraform", { workspace = true, applying = true },
  { env = "terraform.env was renamed. Write terraform.workspace." })

local repeated = { count = { index = true }, each = { key = true, value = true } }
local contexts = { count = "count.index exists only in a block with the argument count.",
                   each = "each.key and each.value exist only in a block with the argument for_each." }

local function repetition(folder, ref, options, add)
  if not repeated[ref.kind][ref.name] then
    attributes(ref.kind, repeated[ref.kind])(folder, ref, options, add)
  elseif not options[ref.kind] then
    add { row = "MODULE_CONTEXT", range = ref.range, text = contexts[ref.kind] }
  end
end
fetch.count, fetch.each = repetition, repetition

-- Checks `self`, the instance that a postcondition checks, and `caller`, the resource that triggers an action.
function static.self(_, ref, options, add)
  local declaration = options.self
  if not declaration then
    add { row = "MODULE_CONTEXT", range = ref.range, text = ("\"%s\" is known in %s only. Name the resource itself."):format(ref.name,
      ref.name == "self" and "postconditions and provisioners" or "actions that a resource triggers") }
    return
  end
  attribute_faults(declaration, ref, options, add)
end

---@class hclexpr.module.Context the names that an expression may use
---@field folder hclexpr.module.Folder
---@field count? boolean count.index is known
---@field each? boolean
---@field self? hclexpr.module.Declaration the resource that `self` means
---@field source? hclexpr.module.Declaration the check whose own data source may be named
---@field schema_of? fun(declaration: hclexpr.module.Declaration): table?
---@field known table<hclexpr.Expression|hclexpr.Body, table|false> results of checks, as wrong_of returns them, or false without faults
---@field check_steps? fun(schema: table, steps: table[], from: integer, add: fun(fault: hclexpr.module.Fault))

local function stage(rows, folder, refs, context, faults)
  local function add(found) faults[#faults + 1] = found end
  for _, ref in ipairs(refs) do
    local check = rows[ref.kind]
    -- A reference without a name already has the fault of being badly written.
    if check and ref.name ~= "" then check(folder, ref, context, add) end
  end
  return faults
end

--- Returns the references of an object for which is(ref) is true, with places; nil if it has no such references.
---@param object hclexpr.Expression|hclexpr.Body
---@param is fun(ref: hclexpr.module.Reference): boolean?
---@return hclexpr.module.Reference[]?
function references.chosen(object, is)
  local found, placed
  for i, ref in ipairs(references.of(object)) do
    if is(ref) then
      found, placed = found or {}, placed or references.with_places(object)
      found[#found + 1] = placed[i]
    end
  end
  return found
end

-- The fields of a folder that hold the targets of references, by kind. If the target of such a reference is declared, nothing else can be
-- wrong.
local declared = { variable = "variables", ["local"] = "locals", call = "calls", output = "calls" }

--- Returns true if the target of a reference is declared (for an output: the module call), or if its kind isn't declared in modules.
---@param folder hclexpr.module.Folder
---@param ref hclexpr.module.Reference
---@return boolean
function references.is_declared(folder, ref)
  if ref.kind == "resource" then return folder.resources[ref.key] ~= nil end
  local list = declared[ref.kind]
  return not list or ref.name == "" or folder[list][ref.name] ~= nil
end

local function is_sound(refs, folder)
  for i = 1, #refs do
    local ref = refs[i]
    local list = declared[ref.kind]
    if ref.fault or not list or not folder[list][ref.name] then return false end
  end
  return true
end

-- Returns the faults of references in a context, or false if the references are correct. `first` lists mistakes in how references are
-- written and static ones, `later` those that keep the references from having values.
local function wrong_of(refs, context)
  local first = {}
  for _, ref in ipairs(refs) do first[#first + 1] = ref.fault end
  local written = #first
  stage(static, context.folder, refs, context, first)
  local later = stage(fetch, context.folder, refs, context, {})
  return #first + #later > 0 and { first = first, later = later, static = #first > written }
end

local function found_wrong(object, context)
  local known = context.known[object]
  if known ~= nil then return known end
  local refs = references.of(object)
  known = not is_sound(refs, context.folder) and wrong_of(refs, context) and wrong_of(references.with_places(object), context)
  context.known[object] = known
  return known
end

--- Returns the faults of references that have places, or nil.
---@param refs hclexpr.module.Reference[]
---@param context hclexpr.module.Context
---@return { first: hclexpr.module.Fault[], later: hclexpr.module.Fault[], static: boolean }? wrong later: counts if none is static
function references.wrong(refs, context)
  return refs[1] and wrong_of(refs, context) or nil
end

--- Returns the faults of the references of an expression in a context, or nil. The second result is true if one of them is static; then all
--- names of the expression lack values.
---@param object hclexpr.Expression|hclexpr.Body
---@param context hclexpr.module.Context
---@return hclexpr.module.Fault[]? faults
---@return boolean? static
function references.check(object, context)
  local known = found_wrong(object, context)
  if not known then return nil end
  if known.static or #known.later == 0 then return known.first, known.static end
  if #known.first == 0 then return known.later, false end
  local all = {}
  for _, list in ipairs { known.first, known.later } do
    for _, why in ipairs(list) do all[#all + 1] = why end
  end
  return all, false
end

--- Returns the faults of several expressions whose names get their values together, { object, fault } each.
---@param objects hclexpr.Expression[]
---@param context hclexpr.module.Context
---@return { [1]: hclexpr.Expression, [2]: hclexpr.module.Fault }[] faults
---@return boolean static
function references.check_together(objects, context)
  local all, later, is_static = {}, {}, false
  local function put(list, object, faults)
    for _, why in ipairs(faults) do list[#list + 1] = { object, why } end
  end
  for _, object in ipairs(objects) do
    local known = found_wrong(object, context)
    if known then
      put(all, object, known.first)
      put(later, object, known.later)
      is_static = is_static or known.static
    end
  end
  if not is_static then
    for _, found in ipairs(later) do all[#all + 1] = found end
  end
  return all, is_static
end

--- Returns the faults of a traversal that must name a whole object.
---@param traversal table
---@param context hclexpr.module.Context
---@param exists boolean whether the object must exist
---@return hclexpr.module.Fault[]? faults
function references.check_whole(traversal, context, exists)
  local ref, why = references.read(traversal)
  local faults, steps = { why }, traversal.steps
  if ref and not why and steps[ref.rest] then
    faults[1] = fault(between(steps[ref.rest].range, steps[#steps].range), "Name a whole object here, without an attribute.")
  elseif ref and exists then
    stage(static, context.folder, { ref }, context, faults)
    if #faults == 0 then stage(fetch, context.folder, { ref }, context, faults) end
  end
  return #faults > 0 and faults or nil
end

local function in_words(why, config)
  return (why.text:gsub("@", (config.place:gsub("%%", "%%%%"))))
end

--- Reports faults of an object's references.
---@param findings hclexpr.Findings
---@param object hclexpr.Expression|hclexpr.Body|hclexpr.Attribute
---@param faults hclexpr.module.Fault[]
---@param config hclexpr.module.Config
function references.report(findings, object, faults, config)
  for _, why in ipairs(faults) do findings:report(why.row, { object = object, range = why.range }, "%s", in_words(why, config)) end
end

--- Turns faults into Diagnostics.
---@param object hclexpr.Expression
---@param faults hclexpr.module.Fault[]
---@param config hclexpr.module.Config
---@return hclexpr.Diagnostics
function references.diagnostics(object, faults, config)
  local lists = {}
  for i, why in ipairs(faults) do lists[i] = Findings.diagnose(why.row, object, why.range, in_words(why, config)) end
  return core.join_diagnostics(lists, true)
end

return references
