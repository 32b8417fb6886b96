-- For busted's --helper. HCLEXPR_TESTS: a file of names, one per line; only tests with these names run. HCLEXPR_FAILED: a
-- file that gets the name of a failed test. When reach.lua records blocks, this reports which test enters them, and how long each takes. A
-- name, not a number, identifies a test: tests that a spec makes from a table come in any order.
local busted = require "busted"
local hit, chosen, failed = rawget(_G, "HCLEXPR_HIT"), os.getenv "HCLEXPR_TESTS", os.getenv "HCLEXPR_FAILED"
local began = 0

local function name_of(element) return (tostring(element.name):gsub("%c", " ")) end

if chosen then
  local wanted = {}
  for name in io.lines(chosen) do wanted[name] = true end
  busted.subscribe({ "register", "it" }, function(name) return nil, wanted[name_of { name = name }] == true end, { priority = 1 })
end

if failed then
  busted.subscribe({ "test", "end" }, function(element, _, status)
    if status == "success" or status == "pending" then return nil, true end
    local file = assert(io.open(failed, "w"))
    file:write(name_of(element), "\n")
    file:close()
    return nil, true
  end)
end

if hit then
  busted.subscribe({ "test", "start" }, function(element)
    began = busted.monotime()
    hit("test " .. name_of(element))
    return nil, true
  end)
  busted.subscribe({ "test", "end" }, function()
    hit(("end %f"):format(busted.monotime() - began))
    return nil, true
  end)
end
