-- Shared by the commands over Terraform folders: their options, the module, and the output of Values and diagnostics.
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local checking = lazy "hclexpr.terraform.tests.checking"
local hcl = require "hclexpr"
local Files = require "hclexpr.terraform.read.files"
local inputs = require "hclexpr.cli.inputs"
local jsontext = lazy "hclexpr.json.text"
local missing_lines = lazy "hclexpr.cli.missing_lines"
local shell = require "hclexpr.cli.shell"
local sorted = require("hclexpr.util").sorted

local folders = {}

-- Adds an argument SOURCE=FOLDER. Both may contain "="; the last one separates them.
local function add_source(sources, text)
  local name, dir = text:match "^(.+)=([^=]+)$"
  if not name then shell.bad_usage("-source takes NAME=DIR, not " .. text) end
  local found, why = core.list_folder(nil, dir)
  if not found then shell.fail(("-source %s: the folder %s can't be read: %s"):format(text, dir, why)) end
  sources[name] = dir
end

local function grant(given, dir)
  inputs.check_folder(dir)
  given.filesystem = core.absolute_path(dir)
end

local function add_file(settings, name)
  settings[#settings + 1] = { file = name }
end

--- The options for folders.open, and the limits.
folders.options = {
  "Inputs and limits of the folder:",
  { "-var NAME=VALUE", "the value of a variable; the last one counts", into = "settings", act = table.insert },
  { "-var-file FILE", "values from a file such as prod.tfvars, in the current folder or in DIR",
    into = "settings", act = add_file },
  { "-state FILE", "a state file, or the output of `terraform show -json`; default: DIR/terraform.tfstate, if it exists. Only plan, "
    .. "outputs and console read it" },
  { "-schemas FILE", "the output of `terraform providers schema -json`; default: .hclexpr/schemas.json in DIR or a folder above it, and "
    .. "the schemas that `hclexpr schemas -import` keeps" },
  { "-source NAME=DIR", "use this folder for modules whose source is NAME", into = "sources", act = add_source },
  { "-provider NAME", "a provider configuration that a caller passes or Terragrunt generates, such as aws.west; '*': any that is missing",
    into = "providers", act = table.insert },
  { "-all", "show all missing things, warnings and errors; by default only the first few of each kind, and the number of the others" },
  { "-strict", "treat missing modules, values and files as errors, as Terraform does; by default they are unknown and reported once" },
  { "-workspace NAME", "the value of terraform.workspace" },
  { "-filesystem DIR", "let file() and similar functions also read files in that folder", act = grant },
  inputs.limit,
}

local function has_file(names, name)
  for _, found in ipairs(names) do
    if found == name then return true end
  end
  return false
end

-- Reads those of the named files that are streams, such as `-var-file=<(…)`, and returns their texts by name: a stream gives its text only
-- once.
local function streams_in(given)
  if given.streams then return given.streams end
  local texts = {}
  local function add(name)
    if name and name:find "^/dev/" then texts[core.absolute_path(name)] = shell.read(name) end
  end
  add(given.state)
  add(given.schemas)
  for _, setting in ipairs(given.settings) do add(type(setting) == "table" and setting.file) end
  given.streams = texts
  return texts
end

-- Shows the progress of a long plan, on a terminal only: one line that is overwritten, and removed in the end.
local function show_progress(done, total)
  shell.say_product(done >= total and "\r\27[K" or ("\r%d of %d\27[K"):format(done, total))
end

--- Returns true if a file exists. A pipe isn't opened for that, because opening it would wait for a writer.
---@param name string
---@return boolean
function folders.is_there(name)
  if core.is_pipe(name) then return true end
  local file = io.open(name, "rb")
  if file then file:close() end
  return file ~= nil
end

-- Returns true if a file exists in the folder `dir`, and not in the current one.
local function is_in_folder(dir, name)
  return not name:find "^/" and not folders.is_there(name) and folders.is_there(dir .. "/" .. name)
end

--- The kinds of missing parts that matter to commands that show values, check declarations, or need only names.
folders.of_values = { module = true, variable = true, provider = true, file = true, values = true, schema = true }
folders.of_declarations = { module = true, file = true, schema = true }
folders.of_names = { module = true, file = true }

-- Finds the file of schemas that is used by default: in the folder, or in the nearest folder above.
local function found_schemas(dir)
  local at = core.absolute_path(dir)
  while true do
    local path = (at == "/" and "" or at) .. "/.hclexpr/schemas.json"
    if core.read_file(nil, path) then return path end
    if at == "/" or at == "" then return nil end
    at = at:match "^(.*)/[^/]*$"
    if at == "" then at = "/" end
  end
end

-- Returns true if a call may have an unknown source.
local function has_open_source(module, err)
  for _, d in ipairs(err or {}) do
    if d.code ~= "module.missing" then return true end
  end
  for _, row in ipairs(module:missing()) do
    if row.kind == "file" or row.kind == "module" and not row.source then return true end
  end
end

-- Ends the command if a -source belongs to no call. asked: the sources of the calls; those of tests are added when the tests are read.
local function check_sources(module, err, given, asked)
  local function stray()
    for _, name in ipairs(sorted(given.sources)) do
      if not asked[name] then return name end
    end
  end
  if not stray() or has_open_source(module, err) then return end
  checking.load(module, checking.files(module))
  local name, sources = stray(), sorted(asked)
  if not name then return end
  local meant = core.suggest(name, sources)
  local what = name:find "^%.%.?/" and "no module that is missing has that path" or "no module call has that source"
  local way = meant and ("; did you mean %s?"):format(meant) or sources[1] and "; sources are " .. missing_lines.names(sources) or ""
  shell.bad_usage(("-source %s=%s: %s%s"):format(name, given.sources[name], what, way))
end

--- Opens a folder, and reports what it lacks.
---@param dir string
---@param given table the given options of folders.options; stateless: ignore the state
---@param kinds? table<string, true> kinds to report; nil: none
---@return hclexpr.Module? module for a folder with errors its readable parts
---@return hclexpr.Diagnostics? err what is wrong
function folders.open(dir, given, kinds)
  -- A module's paths start at its folder, paths on the command line at the current folder.
  local function within(path) return path and core.relative_path(dir, path) end
  local settings, state = {}, not given.stateless and within(given.state) or nil
  for i, setting in ipairs(given.settings) do
    local name = type(setting) == "table" and setting.file
    settings[i] = name and { file = is_in_folder(dir, name) and name or within(name) } or setting
  end
  local names = core.list_folder(nil, dir)
  if not state and not given.stateless and has_file(names or {}, "terraform.tfstate") then state = "terraform.tfstate" end
  local streams, asked = streams_in(given), {}
  local function source_of(source)
    asked[source] = true
    return given.sources[source]
  end
  local module, err, readable = lazy.load "hclexpr.terraform.module"(dir, {
    settings = settings, environment = os.getenv, workspace = given.workspace, state = state,
    schemas = within(given.schemas) or found_schemas(dir), installed = true,
    missing = given.strict and "error" or "unknown", source = source_of,
    providers = given.providers,
    read = next(streams) and function(path) return streams[core.absolute_path(path)] end or nil,
    resource = given.resource, scope = hcl.scope { limits = given.limits }, filesystem = given.filesystem,
    test_dir = given.test_directory,
    progress = core.is_terminal "stderr" and show_progress or nil,
  }, true)
  module = module or readable
  if module then check_sources(module, err, given, asked) end
  local lacks = module and kinds and module:missing()
  if lacks and lacks[1] then missing_lines.report(lacks, kinds) end
  return module, err
end

--- Reports that a folder has no configuration, if that is not an error. (A plan reports it itself.)
---@param dir string
---@param module? hclexpr.Module what folders.open returned
function folders.tell_empty(dir, module)
  if module and module.root and module.root.folder.files[1] then return end
  local names = core.list_folder(nil, dir)
  if names and not Files.configuration(names)[1] then
    shell.warn(dir .. " holds no configuration: no file *.tf, *.tofu, *.tf.json or *.tofu.json")
  end
end

--- Returns the one folder left among the arguments, by default the current one; ends the command if there are more.
---@param rest string[]
---@return string
function folders.one(rest)
  if #rest > 1 then shell.bad_usage(("expected one folder, got %d arguments"):format(#rest)) end
  return rest[1] or "."
end

-- Values and diagnostics as JSON

-- Returns true if something is known about the parts of an unknown value: it is an open object, or blocks.
local function is_open(v)
  if v:is_known() or core.is_marked(v) then return false end
  local known = v:refinements()
  return known.attributes ~= nil or known.items ~= nil
end

local function is_unknown(v)
  v = v:unmark()
  return not v:is_known() and not is_open(v)
end
local function is_hidden(v) return core.is_marked(v) end

-- Makes a mask of a value for a property that JSON can't express, such as unknown: true for each part with the property, in the shape of
-- the value; nil if no part has it. The mask doesn't show the shape of hidden values.
local function mask(v, is)
  if is(v) then return true end
  if is_hidden(v) then return is == is_unknown and not v:is_wholly_known() or nil end
  local kind = (v:is_known() or is_open(v)) and not v:is_null() and core.kind(v)
  if not kind or kind == "string" or kind == "number" or kind == "bool" then return nil end
  local out, some = {}, false
  for key, element in v:pairs() do
    out[key] = mask(element, is)
    some = some or out[key] ~= nil
  end
  return some and out or nil
end

local function write_mask(writer, m)
  if m == true then return writer:raw "true" end
  writer:open "{"
  local keys = {}
  for key in pairs(m) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(keys) do
    writer:key(tostring(key))
    write_mask(writer, m[key])
  end
  writer:close "}"
end

-- Writes a value with null for unknown and marked parts. reveal: only unknown parts become null. open: open objects are written with their
-- known attributes.
local function write_known(writer, v, reveal, open)
  if reveal then v = v:unmark() end
  local attributes = open and is_open(v) and v:refinements().attributes
  if is_hidden(v) or not (v:is_known() or open and is_open(v)) or v:is_null() then return writer:raw "null" end
  local kind = attributes and "object" or core.kind(v)
  if kind == "object" or kind == "map" then
    writer:open "{"
    for key, element in v:pairs() do
      writer:key(key)
      write_known(writer, element, reveal, open)
    end
    writer:close "}"
  elseif kind == "string" or kind == "number" or kind == "bool" then
    local ok, why = jsontext.write(writer, v)
    if not ok then shell.fail(why) end
  else
    writer:open "["
    for _, element in v:pairs() do write_known(writer, element, reveal, open) end
    writer:close "]"
  end
end

folders.write_known = write_known

--- Writes the fields of a JSON object for a Value: `value`; `unknown` and `sensitive`, in the value's shape, if parts are null for that
--- reason; and `open` if the value may have more parts than are known.
---@param writer hclexpr.cli.Writer
---@param v hclexpr.Value
function folders.write_value(writer, v)
  writer:key "value"
  if v:is_wholly_known() and not core.marks_within(v) and jsontext.write(writer, v) then return end
  write_known(writer, v, false, true)
  for _, row in ipairs { { "unknown", is_unknown }, { "sensitive", is_hidden }, { "open", is_open } } do
    local m = mask(v, row[2])
    if m then
      writer:key(row[1])
      write_mask(writer, m)
    end
  end
end

local function write_names(writer, values)
  for _, named in ipairs(values) do writer:field(named.path, named.text) end
end

--- Returns a range whose file is named as seen from a folder. Ranges of settings and of the environment have no file, and stay as they are.
---@param dir string
---@param range hclexpr.Range
---@return hclexpr.Range
function folders.range_in(dir, range)
  if not range.filename or range.filename:find "^<value for " then return range end
  return { filename = core.relative_path(dir, range.filename), start = range.start, stop = range.stop }
end

local function write_diagnostic(writer, d, dir)
  for _, name in ipairs { "severity", "code", "summary", "detail" } do writer:field(name, d[name]) end
  if d.chain then writer:field("chain", d.chain) end
  if d.range then writer:range("range", dir and folders.range_in(dir, d.range) or d.range) end
  if d.values and d.values[1] then writer:object("values", write_names, d.values) end
end

--- Writes a field `diagnostics`: an array of errors, then warnings.
---@param writer hclexpr.cli.Writer
---@param lists (hclexpr.Diagnostics|nil)[]
---@param n integer
---@param dir? string names of files begin here, as Terraform's do; nil: as given
function folders.write_diagnostics(writer, lists, n, dir)
  local function write(to, d) write_diagnostic(to, d, dir) end
  writer:key "diagnostics"
  writer:open "["
  for i = 1, n do
    for _, d in ipairs(lists[i] or {}) do writer:object(nil, write, d) end
  end
  writer:close "]"
end

--- Reports errors and warnings on standard error.
---@param ... hclexpr.Diagnostics?
function folders.report(...)
  for i = 1, select("#", ...) do
    local err = select(i, ...)
    if err and #err > 0 then shell.report(err) end
  end
end

return folders
