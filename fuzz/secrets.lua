-- A hunt for secrets: a variable's value in expressions of all kinds, at each place of a folder that evaluates one, through all that shows
-- something of it. None may show the value while the variable is sensitive or ephemeral; while it is neither, each way shows it somewhere,
-- which says that the hunt works.   LUA secrets.lua   (hclexpr on the path)
local cli = require "hclexpr.cli"
local json = require "hclexpr.lsp.json"
local lsp = require "hclexpr.lsp"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local M = {}

local WORD, NUMBER = "S3CRETMARKq", "918273645546"
-- What is made of it shows it, too: in base64, turned round, in small letters.
local FORMS = { "s3cretmark", "UzNDUkVUTUFSS", "kramterc3s", "918273645", "645546372819" }

local function shows(text)
  local small = text:lower()
  for _, form in ipairs(FORMS) do
    if small:find(form:lower(), 1, true) then return true end
  end
  return false
end

-- Expressions of var.s, a text, and var.n, a number.
M.expressions = {
  "var.s", '"${var.s}!"', "upper(var.s)", "base64encode(var.s)", "strrev(var.s)", "var.n", "{ a = var.s }", "[var.s]", "{ (var.s) = 1 }",
  "keys({ (var.s) = 1 })", "{ (var.s) = 1 }.x", "var.o", "var.o.nope", "var.o.b[3]", "{ for k, v in var.o : v => k... }", "tonumber(var.s)",
  "var.s.x", "var.s + 1", "var.n.x", "jsondecode(var.s)", 'regex(var.s, "(")', 'regex("(${var.s}", "a")', "file(var.s)",
  "lookup({}, var.s)",
  "{}[var.s]", "element([], var.n)", "range(var.n)", "toset([var.s])", 'timeadd(var.s, "1h")', "cidrhost(var.s, 1)",
  "templatefile(var.s, {})", 'yamldecode("a: [${var.s}")', 'format("%d", var.s)', "merge({}, var.s)", "parseint(var.s, 10)",
  "[for k in [var.s] : k + 1]", "{ for k in [var.s] : k => 1 }", 'formatdate(var.s, "2020-01-01T00:00:00Z")',
  "convert(var.s, number)",
  'templatestring(local.t, { a = var.s })', "true ? var.s : 1", "var.s == 1", "jsonencode({ a = var.s })", "tomap(var.o)",
  "one([var.s, 1])",
  "substr(var.s, var.n, 1)", 'try(var.s.x, "fell back to ${var.s}")', "var.s == \"a\" ? 1 : tonumber(var.s)",
  "provider::terraform::decode_tfvars(var.s)",
  "[var.s, var.s][var.n]", "cidrsubnets(var.s)", "module.m[var.s]", "abs(var.s)", "chunklist([var.s], var.n)", "sum([var.s])",
}

-- Blocks with an expression at a place.
M.places = {
  ["local"] = "locals { x = # }",
  output = "output \"x\" { value = # }",
  ["sensitive output"] = "output \"x\" {\n value = #\n sensitive = true\n}",
  check = "check \"x\" {\n assert {\n  condition = #\n  error_message = \"no: ${jsonencode(#)}\"\n }\n}",
  precondition = "resource \"terraform_data\" \"x\" {\n lifecycle {\n  precondition {\n   condition = #\n   error_message = #\n  }\n }\n}",
  ["output precondition"] = "output \"x\" {\n value = 1\n precondition {\n  condition = #\n  error_message = \"no\"\n }\n}",
  argument = "resource \"terraform_data\" \"x\" {\n input = #\n triggers_replace = [#]\n}",
  count = "resource \"terraform_data\" \"x\" { count = # }",
  for_each = "resource \"terraform_data\" \"x\" { for_each = # }",
  import = "resource \"terraform_data\" \"x\" {}\nimport {\n to = terraform_data.x\n id = #\n}",
  state = "data \"terraform_remote_state\" \"x\" {\n backend = #\n config = { path = # }\n}",
  ["path of a state"] = "data \"terraform_remote_state\" \"x\" {\n backend = \"local\"\n config = { path = # }\n workspace = #\n}",
  module = "module \"m\" {\n source = \"./m\"\n a = #\n b = #\n c = #\n}",
  ["module's count"] = "module \"m\" {\n source = \"./m\"\n count = #\n}",
  provisioner = "resource \"terraform_data\" \"x\" {\n provisioner \"local-exec\" { command = # }\n}",
}

local MODULE = [[
variable "a" {
  type    = number
  default = 1
}
variable "b" {
  type    = object({ a = string, z = bool })
  default = null
}
variable "c" {
  default = 1
  validation {
    condition     = var.c == 1
    error_message = "c is wrong"
  }
}
output "a" { value = var.c }
]]

local function variables(mark)
  return ([[
variable "s" {
  type = string
  MARK
  validation {
    condition     = length(var.s) > 3
    error_message = "short"
  }
}
variable "n" {
  type = number
  MARK
}
variable "o" {
  MARK
}
locals { t = "$${a} $${nope}" }
]]):gsub("MARK", mark)
end

local VALUES = ('s = "%s"\nn = %s\no = { a = "%s", b = ["%s"] }\n'):format(WORD, NUMBER, WORD, WORD)

-- ---- ways to see something ----------------------------------------------------------------------------------------------

local function run(dir, input, ...)
  local words = { ... }
  words[#words + 1] = dir
  local _, out, err = support.with_streams(input, cli.main, words)
  return out .. err
end

local function console(command)
  return function(dir, expression) return run(dir, command .. expression, "console") end
end

-- Calls act with the position of every word, from a line on.
local function each_word(text, first, act)
  local line = 0
  for content in (text .. "\n"):gmatch "(.-)\n" do
    if line >= first then
      for at in content:gmatch "()[%w_]+" do act { line = line, character = at } end
    end
    line = line + 1
  end
end

-- What an editor shows: everything at every word, from a line on.
local function editor(dir, _, first)
  local sent = {}
  local server = lsp.new(function(message) sent[#sent + 1] = json.encode(message) end)
  local text, uri = support.read(dir .. "/main.tf"), "file://" .. dir .. "/main.tf"
  server:receive { id = 1, method = "initialize", params = { capabilities = {} } }
  server:receive { method = "textDocument/didOpen", params = { textDocument = { uri = uri, text = text, version = 1 } } }
  while server:idle(1) do end
  each_word(text, first, function(position)
    for _, method in ipairs { "hover", "completion", "signatureHelp" } do
      server:receive { id = 2, method = "textDocument/" .. method, params = { textDocument = { uri = uri }, position = position } }
    end
  end)
  local whole = { start = { line = 0, character = 0 }, ["end"] = { line = 1000, character = 0 } }
  for _, method in ipairs { "inlayHint", "documentSymbol", "codeAction" } do
    server:receive { id = 3, method = "textDocument/" .. method, params = { textDocument = { uri = uri }, range = whole } }
  end
  return table.concat(sent, "\n")
end

M.ways = {
  plan = function(dir) return run(dir, "", "plan") end,
  ["plan -json"] = function(dir) return run(dir, "", "plan", "-json") end,
  validate = function(dir) return run(dir, "", "validate", "-json") end,
  outputs = function(dir) return run(dir, "", "outputs", "-json") end,
  graph = function(dir) return run(dir, "", "graph") end,
  console = console "", type = console ":type ", explain = console ":explain ",
  editor = editor,
}

-- Ways that show no values at all, whatever these are.
M.blind = { validate = true, graph = true }

--- Calls found(way, place, expression, text) for each way that shows the variable's value. mark: lines in the blocks of the variables. one_in:
--- at each place so few of the expressions, at each others.
function M.run(mark, one_in, found)
  local dir = support.folder { ["m/m.tf"] = MODULE, ["terraform.tfvars"] = VALUES }
  -- The blocks of the variables are the same in every file: an editor is asked about them once.
  local head = variables(mark)
  local _, head_lines = head:gsub("\n", "")
  local first = 0
  for number, place in ipairs(support.keys(M.places)) do
    for i = number % one_in + 1, #M.expressions, one_in do
      local block, expression = M.places[place], M.expressions[i]
      support.write(dir .. "/main.tf", head .. block:gsub("#", (expression:gsub("%%", "%%%%"))) .. "\n")
      for way, show in pairs(M.ways) do
        local text = show(dir, expression, first)
        if shows(text) then found(way, place, expression, text) end
      end
      first = head_lines
    end
  end
  support.remove(dir)
end

if arg and arg[0] and arg[0]:find "secrets%.lua$" then
  local leaks = 0
  for _, mark in ipairs { "sensitive = true", "ephemeral = true" } do
    M.run(mark, 1, function(way, place, expression, text)
      leaks = leaks + 1
      local at = text:lower():find("s3cret", 1, true) or text:find("9182", 1, true) or 1
      print(("%s: %s of %s shows %s\n  %s"):format(mark, way, place, expression, text:sub(math.max(1, at - 200), at + 40)))
    end)
  end
  print(leaks .. " leaks")
  os.exit(leaks == 0)
end

return M
