-- The documents that are made of the rows of the sources: `make docs` makes them.
local root = debug.getinfo(1, "S").source:match "^@(.*)spec/unit/docs_spec%.lua$"

local function read(path)
  local f = assert(io.open(path, "rb"))
  local text = f:read "*a"
  f:close()
  return text
end

describe("doc", function()
  for _, name in ipairs { "functions", "diagnostics" } do
    it(name .. ".md is up to date", function()
      assert.is_true(dofile(root .. "spec/tools/" .. name .. ".lua") == read(root .. "doc/" .. name .. ".md"), "run: make docs")
    end)
  end
end)
