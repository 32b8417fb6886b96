-- Plans with options over states, and names with keys: a random folder with a state that fits it more or less, -target, -replace, -destroy
-- and -refresh-only with addresses of all kinds, and questions about instances by keys of all kinds. What must hold: an answer or diagnostics,
-- twice the same; what each kind of plan may do; a part that is asked for by its key is that of the whole. The command and the console are
-- asked, too.   LUA addresses.lua ROUNDS SEED   (hclexpr on the path)
local cli = require "hclexpr.cli"
local core = require "hclexpr.core"
local documents = require "hclexpr.terraform.schema.documents"
local hcl = require "hclexpr"
local json = require "hclexpr.lsp.json"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local answered = dofile(support.here() .. "bodies.lua").answered

local M = {}

-- How often something came up: what a run has tried.
M.counts = {}
local function seen(what) M.counts[what] = (M.counts[what] or 0) + 1 end

local draw
local function chance(percent) return draw(100) <= percent end
local function pick(list) return list[draw(#list)] end

-- ---- folders and states -------------------------------------------------------------------------------------------------

local KEYS = { "a", "b", "", "0", "1", "a.b", "a[0]", 'say "hi"', "back\\slash", "${a}", "%{b}", "a b", "line\nend", "tab\t", "é",
  "e\204\129", "名", "]", '"]', "a/b", "-", "*", "each.key", "null", "true", ("k"):rep(300), "\1", "\226\128\174", "$${x}", "\127" }

-- A text as source has it.
local function quoted(text) return core.quote(text) end

local function some_keys()
  local keys = {}
  for i = 1, draw(3) do keys[i] = pick(KEYS) end
  return keys
end

local function listed(keys)
  local out = {}
  for i, key in ipairs(keys) do out[i] = quoted(key) end
  return table.concat(out, ", ")
end

-- How instances are made: the line, and keys for addresses.
local REPEATED = {
  function() return "", { false } end,
  function() return "count = " .. pick { "2", "0", "1", "var.n", "length(var.l)" }, { 0, 1, 7 } end,
  function()
    local keys = some_keys()
    return ("for_each = toset([%s])"):format(listed(keys)), keys
  end,
  function()
    local keys = some_keys()
    return ("for_each = { for k in [%s] : k => k... }"):format(listed(keys)), keys
  end,
  function() return "for_each = var.m", { "k", "a" } end,
}

local TYPES = {
  { "terraform_data", { "input = var.a", "input = { c = [1, var.a] }", "triggers_replace = [var.n]", "" } },
  { "shop_item", { "name = var.a", 'name = "x"\nrule {\n c = var.a\n}', "tags = var.m", "" } },
}
local LIFECYCLES = { "", "", "", "", "", "lifecycle {\n prevent_destroy = true\n}", "lifecycle {\n create_before_destroy = true\n}",
                     "lifecycle {\n ignore_changes = all\n}", "lifecycle {\n replace_triggered_by = [terraform_data.r1]\n}" }
local NAMES = { "r1", "r2", "r3" }

-- Resources of one module, and what is called so: { module, type, name, mode, keys }.
local function some_resources(out, module, rows)
  for i, name in ipairs(NAMES) do
    local type, line, keys = TYPES[i] or pick(TYPES), (i == 1 and REPEATED[1] or pick(REPEATED))()
    out[#out + 1] = ('resource "%s" "%s" {\n%s\n%s\n%s\n}'):format(type[1], name, line, pick(type[2]), pick(LIFECYCLES))
    rows[#rows + 1] = { module = module, type = type[1], name = name, mode = "managed", keys = keys }
  end
  if chance(50) then
    out[#out + 1] = 'data "shop_zones" "z" {\n' .. pick { "", "of = var.a", "of = terraform_data.r1" } .. "\n}"
    rows[#rows + 1] = { module = module, type = "shop_zones", name = "z", mode = "data", keys = { false } }
  end
end

local VARIABLES = 'variable "a" { default = "x" }\nvariable "n" { default = 1 }\nvariable "l" { default = ["p"] }\n'
  .. 'variable "m" { default = { k = "v" } }\n'

local BESIDE = {
  "removed {\n from = terraform_data.gone\n lifecycle {\n  destroy = false\n }\n}",
  "moved {\n from = terraform_data.old\n to = terraform_data.r2\n}",
  "moved {\n from = module.m[0]\n to = module.m\n}", "moved {\n from = terraform_data.r1\n to = terraform_data.r1[\"a\"]\n}",
  'import {\n to = terraform_data.r3\n id = "x"\n}', 'check "c" {\n assert {\n condition = var.n > 1\n error_message = "low"\n }\n}',
  'output "o" { value = terraform_data.r1 }', "locals { deep = { \"a.b\" = [{ \"${var.a}\" = 1 }] } }",
}

local function some_folder()
  local rows, root, child = {}, { VARIABLES }, { VARIABLES }
  some_resources(root, "", rows)
  local line, keys = pick(REPEATED)()
  if chance(70) then
    root[#root + 1] = ('module "m" {\n source = "./m"\n %s\n}'):format(line)
    for _, key in ipairs(keys) do
      some_resources({}, key == false and "module.m" or ("module.m[%s]"):format(type(key) == "number" and key or quoted(key)), rows)
    end
    some_resources(child, "module.m", {})
  end
  child[#child + 1] = 'output "o" { value = { for k in ["a.b", "x"] : k => [k] } }'
  for _, block in ipairs(BESIDE) do
    if chance(15) then root[#root + 1] = block end
  end
  return table.concat(root, "\n") .. "\n", table.concat(child, "\n") .. "\n", rows
end

local function some_instance(type, key)
  local attributes = { id = "i" .. draw(9) }
  if type == "terraform_data" then
    attributes.input = pick { json.null, { type = "string", value = "x" } }
    attributes.output, attributes.triggers_replace = attributes.input, json.null
  else
    attributes.name, attributes.tags, attributes.rule = pick { "x", "y", json.null }, { k = "v" }, { { c = "x" } }
  end
  return { schema_version = pick { 0, 0, 0, 7 }, attributes = attributes, index_key = key ~= false and key or nil,
           status = chance(10) and "tainted" or nil, deposed = chance(10) and "0badcafe" or nil,
           create_before_destroy = chance(10) or nil, sensitive_attributes = {},
             dependencies = chance(20) and { "terraform_data.r1" } or nil }
end

local function some_state(rows)
  local resources = {}
  for _, row in ipairs(rows) do
    if chance(70) then
      local instances = {}
      for i, key in ipairs(row.keys) do instances[i] = some_instance(row.type, chance(90) and key or pick(KEYS)) end
      local source = row.type == "terraform_data" and "terraform.io/builtin/terraform" or "registry.terraform.io/hashicorp/shop"
      resources[#resources + 1] = { module = row.module ~= "" and row.module or nil, mode = row.mode, type = row.type, name = row.name,
                                    provider = ('provider["%s"]'):format(source), instances = instances }
    end
  end
  for _, name in ipairs { "gone", "old" } do
    if chance(40) then
      resources[#resources + 1] = { mode = "managed", type = "terraform_data", name = name,
        instances = { some_instance("terraform_data", false) },
                                    provider = 'provider["terraform.io/builtin/terraform"]' }
    end
  end
  return { version = 4, terraform_version = "1.11.4", serial = 1, lineage = "l", outputs = {}, resources = resources }
end

-- ---- addresses, options and questions -----------------------------------------------------------------------------------

local HOSTILE = {
  "", " ", "[", "]", "[0", "module", "module.", "module.m.", "data", "data.", "a.b.c.d", "terraform_data.r1[*]", "terraform_data.r1.id",
  "terraform_data.*.id",
  "terraform_data.r1[1e999]", "terraform_data.r1[-1]", "terraform_data.r1[0.5]", "terraform_data.r1[99999999999999999999]",
  "terraform_data.r1[null]",
  "terraform_data.r1[true]", 'terraform_data.r1["${var.a}"]', 'terraform_data.r1["a"]["b"]', "terraform_data.r1[[0]]",
  "module.m[0][1].a.b",
  "module.m.module.m.module.m", 'terraform_data.r1["\\u0000"]', "terraform_data.r1[var.n]", "terraform_data.r1[\"a",
  "terraform_data . r1", "1 + 1",
  "each.key", "var.a", "local.deep", "path.module", "self", "provider::x::y()", "terraform_data.r1\n", "\0", "\255", "((((",
  ("["):rep(500),
  ("module.m."):rep(200) .. "a.b", "terraform_data.r1 #", "ephemeral.a.b", "list.a.b", "action.a.b", "resource.a.b",
    "terraform_data.r1[<<E\na\nE\n]",
}

local function step(key)
  if key == false then return "" end
  return ("[%s]"):format(type(key) == "number" and ("%d"):format(key) or quoted(key))
end

local function resource_of(row) return (row.mode == "data" and "data." or "") .. row.type .. "." .. row.name end

local function some_address(rows)
  if chance(15) then return pick(HOSTILE) end
  local row = pick(rows)
  local key = chance(70) and pick(row.keys) or chance(50) and pick(KEYS) or false
  local text = (row.module ~= "" and row.module .. "." or "") .. resource_of(row) .. step(key)
  if row.module ~= "" and chance(20) then text = row.module end
  if not chance(10) then return text end
  local at = draw(#text)
  return text:sub(1, at - 1) .. pick { "", ".", "[", "]", '"', "\\", "$", " ", "0", "\n" } .. text:sub(at + draw(2) - 1)
end

local function some_options(rows)
  local o = { targets = {}, replace = {} }
  for _ = 1, draw(3) - 1 do o.targets[#o.targets + 1] = some_address(rows) end
  local kind = draw(4)
  o.destroy, o.refresh_only = kind == 1 or chance(3), kind == 2 or chance(3)
  if kind > 2 and chance(60) or chance(3) then o.replace[1] = some_address(rows) end
  if kind ~= 2 and chance(20) or chance(3) then o.refresh = false end
  return o
end

local PARTS = { "", "", ".id", ".input", ".rule[0].c", ".tags[\"k\"]", ".o[\"a.b\"][0]", "[\"id\"]", ".name", "[*]", ".nope",
  "[each.key]", "[0]", '["\\""]' }

-- A name with keys, and the module that it is in.
local function some_question(rows)
  if chance(10) then return pick { 'local.deep["a.b"][0]["x"]', "module.m", "module.m.o", 'module.m["a"].o["a.b"][0]' } .. pick(PARTS) end
  local row = pick(rows)
  local key = chance(70) and pick(row.keys) or chance(50) and pick(KEYS) or false
  local text = chance(10) and pick(HOSTILE) or resource_of(row) .. step(key)
  return text .. pick(PARTS), chance(95) and row.module or pick(HOSTILE)
end

-- ---- what must hold -----------------------------------------------------------------------------------------------------

-- What a plan of a kind may do with managed resources, and with an instance that it is to replace.
local MAY = {
  destroy = { delete = true, ["no-op"] = true, forget = true },
  refresh_only = { ["no-op"] = true },
  replace = { create = true, ["delete create"] = true, ["create delete"] = true, delete = true, forget = true },
}

local function check_changes(options, text)
  for _, r in ipairs(documents.decode(text).resource_changes or {}) do
    local actions = table.concat(r.change.actions, " ")
    for name, may in pairs(MAY) do
      local asked = options[name] and (name ~= "replace" or options.replace[1] == r.address)
      if asked and r.mode == "managed" and not r.deposed and not may[actions] then error(("%s: %s is %s"):format(name, r.address,
        actions), 0) end
    end
    seen(actions)
  end
end

local function lines_of(plan, err, partial)
  local out = { tostring(err) }
  plan = plan or partial
  for _, r in ipairs(plan and plan.resources or {}) do out[#out + 1] = ("%s %s %s"):format(r.address, r.action, tostring(r.value)) end
  for _, name in ipairs(support.keys(plan and plan.outputs or {})) do out[#out + 1] = name .. " " .. tostring(plan.outputs[name]) end
  return table.concat(out, "\n")
end

local function check_plan(m, options)
  local plan, err, partial = m:plan(options)
  answered("plan", plan, err)
  seen(plan and "plans" or "refused plans")
  local again = lines_of(m:plan(options))
  if lines_of(plan, err, partial) ~= again then error("planned again it is another: " .. again, 0) end
  local tables, wrong, part = m:plan_json { destroy = options.destroy, refresh_only = options.refresh_only, refresh = options.refresh,
                                            targets = options.targets, replace = options.replace, reveal = true, time = 0 }
  answered("plan_json", tables, wrong)
  if (tables == nil) ~= (plan == nil) then error("there is a plan, or its JSON, not both: " .. tostring(err or wrong), 0) end
  if tables or part then
    local text, path, why = core.value_json(tables or part, 0, 0)
    if not text then error(("the plan can't be written: %s %s"):format(path, why), 0) end
    check_changes(options, text)
  end
end

-- A name with a key is what its collection has there.
local function check_question(m, source, module)
  local where = { module = module }
  local v, err = m:value(source, where)
  answered("value", v, err)
  answered("explain", m:explain(source, where))
  seen(v and "values" or "refused questions")
  if v then assert(#tostring(v) > 0) end
  local base, key = source:match '^([%w_.]+)(%["[^"\\$%%]*"%])$'
  if not v or not base then return end
  local whole, why = m:value(base, where)
  local of = whole and not why and whole:unmark()
  if not of or not of:is_known() or of:is_null() or err then return end
  local kind = of:type():kind()
  if kind ~= "object" and kind ~= "map" then return end
  local part = of:get(hcl.eval(key:sub(2, -2)))
  if not part or tostring(part) ~= tostring(v) then
    error(("%s is %s, but %s has %s there"):format(source, tostring(v), base, tostring(part)), 0)
  end
end

local STATUSES = { [0] = true, [1] = true, [2] = true, [3] = true }

local function check_command(input, args)
  local status, _, err = support.with_streams(input, cli.main, args)
  if not STATUSES[status] then error("the status is " .. tostring(status), 0) end
  if err:find("internal error", 1, true) or err:find("stack traceback", 1, true) then error(err, 0) end
  if err:find "[%z\1-\8\11-\31\127]" then error(("standard error steers a terminal: %q"):format(err), 0) end
end

local function words_of(o, dir)
  local words = { "plan", "-limit", "steps=1e6", "-state=" .. dir .. "/s.tfstate" }
  for _, text in ipairs(o.targets) do words[#words + 1] = "-target=" .. text end
  for _, text in ipairs(o.replace) do words[#words + 1] = "-replace=" .. text end
  if o.destroy then words[#words + 1] = "-destroy" end
  if o.refresh_only then words[#words + 1] = "-refresh-only" end
  if o.refresh == false then words[#words + 1] = "-refresh=false" end
  if chance(30) then words[#words + 1] = "-json" end
  words[#words + 1] = dir
  return words
end

-- ---- rounds -------------------------------------------------------------------------------------------------------------

local dir

local function scope()
  return hcl.scope { clock = false, random = false, limits = { steps = 1e6, memory = 2 ^ 25, output = 2 ^ 22, depth = 200 } }
end

local function check_command_round(main, child, state, rows)
  for name, text in pairs { ["main.tf"] = main, ["m/main.tf"] = child, ["s.tfstate"] = json.encode(state) } do
    support.write(dir .. "/" .. name, text)
  end
  check_command("", words_of(some_options(rows), dir))
  local questions = {}
  for i = 1, 6 do questions[i] = pick { "", ":explain ", ":deps ", ":users ", ":type ", ":scope " } .. some_question(rows) end
  check_command(table.concat(questions, "\n") .. "\n", { "console", "-limit", "steps=1e6", dir })
end

--- One round; choose(n) draws a number from 1 to n. A breach is raised as a string.
---@return table what it was about: its texts, and the options or the question that came last
---@return string? why what didn't hold
function M.round(choose)
  draw = choose
  dir = dir or support.folder { ["main.tf"] = "", ["m/main.tf"] = "", ["s.tfstate"] = "" }
  local main, child, rows = some_folder()
  local about = { main = main, child = child, state = some_state(rows) }
  local function attempt()
    local m, err, readable = hcl.module(dir, {
      scope = scope(), state = about.state, missing = pick { "unknown", "error" },
      read = function(path) return path:find("/m/main.tf", 1, true) and child or path:find("main.tf", 1, true) and main or nil end,
    })
    answered("module", m, err)
    m = m or readable
    if not m then return end
    for _ = 1, 4 do
      about.options = some_options(rows)
      check_plan(m, about.options)
    end
    about.options = nil
    for _ = 1, 25 do
      about.question, about.of = some_question(rows)
      check_question(m, about.question, about.of)
    end
    about.question = nil
    if chance(20) then check_command_round(main, child, about.state, rows) end
  end
  local ok, why = xpcall(attempt, function(e) return type(e) == "string" and e:find "^[^\n]*%.lua:%d+:" and debug.traceback(e) or e end)
  return about, not ok and tostring(why) or nil
end

--- Removes the folder that rounds make.
function M.close()
  if dir then support.remove(dir) end
  dir = nil
end

--- Returns the number of breaches; report(seed, about, why) gets each.
function M.run(rounds, first, report)
  local wrong = 0
  for seed = first, first + rounds - 1 do
    local about, why = M.round(support.random(seed * 7919 % 2147483646 + 1))
    if why then
      wrong = wrong + 1
      report(seed, about, why)
    end
  end
  M.close()
  return wrong
end

--- What a breach was about, as a text.
function M.text(about)
  return table.concat({ about.main, "---- module\n" .. about.child, "---- state\n" .. json.encode(about.state),
                        about.options and "---- options\n" .. json.encode(about.options) or "", about.question or "" }, "\n")
end

if arg and arg[0] and arg[0]:find "addresses%.lua$" then
  local rounds = tonumber(arg[1] or 1000)
  local wrong = M.run(rounds, tonumber(arg[2] or 1), function(seed, about, why)
    print(("==== seed %d: %s"):format(seed, why))
    if arg[3] then print(M.text(about)) end
    if about.options then print("options " .. json.encode(about.options)) end
    if about.question then print("question " .. about.question .. " in " .. tostring(about.of)) end
  end)
  for _, what in ipairs(support.keys(M.counts)) do print(("%7d %s"):format(M.counts[what], what)) end
  print(("%d folders, %d breaches"):format(rounds, wrong))
  os.exit(wrong == 0)
end

return M
