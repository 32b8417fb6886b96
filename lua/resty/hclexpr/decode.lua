-- The texts of a version as a table by the schema, in which attributes of type "expression" stay *Attributes*, each checked against the
-- types of the names that it may use. The work is done in slices: `pause` is called between them.
local bundle = require "hclexpr.bundle"
local calls = require "hclexpr.calls"
local core = require "hclexpr.core"
local Findings = require "hclexpr.findings"
local files = require "hclexpr.files"
local hcl = require "hclexpr"

local decode = {}

local Attribute = core.classes.Attribute

local function parse(file)
  return hcl.parse(file.text, { filename = file.name, syntax = files.syntax_of(file.name) })
end

-- One body of all files.
local function read_body(list, pause)
  if #list == 1 then return parse(list[1]) end
  local texts = {}
  for i, file in ipairs(list) do
    local body, err = parse(file)
    if not body then return nil, err end
    texts[i] = file.text
    pause()
  end
  return hcl.parse(table.concat(texts, "\n"), { filename = "rules" })
end

-- The schema with expressions of any type: what hcl reads.
local function without_expressions(schema, known)
  if known[schema] then return known[schema] end
  local out = { attributes = {}, blocks = {} }
  known[schema] = out
  for name, a in pairs(schema.attributes or {}) do
    out.attributes[name] = a.type == "expression" and { required = a.required } or a
  end
  for kind, b in pairs(schema.blocks or {}) do
    local copy = {}
    for key, value in pairs(b) do copy[key] = value end
    copy.schema = b.schema and without_expressions(b.schema, known)
    out.blocks[kind] = copy
  end
  return out
end

local fill

local function block_table(block, of, scope)
  local out = {}
  for i, label in ipairs(of.labels or {}) do out[label] = block.labels[i] end
  return fill(out, block.body, of.schema or {}, scope)
end

local function attribute_value(attribute, a, scope)
  if a.type == "expression" then return attribute end
  local value, err = attribute:value(nil, scope)
  if value and a.type then value, err = hcl.value(value, a.type) end
  if value == nil then return nil, err end
  return value:lua()
end

function fill(out, body, schema, scope)
  for name, a in pairs(schema.attributes or {}) do
    local attribute, err = body.attributes[name], nil
    if attribute then out[name], err = attribute_value(attribute, a, scope) end
    if err then return nil, err end
    if out[name] == nil then out[name] = a.default end
  end
  for kind, b in pairs(schema.blocks or {}) do
    if b.nesting ~= "single" then out[kind] = {} end
  end
  for _, block in ipairs(body.blocks) do
    local of = schema.blocks[block.type]
    if of.nesting == "map" then
      local at = out[block.type]
      for i = 1, #block.labels - 1 do
        at[block.labels[i]] = at[block.labels[i]] or {}
        at = at[block.labels[i]]
      end
      local value, err = fill({}, block.body, of.schema or {}, scope)
      if not value then return nil, err end
      at[block.labels[#block.labels]] = value
    else
      local value, err = block_table(block, of, scope)
      if not value then return nil, err end
      if of.nesting == "single" then out[block.type] = value else table.insert(out[block.type], value) end
    end
  end
  return out
end

local function read_table(body, o)
  if not o.schema then
    return hcl.decode(body)
  end
  local content, err = body:content(without_expressions(o.schema, {}), nil, o.scope)
  if not content then return nil, err end
  return fill({}, content, o.schema, o.scope)
end

-- All Attributes of a table, with what is in it that may not be changed.
local function attributes_of(t, out)
  for _, value in pairs(t) do
    if getmetatable(value) == Attribute then
      out[#out + 1] = value
    elseif type(value) == "table" then
      attributes_of(value, out)
    end
  end
  return out
end

local function check_expression(expression, o, findings)
  calls.check(expression, o.known_functions, findings)
  for _, ref in ipairs(expression:references()) do
    if not o.types[ref.root] then
      findings:report("REFERENCE_UNKNOWN", { object = expression, range = ref.range }, "There is no name %q here.", ref.root)
    end
  end
end

--- The table of a version's text and its Attributes; or nil and Diagnostics.
---@param text string
---@param name string of a text that is no bundle
---@param o table see resty/hclexpr/version.lua
---@param pause fun()
function decode.run(text, name, o, pause)
  local body, err = read_body(bundle.unpack(text, name), pause)
  if not body then return nil, err end
  pause()
  local config
  config, err = read_table(body, o)
  if not config then return nil, err end
  local findings, attributes = Findings.new(), attributes_of(config, {})
  for _, attribute in ipairs(attributes) do
    pause()
    check_expression(attribute.expression, o, findings)
  end
  err = findings:diagnostics()
  if err then return nil, err end
  return config, attributes
end

return decode
