-- Levels. A level is a body that is being decoded. This file reads the content of a body as a spec expects it, and reports mistakes.
local core = require "hclexpr.core"
local body_evaluation = require "hclexpr.body.evaluation"
local places = require "hclexpr.places"

---@class hclexpr.spec.Run one decoding
---@field variables? table
---@field scope? hclexpr.Scope
---@field findings hclexpr.Findings
---@field own_scope? fun(): hclexpr.Scope returns the scope of the specification's own expressions; nil: nothing is evaluated
---@field secrets? integer the number of secret attributes and labels that were read
---@field expanded table<hclexpr.Body, true> bodies that were expanded together with a body around them

---@class hclexpr.spec.Level a body that is being decoded
---@field run hclexpr.spec.Run
---@field content hclexpr.Body the attributes and blocks of the body; for several bodies, a table with the same fields
---@field missing hclexpr.findings.Place the place of missing parts
---@field labels { text: string, range: hclexpr.Range, block: hclexpr.Block }[] labels of the body's block that the spec may read
---@field inner table<hclexpr.spec.Node, hclexpr.spec.Level> by node: the level of the first block that was decoded for it
---@field unsure table<string, true> types of blocks whose number is unknown, because `dynamic` blocks couldn't be expanded, or blocks have mistakes
---@field reported? boolean true: mistakes in this body and inside it have been reported

local levels = {}

--- Returns the attributes of a body in the order of the source.
---@param body hclexpr.Body
---@return hclexpr.Attribute[]
function levels.attributes_of(body)
  local all = {}
  for _, attribute in pairs(body.attributes) do all[#all + 1] = attribute end
  table.sort(all, function(a, b) return a.range.start.byte < b.range.start.byte end)
  return all
end

--- Calls visit(spec) for a node and for all specs in it that read the same body, the outer ones first.
---@param node hclexpr.spec.Node
---@param visit fun(spec: hclexpr.spec.Node)
function levels.each(node, visit)
  visit(node)
  for _, item in ipairs(node.items) do levels.each(item, visit) end
end

--- Returns what a spec expects of a body: { attributes = { name = { required } }, blocks = { type = { labels, body = spec } }, conflicts =
--- specs that want a different number of labels for a block type than an earlier spec }.
---@param node hclexpr.spec.Node
---@return table
function levels.expectations_of(node)
  local found = { attributes = {}, blocks = {}, conflicts = {} }
  levels.each(node, function(spec)
    if spec.kind.expect then spec.kind.expect(spec, found) end
  end)
  return found
end

-- Cached schemas by node: for one level, and for all levels below it as well.
local flats, deeps = setmetatable({}, { __mode = "k" }), setmetatable({}, { __mode = "k" })

-- Makes the core's schema (lua/hclexpr/body/schema.lua) from a spec's expectations. A block without a spec for its body may contain
-- anything. `inner` returns the schema for the node of a body; nil: bodies get no schema.
local function schema_of(node, inner)
  local found, schema = levels.expectations_of(node), { attributes = {}, blocks = {} }
  for name, wanted in pairs(found.attributes) do
    schema.attributes[#schema.attributes + 1] = { name = name, required = wanted.required }
  end
  table.sort(schema.attributes, function(a, b) return a.name < b.name end)
  for type, wanted in pairs(found.blocks) do
    local body = inner and (wanted.body and inner(wanted.body) or true) or nil
    schema.blocks[#schema.blocks + 1] = { type = type, labels = wanted.labels, nesting = 0, schema = body }
  end
  return schema
end

local function flat_schema(node)
  flats[node] = flats[node] or schema_of(node)
  return flats[node]
end

local function deep_schema(node)
  deeps[node] = deeps[node] or schema_of(node, deep_schema)
  return deeps[node]
end

-- Returns the types of blocks that `dynamic` blocks in a body generate.
local function dynamic_types(content)
  local types = {}
  for _, block in ipairs(content.blocks) do
    if block.type == "dynamic" and #block.labels == 1 then types[block.labels[1]] = true end
  end
  return types
end

-- Makes the level of a body that was expanded completely, and notes that the bodies of its blocks were expanded, too.
local function read_whole(run, body, place)
  for _, block in ipairs(body.blocks) do run.expanded[block.body] = true end
  return { content = body, missing = place, unsure = {} }
end

-- The place where missing parts of a level are reported. Its range is computed only for a message, because most levels lack nothing.
local Missing = {}

function Missing.__index(place, key)
  if key ~= "range" then return nil end
  place.range = core.level_missing(place.object)
  return place.range
end

---@param content hclexpr.Body a result of core.level
---@return hclexpr.findings.Place
function levels.missing_in(content)
  return setmetatable({ object = content }, Missing)
end

-- Makes a Level with the fields content, missing, unsure and reported. The argument `reported` is that of the level around it.
local function read(run, body, flat, deep, reported)
  if run.expanded[body] then return read_whole(run, body, { object = body, range = core.expanded_missing(body) }) end
  local content, err, _, meant = core.level(body, flat)
  local place = levels.missing_in(content)
  local unsure = dynamic_types(content)
  if not reported and next(unsure) ~= nil then
    local whole, why = body_evaluation.expand(body, deep, run.variables, run.scope)
    if whole then return read_whole(run, whole, place) end
    run.findings:add(why)
    reported = true
  elseif not reported and err then
    run.findings:add(err)
  end
  for type in pairs(meant or {}) do unsure[type] = true end
  return { content = content, missing = place, unsure = unsure, reported = reported }
end

--- Begins to decode a body by a node. Bodies are read one level at a time, so that a mistake hides as few others as possible. But if a body
--- has `dynamic` blocks, everything in it is expanded in one evaluation.
---@param run hclexpr.spec.Run
---@param body hclexpr.Body
---@param node hclexpr.spec.Node
---@param labels table[]
---@param reported? boolean
---@return hclexpr.spec.Level
function levels.enter(run, body, node, labels, reported)
  local at = read(run, body, flat_schema(node), deep_schema(node), reported)
  at.run, at.labels, at.inner = run, labels, {}
  return at
end

-- Several bodies as one

-- Returns a copy of a schema that requires nothing, because any of several bodies may have the required parts.
local function without_required(schema)
  local attributes = {}
  for i, attribute in ipairs(schema.attributes) do attributes[i] = { name = attribute.name } end
  return { attributes = attributes, blocks = schema.blocks }
end

local function merge(findings, all, part)
  for _, attribute in ipairs(levels.attributes_of(part)) do
    local known = all.attributes[attribute.name]
    if known then
      findings:report("SPEC_ATTRIBUTE_TWICE", { object = attribute, range = attribute.name_range }, "%s is set at %s already. Remove one "
        .. "of the two.", attribute.name, places.words(known.name_range))
    else
      all.attributes[attribute.name] = attribute
    end
  end
  for _, block in ipairs(part.blocks) do all.blocks[#all.blocks + 1] = block end
end

--- Begins to decode several bodies that are read as one.
---@param run hclexpr.spec.Run
---@param list hclexpr.Body[]
---@param node hclexpr.spec.Node
---@return hclexpr.spec.Level
function levels.enter_all(run, list, node)
  if #list == 1 then return levels.enter(run, list[1], node, {}) end
  local schema, all, at = flat_schema(node), { attributes = {}, blocks = {} }, nil
  for _, body in ipairs(list) do
    local part = read(run, body, without_required(schema), without_required(deep_schema(node)), false)
    at = at or part
    for type in pairs(part.unsure) do at.unsure[type] = true end
    merge(run.findings, all, part.content)
  end
  for _, wanted in ipairs(schema.attributes) do
    if wanted.required and not all.attributes[wanted.name] then
      run.findings:report("SPEC_ATTRIBUTE_MISSING", {}, "No file sets the required argument %s. Add a line: %s = ...",
        wanted.name, wanted.name)
    end
  end
  at.run, at.content, at.labels, at.inner, at.reported = run, all, {}, {}, nil
  return at
end

return levels
