-- The described languages of a workspace. The name of a file decides which of them applies to it.
local described = require "hclexpr.editor.described"
local description = require "hclexpr.languages.description"

---@class hclexpr.service.Languages
---@field list { description: hclexpr.languages.Description, vocabulary: hclexpr.service.Vocabulary }[]
local Languages = {}
Languages.__index = Languages

local languages = {}

--- Says what is wrong with the option `languages`, or returns nil.
---@param option any
---@return string?
function languages.fault(option)
  if description.of(option) then return "is a language, where a list of them belongs" end
  for i, language in ipairs(option) do
    if not description.of(language) then
      return ("has a %s as element %d, where what language { … } gives belongs"):format(type(language), i)
    end
  end
end

---@param list hclexpr.Language[] languages that languages.fault has checked
---@return hclexpr.service.Languages
function languages.new(list)
  local made = { list = {} }
  for i, language in ipairs(list) do
    local of = description.of(language) --[[@as hclexpr.languages.Description]]
    made.list[i] = { description = of, vocabulary = described.vocabulary(of) }
  end
  return setmetatable(made, Languages)
end

--- Returns the vocabulary of a file's language; nil if no language applies. If several languages apply, the one with the best matching
--- pattern wins, then the first one.
---@param name string
---@return hclexpr.service.Vocabulary?
function Languages:find(name)
  local best, found
  for _, one in ipairs(self.list) do
    local suits = description.suits(one.description, name)
    if suits and suits > (best or -1) then best, found = suits, one.vocabulary end
  end
  return found
end

--- Returns the file patterns of all languages.
---@return string[]
function Languages:patterns()
  local found = {}
  for _, one in ipairs(self.list) do
    for _, pattern in ipairs(one.description.files) do found[#found + 1] = pattern end
  end
  return found
end

return languages
