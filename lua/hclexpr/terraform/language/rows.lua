-- The format of the table of the language (language.lua): the fields of a block's row, and the lines of its arguments.
local rows = {}

---@class hclexpr.language.Block
---@field about? string for readers
---@field labels? string[] the names of its labels
---@field arguments? string lines, see below
---@field reserved_arguments? string names that the language reserves: read to be rejected, never offered
---@field blocks? table<string, hclexpr.language.Block> the blocks inside, by type
---@field max? integer how many such blocks the block around may have
---@field min? integer
---@field reserved? boolean a block that is read to be rejected, and never offered
---@field rest? "type"|"configuration"|"variables"|"requirements"|"label"|"any" what determines its other contents: the schema of its type, or of the
--- provider's configuration; the variables of the module; its label (by_label); none, it is a table of names
---@field by_label? table<string, hclexpr.language.Block> further contents, by the first label
---@field gone? string labels that the language had once
---@field needs? string of a backend: arguments that terraform_remote_state must give
---@field is_object? boolean of a block in a backend: terraform_remote_state has an object for it
---
--- Of blocks that declare something:
---@field kind? string of the declaration; nil: the block's type
---@field mode? string a row of modes.lua
---@field prefix? string what the declaration's address begins with, before its labels
---@field what? string in messages
---@field list? string the field of a Folder that has the declarations of this kind
---@field override? "merge" in an override file its arguments win one by one, and none is required
---@field fixed? string[] arguments that an override can't have
---@field kept? string a constant that an override may have, and that is ignored there
---@field read_by? string the file of read/blocks/ that reads it; nil: the file named as its type

---@class hclexpr.language.Argument
---@field name string
---@field type string as the language writes it, or words for other kinds: "reference", "list of reference", "list of resource",
--- "list of action", "list of argument", "provider", "map of provider", "type", "source", "name", "keyword a b", "list of keyword", …
---@field constant? boolean a literal, which is read before anything has a value
---@field required? boolean
---@field deprecated? boolean
---@field about? string
---@field words? table<string|integer, string|true> see rows.words

local argument_lists = {}

local marks = { ["!"] = "required", ["~"] = "deprecated" }

local function add(list, name, mark, type, about)
  local argument = { name = name, type = type, about = about }
  local constant = type:match "^constant (.+)$"
  if constant then argument.type, argument.constant = constant, true end
  if marks[mark] then argument[marks[mark]] = true end
  list[#list + 1], list[name] = argument, argument
end

--- The arguments of a block, in order and by name. A row has them as lines: "name[!|~] [constant] type: words for readers", where "!" is
--- required and "~" deprecated; or "type: name name~ …", without words for readers.
---@param row hclexpr.language.Block
---@return hclexpr.language.Argument[]
function rows.arguments(row)
  local list = argument_lists[row]
  if list then return list end
  list = {}
  for line in (row.arguments or ""):gmatch "[^\n]+" do
    local head, rest = line:match "^%s*([^:]+):%s*(.-)%s*$"
    local name, mark, type = (head or ""):match "^([%w_]+)([!~]?)%s+(.+)$"
    if name then
      add(list, name, mark, type, rest)
    elseif head then
      for one, own in rest:gmatch "([%w_]+)(~?)" do add(list, one, own, head) end
    end
  end
  argument_lists[row] = list
  return list
end

--- The words that an argument accepts, in order and by name.
---@param row hclexpr.language.Block
---@param name string
---@return table<string|integer, string|true>
function rows.words(row, name)
  local argument = rows.arguments(row)[name]
  if not argument.words then
    local words = {}
    for word in argument.type:match("^keyword (.+)$"):gmatch "%S+" do words[#words + 1], words[word] = word, true end
    argument.words = words
  end
  return argument.words
end

local names = {}
for word in ("reference resource action argument provider type keyword name"):gmatch "%S+" do names[word] = true end

--- Does an argument name something, instead of having a value? In JSON syntax its texts are names.
---@param argument hclexpr.language.Argument
---@return boolean
function rows.is_name(argument)
  local type = argument.type
  return names[type:match "^%l+ of (%l+)$" or type:match "^%l+"] == true
end

--- Did the language once have a block with this label?
---@param row hclexpr.language.Block
---@param label string
---@return boolean
function rows.is_gone(row, label)
  return (" " .. (row.gone or "") .. " "):find(" " .. label .. " ", 1, true) ~= nil
end

return rows
