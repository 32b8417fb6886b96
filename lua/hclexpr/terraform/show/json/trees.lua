-- Writes trees of JSON, which are Lua tables and Values. Large lists are made element by element, so that a plan of many resources is
-- written without holding all of it in memory.
--
-- A tree is anything that core.value takes, or an object, a list or a kept Value that this file made. Objects and lists may contain such
-- trees.
local core = require "hclexpr.core"
local Findings = require "hclexpr.terraform.language.findings"
local jsontext = require "hclexpr.json.text"
local sorted = require("hclexpr.util").sorted

local trees = {}

local Object, List, Kept = {}, {}, {}

--- Makes an object whose fields may be objects and lists of this file; returns nil if it is empty.
---@param fields table<string, any>
---@return table?
function trees.object(fields)
  return next(fields) ~= nil and setmetatable(fields, Object) or nil
end

--- Makes a list of the results of make(element) for the elements of `of`; returns nil if it is empty.
---@param of any[]
---@param make? fun(element: any): any nil if the elements are trees already
---@return table?
function trees.list(of, make)
  return of[1] ~= nil and setmetatable({ of = of, make = make or function(tree) return tree end }, List) or nil
end

--- Makes a kept Value, whose text is made once and stored. It is for parts that are the same in each call of a folder.
---@param value hclexpr.Value
---@return table
function trees.kept(value)
  return setmetatable({ value = value }, Kept)
end

-- As a Value

local function whole(tree)
  local kind = type(tree) == "table" and getmetatable(tree)
  if kind == Kept then return tree.value end
  if kind ~= Object and kind ~= List then return tree end
  local made = {}
  if kind == List then
    for i, element in ipairs(tree.of) do made[i] = whole(tree.make(element)) end
    return setmetatable(made, core.array_mt)
  end
  for name, part in pairs(tree) do made[name] = whole(part) end
  return made
end

--- Makes one Value from a tree; returns nil if that isn't possible, or if the tree is too large.
---@param tree any
---@return hclexpr.Value?
---@return hclexpr.Diagnostics? err
function trees.value(tree)
  return core.value(whole(tree))
end

-- As text

-- Writes a tree. `path` has the names and numbers that lead to it, for Diagnostics. Returns Diagnostics if the tree can't be written.
local write

local function write_parts(writer, tree, path)
  local at = #path + 1
  writer:open "{"
  for _, name in ipairs(sorted(tree)) do
    writer:key(name)
    path[at] = name
    local err = write(writer, tree[name], path)
    if err then return err end
  end
  path[at] = nil
  writer:close "}"
end

local function write_elements(writer, tree, path)
  local at, make = #path + 1, tree.make
  writer:open "["
  for i, element in ipairs(tree.of) do
    path[at] = i
    local err = write(writer, make(element), path)
    if err then return err end
  end
  path[at] = nil
  writer:close "]"
end

local function refused(path, within, why)
  local text = ""
  for _, step in ipairs(path) do
    local named = text == "" and step or "." .. step
    text = text .. (type(step) == "number" and ("[%d]"):format(step - 1) or named)
  end
  if within:find "^[^%[]" then within = "." .. within end
  return Findings.diagnose("MODULE_JSON", nil, nil, ("The value at %s%s %s, which JSON can't express."):format(text, within, why))
end

local function write_value(writer, tree, path)
  local value, err = core.value(tree)
  if value == nil then return err end
  local text, within, why = core.value_json(value, 0, 0)
  if not text then return refused(path, within, why) end
  writer:raw(text)
end

local function write_kept(writer, tree, path)
  if not tree.text then
    local text, within, why = core.value_json(tree.value, 0, 0)
    if not text then return refused(path, within, why) end
    tree.text = text
  end
  writer:raw(tree.text)
end

local writers = { [Object] = write_parts, [List] = write_elements, [Kept] = write_kept }

function write(writer, tree, path)
  return (type(tree) == "table" and writers[getmetatable(tree)] or write_value)(writer, tree, path)
end

--- Returns the text of a tree, which is also that of its Value; nil if a part of the tree can't be written.
---@param tree any
---@return string?
---@return hclexpr.Diagnostics? err
function trees.text(tree)
  local writer = jsontext.writer {}
  local err = write(writer, tree, {})
  if err then return nil, err end
  return writer:text()
end

return trees
