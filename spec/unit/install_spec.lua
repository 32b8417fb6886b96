-- make install and uninstall, of this run's module into an empty folder.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local cli = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../command.lua")

local lua = os.getenv "HCLEXPR_LUA"
local built = lua and io.open(("%sbuild/test/%s/hclexpr/core.so"):format(support.root, lua))
if not built or os.getenv "LD_PRELOAD" then return end
built:close()

describe("make", function()
  local prefix
  setup(function() prefix = cli.begin() .. "/prefix" end)
  teardown(cli.finish)

  local function make(arguments)
    local line = ("cd %s && MAKEFLAGS= make --no-print-directory -s CONFIG=test DEPS=0 LUA=%s PREFIX=%s %s 2>&1; echo status $?"):format(
      cli.root, lua, cli.quote(prefix), arguments)
    local out = support.output(line)
    assert.equal("0", out:match "status (%d+)\n$", out)
    return out
  end

  local function interpreter()
    local file = assert(io.open(prefix .. "/bin/hclexpr"))
    local line = file:read "*l"
    file:close()
    return line:match "^#!/usr/bin/env (%S+)$"
  end

  it("installs the command for one Lua, keeps it there, and removes everything again", function()
    make "install COMMAND_LUA=sh"
    assert.equal("sh", interpreter())
    local out = make "install"
    assert.truthy(out:find("is left with sh (make install LUA=" .. lua .. " COMMAND=1", 1, true), out)
    assert.equal("sh", interpreter())
    make "install COMMAND_LUA=no-such-lua COMMAND=1"
    make "install"
    local shown = support.output(("%s/bin/hclexpr eval 1+1 2>&1"):format(cli.quote(prefix)))
    assert.equal("2\n", shown)
    make "uninstall"
    assert.equal("", support.output(("find %s -type f"):format(cli.quote(prefix))))
  end)
end)
