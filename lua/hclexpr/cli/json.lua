-- hclexpr json: a configuration as JSON, and back.
local bodies = require "hclexpr.body"
local files = require "hclexpr.files"
local hcl = require "hclexpr"
local inputs = require "hclexpr.cli.inputs"
local jsontext = require "hclexpr.json.text"
local shell = require "hclexpr.cli.shell"

local json = {
  arguments = "[--evaluate|--reverse] FILE|-",
  summary = "print a configuration file as JSON, or the reverse",
  examples = { "json main.tf", "json --reverse main.tf.json >main.tf" },
  help = [[
Prints a file as JSON without evaluating it: literal values as they are, templates as strings, other expressions as "${…}"; blocks as
arrays of objects, below a level of objects for each label. That is the language's JSON syntax. Numbers are exact, nulls stay, and the
order is that of the file.

  --reverse               print a file of JSON syntax in native syntax. An array of objects is blocks there, and objects around such arrays
                          are labels; in *.tf.json Terraform's types of blocks are known, and *.tfvars.json has none
  --schema NAME           with --reverse "terraform" or "attributes" (no blocks), whatever the file's name. Else "terraform", for *.tf.json:
                          what Terraform reads as a reference or type is "aws.west", not "${aws.west}"
  --evaluate              print what hcl.load gives: values; "dynamic" blocks expanded. Takes JSON syntax, too
  --compact               all on one line

FILE is of JSON syntax if its name ends in .json; so is standard input that begins with a bracket. Such a file is printed as it is, laid out
anew. With --evaluate these count, too:

]] .. inputs.help,
}

local function is_json(name, text)
  return files.syntax_of(name) == "json" or (name == "-" and text:find "^%s*[{%[]" ~= nil)
end

local function evaluate(text, options, given, compact)
  local variables, scope = inputs.take(given)
  local value = shell.must(bodies.decode_value(shell.must(hcl.parse(text, options)), variables, scope))
  local writer = jsontext.writer { indent = not compact and "  " or nil }
  local ok, why = jsontext.write(writer, value)
  if not ok then shell.fail(why) end
  return writer:text() .. "\n"
end

-- What of the names of Terraform's files says how they are read.
local function schema_of(name)
  return name:find "%.tf%.json$" and "terraform" or name:find "%.tfvars%.json$" and "attributes" or nil
end

local function check_options(o, given)
  local function exclude(first, second) shell.bad_usage(first .. " and " .. second .. " exclude each other") end
  if o.reverse and o.evaluate then exclude("--reverse", "--evaluate") end
  if o.reverse and o.compact then exclude("--reverse", "--compact") end
  if o.schema and o.evaluate then exclude("--schema", "--evaluate") end
  if o.schema and o.schema ~= "terraform" and o.schema ~= "attributes" then
    shell.bad_usage("--schema is terraform or attributes, not " .. o.schema)
  end
  if o.schema == "attributes" and not o.reverse then shell.bad_usage "--schema attributes goes with --reverse" end
  if not o.evaluate and (#given.values > 0 or next(given.scope)) then
    shell.bad_usage "nothing is evaluated without --evaluate, so values and grants have no use"
  end
end

function json.run(args)
  local options, given = inputs.options()
  local o = {}
  for _, flag in ipairs { "compact", "evaluate", "reverse" } do options[flag] = shell.flag(o, flag) end
  options.schema = shell.text(o, "schema")
  local name = shell.one(shell.arguments(args, options), "file", "- is standard input")
  check_options(o, given)
  local text = shell.read(name)
  local named = { filename = shell.display_name(name), limits = given.limits }
  if o.evaluate then
    named.syntax = is_json(name, text) and "json" or "native"
    shell.product(evaluate(text, named, given, o.compact))
  elseif o.reverse then
    named.schema = o.schema or schema_of(name)
    shell.product(shell.must(hcl.from_json(text, named)))
  else
    named.syntax = is_json(name, text) and "json" or "native"
    named.indent, named.schema = not o.compact and 2, o.schema
    shell.product(shell.must(hcl.to_json(text, named)), "\n")
  end
end

return json
