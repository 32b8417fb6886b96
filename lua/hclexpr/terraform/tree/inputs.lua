-- Collects the values given to a root's variables, and converts each to its variable's type.
local check = require "hclexpr.check"
local core = require "hclexpr.core"
local Files = require "hclexpr.terraform.read.files"
local Findings = require "hclexpr.terraform.language.findings"
local language = require "hclexpr.terraform.language.language"
local missing = require("hclexpr.lazy") "hclexpr.terraform.tree.missing"
local places = require "hclexpr.places"
local reading = require "hclexpr.terraform.read.reading"
local sorted = require("hclexpr.util").sorted

local inputs = {}

---@class hclexpr.module.Input a value given to a variable
---@field value hclexpr.Value
---@field place? hclexpr.findings.Place the place of its expression in a file, if any
---@field source? string where it comes from, in words, if it has no place
---@field torn? string an unreadable file that may set the variable: then the value is unknown

-- Collecting. Each name has one row { origin, read }: the last one given, so only that one is evaluated. read(declaration, findings)
-- returns an Input, or reports a mistake and returns nil.

local function put(given, name, origin, read)
  if not given.rows[name] then given.order[#given.order + 1] = name end
  given.rows[name] = { origin = origin, read = read }
end

-- Returns true if the value of a variable must never be shown.
local function is_secret(declaration)
  return declaration.sensitive or declaration.ephemeral
end

-- Returns a reader of a text that wasn't given in a file. If the variable has a primitive type or lacks a type, the text is the value;
-- otherwise it is an expression.
local function read_text(text, source)
  return function(declaration, findings)
    if not declaration.parsed then return { value = core.value(text), source = source } end
    local expression, err = core.compile(text, { filename = "<value for var." .. declaration.name .. ">" })
    local value
    if expression then value, err = reading.evaluate(expression) end
    if value ~= nil then return { value = value, source = source } end
    if not is_secret(declaration) then return findings:add(err) end
    ---@cast err -?
    findings:report("MODULE_INPUT", places.head_of(declaration), "The value of the variable %s, which %s gives, can't be read (%s, at "
      .. "character %d of it). It is read as an expression, so quote text in it.", declaration.name, source,
      err[1].summary:lower(), err[1].range.start.column)
  end
end

local function read_value(value, source, findings)
  local made, err = core.value(value)
  if made == nil then
    findings:report("MODULE_INPUT", {}, "%s: %s", source, err[1].detail)
    return nil
  end
  return function() return { value = made, source = source } end
end

-- Files

local function read_attribute(attribute)
  return function(_, findings)
    local value, err = reading.evaluate(attribute.expression)
    if value ~= nil then return { value = value, place = places.of_expression(attribute.expression) } end
    findings:add(err)
  end
end

-- Reports variables that are declared in a file of values, as beginners do.
local function check_declarations(findings, body)
  local fine = true
  local _, blocks = reading.level({ findings = Findings.new() }, body, language.values)
  for _, block in ipairs(blocks) do
    fine = false
    findings:report("MODULE_BLOCK", { object = block, range = block.type_range }, "Variables are declared in .tf files. Give their values "
      .. "here: %s = ...", block.labels[1])
  end
  return fine
end

-- Collects the values in a file. If the file has mistakes, collects nothing and returns false.
local function collect_file(given, findings, files, path, origin, limits)
  local text, why = files:read(path)
  if not text then
    findings:report("MODULE_FILE", {}, "%s can't be read: %s.", path, why)
    return false
  end
  local json = path:find "%.json$" ~= nil
  local body, err, readable = core.parse(text, { filename = path, limits = limits, syntax = json and "json-literal" or "native" })
  if err then findings:add(err) end
  if readable then check_declarations(findings, readable) end
  if not body or not check_declarations(findings, body) then return false end
  local reader = { findings = findings, json = json }
  for _, attribute in ipairs((reading.arguments(reader, body))) do put(given, attribute.name, origin, read_attribute(attribute)) end
  return true
end

local function is_automatic(name)
  return name:find "%.auto%.tfvars$" or name:find "%.auto%.tfvars%.json$"
end

-- Lists the files that are read automatically; later ones take precedence. As in Terraform, a link to a missing file is ignored for the
-- first two names, and an error for the others.
local function automatic_files(files, dir)
  local names = files:list(dir) or {}
  local known, found = {}, {}
  for _, name in ipairs(names) do known[name] = true end
  for _, name in ipairs { "terraform.tfvars", "terraform.tfvars.json" } do
    if known[name] and files:exists(Files.join(dir, name)) then found[#found + 1] = name end
  end
  for _, name in ipairs(names) do
    if is_automatic(name) then found[#found + 1] = name end
  end
  return found
end

-- Settings, in their order

local function collect_setting(given, findings, text)
  local name, value = text:match "^([^=]*)=(.*)$"
  if not name then
    findings:report("MODULE_INPUT", {}, "The setting %s has no value: name=value", core.quote(text))
  elseif name:find " $" then
    findings:report("MODULE_INPUT", {}, "The name of the setting %s ends in a space. Remove that: %s=%s", core.quote(text),
      (name:gsub(" +$", "")), (value:gsub("^ ", "")))
  else
    put(given, name, "setting", read_text(value, "the setting " .. name))
  end
end

local function collect_settings(given, findings, options, dir, files, limits)
  for _, setting in ipairs(options.settings or {}) do
    if type(setting) == "string" then
      collect_setting(given, findings, setting)
    elseif setting.file then
      local path = Files.within(dir, setting.file)
      collect_file(given, findings, files, path, "file", limits)
    else
      put(given, setting.name, "setting", read_value(setting.value, "the setting " .. setting.name, findings))
    end
  end
  for _, name in ipairs(sorted(options.variables or {})) do
    put(given, name, "setting", read_value(options.variables[name], "the option variables." .. name, findings))
  end
end

--- Returns the value of a name in the environment as a row of inputs.collect, or nil.
---@param environment? table<string, string>|fun(name: string): string?
---@param name string
---@return { origin: string, read: function }?
function inputs.of_environment(environment, name)
  if environment == nil then return nil end
  local key = "TF_VAR_" .. name
  local given
  if type(environment) == "function" then given = environment(key) else given = environment[key] end
  local text = check.given("environment", key, given)
  if not text then return nil end
  return { origin = "environment", read = read_text(text, "the environment variable " .. key) }
end

--- Collects the values in the files of a folder that are read automatically.
---@param dir string
---@param files hclexpr.module.Files
---@param limits? hclexpr.Limits
---@param findings hclexpr.Findings gets the mistakes
---@return { order: string[], rows: table<string, { origin: string, read: function }>, torn?: string } torn: an unreadable file
function inputs.automatic(dir, files, limits, findings)
  local given = { order = {}, rows = {} }
  for _, name in ipairs(automatic_files(files, dir)) do
    local path = Files.join(dir, name)
    if not collect_file(given, findings, files, path, "file", limits) then given.torn = given.torn or path end
  end
  return given
end

--- Collects the values in the automatic files, and then those in the settings of a module.
---@param options table of hcl.module
---@param dir string
---@param files hclexpr.module.Files
---@param limits? hclexpr.Limits
---@param findings hclexpr.Findings
---@param of_automatic? hclexpr.Findings gets the mistakes in automatic files; by default, `findings` does
---@return { order: string[], rows: table<string, { origin: string, read: function }>, torn?: string }
function inputs.collect(options, dir, files, limits, findings, of_automatic)
  local given = inputs.automatic(dir, files, limits, of_automatic or findings)
  collect_settings(given, findings, options, dir, files, limits)
  return given
end

-- Reading

-- Reports values for undeclared names. Of the names in files, only the first two are reported by name. Names in the environment aren't
-- reported.
local function tell_undeclared(given, findings, names)
  local in_files = {}
  for _, name in ipairs(names) do
    local row = given.rows[name]
    if row.origin == "file" then
      if row.read({ name = name }, Findings.new()) then in_files[#in_files + 1] = name end
    else
      findings:report("MODULE_UNDECLARED_INPUT", {}, "%s is set, but the folder declares no such variable. Add: variable \"%s\" {}",
        core.quote(name), name)
    end
  end
  for i = 1, math.min(2, #in_files) do
    findings:report("MODULE_UNUSED_INPUT", {}, "A file sets %s, but the folder declares no such variable. Add: variable \"%s\" {}",
      core.quote(in_files[i]), in_files[i])
  end
  if #in_files > 2 then
    findings:report("MODULE_UNUSED_INPUT", {}, "Files give values to %d more undeclared variables.", #in_files - 2)
  end
end

local unknown = core.unknown("any", { untyped = true })

-- Reads the values given to a folder's variables. `torn` is an unreadable file that may set any variable without a setting.
local function read_declared(given, findings, folder, torn)
  local values = {}
  for _, name in ipairs(sorted(folder.variables)) do
    local row, declaration = given.rows[name], folder.variables[name]
    if torn and not (row and row.origin == "setting") then values[name] = { value = unknown, torn = torn }
    elseif row then values[name] = row.read(declaration, findings) end
  end
  return values
end

---@class hclexpr.module.Inputs
---@field values table<string, hclexpr.module.Input> by name
---@field unreadable? hclexpr.Diagnostics mistakes in files and settings that can't be read; they hide all others
---@field torn? string an unreadable automatic file, if missing parts are unknown; variables that it may set are unknown, too
---@field torn_why? hclexpr.Diagnostics
---@field wrong? hclexpr.Diagnostics values that can't be evaluated, undeclared names
---@field missing? hclexpr.Diagnostics required variables without a value, and other mistakes that only plans report

local function tell_missing(findings, folder, values, lenient)
  for _, name in ipairs(sorted(folder.variables)) do
    local declaration, given = folder.variables[name], values[name]
    if not lenient and missing.lacks_value(declaration, values) then
      findings:report("MODULE_INPUT_MISSING", places.head_of(declaration), "The variable %s has no default, and no value is given. "
        .. "Set it in a setting, a file of variables or the environment variable TF_VAR_%s.", core.quote(name), name)
    end
    local attribute = declaration.arguments.deprecated
    if attribute and given and given.value:is_known() and not given.value:is_null() then
      findings:report("MODULE_DEPRECATED", { object = attribute, range = attribute.range }, "The variable %s is given a value: %s",
        core.quote(name), declaration.deprecated or "")
    end
  end
end

--- Reads the values given to a root's variables.
---@param options table of hcl.module
---@param folder hclexpr.module.Folder
---@param files hclexpr.module.Files
---@param limits? hclexpr.Limits
---@return hclexpr.module.Inputs
function inputs.read(options, folder, files, limits)
  local unreadable, wrong, late = Findings.new(true), Findings.new(true), Findings.new(true)
  local lenient = options.missing == "unknown"
  local torn = lenient and Findings.new(true) or nil
  local given = inputs.collect(options, folder.dir, files, limits, unreadable, torn)
  for name in pairs(folder.variables) do
    given.rows[name] = given.rows[name] or inputs.of_environment(options.environment, name)
  end
  local undeclared = {}
  for _, name in ipairs(given.order) do
    if not folder.variables[name] then undeclared[#undeclared + 1] = name end
  end
  local made = { unreadable = unreadable:diagnostics(), values = {}, torn = lenient and given.torn, torn_why = torn and torn:diagnostics() }
  if made.unreadable then return made end
  made.values = read_declared(given, wrong, folder, made.torn)
  tell_undeclared(given, wrong, undeclared)
  tell_missing(late, folder, made.values, lenient)
  made.wrong, made.missing = wrong:diagnostics(), late:diagnostics()
  return made
end

--- Returns the values of the const variables that have correct values.
---@param folder hclexpr.module.Folder
---@param values table<string, hclexpr.module.Input>
---@return table<string, hclexpr.Value>
function inputs.const_values(folder, values)
  local found = {}
  for name, declaration in pairs(folder.variables) do
    if declaration.const then found[name] = inputs.convert(declaration, values[name] or {}, Findings.new()) end
  end
  return found
end

-- Conversion to a variable's value

-- Reports that a variable can't have a value. The place is that of the value; for a secret that isn't null, or a value without a place, it
-- is that of the variable.
local function refuse(declaration, given, findings, is_null, text, ...)
  local place, written = places.head_of(declaration), given.expression and places.of_expression(given.expression) or given.place
  if written and (is_null or not declaration.sensitive) then place = written end
  local from = not written and given.source and string.format(", from %s,", given.source) or ""
  findings:report("MODULE_INPUT", place, "The value of var.%s%s %s", declaration.name, from, string.format(text, ...))
end

-- Converts a variable's default; if it doesn't fit, reports that and returns nil. Reference: defaults are converted twice, and some don't
-- fit the second time.
local function converted_default(declaration, findings)
  local value, err = declaration.value_type:convert(declaration.default)
  if value == nil then
    findings:report("MODULE_DEFAULT", places.head_of(declaration), "The default of %s doesn't fit its type: %s.", declaration.name,
      Findings.clause(err, true))
    return nil
  end
  declaration.converted_default = value
  return value
end

--- Returns the value of a variable that is given a value; if the value is wrong, reports that and returns nil. Without a given value the
--- result is the default, or unknown without a default. The steps: fill in defaults of optional(), convert to the type, replace null by the
--- default if the variable isn't nullable, add marks.
---@param declaration hclexpr.module.Declaration
---@param given hclexpr.module.Input|{ value: hclexpr.Value, expression: hclexpr.Expression }|{} expression: a call's argument
---@param findings hclexpr.Findings
---@return hclexpr.Value?
function inputs.convert(declaration, given, findings)
  local type, default = declaration.value_type --[[@as hclexpr.Type]], nil
  if declaration.default ~= nil then
    default = declaration.converted_default
    if default == nil then default = converted_default(declaration, findings) end
    if default == nil then return nil end
  end
  ---@type hclexpr.Value?
  local value = given.value
  if value == nil then value = default end
  if value == nil then
    local plain = core.type_of_parts("plain", { type })
    value = core.unknown(plain, { not_null = declaration.nullable == false or nil, untyped = plain:kind() == "dynamic" or nil })
  else
    -- marked first, because errors don't show marked values
    local hidden = is_secret(declaration) and value:mark(declaration.sensitive and "sensitive" or "ephemeral") or value
    local converted, err = type:convert(hidden)
    if converted == nil then
      refuse(declaration, given, findings, false, "doesn't fit its type: %s.", Findings.clause(err, true))
      return nil
    end
    value = converted
  end
  if declaration.nullable == false and value:is_null() then
    if default == nil then
      refuse(declaration, given, findings, true, "is null, but nullable = false forbids that.")
      return nil
    end
    value = default
  end
  if declaration.sensitive then value = value:mark "sensitive" end
  if declaration.ephemeral then value = value:mark "ephemeral" end
  return value
end

return inputs
