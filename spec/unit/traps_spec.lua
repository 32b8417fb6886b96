-- A folder that a user just opened may hold files named like modules. The command never loads one, from a checkout or as installed.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local cli = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../command.lua")
local quote = cli.quote
local root = support.output(("cd %s && pwd"):format(cli.root)):gsub("\n$", "")
local names = require("hclexpr.cli").names

local MODULES = {
  "hclexpr", "hclexpr/core", "hclexpr/line_edit", "hclexpr/cli", "hclexpr/lazy", "hclexpr/re2", "hclexpr/yaml", "redis", "socket",
  "ssl", "cjson", "lpeg", "readline",
}

-- A folder in which each module leaves a trace when it is loaded, and a Terraform module.
local function trapped()
  local folder = support.temporary_folder()
  local mark = folder .. "/loaded"
  support.write(folder .. "/main.tf", 'variable "x" { default = 1 }\noutput "x" { value = regex("a+", yamldecode("aa")) }\n')
  local source = ("local f = io.open(%q, 'a') f:write(...) f:close() return {}\n"):format(mark)
  for _, name in ipairs(MODULES) do
    for _, path in ipairs { name, name .. "/init" } do
      os.execute(("mkdir -p '%s/%s'"):format(folder, path:match "^(.*)/" or "."))
      support.write(("%s/%s.lua"):format(folder, path), source)
      support.write(("%s/%s.so"):format(folder, path), "no object: it can only fail")
    end
  end
  return folder, mark
end

-- The arguments of each command, and its standard input.
local ARGUMENTS = {
  eval = "'1 + 1'", render = "main.tf", json = "main.tf", decode = "main.tf", refs = "'a.b'", check = ".", functions = "regex", fmt = ".",
  publish = "main.tf redis://127.0.0.1:1/0/edge", rollback = "redis://127.0.0.1:1/0/edge 1", fleet = "redis://127.0.0.1:1/0/edge",
  lsp = "", help = "", version = "",
}

describe("a folder full of traps", function()
  local folder, mark, installed

  setup(function()
    folder, mark = trapped()
    local version = _VERSION:match "%d+%.%d+"
    installed = support.temporary_folder()
    local objects -- 5.1 has no package.searchpath
    for place in package.cpath:gmatch "[^;]+" do
      local path = place:gsub("%?", "hclexpr/core")
      objects = objects or support.exists(path) and path
    end
    local copy = "cd '%s'; mkdir -p bin share/lua/V lib/lua/V/hclexpr; cp -R %s/lua/. share/lua/V/; cp %s/*.so lib/lua/V/hclexpr/; "
      .. "cp %s/bin/hclexpr bin/"
    os.execute(copy:gsub("V", version):format(installed, quote(root), quote(objects:match "^(.*)/"), quote(root)))
  end)
  teardown(function()
    support.remove(folder)
    support.remove(installed)
  end)

  -- Runs a command there; paths: LUA_PATH and LUA_CPATH of a user who works with relative ones.
  local function run(command, name, paths)
    local line = "cd '%s' && echo 'var.x' | %s timeout 300 %s %s %s %s 2>&1"
    return support.output(line:format(folder, paths, quote(cli.program), quote(command), name, ARGUMENTS[name] or "."))
  end

  local function all(command, environment)
    for _, name in ipairs(names) do
      run(command, name, environment)
      assert.is_false(support.exists(mark), name)
    end
    assert.equal("2\n", run(command, "eval", environment))
  end

  it("is harmless to the command of a checkout", function()
    all(root .. "/bin/hclexpr", ("env LUA_PATH='./?.lua;./?/init.lua;;' LUA_CPATH='./?.so;%s;;'"):format(package.cpath))
  end)

  it("is harmless to the installed command", function()
    all(installed .. "/bin/hclexpr", "env LUA_PATH='./?.lua;;' LUA_CPATH='./?.so;;'")
    all(installed .. "/bin/hclexpr", "env -u LUA_PATH -u LUA_CPATH")
  end)

  it("harms a program that loads modules from it", function()
    local line = ("cd '%s' && env LUA_PATH='./?.lua;;' %s -e 'require \"redis\"'"):format(folder, quote(cli.program))
    support.output(line)
    assert.is_true(support.exists(mark))
    os.remove(mark)
  end)
end)
