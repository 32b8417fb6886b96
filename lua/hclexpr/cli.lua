-- The hclexpr command: the module in a shell. Exit status 0; 1 for bad input; 2 for bad usage.
local hcl = require "hclexpr"

local OK, BAD_INPUT, BAD_USAGE = 0, 1, 2

local usage = [[
usage: hclexpr COMMAND [ARGUMENTS]

  eval EXPRESSION [--var NAME=VALUE]... [--var-file FILE]   print the value of an expression
  render FILE [--var NAME=VALUE]... [--var-file FILE]       print a template file, rendered
  refs FILE                                                 list the named values that a file depends on
  check FILES                                               report what is wrong in configuration files
  functions [NAME]                                          list the built-in functions, or describe one
  version                                                   print the version
  help                                                      print this

VALUE is an expression, or text where it is none. FILE may be - for standard input.
]]

-- A command ends early by raising this table: the main function prints its message.
local function stop(status, message)
  error({ status = status, message = message }, 0)
end

local function bad_usage(message)
  stop(BAD_USAGE, "hclexpr: " .. message .. "\nTry: hclexpr help")
end

local function read_file(name)
  if name == "-" then return io.read "*a" end
  local file, err = io.open(name, "rb")
  if not file then stop(BAD_INPUT, "hclexpr: " .. err) end
  local text = file:read "*a"
  file:close()
  if not text then stop(BAD_INPUT, "hclexpr: can't read " .. name) end
  return text
end

local function display_name(name)
  return name == "-" and "standard input" or name
end

-- The value, or the end with the report of err.
local function must(value, err)
  if value == nil then stop(BAD_INPUT, tostring(err)) end
  return value
end

-- A variable's text: an expression that needs no names, else the text itself.
local function variable_value(text)
  local expression = hcl.compile(text)
  local value = expression and #expression:references() == 0 and expression:value()
  return value or hcl.value(text)
end

local function read_variables_file(name, variables)
  local body = must(hcl.parse(read_file(name), { filename = display_name(name) }))
  for key, attribute in pairs(body.attributes) do variables[key] = must(attribute:value()) end
end

-- Splits arguments into options for variables and the rest.
local function split(args)
  local variables, rest, i = {}, {}, 1
  local function option(name)
    local value = args[i]:match("^%-%-" .. name:gsub("%-", "%%-") .. "=(.*)$")
    if value then return value end
    if args[i] ~= "--" .. name then return nil end
    i = i + 1
    return args[i] or bad_usage("--" .. name .. " takes a value")
  end
  while args[i] do
    local var = option "var"
    local file = not var and option "var-file"
    if var then
      local name, text = var:match "^([^=]+)=(.*)$"
      if not name then bad_usage("--var takes NAME=VALUE, not " .. var) end
      variables[name] = must(variable_value(text))
    elseif file then
      read_variables_file(file, variables)
    elseif args[i]:match "^%-%-." then
      bad_usage("unknown option " .. args[i])
    else
      rest[#rest + 1] = args[i]
    end
    i = i + 1
  end
  return variables, rest
end

local function one(rest, what)
  if #rest ~= 1 then bad_usage("expected one " .. what) end
  return rest[1]
end

local commands = {}

function commands.eval(args)
  local variables, rest = split(args)
  local source = one(rest, "expression")
  if source == "-" then source = read_file "-" end
  local value = must(must(hcl.compile(source)):value(variables, hcl.scope { console = true }))
  io.write(tostring(value), "\n")
end

function commands.render(args)
  local variables, rest = split(args)
  local name = one(rest, "file")
  local template = must(hcl.compile(read_file(name), { filename = display_name(name), syntax = "template" }))
  io.write(must(template:value(variables)):text())
end

function commands.refs(args)
  local _, rest = split(args)
  local name = one(rest, "file")
  local text, filename = read_file(name), display_name(name)
  local found = hcl.parse(text, { filename = filename })
  found = found or must(hcl.compile(text, { filename = filename }))
  for _, ref in ipairs(found:references()) do
    io.write(string.format("%s:%d:%d: %s\n", filename, ref.range.start.line, ref.range.start.column, ref.path))
  end
end

function commands.check(args)
  local _, rest = split(args)
  if #rest == 0 then bad_usage "expected files" end
  local failed = false
  for _, name in ipairs(rest) do
    local body, err = hcl.parse(read_file(name), { filename = display_name(name) })
    if not body then
      failed = true
      io.stderr:write(tostring(err), "\n")
    end
  end
  if failed then stop(BAD_INPUT) end
end

local function signature(fn)
  local params = {}
  for i, p in ipairs(fn.params) do params[i] = p.name .. ": " .. p.type end
  if fn.variadic then params[#params + 1] = fn.variadic.name .. ": " .. fn.variadic.type .. "..." end
  return string.format("%s(%s): %s", fn.name, table.concat(params, ", "), fn.returns)
end

local function describe(name)
  local fn = hcl.functions(name)
  if not fn then stop(BAD_INPUT, "hclexpr: no built-in function is named " .. name) end
  io.write(signature(fn), "\n")
  for _, text in ipairs { fn.description or fn.summary or "", fn.example and "Example: " .. fn.example or "" } do
    if text ~= "" then io.write("\n", text, "\n") end
  end
end

function commands.functions(args)
  if #args > 1 then bad_usage "expected at most one name" end
  if args[1] then return describe(args[1]) end
  local names = {}
  for name in pairs(hcl.functions()) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do io.write(string.format("%-18s %s\n", name, hcl.functions(name).summary or "")) end
end

function commands.version()
  io.write("hclexpr ", hcl.version, "\n")
end

function commands.help()
  io.write(usage)
end

local aliases = { ["--help"] = "help", ["-h"] = "help", ["--version"] = "version" }

local function asks_for_help(args)
  for _, a in ipairs(args) do
    if a == "--help" then return true end
  end
  return false
end

-- Runs a command line; returns the exit status.
local function main(args)
  local name = aliases[args[1]] or args[1]
  local command = name and commands[name]
  if not command then
    io.stderr:write(name and "hclexpr: no command " .. name .. "\n\n" or "", usage)
    return BAD_USAGE
  end
  local rest = {}
  for i = 2, #args do rest[i - 1] = args[i] end
  if asks_for_help(rest) then command = commands.help end
  local ok, err = pcall(command, rest)
  if ok then return OK end
  if type(err) ~= "table" or not err.status then error(err, 0) end
  if err.message then io.stderr:write(err.message, "\n") end
  return err.status
end

return { main = main }
