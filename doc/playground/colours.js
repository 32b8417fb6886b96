// colours.js: the parts of a text that have a colour, as [from, to, kind]. Kinds are classes of style.css.
const words = new Set(["true", "false", "null", "for", "in", "if", "else", "endif", "endfor"])
const coloured = 60000 // characters: longer texts have no colours, since each part is an element of the page

// What begins at a place, in code and in texts. A "$${" is text.
const code = /(?<comment>#[^\n]*|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|<<[-~]?(?<heredoc>[\p{L}_][\p{L}\p{N}_-]*)[^\n]*\n|(?<number>\d[\d.]*(?:[eE][+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_-]*)|(?<sign>["{}])|[^]/uy
const text = /(?<sign>"|\$\{|%\{)|\$\$\{|%%\{|\\[^]|[^"$%\\]+|[^]/uy
const bare = /(?<sign>\$\{|%\{)|\$\$\{|%%\{|[^$%]+|[^]/uy

function kindOf(word, before, after) {
  if (words.has(word)) return "word"
  if (/^\s*(\(|::)/.test(after)) return "call"
  const begins = /(^|\n)[ \t]*$/.test(before) ? /^[ \t]*(=(?![=>])|:|"|\{|[\p{L}_])/u : /[{,][ \t]*$/.test(before) ? /^[ \t]*(=(?![=>])|:)/ : /$^/
  return begins.test(after) ? "name" : undefined
}

// isTemplate: all of it is a template. Heredocs end where a line has their word.
function coloursOf(source, isTemplate) {
  const spans = [], within = [isTemplate ? "bare" : "code"], patterns = { code, text, bare }
  if (source.length > coloured) return spans
  const paint = (from, to, kind) => { if (kind) spans.push([from, to, kind]) }
  let at = 0, end = source.length // of the heredoc that is open
  while (at < source.length) {
    const mode = within.at(-1), pattern = patterns[mode]
    if (mode === "bare" && at >= end) {
      within.pop()
      end = source.length
      continue
    }
    pattern.lastIndex = at
    const found = pattern.exec(source), { comment, heredoc, number, word, sign } = found.groups, next = at + found[0].length
    if (sign === "${" || sign === "%{") {
      paint(at, next, "sign")
      within.push("code")
    } else if (sign === '"') {
      paint(at, next, "text")
      if (mode === "text") within.pop()
      else within.push("text")
    } else if (sign === "{") within.push("code")
    else if (sign === "}") {
      if (within.length > 1) within.pop()
      if (within.at(-1) !== "code") paint(at, next, "sign")
    } else if (heredoc) {
      paint(at, next, "sign")
      const last = new RegExp(`^[ \\t]*${heredoc}[ \\t]*$`, "m").exec(source.slice(next))
      end = last ? next + last.index : source.length
      within.push("bare")
    } else if (mode !== "code") paint(at, next, "text")
    else paint(at, next, comment ? "comment" : number ? "number" : word && kindOf(word, source.slice(Math.max(0, at - 80), at), source.slice(next, next + 80)))
    at = next
  }
  return spans
}

// Puts a text into an element: a line is a span of its own, in which colours and marks are. marks: { from, to, severity } in order.
function putLines(element, source, marks, isTemplate) {
  const spans = coloursOf(source, isTemplate), make = name => Object.assign(document.createElement("span"), { className: name })
  let row = make("line"), next = 0
  element.replaceChildren(row)
  function add(box, from, to) {
    while (next < spans.length && spans[next][1] <= from) next++
    for (let i = next; from < to; i++) {
      const [start, stop, kind] = spans[i] ?? [to, to]
      if (start > from) box.append(source.slice(from, Math.min(start, to)))
      from = Math.max(from, Math.min(start, to))
      if (from >= to) break
      const part = make(kind)
      part.textContent = source.slice(from, Math.min(stop, to))
      box.append(part)
      from = Math.min(stop, to)
    }
  }
  function put(from, to, severity) {
    // The end of a line has nothing that could be marked: a space does.
    let lead = severity && (from === source.length || source[from] === "\n") ? " " : ""
    do {
      const newline = source.indexOf("\n", from), stop = newline < 0 || newline >= to ? to : newline + 1
      const box = severity ? Object.assign(document.createElement("mark"), { className: severity }) : row
      if (lead) box.append(lead)
      lead = ""
      add(box, from, stop)
      if (severity) row.append(box)
      if (stop > from && source[stop - 1] === "\n") element.append(row = make("line"))
      from = stop
    } while (from < to)
  }
  let done = 0
  for (const { from, to, severity } of marks) {
    if (from < done) continue // what overlaps an earlier one is left to the list
    put(done, from)
    done = Math.min(Math.max(to, from + 1), source.length)
    put(from, done, severity)
  }
  put(done, source.length)
  if (!row.hasChildNodes()) row.append(document.createElement("br"))
}
