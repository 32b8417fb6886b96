-- Writes code in Markdown, with enough backticks for any text.
local markdown = {}

-- Returns a run of at least `least` backticks that is longer than any run in the text.
local function longer(text, least)
  local longest = least - 1
  for run in text:gmatch "`+" do longest = math.max(longest, #run) end
  return ("`"):rep(longest + 1)
end

--- Writes a block of code.
---@param text string
---@param language? string
---@return string
function markdown.block(text, language)
  local fence = longer(text, 3)
  return fence .. (language or "") .. "\n" .. text .. "\n" .. fence
end

--- Writes code within a line; line ends become spaces.
---@param text string
---@return string
function markdown.code(text)
  text = text:gsub("%s*\n%s*", " ")
  local quote = longer(text, 1)
  local room = text:find "^`" and " " or text:find "`$" and " " or ""
  return quote .. room .. text .. room .. quote
end

return markdown
