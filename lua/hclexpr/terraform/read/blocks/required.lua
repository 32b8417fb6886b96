-- Reads required_providers blocks: the sources and versions of a module's providers.
local core = require "hclexpr.core"
local hosts = require "hclexpr.terraform.language.hosts"
local lazy = require "hclexpr.lazy"
local places = require "hclexpr.places"
local provider_names = lazy "hclexpr.terraform.read.provider_names"
local reading = require "hclexpr.terraform.read.reading"
local constant_expressions = require "hclexpr.terraform.read.constant_expressions"
local versions = require "hclexpr.terraform.read.versions"
local naming = require "hclexpr.terraform.language.naming"

local required = {}

local function fault(p, text, ...)
  p.reader.findings:report("MODULE_PROVIDER", constant_expressions.place(p), text, ...)
end

-- Returns the text of a part; if it isn't a text, reports that and returns nil.
local function text_of(p, what)
  local expression = not p.reader.json and constant_expressions.expression(p)
  local value = p.tree.kind == "string" and p.tree.text or expression and expression:literal()
  if type(value) == "string" then return value end
  fault(p, "%s must be a text.", what)
end

-- Normalizes a source: "hashicorp/random", with a host if that isn't the usual one. Returns nil if the text isn't a source. Reference: a
-- name that begins with "terraform-" is rejected, because it names a repository.
local function parse_source(text)
  local parts = {}
  for part in (text .. "/"):gmatch "([^/]*)/" do parts[#parts + 1] = part:lower() end
  local n = #parts
  local name, namespace = parts[n], parts[n - 1] or "hashicorp"
  if n > 3 or not hosts.is_label(name) or name:find "^terraform%-" then return nil end
  if n == 3 and not hosts.is_host(parts[1]) then return nil end
  local short = namespace .. "/" .. name
  local source = n == 3 and naming.with_other_host(parts[1] .. "/" .. short) or short
  -- Old files have the namespace "-", always for the usual host.
  local is_old = namespace == "-" and source == short
  if not is_old and not hosts.is_label(namespace, "_") then return nil end
  return source
end

local function source_of(p)
  local text = text_of(p, "source")
  local source = text and parse_source(text)
  if text and not source then
    fault(p, "A source is NAMESPACE/NAME, with a host before it if that isn't the default one: hashicorp/random")
  end
  return source
end

local function read_aliases(p, name, entry)
  local list = constant_expressions.list(p)
  if not list then
    local expression = constant_expressions.expression(p)
    local place = expression and { object = expression, range = core.start_range(expression) } or constant_expressions.place(p)
    p.reader.findings:report("MODULE_PROVIDER", place, "configuration_aliases is a list of names: [ %s.a ]", name)
    return
  end
  for _, element in ipairs(list) do
    local traversal = constant_expressions.traversal(element)
    if not traversal then
      reading.not_static(element)
    elseif #traversal.steps > 2 or traversal.steps[1].text ~= name then
      fault(p, "Each element is %s, for the configuration without an alias, or has an alias after it: %s.a", name, name)
    else
      local alias = traversal.steps[2]
      entry.aliases[alias and name .. "." .. alias.text or name] = true
    end
  end
end

local fields = {}

function fields.version(p, _, entry)
  local text = text_of(p, "version")
  entry.version = text
  if text and not versions.constraints(text) then fault(p, 'This is not a constraint of versions, such as ">= 1.2, < 2.0".') end
end

function fields.source(p, _, entry)
  entry.source = source_of(p)
end

fields.configuration_aliases = read_aliases

local function key_of(p)
  return constant_expressions.keyword(p) or p.tree.kind == "key" and p.tree.inner.text or p.tree.text
end

local primitive = { string = true, number = true, bool = true }

-- Returns true if an entry is just a version constraint, as in old sources.
local function is_constraint(expression)
  local value = reading.evaluate(expression)
  return value ~= nil and primitive[core.kind(value)] ~= nil
end

local function read_one(reader, attribute)
  local name, entry = attribute.name, { aliases = {} }
  local whole = constant_expressions.of(reader, attribute)
  if is_constraint(attribute.expression) then
    local value = versions.read(reader, attribute) and reading.evaluate(attribute.expression)
    if not hosts.is_label(name) then fault(whole, provider_names.NAME_FAULT, name) end
    return { aliases = {}, source = naming.implied(name), version = value and value:text() }
  end
  if not provider_names.check_name(reader, name, { object = attribute.expression, range = whole.range }) then return nil end
  local list = constant_expressions.pairs(whole)
  if not list then
    return fault(whole, "%s must be an object: { source = ..., version = ... }", name)
  end
  for _, pair in ipairs(list) do
    local field = fields[key_of(pair[1]) or ""]
    if not field then
      fault(pair[1], "Only source, version and configuration_aliases belong here. A provider is configured in a provider block.")
      return nil
    end
    field(pair[2], name, entry)
  end
  entry.source = entry.source or naming.implied(name)
  return entry
end

--- Reads a required_providers block and adds its entries to the folder.
---@param reader hclexpr.module.Reader
---@param block hclexpr.Block
function required.read(reader, block)
  local folder = reader.folder
  local attributes, fine = reading.arguments(reader, block.body)
  if not fine then return end
  local entries = {}
  for _, attribute in ipairs(attributes) do
    local entry = read_one(reader, attribute)
    if entry then entry.place = places.of_expression(attribute.expression) end
    entries[attribute.name] = entry
  end
  if folder.required_block and not reader.override then
    reader.findings:report("MODULE_DUPLICATE", places.of_block(block), "Another block required_providers is at %s. A module can have "
      .. "only one.", places.words(folder.required_block.head_range))
    return
  end
  if not reader.override then folder.required_block = block end
  for name, entry in pairs(entries) do
    folder.required_providers[name] = entry.source
    folder.provider_aliases[name], folder.required_at[name] = entry.aliases, entry.place
    folder.required_rows[name] = { version = entry.version }
  end
end

return required
