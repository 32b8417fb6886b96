-- doc/diagnostics.md, made of csrc/base/diag_list.h: lua tools/diagnostics.lua >doc/diagnostics.md   (in the root)
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
put "<!-- Made by `make docs` from csrc/base/diag_list.h: change the rows there instead. -->\n"
put "Every diagnostic has a stable `code`, a `severity`, a `summary` (a heading) and a `detail` that names what is wrong and, in its last"
put "sentence, what to do. `…` stands for what the case itself fills in: a name, a value, a type. Several summaries may share one code;"
put "programs should look at the code."

local topic
for line in io.lines(support.root .. "csrc/base/diag_list.h") do
  local heading = line:match "^/%* (.-) %*/$"
  if heading then
    topic = heading:gsub("%s*%b()", ""):gsub(":.*", "")
  elseif line:match "^HX_DIAG" then
    local _, severity, code, summary, detail = line:match(ROW)
    assert(code, "no row: " .. line)
    if topic then
      put("\n## ", topic, "\n")
      put "| code | severity | summary | detail, and what to do |"
      put "|---|---|---|---|"
      topic = nil
    end
    local text = plain(detail)
    if not text:find "%a" then text = "Written where the mistake is found: by a function, an operator or the data." end
    put("| `", code, "` | ", severity:lower(), " | ", plain(summary), " | ", text, " |")
  end
end
local text = table.concat(out, "\n") .. "\n"

if arg and arg[0] and arg[0]:match "diagnostics%.lua$" then io.write(text) end
return text
