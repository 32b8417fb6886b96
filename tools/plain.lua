-- Runs specs without busted's C modules: describe and it run at once, with luassert; dkjson replaces cjson.   LUA plain.lua SPEC ...
-- Prints the failures, and the line that busted ends with.
local hcl = require "hclexpr"
local dkjson = require "dkjson"
local globals = _G -- where specs look for these
globals.assert = require "luassert"

package.preload.cjson = function()
  return { null = hcl.null, decode = function(text) return (assert(dkjson.decode(text, 1, hcl.null))) end, encode = dkjson.encode }
end

-- Runs at the end, as in busted: specs rely on it to remove their folders.
local at_end = {}
package.loaded.busted = { subscribe = function(_, act) at_end[#at_end + 1] = act end }

local passed, failed, names, PENDING = 0, 0, {}, {}
local afters

function globals.describe(name, f)
  local before = { afters, names[#names + 1] }
  names[#names + 1], afters = name, {}
  local teardowns = {}
  function globals.setup(g) g() end
  function globals.teardown(g) teardowns[#teardowns + 1] = g end
  f()
  for _, g in ipairs(teardowns) do g() end
  names[#names], afters = nil, before[1]
end

function globals.after_each(f) afters[#afters + 1] = f end
function globals.pending() error(PENDING) end

function globals.it(name, f)
  local ok, err = xpcall(f, function(e) return e == PENDING and e or debug.traceback(tostring(e)) end)
  for _, g in ipairs(afters or {}) do g() end
  if ok then
    passed = passed + 1
  elseif err ~= PENDING then
    failed = failed + 1
    print(("failed: %s %s\n%s"):format(table.concat(names, " "), name, err))
  end
end

for _, path in ipairs(arg) do dofile(path) end
for _, act in ipairs(at_end) do act() end
print(("%d successes / %d failures"):format(passed, failed))
os.exit(failed == 0)
