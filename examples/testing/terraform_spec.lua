-- The tests of a Terraform folder as busted tests: one for each run. Usage: TESTED=path/to/folder busted terraform_spec.lua
local hcl = require "hclexpr"

local folder = os.getenv "TESTED" or "."

local module, err, readable = hcl.module(folder, { environment = os.getenv })
if not (module or readable) then error(err:report(), 0) end

local result, why = (module or readable):test()
if not result then error(why:report(), 0) end

for _, file in ipairs(result.files) do
  describe(file.filename, function()
    for _, run in ipairs(file.runs) do
      it(run.name, function()
        assert(run.status == "pass", run.diagnostics and run.diagnostics:report() or run.status)
      end)
    end
    if file.diagnostics then
      it("is sound", function() assert(file.status == "pass", file.diagnostics:report()) end)
    end
  end)
end
