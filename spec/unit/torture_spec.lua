-- Memory failing at any point of whatever needs it (spec/torture.lua): a sample of the points, or all of them (TORTURE=1, `make torture`).
local root = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../"
local support = dofile(root .. "support.lua")
local torture = dofile(root .. "torture.lua")

describe("work without memory", function()
  teardown(torture.finish)

  local sample = not os.getenv "TORTURE" and 5 or nil
  for i, name in ipairs(support.keys(torture.surfaces)) do
    if support.takes(i) then it("ends in an error and works afterwards: " .. name, function()
      local wrong, tried = torture.run(torture.surfaces[name], sample)
      assert.same({}, wrong)
      assert.is_true(tried > 2)
      if not sample then support.note(("%s: %d attempts"):format(name, tried)) end
    end) end
  end
end)
