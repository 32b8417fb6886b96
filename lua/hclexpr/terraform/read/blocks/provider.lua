-- Reads provider blocks, which configure providers.
local core = require "hclexpr.core"
local heads = require "hclexpr.terraform.read.heads"
local places = require "hclexpr.places"
local provider_names = require "hclexpr.terraform.read.provider_names"
local reading = require "hclexpr.terraform.read.reading"
local versions = require "hclexpr.terraform.read.versions"

local provider = {}

local nested = {}

--- Returns the alias in a provider block, or nil.
---@param reader hclexpr.module.Reader
---@param attribute? hclexpr.Attribute
---@return string?
function provider.read_alias(reader, attribute)
  if not attribute then return nil end
  local alias = reading.text(reader, attribute)
  if alias and core.name_columns(alias) then return alias end
  reader.findings:report("MODULE_NAME", {}, "%q can't be an alias of a provider. %s", alias or "", reading.NAME_RULE)
  return alias
end

--- Reads a provider block; if its name isn't valid, reports that and returns nil.
---@param reader hclexpr.module.Reader
---@param block hclexpr.Block
---@param row hclexpr.language.Block
---@return hclexpr.module.Declaration?
function provider.read(reader, block, row)
  local arguments, blocks, rest = reading.level(reader, block.body, row)
  if not provider_names.check_name(reader, block.labels[1], places.of_block(block)) then return nil end
  local d = reading.declaration(reader, heads.of_block(block, row) --[[@as hclexpr.module.Head]], arguments)
  heads.give_alias(d, provider.read_alias(reader, arguments.alias))
  d.bodies[1] = rest
  if arguments.version and not reader.test then
    reader.findings:report("MODULE_DEPRECATED", places.of_attribute(arguments.version), "Write versions of providers in a "
      .. "required_providers block: { source = ..., version = ... }")
    versions.read(reader, arguments.version)
  end
  reading.refuse_reserved(reader, arguments, row, "MODULE_RESERVED", "%s can't be set in a provider block: the language keeps that name.")
  reading.nested(reader, d, blocks, row, nested)
  return d
end

function provider.declare(reader, block, row)
  local d = provider.read(reader, block, row)
  if not d then return end
  local all = reader.folder.providers
  -- Reference: a provider block without an alias in an override file may add a configuration.
  if reader.override and not d.alias and not all[d.key] then return reading.declare(reader, all, d.key, d, row.what) end
  reading.settle(reader, d, row)
end

return provider
