-- The test suite of the language itself: each case is a file, a decode specification and the expected result, with errors by place.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local CANNOT_RUN = 77

describe("the language's own test suite", function()
  it("passes", function()
    local text = support.output("'" .. support.root .. "tools/specsuite' 2>&1; echo \"status $?\"")
    local status = tonumber(text:match "status (%d+)%s*$")
    if status == CANNOT_RUN then
      support.note("the language's own test suite was not run: " .. text:match "^[^\n]*")
      return
    end
    assert.equal(0, status, text)
    local cases = {}
    for case in text:gmatch "%- ([^\n]+)" do cases[#cases + 1] = case end
    assert.equal(15, #support.distinct(cases), text)
  end)
end)
