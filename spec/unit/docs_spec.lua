-- The documents: those that `make docs` makes of the rows of the sources are up to date; what guides show is what happens.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local root = support.root
local program = os.getenv "HCLEXPR_PROGRAM" or arg and arg[-1] or "lua"

describe("doc", function()
  for _, name in ipairs { "functions", "diagnostics" } do
    it(name .. ".md is up to date", function()
      assert.is_true(dofile(root .. "spec/tools/" .. name .. ".lua") == support.read(root .. "doc/" .. name .. ".md"), "run: make docs")
    end)
  end
end)

describe("doc/api.md", function()
  it("names the version", function()
    local version = require("hclexpr").version
    assert.matches("^%d+%.%d+%.%d+$", version)
    assert.truthy(support.read(root .. "doc/api.md"):find('| `hcl.version` | `"' .. version .. '"` |', 1, true))
  end)
end)

-- A guide's fenced pieces, in order: { language, name, text }.
local function pieces(text)
  local out = {}
  for info, piece in text:gmatch "\n```(%l+[^\n]*)\n(.-)\n```" do
    local language, name = info:match "^(%l+) ?(.*)$"
    out[#out + 1] = { language = language, name = name ~= "" and name or nil, text = piece }
  end
  return out
end

-- What a piece of Lua says is printed: all that stands behind arrows.
local function expected(text)
  local out = {}
  for line in (text .. "\n"):gmatch "(.-)\n" do out[#out + 1] = line:match "%-%-> ?(.*)$" end
  return table.concat(out, "\n")
end

-- All pieces of Lua are one program, in a folder that holds the named pieces as files; gives what each of them printed.
local function run_lua(list, folder)
  local printed, lines = {}, {}
  local environment = setmetatable({
    print = function(...)
      local words = { ... }
      for i = 1, select("#", ...) do words[i] = tostring(words[i]) end
      local out = printed[#printed]
      out[#out + 1] = (table.concat(words, "\t"):gsub("\n$", ""))
    end,
    begin_piece = function() printed[#printed + 1] = {} end,
    gives = function(want, got, line) assert.same(want, got, line) end,
    -- Lua has no working directory of its own: paths are those of the folder.
    io = { open = function(path, mode) return io.open(folder .. "/" .. path, mode) end },
    require = function(name)
      local module = require(name)
      if name ~= "hclexpr" then return module end
      return setmetatable({
        load = function(path, ...) return module.load(folder .. "/" .. path, ...) end,
      }, { __index = module })
    end,
  }, { __index = _G })
  for _, piece in ipairs(list) do
    if piece.language == "lua" then lines[#lines + 1] = "begin_piece()\n" .. piece.text end
  end
  local source = table.concat(lines, "\n")
  local chunk
  if setfenv then
    chunk = setfenv(assert(loadstring(source)), environment)
  else
    chunk = assert(load(source, "guide", "t", environment))
  end
  chunk()
  for i, out in ipairs(printed) do printed[i] = table.concat(out, "\n") end
  return printed
end

local here = support.output "pwd":gsub("\n", "")
local absolute_root = root:find "^/" and root or here .. "/" .. root

-- Runs `$ command` lines in the folder; gives what the terminal shows.
local function run_shell(text, folder)
  local function absolute(paths) return (paths:gsub("([^;]+)", function(p) return p:find "^/" and p or here .. "/" .. p end)) end
  local out = {
    ("cd '%s'; export LUA_PATH='%s;;' LUA_CPATH='%s;;'"):format(folder, absolute(package.path), absolute(package.cpath)),
    ("hclexpr() { '%s' -l hclexpr '%sbin/hclexpr' \"$@\"; }"):format(program, absolute_root),
  }
  for line in (text .. "\n"):gmatch "(.-)\n" do
    local command = line:match "^%$ (.*)$"
    if command then
      out[#out + 1] = "cat <<'END'\n" .. line .. "\nEND"
      out[#out + 1] = "{ " .. command .. "; } 2>&1"
    end
  end
  local script = support.temporary_file(table.concat(out, "\n") .. "\n")
  local shown = support.output("sh '" .. script .. "'"):gsub("\n$", "")
  os.remove(script)
  return shown
end

-- The lines `expression   --> value` as calls that compare the two.
local function with_values_checked(text)
  return ((text .. "\n"):gsub("([^\n]-) +%-%-> ([^\n]*)\n", function(code, value)
    if code == "" or code:find "^print" or code:find "^for " then return nil end
    return ("gives(%s, (%s), %q)\n"):format(value, code, code)
  end))
end

local function check_lua(list, least, folder)
  local n, printed = 0, run_lua(list, folder)
  for _, piece in ipairs(list) do
    if piece.language == "lua" then
      n = n + 1
      assert.equal(expected(piece.text), printed[n], piece.text)
    end
  end
  assert.is_true(n >= least)
end

describe("README.md", function()
  it("shows what Lua gives", function()
    local guide, n = support.read(root .. "README.md"):gsub("\n## A guide for OpenResty.*", "")
    assert.equal(1, n)
    local list = pieces(guide)
    for _, piece in ipairs(list) do piece.text = with_values_checked(piece.text) end
    check_lua(list, 6)
  end)
end)

describe("doc/api.md", function()
  it("shows what Lua gives", function()
    local list = {}
    for _, piece in ipairs(pieces(support.read(root .. "doc/api.md"))) do
      -- Dots stand for what a reader fills in.
      if piece.language == "lua" and not piece.text:find("...", 1, true) then
        piece.text = with_values_checked(piece.text)
        list[#list + 1] = piece
      end
    end
    check_lua(list, 2)
  end)
end)

describe("examples/demo.lua", function()
  it("runs", function()
    local said = run_shell("$ " .. ("'%s' -l hclexpr '%sexamples/demo.lua'"):format(program, absolute_root), ".")
    for _, line in ipairs {
      "GET /img/logo.png from 198.51.100.3 of hooli", "   refused", "  server 10.0.1.1:9000 weight=1;",
      "   12345678901234567890 * 10 + 1     123456789012345678901", 'No function is named "startwith". Did you mean "startswith"?',
    } do
      assert.truthy(("\n" .. said .. "\n"):find("\n" .. line .. "\n", 1, true), line .. " in " .. said)
    end
    assert.is_nil(said:find("traceback", 1, true))
  end)
end)

describe("doc/config.md", function()
  local folder, list

  setup(function()
    folder, list = support.temporary_folder(), pieces(support.read(root .. "doc/config.md"))
    for _, piece in ipairs(list) do
      if piece.name then support.write(folder .. "/" .. piece.name, piece.text .. "\n") end
    end
  end)
  teardown(function() support.remove(folder) end)

  it("shows what Lua prints", function() check_lua(list, 6, folder) end)

  it("shows what the command prints", function()
    for _, piece in ipairs(list) do
      if piece.language == "sh" then assert.equal(piece.text, run_shell(piece.text, folder)) end
    end
  end)
end)
