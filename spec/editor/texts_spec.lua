-- What the service finds in whole texts: the kind of each word, folds, symbols, highlights, references, inlays and actions, by tables.
local service = require "hclexpr.service"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local workspace
local root = "/w"

-- Opens the files of folders that exist only in memory.
local function open(files, schemas)
  local texts = {}
  for name, text in pairs(files) do texts["/w/" .. name] = text end
  workspace = service.new {
    roots = { "/w" }, schemas = schemas, read = function(path) return texts[path] end,
    list = function(dir)
      local names = {}
      for path in pairs(texts) do
        if path:sub(1, #dir + 1) == dir .. "/" then names[#names + 1] = path:sub(#dir + 2):match "^[^/]+" end
      end
      table.sort(names)
      return support.distinct(names)
    end,
  }
  for path, text in pairs(texts) do workspace:open(path, text, 1) end
end

local function ask(name, file, ...) return support.without_time(workspace[name], workspace, root .. "/" .. file, ...) end

-- The byte of the nth occurrence of some words.
local function at(file, words, nth)
  local text, byte = workspace:text(root .. "/" .. file), 0
  for _ = 1, nth or 1 do byte = assert(text:find(words, byte + 1, true), words) end
  return byte - 1
end

-- "WORD kind" of each token of a file, on lines as in the text.
local function kinds(file, start, stop)
  local text, lines, last = workspace:text("/w/" .. file), {}, 0
  for _, token in ipairs(ask("tokens", file, start, stop)) do
    local word = text:sub(token.start + 1, token.stop) .. " " .. token.type
    local apart = #lines == 0 or text:sub(last + 1, token.start):find("\n", 1, true)
    if apart then lines[#lines + 1] = word else lines[#lines] = lines[#lines] .. ", " .. word end
    last = token.stop
  end
  return table.concat(lines, "\n")
end

describe("tokens", function()
  -- A text, and the kind of each word: types and labels of blocks, names of arguments and keys, functions, words of the language.
  for name, row in pairs {
    ["of blocks and arguments"] = { [[
resource "a_b" c {
  n = 1.5e3 # why
  for = [true, null] // x
  inner { m = "s" }
}
]], [[
resource type, "a_b" enumMember, c enumMember
n property, 1.5e3 number, # why comment
for property, true keyword, null keyword, // x comment
inner type, m property, "s" string]] },
    ["of types"] = { [[
variable "v" {
  type = map(object({ string = optional(list(any)), n = bool }))
  default = { string = string, "q" = tuple }
}
output "o" {
  type = string
}
x {
  type = number
}
]], [[
variable type, "v" enumMember
type property, map function, object function, string property, optional function, list function, any keyword, n property, bool keyword
default property, string parameter, string variable, "q" parameter, tuple variable
output type, "o" enumMember
type property, string variable
x type
type property, number variable]] },
    ["of loops and objects"] = { [[
a = { for k, v in var.m : k => upper(v)... if k != false }
b = { k = each.if, "l": for.x, (m) : 2, n : [for x in y : x] }
c = p::q::f(a.for[*].in, -true)
]], [[
a property, for keyword, k variable, v variable, in keyword, var variable, m variable, k variable, upper function, v variable, ]]
      .. [[if keyword, k variable, false keyword
b property, k parameter, each variable, if variable, "l" parameter, for variable, x variable, m variable, 2 number, n parameter, ]]
      .. [[for keyword, x variable, in keyword, y variable, x variable
c property, p function, q function, f function, a variable, for variable, in variable, true keyword]] },
    ["of templates and heredocs"] = { [[
a = "x${b}y"
c = <<-E
one %{ if d }two%{ else }three%{ endif }
four
E
e = "${"f"}"
/* g
h */
i {}
j = 1
]], [[
a property, x string, b variable, y string
c property
one  string, if keyword, d variable, two string, else keyword, three string, endif keyword
four string
e property, "f" string
/* g comment
h */ comment
i type
j property, 1 number]] },
    ["of a text that ends within it"] = { 'a "b" {\n  c = [d, {\n    e = "f', [[
a type, "b" enumMember
c property, d variable
e parameter, f string]] },
    ["of lines with two signs at their ends"] = { "a = 1 # x\r\n/* b\r\nc */\r\nd \"e\" {\r\n}\r\n", [[
a property, 1 number, # x comment
/* b comment
c */ comment
d type, "e" enumMember]] },
  } do
    it(name, function()
      open { ["a.hcl"] = row[1] }
      assert.equal(row[2], kinds "a.hcl")
    end)
  end

  it("of a part are those within it", function()
    open { ["a.hcl"] = "a = 1\nbc = 23\nd = 4\n" }
    assert.equal("bc property, 23 number", kinds("a.hcl", 6, 14))
    assert.equal("bc property, 23 number", kinds("a.hcl", 7, 12))
    assert.equal("23 number", kinds("a.hcl", 8, 13))
    assert.equal("d property, 4 number", kinds("a.hcl", 14))
  end)
end)

describe("folds", function()
  it("are brackets, heredocs and comments of several lines", function()
    open { ["a.hcl"] = [[
# one
# two
# three

# alone
a {
  b = [
    1,
  ]
  c = <<E
x
y
E
  d = f(
    "${
      g
    }")
  e { f = 1 }
} # behind
/* four
   five */
h = {
}
// six
i = 1
// seven
]] }
    local found = {}
    for i, fold in ipairs(ask("folding", "a.hcl")) do
      found[i] = fold.start_line .. "-" .. fold.stop_line .. (fold.kind and " " .. fold.kind or "")
    end
    -- The line of a closing bracket stays visible, that of a heredoc's end doesn't; two brackets on two lines have nothing to fold.
    assert.equal("0-2 comment, 5-17, 6-7, 9-12, 13-15, 14-15, 18-20 comment", table.concat(found, ", "))
  end)
end)

describe("symbols", function()
  local function listed(list, depth)
    local lines = {}
    for _, symbol in ipairs(list) do
      lines[#lines + 1] = ("  "):rep(depth) .. symbol.name .. ": " .. symbol.kind
      if symbol.children and symbol.children[1] then lines[#lines + 1] = listed(symbol.children, depth + 1) end
    end
    return table.concat(lines, "\n")
  end

  it("are the blocks and arguments, in their order, with kinds of literals", function()
    open { ["a.hcl"] = 's = "x"\nn = -1\nt = true\nu = [1]\nblock "l" m {\n  z = 2\n  f = false\n  o = {}\n  inner {\n    p = q\n  }\n}\n' }
    local text = listed(ask("symbols", "a.hcl"), 0)
    assert.equal('s: string\nn: number\nt: bool\nu: list\nblock "l" "m": block\n  z: number\n  f: bool\n  o: object\n  inner: block\n'
      .. "    p: attribute", text)
    local one = ask("symbols", "a.hcl")[5]
    assert.same({ at("a.hcl", "block"), #workspace:text "/w/a.hcl" - 1, at("a.hcl", "block"), at("a.hcl", ' "l"') },
      { one.start, one.stop, one.name_start, one.name_stop })
  end)

  it("of a workspace are found by letters in order", function()
    open { ["main.tf"] = 'variable "alpha" {}\nlocals {\n  beta = 1\n}\n', ["m/main.tf"] = 'output "Alps" {\n  value = 1\n}\n' }
    local function names(query)
      local found = {}
      for i, symbol in ipairs(workspace:workspace_symbols(query)) do found[i] = symbol.name end
      table.sort(found)
      return table.concat(found, " ")
    end
    assert.equal("local.beta output.Alps var.alpha", names "")
    assert.equal("output.Alps var.alpha", names "alp")
    assert.equal("output.Alps", names "ALPS")
    assert.equal("var.alpha", names "v.h")
    assert.equal("", names "(")
    assert.equal("", names "\0")
    -- A long name that almost matches takes no longer than another.
    open { ["main.tf"] = ('variable "%s" {}\n'):format(("a"):rep(200)) }
    local started = os.clock()
    assert.equal("", names(("a"):rep(40) .. "b"))
    assert.is_true(os.clock() - started < 5)
  end)
end)

describe("references", function()
  local function places(list)
    local found = {}
    for i, span in ipairs(list) do
      local file = (span.path or "/w/main.tf"):sub(4)
      local before = workspace:text("/w/" .. file):sub(1, span.start)
      local line = select(2, before:gsub("\n", "")) + 1
      found[i] = ("%s:%d %s"):format(file, line, workspace:text("/w/" .. file):sub(span.start + 1, span.stop))
    end
    return table.concat(found, ", ")
  end

  local files = {
    ["b.tf"] = 'locals {\n  x = var.a\n  y = [for a in var.a : a]\n}\n',
    ["main.tf"] = 'variable "a" {\n  validation {\n    condition = var.a != ""\n    error_message = "no"\n  }\n}\noutput "o" {\n'
      .. '  value = "${var.a.b}${local.x}"\n}\n',
    ["terraform.tfvars"] = 'a = "1"\n',
    ["up/one.tf"] = 'module "m" {\n  source = "../"\n  a      = 1\n}\nmodule "n" {\n  source = "../"\n  a      = module.m.o\n}\n',
    ["up/two.tf"] = 'locals {\n  z = [module.n.o, module.m]\n}\n',
  }

  it("are in all files of a module, in calls and files of values, by file and place", function()
    open(files)
    local byte = at("main.tf", '"a"') + 1
    local uses = 'b.tf:2 var.a, b.tf:3 var.a, main.tf:8 var.a.b, terraform.tfvars:1 a, up/one.tf:3 a, up/one.tf:7 a'
    assert.equal(uses, places(ask("references", "main.tf", byte, false)))
    -- With the declaration come its rules.
    assert.equal("main.tf:1 a, " .. uses:gsub("main", "main.tf:3 var.a, main", 1), places(ask("references", "main.tf", byte, true)))
    -- Also from a use.
    assert.equal(uses, places(ask("references", "b.tf", at("b.tf", "var.a", 2) + 5, false)))
    assert.equal("main.tf:8 local.x", places(ask("references", "b.tf", at("b.tf", "x"), false)))
  end)

  it("to an output are in the folders that call, once", function()
    open(files)
    assert.equal("up/one.tf:7 module.m.o, up/two.tf:2 module.n.o", places(ask("references", "main.tf", at("main.tf", '"o"') + 1, false)))
  end)

  it("within a file are highlights", function()
    open(files)
    local function shown(file, byte)
      local found = {}
      for i, one in ipairs(ask("highlights", file, byte)) do found[i] = one.start .. "-" .. one.stop .. (one.write and " write" or "") end
      return table.concat(found, ", ")
    end
    local function span(file, words, nth, skip, kind)
      local start = at(file, words, nth) + skip
      return start .. "-" .. start + 1 .. (kind or "")
    end
    assert.equal(span("main.tf", '"a"', 1, 1, " write") .. ", " .. span("main.tf", "var.a", 1, 4) .. ", " .. span("main.tf", "var.a", 2, 4),
      shown("main.tf", at("main.tf", '"a"') + 1))
    assert.equal(span("b.tf", "var.a", 1, 4) .. ", " .. span("b.tf", "var.a", 2, 4), shown("b.tf", at("b.tf", "var.a") + 4))
    -- The name of a loop, and no name.
    assert.equal(span("b.tf", "a in", 1, 0, " write") .. ", " .. span("b.tf", ": a]", 1, 2), shown("b.tf", at("b.tf", ": a]") + 2))
    assert.equal("", shown("b.tf", at("b.tf", "locals")))
  end)
end)

describe("inlays", function()
  setup(function()
    root = support.folder('locals {\n  a = 1\n  b = local.a + 1\n  c = "' .. ("é"):rep(40) .. '"\n  d = upper(local.c)\n}\n'
      .. 'output "o" {\n  value       = local.b\n  description = "x${1}"\n}\nresource "terraform_data" "t" {\n  count = local.a\n'
      .. '  input = local.b\n}\ncheck "k" {\n  assert {\n    condition     = local.a == 1\n    error_message = "no"\n  }\n}\n'
      .. 'module "m" {\n  source     = "./m"\n  for_each   = toset([local.b])\n  n          = local.b\n  depends_on = [local.b]\n'
      .. '  providers  = { x = x.y }\n}\ndata "terraform_remote_state" "d" {\n  backend  = lower("LOCAL")\n  provider = terraform.x\n}\n')
    workspace = service.new { roots = { root } }
    workspace:open(root .. "/main.tf", support.read(root .. "/main.tf"), 1)
    while workspace:pending() do workspace:work(1) end -- inlays requested earlier have a time limit
  end)
  teardown(function()
    support.remove(root)
    root = "/w"
  end)

  it("show values that aren't literal, within a line's width", function()
    local found = {}
    for i, inlay in ipairs(ask("inlays", "main.tf")) do found[i] = inlay.text .. (inlay.tooltip and " +" or "") end
    -- At most 60 bytes, and no half of a character: a quote and 29 letters.
    assert.same({ "= 2", '= "' .. ("É"):rep(29) .. "… +", "= 2", "= 1", "= 2", "= 2", '= "local"' }, found)
    assert.equal(at("main.tf", "local.a + 1") + #"local.a + 1", ask("inlays", "main.tf")[1].at)
    local output = at("main.tf", "local.b")
    assert.equal(1, #ask("inlays", "main.tf", output, output + 3))
    assert.equal(0, #ask("inlays", "main.tf", 0, 5))
  end)
end)

describe("actions", function()
  local function titles(file, start, stop)
    local found = {}
    for i, action in ipairs(ask("actions", file, start, stop)) do found[i] = action.title end
    return table.concat(found, ", ")
  end

  -- A text with a selection between bars, and the titles of the actions for it.
  for name, row in pairs {
    ["extract a part of an argument"] = { 'output "o" {\n  value = 1 + |length([2])|\n}\n', "Extract to local.value" },
    ["extract with spaces around it"] = { 'output "o" {\n  value = 1 +| length([2]) |\n}\n', "Extract to local.value" },
    ["extract a whole argument"] = { 'output "o" {\n  value = ||[1]\n}\n', "Extract to local.value" },
    ["extract no half of an expression"] = { 'output "o" {\n  value = 1 + |length(|[2])\n}\n', "" },
    ["extract under a name that is free"] = {
      'locals {\n  value = 1\n  value_2 = 2\n}\noutput "o" {\n  value = |local.value| + local.value_2\n}\n',
      "Extract to local.value_3, Write out local.value" },
    ["extract no provider, source or word of the language"] = { 'module "m" {\n  source = |"./m"|\n}\n', "" },
    ["extract no name of a provider"] = { 'resource "terraform_data" "x" {\n  provider = |x.y|\n}\n', "" },
    ["extract no setting of the language"] = { 'terraform {\n  required_version = |"1.0"|\n}\n', "" },
    ["extract no bare word of the language"] = {
      'resource "terraform_data" "x" {\n  provisioner "p" {\n    on_failure = |continue|\n  }\n}\n', "" },
    ["extract nothing of a file by itself"] = { 'value = |upper("a")|\n', "", "x.hcl" },
    ["extract no loop's own names"] = { 'output "o" {\n  value = [for k, v in [1] : |k + v|]\n}\n', "" },
    ["extract no self"] = { 'resource "terraform_data" "x" {\n  provisioner "p" {\n    command = |self.id|\n  }\n}\n', "" },
    ["extract no word alone"] = { 'output "o" {\n  value = |foo|\n}\n', "" },
    ["extract no heredoc"] = { 'output "o" {\n  value = |<<E\nx\nE\n|}\n', "" },
    ["extract nothing of a variable"] = { 'variable "v" {\n  default = |[1]|\n}\noutput "o" {\n  value = var.v\n}\n', "" },
    ["extract no whole local"] = { 'locals {\n  a = |[1]|\n}\noutput "o" {\n  value = local.a\n}\n', "" },
    ["extract a part of a local"] = { 'locals {\n  a = [|"x"|]\n}\noutput "o" {\n  value = local.a\n}\n', "Extract to local.a_2" },
    ["extract no instance's own names"] = { 'resource "terraform_data" "x" {\n  count = 2\n  input = |"a${count.index}"|\n}\n', "" },
    ["extract nothing where names are meant"] = { 'resource "terraform_data" "x" {\n  depends_on = |[terraform_data.y]|\n}\n'
      .. 'resource "terraform_data" "y" {}\n', "" },
    ["correct no existing name"] = { 'variable "va" {}\noutput "o" {\n  value = var.v||a\n}\n', "Extract to local.value" },
    ["declare no variable twice"] = { 'variable "v" {}\noutput "o" {\n  value = [var.|v|]\n}\n', "" },
    ["declare a variable"] = { 'output "o" {\n  value = [var.|zz|z]\n}\n', "Declare variable zzz in main.tf" },
  } do
    it(name, function()
      local before, within, behind = row[1]:match "^(.-)|(.-)|(.*)$"
      local file = row[3] or "main.tf"
      open { [file] = before .. within .. behind }
      assert.equal(row[2], titles(file, #before, #before + #within))
    end)
  end
end)

-- Texts in which the first action at the bar is applied, with the result.
describe("the first action", function()
  for name, row in pairs {
    ["writes a sum out in parentheses"] = { "locals {\n  a = 1 + 2\n  b = 2 * local.|a\n}\n", "locals {\n  b = 2 * (1 + 2)\n}\n" },
    ["writes a choice out in parentheses"] = { "locals {\n  a = true ? 1 : 2\n  b = local.|a + 1\n}\n",
      "locals {\n  b = (true ? 1 : 2) + 1\n}\n" },
    ["writes a sign out in parentheses"] = { "locals {\n  a = -1\n  b = 1 - local.|a\n}\n", "locals {\n  b = 1 - (-1)\n}\n" },
    ["writes a call out bare"] = { "locals {\n  a = upper(\"x\")\n  b = [local.|a]\n}\n", "locals {\n  b = [upper(\"x\")]\n}\n" },
    ["writes an object out in parentheses where its parts are taken"] = { "locals {\n  a = { k = 1 }\n  b = local.|a.k\n}\n",
      "locals {\n  b = ({ k = 1 }).k\n}\n" },
    ["writes all uses out"] = { "locals {\n  a = 1\n  b = [local.|a, local.a]\n}\n", "locals {\n  b = [1, 1]\n}\n" },
    ["writes a local out from where it is declared"] = { "locals {\n  |a = 1\n  b = [local.a]\n}\n", "locals {\n  b = [1]\n}\n" },
    ["keeps the line of a local beside others"] = { "locals { a = 1 }\noutput \"o\" {\n  value = local.|a\n}\n",
      "locals {  }\noutput \"o\" {\n  value = 1\n}\n", 2 },
    ["extracts to a new block where no other is there"] = { 'output "o" {\n  value = |1\n}\n',
      'locals {\n  value = 1\n}\n\noutput "o" {\n  value = local.value\n}\n' },
    ["extracts to the first block of locals"] = { 'output "o" {\n  value = |1\n}\nlocals {\n  a = 1\n}\nlocals {\n  b = 2\n}\n',
      'output "o" {\n  value = local.value\n}\nlocals {\n  a = 1\n  value = 1\n}\nlocals {\n  b = 2\n}\n' },
    ["extracts to a new block beside one of a line"] = { 'locals { a = 1 }\noutput "o" {\n  value = |1\n}\n',
      'locals { a = 1 }\nlocals {\n  value = 1\n}\n\noutput "o" {\n  value = local.value\n}\n' },
    ["declares a variable after a last line"] = { 'output "o" {\n  value = [var.|v]\n}',
      'output "o" {\n  value = [var.v]\n}\n\nvariable "v" {\n}\n' },
    ["declares a variable with its type"] = { 'resource "terraform_data" "x" {\n  count = var.|v\n}\n',
      'resource "terraform_data" "x" {\n  count = var.v\n}\n\nvariable "v" {\n  type = number\n}\n' },
    ["declares a variable of no type within an expression"] = { 'resource "terraform_data" "x" {\n  count = [var.|v][0]\n}\n',
      'resource "terraform_data" "x" {\n  count = [var.v][0]\n}\n\nvariable "v" {\n}\n' },
    ["declares a variable of no type whose parts are taken"] = { 'resource "terraform_data" "x" {\n  count = var.|v.n\n}\n',
      'resource "terraform_data" "x" {\n  count = var.v.n\n}\n\nvariable "v" {\n}\n' },
    ["removes a block with the empty line above"] = { 'variable "a|" {}\n', "" },
    ["removes a block between others"] = { 'output "o" {\n  value = 1\n}\n\nvariable "a|" {}\n\noutput "p" {\n  value = 1\n}\n',
      'output "o" {\n  value = 1\n}\n\noutput "p" {\n  value = 1\n}\n' },
    ["removes a local's line"] = { 'locals {\n  |a = 1\n  b = 2\n}\noutput "o" {\n  value = local.b\n}\n',
      'locals {\n  b = 2\n}\noutput "o" {\n  value = local.b\n}\n' },
  } do
    it(name, function()
      local before, behind = row[1]:match "^(.-)|(.*)$"
      open { ["main.tf"] = before .. behind }
      local text, list = before .. behind, assert(ask("actions", "main.tf", #before, #before)[row[3] or 1], "no action").edits["/w/main.tf"]
      for i = #list, 1, -1 do text = text:sub(1, list[i].start) .. list[i].text .. text:sub(list[i].stop + 1) end
      assert.equal(row[2], text)
    end)
  end
end)

describe("completion", function()
  -- A provider's schema, as `terraform providers schema -json` prints it.
  local function provider()
    local function nested(mode, most, attributes)
      return { nesting_mode = mode, max_items = most, block = { attributes = attributes } }
    end
    local one = { block = {
      attributes = {
        name = { type = "string", required = true, description = "what it is called" }, size = { type = "number", optional = true },
        old = { type = "bool", optional = true, deprecated = true }, id = { type = "string", computed = true },
        tags = { type = { "map", "string" }, optional = true, computed = true },
      },
      block_types = {
        part = nested("list", 1, { p = { type = "string", optional = true }, q = { type = "number", optional = true } }),
        many = nested("set", nil, { n = { type = "string", required = true } }), only = nested("single", nil, {}),
      },
    } }
    local look = { block = { attributes = { found = { type = { "list", "string" }, computed = true },
      what = { type = "string", required = true } } } }
    return { format_version = "1.0", provider_schemas = { ["registry.terraform.io/hashicorp/x"] = {
      provider = { block = { attributes = { region = { type = "string", optional = true } } } },
      resource_schemas = { x_one = one, x_two = one }, data_source_schemas = { x_look = look },
      functions = { short = { summary = "In short.", description = "At length." }, long = { description = "At length." } },
    } } }
  end

  local files = {
    ["main.tf"] = [[
variable "name" {
  type        = string
  description = "its name"
}
variable "nets" { type = map(object({ cidr = string, zones = list(string) })) }
locals {
  on  = true
  n   = 1
  obj = { b = 1, "a c" = "s" }
}
resource "x_one" "r" {
  for_each = var.nets
  name     = each.key
}
data "x_look" "d" { what = "w" }
module "m" {
  source = "./m"
  in     = 1
}
provider "x" { alias = "far" }
output "o" { value = 1 }
]],
    ["m/main.tf"] = 'variable "in" {}\nvariable "more" {\n  default = [1]\n}\noutput "out" {\n  value = "s"\n}\n',
  }

  -- Labels in sorting order, without functions.
  local constants = { ["true"] = true, ["false"] = true, null = true }

  local function offered(source)
    local text, cursor = source:gsub("|", "", 1), source:find("|", 1, true) - 1
    files["zz.tf"] = text
    open(files, provider())
    local items, found = ask("complete", "zz.tf", cursor), {}
    table.sort(items, function(a, b) return (a.sort or a.label) < (b.sort or b.label) end)
    for _, item in ipairs(items) do
      if item.kind ~= "function" and not constants[item.label] then found[#found + 1] = item.label end
    end
    return table.concat(found, " "), items, text
  end

  local names = "data.x_look.d local.n local.obj local.on module.m var.name var.nets x_one.r"
  local roots = "path.cwd path.module path.root terraform.applying terraform.workspace"

  for name, row in pairs {
    -- Arguments: required ones, other ones, blocks, `dynamic`, and deprecated ones; not those that are present.
    ["in a body"] = { 'resource "x_one" "q" {\n  |\n}\n',
      "name count depends_on for_each provider size tags connection lifecycle many only part provisioner dynamic old" },
    ["of a resource, except for existing ones"] = {
      'resource "x_one" "q" {\n  name = 1\n  part {\n  }\n  only {\n  }\n  many {\n  }\n  s|\n}\n',
      "count depends_on for_each provider size tags connection lifecycle many provisioner dynamic old" },
    ["in a block of a resource"] = { 'resource "x_one" "q" {\n  part {\n    p = 1\n    |\n  }\n}\n', "q dynamic" },
    ["on the name of an argument"] = { 'resource "x_one" "q" {\n  part {\n    p| = 1\n  }\n}\n', "p q dynamic" },
    ["of a call"] = { 'module "q" {\n  source = "./m"\n  |\n}\n',
      "in count depends_on for_each ignore_nested_deprecations more providers version" },
    ["of a provider"] = { 'provider "x" {\n  |\n}\n', "alias region version" },
    ["of blocks that an expression makes"] = { 'resource "x_one" "q" {\n  dynamic "|" {\n  }\n}\n', "many only part" },
    -- Labels.
    ["of types"] = { 'resource "|" "q" {\n}\n', "terraform_data x_one x_two" },
    ["of types of data"] = { 'data "|" "q" {\n}\n', "terraform_remote_state x_look" },
    ["of types by letters"] = { 'resource "xw|" "q" {\n}\n', "x_two xw" },
    ["of second labels"] = { 'resource "x_one" "|" {\n}\n', "" },
    ["of providers"] = { 'provider "|" {\n}\n', "x" },
    -- Expressions.
    ["of an argument"] = { 'output "q" {\n  value = |\n}\n', names .. " " .. roots },
    ["of a bool"] = { 'variable "q" {\n  sensitive = |\n}\n',
      "local.on data.x_look.d module.m var.name x_one.r local.n local.obj var.nets " .. roots },
    ["within an expression"] = { 'output "q" {\n  value = [1 + v|]\n}\n', names .. " " .. roots },
    ["within a template"] = { 'output "q" {\n  value = "a${|}"\n}\n', names .. " " .. roots },
    ["between the parts of a template"] = { 'output "q" {\n  value = "a${1}|"\n}\n', "" },
    ["within a loop"] = { 'output "q" {\n  value = [for k, v in var.nets : |]\n}\n', "k v " .. names .. " " .. roots },
    -- Exact matches come first, convertible ones next.
    ["of instances"] = { 'resource "x_two" "q" {\n  count = 1\n  name = |\n}\n', "var.name data.x_look.d local.n local.on module.m x_one.r "
      .. "local.obj var.nets count.index " .. roots },
    ["of a number"] = { 'resource "x_two" "q" {\n  size = |\n}\n',
      "local.n data.x_look.d module.m var.name x_one.r local.obj local.on var.nets "
      .. roots },
    -- After dots and in brackets.
    ["of variables"] = { 'output "q" {\n  value = var.|\n}\n',
      "name nets" }, ["of locals"] = { "locals {\n  q = local.|\n}\n", "n obj on q" },
    ["of an object"] = { "locals {\n  q = local.obj.|\n}\n", "a c b" }, ["of a key"] = { 'locals {\n  q = local.obj["|"]\n}\n', "a c b" },
    ["of a module"] = { "locals {\n  q = module.m.|\n}\n", "out" }, ["of modules"] = { "locals {\n  q = module.|\n}\n", "m" },
    ["of data"] = { "locals {\n  q = data.|\n}\n", "x_look.d" }, ["of one type of data"] = { "locals {\n  q = data.x_look.|\n}\n", "d" },
    ["of a resource's instances"] = { "locals {\n  q = x_one.r.|\n}\n", "id many name old only part size tags" },
    ["of an instance"] = { 'locals {\n  q = x_one.r["a"].|\n}\n', "id many name old only part size tags" },
    ["of elements"] = { "locals {\n  q = var.nets.|\n}\n", "cidr zones" },
    ["of a splat"] = { "locals {\n  q = values(var.nets)[*].|\n}\n", "cidr zones" },
    ["of an instance's key"] = { 'resource "x_two" "q" {\n  for_each = var.nets\n  name = each.|\n}\n', "key value" },
    ["of what a loop goes through"] = { "locals {\n  q = [for v in var.nets : v.|]\n}\n", "cidr zones" },
    ["of paths"] = { "locals {\n  q = path.|\n}\n", "cwd module root" }, ["of a string"] = { "locals {\n  q = var.name.|\n}\n", "" },
    -- Arguments of the language.
    ["of a type"] = { 'variable "q" {\n  type = |\n}\n',
      "string number bool any list(…) set(…) map(…) object({…}) tuple([…]) optional(…)" },
    ["of a resource's provider"] = { 'resource "x_one" "q" {\n  provider = |\n}\n', "x x.far" },
    ["of what changes are ignored"] = { 'resource "x_one" "q" {\n  lifecycle {\n    ignore_changes = [|]\n  }\n}\n',
      "all many name old only part size tags" },
    ["of what is depended on"] = { 'output "q" {\n  depends_on = [|]\n}\n', names },
    ["of what is moved"] = { "moved {\n  from = |\n}\n", "module.m x_one.r" },
    ["of a module's providers"] = { 'module "q" {\n  source = "./m"\n  providers = {\n    x = |\n  }\n}\n', "x x.far" },
    ["of keys of an object"] = { 'module "q" {\n  source = "./n"\n  of = {\n    |\n  }\n}\n', "" },
    ["of a resource that exists"] = {
      'resource "x_one" "q" {\n  lifecycle {\n    postcondition {\n      condition = self.|\n    }\n  }\n}\n',
      "old id name many only part size tags" },
    ["of a local beside others"] = { "locals {\n  q = |\n  p = 1\n}\n",
      "data.x_look.d local.n local.obj local.on local.p module.m var.name var.nets x_one.r " .. roots },
    ["of values"] = { 'output "q" {\n  value = t|\n}\n', names .. " " .. roots },
  } do
    it(name, function()
      assert.equal(row[2], (offered(row[1])))
    end)
  end

  it("writes the missing part after a name, and replaces the typed part", function()
    -- The text after a candidate is accepted.
    local function chosen(source, label)
      local _, items, text = offered(source)
      for _, item in ipairs(items) do
        if item.label == label then return text:sub(1, item.start) .. item.insert .. text:sub(item.stop + 1), item end
      end
    end
    for _, row in ipairs {
      { 'resource "x_one" "q" {\n  si|\n}\n', "size", 'resource "x_one" "q" {\n  size = \n}\n', "number" },
      { 'resource "x_one" "q" {\n  si|z = 1\n}\n', "size", 'resource "x_one" "q" {\n  size = 1\n}\n', "number" },
      { 'resource "x_one" "q" {\n  |\n}\n', "name", 'resource "x_one" "q" {\n  name = \n}\n', "required, string" },
      { 'resource "x_one" "q" {\n  |\n}\n', "tags", 'resource "x_one" "q" {\n  tags = \n}\n', "map(string)" },
      { 'resource "x_one" "q" {\n  ma|\n}\n', "many", 'resource "x_one" "q" {\n  many {\n  $0\n}\n}\n', "block" },
      { "outp|\n", "output", 'output "${1:name}" {\n  $0\n}\n', "block" },
      { "output \"q\" {\n  value = up|\n}\n", "upper", "output \"q\" {\n  value = upper($1)\n}\n" },
      { "output \"q\" {\n  value = up|(1)\n}\n", "upper", "output \"q\" {\n  value = upper(1)\n}\n" },
      { "output \"q\" {\n  value = var.n|\n}\n", "name", "output \"q\" {\n  value = var.name\n}\n", "string" },
      { "output \"q\" {\n  value = va|r.name\n}\n", "local.on", nil },
      { "locals {\n  q = local.obj.|\n}\n", "a c", 'locals {\n  q = local.obj["a c"]\n}\n', "string", ".a c" },
      { 'locals {\n  z = { "a\\"$${" = 1 }\n  q = local.z.|\n}\n', 'a"${',
        'locals {\n  z = { "a\\"$${" = 1 }\n  q = local.z["a\\"$${"]\n}\n', "number", '.a"${' },
      { "locals {\n  q = local.obj.a|\n}\n", "a c", 'locals {\n  q = local.obj["a c"]\n}\n', "string", ".a c" },
      { 'locals {\n  q = local.obj["|"]\n}\n', "b", 'locals {\n  q = local.obj["b"]\n}\n' },
      { 'locals {\n  q = local.obj["x|y"]\n}\n', "b", 'locals {\n  q = local.obj["b"]\n}\n' },
      { 'data "x|" "q" {\n}\n', "x_look", 'data "x_look" "q" {\n}\n' }, { "data x| q {\n}\n", "x_look", "data x_look q {\n}\n" },
    } do
      local text, item = chosen(row[1], row[2])
      if row[3] then assert.equal(row[3], text, row[1]) end
      if row[4] then assert.equal(row[4], item.detail, row[1]) end
      if item then assert.equal(row[5], item.filter, row[1]) end
    end
    for source, row in pairs {
      ["locals {\n  q = var.|\n}\n"] = { "name", "variable" }, ["locals {\n  q = local.|\n}\n"] = { "obj", "local" },
      ["locals {\n  q = local.obj.|\n}\n"] = { "b", "attribute" }, ["locals {\n  q = module.|\n}\n"] = { "m", "module" },
      ["locals {\n  q = module.m.|\n}\n"] = { "out", "attribute" }, ["locals {\n  q = |\n}\n"] = { "x_one.r", "resource" },
      ["locals {\n  q = up|\n}\n"] = { "upper", "function" }, ["outp|\n"] = { "output", "block" },
      ['resource "x_one" "q" {\n  |\n}\n'] = { "name", "argument" }, ['resource "|" "q" {\n}\n'] = { "x_one", "type" },
      ["locals {\n  q = [for k in [1] : |]\n}\n"] = { "k", "loop" }, ["locals {\n  q = tr|\n}\n"] = { "true", "keyword" },
      ['provider "|" {\n}\n'] = { "x", "provider" }, ["locals {\n  q = data.|\n}\n"] = { "x_look.d", "data" },
    } do
      local _, item = chosen(source, row[1])
      assert.equal(row[2], item and item.kind, source)
    end
    local _, item = chosen('resource "x_one" "q" {\n  |\n}\n', "old")
    assert.is_true(item.deprecated)
    _, item = chosen('resource "x_one" "q" {\n  |\n}\n', "name")
    assert.equal("what it is called", item.documentation)
    assert.is_nil(item.deprecated)
    _, item = chosen('output "q" {\n  value = var.|\n}\n', "name")
    assert.equal("its name", item.documentation)
    _, item = chosen('output "q" {\n  value = |\n}\n', "var.name")
    assert.equal("string, its name", item.detail .. ", " .. item.documentation)
    local required = 'terraform {\n  required_providers {\n    x = { source = "hashicorp/x" }\n  }\n}\nlocals {\n  q = |\n}\n'
    for name, words in pairs { short = "In short.", long = "At length." } do
      _, item = chosen(required, "provider::x::" .. name)
      assert.equal(words, item.documentation)
    end
    for label, detail in pairs { ["local.on"] = "bool", ["local.n"] = "number", ["local.obj"] = "object", ["x_one.r"] = "resource",
      ["var.nets"] = "map", ["path.root"] = "string", ["module.m"] = "module" } do
      _, item = chosen('output "q" {\n  value = |\n}\n', label)
      assert.equal(detail, item.detail, label)
    end
  end)
end)

describe("hover", function()
  local schema = { format_version = "1.0", provider_schemas = { ["registry.terraform.io/hashicorp/x"] = {
    resource_schemas = { x_one = { block = {
      description = "One of them.",
      attributes = {
        name = { type = "string", required = true, description = "what it is called" },
        old = { type = "bool", optional = true, deprecated = true, deprecation_message = "use new" },
        secret = { type = { "map", "string" }, optional = true, computed = true, sensitive = true },
        id = { type = "string", computed = true },
        json = { type = { "object", { b = { "tuple", { "number", "bool" } }, a = { "set", "string" } } }, computed = true },
        shape = { nested_type = { nesting_mode = "list", attributes = { a = { type = "number", optional = true } } }, optional = true },
      },
      block_types = {
        part = { nesting_mode = "list", min_items = 1, max_items = 2, block = { description = "a part", deprecated = true,
          attributes = { p = { type = "string", optional = true } } } },
        only = { nesting_mode = "single", block = {} },
      },
    } } },
    functions = { join3 = { summary = "Joins three.", description = "At length.", return_type = { "list", "string" },
      parameters = { { name = "a", type = "string", description = "the first" }, { name = "b", type = { "list", "number" } } },
      variadic_parameter = { name = "more", type = "dynamic" } } },
  } } }

  local main = [[
terraform {
  required_providers {
    x = { source = "hashicorp/x" }
  }
}
variable "s" {
  type        = string
  description = "its name"
  sensitive   = true
}
variable "nets" {
  type = map(object({ cidr = string, zones = list(number), tags = optional(map(string)) }))
}
variable "typed" {
  type    = any
  default = { a = [1] }
}
variable "pair" {
  type = tuple([string, bool])
}
locals {
  obj  = { a = 1, "b c" = "s", "3" = true }
  list = ["s", 2]
}
resource "x_one" "r" {
  name = "n"
  part {
    p = "q"
  }
}
resource "x_one" "many" {
  for_each = var.nets
  name     = each.key
  part {}
}
module "m" {
  source = "./m"
  given  = 1
}
variable "both" {
  type    = object({ cidr = string, n = number })
  default = { cidr = "x", n = "1" }
}
]]

  -- The hover text for the nth word of a text, without code fences.
  local function said(source, word, nth)
    open({ ["main.tf"] = main, ["zz.tf"] = source,
      ["m/main.tf"] = 'variable "given" {\n  type        = number\n  description = "what is given"\n}\n'
      .. 'output "out" {\n  value       = { k = var.given }\n  description = "all of it"\n}\n' }, schema)
    local found = ask("hover", "zz.tf", at("zz.tf", word, nth) + 1)
    return found and found.text:gsub("```%l*\n?", ""):gsub("\n+$", "") or nil, found
  end

  -- The type of each expression, in the language's notation if all of it is known.
  it("says types", function()
    for expression, type in pairs {
      ["1"] = "number", ['"a"'] = "string", ['"a${1}"'] = "string", ["true"] = "bool", ["1 + 2"] = "number", ["1 < 2"] = "bool",
        ["!true"] = "bool",
      ["-1"] = "number", ["(1)"] = "number", ["[1, \"a\"]"] = "tuple([number, string])", ["[]"] = "tuple([])", ["{}"] = "object({})",
      ["{ a = 1, \"b\" = [true] }"] = "object({\n  a = number\n  b = tuple([bool])\n})", ["{ a = 1 }"] = "object({ a = number })",
      ["null == 1 ? null : 2"] = "number", ["true ? \"a\" : null"] = "string", ["<<E\nx\nE"] = "string",
      ["[for x in [1] : \"a${x}\"]"] = "list(string)", ["[for x in [1] : \"${x}\"]"] = "list(number)",
        ["{ for x in [1] : x => x }"] = "map(number)",
      ["{ for x in [1] : x => x... }"] = "map(list(number))", ["[for k, v in { a = true } : k]"] = "list(string)",
      ["[for k, v in { a = true } : v]"] = "list(bool)", ["[for i, v in [true] : i]"] = "list(number)",
      ["[for v in toset([true]) : v]"] = "list(bool)",
      ["var.s"] = "string", ["var.nets"] = "map(object({ cidr = string, zones = list(number), tags = map(string) }))",
      ["var.nets[\"a\"].zones"] = "list(number)", ["var.nets.a.cidr"] = "string", ["var.nets.a.tags"] = "map(string)",
      ["var.typed.a[0]"] = "number", ["var.pair"] = "tuple([string, bool])", ["var.pair[1]"] = "bool",
      ["var.both"] = "object({\n  cidr = string\n  n = number\n})",
      ["local.obj.a"] = "number", ["local.obj[\"b c\"]"] = "string", ["local.obj[3]"] = "bool", ["local.list[1]"] = "number",
        ["local.list.0"] = "string",
      ["x_one.r.name"] = "string", ["x_one.r.part"] = "list(object({ p = string }))", ["x_one.r.part[0].p"] = "string",
      ["x_one.r.shape[0].a"] = "number", ["x_one.r.json"] = "object({\n  a = set(string)\n  b = tuple([number, bool])\n})",
        ["x_one.r.json.b[1]"] = "bool",
      ["x_one.r.json.a"] = "set(string)", ["x_one.many[\"a\"].id"] = "string", ["module.m.out.k"] = "number",
      ["values(var.nets)"] = "list(object({ cidr = string, zones = list(number), tags = map(string) }))",
      ["values(var.nets)[*].cidr"] = "list(string)", ["values(var.nets)[0].zones[0]"] = "number", ["var.s[*]"] = "list(string)",
      ["flatten([[1], [2]])"] = "list(number)", ["keys(var.nets)"] = "list(string)", ["merge({ a = 1 }, { b = \"s\" })"]
        = "object({\n  a = number\n  b = string\n})",
      ["lookup(var.nets, \"a\", null).cidr"] = "string", ["try(null, 1)"] = "number", ["coalesce(null, \"a\")"] = "string",
      ["element([true], 0)"] = "bool", ["one([\"a\"])"] = "string", ["zipmap([\"a\"], [1])"] = "map(number)",
        ["toset([1])"] = "set(number)",
      ["tolist([\"a\"])"] = "list(string)", ["sensitive(1)"] = "number", ["upper(\"a\")"] = "string", ["core::length([])"] = "number",
      ["split(\",\", \"a\")"] = "list(string)", ["provider::x::join3(\"a\", [])"] = "list(string)", ["concat([1], [2])"] = "list(number)",
      ["path.module"] = "string", ["terraform.workspace"] = "string", ["distinct([1])"] = "list(number)",
        ["tomap({ a = 1 })"] = "object({ a = number })",
      ["nonsensitive(sensitive(1))"] = "number", ["ephemeralasnull(true)"] = "bool",
    } do
      assert.equal("local.q: " .. type, (said("locals {\n  q = " .. expression .. "\n}\n", "q"):match "^local%.q: [^\n]*" or "none")
        .. (type:find "\n" and said("locals {\n  q = " .. expression .. "\n}\n", "q"):match "^[^\n]*(\n.-%}%))" or ""), expression)
    end
  end)

  -- The first line is the written name with its type; the last one is the place of its declaration.
  for name, row in pairs {
    ["of a variable"] = { 'output "o" {\n  value = var.s\n}\n', "s\n",
      "var.s: string\n\n= `no value given`\n\n_sensitive_\n\nits name\n\nvariable, main.tf:6" },
    ["of a root"] = { 'output "o" {\n  value = var.s\n}\n', "var",
      "var.s: string\n\n= `no value given`\n\n_sensitive_\n\nits name\n\nvariable, main.tf:6" },
    ["of a part of a value"] = { 'output "o" {\n  value = var.nets["a"].cidr\n}\n', "cidr",
      'var.nets["a"].cidr: string\n\n= `no value given for var.nets`\n\nmain.tf:12' },
    ["of a name that nothing has"] = { 'output "o" {\n  value = var.zz\n}\n', "zz", nil },
    ["of an attribute that nothing has"] = { 'output "o" {\n  value = local.obj.zz\n}\n', "zz", "local.obj.zz\n\nmain.tf:22" },
    ["of a loop's name"] = { "locals {\n  a = [for v in var.nets : v]\n}\n", "v]",
      "v: object({\n  cidr = string\n  zones = list(number)\n  tags = map(string)\n})\n\nname of a loop, zz.tf:2" },
    ["of a loop's name where it is made"] = { "locals {\n  a = [for v in local.list : v]\n}\n", "v in",
      "v: string\n\nname of a loop, zz.tf:2\n\nelements: main.tf:23" },
    ["of an argument"] = { 'resource "x_one" "q" {\n  name = 1\n}\n', "name", "name: string\n\n_required_\n\nwhat it is called\n\n= `1`" },
    ["of a deprecated argument"] = { 'resource "x_one" "q" {\n  old = 1\n}\n', "old",
      "old: bool\n\n_optional, deprecated_\n\nDeprecated: use new\n\n= `1`" },
    ["of a secret argument"] = { 'resource "x_one" "q" {\n  secret = {}\n}\n', "secret",
      "secret: map(string)\n\n_optional, computed, sensitive_\n\n= `{}`" },
    ["of an argument that nothing knows"] = { 'resource "y_z" "q" {\n  n = 1\n}\n', "n =", "n: number\n\n= `1`" },
    ["of an argument of a call"] = { 'module "q" {\n  source = "./m"\n  given = 1\n}\n', "given",
      "given: number\n\n_required_\n\nwhat is given\n\n= `1`" },
    ["of an output of a call"] = { 'output "o" {\n  value = module.m.out\n}\n', "out\n",
      "module.m.out: object({ k = number })\n\n= `{ k = 1 }`\n\n"
        .. "  module.m.out         { k = 1 }    m/main.tf:6\n    { k = var.given }  { k = 1 }\n"
        .. "      var.given        1            main.tf:38\n\nall of it\n\noutput, main.tf:5" },
    ["of a block"] = { 'resource "x_one" "q" {\n  part {}\n}\n', "part",
      "part blocks\n\n_at least 1, at most 2_\n\na part\n\nDeprecated: it should not be used any more." },
    ["of a single block"] = { 'resource "x_one" "q" {\n  only {}\n}\n', "only", "only block" },
    ["of a type"] = { 'resource "x_one" "q" {\n}\n', "x_one", 'resource "x_one"\n\nprovider hashicorp/x\n\nOne of them.' },
    ["of a name"] = { 'resource "y_z" "q" {\n  n = 1\n}\n', '"q"', "y_z.q: object({\n  id = any\n  n = number\n})\n\nresource, zz.tf:1" },
    ["of a provider"] = { 'provider "x" {\n}\n', '"x"', 'provider "x"\n\nhashicorp/x' },
    ["of blocks by an expression"] = { 'resource "x_one" "q" {\n  dynamic "part" {}\n}\n', '"part"', 'dynamic "part"\n\na part' },
    ["of other blocks by an expression"] = { 'resource "x_one" "q" {\n  dynamic "only" {}\n}\n', '"only"',
      'dynamic "only"\n\nBlocks only, one for each element.' },
    ["of a function"] = { "locals {\n  a = provider::x::join3()\n}\n", "join3",
      "provider::x::join3(a string, b list(number), …more any) list(string)\n\nJoins three.\n\nAt length." },
    ["of no function"] = { "locals {\n  a = provider::x::nope()\n}\n", "nope", nil },
    ["of a key"] = { 'module "q" {\n  source = "./n"\n}\nvariable "v" {\n  type = object({ k = string })\n  default = { k = "s" }\n}\n',
      "k =", nil },
    ["of an instance"] = { 'resource "x_one" "q" {\n  count = 2\n  name = "${count.index}"\n}\n', "index",
      "count.index: number\n\n= `0`\n\nThe number of the instance, from 0.\n\nzz.tf:2" },
    ["of a key of an instance"] = { 'resource "x_one" "q" {\n  for_each = var.nets\n  name = each.key\n}\n', "key\n",
      "each.key: string\n\nThe key of the instance.\n\nzz.tf:2" },
    ["of self"] = { 'resource "x_one" "q" {\n  lifecycle {\n    postcondition {\n      condition = self.name == ""\n    }\n  }\n}\n',
      "name ==", "self.name: string\n\n_required_\n\nwhat it is called\n\nzz.tf:1" },
  } do
    it(name, function()
      assert.equal(row[3], (said(row[1], row[2])))
    end)
  end

  it("shows which argument of a call is written", function()
    for source, row in pairs {
      ["upper(|)"] = { "upper(str string) string", 1 },
        ["provider::x::join3(1, |)"] = { "provider::x::join3(a string, b list(number), …more any) list(string)", 2 },
      ["provider::x::join3(1, [], 2, 3, |)"] = { "provider::x::join3(a string, b list(number), …more any) list(string)", 3 },
      ["upper(1, |)"] = { "upper(str string) string" }, ["[upper(\"a\"), |]"] = {}, ["uper(|)"] = {},
        ["upper(lower(\"a\"), max(1, |2))"] = { nil, 1 },
    } do
      local text = "locals {\n  a = " .. source:gsub("|", "") .. "\n}\n"
      open({ ["main.tf"] = main, ["zz.tf"] = text }, schema)
      local found = ask("signature", "zz.tf", #"locals {\n  a = " + source:find("|", 1, true) - 1)
      if row[1] then assert.equal(row[1], found.label) end
      if row[1] or row[2] then assert.equal(row[2], found.active, source) else assert.is_nil(found) end
    end
    open({ ["main.tf"] = main, ["zz.tf"] = "locals {\n  a = provider::x::join3(1)\n}\n" }, schema)
    local found = ask("signature", "zz.tf", at("zz.tf", "1)"))
    local label, first = found.label, found.parameters[1]
    assert.same({ "a string", "the first" }, { label:sub(first.start + 1, first.stop), first.documentation })
    assert.equal("Joins three.", found.documentation)
  end)
end)
