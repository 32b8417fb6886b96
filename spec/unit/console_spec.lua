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

  it("reads lines at a terminal without the library that edits them", function()
    local script = [[package.preload["hclexpr.line_edit"] = function() error "none" end
      require("hclexpr.core").is_terminal = function() return true end os.exit(require("hclexpr.cli").main { "console" })]]
    local said = support.output(("echo '1 + 1' | NO_COLOR=1 %s -e %s 2>&1"):format(cli.quote(support.program), cli.quote(script)))
    assert.truthy(said:find("\n> 2\n", 1, true), said)
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

  it("survives any number of Ctrl-C", function()
    -- It ends by :quit, not by a signal; with 1 if Ctrl-C interrupted a :reload, which then failed.
    local ends = happens "storm"
    local one = "status [01]\n"
    assert.truthy(ends:find("^" .. one:rep(support.sample(1, 2)) .. "$"), ends)
  end)

  it("discards a line, and ends an evaluation, at each Ctrl-C", function() assert.equal("status 0\n", happens "interrupts") end)

  it("loses no signal that comes with a key, or with a Ctrl-C", function()
    assert.equal("signal 15\nsignal 15\n", happens "together")
  end)

  it("ends the work of a line at a Ctrl-C right after the line", function()
    local script = [[local editor = require "hclexpr.line_edit" editor.start() io.popen("kill -INT $PPID"):close()
      print(editor.guard(print, 1)) print(editor.guard(print, 2))]]
    local said = support.output(("%s -e %s 2>&1"):format(cli.quote(support.program), cli.quote(script)))
    assert.matches("^false\t[^\n]*interrupted!\n2\ntrue\n$", said)
  end)

  it("handles keys: completion, characters, Ctrl-C, history, another size", function()
    assert.equal("status 0\n", happens "keys")
  end)

  it("restores the terminal while it is stopped", function()
    assert.equal("raw\nstatus 0\n", happens "stopped")
  end)

  it("keeps its history, however it ends, and leaves the terminal as it was", function()
    local kept = "_HiStOrY_V2_\nformer\\040line\n"
    for what, ends in pairs {
      hangup = "gone", SIGTERM = "signal 15 cooked", SIGHUP = "signal 1 cooked", SIGPIPE = "signal 13 cooked", SIGKILL = "signal 9 ",
    } do
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

describe("a conversation", function()
  local core, history = require "hclexpr.core", require "hclexpr.cli.history"
  local dir, is_terminal, open_history, editor = nil, core.is_terminal, history.open, package.loaded["hclexpr.line_edit"]
  local typed, prompts, completer

  setup(function()
    dir = support.folder { ["main.tf"] = 'variable "n" {\n  default = 2\n}\nlocals {\n  apple = var.n\n  apricot = local.apple * 2\n'
      .. '  plum = "p"\n}\nmodule "m" {\n  source = "./m"\n}\noutput "o" {\n  value = local.apricot\n}\n',
      ["m/main.tf"] = 'locals {\n  inner = "in"\n}\n' }
    core.is_terminal = function() return true end
    history.open = function() return function(source) typed[#typed + 1] = source end end
    -- Lines of the table are typed: false is Ctrl-C.
    package.loaded["hclexpr.line_edit"] = { start = function() end, guard = pcall, read = function(prompt, complete)
      prompts, completer = prompts .. prompt:sub(1, 1), complete
      return table.remove(typed.lines, 1)
    end }
  end)
  teardown(function()
    core.is_terminal, history.open, package.loaded["hclexpr.line_edit"] = is_terminal, open_history, editor
    support.remove(dir)
  end)

  -- The output after the greeting, and on standard error.
  local function said(...)
    typed, prompts = { lines = { ... } }, ""
    local status, out, err = support.with_streams("", require("hclexpr.cli").main, { "console", dir })
    assert.equal(0, status)
    local greeting, rest = out:match "^([^\n]*)\n(.*)$"
    assert.matches("^hclexpr %d.*; help lists the commands$", greeting)
    return (rest:gsub("\27%[%d*m", "")), err
  end

  it("continues over several lines while something is open", function()
    for _, row in ipairs {
      { "2\n", ">>", "1 + 1" }, { "<<EOT\nx\n\nEOT\n", ">..>", "<<E", "x", "E" }, { "[\n  1,\n  2,\n]\n", ">..>", "[1,", "2", "]" },
        { "3\n", ">.>", "max(", "3)" }, { "2\n", ">...>", "length(<<E", "x", "E", ")" }, { "<<EOT\n2\n\nEOT\n", ">..>", "<<-E",
          "  ${1 + 1}", "  E" },
      { '{\n  "a" = 1\n}\n', ">..>", "{", "a = 1", "}" }, { "1\n", ">.>", '"${', '1}"' }, { "\n5\n", ">.>>", "[1,", false, "5" },
      { "5\n", ">>", "5", "exit", "6" }, { "", ">", "quit", "6" }, { "", ">", " exit ", "6" }, { "", ">>>>", "", "  ", "# [" },
      { "3\n", ">>>", ":type [", "3" },
    } do
      assert.equal(row[1], (said(support.unpack(row, 3))), row[3])
      assert.equal(row[2], prompts, row[3])
    end
  end)

  it("keeps typed sources, each as one entry", function()
    said("1", "", "[1,", "2]", ":names")
    typed.lines = nil
    assert.same({ "1", "[1,\n2]", ":names" }, typed)
  end)

  it("has commands", function()
    for _, row in ipairs {
      { ":type local.plum", "string\n" }, { ":type { a = local.apple }", "object({ a = number })\n" }, { ":deps local.apricot",
        "local.apple\n" },
      { ":deps var.n", "nothing\n" }, { ":users var.n", "local.apple\n" }, { ":deps apricot", "local.apple\n" }, { ":users local.plum",
        "nothing\n" },
      { ":names", "var.n\nlocal.apple\nlocal.apricot\nlocal.plum\nmodule.m\noutput.o\nmodule.m.local.inner\n" },
      { ":names ap", "local.apple\nlocal.apricot\n" },
      { ":names local.p", "local.plum\n" }, { ":names zz", "", "nothing is declared that begins with zz" }, { ":deps", "",
        "the name of something declared" },
      { ":deps appel", "", "nothing is declared as appel: :names lists" }, { ":deps local.appel", "", "did you mean local.apple?" },
      { ":tpye 1", "", "use :type" }, { ":zzzzz", "", "use :help for a list" }, { ":graph output.o",
        "output.o\n  local.apricot\n    local.apple\n      var.n\n" },
      { "nope", "", "nope" },
    } do
      local out, err = said(row[1])
      assert.equal(row[2], out, row[1])
      if row[3] then assert.truthy(err:find(row[3], 1, true), row[1] .. ": " .. err) else assert.equal("", err) end
    end
    local help = said "help"
    for _, name in ipairs { "deps", "explain", "graph", "help", "module", "names", "quit", "reload", "type", "users" } do
      assert.truthy(help:find("\n:" .. name .. " ", 1, true), name)
    end
    assert.equal(help, (said "?"))
    assert.equal(help, (said ":help"))
  end)

  it("uses names of another module until another is selected", function()
    local out, err = said(":module module.m", "local.inner", ":module module.nope", "local.inner", ":scope", "local.plum")
    assert.equal('"in"\n"in"\n"p"\n', out)
    assert.truthy(err:find("module.nope", 1, true), err)
  end)

  it("reads the folder again", function()
    local path, read_line = dir .. "/main.tf", package.loaded["hclexpr.line_edit"].read
    local main = support.read(path)
    package.loaded["hclexpr.line_edit"].read = function(...)
      if typed.lines[1] == ":reload" then support.write(path, (main:gsub("= 2", "= 5"))) end
      return read_line(...)
    end
    assert.equal("2\n2\n5\n", (said("var.n", "var.n", ":reload", "var.n")))
    package.loaded["hclexpr.line_edit"].read = read_line
    support.write(path, main)
  end)

  it("completes typed text while all candidates agree, and lists them", function()
    said "1"
    for line, row in pairs {
      ["loc"] = { "al." }, ["local.ap"] = { nil, "local.apple    local.apricot" }, ["local.apr"] = { "icot" }, ["local.apricot"] = {},
        ["upp"] = { "er(" },
      ["1 + upp"] = { "er(" }, ["[upp"] = { "er(" }, ["x=upp"] = { "er(" }, ["zz"] = {}, ["terr"] = { "aform.workspace" }, ["var.n"] = {},
      ["path."] = { nil, "path.cwd     path.module  path.root" }, [":na"] = { "mes" }, [" :na"] = { "mes" }, ["module."] = { "m" },
        ["inner"] = {},
    } do
      assert.same({ row[1] or false, row[2] or false }, (function(a, b) return { a or false, b or false } end)(completer(line)), line)
    end
    -- The most columns that 80 characters hold, all of one width.
    local _, all = completer "s"
    local rows, longest = {}, 0
    for line in all:gmatch "[^\n]+" do rows[#rows + 1] = line end
    for word in all:gmatch "%S+" do longest = math.max(longest, #word + 2) end
    for i, line in ipairs(rows) do
      local words = select(2, line:gsub("%S+", ""))
      assert.is_true(#line <= 80 and (words == math.floor(80 / longest) or i == #rows), line)
      for at in line:gmatch "()%f[%S]%S" do assert.equal(0, (at - 1) % longest) end
    end
    assert.is_true(#rows > 1)
  end)
end)
