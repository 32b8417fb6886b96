-- Files, clock and randomness: the grants of a scope, and that reads stay within the folder.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local runs = support.runs

local function detail(source, scope)
  local v, err = hcl.eval(source, nil, scope)
  assert(v == nil, source .. " has a value")
  return err[1].detail
end

describe("files", function()
  local dir, scope

  setup(function()
    dir = support.temporary_folder()
    assert(runs(table.concat({
      "mkdir -p %s/granted/sub/deep %s/outside && cd %s",
      "printf inside >granted/a.txt && printf deep >granted/sub/deep/b.txt && printf SECRET >outside/s.txt && printf SECRET >s.txt",
      "cd granted",
      "ln -s a.txt link.txt && ln -s link.txt chain.txt && ln -s sub/deep folder && ln -s ../../a.txt sub/deep/up.txt",
      "ln -s ../s.txt out.txt && ln -s out.txt outchain.txt && ln -s ../outside outfolder && ln -s outfolder outfolder2",
      "ln -s %s/outside/s.txt outabsolute.txt && ln -s sub/../../s.txt outmiddle.txt && ln -s .. parent",
      "ln -s loop1 loop2 && ln -s loop2 loop1 && ln -s nowhere dangling",
    }, " && "):gsub("%%s", dir)))
    scope = hcl.scope { filesystem = dir .. "/granted" }
  end)


  it("are distinguished from a removed granted folder", function()
    assert(runs("mkdir " .. dir .. "/nowhere"))
    local nowhere = hcl.scope { filesystem = dir .. "/nowhere" }
    assert(runs("rmdir " .. dir .. "/nowhere"))
    for _, call in ipairs {
      'file("a.txt")', 'fileexists("a.txt")', 'fileset(".", "*.txt")', 'fileset(".", "a.txt")', 'templatefile("a.txt", {})',
    } do
      local text = detail(call, nowhere)
      assert.truthy(text:find("the folder that the option filesystem names is missing", 1, true), text)
      assert.is_nil(text:find(dir, 1, true))
    end
  end)

  it("need a folder that exists when the scope is made", function()
    for path, says in pairs { ["/nowhere"] = "can't be read: No such", ["/granted/a.txt"] = "is a file, not a folder" } do
      for i, filesystem in ipairs { dir .. path, { dir, dir .. path }, dir .. path } do
        local ok, why = pcall(hcl.scope, { filesystem = filesystem, parent = i == 3 and scope or nil })
        assert.is_false(ok)
        assert.truthy(why:find(says, 1, true), why)
        assert.truthy(why:find(dir .. path, 1, true), why)
      end
    end
  end)

  it("are off by default", function()
    for _, source in ipairs {
      'file("a.txt")', 'fileexists("a.txt")', 'fileset(".", "*")', 'filesha256("a.txt")', 'filebase64("a.txt")',
      'templatefile("a.txt", {})',
    } do
      assert.truthy(detail(source):find("filesystem", 1, true), source)
      assert.truthy(detail(source, hcl.scope {}):find("filesystem", 1, true), source)
    end
  end)

  it("are read if the scope grants their folder", function()
    for path, want in pairs {
      ["a.txt"] = "inside", ["./a.txt"] = "inside", ["sub/deep/b.txt"] = "deep", ["sub/../a.txt"] = "inside", ["sub//deep/b.txt"] = "deep",
    } do
      assert.equal(want, hcl.assert(hcl.eval('file("' .. path .. '")', nil, scope)))
    end
    assert.is_true(hcl.eval('fileexists("a.txt")', nil, scope))
    assert.is_false(hcl.eval('fileexists("nope.txt")', nil, scope))
  end)

  it("are read in a folder whose name has another Unicode form than strings, or isn't Unicode", function()
    for _, name in ipairs { "e\204\129", "\255" } do
      local folder = dir .. "/" .. name
      -- Some file systems accept only text.
      if runs("mkdir '" .. folder .. "' 2>/dev/null && printf here >'" .. folder .. "/a.txt'") then
        assert.equal("here", hcl.eval('file("a.txt")', nil, hcl.scope { filesystem = folder }))
      end
    end
    assert.has_error(function() hcl.scope { filesystem = dir .. "\0" } end)
  end)

  it("are read through links that stay inside", function()
    for path, want in pairs {
      ["link.txt"] = "inside", ["chain.txt"] = "inside", ["folder/b.txt"] = "deep", ["folder/up.txt"] = "inside",
    } do
      assert.equal(want, hcl.assert(hcl.eval('file("' .. path .. '")', nil, scope)))
    end
  end)

  it("have names that the system supports", function()
    for _, path in ipairs { ("a"):rep(300), "sub/" .. ("a"):rep(300) } do
      for _, call in ipairs { "file", "fileexists" } do
        local v, err = hcl.eval(call .. "(p)", { p = path }, scope)
        assert.is_nil(v)
        assert.truthy(err[1].detail:find("no file can have this name", 1, true), err[1].detail)
      end
    end
  end)

  it("are rejected outside of the folder", function()
    local paths = {
      "../s.txt", "sub/../../s.txt", "../granted/../s.txt", "/etc/passwd", dir .. "/s.txt", dir .. "/outside/s.txt", "//etc/passwd",
      "../outside/s.txt", "~/.profile", "out.txt", "outchain.txt", "outfolder/s.txt", "outfolder2/s.txt", "outabsolute.txt",
      "outmiddle.txt",
      "parent/s.txt", "parent/outside/s.txt", "parent/../s.txt", "sub/deep/../../../s.txt", "folder/../../../s.txt",
    }
    for _, path in ipairs(paths) do
      for _, call in ipairs { 'file("%s")', 'filebase64("%s")', 'filesha256("%s")', 'filemd5("%s")', 'templatefile("%s", {})' } do
        local source = call:format(path)
        local v, err = hcl.eval(source, nil, scope)
        assert(v == nil, source .. " has a value")
        assert.is_nil(tostring(err):find("SECRET", 1, true))
      end
      local v = hcl.eval('fileexists("' .. path .. '")', nil, scope)
      assert(not v, path .. " exists")
    end
  end)

  it("are named as text in messages, for any bytes in a name", function()
    assert(runs("mkdir " .. dir .. [[/odd && ln -s / "]] .. dir .. [[/odd/$(printf 'a\nb\001')"]]))
    local message = detail('fileset(".", "*")', hcl.scope { filesystem = dir .. "/odd" })
    assert.truthy(message:find([["a\nb\u0001"]], 1, true), message)
    message = detail([[fileset(".", "[\n")]], hcl.scope { filesystem = dir .. "/odd" })
    assert.truthy(message:find([["[\n"]], 1, true), message)
  end)

  it("are named in full in messages unless the name itself is secret", function()
    local long = ("folder/"):rep(12) .. "absent.txt"
    local secret = { p = hcl.mark(hcl.value(long), "sensitive"), s = hcl.mark(hcl.value "s", "sensitive") }
    for source, shown in pairs { ['file("%s")'] = true, ['templatefile("%s", { s = s })'] = true, ["file(p)"] = false } do
      local _, err = hcl.compile(source:format(long)):eval(secret, scope)
      assert.equal(shown, err[1].detail:find(long, 1, true) ~= nil, err[1].detail)
    end
  end)

  it("don't follow links forever", function()
    detail('file("loop1")', scope)
    detail('file("dangling")', scope)
    detail('file("loop1/a.txt")', scope)
  end)

  it("that are folders or special aren't read", function()
    detail('file("sub")', scope)
    detail('file(".")', scope)
    detail('file("")', scope)
    if runs("mkfifo " .. dir .. "/granted/pipe 2>/dev/null") then
      detail('file("pipe")', scope)
      os.remove(dir .. "/granted/pipe")
    end
  end)

  it("with a zero byte in their name don't exist", function()
    local v = hcl.eval("file(p)", { p = "a.txt\0.png" }, scope)
    assert.is_nil(v)
    -- Also if the path without its "x\0/.." would name one.
    for _, p in ipairs { "x\0/../a.txt", "\0/../a.txt", "a.txt\0" } do
      for _, call in ipairs { "file(p)", "filebase64(p)", "fileexists(p)", "filemd5(p)", "templatefile(p, {})" } do
        assert.is_nil((hcl.eval(call, { p = p }, scope)))
      end
      assert.same({}, hcl.eval('fileset(".", p)', { p = p }, scope))
      assert.same({}, hcl.eval('fileset(p, "../*")', { p = p }, scope))
    end
    assert.same({}, hcl.eval('fileset("x\\u0000/..", "a.*")', nil, scope))
  end)

  -- The reference's fileset expands no home directory, unlike its functions that read one file.
  it("may begin with ~ for fileset", function()
    assert(runs(("cd %s && mkdir -p 'tilde/~x' 'tilde/~' && touch 'tilde/~x/f' 'tilde/~/g' 'tilde/~h'"):format(dir)))
    local tilde = hcl.scope { filesystem = dir .. "/tilde" }
    for source, found in pairs {
      ['fileset("~x", "*")'] = { "f" }, ['fileset(".", "~x/*")'] = { "~x/f" }, ['fileset("", "~x/f")'] = { "~x/f" },
      ['fileset("~", "*")'] = { "g" }, ['fileset("~/", "g")'] = { "g" }, ['fileset(".", "~*")'] = { "~h" },
      ['fileset("", "~/*")'] = { "~/g" }, ['fileset("~x/..", "~h")'] = { "~h" },
    } do
      assert.same(found, hcl.assert(hcl.eval(source, nil, tilde)), source)
    end
    assert.is_nil((hcl.eval('fileexists("~x/f")', nil, tilde)))
    assert.is_true(hcl.eval('fileexists("./~x/f")', nil, tilde))
    assert.equal("~x", hcl.eval 'dirname("~x/f")')
    assert.equal("~", hcl.eval 'basename("a/~")')
    assert.equal(dir .. "/tilde/~x", hcl.eval('abspath("~x")', nil, tilde))
  end)

  it("are listed only inside", function()
    for _, source in ipairs {
      'fileset("..", "*")', 'fileset(".", "../*")', 'fileset(".", "../outside/*")', 'fileset("outfolder", "*")', 'fileset("parent", "*")',
      'fileset(".", "outfolder/*")', 'fileset(".", "parent/*.txt")', 'fileset(".", "**/s.txt")', 'fileset("/", "*")',
      'fileset("sub", "../../*")', 'fileset("' .. dir .. '", "*")',
    } do
      local v = hcl.eval(source, nil, scope)
      for _, path in ipairs(v or {}) do
        assert(not path:find "s%.txt$" and not path:find "outside", source .. " lists " .. path)
      end
    end
    assert.same({ "sub/deep/b.txt" }, hcl.eval('fileset(".", "sub/**/b.txt")', nil, scope))
    assert.same({ "deep/b.txt" }, hcl.eval('fileset("sub", "*/b*")', nil, scope))
  end)

  it("are confined further by child scopes, never less", function()
    local narrow = hcl.scope { parent = scope, filesystem = dir .. "/granted/sub" }
    assert.equal("deep", hcl.eval('file("deep/b.txt")', nil, narrow))
    detail('file("../a.txt")', narrow)
    assert.equal("inside", hcl.eval('file("a.txt")', nil, hcl.scope { parent = scope }))
    for _, wide in ipairs { dir, dir .. "/outside", dir .. "/granted/.." } do
      local ok, child = pcall(hcl.scope, { parent = scope, filesystem = wide })
      if ok then
        detail('file("s.txt")', child)
        detail('file("outside/s.txt")', child)
      end
    end
    -- A child can't grant itself what no parent grants: the attempt is reported.
    local child = hcl.scope { parent = hcl.scope {}, filesystem = dir .. "/granted" }
    assert.truthy(detail('file("a.txt")', child):find("parent", 1, true))
  end)

  it("are confined by the folders themselves, not by their paths", function()
    for _, folder in ipairs { "outfolder", "outfolder2", "parent", "sub/../outfolder" } do
      assert.has_error(function() hcl.scope { parent = scope, filesystem = dir .. "/granted/" .. folder } end)
    end
    for _, folder in ipairs { "sub/deep", "folder", "sub/../sub/deep", "./folder" } do
      local child = hcl.scope { parent = scope, filesystem = dir .. "/granted/" .. folder }
      assert.equal("deep", hcl.eval('file("b.txt")', nil, child))
      detail('file("../../a.txt")', child)
    end
    assert.truthy(hcl.scope { parent = hcl.scope { filesystem = "./." }, filesystem = "." })
  end)

  -- A file that the kernel generates has no known size.
  local function made_up() return assert(io.open "/proc/self/smaps"):read "*a" end
  if pcall(made_up) and #made_up() > 20000 then
    it("are charged when they turn out to be larger", function()
      local function code(limits)
        return support.code(hcl.eval('file("smaps")', nil, hcl.scope { filesystem = "/proc/self", limits = limits }))
      end
      assert.equal("limit.memory", code { memory = 18000 })
      assert.equal("limit.steps", code { memory = 18000, steps = 250 })
    end)
  end

  it("may be in several folders: relative paths start at the first", function()
    local both = hcl.scope { filesystem = { dir .. "/granted/sub", dir .. "/outside" } }
    assert.equal("deep", hcl.eval('file("deep/b.txt")', nil, both))
    assert.equal("SECRET", hcl.eval(('file("%s/outside/s.txt")'):format(dir), nil, both))
    assert.equal("SECRET", hcl.eval('file("../../outside/s.txt")', nil, both))
    assert.equal("SECRET", hcl.eval('templatefile("../../outside/s.txt", {})', nil, both))
    assert.is_true(hcl.eval('fileexists("../../outside/s.txt")', nil, both))
    assert.same({ "../../outside/s.txt" }, hcl.eval('fileset(".", "../../outside/s*")', nil, both))
    assert.same({ "s.txt" }, hcl.eval('fileset("../../outside", "s*")', nil, both))
    assert.truthy(detail('file("s.txt")', both):find("does not exist", 1, true))
    for _, source in ipairs { 'file("../a.txt")', 'file("../../outside/../granted/a.txt")', 'fileset("../..", "*")' } do
      assert.truthy(detail(source, both):find("outside the granted folders", 1, true), source)
    end
    -- A link isn't followed from one folder to the other.
    detail('file("../../granted/sub/../outfolder/s.txt")', both)
    -- Children have some of the folders, or parts of them.
    local child = hcl.scope { parent = both, filesystem = { dir .. "/outside", dir .. "/granted/sub/deep" } }
    assert.equal("SECRET", hcl.eval('file("s.txt")', nil, child))
    assert.equal("deep", hcl.eval('file("../granted/sub/deep/b.txt")', nil, child))
    assert.has_error(function() hcl.scope { parent = both, filesystem = { dir .. "/outside", dir .. "/granted" } } end)
    for _, wrong in ipairs { {}, { 1 }, { dir, false }, { dir, "" }, { dir, dir .. "\0" } } do
      assert.has_error(function() hcl.scope { filesystem = wrong } end)
    end
  end)

  it("can be denied to a child", function()
    local child = hcl.scope { parent = scope, filesystem = false }
    for _, s in ipairs { child, hcl.scope { parent = child }, hcl.scope { parent = child, filesystem = dir .. "/granted" } } do
      assert.truthy(detail('file("a.txt")', s):find("filesystem", 1, true))
    end
    assert.has_error(function() hcl.scope { filesystem = true } end)
  end)

  it("can be denied to a Terraform folder, which otherwise has its own", function()
    local function read(options)
      return hcl.assert(hcl.module(dir .. "/granted", { scope = hcl.scope(options) })):value 'file("a.txt")'
    end
    assert.equal("inside", hcl.assert(read {}):text())
    for _, options in ipairs { { filesystem = false }, { parent = hcl.scope { filesystem = false } } } do
      local v, err = read(options)
      assert.is_nil(v)
      assert.truthy(err[1].detail:find("filesystem", 1, true), err[1].detail)
    end
  end)
end)

describe("the clock", function()
  it("may be refused", function()
    local scope = hcl.scope { clock = false }
    assert.truthy(detail("timestamp()", scope):find("clock", 1, true))
    detail("timestamp()", hcl.scope { parent = scope })
    local ok, child = pcall(hcl.scope, { parent = scope, clock = true })
    if ok then detail("timestamp()", child) end
  end)

  it("may be given", function()
    -- date -u -d @1700000000
    assert.equal("2023-11-14T22:13:20Z", hcl.eval("timestamp()", nil, hcl.scope { clock = function() return 1700000000 end }))
    assert.equal("1970-01-01T00:00:00Z", hcl.eval("timestamp()", nil, hcl.scope { clock = function() return 0 end }))
    assert.equal("1970-01-01T00:00:01Z", hcl.eval("timestamp()", nil, hcl.scope { clock = function() return 1.75 end }))
    assert.equal("1969-12-31T23:59:58Z", hcl.eval("timestamp()", nil, hcl.scope { clock = function() return -1.75 end }))
  end)

  it("is the system's otherwise", function()
    local before = os.date "!%Y-%m-%dT%H:%M:%SZ"
    local now = hcl.eval "timestamp()"
    assert.truthy(now:find "^%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%dZ$")
    assert.is_true(before <= now and now <= os.date "!%Y-%m-%dT%H:%M:%SZ")
  end)

  it("of a plan is given by the scope", function()
    local scope = hcl.scope { plan_timestamp = "2031-04-09T07:05:03Z" }
    assert.equal("2031-04-09T07:05:03Z", hcl.eval("plantimestamp()", nil, scope))
    assert.equal("2031-04-09T07:05:03Z", hcl.eval("plantimestamp()", nil, hcl.scope { parent = scope }))
    assert.truthy(detail("plantimestamp()", hcl.scope {}):find("plan_timestamp", 1, true))
  end)

  it("may yield", function()
    local scope = hcl.scope { clock = function() return coroutine.yield "when?" end }
    local co = coroutine.wrap(function() return hcl.eval('"${timestamp()}!"', nil, scope) end)
    assert.equal("when?", co())
    assert.equal("2023-11-14T22:13:20Z!", co(1700000000))
  end)
end)

describe("randomness", function()
  it("may be refused", function()
    local scope = hcl.scope { random = false }
    for _, source in ipairs { "uuid()", 'bcrypt("a", 4)' } do
      assert.truthy(detail(source, scope):find("random", 1, true))
      detail(source, hcl.scope { parent = scope })
    end
    local ok, child = pcall(hcl.scope, { parent = scope, random = true })
    if ok then detail("uuid()", child) end
  end)

  it("may be given, and then repeats", function()
    local asked
    local scope = hcl.scope { random = function(n) asked = n return ("\0"):rep(n) end }
    -- RFC 9562, 5.4: version 4 and variant 10 in bytes that are otherwise zero.
    assert.equal("00000000-0000-4000-8000-000000000000", hcl.eval("uuid()", nil, scope))
    assert.equal(16, asked)
    local ones = hcl.scope { random = function(n) return ("\255"):rep(n) end }
    assert.equal("ffffffff-ffff-4fff-bfff-ffffffffffff", hcl.eval("uuid()", nil, ones))
  end)

  it("makes a salt of 16 bytes", function()
    local asked
    local scope = hcl.scope { random = function(n) asked = n return ("\0"):rep(n) end }
    local hash = hcl.eval('bcrypt("password", 4)', nil, scope)
    if hash == nil then return support.note "capabilities_spec: this build has no bcrypt: passed over" end
    assert.equal(16, asked)
    assert.truthy(hash:find("^%$2[aby]%$04%$" .. ("%."):rep(22)))
    assert.equal(hash, hcl.eval('bcrypt("password", 4)', nil, scope))
  end)

  it("must return as many bytes as requested", function()
    for _, bytes in ipairs { "", "x", ("x"):rep(17) } do
      local ok, v = pcall(hcl.eval, "uuid()", nil, hcl.scope { random = function() return bytes end })
      assert(not (ok and v), "uuid() of " .. #bytes .. " bytes has a value")
    end
  end)

  it("is the system's otherwise", function()
    local v = hcl.eval "[uuid(), uuid()]"
    assert.truthy(v[1]:find "^%x+%-%x+%-4%x%x%x%-[89ab]%x%x%x%-%x+$")
    assert.equal(36, #v[1])
    assert.is_true(v[1] ~= v[2])
  end)
end)
