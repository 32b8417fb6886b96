-- hcl.to_json: converts a source to JSON syntax, without evaluating it. Literal values stay, templates become strings, other expressions
-- "${…}". Blocks become arrays of objects, below a level of objects for each label.
local core = require "hclexpr.core"
local check = require "hclexpr.check"
local jsontext = require "hclexpr.json.text"
local shapes = require "hclexpr.json.shapes"
local templates = require "hclexpr.json.templates"
local read_tree = require "hclexpr.json.tree"

local sequence = templates.sequence

-- Values. `w` is the JSON writer; if its field `words` is true, expressions are written as plain strings. `source` is the whole text.

local function escape(text)
  return (text:gsub("([%$%%]){", "%1%1{"))
end

local function number(text)
  return (text:gsub("^0+(%d)", "%1"):gsub("%.([eE])", "%1"))
end

-- Returns the text of a key that is constant; otherwise nil.
local function literal_key(source, key)
  local inner = key.inner
  if key.forced then return nil end
  if inner.kind == "string" then return inner.text end
  local text = inner.root or source:sub(inner.range.start.byte + 1, inner.range.stop.byte)
  if inner.root and #inner.steps > 0 then return nil end
  return (core.name_columns(text) or text:find "^[1-9]%d*$" or text == "0") and text or nil
end

local function key_text(source, key)
  local literal = literal_key(source, key)
  if literal then return escape(literal) end
  local inner = key.inner
  if inner.kind == "template" then return templates.write(source, inner.parts, escape) end
  return sequence(source, (inner.kind == "parens" or inner.kind == "wrap") and inner.inner or inner)
end

-- Returns true if an object has a key twice, because JSON allows each name only once.
local function has_twice(source, object)
  local seen = {}
  for i = 1, #object.items, 2 do
    local name = key_text(source, object.items[i])
    if seen[name] then return true end
    seen[name] = true
  end
end

local writers = {}

local function write_value(w, source, node)
  local write = writers[node.kind]
  if write then return write(w, source, node) end
  w:string(w.words == true and templates.source_of(source, node) or sequence(source, node))
end

function writers.number(w, _, node) w:raw(number(node.text)) end

function writers.bool(w, _, node) w:raw(tostring(node.value)) end

function writers.null(w) w:raw "null" end

function writers.string(w, source, node) w:string(templates.write(source, { { kind = "text", text = node.text } }, escape)) end

function writers.template(w, source, node) w:string(templates.write(source, node.parts, escape)) end

function writers.wrap(w, source, node) w:string(sequence(source, node.inner)) end

function writers.unary(w, source, node)
  local negative = node.operator == "-" and node.operand.kind == "number"
  if negative then w:raw("-" .. number(node.operand.text)) else w:string(sequence(source, node)) end
end

function writers.tuple(w, source, node)
  w:open "["
  for _, element in ipairs(node.elements) do write_value(w, source, element) end
  w:close "]"
end

function writers.object(w, source, node)
  if has_twice(source, node) then return w:string(sequence(source, node)) end
  w:open "{"
  for i = 1, #node.items, 2 do
    local key, words = key_text(source, node.items[i]), w.words
    w:key(key)
    if words ~= true then w.words = words and words[key] end
    write_value(w, source, node.items[i + 1])
    w.words = words
  end
  w:close "}"
end

-- Bodies

-- Groups items with the same key, in the order of each group's first item. Returns the groups, and whether this changes the order of items.
local function group(list, key_of)
  local groups, by_key, moved = {}, {}, false
  for i, item in ipairs(list) do
    local key = key_of(item)
    local known = by_key[key]
    if not known then
      known = { key = key }
      by_key[key], groups[#groups + 1] = known, known
    elseif key ~= key_of(list[i - 1]) then
      moved = true
    end
    known[#known + 1] = item
  end
  return groups, moved
end

local write_body, write_blocks

-- Writes blocks that have a label at this level, as an object with a key for each label. Below the top level, blocks whose order this would
-- change become an array with an object for each block.
local function write_labelled(w, source, blocks, level, top, shape)
  local groups, moved = group(blocks, function(block) return block.labels[level] end)
  if moved and not top then
    w:open "["
    for _, block in ipairs(blocks) do write_labelled(w, source, { block }, level, top, shape) end
    return w:close "]"
  end
  w:open "{"
  for _, same in ipairs(groups) do
    w:key(same.key)
    write_blocks(w, source, same, level + 1, top, shape)
  end
  w:close "}"
end

-- Writes the blocks of a type. Unless all of them have a label at this level, they become an array.
function write_blocks(w, source, blocks, level, top, shape)
  local labelled = 0
  for _, block in ipairs(blocks) do labelled = labelled + (block.labels[level] and 1 or 0) end
  if labelled == #blocks then return write_labelled(w, source, blocks, level, top, shape) end
  w:open "["
  for _, block in ipairs(blocks) do
    if block.labels[level] then
      write_labelled(w, source, { block }, level, top, shape)
    else
      write_body(w, source, block.body, false, shape)
    end
  end
  w:close "]"
end

function write_body(w, source, body, top, shape)
  local items, blocks, by_type = core.body_outline(body), body.blocks, {}
  for _, item in ipairs(items) do
    local same = by_type[item.block] or {}
    if item.block then same[#same + 1], by_type[item.block] = blocks[item.number], same end
  end
  w:open "{"
  for _, item in ipairs(items) do
    local name = item.attribute or item.block
    if item.attribute then
      local attribute = body.attributes[name]
      if by_type[name] then w.fault = w.fault or attribute end
      w:key(name)
      w.words = shape.words[name] or shape.keys
      write_value(w, source, attribute.expression:ast())
    elseif by_type[name][1] then
      w:key(name)
      write_blocks(w, source, by_type[name], 1, top, shapes.inside(shape, name))
      by_type[name] = {}
    end
  end
  w:close "}"
end

-- Writes a node of a source that is JSON already: strings and names don't change.
local function write_literal(w, node)
  local kind = node.kind
  if kind == "object" then
    w:open "{"
    for i = 1, #node.items, 2 do
      w:key(node.items[i].inner.text)
      write_literal(w, node.items[i + 1])
    end
    w:close "}"
  elseif kind == "tuple" then
    w:open "["
    for _, element in ipairs(node.elements) do write_literal(w, element) end
    w:close "]"
  elseif kind == "string" then
    w:string(node.text)
  else
    w:raw(kind == "number" and node.text or kind == "bool" and tostring(node.value) or "null")
  end
end

local known_options = {
  filename = "string", syntax = { "native", "json" }, dialect = { "terraform" }, indent = "indent", limits = "limits",
}
local older = { schema = "dialect" }

-- The implementation of hcl.to_json; lua/hclexpr.lua documents it.
return function(source, options)
  local o = check.options(2, "to_json", options, known_options, older)
  local shape = shapes.of(o.dialect)
  local w = jsontext.writer { indent = o.indent ~= false and (" "):rep(o.indent or 2) or nil }
  if o.syntax == "json" then
    local root, err = read_tree(source, o)
    if not root then return nil, err end
    write_literal(w, root)
    return w:text()
  end
  local body, err = core.parse(source, { filename = o.filename, limits = o.limits })
  if not body then return nil, err end
  write_body(w, source, body, true, shape)
  if w.fault then
    local text = " is an argument here, and blocks have that type, too. In JSON both would be one property. Rename the argument."
    return nil, core.diagnose("ENCODE_BODY", w.fault, w.fault.name_range, core.quote(w.fault.name) .. text)
  end
  return w:text()
end
