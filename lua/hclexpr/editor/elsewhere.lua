-- Finds uses in files whose contents have no shapes: test files, files of JSON syntax, and calls in these. It finds a use by comparing
-- addresses.
local ast = require "hclexpr.ast"
local Documents = require "hclexpr.editor.documents"
local core = require "hclexpr.core"
local folders = require "hclexpr.editor.folders"
local infer = require "hclexpr.editor.infer"

local elsewhere = {}

---@class hclexpr.service.Elsewhere
---@field address string the address of the declaration, as references write it
---@field d hclexpr.service.Declaration
---@field found hclexpr.service.Use[]
---@field documents hclexpr.service.Documents
---@field name_in fun(document: hclexpr.service.Document, range: hclexpr.Range): integer, integer
---@field call? { name: string, keyed: boolean } for an output: the module call that has the output; keyed: the call has several instances
---@field unsure? string the path of a file that names the declaration in a way that can't be found exactly

local function put(job, document, start, stop, name_start, name_stop)
  job.found[#job.found + 1] = { document = document, start = start, stop = stop, name_start = name_start, name_stop = name_stop }
end

-- Adds the name of an argument that sets the variable.
local function put_argument(job, document, attribute)
  local range = attribute.name_range
  local start, stop = range.start.byte, range.stop.byte
  if document.text:byte(start + 1) == 34 then start, stop = start + 1, stop - 1 end
  put(job, document, start, stop, start, stop)
end

-- Returns the number of the step of a traversal that names the declaration, or nil. `others` has the names of runs that test other modules.
local function step_of(job, node, others)
  local text = node.root
  if text == "run" then
    local is_it = job.d.word == "output" and node.steps[2] == job.d.name and not others[node.steps[1]]
    return is_it and 2 or nil
  end
  if job.call then
    local i = job.call.keyed and 3 or 2
    return text == "module" and node.steps[1] == job.call.name and node.steps[i] == job.d.name and i or nil
  end
  if text == "resource" then text = "" end
  for i, step in ipairs(node.steps) do
    if type(step) ~= "string" then return nil end
    text = text == "" and step or text .. "." .. step
    if text == job.address then return i end
  end
end

-- Returns true if a node names only the output's module call, and so all its instances.
local function is_call(job, node)
  return job.call and node.kind == "traversal" and node.root == "module" and #node.steps == 1 and node.steps[1] == job.call.name
end

-- Returns the node that the step o is applied to in module.a[*].o or module.a[each.key].o, if module.a is the call; otherwise nil.
-- `of_item` is that node if the step is inside a splat over the call.
local function source_of(job, node, of_item)
  local source = node.kind == "relative" and node.steps[1] == job.d.name and node.source
  if source and source.kind == "index" then return is_call(job, source.collection) and source.collection or nil end
  return source and source.kind == "item" and of_item or nil
end

-- Calls found(range of the step, start, stop) for each reference in a tree that names the declaration. Returns true if the tree may name it
-- in another way, such as m.o in [for m in module.a : m.o].
local function each_use(job, tree, others, found)
  local nodes, items, n, whole, reached = { tree }, {}, 1, 0, 0
  local loose = false
  while n > 0 do
    local node, of_item = nodes[n], items[n]
    n = n - 1
    local i = node.kind == "traversal" and node.steps and step_of(job, node, others)
    local source = not i and source_of(job, node, of_item)
    if i then found(node.step_ranges[i + 1], node.step_ranges[1].start.byte, node.range.stop.byte) end
    if source then found(node.step_ranges[1], source.range.start.byte, node.range.stop.byte) end
    if is_call(job, node) then whole = whole + 1 end
    if source and source ~= of_item or node.kind == "splat" and is_call(job, node.source) then reached = reached + 1 end
    for _, step in ipairs(not (i or source) and node.steps or {}) do loose = loose or step == job.d.name end
    ast.each_child(node, function(child, field)
      n = n + 1
      nodes[n], items[n] = child, of_item
      if node.kind == "splat" and field == "each" then items[n] = is_call(job, node.source) and node.source or nil end
    end)
  end
  return loose and whole > reached
end

-- Test files

local function is_of_other(block)
  for _, inner in ipairs(block.type == "run" and block.body.blocks or {}) do
    if inner.type == "module" then return true end
  end
  return false
end

local function in_test(job, document, body, others)
  for _, attribute in pairs(body.attributes) do
    local loose = each_use(job, document:tree(attribute.expression), others, function(range, start, stop)
      put(job, document, start, stop, job.name_in(document, range))
    end)
    if loose then job.unsure = document.path end
  end
  for _, block in ipairs(body.blocks) do
    local given = block.type == "variables" and job.d.word == "variable" and block.body.attributes[job.d.name]
    if given then put_argument(job, document, given) end
    if not is_of_other(block) then in_test(job, document, block.body, others) end
  end
end

local function in_tests(job, documents, dir)
  for _, name in ipairs(documents:names(dir)) do
    local document = name:find "%.t[fo][a-z]*test%.hcl$" and documents:get(Documents.join(dir, name))
    if document and document.body and document.text:find(job.d.name, 1, true) then
      local others = {}
      for _, block in ipairs(document.body.blocks) do
        if is_of_other(block) and block.labels[1] then others[block.labels[1]] = true end
      end
      in_test(job, document, document.body, others)
    end
  end
end

-- JSON syntax

-- Adds the uses in an attribute of JSON syntax. Offsets in a string with escapes aren't offsets in the file, so this searches the text for
-- the address. If it finds another number of matches than references, it can't know which are meant, and sets `unsure`.
local function in_json(job, document, attribute)
  local n, places = 0, {}
  local loose = each_use(job, document:tree(attribute.expression), {}, function() n = n + 1 end)
  if n == 0 and not loose then return end
  local name = "%." .. job.d.name:gsub("%p", "%%%0") .. "%f[^%w_-]"
  local head = "%f[%w_.-]" .. job.address:sub(1, -2 - #job.d.name):gsub("%p", "%%%0")
  local range = attribute.expression:range()
  for _, key in ipairs(job.call and { "", "%b[]", "%.%*" } or { "" }) do
    local at = range.start.byte + 1
    while true do
      local start, stop = document.text:find(head .. key .. name, at)
      if not start or stop > range.stop.byte then break end
      places[#places + 1], at = { start - 1, stop }, stop + 1
    end
  end
  if loose or #places ~= n then
    job.unsure = document.path
    return
  end
  for _, place in ipairs(places) do put(job, document, place[1], place[2], place[2] - #job.d.name, place[2]) end
end

-- Calls

-- Calls found(name, node of the key, value) for each member of a JSON object that takes the place of a block, or of an array of such
-- objects.
local function each_member(node, found)
  for _, object in ipairs(node.kind == "tuple" and node.elements or { node }) do
    for i = 1, object.kind == "object" and #object.items - 1 or 0, 2 do
      local name = infer.key_name(object.items[i])
      if name then found(name, object.items[i], object.items[i + 1]) end
    end
  end
end

-- Calls found(name, members) for each call of the module in a file of JSON syntax. `members` has the nodes of keys and values by name.
local function each_call_in_json(folder, document, dir, found)
  local attribute = document.body.attributes.module
  if not attribute then return end
  each_member(document:tree(attribute.expression), function(name, _, call)
    local members = {}
    each_member(call, function(member, key, value) members[member] = { key = key, value = value } end)
    local source = members.source and members.source.value.text
    if type(source) == "string" and folder:source_dir(source, name) == dir then found(name, members) end
  end)
end

local function put_key(job, document, key)
  local start, stop = key.range.start.byte + 1, key.range.stop.byte - 1
  if document.text:sub(start + 1, stop) ~= job.d.name then
    job.unsure = document.path -- because the string has escapes
    return
  end
  put(job, document, start, stop, start, stop)
end

-- Adds the uses of a call's output: in files of JSON syntax, and also in other files if the call itself is in JSON and therefore has no
-- shape.
local function in_caller(job, folder, call, is_json)
  local of = setmetatable({ call = call, address = "module." .. call.name .. "." .. job.d.name }, { __index = job })
  for _, document in ipairs(job.documents:texts(folder.dir)) do
    if document.body and document.text:find(job.d.name, 1, true) then
      if document.kind ~= "json" then
        if is_json then in_test(of, document, document.body, {}) end
      elseif core.needs_schema(document.body) then
        for _, attribute in pairs(document.body.attributes) do in_json(of, document, attribute) end
      end
    end
  end
  job.unsure = job.unsure or rawget(of, "unsure")
end

local function in_calls(job, workspace, dir)
  local is_output = job.d.word == "output"
  for _, caller in ipairs(is_output and folders.at(workspace, dir):callers() or {}) do
    local attributes = caller.declaration.block.body.attributes
    in_caller(job, caller.folder, { name = caller.declaration.name, keyed = (attributes.count or attributes.for_each) ~= nil }, false)
  end
  for _, known in ipairs(folders.known(workspace)) do
    local folder = folders.at(workspace, known)
    for _, name in ipairs(job.documents:names(known)) do
      local document = (name:find "%.tf%.json$" or name:find "%.tofu%.json$") and job.documents:get(Documents.join(known, name))
      if document and document.text:find('"module"', 1, true) and document.body and core.needs_schema(document.body) then
        each_call_in_json(folder, document, dir, function(call, members)
          local argument = not is_output and members[job.d.name]
          if argument then put_key(job, document, argument.key) end
          if is_output then in_caller(job, folder, { name = call, keyed = (members.count or members.for_each) ~= nil }, true) end
        end)
      end
    end
  end
end

--- Adds the uses of a declaration in test files and files of JSON syntax, both in its folder and in folders that call its module. Returns
--- the path of a file that may use the declaration in a way that can't be found, if any.
---@param found hclexpr.service.Use[]
---@param workspace hclexpr.service.Workspace
---@param dir string
---@param d hclexpr.service.Declaration
---@param name_in fun(document: hclexpr.service.Document, range: hclexpr.Range): integer, integer
---@return string? unsure
function elsewhere.add(found, workspace, dir, d, name_in)
  local documents = workspace.documents
  local job = { address = d.address, d = d, found = found, name_in = name_in, documents = documents }
  for _, document in ipairs(documents:texts(dir)) do
    local body = document.kind == "json" and document.text:find(d.name, 1, true) and document.body
    if body and document.name:find "%.tfvars%.json$" then
      local given = d.word == "variable" and body.attributes[d.name]
      if given then put_argument(job, document, given) end
    elseif body and core.needs_schema(body) then
      for _, attribute in pairs(body.attributes) do in_json(job, document, attribute) end
    end
  end
  in_tests(job, documents, dir)
  in_tests(job, documents, Documents.join(dir, "tests"))
  if d.word == "variable" or d.word == "output" then in_calls(job, workspace, dir) end
  return job.unsure
end

return elsewhere
