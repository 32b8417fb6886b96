-- What each thread of tools/tsan does: all work of spec/torture.lua, in an order of its own, and what it gives is the same each time.
local torture = dofile "spec/torture.lua"
local support = dofile "spec/support.lua"

local names, wanted, draw = support.keys(torture.surfaces), {}, support.random((...))
for _ = 1, 3 * #names do
  local name = names[draw(#names)]
  local got, err = torture.surfaces[name]()
  assert(got ~= nil and got == (wanted[name] or got), name .. ": " .. tostring(got) .. ", " .. tostring(err))
  wanted[name] = got
end
torture.finish()
