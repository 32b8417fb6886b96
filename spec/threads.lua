-- The work of each thread of tools/tsan: all tasks of spec/torture.lua, in a different order for each thread, with equal results each time.
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
