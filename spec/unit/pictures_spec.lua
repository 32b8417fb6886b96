-- The pictures: a terminal's screen, and the chart of times, as SVG.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local root = support.root
local here = support.output "pwd":gsub("\n", "")
local absolute_root = root:find "^/" and root or here .. "/" .. root
local program = support.program

-- The output of a script of the tools for an input.
local function drawn(script, input)
  local file = support.temporary_file(input)
  local svg = support.output(("'%s' '%s%s' 'A & B' <'%s'"):format(program, root, script, file))
  os.remove(file)
  return svg
end

local function has(svg, ...)
  for _, part in ipairs { ... } do assert.truthy(svg:find(part, 1, true), part .. "\nis not in\n" .. svg) end
end

describe("a terminal's picture", function()
  local function terminal(text) return drawn("tools/terminal_svg.lua", text) end

  it("has the colours and styles of the text", function()
    has(terminal "a \27[1;31mred\27[0m b", '>a\194\160</text>', 'fill="#ff7b72" font-weight="bold">red</text>', ">\194\160b</text>")
    has(terminal "\27[38;2;1;2;3mx\27[39my", 'fill="#010203">x<', ">y</text>")
    has(terminal "\27[38;5;196mx", 'fill="#ff0000">x<')
    has(terminal "\27[48;5;232mx", 'fill="#080808"/>')
    has(terminal "\27[3;4mx\27[23my\27[24mz", 'font-style="italic" text-decoration="underline">x<', '8.4" text-decoration="underline">y<',
      '8.4">z<')
  end)
  it("keeps a colour over the end of a line", function()
    has(terminal "\27[32ma\nb", 'fill="#7ee787">a<', 'fill="#7ee787">b<')
  end)
  it("escapes SVG's special characters", function()
    has(terminal "<b> & \"c\"", ">&lt;b&gt;\194\160&amp;\194\160&quot;c&quot;</text>", 'aria-label="A &amp; B"')
  end)
  it("gives each character the cells that a terminal gives it", function()
    has(terminal "\228\184\150\27[1mx", 'textLength="16.8">\228\184\150<', '<text x="30.8"')
    has(terminal "e\204\129\27[1mx", 'textLength="8.4">e\204\129<')
    has(terminal "a\t\27[1mx", '<text x="81.2"')
  end)
  it("leaves out other sequences and control characters", function()
    has(terminal "a\27[2Kb\27]0;title\7c\1d\r\n", ">abcd</text>")
  end)
end)

describe("the chart of times", function()
  local labels = {
    "small, bound", "900 to 1,000 elements, bound", "hcl.compile from Lua: Go's parse over it", "big.tf, parsed and freed: over Go's",
    "plan -json of null-label's example, a process: real Terraform's time over ours",
  }
  local function run(values)
    local lines = { "lua5.4: means\n" }
    for i, label in ipairs(labels) do lines[#lines + 1] = ("  %-78s %7.2f  (goal at most 2) MISSED\n"):format(label, values[i]) end
    return table.concat(lines) .. ("  %-78s %7.2f  (goal at most 2) \n"):format(labels[1], 9)
  end

  it("has a bar for each of its five rows, by the first figure of that name", function()
    local svg = drawn("bench/chart.lua", run { 1.21, 0.5, 20.4, 12.3, 70 })
    has(svg, ">takes 1.2 times as long</text>", ">2.0 times as fast</text>", ">20 times as fast</text>", ">12 times as fast</text>",
      ">70 times as fast</text>", "beside terraform plan</text>")
    assert.equal(1, select(2, svg:gsub('class="slower"', "")))
    assert.equal(4, select(2, svg:gsub('class="faster"', "")))
  end)
  it("says which figure is missing", function()
    local message = support.output(("'%s' '%sbench/chart.lua' </dev/null 2>&1"):format(program, root))
    has(message, "the run has no line: small, bound")
  end)
end)

describe("doc/pictures", function()
  it("shows the real output", function()
    if not support.has_terminal() then return support.note "a terminal is missing (util-linux's script): the pictures are not compared" end
    local folder = support.temporary_folder()
    local cpath = package.cpath:gsub("[^;]+", function(path) return path:find "^/" and path or here .. "/" .. path end)
    support.output(("PICTURES='%s' PROGRAM='%s' LUA_CPATH='%s' '%stools/pictures' 2>&1"):format(folder, program, cpath, absolute_root))
    local names = support.lines("ls '" .. folder .. "'")
    for _, name in ipairs(names) do
      local same = support.read(root .. "doc/pictures/" .. name) == support.read(folder .. "/" .. name)
      assert.is_true(same, "doc/pictures/" .. name .. " is not what is printed now; run: make pictures")
    end
    support.remove(folder)
    assert.is_true(#names > 0)
  end)
end)
