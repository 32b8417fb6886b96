-- Makes doc/diagnostics.md from csrc/base/diag_list.h, the rows of folders, and the reports for spec/mistakes:
-- lua tools/diagnostics.lua >doc/diagnostics.md   (in the root, with hclexpr on the path)
-- Loaded by a spec, it only returns the text.
local root = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../"
local support = dofile(root .. "spec/support.lua")
local null_comparisons = require "hclexpr.cli.null_comparisons"
local Findings = require "hclexpr.findings"
local hcl = require "hclexpr"
local language, calls = dofile(root .. "spec/mistakes/language.lua"), dofile(root .. "spec/mistakes/calls.lua")
local folders = dofile(root .. "spec/mistakes/folders.lua")

local ROW = '^HX_DIAG%(([%w_]+), HX_(%w+), "([^"]*)", "(.-)", "(.*)"%)$'

-- Rows that no source can show: the system itself lacks something.
local BY_SYSTEM = { NO_MEMORY = true, LIMIT_STACK = true }

-- Folders with more files than a reader wants to see.
local UNSHOWN = { MODULE_TREE = true }

local function plain(c_text) return (c_text:gsub("\\(.)", "%1")) end

local out = {}
local function put(...) out[#out + 1] = table.concat({ ... }) end
local function fenced(kind, text) put("```", kind, "\n", (text:gsub("\n+$", "")), "\n```\n") end

put "# Diagnostics\n"
put "<!-- Made by `make docs` from csrc/base/diag_list.h, lua/hclexpr/terraform/language/diagnostics.lua and spec/mistakes. -->\n"
put "Every diagnostic has a stable `code`, a `severity`, a `summary` (a heading) and a `detail`, which says what is wrong, then what to do."
put "Several summaries may share one code; programs should look at the code. Each report below comes from the source above it, or in it."
put "\nTo find a message, search this page for its first line. Its code is the section's heading."
put "No option silences a warning: [the FAQ](faq.md#a-warning-that-you-accept) says what to do instead.\n"

-- The report of the first diagnostic with a row's code, severity and summary.
local function report(row, found)
  local head = row.severity:gsub("^%l", string.upper) .. ": " .. row.summary .. "\n"
  for _, err in ipairs(found) do
    local has = false
    for _, d in ipairs(err) do has = has or d.code == row.code and d.severity == row.severity and d.summary == row.summary end
    for part in (has and tostring(err) .. "\n\n" or ""):gmatch "(.-)\n\n" do
      if part:sub(1, #head) == head then return part end
    end
  end
  error(row.name .. ": spec/mistakes shows no such report")
end

-- Warnings of a file of rules.
local function of_rules(text)
  local findings = Findings.new(true)
  null_comparisons.check(hcl.parse(text, { filename = "rules.hcl" }), findings)
  return findings:diagnostics()
end

---@class hclexpr.docs.Example shows a row; empty if its report shows the source
---@field lua? string
---@field files? table<string, string>
---@field with? string what else it needs

---@return hclexpr.docs.Example, hclexpr.Diagnostics[]
local function example_of(name)
  if calls[name] then
    local run = assert((loadstring or load)("local hcl = ...\n" .. calls[name])) -- luacheck: ignore
    return { lua = calls[name] }, { (select(2, run(hcl))) }
  elseif folders.rows[name] then
    local found, files = folders.reports(name)
    return { files = files, with = type(folders.rows[name]) == "table" and folders.rows[name].with }, found
  elseif name == "CHECK_ABSENT" then
    return {}, { of_rules 'allow = request.headers["x-team"] != "blocked"\n' }
  end
  for _, m in ipairs(language.rows) do
    if m[3] == name then return {}, { language.read(m[1], m[2]) } end
  end
  error(name .. " has no source in spec/mistakes")
end

local function show_source(example, name)
  if example.lua then fenced("lua", (("\n" .. example.lua):gsub("\nreturn nil, ", "\n"):gsub("\nreturn ", "\n"):gsub("^\n", ""))) end
  for _, path in ipairs(UNSHOWN[name] and {} or support.keys(example.files or {})) do
    local text = example.files[path]
    if text ~= "# empty\n" then fenced("hcl", path == "main.tf" and text or "# " .. path .. "\n" .. text) end
  end
  if example.with then put("With `", example.with, "`:\n") end
end

local function show(row)
  if BY_SYSTEM[row.name] then return put("**", row.summary, "** (", row.severity, "): ", row.detail, "\n") end
  local example, found = example_of(row.name)
  show_source(example, row.name)
  fenced("text", report(row, found))
end

-- Topics, each an array of rows.
local function topics()
  local list, topic = {}, nil
  for line in io.lines(root .. "csrc/base/diag_list.h") do
    local heading = line:match "^/%* (.-) %*/$"
    if heading then topic = { name = heading:gsub("%s*%b()", ""):gsub(":.*", "") } end
    local name, severity, code, summary, detail = line:match(ROW)
    assert(name or not line:match "^HX_DIAG", "no row: " .. line)
    if name then
      if not topic[1] then list[#list + 1] = topic end
      topic[#topic + 1] = { name = name, severity = severity:lower(), code = code, summary = plain(summary), detail = plain(detail) }
    end
  end
  for _, rows in ipairs(dofile(root .. "lua/hclexpr/terraform/language/diagnostics.lua").topics) do
    local topic_of_folders = { name = rows.name }
    for i, given in ipairs(rows) do
      topic_of_folders[i] = { name = given[1], severity = given[2], code = given[3], summary = given[4] }
    end
    list[#list + 1] = topic_of_folders
  end
  return list
end

for _, rows in ipairs(topics()) do
  put("## ", rows.name, "\n")
  local by_code, codes = {}, {}
  for _, row in ipairs(rows) do
    if not by_code[row.code] then
      by_code[row.code] = {}
      codes[#codes + 1] = row.code
    end
    table.insert(by_code[row.code], row)
  end
  for _, code in ipairs(codes) do
    put("### `", code, "`\n")
    for _, row in ipairs(by_code[code]) do show(row) end
  end
end
local text = table.concat(out, "\n"):gsub("\n+$", "\n")

if arg and arg[0] and arg[0]:match "diagnostics%.lua$" then io.write(text) end
return text
