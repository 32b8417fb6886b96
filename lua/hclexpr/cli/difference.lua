-- Shows the difference between two values as a plan does: lines begin with `+`, `~` or `-`, names are aligned, nested blocks are written as
-- blocks, unchanged parts are left out and counted.
local core = require "hclexpr.core"
local typed_values = require("hclexpr.lazy") "hclexpr.terraform.schema.typed_values"

local difference = {}

local HIDDEN, LATER = "(sensitive value)", "(known after apply)"
local BECOMES_SECRET, NO_LONGER_SECRET = " # becomes sensitive, otherwise unchanged", " # no longer sensitive, otherwise unchanged"

---@class hclexpr.cli.Lines
---@field add fun(level: integer, sign: string, text: string)
---@field gap fun() an empty line, except before the first in a body
---@field untyped? boolean no schema gives the shown values a type. Reference: then a map is shown as an object

-- Values

local function is_there(v)
  v = v and v:unmark()
  return v ~= nil and v:is_known() and not v:is_null()
end

local scalar = { string = true, number = true, bool = true }
local keyed = { object = true, map = true }

-- Returns the brackets around the parts of a value; nil if the value is shown as one word or text.
local function brackets(v)
  if core.is_marked(v) or not is_there(v) then return nil end
  local kind = core.kind(v)
  if scalar[kind] or kind == "capsule" then return nil end
  return keyed[kind] and "{}" or "[]"
end

local function word(v)
  if core.is_marked(v) then return HIDDEN end
  if not v:is_known() then return LATER end
  if v:is_null() then return "null" end
  local kind = core.kind(v)
  if kind == "string" then return core.quote(v:text()) end
  return scalar[kind] and v:text() or tostring(v)
end

local function same_but_secrecy(a, b)
  return typed_values.bare(a) == typed_values.bare(b)
end

local function same(a, b)
  return same_but_secrecy(a, b) and typed_values.same_secrecy(a, b)
end

-- Returns the lines of a text, without the last newline, and whether a newline ends the text; nil for a text of one line and for any other
-- value.
local function lines_of(v)
  if core.is_marked(v) or not is_there(v) or core.kind(v) ~= "string" then return nil end
  local text = v:text()
  if not text:find("\n", 1, true) then return nil end
  local list, rest = {}, text:match "^(.*)\n$" or text
  for line in (rest .. "\n"):gmatch "(.-)\n" do list[#list + 1] = line end
  return list, rest ~= text
end

-- Caches, which save 2 % of a plan of many instances: the text that shows a key, for maps and for others; the number of characters of a
-- text; spaces by their number. A process prints one plan, so nothing clears the caches.
local names_of_maps, names_of_others, characters, spaces = {}, {}, {}, {}

local function name_of(key, kind)
  local known = kind == "map" and names_of_maps or names_of_others
  local name = known[key]
  if not name then
    local bare = kind ~= "map" and type(key) == "string" and core.name_columns(key)
    name = bare and key or core.quote(tostring(key))
    known[key] = name
  end
  return name
end

--- Pads a name with spaces. Reference: `width` is the largest number of bytes of a name in the list, but the padding counts characters.
---@param name string
---@param width integer
---@return string
local function pad(name, width)
  local n = characters[name]
  if not n then
    n = select(2, name:gsub("[^\128-\191]", ""))
    characters[name] = n
  end
  n = width - n
  spaces[n] = spaces[n] or (" "):rep(n)
  return name .. spaces[n]
end
difference.pad = pad

-- One value, all of whose lines have the same sign

local one

-- Returns the parts of an object or map by their keys. Adds the keys that `others` lacks to `keys`.
local function parts_of(v, keys, others)
  local parts = {}
  for key, part in v:pairs() do
    parts[key] = part
    if others[key] == nil then keys[#keys + 1] = key end
  end
  return parts
end

local none = {}

-- Returns the keys of two objects or maps in order, and the parts of each.
local function both_parts(before, after)
  local keys = {}
  local was = parts_of(before, keys, none)
  local is = parts_of(after, keys, was)
  table.sort(keys)
  return keys, was, is
end

-- Returns the texts that show keys, and the width of the longest. old, new: the kinds of the two values that have the keys; was: the parts
-- of the old one. If out.untyped is true, maps are shown as objects.
local function names_of(out, keys, old, new, was)
  local names, width = {}, 0
  if out.untyped then old, new = nil, nil end
  for i, key in ipairs(keys) do
    local name = name_of(key, was[key] and old or new)
    names[i] = name
    if #name > width then width = #name end
  end
  return names, width
end

local function inner(out, level, sign, v)
  local kind = core.kind(v)
  if not keyed[kind] then
    for _, element in v:pairs() do one(out, level, sign, "", element, ",") end
    return
  end
  local keys, words = core.words(v)
  local names, width = names_of(out, keys, nil, kind, none)
  for i, key in ipairs(keys) do
    local prefix = pad(names[i], width) .. " = "
    if words[i] then out.add(level, sign, prefix .. words[i]) else one(out, level, sign, prefix, v:get(key), "") end
  end
end

local function heredoc(out, level, sign, prefix, lines, ended, suffix)
  out.add(level, sign, prefix .. (ended and "<<-EOT" or "<<-EOT (without a newline at its end)"))
  for _, line in ipairs(lines) do out.add(level + 1, "", line) end
  out.add(level, "", "EOT" .. suffix)
end

-- Returns the known parts of a partly unknown object: a resource without a schema, or a part of one. Returns nil for any other value.
local function known_of(v)
  local known = not core.is_marked(v) and not v:is_known() and v:refinements().attributes
  return known and #known > 0 and known or nil
end

-- Shows one value. inside: the sign of the lines between its brackets.
function one(out, level, sign, prefix, v, suffix, inside)
  local short = core.word(v) -- enough for most values; the code below would do the same in twenty calls
  if short then return out.add(level, sign, prefix .. short .. suffix) end
  local known = known_of(v)
  if known then
    out.add(level, sign, prefix .. "{")
    inner(out, level + 1, inside or sign, known)
    out.add(level + 1, "", "# (others known after apply)")
    return out.add(level, "", "}" .. suffix)
  end
  local around, lines, ended = brackets(v), lines_of(v)
  if lines then return heredoc(out, level, sign, prefix, lines, ended, suffix) end
  if not around or #v == 0 then return out.add(level, sign, prefix .. (around or word(v)) .. suffix) end
  out.add(level, sign, prefix .. around:sub(1, 1))
  inner(out, level + 1, inside or sign, v)
  out.add(level, "", around:sub(2) .. suffix)
end

-- Two values

local function count_hidden(out, level, n, what)
  if n > 0 then out.add(level, "", ("# (%d unchanged %s%s hidden)"):format(n, what, n == 1 and "" or "s")) end
end

local two

local function two_keyed(out, level, before, after)
  local keys, old, new = both_parts(before, after)
  local names, width = names_of(out, keys, core.kind(before), core.kind(after), old)
  local hidden = 0
  for i, key in ipairs(keys) do
    local was, is = old[key], new[key]
    local prefix = pad(names[i], width) .. " = "
    if was and is and same(was, is) then hidden = hidden + 1
    elseif was and is then two(out, level, prefix, was, is, "")
    else one(out, level, was and "-" or "+", prefix, was or is, "") end
  end
  count_hidden(out, level, hidden, "element")
end

local function elements_of(v)
  local list = {}
  for _, element in v:pairs() do list[#list + 1] = element end
  return list
end

-- Returns how many elements are the same at the beginning of two lists, and how many at the end.
local function common(before, after)
  local shorter, first, last = math.min(#before, #after), 0, 0
  while first < shorter and same(before[first + 1], after[first + 1]) do first = first + 1 end
  while last < shorter - first and same(before[#before - last], after[#after - last]) do last = last + 1 end
  return first, last
end

-- Removes the elements that two lists have in common; returns the rest of both and the number of the removed ones.
local function without_same(before, after)
  local left, gone, used = {}, {}, {}
  for _, element in ipairs(before) do
    local found
    for i, other in ipairs(after) do
      if not used[i] and same(element, other) then
        found, used[i] = true, true
        break
      end
    end
    if not found then gone[#gone + 1] = element end
  end
  for i, other in ipairs(after) do
    if not used[i] then left[#left + 1] = other end
  end
  return gone, left, #before - #gone
end

local function two_listed(out, level, before, after)
  local was, is = elements_of(before), elements_of(after)
  if core.kind(before) == "set" then
    local hidden
    was, is, hidden = without_same(was, is)
    for _, element in ipairs(was) do one(out, level, "-", "", element, ",") end
    for _, element in ipairs(is) do one(out, level, "+", "", element, ",") end
    return count_hidden(out, level, hidden, "element")
  end
  local hidden, last = common(was, is)
  for i = hidden + 1, math.max(#was, #is) - last do
    local old, new = i <= #was - last and was[i], i <= #is - last and is[i]
    if old and new and same(old, new) then
      hidden = hidden + 1
    else
      count_hidden(out, level, hidden, "element")
      hidden = 0
      if old and new then two(out, level, "", old, new, ",") else one(out, level, old and "-" or "+", "", old or new, ",") end
    end
  end
  count_hidden(out, level, hidden + last, "element")
end

-- The number of unchanged lines that are shown around changed ones.
local CONTEXT = 2

local function two_texts(out, level, prefix, was, is, suffix)
  out.add(level, "~", prefix .. "<<-EOT")
  local shorter, first, last = math.min(#was, #is), 0, 0
  while first < shorter and was[first + 1] == is[first + 1] do first = first + 1 end
  while last < shorter - first and was[#was - last] == is[#is - last] do last = last + 1 end
  if first > CONTEXT then out.add(level + 1, "", "...") end
  for i = math.max(1, first - CONTEXT + 1), first do out.add(level + 1, "", was[i]) end
  for i = first + 1, #was - last do out.add(level + 1, "-", was[i]) end
  for i = first + 1, #is - last do out.add(level + 1, "+", is[i]) end
  for i = #is - last + 1, math.min(#is, #is - last + CONTEXT) do out.add(level + 1, "", is[i]) end
  if last > CONTEXT then out.add(level + 1, "", "...") end
  out.add(level, "", "EOT" .. suffix)
end

function two(out, level, prefix, before, after, suffix)
  local was_secret, is_secret = core.is_marked(before), core.is_marked(after)
  if was_secret or is_secret then
    local more = was_secret ~= is_secret and same_but_secrecy(before, after) and (is_secret and BECOMES_SECRET or NO_LONGER_SECRET) or ""
    return out.add(level, "~", prefix .. HIDDEN .. suffix .. more)
  end
  local was, is, old, new = brackets(before), brackets(after), lines_of(before), lines_of(after)
  if was and was == is then
    out.add(level, "~", prefix .. was:sub(1, 1))
    local put = was == "{}" and two_keyed or two_listed
    put(out, level + 1, before, after)
    out.add(level, "", was:sub(2) .. suffix)
  elseif old and new then
    two_texts(out, level, prefix, old, new, suffix)
  elseif (was or old) and (is or new) then
    one(out, level, "-", prefix, before, suffix)
    one(out, level, "+", prefix, after, suffix)
  elseif is or new then
    one(out, level, "~", prefix .. word(before) .. " -> ", after, suffix, "+")
  else
    one(out, level, "~", prefix, before, " -> " .. word(after) .. suffix, "-")
  end
end

--- Adds lines for a value that is new (before is nil), gone (after is nil), or changed.
---@param out hclexpr.cli.Lines
---@param level integer how far within blocks
---@param prefix string the text in front, such as "name = "
---@param before? hclexpr.Value
---@param after? hclexpr.Value
function difference.value(out, level, prefix, before, after)
  out.untyped = true
  if before and after then return two(out, level, prefix, before, after, "") end
  if before then return one(out, level, "-", prefix, before, " -> null") end
  one(out, level, "+", prefix, after, "")
end

-- Bodies: objects, with a schema that names their blocks

local body -- defined below: blocks have bodies

local function block_items(v)
  local kind = core.kind(v)
  if kind == "object" then return { v }, { "" } end
  local items, labels = {}, {}
  for key, element in v:pairs() do
    items[#items + 1] = element
    labels[#items] = kind == "map" and core.quote(key) .. " " or ""
  end
  return items, labels
end

local function put_block(out, level, shape, head, before, after, written)
  local sign = not before and "+" or not after and "-" or "~"
  local hidden = before and core.is_marked(before) or after and core.is_marked(after)
  local unknown = before and not is_there(before) or after and not is_there(after)
  out.gap()
  if unknown and not hidden then return out.add(level, sign, head .. LATER) end
  out.add(level, sign, head .. "{")
  if hidden then out.add(level + 1, "", "# " .. HIDDEN) else body(out, level + 1, shape, before, after, written) end
  out.add(level, "", "}")
end

-- Returns the pairs of blocks before and after: in a map those with the same labels, otherwise those at the same position. In a set, equal
-- blocks are left out, and all others are without a partner; the second result is the number of blocks left out.
local function paired(before, after)
  local was, was_labels, is, is_labels = {}, {}, {}, {}
  if before then was, was_labels = block_items(before) end
  if after then is, is_labels = block_items(after) end
  local rows, by_label, kind = {}, {}, core.kind(after or before)
  if kind == "set" then
    local gone, new, kept = without_same(was, is)
    for _, item in ipairs(gone) do rows[#rows + 1] = { label = "", before = item } end
    for _, item in ipairs(new) do rows[#rows + 1] = { label = "", after = item } end
    return rows, kept
  end
  for i, item in ipairs(was) do
    rows[i] = { label = was_labels[i], before = item }
    by_label[kind == "map" and was_labels[i] or i] = rows[i]
  end
  for i, item in ipairs(is) do
    local row = by_label[kind == "map" and is_labels[i] or i]
    if row then row.after = item else rows[#rows + 1] = { label = is_labels[i], after = item } end
  end
  return rows, 0
end

-- Writes the blocks of a type; returns how many are unchanged.
local function put_blocks(out, level, shape, type, before, after, written)
  local hidden = before and core.is_marked(before) or after and core.is_marked(after)
  local unknown = before and not before:is_known() or after and not after:is_known()
  if hidden or unknown then
    if before and after and same(before, after) then return 1 end
    if unknown and not hidden and is_there(before) and #before > 0 then
      for _, row in ipairs((paired(before, nil))) do put_block(out, level, shape, type .. " " .. row.label, row.before, nil, written) end
      before = nil
    end
    put_block(out, level, shape, type .. " ", before, after, written)
    return 0
  end
  local old, new = is_there(before) and before or nil, is_there(after) and after or nil
  if not old and not new then return 0 end
  local rows, kept = paired(old, new)
  for _, row in ipairs(rows) do
    if row.before and row.after and same(row.before, row.after) then kept = kept + 1
    else put_block(out, level, shape, type .. " " .. row.label, row.before, row.after, written) end
  end
  return kept
end

-- Returns true if nothing is shown for an attribute. Whether a marked value is null is a secret too, unless only the schema marks the value
-- and no file sets it. A write-only argument in a file is always shown.
local function is_empty(v, row, is_written)
  if v == nil then return true end
  if is_written and row and row.write_only then return false end
  if core.is_marked(v) and (is_written or not (row and row.sensitive)) then return false end
  return v:is_null()
end

-- Arguments that are shown although they are unchanged, because they identify the object.
local telling = { id = true, name = true }

local function attributes_of(shape, written, before, after)
  local rows, blocks = shape.attributes or none, shape.block_types or none
  local names, width, kept = {}, 0, 0
  local keys, old, new = both_parts(before, after)
  for _, name in ipairs(keys) do
    local was, is = old[name], new[name]
    local row, is_written = rows[name], written[name]
    if not blocks[name] and not (is_empty(was, row, is_written) and is_empty(is, row, is_written)) then
      local shown = name_of(name)
      width = math.max(width, #shown)
      local stays = was and is and same(was, is)
      if stays and not telling[name] then
        kept = kept + 1
      else
        names[#names + 1] = { shown = shown, was = was, is = is, stays = stays, only_written = row and row.write_only,
                              untyped = row and row.type == "dynamic" }
      end
    end
  end
  return names, width, kept
end

local WRITE_ONLY = "(write-only value)"

-- Writes the attributes of a body that exists before and after; returns how many are hidden.
local function put_changed(out, level, shape, before, after, written)
  local names, width, kept = attributes_of(shape, written, before, after)
  for _, row in ipairs(names) do
    local prefix = pad(row.shown, width) .. " = "
    out.untyped = row.untyped
    if row.only_written then out.add(level, "", prefix .. WRITE_ONLY)
    elseif row.stays then one(out, level, "", prefix, row.is, "")
    elseif row.was == nil or is_empty(row.was) then one(out, level, "+", prefix, row.is, "")
    elseif row.is == nil then one(out, level, "-", prefix, row.was, " -> null")
    else two(out, level, prefix, row.was, row.is, "") end
  end
  return kept
end

-- Writes the attributes of a body that is new or gone. Most are written by core functions, which make no Values.
local function put_attributes(out, level, shape, v, written, sign)
  local rows, blocks, suffix = shape.attributes or none, shape.block_types or none, sign == "-" and " -> null" or ""
  local keys, words = core.words(v)
  local shown, width = {}, 0
  for i, name in ipairs(keys) do
    local row, is_written, short = rows[name], written[name], words[i]
    local is_plain = short and short ~= HIDDEN and short ~= "null"
    if not blocks[name] and (is_plain or not is_empty(v:get(name), row, is_written)) then
      shown[i] = name_of(name)
      if #shown[i] > width then width = #shown[i] end
    end
  end
  for i, name in ipairs(keys) do
    if shown[i] then
      local prefix = pad(shown[i], width) .. " = "
      local row = rows[name]
      local short = row and row.write_only and WRITE_ONLY or words[i] and words[i] .. suffix
      out.untyped = row and row.type == "dynamic"
      if short then out.add(level, sign, prefix .. short) else one(out, level, sign, prefix, v:get(name), suffix) end
    end
  end
end

--- Adds lines for the arguments and blocks of a body that is new, gone or changed.
---@param out hclexpr.cli.Lines
---@param level integer
---@param shape table of a schema: its `block_types` are blocks
---@param before? hclexpr.Value an object
---@param after? hclexpr.Value
---@param written table<string, any> names of the written arguments
function body(out, level, shape, before, after, written)
  local blocks, kept = shape.block_types or none, 0
  if before and after then kept = put_changed(out, level, shape, before, after, written)
  else put_attributes(out, level, shape, before or after, written, before and "-" or "+") end
  count_hidden(out, level, kept, "attribute")
  if next(blocks) == nil then return end
  local types = {}
  for type in pairs(blocks) do types[#types + 1] = type end
  table.sort(types)
  kept = 0
  for _, type in ipairs(types) do
    local was, is = before and before:get(type), after and after:get(type)
    if was or is then kept = kept + put_blocks(out, level, blocks[type].block or none, type, was, is, written) end
  end
  if kept > 0 then out.gap() end
  count_hidden(out, level, kept, "block")
end
difference.body = body

return difference
