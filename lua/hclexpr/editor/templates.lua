-- Template files. Their expressions may use the names that calls of templatefile() pass to them. A template is parsed as the text of a
-- heredoc in a file of its own, so that everything for expressions works in it; positions are converted in both directions.
local ast = require "hclexpr.ast"
local Documents = require "hclexpr.editor.documents"
local folders = require "hclexpr.editor.folders"
local infer = require "hclexpr.editor.infer"
local lazy = require "hclexpr.lazy"
local names = require "hclexpr.editor.names"
local paths = require "hclexpr.editor.paths"
local cursor = require "hclexpr.editor.cursor"
local shape = require "hclexpr.editor.shape"

local templates = {}

local BEFORE, AFTER = "x = <<hclexpr_template\n", "\nhclexpr_template\n"
local SHIFT = #BEFORE

-- Returns the document with the heredoc, made on first use.
local function inner_of(document)
  local known = rawget(document, "inner_here")
  if known then return known end
  local lines = {}
  for i, start in ipairs(document.lines) do lines[i] = start + SHIFT end
  known = setmetatable({
    path = document.path, dir = document.dir, name = document.name, kind = "plain", text = BEFORE .. document.text .. AFTER,
    open = document.open, stamp = document.stamp, held = {}, lines = lines,
    given = function(workspace) return templates.given(workspace, document) end,
  }, getmetatable(document))
  document.inner_here = known
  return known
end

-- Calls

-- Calls act(env, call) for each call of templatefile() in an expression.
local function in_expression(env, node, act)
  if node.kind == "call" and (node.name or ""):gsub("^core::", "") == "templatefile" and node.args and node.args[2] then act(env, node) end
  ast.each_child(node, function(child, field) in_expression(cursor.enter(env, node, field), child, act) end)
end

local function in_body(folder, document, body, blocks, act)
  for _, attribute in pairs(body.attributes) do
    if attribute.expression:source():find "templatefile" then
      in_expression(names.env(folder, document, blocks, attribute), document:tree(attribute.expression), act)
    end
  end
  for _, block in ipairs(body.blocks) do
    local inner = {}
    for i, outer in ipairs(blocks) do inner[i] = outer end
    inner[#inner + 1] = block
    in_body(folder, document, block.body, inner, act)
  end
end

-- Adds the shapes of values that calls in a folder pass to a template.
local function add_given(folder, path, found)
  for _, document in ipairs(folder.documents) do
    if document.text:find "templatefile" and document.body then
      in_body(folder, document, document.body, {}, function(env, call)
        local range = call.args[1].range
        local named = paths.named(folder, document.text:sub(range.start.byte + 1, range.stop.byte))
        if named == path then found[#found + 1] = infer.of(env, call.args[2]) end
      end)
    end
  end
end

-- The number of folders that are searched for calls first: the template's own, and those above it. All other folders are searched only if
-- these have no calls.
local ABOVE = 6

local function calls_of(workspace, document)
  local found, dir = {}, document.dir
  for _ = 1, ABOVE do
    add_given(folders.at(workspace, dir), document.path, found)
    if found[1] or dir == "" or dir == "/" then break end
    dir = Documents.split(dir)
  end
  for _, other in ipairs(found[1] and {} or folders.known(workspace)) do add_given(folders.at(workspace, other), document.path, found) end
  return found
end

--- Returns the shape of the values that calls pass to a template: an object with all names that any call passes.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@return hclexpr.service.Shape
function templates.given(workspace, document)
  local found = calls_of(workspace, document)
  local made = shape.new("object", { attributes = {}, order = {} })
  for _, of in ipairs(found) do
    for _, name in ipairs(of:names()) do
      if not made.attributes[name] then made.order[#made.order + 1] = name end
      made.attributes[name] = made.attributes[name] or function() return of:get(name) end
    end
  end
  -- Other names may still exist if a call passes a map.
  function made.find(name)
    for _, of in ipairs(found) do
      local inner = of.kind ~= "object" and of:get(name)
      if inner then return inner end
    end
  end
  return made
end

-- Questions

local function moved(span)
  span.start, span.stop = span.start - SHIFT, span.stop - SHIFT
  return span
end

function templates.complete(workspace, document, byte)
  local items = lazy.load("hclexpr.editor.completion").complete(workspace, inner_of(document), byte + SHIFT)
  for _, item in ipairs(items) do moved(item) end
  return items
end

function templates.hover(workspace, document, byte)
  local found = lazy.load("hclexpr.editor.hover").hover(workspace, inner_of(document), byte + SHIFT)
  return found and moved(found)
end

function templates.definition(workspace, document, byte)
  local found = lazy.load("hclexpr.editor.definition").definition(workspace, inner_of(document), byte + SHIFT)
  for _, target in ipairs(found) do
    if target.path == document.path then
      moved(target)
      target.name_start, target.name_stop = target.name_start - SHIFT, target.name_stop - SHIFT
    end
  end
  return found
end

function templates.signature(workspace, document, byte)
  return lazy.load("hclexpr.editor.signature").signature(workspace, inner_of(document), byte + SHIFT)
end

function templates.rename_at()
  return nil, "The names of a template are those that calls of templatefile() give it: rename them there, and here."
end
templates.rename = templates.rename_at

function templates.diagnostics(...) return lazy.load("hclexpr.editor.diagnostics").diagnostics(...) end

return templates
