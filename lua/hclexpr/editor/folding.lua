-- Folding: the ranges of lines that an editor may collapse: brackets over several lines, heredocs, and consecutive comments.
local text = require "hclexpr.editor.text"
local tokens = require "hclexpr.editor.tokens"

local folding = {}

local openers = { ["{"] = true, ["["] = true, ["("] = true, ["${"] = true, ["%{"] = true, heredoc = true }
local closers = { ["}"] = true, ["]"] = true, [")"] = true, heredoc_end = true }

function folding.folding(_, document)
  if document.kind == "json" then return {} end
  local lexed, lines, found = tokens.lexed(document), document.lines, {}
  local stack, comment = {}, nil
  local function add(first, last, kind)
    if last > first then found[#found + 1] = { start_line = first, stop_line = last, kind = kind } end
  end
  for i, kind in ipairs(lexed.kinds) do
    local line = text.line_of(lines, lexed.starts[i])
    local last = text.line_of(lines, math.max(lexed.starts[i], lexed.stops[i] - 1))
    if kind == "comment" then
      if comment and comment.last + 1 >= line then comment.last = last else comment = { first = line, last = last } end
      comment.shown = comment.shown or #found + 1
      found[comment.shown] = found[comment.shown] or false
      if comment.last > comment.first then found[comment.shown] = { start_line = comment.first, stop_line = comment.last,
        kind = "comment" } end
    elseif kind ~= "newline" then
      comment = nil
    end
    if openers[kind] then stack[#stack + 1] = line
    elseif closers[kind] and #stack > 0 then
      local first = table.remove(stack)
      -- The line with a closing bracket stays visible.
      add(first, kind == "heredoc_end" and line or line - 1)
    end
  end
  local folds = {}
  for i = 1, #found do
    if found[i] then folds[#folds + 1] = found[i] end
  end
  table.sort(folds, function(a, b) return a.start_line < b.start_line or a.start_line == b.start_line and a.stop_line > b.stop_line end)
  return folds
end

return folding
