-- For starved_spec.lua: starved.lua FAIL_MALLOC WHAT FOLDER does the work while an allocation fails, and again when none does.
local library, what = arg[1], arg[2]
local fork = assert(package.loadlib(library, "fail_fork"))
local stop = assert(package.loadlib(library, "fail_stop"))
local works = {}

-- LuaJIT's compiler registers each trace with libgcc, whose __register_frame ends the process if it gets no memory.
if rawget(_G, "jit") then jit.off() end

function works.load()
  local hcl = require "hclexpr"
  return hcl.eval("[1 + 1, upper(x)]", { x = "a" })
end

local function eval(source)
  return function() return require("hclexpr").eval(source) end
end

works.regex = eval [[regexall("(a+)(b?)", "aab")]]
works.yaml = eval [[yamldecode("a: [1, 2]")]]
works.gzip = eval [[base64gzip("abc")]]
works.digests = eval [[md5("a")]]
works.bcrypt = eval [[length(bcrypt("x", 4))]]
works.encoding = eval [=[[for e in ["UTF-16LE", "ISO-2022-JP", "Big5", "macintosh"] : textencodebase64("x", e)]]=]
works.numbers = eval [[jsonencode({ a = [1, 2e50 / 7], b = pow(3, 200) })]]

function works.body()
  local hcl = require "hclexpr"
  local body, err = hcl.parse 'a = 1\nb "x" {\n  c = [1, 2, { d = "e${1 + 1}" }]\n}\n'
  if not body then return nil, err end
  return hcl.format "a=1"
end

-- Work that needs many files of the library, which load on demand.
function works.folder()
  local m, err = require("hclexpr").module(arg[3])
  if not m then return nil, err end
  return m:plan()
end

function works.tests()
  local m, err = require("hclexpr").module(arg[3])
  if not m then return nil, err end
  local results, why = m:test()
  if not results or results.status ~= "pass" then return nil, why or results end
  return results
end

function works.server()
  local answer
  -- As the command loads it: under 5.1 a plain require never again loads what it could not load once.
  local server = require("hclexpr.lazy").load "hclexpr.lsp".new(function(message) answer = message end)
  local document = { uri = "file://" .. arg[3] .. "/main.tf" }
  server:receive { id = 1, method = "initialize", params = { capabilities = {} } }
  server:receive { method = "textDocument/didOpen", params = { textDocument = { uri = document.uri, text = "a = 1\n", version = 1 } } }
  while server:idle(1) do end
  server:receive { id = 2, method = "textDocument/hover", params = { textDocument = document, position = { line = 0, character = 0 } } }
  if not answer or answer.error then return nil, answer and answer.error or {} end
  return answer
end

function works.others()
  local hcl = require "hclexpr"
  local edit, err = hcl.edit "a = 1\n"
  if not edit then return nil, err end
  local spec, why = hcl.spec 'attr {\n name = "a"\n type = number\n}\n'
  if not spec then return nil, why end
  local expression = hcl.compile "1 + x"
  if not expression then return nil, {} end
  local tree, because = expression:explain { x = 1 }
  if not tree or because then return nil, because end
  return hcl.encode { a = 1 }
end

local work = works[what]
if what ~= "load" then require "hclexpr" end
fork()
local ran, value, err = pcall(work)
stop()
-- A failure is a Lua error or a diagnostic; no answer is wrong.
local fine = not ran and type(value) == "string" or ran and (value ~= nil or type(err) == "table")
-- For Lua 5.1 and LuaJIT a module that failed to load keeps failing until it is removed.
for name in pairs(package.loaded) do
  if what == "load" and name:find "^hclexpr" then package.loaded[name] = nil end
end
local again, second, why = pcall(work)
if fine and again and second ~= nil then os.exit(0) end
io.stderr:write(("%s, %s, %s; then %s, %s\n"):format(tostring(ran), tostring(value), tostring(err), tostring(second), tostring(why)))
os.exit(1)
