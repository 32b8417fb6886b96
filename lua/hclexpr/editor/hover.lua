-- Hover: a description of what is at a position, in Markdown. It has the name as written, the type, the value and its origin, and the
-- description from a schema. Each kind of syntax node has a function in `rows`.
local folders = require "hclexpr.editor.folders"
local infer = require "hclexpr.editor.infer"
local markdown = require "hclexpr.editor.markdown"
local cursor = require "hclexpr.editor.cursor"
local shape = require "hclexpr.editor.shape"
local signature = require "hclexpr.editor.signature"
local folder_values = require "hclexpr.editor.folder_values"
local wrap = require "hclexpr.wrap"

local hover = {}

local function code(text) return markdown.block(wrap.narrow(text, folder_values.WIDTH), "hcl") end

-- Makes a description from a file harmless.
local function prose(text) return text and markdown.prose(text) end

local function join(parts, between)
  local found = {}
  for _, part in pairs(parts) do found[#found + 1] = part end
  return table.concat(found, between or "\n\n")
end

-- The largest number of lines for an object's type; each attribute has a line.
local MOST = 40

local function type_lines(of)
  local listed = of.kind == "object" and of:names() or {}
  if #listed < 2 then return of:describe() end
  local lines = { "object({" }
  for i = 1, math.min(#listed, MOST) do lines[#lines + 1] = "  " .. listed[i] .. " = " .. (of:get(listed[i]) or shape.any):describe() end
  if #listed > MOST then lines[#lines + 1] = "  …" end
  lines[#lines + 1] = "})"
  return table.concat(lines, "\n")
end

local words = { { "required", "required" }, { "optional", "optional" }, { "computed", "computed" }, { "sensitive", "sensitive" },
                { "deprecated", "deprecated" } }

local function qualities(info)
  local found = {}
  for _, row in ipairs(words) do
    if info[row[1]] then found[#found + 1] = row[2] end
  end
  return #found > 0 and "_" .. table.concat(found, ", ") .. "_" or nil
end

local function add(parts, text)
  if text and text ~= "" then parts[#parts + 1] = text end
end

local function line_of(document, byte)
  local line = require("hclexpr.editor.text").line_of(document.lines, byte)
  return line + 1
end

-- Returns the file and line of a declaration as text.
local function origin_text(origin)
  if not origin then return nil end
  return ("%s:%d"):format(origin.document.name, line_of(origin.document, origin.name_start))
end

local function of_shape(here, of, title, start, stop, source)
  local parts, info = {}, of.info
  local d = info.declaration
  parts[1] = code(title .. (of.kind ~= "any" and ": " .. type_lines(of) or ""))
  if source then
    local value = folder_values.at(here, source)
    add(parts, value)
    local why = value and folder_values.why(here, source)
    if why then add(parts, markdown.block(why)) end
  end
  add(parts, qualities(info))
  add(parts, prose(info.description))
  if type(info.deprecated) == "string" then add(parts, prose("Deprecated: " .. info.deprecated)) end
  local from = origin_text(of.origin)
  add(parts, prose(from and (d and (d.word == "block" and d.kind or d.word) .. ", " or info.loop and "name of a loop, " or "") .. from))
  if info.element then add(parts, prose("elements: " .. origin_text(info.element))) end
  return { start = start, stop = stop, text = join(parts) }
end

local rows = {}

-- Returns the text of a reference up to a step. If the reference follows another expression, the text begins with that expression.
local function title_of(here, node, index)
  local from, last = node, node.steps[index]
  while from.role == "each" and from.parent do from = from.parent end
  return (here.document.text:sub(from.start + 1, last.stop):gsub("%s*\n%s*", " "))
end

local function of_reference(here)
  local of, node, index, resolved = here:referred()
  if not node or not resolved then return nil end
  local known = index
  while not of and known > 1 do
    known = known - 1
    of = resolved.shapes[known]
    -- A declared object may have unknown attributes, but an undeclared name means nothing.
    if of and (of.info.space or not (of.kind == "any" or of.kind == "map" or of.kind == "object" or of.info.open)) then return nil end
  end
  if not of or not node.steps[index] then return nil end
  local title = title_of(here, node, index)
  if known < index then of = shape.any:with { origin = of.origin, info = {} } end
  return of_shape(here, of, title, node.start, node.steps[index].stop, title)
end

rows.step, rows.traversal, rows.relative = of_reference, of_reference, of_reference

local function type_of(row)
  if row.shape then return row.shape:describe() end
  if row.refers then return "reference" end
  if type(row.type) == "table" or row.nested_type or not row.type then return cursor.wanted(row):describe() end
  return row.type == "dynamic" and "any" or row.type
end

local function row_text(name, kind, row, info)
  local parts = { code(name .. kind) }
  add(parts, qualities(info))
  add(parts, prose(row.facts))
  add(parts, prose(info.description))
  if info.deprecated then add(parts, prose("Deprecated: " .. (row.deprecation_message or "it should not be used any more."))) end
  return join(parts)
end

function rows.attribute_name(here)
  local node = here.node
  local row = here.document.kind ~= "tfvars" and cursor.argument_row(here:layers(), node.text)
  if row then
    local made = { start = node.start, stop = node.stop, text = row_text(node.text, ": " .. type_of(row), row, row) }
    local source = here.attribute and here.attribute.expression:source()
    local value = source and not row.names and folder_values.at(here, source)
    local why = value and here.folder.vocabulary and folder_values.why(here, source)
    if value then made.text = made.text .. "\n\n" .. value end
    if why then made.text = made.text .. "\n\n" .. markdown.block(why) end
    return made
  end
  if not here.attribute then return nil end
  local env = here:env()
  local of = infer.of(env, here.document:tree(here.attribute.expression))
  local d = here.document.kind == "tfvars" and here.folder:find("var." .. node.text)
  if d then of = require("hclexpr.editor.names").of(here.folder, d) end
  local title = node.text
  for _, declared in ipairs(folders.declared(here.document)) do
    if declared.attribute == here.attribute then title = declared.address end
  end
  return of_shape(here, of:with { info = d and of.info or {}, origin = d and of.origin or nil }, title, node.start, node.stop,
                  not here.folder.alone and here.document.kind ~= "tfvars" and here.attribute.expression:source() or nil)
end

local nestings = { list = "blocks", set = "blocks", map = "blocks", single = "block", group = "block" }

function rows.type(here)
  local node = here.node
  local row = cursor.block_row(here:layers(#here.blocks - 1), node.text)
  if not row then return nil end
  local parts = { code(node.text .. " " .. (nestings[row.nesting_mode] or "block")) }
  local bounds = {}
  if (row.min_items or 0) > 0 then bounds[#bounds + 1] = "at least " .. row.min_items end
  if (row.max_items or 0) > 0 then bounds[#bounds + 1] = "at most " .. row.max_items end
  add(parts, #bounds > 0 and "_" .. table.concat(bounds, ", ") .. "_" or nil)
  add(parts, prose(row.block and row.block.description))
  if row.block and row.block.deprecated then add(parts, "Deprecated: " .. (row.block.deprecation_message
    or "it should not be used any more.")) end
  return { start = node.start, stop = node.stop, text = join(parts) }
end

local modes = folders.modes

-- Describes a label: a type with a schema, or the name that the block declares.
function rows.label(here)
  local node, block = here.node, here.blocks[#here.blocks]
  if not block then return nil end
  local text = block.labels[node.index] or ""
  local mode, terraform = modes[block.type], not here.folder.vocabulary
  local function answer(more)
    return { start = node.start, stop = node.stop, text = more }
  end
  if terraform and mode and node.index == 1 then
    local provider = block.body.attributes.provider
    local row, source = here.folder:schema_row(mode, text, provider and provider.expression:source():match "^[%w_-]+")
    local parts = { code(block.type .. ' "' .. text .. '"') }
    add(parts, source and "provider " .. source)
    if row and row.block then
      add(parts, prose(row.block.description))
      if row.block.deprecated then add(parts, "Deprecated: " .. (row.block.deprecation_message or "it should not be used any more.")) end
    end
    return answer(join(parts))
  end
  if terraform and block.type == "provider" then
    local _, source = here.folder:provider(text)
    return answer(join { code('provider "' .. text .. '"'), source })
  end
  if block.type == "dynamic" then
    local row = cursor.block_row(here:layers(#here.blocks - 1), text)
    return answer(join { code('dynamic "' .. text .. '"'), prose(row and row.block and row.block.description) or "Blocks " .. text
      .. ", one for each element." })
  end
  for _, d in ipairs(folders.declared(here.document)) do
    if d.block == block and not d.attribute then
      local of = require("hclexpr.editor.names").of(here.folder, d)
      local source = d.word ~= "output" and d.word ~= "provider" and d.word ~= "check" and d.address
        or d.word == "output" and block.body.attributes.value and block.body.attributes.value.expression:source() or nil
      return of_shape(here, of, d.address, node.start, node.stop, source)
    end
  end
  return answer(code(block.type .. ' "' .. text .. '"'))
end

rows["function"] = function(here)
  local node = here.node
  local row = infer.function_row(here, node.text)
  if not row then return nil end
  local parts = { code(signature.label(row)) }
  add(parts, row.summary)
  add(parts, prose(row.description ~= row.summary and row.description or nil))
  if row.example then add(parts, code(row.example)) end
  return { start = node.start, stop = node.stop, text = join(parts) }
end

function rows.name(here)
  local node = here.node
  local loop = node.parent
  local env = here:env(loop and loop.start, loop and loop.stop)
  local _, exact = here:env(loop and loop.start, loop and loop.stop)
  if exact and exact.node.kind == "for" then env = infer.loop(exact.env, exact.node) end
  local make = env.names[node.text]
  return of_shape(here, make and make() or shape.any, node.text, node.start, node.stop)
end

-- Describes a key of an object whose attributes are known from a schema or a variable's type.
local function of_key(here, node)
  local wanted = here:wanted_at(node.parent)
  local of = wanted and node.text and wanted:get(node.text)
  if not of then return nil end
  return of_shape(here, of, node.text, node.start, node.stop)
end

function hover.hover(workspace, document, byte)
  local here = cursor.at(workspace, document, byte)
  if not here then return nil end
  local key = here:key()
  if key then return of_key(here, key) end
  local row = rows[here.node.kind]
  return row and row(here) or nil
end

return hover
