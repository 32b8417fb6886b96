-- What commands over a folder say of what it lacks: a line for each kind, with the way out in options of the command.
local places = require "hclexpr.places"
local shell = require "hclexpr.cli.shell"
local sources = require "hclexpr.terraform.tree.sources"

local missing = {}

-- A lack that is one of many of its kind: they share a line. The second text is of several.
local shared = {
  variable = { "no value is given for %s, so it is unknown: -var NAME=VALUE and -var-file FILE give one",
               "no values are given for %s, so they are unknown: -var NAME=VALUE and -var-file FILE give some" },
  provider = { "the provider configuration %s is one that a caller passes: nothing here needs it",
               "the provider configurations %s are those that a caller passes: nothing here needs them" },
  schema = { "no schema of %s is known, so arguments count as configured: hclexpr schemas says how to get one",
             "no schemas of %s are known, so arguments count as configured: hclexpr schemas says how to get them" },
}

-- A word for a shell, which takes ? and * for patterns.
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

-- Several: which they are, with their sources, and the way out once.
local function of_modules(rows)
  local names = {}
  for i, row in ipairs(rows) do names[i] = row.name .. (row.source and " (" .. shell.plain_name(row.source) .. ")" or "") end
  return ("%d modules aren't here, so their outputs are unknown: %s. terraform init fetches them, or -source SOURCE=DIR says where one is")
    :format(#rows, table.concat(names, ", "))
end

local function of_file(row)
  return ("%s %s, so a name that nothing declares may be declared there"):format(shell.plain_name(row.name), row.unread and "can't be read"
    or "doesn't parse")
end

local function of_values(row)
  return shell.plain_name(row.name) .. " can't be read, so variables that it may set are unknown"
end

-- Kinds that keep a plan from being whole.
local decisive = { module = true, variable = true, outside = true }

--- Says what is missing, each once, in the order in which it is listed.
---@param list hclexpr.module.Missing[]
---@param kinds table<string, true> what the command has to do with
function missing.report(list, kinds)
  local names, order, modules = {}, {}, {}
  for _, row in ipairs(list) do
    local kind = row.kind
    if kinds[kind] and kind == "file" then shell.warn(of_file(row)) end
    if kinds[kind] and kind == "values" then shell.warn(of_values(row)) end
    if kinds[kind] and kind == "module" then modules[#modules + 1] = row end
    if kinds[kind] and shared[kind] then
      if not names[kind] then names[kind], order[#order + 1] = {}, kind end
      table.insert(names[kind], row.name)
    end
  end
  if modules[1] then shell.warn(modules[2] and of_modules(modules) or of_module(modules[1])) end
  for _, kind in ipairs(order) do
    local of_kind = names[kind]
    shell.warn(shared[kind][of_kind[2] and 2 or 1]:format(table.concat(of_kind, ", ")))
  end
end

-- So many paths are named.
local NAMED = 5

--- Says which files outside of the folders that may be read functions asked for: that is known when they were called.
---@param module? hclexpr.Module
---@param said? table<string, true> paths that were said before
function missing.report_outside(module, said)
  local names = {}
  for _, row in ipairs(module and module:missing() or {}) do
    if row.kind == "outside" and not (said and said[row.name]) then names[#names + 1] = shell.plain_name(row.name) end
    if said then said[row.name] = true end
  end
  if not names[1] then return end
  local more = #names > NAMED and (" and %d more"):format(#names - NAMED) or ""
  shell.warn(("functions may not read outside of the folder, so what is there is unknown: %s%s. -filesystem DIR lets them read DIR, too")
    :format(table.concat(names, ", ", 1, math.min(#names, NAMED)), more))
end

--- Was anything missing that a value may depend on?
---@param list hclexpr.module.Missing[]
---@return boolean
function missing.decides(list)
  for _, row in ipairs(list) do
    if decisive[row.kind] then return true end
  end
  return false
end

local function write_row(writer, row)
  for _, name in ipairs { "kind", "name", "source", "way" } do
    if row[name] then writer:field(name, row[name]) end
  end
  if row.range then writer:range("range", row.range) end
end

--- A field `missing` of a JSON object.
---@param writer hclexpr.cli.Writer
---@param list hclexpr.module.Missing[]
function missing.write(writer, list)
  writer:objects("missing", write_row, list)
end

return missing
