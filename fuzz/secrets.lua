-- A search for secrets: a variable's value in expressions of all kinds, at each place of a folder that evaluates one, in everything that
-- shows something of it; and values of a state, and of a test. None may appear while the variable is sensitive or ephemeral. While it is
-- neither, each way shows it somewhere, which proves that the search works.   LUA secrets.lua   (hclexpr on the path)
local cli = require "hclexpr.cli"
local json = require "hclexpr.lsp.json"
local lsp = require "hclexpr.lsp"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local M = {}

local WORD, NUMBER = "S3CRETMARKq", "918273645546"
-- Forms made from the secret show it, too: base64, reversed, in lower case.
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

-- A test of the folder; a state of it, in both forms. HIDDEN: whether the planned value was secret.
local TEST = [[
run "x" {
  command = plan
  assert {
    condition     = #
    error_message = "no: ${jsonencode(#)}"
  }
}
run "y" {
  command = plan
  variables {
    s = "#"
    o = { a = "${var.s}" }
  }
}
]]
local STATE = [=[
{ "version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "a",
  "outputs": { "x": { "value": "WORD", "type": "string", "sensitive": HIDDEN } },
  "resources": [ { "mode": "managed", "type": "terraform_data", "name": "x", "provider": "provider[\"terraform.io/builtin/terraform\"]",
    "instances": [ { "schema_version": 0, "attributes": { "id": "1", "input": { "value": "WORD", "type": "string" },
      "output": { "value": "WORD", "type": "string" }, "triggers_replace": { "value": ["WORD"], "type": ["tuple", ["string"]] } },
      "sensitive_attributes": [ATTRIBUTES] } ] } ] }
]=]
local SHOWN_STATE = [[
{ "format_version": "1.0", "terraform_version": "1.9.0", "values": {
  "outputs": { "x": { "value": "WORD", "type": "string", "sensitive": HIDDEN } },
  "root_module": { "resources": [ { "address": "terraform_data.x", "mode": "managed", "type": "terraform_data", "name": "x",
    "provider_name": "terraform.io/builtin/terraform", "schema_version": 0,
    "values": { "id": "1", "input": "WORD", "output": "WORD", "triggers_replace": ["WORD"] },
    "sensitive_values": { "input": HIDDEN, "output": HIDDEN, "triggers_replace": [HIDDEN] } } ] } } }
]]

local function state(text, hidden)
  local paths = {}
  for i, name in ipairs(hidden and { "input", "output", "triggers_replace" } or {}) do
    paths[i] = ('[{ "type": "get_attr", "value": "%s" }]'):format(name)
  end
  return (text:gsub("WORD", WORD):gsub("HIDDEN", tostring(hidden)):gsub("ATTRIBUTES", table.concat(paths, ", ")))
end

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

-- Calls act with the position of every word, from a line on; begins: it is the first of its line or of what has members.
local function each_word(text, first, act)
  local line = 0
  for content in (text .. "\n"):gmatch "(.-)\n" do
    if line >= first then
      for before, at in content:gmatch "([^%w_]*)()[%w_]+" do
        act({ line = line, character = at }, at == #before + 1 or before == ".")
      end
    end
    line = line + 1
  end
end

-- Everything that an editor shows at every word of a file, from a line on.
local function look_at(server, path, first)
  local text, uri = support.read(path), "file://" .. path
  server:receive { method = "textDocument/didOpen", params = { textDocument = { uri = uri, text = text, version = 1 } } }
  while server:idle(1) do end
  each_word(text, first, function(position, begins)
    local params = { textDocument = { uri = uri }, position = position, range = { start = position, ["end"] = position } }
    for _, method in ipairs { "hover", "signatureHelp", "codeAction" } do
      server:receive { id = 2, method = "textDocument/" .. method, params = params }
    end
    if begins then server:receive { id = 2, method = "textDocument/completion", params = params } end
  end)
  local whole = { start = { line = 0, character = 0 }, ["end"] = { line = 1000, character = 0 } }
  for _, method in ipairs { "inlayHint", "documentSymbol", "codeAction" } do
    server:receive { id = 3, method = "textDocument/" .. method, params = { textDocument = { uri = uri }, range = whole } }
  end
end

-- What it shows for the folder, and for the module called there.
local function editor(dir, _, first)
  local sent = {}
  local server = lsp.new(function(message) sent[#sent + 1] = json.encode(message) end)
  server:receive { id = 1, method = "initialize", params = { capabilities = {} } }
  look_at(server, dir .. "/main.tf", first)
  if support.read(dir .. "/main.tf"):find('"./m"', 1, true) then look_at(server, dir .. "/m/m.tf", 0) end
  server:receive { id = 4, method = "workspace/symbol", params = { query = "" } }
  return table.concat(sent, "\n")
end

-- A test whose assertion has the expression, and the files that tests write.
local function test(...)
  local options = { ... }
  return function(dir, expression)
    support.write(dir .. "/x.tftest.hcl", (TEST:gsub("#", (expression:gsub("%%", "%%%%")))))
    local words = { "-junit-xml=" .. dir .. "/junit", "-lcov=" .. dir .. "/lcov" }
    for _, option in ipairs(options) do words[#words + 1] = option end
    local shown = run(dir, "", "test", support.unpack(words))
    for _, name in ipairs { "/junit", "/lcov" } do
      if support.exists(dir .. name) then shown = shown .. support.read(dir .. name) end
    end
    os.remove(dir .. "/x.tftest.hcl")
    return shown
  end
end

M.ways = {
  plan = function(dir) return run(dir, "", "plan") end,
  ["plan -json"] = function(dir) return run(dir, "", "plan", "-json") end,
  ["plan -json=full"] = function(dir) return run(dir, "", "plan", "-json=full") end,
  ["plan -json=values"] = function(dir) return run(dir, "", "plan", "-json=values") end,
  ["plan of a state"] = function(dir) return run(dir, "", "plan", "-state", dir .. "/a.tfstate") end,
  ["plan -json of a state"] = function(dir) return run(dir, "", "plan", "-json=full", "-state", dir .. "/shown.json") end,
  ["outputs of a state"] = function(dir) return run(dir, "", "outputs", "-json", "-state", dir .. "/a.tfstate") end,
  validate = function(dir) return run(dir, "", "validate", "-json") end,
  ["outputs -json"] = function(dir) return run(dir, "", "outputs", "-json") end,
  outputs = function(dir) return run(dir, "", "outputs") end,
  ["outputs -raw"] = function(dir) return run("x", "", "outputs", "-raw", dir) end,
  test = test("-verbose", "-coverage"), ["test -json"] = test("-json", "-coverage"),
  graph = function(dir) return run(dir, "", "graph") .. run(dir, "", "graph", "-json") end,
  names = function(dir) return run(dir, ":graph\n:names\n:graph x\n:deps output.x\n:users var.s\n", "console") end,
  console = console "", type = console ":type ", explain = console ":explain ",
  editor = editor,
}

-- Ways that never show values.
M.blind = { validate = true, graph = true, names = true }

--- Calls found(way, place, expression, text) for each way that shows the variable's value. mark: lines in the blocks of the variables.
--- one_in: every nth of the expressions at each place, different ones at each.
function M.run(mark, one_in, found)
  local hidden = mark ~= ""
  local dir = support.folder {
    ["m/m.tf"] = MODULE, ["terraform.tfvars"] = VALUES, ["a.tfstate"] = state(STATE, hidden), ["shown.json"] = state(SHOWN_STATE, hidden),
  }
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
