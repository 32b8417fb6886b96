-- Defines the format of the language's table (language.lua): the fields of a block's row, and the lines of its arguments.
local rows = {}

---@class hclexpr.language.Block
---@field about? string a description for users
---@field labels? string[] the names of its labels
---@field arguments? string lines, see below
---@field reserved_arguments? string names that the language reserves: they are read only to be rejected, and never offered
---@field blocks? table<string, hclexpr.language.Block> the blocks inside, by type
---@field max? integer how many of these blocks are allowed in one place
---@field min? integer
---@field reserved? boolean it is read only to be rejected, and never offered
---@field rest? "type"|"configuration"|"variables"|"requirements"|"label"|"any" what determines its other contents: the schema of its type; that of the
--- provider's configuration; the variables of the module; its label (by_label); any: it is a table of names
---@field by_label? table<string, hclexpr.language.Block> further contents, by the first label
---@field gone? string labels that the language had once
---@field needs? string of a backend: arguments that terraform_remote_state must give
---@field is_object? boolean of a block in a backend: terraform_remote_state has an object for it
---
--- Of blocks that declare something:
---@field kind? string the kind of the declaration; by default, the block's type
---@field mode? string a row of modes.lua
---@field prefix? string the beginning of the declaration's address, before its labels
---@field what? string its name in messages
---@field list? string the field of a Folder with the declarations of this kind
---@field override? "merge" in an override file each of its arguments replaces the original one, and none is required
---@field fixed? string[] arguments that an override can't have
---@field kept? string a constant that an override may have, but that is ignored there
---@field read_by? string the file in read/blocks/ that reads it; by default, the one with the name of its type

---@class hclexpr.language.Argument
---@field name string
---@field type string as the language writes it, or words for other kinds: "reference", "list of reference", "list of resource",
--- "list of action", "list of argument", "provider", "map of provider", "type", "source", "name", "keyword a b", "list of keyword", …
---@field constant? boolean a literal, which is read before evaluation
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

--- Returns the arguments of a block, in order and by name. A row has them as lines: "name[!|~] [constant] type: description", where "!"
--- means required and "~" deprecated; or "type: name name~ …" without descriptions.
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

--- Returns the words that an argument accepts, in order and by name.
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

--- Returns true if an argument names something instead of having a value. In JSON syntax its texts are names.
---@param argument hclexpr.language.Argument
---@return boolean
function rows.is_name(argument)
  local type = argument.type
  return names[type:match "^%l+ of (%l+)$" or type:match "^%l+"] == true
end

--- Returns true if the language once had a block with this label.
---@param row hclexpr.language.Block
---@param label string
---@return boolean
function rows.is_gone(row, label)
  return (" " .. (row.gone or "") .. " "):find(" " .. label .. " ", 1, true) ~= nil
end

return rows
