-- The order in which Lua keeps the keys of a table is another in each process: no answer depends on it.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local program = support.program

local sources = {
  ["a.tf"] = [[
    resource "terraform_data" "u" {
      triggers_replace = [terraform.applying]
      input            = terraform.applying
    }
    resource "acme_thing" "t" {
      b = terraform.applying
      a = terraform.applying
      c {
        x = terraform.applying
      }
      d {
        x = terraform.applying
      }
    }]],
  ["b/b.tf"] = [[
    module "m" {
      source    = "./m"
      providers = { net = net.a, web = web.a }
    }
    module "k" {
      source    = "./m"
      providers = { net = net.b }
    }
    provider "net" {
      alias = "a"
    }]],
  ["c/c.tf"] = 'module "m" { source = "./m" }\n',
  ["d/d.tf"] = [[
    resource "terraform_data" "d" { for_each = toset(["a"]) }
    import {
      for_each = toset(["k", "l", "m", "n"])
      to       = terraform_data.d[each.key]
      id       = "x"
    }]],
  ["c/m/m.tf"] = 'variable "x" {}\nvariable "y" {}\nvariable "a" {}\nvariable "b" {}\n',
  ["b/m/m.tf"] = 'resource "net_host" "h" {}\nresource "web_host" "h" {}\n',
}

local script = [[
  dofile(%q)(7)
  local hcl = require "hclexpr"
  local texts = {}
  for i = 1, 12 do
    local said = {}
    for _, dir in ipairs { "/", "/b", "/c", "/d" } do
      local m, err, readable = hcl.module(%q .. dir)
      local _, more = (m or readable):validate()
      local _, last = (m or readable):plan()
      said[#said + 1] = tostring(err) .. tostring(more) .. tostring(last)
    end
    texts[i] = table.concat(said, "\n")
    if texts[i] ~= texts[1] then print(texts[1], "\n--- and then\n", texts[i]) break end
  end
  print(#texts[1] > 1000, #texts)]]

describe("what is wrong with a folder", function()
  it("is said in one order, however Lua keeps tables", function()
    local dir = support.folder(sources)
    support.write(dir .. "/ask.lua", script:format(support.root .. "fuzz/shuffled.lua", dir))
    local said = support.output(("%s '%s/ask.lua' 2>&1"):format(program, dir))
    support.remove(dir)
    assert.equal("true\t12", (said:gsub("%s*$", "")))
  end)
end)
