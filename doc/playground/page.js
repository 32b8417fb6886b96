// page.js: the page around the engine. What is typed is evaluated in a worker soon after. A worker that doesn't answer is replaced, so no
// program stops the page.
const $ = id => document.getElementById(id)
const patience = 4000 // milliseconds that a worker has for an answer, its start included
const pause = 120 // milliseconds without typing before it is asked

// What is typed

const texts = { source: $("source"), variables: $("variables") }
const kinds = [...document.querySelectorAll("#kind input")]
const kind = () => kinds.find(input => input.checked).value

function put(program) {
  texts.source.value = program.source
  texts.variables.value = program.variables
  for (const input of kinds) input.checked = input.value === program.kind
  changeKind()
}

function changeKind() {
  const isFolder = kind() === "folder"
  $("source-title").textContent = isFolder ? "main.tf" : "Source"
  $("variables-title").textContent = isFolder ? "terraform.tfvars" : "Variables"
  for (const name in texts) showMarks(name, [])
  ask()
}

// Links: the program is the fragment, JSON as UTF-8 in base64 of the form for addresses. Longer texts than the engine takes
// (wasm/play.lua) are refused anyway, and browsers open no address of any length.
const mostBytes = 2 ** 18 // bytes of a program

function say(what) {
  $("shared").textContent = what
  setTimeout(() => { $("shared").textContent = "" }, 4000)
}

// undefined: the program is too long for one.
function fragment() {
  const program = [kind(), texts.source.value, texts.variables.value]
  if (program.join("").length > mostBytes) return undefined
  const bytes = new TextEncoder().encode(JSON.stringify(program))
  if (bytes.length > mostBytes) return undefined
  return btoa(Array.from(bytes, b => String.fromCharCode(b)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

function linked() {
  if (location.hash.length > mostBytes * 4 / 3 + 4) {
    say("The link is too long for a program.")
    return undefined
  }
  try {
    const bytes = atob(location.hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"))
    const [kind, source, variables] = JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, c => c.charCodeAt(0))))
    if (!kinds.some(input => input.value === kind)) return undefined
    return { kind, source: String(source), variables: String(variables) }
  } catch { /* a fragment that isn't ours */ }
}

async function share() {
  const linking = fragment()
  if (linking === undefined) return say("The program is too long for a link: shorten it.")
  history.replaceState(null, "", `#${linking}`)
  let how = "Copied."
  try { await navigator.clipboard.writeText(location.href) } catch { how = "The link is in the address bar." }
  say(how)
}

// Marks

// The offset of a place, which is a line and a character from 0.
function offset(text, place) {
  let at = 0
  for (let line = 0; line < place.line; line++) at = text.indexOf("\n", at) + 1 || text.length
  return Math.min(at + place.character, text.length)
}

// Shows a text in colours, with marks where something was found.
function showMarks(name, found) {
  const text = texts[name].value, pre = $(`${name}-marks`)
  const spans = found.map(f => ({ from: offset(text, f.from), to: offset(text, f.to), severity: f.severity })).sort((a, b) => a.from - b.from)
  putLines(pre, text, spans, name === "source" && kind() === "template")
  texts[name].setAttribute("aria-invalid", String(found.some(f => f.severity === "error")))
  pre.scrollTop = texts[name].scrollTop
}

function go(f) {
  const area = texts[f.in]
  area.focus()
  area.setSelectionRange(offset(area.value, f.from), offset(area.value, f.to))
}

// Answers

function item(f) {
  const li = document.createElement("li"), strong = document.createElement("strong"), detail = document.createElement("p")
  li.className = f.severity
  strong.textContent = f.severity === "warning" ? `Warning: ${f.summary}` : f.summary
  detail.textContent = f.detail
  li.append(strong, " ")
  if (f.from) {
    const place = document.createElement("button")
    place.type = "button"
    place.textContent = `${$(`${f.in}-title`).textContent}, line ${f.from.line + 1}`
    place.onclick = () => go(f)
    li.append(place)
  }
  li.append(detail)
  return li
}

function show(answer) {
  const value = $("value"), known = answer.value !== undefined
  putLines(value, answer.value ?? "", [], false)
  value.hidden = !known
  $("type").textContent = known ? answer.type : "no value"
  $("found").replaceChildren(...answer.found.map(item))
  for (const name in texts) showMarks(name, answer.found.filter(f => f.in === name && f.from))
  if ($("explain").open) $("explained").textContent = answer.explained ?? "Nothing was evaluated."
  if (answer.functions) list(answer.functions)
}

// The list of functions: a click puts one at the cursor.

let listed = false

function listItem(f) {
  const li = document.createElement("li"), name = document.createElement("button")
  name.type = "button"
  name.textContent = f.usage
  name.title = f.example
  name.onclick = () => {
    const area = texts.source
    area.focus()
    area.setRangeText(f.usage, area.selectionStart, area.selectionEnd, "select")
    area.dispatchEvent(new Event("input"))
  }
  li.dataset.text = `${f.usage} ${f.summary}`.toLowerCase()
  li.append(name, ` ${f.summary}${f.absent ? " Not in this page." : ""}`)
  if (f.absent) li.className = "lacking"
  return li
}

function filter() {
  const wanted = $("filter").value.trim().toLowerCase()
  for (const li of $("list").children) li.hidden = !li.dataset.text.includes(wanted)
}

function list(functions) {
  listed = true
  $("list").replaceChildren(...functions.map(listItem))
  filter()
}

function broke(why) {
  show({ found: [{ severity: "error", summary: "No answer", detail: why }] })
}

// The worker. One request is under way at a time, and only the newest waits.

let module, worker, broken, busy, next, clock, typing, count = 0

function start() {
  let lives = false
  worker = hclexprStart(module)
  worker.onmessage = ({ data }) => {
    if (!busy || data.id !== busy.id) return
    clearTimeout(clock)
    lives = true
    busy = undefined
    document.body.dataset.answered = data.id
    if (data.failed) replace(`This program is too much for the page, which began anew (${data.failed}).`)
    else if (!next) show(data.answer)
    send()
  }
  worker.onerror = event => {
    event.preventDefault()
    // One that never answered would break down again.
    if (!lives) return stop(`The evaluator can't start (${event.message}).`)
    replace(`The evaluator broke down, and was started anew (${event.message}).`)
    send()
  }
}

function stop(why) {
  clearTimeout(clock)
  broken = why
  worker = busy = next = undefined
  document.body.dataset.answered = count
  broke(why)
}

function replace(why) {
  clearTimeout(clock)
  worker.terminate()
  busy = undefined
  if (!next) broke(why)
  start()
}

function send() {
  if (busy || !next || !worker) return
  busy = next
  next = undefined
  clock = setTimeout(() => {
    document.body.dataset.answered = busy.id
    replace(`There was no answer within ${patience / 1000} seconds, so the evaluation was stopped.`)
    send()
  }, patience)
  worker.postMessage(busy)
}

function ask() {
  const wanted = [$("explain").open && "explain", $("functions").open && !listed && "functions"].filter(Boolean).join(" ")
  next = { id: ++count, kind: kind(), source: texts.source.value, variables: texts.variables.value, wanted }
  document.body.dataset.asked = count
  if (broken) return stop(broken)
  send()
}

for (const name in texts) {
  texts[name].oninput = () => {
    showMarks(name, [])
    clearTimeout(typing)
    typing = setTimeout(ask, pause)
  }
  texts[name].onscroll = () => { $(`${name}-marks`).scrollTop = texts[name].scrollTop }
}
for (const input of kinds) input.onchange = changeKind
$("explain").ontoggle = ask
$("functions").ontoggle = ask
$("filter").oninput = filter
$("theme").onclick = () => {
  const dark = getComputedStyle(document.body).getPropertyValue("--is-dark").trim() === "1"
  document.documentElement.dataset.theme = dark ? "light" : "dark"
}
$("share").onclick = share
$("examples").append(...examples.map((example, i) => new Option(example.name, i)))
$("examples").onchange = event => { if (event.target.value) put(examples[event.target.value]) }
window.onhashchange = () => { const program = linked(); if (program) put(program) }

async function begin() {
  put(linked() ?? examples[0])
  if (typeof hclexprWasm === "undefined") {
    $("absent").hidden = false
    return
  }
  try {
    module = await WebAssembly.compile(Uint8Array.from(atob(hclexprWasm), c => c.charCodeAt(0)))
  } catch (error) {
    broke(`This browser can't run hclexpr: ${error.message}`)
    return
  }
  start()
  send()
}
begin()
