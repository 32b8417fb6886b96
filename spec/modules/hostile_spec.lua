-- Hostile folders and hosts: a diagnostic ends each of these soon, and the module stays usable.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local progress = require "hclexpr.terraform.evaluate.progress"
local has_testing, testing = pcall(require, "hclexpr.testing")

local folder = support.folder

-- The errors of a folder, at any stage: codes, and the first detail.
local function wrong(dir, options)
  local m, err = hcl.module(dir, options)
  if m then
    local plan
    plan, err = m:plan()
    if plan then return "", "" end
  end
  local codes = {}
  for i, d in ipairs(err) do codes[i] = d.code end
  return table.concat(codes, " "), err[1].detail, err[1]
end

local function lines(n, text)
  local list = {}
  for i = 1, n do list[i] = text:gsub("#%-", i - 1):gsub("#", i) end
  return table.concat(list, "\n")
end

describe("a hostile folder", function()
  it("may be a long chain, or a long cycle", function()
    local n = 2000
    local chain = "locals {\n l0 = 1\n" .. lines(n, " l# = local.l#- + 1") .. "\n}\n"
    local m = hcl.assert(hcl.module(folder(chain .. "output \"o\" { value = local.l" .. n .. " }")))
    assert.equal(tostring(n + 1), hcl.assert(m:plan()).outputs.o:text())
    local codes, detail = wrong(folder((chain:gsub("l0 = 1", "l0 = local.l" .. n))))
    assert.equal("module.cycle", codes)
    assert.truthy(#detail < 2000)
    assert.truthy(detail:find("→ … (1980 more) → local.l", 1, true), detail)
  end)

  it("may contain itself", function()
    assert.equal("module.loop", (wrong(folder 'module "a" { source = "./" }')))
    local back = folder { ["a.tf"] = 'module "a" { source = "./b" }', ["b/b.tf"] = 'module "x" { source = "../" }' }
    assert.equal("module.loop", (wrong(back)))
    local dir = folder 'module "a" { source = "./l" }'
    assert(support.runs(("ln -s . '%s/l'"):format(dir)))
    assert.equal("module.missing", (wrong(dir)))
  end)

  it("may ask for more instances than memory allows", function()
    for _, count in ipairs { "1e9", "1e15", "100001" } do
      local codes, detail = wrong(folder('resource "x" "y" { count = ' .. count .. " }"))
      assert.equal("limit.steps", codes)
      assert.truthy(detail:find(("This makes %.0f instances"):format(tonumber(count)), 1, true), detail)
      local call = 'module "y" {\n source = "./b"\n count = ' .. count .. "\n}"
      assert.equal("limit.steps", (wrong(folder { ["a.tf"] = call, ["b/b.tf"] = "" })))
    end
    -- Each by itself would be allowed.
    local nested = 'module "y" {\n source = "./b"\n count = 300\n}'
    local codes = wrong(folder { ["a.tf"] = nested, ["b/a.tf"] = nested, ["b/b/a.tf"] = nested, ["b/b/b/a.tf"] = "" },
                        { scope = hcl.scope { limits = { steps = 1e6 } } })
    assert.truthy(codes:find("^limit%.steps"))
    local keys = 'resource "x" "y" { for_each = toset(flatten([for i in range(1000): [for j in range(1000): "${i}-${j}"]])) }'
    assert.equal("limit.memory", (wrong(folder(keys))))
    assert.equal("limit.steps", (wrong(folder(keys), { scope = hcl.scope { limits = { steps = 1e5 } } })))
  end)

  it("has limits for the whole plan, and reports where they were reached", function()
    local source = "locals {\n" .. lines(60, " l# = [for x in range(1000) : \"${x}-#\"]") .. "\n}\n"
    for name, most in pairs { steps = 60000, memory = 400000 } do
      local dir = folder(source)
      local m = hcl.assert(hcl.module(dir, { scope = hcl.scope { limits = { [name] = most } } }))
      local plan, err = m:plan()
      assert.is_nil(plan)
      assert.equal("limit." .. name, err[1].code)
      assert.equal(1, #err)
      assert.equal(dir .. "/main.tf", err[1].range.filename)
      assert.truthy(err[1].range.start.line > 5)
      -- Another question has these limits for itself.
      for _ = 1, 5 do
        assert.equal("999-60", m:eval "local.l60[999]")
        assert.equal("999-1", m:eval "local.l1[999]")
      end
    end
    assert.equal("", (wrong(folder(source))))
  end)

  it("may have blocks without a schema, up to the limit", function()
    local literal = "resource \"acme_thing\" \"x\" {\n" .. lines(300, "b {\n a = #\n}") .. "\n}\n"
    local generated = [[
      resource "acme_thing" "x" {
        count = 30
        dynamic "b" {
          for_each = range(10)
          content { a = b.key }
        }
      }]]
    for _, source in ipairs { literal, generated } do
      assert.equal("", (wrong(folder(source))))
      assert.equal("limit.memory", (wrong(folder(source), { scope = hcl.scope { limits = { memory = 1e5 } } })))
    end
  end)

  it("may have a state whose resources have no names", function()
    local dir = folder ""
    for _, name in ipairs { "", "a.b", "\255", "-", "a[0]" } do
      for _, row in ipairs { { type = "x_y", name = name }, { type = name, name = "a" } } do
        row.mode, row.instances, row.values = "managed", { { attributes = {} } }, {}
        for _, state in ipairs { { version = 4, resources = { row } },
                                 { format_version = "1.0", values = { root_module = { resources = { row } } } } } do
          local plan = hcl.assert(hcl.assert(hcl.module(dir, { state = state })):plan_json())
          assert.is_nil((plan:get "resource_changes"), name)
        end
      end
    end
  end)

  it("may declare no more than limits.memory has room for, and keep no more in its state", function()
    local limits = { scope = hcl.scope { limits = { memory = 1e6 } } }
    local files = {
      ["main.tf"] = "locals {\n" .. lines(1000, "  a# = #") .. "\n}\n",
      ["main.tf.json"] = '{ "resource": { "null_resource": {' .. lines(1000, '"r#": {},') .. '"r": {} } } }',
      ["output.tf"] = lines(1000, 'output "o#" {\n  value = #\n}'),
    }
    for name, text in pairs(files) do
      local codes, detail = wrong(folder { [name] = text }, limits)
      assert.equal("limit.memory", codes, name)
      assert.truthy(detail:find("more than 977 blocks", 1, true), detail)
    end
    -- The limit covers all folders together.
    local half = "locals {\n" .. lines(600, "  a# = #") .. "\n}\n"
    assert.equal("", wrong(folder { ["main.tf"] = half }, limits))
    local codes = wrong(folder { ["main.tf"] = half .. 'module "m" {\n  source = "./m"\n}\n', ["m/main.tf"] = half }, limits)
    assert.equal("limit.memory", codes)
    local row = { mode = "managed", type = "null_resource", name = "a", provider = "null", instances = {} }
    for i = 1, 1000 do row.instances[i] = { index_key = i, attributes = {} } end
    local detail
    codes, detail = wrong(folder { ["main.tf"] = "" }, { scope = limits.scope, state = { version = 4, resources = { row } } })
    assert.equal("module.file", codes)
    assert.truthy(detail:find("limits.memory", 1, true), detail)
  end)

  it("may have circular overrides", function()
    assert.equal("module.self", (wrong(folder {
      ["a.tf"] = "locals { a = 1 }", ["a_override.tf"] = "locals { a = local.b }", ["b_override.tf"] = "locals { a = local.a }",
    })))
  end)

  it("may name itself as often as it likes", function()
    local core = require "hclexpr.core"
    local traversals, read = core.traversals, 0
    core.traversals = function(...)
      read = read + 1
      return traversals(...)
    end
    local codes = wrong(folder("locals {\n  a = [" .. ("local.a, "):rep(300) .. "]\n}\n"))
    core.traversals = traversals
    assert.equal("module.self module.self", codes:sub(1, 23))
    assert.is_true(read < 20, read)
  end)

  it("may have files of any kind", function()
    local big = folder "locals { a = 1 }"
    assert(support.runs(("cd '%s' && mkdir a.tf && mkfifo terraform.tfvars f && ln -s nowhere c.tf"):format(big)))
    local codes = wrong(big)
    assert.truthy(codes:find("^module%.file"))
    assert(support.runs(("cd '%s' && rm terraform.tfvars c.tf"):format(big)))
    assert.equal("", (wrong(big)))
    for _, options in ipairs {
      { state = big .. "/f" }, { schemas = big .. "/f" }, { settings = { { file = big .. "/f" } } }, { state = big },
    } do
      assert.equal("module.file", (wrong(big, options)))
    end
    assert(support.runs(("mkfifo '%s/g.tf'"):format(big)))
    assert.equal("module.file", (wrong(big)))
    assert.truthy(wrong(folder(("\0\255{"):rep(1000))) ~= "")
    assert.truthy(wrong(folder("locals { a = " .. ("["):rep(50000))):find("^limit%.depth"))
    assert.truthy(wrong(folder(("a {\n"):rep(50000))):find("^limit%.depth"))
    -- Too long by itself, or together.
    local function comment(n) return "#" .. (" "):rep(n) end
    for _, files in ipairs { { ["a.tf"] = comment(5000) }, { ["a.tf"] = comment(3000), ["b.tf"] = comment(3000) } } do
      local _, detail = wrong(folder(files), { scope = hcl.scope { limits = { source = 4000 } } })
      assert.truthy(detail:find("limits.source", 1, true))
    end
  end)

  it("reads only granted files", function()
    local dir = folder {
      ["secret.txt"] = "SECRET", ["secret.tf"] = "locals { secret = 1 }", ["shared/s.txt"] = "shared", ["shared/m.tf"] = [[
        output "own" { value = file("${path.module}/s.txt") }]],
      ["root/r.txt"] = "root", ["root/main.tf"] = [[
        module "m" { source = "../shared" }
        output "root" { value = file("r.txt") }
        output "module" { value = file("${path.module}/../shared/s.txt") }
        output "made" { value = templatefile("./r.txt", {}) }
        output "own" { value = module.m.own }]],
    }
    local function texts(options)
      local found = {}
      for name, value in pairs(hcl.assert(hcl.assert(hcl.module(dir .. "/root", options)):plan()).outputs) do found[name] = value:text() end
      return found
    end
    local all = { root = "root", module = "shared", made = "root", own = "shared" }
    assert.same(all, texts())
    assert.same(all, texts { scope = hcl.scope {} })
    assert.same(all, texts { scope = hcl.scope { filesystem = dir } })
    assert.same(all, texts { scope = hcl.scope { filesystem = { dir .. "/shared", dir .. "/root" } } })
    assert.equal("module.missing", (wrong(dir .. "/root", { scope = hcl.scope { filesystem = dir .. "/root" } })))
    assert.equal("module.folder", (wrong(dir .. "/root", { scope = hcl.scope { filesystem = dir .. "/shared" } })))
    local m = hcl.assert(hcl.module(dir .. "/root", { scope = hcl.scope { filesystem = dir } }))
    for _, path in ipairs { "../secret.txt", dir .. "/secret.txt", "/etc/passwd", "../shared/../secret.txt", "../shared" } do
      for _, f in ipairs { 'file("%s")', 'templatefile("%s", {})', 'filebase64("%s")', 'fileexists("%s")' } do
        local value, err = m:value(f:format(path))
        assert.is_nil(value, path)
        assert.truthy(err[1].code:find("^call%."))
      end
    end
    assert.is_nil(hcl.assert(hcl.module(dir .. "/root", { scope = hcl.scope { filesystem = false } })):value 'file("r.txt")')
    -- Links.
    assert(support.runs(("cd '%s/root' && ln -s ../secret.txt l.txt && ln -s ../secret.tf l.tf && ln -s .. up"):format(dir)))
    local codes, detail = wrong(dir .. "/root", { scope = hcl.scope { filesystem = { dir .. "/root", dir .. "/shared" } } })
    assert.equal("module.file", codes)
    assert.truthy(detail:find("outside the granted folders", 1, true))
    m = hcl.assert(hcl.module(dir .. "/root"))
    assert.is_nil(m:value 'file("l.txt")')
    assert.is_nil(m:value 'file("up/secret.txt")')
  end)

  it("may use names of Lua", function()
    local words = { "__index", "__newindex", "__gc", "__metatable", "__mode", "__call", "__len", "__pairs", "__close", "__tostring" }
    local source, inner = {}, {}
    for i, w in ipairs(words) do
      source[i] = ([[
        variable "W" { default = "x" }
        locals { W = var.W }
        output "W" { value = [local.W, r_W.W[0].W, module.W.W] }
        resource "r_W" "W" {
          count = 1
          W = each_W.W.W
        }
        resource "each_W" "W" { W = "y" }
        module "W" {
          source = "./m"
          W = var.W
        }]]):gsub("W", w)
      inner[i] = ('variable "W" { default = "x" }\noutput "W" { value = var.W }'):gsub("W", w)
    end
    local dir = folder { ["main.tf"] = table.concat(source, "\n"), ["m/m.tf"] = table.concat(inner, "\n") }
    local plan = hcl.assert(hcl.assert(hcl.module(dir)):plan())
    for _, w in ipairs(words) do assert.same({ "x", "y", "x" }, plan.outputs[w]:lua(), w) end
  end)

  it("may have any modules.json", function()
    for text, code in pairs {
      ['{"Modules":' .. ("["):rep(10000)] = "module.missing", ["[]"] = "module.missing",
      ['{"Modules":[1,{"Key":1,"Dir":2}]}'] = "module.missing",
      ['{"Modules":[{"Key":"a","Dir":"\\u0000"}]}'] = "module.missing", ["\0"] = "module.missing",
      ['{"Modules":[{"Key":"a","Dir":"../../../../../../../../etc"}]}'] = "module.missing",
      ['{"Modules":[{"Key":"a","Dir":"."}]}'] = "module.loop",
    } do
      local dir = folder { ["a.tf"] = 'module "a" { source = "a/b/c" }', [".terraform/modules/modules.json"] = text }
      assert.equal(code, (wrong(dir, { scope = hcl.scope { filesystem = dir } })), text:sub(1, 60))
    end
  end)
end)

-- States and schemas with another value in each place.

local state = {
  version = 4, outputs = { o = { value = { 1, "a" }, type = { "tuple", { "number", "string" } }, sensitive = true } },
  resources = {
    { mode = "managed", type = "x_r", name = "r", instances = { {
      index_key = 0, attributes = { a = 1, b = { { c = 2 } }, z = "s" }, status = "tainted",
      sensitive_attributes = { { { type = "get_attr", value = "a" }, { type = "index", value = { value = 0, type = "number" } } } },
    } } },
    { mode = "data", type = "x_d", name = "d", instances = { { attributes = { a = 1 } } } },
  },
}
local shown = {
  format_version = "1.0", values = { outputs = { o = { value = 1, type = "number" } }, root_module = {
    resources = { { mode = "managed", type = "x_r", name = "r", index = 0, values = { a = 1 }, sensitive_values = { a = true } } },
    child_modules = { { address = "module.a", resources = {} } },
  } },
}
local schemas = { format_version = "1.0", provider_schemas = { ["h/x"] = {
  provider = { block = { attributes = { a = { type = "number", optional = true } } } },
  resource_schemas = { x_r = { block = {
    attributes = {
      a = { type = "number", required = true }, z = { type = "string", computed = true, sensitive = true },
      n = {
        optional = true,
        nested_type = { nesting_mode = "list", attributes = { q = { type = { "list", "string" }, optional = true } } },
      },
    },
    block_types = { b = { nesting_mode = "list", max_items = 3, block = {
      attributes = { c = { type = "number", optional = true } }, block_types = { d = { nesting_mode = "map", block = {} } },
    } } },
  } } },
  data_source_schemas = { x_d = { block = { attributes = { a = { type = { "object", { q = "string" } }, optional = true } } } } },
  functions = { f = { parameters = { { name = "a", type = "number" } }, variadic_parameter = { name = "r", type = "any" },
                      return_type = { "list", "string" } } },
} } }

local function copy(x)
  if type(x) ~= "table" then return x end
  local to = {}
  for k, v in pairs(x) do to[k] = copy(v) end
  return to
end

-- Calls f(key, put) for each place in a table.
local function each_place(x, f)
  for _, k in ipairs(support.keys(x)) do
    local kept = x[k]
    f(k, function(v) x[k] = v end)
    x[k] = kept
    if type(kept) == "table" then each_place(kept, f) end
  end
end

local circle = {}
for _, name in ipairs { 1, "a", "b", "block", "attributes", "child_modules", "resources", "block_types", "nested_type", "type" } do
  circle[name] = circle
end
local deep = {}
do
  local at = deep
  for _ = 1, 20000 do
    local inner = {}
    at[1], at.a, at.block, at.child_modules, at.nested_type, at.block_types, at.type = inner, inner, inner, inner, inner, inner, inner
    at = inner
  end
end
local values = {
  1.5, 0 / 0, "x", "\0", true, {}, { 1 }, { "list" }, { "object", 1 }, { x = {} }, { "map", { "set", { "map" } } }, print, hcl.null,
                 circle, deep }

describe("a document of another program", function()
  local dir

  setup(function()
    dir = folder [[
      terraform {
        required_providers {
          x = { source = "h/x" }
        }
      }
      resource "x_r" "r" {
        count = 2
        a = 1
        b { c = 2 }
      }
      data "x_d" "d" { a = x_r.r[0].a }
      moved {
        from = x_r.q
        to = x_r.r
      }
      output "o" { value = [x_r.r, data.x_d.d, x_r.r[0].z, provider::x::f(1)] }
    ]]
  end)

  local function opens(options)
    local m, err, readable = hcl.module(dir, options)
    m = m or readable
    assert.is_string(tostring(err))
    if m then
      m:plan()
      m:outputs()
      m:value "x_r.r"
    end
  end

  for name, case in pairs { state = { state, "state" }, ["state shown"] = { shown, "state" }, schemas = { schemas, "schemas" } } do
    it("may be anything: " .. name, function()
      local document, option = copy(case[1]), case[2]
      local options = { state = state, schemas = schemas, [option] = document }
      local turn = 0
      each_place(document, function(_, put)
        -- Not all combinations: each value is put into every nth place.
        turn = turn + 1
        for i, value in ipairs(values) do
          if (i + turn) % support.sample(13, 5, 26) == 0 then
            put(value)
            opens(options)
          end
        end
        put(nil)
        opens(options)
      end)
    end)
  end

  it("may be invalid JSON", function()
    for _, text in ipairs { "", "[", "{", '"x"', "null", "\0", ("["):rep(50000), '{"version":4,"resources":[' .. ("{"):rep(3000) } do
      support.write(dir .. "/s.json", text)
      opens { state = dir .. "/s.json" }
      opens { schemas = dir .. "/s.json" }
    end
  end)
end)

describe("a callback", function()
  local source = 'resource "x" "y" { a = 1 }\noutput "o" { value = x.y.b }\nlocals { l = 2 }\n'

  it("may raise any error, and the module stays usable", function()
    local raised = {}
    local m = hcl.assert(hcl.module(folder(source), { resource = function() error(raised) end }))
    for _ = 1, 3 do
      local ok, why = pcall(m.plan, m)
      assert.is_false(ok)
      assert.equal(raised, why)
      assert.equal(2, m:eval "local.l")
    end
    -- Only once, and after modules were entered.
    local turn = 0
    m = hcl.assert(hcl.module(folder { ["main.tf"] = source .. lines(3, 'module "m#" { source = "./m" }'), ["m/m.tf"] = "" }, {
      resource = function()
        turn = turn + 1
        if turn == 1 then error "once" end
        return { b = "late" }
      end,
    }))
    assert.is_false(pcall(m.plan, m))
    assert.equal("late", hcl.assert(m:plan()).outputs.o:text())
    assert.equal(1, #hcl.assert(m:plan()).resources)
  end)

  it("may yield, even forever", function()
    local m = hcl.assert(hcl.module(folder(source), { resource = function(r) return { b = coroutine.yield(r.address) } end }))
    local plan = coroutine.create(function() return hcl.assert(m:plan()).outputs.o:text() end)
    assert.equal("x.y", select(2, coroutine.resume(plan)))
    -- Meanwhile no other question is allowed.
    local ok, why = pcall(m.eval, m, "local.l")
    assert.is_false(ok)
    assert.truthy(tostring(why):find("waits for its option 'resource'", 1, true))
    assert.same({ true, "given" }, { coroutine.resume(plan, "given") })
    assert.equal(2, m:eval "local.l")
    -- A question that is abandoned.
    m = hcl.assert(hcl.module(folder(source), { resource = function(r) return { b = coroutine.yield(r.address) } end }))
    coroutine.resume(coroutine.create(function() return m:plan() end))
    support.collect()
    assert.equal(2, m:eval "local.l")
  end)

  it("can't ask the module that waits for it", function()
    local argument = { value = "local.l", change = "main.tf" }
    for _, name in ipairs { "plan", "validate", "value", "outputs", "change", "graph", "addresses", "reload" } do
      local m, why
      m = hcl.assert(hcl.module(folder(source), { resource = function()
        local _
        _, why = pcall(m[name], m, argument[name])
        return { b = "x" }
      end }))
      assert.equal("x", hcl.assert(m:plan()).outputs.o:text())
      assert.truthy(tostring(why):find("waits for its option 'resource'", 1, true), name)
    end
  end)

  it("may return anything", function()
    for _, answer in ipairs { 1, "x", true, print, { b = print }, { [1] = 2 }, { b = circle }, circle, hcl.null, hcl.value(1) } do
      local m = hcl.assert(hcl.module(folder(source), { resource = function() return answer end }))
      local ok, why = pcall(m.plan, m)
      if not ok then assert.falsy(tostring(why):find("attempt to", 1, true), tostring(why)) end
    end
    for _, answer in ipairs { 1, true, {}, print } do
      local dir = folder 'module "m" { source = "a/b/c" }'
      local m, err = hcl.module(dir, { read = function() return answer end })
      assert.is_nil(m)
      assert.truthy(#tostring(err) > 0)
      local fine, why = pcall(hcl.module, dir, { source = function() return answer end })
      assert.is_false(fine)
      assert.truthy(tostring(why):find("option 'source' must give a string or nil", 1, true), tostring(why))
    end
  end)

  it("learns how far a plan has come, and may end it", function()
    -- The clock advances a second with each reading, so each reading makes a report.
    local clock, now = os.clock, 0
    rawset(os, "clock", function()
      now = now + 1
      return now
    end)
    finally(function() rawset(os, "clock", clock) end)
    local reports = {}
    local calls = folder(lines(400, 'locals { a# = [for x in range(20) : x] }'))
    local m = hcl.assert(hcl.module(calls, { progress = function(done, total) reports[#reports + 1] = { done, total } end }))
    hcl.assert(m:plan())
    assert.is_true(#reports > 10)
    assert.equal(reports[#reports][1], reports[#reports][2])
    for i = 2, #reports do assert.is_true(reports[i][1] >= reports[i - 1][1] and reports[i][1] <= reports[i][2]) end
    m = hcl.assert(hcl.module(calls, { progress = function() error "enough" end }))
    assert.has_error(function() m:plan() end, "enough")
    -- The first look at the clock comes after 16 nodes.
    local first
    local meter = progress.begin({ options = { progress = function(done, total) first = first or { done, total } end } }, 100)
    for _ = 1, 16 do progress.tick(meter, 1) end
    assert.same({ 16, 100 }, first)
    -- A resource counts together with its instances.
    local most = 0
    m = hcl.assert(hcl.module(folder { ["main.tf"] = 'resource "terraform_data" "t" {\n  count = 3000\n  input = count.index\n}\n' },
      { progress = function(_, total) most = math.max(most, total) end }))
    hcl.assert(m:plan())
    assert.is_true(most > 3000)
  end)
end)

describe("a plan that is interrupted", function()
  it("leaves the module usable", function()
    local m = hcl.assert(hcl.module(folder {
      ["main.tf"] = lines(40, 'module "m#" {\n source = "./m"\n count = 3\n n = #\n}\n') .. '\noutput "o" { value = module.m7[*].o }\n',
      ["m/m.tf"] = 'variable "n" {}\nresource "r" "s" {\n count = 2\n a = var.n\n}\noutput "o" { value = r.s[1].a + 1 }',
    }))
    -- After more and more Lua instructions.
    local count = 1000
    repeat
      if jit then jit.off() end
      debug.sethook(function() error("interrupted!", 0) end, "", count)
      local ok = pcall(m.plan, m)
      debug.sethook()
      if jit then jit.on() end
      assert.same({ 8, 8, 8 }, m:eval "module.m7[*].o")
      count = count * 3
    until ok
    assert.equal(240, #hcl.assert(m:plan()).resources)
  end)

  it("does not wait for a finished callback", function()
    local m = hcl.assert(hcl.module(folder('resource "r" "s" { count = 20 }'), { resource = function() return { a = 1 } end }))
    local jit = rawget(_G, "jit")
    hcl.assert(m:plan())
    local count = 100
    repeat
      assert(m:reload())
      if jit then jit.off() end
      local fine = pcall(function()
        debug.sethook(function()
          debug.sethook()
          error("interrupted!", 0)
        end, "", count)
        m:plan()
        debug.sethook()
      end)
      if jit then jit.on() end
      assert(pcall(m.graph, m))
      count = count + support.sample(61, 7)
    until fine and count > 2000 or count > 12000
  end)

  -- Calls f, and raises an error after so many Lua instructions; returns whether that was before its end.
  local function ended_early(count, f)
    local raised = false
    if jit then
      jit.off()
      jit.flush()
    end
    local ok, message = pcall(function()
      debug.sethook(function()
        debug.sethook()
        raised = true
        error("interrupted!", 0)
      end, "", count)
      f()
      debug.sethook()
    end)
    debug.sethook()
    if jit then jit.on() end
    assert(ok or message == "interrupted!", message)
    return raised
  end

  -- STEP=1 tries every instruction, which takes minutes.
  local STEP = tonumber(os.getenv "STEP" or support.sample(599, 149))

  it("answers like a new one, at whatever moment it is interrupted", function()
    local files = {
      ["main.tf"] = [[
        variable "n" {
          default = 2
          validation {
            condition     = var.n > 0
            error_message = "none"
          }
        }
        locals { a = var.n + 1 }
        resource "thing" "x" {
          count = var.n
          a     = local.a
        }
        data "thing" "d" { b = thing.x[1].a }
        module "m" {
          source   = "./m"
          for_each = { u = 1, v = local.a }
          v        = each.value
        }
        output "o" { value = [length(thing.x), data.thing.d.b, module.m["v"].o] }
      ]],
      ["m/m.tf"] = 'variable "v" {}\nlocals { w = var.v * 2 }\noutput "o" { value = local.w }\n',
    }
    local dir = folder(files)
    local path, changed = dir .. "/main.tf", files["main.tf"]:gsub("n %+ 1", "n + 2")
    local function answers(m)
      local list = {}
      for i, source in ipairs { "length(thing.x)", "data.thing.d.b", 'module.m["v"].o', "local.a" } do
        list[i] = tostring(m:eval(source))
      end
      local plan, err = m:plan()
      list[#list + 1] = plan and tostring(plan.outputs.o) .. #plan.resources or tostring(err)
      return table.concat(list, " ")
    end
    local before = answers(hcl.assert(hcl.module(dir)))
    local after = answers(hcl.assert(hcl.module(dir, { read = function(of) return of == path and changed or support.read(of) end })))
    assert.are_not.equal(before, after)
    local function change(m)
      m:change(path, changed)
      m:eval "length(thing.x)"
    end
    for _, act in ipairs {
      function(m) m:plan() end, function(m) m:eval "data.thing.d.b" end, function(m) m:eval 'module.m["v"].o' end, change,
      function(m) m:reload() end,
    } do
      local count = 1
      repeat
        local m = hcl.assert(hcl.module(dir))
        if act == change then m:eval "data.thing.d.b" end
        local raised = ended_early(count, function() act(m) end)
        local got = answers(m)
        if not (act == change and got == after) then assert.equal(before, got, count .. " instructions") end
        count = count + STEP
      until not raised
    end
  end)

  -- Calls f with every file of modules unloaded, and restores what was loaded.
  local function with_files_unloaded(f)
    local kept = {}
    for name, x in pairs(package.loaded) do
      if name:find "^hclexpr%.terraform" then kept[name] = x end
    end
    for name in pairs(kept) do package.loaded[name] = nil end
    local ok, err = pcall(f)
    for name in pairs(package.loaded) do
      if name:find "^hclexpr%.terraform" then package.loaded[name] = nil end
    end
    for name, x in pairs(kept) do package.loaded[name] = x end
    assert(ok, err)
  end

  local function opened_and_planned(dir)
    local m = hcl.assert(hcl.module(dir))
    m:graph { format = "dot" }
    return hcl.assert(m:plan()).outputs.o:unmark():lua()
  end

  it("may be interrupted while files of the library are loaded for it", function()
    local dir, jit = folder 'variable "v" { default = 1 }\noutput "o" {\n sensitive = true\n value = var.v\n}', rawget(_G, "jit")
    for count = 100, 30000, support.sample(2100, 700) do
      with_files_unloaded(function()
        if jit then jit.off() end
        local ok, message = pcall(function()
          debug.sethook(function()
            debug.sethook()
            error("interrupted!", 0)
          end, "", count)
          opened_and_planned(dir)
          debug.sethook()
        end)
        if jit then jit.on() end
        assert(ok or message == "interrupted!", message)
        assert.equal(1, opened_and_planned(dir))
      end)
    end
  end)

  it("may lack memory while files of the library are loaded for it", function()
    if not has_testing then return pending "needs a test build" end
    local dir = folder {
      ["a.tf"] = 'variable "v" {\n type = number\n default = 1\n nullable = false\n}\nmodule "m" {\n source = "./b"\n count = var.v\n}\n'
        .. 'output "o" {\n sensitive = true\n value = module.m[0].o\n}',
      ["b/b.tf"] = 'output "o" { value = 1 }',
    }
    for n = 1, 150, support.sample(7, 1) do
      with_files_unloaded(function()
        testing.fail_after(n)
        local ok, message = pcall(opened_and_planned, dir)
        testing.fail_after(0)
        assert(ok or tostring(message):find("memory", 1, true), message)
        assert.equal(1, opened_and_planned(dir))
      end)
    end
  end)

  it("may make more instances than it has text: each is charged", function()
    -- A sanitizer, or valgrind, needs memory itself.
    if os.getenv "LD_PRELOAD" then return support.note "a checker is loaded: memory of instances is not tested" end
    local dir = folder('resource "terraform_data" "x" {\n count = 10000\n input = count.index\n}\n'
      .. 'output "n" { value = length(terraform_data.x) }')
    local script = 'local hcl = require "hclexpr" io.write(hcl.assert(hcl.assert(hcl.module(arg[0])):plan()).outputs.n:text())'
    support.write(dir .. "/plan.lua", (script:gsub("arg%[0%]", ("%q"):format(dir))))
    local program = support.program
    assert.equal("10000", support.output(("ulimit -v 100000; %s '%s/plan.lua' 2>&1"):format(program, dir)))
  end)
end)
