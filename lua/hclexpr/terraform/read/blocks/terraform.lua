-- Reads terraform blocks: a module's requirements for the program that runs it.
local lazy = require "hclexpr.lazy"
local places = require "hclexpr.places"
local required = lazy "hclexpr.terraform.read.blocks.required"
local provider_names = lazy "hclexpr.terraform.read.provider_names"
local reading = require "hclexpr.terraform.read.reading"
local rows = require "hclexpr.terraform.language.rows"
local constant_expressions = lazy "hclexpr.terraform.read.constant_expressions"
local versions = require "hclexpr.terraform.read.versions"

local terraform = {}

local blocks = {}

-- Records a block that may occur once in all files of a folder. Blocks in an override file replace all others.
local function settle(reader, block)
  local folder = reader.folder
  folder.settings = folder.settings or {}
  local known = folder.settings[block.type]
  if reader.override and (not known or known.file ~= reader.file) then
    folder.settings.backend, folder.settings.cloud = nil, nil
  elseif known then
    reader.findings:report("MODULE_DUPLICATE", places.of_block(block), "Another block %s is at %s. A module can have only one.", block.type,
      places.words(known.block.head_range))
    return
  end
  folder.settings[block.type] = { block = block, file = reader.file }
end

blocks.backend, blocks.cloud = settle, settle

function blocks.state_store(reader, block)
  reader.findings:report("MODULE_BLOCK", { object = block, range = block.type_range }, "Blocks state_store are not allowed here.")
end

function blocks.required_providers(reader, block) required.read(reader, block) end

function blocks.provider_meta(reader, block)
  local attributes, fine = reading.arguments(reader, block.body)
  if not fine then return end
  for _, attribute in ipairs(attributes) do reading.constant(reader, attribute) end
  if not provider_names.check_name(reader, block.labels[1], places.of_block(block)) then return end
  local folder, name = reader.folder, block.labels[1]
  folder.metas = folder.metas or {}
  if folder.metas[name] and not reader.override then
    reader.findings:report("MODULE_DUPLICATE", places.of_block(block), "Another block provider_meta %q is at %s.", name,
      places.words(folder.metas[name].head_range))
  end
  folder.metas[name] = block
end

local function read_language(reader, attribute, row)
  local word, editions = constant_expressions.keyword(constant_expressions.of(reader, attribute)), rows.words(row, "language")
  if word and editions[word] then return end
  reader.findings:report("MODULE_VERSION", places.of_attribute(attribute), "The language has only one edition: language = %s",
    editions[1])
end

-- Reads required_version. The constraints of override files replace all others.
local function read_version(reader, attribute)
  local constraints = versions.read(reader, attribute)
  local folder = reader.folder
  if not constraints then return end
  if reader.override and folder.versions_of ~= reader.file then folder.versions = {} end
  folder.versions_of = reader.file
  folder.versions[#folder.versions + 1] = { attribute = attribute, constraints = constraints }
end

function terraform.declare(reader, block, row)
  local arguments, inner_blocks = reading.level(reader, block.body, row)
  if arguments.required_version then read_version(reader, arguments.required_version) end
  if arguments.language then read_language(reader, arguments.language, row) end
  if arguments.experiments then
    reader.findings:report("MODULE_VERSION", { object = arguments.experiments, range = arguments.experiments.name_range }, "Experiments "
      .. "are not part of the language: modules that need them can't be evaluated.")
  end
  for _, inner in ipairs(inner_blocks) do blocks[inner.type](reader, inner) end
end

--- Reports mistakes that are known only when all files have been read.
---@param folder hclexpr.module.Folder
function terraform.finish(folder)
  local s = folder.settings
  if not (s and s.backend and s.cloud) then return end
  folder.findings:report("MODULE_DUPLICATE", places.of_block(s.backend.block), "A block cloud is at %s, and states are stored in one "
    .. "place: remove one of the two.", places.words(s.cloud.block.head_range))
end

return terraform
