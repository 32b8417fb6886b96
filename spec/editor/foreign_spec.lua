-- The server with a client of another project: foreign/test_server.py, if pytest-lsp is in build/ (`make test-all` fetches it) or
-- among Python's modules.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local here = support.output "pwd":gsub("\n", "")
local root = support.root:find "^/" and support.root or here .. "/" .. support.root
local program = support.program

-- A search path of this process, for a process in another folder.
local function absolute(paths)
  return (paths:gsub("[^;]+", function(path) return path:find "^/" and path or here .. "/" .. path end))
end

describe("hclexpr lsp and pytest-lsp", function()
  it("understand each other by the protocol", function()
    local python = ("PYTHONPATH='%sbuild/pytest-lsp' PYTHONDONTWRITEBYTECODE=1 LD_PRELOAD= python3 -W ignore"):format(root)
    if not support.runs(python .. " -c 'import pytest_lsp' >/dev/null 2>&1") then
      return support.note "pytest-lsp is not there: no other client speaks to the server"
    end
    local folder = support.temporary_folder()
    support.write(folder .. "/main.tf", 'locals {\n  n = 7\n  name = "shop-${local.n}"\n}\noutput "o" {\n  value = local.name\n}\n')
    local command = "cd '%s' && SERVER='%s' FOLDER='%s' LUA_PATH='%s' LUA_CPATH='%s' %s -m pytest -q -p no:cacheprovider "
      .. "-o asyncio_default_fixture_loop_scope=function -W error::pytest_lsp.checks.LspSpecificationWarning test_server.py 2>&1"
    local said = support.output(command:format(root .. "spec/editor/foreign", program .. "\n" .. root .. "bin/hclexpr\nlsp", folder,
      absolute(package.path), absolute(package.cpath), python))
    support.remove(folder)
    assert.truthy(said:find "\n18 passed", said)
  end)
end)
