-- References: all uses of the declaration or name at a position, in the files of its module and of modules that call it. Highlights are the
-- uses in one file.
local ast = require "hclexpr.ast"
local definition = require "hclexpr.editor.definition"
local elsewhere = require "hclexpr.editor.elsewhere"
local folders = require "hclexpr.editor.folders"
local infer = require "hclexpr.editor.infer"
local names = require "hclexpr.editor.names"
local cursor = require "hclexpr.editor.cursor"

local references = {}

local function same(a, b)
  return a and a.path == b.path and a.name_start == b.name_start and a.name_stop == b.name_stop
end

---@class hclexpr.service.Use a use of a declaration
---@field document hclexpr.service.Document
---@field start integer the start of the reference
---@field stop integer the end of the reference
---@field name_start integer the start of the name in it
---@field name_stop integer

-- Calls found(shape, range) for each step of a reference, with the shape after the step, until a call returns true.
local function each_step(env, node, special, found)
  local ranges, first = node.step_ranges or {}, 1
  local of
  if node.kind == "traversal" then
    if special then of = special(node.root) else of = infer.root(env, node.root) end
    if of and found(of, ranges[1]) then return end
    first = 2
  else
    of = infer.of(env, node.source)
  end
  for i, step in ipairs(node.steps) do
    of = of and infer.step(of, step)
    local range = ranges[i + first - 1]
    if not of or range and found(of, range) then return end
  end
end

-- Calls found(node, shape, range) for the steps of all references in a tree. It uses no recursion, because trees may be deep.
local function walk(env, tree, special, found)
  local envs, nodes, n = { env }, { tree }, 1
  while n > 0 do
    local within, node = envs[n], nodes[n]
    n = n - 1
    if (node.kind == "traversal" or node.kind == "relative") and node.steps then
      each_step(within, node, special, function(of, range) return found(node, of, range) end)
    end
    ast.each_child(node, function(child, field)
      -- A constant key of an object is a name, not a reference.
      if child.kind == "key" and infer.key_name(child) then return end
      n = n + 1
      envs[n], nodes[n] = cursor.enter(within, node, field), child
    end)
  end
end

local function name_in(document, range)
  local start, stop = range.start.byte, range.stop.byte
  local first = document.text:byte(start + 1)
  if first == 46 then start = (document.text:find("[^%s.]", start + 1) or start + 1) - 1 end
  if first == 91 then
    local inner = document.text:sub(start + 1, stop):match '^%[%s*"()'
    if inner then
      start = start + inner - 1
      stop = start + (document.text:sub(start + 1, stop):find('"', 1, true) or 1) - 1
    end
  end
  return start, stop
end

local function in_expression(found, here, target, attribute)
  local document = here.document
  infer.continue()
  local env = names.env(here.folder, document, here.blocks, attribute)
  walk(env, document:tree(attribute.expression), here:special(), function(node, of, range)
    local origin = of.origin
    if not same(origin, target) then return false end
    local name_start, name_stop = name_in(document, range)
    local first = node.kind == "traversal" and node.step_ranges[1].start.byte or node.range.start.byte
    found[#found + 1] = { document = document, start = first, stop = node.range.stop.byte, name_start = name_start, name_stop = name_stop,
                          text = document.text:sub(name_start + 1, name_stop) }
    return true -- only keys of instances may follow
  end)
end

local function new_here(workspace, document, folder, blocks)
  return setmetatable({ workspace = workspace, document = document, folder = folder, blocks = blocks }, { __index = cursor.methods })
end

local function mentions(document, range, target_name)
  return document.text:sub(range.start.byte + 1, range.stop.byte):find(target_name, 1, true) ~= nil
end

-- By the name of an argument: the words that refer to it in expressions.
local indirect = { count = { "count.index" }, for_each = { "each." } }

local function in_body(found, here, body, target, words)
  for name, attribute in pairs(body.attributes) do
    for _, word in ipairs(words) do
      if mentions(here.document, attribute.range, word) then
        here.attribute, here.attribute_node = attribute, { name = name }
        in_expression(found, here, target, attribute)
        break
      end
    end
  end
  for _, block in ipairs(body.blocks) do
    local blocks = {}
    for i, outer in ipairs(here.blocks) do blocks[i] = outer end
    blocks[#blocks + 1] = block
    in_body(found, new_here(here.workspace, here.document, here.folder, blocks), block.body, target, words)
  end
end

-- Adds the arguments that set a variable: in calls of its module, and in files of variables.
local function in_calls(found, workspace, folder, target)
  local d = target.declaration
  if not (d and d.word == "variable") then return end
  for _, caller in ipairs(folder:callers()) do
    local attribute = caller.declaration.block.body.attributes[d.name]
    if attribute then
      local range = attribute.name_range
      found[#found + 1] = { document = caller.declaration.document, start = range.start.byte, stop = range.stop.byte,
                            name_start = range.start.byte, name_stop = range.stop.byte, argument = true }
    end
  end
  for _, document in ipairs(workspace.documents:values(folder.dir)) do
    local attribute = document.body and document.body.attributes[d.name]
    if attribute then
      local range = attribute.name_range
      found[#found + 1] = { document = document, start = range.start.byte, stop = range.stop.byte, name_start = range.start.byte,
                            name_stop = range.stop.byte, argument = true }
    end
  end
end

local function words_of(target, name)
  if target.argument and indirect[name] then return indirect[name] end
  local d = target.declaration
  if d and (d.mode or d.word == "block") then return { name, "self" } end
  return { name }
end

local function by_place(a, b)
  if a.document.path ~= b.document.path then return a.document.path < b.document.path end
  return a.name_start < b.name_start
end

--- Finds all uses of a declaration, given its origin, without the declaration itself.
---@param workspace hclexpr.service.Workspace
---@param target hclexpr.service.Origin
---@param only? hclexpr.service.Document search only this document
---@return hclexpr.service.Use[]
---@return string? unsure the path of a file with uses that can't be found
function references.uses(workspace, target, only)
  local found, unsure = {}, nil
  infer.begin()
  local folder = folders.of(workspace, target.document)
  local name = target.document.text:sub(target.name_start + 1, target.name_stop)
  local words = words_of(target, name)
  local function look(in_folder, document)
    if not document.body or document.kind == "json" then return end
    for _, word in ipairs(words) do
      if document.text:find(word, 1, true) then
        return in_body(found, new_here(workspace, document, in_folder, {}), document.body, target, words)
      end
    end
  end
  if only then
    look(folders.of(workspace, only), only)
  else
    for _, document in ipairs(folder.documents) do look(folder, document) end
    local d = target.declaration
    if d and d.word == "output" then
      local seen = { [folder] = true }
      for _, caller in ipairs(folder:callers()) do
        for _, document in ipairs(not seen[caller.folder] and caller.folder.documents or {}) do look(caller.folder, document) end
        seen[caller.folder] = true
      end
    end
    in_calls(found, workspace, folder, target)
    local json = d and folder.vocabulary and folder:json_with(d.address)
    if json then unsure = json.path
    elseif d and not folder.alone and not folder.vocabulary then unsure = elsewhere.add(found, workspace, folder.dir, d, name_in) end
  end
  table.sort(found, by_place)
  return found, unsure
end

function references.references(workspace, document, byte, declaration)
  local target = definition.origin(cursor.at(workspace, document, byte))
  local spans = {}
  if not target then return spans end
  if declaration then spans[1] = { path = target.path, start = target.name_start, stop = target.name_stop } end
  for _, use in ipairs(references.uses(workspace, target)) do
    local within = use.document == target.document and target.start <= use.start and use.stop <= target.stop and target.declaration
    -- References from a variable to itself, such as in its rules, are part of the declaration.
    if declaration or not (within and target.declaration.word == "variable") then
      spans[#spans + 1] = { path = use.document.path, start = use.start, stop = use.stop }
    end
  end
  return spans
end

function references.highlights(workspace, document, byte)
  local target = definition.origin(cursor.at(workspace, document, byte))
  local found = {}
  if not target then return found end
  if target.path == document.path then found[1] = { start = target.name_start, stop = target.name_stop, write = true } end
  for _, use in ipairs(references.uses(workspace, target, document)) do
    found[#found + 1] = { start = use.name_start, stop = use.name_stop, write = false }
  end
  return found
end

return references
