-- Times of hclexpr from Lua. Prints lines of: task, id, median, best, worst, unit.
--   LUA measure.lua EXPRESSIONS.json VARS.json      (hclexpr and cjson on the path)
-- compile: hcl.compile of the source. bound: evaluated with `var` bound once. tables: with a Lua table given at each call.
-- fails: an evaluation that fails, bound; fails_tables: the same from tables.
-- RUNS: runs for each figure; ONLY="id id": only those.
local cjson = require "cjson"
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local timing = dofile(support.here() .. "timing.lua")

local read = support.read
local ONLY = os.getenv "ONLY"

-- cjson returns null as a light userdata, which is hcl.null.
local variables = cjson.decode(read(arg[2]))
local bound = hcl.scope { variables = { var = hcl.value(variables.var) } }

local function report(task, id, f)
  if ONLY and not (" " .. ONLY .. " "):find(" " .. id .. " ", 1, true) then return end
  print(("%s\t%s\t%.1f\t%.1f\t%.1f\tns"):format(task, id, timing.spread(timing.calls(f, 0.05), function(t) return t * 1e9 end)))
end

for _, e in ipairs(cjson.decode(read(arg[1]))) do
  local source = e.hcl
  local expr, err = hcl.compile(source)
  local probe
  if expr then probe, err = expr:eval(nil, bound) end
  if probe == nil then
    io.stderr:write(e.id, ": ", tostring(err), "\n")
  else
    report("compile", e.id, function() return hcl.compile(source) end)
    report("bound", e.id, function() return expr:eval(nil, bound) end)
    report("tables", e.id, function() return expr:eval(variables) end)
  end
end

-- The cost of an error that isn't read.
local mistakes = {
  { "type", "var.a * 3 + var.name / 2 - 1" },
  { "attribute", "var.cfg.network.subnets[1].cidrs" },
  { "index", "var.subnets[30]" },
  { "name", "var.a + vra.b" },
  { "call", "upper(var.tags)" },
  { "loop", "[for u in var.users : u.nmae]" },
  { "template", '"${var.name}-${var.tags}-${var.region}"' },
}
for _, m in ipairs(mistakes) do
  local bad = hcl.assert(hcl.compile(m[2]))
  report("fails", m[1], function() return bad:eval(nil, bound) end)
  report("fails_tables", m[1], function() return bad:eval(variables) end)
end
