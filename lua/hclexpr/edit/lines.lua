-- Finds the lines of a source for hcl.edit: where they begin and end, their comments, spaces and line ends. Offsets count from 0, as in
-- ranges.
local core = require "hclexpr.core"

local lines = {}

--- Returns the start of the line that contains the offset.
---@param text string
---@param at integer
---@return integer
function lines.line_start(text, at)
  while at > 0 and text:byte(at) ~= 10 do at = at - 1 end
  return at
end

--- Returns the length of the byte order mark at the start of a source, or 0.
---@param text string
---@return integer
function lines.bom(text)
  return text:sub(1, 3) == "\239\187\191" and 3 or 0
end

--- Returns the spaces and tabs at the start of the line that contains the offset.
---@param text string
---@param at integer
---@return string
function lines.margin_at(text, at)
  return text:match("^[ \t]*", lines.line_start(text, at) + 1)
end

--- Returns the kind of line end that is used near the offset.
---@param text string
---@param at integer
---@return string
function lines.eol_at(text, at)
  local stop = text:find("\n", at + 1, true) or lines.line_start(text, at)
  return stop > 1 and text:sub(stop - 1, stop) == "\r\n" and "\r\n" or "\n"
end

--- Returns where the line of an item ends, including comments and newline; `at` is the end of the item. The second result says whether
--- anything else follows the item on its line; then the first one is where that begins.
---@param text string
---@param at integer
---@return integer stop
---@return boolean other
function lines.line_stop(text, at)
  while true do
    at = text:match("^[ \t]*()", at + 1) - 1
    local comment = text:match("^/%*.-%*/()", at + 1)
    if not comment then break end
    at = comment - 1
  end
  local stop = text:match("^[#][^\n]*\n?()", at + 1) or text:match("^//[^\n]*\n?()", at + 1) or text:match("^\r?\n()", at + 1)
  if stop then return stop - 1, false end
  return at, at < #text
end

--- Returns where the `#` and `//` comments right above a line begin; without such comments, returns `line` itself. `from` is the end of the
--- item or opening brace before them; a comment on the line of that end isn't included.
---@param text string
---@param line integer
---@param from integer
---@return integer
function lines.lead_start(text, line, from)
  local at, lead = from > lines.bom(text) and lines.line_stop(text, from) or from, nil
  while at < line do
    local behind = text:match("^[ \t]*#[^\n]*\n()", at + 1) or text:match("^[ \t]*//[^\n]*\n()", at + 1)
    if behind then
      lead, at = lead or at, behind - 1
    else
      behind = text:match("^[ \t]*\r?\n()", at + 1)
      local comment = not behind and text:match("^[ \t]*/%*.-%*/()", at + 1)
      if not (behind or comment) then break end
      lead, at = nil, behind and behind - 1 or lines.line_stop(text, comment - 1)
    end
  end
  return at == line and lead or line
end

-- Extends the span from … to by the empty lines around it, as long as it remains within head … foot. Returns the new span.
local function empty_around(text, from, to, head, foot)
  while from > head do
    local line = lines.line_start(text, from - 1)
    if line < head or not text:sub(line + 1, from):find "^[ \t]*\r?\n$" then break end
    from = line
  end
  while to < foot do
    local stop = text:match("^[ \t]*\r?\n()", to + 1) or text:match("^[ \t]+()$", to + 1)
    if not stop or stop - 1 > foot then break end
    to = stop - 1
  end
  return from, to
end

--- Returns the lines to remove for an item on the lines from … to. Empty lines around the item are removed on both sides if the item is the
--- first or last one; otherwise only on the side with fewer of them, so that the other empty lines still separate its neighbours.
---@param text string
---@param from integer
---@param to integer
---@param head integer the offset at which the first item of the body may begin
---@param foot integer the offset at which the last item must end
---@return integer from
---@return integer to
function lines.removal(text, from, to, head, foot)
  local above, below = empty_around(text, from, to, head, foot)
  if above <= head or below >= foot then return above, below end
  if from - above > below - to then return from, below end
  return below > to and above or from, to
end

--- Removes spaces and line ends around a text.
---@param source string
---@return string
function lines.trim(source)
  local from = source:find "%S"
  return from and source:sub(from):match "^.*%S" or ""
end

-- Returns the number of spaces and tabs that all lines of code except the first have in common. For an expression the result is 0 unless
-- the last line begins with its closing bracket, because lines that merely continue an expression are indented further.
local function common_blanks(source, starts, is_body)
  local last = starts[#starts]
  if not is_body and last and not source:find("^[ \t]*[%]})]", last + 1) then return 0 end
  local common
  for _, at in ipairs(starts) do
    local blanks, rest = source:match("^([ \t]*)([^\r\n]?)", at + 1)
    if rest ~= "" and (not common or #blanks < common) then common = #blanks end
  end
  return common or 0
end

--- Indents a source: in each line except the first, replaces the indentation that these lines have in common by `margin`. Lines inside
--- heredocs don't change. Returns the result, and whether the line must end where the source ends.
---@param source string
---@param margin string
---@param is_body? boolean
---@return string shifted
---@return boolean open_end
function lines.shift(source, margin, is_body)
  local starts, open_end = core.code_lines(source)
  local common = common_blanks(source, starts, is_body)
  local out, from = {}, 0
  for _, at in ipairs(starts) do
    out[#out + 1] = source:sub(from + 1, at)
    from = at
    if source:find("^[ \t]*[^ \t\r\n]", at + 1) then
      out[#out + 1] = margin
      from = at + common
    end
  end
  out[#out + 1] = source:sub(from + 1)
  return table.concat(out), open_end
end

return lines
