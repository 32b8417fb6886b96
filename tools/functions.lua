-- Makes doc/functions.md from the descriptions of the built-ins: lua tools/functions.lua >doc/functions.md
-- Loaded by a spec, it only returns the text.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local answers = dofile(support.root .. "spec/unit/catalogue_answers.lua")

-- The purpose of each capability.
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

-- Themes, each with the files of csrc/fn that have its rows.
local THEMES = {
  { "Text", "string", "format", "regex", "template" },
  { "Numbers", "number" },
  { "Lists, sets and maps", "sequence", "sequence_search", "set", "map" },
  { "Types and errors", "convert", "meta", "assume" },
  { "Encodings", "json", "yaml", "csv", "encode" },
  { "Hashes, keys and identifiers", "hash", "crypto" },
  { "Networks", "cidr" },
  { "Time", "time" },
  { "Files and paths", "file", "file_path", "file_set" },
}

-- The library that a function needs, by its name.
local libraries = { replace = "RE2, for a `/pattern/`" }
for _, library in ipairs(support.libraries) do
  for _, name in ipairs(library) do libraries[name] = library.name end
end

local theme_of = {}
-- Rows have their names after .name, or as the first argument of a macro.
for _, pattern in ipairs { '%.name = "([%l%d]+)"', '%u%("([%l%d]+)"' } do
  for _, theme in ipairs(THEMES) do
    for i = 2, #theme do
      local source = support.read(support.root .. "csrc/fn/" .. theme[i] .. ".c")
      for name in source:gmatch(pattern) do theme_of[name] = theme_of[name] or theme[1] end
    end
  end
end
for _, name in ipairs(names) do
  if name:find "^assume" then theme_of[name] = "Types and errors" end
end

local function needs(name)
  local list = { libraries[name] }
  if all[name].capability then list[#list + 1] = "`" .. all[name].capability .. "`" end
  return table.concat(list, ", ")
end

put "# Functions\n"
put "<!-- Made by `make docs` from hcl.functions(): change the rows in csrc/fn instead. -->\n"
put("All ", tostring(#names), " built-in functions, by theme and then by name. In a shell, `hclexpr functions NAME` describes one.\n")
put "**Needs** names a library, which a build [may lack](building.md#what-a-build-without-a-library-loses), or a capability, which"
put "[the scope](api.md#hclscope) grants: `filesystem` is off by default, `clock` and `random` are on."
local listed = 0
for _, theme in ipairs(THEMES) do
  put("\n## ", theme[1], "\n")
  put "| function | does | needs |"
  put "|---|---|---|"
  for _, name in ipairs(names) do
    if theme_of[name] == theme[1] then
      listed = listed + 1
      put("| [`", name, "`](#", name, ") | ", (all[name].summary:gsub("[*<|]", "\\%0")), " | ", needs(name), " |")
    end
  end
end
assert(listed == #names, "a function has no theme")

put "\n## Each function\n"
put "After the name of an argument is the type that it is converted to, `?` if it may be null, `...` if more may follow. A result of"
put "type `any` depends on the arguments. Each function also has its name with `core::` in front, which no function of a scope hides.\n"
for _, name in ipairs(names) do
  local row = all[name]
  put("### ", name, "\n")
  put("`", signature(row), "`\n")
  put(((row.summary .. " " .. row.description):gsub("[*<]", "\\%0")), "\n")
  if row.capability then put(CAPABILITIES[row.capability], "\n") end
  if libraries[name] then put("Needs ", libraries[name], ".\n") end
  put "```hcl"
  put(row.example)
  put("# ", answers[name] or "")
  put "```\n"
end
local text = table.concat(out, "\n")

if arg and arg[0] and arg[0]:match "functions%.lua$" then io.write(text) end
return text
