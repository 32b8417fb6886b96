-- The properties for any input (fuzz/targets.lua) hold for the corpus of former runs: a sample of each target's inputs.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local corpus = dofile(support.root .. "fuzz/corpus.lua")

local SOME = 4 -- inputs of each target in the sample

describe("a property of any input", function()
  local targets
  setup(function() targets = dofile(support.root .. "fuzz/targets.lua") end)
  teardown(function() targets.close() end)

  for _, target in ipairs(corpus.targets()) do
    it("holds for the corpus: " .. target, function()
      local inputs = corpus.inputs(target)
      for i = 1, #inputs, support.sample(math.max(1, math.ceil(#inputs / SOME)), 1) do
        local ok, why = pcall(targets[target], inputs[i])
        assert.is_true(ok, ("input %d: %s"):format(i, tostring(why)))
      end
    end)
  end
end)
