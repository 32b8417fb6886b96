-- Decodes the text of a version by the schema or language. In the resulting table, attributes of type "expression" are *Attributes*,
-- checked against the types of the names that they may use. The work is done in slices: `pause` is called between them, with true before a
-- slice that may be long.
local bundle = require "hclexpr.bundle"
local configuration = require "hclexpr.languages.configuration"
local core = require "hclexpr.core"
local description = require "hclexpr.languages.description"
local files = require "hclexpr.files"
local hcl = require "hclexpr"

local decode = {}

local Attribute = core.classes.Attribute

local function parse(file)
  return hcl.parse(file.text, { filename = file.name, syntax = files.syntax_of(file.name) })
end

-- Evaluates the files of a language, and checks kept expressions. Returns the values, or nil and Diagnostics.
local function read_language(list, o, pause)
  local sources, options = {}, { pause = pause }
  for i, file in ipairs(list) do sources[i] = { path = file.name, text = file.text, syntax = files.syntax_of(file.name) } end
  for name, value in next, o.given do options[name] = value end
  return configuration.open(description.of(o.language), sources, options, 1, "new"):values()
end

-- Parses all files, and merges them into one body.
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

-- Decodes files by a schema, and checks kept expressions. Returns the table, or nil and Diagnostics.
local function read_schema(list, o, pause)
  local body, err = read_body(list, pause)
  if not body then return nil, err end
  pause()
  local config
  config, err = body:decode(o.schema, nil, o.scope, { pause = pause })
  if not config then return nil, err end
  pause(true)
  local type_of_all
  type_of_all, err = body:check(o.schema, o.types, o.scope)
  if not type_of_all then return nil, err end
  return config
end

--- Collects all Attributes in a table. It visits each table once, because tables of a language refer to each other.
---@param config table
---@return hclexpr.Attribute[]
function decode.collect(config)
  local found, seen, stack = {}, { [config] = true }, { config }
  while #stack > 0 do
    for _, value in next, table.remove(stack) do
      if getmetatable(value) == Attribute then
        found[#found + 1] = value
      elseif type(value) == "table" and not seen[value] then
        seen[value] = true
        stack[#stack + 1] = value
      end
    end
  end
  return found
end

--- Decodes the text of a version, and collects the Attributes in it; or returns nil and Diagnostics.
---@param text string
---@param name string the name of the file, if the text isn't a bundle
---@param o { schema?: hclexpr.Schema, types: table<string, hclexpr.Type|string>, scope: hclexpr.Scope, language?: hclexpr.Language, given?: table } with a language, `given` has the program's names, variables and functions
---@param pause fun(at_once?: boolean)
---@return table? config
---@return hclexpr.Diagnostics? err
---@return hclexpr.Attribute[]? attributes
function decode.run(text, name, o, pause)
  local read = o.language and read_language or read_schema
  local config, err = read(bundle.unpack(text, name), o, pause)
  if not config then return nil, err end
  return config, nil, decode.collect(config)
end

return decode
