-- Broken text: every request gets an answer, whatever the file contains. A sample; FUZZ=10000 makes so many edits instead, and tries as
-- many prefixes of the corpus' files (of ../shared, if present), EVERY=1 each prefix of each file that ends with a token or within one.
local hcl = require "hclexpr"
local service = require "hclexpr.service"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local sources = {
  [[
variable "nets" {
  type    = map(object({ cidr = string, zones = optional(list(string), []) }))
  default = { a = { cidr = "10.0.0.0/8" } }
}

locals {
  made  = { for name, net in var.nets : name => { first = net.zones[0], all = net.zones[*] } if name != "" }
  text  = "a${upper(local.made["a"].first)}%{ for z in var.nets }${z.cidr}%{ endfor }"
  doc   = <<-EOT
    ${join(",", [for n in values(var.nets) : n.cidr])}
  EOT
}

resource "terraform_data" "one" {
  for_each = var.nets
  input    = each.value.cidr # trailing
  lifecycle {
    ignore_changes = [input]
  }
}

module "m" {
  source = "./m"
  x      = terraform_data.one["a"].output.y
}

output "o" {
  value = try(module.m.z, self.q, count.index) ? -1 : provider::a::b(1)...
}
]],
  'app "x" y {\n  list = [1, "two", { a = b.c }]\n  dynamic "part" {\n    for_each = list\n'
    .. '    content {\n      p = part.value.q\n    }\n  }\n}\n',
  '%{ for k, v in nets ~}\n${k} = ${join(",", v.zones[*].id)} $${no}\n%{ endfor ~}\n'
    .. '%{ if name == "x" }${nets["a"].cidr}%{ else }é%{ endif }\n',
  'nets = {\n  a = {\n    cidr = "10.0.0.0/8"\n    zones = ["a", file("${path.module}/x")]\n  }\n}\n',
}

-- The content of the files beside that one.
local main = [[
variable "nets" {
  type = map(object({ cidr = string, zones = list(object({ id = string })) }))
}
locals {
  a = templatefile("${path.module}/t.tftpl", { nets = var.nets, name = file("../x") })
}
terraform {
  required_providers {
    a = { configuration_aliases = [a.b] }
  }
}
resource "a_b" "c" { provider = a.b }
]]
sources[#sources + 1] = main

-- Files of real modules, and some that are small enough for hundreds of edits.
local corpus, small = {}, {}
local folder = os.getenv "CORPUS_DIR" or "../shared/corpus"
for _, path in ipairs(support.lines("find '" .. folder .. "' -name '*.tf' -size -64k 2>/dev/null | sort")) do
  local text = support.read(path)
  corpus[#corpus + 1] = text
  if #text < 4000 then small[#small + 1] = text end
end
if #corpus == 0 then support.note "the editor is not tried on the corpus: it isn't there" end

local pieces = { '"', "{", "}", "[", "]", "(", ")", "${", ".", "[*]", "\n", "=", "var.", "for x in ", "%{ if ", "<<EOT\n", "#", "/*",
  " ? ", ":", "...",
                 "\255", "é", "data.", "provider::", "each.", "\0", "", "\r\n" }

local questions = { "complete", "hover", "definition", "references", "highlights", "signature", "rename_at" }
local whole = { "diagnostics", "symbols", "folding", "tokens", "format", "inlays" }

local function ask_all(workspace, path, bytes)
  local n = #workspace:text(path)
  for _, byte in ipairs(bytes) do
    for _, question in ipairs(questions) do workspace[question](workspace, path, byte) end
    workspace:rename(path, byte, "neu")
    workspace:actions(path, byte, math.min(n, byte + 5))
  end
  for _, question in ipairs(whole) do workspace[question](workspace, path) end
end

local function open(source)
  local name = source:find "^app" and "app.hcl" or source:find "^%%{" and "t.tftpl" or source:find "^nets" and "x.tfvars" or "main.tf"
  local path = "/nowhere/" .. name
  local workspace = service.new {
    read = function(other) return other == "/nowhere/main.tf" and main or nil end, list = function() return { "main.tf" } end,
  }
  workspace:open(path, source, 1)
  return workspace, path
end

-- Edits stay within the text, and tokens are in order.
local function check(workspace, path)
  local n, last = #workspace:text(path), 0
  for _, token in ipairs(workspace:tokens(path) or {}) do
    assert.is_true(last <= token.start and token.start < token.stop and token.stop <= n)
    last = token.stop
  end
  for _, problem in ipairs(workspace:diagnostics(path)) do assert.is_true(problem.start <= problem.stop and problem.stop <= n) end
end

describe("the service on broken text", function()
  it("answers at every truncation", function()
    for _, source in ipairs(sources) do
      for stop = 0, #source, support.sample(9, 3, 27) do
        local workspace, path = open(source:sub(1, stop))
        ask_all(workspace, path, { stop, math.floor(stop / 2) })
        check(workspace, path)
      end
    end
  end)

  local function begin(source, stop)
    local workspace, path = open(source:sub(1, stop))
    ask_all(workspace, path, { stop })
    check(workspace, path)
  end

  it("answers at truncations of the corpus", function()
    local random = support.random(tonumber(os.getenv "SEED" or 5))
    for _ = 1, #corpus > 0 and tonumber(os.getenv "FUZZ" or support.sample(20, 60)) or 0 do
      local source = corpus[random(#corpus)]
      begin(source, random(#source + 1) - 1)
    end
    if not os.getenv "EVERY" then return end
    for _, source in ipairs(corpus) do
      local _, starts, stops = hcl.tokens(source)
      for i, start in ipairs(starts) do
        begin(source, start)
        if stops[i] - start > 1 then begin(source, math.floor((start + stops[i]) / 2)) end
      end
    end
  end)

  it("answers about chains and nestings of any length", function()
    local n = support.sample(600, 1500, 300)
    for _, value in ipairs {
      ("local.b + "):rep(n) .. "1", ("true ? local.b : "):rep(n) .. "1", ("["):rep(n) .. "local.b", "local.b" .. (".x"):rep(n),
      "local.b" .. ("[local.b]"):rep(n), "local.b" .. ("[*]"):rep(n), ("!"):rep(n) .. "local.b", '"' .. ('${"'):rep(n),
    } do
      local workspace, path = open("locals {\n  b = 1\n  a = " .. value .. "\n}\n")
      ask_all(workspace, path, { 11, 40, #value })
    end
    local lines = {}
    for i = 1, n do lines[i] = ("  l%d = local.l%d"):format(i, i - 1) end
    local workspace, path = open("locals {\n" .. table.concat(lines, "\n") .. "\n}\n")
    ask_all(workspace, path, { 30 * n - 200 })
    workspace, path = open(("a {\n"):rep(n))
    ask_all(workspace, path, { n })
  end)

  it("answers after any edits", function()
    local random = support.random(tonumber(os.getenv "SEED" or 7))
    for i = 1, tonumber(os.getenv "FUZZ" or support.sample(50, 150, 20)) do
      local list = i % 3 == 0 and #small > 0 and small or sources
      local workspace, path = open(list[random(#list)])
      for _ = 1, 4 do
        local n = #workspace:text(path)
        local start = random(n + 1) - 1
        workspace:change(path, { { start = start, stop = math.min(n, start + random(12) - 1), text = pieces[random(#pieces)] } })
        n = #workspace:text(path)
        ask_all(workspace, path, { random(n + 1) - 1, math.min(start, n), n })
        check(workspace, path)
      end
    end
  end)
end)
