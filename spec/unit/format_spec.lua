-- hcl.format, and the command that uses it. spec/conformance/cases/fmt.jsonl has the layout, byte for byte.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local characters = not support.lacking(hcl) "\195\169"
local lines = support.text
local diff = require "hclexpr.cli.diff"

local function formatted(source, options)
  local text, err = hcl.format(source, options)
  assert.is_nil(err, tostring(err))
  return text
end

-- A text without its spaces.
local function bare(text)
  return (text:gsub("[ \t]", ""))
end

-- One of every construct in the language.
local sample = lines(
  "# a file", "", "", 'resource   "a"  b{', 'name="n ${ upper( var.x ) } %{ if  a }  b%{endif}"#trailing', "  é = {for  k,v in  m:",
  "k=>v...}",
  "//  two", "/* three", "    lines */", "text=<<-EOT", "    kept   as ${ it } is", "      EOT", 'sub   "l" {  one=1  }',
  "x=!a&&-b<1?c.*.d:e[ 0 ]", "}", "", "tail={}   # end") .. "last = provider::f( 1,2 ... )"

describe("hcl.format", function()
  it("keeps comments, empty lines and quoted text", function()
    local text = formatted(sample)
    for _, kept in ipairs {
      "^# a file\n\n\nresource", "#trailing\n", "//  two\n", "/%* three\n    lines %*/", "\n    kept   as %${it} is\n",
      '"n %${upper%(var.x%)} %%{if a}  b%%{endif}"',
    } do
      assert.truthy(text:find(kept), kept .. " in\n" .. text)
    end
  end)

  it("changes only spaces, however a file ends", function()
    for stop = 0, #sample do
      local part = sample:sub(1, stop)
      assert.equal(bare(part), bare(formatted(part)))
    end
  end)

  it("changes only spaces, whatever the bytes", function()
    local random = support.random(1)
    for _ = 1, 500 do
      local bytes = {}
      for i = 1, 200 do bytes[i] = string.char(random(4) == 1 and random(256) - 1 or sample:byte(random(#sample))) end
      local source = table.concat(bytes)
      if source:sub(1, 3) ~= "\239\187\191" then assert.equal(bare(source), bare(formatted(source))) end
    end
  end)

  it("gives the same when formatting again", function()
    local once = formatted(sample)
    assert.is_not_nil(hcl.parse(once))
    assert.equal(once, formatted(once))
  end)

  it("keeps values", function()
    local source = 'a="  x  ${ 1+2 }  "\nb=[ -1,2 - 1,- 1 ]\nc=<<E\n  p\n\tq ${ "r" }\nE\nd=<<-E\n    s\n      t\n  E\n'
    local before, after = hcl.assert(hcl.parse(source)), hcl.assert(hcl.parse(formatted(source)))
    for name, attribute in pairs(before.attributes) do
      assert.is_true(attribute:value() == after.attributes[name]:value(), name)
    end
  end)

  it("never joins two numbers", function()
    assert.equal("a = 1. 2\nb = x.0. e5\nc = x.0.env\n", formatted "a = 1 .2\nb = x.0 . e5\nc = x.0 . env\n")
  end)

  it("counts a visible character as one column", function()
    if not characters then return pending "no utf8proc" end
    local family, accented = "\240\159\145\168\226\128\141\240\159\145\169\226\128\141\240\159\145\167", "e\204\129"
    assert.equal(lines("m = {", '  "' .. family .. '"  = 1', '  "' .. accented .. '"  = 2', "  four = 3", "}"),
      formatted(lines("m={", '"' .. family .. '"=1', '"' .. accented .. '"=2', "four=3", "}")))
  end)

  it("leaves the ends of lines as they are", function()
    assert.equal("a = 1\r\nb = 2\n", formatted "a=1\r\nb=2  \n")
    assert.equal("a = 1", formatted "a=1")
    assert.equal("", formatted "")
  end)
end)

describe("hcl.format with the style of Terraform", function()
  local function rewritten(source) return formatted(source, { style = "terraform" }) end

  it("rewrites what terraform fmt rewrites, and the plain layout doesn't", function()
    local source = lines("variable a {", "type=\"list\"", "default = \"${[]}\"", "}")
    assert.equal(lines('variable "a" {', "  type    = list(string)", "  default = []", "}"), rewritten(source))
    local plain = lines("variable a {", '  type    = "list"', '  default = "${[]}"', "}")
    assert.equal(plain, formatted(source))
    assert.equal(plain, formatted(source, { style = "layout" }))
  end)

  it("only changes the layout of a broken source", function()
    assert.equal('a = "${b}"\nc = (\n', rewritten 'a="${b}"\nc=(\n')
  end)

  -- Terraform 1.17-dev drops the labels and breaks the files.
  it("drops no label, and breaks no file", function()
    assert.equal('a "b$${c}" "d$" {}\n', rewritten 'a "b$${c}" "d$" {}\n')
    for _, source in ipairs {
      'x = "${# c\n b}"\n', 'a { x = "${b # c\n}" }\n', 'x = "${(a) +\n (b)}"\n', 'a { x = "${<<E\nb\nE\n}" }\n',
      'x = "${c ?\n d : <<E\nb\nE\n}"\n', 'x = "${<<E\n${b}\nE\n}"\n',
    } do
      local text = rewritten(source)
      assert.is_not_nil(hcl.parse(text), text)
      assert.equal(text, rewritten(text))
    end
  end)

  -- Terraform counts newlines outside of comments.
  it("needs no parentheses where only comments end lines within brackets", function()
    for source, text in pairs {
      ['x = "${foo( # c\n  1)}"\n'] = "x = foo( # c\n1)\n", ['x = "${[ // c\n1, # d\n2]}"\n'] = "x = [ // c\n  1,  # d\n2]\n",
      ['x = "${foo(a[ # c\n0], 2).x}"\n'] = "x = foo(a[ # c\n0], 2).x\n", ['x = "${\nfoo( # c\n)\n}"\n'] = "x = foo( # c\n)\n",
      ['x = "${foo( # c\n\n1)}"\n'] = "x = (foo( # c\n\n1))\n", ['x = "${foo( # c\n1\n)}"\n'] = "x = (foo( # c\n  1\n))\n",
      ['x = "${foo( # c\n1) # d\n}"'] = "x = foo( # c\n1)       # d\n", ['x = "${foo # c\n}"'] = "x = foo # c\n",
      ['x = "${foo( # c\r\n1)}"\r\n'] = "x = foo( # c\r\n1)\r\n", ['x = "${foo + # c\n1}"\n'] = "x = (foo + # c\n1)\n",
    } do
      assert.equal(text, rewritten(source))
      assert.is_not_nil(hcl.parse(text), text)
    end
  end)

  it("takes time and room by the length", function()
    local N = 20000
    for _, source in ipairs {
      ('a b c d {\n'):rep(500) .. ("}\n"):rep(500), ('a b {}\n'):rep(N), 'x = ' .. ('"${'):rep(400) .. "a" .. ('}"'):rep(400) .. "\n",
      'x = "${[' .. ("1,\n"):rep(N) .. ']}"\n', 'x = "${' .. ("\n"):rep(N) .. 'a}"\n', "a " .. ("b "):rep(N) .. "{}\n",
    } do
      assert.is_not_nil(hcl.parse(rewritten(source)))
    end
  end)
end)

describe("hcl.format's arguments", function()
  local function raises(message, ...)
    local ok, err = pcall(hcl.format, ...)
    assert.is_false(ok)
    assert.truthy(err:find(message, 1, true), err)
  end

  it("are checked", function()
    raises "bad argument #1 to 'format' (string expected, got no value)"
    raises("bad argument #1 to 'format' (string expected, got number)", 1)
    raises("bad argument #2 to 'format' (table expected, got string)", "", "x")
    raises("unknown option 'syntax'", "", { syntax = "json" })
    raises("option 'filename' must be a string", "", { filename = 1 })
    raises("option 'style'", "", { style = "tofu" })
    raises("limits.output must be a number", "", { limits = { output = "1" } })
    raises("unknown option limits.lines", "", { limits = { lines = 1 } })
  end)

  it("limit the source and the result", function()
    local source, result = "a=1\nbbb=2\n", "a   = 1\nbbb = 2\n"
    assert.equal(result, formatted(source, { limits = { source = #source, output = #result } }))
    for name, limits in pairs { ["limit.source"] = { source = #source - 1 }, ["limit.output"] = { output = #result - 1 } } do
      local text, err = hcl.format(source, { limits = limits, filename = "x.tf" })
      assert.is_nil(text)
      assert.equal(name, err[1].code)
      assert.equal("x.tf", err[1].range.filename)
    end
  end)
end)

describe("hcl.format of hostile input", function()
  local N = 100000

  it("takes time and room by the length", function()
    for _, piece in ipairs {
      "[", "]", "+", '"', '"${', "<<E\n", "<<E\n${", "/*", "a /*\n", "a=1\n", "a #\n", "{\n}\n", "\255", "\r", "\0", "\204\129 ", " ",
    } do
      local source = piece:rep(N)
      assert.equal(bare(source), bare(formatted(source)))
    end
    formatted('x = "' .. ("e" .. ("\204\129"):rep(N)):rep(2) .. '" # one line\n')
    formatted(("m = {\n"):rep(500) .. ("}\n"):rep(500))
  end)

  it("stops if there would be endless spaces", function()
    local long = ("x"):rep(N)
    for _, source in ipairs { ("[\n"):rep(N), long .. "=1\n" .. ("a=1\n"):rep(N), long .. "#\n" .. ("a #\n"):rep(N) } do
      assert.equal("limit.output", support.code(hcl.format(source)))
    end
  end)
end)

describe("the command fmt", function()
  local cli = require "hclexpr.cli"
  local content, shown = support.read, support.output

  -- Runs `hclexpr fmt ...`: status, standard output, standard error.
  local function fmt(input, ...)
    return support.with_streams(input, cli.main, { "fmt", ... })
  end

  local names = {}
  local function file(text)
    local name = support.temporary_file(text)
    names[#names + 1] = name
    return name
  end
  after_each(function()
    for _, name in ipairs(names) do os.remove(name) end
    names = {}
  end)

  it("prints the layout", function()
    local status, out, err = fmt("a=1\n", "-")
    assert.same({ 0, "a = 1\n", "" }, { status, out, err })
    status, out = fmt(nil, "-write=false", "-list=false", file "b=2\n", file "c=3")
    assert.same({ 0, "b = 2\nc = 3\n" }, { status, out })
  end)

  -- What Terraform 1.17-dev does with the same arguments, except for files that aren't its own.
  it("does what terraform fmt does in a folder", function()
    local source, result = 'a "b" c {\n  x="${y}"\n}\n', 'a "b" "c" {\n  x = y\n}\n'
    local dir = support.folder {
      ["main.tf"] = source, ["in/t.tftest.hcl"] = source, ["in/v.tfvars"] = "a=1\n", ["b.hcl"] = source, ["good.tf"] = result,
      ["x.tf.json"] = "{}", [".x.tf"] = source, ["note.txt"] = source,
    }
    local root = support.output(("cd '%s' && pwd"):format(support.root == "" and "." or support.root)):match "[^\n]+"
    local program = support.program
    local start = ("cd '%s' && LUA_PATH='%s/lua/?.lua;;' %s -l hclexpr '%s/bin/hclexpr' fmt "):format(dir, root, program, root)
    local function run(...) return support.output(start .. table.concat({ ... }, " ") .. " 2>&1; echo $?") end
    assert.equal("b.hcl\nmain.tf\n3\n", run "-check")
    assert.equal("3\n", run("-check", "-list=false"))
    assert.equal("b.hcl\nmain.tf\n0\n", run "-write=false")
    assert.equal(source, content(dir .. "/main.tf"))
    assert.equal("--- old/main.tf\n+++ new/main.tf\n@@ -1,3 +1,3 @@\n-a \"b\" c {\n-  x=\"${y}\"\n+a \"b\" \"c\" {\n+  x = y\n }\n0\n",
      run("-diff", "-write=false", "-list=false", "main.tf"))
    assert.equal(result .. "0\n", run("-write=false", "-list=false", "main.tf"))
    assert.equal("main.tf\n0\n", run "main.tf")
    assert.equal("b.hcl\nin/t.tftest.hcl\nin/v.tfvars\n0\n", run "-recursive")
    assert.equal("0\n", run("-check", "-recursive"))
    for name, text in pairs { ["main.tf"] = result, ["in/t.tftest.hcl"] = result, ["in/v.tfvars"] = "a = 1\n", [".x.tf"] = source } do
      assert.equal(text, content(dir .. "/" .. name))
    end
    support.remove(dir)
  end)

  it("rewrites Terraform's files and standard input, and only the layout of others", function()
    local source, laid = 'a b{\nc="${d}"\n}\n', 'a b {\n  c = "${d}"\n}\n'
    local made = 'a "b" {\n  c = d\n}\n'
    local function result(ending, ...)
      local name = support.temporary_file(source, ending)
      names[#names + 1] = name
      assert.equal(0, (fmt(nil, name, ...)))
      return content(name)
    end
    for _, ending in ipairs { ".tf", ".tofu", ".tfvars", ".tftest.hcl", ".tofutest.hcl", ".tfmock.hcl", ".tfquery.hcl" } do
      assert.equal(made, result(ending))
    end
    for _, ending in ipairs { ".hcl", ".nomad", ".pkr.hcl", "" } do assert.equal(laid, result(ending)) end
    assert.equal(laid, result(".tf", "-style=layout"))
    assert.equal(made, result(".hcl", "-style", "terraform"))
    assert.equal(made, select(2, fmt(source, "-")))
    assert.equal(laid, select(2, fmt(source, "-style=layout", "-")))
  end)

  it("ends its output with a newline, and doesn't change a file's last line", function()
    for source, text in pairs {
      ["a=1"] = "a = 1\n", ["a=1\n"] = "a = 1\n", ["a=1\n\n"] = "a = 1\n\n", ["a {} # c"] = "a {} # c\n", [""] = "\n",
    } do
      assert.equal(text, select(2, fmt(source, "-")))
      assert.equal(text, select(2, fmt(nil, "-write=false", "-list=false", file(source))))
    end
    local name = file "a=1"
    fmt(nil, name)
    assert.equal("a = 1", content(name))
  end)

  it("keeps a file with a byte order mark readable, and carriage returns", function()
    assert.equal('a "b" {\r\n  c = d\r\n}\r\n', select(2, fmt('\239\187\191a b {\r\nc="${d}"\r\n}\r\n', "-")))
  end)

  it("lists unformatted files with -check", function()
    local good, bad = file "a = 1\n", file "a=1\n"
    local status, out = fmt(nil, "-check", good)
    assert.same({ 0, "" }, { status, out })
    status, out = fmt(nil, "-check", good, bad)
    assert.same({ 3, bad .. "\n" }, { status, out })
    assert.equal("a=1\n", content(bad))
    status, out = fmt("a=1", "--check", "-")
    assert.same({ 3, "standard input\n" }, { status, out })
  end)

  it("shows the changes with -diff", function()
    local status, out = fmt("a=1\n", "-diff", "-")
    assert.same({ 0, "--- old/standard input\n+++ new/standard input\n@@ -1,1 +1,1 @@\n-a=1\n+a = 1\n" }, { status, out })
    status, out = fmt("a = 1\n", "-diff", "-")
    assert.same({ 0, "" }, { status, out })
    assert.equal(3, (fmt("a=1\n", "-diff", "-check", "-")))
  end)

  it("replaces files with -write, and keeps their modes and links", function()
    local good, bad = file "a = 1\n", file "a=1\n"
    local link = bad .. ".link"
    names[#names + 1] = link
    shown("chmod 640 " .. bad .. "; ln -s " .. bad .. " " .. link)
    local status, out, err = fmt(nil, "-write", good, link)
    assert.same({ 0, link .. "\n", "" }, { status, out, err })
    assert.equal("a = 1\n", content(bad))
    assert.equal("-rw-r-----", shown("ls -ld " .. bad):sub(1, 10))
    assert.equal("l", shown("ls -ld " .. link):sub(1, 1))
    assert.equal("", shown("ls " .. bad .. ".?????? 2>&1 | grep -v link | grep -v 'No such'"))
  end)

  it("leaves broken files alone, and reports their errors", function()
    local source = 'a="x\nb = "two  blanks"\n'
    local broken = file(source)
    local status, out, err = fmt(nil, "-write", broken)
    assert.same({ 1, "" }, { status, out })
    assert.truthy(err:find(broken .. " line 1", 1, true), err)
    assert.equal(source, content(broken))
    status, out = fmt("a=(\n", "-")
    assert.same({ 1, "" }, { status, out })
    status, out = fmt(nil, "-check", broken, file "a=1\n")
    assert.same({ 1, names[#names] .. "\n" }, { status, out })
  end)

  -- A name may have 255 bytes, and the new file's name is longer.
  it("reports an error if it can't create a new file beside the old one", function()
    local name = support.temporary_file("a=1\n", ("x"):rep(241))
    names[#names + 1] = name
    local status, out, err = fmt(nil, "-write", name)
    assert.same({ 1, "" }, { status, out })
    assert.truthy(err:find("^hclexpr:%s+" .. name .. ":%s.*folder"), err)
    assert.equal("a=1\n", content(name))
  end)

  it("rejects bad usage", function()
    for _, arguments in ipairs { { "-write", "-" }, { "-check", "-write", "x" }, { "-nope", "x" }, { "-style=tofu", "-" } } do
      assert.equal(2, (fmt("", support.unpack(arguments))))
    end
    assert.equal(1, (fmt("", "/nowhere/at/all")))
    assert.equal(1, (fmt("", "x.tf.json")))
  end)
end)

describe("hclexpr.cli.diff", function()
  it("joins nearby changes into one hunk", function()
    local old, new = {}, {}
    for i = 1, 30 do old[i], new[i] = "line " .. i, "line " .. i end
    for _, i in ipairs { 5, 6, 12, 30 } do new[i] = "new " .. i end
    assert.equal(lines("--- old/f", "+++ new/f", "@@ -2,14 +2,14 @@", " line 2", " line 3", " line 4", "-line 5", "-line 6", "+new 5",
      "+new 6", " line 7", " line 8", " line 9", " line 10", " line 11", "-line 12", "+new 12", " line 13", " line 14", " line 15",
      "@@ -27,4 +27,4 @@", " line 27", " line 28", " line 29", "-line 30", "+new 30"), diff("f", lines(support.unpack(old)),
      lines(support.unpack(new))))
  end)

  it("finds adjacent lines between which some were removed", function()
    local old, long = {}, { "${\n\n  a(\n1)\n}", "${b}" }
    for i = 1, 30 do old[i] = ('x%02d = "%s"'):format(i, long[i % 8] or "c") end
    local before = lines(support.unpack(old))
    local after = hcl.format(before, { style = "terraform" })
    local text = diff("f", before, after)
    local part = '\n x08 = "c"\n-x09 = "${\n-\n-  a(\n-1)\n-}"\n-x10 = "${b}"\n+x09 = (a(\n+1))\n+x10 = b\n x11 = "c"\n'
    assert.truthy(text:find(part, 1, true), text)
    -- Each hunk has as many lines as its head says, at the place that it says.
    local sides = { ["-"] = before, ["+"] = after }
    for first, n, other, m, hunk in text:gmatch "@@ %-(%d+),(%d+) %+(%d+),(%d+) @@\n([^@]*)" do
      for sign, place in pairs { ["-"] = { first, n }, ["+"] = { other, m } } do
        local want, k = {}, 0
        for line in sides[sign]:gmatch "[^\n]*\n" do
          k = k + 1
          if k >= tonumber(place[1]) and k < place[1] + place[2] then want[#want + 1] = line end
        end
        local got = {}
        for kind, line in hunk:gmatch "([ +-])([^\n]*\n)" do
          if kind == " " or kind == sign then got[#got + 1] = line end
        end
        assert.same(want, got)
      end
    end
  end)

  it("reports missing newlines, and handles empty texts", function()
    assert.equal("--- old/f\n+++ new/f\n@@ -1,1 +1,1 @@\n-a=1\n\\ No newline at end of file\n+a = 1\n\\ No newline at end of file\n",
      diff("f", "a=1", "a = 1"))
    assert.equal("", diff("f", "", ""))
    assert.equal("", diff("f", "a\n", "a\n"))
  end)
end)
