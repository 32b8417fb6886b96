-- Functions that the languages of `mutants.lua` share.
local M = {}

--- The number of block numbers for each source; those of C come after those of Lua.
M.BLOCKS, M.FIRST_OF_C = 1000, 1000000

--- Flags that keep places out of object files, so that equal code gives equal files.
M.PLAIN = "CFLAGS='-g0 -w' CXXFLAGS='-g0 -w'"

--- The command that builds the test module for a Lua with some jobs.
function M.make(jobs, lua, flags)
  return ("make --no-print-directory -s -j%d LUA=%s CONFIG=test DEPS=0 %s module"):format(jobs, lua, flags or "")
end

--- The tokens of a text: text, kind, first and last byte, and line. token_at(at): the kind of the token that begins there, or nil, and
--- its last byte.
function M.tokens_of(text, token_at)
  local out, at, line, counted = {}, 1, 1, 1
  while true do
    at = text:find("%S", at)
    if not at then return out end
    local kind, to = token_at(at)
    if kind then
      line = line + select(2, text:sub(counted, at - 1):gsub("\n", ""))
      counted = at
      out[#out + 1] = { text = text:sub(at, to), kind = kind, from = at, to = to, line = line }
    end
    at = to + 1
  end
end

--- A number a little larger and a little smaller.
function M.numbers_beside(t)
  local value, suffix = tonumber(t:match "^0[xX]%x+" or t:match "^%d+"), t:match "[uUlL]*$"
  if not value or value > 99999 or t:find(".", 1, true) then return {} end
  local out = { ("%d"):format(value + 1) .. suffix }
  if value > 0 then out[2] = ("%d"):format(value - 1) .. suffix end
  return out
end

--- Is token i, a sign, between two operands?
function M.is_binary(tokens, i)
  local before = tokens[i - 1]
  return before.kind == "number" or before.kind == "word" and before.text ~= "return" or before.text == ")" or before.text == "]"
end

return M
