-- Kinds of listed things, each with its kind in the Language Server Protocol among completions and among symbols.
local kinds = {}

-- Numbers of words: their places.
local function numbered(words)
  local numbers, n = {}, 0
  for word in words:gmatch "%a+" do
    n = n + 1
    numbers[word] = n
  end
  return numbers
end

-- As the protocol counts them.
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

--- The kind of a declaration by the word that its block begins with; others are blocks.
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
