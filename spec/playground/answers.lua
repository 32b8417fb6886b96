-- Checks that the module as WebAssembly answers like the native module: sends recorded cases to both in the way of the page.
-- usage: lua answers.lua BROWSER PAGE, with the paths of a module without libraries and of doc/playground/wasm
local browser = dofile((arg[0]:gsub("[^/]*$", "browser.lua")))
local cjson = require "cjson"
local play = require "play"

-- Parts that differ in any two answers, and one that may differ: the size of the C stack.
local beside = { "timestamp", "uuid", "limit%.stack" }

local function is_beside(text)
  for _, pattern in ipairs(beside) do
    if text:find(pattern) then return true end
  end
  return false
end

local kinds = { expression = true, template = true }

local function request_of(case)
  local lines = {}
  for name, source in pairs(case.vars or {}) do lines[#lines + 1] = name .. " = " .. source end
  table.sort(lines)
  return { case.mode or "expression", case.src, table.concat(lines, "\n"), "" }
end

local function cases_of(path)
  local out = {}
  for line in io.lines(path) do
    local case = cjson.decode(line)
    if kinds[case.mode or "expression"] and not case.src:find "%z" and not is_beside(line) then
      local request = request_of(case)
      local native = play(table.concat(request, "\0"))
      if not is_beside(native) then out[#out + 1] = { request = request, native = native } end
    end
  end
  return out
end

local compare = [[
  window.compare = cases => {
    const wrong = []
    for (const { request, native } of cases) {
      let got
      try { got = JSON.stringify(engine(...request)) } catch (error) {
        got = String(error)
        engine = hclexprEngine(module)
      }
      const expected = JSON.stringify(JSON.parse(native))
      if (got !== expected) wrong.push(request[1] + "\n    expected " + expected + "\n    got " + got)
    }
    return wrong
  }
  window.engine = hclexprEngine(module)
  0
]]

local b = browser.start(arg[1])
b:open(arg[2])
b:run "new Promise(done => { const look = () => module ? done() : setTimeout(look, 20); look() })"
b:run(compare)
local count, failed = 0, 0
for path in io.popen("ls spec/conformance/cases/*.jsonl spec/conformance/bulk/*.jsonl"):lines() do
  local cases = cases_of(path)
  for first = 1, #cases, 200 do
    local some = {}
    for i = first, math.min(first + 199, #cases) do some[#some + 1] = cases[i] end
    for _, wrong in ipairs(b:run(("compare(%s)"):format(cjson.encode(some)))) do
      failed = failed + 1
      if failed <= 20 then io.stderr:write("failed: ", path, ": ", wrong, "\n") end
    end
  end
  count = count + #cases
end
b:close()
print(("playground, against this machine: %d passed, %d failed"):format(count - failed, failed))
os.exit(failed == 0 and count > 0 and 0 or 1)
