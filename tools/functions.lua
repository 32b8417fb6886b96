-- doc/functions.md, made of what the built-ins say about themselves: lua tools/functions.lua >doc/functions.md
-- Loaded by a spec it only gives the text.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local answers = dofile(support.root .. "spec/unit/catalogue_answers.lua")

-- What a capability is called for.
local CAPABILITIES = {
  filesystem = "Reads files: the scope's `filesystem` must name a folder.",
  clock = "Reads the clock: the scope's `clock` may set or forbid it.",
  random = "Takes random bytes: the scope's `random` may set or forbid them.",
}

local function parameter(p)
  return p.name .. ": " .. p.type .. (p.null and "?" or "")
end

local function signature(row)
  local parts = {}
  for i, p in ipairs(row.params) do parts[i] = parameter(p) end
  if row.variadic then parts[#parts + 1] = parameter(row.variadic) .. "..." end
  return row.name .. "(" .. table.concat(parts, ", ") .. ") → " .. row.returns
end

local all, out = hcl.functions(), {}
local function put(...) out[#out + 1] = table.concat({ ... }) end

local names = support.keys(all)

put "# Functions\n"
put "<!-- Made by `make docs` from hcl.functions(): change the rows in csrc/fn instead. -->\n"
put("All ", tostring(#names), " built-ins. After a name stands the type that the argument is converted to, `?` where null is taken too,")
put "and `...` where more may follow. A result of type `any` depends on the arguments. Each has its name with `core::` in front too,"
put "which a function of the scope can't hide.\n"
for _, name in ipairs(names) do
  local row = all[name]
  put("## ", name, "\n")
  put("`", signature(row), "`\n")
  put(((row.summary .. " " .. row.description):gsub("[*<]", "\\%0")), "\n")
  if row.capability then put(CAPABILITIES[row.capability], "\n") end
  put "```hcl"
  put(row.example)
  put("# ", answers[name] or "")
  put "```\n"
end
local text = table.concat(out, "\n")

if arg and arg[0] and arg[0]:match "functions%.lua$" then io.write(text) end
return text
