-- A picture of a terminal's screen: text with ANSI colours on standard input, SVG on standard output.
-- usage: lua terminal_svg.lua [TITLE] <TEXT >PICTURE
-- Colours and attributes (SGR) are drawn: those of 16, of 256 and of 24 bits, bold, faint, italic, underline, strike-through, reverse. Other
-- escape sequences are left out: cursor movements must be resolved before, as `tmux capture-pane -e -p` does.

local CELL, LINE, PAD, BAR = 8.4, 19, 14, 30
local PAPER, INK = "#1b1f27", "#dfe3ea"
local named = {
  [0] = "#3b4252", "#ff7b72", "#7ee787", "#e3b341", "#79b8ff", "#d2a8ff", "#76e3ea", "#dfe3ea",
  "#6e7681", "#ffa198", "#a5f0b0", "#f2cc60", "#a5d6ff", "#e2c5ff", "#b3f0ff", "#ffffff",
}

local function indexed(n)
  if n < 16 then return named[n] end
  if n >= 232 then return ("#%02x%02x%02x"):format(8 + (n - 232) * 10, 8 + (n - 232) * 10, 8 + (n - 232) * 10) end
  local function level(i) return i == 0 and 0 or 55 + i * 40 end
  n = n - 16
  return ("#%02x%02x%02x"):format(level(math.floor(n / 36)), level(math.floor(n / 6) % 6), level(n % 6))
end

-- What a code turns on or off.
local codes = {
  [1] = { "bold", true }, [2] = { "faint", true }, [3] = { "italic", true }, [4] = { "underline", true }, [7] = { "reverse", true },
  [9] = { "struck", true }, [23] = { "italic" }, [24] = { "underline" }, [27] = { "reverse" }, [29] = { "struck" },
  [39] = { "ink" }, [49] = { "paper" },
}
for i = 0, 7 do
  codes[30 + i], codes[40 + i] = { "ink", named[i] }, { "paper", named[i] }
  codes[90 + i], codes[100 + i] = { "ink", named[8 + i] }, { "paper", named[8 + i] }
end

-- The style after the codes of one sequence, as a new table.
local function restyled(style, text)
  local new, list, i = {}, {}, 1
  for key, value in pairs(style) do new[key] = value end
  for code in (text == "" and "0" or text):gsub(":", ";"):gmatch "%d+" do list[#list + 1] = tonumber(code) end
  while list[i] do
    local code = list[i]
    local change = codes[code]
    if code == 0 then
      new = {}
    elseif code == 22 then
      new.bold, new.faint = nil, nil
    elseif code == 38 or code == 48 then
      local field = code == 38 and "ink" or "paper"
      if list[i + 1] == 5 then
        new[field] = indexed(list[i + 2] or 0)
        i = i + 2
      elseif list[i + 1] == 2 then
        new[field] = ("#%02x%02x%02x"):format(list[i + 2] or 0, list[i + 3] or 0, list[i + 4] or 0)
        i = i + 4
      end
    elseif change then
      new[change[1]] = change[2]
    end
    i = i + 1
  end
  return new
end

-- The cells of a character: East Asian characters and emoji take two, combining marks none.
local function width(c)
  local lead, second, third, fourth = c:byte(1, 4)
  local code = lead
  if fourth then code = (lead % 8) * 262144 + (second % 64) * 4096 + (third % 64) * 64 + fourth % 64
  elseif third then code = (lead % 16) * 4096 + (second % 64) * 64 + third % 64
  elseif second then code = (lead % 32) * 64 + second % 64 end
  if code >= 0x300 and code < 0x370 or code == 0x200d or code >= 0xfe00 and code < 0xfe10 then return 0 end
  local wide = code >= 0x1100 and code < 0x1160 or code >= 0x2e80 and code < 0xa4d0 or code >= 0xac00 and code < 0xd7a4
    or code >= 0xf900 and code < 0xfb00 or code >= 0xff00 and code < 0xff61 or code >= 0x1f300 and code < 0x1fb00
  return wide and 2 or 1
end

-- A line as pieces of one style: { text, style, at, cells }; and the style after it.
local function pieces_of(line, style)
  local pieces, at, column = {}, 1, 0
  local function add(c, cells)
    local last = pieces[#pieces]
    if not last or last.style ~= style then
      last = { text = "", style = style, at = column, cells = 0 }
      pieces[#pieces + 1] = last
    end
    last.text, last.cells, column = last.text .. c, last.cells + cells, column + cells
  end
  while at <= #line do
    local first, last, sgr = line:find("^\27%[([%d;:]*)m", at)
    if first then
      style = restyled(style, sgr)
    else
      first, last = line:find("^\27%[[^@-~]*[@-~]", at)
      if not first then first, last = line:find("^\27%][^\7\27]*\27?[\7\\]", at) end
      if not first then first, last = line:find("^[%z\1-\8\11-\31\127]", at) end
      if not first then
        first, last = line:find("^[%z\1-\127\192-\255][\128-\191]*", at)
        local c = line:sub(first or at, last or at)
        if c == "\t" then add((" "):rep(8 - column % 8), 8 - column % 8) else add(c, width(c)) end
      end
    end
    at = (last or at) + 1
  end
  return pieces, style
end

local escapes = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }
local function escape(text) return (text:gsub('[&<>"]', escapes)) end

local out = {}
local function put(...) out[#out + 1] = string.format(...) end

local function draw(piece, x, y)
  local style = piece.style
  local ink, paper = style.ink or INK, style.paper
  if style.reverse then ink, paper = paper or PAPER, ink end
  local long = piece.cells * CELL
  if paper then put('<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>', x, y, long, LINE, paper) end
  if not piece.text:find "[^ ]" and not style.underline then return end
  local under, struck = style.underline and "underline", style.struck and "line-through"
  local lines = under and struck and under .. " " .. struck or under or struck
  local looks = (ink ~= INK and (' fill="%s"'):format(ink) or "") .. (style.bold and ' font-weight="bold"' or "")
    .. (style.italic and ' font-style="italic"' or "") .. (style.faint and ' opacity="0.6"' or "")
    .. (lines and (' text-decoration="%s"'):format(lines) or "")
  -- Spaces that no viewer joins.
  put('<text x="%.1f" y="%.1f" textLength="%.1f"%s>%s</text>', x, y + LINE - 5, long, looks, escape(piece.text):gsub(" ", "\194\160"))
end

local text = io.read "*a":gsub("\r\n", "\n"):gsub("\n$", "")
local rows, style, cells = {}, {}, 40
for line in (text .. "\n"):gmatch "(.-)\n" do
  rows[#rows + 1], style = pieces_of(line, style)
  local last = rows[#rows][#rows[#rows]]
  if last then cells = math.max(cells, last.at + last.cells) end
end

local title = arg[1] or ""
local wide, high = math.ceil(cells * CELL + 2 * PAD), BAR + #rows * LINE + PAD
local size = ('viewBox="0 0 %d %d" width="%d" height="%d"'):format(wide, high, wide, high)
put('<svg xmlns="http://www.w3.org/2000/svg" %s role="img" aria-label="%s">', size, escape(title))
put('<rect width="%d" height="%d" rx="8" fill="%s"/>', wide, high, PAPER)
put('<text x="%d" y="20" fill="#8b94a3" font-family="sans-serif" font-size="12">%s</text>', PAD, escape(title))
put('<g font-family="ui-monospace,DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14" fill="%s">', INK)
for i, pieces in ipairs(rows) do
  for _, piece in ipairs(pieces) do draw(piece, PAD + piece.at * CELL, BAR + (i - 1) * LINE) end
end
put "</g></svg>\n"
io.write(table.concat(out, "\n"))
