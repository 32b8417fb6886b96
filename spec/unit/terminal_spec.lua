-- The command's output never controls a terminal, whatever names and contents files have. Results go out unchanged.
local support = dofile((debug.getinfo(1, "S").source:match "^@(.-)[^/]*$") .. "../support.lua")
local cli = dofile(support.root .. "spec/command.lua")
local core = require "hclexpr.core"

-- Writes to the clipboard, clears the screen (by ESC, by a C1 control in UTF-8 and as a byte), moves back on the line, reverses the text.
local steering = { "\27]52;c;aGk=\7", "\27[2J", "\194\1552J", "\1552J", "\rx", "\8\127",
  "\226\128\174", "\226\129\166", "\216\156", "\226\128\168" }
local all = table.concat(steering)

-- The first part of a text that a terminal would interpret.
local function obeyed(text)
  for _, pattern in ipairs {
    "[%z\1-\8\11-\31\127]", "\194[\128-\159]", "\226\128[\142\143\168-\174]", "\226\129[\166-\169]", "\216\156", "^[\128-\191]",
    "[%z\1-\127][\128-\191]",
  } do
    local found = text:match("[^\n]*" .. pattern)
    if found then return found end
  end
end

local function is_plain(text, what)
  local found = obeyed(text)
  assert.is_nil(found, what .. (found and (": %q"):format(found) or ""))
end

describe("a terminal", function()
  local dir
  setup(function()
    dir = cli.begin()
    for i, text in ipairs(steering) do
      cli.file("rec/" .. text .. ".tf", ("locals {\n  a%d= 1\n}\n"):format(i))
      cli.file("wrong/" .. text .. ".tf", ("locals {\n  a%d = \"%s${nope}\" x\n}\n"):format(i, text))
      cli.file("wrong/" .. text .. ".tf.json", ('{ "locals": { "b%d": "%s${" }, "%s": 1 '):format(i, text, text))
      cli.file(("deep/%s/%s.tf"):format(text, text), "x =\n")
      support.output(("ln -s nothing %s"):format(cli.quote(("%s/wrong/gone%s.tf"):format(dir, text))))
      support.output(("ln -s nothing %s"):format(cli.quote(("%s/deep/gone%s.tf"):format(dir, text))))
    end
    cli.file("rec/two\nlines.tf", "b= 1\n")
    cli.file("main/main.tf", ([[
variable "v" { default = "@" }
locals {
  text = <<EOT
@
@
EOT
  map  = { "@" = "@" }
  gone = file("${path.module}/@")
}
resource "r" "r" {
  for_each = { "@" = <<EOT
@
@
EOT
  }
  a        = each.value
  nope     = var.nope["@"]
}
module "m" { source = "./@" }
output "o" { value = local.text }
output "p" { value = local.map }
check "c" {
  assert {
    condition     = var.v == "x"
    error_message = "No: @ ${local.text}"
  }
}
]]):gsub("@", (all:gsub("%%", "%%%%"))))
    cli.file("fine/main.tf", 'variable "v" {\n  default = "x"\n}\noutput "o" {\n  value = var.v\n}\n')
    cli.file(all .. ".hcl", "a = 1\nb {\n}\n")
    cli.file("template", all .. "\n${nope}")
  end)
  teardown(function() cli.finish() end)

  local function speaks_plainly(args, options)
    local _, out, err = cli.run(args, options)
    local what = ("%q"):format(table.concat(args, " "))
    is_plain(out, what)
    is_plain(err, what)
    return out, err
  end

  it("is not controlled by names of files", function()
    local tree = { dir .. "/rec", dir .. "/wrong", dir .. "/deep", dir .. "/none" .. all }
    for turn, root in ipairs(tree) do
      for i, args in ipairs {
        { "fmt", "-check", "-recursive" }, { "fmt", "-write=false", "-recursive" }, { "fmt", "-diff", "-write=false", "-recursive" },
        { "check", "-recursive" }, { "check" }, { "fmt", "-write=false" }, { "validate" }, { "plan" }, { "outputs" },
        { "graph" }, { "console" }, { "refs" }, { "json" }, { "render" },
        { "publish" }, { "eval", "--var-file" }, { "eval", "--filesystem" }, { "check", "--types" },
        { "validate", "-state" }, { "plan", "-schemas" }, { "plan", "-var-file" },
      } do
        args[#args + 1] = root
        if args[1] == "eval" then args[#args + 1] = "1" end
        if args[1] == "publish" then args[#args + 1] = "redis://127.0.0.1:1/0/x" end
        -- Here the output is the formatted files themselves.
        local makes = args[1] == "fmt" and args[2] ~= "-check" and root == tree[2]
        -- The sample runs each command at every second root.
        if not makes and (support.whole or (turn + i) % 2 == 0) then speaks_plainly(args, { input = "1\n" }) end
      end
    end
    local out = speaks_plainly { "fmt", "-write", "-recursive", dir .. "/rec" }
    assert.truthy(out:find([[rec/\u001b]52;c;aGk=\u0007.tf]], 1, true), out)
    assert.truthy(out:find([[rec/\x9b2J.tf]], 1, true), out)
    assert.truthy(out:find([[rec/two\nlines.tf]], 1, true), out)
  end)

  it("is not controlled by single files", function()
    local paths = { dir .. "/" .. all .. ".hcl", dir .. "/none" .. all }
    for i = 1, #steering, 3 do
      local text = steering[i]
      paths[#paths + 1] = dir .. "/wrong/" .. text .. ".tf"
      paths[#paths + 1] = dir .. "/wrong/" .. text .. ".tf.json"
    end
    for _, path in ipairs(paths) do
      for _, command in ipairs { "check", "refs", "json" } do speaks_plainly { command, path } end
      speaks_plainly { "decode", "--spec", path }
      speaks_plainly { "check", "--types", path, path }
      speaks_plainly { "fmt", "-check", path }
      speaks_plainly { path }
    end
  end)

  it("is not controlled by the content of files", function()
    for _, command in ipairs { "validate", "plan", "outputs", "graph" } do speaks_plainly { command, dir .. "/main" } end
    speaks_plainly { "graph", "-format", "mermaid", dir .. "/main" }
    local typed = { "local.text", "local.map", "var.v", "r.r", ":explain local.text", ":explain local.map", ":type local.map", ":names",
      ":graph", ":deps local.map", ":module " .. all, "nope" .. all, ":nope" .. all, '"' .. all .. '"', "{ " .. all, ":deps " .. all,
      "local.gone" }
    speaks_plainly({ "console", dir .. "/main" }, { input = table.concat(typed, "\n") .. "\n" })
    speaks_plainly { "render", dir .. "/template" }
    speaks_plainly { "eval", "<<E\n" .. all .. "\nx\nE" }
    speaks_plainly { "eval", "--explain", "<<E\n" .. all .. "\nx\nE" }
    speaks_plainly { "plan", "-var", "v=" .. all .. "\nx", dir .. "/fine" }
    speaks_plainly { "outputs", "-var", "v=" .. all .. "\nx", dir .. "/fine", "o" }
  end)

  it("is not controlled by arguments", function()
    for _, args in ipairs {
      { "*" }, { "eval", "*" }, { "eval", "-*" }, { "eval", "-nope*" }, { "eval", "--var", "*", "1" }, { "eval", "--var", "a=*", "a." },
      { "eval", "--limit", "*", "1" }, { "eval", "--limit", "*=1", "1" }, { "eval", "--plan-timestamp", "*", "1" }, { "functions", "*" },
      { "help", "*" }, { "graph", "-format", "*" }, { "graph", "-kinds", "*" }, { "outputs", ".", "*" }, { "plan", "-workspace", "*" },
      { "plan", "-var", "*" }, { "console", "-module", "*" }, { "decode", "--diags", "*" }, { "rollback", "*" },
      { "rollback", "redis://x", "*" },
      { "fleet", "*" }, { "fleet", "redis://127.0.0.1:1/0/*" }, { "lsp", "*" }, { "decode", "--spec", ".", "-o", "/nope/*" },
    } do
      for i, a in ipairs(args) do args[i] = a:gsub("%*", (all:gsub("%%", "%%%%"))) end
      speaks_plainly(args, { input = "1\n" })
    end
  end)

  it("gets results unchanged", function()
    local well = table.concat(steering, "", 1, 3) .. table.concat(steering, "", 6, #steering - 1)
    local text = 'a = "' .. well .. '"\n'
    local path = cli.file("made.hcl", text)
    cli.prints(text, { "fmt", "-write=false", "-list=false", path })
    cli.prints(well .. "\n1", { "render", cli.file("template2", well .. "\n${1}") })
    local _, out = cli.run { "fmt", "-diff", "-write=false", cli.file("made2.hcl", "a= 1 # " .. well .. "\n") }
    assert.truthy(out:find("\n+a = 1 # " .. well .. "\n", 1, true), out)
    _, out = cli.run { "json", "--compact", cli.file("made3.hcl", 'a = "\226\128\174"\n') }
    assert.equal('{"a":"\226\128\174"}\n', out)
  end)

  it("gets other text unchanged", function()
    for _, text in ipairs { "", "a\tb\n", "\195\164\226\130\172\240\159\145\168\226\128\141\240\159\145\169", "\\u001b" } do
      assert.equal(text, core.plain(text))
    end
    assert.equal("a\\tb\\n\\r", core.plain("a\tb\n\r", true))
    assert.equal([[\u0000\u007f\x80\u0080\xe2\x80]], core.plain "\0\127\128\194\128\226\128")
  end)

  -- Code that writes elsewhere bypasses the escaping.
  it("is written to in one place", function()
    local folder = support.root .. "lua/hclexpr/cli"
    for path in support.output(("ls '%s.lua' '%s/'*.lua"):format(folder, folder)):gmatch "[^\n]+" do
      local source = support.read(path)
      local count = 0
      for _, pattern in ipairs { "io%.stdout", "io%.stderr", "io%.write", "%f[%w_.]print%(" } do
        count = count + select(2, source:gsub(pattern, ""))
      end
      local allowed = path:find "/shell%.lua$" and 3 or path:find "/lsp%.lua$" and 1 or 0
      assert.equal(allowed, count, path)
    end
  end)

  it("has colours for quoted texts, with any number of quotes and backslashes", function()
    local values = require "hclexpr.cli.values"
    local function coloured(text) return (values.colour(text):gsub("\27%[32m", "<"):gsub("\27%[0m", ">")) end
    assert.equal([[<"a\\">, <"b"> <"">]], coloured [["a\\", "b" ""]])
    assert.equal([[<"a\"b"><"c">]], coloured [["a\"b""c"]])
    assert.equal('a "b\n<"c">\n"\\', coloured 'a "b\n"c"\n"\\')
    -- An unclosed text takes no longer than a closed one: it would be minutes if each quote searched for one.
    local long = '"' .. ('\\"'):rep(100000)
    assert.equal(long, coloured(long))
    assert.equal("<" .. long .. '\\\\">', coloured(long .. '\\\\"'))
  end)
end)
