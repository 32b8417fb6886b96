-- Markdown of text that others wrote: values, names and descriptions of files that somebody just opened. Code shows each character as it
-- is; prose keeps its emphasis, lists and links to pages, and loads nothing: no image, no HTML, no link that is a command of the editor.
local markdown = {}

-- A run of backticks that is longer than any in the text.
local function longer(text, least)
  local longest = least - 1
  for run in text:gmatch "`+" do longest = math.max(longest, #run) end
  return ("`"):rep(longest + 1)
end

--- A block of code.
---@param text string
---@param language? string
---@return string
function markdown.block(text, language)
  local fence = longer(text, 3)
  return fence .. (language or "") .. "\n" .. text .. "\n" .. fence
end

--- Code within a line; line ends become blanks.
---@param text string
---@return string
function markdown.code(text)
  text = text:gsub("%s*\n%s*", " ")
  local quote = longer(text, 1)
  local room = text:find "^`" and " " or text:find "`$" and " " or ""
  return quote .. room .. text .. room .. quote
end

local pages = { http = true, https = true, mailto = true }

-- A piece of prose without code.
local function harmless(text)
  text = text:gsub("!%[", "!\\["):gsub("<", "\\<")
  return (text:gsub("%]%((%s*)(%a[%w+.-]*):", function(blanks, scheme)
    if not pages[scheme:lower()] then return "]\\(" .. blanks .. scheme .. ":" end
  end))
end

--- A text in Markdown, such as the description of a variable.
---@param text string
---@return string
function markdown.prose(text)
  local parts, at = {}, 1
  while true do
    local first, last = text:find("`+", at)
    if not first then break end
    local run = text:sub(first, last)
    -- Code ends at the next run of the same length.
    local stop = last
    repeat
      local from, to = text:find("`+", stop + 1)
      stop = to
    until not from or to - from == last - first
    parts[#parts + 1] = harmless(text:sub(at, first - 1))
    parts[#parts + 1] = stop and text:sub(first, stop) or run:gsub("`", "\\`")
    at = (stop or last) + 1
  end
  parts[#parts + 1] = harmless(text:sub(at))
  return table.concat(parts)
end

return markdown
