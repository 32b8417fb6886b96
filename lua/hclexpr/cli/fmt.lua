-- hclexpr fmt: files in the canonical layout.
local core = require "hclexpr.core"
local diff = require "hclexpr.cli.diff"
local files = require "hclexpr.files"
local recursive = require "hclexpr.cli.recursive"
local hcl = require "hclexpr"
local inputs = require "hclexpr.cli.inputs"
local shell = require "hclexpr.cli.shell"

local fmt = {
  arguments = "[-check|-diff|-write] [-recursive] FILES|-",
  summary = "lay out configuration files canonically",
  help = [[
Prints the files in the canonical layout of their blanks, which is that of `terraform fmt`. Comments, blank lines and values stay.

  -check    print nothing but the names of files that aren't laid out so; exit status 1 if there are any
  -diff     print what would change, as `diff -u` does
  -write    change the files, and print their names; each is replaced as a whole or left alone
]] .. recursive.help .. [[

-diff goes with -check and with -write, too. What is wrong in a file is reported, with exit status 1. -write leaves such a file
alone: where a quote is missing, the text of strings would be laid out.

]] .. inputs.limit_help,
}

local function read_arguments(args)
  local mode, options = { limits = {} }, {}
  for _, name in ipairs { "check", "diff", "write", "recursive" } do options[name] = shell.flag(mode, name) end
  options.limit = inputs.limit_option(mode.limits)
  local names = shell.arguments(args, options)
  if mode.check and mode.write then shell.bad_usage "-check changes nothing, and -write does: give one of them" end
  for _, name in ipairs(names) do
    if mode.write and name == "-" then shell.bad_usage "-write needs files; what comes from standard input goes to standard output" end
  end
  return names, mode
end

-- Reports what is wrong in a file; true if nothing is.
local function is_sound(name, text, mode)
  local body, err = hcl.parse(text, shell.parse_options(name, mode.limits))
  if not body then shell.report(err) end
  return body ~= nil
end

local function replace(name, text, formatted)
  local ok, err = core.replace_file(name, formatted, text)
  if ok then shell.write(shell.plain_name(name), "\n") else shell.warn(err) end
  return ok
end

-- Shows or writes what became of a file; true if all is well.
local function deliver(name, text, formatted, sound, mode)
  if not (mode.check or mode.diff or mode.write) then
    shell.product(formatted)
    return true
  end
  if formatted == text then return true end
  if mode.check then shell.write(shell.plain_name(shell.display_name(name)), "\n") end
  if mode.diff then shell.product(diff(shell.plain_name(shell.display_name(name)), text, formatted)) end
  if mode.write and sound then return replace(name, text, formatted) end
  return not mode.check
end

local function format_file(name, mode, found)
  if files.syntax_of(name) == "json" then
    shell.warn(shell.plain_name(name) .. ": JSON syntax has no canonical layout")
    return false
  end
  local text, why = shell.try_read(name, found)
  if not text then
    shell.warn(why)
    return false
  end
  local formatted, err = hcl.format(text, { filename = shell.display_name(name), limits = mode.limits })
  if not formatted then
    shell.report(err)
    return false
  end
  local sound = is_sound(name, text, mode)
  return deliver(name, text, formatted, sound, mode) and sound
end

function fmt.run(args)
  local names, mode = read_arguments(args)
  return recursive.all(names, "files, or - for standard input", mode.recursive, function(name, found)
    return format_file(name, mode, found)
  end)
end

return fmt
