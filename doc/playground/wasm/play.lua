-- play.lua: a request of the page, and its answer. A request is the kind of source, the source, the variables and what else is wanted, with
-- NULs between them; the answer is JSON:
--   value, type   texts; no value where something is wrong
--   found         what is wrong, or warned of: { in = "source"|"variables", severity, message, code, from, to }, where from and to are
--                 { line, character } from 0 as editors count them
--   report        the same as a report for people
--   explained     why the value is so, where that is wanted
local bodies = require "hclexpr.body"
local core = require "hclexpr.core"
local driver = require "hclexpr.driver"
local hcl = require "hclexpr"
local jsontext = require "hclexpr.json.text"

-- Of each evaluation. A page has little memory, and nobody waits long for it.
local limits = { steps = 2e6, memory = 48 * 2 ^ 20, depth = 250, output = 2 ^ 20, source = 2 ^ 18 }
local scope = hcl.assert(hcl.scope { limits = limits, console = true })
-- What a file holds is data, and a template's text is shown as it is.
local plain = hcl.assert(hcl.scope { limits = limits })

local severities = { "error", "warning" }

-- The parts that an answer gets.
local function new_answer() return { found = {}, reports = {}, origins = {} } end

local function report(answer, place, err)
  if not err then return end
  answer.reports[#answer.reports + 1] = tostring(err)
  for i, d in ipairs(err:lsp "utf-16") do
    answer.found[#answer.found + 1] = { place = place, said = d, summary = err[i].summary, detail = err[i].detail }
  end
end

-- Attributes as their source has them.
local function in_order(attributes)
  local list = {}
  for _, attribute in pairs(attributes) do list[#list + 1] = attribute end
  table.sort(list, function(a, b) return a.range.start.byte < b.range.start.byte end)
  return list
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
  for _, attribute in ipairs(in_order(body.attributes)) do
    local name = attribute.name
    local value, wrong = attribute:value(nil, scope)
    report(answer, "variables", wrong)
    values[name], answer.origins[name] = value, attribute.range
  end
  return values
end

local function explain(answer, expression, variables, within)
  if not answer.wants_explained then return end
  local function origin(reference) return answer.origins[reference.root] end
  answer.explained = tostring((expression:explain(variables, within, { origin = origin })))
end

-- Each gives the value's text and type.
local kinds = {}

local render, value_of = driver.method(core.render), driver.method(core.expression_value)

-- What an entry gives for a source, if that can be read.
local function evaluate(answer, source, variables, syntax, entry, within)
  local filename = syntax == "template" and syntax or "expression"
  local expression, err = hcl.compile(source, { filename = filename, syntax = syntax, limits = limits })
  report(answer, "source", err)
  if not expression then return end
  report(answer, "source", expression:warnings())
  local value, wrong = entry(expression, variables, within)
  report(answer, "source", wrong)
  explain(answer, expression, variables, within)
  return value
end

local function shown(value)
  if value ~= nil then return tostring(value), tostring(value:type()) end
end

function kinds.expression(answer, source, variables)
  return shown(evaluate(answer, source, variables, "native", value_of, scope))
end

-- A Value is unknown or sensitive.
function kinds.template(answer, source, variables)
  local text = evaluate(answer, source, variables, "template", render, plain)
  if type(text) == "string" then return text, "string" end
  return shown(text)
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
  if jsontext.write(writer, value) then return writer:text(), tostring(value:type()) end
  return shown(value)
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
  answer.value, answer.type = kinds[kind](answer, source, read_variables(answer, variables))
  local writer = jsontext.writer {}
  writer:object(nil, write_answer, answer)
  return writer:text()
end
