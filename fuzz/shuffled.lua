-- Tables in random order: the order of `pairs` must not change an answer. Loaded before the module.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

--- Makes `pairs` go through tables in random orders.
---@param seed integer
return function(seed)
  local random, plain = support.random(seed), pairs
  _G.pairs = function(t)
    local meta = getmetatable(t)
    if type(t) ~= "table" or type(meta) == "table" and meta.__pairs then return plain(t) end
    local keys, n, i = {}, 0, 0
    for key in next, t do
      n = n + 1
      local at = random(n)
      keys[n] = keys[at]
      keys[at] = key
    end
    return function()
      repeat i = i + 1 until i > n or rawget(t, keys[i]) ~= nil -- removed meanwhile
      if i <= n then return keys[i], t[keys[i]] end
    end
  end
end
