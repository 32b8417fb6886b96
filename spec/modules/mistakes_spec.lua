-- Mistakes in what folders and their test files declare, each by itself: mistakes.jsonl has small folders, and the places of errors and warnings that Terraform
-- 1.17-dev gave them (`terraform validate -json`; without what only says that `terraform init` did not run).
local hcl = require "hclexpr"
local json = require "hclexpr.lsp.json"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local here = support.here()

describe("a mistake in a folder", function()
  local root, cases = nil, {}

  setup(function()
    local dirs = {}
    root = support.temporary_folder()
    for line in io.lines(here .. "mistakes.jsonl") do
      local case = assert(json.decode(line))
      cases[#cases + 1], dirs[#dirs + 1] = case, ("'%s/%d'"):format(root, #cases + 1)
    end
    assert(support.runs("mkdir " .. table.concat(dirs, " ")))
  end)
  teardown(function() support.remove(root) end)

  it("is reported at its place", function()
    local differences = {}
    for i, case in ipairs(cases) do
      local dir, found = ("%s/%d"):format(root, i), {}
      for name, text in pairs(case.files) do support.write(dir .. "/" .. name, text) end
      local module, err = hcl.module(dir)
      if module then err = select(2, module:validate()) end
      for k, d in ipairs(err or {}) do
        local at = d.range
        local place = at and ("%s %d:%d-%d:%d"):format(at.filename:match "[^/]*$", at.start.line, at.start.column, at.stop.line,
          at.stop.column)
        found[k] = d.severity .. " " .. (place or "-")
        assert.is_true(#d.summary > 0 and not (d.summary .. d.detail):find("%%[sdq]"), case.name)
      end
      table.sort(found)
      local got, wanted = table.concat(found, ", "), table.concat(case.wrong, ", ")
      if got ~= wanted then differences[#differences + 1] = ("%s: %s, not %s"):format(case.name, got, wanted) end
    end
    assert.equal("", table.concat(differences, "\n"))
    assert.is_true(#cases > 330)
  end)
end)
