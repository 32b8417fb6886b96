-- The C side of `mutants.lua`: tokens, possible changes, the functions that a spec reaches, and building a changed file.
local here = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$"
local support, shared = dofile(here .. "../../spec/support.lua"), dofile(here .. "shared.lua")

local M = { sources = "ls csrc/*/*.c csrc/*/*/*.c", beginning = "csrc/", specs = { "spec/unit", "spec/conformance", "spec/modules" } }

-- Code that only the console or only tests have.
M.untried = { "csrc/terminal/", "csrc/testing/" }
-- Specs that are left out: those that measure the reference's own time, those that don't test code, and the slowest of all.
M.left_out = { "conformance/corpus", "conformance/specsuite", "modules/hostile", "unit/install", "unit/starved" }

local TOKENS = {
  { "skip", "^//[^\n]*" }, { "skip", "^/%*.-%*/" }, { "skip", '^"[^"\\\n]*"' }, { "skip", "^'[^'\\\n]+'" },
  { "number", "^0[xX]%x+[uUlL]*" }, { "number", "^%d+%.?%d*[uUlL]*" }, { "word", "^[%a_][%w_]*" },
}
local OPERATORS = { "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "->", "++", "--", "+=", "-=", "|=", "&=", "*=", "/=" }
for _, operator in ipairs(OPERATORS) do OPERATORS[operator] = true end

-- A string or a character with escapes, which no pattern describes.
local function quoted(text, at)
  local quote, to = text:sub(at, at), at + 1
  while text:sub(to, to) ~= quote do to = to + (text:sub(to, to) == "\\" and 2 or 1) end
  return to
end

local function token_at(text, at)
  for _, form in ipairs(TOKENS) do
    local _, to = text:find(form[2], at)
    if to then return form[1], to end
  end
  if text:find("^[\"']", at) then return "skip", quoted(text, at) end
  return "operator", OPERATORS[text:sub(at, at + 1)] and at + 1 or at
end

-- Skips a preprocessor line with its continuations; `depth` counts the conditions around code of test builds.
local function directive(text, at, depth)
  local to = at - 1
  repeat to = text:find("\n", to + 1, true) until text:sub(to - 1, to - 1) ~= "\\"
  local line = text:sub(at, to)
  if line:find "^#%s*if" then
    depth = (depth > 0 or line:find("HX_TEST", 1, true) and not line:find("||", 1, true)) and depth + 1 or 0
  elseif line:find "^#%s*endif" and depth > 0 then
    depth = depth - 1
  elseif line:find "^#%s*else" and depth == 1 then
    depth = 0
  end
  return to, depth
end

-- The tokens of a C file, without the preprocessor's and those of test builds.
local function tokens_of(text)
  local depth = 0
  return shared.tokens_of(text, function(at)
    local kind, to = token_at(text, at)
    if text:sub(at, at) == "#" then
      kind, to, depth = "skip", directive(text, at, depth)
    end
    return kind ~= "skip" and depth == 0 and kind or nil, to
  end)
end

-- ---- functions ----------------------------------------------------------------------------------------------------------

-- Finds the function of each token: 0 is outside of all, the others are numbered in order. Returns the bytes at which bodies begin.
local function find_blocks(tokens)
  local starts, depth, block = {}, 0, 0
  for i, t in ipairs(tokens) do
    if t.text == "{" then
      if depth == 0 and tokens[i - 1].text == ")" then
        starts[#starts + 1] = t.to
        block = #starts
      end
      depth = depth + 1
    end
    t.block = block
    if t.text == "}" then
      depth = depth - 1
      if depth == 0 then block = 0 end
    end
  end
  return starts
end

--- A text with marks that record the entered functions, by reach.h.
function M.marked(text, base)
  local out, at = { '#include "../tools/mutants/reach.h"\n' }, 1
  for n, start in ipairs(find_blocks(tokens_of(text))) do
    out[#out + 1] = text:sub(at, start) .. (" hx_note_block(%d, %d);"):format(base, n)
    at = start + 1
  end
  return table.concat(out) .. text:sub(at)
end

--- Calls f(path, number of the file's first block) for each source. Those of Lua end below FIRST_OF_C.
function M.each_source(f)
  for i, path in ipairs(support.lines(M.sources)) do f(path, shared.FIRST_OF_C + i * shared.BLOCKS) end
end

function M.build(jobs) return support.runs(shared.make(jobs, "5.4", shared.PLAIN)) end

-- ---- what may be changed ------------------------------------------------------------------------------------------------

local SWAP = {
  ["&&"] = { "||" }, ["||"] = { "&&" }, ["=="] = { "!=" }, ["!="] = { "==" }, ["<"] = { "<=", ">=" }, [">"] = { ">=", "<=" },
  ["<="] = { "<", ">" }, [">="] = { ">", "<" }, ["+="] = { "-=" }, ["-="] = { "+=" }, ["|="] = { "&=" }, ["&="] = { "|=" },
  ["++"] = { "--" }, ["--"] = { "++" }, ["!"] = { "" }, ["true"] = { "false" }, ["false"] = { "true" }, ["break"] = { "" },
  ["continue"] = { "" },
}
-- Calls that are left alone with all their arguments.
local ALONE = { HX_ASSERT = true, HX_UNREACHABLE = true, assert = true, _Static_assert = true }
-- A statement with such a beginning isn't removed.
local STAYS = {}
for word in ("return goto break continue for while if else do case default switch static const struct enum union"):gmatch "%a+" do
  STAYS[word] = true
end

-- The token that closes what token i opens.
local function closing(tokens, i)
  local depth = 0
  for k = i, #tokens do
    local t = tokens[k].text
    if t == "(" or t == "{" then depth = depth + 1 end
    if t == ")" or t == "}" then depth = depth - 1 end
    if depth == 0 then return k end
  end
  return #tokens
end

-- The end of the statement that begins at token i, if it may be removed: a call or an assignment.
local function statement(tokens, i)
  local before, first = tokens[i - 1], tokens[i]
  if STAYS[first.text] or before.line == first.line or not before.text:find "^[;{})]$" then return nil end
  local second = tokens[i + 1].text
  if tokens[i + 1].kind == "word" or second == ":" or second == "*" then return nil end -- a declaration, a label
  for k = i, #tokens do
    local t = tokens[k].text
    if t == ";" then return k end
    if t == "{" or t == "}" then return nil end
  end
end

local changers = {
  number = function(add, tokens, i)
    for _, n in ipairs(shared.numbers_beside(tokens[i].text)) do add(i, i, n) end
  end,
  word = function(add, tokens, i)
    local t = tokens[i].text
    if (t == "if" or t == "while") and tokens[i + 1].text == "(" then
      add(i + 1, closing(tokens, i + 1), "0")
      if t == "if" then add(i + 1, closing(tokens, i + 1), "1") end
    end
    local last = statement(tokens, i)
    if last then add(i, last, ";") end
  end,
  operator = function(add, tokens, i)
    local t = tokens[i].text
    if (t == "+" or t == "-") and shared.is_binary(tokens, i) then add(i, i, t == "+" and "-" or "+") end
  end,
}

--- All changes of a file's text. Within data, such as tables of characters, only words and plain numbers change.
function M.changes(text)
  local tokens, sites = tokens_of(text), {}
  find_blocks(tokens)
  local function add(i, k, put)
    local from, to = tokens[i].from, tokens[k].to
    local was, shown = text:sub(from, to), put
    if (put == "0" or put == "1") and tokens[i].text == "(" then put = "((void)" .. was .. ", " .. put .. ")" end -- still evaluated
    sites[#sites + 1] = { line = tokens[i].line, from = from, to = to, was = was, put = put, shown = shown, block = tokens[i].block }
  end
  local i, depth = 2, 0
  while i < #tokens do
    local t = tokens[i]
    if t.text == "{" then depth = depth + 1 elseif t.text == "}" then depth = depth - 1 end
    if ALONE[t.text] and tokens[i + 1].text == "(" then
      i = closing(tokens, i + 1)
    elseif depth > 0 then
      for _, put in ipairs(SWAP[t.text] or {}) do add(i, i, put) end
      local data = tokens[i - 1].text:find "^[{%[,=]$" and t.text:find "^0[xX]"
      if not data then changers[t.kind](add, tokens, i) end
    end
    i = i + 1
  end
  return sites
end

local function object_of(path) return "build/test/5.4/" .. path:sub(6) .. ".o" end

--- Builds a changed file; false: it doesn't compile, or compiles to the same code.
function M.differs(path)
  support.runs("cp " .. object_of(path) .. " kept.o")
  return support.runs("ulimit -v 8000000; timeout 300 " .. shared.make(1, "5.4", shared.PLAIN) .. " >mutant.log 2>&1")
    and not support.runs("cmp -s " .. object_of(path) .. " kept.o")
end

--- After the file is restored.
function M.restore(path)
  support.runs(("cp kept.o %s; touch %s"):format(object_of(path), object_of(path)))
end

return M
