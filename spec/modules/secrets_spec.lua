-- No output about a folder contains a secret: a sample of the search of fuzz/secrets.lua, with its control.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local hunt = dofile(support.root .. "fuzz/secrets.lua")

-- At each place every nth expression.
local ONE_IN = support.sample(41, 9)

describe("a secret variable", function()
  for _, mark in ipairs { "sensitive = true", "ephemeral = true" } do
    it("is shown nowhere: " .. mark, function()
      local found = {}
      hunt.run(mark, ONE_IN, function(way, place, expression) found[#found + 1] = ("%s, %s: %s"):format(way, place, expression) end)
      assert.same({}, found)
    end)
  end

  it("would be found in each way to see values, and at each place", function()
    local ways, places = {}, {}
    hunt.run("", ONE_IN, function(way, place) ways[way], places[place] = true, true end)
    for way in pairs(hunt.ways) do assert.equal(not hunt.blind[way], ways[way] == true, way) end
    for place in pairs(hunt.places) do assert.is_true(places[place], place) end
  end)
end)

describe("what an author hides", function()
  it("doesn't show in types of other values", function()
    local hcl = require "hclexpr"
    local dir = support.folder 'resource "terraform_data" "a" {\n  for_each = [sensitive({ hush = 1 })]\n}\n'
    local _, err = hcl.assert(hcl.module(dir)):plan()
    support.remove(dir)
    assert.equal("for_each must be a map or a set of strings, but this is a tuple([object({…})]). toset() makes a set of a list.",
      err[1].detail)
  end)

  it("isn't explained", function()
    local hcl = require "hclexpr"
    local tree = hcl.assert(hcl.compile 'upper(sensitive("${a}!"))'):explain { a = "hush" }
    assert.is_nil(tostring(tree):find("hush", 1, true))
    assert.truthy(tostring(tree):find('"${a}!"', 1, true))
  end)
end)
