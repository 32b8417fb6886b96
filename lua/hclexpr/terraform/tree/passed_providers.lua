-- Checks provider configurations that calls pass to modules: each module must get those that it needs, and of the right provider.
local core = require "hclexpr.core"
local Findings = require "hclexpr.terraform.language.findings"
local naming = require "hclexpr.terraform.language.naming"
local folders = require "hclexpr.terraform.read.folder"
local places = require "hclexpr.places"
local dependencies = require "hclexpr.terraform.read.dependencies"

local passed_providers = {}

local function name_place(reference)
  return { object = reference.part.expression, range = reference.name_range }
end

local function is_empty(d)
  if d.arguments.version then return false end
  for _, body in ipairs(d.bodies) do
    local arguments, blocks = core.read_level(body)
    if next(arguments) ~= nil or blocks[1] then return false end
  end
  return true
end

-- Returns the provider blocks of a folder by name: those in `configured` have content, those in `empty` don't.
local function blocks_of(folder)
  if folder.cache.provider_blocks then return folder.cache.provider_blocks end
  local made = { configured = {}, empty = {} }
  for _, d in ipairs(folders.declarations(folder)) do
    if d.kind == "provider" then (is_empty(d) and made.empty or made.configured)[d.key] = d end
  end
  folder.cache.provider_blocks = made
  return made
end

local function aliases_of(folder)
  local all = {}
  for _, aliases in pairs(folder.provider_aliases) do
    for key in pairs(aliases) do all[key] = true end
  end
  return all
end

local function passed_to(config)
  local all = {}
  for _, pair in ipairs(config.call and config.call.providers or {}) do all[pair.child.key] = pair end
  return all
end

-- Checks the provider configurations that the calls in a module pass on.
local function check_calls(findings, config, passed)
  local configured = blocks_of(config.folder).configured
  for _, name in ipairs(dependencies.outline(config.folder).calls) do
    for _, pair in ipairs(config.folder.calls[name].providers or {}) do
      local parent = pair.parent
      local here = configured[parent.key] or config.folder.required_providers[parent.key]
      if not parent.alias and not here then
        findings:report("MODULE_PROVIDER_UNSURE", name_place(parent), "No provider %s is declared in %s. Name its source there, in "
          .. "required_providers.", parent.name, config.place)
      elseif not parent.alias and config.call and not configured[parent.key] and not passed[parent.key] then
        findings:report("MODULE_PROVIDER_UNSURE", places.head_of(config.call), "The module passes on a configuration of %s that its "
          .. "caller doesn't pass: providers = { %s = ... }", parent.name, parent.name)
      end
    end
  end
end

-- Checks one provider configuration that is passed to a module.
local function check_pair(findings, config, pair, known)
  local child, parent, folder = pair.child, pair.parent, config.folder
  local alias = known.aliases[child.key]
  local own = folder.required_providers[child.key] or alias and naming.source(folder.required_providers, child.name)
  if not own and not known.empty[child.key] then
    findings:report("MODULE_PROVIDER_UNSURE", name_place(child), "The module %s declares no provider %s. Name its source there, in "
      .. "required_providers.", config.address, child.key)
  end
  -- Reference: here an undeclared name always means hashicorp/NAME, even `terraform`.
  own = own or "hashicorp/" .. child.name
  local required = config.parent.folder.required_providers
  local given = required[child.key] or required[parent.name] or "hashicorp/" .. parent.name
  if own == given then return end
  local at = parent
  for _, source in pairs(folder.required_providers) do
    if source == given then at = child end
  end
  findings:report("MODULE_PROVIDER", name_place(at), "%s is of the provider %s, and the module means %s by %s.", parent.key, given, own,
    child.key)
end

local function check_module(findings, config, passed, repeated)
  local known = blocks_of(config.folder)
  known.aliases = known.aliases or aliases_of(config.folder)
  if next(known.configured) and repeated then
    findings:report("MODULE_PROVIDER", repeated, "The module %s configures providers itself, so its call, and those around it, can't have "
      .. "count, for_each or depends_on.", config.address)
  end
  for _, pair in ipairs(config.call.providers or {}) do
    if known.configured[pair.child.key] then
      findings:report("MODULE_PROVIDER", name_place(pair.child), "The module %s configures %s itself.", config.address, pair.child.key)
    end
    check_pair(findings, config, pair, known)
  end
  for key in pairs(known.aliases) do
    if not known.configured[key] and not passed[key] then
      findings:report("MODULE_PROVIDER", places.head_of(config.call), "The module needs a configuration %s: providers = { %s = ... }", key,
        key)
    end
  end
  local told = {}
  for _, d in ipairs(folders.declarations(config.folder)) do
    if d.kind == "provider" and known.empty[d.key] == d and not told[d.name] then
      told[d.name] = true
      findings:report("MODULE_PROVIDER_UNSURE", places.head_of(d), "An empty provider block has no effect. Name the providers of a "
        .. "module in required_providers.")
    end
  end
end

-- Returns the place of the argument that gives a call several instances or delays it, or nil.
local function repeated_at(call)
  local attribute = call.arguments.count or call.arguments.for_each
  if attribute then return { object = attribute.expression, range = attribute.expression:range() } end
  local first = call.depends_on and call.depends_on[1]
  return first and { object = call.arguments.depends_on, range = first.range }
end

-- Returns true if a module has a provider configuration, either its own or a passed one. In the root, required names and names in the
-- option `providers` count, too; and if missing parts are unknown, so do names that callers would pass.
local function is_there(config, key, passed, outside)
  if config.folder.providers[key] or passed[key] then return true end
  if config.parent then return false end
  local aliases = outside.lenient and config.folder.provider_aliases[key:match "^[^.]+"]
  return config.folder.required_providers[key] ~= nil or aliases and aliases[key] or outside.given[key] or outside.given["*"]
end

local function tell_absent(findings, config, reference)
  local key, alias = reference.key, reference.alias
  local row = Findings.because("MODULE_PROVIDER_ABSENT", not config.parent and "root" or nil)
  findings:report(row, name_place(reference), "The provider configuration %s is missing in %s. Declare provider %q%s there, or %s.",
    key, config.place, reference.name, alias and (" with alias = %q"):format(alias) or "",
    config.parent and ("pass it to the module: providers = { %s = ... }"):format(key)
    or "name it in the option providers of hcl.module, where a caller passes it or a generated file declares it")
end

-- Checks the provider configurations that resources and calls of a module name. A resource may name a configuration without an alias even
-- if nothing declares it.
local function check_uses(findings, config, passed, outside)
  for _, d in ipairs(folders.declarations(config.folder)) do
    local is_user = d.kind == "resource" or d.kind == "action"
    if is_user and d.provider and d.provider.alias and not is_there(config, d.provider.key, passed, outside) then
      tell_absent(findings, config, d.provider)
    end
  end
  for _, name in ipairs(dependencies.outline(config.folder).calls) do
    for _, pair in ipairs(config.folder.calls[name].providers or {}) do
      if not is_there(config, pair.parent.key, passed, outside) then tell_absent(findings, config, pair.parent) end
    end
  end
end

-- Checks the provider configurations that import blocks of a module name. An import block may name one only if the imported resource isn't
-- declared, or if the resource's block names the same one.
local function check_imports(findings, config, passed, outside)
  for _, d in ipairs(config.folder.others) do
    if d.kind == "import" and d.provider and d.to and d.to.module == "" then
      local target, key = config.folder.resources[d.to.type .. "." .. d.to.name], d.provider.key
      if target and not (target.provider and target.provider.key == key) then
        local attribute = d.arguments.provider
        findings:report("MODULE_PROVIDER", { object = attribute, range = attribute.range }, "%s is declared, so its own block names the "
          .. "provider. Remove this, and write there: provider = %s", target.address, key)
      elseif not target and d.provider.alias and not is_there(config, key, passed, outside) then
        tell_absent(outside.absent, config, d.provider)
      end
    end
  end
end

local function check_one(findings, config, repeated, outside)
  if config.folder.absent then return end
  if not config.folder.cache.speaks_of_providers and not (config.call and config.call.providers) then return end
  local passed = passed_to(config)
  check_calls(findings, config, passed)
  if config.call then check_module(findings, config, passed, repeated) end
  check_uses(outside.absent, config, passed, outside)
  check_imports(findings, config, passed, outside)
end

--- Checks the provider configurations of a tree of modules.
---@param root hclexpr.module.Config
---@param findings hclexpr.Findings
---@param outside { lenient: boolean, given: table<string, true>, absent: hclexpr.Findings } absent: gets missing configurations;
--- lenient: configurations that callers of the root would pass may be missing; given: those given to the root by name, or "*" for any
function passed_providers.check(root, findings, outside)
  local stack = { { root } }
  while #stack > 0 do
    local config, repeated = stack[#stack][1], stack[#stack][2]
    stack[#stack] = nil
    check_one(findings, config, repeated, outside)
    local calls = dependencies.outline(config.folder).calls
    for i = #calls, 1, -1 do -- the first call is checked next
      local child = config.children[calls[i]]
      if child then stack[#stack + 1] = { child, repeated_at(child.call) or repeated } end
    end
  end
end

return passed_providers
