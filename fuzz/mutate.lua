-- Sources with typing mistakes, disk errors or malicious changes. The same seed gives the same texts on every Lua.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local M = {}

local draw = support.random(1)

function M.seed(n)
  draw = support.random(n % 2147483646 + 1)
  for _ = 1, 3 do draw(2) end
end

local PIECES = {
  "{", "}", "[", "]", "(", ")", '"', "${", "%{", "~}", "${~", "}", "=", "==", ",", ":", "?", "...", "=>", "\n", "\r\n", "\r", "#", "//",
  "/*", "*/", "<<EOT\n", "\nEOT\n", "<<-A\n", " ", "\t", "for ", "if ", "else", "endif", "endfor", "in ", ".", "*", "[*]", ".*", "0", "1e9",
  "1.5.2", "a", "b-c", "::", "&&", "||", "!", "-", "+", "%", "'", "`", ";", "$", "$${", "%%{", "\\", "\\u12", "\\U0010ffff", "\195\169",
  "\204\129", "\240\159\152\128", "\255", "\195", "\237\160\128", "\239\187\191", "&", "|", "^", "~", "@", "\0", "null", "true", '"x"',
  "dynamic", "content", "for_each", "iterator", "labels", '"dynamic" ', "each.value", "{}", "[[[[", "((((", "{a={a={", '"${"${"${', "}}}}",
}

local function put(s, at, piece) return s:sub(1, at - 1) .. piece .. s:sub(at) end
local function cut(s, from, to) return s:sub(1, from - 1) .. s:sub(to + 1) end

local WAYS = {
  -- one byte is replaced; one bit of it flips
  function(s, at) return s:sub(1, at - 1) .. string.char(draw(256) - 1) .. s:sub(at + 1) end,
  function(s, at)
    local byte, bit = s:byte(at), 2 ^ (draw(8) - 1)
    return s:sub(1, at - 1) .. string.char((byte % (2 * bit) >= bit) and byte - bit or byte + bit) .. s:sub(at + 1)
  end,
  -- a piece of the language is inserted, or replaces a sign, or a word or sign is removed
  function(s, at) return put(s, at, PIECES[draw(#PIECES)]) end,
  function(s, at)
    local from, to = s:find("[^%w%s]", at)
    return from and put(cut(s, from, to), from, PIECES[draw(#PIECES)]) or s
  end,
  function(s, at)
    local from, to = s:find("[%w_]+", at)
    return from and cut(s, from, to) or s
  end,
  function(s, at)
    local from, to = s:find("[^%w%s]", at)
    return from and cut(s, from, to) or s
  end,
  -- a part is doubled, moved, or removed; a line is
  function(s, at) return put(s, at, s:sub(at, at + draw(80))) end,
  function(s, at)
    local from = draw(#s)
    return put(s, at, s:sub(from, from + draw(60)))
  end,
  function(s, at) return cut(s, at, at + draw(40)) end,
  function(s, at)
    local from, to = s:find("\n[^\n]*", at)
    return from and cut(s, from, to) or s
  end,
  -- the end is missing
  function(s, at) return s:sub(1, at) end,
  -- it continues as another source
  function(s, at, sources)
    local other = sources[draw(#sources)]
    return s:sub(1, at) .. other:sub(draw(math.max(1, #other)))
  end,
}

-- One of the sources after one to four mistakes; of a long one only a part, so that mistakes interact.
function M.broken(sources)
  local s = sources[draw(#sources)]
  if #s > 1500 and draw(4) > 1 then
    local from = draw(#s - 1000)
    from = (s:find("\n", from, true) or from) + 1
    s = s:sub(from, from + 200 + draw(1000))
  end
  for _ = 1, draw(4) do
    if s == "" then s = "a = 1\n" end
    s = WAYS[draw(#WAYS)](s, draw(#s), sources)
  end
  return s
end

return M
