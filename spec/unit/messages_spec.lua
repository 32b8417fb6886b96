-- Each message of the language reports its mistake, with the words of that mistake in it.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local unpack = table.unpack or unpack -- luacheck: ignore

local here = support.here()
local mistakes = dofile(here .. "../mistakes/language.lua")
local GROUPS = { "syntax", "json", "for", "condition", "operator", "object", "template", "splat", "type", "reference", "call" }

local function written(text) return (text:gsub("\\([\\\"])", "%1")) end

-- The rows of the list of messages, by name: code, summary and detail, with "%s" in place of words.
local function rows()
  local out, groups = {}, {}
  for _, group in ipairs(GROUPS) do groups[group] = true end
  for line in io.lines(here .. "../../csrc/base/diag_list.h") do
    local name, code, summary, detail = line:match '^HX_DIAG%(([%w_]+), HX_%u+, "(.-)", "(.-)", "(.*)"%)$'
    if name and groups[code:match "^%l+"] then
      detail = written(detail):gsub("%%%.%*s", "%%s"):gsub("%%lld", "%%s")
      if detail ~= "%s" then out[name] = { code = code, summary = written(summary), detail = detail } end
    end
  end
  return out
end

describe("the message of a mistake", function()
  local all = rows()

  for _, m in ipairs(mistakes.rows) do
    local mode, source, name = m[1], m[2], m[3]
    it("is " .. name .. " in " .. ("%q"):format(source), function()
      local row = all[name]
      local err = assert(mistakes.read(mode, source))
      assert.same({ row.code, row.summary, row.detail:format(unpack(m, 4)) }, { err[1].code, err[1].summary, err[1].detail })
    end)
  end

  it("says for + how to join such values", function()
    for source, way in pairs {
      ['1 + "a"'] = 'Texts are joined in a template: "${a}${b}".', ['sensitive("a") + 1'] = 'Texts are joined in a template: "${a}${b}".',
      ["[1] + [2]"] = "Lists are joined by concat().", ["toset([1]) + 1"] = "Lists are joined by concat().",
      ["{ a = 1 } + {}"] = "Maps and objects are joined by merge().", ["tomap({ a = 1 }) + 1"] = "Maps and objects are joined by merge().",
      ["{} - {}"] = "Convert it, or take a value of that type.", ["[] && true"] = "Convert it, or take a value of that type.",
      ["true + 1"] = "Convert it, or take a value of that type.",
    } do
      local _, err = hcl.eval(source)
      assert.equal(way, err[1].detail:sub(-#way), source)
    end
  end)

  it("is known for all rows", function()
    for _, m in ipairs(mistakes.rows) do all[m[3]] = nil end
    assert.equal("", table.concat(support.keys(all), " "), "spec/mistakes/language.lua has no source for these")
  end)
end)
