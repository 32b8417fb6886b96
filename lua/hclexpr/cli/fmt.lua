-- hclexpr fmt: writes files in the canonical layout, Terraform's files as `terraform fmt` writes them.
local core = require "hclexpr.core"
local diff = require "hclexpr.cli.diff"
local files = require "hclexpr.files"
local recursive = require "hclexpr.cli.recursive"
local hcl = require "hclexpr"
local inputs = require "hclexpr.cli.inputs"
local shell = require "hclexpr.cli.shell"

local DIFFERS = 3 -- exit status of -check, as of `terraform fmt`

local fmt = {
  arguments = "[-check] [-diff] [-list=false] [-write=false] [-recursive] [FILES|DIRS|-]",
  summary = "format configuration files",
  examples = { "fmt -recursive", "fmt -check -diff main.tf" },
  statuses = { [1] = "a file can't be read, parsed or written", [3] = "a file would change (-check)" },
  help = [[
Rewrites files in their canonical layout and prints the names of those that it changed. A folder means the files in it; the default is the
current folder. With -, it reads standard input and prints the result, which ends in a newline.
]],
  options = {
    { "-check", "change nothing, and print the names of files that would change" },
    { "-diff", "print what changes, as `diff -u` does" },
    { "-list=false", "print no names" },
    { "-write=false", "change no file; with -list=false and without -diff, print the results" },
    recursive.option,
    { "-style STYLE", '"terraform" or "layout" for all files, whatever their names' },
    inputs.limit,
    [[
Terraform's own files (*.tf, *.tfvars, *.tftest.hcl, *.tfmock.hcl, *.tfquery.hcl), OpenTofu's and standard input are changed as by
`terraform fmt`: labels are quoted, "${x}" becomes x, old type syntax is modernized. In all other files only spaces change. Comments and
empty lines stay.

A file that doesn't parse is reported and left alone. Each file is replaced as a whole or not at all.
]],
  },
}

local function read_arguments(args)
  local mode, names = shell.arguments(args, fmt)
  if mode.style and mode.style ~= "terraform" and mode.style ~= "layout" then
    shell.bad_usage(("unknown style %q: use terraform or layout"):format(mode.style))
  end
  if mode.check and mode.write then shell.bad_usage "-check changes nothing, and -write does: give one of them" end
  for _, name in ipairs(names) do
    if mode.write and name == "-" then shell.bad_usage "-write needs files; what comes from standard input goes to standard output" end
  end
  if mode.write == nil then mode.write = not mode.check end
  if mode.list == nil then mode.list = true end
  return names, mode
end

-- Returns true if a file that was found in a folder is a link to a place outside of the folder. In a stranger's folder it may lead to any
-- file of the user, so only a file that the user names is written through a link.
local function leads_out(name, folder)
  local file, root = core.real_path(name), core.real_path(folder)
  local inside = root and root:gsub("/$", "") .. "/"
  return not file or not inside or file:sub(1, #inside) ~= inside
end

-- Writes the formatted text of a file, or shows it, as the mode says; true on success. folder: where the file was found; nil: the user
-- named the file.
local function deliver(name, text, formatted, mode, folder)
  local writes, lists = mode.write and name ~= "-", mode.list and name ~= "-" or mode.check
  if not (writes or lists or mode.diff) then
    shell.product(formatted:find "\n$" and formatted or formatted .. "\n") -- as Terraform prints it
  end
  if formatted == text then return true end
  mode.differs = true
  if writes then
    if folder and leads_out(name, folder) then
      shell.warn(shell.plain_name(name) .. ": a link leads out of the folder, so nothing is written. Name the file itself to format it")
      return false
    end
    local ok, err = core.replace_file(name, formatted, text)
    if not ok then
      shell.warn(err)
      return false
    end
  end
  if lists and mode.list then shell.write(shell.plain_name(shell.display_name(name)), "\n") end
  if mode.diff then shell.product(diff(shell.plain_name(shell.display_name(name)), text, formatted)) end
  return true
end

local function format_file(name, mode, folder)
  if files.syntax_of(name) == "json" then
    shell.warn(shell.plain_name(name) .. ": JSON syntax has no canonical layout")
    return false
  end
  local text, why = shell.try_read(name, folder ~= nil)
  if not text then
    shell.warn(why --[[@as string]])
    return false
  end
  local body, formatted, err
  body, err = hcl.parse(text, shell.parse_options(name, mode.limits))
  if body then
    local style = mode.style or (name == "-" and "terraform" or files.style_of(name))
    formatted, err = hcl.format(text, { filename = shell.display_name(name), style = style, limits = mode.limits })
  end
  if not formatted then
    shell.report(err --[[@as hclexpr.Diagnostics]])
    return false
  end
  return deliver(name, text, formatted, mode, folder)
end

function fmt.run(args)
  local names, mode = read_arguments(args)
  local function one(name, folder) return format_file(name, mode, folder) end
  local status = recursive.all(#names > 0 and names or { "." }, "files", mode.recursive, one, function(dir)
    local well = true
    for _, name in ipairs(recursive.files_in(dir)) do well = one(name, dir) and well end
    return well
  end)
  if status == shell.OK and mode.check and mode.differs then return DIFFERS end
  return status
end

return fmt
