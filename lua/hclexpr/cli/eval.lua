-- hclexpr eval: the value of an expression, as `terraform console` shows it. This file uses only the core, so that the command starts fast.
local core = require "hclexpr.core"
local driver = require "hclexpr.driver"
local inputs = require "hclexpr.cli.inputs"
local shell = require "hclexpr.cli.shell"

local eval = {
  arguments = "EXPRESSION",
  summary = "print the value of an expression",
  examples = { [[eval 'cidrsubnet("10.0.0.0/8", 8, 3)']], [[eval --var n=3 --explain 'n > 2 ? "many" : "few"']] },
  statuses = { [1] = "the expression is wrong, or -raw can't print its value" },
  help = [[
Prints the value of EXPRESSION as `terraform console` does. If EXPRESSION is -, it is read from standard input. The exit status is 0 for
every value, also for false.
]],
  options = {
    { "-json", "print the value as JSON" },
    { "-raw", "print a string, number or bool without quotes and newline" },
    { "--explain", "print why: the value of each part, the branch taken, the errors that try() dropped" },
    { "-language FILE", "evaluate with the names of a file or folder of a described language: hclexpr eval -language FILE PATH EXPRESSION. "
      .. "FILE is a Lua file that returns the description" },
    "Names, functions and limits of the evaluation:",
    inputs.options,
  },
}

local value_of = driver.method(core.expression_value)

-- Prints the explanation of the value; errors are reported as usual.
local function explain(expression, variables, scope, origins)
  require "hclexpr" -- adds explain to the methods of expressions
  local origin = { origin = function(reference) return origins[reference.root] end }
  local tree, err = require("hclexpr.check").readable(expression:explain(variables, scope, origin))
  local text = tostring(shell.must(tree, err))
  shell.write(require("hclexpr.cli.layout").wrap_columns(text, shell.width "stdout"), "\n")
  if err then shell.must(nil, err) end
end

local function write(value, given)
  if given.raw then return shell.product(require("hclexpr.cli.values").raw(value, "the value", "nonsensitive() shows it.")) end
  shell.product_value(value, "  ")
end

-- Evaluates an expression in the files of a described language.
local function eval_language(given, rest)
  if #rest ~= 2 then shell.bad_usage(("-language takes a PATH and an EXPRESSION, got %d arguments"):format(#rest)) end
  local language = require "hclexpr.cli.language"
  local variables, scope = inputs.take(given, true)
  local all = language.open(language.read(given.language), rest[1], { variables = variables, scope = scope, limits = given.limits })
  if #all ~= 1 then shell.bad_usage(("%s has %d files, each by itself: name one"):format(rest[1], #all)) end
  -- Shows a value of a described language: "(unknown)", because there no plan is ever applied.
  local function text_of(x) return (tostring(x):gsub("%(known after apply%)", "(unknown)")) end
  if given.explain then
    shell.write(require("hclexpr.cli.layout").wrap_columns(text_of(shell.must(all[1]:explain(rest[2]))), shell.width "stdout"), "\n")
    return
  end
  local value = shell.must(all[1]:value(rest[2]))
  if given.raw or given.json then return write(value, given) end
  shell.write(text_of(value), "\n")
end

function eval.run(args)
  local given, rest = shell.arguments(args, eval)
  if given.language then return eval_language(given, rest) end
  local source = shell.one(rest, "expression", "put it in quotes, or write - and give it on standard input")
  local filename
  if source == "-" then source, filename = shell.read "-", shell.display_name "-" end
  local variables, scope, origins = inputs.take(given, true)
  -- The last line of a heredoc ends with a newline, which an argument of a shell rarely has.
  if source:find "<<" then source = source .. "\n" end
  local expression = shell.must(core.compile(source, { filename = filename, limits = given.limits }))
  if given.explain then return explain(expression, variables, scope, origins) end
  local value = shell.must(value_of(expression, variables, scope))
  if given.raw or given.json then return write(value, given) end
  shell.write(tostring(value), "\n")
end

return eval
