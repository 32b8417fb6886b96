-- Markdown from text that others wrote: values, names and descriptions in files that were just opened. Code shows each character as it
-- is; prose keeps its emphasis, lists and links to pages, and loads nothing: no image, no HTML, no link that is a command of the editor.
local markdown = require "hclexpr.markdown"

local untrusted = { block = markdown.block, code = markdown.code }

local entities = { ["("] = "&#40;", [":"] = "&#58;" }

-- Disarms a link, or the definition of one, unless it leads to a page or a mail address. Targets that could be decoded to another scheme
-- are disarmed too.
local function link(sign, blanks, target)
  local leads_elsewhere = target:find "[:&\\]" and not target:lower():find "^https?://" and not target:lower():find "^mailto:"
  if leads_elsewhere then return "]" .. entities[sign] .. blanks .. target end
end

--- Makes a text in Markdown harmless, such as the description of a variable. Entities, not backslashes, replace characters: a backslash in
--- the text would undo an added one.
---@param text string
---@return string
function untrusted.prose(text)
  local safe = text:gsub("!%[", "&#33;["):gsub("<", "&lt;"):gsub("%]([(:])(%s*)([^%s)]*)", link)
  if safe == text then return text end
  -- In code an entity shows as written, and where code begins depends on each editor's reader, so code is avoided here.
  return (safe:gsub("`", "&#96;"))
end

return untrusted
