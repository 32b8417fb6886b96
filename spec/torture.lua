-- Torture: every task that needs memory, with each allocation failing in turn. `surfaces` are the tasks, `ways` are the kinds of failure.
-- spec/unit/starved.lua does the same in new processes, which load libraries.
local hcl = require "hclexpr"
local testing = require "hclexpr.testing"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "support.lua")
local without_nginx = dofile(support.root .. "spec/hosts/resty/without_nginx.lua")
local lacking = support.lacking(hcl)

local M = {}

-- ---- the tasks --------------------------------------------------------------------------------------------------------------

--- Each does a task and returns its result as text, or nil and the reason.
---@type table<string, fun(): string?, any>
M.surfaces = {}
local surfaces = M.surfaces

--- Tasks that may return less without memory.
---@type table<function, true>
M.partial = {}

--- Tasks for which only the core's memory fails.
---@type table<function, true>
M.of_core = {}

-- The result of a call, as text.
local function text_of(value, err)
  if value == nil then return nil, err end
  if type(value) == "table" then return hcl.encode(value) end
  return tostring(value)
end

local scope = hcl.scope {
  filesystem = support.root .. "spec/conformance/fixtures", variables = { template = "Hello, ${upper(name)}!" },
  clock = function() return 1700000000 end, random = function(n) return ("\7"):rep(n) end,
}

for theme, source in pairs {
  string = 'join(",", split("-", upper(replace(title(trimspace(" a-b ")), "a", "xyz"))))',
  format = 'formatlist("%s is %5.2f, %q", ["a", "b"], 3.14159, "x")',
  number = "max(pow(2, 200), parseint(\"zz\", 36), signum(-3), log(100, 10), 1 / 3)",
  sequence = "flatten([concat([1, 2], [3]), chunklist(range(6), 4), slice(reverse([1, 2, 3]), 0, 2), sort([\"b\", \"a\"])])",
  set = "setunion(setproduct([\"a\"], [\"b\"]), toset([tolist([\"c\", \"d\"])]))",
  map = 'merge({ a = 1 }, zipmap(["b", "c"], [2, 3]), transpose({ x = ["y"] }))',
  convert = 'tomap({ a = tonumber("1.5"), b = tonumber(2) })',
  json = 'jsondecode(jsonencode({ a = [1, "two", null, { b = true }] }))',
  yaml = 'yamldecode(yamlencode({ a = [1, "two", null, { b = true }] }))',
  yaml_aliases = 'yamldecode("a: &x [1, 2]\\nb: *x\\nc: 2001-01-01\\n")',
  csv = 'csvdecode("a,b\\n1,\\"x\\ny\\"\\n")',
  regex = 'regexall("(?P<k>[a-z]+)=(?P<v>[0-9]+)", "a=1 bc=22")',
  replace = 'replace("hello world", "/(\\\\w+) (\\\\w+)/", "$2 $1")',
  hash = '[md5("a"), sha1("a"), sha256("a"), base64sha512("a")]',
  bcrypt = 'length(bcrypt("a", 4))',
  gzip = 'base64gunzip(base64gzip("some text, some text, some text"))',
  encode = '[base64decode(base64encode("ab")), urlencode("a b&c"), textdecodebase64(textencodebase64("hé", "UTF-16LE"), "UTF-16LE")]',
  encodings = '[for e in ["ISO-2022-JP", "Big5", "ISO-2022-JP"] : textdecodebase64(textencodebase64("a\230\151\165", e), e)]',
  cidr = '[cidrsubnets("10.0.0.0/8", 4, 8), cidrhost("fd00::/64", 5), cidrnetmask("10.0.0.0/9")]',
  time = '[formatdate("EEEE, DD MMM YYYY hh:mm ZZZ", timeadd("2020-02-28T23:00:00Z", "90m"))]',
  timecmp = 'timecmp("2020-01-01T00:00:00Z", "2021-01-01T00:00:00+01:00")',
  now = "[timestamp(), uuid(), uuidv5(\"dns\", \"example.com\")]",
  file = '[file("hello.txt"), fileset(".", "*.txt"), filesha256("hello.txt"), basename(abspath("x"))]',
  templatefile = 'templatefile("tmpl/list.tftpl", { items = ["a", "b"] })',
  templatestring = 'templatestring(template, { name = "x" })',
  no_file = 'try(file("nope.txt"), "none")',
  bad_pattern = 'try(regex("(", ""), "none")',
  bad_template = 'try(templatefile("tmpl/broken.tftpl", {}), "none")',
  bad_yaml = 'try(yamldecode("[a"), "none")',
  bad_key = 'try(rsadecrypt("AAAA", "no key"), "none")',
} do
  if not lacking(source) then surfaces["expression: " .. theme] = function() return text_of(hcl.eval(source, nil, scope)) end end
end

surfaces["expression: loop"] = function()
  return text_of(hcl.eval('[for k, x in v : "${k}-${upper(x)}" if x != "b"]', { v = { "a", "b", "c" } }))
end

surfaces["expression: callbacks"] = function()
  local own = hcl.scope {
    lookup = function(ref) return { b = ref.root } end,
    functions = { f = function(x) return { x, hcl.value { x } } end },
  }
  return text_of(hcl.eval("[f(1), a.b, z]", { z = function() return { 1, 2 } end }, own))
end

surfaces["expression: a lookup asked with computed keys"] = function()
  local own = hcl.scope { lookup = function(ref) return { name = ref.path }, 1 end, lookup_types = { a = "any", b = hcl.unknown "string" } }
  return text_of(hcl.eval("[a[k].name, [for x in l : a[x].name], try(a[k].none, a[x].name), a[s].name != 1 ? 1 : 2]",
    { k = "x", x = 2, l = { "y", -1 }, s = "z" }, own))
end

surfaces["expression: explanation"] = function()
  local expression, err = hcl.compile '"${a.b}-${upper(a.b)}" == "x" ? [1] : [for x in l : x + 1]'
  if not expression then return nil, err end
  local tree, why = expression:explain { a = { b = "c" }, l = { 1, 2 } }
  return tree and tostring(tree), why
end

surfaces["expression: diagnostic"] = function()
  local value, err = hcl.eval("nope + 1", { nape = 1 })
  return value == nil and err[1].code == "reference.unknown" and tostring(err) or nil, err
end

local BODY = 'a = 1\ndynamic "b" {\n  for_each = l\n  labels = [b.key]\n  content {\n    v = b.value\n  }\n}\nb "x" {\n}\n'
local SCHEMA = {
  attributes = { a = { type = "number" }, c = { default = { 1 } } },
  blocks = { b = { labels = { "n" }, schema = { attributes = { v = {} } } } },
}
local VARIABLES = { l = { "p", "q" } }

-- The result of act for the body of a source.
local function with_body(source, options, act)
  return function()
    local body, err = hcl.parse(source, options)
    if not body then return nil, err end
    return act(body)
  end
end

surfaces["body: decode"] = function() return text_of(hcl.decode(BODY, VARIABLES)) end
surfaces["body: decode by a schema"] = with_body(BODY, nil, function(body) return text_of(body:decode(SCHEMA, VARIABLES)) end)
surfaces["body: expand"] = with_body(BODY, nil, function(body)
  local expanded, err = body:expand(VARIABLES)
  if not expanded then return nil, err end
  return text_of(expanded.blocks[2].body.attributes.v:value())
end)
surfaces["body: attributes"] = with_body('a = 1 + 2\nb "c" { d = [1, 2] }\n', nil, function(body)
  local sum, err = body.attributes.a:eval()
  if not sum then return nil, err end
  local list, why = body.blocks[1].body.attributes.d:eval()
  return list and tostring(sum + #list) or nil, why
end)
surfaces["body: recovered"] = function()
  local body, err, broken = hcl.parse "a = \nb {\n c = 1\n"
  local at = not body and broken and broken:at(15)
  return at and ("%d %s"):format(#err, at.kind) or nil, err
end

local JSON = [[{"a": ["x${n}", "\u0024{n}", 1.5], "${k}": {"b": null, "c": "\u00e9"}}]]
surfaces["JSON: body"] = with_body('{"a": "${1}", "b": {"x": [{"v": "y\\n${l[0]}"}]}}', { syntax = "json" },
  function(body) return text_of(body:decode(SCHEMA, VARIABLES)) end)
surfaces["JSON: expression"] = function()
  local expr, err = hcl.compile(JSON, { syntax = "json" })
  if not expr then return nil, err end
  return text_of(expr:eval { n = 1, k = "k" })
end
surfaces["JSON: diagnostic"] = function()
  local expr, err = hcl.compile([["\u00e9 ${nope"]], { syntax = "json" })
  return expr == nil and err[1].code ~= "memory" and tostring(err) or nil, err
end

surfaces["value: type, text, marks"] = function()
  local v, err = hcl.value({ a = { 1, 2 }, b = "x" }, "object({ a = list(string), b = string })")
  if not v then return nil, err end
  return tostring(v) .. v:type():json() .. tostring(v:get "a") .. tostring(hcl.sensitive(v))
end
surfaces["value: unknown, refined"] = function()
  local variables = { u = hcl.unknown "string", l = hcl.unknown("list(any)", { min_length = 1 }) }
  return text_of(hcl.eval('"${u}b" == "ab" ? [u] : [length(l)]', variables))
end

surfaces["tool: format"] = function() return hcl.format(("a = { # 1\nbbb=2#3\n}\n" .. '"${'):rep(200)) end
surfaces["tool: encode"] = function()
  return hcl.encode({ a = { 1, "x" }, b = { { n = "y", c = hcl.null } } },
    { blocks = { b = { labels = { "n" }, schema = { attributes = { c = {} } } } } })
end
surfaces["tool: edit"] = function()
  local edit, err = hcl.edit 'a = 1\nb "x" {\n  c = a\n}\n'
  if not edit then return nil, err end
  for _, step in ipairs { { "set", "b.x.c", "2" }, { "rename", 'b["x"]', "y" }, { "append", "b.y", "d = 3" }, { "remove", "a" } } do
    local done, why = edit[step[1]](edit, step[2], step[3])
    if not done then return nil, why end
  end
  return tostring(edit)
end
surfaces["tool: specification"] = function()
  local spec, err = hcl.spec 'block_map {\n block_type = "b"\n labels = ["n"]\n attr {\n name = "c"\n type = number\n }\n}\n'
  if not spec then return nil, err end
  local body, why = hcl.parse 'b "x" {\n c = 1\n}\ndynamic "b" {\n for_each = ["y"]\n labels = [b.value]\n content {}\n}\n'
  if not body then return nil, why end
  return text_of(spec:decode(body))
end

-- ---- folders, the server, rules -----------------------------------------------------------------------------------------

local FOLDER = {
  ["main.tf"] = [[
locals { a = [for x in range(4) : "${x}"] }
variable "n" {
  type    = number
  default = 2
  validation {
    condition     = var.n < 10
    error_message = "n is too large"
  }
}
resource "terraform_data" "s" {
  count = var.n
  input = local.a[count.index]
}
resource "other_thing" "t" {
  a = terraform_data.s[0].input
  block { b = upper("x") }
}
module "m" {
  source = "./m"
  x      = local.a
}
output "o" { value = [terraform_data.s[1].input, module.m.y] }
]],
  ["m/m.tf"] = 'variable "x" { type = list(string) }\noutput "y" { value = join("-", var.x) }\n',
  ["t.tftest.hcl"] = 'run "r" {\n command = plan\n assert {\n  condition = output.o[1] == "0-1-2-3"\n  error_message = "no"\n }\n}\n',
}

local folder -- made on first use
local function dir()
  folder = folder or support.folder(FOLDER)
  return folder
end

--- Removes the files of the tasks.
function M.finish()
  without_nginx.finish()
  if folder then support.remove(folder) end
  folder = nil
end

-- The result of act for the folder's module.
local function with_module(act)
  return function()
    local m, err = hcl.module(dir())
    if not m then return nil, err end
    return act(m)
  end
end

surfaces["folder: explanation"] = with_module(function(m)
  local tree, err = m:explain "module.m.y"
  return tree and tostring(tree), err
end)
surfaces["folder: plan"] = with_module(function(m)
  local plan, err = m:plan()
  if not plan then return nil, err end
  local out = {}
  for i, r in ipairs(plan.resources) do out[i] = r.address end
  return table.concat(out, " ")
end)
surfaces["folder: values"] = with_module(function(m) return text_of(m:eval "[local.a, module.m.y, other_thing.t.a]") end)
surfaces["folder: change"] = with_module(function(m)
  local done, err = m:change(dir() .. "/main.tf", (FOLDER["main.tf"]:gsub("range%(4%)", "range(3)")))
  if not done then return nil, err end
  return text_of(m:eval "module.m.y")
end)
surfaces["folder: test"] = with_module(function(m)
  local results, err = m:test()
  if not results then return nil, err end
  return results.status == "pass" and "pass" or nil, results.status
end)

-- The command's output; nil and the output if the status is an error.
local function command(...)
  local words = { ... }
  return function()
    local arguments = { support.unpack(words) }
    arguments[#arguments + 1] = dir()
    local status, out, err = support.with_streams("", require("hclexpr.cli").main, arguments)
    if status ~= 0 then return nil, err .. out end
    return (out:gsub('"timestamp":"[^"]*"', ""))
  end
end
surfaces["command: plan -json"] = command("plan", "-json")
surfaces["command: test"] = command("test")

-- A message of the server as text, independent of the order of tables.
local function message_text(x)
  if type(x) ~= "table" then return tostring(x) end
  local out = {}
  for k, v in pairs(x) do out[#out + 1] = tostring(k) .. "=" .. message_text(v) end
  table.sort(out)
  return "{" .. table.concat(out, " ") .. "}"
end

-- A server that has the folder's file open and survives all failures, and a function that asks it and returns the answer.
local function serve()
  local answer
  local server = require("hclexpr.lsp").new(function(message)
    if message.id then answer = message end
  end)
  local document = { uri = "file://" .. dir() .. "/main.tf" }
  server:receive { id = 0, method = "initialize", params = { capabilities = {} } }
  local function open(version)
    server:receive { method = "textDocument/didOpen", params = {
      textDocument = { uri = document.uri, text = FOLDER["main.tf"], version = version } } }
    while server:idle(1) do end
  end
  open(1)
  return function(method, params)
    answer, params.textDocument = nil, document
    server:receive { id = 1, method = "textDocument/" .. method, params = params }
    return answer
  end, open
end

-- The answer of a server, as text.
local function answer_text(answer)
  if not answer then return nil, "no answer" end
  if answer.error then return nil, answer.error.message end
  return message_text(answer.result)
end

local AT = { line = 9, character = 27 }
surfaces["server: opened"] = function() return answer_text((serve())("hover", { position = AT })) end
M.partial[surfaces["server: opened"]] = true

local ask, open -- of the server that survives
for name, row in pairs {
  changed = { method = "hover", position = AT, changes = true }, hover = { position = AT }, completion = { position = AT },
  definition = { position = AT }, references = { position = AT, context = { includeDeclaration = true } }, documentSymbol = {},
  formatting = { options = { tabSize = 2, insertSpaces = true } }, rename = { position = AT, newName = "b" },
} do
  surfaces["server: " .. name] = function()
    if not ask then ask, open = serve() end
    if row.changes then open(2) end
    local params = { position = row.position, context = row.context, options = row.options, newName = row.newName }
    return answer_text(ask(row.method or name, params))
  end
  -- Parts that can't be made without memory are left out, such as a value in a hover.
  M.partial[surfaces["server: " .. name]] = name ~= "formatting" and name ~= "rename" or nil
end

local RULES = [[
rule "admin" {
  when   = request.path == "/admin" && !contains(["10.0.0.1"], request.ip)
  status = 403
}
]]
surfaces["rules: compiled and evaluated"] = function()
  local body, err = hcl.parse(RULES)
  if not body then return nil, err end
  local rule = body.blocks[1].body.attributes
  local refused, why = rule.when.expression:test { request = { path = "/admin", ip = "10.0.0.2" } }
  if refused == nil then return nil, why end
  return text_of(rule.status:eval())
end

if without_nginx.can then
  surfaces["rules: opened, and a request"] = function() return without_nginx.rules(hcl, {})() end
  local answer -- of rules that survive
  surfaces["rules: a version, and a request"] = function()
    answer = answer or without_nginx.rules(hcl, {})
    return answer()
  end
  -- A poll that lacks memory reports the store's fault, and the previous version stays. Only the core's memory fails here. If a string
  -- function of LuaJIT (2.1-20230119) can't allocate in a new coroutine, and polls run in one, its interpreter writes the message over the
  -- coroutine's first variable. `coroutine.wrap(function() t = { pcall(function() return text:sub(n) end) } end)()` alone ends a process.
  for _, name in ipairs { "rules: opened, and a request", "rules: a version, and a request" } do
    M.partial[surfaces[name]], M.of_core[surfaces[name]] = true, true
  end
end

-- ---- how memory fails ---------------------------------------------------------------------------------------------------

--- arm(n) makes the n-th allocation from now on fail, disarm() ends that and returns the number of allocations since.
M.ways = {
  -- The core's own allocations: one fails.
  core = {
    arm = function(n)
      M.before = testing.allocations()
      testing.fail_after(n)
    end,
    disarm = function()
      testing.fail_after(0)
      return testing.allocations() - M.before
    end,
  },
  -- Lua's allocations: one fails; most Luas then collect garbage and ask again.
  once = { arm = function(n) testing.fail_lua(n, n) end, disarm = function() return testing.fail_lua() end },
  -- All allocations fail from one on.
  lua = { arm = function(n) testing.fail_lua(n, 2 ^ 53) end, disarm = function() return testing.fail_lua() end },
}

-- Allowed outcomes without memory: the result, an error that names memory, or nil and the reason.
local function is_clean(ok, value, err, wanted, partial)
  if not ok then return tostring(value):find("memory", 1, true) or tostring(value):find("error in error handling", 1, true) end
  if value ~= nil then return value == wanted or partial end
  return err ~= nil and tostring(err) ~= ""
end

-- Results in a report: those of a server are long.
local function short(x)
  return (tostring(x):sub(1, 200):gsub("%s+", " "))
end

-- Long tasks repeat themselves. So of Lua's allocations after the first ones only some fail, in steps of a prime number, to hit different
-- parts: all of `make torture` takes some minutes of processor time for each Lua instead of an hour. Sanitizers, which check only the
-- core, are ten times as slow.
local ALL, STEP = 300, 13
if os.getenv "ASAN_OPTIONS" then ALL, STEP = 100, 61 end

-- Memory fails at the first allocation of a task, then `step` later, until the task has fewer allocations.
local function pass(work, way, step, wanted, wrong)
  local memory, tried, n = M.ways[way], 0, 1
  while true do
    memory.arm(n)
    local ok, value, err = pcall(work)
    if memory.disarm() < n then return tried end
    -- Objects with finalizers survive Lua 5.4's emergency collections: they would pile up, and make each collection slower.
    if way ~= "core" then collectgarbage() end
    tried = tried + 1
    if not is_clean(ok, value, err, wanted, M.partial[work]) then
      wrong[#wrong + 1] = ("%s %d: %s, %s, %s"):format(way, n, tostring(ok), short(value), short(err))
    end
    local again, why = work()
    if again ~= wanted then wrong[#wrong + 1] = ("%s %d: then %s, %s"):format(way, n, short(again), short(why)) end
    n = n + (way ~= "core" and n > ALL and math.max(step, STEP) or step)
  end
end

-- LuaJIT's compiler ends the process if Lua's memory fails, whatever code it compiles; its interpreter doesn't.
local function interpret(on)
  if not jit then return end
  jit[on and "off" or "on"]()
  jit.flush()
end

-- One pass for each way; spread: at most so many attempts. Returns the attempts, and the blocks that the core holds afterwards.
local function passes(work, spread, wanted, wrong)
  local tried = 0
  for way, memory in pairs(M.of_core[work] and { core = M.ways.core } or M.ways) do
    interpret(way ~= "core")
    memory.arm(2 ^ 52)
    work()
    local calls = memory.disarm()
    tried = tried + pass(work, way, math.max(1, math.ceil(calls / spread)), wanted, wrong)
    interpret(false)
  end
  return tried, support.settled(testing.blocks)
end

--- Tries a task in each way: each time the result is clean, and the same task succeeds afterwards. Caches fill, so the held memory
--- may grow at first, but doesn't keep growing.
---@param work fun(): string?, any one of the surfaces, or a similar function
---@param most? integer at most so many attempts for each way, spread evenly; nil: every allocation, in long tasks (ALL) some later ones
---@return string[] wrong what failed
---@return integer tried
function M.run(work, most)
  local wrong = {}
  local wanted, reason = work()
  assert(wanted ~= nil, reason)
  local tried, before = passes(work, most or math.huge, wanted, wrong)
  for _ = 1, 4 do
    local _, now = passes(work, (most or 100) / 4, wanted, wrong)
    if now <= before then return wrong, tried end
    before = now
  end
  wrong[#wrong + 1] = "more and more blocks are held"
  return wrong, tried
end

return M
