-- hclexpr decode: writes a body as JSON, as a decode specification says. Options and output are those of the reference's own tool, so that
-- the language's test suite can use this command instead.
local core = require "hclexpr.core"
local files = require "hclexpr.files"
local hcl = require "hclexpr"
local inputs = require "hclexpr.cli.inputs"
local jsontext = require "hclexpr.json.text"
local levels = require "hclexpr.spec.levels"
local shell = require "hclexpr.cli.shell"

local decode = {
  arguments = "--spec=SPEC [OPTIONS] [FILES]",
  summary = "print the contents of files as JSON, by a decode specification",
  examples = { "decode --spec=service.hcldec service.hcl", [[decode --spec=service.hcldec --vars='{ "n": 3 }' --with-type service.hcl]] },
  statuses = { [1] = "a file can't be read, or does not fit the specification" },
  help = [[
Reads FILES, or standard input, as one body, and prints the JSON value that the specification makes of it. Files whose names end in .json
are read as JSON syntax. Options and output are those of hcldec.
]],
  options = {
    { "-s, --spec FILE", "the specification" },
    { "-V, --vars VARS", "named values: a JSON object, or a file of arguments", into = "vars", act = table.insert },
    { "--with-type", 'print { "value": ..., "type": ... }' },
    { "--keep-nulls", "also print attributes that are null" },
    { "--var-refs", "print only the named values that the files use" },
    { "--diags json", "print diagnostics as JSON" },
    { "-o, --out FILE", "print to a file" },
    inputs.limit,
    { "-v, --version" },
  },
}

-- Diagnostics as JSON

local function write_diagnostic(writer, d)
  for _, name in ipairs { "severity", "summary", "detail" } do
    writer:field(name, d[name])
  end
  if d.range then writer:range("subject", d.range) end
end

local function write_diagnostics(writer, err)
  writer:objects("diagnostics", write_diagnostic, err)
end

local function diagnostics_json(err)
  local writer = jsontext.writer { indent = "  ", html = true }
  writer:object(nil, write_diagnostics, err)
  return writer:text()
end

local function fail(o, err)
  if o.diags == "json" then shell.say_product(diagnostics_json(err), "\n") else shell.report(err) end
  shell.stop(shell.BAD_INPUT)
end

-- Input

local function read_file(name)
  local why = shell.pipe_fault(name)
  if why then return nil, core.diagnose("LOAD_FAILED", nil, nil, why) end
  return files.read(name)
end

-- Parses a file; returns its Body, or nil and Diagnostics. literal: strings of JSON aren't templates, as in the reference without named
-- values.
local function parse_file(name, literal, limits)
  if name == "-" then return hcl.parse(shell.read "-", { filename = "<stdin>", limits = limits }) end
  local text, err = read_file(name)
  if not text then return nil, err end
  if files.syntax_of(name) == "native" then return hcl.parse(text, { filename = name, limits = limits }) end
  return core.parse(text, { filename = name, limits = limits, syntax = literal and "json-literal" or "json" })
end

local function add_variables(variables, body, scope, errors)
  if body.blocks[1] then
    local block = body.blocks[1]
    errors[#errors + 1] = core.diagnose("SPEC_BLOCK_STRAY", block, block.type_range, "Variables are arguments, not blocks.")
  end
  for _, attribute in ipairs(levels.attributes_of(body)) do
    local value, err = attribute:value({}, scope)
    variables[attribute.name] = value
    errors[#errors + 1] = err
  end
end

local function read_variables(o, scope, errors)
  local variables = {}
  for i, vars in ipairs(o.vars) do
    local body, err
    if vars:find "^%s*{" then
      body, err = core.parse(vars, {
        filename = string.format("<vars argument %d>", i - 1), limits = o.limits, syntax = "json-literal",
      })
    else
      body, err = parse_file(vars, true, o.limits)
    end
    if body then add_variables(variables, body, scope, errors) end
    errors[#errors + 1] = err
  end
  return variables
end

local function read_bodies(o, literal, errors)
  local bodies = {}
  for _, name in ipairs(#o.files > 0 and o.files or { "-" }) do
    local body, err = parse_file(name, literal, o.limits)
    bodies[#bodies + 1] = body
    errors[#errors + 1] = err
  end
  return bodies
end

local function read_spec(o)
  local text, err
  if o.spec == "-" then text = shell.read "-" else text, err = read_file(o.spec) end
  local spec
  if text then
    spec, err = hcl.spec(text, { filename = o.spec == "-" and "<stdin>" or o.spec, syntax = files.syntax_of(o.spec), limits = o.limits })
  end
  if not spec then fail(o, err) end
  return spec
end

-- Output

-- Writes to a device or a pipe; returns nil and the reason on failure.
local function write_through(path, text)
  local file, why = io.open(path, "wb")
  if not file then return nil, why end
  local wrote, fault = file:write(text)
  local closed, late = file:close() -- a full device may show only here
  if wrote and closed then return true end
  return nil, ("%s: %s"):format(path, fault or late)
end

local function print_to(o, text)
  if not o.out then return shell.product(text, "\n") end
  local ok, err = core.replace_file(o.out, text .. "\n")
  if not ok and err:find "not a regular file$" then ok, err = write_through(o.out, text .. "\n") end
  if not ok then shell.fail("can't write " .. err) end
end

local function write_value(writer, value, o)
  local ok, why = jsontext.write(writer, value, not o.keep_nulls)
  if not ok then shell.fail(why) end
end

-- Writes a value as JSON, as the reference does: without nulls the type comes first, and a value that is null is left out.
local function value_json(value, o)
  local writer, type = jsontext.writer { html = true }, value:type()
  if not o.with_type or type:kind() == "dynamic" then
    write_value(writer, value, o)
    return writer:text()
  end
  writer:object(nil, function()
    if not o.keep_nulls then writer:raw_field("type", type:json()) end
    if o.keep_nulls or not value:is_null() then
      writer:key "value"
      write_value(writer, value, o)
    end
    if o.keep_nulls then writer:raw_field("type", type:json()) end
  end)
  return writer:text()
end

-- References

-- Writes the number of an index step as JSON does.
local function index_text(text)
  local expression = hcl.compile(text)
  return expression and expression:value():text() or text
end

-- How each kind of step of a traversal is written; `raw` gives the JSON text of a step that isn't a string.
local step_rows = {
  root = { kind = "root", field = "name" },
  attr = { kind = "attr", field = "name" },
  key = { kind = "index", field = "key" },
  number = { kind = "index", field = "key", raw = index_text },
  constant = { kind = "index", field = "key", raw = tostring },
}

local function write_step(writer, step)
  local row = step_rows[step.kind]
  writer:field("kind", row.kind)
  if row.raw then writer:raw_field(row.field, row.raw(step.text)) else writer:field(row.field, step.text) end
  writer:range("range", step.range)
end

-- Returns the JSON text of the current value of a traversal, if JSON can hold that value.
local function value_of(traversal, variables, scope)
  local expression = hcl.compile(traversal.path)
  local value = expression and expression:value(variables, scope)
  local writer = jsontext.writer { indent = "  ", html = true, depth = 2 }
  return value and jsontext.write(writer, value) and writer:text() or nil
end

local function references_json(spec, bodies, variables, scope)
  local writer, known, traversals = jsontext.writer { indent = "  ", html = true }, spec:variables(), {}
  for name, value in pairs(variables) do known[name] = value end
  for _, attribute in ipairs(spec:attributes(bodies)) do
    for _, traversal in ipairs(core.traversals(attribute.expression)) do traversals[#traversals + 1] = traversal end
  end
  writer:objects(nil, function(_, traversal)
    local value = value_of(traversal, known, scope)
    writer:field("root_name", traversal.steps[1].text)
    if value then writer:raw_field("value", value) end
    writer:objects("steps", write_step, traversal.steps)
    writer:range("range", traversal.range)
  end, traversals)
  return writer:text()
end

-- The command

local function read_options(args)
  local o, rest = shell.arguments(args, decode)
  o.files = rest
  if o.diags and o.diags ~= "json" then shell.bad_usage("--diags takes json, not " .. o.diags) end
  if not o.spec and not o.version then shell.bad_usage "--spec is missing: the file of the specification" end
  local from_input = 0
  for _, names in ipairs { { o.spec }, o.vars, #o.files > 0 and o.files or { "-" } } do
    for _, name in ipairs(names) do from_input = from_input + (name == "-" and 1 or 0) end
  end
  if from_input > 1 then shell.bad_usage "standard input holds one file only: name the others" end
  return o
end

function decode.run(args)
  local o = read_options(args)
  if o.version then return shell.write("hclexpr ", hcl.version, "\n") end
  local spec, errors, scope = read_spec(o), {}, hcl.scope { stdlib = false, limits = o.limits }
  local variables = read_variables(o, scope, errors)
  local literal = next(variables) == nil and not spec:defines() and not o.var_refs
  local bodies = read_bodies(o, literal, errors)
  if #errors > 0 then fail(o, core.join_diagnostics(errors)) end
  if o.var_refs then return print_to(o, references_json(spec, bodies, variables, scope)) end
  local value, err = spec:decode(bodies, variables, scope)
  if value == nil then fail(o, err) end
  print_to(o, value_json(value, o))
end

return decode
