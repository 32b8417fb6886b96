-- Markdown pages from the description of a language, or from a plain schema. Required arguments come first, then the others. Both groups
-- are in alphabetical order, because Lua tables have no order. Descriptions are the author's own Markdown.
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local markdown = require "hclexpr.markdown"
local sorted = require("hclexpr.util").sorted
local typecheck = require "hclexpr.typecheck"

local code = markdown.code
local DEEPEST = 6 -- levels of headings

-- Returns an argument as a table. A string is the type of the argument.
local function argument_of(a) return type(a) == "table" and a or { type = a } end

-- Returns the content of a block. A description has it in the block itself, a schema in the field `schema`.
local function body_of(b) return b.schema or b end

-- Returns a type as text. t: a text, a Type, or the unknown value of a name.
local function type_text(t)
  if t == nil then return "any" end
  if type(t) == "string" then return t end
  return tostring(typecheck.type_of(t) or t:type())
end

-- Returns the text of an expression, which is a string or compiled.
local function source_of(x) return type(x) == "string" and x or x:source() end

-- Returns the keys of a table, sorted. Those for which first(value) is true come first.
local function in_order(t, first)
  local names = sorted(t)
  local rank = {}
  for i, name in ipairs(names) do rank[name] = i + (first(t[name]) and 0 or #names) end
  table.sort(names, function(a, b) return rank[a] < rank[b] end)
  return names
end

local function is_required(a) return argument_of(a).required end
local function is_needed(b) return (b.min or 0) > 0 end

local function written(value)
  local text = hcl.encode(value, { indent = false })
  return text and code(text) or "a secret" -- a description holds no other values without a text
end

-- Joins words: "a", "a or b", "a, b or c".
local function either(words)
  if #words < 2 then return words[1] or "" end
  return table.concat(words, ", ", 1, #words - 1) .. " or " .. words[#words]
end

local function list_of(kinds)
  local words = {}
  for i, kind in ipairs(type(kinds) == "table" and kinds or { kinds }) do words[i] = code(kind.type or kind) end
  return either(words)
end

-- Returns the kind of value that an argument takes, in words.
local function kind_text(a)
  if a.ref then return "a reference to " .. list_of(a.ref) end
  if a.refs then return "references to " .. list_of(a.refs) end
  if a.kept or a.type == "expression" then return "expression" .. (a.returns and " of " .. code(type_text(a.returns)) or "") end
  return code(type_text(a.type))
end

-- The fields of an argument that the page mentions, in their order, with functions that return the text.
local facts = {
  { "required", function() return "required" end },
  { "default", function(value) return "default " .. written(value) end },
  { "default_from", function(source) return "default " .. code(source_of(source)) end },
  { "value_from", function(source) return "always " .. code(source_of(source)) .. ", never written" end },
  { "one_of", function(values)
    local words = {}
    for i, value in ipairs(values) do words[i] = written(value) end
    return #words > 1 and "one of " .. either(words) or "only " .. words[1]
  end },
  { "min", function(n) return "at least " .. tostring(core.value(n)) end },
  { "max", function(n) return "at most " .. tostring(core.value(n)) end },
  { "pattern", function(pattern) return "matches " .. code(pattern) end },
}

-- Returns a description, indented below an item of a list.
local function indented(text) return (text:gsub("\n([^\n])", "\n  %1")) end

local function name_list(types)
  local words = {}
  for i, name in ipairs(sorted(types)) do words[i] = code(name) .. ": " .. code(type_text(types[name])) end
  return table.concat(words, "; ")
end

local function deprecation(a)
  if not a.deprecated then return nil end
  return "Deprecated" .. (type(a.deprecated) == "string" and ": " .. a.deprecated or ".")
end

-- Adds the facts about an argument, from the nth one on.
local function add_facts(words, a, from)
  for i = from, #facts do
    local name, text = facts[i][1], facts[i][2]
    local value = a[name]
    if value ~= nil and (value ~= false or name == "default") then words[#words + 1] = text(value) end
  end
  return words
end

local function sight_text(a) return a.types and next(a.types) and "It sees " .. name_list(a.types) .. "." or nil end

local function argument_line(name, a)
  local words, texts = add_facts({ kind_text(a) }, a, 1), {}
  texts[1] = a.description
  texts[#texts + 1] = deprecation(a)
  texts[#texts + 1] = sight_text(a)
  local text = table.concat(texts, " ")
  return indented("- " .. code(name) .. ": " .. table.concat(words, ", ") .. (text ~= "" and ". " .. text or ""))
end

local function add(page, text)
  if text and text ~= "" then page[#page + 1] = text end
end

local function heading(level, text) return ("#"):rep(math.min(level, DEEPEST)) .. " " .. text end

-- Examples: only the required parts

local samples = { string = '"…"', number = "0", bool = "false", list = "[]", set = "[]", map = "{}" }
local MOST = 3 -- blocks of a kind

-- Returns an example value of a type in JSON form.
local function sample_of(json)
  if type(json) ~= "table" then return samples[json] or "null" end
  local kind, inner, words = json[1], json[2], {}
  if samples[kind] then return samples[kind] end
  if kind == "tuple" then
    for i, part in ipairs(inner) do words[i] = sample_of(part) end
    return "[" .. table.concat(words, ", ") .. "]"
  end
  local optional = {}
  for _, name in ipairs(json[3] or {}) do optional[name] = true end
  for _, name in ipairs(sorted(inner)) do
    if not optional[name] then words[#words + 1] = name .. " = " .. sample_of(inner[name]) end
  end
  return words[1] and "{ " .. table.concat(words, ", ") .. " }" or "{}"
end

local function address_of(language, kind)
  local b = (language.blocks or {})[kind]
  return b and type(b.address) == "string" and b.address:gsub("[{}]", "") or kind
end

local function sample(language, a)
  local refs = a.ref or a.refs
  if refs then
    local address = address_of(language, type(refs) == "table" and refs[1] or refs)
    return a.ref and address or "[" .. address .. "]"
  end
  local t = a.type
  if t == "expression" then t = a.returns end
  if a.one_of then return (hcl.encode(a.one_of[1], { indent = false })) end
  local made = t ~= nil and typecheck.type_of(t)
  return made and sample_of(core.json_decode(made:json())) or "null"
end

local function head(kind, b)
  local words = { kind }
  for _, label in ipairs(b.labels or {}) do words[#words + 1] = '"' .. label .. '"' end
  return table.concat(words, " ")
end

-- Returns the lines of the required parts of a body. seen: the enclosing schemas, since a schema may contain itself.
local function example(language, body, margin, lines, seen)
  for _, name in ipairs(sorted(body.attributes or {})) do
    local a = argument_of(body.attributes[name])
    if a.required then lines[#lines + 1] = margin .. name .. " = " .. sample(language, a) end
  end
  for _, kind in ipairs(sorted(body.blocks or {})) do
    local b = body.blocks[kind]
    local inner = body_of(b)
    for _ = 1, seen[inner] and 0 or math.min(b.min or 0, MOST) do
      seen[inner] = true
      lines[#lines + 1] = margin .. head(kind, b) .. " {"
      example(language, inner, margin .. "  ", lines, seen)
      lines[#lines + 1] = margin .. "}"
      seen[inner] = nil
    end
  end
  return lines
end

local function example_of(language, kind, b)
  local lines = example(language, body_of(b), "  ", { head(kind, b) .. " {" }, { [body_of(b)] = true })
  lines[#lines + 1] = "}"
  return markdown.block(hcl.format(table.concat(lines, "\n")), "hcl")
end

-- Bodies and blocks

local function many(n, what) return ("%d %s%s"):format(n, what, n == 1 and "" or "s") end

-- Returns the allowed number of blocks, in words.
local function count_text(b)
  local min, max = b.min or 0, b.max or b.nesting == "single" and 1 or nil
  if min > 0 and min == max then return "There must be " .. many(min, "block") .. "." end
  if min > 0 then return "There must be at least " .. many(min, "block") .. (max and (", at most %d"):format(max) or "") .. "." end
  return max and "There may be at most " .. many(max, "block") .. "." or nil
end

-- What a page says about the blocks that language.locals() and language.variables() make.
local declares = {
  locals = "Names for values: what an argument `NAME` gives is `local.NAME` in all expressions.",
  variables = "A value that the program may give: `var.NAME` in all expressions. It has the arguments `type`, `default`, "
    .. "`description`, `sensitive` and `nullable`, and blocks `validation` with `condition` and `error_message`.",
}

local function add_rules(page, rules)
  local lines = {}
  for i, rule in ipairs(rules or {}) do
    lines[i] = indented("- " .. code(rule.condition) .. (rule.error_message and ": " .. rule.error_message or ""))
  end
  if lines[1] then add(page, "Rules:\n\n" .. table.concat(lines, "\n")) end
end

local add_block

local function add_body(page, language, body, level, path, seen)
  local lines = {}
  for i, name in ipairs(in_order(body.attributes or {}, is_required)) do
    lines[i] = argument_line(name, argument_of(body.attributes[name]))
  end
  if lines[1] then add(page, "Arguments:\n\n" .. table.concat(lines, "\n")) end
  add_rules(page, body.validation)
  for _, kind in ipairs(in_order(body.blocks or {}, is_needed)) do add_block(page, language, kind, body.blocks[kind], level, path, seen) end
end

function add_block(page, language, kind, b, level, path, seen)
  local own, body = path == "" and kind or path .. " > " .. kind, body_of(b)
  add(page, heading(level, own))
  if declares[language.declares[kind]] and path == "" then return add(page, declares[language.declares[kind]]) end
  add(page, b.description)
  add(page, deprecation(b))
  if type(b.address) == "string" then add(page, "Its address is " .. code(b.address) .. ".") end
  if b.for_each then
    local address = type(b.address) == "string" and (", with the address %s"):format(code(b.address .. '["KEY"]')) or ""
    add(page, "With `for_each`, a map or a set of strings, there is an instance for each element" .. address .. ".")
  end
  if b.duplicates == "last" then add(page, "Of several with the same address the last one counts.") end
  add(page, count_text(b))
  if seen[body] then return add(page, "It holds what " .. seen[body] .. " does.") end
  seen[body] = code(own)
  add(page, example_of(language, kind, b))
  add_body(page, language, body, level + 1, own, seen)
end

-- Functions

local function add_functions(page, functions)
  if not next(functions) then return end
  add(page, heading(2, "Functions"))
  for _, name in ipairs(sorted(functions)) do
    local f, words, lines = functions[name], {}, {}
    if type(f) ~= "table" then f = {} end
    for i, p in ipairs(f.params or {}) do
      words[i] = (p.name or "value") .. ": " .. type_text(p.type)
      if p.description then lines[#lines + 1] = indented("- " .. code(p.name or "value") .. ": " .. p.description) end
    end
    local rest = f.variadic
    if rest then words[#words + 1] = (rest.name or "more") .. ": " .. type_text(rest.type) .. "..." end
    local returns = type(f.returns) ~= "function" and f.returns or nil
    add(page, heading(3, name))
    add(page, code(name .. "(" .. table.concat(words, ", ") .. "): " .. type_text(returns)))
    add(page, f.description or f.summary)
    add(page, table.concat(lines, "\n"))
  end
end

local function files_text(language)
  if not language.files then return nil end
  local words = {}
  for i, pattern in ipairs(language.files) do words[i] = code(pattern) end
  return "Files: " .. table.concat(words, ", ") .. "."
    .. (language.unit == "folder" and " The files of a folder belong together." or "")
end

--- Writes the Markdown page.
---@param source table a plain hclexpr.Schema, or what the author of a language wrote
---@param kinds table<string, { declares?: string }> the language's kinds of blocks at the top of a file; empty for a schema
---@param title? string
---@return string
local function write(source, kinds, title)
  local page, top = { heading(1, title or source.name or "Configuration") }, { blocks = source.blocks, declares = {} }
  for kind, row in pairs(kinds) do top.declares[kind] = row.declares end
  add(page, source.description)
  add(page, files_text(source))
  if source.types and next(source.types) then add(page, "Expressions see " .. name_list(source.types) .. ".") end
  add_body(page, top, source, 2, "", {})
  add_functions(page, source.functions or {})
  return table.concat(page, "\n\n") .. "\n"
end

return {
  --- Writes the page for a plain schema, which must be valid.
  ---@param schema hclexpr.Schema
  ---@param title? string
  ---@return string
  of_schema = function(schema, title) return write(schema, {}, title) end,
  --- Returns a summary of an argument in one line, without its type and whether it is required; nil: there is nothing to say.
  ---@param a hclexpr.languages.Argument
  ---@return string?
  facts = function(a)
    local words = add_facts({ (a.ref or a.refs or a.kept) and kind_text(a) or nil }, a, 2)
    local text = table.concat(words, ", ")
    return sight_text(a) and text .. ". " .. sight_text(a) or text ~= "" and text or nil
  end,
  --- Writes the page for a description.
  ---@param language hclexpr.languages.Description
  ---@param title? string
  ---@return string
  of_language = function(language, title) return write(language.source, language.level.kinds, title) end,
}
