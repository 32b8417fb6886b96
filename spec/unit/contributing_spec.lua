-- What CONTRIBUTING.md asks of a newcomer: the first change, in a copy of the sources, and `make check`, which names the failed steps.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local cli = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../command.lua")

local lua = os.getenv "HCLEXPR_LUA"
local built = lua and support.exists(("%sbuild/test/%s/hclexpr/core.so"):format(support.root, lua))
if not built or os.getenv "LD_PRELOAD" then return end

-- The output of a command in a folder, and its status.
local function run(folder, command)
  local out = support.output(("cd %s && { %s; } 2>&1; echo status $?"):format(folder, command))
  return out:match "^(.*)status (%d+)\n$"
end

-- Puts text before a line that occurs once.
local function put_before(path, line, text)
  local source = support.read(path)
  local at = assert(source:find("\n" .. line, 1, true), path .. " has no line " .. line)
  assert.is_nil(source:find("\n" .. line, at + 1, true))
  support.write(path, source:sub(1, at) .. text .. source:sub(at + 1))
end

describe("CONTRIBUTING.md", function()
  local folder
  setup(function() folder = cli.begin() end)
  teardown(cli.finish)

  it("has a first function that builds, answers and passes its specs", function()
    local copy = folder .. "/copy"
    local out, status = run(cli.root, ("mkdir -p %s/build/test && cp -a Makefile csrc lua spec tools CONTRIBUTING.md %s && "
      .. "cp -a build/test/%s %s/build/test"):format(copy, copy, lua, copy))
    assert.equal("0", status, out)
    local page, blocks = support.read(copy .. "/CONTRIBUTING.md"):match "%*%*A function%.%*%*(.-)%*%*An argument of a block", {}
    for language, text in page:gmatch "   ```(%l*)\n(.-) *```" do
      blocks[#blocks + 1] = language
      blocks[language .. #blocks] = (text:gsub("^   ", ""):gsub("\n   ", "\n"))
    end
    assert.same({ "c", "c", "json" }, { support.unpack(blocks) })
    put_before(copy .. "/csrc/fn/number.c", "const hx_fn hx_fns_number[] = {", blocks.c1 .. "\n")
    put_before(copy .. "/csrc/fn/number.c", "  { .name = \"abs\"", blocks.c2)
    put_before(copy .. "/spec/unit/catalogue_answers.lua", "issensitive ", page:match "`(isnegative +%l+)`" .. "\n")
    put_before(copy .. "/spec/unit/catalogue_spec.lua", "}\n\nlocal all", '  "isnegative",\n')
    local path, last = copy .. "/spec/conformance/cases/func_extra.jsonl", 0
    local cases = support.read(path)
    for id in cases:gmatch '"id":"func_extra/(%d+)"' do last = math.max(last, tonumber(id)) end
    local case = blocks.json3:gsub("NNNN", ("%04d"):format(last + 1))
    support.write(path, cases .. case)
    out, status = run(copy, ("env -u VERBOSE MAKEFLAGS= SPECS=spec/unit/catalogue_spec.lua tools/suite %s"):format(lua))
    assert.equal("0", status, out)
    assert.truthy(out:find "\n%d+ passed, 0 failed", out)
    local source, value = case:match '"src":"(.-)","want":{"type":"bool","value":(%l+)}'
    out, status = run(copy, ("LUA_PATH='lua/?.lua;;' LUA_CPATH='build/test/%s/?.so;;' %s -e %s"):format(lua, cli.quote(cli.program),
      cli.quote(('print(require("hclexpr").eval "%s")'):format(source))))
    assert.same({ value .. "\n", "0" }, { out, status })
  end)
end)

describe("make check", function()
  local folder
  setup(function() folder = cli.begin() end)
  teardown(cli.finish)

  local function put(name, text) support.write(folder .. "/" .. name, text) end

  -- The last line and the status.
  local function check()
    local out, status = run(folder, ("LUA=%s BASE= MAKEFLAGS= tools/check"):format(lua))
    return out:match "([^\n]*)\n$", status
  end

  it("ends by naming the steps that failed", function()
    assert.equal("0", select(2, run(cli.root, ("mkdir %s/tools && cp tools/check %s/tools"):format(folder, folder))))
    put("Makefile", "layers:\n\t@test ! -e bad_layers || { echo layers are wrong; exit 1; }\n")
    put("tools/affected.lua", 'print "spec/unit/a_spec.lua\\nspec/unit/b_spec.lua"\n')
    -- The second fails, if one is to fail.
    put("tools/suite", [[
#!/bin/sh
echo "---- Lua 5.4 spec/unit/a_spec.lua (status 0)"
if [ -e bad_specs ]; then echo "---- Lua 5.4 spec/unit/b_spec.lua (status 1)"; fi
test ! -e bad_build -a ! -e bad_specs
]])
    put("new.txt", "x\n")
    local commit = "chmod +x tools/suite && git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm a"
    assert.equal("0", select(2, run(folder, commit)))
    put("new.txt", "y\n")
    assert.equal("0", select(2, check()))
    local function specs(names) return ("specs (VERBOSE=1 SPECS='%s' tools/suite %s)"):format(names, lua) end
    put("bad_layers", "")
    assert.same({ "check: failed: layers (make layers)", "1" }, { check() })
    put("bad_specs", "")
    assert.same({ "check: failed: layers (make layers); " .. specs "spec/unit/b_spec.lua", "1" }, { check() })
    os.remove(folder .. "/bad_layers")
    os.remove(folder .. "/bad_specs")
    put("bad_build", "")
    local both = specs "spec/unit/a_spec.lua spec/unit/b_spec.lua"
    assert.same({ "check: failed: " .. both, "1" }, { check() })
    put("bad.lua", "x = \n")
    put("bad.c", "int  x ;\n")
    local lint = support.has "luacheck" and "Lua's lint (luacheck); " or ""
    local layout = support.has "clang-format" and "C's layout (clang-format -i); " or ""
    assert.same({ "check: failed: " .. lint .. layout .. both, "1" }, { check() })
  end)
end)

describe("make instructions", function()
  local folder
  setup(function() folder = cli.begin() end)
  teardown(cli.finish)

  -- Runs the tool with a fake valgrind that counts so many millions for each process.
  local function figures(millions, setting)
    local command = "PATH=%s:$PATH COUNTED=%d000000 %s lua5.4 bench/instructions.lua %s/kept.txt"
    local out, status = run(cli.root, command:format(folder, millions, setting or "", folder))
    return out, status
  end
  local function kept() return tonumber(support.read(folder .. "/kept.txt"):match "eval 1%+1 %(M%)%s+|%s+(%d+)") end

  it("fails on over 5 % more without a reason, and doesn't let figures creep up", function()
    if not support.has "lua5.4" then return end
    support.write(folder .. "/valgrind", '#!/bin/sh\necho "I   refs: $COUNTED" >&9\n')
    support.runs("chmod +x " .. folder .. "/valgrind")
    assert.equal("0", select(2, figures(100, "WRITE=1")))
    assert.equal(100, kept())
    assert.equal("0", select(2, figures(104, "WRITE=1")))
    assert.equal(100, kept())
    local out, status = figures(106, "WRITE=1")
    assert.equal("1", status)
    assert.matches("eval 1%+1 %(M%) +106 .* kept +100%) MORE", out)
    assert.equal(100, kept())
    assert.equal("0", select(2, figures(106, "WHY='text is larger'")))
    assert.equal(106, kept())
    assert.matches("# eval 1%+1 %(M%): 106, not 100: text is larger\n", support.read(folder .. "/kept.txt"))
    assert.equal("0", select(2, figures(90, "WRITE=1")))
    assert.equal(90, kept())
    assert.matches(": text is larger\n", support.read(folder .. "/kept.txt"))
    local text = support.read(folder .. "/kept.txt"):gsub("# On [^\n]*", "# On another machine")
    support.write(folder .. "/kept.txt", text)
    assert.equal("0", select(2, figures(200)))
  end)
end)
