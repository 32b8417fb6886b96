-- Values, bodies and references of the module in the encoding of the recorded cases: numbers as decimal text, unknown values as
-- { ["$unknown"] = refinements }, marks separately, ranges as six numbers.
local cjson = require "cjson"

local M = {}

local is_sequence = { list = true, tuple = true, set = true }
local is_mapping = { map = true, object = true }

-- Reads a type's JSON as a Lua value. cjson reads only documents, so it is wrapped.
function M.type(t)
  return cjson.decode("[" .. t:json() .. "]")[1]
end

local function refinements(v)
  local r, out = v:refinements() or {}, {}
  if r.not_null then out.not_null = true end
  if r.prefix and r.prefix ~= "" then out.prefix = r.prefix end
  if r.min then out.min = { M.value(r.min), r.min_inclusive and true or false } end
  if r.max then out.max = { M.value(r.max), r.max_inclusive and true or false } end
  if r.min_length and r.min_length > 0 then out.min_length = r.min_length end
  out.max_length = r.max_length
  return out
end

function M.value(v)
  v = v:unmark()
  if not v:is_known() then return { ["$unknown"] = refinements(v) } end
  if v:is_null() then return cjson.null end
  local kind = v:type():kind()
  if kind == "bool" then return v:text() == "true" end
  if kind == "string" then return v:text() end
  if kind == "number" then return (v:text():gsub("^%+", "")) end
  if kind == "capsule" then return { ["$capsule"] = "type", of = M.type(v:lua()) } end
  local out = {}
  if is_sequence[kind] then
    for _, element in v:pairs() do out[#out + 1] = M.value(element) end
  else
    for key, element in v:pairs() do out[key] = M.value(element) end
  end
  return out
end

local function gather_marks(v, path, out)
  local names = v:marks()
  if #names > 0 then
    local steps = {}
    for i, step in ipairs(path) do steps[i] = step end
    out[#out + 1] = { path = steps, marks = names }
  end
  v = v:unmark()
  local kind = v:type():kind()
  if not v:is_known() or v:is_null() or not (is_mapping[kind] or kind == "list" or kind == "tuple") then return out end
  for key, element in v:pairs() do
    path[#path + 1] = key
    gather_marks(element, path, out)
    path[#path] = nil
  end
  return out
end

-- Array of { path =, marks = }, as in the cases.
function M.marks(v)
  return gather_marks(v, {}, {})
end

-- The same as a set, to compare without order.
function M.mark_set(list)
  local out = {}
  for _, mark in ipairs(list or {}) do
    local steps = {}
    for i, step in ipairs(mark.path) do steps[i] = type(step) == "number" and ("%d"):format(step) or step end
    table.sort(mark.marks)
    out[#steps .. "\1" .. table.concat(steps, "\0")] = table.concat(mark.marks, ",")
  end
  return out
end

function M.range(r)
  return r and { r.start.line, r.start.column, r.start.byte, r.stop.line, r.stop.column, r.stop.byte }
end

local function ranges(list)
  local out = {}
  for i, r in ipairs(list or {}) do out[i] = M.range(r) end
  return out
end

function M.references(expr)
  local out = {}
  for i, r in ipairs(expr:references()) do out[i] = { path = r.path, range = M.range(r.range) } end
  return out
end

local function attribute(v)
  local marks = M.marks(v)
  return { type = M.type(v:type()), value = M.value(v), marks = #marks > 0 and marks or nil }
end

-- All attributes of a body in source order, as the reference evaluates them; the diagnostics of those that fail are added to errors.
function M.attributes(body, variables, scope, errors, each)
  local list = {}
  for name, a in pairs(body.attributes) do
    local r = a.name_range
    list[#list + 1] = { name = name, attribute = a, at = r and r.start.byte or 0 }
  end
  table.sort(list, function(a, b)
    if a.at ~= b.at then return a.at < b.at end
    return a.name < b.name
  end)
  for _, item in ipairs(list) do
    local v, err = item.attribute:value(variables, scope)
    if v then
      each(item.name, item.attribute, attribute(v))
    else
      for _, d in ipairs(err) do errors[#errors + 1] = d end
    end
  end
end

function M.body(body, variables, scope, errors)
  local out = { attributes = {}, blocks = {} }
  M.attributes(body, variables, scope, errors, function(name, a, view)
    view.name_range, view.expr_range = M.range(a.name_range), M.range(a.expression:range())
    out.attributes[name] = view
  end)
  for i, b in ipairs(body.blocks) do
    local labels = {}
    for j, label in ipairs(b.labels) do labels[j] = label end
    out.blocks[i] = {
      type = b.type, labels = labels, type_range = M.range(b.type_range), label_ranges = ranges(b.label_ranges),
      open_brace = M.range(b.open_brace_range), close_brace = M.range(b.close_brace_range),
      body = M.body(b.body, variables, scope, errors),
    }
  end
  return out
end

local function by_place(list, place)
  table.sort(list, function(a, b) return place(a) < place(b) end)
  return list
end

-- A body as written, without evaluating: mode "tree" of tools/oracle.
function M.tree(body)
  local attributes, blocks = {}, {}
  for name, a in pairs(body.attributes) do
    attributes[#attributes + 1] = {
      name = name, range = M.range(a.range), name_range = M.range(a.name_range), expr_range = M.range(a.expression:range()),
      refs = M.references(a.expression),
    }
  end
  for i, b in ipairs(body.blocks) do
    local labels = {}
    for j, label in ipairs(b.labels) do labels[j] = label end
    blocks[i] = {
      type = b.type, labels = labels, range = M.range(b.range), type_range = M.range(b.type_range), label_ranges = ranges(b.label_ranges),
      open_brace = M.range(b.open_brace_range), close_brace = M.range(b.close_brace_range), body = M.tree(b.body),
    }
  end
  return {
    range = M.range(body:range()), attributes = by_place(attributes, function(a) return a.name_range[3] end), blocks = blocks,
  }
end

-- Items made by dynamic expansion or from JSON have no places of their own.
function M.without_ranges(view)
  for _, a in pairs(view.attributes) do a.name_range, a.expr_range = nil, nil end
  for _, b in ipairs(view.blocks) do
    b.type_range, b.label_ranges, b.open_brace, b.close_brace = nil, nil, nil, nil
    M.without_ranges(b.body)
  end
  return view
end

-- For messages.
function M.text(x)
  local ok, text = pcall(cjson.encode, { x })
  return ok and text:sub(2, -2) or tostring(x)
end

return M
