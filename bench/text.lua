-- Times of reading files, from Lua.   LUA text.lua DIR [TASK ...]      (hclexpr and cjson on the path)
-- DIR has big.tf, data.tfvars, data.json and vars.json, as the peers of ../shared/bench use them. Prints lines of: task, median, best,
-- worst, unit. A task whose call is missing is skipped and named. RUNS: runs for each figure.
local cjson = require "cjson"
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local timing = dofile(support.here() .. "timing.lua")

local DIR = assert(arg[1], "which folder?")

local scope = hcl.scope { limits = { steps = 1e12, memory = 2 ^ 33, output = 2 ^ 33, source = 2 ^ 30 } }
local parse_options = { limits = { source = 2 ^ 30 } }

local texts = {}
local function text(name)
  texts[name] = texts[name] or support.read(DIR .. "/" .. name)
  return texts[name]
end

local function report(task, times, unit, convert)
  local median, best, worst = timing.spread(times, convert)
  print(("%s\t%.2f\t%.2f\t%.2f\t%s"):format(task, median, best, worst, unit))
end

-- MB/s of n bytes, one call for each run. Garbage of earlier runs is collected before each, outside of the measured time.
local function rate(task, n, f)
  report(task, timing.calls(f, 0, support.collect), "MB/s", function(t) return n / 1e6 / t end)
end

-- ns per call.
local function each(task, f)
  report(task, timing.calls(f, 0.06, support.collect), "ns", function(t) return t * 1e9 end)
end

local DYNAMIC = [[
dynamic "rule" {
  for_each = var.users
  iterator = it
  labels   = [it.value.dept]
  content {
    name = "${var.name}-${it.value.name}"
    age  = it.value.age + 1
    on   = it.value.active ? "yes" : "no"
  }
}
]]
local RULES = {
  blocks = {
    rule = {
      labels = { "dept" },
      schema = { attributes = { name = { type = "string" }, age = { type = "number" }, on = { type = "string" } } },
    },
  },
}

local tasks = {}

-- The whole corpus as one body, and its end.
function tasks.parse()
  local big = text "big.tf"
  rate("parse", #big, function()
    assert(hcl.parse(big, parse_options))
    collectgarbage()
  end)
end

function tasks.format()
  local big = text "big.tf"
  assert(hcl.format, "hcl.format is not there")
  rate("format", #big, function() return hcl.assert(hcl.format(big, parse_options)) end)
end

-- Files of data to Lua tables; the result must be the same as cjson's.
local function decode(task, name, options)
  local source = text(name)
  assert(hcl.decode, "hcl.decode is not there")
  local same = support.equal(hcl.assert(hcl.decode(source, nil, scope, options)), cjson.decode(text "data.json"))
  assert(same, name .. ": another result than cjson's")
  rate(task, #source, function() return hcl.decode(source, nil, scope, options) end)
end

function tasks.data() decode("data", "data.tfvars") end
function tasks.json() decode("json", "data.json", { syntax = "json" }) end

function tasks.cjson()
  local source = text "data.json"
  rate("cjson", #source, function() return cjson.decode(source) end)
end

-- 1,000 blocks of one `dynamic` block, from a parsed body.
function tasks.dynamic()
  local var = cjson.decode(text "vars.json").var
  local with = hcl.scope { variables = { var = hcl.value(var) } }
  local body = hcl.assert(hcl.parse(DYNAMIC))
  assert(body.decode, "body:decode is not there")
  local rules = hcl.assert(body:decode(RULES, nil, with)).rule
  assert(#rules == 1000, "not all blocks are there")
  for i, user in ipairs(var.users) do
    assert(rules[i].name == var.name .. "-" .. user.name and rules[i].age == user.age + 1, "a block holds something else")
  end
  each("dynamic", function() return body:decode(RULES, nil, with) end)
end

-- Ten times the mistakes.
function tasks.errors()
  for _, n in ipairs { 1000, 10000, 100000 } do
    local lines = {}
    for i = 1, n do lines[i] = ('a%d = "x\n'):format(i) end
    local source = table.concat(lines)
    each("errors " .. n, function()
      local _, err = hcl.parse(source)
      return #tostring(err)
    end)
  end
end

local names = { "parse", "format", "data", "json", "cjson", "dynamic", "errors" }
if arg[2] then names = { support.unpack(arg, 2) } end
for _, name in ipairs(names) do
  local ok, why = pcall(assert(tasks[name], name))
  if not ok then io.stderr:write(name, " is not measured: ", tostring(why), "\n") end
  texts = {}
end
