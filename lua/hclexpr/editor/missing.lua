-- Missing values: which variables nobody gives a value, where just this keeps another value from being known. It is found by what expressions
-- name, each local once; where anything else that they name isn't known either, nothing is said.
local folders = require "hclexpr.editor.folders"
local hcl = require "hclexpr"
local on_demand = require "hclexpr.on_demand"

local missing = {}

---@class hclexpr.service.Missing
---@field workspace hclexpr.service.Workspace
---@field folder hclexpr.service.Folder
---@field edits integer
---@field names table<string, true> of variables without default and value
---@field locals table<string, string[]|false> what each local waits for; false: for something else
---@field depth integer of locals that name each other

-- The variables of a folder's module that nobody gives a value, nor could: calls of it would.
local function look(workspace, module, work)
  local job = {
    workspace = workspace, folder = folders.at(workspace, work.dir), edits = workspace.documents.edits, names = {}, locals = {}, depth = 0,
  }
  for name, declaration in pairs(module.root.folder.variables) do
    job.names[name] = not (module.inputs[name] or declaration.arguments.default) or nil
  end
  if next(job.names) and job.folder:callers()[1] then job.names = {} end
  work.missing = job
  return job
end

local function is_known(job, document, byte, source)
  local value = job.value_of(job.workspace, document, byte, source)
  return value ~= nil and value:is_wholly_known()
end

local of_expression

-- No chain of locals is followed further.
local DEEPEST = 200

local function of_local(job, d)
  local known = job.locals[d.address]
  if known == nil then
    job.locals[d.address] = {} -- while it is found out: a name may mean itself
    local expression = d.attribute.expression
    job.depth = job.depth + 1
    known = job.depth <= DEEPEST and of_expression(job, d.document, expression:range().start.byte, expression)
    job.depth = job.depth - 1
    if (not known or known[1]) and is_known(job, d.document, d.start, d.address) then known = {} end
    job.locals[d.address] = known
  end
  return known
end

local function of_reference(job, document, byte, reference)
  local root, name = reference.root, reference.steps[1]
  if root == "var" and job.names[name] then return { "var." .. name } end
  local d = root == "local" and type(name) == "string" and job.folder:find("local." .. name)
  if d then return of_local(job, d) end
  return is_known(job, document, byte, reference.path) and {}
end

-- Functions whose results aren't known beforehand, whatever they are given; those of providers, too.
local capabilities

local function is_late(name)
  if not capabilities then
    capabilities = {}
    for known, row in pairs(hcl.functions()) do capabilities[known] = row.capability or "none" end
  end
  local needed = capabilities[(name:gsub("^core::", ""))]
  return not needed or needed == "clock" or needed == "random"
end

-- What an expression waits for; false: for something else.
function of_expression(job, document, byte, expression)
  local found = {}
  for _, call in ipairs(expression:functions()) do
    if is_late(call.name) then return false end
  end
  for _, reference in ipairs(expression:references()) do
    local causes = of_reference(job, document, byte, reference)
    if not causes then return false end
    for _, name in ipairs(causes) do
      if not found[name] then found[#found + 1] = name end
      found[name] = true
    end
  end
  return found
end

--- The variables that alone keep the value of a source at a place from being known; nil: it isn't that.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@param byte integer
---@param source string
---@param value_of function values.value
---@return string[]?
function missing.of(workspace, document, byte, source, value_of)
  local module, _, work = on_demand("hclexpr.editor.background").module(workspace, document)
  if not module or work.dir ~= document.dir then return nil end
  local job = work.missing
  if not job or job.edits ~= workspace.documents.edits then job = look(workspace, module, work) end
  job.value_of = value_of
  local expression = next(job.names) and hcl.compile(source)
  local found = expression and of_expression(job, document, byte, expression)
  return found and found[1] and found or nil
end

return missing
