-- Writes test results as JUnit XML, which CI services read.
local junit = {}

local text_of = require("hclexpr.json.text").text_of

local escapes = { ["<"] = "&lt;", [">"] = "&gt;", ["&"] = "&amp;", ['"'] = "&quot;", ["\n"] = "&#10;", ["\t"] = "&#9;" }

-- Control characters, U+FFFE and U+FFFF can't be in XML at all.
local function escape(text)
  return (text_of(text):gsub('[<>&"\n\t]', escapes):gsub("[%z\1-\31]", "?"):gsub("\239\191[\190\191]", "?"))
end

-- Joins the texts of the diagnostics with a severity, one per line.
local function texts(err, severity)
  local list = {}
  for _, d in ipairs(err or {}) do
    local place = d.range and ("%s:%d: "):format(d.range.filename or "", d.range.start.line) or ""
    if d.severity == severity then list[#list + 1] = place .. d.summary .. ": " .. d.detail end
  end
  return table.concat(list, "\n")
end

local words = { fail = "failure", error = "error" }

local function write_run(out, file, run)
  out[#out + 1] = ('    <testcase name="%s" classname="%s">\n'):format(escape(run.name), escape(file.path))
  local word = words[run.status]
  if word then
    out[#out + 1] = ('      <%s message="%s">%s</%s>\n'):format(word, run.status == "fail" and "Test run failed" or "Encountered an error",
      escape(texts(run.diagnostics, "error")), word)
  elseif run.status == "skip" or run.status == "pending" then
    out[#out + 1] = '      <skipped message="Skipped: something before it failed"></skipped>\n'
  end
  out[#out + 1] = "    </testcase>\n"
end

--- Writes the results of tests as the text of an XML file.
---@param result hclexpr.TestResult
---@return string
function junit.text(result)
  local out = { '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n' }
  for _, file in ipairs(result.files) do
    local counts = { fail = 0, error = 0, skip = 0, pass = 0, pending = 0 }
    for _, run in ipairs(file.runs) do counts[run.status] = counts[run.status] + 1 end
    out[#out + 1] = ('  <testsuite name="%s" tests="%d" skipped="%d" failures="%d" errors="%d">\n'):format(escape(file.path), #file.runs,
      counts.skip + counts.pending, counts.fail, counts.error)
    for _, run in ipairs(file.runs) do write_run(out, file, run) end
    local errors = texts(file.diagnostics, "error")
    if errors ~= "" then out[#out + 1] = ("    <system-err>%s</system-err>\n"):format(escape(errors)) end
    out[#out + 1] = "  </testsuite>\n"
  end
  out[#out + 1] = "</testsuites>\n"
  return table.concat(out)
end

return junit
