-- hclexpr edit: changes single values and leaves the rest of a file as it is.
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local inputs = require "hclexpr.cli.inputs"
local shell = require "hclexpr.cli.shell"

-- Splits PATH=REST at the first "=" outside of brackets.
local function split(option, text)
  local at = 1
  while true do
    local found = text:find("[=%[]", at)
    if not found then shell.bad_usage(("--%s takes PATH=%s, not %s"):format(option, option == "rename" and "NAME" or "VALUE", text)) end
    if text:sub(found, found) == "=" then return text:sub(1, found - 1), text:sub(found + 1) end
    at = (select(2, text:find("^%b[]", found)) or found) + 1
  end
end

-- Makes the action of an option, which adds a change: make(edit, path, rest) carries it out.
local function adds(name, make)
  return function(changes, text)
    local path, rest = split(name, text)
    changes[#changes + 1] = function(e) return make(e, path, rest) end
  end
end

local add_set = adds("set", function(e, path, expression) return e:set(path, expression) end)
local add_text = adds("text", function(e, path, text) return e:set(path, shell.must(hcl.value(text))) end)
local add_rename = adds("rename", function(e, path, name) return e:rename(path, name) end)

local function add_remove(changes, path)
  changes[#changes + 1] = function(e) return e:remove(path) end
end

local edit = {
  arguments = "[-write] CHANGES FILE|-",
  summary = "change single values of a file, and nothing else in it",
  examples = { [[edit --set listener.web.port=8080 service.hcl]], [[edit -write --text 'target.app.tags[0]=shop:v2' docker-bake.hcl]] },
  statuses = { [1] = "the file can't be read or parsed, or a path names nothing" },
  help = [[
Prints the file with changed values. Every other byte stays, including comments and layout. The changes are made in the given order:
]],
  options = {
    { "--set PATH=EXPRESSION", "set an argument; a new one is added to its block", into = "changes", act = add_set },
    { "--text PATH=TEXT", "set an argument to this text, which needs no quotes", into = "changes", act = add_text },
    { "--remove PATH", "remove an argument or block, with its comments", into = "changes", act = add_remove },
    { "--rename PATH=NAME", "rename an argument, the last label of a block, or its type", into = "changes", act = add_rename },
    { "--get PATH", "print only the expression of an argument, or a block" },
    { "-write", "write the file instead of printing it" },
    inputs.limit,
    [[
A PATH names a block by its type and labels, then an argument in it: resource.aws_instance.web.tags.Name. A number in brackets, from 0,
chooses among several blocks: ingress[1].from_port. Write names with other characters in brackets and quotes: resource["a.b"].web.
]],
  },
}

local function read_arguments(args)
  local o, rest = shell.arguments(args, edit)
  o.name = shell.one(rest, "file", "changes are options: --set PATH=EXPRESSION")
  if #o.changes == 0 and not o.get then shell.bad_usage "nothing is to be changed: give --set PATH=EXPRESSION, or another change" end
  if o.write and (o.get or o.name == "-") then shell.bad_usage "-write needs a file and changes of it" end
  return o
end

function edit.run(args)
  local o = read_arguments(args)
  local text = shell.read(o.name)
  local e = shell.must(hcl.edit(text, { filename = shell.display_name(o.name), limits = o.limits }))
  for _, change in ipairs(o.changes) do shell.must(change(e)) end
  if o.get then return shell.product(shell.must(e:get(o.get)), "\n") end
  if not o.write then return shell.product(tostring(e)) end
  local ok, err = core.replace_file(o.name, tostring(e), text)
  if not ok then shell.fail(err) end
end

return edit
