-- The texts of a version as a table by the schema, in which attributes of type "expression" stay *Attributes*, each checked against the
-- types of the names that it may use. The work is done in slices: `pause` is called between them.
local Findings = require "hclexpr.findings"
local bundle = require "hclexpr.bundle"
local files = require "hclexpr.files"
local hcl = require "hclexpr"

local decode = {}

local function parse(file)
  return hcl.parse(file.text, { filename = file.name, syntax = files.syntax_of(file.name) })
end

-- One body of all files.
local function read_body(list, pause)
  local bodies = {}
  for i, file in ipairs(list) do
    local body, err = parse(file)
    if not body then return nil, err end
    bodies[i] = body
    pause()
  end
  if #bodies == 1 then return bodies[1] end
  return hcl.merge(bodies)
end

-- ---- expressions that were kept -------------------------------------------------------------------------------------------

local collect -- forward

-- What blocks of a kind became: one table; an array; tables by their labels.
local function collect_blocks(values, kind, depth, found)
  if values == nil then return end
  if kind.nesting == "single" or kind.nesting == "map" and depth == 0 then return collect(values, kind.schema, found) end
  for _, value in pairs(values) do
    if kind.nesting == "map" then collect_blocks(value, kind, depth - 1, found) else collect(value, kind.schema, found) end
  end
end

-- Puts all Attributes in a table, and the types that they return, into `found`.
function collect(values, schema, found)
  for name, a in pairs(schema and schema.attributes or {}) do
    if a.type == "expression" and values[name] ~= nil then
      found[#found + 1] = { attribute = values[name], returns = a.returns }
    end
  end
  for name, kind in pairs(schema and schema.blocks or {}) do
    collect_blocks(values[name], kind, #(kind.labels or {}), found)
  end
  return found
end

-- ---- all of it ------------------------------------------------------------------------------------------------------------

--- The table of a version's text, and its Attributes; or nil and Diagnostics.
---@param text string
---@param name string of a text that is no bundle
---@param o { schema?: hclexpr.Schema, types: table<string, hclexpr.Type|string>, scope: hclexpr.Scope }
---@param pause fun()
---@return table? config
---@return hclexpr.Attribute[]|hclexpr.Diagnostics
function decode.run(text, name, o, pause)
  local body, err = read_body(bundle.unpack(text, name), pause)
  if not body then return nil, err end
  local config
  config, err = body:decode(o.schema, nil, o.scope)
  if not config then return nil, err end
  local findings, attributes = Findings.new(), {}
  for i, kept in ipairs(collect(config, o.schema, {})) do
    pause()
    local type, wrong = kept.attribute.expression:check(o.types, o.scope, { returns = kept.returns })
    if not type then findings:add(wrong) end
    attributes[i] = kept.attribute
  end
  err = findings:diagnostics()
  if err then return nil, err end
  return config, attributes
end

return decode
