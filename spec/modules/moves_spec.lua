-- moved and removed blocks of a plan, by the reference's rules; the recorded folders have few of them.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

describe("blocks of a plan", function()
  local dir
  setup(function()
    dir = support.temporary_folder()
    assert(support.runs(("mkdir '%s/m'"):format(dir)))
    support.write(dir .. "/m/main.tf", 'resource "terraform_data" "in" {}\n')
  end)

  local things = [[
resource "terraform_data" "a" {}
resource "terraform_data" "counted" { count = 2 }
resource "terraform_data" "keyed" { for_each = toset(["k"]) }
module "one" { source = "./m" }
module "many" {
  source = "./m"
  count  = 1
}
]]
  local _, lines = things:gsub("\n", "")

  -- The lines, counted from 1 after `things`, at which a plan has errors.
  local function wrong_in(source)
    support.write(dir .. "/main.tf", things .. source)
    local _, err = hcl.assert(hcl.module(dir)):plan()
    local list = {}
    for i, d in ipairs(err or {}) do list[i] = d.code .. " " .. d.range.start.line - lines end
    return table.concat(list, ", ")
  end

  local function moved(from, to) return ("moved {\n  from = %s\n  to   = %s\n}\n"):format(from, to) end

  it("don't report deleted objects", function()
    for from, to in pairs {
      ["terraform_data.old"] = "terraform_data.a", ["terraform_data.counted"] = "terraform_data.counted[0]",
      ["terraform_data.keyed"] = 'terraform_data.keyed["k"]', ["terraform_data.a[0]"] = "terraform_data.a",
      ["module.many"] = "module.many[0]", ["module.gone.terraform_data.in"] = "module.one.terraform_data.in",
      ['terraform_data.keyed["gone"]'] = 'terraform_data.keyed["k"]', ["module.one[0]"] = "module.one", ["module.gone"] = "module.one",
      ["terraform_data.counted[2]"] = "terraform_data.a",
    } do
      assert.are.equal("", wrong_in(moved(from, to)), from)
    end
    assert.are.equal("", wrong_in "removed {\n  from = terraform_data.gone\n}\nremoved {\n  from = module.one.terraform_data.gone\n}\n")
  end)

  it("report an address that moves and still exists", function()
    for from, to in pairs {
      ["terraform_data.a"] = "terraform_data.new", ["terraform_data.counted"] = "terraform_data.new",
      ["terraform_data.counted[1]"] = "terraform_data.new", ["module.one"] = "module.new", ["module.many[0]"] = "module.new",
      ["module.many"] = "module.new", ["module.many[0].terraform_data.in"] = "terraform_data.new",
    } do
      assert.are.equal("module.address 1", wrong_in(moved(from, to)), from)
    end
  end)

  it("have whole numbers or texts for keys", function()
    local function places(source)
      support.write(dir .. "/main.tf", things .. source)
      local _, err = hcl.module(dir)
      local list = {}
      for i, d in ipairs(err or {}) do
        local start = d.range.start
        list[i] = ("%s %d:%d"):format(d.code, start.line - lines, start.column)
      end
      return table.concat(list, ", ")
    end
    for _, key in ipairs { "[1.5]", "[1e400]", "[99999999999999999999]" } do
      assert.equal("module.address 2:26", places(moved("terraform_data.x" .. key, "terraform_data.y")))
      assert.equal("module.address 3:20", places(moved("module.x", "module.one" .. key)))
      assert.equal("module.address 2:28, module.address 2:3",
                   places("import {\n  to = terraform_data.keyed" .. key .. '\n  id = "x"\n}\n'))
    end
    assert.equal("", places(moved("terraform_data.x[1e3]", "terraform_data.y")))
    -- A large one is shown with all its digits.
    local large = "terraform_data.x[1000000000000000]"
    support.write(dir .. "/main.tf", things .. moved(large, "terraform_data.a") .. moved(large, "terraform_data.counted[0]"))
    local _, err = hcl.assert(hcl.module(dir)):plan()
    assert.truthy(err[1].detail:find(large .. " moves to", 1, true), err[1].detail)
    assert.equal("module.address 3", wrong_in 'import {\n for_each = { k = 1.5 }\n to = terraform_data.keyed[each.value]\n id = "x"\n}\n')
  end)

  it("import into keys made by any expression with each, from any collection", function()
    local function import(for_each, to, id)
      return wrong_in(("import {\n  for_each = %s\n  to = terraform_data.%s\n  id = %s\n}\n"):format(for_each, to, id or '"x"'))
    end
    assert.are.equal("", import('{ x = { key = "k", id = "i" } }', "keyed[each.value.key]", "each.value.id"))
    assert.are.equal("", import('["a", "b"]', "counted[each.key]", "each.value"))
    assert.are.equal("", import('["k"]', 'keyed["${each.value}"]'))
    -- Terraform rejects these at the same places.
    assert.are.equal("module.address 4", import('["a"]', "counted[each.key]", '""'))
    assert.are.equal("module.address 2", import('"abc"', "counted[each.key]"))
    assert.are.equal("module.address 3", import("[true]", "keyed[each.value]"))
    assert.are.equal("module.address 3", import('["k"]', "keyed[lower(each.value)]"))
    assert.are.equal("reference.unknown 3", import('["k"]', "keyed[local.nope]"))
    -- Errors of an import don't affect values.
    support.write(dir .. "/main.tf", things .. 'resource "terraform_data" "in" { input = 1 }\nimport { to = terraform_data.in }\n')
    local _, why, rest = hcl.module(dir, { missing = "unknown" })
    assert.are.equal("module.address", support.code(nil, why))
    assert.are.equal(hcl.value(1), (rest:value "terraform_data.in.input"))
    -- The key from data that wasn't read may be any key.
    local unread = 'data "acme_x" "d" {}\nimport {\n  for_each = { k = data.acme_x.d.id }\n'
      .. '  to = terraform_data.keyed[each.key]\n  id = "x"\n}\n'
    support.write(dir .. "/main.tf", things .. unread)
    local plan = hcl.assert(hcl.module(dir)):plan()
    assert.are.equal("module.unread", support.code(nil, plan.warnings))
    assert.matches("data.acme_x.d, which wasn't read", plan.warnings[1].detail)
  end)

  it("report moves to two addresses, from two, or to the same", function()
    local a, b, x, y = "terraform_data.a", "terraform_data.b", "terraform_data.x", "terraform_data.y"
    assert.are.equal("module.address 5", wrong_in(moved(x, a) .. moved(x, b)))
    assert.are.equal("module.address 5", wrong_in(moved(x, a) .. moved(y, a)))
    assert.are.equal("module.address 1", wrong_in(moved(x, x)))
    assert.are.equal("", wrong_in(moved(x, y) .. moved(y, a)))
  end)

  it("may move an instance and its resource or module to two places", function()
    -- Terraform plans all of these except for the last.
    local old, gone = "terraform_data.old", "module.gone"
    for _, ends in ipairs {
      { old, 'terraform_data.old["a"]', old, "terraform_data.a" }, { old, "terraform_data.a", old, 'terraform_data.keyed["k"]' },
      { "terraform_data.old[0]", "terraform_data.a", "terraform_data.other", "terraform_data.a" },
      { gone, "module.many[0]", gone, "module.one" }, { "module.gone[0]", "module.one", "module.other", "module.one" },
    } do
      assert.are.equal("", wrong_in(moved(ends[1], ends[2]) .. moved(ends[3], ends[4])), ends[2])
    end
    assert.are.equal("module.address 5", wrong_in(moved("terraform_data.old[0]", "terraform_data.a") .. moved(old, "terraform_data.a")))
  end)

  it("report a removed address that still exists, at its declaration, and nothing else", function()
    local at = 1 - lines
    assert.are.equal("module.address " .. at, wrong_in "removed {\n  from = terraform_data.a\n}\n")
    local moves_to_itself = moved("terraform_data.x", "terraform_data.x")
    assert.are.equal("module.address " .. at + 3, wrong_in("removed {\n  from = module.one\n}\n" .. moves_to_itself))
    support.write(dir .. "/main.tf", things .. "removed {\n  from = module.one.terraform_data.in\n}\n")
    local _, err = hcl.assert(hcl.module(dir)):plan()
    assert.are.equal(dir .. "/m/main.tf", err[1].range.filename)
  end)

  -- Each address results from the one before by two moves, so there are 2^60 ways back.
  it("are followed back to each address once", function()
    local text = {}
    for i = 1, 60 do
      local from, to = "terraform_data.x" .. i, i == 60 and "terraform_data.keyed" or "terraform_data.x" .. i + 1
      text[#text + 1] = moved(from, to) .. moved(from .. '["k"]', to .. '["k"]')
    end
    support.write(dir .. "/main.tf", things .. table.concat(text))
    local resource = { mode = "managed", type = "terraform_data", name = "x1", instances = { { index_key = "k", attributes = {} } } }
    for _, resources in ipairs { {}, { resource } } do
      local plan = hcl.assert(hcl.assert(hcl.module(dir, { state = { version = 4, resources = resources } })):plan())
      for _, change in ipairs(plan.resources) do
        if change.address == 'terraform_data.keyed["k"]' then
          assert.are.equal(resources[1] and 'terraform_data.x1["k"]' or nil, change.previous_address)
          resources.seen = true
        end
      end
      assert.is_true(resources.seen)
    end
  end)

  it("don't concern validate", function()
    support.write(dir .. "/main.tf", things .. moved("terraform_data.a", "terraform_data.b"))
    assert.is_true((hcl.assert(hcl.module(dir)):validate()))
  end)
end)
