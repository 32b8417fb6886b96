-- Gives broken files to everything that reads files: for any bytes, the answer is a result or diagnostics. Nothing is compared with
-- the reference here.   LUA bodies.lua COUNT SEED [FILE ...]   (hclexpr and cjson on the path)
-- Sources are the FILEs and the recorded cases. Prints each source that raised an error or has a wrong result.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local mutate = dofile(support.here() .. "mutate.lua")

local M = {}

local scope = hcl.scope { limits = { steps = 2e5, memory = 2 ^ 25, output = 2 ^ 23 } }
local variables = { var = { a = 1, list = { 1, 2 }, map = { a = "b" }, name = "x" }, each = { key = "k", value = { id = 1 } } }

-- ---- properties -------------------------------------------------------------------------------------------------------------

--- Checks that a call gave a result, or else diagnostics that can be shown.
local function answered(what, result, err)
  if result ~= nil then return result end
  local wrong = false
  for _, d in ipairs(type(err) == "table" and err or {}) do wrong = wrong or d.severity == "error" end
  if not wrong then error(what .. ": neither result nor diagnostics", 0) end
  if #tostring(err) == 0 then error(what .. ": an empty report", 0) end
  err:lsp()
end

-- Names, types and labels of everything in a body, and its references: a new layout may not change them.
local function outline(body, out)
  local names = {}
  for name, a in pairs(body.attributes) do
    names[#names + 1] = name .. "=" .. table.concat(support.paths(a.expression:references()), ",")
  end
  table.sort(names)
  out[#out + 1] = table.concat(names, ";")
  for _, b in ipairs(body.blocks) do
    out[#out + 1] = b.type .. " " .. table.concat(b.labels, " ") .. "{"
    outline(b.body, out)
    out[#out + 1] = "}"
  end
  return out
end

local function inside(range, outer, what)
  if range.start.byte < outer.start.byte or range.stop.byte > outer.stop.byte or range.start.byte > range.stop.byte then
    error(what .. ": its range is not within that of what holds it", 0)
  end
end

-- Inspects everything in a body, and evaluates it. A block with a broken head has its type's range: only ranges of sound ones are checked.
local function walk(body, size, sound)
  for name, a in pairs(body.attributes) do
    local e = a.expression
    inside(a.name_range, a.range, name)
    if a.range.stop.byte > size then error(name .. ": its range goes beyond the source", 0) end
    e:source()
    e:functions()
    answered("eval", a:eval(variables, scope))
    e:ast()
  end
  for _, b in ipairs(body.blocks) do
    inside(b.type_range, b.range, b.type)
    for i = 1, sound and #b.labels or 0 do inside(b.label_ranges[i], b.range, b.labels[i]) end
    walk(b.body, size, sound)
  end
  body:references()
end

-- Tokens cover the source in order, except spaces between them.
local function check_tokens(source, syntax)
  local kinds, starts, stops = hcl.tokens(source, { syntax = syntax })
  local at = 0
  for i = 1, #kinds do
    if starts[i] < at or stops[i] <= starts[i] then error(("tokens: number %d is at %d"):format(i, starts[i]), 0) end
    local gap = source:sub(at + 1, starts[i]):gsub("^\239\187\191", "")
    if gap:find "[^ \t]" then error(("tokens: nothing has the bytes before %d"):format(starts[i]), 0) end
    at = stops[i]
  end
  if source:sub(at + 1):gsub("^\239\187\191", ""):find "[^ \t]" then error("tokens: nothing has the last bytes", 0) end
  return kinds, starts, stops
end

-- The node at a byte covers it, and is within its parent, out to the whole source.
local function check_place(body, byte, size)
  local place = body:at(byte)
  while place.parent do
    local outer = place.parent
    if not (outer.start <= place.start and place.start <= byte and byte <= place.stop and place.stop <= outer.stop) then
      error(("at: byte %d is in a %s from %d to %d, in a %s from %d to %d"):format(byte, place.kind, place.start, place.stop, outer.kind,
        outer.start, outer.stop), 0)
    end
    place = outer
  end
  if place.kind ~= "body" or place.start ~= 0 or place.stop ~= size then error("at: the outermost isn't the source", 0) end
end

local PLACES = 300

local function check_places(body, source)
  for byte = 0, #source, math.max(1, math.floor(#source / PLACES)) do check_place(body, byte, #source) end
  check_place(body, #source, #source)
  body:traversals()
end

local EMPTY = { attributes = {}, blocks = {} }

local function use(body)
  local expanded = answered("expand", body:expand(variables, scope))
  if expanded then walk(expanded, math.huge, false) end
  answered("content", body:content(EMPTY, variables, scope))
  answered("decode", body:decode(EMPTY, variables, scope))
end

local function equal(a, b)
  -- A large float is written as a whole number, which may read back as a Value.
  if type(a) ~= "table" or type(b) ~= "table" then return a == b or hcl.value(a) == hcl.value(b) end
  for k, v in pairs(a) do if not equal(v, b[k]) then return false end end
  for k in pairs(b) do if a[k] == nil then return false end end
  return true
end

-- Decoding, writing as a source of attributes and decoding again gives the same. But a block's labels stay as they are, while keys are
-- normalized.
local function check_decode(source, options)
  local t = answered("decode", hcl.decode(source, variables, scope, options))
  local text = t and answered("encode", hcl.encode(t, { attributes_only = true }))
  if text and hcl.eval("s", { s = source }) == source and not equal(answered("decode", hcl.decode(text, nil, scope)), t) then
    error("encode: the source gives something else\n" .. text, 0)
  end
end

local function check_format(source, body)
  local text = answered("format", hcl.format(source))
  if not (text and body) then return end
  local again = answered("parse", hcl.parse(text))
  if not again or table.concat(outline(again, {}), "\n") ~= table.concat(outline(body, {}), "\n") then
    error("format: the source means something else\n" .. text, 0)
  end
  -- As in the reference, spaces around the dots of numbers are removed, which may leave invalid text.
  if not source:find "%.%s*%d" and hcl.format(text) ~= text then error("format: formatted again it is another text\n" .. text, 0) end
end

local function check_edit(source, body)
  local edit = answered("edit", hcl.edit(source))
  if not edit then return end
  local name = next(body.attributes)
  local block = body.blocks[1]
  if name then
    answered("set", edit:set(name, "[1, {}]"))
    answered("rename", edit:rename(name, "other_" .. name))
  end
  if block then answered("remove", edit:remove(block.type)) end
  answered("set", edit:set("brand_new", '"x"'))
  local text = tostring(edit)
  if hcl.parse(text) == nil then error("edit: the text is broken\n" .. text, 0) end
end

local function check_native(source)
  local body, err, partial = hcl.parse(source, { filename = "fuzz" })
  answered("parse", body, err)
  local readable = body or partial
  check_tokens(source)
  check_tokens(source, "template")
  if readable then
    walk(readable, #source, body ~= nil)
    check_places(readable, source)
    use(readable)
  end
  check_format(source, body)
  if body then check_edit(source, body) end
  check_decode(source)
end

local function check_json(source)
  local body, err, partial = hcl.parse(source, { filename = "fuzz", syntax = "json" })
  answered("parse, json", body, err)
  local readable = body or partial
  if readable then use(readable) end
  check_decode(source, { syntax = "json" })
end

--- The parts of these checks, and their building blocks: also for the targets of libFuzzer.
M.scope, M.variables, M.answered, M.equal, M.walk, M.use = scope, variables, answered, equal, walk, use
M.check_tokens, M.check_place = check_tokens, check_place
M.check_decode, M.check_format, M.check_native, M.check_json = check_decode, check_format, check_native, check_json

--- Raises an error if a source gives neither a result nor diagnostics, or a wrong result.
function M.check(source)
  if source:find "^%s*[{%[]" then check_json(source) end
  check_native(source)
end

-- ---- sources ------------------------------------------------------------------------------------------------------------

local CASES = { "bodies", "dynamic", "fmt", "json_syntax", "json_blocks", "syntax_errors" }

--- The recorded cases and the files at paths.
function M.sources(paths)
  local cjson = require "cjson"
  local out = {}
  for _, name in ipairs(CASES) do
    for line in io.lines(support.root .. "spec/conformance/cases/" .. name .. ".jsonl") do out[#out + 1] = cjson.decode(line).src end
  end
  for _, path in ipairs(paths) do out[#out + 1] = support.read(path) end
  return out
end

--- Checks `count` broken sources from a seed on; calls failed(source, message, number) for each that fails. Returns their number.
function M.run(sources, count, seed, failed)
  local failures = 0
  for i = seed, seed + count - 1 do
    mutate.seed(i * 7919)
    local source = mutate.broken(sources)
    local ok, message = xpcall(function() M.check(source) end, function(m)
      return type(m) == "string" and not m:find("^%w+: ") and debug.traceback(m) or m
    end)
    if not ok then
      failures = failures + 1
      failed(source, tostring(message), i)
    end
  end
  return failures
end

if arg and arg[0] and arg[0]:match "bodies%.lua$" then
  local count, seed = tonumber(arg[1] or 1000), tonumber(arg[2] or 1)
  local paths = {}
  for i = 3, #arg do paths[i - 2] = arg[i] end
  local failures = M.run(M.sources(paths), count, seed, function(source, message, number)
    print(("---- source %d\n%s\n---- %s"):format(number, source, message))
  end)
  print(("bodies: %d sources from %d on, %d failed"):format(count, seed, failures))
  os.exit(failures == 0 and 0 or 1)
end

return M
