-- Reads moved, removed and import blocks.
local places = require "hclexpr.places"
local addresses = require "hclexpr.terraform.read.addresses"
local provisioner = require "hclexpr.terraform.read.blocks.provisioner"
local provider_names = require "hclexpr.terraform.read.provider_names"
local reading = require "hclexpr.terraform.read.reading"
local constant_expressions = require "hclexpr.terraform.read.constant_expressions"

local moved = {}

local reads = {}

-- Reads the address in an attribute; if it is wrong, reports that and returns nil.
local function read_address(reader, attribute, options)
  if not attribute then return nil end
  local p = constant_expressions.of(reader, attribute)
  local traversal = constant_expressions.traversal(p)
  if traversal then return addresses.read(p, traversal, options) end
  reading.not_static(p)
end

function reads.moved(reader, d)
  local before = reader.findings:count()
  d.from = read_address(reader, d.arguments.from, {})
  d.to = read_address(reader, d.arguments.to, {})
  if not (d.from and d.to) or reader.findings:count() > before then return end
  if d.from.what ~= d.to.what then
    reader.findings:report("MODULE_ADDRESS", places.head_of(d), "from and to must both be resources, or both modules.")
  end
end

-- Reports an address that two import blocks name.
local function check_import(reader, d, p)
  local traversal, folder = constant_expressions.traversal(p), reader.folder
  if not traversal then return end
  folder.imports = folder.imports or {}
  local path = traversal.path or constant_expressions.text_of(p) -- a reference that begins with a word such as null has no path
  local first = folder.imports[path]
  if first then
    reader.findings:report("MODULE_DUPLICATE", constant_expressions.place(p), "%s is imported at %s already.", path,
      places.words(first.block.head_range))
  end
  folder.imports[path] = first or d
end

-- Reads an import block. The address of the imported resource may have any expression as a key.
function reads.import(reader, d, _, _, sound)
  local arguments = d.arguments
  local to = arguments.to
  if to and not sound then return end
  if to then
    d.to, d.to_expression = addresses.read_dynamic(constant_expressions.of(reader, to))
    if not d.to or d.to.mode ~= "managed" then
      reader.findings:report("MODULE_ADDRESS", { object = to, range = to.range }, "Only resources can be imported: type.name")
    end
    if d.to then check_import(reader, d, constant_expressions.of(reader, to)) end
  end
  if arguments.provider then
    if d.to and d.to.module ~= "" then
      reader.findings:report("MODULE_ADDRESS", { object = arguments.provider, range = arguments.provider.range }, "A module's providers "
        .. "are passed in its block, not here.")
    end
    d.provider = provider_names.reference(constant_expressions.of(reader, arguments.provider))
  end
  local given = (arguments.id and 1 or 0) + (arguments.identity and 1 or 0)
  if given ~= 1 then
    reader.findings:report("MODULE_ADDRESS", places.head_of(d), "An import needs either id or identity%s.", given == 2 and ", not both"
      or "")
  end
end

local function misplaced(reader, block)
  reader.findings:report("MODULE_BLOCK", places.of_block(block), "Blocks %s are for a resource that is removed.", block.type)
end

local function read_provisioner(reader, block, row)
  local made = provisioner.read(reader, block, row)
  if made.when == "destroy" then return end
  reader.findings:report("MODULE_BLOCK", places.of_block(block), "A removed resource may only have provisioners with when = destroy")
end

function reads.removed(reader, d, blocks, row)
  d.from = read_address(reader, d.arguments.from, { no_keys = true })
  local managed, seen = d.from ~= nil and d.from.mode == "managed", {}
  if d.from and d.from.mode == "data" then
    reader.findings:report("MODULE_ADDRESS", places.of_expression(d.arguments.from.expression), "Data sources are only read, so they "
      .. "can't be removed.")
  end
  for _, inner in ipairs(blocks) do
    if inner.type == "lifecycle" then
      reading.constants(reader, d, reading.level(reader, inner.body, row.blocks.lifecycle), row.blocks.lifecycle)
    elseif not managed then
      misplaced(reader, inner)
    elseif inner.type == "provisioner" then
      read_provisioner(reader, inner, row.blocks.provisioner)
    else
      reading.only_one(reader, seen, inner)
    end
  end
end

function moved.declare(reader, block, row)
  local kind, all = block.type, reader.folder.others
  local before = reader.findings:count()
  local arguments, blocks = reading.level(reader, block.body, row)
  local sound = reader.findings:count() == before
  local d = reading.declaration(reader, { kind = kind, name = "", address = kind, block = block }, arguments)
  reads[kind](reader, d, blocks, row, sound)
  if reader.override and kind ~= "removed" then
    reader.findings:report("MODULE_OVERRIDE", places.of_block(block), "Override files can't hold %s blocks.", kind)
    return
  end
  if not reader.override then all[#all + 1] = d end
end

return moved
