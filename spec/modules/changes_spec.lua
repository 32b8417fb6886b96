-- What a plan does with the objects of a state. All expected actions are those of `terraform plan` for the same folder and state.
local hcl = require "hclexpr"
local json = require "hclexpr.lsp.json"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local here = support.here()

local inner = 'resource "terraform_data" "in" {\n  input = "i"\n}\n'
  .. 'output "plain" {\n  value = 1\n}\noutput "made" {\n  value = terraform_data.in.id\n}\n'

-- An instance of terraform_data as a state file has it.
local function instance(input, key, status, trigger)
  local any = { value = input, type = type(input) }
  return { schema_version = 0, index_key = key, status = status, sensitive_attributes = {}, attributes = {
    id = "id-" .. tostring(input), input = any, output = any, triggers_replace = trigger and { value = trigger, type = "string" },
  } }
end

local function row(name, instances, module)
  return { mode = "managed", type = "terraform_data", name = name, module = module, instances = instances,
           provider = 'provider["terraform.io/builtin/terraform"]' }
end

local state = {
  version = 4, terraform_version = "1.11.0", serial = 1, lineage = "6f3b9a14-5b3c-4d8a-9c55-2f6f9d9b1a10",
  outputs = { old = { value = "o", type = "string" }, same = { value = 1, type = "number" }, other = { value = "x", type = "string" } },
  resources = {
    row("a", { instance "a" }), row("bad", { instance("b", nil, "tainted") }), row("t", { instance("t", nil, nil, "1") }),
    row("c", { instance("c", 0), instance("c", 1) }),
    row("k", { instance("k", "x"), instance("k", "y") }), row("one", { instance("o", 0) }), row("in", { instance "i" }, "module.m"),
    row("in", { instance "i" }, "module.n[0]"), row("in", { instance "i" }, 'module.n["z"].module.u'),
  },
}

local function resource(name, input, more)
  return ('resource "terraform_data" "%s" {\n  input = "%s"\n%s}\n'):format(name, input, more or "")
end

local all = resource("a", "a") .. resource("bad", "b") .. resource("t", "t", '  triggers_replace = "1"\n')
  .. resource("c", "c", "  count = 2\n") .. resource("k", "k", '  for_each = toset(["x", "y"])\n') .. resource("one", "o")
  .. 'module "m" {\n  source = "./m"\n}\nmodule "n" {\n  source = "./m"\n  count  = 1\n}\n'

local rows = {
  { "what stays", all, [[
delete module.n["z"].module.u.terraform_data.in
replace terraform_data.bad]] },
  { "what is declared no more", resource("a", "a2") .. resource("new", "n"), [[
create terraform_data.new
delete module.m.terraform_data.in
delete module.n["z"].module.u.terraform_data.in
delete module.n[0].terraform_data.in
delete terraform_data.bad
delete terraform_data.c[0]
delete terraform_data.c[1]
delete terraform_data.k["x"]
delete terraform_data.k["y"]
delete terraform_data.one[0]
delete terraform_data.t
update terraform_data.a]] },
  { "other keys", (all:gsub("count = 2", "count = 3"):gsub('"x", "y"', '"y", "w"'):gsub("count  = 1", "count  = 2")), [[
create module.n[1].terraform_data.in
create terraform_data.c[2]
create terraform_data.k["w"]
delete module.n["z"].module.u.terraform_data.in
delete terraform_data.k["x"]
replace terraform_data.bad]] },
  { "other triggers", (all:gsub('triggers_replace = "1"', 'triggers_replace = "2"')), [[
delete module.n["z"].module.u.terraform_data.in
replace terraform_data.bad
replace terraform_data.t]] },
  { "moves", (all:gsub('"a" {', '"b" {'):gsub('module "m"', 'module "p"')) .. [[
moved {
  from = terraform_data.a
  to   = terraform_data.b
}
moved {
  from = module.m
  to   = module.p
}
moved {
  from = module.n["z"].module.u
  to   = module.q
}
module "q" {
  source = "./m"
}
]], [[
no-op module.p.terraform_data.in from module.m.terraform_data.in
no-op module.q.terraform_data.in from module.n["z"].module.u.terraform_data.in
no-op terraform_data.b from terraform_data.a
replace terraform_data.bad]] },
  { "removals", resource("a", "a") .. [[
removed {
  from = terraform_data.c
  lifecycle {
    destroy = false
  }
}
removed {
  from = terraform_data.k
}
removed {
  from = module.n
  lifecycle {
    destroy = false
  }
}
]], [[
delete module.m.terraform_data.in
delete terraform_data.bad
delete terraform_data.k["x"]
delete terraform_data.k["y"]
delete terraform_data.one[0]
delete terraform_data.t
forget module.n["z"].module.u.terraform_data.in
forget module.n[0].terraform_data.in
forget terraform_data.c[0]
forget terraform_data.c[1] ]] },
  { "imports", all .. resource("known", "x") .. 'import {\n  to = terraform_data.known\n  id = "the-id"\n}\n', [[
delete module.n["z"].module.u.terraform_data.in
replace terraform_data.bad
update terraform_data.known]] },
}

-- Unchanged objects that don't move aren't listed.
local function listed(plan)
  local list = {}
  for _, rows_ in ipairs { plan.resources, plan.gone } do
    for _, r in ipairs(rows_) do
      local was = r.previous_address
      -- Reference: an implied move from an instance [0] counts, too.
      if was == "terraform_data.one[0]" then was = nil end
      if r.action ~= "no-op" or was then list[#list + 1] = r.action .. " " .. r.address .. (was and " from " .. was or "") end
    end
  end
  table.sort(list)
  return table.concat(list, "\n")
end

describe("changes of a plan", function()
  local function opened(source, given)
    return hcl.assert(hcl.module(support.folder { ["main.tf"] = source, ["m/main.tf"] = inner }, { state = given }))
  end

  local function planned(source, given)
    return opened(source, given):plan()
  end

  for _, case in ipairs(rows) do
    it("are " .. case[1], function()
      assert.equal((case[3]:gsub(" $", "")), listed(hcl.assert(planned(case[2], state))))
    end)
  end

  it("are all made without a state", function()
    local plan = hcl.assert(planned(resource("a", "a") .. 'output "o" {\n  value = 1\n}\noutput "null" {\n  value = null\n}\n'))
    assert.equal("create terraform_data.a", listed(plan))
    assert.equal("create", plan.output_changes.o.action)
    assert.equal("no-op", plan.output_changes.null.action)
  end)

  it("have outputs", function()
    local plan = hcl.assert(planned([[
output "same" {
  value = 1
}
output "new" {
  value = 2
}
output "other" {
  value = "y"
}
]], state))
    local actions = {}
    for name, change in pairs(plan.output_changes) do actions[name] = change.action end
    assert.same({ same = "no-op", new = "create", other = "update", old = "delete" }, actions)
    assert.equal("x", plan.output_changes.other.before:text())
    assert.is_nil(plan.output_changes.old.after)
  end)

  it("hide values that a state or a schema marks sensitive", function()
    local secret = instance "hush"
    secret.sensitive_attributes = { { { type = "get_attr", value = "input" } } }
    local plan = hcl.assert(planned(resource("a", "b"), { version = 4, resources = { row("a", { secret }), row("gone", { secret }) } }))
    assert.equal("(sensitive value)", tostring(plan.resources[1].before:get "input"))
    assert.equal("(sensitive value)", tostring(plan.gone[1].before:get "input"))
    local schemas = { provider_schemas = { ["registry.example.com/acme/acme"] = { resource_schemas = { acme_thing = { block = {
      attributes = { secret = { type = "string", computed = true, sensitive = true } } } } } } } }
    local dir = support.folder "locals {}\n"
    plan = hcl.assert(hcl.assert(hcl.module(dir, { schemas = schemas, state = { version = 4, resources = { {
      mode = "managed", type = "acme_thing", name = "x", provider = 'provider["registry.example.com/acme/acme"]',
      instances = { { attributes = { secret = "hush" } } },
    } } } })):plan())
    assert.equal("(sensitive value)", tostring(plan.gone[1].before:get "secret"))
  end)

  it("keep numbers that Lua can't represent", function()
    local big, fraction = "12345678901234567890", "0.1234567890123456789"
    local source = ('resource "terraform_data" "a" {\n  input = [%s, %s]\n  triggers_replace = %s\n}\n'):format(big, fraction, big)
    local value = ('{"value":[%s,%s],"type":["tuple",["number","number"]]}'):format(big, fraction)
    local text = ([[{"version":4,"outputs":{"o":{"value":%s,"type":"number"}},"resources":[
      {"mode":"managed","type":"terraform_data","name":"a","instances":[
        {"attributes":{"id":"i","input":%s,"output":%s,"triggers_replace":{"value":%s,"type":"number"}}}]}]}]])
      :format(fraction, value, value, big)
    local dir = support.folder {
      ["main.tf"] = source .. 'output "o" {\n  value = ' .. fraction .. "\n}\n", ["terraform.tfstate"] = text,
    }
    local plan = hcl.assert(hcl.assert(hcl.module(dir, { state = "terraform.tfstate" })):plan())
    assert.equal("no-op", plan.resources[1].action)
    assert.equal("no-op", plan.output_changes.o.action)
  end)

  it("don't include failed or unknowable objects", function()
    local broken = 'variable "n" {\n  default = 3\n}\nresource "terraform_data" "bad" {\n  input = tolist([])[var.n]\n}\n'
    local _, err, plan = planned(resource("a", "a") .. broken, {
      version = 4, resources = { row("a", { instance "a" }), row("bad", { instance "b" }), row("gone", { instance "g" }) } })
    assert.truthy(err)
    assert.equal("delete terraform_data.gone", listed(plan))
    -- It may have moved to the address that failed.
    local moved = 'moved {\n  from = terraform_data.b\n  to   = terraform_data.bad\n}\n'
    _, err, plan = planned(broken .. moved, { version = 4, resources = { row("b", { instance "b" }) } })
    assert.truthy(err)
    assert.equal("", listed(plan))
  end)

  it("are read if data wasn't read", function()
    local dir = support.folder { ["main.tf"] = 'data "acme_thing" "x" {}\n' }
    local function action(answer)
      local m = hcl.assert(hcl.module(dir, { resource = function() return answer end }))
      return hcl.assert(m:plan()).resources[1].action
    end
    assert.equal("read", action(nil))
    assert.equal("no-op", action { id = "i" })
  end)

  -- As `terraform plan` reports it for the same folder and state.
  it("are rejected if prevent_destroy is true; forgotten objects give a warning", function()
    local function guarded(name, more, by) return resource(name, name, more .. "  lifecycle {\n    " .. by .. "\n  }\n") end
    local prevented, kept = "prevent_destroy = true", "destroy = false"
    local dir = support.folder {
      ["main.tf"] = guarded("a", "", prevented) .. guarded("bad", "", prevented) .. guarded("t", '  triggers_replace = "2"\n', prevented)
        .. guarded("c", "  count = 1\n", prevented) .. guarded("k", '  for_each = toset(["x"])\n', kept)
        .. 'removed {\n  from = terraform_data.one\n  lifecycle {\n    destroy = false\n  }\n}\n'
        .. 'module "m" {\n  source = "./m"\n  count = 0\n}\n',
      ["m/main.tf"] = guarded("in", "", prevented),
    }
    local m = hcl.assert(hcl.module(dir, { state = state }))
    local plan, err, partial = m:plan()
    local found = {}
    for i, d in ipairs(err) do
      found[i] = d.severity .. " " .. (d.range and d.range.filename:sub(#dir + 2) .. ":" .. d.range.start.line or d.detail)
    end
    table.sort(found)
    assert.is_nil(plan)
    assert.are.same({ "error m/main.tf:1", "error main.tf:13", "error main.tf:20", "error main.tf:7",
      "warning " .. 'terraform_data.k["y"], like 1 more, stays, and the state forgets it.' }, found)
    assert.truthy(listed(partial):find("replace terraform_data.bad", 1, true))
    assert.equal("true", tostring(support.readable(m:plan_json()):get "errored"))
  end)

  -- As in `terraform plan`.
  it("destroys an object left by a replacement, at its new address, or forgets it", function()
    local function left(input, deposed, key)
      local one = instance(input, key)
      one.deposed = deposed
      return one
    end
    local plan = hcl.assert(planned(resource("c", "b") .. resource("three", "2", "  count = 1\n") .. [[
moved {
  from = terraform_data.b
  to   = terraform_data.c
}
moved {
  from = terraform_data.two
  to   = terraform_data.three
}
removed {
  from = terraform_data.gone
  lifecycle {
    destroy = false
  }
}
]], { version = 4, resources = {
      row("b", { instance "b", left("f", "01234567"), left("g", "01234568") }), row("two", { left("d", "0123456a", 0) }),
      row("gone", { instance "g", left("h", "0123456b") }), row("none", { left("n", "0123456c") }),
    } }))
    local found = {}
    for i, r in ipairs(plan.gone) do
      found[i] = ("%s %s %s %s"):format(r.action, r.address, r.deposed or "-", r.previous_address or "-")
    end
    table.sort(found)
    assert.are.same({
      "delete terraform_data.c 01234567 terraform_data.b", "delete terraform_data.c 01234568 terraform_data.b",
      "delete terraform_data.none 0123456c -", "delete terraform_data.three[0] 0123456a terraform_data.two[0]",
      "forget terraform_data.gone - -", "forget terraform_data.gone 0123456b -",
    }, found)
    local text = require("hclexpr.cli.plan_text").of(plan, true)
    assert.truthy(text:find("# terraform_data.c (deposed object 01234567) will be destroyed", 1, true), text)
    assert.truthy(text:find("Plan: 1 to add, 0 to change, 4 to destroy, 2 to forget.", 1, true), text)
  end)

  -- As in `terraform show -json`: address, deposed, previous address.
  it("moves an object left by a replacement with its successor, and never to an occupied address", function()
    local moved = "moved {\n  from = terraform_data.b\n  to   = terraform_data.c\n}\n"
    local function left(deposed, key)
      local one = instance("x", key)
      one.deposed = deposed
      return one
    end
    for i, case in ipairs {
      { "", moved, { row("b", { left "d" }) }, "c - b, c d b" },
      { "", "", { row("c", { left("d", 0) }) }, "c - c[0], c d c[0]" },
      { "  count = 1\n", "", { row("c", { left "d" }) }, "c[0] - c, c[0] d c" },
      { "  count = 2\n", moved, { row("b", { left("d", 0), instance("x", 1) }) }, "c[0] - b[0], c[0] d b[0], c[1] - b[1]" },
      { "  count = 1\n", moved, { row("b", { left "d", left "e" }) }, "c d b, c e b, c[0] - -" },
      { "", moved, { row("b", { left "d" }), row("c", { instance "x" }) }, "b d -, c - -" },
      { "", moved, { row("b", { left "d" }), row("c", { left "e" }) }, "b d -, c - -, c e -" },
    } do
      local folder = resource("c", "x", case[1]) .. case[2]
      local plan, found = hcl.assert(planned(folder, { version = 4, resources = case[3] })), {}
      for _, list in ipairs { plan.resources, plan.gone } do
        for _, r in ipairs(list) do
          found[#found + 1] = ("%s %s %s"):format(r.address, r.deposed or "-", r.previous_address or "-"):gsub("terraform_data%.", "")
        end
      end
      table.sort(found)
      assert.equal(i .. " " .. case[4], i .. " " .. table.concat(found, ", "))
      local m = opened(folder, { version = 4, resources = case[3] })
      local printed = {}
      for _, r in ipairs(hcl.assert(m:plan_json()):lua().resource_changes) do
        printed[#printed + 1] = ("%s %s %s"):format(r.address, r.deposed or "-", r.previous_address or "-"):gsub("terraform_data%.", "")
      end
      table.sort(printed)
      assert.equal(i .. " " .. case[4], i .. " " .. table.concat(printed, ", "))
    end
  end)
end)

-- ignored.jsonl: a resource in its state, its configuration now, and Terraform 1.17-dev's plan for it.
describe("ignore_changes", function()
  local source = 'resource "terraform_data" "%s" {\n  input = %s\n  lifecycle {\n    ignore_changes = %s\n  }\n}\n'
  local in_state = '{"mode":"managed","type":"terraform_data","name":"%s","provider":"provider[\\"terraform.io/builtin/terraform\\"]",'
    .. '"instances":[{"attributes":{"id":"i","input":%s,"output":%s}}]}'

  it("keeps the old value at its path, and nothing else", function()
    local cases, sources, resources = {}, {}, {}
    for line in io.lines(here .. "ignored.jsonl") do
      local case, name = assert(json.decode(line)), "t" .. #cases + 1
      local ignored = case.ignored == "all" and "all" or "[" .. case.ignored .. "]"
      cases[#cases + 1], sources[#sources + 1] = case, source:format(name, case.now, ignored)
      resources[#resources + 1] = in_state:format(name, case.was, case.was)
    end
    local dir = support.folder { ["main.tf"] = table.concat(sources),
      ["s.tfstate"] = '{"version":4,"resources":[' .. table.concat(resources, ",") .. "]}" }
    local plan = hcl.assert(hcl.assert(hcl.module(dir, { state = "s.tfstate" })):plan())
    support.remove(dir)
    local by_address = {}
    for _, r in ipairs(plan.resources) do by_address[r.address] = r end
    for i, case in ipairs(cases) do
      local r = by_address["terraform_data.t" .. i]
      local wanted = hcl.eval("jsonencode(jsondecode(x))", { x = case.input })
      local got = hcl.eval("jsonencode(x)", { x = r.value:get "input" })
      assert.same({ case.action, wanted }, { r.action, got }, case.now .. ": " .. case.ignored)
    end
  end)

  it("keeps nothing else without a schema", function()
    local function thing(name, ignored)
      return ('resource "acme_thing" "%s" {\n  name = "new"\n  size = 2\n  lifecycle {\n    ignore_changes = %s\n  }\n}\n')
        :format(name, ignored)
    end
    local resources = {}
    for i, name in ipairs { "some", "every" } do
      resources[i] = { mode = "managed", type = "acme_thing", name = name, provider = 'provider["registry.example.com/acme/acme"]',
                       instances = { { attributes = { id = "i", name = "old", size = 1 } } } }
    end
    local dir = support.folder(thing("some", "[name]") .. thing("every", "all"))
    local plan = hcl.assert(hcl.assert(hcl.module(dir, { state = { version = 4, resources = resources } })):plan())
    support.remove(dir)
    local found = {}
    for i, r in ipairs(plan.resources) do found[i] = r.address .. " " .. r.action .. " " .. hcl.eval("jsonencode(x)", { x = r.value }) end
    table.sort(found)
    assert.same({ 'acme_thing.every no-op {"id":"i","name":"old","size":1}',
                  'acme_thing.some update {"id":"i","name":"old","size":2}' }, found)
  end)
end)

-- The text, the API and the JSON of a plan for each change: its actions, address and previous address. All as in `terraform plan` and
-- `terraform show -json`.
describe("a change is the same in text, API and JSON:", function()
  local signs = { ["+"] = "create", ["-"] = "delete", ["~"] = "update", ["-/+"] = "delete create", ["+/-"] = "create delete" }
  local lists = { replace = "delete create" }

  local function line(actions, address, from)
    return actions .. " " .. address .. (from and from ~= "" and " from " .. from or "")
  end

  local function of_api(plan)
    local list = {}
    for _, r in ipairs(plan.changes) do
      local actions = r.create_before_destroy and "create delete" or lists[r.action] or r.action
      if r.action ~= "no-op" then list[#list + 1] = line(actions, r.address, r.previous_address) end
    end
    return table.concat(list, "\n")
  end

  local function of_json(plan)
    local list = {}
    for _, c in ipairs(plan:lua { sensitive = "reveal", unknown = "value" }.resource_changes) do
      local actions = table.concat(c.change.actions, " ")
      if actions ~= "no-op" then list[#list + 1] = line(actions, c.address, c.previous_address) end
    end
    return table.concat(list, "\n")
  end

  local function of_text(plan)
    local list, address, from = {}, nil, nil
    for text in require("hclexpr.cli.plan_text").of(plan, true):gmatch "[^\n]+" do
      local sign = text:match '^%s*([-+/~]+) resource "'
      local data = text:match "^%s*<= (data%.%S+)"
      if sign then
        list[#list + 1], from = line(signs[sign], address, from), nil
      elseif data then
        list[#list + 1] = line("read", data)
      end
      from = text:match "^  # %(moved from (.*)%)" or from
      address = text:match "^  # ([^(%s]%S*) " or address
    end
    return table.concat(list, "\n")
  end

  for _, case in ipairs {
    -- A change of sensitivity is an update: resources that it triggers are replaced, and data waits for it.
    { "secrecy", [[
data "terraform_remote_state" "d" {
  backend    = "local"
  config     = { path = "${path.module}/other.tfstate" }
  depends_on = [terraform_data.a]
}
resource "terraform_data" "a" {
  input = sensitive("a")
}
resource "terraform_data" "b" {
  input = "k"
  lifecycle {
    replace_triggered_by = [terraform_data.a]
  }
}
resource "terraform_data" "c" {
  input = "k"
  lifecycle {
    replace_triggered_by = [terraform_data.a.input]
  }
}
resource "terraform_data" "d" {
  input = "k"
  lifecycle {
    replace_triggered_by = [terraform_data.a.id]
  }
}
]], { row("a", { instance "a" }), row("b", { instance "k" }), row("c", { instance "k" }), row("d", { instance "k" }) }, [[
read data.terraform_remote_state.d
update terraform_data.a
delete create terraform_data.b
delete create terraform_data.c]] },
    -- Data waits for what the named output needs, not for the rest of the module.
    { "data after outputs of a module", [[
data "terraform_remote_state" "now" {
  backend    = "local"
  config     = { path = "${path.module}/other.tfstate" }
  depends_on = [module.m.plain]
}
data "terraform_remote_state" "later" {
  backend    = "local"
  config     = { path = "${path.module}/other.tfstate" }
  depends_on = [module.m.made]
}
data "terraform_remote_state" "whole" {
  backend    = "local"
  config     = { path = "${path.module}/other.tfstate" }
  depends_on = [module.m]
}
module "m" {
  source = "./m"
}
]], {}, [[
read data.terraform_remote_state.later
read data.terraform_remote_state.whole
create module.m.terraform_data.in]] },
    { "the order of a replacement, which what it needs takes over", [[
resource "terraform_data" "t" {
  triggers_replace = "2"
}
resource "terraform_data" "u" {
  triggers_replace = [terraform_data.t.id]
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "v" {
  triggers_replace = "2"
}
]], { row("t", { instance("t", nil, nil, "1") }), row("u", { instance("t", nil, nil, "1") }),
      row("v", { instance("v", nil, nil, "1") }) }, [[
create delete terraform_data.t
create delete terraform_data.u
delete create terraform_data.v]] },
    { "a move to what nothing declares", 'moved {\n  from = terraform_data.a\n  to   = module.gone.terraform_data.a\n}\n'
      .. resource("b", "b"), { row("a", { instance "a" }), row("b", { instance "b" }) },
      "delete module.gone.terraform_data.a from terraform_data.a" },
    { "deletions after an error, with moves", [[
variable "v" {
  default = 1
}
resource "terraform_data" "bad" {
  lifecycle {
    precondition {
      condition     = var.v == 2
      error_message = "no"
    }
  }
}
moved {
  from = terraform_data.o
  to   = terraform_data.p
}
resource "terraform_data" "p" {}
]], { row("gone", { instance "g" }), row("bad", { instance "b" }) }, [[
delete terraform_data.gone
create terraform_data.p]] },
    { "the order of keys", 'module "m" {\n  source = "./m"\n  count  = 11\n}\n', {
      row("in", { instance "i" }, "module.m[11]") }, [[
create module.m[0].terraform_data.in
create module.m[1].terraform_data.in
create module.m[2].terraform_data.in
create module.m[3].terraform_data.in
create module.m[4].terraform_data.in
create module.m[5].terraform_data.in
create module.m[6].terraform_data.in
create module.m[7].terraform_data.in
create module.m[8].terraform_data.in
create module.m[9].terraform_data.in
create module.m[10].terraform_data.in
delete module.m[11].terraform_data.in]] },
  } do
    it(case[1], function()
      local dir = support.folder { ["main.tf"] = case[2], ["m/main.tf"] = inner, ["other.tfstate"] = '{"version": 4}' }
      local m = hcl.assert(hcl.module(dir, { state = { version = 4, resources = case[3] } }))
      local plan, _, partial = m:plan()
      assert.equal(case[4], of_api(plan or partial))
      assert.equal(case[4], of_json((support.readable(m:plan_json()))))
      assert.equal(case[4], of_text(plan or partial))
    end)
  end

  it("is shown as a change of sensitivity only", function()
    local dir = support.folder { ["main.tf"] = 'resource "terraform_data" "a" {\n  input = ["x", { p = sensitive("y") }]\n}\n' }
    local before = { "x", { p = "y" } }
    local of_state = { value = before, type = { "tuple", { "string", { "object", { p = "string" } } } } }
    local one = { schema_version = 0, attributes = { id = "i", input = of_state, output = of_state } }
    local plan = hcl.assert(hcl.assert(hcl.module(dir, { state = { version = 4, resources = { row("a", { one }) } } })):plan())
    local text = require("hclexpr.cli.plan_text").of(plan, true)
    assert.truthy(text:find("~ p = (sensitive value) # becomes sensitive, otherwise unchanged", 1, true), text)
    assert.truthy(text:find("Plan: 0 to add, 1 to change, 0 to destroy.", 1, true), text)
  end)
end)

-- The options of m:plan and m:plan_json. Expected values are Terraform's for the same folder, state and options.
describe("a plan with options", function()
  local source = [[
variable "v" {
  default = "w"
}
resource "terraform_data" "n" {
  count = 2
  input = "${var.v}${count.index}"
  lifecycle {
    precondition {
      condition     = var.v != "wrong"
      error_message = "v is wrong"
    }
  }
}
resource "terraform_data" "k" {
  for_each = toset(["b", "c"])
  input    = "${each.key}!"
}
output "all" {
  value = terraform_data.n[*].input
}
output "keys" {
  value = { for key, one in terraform_data.k : key => one.input }
}
]]
  local there = { version = 4, outputs = { gone = { value = "g", type = "string" } }, resources = {
    row("n", { instance("v0", 0), instance("v1", 1), instance("v2", 2) }), row("k", { instance("a", "a"), instance("b", "b") }),
  } }
  local dir
  setup(function() dir = support.folder { ["main.tf"] = source } end)

  local function opened(settings) return hcl.assert(hcl.module(dir, { state = there, settings = settings })) end

  local function shown(plan)
    local list = {}
    for i, r in ipairs(plan.changes) do
      list[i] = r.action .. " " .. r.address:gsub("terraform_data%.", "") .. (r.reason and " " .. r.reason or "")
    end
    return table.concat(list, ", ")
  end

  local function codes(err)
    local list = {}
    for i, d in ipairs(err or {}) do list[i] = d.severity .. " " .. d.code end
    return table.concat(list, ", ")
  end

  it("has only its targets, and the state's values for the rest", function()
    for _, case in ipairs {
      { { "terraform_data.n[0]" }, "update n[0]", { "w0", "v1", "v2" } },
      { { "terraform_data.n[2]" }, "delete n[2] count", { "v0", "v1" } },
      { { "terraform_data.n" }, "update n[0], update n[1], delete n[2] count", { "w0", "w1" } },
      { { "terraform_data.n[7]" }, "", { "v0", "v1", "v2" } },
    } do
      local plan = hcl.assert(opened():plan { targets = case[1] })
      assert.same({ case[2], "warning module.targets" }, { shown(plan), codes(plan.warnings) })
      assert.same(case[3], plan.outputs.all:lua())
      assert.is_nil(plan.outputs.keys)
      -- Objects that aren't evaluated aren't deleted, either.
      assert.is_nil(plan.output_changes.gone)
    end
    local plan = hcl.assert(opened():plan { targets = { 'terraform_data.k["a"]', 'resource.terraform_data.k["c"]' } })
    assert.equal('delete k["a"] each, create k["c"]', shown(plan))
    assert.same({ b = "b", c = "c!" }, plan.outputs.keys:lua())
    assert.equal("", shown(hcl.assert(opened():plan { targets = { "module.none", "data.a.b" } })))
  end)

  it("replaces the requested instances", function()
    local m = opened()
    local plan = hcl.assert(m:plan { replace = { "terraform_data.n[1]", 'terraform_data.k["c"]' } })
    assert.equal('delete k["a"] each, update k["b"], create k["c"], update n[0], replace n[1] requested, delete n[2] count', shown(plan))
    assert.is_nil(plan.warnings)
    plan = hcl.assert(m:plan { replace = { "terraform_data.n" } })
    assert.same({ "", "warning module.replace" }, { shown(plan):match "replace" or "", codes(plan.warnings) })
    assert.truthy(plan.warnings[1].detail:find("terraform_data.n[0], terraform_data.n[1]", 1, true))
    -- No plan changes another.
    plan = hcl.assert(m:plan())
    assert.equal('delete k["a"] each, update k["b"], create k["c"], update n[0], update n[1], delete n[2] count', shown(plan))
  end)

  it("destroys everything, whatever conditions say", function()
    local m = opened { "v=wrong" }
    assert.is_nil((m:plan()))
    local plan = hcl.assert(m:plan { destroy = true })
    assert.equal('delete k["a"], delete k["b"], delete n[0], delete n[1], delete n[2]', shown(plan))
    assert.same({ {}, "delete" }, { plan.outputs, plan.output_changes.gone.action })
    assert.same({ "delete", "wrong0" }, { plan.output_changes.all.action, plan.output_changes.all.before:get(0):text() })
    -- Without a preceding plan nothing is evaluated.
    plan = hcl.assert(m:plan { destroy = true, refresh = false })
    assert.same({ "gone" }, support.keys(plan.output_changes))
    plan = hcl.assert(m:plan { destroy = true, targets = { "terraform_data.n[1]" } })
    assert.same({ "delete n[1]", {} }, { shown(plan), plan.output_changes })
    assert.equal("x", hcl.assert(m:value '"x"'):text())
  end)

  it("only refreshes", function()
    local plan = hcl.assert(opened { "v=wrong" }:plan { refresh_only = true })
    assert.same({ "", "warning module.precondition" }, { shown(plan), codes(plan.warnings) })
    assert.same({ { "v0", "v1", "v2" }, { a = "a", b = "b" } }, { plan.outputs.all:lua(), plan.outputs.keys:lua() })
    local tree = hcl.assert(opened():plan_json { refresh_only = true })
    assert.same({}, { tree:get "resource_changes", tree:get "resource_drift" })
    assert.equal("true", tree:get("applyable"):text())
  end)

  it("is rejected if options contradict each other or name nothing", function()
    local m = opened()
    for _, case in ipairs {
      { { destroy = true, refresh_only = true }, "destroy and refresh_only" },
      { { refresh_only = true, refresh = false }, "refresh_only and refresh = false" },
      { { destroy = true, replace = { "a.b" } }, "destroy and replace" },
      { { refresh_only = true, replace = { "a.b" } }, "refresh_only and replace" },
      { { targets = { "terraform_data" } }, 'targets: "terraform_data" is not an address to plan' },
      { { targets = { "a.b", "var.v" } }, 'targets: "var.v" is not' }, { { targets = { "a.b + 1" } }, 'targets: "a.b + 1" is not' },
      { { targets = { "a.b[each.key]" } }, "is not an address" }, { { targets = { 3 } }, 'targets: "3" is not' },
      { { replace = { "module.m" } }, 'replace: "module.m" is not an address to replace' },
      { { replace = { "data.a.b" } }, 'replace: "data.a.b" is not' },
    } do
      for _, answer in ipairs { "plan", "plan_json" } do
        local plan, err = m[answer](m, case[1])
        assert.same({ nil, "error module.plan_option" }, { plan, codes(err) })
        assert.truthy(err[1].detail:find(case[2], 1, true), err[1].detail)
      end
    end
    assert.has_error(function() m:plan { target = {} } end)
    assert.has_error(function() m:plan { targets = "a.b" } end)
    assert.equal("", shown(hcl.assert(m:plan { destroy = false, refresh_only = true, replace = {} })))
  end)
end)
