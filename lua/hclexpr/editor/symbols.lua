-- Symbols: the content of a file as a tree, and all declarations in a workspace.
local folders = require "hclexpr.editor.folders"
local kinds = require "hclexpr.editor.kinds"
local text = require "hclexpr.editor.text"

local symbols = {}

local literals = { number = "number", bool = "bool", string = "string", template = "string", tuple = "list", ["for"] = "list",
  object = "object",
                   null = "null" }

local function spanned(symbol, range, name_range)
  symbol.start, symbol.stop = range.start.byte, range.stop.byte
  symbol.name_start, symbol.name_stop = name_range.start.byte, name_range.stop.byte
  return symbol
end

local function title(block)
  local parts = { block.type }
  for _, label in ipairs(block.labels) do parts[#parts + 1] = '"' .. label .. '"' end
  return table.concat(parts, " ")
end

local function of_attribute(attribute)
  local source = attribute.expression:source()
  local first = source:byte()
  local kind = first == 34 and "string" or first == 91 and "list" or first == 123 and "object" or (source == "true" or source == "false")
    and "bool"
    or tonumber(source) and "number" or "attribute"
  return spanned({ name = attribute.name, kind = literals[kind] or kind }, attribute.range, attribute.name_range)
end

-- How deeply symbols nest. Editors read the answer with decoders that allow about a thousand levels, two for each symbol.
local DEEPEST = 100

local function by_place(a, b) return a.start < b.start end

local of_body

local function of_block(block, depth)
  local made = spanned({ name = title(block), kind = kinds.of(block.type) }, block.range, block.type_range)
  made.children = depth < DEEPEST and of_body(block.body, depth + 1) or {}
  return made
end

function of_body(body, depth)
  local found = {}
  for _, attribute in pairs(body.attributes) do found[#found + 1] = of_attribute(attribute) end
  for _, block in ipairs(body.blocks) do found[#found + 1] = of_block(block, depth) end
  table.sort(found, by_place)
  return found
end

function symbols.symbols(_, document)
  return document.body and of_body(document.body, 1) or {}
end

function symbols.all(workspace, query)
  local found, pattern = {}, text.in_order(query:lower())
  local all = folders.described(workspace)
  for i, dir in ipairs(folders.known(workspace)) do table.insert(all, i, folders.at(workspace, dir)) end
  for _, folder in ipairs(all) do
    for _, d in ipairs(folder:all()) do
      if d.address:lower():find(pattern) then
        found[#found + 1] = { name = d.address, kind = kinds.of(d.word), path = d.document.path, start = d.start, stop = d.stop,
                              name_start = d.name_start, name_stop = d.name_stop, detail = d.document.dir }
      end
    end
  end
  return found
end

return symbols
