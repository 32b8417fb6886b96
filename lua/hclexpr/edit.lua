-- hcl.edit: changes in a source of native syntax that leave every other byte as it is.
--
-- Each change finds its item by the ranges that the parser gives, replaces one part of the text, and parses the result. The change is kept
-- only if the item is there as intended and nothing else broke. So a change takes time proportional to the length of the text.
--
-- A *trail* is an array of block numbers that leads to a body. A *margin* is the indentation of a line.
local core = require "hclexpr.core"
local check = require "hclexpr.check"
local fields = require "hclexpr.fields"
local files = require "hclexpr.files"
local lines = require "hclexpr.edit.lines"
local objects = require "hclexpr.edit.objects"
local path = require "hclexpr.edit.path"

local bom, eol_at, line_start, line_stop, lead_start = lines.bom, lines.eol_at, lines.line_start, lines.line_stop, lines.lead_start
local margin_at, shift, trim = lines.margin_at, lines.shift, lines.trim

--- An edit of a source; tostring returns its text. set: gives an attribute a value; a missing attribute is added below the last attribute
--- of its body. A string is source; any other value is written as by hcl.encode. A path may continue into objects and tuples that are
--- written as an attribute's value. remove: removes an item, the comment lines right above it and the comment at its end. append: adds
--- attributes and blocks, given as source, at the end of a block, or for the path "" at the end of the whole source. rename: changes the
--- path's last name, which may be an attribute's name, a block's label or a block's type. get: returns the source of an attribute's
--- expression or of a block.
---@class hclexpr.Edit
---@field set fun(self: hclexpr.Edit, path: hclexpr.Path, source: any): hclexpr.Edit?, hclexpr.Diagnostics?
---@field remove fun(self: hclexpr.Edit, path: hclexpr.Path): hclexpr.Edit?, hclexpr.Diagnostics?
---@field append fun(self: hclexpr.Edit, path: hclexpr.Path, source: string): hclexpr.Edit?, hclexpr.Diagnostics?
---@field rename fun(self: hclexpr.Edit, path: hclexpr.Path, name: string): hclexpr.Edit?, hclexpr.Diagnostics?
---@field get fun(self: hclexpr.Edit, path: hclexpr.Path): string?, hclexpr.Diagnostics?
local Edit = {}
Edit.__name = "hclexpr.Edit"
fields.seal(Edit, "Edit")

---@alias hclexpr.Path string|(string|integer)[]

-- By Edit: { text, body, err = the Diagnostics of the text or nil, filename, limits }.
local states = setmetatable({}, { __mode = "k" })

local function fail(name, text)
  return nil, core.diagnose(name, nil, nil, text)
end

local function fail_broken(what)
  return fail("EDIT_BROKEN", "The source is broken at " .. what .. ", so it is unclear what belongs to it. Correct the errors there first.")
end

local function fail_name(what, name)
  return fail("EDIT_NAME", what .. " can't be " .. core.quote(name) .. ": it is one word, without quotes.")
end

local function read(text, filename, limits)
  local body, err, partial = core.parse(text, { filename = filename, limits = limits })
  return body or partial, err
end

-- Returns the byte offsets, from 0, where a range begins and ends.
local function span(range)
  return range.start.byte, range.stop.byte
end

-- Bodies

local function last_attribute(body)
  local items = core.body_outline(body)
  for i = #items, 1, -1 do
    if items[i].attribute then return body.attributes[items[i].attribute] end
  end
  return nil
end

-- Returns true if a part of the source is sound. A broken source shows only its first errors, so the part to change is parsed by itself: it
-- must be complete, and only the end of its line or the closing brace of its block may follow it.
local function is_sound(state, range)
  if not state.err then return true end
  local start, stop = span(range)
  local at, other = line_stop(state.text, stop)
  if other and state.text:sub(at + 1, at + 1) ~= "}" then return false end
  return check.parsed(state.text:sub(start + 1, stop) .. "\n", { limits = state.limits }) ~= nil
end

-- Returns true if a block's head and closing brace are sound.
local function is_sound_block(state, block)
  if not state.err then return true end
  local head = state.text:sub(block.range.start.byte + 1, block.open_brace_range.stop.byte)
  local close = block.close_brace_range.start.byte
  return state.text:sub(close + 1, close + 1) == "}" and check.parsed(head .. "}\n", { limits = state.limits }) ~= nil
end

-- Returns true if a block's body begins on the line of its opening brace.
local function is_one_line(text, block)
  local _, other = line_stop(text, block.open_brace_range.stop.byte)
  return other
end

-- Returns the spaces of one more level of indentation, as used around a block.
local function indent_unit(state, block, trail)
  local margin = margin_at(state.text, block.range.start.byte)
  local depth = #trail - 1
  if depth > 0 and #margin > 0 and #margin % depth == 0 then return margin:sub(1, #margin / depth) end
  for _, other in ipairs(state.body.blocks) do
    local first = core.body_outline(other.body)[1]
    if first and not is_one_line(state.text, other) then
      local unit = margin_at(state.text, first.start)
      if unit ~= "" then return unit end
    end
  end
  return "  "
end

-- Changes. Each works on a copy of the state, which replaces the state on success.

-- Replaces the text between two offsets; is_done(body) checks the result.
local function replace(state, from, to, new, is_done)
  local text = state.text:sub(1, from) .. new .. state.text:sub(to + 1)
  local body, err = read(text, state.filename, state.limits)
  if not body or (err and #err > #(state.err or {})) then
    if not state.err then return nil, err end
    return fail_broken "this place"
  end
  if not is_done(body) then return fail_broken "this place" end
  state.text, state.body, state.err = text, body, err
  return true
end

-- Puts the body of a one-line block on lines of its own. `trail` leads to that body.
local function open_lines(state, block, trail)
  local text, open, close = state.text, block.open_brace_range.stop.byte, block.close_brace_range.start.byte
  local margin, eol, inner = margin_at(text, block.range.start.byte), eol_at(text, open), trim(text:sub(open + 1, close))
  if inner ~= "" then inner = margin .. indent_unit(state, block, trail) .. inner .. eol end
  return replace(state, open, close, eol .. inner .. margin, function(body)
    return path.follow(body, trail) ~= nil
  end)
end

-- Values of attributes

-- Reads a value to set at a path, or returns nil and Diagnostics. A value of several lines without brackets is put in parentheses.
local function read_value(state, source, steps)
  local expression, err = core.compile(source, { filename = "the new value of " .. path.show(steps), limits = state.limits })
  expression = expression or core.read(source .. "\n", nil, state.limits) -- a heredoc needs an end of line
  if not expression then return nil, err end
  local text = trim(source)
  if check.parsed("x = " .. text .. "\n", { limits = state.limits }) then return text end
  local _, open_end = core.code_lines(text)
  return "(" .. text .. (open_end and "\n)" or ")")
end

-- Fits a value into a line with a margin. Returns its text, the source of its expression, and whether the line must end after the value.
local function fit(state, value, margin)
  local text, open_end = shift(value, margin)
  local body = check.parsed("x = " .. text .. "\n", { limits = state.limits })
  return text, body and body.attributes.x.expression:source(), open_end
end

local function is_set(body, trail, name, source)
  local inner = path.follow(body, trail)
  local attribute = inner and inner.attributes[name]
  return attribute ~= nil and attribute.expression:source() == source
end

local function replace_value(state, place, value)
  local attribute, text = place.attribute, state.text
  if not is_sound(state, attribute.range) then return fail_broken("the attribute " .. attribute.name) end
  local start, stop = attribute.expression:range().start.byte, attribute.range.stop.byte
  local new, source, open_end = fit(state, value, margin_at(text, start))
  if open_end and not text:find("^\r?\n", stop + 1) then new = new .. eol_at(text, stop) end
  return replace(state, start, stop, new, function(body) return is_set(body, place.trail, attribute.name, source) end)
end

-- Returns the number of columns from the start of an attribute's name to its `=`, or nil if there is more than spaces between name and `=`.
local function equals_column(text, attribute)
  local gap = text:sub(attribute.name_range.stop.byte + 1, attribute.expression:range().start.byte):match "^( *)= *$"
  return gap and core.name_columns(attribute.name) + #gap
end

-- Returns the spaces before the `=` of a new attribute: aligned with the attribute above if both take one line each.
local function padding(text, name, value, above)
  local start, stop = 0, 0
  if above then start, stop = span(above.range) end
  if not above or value:find("\n", 1, true) or text:sub(start + 1, stop):find("\n", 1, true) then return " " end
  return (" "):rep(math.max(1, (equals_column(text, above) or 0) - core.name_columns(name)))
end

-- Returns the line end to insert before a new line, or "" if the offset is at the start of a line.
local function break_before(text, at)
  return (at == bom(text) or text:sub(at, at) == "\n") and "" or eol_at(text, at)
end

-- Returns the empty line to insert before a new item, or "". An empty line separates a block from the item before it.
local function gap_before(text, at, body, is_block)
  local items = core.body_outline(body)
  local last, above = items[#items], line_start(text, math.max(at - 1, 0))
  if not last or not (is_block or last.block) or text:sub(above + 1, at):find "^[ \t]*\r?\n$" then return "" end
  return eol_at(text, at)
end

-- Finds the place for a new attribute of a body. Returns the offset, the margin, the text before and after the new line, and the attribute
-- above; or nil if the place isn't certain. `block` is the block of the body; nil for the outermost body.
local function slot_for(state, body, block, trail)
  local text, above = state.text, last_attribute(body)
  if above then
    local stop, other = line_stop(text, above.range.stop.byte)
    if other or not is_sound(state, above.range) then return nil end
    return stop, margin_at(text, above.range.start.byte), break_before(text, stop), "", above
  end
  if not block then
    return #text, "", break_before(text, #text) .. gap_before(text, #text, body, false), ""
  end
  local margin = margin_at(text, block.range.start.byte) .. indent_unit(state, block, trail)
  if #body.blocks == 0 then return line_start(text, block.close_brace_range.start.byte), margin, "", "" end
  local stop = line_stop(text, block.open_brace_range.stop.byte)
  return stop, margin, "", text:find("^[ \t]*\r?\n", stop + 1) and "" or eol_at(text, stop)
end

-- Prepares a body for more lines: a one-line block is put on several lines. Returns the body, and its block unless it is the outermost
-- body; or nil, nil and Diagnostics.
local function make_room(state, place)
  local block, trail = place.block, place.inner_trail
  if block and not is_sound_block(state, block) then return nil, fail_broken("the block " .. block.type) end
  if block and is_one_line(state.text, block) then
    local ok, err = open_lines(state, block, trail)
    if not ok then return nil, nil, err end
  end
  return path.follow(state.body, trail)
end

local function insert_attribute(state, place, name, value)
  local block, trail = place.block, place.inner_trail
  for _, item in ipairs(core.body_outline(block and block.body or place.body)) do
    if item.block == name then
      return fail("EDIT_NAME", "There are blocks of the type " .. name .. " beside it, so an attribute can't have that name.")
    end
  end
  local body, err
  body, block, err = make_room(state, place)
  if not body then return nil, err end
  local at, margin, before, after, above = slot_for(state, body, block, trail)
  if not at then return fail_broken("the attribute " .. last_attribute(body).name) end
  local text, source = fit(state, value, margin)
  local eol = eol_at(state.text, at)
  local line = margin .. name .. padding(state.text, name, text, above) .. "= " .. text .. eol
  return replace(state, at, at, before .. line .. after, function(new) return is_set(new, trail, name, source) end)
end

local function all_but_last(steps)
  local outer = {}
  for i = 1, #steps - 1 do outer[i] = steps[i] end
  return outer
end

-- Returns true if the value takes several lines, or ends with a heredoc or comment, so that its line must end after it.
local function needs_lines(value)
  local _, open_end = core.code_lines(value)
  return open_end or value:find("\n", 1, true) ~= nil
end

-- Within values

-- Finds the attribute whose value contains what the steps name. Returns its place, and the number of the first step inside the value; or
-- nil if no step names an attribute.
local function attribute_above(state, steps)
  local outer = steps
  for n = #steps - 1, 1, -1 do
    outer = all_but_last(outer)
    local place = path.find(state.body, outer)
    if place and place.attribute and place.from == n then return place, n + 1 end
  end
end

-- Finds the part of an attribute's value that the steps name; or returns nil and Diagnostics.
local function member_of(place, steps, first)
  local member, missed, kind = objects.find(place.attribute, steps, first)
  if member then return member end
  local here, step = path.show(steps, missed - 1), path.show { steps[missed] }
  if kind then return fail("EDIT_PATH", ("%s is %s that has no %s."):format(here, kind, step)) end
  return fail("EDIT_PATH", ("%s is not written as an object or tuple that could have %s. Set it as a whole."):format(here, step))
end

-- Returns true if the value of a body's attribute contains what the steps name.
local function has_within(body, trail, name, steps, first)
  local inner = path.follow(body, trail)
  local attribute = inner and inner.attributes[name]
  local member = attribute and objects.find(attribute, steps, first)
  return member ~= nil and member.node ~= nil
end

local function change_within(state, place, from, to, new, is_done)
  if not is_sound(state, place.attribute.range) then return fail_broken("the attribute " .. place.attribute.name) end
  return replace(state, from, to, new, is_done)
end

-- Sets a member of an attribute's value, and checks that the value has the member afterwards.
local function set_within(state, place, steps, first, value)
  local member, err = member_of(place, steps, first)
  if not member then return nil, err end
  local text = state.text
  local from, to, new
  if needs_lines(value) and not value:find "^[%[{(]" then value = "(" .. value .. "\n)" end
  if member.node then
    from, to = objects.value_span(member)
    new = shift(value, margin_at(text, from))
  else
    from, to, new = objects.insert(text, member, steps[#steps], value)
  end
  return change_within(state, place, from, to, new, function(body)
    return has_within(body, place.trail, place.attribute.name, steps, first)
  end)
end

local function remove_within(state, place, steps, first)
  local member, err = member_of(place, steps, first)
  if not member then return nil, err end
  if not member.node then return fail("EDIT_PATH", path.show(steps) .. " is missing, so it can't be removed.") end
  local count = #(member.parent.items or member.parent.elements)
  local from, to = objects.removal_span(state.text, member)
  local outer = all_but_last(steps)
  return change_within(state, place, from, to, "", function(body)
    local inner = path.follow(body, place.trail)
    local attribute = inner and inner.attributes[place.attribute.name]
    local node = attribute and objects.node(attribute, outer, first)
    return node and #(node.items or node.elements or {}) == count - (node.items and 2 or 1)
  end)
end

-- Returns the source of a new value: a string is source already, and other Lua values are written as literals.
local function source_of(state, value)
  if type(value) == "string" then return value end
  return core.encode(value, "value", 2, 0, true, state.limits)
end

local function set(state, steps, given)
  local source, err = source_of(state, given)
  if not source then return nil, err end
  local value
  value, err = read_value(state, source, steps)
  if not value then return nil, err end
  local place = path.find(state.body, steps)
  if place and place.attribute then
    if place.owner and needs_lines(value) and is_one_line(state.text, place.owner) then
      local ok, why = open_lines(state, place.owner, place.trail)
      if not ok then return nil, why end
      place = path.find(state.body, steps)
    end
    return replace_value(state, place, value)
  end
  local above, first = attribute_above(state, steps)
  if above then return set_within(state, above, steps, first, value) end
  local name = steps[#steps]
  if type(name) ~= "string" then return fail("EDIT_PATH", "The path must end with the name of an attribute.") end
  local outer, id, text = path.find(state.body, all_but_last(steps), true)
  if not outer and place then
    return fail("EDIT_PATH", path.show(steps) .. " is a block. Only attributes are set; append() adds to a block.")
  end
  if not outer then return fail(id, text) end
  if not core.name_columns(name) then return fail_name("An attribute's name", name) end
  return insert_attribute(state, outer, name, value)
end

-- Removing

-- Returns where an item begins and ends, with the comment lines right above it and the rest of its last line. If other items are on its
-- lines, returns nil and the bounds of the item itself.
local function extent(state, place)
  local text = state.text
  local start, stop = span((place.attribute or place.block).range)
  local from = place.owner and place.owner.open_brace_range.stop.byte or bom(text)
  for _, item in ipairs(core.body_outline(place.body)) do
    if item.stop <= start then from = item.stop end
  end
  local line, last, other = math.max(line_start(text, start), bom(text)), line_stop(text, stop)
  if line < from or other then return nil, start, stop end
  local owner = place.owner
  local head = owner and line_stop(text, owner.open_brace_range.stop.byte) or bom(text)
  local foot = owner and line_start(text, owner.close_brace_range.start.byte) or #text
  return lines.removal(text, lead_start(text, line, from), last, head, foot)
end

local function count(body)
  local n = #body.blocks
  for _ in pairs(body.attributes) do n = n + 1 end
  return n
end

local function remove(state, steps)
  local place, id, text = path.find(state.body, steps)
  if not place then
    local above, first = attribute_above(state, steps)
    if above then return remove_within(state, above, steps, first) end
    return fail(id, text)
  end
  local item = place.attribute or place.block
  if not item then return fail("EDIT_PATH", "The path is empty. It must name what to remove.") end
  if not is_sound(state, item.range) then return fail_broken(path.show(steps)) end
  local from, to, stop = extent(state, place)
  if not from and place.owner and is_one_line(state.text, place.owner) then
    local open, close = place.owner.open_brace_range.stop.byte, place.owner.close_brace_range.start.byte
    from, to = to, state.text:match("^[ \t]*()", stop + 1) - 1
    if trim(state.text:sub(open + 1, from) .. state.text:sub(to + 1, close)) == "" then from, to = open, close end
  end
  if not from then return fail_broken(path.show(steps)) end
  local n = count(place.body)
  return replace(state, from, to, "", function(body)
    local inner = path.follow(body, place.trail)
    return inner and count(inner) == n - 1
  end)
end

-- Appending

-- Reads the items of a source to append. Returns the source without empty lines at its start and spaces at its end, nil, the number of
-- items, and whether the first one is a block; or nil and Diagnostics.
local function read_items(state, source)
  local body, err = core.parse(source, { limits = state.limits })
  body = body or core.parse(source .. "\n", { limits = state.limits })
  if not body then return nil, err end
  local items = core.body_outline(body)
  return source:gsub("^%s*\n", ""):match "^.*%S" or "", nil, #items, items[1] and items[1].block ~= nil
end

local function append(state, steps, source)
  local new, wrong, n, with_block = read_items(state, source)
  if not new then return nil, wrong end
  if new == "" then return true end
  local place, id, why = path.find(state.body, steps, true)
  if not place then return fail(id, why) end
  local body, block, err = make_room(state, place)
  if not body then return nil, err end
  local text, trail = state.text, place.inner_trail --[[@as integer[] ]]
  local at = block and line_start(text, block.close_brace_range.start.byte) or #text
  local margin = block and margin_at(text, block.range.start.byte) .. indent_unit(state, block, trail) or ""
  local before = break_before(text, at) .. (n > 0 and gap_before(text, at, body, with_block) or "")
  local had = count(body)
  return replace(state, at, at, before .. shift("\n" .. new, margin, true):sub(2) .. eol_at(text, at), function(changed)
    local inner = path.follow(changed, trail)
    return inner and count(inner) == had + n
  end)
end

-- Renaming

-- Writes a label: as a word if the old label was a word and the new name can be one, otherwise in quotes. Returns nil if the name isn't
-- UTF-8.
local function label_text(old, name)
  if old:sub(1, 1) ~= '"' and core.name_columns(name) then return name end
  return core.is_text(name) and core.quote(name) or nil
end

-- Returns true if an attribute on the line above or below has its `=` in the given column.
local function has_aligned_neighbour(text, body, attribute, column)
  local line = attribute.range.start.line
  for _, other in pairs(body.attributes) do
    local distance = math.abs(other.range.start.line - line)
    if distance == 1 and equals_column(text, other) == column then return true end
  end
  return false
end

local function rename_attribute(state, place, name)
  local attribute, text = place.attribute, state.text
  if not core.name_columns(name) then return fail_name("An attribute's name", name) end
  if place.body.attributes[name] and name ~= attribute.name then
    return fail("EDIT_NAME", "There is an attribute " .. name .. " already. Remove it first, or choose another name.")
  end
  local start, stop = span(attribute.name_range)
  local column, new = equals_column(text, attribute), name
  local gap = column and column - core.name_columns(attribute.name) or 0
  if gap > 1 or (gap == 1 and has_aligned_neighbour(text, place.body, attribute, column)) then
    new, stop = name .. (" "):rep(math.max(1, column - core.name_columns(name))), stop + gap
  end
  local source = attribute.expression:source()
  return replace(state, start, stop, new, function(body) return is_set(body, place.trail, name, source) end)
end

-- Renames a block's label, or its type if the path ends with the type.
local function rename_block(state, place, steps, name)
  local last = #steps
  while type(steps[last]) == "number" do last = last - 1 end
  local label = last - place.from
  local range = label == 0 and place.block.type_range or place.block.label_ranges[label]
  local start, stop = span(range)
  if label == 0 and not core.name_columns(name) then
    return fail_name("A block's type", name)
  end
  local new = label == 0 and name or label_text(state.text:sub(start + 1, stop), name)
  if not new then return fail("EDIT_NAME", "The label is not well-formed UTF-8.") end
  return replace(state, start, stop, new, function(body)
    local _, block = path.follow(body, place.inner_trail)
    return block and (label == 0 and block.type or block.labels[label]) == name
  end)
end

local function rename(state, steps, name)
  local place, id, text = path.find(state.body, steps)
  if not place then return fail(id, text) end
  if #steps == 0 then return fail("EDIT_PATH", "The path is empty. It must name what to rename.") end
  local sound = place.attribute and is_sound(state, place.attribute.range) or place.block and is_sound_block(state, place.block)
  if not sound then return fail_broken(path.show(steps)) end
  if place.attribute then return rename_attribute(state, place, name) end
  return rename_block(state, place, steps, name)
end

-- Reading

local function get(state, steps)
  local place, id, text = path.find(state.body, steps)
  if not place then
    local above, first = attribute_above(state, steps)
    if not above then return fail(id, text) end
    local member, err = member_of(above, steps, first)
    if not member then return nil, err end
    if not member.node then return fail("EDIT_PATH", path.show(steps) .. " is missing.") end
    local from, to = objects.value_span(member)
    return state.text:sub(from + 1, to)
  end
  if place.attribute then return place.attribute.expression:source() end
  if not place.block then return state.text end
  local start, stop = span(place.block.range)
  return state.text:sub(start + 1, stop)
end

-- The API

local function is_step(step)
  return type(step) == "string" or (type(step) == "number" and step >= 0 and step < 2 ^ 53 and step % 1 == 0)
end

-- Says what is wrong with the type of a path argument, or returns nil.
local function fault_of(p)
  if type(p) == "string" then return nil end
  if type(p) ~= "table" then return "string or table of steps expected, got " .. type(p) end
  local n = 0
  for _, step in next, p do
    if not is_step(step) then return "the steps of a path are strings, or whole numbers from 0 on" end
    n = n + 1
  end
  for i = 1, n do
    if rawget(p, i) == nil then return "a path is an array of steps, without holes or other keys" end
  end
  return nil
end

-- Makes a method that runs a change on a copy of the state, and keeps the copy on success. `argument_type` is the type of the method's
-- second argument, if it has one.
local function method(name, run, argument_type)
  return function(self, p, argument)
    check.self(name, "Edit", self, states[self])
    local fault = fault_of(p)
    if fault then check.fail(1, name, fault) end
    if argument_type == "string" then check.type(2, name, argument, "string") end
    if argument_type == "value" and argument == nil then check.fail(2, name, "source or value expected, got nil; null is hcl.null") end
    local steps, at = path.read(p)
    if not steps then
      return fail("EDIT_PATH", "The path " .. core.quote(p) .. " can't be read from character " .. at
        .. ' on. It is names with dots between them; names with other characters are quoted in brackets: resource["a.b"].web.ami')
    end
    for _, step in ipairs(steps) do
      if type(step) == "string" and not core.is_text(step) then
        return fail("EDIT_PATH", "The path " .. core.quote(path.show(steps)) .. " has bytes that aren't UTF-8, and so names nothing.")
      end
    end
    local state = {}
    for key, value in pairs(states[self]) do state[key] = value end
    local result, err = run(state, steps, argument)
    if not result then return nil, err end
    states[self] = state
    return result == true and self or result
  end
end

Edit.set = method("set", set, "value")
Edit.remove = method("remove", remove)
Edit.append = method("append", append, "string")
Edit.rename = method("rename", rename, "string")
Edit.get = method("get", get)
fields.guard(Edit, "Edit", false)

function Edit:__tostring()
  local state = states[self]
  return state and state.text or "hclexpr.Edit"
end

local edit_options = { filename = "string", syntax = { "native", "json" }, limits = "limits" }

local function fail_json()
  return fail("EDIT_JSON", "Only native syntax can be edited. Change JSON with a JSON module.")
end

-- The implementation of hcl.edit; lua/hclexpr.lua documents it.
local function edit(source, options)
  check.type(1, "edit", source, "string")
  local o = check.options(2, "edit", options, edit_options)
  if o.syntax == "json" or (o.syntax == nil and files.syntax_of(o.filename or "") == "json") then return fail_json() end
  local body, err = read(source, o.filename, o.limits)
  if err and source:find "^[%s\239\187\191]*[%[{]" then return fail_json() end
  if not body then return nil, err end
  local self = setmetatable({}, Edit)
  states[self] = { text = source, body = body, err = err, filename = o.filename, limits = o.limits }
  return self
end

return edit
