-- Writes lua/hclexpr/terraform/schema/bundled_facts.lua: the types, marks and nesting of resources from schema files of small providers.
--   lua5.4 tools/facts.lua >lua/hclexpr/terraform/schema/bundled_facts.lua
local cjson = require "cjson"

local here = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$"
local facts = {}

--- The providers whose facts are bundled.
facts.providers = { "archive", "cloudinit", "local", "null", "random", "template", "time", "tls" }

local modes = { "resource_schemas", "data_source_schemas", "ephemeral_resource_schemas" }
local flags = { "required", "optional", "computed", "sensitive", "write_only" }

local function sorted(map)
  local names = {}
  for name in pairs(map or {}) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local function type_text(json)
  if type(json) == "string" then return ("%q"):format(json) end
  if json[1] == "object" then
    local parts = {}
    for i, name in ipairs(sorted(json[2])) do parts[i] = name .. " = " .. type_text(json[2][name]) end
    return '{ "object", {\n    ' .. table.concat(parts, ",\n    ") .. "\n  } }"
  end
  return ('{ %q, %s }'):format(json[1], type_text(json[2]))
end

-- A row. Few are different, so each has a number.
local function row_of(rows, attribute)
  assert(attribute.type, "nested types have no facts yet")
  local parts = { "type = " .. type_text(attribute.type) }
  for _, flag in ipairs(flags) do
    if attribute[flag] then parts[#parts + 1] = flag .. " = true" end
  end
  local text = "{ " .. table.concat(parts, ", ") .. " }"
  if not rows[text] then
    rows.list[#rows.list + 1] = text
    rows[text] = #rows.list
  end
  return ("r[%d]"):format(rows[text])
end

local function block_text(rows, block, indent)
  local parts = {}
  for i, name in ipairs(sorted(block.attributes)) do parts[i] = name .. " = " .. row_of(rows, block.attributes[name]) end
  local lines, line = {}, indent .. "  "
  for i, part in ipairs(parts) do
    if #line + #part > 130 then lines[#lines + 1], line = line, indent .. "  " end
    line = line .. part .. "," .. (i < #parts and " " or "")
  end
  lines[#lines + 1] = line
  local text = "{ attributes = {\n" .. table.concat(lines, "\n"):gsub(" +\n", "\n") .. "\n" .. indent .. "}"
  if next(block.block_types or {}) then
    text = text .. ", block_types = {\n"
    for _, name in ipairs(sorted(block.block_types)) do
      local of = block.block_types[name]
      local counts = ""
      for _, count in ipairs { "min_items", "max_items" } do
        if of[count] then counts = counts .. (", %s = %d"):format(count, of[count]) end
      end
      text = text .. ("%s  %s = { nesting_mode = %q%s, block = %s },\n"):format(indent, name, of.nesting_mode, counts,
        block_text(rows, of.block, indent .. "  "))
    end
    text = text .. indent .. "}"
  end
  return text .. " }"
end

--- The text of the file.
---@return string
function facts.text()
  local rows, out = { list = {} }, {}
  for _, name in ipairs(facts.providers) do
    local file = assert(io.open(here .. "../spec/modules/schemas/" .. name .. ".json"))
    local provider = select(2, next(cjson.decode(file:read "*a").provider_schemas))
    file:close()
    out[#out + 1] = ("  [%q] = {\n"):format("hashicorp/" .. name)
    for _, mode in ipairs(modes) do
      if next(provider[mode] or {}) then
        out[#out + 1] = "    " .. mode .. " = {\n"
        for _, type in ipairs(sorted(provider[mode])) do
          out[#out + 1] = ("      %s = { block = %s },\n"):format(type, block_text(rows, provider[mode][type].block, "      "))
        end
        out[#out + 1] = "    },\n"
      end
    end
    out[#out + 1] = "  },\n"
  end
  local head = "-- Facts of small providers: types, marks and nesting of their resources. tools/facts.lua writes this file.\n"
  return head .. "local r = {\n  " .. table.concat(rows.list, ",\n  ") .. ",\n}\n\nreturn {\n" .. table.concat(out) .. "}\n"
end

if arg and (arg[0] or ""):find "facts%.lua$" then io.write(facts.text()) end

return facts
