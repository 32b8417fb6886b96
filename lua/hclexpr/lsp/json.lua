-- JSON for the protocol. The language's jsondecode doesn't fit: strings of the language are normalized, but texts of documents must not
-- change by a single byte.
local json = {}

local quote = require("hclexpr.json.text").quote

--- JSON's null, for writing: nil would leave the field out. When reading, fields with null are left out of objects.
json.null = setmetatable({}, { __name = "hclexpr.lsp.null" })

local array_mt = { __name = "hclexpr.lsp.array" }

--- Marks a table as an array, so that an empty one is written as [].
---@generic T
---@param t T[]
---@return T[]
function json.array(t) return setmetatable(t, array_mt) end

-- The JSON texts of tables that json.shared has encoded.
local texts = setmetatable({}, { __mode = "k" })

--- Encodes a table in advance, for tables that occur many times in a message.
---@generic T: table
---@param t T a table that must not be changed afterwards
---@return T
function json.shared(t)
  texts[t] = json.encode(t)
  return t
end

-- Writing

-- A cache of quoted strings, because a list of thousands of candidates has the same strings many times.
local Quotes = { __index = function(known, s)
  local text = quote(s)
  known[s] = text
  return text
end }

local write

local function write_array(out, t, quotes)
  out[#out + 1] = "["
  for i, element in ipairs(t) do
    if i > 1 then out[#out + 1] = "," end
    write(out, element, quotes)
  end
  out[#out + 1] = "]"
end

local function write_object(out, t, quotes)
  local first = true
  out[#out + 1] = "{"
  for key, value in pairs(t) do
    if not first then out[#out + 1] = "," end
    out[#out + 1] = quotes[tostring(key)]
    out[#out + 1] = ":"
    write(out, value, quotes)
    first = false
  end
  out[#out + 1] = "}"
end

-- Writes infinities and NaN as null, because JSON has no text for them.
local function write_number(n)
  return n - n == 0 and ("%.15g"):format(n) or "null"
end

function write(out, value, quotes)
  local kind = type(value)
  if kind == "string" then out[#out + 1] = quotes[value]
  elseif kind == "number" then out[#out + 1] = write_number(value)
  elseif kind == "boolean" then out[#out + 1] = tostring(value)
  elseif kind ~= "table" or value == json.null then out[#out + 1] = "null"
  elseif texts[value] then out[#out + 1] = texts[value]
  elseif value[1] ~= nil or getmetatable(value) == array_mt then write_array(out, value, quotes)
  else write_object(out, value, quotes) end
end

--- Encodes a table, string, number or boolean as JSON.
---@param value any
---@return string
function json.encode(value)
  local out = {}
  write(out, value, setmetatable({}, Quotes))
  return table.concat(out)
end

-- Reading

local DEEPEST = 500

local function fail(at, what) error({ json = ("%s at byte %d"):format(what, at) }, 0) end

local function utf8_of(code)
  if code < 0x80 then return string.char(code) end
  if code < 0x800 then return string.char(0xC0 + math.floor(code / 0x40), 0x80 + code % 0x40) end
  if code < 0x10000 then
    return string.char(0xE0 + math.floor(code / 0x1000), 0x80 + math.floor(code / 0x40) % 0x40, 0x80 + code % 0x40)
  end
  return string.char(0xF0 + math.floor(code / 0x40000), 0x80 + math.floor(code / 0x1000) % 0x40, 0x80 + math.floor(code / 0x40) % 0x40,
                     0x80 + code % 0x40)
end

local plain = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/" }

-- Replaces escapes. Two \u escapes that form one code point are replaced first; half of such a pair becomes U+FFFD.
local function unescape(s)
  s = s:gsub("\\u([dD][89aAbB]%x%x)\\u([dD][c-fC-F]%x%x)", function(high, low)
    return utf8_of(0x10000 + (tonumber(high, 16) - 0xD800) * 0x400 + tonumber(low, 16) - 0xDC00)
  end)
  return (s:gsub("\\(.)(%x?%x?%x?%x?)", function(kind, hex)
    if kind ~= "u" then return (plain[kind] or kind) .. hex end
    local code = tonumber(hex, 16) or 0xFFFD
    return utf8_of(code >= 0xD800 and code < 0xE000 and 0xFFFD or code)
  end))
end

-- Reads a string. A backslash and the character after it are skipped together, so that `\\"` ends the string.
local function read_string(s, at)
  local from = at + 1
  local stop = s:find('["\\]', from)
  local escaped = false
  while stop and s:byte(stop) == 92 do
    escaped = true
    stop = s:find('["\\]', stop + 2)
  end
  if not stop then fail(at, "a string without an end") end
  local text = s:sub(from, stop - 1)
  if escaped then
    text = text:find("\\\\", 1, true) and text:gsub("\\\\", "\\u005c") or text
    text = unescape(text)
  end
  return text, stop + 1
end

local read

local function skip(s, at) return s:find("[^ \t\r\n]", at) or #s + 1 end

local function read_array(s, at, depth)
  local made, n = json.array {}, 0
  at = skip(s, at + 1)
  if s:byte(at) == 93 then return made, at + 1 end
  while true do
    local value
    value, at = read(s, at, depth)
    n = n + 1
    made[n] = value
    at = skip(s, at)
    local sign = s:byte(at)
    if sign == 93 then return made, at + 1 end
    if sign ~= 44 then fail(at, "no , or ] in an array") end
    at = skip(s, at + 1)
  end
end

local function read_object(s, at, depth)
  local made = {}
  at = skip(s, at + 1)
  if s:byte(at) == 125 then return made, at + 1 end
  while true do
    if s:byte(at) ~= 34 then fail(at, "no name in an object") end
    local key, value
    key, at = read_string(s, at)
    at = skip(s, at)
    if s:byte(at) ~= 58 then fail(at, "no : in an object") end
    value, at = read(s, skip(s, at + 1), depth)
    if value ~= json.null then made[key] = value end
    at = skip(s, at)
    local sign = s:byte(at)
    if sign == 125 then return made, at + 1 end
    if sign ~= 44 then fail(at, "no , or } in an object") end
    at = skip(s, at + 1)
  end
end

local words = { t = { "true", true }, f = { "false", false }, n = { "null", json.null } }

function read(s, at, depth)
  if depth > DEEPEST then fail(at, "too many levels") end
  local sign = s:sub(at, at)
  if sign == '"' then return read_string(s, at) end
  if sign == "{" then return read_object(s, at, depth + 1) end
  if sign == "[" then return read_array(s, at, depth + 1) end
  local word = words[sign]
  if word and s:sub(at, at + #word[1] - 1) == word[1] then return word[2], at + #word[1] end
  local number = s:match("^%-?%d+%.?%d*[eE]?[+-]?%d*", at)
  local value = number and tonumber(number)
  if not value then fail(at, "no value") end
  return value, at + #number
end

--- Decodes JSON text to a table, string, number or boolean; or returns nil and what is wrong.
---@param s string
---@return any
---@return string?
function json.decode(s)
  local fine, value, at = pcall(read, s, skip(s, 1), 0)
  if not fine then
    if type(value) == "table" and value.json then return nil, value.json end
    error(value, 0)
  end
  if skip(s, at) <= #s then return nil, "something follows the value" end
  return value
end

return json
