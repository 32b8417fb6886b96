-- The playground in a browser: it evaluates, shows errors at their places, shares, and survives hostile programs.
-- usage: lua page.lua BROWSER PAGE [PICTURE]
local browser = dofile((arg[0]:gsub("[^/]*$", "browser.lua")))
local program, page, picture = arg[1], arg[2], arg[3]

local passed, failed = 0, 0
local b = browser.start(program)

local function test(name, run)
  local ok, err = pcall(run)
  if ok then passed = passed + 1 else
    failed = failed + 1
    io.stderr:write("failed: ", name, ": ", tostring(err), "\n")
  end
end

local function same(expected, got)
  if expected ~= got then error(("expected %q, got %q"):format(tostring(expected), tostring(got)), 2) end
end

-- Actions of tests: types by events, as a person does; waits until the newest request was answered.
local helpers = [[
  window.type = (id, text) => { const e = $(id); e.value = text; e.dispatchEvent(new Event("input")) }
  window.settled = async () => {
    const started = performance.now()
    await new Promise(done => setTimeout(done, 200))
    while (document.body.dataset.asked !== document.body.dataset.answered) {
      if (performance.now() - started > 60000) throw new Error("the page gave no answer")
      await new Promise(done => setTimeout(done, 20))
    }
    await new Promise(done => setTimeout(done, 20))
  }
  window.choose = name => { const e = $("examples")
    e.value = examples.findIndex(x => x.name === name)
    e.dispatchEvent(new Event("change")) }
  window.marks = id => [...$(id + "-marks").querySelectorAll("mark")].map(m => m.textContent).join("|")
  window.reads = id => $(id).textContent
]]

local function open(fragment)
  b:open(page .. (fragment or ""))
  b:run(helpers)
  b:run "settled()"
end

local function js(text)
  return '"' .. text:gsub('[\\"]', "\\%0"):gsub("\n", "\\n") .. '"'
end

local function enter(kind, source, variables)
  b:run(("kinds.forEach(i => { i.checked = i.value === %s }); changeKind(); type('variables', %s); type('source', %s); settled()")
    :format(js(kind), js(variables or ""), js(source)))
end

test("the first example has a value", function()
  open()
  same('"Hello, JUAN! You have 2 messages."', b:run "reads('value')")
  same("string", b:run "reads('type')")
  same(0, b:run "$('found').children.length")
end)

test("what is typed is evaluated", function()
  enter("expression", "[for x in l : x * 2]", "l = [1, 2]")
  same("[\n  2,\n  4,\n]", b:run "reads('value')")
  same("tuple([number, number])", b:run "reads('type')")
end)

test("templates and files", function()
  enter("template", "a ${x}\n%{ if x > 1 }b%{ endif }", "x = 2")
  same("a 2\nb", b:run "reads('value')")
  enter("file", 'a = x\nb "c" {}', "x = 2")
  same('{"a":2,"b":{"c":[{}]}}', b:run "JSON.stringify(JSON.parse(reads('value')))")
end)

test("variables may be a JSON object", function()
  enter("expression", "[for u in users : u.name]", '{ "users": [{ "name": "ana" }] }')
  same('[\n  "ana",\n]', b:run "reads('value')")
  enter("expression", "a", '{ "a": }')
  same("}", b:run "marks('variables')")
end)

test("a long type is a summary", function()
  enter("expression", "range(1000)")
  same("list(number)", b:run "reads('type')")
  enter("expression", "[for n in range(1000) : n]")
  same("tuple of 1,000 numbers", b:run "reads('type')")
  enter("expression", '{ for n in range(40) : "name-${n}" => n }')
  same("object with 40 attributes", b:run "reads('type')")
  enter("expression", "convert([], list(object({ " .. ("a"):rep(120) .. " = string })))")
  same("list of 0 elements", b:run "reads('type')")
end)

test("lines have numbers, and parts have colours", function()
  enter("expression", '[\n  upper("a"),\n  1, # one\n]\n')
  same(5, b:run "$('source-marks').querySelectorAll('.line').length")
  same('call upper|text "|text a|text "|number 1|comment # one',
    b:run "[...$('source-marks').querySelectorAll('.line span')].map(s => s.className + ' ' + s.textContent).join('|')")
  enter("template", 'a "${x}" %{ if y }b%{ endif }', "x = 1\ny = true")
  same("${|}|%{|}|%{|}", b:run "[...$('source-marks').querySelectorAll('.sign')].map(s => s.textContent).join('|')")
end)

test("a Terraform folder has two files", function()
  enter("folder", 'variable "n" {\n  type = number\n}\n\noutput "twice" {\n  value = 2 * var.n\n}\n', "n = 21")
  same("Outputs\n  twice = 42", b:run "reads('value')")
  enter("folder", 'output "x" {\n  value = local.nme\n}\nlocals {\n  name = 1\n}\n', "n = true\n")
  same("local.nme", b:run "marks('source')")
  same(true, b:run "reads('found').includes('main.tf, line 2')")
end)

test("functions are listed, found, and put at the cursor", function()
  enter("expression", "", "")
  b:run "$('functions').open = true; settled()"
  same(true, b:run "$('list').children.length > 100")
  same(true, b:run "[...$('list').children].some(li => li.textContent.includes('regex(') && li.textContent.includes('Not in this page'))")
  b:run "type('filter', 'cidrsubnet('); $('list').querySelector('li:not([hidden]) button').click(); 0"
  same(1, b:run "$('list').querySelectorAll('li:not([hidden])').length")
  same("cidrsubnet(prefix, newbits, netnum)", b:run "$('source').value")
  b:run "$('functions').open = false; settled()"
end)

test("a mistake is marked where it is, and reported", function()
  enter("expression", '"Hello, ${upper(nmae)}!"', 'name = "juan"')
  same("nmae", b:run "marks('source')")
  same(true, b:run "reads('found').includes('Did you mean \"name\"?')")
  same("true", b:run "$('source').getAttribute('aria-invalid')")
  same(true, b:run "$('value').hidden")
  b:run "$('found').querySelector('button').click()"
  same("source 16 20", b:run "[document.activeElement.id, $('source').selectionStart, $('source').selectionEnd].join(' ')")
  enter("expression", "1", "")
  same("", b:run "marks('source')")
  same("", b:run "reads('found')")
end)

test("places count characters as editors do, on later lines and in variables, too", function()
  enter("expression", '["😀é",\n "😀" + bad]', "a = nope")
  same('"😀"|bad', b:run "marks('source')")
  same("nope", b:run "marks('variables')")
  same(true, b:run [[$('source-marks').textContent.startsWith('["😀é",\n "😀" + bad]')]])
end)

test("what is missing at the end of a text or line is marked there", function()
  enter("expression", "1 +")
  same(" ", b:run "marks('source')")
  enter("file", "a =\nb = 1\n")
  same(" \n", b:run "marks('source')")
  same(" b = 1", b:run "$('source-marks').textContent.replace(/\\n/g, ' ').slice(4, 10)")
end)

test("why it is so", function()
  b:run "$('explain').open = true; 0"
  enter("expression", "a ? b : c", "a = true\nb = 1\nc = 2")
  same(true, b:run "reads('explained').includes('first branch')")
  b:run "$('explain').open = false; 0"
end)

test("each example does what its name says", function()
  for _, name in ipairs(b:run "examples.map(x => x.name)") do
    b:run(("choose(%s); settled()"):format(js(name)))
    local wrong = name == "A mistake" or name == "Too much work"
    same(wrong and 1 or 0, b:run "$('found').children.length")
  end
end)

test("a link holds the whole program", function()
  enter("template", "é ${x} 😀", 'x = "ü"')
  b:run "share()"
  local fragment = b:run "location.hash"
  open(fragment)
  same("é ü 😀", b:run "reads('value')")
  same("template", b:run "kind()")
  same('x = "ü"', b:run "$('variables').value")
  for _, foreign in ipairs { "#", "#???", "#W10", "#WzEsMiwzXQ", "#bnVsbA" } do
    open(foreign)
    same('"Hello, JUAN! You have 2 messages."', b:run "reads('value')")
  end
end)

test("a program that is too long for a link has none", function()
  open()
  b:run [[$('source').value = '"' + 'x'.repeat(300000) + '"'; share()]]
  same("", b:run "location.hash")
  same(true, b:run "reads('shared').includes('too long')")
  open("#" .. ("A"):rep(400000))
  same(true, b:run "reads('shared').includes('too long')")
  same('"Hello, JUAN! You have 2 messages."', b:run "reads('value')")
end)

test("nothing but the page's own files is run or loaded", function()
  open()
  b:run [[new Promise(done => {
    const e = document.createElement("script")
    e.textContent = "window.stray = 1"
    document.body.append(e)
    const f = document.createElement("img")
    f.setAttribute("onerror", "window.stray = 2")
    f.onload = f.onerror = () => setTimeout(done, 100)
    f.src = "http://127.0.0.1:9/x.png"
    document.body.append(f)
    setTimeout(done, 1000)
  })]]
  same("undefined", b:run "typeof window.stray")
  same("refused", b:run [[fetch("http://127.0.0.1:9/").then(() => "loaded", () => "refused")]])
end)

-- The page keeps drawing: its own clock ticks while a hostile program runs.
local watch = [[
  window.longest = 0
  let before = performance.now()
  window.ticking = setInterval(() => { const now = performance.now(); longest = Math.max(longest, now - before); before = now }, 10)
]]

local function hostile(name, source, variables)
  test(name, function()
    enter("expression", source, variables)
    same(true, b:run "$('found').children.length > 0")
    same(true, b:run "$('value').hidden")
    enter("expression", '"alive ${1 + 1}"')
    same('"alive 2"', b:run "reads('value')")
  end)
end

b:run(watch)
hostile("a program of many steps meets its limit", "[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a * b * c]]]")
hostile("one of much memory", 'join("", [for a in range(1000) : join("", [for b in range(1000) : "' .. ("x"):rep(1000) .. '"])])')
hostile("one that nests deeply", ("["):rep(20000))
hostile("one whose templates nest deeply", ('"${'):rep(5000))
hostile("one without an answer in time is stopped", "v0",
  (("v%d = [for a in range(1000) : [for b in range(600) : a]][0][0]\n"):rep(300):gsub("%%d", (function()
    local n = -1
    return function() n = n + 1 return tostring(n) end
  end)())))
test("the page never stood still", function()
  local longest = b:run "longest"
  if longest > 2000 then error("for " .. longest .. " milliseconds it did") end
end)
test("a worker that is replaced while much is typed answers the newest", function()
  b:run "for (let i = 0; i < 50; i++) type('source', 'range(1000)[' + i + ']')"
  b:run "worker.onerror({ preventDefault() {}, message: 'tried' }); settled()"
  same("49", b:run "reads('value')")
end)

if picture then
  b:run "choose('A mistake'); settled()"
  local data = b:call("Page.captureScreenshot", { format = "png" }).data
  local file = assert(io.popen("base64 -d >'" .. picture .. "'", "w"))
  file:write(data)
  file:close()
end
test("an evaluator that can't start is reported, and not started again and again", function()
  b:run [[WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(empty => {
    module = empty
    worker.terminate()
    start()
    type("source", "1 + 1")
    return settled()
  })]]
  assert(b:run "reads('found')":find("can't start", 1, true), b:run "reads('found')")
end)
b:close()
print(("playground: %d passed, %d failed"):format(passed, failed))
os.exit(failed == 0 and 0 or 1)
