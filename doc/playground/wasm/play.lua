-- play.lua: a request of the page, and its answer. A request is the kind of source ("expression", "template", "file" or "folder"), the
-- source, the variables and what else is wanted ("explain", "functions"), with NULs between them; the answer is JSON:
--   value, type   texts; no value where something is wrong. A long type is a summary: "tuple of 1,000 numbers"
--   found         what is wrong, or warned of: { in = "source"|"variables", severity, message, code, from, to }, where from and to are
--                 { line, character } from 0 as editors count them
--   report        the same as a report for people
--   explained     why the value is so, where that is wanted
--   functions     where that is wanted: { name, usage, summary, example, absent }, absent: this page can't run it
local bodies = require "hclexpr.body"
local core = require "hclexpr.core"
local driver = require "hclexpr.driver"
local hcl = require "hclexpr"
local jsontext = require "hclexpr.json.text"
local sorted = require("hclexpr.util").sorted

-- Of each evaluation. A page has little memory, and nobody waits long for it.
local limits = { steps = 2e6, memory = 48 * 2 ^ 20, depth = 250, output = 2 ^ 20, source = 2 ^ 18 }
local scope = hcl.assert(hcl.scope { limits = limits, console = true })
-- What a file holds is data, and a template's text is shown as it is.
local plain = hcl.assert(hcl.scope { limits = limits })

local severities = { "error", "warning" }

-- The files of the folder that the kind "folder" reads.
local MAIN, VALUES = "main.tf", "terraform.tfvars"

-- The parts that an answer gets.
local function new_answer() return { found = {}, reports = {}, origins = {} } end

local function report(answer, place, err)
  if not err then return end
  answer.reports[#answer.reports + 1] = tostring(err)
  for i, d in ipairs(err:lsp "utf-16") do
    local range = err[i].range
    local of_values = range and range.filename and range.filename:find(VALUES, 1, true) == 1
    answer.found[#answer.found + 1] = {
      place = of_values and "variables" or place, said = d, summary = err[i].summary, detail = err[i].detail, placed = range ~= nil,
    }
  end
end

-- Attributes as their source has them.
local function in_order(attributes)
  local list = {}
  for _, attribute in pairs(attributes) do list[#list + 1] = attribute end
  table.sort(list, function(a, b) return a.range.start.byte < b.range.start.byte end)
  return list
end

-- Named values from the arguments of a body, or from a JSON object.
local function read_variables(answer, text)
  local values = {}
  local syntax = text:find "^%s*{" and "json" or "native"
  local body, err, partial = hcl.parse(text, { filename = "variables", syntax = syntax, limits = limits })
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
  local tree, _, partial = expression:explain(variables, within, { origin = origin })
  answer.explained = tostring(tree or partial)
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

local function plural(count, word)
  local digits = tostring(count):reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", "")
  return digits .. " " .. word .. (count == 1 and "" or "s")
end

local LONGEST = 100 -- bytes of a type that is shown as it is

-- "tuple of 1,000 numbers": what the elements are, if they are of one kind.
local function summary_of(value, kind)
  if not value:is_known() or value:is_null() or value:marks()[1] then return kind end
  if kind == "object" then return kind .. " with " .. plural(#value, "attribute") end
  local of
  for _, element in value:pairs() do
    local own = element:type():kind()
    of = of == nil and own or of == own and own or "element"
  end
  return kind .. " of " .. plural(#value, (of == nil or of == "dynamic") and "element" or of)
end

local function type_of(value)
  local type = value:type()
  local text = tostring(type)
  return #text <= LONGEST and text or summary_of(value, type:kind())
end

local function shown(value)
  if value ~= nil then return tostring(value), type_of(value) end
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
  if jsontext.write(writer, value) then return writer:text(), type_of(value) end
  return shown(value)
end

-- A folder has two files, and the module reads no others.
local texts = {}

function core.list_folder(_, dir)
  if dir == "." then return sorted(texts) end
  return nil, "this page has one folder"
end

function core.read_file(_, path)
  local text = texts[path:gsub("^%./", "")]
  return text, text == nil and "this page has only " .. MAIN .. " and " .. VALUES or nil
end

local actions = {
  create = "is created", ["no-op"] = "stays", update = "is updated", replace = "is replaced", read = "is read", import = "is imported",
}

-- A text below a line, indented.
local function add_part(lines, head, value)
  lines[#lines + 1] = "  " .. head .. tostring(value):gsub("\n", "\n  ")
end

local function text_of(plan)
  local lines, names = {}, sorted(plan.outputs)
  if names[1] then lines[1] = "Outputs" end
  for _, name in ipairs(names) do add_part(lines, name .. " = ", plan.outputs[name]) end
  if plan.resources[1] then lines[#lines + 1] = (lines[1] and "\n" or "") .. "Resources" end
  for _, r in ipairs(plan.resources) do
    lines[#lines + 1] = "  # " .. r.address .. (actions[r.action] and " " .. actions[r.action] or "")
    add_part(lines, "", r.value)
  end
  for i, row in ipairs(plan.missing or {}) do
    lines[#lines + 1] = (i == 1 and "\nMissing, so unknown\n" or "") .. "  " .. row.kind .. " " .. row.name
  end
  return table.concat(lines, "\n"), names
end

function kinds.folder(answer, source, variables)
  texts = { [MAIN] = source, [VALUES .. (variables:find "^%s*{" and ".json" or "")] = variables }
  local module, err, rest = hcl.module(".", { missing = "unknown", scope = plain })
  local whole = module ~= nil
  module = module or rest
  if not module then return report(answer, "source", err) end
  local plan, problems, partial = module:plan()
  report(answer, "source", problems or not whole and err or nil)
  plan = plan or partial
  if not plan then return end
  report(answer, "source", plan.warnings)
  local text, names = text_of(plan)
  if answer.wants_explained then
    local all = {}
    for i, name in ipairs(names) do
      local tree, _, part = module:explain("output." .. name)
      all[i] = tostring(tree or part)
    end
    answer.explained = all[1] and table.concat(all, "\n\n") or nil
  end
  if problems or not whole then return end
  return text, plural(#plan.resources, "resource")
end

-- What the list of functions shows.

local function usage_of(f)
  local names = {}
  for i, parameter in ipairs(f.params) do names[i] = parameter.name end
  if f.variadic then names[#names + 1] = f.variadic.name .. "..." end
  return f.name .. "(" .. table.concat(names, ", ") .. ")"
end

-- Does it need a library or files, which this page lacks?
local function is_absent(f)
  if f.capability == "filesystem" then return true end
  local _, err = hcl.eval(f.example, nil, scope)
  return err ~= nil and err[1].detail:find("This build of hclexpr has no", 1, true) ~= nil
end

local function list_functions(answer)
  answer.functions = {}
  for name, f in pairs(hcl.functions()) do
    answer.functions[#answer.functions + 1] = {
      name = name, usage = usage_of(f), summary = f.summary, example = f.example, absent = is_absent(f),
    }
  end
  table.sort(answer.functions, function(a, b) return a.name < b.name end)
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
  if not found.placed then return end
  writer:object("from", write_place, said.range.start)
  writer:object("to", write_place, said.range["end"])
end

local function write_function(writer, f)
  for _, name in ipairs { "name", "usage", "summary", "example" } do writer:field(name, f[name]) end
  if f.absent then writer:raw_field("absent", "true") end
end

local function write_answer(writer, answer)
  for _, name in ipairs { "value", "type", "explained" } do
    if answer[name] then writer:field(name, answer[name]) end
  end
  if answer.functions then writer:objects("functions", write_function, answer.functions) end
  writer:objects("found", write_found, answer.found)
  writer:field("report", table.concat(answer.reports, "\n\n"))
end

return function(request)
  local kind, source, variables, wants = request:match "^(%a+)%z(%Z*)%z(%Z*)%z(%Z*)$"
  local answer = new_answer()
  answer.wants_explained = wants:find "explain" ~= nil
  if wants:find "functions" then list_functions(answer) end
  local is_folder = kind == "folder"
  answer.value, answer.type = kinds[kind](answer, source, is_folder and variables or read_variables(answer, variables))
  local writer = jsontext.writer {}
  writer:object(nil, write_answer, answer)
  return writer:text()
end
