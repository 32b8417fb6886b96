-- doc/diagnostics.md, made of csrc/base/diag_list.h and the rows of folders: lua tools/diagnostics.lua >doc/diagnostics.md   (in the root)
-- Loaded by a spec it only gives the text.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local ROW = '^HX_DIAG%(([%w_]+), HX_(%w+), "([^"]*)", "(.-)", "(.*)"%)$'
local ESCAPES = { n = "\n", ["\\"] = "\\", ['"'] = '"' }

-- A detail as a reader sees it: without C's escapes, with … for what is filled in, but for a sentence that may follow (a suggestion).
local function plain(c_text)
  local s = c_text:gsub("\\(.)", ESCAPES):gsub("%%%%", "\0"):gsub("%%[%-%d.*]*l*[sducx]", "…"):gsub("%z", "%%")
  return (s:gsub("%.…%f[ %z]", "."):gsub("[|$*<]", "\\%0"))
end

local out = {}
local function put(...) out[#out + 1] = table.concat({ ... }) end

put "# Diagnostics\n"
put "<!-- Made by `make docs` from csrc/base/diag_list.h and lua/hclexpr/terraform/language/diagnostics.lua: change the rows there. -->\n"
put "Every diagnostic has a stable `code`, a `severity`, a `summary` (a heading) and a `detail` that names what is wrong and, in its last"
put "sentence, what to do. `…` stands for what the case itself fills in: a name, a value, a type. Several summaries may share one code;"
put "programs should look at the code."

local function begin(topic)
  put("\n## ", topic, "\n")
  put "| code | severity | summary | detail, and what to do |"
  put "|---|---|---|---|"
end

local function row(severity, code, summary, detail)
  if not detail:find "%a" then detail = "Written where the mistake is found: by a function, an operator or the data." end
  put("| `", code, "` | ", severity, " | ", plain(summary), " | ", detail, " |")
end

local topic
for line in io.lines(support.root .. "csrc/base/diag_list.h") do
  local heading = line:match "^/%* (.-) %*/$"
  if heading then
    topic = heading:gsub("%s*%b()", ""):gsub(":.*", "")
  elseif line:match "^HX_DIAG" then
    local _, severity, code, summary, detail = line:match(ROW)
    assert(code, "no row: " .. line)
    if topic then begin(topic) end
    topic = nil
    row(severity:lower(), code, summary, plain(detail))
  end
end
for _, rows in ipairs(dofile(support.root .. "lua/hclexpr/terraform/language/diagnostics.lua").topics) do
  begin(rows.name)
  for _, given in ipairs(rows) do row(given[2], given[3], given[4], "") end
end
local text = table.concat(out, "\n") .. "\n"

if arg and arg[0] and arg[0]:match "diagnostics%.lua$" then io.write(text) end
return text
