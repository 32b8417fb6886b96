-- Our own checks: includes go in one direction through the layers, only the binding includes Lua, one file each
-- includes a foreign library, files stay short, headers are guarded and documented, nothing names a path of one machine,
-- turns of phrase don't increase, commit subjects have the right form.
-- Usage: lua tools/lint.lua   (in the root of the repository)
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local read, list = support.read, support.lines

local LAYERS = { "base", "library", "text", "syntax", "value", "vm", "fn", "config", "binding", "testing", "terminal" }
-- The rooms of a layer, lowest first; "" is the layer's own folder.
local ROOMS = { binding = { "state", "data", "objects", "host", "api" }, vm = { "", "compile", "machine" } }
local MAX_LINES, MAX_COLUMNS = 800, 140
-- The headers of foreign libraries, or their folders, and the only folder or file that may include them.
local OWNERS = {
  ["lua.h"] = "csrc/binding/", ["lauxlib.h"] = "csrc/binding/", ["lualib.h"] = "csrc/binding/",
  ["utf8proc.h"] = "csrc/text/ucd.c", ["gmp.h"] = "csrc/value/number/limbs.h", ["re2/"] = "csrc/library/re2.cc",
  ["yaml.h"] = "csrc/library/yaml.c", ["openssl/"] = "csrc/library/", ["crypt.h"] = "csrc/library/crypt.c",
  ["editline/"] = "csrc/terminal/", ["zlib.h"] = "csrc/library/zlib.c", ["iconv.h"] = "csrc/fn/encode_text.c",
}

local function ranks(names)
  local of = {}
  for i, name in ipairs(names) do of[name] = i end
  return of
end
local rank = ranks(LAYERS)

local problems = 0
local function problem(path, line, text)
  problems = problems + 1
  io.stderr:write(path, line and ":" .. line or "", ": ", text, "\n")
end

local function check_include(path, number, layer, header, quoted)
  local owner = OWNERS[header] or OWNERS[header:match "^%w+/"]
  if owner and path:sub(1, #owner) ~= owner then problem(path, number, header .. " may only be included in " .. owner) end
  if not quoted then return end
  local other = header:match "^(%w+)/"
  if not other or not rank[other] then
    problem(path, number, 'include "' .. header .. '" by its folder: "layer/name.h"')
  elseif rank[other] > rank[layer] then
    problem(path, number, layer .. " must not include " .. other .. " (" .. header .. ")")
  elseif layer == "value" and other == "syntax" then
    problem(path, number, "value knows nothing of syntax: vm is the first to see both (" .. header .. ")")
  elseif layer == other and ROOMS[layer] then
    local height = ranks(ROOMS[layer])
    local room, below = path:match "^csrc/%w+/(%w+)/" or "", header:match "^%w+/(%w+)/" or ""
    if not height[room] or not height[below] then
      problem(path, number, layer .. " has the rooms " .. table.concat(ROOMS[layer], ", "))
    elseif height[below] > height[room] then
      problem(path, number, layer .. "/" .. room .. " must not include " .. header)
    end
  end
end

local function check_header(path, text)
  -- A list is included more than once, to be expanded: it has no guard.
  if path:match "_list%.h$" then return end
  local guard = "HX_" .. path:gsub("^csrc/", ""):gsub("[/.]", "_"):upper()
  if not text:find("#ifndef " .. guard .. "\n#define " .. guard .. "\n", 1, true) then problem(path, 1, "no guard " .. guard) end
  for _, word in ipairs { "Memory:", "Errors:" } do
    if not text:find(word, 1, true) then problem(path, 1, "its comment has no line " .. word) end
  end
end

for _, path in ipairs(list "find csrc -name '*.c' -o -name '*.h' -o -name '*.cc' | sort") do
  local layer, text, number, first = path:match "^csrc/(%w+)/", read(path), 0, nil
  if not rank[layer] then problem(path, nil, "not in a folder of a layer") end
  for line in text:gmatch "([^\n]*)\n" do
    number = number + 1
    local open, header = line:match '^%s*#%s*include%s*([<"])([^>"]+)'
    if header and rank[layer] then
      first = first or header
      check_include(path, number, layer, header, open == '"')
    end
    if line:find "HX_STR_ARG%([%w_]+%(" then problem(path, number, "HX_STR_ARG of a call makes it twice") end
    local columns = #line:gsub("[\128-\191]", "")
    if columns > MAX_COLUMNS and not path:match "_list%.h$" then problem(path, number, columns .. " columns: break the line") end
    if line:find "[ \t]$" then problem(path, number, "spaces at the end of the line") end
  end
  if path:match "%.h$" then check_header(path, text) end
  -- A source includes its own header first, which proves that the header does by itself.
  local own = path:gsub("^csrc/", ""):gsub("%.cc?$", ".h")
  if not path:match "%.h$" then
    if support.exists("csrc/" .. own) and first ~= own then problem(path, nil, 'does not include "' .. own .. '" first') end
  end
end

-- ---- floors of the Lua layer ----------------------------------------------------------------------------------------------
-- A file names only files of its own floor and of lower ones, wherever it loads them: each name of a module is a literal string.

-- The first pattern that matches the beginning of a module's name gives its floor; within terraform/ each room is one.
local FLOORS = {
  { "hclexpr%.terraform%.language%.diagnostics$", 0 }, -- rows without dependencies
  { "hclexpr%.cli", 30 }, { "hclexpr%.nvim", 25 }, { "hclexpr%.health", 25 }, { "hclexpr%.lsp$", 22 }, { "hclexpr%.service", 21 },
  { "hclexpr%.editor%.", 20 }, { "hclexpr%.terraform%.module$", 13 }, { "hclexpr%.terraform%.tests%.", 12 },
  { "hclexpr%.terraform%.show%.json%.", 11 }, { "hclexpr%.terraform%.module%.", 10 }, { "hclexpr%.terraform%.evaluate%.", 9 },
  { "hclexpr%.terraform%.show%.", 9 },
  { "hclexpr%.terraform%.plan%.", 8 }, { "hclexpr%.terraform%.run%.", 7 }, { "hclexpr%.terraform%.instance%.", 7 },
  { "hclexpr%.terraform%.graph%.", 6 },
  -- A provider knows its schemas and the questions: neither dependencies nor planning.
  { "hclexpr%.terraform%.providers%.", 5 },
  { "hclexpr%.terraform%.tree%.", 4 }, { "hclexpr%.terraform%.read%.", 3 }, { "hclexpr%.terraform%.schema%.", 2 },
  { "hclexpr%.terraform%.language%.", 1 }, { "hclexpr%.language$", 0.5 }, { "hclexpr%.languages%.", 0.5 }, { "hclexpr%.", 0 },
}
-- Doors: parts of higher floors that a lower floor opens on first use. They never load the lower floor's callers.
local DOORS = { ["lua/hclexpr/terraform/module.lua"] = true, ["lua/hclexpr/service.lua"] = true, ["lua/hclexpr.lua"] = true,
                ["lua/hclexpr/json/shapes.lua"] = true }

local function floor_of(name)
  for _, row in ipairs(FLOORS) do
    if name:find("^" .. row[1]) then return row[2] end
  end
end

local loads = {} -- the names that a file has, by its own
for _, path in ipairs(list "find lua/hclexpr lua/hclexpr.lua -name '*.lua' | sort") do
  local module, number = path:gsub("^lua/", ""):gsub("%.lua$", ""):gsub("/", "."), 0
  local own = floor_of(module) or 0
  loads[module] = {}
  for line in read(path):gmatch "([^\n]*)\n" do
    number = number + 1
    for name in line:gmatch '"(hclexpr%.[%w_.]+)"' do
      local floor = floor_of(name)
      if name ~= module then table.insert(loads[module], name) end -- hclexpr.core loads the library of its name
      if name:find "%.$" and floor ~= own then problem(path, number, "write the whole name of the module, so that its floor can be seen")
      elseif floor > own and not DOORS[path] then
        problem(path, number, name .. " is on a higher floor: move what both need to the lower one")
      end
    end
  end
end

-- No file loads a file that loads it, on first use or at once.
local visited = {}
local function visit(module, way)
  way = way .. " > " .. module
  if visited[module] == "open" then problem("lua/", nil, "these load each other:" .. way) end
  if visited[module] or not loads[module] then return end
  visited[module] = "open"
  for _, name in ipairs(loads[module]) do visit(name, way) end
  visited[module] = "done"
end
for _, module in ipairs(support.keys(loads)) do visit(module, "") end

-- ---- one local name for one module ----------------------------------------------------------------------------------------------
-- So that a name means the same wherever one reads it.

local named_so = {} -- the first local name of a module, and where it is
for _, path in ipairs(list "find lua -name '*.lua' | sort") do
  local number = 0
  for line in read(path):gmatch "([^\n]*)\n" do
    number = number + 1
    local plain = line:gsub('require%("hclexpr%.lazy"%)', "lazy"):gsub("%f[%w_]lazy%.load%f[^%w_]", "lazy")
    local name, loader, module, rest = plain:match '^%s*local%s+([%w_]+)%s*=%s*(%l+)%s*%(?"([%w_.]+)"%)?(.*)'
    -- What follows the name of a module asks for a field of it, or calls it.
    if (loader == "require" or loader == "lazy") and not rest:find "^%s*[.:({\"']" then
      local first = named_so[module] or { name = name, at = path .. ":" .. number }
      named_so[module] = first
      if name ~= first.name then
        problem(path, number, ("%s is %s here and %s in %s: give it one name"):format(module, name, first.name, first.at))
      end
    end
  end
end

-- ---- what only some rooms name ------------------------------------------------------------------------------------------------

-- The types of the built-in provider may be named only in its room and its schemas; what tests add to a run, only in tests.
local TYPES = {}
for name, rows in pairs(dofile("lua/hclexpr/terraform/schema/builtin.lua").provider) do
  if name:find "_schemas$" then for type in pairs(rows) do TYPES[#TYPES + 1] = type end end
end

for _, path in ipairs(list "find lua/hclexpr -name '*.lua' | sort") do
  local of_providers = path:find "/terraform/providers/" or path:find "/terraform/schema/builtin"
  local of_tests = path:find "/terraform/tests/" or not path:find "/terraform/"
  local number = 0
  for line in read(path):gmatch "([^\n]*)\n" do
    number = number + 1
    local code = line:gsub("%-%-.*", "")
    for _, type in ipairs(not of_providers and TYPES or {}) do
      local is_named = code:find('"' .. type .. '"', 1, true) or code:find("%f[%w_]" .. type .. "%s*=")
        or code:find("%." .. type .. "%f[^%w_.]")
      if is_named then problem(path, number, type .. " is known to lua/hclexpr/terraform/providers alone: ask the provider") end
    end
    if not of_tests and code:lower():find "%f[%a]trial%f[%A]" then
      problem(path, number, "trials are known to lua/hclexpr/terraform/tests alone: give the Run what it does otherwise")
    end
  end
end

-- ---- what decides ---------------------------------------------------------------------------------------------------------------

-- What becomes of an instance is decided in one place, and settled in another; the rest draws it.
local DECIDES = { ["lua/hclexpr/terraform/plan/change.lua"] = true, ["lua/hclexpr/terraform/plan/changes.lua"] = true }
local ACTIONS = { create = true, update = true, replace = true, ["no-op"] = true, delete = true, forget = true, read = true, import = true }

-- A diagnostic is known by its code, reason and name: its text is for people, and changes. Exceptions show it in other words:
local READS_TEXTS = {
  ["lua/hclexpr/findings.lua"] = "makes a part of a sentence of it",
  ["lua/hclexpr/terraform/providers/remote_state.lua"] = "shows the fault of file() without its words about an argument",
}
local METHODS = { find = true, match = true, gmatch = true, gsub = true, sub = true }

local function reads_text(code)
  for _, field in ipairs { "summary", "detail", "message" } do
    local compared = code:match("%." .. field .. '%s*[=~]=%s*["\']([^"\']*)')
    -- Any text, or none, isn't compared with a text; and "message" alone is what a server is sent.
    if compared and compared ~= "" then return true end
    if METHODS[code:match("%." .. field .. "%s*:%s*(%l+)")] or METHODS[code:match("string%.(%l+)%s*%([^,]*%." .. field .. "%f[%W]")] then
      return true
    end
    if field ~= "message" and METHODS[code:match("%f[%w_]" .. field .. "%s*:%s*(%l+)")] then return true end
  end
end

for _, path in ipairs(list "find lua -name '*.lua' | sort") do
  local number = 0
  for line in read(path):gmatch "([^\n]*)\n" do
    number = number + 1
    local code = line:gsub("%-%-.*", "")
    local is_of_plans = path:find "/terraform/" or path:find "/cli/"
    if is_of_plans and not DECIDES[path] and (code:find "%.action%s*=[^=]" or ACTIONS[code:match '%f[%w_]action%s*=%s*"([%l-]+)"']) then
      problem(path, number, "an action is set in lua/hclexpr/terraform/plan/change.lua and changes.lua alone: ask them")
    end
    if not READS_TEXTS[path] and reads_text(code) then
      problem(path, number, "what a diagnostic says decides nothing: go by its code and reason, or keep what was found beside it")
    end
  end
end

-- ---- diagnostics of folders: each that is named has a row, and each row is named -------------------------------------------

local DIAGNOSTICS = "lua/hclexpr/terraform/language/diagnostics.lua"
local rows, named = dofile(DIAGNOSTICS).rows, {}
for _, path in ipairs(list "find lua/hclexpr -name '*.lua' | sort") do
  local text = path == DIAGNOSTICS and "" or read(path)
  for name in text:gmatch '%f[%w_]MODULE_[%u_]+%f[^%w_]' do
    named[name] = true
    if not rows[name] then problem(path, nil, name .. " has no row in " .. DIAGNOSTICS) end
  end
  if text:find('core.diagnose("MODULE_', 1, true) then problem(path, nil, "the core knows no row of folders: Findings.diagnose does") end
end
for name in pairs(rows) do
  if not named[name] then problem(DIAGNOSTICS, nil, name .. " is named nowhere") end
end

local files = list [[find csrc lua bin spec tools bench fuzz examples doc rockspec .ci Makefile README.md CHANGELOG.md -type f \
  ! -name '*.jsonl' ! -path 'spec/conformance/fixtures/*' | sort]]
for _, path in ipairs(files) do
  local number = 0
  for line in read(path):gmatch "([^\n]*)\n?" do
    number = number + 1
    for _, root in ipairs { "work", "root", "home", "farm" } do
      local at = line:find("/" .. root .. "/", 1, true)
      -- Such a folder within a longer path may belong to a user.
      if at and not line:sub(1, at - 1):find "[%w._]$" then problem(path, number, "names a path of one machine: /" .. root .. "/") end
    end
  end
  if (path:match "^csrc/" or path:match "%.lua$") and number - 1 > MAX_LINES then
    problem(path, nil, number - 1 .. " lines: split it by topic")
  end
end

dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "turns.lua").check(support, problem)
dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "subjects.lua").check(problem)

if problems > 0 then
  io.stderr:write(problems, " problem(s)\n")
  os.exit(1)
end
