-- hcl.from_json: converts a source of JSON syntax to native syntax. A schema or dialect says which properties are blocks; without these,
-- the form of the values decides.
local core = require "hclexpr.core"
local check = require "hclexpr.check"
local schemas = require "hclexpr.body.schema"
local shapes = require "hclexpr.json.shapes"
local templates = require "hclexpr.json.templates"
local read_tree = require "hclexpr.json.tree"

local concat = table.concat

-- The parameter `w` below is a writer, with the fields: out = pieces of text; last = the kind of the previous item; body = the parsed
-- source; shift = the difference between byte offsets in the syntax tree and in the source; limits; err = the first mistake.

local function fail(w, node, text)
  local range = w.body:range(math.max(0, node.range.start.byte - w.shift), math.max(0, node.range.stop.byte - w.shift))
  w.err = w.err or core.diagnose("FROM_JSON", w.body, range, text)
end

local function put(w, ...)
  for i = 1, select("#", ...) do w.out[#w.out + 1] = (select(i, ...)) end
end

-- Values

local function quoted(text) return (core.quote(text):sub(2, -2)) end

-- Returns the source of the expression that a string contains: a text, a template, or the expression in "${…}". If `words` is true, the
-- string may also be an expression by itself, like references in Terraform's files.
local function string_text(w, node, words)
  local text = node.text
  local word = words == true and core.read(text, "native", w.limits)
  if word then return (templates.source_of(text, word:ast())) end
  local expression, err = core.read(text, "template", w.limits)
  if not expression then
    fail(w, node, "The text isn't a template: " .. err[1].detail)
    return ""
  end
  local tree = expression:ast()
  if tree.kind == "string" then return core.quote(tree.text) end
  if tree.kind == "template" then return '"' .. templates.write(text, tree.parts, quoted) .. '"' end
  local inner = templates.source_of(text, tree.inner)
  -- Outside of brackets an expression ends with its line, so an expression of several lines gets parentheses.
  return check.parsed("x = " .. inner .. "\n", { limits = w.limits }) and inner or "(" .. inner .. ")"
end

local function key_text(w, key)
  local text = string_text(w, key.inner)
  local word = text:match '^"(.*)"$'
  if word then return core.name_columns(word) and core.key_source(word) or text end
  return "(" .. text .. ")"
end

local function is_plain(node)
  return node.kind ~= "object" and node.kind ~= "tuple"
end

local write_value

local function write_tuple(w, node, words)
  local lines = false
  for _, element in ipairs(node.elements) do lines = lines or not is_plain(element) end
  put(w, "[", lines and "\n" or "")
  for i, element in ipairs(node.elements) do
    write_value(w, element, words)
    put(w, lines and ",\n" or i < #node.elements and ", " or "")
  end
  put(w, "]")
end

local function write_object(w, node, words)
  local seen = {}
  put(w, "{", #node.items > 0 and "\n" or "")
  for i = 1, #node.items, 2 do
    local key = key_text(w, node.items[i])
    -- A body in JSON rejects a repeated key, but in native syntax the last one would count.
    if seen[key] then fail(w, node.items[i], key .. " is in this object twice.") end
    seen[key] = true
    put(w, key, " = ")
    write_value(w, node.items[i + 1], words == true or words and words[key])
    put(w, "\n")
  end
  put(w, "}")
end

function write_value(w, node, words)
  local kind = node.kind
  if kind == "object" then return write_object(w, node, words) end
  if kind == "tuple" then return write_tuple(w, node, words) end
  if kind == "string" then return put(w, string_text(w, node, words)) end
  put(w, kind == "number" and node.text or kind == "bool" and tostring(node.value) or "null")
end

-- Bodies

local write_body

local function name_of(key) return key.inner.text end

-- Begins an item: blocks are separated from other items by an empty line.
local function begin(w, kind)
  if w.last and (kind == "block" or w.last == "block") then put(w, "\n") end
  w.last = kind
end

local function write_comment(w, node)
  begin(w, "argument")
  for line in (node.kind == "string" and node.text or ""):gmatch "[^\r\n]+" do put(w, "# ", line, "\n") end
end

local function write_attribute(w, key, value, shape, seen)
  local name = name_of(key)
  if not core.name_columns(name) then
    return fail(w, key, core.quote(name) .. " can't be the name of an argument, which is a plain word.")
  end
  if seen[name] then return fail(w, key, core.quote(name) .. " is here twice. Remove one of the two.") end
  seen[name] = true
  begin(w, "argument")
  put(w, name, " = ")
  write_value(w, value, shape.words[name] or shape.keys)
  put(w, "\n")
end

-- Writes the blocks of a type. `value` has a level of objects for each label, and then a body or an array of bodies; arrays may be at any
-- level. `level` is the number of labels that follow. If it is nil, the keys of objects outside of arrays are labels.
local function write_blocks(w, head, value, shape, level)
  if value.kind == "tuple" then
    for _, element in ipairs(value.elements) do write_blocks(w, head, element, shape, level or 0) end
  elseif value.kind == "object" and level ~= 0 then
    for i = 1, #value.items, 2 do
      write_blocks(w, head .. " " .. core.quote(name_of(value.items[i])), value.items[i + 1], shape, level and level - 1)
    end
  elseif value.kind == "object" then
    begin(w, "block")
    w.last = nil
    put(w, head, " {", #value.items > 0 and "\n" or "")
    write_body(w, value, shape, {})
    w.last = "block"
    put(w, "}\n")
  elseif value.kind ~= "null" then
    fail(w, value, "Blocks belong here: an object, or an array of objects.")
  end
end

local function write_items(w, object, shape, seen)
  for i = 1, #object.items, 2 do
    local key, value = object.items[i], object.items[i + 1]
    local name = name_of(key)
    local block = shapes.block_of(shape, name, value)
    if name == "//" then write_comment(w, value)
    elseif not block then write_attribute(w, key, value, shape, seen)
    elseif not core.name_columns(name) then fail(w, key, core.quote(name) .. " can't be the type of a block, which is a plain word.")
    else write_blocks(w, name, value, block.shape, block.labels) end
  end
end

-- Writes the body that consists of an object, or of several objects in an array. `seen` has the names of the body's arguments so far.
function write_body(w, node, shape, seen)
  if node.kind == "object" then return write_items(w, node, shape, seen) end
  if node.kind == "tuple" then
    for _, element in ipairs(node.elements) do write_body(w, element, shape, seen) end
  elseif node.kind ~= "null" then
    fail(w, node, "An object belongs here, whose properties are arguments and blocks.")
  end
end

local known_options = { filename = "string", dialect = { "terraform", "attributes" }, schema = "table", limits = "limits" }
local older = { schema = "dialect" }

-- The implementation of hcl.from_json; lua/hclexpr.lua documents it.
return function(source, options)
  local names_dialect = type(options) == "table" and type(options.schema) == "string"
  local o = check.options(2, "from_json", options, known_options, names_dialect and older or nil)
  if o.schema and o.dialect then check.fail(2, "from_json", "options 'dialect' and 'schema' exclude each other") end
  if o.schema then schemas.read(2, "from_json", o.schema) end
  local shape = shapes.of(o.schema or o.dialect)
  local root, body, shift = read_tree(source, o)
  if not root then return nil, body end
  local w = { out = {}, body = body, shift = shift, limits = o.limits }
  write_body(w, root, shape, {})
  if w.err then return nil, w.err end
  return core.format(concat(w.out), o.limits, o.filename)
end
