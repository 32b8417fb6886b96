-- How programs of this folder use the answers of tools/oracle: they compare them with ours, errors by their bytes.
local cjson = require "cjson"

local M = {}

function M.bytes(range) return ("%d-%d"):format(range[3], range[6]) end

local function places(ranges)
  local out = {}
  for i, range in ipairs(ranges) do out[i] = M.bytes(range) end
  table.sort(out)
  return table.concat(out, " ")
end

-- Do both errors have the same places? After a hundred they are only counted. Also returns both as text.
function M.same_all(view, case, err)
  local errors, wanted = {}, {}
  for i, d in ipairs(err or {}) do errors[i] = view.range(d.range) end
  for i, d in ipairs(case.want.errors or {}) do wanted[i] = d.range end
  local ours, theirs = places(errors), places(wanted)
  return #wanted > 100 and #errors == 100 or ours == theirs, ours, theirs
end

--- Is our first error one of theirs? Also returns both as text.
function M.same_first(view, case, err)
  local _, ours, theirs = M.same_all(view, case, err)
  local wanted, first = case.want.errors or {}, err and err[1] and M.bytes(view.range(err[1].range))
  if not first then return #wanted == 0, ours, theirs end
  for _, d in ipairs(wanted) do
    if M.bytes(d.range) == first then return true, ours, theirs end
  end
  return false, ours, theirs
end

--- Goes through a file of answers, prints each difference and their number, and ends the program: with status 1 if there are any,
--- or nothing to compare. check(case) returns our Diagnostics, if any, and other differences, as text; same: how to compare errors.
function M.compare(path, what, view, check, same)
  local compared, differences = 0, 0
  for line in io.lines(path) do
    local case = cjson.decode(line)
    local err, other = check(case)
    local equal, ours, theirs = (same or M.same_all)(view, case, err)
    if not equal or other then
      differences = differences + 1
      print(("---- %s\n%s\n---- errors: %s\n     not: %s"):format(case.id, case.src, ours, theirs))
      if other then print(other) end
    end
    compared = compared + 1
  end
  print(("%s: %d compared, %d differ"):format(what, compared, differences))
  os.exit(differences == 0 and compared > 0 and 0 or 1)
end

return M
