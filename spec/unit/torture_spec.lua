-- Memory failing at any point of every task that needs it (spec/torture.lua): a sample of the points, or all (TORTURE=1, `make torture`).
local root = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../"
local support = dofile(root .. "support.lua")
local torture = dofile(root .. "torture.lua")
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local testing = require "hclexpr.testing"

describe("work without memory", function()
  teardown(torture.finish)

  -- Files of the library assume that some calls have results, or treat nil as an answer.
  it("raises an error if callers don't check for a missing result", function()
    local body, constant = hcl.parse 'a = 1\nb "x" {\n  c = [1, 2]\n}\n', nil
    local values, tried = require "hclexpr.terraform.read.reading", 0
    for name, work in pairs {
      level = function() return core.level(body).blocks[1] and "a level" end,
      ["all of a level"] = function() return core.level(body, { attributes = {}, blocks = {}, partial = true }) and "a level" end,
      literal = function() return constant:literal() and "a literal" end,
      unknown = function() return tostring(core.unknown("list(object({ a = string }))", { not_null = true })) end,
      value = function() return tostring(core.value({ 1, 2 }, "set(string)")) end,
      constant = function() return tostring(values.evaluate(constant)) end,
      ["a body that keeps expressions"] = function()
        local got, err = body:decode { attributes = { a = { type = "expression" } }, blocks = { b = { labels = { "n" },
          schema = { attributes = { c = { type = "expression" } } } } } }
        if not got then error(tostring(err), 0) end
        return got.a.expression:source() .. got.b[1].c.expression:source()
      end,
      ["the names in a folder"] = function() return #core.list_folder(nil, root) > 10 and "names" end,
      ["a look"] = function() return core.has_file(nil, root .. "torture.lua") and "a file" end,
      ["constant in JSON"] = function() return tostring(values.json_value(constant)) end,
    } do
      constant = hcl.compile '["x", [1]]'
      local wanted, n = work(), 0
      repeat
        n, constant = n + 1, hcl.compile '["x", [1]]'
        local before = testing.allocations()
        testing.fail_after(n)
        local ok, given = pcall(work)
        testing.fail_after(0)
        assert.equal(ok and wanted or "memory", ok and given or tostring(given):match "memory" or given, name .. n)
      until testing.allocations() - before < n
      tried = tried + n - 1
    end
    assert.is_true(tried > 10)
  end)

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
