-- Functions of the program that reads the edited files, from the option `functions`: names of files that define them, as for --functions,
-- or a table that describes them. Files outside of Terraform modules may call these functions.
local calls = require "hclexpr.calls"
local vars = require "hclexpr.editor.vars"

local own_functions = {}

-- Returns the text of a type; "any" if the option is missing.
local function type_of(option) return option == nil and "any" or tostring(option) end

local function param_of(option)
  return { name = option.name or "value", type = type_of(option.type), description = option.description }
end

--- Describes a function, given its options for hcl.func. Returns false if the function takes any arguments.
---@param name string
---@param options table|function|true
---@return hclexpr.FunctionInfo|false
function own_functions.row(name, options)
  if type(options) ~= "table" then return false end
  local params = {}
  for i, option in ipairs(options.params or {}) do params[i] = param_of(option) end
  local returns = options.returns
  return { name = name, params = params, variadic = options.variadic and param_of(options.variadic) or nil,
           returns = type(returns) == "function" and "any" or type_of(returns), summary = options.summary or "",
           description = options.description or options.summary or "" }
end

--- Says what is wrong with the option `functions`, or returns nil.
---@param option any
---@return string?
function own_functions.fault(option)
  for key, value in pairs(type(option) == "table" and option or {}) do
    if type(key) == "number" and type(value) ~= "string" then return ("names a file by a %s"):format(type(value)) end
    local fits = type(key) == "number" or value == true or type(value) == "function" or type(value) == "table" or type(value) == "userdata"
    if not fits then return ("has a %s for %s, where a function, options of hcl.func or true belongs"):format(type(value), key) end
  end
end

--- Returns the functions of the program that a file may call; false in the table means a function that takes any arguments.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@return table<string, hclexpr.FunctionInfo|false>
function own_functions.of(workspace, document)
  local option, rows = workspace.options.functions, {}
  for key, value in pairs(type(option) == "table" and option or { option }) do
    local path = type(key) == "number" and vars.find(workspace, document.dir, value)
    local body = path and workspace.documents:get(path).body
    if body then calls.defined(body, rows) elseif type(key) == "string" then rows[key] = own_functions.row(key, value) end
  end
  for name, row in pairs(document.vocabulary and document.vocabulary.functions or {}) do rows[name] = row end
  return rows
end

--- Returns true if files of a folder may call functions of the program.
---@param folder hclexpr.service.Folder
---@return boolean
function own_functions.may_call(folder) return folder.vocabulary ~= nil or folder.alone == true and not folder.given end

--- Returns the functions of the program, and those that the file defines.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@return table<string, hclexpr.FunctionInfo|false>
function own_functions.all(workspace, document)
  local rows = own_functions.of(workspace, document)
  if document.body and not document.vocabulary then calls.defined(document.body, rows) end
  return rows
end

return own_functions
