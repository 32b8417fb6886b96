-- Writes what a system shows about the command: its manual page, the completions of bash, zsh and fish, and doc/command.md. All is
-- made from the command's own tables, so it stays true. Usage: lua tools/manual.lua man|bash|zsh|fish|markdown
package.path = "lua/?.lua;" .. package.path
local hcl = require "hclexpr"
local cli = require "hclexpr.cli"
local help = require "hclexpr.cli.help"
local rows = require "hclexpr.cli.options"

-- The beginning of an option's help: a completion has little room.
local function brief(text)
  local start = text:match "^[^;]*"
  return start:match "^(.-)%.%s+%u" or start
end

-- The options that help shows, by their names: name, spelled, value (the name of its argument), text.
local function options_of(command)
  local options, _, named = {}, rows.of(command)
  for name, option in pairs(named) do
    if option.text then
      options[#options + 1] = { name = name, spelled = option.spelled[name], value = option.value, text = brief(option.text) }
    end
  end
  table.sort(options, function(a, b) return a.name < b.name end)
  return options
end

local function commands()
  local list = {}
  for i, name in ipairs(cli.names) do
    local command = require("hclexpr.cli." .. name)
    list[i] = { name = name, arguments = command.arguments, summary = command.summary, help = help.items(command),
                examples = command.examples, options = options_of(command) }
  end
  return list
end

local writers = {}

-- Text escaped for troff: a backslash begins an escape, a dot or quote at the start of a line a request.
local function troff(text)
  return (("\n" .. text):gsub("\\", "\\e"):gsub("%-", "\\-"):gsub("\n([.'])", "\n\\&%1"):sub(2))
end

-- The page is filled to the reader's width.
local item_in_troff = {
  text = function(item) return troff(item.text) end,
  blank = function() return ".PP" end,
  verbatim = function(item) return ".nf\n" .. troff(item.text) .. "\n.fi" end,
  option = function(item) return ".TP\n.B " .. troff(item.name) .. "\n" .. troff(item.text) end,
}

function writers.man(list)
  local out = { '.TH HCLEXPR 1 "" "hclexpr ' .. hcl.version .. '" "User Commands"', ".SH NAME",
    "hclexpr \\- evaluate, check and lay out Terraform/HCL expressions and configurations", ".SH SYNOPSIS",
    ".B hclexpr", ".I COMMAND", ".RI [ ARGUMENTS ]", ".SH DESCRIPTION",
    "FILE may be \\- for standard input. An option is written with one dash or two, and its value follows after a space or an equals sign.",
    ".B hclexpr help", "lists the commands,", ".B hclexpr", ".I COMMAND", ".B \\-\\-help", "shows what one takes.", ".SH COMMANDS" }
  for _, command in ipairs(list) do
    out[#out + 1] = ".SS hclexpr " .. troff(command.name .. " " .. command.arguments)
    for _, item in ipairs(command.help) do out[#out + 1] = item_in_troff[item.kind](item) end
    out[#out + 1] = ".PP\n.nf\n" .. troff("  hclexpr " .. table.concat(command.examples, "\n  hclexpr ")) .. "\n.fi"
  end
  out[#out + 1] = ".SH EXIT STATUS"
  for i, meaning in ipairs(help.statuses) do out[#out + 1] = (".TP\n.B %d\n%s"):format(i - 1, troff(meaning)) end
  return table.concat(out, "\n") .. "\n"
end

local function names_of(list)
  local names = {}
  for i, command in ipairs(list) do names[i] = command.name end
  return table.concat(names, " ") .. " help version"
end

function writers.bash(list)
  local out = { "# Completions of hclexpr for bash.", "_hclexpr() {", '  local word=${COMP_WORDS[COMP_CWORD]} options=', "  COMPREPLY=()",
    '  if [ "$COMP_CWORD" -eq 1 ]; then', "    COMPREPLY=($(compgen -W '" .. names_of(list) .. "' -- \"$word\"))", "    return", "  fi",
    '  case ${COMP_WORDS[1]} in', "    help) COMPREPLY=($(compgen -W '" .. names_of(list) .. "' -- \"$word\")); return ;;" }
  for _, command in ipairs(list) do
    local words = {}
    for i, option in ipairs(command.options) do words[i] = option.spelled end
    words[#words + 1] = "--help"
    out[#out + 1] = ("    %s) options='%s' ;;"):format(command.name, table.concat(words, " "))
  end
  out[#out + 1] = '  esac\n  case $word in -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;; esac\n}'
  out[#out + 1] = "complete -o default -F _hclexpr hclexpr\n"
  return table.concat(out, "\n")
end

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

function writers.zsh(list)
  local out = { "#compdef hclexpr", "# Completions of hclexpr for zsh.", "_hclexpr() {", "  local -a commands", "  commands=(" }
  for _, command in ipairs(list) do out[#out + 1] = "    " .. quoted(command.name .. ":" .. command.summary:gsub(":", "\\:")) end
  out[#out + 1] = "    'help:what a command does and takes'\n    'version:the version'\n  )"
  out[#out + 1] = "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n  local command=$words[2]"
  out[#out + 1] = "  shift words; (( CURRENT-- ))\n  case $command in\n    help) _describe command commands ;;"
  for _, command in ipairs(list) do
    local words = {}
    for i, option in ipairs(command.options) do
      local text = option.text:gsub("[%[%]]", "\\%0"):gsub(":", "\\:")
      local value = option.value and ":" .. option.value .. ":_files" or ""
      words[i] = "      " .. quoted("*" .. option.spelled .. (option.value and "=" or "") .. "[" .. text .. "]" .. value)
    end
    words[#words + 1] = "      '--help[what the command does and takes]'"
    words[#words + 1] = "      '*:file:_files'"
    out[#out + 1] = "    " .. command.name .. ") _arguments \\\n" .. table.concat(words, " \\\n") .. " ;;"
  end
  out[#out + 1] = '  esac\n}\n_hclexpr "$@"\n'
  return table.concat(out, "\n")
end

function writers.fish(list)
  local out = { "# Completions of hclexpr for fish." }
  local function first(name, summary)
    out[#out + 1] = ("complete -c hclexpr -n __fish_use_subcommand -f -a %s -d %s"):format(name, quoted(summary))
  end
  for _, command in ipairs(list) do first(command.name, command.summary) end
  first("help", "what a command does and takes")
  first("version", "the version")
  out[#out + 1] = ("complete -c hclexpr -n '__fish_seen_subcommand_from help' -f -a %s"):format(quoted(names_of(list)))
  for _, command in ipairs(list) do
    for _, option in ipairs(command.options) do
      local kind = #option.name == 1 and "-s" or option.spelled:sub(1, 2) == "--" and "-l" or "-o"
      out[#out + 1] = ("complete -c hclexpr -n '__fish_seen_subcommand_from %s' %s %s%s -d %s"):format(command.name, kind, option.name,
        option.value and " -r" or "", quoted(option.text))
    end
  end
  return table.concat(out, "\n") .. "\n"
end

-- What all commands have in common.
local common = [==[
# The command

<!-- Made by `make docs` from tools/manual.lua and lua/hclexpr/cli. -->

The command `hclexpr` does in a shell what the Lua module does in a program. `hclexpr help` lists its commands, and `hclexpr COMMAND --help`
describes one of them. Options that exist in Terraform have the same names here.

CONTENTS

## All commands

- You may write an option with one dash or two. Its value follows after a space or an equals sign: `-var n=3`, `--var=n=3`. After `--`,
  every argument is taken as it is, even if it begins with `-`.
- FILE may be `-` for standard input, or a pipe made by the shell's `<(…)`. A named pipe is rejected, because it might never get a
  writer. A file whose name ends in `.json` is read as JSON syntax. The command `json` also reads standard input as JSON syntax if it
  begins with a bracket.
- The command runs the Lua files that `-language`, `--schema` and `-schema` name. Pass only files that you trust.
- Results (files, JSON, rendered templates) go to standard output, unchanged. Reports go to standard error, in colours on a terminal
  unless `NO_COLOR` is set.
- Reports, messages, help and explanations are as wide as the environment variable COLUMNS says. Without this variable they are as wide
  as the terminal, or 80 columns. Values, lists and JSON are never wrapped.
- No report, plan or message of a command can control a terminal, whatever the names and contents of files. Control characters,
  characters that change the direction of text, and bytes that are not UTF-8 are written as escapes (`\u001b`, `\x9b`). In names, line
  breaks are escaped as well.

### Exit statuses

STATUSES

### Names, functions and limits

`eval`, `render` and `json --evaluate` take these options. A VALUE is read as an expression or, if it isn't one, as plain text. A VALUE
that begins with a bracket, a quote, `<<` or a call and isn't a valid expression is rejected: to pass it as text, quote it.

INPUTS

Most commands take `--limit`; [the API](api.md#limits) describes what each limit counts:

| limit | default | bounds |
|---|---|---|
| `steps` | 10000000 | the work of an evaluation |
| `memory` | 67108864 | the bytes of the values of an evaluation |
| `depth` | 1000 | the nesting of sources and data |
| `output` | 16777216 | the bytes of a result |
| `source` | 67108864 | the bytes of a source |

### Files

- With `-recursive` a folder means the files in and below that folder whose names end in `.tf`, `.tfvars`, `.hcl`, `.tofu` or `.nomad`.
  Hidden files and links to folders are skipped. The default is the current folder. Without `-recursive`, `fmt DIR` formats only the files
  directly in DIR. `fmt` writes nothing through a link that leads out of DIR; to format the target of the link, name that file.
- `fmt` uses the style `"terraform"` of [`hcl.format`](api.md#hclformat) for `*.tf`, `*.tfvars`, `*.tftest.hcl`, `*.tfmock.hcl`,
  `*.tfquery.hcl`, OpenTofu's `*.tofu`, `*.tofutest.hcl` and `*.tofumock.hcl`, and standard input. In all other files, such as
  `terragrunt.hcl` or `*.nomad`, only spaces change, as with the formatters of their own programs.
- `check` and the language server know functions that a file declares (`function "name" { params = […] … }`), and Terragrunt's
  functions in any file. They report no unknown function in files that, by their names, belong to another program with its own functions:
  `docker-bake*.hcl`, `terragrunt*.hcl`, `*.pkr.hcl`, `*.nomad`, `*.nomad.hcl`, `waypoint.hcl`, `atlas.hcl`, `*.tm.hcl`.

### Terraform folders

- The configuration of a folder is in its files `*.tf`, `*.tofu`, `*.tf.json` and `*.tofu.json`. If a folder has no such file, a command
  says so on standard error; for `plan` that is an error.
- No command needs `init`, a provider or a network. If modules, values or files are missing, what they would give is unknown. Standard
  error lists each missing thing once, and says how to provide it. With `-strict`, missing things are errors, as in Terraform. The JSON of
  `plan` and `validate` lists them as `missing`.
- Reports show the first five missing names, the first three warnings of a kind, and the first three errors with the same place or reason.
  The reports count the others, and errors that repeat in another instance. `-all` shows everything; JSON always has everything.
- With `-json`, `validate`, `plan` and `outputs` print the formats of Terraform's commands. `plan` and `outputs` show sensitive values only
  with `-reveal`.

Commands on a folder take these options:

FOLDERS

]==]

-- Text escaped for Markdown.
local function plain(text) return (text:gsub("[<>|*_]", "\\%0")) end
local function code(text) return (text:find("`", 1, true) and "`` %s ``" or "`%s`"):format(text) end

local item_in_markdown = {
  text = function(item) return plain(item.text) end,
  blank = function() return "" end,
  verbatim = function(item) return "    " .. item.text end,
}

-- Options in a row form a table.
local function add_items(out, items)
  local in_table = false
  for _, item in ipairs(items) do
    if item.kind ~= "option" then
      out[#out + 1] = item_in_markdown[item.kind](item)
    else
      if not in_table then out[#out + 1] = "| option | meaning |\n|---|---|" end
      out[#out + 1] = ("| %s | %s |"):format(code(item.name):gsub("|", "\\|"), plain(item.text))
    end
    in_table = item.kind == "option"
  end
end

-- The table of options that several commands share, and the page of the commands with a link in its place.
local function without(page, shared, anchor)
  local items, out = {}, {}
  for _, part in ipairs((rows.of { options = shared })) do
    if part.text then items[#items + 1] = { kind = "option", name = part.head, text = part.text } end
  end
  add_items(out, items)
  local rows_text, pieces, at = table.concat(out, "\n"), {}, 1
  for start, stop in function() return page:find(rows_text, at, true) end do
    pieces[#pieces + 1] = page:sub(at, start - 1) .. ("[the shared options](#%s)"):format(anchor)
    at = stop + 1
  end
  -- The link ends the line that introduced the table, or is a sentence by itself.
  local rest = (table.concat(pieces) .. page:sub(at)):gsub(":\n\n(%[the shared options%]%b())", ": %1.")
  return rows_text, (rest:gsub("\n%[the(.-%b())\n", "\n[The%1.\n"))
end

function writers.markdown(list)
  local contents, out = { "| command | does |", "|---|---|" }, {}
  for _, command in ipairs(list) do
    contents[#contents + 1] = ("| [%s](#hclexpr-%s) | %s |"):format(code(command.name), command.name, plain(command.summary))
    local usage = ("hclexpr %s %s"):format(command.name, command.arguments):gsub(" $", "")
    out[#out + 1] = ("## hclexpr %s\n\n%s\n"):format(command.name, code(usage))
    add_items(out, command.help)
    out[#out + 1] = "\n    hclexpr " .. table.concat(command.examples, "\n    hclexpr ") .. "\n"
  end
  local text = table.concat(out, "\n"):gsub("\n\n\n+", "\n\n")
  local statuses = { "| status | meaning |", "|---|---|" }
  for i, meaning in ipairs(help.statuses) do statuses[i + 2] = ("| %d | %s |"):format(i - 1, plain(meaning)) end
  local holes = { CONTENTS = table.concat(contents, "\n"), STATUSES = table.concat(statuses, "\n") }
  holes.INPUTS, text = without(text, require("hclexpr.cli.inputs").options, "names-functions-and-limits")
  holes.FOLDERS, text = without(text, require("hclexpr.cli.folders").options, "terraform-folders")
  return common:gsub("\n(%u+)\n", function(name) return "\n" .. holes[name] .. "\n" end) .. text
end

local write = writers[arg[1]]
if not write then
  io.stderr:write "usage: lua tools/manual.lua man|bash|zsh|fish|markdown\n"
  os.exit(2)
end
io.write(write(commands()))
