-- Kinds of candidates and symbols, and their numbers in the Language Server Protocol.
local kinds = {}

-- Maps each word in a list of words to its number, from 1.
local function numbered(words)
  local numbers, n = {}, 0
  for word in words:gmatch "%a+" do
    n = n + 1
    numbers[word] = n
  end
  return numbers
end

-- The kinds of the protocol, in the order of their numbers there.
local items = numbered [[Text Method Function Constructor Field Variable Class Interface Module Property Unit Value Enum Keyword Snippet
  Color File Reference Folder EnumMember Constant Struct Event Operator TypeParameter]]
local symbols = numbered [[File Module Namespace Package Class Method Property Field Constructor Enum Interface Function Variable
  Constant String Number Boolean Array Object Key Null EnumMember Struct Event Operator TypeParameter]]

---@type table<string, string[]>
local rows = {
  block = { "Class", "Class" }, argument = { "Property" }, attribute = { "Field" }, variable = { "Variable" }, ["local"] = { "Variable" },
  output = { "Field" }, module = { "Module", "Module" }, resource = { "Class", "Class" }, data = { "Class", "Class" },
  provider = { "Module", "Class" }, check = { "Class", "Class" }, ["function"] = { "Function" }, keyword = { "Keyword" },
  type = { "TypeParameter" }, value = { "Value" }, loop = { "Variable" }, file = { "File" }, folder = { "Folder" },
  string = { "Field", "String" }, number = { "Field", "Number" }, bool = { "Field", "Boolean" }, list = { "Field", "Array" },
  object = { "Field", "Object" }, null = { "Value", "Null" },
}
local of_words = { ephemeral = "data", action = "resource" }

--- Returns the kind of a declaration by the first word of its block; unknown words are "block".
---@param word string
---@return string
function kinds.of(word) return of_words[word] or rows[word] and word or "block" end

---@param kind? string
---@return integer
function kinds.item(kind) return items[rows[kind] and rows[kind][1] or "Text"] end

---@param kind string
---@return integer
function kinds.symbol(kind) return symbols[rows[kind] and rows[kind][2] or "Variable"] end

return kinds
