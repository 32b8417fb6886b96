-- Values as a console prints them, in colours on a terminal.
local core = require "hclexpr.core"
local shell = require "hclexpr.cli.shell"
local type_text = require("hclexpr.util").type_text

local values = {}

local TEXT, NUMBER, WORD, HIDDEN, PLAIN = "\27[32m", "\27[36m", "\27[33m", "\27[2m", "\27[0m"

-- The tokens of the printed text, in the order in which they are tried. The last one matches any byte.
local parts = {
  { "^%(known after apply%)", HIDDEN }, { "^%([a-z]+ value%)", HIDDEN },
  { "^%-?%d[%d.eE+-]*", NUMBER }, { "^[%a_][%w_-]*", nil }, { "^.", nil },
}
local words = { ["true"] = WORD, ["false"] = WORD, ["null"] = WORD }

-- Returns the end of the quoted text that begins at a place, and its colour. Without a closing quote, as in a heredoc, the text ends with
-- the line. Each byte is read once.
local function quoted(text, at)
  repeat
    at = text:find('["\\\n]', at + 1)
    local byte = at and text:sub(at, at)
    if byte == '"' then return at, TEXT end
    if byte == "\\" then at = at + 1 end
  until byte ~= "\\"
  return (at or #text + 1) - 1
end

-- Returns the end of the piece of text that begins at a place, and its colour; nil: the piece has no colour.
local function piece_at(text, at)
  if text:sub(at, at) == '"' then return quoted(text, at) end
  for _, part in ipairs(parts) do
    local _, last = text:find(part[1], at)
    if last then return last, part[2] or words[text:sub(at, last)] end
  end
end

--- Colours the tokens of a text.
---@param text string
---@return string
function values.colour(text)
  local out, at = {}, 1
  while at <= #text do
    local last, colour = piece_at(text, at)
    local piece = text:sub(at, last)
    out[#out + 1] = colour and colour .. piece .. PLAIN or piece
    at = last + 1
  end
  return table.concat(out)
end

--- Writes a Value as text for standard output, in colours if they are wanted.
---@param v hclexpr.Value
---@return string
function values.show(v)
  local text = shell.plain(tostring(v))
  return shell.wants_colours "stdout" and values.colour(text) or text
end

--- Returns the text of a string, number or bool for a script. Ends the command for any other value, and for a sensitive one unless `reveal`
--- is true.
---@param v hclexpr.Value
---@param subject string what has the value, in words
---@param reveal? string|true the option that shows a sensitive value; true: this one is shown
---@return string
function values.raw(v, subject, reveal)
  if core.is_marked(v) and reveal ~= true then shell.fail(subject .. " is sensitive, so it is not printed. " .. reveal) end
  local marked = v
  v = v:unmark()
  if not v:is_known() then shell.fail(subject .. " is not known") end
  if v:is_null() then shell.fail(subject .. " is null, and -raw prints a string, number or bool") end
  local kind = core.kind(v)
  if kind ~= "string" and kind ~= "number" and kind ~= "bool" then
    local named = type_text(marked)
    shell.fail(("%s is of type %s, and -raw prints a string, number or bool: use -json"):format(subject, named))
  end
  return v:text()
end

return values
