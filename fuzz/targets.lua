-- The targets of libFuzzer: a function of bytes for each, run by target.c. For any bytes, the answer is a result or
-- diagnostics; further properties of it are checked here. An error is a finding.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local function load_part(name) return dofile(support.root .. "fuzz/" .. name .. ".lua") end
local bodies = load_part "bodies"
local answered = bodies.answered

local M = {}

-- Small, so that no input takes long.
local limits = { steps = 1e5, memory = 2 ^ 24, output = 2 ^ 21, depth = 200 }

local function identity(...) return ... end

local scope = hcl.scope {
  limits = limits, console = true, filesystem = support.root .. "spec/conformance/fixtures", plan_timestamp = "2026-01-01T00:00:00Z",
  clock = function() return 1e9 end, random = function(n) return ("\7"):rep(n) end,
  lookup = function(ref) return ref.root ~= "nothing" and { a = { ref.path } } or nil, #ref.steps > 0 and 1 or nil end,
  functions = {
    f = identity, value = hcl.func { variadic = { type = "any", null = true, unknown = true, dynamic = true, marked = true },
      values = true, impl = identity },
  },
}
local variables = {
  s = "text", n = 1.5, b = true, z = hcl.null, l = { 1, 2, 3 }, o = { a = { b = { 1, "2" } }, c = "x" }, t = { { id = 1 }, { id = 2 } },
  list = hcl.value({ "a", "b" }, "list(string)"), set = hcl.value({ 1, 2 }, "set(number)"), map = hcl.value({ k = 1 }, "map(number)"),
  u = hcl.unknown "string", any = hcl.unknown "any", ul = hcl.unknown("list(any)", { min_length = 1 }), m = hcl.sensitive { k = "secret" },
  lazy = hcl.lazy(function() return { 1 } end), call = function() return "called" end,
}

-- A Value written as source reads back as the same, unless a limit stops that.
local function check_encode(value)
  local text, err = hcl.encode(value, { limits = limits })
  if not answered("encode", text, err) then return end
  local again, why = hcl.compile(text, { limits = limits })
  if again then again, why = again:value(nil, scope) end
  if answered("value", again, why) then
    if again ~= value then error(("encode: %s gives %s of type %s"):format(text, tostring(again), tostring(again:type())), 0) end
  elseif not why[1].code:find "^limit" then
    error("encode: " .. text .. "\n" .. tostring(why), 0)
  end
end

local function check_expression(source, syntax)
  local e = answered("compile", hcl.compile(source, { syntax = syntax, limits = limits }))
  if not e then return end
  e:references()
  e:functions()
  e:ast()
  e:literal()
  answered("eval", e:eval(variables, scope))
  answered("test", e:test(variables, scope))
  local v = answered("value", e:value(variables, scope))
  if not v then return end
  v:unmark():refinements()
  v:marks()
  assert(#(tostring(v) .. tostring(v:type()) .. v:type():json()) > 0)
  answered("lua", v:lua { big = "string", sensitive = "reveal" })
  -- As in the reference, the bytes of a template may be ill-formed in some ways (hx_scan_char).
  if support.is_utf8(source) then check_encode(v) end
end

function M.evaluate(source) check_expression(source, "native") end
function M.json_expression(source) check_expression(source, "json") end

function M.render(source)
  check_expression(source, "template")
  answered("render", hcl.render(source, variables, scope))
  answered("eval", hcl.eval("templatestring(s, o)", { s = source, o = variables.o }, scope))
end

M.body = bodies.check_native
M.json_body = bodies.check_json
M.decode = bodies.check_decode

function M.format(source)
  bodies.check_format(source, (hcl.parse(source)))
end

-- Attributes of the same name have the same value in two bodies.
local function check_values(what, body, other, text)
  for name, a in pairs(body.attributes) do
    local b = other.attributes[name]
    local v = b and a:value(variables, scope)
    local w, err = nil, nil
    if v then w, err = b:value(variables, scope) end
    if v and w ~= v then
      error(("%s: %s is %s, not %s\n%s"):format(what, name, tostring(w or err), tostring(v), text), 0)
    end
  end
end

-- A source as JSON, and JSON as a source.
function M.convert(source)
  local body, from_json = hcl.parse(source), hcl.parse(source, { syntax = "json" })
  local text = body and answered("to_json", hcl.to_json(source, { limits = limits }))
  if text then
    local made = hcl.assert(hcl.parse(text, { syntax = "json" }))
    if hcl.to_json(text, { syntax = "json" }) ~= text then error("to_json: laid out again it is another text\n" .. text, 0) end
    if support.is_utf8(source) then check_values("to_json", body, made, text) end
  end
  text = from_json and answered("from_json", hcl.from_json(source, { limits = limits }))
  if text then check_values("from_json", from_json, hcl.assert(hcl.parse(text)), text) end
end

-- Splits the input into parts at lines of four dashes; missing parts are empty.
local function parts(bytes)
  local a, rest = bytes:match "^(.-)\n%-%-%-%-\n(.*)$"
  if not a then return bytes, "", "" end
  local b, c = rest:match "^(.-)\n%-%-%-%-\n(.*)$"
  return a, b or rest, c or ""
end

-- A path, a source for the new content, and the source to edit.
function M.edit(bytes)
  local path, text, source = parts(bytes)
  for _, method in ipairs { "set", "append", "rename", "remove", "get" } do
    local edit = answered("edit", hcl.edit(source, { limits = limits }))
    if not edit then return end
    local sound = hcl.parse(source) ~= nil
    local done = answered(method, edit[method](edit, path, text))
    if method ~= "get" then
      local now = tostring(edit)
      if not done and now ~= source then error(method .. " failed and changed the source\n" .. now, 0) end
      if done and sound and not hcl.parse(now) then
        local _, err = hcl.parse(now)
        -- An addition may have an existing name.
        if err[1].code:find "^syntax" then error(method .. ": the text is broken\n" .. now .. tostring(err), 0) end
      end
    end
  end
end

function M.type(source)
  local t = answered("type", hcl.type(source, { limits = limits }))
  if not t then return end
  assert(#t:json() > 0 and #t:kind() > 0)
  for _, x in pairs(variables) do
    if type(x) ~= "function" and getmetatable(x) ~= getmetatable(variables.lazy) then
      local v = answered("convert", t:convert(x))
      if v then assert(#tostring(v) > 0) end
    end
  end
  local u = hcl.unknown(t)
  assert(not u:is_known())
  check_encode(assert(u))
end

-- A decode specification and the body it reads.
function M.spec(bytes)
  local source, body = parts(bytes)
  for _, syntax in ipairs { "native", "json" } do
    local spec = answered("spec", hcl.spec(source, { limits = limits, syntax = syntax }))
    if spec then
      assert(spec:type())
      spec:variables()
      for _, input in ipairs { hcl.parse(body), hcl.parse(body, { syntax = "json" }) } do
        if type(input) == "userdata" then
          local v = answered("decode", spec:decode(input, variables, scope))
          if v then assert(#tostring(v) > 0) end
          spec:attributes(input)
        end
      end
    end
  end
end

-- Misuse raises an error that says so; any other error is a bug.
local function refused_or(...)
  local results = { pcall(...) }
  if results[1] then return support.unpack(results, 2, 3) end
  local why = tostring(results[2])
  if why:find "^lua/hclexpr[%w_/]*%.lua:%d+: " or why:find "stack overflow" then error(why, 0) end
  return nil, "refused"
end

-- A schema, as an expression that gives it, and the body that it reads.
function M.schema(bytes)
  local source, text = parts(bytes)
  local schema = hcl.eval(source, { list = hcl.array { "x" }, null = hcl.null }, scope)
  if type(schema) ~= "table" then return end
  for _, syntax in ipairs { "native", "json" } do
    local body, err, readable = hcl.parse(text, { syntax = syntax })
    answered("parse", body, err)
    body = body or readable
    if body then
      local t, why = refused_or(body.decode, body, schema, variables, scope)
      if why ~= "refused" then answered("decode", t, why) end
      t, why = refused_or(body.content, body, schema, variables, scope)
      if why ~= "refused" then answered("content", t, why) end
      t, why = refused_or(body.check, body, schema, {}, scope)
      if why ~= "refused" then answered("check", t, why) end
      t, why = refused_or(hcl.from_json, text, { schema = schema, limits = limits })
      if why ~= "refused" then answered("from_json", t, why) end
    end
  end
end

-- A target that evaluates expressions with the input as `s`, its parts as `a`, `b` and `c`, and in base64 as `bytes`.
local ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
local function base64(bytes)
  local out = {}
  for i = 1, #bytes, 3 do
    local x, y, z = bytes:byte(i, i + 2)
    local n = x * 65536 + (y or 0) * 256 + (z or 0)
    for shift = 18, 0, -6 do
      local digit = math.floor(n / 2 ^ shift) % 64
      out[#out + 1] = (shift == 6 and not y or shift == 0 and not z) and "=" or ALPHABET:sub(digit + 1, digit + 1)
    end
  end
  return table.concat(out)
end

local function expressions(...)
  local compiled = {}
  for i, source in ipairs { ... } do compiled[i] = hcl.assert(hcl.compile(source)) end
  return function(bytes)
    local a, b, c = parts(bytes)
    local input = { s = bytes, a = a, b = b, c = c, bytes = base64(bytes) }
    for _, e in ipairs(compiled) do
      local v = answered("value", e:value(input, scope))
      if v then
        assert(#tostring(v) > 0)
        answered("lua", v:lua())
      end
    end
  end
end

M.json = expressions("jsondecode(s)", "jsondecode(jsonencode(jsondecode(s))) == jsondecode(s)", "jsonencode(s)")
M.yaml = expressions("yamldecode(s)", "yamldecode(yamlencode(yamldecode(s)))", "yamlencode(s)")
M.csv = expressions("csvdecode(s)")
M.bytes = expressions("base64gunzip(bytes)", "base64gunzip(s)", "base64decode(bytes)", "base64decode(s)", "urldecode(s)", "urlencode(s)",
  "base64gzip(s)", 'textdecodebase64(bytes, "UTF-16")', 'textdecodebase64(bytes, "Shift_JIS")', 'textdecodebase64(s, "UTF-8")',
  "textencodebase64(a, b)", "textdecodebase64(a, b)", "sha512(s)", 'uuidv5("url", s)', "uuidv5(a, b)")
M.rsa = expressions("rsadecrypt(a, b)", 'rsadecrypt(a, "-----BEGIN RSA PRIVATE KEY-----\\n${bytes}\\n-----END RSA PRIVATE KEY-----\\n")',
  'rsadecrypt(a, "-----BEGIN PRIVATE KEY-----\\n${bytes}\\n-----END PRIVATE KEY-----\\n")')
M.cidr = expressions("cidrhost(a, b)", "cidrnetmask(s)", "cidrsubnet(a, b, c)", "cidrsubnets(a, b, c)", "cidrcontains(a, b)",
  "cidrhost(s, 5)")
M.time = expressions("formatdate(a, b)", 'formatdate(s, "2026-01-02T03:04:05Z")', 'formatdate("YYYY-MM-DD EEEE hh:mm:ssZ", s)',
  "timeadd(a, b)", 'timeadd("2026-01-02T03:04:05Z", s)', "timecmp(a, b)", 'timecmp(s, "2026-01-02T03:04:05Z")')
M.regex = expressions("regex(a, b)", "regexall(a, b)", "replace(b, a, c)", 'replace(b, "/${a}/", c)', "regex(s, s)")
M.text = expressions("format(a, b, c)", "formatlist(a, [b, c], 5)", "format(s, 1.5)", "format(s, true, null)", "tonumber(s)",
  "parseint(a, b)",
  "parseint(s, 62)", "substr(a, b, c)", "split(a, b)", "upper(title(s))", "strrev(s)", "trim(a, b)", "chomp(trimspace(s))", "indent(2, s)",
  "startswith(a, b)", "replace(a, b, c)", "length(s)", "fileset(a, b)", "fileexists(s)", "tonumber(a) % tonumber(b)",
  "tonumber(a) / tonumber(b)", "tonumber(a) * tonumber(b) - tonumber(c)", "pow(a, b)", "log(a, b)", "floor(a)", "abspath(s)", "basename(s)",
  "dirname(pathexpand(s))", "file(s)", "strcontains(a, b)", "sort([a, b, c])", "range(a, b, c)", "timestamp()")

-- Numbers from 1 to n that bytes choose; after their end the choice is random.
local function chooser(bytes)
  local at, by_lot = 0, support.random(#bytes * 7919 + 1)
  return function(n)
    at = at + 1
    return at <= #bytes and bytes:byte(at) % n + 1 or by_lot(n)
  end
end

local calls_of = load_part("calls").round
function M.calls(bytes) calls_of(chooser(bytes)) end

local open_of = load_part("open").round
function M.open(bytes)
  local source, why = open_of(chooser(bytes))
  if why then error(source .. "\n" .. why, 0) end
end

local lacking = load_part "lacking"
function M.lacking(bytes)
  lacking.round(chooser(bytes), function(source, why, text) error(source .. "\n" .. why .. "\n" .. text, 0) end)
end

local addresses = load_part "addresses"
function M.plans(bytes)
  local about, why = addresses.round(chooser(bytes))
  if why then error(why .. "\n" .. addresses.text(about), 0) end
end

local folders, messages, command, packages = load_part "folders", load_part "messages", load_part "command", load_part "packages"
local function of_parts(check)
  return function(bytes) check(parts(bytes)) end
end
for _, name in ipairs { "schemas", "state", "tests", "records", "values", "changes" } do M[name] = of_parts(folders[name]) end
M.messages, M.stream = of_parts(messages.sequence), messages.stream
M.console, M.command = of_parts(command.console), of_parts(command.run)
M.packages = packages.check

--- Targets of the Lua layer: libFuzzer counts its lines (target.c).
M.by_lines = {}
local LINES = "schemas state tests records values changes messages stream console command lacking plans packages"
for name in LINES:gmatch "%S+" do M.by_lines[name] = true end

--- Removes files that targets made on the disk.
function M.close()
  for _, made in ipairs { lacking, addresses, folders, command, packages } do made.close() end
end

return M
