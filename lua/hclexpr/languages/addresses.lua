-- Addresses in descriptions, such as "upstream.{name}": a word, followed by words and labels in braces.
local addresses = {}

---@class hclexpr.languages.Address
---@field text string as the author wrote it
---@field root string
---@field parts { word?: string, label?: string }[] after the root, in order

--- Parses an address. Returns nil and the reason if it is invalid.
---@param text string
---@return hclexpr.languages.Address?
---@return string? why
function addresses.read(text)
  local address, seen = { text = text, parts = {} }, {}
  for part in (text .. "."):gmatch "([^.]*)%." do
    local label, word = part:match "^{([%a_][%w_%-]*)}$", part:match "^[%a_][%w_%-]*$"
    if not label and not word then
      return nil, ("'%s' is neither a word nor a label in braces; an address is written as in \"upstream.{name}\""):format(part)
    end
    if not address.root then
      if label then return nil, "an address begins with a word, not with a label" end
      address.root = word
    else
      if label and seen[label] then return nil, ("the label '%s' is there twice"):format(label) end
      if label then seen[label] = true end
      table.insert(address.parts, { word = word, label = label })
    end
  end
  return address
end

--- Returns true if blocks of both could have the same address, or one's address could be the beginning of the other's.
---@param a hclexpr.languages.Address
---@param b hclexpr.languages.Address
---@return boolean
function addresses.clash(a, b)
  if a.root ~= b.root then return false end
  for i = 1, math.min(#a.parts, #b.parts) do
    local one, other = a.parts[i].word, b.parts[i].word
    if one and other and one ~= other then return false end
  end
  return true
end

return addresses
