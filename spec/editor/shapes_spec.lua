-- What an editor knows about values without evaluating them, compared with Terraform's and the reference's recorded answers.
local hcl = require "hclexpr"
local json = require "hclexpr.lsp.json"
local service = require "hclexpr.service"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local here = support.here()

-- A workspace with one file.
local function open(name, text, schemas)
  local workspace = service.new {
    roots = { "/w" }, schemas = schemas, read = function() return text end, list = function() return { name } end,
  }
  workspace:open("/w/" .. name, text, 1)
  return function(what, byte) return support.without_time(workspace[what], workspace, "/w/" .. name, byte) end
end

-- ../modules/mistakes.jsonl has the steps into a resource that Terraform 1.17-dev accepts.
describe("steps into a resource", function()
  local modules = here .. "../modules/"

  -- The expressions of a case, one for each output, that end with a name and don't go through a value of type `any`: calls f(expression,
  -- its end, is it accepted?).
  local function each_expression(case, f)
    local text, wrong, number, from = case.files["main.tf"], {}, 0, 0
    for _, place in ipairs(case.wrong) do wrong[tonumber(place:match "^error %S+ (%d+):" or 0)] = true end
    for line in text:gmatch "([^\n]*)\n" do
      number = number + 1
      local expression = line:match "= %[(shapes_thing%.a%.[^\n]*%.[%a_]+)%] }$"
      if expression and not expression:find("a.any", 1, true) then f(expression, from + #line - #"] }", not wrong[number]) end
      from = from + #line + 1
    end
  end

  it("are known as in Terraform", function()
    local schemas, n = json.decode(support.read(modules .. "schemas/shapes.json")), 0
    for line in io.lines(modules .. "mistakes.jsonl") do
      if line:find('"name":"steps into', 1, true) then
        local case, differences = json.decode(line), {}
        local ask = open("main.tf", case.files["main.tf"], schemas)
        each_expression(case, function(expression, stop, taken)
          local name = expression:match "[%a_]+$"
          local hover, offered = ask("hover", stop - 1), false
          for _, item in ipairs(ask("complete", stop - #name)) do offered = offered or item.label == name end
          local known = hover ~= nil and hover.text:match "^```hcl\n[^\n]*: " ~= nil
          n = n + 1
          if known ~= taken then differences[#differences + 1] = "hover of " .. expression end
          -- It is unknown which keys a map will have.
          if offered ~= (taken and name ~= "k") then differences[#differences + 1] = "completion of " .. expression end
        end)
        assert.equal("", table.concat(differences, "\n"))
      end
    end
    assert.is_true(n > 150)
  end)
end)

-- The shape that an editor infers agrees with the reference's value: recorded cases.
describe("types of expressions", function()
  -- Shapes that are less exact: loops, branches, nulls, and keys that aren't names.
  local ROUGH = { "for ", "%*", "%?", "try%(", "null", "unknown%(", "ephemeral%(", "\n", "{[^%a}]", "[^%w_ ]%s*[=:]%s", "nn" }
  local ONE_IN = support.sample(5, 1)

  local function is_rough(text)
    for _, pattern in ipairs(ROUGH) do
      if text:find(pattern) then return true end
    end
    return false
  end

  -- A type in the language's notation.
  local function written(type_of)
    if type(type_of) == "string" then return type_of == "dynamic" and "any" or type_of end
    local parts, kind, inner = {}, type_of[1], type_of[2]
    if kind == "object" then
      for name, part in pairs(inner) do parts[#parts + 1] = ("%s = %s"):format(name, written(part)) end
      return "object({" .. table.concat(parts, ", ") .. "})"
    elseif kind == "tuple" then
      for i, part in ipairs(inner) do parts[i] = written(part) end
      return "tuple([" .. table.concat(parts, ", ") .. "])"
    end
    return kind .. "(" .. written(inner) .. ")"
  end

  -- The file of a case; nil for a case whose shape is less exact.
  local function file_of(case)
    local lines = {}
    if case.mode or not case.want.type or is_rough(case.src) or not hcl.type(written(case.want.type)) then return nil end
    for name, value in pairs(case.vars or {}) do
      if is_rough(value) then return nil end
      lines[#lines + 1] = name .. " = " .. value .. "\n"
    end
    local before = table.concat(lines)
    return before .. "zzz = " .. case.src .. "\n", #before
  end

  for _, name in ipairs { "operators", "literals", "templates", "for_splat_index", "func_numeric", "func_strings" } do
    it("are the reference's: " .. name, function()
      local n, vague, differences, number = 0, 0, {}, 0
      for line in io.lines(here .. "../conformance/cases/" .. name .. ".jsonl") do
        number = number + 1
        local case = number % ONE_IN == 0 and json.decode(line)
        local text, byte = file_of(case or { mode = "" })
        if text then
          local hover = open("a.hcl", text)("hover", byte + 1)
          local found, wanted = hover and hover.text:match "^```hcl\nzzz: (.-)\n```", assert(hcl.type(written(case.want.type)))
          n = n + 1
          if not found or found:find "any" or found:find("…", 1, true) then
            vague = vague + 1
          elseif hcl.type(found) ~= wanted then
            differences[#differences + 1] = ("%s: %s is not %s"):format(case.id, found, tostring(wanted))
          end
        end
      end
      assert.equal("", table.concat(differences, "\n"))
      assert.is_true(n > 5 and vague < n / 3, ("%d of %d"):format(vague, n))
    end)
  end
end)

describe("a folder's names", function()
  local function block(nesting, more)
    return { nesting_mode = nesting, block = { attributes = { p = { type = "string", optional = true } }, block_types = more } }
  end
  local function nested(nesting)
    return { optional = true, nested_type = { nesting_mode = nesting, attributes = { q = { type = "bool", optional = true } } } }
  end
  local schemas = { format_version = "1.0", provider_schemas = { ["registry.terraform.io/hashicorp/x"] = { resource_schemas = {
    x_s = { block = {
      attributes = { n = { type = "number", optional = true }, list = nested "list", set = nested "set", map = nested "map",
        one = nested "single", none = { type = "dynamic", computed = true } },
      block_types = { l = block("list", { deep = block "single" }), s = block "set", m = block "map", o = block "single",
        g = block "group" },
    } },
  } } } }

  local main = [=[
resource "x_s" "two" {
  l {
    p = "first"
  }
  l {
    p = "second"
    deep {
      p = 3
    }
  }
  o {
    p = "o"
  }
}
resource "x_s" "made" {
  dynamic "l" {
    for_each = [1]
    content {
      p = "made"
    }
  }
}
resource "y_z" "d" {
  count = 1
  dynamic "part" {
    for_each = { a = true }
    iterator = it
    content {
      p = it.value
      k = it.key
      dynamic "inner" {
        for_each = ["s"]
        content {
          both = [inner.value, inner.key, it.value]
        }
      }
    }
  }
  lifecycle {}
  provisioner "local-exec" {}
  connection {}
}
resource "y_z" "e" {
  for_each = { one = { size = 1 }, two = { size = 2 } }
  own {
    v = each.value
  }
  zone = "z"
  area = 1
}
]=]

  -- The place of the file's end, where `before` and an expression are written: that of its last letter.
  local function asked(expression, before, after)
    local text = main .. (before or "output \"q\" {\n  value = ") .. expression
    return open("main.tf", text .. (after or "\n}\n"), schemas), #text - (expression:find "%]$" and 2 or 1)
  end

  local function type_of(expression, before, after)
    local ask, byte = asked(expression, before, after)
    local hover = ask("hover", byte)
    local code = hover and hover.text:match "^```hcl\n(.-)\n```"
    return code and code:match "^.-: (.*)$"
  end

  -- Kinds of nesting mean what Terraform's documents of schemas say.
  it("have the types of their schemas, and written attributes", function()
    for expression, wanted in pairs {
      ["x_s.two.l"] = "list(object({ deep = object({ p = string }), p = string }))", ["x_s.two.l[1].p"] = "string",
      ["x_s.two.l[1].deep.p"] = "string", ["x_s.two.s"] = "set(object({ p = string }))", ["x_s.two.m"] = "map(object({ p = string }))",
      ["x_s.two.o"] = "object({ p = string })", ["x_s.two.g"] = "object({ p = string })", ["x_s.two.n"] = "number",
      ["x_s.two.list"] = "list(object({ q = bool }))", ["x_s.two.set"] = "set(object({ q = bool }))",
      ["x_s.two.map"] = "map(object({ q = bool }))", ["x_s.two.one"] = "object({ q = bool })",
      ["x_s.two.map.a.q"] = "bool", ["x_s.made.l[0].p"] = "string",
      ["y_z.d[0].part[0].p"] = "bool", ["y_z.d[0].part[0].k"] = "string",
      ["y_z.d[0].part[0].inner[0].both"] = "tuple([string, number, bool])",
      ['y_z.e["one"].own[0].v.size'] = "number"
    } do
      assert.equal(wanted, type_of(expression), expression)
    end
  end)

  it("are declared where they are written", function()
    for expression, line in pairs {
      ["x_s.two.l"] = 2, ["x_s.two.l[0].p"] = 3, ["x_s.two.l[1].p"] = 6, ["x_s.two.l[1].deep"] = 7, ["x_s.two.l[1].deep.p"] = 8,
      ["x_s.two.o.p"] = 12, ["x_s.two.n"] = 1, ["x_s.two.g"] = 1, ["x_s.made.l[0].p"] = 19, ["x_s.made.l"] = 18, ["x_s.made.m"] = 15,
      ["y_z.d[0].part[0].p"] = 29, ["y_z.d[0].part"] = 28, ["y_z.d[0].part[0].inner[0].both"] = 34, ["y_z.e[\"one\"].own[0].v"] = 46,
      ["y_z.d[0].id"] = 23, ["y_z.e"] = 43,
    } do
      local ask, byte = asked(expression)
      local found = ask("definition", byte)
      assert.equal(line, found and select(2, main:sub(1, found[1].start):gsub("\n", "")) + 1, expression)
    end
  end)

  it("are offered as written, without the arguments of every resource", function()
    for expression, wanted in pairs { ["y_z.d[0]."] = "id part", ['y_z.e["one"].'] = "area id own zone" } do
      local ask, byte = asked(expression)
      local found = {}
      for i, item in ipairs(ask("complete", byte + 1)) do found[i] = item.label end
      assert.equal(wanted, table.concat(found, " "))
    end
  end)

  -- Where Terraform has them.
  for name, row in pairs {
    ["self, of what exists already"] = { "self.n", "number", [[resource "x_s" "q" {
  provisioner "local-exec" {
    a = |
  }
}]], [[resource "x_s" "q" {
  provisioner "local-exec" {
    connection {
      a = |
    }
  }
}]], [[resource "x_s" "q" {
  connection {
    a = |
  }
}]], [[resource "x_s" "q" {
  lifecycle {
    postcondition {
      a = |
    }
  }
}]] },
    ["no self elsewhere"] = { "self.n", false, [[resource "x_s" "q" {
  a = |
}]], [[resource "x_s" "q" {
  lifecycle {
    precondition {
      a = |
    }
  }
}]], [[module "q" {
  connection {
    a = |
  }
}]], [[locals {
  a = |
}]] },
    ["the number of an instance"] = { "count.index", "number", [[resource "x_s" "q" {
  count = 2
  a     = |
}]], [[module "q" {
  source = "./q"
  count  = 2
  a      = |
}]], [[resource "x_s" "q" {
  count = 2
  l {
    a = |
  }
}]] },
    ["no number without count"] = { "count.index", false, [[resource "x_s" "q" {
  a = |
}]], [[resource "x_s" "q" {
  for_each = {}
  a        = |
}]], [[locals {
  a = |
}]] },
    ["the key of an instance"] = { "each.key", "string", [[resource "x_s" "q" {
  for_each = { a = true }
  a        = |
}]] },
    ["the element of an instance"] = { "each.value", "bool", [[resource "x_s" "q" {
  for_each = { a = true }
  l {
    a = |
  }
}]] },
    ["no element without for_each"] = { "each.value", false, [[resource "x_s" "q" {
  count = 1
  a     = |
}]] },
    ["what triggers an action"] = { "caller.n", "number", [[resource "x_s" "q" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.x_a.other, action.x_a.run]
    }
  }
}
action "x_a" "run" {
  config {
    a = |
  }
}]] },
    ["nothing where nothing triggers it"] = { "caller.n", false, [[resource "x_s" "q" {
  lifecycle {
    action_trigger {
      actions = [action.x_b.run, action.x_a.other, x_a.run]
    }
  }
}
action "x_a" "run" {
  config {
    a = |
  }
}]], [[resource "x_s" "q" {
  a = |
}]] },
    ["paths"] = { "path.module", "string", [[locals {
  a = |
}]] },
    ["no other paths"] = { "path.zz", false, [[locals {
  a = |
}]] },
  } do
    it("have " .. name, function()
      for i = 3, #row do
        local before, after = row[i]:match "^(.-)|(.*)$"
        assert.equal(row[2], type_of(row[1], before, after) or false, row[i])
      end
    end)
  end

  it("in a single file are those around a place, the nearest first", function()
    local text = 'name = "x"\nport = 1\nservice "web" {\n  port = true\n  inner {\n    url = [name, port, other]\n  }\n}\n'
    local ask = open("app.hcl", text)
    for words, wanted in pairs { ["name,"] = { "string", 1 }, ["port,"] = { "bool", 4 }, ["other]"] = {} } do
      local byte = text:find(words, 1, true)
      local hover, found = ask("hover", byte), ask("definition", byte)
      assert.equal(wanted[1], hover and hover.text:match ": (%l+)")
      assert.equal(wanted[2], found and found[1] and select(2, text:sub(1, found[1].start):gsub("\n", "")) + 1)
    end
  end)

  it("in a single file are never the argument itself", function()
    for _, text in ipairs {
      'limit "login" {\n  rate = 5\n}\nroute "/a" {\n  limit = limit.login\n}\n', "limit = limit\n", "limit = [for l in limit : l]\n",
      "limit = 1\nroute {\n  limit = upper(limit)\n}\n", "route {\n  limit = { a = [limit.x] }\n}\n", 'limit = "${limit}"\n',
    } do
      local ask = open("app.hcl", text)
      local byte = text:match ".*()limit" - 1
      assert.is_nil(ask("hover", byte), text)
      for _, question in ipairs { "definition", "references", "highlights" } do
        assert.is_nil((ask(question, byte) or {})[1], question .. " " .. text)
      end
      for _, item in ipairs(ask("complete", byte) or {}) do
        assert.is_false(item.label == "limit" and not text:find "^limit = 1", text)
      end
    end
  end)

  it("stop if a list contains itself", function()
    for _, text in ipairs { "a = [local.a]", "a = [[local.a]]", "a = [local.c]\n  c = [local.a]", "a = tolist([[local.a]])",
      "a = [for x in [1] : local.a]", "a = merge({ k = local.a }, local.a)", "a = { k = local.a }" } do
      for _, call in ipairs { "flatten(local.a)", "values(local.a)", "concat(local.a)[0]", "local.a", "merge(local.a)" } do
        local ask = open("main.tf", "locals {\n  b = " .. call .. "\n  " .. text .. "\n}\n", schemas)
        assert.truthy(ask("hover", #"locals {\n  ").text:find("local.b", 1, true))
      end
    end
  end)
end)
