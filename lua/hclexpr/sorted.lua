-- The keys of a table in order, for lists and reports.

---@generic K
---@param t table<K, any>
---@return K[]
return function(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end
