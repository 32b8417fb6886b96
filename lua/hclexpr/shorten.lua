--- A text of at most so many bytes, or its beginning, which ends with a whole character, and "…".
---@param text string
---@param most integer
---@param kept? integer what is kept of a longer one, if less than `most`
---@return string
return function(text, most, kept)
  if #text <= most then return text end
  local cut = kept or most
  while cut > 0 and text:find("^[\128-\191]", cut + 1) do cut = cut - 1 end
  return text:sub(1, cut) .. "…"
end
