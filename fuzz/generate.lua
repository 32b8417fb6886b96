-- Random expressions of the language, as cases without an answer: one JSON line each.   LUA generate.lua SEED COUNT
-- Most are well typed, so that they get far; some have operands of any type, some are broken on purpose: BROKEN (12) of a
-- hundred. The same seed gives the same cases on every Lua.
local cjson = require "cjson"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local M = {}

local BROKEN = tonumber(os.getenv "BROKEN" or 12)

local draw

local function chance(percent) return draw(100) <= percent end
local function pick(list) return list[draw(#list)] end

-- Named values: the names that an expression may use, as source text, by type.
local variables = {
  n = "7", f = "2.5", big = "123456789012345678901234567890", neg = "-3", zero = "0",
  s = '"hello"', e = '""', num = '"12"', u = '"é日本\\u0301"', t = "true", z = "null",
  ns = "[1, 2, 3]", ss = '["b", "a", "c", "a"]', mixed = '[1, "a", true, null]', none = "[]",
  lst = 'tolist(["x", "y"])', nset = "toset([3, 1, 2])", sset = 'toset(["b", "a"])', m = 'tomap({ a = 1, b = 2 })',
  o = '{ a = 1, b = "x", c = { d = [1, 2] }, "k 1" = true }',
  os = '[{ id = "i-1", size = 1, tags = ["p"] }, { id = "i-2", size = 2, tags = [] }]',
  un = 'unknown("number")', us = 'unknown("string")', ub = 'unknown("bool")', ul = 'unknown("list(string)")', ud = 'unknown("any")',
  sec = 'sensitive("hush")', secn = "sensitive(5)", secl = 'sensitive(["p", "q"])', eph = 'ephemeral("gone")',
  uo = 'unknown("object({ a = string, b = list(number) })")', um = 'unknown("map(number)")', uset = 'unknown("set(string)")',
  ut = 'unknown("tuple([string, number])")', usec = 'sensitive(unknown("list(number)"))', part = '[1, unknown("number"), 3]',
  opart = '{ a = unknown("string"), b = 2 }', nsec = '[sensitive(1), 2]', osec = '{ a = sensitive("q"), b = { c = 1 } }',
  both = 'ephemeral(sensitive("both"))', msec = "sensitive(tomap({ a = 1, b = 2 }))", znum = "tonumber(null)", zstr = "tostring(null)",
}

local of_type = {
  number = { "n", "f", "big", "neg", "zero", "un", "secn", "num", "o.a", "o.c.d[1]", "ns[0]", "os[1].size", 'm["a"]', "m.b",
    "uo.b[0]", "um.a", "ut[1]", "usec[0]", "part[1]", "part[2]", "nsec[0]", "msec.a", "znum" },
  string = { "s", "e", "u", "num", "us", "sec", "eph", "o.b", "os.0.id", "ss[1]", "lst[0]", "n", "uo.a", "ut[0]",
    "opart.a", "osec.a", "both", "zstr" },
  bool = { "t", "ub", 'o["k 1"]', "mixed[2]" },
  sequence = { "ns", "ss", "mixed", "none", "lst", "nset", "sset", "ul", "secl", "os", "o.c.d", "os[*].id", "os[*].tags", "os.*.size",
    "uset", "ut", "usec", "part", "nsec", "uo.b", "uset[*]", "usec[*]", "ut[*]", "z[*]", "part[*]", "nsec[*]" },
  mapping = { "o", "m", "os[0]", "o.c", "uo", "um", "opart", "osec", "msec" },
  any = { "ud", "z", "z", "uo[*]", "o[*]", "ud[*].a", "ud.a[0]", "osec.b.c", "both" },
}
-- Arguments of convert(): the oracle's differs for `any` and for defaults.
local constraints = { "string", "number", "bool", "list(string)", "set(number)", "map(string)", "list(list(number))",
  "tuple([string, number])", "object({ a = string })", "map(object({ c = string }))", "list(object({ id = string, size = number }))",
  "set(list(string))" }
local types = { "number", "string", "bool", "sequence", "mapping", "any" }

local numbers = { "0", "1", "2", "3", "10", "-1", "0.5", "1.5e3", "1e-7", "0.1", "3.14159", "9007199254740993", "1e100",
  "12345678901234567890.5", "100" }
local strings = { '""', '"a"', '"x y"', '"12"', '"true"', '"1.50"', '"\\n\\t\\"\\\\"', '"\\u00e9"', '"日本"', '"$${x}"', '"%%{x}"',
  '"a$b%c"', '"-0"', '"\\U0001f600"' }
local names = { "v", "k", "x", "y_1", "été", "a-b" }

-- The oracle's conversions to collections collect the marks of elements; those of the recorded cases leave them in place.
local unmarked_sequences = { "ns", "ss", "mixed", "none", "lst", "nset", "sset", "ul", "o.c.d", "os[*].size" }

local value

-- Names bound by an enclosing `for`.
local bound = {}

local function space() return chance(6) and pick { "  ", "\t", " /* c */ ", "" } or " " end

local function call(depth, kind)
  local function arg(type) return value(depth - 1, type) end
  if kind == "number" then
    return pick {
      function() return pick { "max", "min" } .. "(" .. arg "number" .. ", " .. arg "number" .. ")" end,
      function() return "abs(" .. arg "number" .. ")" end,
      function() return "tonumber(" .. arg(pick { "number", "string" }) .. ")" end,
      function() return "max(ns...)" end,
      function() return pick { "ceil", "floor", "signum" } .. "(" .. arg "number" .. ")" end,
      function() return "parseint(" .. arg "string" .. ", " .. pick { "10", "16", "2" } .. ")" end,
    }()
  elseif kind == "string" then
    return pick {
      function() return pick { "upper", "lower" } .. "(" .. arg "string" .. ")" end,
      function() return "tostring(" .. arg(pick { "number", "string", "bool" }) .. ")" end,
      function() return 'join(",", ' .. arg "sequence" .. ")" end,
      function() return 'jsonencode(' .. arg(pick(types)) .. ")" end,
      function() return 'format("%s-%v", ' .. arg "string" .. ", " .. arg "number" .. ")" end,
      function() return "substr(" .. arg "string" .. ", " .. arg "number" .. ", " .. arg "number" .. ")" end,
      function() return pick { "title", "trimspace", "chomp", "strrev" } .. "(" .. arg "string" .. ")" end,
      function() return "convert(" .. arg(pick(types)) .. ", string)" end,
    }()
  elseif kind == "bool" then
    return pick {
      function() return "can(" .. arg(pick(types)) .. ")" end,
      function() return "tobool(" .. arg "bool" .. ")" end,
      function() return "contains(" .. arg "sequence" .. ", " .. arg(pick { "number", "string" }) .. ")" end,
    }()
  elseif kind == "sequence" then
    return pick {
      function() return pick { "tolist", "toset" } .. "(" .. pick(unmarked_sequences) .. ")" end,
      function() return "concat(" .. arg "sequence" .. ", " .. arg "sequence" .. ")" end,
      function() return "keys(" .. arg "mapping" .. ")" end,
      function() return "values(" .. arg "mapping" .. ")" end,
      function() return "flatten([" .. arg "sequence" .. ", " .. arg "sequence" .. "])" end,
      function() return pick { "distinct", "compact", "reverse", "sort" } .. "(" .. pick(unmarked_sequences) .. ")" end,
      function() return "slice(" .. arg "sequence" .. ", " .. pick { "0", "1", "un" } .. ", " .. pick { "1", "2", "un" } .. ")" end,
      function() return 'split(" ", ' .. arg "string" .. ")" end,
      function()
        local a, b = pick { "ss", "none", "nset" }, pick { "uset", "sset" }
        return pick { "setunion", "setsubtract" } .. "(toset(" .. a .. "), " .. b .. ")"
      end,
    }()
  elseif kind == "mapping" then
    return pick {
      function() return "tomap(" .. pick { "m", "o.c", "{ a = 1, b = 2.5 }", "{}" } .. ")" end,
      function() return "merge(" .. arg "mapping" .. ", " .. arg "mapping" .. ")" end,
      function() return "zipmap(ss, " .. arg "sequence" .. ")" end,
    }()
  end
  return pick {
    function() return "try(" .. arg(pick(types)) .. ", " .. arg(pick(types)) .. ")" end,
    function() return "try(" .. arg(pick(types)) .. ", " .. arg(pick(types)) .. ", " .. arg(pick(types)) .. ")" end,
    function() return "convert(" .. arg(pick(types)) .. ", " .. pick(constraints) .. ")" end,
    function() return "element(" .. arg "sequence" .. ", " .. arg "number" .. ")" end,
  }()
end

local function with_names(list, f)
  local before = bound
  bound = setmetatable({}, { __index = before })
  for i, name in ipairs(before) do bound[i] = name end
  for _, name in ipairs(list) do bound[#bound + 1] = name end
  local out = f()
  bound = before
  return out
end

local function for_expr(depth, kind)
  local key, element = chance(40) and pick(names) or nil, pick(names)
  if key == element then key = nil end
  local over = value(depth - 1, pick { "sequence", "sequence", "mapping" })
  return with_names({ key, element }, function()
    local intro = "for " .. (key and key .. ", " or "") .. element .. " in " .. over .. " : "
    local tail = chance(30) and " if " .. value(depth - 1, "bool") or ""
    if kind == "sequence" then return "[" .. intro .. value(depth - 1, pick(types)) .. tail .. "]" end
    return "{" .. intro .. value(depth - 1, "string") .. " => " .. value(depth - 1, pick(types)) .. (chance(25) and "..." or "")
      .. tail .. "}"
  end)
end

local function template(depth)
  local parts = {}
  for i = 1, draw(4) do
    local strip_left, strip_right = chance(15) and "~" or "", chance(15) and "~" or ""
    parts[i] = pick {
      function() return pick { "a", " ", "x\\n", "$", "%", "$${", "é", " b " } end,
      function() return "${" .. strip_left .. value(depth - 1, pick { "string", "number", "bool", "any" }) .. strip_right .. "}" end,
      function()
        return "%{" .. strip_left .. " if " .. value(depth - 1, "bool") .. " " .. strip_right .. "} yes " ..
          (chance(60) and "%{ else " .. strip_right .. "}no" or "") .. "%{" .. strip_left .. " endif }"
      end,
      function()
        local element = pick(names)
        local over = value(depth - 1, "sequence")
        return with_names({ element }, function()
          return "%{ for " .. element .. " in " .. over .. " " .. strip_right .. "} [${" .. value(depth - 1, "string") .. "}] %{" ..
            strip_left .. " endfor }"
        end)
      end,
    }()
  end
  return '"' .. table.concat(parts) .. '"'
end

local function heredoc(depth)
  local lines = {}
  for i = 1, draw(3) do
    lines[i] = (" "):rep(draw(5) - 1) .. pick { "text", "", "a ${" .. value(depth - 1, "string"):gsub("\n", " ") .. "} b", "tab\\n" }
  end
  return "<<" .. pick { "", "-" } .. "EOT\n" .. table.concat(lines, "\n") .. "\n" .. (" "):rep(draw(4) - 1) .. "EOT\n"
end

local function object(depth)
  local items = {}
  for i = 1, draw(4) - 1 do
    local key = pick {
      function() return pick(names) end, function() return '"k ' .. i .. '"' end,
      function() return "(" .. value(depth - 1, "string") .. ")" end, function() return tostring(draw(3)) end,
      function() return '"${' .. value(depth - 1, "string") .. '}"' end,
    }()
    items[i] = key .. pick { " = ", ": ", "=" } .. value(depth - 1, pick(types))
  end
  local between = chance(80) and ", " or "\n"
  return "{" .. (between == "\n" and "\n" or "") .. table.concat(items, between) .. (between == "\n" and "\n" or "") .. "}"
end

local function tuple(depth)
  local items = {}
  for i = 1, draw(4) - 1 do items[i] = value(depth - 1, pick(types)) end
  local trailing = #items > 0 and chance(10) and "," or ""
  return "[" .. (chance(8) and "\n" or "") .. table.concat(items, "," .. (chance(8) and "\n" or space())) .. trailing .. "]"
end

local function binary(depth, operators, left, right)
  return value(depth - 1, left) .. space() .. pick(operators) .. space() .. value(depth - 1, right or left)
end

local function paren(source) return chance(60) and "(" .. source .. ")" or source end

local function conditional(depth, kind)
  return paren(value(depth - 1, "bool") .. " ? " .. value(depth - 1, kind) .. " : " .. value(depth - 1, chance(85) and kind or pick(types)))
end

local function index(depth)
  return pick {
    function() return value(depth - 1, "sequence") .. "[" .. value(depth - 1, "number") .. "]" end,
    function() return "(" .. value(depth - 1, "mapping") .. ")[" .. value(depth - 1, "string") .. "]" end,
    function() return "(" .. value(depth - 1, "mapping") .. ")." .. pick { "a", "b", "c", "id" } end,
    function() return "os[*]." .. pick { "id", "size", "tags[0]", "nope" } end,
    function() return value(depth - 1, pick(types)) .. pick { "[*]", ".*.id", "[*].a", ".0" } end,
  }()
end

local compound = {
  number = function(depth)
    return pick {
      function() return paren(binary(depth, { "+", "-", "*", "/", "%" }, "number")) end,
      function() return "-" .. value(depth - 1, "number") end,
      function() return call(depth, "number") end,
    }()
  end,
  string = function(depth)
    return pick {
      function() return template(depth) end, function() return template(depth) end, function() return call(depth, "string") end,
      function() return chance(30) and heredoc(depth) or template(depth) end,
    }()
  end,
  bool = function(depth)
    return pick {
      function() return paren(binary(depth, { "==", "!=" }, pick(types), pick(types))) end,
      function() return paren(binary(depth, { "<", "<=", ">", ">=" }, "number")) end,
      function() return paren(binary(depth, { "&&", "||" }, "bool")) end,
      function() return "!" .. value(depth - 1, "bool") end,
      function() return call(depth, "bool") end,
    }()
  end,
  sequence = function(depth)
    return pick {
      function() return tuple(depth) end, function() return for_expr(depth, "sequence") end,
      function() return call(depth, "sequence") end, function() return value(depth - 1, "sequence") .. "[*]" end,
    }()
  end,
  mapping = function(depth)
    return pick {
      function() return object(depth) end, function() return for_expr(depth, "mapping") end, function() return call(depth, "mapping") end,
    }()
  end,
  any = function(depth)
    return pick { function() return index(depth) end, function() return call(depth, "any") end }()
  end,
}

local function simple(kind)
  if #bound > 0 and chance(35) then return pick(bound) .. (chance(15) and pick { ".id", "[0]", ".a" } or "") end
  if chance(50) then return pick(of_type[kind]) end
  if kind == "number" then return pick(numbers) end
  if kind == "string" then return pick(strings) end
  if kind == "bool" then return pick { "true", "false" } end
  if kind == "any" then return "null" end
  return pick(of_type[kind])
end

function value(depth, kind)
  -- An operand of another type now and then: errors are part of the language.
  if chance(3) then kind = pick(types) end
  if depth <= 0 or chance(25) then return simple(kind) end
  local way = draw(100)
  if way <= 10 then return conditional(depth, kind) end
  if way <= 16 then return index(depth) end
  return compound[kind](depth)
end

-- A typing mistake: a piece left out, doubled, moved or replaced.
local slips = { "(", ")", "[", "]", "{", "}", '"', "${", "%{", "~}", ",", ":", "?", "...", "=>", "==", "&", "|", "!", ".", "*", "for", "if",
  "in", "else", "endif", "\n", "#", "//", "<<A\n", "é", "'", "`", ";", "::", "=", "-", "0x", "1e", "\\" }
local function broken(source)
  for _ = 1, draw(2) do
    local at = draw(#source + 1)
    local way = draw(3)
    if way == 1 then source = source:sub(1, at - 1) .. source:sub(at + draw(3))
    elseif way == 2 then source = source:sub(1, at - 1) .. pick(slips) .. source:sub(at)
    else source = source:sub(1, at) .. source:sub(at, at + draw(5)) .. source:sub(at + 1) end
  end
  return source
end

-- Sources that the oracle can't answer like the language: numbers of millions of digits, on which it hangs; two functions that the
-- language only has to say what to write instead; one that it lacks, which a mistake makes of signum; and the slice of an unknown tuple, on
-- which it fails internally (doc/contributing/differences.md).
local function beyond_oracle(source)
  local padded = " " .. source
  if padded:find "slice%(" and padded:find "[^%w_]ut[^%w_]" then return true end
  return source:find "[eE][+-]?%d%d%d%d%d" or padded:find "[^o]map%(" or padded:find "[^o]list%(" or padded:find "[^%w_]sum%("
end

-- The named values that a source uses.
local function used(source)
  local out = {}
  for word in source:gmatch "[%a_][%w_]*" do out[word] = variables[word] end
  return next(out) and out or nil
end

-- Case number i of a seed.
function M.case(from, i)
  draw = support.random((from * 7919 + i * 104729) % 2147483646 + 1)
  for _ = 1, 3 do draw(2) end
  bound = {}
  local source, mode = value(draw(4), pick(types)), nil
  if chance(10) then
    mode = "template"
    source = template(3):sub(2, -2)
  end
  if chance(BROKEN) then source = broken(source) end
  -- JSON can't represent others.
  if not support.is_utf8(source) or beyond_oracle(source) then source = "null" end
  return { id = ("fuzz/%d-%06d"):format(from, i), src = source, mode = mode, vars = used(source) }
end

if arg and arg[0] and arg[0]:match "generate%.lua$" then
  local from, count = tonumber(arg[1] or 1), tonumber(arg[2] or 1000)
  for i = 1, count do io.write(cjson.encode(M.case(from, i)), "\n") end
end

return M
