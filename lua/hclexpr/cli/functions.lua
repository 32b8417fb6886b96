-- hclexpr functions: the built-in functions.
local hcl = require "hclexpr"
local layout = require "hclexpr.cli.layout"
local shell = require "hclexpr.cli.shell"

local functions = {
  arguments = "[NAME]",
  summary = "list the built-in functions, or describe one",
  examples = { "functions cidrsubnet", "functions | grep encode" },
  statuses = { [1] = "no function has that name" },
  help = [[
Lists the built-in functions with a line about each. With a NAME it describes that function.
]],
  options = {
    { "-json", "print the result of hcl.functions: an object for the function, or an object with all functions by name" },
  },
}

local function signature(fn)
  local params = {}
  for i, p in ipairs(fn.params) do params[i] = p.name .. ": " .. p.type end
  if fn.variadic then params[#params + 1] = fn.variadic.name .. ": " .. fn.variadic.type .. "..." end
  return string.format("%s(%s): %s", fn.name, table.concat(params, ", "), fn.returns)
end

-- Returns the message for an unknown function, with suggestions: the one that an expression with a call of it gets.
local function unknown(name)
  local call = name:find "^[%w_-]+$" and hcl.compile(name .. "()")
  local err = call and select(2, call:eval())
  return err and err[1].detail or "no built-in function is named " .. name
end

local function describe(name)
  local fn = hcl.functions(name)
  if not fn then shell.fail(unknown(name)) end
  local width = shell.width "stdout"
  shell.write(layout.wrap(signature(fn), width, 2), "\n")
  for _, text in ipairs { fn.summary, fn.description } do shell.write("\n", layout.wrap_lines(text, width), "\n") end
  shell.write("\nExample: ", fn.example, "\n")
end

local function list()
  local names, all, width = {}, hcl.functions(), 0
  for name in pairs(all) do
    names[#names + 1] = name
    width = math.max(width, #name)
  end
  table.sort(names)
  for _, name in ipairs(names) do shell.write(name, string.rep(" ", width - #name), "  ", all[name].summary, "\n") end
end

local function print_json(name)
  local found = hcl.functions(name)
  if not found then shell.fail(unknown(name)) end
  for _, fn in pairs(name and { found } or found) do hcl.array(fn.params) end
  shell.product_value(shell.must(hcl.value(found)), "  ")
end

function functions.run(args)
  local given, rest = shell.arguments(args, functions)
  if #rest > 1 then shell.bad_usage "expected at most one name" end
  if given.json then return print_json(rest[1]) end
  if rest[1] then return describe(rest[1]) end
  list()
end

return functions
