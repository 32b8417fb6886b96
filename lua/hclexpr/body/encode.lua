-- hcl.encode: writes Lua data as HCL source. The source is an expression with the same value, or a body of attributes and blocks.
local core = require "hclexpr.core"
local check = require "hclexpr.check"
local copied = require("hclexpr.util").copied
local schemas = require "hclexpr.body.schema"

-- The greatest depth of nested blocks. Schemas may contain themselves; data that contains itself is rejected separately.
local MAX_LEVEL = 1000

-- Shortens a long path to its last steps. If the last step alone is too long, keeps its end, from the start of a character on.
local function end_of(path)
  return path:match("[%.%[].*$", -100) or path:sub(-100):gsub("^[\128-\191]+", "")
end

local function fail(path, text)
  if #path > 120 then path = "…" .. end_of(path) end
  return nil, core.diagnose("ENCODE_BODY", nil, nil, path .. ": " .. text)
end

local function an(kind)
  return (kind:find "^[aeiou]" and "an " or "a ") .. kind
end

local function dotted(path, key)
  if core.name_columns(key) then return path .. "." .. key end
  return path .. "[" .. core.quote(key) .. "]"
end

-- Returns the keys of an object in order, and the object's values by key; or nil and the reason.
local function members(x, path)
  local kind = core.data_kind(x)
  if kind ~= "object" then return fail(path, "This is " .. an(kind) .. ", and a body is written from a table with strings as keys.") end
  local keys, by_key = {}, x
  if type(x) == "table" then
    for key in next, x do
      if type(key) ~= "string" then
        return fail(path, "The table has a key of type " .. type(key) .. ", and a body is written from a table with strings as keys.")
      end
      keys[#keys + 1] = key
    end
  else
    by_key = {}
    for key, value in x:pairs() do
      keys[#keys + 1] = key
      by_key[key] = value
    end
  end
  table.sort(keys)
  return keys, by_key
end

-- Returns the elements of an array as a list.
local function elements(x)
  if type(x) == "table" then return x end
  local list = {}
  for _, value in x:pairs() do list[#list + 1] = value end
  return list
end

-- The parameter `w` below is a writer, with the fields: out = lines; first = number of lines before each level's items; indent = spaces per
-- level; one_line = true if each value is on one line; limits; blanks = the number of spaces that alignment may still add; busy = the
-- tables being written.
local function margin(w, level)
  return (" "):rep(w.indent * level)
end

local function add(w, line)
  w.out[#w.out + 1] = line
end

-- Writes attributes. The `=` of neighbours that take one line each are aligned, as by the formatter.
local function write_attributes(w, names, by_key, level, path)
  local texts, widths, columns = {}, {}, {}
  for i, name in ipairs(names) do
    widths[i] = core.name_columns(name)
    if not widths[i] then
      return fail(dotted(path, name), "The name of an argument is a plain word, but this isn't one. Put it into an object of its own.")
    end
    local text, err = core.encode(rawget(by_key, name), dotted(path, name), not w.one_line and w.indent or nil, level, false, w.limits)
    if not text then return nil, err end
    texts[i] = text
  end
  local from = 1
  for i = 1, #names + 1 do
    if not texts[i] or texts[i]:find("\n", 1, true) then
      local widest = 0
      for j = from, i - 1 do widest = math.max(widest, widths[j]) end
      for j = from, i - 1 do columns[j] = widest end
      columns[i], from = widths[i], i + 1
    end
  end
  for i, name in ipairs(names) do
    local blanks = columns[i] - widths[i]
    w.blanks = w.blanks - blanks
    if w.blanks < 0 then
      return nil, core.diagnose("LIMIT_OUTPUT", nil, nil, "Long names take many spaces to align those beside them, more than " ..
        "limits.output has bytes. Make the names shorter, or raise limits.output.")
    end
    add(w, margin(w, level) .. name .. (" "):rep(blanks) .. " = " .. texts[i])
  end
  return true
end

local write_body

-- Takes the labels that are fields out of a block's data: from the label with number `from` on. Returns these labels, and the other fields.
local function take_labels(names, from, x, path)
  if #names < from then return {}, x end
  local keys, by_key = members(x, path)
  if not keys then return nil, by_key end
  local labels, rest = {}, {}
  for _, key in ipairs(keys) do rest[key] = rawget(by_key, key) end
  for i = from, #names do
    local label = rest[names[i]]
    if label == nil then return fail(path, "The block needs its label, the field '" .. names[i] .. "'.") end
    if core.data_kind(label) ~= "string" then
      return fail(dotted(path, names[i]), "A block's label is a string, but this is " .. an(core.data_kind(label)) .. ".")
    end
    if type(label) ~= "string" then label = label:text() end
    labels[#labels + 1] = label
    rest[names[i]] = nil
  end
  return labels, rest
end

-- Writes one block. `labels` has the labels that are keys of the tables around the block.
local function write_block(w, kind, labels, x, level, path)
  local more, rest = take_labels(kind.labels, #labels + 1, x, path)
  if not more then return nil, rest end
  if not core.name_columns(kind.type) then return fail(path, "A block's type is a plain word, but this isn't one.") end
  local head = margin(w, level) .. kind.type
  for i = 1, #labels + #more do
    local label = labels[i] or more[i - #labels]
    if not core.is_text(label) then return fail(path, "A label is not well-formed UTF-8.") end
    head = head .. " " .. core.quote(label)
  end
  if #w.out > w.first[level] then add(w, "") end
  add(w, head .. " {")
  local n = #w.out
  local ok, err = write_body(w, rest, kind.schema, level + 1, path)
  if not ok then return nil, err end
  if #w.out == n then w.out[n] = head .. " {}" else add(w, margin(w, level) .. "}") end
  return true
end

-- Writes all blocks of a type. Their data is an array of blocks or the table of a single block, or tables with a level for each label
-- around these.
local function write_blocks(w, kind, labels, x, level, path)
  local what = core.data_kind(x)
  if what == "null" then return true end
  if what == "array" then
    for i, element in ipairs(elements(x)) do
      local ok, err = write_block(w, kind, labels, element, level, path .. "[" .. i - 1 .. "]")
      if not ok then return nil, err end
    end
    return true
  end
  if #labels == #kind.labels or kind.nesting == "single" then return write_block(w, kind, labels, x, level, path) end
  local keys, by_key = members(x, path)
  if not keys then return nil, by_key end
  for _, key in ipairs(keys) do
    local deeper = copied(labels)
    deeper[#deeper + 1] = key
    local ok, err = write_blocks(w, kind, deeper, rawget(by_key, key), level, dotted(path, key))
    if not ok then return nil, err end
  end
  return true
end

local function write_items(w, x, schema, level, path)
  local keys, by_key = members(x, path)
  if not keys then return nil, by_key end
  local names, types = {}, {}
  for _, key in ipairs(keys) do
    local to = schema.blocks and schema.blocks[key] and types or names
    to[#to + 1] = key
  end
  w.first[level] = #w.out
  local ok, err = write_attributes(w, names, by_key, level, path)
  for i = 1, ok and #types or 0 do
    local row = schema.blocks[types[i]]
    local kind = { type = types[i], labels = row.labels or {}, nesting = row.nesting, schema = row.schema or {} }
    ok, err = write_blocks(w, kind, {}, rawget(by_key, types[i]), level, dotted(path, types[i]))
    if not ok then break end
  end
  return ok, err
end

function write_body(w, x, schema, level, path)
  if type(x) ~= "table" then return write_items(w, x, schema, level, path) end
  if w.busy[x] then return fail(path, "The table is inside itself, and a body is finite. Break the cycle.") end
  if level > MAX_LEVEL then return fail(path, "Blocks nest deeper here than " .. MAX_LEVEL .. " levels.") end
  w.busy[x] = true
  local ok, err = write_items(w, x, schema, level, path)
  w.busy[x] = nil
  return ok, err
end

-- The default of limits.output.
local OUTPUT = 2 ^ 24

local encode_options = { indent = "indent", blocks = "table", attributes_only = "boolean", limits = "limits" }

-- Reads the option `blocks`, which is a schema or only a schema's field `blocks`. Returns the schema.
local function schema_of(blocks)
  for key in next, blocks do
    if key ~= "attributes" and key ~= "blocks" then return { blocks = blocks } end
  end
  return blocks
end

-- The implementation of hcl.encode; lua/hclexpr.lua documents it.
local function encode(x, options)
  if x == nil then check.fail(1, "encode", "value expected, got nil; null is hcl.null") end
  local o = check.options(2, "encode", options, encode_options)
  if o.blocks and o.attributes_only then check.fail(2, "encode", "options 'blocks' and 'attributes_only' exclude each other") end
  local indent = o.indent == nil and 2 or o.indent
  if not (o.blocks or o.attributes_only) then return core.encode(x, "value", indent or nil, 0, true, o.limits) end
  local schema = o.blocks and schema_of(o.blocks) or {}
  schemas.read(2, "encode", schema)
  local w = { out = {}, first = {}, indent = indent or 2, one_line = not indent, limits = o.limits, busy = {},
    blanks = o.limits and o.limits.output or OUTPUT }
  local ok, err = write_body(w, x, schema, 0, "value")
  if not ok then return nil, err end
  add(w, "")
  return table.concat(w.out, "\n")
end

return encode
