-- Kinds of what the editor lists, each with the numbers that the Language Server Protocol has for it among completions and among symbols.
local kinds = {}

local ITEM, SYMBOL = 1, 13

---@type table<string, integer[]>
local rows = {
  block = { 7, 5 }, argument = { 10 }, attribute = { 5 }, variable = { 6 }, ["local"] = { 6 }, output = { 5 }, module = { 9, 2 },
  resource = { 7, 5 }, data = { 7, 5 }, provider = { 9, 5 }, check = { 7, 5 }, ["function"] = { 3 }, keyword = { 14 }, type = { 25 },
  value = { 12 }, loop = { 6 }, file = { 19 }, string = { 5, 15 }, number = { 5, 16 }, bool = { 5, 17 }, list = { 5, 18 },
  object = { 5, 19 }, null = { 12, 21 },
}
local of_words = { ephemeral = "data", action = "resource" }

--- The kind of a declaration by the word that its block begins with; others are blocks.
---@param word string
---@return string
function kinds.of(word) return of_words[word] or rows[word] and word or "block" end

---@param kind? string
---@return integer
function kinds.item(kind) return rows[kind] and rows[kind][1] or ITEM end

---@param kind string
---@return integer
function kinds.symbol(kind) return rows[kind] and rows[kind][2] or SYMBOL end

return kinds
