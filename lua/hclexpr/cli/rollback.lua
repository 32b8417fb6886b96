-- hclexpr rollback: makes an older version of rules current again.
local core = require "hclexpr.core"
local shell = require "hclexpr.cli.shell"
local store = require "hclexpr.cli.store"

local rollback = {
  arguments = "[--force] URL [VERSION]",
  summary = "make an older version of rules the current one",
  examples = { "rollback redis://127.0.0.1/0/rules", "rollback redis://127.0.0.1/0/rules 17" },
  statuses = { [1] = "nothing was changed: the version is unknown, the question was not confirmed, or Redis doesn't answer" },
  help = [[
Makes VERSION current again. The default is the newest earlier version that some node has run and no node rejects. hclexpr fleet lists the
kept versions. The command asks before it goes back to a version that a node rejected and has not run since; without a terminal it needs
--force.
]],
  options = {
    { "--force", "go back even to a version that nodes rejected" },
    store.help,
  },
}

-- Asks whether a version that nodes rejected shall be current; ends the command unless a person at a terminal confirms. refused: the
-- version, then node and report alternately.
local function ask(refused)
  local version = store.plain(refused[1])
  for i = 2, #refused, 2 do
    shell.warn(string.format("%s rejected version %s:\n%s", store.plain(refused[i]), version, store.quoted(refused[i + 1])))
  end
  if not core.is_terminal "stdin" then shell.fail("nothing was changed: --force goes back to version " .. version .. " all the same") end
  shell.say_product("Go back to version ", version, " all the same? [y/N] ")
  local answer = io.read() or ""
  if not answer:lower():find "^%s*y" then shell.fail "nothing was changed" end
end

function rollback.run(args)
  local given, rest = shell.arguments(args, rollback)
  if #rest < 1 or #rest > 2 then shell.bad_usage "expected a URL, and a version if not the last one that ran before the current" end
  local version = rest[2] and (rest[2]:match "^%d+$" or shell.bad_usage("a version is a number, not " .. rest[2]))
  local client = store.open(rest[1])
  local number, why = client:rollback(version, given.force)
  if type(number) == "table" then
    ask(number)
    number, why = client:rollback(number[1], true)
  end
  if number == nil then shell.fail(why) end
  if not number then
    shell.fail(version and ("version %s is not kept: hclexpr fleet lists those that are"):format(version)
      or "no older version has run on a node: hclexpr fleet lists those that are kept, and VERSION chooses one")
  end
  shell.write("version ", tostring(number), "\n")
end

return rollback
