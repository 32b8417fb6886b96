-- Decoding by a schema that needs more than values: rules for values, expressions to keep, places of decoded values. To keep expressions
-- and places, the decoded tables are visited together with the body, whose `dynamic` blocks are expanded first. Rules need the expanded
-- body only for the place of a mistake.
local core = require "hclexpr.core"
local copied = require("hclexpr.util").copied
local Findings = require "hclexpr.findings"
local places = require "hclexpr.places"
local rules = require "hclexpr.body.rules"
local schemas = require "hclexpr.body.schema"

local decoding = {}

local single, map, set = schemas.nestings.single, schemas.nestings.map, schemas.nestings.set

-- Returns the table for one block among the decoded blocks of its kind: the nth, or for a map the one at its labels. `values` of a single
-- block is that table already.
local function entry_of(values, kind, labels, n)
  if kind.nesting == single then return values end
  if kind.nesting ~= map then return values[n] end
  for _, label in ipairs(labels) do values = values[label] end
  return values
end

-- Calls visit(values, body, prepared, block) for a decoded body and for those of its blocks, and pause() after each block. Skips sets of
-- several blocks, because the order of a set doesn't show which table comes from which block.
local function walk(values, body, prepared, visit, pause, block)
  visit(values, body, prepared, block)
  local kinds, counts, numbers = {}, {}, {}
  for _, kind in ipairs(prepared.blocks) do kinds[kind.type] = kind end
  for _, inner in ipairs(body.blocks) do counts[inner.type] = (counts[inner.type] or 0) + 1 end
  for _, inner in ipairs(body.blocks) do
    local kind, n = kinds[inner.type], (numbers[inner.type] or 0) + 1
    numbers[inner.type] = n
    if kind and not (kind.nesting == set and counts[inner.type] > 1) then
      walk(entry_of(values[inner.type], kind, inner.labels, n), inner.body, kind.schema or schemas.empty, visit, pause, inner)
      pause()
    end
  end
end

-- Expressions

local function put_expressions(values, body, prepared)
  for _, a in ipairs(prepared.attributes) do
    if a.kept then values[a.name] = body.attributes[a.name] end
  end
end

-- Places

-- By decoded table: its Body and, except for the outermost table, its Block.
local origins = setmetatable({}, { __mode = "k" })

local function remember(values, body, _, block)
  origins[values] = { body = body, block = block }
end

-- Returns the Range of the attribute `name` in the body that a table comes from, and the Attribute; nil if the body has no such attribute.
local function written(origin, name)
  local attribute = origin.body.attributes[name]
  if attribute then return attribute.range, attribute end
end

--- Returns the Range of the value at a path of names and indexes in a decoded table, or of the nearest item around the value; and the
--- Attribute, Block or Body at that Range. Returns nil if the table wasn't decoded with `ranges`.
---@param values table
---@return hclexpr.Range?, (hclexpr.Attribute|hclexpr.Block|hclexpr.Body)?
function decoding.range_of(values, ...)
  local origin = origins[values]
  if not origin then return nil end
  local at, object = values, origin.block or origin.body
  local range = places.range_of(object)
  for _, step in ipairs { ... } do
    if origin then
      local its, attribute = written(origin, step)
      if its then return its, attribute end
    end
    at = at[step]
    if type(at) ~= "table" then break end
    origin = origins[at]
    if origin then
      object = origin.block
      range = object.range
    end
  end
  return range, object
end

-- Rules

---@class hclexpr.decoding.Spot the position of a body among the decoded values
---@field above? hclexpr.decoding.Spot nil for the outermost body
---@field kind? table the prepared block
---@field n? integer the block's number among those of its kind
---@field labels? string[] the block's labels, if the kind is a map

-- Returns the Bodies that a spot may come from. In a set these may be several, because its order doesn't show which block is meant.
local function bodies_at(spot, content)
  if not spot.above then return { content } end
  local found = {}
  for _, body in ipairs(bodies_at(spot.above, content)) do
    local n = 0
    for _, block in ipairs(body.blocks) do
      if block.type == spot.kind.type then
        n = n + 1
        local nesting, is = spot.kind.nesting, nil
        if nesting == map then is = table.concat(block.labels, "\0") == table.concat(spot.labels, "\0") end
        if nesting == schemas.nestings.list then is = n == spot.n end
        if is ~= false then found[#found + 1] = block.body end
      end
    end
  end
  return found
end

-- Returns the Attribute that a value comes from; nil if it isn't certain.
local function attribute_at(spot, name, value, run)
  local found = {}
  for _, body in ipairs(bodies_at(spot, run.content)) do found[#found + 1] = body.attributes[name] end
  if #found == 1 then return found[1] end
  for _, attribute in ipairs(found) do
    local its = attribute:value(run.variables, run.scope)
    local converted = its and core.value(its, value:type())
    if converted == value then return attribute end
  end
end

local function place_of(spot, name, value, run)
  if run.content == nil then run.content = run.expand() or false end
  if not run.content then return {} end
  local attribute = attribute_at(spot, name, value, run)
  if attribute then return places.of_attribute(attribute) end
  local body = bodies_at(spot, run.content)[1]
  return body and { object = body, range = body:range() } or {}
end

local function test_argument(run, spot, a, value, data)
  if value == nil or value:is_null() or not value:is_wholly_known() then return end
  if a.fits then
    value = core.value(value, a.fits)
    if not value then return end -- converting to this type failed, which decoding reports
    data = run.data_of(value)
  end
  local bare = value:unmark()
  for _, rule in ipairs(a.rules) do
    local wrong = rule.test(bare, data)
    if wrong then rules.report(run.findings, place_of(spot, a.name, value, run), a, rule, value, wrong) end
  end
end

local test_body

-- Tests the blocks of a map: descends through its tables, one level for each label.
local function test_map(run, spot, kind, value, data, labels)
  if #labels == #kind.labels then
    return test_body(run, { above = spot, kind = kind, labels = copied(labels) }, kind.schema, value, data)
  end
  for label, part in value:pairs() do
    labels[#labels + 1] = label
    test_map(run, spot, kind, part, data[label], labels)
    labels[#labels] = nil
  end
end

local function test_blocks(run, spot, kind, value, data)
  if value == nil or not value:is_known() then return end
  if kind.nesting == single then return test_body(run, { above = spot, kind = kind }, kind.schema, value, data) end
  if kind.nesting == map then return test_map(run, spot, kind, value, data, {}) end
  local n = 0
  for _, part in value:pairs() do
    n = n + 1
    test_body(run, { above = spot, kind = kind, n = n }, kind.schema, part, data[n])
  end
end

function test_body(run, spot, prepared, value, data)
  for _, a in ipairs(prepared.attributes) do
    if a.rules then test_argument(run, spot, a, value:get(a.name), data[a.name]) end
  end
  for _, kind in ipairs(prepared.blocks) do
    if kind.schema then test_blocks(run, spot, kind, value:get(kind.type), data[kind.type]) end
  end
end

--- Tests decoded values by the schema's rules.
---@param prepared table
---@param value hclexpr.Value
---@param data table the same values as Lua data
---@param run { variables?: table, scope?: hclexpr.Scope, expand: (fun(): hclexpr.Body?), data_of: fun(value: hclexpr.Value): any }
---@return hclexpr.Diagnostics? err
function decoding.test(prepared, value, data, run)
  run.findings = Findings.new()
  test_body(run, {}, prepared, value, data)
  return run.findings:diagnostics()
end

--- Puts kept expressions into the decoded tables, and remembers where the tables come from.
---@param values table
---@param content hclexpr.Body
---@param prepared table
---@param asked { expressions?: boolean, ranges?: boolean, pause: fun() }
function decoding.add(values, content, prepared, asked)
  if asked.expressions then walk(values, content, prepared, put_expressions, asked.pause) end
  if asked.ranges then walk(values, content, prepared, remember, asked.pause) end
end

return decoding
