-- hclexpr check: what is wrong in configuration files.
local shell = require "hclexpr.cli.shell"

local check = {
  arguments = "FILES",
  summary = "report what is wrong in configuration files",
  help = [[
Reads each file (JSON if its name ends in .json) and reports what is wrong in it on standard error. Exit status 1 if anything is.
]],
}

function check.run(args)
  return shell.all(shell.arguments(args, {}), "files", function(name)
    local body, err = shell.parse(name)
    if not body then shell.report(err) end
    return body ~= nil
  end)
end

return check
