-- The documents that are made of the rows of the sources: `make docs` makes them.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local root = support.root

describe("doc", function()
  for _, name in ipairs { "functions", "diagnostics" } do
    it(name .. ".md is up to date", function()
      assert.is_true(dofile(root .. "spec/tools/" .. name .. ".lua") == support.read(root .. "doc/" .. name .. ".md"), "run: make docs")
    end)
  end
end)
