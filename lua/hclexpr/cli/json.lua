-- hclexpr json: a configuration as JSON, and back.
local Findings = require "hclexpr.findings"
local body_api = require "hclexpr.body"
local calls = require "hclexpr.calls"
local core = require "hclexpr.core"
local declarations = require "hclexpr.body.declarations"
local files = require "hclexpr.files"
local hcl = require "hclexpr"
local inputs = require "hclexpr.cli.inputs"
local language = require("hclexpr.lazy") "hclexpr.cli.language"
local shell = require "hclexpr.cli.shell"
local sorted = require("hclexpr.util").sorted

local json = {
  arguments = "[--evaluate|--reverse|-language FILE] FILE|-",
  summary = "print a configuration file as JSON, or the reverse",
  examples = { "json main.tf", "json --reverse main.tf.json >main.tf" },
  statuses = { [1] = "the file can't be read, or is wrong", [3] = "a value is null or left out because only another program knows it" },
  help = [[
Prints a file in HCL's JSON syntax without evaluating it. Literal values stay, templates become strings, and other expressions become
"${…}". Blocks become arrays of objects, below a level of objects for each label. Numbers are exact, nulls stay, and the order is that of
the file.
]],
  options = {
    { "--reverse", "print a file of JSON syntax in native syntax. Arrays of objects become blocks, and objects around them become "
      .. "labels; but *.tf.json has Terraform's types of blocks, and *.tfvars.json has no blocks" },
    { "--dialect NAME", [[with --reverse: "terraform" or "attributes" (no blocks), whatever the file's name. Without it: "terraform" ]]
      .. [[writes a *.tf.json, where references and types that Terraform doesn't evaluate are "aws.west", not "${aws.west}"]] },
    { "--evaluate", [[print values, as hcl.load returns them, with "dynamic" blocks expanded. Also reads JSON syntax]] },
    { "--schema FILE", "with --evaluate: a Lua file that returns a schema, as for hcl.load; values are checked, and defaults filled in" },
    { "-language FILE", "print the values of a file of a described language. FILE is a Lua file that returns the description. "
      .. "References are addresses, kept expressions are \"${…}\", and values that only the program knows are left out" },
    { "--declarations", "with --evaluate: expressions may use the functions, variables and locals that the file declares. Files of "
      .. "BuildKit, Packer, Terragrunt and Nomad, recognized by their names, don't need the option; functions and names that only such a "
      .. "program knows are null" },
    { "--compact", "print everything on one line" },
    [[
If the name of FILE ends in .json, or standard input begins with a bracket, the input is JSON syntax already, and is only formatted. Names,
functions and limits of --evaluate:
]],
    inputs.options,
  },
}

local function is_json(name, text)
  return files.syntax_of(name) == "json" or (name == "-" and text:find "^%s*[{%[]" ~= nil)
end

-- Makes a lookup for names that only the file's program knows: their values are unknown. It notes in `lacks` the names that were asked for.
local function foreign_lookup(lacks)
  return function(reference)
    lacks[reference.root] = true
    return core.unknown "any"
  end
end

local function foreign_functions(body, filename, lacks)
  local known, functions, any = calls.known(body, filename), {}, { null = true, unknown = true, dynamic = true }
  for _, use in ipairs(body:calls()) do
    local name = use.name
    if known[name] == nil and not functions[name] and core.is_function_name(name) then
      functions[name] = hcl.func { variadic = any, impl = function()
        lacks[name .. "()"] = true
        return core.unknown "any"
      end }
    end
  end
  return functions
end

-- The hints for names that neither --var nor --functions can define.
local ways = { env = "--env gives the environment", ["env()"] = "--env gives the environment" }

local function warn_of(lacks, filename)
  for _, name in ipairs(sorted(lacks)) do
    local way = ways[name] or name:find "%(" and "--functions FILE may define it" or "--var gives a value"
    shell.warn(("%s: %s is null, because only the program that this file is for knows it; %s"):format(filename, name, way))
  end
end

local function write(value, indent, lacks)
  if not lacks then return shell.product_value(value, indent) end
  shell.product_json(indent, function(writer) require("hclexpr.cli.folders").write_known(writer, value) end)
end

local function evaluate(text, named, given)
  local body, lacks = shell.must(hcl.parse(text, named)), {}
  local _, foreign = calls.known(body, named.filename)
  if foreign then given.scope.functions, given.scope.lookup = foreign_functions(body, named.filename, lacks), foreign_lookup(lacks) end
  ---@type table?, hclexpr.Scope?
  local variables, scope = inputs.take(given)
  if given.declarations or foreign then
    local rest, err, own = declarations.take(body, variables, scope)
    body, variables, scope = shell.must(rest, err), nil, own
  end
  local schema = given.schema and require("hclexpr.cli.types").read_schema(given.schema, scope)
  local value, err = body_api.decode_value(body, variables, scope, schema)
  if value == nil then shell.must(nil, Findings.join(err)) end
  warn_of(lacks, named.filename)
  write(value, not given.compact and "  " or nil, next(lacks))
  return next(lacks) and shell.INCOMPLETE or shell.OK
end

-- The most names of left-out arguments that are shown.
local MOST_NAMES = 5

local function warn_of_unknown(names)
  local more = #names > MOST_NAMES and (" and %d more"):format(#names - MOST_NAMES) or ""
  local some = table.concat(names, ", ", 1, math.min(#names, MOST_NAMES))
  shell.warn("only the program knows these values, so they are left out: " .. some .. more)
end

-- Prints the values of files of a described language as JSON. Names and functions of the language's program are unknown here.
local function print_language(name, given)
  local variables, scope = inputs.take(given)
  local lang, incomplete = language.read(given.language), false
  for _, conf in ipairs(language.open(lang, name, { variables = variables, scope = scope, limits = given.limits })) do
    local values = shell.must(conf:values())
    local unknown = language.unknown_arguments(conf)
    if unknown[1] then warn_of_unknown(unknown) end
    incomplete = incomplete or unknown[1] ~= nil
    write(shell.must(hcl.value(language.data(conf, values))), not given.compact and "  " or nil, true)
  end
  return incomplete and shell.INCOMPLETE or shell.OK
end

-- Returns the dialect that the name of a Terraform file implies.
local function dialect_of(name)
  return name:find "%.tf%.json$" and "terraform" or name:find "%.tfvars%.json$" and "attributes" or nil
end

local dialects = { terraform = true, attributes = true }

local function check_options(given)
  local function exclude(first, second) shell.bad_usage(first .. " and " .. second .. " exclude each other") end
  for _, name in ipairs(given.language and { "reverse", "evaluate", "schema", "declarations", "dialect" } or {}) do
    if given[name] then exclude("-language", "--" .. name) end
  end
  if given.reverse and given.evaluate then exclude("--reverse", "--evaluate") end
  if given.reverse and given.compact then exclude("--reverse", "--compact") end
  if given.dialect and given.evaluate then exclude("--dialect", "--evaluate") end
  if given.schema and not given.evaluate then
    -- Before 1.0 the option named the dialect.
    if given.dialect or not dialects[given.schema] then shell.bad_usage "--schema FILE goes with --evaluate" end
    given.dialect = given.schema
  end
  if given.dialect and not dialects[given.dialect] then
    shell.bad_usage(("unknown dialect %q: use terraform or attributes"):format(given.dialect))
  end
  if given.declarations and not given.evaluate then shell.bad_usage "--declarations goes with --evaluate" end
  if given.dialect == "attributes" and not given.reverse then shell.bad_usage "--dialect attributes goes with --reverse" end
  if not (given.evaluate or given.language) and (#given.values > 0 or #given.functions > 0 or given.env or next(given.scope)) then
    shell.bad_usage "nothing is evaluated without --evaluate, so values and grants have no use"
  end
end

function json.run(args)
  local given, rest = shell.arguments(args, json)
  local name = shell.one(rest, "file", "- is standard input")
  check_options(given)
  if given.language then return print_language(name, given) end
  local text = shell.read(name)
  local named = { filename = shell.display_name(name), limits = given.limits }
  if given.evaluate then
    named.syntax = is_json(name, text) and "json" or "native"
    return evaluate(text, named, given)
  elseif given.reverse then
    named.dialect = given.dialect or dialect_of(name)
    shell.product(shell.must(hcl.from_json(text, named)))
  else
    named.syntax = is_json(name, text) and "json" or "native"
    named.indent, named.dialect = not given.compact and 2, given.dialect
    shell.product(shell.must(hcl.to_json(text, named)), "\n")
  end
end

return json
