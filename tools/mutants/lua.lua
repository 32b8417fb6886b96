-- The Lua side of `mutants.lua`: tokens, possible changes, and the blocks that a spec reaches. Nothing is built.
local here = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$"
local support, shared = dofile(here .. "../../spec/support.lua"), dofile(here .. "shared.lua")

local M = {
  sources = "find lua -name '*.lua' | sort", beginning = "lua/",
  specs = { "spec/unit", "spec/conformance/explain", "spec/modules", "spec/editor", "spec/hosts/nvim", "spec/hosts/resty" },
  -- Code that only tests have, annotations, and generated files, whose text a spec compares.
  untried = { "lua/hclexpr/testing.lua", "lua/hclexpr/terraform/types.lua", "lua/hclexpr/terraform/schema/bundled_facts.lua" },
  -- Specs that test only the core, or that measure the reference's own time.
  left_out = { "conformance/corpus", "conformance/specsuite", "conformance/limits", "unit/rsa", "unit/starved", "unit/install",
               "unit/pictures", "unit/torture", "editor/memory", "resty/long" },
}

-- ---- tokens -------------------------------------------------------------------------------------------------------------

local KEYWORDS = {}
local WORDS = "and break do else elseif end false for function goto if in local nil not or repeat return then true until while"
for word in WORDS:gmatch "%a+" do
  KEYWORDS[word] = true
end
local OPERATORS = { ["=="] = true, ["~="] = true, ["<="] = true, [">="] = true, [".."] = true, ["::"] = true }
local FORMS = { { "number", "^0[xX]%x+" }, { "number", "^%d+%.?%d*[eE]?%d*" }, { "word", "^[%a_][%w_]*" }, { "operator", "^%.%.%.?" } }

-- The end of a text in long brackets, or between quotes.
local function text_end(text, at)
  local equals = text:match("^%[(=*)%[", at)
  if equals then return select(2, text:find("]" .. equals .. "]", at, true)) end
  local quote, to = text:match("^[\"']", at), at + 1
  if not quote then return nil end
  while text:sub(to, to) ~= quote do to = to + (text:sub(to, to) == "\\" and 2 or 1) end
  return to
end

-- The kind and the end of the token at a place; nil for a comment.
local function token_at(text, at)
  if text:find("^%-%-", at) then
    local to = text:find("^%[=*%[", at + 2) and text_end(text, at + 2) or (text:find("\n", at, true) or #text)
    return nil, to
  end
  local last = text_end(text, at)
  if last then return "string", last end
  for _, form in ipairs(FORMS) do
    local _, to = text:find(form[2], at)
    if to then return KEYWORDS[text:sub(at, to)] and "keyword" or form[1], to end
  end
  return "operator", OPERATORS[text:sub(at, at + 1)] and at + 1 or at
end

local function tokens_of(text)
  return shared.tokens_of(text, function(at) return token_at(text, at) end)
end

-- ---- blocks -------------------------------------------------------------------------------------------------------------

local OPENS = { ["then"] = true, ["else"] = true, ["do"] = true, ["repeat"] = true }
local CLOSES = { ["end"] = true, ["else"] = true, ["elseif"] = true, ["until"] = true }

-- Finds the block of each token: 0 is the file, the others are numbered in order. Returns the bytes at which blocks begin.
local function find_blocks(tokens)
  local starts, open, signature = {}, { 0 }, nil
  local function begin(at)
    starts[#starts + 1] = at
    open[#open + 1] = #starts
  end
  for _, t in ipairs(tokens) do
    if t.kind == "keyword" and CLOSES[t.text] then open[#open] = nil end
    t.block = open[#open]
    if t.kind == "keyword" and OPENS[t.text] then begin(t.to) end
    if t.text == "function" and t.kind == "keyword" then signature = true end
    if signature and t.text == ")" then
      signature = nil
      begin(t.to)
    end
  end
  return starts
end

--- A text with marks that record the entered blocks: HCLEXPR_HIT[base + n], all on the same lines.
function M.marked(text, base)
  local starts = find_blocks(tokens_of(text))
  assert(#starts < shared.BLOCKS - 1, "more blocks than the numbers have room for")
  local out, at = { ("local HIT = rawget(_G, 'HCLEXPR_HIT') or {}; HIT[%d] = 1; "):format(base) }, 1
  for n, start in ipairs(starts) do
    out[#out + 1] = text:sub(at, start) .. (" HIT[%d] = 1; "):format(base + n)
    at = start + 1
  end
  return table.concat(out) .. text:sub(at)
end

-- ---- what may be changed ------------------------------------------------------------------------------------------------

local SWAP = {
  ["and"] = { "or" }, ["or"] = { "and" }, ["=="] = { "~=" }, ["~="] = { "==" }, ["<"] = { "<=", ">=" }, [">"] = { ">=", "<=" },
  ["<="] = { "<", ">" }, [">="] = { ">", "<" }, ["not"] = { "" }, ["true"] = { "false" }, ["false"] = { "true" }, ["break"] = { "" },
}
local BRACKETS = { ["("] = 1, ["{"] = 1, ["["] = 1, [")"] = -1, ["}"] = -1, ["]"] = -1 }
local BLOCKS = { ["function"] = 1, ["if"] = 1, ["do"] = 1, ["repeat"] = 1, ["end"] = -1, ["until"] = -1 }

-- How a token changes the depth of brackets and blocks.
local function step(t)
  return t.kind == "operator" and BRACKETS[t.text] or t.kind == "keyword" and BLOCKS[t.text] or 0
end

-- May an expression or a block end here?
local function ends(t)
  return t.kind == "word" or t.kind == "number" or t.kind == "string" or t.text:find "^[])}]$" or t.text == "..."
    or t.kind == "keyword" and (t.text == "end" or t.text == "true" or t.text == "false" or t.text == "nil")
end

-- The end of the statement that begins at token i, if it may be removed: a call or an assignment.
local function statement(tokens, i)
  local before, first = tokens[i - 1], tokens[i]
  if first.kind ~= "word" then return nil end
  local opened = before.kind == "keyword" and OPENS[before.text] or before.text == ";"
  if not opened and (before.line == first.line or not ends(before)) then return nil end
  local depth = 0
  for k = i, #tokens do
    local t, after = tokens[k], tokens[k + 1]
    depth = depth + step(t)
    if depth < 0 then return nil end
    if depth == 0 and ends(t) then
      if not after or after.text == ";" or after.kind == "keyword" and CLOSES[after.text] then return k end
      local goes_on = after.kind == "operator" or after.text == "and" or after.text == "or"
      if after.line ~= t.line and not goes_on then return k end
    end
  end
end

-- The last token of the condition that begins at token i.
local function condition(tokens, i, word)
  local depth = 0
  for k = i, #tokens do
    if depth == 0 and tokens[k].text == word and tokens[k].kind == "keyword" then return k - 1 end
    depth = depth + step(tokens[k])
  end
end

--- All changes of a file's text; each knows its block.
function M.changes(text)
  local tokens, sites = tokens_of(text), {}
  find_blocks(tokens)
  local function add(i, k, put, shown)
    local from, to = tokens[i].from, tokens[k].to
    sites[#sites + 1] = { line = tokens[i].line, from = from, to = to, was = text:sub(from, to), put = put, shown = shown or put,
                          block = tokens[i].block }
  end
  local function settle(i, k, both)
    local was = text:sub(tokens[i].from, tokens[k].to)
    add(i, k, "((" .. was .. ") and false)", "false")
    if both then add(i, k, "((" .. was .. ") or true)", "true") end
  end
  for i = 2, #tokens do
    local t = tokens[i]
    if t.kind == "keyword" or t.kind == "operator" then
      for _, put in ipairs(SWAP[t.text] or {}) do add(i, i, put) end
      if t.text == "if" or t.text == "elseif" then settle(i + 1, condition(tokens, i + 1, "then"), true) end
      if t.text == "while" then settle(i + 1, condition(tokens, i + 1, "do"), false) end
      if (t.text == "+" or t.text == "-") and shared.is_binary(tokens, i) then add(i, i, t.text == "+" and "-" or "+") end
    elseif t.kind == "number" then
      for _, n in ipairs(shared.numbers_beside(t.text)) do add(i, i, n) end
    end
    local last = statement(tokens, i)
    if last then add(i, last, "") end
  end
  return sites
end

--- Does a changed file compile, and to different code?
function M.differs(path, before)
  local changed = loadfile(path)
  return changed ~= nil and string.dump(changed, true) ~= string.dump(assert(load(before)), true)
end

function M.restore() end

-- ---- what specs reach ---------------------------------------------------------------------------------------------------

--- Calls f(path, number of the file's first block) for each source.
function M.each_source(f)
  for i, path in ipairs(support.lines(M.sources)) do f(path, i * shared.BLOCKS) end
end

return M
