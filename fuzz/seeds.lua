-- Writes the first inputs of libFuzzer's targets, made from the recorded cases, and a dictionary of words and signs.
--   LUA seeds.lua FOLDER      (hclexpr and cjson on the path): FOLDER/seeds/TARGET/N, FOLDER/dictionary
local cjson = require "cjson"
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local lacking = dofile(support.here() .. "lacking.lua")

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

-- The bytes of its first base64 text: of an armoured key, otherwise of the longest word.
local function binary(case)
  local text = (texts(case) or ""):gsub("%-%-%-%-%-BEGIN [^\n]*\n(.-)%-%-%-%-%-END", function(armoured) return armoured:gsub("\n", "") end)
  local longest = ""
  for word in text:gmatch "[%w+/]+" do if #word > #longest then longest = word end end
  return #longest > 20 and unbase64(longest) or nil
end

local function edited(case) return "a.b\n----\n1\n----\n" .. case.src end

-- A specification of an object that reads some part of most bodies.
local SPEC = [[object {
  attr "a" { type = list(string) }
  block_list "b" {
    attr { name = "c" }
  }
  block_map "d" {
    labels = ["n"]
    literal { value = upper("s") }
  }
  default "e" {
    attr { name = "e" }
    literal { value = 1 }
  }
  transform "f" {
    attr { name = "a" }
    result = length(nested)
  }
  block_attrs "g" { element_type = string }
}
]]
local function specified(case) return SPEC .. "\n----\n" .. case.src end

-- A schema that reads some part of most bodies.
local SCHEMA = [[{
  attributes = { a = { type = "list(string)", required = true }, f = { default = { k = 1 } }, x = { type = "expression" } }
  blocks = {
    b = { max = 1, schema = { attributes = { c = { type = "number" } } } }
    d = { labels = ["n"], nesting = "map", schema = { attributes = {}, blocks = {} } }
    e = { min = 1, nesting = "list" }
  }
}
]]
local function by_schema(case) return SCHEMA .. "\n----\n" .. case.src end

local KINDS = {
  { source, "evaluate", "calls", "conditionals", "for_splat_index", "operators", "literals", "unknown_marks", "func_collection", "fuzz",
    "func_corners", "language_corners", "func_files", "func_templatestring", "func_convert" },
  { source, "render", "templates" },
  { source, "json_expression", "json_syntax" },
  { source, "body", "bodies", "dynamic", "syntax_errors" },
  { source, "decode", "bodies", "dynamic" },
  { source, "json_body", "json_blocks", "json_syntax" },
  { source, "format", "fmt", "bodies" },
  { source, "convert", "bodies", "json_blocks", "json_syntax", "dynamic" },
  { edited, "edit", "bodies", "fmt" },
  { source, "type", "types" },
  { specified, "spec", "bodies", "json_blocks" },
  { by_schema, "schema", "bodies", "json_blocks", "dynamic" },
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
support.output("mkdir -p '" .. folder .. "'")
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

local written = {}
local function write(target, ...)
  if not written[target] then support.output("mkdir -p '" .. folder .. "/seeds/" .. target .. "'") end
  written[target] = (written[target] or 0) + 1
  support.write(("%s/seeds/%s/case-%d"):format(folder, target, written[target]), table.concat({ ... }, "\n----\n"))
end

local draw = support.random(1)
local function any_bytes(length)
  local bytes = {}
  for i = 1, length do bytes[i] = string.char(draw(256) - 1) end
  return table.concat(bytes)
end

-- Any bytes choose calls and the objects to make.
for _, target in ipairs { "calls", "open", "lacking" } do
  for _ = 1, 100 do write(target, any_bytes(400)) end
end

-- ---- folders ------------------------------------------------------------------------------------------------------------

-- The first of the files with an ending below the folder of a case, or nil.
local function file_of(case, ending)
  local path = support.lines(("find '%s' -name '*%s' | sort"):format(case, ending))[1]
  return path and support.read(path)
end

local RECORDS = '{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"m","Source":"a/b/c","Version":"1.2.0","Dir":"m"},'
  .. '{"Key":"a.b","Dir":"m"}]}'
local LARGEST = 2500

-- Texts of the root's files of recorded modules, and of the files beside them.
local mains = {}
for _, path in ipairs(support.lines(("find '%sspec/modules' -path '*/module/main.tf' | sort"):format(support.root))) do
  local text, case = support.read(path), path:match "^(.*)/module/main%.tf$"
  if #text <= LARGEST then
    mains[#mains + 1] = text
    local called = file_of(case .. "/module", "/*/main.tf") or 'variable "a" { default = 1 }\noutput "x" { value = var.a }\n'
    write("changes", text, mains[draw(#mains)], called)
    local values, test = file_of(case, ".tfvars"), file_of(case, ".tftest.hcl")
    if values then write("values", values, text) end
    if test then write("tests", test, text, file_of(case, ".tfmock.hcl") or "mock_resource \"terraform_data\" {\n}\n") end
    if text:find "module \"" then write("records", file_of(case, "/modules.json") or RECORDS, text, called) end
    if #mains % 4 == 0 then write("messages", text, mains[draw(#mains)], any_bytes(300)) end
  end
end
local function some_main() return mains[draw(#mains)] end

for _, path in ipairs(support.lines(("find '%sspec/modules/planjson' -name '*.json' | sort"):format(support.root))) do
  local case = cjson.decode(support.read(path))
  if case.state and case.files["main.tf"] then write("state", cjson.encode(case.state), case.files["main.tf"]) end
  if case.plan.prior_state then write("state", cjson.encode(case.plan.prior_state), case.files["main.tf"]) end
end
for seed = 1, 60 do
  local schemas, text = lacking.sample(support.random(seed))
  write("schemas", cjson.encode(schemas), text)
end

-- Layers of packages, and kept files of imported schemas (packages.lua).
local layers = dofile(support.here() .. "packages.lua")
local bindings = dofile(support.root .. "spec/packages.lua")
local kinds = { "number optional", "bool computed", "strings optional+computed", "string_set optional", "any_map optional",
                "any optional+block", "string optional+wo" }
local nestings = { "list", "set", "one", "single" }
for i, mode in ipairs { "resource", "data", "ephemeral", "provider", "resource", "data", "resource" } do
  local of = { mode = mode, type = "shop_item", rows = { "id string computed", "name string required", "a " .. kinds[i],
    { "part", nestings[i % 4 + 1], i % 2 == 0 and "optional+block" or "optional+computed", { "b " .. kinds[#kinds + 1 - i] } } } }
  local provider = { source = "acme/shop", version = "1.2.0", types = { of } }
  local typescript, files = bindings.source(provider, of), bindings.files(provider)
  write("packages", "s" .. typescript)
  write("packages", "s" .. typescript:sub(1, #typescript // 2) .. "\n----\n" .. typescript:sub(#typescript // 2))
  write("packages", "c" .. files[2][2])
  write("packages", "m" .. cjson.encode { version = 3, sourcesContent = { typescript } })
  write("packages", "t" .. bindings.tar(files))
  write("packages", "f" .. bindings.wheel(provider))
end
write("packages", "j" .. layers.provider.source)
write("packages", "npackage/lib/../../x/index.js")
write("packages", "x040{090 130}")
write("packages", 'f{"provider_schemas":{"registry.terraform.io/acme/shop":{"provider":{"block":{}},"resource_schemas":{"shop_item":'
  .. '{"version":2,"block":{"attributes":{"name":{"type":"string","required":true},"a":{"type":["list","string"],"computed":true}},'
  .. '"block_types":{"part":{"nesting_mode":"list","block":{}}}}}}}}}')
write("packages", "k" .. layers.kept())
layers.close()

-- ---- the command and the server -----------------------------------------------------------------------------------------

local COMMAND_LINES = { "fmt -check -diff", "fmt -write=false", "fmt @a.hcl", "eval --var=a=1 a+1", "eval -json {a=[1]}", "eval --explain",
  "edit --set a=1 @a.hcl",
  "edit --text c.d[0]=x @main.tf", "json @a.hcl", "json --reverse @a.json", "json --evaluate --compact @a.hcl", "refs @a.hcl",
  "decode -s @a.hcl --with-type @main.tf", "decode -V {} -s @a.hcl", "check --rules @a.hcl", "check --types=@a.hcl", "functions upper",
  "functions -json", "validate -json", "validate", "plan -json=full -reveal", "plan -json=values", "plan -state=@a.json -var a=1",
  "plan -var-file=@a.hcl -strict", "outputs -json", "outputs -raw x", "graph -format mermaid -kinds module,resource", "graph -json",
  "test -verbose -coverage", "test -json -filter=x.tftest.hcl", "test -junit-xml=@j", "schemas -json", "schemas", "help plan", "version",
  "render --var=a=1 @t.tmpl", "eval --limit=steps=5 1+1", "plan -source=a=@ -workspace w", "plan -schemas=@a.json", "eval -- -1" }
for i, line in ipairs(COMMAND_LINES) do
  write("command", (line:gsub(" ", "\n")), i % 2 == 0 and some_main() or "a = 1\nb \"c\" {\n  d = [a, 2]\n}\n", "1 + 1\n")
end

local QUESTIONS = { "1 + 1", "var.a", "local.a[0]", ":type var.a", ":explain local.a", ":names", ":deps local.a", ":users var.a", ":graph",
  ":graph output.x", ":scope module.m", ":help", ":reload", "[for v in var.a : v]", "# no", "help", "output.x", ":quit" }
for _ = 1, 60 do
  local asked = {}
  for i = 1, 6 do asked[i] = QUESTIONS[draw(#QUESTIONS)] end
  write("console", table.concat(asked, "\n") .. "\n", some_main())
end

local OPENED = '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":'
  .. '{"textDocument":{"uri":"file:///n/main.tf","version":1,"text":"%s"}}}'
local ASKED = '{"jsonrpc":"2.0","id":%d,"method":"textDocument/%s","params":{"textDocument":{"uri":"file:///n/main.tf"},'
  .. '"position":{"line":%d,"character":3},"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":9}},"newName":"n"}}'
local METHODS = { "completion", "hover", "signatureHelp", "definition", "references", "documentSymbol", "semanticTokens/full", "inlayHint",
  "codeAction", "formatting", "prepareRename", "rename" }
for i, method in ipairs(METHODS) do
  write("stream", '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"general":{"positionEncodings":["utf-8"]}}}}\n'
    .. OPENED:format('locals {\\n  a = upper(\\"x\\")\\n  b = local.a\\n}\\n') .. "\n" .. ASKED:format(2, method, i % 4) .. "\n"
    .. (i % 4 == 0 and '{"method":"$/cancelRequest","params":{"id":2}}\n!X: y\\n\n' or "")
    .. '{"id":3,"method":"shutdown"}\n{"method":"exit"}\n')
end
