-- Compares the module with the recorded answers of the reference. A case passes if type, value, marks, rendering, references, body or
-- text are equal. If the reference gives errors, the module must give errors, too, and its first one must overlap one of theirs. Cases
-- that call a function which this build lacks, or has no library for, are counted separately.
--
--   lua runner.lua [-v] [-q] [--stutter] FILE.jsonl ...    (with hclexpr and cjson on the path)
--
-- The summary counts cases with errors whose ranges are exactly the reference's. Of a body the first range must agree, and we may report
-- no more errors than the reference, which reports some mistakes several times, and also their consequences.
local cjson = require "cjson"
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local read, here = support.read, support.here()
local view = dofile(here .. "view.lua")

local M = {}

-- Raises an error that may be a table: plain `assert` takes no tables in 5.1 and 5.2.
local function must(v, err)
  if v == nil then error(tostring(err), 2) end
  return v
end

-- The functions that the cases use, in addition to the built-ins.
local helpers = {
  unknown = hcl.func {
    params = { { name = "type", type = "string" } },
    values = true,
    returns = function(t)
      if not t:is_known() then return "any" end
      local constraint, err = hcl.type(t:text())
      if not constraint then return nil, tostring(err) end
      return constraint
    end,
    impl = function(t) return hcl.unknown(must(hcl.type(t:text()))) end,
  },
  ephemeral = hcl.func {
    params = { { name = "value", type = "any", null = true, unknown = true, dynamic = true, marked = true } },
    values = true,
    impl = function(v) return hcl.mark(v, "ephemeral") end,
  },
}

local scope = hcl.scope {
  functions = helpers, filesystem = here .. "fixtures", console = true, plan_timestamp = "2031-04-09T07:05:03Z",
}

-- ---- does this build have what a case needs? ----------------------------------------------------------------------------

local reference, ours = cjson.decode(read(here .. "functions.json")), hcl.functions()
local lacking
lacking, M.complete = support.lacking(hcl)

-- A fixture that isn't in form C.
local DECOMPOSED = '"decomposed.txt"'

local function lacks_in(source)
  for name in source:gmatch "([%a_][%w_:]*)%s*%(" do
    name = name:gsub("^core::", "")
    if reference[name] and not ours[name] and not helpers[name] then return name end
  end
  return lacking(source) or source:find(DECOMPOSED, 1, true) and lacking "\195\169"
end

local needs = {
  fmt = "format", dynamic = "parse", body = "parse", jsonbody = "parse", jsoncontent = "parse", type = "type", typeexpr = "type",
}

local function lacks(case)
  local call = needs[case.mode or "expr"]
  if call and not hcl[call] then return "hcl." .. call end
  local name = lacks_in(case.src) or (case.want and lacking { case.want.value, case.want.body })
  for _, source in pairs(case.vars or {}) do name = name or lacks_in(source) end
  -- The end of a line counts as known unless its last letter may still combine with the unknown part.
  local value = case.want and case.want.value
  local unknown = type(value) == "table" and value["$unknown"]
  if unknown and unknown.prefix and case.src:find "\\[nr]" then name = name or lacking "\195\169" end
  return name
end

-- ---- how each mode runs: returns a check, or nil and diagnostics ----------------------------------------------------------

local function check_value(want, v)
  local t = view.type(v:type())
  if not support.equal(t, want.type) then return false, "type " .. view.text(t) .. ", not " .. view.text(want.type) end
  local value = view.value(v)
  if not support.equal(value, want.value) then return false, "value " .. view.text(value) .. ", not " .. view.text(want.value) end
  local marks = view.marks(v)
  if not support.equal(view.mark_set(marks), view.mark_set(want.marks)) then
    return false, "marks " .. view.text(marks) .. ", not " .. view.text(want.marks)
  end
  if want.console and want.console ~= "" and tostring(v) ~= want.console then
    return false, "rendered as " .. tostring(v) .. "\nnot as " .. want.console
  end
  return true
end

local function compare(got, want)
  return function() return support.equal(got, want), view.text(got) .. ", not " .. view.text(want) end
end

local modes = {}

local function expression(syntax)
  return function(case, variables)
    local expr, err = hcl.compile(case.src, { filename = "main", syntax = syntax })
    if not expr then return nil, err end
    local v
    v, err = expr:value(variables, scope)
    if not v then return nil, err end
    return function() return check_value(case.want, v) end
  end
end
modes.expr, modes.template, modes.jsonexpr = expression "native", expression "template", expression "json"

function modes.type(case, variables)
  local v, err = must(hcl.compile(case.src)):value(variables, scope)
  if not v then return nil, err end
  local t
  t, err = hcl.type(case.type)
  if not t then return nil, err end
  v, err = t:convert(v)
  if not v then return nil, err end
  return function() return check_value(case.want, v) end
end

function modes.typeexpr(case)
  local t, err = hcl.type(case.src)
  if not t then return nil, err end
  return compare(view.type(t), case.want.type)
end

function modes.refs(case)
  local expr, err = hcl.compile(case.src, { filename = "main" })
  if not expr then return nil, err end
  return compare(view.references(expr), case.want.refs or {})
end

function modes.fmt(case)
  local text, err = hcl.format(case.src, { style = case.style })
  if not text then return nil, err end
  return compare(text, case.want.text)
end

-- The view of a body, or the diagnostics of its expressions.
local function check_body(case, variables, body, plain)
  local errors = {}
  local got = view.body(body, variables, scope, errors)
  if #errors > 0 then return nil, errors end
  return compare(plain and plain(got) or got, case.want.body)
end

function modes.body(case, variables)
  local body, err = hcl.parse(case.src, { filename = "main" })
  if not body then return nil, err end
  return check_body(case, variables, body)
end

function modes.dynamic(case, variables)
  local body, err = hcl.parse(case.src, { filename = "main" })
  if not body then return nil, err end
  body, err = body:expand(variables, scope)
  if not body then return nil, err end
  return check_body(case, variables, body, view.without_ranges)
end

function modes.jsonbody(case, variables)
  local body, err = hcl.parse(case.src, { filename = "main", syntax = "json" })
  if not body then return nil, err end
  local out, errors = {}, {}
  view.attributes(body, variables, scope, errors, function(name, _, v) out[name] = v end)
  if #errors > 0 then return nil, errors end
  return compare(out, case.want.body)
end

-- Converts the schema of a case to the module's form: a name that ends in "!" is required.
local function schema_of(s)
  local out = { attributes = {}, blocks = {} }
  for _, name in ipairs(s and s.attrs or {}) do
    local bare, mark = name:match "^(.-)(!?)$"
    out.attributes[bare] = { required = mark == "!" }
  end
  for kind, b in pairs(s and s.blocks or {}) do
    local labels = {}
    for i = 1, b.labels or 0 do labels[i] = "l" .. (i - 1) end
    out.blocks[kind] = { labels = labels, schema = schema_of(b.body) }
  end
  return out
end

function modes.jsoncontent(case, variables)
  local body, err = hcl.parse(case.src, { filename = "main", syntax = "json" })
  if not body then return nil, err end
  body, err = body:content(schema_of(case.schema), variables, scope)
  if not body then return nil, err end
  return check_body(case, variables, body, view.without_ranges)
end

-- ---- cases --------------------------------------------------------------------------------------------------------------

local function variables_of(case)
  local out = {}
  for _, name in ipairs(support.keys(case.vars or {})) do out[name] = must(must(hcl.compile(case.vars[name])):value(out, scope)) end
  return out
end

M.variables_of, M.scope = variables_of, scope

local function overlaps(a, b)
  return a[3] <= math.max(b[6], b[3] + 1) and b[3] <= math.max(a[6], a[3] + 1)
end

-- Each mistake has one report: does the reference only repeat it at these places, or report the end of a broken directive there?
local function are_repeated(places, reported, src)
  for _, place in ipairs(places) do
    local again = src:find("%{", 1, true)
    for _, r in ipairs(reported) do again = again or support.equal(place, r) end
    if not again then return false end
  end
  return true
end

-- Does it fail where the reference does, and at exactly the same places?
local function check_errors(want, err, src, first_counts)
  if type(err) ~= "table" or not err[1] then return false, "no diagnostics: " .. tostring(err) end
  local got, left = {}, {}
  for _, d in ipairs(err) do
    if d.severity == "error" then got[#got + 1] = view.range(d.range) or {} end
  end
  for i, w in ipairs(want) do left[i] = w.range or {} end
  local exact = true
  for _, g in ipairs(got) do
    local hit
    for i, w in ipairs(left) do hit = hit or (support.equal(g, w) and i) end
    if hit then table.remove(left, hit) else exact = false end
  end
  exact = exact and are_repeated(left, got, src)
  if first_counts and not exact and #got < #want then
    for _, w in ipairs(want) do exact = exact or support.equal(got[1], w.range) end
  end
  for _, w in ipairs(want) do
    if not w.range or (got[1] and got[1][1] and overlaps(got[1], w.range)) then
      return true, view.text(got) .. ", not exactly " .. view.text(left), exact
    end
  end
  return false, "error at " .. view.text(got[1]) .. ", not at " .. view.text(want[1].range), false
end

-- Runs one case: "passed", "failed" or "skipped"; why; for a case with errors whether all ranges are the same.
function M.run(case)
  local missing = lacks(case)
  if missing then return "skipped", missing end
  local exact
  local ok, good, why = xpcall(function()
    local check, err = modes[case.mode or "expr"](case, variables_of(case))
    -- Results made of bytes or files can't be seen in the source.
    if support.tell_of_lack(err) then
      missing = "a library"
      return true
    end
    if case.want.errors and #case.want.errors > 0 then
      if check then
        exact = false
        return false, "no error"
      end
      local pass, reason
      pass, reason, exact = check_errors(case.want.errors, err, case.src, case.mode == "body")
      return pass, reason
    end
    if not check then return false, "error: " .. tostring(err) end
    return check()
  end, debug.traceback)
  if missing then return "skipped", missing end
  return ok and good and "passed" or "failed", tostring(ok and why or good), exact
end

-- Runs a file of cases, or every nth one, or this run's share of them, and calls `each` with every one.
function M.run_file(path, each, one_in)
  local number, every = 0, one_in or 1
  for line in io.lines(path) do
    number = number + 1
    if number % every == 0 and support.takes(number / every) then
      local case = cjson.decode(line)
      case.id = case.id or path:match "[^/]+$" .. ":" .. number
      each(case, M.run(case))
    end
  end
end

-- Calls `each` for every case of a file, or every nth one, whose expression this build supports: with the Expression, a
-- scope in which the case's variables are bound, and the case.
function M.each_bound(path, each, one_in)
  local number = 0
  for line in io.lines(path) do
    number = number + 1
    local case = number % (one_in or 1) == 0 and cjson.decode(line)
    local syntax = case and ({ expr = "native", template = "template" })[case.mode or "expr"]
    local expr = syntax and not lacks(case) and hcl.compile(case.src, { filename = "main", syntax = syntax })
    if expr then each(expr, hcl.scope { parent = scope, variables = variables_of(case) }, case) end
  end
end

--- The path of recorded cases with a name, in cases/ or in bulk/.
function M.case_file(name)
  local path = here .. "cases/" .. name .. ".jsonl"
  return support.exists(path) and path or here .. "bulk/" .. name .. ".jsonl"
end

-- Test builds: from now on (or no longer) every evaluation is suspended at each instruction. Returns false if the build can't do that.
function M.stutter(on)
  local ok, testing = pcall(require, "hclexpr.testing")
  if not ok or not testing.stutter then return false end
  testing.stutter(on)
  return true
end

-- ---- command line -------------------------------------------------------------------------------------------------------

local function main(arguments)
  local verbose, quiet, files = false, false, {}
  for _, a in ipairs(arguments) do
    if a == "-v" then verbose = true
    elseif a == "-q" then quiet = true
    elseif a == "--stutter" then assert(M.stutter(true), "not a test build")
    else files[#files + 1] = a end
  end
  local sum = { passed = 0, failed = 0, skipped = 0, exact = 0, located = 0 }
  for _, path in ipairs(files) do
    local n = { passed = 0, failed = 0, skipped = 0 }
    M.run_file(path, function(case, result, why, exact)
      n[result] = n[result] + 1
      sum[result] = sum[result] + 1
      if exact ~= nil then sum.located = sum.located + 1 end
      if exact then sum.exact = sum.exact + 1 end
      local shown = result == "failed" and (verbose or n.failed <= 5) or verbose and exact == false
      if shown and not quiet then
        print(result, case.id, (case.src:gsub("\n", "\\n"):sub(1, 200)))
        print("     " .. why:gsub("\n", "\n     "))
      end
    end)
    print(("%-28s %5d passed %4d failed %4d skipped"):format(path:match "[^/]+$", n.passed, n.failed, n.skipped))
  end
  print(("exact error ranges: %d/%d"):format(sum.exact, sum.located))
  print(("%d passed, %d failed (%d lack a function of this build)"):format(sum.passed, sum.failed, sum.skipped))
  os.exit(sum.failed == 0 and 0 or 1)
end

if arg and arg[0] and arg[0]:match "runner%.lua$" then main(arg) end

return M
