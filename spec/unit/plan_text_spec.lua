-- hclexpr plan as text. The lines of resources have the layout of `terraform plan` for the same folder and state.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local plan_text = require "hclexpr.cli.plan_text"

local function planned(source, options)
  local plan, err, rest = hcl.assert(hcl.module(support.folder(source), options)):plan()
  return plan_text.of(plan or rest, plan ~= nil), err
end

local function instance(attributes, key, sensitive)
  return { index_key = key, attributes = attributes, sensitive_attributes = sensitive }
end

local function state(resources, outputs)
  return { version = 4, outputs = outputs or {}, resources = resources }
end

local function row(name, instances, type)
  return { mode = "managed", type = type or "terraform_data", name = name, instances = instances,
           provider = not type and 'provider["terraform.io/builtin/terraform"]' or nil }
end

local function any(value, type) return { value = value, type = type } end

-- A provider with blocks of each nesting.
local inner = { attributes = {
  port = { type = "number", optional = true }, secret = { type = "string", optional = true, sensitive = true },
} }
local schemas = { provider_schemas = { ["registry.example.com/hashicorp/acme"] = {
  provider = { block = {} },
  resource_schemas = { acme_thing = { block = {
    attributes = {
      id = { type = "string", computed = true }, name = { type = "string", optional = true }, size = { type = "number", optional = true },
      tags = { type = { "map", "string" }, optional = true }, zones = { type = { "set", "string" }, optional = true },
      ports = { type = { "list", "number" }, optional = true }, token = { type = "string", optional = true, sensitive = true },
    },
    block_types = { list = { nesting_mode = "list", block = inner }, set = { nesting_mode = "set", block = inner },
                    one = { nesting_mode = "single", block = inner }, map = { nesting_mode = "map", block = inner } },
  } } },
} } }

describe("a plan's text", function()
  it("shows created resources", function()
    assert.equal([[
  # terraform_data.a will be created
  + resource "terraform_data" "a" {
      + id               = (known after apply)
      + input            = {
          + a     = 1
          + "b c" = [
              + true,
              + null,
            ]
        }
      + output           = (known after apply)
      + triggers_replace = (sensitive value)
    }

  # terraform_data.b[0] will be created
  + resource "terraform_data" "b" {
      + id     = (known after apply)
      + input  = <<-EOT
            one
            two
        EOT
      + output = (known after apply)

      + store {
          + input  = (write-only value)
          + output = (known after apply)
        }
    }

Plan: 2 to add, 0 to change, 0 to destroy.
]], (planned([[
resource "terraform_data" "b" {
  count = 1
  input = "one\ntwo\n"
  store {
    input = 1
  }
}
resource "terraform_data" "a" {
  input            = { a = 1, "b c" = [true, null] }
  triggers_replace = sensitive("hush")
}
]])))
  end)

  it("shows changes, replacements and deletions", function()
    local was = any({ a = 1, b = "x", same = true }, { "object", { a = "number", b = "string", same = "bool" } })
    assert.equal([[
  # terraform_data.a will be updated in place
  ~ resource "terraform_data" "a" {
        id     = "i"
      ~ input  = {
          ~ a    = 1 -> 2
          - b    = "x"
          + c    = {
              + d = []
            }
            # (1 unchanged element hidden)
        }
      ~ output = {
          - a    = 1
          - b    = "x"
          - same = true
        } -> (known after apply)
    }

  # terraform_data.gone[0] will be destroyed
  # (nothing declares it)
  - resource "terraform_data" "gone" {
      - id     = "g" -> null
      - input  = "x" -> null
      - output = "x" -> null
    }

  # terraform_data.t will be replaced
  # (its triggers changed)
-/+ resource "terraform_data" "t" {
      ~ id               = "t" -> (known after apply)
      ~ triggers_replace = 1 -> 2
    }

Plan: 1 to add, 1 to change, 2 to destroy.
]], (planned([[
resource "terraform_data" "a" {
  input = { a = 2, c = { d = [] }, same = true }
}
resource "terraform_data" "t" {
  triggers_replace = 2
}
resource "terraform_data" "stays" {
  input = "s"
}
]], { state = state {
      row("a", { instance { id = "i", input = was, output = was } }),
      row("gone", { instance({ id = "g", input = any("x", "string"), output = any("x", "string") }, 0) }),
      row("t", { instance { id = "t", triggers_replace = any(1, "number") } }),
      row("stays", { instance { id = "s", input = any("s", "string"), output = any("s", "string") } }),
    } })))
  end)

  it("shows the changed lines of a text", function()
    local function before(value, type) return { instance { id = "x", input = any(value, type), output = any(value, type) } } end
    assert.equal([[
  # terraform_data.a will be updated in place
  ~ resource "terraform_data" "a" {
        id     = "x"
      ~ input  = <<-EOT
            one
          - two
          + TWO
          + more
            three
        EOT
      ~ output = <<-EOT
            one
            two
            three
        EOT -> (known after apply)
    }

  # terraform_data.b will be updated in place
  ~ resource "terraform_data" "b" {
        id     = "x"
      ~ input  = {
          ~ t = <<-EOT
                x
              - y
              + z
            EOT
            # (1 unchanged element hidden)
        }
      ~ output = {
          - n = 1
          - t = <<-EOT
                x
                y
            EOT
        } -> (known after apply)
    }

Plan: 0 to add, 2 to change, 0 to destroy.
]], (planned('resource "terraform_data" "a" {\n  input = "one\\nTWO\\nmore\\nthree\\n"\n}\nresource "terraform_data" "b" {\n'
      .. '  input = { t = "x\\nz\\n", n = 1 }\n}\n', { state = state { row("a", before("one\ntwo\nthree\n", "string")),
        row("b", before({ t = "x\ny\n", n = 1 }, { "object", { t = "string", n = "number" } })) } })))
  end)

  it("shows nested blocks as blocks, with their changes", function()
    assert.equal([[
  # acme_thing.a will be updated in place
  ~ resource "acme_thing" "a" {
        id    = "i"
        name  = "n"
      ~ ports = [
            # (1 unchanged element hidden)
          + 15,
            # (2 unchanged elements hidden)
        ]
      ~ tags  = {
          + "x" = "1"
            # (1 unchanged element hidden)
        }
      ~ token = (sensitive value)
      ~ zones = [
          - "b",
          + "c",
            # (1 unchanged element hidden)
        ]
        # (1 unchanged attribute hidden)

      ~ list {
          ~ port   = 1 -> 2
            # (1 unchanged attribute hidden)
        }

      + list {
          + port   = 3
          + secret = (sensitive value)
        }

      + map "k" {
          + port   = 9
          + secret = (sensitive value)
        }

      - one {
          - port   = 7 -> null
          - secret = (sensitive value) -> null
        }

      ~ set {
            # (sensitive value)
        }
    }

Plan: 0 to add, 1 to change, 0 to destroy.
]], (planned([[
resource "acme_thing" "a" {
  name  = "n"
  size  = 3
  ports = [1, 15, 2, 3]
  tags  = { x = "1", y = "2" }
  zones = ["a", "c"]
  token = "new"
  list {
    port = 2
  }
  list {
    port = 3
  }
  map "k" {
    port = 9
  }
  set {
    port = 4
  }
  set {
    port   = 6
    secret = "hush"
  }
}
]], { schemas = schemas, state = state { row("a", { instance {
      id = "i", name = "n", size = 3, ports = { 1, 2, 3 }, tags = { y = "2" }, zones = { "a", "b" }, token = "old", list = { { port = 1 } },
      set = { { port = 4 }, { port = 5 } }, one = { port = 7 }, map = {},
    } }, "acme_thing") } })))
  end)

  it("shows known outputs of a resource without a schema", function()
    assert.equal([[
  # acme_thing.a will be created
  + resource "acme_thing" "a" {
      + account = {
          + id   = 7
          + note = ""
        }
      + ids     = [
          + "b",
          + "a",
        ]
      + zones   = [
          + "x",
          + "y",
        ]
    }

    # Without the schema of a provider only what is configured shows (-schemas).

Changes to outputs:
  + account = {
      + id = 7
        # (others known after apply)
    }
  + ids     = (known after apply)
  + zones   = [
      + "x",
      + "y",
    ]

Plan: 1 to add, 0 to change, 0 to destroy.
]], (planned [[
resource "acme_thing" "a" {
  account = { id = 7, note = "", key_wo = "hush" }
  ids     = ["b", "a"]
  zones   = ["x", "y"]
}
output "account" { value = acme_thing.a.account }
output "ids" { value = acme_thing.a.ids }
output "zones" { value = acme_thing.a.zones }
]]))
  end)

  it("shows blocks as written without a schema", function()
    assert.equal([[
 <= data.acme_thing.d  will be read

  # acme_thing.a will be created
  + resource "acme_thing" "a" {
      + name = "n"

      + late (known after apply)

      + rule {
          + port = 1

          + deep {
              + x = (sensitive value)
            }
        }

      + rule {
          + port = 2
        }
    }

    # Without the schema of a provider only what is configured shows (-schemas).

Plan: 1 to add, 0 to change, 0 to destroy.
]], (planned [[
data "acme_thing" "d" {}
ephemeral "acme_thing" "e" {}
resource "acme_thing" "a" {
  name = "n"
  rule {
    port = 1
    deep {
      x = sensitive("hush")
    }
  }
  dynamic "rule" {
    for_each = [2]
    content {
      port = rule.value
    }
  }
  dynamic "late" {
    for_each = data.acme_thing.d.list
    content {}
  }
  lifecycle {
    create_before_destroy = true
  }
}
]]))
  end)

  it("compares blocks without a schema by their written content", function()
    local function like(name) return instance { id = "i", name = name, rule = { { port = 1, extra = "x" } }, two = { { of = "q" } } } end
    local body = '  name = "n"\n  rule {\n    port = %d\n  }\n  two "a" "b" {\n    x = 1\n  }\n}\n'
    assert.equal([[
  # acme_thing.a will be updated in place
  ~ resource "acme_thing" "a" {
        id   = "i"
      ~ name = "old" -> "n"

        # (2 unchanged blocks hidden)
    }

  # acme_thing.b will be updated in place
  ~ resource "acme_thing" "b" {
        id   = "i"
        name = "n"

      ~ rule {
          ~ port  = 1 -> 2
            # (1 unchanged attribute hidden)
        }

        # (1 unchanged block hidden)
    }

    # Without the schema of a provider only what is configured shows (-schemas).

Plan: 0 to add, 2 to change, 0 to destroy.
]], (planned('resource "acme_thing" "a" {\n' .. body:format(1) .. 'resource "acme_thing" "b" {\n' .. body:format(2)
      .. 'resource "acme_thing" "c" {\n' .. body:format(1), { state = state {
      row("a", { like "old" }, "acme_thing"), row("b", { like "n" }, "acme_thing"), row("c", { like "n" }, "acme_thing"),
    } })))
  end)

  it("shows outputs, and checks with their messages", function()
    assert.equal([[
Checks:
  ! check.a: failed: Too
        large.
    check.b: passed

Changes to outputs:
  ~ changed = "x" -> "y"
  - gone    = 1 -> null
  + new     = [
      + 1,
    ]
  + secret  = (sensitive value)

Plan: 0 to add, 0 to change, 0 to destroy.
]], (planned([[
locals { n = 1 }
output "changed" { value = "y" }
output "new" { value = [1] }
output "same" { value = 2 }
output "secret" {
  value     = "hush"
  sensitive = true
}
check "a" {
  assert {
    condition     = local.n > 2
    error_message = "Too\nlarge."
  }
}
check "b" {
  assert {
    condition     = local.n == 1
    error_message = "No."
  }
}
]], { state = state({}, { changed = any("x", "string"), gone = any(1, "number"), same = any(2, "number") }) })))
  end)

  it("reports that nothing changes", function()
    assert.equal("No changes.\n", (planned("locals {\n  a = 1\n}\n")))
    -- Terraform says so of these two, too.
    local kept = { state = state { row("a", { instance { id = "x" } }) } }
    assert.equal("No changes.\n", (planned('resource "terraform_data" "a" {}\n', kept)))
    kept = { state = state({ row("a", { instance({ id = "x", input = any(1, "number"), output = any(1, "number") }, "k") }) }, {
      o = any(1, "number") }) }
    assert.equal("No changes.\n", (planned('resource "terraform_data" "a" {\n  for_each = { k = 1 }\n  input    = each.value\n}\n'
      .. 'output "o" {\n  value = terraform_data.a["k"].output\n}\n', kept)))
    -- Ephemeral resources are opened and closed outside of the plan.
    assert.equal("No changes.\n", (planned 'ephemeral "x_y" "e" {}\n'))
  end)

  it("shows known values after an error", function()
    local text, err = planned [[
resource "terraform_data" "a" {
  input = var.none
}
resource "terraform_data" "b" {
  input = upper("b")
}
output "o" {
  value = local.nope
}
]]
    assert.truthy(err)
    assert.truthy(text:find('+ input  = "B"', 1, true), text)
    assert.is_nil(text:find("terraform_data.a", 1, true))
    assert.truthy(text:find("Plan, incomplete: 1 to add, 0 to change, 0 to destroy.\n$"), text)
    text = planned 'variable "v" {}\nresource "terraform_data" "b" {\n  input = "x"\n}\n'
    assert.truthy(text:find('+ input  = "x"', 1, true), text)
    assert.equal("", (planned "locals {\n  a = local.b\n}\n"))
  end)

  it("shows a type with the name of a built-in one", function()
    local text = planned('terraform {\n  required_providers {\n    own = {\n      source = "a/own"\n    }\n  }\n}\n'
      .. 'resource "terraform_data" "a" {\n  provider = own\n  input    = 3\n}\n',
      { state = state { { mode = "managed", type = "terraform_data", name = "a", instances = { instance { id = "x" } } } } })
    assert.truthy(text:find("Plan: 0 to add, 1 to change, 0 to destroy.\n$"), text)
  end)

  it("says what its counts leave out", function()
    local text = planned('module "m" {\n  source = "a/b/c"\n}\n', { missing = "unknown" })
    assert.truthy(text:find("Plan: 0 to add, 0 to change, 0 to destroy, and resources of modules that aren't here.\n$"), text)
    text = planned 'data "x_y" "z" {}\nresource "x_y" "a" {\n  count = data.x_y.z.n\n}\n'
    assert.truthy(text:find("0 to destroy, and resources whose instances aren't known.\n$"), text)
  end)

  it("shows moves, imports and forgotten objects", function()
    assert.equal([[
  # terraform_data.forgotten stays, and leaves the state
  # (nothing declares it)

  # terraform_data.new stays as it is
  # (moved from terraform_data.old)

Plan: 0 to add, 0 to change, 0 to destroy, 1 to forget.
]], (planned([[
resource "terraform_data" "new" {}
moved {
  from = terraform_data.old
  to   = terraform_data.new
}
removed {
  from = terraform_data.forgotten
  lifecycle {
    destroy = false
  }
}
]], { state = state { row("old", { instance { id = "o" } }), row("forgotten", { instance { id = "f" } }) } })))
  end)
end)

-- The sign is that of Terraform's plan for the same folder and state; its numbers leave out forgotten objects.
describe("a tainted object", function()
  it("stays if destroy = false, and another one replaces it", function()
    local tainted = { row("a", { instance { id = "i" } }), row("b", { instance { id = "j" } }), row("c", { instance { id = "k" } }) }
    tainted[1].instances[1].status, tainted[3].instances[1].status = "tainted", "tainted"
    local kept = "  lifecycle {\n    destroy = false\n  }\n"
    local text = planned('resource "terraform_data" "a" {\n' .. kept .. '}\nresource "terraform_data" "b" {\n  triggers_replace = 1\n'
      .. kept .. '}\nresource "terraform_data" "c" {}\n', { state = state(tainted) })
    local signs = {}
    for sign, name in text:gmatch '(%S+) resource "terraform_data" "(%w+)"' do signs[name] = sign end
    assert.same({ a = "+/.", b = "-/+", c = "-/+" }, signs)
    assert.truthy(text:find("Plan: 3 to add, 0 to change, 2 to destroy, 1 to forget.\n$"), text)
  end)
end)

-- Terraform's order for the same folder, whatever the plan's order is.
describe("the resources of a plan's text", function()
  it("are those of the root first, by type, name and key", function()
    local dir = support.folder { ["main.tf"] = 'module "m" {\n  source = "./m"\n}\nresource "terraform_data" "b" {\n  count = 11\n}\n'
      .. 'resource "terraform_data" "c" {\n  for_each = toset(["y", "x"])\n}\nresource "terraform_data" "a" {}\n'
      .. 'data "x_y" "short" {}\ndata "x_y" "longer_name" {}\n', ["m/main.tf"] = 'resource "terraform_data" "a" {}\n' }
    local plan = hcl.assert(hcl.assert(hcl.module(dir)):plan())
    support.remove(dir)
    local wanted = { "terraform_data.a" }
    for i = 0, 10 do wanted[#wanted + 1] = ("terraform_data.b[%d]"):format(i) end
    for _, address in ipairs { 'terraform_data.c["x"]', 'terraform_data.c["y"]', "module.m.terraform_data.a" } do
      wanted[#wanted + 1] = address
    end
    local random = support.random(5)
    for _ = 1, 5 do
      for i = #plan.resources, 2, -1 do
        local k = random(i)
        plan.resources[i], plan.resources[k] = plan.resources[k], plan.resources[i]
      end
      local found, text = {}, plan_text.of(plan, true)
      for address in text:gmatch "\n  # (%S+) will be created" do found[#found + 1] = address end
      assert.same(wanted, found)
      -- Data come first, one below the other, with their actions in a column.
      local first, second = text:match "^([^\n]*)\n([^\n]*)\n"
      assert.truthy(first:find("data.x_y.longer_name ", 1, true) and second:find("data.x_y.short ", 1, true), text)
      assert.equal(first:find "%l+ be read$" or first:find "is read$", second:find "%l+ be read$" or second:find "is read$")
    end
  end)
end)

-- Terraform's last line for the same folder and state.
describe("a plan's last line", function()
  local import = 'import {\n  to = terraform_data.%s\n  id = "%s"\n}\n'
  local changing = 'resource "terraform_data" "a" {\n  input = 1\n}\n'
  for line, folder in pairs {
    ["Plan: 2 to import, 0 to add, 1 to change, 0 to destroy."] = { changing .. 'resource "terraform_data" "b" {}\n'
      .. import:format("a", "i") .. import:format("b", "j") },
    ["Plan: 1 to import, 1 to add, 0 to change, 0 to destroy."] = { changing .. 'resource "terraform_data" "b" {}\n'
      .. import:format("b", "j") },
    ["Plan: 0 to add, 1 to change, 0 to destroy."] = { changing, { row("a", { instance { id = "x" } }) } },
    ["Plan: 0 to add, 0 to change, 2 to destroy."] = { "", { row("a", { instance({ id = "x" }, 0), instance({ id = "y" }, 1) }) } },
    ["Plan: 1 to add, 0 to change, 1 to destroy."] = { 'resource "terraform_data" "a" {\n  triggers_replace = 1\n}\n',
      { row("a", { instance { id = "x" } }) } },
    ["Plan: 2 to add, 1 to change, 1 to destroy."] = { 'resource "terraform_data" "a" {\n  count = 3\n  input = 1\n}\n',
      { row("a", { instance({ id = "x" }, 0), instance({ id = "y" }, 5) }) } },
  } do
    it("is " .. line, function()
      assert.equal(line, planned(folder[1], { state = folder[2] and state(folder[2]) }):match "([^\n]*)\n$")
    end)
  end
end)

-- The help of `hclexpr plan` explains the status 3; doc/api.md lists the kinds.
describe("a missing part", function()
  it("makes a plan incomplete if it is a module, a variable's value or a file outside", function()
    local missing_lines = require "hclexpr.cli.missing_lines"
    for kind, decides in pairs { module = true, variable = true, outside = true, provider = false, file = false, values = false,
      schema = false } do
      assert.equal(decides, missing_lines.decides { { kind = kind } }, kind)
      assert.equal(decides, missing_lines.decides { { kind = "schema" }, { kind = kind }, { kind = "file" } }, kind)
    end
    assert.is_false(missing_lines.decides {})
  end)
end)

describe("two values one above the other", function()
  local difference = require "hclexpr.cli.difference"
  local random = support.random(11)

  -- Lines of { level, sign, text }.
  local function lines_of(before, after, kind)
    local out, lines = {}, {}
    function out.add(level, sign, text) lines[#lines + 1] = { level = level, sign = sign, text = text } end
    function out.gap() end
    local type = hcl.type(kind)
    local function value(x) return x ~= nil and assert(hcl.value(x, type)) or nil end
    difference.value(out, 0, "", value(before), value(after))
    return lines
  end

  -- The lines within brackets list both sides: elements before, elements after, and how many stay.
  local function replayed(lines)
    local was, is, hidden = {}, {}, 0
    for i = 2, #lines - 1 do
      local line = lines[i]
      local text = line.text:gsub(",$", "")
      local count, noun = text:match "^# %((%d+) unchanged (%l+) hidden%)$"
      assert.equal(1, line.level)
      if count then
        assert.equal(count == "1" and "element" or "elements", noun)
        hidden = hidden + count
        for _ = 1, count do was[#was + 1], is[#is + 1] = "=", "=" end
      elseif line.sign == "-" then was[#was + 1] = text
      elseif line.sign == "+" then is[#is + 1] = text
      else
        assert.equal("~", line.sign)
        was[#was + 1], is[#is + 1] = text:match "^(.*) %-> (.*)$"
      end
    end
    return was, is, hidden
  end

  local function drawn(n)
    local list = {}
    for i = 1, random(n + 1) - 1 do list[i] = random(3) end
    return list
  end

  it("lead from one list to the other, and hide common beginnings and ends", function()
    for _ = 1, 150 do
      local before, after = drawn(5), drawn(5)
      if #before > 0 and #after > 0 and not support.equal(before, after) then
        local was, is, hidden = replayed(lines_of(before, after, "list(number)"))
        assert.same({ #before, #after }, { #was, #is })
        for i, x in ipairs(was) do assert.is_true(x == "=" or tonumber(x) == before[i]) end
        for i, x in ipairs(is) do assert.is_true(x == "=" or tonumber(x) == after[i]) end
        local shorter, first, last = math.min(#before, #after), 0, 0
        while first < shorter and before[first + 1] == after[first + 1] do first = first + 1 end
        while first + last < shorter and before[#before - last] == after[#after - last] do last = last + 1 end
        assert.is_true(hidden >= first + last)
      end
    end
  end)

  it("lead from one set or map to the other", function()
    for _ = 1, 60 do
      local before, after, both = {}, {}, 0
      for i = 1, 5 do before["k" .. i], after["k" .. i] = random(3) > 1 and random(2) or nil, random(3) > 1 and random(2) or nil end
      for key, x in pairs(before) do both = both + (after[key] == x and 1 or 0) end
      if next(before) and next(after) and not support.equal(before, after) then
        local lines = lines_of(before, after, "map(number)")
        local _, _, hidden = replayed(lines)
        assert.equal(both, hidden)
        for i = 2, #lines - 1 do
          local name, text = lines[i].text:match '^"(k%d)" = (.*)$'
          if name then
            local was, is = before[name], after[name]
            assert.equal(was and is and "~" or was and "-" or "+", lines[i].sign)
            assert.equal(was and is and was .. " -> " .. is or tostring(was or is), text)
          end
        end
        local old, new = support.keys(before), support.keys(after)
        local gone, added, kept = {}, {}, 0
        for _, key in ipairs(old) do if after[key] == nil then gone[#gone + 1] = '"' .. key .. '"' else kept = kept + 1 end end
        for _, key in ipairs(new) do if before[key] == nil then added[#added + 1] = '"' .. key .. '"' end end
        if #gone + #added > 0 then
          local was, is = replayed(lines_of(old, new, "set(string)"))
          assert.same({ #old, #new }, { #was, #is })
          for _, list in ipairs { { gone, was }, { added, is } } do
            local shown = {}
            for _, x in ipairs(list[2]) do if x ~= "=" then shown[#shown + 1] = x end end
            assert.same(list[1], shown)
          end
        end
      end
    end
  end)

  it("show texts with two lines around changes", function()
    for _, texts in ipairs {
      { "a\nb\n", "a\nc\n", "~<<-EOT| a|-b|+c| EOT" },
      { "1\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\nx\n5\n6\n7\n", "~<<-EOT| ...| 2| 3|-4|+x| 5| 6| ...| EOT" },
      { "1\n2\n3\n", "1\n2\nx\n3\n", "~<<-EOT| 1| 2|+x| 3| EOT" }, { "1\n2\n3\n", "2\n3\n", "~<<-EOT|-1| 2| 3| EOT" },
      { "1\n2\n3\n4\n", "1\n2\n3\n", "~<<-EOT| ...| 2| 3|-4| EOT" }, { "x\nx\n", "x\nx\nx\n", "~<<-EOT| x| x|+x| EOT" },
      { "a", "b\nc\n", '~"a" -> <<-EOT| b| c| EOT' }, { "b\nc", "a", "~<<-EOT (without a newline at its end)| b| c| EOT -> \"a\"" },
    } do
      local shown = {}
      local lines = lines_of(texts[1], texts[2], "string")
      for i, line in ipairs(lines) do
        assert.equal((i == 1 or i == #lines) and 0 or 1, line.level)
        shown[i] = (line.sign == "" and " " or line.sign) .. line.text
      end
      assert.equal(texts[3], table.concat(shown, "|"))
    end
  end)
end)
