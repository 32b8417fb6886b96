-- Draws a chart of five of the ratios that `run` prints: its output on standard input, SVG on standard output. doc/performance.md has all.
-- A bar begins at 1, which is parity; the axis is logarithmic.
local WIDE, ROW, TOP, LEFT, RIGHT = 760, 50, 66, 20, 640

-- The figure of the first line with this label, in words. `slower`: the label's figure is our time divided by theirs.
local rows = {
  { "small, bound", "A small expression over bound values", "the same written by hand in Lua 5.4", slower = true },
  { "900 to 1,000 elements, bound", "A loop over 1,000 elements", "the same written by hand in Lua 5.4", slower = true },
  { "hcl.compile from Lua: Go's parse over it", "Reading an expression", "the Go library that Terraform uses" },
  { "big.tf, parsed and freed: over Go's", "Reading a large Terraform file", "the Go library that Terraform uses" },
  { "plan -json of null-label's example, a process: real Terraform's time over ours", "Planning a folder, from an empty process",
    "terraform plan" },
}

local found = {}
for line in io.lines() do
  local label, value = line:match "^  (.-)%s+([%d.]+)  %(goal"
  if label and not found[label] then found[label] = tonumber(value) end
end

local lowest, highest = 0.5, 100
for _, row in ipairs(rows) do
  local value = assert(found[row[1]], "the run has no line: " .. row[1])
  row.value = row.slower and 1 / value or value
  lowest, highest = math.min(lowest, row.value), math.max(highest, row.value)
end

local escapes = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }
local out = {}
local function put(...) out[#out + 1] = string.format(...) end
local function text(x, y, words, more) put('<text x="%.1f" y="%d"%s>%s</text>', x, y, more or "", (words:gsub('[&<>"]', escapes))) end

local from, to = math.log(lowest), math.log(highest)
local function x_of(value) return LEFT + (math.log(value) - from) / (to - from) * (RIGHT - LEFT) end

-- "1.4 times as fast", "26 times as fast"; below 1 how much longer it takes.
local function speed(value)
  if value < 0.95 then return ("takes %.1f times as long"):format(1 / value) end
  return (value < 10 and "%.1f times as fast" or "%.0f times as fast"):format(value)
end

local high = TOP + #rows * ROW + 12
put('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" ', WIDE, high, WIDE, high)
put 'aria-label="How fast hclexpr is beside hand-written Lua, the Go library and Terraform">'
put [[<style>
  svg { font: 13px system-ui, sans-serif; } text { fill: #2b3240; } .paper { fill: #fff; } .head { font-weight: bold; font-size: 15px; }
  .soft { fill: #5d6778; } .grid { stroke: #d8dce3; } .one { stroke: #2b3240; } .faster { fill: #2e9e5b; } .slower { fill: #c8772a; }
  @media (prefers-color-scheme: dark) {
    text { fill: #dfe3ea; } .soft { fill: #a1abbb; } .paper { fill: #171b22; } .grid { stroke: #343b48; } .one { stroke: #dfe3ea; }
  }
</style>]]
put('<rect width="%d" height="%d" class="paper"/>', WIDE, high)
text(LEFT, 26, "How fast hclexpr is", ' class="head"')
for power = -1, 3 do
  local x = x_of(10 ^ power)
  if x >= LEFT and x <= RIGHT then
    put('<path d="M%.1f %dV%d" class="%s"/>', x, TOP - 8, high - 8, power == 0 and "one" or "grid")
    text(x, TOP - 14, power == 0 and "as fast" or ("%g times"):format(10 ^ power), ' class="soft" text-anchor="middle"')
  end
end
for i, row in ipairs(rows) do
  local y, one, at = TOP + (i - 1) * ROW, x_of(1), x_of(row.value)
  text(one + 8, y + 14, row[2] .. ", beside " .. row[3])
  put('<rect x="%.1f" y="%d" width="%.1f" height="16" rx="3" class="%s"/>', math.min(one, at), y + 22, math.max(math.abs(at - one), 2),
    row.value < 1 and "slower" or "faster")
  text(math.max(one, at) + 8, y + 35, speed(row.value), ' font-weight="bold"')
end
io.write(table.concat(out, "\n"), "\n</svg>\n")
