-- Bodies read by a schema, compared with the reference: as many errors, at the same bytes. Random bodies of both syntaxes, mostly
-- right, with nested `dynamic` blocks; each is read to the last block, and every argument evaluated.
--   LUA contents.lua ask COUNT SEED      questions for tools/oracle, one JSON line each
--   LUA contents.lua compare ANSWERS     prints each difference; status 1 if there are any
local cjson = require "cjson"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local answers = dofile(support.root .. "fuzz/answers.lua")

local draw = support.random(1)
local function pick(t) return t[draw(#t)] end
local function often(n) return draw(n) > 1 end

-- The schema of all bodies, and the names that their expressions may use. A schema of the oracle is finite; bodies are less deep.
local NAMES = { b = {}, c = { "x" }, d = { "x", "y" } }
local VARIABLES = { v = '"x"', l = '["p", "q"]', m = '{ k = "w" }' }

local function oracle_schema(depth)
  local blocks = {}
  for name, labels in pairs(NAMES) do blocks[name] = { labels = #labels, body = depth > 0 and oracle_schema(depth - 1) or nil } end
  return { attrs = { "s", "n" }, blocks = blocks }
end

local function schema()
  local s = { attributes = { s = {}, n = {} }, blocks = {} }
  for name, labels in pairs(NAMES) do s.blocks[name] = { labels = labels, schema = s } end
  return s
end

-- Pieces: in native syntax as they are, in JSON in quotes unless they begin with a sign of JSON.
local EXPRESSIONS = { "1", '"x"', "v", "nope", "l[5]", "l", "m", "null", "true", "[1, 2]", "{ k = 1 }", "m.k", "v + 1", "b.value", "b.key",
  "it.value", "c.value", '"${b.value}"', "[for x in l : x]" }
local FOR_EACH = { "l", "m", '["p"]', "{}", "null", "1", "nope", "[]", "[for x in l : x]", "v", "[nope]", "{ (v) = nope }", "[b.value]" }
local ITERATORS = { "it", "it", "1", "a.b", '"it"', "null", "v[0]", "true", "(it)" }
local LABELS = { '["p"]', '["p", "q"]', "[b.value]", '[c.value, "z"]', "null", '"x"', "[1]", "[null]", '[["x"]]', "[nope]", "l",
  "[for x in l : x]", '(["p"])' }
local STRINGS = { "1", "null", "true", '"x"', '"${v}"', '"${nope}"', '"${l[5]}"', '"${b.value}"', '"%{ if v }"', '"$${x}"',
  '"\\u0024{nope}"', '"x\\n${nope}"', '"${"', "[]", "{}", '["x"]', '{"s": "${nope}"}', '[{"b": {}}]' }
local JSON_FOR_EACH = { '["p", "q"]', '"${l}"', '{"k": 1}', "null", "1", '"${nope}"', "[]", '"l"', '["${nope}"]', '{"${v}": 1}' }
local JSON_ITERATORS = { '"it"', '"it"', "1", '"a.b"', '"1x"', "null", '["it"]', '"${it}"', '""', '"true"', '"\\u0069t"', '" \\ta.b.c"' }
local JSON_LABELS = { '["p"]', '["p", "q"]', '["${b.value}"]', '["${c.value}", "z"]', "null", '"x"', "[1]", "[null]", '[["x"]]',
  '["${nope}"]', "{}", '"${l}"' }

-- ---- native syntax ------------------------------------------------------------------------------------------------------

local native

local function native_dynamic(depth)
  local type, parts = pick { "b", "c", "d", "zz", "b" }, {}
  local function add(s) parts[#parts + 1] = s end
  if often(8) then add("for_each = " .. pick(FOR_EACH)) end
  if not often(4) then add("iterator = " .. pick(ITERATORS)) end
  if type ~= "b" and often(6) or not often(9) then add("labels = " .. pick(LABELS)) end
  if often(8) then add("content {\n" .. native(depth - 1) .. "}") end
  if not often(6) then
    add(pick { "zz = 1", "zz {\n}", "content x {\n}", "content {\n}", 'dynamic "b" {\nfor_each = l\ncontent {\n}\n}', "dynamic {\n}" })
  end
  local labels = often(6) and (' "%s"'):format(type) or pick { "", " b", ' "b" "c"' }
  return ("dynamic%s {\n%s\n}"):format(labels, table.concat(parts, "\n"))
end

function native(depth)
  local items, seen = {}, {}
  for _ = 1, draw(3) do
    local kind, name = draw(5), pick { "s", "n", "zz", "b", "bb" }
    if depth > 0 and kind == 3 then
      local labels = pick { "", " x", ' "y" z', ' "" x y' }
      items[#items + 1] = ("%s%s {\n%s}"):format(pick { "b", "c", "d", "zz", "s" }, labels, native(depth - 1))
    elseif depth > 0 and kind > 3 then
      items[#items + 1] = native_dynamic(depth)
    elseif not seen[name] then
      items[#items + 1], seen[name] = name .. " = " .. pick(EXPRESSIONS), true
    end
  end
  return table.concat(items, "\n") .. "\n"
end

-- ---- JSON syntax --------------------------------------------------------------------------------------------------------

local json

local function json_dynamic(depth)
  local type, parts = pick { "b", "c", "d", "zz", "b" }, {}
  local function add(name, value) parts[#parts + 1] = ('"%s": %s'):format(name, value) end
  if often(8) then add("for_each", pick(JSON_FOR_EACH)) end
  if not often(4) then add("iterator", pick(JSON_ITERATORS)) end
  if type ~= "b" and often(6) or not often(9) then add("labels", pick(JSON_LABELS)) end
  if often(8) then add("content", often(6) and json(depth - 1) or pick { "[]", "null", "1", "[{}, {}]" }) end
  if not often(9) then add(pick { "s", "zz", "//", "dynamic", "content" }, pick(STRINGS)) end
  return ('{"%s": {%s}}'):format(type, table.concat(parts, ", "))
end

local JSON_ITEMS = {
  b = function(depth) return often(2) and json(depth) or ("[%s, %s]"):format(json(depth), json(depth)) end,
  c = function(depth) return ('{"l1": %s, "l2": [%s, null]}'):format(json(depth), json(depth)) end,
  d = function(depth) return ('{"l1": {"q": %s}, "l2": [%s]}'):format(json(depth), pick(STRINGS)) end,
  dynamic = json_dynamic,
}

function json(depth)
  local items = {}
  for i = 1, depth > 0 and draw(4) or 0 do
    local name = pick { "s", "n", "b", "c", "d", "dynamic", "dynamic", "zz", "//", "bb" }
    local value = JSON_ITEMS[name] and often(6) and JSON_ITEMS[name](depth - 1) or pick(STRINGS)
    items[i] = ('"%s": %s'):format(name, often(15) and value or "[" .. value .. "]")
  end
  return "{" .. table.concat(items, ",\n") .. "}"
end

-- -------------------------------------------------------------------------------------------------------------------------

local function ask(count, seed)
  draw = support.random(seed % 2147483646 + 1)
  local wanted = oracle_schema(4)
  for i = 1, count do
    local mode, make = "content", native
    if i % 2 == 1 then mode, make = "jsoncontent", json end
    io.write(cjson.encode { id = mode .. "/" .. i, mode = mode, src = make(3), vars = VARIABLES, schema = wanted }, "\n")
  end
end

local function compare(path)
  local hcl = require "hclexpr"
  local view = dofile(support.root .. "spec/conformance/view.lua")
  local variables, ours = {}, schema()
  for name, source in pairs(VARIABLES) do variables[name] = hcl.eval(source) end
  answers.compare(path, "contents", view, function(case)
    local body, err = hcl.parse(case.src, { syntax = case.mode == "content" and "native" or "json" })
    if body then err = select(2, body:decode(ours, variables)) end
    return err
  end)
end

if arg[1] == "ask" then ask(tonumber(arg[2]), tonumber(arg[3]))
elseif arg[1] == "compare" then compare(arg[2])
else error "ask or compare?" end
