-- Semantic tokens: the type of each word in a file. They are found from tokens alone, so broken text has colours too.
local hcl = require "hclexpr"

local tokens = {}

local keywords = { ["true"] = true, ["false"] = true, ["null"] = true }
local loop_words = { ["for"] = true, ["in"] = true, ["if"] = true, ["else"] = true, ["endfor"] = true, ["endif"] = true }
local type_words = { string = true, number = true, bool = true, any = true, list = true, set = true, map = true, object = true,
  tuple = true,
                     optional = true }
local openers = { ["{"] = "object", ["["] = "list", ["("] = "group", ["${"] = "group", ["%{"] = "group" }
local closers = { ["}"] = true, ["]"] = true, [")"] = true }

---@class hclexpr.service.Lexed
---@field kinds string[]
---@field starts integer[]
---@field stops integer[]

--- Returns the tokens of a document, which are made once.
---@param document hclexpr.service.Document
---@return hclexpr.service.Lexed
function tokens.lexed(document)
  local known = rawget(document, "lexed_here")
  if not known then
    local kinds, starts, stops = hcl.tokens(document.text)
    known = { kinds = kinds, starts = starts, stops = stops }
    document.lexed_here = known
  end
  return known
end

---@class hclexpr.service.Walk
---@field stack { kind: "body"|"object"|"list"|"group" }[]
---@field mode "item"|"head"|"expression" the part of a body's item that comes next
---@field types boolean true inside an argument that is a type

local function text_at(walk, i) return walk.text:sub(walk.starts[i] + 1, walk.stops[i]) end

-- Returns the kind of the next token that isn't a comment.
local function after(walk, i)
  repeat i = i + 1 until walk.kinds[i] ~= "comment"
  return walk.kinds[i]
end

local function name_in_expression(walk, i)
  local word, next_kind, before = text_at(walk, i), after(walk, i), walk.before
  if before == "." then return "variable" end
  if keywords[word] or loop_words[word] and before ~= "." and next_kind ~= "." then return "keyword" end
  if next_kind == "(" or next_kind == "::" then return "function" end
  local top = walk.stack[#walk.stack]
  if top.kind == "object" and (next_kind == "=" or next_kind == ":") then return walk.types and "property" or "parameter" end
  if walk.types and type_words[word] then return "keyword" end
  return "variable"
end

-- Returns the semantic type of a name, by its position.
local function name_type(walk, i)
  local top = walk.stack[#walk.stack]
  if top.kind ~= "body" or walk.mode == "expression" then return name_in_expression(walk, i) end
  if walk.mode == "head" then return "enumMember" end
  if after(walk, i) == "=" then
    walk.types = text_at(walk, i) == "type" and walk.stack[#walk.stack].of == "variable"
    return "property"
  end
  walk.mode, walk.of = "head", text_at(walk, i)
  return "type"
end

local function open(walk, kind)
  local top = walk.stack[#walk.stack]
  if kind == "{" and top.kind == "body" and walk.mode ~= "expression" then
    walk.stack[#walk.stack + 1] = { kind = "body", of = walk.of }
    walk.mode = "item"
  else
    walk.stack[#walk.stack + 1] = { kind = openers[kind], quotes = 0 }
  end
end

local function close(walk)
  if #walk.stack == 1 then return end
  local closed = table.remove(walk.stack)
  if closed.kind == "body" then walk.mode = "item" end
end

-- Follows a bracket, equals sign or newline, which decides what the next words are.
local function sign(walk, kind)
  local top = walk.stack[#walk.stack]
  if openers[kind] then open(walk, kind)
  elseif closers[kind] then close(walk)
  elseif kind == "=" and top.kind == "body" then walk.mode = "expression"
  elseif kind == "newline" and top.kind == "body" then walk.mode, walk.types = "item", false end
end

-- Adds a semantic token, split at the ends of lines.
local function add(walk, start, stop, type)
  local text = walk.text
  while start < stop do
    local newline = text:find("\n", start + 1, true)
    local line_end = newline and math.min(newline - 1, stop) or stop
    local visible = line_end
    if visible > start and text:byte(visible) == 13 then visible = visible - 1 end
    if visible > start then walk.found[#walk.found + 1] = { start = start, stop = visible, type = type } end
    start = newline and newline or stop
  end
end

-- Adds a quoted string as a single token, unless it has interpolations. Returns the index of its last token.
local function quoted(walk, i)
  local kinds, type = walk.kinds, walk.mode == "head" and walk.stack[#walk.stack].kind == "body" and "enumMember" or "string"
  local last = i
  if kinds[i + 1] == "close_quote" then last = i + 1 elseif kinds[i + 1] == "text" and kinds[i + 2] == "close_quote" then last = i + 2 end
  if last > i then
    local top = walk.stack[#walk.stack]
    local next_kind = kinds[last + 1]
    if top.kind == "object" and (next_kind == "=" or next_kind == ":") then type = "parameter" end
    add(walk, walk.starts[i], walk.stops[last], type)
  end
  return last
end

local plain = { number = "number", comment = "comment", text = "string" }

local function step(walk, i)
  local kind = walk.kinds[i]
  if kind == "name" then add(walk, walk.starts[i], walk.stops[i], name_type(walk, i))
  elseif plain[kind] then
    add(walk, walk.starts[i], walk.stops[i], plain[kind])
    if kind == "comment" and walk.text:byte(walk.stops[i]) == 10 then sign(walk, "newline") end
  elseif kind == "open_quote" then i = quoted(walk, i)
  else sign(walk, kind) end
  if kind ~= "comment" then walk.before = kind end
  return i
end

function tokens.tokens(_, document, start, stop)
  if document.kind == "json" then return {} end
  local lexed = tokens.lexed(document)
  local walk = { text = document.text, kinds = lexed.kinds, starts = lexed.starts, stops = lexed.stops, stack = { { kind = "body" } },
    mode = "item",
                 found = {} }
  local i = 1
  while walk.kinds[i] and not (stop and walk.starts[i] >= stop) do i = step(walk, i) + 1 end
  if not start then return walk.found end
  local within = {}
  for _, token in ipairs(walk.found) do
    if token.stop > start and (not stop or token.start < stop) then within[#within + 1] = token end
  end
  return within
end

return tokens
