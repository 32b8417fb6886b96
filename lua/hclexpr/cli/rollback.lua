-- hclexpr rollback: an older version of rules is the current one again.
local shell = require "hclexpr.cli.shell"
local store = require "hclexpr.cli.store"

local rollback = {
  arguments = "URL [VERSION]",
  summary = "make an older version of rules the current one",
  help = [[
Nodes go back to VERSION, or to the one before the current version. hclexpr fleet lists those that are kept.

]] .. store.help,
}

function rollback.run(args)
  local rest = shell.arguments(args, {})
  if #rest < 1 or #rest > 2 then shell.bad_usage "expected a URL, and a version if not the one before the current" end
  local version = rest[2] and (rest[2]:match "^%d+$" or shell.bad_usage("a version is a number, not " .. rest[2]))
  local number, why = store.open(rest[1]):rollback(version)
  if number == nil then shell.fail(why) end
  if not number then shell.fail(version and "there is no version " .. version or "there is no older version") end
  shell.write("version ", tostring(number), "\n")
end

return rollback
