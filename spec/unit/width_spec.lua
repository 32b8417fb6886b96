-- Text for people at the width of a terminal.
local hcl = require "hclexpr"
local help = require "hclexpr.cli.help"
local layout = require "hclexpr.cli.layout"
local cli = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../command.lua")
local names = require("hclexpr.cli").names

local function longest(text)
  local most = 0
  for line in text:gmatch "[^\n]+" do most = math.max(most, select(2, line:gsub("[^\128-\191]", ""))) end
  return most
end

local function words(text)
  local list = {}
  for word in text:gmatch "%S+" do list[#list + 1] = word end
  return table.concat(list, " ")
end

describe("the width of", function()
  setup(cli.begin)
  teardown(cli.finish)

  it("a paragraph is kept between words", function()
    local text = ("One two three, four ä€ß five. "):rep(20):gsub("%s$", "")
    for width = 10, 90 do
      local wrapped = layout.wrap(text, width, 2)
      assert.is_true(longest(wrapped) <= width)
      assert.equal(words(text), words(wrapped))
    end
    assert.equal("a\nverylongword\nb", layout.wrap("a verylongword b", 5))
    assert.equal("", layout.wrap("", 5))
    assert.equal("  as it is, however long\nit\nis", layout.wrap_lines("  as it is, however long\nit is", 3))
  end)

  it("a report is kept in its text and in what it shows of the source", function()
    local _, err = hcl.compile(("%s + undeclared_name + %s"):format(("x + "):rep(60) .. "x", ("y + "):rep(60) .. "y")):eval { x = 1, y = 1 }
    for _, width in ipairs { 40, 60, 80, 132 } do
      local report = err:report { width = width }
      assert.is_true(longest(report) <= width, report)
      assert.truthy(report:find("undeclared_name", 1, true))
      local source, carets = report:match "\n  1 | ([^\n]*)\n    | ([^\n]*)\n"
      -- The ellipsis takes three bytes and one column.
      local at = carets:find "^" and carets:find("^", 1, true)
      assert.equal("undeclared_name", source:sub(at + 2, at + 2 + #carets - at))
    end
    assert.equal(tostring(err), err:report { width = 0 })
  end)

  it("help is kept, and nothing of it is lost", function()
    for _, name in ipairs(names) do
      local items, said = help.items(require("hclexpr.cli." .. name)), {}
      for i, item in ipairs(items) do said[i] = (item.name or "") .. " " .. item.text end
      assert.equal(words(table.concat(said, "\n")), words(layout.help(items, 60)))
      assert.is_true(longest(layout.help(items, 60)) <= 60, name)
    end
  end)

  it("the command's text is that of COLUMNS, or else 80 without a terminal", function()
    for said, most in pairs { ["COLUMNS=50"] = 50, ["COLUMNS="] = 80, ["COLUMNS=x"] = 80, ["COLUMNS=-3"] = 80 } do
      for _, name in ipairs(names) do
        local status, out = cli.run({ "help", name }, { env = said })
        -- Examples stay whole.
        out = out:gsub("\nExamples:.*", "\n")
        assert.equal(0, status)
        assert.is_true(longest(out) <= most, said .. "\n" .. out)
      end
      local _, _, err = cli.run({ "eval", 'upper(undeclared_name_of_something) + another_undeclared_name' }, { env = said })
      assert.is_true(longest(err) <= most, err)
      _, _, err = cli.run({ "plan", "-nosuch" }, { env = said })
      assert.is_true(longest(err) <= most, err)
    end
  end)

  it("each command comes with two examples", function()
    for _, name in ipairs(names) do
      local examples = require("hclexpr.cli." .. name).examples
      assert.equal(2, #examples, name)
      for _, example in ipairs(examples) do assert.equal(name, example:match "^%S+") end
    end
  end)
end)

describe("a long text", function()
  it("ends with a whole character where it is cut", function()
    local shorten = require("hclexpr.util").shorten
    for _, row in ipairs {
      { "abc", "abc", 3 }, { "abcd", "abc…", 3 }, { "aéé", "aé…", 3 }, { "aéé", "aé…", 4 }, { "aéé", "aéé", 5 }, { "é€x", "é…", 4 },
        { "é€x", "é€…", 5 },
      { "😀😀", "…", 3 }, { "😀😀", "😀…", 7 }, { "abcdef", "ab…", 4, 2 }, { "abcd", "abcd", 4, 2 }, { "aébcd", "a…", 4, 2 }, { "", "", 0 },
    } do assert.equal(row[2], shorten(row[1], row[3], row[4])) end
  end)

  it("has a limited number of characters in an explanation, ending in dots", function()
    local explained = require "hclexpr.explain.text"
    for _, long in ipairs { ("abcdefgh"):rep(20), ("äöüß"):rep(40), ("a€"):rep(80) } do
      for _, most in ipairs { 10, 11, 40 } do
        local short = explained.shortened(long, most)
        assert.equal(most, select(2, short:gsub("[^\128-\191]", "")))
        assert.equal(short, long:sub(1, #short - 3) .. "...")
      end
    end
    assert.equal("a b", explained.shortened("a\n  b", 3))
    assert.equal("abcd", explained.shortened("abcd", 4))
    assert.equal("a...", explained.shortened("abcde", 4))
  end)
end)
