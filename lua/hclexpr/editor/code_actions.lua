-- Code actions: change an unknown name to a similar one, declare a missing variable, extract an expression to a local value, write out a
-- local value, and remove an unused declaration.
local calls = require "hclexpr.calls"
local core = require "hclexpr.core"
local definition = require "hclexpr.editor.definition"
local Documents = require "hclexpr.editor.documents"
local own_functions = require "hclexpr.editor.own_functions"
local hcl = require "hclexpr"
local cursor = require "hclexpr.editor.cursor"
local names = require "hclexpr.editor.names"
local references = require "hclexpr.editor.references"
local unused = require "hclexpr.editor.unused"

local code_actions = {}

local function one_edit(document, start, stop, text)
  return { [document.path] = { { start = start, stop = stop, text = text } } }
end

-- Similar names

local function meant(here, start, stop, wrong, words)
  table.sort(words)
  local near = core.suggest(wrong, words)
  if not near or near == wrong then return nil end
  return { title = ("Change %s to %s"):format(wrong, near), kind = "quickfix", preferred = true, edits = one_edit(here.document, start,
    stop, near) }
end

local function keys(t)
  local found = {}
  for key in pairs(t) do found[#found + 1] = key end
  return found
end

local function root_names(here, env)
  local vocabulary, found = names.vocabulary(here.folder), {}
  for _, list in ipairs { vocabulary.words, vocabulary.starts(env), keys(env.names) } do
    for _, name in ipairs(list) do found[#found + 1] = name end
  end
  for _, d in ipairs(here.folder:all "resource") do found[#found + 1] = d.type end
  return found
end

local function step_start(document, step)
  local start = step.start
  while start < step.stop and document.text:sub(start + 1, start + 1):find '[%.%s%["]' do start = start + 1 end
  return start
end

-- Offers a similar name for the first unknown step of a reference; nil if the names that may be there aren't known.
local function of_reference(here)
  local node = here:reference()
  if not node or here.folder.alone then return nil end
  local resolved = here:resolve(node)
  for i, step in ipairs(node.steps) do
    if not resolved.shapes[i] then
      local start = step_start(here.document, step)
      local stop = start + #step.text
      if i == 1 then return meant(here, start, stop, step.text, root_names(here, (here:env()))) end
      local before = resolved.shapes[i - 1]
      return before and meant(here, start, stop, step.text, before:names())
    end
  end
end

local function of_argument(here)
  local layers, words = here:layers(), {}
  if not layers then return nil end
  for _, layer in ipairs(layers) do
    if layer.open or layer.attributes and layer.attributes[here.node.text] then return nil end
    for name in pairs(layer.attributes or {}) do words[#words + 1] = name end
  end
  return meant(here, here.node.start, here.node.stop, here.node.text, words)
end

local near_rows = { step = of_reference, traversal = of_reference, relative = of_reference, attribute_name = of_argument }

near_rows["function"] = function(here)
  local known, open = calls.known(here.document.body, here.document.path, own_functions.of(here.workspace, here.document))
  if known[here.node.text] ~= nil or open or here.node.text:find "::" then return nil end
  return meant(here, here.node.start, here.node.stop, here.node.text, keys(known))
end

function near_rows.type(here)
  local layers, words = here:layers(#here.blocks - 1), {}
  if not layers or cursor.block_row(layers, here.node.text) then return nil end
  for _, layer in ipairs(layers) do
    if layer.open then return nil end
    for name in pairs(layer.block_types or {}) do words[#words + 1] = name end
  end
  return meant(here, here.node.start, here.node.stop, here.node.text, words)
end

local function did_you_mean(here)
  local row = near_rows[here.node.kind]
  return row and row(here)
end

-- Missing variables

local function variable_text(name, of)
  local type = of and of.kind ~= "any" and of:describe()
  return ('variable "%s" {\n%s}\n'):format(name, type and not type:find "…" and "  type = " .. type .. "\n" or "")
end

-- Returns where to append a new declaration: at the end of the named file in this folder or, if that file is missing, of the file being
-- edited.
local function append_to(here, name)
  local own = here.workspace.documents:get(Documents.join(here.folder.dir, name))
  local document = own or here.document
  local text = document.text
  local between = text == "" and "" or text:find "\n$" and "\n" or "\n\n"
  return document, #text, between
end

local function declare_variable(here)
  local node = here:reference()
  if not node or node.kind ~= "traversal" or node.root ~= "var" or here.folder.alone or here.folder.vocabulary then return nil end
  local name = node.steps[2] and node.steps[2].text
  if not name or name == "" or here.folder:find("var." .. name) then return nil end
  local document, at, between = append_to(here, "variables.tf")
  local whole = #node.steps == 2 and here.attribute_node and node.parent == here.attribute_node
  local wanted = whole and here:wanted_at(node) or nil
  return { title = ("Declare variable %s in %s"):format(name, document.name), kind = "quickfix",
           edits = one_edit(document, at, at, between .. variable_text(name, wanted)) }
end

-- Extracting local values

local expressions = {}
for kind in ("traversal relative call object for template wrap string number tuple index splat conditional binary unary parens"
  ):gmatch "%S+" do expressions[kind] = true end

-- Returns the node of the selected expression, or, without a selection, of the argument's whole value.
local function selected(here, start, stop)
  local node = here.node
  while node and node.kind ~= "attribute" do
    if stop > start and node.start == start and node.stop == stop and expressions[node.kind] then return node end
    if stop == start and node.role == "expression" and expressions[node.kind] then return node end
    node = node.parent
  end
end

local local_names = { each = true, count = true, self = true, caller = true }

-- Returns true if an expression uses names that a local value can't use, such as those of a `for`, or if it doesn't compile.
local function is_bound(here, node)
  local env = here:env(node.start, node.stop)
  local expression = hcl.compile(here.document.text:sub(node.start + 1, node.stop))
  if not expression then return true end
  for _, reference in ipairs(expression:references()) do
    if local_names[reference.root] or env.names[reference.root] then return true end
  end
  return false
end

local function free_name(folder, wanted)
  local name, i = wanted, 1
  while folder:find("local." .. name) do
    i = i + 1
    name = wanted .. "_" .. i
  end
  return name
end

-- Returns the position and pattern for a new line in the first `locals` block that isn't being edited and ends on a line of its own; or, if
-- there isn't one, for a new `locals` block before the block being edited.
local function locals_place(here)
  for _, block in ipairs(here.document.body.blocks) do
    if block.type == "locals" and block ~= here.blocks[1] then
      local close = block.close_brace_range
      local at = close and close.start.byte
      if at and here.document.text:sub(at, at) == "\n" then return at, "  %s = %s\n" end
    end
  end
  return here.blocks[1].range.start.byte, "locals {\n  %s = %s\n}\n\n"
end

local function extract(here, start, stop)
  local node = here.attribute_node and here.document.kind == "terraform" and selected(here, start, stop)
  local block = here.blocks[1]
  if not node or not block or block.type == "variable" or block.type == "terraform" or block.type == "locals"
    and node.role == "expression" then return nil end
  local row = cursor.argument_row(here:layers(), here.attribute_node.name)
  if row and type(row.type) == "string" and (row.type:find "reference" or row.type:find "^provider" or row.type == "source"
    or row.type:find "^keyword") then
    return nil
  end
  local text = here.document.text:sub(node.start + 1, node.stop)
  if text:find "<<" or node.kind == "traversal" and #node.steps < 2 or is_bound(here, node) then return nil end
  local name = free_name(here.folder, here.attribute_node.name)
  local at, line = locals_place(here)
  local edits = { { start = node.start, stop = node.stop, text = "local." .. name }, { start = at, stop = at, text = line:format(name,
    text) } }
  table.sort(edits, function(a, b) return a.start < b.start end)
  return { title = ("Extract to local.%s"):format(name), kind = "refactor.extract", edits = { [here.document.path] = edits } }
end

-- Writing out local values

-- Kinds of expressions that always need parentheses when they replace a name.
local compound = { conditional = true, binary = true, unary = true }

local function line_span(document, start, stop)
  local text = document.text
  local first = start
  while first > 0 and text:sub(first, first):find "[ \t]" do first = first - 1 end
  local last = text:match("^[ \t\r]*\n()", stop + 1)
  if (first == 0 or text:sub(first, first) == "\n") and last then return first, last - 1 end
  return start, stop
end

local function inline(here)
  local origin = definition.origin(here)
  if not origin then return nil end
  local d = origin.declaration
  if not d or d.word ~= "local" then return nil end
  local source, tree = d.attribute.expression:source(), d.document:tree(d.attribute.expression)
  if source:find "<<" then return nil end
  local uses = references.uses(here.workspace, origin)
  if #uses == 0 then return nil end
  local edits = {}
  for _, use in ipairs(uses) do
    local list = edits[use.document.path] or {}
    edits[use.document.path] = list
    local last = use.name_stop
    local whole = last == use.stop and not compound[tree.kind]
    list[#list + 1] = { start = use.start, stop = last, text = whole and source or "(" .. source .. ")" }
  end
  local list = edits[d.document.path] or {}
  edits[d.document.path] = list
  local start, stop = line_span(d.document, d.start, d.stop)
  list[#list + 1] = { start = start, stop = stop, text = "" }
  for _, changes in pairs(edits) do table.sort(changes, function(a, b) return a.start < b.start end) end
  return { title = ("Write out %s"):format(d.address), kind = "refactor.inline", edits = edits }
end

-- Unused declarations

local function remove_unused(here)
  for _, d in ipairs(unused.find(here.folder, here.document)) do
    if d.start <= here.byte and here.byte <= d.stop then
      local start, stop = line_span(here.document, d.start, d.stop)
      -- An empty line above a block is removed, too.
      if not d.attribute and here.document.text:sub(start - 1, start) == "\n\n" then start = start - 1 end
      return { title = ("Remove %s, which nothing uses"):format(d.address), kind = "quickfix", code = "unused",
        edits = one_edit(here.document, start, stop, "") }
    end
  end
end

-- Returns a selection without the spaces around it.
local function trimmed(text, start, stop)
  while start < stop and text:find("^%s", start + 1) do start = start + 1 end
  while stop > start and text:find("^%s", stop) do stop = stop - 1 end
  return start, stop
end

function code_actions.actions(workspace, document, start, stop)
  local found = {}
  start, stop = trimmed(document.text, start, stop)
  local here = cursor.at(workspace, document, start)
  if not here then return found end
  ---@type (fun(here: hclexpr.service.Here, start: integer, stop: integer): hclexpr.service.Action?)[]
  local all = { did_you_mean, declare_variable, extract, inline, remove_unused }
  for _, act in ipairs(all) do
    local action = act(here, start, stop)
    if action then found[#found + 1] = action end
  end
  return found
end

return code_actions
