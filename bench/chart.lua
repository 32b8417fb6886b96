-- Draws the ratios that `run` prints as a chart: what it prints on standard input, SVG on standard output.
-- Every line with a goal is a bar from 1, which is as fast as what it is compared with, on a logarithmic scale; the goal is a mark.
local WIDE, LABEL, ROW, HEAD, TOP = 900, 430, 17, 26, 52
local LEFT, RIGHT = LABEL + 10, WIDE - 60

local sections, lowest, highest = {}, 1, 1
local heading = ""
for line in io.lines() do
  local text, value, way, bound = line:match "^  (.-)%s+([%d.]+)  %(goal at (%a+) ([%d.e+]+)%)"
  if text then
    local section = sections[#sections]
    if not section or section.heading ~= heading then
      section = { heading = heading }
      sections[#sections + 1] = section
    end
    local row = { text = text, value = tonumber(value), more = way == "least", goal = tonumber(bound) }
    section[#section + 1] = row
    lowest, highest = math.min(lowest, row.value, row.goal), math.max(highest, row.value, row.goal)
  elseif line:find "^%S" then
    heading = line
  end
end

local escapes = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }
local function escape(text) return (text:gsub('[&<>"]', escapes)) end

local out = {}
local function put(...) out[#out + 1] = string.format(...) end

local from, to = math.log(lowest * 0.8), math.log(highest * 1.2)
local function x_of(value) return LEFT + (math.log(value) - from) / (to - from) * (RIGHT - LEFT) end

local function shown(value) return (value < 10 and "%.2f" or value < 100 and "%.1f" or "%.0f"):format(value) end

local function draw_row(row, y)
  local one, at, goal = x_of(1), x_of(math.max(row.value, 0.001)), x_of(row.goal)
  put('<text x="%d" y="%d" text-anchor="end">%s</text>', LABEL, y + 12, escape(row.text))
  local long = math.max(math.abs(at - one), 1)
  put('<rect x="%.1f" y="%d" width="%.1f" height="11" rx="2" class="%s"/>', math.min(one, at), y + 3, long, row.more and "more" or "less")
  put('<path d="M%.1f %dv15" class="goal"/>', goal, y + 1)
  put('<text x="%.1f" y="%d">%s</text>', math.max(one, at, goal) + 5, y + 12, shown(row.value))
end

local y = TOP
local body = {}
for _, section in ipairs(sections) do
  out = body
  put('<text x="10" y="%d" class="head">%s</text>', y + 18, escape(section.heading))
  y = y + HEAD
  for _, row in ipairs(section) do
    draw_row(row, y)
    y = y + ROW
  end
end

out = {}
local high = y + 14
put('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" ', WIDE, high, WIDE, high)
put 'aria-label="Times of hclexpr beside those of its peers, and the goals">'
put [[<style>
  svg { font: 11px sans-serif; } text { fill: #2b3240; } .paper { fill: #fff; } .head { font-weight: bold; font-size: 12px; }
  .grid { stroke: #d8dce3; } .one, .goal { stroke: #2b3240; } .goal { stroke-width: 2; } .more { fill: #2e9e5b; } .less { fill: #4a7fd6; }
  @media (prefers-color-scheme: dark) {
    text { fill: #dfe3ea; } .paper { fill: #171b22; } .grid { stroke: #343b48; } .one, .goal { stroke: #dfe3ea; }
  }
</style>]]
put('<rect width="%d" height="%d" class="paper"/>', WIDE, high)
for i, sign in ipairs { { "more", "more is better" }, { "less", "less is better" } } do
  put('<rect x="%d" y="10" width="11" height="11" rx="2" class="%s"/>', i * 120 - 110, sign[1])
  put('<text x="%d" y="20">%s</text>', i * 120 - 94, sign[2])
end
put '<path d="M255 8v15" class="goal"/><text x="263" y="20">the goal; 1: as fast as what it is compared with</text>'
for power = -3, 4 do
  local x = x_of(10 ^ power)
  if x >= LEFT and x <= RIGHT then
    put('<path d="M%.1f %dV%d" class="%s"/>', x, TOP, high - 10, power == 0 and "one" or "grid")
    put('<text x="%.1f" y="%d" text-anchor="middle">%g</text>', x, TOP - 5, 10 ^ power)
  end
end
io.write(table.concat(out, "\n"), "\n", table.concat(body, "\n"), "\n</svg>\n")
