-- A list once more, to be changed. (unpack is elsewhere in 5.1, and takes no long list there.)

---@generic T
---@param list T[]
---@return T[]
return function(list)
  local copy = {}
  for i = 1, #list do copy[i] = list[i] end
  return copy
end
