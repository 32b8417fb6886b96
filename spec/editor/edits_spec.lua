-- Edits by the language service: renames, actions, formatting; and files by themselves.
local small = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "small.lua")
local open, path, ask, labels, changed, at = small.open, small.path, small.ask, small.labels, small.changed, small.at

describe("rename", function()
  after_each(small.close)

  it("changes a variable in its calls and variable files", function()
    open {
      ["main.tf"] = 'module "m" {\n  source = "./m"\n  size   = 1\n}\n',
      ["m/main.tf"] = 'variable "size" {\n  validation {\n    condition     = var.size > 0\n    error_message = "no"\n  }\n}\n'
        .. 'output "o" {\n  value = "${var.size}-${var["size"]}"\n}\n',
      ["m/terraform.tfvars"] = "size = 3\n",
    }
    small.workspace:open(path "m/terraform.tfvars", "size = 3\n")
    local edits = assert(ask("rename", "m/main.tf", at("m/main.tf", '"size"') + 2, "width"))
    assert.equal('module "m" {\n  source = "./m"\n  width   = 1\n}\n', changed("main.tf", edits[path "main.tf"]))
    local text = changed("m/main.tf", edits[path "m/main.tf"])
    assert.equal(0, select(2, text:gsub("size", "")))
    assert.equal(4, select(2, text:gsub("width", "")))
    assert.equal("width = 3\n", changed("m/terraform.tfvars", edits[path "m/terraform.tfvars"]))
  end)

  it("lists the files that it leaves out because they don't parse", function()
    open {
      ["main.tf"] = 'variable "size" {}\nlocals {\n  a = var.size\n}\n', ["broken.tf"] = "locals {\n  b = var.size\n}\n}}} var.size\n",
      ["other.tf"] = "locals {\n  d = [1,\n}\n", ["fine.tf"] = "locals {\n  # size\n  sized = 1\n}\n",
    }
    local edits, left = ask("rename", "main.tf", at("main.tf", '"size"') + 2, "width")
    assert.truthy(edits[path "main.tf"])
    assert.equal("The name may be left in broken.tf, where the syntax is wrong.", left)
    open { ["main.tf"] = 'variable "size" {}\nlocals {\n  a = var.size\n}\n' }
    assert.is_nil(select(2, ask("rename", "main.tf", at("main.tf", '"size"') + 2, "width")))
  end)

  it("changes outputs in the folders that call, and names of loops within them", function()
    open {
      ["main.tf"] = 'module "m" {\n  source   = "./m"\n  for_each = toset(["a"])\n}\nlocals {\n  a = [for id in module.m : id.id]\n}\n',
      ["m/main.tf"] = 'output "id" {\n  value = 1\n}\n',
    }
    local edits = assert(ask("rename", "m/main.tf", at("m/main.tf", '"id"') + 1, "name"))
    assert.truthy(changed("main.tf", edits[path "main.tf"]):find("[for id in module.m : id.name]", 1, true))
    edits = assert(ask("rename", "main.tf", at("main.tf", "id in"), "x"))
    assert.truthy(changed("main.tf", edits[path "main.tf"]):find("[for x in module.m : x.id]", 1, true))
  end)

  it("doesn't confuse the plain key of an object with the name of a loop", function()
    open { ["main.tf"] = 'locals {\n  a = { key = 1, "other" = 2 }\n  b = [local.a.key, local.a.other, [for n in [1] : { n = (n) }]]\n}\n' }
    for _, name in ipairs { "key", "other" } do
      local declared, used = at("main.tf", name), at("main.tf", "local.a." .. name)
      local found = ask("definition", "main.tf", declared + 1)
      assert.same({ declared, declared + #name }, { found[1].name_start, found[1].name_stop })
      assert.same({ { path = path "main.tf", start = used, stop = used + #("local.a." .. name) } }, ask("references", "main.tf", declared))
    end
    assert.is_nil((ask("rename", "main.tf", at("main.tf", "n = ("), "x")))
    local edits = assert(ask("rename", "main.tf", at("main.tf", "n)"), "x"))
    assert.truthy(changed("main.tf", edits[path "main.tf"]):find("[for x in [1] : { n = (x) }]", 1, true))
  end)

  it("doesn't change a key of its instances, an index or self", function()
    local source = [=[
resource "x_one" "a" {
  for_each = { a = 1 }
  provisioner "p" {
    command = self.id
  }
}
resource "x_one" "b" {
  count = 2
}
output "o" {
  value = [x_one.a["a"].a, x_one.a.a.id, x_one["a"], x_one . a, x_one.b[0].b, x_one.b[*].b, [for b in x_one.b : b.b]]
}
]=]
    open { ["main.tf"] = source }
    for name, wanted in pairs {
      a = source:gsub('"x_one" "a"', '"x_one" "z"'):gsub("x_one%.a", "x_one.z")
        :gsub('x_one%["a"%]', 'x_one["z"]'):gsub("x_one %. a", "x_one . z"),
      b = source:gsub('"x_one" "b"', '"x_one" "z"'):gsub("x_one%.b", "x_one.z"),
    } do
      local place = at("main.tf", '"' .. name .. '" {') + 1
      assert.equal(wanted, changed("main.tf", ask("rename", "main.tf", place, "z")[path "main.tf"]))
      assert.equal(name == "a" and 5 or 3, #ask("references", "main.tf", place))
    end
  end)

  it("changes an output once in a folder that calls itself", function()
    open { ["main.tf"] = 'module "m" {\n  source = "./"\n}\noutput "o" {\n  value = module.m.o\n}\n' }
    assert.equal('module "m" {\n  source = "./"\n}\noutput "z" {\n  value = module.m.z\n}\n',
      changed("main.tf", ask("rename", "main.tf", at("main.tf", '"o"') + 1, "z")[path "main.tf"]))
  end)

  it("rejects names that the file doesn't declare, invalid names, and names in use", function()
    open { ["main.tf"] = 'variable "a" {}\nvariable "b" {}\nresource "x" "y" {\n  n = upper(var.a)\n}\n' }
    for _, row in ipairs { { '"a"', "b" }, { '"a"', "1x" }, { "upper", "z" }, { '"x"', "z" }, { "n =", "z" }, { "resource", "z" } } do
      local edits, why = ask("rename", "main.tf", at("main.tf", row[1]) + 1, row[2])
      assert.is_nil(edits, row[1])
      assert.is_string(why)
    end
  end)
end)

describe("actions", function()
  after_each(small.close)

  local function action(file, start, stop, title)
    for _, one in ipairs(ask("actions", file, start, stop or start)) do
      if one.title:find(title, 1, true) then return one end
    end
  end

  it("correct a name", function()
    open { ["main.tf"] = 'variable "region" {}\nlocals {\n  a = uper(var.regin)\n}\noutput "o" {\n  valeu = 1\n}\nreource "a" "b" {}\n'
      .. 'locals {\n  b = [for index, entry in vra.region : "${indx}${entyr}"]\n  c = [aws_instnace.x, lcoal.b, aws_subent.x]\n}\n'
      .. 'resource "aws_instance" "x" {}\nresource "aws_subnet" "x" {}\n' }
    for wrong, right in pairs { regin = "region", uper = "upper", valeu = "value", reource = "resource", indx = "${index}",
      entyr = "${entry}", vra = "in var.", lcoal = "local.b", aws_instnace = "aws_instance.x", aws_subent = "aws_subnet.x" } do
      local one = action("main.tf", at("main.tf", wrong) + 2, nil, "Change " .. wrong)
      assert.is_truthy(one, wrong)
      assert.truthy(changed("main.tf", one.edits[path "main.tf"]):find(right, 1, true))
    end
  end)

  it("declare a variable with the required type", function()
    open { ["main.tf"] = 'module "m" {\n  source = "./m"\n  n      = var.count_of\n}\n', ["variables.tf"] = "",
      ["m/main.tf"] = 'variable "n" {\n  type = list(number)\n}\n' }
    local one = action("main.tf", at("main.tf", "count_of"), nil, "Declare variable count_of in variables.tf")
    assert.equal('variable "count_of" {\n  type = list(number)\n}\n', changed("variables.tf", one.edits[path "variables.tf"]))
  end)

  it("extract an expression to a local, and inline it again", function()
    local source = 'variable "a" {}\nlocals {\n  b = 1\n}\noutput "o" {\n  value = upper(var.a)\n}\n'
    open { ["main.tf"] = source }
    local one = action("main.tf", at("main.tf", "upper"), at("main.tf", "upper") + #"upper(var.a)", "Extract to local.value")
    local text = changed("main.tf", one.edits[path "main.tf"])
    assert.equal('variable "a" {}\nlocals {\n  b = 1\n  value = upper(var.a)\n}\noutput "o" {\n  value = local.value\n}\n', text)
    small.workspace:change(path "main.tf", text)
    one = action("main.tf", at("main.tf", "local.value") + 7, nil, "Write out local.value")
    assert.equal(source, changed("main.tf", one.edits[path "main.tf"]))
  end)

  it("extract no expression that uses names of its place", function()
    open { ["main.tf"] = 'locals {\n  a = [for x in [1] : x + 1]\n}\nresource "x" "y" {\n  count = 2\n  n     = "a${count.index}"\n}\n' }
    assert.is_nil(action("main.tf", at("main.tf", "x + 1"), at("main.tf", "x + 1") + 5, "Extract"))
    assert.is_nil(action("main.tf", at("main.tf", '"a$'), at("main.tf", '"a$') + #'"a${count.index}"', "Extract"))
  end)

  it("remove unused declarations", function()
    open { ["main.tf"] = 'variable "a" {}\n\nvariable "b" {}\n\noutput "o" {\n  value = var.a\n}\n' }
    local one = action("main.tf", at("main.tf", '"b"'), nil, "Remove var.b")
    assert.equal('variable "a" {}\n\noutput "o" {\n  value = var.a\n}\n', changed("main.tf", one.edits[path "main.tf"]))
    assert.is_nil(action("main.tf", at("main.tf", '"a"'), nil, "Remove"))
  end)
end)

describe("completion of a module's source", function()
  after_each(small.close)

  it("offers the folders with modules below the typed path, and nothing else", function()
    for source, wanted in pairs {
      ['"|"'] = '"./near"', ['"./|"'] = '"./near"', ['"./near/|"'] = '"./near/deep"', ['"./ne|ar"'] = '"./near"',
      ['"../|"'] = '"../beside"',
      ['"../beside/|x"'] = "", ['"./.hidden/|"'] = '"./.hidden/in"', ["|"] = '"./near"', ['"x/y/|z"'] = '"./near"', ['"./none/|"'] = "",
      ['"../own/|"'] = '"../own/near"', ['"./near/../../|"'] = '"./near/../../beside"',
    } do
      local module = 'variable "v" {}\n'
      local cursors = open { ["own/main.tf"] = 'module "m" {\n  source = ' .. source .. "\n}\n", ["own/near/main.tf"] = module,
        ["own/near/deep/main.tf"] = module, ["own/empty/notes.txt"] = "", ["own/.hidden/in/main.tf"] = module, ["beside/main.tf"] = module,
        ["own/file.tf"] = "" }
      local found, whole = {}, source:gsub("|", "")
      for i, item in ipairs(ask("complete", "own/main.tf", cursors["own/main.tf"])) do
        found[i] = item.label
        assert.equal("folder", item.kind)
        local text = small.workspace:text(path "own/main.tf")
        assert.equal(whole, text:sub(item.start + 1, item.stop))
      end
      table.sort(found)
      assert.equal(wanted, table.concat(found, " "), source)
      small.close()
    end
  end)

  it("is offered only in calls", function()
    for _, text in ipairs { 'resource "x" "y" {\n  source = "./|"\n}\n', 'module "m" {\n  other = "./|"\n}\n',
      'module "m" {\n  b {\n    source = "./|"\n  }\n}\n' } do
      local cursors = open { ["main.tf"] = text, ["near/main.tf"] = "" }
      assert.same({}, ask("complete", "main.tf", cursors["main.tf"]), text)
      small.close()
    end
  end)
end)

describe("a file by itself", function()
  after_each(small.close)

  it("has functions, symbols, folds and formatting, and no names of modules", function()
    local cursors = open { ["app.hcl"] = 'name = "x"\nservice "web" {\n  port = 80\n  url = up|\n}\n' }
    local items = labels(ask("complete", "app.hcl", cursors["app.hcl"]))
    assert.is_truthy(items.upper)
    assert.is_truthy(items.port)
    assert.is_nil(items["path.module"])
    assert.equal('service "web"', ask("symbols", "app.hcl")[2].name)
    assert.same({ { start_line = 1, stop_line = 3 } }, ask("folding", "app.hcl"))
    assert.truthy(changed("app.hcl", ask("format", "app.hcl")):find("url  = up", 1, true))
    assert.same({}, ask("diagnostics", "app.hcl"))
  end)

  it("has symbols of a hundred levels, which every decoder of JSON reads", function()
    open { ["main.tf"] = ("a {\n"):rep(500) .. ("}\n"):rep(500) }
    local depth, symbols = 0, ask("symbols", "main.tf")
    while symbols[1] do depth, symbols = depth + 1, symbols[1].children or {} end
    assert.equal(100, depth)
  end)

  it("formats Terraform's files as the command does, and only the layout of a part", function()
    local source = 'a b {\n  c = "${\n    d\n  }"\n\n  e="${f}"\n}\n'
    open { ["main.tf"] = source, ["x.tftest.hcl"] = source, ["x.hcl"] = source }
    local made = 'a "b" {\n  c = d\n\n  e = f\n}\n'
    assert.equal(made, changed("main.tf", ask("format", "main.tf")))
    assert.equal(made, changed("x.tftest.hcl", ask("format", "x.tftest.hcl")))
    assert.equal(source:gsub("e=", "e = "), changed("x.hcl", ask("format", "x.hcl")))
    assert.equal(source:gsub("e=", "e = "), changed("main.tf", ask("format", "main.tf", 0, #source)))
    for _, change in ipairs(ask("format", "main.tf")) do assert.is_true(change.stop - change.start < 30) end
  end)

  it("reports wrong calls as the command does", function()
    open {
      ["app.hcl"] = 'name = upper("shop")\nlistener "web" {\n  port = lengthh([1, 2])\n  url = lower("a", "b")\n}\n',
      ["own.hcl"] = 'function "tag" {\n  params = [name]\n  result = name\n}\na = tag("x")\n',
      ["docker-bake.hcl"] = 'a = their_own("x")\n',
      ["types.hcl"] = "a = [list(string), set(bool), map(number), tuple([any]), object({ a = optional(string) })]\n",
        ["half.hcl"] = 'a = uper("x")\nb = \n',
    }
    local function codes(name)
      local found = {}
      for _, problem in ipairs(ask("diagnostics", name, true)) do found[#found + 1] = problem.code .. " " .. problem.start end
      return found
    end
    assert.same({ "call.unknown 47", "call.count 71" }, codes "app.hcl")
    assert.same({}, codes "own.hcl")
    assert.equal("tag(name)", labels(ask("complete", "own.hcl", at("own.hcl", 'tag("x') + 1)).tag.detail)
    assert.same({}, codes "docker-bake.hcl")
    assert.same({}, codes "types.hcl")
    assert.equal("call.unknown 4", codes("half.hcl")[1])
    local text = small.workspace:text(path "app.hcl")
    local from = text:find "lengthh" - 1
    assert.equal("Change lengthh to length", ask("actions", "app.hcl", from, from)[1].title)
    assert.same({}, ask("actions", "docker-bake.hcl", 5, 5))
  end)

  it("knows the program's functions", function()
    local secret = { params = { { name = "name", type = "string" } }, returns = "string", description = "A secret of this machine." }
    local text = 'up "mail" {\n  token = secret(|"mail")\n  b = any(1, 2)\n  c = secert(1)\n}\n'
    local files = { ["app.hcl"] = text, ["own.functions"] = 'function "secret" {\n  params = [name]\n  result = ""\n}\n'
      .. 'function "any" {\n  params = []\n  variadic_param = rest\n  result = 1\n}\n' }
    for label, options in pairs {
      ["secret(name)"] = { functions = "own.functions" },
      ["secret(name string) string"] = { functions = { secret = secret, any = function() end } },
    } do
      local cursors = open(files, options)
      local found = ask("diagnostics", "app.hcl")
      assert.equal(1, #found)
      assert.truthy(found[1].message:find('Did you mean "secret"?', 1, true))
      local at_call = cursors["app.hcl"]
      assert.equal(label, ask("signature", "app.hcl", at_call).label)
      assert.equal(label, labels(ask("complete", "app.hcl", at_call - 3)).secret.detail)
      assert.truthy(ask("hover", "app.hcl", at_call - 3).text:find(label, 1, true))
      local wrong = text:find("secert", 1, true) - 2
      assert.equal("Change secert to secret", ask("actions", "app.hcl", wrong, wrong)[1].title)
      small.close()
    end
    -- In a Terraform folder they aren't.
    open({ ["main.tf"] = 'locals {\n  a = secret("x")\n}\n' }, { functions = { secret = secret } })
    small.finish()
    local codes = {}
    for _, d in ipairs(ask("diagnostics", "main.tf")) do codes[d.code] = true end
    assert.is_true(codes["call.unknown"])
    local service = require "hclexpr.service"
    for _, functions in ipairs { { 5 }, { secret = 5 } } do
      assert.is_false((pcall(service.new, { functions = functions })))
    end
  end)

  it("formats only the requested lines", function()
    open { ["main.tf"] = "locals {\na=1\n\n\nb=2\n}\n" }
    local start = at("main.tf", "b=2")
    assert.equal("locals {\na=1\n\n\n  b = 2\n}\n", changed("main.tf", ask("format", "main.tf", start, start + 1)))
  end)
end)
