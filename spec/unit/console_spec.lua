-- The console at a terminal: signals, keys, history. spec/unit/console.py types.
local support = dofile((debug.getinfo(1, "S").source:match "^@(.-)[^/]*$") .. "../support.lua")
local cli = dofile(support.root .. "spec/command.lua")

describe("the console at a terminal", function()
  local dir, history
  setup(function()
    cli.begin()
    cli.file("infra/main.tf", "locals {\n  double = 4\n}\n")
    dir = cli.folder .. "/infra"
  end)
  teardown(function() cli.finish() end)
  before_each(function()
    history = cli.file(".hclexpr_history", "_HiStOrY_V2_\nformer\\040line\n")
  end)

  if not pcall(require, "hclexpr.line_edit") or not support.runs "LD_PRELOAD= python3 -c 'import pty; pty.openpty()' 2>/dev/null" then
    return it("is not tested", function() support.note "the console is not tested at a terminal (libedit, python3)" end)
  end

  local function happens(what)
    local command = ("LD_PRELOAD=%s TERM=xterm NO_COLOR=1 HOME=%s XDG_STATE_HOME= LC_ALL=C.UTF-8 %s console %s"):format(
      cli.quote(os.getenv "LD_PRELOAD" or ""), cli.quote(cli.folder), cli.line, cli.quote(dir))
    local env = "env " .. command
    return support.output(("cd %s && LD_PRELOAD= python3 %s %s %s 2>&1"):format(cli.root, cli.quote(support.root .. "spec/unit/console.py"),
      what, cli.quote(env)))
  end

  it("outlives any number of Ctrl-C", function()
    -- It ends by :quit, no signal; with 1 where Ctrl-C met a :reload, which then failed.
    local ends = happens "storm"
    local one = "status [01]\n"
    assert.truthy(ends:find("^" .. one:rep(support.sample(1, 2)) .. "$"), ends)
  end)

  it("takes keys: completion, characters, Ctrl-C, history, another size", function()
    assert.equal("status 0\n", happens "keys")
  end)

  it("gives the terminal back while it is stopped", function()
    assert.equal("raw\nstatus 0\n", happens "stopped")
  end)

  it("keeps its history, however it ends, and leaves the terminal as it was", function()
    local kept = "_HiStOrY_V2_\nformer\\040line\n"
    for what, ends in pairs { hangup = "gone", SIGTERM = "signal 15 cooked", SIGHUP = "signal 1 cooked", SIGPIPE = "signal 13 cooked", SIGKILL = "signal 9 " } do
      support.write(history, kept)
      assert.equal(ends .. "\n", happens(what))
      assert.equal(kept .. "40\\040+\\0402\n", support.read(history), what)
    end
  end)

  it("begins a history that only its user may read, and shortens a long one", function()
    os.remove(history)
    assert.equal("signal 15 cooked\n", happens "SIGTERM")
    assert.equal("_HiStOrY_V2_\n40\\040+\\0402\n", support.read(history))
    assert.truthy(support.output("ls -l " .. cli.quote(history)):find "^%-rw%-%-%-%-%-%-%-")
    local lines = { "_HiStOrY_V2_" }
    for i = 1, 2500 do lines[i + 1] = "line" .. i end
    support.write(history, table.concat(lines, "\n") .. "\n")
    assert.equal("signal 15 cooked\n", happens "SIGTERM")
    assert.equal("_HiStOrY_V2_\n" .. table.concat(lines, "\n", 1502) .. "\n40\\040+\\0402\n", support.read(history))
  end)
end)
