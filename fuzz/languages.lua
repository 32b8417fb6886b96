-- Random descriptions of languages, right and broken, with random files and callbacks that raise, yield, ask and return anything. Nothing
-- crashes, hangs or fails inside; questions agree with each other; with one torn file, what is known of the others is what they give when
-- all are whole.
-- LUA languages.lua ROUNDS SEED   (hclexpr on the path)
local hcl = require "hclexpr"
local language = require "hclexpr.language"
local configuration = require "hclexpr.languages.configuration"
local description = require "hclexpr.languages.description"
local service = require "hclexpr.service"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local M = {}

local draw
local function chance(percent) return draw(100) <= percent end
local function pick(list) return list[draw(#list)] end

-- ---- descriptions -------------------------------------------------------------------------------------------------------

local TYPES = { "string", "number", "bool", "any", "list(string)", "map(number)", "set(string)", "object({ a = optional(number) })" }
local KINDS, ARGUMENTS = { "up", "way", "zone" }, { "a", "b", "c", "d" }
local OWN = { '"${self.name}!"', "1 + 1", "f(1)", "self.b == null ? 1 : 2", "self" }

local function argument()
  local kind = draw(9)
  if kind <= 3 then return pick(TYPES) end
  if kind == 4 then return { ref = pick(KINDS), required = chance(30) } end
  if kind == 5 then return { refs = chance(50) and pick(KINDS) or { "up", "zone" }, cycles = chance(50) } end
  if kind == 6 then return { type = "expression", types = { x = pick(TYPES) }, returns = chance(50) and "bool" or nil } end
  if kind == 7 then return { type = chance(20) and pick(TYPES) or nil, default_from = pick(OWN) } end
  if kind == 8 then return { type = chance(20) and pick(TYPES) or nil, value_from = pick(OWN) } end
  return { type = "number", default = draw(9), min = chance(30) and draw(5) or nil, deprecated = chance(20) or nil }
end

local function arguments()
  local made = {}
  for _, name in ipairs(ARGUMENTS) do made[name] = chance(70) and argument() or nil end
  return made
end

local function block(name)
  local addressed = chance(98)
  return {
    labels = { "name" }, address = addressed and name .. ".{name}" or nil, for_each = chance(40) or nil,
    duplicates = addressed and chance(20) and "last" or nil, attributes = arguments(),
    blocks = chance(40) and { part = { nesting = pick { "list", "single", "set" }, attributes = arguments() } } or nil,
    validation = chance(30) and { { condition = pick { "f(1) == 1", "self.name != null" }, error_message = "no ${self.name}" } }
      or nil,
  }
end

local function describe()
  local source = {
    name = "fuzz", files = { "*.fuzz" }, types = { given = "number" },
    functions = { f = { params = { { name = "x", type = "any" } }, returns = pick(TYPES) } },
    blocks = { locals = language.locals(), variable = language.variables() },
  }
  for _, name in ipairs(KINDS) do source.blocks[name] = block(name) end
  return source
end

local ODD = { 1, -1, 0 / 0, true, false, "", "x", "{name}", "up.{name}", "self.", {}, { 1 }, { name = 1 }, print, { "name", "name" } }
local WORDS = { "labels", "address", "attributes", "blocks", "ref", "refs", "type", "default_from", "validation", "nesting", "count", "min",
                "types", "functions", "files", "unit" }

local function keys_of(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return keys
end

-- Puts an odd thing into a description.
local function spoil(source)
  local at = source
  for _ = 1, draw(4) do
    local tables = {}
    for _, key in ipairs(keys_of(at)) do tables[#tables + 1] = type(at[key]) == "table" and at[key] or nil end
    if tables[1] then at = pick(tables) end
  end
  local keys = keys_of(at)
  at[chance(50) and keys[1] and pick(keys) or pick(WORDS)] = pick(ODD)
end

-- ---- files --------------------------------------------------------------------------------------------------------------

local NAMES = { "one", "two", "three", "a b" }
local function address()
  local name = pick(NAMES)
  return pick(KINDS) .. (name:find " " and '["' .. name .. '"]' or "." .. name)
end
local function expression()
  local kind = draw(14)
  if kind <= 3 then return pick { "1", '"s"', "true", "null", "[]", "{}", '["p", "q"]', "{ a = 1 }" } end
  if kind <= 6 then return address() .. (chance(60) and "." .. pick(ARGUMENTS) or "") end
  if kind == 7 then return "local." .. pick { "l", "m" } end
  if kind == 8 then return "f(" .. expression() .. ")" end
  if kind == 9 then return pick { "self.a", "self.name", "parent.a", "each.key", "each.value", "given", "var.v" } end
  if kind == 10 then return pick(KINDS) .. "[" .. expression() .. "]" end
  if kind == 11 then return "length(" .. pick(KINDS) .. ")" end
  if kind == 12 then return "[" .. expression() .. ", " .. expression() .. "]" end
  if kind == 13 then return '"${' .. expression() .. '}"' end
  return "x == " .. expression()
end

local function body(lines, depth)
  for _, name in ipairs(ARGUMENTS) do
    if chance(50) then lines[#lines + 1] = name .. " = " .. expression() end
  end
  if depth == 0 and chance(25) then lines[#lines + 1] = "for_each = " .. pick { "{ k = 1 }", 'toset(["k", "l"])', expression() } end
  if depth == 0 and chance(25) then
    lines[#lines + 1] = "part {"
    body(lines, 1)
    lines[#lines + 1] = "}"
  end
  if depth == 0 and chance(15) then
    lines[#lines + 1] = 'dynamic "part" {\nfor_each = ' .. expression() .. "\ncontent {\na = part.value\n}\n}"
  end
end

local function file()
  local lines = {}
  if chance(60) then lines[#lines + 1] = "locals {\nl = " .. expression() .. "\n}" end
  if chance(30) then lines[#lines + 1] = "locals {\nm = " .. expression() .. "\n}" end
  if chance(30) then lines[#lines + 1] = 'variable "v" {\ndefault = ' .. expression() .. "\n}" end
  for _ = 1, draw(4) do
    lines[#lines + 1] = ('%s "%s" {'):format(pick(KINDS), pick(NAMES))
    body(lines, 0)
    lines[#lines + 1] = "}"
  end
  return table.concat(lines, "\n") .. "\n"
end

-- ---- questions ----------------------------------------------------------------------------------------------------------

local RAISED = {}

local function callback(ask)
  local kind = draw(10)
  if kind <= 3 then return function(x) return x end end
  if kind == 4 then return function() error(RAISED, 0) end end
  if kind == 5 then return function() return coroutine.yield() end end
  if kind == 6 then return function() return nil, "no" end end
  if kind == 7 then
    local odd = pick { hcl.unknown "any", hcl.sensitive(1), {}, 1, "s", false, print, coroutine.create(function() end) }
    return function() return odd end
  end
  local what, which = pick { "eval", "get", "value", "values", "validate", "explain", "order" }, address()
  return function()
    local conf = ask()
    local method = conf[what]
    if what == "order" then which = pick(KINDS) end
    local found, err = method(conf, which)
    if err then return nil, tostring(err) end
    return what == "eval" and found or 1
  end
end

-- Whether an error is one of this library's words for a misuse, or the callback's own.
local function is_fine(why)
  if why == RAISED then return true end
  why = tostring(why)
  return not (why:find "attempt to " or why:find "assertion" or why:find "stack overflow" or why:find "bad argument #%d to '%?'")
end

-- Runs a function in a coroutine and answers its yields. Gives whether it ended, and what it gave or raised.
local function run(act, ...)
  local thread, given = coroutine.create(act), { ... }
  for _ = 1, 1000 do
    local answers = { coroutine.resume(thread, (table.unpack or rawget(_G, "unpack"))(given)) }
    if coroutine.status(thread) == "dead" then return (table.unpack or rawget(_G, "unpack"))(answers) end
    given = { 1 }
  end
  return false, "no end"
end

local LIMITS = { steps = 200000, memory = 8000000 }

local function open(lang, sources, impl)
  local conf
  local fine, made = pcall(lang.open, lang, sources, {
    names = { given = 1 }, functions = { f = impl(function() return conf end) }, limits = LIMITS,
  })
  if fine then conf = made end
  return fine, made
end

-- The text of a value that is known; nil otherwise.
local function plain(value) return value ~= nil and value:is_wholly_known() and tostring(value) or nil end

local function check_files(lang, report)
  local sources, shown = {}, {}
  for i = 1, draw(3) do sources[i] = { path = i .. ".fuzz", text = file() } end
  if chance(25) then
    local text = sources[1].text
    local at = draw(#text)
    sources[1].text = text:sub(1, at - 1) .. pick { "", "{", '"', "=", "\0", "${", "}" } .. text:sub(at + draw(5))
  end
  for i, each in ipairs(sources) do shown[i] = each.text end
  local function wrong(what, why) report(what .. ": " .. tostring(why) .. "\n" .. table.concat(shown, "----\n")) end
  local impl
  local function decide(ask)
    impl = impl or callback(ask)
    return impl
  end
  local fine, conf = open(lang, sources, decide)
  if not fine then
    if not is_fine(conf) then wrong("open", conf) end
    return
  end
  local questions = {
    function() return conf:get(address()) end, function() return conf:eval(expression()) end, function() return conf:values() end,
    function() return conf:validate() end, function() return conf:order(pick(KINDS)) end, function() return conf:explain(address()) end,
    function() return conf:value(expression(), { filename = "1.fuzz", byte = draw(#sources[1].text) - 1 }) end,
    function() return conf:addresses() end,
  }
  for _ = 1, draw(8) do
    local sound, why = run(pick(questions))
    if not sound and not is_fine(why) then wrong("question", why) end
  end
  -- The same with a function that always answers alike: whole, in the editor's way, and with a torn file beside it.
  local function same() return function() return 1 end end
  local _, whole = open(lang, sources, same)
  local torn = {}
  for i, each in ipairs(sources) do torn[i] = each end
  torn[#torn] = { path = torn[#torn].path, text = torn[#torn].text:sub(1, draw(#torn[#torn].text)) }
  shown[#shown + 1] = "torn:\n" .. torn[#torn].text
  local _, beside = open(lang, torn, same)
  local sound, checked = pcall(configuration.check, description.of(lang), sources, { limits = LIMITS })
  if not sound then return wrong("check", checked) end
  for i, each in ipairs { checked, whole } do
    local ended, why = pcall(each.validate, each)
    if not ended then wrong(i == 1 and "check" or "validate", why) end
  end
  local is_torn, _, mistakes = not hcl.parse(torn[#torn].text), whole:validate()
  for _, d in ipairs(mistakes or {}) do is_torn = is_torn and d.code ~= "module.duplicate" end -- the torn one may lack one of the two
  local function compare(question)
    local value = plain(whole:value(question))
    local other, unsure = plain(beside:value(question)), plain(checked:value(question))
    if is_torn and value and other and other ~= value then wrong("torn", question .. ": " .. other .. ", not " .. value) end
    if value and unsure and unsure ~= value then wrong("check", question .. ": " .. unsure .. ", not " .. value) end
  end
  for _, at in ipairs(whole:addresses()) do
    compare(at.address)
    for _, name in ipairs(ARGUMENTS) do compare(at.address .. "." .. name) end
  end
end

-- Asks the editor at places of a file.
local function check_editor(lang, report)
  local workspace = service.new { languages = { lang }, list = function() return {} end, read = function() end }
  local text = file()
  text = text:sub(1, draw(#text))
  for _, name in ipairs { "complete", "hover", "definition", "references", "diagnostics", "symbols" } do
    local fine, why = pcall(function()
      workspace:open("1.fuzz", text)
      return workspace[name](workspace, "1.fuzz", draw(#text + 1) - 1)
    end)
    if not fine then report("editor, " .. name .. ": " .. tostring(why) .. "\n" .. text) end
  end
end

--- So many descriptions; report is called with each finding. How many findings, and how many descriptions were right.
function M.run(rounds, seed, report)
  local found, right = 0, 0
  local function note(text)
    found = found + 1
    report(text)
  end
  for round = 1, rounds do
    draw = support.random(seed + round)
    local source = describe()
    local spoiled = chance(30)
    if spoiled then spoil(source) end
    local fine, lang = pcall(language, source)
    local function with_seed(text) note(("seed %d: %s"):format(seed + round - 1, text)) end
    if fine then
      right = right + 1
      check_files(lang, with_seed)
      check_editor(lang, with_seed)
      local documented, why = pcall(lang.document, lang)
      if not documented then with_seed("document: " .. tostring(why)) end
    elseif not is_fine(lang) then
      with_seed("description: " .. tostring(lang))
    end
  end
  return found, right
end

if arg and arg[0] and arg[0]:find "languages%.lua$" then
  local found, right = M.run(tonumber(arg[1]) or 1000, tonumber(arg[2]) or 1, print)
  print(("%d findings; %d descriptions were right"):format(found, right))
  os.exit(found == 0 and 0 or 1)
end

return M
