-- The pages of the command and the completions: up to date, accepted by the shells, and useful in bash.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local cli = require "hclexpr.cli"
local program = support.program
local folder = (support.root == "" and "./" or support.root) .. "doc/manual/"

local files = { man = "hclexpr.1", bash = "hclexpr.bash", zsh = "_hclexpr", fish = "hclexpr.fish", markdown = "../command.md" }

-- What bash offers for the last of some words. A sanitizer loaded into this process must not affect it.
local function offered(...)
  local words = { ... }
  local ask = [[. "%shclexpr.bash"; COMP_WORDS=(hclexpr %s); COMP_CWORD=%d; _hclexpr; echo "${COMPREPLY[*]}"]]
  return support.output(("LD_PRELOAD= bash -c '%s'"):format(ask:format(folder, table.concat(words, " "), #words))):gsub("%s+$", "")
end

describe("doc/manual", function()
  for kind, file in pairs(files) do
    it(file .. " is what make docs writes", function()
      local root = support.root == "" and "." or support.root
      local made = support.output(("cd '%s' && '%s' tools/manual.lua %s"):format(root, program, kind))
      assert.truthy(support.read(folder .. file) == made, "run make docs")
    end)
  end

  it("is read by the shells without errors", function()
    for shell, file in pairs { bash = "hclexpr.bash", zsh = "_hclexpr", fish = "hclexpr.fish" } do
      if not support.has(shell) then
        support.note("manual_spec: " .. shell .. " is not installed")
      else
        assert.equal("", support.output(("LD_PRELOAD= %s -n '%s' 2>&1"):format(shell, folder .. file)))
      end
    end
  end)

  it("describes every command", function()
    for _, name in ipairs(cli.names) do
      for _, file in pairs(files) do assert.truthy(support.read(folder .. file):find(name, 1, true), file .. ": " .. name) end
    end
  end)

  it("completes commands and their options in bash", function()
    if not support.has "bash" then return pending "bash is not installed" end
    assert.equal("render refs", offered "re")
    assert.equal("functions", offered("help", "fu"))
    assert.equal("-check", offered("fmt", "-c"))
    assert.equal("--var --var-file", offered("eval", "--var"))
    assert.equal("--spec", offered("decode", "--s"))
    assert.equal("", offered("eval", "x"))
  end)
end)
