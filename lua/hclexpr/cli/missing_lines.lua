-- Reports what a folder lacks: a line for each kind, with the option of the command that helps.
local places = require "hclexpr.places"
local shell = require "hclexpr.cli.shell"
local sorted = require("hclexpr.util").sorted
local sources = require "hclexpr.terraform.tree.sources"

local missing_lines = {}

-- The most names in a line.
local NAMED = 5

--- Lists names: the first few, and the number of the others.
---@param names string[]
---@return string
function missing_lines.names(names)
  local way = shell.way_to_all()
  if not way or #names <= NAMED then return table.concat(names, ", ") end
  return ("%s and %d more (%s)"):format(table.concat(names, ", ", 1, NAMED), #names - NAMED, way)
end

-- By kind: the text for one name, and for several.
local of_names = {
  variable = { "no value is given for %s, so it is unknown: -var NAME=VALUE and -var-file FILE give one",
               "no values are given for %s, so they are unknown: -var NAME=VALUE and -var-file FILE give some" },
  provider = { "the provider configuration %s is one that a caller passes: nothing here needs it",
               "the provider configurations %s are those that a caller passes: nothing here needs them" },
  schema = { "no schema of %s is known, so arguments are taken as written: hclexpr schemas says how to get one",
             "no schemas of %s are known, so arguments are taken as written: hclexpr schemas says how to get them" },
  version = { "the imported schema of %s is of another version than the configuration wants, so it gives types and reports nothing",
              "the imported schemas of %s are of other versions than the configuration wants, so they give types and report nothing" },
  file = { "%s has a syntax error. Undeclared names aren't reported, since it may declare them",
           "%s have syntax errors. Undeclared names aren't reported, since they may declare them" },
  unread = { "%s can't be read. Undeclared names aren't reported, since it may declare them",
             "%s can't be read. Undeclared names aren't reported, since they may declare them" },
  data = { "%s wasn't read, so its attributes are unknown: -state FILE has what Terraform last read",
           "%s weren't read, so their attributes are unknown: -state FILE has what Terraform last read" },
  values = { "%s can't be read, so variables that it may set are unknown", "%s can't be read, so variables that they may set are unknown" },
}

-- Quotes a word for a shell, which takes ? and * for patterns.
local function quoted(name)
  name = shell.plain_name(name)
  return name:find "[^%w@%%+=:,./_-]" and "'" .. name:gsub("'", "'\\''") .. "'" or name
end

local function of_module(row)
  local is_local = row.source and sources.is_local(row.source)
  local ways = row.source and ("%s-source %s says where it is"):format(is_local and "" or "terraform init fetches it, or ",
    quoted(row.source .. "=DIR"))
    or "its source depends on a value that is missing"
  return ("%s: %s isn't here, so its outputs are unknown: %s"):format(shell.plain_name(places.words(row.range)), row.name, ways)
end

-- Reports several missing modules: their names and sources, and once the option that helps.
local function of_modules(rows)
  if not rows[2] then return of_module(rows[1]) end
  local names = {}
  for i, row in ipairs(rows) do names[i] = row.name .. (row.source and " (" .. shell.plain_name(row.source) .. ")" or "") end
  return ("%d modules aren't here, so their outputs are unknown: %s. terraform init fetches them, or -source SOURCE=DIR says where one is")
    :format(#rows, missing_lines.names(names))
end

local function of_rows(kind, rows)
  if kind == "module" then return of_modules(rows) end
  local names = {}
  for i, row in ipairs(rows) do
    names[i] = shell.plain_name(row.name .. (row.wanted and (" (%s, not %s)"):format(row.version, row.wanted) or ""))
  end
  return of_names[kind][rows[2] and 2 or 1]:format(missing_lines.names(names))
end

-- Kinds that keep a plan from being complete.
local decisive = { module = true, variable = true, outside = true }

--- Reports what is missing, a line for each kind, in the order in which the kinds first appear in the list.
---@param list hclexpr.module.Missing[]
---@param kinds table<string, true> kinds that matter to the command
function missing_lines.report(list, kinds)
  local rows, order = {}, {}
  for _, row in ipairs(list) do
    local kind = row.unread and "unread" or row.kind
    if kinds[kind == "version" and "schema" or row.kind] then
      if not rows[kind] then rows[kind], order[#order + 1] = {}, kind end
      table.insert(rows[kind], row)
    end
  end
  for _, kind in ipairs(order) do shell.warn(of_rows(kind, rows[kind])) end
end

--- Reports the files outside of granted folders that functions asked for; these are known only after the evaluation.
---@param list? hclexpr.module.Missing[] all that is missing
---@param said? table<string, true> paths that were reported before; all paths are added
function missing_lines.report_outside(list, said)
  local names = {}
  for _, row in ipairs(list or {}) do
    if row.kind == "outside" and not (said and said[row.name]) then names[#names + 1] = shell.plain_name(row.name) end
    if said then said[row.name] = true end
  end
  if not names[1] then return end
  shell.warn(("functions may not read outside of the folder, so what is there is unknown: %s. -filesystem DIR lets them read DIR, too")
    :format(missing_lines.names(names)))
end

--- Reports which data sources weren't read, though outputs need them.
---@param module hclexpr.Module
---@param outputs table<string, hclexpr.Value>
function missing_lines.report_unread(module, outputs)
  local unread = {}
  for name, value in pairs(outputs) do
    local causes = not value:is_wholly_known() and module:_causes("output." .. name)
    for _, cause in ipairs(causes and causes.list or {}) do
      if cause.kind == "data" then unread[cause.name] = true end
    end
  end
  if next(unread) then shell.warn(of_names.data[next(unread, next(unread)) and 2 or 1]:format(missing_lines.names(sorted(unread)))) end
end

--- Returns true if something was missing that a value may depend on.
---@param list hclexpr.module.Missing[]
---@return boolean
function missing_lines.decides(list)
  for _, row in ipairs(list) do
    if decisive[row.kind] then return true end
  end
  return false
end

local function write_row(writer, row)
  for _, name in ipairs { "kind", "name", "source", "version", "wanted", "way" } do
    if row[name] then writer:field(name, row[name]) end
  end
  if row.range then writer:range("range", row.range) end
end

--- Writes a field `missing` of a JSON object.
---@param writer hclexpr.cli.Writer
---@param list hclexpr.module.Missing[]
function missing_lines.write(writer, list)
  writer:objects("missing", write_row, list)
end

return missing_lines
