-- For busted's --helper. HCLEXPR_TESTS="3,7,": of a file of specs only these tests run. When reach.lua notes blocks, it says here which test
-- enters them, by number, and how long each takes. HCLEXPR_FAILED: a file that gets the number of a test that fails.
local busted = require "busted"
local hit, chosen = rawget(_G, "HCLEXPR_HIT"), os.getenv "HCLEXPR_TESTS"
local count, number_of, began = 0, {}, 0

busted.subscribe({ "register", "it" }, function(_, fn)
  count = count + 1
  if fn then number_of[fn] = count end
  return nil, not chosen or ("," .. chosen):find("," .. count .. ",", 1, true) ~= nil
end, { priority = 1 })

local failed = os.getenv "HCLEXPR_FAILED"
if failed then
  busted.subscribe({ "test", "end" }, function(element, _, status)
    if status == "success" or status == "pending" or not number_of[element.run] then return nil, true end
    local file = assert(io.open(failed, "w"))
    file:write(number_of[element.run], ",")
    file:close()
    return nil, true
  end)
end

if hit then
  busted.subscribe({ "test", "start" }, function(element)
    began = busted.monotime()
    hit("test " .. (number_of[element.run] or 0))
    return nil, true
  end)
  busted.subscribe({ "test", "end" }, function()
    hit(("end %f"):format(busted.monotime() - began))
    return nil, true
  end)
end
