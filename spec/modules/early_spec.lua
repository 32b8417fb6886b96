-- Checks before anything is evaluated: sources, arguments of const variables, local values in arguments of modules.
-- Expected: the places that Terraform 1.17 reports in `init` and `validate`, with the folders of modules present.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local modules = {
  ["a/a.tf"] = 'variable "ok" {}\nvariable "o2" { default = 1 }\n',
  ["c/c.tf"] = 'variable "c" {\n  const   = true\n  default = "x"\n}\n',
  ["b/b.tf"] = 'variable "z" {}\nlocals { q = upper(var.z, 2) }\nmodule "n" {\n  source = "../a"\n  ok = local.q\n}\n',
}

-- Places of the reports of validate for a root with this text.
local function told(text)
  local files = { ["main.tf"] = text }
  for path, of in pairs(modules) do files[path] = of end
  local dir, places = support.folder(files), {}
  local m, err = hcl.module(dir)
  local sound = m
  if m then sound, err = m:validate() end
  for i, d in ipairs(not sound and err or {}) do
    local from, to = d.range.start, d.range.stop
    places[i] = ("%s %d:%d-%d:%d"):format(d.range.filename:sub(#dir + 2), from.line, from.column, to.line, to.column)
  end
  support.remove(dir)
  table.sort(places)
  return table.concat(places, ", ")
end

describe("before anything is evaluated", function()
  it("a source consists of constants, const variables and local values of these", function()
    local rest = '\nresource "terraform_data" "t" {}\ndata "terraform_remote_state" "d" { backend = "local" }\n'
    for name, place in pairs {
      ["terraform_data.t.id"] = "2:17-2:33", ["data.terraform_remote_state.d.outputs"] = "2:17-2:46", ["module.m.x"] = "2:17-2:27",
      ["terraform.workspace"] = "2:17-2:36", ["nope"] = "2:17-2:21", ["each.key"] = "2:17-2:25", ["terraform_data.none.id"] = "2:17-2:36",
    } do
      assert.equal("main.tf " .. place, told('module "m" {\n  source = "./${' .. name .. '}"\n}' .. rest), name)
    end
  end)

  it("the argument of a const variable is known", function()
    local rest = '\nresource "terraform_data" "t" {}\nmodule "n" { source = "./c" }\n'
    for argument, place in pairs {
      ["terraform_data.t.id"] = "3:7-3:26", ["upper(terraform_data.t.id)"] = "3:7-3:33", ["module.n.x"] = "3:7-3:17",
      ["terraform.workspace"] = "3:7-3:26", ["each.key"] = "3:7-3:15", ["terraform_data.none.id"] = "3:7-3:26", ["nope"] = "3:7-3:11",
    } do
      assert.equal("main.tf " .. place, told('module "m" {\n  source = "./c"\n  c = ' .. argument .. "\n}" .. rest), argument)
    end
    assert.equal("", told 'module "m" {\n  source = "./c"\n  c = "${path.cwd}/${path.module}"\n}\n')
  end)

  it("local values for arguments of modules are reported alone", function()
    local function call(name, arguments) return ('module "%s" {\n  source = "./a"\n%s}\n'):format(name, arguments) end
    local rest = 'output "o" { value = local.undeclared }\n'
    for text, places in pairs {
      ['locals { x = "a".nope }\n' .. call("m", "  ok = local.x\n") .. rest] = "main.tf 1:17-1:22",
      ["locals {\n  x = local.y\n  y = upper(1, 2)\n}\n" .. call("m", "  ok = [for k in [1] : local.x]\n") .. rest] = "main.tf 3:16-3:17",
      ['variable "v" { type = string }\nlocals { x = var.v.nope }\n' .. call("m", "  ok = local.x\n") .. rest] = "main.tf 2:19-2:24",
      ["locals { x = local.none }\n" .. call("m", "  ok = local.x\n") .. rest] = "main.tf 1:14-1:24",
      ['locals { x = "a".nope }\n' .. call("m", "  ok = 1\n  none = local.x\n") .. rest] = "main.tf 1:17-1:22",
      ['locals { x = "a".nope }\n' .. call("m", "  ok = 1\n  o2 = local.x\n  count = local.none\n") .. call("n", "")] = "main.tf 1:17-1:22",
      -- Errors found while reading other calls are reported with it.
      ["locals { x = upper(1, 2) }\n" .. call("m", "  ok = 1\n  none = 1\n") .. call("n", "  ok = local.x\n")]
        = "main.tf 1:23-1:24, main.tf 5:3-5:7",
      ['module "m" {\n  source = "./b"\n  z = 1\n}\n' .. rest] = "b/b.tf 2:27-2:28",
      -- Others are reported with the rest.
      ["locals { x = upper(1, 2) }\n" .. call("m", "  ok = 1\n  for_each = local.x\n") .. rest] = "main.tf 1:23-1:24, main.tf 7:22-7:38",
      ['locals { x = "a".nope }\n' .. call("m", '  ok = "b".nope\n') .. rest]
        = "main.tf 1:17-1:22, main.tf 4:11-4:16, main.tf 6:22-6:38",
      ['locals { x = file("main.tf") }\n' .. call("m", "  o2 = local.x\n")] = "main.tf 2:12-2:13",
    } do
      assert.equal(places, told(text), text)
    end
  end)

  it("a plan reports broken files of the folder, and validate broken variable files", function()
    local dir = support.folder { ["main.tf"] = 'variable "a" {}\nvariable "a" {}\n', ["terraform.tfvars"] = "a = \n" }
    local _, err, readable = hcl.module(dir)
    assert.equal(dir .. "/terraform.tfvars", err[1].range.filename)
    assert.equal(dir .. "/main.tf", select(2, readable:plan())[1].range.filename)
    support.remove(dir)
  end)
end)
