-- Callbacks that raise errors, yield, collect garbage, start evaluations, close objects in use or return nonsense (spec/callbacks.lua), at
-- each place where the library calls one: a sample of the misdeeds, or all of them at the first, second and last call (TORTURE=1).
local root = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../"
local support = dofile(root .. "support.lua")
local callbacks = dofile(root .. "callbacks.lua")
local testing = require "hclexpr.testing"

local whole = os.getenv "TORTURE" ~= nil
local misdeeds = support.keys(callbacks.misdeeds)

-- The failures of some misdeeds at a place: of the first and every step-th.
local function tried(name, first, step)
  local wrong, n = {}, callbacks.calls(name)
  for i = first, #misdeeds, step do
    for at in pairs(whole and { [1] = true, [2] = n > 1, [n] = true } or { [(i - 1) % n + 1] = true }) do
      local why = callbacks.attempt(name, misdeeds[i], at)
      if why then wrong[#wrong + 1] = ("%s, call %d of %d: %s"):format(misdeeds[i], at, n, why) end
    end
  end
  return wrong
end

describe("a callback that misbehaves", function()
  teardown(callbacks.finish)

  local names = support.keys(callbacks.places)
  for i, name in ipairs(names) do
    if support.takes(i) then it("ends in an error and does right afterwards: " .. name, function()
      local step = whole and 1 or callbacks.places[name].long and 12 or 4
      assert.same({}, tried(name, i % step + 1, step))
    end) end
  end

  -- The first objects are cached; after that, repetitions must not grow anything.
  it("leaks nothing", function()
    local blocks = {}
    for pass = 1, 3 do
      for i, name in ipairs(names) do
        if support.takes(i) and not callbacks.places[name].long then tried(name, i % 11 + 1, 11) end
      end
      assert.same({}, callbacks.held())
      blocks[pass] = support.settled(testing.blocks)
    end
    assert.is_true(blocks[3] <= blocks[2], table.concat(blocks, " "))
  end)

  it("isn't called as a metamethod", function() assert.equal(1, callbacks.calls "metamethods") end)
end)
