-- Uses in files whose contents have no shapes: test files, and files of JSON syntax. There a declaration is what its address says.
local Documents = require "hclexpr.editor.documents"
local core = require "hclexpr.core"
local cursor = require "hclexpr.editor.cursor"

local elsewhere = {}

---@class hclexpr.service.Elsewhere
---@field address string of the declaration, as references begin
---@field d hclexpr.service.Declaration
---@field found hclexpr.service.Use[]
---@field name_in fun(document: hclexpr.service.Document, range: hclexpr.Range): integer, integer
---@field unsure? string the path of a file that names it in a way that can't be found exactly

local function put(job, document, start, stop, name_start, name_stop)
  job.found[#job.found + 1] = { document = document, start = start, stop = stop, name_start = name_start, name_stop = name_stop }
end

-- An argument that has a variable's name.
local function put_argument(job, document, attribute)
  local range = attribute.name_range
  local start, stop = range.start.byte, range.stop.byte
  if document.text:byte(start + 1) == 34 then start, stop = start + 1, stop - 1 end
  put(job, document, start, stop, start, stop)
end

-- Which step of a traversal names it; nil: none does. others: runs of other modules.
local function step_of(job, node, others)
  local text = node.root
  if text == "run" then
    local is_it = job.d.word == "output" and node.steps[2] == job.d.name and not others[node.steps[1]]
    return is_it and 2 or nil
  end
  if text == "resource" then text = "" end
  for i, step in ipairs(node.steps) do
    if type(step) ~= "string" then return nil end
    text = text == "" and step or text .. "." .. step
    if text == job.address then return i end
  end
end

-- Calls found(node, i) for each traversal in a tree whose step i names it.
local function each_use(job, tree, others, found)
  local stack = { tree }
  while stack[1] do
    local node = table.remove(stack)
    local i = node.kind == "traversal" and node.steps and step_of(job, node, others)
    if i then found(node, i) end
    cursor.each_child(node, function(child) stack[#stack + 1] = child end)
  end
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
    each_use(job, document:tree(attribute.expression), others, function(node, i)
      local name_start, name_stop = job.name_in(document, node.step_ranges[i + 1])
      put(job, document, node.step_ranges[1].start.byte, node.range.stop.byte, name_start, name_stop)
    end)
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

-- Places in strings with escapes aren't those in the file, so the words are looked for: as often as they mean it, or nobody knows which do.
local function in_json(job, document, attribute)
  local n, places = 0, {}
  each_use(job, document:tree(attribute.expression), {}, function() n = n + 1 end)
  if n == 0 then return end
  local pattern = "%f[%w_.-]" .. job.address:gsub("%p", "%%%0") .. "%f[^%w_-]()"
  local range = attribute.expression:range()
  local at = range.start.byte + 1
  while true do
    local start, stop = document.text:find(pattern, at)
    if not start or stop > range.stop.byte then break end
    places[#places + 1], at = start - 1, stop + 1
  end
  if #places ~= n then
    job.unsure = document.path
    return
  end
  for _, start in ipairs(places) do
    local stop = start + #job.address
    put(job, document, start, stop, stop - #job.d.name, stop)
  end
end

--- Adds the uses of a declaration in the tests and files of JSON syntax of its folder. Gives the path of a file that uses it in a way that
--- can't be found.
---@param found hclexpr.service.Use[]
---@param workspace hclexpr.service.Workspace
---@param dir string
---@param d hclexpr.service.Declaration
---@param name_in fun(document: hclexpr.service.Document, range: hclexpr.Range): integer, integer
---@return string? unsure
function elsewhere.add(found, workspace, dir, d, name_in)
  local documents, job = workspace.documents, { address = d.address, d = d, found = found, name_in = name_in }
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
  return job.unsure
end

return elsewhere
