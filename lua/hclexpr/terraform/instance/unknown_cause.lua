-- Finds why a value is unknown. Only this file answers that question, from the meanings that meanings.lua finds for each name. Keys of
-- count and for_each, imports, actions, conditions, explanations, hover and warnings use it.
--
-- A value is unknown either because something is missing (a variable without a value, data that wasn't read, a provider that doesn't
-- answer, a missing module or file), or because only an apply determines it, such as the id of a new terraform_data. Where a value must be
-- known, the first is a warning and the second an error (unknown_cause.excuses).
--
-- The search first uses the values of an expression's parts (explain/blame.lua), so that names without influence aren't blamed, and then
-- follows names through the module (meanings.lua). The walk keeps the causes of each name, so that they are found only once.
local blame = require "hclexpr.explain.blame"
local core = require "hclexpr.core"
local explain = require "hclexpr.explain.tree"
local Findings = require "hclexpr.terraform.language.findings"
local meanings = require "hclexpr.terraform.instance.meanings"
local places = require "hclexpr.places"
local references = require "hclexpr.terraform.read.references"
local sorted = require("hclexpr.util").sorted

local unknown_cause = {}

---@class hclexpr.module.Wanted a value that must be known
---@field name string what the value is: "count"
---@field so string ends the message "…, so it isn't known …": "which instances there are"
---@field path? hclexpr.blame.Path a path into the value
---@field deep? boolean its parts must be known, too
---@field place? hclexpr.findings.Place
---@field row? string the row of diagnostics.lua to report; default MODULE_UNREAD

-- How many causes of a value are kept.
local MOST = 8

---@class hclexpr.module.Causes
---@field list hclexpr.module.Cause[] the nearest first
---@field later boolean the value needs something that only an apply determines
---@field late? string the address of a data source that the value needs and that is read during the apply

local function add_cause(causes, cause)
  for _, known in ipairs(causes.list) do
    if known.kind == cause.kind and known.name == cause.name then return end
  end
  if #causes.list < MOST then causes.list[#causes.list + 1] = cause end
end

local function add_all(causes, others)
  for _, cause in ipairs(others.list) do add_cause(causes, cause) end
  causes.later, causes.late = causes.later or others.later, causes.late or others.late
end

-- Returns the text of a call's first argument, or nil if it isn't a known text.
local function first_text(made)
  local node, child = made.node.nodes[1], made.children[1]
  if node and node.kind == "string" then return node.text end
  local value = child and child.node == node and child.value and child.value:unmark()
  return value and value:is_known() and not value:is_null() and core.kind(value) == "string" and value:text() or nil
end

-- Returns a path outside of the granted folders that a call tried to read, itself or in the template that it renders; or nil.
local function outside(walk, made)
  local range, file = made.range, first_text(made)
  for _, paths in pairs(walk.evaluation.outside) do
    for _, path in ipairs(sorted(paths)) do
      local at = paths[path]
      local is_within = at.filename == range.filename and at.start.byte >= range.start.byte and at.stop.byte <= range.stop.byte
      if is_within or at.filename == file then return path end
    end
  end
end

-- Returns the cause why the result of a call is unknown although its arguments are known, or nil if only an apply gives the result.
local function of_call(walk, node)
  local name = node.source:match "^[^%(]*"
  local path = outside(walk, node)
  if path then
    return { kind = "outside", name = path, words = "which is outside of the folders that may be read" }
  elseif name:find "^provider::" then
    return { kind = "function", name = name .. "()", words = "which only its provider knows" }
  end
end

-- Adds to `found` what each name in a body means if the name's value isn't wholly known.
local function parts_of_body(walk, question, found)
  local frame = question.home.frame
  for _, ref in ipairs(references.with_places(question.object)) do
    local name = core.compile(ref.traversal.path)
    local value = name and name:value(frame.variables, frame.instance.scope)
    if value and not value:is_wholly_known() then
      for _, meaning in ipairs(meanings.of(walk, ref, question.home)) do
        meaning.deep = true
        found[#found + 1] = meaning
      end
    end
  end
end

local function parts_of_expression(walk, question, found)
  local expression, frame, refs = question.object, question.home.frame, {}
  for _, ref in ipairs(references.with_places(expression)) do refs[ref.traversal.steps[1].range.start.byte] = ref end
  local tree = explain.tree(expression, frame.variables, frame.instance.scope)
  for _, leaf in ipairs(tree and blame.of(tree, question.path, question.deep) or {}) do
    local ref = leaf.node.kind == "traversal" and refs[leaf.node.range.start.byte]
    if ref then
      local list = meanings.of(walk, ref, question.home, leaf.path)
      for _, meaning in ipairs(list) do
        meaning.deep = meaning.deep or leaf.deep
        found[#found + 1] = meaning
      end
      found.later = found.later or #list == 0
    elseif leaf.node.kind == "call" then
      local cause = of_call(walk, leaf.node)
      found[#found + 1] = cause and { cause = cause }
      found.later = found.later or not cause
    end
  end
end

-- Returns the answers to a question: causes and further questions.
local function parts_of(walk, question)
  local found = {}
  walk:breathe()
  if getmetatable(question.object) == core.classes.Body then parts_of_body(walk, question, found)
  else parts_of_expression(walk, question, found) end
  if #found == 0 and question.otherwise and question.otherwise[1] then return question.otherwise end
  found.later = found.later or #found == 0
  return found
end

-- Finds the causes that answer a question. Uses a stack of its own, because names lead to other names at any depth. An answer is stored
-- only when it is complete, because an error may end the search.
local function search(walk, first)
  walk.causes = walk.causes or {}
  local memo, open, stack = walk.causes, {}, {}
  local function push(question, key)
    local parts = question.parts or parts_of(walk, question)
    stack[#stack + 1] = { key = key, parts = parts, at = 0, answer = { list = {}, later = parts.later or false } }
    if key then open[key] = stack[#stack].answer end
  end
  push(first)
  while true do
    local top = stack[#stack]
    top.at = top.at + 1
    local part = top.parts[top.at]
    local key = part and part.key and part.key .. (part.deep and "\0deep" or "")
    if not part then
      stack[#stack] = nil
      if top.key then memo[top.key] = top.answer end
      if not stack[1] then return top.answer end
      add_all(stack[#stack].answer, top.answer)
    elseif part.late then add_all(top.answer, { list = {}, later = true, late = part.late })
    elseif part.cause then add_cause(top.answer, part.cause)
    elseif key and (memo[key] or open[key]) then add_all(top.answer, memo[key] or open[key])
    else push(part, key) end
  end
end

--- Finds why a value, or a part of it, is unknown.
---@param walk hclexpr.module.Walk of a plan
---@param object hclexpr.Expression|hclexpr.Body
---@param home hclexpr.module.Home
---@param path? hclexpr.blame.Path a path into the value
---@param deep? boolean its parts count, too
---@return hclexpr.module.Causes
function unknown_cause.of(walk, object, home, path, deep)
  return search(walk, { object = object, home = home, path = path or {}, deep = deep or false })
end

--- Finds why the value of a name is unknown.
---@param walk hclexpr.module.Walk of a plan
---@param ref hclexpr.module.Reference
---@param home hclexpr.module.Home
---@param deep? boolean its parts count, too
---@return hclexpr.module.Causes
function unknown_cause.of_name(walk, ref, home, deep)
  local parts = meanings.of(walk, ref, home)
  for _, meaning in ipairs(parts) do meaning.deep = meaning.deep or deep end
  return search(walk, { parts = parts })
end

--- Returns the nearest cause in words, or nil if nothing is missing.
---@param causes hclexpr.module.Causes
---@return string?
function unknown_cause.words(causes)
  local cause = causes.list[1]
  return cause and cause.name .. ", " .. cause.words
end

--- Handles a value that must be known but isn't. If something missing is the reason, warns of it and returns true, because then the value
--- isn't a mistake.
---@param walk hclexpr.module.Walk
---@param object hclexpr.Expression|hclexpr.Body
---@param home hclexpr.module.Home
---@param what hclexpr.module.Wanted
---@return boolean
---@return string? late the address of a data source that the value comes from and that is read during the apply
function unknown_cause.excuses(walk, object, home, what)
  local causes = unknown_cause.of(walk, object, home, what.path, what.deep)
  local words = unknown_cause.words(causes)
  if not words then return false, causes.late end
  walk.findings:report(Findings.because(what.row or "MODULE_UNREAD", causes.list[1].kind), what.place or places.of_expression(object),
    "%s comes from %s, so it isn't known %s.", what.name, words, what.so)
  return true
end

return unknown_cause
