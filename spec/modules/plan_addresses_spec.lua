-- Plans with options over states, and names with keys of all kinds: a sample of fuzz/addresses.lua.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local fuzz = dofile(support.root .. "fuzz/addresses.lua")

describe("plans with options, and names with keys", function()
  it("answer or say what is wrong, whatever the addresses are", function()
    local breaches = {}
    fuzz.run(support.sample(20, 150, 8), 1, function(seed, about, why)
      breaches[#breaches + 1] = ("seed %d: %s\n%s"):format(seed, why, fuzz.text(about))
    end)
    assert.equal("", table.concat(breaches, "\n"))
    for _, what in ipairs { "plans", "refused plans", "values", "refused questions", "delete", "create" } do
      assert.is_true((fuzz.counts[what] or 0) > 0, "no " .. what)
    end
  end)
end)
