-- Makes Markdown from untrusted text: values, names and descriptions in files that were just opened. Code shows each character unchanged.
-- Prose keeps its emphasis, lists and links to pages, but loads nothing: no images, no HTML, no links that run commands of the editor.
local markdown = require "hclexpr.markdown"

local untrusted = { block = markdown.block, code = markdown.code }

local entities = { ["("] = "&#40;", [":"] = "&#58;" }

-- Disarms a link, or a link definition, unless its target is a web page or a mail address. A target that could be decoded to another scheme
-- is disarmed too.
local function link(sign, blanks, target)
  local leads_elsewhere = target:find "[:&\\]" and not target:lower():find "^https?://" and not target:lower():find "^mailto:"
  if leads_elsewhere then return "]" .. entities[sign] .. blanks .. target end
end

--- Makes a text harmless as Markdown, such as the description of a variable. It replaces characters by entities instead of adding
--- backslashes, because a backslash in the text would cancel an added one.
---@param text string
---@return string
function untrusted.prose(text)
  local safe = text:gsub("!%[", "&#33;["):gsub("<", "&lt;"):gsub("%]([(:])(%s*)([^%s)]*)", link)
  if safe == text then return text end
  -- In code, entities would be shown literally, and editors differ in where code begins. So backticks are replaced, too.
  return (safe:gsub("`", "&#96;"))
end

return untrusted
