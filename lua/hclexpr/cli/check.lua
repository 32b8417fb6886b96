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
  local names = shell.arguments(args, {})
  if #names == 0 then shell.bad_usage "expected files" end
  local status = shell.OK
  for _, name in ipairs(names) do
    local body, err = shell.parse(name)
    if not body then
      status = shell.BAD_INPUT
      shell.report(err)
    end
  end
  return status
end

return check
