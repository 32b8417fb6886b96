-- Builds that lack a library (make WITHOUT=…): functions that need it name it, the rest works. In full builds everything works.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local has_testing, testing = pcall(require, "hclexpr.testing")
local lacking = support.lacking(hcl)

-- Only that may fail.
local function says_so(library, v, err)
  assert.is_nil(v)
  assert.equal(1, #err)
  assert.equal("call.failed", err[1].code)
  assert.truthy(err[1].detail:find("This build of hclexpr has no " .. library .. ", which ", 1, true), err[1].detail)
  assert.truthy(err[1].detail:find "Build it where that is installed: lib[%w.+-]+%-dev on Debian%.$"
    or err[1].detail:find "Build it where that is installed: zlib1g%-dev on Debian%.$", err[1].detail)
end

describe("a build with or without", function()
  for _, library in ipairs(support.libraries) do
    it(library.name .. " works, or says so", function()
      local v, err = hcl.eval(library.call)
      if v ~= nil then return end
      says_so(library.name, v, err)
      for _, name in ipairs(library) do
        local example = hcl.functions()[name].example
        -- File functions read one first.
        if lacking(example) and not example:find "^can%(" and not name:find "^file" then says_so(library.name, hcl.eval(example)) end
      end
    end)
  end
end)

-- Libraries with their own object, by its name.
local objects = { re2 = "RE2", yaml = "libyaml", digest = "OpenSSL", crypto = "OpenSSL", crypt = "libcrypt", zlib = "zlib" }

local files = { "core", "re2", "yaml", "crypto", "digest", "crypt", "zlib" }

-- The folder that the module was loaded from.
local function folder_of_module()
  for template in package.cpath:gmatch "[^;]+" do
    local path = template:gsub("%?", "hclexpr/core")
    if support.exists(path) then return path:match "^(.*)/" end
  end
end

local from = folder_of_module()
local has_objects = from and support.exists(from .. "/digest.so")

-- The output of a program whose module has the objects for which `wanted` returns true.
local function run_with(wanted, program)
  local dir = support.temporary_folder()
  support.output(("mkdir '%s/hclexpr'"):format(dir))
  for _, file in ipairs(files) do
    if support.exists(from .. "/" .. file .. ".so") and (file == "core" or wanted(file)) then
      support.output(("cp '%s/%s.so' '%s/hclexpr'"):format(from, file, dir))
    end
  end
  support.write(dir .. "/main.lua", ("package.cpath = %q .. package.cpath\n%s"):format(dir .. "/?.so;", program))
  local out = support.output(("'%s' '%s/main.lua' 2>&1"):format(support.program, dir))
  support.remove(dir)
  return out
end

describe("an installation", function()
  it("without one object fails like a build without the library, and has everything else", function()
    for object, library in pairs(objects) do
      if not has_objects then return pending "no build with objects" end
      local out = run_with(function(name) return name ~= object end, [[
        local hcl = require "hclexpr"
        for _, call in ipairs { 'regex("a", "a")', "yamlencode(1)", 'md5("")', 'rsadecrypt("", "")', 'bcrypt("a", 4)', 'base64gzip("")' } do
          local v, err = hcl.eval(call)
          if v == nil and err[1].detail:find "This build" then print(err[1].code, err[1].detail) end
        end]])
      local wanted = "^call%.failed\t%w+%(%): This build of hclexpr has no " .. library .. ", which [^\n]*\n$"
      assert.truthy(out:find(wanted), object .. ": " .. out)
    end
  end)

  it("loads no library before it is needed", function()
    if not support.exists "/proc/self/maps" or not has_objects then return pending "no list of what is loaded" end
    local out = run_with(function() return true end, [[
      local hcl = require "hclexpr"
      local function loaded()
        local text = io.open("/proc/self/maps"):read "*a"
        local list = {}
        for _, name in ipairs { "re2", "yaml", "crypto", "digest", "crypt", "zlib" } do
          if text:find("hclexpr/" .. name .. ".so", 1, true) then list[#list + 1] = name end
        end
        print(table.concat(list, " "))
      end
      hcl.eval('"${upper("a")} ${jsonencode([1, 2.5])} ${replace("a", "a", "b")} ${replace("a", "/[^b-z]/", "b")}"')
      loaded()
      hcl.eval 'md5("")'
      loaded()
      hcl.eval 'regex("a", "a")'
      loaded()]])
    assert.equal("\ndigest\nre2 digest\n", out)
  end)

  it("has the Lua layer compiled for the command, whose messages name the sources", function()
    local dir, lua = support.temporary_folder(), support.program
    local objects_dir = ("%s/lib/lua/%s/hclexpr"):format(dir, _VERSION:match "%d.%d")
    support.output(("mkdir -p '%s/bin' '%s'"):format(dir, objects_dir))
    support.output(("cp '%s/core.so' '%s'"):format(from, objects_dir))
    support.output(("cp bin/hclexpr '%s/bin'"):format(dir))
    support.output(("'%s' tools/compile.lua '%s/layer.luac' /there"):format(lua, objects_dir))
    assert.equal("2\n", support.output(("'%s' '%s/bin/hclexpr' eval '1 + 1' 2>&1"):format(lua, dir)))
    -- The same, except that each module is present, and names its source.
    support.write(dir .. "/all.lua", [[
      local command = ...
      os.exit = function()
        for path in io.popen("cd lua && find hclexpr* -name '*.lua'"):lines() do
          local chunk = (package.searchers or package.loaders)[2]((path:gsub("%.lua$", ""):gsub("/", ".")))
          if debug.getinfo(chunk, "S").source ~= "@/there/" .. path then print(path) end
          if not next(debug.getinfo(chunk, "L").activelines) then print("no lines", path) end
          if _VERSION == "Lua 5.4" and debug.getupvalue(chunk, 1) == "_ENV" then print("names of upvalues", path) end
        end
      end
      arg = { [0] = command, "eval", "3" }
      dofile(command)]])
    assert.equal("3\n", support.output(("'%s' '%s/all.lua' '%s/bin/hclexpr' 2>&1"):format(lua, dir, dir)))
    -- Chunks of another Lua count as missing, as if LuaJIT and 5.1 share a folder.
    local layer = objects_dir .. "/layer.luac"
    local whole = support.read(layer)
    local at = #whole:match "^%d+\n" + tonumber(whole:match "^%d+")
    support.write(layer, whole:sub(1, at) .. whole:sub(at + 1):gsub("\27[%w]+", function(mark) return "\27" .. ("X"):rep(#mark - 1) end))
    support.output(("cp -R lua '%s/lua'"):format(dir))
    assert.equal("4\n", support.output(("'%s' '%s/bin/hclexpr' eval '2 + 2' 2>&1"):format(lua, dir)))
    support.remove(dir)
  end)

  it("loads nothing from a layer that is missing or damaged", function()
    local core, path = require "hclexpr.core", os.tmpname()
    local chunk = string.dump(function() return 7 end)
    local function loads(text, name)
      support.write(path, text)
      local load = core.layer(path)
      return load and load(name)
    end
    local function with(index) return ("%d\n%s%s"):format(#index, index, chunk) end
    local index = ("a 0 3\nb.c 0 %d\nb.cd 0 3\nd 0 3\n"):format(#chunk)
    assert.equal(7, loads(with(index), "b.c")())
    for _, name in ipairs { "", "a", "b", "b.cd", "b.ce", "e" } do assert.is_nil(loads(with(index), name), name) end
    for _, text in ipairs {
      "", "9", "9\n", "9\nb.c 0 9", "x", with "b.c\n", with "b.c 0 99999\n", with "b.c 99999 1\n", with "b.c 0 99999999999999999999999\n",
    } do
      assert.is_nil(loads(text, "b.c"), text)
    end
    support.remove(path)
    assert.is_nil(core.layer(path))
  end)
end)

-- Expected: Unicode's properties of these characters, or an error that they are unknown.
describe("text beyond ASCII", function()
  local acute, decomposed = "\195\169", "e\204\129" -- UAX #15: the second one's form C is the first

  local function known(source, variables, want)
    local v, err = hcl.eval(source, variables)
    if lacking(acute) then says_so("utf8proc", v, err) else assert.equal(want, hcl.assert(v, err)) end
  end

  it("is known, or functions report that it isn't", function()
    local data = { s = "ab" .. acute }
    known("upper(s)", data, "AB\195\137")
    known("lower(s)", data, "ab" .. acute)
    known("title(s)", data, "Ab" .. acute)
    known("strrev(s)", data, acute .. "ba")
    known("substr(s, 1, 2)", data, "b" .. acute)
    known("length(s)", data, 3)
    known('format("%4s", s)', data, " ab" .. acute)
    known('format("%-4v", s)', data, "ab" .. acute .. " ")
    known('format("%.2s", s)', data, "ab")
    known('formatlist("%4s", [s])[0]', data, " ab" .. acute)
  end)

  it("is unchanged if no properties of it are needed", function()
    local data = { s = "ab" .. acute, t = "\194\160\227\128\128x" .. acute .. "\226\128\131" }
    for source, want in pairs {
      ["s"] = data.s, ['"${s}"'] = data.s, ['format("%s", s)'] = data.s, ['format("%.3s", s)'] = data.s,
      ['trimsuffix(s, "b' .. acute .. '")'] = "a", ['replace(s, "' .. acute .. '", "c")'] = "abc", ['split("b", s)[1]'] = acute,
      ["trimspace(t)"] = "x" .. acute, ['jsonencode(s)'] = '"ab' .. acute .. '"', ['s == "ab\\u00e9"'] = true,
      ["jsondecode(\"{\\\"\\u00e9\\\": 1}\")." .. acute] = 1, ["sort([s, \"b\", \"a\"])[1]"] = data.s,
    } do
      assert.equal(want, hcl.assert(hcl.eval(source, data)), source)
    end
  end)

  it("may name things", function()
    local name = "\227\129\130_" .. acute -- Hiragana A
    assert.equal(3, hcl.eval(name .. " + 1", { [name] = 2 }))
    assert.equal(5, hcl.assert(hcl.parse(name .. " = 5\n")).attributes[name]:eval())
    assert.equal("reference.unknown", support.code(hcl.eval(name)))
  end)

  it("is in form C, or unchanged", function()
    local want = lacking(acute) and decomposed or acute
    assert.equal(want, hcl.eval('"' .. decomposed .. '"'))
    assert.equal(want, hcl.eval("s", { s = decomposed }))
    assert.equal(not lacking(acute), hcl.eval("s == t", { s = decomposed, t = acute }))
    -- Two letters of Hangul, which are composed by arithmetic.
    local jamo = "\225\132\128\225\133\161"
    assert.equal(lacking(acute) and jamo or "\234\176\128", hcl.eval("s", { s = jamo }))
  end)

  it("is shown in errors, except for invisible characters", function()
    local _, err = hcl.eval("s + 1", { s = acute .. "\194\155\226\128\174x" }) -- U+009B begins terminal commands, U+202E reverses text
    local text = tostring(err)
    assert.truthy(text:find(acute, 1, true))
    assert.is_nil(text:find("\194\155", 1, true))
    assert.is_nil(text:find("\226\128\174", 1, true))
  end)

  it("has columns that continue after it", function()
    local _, err = hcl.eval('"' .. acute .. acute .. '" + nope')
    assert.equal("reference.unknown", err[1].code)
    assert.equal(8, err[1].range.start.column)
  end)
end)

describe("the Lua layer", function()
  it("rejects a core of another version", function()
    local core = require "hclexpr.core"
    assert.equal(hcl.version, core.version)
    core.version, package.loaded.hclexpr = "0.9.0", nil
    local ok, err = pcall(require, "hclexpr")
    core.version, package.loaded.hclexpr = hcl.version, hcl
    assert.is_false(ok)
    assert.truthy(tostring(err):find("its core is that of 0.9.0. Install both from the same version.", 1, true), err)
  end)
end)

describe("numbers", function()
  -- Fermat: the factors of 2^64 + 1 are known, and (10^k - 1) (10^k + 1) = 10^2k - 1.
  it("are exact, whatever multiplies them", function()
    assert.equal("18446744073709551617", hcl.assert(hcl.compile "274177 * 67280421310721"):value():text())
    for _, k in ipairs { 10, 19, 20, 39, 70 } do
      local data = { a = hcl.compile(("9"):rep(k)):value(), b = hcl.compile("1" .. ("0"):rep(k - 1) .. "1"):value() }
      local v = hcl.compile("[a * b, a * b / b == a, (a * b + 7) % a]"):value(data)
      assert.equal(("9"):rep(2 * k), v:get(0):text())
      assert.equal("true", v:get(1):text())
      assert.equal("7", v:get(2):text())
    end
  end)

  -- A build without GMP uses our methods; GMP's are independent of them.
  it("are the same with schoolbook methods", function()
    if not has_testing or not testing.limbs then return pending "not a test build" end
    local differs = testing.limbs(1, 3000)
    if not differs then return pending "no GMP to compare with" end
    assert.equal("", differs)
  end)
end)
