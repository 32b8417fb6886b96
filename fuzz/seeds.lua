-- Writes what the targets of libFuzzer begin with, made of the recorded cases, and a dictionary of words and signs.
--   LUA seeds.lua FOLDER      (hclexpr and cjson on the path): FOLDER/seeds/TARGET/N, FOLDER/dictionary
local cjson = require "cjson"
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

-- ---- inputs -------------------------------------------------------------------------------------------------------------

local function source(case) return case.src end

-- The texts in a case's source, in parts.
local function texts(case)
  local out, at = {}, 1
  while true do
    local from = case.src:find('"', at, true)
    if not from then break end
    local to = from
    repeat to = case.src:find('"', to + 1, true) until not to or case.src:sub(from, to):match '(\\*)"$':len() % 2 == 0
    if not to then break end
    out[#out + 1] = hcl.eval(case.src:sub(from, to))
    at = to + 1
  end
  for i = #out, 1, -1 do if type(out[i]) ~= "string" then table.remove(out, i) end end
  return out[1] and table.concat(out, "\n----\n")
end

local ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
local function unbase64(text)
  local n, bits, out = 0, 0, {}
  for c in text:gmatch "[%w+/]" do
    n, bits = n << 6 | ALPHABET:find(c, 1, true) - 1, bits + 6
    if bits >= 8 then
      bits = bits - 8
      out[#out + 1] = string.char(n >> bits & 255)
      n = n & (1 << bits) - 1
    end
  end
  return table.concat(out)
end

-- The bytes of its first text in base64: of a key that in armour, of others the longest word.
local function binary(case)
  local text = (texts(case) or ""):gsub("%-%-%-%-%-BEGIN [^\n]*\n(.-)%-%-%-%-%-END", function(armoured) return armoured:gsub("\n", "") end)
  local longest = ""
  for word in text:gmatch "[%w+/]+" do if #word > #longest then longest = word end end
  return #longest > 20 and unbase64(longest) or nil
end

local function edited(case) return "a.b\n----\n1\n----\n" .. case.src end

-- A specification of an object that reads most bodies in some part.
local SPEC = [[object {
  attr "a" { type = list(string) }
  block_list "b" { attr { name = "c" } }
  block_map "d" { labels = ["n"] literal { value = upper(var.s) } }
  default "e" { attr { name = "e" } literal { value = 1 } }
  transform "f" { attrs = {} result = 1 }
}
]]
local function specified(case) return SPEC .. "\n----\n" .. case.src end

local KINDS = {
  { source, "evaluate", "calls", "conditionals", "for_splat_index", "operators", "literals", "unknown_marks", "func_collection", "fuzz",
    "func_corners", "language_corners", "func_files", "func_templatestring", "func_convert" },
  { source, "render", "templates" },
  { source, "json_expression", "json_syntax" },
  { source, "body", "bodies", "dynamic", "syntax_errors" },
  { source, "decode", "bodies", "dynamic" },
  { source, "json_body", "json_blocks", "json_syntax" },
  { source, "format", "fmt", "bodies" },
  { edited, "edit", "bodies", "fmt" },
  { source, "type", "types" },
  { specified, "spec", "bodies", "json_blocks" },
  { texts, "json", "func_json" },
  { texts, "yaml", "func_yaml" },
  { texts, "csv", "func_csv" },
  { texts, "bytes", "func_encoding" },
  { binary, "bytes", "func_encoding" },
  { texts, "rsa", "func_crypto" },
  { binary, "rsa", "func_crypto" },
  { texts, "cidr", "func_cidr" },
  { texts, "time", "func_time" },
  { texts, "regex", "func_regex" },
  { texts, "text", "func_strings", "func_format", "func_numeric", "func_strargs", "func_files" },
}

-- ---- the dictionary -----------------------------------------------------------------------------------------------------

local WORDS = [[null true false for in if else endif endfor dynamic content for_each labels iterator object list set map tuple string
  number bool any optional attr block block_list block_map block_attrs literal default transform variables function]]
local SIGNS = { "${", "%{", "${~", "~}", "$${", "<<EOT\n", "<<-EOT\n", "\nEOT\n", "=>", "...", "&&", "||", "==", "!=", "<=", ">=",
  "[*]", ".*", "::", "//", "/*", "*/", "\\u", "\\U0010", "1e9", "1e-9", "0.1", "\r\n", "\n----\n", "\239\187\191", "\204\129",
  "\240\159\152\128",
  "2026-01-02T03:04:05Z", "10.0.0.0/8", "fe80::/64", "-----BEGIN RSA PRIVATE KEY-----", "(?P<a>", "\\pL",
  "&x ", "*x", "<<: ", "!!binary ", "--- ",
  "%[1]*.*d", "%-+#q", "UTF-16LE", "1h2m" }

local function quoted(word)
  return '"' .. word:gsub("[^%w_ ]", function(c) return ("\\x%02x"):format(c:byte()) end) .. '"'
end

-- ---- writing ------------------------------------------------------------------------------------------------------------

local folder = arg[1]
local lines = {}
for word in WORDS:gmatch "%S+" do lines[#lines + 1] = quoted(word) end
for _, sign in ipairs(SIGNS) do lines[#lines + 1] = quoted(sign) end
for _, name in ipairs(support.keys(hcl.functions())) do lines[#lines + 1] = quoted(name .. "(") end
support.write(folder .. "/dictionary", table.concat(lines, "\n") .. "\n")

for _, kind in ipairs(KINDS) do
  local make, target, n = kind[1], kind[2], 0
  local path = folder .. "/seeds/" .. target
  support.output("mkdir -p '" .. path .. "'")
  for i = 3, #kind do
    local recorded = ("%sspec/conformance/%%s/%s.jsonl"):format(support.root, kind[i])
    recorded = recorded:format(support.exists(recorded:format "cases") and "cases" or "bulk")
    for line in io.lines(recorded) do
      local input = make(cjson.decode(line))
      n = n + 1
      if input then support.write(("%s/%s-%d"):format(path, make == binary and "binary" or "case", n), input) end
    end
  end
end

-- What chooses calls is any bytes.
support.output("mkdir -p '" .. folder .. "/seeds/calls'")
local draw = support.random(1)
for n = 1, 100 do
  local bytes = {}
  for i = 1, 400 do bytes[i] = string.char(draw(256) - 1) end
  support.write(("%s/seeds/calls/case-%d"):format(folder, n), table.concat(bytes))
end
