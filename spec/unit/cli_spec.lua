-- The command, as a process under the Lua of this run: its output, and its exit status.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local cli = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../command.lua")
local program, command, root, quote = cli.program, cli.line, cli.root, cli.quote
local file, run, prints, fails = cli.file, cli.run, cli.prints, cli.fails

local folder

describe("hclexpr", function()
  setup(function() folder = cli.begin() end)
  teardown(cli.finish)

  it("starts fast: eval loads neither the API's file nor the code for reports", function()
    local script = [[local cli = require "hclexpr.cli" cli.main { "eval", "1 + 1" } io.stdout:flush()
      for _, name in ipairs { "hclexpr", "hclexpr.check", "hclexpr.advice", "hclexpr.cli.help", "hclexpr.cli.variables" } do
        if package.loaded[name] then print(name) end
      end]]
    local shown = support.output(("cd %s && %s -e %s"):format(root, quote(program), quote(script)))
    assert.equal("2\n", shown)
  end)

  it("starts fast: a folder without resources is tested without the code for planning, coverage and JSON", function()
    local dir = support.temporary_folder()
    support.write(dir .. "/main.tf", 'variable "a" {\n  type = string\n}\noutput "b" {\n  value = upper(var.a)\n}\n')
    support.write(dir .. "/main.tftest.hcl", [[
run "one" {
  command = plan
  variables { a = "x" }
  assert {
    condition     = output.b == "X"
    error_message = "It is ${output.b}."
  }
}
]])
    local script = ([[local cli = require "hclexpr.cli" print(cli.main { "test", %q })
      for _, name in ipairs { "cli.test_lines", "terraform.plan.configuration", "terraform.plan.state",
                              "terraform.plan.actions", "terraform.plan.plan_instance", "terraform.plan.instance_cycles",
                              "terraform.tests.coverage", "terraform.tests.overrides", "terraform.tests.junit",
                              "terraform.run.targets", "json.text",
                              "terraform.schema.prepared_schemas", "terraform.evaluate.nodes.modules" } do
        if package.loaded["hclexpr." .. name] then print(name) end
      end]]):format(dir)
    local shown = support.output(("cd %s && %s -e %s"):format(root, quote(program), quote(script)))
    support.remove(dir)
    assert.equal("Success! 1 passed, 0 failed.\n0\n", shown:match "Success.*")
  end)

  it("lists its commands", function()
    fails(2, {}, "usage: hclexpr COMMAND", "decode")
    fails(2, { "help", "evl" }, "no command evl; see: hclexpr help")
    for _, args in ipairs { { "help" }, { "--help" }, { "-h" }, { "-help" }, { "help", "help" }, { "help", "version" } } do
      local status, out = run(args)
      assert.equal(0, status)
      assert.truthy(out:find("eval EXPRESSION", 1, true))
    end
    for i, name in ipairs {
      "eval", "render", "fmt", "json", "decode", "refs", "check", "functions", "validate", "plan", "outputs", "graph", "test", "console",
    } do
      local status, out, err = run { name, "--help" }
      assert.same({ 0, "" }, { status, err })
      assert.truthy(out:find("usage: hclexpr " .. name, 1, true))
      -- There are more ways to ask for help: one is tried for each command.
      local other = ({ { "help", name }, { name, "-help" }, { name, "x", "-h" } })[i % 3 + 1]
      assert.equal(out, (select(2, run(other))))
    end
    fails(2, { "frob" }, "frob", "hclexpr help")
    fails(2, { "help", "frob" }, "frob")
    local status, out = run { "version" }
    assert.equal(0, status)
    assert.truthy(out:find "^hclexpr %d+%.%d+%.%d+\n$")
  end)

  it("finds its module if it is called through a symbolic link", function()
    local link = folder .. "/a link"
    -- A checkout without build results: the C module is that of this run.
    support.output(([[cd %s && set -- %s %s && mkdir -p "$1/bin" && cp bin/hclexpr "$1/bin" &&
      ln -s "$PWD/lua" "$1/lua" && ln -s "$1/bin/hclexpr" "$2"]])
      :format(root, quote(folder .. "/checkout"), quote(link)))
    local line = ("cd %s && LUA_PATH=';;' %s %s eval '1 + 2' 2>&1; echo $?"):format(root, quote(program), quote(link))
    assert.equal("3\n0", (support.output(line):gsub("%s+$", "")))
  end)

  describe("eval", function()
    it("explains values", function()
      local path = file("prod.tfvars", "# where\nenv = \"prod\"\n")
      prints('"yes"\n  env == "prod"  true, so the first branch\n    env          "prod"    ' .. path
               .. ':2\n  l[0]           not evaluated\n',
             { "eval", "--explain", "--var-file", path, "--var", 'l=["no"]', 'env == "prod" ? "yes" : l[0]' })
      prints("2\n  x  1    --var\n", { "eval", "--explain", "--var", "x=1", "x + 1" })
      local status, out, err = run { "eval", "--explain", "nope + 1" }
      assert.equal(1, status)
      assert.equal('failed\n  nope  error: Nothing is named "nope" here.\n', out)
      assert.matches("Unknown name", err, 1, true)
      fails(1, { "eval", "--explain", "1 +" }, "Expression")
    end)

    it("prints values as a console does", function()
      prints("3\n", { "eval", "1 + 2" })
      prints("a\"b", { "eval", "-raw", '"a\\"b"' })
      prints('{\n  "a": [\n    1,\n    null\n  ]\n}\n', { "eval", "-json", "{ a = [1, null] }" })
      fails(1, { "eval", "-raw", "[1]" }, "the value is of type tuple([number])", "use -json")
      fails(1, { "eval", "-raw", '{ a = sensitive({ hush = 1 }) }' }, "the value is of type object({…})", "use -json")
      fails(1, { "eval", "-raw", 'sensitive("x")' }, "the value is sensitive", "nonsensitive()")
      fails(1, { "eval", "-raw", "null" }, "the value is null")
      prints('"a"\n', { "eval", 'lower("A")' })
      prints("-1\n", { "eval", "-1" })
      prints("-1\n", { "eval", "--", "-1" })
      prints("number\n", { "eval", "type(1)" })
    end)

    it("reads the expression from standard input", function()
      prints('"x-1"\n', { "eval", "-" }, { input = '"x-${1}"\n' })
    end)

    it("accepts a heredoc, whose last line has no newline in a shell's argument", function()
      prints("6\n", { "eval", "length(<<A\nhello\nA\n)" })
      prints("<<EOT\nhello\n\nEOT\n", { "eval", "<<A\nhello\nA" })
    end)

    it("takes named values", function()
      prints("7\n", { "eval", "a + b", "--var", "a=3", "--var=b=2 + 2" })
      prints('"plain text"\n', { "eval", "a", "--var", "a=plain text" })
      prints('"x"\n', { "eval", "a.b", "--var-file", file("vars.tfvars", 'a = { b = "x" }\n') })
      -- JSON strings aren't templates there.
      prints('"${x}"\n', { "eval", "a", "--var-file", file("vars.json", '{"a": "${x}"}') })
      prints("2\n", { "eval", "a", "--var", "a=1", "--var", "a=2" })
      prints('"A"\n', { "eval", "a", "--var", 'a=upper("a")' })
      -- A caller of a function didn't mean that text.
      fails(1, { "eval", "a", "--var", 'a=uper("a")' }, "--var line 1", "uper", "upper")
    end)

    it("reports errors with the source", function()
      fails(1, { "eval", "1 + nope" }, "Error: ", "1 + nope", "^^^^", "nope", "\nhclexpr: --var NAME=VALUE ")
      -- If values are named, the name is a typo.
      local _, _, err = run { "eval", "1 + nape", "--var", "name=1" }
      assert.is_nil(err:find("hclexpr:", 1, true), err)
      fails(1, { "eval", "1 +" }, "Error: ")
      fails(1, { "eval", "a", "--var-file", file("block.tfvars", "b {\n}\n") }, "block.tfvars", "b")
      fails(1, { "eval", "a", "--var-file", folder .. "/nope" }, "nope")
    end)

    it("reports bad usage", function()
      fails(2, { "eval" }, "expression", "hclexpr eval --help")
      fails(2, { "eval", "1", "2" }, "2 arguments")
      fails(2, { "eval", "1", "--frob" }, "--frob")
      fails(2, { "eval", "1", "--var" }, "--var")
      fails(2, { "eval", "1", "--var", "x" }, "NAME=VALUE")
      for _, name in ipairs { "x.y", "1", "x y", "null", "x[0]", "" } do fails(2, { "eval", "1", "--var", name .. "=3" }, "--var", name) end
      fails(1, { "eval", "1", "--var", "x=\255" }, "UTF-8")
      fails(2, { "eval", "1", "--limit", "steps" }, "NAME=N")
      fails(2, { "eval", "1", "--limit", "steps=few" }, "limits.steps")
      fails(2, { "eval", "1", "--limit", "stairs=5" }, "stairs")
      fails(2, { "eval", "1", "--clock=maybe" }, "clock")
    end)
  end)

  describe("what evaluates", function()
    setup(function()
      os.execute("mkdir -p " .. quote(folder .. "/granted"))
      file("granted/name", "you")
      file("beside", "them")
    end)

    it("reads files of one folder if that is granted", function()
      local granted = "--filesystem=" .. folder .. "/granted"
      prints('"you"\n', { "eval", 'file("name")', "--filesystem", folder .. "/granted" })
      prints('"you!"\n', { "eval", "a", "--var", 'a="${file("name")}!"', granted })
      prints('"you"\n', { "eval", "a", granted, "--var-file", file("files.tfvars", 'a = file("name")\n') })
      prints("Hello, you", { "render", "-", granted }, { input = 'Hello, ${file("name")}' })
      prints('{"a":"you"}\n', { "json", "--evaluate", "--compact", "-", granted }, { input = 'a = file("name")' })
      fails(1, { "eval", 'file("../beside")', granted }, "../beside", "outside the granted folders")
      local _, _, err = run { "eval", 'file("../beside")', granted }
      assert.is_nil(err:find("-filesystem DIR", 1, true)) -- it is given already
    end)

    it("reads no files otherwise, and names the option that allows it", function()
      fails(1, { "eval", 'file("name")' }, "filesystem", "\nhclexpr: --filesystem DIR ")
      fails(1, { "eval", 'abspath("name")' }, "\nhclexpr: --filesystem DIR ")
      fails(1, { "eval", 'pathexpand("~/name")' }, "\nhclexpr: --filesystem DIR ")
      fails(1, { "render", "-" }, { input = '${file("a")}${file("b")}' }, "\nhclexpr: --filesystem DIR ")
      local _, _, err = run({ "json", "--evaluate", "-" }, { input = 'a = file("a")\nb = file("b")\n' })
      assert.equal(1, select(2, err:gsub("hclexpr: %-%-filesystem", "")), err)
      _, _, err = run { "eval", "1 + true.x" }
      assert.is_nil(err:find("hclexpr: --", 1, true))
      fails(1, { "eval", "1", "--filesystem", folder .. "/none" }, folder .. "/none: ")
      fails(1, { "eval", "1", "--filesystem", folder .. "/beside" }, folder .. "/beside: ")
      fails(1, { "eval", "1", "--filesystem=" }, "folder")
    end)

    it("has the time of a plan, a clock and random numbers from options", function()
      local time = "2026-01-01T00:00:00Z"
      prints('"' .. time .. '"\n', { "eval", "plantimestamp()", "--plan-timestamp", time })
      prints(time, { "render", "-", "--plan-timestamp=" .. time }, { input = "${plantimestamp()}" })
      fails(1, { "eval", "plantimestamp()" }, "\nhclexpr: --plan-timestamp TIME ")
      fails(1, { "eval", "plantimestamp()", "--plan-timestamp", "today" }, "hclexpr: --plan-timestamp: today is not a time. ")
      prints("1\n", { "eval", 'timecmp(timestamp(), "' .. time .. '")' })
      prints("36\n", { "eval", "length(uuid())" })
      fails(1, { "eval", "timestamp()", "--clock=false" }, "clock")
      fails(1, { "eval", "uuid()", "--random=false" }, "random")
    end)
  end)

  it("has other limits if options set them", function()
    local spec = file("limit.hcldec", "object {\n}\n")
    local name = file("limit.hcl", "a   = 1\nb   = 2\n" .. ("# line\n"):rep(100))
    for _, args in ipairs { { "json" }, { "render" }, { "check" }, { "refs" }, { "fmt", "-check" }, { "decode", "-s", spec } } do
      local words = support.distinct(args)
      words[#words + 1] = name
      words[#words + 1] = "--limit=source=50"
      fails(1, words, "limit.hcl line 1", "\nhclexpr: --limit source=N ")
    end
    fails(1, { "eval", "1 + 2", "--limit", "source=4" }, "--limit source=N")
    fails(1, { "eval", "[for i in range(1000) : i]", "--limit", "steps=1e2" }, "\nhclexpr: --limit steps=N ")
    local long = '"${join("", [for i in range(1024) : join("", [for j in range(1024) : "x"])])}"'
    fails(1, { "eval", "length(" .. long .. ")", "--limit=memory=1000000" }, "\nhclexpr: --limit memory=N ")
    prints("1048576\n", { "eval", "length(" .. long .. ")" })
    -- The default is 1000 levels.
    local deep = file("deep.hcl", "a = " .. ("("):rep(1200) .. "1" .. (")"):rep(1200) .. "\n")
    fails(1, { "check", deep }, "--limit depth=N")
    prints("", { "check", "--limit", "depth=2e3", deep })
    prints('{"a":1}\n', { "json", "--evaluate", "--compact", "--limit", "depth=2e3", deep })
  end)

  it("renders templates", function()
    local name = file("a.tmpl", "Hello, ${name}!\n%{ for x in list ~}\n- ${x}\n%{ endfor ~}\n")
    prints("Hello, you!\n- a\n- b\n", { "render", name, "--var", "name=you", "--var", 'list=["a", "b"]' })
    prints("1", { "render", "-" }, { input = "${1}" })
    fails(1, { "render", name }, "a.tmpl line 1, column 10", "name")
    fails(1, { "render", "-" }, { input = "${[1]}" }, "on standard input line 1, column 1:", "jsonencode()")
    fails(1, { "render", "-" }, { input = "${null}" }, "on standard input line 1, column 1:")
    fails(1, { "render", file("b.tmpl", 'x${sensitive("s3cret")}') }, "sensitive")
    local _, _, err = run { "render", folder .. "/b.tmpl" }
    assert.is_nil(err:find("s3cret", 1, true))
  end)

  it("prints values of configurations as JSON", function()
    local name = file("c.tf", 'z = null\na = 123456789012345678901234567890\nf = 0.30\nb "x" {\n  t = "<\\t\\u2028>"\n}\nb "x" {\n}\n'
      .. "e = []\no = {}\n")
    prints('{"a":123456789012345678901234567890,"b":{"x":[{"t":"<\\t\\u2028>"},{}]},"e":[],"f":0.3,"o":{},"z":null}\n',
      { "json", "--evaluate", "--compact", name })
    prints('{\n  "a": [\n    1,\n    {}\n  ]\n}\n', { "json", "--evaluate", "-" }, { input = "a = [1, {}]" })
    prints('{"a":2}\n', { "json", "--evaluate", "--compact", file("d.json", '{"a": "${1 + 1}"}') })
    prints('{"a":5}\n', { "json", "--evaluate", "--compact", "--var", "x=5", "-" }, { input = "a = x" })
    prints('{"a":"<\\u2028\\u2029>&\\u0001\\\\\226\128\156","b":[[],[1]],"c":{}}\n', { "json", "--evaluate", "--compact", "-" },
      { input = 'a = "<\226\128\168\226\128\169>&\\u0001\\\\\226\128\156"\nb = [[], [1]]\nc = {}\n' })
    fails(1, { "json", "--evaluate", "-" }, { input = 'a = { b = sensitive(1) }' }, "the value at a.b is sensitive, which JSON")
    fails(1, { "json", "--evaluate", "-" }, { input = 'a = [1, [{ b = 2, c = sensitive("s3cret") }]]' },
      "the value at a[1][0].c is sensitive, which JSON")
    fails(1, { "json", "--evaluate", "-" }, { input = "a = x" }, "standard input line 1, column 5")
    fails(1, { "json", "--evaluate", folder }, folder)
  end)

  it("prints configurations as JSON without values, and back", function()
    local variable, resource = 'variable "a" {\n  type = string\n}\n', 'resource "x" "y" {\n  n = "w-${var.a}"\n  t = %s\n}\n'
    local name = file("j.tf", variable .. resource:format "[1.50, { k = f(1) }]")
    local compact = '{"variable":{"a":[{"type":"${string}"}]},"resource":{"x":{"y":[{"n":"w-${var.a}","t":[1.50,{"k":"${f(1)}"}]}]}}}\n'
    prints((compact:gsub("%${string}", "string")), { "json", "--compact", "--dialect", "terraform", name })
    prints(compact, { "json", "--compact", name })
    prints('{\n  "a": "${b}"\n}\n', { "json", "-" }, { input = "a = b" })
    prints(compact, { "json", "--compact", "-" }, { input = compact })
    prints('{"a":2}\n', { "json", "--evaluate", "--compact", "-" }, { input = ' {"a": "${1 + 1}"}' })
    prints('{"a":"${1 + 1}"}\n', { "json", "--compact", file("d.json", '{"a": "${1 + 1}"}') })
    prints(variable .. "\n" .. resource:format "[\n    1.50,\n    {\n      k = f(1)\n    },\n  ]", { "json", "--reverse", "-" },
      { input = compact })
    local module = '{"locals": {"a": [{"b": 1}]}, "x": 1}'
    local attribute = "a = [\n    {\n      b = 1\n    },\n  ]\n"
    prints("locals {\n  " .. attribute .. "}\n\nx = 1\n", { "json", "--reverse", file("m.tf.json", module) })
    prints("locals {\n  " .. attribute .. "}\n\nx = 1\n", { "json", "--reverse", "--schema", "terraform", file("m.json", module) })
    prints('locals "a" {\n  b = 1\n}\n\nx = 1\n', { "json", "--reverse", folder .. "/m.json" })
    prints((attribute:gsub("\n  ", "\n")), { "json", "--reverse", file("v.tfvars.json", '{"a": [{"b": 1}]}') })
    fails(1, { "json", "-" }, { input = "a = [" }, "standard input line 1")
    fails(1, { "json", "--reverse", "-" }, { input = '{"a": "${"}' }, "standard input line 1, column 7")
    fails(1, { "json", "--reverse", "-" }, { input = "a = 1" }, "standard input line 1")
    for _, args in ipairs {
      { "--var", "x=1" }, { "--filesystem", "." }, { "--reverse", "--evaluate" }, { "--reverse", "--compact" },
      { "--schema", "attributes" }, { "--dialect", "attributes" }, { "--evaluate", "--dialect", "terraform" },
      { "--reverse", "--schema", "tofu" }, { "--reverse", "--dialect", "tofu" }, { "--dialect", "terraform", "--schema", "terraform" },
    } do
      fails(2, { "json", "-", support.unpack(args) }, { input = "a = 1" }, "See: hclexpr json")
    end
  end)

  describe("decode", function()
    local spec

    setup(function()
      spec = file("spec.hcldec", 'object {\n  attr "a" {\n    type = any\n  }\n  attr "n" {\n    type = string\n  }\n}\n')
    end)

    -- The formats are those of the reference's tool.
    it("prints the value", function()
      prints('{"a":[1,"\\u003c"]}\n', { "decode", "--spec=" .. spec, "-" }, { input = 'a = [1, "<"]\n' })
      prints('{"a":1,"n":null}\n', { "decode", "-s", spec, "--keep-nulls" }, { input = "a = 1\n" })
      prints('{"type":["object",{"a":"number","n":"string"}],"value":{"a":1}}\n',
        { "decode", "-s", spec, "--with-type" }, { input = "a = 1\n" })
      prints('{"value":{"a":1,"n":null},"type":["object",{"a":"number","n":"string"}]}\n',
        { "decode", "-s" .. spec, "--with-type", "--keep-nulls=true" }, { input = "a = 1\n" })
    end)

    it("reads several files as one, and JSON", function()
      prints('{"a":1,"n":"x"}\n', { "decode", "-s", spec, file("1.hcl", "a = 1\n"), file("2.hcl.json", '{"n": "x"}') })
      fails(1, { "decode", "-s", spec, folder .. "/1.hcl", folder .. "/1.hcl" }, "a is set")
    end)

    it("takes variables", function()
      prints('{"a":2,"n":"y"}\n', { "decode", "-s", spec, "--vars", '{"x": {"n": "y"}}', "-V", file("v.hcl", "two = 2\n") },
        { input = "a = two\nn = x.n\n" })
      fails(1, { "decode", "-s", spec, "--vars", '{"x": ' }, "<vars argument 0>")
      fails(1, { "decode", "-s", spec }, { input = "a = x\n" }, "\nhclexpr: --vars ")
      -- If nothing has a name, JSON strings are plain text.
      local json = file("t.json", '{"n": "${x}"}')
      prints('{"n":"${x}"}\n', { "decode", "-s", spec, json })
      prints('{"n":"5"}\n', { "decode", "-s", spec, json, "--vars", '{"x": 5}' })
    end)

    it("lists references", function()
      local name = file("r.hcl", 'a = x.y[0]["k"]\nother = z\n')
      local status, out = run { "decode", "-s", spec, "--var-refs", "--vars", '{"x": {"y": [{"k": 5}]}}', name }
      assert.equal(0, status)
      assert.equal([=[
[
  {
    "root_name": "x",
    "value": 5,
    "steps": [
      {
        "kind": "root",
        "name": "x",
        "range": {
          "filename": "FILE",
          "start": {
            "line": 1,
            "column": 5,
            "byte": 4
          },
          "end": {
            "line": 1,
            "column": 6,
            "byte": 5
          }
        }
      },
]=], (out:gsub(name:gsub("%p", "%%%0"), "FILE"):match "^(.-\n      },\n)"))
      assert.truthy(out:find('"kind": "index",\n        "key": 0,', 1, true))
      assert.truthy(out:find('"kind": "index",\n        "key": "k",', 1, true))
      assert.is_nil(out:find('"z"', 1, true))
    end)

    it("reports as JSON", function()
      local status, out, err = run({ "decode", "-s", spec, "--diags=json" }, { input = "b = 1\n" })
      assert.same({ 1, "" }, { status, out })
      local head, tail = err:match '^(.-)"summary.-(      "subject".*)$'
      assert.equal('{\n  "diagnostics": [\n    {\n      "severity": "error",\n      ', head)
      assert.equal([=[
      "subject": {
        "filename": "\u003cstdin\u003e",
        "start": {
          "line": 1,
          "column": 1,
          "byte": 0
        },
        "end": {
          "line": 1,
          "column": 2,
          "byte": 1
        }
      }
    }
  ]
}
]=], tail)
    end)

    it("writes to a file", function()
      prints("", { "decode", "-s", spec, "-o", folder .. "/out.json" }, { input = "a = 1\n" })
      prints("", { "decode", "-s", spec, "-o", "/dev/null" }, { input = "a = 1\n" })
      assert.equal('{"a":1}\n', support.read(folder .. "/out.json"))
      fails(1, { "decode", "-s", spec, "-o", folder .. "/no/such" }, folder .. "/no/such")
    end)

    it("reports errors in the command line, the specification, the files", function()
      fails(2, { "decode" }, "--spec")
      prints('{"a":1,"n":null}\n', { "decode", "--spec=-", "--keep-nulls", file("one.hcl", "a = 1\n") }, { input = support.read(spec) })
      fails(1, { "decode", "--spec=-", folder .. "/one.hcl" }, { input = "object {" }, "<stdin> line 1")
      fails(2, { "decode", "--spec=-" }, "standard input holds one file only")
      fails(2, { "decode", "-s", spec, "-V", "-", "-" }, "standard input holds one file only")
      fails(2, { "decode", "-s", spec, "--diags=xml" }, "xml")
      fails(2, { "decode", "-s", spec, "--with-type=maybe" }, "with-type")
      fails(1, { "decode", "-s", folder .. "/nope" }, "nope")
      fails(1, { "decode", "-s", file("bad.hcldec", "frob {\n}\n") }, "bad.hcldec line 1", "frob")
      fails(1, { "decode", "-s", spec, folder .. "/nope.hcl" }, "nope.hcl")
      fails(1, { "decode", "-s", spec, folder }, folder)
      fails(1, { "decode", "-s", spec }, { input = "a = \n" }, "<stdin> line 1")
    end)
  end)

  it("lists references", function()
    prints(folder .. "/r.tf:1:5: var.x\n" .. folder .. '/r.tf:3:7: local.y["k"]\n',
      { "refs", file("r.tf", 'a = var.x\nb {\n  c = local.y["k"]\n}\n') })
    prints("standard input:1:1: a.b\n", { "refs", "-" }, { input = "a.b + 1" })
    fails(1, { "refs", "-" }, { input = "a.b +" }, "standard input")
  end)

  it("checks files", function()
    prints("", { "check", file("good.tf", "a = 1\n"), file("good.json", '{"a": 1}') })
    local bad = { "check", folder .. "/good.tf", file("bad.tf", "a = \nb = [\n"), file("bad.json", '{"a": }') }
    fails(1, bad, "bad.tf line 1", "bad.json line 1")
    fails(2, { "check" }, "files")
    fails(1, { "check", folder .. "/none" }, "none")
    fails(1, { "check", "" }, "name of a file")
    fails(1, { "check", folder .. "/none", folder .. "/bad.tf" }, "none", "bad.tf line 1")
    local status, out, err = run { "fmt", "-check", folder .. "/none", file("wide.tf", "a=1\n") }
    assert.same({ 1, folder .. "/wide.tf\n" }, { status, out })
    assert.truthy(err:find("/none", 1, true), err)
  end)

  it("checks calls", function()
    local calls = file("calls.tf", 'a = uper("x")\nb = substr("a", 1)\nc = max(1, 2)\nd = substr("a", [1, 2]...)\ne = foo::bar()\n'
      .. "f = list(string)\n")
    fails(1, { "check", calls }, 'No function is named "uper". Did you mean "upper"?', "line 1, column 5",
      "substr() takes 3 arguments, but this call has 2.", "line 2, column 5")
    local _, _, err = run { "check", calls }
    assert.equal(2, select(2, err:gsub("Error: ", "")))
  end)

  it("knows functions that a file declares, and files of programs with their own functions", function()
    local declared = 'function "tag" {\n  params = [name, part]\n  variadic_params = rest\n  result = name\n}\n'
      .. 'function "none" {\n  params = []\n  result = 1\n}\n'
    local own = file("own.hcl", declared .. 'a = tag("x", "y", "z")\nb = none()\n')
    prints("", { "check", own })
    fails(1, { "check", file("few.hcl", declared .. 'a = tag("x")\n') }, "tag() takes at least 2 arguments, but this call has 1.")
    fails(1, { "check", file("many.hcl", declared .. "a = nonne()\nb = none(1)\n") }, 'No function is named "nonne". Did you mean "none"?',
      "none() takes 0 arguments, but this call has 1.")
    for _, name in ipairs { "docker-bake.hcl", "docker-bake.override.hcl", "terragrunt.hcl", "terragrunt.stack.hcl", "image.pkr.hcl",
      "image.pkrvars.hcl", "job.nomad", "job.nomad.hcl" } do
      prints("", { "check", file("dialect/" .. name, 'a = their_own("x")\n') })
      fails(1, { "check", file("dialect/wrong/" .. name, 'a = upper("x", "y")\n') }, "upper() takes 1 argument")
    end
    -- Terragrunt includes files of any name.
    prints("", { "check", file("dialect/region.hcl", 'a = read_terragrunt_config(find_in_parent_folders("env.hcl"))\n') })
    fails(1, { "check", file("dialect/app.hcl", 'a = their_own("x")\n') }, "their_own")
  end)

  it("checks with the functions of the files' program", function()
    local functions = file("own.functions", 'function "secret" {\n  params = [name]\n  result = ""\n}\n')
    local uses = file("uses.hcl", 'a = secret("x")\n')
    fails(1, { "check", uses }, 'No function is named "secret"', "--functions FILE")
    prints("", { "check", "--functions", functions, uses })
    prints("", { "check", "--functions", functions, "--rules", uses })
    prints("", { "check", "-recursive", "--functions", functions, file("below/uses.hcl", 'a = secret("x")\n'):match "^(.*)/" })
    fails(1, { "check", "--functions", functions, file("few.hcl", "a = secret()\nb = secert(1)\n") }, 'Did you mean "secret"?',
      "secret() takes 1 argument, but this call has 0.")
    fails(1, { "check", "--functions", functions, file("torn.hcl", "a = secert(1)\nb = \n") }, 'Did you mean "secret"?')
    fails(1, { "check", "--functions", uses, uses }, "no functions are defined there")
    fails(1, { "check", "--functions", folder .. "/none", uses }, "/none")
  end)

  it("checks expressions by types", function()
    local types = file("types.hcl", 'user = object({ name = string })\nn = number\nfunctions {\n  shout = string\n}\n')
    prints("", { "check", "--types", types, file("fine.hcl", 'a = user.name == "x"\nb = n > 1 ? shout(1, null) : upper("x")\n') })
    fails(1, { "check", "--types", types, file("false.hcl", 'a = user.nmae\nb = true ? 1 : shuot(1)\n') }, 'Did you mean "name"?',
      "false.hcl line 1, column 9",
      'Did you mean "shout"?')
    local dir = folder .. "/conf.d"
    assert(support.runs("mkdir " .. quote(dir)))
    file("conf.d/a.hcl", "a = n\n")
    prints("", { "check", "--types", types, dir })
    file("conf.d/b.hcl", "a = n + 1\n")
    fails(1, { "check", "--types", types, dir }, "conf.d/b.hcl line 1, column 1", "conf.d/a.hcl line 1")
    fails(1, { "check", "--types", file("wrong.hcl", "n = nmber\n"), folder .. "/fine.hcl" }, "wrong.hcl line 1", 'Did you mean "number"?')
    fails(1, { "check", "--types", file("block.hcl", "other {}\n"), folder .. "/fine.hcl" }, "a block other")
  end)

  it("checks rules, which have a request, and may have a schema", function()
    local typo = file("typo.hcl", 'allow = request.pat == "/"\n')
    fails(1, { "check", "--rules", typo }, "typo.hcl line 1, column 16", 'Did you mean "path"?')
    fails(1, { "check", "--types", file("user.hcl", "user = object({ name = string })\n"), typo }, 'Did you mean "path"?')
    fails(1, { "check", "--rules", file("rules.d.hcl", "allow = user.name\n") }, 'Nothing is named "user" here')
    prints("", { "check", "--types", file("own.hcl", "request = object({ pat = string })\n"), typo })
    local schema = file("schema.lua", 'return { attributes = { allow = { type = "expression", returns = "bool", required = true },\n'
      .. '  tag = { type = "string", one_of = { "a", "b" } } } }\n')
    prints("", { "check", "--schema", schema, file("fits.hcl", 'tag = "a"\nallow = request.path == "/"\n') })
    fails(1, { "check", "--schema", schema, typo }, 'Did you mean "path"?')
    fails(1, { "check", "--schema", schema, file("other.hcl", 'tag = "c"\nallow = true\n') }, 'must be one of "a" or "b"')
    fails(1, { "check", "--schema", schema, file("text.hcl", 'allow = "GET"\n') }, "The argument \"allow\" doesn't fit its type")
    fails(1, { "check", "--schema", schema, file("more.hcl", "allow = true\nalow = true\n") }, 'No argument is named "alow"')
    fails(1, { "check", "--schema", file("none.lua", "return 1\n"), typo }, "none.lua: it returns no table")
    fails(1, { "check", "--schema", file("broken.lua", "return {\n"), typo }, "broken.lua:2:")
    fails(1, { "check", "--schema", file("raises.lua", "error 'no'\n"), typo }, "raises.lua:1: no")
    fails(1, { "check", "--schema", file("raises.lua", "error(true)\n"), typo }, "raises.lua: true")
    fails(1, { "check", "--schema", file("odd.lua", "return { attributes = { a = 1 } }\n"), typo }, "odd.lua: ")
    -- A function of the host, with an unknown result, in an argument that is decoded.
    prints("", { "check", "--types", file("host.hcl", "functions {\n  region = string\n}\n"), "--schema", schema,
      file("calls.hcl", "tag = region()\nallow = true\n") })
    -- A folder is one body of the files that publish uses.
    local dir = folder .. "/edge.d"
    assert(support.runs("mkdir " .. quote(dir)))
    file("edge.d/a.hcl", 'tag = "a"\n')
    file("edge.d/notes.tf", "broken {\n")
    fails(1, { "check", "--schema", schema, dir }, 'argument "allow" is required')
    file("edge.d/b.hcl", "allow = true\n")
    prints("", { "check", "--schema", schema, dir })
  end)

  it("warns about comparisons that absence makes true", function()
    local cases = {
      ['request.headers["x-team"] != "blocked"'] = 1, ['"blocked" != (request.query.team)'] = 1, ["request.cookies.a != request.path"] = 1,
      ['!(request.headers["x-team"] == "blocked")'] = 1, ['!(request.method == "GET" || request.query.a == "b")'] = 1,
      ['request.cookies.token == request.headers["x-token"]'] = 1, ["request.query_all.a != [\"b\"]"] = 1,
      ['[for x in [1] : x if request.query.a != "b"]'] = 1, ['[!!(request.query.a != "b"), request.query.c != "d"]'] = 2,
      ['request.headers["x-team"] == "web"'] = 0, ['!(request.query.a != "b")'] = 0, ['request.method != "GET"'] = 0,
      ['request.query.a != null && request.query.a != "b"'] = 0, ["request.headers.a == null"] = 0, ["!(request.headers.a == null)"] = 0,
      ['lookup(request.headers, "x-team", "blocked") != "blocked"'] = 0, ['local.headers.a != "b"'] = 0, ["request.headers != {}"] = 0,
      ['!alltrue([request.query.a != "b"])'] = 1, ['local.headers.a != request.path'] = 0, ['request.files.a != "b"'] = 0,
      ["request.method == null"] = 0, ['request.headers.a.b != "c"'] = 0, ['!(request.query.a != "b") || request.query.c != "d"'] = 1,
    }
    -- One file of rules, one rule per line.
    local sources, rules = support.keys(cases), {}
    for i, source in ipairs(sources) do rules[i] = ("r%02d = %s\n"):format(i, source) end
    local status, _, err = run { "check", file("absence.hcl", table.concat(rules)) }
    assert.equal(0, status)
    local warned = {}
    for line in err:gmatch "Warning: Comparison that absence makes true.-absence%.hcl line (%d+)" do
      warned[sources[tonumber(line)]] = (warned[sources[tonumber(line)]] or 0) + 1
    end
    for source, n in pairs(cases) do assert.equal(n, warned[source] or 0, source) end
    assert.matches("column 7", err, 1, true)
    assert.matches('lookup(request.headers, "x-team", …)', err, 1, true)
    -- The depth of a chain of operators is its length.
    local chain = (' || request.query.a != "b"'):rep(support.sample(5000, 20000))
    assert.equal(0, (run { "check", file("long.hcl", "a = true" .. chain .. "\n") }))
  end)

  it("describes functions", function()
    local status, out = run { "functions" }
    assert.equal(0, status)
    assert.truthy(out:find "\nupper +%u")
    local column = out:find("  %u") -- that of every summary
    for line in out:gmatch "[^\n]+" do assert.truthy(line:sub(column):find "^  %u", line) end
    status, out = run { "functions", "upper" }
    assert.equal(0, status)
    assert.truthy(out:find("upper(str: string): string", 1, true))
    local upper = require("hclexpr").functions "upper"
    for _, text in ipairs { upper.summary, upper.description, upper.example } do assert.truthy(out:find("\n" .. text, 1, true) or
      out:find(": " .. text, 1, true), text) end
    fails(1, { "functions", "nope" }, "nope")
    fails(1, { "functions", "uper" }, "uper", "upper")
    fails(1, { "functions", "a b" }, "a b")
    fails(2, { "functions", "a", "b" })
  end)

  it("has colours on a terminal only", function()
    local _, _, err = run { "eval", "nope" }
    assert.is_nil(err:find("\27", 1, true))
    if not support.has_terminal() then return support.note "colours are not tested: a terminal is missing (util-linux's script)" end
    local function shown(env)
      -- A preloaded sanitizer is for Lua, not for script.
      return support.output(("cd %s && LD_PRELOAD= %s script -qec \"LD_PRELOAD=%s %s eval nope\" /dev/null"):format(
        root, env, os.getenv "LD_PRELOAD" or "", (command:gsub("'", ""))))
    end
    assert.truthy(shown("NO_COLOR= TERM=xterm"):find("\27[", 1, true))
    assert.is_nil(shown("NO_COLOR=1 TERM=xterm"):find("\27[", 1, true))
    assert.is_nil(shown("NO_COLOR= TERM=dumb"):find("\27[", 1, true))
  end)

  it("reports closed standard input or output, and writes to no other file", function()
    local path = file("a.hcl", "a = 1\n")
    for _, args in ipairs { { "console", "examples/infra" }, { "fmt", "-" }, { "eval", "-" } } do
      local status, out, err = run(args, { redirect = ("<&- >%s/stdout 2>%s/stderr"):format(folder, folder) })
      assert.same({ 1, "" }, { status, out })
      assert.truthy(err:find("hclexpr: standard input: ", 1, true), err)
    end
    for _, args in ipairs {
      { "fmt", "-write=false", "-list=false", path }, { "eval", "1" }, { "json", path }, { "help" }, { "version" }, { "decode", "-v" },
      { "validate", "-json" },
    } do
      local status, _, err = run(args, { redirect = (">&- 2>%s/stderr"):format(folder) })
      assert.equal(1, status)
      assert.truthy(err:find("hclexpr: can't write: ", 1, true), err)
      assert.equal(1, (run(args, { redirect = ">&- 2>&-" })))
    end
    -- A file that is opened gets the lowest free number: that of standard output, if it is closed.
    local script = ([[require("hclexpr.core").hold_streams() local f = io.open("%s", "w") print "astray" io.stdout:flush()]]):format(path)
    support.output(("cd %s && %s -e %s >&- <&- 2>&-"):format(root, quote(cli.program), quote(script)))
    assert.equal("", support.read(path))
  end)

  it("doesn't wait for a writer of a pipe", function()
    local pipe = folder .. "/pipe.hcl"
    support.output("rm -f " .. quote(pipe) .. "; mkfifo " .. quote(pipe))
    for _, args in ipairs {
      { "fmt" }, { "fmt", "-check" }, { "fmt", "-write" }, { "fmt", "-recursive" }, { "check" }, { "json" }, { "refs" }, { "render" }, {},
      { "decode", "--spec" }, { "check", "--types" }, { "eval", "--var-file" },
    } do
      args[#args + 1] = pipe
      if #args == 3 then args[#args + 1] = "1" end
      local status, out, err = run(args, { env = "timeout 120" })
      assert.truthy(status == 1 or status == 2, err)
      assert.equal("", out)
      assert.truthy(err:find("pipe", 1, true) or err:find("regular", 1, true), err)
    end
    local shown = support.output(("cd %s && bash -c %s"):format(root, quote(command .. " fmt -write=false -list=false <(echo 'a=1')")))
    assert.equal("a = 1\n", shown)
  end)

  it("ends quietly if no one reads, and reports an error if it can't write", function()
    -- The reader is gone when it begins to write: that is a signal, or an error if the signal is ignored.
    for _, trap in ipairs { "", "trap '' PIPE; " } do
      local gone = folder .. "/gone"
      local line = "cd %s && mkfifo %s && { read -r _ <%s; %s%s functions 2>%s/stderr; echo $? >%s/status; } | { exec <&-; echo >%s; }"
      line = line:format(root, gone, gone, trap, command, folder, folder, gone)
      assert.equal("", support.output(line))
      os.remove(gone)
      assert.equal("", support.read(folder .. "/stderr"))
      assert.not_equal("0\n", support.read(folder .. "/status"))
    end
    if support.exists "/dev/full" then
      local status, _, err = run({ "functions" }, { redirect = (">/dev/full 2>%s/stderr"):format(folder) })
      assert.equal(1, status)
      assert.truthy(err:find("can't write", 1, true))
    end
  end)

  it("ends at the first Ctrl-C, in the middle of an evaluation, too", function()
    -- The process reports when it has started. Its work never ends: it is killed unless the signal ends it.
    local source = "1"
    for _ = 1, 4 do source = "length([for x in range(1000) : " .. source .. "])" end
    support.write(folder .. "/stdout", "")
    support.write(folder .. "/begin.lua", 'local core = require "hclexpr.core" local compile = core.compile '
      .. 'function core.compile(...) io.stdout:write "begun\\n" io.stdout:flush() core.compile = compile return compile(...) end')
    local line = ([[cd %s && { '%s' -l hclexpr -e 'dofile "%s/begin.lua"' bin/hclexpr eval --limit steps=1e15 --limit memory=1e12 %s \
      >%s/stdout 2>%s/stderr & pid=$!
      { sleep 120; kill -KILL $pid; } >/dev/null 2>&1 & killer=$!
      until [ -s %s/stdout ] || ! kill -0 $pid; do sleep 0.05; done
      sleep 0.2; kill -INT $pid
      wait $pid; echo $?; kill $killer; }]]):format(root, program, folder, quote(source), folder, folder, folder)
    assert.equal("1\n", support.output(line))
    assert.equal("begun\n", support.read(folder .. "/stdout"))
    assert.equal("hclexpr: interrupted\n", support.read(folder .. "/stderr"))
  end)

  it("reads standard input that is closed", function()
    local status, _, err = run({ "render", "-" }, { redirect = ("<&- >%s/stdout 2>%s/stderr"):format(folder, folder) })
    assert.equal(1, status)
    assert.truthy(err:find("standard input", 1, true))
  end)

  it("suggests commands and options", function()
    fails(2, { "evl", "1" }, "no command evl; see: hclexpr help. Did you mean eval?")
    fails(2, { "help", "fnt" }, "Did you mean fmt?")
    fails(2, { "eval", "--vra", "a=1", "a" }, "unknown option --vra;", "Did you mean --var?")
    fails(2, { "fmt", "-chekc", "x" }, "Did you mean -check?")
    fails(2, { "eval", "--limits=steps=5", "1" }, "Did you mean --limit?")
    fails(2, { "console", "-json" }, "unknown option -json;")
    fails(2, { "fmt", "-zzzzzz", "x" }, "unknown option -zzzzzz; write -- before")
    local _, _, err = run { "eval", "--zzzzzz", "1" }
    assert.is_nil(err:find "mean")
    local path = file("main.tf", "a = 1\n")
    fails(2, { path }, "no command " .. path, "This is a file: hclexpr check")
    os.remove(path)
  end)

  it("rejects a variable that begins like an expression but isn't one", function()
    for _, text in ipairs { "[1,", "{a=1", '"x', "(1 + 2", "<<EOT", "upper(", "[draft] report" } do
      fails(1, { "eval", "--var", "a=" .. text, "a" }, "--var a: " .. text .. " looks like an expression but isn't valid",
        [[--var 'a="…"']])
    end
    fails(1, { "eval", "--var", "a=[b]", "a" }, "can use no named values")
    for _, text in ipairs { "hello world", "30s", "t2.micro", "a [b", "x (y)", "-", "5 apples", "1,2" } do
      prints('"' .. text .. '"\n', { "eval", "--var", "a=" .. text, "a" })
    end
    prints("[\n  1,\n]\n", { "eval", "--var", "a=[1]", "a" })
  end)

  it("reports a file that isn't text", function()
    local path = file("image.tf", "\127ELF\0\1\2\n")
    for _, args in ipairs { { "check", path }, { "fmt", "-check", path }, { "json", path }, { "refs", path } } do
      local status, out, err = run(args)
      assert.same({ 1, "", "hclexpr: " .. path .. ": this is not a text: it has a NUL\n" }, { status, out, err })
    end
    os.remove(path)
  end)

  it("handles the files of a folder", function()
    local dir = folder .. "/tree"
    assert(os.execute(("mkdir -p '%s/b/c.hcl' '%s/.hidden' && ln -s .. '%s/b/loop'"):format(dir, dir, dir)))
    for _, name in ipairs { "z.tf", "b/a.hcl", "b/c.hcl/x.tfvars", ".hidden/x.tf", ".x.tf", "note.txt", "b/y.tf.json" } do
      support.write(dir .. "/" .. name, "a=1\n")
    end
    local expected = ("%s/b/a.hcl\n%s/b/c.hcl/x.tfvars\n%s/z.tf\n"):format(dir, dir, dir)
    local status, out, err = run { "fmt", "-check", "-recursive", dir }
    assert.same({ 3, expected, "" }, { status, out, err })
    status, out, err = run { "fmt", "-check", dir }
    assert.same({ 3, dir .. "/z.tf\n", "" }, { status, out, err })
    prints(expected, { "fmt", "-write", "-recursive", dir .. "/" })
    assert.equal("a = 1\n", support.read(dir .. "/b/c.hcl/x.tfvars"))
    assert.equal("a=1\n", support.read(dir .. "/.hidden/x.tf"))
    prints("", { "fmt", "-check", "-recursive", dir })
    support.write(dir .. "/b/a.hcl", "a = [1\n")
    fails(1, { "check", "-recursive", dir }, dir .. "/b/a.hcl")
    fails(1, { "check", dir }, 'No argument is named "a" here', "z.tf line 1")
    fails(1, { "fmt", "-recursive", dir .. "/none" }, "No such file")
  end)

  it("doesn't change a file without room for a new one", function()
    local lines = {}
    for i = 1, 20000 do lines[i] = ("a%d=1\n"):format(i) end
    local text = table.concat(lines)
    local path = file("full.tf", text)
    -- The system refuses to write more than some kilobytes, as with a full disk.
    local line = ("trap '' XFSZ; ulimit -f 8; %s bin/hclexpr fmt -write '%s' 2>&1"):format(quote(program), path)
    local pipe = io.popen(line .. "; echo $?")
    local said = pipe:read "*a"
    pipe:close()
    assert.truthy(said:find "1\n$" and said:find(path, 1, true), said)
    assert.equal(text, support.read(path))
    assert.is_nil(support.lines(("ls '%s' | grep '^full.tf.'"):format(path:match "^(.*)/"))[1])
  end)

  it("reports a missing HOME if a path needs it", function()
    local script = 'local hcl = require "hclexpr" print(select(2, hcl.eval([[pathexpand("~/x")]], nil, hcl.scope { filesystem = "." })))'
    local pipe = io.popen(("env -u HOME %s -e '%s' 2>&1"):format(quote(program), script))
    local said = pipe:read "*a"
    pipe:close()
    assert.truthy(said:find("the environment variable HOME doesn't name", 1, true), said)
  end)

  describe("writing a file", function()
    local replace = require("hclexpr.core").replace_file

    it("keeps a file that another program saved meanwhile", function()
      local path = file("race.tf", "a=2\n")
      local ok, why = replace(path, "a = 1\n", "a=1\n")
      assert.is_nil(ok)
      assert.truthy(why:find("changed meanwhile", 1, true), why)
      assert.equal("a=2\n", support.read(path))
      assert.is_true(replace(path, "a = 2\n", "a=2\n"))
      assert.equal("a = 2\n", support.read(path))
      os.remove(path)
      assert.is_nil(replace(path, "a = 2\n", "a=2\n"))
      assert.is_false(support.exists(path))
    end)

    it("follows a symbolic link, and doesn't touch a file with several names", function()
      local path = file("linked.tf", "a=1\n")
      support.output(("ln -s linked.tf '%s/soft.tf'"):format(folder))
      prints(folder .. "/soft.tf\n", { "fmt", "-write", folder .. "/soft.tf" })
      assert.equal("a = 1\n", support.read(path))
      assert.truthy(support.output(("ls -l '%s/soft.tf'"):format(folder)):find "^l")
      support.write(path, "a=1\n")
      support.output(("ln '%s' '%s/hard.tf'"):format(path, folder))
      fails(1, { "fmt", "-write", path }, "several names")
      assert.equal("a=1\n", support.read(folder .. "/hard.tf"))
    end)

    it("keeps it readable for the same users, and no others", function()
      local path = file("access.tf", "a=1\n")
      local function mode() return support.output(("stat -c '%%a %%u %%g' '%s'"):format(path)) end
      support.output(("chmod 640 '%s'; command -v setfacl >/dev/null && setfacl -m u:1:r '%s'; command -v setfattr >/dev/null && "
        .. "setfattr -n user.note -v kept '%s'"):format(path, path, path))
      local function attributes() return support.output(("getfattr -d -m - '%s' 2>/dev/null"):format(path)) end
      local before, kept = mode(), attributes()
      prints(path .. "\n", { "fmt", "-write", path })
      assert.same({ before, kept }, { mode(), attributes() })
      local other = "setpriv --reuid=65534 --regid=65534 --groups=1,65534 "
      if not support.runs(other .. "sh -c 'test -r \"$PWD/bin/hclexpr\"' 2>/dev/null") then
        return support.note "the tests don't run as root, setpriv is missing, or others can't read this folder: other owners are not tested"
      end
      path = file("owned.tf", "a=1\n")
      support.output(("chmod 777 '%s'; chown 0:1 '%s'; chmod 660 '%s'"):format(folder, path, path))
      before = mode()
      local script = "io.write(tostring(select(2, require('hclexpr.core').replace_file([[" .. path .. "]], 'b', 'a=1\\n'))))"
      local said = support.output(("%s%s -e \"%s\" 2>&1"):format(other, program, script))
      assert.truthy(said:find("owner and group can't be kept", 1, true), said)
      assert.same({ before, "a=1\n" }, { mode(), support.read(path) })
    end)

    it("keeps the old result of decode without room for a new one", function()
      local out = file("out.json", "old\n")
      local source = file("big.hcl", 'a = "' .. ("x"):rep(20000) .. '"\n')
      local spec = file("big.hcldec", 'attr {\n  name = "a"\n  type = string\n}\n')
      local line = "trap '' XFSZ; ulimit -f 8; %s bin/hclexpr decode --spec '%s' -o '%s' '%s' 2>&1; echo $?"
      local said = support.output(line:format(program, spec, out, source))
      assert.truthy(said:find "1\n$" and said:find(out, 1, true), said)
      assert.equal("old\n", support.read(out))
      os.remove(out)
      prints("", { "decode", "--spec", spec, "-o", out, source })
      assert.equal('"' .. ("x"):rep(20000) .. '"\n', support.read(out))
    end)
  end)

  it("replaces regular files only", function()
    local ok, why = require("hclexpr.core").replace_file("/dev/null", "x")
    assert.is_nil(ok)
    assert.equal("/dev/null: not a regular file", why)
  end)
end)
