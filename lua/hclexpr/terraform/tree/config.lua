-- Reads the tree of modules as Configs, beginning with the root's calls. Each folder is read once, no matter how many calls it has.
local check = require "hclexpr.check"
local core = require "hclexpr.core"
local naming = require "hclexpr.terraform.language.naming"
local lazy = require "hclexpr.lazy"
local backends = lazy "hclexpr.terraform.language.backends"
local constants = require "hclexpr.terraform.tree.constants"
local Files = require "hclexpr.terraform.read.files"
local Findings = require "hclexpr.terraform.language.findings"
local folders = require "hclexpr.terraform.read.folder"
local inputs = require "hclexpr.terraform.tree.inputs"
local levels = lazy "hclexpr.spec.levels"
local missing = lazy "hclexpr.terraform.tree.missing"
local local_names = require "hclexpr.terraform.tree.local_names"
local passed_providers = lazy "hclexpr.terraform.tree.passed_providers"
local places = require "hclexpr.places"
local references = require "hclexpr.terraform.read.references"
local sorted = require("hclexpr.util").sorted
local sources = require "hclexpr.terraform.tree.sources"
local action_trigger = lazy "hclexpr.terraform.read.blocks.action_trigger"
local versions = lazy "hclexpr.terraform.read.versions"
local dependencies = require "hclexpr.terraform.read.dependencies"

local config = {}

-- The largest number of modules in a tree. If modules call two others each, and so on, the tree soon exceeds any memory.
local MOST = 20000

---@class hclexpr.module.Loader
---@field files hclexpr.module.Files
---@field sources hclexpr.module.Sources
---@field limits? hclexpr.Limits
---@field scope? hclexpr.Scope
---@field folders table<string, hclexpr.module.Folder|false> by absolute path
---@field dirs table<string, hclexpr.module.Folder|false> folders by requested paths
---@field findings hclexpr.Findings
---@field late hclexpr.Findings mistakes that are reported only if nothing else is wrong
---@field absent hclexpr.Findings mistakes about missing provider configurations, which are reported after `late`
---@field only_absent? boolean whether missing provider configurations are the only mistakes
---@field lenient boolean missing parts are unknown, not errors
---@field given table<string, true> provider configurations given to the root, by name
---@field count integer

local function head(call)
  return places.of_block(call.block)
end

local function read_folder(loader, dir)
  local known = loader.dirs[dir]
  if known ~= nil then return known end
  local key = core.absolute_path(dir)
  known = loader.folders[key]
  if known == nil then
    local made, why = folders.read(dir, loader.files, loader.limits)
    known = made or false
    loader.folders[key] = known
    if known then known.key, known.unsure = key, loader.lenient and known.torn[1] ~= nil else loader.why = why end
  end
  loader.dirs[dir] = known
  return known
end

--- Returns the path by which a module names a file and, if the file's folder is in the tree, that folder. The given path may be any path
--- that leads to the file.
---@param loader hclexpr.module.Loader
---@param path string
---@return string path
---@return hclexpr.module.Folder?
function config.file_at(loader, path)
  local dir = path:match "^.*/" or ""
  local folder = loader.folders[core.absolute_path(dir)]
  if not folder then return path end
  return Files.join(folder.dir, path:sub(#dir + 1)), folder
end

-- Sources

local text_type = check.certain(core.type "string")

-- Returns the text of a call's source or version; true for a version that is null, which counts as absent. If the argument is wrong,
-- reports that and returns nil; but if the loader is lenient and the argument's value is unknown, returns false.
local function read_argument(loader, parent, attribute)
  local written = core.written(attribute)
  if type(written) == "string" then return written end
  local is_version = attribute.name == "version"
  local ref, faults = constants.later(attribute.expression, is_version)
  if faults[1] then
    references.report(loader.findings, attribute.expression, faults, parent)
    return nil
  elseif ref then
    local place = { object = attribute.expression, range = ref.range or ref.traversal.range }
    loader.findings:report("MODULE_SOURCE", place, "%s may only use constants, const variables and local values of these, because it is "
      .. "evaluated first.", attribute.name)
    return nil
  end
  if not constants.check_locals(parent, { attribute.expression }, loader.findings) then return nil end
  local value, err = constants.value_for_tree(parent, attribute.expression)
  if value == nil then
    loader.findings:add(err)
    return nil
  end
  if not core.is_marked(value) and value:is_known() then
    local text = text_type:convert(value)
    if text and not text:is_null() then return text:text() end
    if text and is_version then return true end
  end
  if loader.lenient and not value:is_known() then return false end
  loader.findings:report("MODULE_SOURCE", places.of_attribute(attribute), "%s must be a string that is known beforehand: use only "
    .. "constants and const variables.", attribute.name)
end

-- Finds the folder of a call. Returns the path to open, the path relative to the root, nil and the source. Otherwise reports why; but if
-- the loader is lenient and the module isn't here, returns nil, nil and the source, or true instead if the source or version is unknown.
local function find_folder(loader, parent, call, address)
  local source, version = call.arguments.source, call.arguments.version
  if not source then return nil end -- its absence was reported
  local wanted, text
  if version then
    wanted = read_argument(loader, parent, version)
    if not wanted then return nil, nil, wanted == false end
    if wanted == true then wanted = nil end
    if wanted and not versions.constraints(wanted) then
      loader.findings:report("MODULE_VERSION", places.of_attribute(version), "version must be a constraint of versions, such as "
        .. '"~> 1.2".')
      return nil
    end
  end
  text = read_argument(loader, parent, source)
  if type(text) ~= "string" then return nil, nil, text == false end
  local kind, why = sources.kind(text, wanted ~= nil)
  if not kind then
    loader.findings:report("MODULE_SOURCE", places.of_attribute(source), "%s", why)
    return nil
  end
  local dir, path = loader.sources:find(parent, kind, text, wanted, address)
  if dir then return dir, path, nil, text end
  if loader.lenient then return nil, nil, text end
  loader.findings:report(Findings.because("MODULE_MISSING", "unfetched"), head(call), "The module %s isn't here. Run terraform init to "
    .. "fetch it; a program can give its folder by the option source of hcl.module.", core.quote(text))
end

-- Arguments

-- Returns the interface of a folder: a schema of the arguments of its calls, the names of the variables without a default, and the names of
-- the const variables.
local function interface(folder)
  if folder.cache.interface then return folder.cache.interface end
  local made, attributes = { required = {}, const = {} }, {}
  for _, name in ipairs(sorted(folder.variables)) do
    local variable = folder.variables[name]
    attributes[#attributes + 1] = { name = name }
    if variable.default == nil then made.required[#made.required + 1] = name end
    if variable.const then made.const[#made.const + 1] = name end
  end
  made.schema = core.schema { attributes = attributes, blocks = {}, no_dynamic = true }
  made.partial = core.schema { attributes = attributes, blocks = {}, no_dynamic = true, partial = true }
  folder.cache.interface = made
  return made
end

--- Reads the arguments of a call, by the names of the module's variables. An override's body replaces arguments of earlier ones. Reference:
--- required arguments must be in the first body, and an argument without a variable is ignored.
---@param loader { findings: hclexpr.Findings, late: hclexpr.Findings }
---@param child hclexpr.module.Config
function config.read_arguments(loader, child)
  local folder, first = child.folder, nil
  local all, list = interface(folder), child.call.bodies
  child.arguments = {}
  for _, body in ipairs(list) do
    local content, err = core.level(body, list[2] and all.partial or all.schema)
    if err then loader.findings:add(err) end
    first = first or content
    for name, attribute in pairs(content.attributes) do child.arguments[name] = attribute end
  end
  for _, name in ipairs(all.required) do
    if not (first.attributes[name] or child.call.replaced and child.call.replaced[name]) then
      local findings = folder.variables[name].const and loader.findings or loader.late
      findings:report("MODULE_REQUIRED", levels.missing_in(first), "The module %s needs a value of its variable %s%s. Add a line: %s = ...",
        core.quote(child.name), name, child.arguments[name] and " here, also where an override file has one" or "", name)
    end
  end
end

-- Returns the values of a module's const variables, which must be known before evaluation.
local function const_values(loader, child)
  local values = {}
  for _, name in ipairs(interface(child.folder).const) do
    local variable, attribute = child.folder.variables[name], child.arguments[name]
    local given, err = {}, nil
    if attribute then
      given = { place = places.of_expression(attribute.expression) }
      given.value, err = constants.value_for_tree(child.parent, attribute.expression)
    end
    if err then loader.findings:add(err) end
    if given.value and not given.value:is_wholly_known() then
      loader.findings:report("MODULE_CONSTANT", places.of_attribute(attribute), "The variable %s is const, so its value must be known "
        .. "beforehand: use only constants and const variables.", name)
    elseif not err then
      values[name] = inputs.convert(variable, given, loader.findings)
    end
  end
  return values
end

-- The tree

local function check_version(loader, folder)
  for _, row in ipairs(folder.versions) do
    local place, released = { object = row.attribute, range = row.attribute.range }, true
    for _, c in ipairs(row.constraints) do
      if c.version.prerelease ~= "" then
        released = false
        loader.findings:report("MODULE_VERSION", place, "%q names a prerelease, which counts as the release. Leave out "
          .. "%q.", c.text, c.version.prerelease)
      end
    end
    if released and not versions.allow(row.constraints, versions.language) then
      local wanted = {}
      for i, c in ipairs(row.constraints) do wanted[i] = c.text end
      local version = loader.lenient and "MODULE_VERSION_OTHER" or Findings.because("MODULE_VERSION", "language")
      loader.findings:report(version, place, "The folder requires Terraform %s, but hclexpr evaluates the language of %s. %s",
        table.concat(wanted, ", "), versions.LANGUAGE, loader.lenient and "Values are shown all the same."
        or 'With missing = "unknown" it is evaluated all the same.')
    end
  end
end

local function ignored(loader, folder)
  for _, type in ipairs { "backend", "cloud" } do
    local row = folder.settings and folder.settings[type]
    if row then
      loader.findings:report("MODULE_IGNORED", places.of_block(row.block), "A block %s has an effect only in the root module.", type)
    end
  end
end

-- Returns true if this is the folder of a module or of a module around it.
local function is_within(parent, folder)
  while parent do
    if parent.folder == folder then return true end
    parent = parent.parent
  end
  return false
end

-- Reports a folder's findings once, and only if the modules around it have no errors.
local function take_findings(loader, of)
  local folder = of.folder
  local found = folder.findings:diagnostics()
  loader.findings.within = of
  if found and not folder.reported then loader.findings:add(found) end
  loader.findings.within = nil
  folder.reported = true
  if folder.broken == nil then
    folder.broken = false
    for _, d in ipairs(found or {}) do folder.broken = folder.broken or d.severity == "error" end
  end
end

-- Finds and reads the folder of a call.
local function folder_of(loader, parent, call, address)
  local dir, path, lacks, source = find_folder(loader, parent, call, address)
  if not dir then return nil, nil, lacks end
  local folder = read_folder(loader, dir)
  if not folder then
    -- If a folder with a relative source is missing, the host is asked: a build may copy the folder there later.
    local other, shown = loader.sources:given(source)
    folder = other and other ~= dir and read_folder(loader, other)
    if folder then dir, path = other, shown end
  end
  if not folder then
    if loader.lenient then return nil, nil, source end
    loader.findings:report("MODULE_MISSING", head(call), "The folder %s can't be read: %s.", dir, loader.why or "it does not exist")
    return nil
  end
  if is_within(parent, folder) then
    loader.findings:report("MODULE_LOOP", head(call), "The folder %s is that of a module that contains this call, so it would "
      .. "call itself endlessly.", dir)
    return nil
  end
  return folder, path, nil, source
end

local function enter(loader, parent, call)
  local address = naming.within(parent.address, call.address)
  local folder, path, lacks, source = folder_of(loader, parent, call, address)
  if not folder then
    if not loader.lenient then return nil end
    folder, path = missing.folder("", call), "."
  end
  return {
    folder = folder, name = call.name, parent = parent, call = call, children = {}, address = address, path = path, place = address,
    source = source or type(lacks) == "string" and lacks or nil, lacks = lacks or nil,
    quiet = parent.quiet or call.ignore_nested_deprecations,
  }
end

-- Reads a call into parent.children, and adds mistakes in its arguments to loader.arguments. Returns the Config if its own calls must be
-- read.
local function read_call(loader, parent, call)
  local child = enter(loader, parent, call)
  if not child then return nil end
  loader.count = loader.count + 1
  if loader.count > MOST then
    loader.full = true
    loader.findings:report("MODULE_TREE", head(call), "With this call there are more than %d modules. This call and all others are left "
      .. "out.", MOST)
    return nil
  end
  parent.children[call.name] = child
  take_findings(loader, child)
  local findings, late = loader.findings, loader.late
  loader.findings, loader.late = Findings.new(true), Findings.new(true)
  ignored(loader, child.folder)
  config.read_arguments(loader, child)
  local values = const_values(loader, child)
  if loader.findings.added + loader.late.added > 0 and not child.folder.broken then
    loader.arguments[#loader.arguments + 1] = { config = parent, call = call, found = loader.findings, missing = loader.late,
                                                findings = findings, late = late }
  end
  loader.findings, loader.late = findings, late
  constants.begin(child, values, loader)
  return child
end

-- Reads the calls of a module. Mistakes in modules below a broken one aren't reported, because they may be consequences; but these modules
-- are read so that users can inspect them.
local function read_calls(loader, parent, queue)
  local told = loader.findings
  if parent.folder.broken or parent.hidden then loader.findings, loader.late = Findings.new(true), Findings.new() end
  for _, name in ipairs(dependencies.outline(parent.folder).calls) do
    local child = not loader.full and read_call(loader, parent, parent.folder.calls[name])
    if child then
      child.hidden = loader.findings ~= told
      queue[#queue + 1] = child
    end
  end
  loader.findings, loader.late = told, loader.told_late
end

--- Reads the tree of modules below a root folder that was already read.
---@param loader hclexpr.module.Loader
---@param folder hclexpr.module.Folder
---@param values table<string, hclexpr.Value> of the root's const variables
---@return hclexpr.module.Config
function config.read(loader, folder, values)
  local root = { folder = folder, children = {}, address = "", path = ".", place = "the root module" }
  local queue, i = { root }, 1
  loader.told_late, loader.count = loader.late, 1
  take_findings(loader, root)
  constants.begin(root, values, loader)
  while queue[i] do
    read_calls(loader, queue[i], queue)
    i = i + 1
  end
  return root
end

--- Reads the root's folder.
---@param loader hclexpr.module.Loader
---@param dir string
---@return hclexpr.module.Folder|false folder
---@return string? why
function config.folder(loader, dir)
  return read_folder(loader, dir), loader.why
end

local function check_backend(loader, folder)
  local row = folder.settings and folder.settings.backend
  local name = row and row.block.labels[1]
  if not row or backends.by_type[name] then return end
  loader.findings:report("MODULE_BACKEND", { object = row.block, range = row.block.label_ranges[1] },
    "No backend is named %s. Backends are %s.", core.quote(name), table.concat(sorted(backends.by_type), ", "))
end

-- Returns true if a folder mentions provider configurations at all. Most folders don't, so that their calls, which may be many, needn't be
-- checked.
local function speaks(folder)
  local found = next(folder.providers) ~= nil or next(folder.provider_aliases) ~= nil
  for _, list in ipairs { folder.calls, folder.resources, folder.actions, folder.others } do
    for _, d in pairs(list) do found = found or d.providers ~= nil or d.provider ~= nil end
  end
  folder.cache.speaks_of_providers = found
  return found
end

--- Checks a tree in which no mistakes have been found so far.
---@param loader hclexpr.module.Loader
---@param root hclexpr.module.Config
function config.check_tree(loader, root)
  local spoken = false
  for _, folder in pairs(loader.folders) do spoken = folder and speaks(folder) or spoken end
  if spoken then passed_providers.check(root, loader.findings, loader) end
  for _, key in ipairs(sorted(loader.folders)) do
    local folder = loader.folders[key]
    if folder then
      check_version(loader, folder)
      local_names.check(loader.findings, folder)
      for _, d in pairs(folder.resources) do
        if d.action_triggers then action_trigger.check_declared(d, loader.late) end
      end
    end
  end
  check_backend(loader, root.folder)
end

return config
