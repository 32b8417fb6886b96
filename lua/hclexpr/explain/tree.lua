-- expr:explain: makes a tree of the values of an expression's parts. The machine records the values in the order of evaluation, each part
-- after the parts inside it (csrc/vm/machine/record.h). This file arranges the records as the expression's tree.
local ast = require "hclexpr.ast"
local core = require "hclexpr.core"
local driver = require "hclexpr.driver"
local fields = require "hclexpr.fields"
local text = require "hclexpr.explain.text"

local explain = {}

local evaluate = driver.method(core.explain)

---@class hclexpr.Explanation tostring returns lines for people
---@field kind string a kind of expr:ast(), or "turn" for an iteration of a loop
---@field range? hclexpr.Range
---@field source string
---@field value? hclexpr.Value the value, with its marks
---@field summary? string describes a value that `value` doesn't have, such as a large collection
---@field failed? boolean true: the part has no value because it, or a part inside it, failed
---@field error? hclexpr.Diagnostics the error, if this part itself failed
---@field note? string an explanation that the value doesn't show
---@field origin? string where a named value comes from
---@field children hclexpr.Explanation[]
---@field unchosen? hclexpr.Explanation in a result of a conditional that isn't chosen: the node with its value; `forget` removes it

---@class hclexpr.ExplainOptions
---@field origin? fun(reference: hclexpr.Reference): string|hclexpr.Range|nil

local Explanation = { __name = "hclexpr.Explanation", __tostring = text.write }
local names = { "kind", "range", "source", "value", "summary", "failed", "error", "note", "origin", "children" }
local named = {}
for _, name in ipairs(names) do named[name] = true end
function Explanation.__index(_, key)
  if not named[key] then fields.missing("Explanation", {}, names, key, false) end
end
fields.seal(Explanation, "Explanation")

local DEEPEST = 100 -- levels of the tree

-- The syntax tree

-- Functions by the kind of a node, which return its children in the order of the source.
local parts_of = {
  template = function(n) return n.parts end,
  join = function(n) return { n.loop } end,
  relative = function(n) return { n.source } end,
  index = function(n) return { n.collection, n.key } end,
  splat = function(n) return { n.source, n.each } end,
  call = function(n) return n.args end,
  conditional = function(n) return { n.condition, n.yes, n.no } end,
  binary = function(n) return { n.left, n.right } end,
  unary = function(n) return { n.operand } end,
  tuple = function(n) return n.elements end,
  object = function(n)
    local parts = {}
    for _, item in ipairs(n.items) do
      -- A word before `=` is a name, not an expression.
      if item.kind ~= "key" then parts[#parts + 1] = item
      elseif item.forced or item.inner.kind ~= "traversal" then parts[#parts + 1] = item.inner end
    end
    return parts
  end,
  ["for"] = function(n) return { n.collection, n.key or n.value, n.key and n.value or n.condition, n.key and n.condition } end,
}

local varies = { traversal = true, call = true, item = true }

-- Makes the key that links a record with its node: kind and byte offsets.
local function name_of(kind, start, stop)
  return kind .. ":" .. start .. ":" .. stop
end

-- Numbers all nodes, so that a subtree has the numbers from `first` to `last`, and finds constant subtrees. It uses a stack instead of
-- recursion, because long chains of operators are deeply nested.
local function survey(root)
  local by_name, n, stack = {}, 0, { ast.past_wrappers(root) }
  while #stack > 0 do
    local node = stack[#stack]
    if not node.first then
      n = n + 1
      node.first = n
      by_name[name_of(node.kind, node.range.start.byte, node.range.stop.byte)] = node
      local find = parts_of[node.kind]
      node.nodes = {}
      for _, part in ipairs(find and find(node) or {}) do node.nodes[#node.nodes + 1] = ast.past_wrappers(part) end
      node.next_part = 0
    end
    node.next_part = node.next_part + 1
    local part = node.nodes[node.next_part]
    if part then
      stack[#stack + 1] = part
    else
      node.last = n
      node.live = varies[node.kind] or false
      for _, child in ipairs(node.nodes) do node.live = node.live or child.live end
      stack[#stack] = nil
    end
  end
  return by_name
end

-- Makes entries from records: each has a record and the entries of the parts inside it. The last entry is for the whole expression, unless
-- a limit ended the evaluation.
local function gather(records, by_name)
  local pending = {}
  for _, r in ipairs(records) do
    local node = by_name[name_of(r.kind, r.start, r.stop)]
    if node then
      local entry, first = { node = node, record = r }, #pending + 1
      while first > 1 and pending[first - 1].node.first > node.first and pending[first - 1].node.first <= node.last do first = first - 1 end
      for i = first, #pending do
        entry[#entry + 1] = pending[i]
        pending[i] = nil
      end
      pending[#pending + 1] = entry
    end
  end
  return pending
end

-- Returns the entry of a node, or nil; and the entries of its parts, which are in the node's entry, or otherwise among `entries`.
local function entries_of(node, entries)
  local own, within = nil, {}
  for _, entry in ipairs(entries) do
    local at = entry.node.first
    if at == node.first then own = entry end
    if at > node.first and at <= node.last then within[#within + 1] = entry end
  end
  return own, own or within
end

-- Divides entries among nodes, which are in order: each node gets the entries for itself and for the parts inside it.
local function divide(nodes, entries)
  local lists = {}
  for i = 1, #nodes do lists[i] = {} end
  for _, entry in ipairs(entries) do
    local low, high = 1, #nodes
    while low < high do
      local middle = math.floor((low + high) / 2)
      if entry.node.first > nodes[middle].last then low = middle + 1 else high = middle end
    end
    if nodes[low] and entry.node.first >= nodes[low].first and entry.node.first <= nodes[low].last then
      lists[low][#lists[low] + 1] = entry
    end
  end
  return lists
end

-- Values

-- Returns true if a value or a part of it passes the test. In large values only some parts are tested.
local function any(value, test)
  local left = 500
  local function look(v)
    left = left - 1
    if test(v) then return true end
    if left < 0 or core.is_marked(v) or not v:is_known() or v:is_null() then return false end
    local kind = core.kind(v)
    if kind == "string" or kind == "number" or kind == "bool" or kind == "capsule" then return false end
    for _, part in v:pairs() do
      if look(part) then return true end
      if left < 0 then return false end
    end
    return false
  end
  return look(value)
end

local function is_marked(v) return core.is_marked(v) end
local function is_unknown(v) return not core.is_marked(v) and not v:is_known() end

-- Returns the truth of a known bool or string, where only the text "true" is true; nil for any other value, and for a marked one.
local function truth(value)
  if not value or is_marked(value) or not value:is_known() or value:is_null() then return nil end
  local kind = core.kind(value)
  if kind == "bool" or kind == "string" then return value:text() == "true" end
  return nil
end

-- Makes the Value of a table that the evaluation read only partly, if the table is small and contains no functions.
local function value_of_table(t)
  local left, stack = 200, { t }
  while #stack > 0 do
    for _, x in next, table.remove(stack) do
      left = left - 1
      if left < 0 then return nil end
      if type(x) == "table" then stack[#stack + 1] = x end
    end
  end
  return (core.value(t))
end

-- The tree

local make

local function children_of(made, node, entries, job, depth)
  local lists = divide(node.nodes, entries)
  for i, part in ipairs(node.nodes) do
    if part.live and part.kind ~= "item" then made.children[#made.children + 1] = make(part, lists[i], job, depth + 1) end
  end
end

local function not_told(made, why)
  made.value, made.error, made.origin, made.children = nil, nil, nil, {}
  made.note = "hidden, since " .. why .. " is sensitive"
end

-- Marks a result as not evaluated. Its value is kept in `unchosen`, because its type may affect the type of the conditional (blame.lua).
local function not_evaluated(made)
  made.unchosen = { kind = made.kind, node = made.node, range = made.range, source = made.source, value = made.value,
                    children = made.children }
  made.value, made.error, made.origin, made.children = nil, nil, nil, {}
  made.note = "not evaluated"
end

local function by_node(made)
  local found = {}
  for _, child in ipairs(made.children) do found[child.node] = child end
  return found
end

local notes = {} -- functions by kind of node, which complete a node that has its children

function notes.conditional(made, node)
  local found, condition = by_node(made), node.nodes[1]
  local test, branches = found[condition], { found[node.nodes[2]], found[node.nodes[3]] }
  local value = test and test.value
  if test and value and is_marked(value) then
    for i = 1, 2 do if branches[i] then not_told(branches[i], "the condition") end end
    return
  end
  local taken = truth(value)
  if condition.kind == "bool" then taken = condition.value end
  if taken == nil then
    if test and value and not value:is_known() then test.note = "so either branch" end
    return
  end
  if test then test.note = taken and "so the first branch" or "so the second branch" end
  local other = branches[taken and 2 or 1]
  if other then not_evaluated(other) end
end

local deciding = { ["&&"] = false, ["||"] = true }

function notes.binary(made, node)
  local decides, decided = deciding[node.operator], false
  if decides == nil then return end
  for _, child in ipairs(made.children) do
    if child.failed and not made.failed then
      local secret
      for _, other in ipairs(made.children) do secret = secret or other.value and is_marked(other.value) and other.source end
      if secret then not_told(child, secret) else child.note = "dropped, since another operand decides" end
    elseif not decided and #made.children > 1 and truth(made.value) == decides and truth(child.value) == decides then
      child.note = "so the whole is " .. tostring(decides)
      decided = true
    end
  end
end

-- Hides an argument of sensitive(): its value and its parts.
local function hide(made)
  if made.failed then return end
  made.value, made.summary, made.children = nil, "(sensitive value)", {}
end

function notes.call(made, node)
  if node.name == "sensitive" or node.name == "core::sensitive" then
    for _, child in ipairs(made.children) do hide(child) end
  end
  if node.name ~= "try" and node.name ~= "can" then return end
  for _, child in ipairs(made.children) do
    if child.failed then child.note = "dropped by " .. node.name end
  end
end

-- By function: the number of the argument that is a type or a template text, and so has no value of its own.
local special = { convert = 2, templatestring = 1 }

local function call_children(made, node, entries, job, depth)
  children_of(made, node, entries, job, depth)
  local at = special[node.name]
  for i, child in ipairs(made.children) do
    if at and child.node == node.nodes[at] and not child.evaluated then
      table.remove(made.children, i)
      return
    end
  end
end

-- Makes the children of a binary operator. A chain of && or || is one node: `a && b && c` has three children.
local function binary_children(made, node, entries, job, depth)
  if deciding[node.operator] == nil then return children_of(made, node, entries, job, depth) end
  local operands = {}
  while true do
    local left, lists = node.nodes[1], divide(node.nodes, entries)
    operands[#operands + 1] = { node.nodes[2], lists[2] }
    if left.kind ~= "binary" or left.operator ~= node.operator then
      operands[#operands + 1] = { left, lists[1] }
      break
    end
    node, entries = left, select(2, entries_of(left, lists[1]))
  end
  for i = #operands, 1, -1 do
    if operands[i][1].live then made.children[#made.children + 1] = make(operands[i][1], operands[i][2], job, depth + 1) end
  end
end

-- Names an iteration of a loop, such as `k = "web"` or `v = [0]`.
local function turn_name(node, record)
  if record.secret then return node.value_name end
  local key = record.key and text.quote(record.key) or tostring(record.turn)
  if node.key_name then return node.key_name .. " = " .. key end
  return (node.value_name or "") .. (node.value_name and " = " or "") .. "[" .. key .. "]"
end

-- Returns the recorded iterations in order, each as an array of entries.
local function turns_of(entries)
  local turns = {}
  for _, entry in ipairs(entries) do
    local last, r = turns[#turns], entry.record
    if not last or last.turn ~= r.turn then
      last = { turn = r.turn, record = r }
      turns[#turns + 1] = last
    end
    last[#last + 1] = entry
  end
  return turns
end

local function add_turn(made, node, turn, job, depth)
  local row = { kind = "turn", source = turn_name(node, turn.record), range = node.range, children = {} }
  local bodies = { node.condition, node.key, node.value }
  if node.kind == "splat" then bodies = { node.each } end
  local condition = node.condition and ast.past_wrappers(node.condition)
  for _, name in ipairs { 1, 2, 3 } do
    local body = bodies[name] and ast.past_wrappers(bodies[name])
    local own = {}
    for _, entry in ipairs(turn) do
      if body and entry.node.first >= body.first and entry.node.first <= body.last then own[#own + 1] = entry end
    end
    if body and body.live and #own > 0 then
      local part = make(body, own, job, depth + 2)
      row.children[#row.children + 1] = part
      row.failed = row.failed or part.failed
      if body == condition then
        if part.value and is_marked(part.value) then break end -- whether the iteration continues is secret
        if truth(part.value) == false then
          row.note = "left out"
          break
        end
      end
    end
  end
  if #row.children > 0 then made.children[#made.children + 1] = row end
end

local function is_hidden(made, turn)
  return turn.record.secret or made.value ~= nil and is_marked(made.value)
end

-- Makes the children of a loop: the collection, and the iterations. Iterations of a splat are listed only if they fail.
local function loop_children(made, node, entries, job, depth)
  local source = node.nodes[1]
  local lists = divide(node.nodes, entries)
  if source.live then made.children[1] = make(source, lists[1], job, depth + 1) end
  local body = {}
  for _, entry in ipairs(entries) do
    if entry.node.first > source.last and entry.record.turn then body[#body + 1] = entry end
    if entry.record.trial then made.children[#made.children + 1] = make(entry.node, { entry }, job, depth + 1) end
  end
  local turns, shown, failed = turns_of(body), 0, 0
  for _, turn in ipairs(turns) do
    local fails = false
    for _, entry in ipairs(turn) do fails = fails or entry.record.failed end
    if fails then failed = failed + 1 end
    local some = not is_hidden(made, turn) and node.kind == "for"
    if fails and failed <= 3 or some and not fails then
      add_turn(made, node, turn, job, depth)
      shown = shown + 1
    end
  end
  if shown > 0 and node.kind == "for" and made.total and made.total > #turns then
    local more = { kind = "turn", source = "...", children = {} }
    more.note = text.count(made.total - #turns, "more turn")
    made.children[#made.children + 1] = more
  end
end

local makers = {
  call = call_children, binary = binary_children, ["for"] = loop_children, splat = loop_children,
}

-- Notes how many elements of the collection a `for` kept.
notes["for"] = function(made, node)
  if not node.condition or not made.total or not made.value or not made.value:is_known() or is_marked(made.value) then return end
  local kept = #made.value
  if node.grouped then
    kept = 0
    for _, group in made.value:pairs() do kept = kept + #group end
  end
  made.note = kept .. " of " .. made.total .. " kept"
end

-- Returns the text for a result of the option `origin`, which is a string or a Range.
local function origin_text(origin, reference)
  if origin == nil or type(origin) == "string" then return origin end
  local start = type(origin) == "table" and rawget(origin, "start")
  if type(start) == "table" and type(rawget(start, "line")) == "number" then return text.place(origin) end
  error(("hclexpr: the option origin gave a %s for %s, not a string or a Range"):format(type(origin), reference.path), 0)
end

local function set_origin(made, job)
  local reference = job.references[made.range.start.byte]
  made.origin = reference and job.origin and origin_text(job.origin(reference, made), reference) or nil
  made.reference = reference
end

-- Makes the tree of a node. `entries` has the entries for the node and for the parts inside it.
function make(node, entries, job, depth)
  local own, inner = entries_of(node, entries)
  local made = { kind = node.kind, range = node.range, source = job.source_of(node.range), children = {}, node = node }
  local r = own and own.record
  if not r and #inner == 0 then
    if node.live then
      made.note = job.ended and "not reached" or "not evaluated"
    end
    return made
  end
  if r then
    made.evaluated = true
    made.value, made.error, made.failed, made.total = r.value, r.error, r.failed, r.total
    if r.table then
      made.value = value_of_table(r.table)
      made.summary = not made.value and text.of_table(r.table) or nil
    end
    if r.count then made.summary = text.count(r.count, "element") end
    if r.secret and not made.value and not r.failed then made.summary = "(sensitive value)" end
    if r.outline then made.summary = "a collection" end
  end
  if node.kind == "traversal" then set_origin(made, job) end
  if depth >= DEEPEST then return made end
  local children = makers[node.kind] or children_of
  children(made, node, inner, job, depth)
  if notes[node.kind] then notes[node.kind](made, node) end
  return made
end

-- Finds the innermost part whose value passes the test, for notes such as "because of var.x".
local function cause(made, test)
  local found
  local now = made
  repeat
    local next_one
    for _, child in ipairs(now.children) do
      if child.value and any(child.value, test) then
        next_one = child
        break
      end
    end
    now = next_one
    found = now or found
  until not now
  return found
end

local function say_cause(made)
  if made.note or not made.value or #made.children == 0 or text.known_parts(made.value) then return end
  for _, test in ipairs { is_marked, is_unknown } do
    if any(made.value, test) then
      local found = cause(made, test)
      if found then made.note = "because of " .. text.shortened(found.source) end
      return
    end
  end
end

-- Makes a tree ready for scripts: removes the fields that are used only while it is made.
local function forget(made)
  local stack = { made }
  while #stack > 0 do
    local one = table.remove(stack)
    one.node, one.evaluated, one.total, one.reference, one.unchosen = nil, nil, nil, nil, nil
    setmetatable(one, Explanation)
    for _, child in ipairs(one.children) do stack[#stack + 1] = child end
  end
end

local function references_of(expression)
  local found = {}
  for _, reference in ipairs(expression:references()) do found[reference.range.start.byte] = reference end
  return found
end

-- Returns a function that returns the source of a range.
local function slicer(expression)
  local source, base = expression:source(), expression:range().start.byte
  return function(range) return source:sub(range.start.byte - base + 1, range.stop.byte - base) end
end

--- Explains an expression: returns its tree, and Diagnostics if the evaluation fails. The function `origin` says where the value of a
--- reference comes from.
---@param expression hclexpr.Expression
---@param variables? table
---@param scope? hclexpr.Scope
---@param origin? fun(reference: hclexpr.Reference, node: hclexpr.Explanation): string|hclexpr.Range|nil
---@param strip? fun(value: hclexpr.Value): hclexpr.Value removes parts that must not be shown
---@return hclexpr.Explanation? tree
---@return hclexpr.Diagnostics? err
function explain.tree(expression, variables, scope, origin, strip)
  local recorder = core.recorder(expression)
  local records, err = evaluate(recorder, variables, scope)
  if records == nil then return nil, err end
  if strip then
    for _, r in ipairs(records) do
      if r.value then r.value = strip(r.value) end
    end
  end
  local tree = expression:ast()
  local by_name = survey(tree)
  local job = {
    source_of = slicer(recorder), references = references_of(expression), origin = origin, ended = records.err ~= nil,
  }
  local entries = gather(records, by_name)
  local root = ast.past_wrappers(tree)
  local made = make(root, entries, job, 1)
  if not made.evaluated and not records.err then
    made.value, made.note = expression:value(variables, scope), nil
  end
  if records.err then
    made.failed, made.value = true, nil
    -- A limit ended the evaluation, so the error is reported for the whole expression.
    if not made.evaluated then made.error, made.note = records.err, nil end
  end
  say_cause(made)
  core.close_expression(recorder)
  return made, records.err
end

explain.forget = forget

return explain
