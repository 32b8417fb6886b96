-- Folders of well-known projects load and plan. They are in ../shared/corpus beside the checkout (or CORPUS_DIR), not in the repository;
-- without them nothing is tested here.
local hcl = require "hclexpr"

local corpus = os.getenv "CORPUS_DIR" or "../shared/corpus"

-- Every nth folder is planned.
local SAMPLE = 6

-- Allowed problems: modules and files that those projects fetch or keep elsewhere are missing, and variables have no values.
local absent = { ["module.missing"] = true, ["module.input_missing"] = true }
local no_file = "can't be read"

-- Errors in the projects themselves, by the end of the folder that is opened.
local mistakes = {
  ["v4-to-v5/example"] = "module.duplicate", -- two versions of one folder side by side
  ["examples/autoscalinggroup"] = "module.context", -- each in a block that has an argument for_each, and isn't dynamic
  ["examples/issues"] = "call.failed", -- coalescelist() of two empty lists
  ["examples/ipam"] = "module.count", -- the number of subnets depends on an address that isn't known yet
}

local function is_known(d, folder)
  if absent[d.code] or d.detail:find(no_file, 1, true) then return true end
  for path, code in pairs(mistakes) do
    if d.code == code and folder:sub(-#path) == path then return true end
  end
  return false
end

local function folders()
  local pipe = assert(io.popen("find '" .. corpus .. "' -name '*.tf' 2>/dev/null | sed 's,/[^/]*$,,' | sort -u"))
  local list = {}
  for path in pipe:lines() do list[#list + 1] = path end
  pipe:close()
  return list
end

describe("folders of well-known projects", function()
  it("load and plan", function()
    local unexpected = {}
    local function look(err, folder)
      for _, d in ipairs(err or {}) do
        if d.severity == "error" and not is_known(d, folder) then
          unexpected[#unexpected + 1] = (d.range and ("%s line %d: "):format(d.range.filename, d.range.start.line) or "") .. d.detail
        end
      end
    end
    local list = folders()
    for i = 1, #list, SAMPLE do
      local m, err = hcl.module(list[i])
      look(err, list[i])
      if m then look(select(2, m:plan()), list[i]) end
    end
    assert.are.equal("", table.concat(unexpected, "\n"))
  end)
end)
