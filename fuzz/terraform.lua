-- Random folders over states that Terraform made, with the options of plans, compared with Terraform's answers.
--   LUA fuzz/terraform.lua ASK ROUNDS SEED      ASK: the program that tools/terraform makes
-- A folder is a list of parts, each from its own seed. The folder applied before is one whose parts have other seeds,
-- other names, or are missing. The comparison covers the places of validate's reports, whether a plan fails, each field of its
-- JSON, and of tests the status of each run and the places of errors. Folders that differ are asked about again: if Terraform contradicts
-- itself, because its threads run in another order, the folder counts as unsteady, and isn't compared.
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local documents = require "hclexpr.terraform.schema.documents"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local differences = dofile(support.root .. "spec/modules/differences.lua")

local function source(seed)
  local draw = support.random(seed)
  for _ = 1, 5 do draw(1) end -- the first numbers of close seeds are close
  return { draw = draw, chance = function(percent) return draw(100) <= percent end, pick = function(list) return list[draw(#list)] end }
end

-- ---- expressions: of a kind, from the names in scope ----------------------------------------------------------------------

local expression

local LITERALS = {
  s = { '"a"', '"b"', '"x-1"', '""', '"k"', '"a"' }, n = { "0", "1", "2", "3", "1.5" }, b = { "true", "false" },
  l = { '["a", "b"]', '["k"]', "tolist([])", '["b", "a", "b"]' }, m = { '{ a = "x", k = "y" }', "tomap({})", '{ k = "v" }' },
}

local function named(r, scope, kind)
  local all = {}
  for _, name in ipairs(scope) do
    if name.kind == kind then all[#all + 1] = name.text end
  end
  return all[1] and r.pick(all)
end

local FORMS = {
  s = {
    function(e) return ('"${%s}-%s"'):format(e "s", e.r.pick { "x", "y" }) end, function(e) return "upper(" .. e "s" .. ")" end,
    function(e) return ('join(",", %s)'):format(e "l") end, function(e) return ("%s ? %s : %s"):format(e "b", e "s", e "s") end,
    function(e) return "tostring(" .. e "n" .. ")" end, function(e) return ('lookup(%s, "k", %s)'):format(e "m", e "s") end,
    function(e) return "jsonencode(" .. e "o" .. ")" end, function(e) return ('coalesce(%s, "z")'):format(e "s") end,
    function(e) return ('try(%s["a"], %s)'):format(e "m", e "s") end, function(e) return "sensitive(" .. e "s" .. ")" end,
    function(e) return ('"%%{ if %s }${%s}%%{ else }no%%{ endif }"'):format(e "b", e "s") end,
    function(e) return ('format("%%s/%%v", %s, %s)'):format(e "s", e "n") end,
    function(e) return ("provider::terraform::encode_expr(%s)"):format(e "o") end,
    function(e) return ("nonsensitive(%s)"):format(e "s") end,
    function(e) return ("one(distinct(%s))"):format(e "l") end, function() return "path.module" end,
  },
  n = {
    function(e) return ("%s + %s"):format(e "n", e "n") end, function(e) return "length(" .. e "l" .. ")" end,
    function(e) return "length(" .. e "m" .. ")" end, function(e) return ("max(%s, 1)"):format(e "n") end,
  },
  b = {
    function(e) return ("%s == %s"):format(e "s", e "s") end, function(e) return ("%s > %s"):format(e "n", e "n") end,
    function(e) return ("contains(%s, %s)"):format(e "l", e "s") end, function(e) return ("can(%s)"):format(e "o") end,
    function(e) return ("%s != null"):format(e "o") end, function(e) return ("!(%s)"):format(e "b") end,
  },
  l = {
    function(e) return ("[%s, %s]"):format(e "s", e "s") end, function(e) return ("[for x in %s : upper(x)]"):format(e "l") end,
    function(e) return ("keys(%s)"):format(e "m") end, function(e) return ("concat(%s, %s)"):format(e "l", e "l") end,
    function(e) return ("distinct(%s)"):format(e "l") end, function(e) return ("flatten([%s, %s])"):format(e "l", e "l") end,
    function(e) return ("%s ? %s : %s"):format(e "b", e "l", e "l") end,
    function(e) return ('[for k, v in %s : "${k}=${v}" if v != null]'):format(e "m") end,
  },
  m = {
    function(e) return ("{ a = %s, c = %s }"):format(e "s", e "s") end, function(e) return ("merge(%s, %s)"):format(e "m", e "m") end,
    function(e) return ("{ for x in toset(%s) : x => %s }"):format(e "l", e "s") end,
    function(e) return ("{ for k, v in %s : upper(k) => v }"):format(e "m") end,
    function(e) return ("zipmap(keys(%s), keys(%s))"):format(e "m", e "m") end,
  },
  o = {
    function(e) return ("{ x = %s, y = %s, z = %s }"):format(e "s", e "n", e "l") end, function(e) return e "s" end,
    function(e) return ("[%s, { k = %s }]"):format(e "n", e "b") end, function(e) return e "l" end, function() return "null" end,
    function(e) return ("toset(%s)"):format(e "l") end, function(e) return e "n" end, function(e) return e "m" end,
  },
}

function expression(r, scope, kind, depth)
  local by_name = r.chance(45) and named(r, scope, kind)
  if by_name then return by_name end
  if depth <= 0 or r.chance(20) then
    if kind == "o" then kind = r.pick { "s", "n", "m", "l" } end
    return named(r, scope, kind) or r.pick(LITERALS[kind])
  end
  local e = setmetatable({ r = r }, { __call = function(_, of) return expression(r, scope, of, depth - 1) end })
  local text = r.pick(FORMS[kind])(e)
  return kind ~= "l" and kind ~= "m" and kind ~= "o" and text:find " " and "(" .. text .. ")" or text
end

-- A condition, which has to contain a name.
local function condition(r, scope, depth)
  local text = expression(r, scope, "b", depth)
  return text:find "%a%.%a" and text or "var.v1 != null && " .. text
end

-- ---- parts: each writes a block and returns the names that it declares ------------------------------------------------------

local TYPES = { s = "string", n = "number", b = "bool", l = "list(string)", m = "map(string)" }
local parts = {}

function parts.variable(r, part, scope, put)
  part.kind = part.kind or r.pick { "s", "s", "n", "b", "l", "m", "s" }
  put('variable "%s" {', part.name)
  if r.chance(85) then put("  type = %s", TYPES[part.kind]) end
  if not part.required then
    local default = r.pick(LITERALS[part.kind])
    if default:find "%(" then default = LITERALS[part.kind][1] end -- no call
    put("  default = %s", default)
  end
  if r.chance(8) then put "  sensitive = true" end
  if r.chance(3) then put "  ephemeral = true" end
  if r.chance(10) then put "  nullable = false" end
  if part.kind == "s" and r.chance(12) then
    put "  validation {"
    put("    condition = length(var.%s) %s 2", part.name, r.pick { "<", ">=" })
    put '    error_message = "Not of that length."\n  }'
  end
  put "}"
  scope[#scope + 1] = { text = "var." .. part.name, kind = part.kind }
end

parts["local"] = function(r, part, scope, put)
  local kind = r.pick { "s", "n", "b", "l", "m", "o" }
  put("locals {\n  %s = %s\n}", part.name, expression(r, scope, kind, 2))
  scope[#scope + 1] = { text = "local." .. part.name, kind = kind }
end

-- Writes count or for_each: the names within the block, and the form of it.
local function repetition(r, scope, put)
  local within, form = {}, "one"
  for i, name in ipairs(scope) do within[i] = name end
  if r.chance(20) then
    put("  count = %s", r.pick { "0", "1", "2", "3", named(r, scope, "n") or "2", "length(" .. expression(r, scope, "l", 1) .. ")",
                                 "(" .. expression(r, scope, "b", 1) .. ") ? 1 : 0" })
    within[#within + 1], form = { text = "count.index", kind = "n" }, "count"
  elseif r.chance(25) then
    put("  for_each = %s", r.pick { 'toset(["a", "b"])', '{ a = "1", k = "2" }', expression(r, scope, "m", 1),
                                    "toset(" .. expression(r, scope, "l", 1) .. ")" })
    within[#within + 1], form = { text = "each.key", kind = "s" }, "each"
    within[#within + 1] = { text = "each.value", kind = "s" }
  end
  return within, form
end

local function one_of(name, form, r)
  if form == "one" then return name end
  if form == "count" then return name .. r.pick { "[0]", "[0]", "[1]" } end
  return name .. r.pick { '["a"]', '["a"]', '["k"]' }
end

local function resources(scope)
  local all = {}
  for _, name in ipairs(scope) do all[#all + 1] = name.resource end
  return all
end

local function lifecycle(r, scope, put)
  local lines, before = {}, resources(scope)
  if r.chance(30) then lines[#lines + 1] = "create_before_destroy = " .. r.pick { "true", "true", "false" } end
  if r.chance(15) then lines[#lines + 1] = "ignore_changes = " .. r.pick { "[input]", "all", "[triggers_replace]" } end
  if before[1] and r.chance(25) then
    local other = r.pick(before)
    lines[#lines + 1] = "replace_triggered_by = [" .. other.address .. (r.chance(30) and other.form == "one" and ".output" or "") .. "]"
  end
  if r.chance(4) then lines[#lines + 1] = "prevent_destroy = true" end
  if r.chance(10) then
    lines[#lines + 1] = ('precondition {\n      condition = %s\n      error_message = "before: ${%s}"\n    }'):format(
      condition(r, scope, 1), expression(r, scope, "s", 0))
  end
  if r.chance(10) then
    lines[#lines + 1] = 'postcondition {\n      condition = self.id != ""\n      error_message = "after"\n    }'
  end
  if lines[1] then put("  lifecycle {\n    %s\n  }", table.concat(lines, "\n    ")) end
end

function parts.resource(r, part, scope, put)
  local before = resources(scope)
  put('resource "terraform_data" "%s" {', part.name)
  local within, form = repetition(r, scope, put)
  if r.chance(85) then put("  input = %s", expression(r, within, r.pick { "s", "o", "o", "m", "l" }, 2)) end
  if r.chance(30) then put("  triggers_replace = %s", expression(r, within, r.pick { "s", "o", "l" }, 1)) end
  if r.chance(12) then
    put("  store {\n    input = %s", expression(r, within, r.pick { "s", "o" }, 1))
    if r.chance(40) then put("    version = %s", expression(r, within, r.pick { "n", "s" }, 0)) end
    if r.chance(25) then
      put("    %s = %s", r.pick { "sensitive", "replace" }, r.pick { "true", "false", expression(r, within, "b", 0) })
    end
    put "  }"
  end
  if before[1] and r.chance(12) then put("  depends_on = [%s]", r.pick(before).address) end
  if r.chance(45) then lifecycle(r, within, put) end
  put "}"
  local name = "terraform_data." .. part.name
  part.form = form
  -- An instance may be missing: mostly the expression handles that.
  local one, guard = one_of(name, form, r), "%s"
  if form ~= "one" and r.chance(80) then guard = 'try(%s, "gone")' end
  scope[#scope + 1] = { text = guard:format(one .. ".id"), kind = "s", resource = { address = name, form = form } }
  scope[#scope + 1] = { text = guard:format(one .. ".output"), kind = "o" }
  scope[#scope + 1] = { text = ('try(tostring(%s.output), "none")'):format(one), kind = "s" }
  if form == "count" then scope[#scope + 1] = { text = name .. "[*].id", kind = "l" } end
  if form == "each" then scope[#scope + 1] = { text = ("[for k, v in %s : v.id]"):format(name), kind = "l" } end
  scope[#scope + 1] = { text = name, kind = "o" }
end

local REMOTE = [[{ "version": 4,
  "outputs": { "s": { "value": "far", "type": "string" }, "l": { "value": ["x"], "type": ["list", "string"] } } }]]

-- A state elsewhere, read by the plan, or by the apply if it waits for something.
function parts.data(r, part, scope, put)
  put('data "terraform_remote_state" "%s" {', part.name)
  local before = resources(scope)
  local within, form = repetition(r, scope, put)
  put('  backend = "local"\n  config = { path = %s }',
    r.pick { '"far.tfstate"', '"far.tfstate"', "tostring(" .. expression(r, within, "s", 0) .. ")" })
  if r.chance(25) then put("  defaults = { more = %s }", expression(r, within, "s", 1)) end
  if before[1] and r.chance(15) then put("  depends_on = [%s]", r.pick(before).address) end
  put "}"
  local one = one_of("data.terraform_remote_state." .. part.name, form, r)
  scope[#scope + 1] = { text = one .. ".outputs.s", kind = "s" }
  scope[#scope + 1] = { text = one .. ".outputs.l", kind = "l" }
  scope[#scope + 1] = { text = ("try(%s.outputs.more, \"less\")"):format(one), kind = "s" }
end

parts["module"] = function(r, part, scope, put)
  put('module "%s" {\n  source = "./%s"', part.name, part.folder.name)
  local within, form = repetition(r, scope, put)
  for _, inner in ipairs(part.folder.parts) do
    if inner.of == "variable" and (inner.required or r.chance(60)) then
      put("  %s = %s", inner.name, expression(r, within, inner.kind, 2))
    end
  end
  local before = resources(scope)
  if before[1] and r.chance(10) then put("  depends_on = [%s]", r.pick(before).address) end
  put "}"
  part.form = form
  local one = one_of("module." .. part.name, form, r)
  for _, inner in ipairs(part.folder.parts) do
    if inner.of == "output" then
      local text, otherwise = one .. "." .. inner.name, r.pick(LITERALS[inner.kind] or { "null" })
      if form ~= "one" and r.chance(80) then text = ("try(%s, %s)"):format(text, otherwise) end
      scope[#scope + 1] = { text = text, kind = inner.kind }
    end
  end
end

function parts.output(r, part, scope, put)
  part.kind = part.kind or r.pick { "s", "o", "l", "m", "n" }
  put('output "%s" {\n  value = %s', part.name, expression(r, scope, part.kind, 2))
  if r.chance(60) then put "  sensitive = true" end
  if r.chance(8) then
    put('  precondition {\n    condition = %s\n    error_message = "output"\n  }', condition(r, scope, 1))
  end
  put "}"
end

function parts.check(r, part, scope, put)
  put('check "%s" {', part.name)
  if r.chance(30) then
    put('  data "terraform_remote_state" "d%s" {\n    backend = "local"\n    config = { path = "%s" }\n  }', part.name,
      r.pick { "far.tfstate", "far.tfstate", "none.tfstate" })
  end
  put('  assert {\n    condition = %s\n    error_message = "check ${%s}"\n  }\n}', condition(r, scope, 2),
    expression(r, scope, "s", 0))
end

-- Written as they are: moved, removed and import.
function parts.written(_, part, _, put) put("%s", part.text) end

local PROVIDERS = 'terraform {\n  required_providers {\n    terraform = {\n      source = "terraform.io/builtin/terraform"\n    }\n  }\n}\n'

-- Second: the names that it declares.
local function text_of(list)
  local lines, scope = {}, {}
  local function put(form, ...) lines[#lines + 1] = select("#", ...) > 0 and form:format(...) or form end
  for _, part in ipairs(list) do
    local first = #lines + 1
    parts[part.of](source(part.seed), part, scope, put)
    -- Terraform 1.17-dev evaluates local values and arguments of modules early, without its providers.
    for i = first, (part.of == "local" or part.of == "module") and #lines or 0 do
      lines[i] = lines[i]:gsub("provider::terraform::encode_expr", "jsonencode")
    end
  end
  local text = table.concat(lines, "\n") .. "\n"
  if text:find("provider::", 1, true) then text = PROVIDERS .. text end
  return text, scope
end

-- ---- tests --------------------------------------------------------------------------------------------------------------

local function values_of(r, folder, put, chance)
  put "  variables {"
  for _, part in ipairs(folder.parts) do
    if part.of == "variable" and r.chance(chance) then
      put("    %s = %s", part.name, r.pick(LITERALS[r.chance(92) and part.kind or "s"]))
    end
  end
  put "  }"
end

-- What a run may expect to fail.
local function checkables(r, folder)
  local all = {}
  for _, part in ipairs(folder.parts) do
    if part.of == "variable" then all[#all + 1] = "var." .. part.name
    elseif part.of == "output" or part.of == "check" then all[#all + 1] = part.of .. "." .. part.name
    elseif part.of == "resource" then all[#all + 1] = one_of("terraform_data." .. part.name, r.chance(60) and "one" or part.form, r) end
  end
  return all
end

local function overrides(r, folder, put)
  for _, part in ipairs(folder.parts) do
    if part.of == "resource" and r.chance(12) then
      put("  override_resource {\n    target = terraform_data.%s%s\n    values = {\n      %s = %s\n    }\n  }", part.name,
        r.chance(20) and "\n    override_during = plan" or "", r.pick { "id", "id", "output" }, r.pick(LITERALS[r.pick { "s", "s", "m" }]))
    elseif part.of == "module" and r.chance(15) then
      put("  override_module {\n    target = module.%s", part.name)
      if r.chance(80) then
        put "    outputs = {"
        for _, inner in ipairs(part.folder.parts) do
          if inner.of == "output" and r.chance(80) then put("      %s = %s", inner.name, r.pick(LITERALS[inner.kind] or LITERALS.s)) end
        end
        put "    }"
      end
      put "  }"
    end
  end
end

local function plan_options(r, folder, put)
  local lines = { r.pick { "refresh = false", "mode = refresh-only", "refresh = true" } }
  for _, part in ipairs(folder.parts) do
    if part.of == "resource" and r.chance(30) then
      lines[#lines + 1] = ("%s = [%s]"):format(r.pick { "target", "replace" }, one_of("terraform_data." .. part.name, part.form, r))
      break
    end
  end
  put("  plan_options {\n    %s\n  }", table.concat(lines, "\n    "))
end

-- Names of a test: those of the folder, its outputs and what runs before gave.
local function names_of_run(folder, scope, runs)
  local names = {}
  for i, name in ipairs(scope) do names[i] = not name.text:find "local%." and name or nil end
  local list = {}
  for _, name in pairs(names) do list[#list + 1] = name end
  table.sort(list, function(a, b) return a.text < b.text end)
  for _, part in ipairs(folder.parts) do
    if part.of == "output" then
      list[#list + 1] = { text = "output." .. part.name, kind = part.kind }
      for _, run in ipairs(runs) do list[#list + 1] = { text = ("run.%s.%s"):format(run, part.name), kind = part.kind } end
    end
  end
  return list
end

local function run_text(r, folder, scope, runs, put)
  local inner = r.chance(10) and r.pick(folder.folders) or nil
  local of, names = inner or folder, names_of_run(folder, inner and {} or scope, inner and {} or runs)
  put('run "r%d" {', #runs + 1)
  if r.chance(55) then put("  command = %s", r.pick { "plan", "plan", "apply" }) end
  if inner then put("  module {\n    source = \"./%s\"\n  }", inner.name) end
  if inner or r.chance(50) then values_of(r, of, put, inner and 85 or 40) end
  if r.chance(12) then plan_options(r, of, put) end
  if r.chance(20) then overrides(r, of, put) end
  local all = checkables(r, of)
  if all[1] and r.chance(20) then put("  expect_failures = [%s]", r.pick(all)) end
  for _ = 1, inner and 0 or r.draw(3) - 1 do
    put("  assert {\n    condition = %s\n    error_message = %s\n  }", condition(r, names, 2),
      r.chance(80) and '"no"' or expression(r, names, "s", 1))
  end
  put "}"
  if not inner then runs[#runs + 1] = "r" .. #runs + 1 else runs[#runs + 1] = runs[1] or "r1" end
end

-- A file of tests of a folder that was written.
local function tests_of(r, folder, scope)
  local lines, runs = {}, {}
  local function put(form, ...) lines[#lines + 1] = select("#", ...) > 0 and form:format(...) or form end
  if r.chance(50) then
    values_of(r, folder, put, 40)
    lines[1] = "variables {"
  end
  if r.chance(25) then
    put 'mock_provider "terraform" {'
    if r.chance(60) then
      put('  mock_resource "terraform_data" {\n    defaults = {\n      %s = %s\n    }\n  }', r.pick { "id", "output", "id" },
        r.pick(LITERALS.s))
    end
    put "}"
  end
  if r.chance(15) then overrides(r, folder, put) end
  for _ = 1, r.draw(3) do run_text(r, folder, scope, runs, put) end
  return table.concat(lines, "\n") .. "\n"
end

-- ---- folders, and the folders before them ---------------------------------------------------------------------------------

-- A row: the kind of a part, the first letter of its names, the most additional ones, the fewest, and whether a default may be missing.
local function part_list(r, rows, folders)
  local list = {}
  for _, row in ipairs(rows) do
    for i = 1, r.draw(row[3] + 1) - 1 + (row[4] or 0) do
      local part = { of = row[1], name = row[2] .. i, seed = r.draw(2 ^ 30) }
      if row[1] == "module" then part.folder = r.pick(folders) end
      part.required = row[5] and r.chance(50)
      list[#list + 1] = part
    end
  end
  return list
end

local function child(r, name)
  local list = part_list(r, { { "variable", "v", 2, 1, true }, { "local", "l", 1 }, { "resource", "r", 2, 1 }, { "output", "o", 2, 1 } })
  return { name = name, parts = list }
end

local function drawn(r)
  local folders = { child(r, "m1"), child(r, "m2") }
  return { folders = folders, parts = part_list(r, {
    { "variable", "v", 3, 1 }, { "local", "l", 2 }, { "resource", "a", 2, 1 }, { "module", "m", 2 }, { "local", "k", 1 },
    { "data", "d", 1 }, { "resource", "b", 3 }, { "output", "o", 3, 1 }, { "check", "c", 1 },
  }, folders) }
end

local function copy(x)
  if type(x) ~= "table" then return x end
  local made = {}
  for key, value in pairs(x) do made[key] = copy(value) end
  return made
end

local function address_of(part) return (part.of == "module" and "module." or "terraform_data.") .. part.name end

-- Terraform shows sensitive ids: a known difference.
local IDS = { '"i-1"', '"i-1"', "nonsensitive(var.v1)", '"${nonsensitive(var.v1)}-2"' }

local function change(r, list)
  for i = #list, 1, -1 do
    local part = list[i]
    if r.chance(25) then part.seed = r.draw(2 ^ 30) end
    if part.of == "resource" or part.of == "module" then
      local was = address_of(part)
      if r.chance(12) then
        part.name = part.name .. "z"
        if r.chance(70) then
          list[#list + 1] = { of = "written", seed = 1, text = ("moved {\n  from = %s\n  to = %s\n}"):format(was, address_of(part)) }
        end
      elseif r.chance(6) then
        list[#list + 1] = { of = "written", seed = 1, text = ("moved {\n  from = %s%s\n  to = %s%s\n}")
          :format(was, r.pick { "", "[0]", '["a"]' }, was, r.pick { "[0]", "[1]", '["a"]', '["k"]' }) }
      elseif part.of == "resource" and r.chance(5) then
        list[#list + 1] = { of = "written", seed = 1, text = ("import {\n  to = %s%s\n  id = %s\n}")
          :format(was, r.pick { "", "", "[0]", '["a"]' }, r.pick(IDS)) }
      elseif r.chance(10) then
        table.remove(list, i)
        if r.chance(40) then
          list[#list + 1] = { of = "written", seed = 1, text = ("removed {\n  from = %s\n  lifecycle {\n    destroy = %s\n  }\n}")
            :format(was, r.pick { "true", "false" }) }
        end
      end
    end
  end
end

-- Another folder of the same parts: other seeds, other names with `moved` or without, fewer parts.
local function changed(r, folder)
  local made, by_name = copy(folder), {}
  for _, f in ipairs(made.folders) do
    change(r, f.parts)
    by_name[f.name] = f
  end
  for _, part in ipairs(made.parts) do
    if part.folder then part.folder = by_name[part.folder.name] end
  end
  change(r, made.parts)
  return made
end

-- Children first: they decide the kinds of their variables and outputs. Returns the names of the root.
local function write(dir, folder)
  for _, f in ipairs(folder.folders) do
    assert(support.runs(("mkdir -p '%s/%s'"):format(dir, f.name)))
    support.write(dir .. "/" .. f.name .. "/main.tf", text_of(f.parts))
  end
  local text, scope = text_of(folder.parts)
  support.write(dir .. "/main.tf", text)
  support.write(dir .. "/far.tfstate", REMOTE)
  return scope
end

local function options_of(r, folder)
  local o, all, single = {}, {}, {}
  for _, part in ipairs(folder.parts) do
    if part.of == "resource" or part.of == "module" then
      all[#all + 1] = r.chance(60) and address_of(part) or one_of(address_of(part), part.form, r)
      if part.of == "resource" then single[#single + 1] = one_of(address_of(part), part.form, r) end
    end
  end
  local way = r.draw(100)
  if way <= 12 then o.destroy = true elseif way <= 20 then o.refresh_only = true elseif way <= 26 then o.refresh = false end
  if all[1] and r.chance(20) then o.targets = { r.pick(all), r.chance(40) and r.pick(all) or nil } end
  if single[1] and not o.destroy and not o.refresh_only and r.chance(15) then o.replace = { r.pick(single) } end
  return o
end

-- ---- rounds ----------------------------------------------------------------------------------------------------------------

-- Writes the folders of a round: the question, and the options of the plan, or nil if its tests are asked for.
local function round(seed, dir)
  local r = source(seed)
  local now = drawn(r)
  local before = r.chance(80) and changed(r, now) or nil
  if before and r.chance(30) then before, now = now, before end
  if before then write(dir .. "/before", before) end
  local scope = write(dir .. "/now", now)
  local o = options_of(r, now)
  if r.chance(25) then
    support.write(dir .. "/now/main.tftest.hcl", tests_of(r, now, scope))
    return { dir = dir .. "/now", test = true }
  end
  return { dir = dir .. "/now", before = before and { dir .. "/before" }, destroy = o.destroy, refresh_only = o.refresh_only,
           no_refresh = o.refresh == false, targets = o.targets, replace = o.replace }, o
end

local function present(x) return x ~= nil and x ~= core.null and x or nil end

-- The places of errors, each once, sorted.
local function places(list, place_of)
  local all = {}
  for _, finding in ipairs(present(list) or {}) do
    if finding.severity == "error" then all[place_of(finding) or "?"] = true end
  end
  return table.concat(support.keys(all), " ")
end

-- Terraform reports some things without a place: then any place matches.
local function agree(want, have) return want == have or want:find("?", 1, true) and have ~= "" end

local function theirs(finding) return finding.at and ("%s:%d:%d"):format(finding.at[1], finding.at[2], finding.at[3]) end

local function ours(dir)
  return function(d)
    local name = d.range and d.range.filename
    return name and ("%s:%d:%d"):format(name:sub(1, #dir) == dir and name:sub(#dir + 2) or name, d.range.start.line, d.range.start.column)
  end
end

-- The words for a state that is missing are a provider's: each has its own.
local function without_words(plan)
  for _, check in ipairs(present(plan.checks) or {}) do
    for _, instance in ipairs(present(check.instances) or {}) do
      for _, problem in ipairs(present(instance.problems) or {}) do
        if problem.message:find "^Unable to find remote state" or problem.message:find "^No state is there" then problem.message = "*" end
      end
    end
  end
end

local function without_versions(plan)
  without_words(plan)
  plan.timestamp, plan.terraform_version = nil, nil
  if plan.prior_state ~= nil and plan.prior_state ~= core.null then plan.prior_state.terraform_version = nil end
  return plan
end

-- What differs in a round, each with its kind: "validate", "fails", "plan" or "failed plan"; and what kind of folder it is.
local function compare(answer, dir, state, o)
  local found, place_of = {}, ours(dir)
  local m, err, readable = hcl.module(dir, { state = state, environment = {} })
  local sound, problems = m, err
  if m then sound, problems = m:validate() end
  local want, have = places(answer.validate, theirs), places(not sound and problems or {}, place_of)
  if not agree(want, have) then found[#found + 1] = { "validate", ("%s but %s"):format(want, have) } end
  if want ~= "" then return found, "invalid" end
  local given = { reveal = true, time = 0, text = true }
  for name, value in pairs(o) do given[name] = value end
  local text, plan_err, partial = (m or readable):plan_json(given)
  want, have = places(present(answer.findings), theirs), text == nil and places(plan_err, place_of) or ""
  if not agree(want, have) then found[#found + 1] = { "fails", ("%s but %s"):format(want, have) } end
  text = text or partial
  local kind, plan = want == "" and "plan" or "failed plan", present(answer.plan)
  if (plan ~= nil) ~= (text ~= nil) then found[#found + 1] = { kind, plan and "a plan is missing" or "a plan is more" }
  elseif plan then
    local wanted, had = without_versions(plan), without_versions(assert(documents.decode(text)))
    for _, what in ipairs(differences.list(differences.normal(wanted), differences.normal(had))) do found[#found + 1] = { kind, what } end
  end
  return found, kind
end

-- The same for tests: a file's status, and that of each run, is of the kind "verdict"; the places of errors are of "test".
local function compare_tests(answer, dir)
  local found, have, place_of = {}, {}, ours(dir)
  local m, err, readable = hcl.module(dir, { environment = {} })
  local result, why = (m or readable):test()
  local sound = result ~= nil and places(err, place_of) == ""
  if places(answer.validate, theirs) ~= "" then
    local differs = not agree(places(answer.validate, theirs), places(err or why or result and result.diagnostics, place_of))
    return differs and { { "test", places(answer.validate, theirs) .. " but " .. places(err or why, place_of) } } or {}, "invalid"
  end
  local function note(file, run, of)
    have[file .. " " .. run] = { of.status, places(of.diagnostics, place_of) }
  end
  for _, file in ipairs(result and result.files or {}) do
    note(file.filename:match "[^/]*$", "", file)
    for _, run in ipairs(file.runs) do note(file.filename:match "[^/]*$", run.name, run) end
  end
  for _, run in ipairs(present(answer.tests) or {}) do
    local name = run.file .. " " .. run.name
    local mine, want = have[name] or { "nothing", "" }, places(run.findings, theirs)
    if mine[1] ~= run.status:lower() then found[#found + 1] = { "verdict", ("%s: %s but %s"):format(name, run.status, mine[1]) }
    elseif not agree(want, mine[2]) then found[#found + 1] = { "test", ("%s: %s but %s"):format(name, want, mine[2]) } end
  end
  if not sound and not found[1] then found[1] = { "test", "nothing but " .. places(err, place_of) } end
  return found, "test"
end

local CHUNK, SHOWN = 100, 4

-- The answers to questions, a line each. If Terraform crashes in a thread of its own, the program ends, and that question has no answer.
local function answers_of(ask, scratch, questions)
  local answers = {}
  while #answers < #questions do
    support.write(scratch .. "/questions", table.concat(questions, "\n", #answers + 1) .. "\n")
    os.execute(("'%s' < '%s/questions' > '%s/answers' 2> '%s/crash'"):format(ask, scratch, scratch, scratch))
    for line in io.lines(scratch .. "/answers") do answers[#answers + 1] = line end
    if #answers < #questions then answers[#answers + 1] = '{"crash":true}' end
  end
  return answers
end

-- The parts of an answer that are compared, as a text.
local function compared_text(answer)
  local plan, runs = present(answer.plan), {}
  for _, run in ipairs(present(answer.tests) or {}) do
    runs[#runs + 1] = table.concat({ run.file, run.name, run.status, places(run.findings, theirs) }, " ")
  end
  table.sort(runs)
  return table.concat({ places(answer.validate, theirs), places(present(answer.findings), theirs), table.concat(runs, "\n"),
                        plan and differences.text_of(differences.normal(without_versions(plan))) or "" }, "\n\n")
end

local AGAIN, PARALLELISM = 20, { 10, 1, 2, 3 }

-- Does Terraform answer a question in several ways? state: that of the answer, because applying again would make another one.
local function is_unsteady(ask, scratch, question, state)
  local again, seen = {}, {}
  for key, value in pairs(question) do again[key] = value end
  again.before, again.state = nil, state
  local questions = {}
  for i = 1, AGAIN do
    again.parallelism = PARALLELISM[i % #PARALLELISM + 1]
    questions[i] = differences.text_of(again)
  end
  for _, line in ipairs(answers_of(ask, scratch, questions)) do seen[compared_text(assert(documents.decode(line)))] = true end
  return next(seen, (next(seen))) ~= nil
end

-- Asks Terraform about all rounds of a chunk, then compares: calls seen(round, differences, kind).
local function chunk(ask, scratch, first, last, seen)
  local questions, texts, options = {}, {}, {}
  for n = first, last do
    questions[n], options[n] = round(n, scratch .. "/" .. n)
    texts[#texts + 1] = differences.text_of(questions[n])
    support.write(scratch .. "/" .. n .. "/question", texts[#texts] .. "\n")
  end
  local answers = answers_of(ask, scratch, texts)
  assert(#answers == #texts, "answers are missing")
  for i, line in ipairs(answers) do
    local n, answer, state = first + i - 1, assert(documents.decode(line)), nil
    local dir = scratch .. "/" .. n
    if present(answer.state) then
      state = dir .. "/terraform.tfstate"
      support.write(state, differences.text_of(answer.state))
    end
    local compared = options[n] and compare or compare_tests
    local ok, found, kind = true, {}, "crash"
    if not answer.crash then ok, found, kind = pcall(compared, answer, dir .. "/now", state, options[n]) end
    if not ok then found, kind = { { "raised", tostring(found) } }, "raised" end
    if ok and found[1] and is_unsteady(ask, scratch, questions[n], present(answer.state)) then found, kind = {}, "unsteady" end
    seen(n, found, kind)
    if not found[1] then support.remove(dir) end
  end
end

local function main(ask, rounds, seed)
  local counts, wrong, scratch = {}, {}, support.temporary_folder()
  local function seen(n, found, kind)
    counts[kind] = (counts[kind] or 0) + 1
    local kinds = {}
    for i, row in ipairs(found) do
      kinds[row[1]] = true
      if i <= SHOWN then print(n, row[1], (row[2]:sub(1, 300))) end
    end
    for name in pairs(kinds) do wrong[name] = (wrong[name] or 0) + 1 end
  end
  for first = seed, seed + rounds - 1, CHUNK do chunk(ask, scratch, first, math.min(first + CHUNK, seed + rounds) - 1, seen) end
  for _, kind in ipairs(support.keys(counts)) do print("folders", kind, counts[kind]) end
  for _, kind in ipairs(support.keys(wrong)) do print("differ", kind, wrong[kind]) end
  if next(wrong) then print("what differs is left in " .. scratch) else support.remove(scratch) end
end

main(arg[1], tonumber(arg[2] or 100), tonumber(arg[3] or 1))
