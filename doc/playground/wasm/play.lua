-- play.lua: a request of the page, and its answer. A request is the kind of source, the source, the variables and what else is wanted, with
-- NULs between them; the answer is JSON:
--   value, type   texts; no value where something is wrong
--   found         what is wrong, or warned of: { in = "source"|"variables", severity, message, code, from, to }, where from and to are
--                 { line, character } from 0 as editors count them
--   report        the same as a report for people
--   explained     why the value is so, where that is wanted
local bodies = require "hclexpr.body"
local hcl = require "hclexpr"
local jsontext = require "hclexpr.cli.jsontext"

-- Of each evaluation. A page has little memory, and nobody waits long for it.
local limits = { steps = 2e6, memory = 48 * 2 ^ 20, depth = 250, output = 2 ^ 20, source = 2 ^ 18 }
local scope = hcl.assert(hcl.scope { limits = limits, console = true })
-- What a file holds is data, and a template's text is shown as it is.
local plain = hcl.assert(hcl.scope { limits = limits })

local severities = { "error", "warning" }

-- The parts that an answer gets.
local function new_answer() return { found = {}, reports = {} } end

local function report(answer, place, err)
  if not err then return end
  answer.reports[#answer.reports + 1] = tostring(err)
  for i, d in ipairs(err:lsp "utf-16") do
    answer.found[#answer.found + 1] = { place = place, said = d, summary = err[i].summary, detail = err[i].detail }
  end
end

-- Named values from the arguments of a body.
local function read_variables(answer, text)
  local values = {}
  local body, err, partial = hcl.parse(text, { filename = "variables", limits = limits })
  report(answer, "variables", err)
  body = body or partial
  if not body then return values end
  for _, block in ipairs(body.blocks) do
    report(answer, "variables", hcl.diagnostic {
      summary = "A block among variables", object = block, detail = "Variables are written as arguments, such as name = \"value\".",
    })
  end
  for name, attribute in pairs(body.attributes) do
    local value, wrong = attribute:value(nil, scope)
    report(answer, "variables", wrong)
    values[name] = value
  end
  return values
end

local function explain(answer, expression, variables, within)
  if answer.wants_explained then answer.explained = tostring((expression:explain(variables, within))) end
end

-- Each gives the Value and its text.
local kinds = {}

local function evaluate(answer, source, variables, syntax, within)
  local expression, err = hcl.compile(source, { filename = syntax == "template" and "template" or "expression", syntax = syntax, limits = limits })
  report(answer, "source", err)
  if not expression then return end
  report(answer, "source", expression:warnings())
  local value, wrong = expression:value(variables, within)
  report(answer, "source", wrong)
  explain(answer, expression, variables, within)
  return value
end

function kinds.expression(answer, source, variables)
  local value = evaluate(answer, source, variables, "native", scope)
  return value, value and tostring(value)
end

function kinds.template(answer, source, variables)
  local value = evaluate(answer, source, variables, "template", plain)
  if value and value:is_known() and not value:is_null() and #value:marks() == 0 then return value, value:text() end
  return value, value and tostring(value)
end

function kinds.file(answer, source, variables)
  local body, err, partial = hcl.parse(source, { filename = "file", limits = limits })
  report(answer, "source", err)
  body = body or partial
  if not body or err then return end
  local value, wrong = bodies.decode_value(body, variables, plain)
  report(answer, "source", wrong)
  if not value then return end
  local writer = jsontext.writer { indent = "  " }
  return value, jsontext.write(writer, value) and writer:text() or tostring(value)
end

local function write_place(writer, place)
  writer:field("line", place.line)
  writer:field("character", place.character)
end

local function write_found(writer, found)
  local said = found.said
  writer:field("in", found.place)
  writer:field("severity", severities[said.severity] or "error")
  writer:field("code", said.code)
  writer:field("summary", found.summary)
  writer:field("detail", found.detail)
  writer:object("from", write_place, said.range.start)
  writer:object("to", write_place, said.range["end"])
end

local function write_answer(writer, answer)
  for _, name in ipairs { "value", "type", "explained" } do
    if answer[name] then writer:field(name, answer[name]) end
  end
  writer:objects("found", write_found, answer.found)
  writer:field("report", table.concat(answer.reports, "\n\n"))
end

return function(request)
  local kind, source, variables, wants = request:match "^(%a+)%z(%Z*)%z(%Z*)%z(%Z*)$"
  local answer = new_answer()
  answer.wants_explained = wants == "explain"
  local value
  value, answer.value = kinds[kind](answer, source, read_variables(answer, variables))
  answer.type = value and tostring(value:type())
  local writer = jsontext.writer {}
  writer:object(nil, write_answer, answer)
  return writer:text()
end
