-- Levels: the content of a body as a spec expects it, with what is wrong reported.
local core = require "hclexpr.core"
local bodies = require "hclexpr.body"
local places = require "hclexpr.spec.places"

local levels = {}

-- What a spec expects of a body: { attributes = { name = { required } }, blocks = { type = { labels, body = spec } } }.
local function expectations_of(node)
  local found = { attributes = {}, blocks = {} }
  local function visit(spec)
    if spec.kind.expect then spec.kind.expect(spec, found) end
    for _, item in ipairs(spec.items) do visit(item) end
  end
  visit(node)
  return found
end

-- The same as the core's schema (lua/hclexpr/schema.lua). A block that has no spec for its body may hold anything.
local function schema_of(node, with_bodies)
  local found, schema = expectations_of(node), { attributes = {}, blocks = {} }
  for name, wanted in pairs(found.attributes) do
    schema.attributes[#schema.attributes + 1] = { name = name, required = wanted.required }
  end
  for type, wanted in pairs(found.blocks) do
    local inner = with_bodies and (wanted.body and schema_of(wanted.body, true) or true) or nil
    schema.blocks[#schema.blocks + 1] = { type = type, labels = wanted.labels, nesting = 0, schema = inner }
  end
  return schema
end

-- Schemas by node: of its level, and of all below.
local flat, deep = setmetatable({}, { __mode = "k" }), setmetatable({}, { __mode = "k" })

local function flat_schema(node)
  flat[node] = flat[node] or schema_of(node, false)
  return flat[node]
end

local function deep_schema(node)
  deep[node] = deep[node] or schema_of(node, true)
  return deep[node]
end

local function has_dynamic(content)
  for _, block in ipairs(content.blocks) do
    if block.type == "dynamic" and #block.labels == 1 then return true end
  end
  return false
end

local function read(run, body, node, schema)
  -- A block of a body that was expanded has been read with it.
  local known = core.expanded_missing(body)
  if known then return body, { object = body, range = known } end
  local content, missing, err = core.level(body, schema)
  local place = { object = content, range = missing }
  if has_dynamic(content) then
    local whole, why = bodies.expand(body, deep_schema(node), run.variables, run.scope)
    if whole then return whole, place end
    err = why
  end
  if err then run.findings:add(err) end
  return content, place
end

--- Begins the decoding of a body by a node. A body is read a level at a time, so that as much as can be is looked at when something
--- is wrong; but where there are `dynamic` blocks, all below is expanded in one evaluation. Gives
---   run       { variables, scope, findings, own_scope }
---   content   its attributes and blocks
---   missing   the place where something that is missing would stand
---   labels    of the block whose body it is, as far as the spec is to see them: { text, range, block }
---   inner     by node: where the first of its blocks was decoded
function levels.enter(run, body, node, labels)
  local content, missing = read(run, body, node, flat_schema(node))
  return { run = run, content = content, missing = missing, labels = labels, inner = {} }
end

-- Several bodies as one

-- The same schema with nothing required: any one of the bodies may hold it.
local function without_required(schema)
  local attributes = {}
  for i, attribute in ipairs(schema.attributes) do attributes[i] = { name = attribute.name } end
  return { attributes = attributes, blocks = schema.blocks }
end

local function merge(findings, all, part)
  for name, attribute in pairs(part.attributes) do
    local known = all.attributes[name]
    if known then
      findings:report("SPEC_ATTRIBUTE_TWICE", { object = attribute, range = attribute.name_range }, "%s is set at %s already. Remove one "
        .. "of the two.", name, places.words(known.name_range))
    else
      all.attributes[name] = attribute
    end
  end
  for _, block in ipairs(part.blocks) do all.blocks[#all.blocks + 1] = block end
end

--- The same of several bodies that are read as one.
function levels.enter_all(run, list, node)
  if #list == 1 then return levels.enter(run, list[1], node, {}) end
  local schema, all, first = flat_schema(node), { attributes = {}, blocks = {} }, nil
  for _, body in ipairs(list) do
    local content, missing = read(run, body, node, without_required(schema))
    first = first or missing
    merge(run.findings, all, content)
  end
  for _, wanted in ipairs(schema.attributes) do
    if wanted.required and not all.attributes[wanted.name] then
      run.findings:report("SPEC_ATTRIBUTE_MISSING", {}, "%s must be set in one of the files, and is set in none. Add a line: "
        .. "%s = ...", wanted.name, wanted.name)
    end
  end
  return { run = run, content = all, missing = first, labels = {}, inner = {} }
end

return levels
